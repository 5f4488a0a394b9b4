//! Pictures of what [topdd] finds: boards with pieces or tours, graphs with marked parts, heat maps,
//! values of variables, diagrams, and the width profile of a sweep; as SVG, and with the feature `png` as PNG, in which the feature `fonts`
//! draws names of all scripts.
//!
//! | picture | made by | several on one |
//! | --- | --- | --- |
//! | a board | [`BoardPicture`] | [`sheet`] |
//! | a graph | [`GraphPicture`] | [`graph_sheet`] |
//! | values of variables | [`AssignmentPicture`] | the same |
//! | a [`Report`](topdd::Report) | [`profile()`] | |
//! | the nodes of a [`Diagram`](topdd::Diagram) | [`diagram()`] | |
//!
//! Each makes a [`Picture`]: the text of an SVG document, with the same bytes on every machine. Digits,
//! letters and pieces are paths, so that a picture needs no font; only names with letters that English lacks, and
//! the names and values of a diagram, are text. A background panel makes a picture readable on light and on dark pages. Each picture has
//! a title and a description for screen readers.
//!
//! ```
//! use topdd_chess::{Board, Piece, Square};
//! use topdd_draw::BoardPicture;
//!
//! let queens = ["b1", "d2", "a3", "c4"].map(|name| name.parse::<Square>().unwrap());
//! let picture = BoardPicture::new(Board::new(4, 4)).pieces(Piece::Queen, &queens).picture();
//! assert!(picture.svg().starts_with("<svg "));
//! assert_eq!(picture.svg().matches("<path class=\"queen\"").count(), 4);
//! ```
//!
//! In the source, `svg` is the only module that writes elements. It contains the letters, and
//! `svg::palette` the colours.

mod assignment;
mod board;
mod diagram;
mod graph;
mod heat;
#[cfg(feature = "png")]
mod png;
mod profile;
mod svg;

use std::fmt;

pub use assignment::{AssignmentPicture, CellValue};
pub use board::{BoardPicture, sheet};
pub use diagram::diagram;
pub use graph::{GraphPicture, graph_sheet};
#[cfg(feature = "png")]
pub use png::{Png, PngError};
pub use profile::profile;

/// A picture: the text of an SVG document, which is its `Display`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    svg: String,
    width: u32,
    height: u32,
    /// The characters that need a font, each once.
    fonts: String,
}

impl Picture {
    /// Returns the SVG document.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Returns width and height in units of the document, in which a square of a board is 64 wide.
    ///
    /// ```
    /// use topdd_chess::Board;
    /// use topdd_draw::BoardPicture;
    ///
    /// let (width, height) = BoardPicture::new(Board::new(4, 8)).picture().size();
    /// assert!(width > 8 * 64 && height > 4 * 64); // with coordinates and a margin
    /// ```
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.svg)
    }
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
