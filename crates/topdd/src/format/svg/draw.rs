//! From places to text.

use super::super::picture::Title;
use super::layout::{Item, Kind, Layout};
use crate::diagram::store::{FIRST_NODE, NodeId, NodeStore};
use crate::query::DomainPass;
use std::fmt::{self, Write};

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
.card{fill:#fff;stroke:#d5d9e0}.guide{stroke:#e8ebf0}.edge{fill:none;stroke:#4a5568;stroke-width:1.3}\
.zero{stroke-dasharray:5 3.5}.node{fill:#dbe7fb;stroke:#2b5fb3;stroke-width:1.5}\
.terminal{fill:#e3f4e1;stroke:#2f7d32;stroke-width:1.5}\
text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2733}\
.title{font-size:13px}.variable{font-size:13px;text-anchor:end;fill:#5b6675}\
.value{font-size:10.5px;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:3.5px;stroke-linejoin:round}\
.sign{font-size:12px;text-anchor:middle}\
@media (prefers-color-scheme:dark){.card{fill:#161b22;stroke:#30363d}.guide{stroke:#242a33}\
.edge{stroke:#a6b1c0}.node{fill:#1d3557;stroke:#79a8ee}.terminal{fill:#1c3d22;stroke:#7cc47f}\
text{fill:#e6eaf0}.variable{fill:#9aa6b5}.value{stroke:#161b22}}";

/// The part of the solutions that are left.
const LEFT_STYLE: &str = "\
.edge.left{stroke:#1f7a34;stroke-width:2.6}.node.left{fill:#cdeed3;stroke:#1f7a34}\
@media (prefers-color-scheme:dark){.edge.left{stroke:#7cc47f}.node.left{fill:#1c3d22;stroke:#7cc47f}}";

/// Writes the picture; in the class `left` are the nodes and edges of a part.
pub(super) fn draw(
    out: &mut String,
    title: &Title<'_>,
    layout: &Layout,
    part: Option<&DomainPass<'_>>,
) -> fmt::Result {
    let (store, title) = (title.store, title.to_string());
    let canvas = Canvas::new(layout, title.len());
    let (width, height) = (canvas.width, canvas.height);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">"
    )?;
    writeln!(out, "<title>{title}</title>")?;
    writeln!(out, "<style>{STYLE}{}</style>", part.map_or("", |_| LEFT_STYLE))?;
    writeln!(
        out,
        "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"8\"/>",
        width.round() - 1.0,
        height.round() - 1.0
    )?;
    writeln!(out, "<text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{title}</text>", MARGIN + 8.0)?;
    canvas.rows(out)?;
    canvas.edges(out, store.root)?;
    // Above the edges, so that all can be read.
    canvas.nodes(out, store, part)?;
    canvas.labels(out)?;
    writeln!(out, "</svg>")
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
    fn rows(&self, out: &mut String) -> fmt::Result {
        for (row, y) in self.layout.rows.iter().zip(0..) {
            let Some(variable) = row.variable else { continue };
            let y = self.top + ROW * f64::from(y);
            writeln!(
                out,
                "<text class=\"variable\" x=\"{:.1}\" y=\"{:.1}\">x{variable}</text>\
                 <line class=\"guide\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>",
                MARGIN + self.labels,
                y + 4.5,
                MARGIN + self.labels + 8.0,
                self.width - MARGIN,
            )?;
        }
        Ok(())
    }

    /// Writes the edges, and the arrow that enters the root.
    fn edges(&self, out: &mut String, root: NodeId) -> fmt::Result {
        let root = self.layout.items.iter().find(|item| item.kind == Kind::Node(root));
        if let Some((x, y)) = root.map(|item| self.place(item)) {
            let (start, end) = (y - RADIUS - ENTRY, y - RADIUS - 1.0);
            writeln!(
                out,
                "<path class=\"edge\" d=\"M{x:.1} {start:.1}V{end:.1}m-3.5 -5.5l3.5 5.5l3.5 -5.5\"/>"
            )?;
        }
        for link in &self.layout.links {
            let [(x1, y1), (x2, y2)] =
                [link.from, link.to].map(|item| self.place(&self.layout.items[item]));
            // First to the position of the label, which no other edge crosses.
            let (x, y) = (x1 + link.slot, y1 + LABEL);
            let (near, bend) = (y1 + LABEL / 2.0, f64::midpoint(y, y2));
            let style = if link.dashed { " zero" } else { "" };
            let left = if link.is_left { " left" } else { "" };
            writeln!(
                out,
                "<path class=\"edge{style}{left}\" d=\"M{x1:.1} {y1:.1}C{:.1} {near:.1} {x:.1} {near:.1} {x:.1} \
                 {y:.1}C{x:.1} {bend:.1} {x2:.1} {bend:.1} {x2:.1} {y2:.1}\"/>",
                x1 + link.slot / 2.0,
            )?;
        }
        Ok(())
    }

    /// Writes the nodes and terminals.
    fn nodes(
        &self,
        out: &mut String,
        store: &NodeStore,
        part: Option<&DomainPass<'_>>,
    ) -> fmt::Result {
        for item in &self.layout.items {
            let Kind::Node(id) = item.kind else { continue };
            let (x, y) = self.place(item);
            if id < FIRST_NODE {
                let (left, top, side) = (x - RADIUS, y - RADIUS, 2.0 * RADIUS);
                writeln!(
                    out,
                    "<rect class=\"terminal\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side}\" \
                     height=\"{side}\" rx=\"2\"/><text class=\"sign\" x=\"{x:.1}\" y=\"{:.1}\">{id}</text>",
                    y + 4.2
                )?;
                continue;
            }
            let is_left = part.filter(|part| part.has_node(id));
            let left = if is_left.is_some() { " left" } else { "" };
            write!(out, "<circle class=\"node{left}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"")?;
            let Some(part) = part else {
                writeln!(out, "/>")?;
                continue;
            };
            let level = store.level(store.level_of(id, store.level_count()));
            let completions =
                is_left.and_then(|_| part.completions(&level, (id - level.first) as usize));
            let count = completions.unwrap_or_default();
            writeln!(
                out,
                "><title>x{}, completions left: {count}</title></circle>",
                level.variable
            )?;
        }
        Ok(())
    }

    /// Writes the values at the edges.
    fn labels(&self, out: &mut String) -> fmt::Result {
        for link in &self.layout.links {
            if let Some(label) = &link.label {
                let (x, y) = self.place(&self.layout.items[link.from]);
                let (x, y) = (x + link.slot, y + LABEL + 3.5);
                writeln!(out, "<text class=\"value\" x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>")?;
            }
        }
        Ok(())
    }
}
