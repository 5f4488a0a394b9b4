//! The limits of the operations of a manager: cancellation, time and progress, the common limits of its stores, and the number
//! of nodes at which the variables are sifted automatically.

use crate::Limits;
use crate::error::{Error, ManagerLimit};
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
pub(crate) struct OperationWatch {
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
pub(crate) struct StoreParts<'w> {
    watch: &'w OperationWatch,
    /// Whether it is a part itself.
    outer: bool,
}

impl Drop for StoreParts<'_> {
    fn drop(&mut self) {
        self.watch.parts.set(self.outer);
    }
}

impl fmt::Debug for OperationWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("active", &self.active).finish_non_exhaustive()
    }
}

impl OperationWatch {
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
    pub(crate) fn report_with(&self, other: &OperationWatch) {
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
    pub(crate) fn start_parts(&self) -> Result<StoreParts<'_>, Error> {
        self.start()?;
        Ok(StoreParts { watch: self, outer: self.parts.replace(true) })
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

    /// Notes that further steps are done, and reports them. Fails as [`check`](OperationWatch::check) does.
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

/// The limits on the size of a manager.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SizeLimits {
    pub(crate) nodes: Option<usize>,
    pub(crate) bytes: Option<usize>,
}

/// The limits of a manager, and the usage of its stores.
///
/// A store reserves memory here before it allocates.
#[derive(Debug, Default)]
pub(crate) struct StoreBudget {
    /// The limits of the manager itself.
    own: SizeLimits,
    /// The limits that apply at the moment.
    limits: Cell<SizeLimits>,
    nodes: Cell<usize>,
    bytes: Cell<usize>,
}

impl StoreBudget {
    pub(crate) fn new(own: SizeLimits) -> Self {
        StoreBudget { own, limits: Cell::new(own), ..StoreBudget::default() }
    }

    /// The limits of the manager itself, without the limits of `Manager::within`.
    pub(crate) fn own(&self) -> SizeLimits {
        self.own
    }

    /// Lowers the limits to `lower`, and returns the old ones.
    pub(crate) fn tighten(&self, lower: SizeLimits) -> SizeLimits {
        let old = self.limits.get();
        let min = |old: Option<usize>, new| old.into_iter().chain(new).min();
        self.limits.set(SizeLimits {
            nodes: min(old.nodes, lower.nodes),
            bytes: min(old.bytes, lower.bytes),
        });
        old
    }

    pub(crate) fn set_limits(&self, limits: SizeLimits) {
        self.limits.set(limits);
    }

    /// Returns the number of nodes of `bytes_each` bytes that may be allocated, at most `wanted`; an
    /// error if there is none.
    pub(crate) fn nodes(&self, wanted: usize, bytes_each: usize) -> Result<usize, Error> {
        let mut granted = wanted;
        let limits = self.limits.get();
        if let Some(max) = limits.nodes {
            granted = granted.min(max.saturating_sub(self.nodes.get()));
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Nodes(max)));
            }
        }
        if let Some(max) = limits.bytes {
            granted = granted.min(max.saturating_sub(self.bytes.get()) / bytes_each);
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Bytes(max)));
            }
        }
        Ok(granted)
    }

    /// Fails if `bytes` more bytes may not be allocated.
    pub(crate) fn require(&self, bytes: usize) -> Result<(), Error> {
        match self.limits.get().bytes {
            Some(max) if !self.has_bytes(bytes) => {
                Err(Error::LimitReached(ManagerLimit::Bytes(max)))
            }
            _ => Ok(()),
        }
    }

    /// Whether `bytes` more bytes may be allocated.
    pub(crate) fn has_bytes(&self, bytes: usize) -> bool {
        self.limits.get().bytes.is_none_or(|max| self.bytes.get() + bytes <= max)
    }

    /// Records a change in the usage of a store.
    pub(crate) fn book(&self, nodes: usize, bytes_before: usize, bytes_now: usize) {
        self.nodes.set(self.nodes.get() + nodes);
        self.bytes.set(self.bytes.get() + bytes_now - bytes_before);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.get()
    }
}

/// Starts automatic sifting: after an operation, or in the middle of one that can be started again.
#[derive(Debug)]
pub(crate) struct Trigger {
    /// The number of nodes at which the variables are sifted; `usize::MAX` for never.
    threshold: Cell<usize>,
    /// The least number of nodes at which the running operation is interrupted.
    raised: Cell<usize>,
    /// Whether the running operation can be started again.
    restartable: Cell<bool>,
    interrupted: Cell<bool>,
    /// The number of nodes that a restartable operation makes or finds before it is interrupted.
    #[cfg(test)]
    pub(crate) fuel: Cell<Option<u64>>,
}

/// An operation that can be started again.
pub(crate) struct Restartable<'t> {
    trigger: &'t Trigger,
}

impl Drop for Restartable<'_> {
    fn drop(&mut self) {
        self.trigger.restartable.set(false);
        self.trigger.raised.set(0);
    }
}

impl Trigger {
    pub(crate) fn new(threshold: usize) -> Self {
        Trigger {
            threshold: Cell::new(threshold),
            raised: Cell::new(0),
            restartable: Cell::new(false),
            interrupted: Cell::new(false),
            #[cfg(test)]
            fuel: Cell::new(None),
        }
    }

    /// Interrupts an operation that can be started again when the fuel is used up.
    #[cfg(test)]
    pub(crate) fn burn(&self) -> Result<(), Error> {
        if let Some(fuel) = self.fuel.get().filter(|_| self.restartable.get()) {
            self.fuel.set(fuel.checked_sub(1));
            if fuel == 0 {
                self.interrupted.set(true);
                return Err(Error::Cancelled);
            }
        }
        Ok(())
    }

    pub(crate) fn threshold(&self) -> usize {
        self.threshold.get()
    }

    pub(crate) fn set_threshold(&self, threshold: usize) {
        self.threshold.set(threshold);
    }

    /// Notes that the operation that starts can be started again, until the guard is dropped.
    pub(crate) fn allow_interrupts(&self) -> Restartable<'_> {
        self.restartable.set(true);
        Restartable { trigger: self }
    }

    /// Raises the threshold for the running operation.
    pub(crate) fn raise(&self, nodes: usize) {
        self.raised.set(nodes);
    }

    /// Interrupts the running operation if it can be started again and there are as many nodes as the
    /// threshold. Then the error does not matter: the operation is started again after sifting.
    pub(crate) fn interrupt(&self, nodes: usize) -> Result<(), Error> {
        if self.restartable.get() && nodes >= self.threshold.get().max(self.raised.get()) {
            self.interrupted.set(true);
            return Err(Error::Cancelled);
        }
        Ok(())
    }

    /// Whether the operation was interrupted since the last call.
    pub(crate) fn take_interrupted(&self) -> bool {
        self.interrupted.take()
    }
}
