//! The vertex frontier: which decided vertices the state keeps, and where.
//!
//! The estimated states before each vertex: the labellings of the frontier, counted by a sample.
//!
//! A state labels each vertex of the frontier: as a member, as dominated or not, and with its component. Most
//! labellings break a rule between vertices of the frontier, above all in dense graphs: for queen graphs, a product
//! over the vertices is too large by several powers of ten. So random sets of members are drawn, and each
//! estimates the number of labellings by a product of factors:
//!
//! | family | factor |
//! | --- | --- |
//! | of independent sets, vertex covers | 2 for each vertex that may be drawn after the vertices before it; 1 for others |
//! | of other sets | 2 for each vertex |
//! | of dominating sets | 2 for each other vertex without a member as neighbour, if a neighbour has left the frontier |
//! | of connected sets | the partitions of the components without crossings, a Catalan number |
//! | of sets of bounded size | the sizes that are possible with these members |

use super::{VertexPart, VertexRule, closer_than};
use crate::Graph;
use crate::families::rules::Bounds;
use crate::families::sums::{add_bits, rule_bits};
use crate::lists::Lists;
use crate::predict::xorshift;

/// The course of a sweep over the vertices of a graph, in an order. Variable `i` is the `i`-th vertex.
///
/// A decided vertex is on the frontier, in a slot, until all its neighbours are decided. A slot is
/// used again.
#[derive(Clone, Debug)]
pub(super) struct VertexSchedule {
    /// The slots of the neighbours decided before each vertex, one list after the other.
    pub(super) earlier: Lists<usize>,
    /// The slots of those among them that leave the frontier.
    pub(super) leaving: Lists<usize>,
    /// The slot of each vertex; `None` if all its neighbours are decided before it.
    pub(super) slots: Vec<Option<usize>>,
    /// Whether each vertex has a loop.
    pub(super) loops: Vec<bool>,
    pub(super) num_slots: usize,
}

impl VertexSchedule {
    /// Linear in the size of the graph, other than sorting the neighbours of each vertex.
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        let ranks = crate::order::inverse(order);
        let mut schedule = Self {
            earlier: Lists::default(),
            leaving: Lists::default(),
            slots: vec![None; order.len()],
            loops: vec![false; order.len()],
            num_slots: 0,
        };
        let mut free = Vec::new();
        let last: Vec<usize> = order
            .iter()
            .map(|&vertex| neighbour_ranks(graph, &ranks, vertex).max().unwrap_or(0))
            .collect();
        for (rank, &vertex) in order.iter().enumerate() {
            let mut ends: Vec<usize> =
                neighbour_ranks(graph, &ranks, vertex).filter(|&other| other < rank).collect();
            ends.sort_unstable();
            ends.dedup();
            let slot = |other: &usize| schedule.slots[*other].expect("it has a later neighbour");
            let leaving: Vec<usize> =
                ends.iter().filter(|&&other| last[other] == rank).map(slot).collect();
            schedule.earlier.push(ends.iter().map(slot));
            free.extend(&leaving);
            schedule.leaving.push(leaving);
            schedule.loops[rank] =
                neighbour_ranks(graph, &ranks, vertex).any(|other| other == rank);
            if last[rank] > rank {
                let slot = free.pop().unwrap_or_else(|| {
                    schedule.num_slots += 1;
                    schedule.num_slots - 1
                });
                schedule.slots[rank] = Some(slot);
            }
        }
        schedule
    }
}

/// The ranks of the neighbours of a vertex; itself if it has a loop.
fn neighbour_ranks<'a>(
    graph: &'a Graph,
    ranks: &'a [usize],
    vertex: usize,
) -> impl Iterator<Item = usize> + 'a {
    graph.neighbours(vertex).map(|other| ranks[other])
}

/// The largest frontier that is sampled: as many vertices as a mask has bits.
const MAX_FRONTIER: usize = 128;

/// The number of sampled sets at each level, and the vertices that are drawn in all levels together, if there are
/// more than [`MIN_SAMPLES`] at a level.
const SAMPLES: usize = 256;
const MIN_SAMPLES: usize = 32;
const DRAWN: usize = 4 << 20;

/// The labels of a family.
#[derive(Debug, Default)]
struct LabelSample {
    /// Whether no two members are neighbours; for vertex covers, no two vertices outside the cover.
    independent: bool,
    covers: bool,
    connected: bool,
    /// [`VertexRule::Dominating`] or [`VertexRule::TotalDominating`].
    domination: Option<VertexRule>,
    /// The largest size.
    most: Option<usize>,
}

/// A level: the vertices of the frontier, as the bits of their slots.
struct LabelLevel {
    frontier: u128,
    /// The neighbours on the frontier, by slot.
    neighbours: Vec<u128>,
    /// The vertices with a neighbour that has left the frontier.
    touched: u128,
}

