//! The sweep: level by level from the root, states merged as they are met.

use super::carry::Carry;
use super::current::{Current, Kept, Stretch, WrittenRun};
use super::delivery::{Delivery, Incoming, absorb};
use super::disk::SavedStored;
use super::expand::{Expander, Expansion, Follow};
use super::level::{FarArrivals, Level, Waiting};
use super::limbs::{self, Weight};
use super::monitor::{Monitor, Sizing};
use super::outbox::{Bag, Outbox, Written};
use super::pool::{MOST_PARTITIONS, Pool};
use super::report::LevelReport;
use super::states::Pass;
use super::storage::Storage;
use super::unreduced::{EdgeLog, FarLevel, UnreducedLevel};
use super::via::Via;
use super::widening::Widening;
use super::workers::{Workers, for_all};
use crate::Error;
use crate::hash::Map;
use crate::heap::Freed;
use crate::spec::{Arities, Rule, Step};
use num_bigint::BigUint;

/// Waiting levels that are looked at to tell how wide another may become, or where edges may lead:
/// there may be a hundred thousand.
const NEIGHBOURS: usize = 64;
/// A group has at least so many states: a smaller one is not worth a thread's while.
const LEAST_GROUP_STATES: usize = 256;
/// What each thread's states in a batch are cut into, by their shares: so that one that ends
/// early finds more to do, and what it finds last is little.
const GROUP_SHARES: [usize; 4] = [3, 3, 1, 1];

/// The sizes of the groups that so many states, at least one, are cut into for so many threads.
fn group_sizes(states: usize, threads: usize) -> Vec<usize> {
    let of_thread = states.div_ceil(threads);
    let whole: usize = GROUP_SHARES.iter().sum();
    let mut sizes = Vec::with_capacity(threads * GROUP_SHARES.len());
    let mut left = states;
    for share in GROUP_SHARES.iter().cycle() {
        let size = (of_thread * share).div_ceil(whole).max(LEAST_GROUP_STATES).min(left);
        sizes.push(size);
        left -= size;
        if left == 0 {
            break;
        }
    }
    sizes
}

/// What a finished sweep leaves.
pub(super) struct Swept {
    /// With their edges, from the root down, if these are kept.
    pub(super) levels: Vec<UnreducedLevel>,
    pub(super) log: EdgeLog,
    /// What arrived at the 1-terminal, by the number of variables decided by then.
    pub(super) ones: Vec<(usize, BigUint)>,
    pub(super) storage: Storage,
}

/// The records of a batch, by the level that they go to.
struct Gathered<'o> {
    near: Vec<Incoming<'o>>,
    /// The levels beyond the next one, by variable, in the order in which they were met, and the bags
    /// for each.
    levels: Vec<(usize, Box<Level>)>,
    far: Vec<Vec<Incoming<'o>>>,
    /// The ways to these levels, by their numbers, in the order in which they were met.
    ways: Vec<(usize, Via)>,
    /// For each outbox, the number of the way that each of its far bags goes.
    destinations: Vec<Vec<usize>>,
}

impl<'o> Gathered<'o> {
    fn of(outboxes: &'o mut [Outbox], mut level_of: impl FnMut(&Bag) -> Box<Level>) -> Self {
        let (mut near, mut destinations) = (Vec::new(), Vec::new());
        let (mut levels, mut far, mut ways) = (Vec::new(), Vec::<Vec<_>>::new(), Vec::new());
        let mut numbers: Map<usize, usize> = Map::default();
        let mut way_numbers: Map<(usize, Via), usize> = Map::default();
        for outbox in outboxes {
            let Outbox { lists, sent } = outbox;
            let (of_near, of_far) = lists.lists();
            let mut of_this = Vec::with_capacity(of_far.len());
            for (bag, lists) in sent.far.iter().zip(of_far) {
                let number = *numbers.entry(bag.to).or_insert(levels.len());
                if number == levels.len() {
                    levels.push((bag.to, level_of(bag)));
                    far.push(Vec::new());
                }
                let way = *way_numbers.entry((bag.to, bag.via)).or_insert(ways.len());
                if way == ways.len() {
                    ways.push((number, bag.via));
                }
                of_this.push(way);
                far[number].push(Incoming { via: bag.via, weight: bag.weight, lists });
            }
            destinations.push(of_this);
            near.push(Incoming { via: Via::NONE, weight: sent.near_weight, lists: of_near });
        }
        Gathered { near, levels, far, ways, destinations }
    }
}

