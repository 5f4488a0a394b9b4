//! Graphs: one subgraph, one vertex set or one colouring marked, or how often each part is used.

mod layout;

use std::collections::HashMap;

use num_bigint::BigUint;
use topdd_graph::Graph;

use crate::Picture;
use crate::svg::path::N;
use crate::svg::{Anchor, Style, Svg, lettering, palette};
use layout::layout;

/// The mean length of an edge.
const EDGE: f64 = 96.0;
/// The longest side of the drawing.
const MOST: f64 = 4000.0;
/// The radius of a vertex.
const RADIUS: f64 = 15.0;
/// The room around the drawing.
const PAD: f64 = 40.0;

/// The style of each element.
#[derive(Clone, Debug, Default)]
enum Marks {
    /// All are equal.
    #[default]
    None,
    /// Whether each is marked.
    Chosen(Vec<bool>),
    /// The share of the solutions that have each, from 0 to 1.
    Shares(Vec<f64>),
}

/// A picture of a graph: at its own positions, or at those of a spring layout.
///
/// ```
/// use topdd_draw::{GraphPicture, graph_sheet};
/// use topdd_graph::Graph;
///
/// let petersen = Graph::named("petersen").unwrap();
/// let marked = GraphPicture::new(&petersen).edges([0, 1, 2]);
/// let picture = graph_sheet(&[(marked, String::new())], 1, "a path");
/// assert_eq!(picture.svg().matches("class=\"vertex\"").count(), 10);
/// assert_eq!(picture.svg().matches("class=\"edge marked\"").count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct GraphPicture {
    graph: Graph,
    /// The position of each vertex, from 0.
    places: Vec<(f64, f64)>,
    size: (f64, f64),
    edges: Marks,
    vertices: Marks,
    colours: Option<Vec<usize>>,
}

impl GraphPicture {
    /// Makes a picture of a graph without marks. Takes time quadratic in the number of vertices if the
    /// graph has no positions and at most 400 vertices; larger ones are drawn on a circle.
    pub fn new(graph: &Graph) -> Self {
        let places = match graph.positions() {
            Some(positions) => positions.to_vec(),
            None => layout(graph),
        };
        let (places, size) = fitted(graph, &places);
        let (edges, vertices) = (Marks::None, Marks::None);
        Self { graph: graph.clone(), places, size, edges, vertices, colours: None }
    }

    /// Marks edges; the others are faint.
    pub fn edges(mut self, edges: impl IntoIterator<Item = usize>) -> Self {
        self.edges = Marks::Chosen(chosen(self.graph.num_edges(), edges));
        self
    }

    /// Marks vertices.
    pub fn vertices(mut self, vertices: impl IntoIterator<Item = usize>) -> Self {
        self.vertices = Marks::Chosen(chosen(self.graph.num_vertices(), vertices));
        self
    }

    /// Fills vertices with their colours.
    pub fn colours(mut self, colours: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut all = vec![0; self.graph.num_vertices()];
        for (vertex, colour) in colours {
            if let Some(place) = all.get_mut(vertex) {
                *place = colour;
            }
        }
        self.colours = Some(all);
        self
    }

    /// Shades edges by how many of `all` solutions have them.
    pub fn edge_uses(
        mut self,
        uses: impl IntoIterator<Item = (usize, BigUint)>,
        all: &BigUint,
    ) -> Self {
        self.edges = Marks::Shares(shares(self.graph.num_edges(), uses, all));
        self
    }

    /// Shades vertices by how many of `all` solutions have them.
    pub fn vertex_uses(
        mut self,
        uses: impl IntoIterator<Item = (usize, BigUint)>,
        all: &BigUint,
    ) -> Self {
        self.vertices = Marks::Shares(shares(self.graph.num_vertices(), uses, all));
        self
    }

