//! Reordering by swaps of adjacent levels in place.
//!
//! A node keeps its number and its meaning; only its variable and its children change.
//! So handles stay valid. Meanwhile a node contains its variable in place of its level, and each variable
//! has a unique table of its own. So a swap visits the nodes of the upper variable, and changes those
//! with children of the lower one.
//!
//! Source: R. Rudell, *Dynamic variable ordering for ordered binary decision diagrams*, ICCAD 1993.

use super::{Edge, EdgeRule, FREE, MIN_BUCKETS, Node, Store, cache};
use crate::error::Error;

/// The number of visits for the supports of all diagrams, for each node.
const VISITS: usize = 8;

/// The unique table of one variable.
#[derive(Default)]
struct LevelTable {
    /// The first node of each bucket. The number of buckets is a power of two.
    buckets: Vec<u32>,
    len: usize,
}

impl LevelTable {
    fn bucket(&self, lo: Edge, hi: Edge) -> usize {
        let mixed = cache::mix(u64::from(lo.0) << 32 | u64::from(hi.0), 0);
        mixed as usize & (self.buckets.len() - 1)
    }

    fn find(&self, nodes: &[Node], lo: Edge, hi: Edge) -> Option<u32> {
        let mut index = self.buckets[self.bucket(lo, hi)];
        while index != 0 {
            let node = &nodes[index as usize];
            if node.lo == lo && node.hi == hi {
                return Some(index);
            }
            index = node.next;
        }
        None
    }

    fn link(&mut self, nodes: &mut [Node], index: u32) {
        let node = &mut nodes[index as usize];
        let bucket = self.bucket(node.lo, node.hi);
        node.next = std::mem::replace(&mut self.buckets[bucket], index);
    }

    fn insert(&mut self, nodes: &mut [Node], index: u32) {
        if self.len >= self.buckets.len() {
            self.resize(nodes, 2 * self.len);
        }
        self.link(nodes, index);
        self.len += 1;
    }

    fn remove(&mut self, nodes: &mut [Node], index: u32) {
        let Node { lo, hi, next, .. } = nodes[index as usize];
        let bucket = self.bucket(lo, hi);
        self.len -= 1;
        let mut at = self.buckets[bucket];
        if at == index {
            self.buckets[bucket] = next;
            return;
        }
        while nodes[at as usize].next != index {
            at = nodes[at as usize].next;
        }
        nodes[at as usize].next = next;
    }

    fn resize(&mut self, nodes: &mut [Node], len: usize) {
        let len = len.next_power_of_two().max(4);
        for first in std::mem::replace(&mut self.buckets, vec![0; len]) {
            let mut index = first;
            while index != 0 {
                let next = nodes[index as usize].next;
                self.link(nodes, index);
                index = next;
            }
        }
    }
}

/// A store whose levels are being swapped. It contains no garbage.
pub(crate) struct Reorder<'s, R> {
    store: &'s mut Store<R>,
    /// The number of references to each node, from nodes and roots.
    references: Vec<u32>,
    /// The unique table of each variable.
    tables: Vec<LevelTable>,
    /// The nodes that the current swap changes.
    changed: Vec<u32>,
    /// The edges that are being released.
    released: Vec<Edge>,
}

impl<'s, R: EdgeRule> Reorder<'s, R> {
    /// Prepares a store for swaps, until [`finish`](Reorder::finish).
    pub(crate) fn new(
        store: &'s mut Store<R>,
        num_vars: usize,
        variable_at: impl Fn(u32) -> usize,
    ) -> Self {
        store.collect(&[]);
        // Cached results may depend on the order, and refer to nodes that will be freed.
        store.cache.clear();
        store.buckets = Vec::new();
        let mut references = vec![0; store.nodes.len()];
        let mut tables: Vec<LevelTable> = Vec::new();
        tables.resize_with(num_vars, LevelTable::default);
        for node in store.nodes.iter_mut().skip(1).filter(|node| node.level != FREE) {
            node.level = variable_at(node.level) as u32;
            tables[node.level as usize].len += 1;
            references[node.lo.node() as usize] += 1;
            references[node.hi.node() as usize] += 1;
        }
        store.links.roots.for_each(|edge| references[edge.node() as usize] += 1);
        for table in &mut tables {
            table.buckets = vec![0; table.len.next_power_of_two().max(4)];
        }
        for index in 1..store.nodes.len() {
            let level = store.nodes[index].level;
            if level != FREE {
                tables[level as usize].link(&mut store.nodes, index as u32);
            }
        }
        Reorder { store, references, tables, changed: Vec::new(), released: Vec::new() }
    }

