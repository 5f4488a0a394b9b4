//! Specs: top-down transition systems that describe families of solutions.
//!
//! | to | use |
//! | --- | --- |
//! | write a spec | [`DdSpec`], whose methods return [`Step`]s |
//! | write a spec that decides each variable in turn | [`dp`], of closures, or [`Automaton`] |
//! | store an array in each state, of a length known at run time | [`ArraySpec`] |
//! | state a usual condition | [`constraint`]: bounds, sums, words, clauses, tables, ... |
//! | join a part of the states where equal states meet | [`JoinSpec`] |
//! | combine specs | [`SpecExt`]: `and`, `or`, `not`, ...; its types are in [`combine`] |
//! | store specs of several types in one list | [`BoxedSpec`] |
//! | let states spill to disk, or survive in a checkpoint | [`Portable`] |
//!
//! A diagram is a spec, too. [`Rule`] is the meaning of variables that a spec or a diagram skips.
//!
//! ```
//! use topdd::{SpecExt, constraint};
//!
//! // Words over 0 and 1 with three ones, no two of them adjacent.
//! let apart = topdd::dp(10, 0)
//!     .step(|&last, _, value| (last + value < 2).then_some(value))
//!     .accept(|_| true);
//! let words = apart.and(constraint::exactly(10, 3));
//! assert_eq!(topdd::count(&words)?, 56u32.into());
//! # Ok::<(), topdd::BuildError>(())
//! ```

mod array;
mod boxed;
pub mod combine;
pub mod constraint;
pub(crate) mod contract;
mod dp;
mod join;
mod portable;
mod set_list;
mod space;

use crate::BuildError;
use std::convert::Infallible;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::ControlFlow;

pub use array::ArraySpec;
pub use boxed::{BoxedSpec, BoxedState};
pub use combine::SpecExt;
pub use dp::{Alike, Automaton, Closures, Dp, DpSpec, DpSteps, NextState, Unrolled, dp};
pub use join::JoinSpec;
pub use portable::Portable;
pub use set_list::SetList;
pub use space::Space;

use boxed::Object;
use combine::Operand;

pub(crate) use array::{FixedRows, Rows, Typed, WordSpec};
pub(crate) use boxed::{ErasedSpec, ErasedState};
pub(crate) use combine::Conjunction;
pub(crate) use join::Joining;
pub(crate) use portable::Codec;
pub(crate) use space::{Arities, BlockProducts, PerValue};

// This module depends neither on the engine nor on diagrams.

