//! The sweep: level by level from the root, states merged as they are met.

use super::carry::{Carry, Count};
use super::expand::{Expansion, Outbox, TO_FAR, TO_ONE};
use super::level::{Hasher, Level, Partition, Pool, partition_of};
use super::monitor::Monitor;
use super::number::Number;
use super::report::LevelReport;
use super::unreduced::{Chunk, FarEdge, Target, UnreducedLevel};
use super::workers::Workers;
use crate::Error;
use crate::spec::{Arities, DdSpec, Rule, Step};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::ops::Range;

/// States expanded before their children are merged, for each partition that these go
/// to: enough for one visit to a partition's tables to serve many records.
const BATCH_STATES_PER_PARTITION: usize = 2048;
/// Runs of states that a batch is cut into for each thread, so that one that ends early
/// finds more to do.
const RUNS_PER_THREAD: usize = 4;

/// How a run of a sweep ended.
pub(super) enum Outcome<'a, Spec: DdSpec, C: Carry> {
    Done(Swept<C>),
    /// The next sums might not fit the cargo: go on with a wider one.
    TooNarrow(Box<Sweep<'a, Spec, C>>),
}

/// What a finished sweep leaves.
pub(super) struct Swept<C: Carry> {
    /// With their edges, from the root down, when the carry keeps edges.
    pub(super) levels: Vec<UnreducedLevel>,
    /// What arrived at the 1-terminal, by the number of variables decided by then.
    pub(super) ones: Vec<(usize, C::Cargo)>,
}

/// A level that states may have arrived at; most variables have none at any one time.
type Waiting<S, G> = Option<Box<Level<S, G>>>;

/// A sweep in progress, resumable between any two batches.
pub(super) struct Sweep<'a, Spec: DdSpec, C: Carry> {
    spec: &'a Spec,
    arities: &'a Arities,
    rule: Rule,
    hasher: Hasher,
    /// The root, until it has found its level.
    root: Option<Step<Spec::State>>,
    /// Levels that states have arrived at, by variable; the one right after the current
    /// level is in [`Current::next`].
    waiting: Vec<Waiting<Spec::State, C::Cargo>>,
    waiting_bytes: usize,
    current: Option<Current<Spec::State, C>>,
    /// Where to look for the next level.
    next_variable: usize,
    pool: Pool<Spec::State, C::Cargo>,
    /// One for each run of a batch.
    outboxes: Vec<Outbox<Spec::State, C::Cargo>>,
    stored: Vec<UnreducedLevel>,
    stored_bytes: usize,
    ones: Vec<(usize, C::Cargo)>,
    /// States met so far, over all levels.
    known: u64,
}

/// The level being expanded.
struct Current<S, C: Carry> {
    variable: usize,
    level: Box<Level<S, C::Cargo>>,
    states: u64,
    /// The first partition, and the first state in it, yet to be expanded.
    position: (usize, usize),
    next: Box<Level<S, C::Cargo>>,
    ones: C::Cargo,
    ones_weight: f64,
    ones_edges: u64,
    edges: u64,
    merged: u64,
    chunks: Vec<PendingChunk>,
    far: Vec<FarEdge>,
    far_arrivals: Vec<Vec<u32>>,
}

/// A [`Chunk`] whose edges still say to which partition they go, not to which state.
struct PendingChunk {
    nodes: usize,
    shape: Vec<u8>,
    destinations: Vec<u8>,
}

/// States of one partition that are expanded together.
struct Run {
    partition: usize,
    states: Range<usize>,
}

impl<S, C: Carry> Current<S, C> {
    /// The next states to expand, about `most` of them, in runs of at most `run_states`;
    /// and the position after them.
    fn runs(&self, most: usize, run_states: usize) -> (Vec<Run>, (usize, usize)) {
        let mut runs = Vec::new();
        let mut position = self.position;
        let mut left = most;
        while left > 0 && position.0 < self.level.partitions.len() {
            let count = self.level.partitions[position.0].states.len();
            let end = count.min(position.1 + run_states);
            let states = position.1..end;
            left = left.saturating_sub(states.len());
            position = if end == count { (position.0 + 1, 0) } else { (position.0, end) };
            if !states.is_empty() {
                runs.push(Run { partition: position.0 - usize::from(end == count), states });
            }
        }
        (runs, position)
    }

    fn is_expanded(&self) -> bool {
        self.position.0 == self.level.partitions.len()
    }
}

