//! Conversions between managers, between functions and families, and to and from topdd's diagrams.
//!
//! `diagram` converts topdd's diagrams. `hitting` converts a family to the function of its hitting sets, and this
//! function to the family of the minimal ones. This module copies nodes into a store.
//!
//! Minimal hitting sets, by way of a function.
//!
//! Source: T. Toda, *Hypergraph transversal computation with binary decision diagrams*, SEA 2013.

#[cfg(test)]
mod tests;

use super::error::Error;
use super::family::operations::{AtLevel, MinimalOfAll};
use super::manager::handle::Handle;
use super::manager::{Manager, StoredRule};
use super::snapshot::{Id, ONE, Snapshot, ZERO};
use super::store::{Edge, Store};
use super::{Family, Function, Limits};
use std::ops::Range;
use topdd::diagram::{AnyValue, ZeroSuppressed};
use topdd::{Bdd, Children, DdSpec, Diagram, Evaluator, Step, Zdd};

/// A rule whose store can assemble nodes of another order.
pub(crate) trait Assemble: StoredRule {
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
fn rebuild<K: StoredRule>(
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
fn rebuild_all_levels<K: StoredRule>(
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

/// A snapshot as a spec: a state is a node.
struct ConvertedNodes(Snapshot);

impl ConvertedNodes {
    fn step(&self, id: Id) -> Step<Id> {
        match id {
            ZERO => Step::Zero,
            ONE => Step::One,
            _ => Step::To(self.0.level(id) as usize, id),
        }
    }
}

impl DdSpec for ConvertedNodes {
    type State = Id;

    fn num_vars(&self) -> usize {
        self.0.num_levels as usize
    }

    fn root(&self) -> Step<Id> {
        self.step(self.0.roots[0])
    }

    fn child(&self, &id: &Id, _variable: usize, value: usize) -> Step<Id> {
        let node = self.0.node(id);
        self.step(if value == 1 { node.hi } else { node.lo })
    }
}

/// A pass over a diagram that makes a node of the manager for each of its nodes.
struct Import<'a, K: Assemble> {
    store: &'a mut Store<K>,
    /// The level of each variable of the diagram.
    levels: &'a [u32],
    failed: Option<Error>,
}

impl<K: Assemble> Evaluator for Import<'_, K> {
    type Value = Edge;

    fn zero(&mut self) -> Edge {
        Edge::ZERO
    }

    fn one(&mut self) -> Edge {
        Edge::ONE
    }

    fn node(&mut self, variable: usize, children: Children<'_, Edge>) -> Edge {
        let mut edges = [Edge::ZERO; 2];
        for child in children {
            edges[child.value] = *child.to;
        }
        if self.failed.is_some() {
            return Edge::ZERO;
        }
        let level = self.levels[variable];
        let made = K::assemble(self.store, level, edges[0], edges[1]);
        match made.and_then(|edge| self.store.check_each_round().map(|()| edge)) {
            Ok(edge) => self.store.keep(edge),
            Err(error) => {
                self.failed = Some(error);
                Edge::ZERO
            }
        }
    }
}

impl Manager {
    /// Converts a BDD of topdd to a function. Variables correspond by number.
    ///
    /// Takes linear time if the manager has the variables in ascending order.
    ///
    /// ```
    /// use topdd::{Code, Encoding, constraint};
    /// use topdd_apply::Manager;
    ///
    /// // Two different digits of three values, encoded in two-valued variables.
    /// let different = topdd::bdd(&constraint::all_different([3; 2]))?;
    /// let encoding = Encoding::new(Code::OneHot, &different);
    /// let manager = Manager::new(encoding.num_vars())?;
    /// let f = manager.function_of(&different.encode(&encoding)?)?;
    /// assert_eq!(f.count(), 6u32.into());
    /// assert!(f.eval(&[true, false, false, false, false, true])?); // 0 and 2
    /// assert_eq!(f.to_bdd()?.decode(&encoding)?, different);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - If a variable of the diagram does not have two values: [encode](Diagram::encode) it first.
    /// - If the diagram has more variables than the manager.
    /// - If a limit is reached.
    pub fn function_of(&self, bdd: &Bdd) -> Result<Function, Error> {
        self.import(bdd).map(Function)
    }

