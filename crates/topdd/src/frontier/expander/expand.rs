//! The inner loop of a sweep: expanding states, and sorting their children by destination.

use super::{
    CHAIN_LENGTH_LIMIT, CHAIN_SPAN, ExpansionInput, ForcedPolicy, GroupSink, SpecExpander,
    WATCH_WORK,
};
use crate::BuildError;
use crate::frontier::child_records::{Destinations, GroupOutput, TO_LONG, TypedLists};
use crate::frontier::states::{Rank, StateType};
use crate::frontier::unreduced::{ForcedChain, LongTarget, ShapeWriter};
use crate::number::{self, ANY_WIDTH};
use crate::spec::{DdSpec, Forced, Step};
use std::ops::ControlFlow;

/// A spec and the type of its states. The two references are passed in registers.
pub(super) struct TypedSpec<'a, Spec: DdSpec> {
    pub(super) spec: &'a Spec,
    pub(super) state_type: &'a StateType<Spec::State>,
}

/// The target of an edge.
struct ExpandedChild<S> {
    to: usize,
    /// The forced nodes on the way.
    chain: ForcedChain,
    state: S,
}

/// The source of an edge: its value, the words of its state, and their magnitude.
#[derive(Clone, Copy)]
struct EdgeSource<'a> {
    value: usize,
    words: &'a [u64],
    magnitude: f64,
}

impl<Spec: DdSpec> SpecExpander<Spec> {
    /// [`Expander::expand`], for states with `WIDTH` words, or with any number of words if that is
    /// [`ANY_WIDTH`]. `EDGES` is whether the sweep stores edges.
    // With references as arguments the compiler can assume that nothing writes to their targets.
    pub(super) fn expand_states<const WIDTH: usize, const EDGES: bool>(
        TypedSpec { spec, state_type }: TypedSpec<'_, Spec>,
        level: &ExpansionInput<'_>,
        states: &[Spec::State],
        mut all_words: &[u64],
        most_edges: u64,
        lists: &mut TypedLists<Spec::State>,
        GroupSink { output, attacher }: GroupSink<'_>,
    ) -> Result<usize, BuildError> {
        let variable = level.variable;
        let arity = level.arities.get(variable);
        let num_vars = level.arities.num_vars();
        let follows = level.forced_policy != ForcedPolicy::None;
        let mut shapes = ShapeWriter::new(arity);
        // A spec may try many values to find few edges.
        let work_per_state = 1 + arity / 16;
        let mut work = WATCH_WORK;
        let mut expanded = 0;
        let width = if WIDTH == ANY_WIDTH { level.width } else { WIDTH };
        let lanes = if WIDTH == ANY_WIDTH { level.payload.lanes(variable).max(1) } else { 1 };
        let steps = WIDTH == ANY_WIDTH && level.steps;
        let first_end = arity.min(WATCH_WORK);
        for state in states {
            if work >= WATCH_WORK {
                level.watch.check(Some(variable))?;
                work = 0;
            }
            if output.edges >= most_edges {
                break;
            }
            let edges_before = output.edges;
            let (words, rest) = all_words.split_at(width);
            all_words = rest;
            let magnitude = number::magnitude(lanes, words);
            // The next value that may be visited, and the end of those before the next check.
            let (mut next_value, mut end) = (0, first_end);
            let flow = spec.for_each_child(state, variable, |value, step| {
                if value < next_value || value >= end {
                    end = level.check_value(value, next_value, &|| spec.describe(state))?;
                }
                next_value = value + 1;
                if steps {
                    attacher.forced.clear();
                }
                let (step, chain) = match step {
                    Step::To(to, _) if to <= variable || to >= num_vars => {
                        return level.bad_step(value, to, spec.describe(state));
                    }
                    Step::To(to, state) if follows => {
                        let forced = if steps { Some(&mut attacher.forced) } else { None };
                        let far = &mut output.destinations.furthest;
                        Self::follow_forced(spec, level, to, state, forced, far)
                    }
                    step => (step, ForcedChain::EMPTY),
                };
                let destination = match step {
                    Step::Zero => None,
                    Step::One => {
                        let sink = GroupSink { output: &mut *output, attacher: &mut *attacher };
                        level.send_one::<WIDTH, EDGES>(value, words, sink)
                    }
                    Step::To(to, state) => {
                        let child = ExpandedChild { to, chain, state };
                        let source = EdgeSource { value, words, magnitude };
                        let sink = GroupSink { output: &mut *output, attacher: &mut *attacher };
                        Self::send::<WIDTH, EDGES>(state_type, level, child, source, lists, sink)
                    }
                };
                let Some(destination) = destination else { return ControlFlow::Continue(()) };
                output.edges += 1;
                if EDGES {
                    shapes.edge(value as u32);
                    output.edge_bytes.push(destination);
                }
                ControlFlow::Continue(())
            });
            if EDGES {
                shapes.end_node(&mut output.shapes);
                output.destinations.end_node(variable);
            }
            if let ControlFlow::Break(error) = flow {
                return Err(*error);
            }
            expanded += 1;
            work += work_per_state + (output.edges - edges_before) as usize;
        }
        output.nodes += expanded;
        Ok(expanded)
    }

