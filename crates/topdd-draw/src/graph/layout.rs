//! A layout of graphs without positions, by springs.

use std::f64::consts::TAU;

use topdd_graph::Graph;

/// The number of steps.
const STEPS: usize = 300;

/// The largest number of vertices that are laid out by springs: a step compares each two of them.
const MOST: usize = 400;

/// Places for the vertices, in which neighbours are about one unit apart and others further (T. M. J.
/// Fruchterman and E. M. Reingold, *Graph drawing by force-directed placement*, 1991). On a circle, in
/// the order of their numbers, if there are many.
pub(super) fn layout(graph: &Graph) -> Vec<(f64, f64)> {
    let vertices = graph.num_vertices();
    let radius = (vertices as f64 / TAU).max(0.5);
    let mut places: Vec<(f64, f64)> = (0..vertices)
        .map(|vertex| {
            let angle = TAU * vertex as f64 / vertices as f64;
            (radius * angle.sin(), -radius * angle.cos())
        })
        .collect();
    if vertices > MOST {
        return places;
    }
    for step in 0..STEPS {
        let mut forces = vec![(0.0, 0.0); vertices];
        let mut pull = |a: usize, b: usize, strength: &dyn Fn(f64) -> f64| {
            let (dx, dy) = (places[b].0 - places[a].0, places[b].1 - places[a].1);
            let distance = dx.hypot(dy).max(0.01);
            let force = strength(distance) / distance;
            forces[a].0 += dx * force;
            forces[a].1 += dy * force;
            forces[b].0 -= dx * force;
            forces[b].1 -= dy * force;
        };
        for a in 0..vertices {
            for b in a + 1..vertices {
                // Beyond some distance, so that components do not drift apart without end.
                pull(a, b, &|distance| if distance < 8.0 { -1.0 / distance } else { 0.001 });
            }
        }
        for &(a, b) in graph.edges().iter().filter(|(a, b)| a != b) {
            pull(a, b, &|distance| distance * distance);
        }
        let longest = radius.max(1.0) * (1.0 - step as f64 / STEPS as f64) * 0.2;
        for (place, force) in places.iter_mut().zip(forces) {
            let length = force.0.hypot(force.1).max(1e-9);
            let moved = length.min(longest) / length;
            place.0 += force.0 * moved;
            place.1 += force.1 * moved;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_closer_than_others() {
        let graph = Graph::path(12);
        let places = layout(&graph);
        let distance =
            |a: usize, b: usize| (places[a].0 - places[b].0).hypot(places[a].1 - places[b].1);
        for vertex in 1..12 {
            assert!((0.3..3.0).contains(&distance(vertex - 1, vertex)));
        }
        assert!(distance(0, 11) > 5.0);
        assert!(layout(&Graph::complete(9)).iter().all(|(x, y)| x.is_finite() && y.is_finite()));
    }
}
