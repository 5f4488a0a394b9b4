//! The expansion of states: calls the spec for their children, and sorts these by destination.

mod encoded;
mod expand;
mod input;
mod panics;

use super::blocks::{Blocks, has_constant_widths};
use super::checks::{CheckedLevel, Checks, check_merged, check_states};
use super::child_records::{ChildRecords, Lists, RecordLists};
use super::route::RouteHash;
use super::state_type::{EncodedRecords, Needs, StateType};
use super::states::{Records, States, of_type};
use super::table::Table;
use crate::BuildError;
use crate::number::ANY_WIDTH;
use crate::spec::{Codec, DdSpec, ErasedSpec, ErasedState, Portable, Rule, Step};
pub(super) use encoded::EncodedSteps;
use expand::TypedSpec;
use input::GroupSink;
pub(super) use input::{ExpansionInput, ForcedPolicy, Routing};
use std::any::Any;
use std::mem::needs_drop;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

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

/// The most forced states that are followed on one edge. A stored state is expanded once, but a
/// followed one is computed again for each edge to it.
const CHAIN_LENGTH_LIMIT: usize = 64;
/// The most variables that an edge over a nonempty chain may span. Each chain between two levels
/// has lists of its own, so there should be few.
const CHAIN_SPAN: usize = 16;

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

    fn like(&self, variable: usize) -> Option<usize> {
        self.spec.like(variable)
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
        let lists: &mut Lists<Spec::State> = of_type(lists);
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
            let spec = TypedSpec { spec: self.spec, state_type: &*self.state_type };
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
            let spec = ErasedSpec::new(self.spec);
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
