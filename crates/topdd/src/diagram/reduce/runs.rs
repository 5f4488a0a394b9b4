//! Levels of multi-valued nodes.

use super::super::store::{Builder, Edge, NodeId, ZERO, stands_for};
use super::buffer::Buffer;
use super::known::Targets;
use super::map::StateMap;
use super::parts::Reducer;
use super::sort::{self, Distinct, Item, Sorter, Splitter, WATCHED};
use super::span::Span;
use super::{Task, check_nodes};
use crate::Error;
use crate::frontier::for_all;
use crate::frontier::unreduced::{ChunkPage, ShapeReader};
use std::cmp::Ordering;

/// A node as a run of edges, and the state that it comes from. Nodes are sorted by their
/// edges, the first counting most.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// The first edge.
    head: u64,
    /// The span that it was read with, and where in the edges of that it lies.
    span: u32,
    start: u32,
    length: u32,
    state: u32,
}

impl Run {
    #[inline]
    fn edges<'e>(&self, read: &'e [Vec<Edge>]) -> &'e [Edge] {
        let start = self.start as usize;
        &read[self.span as usize][start..start + self.length as usize]
    }
}

impl Item for Run {
    /// The edges of each span.
    type Context = [Vec<Edge>];

    #[inline]
    fn head(&self) -> u64 {
        self.head
    }

    #[inline]
    fn order(&self, other: &Self, read: &[Vec<Edge>]) -> Ordering {
        self.head.cmp(&other.head).then_with(|| self.edges(read)[1..].cmp(&other.edges(read)[1..]))
    }

    #[inline]
    fn state(&self) -> u32 {
        self.state
    }

    #[inline]
    fn size(&self) -> usize {
        self.length as usize
    }
}

/// Reduces levels of multi-valued nodes.
#[derive(Default)]
pub(super) struct RunLevels {
    /// What was read, for each span.
    read: Vec<Buffer<Run>>,
    edges: Vec<Vec<Edge>>,
    sorter: Sorter<Run>,
}

impl Reducer for RunLevels {
    fn bytes_for(nodes: usize, edges: usize) -> usize {
        // As they are read, and as they are sorted, with some more for the next level.
        nodes * size_of::<Run>() / 4 * 9 + edges * size_of::<Edge>() * 2
    }

    fn bytes(&self) -> usize {
        let edges = self.edges.iter().map(|edges| edges.capacity() * size_of::<Edge>());
        edges.sum::<usize>()
            + self.read.iter().map(Buffer::bytes).sum::<usize>()
            + self.sorter.bytes()
    }

    fn read<const MARKS: bool>(
        &mut self,
        task: &Task<'_>,
        spans: &[Span],
        targets: Vec<Targets<'_>>,
        map: &StateMap,
        keep: impl Fn(u64, u32) -> bool + Sync,
    ) -> Result<(), Error> {
        debug_assert!(task.forced.is_empty(), "the sweep goes past nodes of two values only");
        self.read.iter_mut().for_each(Buffer::clear);
        self.edges.iter_mut().for_each(Vec::clear);
        self.read.resize_with(self.read.len().max(spans.len()), Buffer::default);
        self.edges.resize_with(self.edges.len().max(spans.len()), Vec::new);
        let buffers = self.read.iter_mut().zip(&mut self.edges);
        let work: Vec<_> = spans.iter().zip(targets).zip(buffers).collect();
        let read = for_all(task.workers, work, |index, ((span, targets), buffers)| {
            read::<MARKS>(task, (index, span), targets, map, &keep, buffers)
        });
        read.into_iter().collect()
    }

    fn heads(&self) -> Vec<u64> {
        self.read.iter().flat_map(Buffer::as_slice).map(Item::head).collect()
    }

