//! The directories of a sweep.

use super::disk::{Checkpoint, Disk};
use super::monitor::Watch;

/// The directories of a sweep.
pub(super) struct Storage {
    /// The directory for data that does not fit in memory.
    pub(super) spill: Option<Disk>,
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) watch: Watch,
    /// The memory limit in bytes.
    pub(super) memory_limit: Option<usize>,
}

impl Storage {
    /// The directory of spilled states and edges.
    ///
    /// With a checkpoint, spilled data goes to its directory, so a checkpoint need not copy it.
    ///
    /// # Panics
    ///
    /// Panics if the sweep has no directory.
    pub(super) fn disk(&self) -> &Disk {
        self.disks().last().expect("a sweep that spills has a directory")
    }

    /// Whether a checkpoint is due.
    pub(super) fn is_due(&self) -> bool {
        self.checkpoint.as_ref().is_some_and(Checkpoint::is_due)
    }

    pub(super) fn disks(&self) -> impl Iterator<Item = &Disk> {
        self.spill.iter().chain(self.checkpoint.as_ref().map(|of| &of.disk))
    }
}
