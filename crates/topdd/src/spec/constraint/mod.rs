//! Ready-made constraints: specs that are combined with others, as in `spec.and(c)`.
//!
//! | constraint | solutions |
//! | --- | --- |
//! | [`at_most`], [`at_least`], [`exactly`], [`between`] | the number of variables with a nonzero value, or one of given pairs, is within bounds |
//! | [`linear`] | sums of one coefficient per value are within bounds |
//! | [`sum_modulo`] | the sum of the values, or the number of given pairs, has a given remainder |
//! | [`all_different`] | no value occurs twice, except for given ones |
//! | [`occurrences`] | each listed value occurs within its bounds |
//! | [`table`] | the values are one of the listed tuples |
//! | [`automaton`], [`regular`], [`regex`] | a finite automaton accepts the values |
//! | [`longest_run`] | no value occurs too often in a row |
//! | [`least_distance`] | nonzero values are at least a distance apart |
//! | [`window`] | among any `width` consecutive variables the number of nonzero values is within bounds |
//! | [`precedence`] | values occur first in a given order |
//! | [`clauses`] | each clause has a literal that holds |
//! | [`lex_at_most`], [`lex_less`] | one row of variables is lexicographically at most another |
//! | [`exact_cover`] | the chosen options cover each item once, or a number of times within its bounds |
//!
//! [`exact_cover`] takes the items of each option, and has a variable for each option. Each of the others takes the
//! variables first, as anything that converts to a [`Space`]: `5` for five two-valued variables, `[9; 81]` for the arities,
//! [`Space::uniform(n, 3)`](Space::uniform) where `n` is a variable, `&spec` for the variables of another spec.
//!
//! # Some of the variables
//!
//! [`Constraint::on`] applies a constraint to some variables of its space and leaves the others free.
//! [`on`] does the same with any spec.
//!
//! ```
//! use topdd::{all, constraint};
//!
//! // Latin squares of order 4: each row and each column has each value once.
//! let row = |r: usize| (4 * r..4 * r + 4).collect::<Vec<_>>();
//! let column = |c: usize| (c..16).step_by(4).collect::<Vec<_>>();
//! let lines = (0..4).flat_map(|i| [row(i), column(i)]);
//! let latin = all(lines.map(|line| constraint::all_different([4; 16]).on(line)));
//! assert_eq!(topdd::count(&latin)?, 576u32.into());
//! # Ok::<(), topdd::BuildError>(())
//! ```
//!
//! # Under both rules
//!
//! A constraint visits each variable, the free ones included, and skips none. Hence it has the same
//! solutions under both [rules](crate::Rule): a free variable takes any of its values in a ZDD as well as in
//! a BDD.
//!
//! # Cost
//!
//! Each function states a bound of the states at a variable. A step takes time in proportion to the
//! size of a state; some constraints prepare tables before the first step, on the first use.
//!
//! # Forced values
//!
//! In a ZDD, a state that allows one value only need not be stored; see [`DdSpec::forced`].
//! [`all_different`], [`window`] and [`least_distance`] report such values, because chains of their forced states
//! are short. The others report none: each edge into a chain follows it again, so a long chain costs more than its
//! states. Times of a count, with a spec of 300 variables as the other operand:
//!
//! | constraint | states without | states with | time |
//! | --- | ---: | ---: | ---: |
//! | [`least_distance`] and another spec | 1 012 003 | 259 657 | -32 % |
//! | [`window`] | 1 002 352 | 490 566 | -23 % |
//! | [`all_different`], a Latin square of order 5 | 68 491 | 54 396 | -10 % |
//! | [`longest_run`] and another spec (not used) | 3 040 253 | 2 038 223 | -4 %; alone +8 %, as a ZDD +66 % |
//! | [`regex`] in a nonogram (not used) | 180 488 | 24 825 | -32 % |
//! | [`regex`] that ends in zeros, and another spec (not used) | 133 920 | 131 872 | +200 % |
//! | [`linear`] (not used) | 548 141 | 407 737 | +42 % |
//! | [`exactly`] and another spec (not used) | 129 425 | 126 912 | +210 % |
//!
//! # Errors
//!
//! Bad settings, such as a variable out of range, are reported by [`DdSpec::validate`] and hence by every
//! build, not by the constructor.

