//! The expansion of states: calls the spec for their children, and sorts these by destination.

mod checks;
mod expand;

use super::child_records::{ChildRecords, GroupOutput, RecordLists, TO_ONE, TypedLists};
use super::monitor::{Check, Watch};
use super::payload::{Attacher, Payload};
use super::states::{
    Blocks, Checks, EncodedRecords, Rank, Records, RouteHash, StateNeeds, StateType, States,
    has_constant_widths, of_type,
};
use super::table::StateTable;
use crate::BuildError;
use crate::number::{ANY_WIDTH, limbs};
use crate::spec::combine::all;
use crate::spec::{
    Arities, BoxedSpec, Codec, Conjunction, DdSpec, ErasedSpec, ErasedState, FixedRows, Portable,
    Rows, Rule, SpecExt, Step, WordSpec,
};
use checks::{CheckedLevel, check_merged, check_states};
use expand::TypedSpec;
use rapidhash::v3::rapidhash_v3;
use std::any::Any;
use std::marker::PhantomData;
use std::mem::needs_drop;
use std::ops::{ControlFlow, Range};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

/// The interface of a spec to the sweep: expands ranges of states, and makes the containers of
/// states. The rest of the sweep does not depend on the type of the states.
pub(super) trait Expander: EncodedSteps + Sync {
    /// The root step of the spec, with the root state in a partition of its own. `words` returns the
    /// words of the state, from its variable.
    fn root(&self, rule: Rule, words: &mut dyn FnMut(usize) -> Vec<u64>) -> Step<Box<dyn States>>;

    /// [`DdSpec::like`].
    fn like(&self, variable: usize) -> Option<usize>;

    /// The first state of a partition as text.
    fn describe(&self, states: &dyn States) -> String;

    /// An empty container for the states of a partition, each with `width` words.
    fn new_states(&self, width: usize) -> Box<dyn States>;

    /// Empty lists for the records of a group.
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
        out: &mut ChildRecords,
    ) -> Result<usize, BuildError>;

    /// Appends the encodings of some records, and then their words, to `out`. Removes the records.
    /// Returns the number of words of each. There must be one.
    fn encode(&self, records: &mut dyn Records, out: &mut Vec<u8>) -> Result<usize, BuildError>;

    /// Decodes records from another process or a file. Adds them to the lists for the next level,
    /// whichever level they belong to. `partition_of` returns the partition of each record, or `None` if
    /// the record is not added. Returns `None` if the bytes are not such records.
    fn decode(
        &self,
        records: EncodedRecords<'_>,
        partition_of: &mut dyn FnMut(RouteHash) -> Option<usize>,
        lists: &mut dyn RecordLists,
    ) -> Option<()>;
}

/// [`Expander`] of a spec.
pub(super) struct SpecExpander<Spec: DdSpec> {
    pub(super) spec: Spec,
    pub(super) state_type: Arc<StateType<Spec::State>>,
    checks: Checks,
}

impl<Spec: DdSpec> SpecExpander<Spec> {
    /// `codec` encodes the states, if they can be encoded.
    pub(super) fn new(spec: Spec, codec: Option<Codec<Spec::State>>, needs: StateNeeds) -> Self {
        let state_type = Arc::new(StateType::new(codec, needs));
        SpecExpander { spec, state_type, checks: needs.checks }
    }
}

/// The most forced states that are followed on one edge. A stored state is expanded once, but a
/// followed one is computed again for each edge to it.
const CHAIN_LENGTH_LIMIT: usize = 64;
/// The most variables that an edge over a nonempty chain may span. Each chain between two levels
/// has lists of its own, so there should be few.
const CHAIN_SPAN: usize = 16;

