//! Conversions between managers, between functions and families, and to and from topdd's diagrams.
//!
//! `diagram` converts topdd's diagrams. This module copies nodes into a store.

pub(crate) mod diagram;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::family::operations::AtLevel;
use crate::manager::handle::Handle;
use crate::manager::{Kind, Manager};
use crate::snapshot::{FIRST, Id, ONE, Snapshot};
use crate::store::{AnyValue, Edge, Store, ZeroSuppressed};
use crate::{Family, Function};

/// A rule whose store can assemble nodes of another order.
pub(crate) trait Assemble: Kind {
    /// The function or family that is `lo` if the level is 0 and `hi` if it is 1. The children may
    /// be on any levels, and must be held.
    fn assemble(store: &mut Store<Self>, level: u32, lo: Edge, hi: Edge) -> Result<Edge, Error>;
}

impl Assemble for AnyValue {
    fn assemble(store: &mut Store<Self>, level: u32, lo: Edge, hi: Edge) -> Result<Edge, Error> {
        if level < store.level(lo).min(store.level(hi)) {
            return store.mk(level, lo, hi);
        }
        let condition = store.mk(level, Edge::ZERO, Edge::ONE)?;
        store.ite(condition, hi, lo)
    }
}

impl Assemble for ZeroSuppressed {
    fn assemble(store: &mut Store<Self>, level: u32, lo: Edge, hi: Edge) -> Result<Edge, Error> {
        if level < store.level(lo).min(store.level(hi)) {
            return store.mk(level, lo, hi);
        }
        let singleton = store.mk(level, Edge::ZERO, Edge::ONE)?;
        let put_in = store.run(&AtLevel::Change, [hi, singleton, AtLevel::Change.tag()])?;
        store.union(lo, put_in)
    }
}

/// A node of a snapshot, with its children replaced by their edges in the new store.
struct Rebuilt {
    level: u32,
    lo: Edge,
    hi: Edge,
    /// The levels of the children in the snapshot.
    lo_level: u32,
    hi_level: u32,
}

/// Builds an edge for each node of a snapshot, children before parents, and returns that of the
/// first root. All edges are held until the operation ends.
fn rebuild<K: Kind>(
    store: &mut Store<K>,
    snapshot: &Snapshot,
    mut build: impl FnMut(&mut Store<K>, Rebuilt) -> Result<Edge, Error>,
) -> Result<Edge, Error> {
    let base = store.kept.len();
    store.kept.extend([Edge::ZERO, Edge::ONE]);
    for node in &snapshot.nodes {
        let built = |id: Id| store.kept[base + id as usize];
        let node = Rebuilt {
            level: node.level,
            lo: built(node.lo),
            hi: built(node.hi),
            lo_level: snapshot.level(node.lo),
            hi_level: snapshot.level(node.hi),
        };
        let edge = build(store, node)?;
        store.keep(edge);
        store.check_each_round()?;
    }
    Ok(store.kept[base + snapshot.roots[0] as usize])
}

impl Manager {
    /// Copies a function of another manager, variable by variable.
    ///
    /// Takes linear time if both managers have the variables in the same order. Otherwise the
    /// result may be larger or smaller, up to exponentially.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let (one, other) = (Manager::new(2)?, Manager::builder(2).order([1, 0]).build()?);
    /// let f = one.var(0)? & !one.var(1)?;
    /// assert_eq!(other.copy_function(&f)?, other.var(0)? & !other.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the function depends on a variable that this manager does not have, or a limit
    /// is reached.
    #[doc(alias = "Cudd_bddTransfer")]
    pub fn copy_function(&self, function: &Function) -> Result<Function, Error> {
        self.copy(&function.0).map(Function)
    }

    /// Copies a family of another manager, variable by variable; see
    /// [`copy_function`](Manager::copy_function).
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let (one, other) = (Manager::new(3)?, Manager::builder(3).order([2, 1, 0]).build()?);
    /// let family = one.family([vec![0, 2], vec![1]])?;
    /// assert_eq!(other.copy_family(&family)?, other.family([vec![0, 2], vec![1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a member has a variable that this manager does not have, or if a limit is reached.
    pub fn copy_family(&self, family: &Family) -> Result<Family, Error> {
        self.copy(&family.0).map(Family)
    }

