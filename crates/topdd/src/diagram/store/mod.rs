//! The arrays of a reduced diagram, in memory or on disk.
//!
//! A [`NodeStore`] is finished and read through slices. A [`Builder`] makes it level by level from the
//! bottom, and moves its arrays to temporary files when they exceed their share of memory (`array`;
//! `mapped` reads them back). `parts` splits a store into the sections of a file and joins them
//! again; `verify` checks that sections from a file form a reduced diagram.

mod array;
mod builder;
mod mapped;
mod parts;

use crate::frontier::CancelToken;
use crate::spec::Arities;
use bytemuck::{Pod, Zeroable};
use std::fmt;
use std::ops::Range;

pub(crate) use array::{Array, ArrayDisk, Check};
pub(crate) use builder::{Builder, Capacity, LevelWriter, is_redundant, stands_for};
pub(crate) use mapped::Mapping;
pub(crate) use parts::{LevelRecord, NodeArrays, PartFault, StorePart};

/// The id of a node: 0 and 1 are the terminals, then come the nodes from the bottom level
/// up, so that children have smaller ids than their parents.
pub(crate) type NodeId = u32;

/// The 0-terminal.
pub(crate) const ZERO: NodeId = 0;
/// The 1-terminal.
pub(crate) const ONE: NodeId = 1;
/// The first id of a node that is not a terminal.
pub(crate) const FIRST_NODE: NodeId = 2;
/// The most nodes of a diagram: some less than ids could number, so that small sums with ids do not
/// overflow.
pub(crate) const MAX_NODES: u64 = u32::MAX as u64 - 512;

/// An edge of a multi-valued node. Edges to the 0-terminal are not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ValueEdge {
    pub(crate) value: u32,
    pub(crate) target: NodeId,
}

/// A level that has nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct LevelEntry {
    variable: u32,
    /// The id of its first node.
    first: NodeId,
    /// The index of its first node in `pairs` or in `starts`.
    start: u32,
    /// The start, in `reach`, of the levels that its edges lead to.
    reach: usize,
}

/// The arrays of a diagram. Canonical: equal families under one rule have equal arrays,
/// because the nodes of a level are sorted by their children.
///
/// A two-valued node is a pair of node numbers; a node of any other arity is a run of
/// edges. Both kinds lie level by level from the bottom.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct NodeStore {
    pub(crate) arities: Arities,
    pub(crate) root: NodeId,
    /// Ordered from the bottom up.
    levels: Vec<LevelEntry>,
    /// For each level, the indices of the levels that its edges lead to, from the bottom up.
    pub(crate) reach: Vec<u32>,
    pub(crate) pairs: Array<[NodeId; 2]>,
    /// The start, in `edges`, of each multi-valued node; at the end, the number of edges.
    pub(crate) starts: Array<u32>,
    pub(crate) edges: Array<ValueEdge>,
}

/// Short: a diagram may have billions of nodes.
impl fmt::Debug for NodeStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("num_vars", &self.arities.num_vars())
            .field("node_count", &self.node_count())
            .finish_non_exhaustive()
    }
}

/// The nodes of a level.
#[derive(Clone, Copy)]
pub(crate) enum Nodes<'a> {
    Pairs(&'a [[NodeId; 2]]),
    /// The starts have one more item than there are nodes.
    Sparse {
        starts: &'a [u32],
        edges: &'a [ValueEdge],
    },
}

/// One level of a store.
#[derive(Clone, Copy)]
pub(crate) struct LevelView<'a> {
    /// The position of the level among the levels with nodes, from the bottom.
    pub(crate) index: usize,
    pub(crate) variable: usize,
    pub(crate) first: NodeId,
    pub(crate) nodes: Nodes<'a>,
}

impl<'a> LevelView<'a> {
    pub(crate) fn len(&self) -> usize {
        match self.nodes {
            Nodes::Pairs(pairs) => pairs.len(),
            Nodes::Sparse { starts, .. } => starts.len() - 1,
        }
    }

