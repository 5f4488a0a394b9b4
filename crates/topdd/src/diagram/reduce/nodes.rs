//! The nodes that are reduced: their common interface, two-valued nodes, and multi-valued nodes.

use super::LevelTask;
use super::children::{MarkedStates, ResolvedTargets, StateMap};
use crate::Portable;
use crate::diagram::store::{
    Capacity, LevelWriter, NodeId, ValueEdge, ZERO, is_redundant, stands_for,
};
use crate::frontier::unreduced::{Contents, ShapeReader};
use crate::spec::Rule;
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;
use std::ops::Range;

/// A node to be sorted, and the state that it comes from.
pub(super) trait ReducibleNode: Pod + Default + Send + Sync {
    /// Bytes per edge apart from the node.
    const EDGE_BYTES: usize = 0;

    /// Nodes that a bucket is meant to contain while a level is sorted.
    const BUCKET_NODES: usize;

    /// A number that orders nodes for which it differs. Never 0.
    fn head(&self) -> u64;

    /// The order of nodes: by their heads, and then by all edges.
    fn order(&self, other: &Self, lists: &[NodeBuffer<Self>]) -> Ordering;

    /// The entry of the map that the node's id is to be written to.
    fn entry(&self) -> u32;

    /// Its size in the store.
    fn size(&self) -> Capacity;

    /// A forced node by its end.
    fn forced(_end: NodeId, _entry: u32) -> Self {
        unreachable!("forced nodes are two-valued")
    }

    /// Reads the nodes of a range of states from the contents of a chunk.
    fn read(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        states: Range<u32>,
        chunk: Contents<'_>,
        out: &mut NodeBuffer<Self>,
    );

    /// Reads the nodes of a range of states from a class: the states in a range of words of its marks.
    fn read_marked(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        states: Range<u32>,
        marked: &MarkedStates<'_>,
        words: Range<usize>,
        out: &mut NodeBuffer<Self>,
    );

    /// Appends the encoded node to a message to another process.
    fn encode(&self, lists: &[NodeBuffer<Self>], out: &mut Vec<u8>);

    /// Reads an encoded node with this entry, and appends it to its list, which has the index `list`.
    /// Returns `None` if the bytes are not a node.
    fn decode(bytes: &mut &[u8], entry: u32, list: usize, out: &mut NodeBuffer<Self>)
    -> Option<()>;

    /// Writes the node to the store.
    fn put(&self, lists: &[NodeBuffer<Self>], writer: &mut LevelWriter<'_>);
}

/// The nodes that one thread read, in no order, and the edges that they refer to.
#[derive(Default)]
pub(super) struct NodeBuffer<N> {
    pub(super) nodes: Vec<N>,
    pub(super) edges: Vec<ValueEdge>,
}

impl<N> NodeBuffer<N> {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Size of the contents in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.edges[..])
    }
}

/// The data with which a thread reads nodes.
pub(super) struct NodeReader<'a, K> {
    pub(super) task: &'a LevelTask<'a>,
    /// The children that the edges lead to.
    pub(super) targets: ResolvedTargets<'a>,
    /// Receives the node that each redundant node stands for, if they are not written yet. The
    /// entries of other nodes are unspecified.
    pub(super) map: Option<&'a StateMap>,
    /// Whether a node of this head and state is to be collected, if it is not redundant.
    pub(super) keep: K,
    /// The index of the list that is written to.
    pub(super) list: usize,
}

/// Nodes that are collected before they are appended to a list.
const BLOCK: usize = 1 << 8;

/// A two-valued node. Sorted by the child of value 1 first, because under the zero-suppressed rule
/// that is never the 0-terminal.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct PairNode {
    zero: NodeId,
    one: NodeId,
    entry: u32,
}

