//! PNG files.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use topdd_chess::picture::Picture;

use crate::failure::Failure;

/// The longer side of a picture by default, in pixels.
const USUAL: f32 = 1600.0;
/// The least pixels per unit: a square of a board is 64 units, and at least 24 pixels.
const LEAST: f32 = 0.375;
/// The longer side of the largest pictures.
const MOST: f32 = 6000.0;

/// The picture as a PNG file.
pub(super) fn encode(picture: &Picture) -> Result<Vec<u8>, Failure> {
    let failed = |what: &str| Failure::Failed(format!("cannot draw the picture as PNG: {what}"));
    let tree = Tree::from_str(picture.svg(), &Options::default())
        .map_err(|error| failed(&error.to_string()))?;
    let (width, height) = picture.size();
    let longer = width.max(height) as f32;
    let pixels = USUAL.max(longer * LEAST).min(MOST);
    let [across, down] =
        [width, height].map(|side| (side as f32 * pixels / longer).round().max(1.0));
    let mut map =
        Pixmap::new(across as u32, down as u32).ok_or_else(|| failed("it is too large"))?;
    let shown = tree.size();
    let scale = Transform::from_scale(across / shown.width(), down / shown.height());
    resvg::render(&tree, scale, &mut map.as_mut());
    map.encode_png().map_err(|error| failed(&error.to_string()))
}