/// log2 of the estimated number of labellings before each variable of an order, with the sums of bounded sizes.
/// `None` for families with other states, and for a frontier that is too wide.
pub(in crate::families) fn label_bits(
    parts: &[VertexPart],
    bounds: &Bounds,
    graph: &Graph,
    order: &[usize],
) -> Option<Vec<f64>> {
    let mut labels = LabelSample::default();
    let mut sizes = vec![0.0; order.len()];
    let mut close = None;
    for part in parts {
        match part {
            VertexPart::Rule(VertexRule::Independent) => labels.independent = true,
            VertexPart::Rule(VertexRule::Cover) => {
                (labels.independent, labels.covers) = (true, true);
            }
            VertexPart::Rule(rule @ (VertexRule::Dominating | VertexRule::TotalDominating)) => {
                labels.domination = Some(*rule);
            }
            VertexPart::Distance(distance) => {
                labels.independent = true;
                close = Some(closer_than(graph, *distance).ok()?);
            }
            VertexPart::Connected { dominating } => {
                labels.connected = true;
                labels.domination =
                    labels.domination.or(dominating.then_some(VertexRule::Dominating));
            }
            VertexPart::Cliques | VertexPart::Rule(VertexRule::Colouring(_)) => return None,
        }
    }
    for rule in bounds.linear.iter().filter(|rule| rule.is_size()) {
        let most = labels.most.unwrap_or(usize::MAX).min(rule.most.max(0) as usize);
        labels.most = (most < order.len()).then_some(most);
        add_bits(&mut sizes, &rule_bits(rule, order));
    }
    if !(labels.independent || labels.connected || labels.domination.is_some()) {
        return Some(sizes);
    }
    let schedule = VertexSchedule::new(close.as_ref().unwrap_or(graph), order);
    if schedule.num_slots > MAX_FRONTIER {
        return None;
    }
    let drawn = (schedule.num_slots * order.len()).max(1);
    let samples = (DRAWN / drawn).clamp(MIN_SAMPLES, SAMPLES);
    let mut level = LabelLevel { frontier: 0, neighbours: vec![0; schedule.num_slots], touched: 0 };
    let mut seed = 0x9e37_79b9_7f4a_7c15;
    let bits = sizes.iter().enumerate().map(|(variable, sums)| {
        let bits = labels.sample(&level, *sums, samples, &mut seed);
        level.decide(&schedule, variable);
        bits
    });
    Some(bits.collect())
}

fn mask(slots: &[usize]) -> u128 {
    slots.iter().fold(0, |mask, slot| mask | 1 << slot)
}

/// The slots of a mask.
fn slots(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(slot)
    })
}

impl LabelLevel {
    /// Moves on to the level after a variable.
    fn decide(&mut self, schedule: &VertexSchedule, variable: usize) {
        let (earlier, leaving) =
            (mask(&schedule.earlier[variable]), mask(&schedule.leaving[variable]));
        let stay = self.frontier & !leaving;
        for slot in slots(leaving) {
            self.touched |= std::mem::take(&mut self.neighbours[slot]);
        }
        slots(stay).for_each(|slot| self.neighbours[slot] &= stay);
        self.frontier = stay;
        let own = earlier & stay;
        if let Some(slot) = schedule.slots[variable] {
            self.frontier |= 1 << slot;
            self.neighbours[slot] = own;
            slots(own).for_each(|other| self.neighbours[other] |= 1 << slot);
            self.touched &= stay;
            self.touched |= u128::from(earlier & leaving != 0) << slot;
        } else {
            self.touched = (self.touched | own) & stay;
        }
    }

    /// The number of connected components of some of the vertices.
    fn components(&self, mut left: u128) -> u32 {
        let mut count = 0;
        while left != 0 {
            let mut open = left & left.wrapping_neg();
            while open != 0 {
                left &= !open;
                open = slots(open).fold(0, |all, slot| all | self.neighbours[slot]) & left;
            }
            count += 1;
        }
        count
    }
}

impl LabelSample {
    /// log2 of the labellings of a level, of which there are 2 to the power `sums` with each size.
    fn sample(&self, level: &LabelLevel, sums: f64, samples: usize, seed: &mut u64) -> f64 {
        let weights = (0..samples).map(|_| {
            let coins = u128::from(xorshift(seed)) << 64 | u128::from(xorshift(seed));
            self.labellings(level, sums, coins)
        });
        let weights: Vec<f64> = weights.collect();
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let sum: f64 = weights.iter().map(|bits| (bits - largest).exp2()).sum();
        (largest + (sum / samples as f64).log2()).max(0.0)
    }

    /// log2 of the labellings with the members that the coins draw, divided by the probability of the members.
    fn labellings(&self, level: &LabelLevel, sums: f64, coins: u128) -> f64 {
        let (mut taken, mut covered, mut bits) = (0, 0, 0.0);
        for slot in slots(level.frontier) {
            if self.independent && covered >> slot & 1 == 1 {
                continue;
            }
            bits += 1.0;
            if coins >> slot & 1 == 1 {
                taken |= 1 << slot;
                covered |= level.neighbours[slot];
            }
        }
        let members = if self.covers { level.frontier & !taken } else { taken };
        if let Some(rule) = self.domination {
            let known = if rule == VertexRule::TotalDominating { covered } else { covered | taken };
            bits += f64::from((level.touched & !known).count_ones());
        }
        if self.connected {
            // Each Catalan number is the one before it times (4c - 2) / (c + 1).
            let components = 2..=level.components(taken);
            bits +=
                components.map(|c| (f64::from(4 * c - 2) / f64::from(c + 1)).log2()).sum::<f64>();
        }
        match self.most {
            None => bits + sums,
            Some(most) => match (most + 1).checked_sub(members.count_ones() as usize) {
                None | Some(0) => f64::NEG_INFINITY,
                Some(sizes) => bits + sums.min((sizes as f64).log2()),
            },
        }
    }
}
