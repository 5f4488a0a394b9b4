//! Choosing buckets for two-valued nodes, by the child of value 1.

use super::super::store::{FIRST_NODE, NodeId};
use super::Task;
use super::sort::Splitter;
use std::ops::Range;

/// Buckets of about the same size, as a few edges of the level tell.
///
/// Edges lead mostly to a few levels close by. Children are told apart by how far below the
/// level they are, the closer the finer: to one part in sixty-four.
#[derive(Debug, Default)]
pub(super) struct ByOne {
    /// The first node that is not below the level.
    base: NodeId,
    /// The bucket of each cell.
    cells: Vec<u8>,
    /// The least child in each bucket.
    bounds: Vec<NodeId>,
}

/// Distances that are told apart exactly; beyond, half as many for each power of two.
const EXACT: u32 = 1 << 7;
/// The number of cells.
const CELLS: usize = cell(NodeId::MAX) + 1;
/// Children that are looked at in all, mostly: each is likely to be in no cache.
const SAMPLES: usize = 1 << 8;
/// The same, at least, in each list.
const LEAST_SAMPLES: usize = 1 << 4;

/// The cell of nodes at this distance.
#[inline]
const fn cell(distance: NodeId) -> usize {
    let shift = (distance | (EXACT - 1)).ilog2() - (EXACT / 2).ilog2();
    (shift * (EXACT / 2) + (distance >> shift)) as usize
}

/// The largest distance in a cell.
fn largest(cell: usize) -> NodeId {
    let cell = cell as NodeId;
    let shift = (cell / (EXACT / 2)).saturating_sub(1);
    let next = u64::from(cell - shift * (EXACT / 2) + 1) << shift;
    (next - 1) as NodeId
}

impl ByOne {
    pub(super) fn new(task: &Task<'_>) -> Self {
        let buckets = task.buckets();
        let mut splitter =
            ByOne { base: task.base, cells: vec![0; CELLS], bounds: vec![0; buckets] };
        if buckets == 1 {
            return splitter;
        }
        let mut weights = vec![0u64; CELLS];
        let mut edges = 0;
        let far = task.known.arrivals(task.level).inspect(|list| edges += list.len());
        let forced = task.forced.iter().flat_map(|forced| &forced.nodes).map(|list| &list[..]);
        let lists: Vec<&[NodeId]> = far.chain(forced).collect();
        let samples = (SAMPLES / lists.len().max(1)).max(LEAST_SAMPLES);
        for list in lists {
            let step = list.len().div_ceil(samples).max(1);
            for &id in list.iter().step_by(step).filter(|&&id| id >= FIRST_NODE) {
                weights[cell(task.base - id)] += step as u64;
            }
        }
        // Of the other edges, most of which lead to the next level, nothing more is known.
        let near = task.level.edges().saturating_sub(edges) as u64;
        let nodes = u64::from(task.base - task.near_first);
        for sample in 0..SAMPLES as u64 {
            let distance = 1 + (nodes.saturating_sub(1) * sample / (SAMPLES as u64 - 1));
            weights[cell(distance as NodeId)] += near.div_ceil(SAMPLES as u64);
        }
        splitter.cut(&weights);
        splitter
    }

    /// Shares the cells out to the buckets, by their weights.
    fn cut(&mut self, weights: &[u64]) {
        let buckets = self.bounds.len();
        let total = weights.iter().sum::<u64>().max(1);
        let mut before = 0;
        let mut last = 0;
        let mut bucket = 0;
        for (cell, &weight) in weights.iter().enumerate().rev() {
            if bucket > last {
                self.bounds[last + 1..=bucket].fill(self.base.saturating_sub(largest(cell)));
                last = bucket;
            }
            self.cells[cell] = bucket as u8;
            // Most cells weigh nothing.
            if weight > 0 {
                before += weight;
                bucket = (before * buckets as u64 / total).min(buckets as u64 - 1) as usize;
            }
        }
        self.bounds[last + 1..].fill(self.base);
    }

    /// The children in a bucket.
    pub(super) fn range(&self, bucket: usize) -> Range<NodeId> {
        self.bounds[bucket]..self.bounds.get(bucket + 1).copied().unwrap_or(self.base)
    }
}

impl Splitter for ByOne {
    fn buckets(&self) -> usize {
        self.bounds.len()
    }

    #[inline]
    fn bucket(&self, head: u64) -> usize {
        let one = (head >> 32) as NodeId;
        usize::from(self.cells[cell(self.base - one)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cells_follow_each_other() {
        assert_eq!(cell(0), 0);
        for cell in 0..CELLS - 1 {
            assert_eq!(super::cell(largest(cell)), cell);
            assert_eq!(super::cell(largest(cell) + 1), cell + 1);
        }
        assert_eq!(largest(CELLS - 1), NodeId::MAX);
    }

    proptest! {
        #[test]
        fn each_node_is_in_the_range_of_its_bucket(
            base in prop_oneof![2u32..2000, 2..=NodeId::MAX],
            weights in prop::collection::vec((0..CELLS, 1u64..100), 0..60),
            buckets in 1usize..=256,
            nodes in prop::collection::vec((any::<NodeId>(), 1u32..3000), 1..50),
        ) {
            let mut all = vec![0; CELLS];
            for (cell, weight) in weights {
                all[cell] += weight;
            }
            let mut splitter = ByOne { base, cells: vec![0; CELLS], bounds: vec![0; buckets] };
            splitter.cut(&all);
            for (any, close) in nodes {
                for one in [any % base, base.saturating_sub(close)] {
                    let bucket = splitter.bucket(u64::from(one) << 32);
                    prop_assert!(splitter.range(bucket).contains(&one));
                }
            }
            prop_assert!(splitter.bounds.is_sorted());
        }
    }
}
