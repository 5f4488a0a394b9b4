//! The reduced diagram: one immutable type under two rules.
//!
//! [`zdd`] and [`bdd`] build a [`Diagram`] of a spec. Its parameter is a [`DiagramRule`], the
//! meaning of a variable that a path skips: [`Zdd`] and [`Bdd`] are the two diagrams. [`Encoding`]
//! converts between multi-valued and two-valued diagrams. The queries are in
//! [`query`](crate::query), files and pictures in [`format`](mod@crate::format).
//!
//! ```
//! use topdd::{Code, Encoding, Zdd, constraint};
//!
//! let zdd = topdd::zdd(&constraint::all_different([3; 2]))?; // of a spec
//! assert_eq!(zdd, Zdd::full([3; 2])? - Zdd::from_solutions([3; 2], [[0, 0], [1, 1], [2, 2]])?);
//! assert_eq!(zdd.to_bdd()?.count(), zdd.count());
//! assert_eq!(zdd.encode(&Encoding::new(Code::Binary, [3; 2]))?.num_vars(), 4);
//! # Ok::<(), topdd::QueryError>(())
//! ```

pub(crate) mod assemble;
pub(crate) mod build;
mod encode;
pub(crate) mod reduce;
pub(crate) mod store;

use super::query::members;
use super::spec::{DdSpec, Rule, Step};
use num_bigint::BigUint;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use store::{NodeId, NodeStore, ONE, ZERO};

pub use build::{bdd, zdd};
pub use encode::{Code, Encoding, Meaning};

// `store` contains the arrays of nodes, and `reduce` makes them of the edges of a sweep. `build`
// makes a diagram of a spec; a diagram is itself a spec. `assemble` makes diagrams of nodes
// from files. The queries are in `crate::query`.

/// A reduced, immutable decision diagram over multi-valued variables, read by the rule `R`.
///
/// [`Zdd`] and [`Bdd`] are its two kinds. Variables, their values, and ranks of solutions are
/// numbered from 0; an assignment or solution is a slice with one value for each variable, from the
/// root down. [`query`](crate::query) has a table of all queries, and
/// [`format`](mod@crate::format) one of all file formats.
///
/// A clone shares the nodes and takes constant time. Two diagrams under the same rule are equal
/// (`==`) if and only if they have the same variables, with the same arities, and the same
/// solutions. The comparison is linear in the bytes of the diagram.
///
/// Size: 8 bytes for each two-valued node; 4 bytes for any other node, and 8 for each of its edges that
/// does not lead to the 0-terminal. Nodes have 32-bit ids, and so have the edges of nodes that are not
/// two-valued: a diagram with more of either fails with
/// [`BuildError::TooLarge`](crate::BuildError::TooLarge).
///
/// ```
/// use topdd::{SpecExt, constraint};
///
/// let few = topdd::zdd(&constraint::at_most(10, 5))?;
/// assert_eq!(few.to_string(), "Zdd, 10 variables, 30 nodes, 638 solutions");
/// assert_eq!((few.count(), few.node_count()), (638u32.into(), 30));
/// assert!(few.contains(&[1, 0, 1, 0, 1, 0, 1, 0, 1, 0])?);
///
/// // A diagram is a spec, too: here its solutions with an even sum.
/// let even = topdd::zdd(&(&few).and(constraint::sum_modulo(10, 2, 0)))?;
/// assert_eq!(even.count(), 256u32.into());
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub struct Diagram<R> {
    pub(crate) store: Arc<NodeStore>,
    rule: PhantomData<R>,
}

/// A diagram in which a skipped variable has the value 0 (S. Minato, "Zero-suppressed BDDs for set
/// manipulation in combinatorial problems", 1993). Small for sparse families, in which most
/// variables are 0 in most solutions.
///
/// ```
/// use topdd::{Bdd, Zdd};
///
/// let solutions = [[0, 0, 1], [1, 0, 0]];
/// let (zdd, bdd) = (Zdd::from_solutions([2; 3], solutions)?, Bdd::from_solutions([2; 3], solutions)?);
/// assert_eq!((zdd.node_count(), bdd.node_count()), (2, 5));
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub type Zdd = Diagram<ZeroSuppressed>;

/// A diagram in which a skipped variable may have any value (R. E. Bryant, "Graph-based algorithms
/// for Boolean function manipulation", 1986). With variables of more than two values such a diagram
/// is often called an MDD. Small where solutions do not depend on many of the variables.
///
/// ```
/// use topdd::{Bdd, Zdd};
///
/// let solutions = [[0, 0], [0, 1]]; // variable 1 is free
/// let (bdd, zdd) = (Bdd::from_solutions([2; 2], solutions)?, Zdd::from_solutions([2; 2], solutions)?);
/// assert_eq!((bdd.node_count(), bdd.widths()), (1, vec![1, 0]));
/// assert_eq!((zdd.node_count(), zdd.widths()), (1, vec![0, 1]));
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub type Bdd = Diagram<AnyValue>;

