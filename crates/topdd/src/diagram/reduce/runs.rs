//! Levels of multi-valued nodes.

use super::super::store::{Builder, Edge, NodeId, ZERO};
use super::assign::assign;
use super::known::Targets;
use super::{Task, for_all, split_by_chunk};
use crate::Error;
use crate::frontier::unreduced::{Chunk, ShapeReader};
use crate::spec::Rule;
use ahash::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

/// Nodes as runs of edges, one after the other.
#[derive(Default)]
struct Runs {
    edges: Vec<Edge>,
    /// Where each run ends.
    ends: Vec<usize>,
}

impl Runs {
    fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    fn get(&self, index: usize) -> &[Edge] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.edges[start..self.ends[index]]
    }

    #[inline]
    fn push(&mut self, run: &[Edge]) {
        self.edges.extend_from_slice(run);
        self.ends.push(self.edges.len());
    }

    fn iter(&self) -> impl Iterator<Item = &[Edge]> {
        (0..self.len()).map(|index| self.get(index))
    }

    fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>() + self.ends.capacity() * size_of::<usize>()
    }
}

/// Reduces levels of multi-valued nodes.
#[derive(Default)]
pub(super) struct RunLevels {
    bytes: usize,
}

impl RunLevels {
    /// As [`PairLevels::reduce`](super::pairs::PairLevels::reduce).
    pub(super) fn reduce(
        &mut self,
        task: &Task<'_>,
        arity: usize,
        map: &mut [NodeId],
        store: &mut Builder,
    ) -> Result<(), Error> {
        // Keyed by constants, so that every run is the same; the order that the nodes end
        // up in does not depend on it.
        let hasher = RandomState::with_seeds(1, 2, 3, 4);
        let bucket_count = task.buckets();
        let targets = task.known.targets(task.level, task.workers);
        let work = task.level.chunks.iter().zip(targets).zip(split_by_chunk(task.level, map));
        let mut chunks: Vec<Vec<Runs>> =
            for_all(task.workers, work.collect(), |_, ((chunk, targets), map)| {
                read(task, chunk, targets, arity, &hasher, bucket_count, map)
            })
            .into_iter()
            .collect::<Result<_, Error>>()?;
        let counts = chunks.iter().map(|buckets| buckets.iter().map(Runs::len).collect()).collect();
        self.bytes = chunks.iter().flatten().map(Runs::bytes).sum();
        let buckets: Vec<Vec<Runs>> = (0..bucket_count)
            .map(|bucket| chunks.iter_mut().map(|of| std::mem::take(&mut of[bucket])).collect())
            .collect();
        let distinct = for_all(task.workers, buckets, |_, lists| distinct_runs(&lists, &hasher));
        let (nodes, mut ranks): (Vec<Runs>, Vec<Vec<u32>>) = distinct.into_iter().unzip();
        self.bytes += nodes.iter().map(Runs::bytes).sum::<usize>();

        let mut order: Vec<(u32, u32)> = Vec::new();
        for (bucket, runs) in (0..).zip(&nodes) {
            order.extend((0..runs.len() as u32).map(|index| (bucket, index)));
        }
        task.check_nodes(order.len())?;
        let run = |&(bucket, index): &(u32, u32)| nodes[bucket as usize].get(index as usize);
        match task.workers {
            None => order.sort_unstable_by(|a, b| run(a).cmp(run(b))),
            Some(workers) => {
                workers.run(|| order.par_sort_unstable_by(|a, b| run(a).cmp(run(b))));
            }
        }
        let mut positions: Vec<Vec<u32>> = nodes.iter().map(|runs| vec![0; runs.len()]).collect();
        for (position, &(bucket, index)) in (0..).zip(&order) {
            positions[bucket as usize][index as usize] = position;
        }
        for (ranks, positions) in ranks.iter_mut().zip(&positions) {
            for rank in ranks.iter_mut() {
                *rank = positions[*rank as usize];
            }
        }
        check_edges(store.edge_count() + nodes.iter().map(|runs| runs.edges.len()).sum::<usize>())?;
        assign(task, map, &counts, &ranks);
        if !order.is_empty() {
            store.push_sparse(task.level.variable, order.iter().map(run))?;
        }
        Ok(())
    }

    /// What the last level needed beside the map and the store.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Edges of multi-valued nodes are numbered in 32 bits, too.
fn check_edges(edges: usize) -> Result<(), Error> {
    let limit = u64::from(u32::MAX);
    if edges as u64 > limit {
        let unit = "edges of multi-valued nodes";
        return Err(Error::TooLarge { what: "the diagram", unit, limit });
    }
    Ok(())
}

/// The first pass over a chunk: its nodes by bucket; and for each node its bucket, or what
/// it stands for if it is redundant, in the map.
fn read(
    task: &Task<'_>,
    chunk: &Chunk,
    mut targets: Targets<'_>,
    arity: usize,
    hasher: &RandomState,
    bucket_count: usize,
    map: &mut [NodeId],
) -> Result<Vec<Runs>, Error> {
    task.watch.check(Some(task.level.variable))?;
    let mut buckets: Vec<Runs> = Vec::new();
    buckets.resize_with(bucket_count, Runs::default);
    let mut shapes = ShapeReader::new(arity, &chunk.shape);
    let mut codes = chunk.codes.iter();
    let mut run = Vec::new();
    for id in map {
        run.clear();
        shapes.next_node(|value| {
            let code = *codes.next().expect("a code for every edge");
            let target = targets.resolve(code);
            if target != ZERO {
                run.push(Edge { value, target });
            }
        });
        *id = stands_for(&run, task.rule, arity).unwrap_or_else(|| {
            // Bits that the table of the bucket does not look at.
            let bucket = (hasher.hash_one(&run[..]) >> 32) as usize & (bucket_count - 1);
            buckets[bucket].push(&run);
            task.base + bucket as NodeId
        });
    }
    Ok(buckets)
}

/// What a node is replaced by if it is redundant under the rule.
#[inline]
fn stands_for(run: &[Edge], rule: Rule, arity: usize) -> Option<NodeId> {
    match (rule, run) {
        (_, []) => Some(ZERO),
        (Rule::ZeroSuppressed, [Edge { value: 0, target }]) => Some(*target),
        (Rule::AnyValue, [first, rest @ ..])
            if run.len() == arity && rest.iter().all(|edge| edge.target == first.target) =>
        {
            Some(first.target)
        }
        _ => None,
    }
}

/// The distinct nodes of a bucket in order of appearance, and for each node that was put
/// into it the position among these.
fn distinct_runs(lists: &[Runs], hasher: &RandomState) -> (Runs, Vec<u32>) {
    let mut table: HashTable<u32> = HashTable::new();
    let mut distinct = Runs::default();
    let mut ranks = Vec::with_capacity(lists.iter().map(Runs::len).sum());
    for run in lists.iter().flat_map(Runs::iter) {
        let found = table.entry(
            hasher.hash_one(run),
            |&i| distinct.get(i as usize) == run,
            |&i| hasher.hash_one(distinct.get(i as usize)),
        );
        ranks.push(match found {
            Entry::Occupied(there) => *there.get(),
            Entry::Vacant(place) => {
                let number = distinct.len() as u32;
                place.insert(number);
                distinct.push(run);
                number
            }
        });
    }
    (distinct, ranks)
}
