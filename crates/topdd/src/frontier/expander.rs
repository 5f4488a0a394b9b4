//! The expansion of states: calls the spec for their children, and sorts these by destination.

use super::blocks::Blocks;
use super::bound::{self, ANY_WIDTH, has_constant_widths};
use super::chain::ForcedChain;
use super::checks::{CheckedLevel, Checks, check_states};
use super::fingerprint::EncodedSteps;
use super::monitor::Watch;
use super::outbox::{Destinations, GroupOutput, Lists, Outbox, RecordLists, TO_LONG, TO_ONE};
use super::payload::{Attacher, Payload};
use super::remote::Owner;
use super::states::{Needs, Records, RouteHash, StateType, States, Table, of_type};
use super::unreduced::{ShapeWriter, Target};
use crate::BuildError;
use crate::error::panic_message;
use crate::limbs;
use crate::spec::{Arities, Codec, DdSpec, ErasedSpec, ErasedState, Forced, Portable, Rule, Step};
use std::any::Any;
use std::mem::needs_drop;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The interface of a spec to the sweep: expands ranges of states, and makes the containers of
/// states. The rest of the sweep does not depend on the type of the states.
pub(super) trait Expander: EncodedSteps + Sync {
    /// The root step of the spec, with the root state in a partition of its own. `words` returns the
    /// words of the state, from its variable.
    fn root(&self, rule: Rule, words: &mut dyn FnMut(usize) -> Vec<u64>) -> Step<Box<dyn States>>;

    /// The first state of a partition as text.
    fn describe(&self, states: &dyn States) -> String;

    /// An empty container for the states of a partition, each with `width` words.
    fn new_states(&self, width: usize) -> Box<dyn States>;

    /// Empty lists for the records of an outbox.
    fn new_lists(&self) -> Box<dyn RecordLists>;

    /// Whether a state may own memory on the heap.
    fn states_own_memory(&self) -> bool;

    /// Expands a range of states into `out`, and stops early when `out` has `most_edges` edges.
    /// Returns the number of states expanded.
    ///
    /// # Errors
    ///
    /// Fails if the spec breaks its contract or panics, or with the error of the watch, which is
    /// checked after every [`WATCH_WORK`] units of work.
    fn expand(
        &self,
        level: &ExpansionInput<'_>,
        states: &dyn States,
        range: Range<usize>,
        most_edges: u64,
        out: &mut Outbox,
    ) -> Result<usize, BuildError>;

    /// Appends the encodings of some records, and then their words, to `out`. Removes the records.
    /// Returns the number of words of each. There must be one.
    fn encode(&self, records: &mut dyn Records, out: &mut Vec<u8>) -> Result<usize, BuildError>;

    /// Decodes records from another process or a file: encoded states, and then their words, `width`
    /// for each. Adds them to the lists for the next level, whichever level they belong to.
    /// `partition_of` returns the partition of each record, or `None` if the record is not added.
    /// Returns `None` if the bytes are not such records.
    fn decode(
        &self,
        records: &[u8],
        count_and_width: (usize, usize),
        partition_of: &mut dyn FnMut(RouteHash) -> Option<usize>,
        lists: &mut dyn RecordLists,
    ) -> Option<()>;
}

/// [`Expander`] of a spec.
pub(super) struct SpecExpander<'s, Spec: DdSpec> {
    pub(super) spec: &'s Spec,
    pub(super) state_type: Arc<StateType<Spec::State>>,
    checks: Checks,
}

impl<'s, Spec: DdSpec> SpecExpander<'s, Spec> {
    /// `codec` encodes the states, if they can be encoded.
    pub(super) fn new(spec: &'s Spec, codec: Option<Codec<Spec::State>>, needs: Needs) -> Self {
        let state_type = Arc::new(StateType::new(codec, needs));
        SpecExpander { spec, state_type, checks: needs.checks }
    }
}

