//! Graphs: one subgraph, one vertex set or one colouring marked, or how often each part is used.
//!
//! `layout` has the points of the vertices, `curves` leads edges around vertices, `labels` finds places for
//! texts, and `arrangement` combines them; `draw` writes the elements.

mod arrangement;
mod curves;
mod draw;
mod labels;
mod layout;

use num_bigint::BigUint;
use topdd_graph::Graph;

use crate::Picture;
use crate::heat::{Bar, Legend};
use crate::svg::{Anchor, Style, Svg, lettering, palette};
use arrangement::Arrangement;
use draw::Scene;

/// The room around a graph.
const PAD: f64 = 25.0;
/// The least width of the room for a graph.
const MIN_WIDTH: f64 = 96.0;
/// The room for a caption.
const CAPTION: f64 = 45.0;

/// The style of each element.
#[derive(Clone, Debug, Default)]
enum Marks {
    /// All are equal.
    #[default]
    None,
    /// Whether each is marked.
    Chosen(Vec<bool>),
    /// The number of solutions that have each, the largest of the numbers, and the number of all solutions.
    Uses { counts: Vec<BigUint>, most: BigUint, all: BigUint },
}

impl Marks {
    fn chosen(parts: usize, marked: impl IntoIterator<Item = usize>) -> Self {
        let mut marks = vec![false; parts];
        for part in marked {
            if let Some(mark) = marks.get_mut(part) {
                *mark = true;
            }
        }
        Marks::Chosen(marks)
    }

    fn uses(parts: usize, uses: impl IntoIterator<Item = (usize, BigUint)>, all: &BigUint) -> Self {
        let mut counts = vec![BigUint::ZERO; parts];
        for (part, uses) in uses {
            if let Some(count) = counts.get_mut(part) {
                *count = uses;
            }
        }
        let most = counts.iter().max().cloned().unwrap_or_default();
        Marks::Uses { counts, most, all: all.clone() }
    }
}

/// A picture of a graph: at its own positions, or at positions by springs.
///
/// The second coordinate of a position points up, as latitude does. Vertices do not overlap, and edges are
/// bent around vertices. A name that does not fit into its vertex stands beside it.
///
/// ```
/// use topdd_draw::GraphPicture;
/// use topdd_graph::Graph;
///
/// let petersen = Graph::named("petersen").unwrap();
/// let picture = GraphPicture::new(&petersen).edges([0, 1, 2]).title("a path").picture();
/// assert_eq!(picture.svg().matches("class=\"vertex\"").count(), 10);
/// assert_eq!(picture.svg().matches("class=\"edge marked\"").count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct GraphPicture {
    graph: Graph,
    arranged: Arrangement,
    edges: Marks,
    vertices: Marks,
    colours: Option<Vec<usize>>,
    title: String,
}

impl GraphPicture {
    /// Makes a picture of a graph without marks. Takes time quadratic in the number of vertices. If the
    /// graph has no positions and more than 400 vertices, they are on a circle.
    pub fn new(graph: &Graph) -> Self {
        let (edges, vertices) = (Marks::None, Marks::None);
        let title = size(graph);
        let arranged = Arrangement::new(graph, true);
        Self { graph: graph.clone(), arranged, edges, vertices, colours: None, title }
    }

    /// Sets the title, which browsers show on request and screen readers read. The default is the size of
    /// the graph.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Draws the second coordinate of positions downwards, as on screens. Without positions, it does
    /// nothing.
    ///
    /// ```
    /// use topdd_draw::GraphPicture;
    /// use topdd_graph::Graph;
    ///
    /// let graph = Graph::new(2, [(0, 1)])?.with_positions([(0.0, 0.0), (0.0, 1.0)])?;
    /// let map = GraphPicture::new(&graph);
    /// assert_ne!(map.clone().picture(), map.y_down().picture());
    /// # Ok::<(), topdd_graph::GraphError>(())
    /// ```
    pub fn y_down(mut self) -> Self {
        if self.graph.positions().is_some() {
            self.arranged = Arrangement::new(&self.graph, false);
        }
        self
    }

    /// Marks edges; the others are faint.
    pub fn edges(mut self, edges: impl IntoIterator<Item = usize>) -> Self {
        self.edges = Marks::chosen(self.graph.num_edges(), edges);
        self
    }

