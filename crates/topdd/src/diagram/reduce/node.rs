//! What the two kinds of nodes have to provide to be reduced.

use super::super::store::{Builder, Edge, NodeId, Reach};
use super::LevelTask;
use super::children::Targets;
use super::map::StateMap;
use crate::BuildError;
use std::cmp::Ordering;

/// A node to be sorted, and the state that it comes from.
pub(super) trait Node: Copy + Default + Send + Sync {
    /// The place in the store for nodes of this kind.
    type Room<'r>: Room<Self>;

    /// Bytes per edge apart from the node.
    const EDGE_BYTES: usize = 0;

    /// A number that orders nodes for which it differs. Never 0.
    fn head(&self) -> u64;

    /// The `depth`-th number that orders nodes, after the head as the number 0; from some depth on 0.
    fn key(&self, depth: usize, lists: &[List<Self>]) -> u64;

    /// The order by all keys.
    fn order(&self, other: &Self, lists: &[List<Self>]) -> Ordering;

    /// The entry of the map that the node's id is to be written to.
    fn entry(&self) -> u32;

    /// The number of edges that the store holds for it apart from the node.
    fn edges(&self) -> usize {
        0
    }

    /// A forced node by its end.
    fn forced(_end: NodeId, _entry: u32) -> Self {
        unreachable!("forced nodes are two-valued")
    }

    /// The end, if the node may be equal to a forced one.
    fn end(&self) -> Option<NodeId> {
        None
    }

    /// Reads a chunk, a number of nodes with their shapes and codes, of which the first is that of
    /// this state. Returns the state of the next chunk.
    fn read(
        reader: &mut Reader<'_, impl Fn(u64, u32) -> bool>,
        chunk: (usize, &[u8], &[u32]),
        state: u32,
        out: &mut List<Self>,
    ) -> Result<u32, BuildError>;

    /// Adds so many nodes of the level to the store: `write` writes them and returns the levels
    /// that they reach, as described at [`Builder::push_pairs`].
    fn push(
        store: &mut Builder,
        task: &LevelTask<'_>,
        count: Count,
        write: impl FnOnce(Self::Room<'_>, &Reach<'_>) -> Result<Vec<Vec<u32>>, BuildError>,
    ) -> Result<(), BuildError>;
}

/// The place in the store for some nodes of a level.
pub(super) trait Room<N>: Send + Sized {
    /// Takes the place of the first nodes out.
    fn split_off(&mut self, count: Count) -> Self;

    /// Writes the next node.
    fn put(&mut self, node: &N, lists: &[List<N>], reach: &mut Reach<'_>);
}

/// Numbers of nodes, and of the edges that the store holds apart from these.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) nodes: usize,
    pub(super) edges: usize,
}

/// The nodes that one thread read, in no order, and the edges that they refer to.
#[derive(Default)]
pub(super) struct List<N> {
    pub(super) nodes: Vec<N>,
    pub(super) edges: Vec<Edge>,
    /// Nodes that are being read.
    pub(super) block: Vec<N>,
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

/// What a thread reads nodes with.
pub(super) struct Reader<'a, K> {
    pub(super) task: &'a LevelTask<'a>,
    /// The children that the edges lead to.
    pub(super) targets: Targets<'a>,
    /// Receives the node that each redundant node stands for, if `maps`.
    pub(super) map: &'a StateMap,
    pub(super) maps: bool,
    /// Whether a node of this head and state is to be collected, if it is not redundant.
    pub(super) keep: K,
    /// The index of the list that is written to.
    pub(super) list: u32,
}

impl<K> Reader<'_, K> {
    /// The state stands for this node, unless it is overwritten.
    #[inline]
    pub(super) fn set(&self, state: u32, id: NodeId) {
        if self.maps {
            self.map.set(state, id);
        }
    }
}
