//! The sections of a store in a file: splitting a store and joining sections.

use super::array::Array;
use super::builder::{is_redundant, stands_for};
use super::{FIRST_NODE, LevelEntry, NodeId, NodeStore, Nodes, ValueEdge, ZERO};
use crate::spec::{Arities, Rule};
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

/// The record of a level in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LevelRecord {
    pub(crate) variable: u32,
    /// The number of its nodes.
    pub(crate) nodes: u32,
    /// The number of levels that its edges lead to.
    pub(crate) reach: u32,
}

/// The arrays of the nodes, as in a [`NodeStore`].
pub(crate) struct NodeArrays {
    pub(crate) pairs: Array<[NodeId; 2]>,
    pub(crate) starts: Array<u32>,
    pub(crate) edges: Array<ValueEdge>,
}

/// A section of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorePart {
    Root,
    Levels,
    Reach,
    Pairs,
    Starts,
    Edges,
}

/// A fault of the `index`-th item of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartFault {
    pub(crate) part: StorePart,
    pub(crate) index: usize,
    pub(crate) message: String,
}

impl PartFault {
    pub(super) fn new(part: StorePart, index: usize, message: impl Into<String>) -> Self {
        PartFault { part, index, message: message.into() }
    }
}

impl NodeStore {
    /// The records of the levels that have nodes, from the bottom up.
    pub(crate) fn level_records(&self) -> impl ExactSizeIterator<Item = LevelRecord> {
        (0..self.level_count()).map(|index| LevelRecord {
            variable: self.levels[index].variable,
            nodes: self.level_end(index) - self.levels[index].first,
            reach: self.reach(index).len() as u32,
        })
    }

    /// Joins sections. Verifies the levels but not the nodes: reading nodes that
    /// [`check_nodes`](NodeStore::check_nodes) would refuse may return wrong results or panic.
    pub(crate) fn from_parts(
        arities: Arities,
        root: NodeId,
        records: &[LevelRecord],
        reach: Vec<u32>,
        nodes: NodeArrays,
    ) -> Result<NodeStore, PartFault> {
        let levels = level_entries(&arities, records, &reach, &nodes)?;
        let next_id = FIRST_NODE as usize + nodes.pairs.len() + nodes.starts.len() - 1;
        let top_is_root = match records.last() {
            None => root < FIRST_NODE,
            Some(top) => top.nodes == 1 && root as usize + 1 == next_id,
        };
        if !top_is_root {
            let message = format!("node {root} is not the only node of the top level");
            return Err(PartFault::new(StorePart::Root, 0, message));
        }
        let NodeArrays { pairs, starts, edges } = nodes;
        Ok(NodeStore { arities, root, levels, reach, pairs, starts, edges })
    }
}

/// Returns the levels that the records describe. Fails unless they account for all nodes.
fn level_entries(
    arities: &Arities,
    records: &[LevelRecord],
    reach: &[u32],
    nodes: &NodeArrays,
) -> Result<Vec<LevelEntry>, PartFault> {
    let (all_pairs, all_starts) = (nodes.pairs.len(), nodes.starts.len() - 1);
    let mut levels: Vec<LevelEntry> = Vec::with_capacity(records.len());
    let (mut pairs_before, mut starts_before, mut reach_before) = (0, 0, 0);
    for (index, record) in records.iter().enumerate() {
        let fault = |message: String| Err(PartFault::new(StorePart::Levels, index, message));
        let &LevelRecord { variable, nodes, .. } = record;
        let above_it = levels.last().map_or(arities.num_vars() as u64, |l| l.variable.into());
        if u64::from(variable) >= above_it {
            return fault(format!(
                "a level is at variable {variable}, where one before {above_it} is expected"
            ));
        }
        if nodes == 0 {
            return fault(format!("the level of variable {variable} has no nodes"));
        }
        // In range, because the lengths of the arrays bound both kinds of nodes.
        let first = FIRST_NODE + (pairs_before + starts_before) as NodeId;
        let (before, all) = match arities.get(variable as usize) {
            2 => (&mut pairs_before, all_pairs),
            _ => (&mut starts_before, all_starts),
        };
        levels.push(LevelEntry { variable, first, start: *before as u32, reach: reach_before });
        *before += nodes as usize;
        if *before > all {
            return fault(format!(
                "the levels up to variable {variable} have {before} nodes of its kind, but there \
                 are {all}"
            ));
        }
        let end = reach_before + record.reach as usize;
        let Some(of_level) = reach.get(reach_before..end) else {
            return fault(format!("the level of variable {variable} leads to unlisted levels"));
        };
        let ascending = of_level.is_sorted_by(|a, b| a < b);
        if !ascending || of_level.last().is_some_and(|&last| last as usize >= index) {
            let message = format!("the levels below variable {variable} are not in order");
            return Err(PartFault::new(StorePart::Reach, reach_before, message));
        }
        reach_before = end;
    }
    for (part, found, expected) in [
        (StorePart::Pairs, pairs_before, all_pairs),
        (StorePart::Starts, starts_before, all_starts),
        (StorePart::Reach, reach_before, reach.len()),
    ] {
        if found != expected {
            let message = format!("the levels account for {found} items of {expected}");
            return Err(PartFault::new(part, found, message));
        }
    }
    Ok(levels)
}

