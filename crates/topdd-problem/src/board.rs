//! Problems on a board as data: queens, other pieces, tours.

use serde::{Deserialize, Serialize};
use topdd_chess::queens::BoardEncoding;
use topdd_chess::{Board, KnightsTours, Leaper, Piece, Pieces, Queens, Square, Symmetry};

/// A board with pieces, and what holds for all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placing {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The squares that have pieces.
    pub given: Vec<Square>,
    /// The squares that have none.
    pub forbidden: Vec<Square>,
    /// Whether lines wrap around.
    pub toroidal: bool,
    /// Whether no free square is left.
    pub maximal: bool,
    /// The turn that leaves the board as it is.
    pub symmetric: Option<Turn>,
}

impl Placing {
    /// Returns the board.
    pub fn board(&self) -> Board {
        Board::new(self.rows, self.cols)
    }

    /// The conditions, as the end of a title.
    fn words(&self) -> String {
        let mut words = format!("on {}", self.board());
        if self.maximal {
            words += ", leaving no free square";
        }
        if self.toroidal {
            words += ", toroidal";
        }
        if let Some(turn) = self.symmetric {
            words = format!("{words}, the same after a turn by {} degrees", turn.degrees());
        }
        for (word, squares) in [("given", &self.given), ("forbidden", &self.forbidden)] {
            if !squares.is_empty() {
                words = format!("{words}, {word} {}", names(squares));
            }
        }
        words
    }

    /// These pieces, a number of them or any.
    fn pieces(&self, pieces: Pieces, number: Option<usize>) -> Pieces {
        let pieces = match number {
            Some(number) => pieces.exactly(number),
            None => pieces.any(),
        };
        pieces.maximal(self.maximal).symmetric(self.symmetric.map(Turn::symmetry))
    }
}

/// A turn of a board, in degrees in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum Turn {
    /// By 180 degrees.
    Half,
    /// By 90 degrees.
    Quarter,
}

impl Turn {
    /// Returns the degrees.
    pub fn degrees(self) -> u32 {
        match self {
            Turn::Half => 180,
            Turn::Quarter => 90,
        }
    }

    /// Returns the symmetry of boards.
    pub fn symmetry(self) -> Symmetry {
        match self {
            Turn::Half => Symmetry::Rotate180,
            Turn::Quarter => Symmetry::Rotate90,
        }
    }
}

impl From<Turn> for u32 {
    fn from(turn: Turn) -> u32 {
        turn.degrees()
    }
}

impl TryFrom<u32> for Turn {
    type Error = String;

    fn try_from(degrees: u32) -> Result<Self, String> {
        let turn = [Turn::Half, Turn::Quarter].into_iter().find(|turn| turn.degrees() == degrees);
        turn.ok_or_else(|| format!("{degrees} degrees are no turn of a board"))
    }
}

/// Queens that do not attack one another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueensProblem {
    /// The board.
    #[serde(flatten)]
    pub on: Placing,
    /// Whether they also attack as knights.
    #[serde(rename = "super")]
    pub superqueens: bool,
    /// The number of queens: one for each row, another number, or any.
    pub number: Option<usize>,
    /// What a variable is.
    pub encoding: QueensEncoding,
}

/// What a variable of queens stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueensEncoding {
    /// The column of the queen of a row.
    Row,
    /// Whether a square has a queen.
    Cell,
    /// The colour of a square, in boards that are taken apart into solutions.
    Colour,
}

impl QueensEncoding {
    /// Returns the word: `row`, `cell`, `colour`.
    pub fn word(self) -> &'static str {
        match self {
            QueensEncoding::Row => "row",
            QueensEncoding::Cell => "cell",
            QueensEncoding::Colour => "colour",
        }
    }
}

impl QueensProblem {
    /// Returns whether there is one queen in each row, so that rows can be variables.
    pub fn is_in_rows(&self) -> bool {
        let Placing { maximal, symmetric, toroidal, rows, .. } = self.on;
        let is_free = maximal || symmetric.is_some() || self.superqueens && toroidal;
        self.number == Some(rows) && !is_free
    }

    /// Returns one queen in each row.
    pub fn queens(&self) -> Queens {
        let queens = Queens::on(self.on.rows, self.on.cols)
            .given(self.on.given.iter().copied())
            .forbid(self.on.forbidden.iter().copied())
            .toroidal(self.on.toroidal);
        if self.superqueens { queens.superqueens() } else { queens }
    }

    /// Returns the queens as pieces on any squares.
    pub fn pieces(&self) -> Pieces {
        self.on.pieces(self.queens().placements(), self.number)
    }

    /// Returns the queens and their board, in a line.
    pub fn words(&self) -> String {
        let queens = if self.superqueens { "superqueens" } else { "queens" };
        let number = match self.number {
            Some(number) if number == self.on.rows => queens.to_owned(),
            Some(number) => format!("{number} {queens}"),
            None => format!("any number of {queens}"),
        };
        format!("{number} {}", self.on.words())
    }

    /// Returns the encoding of the sweep; `None` if the queens are pieces, or colours.
    pub fn board_encoding(&self) -> Option<BoardEncoding> {
        match self.encoding {
            QueensEncoding::Row => Some(BoardEncoding::Row),
            QueensEncoding::Cell if self.is_in_rows() => Some(BoardEncoding::Cell),
            QueensEncoding::Cell | QueensEncoding::Colour => None,
        }
    }
}

