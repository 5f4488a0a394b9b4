//! Conversion of paths and cycles to sequences of vertices, and an independent check of the result.

use thiserror::Error;

use super::EdgeSets;
use crate::Graph;
use crate::path_problem::PathRule;

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
    /// An edge that the graph does not have.
    #[error("edge {edge} is out of range: the edges are 0..{edges}")]
    EdgeOutOfRange {
        /// The edge.
        edge: usize,
        /// The number of edges.
        edges: usize,
    },
    /// The edges do not form exactly one path, or exactly one cycle.
    #[error("the edges do not make one path or cycle of the family")]
    NotOnePath,
}

/// A violated condition on a sequence of vertices; see [`GraphSets::validate`](super::GraphSets::validate).
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
    /// Too few vertices. A path has at least two, and a Hamiltonian path or cycle all vertices of the graph.
    #[error("{given} vertices are too few, {least} are needed")]
    TooShort {
        /// The length of the sequence.
        given: usize,
        /// The minimum length.
        least: usize,
    },
    /// The family is not one of paths or cycles.
    #[error("the family is not one of paths or cycles")]
    NotPaths,
    /// The sequence does not start or end at a fixed end.
    #[error("the path should have an end at {wanted}, not at {found}")]
    WrongEnd {
        /// The fixed end.
        wanted: usize,
        /// The first or last vertex of the sequence.
        found: usize,
    },
}

impl EdgeSets {
    /// Returns the vertices of a path or cycle in its order, from its edges in any order.
    ///
    /// In a directed graph, the edges lead along the sequence. Otherwise a path starts at the first vertex
    /// of the family or ends at its last one, if there are such vertices, or else starts at the smaller of
    /// its ends. If families that fix different ends are combined, the sequence fits all of them, or else the first. A cycle starts at its smallest vertex and continues to the smaller of the two
    /// neighbours. The first vertex is not repeated at the end.
    ///
    /// The time is linear in the number of vertices. The family may have other conditions, which are not
    /// checked.
    ///
    /// # Errors
    ///
    /// [`SequenceError::EdgeOutOfRange`] and [`SequenceError::NotOnePath`].
    ///
    /// ```
    /// use topdd_graph::{Graph, families::cycles};
    ///
    /// let cycles = cycles(&Graph::grid(2, 2)); // edges 0-1, 0-2, 1-3, 2-3
    /// assert_eq!(cycles.to_sequence(&[0, 1, 2, 3])?, [0, 1, 3, 2]);
    /// assert!(cycles.to_sequence(&[0, 1, 2]).is_err());
    /// # Ok::<(), topdd_graph::families::SequenceError>(())
    /// ```
    pub fn to_sequence(&self, edges: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let graph = self.graph();
        let not_one = SequenceError::NotOnePath;
        let rule = self.path_rules().next();
        if edges.is_empty() {
            let is_vertex = rule.is_some_and(|rule| rule.trivial) && graph.num_vertices() == 1;
            return if is_vertex { Ok(vec![0]) } else { Err(not_one) };
        }
        let mut at: Vec<[Option<usize>; 2]> = vec![[None; 2]; graph.num_vertices()];
        for &edge in edges {
            let out_of_range = SequenceError::EdgeOutOfRange { edge, edges: graph.num_edges() };
            let &(a, b) = graph.edges().get(edge).ok_or(out_of_range)?;
            for vertex in [a, b] {
                let free = at[vertex].iter_mut().find(|edge| edge.is_none());
                *free.ok_or(not_one)? = Some(edge);
            }
        }
        // The edge along which the path leaves a vertex, after another edge.
        let next = |vertex: usize, last: Option<usize>| {
            let leads_out = |&edge: &usize| {
                Some(edge) != last && (!graph.is_directed() || graph.edges()[edge].0 == vertex)
            };
            let edges = at[vertex].into_iter().flatten().filter(leads_out);
            edges.min_by_key(|&edge| (graph.other_end(edge, vertex), edge))
        };
        let ends: Vec<usize> =
            (0..at.len()).filter(|&vertex| matches!(at[vertex], [Some(_), None])).collect();
        if rule.is_some_and(|rule| rule.cycle != ends.is_empty()) {
            return Err(not_one);
        }
        let start = match ends[..] {
            [] => (0..at.len()).find(|&vertex| at[vertex][0].is_some()),
            [a, b] => {
                let may_start = |rule: &PathRule, end: usize| {
                    rule.from.is_none_or(|from| from == end)
                        && rule.to.is_none_or(|to| to == a + b - end)
                };
                let starts = || [a, b].into_iter().filter(|&end| next(end, None).is_some());
                // Families that are combined may fix different ends of one path.
                let by_all =
                    starts().find(|&end| self.path_rules().all(|rule| may_start(rule, end)));
                by_all
                    .or_else(|| starts().find(|&end| rule.is_none_or(|rule| may_start(rule, end))))
            }
            _ => None,
        };
        let start = start.ok_or(not_one)?;
        let (mut sequence, mut last, mut met) = (vec![start], None, 0);
        while let Some(edge) = next(sequence[sequence.len() - 1], last) {
            met += 1;
            let vertex = graph.other_end(edge, sequence[sequence.len() - 1]);
            if vertex == start {
                break;
            }
            sequence.push(vertex);
            last = Some(edge);
        }
        // Edges that are not part of the sequence form another piece.
        if met == edges.len() { Ok(sequence) } else { Err(not_one) }
    }

