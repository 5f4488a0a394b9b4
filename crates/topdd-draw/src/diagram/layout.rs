//! The positions of the nodes of a picture: rows by level, an order in each row, then places.

use std::collections::HashMap;

use topdd::format::{Shape, ShapeNode};

/// A picture as a graph whose edges go from one row to the next.
pub(super) struct Layout {
    /// From the top; the last row is the terminal's.
    pub(super) rows: Vec<Row>,
    pub(super) items: Vec<Item>,
    pub(super) links: Vec<Link>,
    /// The bounds of all items, with the room around them.
    pub(super) left: f64,
    pub(super) right: f64,
}

pub(super) struct Row {
    /// `None` for the terminal's.
    pub(super) variable: Option<usize>,
    /// In order from the left.
    pub(super) items: Vec<usize>,
}

/// An item of a row.
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) row: usize,
    /// The position of its middle.
    pub(super) x: f64,
    links_up: Vec<usize>,
    links_down: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A node or a terminal.
    Node(u32),
    /// The point where the edges of one style to a node pass through a row.
    Passage { target: u32, dashed: bool },
}

/// An edge, or its part between two rows.
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) dashed: bool,
    /// At its start, if it starts at a node.
    pub(super) label: Option<String>,
    /// The distance of the label to the right of the node.
    pub(super) slot: f64,
    /// Whether a solution that is left uses it.
    pub(super) is_left: bool,
}

/// The least width of a node and of a passage, each with the room around it.
const NODE: f64 = 54.0;
const PASSAGE: f64 = 18.0;
/// The width of a character of a label, about, and between two labels.
const CHARACTER: f64 = 6.0;
const LABEL_GAP: f64 = 8.0;
/// Characters from which on a label is cut short, if it lists many values.
const LONGEST_LABEL: usize = 24;
/// Sweeps over the rows, down and up, to order them; more find little.
const SWEEPS: usize = 12;
/// Sweeps over the rows to place their items.
const PLACING_SWEEPS: usize = 30;

impl Layout {
    /// The layout of a diagram.
    pub(super) fn new(shape: &Shape) -> Self {
        let mut layout = Layout::unordered(shape);
        layout.order();
        layout.place();
        layout.fan_out();
        layout
    }

    /// Returns all items and links, in the order of the nodes.
    fn unordered(shape: &Shape) -> Self {
        let levels: Vec<&[ShapeNode]> =
            shape.nodes.chunk_by(|node, next| node.variable == next.variable).collect();
        let rows = levels.iter().map(|level| Some(level[0].variable)).chain([None]);
        let mut layout = Layout {
            rows: rows.map(|variable| Row { variable, items: Vec::new() }).collect(),
            items: Vec::new(),
            links: Vec::new(),
            left: f64::INFINITY,
            right: f64::NEG_INFINITY,
        };
        let row_of: HashMap<u32, usize> = levels
            .iter()
            .enumerate()
            .flat_map(|(row, level)| level.iter().map(move |node| (node.id, row)))
            .collect();
        let last = levels.len();
        let mut found: HashMap<(usize, Kind), usize> = HashMap::new();
        for node in &shape.nodes {
            let row = row_of[&node.id];
            let start = layout.item(&mut found, row, Kind::Node(node.id));
            for arrow in &node.arrows {
                let (target, dashed) = (arrow.target, arrow.is_zero);
                let target_row = row_of.get(&target).copied().unwrap_or(last);
                let (mut from, mut label) = (start, Some(short(arrow.label.clone())));
                for row in row + 1..=target_row {
                    let is_end = row == target_row;
                    let kind =
                        if is_end { Kind::Node(target) } else { Kind::Passage { target, dashed } };
                    let is_drawn = !is_end && found.contains_key(&(row, kind));
                    let to = layout.item(&mut found, row, kind);
                    let (slot, is_left) = (0.0, arrow.is_left);
                    layout.links.push(Link {
                        from,
                        to,
                        dashed,
                        label: label.take(),
                        slot,
                        is_left,
                    });
                    if is_drawn {
                        // From here on, the link of another edge leads to the target.
                        break;
                    }
                    from = to;
                }
            }
        }
        if shape.nodes.is_empty() {
            layout.item(&mut found, last, Kind::Node(shape.root));
        }
        for (index, link) in layout.links.iter().enumerate() {
            layout.items[link.from].links_down.push(index);
            layout.items[link.to].links_up.push(index);
        }
        layout.mark_bundles();
        layout
    }

