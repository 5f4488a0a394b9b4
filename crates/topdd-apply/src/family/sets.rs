//! Families as sets of sets, and by one variable.

use super::Family;
use super::operations::AtLevel;
use crate::error::Error;
use crate::store::{Edge, Store};

impl Family {
    /// Returns the members of either, `f ∪ g = {a: a ∈ f or a ∈ g}`; the operator `|`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_union(&g)?, manager.family([[0], [1], [2]])?);
    /// assert_eq!(f.try_union(&g)?, f | g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias = "Cudd_zddUnion")]
    pub fn try_union(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::union).map(Family)
    }

    /// Returns the members of either; the same as the operator `|`.
    ///
    /// # Panics
    ///
    /// If [`try_union`](Family::try_union) fails, at the line of the caller.
    #[track_caller]
    pub fn union(&self, other: &Family) -> Family {
        self | other
    }

    /// Returns the members of both, `f ∩ g = {a: a ∈ f and a ∈ g}`; the operator `&`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_intersection(&g)?, manager.family([[1]])?);
    /// assert_eq!(f.try_intersection(&g)?, f & g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddIntersect", "intsec"))]
    pub fn try_intersection(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::intersection).map(Family)
    }

    /// Returns the members of both; the same as the operator `&`.
    ///
    /// # Panics
    ///
    /// If [`try_intersection`](Family::try_intersection) fails, at the line of the caller.
    #[track_caller]
    pub fn intersection(&self, other: &Family) -> Family {
        self & other
    }

    /// Returns the members of `self` that are not in `other`, `f \ g = {a ∈ f: a ∉ g}`; the
    /// operator `-`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_difference(&g)?, manager.family([[0]])?);
    /// assert_eq!(f.try_difference(&g)?, f - g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddDiff", "diff"))]
    pub fn try_difference(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::difference).map(Family)
    }

    /// Returns the members of `self` that are not in `other`; the same as the operator `-`.
    ///
    /// # Panics
    ///
    /// If [`try_difference`](Family::try_difference) fails, at the line of the caller.
    #[track_caller]
    pub fn difference(&self, other: &Family) -> Family {
        self - other
    }

    /// Returns the members of exactly one, `f ⊕ g = (f \ g) ∪ (g \ f)`; the operator `^`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_symmetric_difference(&g)?, manager.family([[0], [2]])?);
    /// assert_eq!(f.try_symmetric_difference(&g)?, f ^ g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn try_symmetric_difference(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::symmetric_difference).map(Family)
    }

    /// Returns the members of exactly one; the same as the operator `^`.
    ///
    /// # Panics
    ///
    /// If [`try_symmetric_difference`](Family::try_symmetric_difference) fails, at the line of the caller.
    #[track_caller]
    pub fn symmetric_difference(&self, other: &Family) -> Family {
        self ^ other
    }

    /// Returns the members without the variable (*offset*), `{a ∈ f: v ∉ a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1]])?;
    /// assert_eq!(f.subset0(0)?, manager.family([[1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddSubset0", "offset"))]
    pub fn subset0(&self, variable: usize) -> Result<Family, Error> {
        self.at(variable, &AtLevel::Without)
    }

    /// Returns the members with the variable (*onset*), without the variable itself, `{a \ {v}: v ∈
    /// a ∈ f}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1]])?;
    /// assert_eq!(f.subset1(0)?, manager.family([vec![], vec![1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddSubset1", "onset"))]
    pub fn subset1(&self, variable: usize) -> Result<Family, Error> {
        self.at(variable, &AtLevel::With)
    }

    /// Returns the members with the variable added or removed, `{a ⊕ {v}: a ∈ f}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1]])?;
    /// assert_eq!(f.change(0)?, manager.family([vec![], vec![1], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddChange", "flip"))]
    pub fn change(&self, variable: usize) -> Result<Family, Error> {
        self.at(variable, &AtLevel::Change)
    }

    fn at(&self, variable: usize, operation: &AtLevel) -> Result<Family, Error> {
        let level = self.manager().level(variable)?;
        let result = self.0.unary(|store, f| {
            let singleton = store.mk(level, Edge::ZERO, Edge::ONE)?;
            store.keep(singleton);
            store.run(operation, [f, singleton, operation.tag()])
        });
        result.map(Family)
    }
}