impl<R: DiagramRule> Diagram<R> {
    pub(crate) fn new(store: NodeStore) -> Self {
        Diagram { store: Arc::new(store), rule: PhantomData }
    }

    /// Returns the rule by which skipped variables are read.
    pub fn rule(&self) -> Rule {
        R::RULE
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        self.store.arities.num_vars()
    }

    /// Returns the number of values of `variable`, which takes the values `0..arity`.
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_arity`](Diagram::get_arity) returns `None` then.
    #[track_caller]
    pub fn arity(&self, variable: usize) -> usize {
        check_variable(variable, self.num_vars());
        self.store.arities.get(variable)
    }

    /// Returns the least and the greatest number of values of a variable; `None` without variables. Constant time if
    /// all are equal.
    ///
    /// ```
    /// assert_eq!(topdd::Zdd::full([3, 2, 4])?.arity_range(), Some(2..=4));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn arity_range(&self) -> Option<RangeInclusive<usize>> {
        self.store.arities.least_to_greatest()
    }

    /// Returns the number of values of `variable`; `None` if there is no such variable.
    ///
    /// ```
    /// let zdd = topdd::Zdd::full([2, 3])?;
    /// assert_eq!((zdd.num_vars(), zdd.arity(0), zdd.arity(1)), (2, 2, 3));
    /// assert_eq!((zdd.get_arity(1), zdd.get_arity(2)), (Some(3), None));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn get_arity(&self, variable: usize) -> Option<usize> {
        (variable < self.num_vars()).then(|| self.store.arities.get(variable))
    }

    /// Returns whether there is no solution. Takes constant time.
    pub fn is_empty(&self) -> bool {
        self.store.root == ZERO
    }

    /// Returns the number of nodes, terminals not counted. Takes constant time.
    #[doc(alias("size", "Cudd_DagSize"))]
    pub fn node_count(&self) -> usize {
        self.store.node_count()
    }

    /// Returns the number of nodes at each variable, from the root down; 0 where all paths skip the
    /// variable.
    ///
    /// Cost: linear in the number of variables.
    ///
    /// ```
    /// let zdd = topdd::Zdd::from_solutions([2; 3], [[1, 0, 1], [1, 0, 0], [0, 0, 1]])?;
    /// assert_eq!(zdd.widths(), [1, 0, 2]);
    /// assert_eq!(zdd.widest(), Some((2, 2))); // variable 2, with two nodes
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.num_vars()];
        for level in self.store.levels() {
            widths[level.variable] = level.len();
        }
        widths
    }

    /// Returns the first variable with the most nodes, and their number; `None` if there are no
    /// nodes.
    ///
    /// Cost: linear in the number of levels that have nodes.
    pub fn widest(&self) -> Option<(usize, usize)> {
        let widths = self.store.levels().map(|level| (level.variable, level.len()));
        // The iteration is from the bottom up, so the last maximum is the first variable.
        widths.max_by_key(|&(_, nodes)| nodes)
    }

    /// Returns the size in bytes of the nodes and of the tables of levels and arities. Clones share
    /// these bytes.
    ///
    /// ```
    /// let zdd = topdd::Zdd::full([2; 1000])?;
    /// assert!(zdd.bytes() >= 8_000); // 1000 nodes of 8 bytes, and the tables
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }
}

/// Panics, at the line of the caller, if there is no such variable.
#[track_caller]
#[inline]
pub(crate) fn check_variable(variable: usize, num_vars: usize) {
    assert!(
        variable < num_vars,
        "there is no variable {variable}; the variables are 0..{num_vars}"
    );
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
            // The root node differs for most different diagrams; equality compares the rest.
            let top = self.store.level(top);
            top.variable.hash(state);
            top.edges(0).for_each(|edge| edge.hash(state));
        }
    }
}

/// One line: the rule, the numbers of variables, nodes and solutions. Counts the solutions, which
/// takes time linear in the nodes.
impl<R: DiagramRule> fmt::Display for Diagram<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural =
            |count: usize, noun| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let (variables, nodes) = (self.num_vars(), self.node_count());
        let count = self.count();
        let solutions = if count == 1u32.into() { "solution" } else { "solutions" };
        write!(
            f,
            "{}, {}, {}, {} {solutions}",
            R::NAME,
            plural(variables, "variable"),
            plural(nodes, "node"),
            Digits(&count)
        )
    }
}

