//! Points for the vertices of a graph: its own positions, a layout by springs, or a circle.

use std::collections::VecDeque;
use std::f64::consts::TAU;

use topdd_graph::Graph;

use crate::svg::point::Point;

/// The mean length of an edge.
pub(super) const EDGE: f64 = 96.0;
/// The radius of a vertex, if there is room.
pub(super) const MAX_RADIUS: f64 = 15.0;
/// The radius of a vertex on a crowded map.
const MIN_RADIUS: f64 = 1.5;
/// The least room between two vertices, if there is room.
const GAP: f64 = 8.0;
/// The longest side of the drawing.
pub(super) const MAX_SIDE: f64 = 4000.0;
/// The largest number of vertices that are laid out by springs: a step compares each two of them.
const MAX_SPRINGS: usize = 400;
/// The number of steps of springs.
const STEPS: usize = 200;
/// The angle by which successive points on a spiral differ, in radians.
const GOLDEN_ANGLE: f64 = 2.399_963;

/// The points of the vertices, and the radius of a vertex.
#[derive(Clone, Debug)]
pub(super) struct GraphLayout {
    pub(super) points: Vec<Point>,
    pub(super) radius: f64,
}

impl GraphLayout {
    /// The vertices at their own positions, in the proportions of the positions. Vertices that would
    /// overlap are smaller, and are moved apart.
    pub(super) fn at_positions(graph: &Graph, positions: &[(f64, f64)], y_up: bool) -> Self {
        let finite = |number: f64| if number.is_finite() { number } else { 0.0 };
        let up = if y_up { -1.0 } else { 1.0 };
        // From the least ones, because a renderer may compute with few digits.
        let least =
            |numbers: &mut dyn Iterator<Item = f64>| numbers.reduce(f64::min).unwrap_or(0.0);
        let left = least(&mut positions.iter().map(|&(x, _)| finite(x)));
        let low = least(&mut positions.iter().map(|&(_, y)| finite(y)));
        let points = positions
            .iter()
            .map(|&(x, y)| Point { x: finite(x) - left, y: up * (finite(y) - low) });
        Self::scaled(graph, points.collect())
    }

    /// A layout in which neighbours are close; on a circle if there are many vertices.
    pub(super) fn by_springs(graph: &Graph) -> Self {
        if graph.num_vertices() > MAX_SPRINGS {
            return Self::on_circle(graph);
        }
        let mut layout = Self::scaled(graph, springs(graph));
        layout.radius = MAX_RADIUS;
        separate(&mut layout.points, 2.0 * MAX_RADIUS + 2.0 * GAP);
        layout
    }

    /// The vertices on a circle, in the order of their numbers.
    pub(super) fn on_circle(graph: &Graph) -> Self {
        let vertices = graph.num_vertices();
        let room = (2.0 * MAX_RADIUS + GAP) * 1.5;
        let circle = circle(vertices);
        let points = circle.into_iter().map(|point| point * room);
        let points: Vec<Point> = points.collect();
        let scale = (MAX_SIDE / extent(&points)).min(1.0);
        let radius = (MAX_RADIUS * scale).max(MIN_RADIUS);
        GraphLayout { points: points.into_iter().map(|point| point * scale).collect(), radius }
    }

    /// The points in units of the picture, such that edges have the mean length [`EDGE`], or longer if
    /// the vertices would overlap.
    fn scaled(graph: &Graph, points: Vec<Point>) -> Self {
        let lengths = graph.edges().iter().map(|&(a, b)| points[a].distance(points[b]));
        let lengths: Vec<f64> = lengths.filter(|&length| length > 0.0).collect();
        let longer = extent(&points);
        let mean = match lengths.len() {
            0 => longer / (points.len() as f64).sqrt().max(1.0),
            edges => lengths.iter().sum::<f64>() / edges as f64,
        };
        if longer <= 0.0 {
            let mut points = points;
            separate(&mut points, 2.0 * MAX_RADIUS + 2.0 * GAP);
            return GraphLayout { points, radius: MAX_RADIUS };
        }
        let near = usual_distance(&points);
        let usual = EDGE / mean;
        let roomy = (2.0 * MAX_RADIUS + GAP) / near.max(1e-9);
        let scale = usual.max(roomy.min(4.0 * usual)).min(MAX_SIDE / longer);
        let mut points: Vec<Point> = points.into_iter().map(|point| point * scale).collect();
        let radius = (near * scale * 0.3).clamp(MIN_RADIUS, MAX_RADIUS);
        separate(&mut points, 2.0 * radius + GAP.min(radius));
        GraphLayout { points, radius }
    }

