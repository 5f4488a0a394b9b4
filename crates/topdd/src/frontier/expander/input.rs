//! The input of an expansion, and the checks of what the spec returns.

use crate::BuildError;
use crate::frontier::child_records::{GroupOutput, TO_ONE};
use crate::frontier::monitor::Watch;
use crate::frontier::payload::{Attacher, Payload};
use crate::frontier::rank::Rank;
use crate::number::{ANY_WIDTH, limbs};
use crate::spec::{Arities, Rule};
use std::ops::ControlFlow;

/// The forced states that are not stored: an edge to one leads to its successor instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::frontier) enum ForcedPolicy {
    /// None: forced states are stored like others.
    None,
    /// States that must take 0. They are no nodes of a zero-suppressed diagram.
    Zeros,
    /// States that must take 0, and on each edge as many states as a [`ForcedChain`] can contain that
    /// must take 1 of two values and do not lead to the 1-terminal. The latter are nodes; their chain and
    /// their successor identify them (see [`Incoming`](crate::frontier::level::Incoming)).
    Nodes,
    /// All, up to [`CHAIN_LENGTH_LIMIT`] on each edge. For sweeps that store no edges.
    All,
}

impl ForcedPolicy {
    /// The policy of a sweep. `in_parts` is whether the diagram may be stored or reduced in parts.
    pub(in crate::frontier) fn new(rule: Rule, payload: &dyn Payload, in_parts: bool) -> Self {
        match rule {
            Rule::AnyValue => ForcedPolicy::None,
            Rule::ZeroSuppressed if payload.lanes(0) > 0 => ForcedPolicy::All,
            Rule::ZeroSuppressed if in_parts => ForcedPolicy::Zeros,
            Rule::ZeroSuppressed => ForcedPolicy::Nodes,
        }
    }
}

/// The work between two checks of the watch, as a number of states, edges, and values tried. With
/// [`CHAIN_LENGTH_LIMIT`] forced states for each edge, this is up to 65 536 calls of the spec.
pub(super) const WATCH_WORK: usize = 1 << 10;

/// The input of expansion other than the states: the properties of the level and its successors.
pub(in crate::frontier) struct ExpansionInput<'a> {
    pub(in crate::frontier) arities: &'a Arities,
    /// Whether all variables have two values, which spares a look at the arities for each forced
    /// value.
    pub(in crate::frontier) two_valued: bool,
    pub(in crate::frontier) watch: &'a Watch,
    pub(in crate::frontier) variable: usize,
    pub(in crate::frontier) payload: &'a dyn Payload,
    /// [`Payload::steps`] and [`Payload::skips`].
    pub(in crate::frontier) steps: bool,
    pub(in crate::frontier) skips: bool,
    /// The number of words of its states.
    pub(in crate::frontier) width: usize,
    /// The number of words of [`GroupOutput::ones`].
    pub(in crate::frontier) ones_width: usize,
    /// As [`LevelExpansion::end`](crate::frontier::expansion::LevelExpansion::end).
    pub(in crate::frontier) end: usize,
    /// The forced states that are not stored.
    pub(in crate::frontier) forced_policy: ForcedPolicy,
    pub(in crate::frontier) routing: Routing<'a>,
}

/// The processes and the partitions that store the children of a level.
pub(in crate::frontier) struct Routing<'a> {
    /// The rank of the process that expands the states.
    pub(in crate::frontier) rank: Rank,
    /// The number of partitions of the next level.
    pub(in crate::frontier) adjacent_partitions: usize,
    /// Returns the number of partitions of a level beyond the next, from its variable.
    pub(in crate::frontier) partitions_of: &'a (dyn Fn(usize) -> usize + Sync),
}

/// The output of a group apart from its records. The two references are passed in registers.
pub(super) struct GroupSink<'a> {
    pub(super) output: &'a mut GroupOutput,
    pub(super) attacher: &'a mut Attacher,
}

impl ExpansionInput<'_> {
    /// Combines the words of an edge to the 1-terminal into the words of the output. Returns the
    /// destination byte of the edge, if it is not dropped.
    // Inlined for the reason given at `SpecExpander::follow_forced`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(super) fn send_one<const WIDTH: usize, const EDGES: bool>(
        &self,
        value: usize,
        words: &[u64],
        GroupSink { output, attacher }: GroupSink<'_>,
    ) -> Option<u8> {
        if WIDTH == ANY_WIDTH && self.steps {
            let words = attacher.attach(self.payload, words, self.variable, value, self.end);
            if self.payload.is_dead(words) {
                return None;
            }
            if output.ones_edges == 0 {
                output.ones[..words.len()].copy_from_slice(words);
            } else {
                self.payload.combine(self.end, &mut output.ones, words);
            }
        } else if !EDGES {
            limbs::add(&mut output.ones, words);
        }
        output.ones_edges += 1;
        Some(TO_ONE)
    }

    /// Returns the end of the values that may be visited before this is called again. Breaks with
    /// an error if `value` is out of range or out of order, or if the run must stop.
    #[cold]
    #[inline(never)]
    pub(super) fn check_value(
        &self,
        value: usize,
        next_value: usize,
        describe: &dyn Fn() -> String,
    ) -> ControlFlow<Box<BuildError>, usize> {
        let (variable, arity) = (self.variable, self.arities.get(self.variable));
        let checked = if value >= next_value && value < arity {
            self.watch.check(Some(variable))
        } else {
            // A value out of range is wrong regardless of the one before it.
            let previous = next_value.checked_sub(1).filter(|_| value < arity);
            Err(BuildError::BadValue { variable, value, previous, arity, state: describe() })
        };
        match checked {
            Ok(()) => ControlFlow::Continue(arity.min(value + WATCH_WORK)),
            Err(error) => ControlFlow::Break(Box::new(error)),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn bad_step(
        &self,
        value: usize,
        to: usize,
        state: String,
    ) -> ControlFlow<Box<BuildError>> {
        let (variable, num_vars) = (self.variable, self.arities.num_vars());
        ControlFlow::Break(Box::new(BuildError::BadStep { variable, value, to, num_vars, state }))
    }
}
