//! The curves of edges, which avoid vertices that are not their ends.

use std::collections::HashMap;

use topdd_graph::Graph;

use super::layout::GraphLayout;
use crate::svg::point::{Point, Rect};

/// The deviation of the middle of a curve from its chord, as a share of the chord, for each further
/// copy of a parallel edge.
const PARALLEL: f64 = 0.35;
/// The largest deviation of the copies of parallel edges; with many of them, each deviates by less.
const MAX_PARALLEL: f64 = 1.7321;
/// The size of a loop, for each further copy and at most, in radii of a vertex.
const LOOPS: [f64; 2] = [0.5, 4.0];
/// The deviations that are tried, straight first. No sum of two is a multiple of [`PARALLEL`] below 35, or of a part of
/// [`MAX_PARALLEL`], so that parallel edges have different curves.
const BENDS: [f64; 11] = [0.0, 0.13, -0.13, 0.26, -0.26, 0.39, -0.39, 0.52, -0.52, 0.78, -0.78];
/// The room between an edge and a vertex that is not one of its ends.
const CLEARANCE: f64 = 5.0;
/// The points of a curve at which its distance to vertices is measured.
const SAMPLES: usize = 16;
/// The largest number of pairs of an edge and a vertex that are compared.
const MAX_PAIRS: usize = 10_000_000;

/// A quadratic curve, or a loop if both ends are the same vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) from: Point,
    /// The control point: the curve begins and ends in its direction.
    pub(super) control: Point,
    pub(super) to: Point,
    /// The additional size of a loop, in radii of a vertex.
    larger: f64,
    pub(super) is_loop: bool,
}

impl Curve {
    /// A curve whose middle part is off its chord by `bend` times the length of the chord.
    fn bent(from: Point, to: Point, bend: f64) -> Self {
        let along = to - from;
        let aside = Point { x: -along.y, y: along.x } * bend;
        let control = (from + to) * 0.5 + aside;
        Curve { from, control, to, larger: 0.0, is_loop: false }
    }

    fn of_loop(at: Point, larger: f64) -> Self {
        Curve { from: at, control: at, to: at, larger, is_loop: true }
    }

    /// The two control points of a loop above its vertex.
    pub(super) fn loop_controls(&self, radius: f64) -> [Point; 2] {
        let out = radius * (1.4 + self.larger);
        [-2.0, 2.0].map(|side| self.from + Point { x: side * out, y: -2.5 * out })
    }

    /// The point at a share of the curve, from 0 to 1.
    pub(super) fn point(&self, share: f64) -> Point {
        let rest = 1.0 - share;
        self.from * (rest * rest) + self.control * (2.0 * share * rest) + self.to * (share * share)
    }

    /// The rectangle of a curve and its control points.
    pub(super) fn bounds(&self, radius: f64) -> Rect {
        let controls = if self.is_loop { self.loop_controls(radius) } else { [self.control; 2] };
        Rect::between(self.from, self.to).union(&Rect::between(controls[0], controls[1]))
    }

    /// The number of vertices that the curve passes under.
    fn collisions(&self, vertices: &SortedVertices<'_>, ends: [usize; 2]) -> usize {
        let room = vertices.layout.radius + CLEARANCE;
        let is_straight = self.control == (self.from + self.to) * 0.5;
        let steps = if is_straight { 1 } else { SAMPLES };
        let mut under = Vec::new();
        for step in 0..steps {
            let [start, end] = [step, step + 1].map(|at| self.point(at as f64 / steps as f64));
            let around = Rect::between(start, end).padded(room);
            let near = vertices.within(around).filter(|vertex| {
                let point = vertices.layout.points[*vertex];
                !ends.contains(vertex) && point.distance_from_segment(start, end) < room
            });
            under.extend(near);
        }
        // A vertex may be near two parts of a curve.
        under.sort_unstable();
        under.dedup();
        under.len()
    }
}

/// The vertices in the order of their points from left to right.
struct SortedVertices<'a> {
    layout: &'a GraphLayout,
    by_x: Vec<usize>,
}

impl<'a> SortedVertices<'a> {
    fn new(layout: &'a GraphLayout) -> Self {
        let points = &layout.points;
        let mut by_x: Vec<usize> = (0..points.len()).collect();
        by_x.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x));
        SortedVertices { layout, by_x }
    }

    /// The vertices whose points are within a rectangle.
    fn within(&self, rect: Rect) -> impl Iterator<Item = usize> {
        let points = &self.layout.points;
        let first = self.by_x.partition_point(|&vertex| points[vertex].x < rect.left);
        let later = self.by_x[first..].iter().copied();
        let in_columns = later.take_while(move |&vertex| points[vertex].x <= rect.right);
        in_columns.filter(move |&vertex| rect.contains(points[vertex]))
    }
}

