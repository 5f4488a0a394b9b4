//! `topdd queens`, `topdd place` and `topdd knights`, and their boards.

use std::num::{IntErrorKind, ParseIntError};

use topdd_chess::{Board, Leaper, Piece, Square};
use topdd_problem::{
    PiecesProblem, Placing, QueensEncoding, QueensProblem, TourSymmetry, ToursEncoding,
    ToursProblem, Turn,
};

use super::common::{Common, EngineOption, Word, one_of};
use crate::failure::Failure;

/// The board of a problem: `6x8` for 6 rows and 8 columns, `8` for `8x8`. Two arguments, `6 8`,
/// are read as `6x8`.
#[derive(Debug, clap::Args)]
pub(crate) struct BoardSize {
    /// The board: 6x8 for 6 rows and 8 columns, 8 for 8x8
    #[arg(id = "board", value_name = "BOARD", allow_negative_numbers = true)]
    first: String,

    #[arg(id = "columns", hide = true, allow_negative_numbers = true)]
    second: Option<String>,
}

impl BoardSize {
    /// Reads the board of a problem with --symmetric, or without.
    fn board(&self, is_symmetric: bool) -> Result<Board, Failure> {
        let (first, second) = (&self.first[..], self.second.as_deref());
        let meant = [Some(first), second].into_iter().flatten().find(|word| is_symmetry(word));
        match meant.filter(|_| is_symmetric) {
            Some(word) => Err(Failure::Usage(format!(
                "write --symmetric={word} if {word} is meant for --symmetric; write the board in one word, such as 6x8"
            ))),
            None => read(first, second).map_err(Failure::Usage),
        }
    }
}

/// Whether a word may be meant as the value of `--symmetric`, as in `12 --symmetric 90`, and not as a board.
fn is_symmetry(word: &str) -> bool {
    ["90", "180"].contains(&word) || word.starts_with(char::is_alphabetic)
}

/// Reads the board from one or two arguments.
fn read(first: &str, second: Option<&str>) -> Result<Board, String> {
    let size = |text: &str| {
        text.parse().map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => format!("the number {text} is too large"),
            _ => format!(
                "`{text}` is not a whole number: write 6x8 for 6 rows and 8 columns, 8 for 8x8"
            ),
        })
    };
    match (first.split_once(['x', 'X']), second) {
        (Some((rows, columns)), None) => Ok(Board::new(size(rows)?, size(columns)?)),
        (Some(_), Some(second)) => {
            Err(format!("{first} is a whole board; leave out the {second} after it"))
        }
        (None, second) => Ok(Board::new(size(first)?, size(second.unwrap_or(first))?)),
    }
}

/// Pieces that do not attack one another.
///
/// By default, as many pieces as the board has rows; see --exactly, --any, --most and --maximal.
/// Forbidden squares do not block attacks.
///
/// Squares are named as in chess: columns a to z, then aa, ab and so on; rows from 1,
/// counted from the bottom.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd place bishops 6                       53744 ways to place 6 of them on 6x6
  topdd place kings 8 --any                   any number of them, also none
  topdd place kings 5x8 --most                the largest possible number, and how many ways
  topdd place knights 5 --exactly 13 --list   every way, as a board
  topdd place rooks 4 --maximal               those that leave no free square
  topdd place bishops 6 --unique              images of one another count as one
  topdd place kings 8 --exactly 9 --given a1  complete a board
  topdd place kings 6 --most --png kings.png

'topdd help advanced' has options that are seldom needed.")]
pub(crate) struct Place {
    #[command(flatten)]
    pub(crate) placed: PiecesPlaced,

    /// Count solutions that are turned or mirrored images of one another as one
    ///
    /// The image whose squares come first, row by row from a1, is shown. If squares are given or
    /// forbidden, only turns and reflections that preserve them are used.
    #[arg(long, conflicts_with = "heat")]
    pub(crate) unique: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// The pieces, the board, and the squares where they may stand.
#[derive(Debug, clap::Args)]
pub(crate) struct PiecesPlaced {
    /// The pieces
    #[arg(value_parser = one_of(PIECES))]
    pub(crate) piece: Piece,

    #[command(flatten)]
    pub(crate) on: BoardConditions,

    /// Place K pieces
    #[arg(long, value_name = "K", conflicts_with_all = ["any", "most"])]
    pub(crate) exactly: Option<usize>,

    /// Place any number of pieces, also none
    #[arg(long, conflicts_with_all = ["most"])]
    pub(crate) any: bool,

    /// Place the largest possible number of pieces
    #[arg(long)]
    pub(crate) most: bool,
}

/// A board, and the conditions on its squares.
#[derive(Debug, clap::Args)]
pub(crate) struct BoardConditions {
    #[command(flatten)]
    pub(crate) board: BoardSize,

    /// Squares that must hold a piece, such as a1,c2
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub(crate) given: Vec<Square>,

    /// Squares that must not hold a piece, such as b3
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    pub(crate) forbid: Vec<Square>,

