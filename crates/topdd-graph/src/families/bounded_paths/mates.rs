//! Paths edge by edge, for fixed ends or any: a state has the other end of each piece at the vertices of the frontier.
//!
//! The counts of a state are by length, cut by the least number of edges that is missing: each open end of a piece is joined
//! to one of another piece, at least as far away as the nearest through the edges that are left. A vertex without a
//! chosen edge that no short enough path visits counts as used.

use super::MAX_SLOTS;
use super::counts::{LengthCounts, Total};
use super::sweep::{Meter, StateTable, Worker, sweep};
use crate::Graph;
use crate::families::Unit;
use crate::order::frontier_widths;
use num_bigint::BigUint;
use topdd::BuildError;

/// A vertex that no further edge may touch, or the absence of one.
const USED: u8 = 0;
/// A vertex without a chosen edge.
const FREE: u8 = 1;
/// The open end of a piece whose other end is an end of the path.
const FIXED: u8 = 2;
/// The open end of a piece whose other end is in the slot `mate - MATE`.
const MATE: u8 = 3;

/// A distance that no path has.
const FAR: u16 = u16::MAX / 4;

/// The vertices of the frontier, a byte each.
#[derive(Clone, Copy)]
struct Slots<const W: usize>([u64; W]);

impl<const W: usize> Slots<W> {
    #[inline]
    fn get(&self, slot: usize) -> u8 {
        (self.0[slot / 8] >> (slot % 8 * 8)) as u8
    }

    #[inline]
    fn set(&mut self, slot: usize, value: u8) {
        let shift = slot % 8 * 8;
        self.0[slot / 8] = self.0[slot / 8] & !(0xff << shift) | u64::from(value) << shift;
    }
}

/// One edge of the sweep.
#[derive(Default)]
struct MateStep {
    slots: [usize; 2],
    /// The slots of vertices that this edge is the first of, with their values.
    entering: Vec<(usize, u8)>,
    /// The slots of vertices that this edge is the last of.
    leaving: Vec<usize>,
    /// The slots in use after the step.
    in_use: Vec<usize>,
    /// By pair of the slots in use, the distance through later edges. The fixed ends that have not entered follow the slots.
    distances: Vec<Vec<u16>>,
    /// The fixed ends that have not entered.
    ahead: usize,
    /// The vertices that have not entered.
    later: usize,
    /// The slots in use whose vertices have one later edge, if the path cannot end there: bits.
    last_edge: u64,
    /// The slots in use by groups of vertices that later edges join to the same others; empty if no group has two.
    groups: Vec<Vec<usize>>,
    /// By slot in use, its group.
    group_of: Vec<usize>,
}

/// Counts the paths of at most `length` edges between two vertices, or between any two.
pub(super) fn count(
    graph: &Graph,
    ends: Option<(usize, usize)>,
    length: usize,
    order: &[usize],
    meter: &Meter,
) -> Option<Result<BigUint, BuildError>> {
    // Distances are stored as numbers below `FAR`.
    let is_long = graph.num_vertices() >= usize::from(FAR);
    if is_long || frontier_widths(graph, Unit::Edge, order).into_iter().max() > Some(MAX_SLOTS - 2)
    {
        return None;
    }
    let (steps, slots) = plan(graph, ends, order);
    let any_ends = ends.is_none();
    macro_rules! by_words {
        ($($words:literal)*) => {
            match slots {
                $(slots if slots <= 8 * $words => Some(Mates::<$words> { steps, length, any_ends }.count(meter)),)*
                _ => None,
            }
        };
    }
    by_words!(1 2 3 4 6 8)
}

