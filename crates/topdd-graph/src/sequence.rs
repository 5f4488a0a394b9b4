//! Conversion of solutions to edges and vertices, and an independent check of the result.

use thiserror::Error;

use super::PathEncoding;
use super::choices::choice;
use super::paths::{Paths, Shape};

/// Errors of converting values or edges to a path or cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SequenceError {
    /// The number of values is not the number of variables.
    #[error("{given} values for {variables} variables; give one for each")]
    WrongLength {
        /// The number of values given.
        given: usize,
        /// The number of variables.
        variables: usize,
    },
    /// A value that the variable does not take.
    #[error(
        "variable {variable} does not take the value {value}; give a solution of this encoding"
    )]
    ValueOutOfRange {
        /// The variable.
        variable: usize,
        /// The value given.
        value: usize,
    },
    /// A pair that is not an edge of the graph.
    #[error("{0}-{1} is not an edge", .edge.0, .edge.1)]
    NotAnEdge {
        /// The pair given.
        edge: (usize, usize),
    },
    /// The edges are not those of exactly one path, or of exactly one cycle.
    #[error("the edges do not make one {what}", what = name(*.shape))]
    NotOnePath {
        /// The expected shape.
        shape: Shape,
    },
}

/// A violated condition on a sequence of vertices; see [`Paths::validate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A number that is not a vertex.
    #[error("step {step} is at {vertex}, which is not a vertex")]
    NotAVertex {
        /// The position in the sequence.
        step: usize,
        /// The number there.
        vertex: usize,
    },
    /// A vertex that occurs earlier in the sequence.
    #[error("step {step} is at vertex {vertex} again")]
    Repeated {
        /// The position in the sequence.
        step: usize,
        /// The vertex there.
        vertex: usize,
    },
    /// Two consecutive vertices that are not neighbours; in a cycle, the last and the
    /// first are consecutive too.
    #[error("there is no edge from {from} to {to}")]
    NoEdge {
        /// The vertex.
        from: usize,
        /// The vertex after it.
        to: usize,
    },
    /// Too few vertices. A cycle has at least three, and a path at least two. A Hamiltonian path or cycle has
    /// all vertices of the graph, which may be one for a path.
    #[error("{given} vertices are too few, {least} are needed")]
    TooShort {
        /// The length of the sequence.
        given: usize,
        /// The minimum length.
        least: usize,
    },
    /// The sequence does not start or end at a fixed end.
    #[error("the path should have an end at {wanted}, not at {found}")]
    WrongEnd {
        /// The fixed end.
        wanted: usize,
        /// The first or last vertex of the sequence.
        found: usize,
    },
}

fn name(shape: Shape) -> &'static str {
    match shape {
        Shape::Cycle => "cycle",
        Shape::Path => "path",
    }
}

impl Paths {
    /// Returns the edges of a solution, ascending, from the values of its variables. Takes time
    /// linear in the number of variables and edges.
    ///
    /// # Errors
    ///
    /// [`SequenceError::WrongLength`] and [`SequenceError::ValueOutOfRange`].
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let cycles = Paths::cycles(Graph::grid(2, 2)); // edges 0-1, 0-2, 1-3, 2-3
    /// let all = [(0, 1), (0, 2), (1, 3), (2, 3)];
    /// assert_eq!(cycles.to_edges(PathEncoding::ByEdge, &[1, 1, 1, 1])?, all);
    /// // Vertex 0 takes both later neighbours, 1 and 2 the only one they have.
    /// assert_eq!(cycles.to_edges(PathEncoding::ByVertex, &[3, 1, 1, 0])?, all);
    /// # Ok::<(), topdd_graph::SequenceError>(())
    /// ```
    pub fn to_edges(
        &self,
        encoding: PathEncoding,
        values: &[usize],
    ) -> Result<Vec<(usize, usize)>, SequenceError> {
        let (given, variables) = (values.len(), self.num_vars(encoding));
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        let mut edges = Vec::new();
        for (variable, &value) in values.iter().enumerate() {
            let out_of_range = SequenceError::ValueOutOfRange { variable, value };
            match encoding {
                PathEncoding::ByEdge => match value {
                    0 => {}
                    1 => edges.push(self.graph.edges()[variable]),
                    _ => return Err(out_of_range),
                },
                PathEncoding::ByVertex => {
                    let later = self.graph.later_neighbours(variable);
                    let (a, b) = choice(later.len(), value).ok_or(out_of_range)?;
                    edges.extend([a, b].into_iter().flatten().map(|i| (variable, later[i])));
                }
            }
        }
        Ok(edges)
    }

