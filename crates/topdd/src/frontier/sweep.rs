//! The sweep: expands level by level from the root, and merges equal states.

use super::bound::{self, UpperBound};
use super::chain::ForcedChain;
use super::edges::EdgeStore;
use super::expander::{Expander, ExpansionInput, ForcedPolicy};
use super::expansion::{LevelExpansion, Position};
use super::fingerprint::SampleSweep;
use super::level::{Level, Numbering, PendingLevels};
use super::merge::{LevelRecords, merge};
use super::monitor::{Monitor, Sharing};
use super::outbox::{Destination, Outbox, RecordLists};
use super::payload::{Ones, Payload};
use super::pool::{MOST_PARTITIONS, Pool, WIDE};
use super::remote::{Peers, RecordsHeader};
use super::report::LevelReport;
use super::run::{MergedRuns, Storage, ToResume};
use super::states::Pass;
use super::widening::{Widening, records_bound};
use crate::heap::Freed;
use crate::limbs;
use crate::spec::{Arities, Rule, Step};
use crate::{BuildError, Portable};
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of pending levels that two estimates look at: that of the states of a new level, and that of the
/// partitions that edges lead to.
const NEIGHBOURS: usize = 64;

/// The result of a finished sweep.
pub(super) struct Swept {
    /// All levels from the root down, if edges are stored.
    pub(super) edges: EdgeStore,
    /// The words of the 1-terminal; `None` if no path reaches it.
    pub(super) ones: Option<Vec<u64>>,
    pub(super) storage: Storage,
}

/// A sweep in progress.
pub(super) struct Sweep<'a> {
    pub(super) payload: &'a dyn Payload,
    pub(super) arities: &'a Arities,
    pub(super) rule: Rule,
    pub(super) pending: PendingLevels,
    /// The level being expanded, if any.
    pub(super) expansion: Option<LevelExpansion>,
    pub(super) pool: Pool<'a>,
    /// One for each group of a batch.
    pub(super) outboxes: Vec<Outbox>,
    /// The most bytes of the records of a batch, for the level being expanded and the one before it.
    /// The next batch will need about as many.
    pub(super) most_batch_bytes: [usize; 2],
    pub(super) freed: Freed,
    pub(super) edges: EdgeStore,
    pub(super) ones: Ones,
    /// The number of states of finished levels, in all processes.
    pub(super) finished_states: u64,
    pub(super) storage: Storage,
    /// Of a run with a checkpoint, from the first one that is written or resumed.
    pub(super) sample: Option<SampleSweep>,
    /// The other processes, if there are several.
    pub(super) peers: Option<Peers<'a>>,
    /// Decoded records of other processes, for reuse.
    pub(super) received: Vec<Box<dyn RecordLists>>,
}