/// A family of solutions, described from the top down.
///
/// A solution assigns to each variable `0..num_vars()` one of its values. The spec
/// starts at [`root`](DdSpec::root). For a state at a variable and a value of that variable,
/// [`child`](DdSpec::child) returns the next step. States that are equal at the same variable are
/// merged. So a state must contain *all* facts about the past on which the future depends, and
/// should contain nothing else: every other distinction costs nodes.
///
/// | who needs it | methods |
/// | --- | --- |
/// | every spec | [`num_vars`](DdSpec::num_vars), [`root`](DdSpec::root), [`child`](DdSpec::child) |
/// | a spec whose variables are not all two-valued | [`arity`](DdSpec::arity) |
/// | a spec with parameters, or with messages of its own | [`validate`](DdSpec::validate), [`describe`](DdSpec::describe) |
/// | a spec that is to be faster | [`for_each_child`](DdSpec::for_each_child), [`forced`](DdSpec::forced), [`like`](DdSpec::like) |
/// | a spec whose optimum or count is bounded where it does not fit | [`merge`](DdSpec::merge) |
/// | a spec that wraps another spec | [`root_under`](DdSpec::root_under), [`refused_by`](DdSpec::refused_by) |
///
/// # Contract
///
/// - `child` is a pure function: the same state, variable and value, the same step.
/// - `Step::To(v, _)` from variable `u` has `u < v < num_vars()`; from the root, `v < num_vars()`.
/// - Equal states at the same variable have the same future.
/// - `Hash` agrees with `Eq`.
/// - [`forced`](DdSpec::forced) and [`for_each_child`](DdSpec::for_each_child), if overridden, agree
///   with `child`. [`like`](DdSpec::like), if overridden, names variables with the same steps.
///
/// The engine checks the second point at every step and fails with a [`BuildError`] that names
/// variable, value and state. In debug builds it checks the last point for a sample of the states, and
/// with [`Frontier::checked`](crate::Frontier::checked) for all states. Both compare a sample of equal states that were
/// merged. It cannot check the other points. Test a new spec on small cases with
/// [`check::verify`](crate::check::verify).
///
/// [`BuildError`]: crate::BuildError
///
/// # Example
///
/// Subsets of `{0, .., n-1}` without two consecutive members:
///
/// ```
/// use topdd::{DdSpec, Step};
///
/// struct NoTwoInARow { n: usize }
///
/// impl DdSpec for NoTwoInARow {
///     type State = bool; // is the previous number a member?
///     fn num_vars(&self) -> usize { self.n }
///     fn root(&self) -> Step<bool> {
///         if self.n == 0 { Step::One } else { Step::To(0, false) }
///     }
///     fn child(&self, &previous: &bool, number: usize, value: usize) -> Step<bool> {
///         let member = value == 1;
///         if previous && member {
///             Step::Zero
///         } else if number + 1 == self.n {
///             Step::One
///         } else {
///             Step::To(number + 1, member)
///         }
///     }
/// }
///
/// let zdd = topdd::zdd(&NoTwoInARow { n: 10 })?;
/// assert_eq!(zdd.count(), 144u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    note = "a spec of closures needs all its parts: `dp(n, start).step(..).accept(..)`"
)]
pub trait DdSpec: Sync {
    /// The facts about the past on which the future depends. Equal states at one variable merge.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// Returns the number of variables; they are numbered `0..num_vars()` from the root down. At most
    /// 2^31 - 2.
    fn num_vars(&self) -> usize;

    /// Returns the start of the spec: a state at a first variable, or a terminal.
    ///
    /// The root of a combinator depends on the rule of the diagram. So a spec that wraps another forwards
    /// [`root_under`](DdSpec::root_under) as well; without it, the engine fails with
    /// [`BuildError::RootBeyondLast`].
    fn root(&self) -> Step<Self::State>;

    /// Returns the step of `value` of `variable` from `state`, which is at that variable. The engine
    /// calls it once for each state and value, on any thread, unless
    /// [`for_each_child`](DdSpec::for_each_child) is overridden.
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State>;

    /// Returns the number of values of `variable`, which takes values `0..arity(variable)`.
    ///
    /// Two unless overridden. Called for `variable < num_vars()` only; must return at least 1, at most
    /// 2^32 - 1, and always the same.
    fn arity(&self, variable: usize) -> usize {
        let _ = variable;
        2
    }

