//! Conversions between managers, between functions and families, and to and from topdd's diagrams.
//!
//! `diagram` converts topdd's diagrams. `hitting` converts a family to the function of its hitting sets, and this
//! function to the family of the minimal ones. This module copies nodes into a store.

mod diagram;
mod hitting;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::family::operations::AtLevel;
use crate::manager::handle::Handle;
use crate::manager::{Kind, Manager};
use crate::snapshot::{Id, Snapshot};
use crate::store::{Edge, Store};
use crate::{Family, Function};
use std::ops::Range;
use topdd::diagram::{AnyValue, ZeroSuppressed};

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

/// A node of a snapshot, whose children are edges of the new store.
struct Rebuilt {
    level: u32,
    lo: Edge,
    hi: Edge,
    /// The levels of the children in the snapshot.
    lo_level: u32,
    hi_level: u32,
}

/// Builds an edge for each node of a snapshot, children before parents, and returns the edge of the
/// first root. All edges are held until the operation ends.
fn rebuild<K: Kind>(
    store: &mut Store<K>,
    snapshot: &Snapshot,
    mut build: impl FnMut(&mut Store<K>, Rebuilt) -> Result<Edge, Error>,
) -> Result<Edge, Error> {
    let base = store.stacks.kept.len();
    store.stacks.kept.extend([Edge::ZERO, Edge::ONE]);
    for node in &snapshot.nodes {
        let built = |id: Id| store.stacks.kept[base + id as usize];
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
    Ok(store.stacks.kept[base + snapshot.roots[0] as usize])
}

/// Does the same as [`rebuild`], with nodes at all levels: `fill` adds nodes at skipped levels above an
/// edge.
fn rebuild_all_levels<K: Kind>(
    store: &mut Store<K>,
    snapshot: &Snapshot,
    fill: impl Fn(&mut Store<K>, Edge, Range<u32>) -> Result<Edge, Error>,
) -> Result<Edge, Error> {
    let root = rebuild(store, snapshot, |store, node| {
        let lo = fill(store, node.lo, node.level + 1..node.lo_level)?;
        store.keep(lo);
        let hi = fill(store, node.hi, node.level + 1..node.hi_level)?;
        store.stacks.kept.pop();
        store.mk(node.level, lo, hi)
    })?;
    fill(store, root, 0..snapshot.level(snapshot.roots[0]))
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
            // For each level, the power set of the levels from there on: the family of the function
            // true, to which most level-skipping edges lead.
            let all = store.stacks.kept.len();
            store.keep(Edge::ONE);
            for level in (0..num_vars as u32).rev() {
                let below = store.stacks.kept[store.stacks.kept.len() - 1];
                let family = store.mk(level, below, below)?;
                store.keep(family);
            }
            rebuild_all_levels(store, &snapshot, |store, edge, levels| {
                if edge == Edge::ONE && levels.end as usize == num_vars {
                    return Ok(store.stacks.kept[all + levels.len()]);
                }
                levels.rev().try_fold(edge, |edge, level| store.mk(level, edge, edge))
            })
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
            rebuild_all_levels(store, &snapshot, |store, edge, levels| {
                if edge == Edge::ZERO {
                    return Ok(edge);
                }
                levels.rev().try_fold(edge, |edge, level| store.mk(level, edge, Edge::ZERO))
            })
        });
        made.map(Function)
    }
}
