//! The memory limit of the command: that of `--memory`, or one that it chooses from the free memory.

use std::fs;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use crate::bytes::Bytes;
use crate::failure::Failure;
use crate::interrupt;

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
    fn hint(self) -> &'static str {
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

/// Sets the limit: that of the command line, or the share that another process has chosen for this one,
/// or one from the free memory.
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
    /// The message for a run that needs more than this limit, without a hint. The limit is a part of that of
    /// the process in some runs, so `bytes` are stated.
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

    /// The bytes that the process may take in all: the limit is for states, tables, edges and nodes, and
    /// leaves a quarter and 16 MB for the rest.
    fn with_slack(self) -> u64 {
        (self.bytes as u64).saturating_add(self.bytes as u64 / 4).saturating_add(16 << 20)
    }
}

/// The growth of memory in a second for which a process is watched closely enough, in bytes.
const GROWTH: u64 = 8 << 30;
/// The shortest and the longest time between two looks at the memory of the process.
const WAIT: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(200)];

/// Ends the process with the advice if it takes more memory than its limit and the slack. A sweep stops by
/// itself before; this is for readers, queries and writers of files, and for memory of a spec.
///
/// With `--memory`, a problem is ended only where it would take the memory of the machine as well: its
/// limit is for the sweep.
pub(crate) fn watch(limit: MemoryLimit, remedies: Remedies) {
    let Some(before) = taken() else { return };
    let allowed = if limit.is_chosen || remedies == Remedies::File {
        limit.with_slack()
    } else {
        let bytes = topdd::available_memory().max(limit.bytes);
        MemoryLimit { bytes, ..limit }.with_slack()
    };
    let allowed = allowed.saturating_add(before);
    if limit.bytes == usize::MAX {
        return;
    }
    thread::spawn(move || {
        loop {
            let Some(left) = taken().map(|taken| allowed.saturating_sub(taken)) else { return };
            if left == 0 {
                let message = limit.exceeded(limit.bytes);
                interrupt::end_with(|reached| {
                    let stopped = if reached.is_empty() {
                        String::new()
                    } else {
                        format!("; stopped {reached}")
                    };
                    Failure::Failed(format!("{message}{stopped}\nhint: {}", remedies.hint()))
                });
            }
            let wait = Duration::from_millis(left / (GROWTH / 1000));
            thread::sleep(wait.clamp(WAIT[0], WAIT[1]));
        }
    });
}

/// The memory of the process that the kernel cannot take back, in bytes, where the system reports it.
fn taken() -> Option<u64> {
    taken_in(&fs::read_to_string("/proc/self/status").ok()?)
}

/// The anonymous memory in a `status` file of Linux's `/proc`, in bytes.
fn taken_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_process_is_read() {
        let status = "Name:\ttopdd\nVmRSS:\t 99 kB\nRssAnon:\t    1234 kB\nRssFile:\t 1 kB\n";
        assert_eq!(taken_in(status), Some(1234 << 10));
        assert_eq!(taken_in("Name:\ttopdd\n"), None);
        if cfg!(target_os = "linux") {
            assert!(taken().is_some_and(|taken| taken > 0));
        }
    }

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
