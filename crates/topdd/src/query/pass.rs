//! Passes over a diagram from the bottom up that compute a value for every node, also defined by the user.
//!
//! [`Targets`] finds the level of a node that an edge leads to; [`up`] is the pass for values that
//! are not numbers of a bounded width (those are for `count`).

use crate::diagram::store::{FIRST_NODE, LevelView, NodeEdges, NodeId, NodeStore, ONE, ValueEdge};
use crate::diagram::{Diagram, DiagramRule};
use crate::frontier::Workers;
use rayon::prelude::*;
use std::ops::Range;

/// An item for each level, and for the terminals, that edges of one level lead to.
pub(super) struct Targets<T> {
    adjacent: PassTarget<T>,
    /// The items of the other levels and of the terminals, by descending node ids.
    long: Vec<PassTarget<T>>,
}

struct PassTarget<T> {
    first: NodeId,
    of: T,
}

impl<T> Targets<T> {
    /// Calls `make` once for each level that `level` leads to, and for the terminals (`None`).
    pub(super) fn new(
        store: &NodeStore,
        level: &LevelView<'_>,
        mut make: impl FnMut(Option<usize>) -> T,
    ) -> Self {
        let reach = store.reach(level.index).iter().rev().map(|&index| Some(index as usize));
        let mut long: Vec<_> = reach
            .chain([None])
            .map(|index| {
                let first = index.map_or(0, |index| store.level(index).first);
                PassTarget { first, of: make(index) }
            })
            .collect();
        Targets { adjacent: long.remove(0), long }
    }

    /// Returns the item of the level of a node, and the index of the node in the level; for a
    /// terminal, the item of the terminals, and the id.
    #[inline]
    pub(super) fn get(&self, id: NodeId) -> (&T, usize) {
        let target = &self.adjacent;
        if id >= target.first {
            return (&target.of, (id - target.first) as usize);
        }
        let target = if self.long.len() <= 4 {
            self.long.iter().find(|target| id >= target.first).expect("there is 0")
        } else {
            &self.long[self.long.partition_point(|target| id < target.first)]
        };
        (&target.of, (id - target.first) as usize)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::once(&self.adjacent).chain(&self.long).map(|target| &target.of)
    }
}

/// The number of nodes of a wide level that one thread processes at a time.
pub(super) const PART: usize = 1 << 12;

/// The definition of a pass: the value of each node, from the values of its children.
pub(super) trait Bottom: Sync {
    /// The value of a node.
    type Value: Send + Sync;
    /// The factor of a run of skipped variables.
    type Skip: Send + Sync;
    /// Whether to look for an edge that skips a run of variables before computing the factor of the
    /// run.
    const COSTLY_SKIPS: bool = false;

    /// The value of the 1-terminal.
    fn one(&self) -> Self::Value;

    /// The factor of an edge that skips a range of variables, which may be empty.
    fn skip(&self, skipped: Range<usize>) -> Self::Skip;

    /// The value of a node at `variable`, from its edges other than to the 0-terminal: the value of
    /// the variable, the factor of the skipped variables, and the value of the child.
    fn node<'a>(
        &self,
        variable: usize,
        edges: impl Iterator<Item = (usize, &'a Self::Skip, &'a Self::Value)>,
    ) -> Self::Value
    where
        Self: 'a;
}

/// The values of the nodes, by level, of the levels whose values are kept.
#[derive(Clone, Debug)]
pub(super) struct Values<V> {
    one: V,
    pub(super) levels: Vec<Vec<V>>,
}

impl<V> Values<V> {
    pub(super) fn new(one: V, store: &NodeStore) -> Self {
        Values { one, levels: Vec::with_capacity(store.level_count()) }
    }

    /// The value of a node that is not the 0-terminal.
    #[inline]
    pub(super) fn get(&self, store: &NodeStore, id: NodeId) -> &V {
        self.find(store, id, store.level_count()).1
    }

    /// Returns the level and the value of a node below level `below`, or of the 1-terminal, which has
    /// no level.
    #[inline]
    pub(super) fn find(&self, store: &NodeStore, id: NodeId, below: usize) -> (Option<usize>, &V) {
        if id < FIRST_NODE {
            return (None, &self.one);
        }
        let level = store.level_of(id, below);
        (Some(level), &self.levels[level][(id - store.level(level).first) as usize])
    }

    /// The value of the root, which must not be the 0-terminal.
    pub(super) fn into_root(mut self) -> V {
        self.levels.pop().and_then(|mut top| top.pop()).unwrap_or(self.one)
    }
}