    /// Visits, in ascending order of value, each value whose step is not the
    /// 0-terminal, with that step.
    ///
    /// The fast form of [`child`](DdSpec::child), with which it must agree. Override it where most
    /// values lead to the 0-terminal and the others can be found without trying each value. It may
    /// report a 0-terminal step; that is correct, but slower. If `visit` breaks, so does this.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use topdd::{DdSpec, Step, check};
    ///
    /// /// Permutations of `0..n`: variable = position, value = number, state = unused numbers.
    /// struct Permutations { n: usize }
    ///
    /// impl DdSpec for Permutations {
    ///     type State = u32;
    ///     fn num_vars(&self) -> usize { self.n }
    ///     fn arity(&self, _: usize) -> usize { self.n }
    ///     fn root(&self) -> Step<u32> { Step::To(0, (1 << self.n) - 1) }
    ///     fn child(&self, &unused: &u32, position: usize, number: usize) -> Step<u32> {
    ///         match unused & !(1 << number) {
    ///             rest if rest == unused => Step::Zero,
    ///             0 => Step::One,
    ///             rest => Step::To(position + 1, rest),
    ///         }
    ///     }
    ///     fn for_each_child<B>(
    ///         &self,
    ///         &unused: &u32,
    ///         position: usize,
    ///         mut visit: impl FnMut(usize, Step<u32>) -> ControlFlow<B>,
    ///     ) -> ControlFlow<B> {
    ///         let mut left = unused;
    ///         while left != 0 {
    ///             let number = left.trailing_zeros() as usize; // only the unused numbers
    ///             visit(number, self.child(&unused, position, number))?;
    ///             left &= left - 1;
    ///         }
    ///         ControlFlow::Continue(())
    ///     }
    /// }
    ///
    /// assert_eq!(topdd::count(&Permutations { n: 10 })?, 3628800u32.into());
    /// check::contract(&Permutations { n: 4 }, topdd::Rule::AnyValue, 100)?; // it agrees with `child`
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for value in 0..self.arity(variable) {
            let step = self.child(state, variable, value);
            if !step.is_zero() {
                visit(value, step)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the only value that `state` may take, or that there is none, if this is cheap to
    /// determine. Otherwise returns [`Forced::Free`], which is always correct.
    ///
    /// Under the zero-suppressed rule, the engine calls this for each state before it stores it, and
    /// follows the forced value where it can. So a spec with many such states needs less time and
    /// memory. A state that must take 0 is no node of the diagram. A state that must take another
    /// value is a node, but need not be stored as a state; with a memory limit or a checkpoint, a
    /// build stores it. Under the other rule this is not called.
    ///
    /// The step may skip variables that must be 0, and lead to another state than `child` does, if that has
    /// the same future.
    ///
    /// ```
    /// use topdd::{DdSpec, Forced, Frontier, Step};
    ///
    /// /// Sets of `k` numbers, all of them multiples of 10.
    /// struct Multiples { n: usize, k: usize }
    ///
    /// impl DdSpec for Multiples {
    ///     type State = usize; // how many are still to come
    ///     fn num_vars(&self) -> usize { self.n }
    ///     fn root(&self) -> Step<usize> { Step::To(0, self.k) }
    ///     fn child(&self, &left: &usize, number: usize, value: usize) -> Step<usize> {
    ///         match left.checked_sub(value) {
    ///             Some(left) if value == 0 || number % 10 == 0 => {
    ///                 if number + 1 < self.n { Step::To(number + 1, left) }
    ///                 else if left == 0 { Step::One }
    ///                 else { Step::Zero }
    ///             }
    ///             _ => Step::Zero,
    ///         }
    ///     }
    ///     fn forced(&self, left: &usize, number: usize) -> Forced<usize> {
    ///         if *left == 0 { Forced::Value(0, Step::One) } // no further number
    ///         else if number % 10 != 0 { Forced::to(0, self.child(left, number, 0)) }
    ///         else { Forced::Free }
    ///     }
    /// }
    ///
    /// let spec = Multiples { n: 100, k: 3 };
    /// let mut frontier = Frontier::over(&spec);
    /// assert_eq!(frontier.count()?, 120u32.into());
    /// assert_eq!(frontier.report().levels.len(), 10); // of 100 variables
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        let _ = (state, variable);
        Forced::Free
    }

    /// Returns the variables that concern the spec, in ascending order, if it has the same solutions under both rules
    /// and skips no variable under [`Rule::ZeroSuppressed`]. Every value of another variable leads from each state to the
    /// same state; at the last variable, to the same terminal. `None` is always correct.
    #[doc(hidden)]
    fn scope(&self) -> Option<Vec<usize>> {
        None
    }

    /// Returns the specs of which this one is the conjunction: unless overridden, the spec itself.
    #[doc(hidden)]
    fn conjuncts(&self) -> Vec<Operand<'_>>
    where
        Self: Sized,
    {
        vec![Operand::new(self)]
    }

    /// Returns an earlier variable that is like `variable`, if there is one: each state that occurs at one of them has
    /// the same steps at both, except that the later one leads to variables that are later by the distance of the
    /// two. That holds for [`child`](DdSpec::child), [`forced`](DdSpec::forced) and [`arity`](DdSpec::arity).
    /// `None` is always correct.
    ///
    /// If most variables are like an earlier one, a build or a count calls the spec once for a state of all variables that
    /// are like one another, on one thread. Combinations of specs have the variables that are alike for all operands.
    /// [`dp`] has a form of `step` whose variables are alike. Steps that depend on more than 64 variables after their own,
    /// low memory limits and checkpoints make the engine call the spec for each variable, as without this method.
    /// [`check::contract`](crate::check::contract) and [checked](crate::Frontier::checked) runs find variables that are
    /// not alike.
    ///
    /// ```
    /// use topdd::{DdSpec, Step};
    ///
    /// /// Subsets of `0..n` without two consecutive members.
    /// struct NoTwoInARow { n: usize }
    ///
    /// impl DdSpec for NoTwoInARow {
    ///     type State = bool; // is the previous number a member?
    ///     fn num_vars(&self) -> usize { self.n }
    ///     fn root(&self) -> Step<bool> { Step::To(0, false) }
    ///     fn child(&self, &previous: &bool, number: usize, value: usize) -> Step<bool> {
    ///         match (previous, value) {
    ///             (true, 1) => Step::Zero,
    ///             _ if number + 1 == self.n => Step::One,
    ///             (_, value) => Step::To(number + 1, value == 1),
    ///         }
    ///     }
    ///     fn like(&self, number: usize) -> Option<usize> {
    ///         // All numbers but the last, which ends at a terminal.
    ///         (number > 0 && number + 1 < self.n).then(|| number - 1)
    ///     }
    /// }
    ///
    /// assert_eq!(topdd::count(&NoTwoInARow { n: 10 })?, 144u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    fn like(&self, variable: usize) -> Option<usize> {
        let _ = variable;
        None
    }

