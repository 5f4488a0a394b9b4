//! Everything that can go wrong, as one typed error.

use crate::query::{Conflict, Decision};
use crate::spec::{Rule, where_roots_go};
use num_bigint::BigUint;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why topdd could not answer.
///
/// Nothing is lost but the run: the memory it took has been given back, and the spec
/// and every finished diagram are as they were.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// [`DdSpec::validate`](crate::DdSpec::validate) refused the spec.
    #[error("the spec is not usable: {message}")]
    InvalidSpec {
        /// What `validate` said.
        message: String,
    },

    /// A variable has no values, or more than can be numbered.
    #[error("variable {variable} has arity {arity}; DdSpec::arity must answer 1 to {limit}")]
    BadArity {
        /// The variable.
        variable: usize,
        /// What the spec answered.
        arity: usize,
        /// The largest arity there can be.
        limit: usize,
    },

    /// The spec has more variables than can be numbered.
    #[error("the spec has {num_vars} variables; at most {limit} can be numbered")]
    TooManyVariables {
        /// What the spec answered.
        num_vars: usize,
        /// The largest number there can be.
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

    /// A limit that the caller set was reached.
    #[error("{limit} reached {}", stage(*variable))]
    LimitReached {
        /// Which limit, and its value.
        limit: Limit,
        /// The variable whose level was being expanded (or, in reduction, reduced).
        variable: Option<usize>,
    },

    /// The caller's token was cancelled.
    #[error("cancelled {}", stage(*variable))]
    Cancelled {
        /// The variable whose level was being expanded (or, in reduction, reduced).
        variable: Option<usize>,
    },

    /// More threads were asked for than is sensible.
    #[error("{threads} threads are too many; ask Frontier::threads for at most {limit}")]
    TooManyThreads {
        /// The number asked for.
        threads: usize,
        /// The most there can be.
        limit: usize,
    },

    /// The memory limit leaves no room to work, with everything on disk that can be.
    #[error(
        "the memory limit of {limit} bytes is too small {}: with everything else on disk, at \
         least {least} bytes are needed there (raise memory_limit)",
        stage(*variable)
    )]
    LimitTooSmall {
        /// The limit.
        limit: usize,
        /// The least that would do here; later levels may need more.
        least: usize,
        /// The variable whose level was being expanded.
        variable: Option<usize>,
    },

    /// Something could not be done to a file or a directory.
    #[error("could not {what} {}: {message}{}", path.display(), io_advice(what, *kind))]
    Io {
        /// What was tried.
        what: String,
        /// The file or directory.
        path: PathBuf,
        /// What kind of error it was.
        kind: io::ErrorKind,
        /// What the system said.
        message: String,
    },

    /// A file is not as topdd left it.
    #[error(
        "{} is damaged: {message} (remove the topdd-* files of that directory to start anew)",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },

    /// A checkpoint directory holds the checkpoint of a different run.
    #[error(
        "{} holds the checkpoint of another run: its {what} is {found}, that of this run is \
         {expected} (repeat that call to resume it, or name another directory)",
        path.display()
    )]
    OtherCheckpoint {
        /// The directory.
        path: PathBuf,
        /// In what the runs differ.
        what: String,
        /// What the checkpoint says of it.
        found: String,
        /// What is so of this run.
        expected: String,
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

    /// A file, or what was read from a stream, is damaged or not of the format it was read
    /// as.
    #[error("{}: {format}, {at}: {message}", name_of(path.as_deref()))]
    Malformed {
        /// The file, if it is known.
        path: Option<PathBuf>,
        /// The format.
        format: &'static str,
        /// Where it is wrong.
        at: Position,
        /// What was found there, what is expected, and what to do about it.
        message: String,
    },

    /// A file has a diagram under the other rule.
    #[error(
        "{} has a diagram under the rule {found:?}, where {expected:?} was asked for (read an \
         AnyDiagram, and convert it with to_rule)",
        name_of(path.as_deref())
    )]
    OtherRule {
        /// The file, if it is known.
        path: Option<PathBuf>,
        /// The rule of the diagram.
        found: Rule,
        /// The rule that was asked for.
        expected: Rule,
    },

    /// What is read from or written to failed.
    #[error("could not {what}: {message}")]
    Stream {
        /// What was tried.
        what: String,
        /// What kind of error it was.
        kind: io::ErrorKind,
        /// What the system said.
        message: String,
    },

    /// A picture of a diagram would have more nodes than can be told apart.
    #[error(
        "the picture would have {nodes} nodes and at least {edges} edges, which cannot be told \
         apart; it may have {limit} nodes, and twice as many edges (raise SvgOptions::limit, \
         draw a part of the diagram, or let Graphviz try: write_dot)"
    )]
    TooLargeToDraw {
        /// The nodes of the diagram.
        nodes: usize,
        /// The edges that would be drawn, at least.
        edges: usize,
        /// The most nodes there may be, and half the most edges.
        limit: usize,
    },

    /// A level or a diagram has more nodes than 32-bit numbers can name.
    #[error(
        "{what} has more than {limit} {unit}, which topdd cannot number; count without a \
         diagram (Frontier::count), or order the variables for a narrower one"
    )]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// What it has too many of.
        unit: &'static str,
        /// How many there can be.
        limit: u64,
    },

    /// An assignment handed in has the wrong number of values.
    #[error("the assignment has {found} values, but the diagram has {num_vars} variables")]
    AssignmentLength {
        /// The number of values handed in.
        found: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// An assignment handed in has a value that its variable does not have.
    #[error("variable {variable} has no value {value}; its values are 0..{arity}")]
    ValueOutOfRange {
        /// The variable.
        variable: usize,
        /// The value handed in.
        value: usize,
        /// The number of values of the variable.
        arity: usize,
    },

    /// A variable handed in does not exist.
    #[error("there is no variable {variable}; the variables are 0..{num_vars}")]
    NoSuchVariable {
        /// The variable handed in.
        variable: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// A diagram whose solutions were asked for as sets has a variable of other than two values.
    #[error(
        "variable {variable} has {arity} values, and only solutions over two-valued variables are \
         sets (call iter, or encode the diagram first: Encoding::one_hot and Diagram::encode)"
    )]
    NotASet {
        /// The variable.
        variable: usize,
        /// The number of its values.
        arity: usize,
    },

    /// A solution was asked of a diagram that has none.
    #[error("the diagram has no solutions (ask is_empty first where that may be)")]
    NoSolutions,

    /// A rank handed in is not that of a solution.
    #[error("there is no solution of rank {rank}; the ranks are 0..{count}")]
    RankOutOfRange {
        /// The rank handed in.
        rank: BigUint,
        /// The number of solutions.
        count: BigUint,
    },

    /// More different solutions were asked for than there are.
    #[error("{wanted} different solutions were asked for, but there are {count} only")]
    TooFewSolutions {
        /// How many were asked for.
        wanted: usize,
        /// The number of solutions.
        count: BigUint,
    },

    /// Weights handed in are for another number of variables.
    #[error("the weights are for {found} variables, but the diagram has {num_vars}")]
    WeightsLength {
        /// The number of variables that have weights.
        found: usize,
        /// The number of variables of the diagram.
        num_vars: usize,
    },

    /// Weights handed in are for another number of values.
    #[error(
        "variable {variable} has {found} weights, but {arity} values; give one weight for each \
         value"
    )]
    WeightsArity {
        /// The variable.
        variable: usize,
        /// The number of its weights.
        found: usize,
        /// The number of its values.
        arity: usize,
    },

    /// A diagram of variables of other than two values was to be written in a format that
    /// knows no others.
    #[error(
        "variable {variable} has {arity} values, but {format} knows variables of two values \
         only (encode the diagram first: Encoding::one_hot and Diagram::encode)"
    )]
    NotTwoValued {
        /// The name of the format.
        format: &'static str,
        /// The variable.
        variable: usize,
        /// The number of its values.
        arity: usize,
    },

    /// The probabilities of the values of a variable are none.
    #[error(
        "the probabilities of the values of variable {variable} must be numbers of 0 to 1 whose \
         sum is 1, but {message}"
    )]
    BadProbability {
        /// The variable.
        variable: usize,
        /// What is wrong with them.
        message: String,
    },

    /// The odds of the values of a variable are none.
    #[error(
        "the odds of the values of variable {variable} must be finite numbers that are not \
         negative, but {message}"
    )]
    BadOdds {
        /// The variable.
        variable: usize,
        /// What is wrong with them.
        message: String,
    },

    /// Every solution has the weight 0, so that none can be drawn by weight.
    #[error("no solution has a weight above 0, so that none can be drawn by weight")]
    NoWeight,

    /// Two diagrams that were to be held against each other have different variables.
    #[error("the diagrams have different variables: {message}")]
    DifferentVariables {
        /// In what they differ.
        message: String,
    },

    /// A list of variables that was handed in is not of the kind that is needed.
    #[error("the list of variables is of no use here: {message}")]
    BadVariableList {
        /// What is wrong with it.
        message: String,
    },

    /// No solution is left that agrees with a decision and the earlier ones.
    #[error("{0}")]
    Impossible(Conflict),

    /// A decision was to be taken back that is not in force.
    #[error("{decision} is not a decision in force, so that it cannot be taken back")]
    NotDecided {
        /// The decision.
        decision: Decision,
    },

    /// An encoding is for other variables than those of the diagram, or the diagram holds more
    /// than codes.
    #[error("the encoding does not fit: {message}")]
    BadEncoding {
        /// What does not fit.
        message: String,
    },

    /// A diagram is too large for a format.
    #[error("{format} has room for {limit} {unit}, but the diagram has {found}")]
    TooLargeForFormat {
        /// The name of the format.
        format: &'static str,
        /// What the diagram has too many of.
        unit: &'static str,
        /// How many there can be.
        limit: u64,
        /// How many there are.
        found: u64,
    },
}

