//! Vertices closed one after the other: closing a vertex processes all its remaining edges. Greedy orders, local moves, and a
//! beam search.
//!
//! Vertices closed one after the other: closing a vertex processes all its remaining edges.
//!
//! Every edge order closes the vertices in some order, and processing the edges of each vertex just
//! before it is closed makes no frontier wider. So a search over the orders of vertices suffices.
//!
//! Beam search over sets of closed vertices.
//!
//! The frontier after some vertices depends on their set alone. So an order is a path through sets,
//! each one vertex larger, and the search keeps the sets of each size with the least cost so far.
//! Source: Y. Inoue and S. Minato, *Acceleration of ZDD construction for subgraph enumeration via
//! path-width optimization*, 2016.

use super::beam::{BeamStart, BeamTry, key, search};
use super::widths::Cost;
use crate::graph::distances;
use crate::lists::Lists;
use crate::predict::xorshift;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::graph::reached;

/// A set of closed vertices, and the frontier after them: the other vertices that have a closed
/// neighbour.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    closed: Vec<bool>,
    /// Whether a vertex is closed or on the frontier.
    reached: Vec<bool>,
    /// The number of neighbours of each vertex that are not reached.
    fresh: Vec<u32>,
    /// The number of neighbours of each vertex that are not closed.
    open: Vec<u32>,
    /// log2 of the estimated states at the frontier.
    bits: f64,
}

impl Closing {
    pub(super) fn new(graph: &Lists<usize>) -> Self {
        let num_vertices = graph.len();
        let degrees: Vec<u32> =
            (0..num_vertices).map(|vertex| graph[vertex].len() as u32).collect();
        Self {
            closed: vec![false; num_vertices],
            reached: vec![false; num_vertices],
            fresh: degrees.clone(),
            open: degrees,
            bits: 0.0,
        }
    }

    fn decided(&self, graph: &Lists<usize>, vertex: usize) -> usize {
        graph[vertex].len() - self.open[vertex] as usize
    }

    /// Whether a vertex is on the frontier.
    fn is_frontier(&self, vertex: usize) -> bool {
        self.reached[vertex] && !self.closed[vertex] && self.open[vertex] > 0
    }

    /// The vertices that are worth a try as the next one: those on the frontier, and those next to
    /// it with at most one neighbour elsewhere. If a vertex can be closed without a wider
    /// frontier at any time, only the first such vertex. All vertices if the frontier is empty.
    pub(super) fn candidates(&self, graph: &Lists<usize>, found: &mut Vec<usize>) {
        found.clear();
        let open = |vertex: &usize| !self.closed[*vertex];
        for vertex in (0..self.closed.len()).filter(open) {
            let near = self.reached[vertex] || (self.open[vertex] as usize) < graph[vertex].len();
            if !near {
                continue;
            }
            if self.fresh[vertex] == 0 && (self.reached[vertex] || self.open[vertex] < 2) {
                found.clear();
                found.push(vertex);
                return;
            }
            if self.reached[vertex] || self.fresh[vertex] <= 1 {
                found.push(vertex);
            }
        }
        if found.is_empty() {
            found.extend((0..self.closed.len()).filter(open));
        }
    }

    /// log2 of the estimated states after one more vertex.
    fn bits_after(&self, graph: &Lists<usize>, cost: &Cost, vertex: usize) -> f64 {
        let mut bits = self.bits;
        if self.is_frontier(vertex) {
            bits -= cost.bits(self.decided(graph, vertex));
        }
        for &other in graph[vertex].iter().filter(|&&other| !self.closed[other]) {
            let decided = self.decided(graph, other);
            if self.is_frontier(other) {
                bits -= cost.bits(decided);
            }
            if self.open[other] > 1 {
                bits += cost.bits(decided + 1);
            }
        }
        bits
    }

    /// The estimated states of the steps that close a vertex, given log2 of those after it. A vertex
    /// that is not on the frontier is there while its edges are processed.
    fn step_states(&self, cost: &Cost, vertex: usize, bits: f64) -> f64 {
        let passes = !self.reached[vertex] && self.open[vertex] > 1;
        let during = if passes { self.bits + cost.bits(1) } else { self.bits };
        Cost::states(bits.max(during)) * f64::from(self.open[vertex])
    }

    /// Closes a vertex, and returns the estimated states of its steps.
    pub(super) fn close(&mut self, graph: &Lists<usize>, cost: &Cost, vertex: usize) -> f64 {
        let bits = self.bits_after(graph, cost, vertex);
        let states = self.step_states(cost, vertex, bits);
        self.bits = bits;
        self.reach(graph, vertex);
        self.closed[vertex] = true;
        for &other in &graph[vertex] {
            self.open[other] -= 1;
            if !self.closed[other] {
                self.reach(graph, other);
            }
        }
        states
    }

    fn reach(&mut self, graph: &Lists<usize>, vertex: usize) {
        if !self.reached[vertex] {
            self.reached[vertex] = true;
            for &other in &graph[vertex] {
                self.fresh[other] -= 1;
            }
        }
    }
}

/// The estimated states of all steps of an order of the vertices.
pub(super) fn total_states(graph: &Lists<usize>, cost: &Cost, order: &[usize]) -> f64 {
    let mut closing = Closing::new(graph);
    order.iter().map(|&vertex| closing.close(graph, cost, vertex)).sum()
}

/// The preference among the vertices that may be closed next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preference {
    /// The weight of the growth of the frontier.
    pub(super) growth: u32,
    /// The weight of the distance from the start.
    pub(super) distance: u32,
    /// The choice between equal weights.
    pub(super) tie: Tie,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Tie {
    /// The vertex that was reached first.
    Reached,
    /// The smallest vertex.
    Smallest,
    /// The vertex with the smallest key.
    Random(u64),
}

