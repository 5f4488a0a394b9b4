//! PNG files.

#[cfg(feature = "fonts")]
mod system_fonts;

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

/// A PNG file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Png {
    /// The file.
    pub bytes: Vec<u8>,
    /// The characters of names that no font of the system has, each once. The SVG document contains them.
    pub missing: String,
}

impl Picture {
    /// Returns the picture as a PNG file. The longer side has 1600 pixels, or up to 6000 if there are
    /// many squares. Takes four bytes for each pixel.
    ///
    /// Latin letters of European languages, and digits, are drawn without fonts, so that the file is the same
    /// on every machine. Names in other letters are drawn with the fonts of the system, by the feature
    /// `fonts`; [`Png::missing`] has the characters that no font has, or all of them without the feature.
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
    /// assert!(png.bytes.starts_with(b"\x89PNG") && png.missing.is_empty());
    /// # Ok::<(), topdd_draw::PngError>(())
    /// ```
    pub fn to_png(&self) -> Result<Png, PngError> {
        let (tree, missing) = self.tree()?;
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
        let bytes = map.encode_png().map_err(|error| PngError(error.to_string()))?;
        Ok(Png { bytes, missing })
    }

    /// Returns the elements, and the characters that have no font.
    fn tree(&self) -> Result<(Tree, String), PngError> {
        let read = |options: &Options<'_>| {
            Tree::from_str(self.svg(), options).map_err(|error| PngError(error.to_string()))
        };
        #[cfg(feature = "fonts")]
        if !self.fonts.is_empty() {
            // Loading takes a moment, and most pictures need no font.
            let fonts = system_fonts::SystemFonts::load();
            let tree = read(&fonts.options())?;
            let missing = fonts.missing(&tree, &self.fonts);
            return Ok((tree, missing));
        }
        Ok((read(&Options::default())?, self.fonts.clone()))
    }
}

#[cfg(test)]
mod tests {
    use topdd_graph::Graph;

    use crate::GraphPicture;

    #[test]
    fn characters_without_a_font_are_named() {
        let drawn = |name: &str| {
            let graph = Graph::empty(1).with_vertex_labels([name]).unwrap();
            GraphPicture::new(&graph).picture().to_png().unwrap()
        };
        assert_eq!(drawn("O'Brien (NY)").missing, "");
        assert_eq!(drawn("Malmö, Łódź, Žďár, Þingvellir").missing, "");
        // A character for private use, which no font of a system has.
        let private = drawn("a\u{f8d0}\u{10fffd}\u{10fffd}");
        assert_eq!(private.missing, "\u{f8d0}\u{10fffd}");
        assert!(private.bytes.starts_with(b"\x89PNG"));
    }
}