    /// Marks vertices: filled, or with a thick rim if they are filled with [`colours`](GraphPicture::colours).
    pub fn vertices(mut self, vertices: impl IntoIterator<Item = usize>) -> Self {
        self.vertices = Marks::chosen(self.graph.num_vertices(), vertices);
        self
    }

    /// Fills vertices with their colours, such as the numbers of their blocks. Different numbers have
    /// different colours. A heat map of vertices has its own colours.
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

    /// Draws a heat map of how many of `all` solutions have each edge, with a legend, and with numbers
    /// where there is room.
    pub fn edge_uses(
        mut self,
        uses: impl IntoIterator<Item = (usize, BigUint)>,
        all: &BigUint,
    ) -> Self {
        self.edges = Marks::uses(self.graph.num_edges(), uses, all);
        self
    }

    /// Draws a heat map of how many of `all` solutions have each vertex, with a legend and numbers.
    pub fn vertex_uses(
        mut self,
        uses: impl IntoIterator<Item = (usize, BigUint)>,
        all: &BigUint,
    ) -> Self {
        self.vertices = Marks::uses(self.graph.num_vertices(), uses, all);
        self
    }

    /// Returns the point of each vertex, in pixels; the second coordinate points down.
    pub fn points(&self) -> Vec<(f64, f64)> {
        self.arranged.layout.points.iter().map(|point| (point.x, point.y)).collect()
    }

    /// Returns the picture.
    pub fn picture(&self) -> Picture {
        let scene = Scene::new(self);
        let (width, height) = (scene.bounds.width().max(MIN_WIDTH), scene.bounds.height());
        let mut svg = Svg::default();
        svg.group("graph", PAD - scene.bounds.left, PAD - scene.bounds.top);
        scene.draw(&mut svg);
        svg.end();
        let (mut right, mut below) = (0.0, 0.0);
        if let Some(legend) = self.legend() {
            svg.group("scale", PAD, PAD);
            (right, below) = legend.draw(&mut svg, width, height, height + PAD);
            below += PAD;
            svg.end();
        }
        let (width, height) = (width + right + 2.0 * PAD, height + below + 2.0 * PAD);
        svg.finish(width, height, &self.title, &size(&self.graph))
    }

    fn legend(&self) -> Option<Legend<'_>> {
        match (&self.edges, &self.vertices) {
            (Marks::Uses { most, all, .. }, _) => {
                Some(Legend { most, all, bar: Bar::Line, uses: "have an edge" })
            }
            (_, Marks::Uses { most, all, .. }) => {
                Some(Legend { most, all, bar: Bar::Area, uses: "have a vertex" })
            }
            _ => None,
        }
    }
}

/// The size of a graph in words.
fn size(graph: &Graph) -> String {
    format!("a graph of {} vertices and {} edges", graph.num_vertices(), graph.num_edges())
}

