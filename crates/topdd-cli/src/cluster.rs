//! Runs of several processes.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::TcpListener;
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::thread::{self, available_parallelism, sleep};
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;
use topdd::{BuildError, Frontier, QueryError};
use topdd_cluster::{Cluster, ClusterError, Config};

use crate::args::Common;
use crate::failure::Failure;
use crate::outcome::{Answer, Others, Outcome};
use crate::{interrupt, memory};

/// The most processes on this machine.
const MAX_PROCESSES: usize = 64;
/// The time for processes to end after a signal or the failure of one, and the wait between two looks at them.
const GRACE: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(5);

/// Refuses a task that several processes cannot share.
pub(crate) fn refuse(common: &Common, what: &str) -> Result<(), Failure> {
    match common.cluster.given() {
        Some(flag) => Err(Failure::Usage(format!("{what} cannot be used with {flag}"))),
        None => Ok(()),
    }
}

/// Checks that several processes can share the run, if they are to.
pub(crate) fn check(common: &Common, is_unique: bool, is_apply: bool) -> Result<(), Failure> {
    match (is_apply, is_unique) {
        (true, _) => refuse(common, "--engine apply"),
        (false, true) => refuse(common, "--unique"),
        (false, false) => Ok(()),
    }
}

/// The other processes of a run.
pub(crate) struct Processes(Cluster);

/// Connects to the other processes of the command line, if there are any.
pub(crate) fn join(common: &Common, key: &str) -> Result<Option<Processes>, Failure> {
    let (Some(hosts), Some(process)) = (&common.cluster.hosts, common.cluster.process) else {
        return Ok(None);
    };
    if common.cluster.until_input_ends {
        thread::spawn(|| {
            // An error is an end, too.
            let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
            interrupt::stop();
        });
    }
    let config = Config::from_hosts(hosts, process).map_err(failure)?;
    Cluster::connect(&config, key).map(|cluster| Some(Processes(cluster))).map_err(failure)
}

fn failure(error: ClusterError) -> Failure {
    match error {
        ClusterError::NoSuchProcess { .. } => Failure::usage(error),
        error => Failure::Failed(error.to_string()),
    }
}

impl Processes {
    /// Leaves the others when this process is done, or has failed.
    pub(crate) fn leave(mut self, done: Result<(), Failure>) -> Result<(), Failure> {
        if let Err(failure) = &done
            && let Some(message) = failure.message()
        {
            // The hints are for the user of this process.
            self.0.fail(message.lines().next().unwrap_or_default());
        }
        done
    }
}

impl Others for Processes {
    /// Counts, or builds the diagram in the first process.
    fn answer(&mut self, frontier: Frontier<'_>, diagram: bool, threads: usize) -> Answer {
        let mut shared = self.0.share(frontier);
        let done = if diagram {
            let outcome = |zdd| Outcome::of_diagram(zdd, threads);
            shared.zdd().map(|zdd| zdd.map_or_else(Outcome::default, outcome))
        } else {
            shared.count().map(|count| Outcome { count, ..Outcome::default() })
        };
        (done.map_err(QueryError::from), shared.report().clone(), shared.take_checkpoint())
    }

    fn wait(&mut self) -> Result<(), BuildError> {
        self.0.wait()
    }
}

/// Starts processes on this machine that perform this command, and waits for them.
pub(crate) fn start(processes: usize, common: &Common) -> Result<(), Failure> {
    if processes == 0 || processes > MAX_PROCESSES {
        return Err(Failure::Usage(format!("--processes must be 1 to {MAX_PROCESSES}")));
    }
    let cannot = |what: &str, error| Failure::Failed(format!("cannot {what}: {error}"));
    let hosts = hosts(processes).map_err(|error| cannot("choose ports", error))?;
    let program = env::current_exe().map_err(|error| cannot("find this program", error))?;
    let arguments = without_processes(env::args_os().skip(1));
    let mut children = Vec::with_capacity(processes);
    interrupt::wait_for_main();
    for process in 0..processes {
        let mut command = Command::new(&program);
        command.args(&arguments).arg("--hosts").arg(hosts.path());
        command.args(["--process", &process.to_string(), "--until-input-ends"]);
        // The other end of the pipe closes when this process ends, however it does.
        command.stdin(Stdio::piped());
        if common.limits.threads.is_none() {
            let cores = available_parallelism().map_or(1, NonZero::get);
            command.args(["--threads", &(cores / processes).max(1).to_string()]);
        }
        let limit = memory::limit();
        if limit.is_chosen {
            command.args(["--memory-share", &(limit.bytes / processes).to_string()]);
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
    let failed = first_failure(&mut children);
    let failed = failed.map_err(|error| cannot("wait for a process", error))?;
    // Its file would outlive an exit.
    drop(hosts);
    match failed {
        Some(_) if interrupt::token().is_cancelled() => {
            std::process::exit(Failure::INTERRUPTED.into())
        }
        // It has written why it failed.
        Some((_, Some(code))) => std::process::exit(code),
        Some((process, None)) => Err(Failure::Failed(format!("process {process} was killed"))),
        None => Ok(()),
    }
}

/// Waits for all processes, and returns the one that failed first with its exit code. The others
/// have a short time to end by themselves, and to write why, as all have after a signal.
fn first_failure(children: &mut [Child]) -> io::Result<Option<(usize, Option<i32>)>> {
    let mut failed = None;
    let mut deadline = None;
    loop {
        let mut running = false;
        let stopped = interrupt::token().is_cancelled();
        for (process, child) in children.iter_mut().enumerate() {
            if stopped {
                // It stops when its standard input ends.
                drop(child.stdin.take());
            }
            match child.try_wait()? {
                Some(status) if !status.success() => {
                    failed.get_or_insert((process, status.code()));
                }
                Some(_) => {}
                None => running = true,
            }
        }
        if stopped || failed.is_some() {
            deadline.get_or_insert_with(|| Instant::now() + GRACE);
        }
        if running && deadline.is_some_and(|deadline| Instant::now() > deadline) {
            end(children);
            failed.get_or_insert((0, None));
        } else if running {
            sleep(POLL);
            continue;
        }
        return Ok(failed);
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
fn hosts(processes: usize) -> io::Result<NamedTempFile> {
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
    fn a_process_that_fails_ends_those_that_wait_for_it() {
        let start = |script| Command::new("sh").args(["-c", script]).spawn().unwrap();
        let begun = Instant::now();
        let mut children = ["exec sleep 60", "exit 3", "exit 0"].map(start);
        assert_eq!(first_failure(&mut children).unwrap(), Some((1, Some(3))));
        assert!(begun.elapsed() < 2 * GRACE, "{:?}", begun.elapsed());
        assert!(children[0].try_wait().unwrap().is_some());
        let mut children = ["exit 0", "exit 0"].map(start);
        assert_eq!(first_failure(&mut children).unwrap(), None);
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
