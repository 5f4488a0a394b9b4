//! Tours as Hamiltonian cycles or paths of a graph, by edge or by vertex, and the numbering of squares as its vertices.

use super::{KnightsTours, MAX_SQUARES};
use crate::board::{Board, Square};
use std::sync::{Arc, OnceLock};
use topdd::Frontier;
use topdd_graph::families::{
    EdgeSets, FamilyError, Order, PathsByVertex, SequenceError, grid_hamiltonian_paths,
    hamiltonian_cycles, hamiltonian_paths, hamiltonian_paths_between, hamiltonian_paths_from,
    hamiltonian_paths_to,
};
use topdd_graph::order::narrow_order;
use topdd_graph::{Graph, PathProblem};

/// The choice of variables of a spec for [`KnightsTours`](super::KnightsTours). The edges of the graph are
/// pairs of opposite moves, and its vertices are the squares.
///
/// Neither spec skips a variable, so the solutions are the same under both rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathEncoding {
    /// One variable of two values for each edge: its value is 1 if the edge is taken.
    ByEdge,
    /// One variable for each vertex, with the values of [`PathsByVertex`]. There are fewer levels and
    /// states than by edge.
    ByVertex,
}

/// The Hamiltonian cycles or paths of a graph, with variables for its edges or its vertices. The edges of
/// the graph ascend, each as (smaller, larger).
#[derive(Clone, Debug)]
pub(super) struct HamiltonianPaths {
    pub(super) family: EdgeSets,
    /// The paths with variables for vertices; `None` by edge.
    by_vertex: Option<PathsByVertex>,
    pub(super) closed: bool,
    pub(super) from: Option<usize>,
    pub(super) to: Option<usize>,
}

impl HamiltonianPaths {
    /// The cycles, by edge.
    pub(super) fn closed(graph: &Graph) -> Self {
        let family = hamiltonian_cycles(graph).order(Order::Given);
        Self { family, by_vertex: None, closed: true, from: None, to: None }
    }

    /// The paths between these ends, by edge. The vertex of a graph with a single one is a path.
    pub(super) fn open(graph: &Graph, from: Option<usize>, to: Option<usize>) -> Self {
        let family = match (from, to) {
            _ if graph.num_vertices() == 1 => grid_hamiltonian_paths(1, 1),
            (None, None) => hamiltonian_paths(graph),
            (Some(from), None) => hamiltonian_paths_from(graph, from),
            (None, Some(to)) => hamiltonian_paths_to(graph, to),
            (Some(from), Some(to)) => hamiltonian_paths_between(graph, from, to),
        };
        Self { family: family.order(Order::Given), by_vertex: None, closed: false, from, to }
    }

    /// The same paths in an encoding.
    pub(super) fn encoded(self, encoding: PathEncoding) -> Self {
        let by_vertex =
            || self.family.by_vertex().expect("the graph is simple, and ends are vertices");
        let by_vertex = (encoding == PathEncoding::ByVertex).then(by_vertex);
        Self { by_vertex, ..self }
    }

    pub(super) fn graph(&self) -> &Graph {
        self.family.graph()
    }

    pub(super) fn num_vars(&self) -> usize {
        self.by_vertex.as_ref().map_or(self.graph().num_edges(), PathsByVertex::num_vars)
    }

    pub(super) fn arity(&self, variable: usize) -> usize {
        match &self.by_vertex {
            None => 2,
            Some(paths) => paths.get_arity(variable).expect("each variable is a vertex"),
        }
    }

    /// The edges that a value of a variable takes; `None` for a value that the variable does not have.
    pub(super) fn value_edges(&self, variable: usize, value: usize) -> Option<Vec<usize>> {
        match &self.by_vertex {
            None => match value {
                0 => Some(Vec::new()),
                1 => Some(vec![variable]),
                _ => None,
            },
            Some(paths) => paths.get_edges(variable, value),
        }
    }

    /// The vertices of a solution in the order of the path.
    pub(super) fn to_sequence(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let (given, variables) = (values.len(), self.num_vars());
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        let mut edges = Vec::new();
        for (variable, &value) in values.iter().enumerate() {
            let taken = self.value_edges(variable, value);
            edges.extend(taken.ok_or(SequenceError::ValueOutOfRange { variable, value })?);
        }
        self.family.to_sequence(&edges)
    }

