//! Managers of the apply engine between and during calls of Python.
//!
//! A manager stays on one thread. Between two calls it is detached, behind a lock, and objects of Python have keys of its
//! functions. A call attaches it for a moment: on the calling thread, which keeps the interpreter, and if that takes longer
//! than [`QUICK`], again in the pool of [`run`](crate::run).

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::sleep;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use topdd_apply::{DetachedManager, Function, FunctionKey, Limits as ApplyLimits, Manager};
use topdd_problem::Run;

use crate::convert::call;
use crate::errors::{Failure, Outcome};
use crate::run::{Limits, Task, of_panic};

/// The longest time of a call on the calling thread. A small call takes less time than the way to the pool and back.
const QUICK: Duration = Duration::from_millis(2);
/// The time between two looks at a lock.
const WAIT: Duration = Duration::from_millis(1);

/// Whether the limits stop an operation, or it is a pass over all nodes of a diagram.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    Operation,
    Pass,
}

impl Work {
    /// The most nodes of a manager that works on the calling thread: no limit stops a pass, nor a collection of garbage.
    fn most_nodes(self) -> usize {
        match self {
            Work::Operation => 1_000_000,
            Work::Pass => 10_000,
        }
    }
}

/// The names of the variables, by number.
#[derive(Default)]
pub(crate) struct VariableNames {
    pub(crate) all: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl VariableNames {
    pub(crate) fn number(&self, name: &str) -> Outcome<usize> {
        self.numbers.get(name).copied().ok_or_else(|| {
            Failure::Input(format!("there is no variable {name:?}; declare({name:?}) makes it"))
        })
    }

    pub(crate) fn several(&self, names: &[String]) -> Outcome<Vec<usize>> {
        names.iter().map(|name| self.number(name)).collect()
    }
}

/// Names: a list, or text with blanks; or a dictionary from names to levels.
pub(crate) fn words(given: &Bound<'_, PyAny>) -> Outcome<Vec<String>> {
    if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_string().replace(',', " ");
        return Ok(text.split_whitespace().map(str::to_owned).collect());
    }
    let Ok(levels) = given.cast::<PyDict>() else {
        let names = given.try_iter().and_then(|names| names.map(|name| name?.extract()).collect());
        return names
            .map_err(|_| Failure::Input(format!("{given:?} is no list of names of variables")));
    };
    let mut pairs: Vec<(usize, String)> = Vec::new();
    for (name, level) in levels {
        pairs.push((level.extract()?, name.extract()?));
    }
    pairs.sort();
    if pairs.iter().map(|pair| pair.0).eq(0..pairs.len()) {
        return Ok(pairs.into_iter().map(|pair| pair.1).collect());
    }
    Err(Failure::Input(format!("the levels of {given:?} are not 0, 1, 2, .. once each")))
}

/// A manager between two calls.
#[derive(Default)]
struct Idle {
    /// `None` after a fault.
    manager: Option<DetachedManager>,
    names: VariableNames,
    nodes: usize,
    bytes: usize,
    /// Whether operations may reorder the variables, for which there is no time on the calling thread.
    sifts: bool,
}

/// A manager that its object of Python and the functions share.
pub(crate) struct SharedManager {
    idle: Mutex<Idle>,
    /// The keys of functions that no object of Python has any more. The next call releases them.
    dropped: Mutex<Vec<FunctionKey>>,
}

/// A function that stays in its manager as long as an object of Python has it.
pub(crate) struct Kept {
    manager: Arc<SharedManager>,
    key: Option<FunctionKey>,
}

impl Kept {
    pub(crate) fn key(&self) -> Option<&FunctionKey> {
        self.key.as_ref()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        lock(&self.manager.dropped).extend(self.key.take());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A manager during a call.
pub(crate) struct Attached<'a> {
    pub(crate) manager: &'a Manager,
    pub(crate) names: &'a mut VariableNames,
    shared: &'a Arc<SharedManager>,
}

impl Attached<'_> {
    pub(crate) fn function(&self, kept: &Kept) -> Outcome<Function> {
        let key = kept.key.as_ref().expect("a key until it is dropped");
        Ok(self.manager.function_of_key(key)?)
    }

    pub(crate) fn keep(&self, function: Function) -> Arc<Kept> {
        Arc::new(Kept { manager: self.shared.clone(), key: Some(function.into_key()) })
    }

