//! The ways in which a run fails, with their messages and exit codes.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use topdd::{BuildError, Limit, ProcessFault, QueryError, RunProperty};
use topdd_problem::{Bytes, limits};

use crate::args::Common;
use crate::memory::{self, Remedies};

/// The reason why the command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A usage error: the command line is wrong, or asks for a problem that does not exist.
    Usage(String),
    /// A limit was reached, a file is damaged, or the system refused something.
    Failed(String),
    /// The diagram was built, but the solution that was asked for does not exist.
    Missing(String),
    /// The run was stopped by Ctrl-C or SIGTERM; how far it came.
    Interrupted(String),
    /// Standard output was closed, as in `topdd ... | head`. This is no error.
    Closed,
}

impl Failure {
    /// Adds the hint to resume, if there is a checkpoint.
    pub(crate) fn with_resume_hint(self, checkpoint: Option<&Path>) -> Self {
        let add = |message: String| {
            let hint = resume_hint(checkpoint);
            if message.ends_with(hint) { message } else { message + hint }
        };
        match self {
            Failure::Failed(message) => Failure::Failed(add(message)),
            Failure::Interrupted(message) => Failure::Interrupted(add(message)),
            other => other,
        }
    }

    /// The exit code when a limit was reached, or the system refused something.
    pub(crate) const FAILED: u8 = 1;

    /// The exit code after Ctrl-C, as in a shell: 128 and the number of SIGINT. SIGTERM has the same.
    pub(crate) const INTERRUPTED: u8 = 130;

    /// A failure to write to standard output.
    pub(crate) fn of_stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(format!("cannot write to standard output: {error}")),
        }
    }

    /// The usage error of a lower bound above the upper one.
    pub(crate) fn empty_range(least: &str, most: &str) -> Self {
        Failure::Usage(format!("{least} is above {most}, so that there would be no solution"))
    }

    /// A usage error.
    pub(crate) fn usage(error: impl Display) -> Self {
        Failure::Usage(error.to_string())
    }

    /// The message, if this is an error.
    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Failure::Usage(message)
            | Failure::Failed(message)
            | Failure::Missing(message)
            | Failure::Interrupted(message) => Some(message),
            Failure::Closed => None,
        }
    }

    /// Writes the message to standard error, and returns the exit code. The caller ends the process:
    /// a second report, by another thread, waits for that.
    pub(crate) fn report(&self) -> ExitCode {
        static REPORTED: Mutex<()> = Mutex::new(());
        std::mem::forget(REPORTED.lock().unwrap_or_else(PoisonError::into_inner));
        let (code, before, after) = match self {
            Failure::Closed => (0, "", ""),
            Failure::Failed(_) => (Failure::FAILED, "error: ", ""),
            Failure::Usage(_) => (2, "error: ", "\n\nFor more information, try '--help'."),
            Failure::Missing(_) => (3, "error: ", ""),
            Failure::Interrupted(_) => (Failure::INTERRUPTED, "", ""),
        };
        if let Some(message) = self.message() {
            // The exit code still states the failure if this cannot be written.
            let text = format!("{before}{message}{after}\n");
            let _ = io::stderr().write_all(text.as_bytes());
        }
        ExitCode::from(code)
    }
}

/// A failure of the apply engine, in the words of the command line.
impl From<topdd_apply::Error> for Failure {
    fn from(error: topdd_apply::Error) -> Self {
        use topdd_apply::{Error, ManagerLimit};
        match error {
            Error::LimitReached(ManagerLimit::Bytes(bytes)) => Failure::Failed(format!(
                "{}\nhint: {}",
                memory::limit().exceeded(bytes),
                memory::remedies().hint(),
            )),
            Error::LimitReached(ManagerLimit::Time(limit)) => Failure::Failed(too_long(
                limit,
                "while a constraint was joined",
                ", or use --engine frontier",
            )),
            Error::TooManyVariables { .. } => Failure::usage(error),
            _ => Failure::Failed(error.to_string()),
        }
    }
}

/// The position of a sweep at a variable.
pub(crate) fn position(unit: &str, variable: usize, variables: usize) -> String {
    format!("at {unit} {} of {variables}", variable + 1)
}