    fn draw(&self, svg: &mut Svg) {
        let marked = |edge: usize| matches!(&self.edges, Marks::Chosen(marks) if marks[edge]);
        let mut parallel: HashMap<(usize, usize), usize> = HashMap::new();
        let copies = self.graph.edges().iter().map(|&(a, b)| {
            let copies = parallel.entry((a.min(b), a.max(b))).or_insert(0);
            *copies += 1;
            *copies - 1
        });
        let mut edges: Vec<(usize, usize)> = copies.enumerate().collect();
        // Marked edges are on top.
        edges.sort_by_key(|&(edge, _)| marked(edge));
        for (edge, copy) in edges {
            self.draw_edge(svg, edge, copy);
        }
        for vertex in 0..self.graph.num_vertices() {
            self.draw_vertex(svg, vertex);
        }
    }

    /// Draws an edge; parallel ones bend more with each copy.
    fn draw_edge(&self, svg: &mut Svg, edge: usize, copy: usize) {
        let (a, b) = self.graph.edges()[edge];
        let ((x, y), (to_x, to_y)) = (self.places[a], self.places[b]);
        // To one side and the other, whatever their directions.
        let side = if (copy % 2 == 1) == (a < b) { 0.35 } else { -0.35 };
        let bend = copy.div_ceil(2) as f64 * side;
        let (dx, dy) = (to_x - x, to_y - y);
        let middle = (f64::midpoint(x, to_x) - dy * bend, f64::midpoint(y, to_y) + dx * bend);
        let (class, colour, width) = match &self.edges {
            Marks::Chosen(marks) if marks[edge] => ("edge marked", palette::TOUR.to_owned(), 7.0),
            Marks::Chosen(_) => ("edge", palette::GRID.to_owned(), 3.0),
            Marks::Shares(shares) => {
                ("edge", palette::heat(0.1 + 0.9 * shares[edge]), 3.0 + 5.0 * shares[edge])
            }
            Marks::None => ("edge", palette::BOARD_EDGE.to_owned(), 3.0),
        };
        if a == b {
            let out = RADIUS * (1.4 + 0.5 * copy as f64);
            let d = format!(
                "M {} {} C {} {} {} {} {} {}",
                N(x),
                N(y),
                N(x - 2.0 * out),
                N(y - 2.5 * out),
                N(x + 2.0 * out),
                N(y - 2.5 * out),
                N(x),
                N(y)
            );
            svg.stroke(class, &d, &colour, width);
            return;
        }
        let d = format!(
            "M {} {} Q {} {} {} {}",
            N(x),
            N(y),
            N(middle.0),
            N(middle.1),
            N(to_x),
            N(to_y)
        );
        svg.stroke(class, &d, &colour, width);
        if self.graph.is_directed() {
            // A curve ends in the direction from its middle point.
            let (dx, dy) = (to_x - middle.0, to_y - middle.1);
            let length = dx.hypot(dy).max(1.0);
            let (ux, uy) = (dx / length, dy / length);
            let tip = (to_x - ux * (RADIUS + 2.0), to_y - uy * (RADIUS + 2.0));
            let wing = |side: f64| {
                (tip.0 - 10.0 * ux - side * 6.0 * uy, tip.1 - 10.0 * uy + side * 6.0 * ux)
            };
            let (left, right) = (wing(1.0), wing(-1.0));
            let d = format!(
                "M {} {} L {} {} L {} {}",
                N(left.0),
                N(left.1),
                N(tip.0),
                N(tip.1),
                N(right.0),
                N(right.1)
            );
            svg.stroke("arrow", &d, &colour, width.min(4.0));
        }
    }

