//! Paths vertex by vertex, for fixed ends or any: a state has the other end of each piece at the vertices of the frontier.
//!
//! A step decides the edges of one vertex to earlier ones: at most two are chosen. The frontier has the vertices that later
//! ones are joined to. Choices that lead to the same state but for the names of vertices are made once, with their number.
//!
//! A *piece* is a path of chosen edges, with an open end at each vertex that takes a further edge. The counts of a state are by
//! length. Lengths from which no completion is within the bound are dropped: the missing edges are at least half of the sum, over
//! the open ends, of the distance to the nearest open end of another piece through later edges. A vertex without a chosen edge
//! that no short enough path visits counts as used.

use super::counts::{LengthCounts, Total};
use super::sweep::{Batches, Meter, PathRun, StateTable, Worker, sweep};
use crate::Graph;
use num_bigint::BigUint;
use std::array;
use topdd::BuildError;

/// A vertex that no further edge may touch, or the absence of one.
const USED: u8 = 0;
/// A vertex without a chosen edge.
const FREE: u8 = 1;
/// The open end of a piece whose other end is an end of the path.
const FIXED: u8 = 2;
/// The open end of a piece whose other end is in the slot `mate - MATE`.
const MATE: u8 = 3;

/// The largest distance that is told from longer ones.
const LONG: u8 = 254;
/// The distance of vertices that no path joins.
const APART: u8 = 255;

/// The values of the vertices of the frontier, in `L` slots.
type Slots<const L: usize> = [u8; L];

/// One vertex of the sweep, with its edges to earlier vertices.
struct MateStep<const L: usize> {
    /// The slot of the vertex.
    slot: usize,
    /// Its value before an edge is chosen.
    value: u8,
    /// The slots of the other ends of its edges.
    others: Vec<usize>,
    /// The slots of vertices that leave.
    leaving: Vec<usize>,
    /// The slots in use after the step.
    in_use: Vec<usize>,
    /// By slot in use, the distances to the others through later edges, and [`APART`] to itself.
    distances: Vec<[u8; L]>,
    /// The distances from the fixed ends that have not entered.
    ahead: Vec<[u8; L]>,
    /// The distance between the two fixed ends, if neither has entered.
    ahead_distance: u8,
    /// The vertices that have not entered.
    later: usize,
    /// The slots in use whose vertices have one later edge, if the path cannot end there: bits.
    last_edge: u64,
    /// The slots in use by groups of vertices that later edges join to the same others.
    groups: Vec<Vec<usize>>,
    /// Whether a group has two vertices.
    has_groups: bool,
    /// By slot, its group. A slot that is not in use has a group of its own.
    group_of: Vec<usize>,
}

/// The ends and the bound of the paths.
#[derive(Clone, Copy)]
pub(super) struct MateTask {
    pub(super) ends: Option<(usize, usize)>,
    pub(super) length: usize,
    /// 2 if the ends are fixed and the graph is bipartite, else 1.
    pub(super) stride: usize,
}

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

/// The most vertices on the frontier within a step.
pub(super) fn width(graph: &Graph, order: &[usize]) -> usize {
    Frontier::of_all(graph, &entering_order(graph, order)).slots.len()
}

/// The vertices with edges, in the order in which an order of the edges meets them.
fn entering_order(graph: &Graph, order: &[usize]) -> Vec<usize> {
    let mut is_new = vec![true; graph.num_vertices()];
    let edges = order.iter().map(|&edge| graph.edges()[edge]);
    let ends = edges.flat_map(|(a, b)| [a, b]);
    ends.filter(|&vertex| std::mem::take(&mut is_new[vertex])).collect()
}

/// The vertices on the frontier, as steps pass.
struct Frontier {
    /// The vertex in each slot.
    slots: Vec<Option<usize>>,
    /// By vertex, the other ends of later edges.
    later: Vec<Vec<usize>>,
    has_entered: Vec<bool>,
    /// The vertices that have not entered.
    num_later: usize,
}