    /// Returns a state at `variable` with all completions of both states: a relaxation. `None`, the default,
    /// is always correct, and means that the two are not merged.
    ///
    /// A [`Bounded`](crate::Bounded) run that has more states at a variable than its width merges some, so that what is left
    /// proves a bound. The more completions a merged state adds, the weaker is the bound. The ready constraints merge, and
    /// so do combinations by `and` and `or` of specs that merge. Nothing else calls this method.
    ///
    /// ```
    /// use topdd::{DdSpec, Step};
    ///
    /// /// Items that fit into a room.
    /// struct Packing { sizes: Vec<u32>, room: u32 }
    ///
    /// impl DdSpec for Packing {
    ///     type State = u32; // the room left
    ///     fn num_vars(&self) -> usize { self.sizes.len() }
    ///     fn root(&self) -> Step<u32> { Step::To(0, self.room) }
    ///     fn child(&self, &room: &u32, item: usize, taken: usize) -> Step<u32> {
    ///         match room.checked_sub(self.sizes[item] * taken as u32) {
    ///             None => Step::Zero,
    ///             Some(_) if item + 1 == self.sizes.len() => Step::One,
    ///             Some(room) => Step::To(item + 1, room),
    ///         }
    ///     }
    ///     fn merge(&self, one: &u32, other: &u32, _: usize) -> Option<u32> {
    ///         Some(*one.max(other)) // what fits into one of them
    ///     }
    /// }
    ///
    /// let packing = Packing { sizes: vec![5, 7, 4, 3], room: 12 };
    /// topdd::check::contract(&packing, topdd::Rule::ZeroSuppressed, 1000)?;
    /// # Ok::<(), topdd::check::Violation>(())
    /// ```
    fn merge(
        &self,
        one: &Self::State,
        other: &Self::State,
        variable: usize,
    ) -> Option<Self::State> {
        let _ = (one, other, variable);
        None
    }