mod automaton;
mod clauses;
mod comparison;
mod cover;
mod on;
mod regex;
mod spacing;
mod sums;

use super::{DdSpec, Forced, Space, Step};
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::sync::{Arc, OnceLock};

pub use automaton::{Accepted, Dfa, Regular, automaton, regular};
pub use clauses::{Cnf, Literal, Table, clauses, is, is_not, table};
pub use comparison::{
    AllDifferent, Lexicographic, Precedence, all_different, lex_at_most, lex_less, precedence,
};
pub use cover::{ExactCover, exact_cover};
pub use on::{On, Placed, on};
pub use regex::{Regex, regex};
pub use spacing::{LeastDistance, LongestRun, Window, least_distance, longest_run, window};
pub use sums::{
    Count, Linear, Occurrences, SumModulo, at_least, at_most, between, exactly, linear,
    occurrences, sum_modulo,
};

/// A ready-made constraint on the variables of a [`Space`], or [`on`](Constraint::on) some of them: a
/// spec. The functions of [this module](self) make it.
///
/// A state is a state of the constraint's [`Reader`], or `None` once the rest is free: after the last
/// variable of the constraint, or when no later value can break it. [`Constraint::new`] has an
/// example of a constraint of your own.
#[derive(Clone)]
pub struct Constraint<K: ConstraintKind> {
    kind: K,
    space: Space,
    /// The variables of the constraint, in ascending order; all where there is no list.
    scope: Option<Vec<usize>>,
    /// A name for errors and traces, instead of the name of the kind.
    name: Option<Arc<str>>,
    /// Computed on first use, since each setting changes it.
    prepared: OnceLock<Result<Prepared<K::Reader>, String>>,
}

/// A constraint that is ready to read values.
#[derive(Clone, Debug)]
struct Prepared<R> {
    reader: R,
    positions: Positions,
    /// The number of variables of the constraint.
    len: usize,
}

/// The position of each variable of the space in the scope.
#[derive(Clone, Debug)]
enum Positions {
    /// The scope has all variables.
    All,
    /// By variable, [`FREE`] for those that are free.
    ByVariable(Vec<u32>),
    /// The scope, which has few of the variables.
    Few(Vec<usize>),
}

/// The position of a variable that is free.
const FREE: u32 = u32::MAX;

/// A scope with fewer variables than the space by this factor is searched: many constraints over many variables would take
/// much memory.
const FEW: usize = 64;

impl<R> Prepared<R> {
    /// Returns the position of a variable in the scope.
    #[inline]
    fn position(&self, variable: usize) -> Option<usize> {
        match &self.positions {
            Positions::All => Some(variable),
            Positions::ByVariable(positions) => {
                Some(positions[variable]).filter(|&at| at != FREE).map(|at| at as usize)
            }
            Positions::Few(scope) => scope.binary_search(&variable).ok(),
        }
    }
}