/// A sweep in messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept<'a> {
    /// The user's name of a variable: a row, a square.
    pub(crate) unit: &'static str,
    /// The number of variables.
    pub(crate) variables: usize,
    /// The options of the run.
    pub(crate) common: &'a Common,
}

impl Swept<'_> {
    /// The position of the sweep.
    pub(crate) fn at(&self, variable: Option<usize>) -> String {
        let Swept { unit, variables, .. } = self;
        match variable {
            Some(variable) => position(unit, variable, *variables),
            None => format!("before the first {unit}"),
        }
    }

    /// The hint to resume from the checkpoint, if the run has left one.
    pub(crate) fn resume_hint(&self) -> &'static str {
        resume_hint(self.common.limits.checkpoint.as_deref())
    }

    /// The failure of a query on the sweep; `report` is a line for a sweep that was interrupted.
    pub(crate) fn query_failed(&self, error: &QueryError, report: &dyn Display) -> Failure {
        match error {
            QueryError::Build(BuildError::Cancelled { variable }) => {
                let (at, more) = (self.at(*variable), self.resume_hint());
                Failure::Interrupted(format!("interrupted {at}{report}{more}"))
            }
            QueryError::Build(error) => self.failed(error),
            error => Failure::Failed(error.to_string()),
        }
    }

    /// The failure of a run that reached a limit at this position. `remedies` help against the memory limit.
    pub(crate) fn limit_reached(&self, limit: Limit, at: &str, remedies: Remedies) -> Failure {
        Failure::Failed(match limit {
            Limit::Bytes(bytes) => format!(
                "{}; stopped {at}\nhint: {}{}",
                memory::limit().exceeded(bytes),
                remedies.hint(),
                self.resume_hint(),
            ),
            Limit::Time(left) => {
                let limit = self.common.limits.time_limit.unwrap_or(left);
                too_long(limit, at, self.resume_hint())
            }
            limit => format!("{limit} reached; stopped {at}"),
        })
    }

    /// The failure of the sweep, in the words of the command line: the messages of the library
    /// name its methods.
    pub(crate) fn failed(&self, error: &BuildError) -> Failure {
        Failure::Failed(match error {
            BuildError::LimitReached { limit, variable } => {
                return self.limit_reached(*limit, &self.at(*variable), memory::remedies());
            }
            &BuildError::LimitTooSmall { limit, least, variable } => {
                self.limit_too_small(limit, least, variable)
            }
            BuildError::Io(io) => {
                let path = io.path().unwrap_or(Path::new("the file"));
                let hint = self.io_hint(path, io.kind());
                format!("could not {} {}: {}{hint}", io.what(), path.display(), io.io_error())
            }
            BuildError::Damaged { path, message } => self.damaged(path, message),
            BuildError::OtherCheckpoint { path, what, found, expected } => {
                other_checkpoint(path, &differs(*what, found, expected))
            }
            BuildError::SpecChanged { path, .. } => spec_changed(path),
            BuildError::DirectoryInUse { path } => format!(
                "another run is using {} at this moment\nhint: wait for it, or name another \
                 directory with --checkpoint",
                path.display()
            ),
            BuildError::TooManyThreads { threads, limit } => {
                return Failure::Usage(format!(
                    "--threads {threads} is too many; use at most {limit}"
                ));
            }
            BuildError::TooLarge { what, unit, limit } => {
                let could_count = self.common.could_count_only();
                let hint = "\nhint: count without a diagram, with --count-only";
                let hint = if could_count { hint } else { "" };
                format!(
                    "{what} has more than {limit} {unit}, which is more than can be numbered{hint}"
                )
            }
            // The same command would find the same checkpoint.
            BuildError::Process { fault: ProcessFault::Checkpoint, .. } => error.to_string(),
            BuildError::Process { .. } => format!("{error}{}", self.resume_hint()),
            // The command avoids all other errors of the library.
            _ => format!("this is a mistake in topdd, please report it: {error}"),
        })
    }

    /// The message for a memory limit that is below the least possible one.
    fn limit_too_small(&self, limit: usize, least: usize, variable: Option<usize>) -> String {
        let limit = if memory::limit().is_chosen {
            format!("the limit of {} that topdd chose from the free memory", Bytes(limit))
        } else {
            format!("--memory-limit {}", Bytes(limit))
        };
        format!(
            "{limit} is too small, even with all spillable data on disk; stopped {}\nhint: use at least \
             --memory-limit {}; later levels may need more{}",
            self.at(variable),
            limits::bytes_argument(least),
            self.resume_hint(),
        )
    }

    /// The message for a damaged file of a checkpoint, or of spilled data.
    fn damaged(&self, path: &Path, message: &str) -> String {
        let hint = match &self.common.limits.checkpoint {
            // A process has a directory of its own.
            Some(dir) => format!(
                "remove topdd-manifest and the topdd-*.blocks from {}, and the run starts anew",
                if path.is_dir() { path } else { path.parent().unwrap_or(dir) }.display()
            ),
            None => "call it again; if the error stays, use another disk for --spill-to".into(),
        };
        format!("{} is damaged: {message}\nhint: {hint}", path.display())
    }

    /// A hint on an error of the system, on a line of its own.
    fn io_hint(&self, path: &Path, kind: io::ErrorKind) -> String {
        use io::ErrorKind as Kind;
        let (hint, resume) = match kind {
            Kind::NotFound | Kind::NotADirectory => {
                ("create the directory, or name one that is there", "")
            }
            // Nothing has been saved where nothing can be.
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => {
                ("name a directory that can be written to", "")
            }
            Kind::StorageFull | Kind::QuotaExceeded => {
                ("free some space, or name a directory with more of it", self.resume_hint())
            }
            _ => return String::new(),
        };
        let checkpoint = self.common.limits.checkpoint.as_ref();
        let is_checkpoint = checkpoint.is_some_and(|dir| path.starts_with(dir));
        let flag = if is_checkpoint { "--checkpoint" } else { "--spill-to" };
        format!("\nhint: {hint} with {flag}{resume}")
    }
}

