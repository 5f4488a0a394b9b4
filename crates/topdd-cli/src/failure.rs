//! How a run can end other than well, and what the shell is told.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use topdd::{BuildError as Error, Limit};

use crate::args::Common;
use crate::bytes::{self, Bytes};

/// Why the command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for what makes no sense or cannot be done.
    Usage(String),
    /// What was asked could have been done, but was not.
    Failed(String),
    /// It was stopped by Ctrl-C; what was reached.
    Interrupted(String),
    /// Nobody reads standard output any more, as in `topdd ... | head`. That is how one
    /// says "enough", and nothing went wrong.
    Enough,
}

impl Failure {
    /// The same with a hint to call the command again, if there is a checkpoint.
    pub(crate) fn or_again(self, checkpoint: Option<&Path>) -> Self {
        let add = |message: String| {
            let hint = goes_on(checkpoint);
            if message.ends_with(hint) { message } else { message + hint }
        };
        match self {
            Failure::Failed(message) => Failure::Failed(add(message)),
            Failure::Interrupted(message) => Failure::Interrupted(add(message)),
            other => other,
        }
    }

    /// The exit code after Ctrl-C, as shells know it.
    pub(crate) const INTERRUPTED: u8 = 130;

    /// A failure to write to standard output.
    pub(crate) fn of_stdout(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Enough,
            _ => Failure::Failed(format!("cannot write to standard output: {error}")),
        }
    }

    /// What was asked makes no sense.
    pub(crate) fn usage(error: impl Display) -> Self {
        Failure::Usage(error.to_string())
    }

    /// Writes what happened to standard error, and returns the exit code. The process is to end
    /// then: a second report, by another thread, waits for that.
    pub(crate) fn report(&self) -> ExitCode {
        static REPORTED: Mutex<()> = Mutex::new(());
        std::mem::forget(REPORTED.lock().unwrap_or_else(PoisonError::into_inner));
        match self {
            Failure::Enough => ExitCode::SUCCESS,
            Failure::Failed(message) => {
                tell(&format!("error: {message}\n"));
                ExitCode::from(1)
            }
            Failure::Interrupted(message) => {
                tell(&format!("{message}\n"));
                ExitCode::from(Failure::INTERRUPTED)
            }
            Failure::Usage(message) => {
                tell(&format!("error: {message}\n\nFor more information, try '--help'.\n"));
                ExitCode::from(2)
            }
        }
    }
}

/// Writes to standard error, if that can be done: there is nobody else to tell, and the
/// exit code still says what happened.
fn tell(message: &str) {
    let _ = io::stderr().write_all(message.as_bytes());
}

/// A sweep, as far as messages speak of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept<'a> {
    /// What a variable is to the user: a row, a square.
    pub(crate) unit: &'static str,
    /// The number of variables.
    pub(crate) variables: usize,
    /// What was asked for.
    pub(crate) common: &'a Common,
}

