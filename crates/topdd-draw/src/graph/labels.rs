//! Places for texts beside vertices and on edges: near their vertex, off other texts and vertices, and off
//! edges where there is room.

use std::collections::HashMap;

use super::curves::Curve;
use super::layout::GraphLayout;
use crate::svg::lettering;
use crate::svg::point::{Point, Rect};

/// The height of capitals of a name beside its vertex.
pub(super) const NAME: f64 = 11.0;
/// The height of capitals of a number of uses.
pub(super) const NUMBER: f64 = 8.0;
/// The least height of capitals of a name within its vertex.
const MIN_INSIDE: f64 = 7.0;
/// The side of a cell in which edges are counted.
const CELL: f64 = 8.0;

/// The height at which a name fits into its vertex; `None` if it would be too small to read.
pub(super) fn size_inside(name: &str, radius: f64) -> Option<f64> {
    let size = lettering::fitting(name, radius * 0.8, 2.0 * radius - 6.0);
    (size >= MIN_INSIDE || name.is_empty()).then_some(size)
}

/// The edges that cross each cell of a grid.
#[derive(Clone, Debug)]
struct EdgeGrid {
    bounds: Rect,
    across: usize,
    cells: Vec<u32>,
}

impl EdgeGrid {
    fn new(curves: &[Curve], radius: f64) -> Self {
        let rects = curves.iter().map(|curve| curve.bounds(radius));
        let bounds = rects.reduce(|all, rect| all.union(&rect));
        let bounds = bounds.unwrap_or(Rect::around(Point::ORIGIN, 0.0, 0.0));
        let [across, down] =
            [bounds.width(), bounds.height()].map(|side| (side / CELL) as usize + 1);
        let mut grid = EdgeGrid { bounds, across, cells: vec![0; across * down] };
        for curve in curves.iter().filter(|curve| !curve.is_loop) {
            let steps = (curve.from.distance(curve.to) / CELL).ceil().max(1.0) as usize;
            let mut last = None;
            for step in 0..=steps {
                let cell = grid.cell(curve.point(step as f64 / steps as f64));
                if last.replace(cell) != Some(cell) {
                    grid.cells[cell] += 1;
                }
            }
        }
        grid
    }

    fn cell(&self, point: Point) -> usize {
        let down = ((point.y - self.bounds.top) / CELL).max(0.0) as usize;
        let across = ((point.x - self.bounds.left) / CELL).max(0.0) as usize;
        (down * self.across + across.min(self.across - 1)).min(self.cells.len() - 1)
    }

    /// The number of cells of a rectangle that edges cross, each as often as edges cross it.
    fn crossings(&self, rect: &Rect) -> u32 {
        if !rect.overlaps(&self.bounds) {
            return 0;
        }
        let [first, last] =
            [Point { x: rect.left, y: rect.top }, Point { x: rect.right, y: rect.bottom }]
                .map(|corner| self.cell(corner));
        let (rows, cols) =
            (first / self.across..=last / self.across, first % self.across..=last % self.across);
        rows.flat_map(|row| cols.clone().map(move |col| self.cells[row * self.across + col])).sum()
    }
}

/// The rectangles of vertices and texts, by the cells of a grid that they are in.
#[derive(Clone, Debug, Default)]
struct Occupied {
    cells: HashMap<[i64; 2], Vec<Rect>>,
}

impl Occupied {
    /// The side of a cell.
    const SIDE: f64 = 64.0;

    fn cells(rect: &Rect) -> impl Iterator<Item = [i64; 2]> + use<> {
        let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom]
            .map(|side| (side / Self::SIDE).floor() as i64);
        (top..=bottom).flat_map(move |row| (left..=right).map(move |col| [row, col]))
    }

    fn insert(&mut self, rect: Rect) {
        for cell in Self::cells(&rect) {
            self.cells.entry(cell).or_default().push(rect);
        }
    }

    /// The number of rectangles that this one overlaps, each in as many cells as both have.
    fn overlaps(&self, rect: &Rect) -> usize {
        let near = Self::cells(rect).filter_map(|cell| self.cells.get(&cell)).flatten();
        near.filter(|other| rect.overlaps(other)).count()
    }
}

/// The places that are taken.
#[derive(Clone, Debug)]
pub(super) struct TakenPlaces {
    occupied: Occupied,
    edges: EdgeGrid,
    radius: f64,
    /// The number of texts that overlap other texts or vertices.
    pub(super) overlaps: usize,
}

impl TakenPlaces {
    pub(super) fn new(layout: &GraphLayout, curves: &[Curve]) -> Self {
        let radius = layout.radius;
        let mut occupied = Occupied::default();
        for &point in &layout.points {
            occupied.insert(Rect::around(point, radius, radius));
        }
        TakenPlaces { occupied, edges: EdgeGrid::new(curves, radius), radius, overlaps: 0 }
    }

    /// Takes the best place beside a vertex for a text whose capitals have this height.
    pub(super) fn beside(&mut self, vertex: Point, text: &str, size: f64) -> Rect {
        let (across, down) = (lettering::width(text) * size / 2.0 + 2.0, size * 0.8);
        let cost = |rect: &Rect| (self.occupied.overlaps(rect), self.edges.crossings(rect));
        let mut best: Option<((usize, u32), Rect)> = None;
        for room in [3.0, 10.0, 20.0, 34.0] {
            let (beside, level) = (self.radius + room + across, self.radius + room + down);
            let slant = self.radius * 0.7 + room;
            let (aslant, up) = (slant + across, slant + down);
            for (dx, dy) in [
                (beside, 0.0),
                (-beside, 0.0),
                (0.0, level),
                (0.0, -level),
                (aslant, -up),
                (aslant, up),
                (-aslant, -up),
                (-aslant, up),
            ] {
                let rect = Rect::around(vertex + Point { x: dx, y: dy }, across, down);
                let cost = cost(&rect);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, rect));
                }
            }
            // Farther away, it is less clear which vertex is meant.
            if best.is_some_and(|((taken, _), _)| taken == 0) {
                break;
            }
        }
        let ((taken, _), rect) = best.expect("there are several places");
        self.overlaps += usize::from(taken > 0);
        self.occupied.insert(rect);
        rect
    }

    /// Takes a free place on a curve for a text; `None` if there is none.
    pub(super) fn along(&mut self, curve: &Curve, text: &str, size: f64) -> Option<Rect> {
        let (across, down) = (lettering::width(text) * size / 2.0 + 2.0, size * 0.8);
        let shares = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];
        let rects = shares.map(|share| Rect::around(curve.point(share), across, down));
        let rect = rects.into_iter().find(|rect| self.occupied.overlaps(rect) == 0)?;
        self.occupied.insert(rect);
        Some(rect)
    }
}