impl Preference {
    fn tie(self, vertex: usize, reached: usize) -> u64 {
        match self.tie {
            Tie::Reached => reached as u64,
            Tie::Smallest => vertex as u64,
            Tie::Random(seed) => key(vertex ^ (seed as usize) << 20),
        }
    }
}

/// The vertices that may be closed next, by weight and tie. Entries may be outdated: the weight of a
/// vertex only becomes smaller, and each change adds an entry.
type Queue = BinaryHeap<Reverse<(u32, u64, usize)>>;

/// Returns the vertices of the connected graph in the order of a greedy search that closes `start`
/// first. Takes `m log m` time for `m` edges.
///
/// Source: S. W. Sloan, *An algorithm for profile and wavefront reduction of sparse matrices*, 1986.
pub(super) fn greedy(graph: &Lists<usize>, start: usize, preference: Preference) -> Vec<usize> {
    let num_vertices = graph.len();
    let mut fresh: Vec<u32> = (0..num_vertices).map(|vertex| graph[vertex].len() as u32).collect();
    let distances = match preference.distance {
        0 => vec![0; num_vertices],
        _ => distances(num_vertices, start, |vertex| graph[vertex].iter().copied()),
    };
    let weight = |growth: u32, vertex: usize| {
        preference
            .growth
            .saturating_mul(growth)
            .saturating_add(preference.distance.saturating_mul(distances[vertex] as u32))
    };
    let mut closed = vec![false; num_vertices];
    // The time at which a vertex was reached; 0 if it was not.
    let mut reached = vec![0; num_vertices];
    let mut time = 0;
    let mut queue = Queue::new();
    let mut order = Vec::with_capacity(num_vertices);
    queue.push(Reverse((0, 0, start)));
    while let Some(Reverse((_, _, vertex))) = queue.pop() {
        if std::mem::replace(&mut closed[vertex], true) {
            continue;
        }
        order.push(vertex);
        for &other in std::iter::once(&vertex).chain(&graph[vertex]) {
            if reached[other] > 0 {
                continue;
            }
            time += 1;
            reached[other] = time;
            if !closed[other] {
                let tie = preference.tie(other, time);
                queue.push(Reverse((weight(fresh[other], other), tie, other)));
            }
            for &next in &graph[other] {
                fresh[next] -= 1;
                if closed[next] {
                    continue;
                }
                let is_leaf = graph[next].len() == 1;
                if reached[next] > 0 || fresh[next] == 0 {
                    // Not on the frontier, it joins the frontier while its edges are processed.
                    let growth = fresh[next] + u32::from(reached[next] == 0 && !is_leaf);
                    let tie = preference.tie(next, reached[next]);
                    queue.push(Reverse((weight(growth, next), tie, next)));
                }
            }
        }
    }
    order
}

/// Returns the vertices of the connected graph in breadth-first order from `start`.
pub(super) fn breadth_first(graph: &Lists<usize>, start: usize) -> Vec<usize> {
    let mut seen = vec![false; graph.len()];
    reached(&mut seen, start, |vertex| graph[vertex].iter().copied())
}

/// The maximum distance of a move, in positions.
const REACH: u64 = 16;

/// Tries `moves` moves of one vertex by at most [`REACH`] positions, and keeps those that do not
/// increase the estimated states. Returns the estimate of the result. Each move takes time linear in
/// the graph.
pub(super) fn improve(
    graph: &Lists<usize>,
    cost: &Cost,
    order: &mut Vec<usize>,
    moves: usize,
) -> f64 {
    let mut seed = 0x2545_f491_4f6c_dd1d;
    let mut below = |bound: u64| (xorshift(&mut seed) >> 11) % bound;
    let mut least = total_states(graph, cost, order);
    let positions = order.len() as u64;
    if positions < 3 {
        return least;
    }
    for _ in 0..moves {
        let from = below(positions);
        let step = 1 + below(REACH.min(positions - 1));
        let to = if below(2) == 0 { from + step } else { from + positions - step };
        let (from, to) = (from as usize, (to % positions) as usize);
        let vertex = order.remove(from);
        order.insert(to, vertex);
        let states = total_states(graph, cost, order);
        if states <= least {
            least = states;
        } else {
            order.remove(to);
            order.insert(from, vertex);
        }
    }
    least
}

/// Returns the order of the vertices with the least estimated states that a beam of `width` sets
/// finds. It starts with one of `starts`.
///
/// Takes time proportional to `width`, the number of vertices, and the sum of the degrees on the
/// frontier.
pub(super) fn beam(
    graph: &Lists<usize>,
    cost: &Cost,
    starts: &[usize],
    width: usize,
) -> Vec<usize> {
    let first = |&start: &usize| {
        let mut closing = Closing::new(graph);
        let states = closing.close(graph, cost, start);
        BeamStart { vertex: start, cost: states, set: closing }
    };
    let mut candidates = Vec::new();
    let tries = |closing: &Closing, found: &mut dyn FnMut(BeamTry)| {
        closing.candidates(graph, &mut candidates);
        for &vertex in &candidates {
            // Costs are dominated by the widest step, so the frontier decides between equal ones.
            let bits = closing.bits_after(graph, cost, vertex);
            found(BeamTry { vertex, cost: closing.step_states(cost, vertex, bits), tie: bits });
        }
    };
    let add = |closing: &mut Closing, vertex: usize| {
        closing.close(graph, cost, vertex);
    };
    let best = search(graph.len(), width, starts.iter().map(first).collect(), tries, add);
    best.map_or(Vec::new(), |(_, order)| order)
}