/// The steps of an order of edges, and the number of slots.
fn plan(graph: &Graph, ends: Option<(usize, usize)>, order: &[usize]) -> (Vec<MateStep>, usize) {
    let vertices = graph.num_vertices();
    let ends: Vec<usize> = ends.into_iter().flat_map(|(from, to)| [from, to]).collect();
    // By vertex, the other ends of later edges.
    let mut later: Vec<Vec<usize>> =
        (0..vertices).map(|vertex| graph.neighbours(vertex).collect()).collect();
    let mut has_entered = vec![false; vertices];
    let mut num_later = later.iter().filter(|others| !others.is_empty()).count();
    // The vertex in each slot.
    let mut slots: Vec<Option<usize>> = Vec::new();
    let mut steps = Vec::with_capacity(order.len());
    for &edge in order {
        let (a, b) = graph.edges()[edge];
        let mut step = MateStep::default();
        for (side, (vertex, other)) in [(a, b), (b, a)].into_iter().enumerate() {
            let found = later[vertex].iter().position(|&later| later == other);
            later[vertex].swap_remove(found.expect("the order has each edge once"));
            if !has_entered[vertex] {
                has_entered[vertex] = true;
                num_later -= 1;
                let free = slots.iter().position(Option::is_none).unwrap_or(slots.len());
                slots.resize(slots.len().max(free + 1), None);
                slots[free] = Some(vertex);
                step.entering.push((free, if ends.contains(&vertex) { FIXED } else { FREE }));
            }
            let slot = slots.iter().position(|&slot| slot == Some(vertex));
            step.slots[side] = slot.expect("a vertex has a slot until its last edge");
        }
        for (slot, vertex) in slots.iter_mut().enumerate() {
            if vertex.is_some_and(|vertex| later[vertex].is_empty()) {
                step.leaving.push(slot);
                *vertex = None;
            }
        }
        let in_use = slots.iter().enumerate().filter_map(|(slot, vertex)| Some((slot, (*vertex)?)));
        let mut seen: Vec<usize>;
        (step.in_use, seen) = in_use.unzip();
        if !ends.is_empty() {
            let last =
                step.in_use.iter().zip(&seen).filter(|(_, vertex)| later[**vertex].len() == 1);
            step.last_edge = last.fold(0, |bits, (&slot, _)| bits | 1 << slot);
        }
        step.group(&later, &seen);
        let ahead = ends.iter().copied().filter(|&end| !has_entered[end]);
        seen.extend(ahead);
        step.ahead = seen.len() - step.in_use.len();
        step.later = num_later;
        step.distances = seen.iter().map(|&vertex| distances(&later, vertex, &seen)).collect();
        steps.push(step);
    }
    (steps, slots.len())
}

