//! Pictures, as SVG: boards with pieces, tours, many boards on a sheet, heat maps, and the
//! width profile of a sweep.
//!
//! [`BoardPicture`] says what is on a board, [`sheet`] puts many of them on one picture, and
//! [`profile()`] plots a [`Report`](topdd::Report). Each comes to a [`Picture`]: the text of an SVG
//! document, the same bytes on every machine. Nothing in it depends on a font that
//! may be missing, or on a page around it: digits, letters and pieces are paths (`lettering`,
//! `piece_shapes`), and there is a panel behind, so that it can be read on light and on dark pages. Each
//! has a title and a description for those who cannot see it.
//!
//! `svg` is the only file that writes elements; `palette` is where colours are.

mod background;
mod board;
mod geometry;
mod heat;
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
    /// The SVG document.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Width and height in units of the document, in which a square of a board is 64 wide.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.svg)
    }
}
