//! Violations of the contract of a spec.

use thiserror::Error;

use crate::spec::{Arities, where_roots_go};
use crate::{BuildError, DdSpec, Step};

/// A breach of the contract of [`DdSpec`].
///
/// States are given as text, as [`DdSpec::describe`] writes them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// [`DdSpec::validate`] refuses the spec.
    #[error("the spec is invalid: {message}")]
    Invalid {
        /// The message of `validate`.
        message: String,
    },

    /// A variable has no values at all.
    #[error("variable {variable} has arity 0; every variable needs at least one value")]
    NoValues {
        /// The variable without values.
        variable: usize,
    },

    /// The root is a state at a variable that does not exist.
    #[error(
        "the root is at variable {to}, but variables are 0..{num_vars} (state {state}); {}",
        where_roots_go(*to)
    )]
    RootOutOfRange {
        /// The variable the root names.
        to: usize,
        /// The number of variables.
        num_vars: usize,
        /// The root state.
        state: String,
    },

    /// A step leads to the variable it leaves or to an earlier one.
    #[error(
        "value {value} of variable {variable} leads backwards, to variable {to}, \
         from state {state}; a step must lead to a later variable"
    )]
    Backwards {
        /// The variable the step leaves.
        variable: usize,
        /// The value taken there.
        value: usize,
        /// The state the step leaves.
        state: String,
        /// The variable the step names.
        to: usize,
    },

    /// A step leads to a variable that does not exist.
    #[error(
        "value {value} of variable {variable} leads to variable {to} from state {state}, \
         but variables are 0..{num_vars}; after the last variable return `Step::One`"
    )]
    OutOfRange {
        /// The variable the step leaves.
        variable: usize,
        /// The value taken there.
        value: usize,
        /// The state the step leaves.
        state: String,
        /// The variable the step names.
        to: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// `for_each_child` and `child` return different steps, or `for_each_child` leaves out a value
    /// whose step is not the 0-terminal.
    #[error(
        "at variable {variable} in state {state}, value {value}: `child` returns {child}, \
         but `for_each_child` {visited}"
    )]
    ChildrenDiffer {
        /// The variable of the state.
        variable: usize,
        /// The value at which the two differ.
        value: usize,
        /// The state.
        state: String,
        /// The step that `child` returns, as text.
        child: String,
        /// The step that `for_each_child` visits, as text.
        visited: String,
    },

    /// `child` returned different steps for the same state, variable and value.
    #[error(
        "`child` returns {first} for value {value} of variable {variable} in state {state}, and \
         {second} when it is called again; it must be a pure function"
    )]
    Impure {
        /// The variable of the state.
        variable: usize,
        /// The value.
        value: usize,
        /// The state.
        state: String,
        /// The step returned first, as text.
        first: String,
        /// The step returned by the second call, as text.
        second: String,
    },

    /// [`DdSpec::merge`] returns a state without a completion of one of the two states.
    #[error(
        "at variable {variable}, {states} are merged to {merged}, which loses {completion}; the merge must have all \
         completions of both"
    )]
    MergeLoses {
        /// The variable of the states.
        variable: usize,
        /// The two states.
        states: String,
        /// The state that `merge` returns.
        merged: String,
        /// The values of a completion from `variable` on, and the state that has it.
        completion: String,
    },

    /// A method of the spec panicked.
    #[error(
        "the spec panicked in `{method}`{}: {message}{}",
        match (variable, value) {
            (Some(variable), Some(value)) => format!(" at value {value} of variable {variable}"),
            (Some(variable), None) => format!(" at variable {variable}"),
            (None, _) => String::new(),
        },
        match state { Some(state) => format!("; state: {state}"), None => String::new() }
    )]
    Panicked {
        /// The method.
        method: &'static str,
        /// The variable passed to it.
        variable: Option<usize>,
        /// The value passed to it.
        value: Option<usize>,
        /// The state passed to it, as [`DdSpec::describe`] writes it.
        state: Option<String>,
        /// The message of the panic.
        message: String,
    },

    /// `for_each_child` visits a value that is not greater than the value before.
    #[error(
        "`for_each_child` visits value {value} after value {previous}, at variable \
         {variable} in state {state}; values must come in ascending order"
    )]
    ChildrenOutOfOrder {
        /// The variable of the state.
        variable: usize,
        /// The value visited.
        value: usize,
        /// The value visited just before it.
        previous: usize,
        /// The state.
        state: String,
    },

    /// `for_each_child` visits a value the variable does not have.
    #[error(
        "`for_each_child` visits value {value} of variable {variable} in state {state}, \
         but that variable takes values 0..{arity}"
    )]
    ValueOutsideArity {
        /// The variable of the state.
        variable: usize,
        /// The value visited.
        value: usize,
        /// The number of values of the variable.
        arity: usize,
        /// The state.
        state: String,
    },

    /// Two states are equal, but a value leads from them to different steps.
    #[error(
        "equal states at variable {variable} have different futures: value {value} leads from \
         {one}, but from {other}; equal states are merged, so `Eq` and `Hash` must see all \
         that the future depends on"
    )]
    EqualStatesDiffer {
        /// The variable of the states.
        variable: usize,
        /// The value with different steps.
        value: usize,
        /// One state, how it was reached, and where the value leads, as text.
        one: String,
        /// The same for the other state.
        other: String,
    },

    /// `forced` returns a value that is not the only one with a step other than the 0-terminal, or
    /// a wrong step of it.
    #[error(
        "at variable {variable} `forced` says that state {state} must take {value} to {step}, but \
         {way}; it must return a value with its step, and only where all others lead to \
         the 0-terminal"
    )]
    ForcedDiffers {
        /// The variable of the state.
        variable: usize,
        /// The state.
        state: String,
        /// The value that `forced` returns.
        value: usize,
        /// The step that `forced` returns, as text.
        step: String,
        /// The fault, as text.
        way: String,
    },

    /// `forced` returns [`Forced::Dead`](crate::Forced::Dead) for a state that has a solution.
    #[error(
        "at variable {variable} `forced` returns `Dead` for state {state}, but a solution follows \
         from it; it must return `Dead` only where no value leads to a solution"
    )]
    ForcedDead {
        /// The variable of the state.
        variable: usize,
        /// The state.
        state: String,
    },

    /// [`like`](crate::DdSpec::like) names an earlier variable that is not like the later one.
    #[error(
        "`like` says that variable {variable} is like variable {earlier}, but for state {state} {difference}; \
         it must name an earlier variable with the same steps, moved by the distance of the two"
    )]
    NotAlike {
        /// The later variable.
        variable: usize,
        /// The variable that `like` returns.
        earlier: usize,
        /// The state.
        state: String,
        /// The difference, as text.
        difference: String,
    },

    /// Two states are equal, but have different hashes.
    #[error(
        "states {one} and {other} at variable {variable} are equal, but `Hash` \
         differs; equal states must have equal hashes"
    )]
    HashesDiffer {
        /// The variable of the states.
        variable: usize,
        /// One state.
        one: String,
        /// The other.
        other: String,
    },

    /// Two states are different, but have the same hash under each of two hashers: `Hash` ignores a
    /// part that `Eq` compares. The result is right, but merging such states takes quadratic time. Reported by
    /// [`verify`](crate::check::verify) only.
    #[error(
        "states {one} and {other} at variable {variable} are different, but have the same hash; \
         `Hash` must see what `Eq` sees, or merging takes quadratic time"
    )]
    HashesCollide {
        /// The variable of the states.
        variable: usize,
        /// One state.
        one: String,
        /// The other.
        other: String,
    },
}

