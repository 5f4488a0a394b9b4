//! `topdd knights`.

use topdd_chess::{Board, Leaper, Square};
use topdd_problem::{TourSymmetry, ToursEncoding, ToursProblem};

use super::board::BoardSize;
use super::common::{Common, EngineOption, Word, one_of};

/// Knight's tours: every square once, by the moves of a knight or of another piece.
///
/// A closed tour, the default, returns to its first square; an open one need not. A tour and its
/// reverse count as one, unless --directed is given. A closed tour counts once, not once for each
/// starting square. Boards show the squares numbered in the order of the tour.
///
/// Squares are named as in chess: columns a to z, then aa, ab and so on; rows from 1,
/// counted from the bottom.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd knights 6x6                         9862 closed tours, and the first of them
  topdd knights 5x5 --open                  864 open tours
  topdd knights 5x5 --open --from a1        those with an end in the corner
  topdd knights 5x5 --open --from a1 --to e5
  topdd knights 5x5 --open --directed       1728, each tour in both directions
  topdd knights 3x3 --missing b2            around a board with a hole
  topdd knights 6x6 --symmetric             78 that a half turn maps to themselves
  topdd knights 8x8 --piece wazir           by a rook that moves one square
  topdd knights 4x4 --piece king
  topdd knights 6x6 --piece 2,3 --open      any leaper: zebra, camel, giraffe, ...
  topdd knights 6x7 --count-only            no diagram: less memory
  topdd knights 3x10 --list                 every tour, as a board
  topdd knights 6x6 --nth 5000              the tour of rank 5000
  topdd knights 5x6 --sample 3 --json       three tours at random, for a script
  topdd knights 6x6 --nth 5000 --png tour.png
  topdd knights 6x6 --heat --svg moves.svg  how often each move is made
  topdd knights 5x6 --encoding edge --dot knights.dot

'topdd help advanced' has options that are seldom needed, such as --engine.")]
pub(crate) struct Knights {
    #[command(flatten)]
    pub(crate) board: BoardSize,

    /// The piece: knight, king, wazir, ferz, camel, zebra, giraffe, antelope and others,
    /// or how far it leaps, such as 2,3
    ///
    /// 2,3 is the piece that leaps 2 squares along one side of the board and 3 along the other, in
    /// any direction. Other names are dabbaba 0,2, alfil 2,2, threeleaper 0,3,
    /// tripper 3,3, stag 2,4, fiveleaper 0,5+3,4 and gnu 1,2+1,3. The wazir, 0,1, is a rook
    /// that moves one square; its tours are the Hamiltonian cycles and paths of a grid.
    #[arg(long, value_name = "PIECE", visible_alias = "leaper", default_value = "knight")]
    pub(crate) piece: Leaper,

    /// Squares to remove from the board, such as a1,c3
    #[arg(long, value_name = "SQUARES", value_delimiter = ',', visible_alias = "holes")]
    pub(crate) missing: Vec<Square>,

    /// Count open tours, which need not return to their first square
    #[arg(long)]
    pub(crate) open: bool,

    /// The square where an open tour starts, such as a1
    #[arg(long, value_name = "SQUARE", requires = "open")]
    pub(crate) from: Option<Square>,

    /// The square where an open tour ends, such as e5
    #[arg(long, value_name = "SQUARE", requires = "open")]
    pub(crate) to: Option<Square>,

    /// Count a tour and its reverse as two
    ///
    /// A closed tour still does not count once for each starting square. With --from or --to, tours
    /// have a direction already.
    #[arg(long)]
    pub(crate) directed: bool,

    /// Only tours that a symmetry of the board maps to themselves; by default, the half turn
    #[arg(long, value_name = "SYMMETRY", value_parser = one_of(SYMMETRIES))]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "half-turn")]
    pub(crate) symmetric: Option<TourSymmetry>,

    /// The meaning of a variable of the diagram
    #[arg(long, value_parser = one_of(ENCODINGS), default_value = "square")]
    pub(crate) encoding: ToursEncoding,

    #[command(flatten)]
    pub(crate) engine: EngineOption,

    #[command(flatten)]
    pub(crate) common: Common,
}

const ENCODINGS: &[Word<ToursEncoding>] = &[
    ("edge", "A move between two squares: in the tour or not", ToursEncoding::Edge),
    ("square", "A square: the moves that join it to later squares", ToursEncoding::Square),
    (
        "time",
        "A time and a square: the piece is there or not; many more states",
        ToursEncoding::Time,
    ),
];

const SYMMETRIES: &[Word<TourSymmetry>] = &[
    ("half-turn", "By 180 degrees", TourSymmetry::HalfTurn),
    ("180", "", TourSymmetry::HalfTurn),
    ("left-right", "Left becomes right", TourSymmetry::LeftRight),
    ("top-bottom", "Top becomes bottom", TourSymmetry::TopBottom),
    ("diagonal", "Rows become columns, a1 stays; square boards only", TourSymmetry::Diagonal),
    (
        "antidiagonal",
        "Rows become columns the other way; square boards only",
        TourSymmetry::Antidiagonal,
    ),
];

impl Knights {
    /// The tours as data. The apply engine has only the encoding by time.
    pub(crate) fn problem(&self) -> ToursProblem {
        let Board { rows, cols } = self.board.0;
        ToursProblem {
            rows,
            cols,
            piece: self.piece.clone(),
            missing: self.missing.clone(),
            open: self.open,
            from: self.from,
            to: self.to,
            directed: self.directed,
            symmetric: self.symmetric,
            encoding: if self.engine.is_apply() { ToursEncoding::Time } else { self.encoding },
        }
    }
}