impl<Spec: DdSpec> Expander for SpecExpander<Spec> {
    fn root(&self, rule: Rule, words: &mut dyn FnMut(usize) -> Vec<u64>) -> Step<Box<dyn States>> {
        match self.spec.root_under(rule) {
            Step::Zero => Step::Zero,
            Step::One => Step::One,
            Step::To(to, state) => {
                let words = words(to);
                let mut table = StateTable::new(&self.state_type, words.len());
                table.find_or_insert(state, &words, None);
                Step::To(to, Box::new(table))
            }
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.spec.like(variable)
    }

    fn describe(&self, states: &dyn States) -> String {
        self.spec.describe(&Self::table(states).records[0])
    }

    fn new_states(&self, width: usize) -> Box<dyn States> {
        Box::new(StateTable::new(&self.state_type, width))
    }

    fn new_lists(&self) -> Box<dyn RecordLists> {
        Box::new(TypedLists::<Spec::State>::new())
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
        out: &mut ChildRecords,
    ) -> Result<usize, BuildError> {
        let table = Self::table(states);
        let expand = || self.expand_range(level, table, range.clone(), most_edges, out);
        // After a panic the child records are dropped with the sweep, and the states are only read.
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
        records: EncodedRecords<'_>,
        partition_of: &mut dyn FnMut(RouteHash) -> Option<usize>,
        lists: &mut dyn RecordLists,
    ) -> Option<()> {
        let lists: &mut TypedLists<Spec::State> = of_type(lists);
        let mut encoded = Vec::new();
        let state_type = &*self.state_type;
        state_type.decode(records, |state, encoding, words| {
            let route = state_type.route_of_decoded(&state, encoding, &mut encoded);
            if let Some(partition) = partition_of(route) {
                lists.adjacent[partition].push(words.len(), state, words);
            }
        })
    }
}

impl<Spec: DdSpec> SpecExpander<Spec> {
    fn table(states: &dyn States) -> &StateTable<Spec::State> {
        (states as &dyn Any).downcast_ref().expect("all states of a run have one type")
    }

    fn expand_range(
        &self,
        level: &ExpansionInput<'_>,
        table: &StateTable<Spec::State>,
        range: Range<usize>,
        most_edges: u64,
        out: &mut ChildRecords,
    ) -> Result<usize, BuildError> {
        let lists = of_type(&mut *out.lists);
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
        for (states, words) in table.records.slices(range.clone()) {
            let spec = TypedSpec { spec: &self.spec, state_type: &*self.state_type };
            let sink = GroupSink { output: &mut out.output, attacher: &mut out.attacher };
            let of_slice = expand_states(spec, level, states, words, most_edges, lists, sink)?;
            expanded += of_slice;
            if of_slice < states.len() {
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
            let spec = ErasedSpec::new(&self.spec);
            let state = |index| ErasedState::new(table.records[index].clone());
            let here = table.twins.items().iter().filter(|(of, _)| range.contains(&(*of as usize)));
            let twins: Vec<_> = here.collect();
            let pair = |index: usize| {
                let (of, twin) = twins[index];
                [state(*of as usize), ErasedState::new(twin.clone())]
            };
            check_merged(&spec, &level, &range, twins.len(), &pair)?;
            check_states(&spec, &level, &state, range, checks)?;
        }
        Ok(expanded)
    }
}

/// The forced states that are not stored: an edge to one leads to its successor instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForcedPolicy {
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
    pub(super) fn new(rule: Rule, payload: &dyn Payload, in_parts: bool) -> Self {
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
const WATCH_WORK: usize = 1 << 10;

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
    /// As [`LevelExpansion::end`](crate::frontier::expansion::LevelExpansion::end).
    pub(super) end: usize,
    /// The forced states that are not stored.
    pub(super) forced_policy: ForcedPolicy,
    pub(super) routing: Routing<'a>,
}

/// The processes and the partitions that store the children of a level.
pub(super) struct Routing<'a> {
    /// The rank of the process that expands the states.
    pub(super) rank: Rank,
    /// The number of partitions of the next level.
    pub(super) adjacent_partitions: usize,
    /// Returns the number of partitions of a level beyond the next, from its variable.
    pub(super) partitions_of: &'a (dyn Fn(usize) -> usize + Sync),
}

/// The output of a group apart from its records. The two references are passed in registers.
struct GroupSink<'a> {
    output: &'a mut GroupOutput,
    attacher: &'a mut Attacher,
}

impl ExpansionInput<'_> {
    /// Combines the words of an edge to the 1-terminal into the words of the output. Returns the
    /// destination byte of the edge, if it is not dropped.
    // Inlined for the reason given at `SpecExpander::follow_forced`.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn send_one<const WIDTH: usize, const EDGES: bool>(
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

/// The input of a sweep.
#[derive(Clone, Copy)]
pub(super) struct SweepInput<'a> {
    pub(super) expander: &'a dyn Expander,
    pub(super) payload: &'a dyn Payload,
    pub(super) arities: &'a Arities,
    pub(super) rule: Rule,
}

/// The cancellation is checked after so many steps.
const CHECKED_STEPS: u64 = 1 << 10;

/// A hash of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StepsHash {
    pub(super) hash: u64,
    /// The number of steps that do not lead to the 0-terminal.
    pub(super) edges: u64,
}

crate::portable!(StepsHash { hash, edges });

