//! Levels of two-valued nodes.

use super::super::store::{Builder, NodeId, ZERO};
use super::assign::assign;
use super::known::Targets;
use super::{Task, for_all, split_by_chunk};
use crate::Error;
use crate::frontier::unreduced::{Chunk, ShapeReader};
use crate::spec::Rule;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// A node as one number, by which the nodes of a level are sorted: the child of value 1
/// first, because under the zero-suppressed rule that one is never the 0-terminal.
type Key = u64;

fn key([zero, one]: [NodeId; 2]) -> Key {
    u64::from(one) << 32 | u64::from(zero)
}

fn node(key: Key) -> [NodeId; 2] {
    [key as NodeId, (key >> 32) as NodeId]
}

/// Reduces levels of two-valued nodes.
#[derive(Default)]
pub(super) struct PairLevels {
    /// Whether most nodes of the last level were equal to another one.
    merging: bool,
    bytes: usize,
}

impl PairLevels {
    /// Appends the nodes of a level to the store and writes into `map` which of them each
    /// of its states became.
    pub(super) fn reduce(
        &mut self,
        task: &Task<'_>,
        map: &mut [NodeId],
        store: &mut Builder,
    ) -> Result<(), Error> {
        let splitter = Splitter::new(task, store);
        let targets = task.known.targets(task.level, task.workers);
        let work = task.level.chunks.iter().zip(targets).zip(split_by_chunk(task.level, map));
        let mut chunks: Vec<Vec<Vec<Key>>> =
            for_all(task.workers, work.collect(), |_, ((chunk, targets), map)| {
                read(task, chunk, targets, &splitter, map)
            })
            .into_iter()
            .collect::<Result<_, Error>>()?;
        let counts = chunks.iter().map(|buckets| buckets.iter().map(Vec::len).collect()).collect();
        let buckets: Vec<Vec<Vec<Key>>> = (0..splitter.buckets)
            .map(|bucket| chunks.iter_mut().map(|of| std::mem::take(&mut of[bucket])).collect())
            .collect();
        let read: usize = buckets.iter().flatten().map(Vec::len).sum();
        let by_hash = self.merging;
        let distinct = for_all(task.workers, buckets, |_, lists| {
            if by_hash { distinct_by_hash(&lists) } else { distinct_by_sorting(&lists) }
        });
        let (nodes, mut ranks): (Vec<Vec<Key>>, Vec<Vec<u32>>) = distinct.into_iter().unzip();
        let mut new = 0;
        for (nodes, ranks) in nodes.iter().zip(&mut ranks) {
            for rank in ranks.iter_mut() {
                *rank += new as u32;
            }
            new += nodes.len();
        }
        task.check_nodes(new)?;
        self.merging = new * 2 < read;
        self.bytes = read * (size_of::<Key>() + size_of::<u32>());
        assign(task, map, &counts, &ranks);
        if new > 0 {
            store.push_pairs(task.level.variable, new, |out, reach| {
                let mut reach = reach.clone();
                for (out, key) in out.iter_mut().zip(nodes.into_iter().flatten()) {
                    *out = node(key);
                    out.iter().for_each(|&id| reach.note(id));
                }
                vec![reach.into_levels()]
            })?;
        }
        Ok(())
    }

    /// What the last level needed beside the map and the store.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Chooses buckets so that their order is that of the keys: by the child of value 1.
///
/// Most children are on the level that was reduced last, so three quarters of the buckets
/// are for these.
struct Splitter {
    buckets: usize,
    /// The first node of the level that was reduced last.
    near_first: NodeId,
    near_buckets: u64,
    /// Buckets for each node, times 2^32.
    near_scale: u64,
    far_scale: u64,
}

impl Splitter {
    fn new(task: &Task<'_>, store: &Builder) -> Self {
        let buckets = task.buckets();
        let near_first = store.last_level_first();
        let far_buckets = buckets as u64 / 4;
        let near_buckets = buckets as u64 - far_buckets;
        let scale = |buckets: u64, nodes: NodeId| (buckets << 32) / u64::from(nodes.max(1));
        Splitter {
            buckets,
            near_first,
            near_buckets,
            near_scale: scale(near_buckets, task.base - near_first),
            far_scale: scale(far_buckets, near_first),
        }
    }

