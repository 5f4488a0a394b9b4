//! What travels with a state in a sweep.

/// What a sweep keeps beside the states that it meets.
///
/// Nearly all of the engine is the same for all three and asks when it matters. What is not (to
/// expand a state and to merge a record) is compiled for edges, and for numbers of the common
/// widths and of any: with nothing to keep, they have no limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carry {
    /// The edges that are walked: what is left is the unreduced diagram.
    Edges,
    /// With each state the number of assignments that lead to it.
    Numbers,
    /// Nothing: the sweep only sees how wide the levels are.
    Nothing,
}

impl Carry {
    /// The name of the payload in a checkpoint.
    pub(super) fn name(self) -> &'static str {
        match self {
            Carry::Edges => "edges",
            Carry::Numbers => "counts",
            Carry::Nothing => "nothing",
        }
    }

    pub(super) fn edges(self) -> bool {
        self == Carry::Edges
    }

    pub(super) fn numbers(self) -> bool {
        self == Carry::Numbers
    }
}