    fn add(&mut self, task: &Task<'_>, map: &StateMap, store: &mut Builder) -> Result<(), Error> {
        let lists: Vec<&[Run]> = self.read.iter().map(Buffer::as_slice).collect();
        let splitter = Quantiles::new(&lists, task.buckets());
        let edges = &self.edges[..];
        let counts = sort::bucket_counts(task, &lists, &splitter)?;
        let summary = |bucket: &[Run]| sort::distinct(bucket, edges, &|| task.check());
        let buckets = self.sorter.sort(task, &lists, &counts, &splitter, edges, summary)?;
        let (new, new_edges) = buckets.iter().fold((0, 0), |(nodes, edges), (_, distinct)| {
            (nodes + distinct.nodes, edges + distinct.size)
        });
        let first = store.next_id();
        check_nodes(first, new)?;
        check_edges(store.edge_count() + new_edges)?;
        if new == 0 {
            return Ok(());
        }
        let before = store.edge_count();
        store.push_sparse(
            task.level.variable,
            new,
            new_edges,
            &|| task.check(),
            |mut ends, mut stored, reach| {
                let mut work = Vec::with_capacity(buckets.len());
                let (mut first, mut end) = (first, before);
                for (bucket, Distinct { nodes, size }) in buckets {
                    let (here, after) = std::mem::take(&mut ends).split_at_mut(nodes);
                    let (edges_here, edges_after) = std::mem::take(&mut stored).split_at_mut(size);
                    work.push((bucket, first, end as u32, here, edges_here));
                    (ends, stored) = (after, edges_after);
                    first += nodes as NodeId;
                    end += size;
                }
                let reached = for_all(task.workers, work, |_, part| {
                    let (bucket, first, mut end, ends, mut stored) = part;
                    task.check()?;
                    let mut reach = reach.clone();
                    let mut ends = ends.iter_mut();
                    sort::number(bucket, first, map, edges, &|| task.check(), |run| {
                        let (here, after) = std::mem::take(&mut stored).split_at_mut(run.size());
                        here.copy_from_slice(run.edges(edges));
                        for edge in here.iter() {
                            reach.note(edge.target);
                        }
                        stored = after;
                        end += run.length;
                        *ends.next().expect("the nodes were counted") = end;
                    })?;
                    Ok(reach.into_levels())
                });
                reached.into_iter().collect()
            },
        )
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

/// Chooses buckets of about the same size, by the heads of a few nodes.
struct Quantiles {
    /// The least head of each bucket but the first.
    bounds: Vec<u64>,
}

impl Quantiles {
    /// Nodes that are looked at for each bucket.
    const SAMPLES: usize = 16;

    fn new(lists: &[&[Run]], buckets: usize) -> Self {
        let total: usize = lists.iter().map(|list| list.len()).sum();
        let step = (total / (buckets * Self::SAMPLES)).max(1);
        let mut heads: Vec<u64> =
            lists.iter().flat_map(|list| list.iter().step_by(step).map(|run| run.head)).collect();
        heads.sort_unstable();
        let mut bounds: Vec<u64> = if heads.is_empty() {
            Vec::new()
        } else {
            (1..buckets).map(|bucket| heads[bucket * heads.len() / buckets]).collect()
        };
        bounds.dedup();
        Quantiles { bounds }
    }
}

impl Splitter for Quantiles {
    fn buckets(&self) -> usize {
        self.bounds.len() + 1
    }

    #[inline]
    fn bucket(&self, head: u64) -> usize {
        self.bounds.partition_point(|&bound| bound <= head)
    }
}

/// Reads a span: what its redundant nodes stand for goes to the map, if `MARKS`, and those of
/// the others that are to be kept to `out`, and their edges beside it.
fn read<const MARKS: bool>(
    task: &Task<'_>,
    (index, span): (usize, &Span),
    mut targets: Targets<'_>,
    map: &StateMap,
    keep: impl Fn(u64, u32) -> bool,
    (out, edges): (&mut Buffer<Run>, &mut Vec<Edge>),
) -> Result<(), Error> {
    let arity = task.arity;
    let mut page = ChunkPage::default();
    let mut state = span.first;
    for chunk in span.chunks.clone() {
        task.check()?;
        let (nodes, shape, codes) = task.level.chunk(task.log, chunk, &mut page)?;
        out.make_room(nodes);
        let mut shapes = ShapeReader::new(arity, shape);
        let mut codes = codes.iter();
        let mut next_check = codes.len().saturating_sub(WATCHED);
        for _ in 0..nodes {
            if codes.len() < next_check {
                task.check()?;
                next_check = codes.len().saturating_sub(WATCHED);
            }
            let start = edges.len();
            shapes.next_node(|value| {
                let code = *codes.next().expect("a code for every edge");
                let target = targets.resolve(code);
                if target != ZERO {
                    edges.push(Edge { value, target });
                }
            });
            let run = &edges[start..];
            if let Some(id) = stands_for(run, task.rule, arity) {
                if MARKS {
                    map.set(state, id);
                }
                edges.truncate(start);
            } else {
                let head = u64::from(run[0].value) << 32 | u64::from(run[0].target);
                if keep(head, state) {
                    let (span, length) = (index as u32, run.len() as u32);
                    out.push_if(true, Run { head, span, start: start as u32, length, state });
                } else {
                    edges.truncate(start);
                }
            }
            state += 1;
        }
    }
    Ok(())
}