impl<'a, Spec: DdSpec, C: Carry> Sweep<'a, Spec, C> {
    pub(super) fn new(spec: &'a Spec, arities: &'a Arities, rule: Rule) -> Self {
        let mut waiting = Vec::new();
        waiting.resize_with(arities.num_vars(), || None);
        Sweep {
            spec,
            arities,
            rule,
            hasher: Hasher::new(),
            root: Some(spec.root_under(rule)),
            waiting,
            waiting_bytes: 0,
            current: None,
            next_variable: 0,
            pool: Pool::new(),
            outboxes: Vec::new(),
            stored: Vec::new(),
            stored_bytes: 0,
            ones: Vec::new(),
            known: 0,
        }
    }

    /// Goes on to the end, or to where the cargo becomes too narrow.
    pub(super) fn run(
        mut self,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<Outcome<'a, Spec, C>, Error> {
        monitor.watch.check(None)?;
        if !self.place_root()? {
            return Ok(Outcome::TooNarrow(Box::new(self)));
        }
        loop {
            if self.current.is_none() && !self.begin_level() {
                break;
            }
            while self.current.as_ref().is_some_and(|current| !current.is_expanded()) {
                if !self.batch(monitor)? {
                    return Ok(Outcome::TooNarrow(Box::new(self)));
                }
            }
            self.finish_level(monitor)?;
        }
        Ok(Outcome::Done(Swept { levels: self.stored, ones: self.ones }))
    }

    /// Sends the root to its level, once. Answers `false` when its cargo does not fit.
    fn place_root(&mut self) -> Result<bool, Error> {
        let num_vars = self.arities.num_vars();
        match self.root.take() {
            None | Some(Step::Zero) => {}
            Some(Step::One) => self.ones.push((0, C::start())),
            Some(Step::To(to, state)) if to < num_vars => {
                let mut outbox = Outbox::new::<C>();
                outbox.far.push((to, (state.clone(), C::start())));
                self.outboxes.push(outbox);
                if !self.far_fits(0) {
                    self.root = Some(Step::To(to, state));
                    return Ok(false);
                }
                self.absorb_far(0)?;
                // What leads to the root is not an edge.
                if let Some(level) = &mut self.waiting[to] {
                    level.first_far = None;
                    level.partitions.iter_mut().for_each(|p| p.resolved.clear());
                }
            }
            Some(Step::To(to, state)) => {
                let state = self.spec.describe(&state);
                return Err(Error::RootBeyondLast { to, num_vars, state });
            }
        }
        Ok(true)
    }

    /// Makes the next level that has states the current one; `false` when there is none.
    fn begin_level(&mut self) -> bool {
        let Some(variable) =
            (self.next_variable..self.waiting.len()).find(|&v| self.waiting[v].is_some())
        else {
            return false;
        };
        self.next_variable = variable + 1;
        let mut level = self.take_waiting(variable).expect("a level was found here");
        let states = level.states();
        // Reduction will ask to which states the far edges lead.
        let mut far_arrivals = Vec::new();
        if C::EDGES && level.first_far.is_some() {
            let bases = level.bases();
            for (partition, &base) in level.partitions.iter_mut().zip(&bases) {
                let mut arrivals = std::mem::take(&mut partition.resolved);
                arrivals.shrink_to_fit();
                for number in &mut arrivals {
                    *number += base as u32;
                }
                far_arrivals.push(arrivals);
            }
        }
        // Levels are mostly about as wide as the one before; when they grow, they seldom
        // more than double.
        let next = match self.take_waiting(variable + 1) {
            Some(mut next) => {
                next.begin_near();
                next
            }
            None => Box::new(self.pool.level(states + states / 2)),
        };
        self.current = Some(Current {
            variable,
            level,
            states,
            position: (0, 0),
            next,
            ones: C::nothing(),
            ones_weight: 0.0,
            ones_edges: 0,
            edges: 0,
            merged: 0,
            chunks: Vec::new(),
            far: Vec::new(),
            far_arrivals,
        });
        true
    }

    fn take_waiting(&mut self, variable: usize) -> Option<Box<Level<Spec::State, C::Cargo>>> {
        let level = self.waiting.get_mut(variable)?.take()?;
        self.waiting_bytes -= level.bytes();
        Some(level)
    }

