//! The memory limit of the command: the argument of `--memory`, or a limit that it chooses from the free memory.

use std::sync::OnceLock;

use topdd_graph::predict::PilotLimit;

use crate::bytes::Bytes;

/// Bytes of a state of a pilot, with its tables, for an upper bound.
const PILOT_STATE_BYTES: usize = 256;

/// The limit of this process, once it is set.
static LIMIT: OnceLock<MemoryLimit> = OnceLock::new();

/// A memory limit in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryLimit {
    pub(crate) bytes: usize,
    /// Whether the command chose it, without `--memory`.
    pub(crate) is_chosen: bool,
}

/// The options of a command that help when it needs more memory than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedies {
    /// A problem that may spill.
    Problem { spills: bool },
    /// A command on a saved diagram.
    File,
    /// Decisions over the board of a problem.
    Configure,
}

impl Remedies {
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Remedies::Problem { spills: true } | Remedies::File => "allow more with --memory",
            Remedies::Problem { spills: false } => {
                "allow more with --memory, spill to disk, with --spill DIR, or set fewer conditions"
            }
            Remedies::Configure => SAVE_FIRST,
        }
    }
}

/// The advice for a dialogue whose diagram needs more memory.
pub(crate) const SAVE_FIRST: &str = "save the diagram first, as in `topdd queens 16 --save q16.tdd --spill DIR`, and configure \
     that file";

/// Sets the limit: the limit of the command line, or the share that another process has chosen for this one,
/// or a share of the free memory.
pub(crate) fn set(given: Option<usize>, share: Option<usize>) -> MemoryLimit {
    let bytes = given.or(share).unwrap_or_else(topdd::available_memory);
    let is_chosen = given.is_none() && bytes < usize::MAX;
    *LIMIT.get_or_init(|| MemoryLimit { bytes, is_chosen })
}

/// The limit of this process.
pub(crate) fn limit() -> MemoryLimit {
    LIMIT.get().copied().unwrap_or(MemoryLimit { bytes: usize::MAX, is_chosen: false })
}

impl MemoryLimit {
    /// The message for a run that needs more than this limit, without a hint. In some runs the limit is a
    /// part of the limit of the process, so `bytes` are stated.
    pub(crate) fn exceeded(self, bytes: usize) -> String {
        if self.is_chosen {
            format!(
                "this takes more than {}, the limit that topdd chose from the free memory (at most 70 \
                 percent of it)",
                Bytes(bytes)
            )
        } else {
            format!("this takes more than --memory allows, {}", Bytes(bytes))
        }
    }

    /// The limit of a pilot, which must fit into the free memory as well.
    pub(crate) fn pilot(self) -> PilotLimit {
        let pilot = PilotLimit::default();
        if !self.is_chosen {
            return pilot;
        }
        let states = (self.bytes / PILOT_STATE_BYTES) as u64;
        PilotLimit { states: pilot.states.min(states.max(1)), ..pilot }
    }

    /// The bytes that the process may take in all: the limit is for states, tables, edges and nodes, and
    /// leaves a quarter and 16 MB for the rest.
    pub(crate) fn with_slack(self) -> u64 {
        (self.bytes as u64).saturating_add(self.bytes as u64 / 4).saturating_add(16 << 20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_was_chosen_says_so() {
        let given = MemoryLimit { bytes: 1 << 20, is_chosen: false };
        assert_eq!(given.exceeded(given.bytes), "this takes more than --memory allows, 1 MiB");
        let chosen = MemoryLimit { is_chosen: true, ..given };
        assert_eq!(
            chosen.exceeded(chosen.bytes),
            "this takes more than 1 MiB, the limit that topdd chose from the free memory (at most 70 \
             percent of it)"
        );
        assert_eq!(chosen.with_slack(), (1 << 20) + (1 << 18) + (16 << 20));
    }
}
