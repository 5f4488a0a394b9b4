//! Pictures of assignments: the value of each variable, in a grid of rows and columns, or in a table of names and values.

mod places;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Display;

use crate::Picture;
use crate::svg::path::N;
use crate::svg::{Anchor, Style, Svg, lettering, palette};
use places::{GridCells, Places};

/// The room around everything.
const PAD: f64 = 18.0;
/// The height of a cell, and its least width.
const CELL: f64 = 40.0;
/// The height of capitals.
const CAPITALS: f64 = 15.0;
/// The room on each side of a text.
const MARGIN: f64 = 9.0;
/// The largest width of a text.
const MAX_TEXT: f64 = 220.0;
/// The room between two assignments.
const GAP: f64 = 40.0;

/// A value in a picture of an assignment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CellValue {
    /// False, an empty cell.
    False,
    /// True, a cell with a mark.
    True,
    /// Another value, with its text.
    Text(String),
}

impl CellValue {
    /// The value in words.
    fn text(&self) -> &str {
        match self {
            CellValue::False => "False",
            CellValue::True => "True",
            CellValue::Text(text) => text,
        }
    }
}

/// A picture of assignments of the same variables. Each cell has the value of a variable, on a colour for the value.
///
/// Variables named as squares, such as `a1`, in several rows and columns are drawn as a board, unless more than three
/// quarters of it would be empty. Other variables are in a table of names
/// and values, or in the grid of [`pairs`](AssignmentPicture::pairs). The title of a cell has its whole text.
///
/// ```
/// use topdd_draw::{AssignmentPicture, CellValue};
///
/// let names = ["mon", "tue"].map(str::to_owned).to_vec();
/// let values = ["early", "late"].map(|text| CellValue::Text(text.to_owned())).to_vec();
/// let picture = AssignmentPicture::new(names, values).picture(&[vec![0, 1]], 1);
/// assert!(picture.svg().contains("<title>tue: late</title>"));
/// ```
#[derive(Clone, Debug)]
pub struct AssignmentPicture {
    names: Vec<String>,
    values: Vec<CellValue>,
    grid: Option<GridCells>,
    title: Option<String>,
}

impl AssignmentPicture {
    /// Makes a picture of variables with these names. A value is given by its index in `values`, which
    /// has each value of any variable once.
    pub fn new(names: Vec<String>, values: Vec<CellValue>) -> Self {
        let grid = GridCells::of_squares(&names);
        Self { names, values, grid, title: None }
    }

    /// Arranges the variables in a grid by the row and the column of each. Rows and columns are in the order in which they
    /// occur first, and have labels unless these count from 0 or 1.
    ///
    /// The variables stay in a table if two have the same cell, or if more than three quarters of the cells were empty.
    ///
    /// ```
    /// use topdd_draw::{AssignmentPicture, CellValue};
    ///
    /// let week = ["mon", "tue", "wed"].map(|day| ["week 1".to_owned(), day.to_owned()]);
    /// let names = week.clone().map(|pair| pair.join(" ")).to_vec();
    /// let picture = AssignmentPicture::new(names, vec![CellValue::False, CellValue::True]).pairs(&week);
    /// let (width, height) = picture.picture(&[vec![0, 1, 1]], 1).size();
    /// assert!(width > 2 * height);
    /// ```
    pub fn pairs(mut self, pairs: &[[String; 2]]) -> Self {
        self.grid = GridCells::of_pairs(pairs);
        self
    }