    /// Moves the points apart from one another by a factor; the vertices keep their size. Does nothing
    /// if the drawing is large.
    pub(super) fn grow(&mut self, factor: f64) -> bool {
        let fits = extent(&self.points) * factor <= MAX_SIDE;
        if fits {
            for point in &mut self.points {
                *point = *point * factor;
            }
        }
        fits
    }
}

/// The longer side of the rectangle around the points.
fn extent(points: &[Point]) -> f64 {
    let side = |axis: fn(&Point) -> f64| {
        let low = points.iter().map(axis).fold(f64::MAX, f64::min);
        let high = points.iter().map(axis).fold(f64::MIN, f64::max);
        (high - low).max(0.0)
    };
    side(|point| point.x).max(side(|point| point.y))
}

/// Points on a circle, neighbours about one unit apart, the first at the top, clockwise.
fn circle(points: usize) -> Vec<Point> {
    let radius = (points as f64 / TAU).max(0.5);
    (0..points).map(|place| Point::polar(radius, TAU * place as f64 / points as f64)).collect()
}

/// A distance that nine of ten points have at least to the nearest point elsewhere; 0 if there is one place.
fn usual_distance(points: &[Point]) -> f64 {
    let nearest = |place: usize| {
        let others = (0..points.len()).filter(|&other| other != place);
        let distances = others.map(|other| points[place].distance(points[other]));
        distances.filter(|&distance| distance > 0.0).min_by(f64::total_cmp)
    };
    let mut nearest: Vec<f64> = (0..points.len()).filter_map(nearest).collect();
    nearest.sort_by(f64::total_cmp);
    nearest.get(nearest.len() / 10).copied().unwrap_or(0.0)
}

/// Moves points apart that are closer than `room` until there are none, or for 200 rounds.
fn separate(points: &mut [Point], room: f64) {
    let mut order: Vec<usize> = (0..points.len()).collect();
    for _ in 0..200 {
        order.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x).then(a.cmp(&b)));
        let mut moved = false;
        for place in 0..order.len() {
            let a = order[place];
            for &b in &order[place + 1..] {
                if points[b].x - points[a].x >= room {
                    break;
                }
                let apart = points[b] - points[a];
                let distance = apart.length();
                if distance >= room - 1e-6 {
                    continue;
                }
                moved = true;
                let away = if distance > 1e-6 {
                    apart * (1.0 / distance)
                } else {
                    Point::polar(1.0, GOLDEN_ANGLE * b as f64)
                };
                // A little further than needed, so that few rounds suffice.
                let push = away * ((room - distance) * 0.51);
                points[a] = points[a] - push;
                points[b] = points[b] + push;
            }
        }
        if !moved {
            return;
        }
    }
}

/// Points such that the distance of each two vertices is about the number of edges between them (E. R.
/// Gansner, Y. Koren and S. North, *Graph drawing by stress majorization*, 2004). Quadratic time.
fn springs(graph: &Graph) -> Vec<Point> {
    let vertices = graph.num_vertices();
    let mut distances: Vec<Vec<f64>> =
        (0..vertices).map(|vertex| distances_from(graph, vertex)).collect();
    let longest = distances.iter().flatten().filter(|length| length.is_finite());
    let longest = longest.copied().fold(1.0, f64::max);
    // Between components, so that they do not drift apart.
    for length in distances.iter_mut().flatten().filter(|length| length.is_infinite()) {
        *length = longest.min((vertices as f64).sqrt()) + 1.0;
    }
    let mut points = start(&distances);
    for _ in 0..STEPS {
        for vertex in 0..vertices {
            let (mut sum, mut weights) = (Point::ORIGIN, 0.0);
            let here = points[vertex];
            for (other, &length) in distances[vertex].iter().enumerate() {
                if other == vertex {
                    continue;
                }
                let away = here - points[other];
                let weight = 1.0 / (length * length);
                let target = points[other] + away * (length / away.length().max(1e-6));
                sum = sum + target * weight;
                weights += weight;
            }
            if weights > 0.0 {
                points[vertex] = sum * (1.0 / weights);
            }
        }
    }
    points
}