/// The forced states that are not stored: an edge to one leads to its successor instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForcedPolicy {
    /// None: forced states are stored like others.
    None,
    /// Those that must take 0. They are no nodes of a zero-suppressed diagram.
    Zeros,
    /// Those that must take 0, and on each edge as many as a [`ForcedChain`] can contain of those
    /// that must take 1 of two values and do not lead to the 1-terminal. The latter are nodes;
    /// their chain and their successor identify them (see [`Incoming`](super::level::Incoming)).
    Nodes,
    /// All, up to [`CHAIN_LENGTH_LIMIT`] on each edge. For sweeps that store no edges.
    All,
}

/// The most forced states that are followed on one edge. A stored state is expanded once, but a
/// followed one is computed again for each edge to it.
const CHAIN_LENGTH_LIMIT: usize = 64;
/// The most variables that an edge over a nonempty chain may span. Each chain between two levels
/// has lists of its own, so there should be few.
const CHAIN_SPAN: usize = 16;

/// The input of expansion other than the states: the properties of the level and its successors.
pub(super) struct ExpansionInput<'a> {
    pub(super) arities: &'a Arities,
    /// Whether all variables have two values, which spares a look at the arities for each forced
    /// value.
    pub(super) two_valued: bool,
    pub(super) watch: &'a Watch,
    pub(super) variable: usize,
    pub(super) payload: &'a dyn Payload,
    /// [`Payload::steps`] and [`Payload::skips`].
    pub(super) steps: bool,
    pub(super) skips: bool,
    /// The number of words of its states.
    pub(super) width: usize,
    /// The number of words of [`GroupOutput::ones`].
    pub(super) ones_width: usize,
    /// As [`LevelExpansion::end`](super::expansion::LevelExpansion::end).
    pub(super) end: usize,
    /// The forced states that are not stored.
    pub(super) forced_policy: ForcedPolicy,
    /// The process that expands the states.
    pub(super) owner: Owner,
    /// The number of partitions of the next level.
    pub(super) adjacent_partitions: usize,
    /// Returns the number of partitions of a level beyond the next, from its variable.
    pub(super) partitions_of: &'a (dyn Fn(usize) -> usize + Sync),
}

/// The work between two checks of the watch, as a number of states, edges, and values tried. With
/// [`CHAIN_LENGTH_LIMIT`] forced states for each edge, this is up to 65 536 calls of the spec.
const WATCH_WORK: usize = 1 << 10;

impl<Spec: DdSpec> Expander for SpecExpander<'_, Spec> {
    fn root(&self, rule: Rule, words: &mut dyn FnMut(usize) -> Vec<u64>) -> Step<Box<dyn States>> {
        match self.spec.root_under(rule) {
            Step::Zero => Step::Zero,
            Step::One => Step::One,
            Step::To(to, state) => {
                let words = words(to);
                let mut table = Table::new(&self.state_type, words.len());
                table.find_or_insert(state, &words, None);
                Step::To(to, Box::new(table))
            }
        }
    }

    fn describe(&self, states: &dyn States) -> String {
        self.spec.describe(&Self::table(states).records[0])
    }

    fn new_states(&self, width: usize) -> Box<dyn States> {
        Box::new(Table::new(&self.state_type, width))
    }

    fn new_lists(&self) -> Box<dyn RecordLists> {
        Box::new(Lists::<Spec::State>::new())
    }

    fn states_own_memory(&self) -> bool {
        needs_drop::<Spec::State>()
    }

    fn expand(
        &self,
        level: &ExpansionInput<'_>,
        states: &dyn States,
        range: Range<usize>,
        most_edges: u64,
        out: &mut Outbox,
    ) -> Result<usize, BuildError> {
        let table = Self::table(states);
        let expand = || self.expand_range(level, table, range.clone(), most_edges, out);
        // After a panic the outbox is dropped with the sweep, and the states are only read.
        let expanded = catch_unwind(AssertUnwindSafe(expand));
        expanded.unwrap_or_else(|panic| Err(self.locate_panic(level, table, range, out, panic)))
    }

    fn encode(&self, records: &mut dyn Records, out: &mut Vec<u8>) -> Result<usize, BuildError> {
        let records: &mut Blocks<Spec::State> = of_type(records);
        let (codec, count, mut words) = (self.state_type.codec(), records.len(), Vec::new());
        records.drain(|states, all_words| {
            states.for_each(|state| codec.write(&state, out));
            words.extend_from_slice(all_words);
            Ok(())
        })?;
        for word in &words {
            u64::write(word, out);
        }
        Ok(words.len() / count)
    }

    fn decode(
        &self,
        records: &[u8],
        (count, width): (usize, usize),
        partition_of: &mut dyn FnMut(RouteHash) -> Option<usize>,
        lists: &mut dyn RecordLists,
    ) -> Option<()> {
        let lists: &mut Lists<Spec::State> = of_type(lists);
        let mut encoded = Vec::new();
        let state_type = &*self.state_type;
        state_type.decode(records, count, width, |state, encoding, words| {
            let route = state_type.route_of_decoded((&state, encoding), &mut encoded);
            if let Some(partition) = partition_of(route) {
                lists.adjacent[partition].push(width, state, words);
            }
        })
    }
}

