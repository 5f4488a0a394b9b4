//! The error of problems, and the digest by which checkpoints tell problems apart.

use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};

use topdd::{BuildError, QueryError};
use topdd_apply::Error as ApplyError;
use topdd_chess::{KnightsError, PiecesError, QueensError};
use topdd_graph::families::FamilyError;

/// The error for a problem that cannot be combined or swept.
#[derive(Debug, thiserror::Error)]
pub enum ProblemError {
    /// A family would have too many conditions.
    #[error(
        "the family would have more than {most} conditions; build() the parts, and combine their diagrams"
    )]
    TooManyConditions {
        /// The largest number.
        most: usize,
    },
    /// A combination is too deep or too large to be swept at once.
    #[error(
        "at most {parts} families are combined before they are built, by at most {depth} operators inside of each \
         other; build() the parts, and combine their diagrams"
    )]
    TooManyParts {
        /// The largest number of problems.
        parts: usize,
        /// The largest number of operations inside of each other.
        depth: usize,
    },
    /// An order for a problem on a board.
    #[error("the order of a board, or of variables, is fixed; an order is for families of a graph")]
    FixedOrder,
    /// An order that does not fit an exact cover.
    #[error("the order of an exact cover is auto, given, or a list with each option once")]
    NoCoverOrder,
    /// Bad options of an exact cover.
    #[error("{0}")]
    Cover(String),
    /// A prediction for a problem that is no family of a graph.
    #[error(
        "predictions are for families of a graph, not for combinations, boards, exact covers and variables"
    )]
    NoPrediction,
    /// A constraint or a spec refuses its parameters.
    #[error("{0}")]
    Rule(String),
    /// A condition that is not for variables with values.
    #[error("variables with values have conditions on values, numbers and costs only")]
    NoRule,
    /// A combination of rules with a diagram, or a problem, that has another order of the variables.
    #[error(
        "the rules have the order of their variables, and the other operand another one; build() the rules first, and \
         combine the diagrams"
    )]
    OtherOrder,
    /// A checkpoint of rules whose states another process does not know.
    #[error(
        "the rules have states that only this process knows, so the run keeps no checkpoint; leave it out"
    )]
    NoCheckpoint,
    /// A bounded run of a problem whose states do not merge.
    #[error(
        "states of this family do not merge, so that a bounded run would prove little; ask for the best solution of its diagram"
    )]
    NoMerge,
    /// The library refuses a family.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// The library refuses queens.
    #[error(transparent)]
    Queens(#[from] QueensError),
    /// The library refuses pieces.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    /// The library refuses tours.
    #[error(transparent)]
    Tours(#[from] KnightsError),
    /// The apply engine failed.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// A sweep failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A query of a sweep failed.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Returns a digest of the text of a value, the same in each process.
pub fn digest(value: &impl fmt::Debug) -> u64 {
    struct Digest(DefaultHasher);

    impl fmt::Write for Digest {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }

    let mut digest = Digest(DefaultHasher::new());
    write!(digest, "{value:?}").expect("a digest takes any text");
    digest.0.finish()
}
