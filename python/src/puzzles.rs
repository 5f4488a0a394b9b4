//! Puzzles on boards: queens, other pieces, and knight's tours.

use std::fmt::Debug;
use std::str::FromStr;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd_chess::{Board, KnightsTours, Leaper, Piece, Pieces, Queens, Square};

use crate::convert::Size;
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::graph::Graph;
use crate::source::Source;
use crate::universe::{Reading, Universe};

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

fn parsed<T: FromStr<Err: std::fmt::Display>>(names: Option<Vec<String>>) -> Outcome<Vec<T>> {
    names.unwrap_or_default().iter().map(|name| name.parse().map_err(Failure::input)).collect()
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
    given: Option<Vec<String>>,
    forbid: Option<Vec<String>>,
    toroidal: bool,
    superqueens: bool,
    py: Python<'_>,
) -> Outcome<Family> {
    let board = board(rows, cols)?;
    let description = described(
        "queens(",
        board,
        &[
            ("given", given.as_ref().map(shown)),
            ("forbid", forbid.as_ref().map(shown)),
            ("toroidal", toroidal.then(yes)),
            ("superqueens", superqueens.then(yes)),
        ],
    );
    let mut queens = Queens::on(board.rows, board.cols).toroidal(toroidal);
    if superqueens {
        queens = queens.superqueens();
    }
    queens = queens.given(parsed::<Square>(given)?).forbid(parsed::<Square>(forbid)?);
    let universe = Universe::of_board(py, board, queens.piece())?;
    Ok(Family::new(universe, Source::Queens(queens), description))
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
    maximal: bool,
    given: Option<Vec<String>>,
    forbid: Option<Vec<String>>,
    toroidal: bool,
    py: Python<'_>,
) -> Outcome<Family> {
    let (board, piece) = (board(rows, cols)?, piece_named(piece)?);
    let exactly = exactly.map(|Size(pieces)| pieces);
    let description = described(
        &format!("pieces({:?}, ", piece_name(piece)),
        board,
        &[
            ("exactly", exactly.as_ref().map(shown)),
            ("maximal", maximal.then(yes)),
            ("given", given.as_ref().map(shown)),
            ("forbid", forbid.as_ref().map(shown)),
            ("toroidal", toroidal.then(yes)),
        ],
    );
    let mut pieces = Pieces::new(piece, board).maximal(maximal).toroidal(toroidal);
    if let Some(exactly) = exactly {
        pieces = pieces.exactly(exactly);
    }
    pieces = pieces.given(parsed::<Square>(given)?).forbid(parsed::<Square>(forbid)?);
    let universe = Universe::of_board(py, board, piece)?;
    Ok(Family::new(universe, Source::Pieces(pieces), description))
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
    closed: bool,
    start: Option<String>,
    end: Option<String>,
    missing: Option<Vec<String>>,
    piece: &str,
    py: Python<'_>,
) -> Outcome<Family> {
    let board = board(rows, cols)?;
    let description = described(
        "knights(",
        board,
        &[
            ("closed", (!closed).then(|| "False".to_owned())),
            ("start", start.as_ref().map(shown)),
            ("end", end.as_ref().map(shown)),
            ("missing", missing.as_ref().map(shown)),
            ("piece", (piece != "knight").then(|| shown(&piece))),
        ],
    );
    let tours = if closed { KnightsTours::closed } else { KnightsTours::open };
    let leaper: Leaper = piece.parse().map_err(Failure::input)?;
    let mut tours = tours(board.rows, board.cols).piece(leaper).missing(parsed::<Square>(missing)?);
    let [from, to] = [start, end].map(|end| end.map(|name| name.parse::<Square>()));
    let (from, to) =
        (from.transpose().map_err(Failure::input)?, to.transpose().map_err(Failure::input)?);
    if let Some(from) = from {
        tours = tours.from(from);
    }
    if let Some(to) = to {
        tours = tours.to(to);
    }
    let sets = tours.paths()?;
    let vertex = |square: Option<Square>| -> Outcome<Option<usize>> {
        square
            .map(|square| Ok(tours.to_vertices(&[square]).map_err(Failure::input)?[0]))
            .transpose()
    };
    let ends = Reading { from: vertex(from)?, to: vertex(to)?, blocks: false };
    let all: Vec<usize> = (0..sets.graph().num_vertices()).collect();
    let names: Vec<String> = tours.to_squares(&all).iter().map(ToString::to_string).collect();
    let names = PyTuple::new(py, names)?;
    let graph = Graph::of_core(py, sets.graph(), Some(names), |normal| {
        normal.set_item("board", (board.rows, board.cols))
    })?;
    let universe = Universe::Edges(graph.0, ends);
    Ok(Family::new(universe, Source::Tours(sets, tours), description))
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

/// The call of a function on a board, with the options that are given.
fn described(start: &str, board: Board, options: &[(&str, Option<String>)]) -> String {
    let given =
        options.iter().filter_map(|(name, value)| Some(format!(", {name}={}", value.as_ref()?)));
    let cols = if board.cols == board.rows { String::new() } else { format!(", {}", board.cols) };
    format!("{start}{}{cols}{})", board.rows, given.collect::<String>())
}

/// A value as an argument.
fn shown(value: &impl Debug) -> String {
    format!("{value:?}")
}

fn yes() -> String {
    "True".to_owned()
}