    /// Marks the links that a marked edge shares with others, down to the next node.
    fn mark_bundles(&mut self) {
        for index in 0..self.links.len() {
            let mut link = index;
            while self.links[link].is_left {
                let Item { kind: Kind::Passage { .. }, links_down, .. } =
                    &self.items[self.links[link].to]
                else {
                    break;
                };
                link = links_down[0];
                self.links[link].is_left = true;
            }
        }
    }

    /// The item of a row, which is added if it is new.
    fn item(&mut self, found: &mut HashMap<(usize, Kind), usize>, row: usize, kind: Kind) -> usize {
        *found.entry((row, kind)).or_insert_with(|| {
            let (links_up, links_down) = (Vec::new(), Vec::new());
            self.items.push(Item { kind, row, x: 0.0, links_up, links_down });
            self.rows[row].items.push(self.items.len() - 1);
            self.items.len() - 1
        })
    }

    /// Orders the items of each row so that few links cross.
    fn order(&mut self) {
        let mut positions = vec![0.0; self.items.len()];
        self.number(&mut positions);
        let mut best = (self.crossings(&positions), self.orders());
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            for step in 1..self.rows.len() {
                let row = if down { step } else { self.rows.len() - 1 - step };
                let mut items = std::mem::take(&mut self.rows[row].items);
                let mut keyed: Vec<(f64, usize)> =
                    items.iter().map(|&item| (self.middle(item, down, &positions), item)).collect();
                // Stable, so that equals keep their order.
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                for (place, (_, item)) in keyed.into_iter().enumerate() {
                    items[place] = item;
                    positions[item] = place as f64;
                }
                self.rows[row].items = items;
            }
            let crossings = self.crossings(&positions);
            if crossings < best.0 {
                best = (crossings, self.orders());
            }
        }
        for (row, items) in self.rows.iter_mut().zip(best.1) {
            row.items = items;
        }
    }

    fn orders(&self) -> Vec<Vec<usize>> {
        self.rows.iter().map(|row| row.items.clone()).collect()
    }

    fn number(&self, positions: &mut [f64]) {
        for row in &self.rows {
            for (place, &item) in row.items.iter().enumerate() {
                positions[item] = place as f64;
            }
        }
    }

    /// The mean position of the neighbours of an item above or below; its own if it has none.
    fn middle(&self, item: usize, above: bool, positions: &[f64]) -> f64 {
        let Item { links_up, links_down, .. } = &self.items[item];
        let links = if above { links_up } else { links_down };
        if links.is_empty() {
            return positions[item];
        }
        let neighbour = |&link: &usize| {
            let Link { from, to, .. } = self.links[link];
            positions[if above { from } else { to }]
        };
        links.iter().map(neighbour).sum::<f64>() / links.len() as f64
    }

    /// The number of pairs of links that cross.
    fn crossings(&self, positions: &[f64]) -> usize {
        let mut crossings = 0;
        let below_most = self.rows.iter().map(|row| row.items.len()).max().unwrap_or(0);
        // A Fenwick tree over the positions of a row: how many links ended at each so far.
        let mut tree = vec![0usize; below_most + 1];
        for row in &self.rows {
            let mut ends: Vec<(f64, f64)> = Vec::new();
            for &item in &row.items {
                for &link in &self.items[item].links_down {
                    let Link { from, to, .. } = self.links[link];
                    ends.push((positions[from], positions[to]));
                }
            }
            ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            tree.fill(0);
            for (before, &(_, to)) in ends.iter().enumerate() {
                let mut at = to as usize + 1;
                let mut not_after = 0;
                while at > 0 {
                    not_after += tree[at];
                    at &= at - 1;
                }
                crossings += before - not_after;
                let mut at = to as usize + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
            }
        }
        crossings
    }

    /// Places the items of each row near their neighbours, in their order and with the gaps
    /// they need.
    fn place(&mut self) {
        let mut places = vec![0.0; self.items.len()];
        for row in &self.rows {
            let mut x = 0.0;
            for (place, &item) in row.items.iter().enumerate() {
                x += if place == 0 { 0.0 } else { self.gap(row.items[place - 1], item) };
                places[item] = x;
            }
            row.items.iter().for_each(|&item| places[item] -= x / 2.0);
        }
        for sweep in 0..PLACING_SWEEPS {
            let down = sweep % 2 == 0;
            for step in 0..self.rows.len() {
                let row = if down { step } else { self.rows.len() - 1 - step };
                let items = &self.rows[row].items;
                let wanted: Vec<f64> = items
                    .iter()
                    .map(|&item| {
                        let links = &self.items[item];
                        match (links.links_up.is_empty(), links.links_down.is_empty()) {
                            (true, _) => self.middle(item, false, &places),
                            (_, true) => self.middle(item, true, &places),
                            _ => {
                                let (above, below) = (
                                    self.middle(item, true, &places),
                                    self.middle(item, false, &places),
                                );
                                // More by where the sweep comes from.
                                if down {
                                    (2.0 * above + below) / 3.0
                                } else {
                                    (above + 2.0 * below) / 3.0
                                }
                            }
                        }
                    })
                    .collect();
                let gaps: Vec<f64> =
                    items.windows(2).map(|pair| self.gap(pair[0], pair[1])).collect();
                for (&item, x) in items.iter().zip(spread(&wanted, &gaps)) {
                    places[item] = x;
                }
            }
        }
        for (item, &x) in self.items.iter_mut().zip(&places) {
            item.x = x;
        }
        for (item, place) in places.iter().enumerate() {
            let half = self.half(item);
            self.left = self.left.min(place - half);
            self.right = self.right.max(place + half);
        }
    }

    /// Sets the position of the label of each link, relative to its node: labels of one node are side
    /// by side, in the order of the ends of their links.
    fn fan_out(&mut self) {
        for item in &self.items {
            let end = |link: usize| self.items[self.links[link].to].x;
            let mut fan: Vec<usize> = item.links_down.clone();
            // Two links to one item: the dashed one is at the left.
            fan.sort_by(|&a, &b| {
                end(a).total_cmp(&end(b)).then(self.links[b].dashed.cmp(&self.links[a].dashed))
            });
            let mut left = -self.fan_width(item) / 2.0;
            for link in fan {
                let width = self.links[link].label_width();
                self.links[link].slot = left + width / 2.0;
                left += width;
            }
        }
    }

    fn fan_width(&self, item: &Item) -> f64 {
        item.links_down.iter().map(|&link| self.links[link].label_width()).sum()
    }

    /// Between the middles of neighbours in a row.
    fn gap(&self, left: usize, right: usize) -> f64 {
        self.half(left) + self.half(right)
    }

    /// Half the width of an item, with the room around it.
    fn half(&self, item: usize) -> f64 {
        match &self.items[item] {
            Item { kind: Kind::Passage { .. }, .. } => PASSAGE / 2.0,
            item => NODE.max(self.fan_width(item) + LABEL_GAP) / 2.0,
        }
    }
}

