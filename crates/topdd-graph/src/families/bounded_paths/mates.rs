//! Paths vertex by vertex, for fixed ends or any: a state has the other end of each piece at the vertices of the frontier.
//!
//! A step decides the edges of one vertex to earlier ones: at most two are chosen. The frontier has the vertices that later
//! ones are joined to. Choices that differ in twins only are made once, and their counts are multiplied by their number. *Twins*
//! are vertices that later edges join to the same others.
//!
//! A *piece* is a path of chosen edges. Its open ends are those that still need an edge. The counts of a state are by length. To
//! bound the missing edges from below, the distances from each open end to the nearest open end of another piece, through later
//! edges, are added up, and the sum is halved. Lengths that exceed the bound with the missing edges are dropped. A vertex without a
//! chosen edge that no short enough path can visit is marked as used.

use super::counts::{LengthCounts, Total};
use super::saved::{MethodBlocks, save_position};
use super::steps::{
    APART, FIXED, FREE, Frontier, MATE, MateStep, MateTask, Slots, USED, entering_order,
};
use super::sweep::{Batches, Meter, PathRun, StateTable, Worker, sweep};
use crate::Graph;
use num_bigint::BigUint;
use std::array;
use topdd::BuildError;
use topdd::frontier::BlockWriter;

/// A count of paths, with an order of the edges. Returns `None` if the frontier is too wide.
pub(super) fn run<'m>(
    task: MateTask,
    graph: &Graph,
    order: &[usize],
    meter: &'m Meter,
) -> Option<Box<dyn PathRun + 'm>> {
    let vertices = entering_order(graph, order);
    let frontier = Frontier::of_all(graph, &vertices);
    macro_rules! by_words {
        ($($words:literal)*) => {
            match frontier.slots.len() {
                $(slots if slots <= 8 * $words => {
                    Some(Box::new(MatesRun::<$words, { 8 * $words }>::new(task, graph, vertices, meter)))
                })*
                _ => None,
            }
        };
    }
    by_words!(1 2 3 4 6 8)
}

struct Mates<const W: usize, const L: usize> {
    task: MateTask,
    /// By value of an end, a mask with [`APART`] in the slot of its mate, and 0 elsewhere. An end is never joined to its mate.
    mate_masks: Vec<[u8; L]>,
}

/// A count in progress.
struct MatesRun<'m, const W: usize, const L: usize> {
    mates: Mates<W, L>,
    meter: &'m Meter,
    /// The vertices in the order of the steps.
    vertices: Vec<usize>,
    frontier: Frontier,
    /// The next step, once it is made. A level that has met a limit is repeated with it.
    step: Option<MateStep<L>>,
    /// The number of steps that were made.
    passed: usize,
    /// The states after the steps that were made.
    level: StateTable<'m, W>,
    total: Total,
}

impl<'m, const W: usize, const L: usize> MatesRun<'m, W, L> {
    fn new(task: MateTask, graph: &Graph, vertices: Vec<usize>, meter: &'m Meter) -> Self {
        let mut mate_masks = vec![[0; L]; L + usize::from(MATE)];
        (0..L).for_each(|slot| mate_masks[slot + usize::from(MATE)][slot] = APART);
        let level = StateTable::new(meter, task.stride);
        level.add(&[0; W], LengthCounts::one(task.stride), 1, 0);
        MatesRun {
            mates: Mates { task, mate_masks },
            meter,
            vertices,
            frontier: Frontier::new(graph),
            step: None,
            passed: 0,
            level,
            total: Total::default(),
        }
    }
}

