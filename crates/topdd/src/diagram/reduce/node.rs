//! The interface of the two kinds of nodes to reduction.

use super::super::store::{Capacity, Edge, LevelWriter, NodeId};
use super::LevelTask;
use super::children::Targets;
use super::map::StateMap;
use crate::frontier::unreduced::Contents;
use bytemuck::Pod;
use std::cmp::Ordering;
use std::ops::Range;

/// A node to be sorted, and the state that it comes from.
pub(super) trait Node: Pod + Default + Send + Sync {
    /// Bytes per edge apart from the node.
    const EDGE_BYTES: usize = 0;

    /// Nodes that a bucket is meant to contain while a level is sorted.
    const BUCKET_NODES: usize;

    /// A number that orders nodes for which it differs. Never 0.
    fn head(&self) -> u64;

    /// The order of nodes: by their heads, and then by all edges.
    fn order(&self, other: &Self, lists: &[List<Self>]) -> Ordering;

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
        out: &mut List<Self>,
    );

    /// Appends the encoded node to a message to another process.
    fn encode(&self, lists: &[List<Self>], out: &mut Vec<u8>);

    /// Reads an encoded node with this entry, and appends it to its list, which has the index `list`.
    /// Returns `None` if the bytes are not a node.
    fn decode(bytes: &mut &[u8], entry: u32, list: usize, out: &mut List<Self>) -> Option<()>;

    /// Writes the node to the store.
    fn put(&self, lists: &[List<Self>], writer: &mut LevelWriter<'_>);
}

/// The nodes that one thread read, in no order, and the edges that they refer to.
#[derive(Default)]
pub(super) struct List<N> {
    pub(super) nodes: Vec<N>,
    pub(super) edges: Vec<Edge>,
}

impl<N> List<N> {
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
    pub(super) targets: Targets<'a>,
    /// Receives the node that each redundant node stands for, if they are not written yet. The
    /// entries of other nodes are unspecified.
    pub(super) map: Option<&'a StateMap>,
    /// Whether a node of this head and state is to be collected, if it is not redundant.
    pub(super) keep: K,
    /// The index of the list that is written to.
    pub(super) list: usize,
}