/// Runs a pass. Keeps the values of all nodes if `keep` is set; otherwise drops the values of
/// a level when no higher level refers to it. Wide levels are shared by the threads.
pub(super) fn up<B: Bottom>(store: &NodeStore, bottom: &B, keep: bool) -> Values<B::Value> {
    let workers = Workers::new(None).expect("the caller's threads are not too many");
    let last_uses = if keep { Vec::new() } else { store.last_uses() };
    let mut values = Values::new(bottom.one(), store);
    let mut passing = store.passing();
    for level in store.levels() {
        let computed = {
            let targets = Targets::new(store, &level, |target| {
                let values = target.map_or(&[][..], |index| &values.levels[index][..]);
                // The levels have an incoming edge; the 1-terminal may have none.
                let is_used = target.is_some() || !B::COSTLY_SKIPS || level.leads_to(ONE);
                let skipped = if is_used { store.skipped(level.variable, target) } else { 0..0 };
                (bottom.skip(skipped), values)
            });
            let node = |index| {
                passing.stop_if_cancelled();
                let edges = level.edges(index).map(|edge| {
                    let ((skip, values_there), position) = targets.get(edge.target);
                    let value =
                        if edge.target == ONE { &values.one } else { &values_there[position] };
                    (edge.value as usize, skip, value)
                });
                bottom.node(level.variable, edges)
            };
            if workers.shares(level.len()) {
                (0..level.len()).into_par_iter().with_min_len(PART).map(node).collect()
            } else {
                (0..level.len()).map(node).collect()
            }
        };
        values.levels.push(computed);
        for &done in last_uses.get(level.index).into_iter().flatten() {
            values.levels[done as usize] = Vec::new();
        }
        passing.level_done(&level);
    }
    values
}

/// A bottom-up pass: computes a value for each node from the values of its children.
///
/// [`Diagram::evaluate`] returns the value of the root. For each edge, [`Child::skipped`] are the
/// variables that it skips, so that the evaluator can read them by the rule of the diagram. The
/// arguments of [`root`](Evaluator::root) contain the variables above the root.
///
/// # Example
///
/// The number of solutions by the number of variables that are not 0:
///
/// ```
/// use topdd::{Children, Evaluator, Zdd};
///
/// struct BySize;
///
/// impl Evaluator for BySize {
///     type Value = Vec<u64>; // solutions by size
///     fn zero(&mut self) -> Vec<u64> { vec![] }
///     fn one(&mut self) -> Vec<u64> { vec![1] }
///     fn node(&mut self, _variable: usize, children: Children<'_, Vec<u64>>) -> Vec<u64> {
///         let mut sizes = vec![];
///         for child in children {
///             // In a ZDD the skipped variables are 0 and add nothing to the size.
///             let added = usize::from(child.value != 0);
///             for (size, count) in child.to.iter().enumerate() {
///                 sizes.resize(sizes.len().max(size + added + 1), 0);
///                 sizes[size + added] += count;
///             }
///         }
///         sizes
///     }
/// }
///
/// let subsets_of_four = Zdd::full([2; 4])?;
/// assert_eq!(subsets_of_four.evaluate(&mut BySize), [1, 4, 6, 4, 1]);
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub trait Evaluator {
    /// The value of a node.
    type Value;

    /// Returns the value of the 0-terminal. Called only if the diagram is empty: edges to the 0-terminal
    /// are not visited.
    fn zero(&mut self) -> Self::Value;

    /// Returns the value of the 1-terminal.
    fn one(&mut self) -> Self::Value;

    /// Returns the value of a node at `variable`, from the values of its children other than the
    /// 0-terminal, in ascending order of the value of the variable. There is at least one child.
    fn node(&mut self, variable: usize, children: Children<'_, Self::Value>) -> Self::Value;

    /// Returns the result of the pass, from the value of the root and the variables skipped above
    /// it: all variables, if the root is a terminal.
    ///
    /// The default is the value of the root.
    fn root(&mut self, skipped: Range<usize>, value: Self::Value) -> Self::Value {
        let _ = skipped;
        value
    }
}

/// An edge of a node, with the value of its child; an item of [`Children`].
#[derive(Clone, Debug)]
pub struct Child<'a, V> {
    /// The value of the variable on this edge.
    pub value: usize,
    /// The variables between the node's own and the child's; all variables below the node if the
    /// child is the 1-terminal.
    pub skipped: Range<usize>,
    /// The value of the child.
    pub to: &'a V,
}

/// The edges of a node, without edges to the 0-terminal: an iterator of [`Child`] in ascending order of
/// the value of the variable; an argument of [`Evaluator::node`].
pub struct Children<'a, V> {
    store: &'a NodeStore,
    edges: NodeEdges<'a>,
    level: LevelView<'a>,
    values: &'a Values<V>,
}

