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
    pub(crate) fn of_parts(
        arities: Arities,
        root: NodeId,
        records: &[LevelRecord],
        reach: Vec<u32>,
        pairs: Array<[NodeId; 2]>,
        (starts, edges): (Array<u32>, Array<Edge>),
    ) -> Result<Store, Fault> {
        let mut levels: Vec<LevelEntry> = Vec::with_capacity(records.len());
        let (mut first, mut pairs_before, mut starts_before, mut reach_before) =
            (u64::from(FIRST_NODE), 0, 0, 0);
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
            let (before, all) = match arities.get(variable as usize) {
                2 => (&mut pairs_before, pairs.len()),
                _ => (&mut starts_before, starts.len() - 1),
            };
            let start = *before;
            *before += nodes as usize;
            if *before > all {
                return fault(format!(
                    "the levels up to variable {variable} have {before} nodes of its kind, but \
                     there are {all}"
                ));
            }
            // In range, because the lengths of the arrays bound both.
            let (first_node, start) = (first as NodeId, start as u32);
            levels.push(LevelEntry { variable, first: first_node, start, reach: reach_before });
            first += u64::from(nodes);

            let end = reach_before + record.reach as usize;
            let Some(of_level) = reach.get(reach_before..end) else {
                return fault(format!("the level of variable {variable} leads to unlisted levels"));
            };
            let ascending = of_level.windows(2).all(|pair| pair[0] < pair[1]);
            if !ascending || of_level.last().is_some_and(|&last| last as usize >= index) {
                return Err(Fault::new(
                    Part::Reach,
                    reach_before,
                    format!("the levels below that of variable {variable} are not in order"),
                ));
            }
            reach_before = end;
        }
        for (part, found, expected) in [
            (Part::Pairs, pairs_before, pairs.len()),
            (Part::Starts, starts_before, starts.len() - 1),
            (Part::Reach, reach_before, reach.len()),
        ] {
            if found != expected {
                let message = format!("the levels account for {found} items of {expected}");
                return Err(Fault::new(part, found, message));
            }
        }
        let top_is_root = match records.last() {
            None => root < FIRST_NODE,
            Some(top) => top.nodes == 1 && u64::from(root) + 1 == first,
        };
        if !top_is_root {
            return Err(Fault::new(
                Part::Root,
                0,
                format!("node {root} is not the only node of the top level"),
            ));
        }
        Ok(Store { arities, root, levels, reach, pairs, starts, edges })
    }
}
