//! The roots of handles.

use super::Edge;
use std::cell::{Cell, RefCell};

/// The edges of handles, each with the number of its handles.
///
/// Separate from the nodes, so that handles can be cloned and dropped while a store is borrowed.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    slots: RefCell<Vec<Slot>>,
    vacant: Cell<Option<u32>>,
    held: Cell<usize>,
    /// Whether a slot became vacant since the last call of `take_released`.
    released: Cell<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
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
        let slot = Slot { edge, count: 1, next: None };
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