/// Draws graphs in lines of `across`, each with a caption below it and without a legend.
pub fn graph_sheet(graphs: &[(GraphPicture, String)], across: usize, title: &str) -> Picture {
    let across = across.min(graphs.len()).max(1);
    let scenes: Vec<Scene<'_>> = graphs.iter().map(|(graph, _)| Scene::new(graph)).collect();
    let (width, height) = scenes.iter().fold((MIN_WIDTH, 0.0), |(w, h): (f64, f64), scene| {
        (w.max(scene.bounds.width()), h.max(scene.bounds.height()))
    });
    let captioned = graphs.iter().any(|(_, caption)| !caption.is_empty());
    // Large graphs are shown smaller, so captions are larger in proportion.
    let unit = (width.max(height) / 600.0).max(1.0);
    let below = if captioned { CAPTION * unit } else { 0.0 };
    let mut svg = Svg::default();
    for (place, (scene, (_, caption))) in scenes.iter().zip(graphs).enumerate() {
        let x = PAD + (place % across) as f64 * (width + 2.0 * PAD);
        let y = PAD + (place / across) as f64 * (height + below + 2.0 * PAD);
        svg.group("graph", x - scene.bounds.left, y - scene.bounds.top);
        scene.draw(&mut svg);
        svg.end();
        // Into the room of its graph, so that the captions of narrow graphs do not overlap.
        let size = lettering::fitting(caption, 24.0 * unit, width + PAD);
        let style = Style { size, colour: palette::QUIET, anchor: Anchor::Middle };
        svg.text(x + width / 2.0, y + height + below * 0.7, style, caption);
    }
    let lines = graphs.len().div_ceil(across).max(1) as f64;
    let wide = across as f64 * (width + 2.0 * PAD);
    let high = lines * (height + below + 2.0 * PAD);
    let about = graphs.first().map_or(String::new(), |(picture, _)| size(&picture.graph));
    svg.finish(wide, high, title, &about)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
    fn marked_vertices_are_seen_among_colours() {
        let picture = GraphPicture::new(&Graph::path(3)).colours([(0, 1), (1, 2), (2, 1)]);
        let rim = format!("stroke=\"{}\"", palette::TOUR);
        assert!(!picture.picture().svg().contains(&rim));
        let marked = picture.clone().vertices([0, 2]).picture();
        assert_eq!(marked.svg().matches(&rim).count(), 2);
        assert!(marked.svg().contains(&palette::class(1)));
        let heat = picture.vertex_uses([(1, BigUint::from(3u32))], &BigUint::from(3u32)).picture();
        assert!(heat.svg().contains(&format!("fill=\"{}\"", palette::heat(1.0))));
    }

    #[test]
    fn captions_of_narrow_graphs_do_not_overlap() {
        let graph = GraphPicture::new(&Graph::empty(1));
        let captions = ["a rather long caption of a graph", "another one beside it"];
        let sheet = captions.map(|caption| (graph.clone(), caption.to_owned()));
        let picture = graph_sheet(&sheet, 2, "t");
        // The first coordinates of the lines of each text, from left to right.
        let texts = picture.svg().lines().filter(|line| line.contains("class=\"text\""));
        let spans = texts.filter(|line| line.contains(palette::QUIET)).map(|line| {
            let d = line.split(" d=\"").nth(1).unwrap().split('"').next().unwrap();
            let numbers: Vec<f64> = d.split(' ').filter_map(|word| word.parse().ok()).collect();
            let xs = numbers.chunks(2).map(|point| point[0]);
            (xs.clone().fold(f64::MAX, f64::min), xs.fold(f64::MIN, f64::max))
        });
        let spans: Vec<(f64, f64)> = spans.collect();
        assert_eq!(spans.len(), 2);
        assert!(spans[0].1 < spans[1].0, "{spans:?}");
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
    fn heat_maps_have_a_legend_and_numbers() {
        let number = |count: u32| BigUint::from(count);
        let uses = [(0, number(3)), (1, number(12)), (2, number(0))];
        let heat = GraphPicture::new(&Graph::path(4)).edge_uses(uses, &number(15)).picture();
        let svg = heat.svg();
        assert!(svg.contains("<title>1 2: 12 of 15</title>") && svg.contains("class=\"legend\""));
        // Three numbers, two ends of the legend, and its caption, beside four names.
        assert_eq!(svg.matches("class=\"text\"").count(), 3 + 3 + 4);
        assert_eq!(svg.matches("class=\"halo\"").count(), 3);
        let uses = [(0, number(15)), (3, number(1))];
        let heat = GraphPicture::new(&Graph::path(4)).vertex_uses(uses, &number(15)).picture();
        for title in ["0: 15 of 15", "1: 0 of 15", "3: 1 of 15"] {
            assert!(heat.svg().contains(&format!("<title>{title}</title>")));
        }
        let none = GraphPicture::new(&Graph::path(2)).edge_uses([], &BigUint::ZERO).picture();
        assert!(none.svg().ends_with("</svg>\n"));
    }

    #[test]
    fn each_block_of_a_partition_has_a_colour_of_its_own() {
        let colours = (0..30).map(|vertex| (vertex, vertex));
        let picture = GraphPicture::new(&Graph::path(30)).colours(colours).picture();
        let fills = picture.svg().split("class=\"vertex\"").skip(1);
        let fills: BTreeSet<&str> = fills
            .map(|part| part.split("fill=\"").nth(1).unwrap().split('"').next().unwrap())
            .collect();
        assert_eq!(fills.len(), 30);
    }

    #[test]
    fn every_name_is_written() {
        let names = ["Jean Valjean", "São Paulo", "北京", "Łódź", "a", "مرحبا"];
        let graph = Graph::path(6).with_vertex_labels(names).unwrap();
        let picture = GraphPicture::new(&graph).picture();
        // Latin letters, with accents or without, need no font.
        for (name, needs_font) in names.into_iter().zip([false, false, true, false, false, true]) {
            let is_text = picture.svg().contains(&format!(">{name}</text>"));
            assert_eq!(is_text, needs_font, "{name}");
        }
        assert_eq!(picture.svg().matches("class=\"text\"").count(), 6);
    }
}
