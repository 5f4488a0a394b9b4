//! Cancellation, time limits and progress of the operations of a manager.

use crate::error::{Error, ManagerLimit};
use crate::limits::Limits;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use topdd::CancelToken;

/// The minimum time between two calls of the progress function.
const INTERVAL: Duration = Duration::from_millis(100);

/// The state of a running operation; passed to the function that
/// [`Manager::on_progress`](crate::Manager::on_progress) sets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The time since the operation started.
    pub elapsed: Duration,
    /// The number of subproblems solved so far, in multiples of some thousands; while reordering, the
    /// number of swaps of two levels.
    pub steps: u64,
    /// The number of nodes, including garbage: of all functions or of all families, as the operation
    /// needs; of both while reordering.
    pub nodes: usize,
    /// While sifting, the number of sifted variables, and the number of all variables to sift.
    pub sifted: Option<(usize, usize)>,
}

/// A function that is called with the progress. A manager shares it with a detached copy, which may be on
/// another thread.
pub(crate) type OnProgress = Arc<Mutex<dyn FnMut(&Progress) + Send>>;

/// The limits that apply at the moment, and the progress of the running operation.
#[derive(Default)]
pub(crate) struct Watch {
    /// The limits of the running calls of `Manager::within`, the innermost last.
    active: RefCell<Vec<Active>>,
    on_progress: RefCell<Option<OnProgress>>,
    /// Whether variables are sifted automatically.
    sifting: Cell<bool>,
    /// Whether there is anything to check, to report or to sift.
    watching: Cell<bool>,
    /// The start of the operation, and the time of its last report.
    started: Cell<Option<Instant>>,
    reported: Cell<Option<Instant>>,
    steps: Cell<u64>,
    /// Whether the operations that start are parts of one that has started.
    parts: Cell<bool>,
    sifted: Cell<Option<(usize, usize)>>,
    /// The number of checks before one fails.
    #[cfg(test)]
    fuel: Cell<Option<u64>>,
}

#[derive(Debug)]
struct Active {
    /// The end of the time, if the limits have one.
    deadline: Option<Instant>,
    limits: Limits,
}

/// An operation that consists of others.
pub(crate) struct Parts<'w> {
    watch: &'w Watch,
    /// Whether it is a part itself.
    outer: bool,
}

impl Drop for Parts<'_> {
    fn drop(&mut self) {
        self.watch.parts.set(self.outer);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("active", &self.active).finish_non_exhaustive()
    }
}

impl Watch {
    /// Applies limits, from now on until `leave`.
    pub(crate) fn enter(&self, limits: &Limits) {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        self.active.borrow_mut().push(Active { deadline, limits: limits.clone() });
        self.watching.set(true);
    }

    /// Ends the limits that were applied last.
    pub(crate) fn leave(&self) {
        self.active.borrow_mut().pop();
        self.update();
    }

    /// Sets whether variables are sifted automatically.
    pub(crate) fn set_sifting(&self, sifting: bool) {
        self.sifting.set(sifting);
        self.update();
    }

    fn update(&self) {
        let reporting = self.on_progress.borrow().is_some();
        let limited = !self.active.borrow().is_empty();
        self.watching.set(limited || reporting || self.sifting.get());
    }

    /// Whether there is nothing to check, to report or to sift.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        !self.watching.get()
    }

    pub(crate) fn on_progress(&self, callback: OnProgress) {
        *self.on_progress.borrow_mut() = Some(callback);
        self.watching.set(true);
    }

    /// Reports to the progress function of another manager, if there is one.
    pub(crate) fn report_with(&self, other: &Watch) {
        if let Some(callback) = &*other.on_progress.borrow() {
            self.on_progress(callback.clone());
        }
    }

    /// Starts an operation. Fails if the token is cancelled or the time is over.
    #[inline]
    pub(crate) fn start(&self) -> Result<(), Error> {
        if self.watching.get() { self.start_watching() } else { Ok(()) }
    }

    /// Starts an operation that consists of others, until the guard is dropped.
    pub(crate) fn start_parts(&self) -> Result<Parts<'_>, Error> {
        self.start()?;
        Ok(Parts { watch: self, outer: self.parts.replace(true) })
    }

    #[cold]
    fn start_watching(&self) -> Result<(), Error> {
        if self.parts.get() {
            return self.check();
        }
        let now = Instant::now();
        self.started.set(Some(now));
        self.reported.set(Some(now));
        self.steps.set(0);
        self.sifted.set(None);
        self.check()
    }

    /// Sets the number of sifted variables, and the number of all variables to sift.
    pub(crate) fn set_sifted(&self, sifted: Option<(usize, usize)>) {
        self.sifted.set(sifted);
    }

    /// Fails if the token is cancelled or the time is over.
    pub(crate) fn check(&self) -> Result<(), Error> {
        #[cfg(test)]
        if let Some(checks) = self.fuel.get() {
            self.fuel.set(Some(checks.checked_sub(1).ok_or(Error::Cancelled)?));
        }
        for Active { deadline, limits } in &*self.active.borrow() {
            if limits.cancel.iter().any(CancelToken::is_cancelled) {
                return Err(Error::Cancelled);
            }
            if deadline.is_some_and(|end| Instant::now() >= end) {
                let time = limits.time.expect("the end of a time");
                return Err(Error::LimitReached(ManagerLimit::Time(time)));
            }
        }
        Ok(())
    }

    /// Notes that further steps are done, and reports them. Fails as [`check`](Watch::check) does.
    pub(crate) fn advance(&self, steps: u64, nodes: usize) -> Result<(), Error> {
        if !self.watching.get() {
            return Ok(());
        }
        self.steps.set(self.steps.get() + steps);
        if let Some(callback) = &*self.on_progress.borrow() {
            let now = Instant::now();
            let since = |then: Option<Instant>| then.map_or(Duration::ZERO, |then| now - then);
            if since(self.reported.get()) >= INTERVAL {
                self.reported.set(Some(now));
                // A panic of the function in an earlier operation is no reason not to call it.
                let mut callback = callback.lock().unwrap_or_else(PoisonError::into_inner);
                (*callback)(&Progress {
                    elapsed: since(self.started.get()),
                    steps: self.steps.get(),
                    nodes,
                    sifted: self.sifted.get(),
                });
            }
        }
        self.check()
    }

    /// Sets the number of checks before one fails.
    #[cfg(test)]
    pub(crate) fn set_fuel(&self, checks: Option<u64>) {
        self.fuel.set(checks);
    }

    /// The tightest of the given limits and the limits that apply, with the time that is left, for a
    /// build outside of the manager.
    pub(crate) fn tighten(&self, limits: &Limits) -> Limits {
        let mut tight = limits.clone();
        for Active { deadline, limits } in &*self.active.borrow() {
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            tight.time = tight.time.into_iter().chain(left).min();
            tight.states = tight.states.into_iter().chain(limits.states).min();
            tight.bytes = tight.bytes.into_iter().chain(limits.bytes).min();
            tight.cancel.extend(limits.cancel.iter().cloned());
        }
        tight
    }
}
