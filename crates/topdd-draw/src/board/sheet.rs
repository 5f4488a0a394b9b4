//! Many boards on one picture.

use super::SIDE;
use super::{BoardPicture, PAD};
use crate::Picture;
use crate::svg::{Anchor, Style, Svg, lettering, palette};

/// Draws boards in lines of `across` boards, each with a caption below it and without coordinates.
///
/// ```
/// use topdd_chess::{Board, Piece, Square};
/// use topdd_draw::{BoardPicture, sheet};
///
/// let board = BoardPicture::new(Board::new(4, 4));
/// let one = board.clone().pieces(Piece::Rook, &[Square::new(0, 0)]);
/// let sheet = sheet(&[(board, "none".to_owned()), (one, "one".to_owned())], 2, "rooks");
/// assert_eq!(sheet.svg().matches("<g class=\"board\"").count(), 2);
/// ```
pub fn sheet(boards: &[(BoardPicture, String)], across: usize, title: &str) -> Picture {
    let across = across.min(boards.len()).max(1);
    let extents = boards.iter().map(|(board, _)| board.extent());
    let (width, height) =
        extents.fold((SIDE, 0.0), |(w, h): (f64, f64), of| (w.max(of.0), h.max(of.1)));
    let captioned = boards.iter().any(|(_, caption)| !caption.is_empty());
    // Large boards are shown smaller, so gaps and captions are larger in proportion.
    let unit = (width.max(height) / 8.0).max(SIDE);
    let gap = unit * 0.6;
    let below = if captioned { unit * 0.7 } else { 0.0 };
    let pad = PAD + gap / 4.0;
    let mut svg = Svg::default();
    for (place, (board, caption)) in boards.iter().enumerate() {
        let x = pad + (place % across) as f64 * (width + gap);
        let y = pad + (place / across) as f64 * (height + below + gap / 2.0);
        svg.group("board", x, y);
        board.draw(&mut svg);
        let size = lettering::fitting(caption, unit * 0.32, width);
        let style = Style { size, colour: palette::QUIET, anchor: Anchor::Middle };
        svg.text(width / 2.0, height + below * 0.56, style, caption);
        svg.end();
    }
    let lines = boards.len().div_ceil(across).max(1) as f64;
    let wide = across as f64 * (width + gap) - gap + 2.0 * pad;
    let high = lines * (height + below + gap / 2.0) - gap / 2.0 + 2.0 * pad;
    let text = boards.first().map_or(String::new(), |(board, _)| {
        format!("{} boards of {}: {}", boards.len(), board.board(), board.description())
    });
    svg.finish(wide, high, title, &text)
}