impl<K: ConstraintKind> Constraint<K> {
    /// Makes a constraint of your own `kind`. The functions of this module make the others.
    ///
    /// ```
    /// use topdd::constraint::{Constraint, ConstraintKind, Outcome, Reader};
    ///
    /// /// Values that do not fall.
    /// #[derive(Clone, Debug)]
    /// struct Ascending;
    ///
    /// impl ConstraintKind for Ascending {
    ///     type Reader = Self;
    ///     fn name(&self) -> &'static str { "ascending" }
    ///     fn reader(&self, _arities: &[usize]) -> Result<Self, String> { Ok(Ascending) }
    /// }
    ///
    /// impl Reader for Ascending {
    ///     type State = usize; // the last value
    ///     fn start(&self) -> Outcome<usize> { Outcome::Open(0) }
    ///     fn read(&self, &last: &usize, _: usize, value: usize) -> Outcome<usize> {
    ///         if value < last { Outcome::Broken } else { Outcome::Open(value) }
    ///     }
    /// }
    ///
    /// // Ten sequences of three values, and a free variable between them.
    /// let ascending = Constraint::new([3; 4], Ascending).on([0, 1, 3]);
    /// assert_eq!(topdd::count(&ascending)?, 30u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn new(space: impl Into<Space>, kind: K) -> Self {
        let space = space.into();
        Constraint { kind, space, scope: None, name: None, prepared: OnceLock::new() }
    }

    /// Changes the settings of the constraint.
    fn with(mut self, change: impl FnOnce(&mut K)) -> Self {
        change(&mut self.kind);
        self.prepared = OnceLock::new();
        self
    }

    /// Applies the constraint to some variables of its space, in ascending order, and leaves the others
    /// free under both rules. An earlier choice is replaced.
    ///
    /// Variable `i` of the constraint is then `variables[i]` of the space: pairs, coefficients, tuples
    /// and words number the variables of the constraint. In `at_most(5, 1).of_pairs([(1, 1)]).on([1, 2])`, the
    /// pair `(1, 1)` is variable 2 of the space.
    ///
    /// Cost: a free variable has the states of the variable before it; after the last variable of
    /// the constraint there is one state per variable.
    ///
    /// ```
    /// use topdd::constraint;
    ///
    /// // Variables 0 and 2 are not both 1; variable 1, of three values, is free.
    /// let apart = constraint::at_most([2, 3, 2], 1).on([0, 2]);
    /// assert_eq!(topdd::count(&apart)?, 9u32.into());
    /// assert_eq!(topdd::count_bdd(&apart)?, 9u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn on(mut self, variables: impl IntoIterator<Item = usize>) -> Self {
        self.scope = Some(variables.into_iter().collect());
        self.prepared = OnceLock::new();
        self
    }

    /// Sets the name of the constraint in errors and traces; the default is the name of its kind.
    ///
    /// ```
    /// use topdd::{DdSpec, constraint};
    ///
    /// let day = constraint::at_most(4, 1).on([2, 7]).named("day 2");
    /// let error = topdd::count(&day).unwrap_err();
    /// assert!(error.to_string().contains("`day 2`: there is no variable 7"), "{error}");
    /// ```
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into().into());
        self.prepared = OnceLock::new();
        self
    }

    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.kind.name())
    }

    fn prepared(&self) -> Result<&Prepared<K::Reader>, &String> {
        self.prepared.get_or_init(|| self.prepare()).as_ref()
    }

    fn prepare(&self) -> Result<Prepared<K::Reader>, String> {
        let name = self.name();
        let named = |message| format!("`{name}`: {message}");
        let num_vars = self.space.num_vars();
        let Some(scope) = &self.scope else {
            let arities: Vec<usize> = self.space.arities().collect();
            let reader = self.kind.reader(&arities).map_err(named)?;
            return Ok(Prepared { reader, positions: Positions::All, len: num_vars });
        };
        on::check_places(scope, num_vars).map_err(named)?;
        let arities: Vec<usize> = scope.iter().map(|&v| self.space.arity(v)).collect();
        let reader = self.kind.reader(&arities).map_err(named)?;
        let positions = if scope.len() < num_vars / FEW {
            Positions::Few(scope.clone())
        } else {
            let mut positions = vec![FREE; num_vars];
            for (position, &variable) in scope.iter().enumerate() {
                positions[variable] = position as u32;
            }
            Positions::ByVariable(positions)
        };
        Ok(Prepared { reader, positions, len: scope.len() })
    }

    /// Returns the step to `variable` with an outcome after `read` values of the constraint.
    #[inline]
    fn enter(
        &self,
        prepared: &Prepared<K::Reader>,
        outcome: Outcome<State<K>>,
        read: usize,
        variable: usize,
    ) -> Step<Option<State<K>>> {
        let state = match outcome {
            Outcome::Met => None,
            Outcome::Open(state) if read < prepared.len => Some(state),
            Outcome::Open(state) if prepared.reader.accepts(&state) => None,
            Outcome::Broken | Outcome::Open(_) => return Step::Zero,
        };
        if variable < self.space.num_vars() { Step::To(variable, state) } else { Step::One }
    }
}