impl PairNode {
    /// Collects the nodes of a range of states, whose children are given in order.
    #[inline]
    fn collect(
        (rule, map, keep): (Rule, Option<&StateMap>, &impl Fn(u64, u32) -> bool),
        mut states: Range<u32>,
        out: &mut NodeBuffer<PairNode>,
        mut children: impl FnMut() -> [NodeId; 2],
    ) {
        // Collected here without a branch.
        let mut block = [PairNode::default(); BLOCK];
        while !states.is_empty() {
            let mut kept = 0;
            for state in states.by_ref().take(BLOCK) {
                let [zero, one] = children();
                let redundant = is_redundant([zero, one], rule);
                if let Some(map) = map {
                    // The entries of other nodes are overwritten when the nodes are stored.
                    map.set(state, zero);
                }
                let pair = PairNode { zero, one, entry: state };
                block[kept] = pair;
                kept += usize::from(!redundant & keep(pair.head(), state));
            }
            out.nodes.extend_from_slice(&block[..kept]);
        }
    }
}

impl ReducibleNode for PairNode {
    /// The nodes stay in the cache.
    const BUCKET_NODES: usize = 1 << 16;

    #[inline]
    fn head(&self) -> u64 {
        u64::from(self.one) << 32 | u64::from(self.zero)
    }

    #[inline]
    fn order(&self, other: &Self, _: &[NodeBuffer<PairNode>]) -> Ordering {
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
        PairNode { zero: ZERO, one, entry }
    }

    #[inline]
    fn read(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        states: Range<u32>,
        Contents { shape, codes }: Contents<'_>,
        out: &mut NodeBuffer<PairNode>,
    ) {
        let mut shapes = ShapeReader::new(2, shape);
        let mut at = 0;
        let NodeReader { targets, task, map, keep, .. } = reader;
        PairNode::collect((task.rule, *map, keep), states, out, || {
            let mask = shapes.next_byte();
            // The next code is looked at in any case, and taken if it belongs to the node.
            let mut child = |exists: bool| {
                let code = codes.get(at).copied().unwrap_or_default();
                at += usize::from(exists);
                targets.next(exists, code)
            };
            [child(mask & 1 != 0), child(mask & 2 != 0)]
        });
    }

    #[inline]
    fn read_marked(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        states: Range<u32>,
        marked: &MarkedStates<'_>,
        words: Range<usize>,
        out: &mut NodeBuffer<PairNode>,
    ) {
        let mut numbers = marked.numbers(words);
        let NodeReader { task, map, keep, .. } = reader;
        PairNode::collect((task.rule, *map, keep), states, out, || {
            let number = numbers.next().expect("each state has a mark") as usize;
            let codes = marked.context.codes(number);
            [codes[0], codes[1]].map(|code| {
                let (span, state) = marked.spans.split(code);
                marked.child(span, state)
            })
        });
    }

    #[inline]
    fn encode(&self, _: &[NodeBuffer<PairNode>], out: &mut Vec<u8>) {
        self.head().write(out);
    }

    #[inline]
    fn decode(
        bytes: &mut &[u8],
        entry: u32,
        _: usize,
        out: &mut NodeBuffer<PairNode>,
    ) -> Option<()> {
        let head = u64::read(bytes)?;
        out.nodes.push(PairNode { zero: head as NodeId, one: (head >> 32) as NodeId, entry });
        Some(())
    }

