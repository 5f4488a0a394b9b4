//! Limits, cancellation and progress of a run.

use super::cancel::CancelToken;
use super::report::{LevelReport, ReducedLevel, Report};
use super::workers::{Workers, for_all};
use crate::error::{BuildError, Limit};
use crate::file::Files;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A function that fails if the run must stop, like [`Watch::check`]. Any thread may call it.
pub(crate) type Check<'c> = &'c (dyn Fn() -> Result<(), BuildError> + Sync);

/// The check of a run at a variable, and the workers that share a part of its work, if that is worth
/// sharing. Made by [`Monitor::sharing`].
#[derive(Clone, Copy)]
pub(crate) struct Sharing<'a> {
    pub(super) watch: &'a Watch,
    pub(super) variable: Option<usize>,
    pub(crate) workers: Option<&'a Workers>,
}

impl Sharing<'_> {
    /// Fails if the run must stop.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        self.watch.check(self.variable)
    }

    /// As [`for_all`]. Checks before each call, and fails with the first error.
    pub(crate) fn for_all<T: Send, U: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        work: impl Fn(usize, T) -> Result<U, BuildError> + Sync,
    ) -> Result<Vec<U>, BuildError> {
        let done = for_all(self.workers, items, |number, item| {
            self.check()?;
            work(number, item)
        });
        done.into_iter().collect()
    }
}

/// The options of a run. `None` means "not set", which differs from every value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    /// Whether all states that are expanded are checked; `None` means the default of the build.
    pub(crate) checked: Option<bool>,
    pub(crate) max_states: Option<u64>,
    pub(crate) memory_limit: Option<usize>,
    pub(crate) time_limit: Option<Duration>,
    pub(crate) cancel: Option<CancelToken>,
    pub(crate) threads: Option<usize>,
    pub(crate) spill_dir: Option<PathBuf>,
    /// The directory of the checkpoint, and its key.
    pub(crate) checkpoint: Option<(PathBuf, String)>,
    pub(crate) keeps_checkpoint: bool,
    /// The least time between two checkpoints.
    pub(crate) checkpoint_interval: Option<Duration>,
    pub(crate) files: Files,
}

impl Config {
    /// The memory limit of a run that spills beyond it. A run that stops there instead works as without a
    /// limit until then.
    pub(crate) fn spill_limit(&self) -> Option<usize> {
        self.memory_limit.filter(|_| self.spill_dir.is_some())
    }

    /// Returns a check for work before a sweep: it fails if the work takes more bytes than the memory limit, or longer
    /// than the time limit from now on, or if the token is cancelled.
    pub(super) fn check_before(&self) -> impl Fn(usize) -> Result<(), BuildError> + use<> {
        let memory_limit = self.memory_limit;
        let watch = Watch::start(self.time_limit, self.cancel.clone());
        move |bytes| {
            watch.check(None)?;
            match memory_limit.filter(|&limit| bytes > limit) {
                Some(limit) => {
                    Err(BuildError::LimitReached { limit: Limit::Bytes(limit), variable: None })
                }
                None => Ok(()),
            }
        }
    }
}

/// The clock and the cancel token of a run, and the failure of another process. Any thread may use it.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(super) start: Instant,
    /// The time of the earlier runs that this one resumes.
    before: Duration,
    time_limit: Option<Duration>,
    cancel: Option<CancelToken>,
    /// The failure of another process of the run.
    pub(super) failure: Option<Arc<OnceLock<BuildError>>>,
}

impl Watch {
    pub(crate) fn start(time_limit: Option<Duration>, cancel: Option<CancelToken>) -> Self {
        let (start, before) = (Instant::now(), Duration::ZERO);
        Watch { start, before, time_limit, cancel, failure: None }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.before + self.start.elapsed()
    }

    /// Fails if the time limit has passed, the token is cancelled, or another process has failed.
    pub(crate) fn check(&self, variable: Option<usize>) -> Result<(), BuildError> {
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(BuildError::Cancelled { variable });
        }
        if let Some(error) = self.failure.as_ref().and_then(|failure| failure.get()) {
            return Err(error.clone());
        }
        match self.time_limit {
            Some(limit) if self.start.elapsed() > limit => {
                Err(BuildError::LimitReached { limit: Limit::Time(limit), variable })
            }
            _ => Ok(()),
        }
    }
}