    fn draw_vertex(&self, svg: &mut Svg, vertex: usize) {
        let (x, y) = self.places[vertex];
        let (fill, ink) = match (&self.colours, &self.vertices) {
            (Some(colours), _) => (
                palette::CLASSES[colours[vertex] % palette::CLASSES.len()].to_owned(),
                palette::INK,
            ),
            (None, Marks::Chosen(marks)) if marks[vertex] => {
                (palette::TOUR.to_owned(), palette::PAPER)
            }
            (None, Marks::Shares(shares)) => {
                (palette::heat(shares[vertex]), palette::on_heat(shares[vertex]))
            }
            _ => (palette::PAPER.to_owned(), palette::INK),
        };
        let name = self.graph.vertex_name(vertex);
        svg.element(
            "circle",
            &[
                ("class", &"vertex"),
                ("cx", &N(x)),
                ("cy", &N(y)),
                ("r", &N(RADIUS)),
                ("fill", &fill),
                ("stroke", &palette::BOARD_EDGE),
                ("stroke-width", &"2"),
            ],
            Some(&name),
        );
        let size = lettering::fitting(&name, 12.0, 2.0 * RADIUS - 6.0);
        // Smaller letters cannot be read; the name is the title of the circle.
        if size >= 4.0 {
            svg.text(x, y, Style { size, colour: ink, anchor: Anchor::Middle }, &name);
        }
    }
}

fn chosen(parts: usize, marked: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut marks = vec![false; parts];
    for part in marked {
        if let Some(mark) = marks.get_mut(part) {
            *mark = true;
        }
    }
    marks
}

fn shares(
    parts: usize,
    uses: impl IntoIterator<Item = (usize, BigUint)>,
    all: &BigUint,
) -> Vec<f64> {
    let mut shares = vec![0.0; parts];
    for (part, count) in uses {
        if let (Some(share), true) = (shares.get_mut(part), *all != BigUint::ZERO) {
            // In thousandths: large numbers have no fractions.
            let thousandths = count * 1000u32 / all;
            *share = u32::try_from(thousandths).unwrap_or(1000).into();
            *share /= 1000.0;
        }
    }
    shares
}

/// The positions in units of the picture, such that edges have the mean length [`EDGE`].
fn fitted(graph: &Graph, places: &[(f64, f64)]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let finite =
        |(x, y): (f64, f64)| if x.is_finite() && y.is_finite() { (x, y) } else { (0.0, 0.0) };
    let places: Vec<(f64, f64)> = places.iter().map(|&place| finite(place)).collect();
    let least = places.iter().fold((f64::MAX, f64::MAX), |(x, y), p| (x.min(p.0), y.min(p.1)));
    let most = places.iter().fold((f64::MIN, f64::MIN), |(x, y), p| (x.max(p.0), y.max(p.1)));
    let (wide, high) = ((most.0 - least.0).max(0.0), (most.1 - least.1).max(0.0));
    let length =
        |&(a, b): &(usize, usize)| (places[a].0 - places[b].0).hypot(places[a].1 - places[b].1);
    let lengths: Vec<f64> =
        graph.edges().iter().map(length).filter(|&length| length > 0.0).collect();
    let longer = wide.max(high);
    let mean = match lengths.len() {
        0 => longer / (places.len() as f64).sqrt().max(1.0),
        edges => lengths.iter().sum::<f64>() / edges as f64,
    };
    let scale = if longer > 0.0 { (EDGE / mean).min(MOST / longer) } else { 1.0 };
    let place = |(x, y): (f64, f64)| ((x - least.0) * scale, (y - least.1) * scale);
    (places.into_iter().map(place).collect(), (wide * scale, high * scale))
}

