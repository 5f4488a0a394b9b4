//! Array specs without their types: states are slices of 64-bit words.

use crate::spec::{Forced, Space, Step};

/// An array spec as an object. A state is a slice of [`num_words`](WordSpec::num_words) words. If a
/// state at its variable has fewer words, the last words are 0.
pub(crate) trait WordSpec: Send + Sync {
    fn space(&self) -> &Space;

    /// The arity by the spec itself, which is a constant where the compiler knows the type.
    fn arity(&self, variable: usize) -> usize;

    /// The number of words of the longest state.
    fn num_words(&self) -> usize;

    /// The number of words of a state at `variable`; all if there is no such variable.
    fn num_words_at(&self, variable: usize) -> usize;

    /// Makes the first state of a state of zeros.
    fn root(&self, words: &mut [u64]) -> Step<()>;

    /// Makes the child of a state for `value`, which is below the arity, in its place. If `skips`, moves
    /// `value` to the least one from there on that the spec does not skip first.
    // One method for both, so that the spec is inlined once.
    fn child(&self, words: &mut [u64], variable: usize, value: &mut usize, skips: bool)
    -> Step<()>;

    /// Makes the child of the only value of a state in its place, if there is such a value.
    fn forced(&self, words: &mut [u64], variable: usize) -> Forced<()>;

    /// Returns an earlier variable that is like a variable.
    fn like(&self, variable: usize) -> Option<usize>;

    fn validate(&self) -> Result<(), String>;

    fn describe(&self, words: &[u64]) -> String;
}
