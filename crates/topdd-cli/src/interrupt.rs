//! Ctrl-C and SIGTERM: the run stops, and reports how far it came.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{process, thread};

#[cfg(unix)]
use signal_hook::{consts::SIGTERM, iterator::Signals};
use topdd::CancelToken;

use crate::failure::Failure;

/// Bytes of the stack of a thread of the command.
const STACK: usize = 256 << 10;

/// The token that Ctrl-C and SIGTERM cancel.
static TOKEN: LazyLock<CancelToken> = LazyLock::new(CancelToken::new);

/// The position of the run, as text.
static REACHED: Mutex<String> = Mutex::new(String::new());

/// Whether the whole answer has been printed. Locked while it is being printed.
static PRINTED: Mutex<bool> = Mutex::new(false);

/// Time for a run to stop by itself. An answer that is being printed gets half as much more.
const GRACE: Duration = Duration::from_millis(100);

/// Time to write why the process ends: enough on a busy machine, and an end if standard error has stalled.
const REPORT: Duration = Duration::from_secs(1);

/// Whether the main thread ends by itself: it waits for processes that it started, or has an answer at any time.
static WAITS: AtomicBool = AtomicBool::new(false);

/// Time for the main thread to end by itself.
const WAIT: Duration = Duration::from_secs(5);

/// Installs a handler for Ctrl-C and SIGTERM, which calls [`stop`].
pub(crate) fn watch() -> Result<(), Failure> {
    // Without a handler, Ctrl-C ends the process at once, without a message.
    let _ = ctrlc::set_handler(stop);
    // A run that is started by `nohup` ignores SIGHUP, so there is no handler for it.
    #[cfg(unix)]
    if let Ok(mut signals) = Signals::new([SIGTERM]) {
        start_thread(move || signals.forever().for_each(|_| stop()))?;
    }
    Ok(())
}

/// Starts a thread of the command, which needs little memory.
pub(crate) fn start_thread(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let started = thread::Builder::new().stack_size(STACK).spawn(work);
    started.map(|_| ()).map_err(|error| {
        Failure::Failed(format!(
            "cannot start a thread: {error}\nhint: allow more memory and threads with `ulimit`, or in the container"
        ))
    })
}

/// Gives the main thread up to [`WAIT`] after a signal or the time limit: it ends by itself then, and may have an answer.
pub(crate) fn wait_for_main() {
    WAITS.store(true, Ordering::Relaxed);
}

/// Time for the main thread to end, after a signal or the time limit.
fn grace() -> Duration {
    if WAITS.load(Ordering::Relaxed) { WAIT } else { GRACE }
}

/// Cancels the token, and ends the process if it still runs after [`GRACE`], or [`WAIT`]. Queries, writes to
/// files and freeing memory do not check the token. A checkpoint survives the end of the process
/// at any moment.
pub(crate) fn stop() {
    TOKEN.cancel();
    thread::sleep(grace());
    end_with(failure)
}

/// Ends the process soon after the time limit, if it still runs. `failure` receives how far the
/// run has come.
pub(crate) fn end_after(
    limit: Duration,
    failure: impl FnOnce(&str) -> Failure + Send + 'static,
) -> Result<(), Failure> {
    start_thread(move || {
        thread::sleep(limit);
        thread::sleep(grace());
        end_with(failure)
    })
}

/// Ends the process with a failure, or with success if the whole answer has been printed. `failure` receives how far the
/// run has come.
pub(crate) fn end_with(failure: impl FnOnce(&str) -> Failure) -> ! {
    let failure = failure(&reached());
    // Let an answer be printed to its end, but do not wait for a reader that has stalled.
    let start = Instant::now();
    let mut printed = PRINTED.try_lock();
    while printed.is_err() && start.elapsed() < GRACE / 2 {
        thread::sleep(Duration::from_millis(1));
        printed = PRINTED.try_lock();
    }
    if printed.is_ok_and(|printed| *printed) {
        process::exit(0);
    }
    let interrupted = matches!(failure, Failure::Interrupted(_));
    let code = if interrupted { Failure::INTERRUPTED } else { Failure::FAILED };
    // Standard error may have stalled, too.
    let failure = Arc::new(failure);
    let reported = Arc::clone(&failure);
    match thread::Builder::new().stack_size(STACK).spawn(move || reported.report()) {
        Ok(thread) => {
            let start = Instant::now();
            while !thread.is_finished() && start.elapsed() < REPORT {
                thread::sleep(Duration::from_millis(1));
            }
        }
        Err(_) => drop(failure.report()),
    }
    process::exit(code.into());
}

/// Delays the end of the process while the answer is being printed. When all of it is printed,
/// the caller sets this to `true`: a signal came too late, and the exit code is 0.
pub(crate) fn printing() -> MutexGuard<'static, bool> {
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The token that stops a sweep.
pub(crate) fn token() -> &'static CancelToken {
    &TOKEN
}

/// Notes how far the run has come: words that follow "interrupted".
pub(crate) fn note(reached: String) {
    *REACHED.lock().unwrap_or_else(PoisonError::into_inner) = reached;
}

/// Fails if the token was cancelled.
pub(crate) fn check() -> Result<(), Failure> {
    if TOKEN.is_cancelled() { Err(failure(&reached())) } else { Ok(()) }
}

/// How far the run has come, as it was noted.
pub(crate) fn reached() -> String {
    REACHED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn failure(reached: &str) -> Failure {
    Failure::Interrupted(format!("interrupted {reached}").trim_end().to_owned())
}
