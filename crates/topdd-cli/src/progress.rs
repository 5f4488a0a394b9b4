//! Lines and a progress bar on standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
#[cfg(feature = "web")]
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use topdd::{LevelReport, ReducedLevel};

use crate::bytes::Bytes;

/// Writes a line about the run. The answer does not depend on whether it can be written.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes the time that a run took. Standard output has no times, and so is the same for each run.
pub(crate) fn say_time(time: Duration) {
    say(format_args!("finished in {:.3} s", time.as_secs_f64()));
}

/// The bar of the run, for [`reached`].
#[cfg(feature = "web")]
static CURRENT: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The progress of the run.
#[cfg(feature = "web")]
pub(crate) struct Reached {
    /// The progress in words.
    pub(crate) text: String,
    /// The number of levels that are done. While the diagram is reduced, the number of levels that are left.
    pub(crate) done: u64,
    /// The number of all levels.
    pub(crate) all: u64,
}

/// Returns the progress of the run; `None` between two runs.
#[cfg(feature = "web")]
pub(crate) fn reached() -> Option<Reached> {
    let bar = CURRENT.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
    let (unit, done, all) = (bar.prefix(), bar.position(), bar.length().unwrap_or(0));
    let message = bar.message();
    let text = format!("{unit} {done} of {all}: {}", message.trim_end_matches(','));
    Some(Reached { text: text.trim_end_matches(": ").to_owned(), done, all })
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
        #[cfg(feature = "web")]
        CURRENT.lock().unwrap_or_else(PoisonError::into_inner).replace(bar.clone());
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
        Progress { bar, end: Some(end), showing }
    }

    /// Shows a finished level.
    pub(crate) fn level(&self, level: &LevelReport) {
        let (states, bytes) = (level.states, Bytes(level.bytes));
        self.bar.set_position(level.variable as u64 + 1);
        self.bar.set_message(format!("{states} states in the last level, {bytes},"));
    }

    /// Shows a reduced level.
    pub(crate) fn reduced(&self, level: &ReducedLevel) {
        self.bar.set_position(level.variable as u64);
        let (left, seconds) = (level.states_left, level.time_left.as_secs());
        let bytes = Bytes(level.bytes);
        let soon = format!("reducing: {left} states left, about {seconds} s, {bytes},");
        self.bar.set_message(soon);
    }

    /// Returns a function that shows the number of nodes of a manager.
    pub(crate) fn working(&self) -> impl FnMut(&topdd_apply::Progress) + Send + use<> {
        let bar = self.bar.clone();
        move |now| bar.set_message(format!("{} nodes,", now.nodes))
    }

    /// Shows the number of constraints that are conjoined, and of nodes of the result.
    pub(crate) fn conjoined(&self, constraints: usize, nodes: usize) {
        self.bar.set_position(constraints as u64);
        self.bar.set_message(format!("{nodes} nodes,"));
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
        CURRENT.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