impl Link {
    /// The width of its label, with a margin.
    fn label_width(&self) -> f64 {
        self.label
            .as_ref()
            .map_or(0.0, |label| CHARACTER * label.chars().count() as f64 + LABEL_GAP)
    }
}

/// A label that does not take more room than its edge is worth.
fn short(label: String) -> String {
    match label.match_indices(", ").nth(3) {
        Some((end, _)) if label.len() > LONGEST_LABEL => format!("{}, …", &label[..end]),
        _ => label,
    }
}

/// The positions nearest to the wanted ones (by the sum of squares) that are at least `gaps`
/// apart, by pooling adjacent violators.
fn spread(wanted: &[f64], gaps: &[f64]) -> Vec<f64> {
    // With the gaps taken out, places need only ascend.
    let mut before = 0.0;
    let offsets: Vec<f64> = (0..wanted.len())
        .map(|index| {
            before += if index == 0 { 0.0 } else { gaps[index - 1] };
            before
        })
        .collect();
    // Blocks of items at one place: their sum and number.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (&wanted, offset) in wanted.iter().zip(&offsets) {
        let mut block = (wanted - offset, 1);
        while let Some(&(sum, count)) = blocks.last() {
            if sum / count as f64 <= block.0 / block.1 as f64 {
                break;
            }
            block = (block.0 + sum, block.1 + count);
            blocks.pop();
        }
        blocks.push(block);
    }
    let places =
        blocks.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    places.zip(&offsets).map(|(place, offset)| place + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn long_labels_are_cut_short() {
        assert_eq!(super::short("0, 2, 4..7".to_owned()), "0, 2, 4..7");
        assert_eq!(super::short("10, 20, 30..70, 80, 90, 95".to_owned()), "10, 20, 30..70, 80, …");
    }

    #[test]
    fn places_keep_their_gaps() {
        assert_eq!(spread(&[0.0, 30.0], &[10.0]), [0.0, 30.0]);
        assert_eq!(spread(&[5.0, 5.0, 5.0], &[10.0, 10.0]), [-5.0, 5.0, 15.0]);
        assert_eq!(spread(&[9.0, 0.0, 50.0], &[10.0, 10.0]), [-0.5, 9.5, 50.0]);
        assert_eq!(spread(&[], &[]), [0.0; 0]);
    }
}
