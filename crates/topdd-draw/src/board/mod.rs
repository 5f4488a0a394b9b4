//! Pictures of a board with its contents: pieces, a tour, classes of squares, a heat map.

mod background;
mod heat;
mod piece_shapes;
mod sheet;
#[cfg(test)]
mod tests;
mod tour;

use std::collections::BTreeSet;

use num_bigint::BigUint;
use topdd_chess::{Board, Piece, Square};

use crate::Picture;
use crate::svg::{Svg, palette};
use heat::{Heat, UseCounts};
pub use sheet::sheet;

/// The room around everything.
const PAD: f64 = 18.0;

/// A board with its contents, to be drawn: pieces, a tour, classes of squares, or the number of
/// uses of squares or moves. The content that is set last is drawn.
///
/// Squares that are not on the board are not drawn.
///
/// ```
/// use topdd_chess::{Board, Square};
/// use topdd_draw::BoardPicture;
///
/// let tour = ["a1", "c2", "a3", "b1", "c3", "a2", "c1", "b3"];
/// let tour = tour.map(|name| name.parse::<Square>().unwrap());
/// let hole = Square::new(1, 1);
/// let picture = BoardPicture::new(Board::new(3, 3)).missing([hole]).tour(&tour, true).picture();
/// assert_eq!(picture.svg().matches("class=\"stop").count(), 8);
/// ```
#[derive(Clone, Debug)]
pub struct BoardPicture {
    board: Board,
    missing: BTreeSet<Square>,
    given: Vec<Square>,
    forbidden: Vec<Square>,
    content: Content,
    title: String,
}

#[derive(Clone, Debug)]
enum Content {
    Empty,
    Pieces(Piece, Vec<Square>),
    Tour(Vec<Square>, bool),
    Classes(Vec<Vec<Square>>),
    Heat(Heat),
}

impl BoardPicture {
    /// Makes the picture of an empty board.
    pub fn new(board: Board) -> Self {
        BoardPicture {
            board,
            missing: BTreeSet::new(),
            given: Vec::new(),
            forbidden: Vec::new(),
            content: Content::Empty,
            title: board.to_string(),
        }
    }

    /// Sets the title, which browsers show on request and screen readers read. The default is the
    /// size of the board.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Omits these squares.
    pub fn missing(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.missing.extend(squares);
        self
    }

    /// Draws a frame around these squares, which were given.
    ///
    /// ```
    /// use topdd_chess::{Board, Piece, Square};
    /// use topdd_draw::BoardPicture;
    ///
    /// let [a1, c2, c1] = [(0, 0), (1, 2), (0, 2)].map(|(row, col)| Square::new(row, col));
    /// let picture = BoardPicture::new(Board::new(2, 3)).title("two rooks").given([a1]).forbidden([c1]);
    /// let svg = picture.pieces(Piece::Rook, &[a1, c2]).picture().to_string();
    /// assert_eq!(svg.matches("<path class=\"rook\"").count(), 2);
    /// assert!(svg.contains("two rooks"));
    /// ```
    pub fn given(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.given.extend(squares);
        self.scale_heat();
        self
    }

    /// Draws a cross on these squares, which were forbidden.
    pub fn forbidden(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.forbidden.extend(squares);
        self
    }

    /// Draws pieces on these squares.
    pub fn pieces(mut self, piece: Piece, squares: &[Square]) -> Self {
        self.content = Content::Pieces(piece, squares.to_vec());
        self
    }

    /// Draws a tour of squares in this order, numbered from 1. A closed tour returns to the
    /// first square.
    pub fn tour(mut self, squares: &[Square], closed: bool) -> Self {
        self.content = Content::Tour(squares.to_vec(), closed);
        self
    }

    /// Draws the squares in the colours of their classes, with the numbers of the classes from 1.
    ///
    /// ```
    /// use topdd_chess::{Board, Square};
    /// use topdd_draw::BoardPicture;
    ///
    /// let [a1, b1] = [Square::new(0, 0), Square::new(0, 1)];
    /// let picture = BoardPicture::new(Board::new(1, 2)).classes(&[&[a1], &[b1]]).picture();
    /// assert!(picture.svg().starts_with("<svg "));
    /// ```
    pub fn classes(mut self, classes: &[&[Square]]) -> Self {
        self.content = Content::Classes(classes.iter().map(|class| class.to_vec()).collect());
        self
    }

