//! Checkpoints of a count, between two levels.
//!
//! The first block is a [`SavedCount`]. The blocks of each method that has started follow: its position with the paths that it has
//! found, and the states of its levels, each level with an empty block at its end.

use super::counts::Total;
use super::{BoundedPaths, FamilyError, PathMethod, ScheduledMethod};
use topdd::{BlockWriter, BuildError, Portable, RunCheckpoint, SavedBlocks};

/// What the checkpoint of a count contains.
const PAYLOAD: &str = "counts of paths by length";

/// The methods by their numbers in a checkpoint.
const METHODS: [PathMethod; 2] = [PathMethod::Heads, PathMethod::Mates];

/// A count in a checkpoint.
struct SavedCount {
    task: SavedTask,
    order: Option<Vec<usize>>,
    /// The number of states that were expanded.
    states: u64,
    methods: Vec<SavedMethod>,
}

topdd::portable!(SavedCount { task, order, states, methods });

/// The count that a checkpoint is of: edges, ends, bound, and the number of the only method.
type SavedTask = (Vec<(usize, usize)>, Option<(usize, usize)>, usize, Option<usize>);

/// A [`ScheduledMethod`] in a checkpoint.
struct SavedMethod {
    number: usize,
    work: u64,
    has_started: bool,
}

topdd::portable!(SavedMethod { number, work, has_started });

fn number_of(method: PathMethod) -> usize {
    usize::from(method == PathMethod::Mates)
}

impl BoundedPaths {
    fn saved_task(&self) -> SavedTask {
        (self.graph.edges().to_vec(), self.ends, self.length, self.only.map(number_of))
    }

    /// Opens the checkpoint, if the count has one, and returns the methods that it has saved.
    pub(super) fn open_checkpoint(
        &self,
    ) -> Result<(Option<RunCheckpoint>, Option<Vec<ScheduledMethod<'_>>>), FamilyError> {
        let Some((dir, key)) = &self.checkpoint else { return Ok((None, None)) };
        let (file, blocks) = RunCheckpoint::open(dir, key, PAYLOAD, || self.meter.check_time())?;
        let Some(mut blocks) = blocks else { return Ok((Some(file), None)) };
        let saved = SavedCount::read(&mut &blocks.read()?[..]).ok_or_else(|| blocks.damaged())?;
        if saved.task != self.saved_task() {
            return Err(BuildError::SpecChanged { path: dir.clone(), key: key.clone() }.into());
        }
        if let Some(order) = saved.order {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.into_iter().eq(0..self.graph.num_edges()) {
                return Err(blocks.damaged().into());
            }
            self.order.get_or_init(|| order);
        }
        self.meter.add_states(saved.states);
        let mut methods = Vec::new();
        for SavedMethod { number, work, has_started } in saved.methods {
            let method = *METHODS.get(number).ok_or_else(|| blocks.damaged())?;
            let mut turn = ScheduledMethod { method, run: None, work };
            if has_started {
                let mut run = self.run(method).ok_or_else(|| blocks.damaged())??;
                run.restore(&mut blocks)?;
                turn.run = Some(run);
            }
            methods.push(turn);
        }
        Ok((Some(file), Some(methods)))
    }

    /// Saves the methods between two levels.
    pub(super) fn save(
        &self,
        file: &mut RunCheckpoint,
        turns: &[ScheduledMethod<'_>],
    ) -> Result<(), BuildError> {
        let method = |turn: &ScheduledMethod<'_>| SavedMethod {
            number: number_of(turn.method),
            work: turn.work,
            has_started: turn.run.is_some(),
        };
        let saved = SavedCount {
            task: self.saved_task(),
            order: self.order.get().cloned(),
            states: self.meter.states(),
            methods: turns.iter().map(method).collect(),
        };
        file.save(|blocks| {
            blocks.append(&bytes_of(&saved))?;
            turns.iter().filter_map(|turn| turn.run.as_ref()).try_for_each(|run| run.save(blocks))
        })
    }
}

/// The block of a value.
pub(super) fn bytes_of(value: &impl Portable) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.write(&mut bytes);
    bytes
}

/// Saves the number of levels that a method has passed, or that it still has, and the paths that it has found.
pub(super) fn save_position(
    blocks: &mut BlockWriter,
    levels: usize,
    total: &Total,
) -> Result<(), BuildError> {
    blocks.append(&bytes_of(&(levels, total.0.clone())))
}

/// Reads what [`save_position`] has saved, of a method with at most so many levels.
pub(super) fn restore_position(
    blocks: &mut SavedBlocks,
    most: usize,
) -> Result<(usize, Total), BuildError> {
    let position = <(usize, Vec<u64>)>::read(&mut &blocks.read()?[..]);
    let (levels, limbs) =
        position.filter(|&(levels, _)| levels <= most).ok_or_else(|| blocks.damaged())?;
    Ok((levels, Total(limbs)))
}