/// A number; of one with many digits, the first few and their number.
struct Digits<'a>(&'a BigUint);

impl fmt::Display for Digits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 24;
        let digits = self.0.to_string();
        if digits.len() <= MOST {
            f.write_str(&digits)
        } else {
            write!(f, "{}.{}e{}", &digits[..1], &digits[1..6], digits.len() - 1)
        }
    }
}

/// The numbers of variables and nodes. For a diagram of at most 1000 of each, and in the alternate form,
/// `{:#?}`, also the number of solutions and up to 20 of them: as sets if all variables have two values, as
/// lists of values otherwise.
impl<R: DiagramRule> fmt::Debug for Diagram<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LISTED: usize = 20;
        const MOST: usize = 1000;
        if self.node_count().max(self.num_vars()) > MOST && !f.alternate() {
            return f
                .debug_struct(R::NAME)
                .field("num_vars", &self.num_vars())
                .field("node_count", &self.node_count())
                .finish_non_exhaustive();
        }
        write!(f, "{self}: ")?;
        let two_valued = self.store.arities.are_two_valued();
        let mut list = f.debug_set();
        let mut solutions = self.iter();
        for _ in 0..LISTED {
            let Some(solution) = solutions.advance() else { return list.finish() };
            // One line for each, even in the alternate form.
            if two_valued {
                list.entry(&format_args!("{:?}", SetOf(solution)));
            } else {
                list.entry(&format_args!("{solution:?}"));
            }
        }
        if solutions.advance().is_none() { list.finish() } else { list.finish_non_exhaustive() }
    }
}

/// A solution over two-valued variables, written as a set.
struct SetOf<'a>(&'a [usize]);

impl fmt::Debug for SetOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(members(self.0)).finish()
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A [`Rule`] as a type: [`ZeroSuppressed`] or [`AnyValue`]. Sealed: there are no others.
///
/// ```
/// use topdd::{Bdd, Diagram, Zdd, diagram::DiagramRule};
///
/// fn name<R: DiagramRule>(_: &Diagram<R>) -> String {
///     format!("{}: {:?}", R::NAME, R::RULE)
/// }
///
/// assert_eq!(name(&Zdd::empty([2])?), "Zdd: ZeroSuppressed");
/// assert_eq!(name(&Bdd::empty([2])?), "Bdd: AnyValue");
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub trait DiagramRule: sealed::Sealed + Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The rule as a value.
    const RULE: Rule;
    /// The name of the type of diagrams under this rule.
    const NAME: &'static str;
}

/// Skipped variables have the value 0: the rule of a [`Zdd`]. See
/// [`Rule::ZeroSuppressed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZeroSuppressed;

/// Skipped variables may have any value: the rule of a [`Bdd`]. See
/// [`Rule::AnyValue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyValue;

impl sealed::Sealed for ZeroSuppressed {}
impl sealed::Sealed for AnyValue {}

impl DiagramRule for ZeroSuppressed {
    const RULE: Rule = Rule::ZeroSuppressed;
    const NAME: &'static str = "Zdd";
}

impl DiagramRule for AnyValue {
    const RULE: Rule = Rule::AnyValue;
    const NAME: &'static str = "Bdd";
}

/// The state of a [`Diagram`] as a spec: a node, and the variable of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiagramState {
    node: NodeId,
    /// The variable that the walk is at, with [`STEPWISE`] when it visits the variables
    /// that the diagram skips.
    place: u32,
}

crate::portable!(DiagramState { node, place });

/// Set when the walk serves a diagram under the other rule, in which a skipped variable would have
/// another meaning: so it skips none.
const STEPWISE: u32 = 1 << 31;

impl DiagramState {
    fn is_stepwise(self) -> bool {
        self.place & STEPWISE != 0
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the step to `node` when the variables before `next` are decided.
    fn step_to(&self, node: NodeId, next: usize, stepwise: bool) -> Step<DiagramState> {
        let at = match node {
            ZERO => return Step::Zero,
            ONE if !stepwise || next == self.num_vars() => return Step::One,
            _ if stepwise => next,
            _ => self.store.variable_of(node),
        };
        let flag = if stepwise { STEPWISE } else { 0 };
        Step::To(at, DiagramState { node, place: at as u32 | flag })
    }
}

/// The diagram is a spec under its own rule. Built under the other rule, it visits the variables it
/// skips one by one, so that the family stays the same.
impl<R: DiagramRule> DdSpec for Diagram<R> {
    type State = DiagramState;