    /// The edges of the `index`-th node by value, without edges to the 0-terminal.
    #[inline]
    pub(crate) fn edges(&self, index: usize) -> NodeEdges<'a> {
        match self.nodes {
            Nodes::Pairs(pairs) => NodeEdges::Pair { pair: pairs[index], value: 0 },
            Nodes::Sparse { starts, edges } => {
                NodeEdges::Run(edges[starts[index] as usize..starts[index + 1] as usize].iter())
            }
        }
    }

    /// Returns whether an edge of some node leads to this node or terminal.
    pub(crate) fn leads_to(&self, id: NodeId) -> bool {
        match self.nodes {
            Nodes::Pairs(pairs) => pairs.iter().any(|pair| pair.contains(&id)),
            Nodes::Sparse { .. } => {
                (0..self.len()).any(|index| self.edges(index).any(|edge| edge.target == id))
            }
        }
    }

    /// The child of the `index`-th node at `value`.
    #[inline]
    pub(crate) fn child(&self, index: usize, value: usize) -> NodeId {
        match self.nodes {
            Nodes::Pairs(pairs) => pairs[index][value],
            Nodes::Sparse { starts, edges } => {
                let run = &edges[starts[index] as usize..starts[index + 1] as usize];
                match run.binary_search_by_key(&value, |edge| edge.value as usize) {
                    Ok(found) => run[found].target,
                    Err(_) => ZERO,
                }
            }
        }
    }

    /// The first edge of the `index`-th node whose value is at least `from`.
    #[inline]
    pub(crate) fn edge_from(&self, index: usize, from: usize) -> Option<ValueEdge> {
        match self.nodes {
            Nodes::Pairs(_) => self.edges(index).find(|edge| edge.value as usize >= from),
            Nodes::Sparse { starts, edges } => {
                let run = &edges[starts[index] as usize..starts[index + 1] as usize];
                run.get(run.partition_point(|edge| (edge.value as usize) < from)).copied()
            }
        }
    }

    /// The last edge of the `index`-th node whose value is at most `to`.
    #[inline]
    pub(crate) fn edge_to(&self, index: usize, to: usize) -> Option<ValueEdge> {
        match self.nodes {
            Nodes::Pairs(_) => {
                self.edges(index).take_while(|edge| edge.value as usize <= to).last()
            }
            Nodes::Sparse { starts, edges } => {
                let run = &edges[starts[index] as usize..starts[index + 1] as usize];
                let end = run.partition_point(|edge| edge.value as usize <= to);
                end.checked_sub(1).map(|last| run[last])
            }
        }
    }
}

/// The edges of a node; see [`LevelView::edges`].
pub(crate) enum NodeEdges<'a> {
    Pair { pair: [NodeId; 2], value: u32 },
    Run(std::slice::Iter<'a, ValueEdge>),
}

impl Iterator for NodeEdges<'_> {
    type Item = ValueEdge;

    #[inline]
    fn next(&mut self) -> Option<ValueEdge> {
        match self {
            NodeEdges::Pair { pair, value } => {
                while *value < 2 {
                    let edge = ValueEdge { value: *value, target: pair[*value as usize] };
                    *value += 1;
                    if edge.target != ZERO {
                        return Some(edge);
                    }
                }
                None
            }
            NodeEdges::Run(run) => run.next().copied(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            NodeEdges::Pair { .. } => (0, Some(2)),
            NodeEdges::Run(run) => run.size_hint(),
        }
    }
}

impl NodeStore {
    fn next_id(&self) -> NodeId {
        FIRST_NODE + self.node_count() as NodeId
    }

    /// Returns the same nodes, of two-valued variables, among `num_vars` such variables: variable
    /// `i` becomes `variables[i]`, in ascending order.
    pub(crate) fn at_variables(mut self, num_vars: usize, variables: &[u32]) -> NodeStore {
        self.arities = Arities::two_valued(num_vars);
        for level in &mut self.levels {
            level.variable = variables[level.variable as usize];
        }
        self
    }

    pub(crate) fn node_count(&self) -> usize {
        self.pairs.len() + self.starts.len() - 1
    }

    pub(crate) fn bytes(&self) -> usize {
        self.levels.capacity() * size_of::<LevelEntry>()
            + self.reach.capacity() * size_of::<u32>()
            + self.pairs.bytes()
            + self.starts.bytes()
            + self.edges.bytes()
            + self.arities.bytes()
    }

    /// Returns whether nodes are on disk.
    pub(crate) fn is_mapped(&self) -> bool {
        self.pairs.is_mapped() || self.edges.is_mapped()
    }

    /// The number of levels that have nodes.
    pub(crate) fn level_count(&self) -> usize {
        self.levels.len()
    }

