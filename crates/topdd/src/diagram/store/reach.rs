//! The levels that the edges of a level lead to.

use super::{FIRST_NODE, LevelEntry, NodeId, level_of};
use std::collections::BTreeSet;
use std::ops::Range;

/// The levels that edges of a new level lead to, while they are collected. Most edges lead to the
/// last level, and many others to one of the last two levels found.
#[derive(Clone)]
pub(super) struct Reach<'a> {
    /// The levels below.
    levels: &'a [LevelEntry],
    adjacent_first: NodeId,
    reaches_adjacent: bool,
    last: [Range<NodeId>; 2],
    /// The indices of the levels found, but for the last level.
    found: BTreeSet<u32>,
}

impl<'a> Reach<'a> {
    /// Of a level whose first node is `next`, and the levels below it.
    pub(super) fn new(levels: &'a [LevelEntry], next: NodeId) -> Self {
        Reach {
            levels,
            adjacent_first: levels.last().map_or(next, |level| level.first),
            reaches_adjacent: false,
            last: [0..0, 0..0],
            found: BTreeSet::new(),
        }
    }

    /// Adds the target of an edge.
    #[inline]
    pub(super) fn note(&mut self, id: NodeId) {
        if id >= self.adjacent_first {
            self.reaches_adjacent = true;
        } else if id >= FIRST_NODE && !self.last.iter().any(|last| last.contains(&id)) {
            self.note_long(id);
        }
    }

    #[cold]
    fn note_long(&mut self, id: NodeId) {
        self.last.swap(0, 1);
        let index = level_of(self.levels, id);
        // The last level is not looked for here.
        self.last[0] = self.levels[index].first..self.levels[index + 1].first;
        self.found.insert(index as u32);
    }

    /// The indices of the levels, from the bottom up.
    pub(super) fn into_levels(mut self) -> BTreeSet<u32> {
        if self.reaches_adjacent {
            self.found.insert(self.levels.len() as u32 - 1);
        }
        self.found
    }
}
