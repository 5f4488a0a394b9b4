//! The options for pictures.

use std::path::{Path, PathBuf};

use clap::ArgGroup;

/// The options for pictures.
#[derive(Debug, Default, clap::Args)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true).conflicts_with("count_only"))]
pub(crate) struct Pictures {
    /// Draw the solutions that are shown as SVG, several on one sheet
    ///
    /// Without --sheet, at most 12 are drawn.
    #[arg(long, value_name = "FILE", help_heading = "Pictures", value_parser = svg)]
    pub(crate) svg: Option<PathBuf>,

    /// Draw them as PNG
    #[arg(long, value_name = "FILE", help_heading = "Pictures", value_parser = png)]
    pub(crate) png: Option<PathBuf>,

    /// Draw the listed solutions on a sheet, such as 4x3: 4 across, 3 down
    ///
    /// Lists as many solutions as the sheet has room for, unless --list, --limit or --sample is given.
    #[arg(long, value_name = "CxR", help_heading = "Pictures", value_parser = grid)]
    #[arg(requires = "picture", conflicts_with = "nth")]
    pub(crate) sheet: Option<Grid>,

    /// Draw how many solutions use each square, move, edge or vertex
    #[arg(long, help_heading = "Pictures", requires = "picture")]
    #[arg(conflicts_with_all = ["sheet", "limit", "nth", "sample"])]
    pub(crate) heat: bool,

    /// Plot states, edges and nodes level by level; the ending .svg or .png selects the format
    #[arg(long, value_name = "FILE", help_heading = "Pictures", value_parser = plot)]
    pub(crate) profile: Option<PathBuf>,

    /// Draw boards in the terminal with plain ASCII characters
    #[arg(long, help_heading = "Pictures", conflicts_with_all = ["json", "quiet"])]
    pub(crate) ascii: bool,
}

/// The boards of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) across: usize,
    pub(crate) down: usize,
}

/// The most boards on a sheet, each way.
const MAX_BOARDS: usize = 30;

impl Grid {
    /// The sheet of several solutions by default.
    pub(crate) const USUAL: Grid = Grid { across: 4, down: 3 };

    pub(crate) fn boards(self) -> usize {
        self.across * self.down
    }
}

impl Pictures {
    /// Whether a picture of solutions, or of their common part, is written to a file.
    pub(crate) fn to_file(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }
}

/// Whether the name is of a PNG file; `None` if it is neither of a PNG nor of an SVG file.
pub(crate) fn is_png(path: &Path) -> Option<bool> {
    let ending = path.extension()?;
    if ending.eq_ignore_ascii_case("png") {
        Some(true)
    } else {
        ending.eq_ignore_ascii_case("svg").then_some(false)
    }
}

/// Reads the name of a file, unless its ending names the format that is `refused`, with a message.
fn named(text: &str, refused: Option<bool>, message: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_png(&path) == refused { Err(message.to_owned()) } else { Ok(path) }
}

fn svg(text: &str) -> Result<PathBuf, String> {
    named(text, Some(true), "draw a PNG with --png")
}

fn png(text: &str) -> Result<PathBuf, String> {
    named(text, Some(false), "draw an SVG with --svg")
}

fn plot(text: &str) -> Result<PathBuf, String> {
    named(text, None, "write a name that ends in .svg or .png")
}

/// Reads how many boards are on a sheet.
fn grid(text: &str) -> Result<Grid, String> {
    let sides = text.split_once(['x', 'X']);
    let sides = sides.map(|(across, down)| (across.parse(), down.parse()));
    match sides {
        Some((Ok(across @ 1..=MAX_BOARDS), Ok(down @ 1..=MAX_BOARDS))) => Ok(Grid { across, down }),
        Some((Ok(_), Ok(_))) => {
            Err(format!("there is room for 1x1 to {MAX_BOARDS}x{MAX_BOARDS} boards"))
        }
        _ => Err("write boards across and down, such as 4x3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_and_names_are_read() {
        assert_eq!(grid("4x3"), Ok(Grid { across: 4, down: 3 }));
        for text in ["", "4", "4x", "x3", "4x3x2", "-4x3", "0x3", "4x0", "31x1"] {
            assert!(grid(text).is_err(), "{text}");
        }
        assert!(svg("a.svg").is_ok() && svg("-").is_ok() && svg("a.png").is_err());
        assert!(png("a.png").is_ok() && png("a").is_ok() && png("a.SVG").is_err());
        assert!(plot("a.svg").is_ok() && plot("b/c.PNG").is_ok());
        for text in ["", "svg", ".svg", "a.jpg", "a.svg.gz"] {
            assert!(plot(text).is_err_and(|error| error.contains(".svg or .png")), "{text}");
        }
    }
}
