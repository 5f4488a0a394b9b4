//! The error for a panic of a spec: the state and the value at which it occurs.

use super::input::{ExpansionInput, ForcedPolicy};
use super::{CHAIN_LENGTH_LIMIT, SpecExpander};
use crate::BuildError;
use crate::error::{call_again, describe_after_panic, panic_message};
use crate::frontier::child_records::ChildRecords;
use crate::frontier::table::Table;
use crate::spec::{DdSpec, ErasedSpec, ErasedState, Forced, Step};
use std::any::Any;
use std::ops::Range;
use std::panic::resume_unwind;

impl<Spec: DdSpec> SpecExpander<'_, Spec> {
    /// Returns the error for a panic of the spec. Expands the states of the range again, one by
    /// one, to find the state and the value, so the sweep need not record its position. Resumes the
    /// panic if it does not occur again.
    #[cold]
    #[inline(never)]
    pub(super) fn locate_panic(
        &self,
        level: &ExpansionInput<'_>,
        table: &Table<Spec::State>,
        mut range: Range<usize>,
        out: &mut ChildRecords,
        panic: Box<dyn Any + Send>,
    ) -> BuildError {
        let panics = |index: &usize| {
            out.reset(level.variable, level.ones_width, level.routing.adjacent_partitions);
            let state = *index..index + 1;
            call_again(|| self.expand_range(level, table, state, u64::MAX, out)).is_none()
        };
        let Some(index) = range.find(panics) else { resume_unwind(panic) };
        // The panic may be one of `Clone`.
        let copy = call_again(|| ErasedState::new(table.records[index].clone()));
        let Some(state) = copy else { resume_unwind(panic) };
        panic_error(ErasedSpec::new(self.spec), &state, level, &*panic)
    }
}

/// The error for a panic of the spec at a state.
fn panic_error(
    spec: ErasedSpec<'_>,
    state: &ErasedState,
    level: &ExpansionInput<'_>,
    panic: &(dyn Any + Send),
) -> BuildError {
    let values = || 0..level.arities.get(level.variable).min(MAX_VALUES);
    let child = |value: usize| call_again(|| spec.child(state, level.variable, value));
    let value = values().find(|&value| child(value).is_none());
    // Otherwise it was perhaps `forced` of a state that was followed.
    let forced = |value| find_panic_of_forced(spec, child(value)?, level.arities.num_vars());
    let may_be = value.is_none() && level.forced_policy != ForcedPolicy::None;
    let of_forced = if may_be { values().find_map(forced) } else { None };
    let followed = of_forced.as_ref().map(|(variable, state)| (*variable, state));
    let (variable, state) = followed.unwrap_or((level.variable, state));
    BuildError::SpecPanicked {
        variable,
        value,
        state: describe_after_panic(|| spec.describe(state)),
        message: panic_message(panic),
    }
}

/// The first state on the path of forced values after a step at which `forced` panics, with its
/// variable.
fn find_panic_of_forced(
    spec: ErasedSpec<'_>,
    mut step: Step<ErasedState>,
    num_vars: usize,
) -> Option<(usize, ErasedState)> {
    for _ in 0..CHAIN_LENGTH_LIMIT {
        let Step::To(to, state) = step else { break };
        if to >= num_vars {
            break;
        }
        step = match call_again(|| spec.forced(&state, to)) {
            None => return Some((to, state)),
            Some(Forced::Value(_, next)) => next,
            Some(Forced::Free | Forced::Dead) => break,
        };
    }
    None
}

/// The number of values that are tried to find the one at which a spec panicked.
const MAX_VALUES: usize = 1 << 16;
