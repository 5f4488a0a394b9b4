//! Why a question about a diagram has no result.

use super::BuildError;
use crate::query::{Conflict, Decision};
use num_bigint::BigUint;

/// Why a question about a diagram has no result: an argument does not fit the diagram, or the
/// diagram that is the result could not be built.
///
/// Every diagram is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The diagram that is the result could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),

    /// An assignment handed in has the wrong number of values.
    #[error(
        "the assignment has {found} values, but the diagram has {num_vars} variables; give one value \
         for each"
    )]
    AssignmentLength {
        /// The number of values handed in.
        found: usize,
        /// The number of variables.
        num_vars: usize,
    },

    /// An assignment handed in has a value that its variable does not have.
    #[error("variable {variable} has no value {value}; give one of 0..{arity}")]
    ValueOutOfRange {
        /// The variable.
        variable: usize,
        /// The value handed in.
        value: usize,
        /// The number of values of the variable.
        arity: usize,
    },

    /// A variable handed in does not exist.
    #[error("there is no variable {variable}; name one of 0..{num_vars}")]
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
    #[error("there is no solution of rank {rank}; give one of 0..{count}")]
    RankOutOfRange {
        /// The rank handed in.
        rank: BigUint,
        /// The number of solutions.
        count: BigUint,
    },

    /// More different solutions were asked for than there are.
    #[error(
        "{wanted} different solutions were asked for, but there are only {count} (ask for fewer, or \
         draw each with sample, which may repeat solutions)"
    )]
    TooFewSolutions {
        /// The number asked for.
        wanted: usize,
        /// The number of solutions.
        count: BigUint,
    },

    /// Weights handed in are for another number of variables.
    #[error(
        "the weights are for {found} variables, but the diagram has {num_vars} (Weights::from_fn makes \
         them for a diagram)"
    )]
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

    /// Weights handed in as the probabilities of the values of a variable are not probabilities.
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

    /// Weights handed in as the odds of the values of a variable are not odds.
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

    /// Every solution has the weight 0, so that none can be drawn by weight.
    #[error(
        "no solution has a weight above 0, so that none can be drawn by weight (give other weights, or \
         call sample)"
    )]
    NoWeight,

    /// Two diagrams of one operation have different variables or arities.
    #[error("the diagrams have different variables: {message}")]
    DifferentVariables {
        /// The difference.
        message: String,
    },

    /// A list of variables handed in names one twice, or not all that are needed.
    #[error("the list of variables does not fit: {message}")]
    BadVariableList {
        /// The fault.
        message: String,
    },

    /// No solution is left that agrees with a decision and the earlier ones.
    #[error("{0}")]
    Impossible(Conflict),

    /// A decision was to be taken back that is not in force.
    #[error(
        "{decision} is not a decision in force, so that it cannot be taken back \
         (Configurator::decisions lists those in force)"
    )]
    NotDecided {
        /// The decision.
        decision: Decision,
    },

    /// An encoding is for other variables than those of the diagram, or the diagram holds more
    /// than codes.
    #[error("the encoding does not fit: {message} (Encoding::of makes the encoding of a diagram)")]
    BadEncoding {
        /// The part that does not fit.
        message: String,
    },
}