impl Error {
    /// The same error, with the variable of the level that was at work if it names none.
    pub(crate) fn at(mut self, at: Option<usize>) -> Error {
        if let Error::LimitReached { variable, .. } | Error::Cancelled { variable } = &mut self {
            *variable = variable.or(at);
        }
        self
    }

    /// The same error, of a file with this name.
    pub(crate) fn in_file(mut self, file: &Path) -> Error {
        if let Error::Malformed { path, .. } | Error::OtherRule { path, .. } = &mut self {
            path.get_or_insert_with(|| file.to_owned());
        }
        self
    }

    /// What becomes of an error of a reader or a writer when `what` was attempted.
    pub(crate) fn stream(what: &str) -> impl FnOnce(io::Error) -> Error {
        let what = what.to_owned();
        move |error| Error::Stream { what, kind: error.kind(), message: error.to_string() }
    }

    /// What becomes of an error of the system when `what` was attempted at `path`.
    pub(crate) fn io(what: &str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let (what, path) = (what.to_owned(), path.to_owned());
        move |error| Error::Io { what, path, kind: error.kind(), message: error.to_string() }
    }
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Position {
    /// So many bytes from the start.
    Byte(u64),
    /// In a text: line and column, both counted from 1.
    Line(usize, usize),
    /// An item of a document, such as `levels[2].nodes[0]`, counted from 0.
    Item(String),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Byte(byte) => write!(f, "byte {byte}"),
            Position::Line(line, column) => write!(f, "line {line}, column {column}"),
            Position::Item(item) => f.write_str(item),
        }
    }
}

