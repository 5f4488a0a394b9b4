//! Errors of sweeps, searches and reductions, and panics of specs as errors.

use super::IoError;
use crate::spec::contract::Violation;
use crate::spec::where_roots_go;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;
use std::{fmt, io, thread};

/// The reason why a diagram was not built, or a spec not counted or not searched.
///
/// The error ends the run only: its memory is freed, and the spec and all finished diagrams are
/// unchanged. A checkpoint stays on disk. `Display` writes the cause and advice,
/// and so does `Debug`, for an error that `main` returns.
///
/// ```
/// use topdd::{BuildError, DdSpec, Step};
///
/// /// Steps from variable 1 to itself.
/// struct Stuck;
///
/// impl DdSpec for Stuck {
///     type State = u8;
///     fn num_vars(&self) -> usize { 3 }
///     fn root(&self) -> Step<u8> { Step::To(0, 7) }
///     fn child(&self, &state: &u8, _: usize, _: usize) -> Step<u8> { Step::To(1, state) }
/// }
///
/// let error = topdd::zdd(&Stuck).unwrap_err();
/// let BuildError::BadStep { variable, value, to, state, .. } = &error else { panic!("{error}") };
/// assert_eq!((*variable, *value, *to, &state[..]), (1, 0, 1, "7"));
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// [`DdSpec::validate`](crate::DdSpec::validate) refused the spec.
    #[error("the spec is not usable: {message}")]
    InvalidSpec {
        /// The message of `validate`.
        message: String,
    },

    /// A variable has no values, or more than can be numbered.
    #[error("variable {variable} has arity {arity}; DdSpec::arity must return 1 to {limit}")]
    BadArity {
        /// The variable.
        variable: usize,
        /// The value that the spec returned.
        arity: usize,
        /// The maximum arity.
        limit: usize,
    },

    /// The spec has more variables than can be numbered.
    #[error("the spec has {num_vars} variables; at most {limit} can be numbered")]
    TooManyVariables {
        /// The value that the spec returned.
        num_vars: usize,
        /// The maximum number of variables.
        limit: usize,
    },

    /// The root of the spec is at a variable that does not exist.
    #[error(
        "the root step goes to variable {to}, but the variables are 0..{num_vars} ({}); \
         state: {state}",
        where_roots_go(*to)
    )]
    RootBeyondLast {
        /// The variable the root step names.
        to: usize,
        /// The number of variables.
        num_vars: usize,
        /// The root state, as [`DdSpec::describe`](crate::DdSpec::describe) writes it.
        state: String,
    },

    /// A step goes to its own variable, to an earlier one, or beyond the last.
    #[error(
        "value {value} of variable {variable} steps to variable {to}, but {}; state: {state}",
        where_steps_go(*variable, *num_vars)
    )]
    BadStep {
        /// The variable that the step leaves.
        variable: usize,
        /// The value taken.
        value: usize,
        /// The variable that the step names.
        to: usize,
        /// The number of variables.
        num_vars: usize,
        /// The state that the step leaves, as [`DdSpec::describe`](crate::DdSpec::describe) writes it.
        state: String,
    },

    /// `for_each_child` visited a value that the variable does not have, or visited
    /// values out of ascending order.
    #[error(
        "for_each_child visited value {value} of variable {variable}{}; it must visit values \
         of 0..{arity} in ascending order, each once; state: {state}",
        match previous { Some(p) => format!(" after value {p}"), None => String::new() }
    )]
    BadValue {
        /// The variable.
        variable: usize,
        /// The value visited.
        value: usize,
        /// The value visited before it.
        previous: Option<usize>,
        /// The number of values of the variable.
        arity: usize,
        /// The state, as [`DdSpec::describe`](crate::DdSpec::describe) writes it.
        state: String,
    },

    /// The spec breaks its contract, as a [checked](crate::Frontier::checked) sweep found.
    #[error("the spec breaks its contract: {0}")]
    Violation(Box<Violation>),

    /// The spec panicked in the expansion of a state. The panic has printed its message. The calls that find
    /// the state print none: the first such error of a process wraps its panic hook for them.
    #[error(
        "the spec panicked at {}variable {variable}: {message}; state: {state} (call that method \
         of the spec with this state in a test)",
        match value { Some(value) => format!("value {value} of "), None => String::new() }
    )]
    SpecPanicked {
        /// The variable of the state.
        variable: usize,
        /// The value for which the step was computed, if it was one value.
        value: Option<usize>,
        /// The state, as [`DdSpec::describe`](crate::DdSpec::describe) writes it.
        state: String,
        /// The message of the panic.
        message: String,
    },

    /// The spec panicked where the state is unknown: in `root`, `num_vars`, `arity`, `validate`, in a
    /// comparison, hash, join or encoding of states, or anywhere in a search. Or a function that the
    /// run was given panicked, such as a semiring.
    #[error(
        "the spec, or a function that the run was given, panicked: {message} (with RUST_BACKTRACE=1, \
         the panic prints where)"
    )]
    Panicked {
        /// The message of the panic.
        message: String,
    },

    /// A limit that the caller set was reached.
    #[error("{limit} reached {}", stage(*variable))]
    LimitReached {
        /// The limit, with its value.
        limit: Limit,
        /// The variable whose level was being expanded (or, in reduction, reduced).
        variable: Option<usize>,
    },

    /// The caller's token was cancelled.
    #[error("cancelled {} (run it again with a new token)", stage(*variable))]
    Cancelled {
        /// The variable whose level was being expanded (or, in reduction, reduced).
        variable: Option<usize>,
    },

    /// The number of threads requested is above the limit.
    #[error("{threads} threads are too many; ask Frontier::threads for at most {limit}")]
    TooManyThreads {
        /// The number of threads requested.
        threads: usize,
        /// The maximum number of threads.
        limit: usize,
    },

    /// The memory limit is too small even with all spillable data on disk.
    #[error(
        "the memory limit of {limit} bytes is too small {}: with everything else on disk, at \
         least {least} bytes are needed there (raise memory_limit)",
        stage(*variable)
    )]
    LimitTooSmall {
        /// The limit in bytes.
        limit: usize,
        /// The minimum for the present level in bytes; later levels may need more.
        least: usize,
        /// The variable whose level was being expanded.
        variable: Option<usize>,
    },

    /// An operation on a file or a directory failed. Its source is the
    /// [`io::Error`](std::io::Error).
    #[error(transparent)]
    Io(IoError),

    /// A file does not have the content that topdd wrote.
    #[error(
        "{} is damaged: {message} (remove the topdd-* files of that directory to start anew)",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The fault.
        message: String,
    },

    /// A checkpoint directory holds the checkpoint of a different run.
    #[error(
        "{} holds the checkpoint of another run: its {what} is {found}, and the {what} \
         of this run is {expected} (repeat that call to resume it, or name another directory)",
        path.display()
    )]
    OtherCheckpoint {
        /// The directory.
        path: PathBuf,
        /// The property in which the runs differ.
        what: RunProperty,
        /// Its value in the checkpoint.
        found: String,
        /// Its value in this run.
        expected: String,
    },

    /// A checkpoint directory holds the checkpoint of another spec with the same key: some of its
    /// states, or their steps, differ from the states of this spec.
    #[error(
        "{} holds the checkpoint of another spec with the key {key:?}: the spec has changed since \
         it was written, or its methods do not always return the same (give the changed spec a key \
         and a directory of its own, or remove the topdd-* files of that directory to start anew)",
        path.display()
    )]
    SpecChanged {
        /// The directory.
        path: PathBuf,
        /// The key of the checkpoint.
        key: String,
    },

    /// Another run works with the checkpoint directory at this moment.
    #[error(
        "another run is using {} (wait for it, or name another directory)",
        path.display()
    )]
    DirectoryInUse {
        /// The directory.
        path: PathBuf,
    },

    /// Another process of a cluster failed or cannot take part, or the connection to it was lost.
    #[error("process {process} ({address}) {message}")]
    Process {
        /// The index of the process.
        process: usize,
        /// Its address, as the host file names it.
        address: String,
        /// The kind of the failure.
        fault: ProcessFault,
        /// The reason, a sentence without its subject.
        message: String,
    },

    /// A level or a diagram has more nodes than 32-bit numbers can name.
    #[error(
        "{what} has more than {limit} {unit}, which topdd cannot number; count without a \
         diagram (Frontier::count), or order the variables for a narrower one"
    )]
    TooLarge {
        /// The part that is too large.
        what: &'static str,
        /// The unit of the limit.
        unit: &'static str,
        /// The maximum number supported.
        limit: u64,
    },
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl BuildError {
    /// Returns the same error, with the variable of the current level if it names none.
    pub(crate) fn at(mut self, at: Option<usize>) -> Self {
        if let BuildError::LimitReached { variable, .. } | BuildError::Cancelled { variable } =
            &mut self
        {
            *variable = variable.or(at);
        }
        self
    }

    /// Makes an error of a failed operation `what` at `path`.
    pub(crate) fn io(what: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let (what, path) = (what.to_owned(), path.to_owned());
        move |error| BuildError::Io(IoError::new(what, Some(path), error))
    }
}

