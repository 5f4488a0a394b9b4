//! Pictures, as SVG: boards with pieces, tours, many boards on a sheet, heat maps, and the
//! width profile of a sweep.
//!
//! [`BoardPicture`] describes a board with its contents, [`sheet`] arranges many of them in one
//! picture, and [`profile()`] plots a [`Report`](topdd::Report). Each makes a [`Picture`]: the text
//! of an SVG document, with the same bytes on every machine. A picture needs no font: digits,
//! letters and pieces are paths (`lettering`, `piece_shapes`). A background panel makes it readable on
//! light and on dark pages. Each picture has a title and a description for screen readers.
//!
//! `svg` is the only file that writes elements; `palette` contains the colours.

mod background;
mod board;
mod geometry;
mod graph;
mod heat;
mod layout;
mod lettering;
mod palette;
mod path;
mod piece_shapes;
mod profile;
mod sheet;
mod svg;
#[cfg(test)]
mod tests;
mod tour;

use std::fmt;

pub use board::BoardPicture;
pub use graph::{GraphPicture, graph_sheet};
pub use profile::profile;
pub use sheet::sheet;

/// A picture: the text of an SVG document, which is its `Display`.
///
/// ```
/// use topdd_chess::{Board, Piece, Square};
/// use topdd_chess::picture::BoardPicture;
///
/// let queens = ["b1", "d2", "a3", "c4"].map(|name| name.parse::<Square>().unwrap());
/// let picture = BoardPicture::new(Board::new(4, 4)).pieces(Piece::Queen, &queens).picture();
/// assert!(picture.svg().starts_with("<svg "));
/// assert_eq!(picture.svg().matches("<path class=\"queen\"").count(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    svg: String,
    width: u32,
    height: u32,
}

impl Picture {
    /// Returns the SVG document.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Returns width and height in units of the document, in which a square of a board is 64 wide.
    ///
    /// ```
    /// use topdd_chess::{Board, picture::BoardPicture};
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