/// The numbers of edges to all vertices; infinite where there is no path. Directions are ignored.
fn distances_from(graph: &Graph, source: usize) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; graph.num_vertices()];
    distances[source] = 0.0;
    let mut queue = VecDeque::from([source]);
    while let Some(vertex) = queue.pop_front() {
        for &edge in graph.incident(vertex) {
            let (a, b) = graph.edges()[edge];
            let other = if a == vertex { b } else { a };
            if distances[other].is_infinite() {
                distances[other] = distances[vertex] + 1.0;
                queue.push_back(other);
            }
        }
    }
    distances
}

/// Points by the distances from vertices that are far from one another, each off a little on a circle,
/// so that no two points are equal.
fn start(distances: &[Vec<f64>]) -> Vec<Point> {
    let vertices = distances.len();
    let farthest = |length: &dyn Fn(usize) -> f64| {
        (0..vertices).rev().max_by(|&a, &b| length(a).total_cmp(&length(b))).unwrap_or(0)
    };
    if vertices == 0 {
        return Vec::new();
    }
    let left = farthest(&|vertex| distances[0][vertex]);
    let right = farthest(&|vertex| distances[left][vertex]);
    let (from_left, from_right) = (&distances[left], &distances[right]);
    let low = farthest(&|vertex| from_left[vertex].min(from_right[vertex]));
    let circle = circle(vertices).into_iter().enumerate();
    let points = circle.map(|(vertex, point)| {
        let x = from_left[vertex] - from_right[vertex];
        let y = 2.0 * distances[low][vertex] - from_left[vertex].min(from_right[vertex]);
        Point { x, y } + point * (TAU / vertices as f64)
    });
    points.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_positions(graph: &Graph) -> Graph {
        Graph::new(graph.num_vertices(), graph.edges().iter().copied()).unwrap()
    }

    fn closest(layout: &GraphLayout) -> f64 {
        let points = &layout.points;
        let pairs = (0..points.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.map(|(a, b)| points[a].distance(points[b])).fold(f64::MAX, f64::min)
    }

    #[test]
    fn neighbours_are_closer_than_others() {
        let layout = GraphLayout::by_springs(&without_positions(&Graph::path(12)));
        let points = &layout.points;
        for vertex in 1..12 {
            let length = points[vertex - 1].distance(points[vertex]);
            assert!((0.8..1.2).contains(&(length / EDGE)), "{length}");
        }
        assert!(points[0].distance(points[11]) > 8.0 * EDGE);
    }

    #[test]
    fn vertices_do_not_overlap() {
        for graph in [
            Graph::complete(40),
            Graph::star(60),
            Graph::grid(9, 9),
            Graph::empty(50),
            Graph::random_gnp(80, 0.3, 1),
        ] {
            for layout in [
                GraphLayout::by_springs(&without_positions(&graph)),
                GraphLayout::on_circle(&graph),
            ] {
                assert!(closest(&layout) >= 2.0 * layout.radius, "{}", closest(&layout));
            }
        }
    }

    #[test]
    fn equal_positions_are_moved_apart() {
        let graph = Graph::new(6, [(0, 5)]).unwrap();
        let positions =
            [(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (f64::NAN, 0.0), (2.0, 2.0), (90.0, 7.0)];
        let layout = GraphLayout::at_positions(&graph, &positions, true);
        assert!(closest(&layout) >= 2.0 * layout.radius);
        let graph = Graph::empty(3);
        let layout = GraphLayout::at_positions(&graph, &[(0.0, 0.0); 3], true);
        assert!(closest(&layout) >= 2.0 * layout.radius);
    }

    #[test]
    fn the_second_coordinate_points_up() {
        let graph = Graph::new(2, [(0, 1)]).unwrap();
        let [oslo, rome] = [(10.7, 59.9), (12.5, 41.9)];
        let up = GraphLayout::at_positions(&graph, &[oslo, rome], true).points;
        assert!(up[0].y < up[1].y && up[0].x < up[1].x);
        let down = GraphLayout::at_positions(&graph, &[oslo, rome], false).points;
        assert!(down[0].y > down[1].y && down[0].x < down[1].x);
    }
}