impl<const W: usize, const L: usize> PathRun for MatesRun<'_, W, L> {
    fn advance(&mut self) -> Result<Option<BigUint>, BuildError> {
        let Some(&vertex) = self.vertices.get(self.passed) else {
            return Ok(Some(self.total.value()));
        };
        let mates = &self.mates;
        let frontier = &mut self.frontier;
        let step: &MateStep<L> = self.step.get_or_insert_with(|| {
            let moved = frontier.pass(vertex);
            MateStep::new(mates.task, frontier, vertex, moved)
        });
        let next = StateTable::new(self.meter, mates.task.stride);
        let scratch = || MateScratch {
            next: Batches::new(&next),
            choices: Vec::new(),
            classes: Vec::new(),
            pairs: Vec::new(),
            pieces: Vec::new(),
        };
        let expand = |worker: &mut Worker<'_, MateScratch<'_, '_, W>>,
                      row: &[u64; W],
                      counts: LengthCounts<'_>| {
            let mut state = [USED; L];
            for (bytes, word) in state.chunks_exact_mut(8).zip(row) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            mates.expand(step, state, counts, worker);
        };
        self.total.merge(&sweep(&self.level, scratch, expand)?);
        self.level = next;
        self.step = None;
        self.passed += 1;
        Ok(None)
    }

    fn passed(&self) -> usize {
        self.passed
    }

    fn levels(&self) -> usize {
        self.vertices.len()
    }

    fn bytes(&self) -> usize {
        self.level.bytes()
    }

    fn save(&self, blocks: &mut BlockWriter) -> Result<usize, BuildError> {
        save_position(blocks, self.passed, &self.total)?;
        self.level.save(blocks)
    }

    fn restore(&mut self, blocks: &mut MethodBlocks<'_>) -> Result<(), BuildError> {
        (self.passed, self.total) = blocks.read_position(self.vertices.len())?;
        for &vertex in &self.vertices[..self.passed] {
            self.frontier.pass(vertex);
        }
        self.level = self.level.restored(blocks)?;
        Ok(())
    }
}

/// The result of the choice of some edges.
enum MateOutcome {
    Dead,
    Complete,
    Continues,
}

/// The buffers of a thread.
struct MateScratch<'t, 'm, const W: usize> {
    next: Batches<'t, 'm, W>,
    /// The slots that an edge may be chosen to, with the indices of their classes.
    choices: Vec<(usize, usize)>,
    classes: Vec<(usize, u8, usize)>,
    /// By pair of classes, a pair of slots, and the number of pairs that it stands for.
    pairs: Vec<(usize, usize, u64)>,
    /// The vertices without a chosen edge, and the pieces: a byte each for the group, the value, and the group of the mate.
    pieces: Vec<u32>,
}

/// A state after a choice, whose counts are added `times` times.
struct MateChild<'a, const L: usize> {
    state: Slots<L>,
    counts: LengthCounts<'a>,
    times: u64,
}

/// Bounds on the number of edges that complete a state.
struct EdgesLeft {
    least: usize,
    most: usize,
}

/// The numbers of the bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

impl<const W: usize, const L: usize> Mates<W, L> {
    /// Whether the paths join any two vertices.
    fn any_ends(&self) -> bool {
        self.task.ends.is_none()
    }

    /// Adds the states after a step.
    fn expand(
        &self,
        step: &MateStep<L>,
        mut state: Slots<L>,
        counts: LengthCounts<'_>,
        worker: &mut Worker<'_, MateScratch<'_, '_, W>>,
    ) {
        state[step.slot] = step.value;
        self.follow(step, MateChild { state, counts, times: 1 }, worker);
        Self::list_choices(step, &state, &mut worker.scratch);
        if let Some(counts) = counts.longer(1, self.task.length) {
            for class in 0..worker.scratch.classes.len() {
                let mut alike = worker.scratch.choices.iter().filter(|choice| choice.1 == class);
                let Some(&(slot, _)) = alike.next() else { continue };
                let mut child = MateChild { state, counts, times: 1 + alike.count() as u64 };
                let ends = [step.slot, slot].map(|slot| Self::take_end(&mut child.state, slot));
                self.join(step, child, (ends[0], ends[1]), worker);
            }
        }
        if step.value == FREE
            && let Some(counts) = counts.longer(2, self.task.length)
        {
            Self::list_pairs(&state, &mut worker.scratch);
            for at in 0..worker.scratch.pairs.len() {
                if worker.is_stopped() {
                    return;
                }
                let (a, b, times) = worker.scratch.pairs[at];
                if times > 0 {
                    let mut child = MateChild { state, counts, times };
                    child.state[step.slot] = USED;
                    let ends = [a, b].map(|slot| Self::take_end(&mut child.state, slot));
                    self.join(step, child, (ends[0], ends[1]), worker);
                }
            }
        }
    }

