//! Long calls: limits, signals and progress.
//!
//! Work runs in a pool of [`Threads`], and touches no Python object. The calling thread waits detached from the
//! interpreter, and wakes every [`WAKE`] to check signals and to show progress.

use std::any::Any;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use topdd::{BigUint, Bounded, CancelToken, DdSpec, FinishedCheckpoint, Frontier, Threads};
use topdd_apply::{Error as ApplyError, Limits as ApplyLimits, Manager};
use topdd_graph::families::{BoundedPaths, FamilyError};
use topdd_problem::Run;
use topdd_problem::limits::{parse_bytes, parse_duration, parse_threads};

use crate::convert::call;
use crate::errors::{Failure, Outcome, Place};
use crate::specs::{Raising, exception_of};

/// The time between two checks of signals.
const WAKE: Duration = Duration::from_millis(50);

/// The time for cancelled work to end and to free its memory. After it the call returns, and the work ends later: sweeps
/// and queries check the token of the call.
const GRACE: Duration = Duration::from_millis(100);

/// The time for work to end that has an answer at any time.
pub(crate) const ANSWER_GRACE: Duration = Duration::from_secs(5);

/// The bytes of the stack of each thread: the specs of a combination call each other. Only those in use take memory.
const STACK: usize = 64 << 20;

/// The keyword arguments of a call that are limits, before they are read.
pub(crate) type LimitArgs = Py<PyDict>;

/// The limits of a call, from its keyword arguments and from the `with topdd.limits(..)` around it.
#[derive(Default)]
pub(crate) struct Limits {
    pub(crate) memory: usize,
    timeout: Option<Duration>,
    /// The number of threads; 0 means as many as there are cores.
    pub(crate) threads: usize,
    spill_to: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
    /// An event of Python that cancels the call when it is set.
    cancel: Option<Py<PyAny>>,
    /// The time for the work to end at a limit.
    pub(crate) grace: Duration,
}

impl Limits {
    /// Reads the keyword arguments of a call.
    pub(crate) fn new(py: Python<'_>, given: Option<LimitArgs>) -> Outcome<Self> {
        let merged = call(py, "topdd._limits", "merged", (given,))?;
        let memory = topdd::available_memory();
        let mut limits = Limits { memory, grace: GRACE, ..Limits::default() };
        for (name, value) in merged.cast::<PyDict>().map_err(PyErr::from)?.iter() {
            let name: String = name.extract()?;
            match name.as_str() {
                _ if value.is_none() => {}
                "memory" => limits.memory = bytes(&value)?,
                "timeout" => limits.timeout = Some(seconds(&value)?),
                "threads" => limits.threads = threads(&value)?,
                "spill_to" => limits.spill_to = Some(value.extract()?),
                "checkpoint" => limits.checkpoint = Some(value.extract()?),
                "progress" => limits.progress = Some(progress(value)?),
                "cancel" => limits.cancel = Some(event(value)?),
                _ => {
                    let message = format!(
                        "there is no argument and no limit {name:?}; the limits are memory, timeout, threads, \
                         spill_to, checkpoint, progress and cancel"
                    );
                    return Err(PyTypeError::new_err(message).into());
                }
            }
        }
        Ok(limits)
    }

    /// Fails if the event of the user is set.
    fn check_cancel(&self, py: Python<'_>) -> Outcome<()> {
        let Some(event) = &self.cancel else { return Ok(()) };
        let is_set = event.bind(py).call_method0("is_set")?.is_truthy()?;
        if is_set { Err(Failure::Cancelled) } else { Ok(()) }
    }

    /// Work that starts now.
    fn task(&self, start: Instant, token: &CancelToken) -> Task {
        Task {
            token: token.clone(),
            memory: self.memory,
            threads: self.threads,
            deadline: self.timeout.and_then(|timeout| start.checked_add(timeout)),
            spill_to: self.spill_to.clone(),
            checkpoint: self.checkpoint.clone(),
            stage: Arc::default(),
        }
    }

    fn take_threads(&self) -> Outcome<Threads> {
        Threads::take(self.threads, Some(STACK)).map_err(|error| {
            let advice = "allow more memory and threads, with `ulimit` or in the container";
            Failure::memory(format!("cannot start threads: {error}; {advice}"))
        })
    }

