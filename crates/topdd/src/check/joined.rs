//! A check of specs whose states are joined.

#[cfg(test)]
mod tests;

use super::verify::{Verification, Verified, VerifyError};
use crate::error::caught;
use crate::spec::{JoinSpec, Step};
use crate::{BuildError, Frontier, Portable, Rule};
use std::collections::{BTreeMap, HashMap};
use thiserror::Error;

/// The number of joined parts of a state of which all pairs and triples are joined.
const JOINED: usize = 6;

/// Checks a [`JoinSpec`] against a predicate on assignments, level by level, and builds its diagram.
///
/// | checked | how |
/// | --- | --- |
/// | `join` | it is commutative and associative, on up to six of the [joined parts](JoinSpec::Joined) that arrive at each state, compared by their encoding |
/// | `child` | two equal calls return the same step |
/// | the meaning | the diagram, by [`Verification`], under [`Rule::ZeroSuppressed`] |
///
/// Cost: memory for the states that are reached and not yet expanded, and a verification of the diagram.
///
/// ```
/// use topdd::check::{self, JoinError};
/// use topdd::spec::JoinSpec;
/// use topdd::Step;
///
/// /// All subsets of four numbers; the joined part is a mean, which depends on the order.
/// struct Mean;
/// impl JoinSpec for Mean {
///     type State = ();
///     type Joined = u32;
///     fn num_vars(&self) -> usize { 4 }
///     fn root(&self) -> Step<((), u32)> { Step::To(0, ((), 8)) }
///     fn child(&self, _: &(), mean: &u32, at: usize, value: usize) -> Step<((), u32)> {
///         if at == 3 { Step::One } else { Step::To(at + 1, ((), mean * (2 + value as u32))) }
///     }
///     fn join(one: &u32, other: &u32) -> u32 { (one + other) / 2 }
/// }
/// let error = check::joined(&Mean, |_| true).unwrap_err();
/// assert!(matches!(error, JoinError::NotAssociative { .. }));
/// ```
///
/// # Errors
///
/// The first breach, or else the error of the verification.
pub fn joined<J: JoinSpec>(
    spec: &J,
    predicate: impl Fn(&[usize]) -> bool + Sync,
) -> Result<Verified, JoinError> {
    spec.validate().map_err(|message| BuildError::InvalidSpec { message })?;
    caught(|| check_levels(spec))?;
    let zdd = Frontier::joining(spec).zdd()?;
    Ok(Verification::new().under(Rule::ZeroSuppressed).run(&zdd, predicate)?)
}

/// What a check of a [`JoinSpec`] found. States are given as text, as [`JoinSpec::describe`] writes them.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The spec breaks the contract of all specs, or it or the predicate panics.
    #[error(transparent)]
    Spec(#[from] BuildError),

    /// `join` depends on the order of two parts.
    #[error("at variable {variable}, `join` of {} and {} depends on their order; it must be commutative", parts[0], parts[1])]
    NotCommutative {
        /// The variable.
        variable: usize,
        /// The states with the parts.
        parts: [String; 2],
    },

    /// `join` depends on which of three parts it joins first.
    #[error("at variable {variable}, `join` of {}, {} and {} depends on which two come first; it must be associative", parts[0], parts[1], parts[2])]
    NotAssociative {
        /// The variable.
        variable: usize,
        /// The states with the parts.
        parts: [String; 3],
    },

    /// `child` returns another step when it is called again.
    #[error(
        "value {value} of variable {variable} has another step when `child` is called again, from {state}; it must be pure"
    )]
    Impure {
        /// The variable.
        variable: usize,
        /// Its value.
        value: usize,
        /// The state.
        state: String,
    },

    /// The diagram differs from the predicate.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

fn bytes(value: &impl Portable) -> Vec<u8> {
    let mut out = Vec::new();
    value.write(&mut out);
    out
}

/// A state with the join of all parts that arrive, and the first parts.
struct JoinedState<J: JoinSpec> {
    state: J::State,
    joined: J::Joined,
    first: Vec<J::Joined>,
}

/// The states of a level in the order of their first arrivals.
struct JoinedLevel<J: JoinSpec> {
    states: Vec<JoinedState<J>>,
    index: HashMap<J::State, usize>,
}

impl<J: JoinSpec> JoinedLevel<J> {
    fn add(&mut self, state: J::State, part: J::Joined) {
        if let Some(&place) = self.index.get(&state) {
            let JoinedState { joined, first, .. } = &mut self.states[place];
            *joined = J::join(joined, &part);
            if first.len() < JOINED {
                first.push(part);
            }
            return;
        }
        self.index.insert(state.clone(), self.states.len());
        self.states.push(JoinedState { state, joined: part.clone(), first: vec![part] });
    }
}

/// Applies the procedure that defines the family. Stops at a step out of range, which the sweep reports.
fn check_levels<J: JoinSpec>(spec: &J) -> Result<(), JoinError> {
    let new = || JoinedLevel::<J> { states: Vec::new(), index: HashMap::new() };
    let mut levels: BTreeMap<usize, JoinedLevel<J>> = BTreeMap::new();
    if let Step::To(variable, (state, part)) = spec.root() {
        levels.entry(variable).or_insert_with(new).add(state, part);
    }
    while let Some((variable, level)) = levels.pop_first() {
        if variable >= spec.num_vars() {
            return Ok(());
        }
        for JoinedState { state, joined, first } in level.states {
            check_laws(spec, variable, &state, &first)?;
            for value in 0..spec.arity(variable) {
                let step = spec.child(&state, &joined, variable, value);
                let again = spec.child(&state, &joined, variable, value);
                let encoded = |step: &Step<(J::State, J::Joined)>| {
                    step.clone().map(|(state, part)| (bytes(&state), bytes(&part)))
                };
                if encoded(&step) != encoded(&again) {
                    let state = spec.describe(&state, &joined);
                    return Err(JoinError::Impure { variable, value, state });
                }
                let Step::To(to, (next, part)) = step else { continue };
                if to <= variable {
                    return Ok(());
                }
                levels.entry(to).or_insert_with(new).add(next, part);
            }
        }
    }
    Ok(())
}

/// Fails if `join` depends on the order of the parts that arrive at a state.
fn check_laws<J: JoinSpec>(
    spec: &J,
    variable: usize,
    state: &J::State,
    parts: &[J::Joined],
) -> Result<(), JoinError> {
    let text = |part: &J::Joined| spec.describe(state, part);
    for (at, one) in parts.iter().enumerate() {
        for other in &parts[at + 1..] {
            let both = J::join(one, other);
            if bytes(&both) != bytes(&J::join(other, one)) {
                let parts = [one, other].map(text);
                return Err(JoinError::NotCommutative { variable, parts });
            }
            for third in parts {
                let last = J::join(&both, third);
                if bytes(&last) != bytes(&J::join(one, &J::join(other, third))) {
                    let parts = [one, other, third].map(text);
                    return Err(JoinError::NotAssociative { variable, parts });
                }
            }
        }
    }
    Ok(())
}
