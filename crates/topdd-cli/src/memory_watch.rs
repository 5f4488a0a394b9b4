//! The watch that ends a process whose memory grows beyond its limit.

use std::time::Duration;
use std::{fs, thread};

use crate::failure::Failure;
use crate::interrupt;
use crate::memory::{MemoryLimit, remedies};

/// The growth of memory in a second for which a process is watched closely enough, in bytes.
const GROWTH: u64 = 8 << 30;
/// The shortest and the longest time between two looks at the memory of the process.
const WAIT: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(200)];

/// Ends the process with the advice if it takes more memory than its limit and the slack. A sweep stops by
/// itself before; this is for readers, queries and writers of files, and for memory of a spec.
///
/// With `--memory-limit`, a problem is ended only where it would take the memory of the machine as well: its
/// limit is for the sweep.
pub(crate) fn watch(limit: MemoryLimit, is_run: bool) -> Result<(), Failure> {
    let (Some(before), true) = (taken(), limit.bytes < usize::MAX) else { return Ok(()) };
    let allowed = if limit.is_chosen || !is_run {
        limit.with_slack()
    } else {
        let bytes = topdd::available_memory().max(limit.bytes);
        MemoryLimit { bytes, ..limit }.with_slack()
    };
    let allowed = allowed.saturating_add(before);
    interrupt::start_thread(move || {
        loop {
            let Some(left) = taken().map(|taken| allowed.saturating_sub(taken)) else { return };
            if left == 0 {
                end(limit);
            }
            let wait = Duration::from_millis(left / (GROWTH / 1000));
            thread::sleep(wait.clamp(WAIT[0], WAIT[1]));
        }
    })
}

fn end(limit: MemoryLimit) -> ! {
    let message = limit.exceeded(limit.bytes);
    interrupt::end_with(|reached| {
        let stopped =
            if reached.is_empty() { String::new() } else { format!("; stopped {reached}") };
        let hint = remedies().hint();
        Failure::Failed(format!("{message}{stopped}\nhint: {hint}"))
    })
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
}
