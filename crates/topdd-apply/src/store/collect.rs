//! Mark-and-sweep garbage collection. Handles and running operations are the roots.

use super::node::FREE;
use super::{Edge, Rule, Store};

impl<R: Rule> Store<R> {
    /// Frees all nodes that neither a handle, nor a running operation, nor `held` reaches.
    pub(crate) fn collect(&mut self, held: &[Edge]) {
        self.collections += 1;
        self.peak_nodes = self.peak_nodes.max(self.len());
        self.mark(held);
        self.sweep();
        self.survivors = self.len();
        let marks = &self.marks;
        self.cache.retain(|edge| is_marked(marks, edge.node()));
    }

    fn mark(&mut self, held: &[Edge]) {
        self.marks.clear();
        self.marks.resize(self.nodes.len().div_ceil(64), 0);
        self.marks[0] = 1;
        let mut stack: Vec<u32> = Vec::new();
        let mut found: Vec<u32> = held.iter().map(|edge| edge.node()).collect();
        self.links.roots.for_each(|edge| found.push(edge.node()));
        found.extend(self.kept.iter().map(|edge| edge.node()));
        for frame in &self.pairs {
            frame.for_each(|edge| found.push(edge.node()));
        }
        for frame in &self.calls {
            frame.for_each(|edge| found.push(edge.node()));
        }
        for node in found {
            if set_mark(&mut self.marks, node) {
                stack.push(node);
            }
            while let Some(index) = stack.pop() {
                let node = self.nodes[index as usize];
                for child in [node.lo.node(), node.hi.node()] {
                    if set_mark(&mut self.marks, child) {
                        stack.push(child);
                    }
                }
            }
        }
    }

    fn sweep(&mut self) {
        let mut len = self.nodes.len();
        while !is_marked(&self.marks, len as u32 - 1) {
            len -= 1;
        }
        self.nodes.truncate(len);
        // Ascending free slots place nodes that are made together in adjacent memory.
        self.free = 0;
        self.free_slots = 0;
        for index in (1..len).rev() {
            if !is_marked(&self.marks, index as u32) {
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