/// A sweep in progress, resumable between any two batches.
pub(super) struct Sweep<'a> {
    pub(super) carry: Carry,
    pub(super) arities: &'a Arities,
    pub(super) rule: Rule,
    /// Whether the root is yet to find its level.
    pub(super) begins: bool,
    /// The levels after the current one and its [`Current::next`].
    pub(super) waiting: Waiting,
    pub(super) waiting_bytes: usize,
    pub(super) current: Option<Current>,
    pub(super) pool: Pool<'a>,
    /// One for each group of a batch.
    pub(super) outboxes: Vec<Outbox>,
    /// What the records of a batch took at most beside what outboxes keep, of the current level
    /// and of the one before it: in blocks, of which the next batch will need as many.
    batch_bytes: [usize; 2],
    pub(super) freed: Freed,
    /// Emptied, for the runs of the next level.
    pub(super) spare_written: Vec<Written>,
    pub(super) stored: Vec<UnreducedLevel>,
    /// The chunks and far arrivals of those that are in memory.
    pub(super) log: EdgeLog,
    pub(super) stored_bytes: usize,
    pub(super) ones: Vec<(usize, BigUint)>,
    /// States met so far, over all levels.
    pub(super) known: u64,
    /// Those among them that were spilled, and may be the same as others.
    pub(super) uncertain: u64,
    pub(super) storage: Storage,
    /// Where the levels in `stored` are, as far as the last checkpoint has them.
    pub(super) saved_levels: Vec<SavedStored>,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(
        expander: &'a dyn Expander,
        carry: Carry,
        arities: &'a Arities,
        rule: Rule,
        storage: Storage,
        sizing: Sizing,
    ) -> Self {
        Sweep {
            carry,
            arities,
            rule,
            begins: true,
            waiting: Waiting::new(),
            waiting_bytes: 0,
            current: None,
            pool: Pool::new(expander, sizing, carry),
            outboxes: Vec::new(),
            batch_bytes: [0; 2],
            freed: Freed::under(sizing.memory_limit),
            spare_written: Vec::new(),
            stored: Vec::new(),
            log: EdgeLog::default(),
            stored_bytes: 0,
            ones: Vec::new(),
            known: 0,
            uncertain: 0,
            storage,
            saved_levels: Vec::new(),
        }
    }

    /// Goes on to the end.
    pub(super) fn run(mut self, monitor: &mut Monitor<'_, '_>) -> Result<Swept, Error> {
        monitor.watch.check(None)?;
        self.restore(monitor)?;
        self.place_root()?;
        self.levels(monitor)
    }

    /// Goes on level by level, from where the first wide one is among the workers.
    fn levels(mut self, monitor: &mut Monitor<'_, '_>) -> Result<Swept, Error> {
        loop {
            if self.current.is_none() && !self.begin_level(monitor)? {
                break;
            }
            let states = self.current.as_ref().map_or(0, |current| current.states);
            if monitor.workers.shares(states as usize) && monitor.workers.is_outside() {
                return monitor.workers.clone().enter(|| self.levels(monitor));
            }
            // What goes to disk and back does not know of which level it is.
            let variable = self.current.as_ref().map(|current| current.variable);
            while self.current.as_ref().is_some_and(|current| !current.is_expanded()) {
                self.batch(monitor).map_err(|error| error.at(variable))?;
            }
            self.finish_level(monitor).map_err(|error| error.at(variable))?;
        }
        debug_assert_eq!(
            self.waiting_bytes, 0,
            "what was added up as levels grew, and none is left"
        );
        self.leave_room(monitor)?;
        let Sweep { stored: levels, log, ones, storage, .. } = self;
        Ok(Swept { levels, log, ones, storage })
    }

    /// Puts the root into its level.
    fn place_root(&mut self) -> Result<(), Error> {
        if !std::mem::take(&mut self.begins) {
            return Ok(());
        }
        let (expander, num_vars) = (self.pool.expander, self.arities.num_vars());
        match expander.root(self.rule) {
            Step::Zero => {}
            Step::One => self.ones.push((0, BigUint::from(1u32))),
            Step::To(to, ()) if to < num_vars => {
                // The assignments to the variables before the root.
                let number = match (self.carry.numbers(), self.rule) {
                    (false, _) => Vec::new(),
                    (true, Rule::ZeroSuppressed) => vec![1],
                    (true, Rule::AnyValue) => self.arities.product(0..to).to_u64_digits(),
                };
                let weight = Weight::new(limbs::value(&number), limbs::scale(number.len()));
                let width = if number.is_empty() { 0 } else { weight.width() };
                let mut level = Box::new(self.pool.level_of(1, 1, width));
                expander.insert_root(self.rule, &mut *level.partitions[0].states, &number);
                level.weight = weight;
                self.known = 1;
                self.waiting_bytes += level.bytes();
                self.waiting.insert(to, level);
            }
            Step::To(to, ()) => {
                let state = expander.describe_root(self.rule);
                return Err(Error::RootBeyondLast { to, num_vars, state });
            }
        }
        Ok(())
    }

    /// Makes the next level that has states the current one; `false` when there is none.
    fn begin_level(&mut self, monitor: &Monitor<'_, '_>) -> Result<bool, Error> {
        let Some((&variable, _)) = self.waiting.first_key_value() else {
            return Ok(false);
        };
        let mut level = self.take_waiting(variable).expect("a level was found here");
        // Reduction will ask to which states the far edges lead.
        let watch = &monitor.watch;
        let check = || watch.check(Some(variable));
        let far_arrivals = if self.carry.edges() {
            level.seal_far(&check, Some(&monitor.workers))?;
            self.settle(&mut level, monitor)?;
            level.take_far_arrivals()
        } else {
            FarArrivals::default()
        };
        let states = level.states();
        // Levels are mostly about as wide as the one before; when they grow, they seldom
        // more than double.
        let wanted = states + states / 2;
        let next = match self.take_waiting(variable + 1) {
            Some(mut next) => {
                if self.carry.edges() {
                    next.seal_far(&check, Some(&monitor.workers))?;
                }
                let partitions = self.pool.partitions(wanted, level.width);
                let there = next.states();
                // To move a state takes longer than to merge one that finds its place in no cache.
                let is_worth_it = 2 * there <= wanted
                    || next.partitions.len() < monitor.workers.threads()
                    || monitor.memory_limit().is_some();
                if partitions >= 4 * next.partitions.len() && is_worth_it && !next.is_spilled() {
                    let shared = monitor.workers.shares(there as usize);
                    let workers = shared.then_some(&monitor.workers);
                    next.spread(partitions, &check, workers)?;
                }
                next
            }
            None => Box::new(self.pool.level(wanted, level.width)),
        };
        self.current = Some(Current {
            variable,
            level,
            states,
            expanded: 0,
            edges_per_state: self.arities.get(variable) as f64,
            position: (0, 0),
            open: 0,
            pass: Pass::ONLY,
            next,
            ones: BigUint::ZERO,
            ones_edges: 0,
            edges: 0,
            merged: 0,
            written: Vec::new(),
            written_bytes: 0,
            far: Vec::new(),
            far_entries: Map::default(),
            far_arrivals,
        });
        Ok(true)
    }

    fn take_waiting(&mut self, variable: usize) -> Option<Box<Level>> {
        let level = self.waiting.remove(&variable)?;
        self.waiting_bytes -= level.bytes();
        Some(level)
    }

    /// Expands a batch of states of the current level and merges their children.
    fn batch(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), Error> {
        let current = self.current.as_ref().expect("a level is being expanded");
        let variable = current.variable;
        let near_partitions = current.next.partitions.len();
        // As many states as are likely to have as many edges as a batch should.
        let far = self.waiting.values().take(NEIGHBOURS);
        let far_partitions = far.map(|level| level.partitions.len());
        let partitions = (near_partitions + far_partitions.sum::<usize>()).min(MOST_PARTITIONS);
        let most_edges = self.batch_edges(partitions, monitor);
        let most = (most_edges as f64 / current.edges_per_state).max(1.0) as usize;
        self.open(most, monitor)?;
        let follow = self.follow(monitor);
        let current = self.current.as_mut().expect("a level is being expanded");
        let workers = &monitor.workers;
        let expander = self.pool.expander;
        let width = current.level.width;
        let expansion = Expansion {
            arities: self.arities,
            watch: &monitor.watch,
            variable,
            carry: self.carry,
            width,
            follow,
            near_partitions,
            waiting: &self.waiting,
            new_partitions: &|to| {
                self.pool.partitions(far_width(to, current.states, &self.waiting), width)
            },
        };
        // To expand a state, and merge its children, takes as long as two of most things.
        let shared = workers.shares(most_edges.min(2 * current.states) as usize);
        // Batches, and groups within one, are of about the same size: what is left over for a
        // small one is done by one thread while the others wait.
        let here = current.states_here();
        let states = here.div_ceil(here.div_ceil(most).max(1)).max(1);
        let sizes = if shared { group_sizes(states, workers.threads()) } else { vec![states] };
        let (groups, mut position) = current.groups(&sizes);
        self.outboxes.resize_with(groups.len(), || Outbox::new(expander.new_lists()));
        let level = &current.level;
        // A group may have more edges than its share, but not by far.
        let share = match groups.len() {
            0 | 1 => 2 * most_edges,
            _ => 4 * most_edges,
        };
        // Answers where a group had to stop, if it had more edges than it should.
        let expand = |_, (group, outbox): (&Vec<Stretch>, &mut Outbox)| {
            outbox.reset(variable, width, near_partitions);
            let of_group: usize = group.iter().map(|run| run.states.len()).sum();
            let most_of_group = (share * of_group as u64).div_ceil(states as u64);
            for run in group {
                let (states, range) =
                    (&*level.partitions[run.partition].states, run.states.clone());
                let expanded = expander.expand(&expansion, states, range, most_of_group, outbox)?;
                if expanded < run.states.len() {
                    return Ok(Some((run.partition, run.states.start + expanded)));
                }
            }
            Ok(None)
        };
        let work = groups.iter().zip(&mut self.outboxes);
        let stops = for_all(shared.then_some(workers), work, expand);
        let stops = stops.into_iter().collect::<Result<Vec<Option<(usize, usize)>>, Error>>()?;
        // What comes after the first stop is expanded again in the next batch.
        if let Some(group) = stops.iter().position(Option::is_some) {
            position = stops[group].expect("the group stopped");
            self.outboxes.truncate(group + 1);
        }
        let nodes: usize = self.outboxes.iter().map(|outbox| outbox.sent.written.nodes).sum();
        let edges: u64 = self.outboxes.iter().map(|outbox| outbox.sent.edges).sum();
        current.edges_per_state = (edges as f64 / nodes.max(1) as f64).max(0.25);

        current.expanded += nodes as u64;
        self.merge(position, shared.then_some(workers), monitor)?;
        self.make_room(0, monitor)?;
        monitor.check_size(Some(variable), self.bytes(), self.known - self.uncertain)
    }

    /// Which states that are forced are not stored.
    fn follow(&self, monitor: &Monitor<'_, '_>) -> Follow {
        match self.rule {
            Rule::AnyValue => Follow::None,
            Rule::ZeroSuppressed if self.carry.numbers() => Follow::All,
            // Nodes that are known by where they lead are kept in memory alone.
            Rule::ZeroSuppressed
                if self.storage.saves_levels() || monitor.memory_limit().is_some() =>
            {
                Follow::Zeros
            }
            Rule::ZeroSuppressed => Follow::Nodes,
        }
    }

    /// Merges what a batch sent, keeps what it wrote, and gives up the states before `position`.
    fn merge(
        &mut self,
        position: (usize, usize),
        workers: Option<&Workers>,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), Error> {
        let variable = self.current.as_ref().expect("a level is being expanded").variable;
        let heap: usize = self.outboxes.iter().map(|outbox| outbox.lists.heap()).sum();
        let edges: u64 = self.outboxes.iter().map(|outbox| outbox.sent.edges).sum();
        self.pool.heap_of_state = heap / edges.max(1) as usize;
        let batch_bytes = self.outboxes.iter().map(|outbox| outbox.lists.full_bytes()).sum();
        self.batch_bytes[0] = self.batch_bytes[0].max(batch_bytes);
        let near =
            self.outboxes.iter().filter(|_| self.carry.edges()).map(|of| of.lists.near_counts());
        let near: Vec<_> = near.collect();
        let bags = self.absorb(variable + 1, workers)?;

        let current = self.current.as_mut().expect("a level is being expanded");
        for ((outbox, bags), near) in self.outboxes.iter_mut().zip(bags).zip(near) {
            let spare = self.spare_written.pop().unwrap_or_default();
            let written = std::mem::replace(&mut outbox.sent.written, spare);
            current.written_bytes += written.bytes() + size_of_val(&near[..]);
            current.written.push(Kept::Here(WrittenRun { written, bags, near }));
        }
        let watch = &monitor.watch;
        for done in current.position.0..position.0 {
            let mut emptied = current.level.partitions[done].take();
            emptied.states.drop_states(&|| watch.check(Some(variable)))?;
            self.pool.recycle(emptied);
        }
        current.position = position;
        Ok(())
    }

    /// Merges what the outboxes hold. `skipped_from` is the first variable that edges beyond
    /// the next level skip. Answers, for each outbox, the number of the way in
    /// [`Current::far`] that each of its far bags went.
    fn absorb(
        &mut self,
        skipped_from: usize,
        workers: Option<&Workers>,
    ) -> Result<Vec<Vec<u32>>, Error> {
        let states = self.current.as_ref().map_or(1, |current| current.states);
        let has_numbers = self.carry.numbers();
        let multiplies = has_numbers && self.rule == Rule::AnyValue;
        let width = self.current.as_ref();
        let width = width.map_or(self.carry.least_width(), |current| current.level.width);
        if let Some(current) = &mut self.current {
            for outbox in &self.outboxes {
                current.edges += outbox.sent.edges;
                current.ones_edges += outbox.sent.ones_edges;
                if has_numbers {
                    current.ones += limbs::from_limbs(&outbox.sent.ones);
                }
            }
        }
        let mut gathered = Gathered::of(&mut self.outboxes, |bag| {
            self.waiting.remove(&bag.to).unwrap_or_else(|| {
                let level = Box::new(self.pool.level_of(bag.partitions, states, width));
                self.waiting_bytes += level.bytes();
                level
            })
        });
        let mut entries = Vec::with_capacity(gathered.ways.len());
        let from = skipped_from.saturating_sub(1);
        for &(number, via) in &gathered.ways {
            let (to, level) = &mut gathered.levels[number];
            if via.is_none() {
                level.first_far.get_or_insert(from);
            } else {
                level.open_via(via);
            }
            if let (true, Some(current)) = (self.carry.edges(), &mut self.current) {
                entries.push(current.far_entry(*to, via, level)?);
            }
        }
        let variable = self.current.as_ref().map(|current| current.variable);
        let check = || self.storage.watch.check(variable);
        let widening = Widening {
            storage: &self.storage,
            memory_limit: self.pool.memory_limit(),
            check: &check,
            workers,
        };
        let Gathered { mut levels, far, near, destinations, .. } = gathered;
        let mut deliveries = Vec::with_capacity(levels.len() + 1);
        for ((to, level), bags) in levels.iter_mut().zip(far) {
            let factor = multiplies.then(|| self.arities.product(skipped_from..*to));
            if has_numbers {
                self.waiting_bytes -= level.bytes();
                let bits = factor.as_ref().map_or(0, BigUint::bits);
                let most = most_before(self.arities, *to);
                self.uncertain += widening.expect(level, &bags, bits, (width, most))?;
                self.waiting_bytes += level.bytes();
            }
            deliveries.push(Delivery { level, waits: true, bags, factor });
        }
        if let Some(current) = &mut self.current {
            let level = &mut current.next;
            if has_numbers {
                let most = most_before(self.arities, current.variable + 1);
                self.uncertain += widening.expect(level, &near, 0, (width, most))?;
            }
            deliveries.push(Delivery { level, waits: false, bags: near, factor: None });
        }
        let merged = absorb(self.carry.edges(), &check, deliveries, workers)?;
        self.known += merged.new;
        if let Some(current) = &mut self.current {
            current.merged += merged.records - merged.new;
        }
        self.waiting_bytes += merged.waiting_bytes;
        self.waiting.extend(levels);
        if entries.is_empty() {
            return Ok(destinations.iter().map(|_| Vec::new()).collect());
        }
        let entry = |numbers: Vec<usize>| numbers.iter().map(|&number| entries[number]).collect();
        Ok(destinations.into_iter().map(entry).collect())
    }

    /// Stores the current level, reports it, and hands the next one on.
    fn finish_level(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), Error> {
        if self.carry.edges() {
            // For its edges, once they tell to which states they lead; and for what it takes to
            // settle the next level, if that is spilled, or has been for want of this room.
            let mut coming = None;
            while coming != Some(self.coming(monitor)) {
                coming = Some(self.coming(monitor));
                self.make_room(self.coming(monitor), monitor)?;
            }
        }
        let goes_to_disk = self.edges_go_to_disk(monitor);
        let mut current = self.current.take().expect("a level is being expanded");
        if self.carry.numbers() && current.ones_edges > 0 {
            let ones = (current.variable + 1, std::mem::take(&mut current.ones));
            match (self.rule, &mut self.ones[..]) {
                // It does not matter when they arrived.
                (Rule::ZeroSuppressed, [(_, sum)]) => *sum += ones.1,
                _ => self.ones.push(ones),
            }
        }
        if self.carry.edges() {
            self.settle(&mut current.next, monitor)?;
            let workers = &monitor.workers;
            let shared = workers.shares(2 * current.edges as usize);
            // Where memory is scarce none is kept for later.
            let keep = monitor.memory_limit().is_none();
            let variable = current.variable;
            let check = || monitor.watch.check(Some(variable));
            let workers = shared.then_some(workers);
            let tools = goes_to_disk.then(|| self.storage.tools()).flatten();
            let to = (&mut self.log, tools.map(|tools| tools.disk));
            let (level, spare) = current.store(to, &check, workers, keep)?;
            self.spare_written = spare;
            self.stored_bytes += level.bytes();
            self.stored.push(level);
        }
        let Current { variable, expanded: states, edges, merged, next, .. } = current;
        let waiting_bytes = self.waiting.values().next().map_or(0, |level| level.bytes());
        let level_bytes = next.bytes().max(waiting_bytes);
        self.pool.trim(next.partitions.len(), level_bytes + self.batch_bytes());
        self.batch_bytes = [0, self.batch_bytes[0]];
        if next.states() > 0 {
            self.waiting_bytes += next.bytes();
            self.waiting.insert(variable + 1, next);
        } else {
            next.partitions.into_iter().for_each(|partition| self.pool.recycle(partition));
        }
        self.make_room(0, monitor)?;
        let bytes = self.bytes();
        monitor.check_size(Some(variable), bytes, self.known - self.uncertain)?;
        monitor.report.peak_disk_bytes = self.storage.peak_disk_bytes();
        monitor.level_done(LevelReport {
            variable,
            states,
            edges,
            merged,
            bytes,
            disk_bytes: self.storage.disk_bytes(),
            elapsed: monitor.watch.elapsed(),
        });
        self.save(monitor)
    }

    /// What the next batch is likely to need for its records beside what outboxes keep.
    pub(super) fn batch_bytes(&self) -> usize {
        let [current, before] = self.batch_bytes;
        current.max(before)
    }

    /// What the sweep holds, by its own account.
    pub(super) fn bytes(&self) -> usize {
        self.bytes_in_use() + self.pool.expander.spare_bytes()
    }

    /// What it holds, but for memory that is ready to be used.
    pub(super) fn bytes_in_use(&self) -> usize {
        let current = self.current.as_ref().map_or(0, |current| {
            current.level.bytes()
                + current.next.bytes()
                + current.written_bytes
                + current.far.iter().map(FarLevel::bytes).sum::<usize>()
                + current.far_arrivals.bytes()
        });
        current
            + self.waiting_bytes
            + self.pool.bytes()
            + self.outboxes.iter().map(Outbox::bytes).sum::<usize>()
            + self.stored_bytes
            + self.spare_written.iter().map(Written::bytes).sum::<usize>()
            + self.arities.bytes()
    }
}

/// How many states a level is expected to have that is first met over an edge that skips
/// variables, from a level of `states`: as many as the widest that is known of before it.
fn far_width(to: usize, states: u64, waiting: &Waiting) -> u64 {
    let before = waiting.range(..to).rev().take(NEIGHBOURS);
    before.map(|(_, level)| level.states()).fold(states, u64::max)
}

/// What no sum of the numbers at a level exceeds: different assignments to the variables before it
/// are on different ways, so there are no more of them. A trace too much, for rounding.
fn most_before(arities: &Arities, to: usize) -> Weight {
    Weight::of_bits(arities.log2_product(0..to) * (1.0 + 1e-7) + 1.0)
}
