//! One measurement, in a process that does nothing else.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use topdd::Zdd;

use crate::cases;

/// A measurement to be made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// The name of the case.
    pub(super) case: String,
    pub(super) diagram: bool,
    pub(super) threads: usize,
    pub(super) memory: Option<usize>,
}

/// The first argument of a process that measures. The request follows, and the directory to spill to, whose name need
/// not be UTF-8.
const MEASURE: &str = "--measure";

impl Request {
    /// Adds the request to the arguments of a command.
    pub(super) fn pass(&self, command: &mut Command, spill: Option<&Path>) {
        let request = serde_json::to_string(self).expect("numbers and a name");
        command.arg(MEASURE).arg(request).args(spill);
        // The threads of the count of a diagram.
        command.env("RAYON_NUM_THREADS", self.threads.to_string());
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

/// Measures, if `topdd-bench` started this process, and prints the measurement for it. The error is a message.
pub(super) fn requested() -> Option<Result<(), String>> {
    let mut words = env::args_os().skip(1);
    let request = (words.next()? == MEASURE).then(|| words.next())??;
    let spill = words.next();
    let request = request.to_str().and_then(|request| serde_json::from_str(request).ok());
    Some(match request {
        Some(request) => measure(&request, spill.as_deref().map(Path::new)),
        None => Err(format!("{MEASURE} is for topdd-bench itself: leave it out")),
    })
}

fn measure(request: &Request, spill: Option<&Path>) -> Result<(), String> {
    let case = cases::named(&request.case).ok_or("there is no such case")?;
    let limit = request.memory.unwrap_or_else(topdd::available_memory);
    let mut frontier = case.frontier()?.threads(request.threads).memory_limit(limit);
    if let Some(dir) = spill {
        frontier = frontier.spill_to(dir);
    }
    let start = Instant::now();
    let zdd = request.diagram.then(|| frontier.zdd()).transpose();
    let zdd = zdd.map_err(|error| error.to_string())?;
    let count = zdd.as_ref().map_or_else(|| frontier.count(), |zdd| Ok(zdd.count()));
    let measured = Measured {
        count: count.map_err(|error| error.to_string())?.to_string(),
        states: frontier.report().states(),
        nodes: zdd.as_ref().map(Zdd::node_count),
        node_bytes: zdd.as_ref().map(Zdd::bytes),
        seconds: start.elapsed().as_secs_f64(),
        peak_rss: peak_rss(),
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &measured)
        .map_err(io::Error::from)
        .and_then(|()| writeln!(out))
        .map_err(|error| format!("cannot write to standard output: {error}"))
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