    /// Adds a child to the list of its destination. Returns the destination byte of its edge, if it
    /// is not dropped.
    // Inlined for the reason given at `follow_forced`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn send<const WIDTH: usize, const EDGES: bool>(
        state_type: &StateType<Spec::State>,
        level: &ExpansionInput<'_>,
        child: ExpandedChild<Spec::State>,
        source: EdgeSource<'_>,
        lists: &mut TypedLists<Spec::State>,
        GroupSink { output, attacher }: GroupSink<'_>,
    ) -> Option<u8> {
        let ExpandedChild { to, chain, state } = child;
        let EdgeSource { value, mut words, magnitude } = source;
        let skips = level.skips && to > level.variable + 1;
        if WIDTH == ANY_WIDTH && (level.steps || skips) {
            words = attacher.attach(level.payload, words, level.variable, value, to);
            // See `Payload::is_dead` for states that are joined.
            if !state_type.joins() && level.payload.is_dead(words) {
                return None;
            }
        }
        output.heap += state_type.heap_bytes(&state);
        let mut route = None;
        if level.routing.rank.size > 1 {
            // With several processes, routes are portable.
            let at = StateType::portable_route(state_type.codec(), &state, &mut output.encoded);
            let own = level.routing.rank;
            let rank = Rank { rank: at.rank(own.size), ..own };
            if rank.rank != own.rank {
                let child = ExpandedChild { to, chain: ForcedChain::BETWEEN_PROCESSES, state };
                let sent = Self::send_away::<EDGES>(rank, child, words, magnitude, lists, output);
                return Some(sent);
            }
            route = Some(at);
        }
        // A test of its own, not the one of an option: that took two percent more time.
        let is_adjacent = to == level.variable + 1;
        let mut index = 0;
        let of_level = if is_adjacent {
            &mut lists.adjacent
        } else {
            let chain = if EDGES { chain } else { ForcedChain::EMPTY };
            let open = || lists.open((level.routing.partitions_of)(to));
            index = output.destinations.find_or_open(to, chain, open);
            &mut lists.long[index]
        };
        let partition = match route {
            Some(route) => route.partition(of_level.len()),
            None => state_type.partition(&state, of_level.len(), &mut output.encoded),
        };
        of_level[partition].push(words.len(), state, words);
        if !EDGES {
            let Destinations { next, long, .. } = &mut output.destinations;
            (if is_adjacent { next } else { &mut long[index] }).magnitude += magnitude;
        }
        if is_adjacent {
            return Some(partition as u8);
        }
        if EDGES {
            let (entry, partition) = (index as u32, partition as u8);
            output.long.push(LongTarget { entry, partition });
        }
        Some(TO_LONG)
    }

    /// Adds a child to the records for the process that stores it, whose rank is given. Returns the
    /// destination byte of its edge.
    #[inline(never)]
    fn send_away<const EDGES: bool>(
        Rank { rank, size }: Rank,
        ExpandedChild { to, chain, state }: ExpandedChild<Spec::State>,
        words: &[u64],
        magnitude: f64,
        lists: &mut TypedLists<Spec::State>,
        output: &mut GroupOutput,
    ) -> u8 {
        let index = output.destinations.find_or_open(to, chain, || lists.open(size));
        lists.long[index][rank].push(words.len(), state, words);
        output.destinations.long[index].magnitude += magnitude;
        if EDGES {
            let (entry, partition) = (index as u32, rank as u8);
            output.long.push(LongTarget { entry, partition });
        }
        TO_LONG
    }

    /// Follows the forced states from a state. Returns the step to the first state that is stored,
    /// and the chain of the nodes that were followed. `values`, if given, receives the variables
    /// that were followed, each with its value, except those with value 0.
    // Without inlining, a sweep takes a sixth more instructions.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn follow_forced(
        spec: &Spec,
        level: &ExpansionInput<'_>,
        mut to: usize,
        mut state: Spec::State,
        mut values: Option<&mut Vec<(usize, usize)>>,
        furthest: &mut usize,
    ) -> (Step<Spec::State>, ForcedChain) {
        let num_vars = level.arities.num_vars();
        let mut chain = ForcedChain::EMPTY;
        let mut at_terminal = |to: usize, step| {
            *furthest = to.max(*furthest);
            (step, ForcedChain::EMPTY)
        };
        for _ in 0..CHAIN_LENGTH_LIMIT {
            let (value, next) = match spec.forced(&state, to) {
                Forced::Free => break,
                Forced::Dead => return at_terminal(to, Step::Zero),
                Forced::Value(value, next) => (value, next),
            };
            let mut keep_value = || {
                if let Some(values) = values.as_mut().filter(|_| value > 0) {
                    values.push((to, value));
                }
            };
            let mut next_chain = chain;
            if value > 0 {
                let arity = if level.two_valued { 2 } else { level.arities.get(to) };
                if value >= arity {
                    break;
                }
                if level.forced_policy != ForcedPolicy::All {
                    if level.forced_policy != ForcedPolicy::Nodes || arity != 2 {
                        break;
                    }
                    let Some(extended) = chain.extended(to) else { break };
                    next_chain = extended;
                }
            }
            match next {
                // A step that breaks the contract is reported when the forced state is expanded.
                Step::To(beyond, after) if beyond > to && beyond < num_vars => {
                    if !next_chain.is_empty() && beyond > level.variable + CHAIN_SPAN {
                        break;
                    }
                    keep_value();
                    to = beyond;
                    state = after;
                    chain = next_chain;
                }
                Step::Zero => return at_terminal(to, Step::Zero),
                Step::One if next_chain.is_empty() => {
                    keep_value();
                    return at_terminal(to, Step::One);
                }
                Step::One | Step::To(..) => break,
            }
        }
        (Step::To(to, state), chain)
    }
}
