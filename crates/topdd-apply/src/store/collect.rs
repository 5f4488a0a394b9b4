//! Mark-and-sweep garbage collection. Handles and running operations are the roots.

use super::node::FREE;
use super::{Edge, EdgeRule, Store};

/// The marks of a collection, one bit for each node, and counts of the collections so far.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    marks: Vec<u64>,
    /// The number of nodes after the last collection.
    pub(super) survivors: usize,
    pub(crate) collections: u64,
    pub(crate) peak_nodes: usize,
}

impl Collector {
    pub(super) fn bytes(&self) -> usize {
        self.marks.capacity() * size_of::<u64>()
    }
}

impl<R: EdgeRule> Store<R> {
    /// Frees all nodes that neither a handle, nor a running operation, nor `held` reaches.
    pub(crate) fn collect(&mut self, held: &[Edge]) {
        self.collector.collections += 1;
        self.collector.peak_nodes = self.collector.peak_nodes.max(self.len());
        self.mark(held);
        self.sweep();
        self.collector.survivors = self.len();
        let marks = &self.collector.marks;
        self.cache.retain(|edge| is_marked(marks, edge.node()));
    }

    fn mark(&mut self, held: &[Edge]) {
        let marks = &mut self.collector.marks;
        marks.clear();
        marks.resize(self.nodes.len().div_ceil(64), 0);
        marks[0] = 1;
        let mut stack: Vec<u32> = Vec::new();
        let mut found: Vec<u32> = Vec::new();
        let mut find = |edge: Edge| found.push(edge.node());
        held.iter().chain(&self.stacks.kept).copied().for_each(&mut find);
        self.links.roots.for_each(&mut find);
        self.stacks.pairs.iter().for_each(|frame| frame.for_each(&mut find));
        self.stacks.calls.iter().for_each(|frame| frame.for_each(&mut find));
        for node in found {
            if set_mark(marks, node) {
                stack.push(node);
            }
            while let Some(index) = stack.pop() {
                let node = self.nodes[index as usize];
                for child in [node.lo.node(), node.hi.node()] {
                    if set_mark(marks, child) {
                        stack.push(child);
                    }
                }
            }
        }
    }

    fn sweep(&mut self) {
        let mut len = self.nodes.len();
        while !is_marked(&self.collector.marks, len as u32 - 1) {
            len -= 1;
        }
        self.nodes.truncate(len);
        // Ascending free slots place nodes that are made together in adjacent memory.
        self.free = 0;
        self.free_slots = 0;
        for index in (1..len).rev() {
            if !is_marked(&self.collector.marks, index as u32) {
                let slot = &mut self.nodes[index];
                slot.level = FREE;
                slot.next = std::mem::replace(&mut self.free, index as u32);
                self.free_slots += 1;
            }
        }
        self.rehash(self.buckets.len());
    }
}

#[inline]
fn is_marked(marks: &[u64], node: u32) -> bool {
    marks[node as usize / 64] >> (node % 64) & 1 == 1
}

/// Sets a mark, and returns whether it is new.
#[inline]
fn set_mark(marks: &mut [u64], node: u32) -> bool {
    let word = &mut marks[node as usize / 64];
    let bit = 1 << (node % 64);
    let new = *word & bit == 0;
    *word |= bit;
    new
}
