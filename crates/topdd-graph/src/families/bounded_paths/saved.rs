//! Checkpoints of a count, between two levels.
//!
//! Each method that has started has a block with its position and the paths that it has found, and then the blocks of its levels. The last
//! block of the checkpoint is a [`SavedCount`].

use super::counts::Total;
use super::{BoundedPaths, FamilyError, PathMethod, ScheduledMethod, exceeded_limit};
use std::cell::OnceCell;
use std::ops::Range;
use topdd::frontier::{BlockWriter, RunCheckpoint, SavedBlocks};
use topdd::{BuildError, Portable};

/// The payload of the checkpoint, with the version, as another version may encode the states differently.
pub(super) const PAYLOAD: &str =
    concat!("counts of paths by length, of topdd ", env!("CARGO_PKG_VERSION"));

/// The progress of a count.
struct SavedCount {
    task: SavedTask,
    order: Option<Vec<usize>>,
    /// The number of states that were expanded.
    states: u64,
    methods: Vec<SavedMethod>,
}

topdd::portable!(SavedCount { task, order, states, methods });

/// The input of a count, which must be the same when the count is resumed.
#[derive(PartialEq)]
struct SavedTask {
    vertices: usize,
    edges: Vec<(usize, usize)>,
    ends: Option<(usize, usize)>,
    length: usize,
    /// The index of the only method, if it is set.
    only: Option<usize>,
}

topdd::portable!(SavedTask { vertices, edges, ends, length, only });

/// A [`ScheduledMethod`], with the place of its blocks.
struct SavedMethod {
    /// The index in [`PathMethod::ALL`].
    index: usize,
    work: u64,
    /// The memory limit that has stopped it.
    stopped_by: Option<usize>,
    /// The start and the end of its blocks, if it has started.
    blocks: Option<(usize, usize)>,
}

topdd::portable!(SavedMethod { index, work, stopped_by, blocks });

/// An opened checkpoint: the progress of the count, and all blocks.
pub(super) struct Saved {
    count: SavedCount,
    blocks: SavedBlocks,
}

impl BoundedPaths {
    fn saved_task(&self) -> SavedTask {
        SavedTask {
            vertices: self.graph.num_vertices(),
            edges: self.graph.edges().to_vec(),
            ends: self.ends,
            length: self.length,
            only: self.only.map(PathMethod::index),
        }
    }

    /// Opens the checkpoint, if one is set, and takes the order and the number of states of the count that is saved there.
    pub(super) fn open_checkpoint(
        &mut self,
    ) -> Result<(Option<RunCheckpoint>, Option<Saved>), FamilyError> {
        let Some((dir, key)) = &self.checkpoint else { return Ok((None, None)) };
        let (file, blocks) = RunCheckpoint::open(dir, key, PAYLOAD, || self.meter.check_time())?;
        let Some(blocks) = blocks else { return Ok((Some(file), None)) };
        let last = blocks.read(blocks.len().saturating_sub(1))?;
        let count = SavedCount::read(&mut &last[..]).ok_or_else(|| blocks.damaged())?;
        if count.task != self.saved_task() {
            return Err(BuildError::SpecChanged { path: dir.clone(), key: key.clone() }.into());
        }
        if let Some(order) = &count.order {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.into_iter().eq(0..self.graph.num_edges()) {
                return Err(blocks.damaged().into());
            }
            self.order = OnceCell::from(order.clone());
        }
        self.meter.resume(count.states);
        Ok((Some(file), Some(Saved { count, blocks })))
    }

    /// Restores the saved methods. Those that exceed the memory limit are stopped, and those that a smaller limit has stopped begin anew.
    /// Fails if all are stopped.
    pub(super) fn restore(
        &self,
        Saved { count, blocks }: Saved,
    ) -> Result<Vec<ScheduledMethod<'_>>, FamilyError> {
        let damaged = || FamilyError::from(blocks.damaged());
        let (mut methods, mut error) = (Vec::new(), None);
        let is_too_small = |limit: &usize| self.meter.memory_limit.is_some_and(|now| now <= *limit);
        for SavedMethod { index, work, stopped_by, blocks: place } in count.methods {
            let method = *PathMethod::ALL.get(index).ok_or_else(damaged)?;
            let stopped_by = stopped_by.filter(is_too_small);
            let mut turn = ScheduledMethod { method, run: None, work, stopped_by };
            if let Some((start, end)) = place {
                let of_method = &mut MethodBlocks { blocks: &blocks, left: start..end };
                let run = self.run(method).ok_or_else(damaged)?;
                match run.and_then(|mut run| run.restore(of_method).map(|()| run)) {
                    Ok(run) => turn.run = Some(run),
                    Err(failed) => {
                        let Some(limit) = exceeded_limit(&failed) else {
                            return Err(failed.into());
                        };
                        turn.stop(limit);
                        error = Some(failed);
                    }
                }
            }
            methods.push(turn);
        }
        if methods.iter().any(|turn| turn.stopped_by.is_none()) {
            return Ok(methods);
        }
        Err(error.map_or_else(damaged, FamilyError::from))
    }

    /// Saves the methods between two levels.
    pub(super) fn save(
        &self,
        file: &mut RunCheckpoint,
        turns: &[ScheduledMethod<'_>],
    ) -> Result<(), BuildError> {
        file.save(|blocks| {
            let (mut methods, mut next) = (Vec::new(), 0);
            for turn in turns {
                let mut place = None;
                if let Some(run) = &turn.run {
                    let end = run.save(blocks)? + 1;
                    place = Some((next, end));
                    next = end;
                }
                let &ScheduledMethod { method, work, stopped_by, .. } = turn;
                methods.push(SavedMethod {
                    index: method.index(),
                    work,
                    stopped_by,
                    blocks: place,
                });
            }
            let (task, order) = (self.saved_task(), self.order.get().cloned());
            let count = SavedCount { task, order, states: self.meter.states(), methods };
            blocks.append(&bytes_of(&count)).map(drop)
        })
    }
}

/// Encodes a value as a block.
pub(super) fn bytes_of(value: &impl Portable) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.write(&mut bytes);
    bytes
}

/// Saves the position of a method, which is the number of levels that `mates` has passed or that `heads` still has, and the paths that the
/// method has found.
pub(super) fn save_position(
    blocks: &mut BlockWriter,
    position: usize,
    total: &Total,
) -> Result<usize, BuildError> {
    blocks.append(&bytes_of(&(position, total.0.clone())))
}

/// The blocks of a method, which are read in their order.
pub(super) struct MethodBlocks<'a> {
    blocks: &'a SavedBlocks,
    left: Range<usize>,
}

impl MethodBlocks<'_> {
    /// Reads the value in the next block.
    pub(super) fn read<T: Portable>(&mut self) -> Result<T, BuildError> {
        let index = self.left.next().ok_or_else(|| self.damaged())?;
        T::read(&mut &self.blocks.read(index)?[..]).ok_or_else(|| self.damaged())
    }

    /// Reads the position of a method with at most `levels` levels, and the paths that it has found.
    pub(super) fn read_position(&mut self, levels: usize) -> Result<(usize, Total), BuildError> {
        let (position, limbs) = self.read()?;
        if position > levels {
            return Err(self.damaged());
        }
        Ok((position, Total(limbs)))
    }

    /// The error for a block whose content cannot be decoded.
    pub(super) fn damaged(&self) -> BuildError {
        self.blocks.damaged()
    }
}