    /// Checks the parameters of the spec, for example whether they contradict one another. The engine
    /// calls it before all other methods and fails with [`BuildError::InvalidSpec`] and the message.
    ///
    /// ```
    /// use topdd::{DdSpec, Step};
    ///
    /// /// Sets of `k` of `n` numbers.
    /// struct Choose { n: usize, k: usize }
    ///
    /// impl DdSpec for Choose {
    ///     # type State = usize;
    ///     # fn num_vars(&self) -> usize { self.n }
    ///     # fn root(&self) -> Step<usize> { Step::Zero }
    ///     # fn child(&self, _: &usize, _: usize, _: usize) -> Step<usize> { Step::Zero }
    ///     fn validate(&self) -> Result<(), String> {
    ///         if self.k <= self.n { return Ok(()); }
    ///         Err(format!("{} of {} numbers cannot be chosen (lower k)", self.k, self.n))
    ///     }
    ///     // ...
    /// }
    ///
    /// let error = topdd::count(&Choose { n: 3, k: 5 }).unwrap_err();
    /// assert!(error.to_string().contains("5 of 3 numbers cannot be chosen"));
    /// ```
    ///
    /// # Errors
    ///
    /// A message that names the cause and the remedy.
    ///
    /// [`BuildError::InvalidSpec`]: crate::BuildError::InvalidSpec
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Writes a state as text, for error messages and traces.
    ///
    /// The first 200 characters of `{state:?}` unless overridden.
    fn describe(&self, state: &Self::State) -> String {
        describe_by_debug(state)
    }

    /// Returns the root of the spec when it is built under `rule`; [`root`](DdSpec::root) unless overridden.
    /// The engine starts here.
    ///
    /// A spec that wraps another spec forwards the call. A spec that interprets skipped variables, as the
    /// combinators do, stores the rule in its states.
    ///
    /// ```
    /// use topdd::constraint::{at_least, at_most};
    /// use topdd::{DdSpec, Rule, SpecExt, Step, check};
    ///
    /// /// A spec whose states are described with a name.
    /// struct Named<S> { name: &'static str, spec: S }
    ///
    /// impl<S: DdSpec> DdSpec for Named<S> {
    ///     type State = S::State;
    ///     fn num_vars(&self) -> usize { self.spec.num_vars() }
    ///     fn arity(&self, variable: usize) -> usize { self.spec.arity(variable) }
    ///     fn root(&self) -> Step<S::State> { self.spec.root() }
    ///     fn child(&self, state: &S::State, variable: usize, value: usize) -> Step<S::State> {
    ///         self.spec.child(state, variable, value)
    ///     }
    ///     fn validate(&self) -> Result<(), String> { self.spec.validate() }
    ///     fn describe(&self, state: &S::State) -> String {
    ///         format!("{}: {}", self.name, self.spec.describe(state))
    ///     }
    ///     fn root_under(&self, rule: Rule) -> Step<S::State> { self.spec.root_under(rule) }
    ///     fn refused_by(&self, state: &S::State, variable: usize, value: usize) -> Option<String> {
    ///         let part = self.spec.refused_by(state, variable, value)?;
    ///         Some(format!("{part} in {}", self.name))
    ///     }
    /// }
    ///
    /// let two = Named { name: "two", spec: at_least(3, 2).and(at_most(3, 2)) };
    /// assert_eq!(topdd::count(&two)?, 3u32.into());
    /// let trace = check::trace(&two, Rule::ZeroSuppressed, &[1, 1, 1])?;
    /// assert!(trace.to_string().contains("variable 2 = 1: the 0-terminal, by at_most in two"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        let _ = rule;
        self.root()
    }

    /// Returns the part of a combination that makes `value` lead to the 0-terminal, for
    /// [`check::trace`](super::check::trace); `None` unless overridden. Called only for a value with such a
    /// step. A spec that wraps another spec forwards the call.
    fn refused_by(&self, state: &Self::State, variable: usize, value: usize) -> Option<String> {
        let _ = (state, variable, value);
        None
    }
}

