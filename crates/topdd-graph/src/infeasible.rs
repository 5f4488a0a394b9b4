//! Necessary conditions for a Hamiltonian path, without a sweep.

use super::{Paths, Shape};

impl Paths {
    /// Returns whether a simple necessary condition for a path is violated:
    ///
    /// - the graph is connected;
    /// - at most two vertices of a path, and none of a cycle, have fewer than two edges;
    /// - if the graph is bipartite, the sizes of its sides differ by at most one for a path and
    ///   are equal for a cycle, and the fixed ends are on the right sides.
    ///
    /// `true` proves that there is no path. `false` proves nothing; it is always returned
    /// unless the paths are [Hamiltonian](Paths::is_hamiltonian).
    ///
    /// Takes time and memory linear in the size of the graph. Fixed ends that are not vertices are
    /// ignored.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, Paths};
    ///
    /// // A board of 3 x 3 has five squares of one colour and four of the other.
    /// assert!(Paths::hamiltonian_cycles(Graph::grid(3, 3)).none_is_possible());
    /// // A camel never leaves the squares of its colour.
    /// assert!(Paths::hamiltonian_paths(Graph::leaper(8, 8, 1, 3)).none_is_possible());
    /// assert!(!Paths::hamiltonian_paths(Graph::grid(3, 3)).none_is_possible());
    /// assert!(Paths::hamiltonian_paths(Graph::grid(3, 3)).from(1).none_is_possible());
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
        // An end has one edge, every other vertex two.
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
            // One end is on each side, or both are on the larger one.
            Shape::Path if one == other => end_sides.len() == 2 && end_sides[0] == end_sides[1],
            Shape::Path => {
                one.abs_diff(other) > 1 || end_sides.iter().any(|&side| side != (other > one))
            }
        }
    }

    /// The sides of the vertices; `None` if the graph is not connected.
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

/// The sides of the vertices of a connected graph.
struct Sides {
    /// The side of each vertex; valid if `bipartite`.
    of: Vec<Option<bool>>,
    bipartite: bool,
}