impl<Spec: DdSpec> SpecExpander<'_, Spec> {
    fn table(states: &dyn States) -> &Table<Spec::State> {
        (states as &dyn Any).downcast_ref().expect("all states of a run have one type")
    }

    fn expand_range(
        &self,
        level: &ExpansionInput<'_>,
        table: &Table<Spec::State>,
        range: Range<usize>,
        most_edges: u64,
        out: &mut Outbox,
    ) -> Result<usize, BuildError> {
        let lists = of_type(&mut *out.lists);
        let spec = (self.spec, &*self.state_type);
        let out = (&mut out.output, &mut out.attacher);
        let mut expanded = 0;
        // The record of a long edge over variables that take any value may have more words than its source.
        let is_constant = !level.steps && !level.skips;
        let expand_states = match level.width {
            _ if level.payload.stores_edges() => Self::expand_states::<0, true>,
            1 if const { has_constant_widths::<Spec::State>() } && is_constant => {
                Self::expand_states::<1, false>
            }
            2 if const { has_constant_widths::<Spec::State>() } && is_constant => {
                Self::expand_states::<2, false>
            }
            _ => Self::expand_states::<ANY_WIDTH, false>,
        };
        for slice in table.records.slices(range.clone()) {
            let out = (&mut *out.0, &mut *out.1);
            let of_slice = expand_states(spec, level, slice, most_edges, lists, out)?;
            expanded += of_slice;
            if of_slice < slice.0.len() {
                break;
            }
        }
        if let Some(checks) = self.checks {
            let follows = level.forced_policy != ForcedPolicy::None;
            let level = CheckedLevel {
                arities: level.arities,
                watch: level.watch,
                variable: level.variable,
                chain_length: if follows { CHAIN_LENGTH_LIMIT } else { 0 },
            };
            let range = range.start..range.start + expanded;
            let state = |index| ErasedState::new(table.records[index].clone());
            check_states(&ErasedSpec::new(self.spec), &level, &state, range, checks)?;
        }
        Ok(expanded)
    }

    /// Returns the error for a panic of the spec. Expands the states of the range again, one by
    /// one, to find the state and the value, so the sweep need not record its position. Resumes the
    /// panic if it does not occur again.
    #[cold]
    #[inline(never)]
    fn locate_panic(
        &self,
        level: &ExpansionInput<'_>,
        table: &Table<Spec::State>,
        mut range: Range<usize>,
        out: &mut Outbox,
        panic: Box<dyn Any + Send>,
    ) -> BuildError {
        let panics = |index: &usize| {
            out.reset(level.variable, level.ones_width, level.adjacent_partitions);
            let expand = || self.expand_range(level, table, *index..index + 1, u64::MAX, out);
            catch_unwind(AssertUnwindSafe(expand)).is_err()
        };
        let Some(index) = range.find(panics) else { resume_unwind(panic) };
        // The panic may be one of `Clone`.
        let copy = || ErasedState::new(table.records[index].clone());
        let Ok(state) = catch_unwind(AssertUnwindSafe(copy)) else { resume_unwind(panic) };
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
    let values = || 0..level.arities.get(level.variable).min(MOST_VALUES);
    let child =
        |value: usize| catch_unwind(AssertUnwindSafe(|| spec.child(state, level.variable, value)));
    let value = values().find(|&value| child(value).is_err());
    // Otherwise it was perhaps `forced` of a state that was followed.
    let forced = |value| find_panic_of_forced(spec, child(value).ok()?, level.arities.num_vars());
    let may_be = value.is_none() && level.forced_policy != ForcedPolicy::None;
    let of_forced = if may_be { values().find_map(forced) } else { None };
    let followed = of_forced.as_ref().map(|(variable, state)| (*variable, state));
    let (variable, state) = followed.unwrap_or((level.variable, state));
    let describe = catch_unwind(AssertUnwindSafe(|| spec.describe(state)));
    BuildError::SpecPanicked {
        variable,
        value,
        state: describe.unwrap_or_else(|_| "(describe panicked, too)".to_owned()),
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
        step = match catch_unwind(AssertUnwindSafe(|| spec.forced(&state, to))) {
            Err(_) => return Some((to, state)),
            Ok(Forced::Value(_, next)) => next,
            Ok(Forced::Free | Forced::Dead) => break,
        };
    }
    None
}

