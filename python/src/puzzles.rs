//! Puzzles: queens, other pieces, and knight's tours on boards, and exact covers.

use std::fmt::Display;
use std::str::FromStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use topdd_chess::{Board, Piece, Square};
use topdd_problem::{
    Cover, PiecesProblem, Placing, Problem, ProblemError, QueensEncoding, QueensProblem,
    ToursEncoding, ToursProblem,
};

use crate::convert::{COVERS, Size, call, flag};
use crate::errors::{Failure, Outcome};
use crate::family::{Family, recipe};
use crate::graph::Graph;
use crate::universe::{Domain, EdgeReading, Universe};

/// The most squares of a board.
const MAX_SQUARES: usize = 1 << 12;

/// A board that is not too large.
pub(crate) fn board(Size(rows): Size, cols: Option<Size>) -> Outcome<Board> {
    let Size(cols) = cols.unwrap_or(Size(rows));
    if rows.max(1).saturating_mul(cols.max(1)) > MAX_SQUARES {
        return Err(Failure::Input(format!(
            "a board of {rows} x {cols} has more than {MAX_SQUARES} squares"
        )));
    }
    Ok(Board::new(rows, cols))
}

fn parsed<T: FromStr<Err: Display>>(name: &str) -> Outcome<T> {
    name.parse().map_err(Failure::input)
}

/// The name of a square, as an argument.
#[derive(Clone, Copy)]
pub(crate) struct SquareName(Square);

/// Python adds the name of the argument to the message for a wrong type.
impl<'py> FromPyObject<'_, 'py> for SquareName {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let advice = "give the name of a square, such as \"a1\"";
        let name = given.cast::<PyString>();
        let name = name.map_err(|_| PyTypeError::new_err(format!("{advice}, not {given:?}")))?;
        Ok(Self(parsed(&name.to_string())?))
    }
}

/// The names of squares, as an argument.
#[derive(Default)]
pub(crate) struct SquareNames(Vec<Square>);

impl<'py> FromPyObject<'_, 'py> for SquareNames {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let names = given.try_iter().ok().filter(|_| !given.is_instance_of::<PyString>());
        let names = names.ok_or_else(|| {
            let advice = "give a list of squares, such as [\"a1\"]";
            PyTypeError::new_err(format!("{advice}, not {given:?}"))
        })?;
        let squares = names.map(|name| name?.extract().map(|SquareName(square)| square));
        Ok(Self(squares.collect::<PyResult<_>>()?))
    }
}

/// The names of squares, if there are any.
fn names(squares: Option<&SquareNames>) -> Option<Vec<String>> {
    squares.map(|SquareNames(squares)| squares.iter().map(ToString::to_string).collect())
}

/// The placements of queens, one in each row, none of which attacks another.
///
/// ``given`` and ``forbid`` are lists of squares such as ``["a1", "c4"]``. On a ``toroidal`` board, lines go on at the
/// opposite edge. ``superqueens`` move like knights, too.
///
/// >>> import topdd as td
/// >>> td.queens(8).count()
/// 92
/// >>> td.queens(4).build()[0]
/// Solution(['c1', 'a2', 'd3', 'b4'])
#[pyfunction]
#[pyo3(signature = (rows, cols=None, *, given=None, forbid=None, toroidal=false, superqueens=false))]
pub(crate) fn queens(
    rows: Size,
    cols: Option<Size>,
    given: Option<SquareNames>,
    forbid: Option<SquareNames>,
    #[pyo3(from_py_with = flag)] toroidal: bool,
    #[pyo3(from_py_with = flag)] superqueens: bool,
    py: Python<'_>,
) -> Outcome<Family> {
    let board = board(rows, cols)?;
    let options = (
        ("given", names(given.as_ref())),
        ("forbid", names(forbid.as_ref())),
        ("toroidal", toroidal.then_some(true)),
        ("superqueens", superqueens.then_some(true)),
    );
    let recipe = recipe(py, None::<()>, "queens", sides(board), options)?;
    let on = placing(board, given, forbid, toroidal);
    let (number, encoding) = (Some(board.rows), QueensEncoding::Cell);
    let queens = QueensProblem { on, superqueens, number, encoding };
    let universe = Universe::of_board(py, board, queens.queens().piece())?;
    Family::new(universe, Problem::Queens(queens), recipe)
}

