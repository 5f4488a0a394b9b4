//! The steps of an operand of a conjunction as a table of numbers.

/// The step of a value that leads to the 0-terminal, instead of a number of a state.
pub(super) const DEAD: u16 = u16::MAX;
/// The status of a state that forces no value, instead of the value.
pub(super) const FREE: u16 = u16::MAX - 1;

/// The steps of an operand as numbers of states. The state before the first variable in scope has the number 0, and so has
/// each state after the last one.
pub(super) struct Table {
    /// The variables in scope in ascending order, with the index of the steps of each.
    pub(super) scope: Vec<(usize, usize)>,
    pub(super) steps: Vec<Steps>,
    pub(super) bits: u32,
}

/// The steps of all states at a variable, or at variables that are alike.
pub(super) struct Steps {
    pub(super) arity: usize,
    /// The number of the next state, for each state and value; empty for a state that does not occur.
    pub(super) next: Vec<Vec<u16>>,
    /// The value that each state forces, [`FREE`] or [`DEAD`].
    pub(super) forced: Vec<u16>,
}
