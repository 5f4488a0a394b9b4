//! Queens and superqueens: what they attack, and what a state keeps of it.

use std::fmt::Debug;

use super::mask::Mask;
use super::threats::{Leaps, Memory, Threats};
use crate::pieces::Piece;

/// A kind of queens: [`Plain`] or [`Super`], and nothing else.
pub trait Kind: sealed::Sealed + Copy + Debug + Eq + Send + Sync {
    /// The state of both specs.
    type State<M: Mask>: Memory<M>;
    /// What they attack.
    const PIECE: Piece;
}

/// Queens as in chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain;

/// Queens that move like knights, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Super;

impl Kind for Plain {
    type State<M: Mask> = Threats<M>;
    const PIECE: Piece = Piece::Queen;
}

impl Kind for Super {
    type State<M: Mask> = Leaps<M>;
    const PIECE: Piece = Piece::Superqueen;
}

mod sealed {
    /// Keeps [`Kind`](super::Kind) ours, so that it can grow.
    pub trait Sealed {}
    impl Sealed for super::Plain {}
    impl Sealed for super::Super {}
}