/// The number of nodes that one task verifies. Small in tests, so that levels have several parts.
const PART: usize = if cfg!(test) { 1 << 1 } else { 1 << 14 };
/// The minimum number of nodes for which several threads are used.
const SHARED_FROM: usize = if cfg!(test) { 1 << 5 } else { 1 << 16 };

impl NodeStore {
    /// Verifies that the nodes are reduced: children are below their parents, no node is
    /// redundant under the rule, the nodes of a level are distinct and in order, each node except
    /// the root is a child of another, and the edges lead to exactly the levels listed in `reach`.
    ///
    /// One pass over the arrays, in parallel for large diagrams. Returns the first fault of the
    /// lowest level that has one.
    pub(crate) fn check_nodes(&self, rule: Rule) -> Result<(), PartFault> {
        for (index, expected, message) in [
            (0, 0, "the edges of the first node do not start at 0"),
            (self.starts.len() - 1, self.edges.len(), "there are edges of no node"),
        ] {
            if self.starts[index] as usize != expected {
                return Err(PartFault::new(StorePart::Starts, index, message));
            }
        }
        let is_child: Vec<AtomicU8> = (0..self.next_id()).map(|_| AtomicU8::new(0)).collect();
        let check = |index: usize| self.check_level(index, rule, &is_child);
        let fault = if self.node_count() < SHARED_FROM {
            (0..self.levels.len()).find_map(|index| check(index).err())
        } else {
            // Wide levels are divided further in `check_level`; narrow ones are not worth a task.
            (0..self.levels.len())
                .into_par_iter()
                .with_min_len(16)
                .find_map_first(|index| check(index).err())
        };
        if let Some(fault) = fault {
            return Err(fault);
        }
        // All but the terminals and the root.
        let below_root = is_child.get(FIRST_NODE as usize..is_child.len() - 1).unwrap_or_default();
        match below_root.par_iter().position_first(|mark| mark.load(Ordering::Relaxed) == 0) {
            None => Ok(()),
            Some(position) => {
                let id = FIRST_NODE + position as NodeId;
                let level = self.level(self.level_of(id, self.levels.len()));
                let start = self.levels[level.index].start as usize + (id - level.first) as usize;
                let part = match level.nodes {
                    Nodes::Pairs(_) => StorePart::Pairs,
                    Nodes::Sparse { .. } => StorePart::Starts,
                };
                Err(PartFault::new(part, start, format!("node {id} is no child of another")))
            }
        }
    }

    fn check_level(
        &self,
        index: usize,
        rule: Rule,
        is_child: &[AtomicU8],
    ) -> Result<(), PartFault> {
        let LevelEntry { variable, first, start, .. } = self.levels[index];
        let count = (self.level_end(index) - first) as usize;
        let check = LevelCheck {
            arity: self.arities.get(variable as usize),
            rule,
            first,
            targets: self.targets(index),
            is_child,
        };
        let nodes = start as usize..start as usize + count;
        // Each part has its own targets. They must not take more memory than the nodes, even if a
        // file lists many levels.
        let size = PART.max(check.targets.len());
        let of_part = |part: usize| {
            let part = nodes.start + part * size..nodes.end.min(nodes.start + (part + 1) * size);
            let mut check = check.clone();
            if check.arity == 2 {
                check.pairs(&self.pairs, nodes.start, part)?;
            } else {
                check.runs(self, nodes.start, part)?;
            }
            Ok(check.targets)
        };
        let parts = count.div_ceil(size);
        let parts: Vec<Result<Vec<TargetLevel>, PartFault>> = if parts < 4 {
            (0..parts).map(of_part).collect()
        } else {
            (0..parts).into_par_iter().map(of_part).collect()
        };
        let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
        // The terminals come last and need not be reached.
        let reached = |level: usize| parts.iter().any(|targets| targets[level].reached);
        let levels = self.reach(index).len();
        if (0..levels).all(reached) {
            return Ok(());
        }
        let message = format!("the edges of variable {variable} do not lead to all levels listed");
        Err(PartFault::new(StorePart::Reach, self.levels[index].reach, message))
    }

