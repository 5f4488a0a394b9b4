//! Where a sweep may keep things on disk, as far as its user said so.

use super::disk::{Checkpoint, Disk, Manifest};
use super::monitor::Watch;
use super::run::Tools;

/// Where a sweep may keep things on disk.
pub(super) struct Storage {
    /// For what does not fit in memory.
    pub(super) spill: Option<Disk>,
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) watch: Watch,
    /// What to resume, until that has been done.
    pub(super) manifest: Option<Manifest>,
}

impl Storage {
    /// What states are written and read with; `None` if none ever are.
    ///
    /// With a checkpoint, what is spilled is written there, so that it need not be written
    /// a second time when the level is done.
    pub(super) fn tools(&self) -> Option<Tools<'_>> {
        let checkpoint = self.checkpoint.as_ref().map(Checkpoint::disk);
        let disk = checkpoint.or(self.spill.as_ref())?;
        Some(Tools { disk, watch: &self.watch })
    }

    /// Whether levels are saved.
    pub(super) fn saves_levels(&self) -> bool {
        self.checkpoint.is_some()
    }

    pub(super) fn disk_bytes(&self) -> u64 {
        self.disks().map(|disk| disk.usage().now()).sum()
    }

    pub(super) fn peak_disk_bytes(&self) -> u64 {
        self.disks().map(|disk| disk.usage().peak()).sum()
    }

    fn disks(&self) -> impl Iterator<Item = &Disk> {
        self.spill.iter().chain(self.checkpoint.as_ref().map(Checkpoint::disk))
    }
}
