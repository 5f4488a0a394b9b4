//! How a run can end other than well, and what the shell is told.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use topdd::{Error, Limit};

use crate::bytes::Bytes;

/// Why the command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for what makes no sense or cannot be done.
    Usage(String),
    /// What was asked could have been done, but was not.
    Failed(String),
    /// Nobody reads standard output any more, as in `topdd ... | head`. That is how one
    /// says "enough", and nothing went wrong.
    Enough,
}

impl Failure {
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

    /// Says what happened on standard error, and answers the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Enough => ExitCode::SUCCESS,
            Failure::Failed(message) => {
                tell(&format!("error: {message}\n"));
                ExitCode::from(1)
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
pub(crate) struct Swept {
    /// What a variable is to the user: a row, a square.
    pub(crate) unit: &'static str,
    /// The number of variables.
    pub(crate) variables: usize,
    /// Whether a diagram was being built.
    pub(crate) diagram: bool,
}

impl Swept {
    /// Where the sweep was.
    fn at(&self, variable: Option<usize>) -> String {
        let Swept { unit, variables, .. } = self;
        match variable {
            Some(variable) => format!("at {unit} {} of {variables}", variable + 1),
            None => format!("before the first {unit}"),
        }
    }

    /// What became of the sweep, in the words of the command line: those of the library
    /// name its methods.
    pub(crate) fn failed(&self, error: &Error) -> Failure {
        let without_diagram = "count without a diagram, with --count-only";
        Failure::Failed(match *error {
            Error::LimitReached { limit: Limit::Bytes(bytes), variable } => format!(
                "this takes more than --memory allows, {}; stopped {}\nhint: {}{}",
                Bytes(bytes),
                self.at(variable),
                "allow more with --memory",
                if self.diagram { format!(", or {without_diagram}") } else { String::new() },
            ),
            Error::LimitReached { limit: Limit::Time(time), variable } => format!(
                "this takes longer than --time-limit allows, {} s; stopped {}\nhint: {}",
                time.as_secs_f64(),
                self.at(variable),
                "allow more with --time-limit",
            ),
            Error::TooManyThreads { threads, limit } => {
                return Failure::Usage(format!(
                    "--threads {threads} is too many; ask for at most {limit}"
                ));
            }
            Error::TooLarge { what, unit, limit } => format!(
                "{what} has more than {limit} {unit}, which is more than can be numbered{}",
                if self.diagram { format!("\nhint: {without_diagram}") } else { String::new() },
            ),
            // Whatever else the library refuses, the command should not have asked for.
            _ => format!("this is a mistake in topdd, please report it: {error}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn message(error: &Error, diagram: bool) -> String {
        match (Swept { unit: "row", variables: 12, diagram }).failed(error) {
            Failure::Failed(message) | Failure::Usage(message) => message,
            Failure::Enough => panic!("{error} is a failure"),
        }
    }

    #[test]
    fn messages_name_flags_and_where_the_sweep_was() {
        let memory = Error::LimitReached { limit: Limit::Bytes(100 << 20), variable: Some(4) };
        assert_eq!(
            message(&memory, true),
            "this takes more than --memory allows, 100 MiB; stopped at row 5 of 12\n\
             hint: allow more with --memory, or count without a diagram, with --count-only"
        );
        let time = Limit::Time(Duration::from_millis(1500));
        let time = Error::LimitReached { limit: time, variable: None };
        assert_eq!(
            message(&time, false),
            "this takes longer than --time-limit allows, 1.5 s; stopped before the first row\n\
             hint: allow more with --time-limit"
        );
        let threads = Error::TooManyThreads { threads: 5000, limit: 1024 };
        assert_eq!(message(&threads, true), "--threads 5000 is too many; ask for at most 1024");
        let large = Error::TooLarge { what: "the diagram", unit: "nodes", limit: 7 };
        assert_eq!(
            message(&large, true),
            "the diagram has more than 7 nodes, which is more than can be numbered\n\
             hint: count without a diagram, with --count-only"
        );
        for error in [memory, time, threads, large] {
            for diagram in [false, true] {
                let message = message(&error, diagram);
                assert!(!message.contains("Frontier") && !message.contains('_'), "{message}");
                // Nobody who counts only is told to.
                assert!(diagram || !message.contains("--count-only"), "{message}");
            }
        }
    }
}
