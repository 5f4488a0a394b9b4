//! Operations on the members of families.

use super::Family;
use super::operations::{Delta, DisjointJoin, Join, Meet, Quotient};
use crate::error::Error;

impl Family {
    /// Returns the unions of members, `f ⊔ g = {a ∪ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.join(&g)?, manager.family([vec![0, 1], vec![0, 2], vec![1], vec![1, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddUnateProduct", "product"))]
    pub fn join(&self, other: &Family) -> Result<Family, Error> {
        self.pair(Join, other)
    }

    /// Returns the unions of members that have nothing in common, `{a ∪ b: a ∩ b = ∅}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.disjoint_join(&g)?, manager.family([[0, 1], [0, 2], [1, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn disjoint_join(&self, other: &Family) -> Result<Family, Error> {
        self.pair(DisjointJoin, other)
    }

    /// Returns the intersections of members, `f ⊓ g = {a ∩ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0, 1]])?;
    /// let g = manager.family([[1, 2], [0, 1]])?;
    /// assert_eq!(f.meet(&g)?, manager.family([vec![1], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn meet(&self, other: &Family) -> Result<Family, Error> {
        self.pair(Meet, other)
    }

    /// Returns the symmetric differences of members, `f ⊞ g = {a ⊕ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0, 1]])?;
    /// let g = manager.family([[1, 2], [0, 1]])?;
    /// assert_eq!(f.delta(&g)?, manager.family([vec![0, 2], vec![]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn delta(&self, other: &Family) -> Result<Family, Error> {
        self.pair(Delta, other)
    }

    /// Returns the sets whose disjoint union with every divisor is a member, `f / g = {c: for all
    /// b, b ∪ c ∈ f and b ∩ c = ∅}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// let f = manager.family([vec![0, 1, 2], vec![0, 1], vec![3, 2], vec![3]])?;
    /// let g = manager.family([vec![0, 1], vec![3]])?;
    /// assert_eq!(f.quotient(&g)?, manager.family([vec![2], vec![]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the divisor is the empty family. Otherwise as for every operation of [`Family`].
    #[doc(alias("Cudd_zddDivide", "divide"))]
    pub fn quotient(&self, divisor: &Family) -> Result<Family, Error> {
        self.manager().own(&divisor.0)?;
        if divisor.is_empty() {
            return Err(Error::EmptyDivisor);
        }
        self.pair(Quotient, divisor)
    }

    /// Returns the members that are not a union of a divisor and a member of the quotient, `f mod g
    /// = f \ (g ⊔ (f / g))`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// let f = manager.family([[0, 1], [1, 2], [2, 3]])?;
    /// let g = manager.family([[0], [2]])?;
    /// assert_eq!(f.remainder(&g)?, manager.family([[2, 3]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the divisor is the empty family. Otherwise as for every operation of [`Family`].
    pub fn remainder(&self, divisor: &Family) -> Result<Family, Error> {
        self.try_difference(&divisor.join(&self.quotient(divisor)?)?)
    }
}