/// Draws graphs in lines of `across`, each with a caption below it.
pub fn graph_sheet(graphs: &[(GraphPicture, String)], across: usize, title: &str) -> Picture {
    let across = across.min(graphs.len()).max(1);
    let (width, height) = graphs.iter().fold((EDGE, 0.0), |(w, h): (f64, f64), (graph, _)| {
        (w.max(graph.size.0), h.max(graph.size.1))
    });
    let captioned = graphs.iter().any(|(_, caption)| !caption.is_empty());
    let below = if captioned { 60.0 } else { 0.0 };
    let mut svg = Svg::default();
    for (place, (graph, caption)) in graphs.iter().enumerate() {
        let x = PAD + (place % across) as f64 * (width + 2.0 * PAD);
        let y = PAD + (place / across) as f64 * (height + below + 2.0 * PAD);
        svg.group("graph", x, y);
        graph.draw(&mut svg);
        let style = Style { size: 24.0, colour: palette::QUIET, anchor: Anchor::Middle };
        svg.text(width / 2.0, height + below * 0.9, style, caption);
        svg.end();
    }
    let lines = graphs.len().div_ceil(across).max(1) as f64;
    let wide = across as f64 * (width + 2.0 * PAD);
    let high = lines * (height + below + 2.0 * PAD);
    let about = graphs.first().map_or(String::new(), |(picture, _)| {
        let graph = &picture.graph;
        format!("a graph of {} vertices and {} edges", graph.num_vertices(), graph.num_edges())
    });
    svg.finish(wide, high, title, &about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_and_edge_is_drawn_once() {
        let edges = [(0, 1), (1, 2), (0, 1), (2, 2)];
        for graph in [Graph::new(4, edges).unwrap(), Graph::directed(4, edges).unwrap()] {
            let picture = GraphPicture::new(&graph).edges([1, 3]);
            let svg = graph_sheet(&[(picture, "a<b".to_owned())], 1, "t").svg().to_owned();
            assert_eq!(svg.matches("<circle").count(), 4);
            assert_eq!(svg.matches("class=\"edge").count(), 4);
            assert_eq!(svg.matches("class=\"edge marked\"").count(), 2);
            assert_eq!(
                svg.matches("class=\"arrow\"").count(),
                if graph.is_directed() { 3 } else { 0 }
            );
            assert!(!svg.contains("NaN"));
        }
    }

    #[test]
    fn each_parallel_edge_and_loop_has_a_curve_of_its_own() {
        let edges = [(0, 1), (1, 0), (0, 1), (1, 1), (1, 1), (0, 1), (1, 0)];
        let graph = Graph::directed(2, edges).unwrap().with_positions([(0.0, 0.0), (1.0, 0.0)]);
        let curves = |marked: usize| {
            let picture = GraphPicture::new(&graph.clone().unwrap()).edges([marked]);
            let svg = graph_sheet(&[(picture, String::new())], 1, "t").svg().to_owned();
            let lines = svg.lines().filter(|line| line.contains("class=\"edge"));
            let curve = |line: &str| {
                let d = line.split(" d=\"").nth(1).unwrap();
                d.split('"').next().unwrap().to_owned()
            };
            let lines: Vec<(bool, String)> =
                lines.map(|line| (line.contains("marked"), curve(line))).collect();
            let marked = lines.iter().find(|(marked, _)| *marked).unwrap().1.clone();
            let mut all: Vec<String> = lines.into_iter().map(|(_, curve)| curve).collect();
            all.sort_unstable();
            (marked, all)
        };
        let drawn: Vec<(String, Vec<String>)> = (0..edges.len()).map(curves).collect();
        for (marked, (curve, all)) in drawn.iter().enumerate() {
            assert_eq!(*all, drawn[0].1, "the marks move no edge");
            let same = drawn.iter().filter(|(other, _)| other == curve).count();
            assert_eq!(same, 1, "edge {marked}: {curve}");
        }
    }

    #[test]
    fn degenerate_graphs_are_drawn() {
        for graph in [Graph::empty(0), Graph::empty(1), Graph::empty(3), Graph::path(500)] {
            let picture = GraphPicture::new(&graph);
            let (width, height) = graph_sheet(&[(picture, String::new())], 1, "t").size();
            assert!(width > 0 && height > 0 && width < 5000 && height < 5000);
        }
    }

    #[test]
    fn uses_shade_by_their_share() {
        let uses = [(0, BigUint::from(1u32)), (1, BigUint::from(4u32))];
        assert_eq!(shares(3, uses, &BigUint::from(4u32)), [0.25, 1.0, 0.0]);
        assert_eq!(shares(1, [(0, BigUint::ZERO)], &BigUint::ZERO), [0.0]);
    }
}
