//! Minimal hitting sets, by way of a function.
//!
//! Source: T. Toda, *Hypergraph transversal computation with binary decision diagrams*, SEA 2013.

use super::rebuild;
use crate::error::Error;
use crate::family::operations::MinimalOfAll;
use crate::store::Store;
use crate::{Family, Function};
use topdd::diagram::AnyValue;

impl Family {
    /// Returns the minimal sets that have something in common with every member (Knuth's *cross
    /// elements*), `f♯ = {c: for all a, c ∩ a ≠ ∅}↓`.
    ///
    /// Takes one operation of functions for each node, which gives the function of all hitting sets, and
    /// one difference for each node of their family. That function depends on the order of the
    /// variables, and may be exponentially large.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0, 1], [1, 2]])?;
    /// assert_eq!(f.minimal_hitting_sets()?, manager.family([vec![1], vec![0, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("blocking", "hitting", "cross_elements"))]
    pub fn minimal_hitting_sets(&self) -> Result<Family, Error> {
        let manager = self.manager();
        let members = self.0.snapshot();
        // The function of the sets that miss a member: nothing misses a member of the empty family, and
        // all sets miss the empty set. With `v`, a set can miss only members without it.
        let missing = manager.make(|store: &mut Store<AnyValue>| {
            rebuild(store, &members, |store, node| {
                let without = store.or(node.lo, node.hi)?;
                store.mk(node.level, without, node.lo)
            })
        })?;
        let hitting = (!Function(missing)).to_family()?;
        hitting.single(MinimalOfAll)
    }
}