    /// Gives the nodes their levels again, and restores the unique table of the store.
    pub(crate) fn finish(&mut self, level_of: impl Fn(usize) -> u32) {
        self.tables.clear();
        for node in self.store.nodes.iter_mut().skip(1).filter(|node| node.level != FREE) {
            node.level = level_of(node.level as usize);
        }
        self.store.rebook();
        let mut len = self.store.granted.next_power_of_two();
        while len > MIN_BUCKETS && !self.store.links.budget.has_bytes(len * size_of::<u32>()) {
            len /= 2;
        }
        self.store.rehash(len);
        self.store.collector.survivors = self.store.len();
        self.store.rebook();
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// The number of nodes of a variable.
    #[inline]
    pub(crate) fn width(&self, variable: usize) -> usize {
        self.tables[variable].len
    }

    /// Visits the support of each diagram that is not a part of another one. Visits several supports as
    /// one if there are many large diagrams.
    pub(crate) fn for_each_support(&self, mut visit: impl FnMut(&[u32])) {
        let nodes = &self.store.nodes;
        let mut is_child = vec![false; nodes.len()];
        for node in nodes.iter().skip(1).filter(|node| node.level != FREE) {
            is_child[node.lo.node() as usize] = true;
            is_child[node.hi.node() as usize] = true;
        }
        let is_top = |&index: &usize| nodes[index].level != FREE && !is_child[index];
        let mut round_of_node = vec![0_u32; nodes.len()];
        let mut round_of_variable = vec![0_u32; self.tables.len()];
        let (mut round, mut visits) = (1, 0);
        let (mut support, mut stack) = (Vec::new(), Vec::new());
        for top in (1..nodes.len()).filter(is_top) {
            stack.push(top);
            while let Some(index) = stack.pop() {
                if index == 0 || std::mem::replace(&mut round_of_node[index], round) == round {
                    continue;
                }
                visits += 1;
                let node = nodes[index];
                let seen = &mut round_of_variable[node.level as usize];
                if std::mem::replace(seen, round) != round {
                    support.push(node.level);
                }
                stack.extend([node.lo.node() as usize, node.hi.node() as usize]);
            }
            if visits <= VISITS * nodes.len() {
                visit(&support);
                support.clear();
                round += 1;
            }
        }
        visit(&support);
    }

    /// Reserves the nodes for a swap, so that the swap cannot fail.
    pub(crate) fn prepare(&mut self, upper: usize, lower: usize) -> Result<(), Error> {
        if self.store.capacity_left() >= 2 * self.width(upper) {
            return Ok(());
        }
        let mut most = 0;
        for &first in &self.tables[upper].buckets {
            let mut index = first;
            while index != 0 {
                let node = self.store.nodes[index as usize];
                most += 2 * usize::from(self.depends(node, lower as u32));
                index = node.next;
            }
        }
        while self.store.capacity_left() < most {
            self.store.grant()?;
        }
        Ok(())
    }

    /// Whether a child of the node is a node of the variable.
    #[inline]
    fn depends(&self, node: Node, variable: u32) -> bool {
        self.store.level(node.lo) == variable || self.store.level(node.hi) == variable
    }

    /// Whether two variables on adjacent levels are symmetric: all nodes of the lower one are below nodes
    /// of the upper one, and their functions do not change when the two variables change places,
    /// or when both change places and values.
    pub(crate) fn is_symmetric(&self, upper: usize, lower: usize) -> bool {
        let y = lower as u32;
        let (mut plain, mut negated, mut edges) = (true, true, 0);
        for &first in &self.tables[upper].buckets {
            let mut index = first;
            while index != 0 {
                let Node { lo, hi, next, .. } = self.store.nodes[index as usize];
                let (lo_0, lo_1) = self.store.children_at(lo, y);
                let (hi_0, hi_1) = self.store.children_at(hi, y);
                plain &= lo_1 == hi_0;
                negated &= lo_0 == hi_1;
                if !plain && !negated {
                    return false;
                }
                edges += [lo, hi].into_iter().filter(|&child| self.store.level(child) == y).count();
                index = next;
            }
        }
        let mut references = 0;
        for &first in &self.tables[lower].buckets {
            let mut index = first;
            while index != 0 {
                references += self.references[index as usize] as usize;
                index = self.store.nodes[index as usize].next;
            }
        }
        edges == references
    }

    /// Swaps two variables on adjacent levels, for which nodes were [reserved](Reorder::prepare).
    pub(crate) fn swap(&mut self, upper: usize, lower: usize) {
        let (x, y) = (upper as u32, lower as u32);
        let mut table = std::mem::take(&mut self.tables[upper]);
        let mut changed = std::mem::take(&mut self.changed);
        for bucket in &mut table.buckets {
            let (mut index, mut kept) = (std::mem::take(bucket), 0);
            while index != 0 {
                let node = self.store.nodes[index as usize];
                if self.depends(node, y) {
                    changed.push(index);
                } else {
                    self.store.nodes[index as usize].next = std::mem::replace(&mut kept, index);
                }
                index = node.next;
            }
            *bucket = kept;
        }
        table.len -= changed.len();
        self.tables[upper] = table;
        for index in changed.drain(..) {
            let Node { lo, hi, .. } = self.store.nodes[index as usize];
            // A node contains its variable in place of its level.
            let (lo_0, lo_1) = self.store.children_at(lo, y);
            let (hi_0, hi_1) = self.store.children_at(hi, y);
            let new_lo = self.node(x, lo_0, hi_0);
            self.hold(new_lo);
            let new_hi = self.node(x, lo_1, hi_1);
            self.hold(new_hi);
            debug_assert!(new_lo.flag() == 0 && !R::redundant(new_lo, new_hi));
            let node = &mut self.store.nodes[index as usize];
            (node.lo, node.hi, node.level) = (new_lo, new_hi, y);
            self.tables[lower].insert(&mut self.store.nodes, index);
            self.release(lo);
            self.release(hi);
        }
        self.changed = changed;
        for variable in [upper, lower] {
            let table = &mut self.tables[variable];
            // A swap visits all buckets.
            if table.buckets.len() > 4 * table.len.max(4) {
                table.resize(&mut self.store.nodes, table.len);
            }
        }
    }

    fn hold(&mut self, edge: Edge) {
        self.references[edge.node() as usize] += 1;
    }

    /// Removes a reference, and frees the nodes that are no longer referenced.
    fn release(&mut self, edge: Edge) {
        self.released.push(edge);
        while let Some(edge) = self.released.pop() {
            let index = edge.node();
            let count = &mut self.references[index as usize];
            *count -= 1;
            if *count == 0 && index != 0 {
                let Node { lo, hi, level, .. } = self.store.nodes[index as usize];
                self.tables[level as usize].remove(&mut self.store.nodes, index);
                let free = std::mem::replace(&mut self.store.free, index);
                let slot = &mut self.store.nodes[index as usize];
                (slot.level, slot.next) = (FREE, free);
                self.store.free_slots += 1;
                self.released.extend([lo, hi]);
            }
        }
    }

    /// Returns the node of a variable with these children, and makes it if needed.
    fn node(&mut self, variable: u32, lo: Edge, hi: Edge) -> Edge {
        if R::redundant(lo, hi) {
            return lo;
        }
        let flag = lo.flag();
        let (lo, hi) = (lo.regular(), R::normalise(hi, flag));
        if let Some(index) = self.tables[variable as usize].find(&self.store.nodes, lo, hi) {
            return Edge::to_node(index) ^ flag;
        }
        let index = self.store.take_slot(Node { lo, hi, level: variable, next: 0 });
        self.references.resize(self.store.nodes.len(), 0);
        self.tables[variable as usize].insert(&mut self.store.nodes, index);
        self.hold(lo);
        self.hold(hi);
        Edge::to_node(index) ^ flag
    }
}

/// The maximum number of variables for which pairs are stored: 32 MiB.
const MAX_ROWS: usize = 1 << 14;
/// The row of a variable without nodes.
const NO_ROW: u32 = u32::MAX;

/// A symmetric relation of variables. Two variables that do not interact have no edge between their
/// nodes, in any order.
pub(crate) struct Interactions {
    /// The row of each variable.
    rows: Vec<u32>,
    /// The number of words of a row.
    words: usize,
    /// One bit for each pair. Empty if there are too many variables: then all with nodes interact.
    bits: Vec<u64>,
}

impl Interactions {
    /// No interactions of the variables with nodes.
    pub(crate) fn new(has_nodes: impl Iterator<Item = bool>) -> Self {
        let mut count = 0;
        let rows: Vec<u32> = has_nodes
            .map(|has_nodes| {
                count += u32::from(has_nodes);
                if has_nodes { count - 1 } else { NO_ROW }
            })
            .collect();
        let words = (count as usize).div_ceil(64);
        let stored = if count as usize <= MAX_ROWS { count as usize } else { 0 };
        Interactions { rows, words, bits: vec![0; stored * words] }
    }

    /// Adds the pairs of variables of a diagram.
    pub(crate) fn add(&mut self, support: &[u32]) {
        if self.bits.is_empty() {
            return;
        }
        let mut mask = vec![0; self.words];
        for &variable in support {
            let row = self.rows[variable as usize] as usize;
            mask[row / 64] |= 1 << (row % 64);
        }
        for &variable in support {
            let start = self.rows[variable as usize] as usize * self.words;
            let row = &mut self.bits[start..start + self.words];
            row.iter_mut().zip(&mask).for_each(|(word, mask)| *word |= mask);
        }
    }

    /// Whether nodes of one variable may have children of the other.
    #[inline]
    pub(crate) fn contains(&self, x: usize, y: usize) -> bool {
        let (x, y) = (self.rows[x], self.rows[y]);
        if x == NO_ROW || y == NO_ROW {
            return false;
        }
        let word = x as usize * self.words + y as usize / 64;
        self.bits.get(word).is_none_or(|word| word >> (y % 64) & 1 == 1)
    }
}
