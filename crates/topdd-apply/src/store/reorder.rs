//! Reordering by swaps of adjacent levels in place.
//!
//! A node keeps its number and its meaning; only its variable and its children change.
//! So handles stay valid.
//!
//! Source: R. Rudell, *Dynamic variable ordering for ordered binary decision diagrams*, ICCAD 1993.

use super::node::{FREE, Node};
use super::{Edge, EdgeRule, Store, bucket};
use crate::error::Error;

/// A store whose levels are being swapped. It contains no garbage.
pub(crate) struct Reorder<'s, R> {
    store: &'s mut Store<R>,
    /// The number of references to each node, from nodes and roots.
    references: Vec<u32>,
    /// The nodes of each level. May contain duplicates, and nodes that have left the level.
    levels: Vec<Vec<u32>>,
}

impl<'s, R: EdgeRule> Reorder<'s, R> {
    pub(crate) fn new(store: &'s mut Store<R>, num_levels: usize) -> Self {
        store.collect(&[]);
        // Cached results may depend on the order, and refer to nodes that will be freed.
        store.cache.clear();
        let mut references = vec![0; store.nodes.len()];
        let mut levels = vec![Vec::new(); num_levels];
        for (index, node) in store.nodes.iter().enumerate().skip(1) {
            if node.level != FREE {
                levels[node.level as usize].push(index as u32);
                references[node.lo.node() as usize] += 1;
                references[node.hi.node() as usize] += 1;
            }
        }
        store.links.roots.for_each(|edge| references[edge.node() as usize] += 1);
        Reorder { store, references, levels }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// The number of nodes on a level.
    pub(crate) fn width(&mut self, level: usize) -> usize {
        self.tidy(level);
        self.levels[level].len()
    }

    fn tidy(&mut self, level: usize) {
        let nodes = &self.store.nodes;
        let list = &mut self.levels[level];
        list.retain(|&index| {
            nodes.get(index as usize).is_some_and(|node| node.level as usize == level)
        });
        list.sort_unstable();
        list.dedup();
    }

    /// Reserves the nodes for a swap of a level with the next one, so that the swap cannot fail.
    pub(crate) fn prepare(&mut self, level: usize) -> Result<(), Error> {
        let most = 2 * self.width(level);
        while self.store.capacity_left() < most {
            self.store.grow()?;
        }
        Ok(())
    }

    /// Swaps a level, which was [prepared](Reorder::prepare), with the next one.
    pub(crate) fn swap(&mut self, upper_level: usize) {
        let (x, y) = (upper_level as u32, upper_level as u32 + 1);
        self.tidy(upper_level);
        self.tidy(upper_level + 1);
        let upper = std::mem::take(&mut self.levels[upper_level]);
        let lower = std::mem::take(&mut self.levels[upper_level + 1]);
        for &index in upper.iter().chain(&lower) {
            self.unlink(index);
        }
        for &index in &lower {
            self.store.nodes[index as usize].level = x;
            self.link(index);
        }
        let (changed, moved): (Vec<u32>, Vec<u32>) = upper.into_iter().partition(|&index| {
            let node = self.store.nodes[index as usize];
            [node.lo, node.hi].into_iter().any(|child| self.store.level(child) == x)
        });
        for &index in &moved {
            self.store.nodes[index as usize].level = y;
            self.link(index);
        }
        self.levels[upper_level] = lower;
        self.levels[upper_level + 1] = moved;
        for index in changed {
            let Node { lo, hi, .. } = self.store.nodes[index as usize];
            let (lo_0, lo_1) = self.store.children_at(lo, x);
            let (hi_0, hi_1) = self.store.children_at(hi, x);
            let new_lo = self.node(y, lo_0, hi_0);
            let new_hi = self.node(y, lo_1, hi_1);
            debug_assert!(new_lo.flag() == 0 && !R::redundant(new_lo, new_hi));
            self.hold(new_lo);
            self.hold(new_hi);
            let node = &mut self.store.nodes[index as usize];
            (node.lo, node.hi) = (new_lo, new_hi);
            self.link(index);
            self.levels[upper_level].push(index);
            self.release(lo);
            self.release(hi);
        }
    }

    fn hold(&mut self, edge: Edge) {
        self.references[edge.node() as usize] += 1;
    }

    /// Removes a reference, and frees the nodes that are no longer referenced.
    fn release(&mut self, edge: Edge) {
        let mut stack = vec![edge];
        while let Some(edge) = stack.pop() {
            let index = edge.node();
            let count = &mut self.references[index as usize];
            *count -= 1;
            if *count == 0 && index != 0 {
                self.unlink(index);
                let Node { lo, hi, .. } = self.store.nodes[index as usize];
                let free = std::mem::replace(&mut self.store.free, index);
                let slot = &mut self.store.nodes[index as usize];
                (slot.level, slot.next) = (FREE, free);
                self.store.free_slots += 1;
                stack.extend([lo, hi]);
            }
        }
    }

    /// Returns the node with these children, which are below the level, and makes it if needed.
    fn node(&mut self, level: u32, lo: Edge, hi: Edge) -> Edge {
        if R::redundant(lo, hi) {
            return lo;
        }
        let flag = lo.flag();
        let (lo, hi) = (lo.regular(), R::normalise(hi, flag));
        let bucket = bucket(lo, hi, level, self.store.buckets.len());
        if let Some(index) = self.store.find(bucket, level, lo, hi) {
            return Edge::to_node(index) ^ flag;
        }
        let index = self.store.insert(bucket, level, lo, hi);
        self.references.resize(self.store.nodes.len(), 0);
        self.hold(lo);
        self.hold(hi);
        self.levels[level as usize].push(index);
        Edge::to_node(index) ^ flag
    }

    /// Inserts a node into the unique table.
    fn link(&mut self, index: u32) {
        let Node { lo, hi, level, .. } = self.store.nodes[index as usize];
        let bucket = bucket(lo, hi, level, self.store.buckets.len());
        let first = std::mem::replace(&mut self.store.buckets[bucket], index);
        self.store.nodes[index as usize].next = first;
    }

    /// Removes a node from the unique table.
    fn unlink(&mut self, index: u32) {
        let Node { lo, hi, level, next } = self.store.nodes[index as usize];
        let bucket = bucket(lo, hi, level, self.store.buckets.len());
        let mut at = self.store.buckets[bucket];
        if at == index {
            self.store.buckets[bucket] = next;
            return;
        }
        while self.store.nodes[at as usize].next != index {
            at = self.store.nodes[at as usize].next;
        }
        self.store.nodes[at as usize].next = next;
    }
}