/// Returns the first 200 characters of `{state:?}`.
fn describe_by_debug<S: Debug>(state: &S) -> String {
    const MOST: usize = 200;
    let mut text = format!("{state:?}");
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The variable of the root of a spec that needs a rule and got none. It is out of range, so a
/// wrapper that does not forward [`DdSpec::root_under`] fails with an error.
const NEEDS_RULE: usize = usize::MAX;

/// [`DdSpec::root`] for a spec whose states keep the rule.
fn root_without_rule<S: DdSpec>(spec: &S) -> Step<S::State> {
    match (spec.root_under(Rule::ZeroSuppressed), spec.root_under(Rule::AnyValue)) {
        (Step::To(_, state), _) | (_, Step::To(_, state)) => Step::To(NEEDS_RULE, state),
        (root, _) => root,
    }
}

/// Returns the advice for a root at a variable that does not exist.
pub(crate) fn where_roots_go(to: usize) -> &'static str {
    if to == NEEDS_RULE {
        "a spec that wraps another must forward `root_under` as it does `root`"
    } else {
        "to start without variables return `Step::One` or `Step::Zero`"
    }
}

/// Visits all children of a state; see [`DdSpec::for_each_child`].
#[inline]
fn each_child<S: DdSpec + ?Sized>(
    spec: &S,
    state: &S::State,
    variable: usize,
    mut visit: impl FnMut(usize, Step<S::State>),
) {
    let flow = spec.for_each_child(state, variable, |value, step| {
        visit(value, step);
        ControlFlow::<Infallible>::Continue(())
    });
    // A spec may end early only if `visit` breaks.
    debug_assert!(flow.is_continue());
}

/// Returns the root under a rule. Fails if it is at a variable that does not exist.
pub(crate) fn checked_root<S: DdSpec>(
    spec: &S,
    rule: Rule,
    num_vars: usize,
) -> Result<Step<S::State>, BuildError> {
    match spec.root_under(rule) {
        Step::To(to, state) if to >= num_vars => {
            let state = spec.describe(&state);
            Err(BuildError::RootBeyondLast { to, num_vars, state })
        }
        root => Ok(root),
    }
}

/// Visits the children of a state that are not the 0-terminal. Fails if a value or a step is out of range, or if the values are
/// not ascending.
pub(crate) fn each_checked_child<S: DdSpec>(
    spec: &S,
    arities: &Arities,
    state: &S::State,
    variable: usize,
    mut visit: impl FnMut(usize, Step<S::State>),
) -> Result<(), BuildError> {
    let (arity, num_vars) = (arities.get(variable), arities.num_vars());
    // The next value that may be visited.
    let mut next_value = 0;
    let flow = spec.for_each_child(state, variable, |value, step| {
        if value < next_value || value >= arity {
            return ControlFlow::Break(BuildError::BadValue {
                variable,
                value,
                // A value out of range is an error by itself, in any order.
                previous: next_value.checked_sub(1).filter(|_| value < arity),
                arity,
                state: spec.describe(state),
            });
        }
        next_value = value + 1;
        match step {
            Step::Zero => {}
            Step::To(to, _) if to <= variable || to >= num_vars => {
                let state = spec.describe(state);
                let error = BuildError::BadStep { variable, value, to, num_vars, state };
                return ControlFlow::Break(error);
            }
            step => visit(value, step),
        }
        ControlFlow::Continue(())
    });
    match flow {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The target of an edge of a spec; returned by [`DdSpec::root`] and [`DdSpec::child`].
///
/// ```
/// use topdd::Step;
///
/// let step = Step::To(3, 7);
/// assert_eq!(step.map(|state| state + 1), Step::To(3, 8));
/// assert!(!step.is_zero() && Step::<u8>::Zero.is_zero());
/// assert_eq!(Step::One.map(|state: u8| state + 1), Step::One);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<S> {
    /// The 0-terminal: no solution goes this way.
    Zero,
    /// The 1-terminal: the values chosen so far make a solution. Variables not yet visited are
    /// skipped, and read by the [`Rule`] of the diagram being built.
    One,
    /// A state at a later variable. Variables in between are skipped, and read by
    /// the [`Rule`] of the diagram being built.
    To(usize, S),
}

impl<S> Step<S> {
    /// Returns whether this is the 0-terminal.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self, Step::Zero)
    }

    /// Returns the same step, with `f` applied to the state of a `To`. For a spec whose states contain the
    /// states of another spec.
    #[inline]
    pub fn map<T>(self, f: impl FnOnce(S) -> T) -> Step<T> {
        match self {
            Step::Zero => Step::Zero,
            Step::One => Step::One,
            Step::To(variable, state) => Step::To(variable, f(state)),
        }
    }
}