/// The state of a constraint of this kind that is neither met nor broken.
type State<K> = <<K as ConstraintKind>::Reader as Reader>::State;

impl<K: ConstraintKind> DdSpec for Constraint<K> {
    type State = Option<State<K>>;

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.space.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        match self.prepared() {
            Ok(prepared) => self.enter(prepared, prepared.reader.start(), 0, 0),
            // `validate` refuses it.
            Err(_) => Step::Zero,
        }
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let Ok(prepared) = self.prepared() else { return Step::Zero };
        let next = variable + 1;
        match (state, prepared.position(variable)) {
            (None, _) => self.enter(prepared, Outcome::Met, 0, next),
            // The last variable of the constraint is later, so `next` is a variable.
            (Some(state), None) => Step::To(next, Some(state.clone())),
            (Some(state), Some(position)) => {
                let outcome = prepared.reader.read(state, position, value);
                self.enter(prepared, outcome, position + 1, next)
            }
        }
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        let (Some(inner), Ok(prepared)) = (state, self.prepared()) else { return Forced::Free };
        let value = prepared.position(variable).and_then(|at| prepared.reader.forced(inner, at));
        match value {
            None => Forced::Free,
            Some(value) => Forced::to(value, self.child(state, variable, value)),
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        // The last variable leads to terminals, and a constraint on some variables meets others in between.
        let prepared =
            self.prepared().ok().filter(|prepared| matches!(prepared.positions, Positions::All))?;
        let earlier = prepared.reader.like(variable).filter(|_| variable + 1 < prepared.len)?;
        (self.arity(earlier) == self.arity(variable)).then_some(earlier)
    }

    fn merge(&self, one: &Self::State, other: &Self::State, _: usize) -> Option<Self::State> {
        let (Some(one), Some(other), Ok(prepared)) = (one, other, self.prepared()) else {
            return Some(None);
        };
        if one == other {
            return Some(Some(one.clone()));
        }
        // Otherwise the rest is free.
        Some(prepared.reader.merge(one, other))
    }

    fn scope(&self) -> Option<Vec<usize>> {
        Some(self.scope.clone().unwrap_or_else(|| (0..self.num_vars()).collect()))
    }

    fn validate(&self) -> Result<(), String> {
        // The engine refuses bad arities, before tables are made of them.
        if let Some(variable) = (0..self.num_vars()).find(|&v| self.arity(v) == 0) {
            return Err(format!("variable {variable} has arity 0; every variable needs a value"));
        }
        self.prepared().map(|_| ()).map_err(String::clone)
    }

    fn describe(&self, state: &Self::State) -> String {
        let name = self.name();
        match (state, self.prepared()) {
            (Some(state), Ok(prepared)) => format!("{name}: {}", prepared.reader.describe(state)),
            _ => format!("{name}: met"),
        }
    }

    fn refused_by(&self, _: &Self::State, _: usize, _: usize) -> Option<String> {
        Some(self.name().to_owned())
    }
}

impl<K: ConstraintKind> fmt::Debug for Constraint<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Constraint { kind, space, scope, name, .. } = self;
        f.debug_struct("Constraint")
            .field("name", name)
            .field("kind", kind)
            .field("space", space)
            .field("scope", scope)
            .finish_non_exhaustive()
    }
}

/// The settings of a constraint, such as a bound.
///
/// [`Constraint`] makes a spec of it: it places the variables of the constraint
/// in a larger space, leaves the others free, and ends when no later value can break
/// the constraint.
pub trait ConstraintKind: Clone + Debug + Sync {
    /// The reader of the values.
    type Reader: Reader;

    /// Returns the name of the constraint, for errors and traces.
    fn name(&self) -> &'static str;

