//! How a run can end other than well, and what the shell is told.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use topdd::{Error, Limit};

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

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Failed(match &error {
            // In the words of the command line.
            Error::LimitReached { limit: Limit::Bytes(bytes), .. } => {
                format!("this takes more than --memory allows, {bytes} bytes")
            }
            Error::LimitReached { limit: Limit::Time(time), .. } => {
                format!("this takes longer than --time-limit allows, {time:?}")
            }
            _ => error.to_string(),
        })
    }
}
