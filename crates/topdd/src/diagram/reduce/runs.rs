//! Multi-valued nodes.

use super::super::store::{Capacity, Edge, LevelWriter, ZERO, stands_for};
use super::node::{List, Node, NodeReader};
use crate::Portable;
use crate::frontier::unreduced::{Contents, ShapeReader};
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;
use std::ops::Range;

/// A multi-valued node as a run of edges. Sorted by its edges, the first counting most.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct EdgeRun {
    /// The first edge.
    head: u64,
    /// Where its edges start in a list, and above [`LIST_SHIFT`] bits the index of the list.
    edges: u64,
    length: u32,
    state: u32,
}

/// The number of bits for a position in a list.
const LIST_SHIFT: u32 = 40;

impl EdgeRun {
    /// The node whose edges start at `start` of a list and are the last in it.
    #[inline]
    pub(super) fn last(list: usize, edges: &[Edge], start: usize, state: u32) -> Self {
        let (head, length) = (number(edges[start]), (edges.len() - start) as u32);
        EdgeRun { head, edges: (list as u64) << LIST_SHIFT | start as u64, length, state }
    }

    #[inline]
    fn run<'e>(&self, lists: &'e [List<EdgeRun>]) -> &'e [Edge] {
        let start = self.edges & ((1 << LIST_SHIFT) - 1);
        let list = &lists[(self.edges >> LIST_SHIFT) as usize];
        &list.edges[start as usize..][..self.length as usize]
    }
}

/// An edge as a number in the order of edges. Not 0, as edges to the 0-terminal are left out.
#[inline]
fn number(edge: Edge) -> u64 {
    u64::from(edge.value) << 32 | u64::from(edge.target)
}

impl Node for EdgeRun {
    const EDGE_BYTES: usize = size_of::<Edge>();

    /// The heads of a level have gaps, because their first values differ. Those of a small bucket have few.
    const BUCKET_NODES: usize = 1 << 12;

    #[inline]
    fn head(&self) -> u64 {
        self.head
    }

    #[inline]
    fn order(&self, other: &Self, lists: &[List<EdgeRun>]) -> Ordering {
        // Apart, so that the rest is short enough to be inlined.
        #[inline(never)]
        fn rest(a: &EdgeRun, b: &EdgeRun, lists: &[List<EdgeRun>]) -> Ordering {
            a.run(lists)[1..].cmp(&b.run(lists)[1..])
        }
        self.head.cmp(&other.head).then_with(|| rest(self, other, lists))
    }

    #[inline]
    fn entry(&self) -> u32 {
        self.state
    }

    #[inline]
    fn size(&self) -> Capacity {
        Capacity { pairs: 0, sparse: 1, edges: self.length as usize }
    }

    fn read(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        states: Range<u32>,
        Contents { shape, codes }: Contents<'_>,
        out: &mut List<EdgeRun>,
    ) {
        let task = reader.task;
        let mut shapes = ShapeReader::new(task.arity, shape);
        let mut codes = codes.iter();
        for state in states {
            let start = out.edges.len();
            shapes.next_node(|value| {
                let code = *codes.next().expect("a code for every edge");
                let target = reader.targets.next(true, code);
                if target != ZERO {
                    out.edges.push(Edge { value, target });
                }
            });
            let replaced_by = stands_for(&out.edges[start..], task.rule, task.arity);
            if let (Some(id), Some(map)) = (replaced_by, reader.map) {
                map.set(state, id);
            }
            if replaced_by.is_none() {
                let node = EdgeRun::last(reader.list, &out.edges, start, state);
                if (reader.keep)(node.head, state) {
                    out.nodes.push(node);
                    continue;
                }
            }
            out.edges.truncate(start);
        }
    }

    fn encode(&self, lists: &[List<EdgeRun>], out: &mut Vec<u8>) {
        self.length.write(out);
        for edge in self.run(lists) {
            number(*edge).write(out);
        }
    }

    fn decode(bytes: &mut &[u8], entry: u32, list: usize, out: &mut List<EdgeRun>) -> Option<()> {
        let start = out.edges.len();
        for _ in 0..u32::read(bytes)? {
            let edge = u64::read(bytes)?;
            out.edges.push(Edge { value: (edge >> 32) as u32, target: edge as u32 });
        }
        out.edges.get(start)?;
        out.nodes.push(EdgeRun::last(list, &out.edges, start, entry));
        Some(())
    }

    #[inline]
    fn put(&self, lists: &[List<EdgeRun>], writer: &mut LevelWriter<'_>) {
        writer.put_run(self.run(lists));
    }
}