    /// Checks a sequence of vertices by the definition of paths and cycles alone: the vertices are different,
    /// edges lead from each to the next, a Hamiltonian path or cycle has all vertices, and the ends are those
    /// of the family.
    ///
    /// The check shares no code with the specs, so that it can test them. It takes time linear in
    /// the number of vertices, apart from the look-up of edges. Other conditions of the family are not checked.
    ///
    /// # Errors
    ///
    /// The first [`Flaw`] found.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::{Flaw, cycles}};
    ///
    /// let cycles = cycles(&Graph::grid(2, 2));
    /// assert_eq!(cycles.validate(&[0, 1, 3, 2]), Ok(()));
    /// assert_eq!(cycles.validate(&[0, 3, 1]), Err(Flaw::NoEdge { from: 0, to: 3 }));
    /// ```
    pub fn validate(&self, sequence: &[usize]) -> Result<(), Flaw> {
        let mut rules = self.path_rules().peekable();
        if rules.peek().is_none() {
            return Err(Flaw::NotPaths);
        }
        rules.try_for_each(|rule| check(self.graph(), rule, sequence))
    }
}

fn check(graph: &Graph, rule: &PathRule, sequence: &[usize]) -> Result<(), Flaw> {
    let vertices = graph.num_vertices();
    let shortest = if rule.cycle || rule.trivial && vertices == 1 { 1 } else { 2 };
    let least = if rule.hamiltonian { shortest.max(vertices) } else { shortest };
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
    let joins = |from: usize, to: usize| {
        let ends = graph.incident(from).iter().map(|&edge| graph.edges()[edge]);
        ends.filter(move |&ends| ends == (from, to) || !graph.is_directed() && ends == (to, from))
    };
    for pair in sequence.windows(2) {
        if joins(pair[0], pair[1]).next().is_none() {
            return Err(Flaw::NoEdge { from: pair[0], to: pair[1] });
        }
    }
    // A cycle of two vertices goes back along another edge.
    let there = usize::from(sequence.len() == 2 && !graph.is_directed());
    if rule.cycle && joins(last, first).nth(there).is_none() {
        return Err(Flaw::NoEdge { from: last, to: first });
    }
    for (wanted, found) in [(rule.from, first), (rule.to, last)] {
        if let Some(wanted) = wanted.filter(|&wanted| wanted != found) {
            return Err(Flaw::WrongEnd { wanted, found });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{
        EdgeSets, all_paths, cycles, forests, grid_hamiltonian_paths, hamiltonian_cycles,
        hamiltonian_paths, hamiltonian_paths_to, paths, paths_from,
    };
    use super::*;

    const NOT_ONE: Result<Vec<usize>, SequenceError> = Err(SequenceError::NotOnePath);

    #[test]
    fn sequences_start_and_end_at_the_fixed_ends() {
        let line = Graph::grid(1, 4);
        let all = all_paths(&line);
        assert_eq!(all.to_sequence(&[0, 1, 2]), Ok(vec![0, 1, 2, 3]));
        assert_eq!(all.to_sequence(&[2, 1]), Ok(vec![1, 2, 3]));
        assert_eq!(paths_from(&line, 3).to_sequence(&[0, 1, 2]), Ok(vec![3, 2, 1, 0]));
        assert_eq!(hamiltonian_paths_to(&line, 0).to_sequence(&[0, 1, 2]), Ok(vec![3, 2, 1, 0]));
        assert_eq!(paths_from(&line, 1).to_sequence(&[0, 1, 2]), NOT_ONE);
        assert_eq!(all.to_sequence(&[0, 2]), NOT_ONE);
        assert_eq!(all.to_sequence(&[0, 0]), NOT_ONE);
        assert_eq!(all.to_sequence(&[]), NOT_ONE);
        let no_edge = SequenceError::EdgeOutOfRange { edge: 3, edges: 3 };
        assert_eq!(all.to_sequence(&[3]), Err(no_edge));
        assert_eq!(grid_hamiltonian_paths(1, 1).to_sequence(&[]), Ok(vec![0]));
        assert_eq!(hamiltonian_paths(&Graph::grid(1, 1)).to_sequence(&[]), NOT_ONE);
        // Of a family of other sets, those that are paths.
        assert_eq!(forests(&line).to_sequence(&[1, 2]), Ok(vec![1, 2, 3]));
    }

    #[test]
    fn edges_of_two_cycles_are_an_error() {
        let twice = Graph::new(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]).unwrap();
        assert_eq!(cycles(&twice).to_sequence(&[0, 1, 2]), Ok(vec![0, 1, 2]));
        assert_eq!(cycles(&twice).to_sequence(&[0, 1, 2, 3, 4, 5]), NOT_ONE);
        // A path and a cycle: two ends, but not one path.
        assert_eq!(all_paths(&twice).to_sequence(&[0, 1, 2, 3]), NOT_ONE);
    }

    /// Every set of a family, converted and checked.
    fn assert_sequences_are_valid(family: &EdgeSets) {
        for edges in family.zdd().unwrap().iter() {
            let sequence = family.to_sequence(&edges).unwrap();
            assert_eq!(family.validate(&sequence), Ok(()), "{family:?} {edges:?}");
        }
    }

    #[test]
    fn sequences_of_small_graphs_are_paths_and_cycles() {
        for directed in [false, true] {
            for graph in super::super::tests::small_graphs(directed) {
                let families = [all_paths, cycles, hamiltonian_paths, hamiltonian_cycles];
                for family in families {
                    assert_sequences_are_valid(&family(&graph));
                }
                let last = graph.num_vertices().saturating_sub(1);
                if last > 0 {
                    assert_sequences_are_valid(&paths(&graph, last, 0));
                    assert_sequences_are_valid(&paths_from(&graph, last));
                    assert_sequences_are_valid(&hamiltonian_paths_to(&graph, 0));
                }
            }
        }
    }

    #[test]
    fn validate_returns_the_first_flaw() {
        let grid = Graph::grid(2, 3);
        let cycles = hamiltonian_cycles(&grid);
        assert_eq!(cycles.validate(&[0, 1, 2, 5, 4, 3]), Ok(()));
        assert_eq!(cycles.validate(&[0, 1, 9]), Err(Flaw::NotAVertex { step: 2, vertex: 9 }));
        assert_eq!(cycles.validate(&[0, 1, 0]), Err(Flaw::Repeated { step: 2, vertex: 0 }));
        assert_eq!(cycles.validate(&[0, 1, 4, 3]), Err(Flaw::TooShort { given: 4, least: 6 }));
        assert_eq!(cycles.validate(&[0, 3, 4, 1, 2, 5]), Err(Flaw::NoEdge { from: 5, to: 0 }));
        let paths = paths(&grid, 0, 2);
        assert_eq!(paths.validate(&[0, 1, 2]), Ok(()));
        assert_eq!(paths.validate(&[2, 1, 0]), Err(Flaw::WrongEnd { wanted: 0, found: 2 }));
        assert_eq!(paths.validate(&[]), Err(Flaw::TooShort { given: 0, least: 2 }));
        assert_eq!(forests(&grid).validate(&[0]), Err(Flaw::NotPaths));
        // There and back along one edge is no cycle.
        let there = Err(Flaw::NoEdge { from: 1, to: 0 });
        assert_eq!(super::super::cycles(&Graph::path(2)).validate(&[0, 1]), there);
    }
}
