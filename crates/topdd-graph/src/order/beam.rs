//! Beam search over sets of vertices.
//!
//! An order of the vertices is a path through sets, each one vertex larger. Of the sets of each size, the search keeps the few
//! with the least cost so far (B. T. Lowerre, *The HARPY speech recognition system*, 1976).

use std::collections::HashSet;

/// A set of one vertex.
pub(super) struct BeamStart<S> {
    pub(super) vertex: usize,
    pub(super) cost: f64,
    pub(super) set: S,
}

/// A vertex that may be added to a set: the cost of the step, and what decides between equal costs.
pub(super) struct BeamTry {
    pub(super) vertex: usize,
    pub(super) cost: f64,
    pub(super) tie: f64,
}

struct BeamNode<S> {
    set: S,
    cost: f64,
    /// The sum of the keys of the vertices: equal for equal sets.
    key: u64,
    /// Its index in the list of all nodes.
    index: usize,
}

/// A random key for each vertex, the same in every run (the finalizer of `SplitMix64`).
pub(super) fn key(vertex: usize) -> u64 {
    let mut key = (vertex as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}

/// Returns the order of all vertices with the least cost that a beam of `width` sets finds, with the cost. `tries` visits the
/// vertices that are worth a step from a set, and `add` makes it. `None` if no step leads on.
///
/// Stable sorts make the result independent of the machine.
pub(super) fn search<S: Clone>(
    num_vertices: usize,
    width: usize,
    starts: Vec<BeamStart<S>>,
    mut tries: impl FnMut(&S, &mut dyn FnMut(BeamTry)),
    add: impl Fn(&mut S, usize),
) -> Option<(f64, Vec<usize>)> {
    // The last vertex of each node, and the index of the node without it.
    let mut nodes = Vec::new();
    let mut beam = Vec::new();
    for BeamStart { vertex, cost, set } in starts {
        beam.push(BeamNode { set, cost, key: key(vertex), index: nodes.len() });
        nodes.push((vertex, usize::MAX));
    }
    for _ in 1..num_vertices {
        let mut found = Vec::new();
        for parent in &beam {
            tries(&parent.set, &mut |BeamTry { vertex, cost, tie }| {
                found.push((parent.cost + cost, tie, parent, vertex));
            });
        }
        found.sort_by(|a, b| (a.0.total_cmp(&b.0)).then(a.1.total_cmp(&b.1)));
        let mut seen = HashSet::new();
        let mut next = Vec::with_capacity(width);
        for (cost, _, parent, vertex) in found {
            let key = parent.key.wrapping_add(key(vertex));
            if next.len() == width || !seen.insert(key) {
                continue;
            }
            let mut set = parent.set.clone();
            add(&mut set, vertex);
            next.push(BeamNode { set, cost, key, index: nodes.len() });
            nodes.push((vertex, parent.index));
        }
        beam = next;
    }
    let best = beam.first()?;
    let mut order = Vec::with_capacity(num_vertices);
    let mut at = best.index;
    while let Some(&(vertex, before)) = nodes.get(at) {
        order.push(vertex);
        at = before;
    }
    order.reverse();
    Some((best.cost, order))
}