    /// Sets the title, which browsers show on request and screen readers read. The default has the numbers of assignments
    /// and variables.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Returns the picture of assignments in lines of `across`. An assignment has an index into `values` for
    /// each variable.
    ///
    /// # Panics
    ///
    /// If an index is out of range, or an assignment is longer than the list of names or of pairs.
    pub fn picture(&self, assignments: &[Vec<usize>], across: usize) -> Picture {
        let across = across.min(assignments.len()).max(1);
        let widths = self.values.iter().map(|value| match value {
            CellValue::Text(text) => width_of(text),
            CellValue::False | CellValue::True => CELL,
        });
        let width = widths.fold(CELL, f64::max);
        let places = match &self.grid {
            Some(grid) => grid.places(width),
            None => Places::table(&self.names, width),
        };
        let colours = self.colours();
        let mut svg = Svg::default();
        for (at, assignment) in assignments.iter().enumerate() {
            let x = PAD + (at % across) as f64 * (places.width + GAP);
            let y = PAD + (at / across) as f64 * (places.height + GAP);
            svg.group("assignment", x, y);
            for label in &places.labels {
                let style = Style { size: CAPITALS, colour: palette::QUIET, anchor: label.anchor };
                svg.text(label.x, label.y, style, &shortened(&label.text));
            }
            for (variable, &value) in assignment.iter().enumerate() {
                let [x, y] = places.cells[variable];
                let title = format!("{}: {}", self.names[variable], self.values[value].text());
                cell(&mut svg, [x, y, places.across], &self.values[value], &colours[value], &title);
            }
            svg.end();
        }
        let lines = assignments.len().div_ceil(across).max(1) as f64;
        let wide = across as f64 * (places.width + GAP) - GAP + 2.0 * PAD;
        let high = lines * (places.height + GAP) - GAP + 2.0 * PAD;
        let plural = if assignments.len() == 1 { "" } else { "s" };
        let default =
            format!("{} assignment{plural} of {} variables", assignments.len(), self.names.len());
        svg.finish(wide, high, self.title.as_ref().unwrap_or(&default), &self.about(assignments))
    }

    /// The colour of each value.
    fn colours(&self) -> Vec<String> {
        let mut classes = 0..;
        let mut colour = |value: &CellValue| match value {
            CellValue::False => palette::PAPER.to_owned(),
            _ => classes.next().map(palette::class).unwrap_or_default(),
        };
        self.values.iter().map(&mut colour).collect()
    }

    /// The picture in words, for screen readers.
    fn about(&self, assignments: &[Vec<usize>]) -> String {
        let [assignment] = assignments else { return String::new() };
        let pairs = self.names.iter().zip(assignment);
        let texts = pairs.map(|(name, &value)| format!("{name}: {}", self.values[value].text()));
        texts.collect::<Vec<_>>().join("; ")
    }
}

/// Draws a value at a place of a width.
fn cell(svg: &mut Svg, [x, y, width]: [f64; 3], value: &CellValue, colour: &str, title: &str) {
    let attributes: [(&str, &dyn Display); 7] = [
        ("class", &"cell"),
        ("x", &N(x)),
        ("y", &N(y)),
        ("width", &N(width)),
        ("height", &N(CELL)),
        ("fill", &colour),
        ("stroke", &palette::BOARD_EDGE),
    ];
    svg.element("rect", &attributes, Some(title));
    let [x, y] = [x + width / 2.0, y + CELL / 2.0];
    match value {
        CellValue::False => {}
        CellValue::True => {
            let attributes: [(&str, &dyn Display); 5] = [
                ("class", &"mark"),
                ("cx", &N(x)),
                ("cy", &N(y)),
                ("r", &N(CELL * 0.22)),
                ("fill", &palette::INK),
            ];
            svg.element("circle", &attributes, None);
        }
        CellValue::Text(text) => {
            let style =
                Style { size: CAPITALS, colour: palette::on(colour), anchor: Anchor::Middle };
            svg.text(x, y, style, &shortened(text));
        }
    }
}

/// The width of a cell for a text.
fn width_of(text: &str) -> f64 {
    lettering::width(&shortened(text)) * CAPITALS + 2.0 * MARGIN
}

/// The text, or its start with an ellipsis if it is too wide.
fn shortened(text: &str) -> Cow<'_, str> {
    const ELLIPSIS: char = '…';
    // More characters than fit, unless they are signs upon others.
    const MOST: usize = 64;
    let fits = |text: &str| lettering::width(text) * CAPITALS <= MAX_TEXT;
    if text.chars().nth(MOST).is_none() && fits(text) {
        return Cow::Borrowed(text);
    }
    let mut short = ELLIPSIS.to_string();
    for c in text.chars().take(MOST) {
        let before = short.len() - ELLIPSIS.len_utf8();
        short.insert(before, c);
        if !fits(&short) {
            short.remove(before);
            break;
        }
    }
    Cow::Owned(short)
}
