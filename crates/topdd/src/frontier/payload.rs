//! The payload of a sweep.

/// The data that a sweep computes in addition to the states.
///
/// Nearly all of the engine is compiled once for all three. Only the inner loops (expanding a
/// state, merging a record) are compiled separately for edges, for numbers of one and of two
/// limbs, and for numbers of any width. [`Payload::Nothing`] uses the last, with zero limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// The edges of the unreduced diagram.
    Edges,
    /// For each state, the number of assignments that lead to it.
    Numbers,
    /// Nothing: the sweep only counts the states of each level.
    Nothing,
}

impl Payload {
    /// The name of the payload in a checkpoint.
    pub(super) fn name(self) -> &'static str {
        match self {
            Payload::Edges => "edges",
            Payload::Numbers => "counts",
            Payload::Nothing => "nothing",
        }
    }

    /// Whether the sweep stores edges.
    pub(super) fn edges(self) -> bool {
        self == Payload::Edges
    }

    /// Whether each state has a number.
    pub(super) fn numbers(self) -> bool {
        self == Payload::Numbers
    }
}