    #[inline]
    fn bucket(&self, [_, one]: [NodeId; 2]) -> usize {
        let bucket = match one.checked_sub(self.near_first) {
            Some(near) => {
                let far_buckets = self.buckets as u64 - self.near_buckets;
                far_buckets + ((u64::from(near) * self.near_scale) >> 32)
            }
            None => (u64::from(one) * self.far_scale) >> 32,
        };
        bucket as usize
    }
}

/// The first pass over a chunk: the keys of its nodes by bucket; and for each node its
/// bucket, or what it stands for if it is redundant, in the map.
fn read(
    task: &Task<'_>,
    chunk: &Chunk,
    mut targets: Targets<'_>,
    splitter: &Splitter,
    map: &mut [NodeId],
) -> Result<Vec<Vec<Key>>, Error> {
    task.watch.check(Some(task.level.variable))?;
    let mut buckets = vec![Vec::new(); splitter.buckets];
    let mut shapes = ShapeReader::new(2, &chunk.shape);
    let mut codes = chunk.codes.iter();
    for id in map {
        let mut pair = [ZERO; 2];
        shapes.next_node(|value| {
            let code = *codes.next().expect("a code for every edge");
            pair[value as usize] = targets.resolve(code);
        });
        let redundant = match task.rule {
            Rule::ZeroSuppressed => pair[1] == ZERO,
            Rule::AnyValue => pair[0] == pair[1],
        };
        *id = if redundant {
            pair[0]
        } else {
            let bucket = splitter.bucket(pair);
            buckets[bucket].push(key(pair));
            task.base + bucket as NodeId
        };
    }
    Ok(buckets)
}

/// The distinct keys of a bucket in ascending order, and for each key that was put into it
/// the position among these. Best where few are equal.
fn distinct_by_sorting(lists: &[Vec<Key>]) -> (Vec<Key>, Vec<u32>) {
    let mut sorted: Vec<(Key, u32)> = lists.iter().flatten().copied().zip(0..).collect();
    sorted.sort_unstable();
    let mut distinct: Vec<Key> = Vec::with_capacity(sorted.len());
    let mut ranks = vec![0; sorted.len()];
    for (key, position) in sorted {
        if distinct.last() != Some(&key) {
            distinct.push(key);
        }
        ranks[position as usize] = distinct.len() as u32 - 1;
    }
    (distinct, ranks)
}

/// As [`distinct_by_sorting`]; best where many are equal.
fn distinct_by_hash(lists: &[Vec<Key>]) -> (Vec<Key>, Vec<u32>) {
    let hash = |key: Key| {
        // Fibonacci hashing, its upper half folded down: the table looks at both ends.
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    };
    let mut table: HashTable<u32> = HashTable::new();
    let mut distinct: Vec<(Key, u32)> = Vec::new();
    let mut ranks = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    for &key in lists.iter().flatten() {
        let found = table.entry(
            hash(key),
            |&i| distinct[i as usize].0 == key,
            |&i| hash(distinct[i as usize].0),
        );
        ranks.push(match found {
            Entry::Occupied(there) => *there.get(),
            Entry::Vacant(place) => {
                let number = distinct.len() as u32;
                place.insert(number);
                distinct.push((key, number));
                number
            }
        });
    }
    distinct.sort_unstable();
    let mut order = vec![0; distinct.len()];
    for (position, &(_, number)) in distinct.iter().enumerate() {
        order[number as usize] = position as u32;
    }
    for rank in &mut ranks {
        *rank = order[*rank as usize];
    }
    (distinct.into_iter().map(|(key, _)| key).collect(), ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_find_the_same(
            lists in prop::collection::vec(prop::collection::vec(0u64..50, 0..40), 0..4),
        ) {
            let (distinct, ranks) = distinct_by_sorting(&lists);
            prop_assert_eq!((&distinct, &ranks), {
                let other = distinct_by_hash(&lists);
                (&other.0.clone(), &other.1.clone())
            });
            prop_assert!(distinct.is_sorted_by(|a, b| a < b));
            let back: Vec<Key> = ranks.iter().map(|&rank| distinct[rank as usize]).collect();
            prop_assert_eq!(back, lists.concat());
        }
    }
}