    fn copy<K: Assemble>(&self, handle: &Handle<K>) -> Result<Handle<K>, Error> {
        if let Some(&last) = handle.support().last() {
            self.level(last)?;
        }
        let snapshot = handle.snapshot();
        let (from, to) = (handle.manager().order_copy(), self.order_copy());
        self.make(|store| {
            rebuild(store, &snapshot, |store, node| {
                let level = to.level_of(from.variable_at(node.level));
                K::assemble(store, level, node.lo, node.hi)
            })
        })
    }
}

impl Function {
    /// Converts the function to a family: the set of true variables of each satisfying assignment
    /// to all variables of the manager.
    ///
    /// The ZDD is larger than the BDD by at most a factor of the number of variables.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.var(0)? ^ manager.var(1)?;
    /// assert_eq!(f.to_family()?, manager.family([[0], [1]])?);
    /// assert_eq!(f.to_family()?.to_function()?, f);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    #[doc(alias = "Cudd_zddPortFromBdd")]
    pub fn to_family(&self) -> Result<Family, Error> {
        let manager = self.manager();
        let num_vars = manager.num_vars();
        let snapshot = self.0.snapshot();
        let made = manager.make(|store: &mut Store<ZeroSuppressed>| {
            // The power sets of the levels from each on: the families of the constant true
            // function, to which most level-skipping edges lead.
            let all = store.kept.len();
            store.keep(Edge::ONE);
            for level in (0..num_vars as u32).rev() {
                let below = store.kept[store.kept.len() - 1];
                let family = store.mk(level, below, below)?;
                store.keep(family);
            }
            let free = |store: &mut Store<ZeroSuppressed>, edge: Edge, from: u32, to: u32| {
                if edge == Edge::ONE && to as usize == num_vars {
                    return Ok(store.kept[all + (to - from) as usize]);
                }
                (from..to).rev().try_fold(edge, |edge, level| store.mk(level, edge, edge))
            };
            let root = rebuild(store, &snapshot, |store, node| {
                let lo = free(store, node.lo, node.level + 1, node.lo_level)?;
                store.keep(lo);
                let hi = free(store, node.hi, node.level + 1, node.hi_level)?;
                store.kept.pop();
                store.mk(node.level, lo, hi)
            })?;
            free(store, root, 0, snapshot.level(snapshot.roots[0]))
        });
        made.map(Family)
    }
}

impl Family {
    /// Converts the family to a function: true if the set of true variables is a member.
    ///
    /// The BDD is larger than the ZDD by at most a factor of the number of variables.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.family([[0]])?;
    /// assert_eq!(f.to_function()?, manager.var(0)? & !manager.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a limit is reached.
    #[doc(alias = "Cudd_zddPortToBdd")]
    pub fn to_function(&self) -> Result<Function, Error> {
        let manager = self.manager();
        let snapshot = self.0.snapshot();
        let made = manager.make(|store: &mut Store<AnyValue>| {
            let absent = |store: &mut Store<AnyValue>, edge: Edge, from: u32, to: u32| {
                if edge == Edge::ZERO {
                    return Ok(edge);
                }
                (from..to).rev().try_fold(edge, |edge, level| store.mk(level, edge, Edge::ZERO))
            };
            let root = rebuild(store, &snapshot, |store, node| {
                let lo = absent(store, node.lo, node.level + 1, node.lo_level)?;
                store.keep(lo);
                let hi = absent(store, node.hi, node.level + 1, node.hi_level)?;
                store.kept.pop();
                store.mk(node.level, lo, hi)
            })?;
            let root_id = snapshot.roots[0];
            debug_assert!(root_id >= FIRST || root.is_terminal() && root_id <= ONE);
            absent(store, root, 0, snapshot.level(root_id))
        });
        made.map(Function)
    }
}