/// The slots that a step changes.
struct FrontierMove {
    slot: usize,
    others: Vec<usize>,
    leaving: Vec<usize>,
}

impl Frontier {
    fn new(graph: &Graph) -> Self {
        let vertices = graph.num_vertices();
        let later: Vec<Vec<usize>> =
            (0..vertices).map(|vertex| graph.neighbours(vertex).collect()).collect();
        let num_later = later.iter().filter(|others| !others.is_empty()).count();
        Self { slots: Vec::new(), later, has_entered: vec![false; vertices], num_later }
    }

    /// The frontier after all steps, with a slot for each vertex that was on it at once.
    fn of_all(graph: &Graph, vertices: &[usize]) -> Self {
        let mut frontier = Self::new(graph);
        for &vertex in vertices {
            frontier.pass(vertex);
        }
        frontier
    }

    /// Enters a vertex, with its edges to those that have entered.
    fn pass(&mut self, vertex: usize) -> FrontierMove {
        self.has_entered[vertex] = true;
        self.num_later -= 1;
        let slot = self.slots.iter().position(Option::is_none).unwrap_or(self.slots.len());
        self.slots.resize(self.slots.len().max(slot + 1), None);
        self.slots[slot] = Some(vertex);
        let mut others = Vec::new();
        for (other_slot, other) in self.in_use().collect::<Vec<_>>() {
            let before = self.later[other].len();
            self.later[other].retain(|&later| later != vertex);
            others.extend(vec![other_slot; before - self.later[other].len()]);
        }
        let has_entered = &self.has_entered;
        self.later[vertex].retain(|&other| !has_entered[other]);
        let mut leaving = Vec::new();
        for (slot, vertex) in self.slots.iter_mut().enumerate() {
            if vertex.is_some_and(|vertex| self.later[vertex].is_empty()) {
                leaving.push(slot);
                *vertex = None;
            }
        }
        FrontierMove { slot, others, leaving }
    }

    /// The slots in use with their vertices.
    fn in_use(&self) -> impl Iterator<Item = (usize, usize)> {
        self.slots.iter().enumerate().filter_map(|(slot, vertex)| Some((slot, (*vertex)?)))
    }

    /// By vertex, the distance from one of them, or [`APART`] if it is more than `most`.
    fn distances(&self, start: usize, most: usize) -> Vec<u8> {
        let mut distance = vec![APART; self.later.len()];
        distance[start] = 0;
        let mut order = vec![start];
        let mut at = 0;
        while let Some(&vertex) = order.get(at) {
            at += 1;
            if usize::from(distance[vertex]) == most {
                break;
            }
            for &other in &self.later[vertex] {
                if distance[other] == APART {
                    distance[other] = (distance[vertex] + 1).min(LONG);
                    order.push(other);
                }
            }
        }
        distance
    }

    /// The distances from a vertex to the others in the slots.
    fn row<const L: usize>(&self, vertex: usize, distances: &[u8]) -> [u8; L] {
        let mut row = [APART; L];
        for (slot, other) in self.in_use().filter(|&(_, other)| other != vertex) {
            row[slot] = distances[other];
        }
        row
    }

    /// The slots in use in groups of vertices that later edges join to the same others.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for (slot, vertex) in self.in_use() {
            let mut others = self.later[vertex].clone();
            others.sort_unstable();
            match groups.iter_mut().find(|group| group.0 == others) {
                Some(group) => group.1.push(slot),
                None => groups.push((others, vec![slot])),
            }
        }
        groups.into_iter().map(|(_, slots)| slots).collect()
    }
}

