//! The frontier of an edge order: when vertices enter and leave it, and their slots.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Graph;

/// One end of the edge of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) vertex: usize,
    pub(super) slot: usize,
    /// Whether the step decides the first edge of the vertex, or its last one.
    pub(super) enters: bool,
    pub(super) leaves: bool,
}

/// The step of one edge. Both ends of a loop are equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScheduledEdge {
    pub(super) ends: [End; 2],
    pub(super) is_loop: bool,
}

/// The steps of all edges in the order of the variables. A vertex is on the frontier from the step
/// of its first edge to the step of its last one, and has one slot there. Slots are reused.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pub(super) steps: Vec<ScheduledEdge>,
    /// The number of slots.
    pub(super) width: usize,
    /// The step at which each vertex enters; `usize::MAX` for a vertex without edges.
    pub(super) enters: Vec<usize>,
}

impl Schedule {
    /// The schedule of the edges of a graph in an order. Time O(edges x log(width)).
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        let vertices = graph.num_vertices();
        let mut enters = vec![usize::MAX; vertices];
        let mut leaves = vec![usize::MAX; vertices];
        for (step, &edge) in order.iter().enumerate() {
            let (a, b) = graph.edges()[edge];
            for vertex in [a, b] {
                enters[vertex] = enters[vertex].min(step);
                leaves[vertex] = step;
            }
        }
        let mut slots = vec![usize::MAX; vertices];
        let mut free = BinaryHeap::new();
        let mut width = 0;
        let mut steps = Vec::with_capacity(order.len());
        for (step, &edge) in order.iter().enumerate() {
            let (a, b) = graph.edges()[edge];
            for vertex in [a, b] {
                if slots[vertex] == usize::MAX {
                    slots[vertex] = free.pop().map_or_else(
                        || {
                            width += 1;
                            width - 1
                        },
                        |Reverse(slot)| slot,
                    );
                }
            }
            let end = |vertex: usize| End {
                vertex,
                slot: slots[vertex],
                enters: enters[vertex] == step,
                leaves: leaves[vertex] == step,
            };
            let ends = [end(a), end(b)];
            let is_loop = a == b;
            let distinct = if is_loop { &ends[..1] } else { &ends[..] };
            free.extend(distinct.iter().filter(|end| end.leaves).map(|end| Reverse(end.slot)));
            steps.push(ScheduledEdge { ends, is_loop });
        }
        Self { steps, width, enters }
    }
}