impl Swept<'_> {
    /// Where the sweep was.
    pub(crate) fn at(&self, variable: Option<usize>) -> String {
        let Swept { unit, variables, .. } = self;
        match variable {
            Some(variable) => format!("at {unit} {} of {variables}", variable + 1),
            None => format!("before the first {unit}"),
        }
    }

    /// The advice to count only, for those who do not yet; after `before`.
    fn without_diagram(&self, before: &str) -> String {
        if self.common.needs_diagram() {
            format!("{before}count without a diagram, with --count-only")
        } else {
            String::new()
        }
    }

    /// The flag that named the directory where `path` is.
    fn flag_of(&self, path: &Path) -> &'static str {
        match &self.common.checkpoint {
            Some(dir) if path.starts_with(dir) => "--checkpoint",
            _ => "--spill",
        }
    }

    /// What the user may do with a checkpoint that a run has left, if it made any.
    pub(crate) fn goes_on(&self) -> &'static str {
        goes_on(self.common.checkpoint.as_deref())
    }

    /// What became of the sweep, in the words of the command line: those of the library
    /// name its methods.
    pub(crate) fn failed(&self, error: &Error) -> Failure {
        Failure::Failed(match error {
            Error::LimitReached { limit: Limit::Bytes(bytes), variable } => format!(
                "this takes more than --memory allows, {}; stopped {}\nhint: allow more with \
                 --memory{}{}{}",
                Bytes(*bytes),
                self.at(*variable),
                match (&self.common.spill, self.common.needs_diagram()) {
                    (Some(_), _) => "",
                    (None, true) => ", go on on disk, with --spill DIR",
                    (None, false) => ", or go on on disk, with --spill DIR",
                },
                self.without_diagram(", or "),
                self.goes_on(),
            ),
            Error::LimitReached { limit: Limit::Time(time), variable } => {
                too_long(*time, &self.at(*variable), self.goes_on())
            }
            Error::LimitTooSmall { limit, least, variable } => format!(
                "--memory {} is too little to work with, even with everything on disk that can \
                 be; stopped {}\nhint: ask for --memory {} at least; what comes later may need \
                 more{}",
                Bytes(*limit),
                self.at(*variable),
                bytes::argument(*least),
                self.goes_on(),
            ),
            Error::Io(io) => {
                let path = io.path().unwrap_or(Path::new("the file"));
                format!(
                    "could not {} {}: {}{}",
                    io.what(),
                    path.display(),
                    io.io_error(),
                    self.io_hint(path, io.kind())
                )
            }
            Error::Damaged { path, message } => format!(
                "{} is damaged: {message}\nhint: {}",
                path.display(),
                match &self.common.checkpoint {
                    Some(dir) => format!(
                        "remove topdd-manifest and the topdd-*.blocks from {}, and the run starts anew",
                        dir.display()
                    ),
                    None => "call it again; if this goes on, try another disk for --spill".into(),
                }
            ),
            Error::OtherCheckpoint { path, what, found, expected } => format!(
                "{} holds the checkpoint of another run: {}\nhint: call that command again to \
                 finish it, name another directory with --checkpoint, or remove topdd-manifest \
                 and the topdd-*.blocks from this one to give that run up",
                path.display(),
                differs(what, found, expected)
            ),
            Error::DirectoryInUse { path } => format!(
                "another run is using {} at this moment\nhint: wait for it, or name another \
                 directory with --checkpoint",
                path.display()
            ),
            Error::TooManyThreads { threads, limit } => {
                return Failure::Usage(format!(
                    "--threads {threads} is too many; ask for at most {limit}"
                ));
            }
            Error::TooLarge { what, unit, limit } => format!(
                "{what} has more than {limit} {unit}, which is more than can be numbered{}",
                self.without_diagram("\nhint: "),
            ),
            // Whatever else the library refuses, the command should not have asked for.
            _ => format!("this is a mistake in topdd, please report it: {error}"),
        })
    }

    /// What to do about an error of the system, on a line of its own.
    fn io_hint(&self, path: &Path, kind: io::ErrorKind) -> String {
        let flag = self.flag_of(path);
        let hint = match kind {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                format!("create the directory, or name one that is there with {flag}")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                format!("name a directory that can be written to with {flag}")
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                format!("free some space, or name a directory with more of it with {flag}")
            }
            _ => return String::new(),
        };
        // Nothing has been saved where nothing can be.
        let full = matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        format!("\nhint: {hint}{}", if full { self.goes_on() } else { "" })
    }
}

/// The advice to call a command again, if there is a checkpoint in its directory.
pub(crate) fn goes_on(checkpoint: Option<&Path>) -> &'static str {
    if checkpoint.is_some_and(|dir| dir.join("topdd-manifest").exists()) {
        "\nhint: called again, it goes on from the last level that was saved"
    } else {
        ""
    }
}

/// The message for a time limit that was reached.
pub(crate) fn too_long(limit: Duration, stopped: &str, goes_on: &str) -> String {
    format!(
        "this takes longer than --time-limit allows, {} s; stopped {stopped}\n\
         hint: allow more with --time-limit{goes_on}",
        limit.as_secs_f64(),
    )
}

/// In what the run of a checkpoint differs from the one that was asked for. `what` is a
/// word of the library, which knows of specs and not of boards.
fn differs(what: &str, found: &str, expected: &str) -> String {
    let task = |payload| if payload == "counts" { "counts" } else { "builds a diagram" };
    let facts = if what == "key" { facts_that_differ(found, expected) } else { None };
    match what {
        "number of variables" => format!("that one has {found} variables, this one {expected}"),
        "payload" => format!("that one {}, this one {}", task(found), task(expected)),
        _ if facts.is_some() => facts.unwrap_or_default(),
        _ => format!("its {what} is {found}, that of this run is {expected}"),
    }
}