impl<const L: usize> MateStep<L> {
    /// The step of a vertex that has entered the frontier by `moved`.
    fn new(task: MateTask, frontier: &Frontier, vertex: usize, moved: FrontierMove) -> Self {
        let ends: Vec<usize> = task.ends.into_iter().flat_map(|(from, to)| [from, to]).collect();
        let FrontierMove { slot, others, leaving } = moved;
        let in_use: Vec<usize> = frontier.in_use().map(|(slot, _)| slot).collect();
        let (mut distances, mut last_edge) = (vec![[APART; L]; L], 0);
        for (slot, vertex) in frontier.in_use() {
            distances[slot] = frontier.row(vertex, &frontier.distances(vertex, task.length));
            let is_last = !ends.is_empty() && frontier.later[vertex].len() == 1;
            last_edge |= u64::from(is_last) << slot;
        }
        let value = if ends.contains(&vertex) { FIXED } else { FREE };
        let ahead: Vec<usize> =
            ends.into_iter().filter(|&end| !frontier.has_entered[end]).collect();
        let far = |&end: &usize| frontier.distances(end, task.length);
        let from_ends: Vec<Vec<u8>> = ahead.iter().map(far).collect();
        let ahead_distance = match ahead[..] {
            [_, to] => from_ends[0][to],
            _ => APART,
        };
        let rows = ahead.iter().zip(&from_ends).map(|(&end, far)| frontier.row(end, far));
        let groups = frontier.groups();
        let mut group_of: Vec<usize> = (L..2 * L).collect();
        for (group, slots) in groups.iter().enumerate() {
            for &slot in slots {
                group_of[slot] = group;
            }
        }
        MateStep {
            slot,
            value,
            others,
            leaving,
            ahead: rows.collect(),
            ahead_distance,
            later: frontier.num_later,
            last_edge,
            has_groups: groups.len() < in_use.len(),
            in_use,
            distances,
            groups,
            group_of,
        }
    }

    /// Exchanges vertices within groups, so that more states are equal.
    fn rename(&self, state: &mut Slots<L>, pieces: &mut Vec<u32>) {
        if !self.has_groups {
            return;
        }
        pieces.clear();
        for &slot in &self.in_use {
            let group = self.group_of[slot] as u32;
            match state[slot] {
                USED => {}
                value @ (FREE | FIXED) => pieces.push(group << 16 | u32::from(value) << 8),
                value if usize::from(value - MATE) > slot => {
                    let other = self.group_of[usize::from(value - MATE)] as u32;
                    let (group, other) = (group.min(other), group.max(other));
                    pieces.push(group << 16 | u32::from(MATE) << 8 | other);
                }
                _ => {}
            }
        }
        pieces.sort_unstable();
        *state = [USED; L];
        let mut taken = [0u8; L];
        let mut next = |group: usize| {
            let slot = self.groups[group][usize::from(taken[group])];
            taken[group] += 1;
            slot
        };
        for &piece in pieces.iter() {
            let [other, value, group, _] = piece.to_le_bytes();
            let slot = next(group.into());
            state[slot] = value;
            if value == MATE {
                let other = next(other.into());
                (state[slot], state[other]) = (other as u8 + MATE, slot as u8 + MATE);
            }
        }
    }

    /// The class of a vertex. In this state, the vertices of a class may be exchanged.
    fn class(&self, state: &Slots<L>, slot: usize) -> (usize, u8, usize) {
        match state[slot] {
            value @ ..=FIXED => (self.group_of[slot], value, 0),
            mate => (self.group_of[slot], MATE, self.group_of[usize::from(mate - MATE)]),
        }
    }
}

struct Mates<const W: usize, const L: usize> {
    task: MateTask,
    /// By value of an end, [`APART`] in the slot of its mate, and else 0.
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
    /// The slots that an edge may be chosen to, with the positions of their classes.
    choices: Vec<(usize, usize)>,
    classes: Vec<(usize, u8, usize)>,
    /// By pair of classes, a pair of slots of these classes, and the number of such pairs.
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

/// A sum of distances from open ends to the nearest others, without some of the largest.
#[derive(Clone, Copy)]
struct NearestSum {
    sum: usize,
    /// The largest ones, of which `unpaired` do not count.
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

    /// The sum with a vertex whose two edges lead at least so far.
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
