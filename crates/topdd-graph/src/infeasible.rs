//! Tests that a graph has no Hamiltonian walk, without a sweep.

use super::{Shape, Walks};

impl Walks {
    /// Whether it is plain that there is no such walk: the graph is not connected, a vertex
    /// has too few edges, or, where the graph is bipartite, there are too many vertices of one
    /// side, or the fixed ends are on the wrong sides. `false` says nothing, and is always
    /// returned unless the walks are [Hamiltonian](Walks::is_hamiltonian).
    ///
    /// It takes time linear in the size of the graph, where a sweep could take long to
    /// find that two halves do not meet. Ends that are no vertices are passed over.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, Walks};
    ///
    /// // Five and four squares of the colours of a chessboard, and a camel keeps to its colour.
    /// assert!(Walks::hamiltonian_cycles(Graph::grid(3, 3)).none_is_possible());
    /// assert!(Walks::hamiltonian_paths(Graph::leaper(8, 8, 1, 3)).none_is_possible());
    /// assert!(!Walks::hamiltonian_paths(Graph::grid(3, 3)).none_is_possible());
    /// assert!(Walks::hamiltonian_paths(Graph::grid(3, 3)).from(1).none_is_possible());
    /// ```
    pub fn none_is_possible(&self) -> bool {
        let graph = &self.graph;
        let vertices = graph.vertices();
        if !self.hamiltonian || self.is_single_vertex() {
            return false;
        }
        let fewest = match self.shape {
            Shape::Cycle => 3,
            Shape::Path => 2,
        };
        if vertices < fewest {
            return true;
        }
        // An end has one edge, all else two.
        let single = (0..vertices).filter(|&vertex| graph.neighbours(vertex).len() < 2);
        let ends = if self.shape == Shape::Cycle { 0 } else { 2 };
        if single.take(ends + 1).count() > ends {
            return true;
        }
        let Some(sides) = self.sides() else { return true };
        let Sides { of, bipartite: true } = sides else { return false };
        // Vertex 0 is on side 0.
        let other = of.iter().filter(|&&side| side == Some(true)).count();
        let one = vertices - other;
        let end_sides: Vec<bool> =
            [self.from, self.to].into_iter().flatten().filter_map(|end| *of.get(end)?).collect();
        match self.shape {
            Shape::Cycle => one != other,
            // Both ends are on the larger side, or one on each.
            Shape::Path if one == other => end_sides.len() == 2 && end_sides[0] == end_sides[1],
            Shape::Path => {
                one.abs_diff(other) > 1 || end_sides.iter().any(|&side| side != (other > one))
            }
        }
    }

    /// The sides of the vertices, if all are connected.
    fn sides(&self) -> Option<Sides> {
        let graph = &self.graph;
        let mut of = vec![None; graph.vertices()];
        of[0] = Some(false);
        let (mut todo, mut seen, mut bipartite) = (vec![0], 1, true);
        while let Some(vertex) = todo.pop() {
            let across = of[vertex].map(|side: bool| !side);
            for &other in graph.neighbours(vertex) {
                if of[other].is_none() {
                    of[other] = across;
                    seen += 1;
                    todo.push(other);
                } else if of[other] != across {
                    bipartite = false;
                }
            }
        }
        (seen == of.len()).then_some(Sides { of, bipartite })
    }
}

/// The sides of the vertices of a connected graph, as far as it has two.
struct Sides {
    of: Vec<Option<bool>>,
    bipartite: bool,
}
