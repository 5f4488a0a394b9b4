//! The position of a process among the processes of its run, by MPI's words.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// The rank of a process, and the number of processes of its run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank {
    pub(crate) rank: usize,
    /// The number of processes.
    pub(crate) size: usize,
}

impl Rank {
    /// The only process of a run.
    pub(super) const ALONE: Rank = Rank { rank: 0, size: 1 };

    /// The high 16 bits of the hashes of the states that the process stores.
    pub(super) fn hashes(self) -> Range<usize> {
        let start = |rank: usize| (rank << 16).div_ceil(self.size);
        start(self.rank)..start(self.rank + 1)
    }

    /// The directory for the checkpoints of the process: a subdirectory of `dir`, or `dir` itself if there
    /// is only one process.
    pub(super) fn directory(self, dir: &Path) -> PathBuf {
        match self.size {
            1 => dir.to_owned(),
            size => dir.join(format!("topdd-process-{}-of-{size}", self.rank)),
        }
    }

    /// The process whose directory of checkpoints has this name, if it is one of several.
    pub(super) fn from_directory(name: &str) -> Option<Rank> {
        let (rank, size) = name.strip_prefix("topdd-process-")?.split_once("-of-")?;
        let rank = Rank { rank: rank.parse().ok()?, size: size.parse().ok()? };
        (rank.size > 1).then_some(rank)
    }
}