    /// Join the left and the right side, and on a square board top and bottom, so that diagonals wrap around
    #[arg(long)]
    pub(crate) toroidal: bool,

    /// Leave no square free: each is occupied, attacked or forbidden; any number of pieces, unless it is given
    #[arg(long)]
    pub(crate) maximal: bool,

    /// Only boards that look the same after a turn by DEGREES; by default, by 180
    #[arg(long, value_name = "DEGREES", value_parser = one_of(TURNS))]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "180")]
    pub(crate) symmetric: Option<Turn>,
}

/// Pieces, in the plural.
const PIECES: &[Word<Piece>] = &[
    ("kings", "One square in any direction", Piece::King),
    ("queens", "Along rows, columns and diagonals", Piece::Queen),
    ("rooks", "Along rows and columns", Piece::Rook),
    ("bishops", "Along diagonals", Piece::Bishop),
    ("knights", "Two squares one way and one the other", Piece::Knight),
    ("superqueens", "As queens and as knights", Piece::Superqueen),
];

/// Turns of the board.
const TURNS: &[Word<Turn>] = &[
    ("180", "A half turn", Turn::Half),
    ("90", "A quarter turn, on a square board", Turn::Quarter),
];

impl BoardConditions {
    /// The board and its conditions as data.
    fn placing(&self) -> Result<Placing, Failure> {
        let Board { rows, cols } = self.board.board(self.symmetric.is_some())?;
        Ok(Placing {
            rows,
            cols,
            given: self.given.clone(),
            forbidden: self.forbid.clone(),
            toroidal: self.toroidal,
            maximal: self.maximal,
            symmetric: self.symmetric,
        })
    }
}

impl PiecesPlaced {
    /// The pieces as data; of --most, their number is any.
    pub(crate) fn problem(&self) -> Result<PiecesProblem, Failure> {
        let (on, is_any) = (self.on.placing()?, self.any || self.most || self.on.maximal);
        let number = self.exactly.or((!is_any).then_some(on.rows));
        Ok(PiecesProblem { piece: self.piece, on, number, most: self.most })
    }
}

/// Queens, one in each row, none attacking another.
///
/// Queens attack along rows, columns and diagonals. There is one queen in each row, so a board with
/// more rows than columns has no solutions. With --exactly, --any or --maximal, rows may stay empty.
///
/// Squares are named as in chess: columns a to z, then aa, ab and so on; rows from 1,
/// counted from the bottom.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd queens 8                            92 solutions, and the first of them
  topdd queens 6x9                          a queen in each of 6 rows
  topdd queens 8 --given a1 --forbid e2,f2  complete a board
  topdd queens 8 --unique --list            12 boards, no two images of each other
  topdd queens 12 --symmetric=90            the same from all four sides
  topdd queens 11 --toroidal                diagonals wrap around
  topdd queens 10 --superqueens             queens that also attack as knights
  topdd queens 8 --exactly 5 --maximal      5 queens that leave no free square
  topdd queens 7 --colouring                7 colours, each a solution
  topdd queens 31 --first                   one solution, by search
  topdd queens 12 --sample 3 --seed 1       three at random
  topdd queens 8 --nth 50 --json            the solution of rank 50, for a script
  topdd queens 14 --count-only              no diagram: less memory
  topdd queens 8 --svg board.svg            a picture of the first board
  topdd queens 8 --unique --list --sheet 4x3 --svg all.svg
  topdd queens 8 --heat --png heat.png      how often each square is used
  topdd queens 12 --profile widths.svg      how wide the levels are
  topdd queens 5 --dot queens.dot           the diagram, for Graphviz

'topdd help advanced' has options that are seldom needed, such as --engine.")]
pub(crate) struct Queens {
    #[command(flatten)]
    pub(crate) placed: QueensPlaced,

    /// Count solutions that are turned or mirrored images of one another as one
    ///
    /// The image whose squares come first, row by row from a1, is shown. If squares are given or
    /// forbidden, only turns and reflections that preserve them are used.
    #[arg(long, conflicts_with = "heat")]
    pub(crate) unique: bool,

    /// Colour all squares so that each colour is a solution; boards up to 11x11
    #[arg(long, visible_alias = "coloring")]
    #[arg(conflicts_with_all = ["exactly", "any", "maximal", "symmetric", "unique", "encoding"])]
    #[arg(conflicts_with = "heat")]
    pub(crate) colouring: bool,

    /// Find one solution by search, without a diagram: for large boards
    ///
    /// Columns are tried in a random order, which is the same for each run. --memory-limit bounds
    /// the table of failed states.
    #[arg(long, conflicts_with_all = ["unique", "colouring", "encoding", "no_forward_check"])]
    #[arg(conflicts_with_all = ["count_only", "all", "limit", "nth", "sample", "quiet", "dot", "save"])]
    #[arg(conflicts_with_all = ["report", "engine", "threads", "spill_to", "checkpoint"])]
    #[arg(conflicts_with_all = ["sheet", "heat", "profile"])]
    pub(crate) first: bool,

