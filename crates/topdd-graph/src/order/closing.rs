//! Vertices closed one after the other: closing a vertex processes all its remaining edges.
//!
//! Every edge order closes the vertices in some order, and processing the edges of each vertex just
//! before it is closed makes no frontier wider. So a search over the orders of vertices suffices.

use super::cost::Cost;
use super::incidence::Incidence;

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
    pub(super) fn new(graph: &Incidence) -> Self {
        let num_vertices = graph.num_vertices();
        let degrees: Vec<u32> =
            (0..num_vertices).map(|vertex| graph.neighbours(vertex).len() as u32).collect();
        Self {
            closed: vec![false; num_vertices],
            reached: vec![false; num_vertices],
            fresh: degrees.clone(),
            open: degrees,
            bits: 0.0,
        }
    }

    fn decided(&self, graph: &Incidence, vertex: usize) -> usize {
        graph.neighbours(vertex).len() - self.open[vertex] as usize
    }

    /// Whether a vertex is on the frontier.
    fn is_frontier(&self, vertex: usize) -> bool {
        self.reached[vertex] && !self.closed[vertex] && self.open[vertex] > 0
    }

    /// The vertices that are worth a try as the next one: those on the frontier, and those next to
    /// it with at most one neighbour elsewhere. If a vertex can be closed without a wider
    /// frontier at any time, only the first such vertex. All vertices if the frontier is empty.
    pub(super) fn candidates(&self, graph: &Incidence, found: &mut Vec<usize>) {
        found.clear();
        let open = |vertex: &usize| !self.closed[*vertex];
        for vertex in (0..self.closed.len()).filter(open) {
            let near = self.reached[vertex]
                || (self.open[vertex] as usize) < graph.neighbours(vertex).len();
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
    pub(super) fn bits_after(&self, graph: &Incidence, cost: &Cost, vertex: usize) -> f64 {
        let mut bits = self.bits;
        if self.is_frontier(vertex) {
            bits -= cost.bits(self.decided(graph, vertex));
        }
        for &other in graph.neighbours(vertex).iter().filter(|&&other| !self.closed[other]) {
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
    pub(super) fn step_states(&self, cost: &Cost, vertex: usize, bits: f64) -> f64 {
        let passes = !self.reached[vertex] && self.open[vertex] > 1;
        let during = if passes { self.bits + cost.bits(1) } else { self.bits };
        Cost::states(bits.max(during)) * f64::from(self.open[vertex])
    }

    /// Closes a vertex, and returns the estimated states of its steps.
    pub(super) fn close(&mut self, graph: &Incidence, cost: &Cost, vertex: usize) -> f64 {
        let bits = self.bits_after(graph, cost, vertex);
        let states = self.step_states(cost, vertex, bits);
        self.bits = bits;
        self.reach(graph, vertex);
        self.closed[vertex] = true;
        for &other in graph.neighbours(vertex) {
            self.open[other] -= 1;
            if !self.closed[other] {
                self.reach(graph, other);
            }
        }
        states
    }

    fn reach(&mut self, graph: &Incidence, vertex: usize) {
        if !self.reached[vertex] {
            self.reached[vertex] = true;
            for &other in graph.neighbours(vertex) {
                self.fresh[other] -= 1;
            }
        }
    }
}

/// The estimated states of all steps of an order of the vertices.
pub(super) fn total_states(graph: &Incidence, cost: &Cost, order: &[usize]) -> f64 {
    let mut closing = Closing::new(graph);
    order.iter().map(|&vertex| closing.close(graph, cost, vertex)).sum()
}
