//! The reduced diagram: one immutable type under two rules.
//!
//! `store` is how it lies in memory; `reduce` makes it from what the engine leaves;
//! `build` is where a spec becomes a diagram, `as_spec` where a diagram becomes a spec
//! again; `assemble` takes nodes from files, `encode` makes two values
//! of many and back. What can be asked of a diagram is in `query`.

mod as_spec;
pub(crate) mod assemble;
mod build;
mod encode;
pub(crate) mod reduce;
mod rule;
pub(crate) mod store;

pub use as_spec::DiagramState;
pub use build::{bdd, zdd};
pub use encode::{Code, Encoding, Meaning};
pub use rule::{AnyValue, DiagramRule, ZeroSuppressed};

use crate::spec::Rule;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;
use store::{Store, ZERO};

/// A reduced, immutable decision diagram over multi-valued variables, read by the rule `R`.
///
/// [`Zdd`] and [`Bdd`] are its two kinds. A clone shares the nodes. Two diagrams under
/// the same rule are equal (`==`) if and only if they have the same variables, with the
/// same arities, and the same solutions; the comparison is one of arrays.
///
/// A diagram is also a [`DdSpec`](crate::DdSpec), so it can be subset by a spec:
///
/// ```
/// # use topdd::{DdSpec, SpecExt, Step};
/// # struct AtMost { n: usize, k: usize }
/// # impl DdSpec for AtMost {
/// #     type State = usize;
/// #     fn num_vars(&self) -> usize { self.n }
/// #     fn root(&self) -> Step<usize> { Step::To(0, 0) }
/// #     fn child(&self, members: &usize, v: usize, value: usize) -> Step<usize> {
/// #         let members = members + value;
/// #         if members > self.k { Step::Zero }
/// #         else if v + 1 == self.n { Step::One }
/// #         else { Step::To(v + 1, members) }
/// #     }
/// # }
/// let at_most_5 = topdd::zdd(&AtMost { n: 10, k: 5 })?;
/// assert_eq!(at_most_5.count(), 638u32.into());
/// assert_eq!(at_most_5.node_count(), 30);
/// assert!(at_most_5.contains(&[1, 0, 1, 0, 1, 0, 1, 0, 1, 0])?);
/// # Ok::<(), topdd::Error>(())
/// ```
pub struct Diagram<R> {
    pub(crate) store: Arc<Store>,
    rule: PhantomData<R>,
}

/// A diagram in which a skipped variable has the value 0: for sparse families.
pub type Zdd = Diagram<ZeroSuppressed>;

/// A diagram in which a skipped variable may have any value. With variables of more than
/// two values such a diagram is often called an MDD.
pub type Bdd = Diagram<AnyValue>;

impl<R: DiagramRule> Diagram<R> {
    pub(crate) fn new(store: Store) -> Self {
        Diagram { store: Arc::new(store), rule: PhantomData }
    }

    /// The rule by which skipped variables are read.
    pub fn rule(&self) -> Rule {
        R::RULE
    }

    /// The number of variables.
    pub fn num_vars(&self) -> usize {
        self.store.arities.num_vars()
    }

    /// The number of values of `variable`.
    ///
    /// # Panics
    ///
    /// If there is no such variable.
    pub fn arity(&self, variable: usize) -> usize {
        assert!(variable < self.num_vars(), "variable {variable} of 0..{}", self.num_vars());
        self.store.arities.get(variable)
    }

    /// Whether there is no solution.
    pub fn is_empty(&self) -> bool {
        self.store.root == ZERO
    }

    /// The number of nodes, terminals not counted.
    pub fn node_count(&self) -> usize {
        self.store.node_count()
    }

    /// The number of nodes at each variable.
    pub fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.num_vars()];
        for level in self.store.levels() {
            widths[level.variable] = level.len();
        }
        widths
    }

    /// The first variable with the most nodes, and their number; `None` if there are no nodes.
    ///
    /// Costs a look at each level that has nodes, however many variables there are.
    pub fn widest(&self) -> Option<(usize, usize)> {
        let widths = self.store.levels().map(|level| (level.variable, level.len()));
        // From the bottom up, the last of several is the first.
        widths.max_by_key(|&(_, nodes)| nodes)
    }

    /// The bytes that the nodes take.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }
}

impl<R> Clone for Diagram<R> {
    fn clone(&self) -> Self {
        Diagram { store: Arc::clone(&self.store), rule: PhantomData }
    }
}

impl<R> PartialEq for Diagram<R> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.store, &other.store) || self.store == other.store
    }
}

impl<R> Eq for Diagram<R> {}

impl<R> Hash for Diagram<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.store.root.hash(state);
        if let Some(top) = self.store.level_count().checked_sub(1) {
            // The root node tells diagrams of different shapes apart; equality does the rest.
            let top = self.store.level(top);
            top.variable.hash(state);
            top.edges(0).for_each(|edge| edge.hash(state));
        }
    }
}

impl<R: DiagramRule> fmt::Debug for Diagram<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(R::NAME)
            .field("num_vars", &self.num_vars())
            .field("node_count", &self.node_count())
            .finish_non_exhaustive()
    }
}