/// A property that a run and the checkpoint that it resumes have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RunProperty {
    /// The values that the sweep computes: counts, edges, sums.
    Payload,
    /// The key of the checkpoint.
    Key,
    /// The rule for skipped variables.
    Rule,
    /// The number of variables.
    NumVars,
    /// The root step, with its state encoded.
    Root,
    /// The arities of the variables.
    Arities,
}

impl RunProperty {
    const ALL: [Self; 6] =
        [Self::Payload, Self::Key, Self::Rule, Self::NumVars, Self::Root, Self::Arities];

    /// The property with a name, as a checkpoint stores it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|property| property.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Payload => "payload",
            Self::Key => "key",
            Self::Rule => "rule for skipped variables",
            Self::NumVars => "number of variables",
            Self::Root => "encoded root",
            Self::Arities => "list of arities",
        }
    }
}

impl fmt::Display for RunProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of a failure of another process of a cluster: of [`BuildError::Process`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProcessFault {
    /// The process reported a failure. The same call may succeed later.
    Failed,
    /// The process reported that its checkpoint is damaged, or of another run. The same call fails again until the
    /// files of that process change.
    Checkpoint,
    /// The process ended early, or the connection to it was lost.
    Lost,
    /// The process runs another problem or another question.
    Different,
    /// The process received a message that it cannot read.
    Unreadable,
}

/// An error that a process reports to the others.
pub(crate) trait ReportedError: fmt::Display {
    /// Returns the kind of the failure for the other processes.
    fn fault(&self) -> ProcessFault;
}

impl ReportedError for BuildError {
    fn fault(&self) -> ProcessFault {
        match self {
            BuildError::Damaged { .. }
            | BuildError::OtherCheckpoint { .. }
            | BuildError::SpecChanged { .. } => ProcessFault::Checkpoint,
            BuildError::Process { fault, .. } => *fault,
            _ => ProcessFault::Failed,
        }
    }
}

/// The most units that a part of a diagram may have.
pub(crate) struct SizeLimit {
    pub(crate) what: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) limit: u64,
}