    /// Returns the vertices of a solution in the order of the path, from the values of its
    /// variables.
    ///
    /// A path starts at [`from`](Paths::from) or ends at [`to`](Paths::to) where these
    /// are given. Otherwise it starts at the smaller of its ends. A cycle starts at the
    /// smallest of its vertices and continues to the smaller of the two neighbours; the
    /// first vertex is not repeated at the end.
    ///
    /// # Errors
    ///
    /// A [`SequenceError`] if the values are not a solution.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let cycles = Paths::cycles(Graph::grid(2, 2));
    /// assert_eq!(cycles.to_sequence(PathEncoding::ByEdge, &[1, 1, 1, 1])?, [0, 1, 3, 2]);
    /// assert!(cycles.to_sequence(PathEncoding::ByEdge, &[1, 1, 1, 0]).is_err());
    /// # Ok::<(), topdd_graph::SequenceError>(())
    /// ```
    pub fn to_sequence(
        &self,
        encoding: PathEncoding,
        values: &[usize],
    ) -> Result<Vec<usize>, SequenceError> {
        self.sequence_of(&self.to_edges(encoding, values)?)
    }

    /// Returns the vertices of a path or cycle in the order of the path, from its edges in
    /// any order. Start and direction are those of [`to_sequence`](Paths::to_sequence).
    ///
    /// # Errors
    ///
    /// [`SequenceError::NotAnEdge`] and [`SequenceError::NotOnePath`].
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, Paths};
    ///
    /// let paths = Paths::open(Graph::grid(2, 2));
    /// assert_eq!(paths.sequence_of(&[(1, 3), (0, 1)])?, [0, 1, 3]);
    /// # Ok::<(), topdd_graph::SequenceError>(())
    /// ```
    pub fn sequence_of(&self, edges: &[(usize, usize)]) -> Result<Vec<usize>, SequenceError> {
        let not_one = SequenceError::NotOnePath { shape: self.shape };
        if edges.is_empty() {
            return if self.is_single_vertex() { Ok(vec![0]) } else { Err(not_one) };
        }
        let mut mates: Vec<[Option<usize>; 2]> = vec![[None; 2]; self.graph.vertices()];
        for &(a, b) in edges {
            if self.graph.edge_number(a, b).is_none() {
                return Err(SequenceError::NotAnEdge { edge: (a, b) });
            }
            for (vertex, other) in [(a, b), (b, a)] {
                let free = mates[vertex].iter_mut().find(|mate| mate.is_none());
                *free.ok_or(not_one)? = Some(other);
            }
        }
        let ends: Vec<usize> =
            (0..mates.len()).filter(|&vertex| matches!(mates[vertex], [Some(_), None])).collect();
        let start = match (self.shape, ends.as_slice()) {
            (Shape::Cycle, []) => {
                (0..mates.len()).find(|&vertex| mates[vertex][0].is_some()).ok_or(not_one)?
            }
            (Shape::Path, &[a, b]) => {
                let starts_at = |end| {
                    self.from.is_none_or(|from| from == end)
                        && self.to.is_none_or(|to| to == a + b - end)
                };
                [a, b].into_iter().find(|&end| starts_at(end)).ok_or(not_one)?
            }
            _ => return Err(not_one),
        };
        let mut sequence = vec![start];
        let mut previous = None;
        let mut next = mates[start].into_iter().flatten().min();
        while let Some(vertex) = next.filter(|&vertex| vertex != start) {
            let here = previous.replace(sequence[sequence.len() - 1]);
            debug_assert!(here != Some(vertex));
            sequence.push(vertex);
            next = mates[vertex].into_iter().flatten().find(|&other| Some(other) != previous);
        }
        // Edges that are not part of the sequence form another piece.
        let met = sequence.len() - usize::from(self.shape == Shape::Path);
        if met == edges.len() { Ok(sequence) } else { Err(not_one) }
    }

    /// Checks a sequence of vertices by the definition alone: the vertices are different,
    /// consecutive vertices are neighbours, and a Hamiltonian path or cycle has all vertices. A path
    /// starts at [`from`](Paths::from) and ends at [`to`](Paths::to) where these are given.
    ///
    /// The check shares no code with the specs, so that it can test them. It takes time linear in
    /// the number of vertices, apart from the look-up of edges.
    ///
    /// # Errors
    ///
    /// The first [`Flaw`] found.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Flaw, Graph, Paths};
    ///
    /// let cycles = Paths::cycles(Graph::grid(2, 2));
    /// assert_eq!(cycles.validate(&[0, 1, 3, 2]), Ok(()));
    /// assert_eq!(cycles.validate(&[0, 3, 1]), Err(Flaw::NoEdge { from: 0, to: 3 }));
    /// ```
    pub fn validate(&self, sequence: &[usize]) -> Result<(), Flaw> {
        let vertices = self.graph.vertices();
        let shortest = match self.shape {
            Shape::Cycle => 3,
            Shape::Path if self.hamiltonian && vertices == 1 => 1,
            Shape::Path => 2,
        };
        let least = if self.hamiltonian { shortest.max(vertices) } else { shortest };
        let mut seen = vec![false; vertices];
        for (step, &vertex) in sequence.iter().enumerate() {
            match seen.get_mut(vertex) {
                None => return Err(Flaw::NotAVertex { step, vertex }),
                Some(true) => return Err(Flaw::Repeated { step, vertex }),
                Some(seen) => *seen = true,
            }
        }
        if sequence.len() < least {
            return Err(Flaw::TooShort { given: sequence.len(), least });
        }
        let (first, last) = (sequence[0], sequence[sequence.len() - 1]);
        let closing = (self.shape == Shape::Cycle).then_some((last, first));
        let moves = sequence.windows(2).map(|pair| (pair[0], pair[1]));
        for (from, to) in moves.chain(closing) {
            if !self.graph.neighbours(from).contains(&to) {
                return Err(Flaw::NoEdge { from, to });
            }
        }
        for (wanted, found) in [(self.from, first), (self.to, last)] {
            if let Some(wanted) = wanted.filter(|&wanted| wanted != found) {
                return Err(Flaw::WrongEnd { wanted, found });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Graph, SimpleGraph};
    use super::*;

    #[test]
    fn sequences_start_and_end_at_the_fixed_ends() {
        let graph = SimpleGraph::grid(1, 4);
        let edges = [(0, 1), (1, 2), (2, 3)];
        let paths = Paths::open(graph);
        assert_eq!(paths.sequence_of(&edges), Ok(vec![0, 1, 2, 3]));
        assert_eq!(paths.sequence_of(&edges[1..]), Ok(vec![1, 2, 3]));
        assert_eq!(paths.clone().from(3).sequence_of(&edges), Ok(vec![3, 2, 1, 0]));
        assert_eq!(paths.clone().to(0).sequence_of(&edges), Ok(vec![3, 2, 1, 0]));
        let not_one = Err(SequenceError::NotOnePath { shape: Shape::Path });
        assert_eq!(paths.clone().from(1).sequence_of(&edges), not_one);
        assert_eq!(paths.sequence_of(&[(0, 1), (2, 3)]), not_one);
        assert_eq!(paths.sequence_of(&[]), not_one);
        assert_eq!(paths.sequence_of(&[(0, 2)]), Err(SequenceError::NotAnEdge { edge: (0, 2) }));
        assert_eq!(Paths::hamiltonian_paths(Graph::grid(1, 1)).sequence_of(&[]), Ok(vec![0]));
    }

    #[test]
    fn edges_of_two_cycles_are_an_error() {
        let twice = SimpleGraph::new(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]).unwrap();
        let edges = twice.edges().to_vec();
        let cycles = Paths::cycles(twice.clone());
        assert_eq!(cycles.sequence_of(&edges[..3]), Ok(vec![0, 1, 2]));
        let not_one = Err(SequenceError::NotOnePath { shape: Shape::Cycle });
        assert_eq!(cycles.sequence_of(&edges), not_one);
        // A path and a cycle: two ends, but not one path.
        let not_one = Err(SequenceError::NotOnePath { shape: Shape::Path });
        assert_eq!(Paths::open(twice).sequence_of(&edges[..4]), not_one);
    }

    #[test]
    fn validate_returns_the_first_flaw() {
        let cycles = Paths::hamiltonian_cycles(Graph::grid(2, 3));
        assert_eq!(cycles.validate(&[0, 1, 2, 5, 4, 3]), Ok(()));
        assert_eq!(cycles.validate(&[0, 1, 9]), Err(Flaw::NotAVertex { step: 2, vertex: 9 }));
        assert_eq!(cycles.validate(&[0, 1, 0]), Err(Flaw::Repeated { step: 2, vertex: 0 }));
        assert_eq!(cycles.validate(&[0, 1, 4, 3]), Err(Flaw::TooShort { given: 4, least: 6 }));
        assert_eq!(cycles.validate(&[0, 3, 4, 1, 2, 5]), Err(Flaw::NoEdge { from: 5, to: 0 }));
        let paths = Paths::open(Graph::grid(2, 3)).from(0).to(2);
        assert_eq!(paths.validate(&[0, 1, 2]), Ok(()));
        assert_eq!(paths.validate(&[2, 1, 0]), Err(Flaw::WrongEnd { wanted: 0, found: 2 }));
        assert_eq!(paths.validate(&[]), Err(Flaw::TooShort { given: 0, least: 2 }));
    }
}