/// The facts of the problem that differ between two keys.
fn facts_that_differ(found: &str, expected: &str) -> Option<String> {
    let read = |name: &str| serde_json::from_str::<Map<String, Value>>(name).ok();
    let (found, expected) = (read(found)?, read(expected)?);
    let differ = |(what, value): (&String, &Value)| {
        let here = expected.get(what).unwrap_or(&Value::Null);
        (value != here).then(|| format!("{what} is {value} there and {here} here"))
    };
    let missing = expected.keys().filter(|what| !found.contains_key(*what));
    let missing = missing.map(|what| (what, &Value::Null));
    let differ: Vec<String> = found.iter().chain(missing).filter_map(differ).collect();
    (!differ.is_empty()).then(|| differ.join(", "))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Args, Command};
    use std::fs;

    /// What is said when `topdd queens 12` fails so, with more flags.
    fn message(error: &Error, flags: &str) -> String {
        let words = "topdd queens 12".split(' ').chain(flags.split_whitespace());
        let Command::Queens(asked) = Args::parse_from(words).command else {
            panic!("queens are asked for");
        };
        let swept = Swept { unit: "row", variables: 12, common: &asked.common };
        match swept.failed(error) {
            Failure::Failed(message) | Failure::Usage(message) => message,
            Failure::Interrupted(_) | Failure::Enough => panic!("{error} is a failure"),
        }
    }

    fn io_error(path: &str, kind: io::ErrorKind) -> Error {
        Error::Io(topdd::IoError::new("make a file in", Some(path.into()), kind.into()))
    }

    fn other(what: &str, found: &str, expected: &str) -> Error {
        let [what, found, expected] = [what, found, expected].map(str::to_owned);
        Error::OtherCheckpoint { path: "saved".into(), what, found, expected }
    }

    #[test]
    fn messages_name_flags_and_where_the_sweep_was() {
        let memory = Error::LimitReached { limit: Limit::Bytes(100 << 20), variable: Some(4) };
        assert_eq!(
            message(&memory, ""),
            "this takes more than --memory allows, 100 MiB; stopped at row 5 of 12\n\
             hint: allow more with --memory, go on on disk, with --spill DIR, or count without \
             a diagram, with --count-only"
        );
        assert!(
            message(&memory, "--count-only")
                .ends_with("hint: allow more with --memory, or go on on disk, with --spill DIR")
        );
        let time = Limit::Time(Duration::from_millis(1500));
        let time = Error::LimitReached { limit: time, variable: None };
        assert_eq!(
            message(&time, "--count-only"),
            "this takes longer than --time-limit allows, 1.5 s; stopped before the first row\n\
             hint: allow more with --time-limit"
        );
        let threads = Error::TooManyThreads { threads: 5000, limit: 1024 };
        assert_eq!(message(&threads, ""), "--threads 5000 is too many; ask for at most 1024");
        let large = Error::TooLarge { what: "the diagram", unit: "nodes", limit: 7 };
        assert_eq!(
            message(&large, ""),
            "the diagram has more than 7 nodes, which is more than can be numbered\n\
             hint: count without a diagram, with --count-only"
        );
    }

    #[test]
    fn a_limit_that_is_too_small_says_what_would_do() {
        let small = Error::LimitTooSmall { limit: 1 << 20, least: 123 << 20, variable: Some(4) };
        assert_eq!(
            message(&small, "--memory 1M --spill there"),
            "--memory 1 MiB is too little to work with, even with everything on disk that can be; \
             stopped at row 5 of 12\n\
             hint: ask for --memory 123M at least; what comes later may need more"
        );
        let small = Error::LimitTooSmall { limit: 1, least: 3 << 16, variable: None };
        let small = message(&small, "--memory 1 --spill there");
        assert!(small.starts_with("--memory 1 B is too little"), "{small}");
        assert!(small.contains("ask for --memory 192K at least"), "{small}");
    }

    #[test]
    fn directories_are_named_with_their_flags() {
        use io::ErrorKind::{Interrupted, NotFound, PermissionDenied, StorageFull};
        let both = "--memory 1G --spill there --checkpoint saved";
        for (path, flag) in [("there", "--spill"), ("saved/topdd-lock", "--checkpoint")] {
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
        // Only where there is something to go on from.
        assert!(!message(&io_error("saved/x", StorageFull), both).contains("called again"));
        // What nobody can give advice on is told as it is.
        let interrupted = message(&io_error("there", Interrupted), both);
        assert_eq!(interrupted, "could not make a file in there: operation interrupted");
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("topdd-manifest"), "").unwrap();
        let saved = format!("--checkpoint {}", dir.path().display());
        let message = message(&io_error("there", StorageFull), &saved);
        assert!(message.contains("\nhint: called again"), "{message}");
    }

    #[test]
    fn checkpoints_that_are_of_no_use_say_why() {
        let saved = "--checkpoint saved";
        assert_eq!(
            message(&other("number of variables", "13", "12"), saved),
            "saved holds the checkpoint of another run: that one has 13 variables, this one 12\n\
             hint: call that command again to finish it, name another directory with \
             --checkpoint, or remove topdd-manifest and the topdd-*.blocks from this one to give \
             that run up"
        );
        let task = message(&other("payload", "counts", "edges"), saved);
        assert!(task.contains("that one counts, this one builds a diagram"), "{task}");
        let key =
            other("key", r#"{"rows":12,"forbidden":["h7"]}"#, r#"{"rows":12,"forbidden":[]}"#);
        assert!(message(&key, saved).contains("run: forbidden is [\"h7\"] there and [] here\n"));
        let version = other("key", r#"{"topdd":"0.0.9"}"#, r#"{"topdd":"0.1.0"}"#);
        let version = message(&version, saved);
        assert!(version.contains(r#"topdd is "0.0.9" there and "0.1.0" here"#), "{version}");
        let root = message(&other("encoded root", "0a", "0b"), saved);
        assert!(root.contains("its encoded root is 0a, that of this run is 0b"), "{root}");

        let damaged =
            Error::Damaged { path: "saved/topdd-manifest".into(), message: "it breaks off".into() };
        assert_eq!(
            message(&damaged, saved),
            "saved/topdd-manifest is damaged: it breaks off\n\
             hint: remove topdd-manifest and the topdd-*.blocks from saved, and the run starts \
             anew"
        );
        let in_use = Error::DirectoryInUse { path: "saved".into() };
        assert_eq!(
            message(&in_use, saved),
            "another run is using saved at this moment\n\
             hint: wait for it, or name another directory with --checkpoint"
        );
    }

    #[test]
    fn messages_speak_of_flags_and_only_of_those_that_help() {
        let bytes = |variable| Error::LimitReached { limit: Limit::Bytes(1 << 20), variable };
        let time = Limit::Time(Duration::from_secs(2));
        let errors = [
            bytes(Some(3)),
            bytes(None),
            Error::LimitReached { limit: time, variable: Some(1) },
            Error::LimitTooSmall { limit: 1 << 20, least: 3 << 20, variable: None },
            Error::TooLarge { what: "the diagram", unit: "nodes", limit: 7 },
            Error::TooManyThreads { threads: 5000, limit: 1024 },
            io_error("there", io::ErrorKind::StorageFull),
            Error::Damaged { path: "there".into(), message: "it breaks off".into() },
            Error::DirectoryInUse { path: "saved".into() },
            other("payload", "counts", "edges"),
        ];
        for error in errors {
            for diagram in ["", "--count-only"] {
                for spill in ["", "--memory 1M --spill there"] {
                    for saved in ["", "--checkpoint saved"] {
                        let message = message(&error, &format!("{diagram} {spill} {saved}"));
                        assert!(!message.contains("Frontier") && !message.contains('_'));
                        assert!(!message.contains("mistake in topdd"), "{message}");
                        // Nobody is told to do what they do.
                        assert!(diagram.is_empty() || !message.contains("--count-only"));
                        assert!(spill.is_empty() || !message.contains("--spill DIR"));
                        let goes_on = message.contains("goes on from the last level");
                        assert!(!goes_on || !saved.is_empty(), "{message}");
                    }
                }
            }
        }
    }
}
