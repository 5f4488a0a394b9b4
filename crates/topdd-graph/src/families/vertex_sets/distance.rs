//! The graph of vertices that are closer than a distance.

use crate::Graph;
use crate::families::FamilyError;

/// The largest number of edges of a graph of pairs that are closer than a distance.
const MAX_PAIRS: usize = 1 << 24;

/// The graph in which vertices closer than `distance`, and not the same, are neighbours. A vertex with
/// a loop keeps it from distance 2 on.
pub(in crate::families) fn closer_than(
    graph: &Graph,
    distance: usize,
) -> Result<Graph, FamilyError> {
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
