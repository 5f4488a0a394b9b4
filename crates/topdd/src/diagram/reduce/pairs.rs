//! Two-valued nodes.

use super::super::store::{Capacity, LevelWriter, NodeId, ZERO, is_redundant};
use super::node::{List, Node, NodeReader};
use crate::Portable;
use crate::frontier::unreduced::{Contents, ShapeReader};
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;
use std::ops::Range;

/// Nodes that are collected before they are appended to a list.
const BLOCK: usize = 1 << 8;

/// A two-valued node. Sorted by the child of value 1 first, because under the zero-suppressed rule
/// that is never the 0-terminal.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Pair {
    zero: NodeId,
    one: NodeId,
    entry: u32,
}

impl Node for Pair {
    /// The nodes stay in the cache.
    const BUCKET_NODES: usize = 1 << 16;

    #[inline]
    fn head(&self) -> u64 {
        u64::from(self.one) << 32 | u64::from(self.zero)
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
    fn size(&self) -> Capacity {
        Capacity { pairs: 1, ..Capacity::default() }
    }

    #[inline]
    fn forced(one: NodeId, entry: u32) -> Self {
        Pair { zero: ZERO, one, entry }
    }

    #[inline]
    fn read(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        mut states: Range<u32>,
        Contents { shape, codes }: Contents<'_>,
        out: &mut List<Pair>,
    ) {
        let mut shapes = ShapeReader::new(2, shape);
        let mut at = 0;
        // Collected here without a branch.
        let mut block = [Pair::default(); BLOCK];
        while !states.is_empty() {
            let mut kept = 0;
            for state in states.by_ref().take(BLOCK) {
                let mask = shapes.next_byte();
                // The next code is looked at in any case, and taken if it belongs to the node.
                let mut child = |exists: bool| {
                    let code = codes.get(at).copied().unwrap_or_default();
                    at += usize::from(exists);
                    reader.targets.next(exists, code)
                };
                let (zero, one) = (child(mask & 1 != 0), child(mask & 2 != 0));
                let redundant = is_redundant([zero, one], reader.task.rule);
                if let Some(map) = reader.map {
                    // The entries of other nodes are overwritten when the nodes are stored.
                    map.set(state, zero);
                }
                let pair = Pair { zero, one, entry: state };
                block[kept] = pair;
                kept += usize::from(!redundant & (reader.keep)(pair.head(), state));
            }
            out.nodes.extend_from_slice(&block[..kept]);
        }
    }

    #[inline]
    fn encode(&self, _: &[List<Pair>], out: &mut Vec<u8>) {
        self.head().write(out);
    }

    #[inline]
    fn decode(bytes: &mut &[u8], entry: u32, _: usize, out: &mut List<Pair>) -> Option<()> {
        let head = u64::read(bytes)?;
        out.nodes.push(Pair { zero: head as NodeId, one: (head >> 32) as NodeId, entry });
        Some(())
    }

    #[inline]
    fn put(&self, _: &[List<Pair>], writer: &mut LevelWriter<'_>) {
        writer.put_pair([self.zero, self.one]);
    }
}