/// The hint to resume, if there is a checkpoint in the directory.
pub(crate) fn resume_hint(checkpoint: Option<&Path>) -> &'static str {
    let has_manifest = |dir: &Path| dir.join("topdd-manifest").exists();
    // A run of several processes has a directory for each.
    let of_processes = |dir: &Path| {
        let entries = dir.read_dir().into_iter().flatten().flatten();
        entries.into_iter().any(|entry| has_manifest(&entry.path()))
    };
    if checkpoint.is_some_and(|dir| has_manifest(dir) || of_processes(dir)) {
        "\nhint: the same command resumes from the last level that was saved"
    } else {
        ""
    }
}

/// The message for a time limit that was reached.
pub(crate) fn too_long(limit: Duration, stopped: &str, hint: &str) -> String {
    format!(
        "this takes longer than --time-limit {}; stopped {stopped}\n\
         hint: allow more with --time-limit{hint}",
        limits::duration_argument(limit),
    )
}

/// The message for the checkpoint of another run.
fn other_checkpoint(path: &Path, difference: &str) -> String {
    format!(
        "{} holds the checkpoint of another run: {difference}\nhint: run that command again to finish it, \
         name another directory with --checkpoint, or remove topdd-manifest and the topdd-*.blocks from this \
         one to give that run up",
        path.display(),
    )
}

/// The message for a checkpoint of the same command that has other states.
fn spec_changed(path: &Path) -> String {
    format!(
        "{} holds the checkpoint of another version of this problem: a file that the command reads, or topdd \
         itself, has changed since\nhint: finish that run with the files and the program that began it, name \
         another directory with --checkpoint, or remove topdd-manifest and the topdd-*.blocks from this one to \
         start anew",
        path.display(),
    )
}

/// The start of the payload of [`topdd_graph::families::BoundedPaths`].
const SHORT_PATHS: &str = "counts of paths";