    /// Prepares the constraint for variables of the given arities, none of which is 0.
    ///
    /// # Errors
    ///
    /// A message that names the setting or variable that does not fit, and why.
    fn reader(&self, arities: &[usize]) -> Result<Self::Reader, String>;
}

/// A constraint that reads the values of its variables one after the other. The same contract holds
/// as for [`DdSpec`]: equal states have the same future.
pub trait Reader: Clone + Debug + Send + Sync {
    /// The state after some values; see [`DdSpec::State`].
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// Returns the status before the first value.
    fn start(&self) -> Outcome<Self::State>;

    /// Returns the status after the variable at `position` of the constraint, counted from 0, took
    /// `value` in `state`.
    fn read(&self, state: &Self::State, position: usize, value: usize) -> Outcome<Self::State>;

    /// Returns the only value of the variable at `position` after which the constraint is not broken, if
    /// one comparison determines it; see [`DdSpec::forced`]. `None`, the default, is
    /// always correct, and faster if many forced states follow one another.
    #[inline]
    fn forced(&self, state: &Self::State, position: usize) -> Option<usize> {
        let _ = (state, position);
        None
    }

    /// Returns an earlier position at which all states have the same [`read`](Reader::read) and
    /// [`forced`](Reader::forced), if there is one; see [`DdSpec::like`]. The variables of positions
    /// with different arities are not taken as alike. `None` is always correct.
    fn like(&self, position: usize) -> Option<usize> {
        let _ = position;
        None
    }

    /// Returns a state with all completions of both states; see [`DdSpec::merge`]. `None`, the default, means
    /// that any values may follow: the constraint is given up.
    fn merge(&self, one: &Self::State, other: &Self::State) -> Option<Self::State> {
        let _ = (one, other);
        None
    }

    /// Returns whether the values that led to `state` are a solution. Called after the last variable
    /// of the constraint only. `true` unless overridden.
    fn accepts(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }

    /// Writes a state as text, for errors and traces: `{state:?}` unless overridden.
    fn describe(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
}

/// The status of a constraint after some values; returned by [`Reader::start`] and
/// [`Reader::read`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome<S> {
    /// No solution starts with these values.
    Broken,
    /// The constraint holds for any values that follow.
    Met,
    /// The outcome depends on the values that follow.
    Open(S),
}

/// Fails if the variable at `position` does not have the value.
fn check_pair(arities: &[usize], position: usize, value: usize) -> Result<(), String> {
    match arities.get(position) {
        None => Err(format!(
            "there is no variable {position}: the constraint has {} variables",
            arities.len()
        )),
        Some(&arity) if value >= arity => Err(format!(
            "variable {position} of the constraint takes values 0..{arity}, not {value} (give the \
             arities first, as in `[3; 24]`)"
        )),
        Some(_) => Ok(()),
    }
}

/// Returns the same range with both ends included; `1..=0` if it is empty.
fn inclusive(range: &impl RangeBounds<usize>) -> RangeInclusive<usize> {
    let least = match range.start_bound() {
        Bound::Included(&least) => Some(least),
        Bound::Excluded(&below) => below.checked_add(1),
        Bound::Unbounded => Some(0),
    };
    let most = match range.end_bound() {
        Bound::Included(&most) => Some(most),
        Bound::Excluded(&above) => above.checked_sub(1),
        Bound::Unbounded => Some(usize::MAX),
    };
    let (least, most) = least.zip(most).unwrap_or((1, 0));
    least..=most
}

/// Fails if no number is within the bounds.
fn check_bounds(bounds: &RangeInclusive<usize>) -> Result<(), String> {
    if bounds.is_empty() { Err(format!("the range {bounds:?} is empty")) } else { Ok(()) }
}

/// Fails if no variable has the value. Without variables there is nothing to check.
fn check_value(arities: &[usize], value: usize) -> Result<(), String> {
    match arities.iter().max() {
        Some(&arity) if value >= arity => Err(format!("no variable has the value {value}")),
        _ => Ok(()),
    }
}
