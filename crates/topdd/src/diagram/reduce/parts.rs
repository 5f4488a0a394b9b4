//! Levels whose nodes would take too much memory at a time, and are reduced in parts.
//!
//! Nodes are sorted by their heads first of all. So the level is read once for each of several
//! ranges of heads, the least first, and only the nodes with these are collected, sorted, and
//! stored behind those of the range before: this comes to the same as all of them together.
//! Nodes of the same head are not taken apart, however many there are.

use super::super::store::Builder;
use super::Task;
use super::known::Targets;
use super::map::StateMap;
use super::span::{Span, spans};
use crate::Error;
use std::ops::RangeInclusive;

/// What reduces the levels of one kind of nodes.
pub(super) trait Reducer: Default {
    /// The bytes that it takes to reduce so many nodes with so many edges at a time.
    fn bytes_for(nodes: usize, edges: usize) -> usize;

    /// What it holds from level to level.
    fn bytes(&self) -> usize;

    /// Collects the nodes of these spans, the edges of each of which lead to its `targets`, that
    /// are not redundant and that `keep`, asked with the head and the state, is true of. What the
    /// redundant ones stand for goes to `map`, if `MARKS`. With them the forced nodes, if any.
    fn read<const MARKS: bool>(
        &mut self,
        task: &Task<'_>,
        spans: &[Span],
        targets: Vec<Targets<'_>>,
        map: &StateMap,
        keep: impl Fn(u64, u32) -> bool + Sync,
    ) -> Result<(), Error>;

    /// The heads of what was collected.
    fn heads(&self) -> Vec<u64>;

    /// Appends what was collected to the store and writes into `map` which of its nodes each
    /// state became. Nothing is collected any more then.
    fn add(&mut self, task: &Task<'_>, map: &StateMap, store: &mut Builder) -> Result<(), Error>;
}

/// Heads that are looked at for each part.
const SAMPLES: usize = 1 << 8;

/// Appends the nodes of a level to the store and writes into `map` which of them each of its
/// states became.
pub(super) fn reduce<R: Reducer>(
    reducer: &mut R,
    task: &Task<'_>,
    map: &StateMap,
    store: &mut Builder,
) -> Result<(), Error> {
    let spans = spans(task);
    let nodes = task.nodes;
    let targets = task.known.targets(task, &spans)?;
    if reducer.bytes() > task.share {
        *reducer = R::default();
    }
    let most = R::bytes_for(nodes, task.level.edges());
    if most <= task.share {
        reducer.read::<true>(task, &spans, targets, map, |_, _| true)?;
        return reducer.add(task, map, store);
    }
    debug_assert!(task.forced.is_empty(), "under a limit every node is met as a state");
    let parts = most.div_ceil(task.share.max(1)).min(nodes);
    let step = (nodes / (parts * SAMPLES)).max(1) as u32;
    reducer.read::<true>(task, &spans, targets.clone(), map, |_, state| state % step == 0)?;
    let heads = reducer.heads();
    // Many nodes may have turned out to be redundant.
    let kept = (heads.len() as u64 * u64::from(step)).min(nodes as u64);
    let parts = (parts as u64 * kept).div_ceil(nodes as u64).max(1) as usize;
    for part in cut(heads, parts) {
        let targets = targets.clone();
        reducer.read::<false>(task, &spans, targets, map, |head, _| part.contains(&head))?;
        reducer.add(task, map, store)?;
    }
    Ok(())
}

/// Ranges of all heads, in order, each with about the same share of these.
fn cut(mut heads: Vec<u64>, parts: usize) -> Vec<RangeInclusive<u64>> {
    heads.sort_unstable();
    let mut starts: Vec<u64> =
        (1..parts).filter_map(|part| heads.get(part * heads.len() / parts).copied()).collect();
    starts.retain(|&start| start > 0);
    starts.dedup();
    let ends = starts.iter().map(|&start| start - 1).chain([u64::MAX]);
    [0].into_iter().chain(starts.iter().copied()).zip(ends).map(|(a, b)| a..=b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_head_is_in_one_part(
            heads in prop::collection::vec(prop_oneof![0u64..5, any::<u64>()], 0..50),
            parts in 1usize..9,
        ) {
            let ranges = cut(heads.clone(), parts);
            prop_assert!((1..=parts).contains(&ranges.len()));
            for head in heads.into_iter().chain([0, u64::MAX]) {
                prop_assert_eq!(ranges.iter().filter(|range| range.contains(&head)).count(), 1);
            }
            prop_assert!(ranges.windows(2).all(|two| two[0].end() < two[1].start()));
        }
    }
}
