//! Queens and superqueens: their attacks and their states.

use std::fmt::Debug;

use super::mask::Mask;
use super::threats::{Leaps, Memory, Threats};
use crate::pieces::Piece;

/// A kind of queens, as the parameter of [`Queens`](super::Queens): [`Plain`] or [`Super`]. Sealed:
/// there are no others. [`Queens::superqueens`](super::Queens::superqueens) has an example.
pub trait Kind: sealed::Sealed + Copy + Debug + Eq + Send + Sync + 'static {
    /// The piece that attacks as they do.
    const PIECE: Piece;
}

/// Queens as in chess: the kind of [`Queens::new`](super::Queens::new).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain;

/// Superqueens, which also attack as knights: the kind of
/// [`Queens::superqueens`](super::Queens::superqueens).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Super;

impl Kind for Plain {
    const PIECE: Piece = Piece::Queen;
}

impl Kind for Super {
    const PIECE: Piece = Piece::Superqueen;
}

mod sealed {
    use super::{Leaps, Mask, Memory, Threats};

    /// Prevents other implementations of [`Kind`](super::Kind), and hides the states.
    pub trait Sealed {
        /// The state of both specs.
        type State<M: Mask>: Memory<M>;
    }

    impl Sealed for super::Plain {
        type State<M: Mask> = Threats<M>;
    }

    impl Sealed for super::Super {
        type State<M: Mask> = Leaps<M>;
    }
}
