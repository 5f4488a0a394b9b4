//! Mark-and-sweep garbage collection. Handles and running operations are the roots.

use super::{Edge, EdgeRule, FREE, Store};
use crate::Set;
use std::cell::{Cell, RefCell};

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

/// The edges of handles, each with the number of its handles.
///
/// Separate from the nodes, so that handles can be cloned and dropped while a store is borrowed.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    slots: RefCell<Vec<RootSlot>>,
    vacant: Cell<Option<u32>>,
    held: Cell<usize>,
    /// Whether a slot became vacant since the last call of `take_released`.
    released: Cell<bool>,
}

#[derive(Clone, Copy, Debug)]
struct RootSlot {
    edge: Edge,
    count: u32,
    /// The next vacant slot, if this one is vacant.
    next: Option<u32>,
}

impl Roots {
    /// Adds a handle and returns its slot.
    pub(crate) fn add(&self, edge: Edge) -> u32 {
        self.held.set(self.held.get() + 1);
        let mut slots = self.slots.borrow_mut();
        let slot = RootSlot { edge, count: 1, next: None };
        if let Some(index) = self.vacant.get() {
            self.vacant.set(slots[index as usize].next);
            slots[index as usize] = slot;
            index
        } else {
            slots.push(slot);
            slots.len() as u32 - 1
        }
    }

    /// Adds a handle for the edge of a slot, and returns its slot: the same one, or a new one if the
    /// counter is at its maximum.
    pub(crate) fn share(&self, index: u32) -> u32 {
        let edge = {
            let slot = &mut self.slots.borrow_mut()[index as usize];
            if slot.count < u32::MAX {
                slot.count += 1;
                return index;
            }
            slot.edge
        };
        self.add(edge)
    }

    /// Removes a handle of a slot.
    pub(crate) fn release(&self, index: u32) {
        let slot = &mut self.slots.borrow_mut()[index as usize];
        slot.count -= 1;
        if slot.count == 0 {
            slot.next = self.vacant.replace(Some(index));
            self.held.set(self.held.get() - 1);
            self.released.set(true);
        }
    }

    /// Drops handles of intermediate results, which do not count as released: a collection that frees only
    /// them is rarely worth its time.
    pub(crate) fn drop_intermediate<T>(&self, handles: T) {
        let released = self.released.get();
        drop(handles);
        self.released.set(released);
    }

    /// Whether a slot became vacant since the last call.
    pub(crate) fn take_released(&self) -> bool {
        self.released.take()
    }

    /// The number of slots in use.
    pub(crate) fn len(&self) -> usize {
        self.held.get()
    }

    pub(crate) fn for_each(&self, mut visit: impl FnMut(Edge)) {
        for slot in self.slots.borrow().iter().filter(|slot| slot.count > 0) {
            visit(slot.edge);
        }
    }
}

impl<R: EdgeRule> Store<R> {
    /// Visits each node below `roots` once, except the terminal.
    fn visit(&self, roots: &[Edge], mut visit: impl FnMut(u32)) {
        let mut seen: Set<u32> = Set::default();
        let mut stack: Vec<Edge> = roots.to_vec();
        while let Some(edge) = stack.pop() {
            if !edge.is_terminal() && seen.insert(edge.node()) {
                let node = self.node(edge);
                visit(node.level);
                stack.push(node.hi);
                stack.push(node.lo);
            }
        }
    }

    /// The number of nodes below `roots`.
    pub(crate) fn count_nodes(&self, roots: &[Edge]) -> usize {
        let mut count = 0;
        self.visit(roots, |_| count += 1);
        count
    }

    /// The levels that have nodes below `edge`, ascending.
    pub(crate) fn support(&self, edge: Edge) -> Vec<u32> {
        let mut levels: Set<u32> = Set::default();
        self.visit(&[edge], |level| {
            levels.insert(level);
        });
        let mut levels: Vec<_> = levels.into_iter().collect();
        levels.sort_unstable();
        levels
    }
}
