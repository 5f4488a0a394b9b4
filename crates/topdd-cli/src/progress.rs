//! Lines and a progress bar on standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
#[cfg(feature = "web")]
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use topdd::{LevelReport, ReducedLevel};
use topdd_problem::Bytes;

/// Writes a line about the run. The answer does not depend on whether it can be written.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes the time that a run took. Standard output has no times, and so is the same for each run.
pub(crate) fn say_time(time: Duration) {
    say(format_args!("finished in {:.3} s", time.as_secs_f64()));
}

/// Whether a page shows the progress of runs.
static HAS_PAGE: AtomicBool = AtomicBool::new(false);

/// Returns whether progress is shown, on a page or in a terminal.
pub(crate) fn is_seen() -> bool {
    HAS_PAGE.load(Ordering::Relaxed) || io::stderr().is_terminal()
}

/// The progress of the run, for a page.
#[cfg(feature = "web")]
static REACHED: Mutex<Option<Reached>> = Mutex::new(None);

/// The progress of a run that a page shows.
#[cfg(feature = "web")]
#[derive(Clone)]
pub(crate) struct Reached {
    /// The progress in words.
    pub(crate) text: String,
    /// The number of levels that are swept over, and of those that are reduced.
    pub(crate) done: u64,
    /// The number of levels to sweep over and to reduce, twice the number of variables.
    pub(crate) all: u64,
}

/// Enables the progress on a page.
#[cfg(feature = "web")]
pub(crate) fn show_on_page() {
    HAS_PAGE.store(true, Ordering::Relaxed);
}

/// Returns the progress of the run; `None` between two runs.
#[cfg(feature = "web")]
pub(crate) fn reached() -> Option<Reached> {
    REACHED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The delay before the bar is shown.
const A_MOMENT: Duration = Duration::from_millis(700);

/// A progress bar on standard error, if that is a terminal. It appears after [`A_MOMENT`], and
/// disappears when it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Closed to stop `showing`; nothing is sent.
    end: Option<Sender<()>>,
    showing: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts the bar of a run over `variables` variables, each of which is a `unit`.
    pub(crate) fn over(variables: usize, unit: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(
            Some(variables as u64),
            // Draws nothing yet.
            ProgressDrawTarget::hidden(),
        );
        let style = "{spinner} {prefix} {pos} of {len} [{bar:30}] {msg} {elapsed}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(unit);
        let (end, ended) = mpsc::channel();
        let show = {
            let bar = bar.clone();
            move || {
                if ended.recv_timeout(A_MOMENT) == Err(RecvTimeoutError::Timeout) {
                    // This target checks whether it is a terminal, and ignores write errors.
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(100));
                }
            }
        };
        // Without this thread there is no bar; the run does not need one.
        let showing = thread::Builder::new().spawn(show).ok();
        let progress = Progress { bar, end: Some(end), showing };
        progress.reach(0, 0, "started");
        progress
    }

    /// Shows the position and a message, and stores them with the number of steps that are done for [`reached`].
    #[cfg_attr(not(feature = "web"), expect(unused_variables, reason = "`done` is for the page"))]
    fn reach(&self, position: u64, done: u64, message: &str) {
        #[cfg(feature = "web")]
        {
            let (unit, variables) = (self.bar.prefix(), self.bar.length().unwrap_or(0));
            let unit = if done > variables { format!("back at {unit}") } else { unit };
            let text = format!("{unit} {position} of {variables}: {message}");
            let reached = Reached { text, done, all: 2 * variables };
            REACHED.lock().unwrap_or_else(PoisonError::into_inner).replace(reached);
        }
        self.bar.set_position(position);
        self.bar.set_message(format!("{message},"));
    }

    /// Shows a finished level.
    pub(crate) fn level(&self, level: &LevelReport) {
        let (states, bytes) = (level.states, Bytes(level.bytes));
        let position = level.variable as u64 + 1;
        self.reach(position, position, &format!("{states} states in the last level, {bytes}"));
    }

    /// Shows a reduced level.
    pub(crate) fn reduced(&self, level: &ReducedLevel) {
        let position = level.variable as u64;
        let (left, seconds) = (level.states_left, level.time_left.as_secs());
        let bytes = Bytes(level.bytes);
        let message = format!("reducing: {left} states left, about {seconds} s, {bytes}");
        self.reach(position, 2 * self.bar.length().unwrap_or(0) - position, &message);
    }

    /// Shows a run without levels in order.
    pub(crate) fn unordered(&self, message: &str) {
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            self.bar.set_style(style);
        }
        self.bar.set_message(message.to_owned());
    }

    /// Returns a function that shows the number of nodes of a manager.
    pub(crate) fn working(&self) -> impl FnMut(&topdd_apply::Progress) + Send + use<> {
        let bar = self.bar.clone();
        move |now| bar.set_message(format!("{} nodes,", now.nodes))
    }

    /// Shows the number of constraints that are conjoined, and of nodes of the result.
    pub(crate) fn conjoined(&self, constraints: usize, nodes: usize) {
        self.reach(constraints as u64, constraints as u64, &format!("{nodes} nodes"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(showing) = self.showing.take() {
            // A panic of this thread does not concern the answer.
            let _ = showing.join();
        }
        self.bar.finish_and_clear();
        #[cfg(feature = "web")]
        REACHED.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