    /// Lists the vertices that an edge may be chosen to.
    fn list_choices(step: &MateStep<L>, state: &Slots<L>, scratch: &mut MateScratch<'_, '_, W>) {
        scratch.choices.clear();
        scratch.classes.clear();
        for &slot in &step.others {
            if state[slot] == USED {
                continue;
            }
            let class = step.class(state, slot);
            let known = scratch.classes.iter().position(|&known| known == class);
            let at = known.unwrap_or(scratch.classes.len());
            if at == scratch.classes.len() {
                scratch.classes.push(class);
            }
            scratch.choices.push((slot, at));
        }
    }

    /// Lists the pairs of choices that make no cycle, by their classes.
    fn list_pairs(state: &Slots<L>, scratch: &mut MateScratch<'_, '_, W>) {
        let MateScratch { choices, classes, pairs, .. } = scratch;
        pairs.clear();
        pairs.resize(classes.len() * classes.len(), (0, 0, 0));
        for (at, &(a, class)) in choices.iter().enumerate() {
            for &(b, other) in &choices[at + 1..] {
                if a != b && state[a] != b as u8 + MATE {
                    let pair = &mut pairs[class.min(other) * classes.len() + class.max(other)];
                    *pair = (a, b, pair.2 + 1);
                }
            }
        }
    }

    /// Chooses an edge to a vertex, and returns the value of the end that it leads to.
    #[inline]
    fn take_end(state: &mut Slots<L>, slot: usize) -> u8 {
        match std::mem::replace(&mut state[slot], USED) {
            FREE => slot as u8 + MATE,
            value => value,
        }
    }

    /// Joins two pieces. The values are those of [`take_end`](Self::take_end), for each piece.
    #[inline]
    fn join(
        &self,
        step: &MateStep<L>,
        mut child: MateChild<'_, L>,
        ends: (u8, u8),
        worker: &mut Worker<'_, MateScratch<'_, '_, W>>,
    ) {
        let state = &mut child.state;
        match ends {
            (FIXED, FIXED) => {
                if Self::is_complete(state) {
                    worker.total.add(child.counts, child.times);
                }
                return;
            }
            (FIXED, end) | (end, FIXED) => state[usize::from(end - MATE)] = FIXED,
            (one, other) => {
                state[usize::from(one - MATE)] = other;
                state[usize::from(other - MATE)] = one;
            }
        }
        self.follow(step, child, worker);
    }

    /// A path is complete if there is no other piece.
    #[inline]
    fn is_complete(state: &Slots<L>) -> bool {
        state.iter().all(|&value| value <= FREE)
    }

    /// Adds the state after the edges of a step are chosen.
    fn follow(
        &self,
        step: &MateStep<L>,
        mut child: MateChild<'_, L>,
        worker: &mut Worker<'_, MateScratch<'_, '_, W>>,
    ) {
        worker.spend(1);
        let MateChild { ref mut state, counts, times } = child;
        match self.leave(step, state) {
            MateOutcome::Dead => {}
            MateOutcome::Complete => worker.total.add(counts, times),
            MateOutcome::Continues => {
                let Some(left) = self.left(step, state, self.task.length - counts.low) else {
                    return;
                };
                let Some(counts) = counts.longer(0, self.task.length - left.least) else { return };
                step.rename(state, &mut worker.scratch.pieces);
                let row = array::from_fn(|word| {
                    let bytes = array::from_fn(|byte| state[8 * word + byte]);
                    u64::from_le_bytes(bytes)
                });
                worker.scratch.next.add(
                    row,
                    counts,
                    times,
                    self.task.length.saturating_sub(left.most),
                );
            }
        }
    }

    /// Removes the vertices that have no later edge.
    #[inline]
    fn leave(&self, step: &MateStep<L>, state: &mut Slots<L>) -> MateOutcome {
        for &slot in &step.leaving {
            match std::mem::replace(&mut state[slot], USED) {
                USED | FREE => {}
                _ if !self.any_ends() => return MateOutcome::Dead,
                FIXED if Self::is_complete(state) => return MateOutcome::Complete,
                FIXED => return MateOutcome::Dead,
                mate => state[usize::from(mate - MATE)] = FIXED,
            }
        }
        MateOutcome::Continues
    }

