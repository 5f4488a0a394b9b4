//! Multi-valued nodes.

use super::super::store::{Builder, Edge, Reach, ZERO, stands_for};
use super::node::{Count, List, Node, Reader, Room};
use super::{BLOCK, COUNTED, LevelTask};
use crate::BuildError;
use crate::frontier::unreduced::ShapeReader;
use std::cmp::Ordering;

/// A multi-valued node as a run of edges. Sorted by its edges, the first counting most.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// The first edge.
    head: u64,
    /// The list that contains its edges, and where.
    list: u32,
    start: u32,
    length: u32,
    state: u32,
}

impl Run {
    /// The node whose edges start at `start` of a list and are the last in it.
    #[inline]
    pub(super) fn last(list: u32, edges: &[Edge], start: usize, state: u32) -> Self {
        let (head, length) = (number(edges[start]), (edges.len() - start) as u32);
        Run { head, list, start: start as u32, length, state }
    }

    #[inline]
    fn run<'e>(&self, lists: &'e [List<Run>]) -> &'e [Edge] {
        &lists[self.list as usize].edges[self.start as usize..][..self.length as usize]
    }
}

/// An edge as a number in the order of edges. Not 0, as edges to the 0-terminal are left out.
#[inline]
fn number(edge: Edge) -> u64 {
    u64::from(edge.value) << 32 | u64::from(edge.target)
}

impl Node for Run {
    type Room<'r> = RunRoom<'r>;

    const EDGE_BYTES: usize = size_of::<Edge>();

    #[inline]
    fn head(&self) -> u64 {
        self.head
    }

    #[inline]
    fn key(&self, depth: usize, lists: &[List<Run>]) -> u64 {
        match depth {
            0 => self.head,
            _ => self.run(lists).get(depth).copied().map_or(0, number),
        }
    }

    #[inline]
    fn order(&self, other: &Self, lists: &[List<Run>]) -> Ordering {
        // Apart, so that the rest is short enough to be inlined.
        #[inline(never)]
        fn rest(a: &Run, b: &Run, lists: &[List<Run>]) -> Ordering {
            a.run(lists)[1..].cmp(&b.run(lists)[1..])
        }
        self.head.cmp(&other.head).then_with(|| rest(self, other, lists))
    }

    #[inline]
    fn entry(&self) -> u32 {
        self.state
    }

    #[inline]
    fn edges(&self) -> usize {
        self.length as usize
    }

    fn read(
        reader: &mut Reader<'_, impl Fn(u64, u32) -> bool>,
        (nodes, shape, codes): (usize, &[u8], &[u32]),
        first: u32,
        out: &mut List<Run>,
    ) -> Result<u32, BuildError> {
        let task = reader.task;
        let mut shapes = ShapeReader::new(task.arity, shape);
        let mut codes = codes.iter();
        let end = first + nodes as u32;
        for state in first..end {
            if (state - first).is_multiple_of(BLOCK as u32) {
                task.check()?;
            }
            let start = out.edges.len();
            shapes.next_node(|value| {
                let code = *codes.next().expect("a code for every edge");
                let target = reader.targets.next(true, code);
                if target != ZERO {
                    out.edges.push(Edge { value, target });
                }
            });
            let run = &out.edges[start..];
            if let Some(id) = stands_for(run, task.rule, task.arity) {
                reader.set(state, id);
                out.edges.truncate(start);
                continue;
            }
            let node = Run::last(reader.list, &out.edges, start, state);
            if (reader.keep)(node.head, state) {
                out.nodes.push(node);
            } else {
                out.edges.truncate(start);
            }
        }
        Ok(end)
    }

    fn push(
        store: &mut Builder,
        task: &LevelTask<'_>,
        Count { nodes, edges }: Count,
        write: impl FnOnce(RunRoom<'_>, &Reach<'_>) -> Result<Vec<Vec<u32>>, BuildError>,
    ) -> Result<(), BuildError> {
        // Edges are numbered in 32 bits.
        let (end, limit) = (store.edge_count(), u64::from(u32::MAX));
        if (end + edges) as u64 > limit {
            let unit = "edges of multi-valued nodes";
            return Err(BuildError::TooLarge { what: "the diagram", unit, limit });
        }
        let check = || task.check();
        store.push_sparse(task.level.variable, nodes, edges, &check, |ends, edges, reach| {
            write(RunRoom { ends, edges, end: end as u32 }, reach)
        })
    }
}

/// The place in the store for some multi-valued nodes.
pub(super) struct RunRoom<'r> {
    /// For each node, the number of edges up to its end, over all levels.
    ends: &'r mut [u32],
    edges: &'r mut [Edge],
    /// The number of edges before the next node.
    end: u32,
}

impl Room<Run> for RunRoom<'_> {
    fn split_off(&mut self, count: Count) -> Self {
        let ends = self.ends.split_off_mut(..count.nodes).expect(COUNTED);
        let edges = self.edges.split_off_mut(..count.edges).expect(COUNTED);
        let end = self.end;
        self.end += count.edges as u32;
        RunRoom { ends, edges, end }
    }

    #[inline]
    fn put(&mut self, node: &Run, lists: &[List<Run>], reach: &mut Reach<'_>) {
        let edges = self.edges.split_off_mut(..node.edges()).expect(COUNTED);
        edges.copy_from_slice(node.run(lists));
        for edge in edges.iter() {
            reach.note(edge.target);
        }
        self.end += node.length;
        *self.ends.split_off_first_mut().expect(COUNTED) = self.end;
    }
}
