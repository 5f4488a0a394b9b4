//! The paths or cycles that a mate frontier represents, and the edges that each variable decides.
//!
//! The state is the *mate* array of the frontier: for each vertex with decided and undecided edges, the
//! other end of the piece of path it ends. This is the frontier method, Simpath: D. E. Knuth, *The Art of
//! Computer Programming* 4A, 7.1.4, exercise 225; K. Sekine and H. Imai, *Counting the number of paths in a
//! graph via BDDs*, IEICE Trans. Fundamentals E80-A (1997). A state has a few bits for each vertex of the
//! frontier. The specs skip no variable, so that their solutions are the same under both rules.

use super::graph::{Graph, GraphError};
use super::lists::Lists;
use super::mates::Widths;
use super::words::{FromWords, wide};
use super::{ByEdge, ByVertex, DirectedByEdge};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use topdd::{DdSpec, Frontier};

/// The edges are one simple path, or one simple cycle, of at least one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathRule {
    pub(crate) cycle: bool,
    /// Whether it passes through every vertex.
    pub(crate) hamiltonian: bool,
    /// The fixed ends. Of a directed path: its first vertex, its last.
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
    /// Whether the vertex of a graph with a single vertex is a path.
    pub(crate) trivial: bool,
}

impl PathRule {
    pub(crate) fn is_fixed_end(&self, vertex: usize) -> bool {
        self.from == Some(vertex) || self.to == Some(vertex)
    }

    /// Whether a path has an end that is not fixed.
    pub(crate) fn has_free_end(&self) -> bool {
        !self.cycle && (self.from.is_none() || self.to.is_none())
    }
}

/// What the variables decide.
#[derive(Clone, Debug)]
struct Decisions {
    /// The vertex of each variable. A variable without edges to decide has one, too, which means nothing.
    vertices: Vec<usize>,
    /// The neighbours whose edges each variable decides.
    neighbours: Lists<usize>,
    /// In a directed graph, whether the edge of each variable leads from its vertex to the neighbour.
    forward: Option<Vec<bool>>,
}

/// A set of paths or cycles, the edges that each variable decides, and their frontier.
//
// Public for topdd-chess, and not part of the API.
#[derive(Clone, Debug)]
pub struct PathProblem {
    pub(super) rule: PathRule,
    /// Whether there is one variable for each vertex, not for each edge.
    pub(super) by_vertex: bool,
    /// Whether the only solution is the path without an edge: the vertex of a graph with one
    /// vertex.
    pub(super) is_single_vertex: bool,
    num_vertices: usize,
    decisions: Decisions,
    pub(super) schedule: PathSchedule,
}

/// The slot of each vertex, independent of the number of words in a state.
#[derive(Clone, Debug)]
pub(super) struct PathSchedule {
    /// The variable step at which each vertex enters; [`NEVER`] for a vertex without edges.
    pub(super) enters: Vec<usize>,
    /// The last variable step of each vertex; [`NEVER`] for a vertex without edges.
    pub(super) leaves: Vec<usize>,
    /// `None` for a vertex that enters and leaves at its own step.
    pub(super) slots: Vec<Option<usize>>,
    pub(super) widths: Widths,
}

/// The variable step of a vertex without edges.
const NEVER: usize = usize::MAX;