    /// The names of the variables in their order.
    pub(crate) fn ordered_names(&self) -> Vec<String> {
        self.manager.order().into_iter().map(|number| self.names.all[number].clone()).collect()
    }

    /// Adds variables below all others, unless they exist.
    pub(crate) fn declare(&mut self, names: &[String]) -> Outcome<()> {
        for name in names {
            if !self.names.numbers.contains_key(name) {
                let added = self.manager.add_vars(1)?;
                self.names.numbers.insert(name.clone(), added.start);
                self.names.all.push(name.clone());
            }
        }
        Ok(())
    }

    /// Brings the variables into the order of these names.
    pub(crate) fn reorder(&self, names: &[String]) -> Outcome<()> {
        let order = self.names.several(names)?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.names.all.len()) {
            return Err(Failure::input("the order needs each variable of the manager once"));
        }
        Ok(self.manager.reorder(order)?)
    }
}

impl SharedManager {
    /// A manager without variables, of at most so many bytes.
    pub(crate) fn new(memory: usize) -> Outcome<Arc<Self>> {
        let manager = Manager::builder(0).max_bytes(memory).build()?.detach([], [])?;
        let idle = Idle { manager: Some(manager), ..Idle::default() };
        Ok(Arc::new(Self { idle: Mutex::new(idle), dropped: Mutex::default() }))
    }

    /// Calls an operation, which may start twice.
    pub(crate) fn call<T: Send + 'static>(
        self: &Arc<Self>,
        py: Python<'_>,
        work: Work,
        operation: impl Fn(&mut Attached<'_>) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let has_limits = call(py, "topdd._limits", "merged", (None::<()>,))?.is_truthy()?;
        let idle = if has_limits { None } else { self.idle.try_lock().ok() };
        if let Some(mut idle) = idle
            && !idle.sifts
            && idle.nodes <= work.most_nodes()
        {
            let limits = ApplyLimits::new().time_limit(QUICK);
            let attached = || self.attach(&mut idle, &limits, &operation);
            let done = catch_unwind(AssertUnwindSafe(attached));
            match done.unwrap_or_else(|panic| Err(of_panic(&*panic))) {
                Err(Failure::Timeout { .. }) => {}
                done => return done,
            }
        }
        let shared = self.clone();
        Limits::new(py, None)?.run(py, move |task| shared.attach_within(task, &operation))
    }

    /// Attaches the manager, and calls the operation within limits.
    fn attach<T>(
        self: &Arc<Self>,
        idle: &mut Idle,
        limits: &ApplyLimits,
        operation: &impl Fn(&mut Attached<'_>) -> Outcome<T>,
    ) -> Outcome<T> {
        let Some(detached) = idle.manager.take() else {
            return Err(Failure::Internal("the manager was lost in a fault".to_owned()));
        };
        let (manager, ..) = detached.attach();
        let dropped = std::mem::take(&mut *lock(&self.dropped));
        for key in dropped {
            manager.release(key).expect("a key of the manager");
        }
        let mut attached = Attached { manager: &manager, names: &mut idle.names, shared: self };
        let done =
            catch_unwind(AssertUnwindSafe(|| manager.within(limits, || operation(&mut attached))));
        let statistics = manager.statistics();
        (idle.nodes, idle.bytes) = (statistics.function_nodes, statistics.bytes);
        idle.sifts = manager.sifts_automatically();
        idle.manager = Some(manager.detach([], [])?);
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Waits for other calls, within the limits of the work.
    fn wait(&self, task: &Task) -> Outcome<MutexGuard<'_, Idle>> {
        loop {
            match self.idle.try_lock() {
                Ok(idle) => return Ok(idle),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    task.check()?;
                    sleep(WAIT);
                }
            }
        }
    }

    /// Attaches the manager in the pool of a call.
    pub(crate) fn attach_within<T>(
        self: &Arc<Self>,
        task: &Task,
        operation: &impl Fn(&mut Attached<'_>) -> Outcome<T>,
    ) -> Outcome<T> {
        let mut idle = self.wait(task)?;
        // The memory that the manager has is no longer available.
        let memory = task.memory.saturating_add(idle.bytes);
        self.attach(&mut idle, &task.limits().memory_limit(memory), operation)
    }
}