/// Fails if the spec is invalid or a variable has no values.
pub(crate) fn check_universe<S: DdSpec>(spec: &S) -> Result<(), Violation> {
    let arities = Arities::from_spec(spec).map_err(|error| match error {
        BuildError::BadArity { variable, arity: 0, .. } => Violation::NoValues { variable },
        BuildError::InvalidSpec { message } => Violation::Invalid { message },
        error => Violation::Invalid { message: error.to_string() },
    });
    arities.map(drop)
}

/// Fails if the root is at a variable that does not exist.
pub(crate) fn check_root<S: DdSpec>(spec: &S, root: &Step<S::State>) -> Result<(), Violation> {
    match root {
        Step::To(to, state) if *to >= spec.num_vars() => Err(Violation::RootOutOfRange {
            to: *to,
            num_vars: spec.num_vars(),
            state: spec.describe(state),
        }),
        _ => Ok(()),
    }
}

/// Fails if a step, from `state` at `variable` by `value`, leads backwards or out of range.
pub(crate) fn check_step<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
    value: usize,
    step: &Step<S::State>,
) -> Result<(), Violation> {
    let num_vars = spec.num_vars();
    match *step {
        Step::To(to, _) if to <= variable => {
            Err(Violation::Backwards { variable, value, state: spec.describe(state), to })
        }
        Step::To(to, _) if to >= num_vars => Err(Violation::OutOfRange {
            variable,
            value,
            state: spec.describe(state),
            to,
            num_vars,
        }),
        _ => Ok(()),
    }
}

/// The number of repeated calls of `child` after another breach is found, which an impure `child` may cause.
pub(crate) const REPEATS: usize = 1000;

/// Fails if `child` returns another step than `step` when it is called again, `repeats` times.
pub(crate) fn check_pure<S: DdSpec>(
    spec: &S,
    state: &S::State,
    variable: usize,
    value: usize,
    step: &Step<S::State>,
    repeats: usize,
) -> Result<(), Violation> {
    let mut repeated = (0..repeats).map(|_| spec.child(state, variable, value));
    match repeated.find(|again| again != step) {
        None => Ok(()),
        Some(again) => Err(Violation::Impure {
            variable,
            value,
            state: spec.describe(state),
            first: describe_step(spec, step),
            second: describe_step(spec, &again),
        }),
    }
}

/// The violation of two equal states, each with a note, whose steps differ at a value. The cause may also be an impure
/// `child`.
pub(crate) fn equal_states_differ<S: DdSpec>(
    spec: &S,
    variable: usize,
    value: usize,
    states: [&S::State; 2],
    notes: [String; 2],
    steps: [&Step<S::State>; 2],
) -> Violation {
    let sides = || states.into_iter().zip(steps);
    let mut pure =
        sides().map(|(state, step)| check_pure(spec, state, variable, value, step, REPEATS));
    if let Some(impure) = pure.find_map(Result::err) {
        return impure;
    }
    let mut texts = sides().zip(notes).map(|((state, step), note)| {
        format!("{}{note} to {}", spec.describe(state), describe_step(spec, step))
    });
    let (one, other) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
    Violation::EqualStatesDiffer { variable, value, one, other }
}

/// Returns a step as text.
pub(crate) fn describe_step<S: DdSpec>(spec: &S, step: &Step<S::State>) -> String {
    match step {
        Step::Zero => "the 0-terminal".to_owned(),
        Step::One => "the 1-terminal".to_owned(),
        Step::To(variable, state) => {
            format!("state {} at variable {variable}", spec.describe(state))
        }
    }
}