    /// Do not drop states without solutions early: the same answer, more states
    #[arg(long, hide = true)]
    pub(crate) no_forward_check: bool,

    /// The meaning of a variable of the diagram
    ///
    /// By default a row. With --exactly, --any, --maximal, --symmetric, or --superqueens and --toroidal, it
    /// is a square.
    #[arg(long, value_parser = one_of(ENCODINGS))]
    pub(crate) encoding: Option<QueensEncoding>,

    #[command(flatten)]
    pub(crate) engine: EngineOption,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// The queens, the board, and the squares where they may stand.
#[derive(Debug, clap::Args)]
pub(crate) struct QueensPlaced {
    #[command(flatten)]
    pub(crate) on: BoardConditions,

    /// Queens also attack as knights
    #[arg(long)]
    pub(crate) superqueens: bool,

    /// Place K queens; rows may stay empty
    #[arg(long, value_name = "K", conflicts_with = "any")]
    pub(crate) exactly: Option<usize>,

    /// Place any number of queens, also none; rows may stay empty
    #[arg(long)]
    pub(crate) any: bool,
}

impl Queens {
    /// The flag that makes a square a variable, if there is one.
    pub(crate) fn anywhere(&self) -> Option<&'static str> {
        // The apply engine is always by cell.
        let by_cell = self.encoding == Some(QueensEncoding::Cell) && !self.engine.is_apply();
        let super_by_cell = self.placed.superqueens && by_cell;
        self.placed.anywhere().or(super_by_cell.then_some("--superqueens by cell"))
    }
}

impl QueensPlaced {
    /// The queens as data.
    pub(crate) fn problem(&self, encoding: QueensEncoding) -> Result<QueensProblem, Failure> {
        let (on, is_any) = (self.on.placing()?, self.any || self.on.maximal);
        let number = self.exactly.or((!is_any).then_some(on.rows));
        Ok(QueensProblem { on, superqueens: self.superqueens, number, encoding })
    }

    /// The flag by which queens may stand anywhere, if there is one.
    pub(crate) fn anywhere(&self) -> Option<&'static str> {
        [
            ("--exactly", self.exactly.is_some()),
            ("--any", self.any),
            ("--maximal", self.on.maximal),
            ("--symmetric", self.on.symmetric.is_some()),
            ("--superqueens on a torus", self.superqueens && self.on.toroidal),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}

const ENCODINGS: &[Word<QueensEncoding>] = &[
    ("row", "A row; its value is the column of the queen", QueensEncoding::Row),
    ("cell", "A square, with a queen or without", QueensEncoding::Cell),
];

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
    #[arg(long, value_parser = one_of(TOUR_ENCODINGS), default_value = "square")]
    pub(crate) encoding: ToursEncoding,

    #[command(flatten)]
    pub(crate) engine: EngineOption,

    #[command(flatten)]
    pub(crate) common: Common,
}

const TOUR_ENCODINGS: &[Word<ToursEncoding>] = &[
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
    pub(crate) fn problem(&self) -> Result<ToursProblem, Failure> {
        let Board { rows, cols } = self.board.board(self.symmetric.is_some())?;
        Ok(ToursProblem {
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
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_from_one_or_two_arguments() {
        for (first, second, board) in [
            ("8", None, Board::new(8, 8)),
            ("6x9", None, Board::new(6, 9)),
            ("6X9", None, Board::new(6, 9)),
            ("6", Some("9"), Board::new(6, 9)),
        ] {
            assert_eq!(read(first, second), Ok(board), "{first} {second:?}");
        }
        for text in ["", "x", "6x", "x9", "6x9x2", "-3", "6.0", "6 8", "eight"] {
            let error = read(text, None).expect_err(text);
            assert!(error.contains("whole number") && error.contains("6x8"), "{error}");
        }
        for (first, second) in [("99999999999999999999", None), ("6", Some("99999999999999999999"))]
        {
            assert!(read(first, second).is_err_and(|error| error.ends_with("is too large")));
        }
        assert!(read("6", Some("x")).is_err_and(|error| error.contains("whole number")));
        assert!(read("6x9", Some("2")).is_err_and(|error| error.contains("leave out the 2")));
    }

    #[test]
    fn a_value_for_symmetric_is_not_taken_for_a_size() {
        for (words, meant) in [
            ("12 90", Some("90")),
            ("90 12", Some("90")),
            ("half-turn 8", Some("half-turn")),
            ("6 8", None),
            ("6x90", None),
        ] {
            let mut words = words.split(' ').map(str::to_owned);
            let size = BoardSize { first: words.next().expect("a word"), second: words.next() };
            assert!(size.board(false).is_ok() || meant == Some("half-turn"));
            match (size.board(true), meant) {
                (Ok(_), None) => {}
                (Err(Failure::Usage(message)), Some(word)) => {
                    assert!(message.contains(&format!("write --symmetric={word} if")), "{message}");
                }
                (found, _) => panic!("{size:?}: {found:?}"),
            }
        }
    }
}
