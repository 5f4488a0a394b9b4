//! Members compared by inclusion.

use super::Family;
use super::operations::{Closure, Maximal, Minimal, NonSubsets, NonSupersets};
use crate::error::Error;

impl Family {
    /// Returns the members that are a subset of no member of the other, `f ↘ g = {a ∈ f: for all b,
    /// a ⊄ b and a ≠ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// let g = manager.family([[0, 2]])?;
    /// assert_eq!(f.nonsubsets(&g)?, manager.family([[0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("non_subsets", "non_subgraphs"))]
    pub fn nonsubsets(&self, other: &Family) -> Result<Family, Error> {
        self.pair(NonSubsets, other)
    }

    /// Returns the members that are a superset of no member of the other, `f ↗ g = {a ∈ f: for all
    /// b, a ⊅ b and a ≠ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// let g = manager.family([vec![1], vec![0, 2]])?;
    /// assert_eq!(f.nonsupersets(&g)?, manager.family([[0], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("non_supersets", "excluding"))]
    pub fn nonsupersets(&self, other: &Family) -> Result<Family, Error> {
        self.pair(NonSupersets, other)
    }

    /// Returns the members that are a subset of some member of the other (Minato's *permit*), `{a ∈
    /// f: there is b with a ⊆ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![], vec![0], vec![0, 1], vec![2]])?;
    /// let g = manager.family([[0, 2]])?;
    /// assert_eq!(f.subsets_of(&g)?, manager.family([vec![], vec![0], vec![2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("permit", "subsets", "included"))]
    pub fn subsets_of(&self, other: &Family) -> Result<Family, Error> {
        self.try_difference(&self.nonsubsets(other)?)
    }

    /// Returns the members that are a superset of some member of the other (Minato's *restrict*),
    /// `{a ∈ f: there is b with a ⊇ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1, 2]])?;
    /// let g = manager.family([vec![1], vec![0, 2]])?;
    /// assert_eq!(f.supersets_of(&g)?, manager.family([[0, 1], [1, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("restrict", "supersets", "including"))]
    pub fn supersets_of(&self, other: &Family) -> Result<Family, Error> {
        self.try_difference(&self.nonsupersets(other)?)
    }

    /// Returns the members that are a subset of no other member, `f↑ = {a ∈ f: no b ∈ f with a ⊂
    /// b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// assert_eq!(f.maximal()?, manager.family([vec![0, 1], vec![2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn maximal(&self) -> Result<Family, Error> {
        self.single(Maximal)
    }

    /// Returns the members that are a superset of no other member, `f↓ = {a ∈ f: no b ∈ f with b ⊂
    /// a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// assert_eq!(f.minimal()?, manager.family([[0], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn minimal(&self) -> Result<Family, Error> {
        self.single(Minimal)
    }

    /// Returns all subsets of members, `{c: there is a with c ⊆ a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0, 1]])?;
    /// assert_eq!(f.closure()?, manager.family([vec![], vec![0], vec![1], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn closure(&self) -> Result<Family, Error> {
        self.single(Closure)
    }
}
