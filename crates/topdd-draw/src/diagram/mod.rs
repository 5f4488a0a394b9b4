//! Pictures of diagrams, without Graphviz.
//!
//! `layout` computes positions.

mod layout;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use topdd::format::Shape;

use crate::Picture;
use crate::svg::Svg;
use crate::svg::path::N;
use layout::{Item, Kind, Layout};

/// Between two rows.
const ROW: f64 = 80.0;
/// Around everything.
const MARGIN: f64 = 24.0;
/// The radius of a node, and half the side of a terminal.
const RADIUS: f64 = 10.0;
/// The height of the title, and of the arrow that enters the root.
const TITLE: f64 = 30.0;
const ENTRY: f64 = 22.0;
/// From a node down to the labels of its edges.
const LABEL: f64 = 26.0;
/// The width of a character of the labels at the left and of the title, about.
const CHARACTER: f64 = 7.4;

/// Colours on a card of its own, so that the page behind it does not matter; where the
/// reader prefers dark ones, the card is dark.
const STYLE: &str = "\
.panel{fill:#fff;stroke:#d5d9e0}.guide{stroke:#e8ebf0}.edge{fill:none;stroke:#4a5568;stroke-width:1.3}\
.zero{stroke-dasharray:5 3.5}.node{fill:#dbe7fb;stroke:#2b5fb3;stroke-width:1.5}\
.terminal{fill:#e3f4e1;stroke:#2f7d32;stroke-width:1.5}\
text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2733}\
.title{font-size:13px}.variable{font-size:13px;text-anchor:end;fill:#5b6675}\
.value{font-size:10.5px;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3.5px;stroke-linejoin:round}\
.sign{font-size:12px;text-anchor:middle}\
@media (prefers-color-scheme:dark){.panel{fill:#161b22;stroke:#30363d}.guide{stroke:#242a33}\
.edge{stroke:#a6b1c0}.node{fill:#1d3557;stroke:#79a8ee}.terminal{fill:#1c3d22;stroke:#7cc47f}\
text{fill:#e6eaf0}.variable{fill:#9aa6b5}.value{stroke:#161b22}}";

/// The part of the solutions that are left.
const LEFT_STYLE: &str = "\
.edge.left{stroke:#1f7a34;stroke-width:2.6}.node.left{fill:#cdeed3;stroke:#1f7a34}\
@media (prefers-color-scheme:dark){.edge.left{stroke:#7cc47f}.node.left{fill:#1c3d22;stroke:#7cc47f}}";

/// Draws a small diagram, legible on light and dark pages.
///
/// Nodes are in rows by level, with the variable at the left, from the root at the top to the
/// 1-terminal, a box, at the bottom. Edges have their values. Edges of several values to one
/// child are drawn as one, and long edges to one child are bundled. The edge of value 0 of a
/// two-valued node is dashed. The 0-terminal and the edges to it are left out, unless there is
/// nothing else. The same diagram gives the same picture.
///
/// The solutions that are left in a [`Configurator`](topdd::Configurator) are marked: their nodes and edges have the
/// class `left`, and the title of each node has the number of its completions that are left.
///
/// Within each row nodes are ordered so that few edges cross, by the barycentres of
/// their neighbours (Sugiyama, Tagawa and Toda, "Methods for visual understanding of
/// hierarchical system structures", 1981).
///
/// Cost: time and size grow with the nodes and with the levels that edges skip.
///
/// ```
/// let mut party = topdd::bdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
/// party.choose(0, 2)?;
/// let picture = topdd_draw::diagram(&party.shape(500).expect("it is small"));
/// assert_eq!(picture.svg().matches("\"node left\"").count(), 4);
/// assert_eq!(picture.svg().matches("\"node\"").count(), 3);
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub fn diagram(shape: &Shape) -> Picture {
    let layout = Layout::new(shape);
    let canvas = Canvas::new(&layout, shape.title.len());
    let mut svg = Svg::default();
    svg.style(if shape.is_marked { &[STYLE, LEFT_STYLE] } else { &[STYLE] });
    svg.styled_text("title", MARGIN, MARGIN + 8.0, &shape.title);
    canvas.rows(&mut svg);
    canvas.edges(&mut svg, shape.root);
    // Above the edges, so that all can be read.
    canvas.nodes(&mut svg, shape);
    canvas.labels(&mut svg);
    svg.finish(canvas.width, canvas.height, &shape.title, "")
}

/// A layout with the measures of its picture.
struct Canvas<'a> {
    layout: &'a Layout,
    /// The width of the labels at the left.
    labels: f64,
    /// From a place of the layout to a place of the picture.
    shift: f64,
    /// The centre of the first row.
    top: f64,
    width: f64,
    height: f64,
}

