//! The elements of a picture of a graph.

use super::arrangement::NamePlace;
use super::curves::Curve;
use super::labels::{NAME, NUMBER};
use super::{GraphPicture, Marks};
use crate::heat::{line_colour, line_width, share, short};
use crate::svg::path::N;
use crate::svg::point::{Point, Rect};
use crate::svg::{Anchor, Style, Svg, palette};

/// The largest number of edges of the usual width.
const MAX_BOLD: f64 = 100.0;

/// The colour and the width of a line.
struct LineStyle {
    class: &'static str,
    colour: String,
    width: f64,
}

/// A number of uses at its place.
struct UseLabel {
    text: String,
    at: Rect,
}

/// A graph with all its texts, ready to be drawn.
pub(super) struct Scene<'a> {
    picture: &'a GraphPicture,
    numbers: Vec<UseLabel>,
    /// The rectangle around everything.
    pub(super) bounds: Rect,
}

impl<'a> Scene<'a> {
    pub(super) fn new(picture: &'a GraphPicture) -> Self {
        let arranged = &picture.arranged;
        let (points, radius) = (&arranged.layout.points, arranged.layout.radius);
        let mut labels = arranged.labels.clone();
        let mut numbers = Vec::new();
        if let Marks::Uses { counts, .. } = &picture.vertices {
            for (&point, count) in points.iter().zip(counts) {
                let text = short(count);
                let at = labels.beside(point, &text, NUMBER);
                numbers.push(UseLabel { text, at });
            }
        }
        if let Marks::Uses { counts, .. } = &picture.edges {
            for (curve, count) in arranged.curves.iter().zip(counts) {
                let text = short(count);
                // Without a free place, the number is the title of the edge alone.
                let at = labels.along(curve, &text, NUMBER);
                numbers.extend(at.map(|at| UseLabel { text, at }));
            }
        }
        let names = arranged.names.iter().filter_map(|name| match name {
            NamePlace::Inside(_) => None,
            NamePlace::Beside(rect) => Some(*rect),
        });
        let vertices = points.iter().map(|&point| Rect::around(point, radius, radius));
        let curves = arranged.curves.iter().map(|curve| curve.bounds(radius));
        let all = vertices.chain(curves).chain(names).chain(numbers.iter().map(|number| number.at));
        let bounds = all.reduce(|all, rect| all.union(&rect));
        let bounds = bounds.unwrap_or(Rect::around(Point::ORIGIN, 0.0, 0.0));
        Scene { picture, numbers, bounds }
    }

    /// Draws the edges, then the vertices, then the texts, so that all texts can be read.
    pub(super) fn draw(&self, svg: &mut Svg) {
        let curves = &self.picture.arranged.curves;
        let mut edges: Vec<usize> = (0..curves.len()).collect();
        // Marked edges are on top, and among used ones the most used.
        match &self.picture.edges {
            Marks::None => {}
            Marks::Chosen(marks) => edges.sort_by_key(|&edge| marks[edge]),
            Marks::Uses { counts, .. } => edges.sort_by(|&a, &b| counts[a].cmp(&counts[b])),
        }
        for edge in edges {
            self.draw_edge(svg, edge);
        }
        for vertex in 0..self.picture.graph.num_vertices() {
            self.draw_vertex(svg, vertex);
        }
        for (vertex, place) in self.picture.arranged.names.iter().enumerate() {
            if let NamePlace::Beside(rect) = place {
                let name = self.picture.graph.vertex_name(vertex);
                svg.label(rect.middle(), middle(NAME, palette::INK), &name);
            }
        }
        for UseLabel { text, at } in &self.numbers {
            svg.label(at.middle(), middle(NUMBER, palette::QUIET), text);
        }
    }

    fn line(&self, edge: usize) -> LineStyle {
        let line = |class, colour: String, width| LineStyle { class, colour, width };
        // Thinner if there are many, so that a dense graph is not all lines.
        let fine = 3.0 * (MAX_BOLD / self.picture.graph.num_edges() as f64).sqrt().clamp(0.3, 1.0);
        match &self.picture.edges {
            Marks::Chosen(marks) if marks[edge] => {
                line("edge marked", palette::TOUR.to_owned(), 7.0)
            }
            Marks::Chosen(_) => line("edge", palette::GRID.to_owned(), fine),
            Marks::Uses { counts, most, .. } => {
                let share = share(&counts[edge], most);
                line("edge", line_colour(share), line_width(share))
            }
            Marks::None => line("edge", palette::BOARD_EDGE.to_owned(), fine),
        }
    }