/// Pieces that do not attack one another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PiecesProblem {
    /// The piece.
    pub piece: Piece,
    /// The board.
    #[serde(flatten)]
    pub on: Placing,
    /// The number of pieces, or any.
    pub number: Option<usize>,
    /// Whether the number is the largest one.
    #[serde(default)]
    pub most: bool,
}

impl PiecesProblem {
    /// Returns the pieces.
    pub fn pieces(&self) -> Pieces {
        let pieces = Pieces::new(self.piece, self.on.board())
            .given(self.on.given.iter().copied())
            .forbid(self.on.forbidden.iter().copied())
            .toroidal(self.on.toroidal);
        self.on.pieces(pieces, self.number)
    }

    /// Returns the pieces and their board, in a line.
    pub fn words(&self) -> String {
        let piece = self.piece;
        let number = match self.number {
            Some(most) if self.most => format!("as many {piece} as can be, {most},"),
            Some(number) => format!("{number} {piece}"),
            None => format!("any number of {piece}"),
        };
        format!("{number} {}", self.on.words())
    }
}

/// Tours of a knight, or of another leaper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToursProblem {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// The piece.
    pub piece: Leaper,
    /// The squares that the board does not have.
    pub missing: Vec<Square>,
    /// Whether the last square is no move from the first one.
    pub open: bool,
    /// The first square.
    pub from: Option<Square>,
    /// The last square.
    pub to: Option<Square>,
    /// Whether a tour and its reverse are two tours.
    pub directed: bool,
    /// The symmetry that maps tours to themselves.
    pub symmetric: Option<TourSymmetry>,
    /// What a variable is.
    pub encoding: ToursEncoding,
}

/// What a variable of tours stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToursEncoding {
    /// Whether a move is made.
    Edge,
    /// The moves at a square.
    Square,
    /// Whether a square is visited at a time.
    Time,
}

impl ToursEncoding {
    /// Returns the word: `edge`, `square`, `time`.
    pub fn word(self) -> &'static str {
        match self {
            ToursEncoding::Edge => "edge",
            ToursEncoding::Square => "square",
            ToursEncoding::Time => "time",
        }
    }
}

/// A symmetry of tours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TourSymmetry {
    /// A turn by 180 degrees.
    HalfTurn,
    /// A reflection that exchanges left and right.
    LeftRight,
    /// A reflection that exchanges top and bottom.
    TopBottom,
    /// A reflection at the diagonal through `a1`.
    Diagonal,
    /// A reflection at the other diagonal.
    Antidiagonal,
}

impl TourSymmetry {
    /// Returns the word: `half-turn`, `left-right`, ..
    pub fn word(self) -> &'static str {
        match self {
            TourSymmetry::HalfTurn => "half-turn",
            TourSymmetry::LeftRight => "left-right",
            TourSymmetry::TopBottom => "top-bottom",
            TourSymmetry::Diagonal => "diagonal",
            TourSymmetry::Antidiagonal => "antidiagonal",
        }
    }

    /// Returns the symmetry of boards.
    pub fn symmetry(self) -> Symmetry {
        match self {
            TourSymmetry::HalfTurn => Symmetry::Rotate180,
            TourSymmetry::LeftRight => Symmetry::MirrorColumns,
            TourSymmetry::TopBottom => Symmetry::MirrorRows,
            TourSymmetry::Diagonal => Symmetry::Transpose,
            TourSymmetry::Antidiagonal => Symmetry::AntiTranspose,
        }
    }
}

impl ToursProblem {
    /// Returns the board.
    pub fn board(&self) -> Board {
        Board::new(self.rows, self.cols)
    }

    /// Returns the tours.
    pub fn tours(&self) -> KnightsTours {
        let &ToursProblem { rows, cols, open, directed, .. } = self;
        let tours =
            if open { KnightsTours::open(rows, cols) } else { KnightsTours::closed(rows, cols) };
        let tours = tours.piece(self.piece.clone()).missing(self.missing.iter().copied());
        let tours = self.from.into_iter().fold(tours, KnightsTours::from);
        let tours = self.to.into_iter().fold(tours, KnightsTours::to);
        let tours = if directed { tours.directed() } else { tours };
        let symmetry = self.symmetric.map(TourSymmetry::symmetry);
        symmetry.into_iter().fold(tours, KnightsTours::symmetric)
    }

    /// Returns the tours and their board, in a line.
    pub fn words(&self) -> String {
        let kind = if self.open { "open" } else { "closed" };
        let mut words = format!("{kind} {}'s tours on {}", self.piece, self.board());
        if !self.missing.is_empty() {
            words = format!("{words} without {}", names(&self.missing));
        }
        for (preposition, end) in [("from", self.from), ("to", self.to)] {
            if let Some(square) = end {
                words = format!("{words} {preposition} {square}");
            }
        }
        if self.directed {
            words += ", directed";
        }
        if let Some(symmetry) = self.symmetric {
            words = format!("{words}, symmetric by {}", symmetry.word());
        }
        words
    }
}

/// The names of squares, each once.
fn names(squares: &[Square]) -> String {
    let is_first = |&at: &usize| !squares[..at].contains(&squares[at]);
    let names = (0..squares.len()).filter(is_first).map(|at| squares[at].to_string());
    names.collect::<Vec<_>>().join(" ")
}