impl MateStep {
    /// Groups the vertices in use, given in the order of the slots, by the other ends of their later edges.
    fn group(&mut self, later: &[Vec<usize>], vertices: &[usize]) {
        let sorted = |&vertex: &usize| {
            let mut others = later[vertex].clone();
            others.sort_unstable();
            others
        };
        let others: Vec<Vec<usize>> = vertices.iter().map(sorted).collect();
        let without = |at: usize, other: usize| {
            others[at].iter().filter(move |&&vertex| vertex != vertices[other])
        };
        self.group_of = vec![0; self.in_use.last().map_or(0, |last| last + 1)];
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for at in 0..vertices.len() {
            let alike = |group: &Vec<usize>| without(at, group[0]).eq(without(group[0], at));
            let group = groups.iter().position(alike).unwrap_or(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(at);
            self.group_of[self.in_use[at]] = group;
        }
        if groups.len() < vertices.len() {
            let slots = |group: &Vec<usize>| group.iter().map(|&at| self.in_use[at]).collect();
            self.groups = groups.iter().map(slots).collect();
        }
    }

    /// Exchanges vertices within groups, so that more states are equal.
    fn rename<const W: usize>(&self, state: &mut Slots<W>, pieces: &mut Vec<(usize, u8, usize)>) {
        if self.groups.is_empty() {
            return;
        }
        pieces.clear();
        for &slot in &self.in_use {
            let group = self.group_of[slot];
            match state.get(slot) {
                USED => {}
                value @ (FREE | FIXED) => pieces.push((group, value, 0)),
                value if usize::from(value - MATE) > slot => {
                    let other = self.group_of[usize::from(value - MATE)];
                    pieces.push((group.min(other), MATE, group.max(other)));
                }
                _ => {}
            }
        }
        pieces.sort_unstable();
        let mut renamed = Slots([0; W]);
        let mut taken = [0u8; 64];
        let mut next = |group: usize| {
            let slot = self.groups[group][usize::from(taken[group])];
            taken[group] += 1;
            slot
        };
        for &(group, value, other) in pieces.iter() {
            let slot = next(group);
            if value == MATE {
                let other = next(other);
                renamed.set(slot, other as u8 + MATE);
                renamed.set(other, slot as u8 + MATE);
            } else {
                renamed.set(slot, value);
            }
        }
        *state = renamed;
    }
}

/// The distances from a vertex to some others.
fn distances(neighbours: &[Vec<usize>], start: usize, ends: &[usize]) -> Vec<u16> {
    let mut distance = vec![FAR; neighbours.len()];
    distance[start] = 0;
    let mut order = vec![start];
    let mut at = 0;
    while let Some(&vertex) = order.get(at) {
        at += 1;
        for &other in &neighbours[vertex] {
            if distance[other] == FAR {
                distance[other] = distance[vertex] + 1;
                order.push(other);
            }
        }
    }
    ends.iter().map(|&vertex| distance[vertex]).collect()
}

struct Mates<const W: usize> {
    steps: Vec<MateStep>,
    length: usize,
    any_ends: bool,
}

/// The result of a decision on an edge.
enum MateOutcome {
    Dead,
    Complete,
    Goes,
}

/// The open ends of a state.
#[derive(Default)]
struct OpenEnds {
    /// Positions among the slots in use, of this end and of its mate.
    ends: Vec<(usize, usize)>,
    /// The distance from each to the nearest open end of another piece.
    nearest: Vec<u16>,
    /// The positions of vertices without a chosen edge.
    free: Vec<usize>,
    /// The vertices without a chosen edge, and the pieces, by group.
    pieces: Vec<(usize, u8, usize)>,
    /// By slot, the position among the slots in use.
    positions: Vec<u8>,
}

impl OpenEnds {
    /// Reads the ends and the vertices without a chosen edge, and returns the number of ends whose others are fixed. Vertices
    /// whose last edge is left cannot be inside the path: they become used.
    fn read<const W: usize>(&mut self, step: &MateStep, state: &mut Slots<W>) -> usize {
        self.ends.clear();
        self.free.clear();
        let mut fixed = step.ahead;
        for (position, &slot) in step.in_use.iter().enumerate() {
            self.positions[slot] = position as u8;
        }
        for (position, &slot) in step.in_use.iter().enumerate() {
            match state.get(slot) {
                USED => {}
                FREE if step.last_edge >> slot & 1 == 1 => state.set(slot, USED),
                FREE => self.free.push(position),
                FIXED => {
                    fixed += 1;
                    self.ends.push((position, usize::MAX));
                }
                mate => self.ends.push((position, self.positions[usize::from(mate - MATE)].into())),
            }
        }
        for ahead in 0..step.ahead {
            self.ends.push((step.in_use.len() + ahead, usize::MAX));
        }
        fixed
    }

    /// The number of edges that join the pieces, without further vertices.
    fn links(&self, step: &MateStep) -> usize {
        let alone = self.ends.iter().filter(|end| end.1 == usize::MAX).count();
        let entered = self.ends.len() - step.ahead;
        ((entered + alone - step.ahead) / 2).saturating_sub(1)
    }
}

impl<const W: usize> Mates<W> {
    fn count(&self, meter: &Meter) -> Result<BigUint, BuildError> {
        let mut total = Total::default();
        let mut level = StateTable::<W>::new(meter);
        level.add(&[0; W], LengthCounts { low: 0, limbs: &[1], width: 1 }, 0);
        let open = || OpenEnds { positions: vec![0; 8 * W], ..OpenEnds::default() };
        for step in &self.steps {
            let next = StateTable::new(meter);
            let expand =
                |worker: &mut Worker<OpenEnds>, row: &[u64; W], counts: LengthCounts<'_>| {
                    for taken in [false, true] {
                        self.follow(step, Slots(*row), counts, taken, &next, worker);
                    }
                };
            total.merge(&sweep(&level, open, expand)?);
            level = next;
        }
        Ok(total.value())
    }

    /// Adds the state after a step that takes its edge, or leaves it.
    fn follow(
        &self,
        step: &MateStep,
        mut state: Slots<W>,
        counts: LengthCounts<'_>,
        taken: bool,
        next: &StateTable<'_, W>,
        worker: &mut Worker<OpenEnds>,
    ) {
        let Some(counts) = counts.longer(taken.into(), self.length) else { return };
        for &(slot, value) in &step.entering {
            state.set(slot, value);
        }
        let mut outcome = if taken { Self::take(step, &mut state) } else { MateOutcome::Goes };
        if matches!(outcome, MateOutcome::Goes) {
            outcome = self.leave(step, &mut state);
        }
        match outcome {
            MateOutcome::Dead => {}
            MateOutcome::Complete => worker.total.add(counts, 1),
            MateOutcome::Goes => {
                let open = &mut worker.scratch;
                let least = self.missing(step, &mut state, self.length - counts.low, open);
                if let Some(most) = self.length.checked_sub(least)
                    && let Some(counts) = counts.longer(0, most)
                {
                    step.rename(&mut state, &mut open.pieces);
                    let longest = step.later + open.free.len() + open.links(step);
                    next.add(&state.0, counts, self.length.saturating_sub(longest));
                }
            }
        }
    }

