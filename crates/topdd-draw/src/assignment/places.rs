//! The places of variables: in a grid by pairs of labels, on a board, or in a table.

use std::collections::{BTreeSet, HashMap, HashSet};

use topdd_chess::Square;

use super::{CAPITALS, CELL, MARGIN, width_of};
use crate::svg::Anchor;

/// The room for the labels of columns.
const ABOVE: f64 = CAPITALS + MARGIN;
/// The width of a table divided by its height, about.
const SHAPE: f64 = 1.5;

/// A text beside cells, with its middle at `y`.
pub(super) struct Label {
    pub(super) text: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) anchor: Anchor,
}

/// The top left of the cell of each variable, and the texts beside the cells.
pub(super) struct Places {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The width of a cell.
    pub(super) across: f64,
    pub(super) cells: Vec<[f64; 2]>,
    pub(super) labels: Vec<Label>,
}

impl Places {
    /// A table of names and cells of a width, in as many columns as its shape needs.
    pub(super) fn table(names: &[String], across: f64) -> Self {
        let beside = widest(names, 0.0);
        let column = beside + across + MARGIN;
        let extent = |rows: usize| {
            let columns = names.len().div_ceil(rows).max(1);
            [columns as f64 * column - MARGIN, rows as f64 * CELL]
        };
        let distortion = |&rows: &usize| {
            let [width, height] = extent(rows);
            (width / height / SHAPE).ln().abs()
        };
        let rows = (1..=names.len()).min_by(|one, two| distortion(one).total_cmp(&distortion(two)));
        let rows = rows.unwrap_or(1);
        let place = |at| [(at / rows) as f64 * column + beside, (at % rows) as f64 * CELL];
        let label = |(at, name): (usize, &String)| {
            let [x, y] = place(at);
            Label { text: name.clone(), x: x - MARGIN, y: y + CELL / 2.0, anchor: Anchor::End }
        };
        let ([width, height], labels) = (extent(rows), names.iter().enumerate().map(label));
        let (cells, labels) = ((0..names.len()).map(place).collect(), labels.collect());
        Self { width, height, across, cells, labels }
    }
}

/// The width of the widest text, and at least `least`.
fn widest(texts: &[String], least: f64) -> f64 {
    texts.iter().map(|text| width_of(text)).fold(least, f64::max)
}

/// The row and the column of each variable.
#[derive(Clone, Debug)]
pub(super) struct GridCells {
    /// The labels of all rows and columns.
    labels: [Vec<String>; 2],
    /// Whether rows and columns show their labels.
    shown: [bool; 2],
    cells: Vec<[usize; 2]>,
}

impl GridCells {
    /// The board of variables that are named as squares, if these are in several rows and columns, up to column `z`.
    pub(super) fn of_squares(names: &[String]) -> Option<Self> {
        let square = |name: &String| name.parse().ok().filter(|square: &Square| square.col < 26);
        let squares: Vec<Square> = names.iter().map(square).collect::<Option<_>>()?;
        let rows: BTreeSet<usize> = squares.iter().map(|square| square.row).collect();
        let cols: BTreeSet<usize> = squares.iter().map(|square| square.col).collect();
        if rows.len() < 2 || cols.len() < 2 {
            return None;
        }
        // The range of all smaller ones, or of all greater ones, as the first row is below.
        let place = |square: &Square| {
            [rows.range(square.row + 1..).count(), cols.range(..square.col).count()]
        };
        let letter = |&col: &usize| char::from(b'a' + col as u8).to_string();
        let rows_down = rows.iter().rev().map(|row| (row + 1).to_string()).collect();
        let labels = [rows_down, cols.iter().map(letter).collect()];
        Self { labels, shown: [true; 2], cells: squares.iter().map(place).collect() }.checked()
    }

    /// The rows and columns of pairs, in the order in which they occur first.
    pub(super) fn of_pairs(pairs: &[[String; 2]]) -> Option<Self> {
        let mut labels = [const { Vec::new() }; 2];
        let mut numbers = [(); 2].map(|()| HashMap::new());
        let mut cells = vec![[0; 2]; pairs.len()];
        for (pair, cell) in pairs.iter().zip(&mut cells) {
            for axis in 0..2 {
                let next = labels[axis].len();
                cell[axis] = *numbers[axis].entry(&pair[axis]).or_insert(next);
                if cell[axis] == next {
                    labels[axis].push(pair[axis].clone());
                }
            }
        }
        let counts_from = |first: usize, labels: &[String]| {
            labels.iter().enumerate().all(|(at, label)| *label == (at + first).to_string())
        };
        let shown = labels.each_ref().map(|of| !counts_from(0, of) && !counts_from(1, of));
        Self { labels, shown, cells }.checked()
    }

    /// The cells, unless two variables have the same one, or more than three quarters are empty.
    fn checked(self) -> Option<Self> {
        let different: HashSet<_> = self.cells.iter().collect();
        let [rows, cols] = self.labels.each_ref().map(Vec::len);
        let is_full = different.len() == self.cells.len() && rows * cols <= 4 * self.cells.len();
        is_full.then_some(self)
    }

    /// The places of cells, which have at least this width.
    pub(super) fn places(&self, across: f64) -> Places {
        let [rows, cols] = &self.labels;
        let left = if self.shown[0] { widest(rows, 0.0) } else { 0.0 };
        let (top, across) =
            if self.shown[1] { (ABOVE, widest(cols, across)) } else { (0.0, across) };
        let place = |[row, col]: [usize; 2]| [left + col as f64 * across, top + row as f64 * CELL];
        let beside = |(row, text): (usize, &String)| {
            let [x, y] = place([row, 0]);
            Label { text: text.clone(), x: x - MARGIN, y: y + CELL / 2.0, anchor: Anchor::End }
        };
        let above = |(col, text): (usize, &String)| {
            let ([x, _], y) = (place([0, col]), CAPITALS / 2.0);
            Label { text: text.clone(), x: x + across / 2.0, y, anchor: Anchor::Middle }
        };
        let beside = rows.iter().enumerate().map(beside).filter(|_| self.shown[0]);
        let above = cols.iter().enumerate().map(above).filter(|_| self.shown[1]);
        let [width, height] = place([rows.len(), cols.len()]);
        let cells = self.cells.iter().copied().map(place).collect();
        Places { width, height, across, cells, labels: beside.chain(above).collect() }
    }
}