impl<'a> Sweep<'a> {
    /// Runs a sweep to its end, from the checkpoint if there is one.
    pub(super) fn run(
        expander: &'a dyn Expander,
        payload: &'a dyn Payload,
        arities: &'a Arities,
        rule: Rule,
        (storage, to_resume, peers): (Storage, ToResume, Option<Peers<'a>>),
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<Swept, BuildError> {
        monitor.watch.check(None)?;
        let process = peers.as_ref().map_or(0, |peers| peers.owner().process);
        let mut sweep = Sweep {
            payload,
            arities,
            rule,
            pending: PendingLevels::default(),
            expansion: None,
            pool: Pool::new(expander, payload.stores_edges(), monitor),
            outboxes: Vec::new(),
            most_batch_bytes: [0; 2],
            freed: Freed::under(monitor.config.memory_limit),
            edges: EdgeStore::new(process, Vec::new()),
            ones: Ones::default(),
            finished_states: 0,
            storage,
            sample: None,
            peers,
            received: Vec::new(),
        };
        if let Some((_, key)) = &monitor.config.checkpoint {
            sweep.compare_spec(&to_resume, key)?;
        }
        // Of several processes, the first one has the root.
        if sweep.restore(to_resume, monitor)? {
            monitor.resumed();
        } else if process == 0 {
            sweep.place_root()?;
        }
        sweep.agree(None)?;
        sweep.expand_levels(monitor)
    }

    /// Expands level by level. Enters the thread pool at the first level that is wide enough.
    fn expand_levels(mut self, monitor: &mut Monitor<'_, '_>) -> Result<Swept, BuildError> {
        loop {
            if self.expansion.is_none() && !self.begin_level(monitor)? {
                break;
            }
            let states = self.expansion.as_ref().map_or(0, |expansion| expansion.states);
            if monitor.workers.shares(states as usize) && monitor.workers.is_outside() {
                return monitor.workers.clone().enter(|| self.expand_levels(monitor));
            }
            // Errors of disk operations do not contain the level.
            let variable = self.expansion.as_ref().map(|expansion| expansion.variable);
            if self.peers.is_some() {
                self.expand_with_peers(monitor).map_err(|error| error.at(variable))?;
            }
            while self.expansion.as_ref().is_some_and(|expansion| !expansion.is_expanded()) {
                self.expand_batch(monitor).map_err(|error| error.at(variable))?;
            }
            self.finish_level(monitor).map_err(|error| error.at(variable))?;
        }
        debug_assert_eq!(self.pending.bytes, 0, "no level is left");
        // Leaves memory for the reduction.
        if self.storage.spill.is_some() && self.edges.stack.bytes() > Self::open_share(monitor) {
            self.edges.spill(&self.storage)?;
        }
        self.ones.skip_to(self.payload, self.arities.num_vars());
        self.gather_ones()?;
        let Sweep { edges, ones, storage, .. } = self;
        Ok(Swept { edges, ones: ones.words, storage })
    }

    /// Puts the root into its level.
    fn place_root(&mut self) -> Result<(), BuildError> {
        let (expander, num_vars) = (self.pool.expander, self.arities.num_vars());
        let payload = self.payload;
        let mut bound = UpperBound::ZERO;
        let root = expander.root(self.rule, &mut |to| {
            let mut words = payload.root();
            if (1..num_vars).contains(&to) && payload.skips() {
                payload.skip(&payload.root(), 0..to, &mut words);
            }
            if to < num_vars && payload.grows() {
                let lanes = payload.lanes(to);
                limbs::trim(&mut words, lanes);
                bound = UpperBound::new(bound::magnitude(lanes, &words), words.len() / lanes);
                words.resize(payload.width(to, bound.limbs()), 0);
            }
            words
        });
        match root {
            Step::Zero => {}
            Step::One => self.ones.add(payload, 0, &payload.root()),
            Step::To(to, root) if to < num_vars => {
                let width = payload.width(to, bound.limbs());
                let level = Level { bound, ..Level::new(vec![root], width) };
                self.pending.insert(to, Box::new(level));
            }
            Step::To(to, root) => {
                let state = expander.describe(&*root);
                return Err(BuildError::RootBeyondLast { to, num_vars, state });
            }
        }
        Ok(())
    }

    /// Begins the expansion of the next level that has states. Returns `false` if there is none.
    fn begin_level(&mut self, monitor: &Monitor<'_, '_>) -> Result<bool, BuildError> {
        let first = self.pending.keys().next().copied();
        let agreed = |peers: &Peers<'_>| Some(peers.next).filter(|&v| v < self.arities.num_vars());
        let Some(variable) = self.peers.as_ref().map_or(first, agreed) else {
            return Ok(false);
        };
        let mut level = self.pending.take(variable).unwrap_or_else(|| {
            // The level has states in other processes only.
            Box::new(self.pool.level(0, self.payload.width(variable, 1)))
        });
        let partitions = level.partitions.len();
        let mut merged_runs = None;
        if self.payload.stores_edges() {
            if level.is_spilled() && !level.complete {
                // Spills the rest, too: indices of states then count through the runs.
                level.spill(0..partitions, &self.storage)?;
                merged_runs = Some((0..partitions).map(|_| MergedRuns::default()).collect());
            } else {
                level.complete = true;
            }
            let incoming = std::mem::take(&mut level.incoming);
            self.edges.begin_level(variable, &incoming);
            if level.complete {
                let lists = incoming.iter().flat_map(|of| &of.places);
                let sharing = monitor.sharing(Some(variable), lists.map(Vec::len).sum());
                self.edges.number_incoming(&level.numbering(), &self.storage, sharing)?;
            }
        }
        let states = level.states();
        // Most levels are about as wide as the one before. Growth to more than double is rare.
        let wanted = states + states / 2;
        let next_width =
            self.payload.width(variable + 1, self.payload.limbs(variable, level.width));
        let next = match self.pending.take(variable + 1) {
            Some(mut next) => {
                let partitions = self.pool.partitions(wanted, next_width);
                let there = next.states();
                // Moving a state takes longer than merging one with a cache miss, so a level is not
                // spread if most of its expected states have arrived.
                let is_worth_it = 2 * there <= wanted
                    || next.partitions.len() < monitor.workers.threads
                    || monitor.config.spill_limit().is_some();
                if partitions >= 4 * next.partitions.len() && is_worth_it && !next.is_spilled() {
                    next.spread(partitions, monitor.sharing(Some(variable), there as usize))?;
                }
                next
            }
            None => Box::new(self.pool.level(wanted, next_width)),
        };
        self.pending.insert(variable + 1, next);
        self.expansion = Some(LevelExpansion {
            variable,
            // Records of edges to the 1-terminal include the variables that are 0 after them.
            end: match self.rule {
                Rule::ZeroSuppressed => self.arities.num_vars(),
                Rule::AnyValue => variable + 1,
            },
            level,
            states,
            expanded: 0,
            edges_per_state: self.arities.get(variable) as f64,
            position: (0, 0),
            open: 0,
            pass: Pass::ONLY,
            merged_runs,
            edges: 0,
            merged: 0,
        });
        Ok(true)
    }

    /// Expands a batch of states and merges their children.
    pub(super) fn expand_batch(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), BuildError> {
        let expansion = self.expansion.as_ref().expect("a level is being expanded");
        let variable = expansion.variable;
        let adjacent_partitions = self.pending[&(variable + 1)].partitions.len();
        // The number of states is chosen so that their edges fill a batch.
        let levels = self.pending.values().take(1 + NEIGHBOURS);
        let partitions: usize = levels.map(|level| level.partitions.len()).sum();
        let most_edges = self.batch_edges(partitions.min(MOST_PARTITIONS), monitor);
        let most = (most_edges as f64 / expansion.edges_per_state).max(1.0) as usize;
        self.open(most, monitor)?;
        let (forced_policy, owner) = (self.forced_policy(monitor), self.owner());
        let expansion = self.expansion.as_mut().expect("a level is being expanded");
        let (expander, payload) = (self.pool.expander, self.payload);
        let limbs = payload.limbs(variable, expansion.level.width);
        let input = ExpansionInput {
            arities: self.arities,
            two_valued: self.arities.are_two_valued(),
            watch: &monitor.watch,
            variable,
            payload,
            steps: payload.steps(),
            skips: payload.skips(),
            width: expansion.level.width,
            ones_width: payload.width(expansion.end, limbs + 1),
            end: expansion.end,
            forced_policy,
            owner,
            adjacent_partitions,
            partitions_of: &|to| match self.pending.get(&to) {
                None => {
                    let states = expected_states(to, expansion.states, &self.pending);
                    self.pool.partitions(states, payload.width(to, limbs))
                }
                Some(level) => level.partitions.len(),
            },
        };
        // Expanding a state and merging its children takes as long as two items of other work.
        let items = most_edges.min(2 * expansion.states) as usize;
        let sharing = monitor.sharing(Some(variable), items);
        // Batches have about equal sizes, and so have the groups of a batch: one thread would
        // process a small remainder while the others wait.
        let here = expansion.open_states();
        let states = here.div_ceil(here.div_ceil(most).max(1)).max(1);
        let groups = expansion.groups(states, sharing.workers.map_or(1, |workers| workers.threads));
        let mut position = groups.last().map_or(expansion.position, |(_, group)| group.end);
        self.outboxes.resize_with(groups.len(), || Outbox::new(expander.new_lists()));
        let level = &expansion.level;
        // A group may have more edges than its share, up to this factor.
        let share = if groups.len() > 1 { 4 * most_edges } else { 2 * most_edges };
        // Returns the position where a group stopped because it had too many edges.
        let expand = |_, (group, outbox): (&(usize, Range<Position>), &mut Outbox)| {
            outbox.reset(variable, input.ones_width, adjacent_partitions);
            let (size, Range { start, end }) = group;
            let most_of_group = (share * *size as u64).div_ceil(states as u64);
            let partitions = level.partitions.iter().enumerate().take(end.0 + 1).skip(start.0);
            for (number, partition) in partitions {
                let first = if number == start.0 { start.1 } else { 0 };
                let range = first..if number == end.0 { end.1 } else { partition.len() };
                let count = range.len();
                let expanded =
                    expander.expand(&input, &**partition, range, most_of_group, outbox)?;
                if expanded < count {
                    return Ok(Some((number, first + expanded)));
                }
            }
            Ok(None)
        };
        let work = groups.iter().zip(&mut self.outboxes);
        let stops: Vec<Option<Position>> = sharing.for_all(work, expand)?;
        // The groups after the first that stopped are expanded again in the next batch.
        if let Some(group) = stops.iter().position(Option::is_some) {
            position = stops[group].expect("the group stopped");
            self.outboxes.truncate(group + 1);
        }
        let nodes: usize = self.outboxes.iter().map(|outbox| outbox.output.nodes).sum();
        let edges: u64 = self.outboxes.iter().map(|outbox| outbox.output.edges).sum();
        expansion.edges_per_state = (edges as f64 / nodes.max(1) as f64).max(0.25);

        expansion.expanded += nodes as u64;
        expansion.edges += edges;
        let heap: usize = self.outboxes.iter().map(|outbox| outbox.output.heap).sum();
        self.pool.heap_of_state = heap / edges.max(1) as usize;
        self.finish_batch(position, sharing)?;
        self.enforce_limits(Some(variable), monitor)
    }

    /// The policy for forced states.
    fn forced_policy(&self, monitor: &Monitor<'_, '_>) -> ForcedPolicy {
        let in_parts = self.storage.checkpoint.is_some() || monitor.config.spill_limit().is_some();
        match self.rule {
            Rule::AnyValue => ForcedPolicy::None,
            Rule::ZeroSuppressed if self.payload.lanes(0) > 0 => ForcedPolicy::All,
            // The nodes of forced chains must be in memory, and in that of one process: neither a level
            // that is reduced in parts nor a checkpoint contains chains.
            Rule::ZeroSuppressed if in_parts || self.peers.is_some() => ForcedPolicy::Zeros,
            Rule::ZeroSuppressed => ForcedPolicy::Nodes,
        }
    }

    /// Sends or merges the records of a batch, stores its edges, and drops the partitions before
    /// `position`.
    fn finish_batch(&mut self, position: Position, sharing: Sharing<'_>) -> Result<(), BuildError> {
        let batch_bytes = self.outboxes.iter().map(|outbox| outbox.lists.full_bytes()).sum();
        self.most_batch_bytes[0] = self.most_batch_bytes[0].max(batch_bytes);
        self.merge(sharing)?;

        let expansion = self.expansion.as_mut().expect("a level is being expanded");
        for done in &mut expansion.level.partitions[expansion.position.0..position.0] {
            sharing.check()?;
            let fresh = done.fresh();
            self.pool.recycle(std::mem::replace(done, fresh));
        }
        expansion.position = position;
        if self.payload.stores_edges() {
            // With the last batch the next level is complete, but for records of other processes.
            let is_last = expansion.is_expanded() && self.peers.is_none();
            let numbering = self.pending.change(expansion.variable + 1, |next| {
                next.complete = is_last && !next.is_spilled();
                next.complete.then(|| next.numbering())
            });
            self.edges.push_batch(&self.outboxes, numbering.as_ref(), sharing)?;
        }
        Ok(())
    }

    /// Merges the records of the outboxes into their levels, or sends them to other processes. Notes the
    /// destinations of the edges of each outbox.
    fn merge(&mut self, sharing: Sharing<'_>) -> Result<(), BuildError> {
        let expansion = self.expansion.as_mut().expect("a level is being expanded");
        let (variable, payload) = (expansion.variable, self.payload);
        let limbs = payload.limbs(variable, expansion.level.width);
        let stores = payload.stores_edges();
        let end = expansion.end;
        let mut levels: BTreeMap<usize, LevelRecords<'_>> = BTreeMap::new();
        for Outbox { lists, output, .. } in &mut self.outboxes {
            if output.ones_edges > 0 {
                self.ones.add(payload, end, &output.ones);
            }
            for (destination, lists) in output.destinations.iter().zip(lists.lists()) {
                let Destination { to, chain, magnitude } = *destination;
                let bound =
                    records_bound(self.rule, self.arities, (variable, to), magnitude, limbs);
                if chain == ForcedChain::BETWEEN_PROCESSES {
                    let peers = self.peers.as_mut().expect("a state of another process");
                    let processes = peers.mesh.processes();
                    let lists = lists.into_iter().enumerate();
                    let mut entry = None;
                    for (process, records) in lists.filter(|(_, records)| records.len() > 0) {
                        let count = records.len();
                        if stores {
                            entry = Some(self.edges.note_sent((to, process), count, processes)?);
                        }
                        let mut message = Vec::new();
                        let width = self.pool.expander.encode(records, &mut message)?;
                        RecordsHeader { to, count, width, bound }.write(&mut message);
                        // It is counted by its length.
                        message.shrink_to_fit();
                        peers.mesh.send(process, message)?;
                    }
                    if stores {
                        output.entries.push(entry.expect("a destination has records"));
                    }
                    continue;
                }
                let of_level = levels.entry(to).or_insert_with(|| {
                    let width = payload.width(to, limbs);
                    let new = || Box::new(self.pool.level_of(lists.len(), width));
                    LevelRecords::new(self.pending.take(to).unwrap_or_else(new))
                });
                let mut index = 0;
                if to == variable + 1 {
                    output.adjacent = lists.iter().map(|records| records.len() as u32).collect();
                } else if stores {
                    index =
                        of_level.level.find_or_add_incoming(chain, of_level.level.partitions.len());
                    let places = &of_level.level.incoming[index].places;
                    let starts = || places.iter().map(|list| list.len() as u32).collect();
                    output.entries.push(self.edges.entry((to, chain), starts)?);
                }
                of_level.bound = of_level.bound.plus(bound);
                of_level.arrivals.push((index, lists));
            }
        }
        let widening = Widening { storage: &self.storage, arities: self.arities, payload };
        if let Some(next) = levels.get_mut(&(variable + 1)).filter(|_| stores) {
            self.edges.adjacent.resize(next.level.partitions.len(), Vec::new());
            next.places = Some(&mut self.edges.adjacent);
        }
        expansion.merged += merge(&widening, levels, &mut self.pending, sharing)?;
        Ok(())
    }

    /// Finishes the level: numbers its edges, reports, and saves a checkpoint if one is due.
    fn finish_level(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), BuildError> {
        let LevelExpansion { variable, expanded: states, edges, merged, merged_runs, .. } =
            self.expansion.take().expect("a level is being expanded");
        if self.payload.stores_edges() {
            if self.peers.is_some() {
                self.pending.change(variable + 1, |next| next.complete = !next.is_spilled());
            }
            let level = self.edges.last();
            level.nodes = states;
            level.long.shrink_to_fit();
            level.chunks.shrink_to_fit();
            let sharing = monitor.sharing(Some(variable), 2 * edges as usize);
            if let Some(merged) = merged_runs {
                let numbering = Numbering::of_merged(merged);
                self.edges.number_incoming(&numbering, &self.storage, sharing)?;
                self.edges.number_edges(variable, &numbering, &self.storage, sharing)?;
            }
            let next = &self.pending[&(variable + 1)];
            if next.complete {
                let numbering = next.numbering();
                self.edges.number_edges(variable + 1, &numbering, &self.storage, sharing)?;
            }
        }
        self.finished_states += states;
        let next = self.pending.take(variable + 1).expect("the next level is pending");
        if next.width > WIDE {
            // Blocks of wide states are large, and allocating them takes little of the time.
            self.pool.empty();
            self.outboxes.clear();
        }
        self.pool.trim(next.partitions.len());
        self.most_batch_bytes = [0, self.most_batch_bytes[0]];
        if next.states() > 0 {
            self.pending.insert(variable + 1, next);
        } else {
            next.partitions.into_iter().for_each(|partition| self.pool.recycle(partition));
        }
        self.enforce_limits(Some(variable), monitor)?;
        let disks = || self.storage.disks();
        monitor.report.peak_disk_bytes = disks().map(|disk| disk.usage.peak()).sum();
        let mut level = LevelReport {
            variable,
            states,
            edges,
            merged,
            bytes: self.bytes(),
            disk_bytes: disks().map(|disk| disk.usage.now()).sum(),
            elapsed: monitor.watch.elapsed(),
        };
        let is_due = self.agree(Some(&mut level))?;
        // Those of the other processes count as well: a checkpoint contains totals.
        self.finished_states += level.states - states;
        monitor.level_done(level);
        // Without other processes, decides after the callback, which may have taken long.
        if is_due.unwrap_or_else(|| self.storage.is_due()) { self.save(monitor) } else { Ok(()) }
    }

    /// A lower bound of the number of distinct states so far.
    pub(super) fn distinct_states(&self) -> u64 {
        let expansion = self.expansion.as_ref().map_or(0, LevelExpansion::distinct_states);
        self.finished_states + expansion + self.pending.distinct_states
    }
}

/// The expected number of states of a new level at `to`, whose first edge is a long one from a
/// level of `states`: that of the widest of some levels before it.
pub(super) fn expected_states(to: usize, states: u64, pending: &PendingLevels) -> u64 {
    let before = pending.range(..to).rev().take(NEIGHBOURS);
    before.map(|(_, level)| level.states()).fold(states, u64::max)
}