impl SizeLimit {
    /// Fails with [`BuildError::TooLarge`] if `count` is beyond the limit.
    pub(crate) fn check(&self, count: u64) -> Result<(), BuildError> {
        let &SizeLimit { what, unit, limit } = self;
        if count > limit { Err(BuildError::TooLarge { what, unit, limit }) } else { Ok(()) }
    }
}

fn where_steps_go(variable: usize, num_vars: usize) -> String {
    if variable + 1 < num_vars {
        format!(
            "a step must go to a later variable, one of {}..{num_vars} (return Step::One where \
             no variable is left)",
            variable + 1
        )
    } else {
        "that is the last variable: return Step::One or Step::Zero".to_owned()
    }
}

fn stage(variable: Option<usize>) -> String {
    variable.map_or_else(|| "before the first level".to_owned(), |v| format!("at variable {v}"))
}

/// A limit set on a [`Frontier`](crate::Frontier) or a [`Search`](crate::Search), with its value.
///
/// ```
/// use topdd::{BuildError, Frontier, Limit, constraint};
///
/// let spec = constraint::all_different([12; 12]);
/// let error = Frontier::over(&spec).max_states(1000).count().unwrap_err();
/// assert!(matches!(error, BuildError::LimitReached { limit: Limit::States(1000), .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Frontier::max_states`](crate::Frontier::max_states): states over all levels.
    States(u64),
    /// [`Frontier::memory_limit`](crate::Frontier::memory_limit): bytes in use.
    Bytes(usize),
    /// [`Frontier::time_limit`](crate::Frontier::time_limit) or
    /// [`Search::time_limit`](crate::Search::time_limit): time since the start.
    Time(Duration),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::States(n) => write!(f, "the limit of {n} states (raise max_states) was"),
            Limit::Bytes(n) => {
                write!(f, "the limit of {n} bytes (raise memory_limit, or set spill_to) was")
            }
            Limit::Time(t) => write!(f, "the limit of {t:?} (raise time_limit) was"),
        }
    }
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("the panic has no message").to_owned()
}

/// Calls a function, and returns its panic as [`BuildError::Panicked`]. What the function changes must
/// not be used after an error.
pub(crate) fn caught<T, E: From<BuildError>>(call: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        Err(BuildError::Panicked { message: panic_message(&*panic) }.into())
    })
}

thread_local! {
    /// Whether this thread is in [`call_again`].
    static CALLS_AGAIN: Cell<bool> = const { Cell::new(false) };
}

/// Calls a part of a spec that has panicked, to find the call that panics. Returns `None` if it does. Its panic
/// prints no message, because the first panic has printed one.
///
/// The first call wraps the panic hook of the process: the hook before it is called for all other panics.
pub(crate) fn call_again<T>(call: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    // The hook cannot be changed in a destructor that runs because of a panic.
    if !thread::panicking() {
        HOOK.call_once(|| {
            let before = take_hook();
            set_hook(Box::new(move |info| {
                if !CALLS_AGAIN.get() {
                    before(info);
                }
            }));
        });
    }
    let outer = CALLS_AGAIN.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    CALLS_AGAIN.set(outer);
    result.ok()
}

/// Returns the text of the state at which a spec has panicked, from a call of `describe`, which may panic, too.
pub(crate) fn describe_after_panic(describe: impl FnOnce() -> String) -> String {
    call_again(describe).unwrap_or_else(|| "(describe panicked, too)".to_owned())
}
