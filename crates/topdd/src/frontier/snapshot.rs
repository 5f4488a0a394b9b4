//! The content of a checkpoint: a snapshot of a sweep between two levels.

use super::chain::ForcedChain;
use super::disk::{Blob, Disk, Extent, Manifest, unfit};
use super::input::Input;
use super::level::{Incoming, Level};
use super::payload::{OneTerminal, is_width};
use super::pool::MAX_PARTITIONS;
use super::report::LevelReport;
use super::spill_file::{Segment, SpillFile};
use super::storage::Storage;
use super::unreduced::UnreducedLevel;
use crate::hash::Map;
use crate::number::UpperBound;
use crate::{BuildError, Portable};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The content of a checkpoint, without the [attempt](super::exchange::Exchange::attempt), which
/// [`saved_level`](super::exchange::saved_level) reads.
pub(super) struct Snapshot {
    pub(super) peak_bytes: usize,
    pub(super) reports: Vec<LevelReport>,
    pub(super) ones: OneTerminal,
    /// The pending levels by variable.
    pub(super) pending: BTreeMap<usize, Box<Level>>,
    /// The finished levels, if edges are stored.
    pub(super) finished: Vec<UnreducedLevel>,
    /// The encoded [`SentEdges`](super::exchange::SentEdges), if the run has several processes.
    pub(super) sent: Vec<u8>,
}

/// A pending level in a checkpoint.
pub(super) struct SavedLevel {
    variable: usize,
    partitions: usize,
    width: usize,
    bound: UpperBound,
    complete: bool,
    merged: u64,
    files: Vec<SavedFile>,
    incoming: Vec<SavedIncoming>,
}

crate::portable!(SavedLevel {
    variable,
    partitions,
    width,
    bound,
    complete,
    merged,
    files,
    incoming,
});

/// A spill file in a checkpoint.
struct SavedFile {
    blob: Option<u64>,
    width: usize,
    segments: Vec<Option<Segment>>,
}

crate::portable!(SavedFile { blob, width, segments });

/// The long edges to a pending level over one chain, with the block of their places.
struct SavedIncoming {
    chain: ForcedChain,
    blob: Option<u64>,
    places: Extent,
}

crate::portable!(SavedIncoming { chain, blob, places });

/// The attempt, the peak of the bytes, the reports, the words of the 1-terminal, and the pending levels of a
/// checkpoint, in this order.
type Head = (u64, usize, Vec<LevelReport>, OneTerminal, Vec<SavedLevel>);

/// The files of blocks of a checkpoint, by number.
type Blobs = Map<u64, Arc<Blob>>;

impl Snapshot {
    /// Decodes the content of a checkpoint in the directory of `disk`.
    pub(super) fn read(
        manifest: &Manifest,
        disk: &Disk,
        input: Input<'_>,
    ) -> Result<Self, BuildError> {
        let blobs = manifest.blobs(disk)?;
        let damaged = || unfit(&disk.dir);
        let bytes = &mut &manifest.sweep[..];
        let (_, peak_bytes, reports, ones, levels) = Head::read(bytes).ok_or_else(damaged)?;
        let (payload, num_vars) = (input.payload, input.arities.num_vars());
        let is_valid = |words: &Vec<u64>| is_width(payload, ones.decided, words.len());
        if ones.decided > num_vars || !ones.words.iter().all(is_valid) {
            return Err(damaged());
        }
        let mut pending = BTreeMap::new();
        for level in levels {
            let variable = level.variable;
            let level = level.load(input, &blobs)?.ok_or_else(damaged)?;
            pending.insert(variable, Box::new(level));
        }
        let count = usize::read(bytes).ok_or_else(damaged)?;
        let blob = |number: Option<u64>| blobs.get(&number?).cloned();
        let finished = (0..count).map(|_| UnreducedLevel::read(bytes, blob));
        let finished = finished.collect::<Option<_>>().ok_or_else(damaged)?;
        Ok(Snapshot { peak_bytes, reports, ones, pending, finished, sent: bytes.to_vec() })
    }
}

impl SavedLevel {
    /// The form of a level in a checkpoint. Writes its states and places to files, which are added to
    /// `blobs`.
    pub(super) fn new(
        variable: usize,
        level: &Level,
        storage: &Storage,
        blobs: &mut Vec<Arc<Blob>>,
    ) -> Result<Self, BuildError> {
        let partitions = level.partitions.len();
        let (mut files, mut incoming) = (Vec::new(), Vec::new());
        for file in level.files.iter().chain([&level.write_file(0..partitions, storage)?]) {
            let segments = file.segments.clone();
            files.push(SavedFile { blob: file.blob.number, width: file.width, segments });
            blobs.push(Arc::clone(&file.blob));
        }
        for of in &level.incoming {
            let mut blob = storage.disk().create()?;
            let mut places = Vec::new();
            of.places.write(&mut places);
            let places = blob.append(&places)?;
            incoming.push(SavedIncoming { chain: of.chain, blob: blob.number, places });
            blobs.push(Arc::new(blob));
        }
        let &Level { width, bound, complete, merged, .. } = level;
        Ok(SavedLevel { variable, partitions, width, bound, complete, merged, files, incoming })
    }

    /// Whether the level may be one of the run.
    fn is_valid(&self, input: Input<'_>) -> bool {
        let fits =
            |file: &SavedFile| file.width <= self.width && file.segments.len() == self.partitions;
        self.partitions.is_power_of_two()
            && self.partitions <= MAX_PARTITIONS
            && self.variable < input.arities.num_vars()
            && is_width(input.payload, self.variable, self.width)
            && self.files.iter().all(fits)
    }

    /// Makes the level. Returns `None` if its data is not valid.
    fn load(self, input: Input<'_>, blobs: &Blobs) -> Result<Option<Level>, BuildError> {
        if !self.is_valid(input) {
            return Ok(None);
        }
        let new = |_| input.expander.new_states(self.width);
        let level = Level::new((0..self.partitions).map(new).collect(), self.width);
        let SavedLevel { bound, complete, merged, .. } = self;
        let mut level = Level { bound, complete, merged, ..level };
        let blob = |number: Option<u64>| blobs.get(&number?).cloned();
        for SavedFile { blob: number, width, segments } in self.files {
            let Some(blob) = blob(number) else { return Ok(None) };
            level.files.push(SpillFile { blob, width, segments });
        }
        for SavedIncoming { chain, blob: number, places } in self.incoming {
            let Some(blob) = blob(number) else { return Ok(None) };
            let mut block = Vec::new();
            blob.read(places, &mut block)?;
            let Some(places) = Portable::read(&mut &block[..]) else { return Ok(None) };
            level.incoming.push(Incoming { chain, places });
        }
        Ok(Some(level))
    }
}

impl Portable for LevelReport {
    fn write(&self, out: &mut Vec<u8>) {
        let LevelReport { variable, states, edges, merged, bytes, disk_bytes, elapsed } = *self;
        (variable, states, edges, merged, bytes, disk_bytes, elapsed.as_nanos() as u64).write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let (variable, states, edges, merged, bytes, disk_bytes, nanos) = Portable::read(input)?;
        let elapsed = Duration::from_nanos(nanos);
        Some(LevelReport { variable, states, edges, merged, bytes, disk_bytes, elapsed })
    }
}