    fn num_vars(&self) -> usize {
        Diagram::num_vars(self)
    }

    fn arity(&self, variable: usize) -> usize {
        Diagram::arity(self, variable)
    }

    fn root(&self) -> Step<DiagramState> {
        // Right under both rules.
        self.step_to(self.store.root, 0, true)
    }

    fn root_under(&self, rule: Rule) -> Step<DiagramState> {
        self.step_to(self.store.root, 0, rule != R::RULE)
    }

    fn child(&self, state: &DiagramState, variable: usize, value: usize) -> Step<DiagramState> {
        let child = self.store.follow(state.node, variable, value);
        // A node is no child of its own, so the variable is skipped.
        if child == state.node && !R::RULE.allows(value) {
            return Step::Zero;
        }
        self.step_to(child, variable + 1, state.is_stepwise())
    }

    fn for_each_child<B>(
        &self,
        state: &DiagramState,
        variable: usize,
        mut visit: impl FnMut(usize, Step<DiagramState>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let allowed =
            |&(value, child): &(usize, NodeId)| child != state.node || R::RULE.allows(value);
        let mut edges = self.store.edges_at(state.node, variable).take_while(allowed);
        edges.try_for_each(|(value, child)| {
            visit(value, self.step_to(child, variable + 1, state.is_stepwise()))
        })
    }

    fn describe(&self, state: &DiagramState) -> String {
        format!("node {} at variable {}", state.node, state.place & !STEPWISE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_form_of_an_iterator_does_not_list_the_nodes() {
        let zdd = crate::zdd(&crate::constraint::exactly(100, 50)).unwrap();
        assert!(zdd.node_count() > 2000);
        assert!(format!("{:?}", zdd.iter_sets()).len() < 20_000);
    }

    #[test]
    fn a_variable_out_of_range_panics_at_the_line_of_the_caller() {
        let zdd = Zdd::full([2, 3]).unwrap();
        let (line, message) = crate::query::testing::panic_of(|| zdd.arity(2));
        assert_eq!(line, (file!().to_owned(), line!() - 1));
        assert_eq!(message, "there is no variable 2; the variables are 0..2");
    }

    #[test]
    fn display_is_one_line_of_rule_variables_nodes_and_solutions() {
        let two = Zdd::from_solutions([2, 2, 2], [[0, 0, 1], [1, 0, 1]]).unwrap();
        assert_eq!(two.to_string(), "Zdd, 3 variables, 2 nodes, 2 solutions");
        let one = Bdd::from_solutions([3], [[2]]).unwrap();
        assert_eq!(one.to_string(), "Bdd, 1 variable, 1 node, 1 solution");
        let many = Bdd::full([2; 100]).unwrap();
        assert_eq!(many.to_string(), "Bdd, 100 variables, 0 nodes, 1.26765e30 solutions");
    }

    #[test]
    fn debug_of_a_small_diagram_lists_solutions_as_sets_or_values() {
        let sets = Zdd::from_solutions([2, 2, 2], [[0, 0, 0], [1, 0, 1]]).unwrap();
        assert_eq!(
            format!("{sets:#?}"),
            "Zdd, 3 variables, 2 nodes, 2 solutions: {\n    {},\n    {0, 2},\n}"
        );
        let values = Bdd::from_solutions([2, 3], [[1, 2]]).unwrap();
        assert_eq!(
            format!("{values:#?}"),
            "Bdd, 2 variables, 2 nodes, 1 solution: {\n    [1, 2],\n}"
        );
        assert_eq!(format!("{values:?}"), "Bdd, 2 variables, 2 nodes, 1 solution: {[1, 2]}");
        assert_eq!(format!("{sets:?}"), "Zdd, 3 variables, 2 nodes, 2 solutions: {{}, {0, 2}}");
        let large = Zdd::from_solutions([2; 1001], [[1; 1001]]).unwrap();
        assert_eq!(format!("{large:?}"), "Zdd { num_vars: 1001, node_count: 1001, .. }");
        let flat = Bdd::full([3; 1001]).unwrap();
        assert_eq!(format!("{flat:?}"), "Bdd { num_vars: 1001, node_count: 0, .. }");
    }

    #[test]
    fn alternate_debug_lists_at_most_20_solutions() {
        for (count, ends) in [(20, false), (21, true)] {
            let list = (0..count).map(|value| [value]);
            let diagram = Zdd::from_solutions([30], list).unwrap();
            let text = format!("{diagram:#?}");
            assert_eq!(text.lines().filter(|line| line.starts_with("    [")).count(), 20);
            assert_eq!(text.contains("\n    ..\n}"), ends, "{text}");
        }
    }
}
