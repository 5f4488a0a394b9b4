//! Families of vertex sets, and colourings, by a sweep over the vertices.
//!
//! A decided vertex is on the frontier until all its neighbours are decided. The state has, for each
//! vertex of the frontier: one bit (independent sets, vertex covers), two bits (dominating sets), its
//! component (connected sets), or its colour.

mod connected;
mod packed;
mod schedule;
#[cfg(test)]
mod tests;

use super::FamilyError;
use crate::Graph;
use crate::order::Cost;
use connected::{Cliques, Connected};
use packed::Packed;
use schedule::VertexSchedule;
use topdd::spec::ArraySpec;
use topdd::{Frontier, SpecExt};

pub(super) use connected::smallest_first;
pub(super) use packed::VertexRule;
pub(super) use schedule::label_bits;

/// One of the conditions of a family of vertex sets.
#[derive(Clone, Debug)]
pub(super) enum VertexPart {
    Rule(VertexRule),
    /// Independent at this distance.
    Distance(usize),
    Connected {
        dominating: bool,
    },
    Cliques,
}

/// The values on the frontier of a family.
pub(super) fn cost(parts: &[VertexPart]) -> Cost {
    let has = |condition: fn(&VertexPart) -> bool| parts.iter().any(condition);
    if has(|part| matches!(part, VertexPart::Connected { .. })) {
        Cost::components()
    } else if has(|part| {
        matches!(part, VertexPart::Rule(VertexRule::Dominating | VertexRule::TotalDominating))
    }) {
        Cost::values(3)
    } else {
        Cost::values(2)
    }
}

impl VertexPart {
    /// Makes a sweep over the condition alone.
    pub(super) fn frontier(
        &self,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        let spec = match self {
            VertexPart::Rule(rule) => return packed_frontier(graph, order, *rule),
            VertexPart::Distance(distance) => {
                let close = closer_than(graph, *distance)?;
                return packed_frontier(&close, order, VertexRule::Independent);
            }
            VertexPart::Connected { dominating } => {
                Connected::new(VertexSchedule::new(graph, order), *dominating)?.boxed()
            }
            VertexPart::Cliques => Cliques::new(graph, order).boxed(),
        };
        Ok(Frontier::of_boxed(spec))
    }
}

/// The graph of a loop at each vertex.
pub(super) fn loops(vertices: usize) -> Graph {
    Graph::new(vertices, (0..vertices).map(|vertex| (vertex, vertex)))
        .expect("the ends are vertices")
}

/// Makes a sweep over the packed spec.
fn packed_frontier(
    graph: &Graph,
    order: &[usize],
    rule: VertexRule,
) -> Result<Frontier<'static>, FamilyError> {
    Ok(Frontier::of_arrays(Packed::new(&VertexSchedule::new(graph, order), rule)?))
}

/// The largest number of colours, which are the values of a variable.
const MAX_COLOURS: usize = u32::MAX as usize;

/// Makes a sweep over the colourings, in an order of the vertices.
pub(super) fn colouring_frontier(
    graph: &Graph,
    colours: usize,
    fixed: &[(usize, usize, bool)],
    order: &[usize],
) -> Result<Frontier<'static>, FamilyError> {
    if colours > MAX_COLOURS {
        return Err(FamilyError::TooManyColours { colours, most: MAX_COLOURS });
    }
    let vertices = graph.num_vertices();
    if colours == 0 && vertices > 0 {
        // A variable needs a value: of one colour, none is allowed.
        return packed_frontier(&loops(vertices), order, VertexRule::Colouring(1));
    }
    let schedule = VertexSchedule::new(graph, order);
    let mut packed = Packed::new(&schedule, VertexRule::Colouring(colours))?;
    packed.fix(fixed, order);
    Ok(Frontier::of_arrays(packed))
}

/// The largest number of edges of a graph of pairs that are closer than a distance.
const MAX_PAIRS: usize = 1 << 24;

/// The graph in which vertices closer than `distance`, and not the same, are neighbours. A vertex with
/// a loop keeps it from distance 2 on.
pub(super) fn closer_than(graph: &Graph, distance: usize) -> Result<Graph, FamilyError> {
    let vertices = graph.num_vertices();
    let mut edges = Vec::new();
    let mut found = vec![usize::MAX; vertices];
    let mut near = Vec::new();
    for start in 0..vertices {
        if distance < 2 {
            break;
        }
        near.clear();
        near.push(start);
        found[start] = start;
        let (mut from, mut has_loop) = (0, false);
        // Level by level, up to distance - 1.
        for _ in 1..distance {
            let to = near.len();
            if from == to {
                break;
            }
            for place in from..to {
                let vertex = near[place];
                for other in graph.neighbours(vertex) {
                    if found[other] != start {
                        found[other] = start;
                        near.push(other);
                    } else if vertex == start && other == start {
                        has_loop = true;
                    }
                }
            }
            from = to;
        }
        edges.extend(near[1..].iter().filter(|&&other| other > start).map(|&other| (start, other)));
        if has_loop {
            edges.push((start, start));
        }
        if edges.len() > MAX_PAIRS {
            return Err(FamilyError::TooManyPairs { distance, most: MAX_PAIRS });
        }
    }
    Ok(Graph::new(vertices, edges)?)
}
