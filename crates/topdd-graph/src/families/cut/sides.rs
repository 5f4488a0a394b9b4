//! The connectivity of both sides, for minimal cuts.
//!
//! The state contains the label of the component of each slot among the edges that are not taken, and the number of
//! components that have left the frontier: at most two, which are the sides.

use super::super::layout::{Allocator, Field, LabelFields, WordBits, bits_of};
use super::{CutStep, bit, bit_of};

/// The fields of the components of both sides.
#[derive(Clone, Debug)]
pub(super) struct ConnectedSides {
    labels: LabelFields,
    /// The number of components that are complete.
    complete: Field,
    /// The sides of all slots.
    sides: WordBits,
}

impl ConnectedSides {
    /// Allocates the fields, given the field of the side of each slot.
    pub(super) fn new(allocator: &mut Allocator, sides: &[Field]) -> Self {
        let bits = bits_of(sides.len() as u64);
        let labels = LabelFields::new(allocator.fields(sides.len(), bits), bits);
        let complete = allocator.field(2);
        let mut words = vec![0; allocator.words()];
        for side in sides {
            side.set(&mut words, 1);
        }
        Self { labels, complete, sides: WordBits::from_words(&words) }
    }

    /// Joins the ends of an edge that is not taken, and removes the vertices that leave. Returns whether the sides
    /// may still be connected.
    pub(super) fn update(&self, words: &mut [u64], step: &CutStep, taken: bool) -> bool {
        for end in step.ends.iter().filter(|end| end.enters) {
            self.labels.set(words, end.slot, end.slot as u64 + 1);
        }
        let [a, b] = step.ends.map(|end| self.labels.get(words, end.slot));
        if !taken {
            self.labels.replace(words, a.max(b), a.min(b));
        } else if self.has_one(words) {
            return false;
        }
        for end in step.ends.iter().filter(|end| end.leaves) {
            if self.remove(words, end.slot) {
                let complete = self.complete.get(words) + 1;
                self.complete.set(words, complete);
                // The other vertices of the component of decided edges must be on the other side.
                let side = bit(words, bit_of(end.slot));
                if step.least.is_some_and(|least| bit(words, least) == side) {
                    return false;
                }
            }
        }
        true
    }

    /// Removes the vertex in a slot. Returns whether its component is complete.
    fn remove(&self, words: &mut [u64], slot: usize) -> bool {
        let label = self.labels.get(words, slot);
        self.labels.set(words, slot, 0);
        if label != slot as u64 + 1 {
            return false;
        }
        let Some(next) = self.labels.find(words, label) else { return true };
        self.labels.replace(words, label, next as u64 + 1);
        false
    }

    /// Whether the state after a step has at most one component on a side that is complete. `is_last` is whether all
    /// vertices have left.
    pub(super) fn may_be_connected(&self, words: &[u64], is_last: bool) -> bool {
        match self.complete.get(words) {
            0 => true,
            1 => !self.sides.any_in(words),
            _ => is_last,
        }
    }

    /// Whether one side is complete, so that all other vertices are on the other side.
    #[inline]
    pub(super) fn has_one(&self, words: &[u64]) -> bool {
        self.complete.get(words) > 0
    }

    /// Whether both sides are complete.
    pub(super) fn are_complete(&self, words: &[u64]) -> bool {
        self.complete.get(words) == 2
    }
}
