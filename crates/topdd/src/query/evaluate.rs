//! Bottom-up passes defined by the user.

use super::pass::Values;
use crate::diagram::store::{Edge, Edges, FIRST_NODE, LevelView, ONE, Store};
use crate::diagram::{Diagram, DiagramRule};
use std::ops::Range;

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
    store: &'a Store,
    edges: Edges<'a>,
    level: LevelView<'a>,
    values: &'a Values<V>,
}

impl<'a, V: 'a> Iterator for Children<'a, V> {
    type Item = Child<'a, V>;

    #[inline]
    fn next(&mut self) -> Option<Child<'a, V>> {
        let Edge { value, target } = self.edges.next()?;
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
