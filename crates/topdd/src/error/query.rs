//! Errors of queries of a diagram.

use super::{BuildError, ProcessFault, ReportedError};
use crate::query::{Conflict, Decision};
use num_bigint::BigUint;
use std::fmt;

/// The reason why a query of a diagram has no result: an argument does not fit the diagram, or the
/// diagram that is the result could not be built.
///
/// All diagrams are unchanged. `Display` writes the cause and advice,
/// and so does `Debug`, for an error that `main` returns.
///
/// ```
/// use topdd::{QueryError, Zdd};
///
/// let zdd = Zdd::full([2, 3])?;
/// let error = zdd.contains(&[0, 3]).unwrap_err();
/// assert_eq!(error, QueryError::ValueOutOfRange { variable: 1, value: 3, arity: 3 });
/// # Ok::<(), QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The diagram that is the result could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),

    /// An assignment has the wrong number of values.
    #[error(
        "the assignment has {found} values, but the diagram has {num_vars} variables; give one value \
         for each"
    )]
    AssignmentLength {
        /// The number of values given.
        found: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// An assignment has a value that its variable does not have.
    #[error("variable {variable} has no value {value}; give one of 0..{arity}")]
    ValueOutOfRange {
        /// The variable.
        variable: usize,
        /// The value given.
        value: usize,
        /// The number of values of the variable.
        arity: usize,
    },

    /// A variable given does not exist.
    #[error("there is no variable {variable}; name one of 0..{num_vars}")]
    NoSuchVariable {
        /// The variable given.
        variable: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// A solution was requested, and there is none.
    #[error("there are no solutions (where that may be, call is_empty first, or match this error)")]
    NoSolutions,

    /// A rank is not below the number of solutions.
    #[error("there is no solution of rank {rank}; give one of 0..{count}")]
    RankOutOfRange {
        /// The rank given.
        rank: BigUint,
        /// The number of solutions.
        count: BigUint,
    },

    /// More different solutions were requested than there are.
    #[error(
        "{wanted} different solutions were asked for, but there are only {count} (ask for fewer, or \
         draw each with sample, which may repeat solutions)"
    )]
    TooFewSolutions {
        /// The number requested.
        wanted: usize,
        /// The number of solutions.
        count: BigUint,
    },

    /// Weights are for another number of variables.
    #[error(
        "the weights are for {found} variables, but there are {num_vars} (Weights::from_fn makes \
         them for a spec or a diagram)"
    )]
    WeightsLength {
        /// The number of variables that have weights.
        found: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// Weights are for another number of values.
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

    /// The numbers of solutions of all totals would take too much memory.
    #[error(
        "the totals range over {least}..={most}: the lists of counts of a few states take {bytes} bytes, \
         more than the limit of {limit} bytes (raise the memory limit if there is one, bound the totals \
         with count_by_within, or build a diagram and call count_by, which stores totals that occur)"
    )]
    TooManyTotals {
        /// The least total of any assignment, or the bound given.
        least: i128,
        /// The greatest total of any assignment, or the bound given.
        most: i128,
        /// The bytes of the lists that a sweep has in memory at the least.
        bytes: u128,
        /// The limit in bytes.
        limit: usize,
    },

    /// The weights given as probabilities of the values of a variable are not probabilities.
    #[error(
        "the probabilities of the values of variable {variable} must be numbers of 0 to 1 whose \
         sum is 1, but {message}"
    )]
    BadProbability {
        /// The variable.
        variable: usize,
        /// The fault.
        message: String,
    },

    /// The weights given as odds of the values of a variable are not odds.
    #[error(
        "the odds of the values of variable {variable} must be finite numbers that are not \
         negative, but {message}"
    )]
    BadOdds {
        /// The variable.
        variable: usize,
        /// The fault.
        message: String,
    },

    /// Every solution has weight 0, so none can be drawn by weight, and values have no share of the weight.
    #[error(
        "no solution has a weight above 0, so that none is likelier than another (give other weights; \
         sample and value_counts need none)"
    )]
    NoWeight,

    /// A variable has other than two values, so that it has no importance as one number.
    #[error(
        "variable {variable} has {arity} values, and the importance of a variable is for values 0 and 1 \
         (call gradient, which has a number for each value, or encode the diagram first)"
    )]
    NotTwoValued {
        /// The variable.
        variable: usize,
        /// The number of its values.
        arity: usize,
    },

    /// Two diagrams of one operation have different variables or arities.
    #[error("the diagrams have different variables: {message}")]
    DifferentVariables {
        /// The difference.
        message: String,
    },

    /// A list of variables contains one twice, or not all that are needed.
    #[error("the list of variables does not fit: {message}")]
    BadVariableList {
        /// The fault.
        message: String,
    },

    /// No solution agrees with a decision and the earlier ones.
    #[error("{0}")]
    Impossible(Conflict),

    /// A decision to be taken back is not in force.
    #[error(
        "{decision} is not a decision in force, so that it cannot be taken back \
         (Configurator::decisions lists those in force)"
    )]
    NotDecided {
        /// The decision.
        decision: Decision,
    },

    /// An encoding does not fit the variables of the diagram, or some solutions are no codes.
    #[error("the encoding does not fit: {message} (Encoding::new makes the encoding of a diagram)")]
    BadEncoding {
        /// The part that does not fit.
        message: String,
    },
}

impl ReportedError for QueryError {
    fn fault(&self) -> ProcessFault {
        match self {
            QueryError::Build(error) => error.fault(),
            _ => ProcessFault::Failed,
        }
    }
}

impl fmt::Debug for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