    /// Runs work within the limits.
    ///
    /// After an exception of a signal handler or of the progress callback the work is cancelled, and the
    /// exception is raised.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Task) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        self.check_cancel(py)?;
        let _raising = Raising::new();
        let start = Instant::now();
        let token = CancelToken::new();
        let task = self.task(start, &token);
        let stage = task.stage.clone();
        let of_queries = token.clone();
        let work = move || -> Outcome<T> { of_queries.run(|| work(&task))? };
        let bar = |progress| call(py, "topdd._progress", "shown", (progress,));
        let bar = self.progress.as_ref().map(bar).transpose()?;
        let mut receiver = self.take_threads()?.start(work);
        let finished = loop {
            let (back, received) = py.detach(move || {
                let received = receiver.recv_timeout(WAKE);
                (receiver, received)
            });
            receiver = back;
            match received {
                Ok(finished) => break finished.unwrap_or_else(|panic| Err(of_panic(&*panic))),
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(Failure::Internal("the thread of the work has ended".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let stopped = py.check_signals().map_err(Failure::from);
            let stopped = stopped
                .and_then(|()| self.check_cancel(py))
                .and_then(|()| Ok(bar.as_ref().map_or(Ok(()), |bar| update(bar, &stage))?));
            let failure = match (stopped, self.timeout) {
                (Err(failure), _) => failure,
                (Ok(()), Some(timeout)) if start.elapsed() > timeout + self.grace => {
                    Failure::Timeout(self.timeout, Place::Unknown)
                }
                _ => continue,
            };
            token.cancel();
            let grace = if matches!(failure, Failure::Cancelled) { self.grace } else { GRACE };
            let ended = py.detach(move || receiver.recv_timeout(grace));
            // Bounded runs have an answer at any time.
            break match (ended, failure) {
                (Ok(Ok(Ok(done))), Failure::Cancelled | Failure::Timeout(..)) => Ok(done),
                (_, failure) => Err(failure),
            };
        };
        let closed = bar.map_or(Ok(()), |bar| {
            let updated = update(&bar, &stage);
            updated.and(bar.call_method0("close").map(drop))
        });
        let finished = finished.map_err(|failure| match failure {
            // The limit that was given, and not the time that was left of it.
            Failure::Timeout(_, place) => Failure::Timeout(self.timeout, place),
            failure => failure,
        })?;
        closed?;
        Ok(finished)
    }
}

pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    if let Some(error) = exception_of(&message) {
        return Failure::Python(error);
    }
    Failure::Internal(format!("a fault in topdd, please report it: {message}"))
}

/// Runs a short query detached from the interpreter, on the calling thread. A panic is a failure.
pub(crate) fn short<T: Send>(
    py: Python<'_>,
    query: impl FnOnce() -> Outcome<T> + Send,
) -> Outcome<T> {
    py.detach(|| {
        catch_unwind(AssertUnwindSafe(query)).unwrap_or_else(|panic| Err(of_panic(&*panic)))
    })
}

/// How far the work is: the levels done, all levels, and a text.
type Stage = (usize, usize, String);

/// Work in progress, with its limits.
pub(crate) struct Task {
    pub(crate) token: CancelToken,
    pub(crate) memory: usize,
    threads: usize,
    deadline: Option<Instant>,
    spill_to: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    stage: Arc<Mutex<Stage>>,
}

impl Limits {
    /// Refuses files, for a call that writes none.
    pub(crate) fn refuse_files(&self, method: &str) -> Outcome<()> {
        match (&self.checkpoint, &self.spill_to) {
            (None, None) => Ok(()),
            _ => Err(Failure::Input(format!(
                "{method} writes no files; leave out checkpoint= and spill_to="
            ))),
        }
    }
}

impl Task {
    /// Sets the limits of a bounded run.
    pub(crate) fn bounded<'a, S: DdSpec>(&self, run: Bounded<'a, S>) -> Bounded<'a, S> {
        let memory = topdd_problem::bounded::memory_of_run(self.memory);
        let mut run = run.threads(self.threads()).cancel_with(&self.token).memory_limit(memory);
        if let Some(time) = self.time_left() {
            run = run.time_limit(time);
        }
        let stage = self.stage.clone();
        run.on_progress(move |now| {
            let text = |number: Option<i128>| number.map_or("?".to_owned(), |of| of.to_string());
            let (weight, bound) = (text(now.weight), text(now.bound));
            set(&stage, (0, 1, format!("weight {weight}, bound {bound}, {} open", now.open)));
        })
    }

    /// The number of threads, at least 1.
    fn threads(&self) -> usize {
        match self.threads {
            0 => available_parallelism().map_or(1, NonZero::get),
            threads => threads,
        }
    }

    fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Fails if the work was cancelled or its time is over; for loops that check nothing else.
    pub(crate) fn check(&self) -> Outcome<()> {
        match self.time_left() {
            _ if self.token.is_cancelled() => Err(Failure::Cancelled),
            Some(Duration::ZERO) => Err(Failure::Timeout(None, Place::Unknown)),
            _ => Ok(()),
        }
    }
}

