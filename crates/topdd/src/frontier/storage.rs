//! Where a sweep may keep things on disk, as far as its user said so.

use super::disk::{Checkpoint, Disk, Manifest};
use super::monitor::Watch;
use super::partition::{Hasher, Placement};
use super::spilled::Tools;
use crate::spec::Codec;

/// Where a sweep may keep things on disk.
pub(super) struct Storage<S> {
    /// How states are written; there if anything else is.
    pub(super) codec: Option<Codec<S>>,
    /// For what does not fit in memory.
    pub(super) spill: Option<Disk>,
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) watch: Watch,
    /// What to resume, until that has been done.
    pub(super) manifest: Option<Manifest>,
}

impl<S> Storage<S> {
    /// What states are written and read with; `None` if none ever are.
    ///
    /// With a checkpoint, what is spilled is written there, so that it need not be written
    /// a second time when the level is done.
    pub(super) fn tools<'a>(
        &'a self,
        (hasher, placement): (&'a Hasher, &'a Placement<S>),
    ) -> Option<Tools<'a, S>> {
        let checkpoint = self.checkpoint.as_ref().map(Checkpoint::disk);
        let disk = checkpoint.or(self.spill.as_ref())?;
        Some(Tools { hasher, placement, codec: self.codec?, disk, watch: &self.watch })
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
