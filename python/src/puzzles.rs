//! Puzzles on boards: queens, other pieces, and knight's tours.

use std::fmt::Display;
use std::str::FromStr;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use topdd_chess::{Board, Piece, Square};
use topdd_problem::{
    PiecesProblem, Placing, Problem, ProblemError, QueensEncoding, QueensProblem, ToursEncoding,
    ToursProblem,
};

use crate::convert::{Size, flag};
use crate::description::Call;
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::graph::Graph;
use crate::universe::{EdgeReading, Universe};

/// The most squares of a board.
const MAX_SQUARES: usize = 1 << 12;

/// A board that is not too large.
pub(crate) fn board(Size(rows): Size, cols: Option<Size>) -> Outcome<Board> {
    let Size(cols) = cols.unwrap_or(Size(rows));
    if rows.checked_mul(cols).is_none_or(|squares| squares > MAX_SQUARES)
        || rows.max(cols) > MAX_SQUARES
    {
        return Err(Failure::Input(format!(
            "a board of {rows} x {cols} has more than {MAX_SQUARES} squares"
        )));
    }
    Ok(Board::new(rows, cols))
}

fn parsed<T: FromStr<Err: Display>>(name: &str) -> Outcome<T> {
    name.parse().map_err(Failure::input)
}

/// Converts the name of a square. Python adds the name of the argument to the message for a wrong type.
fn square(given: &Bound<'_, PyAny>) -> PyResult<Option<Square>> {
    if given.is_none() {
        return Ok(None);
    }
    let refused = || {
        PyTypeError::new_err(format!("give the name of a square, such as \"a1\", not {given:?}"))
    };
    let name = given.cast::<PyString>().map_err(|_| refused())?;
    Ok(Some(parsed(&name.to_string())?))
}

/// Converts the names of squares.
fn squares(given: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Square>>> {
    if given.is_none() {
        return Ok(None);
    }
    let refused =
        || PyTypeError::new_err(format!("give a list of squares, such as [\"a1\"], not {given:?}"));
    if given.is_instance_of::<PyString>() {
        return Err(refused());
    }
    let names = given.try_iter().map_err(|_| refused())?;
    let squares = names.map(|name| square(&name?)?.ok_or_else(refused));
    squares.collect::<PyResult<_>>().map(Some)
}

/// The names of squares, if there are any.
fn names(squares: Option<&Vec<Square>>) -> Option<Vec<String>> {
    squares.map(|squares| squares.iter().map(ToString::to_string).collect())
}

/// An argument that is an object of Python.
fn object<'py, T: IntoPyObjectExt<'py>>(
    py: Python<'py>,
    value: Option<T>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    value.map(|value| value.into_bound_py_any(py)).transpose()
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
    #[pyo3(from_py_with = squares)] given: Option<Vec<Square>>,
    #[pyo3(from_py_with = squares)] forbid: Option<Vec<Square>>,
    #[pyo3(from_py_with = flag)] toroidal: bool,
    #[pyo3(from_py_with = flag)] superqueens: bool,
    py: Python<'_>,
) -> Outcome<Family> {
    let board = board(rows, cols)?;
    let options = [
        ("given", object(py, names(given.as_ref()))?),
        ("forbid", object(py, names(forbid.as_ref()))?),
        ("toroidal", object(py, toroidal.then_some(true))?),
        ("superqueens", object(py, superqueens.then_some(true))?),
    ];
    let on = placing(board, given, forbid, toroidal);
    let (number, encoding) = (Some(board.rows), QueensEncoding::Cell);
    let queens = QueensProblem { on, superqueens, number, encoding };
    let universe = Universe::of_board(py, board, queens.queens().piece())?;
    of_call(py, "queens", None, board, &options, universe, Problem::Queens(queens))
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
    #[pyo3(from_py_with = squares)] given: Option<Vec<Square>>,
    #[pyo3(from_py_with = squares)] forbid: Option<Vec<Square>>,
    #[pyo3(from_py_with = flag)] toroidal: bool,
    py: Python<'_>,
) -> Outcome<Family> {
    let (board, piece) = (board(rows, cols)?, piece_named(piece)?);
    let exactly = exactly.map(|Size(pieces)| pieces);
    let options = [
        ("exactly", object(py, exactly)?),
        ("maximal", object(py, maximal.then_some(true))?),
        ("given", object(py, names(given.as_ref()))?),
        ("forbid", object(py, names(forbid.as_ref()))?),
        ("toroidal", object(py, toroidal.then_some(true))?),
    ];
    let on = Placing { maximal, ..placing(board, given, forbid, toroidal) };
    let pieces = PiecesProblem { piece, on, number: exactly, most: false };
    let (universe, name) = (Universe::of_board(py, board, piece)?, piece_name(piece));
    of_call(py, "pieces", Some(&name), board, &options, universe, Problem::Pieces(pieces))
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
    #[pyo3(from_py_with = square)] start: Option<Square>,
    #[pyo3(from_py_with = square)] end: Option<Square>,
    #[pyo3(from_py_with = squares)] missing: Option<Vec<Square>>,
    piece: &str,
    py: Python<'_>,
) -> Outcome<Family> {
    let board = board(rows, cols)?;
    if closed && (start.is_some() || end.is_some()) {
        return Err(Failure::input(
            "a closed tour has no ends; give closed=False for tours with a start or an end",
        ));
    }
    let options = [
        ("closed", object(py, (!closed).then_some(false))?),
        ("start", object(py, start.map(|square| square.to_string()))?),
        ("end", object(py, end.map(|square| square.to_string()))?),
        ("missing", object(py, names(missing.as_ref()))?),
        ("piece", object(py, (piece != "knight").then_some(piece))?),
    ];
    let tours = ToursProblem {
        rows: board.rows,
        cols: board.cols,
        piece: parsed(piece)?,
        missing: missing.unwrap_or_default(),
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
    let squares = PyTuple::new(py, squares)?;
    let graph = Graph::of_core(py, moves.graph(), Some(squares), |normal| {
        normal.set_item("board", (board.rows, board.cols))
    })?;
    let universe = Universe::Edges(graph.0, ends);
    of_call(py, "knights", None, board, &options, universe, Problem::Tours(tours, moves))
}

/// A board with given and forbidden squares.
fn placing(
    board: Board,
    given: Option<Vec<Square>>,
    forbid: Option<Vec<Square>>,
    toroidal: bool,
) -> Placing {
    Placing {
        rows: board.rows,
        cols: board.cols,
        given: given.unwrap_or_default(),
        forbidden: forbid.unwrap_or_default(),
        toroidal,
        maximal: false,
        symmetric: None,
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

/// The family of the call of a function on a board, with the options that are given.
fn of_call<'py>(
    py: Python<'py>,
    function: &str,
    piece: Option<&str>,
    board: Board,
    options: &[(&str, Option<Bound<'py, PyAny>>)],
    universe: Universe,
    problem: Problem,
) -> Outcome<Family> {
    let cols = (board.cols != board.rows).then_some(board.cols);
    let first = [object(py, piece)?, object(py, Some(board.rows))?, object(py, cols)?];
    let first = first.iter().map(|value| ("", value.as_ref()));
    let options = options.iter().map(|(name, value)| (*name, value.as_ref()));
    let call = Call::new(py, function, &first.chain(options).collect::<Vec<_>>())?;
    Family::new(universe, problem, &py.None().into_bound(py), &call)
}