    /// The possible targets of the edges of a level: the levels in its `reach`, from the top
    /// down, and the terminals.
    fn targets(&self, index: usize) -> Vec<TargetLevel> {
        let of_level = |&level: &u32| {
            let first = self.levels[level as usize].first;
            let end = self.level_end(level as usize);
            TargetLevel { first, end, reached: false }
        };
        let mut targets: Vec<_> = self.reach(index).iter().rev().map(of_level).collect();
        targets.push(TargetLevel { first: ZERO, end: FIRST_NODE, reached: false });
        targets
    }
}

/// A range of nodes that edges may lead to.
#[derive(Clone, Copy)]
struct TargetLevel {
    first: NodeId,
    end: NodeId,
    /// Whether an edge does.
    reached: bool,
}

/// The facts that the nodes of a level are verified against.
#[derive(Clone)]
struct LevelCheck<'a> {
    arity: usize,
    rule: Rule,
    /// The first node of the level: children are before it.
    first: NodeId,
    targets: Vec<TargetLevel>,
    /// For each node id, 1 if the node is the child of another.
    is_child: &'a [AtomicU8],
}

impl LevelCheck<'_> {
    /// Marks the target of an edge. Returns `false` if no edge may lead there.
    #[inline]
    fn note(&mut self, target: NodeId) -> bool {
        let place = match &self.targets[..] {
            few if few.len() <= 4 => few.iter().position(|of_level| target >= of_level.first),
            many => Some(many.partition_point(|of_level| target < of_level.first)),
        };
        let Some(of_level) = place.and_then(|place| self.targets.get_mut(place)) else {
            return false;
        };
        if target >= of_level.end {
            return false;
        }
        of_level.reached = true;
        self.is_child[target as usize].store(1, Ordering::Relaxed);
        true
    }

    /// Verifies the pairs with indices in `part`, of a level whose first index is `start`.
    fn pairs(
        &mut self,
        pairs: &[[NodeId; 2]],
        start: usize,
        part: Range<usize>,
    ) -> Result<(), PartFault> {
        // As numbers they are in the order of reduction.
        let head = |[zero, one]: [NodeId; 2]| u64::from(one) << 32 | u64::from(zero);
        // Less than any pair that is not redundant.
        let mut last = if part.start == start { 0 } else { head(pairs[part.start - 1]) };
        for (index, &pair) in part.clone().zip(&pairs[part]) {
            let [zero, one] = pair;
            let redundant = is_redundant(pair, self.rule);
            let below = self.note(zero) & self.note(one);
            let ascends = last < head(pair);
            last = head(pair);
            if redundant || !below || !ascends {
                return Err(PartFault::new(StorePart::Pairs, index, self.why(below, redundant)));
            }
        }
        Ok(())
    }

    /// Verifies the runs of edges with indices in `part`, of a level whose first index is `start`.
    fn runs(
        &mut self,
        store: &NodeStore,
        start: usize,
        part: Range<usize>,
    ) -> Result<(), PartFault> {
        let (starts, edges) = (&store.starts, &store.edges);
        let run = |index: usize| edges.get(starts[index] as usize..starts[index + 1] as usize);
        let mut last = if part.start == start { Some(&[][..]) } else { run(part.start - 1) };
        for index in part {
            let fault = |message: String| Err(PartFault::new(StorePart::Starts, index, message));
            let Some([_, ..]) = run(index) else {
                return fault("the edges of a node are out of range".to_owned());
            };
            let mut value = None;
            for (edge, position) in run(index).into_iter().flatten().zip(starts[index] as usize..) {
                let fault =
                    |message: String| Err(PartFault::new(StorePart::Edges, position, message));
                let next = Some(edge.value);
                if value >= next || edge.value as usize >= self.arity {
                    return fault(format!("an edge for value {} is out of order", edge.value));
                }
                value = next;
                if edge.target == ZERO || !self.note(edge.target) {
                    return fault(self.why(false, false));
                }
            }
            let this = run(index);
            let redundant =
                this.is_some_and(|run| stands_for(run, self.rule, self.arity).is_some());
            if redundant || last >= this {
                return fault(self.why(true, redundant));
            }
            last = this;
        }
        Ok(())
    }

    fn why(&self, below: bool, redundant: bool) -> String {
        let first = self.first;
        match (below, redundant) {
            (false, _) => {
                format!("a child is not on one of the levels listed, of nodes below {first}")
            }
            (_, true) => "a node is redundant under the rule".to_owned(),
            _ => "the nodes of a level are not distinct and in order".to_owned(),
        }
    }
}
