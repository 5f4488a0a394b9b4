//! The checkpoint of a run that is done.

use super::disk::Checkpoint;
use crate::BuildError;

/// The checkpoint of a run that is done.
///
/// While this exists, no other run can use its directory. Unless it is
/// [removed](FinishedCheckpoint::remove), the same call resumes it and returns the result again. See
/// the example of [`Frontier::keep_checkpoint`](crate::Frontier::keep_checkpoint).
#[derive(Debug)]
#[must_use = "the checkpoint stays until it is removed"]
pub struct FinishedCheckpoint(pub(super) Checkpoint);

impl FinishedCheckpoint {
    /// Removes the files of the checkpoint. Returns the errors; an empty list means success.
    ///
    /// If the manifest could not be removed, the next run with the same key resumes it.
    /// Otherwise the next run in the directory removes the remaining files.
    #[must_use = "the files may not have been removed"]
    pub fn remove(self) -> Vec<BuildError> {
        self.0.remove()
    }
}