    #[inline]
    pub(crate) fn level(&self, index: usize) -> LevelView<'_> {
        let entry = self.levels[index];
        let count = (self.level_end(index) - entry.first) as usize;
        let variable = entry.variable as usize;
        let start = entry.start as usize;
        let nodes = if self.arities.get(variable) == 2 {
            Nodes::Pairs(&self.pairs[start..start + count])
        } else {
            Nodes::Sparse { starts: &self.starts[start..=start + count], edges: &self.edges }
        };
        LevelView { index, variable, first: entry.first, nodes }
    }

    fn level_end(&self, index: usize) -> NodeId {
        self.levels.get(index + 1).map_or_else(|| self.next_id(), |above| above.first)
    }

    /// Levels that have nodes, from the bottom up.
    pub(crate) fn levels(&self) -> impl DoubleEndedIterator<Item = LevelView<'_>> {
        (0..self.levels.len()).map(|index| self.level(index))
    }

    /// The level of a node that is not a terminal, among the lowest `below` levels.
    ///
    /// Most edges lead to the top one of the lowest levels, so it is tried first.
    #[inline]
    pub(crate) fn level_of(&self, id: NodeId, below: usize) -> usize {
        debug_assert!(id >= FIRST_NODE && below > 0);
        if self.levels[below - 1].first <= id {
            return below - 1;
        }
        level_of(&self.levels[..below - 1], id)
    }

    /// The levels that edges of a level lead to, from the bottom up.
    pub(crate) fn reach(&self, index: usize) -> &[u32] {
        let end = self.levels.get(index + 1).map_or(self.reach.len(), |above| above.reach);
        &self.reach[self.levels[index].reach..end]
    }

    /// For each level, the levels below it to which no edge from above it leads.
    pub(crate) fn last_uses(&self) -> Vec<Vec<u32>> {
        let mut last_uses = vec![Vec::new(); self.levels.len()];
        let mut seen = vec![false; self.levels.len()];
        for index in (0..self.levels.len()).rev() {
            for &below in self.reach(index) {
                if !std::mem::replace(&mut seen[below as usize], true) {
                    last_uses[index].push(below);
                }
            }
        }
        last_uses
    }

    /// Begins a pass over the nodes from the bottom up.
    pub(crate) fn passing(&self) -> Passing<'_> {
        let token = CancelToken::of_queries();
        Passing { store: self, token, done: 0, pairs: 0, starts: 0, edges: 0 }
    }

    /// The variable of a node; the number of variables for a terminal.
    pub(crate) fn variable_of(&self, id: NodeId) -> usize {
        if id < FIRST_NODE {
            self.arities.num_vars()
        } else {
            self.levels[self.level_of(id, self.levels.len())].variable as usize
        }
    }

    /// The child at `value` of `variable`, of a node at that variable or of one that skips it. The
    /// rule must allow the value there.
    #[inline]
    pub(crate) fn follow(&self, node: NodeId, variable: usize, value: usize) -> NodeId {
        match self.level_at(node, variable) {
            Some(level) => level.child((node - level.first) as usize, value),
            None => node,
        }
    }

    /// The values of `variable` with the children of a node at that variable, without the
    /// 0-terminal; of a node that skips it, all values with the node itself.
    #[inline]
    pub(crate) fn edges_at(
        &self,
        node: NodeId,
        variable: usize,
    ) -> impl Iterator<Item = (usize, NodeId)> {
        let level = self.level_at(node, variable);
        let skipping = if level.is_none() { self.arities.get(variable) } else { 0 };
        let own = level.into_iter().flat_map(move |of| of.edges((node - of.first) as usize));
        let own = own.map(|edge| (edge.value as usize, edge.target));
        own.chain((0..skipping).map(move |value| (value, node)))
    }

    /// The level of a node, if the node is at `variable`.
    #[inline]
    fn level_at(&self, node: NodeId, variable: usize) -> Option<LevelView<'_>> {
        let of = |node| self.level(self.level_of(node, self.levels.len()));
        Some(node).filter(|&node| node >= FIRST_NODE).map(of).filter(|of| of.variable == variable)
    }

    /// The variables skipped by an edge from `variable` to a node of `level`, or to the
    /// 1-terminal when there is no level.
    #[inline]
    pub(crate) fn skipped(&self, variable: usize, level: Option<usize>) -> Range<usize> {
        let to = level
            .map_or_else(|| self.arities.num_vars(), |index| self.levels[index].variable as usize);
        variable + 1..to
    }
}

/// The index of the level of a node that is not a terminal.
fn level_of(levels: &[LevelEntry], id: NodeId) -> usize {
    levels.partition_point(|level| level.first <= id) - 1
}

/// The position of a linear pass from the bottom up, which stops when its token is cancelled. If the arrays are on disk,
/// nodes behind it need not stay in memory.
pub(crate) struct Passing<'a> {
    store: &'a NodeStore,
    token: Option<CancelToken>,
    /// The numbers of released nodes of each kind, and of released edges.
    pairs: usize,
    starts: usize,
    edges: usize,
    /// The number of nodes passed since the last release.
    done: usize,
}

impl Passing<'_> {
    /// The number of nodes between two releases, each of which is a system call. Small in tests,
    /// so that there are releases.
    const NODES: usize = if cfg!(test) { 1 << 3 } else { 1 << 20 };

    /// Stops the pass if its token is cancelled; for work within a level.
    #[inline]
    pub(crate) fn stop_if_cancelled(&self) {
        if let Some(token) = &self.token {
            token.stop_query();
        }
    }

    /// Records that the pass is done with this level and all below it.
    pub(crate) fn level_done(&mut self, level: &LevelView<'_>) {
        self.stop_if_cancelled();
        let store = self.store;
        self.done += level.len();
        if self.done < Self::NODES || !store.is_mapped() {
            return;
        }
        self.done = 0;
        let end = store.levels[level.index].start as usize + level.len();
        match level.nodes {
            Nodes::Pairs(_) => store.pairs.release(std::mem::replace(&mut self.pairs, end)..end),
            Nodes::Sparse { .. } => {
                store.starts.release(std::mem::replace(&mut self.starts, end)..end);
                let end = store.starts[end] as usize;
                store.edges.release(std::mem::replace(&mut self.edges, end)..end);
            }
        }
    }
}
