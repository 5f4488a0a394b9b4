//! Substitution of values or functions for variables.

use super::Function;
use super::operations::{Cofactor, Constrain, Substitute};
use crate::error::Error;
use crate::hash::Map;
use crate::store::Edge;

impl Function {
    /// Returns the cofactor by a partial assignment: the function with these variables fixed.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// let f = x.ite(&y, &z)?;
    /// assert_eq!(f.restrict([(0, true)])?, y);
    /// assert!(f.restrict([(0, false), (2, false)])?.is_false());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable is given twice. Otherwise as for every operation of [`Function`].
    #[doc(alias = "Cudd_Cofactor")]
    pub fn restrict(
        &self,
        assignment: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Function, Error> {
        let literals = self.manager().literals(assignment)?;
        let end = literals.last().map_or(0, |&(level, _)| level + 1);
        let values = literals.into_iter().collect();
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            store.run(&Cofactor { values: &values, end, tag }, [f, Edge::ZERO, tag])
        });
        result.map(Function)
    }

    /// Returns the two cofactors by one variable: with the variable false, and with it true.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// let (without, with) = (&x ^ &y).cofactors(0)?;
    /// assert_eq!((without, with), (y.clone(), !y));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "var_restrict")]
    pub fn cofactors(&self, variable: usize) -> Result<(Function, Function), Error> {
        Ok((self.restrict([(variable, false)])?, self.restrict([(variable, true)])?))
    }

    /// Returns the generalised cofactor: a function that agrees with `self` if `care` is true, and
    /// otherwise has the value at the nearest assignment in `care`. It often has fewer nodes. If
    /// `care` is a cube, it is the cofactor. The result depends on the order of the variables.
    ///
    /// Source: O. Coudert, C. Berthet and J. C. Madre, *Verification of synchronous sequential
    /// machines based on symbolic execution*, 1989.
    ///
    /// Cost: at most the product of the numbers of nodes.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// let (f, care) = (&x & &y | &z, &x | &y);
    /// let g = f.constrain(&care)?;
    /// assert_eq!(&g & &care, &f & &care);
    /// assert_eq!(f.constrain(&x)?, f.restrict([(0, true)])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `care` is constantly false. Otherwise as for every operation of [`Function`].
    #[doc(alias = "Cudd_bddConstrain")]
    pub fn constrain(&self, care: &Function) -> Result<Function, Error> {
        let result = self.0.binary(&care.0, |store, f, c| {
            if c == Edge::ZERO {
                return Err(Error::EmptyCareSet);
            }
            store.run(&Constrain, [f, c, Constrain::TAG])
        });
        result.map(Function)
    }

    /// Returns the function with `by` substituted for a variable.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!((&x ^ &y).compose(1, &(&x & &z))?, &x & !&z);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "Cudd_bddCompose")]
    pub fn compose(&self, variable: usize, by: &Function) -> Result<Function, Error> {
        self.substitute([(variable, by)])
    }

    /// Returns the function with functions substituted for variables simultaneously: the
    /// substituted functions themselves are unchanged.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// let swapped = x.ite(&y, &z)?.substitute([(0, &y), (1, &x)])?;
    /// assert_eq!(swapped, y.ite(&x, &z)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable is given twice. Otherwise as for every operation of [`Function`].
    #[doc(alias = "Cudd_bddVectorCompose")]
    pub fn substitute<'f>(
        &self,
        substitutions: impl IntoIterator<Item = (usize, &'f Function)>,
    ) -> Result<Function, Error> {
        let mut by_level = Map::default();
        for (variable, by) in substitutions {
            let edge = self.manager().own(&by.0)?;
            if by_level.insert(self.manager().level(variable)?, edge).is_some() {
                return Err(Error::RepeatedVariable { variable });
            }
        }
        let end = by_level.keys().max().map_or(0, |&last| last + 1);
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            store.run(&Substitute { by_level: &by_level, end, tag }, [f, Edge::ZERO, tag])
        });
        result.map(Function)
    }

    /// Returns the function with variables substituted for variables simultaneously: each pair is a
    /// variable and its new name. Two variables may get the same new name.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!((x & !y).rename([(0, 3), (1, 0)])?, manager.var(3)? & !manager.var(0)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable is given twice. Otherwise as for every operation of [`Function`].
    #[doc(alias("Cudd_bddPermute", "Cudd_bddSwapVariables", "rename_variables"))]
    pub fn rename(
        &self,
        names: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Function, Error> {
        let names = names
            .into_iter()
            .map(|(old, new)| Ok((old, self.manager().var(new)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        self.substitute(names.iter().map(|(old, new)| (*old, new)))
    }
}
