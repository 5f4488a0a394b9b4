//! A board, and what is on it.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::heat::{Heat, Used};
use super::lettering;
use super::svg::{Anchor, N, Style, Svg};
use super::{Picture, men, palette, tour};
use crate::chess::{Board, Piece, Square};

/// The side of a square.
pub(super) const SIDE: f64 = 64.0;
/// The room for coordinates, left and below.
const COORDINATES: f64 = 36.0;
/// The room around everything.
pub(super) const PAD: f64 = 18.0;

/// A board and what is on it, to be drawn: pieces, a tour, classes of squares, or how often
/// squares or moves are used. Of these, what is said last is drawn.
///
/// Squares that are not on the board are not drawn.
///
/// ```
/// use topdd_problems::chess::{Board, Square};
/// use topdd_problems::picture::BoardPicture;
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
    /// An empty board.
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

    /// With this title, which is told to those who ask for it or cannot see the picture.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Without these squares.
    pub fn missing(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.missing.extend(squares);
        self
    }

    /// With a frame around these squares, which were given.
    pub fn given(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.given.extend(squares);
        self
    }

    /// With a cross on these squares, which were forbidden.
    pub fn forbidden(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.forbidden.extend(squares);
        self
    }

    /// With pieces on these squares.
    pub fn pieces(mut self, piece: Piece, squares: &[Square]) -> Self {
        self.content = Content::Pieces(piece, squares.to_vec());
        self
    }

    /// With a tour of these squares in this order, numbered from 1, and back to the first if it
    /// is closed.
    pub fn tour(mut self, squares: &[Square], closed: bool) -> Self {
        self.content = Content::Tour(squares.to_vec(), closed);
        self
    }

    /// With the squares in the colours of their classes, and their numbers from 1.
    pub fn classes(mut self, classes: &[&[Square]]) -> Self {
        self.content = Content::Classes(classes.iter().map(|class| class.to_vec()).collect());
        self
    }

    /// With how often each square is used in so many solutions: a heat map, with the numbers
    /// where they fit and a legend. Squares that are not named are never used.
    ///
    /// ```
    /// use topdd_problems::chess::{Board, Queens};
    /// use topdd_problems::picture::BoardPicture;
    /// # use topdd_problems::chess::Square;
    ///
    /// let zdd = topdd::zdd(&Queens::new(6).by_row()?)?;
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
        self.content = Content::Heat(Heat::new(Used::Squares(counts), solutions));
        self
    }

    /// With how often each move between two squares is made in so many solutions, either way: the
    /// more, the wider the line.
    pub fn moves(
        mut self,
        counts: impl IntoIterator<Item = (Square, Square, BigUint)>,
        solutions: &BigUint,
    ) -> Self {
        let moves = counts.into_iter().map(|(from, to, count)| ([from, to], count)).collect();
        self.content = Content::Heat(Heat::new(Used::Moves(moves), solutions));
        self
    }

    /// The picture, with coordinates.
    pub fn picture(&self) -> Picture {
        let mut svg = Svg::default();
        let (width, height) = self.extent();
        let (left, top) = (PAD + COORDINATES, PAD);
        svg.group("board", left, top);
        self.draw(&mut svg);
        self.coordinates(&mut svg);
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

    pub(super) fn board(&self) -> Board {
        self.board
    }

    pub(super) fn told(&self) -> &str {
        &self.title
    }

    /// Width and height of the board alone.
    pub(super) fn extent(&self) -> (f64, f64) {
        (self.board.cols as f64 * SIDE, self.board.rows as f64 * SIDE)
    }

    /// What is seen, in words.
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
                let told = classes.iter().enumerate();
                let told =
                    told.map(|(class, squares)| format!("{}: {}", class + 1, names(squares)));
                told.collect::<Vec<_>>().join("; ")
            }
            Content::Heat(heat) => heat.about(),
        }
    }

    /// Draws the board, its top left at 0, without coordinates.
    pub(super) fn draw(&self, svg: &mut Svg) {
        let board = self.board;
        let there = |square: &Square| board.contains(*square) && !self.missing.contains(square);
        if !self.missing.is_empty() {
            self.coast(svg, &there);
        }
        match &self.content {
            Content::Heat(heat) => heat.squares(svg, board, &there),
            Content::Classes(classes) => self.class_squares(svg, classes),
            Content::Tour(..) => self.squares(svg, palette::PALE),
            Content::Pieces(..) | Content::Empty => self.squares(svg, palette::SQUARES),
        }
        for &square in self.forbidden.iter().filter(|square| board.contains(**square)) {
            self.cross(svg, square);
        }
        for &square in self.given.iter().filter(|square| board.contains(**square)) {
            self.frame(svg, square);
        }
        match &self.content {
            Content::Pieces(piece, squares) => {
                for &square in squares.iter().filter(|square| board.contains(**square)) {
                    let corner = [0, 1].map(|axis| corner(board, square)[axis] + SIDE * 0.06);
                    men::draw(svg, *piece, corner, SIDE * 0.88, &square.to_string());
                }
            }
            Content::Tour(squares, closed) => tour::draw(svg, board, squares, *closed),
            Content::Heat(heat) => heat.lines(svg, board, &there),
            Content::Classes(_) | Content::Empty => {}
        }
        if self.missing.is_empty() {
            self.edge(svg);
        }
    }

    fn squares(&self, svg: &mut Svg, [dark, light]: [&str; 2]) {
        svg.group("squares", 0.0, 0.0);
        for square in self.board.squares().filter(|square| !self.missing.contains(square)) {
            let [x, y] = corner(self.board, square);
            let colour = if (square.row + square.col) % 2 == 0 { dark } else { light };
            svg.rect([x, y, SIDE, SIDE], colour);
        }
        svg.end();
    }

    fn class_squares(&self, svg: &mut Svg, classes: &[Vec<Square>]) {
        svg.group("squares", 0.0, 0.0);
        for square in self.board.squares() {
            let [x, y] = corner(self.board, square);
            let class = classes.iter().position(|class| class.contains(&square));
            let colours = &palette::CLASSES;
            let colour = class.map_or(palette::PAPER, |class| colours[class % colours.len()]);
            svg.rect([x, y, SIDE, SIDE], colour);
            if let Some(class) = class {
                let text = (class + 1).to_string();
                let size = lettering::fitting(&text, SIDE * 0.3, SIDE * 0.7);
                let style = Style { size, colour: palette::INK, anchor: Anchor::Middle };
                svg.text(x + SIDE / 2.0, y + SIDE / 2.0, style, &text);
            }
        }
        svg.end();
    }

    fn cross(&self, svg: &mut Svg, square: Square) {
        let [x, y] = corner(self.board, square);
        let [near, far] = [0.32 * SIDE, 0.68 * SIDE].map(|d| [N(x + d), N(y + d)]);
        let [[x0, y0], [x1, y1]] = [near, far];
        let d = format!("M {x0} {y0} L {x1} {y1} M {x1} {y0} L {x0} {y1}");
        svg.stroke("forbidden", &d, palette::FORBIDDEN, SIDE * 0.08);
    }

    fn frame(&self, svg: &mut Svg, square: Square) {
        let [x, y] = corner(self.board, square);
        let [x, y] = [x, y].map(|at| N(at + SIDE * 0.04));
        let side = N(SIDE * 0.92);
        svg.element(
            "rect",
            &[
                ("class", &"given"),
                ("x", &x),
                ("y", &y),
                ("width", &side),
                ("height", &side),
                ("rx", &N(SIDE * 0.06)),
                ("fill", &"none"),
                ("stroke", &palette::GIVEN),
                ("stroke-width", &N(SIDE * 0.06)),
            ],
            None,
        );
    }

    /// A line around the squares that are there, under them.
    fn coast(&self, svg: &mut Svg, there: &dyn Fn(&Square) -> bool) {
        svg.group("edge", 0.0, 0.0);
        for square in self.board.squares().filter(there) {
            let [x, y] = corner(self.board, square);
            svg.rect([x - 2.0, y - 2.0, SIDE + 4.0, SIDE + 4.0], palette::BOARD_EDGE);
        }
        svg.end();
    }

    fn edge(&self, svg: &mut Svg) {
        let (width, height) = self.extent();
        if width * height <= 0.0 {
            return;
        }
        svg.element(
            "rect",
            &[
                ("class", &"edge"),
                ("x", &"-1"),
                ("y", &"-1"),
                ("width", &N(width + 2.0)),
                ("height", &N(height + 2.0)),
                ("fill", &"none"),
                ("stroke", &palette::BOARD_EDGE),
                ("stroke-width", &"2"),
            ],
            None,
        );
    }

    fn coordinates(&self, svg: &mut Svg) {
        let Board { rows, cols } = self.board;
        let style = |text: &str| Style {
            size: lettering::fitting(text, SIDE * 0.21, COORDINATES * 0.9),
            colour: palette::QUIET,
            anchor: Anchor::Middle,
        };
        svg.group("coordinates", 0.0, 0.0);
        for row in 0..rows {
            let text = (row + 1).to_string();
            let y = corner(self.board, Square::new(row, 0))[1] + SIDE / 2.0;
            svg.text(-COORDINATES * 0.55, y, style(&text), &text);
        }
        for col in 0..cols {
            let name = Square::new(0, col).to_string();
            let text = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let x = (col as f64 + 0.5) * SIDE;
            let y = rows as f64 * SIDE + COORDINATES * 0.55;
            svg.text(x, y, style(text), text);
        }
        svg.end();
    }
}

/// The top left of a square of the board.
pub(super) fn corner(board: Board, square: Square) -> [f64; 2] {
    let from_top = board.rows - 1 - square.row;
    [square.col as f64 * SIDE, from_top as f64 * SIDE]
}

/// The middle of a square of the board.
pub(super) fn middle(board: Board, square: Square) -> [f64; 2] {
    corner(board, square).map(|at| at + SIDE / 2.0)
}
