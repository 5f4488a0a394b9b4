//! The sections of a store in a file: splitting a store and joining sections.

use super::array::Array;
use super::{Edge, FIRST_NODE, LevelEntry, NodeId, Store};
use crate::spec::Arities;
use bytemuck::{Pod, Zeroable};

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

/// The arrays of the nodes, as in a [`Store`].
pub(crate) struct NodeArrays {
    pub(crate) pairs: Array<[NodeId; 2]>,
    pub(crate) starts: Array<u32>,
    pub(crate) edges: Array<Edge>,
}

/// A section of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Root,
    Levels,
    Reach,
    Pairs,
    Starts,
    Edges,
}

/// A fault of the `index`-th item of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) part: Part,
    pub(crate) index: usize,
    pub(crate) message: String,
}

impl Fault {
    pub(super) fn new(part: Part, index: usize, message: impl Into<String>) -> Self {
        Fault { part, index, message: message.into() }
    }
}

impl Store {
    /// The records of the levels that have nodes, from the bottom up.
    pub(crate) fn level_records(&self) -> impl ExactSizeIterator<Item = LevelRecord> {
        (0..self.level_count()).map(|index| LevelRecord {
            variable: self.levels[index].variable,
            nodes: self.level_end(index) - self.levels[index].first,
            reach: self.reach(index).len() as u32,
        })
    }

    /// Joins sections. Verifies the levels but not the nodes: reading nodes that
    /// [`check_nodes`](Store::check_nodes) would refuse may return wrong results or panic.
    pub(crate) fn from_parts(
        arities: Arities,
        root: NodeId,
        records: &[LevelRecord],
        reach: Vec<u32>,
        nodes: NodeArrays,
    ) -> Result<Store, Fault> {
        let levels = level_entries(&arities, records, &reach, &nodes)?;
        let next_id = FIRST_NODE as usize + nodes.pairs.len() + nodes.starts.len() - 1;
        let top_is_root = match records.last() {
            None => root < FIRST_NODE,
            Some(top) => top.nodes == 1 && root as usize + 1 == next_id,
        };
        if !top_is_root {
            let message = format!("node {root} is not the only node of the top level");
            return Err(Fault::new(Part::Root, 0, message));
        }
        let NodeArrays { pairs, starts, edges } = nodes;
        Ok(Store { arities, root, levels, reach, pairs, starts, edges })
    }
}

/// Returns the levels that the records describe. Fails unless they account for all nodes.
fn level_entries(
    arities: &Arities,
    records: &[LevelRecord],
    reach: &[u32],
    nodes: &NodeArrays,
) -> Result<Vec<LevelEntry>, Fault> {
    let (all_pairs, all_starts) = (nodes.pairs.len(), nodes.starts.len() - 1);
    let mut levels: Vec<LevelEntry> = Vec::with_capacity(records.len());
    let (mut pairs_before, mut starts_before, mut reach_before) = (0, 0, 0);
    for (index, record) in records.iter().enumerate() {
        let fault = |message: String| Err(Fault::new(Part::Levels, index, message));
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
            return Err(Fault::new(Part::Reach, reach_before, message));
        }
        reach_before = end;
    }
    for (part, found, expected) in [
        (Part::Pairs, pairs_before, all_pairs),
        (Part::Starts, starts_before, all_starts),
        (Part::Reach, reach_before, reach.len()),
    ] {
        if found != expected {
            let message = format!("the levels account for {found} items of {expected}");
            return Err(Fault::new(part, found, message));
        }
    }
    Ok(levels)
}