/// The placements of pieces of one kind, none of which attacks another.
///
/// ``piece`` is a name such as ``"rook"`` or ``"king"``. There are ``exactly`` so many, or any number. ``maximal=True`` asks
/// for placements to which no piece can be added.
///
/// >>> import topdd as td
/// >>> td.pieces("king", 4, exactly=4).count()
/// 79
#[pyfunction]
#[pyo3(signature = (piece, rows, cols=None, *, exactly=None, maximal=false, given=None, forbid=None, toroidal=false))]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of Python")]
pub(crate) fn pieces(
    piece: &str,
    rows: Size,
    cols: Option<Size>,
    exactly: Option<Size>,
    #[pyo3(from_py_with = flag)] maximal: bool,
    given: Option<SquareNames>,
    forbid: Option<SquareNames>,
    #[pyo3(from_py_with = flag)] toroidal: bool,
    py: Python<'_>,
) -> Outcome<Family> {
    let (board, piece) = (board(rows, cols)?, piece_named(piece)?);
    let exactly = exactly.map(|Size(pieces)| pieces);
    let options = (
        ("exactly", exactly),
        ("maximal", maximal.then_some(true)),
        ("given", names(given.as_ref())),
        ("forbid", names(forbid.as_ref())),
        ("toroidal", toroidal.then_some(true)),
    );
    let (rows, cols) = sides(board);
    let recipe = recipe(py, None::<()>, "pieces", (piece_name(piece), rows, cols), options)?;
    let on = Placing { maximal, ..placing(board, given, forbid, toroidal) };
    let pieces = PiecesProblem { piece, on, number: exactly, most: false };
    Family::new(Universe::of_board(py, board, piece)?, Problem::Pieces(pieces), recipe)
}

/// The tours of a knight over all squares, as sets of moves: closed ones, or open ones with ``closed=False``.
///
/// ``start`` and ``end`` are squares of open tours. ``missing`` squares are left out. ``piece`` is a leaper such as
/// ``"camel"``. The graph of the family has the moves as edges.
///
/// >>> import topdd as td
/// >>> td.knights(5, 6).count()
/// 8
/// >>> td.knights(3, 4, closed=False, start="a1").build()[0].vertices[:3]
/// ['a1', 'c2', 'a3']
#[pyfunction]
#[pyo3(signature = (rows, cols=None, *, closed=true, start=None, end=None, missing=None, piece="knight"))]
#[expect(clippy::too_many_arguments, reason = "the keyword arguments of Python")]
pub(crate) fn knights(
    rows: Size,
    cols: Option<Size>,
    #[pyo3(from_py_with = flag)] closed: bool,
    start: Option<SquareName>,
    end: Option<SquareName>,
    missing: Option<SquareNames>,
    piece: &str,
    py: Python<'_>,
) -> Outcome<Family> {
    let board = board(rows, cols)?;
    if closed && (start.is_some() || end.is_some()) {
        return Err(Failure::input(
            "a closed tour has no ends; give closed=False for tours with a start or an end",
        ));
    }
    let [start, end] = [start, end].map(|end| end.map(|SquareName(square)| square));
    let options = (
        ("closed", (!closed).then_some(false)),
        ("start", start.map(|square| square.to_string())),
        ("end", end.map(|square| square.to_string())),
        ("missing", names(missing.as_ref())),
        ("piece", Some(piece).filter(|piece| *piece != "knight")),
    );
    let recipe = recipe(py, None::<()>, "knights", sides(board), options)?;
    let tours = ToursProblem {
        rows: board.rows,
        cols: board.cols,
        piece: parsed(piece)?,
        missing: missing.unwrap_or_default().0,
        open: !closed,
        from: start,
        to: end,
        directed: false,
        symmetric: None,
        encoding: ToursEncoding::Edge,
    };
    let known = tours.tours();
    let moves = known.paths().map_err(ProblemError::from)?.into_any();
    let vertex = |square: Option<Square>| -> Outcome<Option<usize>> {
        square
            .map(|square| Ok(known.to_vertices(&[square]).map_err(Failure::input)?[0]))
            .transpose()
    };
    let ends = EdgeReading { from: vertex(start)?, to: vertex(end)?, blocks: false };
    let all: Vec<usize> = (0..moves.graph().num_vertices()).collect();
    let squares: Vec<String> = known.to_squares(&all).iter().map(ToString::to_string).collect();
    let fields = PyDict::new(py);
    fields.set_item("vertices", PyTuple::new(py, squares)?)?;
    fields.set_item("board", (board.rows, board.cols))?;
    let Graph(graph) = Graph::of_core(moves.graph(), &fields)?;
    let universe = Universe::Graph(graph, Domain::Edges(ends));
    Family::new(universe, Problem::Tours(tours, moves), recipe)
}

