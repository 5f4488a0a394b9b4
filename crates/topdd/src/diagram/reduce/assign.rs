//! The last pass: every state of the level learns which node it became.

use super::super::store::NodeId;
use super::{Task, for_all, split_by_chunk};

/// How many nodes each chunk has put into each bucket.
pub(super) type Counts = Vec<Vec<usize>>;

/// Replaces `base + bucket` in the map by the number of the node. `ranks` has for each
/// bucket, in the order in which nodes were put into it, their positions in the level.
pub(super) fn assign(task: &Task<'_>, map: &mut [NodeId], counts: &Counts, ranks: &[Vec<u32>]) {
    let mut taken = vec![0; ranks.len()];
    let mut starts = Vec::with_capacity(counts.len());
    for of_chunk in counts {
        starts.push(taken.clone());
        taken.iter_mut().zip(of_chunk).for_each(|(taken, count)| *taken += count);
    }
    let base = task.base;
    let work: Vec<_> = split_by_chunk(task.level, map).into_iter().zip(starts).collect();
    for_all(task.workers, work, |_, (map, starts)| {
        let mut ranks: Vec<_> =
            ranks.iter().zip(starts).map(|(ranks, start)| ranks[start..].iter()).collect();
        for id in map {
            if *id >= base {
                let rank = ranks[(*id - base) as usize].next();
                *id = base + rank.expect("every node in a bucket has a rank");
            }
        }
    });
}
