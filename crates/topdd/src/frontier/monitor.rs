//! Limits, cancellation and progress of a run.

use super::report::{LevelReport, ReducedLevel, Report};
use super::workers::{Workers, for_all};
use crate::error::{BuildError, Limit};
use crate::file::Files;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
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
pub(crate) struct RunConfig {
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

impl RunConfig {
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
    pub(crate) config: &'m RunConfig,
    pub(super) callbacks: &'m mut Callbacks<'a>,
    pub(crate) report: &'m mut Report,
    pub(crate) watch: Watch,
    pub(crate) workers: Workers,
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

    pub(crate) fn level_done(&mut self, level: LevelReport) {
        self.report.sweep_time = level.elapsed;
        self.report.levels.push(level);
        self.callbacks.level.iter_mut().for_each(|done| done(&level));
    }
}

/// Stops the runs that hold it, and the queries of diagrams in [`run`](CancelToken::run).
///
/// Clones share one flag: keep one, hand the other to
/// [`Frontier::cancel_with`](crate::Frontier::cancel_with), and call
/// [`cancel`](CancelToken::cancel) from any thread or from a signal handler.
///
/// ```
/// # use topdd::{BuildError, CancelToken, Frontier, Step, DdSpec};
/// # struct Any; impl DdSpec for Any {
/// #     type State = (); fn num_vars(&self) -> usize { 3 }
/// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
/// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
/// #         if v == 2 { Step::One } else { Step::To(v + 1, ()) } } }
/// let token = CancelToken::new();
/// token.cancel();
/// let error = Frontier::over(&Any).cancel_with(&token).zdd().unwrap_err();
/// assert!(matches!(error, BuildError::Cancelled { .. }));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Makes a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the token. Every run that holds it stops with
    /// [`BuildError::Cancelled`](crate::BuildError::Cancelled). A token cannot be reset.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`cancel`](CancelToken::cancel) was called.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Calls `queries`, and stops the queries of diagrams in it when the token is cancelled: those that pass over all
    /// nodes, such as [`count`](crate::Diagram::count), [`index`](crate::Diagram::index) or
    /// [`domains`](crate::Diagram::domains), and those that read native files into memory. A
    /// [`Frontier`](crate::Frontier) has [`cancel_with`](crate::Frontier::cancel_with) in addition.
    ///
    /// A query checks the token after each level of the diagram, and within wide levels. It stops by unwinding, which
    /// calls no panic hook. A program that is compiled with `panic = "abort"` therefore ends. In a call inside of
    /// another one, the inner token applies.
    ///
    /// ```
    /// use topdd::{BuildError, CancelToken, Zdd};
    ///
    /// let (token, subsets) = (CancelToken::new(), Zdd::full([2; 100])?);
    /// assert_eq!(token.run(|| subsets.count_by_size().len())?, 101);
    /// token.cancel();
    /// assert!(matches!(token.run(|| subsets.count_by_size()), Err(BuildError::Cancelled { .. })));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError::Cancelled`] if a query was stopped.
    pub fn run<T>(&self, queries: impl FnOnce() -> T) -> Result<T, BuildError> {
        let outer = OF_QUERIES.replace(Some(self.clone()));
        let result = catch_unwind(AssertUnwindSafe(queries));
        OF_QUERIES.set(outer);
        result.map_err(|panic| {
            if !panic.is::<Stopped>() {
                resume_unwind(panic);
            }
            BuildError::Cancelled { variable: None }
        })
    }

    /// Returns the token of the [`run`](CancelToken::run) that calls a query on this thread.
    pub(crate) fn of_queries() -> Option<Self> {
        OF_QUERIES.with_borrow(Clone::clone)
    }

    /// Unwinds to [`run`](CancelToken::run) if the token is cancelled.
    #[inline]
    pub(crate) fn stop_query(&self) {
        if self.is_cancelled() {
            resume_unwind(Box::new(Stopped));
        }
    }
}

/// The payload of the unwinding of a stopped query.
struct Stopped;

thread_local! {
    static OF_QUERIES: RefCell<Option<CancelToken>> = const { RefCell::new(None) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Weights, Zdd};

    #[test]
    fn each_kind_of_pass_stops_and_the_thread_runs_again() {
        let zdd = Zdd::full([2; 20]).unwrap();
        let weights = Weights::of_ones(0..20);
        let token = CancelToken::new();
        token.cancel();
        let mut file = Vec::new();
        zdd.write_to(&mut file).unwrap();
        let queries: [&dyn Fn(); 8] = [
            &|| drop(zdd.count()),
            &|| drop(zdd.index()),
            &|| drop(zdd.value_counts()),
            &|| drop(zdd.count_by_size()),
            &|| drop(zdd.best(&weights, Goal::Minimum, 1)),
            &|| drop(zdd.within_spec(&weights, 3..)),
            &|| drop(zdd.domains()),
            &|| drop(Zdd::read_from(&file[..])),
        ];
        for query in queries {
            let running = CancelToken::new();
            assert_eq!(running.run(query), Ok(()));
            assert_eq!(
                running.run(|| token.run(query)),
                Ok(Err(BuildError::Cancelled { variable: None }))
            );
            query();
        }
        let panic = catch_unwind(|| token.run(|| panic!("of the caller")));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"of the caller"));
    }

    #[test]
    fn queries_on_several_threads_stop() {
        let zdd = crate::zdd(&crate::query::testing::palindromes(14)).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let token = CancelToken::new();
        token.cancel();
        let run = || token.run(|| (zdd.count(), zdd.domains()));
        assert!(run().is_err() && pool.install(run).is_err());
    }
}