impl<'a, V: 'a> Iterator for Children<'a, V> {
    type Item = Child<'a, V>;

    #[inline]
    fn next(&mut self) -> Option<Child<'a, V>> {
        let ValueEdge { value, target } = self.edges.next()?;
        let (level, to) = self.values.find(self.store, target, self.level.index);
        let skipped = self.store.skipped(self.level.variable, level);
        Some(Child { value: value as usize, skipped, to })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.edges.size_hint()
    }
}

impl<V> std::fmt::Debug for Children<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Children").field("variable", &self.level.variable).finish_non_exhaustive()
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Runs an evaluator over the diagram, each node once, children before parents, and returns the
    /// value of the root.
    ///
    /// Cost: one linear pass over the edges, on one thread. A value is stored for each node of the
    /// levels in use: the values of a level are dropped when no higher level refers to them.
    pub fn evaluate<E: Evaluator>(&self, evaluator: &mut E) -> E::Value {
        let store = &*self.store;
        if store.root < FIRST_NODE {
            let value = if store.root == ONE { evaluator.one() } else { evaluator.zero() };
            return evaluator.root(0..self.num_vars(), value);
        }
        let last_uses = store.last_uses();
        let mut values = Values::new(evaluator.one(), store);
        let mut passing = store.passing();
        for level in store.levels() {
            let computed = (0..level.len())
                .map(|index| {
                    let edges = level.edges(index);
                    evaluator
                        .node(level.variable, Children { store, edges, level, values: &values })
                })
                .collect();
            values.levels.push(computed);
            for &done in &last_uses[level.index] {
                values.levels[done as usize] = Vec::new();
            }
            passing.level_done(&level);
        }
        let top = store.level(store.level_count() - 1);
        evaluator.root(0..top.variable, values.into_root())
    }
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{once, palindromes};
    use crate::{BigUint, Decision, Goal, Weights, Zdd};

    /// Returns the results of all kinds of pass over a diagram.
    fn ask(zdd: &Zdd) -> impl PartialEq + std::fmt::Debug + Send + use<> {
        let weights =
            Weights::from_fn(zdd, |variable, value| [0, 2, 1, 4, 3][variable * value % 5]);
        let mut configurator = zdd.configure().unwrap();
        configurator.decide(Decision::is(1, 1)).unwrap();
        configurator.decide(Decision::is_not(16, 0)).unwrap();
        let domains: Vec<_> = (0..zdd.num_vars()).map(|v| configurator.domain(v)).collect();
        let odds = Weights::from_fn(zdd, |v, value| [0.25, 0.75][(v + value) % 2]);
        (
            (zdd.maximum(&weights).unwrap(), zdd.count_best(&weights, Goal::Maximum).unwrap()),
            zdd.probability(&odds).unwrap().to_bits(),
            (domains, zdd.domains(), configurator.solutions_left().clone()),
            (zdd.value_counts(), zdd.nth(&BigUint::from(1000u32)).unwrap()),
        )
    }

    #[test]
    fn results_are_the_same_for_any_number_of_threads() {
        let zdd = crate::zdd(&palindromes(14)).unwrap();
        assert!(zdd.widths().into_iter().max() >= Some(1 << 13));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| ask(&zdd))
        };
        assert_eq!(with(1), with(4));
    }

    /// With long skips and a level per variable, nothing recurses and nothing is quadratic.
    #[test]
    fn passes_over_deep_diagrams_end() {
        let num_vars = 10_000;
        let zdd = crate::zdd(&once(num_vars)).unwrap();
        let mut last = vec![0; num_vars];
        last[0] = 1;
        let index = zdd.index();
        assert_eq!(index.nth(&BigUint::from(num_vars - 1)).unwrap(), last);
        let counts = zdd.value_counts();
        assert_eq!(counts[num_vars / 2], [num_vars - 1, 1].map(BigUint::from));
        let weights =
            Weights::of_ones((0..num_vars).rev().map(|weight| weight.try_into().unwrap()));
        assert_eq!(zdd.maximum(&weights).unwrap().solution, last);
        assert_eq!(zdd.support().len(), num_vars);
        let mut configurator = zdd.configure().unwrap();
        configurator.forbid(0, 1).unwrap();
        configurator.choose(num_vars - 1, 1).unwrap();
        assert_eq!(configurator.forced().len(), num_vars - 1);
        let conflict = configurator.why_not(7, 1).unwrap().unwrap();
        assert_eq!(conflict.because, [Decision::is(num_vars - 1, 1)]);
        assert_eq!(configurator.rest().unwrap().count(), 1u32.into());
    }
}