    pub(super) fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        match &self.by_vertex {
            None => self.family.frontier(),
            Some(paths) => paths.frontier(),
        }
    }

    pub(super) fn is_by_vertex(&self) -> bool {
        self.by_vertex.is_some()
    }

    pub(super) fn problem(&self) -> PathProblem {
        match &self.by_vertex {
            None => self.family.by_edge().expect("ends are vertices"),
            Some(paths) => paths.problem().clone(),
        }
    }

    /// Whether a simple necessary condition for a path is violated:
    ///
    /// - the graph is connected;
    /// - at most two vertices of a path, and none of a cycle, have fewer than two edges;
    /// - if the graph is bipartite, the sizes of its sides differ by at most one for a path and
    ///   are equal for a cycle, and the fixed ends are on the right sides.
    ///
    /// `true` proves that there is no path. Takes time and memory linear in the size of the graph.
    pub(super) fn none_is_possible(&self) -> bool {
        let graph = self.graph();
        let vertices = graph.num_vertices();
        if vertices < if self.closed { 3 } else { 1 } {
            return true;
        }
        if vertices == 1 {
            return false;
        }
        // An end has one edge, every other vertex two.
        let single = (0..vertices).filter(|&vertex| graph.degree(vertex) < 2);
        let ends = if self.closed { 0 } else { 2 };
        if single.take(ends + 1).count() > ends {
            return true;
        }
        let Some(sides) = self.sides() else { return true };
        let BipartiteSides { of, bipartite: true } = sides else { return false };
        // Vertex 0 is on side 0.
        let other = of.iter().filter(|&&side| side == Some(true)).count();
        let one = vertices - other;
        let end_sides: Vec<bool> =
            [self.from, self.to].into_iter().flatten().filter_map(|end| *of.get(end)?).collect();
        if self.closed {
            return one != other;
        }
        // One end is on each side, or both are on the larger one.
        if one == other {
            return end_sides.len() == 2 && end_sides[0] == end_sides[1];
        }
        one.abs_diff(other) > 1 || end_sides.iter().any(|&side| side != (other > one))
    }

    /// The sides of the vertices; `None` if the graph is not connected.
    fn sides(&self) -> Option<BipartiteSides> {
        let graph = self.graph();
        let mut of = vec![None; graph.num_vertices()];
        of[0] = Some(false);
        let (mut todo, mut seen, mut bipartite) = (vec![0], 1, true);
        while let Some(vertex) = todo.pop() {
            let across = of[vertex].map(|side: bool| !side);
            for other in graph.neighbours(vertex) {
                if of[other].is_none() {
                    of[other] = across;
                    seen += 1;
                    todo.push(other);
                } else if of[other] != across {
                    bipartite = false;
                }
            }
        }
        (seen == of.len()).then_some(BipartiteSides { of, bipartite })
    }
}

/// The sides of the vertices of a connected graph.
struct BipartiteSides {
    /// The side of each vertex; valid if `bipartite`.
    of: Vec<Option<bool>>,
    bipartite: bool,
}

/// The squares line by line: their *places*. Lines go along the shorter side, so that the
/// frontier is narrow: it takes as many lines as a move reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardLines {
    pub(super) long: usize,
    pub(super) wide: usize,
    /// Whether lines are columns.
    by_column: bool,
}

impl BoardLines {
    pub(super) fn new(board: Board) -> Self {
        let Board { rows, cols } = board;
        Self { long: rows.max(cols), wide: rows.min(cols), by_column: rows < cols }
    }

    /// The lines of a part of a board: `long` lines of `wide` squares.
    pub(super) fn part(long: usize, wide: usize) -> Self {
        Self { long, wide, by_column: false }
    }

    pub(super) fn place(&self, square: Square) -> usize {
        let Square { row, col } = square;
        if self.by_column { col * self.wide + row } else { row * self.wide + col }
    }

    pub(super) fn square(&self, place: usize) -> Square {
        let (line, along) = (place / self.wide, place % self.wide);
        if self.by_column { Square::new(along, line) } else { Square::new(line, along) }
    }

    /// The target place of a move; `None` if it is not on the board.
    pub(super) fn after(&self, place: usize, down: isize, across: isize) -> Option<usize> {
        let line = (place / self.wide).checked_add_signed(down)?;
        let along = (place % self.wide).checked_add_signed(across)?;
        (line < self.long && along < self.wide).then(|| line * self.wide + along)
    }
}