    /// The numbers of edges that may complete a state; `None` if the budget does not suffice. Vertices without a chosen edge that
    /// no path of the budget visits become used.
    #[inline]
    fn left(&self, step: &MateStep<L>, state: &mut Slots<L>, budget: usize) -> Option<EdgesLeft> {
        let ends = at_least(state, FIXED);
        let mut free = at_least(state, FREE) & !ends;
        for slot in bits(free & step.last_edge) {
            // A vertex without a chosen edge and with one later edge cannot be inside a path.
            state[slot] = USED;
        }
        free &= !step.last_edge;
        let fixed = (ends & !at_least(state, MATE)).count_ones() as usize;
        let unpaired = if self.any_ends() { 2usize.checked_sub(fixed)? } else { 0 };
        let mut nearest = [APART; L];
        for end in bits(ends) {
            let (row, mate_masks) =
                (&step.distances[end], &self.mate_masks[usize::from(state[end])]);
            (0..L).for_each(|slot| nearest[slot] = nearest[slot].min(row[slot] | mate_masks[slot]));
        }
        for row in &step.ahead {
            (0..L).for_each(|slot| nearest[slot] = nearest[slot].min(row[slot]));
        }
        let mut sum = NearestSum::new(unpaired);
        bits(ends).for_each(|end| sum.add(nearest[end]));
        for row in &step.ahead {
            let near = bits(ends).map(|end| row[end]).min().unwrap_or(APART);
            sum.add(near.min(step.ahead_distance));
        }
        let has_ends = ends != 0 || !step.ahead.is_empty();
        let least = if has_ends { sum.half() } else { 1 };
        if least > budget {
            return None;
        }
        if has_ends {
            for slot in bits(free) {
                let near = nearest[slot];
                if near < APART && sum.with_two(near).half() <= budget {
                    continue;
                }
                let row = &step.distances[slot];
                let mut through = NearestSum::new(unpaired);
                bits(ends).for_each(|end| through.add(nearest[end].min(row[end])));
                for ahead in &step.ahead {
                    let others = bits(ends).map(|end| ahead[end]).min().unwrap_or(APART);
                    through.add(others.min(step.ahead_distance).min(ahead[slot]));
                }
                if near == APART || through.with_two(near).half() > budget {
                    state[slot] = USED;
                    free &= !(1 << slot);
                }
            }
        }
        let pieces = usize::midpoint(ends.count_ones() as usize, fixed);
        let vertices = step.later + free.count_ones() as usize;
        Some(EdgesLeft { least, most: vertices + pieces.saturating_sub(1) })
    }
}

/// The slots of at least this value, as bits. Values are less than 128.
#[inline]
fn at_least<const L: usize>(state: &Slots<L>, value: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut bits = 0;
    for (word, bytes) in state.chunks_exact(8).enumerate() {
        let bytes = u64::from_le_bytes(array::from_fn(|byte| bytes[byte]));
        // The upper bits of the bytes, then moved next to each other.
        let upper = (bytes + ONES * u64::from(0x80 - value)) >> 7 & ONES;
        bits |= (upper.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * word);
    }
    bits
}

/// A sum of distances from open ends to the nearest others. The `unpaired` largest do not count: they are ends of the path.
#[derive(Clone, Copy)]
struct NearestSum {
    sum: usize,
    /// The two largest distances.
    largest: [usize; 2],
    unpaired: usize,
}

impl NearestSum {
    /// More than any number of edges.
    const FAR: usize = 1 << 24;

    fn new(unpaired: usize) -> Self {
        Self { sum: 0, largest: [0; 2], unpaired }
    }

    #[inline]
    fn add(&mut self, distance: u8) {
        let distance = if distance == APART { Self::FAR } else { distance.into() };
        self.sum += distance;
        let smaller = distance.min(self.largest[0]);
        self.largest = [distance.max(self.largest[0]), self.largest[1].max(smaller)];
    }

    /// The sum with a further vertex, whose two edges each need at least this distance.
    #[inline]
    fn with_two(mut self, distance: u8) -> Self {
        self.add(distance);
        self.add(distance);
        self
    }

    /// The least number of edges that join the ends: each joins two.
    #[inline]
    fn half(self) -> usize {
        let unpaired: usize = self.largest[..self.unpaired].iter().sum();
        (self.sum - unpaired).div_ceil(2)
    }
}
