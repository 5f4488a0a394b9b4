//! The sweep over bipartite edge sets, one variable for each edge.
//!
//! The state contains, for each slot of the frontier, the code of its component and side: one plus twice
//! the least slot of the component, plus one if the vertex is not on the side of that slot.

use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

use super::layout::{Allocator, LabelFields, bits_of};
use super::schedule::{Schedule, ScheduledEdge};
use crate::Graph;

/// The spec of all bipartite edge sets.
#[derive(Clone, Debug)]
pub(super) struct Bipartite {
    schedule: Schedule,
    codes: LabelFields,
    words: usize,
}

/// The code of the side of the least slot of a component.
fn code(slot: usize) -> u64 {
    2 * slot as u64 + 1
}

impl Bipartite {
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        let schedule = Schedule::new(graph, order);
        let mut allocator = Allocator::default();
        let bits = bits_of(2 * schedule.width as u64);
        let codes = LabelFields::new(allocator.fields(schedule.width, bits), bits);
        Self { schedule, codes, words: allocator.words() }
    }

    /// The number of slots.
    pub(super) fn num_slots(&self) -> usize {
        self.schedule.width
    }

    /// The codes of the ends of an edge, after those that enter have been added.
    fn open(&self, words: &mut [u64], step: &ScheduledEdge) -> [u64; 2] {
        for end in step.ends.iter().filter(|end| end.enters) {
            self.codes.set(words, end.slot, code(end.slot));
        }
        step.ends.map(|end| self.codes.get(words, end.slot))
    }

    /// Replaces both codes of a component by the codes of another, exchanged if `side` is 1.
    fn rename(&self, words: &mut [u64], from: u64, to: u64, side: u64) {
        self.codes.replace(words, from, to + side);
        self.codes.replace(words, from + 1, to + (1 - side));
    }

    /// Removes a vertex from the frontier.
    fn remove(&self, words: &mut [u64], slot: usize) {
        let old = self.codes.get(words, slot);
        self.codes.set(words, slot, 0);
        if old != code(slot) {
            return;
        }
        let rest = [old, old + 1].map(|code| self.codes.find(words, code));
        if let Some(least) = rest.into_iter().flatten().min() {
            let side = self.codes.get(words, least) - old;
            self.rename(words, old, code(least), side);
        }
    }
}

/// Whether two codes are of one component.
fn joined(a: u64, b: u64) -> bool {
    (a - 1) / 2 == (b - 1) / 2
}

impl ArraySpec for Bipartite {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.schedule.steps.len()
    }

    fn len(&self, _: usize) -> usize {
        self.words
    }

    fn root(&self, (): &mut (), _: &mut [u64]) -> Step<()> {
        if self.schedule.steps.is_empty() { Step::One } else { Step::To(0, ()) }
    }

    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        let step = &self.schedule.steps[variable];
        let [a, b] = self.open(words, step);
        if value == 1 && a == b {
            return Step::Zero;
        }
        if value == 1 && !joined(a, b) {
            // Codes are odd on the side of the least slot. The ends are on different sides.
            let side = 1 ^ ((a ^ b) & 1);
            let [keeps, loses] = [a.min(b), a.max(b)].map(|code| (code - 1) / 2 * 2 + 1);
            self.rename(words, loses, keeps, side);
        }
        for (end, _) in step.ends.iter().zip([false, step.is_loop]).filter(|(_, again)| !again) {
            if end.leaves {
                self.remove(words, end.slot);
            }
        }
        if variable + 1 < self.num_vars() { Step::To(variable + 1, ()) } else { Step::One }
    }

    fn forced(&self, head: &mut (), words: &mut [u64], variable: usize) -> Forced<()> {
        let [a, b] = self.open(words, &self.schedule.steps[variable]);
        if a == b { Forced::to(0, self.child(head, words, variable, 0)) } else { Forced::Free }
    }
}