impl PathProblem {
    /// The problem on a simple undirected graph, with one variable for each vertex, which decides the edges
    /// to later vertices, ascending.
    ///
    /// # Errors
    ///
    /// A [`GraphError`] for a directed graph, a loop, or parallel edges.
    pub(super) fn by_vertex(graph: &Graph, rule: PathRule) -> Result<Self, GraphError> {
        graph.check_undirected()?;
        let n = graph.num_vertices();
        let mut neighbours = Lists::default();
        for vertex in 0..n {
            let mut later: Vec<usize> =
                graph.neighbours(vertex).filter(|&other| other >= vertex).collect();
            later.sort_unstable();
            if later.first() == Some(&vertex) {
                return Err(GraphError::Loop { vertex });
            }
            if let Some(pair) = later.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(GraphError::DuplicateEdge { edge: (vertex, pair[0]) });
            }
            neighbours.push(later);
        }
        let vertices = (0..n).collect();
        Ok(Self::new(rule, n, Decisions { vertices, neighbours, forward: None }, true))
    }

    /// The problem on any graph, with one variable for each edge in any order, without the edges
    /// that are `left`. Loops are left too.
    ///
    /// Of the two ends of an edge, the variable belongs to the one with fewer undecided edges, so
    /// that a vertex which leaves is the vertex of the step.
    pub(crate) fn in_order(graph: &Graph, order: &[usize], rule: PathRule, left: &[bool]) -> Self {
        let n = graph.num_vertices();
        let edges = graph.edges();
        let is_decided = |edge: usize| !left[edge] && edges[edge].0 != edges[edge].1;
        let mut undecided = vec![0usize; n];
        for &(a, b) in (0..edges.len()).filter(|&edge| is_decided(edge)).map(|edge| &edges[edge]) {
            undecided[a] += 1;
            undecided[b] += 1;
        }
        let (mut vertices, mut forward) = (Vec::with_capacity(order.len()), Vec::new());
        let mut neighbours = Lists::default();
        for &edge in order {
            let (a, b) = edges[edge];
            let mut vertex = a;
            let mut other = None;
            if is_decided(edge) {
                undecided[a] -= 1;
                undecided[b] -= 1;
                vertex = if (undecided[b], b) < (undecided[a], a) { b } else { a };
                other = Some(a ^ b ^ vertex);
            }
            neighbours.push(other);
            vertices.push(vertex);
            if graph.is_directed() {
                forward.push(vertex == a);
            }
        }
        let forward = graph.is_directed().then_some(forward);
        Self::new(rule, n, Decisions { vertices, neighbours, forward }, false)
    }

    fn new(rule: PathRule, n: usize, decisions: Decisions, by_vertex: bool) -> Self {
        let schedule = PathSchedule::new(n, &decisions, !rule.cycle);
        Self {
            rule,
            by_vertex,
            is_single_vertex: rule.trivial && n == 1,
            num_vertices: n,
            decisions,
            schedule,
        }
    }

    pub(super) fn num_vars(&self) -> usize {
        self.decisions.vertices.len()
    }

    pub(super) fn num_vertices(&self) -> usize {
        self.num_vertices
    }

    pub(super) fn is_directed(&self) -> bool {
        self.decisions.forward.is_some()
    }

    /// Whether the edge of a variable of a directed graph leads from its vertex to the neighbour.
    pub(super) fn leads_forward(&self, variable: usize) -> bool {
        self.decisions.forward.as_ref().is_none_or(|forward| forward[variable])
    }

    /// The vertex of a variable.
    pub(super) fn vertex(&self, variable: usize) -> usize {
        self.decisions.vertices[variable]
    }

    /// The neighbours whose edges a variable decides.
    pub(super) fn decided(&self, variable: usize) -> &[usize] {
        &self.decisions.neighbours[variable]
    }

    /// The last variable that decides an edge.
    pub(super) fn last_decision(&self) -> Option<usize> {
        (0..self.num_vars()).rfind(|&variable| !self.decided(variable).is_empty())
    }

    /// Whether some vertex without edges must be on the path or cycle.
    pub(super) fn strands_a_vertex(&self) -> bool {
        let PathProblem { rule, schedule, .. } = self;
        (0..self.num_vertices).any(|vertex| {
            schedule.enters[vertex] == NEVER && (rule.hamiltonian || rule.is_fixed_end(vertex))
        })
    }

    /// The edges of each vertex.
    pub(super) fn incidence(&self) -> PathIncidence {
        let edges = (0..self.num_vars()).flat_map(|variable| {
            let vertex = self.vertex(variable);
            self.decided(variable)
                .iter()
                .flat_map(move |&other| [(vertex, (other, variable)), (other, (vertex, variable))])
        });
        PathIncidence(Lists::new(self.num_vertices, edges))
    }
}

/// The edges of each vertex: the other end, and the variable that decides the edge. Ascending by
/// variable.
pub(super) struct PathIncidence(Lists<(usize, usize)>);

impl PathIncidence {
    pub(super) fn edges(&self, vertex: usize) -> &[(usize, usize)] {
        &self.0[vertex]
    }

    /// The other ends of the edges of a vertex that are undecided after a variable.
    pub(super) fn after(&self, vertex: usize, variable: usize) -> impl Iterator<Item = usize> {
        let edges = self.edges(vertex);
        let first = edges.partition_point(|&(_, decided)| decided <= variable);
        edges[first..].iter().map(|&(other, _)| other)
    }
}