    #[inline]
    fn put(&self, _: &[NodeBuffer<PairNode>], writer: &mut LevelWriter<'_>) {
        writer.put_pair([self.zero, self.one]);
    }
}

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
    /// Collects the node of a state. `children` appends its edges.
    #[inline]
    fn collect(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        state: u32,
        out: &mut NodeBuffer<EdgeRun>,
        children: impl FnOnce(&mut ResolvedTargets<'_>, &mut Vec<ValueEdge>),
    ) {
        let start = out.edges.len();
        children(&mut reader.targets, &mut out.edges);
        let replaced_by = stands_for(&out.edges[start..], reader.task.rule, reader.task.arity);
        if let (Some(id), Some(map)) = (replaced_by, reader.map) {
            map.set(state, id);
        }
        if replaced_by.is_none() {
            let node = EdgeRun::last(reader.list, &out.edges, start, state);
            if (reader.keep)(node.head, state) {
                out.nodes.push(node);
                return;
            }
        }
        out.edges.truncate(start);
    }

    /// The node whose edges start at `start` of a list and are the last in it.
    #[inline]
    pub(super) fn last(list: usize, edges: &[ValueEdge], start: usize, state: u32) -> Self {
        let (head, length) = (number(edges[start]), (edges.len() - start) as u32);
        EdgeRun { head, edges: (list as u64) << LIST_SHIFT | start as u64, length, state }
    }

    #[inline]
    fn run<'e>(&self, lists: &'e [NodeBuffer<EdgeRun>]) -> &'e [ValueEdge] {
        let start = self.edges & ((1 << LIST_SHIFT) - 1);
        let list = &lists[(self.edges >> LIST_SHIFT) as usize];
        &list.edges[start as usize..][..self.length as usize]
    }
}

/// An edge as a number in the order of edges. Not 0, as edges to the 0-terminal are left out.
#[inline]
fn number(edge: ValueEdge) -> u64 {
    u64::from(edge.value) << 32 | u64::from(edge.target)
}

impl ReducibleNode for EdgeRun {
    const EDGE_BYTES: usize = size_of::<ValueEdge>();

    /// The heads of a level have gaps, because their first values differ. The heads of a small bucket have few.
    const BUCKET_NODES: usize = 1 << 12;

    #[inline]
    fn head(&self) -> u64 {
        self.head
    }

    #[inline]
    fn order(&self, other: &Self, lists: &[NodeBuffer<EdgeRun>]) -> Ordering {
        // Apart, so that the rest is short enough to be inlined.
        #[inline(never)]
        fn rest(a: &EdgeRun, b: &EdgeRun, lists: &[NodeBuffer<EdgeRun>]) -> Ordering {
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
        out: &mut NodeBuffer<EdgeRun>,
    ) {
        let mut shapes = ShapeReader::new(reader.task.arity, shape);
        let mut codes = codes.iter();
        for state in states {
            EdgeRun::collect(reader, state, out, |targets, edges| {
                shapes.next_node(|value| {
                    let code = *codes.next().expect("a code for every edge");
                    let target = targets.next(true, code);
                    if target != ZERO {
                        edges.push(ValueEdge { value, target });
                    }
                });
            });
        }
    }

    fn read_marked(
        reader: &mut NodeReader<'_, impl Fn(u64, u32) -> bool>,
        states: Range<u32>,
        marked: &MarkedStates<'_>,
        words: Range<usize>,
        out: &mut NodeBuffer<EdgeRun>,
    ) {
        for (state, number) in states.zip(marked.numbers(words)) {
            EdgeRun::collect(reader, state, out, |_, edges| {
                let all = marked.context.transitions(number as usize, marked.spans);
                let all = all.map(|of| ValueEdge {
                    value: of.value.into(),
                    target: marked.child(of.span, of.state),
                });
                edges.extend(all.filter(|edge| edge.target != ZERO));
            });
        }
    }

    fn encode(&self, lists: &[NodeBuffer<EdgeRun>], out: &mut Vec<u8>) {
        self.length.write(out);
        for edge in self.run(lists) {
            number(*edge).write(out);
        }
    }

    fn decode(
        bytes: &mut &[u8],
        entry: u32,
        list: usize,
        out: &mut NodeBuffer<EdgeRun>,
    ) -> Option<()> {
        let start = out.edges.len();
        for _ in 0..u32::read(bytes)? {
            let edge = u64::read(bytes)?;
            out.edges.push(ValueEdge { value: (edge >> 32) as u32, target: edge as u32 });
        }
        out.edges.get(start)?;
        out.nodes.push(EdgeRun::last(list, &out.edges, start, entry));
        Some(())
    }

    #[inline]
    fn put(&self, lists: &[NodeBuffer<EdgeRun>], writer: &mut LevelWriter<'_>) {
        writer.put_run(self.run(lists));
    }
}
