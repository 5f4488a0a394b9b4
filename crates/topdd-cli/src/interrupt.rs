//! Ctrl-C: what is under way stops, and what was reached is told.

use std::process;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use topdd::CancelToken;

use crate::failure::Failure;

/// Cancelled by Ctrl-C. There is one, for there is one command.
static TOKEN: LazyLock<CancelToken> = LazyLock::new(CancelToken::new);

/// What was reached last.
static REACHED: Mutex<String> = Mutex::new(String::new());

/// How long there is to stop in an orderly way.
const GRACE: Duration = Duration::from_millis(700);

/// From now on, Ctrl-C cancels the token, and soon after ends the process if that has not:
/// not all that takes long looks at the token.
pub(crate) fn watch() {
    // Without a handler, Ctrl-C ends the process at once, and nothing else is missing.
    let _ = ctrlc::set_handler(|| {
        TOKEN.cancel();
        thread::sleep(GRACE);
        let _ = failure(&reached()).report();
        process::exit(i32::from(Failure::INTERRUPTED));
    });
}

/// What stops a sweep.
pub(crate) fn token() -> &'static CancelToken {
    &TOKEN
}

/// Notes how far the run has come: words that go on from "interrupted".
pub(crate) fn note(reached: String) {
    *REACHED.lock().unwrap_or_else(PoisonError::into_inner) = reached;
}

/// Fails if there was a Ctrl-C.
pub(crate) fn check() -> Result<(), Failure> {
    if TOKEN.is_cancelled() { Err(failure(&reached())) } else { Ok(()) }
}

fn reached() -> String {
    REACHED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn failure(reached: &str) -> Failure {
    Failure::Interrupted(format!("interrupted {reached}").trim_end().to_owned())
}
