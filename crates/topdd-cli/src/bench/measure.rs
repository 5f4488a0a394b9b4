//! One measurement, in a process that does nothing else.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};
use topdd::{Report, Zdd};

use super::cases;
use crate::args::{Answer, Common, Limits};
use crate::failure::Failure;
use crate::interrupt;
use crate::memory;
use crate::memory_watch;
use crate::sweep::Sweep;

/// A measurement to be made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    /// The name of the case.
    pub(super) case: String,
    pub(super) diagram: bool,
    pub(super) threads: usize,
    pub(super) memory: Option<usize>,
}

/// The environment variable of the request. Reading a command line would take a tenth of the
/// memory of some cases, which is measured.
const ASKED: &str = "TOPDD_MEASURE";
/// The environment variable of the directory to spill to, whose name need not be UTF-8.
const SPILL: &str = "TOPDD_MEASURE_SPILL";

impl Asked {
    /// Puts the request into the environment of a command.
    pub(super) fn ask(&self, command: &mut Command, spill: Option<&Path>) {
        command.env(ASKED, serde_json::to_string(self).expect("numbers and a name"));
        match spill {
            Some(dir) => command.env(SPILL, dir),
            None => command.env_remove(SPILL),
        };
    }
}

/// The measurement of one case.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) count: String,
    pub(super) states: u64,
    /// The nodes of the diagram, if one was built.
    pub(super) nodes: Option<usize>,
    /// The memory of these nodes, in bytes.
    pub(super) node_bytes: Option<usize>,
    /// The time from the start of the sweep to the count; the reduction of a diagram is included.
    pub(super) seconds: f64,
    /// The peak memory of the process, where the system reports it.
    pub(super) peak_rss: Option<u64>,
}

/// Measures, if `topdd bench` started this process, and prints the measurement for it.
pub(crate) fn asked_to_measure() -> Option<Result<(), Failure>> {
    // With arguments, this is an ordinary call, and the variable of the environment is ignored.
    let asked = env::var_os(ASKED).filter(|_| env::args_os().len() == 1)?;
    let asked = asked.to_str().and_then(|asked| serde_json::from_str(asked).ok());
    let unknown =
        || Failure::Failed(format!("{ASKED} is set, which is for `topdd bench`: unset it"));
    let watched = interrupt::watch();
    Some(watched.and_then(|()| measure(&asked.ok_or_else(unknown)?)))
}

fn measure(asked: &Asked) -> Result<(), Failure> {
    let case = cases::named(&asked.case)?;
    let common = Common {
        answer: Answer { count_only: !asked.diagram, ..Answer::default() },
        limits: Limits {
            threads: Some(asked.threads),
            memory_limit: asked.memory,
            spill_to: env::var_os(SPILL).map(Into::into),
            ..Limits::default()
        },
        ..Common::default()
    };
    memory_watch::watch(memory::set(common.limits.memory_limit, None, common.remedies(false)))?;
    let sweep = Sweep::asked(&common, case.unit());
    let outcome = sweep.run(case.frontier()?, case.num_vars()?, None)?;
    let measured = Measured {
        count: outcome.count.to_string(),
        states: outcome.report.as_ref().map_or(0, Report::states),
        nodes: outcome.zdd.as_ref().map(Zdd::node_count),
        node_bytes: outcome.zdd.as_ref().map(Zdd::bytes),
        seconds: outcome.time.as_secs_f64(),
        peak_rss: peak_rss(),
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &measured)
        .map_err(io::Error::from)
        .and_then(|()| writeln!(out))
        .map_err(|error| Failure::of_stdout(&error))
}

/// The most memory that this process ever had, in bytes.
fn peak_rss() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    peak_in(&status)
}

/// The peak memory in a `status` file of Linux's `/proc`, in bytes.
fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read() {
        assert_eq!(peak_in("Name:\ttopdd\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1234 << 10));
        assert_eq!(peak_in("Name:\ttopdd\n"), None);
        if cfg!(target_os = "linux") {
            assert!(peak_rss().is_some_and(|peak| peak > 0));
        }
    }
}
