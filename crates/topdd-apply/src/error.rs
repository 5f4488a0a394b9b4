//! The errors of all operations, as one type.

use std::time::Duration;

/// The reason why an operation has no result. `Display` writes it, with advice.
///
/// After an error the manager is usable and all handles are unchanged. The next collection frees
/// the nodes that the operation had made.
///
/// ```
/// use topdd_apply::{Error, Manager};
///
/// let manager = Manager::new(3)?;
/// let error = manager.var(3).unwrap_err();
/// assert_eq!(error, Error::UnknownVariable { variable: 3, num_vars: 3 });
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A limit of the manager is reached, even after a garbage collection.
    #[error("{limit} was reached; {advice}", limit = .0, advice = .0.advice())]
    LimitReached(ManagerLimit),

    /// The token given to [`Limits::cancel_with`](crate::Limits::cancel_with) was cancelled.
    #[error("cancelled; run it again with a new token")]
    Cancelled,

    /// There are more nodes than can be numbered.
    #[error("more than {limit} nodes cannot be numbered; order the variables for fewer")]
    TooManyNodes {
        /// The largest number supported.
        limit: usize,
    },

    /// There are more variables than can be numbered.
    #[error("{num_vars} variables are too many; ask for at most {limit}")]
    TooManyVariables {
        /// The number requested.
        num_vars: usize,
        /// The largest number supported.
        limit: usize,
    },

    /// Two handles belong to different managers.
    #[error(
        "the handles belong to different managers, one of {left} variables and one of {right}; \
         build both in one manager, or convert one (to_bdd and function_of, to_zdd and family_of)"
    )]
    MixedManagers {
        /// The number of variables of the first handle's manager.
        left: usize,
        /// The number of variables of the other handle's manager.
        right: usize,
    },

    /// A key is of another manager.
    #[error("the key is of another manager; use it with the manager that made it")]
    OtherManager,

    /// No node has the number.
    #[error("no function of the manager has the number {number}; keep the function of a number")]
    UnknownNumber {
        /// The number.
        number: i64,
    },

    /// There is no such variable.
    #[error("there is no variable {variable}; the manager has variables 0..{num_vars}")]
    UnknownVariable {
        /// The variable named.
        variable: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// A variable is named twice where it may be named once.
    #[error("variable {variable} is given more than once; give it once")]
    RepeatedVariable {
        /// The variable.
        variable: usize,
    },

    /// An order or a renaming is not a permutation.
    #[error("not a permutation of the variables 0..{num_vars}: {reason}")]
    NotAPermutation {
        /// The number of variables.
        num_vars: usize,
        /// The fault.
        reason: String,
    },

    /// A child of a new node is not below it in the order.
    #[error(
        "a node at variable {variable} needs children below it in the order; make nodes from the bottom up"
    )]
    NotBelow {
        /// The variable of the node.
        variable: usize,
    },

    /// An assignment has the wrong number of values.
    #[error(
        "the assignment has {found} values, but the manager has {num_vars} variables; give one for \
         each"
    )]
    AssignmentLength {
        /// The number of values given.
        found: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// A truth table has the wrong number of values.
    #[error(
        "the table has {found} values, but {num_vars} variables need 2 to the {num_vars}; give \
         that many"
    )]
    TableLength {
        /// The number of values given.
        found: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// A count over fewer variables than the function depends on.
    #[error(
        "the function depends on {support} variables; count over at least as many, not {asked}"
    )]
    TooFewVariables {
        /// The number of variables the function depends on.
        support: usize,
        /// The number requested.
        asked: usize,
    },

    /// The care set of a generalised cofactor is false.
    #[error(
        "the care set is false: there is no assignment on which to agree; give one \
         that is not false"
    )]
    EmptyCareSet,

    /// A family was divided by the empty family.
    #[error("a family cannot be divided by the empty family; check is_empty first")]
    EmptyDivisor,

    /// A literal of a clause or cube in signed notation is 0.
    #[error(
        "literal 0 in clause {clause}: literals are v + 1 for variable v, negated where it is false"
    )]
    ZeroLiteral {
        /// The position of the clause, from 0.
        clause: usize,
    },

    /// A text in DIMACS format is malformed.
    #[error("DIMACS, line {line}: {reason}")]
    Dimacs {
        /// The line, from 1.
        line: usize,
        /// The fault.
        reason: String,
    },

    /// An expression is malformed.
    #[error("expression, line {line}, column {column}: {reason}")]
    Expression {
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// The fault.
        reason: String,
    },

    /// An expression is too long.
    #[error(
        "the expression is longer than {limit} bytes: it repeats the nodes that a diagram shares; write the diagram"
    )]
    LongExpression {
        /// The largest length in bytes.
        limit: usize,
    },

    /// Two variables have the same name.
    #[error("the name \"{name}\" is given to two variables; give each a name of its own")]
    RepeatedName {
        /// The name.
        name: String,
    },

    /// A diagram does not fit the manager or the encoding.
    #[error("the diagram does not fit: {reason}")]
    Mismatch {
        /// The part that does not fit.
        reason: String,
    },

    /// Building a topdd diagram failed.
    #[error(transparent)]
    Diagram(topdd::BuildError),

    /// Reading or writing a file of another package failed.
    #[error(transparent)]
    File(#[from] topdd::FileError),
}

/// Converts a cancelled build to [`Error::Cancelled`], and all others to [`Error::Diagram`].
impl From<topdd::BuildError> for Error {
    fn from(error: topdd::BuildError) -> Self {
        match error {
            topdd::BuildError::Cancelled { .. } => Error::Cancelled,
            error => Error::Diagram(error),
        }
    }
}

/// A limit of a [`Manager`](crate::Manager), with its value: of the
/// [`ManagerBuilder`](crate::ManagerBuilder), or of [`Manager::within`](crate::Manager::within).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManagerLimit {
    /// [`ManagerBuilder::max_nodes`](crate::ManagerBuilder::max_nodes) or
    /// [`Limits::max_states`](crate::Limits::max_states).
    Nodes(usize),
    /// [`ManagerBuilder::max_bytes`](crate::ManagerBuilder::max_bytes) or
    /// [`Limits::memory_limit`](crate::Limits::memory_limit).
    Bytes(usize),
    /// [`Limits::time_limit`](crate::Limits::time_limit).
    Time(Duration),
}

impl ManagerLimit {
    fn advice(&self) -> &'static str {
        match self {
            ManagerLimit::Time(_) => "raise the limit",
            _ => "drop handles that are not needed, or raise the limit",
        }
    }
}

impl std::fmt::Display for ManagerLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ManagerLimit::Nodes(n) => write!(f, "the limit of {n} nodes (max_nodes, max_states)"),
            ManagerLimit::Bytes(n) => write!(f, "the limit of {n} bytes (max_bytes, memory_limit)"),
            ManagerLimit::Time(time) => write!(f, "the time limit of {time:?}"),
        }
    }
}