impl<'a> Canvas<'a> {
    fn new(layout: &'a Layout, title: usize) -> Self {
        let longest = layout.rows.iter().filter_map(|row| row.variable).max().unwrap_or(0);
        let labels = CHARACTER * (longest.to_string().len() + 1) as f64;
        let left = MARGIN + labels + 8.0;
        let drawn = layout.right - layout.left;
        let width = (left + drawn + MARGIN).max(2.0 * MARGIN + CHARACTER * 0.9 * title as f64);
        // In the middle of the free space.
        let shift = left + (width - left - MARGIN - drawn) / 2.0 - layout.left;
        let top = MARGIN + TITLE + ENTRY + RADIUS;
        let height = top + ROW * (layout.rows.len() - 1) as f64 + RADIUS + MARGIN;
        Canvas { layout, labels, shift, top, width, height }
    }

    fn place(&self, item: &Item) -> (f64, f64) {
        (item.x + self.shift, self.top + ROW * item.row as f64)
    }

    /// Writes the name of the variable of each row, and a line across.
    fn rows(&self, svg: &mut Svg) {
        for (row, at) in self.layout.rows.iter().zip(0..) {
            let Some(variable) = row.variable else { continue };
            let y = self.top + ROW * f64::from(at);
            let x = MARGIN + self.labels;
            svg.styled_text("variable", x, y + 4.5, &format!("x{variable}"));
            let d = format!("M{} {}H{}", N(x + 8.0), N(y), N(self.width - MARGIN));
            svg.element("path", &[("class", &"guide"), ("d", &d)], None);
        }
    }

    /// Writes the edges, and the arrow that enters the root.
    fn edges(&self, svg: &mut Svg, root: u32) {
        let root = self.layout.items.iter().find(|item| item.kind == Kind::Node(root));
        if let Some((x, y)) = root.map(|item| self.place(item)) {
            let (start, end) = (N(y - RADIUS - ENTRY), N(y - RADIUS - 1.0));
            let d = format!("M{} {start}V{end}m-3.5 -5.5l3.5 5.5l3.5 -5.5", N(x));
            svg.element("path", &[("class", &"edge"), ("d", &d)], None);
        }
        for link in &self.layout.links {
            let [(x1, y1), (x2, y2)] =
                [link.from, link.to].map(|item| self.place(&self.layout.items[item]));
            // First to the position of the label, which no other edge crosses.
            let (x, y) = (x1 + link.slot, y1 + LABEL);
            let (near, bend, side) = (y1 + LABEL / 2.0, f64::midpoint(y, y2), x1 + link.slot / 2.0);
            let numbers = [x1, y1, side, near, x, near, x, y, x, bend, x2, bend, x2, y2].map(N);
            let [x1, y1, a, b, c, d, e, f, g, h, i, j, x2, y2] = numbers;
            let d = format!("M{x1} {y1}C{a} {b} {c} {d} {e} {f}C{g} {h} {i} {j} {x2} {y2}");
            let style = if link.dashed { " zero" } else { "" };
            let left = if link.is_left { " left" } else { "" };
            svg.element("path", &[("class", &format!("edge{style}{left}")), ("d", &d)], None);
        }
    }

    /// Writes the nodes and terminals.
    fn nodes(&self, svg: &mut Svg, shape: &Shape) {
        let by_id = |id| shape.nodes.iter().find(|node| node.id == id);
        for item in &self.layout.items {
            let Kind::Node(id) = item.kind else { continue };
            let (x, y) = self.place(item);
            let Some(node) = by_id(id) else {
                let [left, top, side] = [x - RADIUS, y - RADIUS, 2.0 * RADIUS].map(N);
                let attributes: [(&str, &dyn Display); 6] = [
                    ("class", &"terminal"),
                    ("x", &left),
                    ("y", &top),
                    ("width", &side),
                    ("height", &side),
                    ("rx", &"2"),
                ];
                svg.element("rect", &attributes, None);
                svg.styled_text("sign", x, y + 4.2, &id.to_string());
                continue;
            };
            let class = if node.completions.is_some() { "node left" } else { "node" };
            let count = node.completions.clone().unwrap_or_default();
            let title = format!("x{}, completions left: {count}", node.variable);
            let attributes: [(&str, &dyn Display); 4] =
                [("class", &class), ("cx", &N(x)), ("cy", &N(y)), ("r", &N(RADIUS))];
            svg.element("circle", &attributes, shape.is_marked.then_some(&title));
        }
    }

    /// Writes the values at the edges.
    fn labels(&self, svg: &mut Svg) {
        for link in &self.layout.links {
            if let Some(label) = &link.label {
                let (x, y) = self.place(&self.layout.items[link.from]);
                svg.styled_text("value", x + link.slot, y + LABEL + 3.5, label);
            }
        }
    }
}
