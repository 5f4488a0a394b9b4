//! Families made of variables.

use super::Family;
use crate::error::Error;
use crate::manager::Manager;
use crate::store::{Edge, Store};

impl Manager {
    /// Returns the empty family, `∅`.
    ///
    /// ```
    /// let manager = topdd_apply::Manager::new(3)?;
    /// assert!(manager.empty().is_empty());
    /// assert_eq!(manager.base(), manager.set([])?);
    /// let pair = manager.set([0, 2])?;
    /// assert_eq!(pair.join(&manager.base())?, pair);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "Cudd_ReadZero")]
    pub fn empty(&self) -> Family {
        Family(self.handle(Edge::ZERO))
    }

    /// Returns the family of the empty set only, `{∅}`: the unit of [`Family::join`].
    pub fn base(&self) -> Family {
        Family(self.handle(Edge::ONE))
    }

    /// Returns the family whose only member is the set of this variable only, `{{v}}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.singleton(1)?;
    /// assert_eq!(f.iter().collect::<Vec<_>>(), [[1]]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn singleton(&self, variable: usize) -> Result<Family, Error> {
        let level = self.level(variable)?;
        self.make(|store| store.mk(level, Edge::ZERO, Edge::ONE)).map(Family)
    }

    /// Returns the singletons of the variables, `{{v}: v ∈ vars}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.singletons(0..3)?, manager.family([[0], [1], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn singletons(&self, variables: impl IntoIterator<Item = usize>) -> Result<Family, Error> {
        self.combinations(variables, 1)
    }

    /// Returns the family of one set of variables, `{a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.set([0, 2])?.iter().collect::<Vec<_>>(), [[0, 2]]);
    /// assert_eq!(manager.set([])?, manager.base());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn set(&self, members: impl IntoIterator<Item = usize>) -> Result<Family, Error> {
        let levels = self.levels(members)?;
        self.make(|store| store.set(&levels)).map(Family)
    }

    /// Returns the family of the sets. A set that is given twice counts once, and so does a variable
    /// given twice in a set.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let family = manager.family([vec![2, 0], vec![], vec![0, 2]])?;
    /// assert_eq!(family.iter().collect::<Vec<_>>(), [vec![], vec![0, 2]]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn family<S: IntoIterator<Item = usize>>(
        &self,
        sets: impl IntoIterator<Item = S>,
    ) -> Result<Family, Error> {
        let mut sets =
            sets.into_iter().map(|set| self.levels(set)).collect::<Result<Vec<_>, _>>()?;
        sets.sort_unstable();
        sets.dedup();
        self.make(|store| store.balanced(sets, |store, set| store.set(&set), Store::union))
            .map(Family)
    }

    /// Returns all sets of the variables, `{a: a ⊆ vars}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(100)?;
    /// assert_eq!(manager.power_set(0..100)?.count(), topdd_apply::BigUint::from(1u8) << 100);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    #[doc(alias = "Cudd_ReadZddOne")]
    pub fn power_set(&self, variables: impl IntoIterator<Item = usize>) -> Result<Family, Error> {
        let levels = self.levels(variables)?;
        self.make(|store| store.power_set(&levels)).map(Family)
    }

    /// Returns all sets of `k` variables, `{a ⊆ vars: |a| = k}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(5)?;
    /// assert_eq!(manager.combinations(0..5, 2)?.count(), 10u32.into());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn combinations(
        &self,
        variables: impl IntoIterator<Item = usize>,
        k: usize,
    ) -> Result<Family, Error> {
        let levels = self.levels(variables)?;
        self.make(|store| store.combinations(&levels, k)).map(Family)
    }

    /// Returns all sets of variables of the manager that agree with these literals: a variable
    /// given as true is a member, one given as false is not, any other may be.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family_cube([(0, true), (1, false)])?;
    /// assert_eq!(f, manager.family([vec![0], vec![0, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable does not exist or is given twice, or if a limit is reached.
    pub fn family_cube(
        &self,
        literals: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Family, Error> {
        let mut literals = self.literals(literals)?;
        let num_vars = self.num_vars() as u32;
        let made = self.make(|store| {
            let mut family = Edge::ONE;
            for level in (0..num_vars).rev() {
                let literal = literals.last().copied().filter(|last| last.0 == level);
                literals.truncate(literals.len() - usize::from(literal.is_some()));
                family = match literal {
                    None => store.mk(level, family, family)?,
                    Some((_, true)) => store.mk(level, Edge::ZERO, family)?,
                    Some((_, false)) => family,
                };
            }
            Ok(family)
        });
        made.map(Family)
    }

    /// Returns the members of `without`, and the members of `with` with `variable` added. Makes one
    /// node, for diagrams built by hand from the bottom up.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.family_node(0, &manager.base(), &manager.singleton(1)?)?;
    /// assert_eq!(f, manager.family([vec![], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a child has variables that are not below this one in the order; and as for
    /// every operation.
    #[doc(alias("cuddZddGetNode", "make_node"))]
    pub fn family_node(
        &self,
        variable: usize,
        without: &Family,
        with: &Family,
    ) -> Result<Family, Error> {
        let level = self.level(variable)?;
        let (lo, hi) = (self.own(&without.0)?, self.own(&with.0)?);
        let made = self.make(|store| {
            if store.level(lo) <= level || store.level(hi) <= level {
                return Err(Error::NotBelow { variable });
            }
            store.mk(level, lo, hi)
        });
        made.map(Family)
    }
}