fn io_advice(what: &str, kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound if what.starts_with("read") => " (check the name)",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded if what.starts_with("save") => {
            " (free some space; a file of that name is as it was)"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            " (free some space, or name a directory that has more; a checkpoint is as it was)"
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            " (create the directory, or name one that exists)"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            " (name a directory that can be written to)"
        }
        _ => "",
    }
}

/// A file in a message.
fn name_of(path: Option<&Path>) -> Cow<'_, str> {
    path.map_or("the input".into(), Path::to_string_lossy)
}

fn where_steps_go(variable: usize, num_vars: usize) -> String {
    if variable + 1 < num_vars {
        format!(
            "a step must go to a later variable, one of {}..{num_vars} (answer Step::One where \
             no variable is left)",
            variable + 1
        )
    } else {
        "that is the last variable: answer Step::One or Step::Zero".to_owned()
    }
}

fn stage(variable: Option<usize>) -> String {
    variable.map_or_else(|| "before the first level".to_owned(), |v| format!("at variable {v}"))
}

/// A limit set on a [`Frontier`](crate::Frontier).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Frontier::max_states`](crate::Frontier::max_states): states over all levels.
    States(u64),
    /// [`Frontier::memory_limit`](crate::Frontier::memory_limit): bytes held at one time.
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