impl StepsHash {
    /// Adds a step: a value, the variable that it leads to, and the encoded child; none for the
    /// 1-terminal.
    pub(super) fn add(&mut self, value: usize, to: Option<usize>, child: &[u8]) {
        let to = to.map_or(u64::MAX, |to| to as u64);
        let words = [self.hash, value as u64, to, rapidhash_v3(child)].map(u64::to_le_bytes);
        self.hash = rapidhash_v3(words.as_flattened());
        self.edges += 1;
    }

    /// Begins a state.
    pub(super) fn begin_state(&mut self) {
        self.hash = rapidhash_v3(&self.hash.to_le_bytes());
    }

    /// Fails with the error of `check` from time to time.
    pub(super) fn check(&self, check: Check<'_>) -> Result<(), BuildError> {
        if self.edges.is_multiple_of(CHECKED_STEPS) { check() } else { Ok(()) }
    }
}

/// The steps of encoded states, whatever their type is.
pub(super) trait EncodedSteps {
    /// Adds the steps of `count` encoded states, in the order of their values, to a hash. Returns `None` if
    /// the bytes are not such states.
    ///
    /// # Errors
    ///
    /// Fails with the error of `check`.
    fn hash_steps(
        &self,
        states: &[u8],
        count: usize,
        variable: usize,
        steps: &mut StepsHash,
        check: Check<'_>,
    ) -> Result<Option<()>, BuildError>;
}

impl<Spec: DdSpec> EncodedSteps for SpecExpander<Spec> {
    fn hash_steps(
        &self,
        mut states: &[u8],
        count: usize,
        variable: usize,
        steps: &mut StepsHash,
        check: Check<'_>,
    ) -> Result<Option<()>, BuildError> {
        let codec = self.state_type.codec();
        let (mut encoding, mut result) = (Vec::new(), Ok(()));
        let read = codec.read(&mut states, count, |state, _| {
            if result.is_ok() {
                result = check();
            }
            if result.is_err() {
                return;
            }
            steps.begin_state();
            let flow = self.spec.for_each_child(&state, variable, |value, step| {
                encoding.clear();
                match step {
                    Step::Zero => return ControlFlow::Continue(()),
                    Step::One => steps.add(value, None, &[]),
                    Step::To(to, child) => {
                        codec.write(&child, &mut encoding);
                        steps.add(value, Some(to), &encoding);
                    }
                }
                match steps.check(check) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => ControlFlow::Break(error),
                }
            });
            if let ControlFlow::Break(error) = flow {
                result = Err(error);
            }
        });
        result?;
        Ok(read.filter(|()| states.is_empty()))
    }
}

/// A spec of hidden type.
pub(super) trait Source: Send {
    /// The arities of the spec. Fails if its `validate` does.
    fn arities(&self) -> Result<Arities, BuildError>;

    /// The expander of its states for a run, and a hash of the tables that it has in place of operands; 0 without tables.
    fn expander(&self, needs: StateNeeds, watch: &Watch) -> (Box<dyn Expander + '_>, u64);

    /// The spec itself; fails if it cannot be boxed.
    fn into_spec<'s>(self: Box<Self>) -> Result<BoxedSpec<'s>, BuildError>
    where
        Self: 's;
}

/// A spec, and the encoding of its states if they may go to disk.
pub(super) struct SpecSource<S: DdSpec, B> {
    spec: S,
    codec: Option<Codec<S::State>>,
    boxing: PhantomData<fn() -> B>,
    /// The operands of which the spec is the conjunction, if most have few states, and a hash of their tables.
    tabled: OnceLock<Option<(Tabled, u64)>>,
}

/// A way to box a spec.
pub(super) trait Boxing<S> {
    fn boxed<'s>(spec: S) -> Result<BoxedSpec<'s>, BuildError>
    where
        S: 's;
}

/// None: the states have no encoding, or are joined, which only an engine does.
pub(super) struct NotBoxed;

/// As any spec whose states have an encoding.
pub(super) struct ByEncoding;

/// As an array spec.
pub(super) struct AsRows;

impl<S> Boxing<S> for NotBoxed {
    fn boxed<'s>(_: S) -> Result<BoxedSpec<'s>, BuildError>
    where
        S: 's,
    {
        let message = "a `JoinSpec` is no spec: only a sweep joins its states; build its diagram, \
                       which is a spec";
        Err(BuildError::InvalidSpec { message: message.to_owned() })
    }
}

impl<S: DdSpec<State: Portable> + Send> Boxing<S> for ByEncoding {
    fn boxed<'s>(spec: S) -> Result<BoxedSpec<'s>, BuildError>
    where
        S: 's,
    {
        Ok(spec.boxed())
    }
}

impl<W: WordSpec, const N: usize, const EXACT: bool> Boxing<FixedRows<W, N, EXACT>> for AsRows {
    fn boxed<'s>(spec: FixedRows<W, N, EXACT>) -> Result<BoxedSpec<'s>, BuildError>
    where
        W: 's,
    {
        Ok(Rows::new(spec.into_inner()).into())
    }
}

impl<'r> Boxing<Rows<'r>> for AsRows {
    fn boxed<'s>(spec: Rows<'r>) -> Result<BoxedSpec<'s>, BuildError>
    where
        'r: 's,
    {
        Ok(spec.into())
    }
}

