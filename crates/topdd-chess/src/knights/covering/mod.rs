//! Symmetric and directed tours, as paths that cover the paths of another graph.
//!
//! [`CoveringPaths`] stores the paths below and the lifts of each edge; [`Lifted`] is the spec. [`quotient`]
//! makes the graph below from a symmetry.

mod lifted;
mod quotient;
#[cfg(test)]
mod tests;

use topdd::{DdSpec, Frontier};
use topdd_graph::families::{FamilyError, SequenceError};
use topdd_graph::wide;

use super::PathEncoding;
use super::hamiltonian::HamiltonianPaths;
use lifted::{Crossing, LiftTable, Lifted};

/// Hamiltonian paths or cycles as lifts of paths of another graph, the graph *below*: those that an
/// involution maps to themselves, those with a direction, or both.
///
/// # Symmetric paths
///
/// An involution `s` of a graph maps vertices to vertices and edges to edges, and `s s v = v`. It
/// maps a Hamiltonian path or cycle to itself if it maps the set of its edges to itself. The
/// graph below has a vertex for each pair `{v, s v}` and for each vertex that is its own
/// image, and an edge for each pair of edges that are images of one another. So it has
/// half the vertices and edges. A set of edges that is its own image is a set of edges
/// below; not all such sets lift to a single path. Choose one vertex of each
/// pair as the upper one. An edge *crosses* if it joins an upper vertex to a lower one. An edge
/// `{v, s v}` is its own image and is called a *hinge* at the vertex below.
///
/// - **Cycles.** An involution of a cycle that is not the identity is either the half-turn
///   or a reflection. The half-turn fixes no vertex and no edge, and the path below
///   is a Hamiltonian cycle. It lifts to one cycle if it crosses an odd number of times, and
///   to two otherwise. A reflection fixes two things, each a vertex or a hinge, and
///   the path below is a Hamiltonian path from one of them to the other. An additional edge from
///   end to end, which represents the two hinges, makes it a cycle.
/// - **Paths.** The involution reverses the path and fixes its middle, a vertex or a hinge. The path
///   below is a Hamiltonian path that starts at the middle. An additional vertex below is the start
///   if the middle is a hinge.
///
/// Parallel edges below are values of one variable. So the variables are the variables of the graph
/// below, in either [`PathEncoding`](super::PathEncoding), with more values: one for each lift of the edges of a
/// value below, where the lift of the last edge varies fastest. The state also contains
/// the parity of the number of crossings so far. No variable is skipped.
///
/// Source: these are voltage graphs with voltages in the group of two elements (J. L. Gross and
/// T. W. Tucker, *Topological Graph Theory*, 1987). On the chessboard, where hinges cross the centre,
/// they give the two kinds of closed symmetric tours that G. P. Jelliss named after Euler and
/// Bergholt.
///
/// # Directed paths
///
/// A path and its reverse are two solutions. Variable 0 has two values and is the direction of
/// the path: 0 as [`EdgeSets::to_sequence`](topdd_graph::families::GraphSets::to_sequence) returns it, and 1 reversed. The starts of a cycle are
/// still not distinguished. There is no such variable if an end is fixed, which fixes the direction,
/// or for the path of a single vertex.
#[derive(Clone, Debug)]
pub(super) struct CoveringPaths {
    /// The paths above, without a direction.
    paths: HamiltonianPaths,
    below: HamiltonianPaths,
    /// The lifts of each edge of the graph below.
    links: Vec<Vec<Link>>,
    /// Whether a complete path below may have each [`Crossing`].
    accepted: [bool; 3],
    directed: bool,
}

/// A lift of an edge of the graph below.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Link {
    crossing: Crossing,
    /// The edges of the graph above.
    edges: Vec<usize>,
}

impl CoveringPaths {
    /// All paths, each the lift of itself.
    pub(super) fn all(paths: HamiltonianPaths, encoding: PathEncoding) -> Self {
        let itself = |edge| vec![Link { crossing: Crossing::Even, edges: vec![edge] }];
        let links = (0..paths.graph().num_edges()).map(itself).collect();
        let below = paths.clone().encoded(encoding);
        Self { paths, below, links, accepted: [true; 3], directed: false }
    }

    /// The paths that an involution of the graph maps to themselves. Vertex `v` is mapped to `images[v]`.
    ///
    /// If both ends of a path are fixed and are not images of one another, there is no symmetric
    /// path. If the involution is the identity, all paths are symmetric.
    ///
    /// Takes time linear in the size of the graph, apart from a
    /// [`narrow_order`](topdd_graph::order::narrow_order) of the graph below.
    ///
    /// # Panics
    ///
    /// If `images` is not an involution, or maps an edge to two vertices that no edge joins.
    pub(super) fn symmetric(
        paths: HamiltonianPaths,
        images: &[usize],
        encoding: PathEncoding,
    ) -> Self {
        if images.iter().enumerate().all(|(vertex, &image)| vertex == image) {
            return Self::all(paths, encoding);
        }
        quotient::lifts(paths, images, encoding)
    }

