//! Beam search over sets of closed vertices.
//!
//! The frontier after some vertices depends on their set alone. So an order is a path through sets,
//! each one vertex larger, and the search keeps the sets of each size with the least cost so far.
//! Source: Y. Inoue and S. Minato, *Acceleration of ZDD construction for subgraph enumeration via
//! path-width optimization*, 2016.

use std::collections::HashSet;

use super::closing::Closing;
use super::cost::Cost;
use super::incidence::Incidence;

/// A set of closed vertices in the beam.
#[derive(Clone)]
struct Node {
    closing: Closing,
    /// The estimated states so far.
    cost: f64,
    /// The sum of the keys of the closed vertices: equal for equal sets.
    key: u64,
    /// Its position in the list of all nodes.
    position: usize,
}

/// A random key for each vertex, the same in every run (the finalizer of `SplitMix64`).
pub(super) fn key(vertex: usize) -> u64 {
    let mut key = (vertex as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}

/// Returns the order of the vertices with the least estimated states that a beam of `width` sets
/// finds. It starts with one of `starts`.
///
/// Takes time proportional to `width`, the number of vertices, and the sum of the degrees on the
/// frontier.
pub(super) fn beam(graph: &Incidence, cost: &Cost, starts: &[usize], width: usize) -> Vec<usize> {
    // The vertex of each node and the position of the node before it.
    let mut nodes: Vec<(usize, usize)> = Vec::new();
    let mut beam = Vec::new();
    for &start in starts {
        let mut closing = Closing::new(graph);
        let states = closing.close(graph, cost, start);
        beam.push(Node { closing, cost: states, key: key(start), position: nodes.len() });
        nodes.push((start, usize::MAX));
    }
    let mut candidates = Vec::new();
    let mut tries = Vec::new();
    let mut seen = HashSet::new();
    for _ in 1..graph.num_vertices() {
        tries.clear();
        for (parent, node) in beam.iter().enumerate() {
            node.closing.candidates(graph, &mut candidates);
            for &vertex in &candidates {
                let bits = node.closing.bits_after(graph, cost, vertex);
                let states = node.cost + node.closing.step_states(cost, vertex, bits);
                tries.push((states, bits, parent, vertex));
            }
        }
        // Costs are dominated by the widest step, so the frontier decides between equal ones.
        tries.sort_by(|a, b| (a.0.total_cmp(&b.0)).then(a.1.total_cmp(&b.1)));
        seen.clear();
        let mut next = Vec::with_capacity(width);
        for &(_, _, parent, vertex) in &tries {
            let parent: &Node = &beam[parent];
            let key = parent.key.wrapping_add(key(vertex));
            if !seen.insert(key) {
                continue;
            }
            let mut closing = parent.closing.clone();
            let cost = parent.cost + closing.close(graph, cost, vertex);
            next.push(Node { closing, cost, key, position: nodes.len() });
            nodes.push((vertex, parent.position));
            if next.len() == width {
                break;
            }
        }
        beam = next;
    }
    let mut order = Vec::with_capacity(graph.num_vertices());
    let mut at = beam.first().map_or(usize::MAX, |best| best.position);
    while let Some(&(vertex, before)) = nodes.get(at) {
        order.push(vertex);
        at = before;
    }
    order.reverse();
    order
}