/// The difference between the run of a checkpoint and this run. `what` is a word of the library,
/// which has specs and no boards.
fn differs(what: RunProperty, found: &str, expected: &str) -> String {
    let task = |payload: &str| match payload {
        "counts" => "counts".to_owned(),
        "edges" => "builds a diagram".to_owned(),
        _ if payload.contains("totals") => "counts by size".to_owned(),
        _ => format!("computes {payload}"),
    };
    let is_short = |payload: &str| payload.starts_with(SHORT_PATHS);
    let facts = (what == RunProperty::Key).then(|| facts_that_differ(found, expected)).flatten();
    match what {
        RunProperty::NumVars => format!("the other run has {found} variables, this run {expected}"),
        // Two counts of short paths differ in their version alone.
        RunProperty::Payload if is_short(found) && !is_short(expected) => {
            "the other run counts short paths without a sweep over the edges; options such as --report, --profile, \
             --order or --spill-to, and other conditions, lead to a sweep"
                .to_owned()
        }
        RunProperty::Payload if is_short(expected) && !is_short(found) => {
            "the other run sweeps over the edges; this run counts short paths without a sweep"
                .to_owned()
        }
        RunProperty::Payload => {
            format!("the other run {}, this run {}", task(found), task(expected))
        }
        _ => facts.unwrap_or_else(|| {
            format!("its {what} is {found}, and the {what} of this run is {expected}")
        }),
    }
}

/// The fact that is a hash of the others, and of those that are too long for a message.
pub(crate) const DIGEST: &str = "digest";