    /// These paths with a direction: a path and its reverse are two solutions. They must have free ends, and a
    /// path more than one vertex.
    pub(super) fn directed(self) -> Self {
        Self { directed: true, ..self }
    }

    pub(super) fn none_is_possible(&self) -> bool {
        self.paths.none_is_possible() || self.below.none_is_possible()
    }

    /// The number of variables: of the graph below, and one more for a direction.
    pub(super) fn num_vars(&self) -> usize {
        usize::from(self.directed) + self.below.num_vars()
    }

    pub(super) fn arity(&self, variable: usize) -> usize {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else { return 2 };
        self.value_edges(variable).map(|edges| self.count_lifts(&edges)).sum()
    }

    /// The edges below of each value of a variable below, in the order of the values.
    fn value_edges(&self, variable: usize) -> impl Iterator<Item = Vec<usize>> + '_ {
        (0..).map_while(move |value| self.below.value_edges(variable, value))
    }

    fn count_lifts(&self, edges: &[usize]) -> usize {
        edges.iter().map(|&edge| self.links[edge].len()).product()
    }

    /// The edges of a solution, in no particular order, from the values of its variables.
    fn edges_of(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let (given, variables) = (values.len(), self.num_vars());
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        let first = usize::from(self.directed);
        if let Some(&value) = values[..first].iter().find(|&&value| value > 1) {
            return Err(SequenceError::ValueOutOfRange { variable: 0, value });
        }
        let mut edges = Vec::new();
        for (variable, &value) in values.iter().enumerate().skip(first) {
            let mut rest = value;
            let lift = self.value_edges(variable - first).find_map(|edges| {
                let lifts = self.count_lifts(&edges);
                if rest < lifts {
                    return Some(edges);
                }
                rest -= lifts;
                None
            });
            let lift = lift.ok_or(SequenceError::ValueOutOfRange { variable, value })?;
            for edge in lift.into_iter().rev() {
                let links = &self.links[edge];
                edges.extend_from_slice(&links[rest % links.len()].edges);
                rest /= links.len();
            }
        }
        Ok(edges)
    }

    /// The vertices of a solution in the order of the path, from the values of its variables. The order is
    /// reversed if the direction of the solution is 1. A reversed cycle has the same start.
    pub(super) fn to_sequence(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let mut sequence = self.paths.family.to_sequence(&self.edges_of(values)?)?;
        if self.directed && values[0] == 1 {
            sequence[usize::from(self.paths.closed)..].reverse();
        }
        Ok(sequence)
    }

    fn table(&self) -> LiftTable {
        let mut table = LiftTable::default();
        for variable in 0..self.below.num_vars() {
            for edges in self.value_edges(variable) {
                let mut crossings = vec![Some(Crossing::Even)];
                for edge in edges {
                    let links = &self.links[edge];
                    crossings = crossings
                        .iter()
                        .flat_map(|&before| {
                            links.iter().map(move |link| before?.and(link.crossing))
                        })
                        .collect();
                }
                table.push_value(crossings);
            }
            table.end_variable();
        }
        table
    }

    /// The spec, from the spec of the paths below with states of a type; `None` if they are too small.
    fn lifted<S: DdSpec>(&self, below: Option<S>) -> Option<Lifted<S>> {
        Some(Lifted::new(below?, self.table(), self.accepted, self.directed))
    }

    /// Makes a sweep over the spec.
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] if the frontier below is too wide.
    pub(super) fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        let problem = self.below.problem();
        let words = problem.words();
        // Another word for the crossing.
        let crossed = words + 1;
        let frontier = match (self.below.is_by_vertex(), words) {
            // By its type: an array spec tries each value of a state on its own, and a vertex has many.
            (true, 0..=2) => self.lifted(problem.by_vertex_spec::<2>()).map(Frontier::of),
            (true, _) => {
                self.lifted(problem.by_vertex_spec::<64>()).map(|spec| wide(spec, crossed))
            }
            (false, 0..=2) => {
                self.lifted(problem.by_edge_spec::<2>()).map(|spec| wide(spec, crossed))
            }
            (false, _) => self.lifted(problem.by_edge_spec::<64>()).map(|spec| wide(spec, crossed)),
        };
        match frontier {
            Some(frontier) => Ok(frontier),
            // The sweep below fails for the same reason.
            None => self.below.frontier(),
        }
    }
}
