//! PNG files.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

use crate::Picture;

/// The longer side of a picture by default, in pixels.
const DEFAULT_SIDE: f32 = 1600.0;
/// The least pixels per unit: a square of a board is 64 units, and at least 24 pixels.
const MIN_SCALE: f32 = 0.375;
/// The longer side of the largest pictures, in pixels.
const MAX_SIDE: f32 = 6000.0;

/// A picture that cannot be drawn as PNG.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot draw the picture as PNG: {0}")]
pub struct PngError(String);

impl Picture {
    /// Returns the picture as a PNG file. The longer side has 1600 pixels, or up to 6000 if there are
    /// many squares. Takes some bytes for each pixel.
    ///
    /// # Errors
    ///
    /// [`PngError`] if the renderer fails.
    ///
    /// ```
    /// use topdd_chess::Board;
    /// use topdd_draw::BoardPicture;
    ///
    /// let png = BoardPicture::new(Board::new(8, 8)).picture().to_png()?;
    /// assert!(png.starts_with(b"\x89PNG"));
    /// # Ok::<(), topdd_draw::PngError>(())
    /// ```
    pub fn to_png(&self) -> Result<Vec<u8>, PngError> {
        let tree = Tree::from_str(self.svg(), &Options::default())
            .map_err(|error| PngError(error.to_string()))?;
        let (width, height) = self.size();
        let longer = width.max(height) as f32;
        let pixels = DEFAULT_SIDE.max(longer * MIN_SCALE).min(MAX_SIDE);
        let [across, down] =
            [width, height].map(|side| (side as f32 * pixels / longer).round().max(1.0));
        let mut map = Pixmap::new(across as u32, down as u32)
            .ok_or_else(|| PngError("it is too large".to_owned()))?;
        let shown = tree.size();
        let scale = Transform::from_scale(across / shown.width(), down / shown.height());
        resvg::render(&tree, scale, &mut map.as_mut());
        map.encode_png().map_err(|error| PngError(error.to_string()))
    }
}