/// The edges between two vertices: how many there are, and how many have a curve.
#[derive(Clone, Copy, Debug, Default)]
struct Copies {
    all: usize,
    drawn: usize,
}

/// The place of one of several items at equal steps from 0 on, such that the last one is not beyond a bound.
fn spread(item: usize, last: usize, [step, most]: [f64; 2]) -> f64 {
    item as f64 * step.min(most / last.max(1) as f64)
}

/// The curves of all edges, and the number of vertices that edges pass under nevertheless.
#[derive(Clone, Debug)]
pub(super) struct Curves {
    pub(super) of_edges: Vec<Curve>,
    pub(super) collisions: usize,
}

impl Curves {
    /// Straight lines where they pass under no vertex; else the least bent curves that pass under the
    /// fewest. Parallel edges bend more with each copy.
    pub(super) fn new(graph: &Graph, layout: &GraphLayout) -> Self {
        let avoids = graph.num_vertices().saturating_mul(graph.num_edges()) <= MAX_PAIRS;
        let vertices = SortedVertices::new(layout);
        let mut copies: HashMap<[usize; 2], Copies> = HashMap::new();
        for &(a, b) in graph.edges() {
            copies.entry([a.min(b), a.max(b)]).or_default().all += 1;
        }
        let mut curves = Curves { of_edges: Vec::with_capacity(graph.num_edges()), collisions: 0 };
        for &(a, b) in graph.edges() {
            let copies = copies.entry([a.min(b), a.max(b)]).or_default();
            let (copy, last) = (copies.drawn, copies.all - 1);
            copies.drawn += 1;
            let (from, to) = (layout.points[a], layout.points[b]);
            if a == b {
                let larger = spread(copy, last, LOOPS);
                curves.of_edges.push(Curve::of_loop(from, larger));
                continue;
            }
            // To one side and the other, whatever their directions.
            let side = if (copy % 2 == 1) == (a < b) { 1.0 } else { -1.0 };
            let ranks = [copy, last].map(|copy| copy.div_ceil(2));
            let parallel = side * spread(ranks[0], ranks[1], [PARALLEL, MAX_PARALLEL]);
            let bends: &[f64] = if avoids { &BENDS } else { &BENDS[..1] };
            let mut best: Option<(usize, Curve)> = None;
            for bend in bends {
                let curve = Curve::bent(from, to, parallel + bend);
                let collisions = if avoids { curve.collisions(&vertices, [a, b]) } else { 0 };
                if best.is_none_or(|(fewest, _)| collisions < fewest) {
                    best = Some((collisions, curve));
                }
                if collisions == 0 {
                    break;
                }
            }
            let (collisions, curve) = best.expect("a straight line is tried");
            curves.collisions += collisions;
            curves.of_edges.push(curve);
        }
        curves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_parallel_edges_and_loops_stay_near_their_vertices() {
        let edges = (0..200).map(|_| (0, 1)).chain((0..100).map(|_| (2, 2)));
        let graph = Graph::new(3, edges).unwrap();
        let layout = GraphLayout::at_positions(&graph, &[(0.0, 0.0), (1.0, 0.0), (5.0, 5.0)], true);
        let curves = Curves::new(&graph, &layout).of_edges;
        let chord = layout.points[0].distance(layout.points[1]);
        for (edge, curve) in curves.iter().enumerate() {
            let bounds = curve.bounds(layout.radius);
            let most = if curve.is_loop { 30.0 * layout.radius } else { 5.5 * chord };
            assert!(bounds.height() < most, "{edge}: {bounds:?}");
            let is_same = |other: &&Curve| other.point(0.5).distance(curve.point(0.5)) < 1e-6;
            let same = curves.iter().filter(is_same).count();
            assert!(curve.is_loop || same == 1, "{edge}");
        }
    }

    #[test]
    fn edges_pass_under_no_vertex() {
        // In the file, the edge 0-2 runs through vertex 1.
        let graph = Graph::new(3, [(0, 1), (1, 2), (0, 2)]).unwrap();
        let places = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)];
        let layout = GraphLayout::at_positions(&graph, &places, true);
        let curves = Curves::new(&graph, &layout);
        assert_eq!(curves.collisions, 0);
        let off = curves.of_edges[2].point(0.5).distance(layout.points[1]);
        assert!(off > layout.radius, "{off}");
        assert!(
            curves.of_edges[0].point(0.5).distance((layout.points[0] + layout.points[1]) * 0.5)
                < 1e-9
        );
    }
}