    /// Takes the edge of a step.
    #[inline]
    fn take(step: &MateStep, state: &mut Slots<W>) -> MateOutcome {
        let [a, b] = step.slots;
        let (at_a, at_b) = (state.get(a), state.get(b));
        if at_a == USED || at_b == USED || at_a == b as u8 + MATE {
            return MateOutcome::Dead;
        }
        state.set(a, USED);
        state.set(b, USED);
        let [end_a, end_b] = [(a, at_a), (b, at_b)].map(|(slot, value)| match value {
            FREE => slot as u8 + MATE,
            value => value,
        });
        match (end_a, end_b) {
            (FIXED, FIXED) => return Self::alone(state),
            (FIXED, end) | (end, FIXED) => state.set(usize::from(end - MATE), FIXED),
            (one, other) => {
                state.set(usize::from(one - MATE), other);
                state.set(usize::from(other - MATE), one);
            }
        }
        MateOutcome::Goes
    }

    /// A path is complete if there is no other piece.
    #[inline]
    fn alone(state: &Slots<W>) -> MateOutcome {
        // No byte has a bit other than the lowest.
        if state.0.iter().all(|word| word & 0xfefe_fefe_fefe_fefe == 0) {
            MateOutcome::Complete
        } else {
            MateOutcome::Dead
        }
    }

    /// Removes the vertices that have no later edge.
    #[inline]
    fn leave(&self, step: &MateStep, state: &mut Slots<W>) -> MateOutcome {
        for &slot in &step.leaving {
            let value = state.get(slot);
            state.set(slot, USED);
            match value {
                USED | FREE => {}
                _ if !self.any_ends => return MateOutcome::Dead,
                FIXED => return Self::alone(state),
                mate => state.set(usize::from(mate - MATE), FIXED),
            }
        }
        MateOutcome::Goes
    }

    /// The least number of edges that a state needs, more than the budget if it cannot be completed. Vertices without a
    /// chosen edge that the budget does not reach become used.
    #[inline]
    fn missing(
        &self,
        step: &MateStep,
        state: &mut Slots<W>,
        budget: usize,
        open: &mut OpenEnds,
    ) -> usize {
        let never = budget + 1;
        let fixed = open.read(step, state);
        if fixed > 2 {
            return never;
        }
        let loose = if self.any_ends { 2 - fixed } else { 0 };
        open.nearest.clear();
        for &(end, mate) in &open.ends {
            let row = &step.distances[end];
            let others = open.ends.iter().filter(|other| other.0 != end && other.0 != mate);
            open.nearest.push(others.map(|other| row[other.0]).min().unwrap_or(FAR));
        }
        let sum = |nearest: &mut dyn Iterator<Item = u16>| {
            let (mut sum, mut largest) = (0, [0; 2]);
            for distance in nearest {
                sum += u32::from(distance);
                let smaller = distance.min(largest[0]);
                largest = [distance.max(largest[0]), largest[1].max(smaller)];
            }
            let without: u32 = largest[..loose].iter().map(|&distance| u32::from(distance)).sum();
            (sum - without).div_ceil(2) as usize
        };
        let least = sum(&mut open.nearest.iter().copied());
        let least = if open.ends.is_empty() { least.max(1) } else { least };
        if least > budget {
            return never;
        }
        for &position in &open.free {
            let row = &step.distances[position];
            let nearest = open.ends.iter().map(|end| row[end.0]).min().unwrap_or(0);
            let others =
                open.ends.iter().zip(&open.nearest).map(|(end, &near)| near.min(row[end.0]));
            if sum(&mut others.chain([nearest; 2])) > budget {
                state.set(step.in_use[position], USED);
            }
        }
        least
    }
}
