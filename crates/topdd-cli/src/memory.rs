//! The memory limit of the command: the argument of `--memory-limit`, or a limit that it chooses from the free memory.

use std::fmt;
use std::sync::OnceLock;

use topdd_graph::predict::PilotLimit;
use topdd_problem::Bytes;

/// Bytes of a state of a pilot, with its tables, for an upper bound.
const PILOT_STATE_BYTES: u64 = 256;

/// The limit of this process, once it is set.
static LIMIT: OnceLock<MemoryLimit> = OnceLock::new();

/// The remedies of this command, once they are set.
static REMEDIES: OnceLock<Remedies> = OnceLock::new();

/// A memory limit in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryLimit {
    pub(crate) bytes: usize,
    /// Whether the command chose it, without `--memory-limit`.
    pub(crate) is_chosen: bool,
}

/// The options of a command that help when it needs more memory than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedies {
    /// A run of the frontier engine. Each member is whether this would help.
    Run { spill: bool, count_only: bool, fewer_conditions: bool },
    /// A run of the apply engine.
    Apply,
    /// A command that reads a file and has no run, or that still reads the file.
    File,
    /// Decisions over the board of a problem.
    Configure,
}

impl Remedies {
    /// The remedies of a search, which has no options to take less.
    pub(crate) const SEARCH: Self =
        Remedies::Run { spill: false, count_only: false, fewer_conditions: false };

    /// The same remedies without spilling.
    pub(crate) fn without_spill(self) -> Self {
        match self {
            Remedies::Run { count_only, fewer_conditions, .. } => {
                Remedies::Run { spill: false, count_only, fewer_conditions }
            }
            other => other,
        }
    }

    /// The advice for a command that has reached its limit.
    pub(crate) fn hint(self) -> String {
        self.after("allow more with --memory-limit").to_string()
    }

    /// The advice that begins with `first`.
    pub(crate) fn after(self, first: &'static str) -> Advice {
        Advice { first, remedies: self }
    }
}

/// The advice of a command. Writing it allocates nothing.
pub(crate) struct Advice {
    /// The advice for every command but the dialogue.
    first: &'static str,
    remedies: Remedies,
}

impl fmt::Display for Advice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = match self.remedies {
            Remedies::Configure => return out.write_str(SAVE_FIRST),
            Remedies::File => [None; 3],
            Remedies::Apply => {
                [Some("use --engine frontier, which can --spill-to DIR"), None, None]
            }
            Remedies::Run { spill, count_only, fewer_conditions } => [
                spill.then_some("spill to disk, with --spill-to DIR"),
                count_only.then_some("count without a diagram, with --count-only"),
                fewer_conditions.then_some("set fewer conditions"),
            ],
        };
        out.write_str(self.first)?;
        let mut left = more.iter().flatten().count();
        for hint in more.into_iter().flatten() {
            left -= 1;
            write!(out, ", {}{hint}", if left == 0 { "or " } else { "" })?;
        }
        Ok(())
    }
}

/// The advice for a dialogue whose diagram needs more memory.
pub(crate) const SAVE_FIRST: &str = "save the diagram first, as in `topdd queens 16 --save q16.tdd --spill-to DIR`, and configure \
     that file";

/// Sets the limit: the limit of the command line, or the share that another process has chosen for this one,
/// or a share of the free memory.
pub(crate) fn set(given: Option<usize>, share: Option<usize>) -> MemoryLimit {
    // Called in any case: under `ulimit -v`, threads that start later share one heap.
    let free = topdd::available_memory();
    let bytes = given.or(share).unwrap_or(free);
    let is_chosen = given.is_none() && bytes < usize::MAX;
    *LIMIT.get_or_init(|| MemoryLimit { bytes, is_chosen })
}

/// Sets the remedies of this command, once. Before, it reads the file of its problem, and options of the run do not help.
pub(crate) fn set_remedies(remedies: Remedies) {
    let _ = REMEDIES.set(remedies);
}

/// The remedies of this command.
pub(crate) fn remedies() -> Remedies {
    REMEDIES.get().copied().unwrap_or(Remedies::File)
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
            format!("this takes more than --memory-limit allows, {}", Bytes(bytes))
        }
    }

    /// The limit of a pilot, which must fit into the memory of the process as well.
    pub(crate) fn pilot(self) -> PilotLimit {
        let pilot = PilotLimit::default();
        let states = self.with_slack() / PILOT_STATE_BYTES;
        PilotLimit { states: pilot.states.min(states), ..pilot }
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
        assert_eq!(
            given.exceeded(given.bytes),
            "this takes more than --memory-limit allows, 1 MiB"
        );
        let chosen = MemoryLimit { is_chosen: true, ..given };
        assert_eq!(
            chosen.exceeded(chosen.bytes),
            "this takes more than 1 MiB, the limit that topdd chose from the free memory (at most 70 \
             percent of it)"
        );
        assert_eq!(chosen.with_slack(), (1 << 20) + (1 << 18) + (16 << 20));
    }

    #[test]
    fn a_pilot_fits_into_the_limit_and_its_slack() {
        let pilot = PilotLimit::default();
        for is_chosen in [false, true] {
            let states = |bytes| MemoryLimit { bytes, is_chosen }.pilot().states;
            for bytes in [0, 1 << 20, 1 << 30] {
                let most = MemoryLimit { bytes, is_chosen }.with_slack();
                assert!(states(bytes) > 0 && states(bytes) * PILOT_STATE_BYTES <= most, "{bytes}");
            }
            assert_eq!(states(1 << 40), pilot.states);
            assert_eq!(states(usize::MAX), pilot.states);
        }
    }

    #[test]
    fn advice_names_only_what_helps() {
        let run = |spill, count_only, fewer_conditions| {
            Remedies::Run { spill, count_only, fewer_conditions }.hint()
        };
        assert_eq!(run(false, false, false), "allow more with --memory-limit");
        assert_eq!(
            run(true, false, false),
            "allow more with --memory-limit, or spill to disk, with --spill-to DIR"
        );
        assert_eq!(
            run(true, true, true),
            "allow more with --memory-limit, spill to disk, with --spill-to DIR, count without a diagram, with \
             --count-only, or set fewer conditions"
        );
        assert_eq!(Remedies::File.hint(), "allow more with --memory-limit");
    }
}