    /// Expands a batch of states of the current level and merges their children.
    /// Answers `false`, with nothing changed, when the cargo is too narrow for it.
    fn batch(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<bool, Error> {
        let current = self.current.as_mut().expect("a level is being expanded");
        let variable = current.variable;
        let partitions = current.next.partitions.len();
        let workers = &monitor.workers;
        let expansion = Expansion {
            spec: self.spec,
            arities: self.arities,
            hasher: &self.hasher,
            variable,
            watch: &monitor.watch,
        };
        let most = BATCH_STATES_PER_PARTITION * partitions;
        let shared = workers.shares(most.min(current.states as usize));
        let run_states =
            if shared { most.div_ceil(RUNS_PER_THREAD * workers.threads()) } else { most };
        let (runs, position) = current.runs(most, run_states);
        self.outboxes.resize_with(runs.len(), Outbox::new::<C>);
        let level = &current.level;
        let expand = |(run, outbox): (&Run, &mut Outbox<Spec::State, C::Cargo>)| {
            let Partition { states, cargos, .. } = &level.partitions[run.partition];
            outbox.reset::<C>(partitions);
            expansion.expand::<C>(&states[run.states.clone()], &cargos[run.states.clone()], outbox)
        };
        if shared {
            let outboxes = &mut self.outboxes;
            workers.run(|| runs.par_iter().zip(outboxes).try_for_each(expand))?;
        } else {
            runs.iter().zip(&mut self.outboxes).try_for_each(expand)?;
        }

        let near_weight: f64 = self.outboxes.iter().map(|outbox| outbox.near_weight).sum();
        let ones_weight: f64 = self.outboxes.iter().map(|outbox| outbox.ones_weight).sum();
        if !C::fits(current.next.weight + near_weight)
            || !C::fits(current.ones_weight + ones_weight)
            || !self.far_fits(variable + 1)
        {
            return Ok(false);
        }
        self.absorb_near(shared.then_some(workers));
        self.absorb_far(variable + 1)?;

        let current = self.current.as_mut().expect("a level is being expanded");
        if C::EDGES {
            for outbox in &mut self.outboxes {
                current.chunks.push(PendingChunk {
                    nodes: outbox.nodes,
                    shape: std::mem::take(&mut outbox.shape),
                    destinations: std::mem::take(&mut outbox.destinations),
                });
            }
        }
        for done in current.position.0..position.0 {
            let emptied = std::mem::replace(&mut current.level.partitions[done], Partition::new());
            self.pool.recycle(emptied);
        }
        current.position = position;
        monitor.check_size(Some(variable), self.bytes(), self.known)?;
        Ok(true)
    }

    /// Merges what goes to the next level or to the 1-terminal, partition by partition;
    /// by the workers, if there are any.
    fn absorb_near(&mut self, workers: Option<&Workers>) {
        let current = self.current.as_mut().expect("a level is being expanded");
        for outbox in &self.outboxes {
            current.edges += outbox.edges;
            current.next.weight += outbox.near_weight;
            C::merge(&mut current.ones, &outbox.ones);
            current.ones_weight += outbox.ones_weight;
            current.ones_edges += outbox.ones_edges;
        }
        let hasher = &self.hasher;
        let absorb = |partition: &mut Partition<Spec::State, C::Cargo>, records: &mut Vec<_>| {
            let count = records.len() as u64;
            let mut new = 0;
            for (state, cargo) in records.drain(..) {
                let hash = hasher.hash(&state);
                new += u64::from(partition.absorb::<C>(hasher, hash, state, cargo));
            }
            (count, new)
        };
        let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        let next = &mut current.next.partitions;
        let (records, new) = match workers {
            None => {
                let mut done = (0, 0);
                for outbox in &mut self.outboxes {
                    for (partition, records) in next.iter_mut().zip(&mut outbox.near) {
                        done = sum(done, absorb(partition, records));
                    }
                }
                done
            }
            Some(workers) => {
                // What each partition gets, run by run: its order is that of the states.
                let mut incoming: Vec<Vec<_>> = (0..next.len()).map(|_| Vec::new()).collect();
                for outbox in &mut self.outboxes {
                    for (list, records) in incoming.iter_mut().zip(&mut outbox.near) {
                        list.push(records);
                    }
                }
                workers.run(|| {
                    next.par_iter_mut()
                        .zip(incoming)
                        .map(|(partition, list)| {
                            list.into_iter()
                                .map(|records| absorb(partition, records))
                                .fold((0, 0), sum)
                        })
                        .reduce(|| (0, 0), sum)
                })
            }
        };
        self.known += new;
        current.merged += records - new;
    }

    /// Whether the numbers of the far records fit where they go. `skipped_from` is the
    /// first variable that their edges skip.
    fn far_fits(&self, skipped_from: usize) -> bool {
        if !C::NUMBERS || C::CAPACITY.is_infinite() {
            return true;
        }
        let mut sums: Vec<(usize, f64)> = Vec::new();
        for (to, (_, cargo)) in self.outboxes.iter().flat_map(|outbox| &outbox.far) {
            let weight = C::weight(cargo);
            match sums.iter_mut().find(|(other, _)| other == to) {
                Some((_, sum)) => *sum += weight,
                None => sums.push((*to, weight)),
            }
        }
        sums.iter().all(|&(to, weight)| {
            let there = self.waiting[to].as_ref().map_or(0.0, |level| level.weight);
            C::fits(there + weight * self.skip_weight(skipped_from, to))
        })
    }

    fn skip_weight(&self, skipped_from: usize, to: usize) -> f64 {
        match self.rule {
            Rule::ZeroSuppressed => 1.0,
            // A trace too much, so that rounding cannot make it too little.
            Rule::AnyValue => (self.arities.log2_product(skipped_from..to) + 1e-6).exp2(),
        }
    }

    /// Merges the records that go beyond the next level. `skipped_from` is the first
    /// variable that their edges skip.
    fn absorb_far(&mut self, skipped_from: usize) -> Result<(), Error> {
        let multiplies = C::NUMBERS && self.rule == Rule::AnyValue;
        let mut factors: Vec<(usize, BigUint)> = Vec::new();
        let width = self.current.as_ref().map_or(1, |current| current.states);
        let records = self.outboxes.iter_mut().flat_map(|outbox| outbox.far.drain(..));
        for (to, (state, mut cargo)) in records {
            if multiplies {
                let index =
                    factors.iter().position(|(other, _)| *other == to).unwrap_or_else(|| {
                        factors.push((to, self.arities.product(skipped_from..to)));
                        factors.len() - 1
                    });
                cargo = C::skip(&cargo, &factors[index].1);
            }
            let weight = C::weight(&cargo);
            let place = &mut self.waiting[to];
            let level = match place {
                Some(level) => {
                    self.waiting_bytes -= level.bytes();
                    level
                }
                None => place.insert(Box::new(self.pool.level(width))),
            };
            level.first_far.get_or_insert(skipped_from.saturating_sub(1));
            level.weight += weight;
            let hash = self.hasher.hash(&state);
            let index = partition_of(hash, level.partitions.len());
            let partition = &mut level.partitions[index];
            let record = partition.resolved.len() as u32;
            let new = partition.absorb::<C>(&self.hasher, hash, state, cargo);
            self.known += u64::from(new);
            self.waiting_bytes += level.bytes();
            if let Some(current) = &mut self.current {
                current.merged += u64::from(!new);
                if C::EDGES {
                    if current.far.len() as u64 == Target::LIMIT {
                        return Err(too_large("edges that skip variables"));
                    }
                    current.far.push(FarEdge {
                        variable: to as u32,
                        partition: index as u32,
                        record,
                    });
                }
            }
        }
        Ok(())
    }

    /// Stores the current level, reports it, and hands the next one on.
    fn finish_level(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), Error> {
        let mut current = self.current.take().expect("a level is being expanded");
        if current.ones_edges > 0 {
            self.ones.push((current.variable + 1, current.ones.clone()));
        }
        if C::EDGES {
            let level = current.store()?;
            self.stored_bytes += level.bytes();
            self.stored.push(level);
        }
        let Current { variable, states, edges, merged, next, .. } = current;
        self.pool.trim(next.partitions.len());
        if next.states() > 0 {
            self.waiting_bytes += next.bytes();
            self.waiting[variable + 1] = Some(next);
        } else {
            next.partitions.into_iter().for_each(|partition| self.pool.recycle(partition));
        }
        let bytes = self.bytes();
        monitor.check_size(Some(variable), bytes, self.known)?;
        monitor.level_done(LevelReport {
            variable,
            states,
            edges,
            merged,
            bytes,
            elapsed: monitor.watch.elapsed(),
        });
        Ok(())
    }

    /// What the sweep holds, by its own account.
    fn bytes(&self) -> usize {
        let current = self.current.as_ref().map_or(0, |current| {
            current.level.bytes()
                + current.next.bytes()
                + current
                    .chunks
                    .iter()
                    .map(|c| c.shape.capacity() + c.destinations.capacity())
                    .sum::<usize>()
                + current.far.capacity() * size_of::<FarEdge>()
        });
        current
            + self.waiting_bytes
            + self.waiting.capacity() * size_of::<usize>()
            + self.pool.bytes()
            + self.outboxes.iter().map(Outbox::bytes).sum::<usize>()
            + self.stored_bytes
            + self.arities.bytes()
    }
}

impl<S, C: Carry> Current<S, C>
where
    S: Clone + Eq + std::hash::Hash,
{
    /// The level with its edges, now that the states of the next one have their numbers.
    fn store(&mut self) -> Result<UnreducedLevel, Error> {
        if self.next.states() >= Target::LIMIT {
            return Err(too_large("states"));
        }
        let bases = self.next.bases();
        let mut arrivals: Vec<_> = self
            .next
            .partitions
            .iter()
            .map(|partition| partition.resolved[partition.far..].iter())
            .collect();
        let mut far = 0..self.far.len() as u32;
        let mut chunks = Vec::with_capacity(self.chunks.len());
        for chunk in self.chunks.drain(..) {
            let codes = chunk.destinations.iter().map(|&destination| {
                let target = match destination {
                    TO_ONE => Target::One,
                    TO_FAR => Target::Far(far.next().expect("every far edge was recorded")),
                    partition => {
                        let partition = partition as usize;
                        let arrival = arrivals[partition].next();
                        let index = *arrival.expect("every record was resolved");
                        Target::Near(bases[partition] as u32 + index)
                    }
                };
                target.code()
            });
            let codes = codes.collect();
            let mut shape = chunk.shape;
            shape.shrink_to_fit();
            chunks.push(Chunk { nodes: chunk.nodes, shape, codes });
        }
        for partition in &mut self.next.partitions {
            partition.resolved.truncate(partition.far);
        }
        self.far.shrink_to_fit();
        Ok(UnreducedLevel {
            variable: self.variable,
            nodes: self.states,
            chunks,
            far: std::mem::take(&mut self.far),
            far_arrivals: std::mem::take(&mut self.far_arrivals),
            first_far: self.level.first_far,
        })
    }
}

impl<'a, Spec: DdSpec, N: Number> Sweep<'a, Spec, Count<N>> {
    /// The same sweep with wider numbers.
    pub(super) fn widen<M: Number>(self) -> Sweep<'a, Spec, Count<M>> {
        let widen_level = |level: Level<Spec::State, N>| level.convert(N::convert::<M>);
        let waiting =
            self.waiting.into_iter().map(|level| level.map(|l| Box::new(widen_level(*l))));
        let mut waiting_bytes = 0;
        let waiting: Vec<Waiting<Spec::State, M>> = waiting
            .inspect(|level| waiting_bytes += level.as_ref().map_or(0, |level| level.bytes()))
            .collect();
        let current = self.current.map(|current| Current {
            variable: current.variable,
            level: Box::new(widen_level(*current.level)),
            states: current.states,
            position: current.position,
            next: Box::new(widen_level(*current.next)),
            ones: current.ones.convert(),
            ones_weight: current.ones_weight,
            ones_edges: current.ones_edges,
            edges: current.edges,
            merged: current.merged,
            chunks: current.chunks,
            far: current.far,
            far_arrivals: current.far_arrivals,
        });
        Sweep {
            spec: self.spec,
            arities: self.arities,
            rule: self.rule,
            hasher: self.hasher,
            root: self.root,
            waiting,
            waiting_bytes,
            current,
            next_variable: self.next_variable,
            pool: Pool::new(),
            outboxes: Vec::new(),
            stored: self.stored,
            stored_bytes: self.stored_bytes,
            ones: self.ones.into_iter().map(|(v, number)| (v, number.convert())).collect(),
            known: self.known,
        }
    }
}