impl Run for Task {
    fn sweep<'a>(&self, frontier: Frontier<'a>, variables: usize) -> Frontier<'a> {
        // The diagram is reduced in as many levels.
        let (stage, total) = (self.stage.clone(), 2 * variables);
        self.count_sweep(frontier, total).on_reduced(move |level| {
            set(&stage, (total - level.variable, total, format!("{} nodes", level.nodes)));
        })
    }

    fn count_sweep<'a>(&self, frontier: Frontier<'a>, total: usize) -> Frontier<'a> {
        let mut frontier = frontier.memory_limit(self.memory).cancel_with(&self.token);
        if let Some(time) = self.time_left() {
            frontier = frontier.time_limit(time);
        }
        if let Some(dir) = &self.spill_to {
            frontier = frontier.spill_to(dir);
        }
        let stage = self.stage.clone();
        frontier.on_level(move |level| {
            set(&stage, (level.variable + 1, total, format!("{} states", level.states)));
        })
    }

    fn count_paths(
        &self,
        paths: BoundedPaths,
        digest: &dyn Fn() -> u64,
    ) -> Option<Result<BigUint, FamilyError>> {
        if self.spill_to.is_some() {
            return None;
        }
        let mut paths = paths.threads(self.threads()).cancel_with(&self.token);
        paths = paths.memory_limit(self.memory);
        if let Some(time) = self.time_left() {
            paths = paths.time_limit(time);
        }
        if let Some(dir) = &self.checkpoint {
            paths = paths.checkpoint(dir, key(digest()));
        }
        let counted = paths.count_with(|now| {
            let text = format!("{}, {} states", now.method, now.states);
            set(&self.stage, (now.passed, now.levels, text));
        });
        // Files that cannot be removed do not change the count.
        let _ = paths.take_checkpoint().map(FinishedCheckpoint::remove);
        Some(counted)
    }

    fn has_checkpoint(&self) -> bool {
        self.checkpoint.is_some()
    }

    fn checkpoint<'a>(&self, frontier: Frontier<'a>, digest: &dyn Fn() -> u64) -> Frontier<'a> {
        match &self.checkpoint {
            Some(dir) => frontier.checkpoint(dir, key(digest())),
            None => frontier,
        }
    }

    fn manager(&self, variables: usize) -> Result<Manager, ApplyError> {
        Manager::builder(variables).max_bytes(self.memory).build()
    }

    fn limits(&self) -> ApplyLimits {
        let limits = ApplyLimits::new().cancel_with(&self.token);
        match self.time_left() {
            Some(time) => limits.time_limit(time),
            None => limits,
        }
    }
}

/// The key of the checkpoint of a problem.
fn key(digest: u64) -> String {
    format!("topdd-python {digest:016x}")
}

/// Fails if a result of so many bytes exceeds the memory limit.
pub(crate) fn check_bytes(limit: usize, bytes: usize) -> Outcome<()> {
    if bytes <= limit {
        return Ok(());
    }
    Err(Failure::memory(format!(
        "the result takes {bytes} bytes, more than the limit of {limit} bytes (raise memory, or take a part)"
    )))
}

/// Fails if a name or a value of limits is none.
#[pyfunction]
#[pyo3(signature = (**limits))]
pub(crate) fn check_limits(py: Python<'_>, limits: Option<LimitArgs>) -> Outcome<()> {
    Limits::new(py, limits).map(drop)
}

/// Shows on a progress bar, or to the callback of the user, how far the work is.
fn update(bar: &Bound<'_, PyAny>, stage: &Mutex<Stage>) -> PyResult<()> {
    let stage = stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
    bar.call_method1("update", stage).map(drop)
}

fn set(shared: &Mutex<Stage>, stage: Stage) {
    *shared.lock().unwrap_or_else(PoisonError::into_inner) = stage;
}

/// Whether a bar is shown, or a callback.
fn progress(value: Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
    if value.is_instance_of::<PyBool>() || value.is_callable() {
        return Ok(value.unbind());
    }
    Err(Failure::Input(format!(
        "progress={value:?}: give True, or a function of the levels done, all levels, and a text"
    )))
}

/// An event that cancels calls, such as one of `threading` or `asyncio`.
fn event(value: Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
    if value.getattr("is_set").is_ok_and(|method| method.is_callable()) {
        return Ok(value.unbind());
    }
    Err(Failure::Input(format!(
        "cancel={value:?}: give a threading.Event; its method set() cancels the call"
    )))
}

/// A number of bytes, as a number or as text such as `"4GB"`.
fn bytes(value: &Bound<'_, PyAny>) -> Outcome<usize> {
    let read = match value.cast::<PyString>() {
        Ok(text) => parse_bytes(text.to_string().trim()).ok(),
        // Larger numbers are the largest size.
        Err(_) => value.extract().ok().filter(|n: &f64| n.fract() == 0.0).map(|n| n as usize),
    };
    read.filter(|bytes| *bytes > 0).ok_or_else(|| {
        Failure::Input(format!(
            "memory={value:?} is no size; give bytes, or text such as \"4GB\" or \"500 MiB\""
        ))
    })
}

/// A number of seconds, or text such as `"10m"`.
pub(crate) fn seconds(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let read = match (value.cast::<PyString>(), value.extract()) {
        (Ok(text), _) => parse_duration(text.to_string().trim()).ok(),
        (_, Ok(f64::INFINITY)) => Some(Duration::MAX / 2),
        (_, Ok(seconds)) => Duration::try_from_secs_f64(seconds).ok(),
        _ => None,
    };
    let refused = || Failure::Input(format!("timeout={value:?} is no time; give seconds from 0"));
    Ok(read.ok_or_else(refused)?)
}

fn threads(value: &Bound<'_, PyAny>) -> Outcome<usize> {
    parse_threads(&value.str()?.to_string())
        .map_err(|advice| Failure::Input(format!("threads={value:?}: {advice}")))
}
