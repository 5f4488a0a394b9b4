//! Checkpoints of a search: the best solution, and the ways to the open states.
//!
//! An open state is saved as the values that lead to it, so states need no encoding, and a way shows whether the spec and
//! the objective are the same.

use super::costs::{Arrival, CostModel, OpenState};
use super::queue::{Queued, SearchStart};
use super::{CheckpointPlace, NEVER, Objective};
use crate::error::BuildError;
use crate::frontier::{Directory, RunCheckpoint, SavedBlocks, Watch};
use crate::spec::DdSpec;
use crate::{Goal, Portable};

/// An open state in a checkpoint.
struct SavedOpen {
    number: u64,
    cost: i128,
    bound: i128,
    /// The values of the variables before it.
    values: Vec<u32>,
}

crate::portable!(SavedOpen { number, cost, bound, values });

/// The best solution, the number of states that have been open, the number of states of all levels, and the open states.
type SavedSearch = (Option<(i128, Vec<u32>)>, u64, u64, Vec<SavedOpen>);

/// Saves a search.
pub(super) fn save<'q, State: 'q>(
    file: &mut RunCheckpoint,
    best: Option<(i128, &Vec<u32>)>,
    opened: u64,
    states: u64,
    open: impl Iterator<Item = &'q Queued<State>>,
) -> Result<(), BuildError> {
    let best = best.map(|(cost, values)| (cost, values.clone()));
    let open = open.map(|Queued { open, number }| SavedOpen {
        number: *number,
        cost: open.cost,
        bound: open.bound,
        values: open.values.to_vec(),
    });
    let saved: SavedSearch = (best, opened, states, open.collect());
    let mut bytes = Vec::new();
    saved.write(&mut bytes);
    file.save(|blocks| blocks.append(&bytes).map(drop))
}

/// Opens the checkpoint of a run, and returns what is saved in it.
pub(super) fn open<S: DdSpec, O: Objective<S>>(
    place: &CheckpointPlace,
    costs: &CostModel<'_, S, O>,
    watch: &Watch,
) -> Result<(RunCheckpoint, Option<SavedBlocks>), BuildError> {
    let CheckpointPlace { files, dir, key } = place;
    let payload = match costs.goal {
        Goal::Minimum => "a bounded minimum",
        Goal::Maximum => "a bounded maximum",
    };
    let directory = Directory { files, path: dir };
    RunCheckpoint::open_over(directory, key, payload, &costs.arities, || watch.check(None))
}

/// Returns the start of a saved search.
pub(super) fn restore<S: DdSpec, O: Objective<S>>(
    blocks: &SavedBlocks,
    CheckpointPlace { dir, key, .. }: &CheckpointPlace,
    costs: &CostModel<'_, S, O>,
    watch: &Watch,
) -> Result<SearchStart<S::State>, BuildError> {
    let bytes = blocks.read(0)?;
    let saved = SavedSearch::read(&mut &bytes[..]).ok_or_else(|| blocks.damaged())?;
    let (best, opened, states, saved) = saved;
    let changed = || BuildError::SpecChanged { path: dir.clone(), key: key.clone() };
    let mut open = Vec::with_capacity(saved.len());
    for (index, SavedOpen { number, cost, bound, values }) in saved.into_iter().enumerate() {
        if index % 1024 == 0 {
            watch.check(None)?;
        }
        match costs.follow(&values)? {
            Some(Arrival::Open(found)) if found.cost == cost && found.values[..] == values => {
                open.push(Queued { open: OpenState { bound, ..found }, number });
            }
            _ => return Err(changed()),
        }
    }
    let (below, values) = best.map_or((NEVER, None), |(cost, values)| (cost, Some(values)));
    if let Some(values) = &values {
        match costs.follow(values)? {
            Some(Arrival::Solution(cost)) if cost == below => {}
            _ => return Err(changed()),
        }
    }
    Ok(SearchStart { open, opened, states, below, values })
}