/// A conjunction most of whose operands have few states, which are numbers in a row.
enum Tabled {
    All(Box<dyn Source>),
    /// The rows, and the indices of the operands that are not in them.
    Most(Rows<'static>, Vec<usize>),
}

impl Tabled {
    /// The tables of a spec, and a hash of them.
    fn new<S: DdSpec>(spec: &S, checks: bool, watch: &Watch) -> Option<(Self, u64)> {
        let (rows, rest) = Conjunction::split(spec, checks, &|| watch.check(None).is_err())?;
        let digest = rows.digest();
        let rows = Rows::new(rows);
        let tabled =
            if rest.is_empty() { Tabled::All(rows_source(rows)) } else { Tabled::Most(rows, rest) };
        Some((tabled, digest))
    }

    fn expander<'s, S: DdSpec>(
        &'s self,
        spec: &'s S,
        needs: StateNeeds,
        watch: &Watch,
    ) -> Box<dyn Expander + 's> {
        match self {
            Tabled::All(source) => source.expander(needs, watch).0,
            Tabled::Most(rows, rest) => {
                let operands = spec.conjuncts();
                let mut rest: Vec<_> = rest.iter().filter_map(|&at| operands[at].boxed()).collect();
                let rest = match rest.len() {
                    1 => rest.remove(0),
                    _ => all(rest).boxed(),
                };
                Box::new(SpecExpander::new(rows.and(rest), Some(Codec::new()), needs))
            }
        }
    }
}

impl<S: DdSpec, B> SpecSource<S, B> {
    pub(super) fn new(spec: S, codec: Option<Codec<S::State>>) -> Self {
        SpecSource { spec, codec, boxing: PhantomData, tabled: OnceLock::new() }
    }
}

impl<S: DdSpec + Send, B: Boxing<S>> Source for SpecSource<S, B> {
    fn arities(&self) -> Result<Arities, BuildError> {
        Arities::from_spec(&self.spec)
    }

    fn expander(&self, needs: StateNeeds, watch: &Watch) -> (Box<dyn Expander + '_>, u64) {
        // A check of all states is one of the spec itself.
        if needs.checks.is_none_or(|limits| limits.states < usize::MAX) {
            let tabled = self.tabled.get().or_else(|| {
                let made = Tabled::new(&self.spec, needs.checks.is_some(), watch);
                // A run that must stop ends before its first step.
                watch.check(None).is_ok().then(|| self.tabled.get_or_init(|| made))
            });
            if let Some(Some((tabled, digest))) = tabled {
                return (tabled.expander(&self.spec, needs, watch), *digest);
            }
        }
        (Box::new(SpecExpander::new(&self.spec, self.codec, needs)), 0)
    }

    fn into_spec<'s>(self: Box<Self>) -> Result<BoxedSpec<'s>, BuildError>
    where
        Self: 's,
    {
        B::boxed(self.spec)
    }
}

/// The source of an array spec whose states are stored as rows of `N` words.
pub(super) fn fixed_rows<'a, W, const N: usize, const EXACT: bool>(spec: W) -> Box<dyn Source + 'a>
where
    W: WordSpec + 'a,
{
    let spec = FixedRows::<W, N, EXACT>::new(spec);
    Box::new(SpecSource::<_, AsRows>::new(spec, Some(Codec::new())))
}

/// The source of an array spec as an object. The engine is compiled once for each size of rows, so large sizes
/// are sparse.
pub(super) fn rows_source<'a>(spec: Rows<'a>) -> Box<dyn Source + 'a> {
    match spec.num_words() {
        0..=1 => fixed_rows::<_, 1, false>(spec),
        2 => fixed_rows::<_, 2, false>(spec),
        3..=4 => fixed_rows::<_, 4, false>(spec),
        5..=8 => fixed_rows::<_, 8, false>(spec),
        9..=16 => fixed_rows::<_, 16, false>(spec),
        _ => Box::new(SpecSource::<_, AsRows>::new(spec, Some(Codec::new()))),
    }
}
