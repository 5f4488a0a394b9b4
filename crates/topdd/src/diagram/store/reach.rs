//! The levels that the edges of a level lead to.

use super::{FIRST_NODE, LevelEntry, NodeId, level_of};
use std::collections::BTreeMap;
use std::ops::Range;

/// The levels that edges of a new level lead to, while they are collected. Most edges lead to the
/// last level, and many others to one of the last two levels found.
#[derive(Clone)]
pub(crate) struct Reach<'a> {
    /// The levels below, and the id of the first node after them.
    levels: &'a [LevelEntry],
    end: NodeId,
    adjacent_first: NodeId,
    reaches_adjacent: bool,
    last: [Range<NodeId>; 2],
    /// The levels found: first node and index, by the id after the last node.
    found: BTreeMap<NodeId, (NodeId, u32)>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(levels: &'a [LevelEntry], end: NodeId) -> Self {
        let adjacent_first = levels.last().map_or(end, |level| level.first);
        Reach {
            levels,
            end,
            adjacent_first,
            reaches_adjacent: false,
            last: [0..0, 0..0],
            found: BTreeMap::new(),
        }
    }

    /// Adds the target of an edge.
    #[inline]
    pub(crate) fn note(&mut self, id: NodeId) {
        if id >= self.adjacent_first {
            self.reaches_adjacent = true;
        } else if id >= FIRST_NODE && !self.last.iter().any(|last| last.contains(&id)) {
            self.note_long(id);
        }
    }

    #[cold]
    fn note_long(&mut self, id: NodeId) {
        self.last.swap(0, 1);
        self.last[0] = match self.found.range(id + 1..).next() {
            Some((&end, &(first, _))) if first <= id => first..end,
            _ => {
                let index = level_of(self.levels, id);
                let first = self.levels[index].first;
                let end = self.levels.get(index + 1).map_or(self.end, |above| above.first);
                self.found.insert(end, (first, index as u32));
                first..end
            }
        };
    }

    /// The indices of the levels, from the bottom up.
    pub(crate) fn into_levels(self) -> Vec<u32> {
        let mut levels: Vec<u32> = self.found.into_values().map(|(_, index)| index).collect();
        if self.reaches_adjacent {
            levels.push(self.levels.len() as u32 - 1);
        }
        levels
    }
}