/// The values that a state may take, if that is cheap to determine; returned by [`DdSpec::forced`].
///
/// ```
/// use topdd::{Forced, Step};
///
/// // Value 2 is the only one, and its step may lead to the 0-terminal.
/// assert_eq!(Forced::to(2, Step::To(1, 'a')), Forced::Value(2, Step::To(1, 'a')));
/// assert_eq!(Forced::<char>::to(2, Step::Zero), Forced::Dead);
/// assert_eq!(Forced::to(2, Step::To(1, 'a')).map(|_| Step::<u8>::Zero), Forced::Dead);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forced<S> {
    /// Not determined: the state may take any values.
    Free,
    /// This value alone, with its step: every other value leads to the 0-terminal.
    Value(usize, Step<S>),
    /// No value: none leads to a solution.
    Dead,
}

impl<S> Forced<S> {
    /// Returns the only value and its step; [`Dead`](Forced::Dead) if the step is the 0-terminal.
    #[inline]
    pub fn to(value: usize, step: Step<S>) -> Self {
        if step.is_zero() { Forced::Dead } else { Forced::Value(value, step) }
    }

    /// Returns the same value, with `f` applied to its step; [`Dead`](Forced::Dead) if the new step is the
    /// 0-terminal.
    #[inline]
    pub fn map<T>(self, f: impl FnOnce(Step<S>) -> Step<T>) -> Forced<T> {
        match self {
            Forced::Free => Forced::Free,
            Forced::Value(value, step) => Forced::to(value, f(step)),
            Forced::Dead => Forced::Dead,
        }
    }
}

/// The meaning of a variable that a path of a diagram, or a step of a spec, skips.
///
/// The rule belongs to the diagram: the same spec may be built under either. It
/// also determines which nodes are redundant and are removed by reduction.
///
/// ```
/// use topdd::{DdSpec, Rule, Step, check};
///
/// /// Variable 1 is 1; the others are skipped.
/// struct Second;
///
/// impl DdSpec for Second {
///     type State = ();
///     fn num_vars(&self) -> usize { 3 }
///     fn root(&self) -> Step<()> { Step::To(1, ()) }
///     fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
///         if value == 1 { Step::One } else { Step::Zero }
///     }
/// }
///
/// assert_eq!(check::brute_force(&Second, Rule::ZeroSuppressed)?, [[0, 1, 0]]);
/// assert_eq!(check::brute_force(&Second, Rule::AnyValue)?.len(), 4); // 0 and 2 are free
/// # Ok::<(), check::Violation>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// A skipped variable has the value 0: the diagram is a ZDD.
    ///
    /// A node is redundant when all its values but 0 lead to the 0-terminal.
    ZeroSuppressed,
    /// A skipped variable may have any of its values: the diagram is a BDD (an MDD
    /// where arities exceed two).
    ///
    /// A node is redundant when all its values lead to the same node or terminal.
    AnyValue,
}

impl Rule {
    /// Returns whether a skipped variable may have `value` under this rule.
    ///
    /// ```
    /// use topdd::Rule;
    ///
    /// assert!(Rule::ZeroSuppressed.allows(0) && !Rule::ZeroSuppressed.allows(1));
    /// assert!(Rule::AnyValue.allows(1));
    /// ```
    #[inline]
    pub fn allows(self, value: usize) -> bool {
        value == 0 || self == Rule::AnyValue
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::ZeroSuppressed => "zero-suppressed",
            Rule::AnyValue => "any value",
        })
    }
}