/// The facts of the problem that differ between two keys. A difference of the digests says nothing that another
/// fact does not say better.
fn facts_that_differ(found: &str, expected: &str) -> Option<String> {
    let read = |name: &str| serde_json::from_str::<Map<String, Value>>(name).ok();
    let (found, expected) = (read(found)?, read(expected)?);
    let differ = |(what, value): (&String, &Value)| {
        let here = expected.get(what).unwrap_or(&Value::Null);
        (value != here).then(|| format!("{what} is {value} there and {here} here"))
    };
    let missing = expected.keys().filter(|what| !found.contains_key(*what));
    let missing = missing.map(|what| (what, &Value::Null));
    let all = found.iter().chain(missing).filter(|(what, _)| *what != DIGEST);
    let differ: Vec<String> = all.filter_map(differ).collect();
    if differ.is_empty() && found.get(DIGEST) != expected.get(DIGEST) {
        return Some("the graph in the file, its order, or an option differs".to_owned());
    }
    (!differ.is_empty()).then(|| differ.join(", "))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command, Engine};
    use std::fs;

    /// The options of `topdd queens 12` with more flags.
    fn options(flags: &str) -> Common {
        let words = "topdd queens 12".split(' ').chain(flags.split_whitespace());
        let Command::Queens(asked) = Args::parse_from(words).command else {
            panic!("queens are asked for");
        };
        asked.common
    }

    /// The message when `topdd queens 12`, with more flags, fails with this error.
    fn message(error: &BuildError, flags: &str) -> String {
        let swept = Swept { unit: "row", variables: 12, common: &options(flags) };
        match swept.failed(error) {
            Failure::Failed(message) | Failure::Usage(message) => message,
            _ => panic!("{error} is a failure"),
        }
    }

    fn io_error(path: &str, kind: io::ErrorKind) -> BuildError {
        BuildError::Io(topdd::IoError::new("make a file in", Some(path.into()), kind.into()))
    }

    fn other(what: RunProperty, found: &str, expected: &str) -> BuildError {
        let [found, expected] = [found, expected].map(str::to_owned);
        BuildError::OtherCheckpoint { path: "saved".into(), what, found, expected }
    }

    #[test]
    fn messages_name_flags_and_where_the_sweep_was() {
        let memory = BuildError::LimitReached { limit: Limit::Bytes(100 << 20), variable: Some(4) };
        assert_eq!(
            message(&memory, ""),
            "this takes more than --memory-limit allows, 100 MiB; stopped at row 5 of 12\n\
             hint: allow more with --memory-limit"
        );
        let hint = |flags| options(flags).remedies(Engine::Frontier, false).hint();
        assert_eq!(
            hint(""),
            "allow more with --memory-limit, spill to disk, with --spill-to DIR, or count without a diagram, with \
             --count-only"
        );
        assert_eq!(
            hint("--count-only"),
            "allow more with --memory-limit, or spill to disk, with --spill-to DIR"
        );
        let time = Limit::Time(Duration::from_millis(1500));
        let time = BuildError::LimitReached { limit: time, variable: None };
        assert_eq!(
            message(&time, "--count-only"),
            "this takes longer than --time-limit 1s500ms; stopped before the first row\n\
             hint: allow more with --time-limit"
        );
        let threads = BuildError::TooManyThreads { threads: 5000, limit: 1024 };
        assert_eq!(message(&threads, ""), "--threads 5000 is too many; use at most 1024");
        let large = BuildError::TooLarge { what: "the diagram", unit: "nodes", limit: 7 };
        assert_eq!(
            message(&large, ""),
            "the diagram has more than 7 nodes, which is more than can be numbered\n\
             hint: count without a diagram, with --count-only"
        );
    }

    #[test]
    fn a_limit_that_is_too_small_is_refused_with_a_sufficient_one() {
        let small =
            BuildError::LimitTooSmall { limit: 1 << 20, least: 123 << 20, variable: Some(4) };
        assert_eq!(
            message(&small, "--memory-limit 1MiB --spill-to there"),
            "--memory-limit 1 MiB is too small, even with all spillable data on disk; \
             stopped at row 5 of 12\n\
             hint: use at least --memory-limit 123MiB; later levels may need more"
        );
        let small = BuildError::LimitTooSmall { limit: 1, least: 3 << 16, variable: None };
        let small = message(&small, "--memory-limit 1 --spill-to there");
        assert!(small.starts_with("--memory-limit 1 B is too small"), "{small}");
        assert!(small.contains("use at least --memory-limit 192KiB"), "{small}");
    }

    #[test]
    fn directories_are_named_with_their_flags() {
        use io::ErrorKind::{Interrupted, NotFound, PermissionDenied, StorageFull};
        let both = "--memory-limit 1G --spill-to there --checkpoint saved";
        for (path, flag) in [("there", "--spill-to"), ("saved/topdd-lock", "--checkpoint")] {
            assert_eq!(
                message(&io_error(path, NotFound), both),
                format!(
                    "could not make a file in {path}: entity not found\n\
                     hint: create the directory, or name one that is there with {flag}"
                )
            );
            for (kind, word) in [(PermissionDenied, "written to"), (StorageFull, "free some")] {
                let message = message(&io_error(path, kind), both);
                assert!(message.contains(word) && message.contains(flag), "{message}");
            }
        }
        // Without a checkpoint there is no hint to resume.
        assert!(
            !message(&io_error("saved/x", StorageFull), both).contains("the same command resumes")
        );
        // Other errors have no hint.
        let interrupted = message(&io_error("there", Interrupted), both);
        assert_eq!(interrupted, "could not make a file in there: operation interrupted");
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("topdd-manifest"), "").unwrap();
        let saved = format!("--checkpoint {}", dir.path().display());
        let message = message(&io_error("there", StorageFull), &saved);
        assert!(message.contains("\nhint: the same command resumes"), "{message}");
    }

    #[test]
    fn refused_checkpoints_name_the_difference() {
        let saved = "--checkpoint saved";
        assert_eq!(
            message(&other(RunProperty::NumVars, "13", "12"), saved),
            "saved holds the checkpoint of another run: the other run has 13 variables, this run 12\n\
             hint: run that command again to finish it, name another directory with \
             --checkpoint, or remove topdd-manifest and the topdd-*.blocks from this one to give \
             that run up"
        );
        let task = message(&other(RunProperty::Payload, "counts", "edges"), saved);
        assert!(task.contains("the other run counts, this run builds a diagram"), "{task}");
        let [found, expected] =
            ["sums of products with weights 0a", "counts of totals of weights 0b"];
        let task = message(&other(RunProperty::Payload, found, expected), saved);
        let words =
            "the other run computes sums of products with weights 0a, this run counts by size";
        assert!(task.contains(words), "{task}");
        let key = other(
            RunProperty::Key,
            r#"{"rows":12,"forbidden":["h7"]}"#,
            r#"{"rows":12,"forbidden":[]}"#,
        );
        assert!(message(&key, saved).contains("run: forbidden is [\"h7\"] there and [] here\n"));
        let file = other(
            RunProperty::Key,
            r#"{"digest":"0a","edges":7,"file":"a.txt"}"#,
            r#"{"digest":"0b","edges":8,"file":"a.txt"}"#,
        );
        assert!(message(&file, saved).contains("run: edges is 7 there and 8 here\n"));
        let file =
            other(RunProperty::Key, r#"{"digest":"0a","edges":7}"#, r#"{"digest":"0b","edges":7}"#);
        let file = message(&file, saved);
        assert!(file.contains("run: the graph in the file, its order, or an"), "{file}");
        let version = other(RunProperty::Key, r#"{"topdd":"0.0.9"}"#, r#"{"topdd":"0.1.0"}"#);
        let version = message(&version, saved);
        assert!(version.contains(r#"topdd is "0.0.9" there and "0.1.0" here"#), "{version}");
        let root = message(&other(RunProperty::Root, "0a", "0b"), saved);
        assert!(
            root.contains("its encoded root is 0a, and the encoded root of this run is 0b"),
            "{root}"
        );

        let damaged = BuildError::Damaged {
            path: "saved/topdd-manifest".into(),
            message: "it breaks off".into(),
        };
        assert_eq!(
            message(&damaged, saved),
            "saved/topdd-manifest is damaged: it breaks off\n\
             hint: remove topdd-manifest and the topdd-*.blocks from saved, and the run starts \
             anew"
        );
        let changed = BuildError::SpecChanged { path: "saved".into(), key: "{}".into() };
        assert_eq!(
            message(&changed, saved),
            "saved holds the checkpoint of another version of this problem: a file that the command reads, or \
             topdd itself, has changed since\n\
             hint: finish that run with the files and the program that began it, name another directory with \
             --checkpoint, or remove topdd-manifest and the topdd-*.blocks from this one to start anew"
        );
        let in_use = BuildError::DirectoryInUse { path: "saved".into() };
        assert_eq!(
            message(&in_use, saved),
            "another run is using saved at this moment\n\
             hint: wait for it, or name another directory with --checkpoint"
        );
    }

    #[test]
    fn messages_name_only_flags_that_help() {
        let bytes = |variable| BuildError::LimitReached { limit: Limit::Bytes(1 << 20), variable };
        let time = Limit::Time(Duration::from_secs(2));
        let errors = [
            bytes(Some(3)),
            bytes(None),
            BuildError::LimitReached { limit: time, variable: Some(1) },
            BuildError::LimitTooSmall { limit: 1 << 20, least: 3 << 20, variable: None },
            BuildError::TooLarge { what: "the diagram", unit: "nodes", limit: 7 },
            BuildError::TooManyThreads { threads: 5000, limit: 1024 },
            io_error("there", io::ErrorKind::StorageFull),
            BuildError::Damaged { path: "there".into(), message: "it breaks off".into() },
            BuildError::DirectoryInUse { path: "saved".into() },
            BuildError::SpecChanged { path: "saved".into(), key: "{}".into() },
            other(RunProperty::Payload, "counts", "edges"),
        ];
        for error in errors {
            for diagram in ["", "--count-only"] {
                for spill in ["", "--memory-limit 1MiB --spill-to there"] {
                    for saved in ["", "--checkpoint saved"] {
                        let message = message(&error, &format!("{diagram} {spill} {saved}"));
                        assert!(!message.contains("Frontier") && !message.contains('_'));
                        assert!(!message.contains("mistake in topdd"), "{message}");
                        // No hint names an option that is given.
                        assert!(diagram.is_empty() || !message.contains("--count-only"));
                        assert!(spill.is_empty() || !message.contains("--spill-to DIR"));
                        let resumes = message.contains("resumes from the last level");
                        assert!(!resumes || !saved.is_empty(), "{message}");
                    }
                }
            }
        }
    }
}