    /// Converts a ZDD of topdd to a family. Variables correspond by number; a variable is a member
    /// of a set if its value is 1.
    ///
    /// Takes linear time if the manager has the variables in ascending order.
    ///
    /// # Errors
    ///
    /// - If a variable of the diagram does not have two values: [encode](Diagram::encode) it first.
    /// - If the diagram has more variables than the manager.
    /// - If a limit is reached.
    pub fn family_of(&self, zdd: &Zdd) -> Result<Family, Error> {
        self.import(zdd).map(Family)
    }

    fn import<K: Assemble>(&self, diagram: &Diagram<K>) -> Result<Handle<K>, Error> {
        let refused = |reason: String| Err(Error::Mismatch { reason });
        let (found, num_vars) = (diagram.num_vars(), self.num_vars());
        if found > num_vars {
            return refused(format!("it has {found} variables, the manager {num_vars}"));
        }
        if let Some(variable) = (0..found).find(|&variable| diagram.arity(variable) != 2) {
            return refused(format!(
                "variable {variable} has {} values; encode the diagram first (Diagram::encode)",
                diagram.arity(variable)
            ));
        }
        let order = self.order_copy();
        let levels: Vec<u32> = (0..found).map(|variable| order.level_of(variable)).collect();
        self.import_at(diagram, &levels)
    }

    /// Converts a diagram of two-valued variables, each of which has a level of the manager.
    pub(crate) fn import_at<K: Assemble>(
        &self,
        diagram: &Diagram<K>,
        levels: &[u32],
    ) -> Result<Handle<K>, Error> {
        self.make(|store| {
            let mut import = Import { store, levels, failed: None };
            let root = diagram.evaluate(&mut import);
            import.failed.map_or(Ok(root), Err)
        })
    }

    /// A manager of the same variables in ascending order; `None` if `self` has that order.
    fn ascending(&self) -> Result<Option<Manager>, Error> {
        let identity = self.order_copy().is_identity();
        (!identity).then(|| Manager::new(self.num_vars())).transpose()
    }
}

impl<K: Assemble> Handle<K> {
    /// Converts the handle to a diagram whose variables are the levels, within these limits and the
    /// limits of the manager.
    pub(crate) fn by_level(&self, limits: &Limits) -> Result<Diagram<K>, Error> {
        let watch = &self.manager().inner.watch;
        watch.check()?;
        let built = watch.tighten(limits).build(&ConvertedNodes(self.snapshot()));
        // The limit of the manager is the better error, if it was the reason.
        built.map_err(|error| watch.check().err().unwrap_or_else(|| error.into()))
    }

    /// Converts the handle to a diagram over all variables of the manager, within these limits and the
    /// limits of the manager.
    pub(crate) fn diagram(&self, limits: &Limits) -> Result<Diagram<K>, Error> {
        let Some(ascending) = self.manager().ascending()? else { return self.by_level(limits) };
        let limits = self.manager().inner.watch.tighten(limits);
        ascending.within(&limits, || ascending.copy(self))?.by_level(&limits)
    }
}

impl Function {
    /// Converts the function to a BDD of topdd, over all variables of the manager.
    ///
    /// Takes linear time if the manager has the variables in ascending order. Otherwise the
    /// function is first [copied](Manager::copy_function) to a manager with that order.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.var(0)? | manager.var(2)?;
    /// let bdd = f.to_bdd()?;
    /// assert_eq!(bdd.count(), f.count());
    /// assert_eq!(manager.function_of(&bdd)?, f);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the diagram has more nodes than topdd can number; or if a limit of
    /// [`Manager::within`] is reached.
    pub fn to_bdd(&self) -> Result<Bdd, Error> {
        self.0.diagram(&Limits::new())
    }
}

impl Family {
    /// Converts the family to a ZDD of topdd, over all variables of the manager.
    ///
    /// Takes linear time if the manager has the variables in ascending order. Otherwise the family
    /// is first [copied](Manager::copy_family) to a manager with that order.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![1, 2]])?;
    /// let zdd = f.to_zdd()?;
    /// assert!(zdd.contains(&[0, 1, 1])?);
    /// assert_eq!(manager.family_of(&zdd)?, f);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the diagram has more nodes than topdd can number; or if a limit of
    /// [`Manager::within`] is reached.
    pub fn to_zdd(&self) -> Result<Zdd, Error> {
        self.0.diagram(&Limits::new())
    }
}

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