    /// Draws a heat map of the number of solutions that use each square, with a legend, and with
    /// numbers if they fit. Squares that are not listed are unused. Given squares are in all
    /// solutions and do not affect the scale of the colours.
    ///
    /// ```
    /// use topdd_chess::{Board, Queens, Square};
    /// use topdd_draw::BoardPicture;
    /// use topdd_chess::queens::BoardEncoding;
    ///
    /// let zdd = Queens::new(6).zdd(BoardEncoding::Row)?;
    /// let counts = zdd.value_counts().into_iter().enumerate().flat_map(|(row, of_row)| {
    ///     of_row.into_iter().enumerate().map(move |(col, count)| (Square::new(row, col), count))
    /// });
    /// let picture = BoardPicture::new(Board::new(6, 6)).heat(counts, &zdd.count()).picture();
    /// assert!(picture.svg().contains("<title>b1: 1 of 4</title>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heat(
        mut self,
        counts: impl IntoIterator<Item = (Square, BigUint)>,
        solutions: &BigUint,
    ) -> Self {
        let counts = counts.into_iter().collect();
        self.content = Content::Heat(Heat::new(UseCounts::Squares(counts), solutions));
        self.scale_heat();
        self
    }

    /// Draws the number of solutions that make each move between two squares, in either direction,
    /// as the width of a line.
    ///
    /// [`KnightsTours::move_counts`](topdd_chess::KnightsTours::move_counts) returns these numbers.
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    /// use topdd_chess::knights::PathEncoding;
    /// use topdd_draw::BoardPicture;
    ///
    /// let tours = KnightsTours::closed(5, 6);
    /// let zdd = tours.zdd(PathEncoding::ByVertex)?;
    /// let counts = tours.move_counts(PathEncoding::ByVertex, &zdd.value_counts())?;
    /// let picture = BoardPicture::new(tours.board()).moves(counts, &zdd.count()).picture();
    /// assert!(picture.svg().starts_with("<svg "));
    /// # Ok::<(), topdd_chess::KnightsError>(())
    /// ```
    pub fn moves(
        mut self,
        counts: impl IntoIterator<Item = (Square, Square, BigUint)>,
        solutions: &BigUint,
    ) -> Self {
        let moves = counts.into_iter().map(|(from, to, count)| ([from, to], count)).collect();
        self.content = Content::Heat(Heat::new(UseCounts::Moves(moves), solutions));
        self
    }

    /// Scales the colours of a heat map by the squares that are not given: given squares are in all
    /// solutions.
    fn scale_heat(&mut self) {
        if let Content::Heat(heat) = &mut self.content {
            heat.scale_without(&self.given);
        }
    }

    /// Returns the picture, with coordinates.
    pub fn picture(&self) -> Picture {
        let mut svg = Svg::default();
        let (width, height) = self.extent();
        let (left, top) = (PAD + COORDINATES, PAD);
        svg.group("board", left, top);
        self.draw(&mut svg);
        background::coordinates(&mut svg, self.board);
        let (mut right, mut bottom) = (0.0, COORDINATES);
        if let Content::Heat(heat) = &self.content {
            let room = heat.legend(&mut svg, width, height, height + COORDINATES);
            right = room.0;
            bottom += room.1;
        }
        svg.end();
        let width = left + width + right + PAD.max(COORDINATES / 2.0);
        svg.finish(width, top + height + bottom + PAD / 2.0, &self.title, &self.about())
    }

    fn board(&self) -> Board {
        self.board
    }

    fn description(&self) -> &str {
        &self.title
    }

    /// Width and height of the board alone.
    fn extent(&self) -> (f64, f64) {
        extent(self.board)
    }

    /// The picture in words, for screen readers.
    fn about(&self) -> String {
        let names = |squares: &[Square]| {
            squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        match &self.content {
            Content::Empty => "an empty board".to_owned(),
            Content::Pieces(piece, squares) if squares.is_empty() => format!("no {piece}"),
            Content::Pieces(piece, squares) => format!("{piece} on {}", names(squares)),
            Content::Tour(squares, closed) => {
                let kind = if *closed { "a closed" } else { "an open" };
                format!("{kind} tour: {}", names(squares))
            }
            Content::Classes(classes) => {
                let text = classes.iter().enumerate();
                let text =
                    text.map(|(class, squares)| format!("{}: {}", class + 1, names(squares)));
                text.collect::<Vec<_>>().join("; ")
            }
            Content::Heat(heat) => heat.about(),
        }
    }

    /// Draws the board, its top left at 0, without coordinates.
    fn draw(&self, svg: &mut Svg) {
        let board = self.board;
        let there = |square: &Square| board.contains(*square) && !self.missing.contains(square);
        match &self.content {
            Content::Heat(heat) => heat.squares(svg, board, &there, &self.forbidden),
            Content::Classes(classes) => background::class_squares(svg, board, classes),
            Content::Tour(..) => background::squares(svg, board, &there, palette::PALE),
            Content::Pieces(..) | Content::Empty => {
                background::squares(svg, board, &there, palette::SQUARES);
            }
        }
        if !self.missing.is_empty() {
            background::coast(svg, board, &there);
        }
        for &square in self.forbidden.iter().filter(|square| board.contains(**square)) {
            background::cross(svg, board, square);
        }
        let frame = match self.content {
            Content::Heat(_) => palette::GIVEN_ON_HEAT,
            _ => palette::GIVEN,
        };
        for &square in self.given.iter().filter(|square| board.contains(**square)) {
            background::frame(svg, board, square, frame);
        }
        match &self.content {
            Content::Pieces(piece, squares) => {
                for &square in squares.iter().filter(|square| board.contains(**square)) {
                    let corner = [0, 1].map(|axis| corner(board, square)[axis] + SIDE * 0.06);
                    piece_shapes::draw(svg, *piece, corner, SIDE * 0.88, &square.to_string());
                }
            }
            Content::Tour(squares, closed) => tour::draw(svg, board, squares, *closed),
            Content::Heat(heat) => heat.lines(svg, board, &there),
            Content::Classes(_) | Content::Empty => {}
        }
        if self.missing.is_empty() {
            background::edge(svg, board);
        }
    }
}

/// The side of a square.
const SIDE: f64 = 64.0;
/// The room for coordinates, left and below.
const COORDINATES: f64 = 36.0;

/// Width and height of a board.
fn extent(board: Board) -> (f64, f64) {
    (board.cols as f64 * SIDE, board.rows as f64 * SIDE)
}

/// The top left of a square of the board.
fn corner(board: Board, square: Square) -> [f64; 2] {
    let from_top = board.rows - 1 - square.row;
    [square.col as f64 * SIDE, from_top as f64 * SIDE]
}

/// The middle of a square of the board.
fn middle(board: Board, square: Square) -> [f64; 2] {
    corner(board, square).map(|at| at + SIDE / 2.0)
}