#[cold]
fn too_large(unit: &'static str) -> Error {
    Error::TooLarge { what: "a level", unit, limit: Target::LIMIT }
}

/// The number of assignments in all, from what arrived at the 1-terminal level by level.
///
/// `ones` holds pairs of the number of variables decided and the number of assignments
/// to these, in ascending order; the variables after them are skipped.
pub(crate) fn total<N: Number>(arities: &Arities, rule: Rule, ones: &[(usize, N)]) -> BigUint {
    match rule {
        Rule::ZeroSuppressed => ones.iter().map(|(_, number)| number.to_big()).sum(),
        Rule::AnyValue => sum_before(arities, ones, arities.num_vars()),
    }
}

/// Horner's rule by halves, so that the numbers grow evenly: the sum of `ones`, as
/// assignments to the variables before `end`, skipped variables taking any value.
fn sum_before<N: Number>(arities: &Arities, ones: &[(usize, N)], end: usize) -> BigUint {
    match ones {
        [] => BigUint::ZERO,
        [(decided, number)] => number.to_big() * arities.product(*decided..end),
        _ => {
            let (early, late) = ones.split_at(ones.len() / 2);
            let middle = early.last().map_or(end, |&(decided, _)| decided);
            sum_before(arities, early, middle) * arities.product(middle..end)
                + sum_before(arities, late, end)
        }
    }
}