/// The exact covers of items by options: choices of options that have each item exactly once.
///
/// ``options`` is a dictionary from names to collections of items, or a list of collections, whose options are numbered
/// from 0. Solutions are sets of options. ``items`` is a list of all items that must be covered, each of which an option
/// has; without it, they are all that occur. As a dictionary, it says how often: a number, or a pair ``(low, high)`` in which ``None`` is no bound.
/// ``secondary`` items are covered at most once.
///
/// >>> import topdd as td
/// >>> cover = td.exact_cover({"r1": {1, 4}, "r2": {2}, "r3": {1}, "r4": {2, 4}})
/// >>> cover
/// <topdd.Family: exact_cover({'r1': {1, 4}, 'r2': {2}, 'r3': {1}, 'r4': {2, 4}})>
/// >>> sorted(map(sorted, cover.build()))
/// [['r1', 'r2'], ['r3', 'r4']]
/// >>> cover.including("r1").count()
/// 1
/// >>> td.exact_cover([[1], [1, 2], [2], [1]], items={1: 2, 2: (0, 1)}).count()
/// 4
#[pyfunction]
#[pyo3(signature = (options, items=None, *, secondary=None))]
pub(crate) fn exact_cover(
    options: &Bound<'_, PyAny>,
    items: Option<&Bound<'_, PyAny>>,
    secondary: Option<&Bound<'_, PyAny>>,
) -> Outcome<Family> {
    let py = options.py();
    let (names, found, times, (options, items, secondary)): NumberedCover<'_> =
        call(py, COVERS, "cover", (options, items, secondary))?.extract()?;
    let times = times.into_iter().map(|(low, high)| low..=high).collect();
    let keywords = (("items", items), ("secondary", secondary));
    let recipe = recipe(py, None::<()>, "exact_cover", (options,), keywords)?;
    Family::new(Universe::of_objects(names)?, Problem::Cover(Cover::new(times, found)), recipe)
}

/// An exact cover as `_covers.cover` returns it: the names of options, their items, how often items are covered, and the
/// arguments.
type NumberedCover<'py> = (
    Bound<'py, PyTuple>,
    Vec<Vec<usize>>,
    Vec<(usize, usize)>,
    (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>),
);

/// A board with given and forbidden squares.
fn placing(
    board: Board,
    given: Option<SquareNames>,
    forbid: Option<SquareNames>,
    toroidal: bool,
) -> Placing {
    Placing {
        rows: board.rows,
        cols: board.cols,
        given: given.unwrap_or_default().0,
        forbidden: forbid.unwrap_or_default().0,
        toroidal,
        ..Placing::default()
    }
}

fn piece_name(piece: Piece) -> String {
    piece.to_string().trim_end_matches('s').to_owned()
}

/// The piece of a name.
pub(crate) fn piece_named(name: &str) -> Outcome<Piece> {
    use Piece::{Bishop, King, Knight, Queen, Rook, Superqueen};
    let all = [King, Queen, Rook, Bishop, Knight, Superqueen];
    all.into_iter().find(|&piece| piece_name(piece) == name.trim_end_matches('s')).ok_or_else(
        || {
            let names = all.map(piece_name).join(", ");
            Failure::Input(format!("there is no piece {name:?}; the pieces are {names}"))
        },
    )
}

/// The numbers of rows and of columns, as arguments: the second only if it is another one.
fn sides(board: Board) -> (usize, Option<usize>) {
    (board.rows, Some(board.cols).filter(|cols| *cols != board.rows))
}
