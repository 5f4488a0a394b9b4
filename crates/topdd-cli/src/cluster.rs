//! Runs of several processes.

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::net::TcpListener;
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;

use tempfile::NamedTempFile;
use topdd::{BigUint, Frontier, Zdd};
use topdd_cluster::{Cluster, ClusterError, Config};

use crate::args::{Common, Engine};
use crate::failure::Failure;
use crate::outcome::{Answer, count};

/// The most processes on this machine.
const MOST_PROCESSES: usize = 64;

/// Refuses a task that several processes cannot share.
pub(crate) fn refuse(common: &Common, what: &str) -> Result<(), Failure> {
    match common.cluster.given() {
        Some(flag) => Err(Failure::Usage(format!("{what} cannot be used with {flag}"))),
        None => Ok(()),
    }
}

/// Checks that several processes can share the run, if they are to.
pub(crate) fn check(common: &Common) -> Result<(), Failure> {
    match common.engine {
        Engine::Frontier => Ok(()),
        Engine::Apply => refuse(common, "--engine apply"),
    }
}

/// Connects to the other processes of the command line, if there are any and they share the sweep.
pub(crate) fn join(
    common: &Common,
    shared: bool,
    threads: usize,
    key: &str,
) -> Result<Option<Cluster>, Failure> {
    let (Some(hosts), Some(process), true) =
        (&common.cluster.hosts, common.cluster.process, shared)
    else {
        return Ok(None);
    };
    let config = Config::from_hosts(hosts, process).map_err(failure)?;
    Cluster::connect(&config.threads(threads), key).map(Some).map_err(failure)
}

fn failure(error: ClusterError) -> Failure {
    match error {
        ClusterError::NoSuchProcess { .. } => Failure::usage(error),
        error => Failure::Failed(error.to_string()),
    }
}

/// Counts together with the other processes, or builds the diagram in the first one. The others then
/// have no count: they print nothing.
pub(crate) fn answer(
    mut cluster: Cluster,
    frontier: Frontier<'_>,
    diagram: bool,
    threads: usize,
) -> Answer {
    let mut shared = cluster.share(frontier);
    let done = if diagram {
        let count = |zdd: &Zdd| count(zdd, threads);
        shared.zdd().map(|zdd| (zdd.as_ref().map_or(BigUint::ZERO, count), zdd))
    } else {
        shared.count().map(|count| (count, None))
    };
    (done, shared.report().clone(), shared.take_checkpoint())
}

/// Starts processes on this machine that perform this command, and waits for them.
pub(crate) fn start(processes: usize, common: &Common) -> Result<(), Failure> {
    if processes == 0 || processes > MOST_PROCESSES {
        return Err(Failure::Usage(format!("--processes must be 1 to {MOST_PROCESSES}")));
    }
    let cannot = |what: &str, error| Failure::Failed(format!("cannot {what}: {error}"));
    let hosts = hosts(processes).map_err(|error| cannot("choose ports", error))?;
    let program = env::current_exe().map_err(|error| cannot("find this program", error))?;
    let arguments = without_processes(env::args_os().skip(1));
    let mut children = Vec::with_capacity(processes);
    for process in 0..processes {
        let mut command = Command::new(&program);
        command.args(&arguments).arg("--hosts").arg(hosts.path());
        command.args(["--process", &process.to_string()]).stdin(Stdio::null());
        if common.threads.is_none() {
            let cores = available_parallelism().map_or(1, NonZero::get);
            command.args(["--threads", &(cores / processes).max(1).to_string()]);
        }
        let started = command.spawn();
        match started {
            Ok(child) => children.push(child),
            Err(error) => {
                end(&mut children);
                return Err(cannot("start a process", error));
            }
        }
    }
    let mut codes = Vec::with_capacity(processes);
    for child in &mut children {
        let status = child.wait().map_err(|error| cannot("wait for a process", error))?;
        codes.push(status.code().unwrap_or(1));
    }
    // Each process has written why it failed.
    match codes.into_iter().find(|&code| code != 0) {
        Some(code) => std::process::exit(code),
        None => Ok(()),
    }
}

/// Ends processes that cannot work without the missing ones.
fn end(children: &mut [Child]) {
    for child in children {
        // It may have ended already.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// A host file with free ports of this machine.
fn hosts(processes: usize) -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new()?;
    // All are bound before the first is released, so that they differ.
    let bound = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0"));
    let bound = bound.collect::<Result<Vec<_>, _>>()?;
    for listener in &bound {
        writeln!(file, "{}", listener.local_addr()?)?;
    }
    Ok(file)
}

/// The arguments without `--processes` and its value.
fn without_processes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        if argument == "--processes" {
            arguments.next();
        } else if !argument.to_string_lossy().starts_with("--processes=") {
            kept.push(argument);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processes_is_not_passed_on() {
        for line in ["queens 8 --processes 4 --quiet", "queens 8 --processes=4 --quiet"] {
            let kept = without_processes(line.split(' ').map(OsString::from));
            assert_eq!(kept, ["queens", "8", "--quiet"]);
        }
    }

    #[test]
    fn host_files_name_different_addresses() {
        let file = hosts(3).unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let mut lines: Vec<_> = text.lines().collect();
        lines.dedup();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.starts_with("127.0.0.1:")));
    }
}
