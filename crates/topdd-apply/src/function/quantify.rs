//! Quantification.

use super::Function;
use super::operations::{AndExists, Exists, LevelSet, Unique};
use crate::error::Error;
use crate::store::Edge;

impl Function {
    /// Returns whether the given variables have values for which the function is true: the disjunction
    /// of the cofactors by all their values.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!((&x & &y | &z).exists([0])?, &y | &z);
    /// assert!((&x & &y | &z).exists([0, 1])?.is_true());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddExistAbstract", "var_exists", "project"))]
    pub fn exists(&self, variables: impl IntoIterator<Item = usize>) -> Result<Function, Error> {
        self.exists_flagged(variables, 0)
    }

    /// Returns whether the function is true for all values of the given variables: the conjunction of
    /// the cofactors by all their values.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!((&x & &y | &z).forall([0])?, z);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddUnivAbstract", "for_all", "var_for_all"))]
    pub fn forall(&self, variables: impl IntoIterator<Item = usize>) -> Result<Function, Error> {
        // Universal quantification is the negation of existential quantification of the negation.
        self.exists_flagged(variables, 1)
    }

    fn exists_flagged(
        &self,
        variables: impl IntoIterator<Item = usize>,
        flag: u32,
    ) -> Result<Function, Error> {
        let levels = LevelSet::new(&self.manager().levels(variables)?);
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            let result = store.run(&Exists { levels: &levels, tag }, [f ^ flag, Edge::ZERO, tag]);
            Ok(result? ^ flag)
        });
        result.map(Function)
    }

    /// Returns the exclusive or of the cofactors by all values of the given variables; for one variable,
    /// whether it has exactly one value for which the function is true. False if the function does not
    /// depend on some given variable.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!((&x | &y).unique([0])?, !&y);
    /// assert!((&x | &y).unique([2])?.is_false());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "Cudd_bddBooleanDiff")]
    pub fn unique(&self, variables: impl IntoIterator<Item = usize>) -> Result<Function, Error> {
        let levels = LevelSet::new(&self.manager().levels(variables)?);
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            let unique = Unique { levels: &levels, tag };
            let f = unique.below(store, f, 0);
            store.run(&unique, [f, Edge::ZERO, tag])
        });
        result.map(Function)
    }

    /// Returns the relational product: [`exists`](Function::exists) of the conjunction, without
    /// building the conjunction.
    ///
    /// One step of a relation, from old variables to new ones:
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// // Old bits 0 and 2, new bits 1 and 3; the step swaps the two bits.
    /// let v = |i| manager.var(i);
    /// let step = v(1)?.iff(&v(2)?)? & v(3)?.iff(&v(0)?)?;
    /// let here = v(0)? & !v(2)?;
    /// assert_eq!(here.and_exists(&step, [0, 2])?, !v(1)? & v(3)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias(
        "Cudd_bddAndAbstract",
        "apply_exists",
        "binary_op_with_exists",
        "relational_product"
    ))]
    pub fn and_exists(
        &self,
        other: &Function,
        variables: impl IntoIterator<Item = usize>,
    ) -> Result<Function, Error> {
        let variables: Vec<usize> = variables.into_iter().collect();
        let result = self.0.binary(&other.0, |store, f, g| {
            let levels = LevelSet::new(&self.manager().levels(variables.iter().copied())?);
            let exists = Exists { levels: &levels, tag: store.cache.fresh_tag() };
            let tag = store.cache.fresh_tag();
            store.run(&AndExists { exists, tag }, [f, g, tag])
        });
        result.map(Function)
    }
}