    fn draw_edge(&self, svg: &mut Svg, edge: usize) {
        let (graph, arranged) = (&self.picture.graph, &self.picture.arranged);
        let (curve, radius) = (&arranged.curves[edge], arranged.layout.radius);
        let line = self.line(edge);
        let Curve { from, control, to, .. } = *curve;
        let d = if curve.is_loop {
            let [left, right] = curve.loop_controls(radius);
            format!("M {} C {} {} {}", at(from), at(left), at(right), at(to))
        } else if control == (from + to) * 0.5 {
            format!("M {} L {}", at(from), at(to))
        } else {
            format!("M {} Q {} {}", at(from), at(control), at(to))
        };
        let title = match &self.picture.edges {
            Marks::Uses { counts, all, .. } => {
                let (a, b) = graph.edges()[edge];
                let [a, b] = [a, b].map(|vertex| graph.vertex_name(vertex));
                Some(format!("{a} {b}: {} of {all}", counts[edge]))
            }
            _ => None,
        };
        svg.titled_stroke(line.class, &d, &line.colour, line.width, title.as_deref());
        if graph.is_directed() && !curve.is_loop {
            arrow(svg, curve, radius, &line);
        }
    }

    fn draw_vertex(&self, svg: &mut Svg, vertex: usize) {
        let arranged = &self.picture.arranged;
        let point = arranged.layout.points[vertex];
        let name = self.picture.graph.vertex_name(vertex);
        let (fill, ink) = self.fill(vertex);
        let (rim, rim_width) = self.rim(vertex);
        let title = match &self.picture.vertices {
            Marks::Uses { counts, all, .. } => format!("{name}: {} of {all}", counts[vertex]),
            _ => name.clone(),
        };
        svg.element(
            "circle",
            &[
                ("class", &"vertex"),
                ("cx", &N(point.x)),
                ("cy", &N(point.y)),
                ("r", &N(arranged.layout.radius)),
                ("fill", &fill),
                ("stroke", &rim),
                ("stroke-width", &N(rim_width)),
            ],
            Some(&title),
        );
        if let NamePlace::Inside(size) = arranged.names[vertex] {
            svg.text(point.x, point.y, middle(size, ink), &name);
        }
    }

    /// The colour of a vertex, and of text on it.
    fn fill(&self, vertex: usize) -> (String, &'static str) {
        match (&self.picture.vertices, &self.picture.colours) {
            (Marks::Uses { counts, most, .. }, _) => {
                let share = share(&counts[vertex], most);
                (palette::heat(share), palette::on_heat(share))
            }
            (_, Some(colours)) => (palette::class(colours[vertex]), palette::INK),
            (Marks::Chosen(marks), None) if marks[vertex] => {
                (palette::TOUR.to_owned(), palette::PAPER)
            }
            _ => (palette::PAPER.to_owned(), palette::INK),
        }
    }

    /// The colour and the width of the rim of a vertex.
    fn rim(&self, vertex: usize) -> (&'static str, f64) {
        match (&self.picture.vertices, &self.picture.colours) {
            (Marks::Chosen(marks), Some(_)) if marks[vertex] => (palette::TOUR, 6.0),
            _ => (palette::BOARD_EDGE, 2.0),
        }
    }
}

/// Draws the head of an arrow, which touches the vertex at the end of a curve.
fn arrow(svg: &mut Svg, curve: &Curve, radius: f64, line: &LineStyle) {
    // A curve ends in the direction from its control point.
    let along = curve.to - curve.control;
    let along = along * (1.0 / along.length().max(1.0));
    let aside = Point { x: -along.y, y: along.x };
    let tip = curve.to - along * (radius + 2.0);
    let [left, right] = [-6.0, 6.0].map(|side| tip - along * 10.0 + aside * side);
    let d = format!("M {} L {} L {}", at(left), at(tip), at(right));
    svg.stroke("arrow", &d, &line.colour, line.width.min(4.0));
}

fn at(point: Point) -> String {
    format!("{} {}", N(point.x), N(point.y))
}

fn middle(size: f64, colour: &'static str) -> Style {
    Style { size, colour, anchor: Anchor::Middle }
}
