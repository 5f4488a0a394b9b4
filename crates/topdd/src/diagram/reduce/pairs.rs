//! Two-valued nodes.

use super::super::store::{Builder, NodeId, Reach, ZERO, is_redundant};
use super::node::{Count, List, Node, Reader, Room};
use super::{BLOCK, COUNTED, LevelTask};
use crate::BuildError;
use crate::frontier::unreduced::ShapeReader;
use std::cmp::Ordering;

/// A two-valued node. Sorted by the child of value 1 first, because under the zero-suppressed rule
/// that is never the 0-terminal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    zero: NodeId,
    one: NodeId,
    entry: u32,
}

impl Node for Pair {
    type Room<'r> = &'r mut [[NodeId; 2]];

    #[inline]
    fn head(&self) -> u64 {
        u64::from(self.one) << 32 | u64::from(self.zero)
    }

    #[inline]
    fn key(&self, depth: usize, _: &[List<Pair>]) -> u64 {
        if depth == 0 { self.head() } else { 0 }
    }

    #[inline]
    fn order(&self, other: &Self, _: &[List<Pair>]) -> Ordering {
        self.head().cmp(&other.head())
    }

    #[inline]
    fn entry(&self) -> u32 {
        self.entry
    }

    #[inline]
    fn forced(one: NodeId, entry: u32) -> Self {
        Pair { zero: ZERO, one, entry }
    }

    #[inline]
    fn end(&self) -> Option<NodeId> {
        (self.zero == ZERO).then_some(self.one)
    }

    fn read(
        reader: &mut Reader<'_, impl Fn(u64, u32) -> bool>,
        (nodes, shape, codes): (usize, &[u8], &[u32]),
        first: u32,
        out: &mut List<Pair>,
    ) -> Result<u32, BuildError> {
        let mut shapes = ShapeReader::new(2, shape);
        let mut state = first;
        let mut at = 0;
        // Collected here without a branch.
        out.block.resize(BLOCK, Pair::default());
        for part in (0..nodes).step_by(BLOCK) {
            reader.task.check()?;
            let mut kept = 0;
            for _ in part..nodes.min(part + BLOCK) {
                let mask = shapes.next_mask();
                // The next code is looked at in any case, and taken if it belongs to the node.
                let mut child = |exists: bool| {
                    let code = codes.get(at).copied().unwrap_or_default();
                    at += usize::from(exists);
                    reader.targets.next(exists, code)
                };
                let (zero, one) = (child(mask & 1 != 0), child(mask & 2 != 0));
                let redundant = is_redundant([zero, one], reader.task.rule);
                // That of the others is overwritten.
                reader.set(state, zero);
                let pair = Pair { zero, one, entry: state };
                out.block[kept] = pair;
                kept += usize::from(!redundant & (reader.keep)(pair.head(), state));
                state += 1;
            }
            out.nodes.extend_from_slice(&out.block[..kept]);
        }
        Ok(state)
    }

    fn push(
        store: &mut Builder,
        task: &LevelTask<'_>,
        count: Count,
        write: impl FnOnce(Self::Room<'_>, &Reach<'_>) -> Result<Vec<Vec<u32>>, BuildError>,
    ) -> Result<(), BuildError> {
        store.push_pairs(task.level.variable, count.nodes, &|| task.check(), write)
    }
}

impl Room<Pair> for &mut [[NodeId; 2]] {
    fn split_off(&mut self, count: Count) -> Self {
        self.split_off_mut(..count.nodes).expect(COUNTED)
    }

    #[inline]
    fn put(&mut self, &Pair { zero, one, .. }: &Pair, _: &[List<Pair>], reach: &mut Reach<'_>) {
        *self.split_off_first_mut().expect(COUNTED) = [zero, one];
        reach.note(zero);
        reach.note(one);
    }
}