/// The number of values that are tried to find the one at which a spec panicked.
const MOST_VALUES: usize = 1 << 16;

impl<Spec: DdSpec> SpecExpander<'_, Spec> {
    /// [`Expander::expand`], for states with `WIDTH` words, or with any number of words if that is
    /// [`ANY_WIDTH`]. `EDGES` is whether the sweep stores edges.
    // With references as arguments the compiler can assume that nothing writes to their targets.
    fn expand_states<const WIDTH: usize, const EDGES: bool>(
        (spec, state_type): (&Spec, &StateType<Spec::State>),
        level: &ExpansionInput<'_>,
        (states, all_words): (&[Spec::State], &[u64]),
        most_edges: u64,
        lists: &mut Lists<Spec::State>,
        (output, attacher): (&mut GroupOutput, &mut Attacher),
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
        let mut all_words = all_words;
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
            let magnitude = bound::magnitude(lanes, words);
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
                        Self::follow_forced(spec, level, (to, state), forced)
                    }
                    step => (step, ForcedChain::EMPTY),
                };
                let destination = match step {
                    Step::Zero => None,
                    Step::One => level.send_one::<WIDTH, EDGES>(value, words, (output, attacher)),
                    Step::To(to, child) => {
                        let edge = (value, words, magnitude);
                        let out = (&mut *lists, &mut *output, &mut *attacher);
                        Self::send::<WIDTH, EDGES>(state_type, level, (to, chain, child), edge, out)
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
        (to, chain, child): (usize, ForcedChain, Spec::State),
        (value, mut words, magnitude): (usize, &[u64], f64),
        out: (&mut Lists<Spec::State>, &mut GroupOutput, &mut Attacher),
    ) -> Option<u8> {
        let (lists, output, attacher) = out;
        let skips = level.skips && to > level.variable + 1;
        if WIDTH == ANY_WIDTH && (level.steps || skips) {
            words = attacher.attach(level.payload, words, (level.variable, value), to);
            // See `Payload::is_dead` for states that are joined.
            if state_type.join.is_none() && level.payload.is_dead(words) {
                return None;
            }
        }
        output.heap += state_type.heap_bytes(&child);
        let mut route = None;
        if level.owner.processes > 1 {
            // With several processes, routes are portable.
            let at = StateType::portable_route(state_type.codec(), &child, &mut output.encoded);
            let processes = level.owner.processes;
            let owner = Owner { process: at.process(processes), processes };
            if owner.process != level.owner.process {
                let record = (child, words, magnitude);
                return Some(Self::send_away::<EDGES>(owner, to, record, lists, output));
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
            let open = || lists.open((level.partitions_of)(to));
            index = output.destinations.find_or_open(to, chain, open);
            &mut lists.long[index]
        };
        let partition = match route {
            Some(route) => route.partition(of_level.len()),
            None => state_type.partition(&child, of_level.len(), &mut output.encoded),
        };
        of_level[partition].push(words.len(), child, words);
        if !EDGES {
            let Destinations { next, long, .. } = &mut output.destinations;
            (if is_adjacent { next } else { &mut long[index] }).magnitude += magnitude;
        }
        if is_adjacent {
            return Some(partition as u8);
        }
        if EDGES {
            let (entry, partition) = (index as u32, partition as u8);
            output.long.push(Target::Long { entry, partition }.code());
        }
        Some(TO_LONG)
    }

    /// Adds a child to the records for the process that stores it. Returns the destination byte of its
    /// edge.
    #[inline(never)]
    fn send_away<const EDGES: bool>(
        owner: Owner,
        to: usize,
        (child, words, magnitude): (Spec::State, &[u64], f64),
        lists: &mut Lists<Spec::State>,
        output: &mut GroupOutput,
    ) -> u8 {
        let Owner { process, processes } = owner;
        let between = ForcedChain::BETWEEN_PROCESSES;
        let index = output.destinations.find_or_open(to, between, || lists.open(processes));
        lists.long[index][process].push(words.len(), child, words);
        output.destinations.long[index].magnitude += magnitude;
        if EDGES {
            let (entry, partition) = (index as u32, process as u8);
            output.long.push(Target::Long { entry, partition }.code());
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
        (mut to, mut state): (usize, Spec::State),
        mut values: Option<&mut Vec<(usize, usize)>>,
    ) -> (Step<Spec::State>, ForcedChain) {
        let num_vars = level.arities.num_vars();
        let mut chain = ForcedChain::EMPTY;
        for _ in 0..CHAIN_LENGTH_LIMIT {
            let (value, next) = match spec.forced(&state, to) {
                Forced::Free => break,
                Forced::Dead => return (Step::Zero, ForcedChain::EMPTY),
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
                Step::Zero => return (Step::Zero, ForcedChain::EMPTY),
                Step::One if next_chain.is_empty() => {
                    keep_value();
                    return (Step::One, ForcedChain::EMPTY);
                }
                Step::One | Step::To(..) => break,
            }
        }
        (Step::To(to, state), chain)
    }
}

impl ExpansionInput<'_> {
    /// Combines the words of an edge to the 1-terminal into those of the output. Returns the
    /// destination byte of the edge, if it is not dropped.
    // Inlined for the reason given at `SpecExpander::follow_forced`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn send_one<const WIDTH: usize, const EDGES: bool>(
        &self,
        value: usize,
        words: &[u64],
        (output, attacher): (&mut GroupOutput, &mut Attacher),
    ) -> Option<u8> {
        if WIDTH == ANY_WIDTH && self.steps {
            let edge = (self.variable, value);
            let words = attacher.attach(self.payload, words, edge, self.end);
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
    fn check_value(
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
    fn bad_step(&self, value: usize, to: usize, state: String) -> ControlFlow<Box<BuildError>> {
        let (variable, num_vars) = (self.variable, self.arities.num_vars());
        ControlFlow::Break(Box::new(BuildError::BadStep { variable, value, to, num_vars, state }))
    }
}