impl PathSchedule {
    fn new(n: usize, decisions: &Decisions, with_end: bool) -> Self {
        let Decisions { vertices, neighbours, forward } = decisions;
        let mut enters = vec![NEVER; n];
        let mut leaves = vec![NEVER; n];
        for (var_step, own) in vertices.iter().enumerate() {
            let decided = &neighbours[var_step];
            let own = (!decided.is_empty()).then_some(own);
            for &vertex in own.into_iter().chain(decided) {
                enters[vertex] = enters[vertex].min(var_step);
                leaves[vertex] = var_step;
            }
        }

        let mut slots = vec![None; n];
        let mut free = BinaryHeap::new();
        let mut width = 0;
        for (var_step, &own) in vertices.iter().enumerate() {
            let decided = &neighbours[var_step];
            // The vertex of the step frees its slot first if this is its last step: others enter after
            // its code has been read.
            if leaves[own] == var_step {
                free.extend(slots[own].map(Reverse));
            }
            let stays = enters[own] == var_step && leaves[own] > var_step;
            let fresh = decided.iter().filter(|&&vertex| enters[vertex] == var_step);
            for &vertex in stays.then_some(&own).into_iter().chain(fresh) {
                let slot = free.pop().map_or_else(
                    || {
                        width += 1;
                        width - 1
                    },
                    |Reverse(slot)| slot,
                );
                slots[vertex] = Some(slot);
            }
            let leaving = decided.iter().filter(|&&vertex| leaves[vertex] == var_step);
            free.extend(leaving.filter_map(|&vertex| slots[vertex]).map(Reverse));
        }
        let widths = Widths::new(width, with_end, forward.is_some());
        Self { enters, leaves, slots, widths }
    }
}

/// The error of a state that needs more words than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooWide {
    /// The number of vertices on the frontier.
    pub(crate) slots: usize,
    /// The number of words that a state needs, and how many there are.
    pub(crate) words: usize,
    pub(crate) most: usize,
}

impl PathProblem {
    /// Makes a sweep over the spec with the smallest states. Each width adds a copy of the spec to the
    /// program, and the first two also a copy of the code that expands its states. So large widths are sparse.
    ///
    /// # Errors
    ///
    /// [`TooWide`] if a state needs more than 64 words.
    pub(crate) fn frontier(&self) -> Result<Frontier<'static>, TooWide> {
        let words = self.words();
        Ok(match (self.by_vertex, self.is_directed(), words) {
            (false, false, 0..=1) => Frontier::of(ByEdge::<1>::new(self)?),
            (false, false, 2) => Frontier::of(ByEdge::<2>::new(self)?),
            (false, false, 3..=4) => wide(ByEdge::<4>::new(self)?, words),
            (false, false, 5..=16) => wide(ByEdge::<16>::new(self)?, words),
            (false, false, _) => wide(ByEdge::<64>::new(self)?, words),
            (false, true, 0..=1) => Frontier::of(DirectedByEdge::<1>::new(self)?),
            (false, true, 2) => Frontier::of(DirectedByEdge::<2>::new(self)?),
            (false, true, 3..=8) => wide(DirectedByEdge::<8>::new(self)?, words),
            (false, true, _) => wide(DirectedByEdge::<64>::new(self)?, words),
            (true, _, 0..=1) => Frontier::of(ByVertex::<1>::new(self)?),
            (true, _, 2) => Frontier::of(ByVertex::<2>::new(self)?),
            (true, _, 3..=4) => wide(ByVertex::<4>::new(self)?, words),
            (true, _, 5..=16) => wide(ByVertex::<16>::new(self)?, words),
            (true, _, _) => wide(ByVertex::<64>::new(self)?, words),
        })
    }

    /// The number of 64-bit words that a state needs.
    pub fn words(&self) -> usize {
        self.schedule.widths.words
    }

    /// The spec by edge of an undirected graph, by its type. `None` if `W` words are too few.
    pub fn by_edge_spec<const W: usize>(
        &self,
    ) -> Option<impl DdSpec<State: FromWords> + Send + use<W>> {
        ByEdge::<W>::new(self).ok()
    }

    /// The spec by vertex, by its type. `None` if `W` words are too few.
    pub fn by_vertex_spec<const W: usize>(
        &self,
    ) -> Option<impl DdSpec<State: FromWords> + Send + use<W>> {
        ByVertex::<W>::new(self).ok()
    }
}