/// The error for a memory limit that is too small for a run with `bytes` bytes in use.
pub(super) fn limit_too_small(limit: usize, bytes: usize, variable: Option<usize>) -> BuildError {
    // A quarter more for the next batch, and for memory that the account does not include.
    let least = bytes / 4 * 5;
    // A round number for the message.
    let grain = if least < 1 << 20 { 1 << 16 } else { 1 << 20 };
    let least = least.div_ceil(grain).max(1) * grain;
    BuildError::LimitTooSmall { limit, least, variable }
}

/// A callback of a run, if it is set.
type Callback<'a, T> = Option<Box<dyn FnMut(&T) + Send + 'a>>;

/// The callbacks of a run: when it resumes a checkpoint, and after each level of the sweep and of the
/// reduction.
#[derive(Default)]
pub(super) struct Callbacks<'a> {
    pub(super) resumed: Callback<'a, Report>,
    pub(super) level: Callback<'a, LevelReport>,
    pub(super) reduced: Callback<'a, ReducedLevel>,
}

/// The limits, the report and the callbacks of one run.
pub(crate) struct Monitor<'m, 'a> {
    pub(crate) config: &'m Config,
    pub(super) callbacks: &'m mut Callbacks<'a>,
    pub(crate) report: &'m mut Report,
    pub(crate) watch: Watch,
    pub(crate) workers: Workers,
    /// The number of levels for which the callback was called before the sweep began anew.
    pub(super) called: usize,
}

impl Monitor<'_, '_> {
    /// The check at a variable, and the workers if work on `items` items is worth
    /// [sharing](Workers::shares).
    pub(crate) fn sharing(&self, variable: Option<usize>, items: usize) -> Sharing<'_> {
        let workers = self.workers.shares(items).then_some(&self.workers);
        Sharing { watch: &self.watch, variable, workers }
    }

    /// Notes the bytes held and the number of states seen. Fails if a limit is exceeded.
    pub(crate) fn check_size(
        &mut self,
        variable: Option<usize>,
        bytes: usize,
        states: u64,
    ) -> Result<(), BuildError> {
        self.report.peak_bytes = self.report.peak_bytes.max(bytes);
        if let Some(limit) = self.config.memory_limit.filter(|&limit| bytes > limit) {
            if self.config.spill_dir.is_some() {
                return Err(limit_too_small(limit, bytes, variable));
            }
            return Err(BuildError::LimitReached { limit: Limit::Bytes(limit), variable });
        }
        if let Some(limit) = self.config.max_states.filter(|&limit| states > limit) {
            return Err(BuildError::LimitReached { limit: Limit::States(limit), variable });
        }
        Ok(())
    }

    /// Continues the report of the run that is resumed.
    pub(crate) fn resume(&mut self, levels: Vec<LevelReport>, peak_bytes: usize) {
        if let Some(last) = levels.last() {
            self.watch.before = last.elapsed;
            self.report.earlier_time = last.elapsed;
            self.report.sweep_time = last.elapsed;
        }
        self.report.levels = levels;
        self.report.peak_bytes = peak_bytes;
    }

    /// Calls the callback of a run that has resumed.
    pub(super) fn resumed(&mut self) {
        self.callbacks.resumed.iter_mut().for_each(|resumed| resumed(self.report));
    }

    /// Notes the number of nodes of the finished diagram.
    pub(crate) fn reduced(&mut self, nodes: usize) {
        self.report.nodes = Some(nodes);
        self.report.reduce_time = self.watch.elapsed().saturating_sub(self.report.sweep_time);
    }

    pub(crate) fn level_reduced(&mut self, level: ReducedLevel) {
        self.report.reduce_time = level.elapsed.saturating_sub(self.report.sweep_time);
        self.report.reduced.push(level);
        self.callbacks.reduced.iter_mut().for_each(|reduced| reduced(&level));
    }

    /// Forgets the levels of the sweep, which begins anew. Their callback is not called again.
    pub(super) fn restart(&mut self) {
        self.called = self.report.levels.len();
        self.report.levels.clear();
    }

    pub(crate) fn level_done(&mut self, level: LevelReport) {
        self.report.sweep_time = level.elapsed;
        self.report.levels.push(level);
        if self.report.levels.len() > self.called {
            self.callbacks.level.iter_mut().for_each(|done| done(&level));
        }
    }
}