/// An order of the squares, of those that are not missing.
#[derive(Debug)]
pub(super) struct SquareOrder {
    /// The place of each vertex.
    pub(super) places: Vec<usize>,
    /// The vertex of each place; `None` if the square is missing.
    pub(super) vertices: Vec<Option<usize>>,
}

impl SquareOrder {
    fn new(squares: usize, places: Vec<usize>) -> Self {
        let mut vertices = vec![None; squares];
        for (vertex, &place) in places.iter().enumerate() {
            vertices[place] = Some(vertex);
        }
        Self { places, vertices }
    }
}

/// The order of the squares, computed at its first use. It is a function of the board, so that it
/// does not take part in comparisons.
#[derive(Clone, Debug, Default)]
pub(super) struct SquareNumbering(OnceLock<Option<Arc<SquareOrder>>>);

impl PartialEq for SquareNumbering {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SquareNumbering {}

impl KnightsTours {
    /// The order of the squares, if it is not line by line without gaps.
    pub(super) fn order(&self) -> Option<&SquareOrder> {
        self.shared_order().map(Arc::as_ref)
    }

    /// The same order, as a shared pointer.
    pub(super) fn shared_order(&self) -> Option<&Arc<SquareOrder>> {
        let find = || {
            self.check_squares(MAX_SQUARES).ok()?;
            let lines = BoardLines::new(self.board);
            let squares = lines.long * lines.wide;
            let is_there = |&place: &usize| !self.missing.contains(&lines.square(place));
            let natural = (!self.missing.is_empty())
                .then(|| SquareOrder::new(squares, (0..squares).filter(is_there).collect()));
            if self.symmetry.is_some() {
                // The search is for the graph as a whole, not for the halves.
                return natural;
            }
            match narrow_order(&self.graph(lines, natural.as_ref())) {
                None => natural,
                Some(order) => {
                    let place = |vertex| natural.as_ref().map_or(vertex, |o| o.places[vertex]);
                    Some(SquareOrder::new(squares, order.into_iter().map(place).collect()))
                }
            }
        };
        self.numbering.0.get_or_init(|| find().map(Arc::new)).as_ref()
    }

    /// The moves between the squares in an order, or line by line: edges that ascend, each as (smaller,
    /// larger).
    pub(super) fn graph(&self, lines: BoardLines, order: Option<&SquareOrder>) -> Graph {
        let vertices = order.map_or(lines.long * lines.wide, |order| order.places.len());
        let moves = self.moves_on(lines);
        let edges = (0..vertices).flat_map(|vertex| {
            let place = order.map_or(vertex, |order| order.places[vertex]);
            let targets = moves.iter().filter_map(move |&step| {
                let to = lines.after(place, step.0, step.1)?;
                order.map_or(Some(to), |order| order.vertices[to])
            });
            targets.map(move |other| (vertex.min(other), vertex.max(other)))
        });
        // Each move is made once, from the first of its squares.
        let mut edges: Vec<_> = edges.collect();
        edges.sort_unstable();
        Graph::new(vertices, edges).expect("moves lead to squares")
    }

    /// The moves that fit on a board, one of each two opposite ones: how many lines down, and
    /// how many places across.
    pub(super) fn moves_on(&self, lines: BoardLines) -> Vec<(isize, isize)> {
        let fits = |&(down, across): &(usize, isize)| {
            down < lines.long && across.unsigned_abs() < lines.wide
        };
        let moves = self.piece.moves().into_iter().filter(fits);
        // Shorter than a side of the board, which may be any number.
        moves.filter_map(|(down, across)| Some((isize::try_from(down).ok()?, across))).collect()
    }

    /// The number of a square as a vertex, if it is not missing. It must be on the board.
    pub(super) fn vertex_of(&self, square: Square) -> Option<usize> {
        let place = BoardLines::new(self.board).place(square);
        self.order().map_or(Some(place), |order| order.vertices[place])
    }

    /// The number of squares that are not missing.
    pub(super) fn num_vertices(&self) -> usize {
        let Board { rows, cols } = self.board;
        self.order().map_or(rows.saturating_mul(cols), |order| order.places.len())
    }

    /// The square of a vertex.
    pub(super) fn square_of(&self, vertex: usize) -> Square {
        assert!(vertex < self.num_vertices(), "{vertex} is no square of {}", self.board);
        let place = self.order().map_or(vertex, |order| order.places[vertex]);
        BoardLines::new(self.board).square(place)
    }
}
