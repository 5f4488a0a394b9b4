//! Specs whose states are arrays of a length that is known at run time.
//!
//! `typed` converts a row of words to head and items, and `words` makes an object of that. As a spec, this
//! object has states of any number of words (`rows`), or of a number for which the engine is compiled
//! (`fixed`).

mod fixed;
mod rows;
#[cfg(test)]
mod tests;
mod typed;
mod words;

use super::{BoxedSpec, Forced, Step};
pub(crate) use fixed::FixedRows;
pub(crate) use rows::Rows;
use std::fmt::Debug;
pub(crate) use typed::Typed;
pub(crate) use words::WordSpec;

/// A family of solutions, described from the top down, whose states are an array of equal items and a
/// head, all of plain data.
///
/// The number of items is known at run time only, and may differ by variable: a degree for each vertex
/// on the frontier of a graph, a load for each machine. A [`DdSpec`](super::DdSpec) with a `Vec` in its state needs
/// an allocation for each state; these states are stored as they are, and a step updates one in place.
/// They correspond to the `PodArrayDdSpec` and the `HybridDdSpec` of TdZdd.
///
/// | to | use |
/// | --- | --- |
/// | sweep | [`Frontier::of_arrays`](crate::Frontier::of_arrays) |
/// | combine, search or check it | [`boxed`](ArraySpec::boxed), whose result is a [`DdSpec`](super::DdSpec) |
///
/// # Contract
///
/// The contract of [`DdSpec`](super::DdSpec), and:
///
/// - [`len`](ArraySpec::len) always returns the same for a variable.
/// - The slices have the length of the longest state. On entry, the first `len(variable)` items are
///   the items of the state, and the others are zero. After a step to a later variable `to`, the first
///   `len(to)` items are the state, and the others are dropped.
/// - After a step to a terminal, head and items do not matter.
///
/// Two states are equal if all their bytes are, so no `Eq` or `Hash` is needed. A file of states, such as a
/// checkpoint, can be read on machines with the same byte order.
///
/// A state is stored as 64-bit words, without an allocation up to 16 words.
///
/// # Example
///
/// Matchings of a graph, edge by edge: the state has for each vertex whether it has an edge yet. Vertices
/// after which no edge comes are dropped.
///
/// ```
/// use topdd::spec::ArraySpec;
/// use topdd::{Frontier, Step, check};
///
/// struct Matchings { edges: Vec<(usize, usize)> } // (a, b) with a > b, descending
///
/// impl ArraySpec for Matchings {
///     type Head = (); // no further facts
///     type Item = u8; // the degree of a vertex: 0 or 1
///     fn num_vars(&self) -> usize { self.edges.len() }
///     fn len(&self, edge: usize) -> usize { self.edges[edge].0 + 1 }
///     fn root(&self, _: &mut (), _: &mut [u8]) -> Step<()> { Step::To(0, ()) } // all are zero
///     fn child(&self, _: &mut (), degrees: &mut [u8], edge: usize, taken: usize) -> Step<()> {
///         let (a, b) = self.edges[edge];
///         if taken == 1 {
///             degrees[a] += 1;
///             degrees[b] += 1;
///             if degrees[a] > 1 || degrees[b] > 1 { return Step::Zero; }
///         }
///         if edge + 1 == self.edges.len() { Step::One } else { Step::To(edge + 1, ()) }
///     }
/// }
///
/// let edges = vec![(3, 2), (3, 1), (3, 0), (2, 1), (2, 0), (1, 0)]; // all pairs of four vertices
/// let matchings = || Matchings { edges: edges.clone() };
/// assert_eq!(Frontier::of_arrays(matchings()).count()?, 10u32.into());
/// let verified = check::verify(&matchings().boxed(), |taken| {
///     let degree = |v| edges.iter().zip(taken).filter(|((a, b), t)| **t == 1 && (*a == v || *b == v)).count();
///     (0..4).all(|v| degree(v) < 2)
/// })?;
/// assert!(verified.all_states());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Head and items may be any [`Pod`](bytemuck::Pod) with an alignment of at most eight bytes: integers, arrays
/// of them, or structs without padding:
///
/// ```
/// use topdd::bytemuck::{Pod, Zeroable};
///
/// #[derive(Clone, Copy, Debug, Pod, Zeroable)]
/// #[bytemuck(crate = "topdd::bytemuck")]
/// #[repr(C)]
/// struct Load { jobs: u16, hours: u16 }
/// ```
pub trait ArraySpec: Send + Sync {
    /// The facts other than the items: `()`, a number, an array of numbers, a struct without padding.
    type Head: bytemuck::Pod + Debug;

    /// An item. Its size is not 0.
    type Item: bytemuck::Pod + Debug;

    /// Returns the number of variables; see [`DdSpec::num_vars`](super::DdSpec::num_vars).
    fn num_vars(&self) -> usize;

    /// Returns the number of values of `variable`: two unless overridden; see [`DdSpec::arity`](super::DdSpec::arity).
    fn arity(&self, variable: usize) -> usize {
        let _ = variable;
        2
    }

    /// Returns the number of items of a state at `variable`, at most as many as fit into 1 GiB. Called once
    /// for each variable.
    fn len(&self, variable: usize) -> usize;

    /// Writes the first state into `head` and `items`, which are zero, and returns its variable; or
    /// returns a terminal. Without variables, there are no items.
    fn root(&self, head: &mut Self::Head, items: &mut [Self::Item]) -> Step<()>;

    /// Makes the state after `variable` took `value` of the state in `head` and `items`, and returns its
    /// variable; or returns a terminal. See [`DdSpec::child`](super::DdSpec::child).
    fn child(
        &self,
        head: &mut Self::Head,
        items: &mut [Self::Item],
        variable: usize,
        value: usize,
    ) -> Step<()>;

    /// Returns the least value, from `from` on, that may lead elsewhere than to the 0-terminal; the arity
    /// or more if there is none. Returns `from` unless overridden. Override it where most values lead
    /// to the 0-terminal and the next one can be found without trying each value.
    ///
    /// ```
    /// use topdd::Step;
    /// use topdd::spec::ArraySpec;
    ///
    /// /// Permutations of `0..n` for any `n`: variable = position, value = number.
    /// struct Permutations { n: usize }
    ///
    /// impl ArraySpec for Permutations {
    ///     type Head = ();
    ///     type Item = u64; // a bit for each number, set if it is used
    ///     fn num_vars(&self) -> usize { self.n }
    ///     fn arity(&self, _: usize) -> usize { self.n }
    ///     fn len(&self, _: usize) -> usize { self.n.div_ceil(64) }
    ///     fn root(&self, _: &mut (), _: &mut [u64]) -> Step<()> { Step::To(0, ()) }
    ///     fn child(&self, _: &mut (), used: &mut [u64], position: usize, number: usize) -> Step<()> {
    ///         let bit = 1 << (number % 64);
    ///         if used[number / 64] & bit != 0 { return Step::Zero; }
    ///         used[number / 64] |= bit;
    ///         if position + 1 == self.n { Step::One } else { Step::To(position + 1, ()) }
    ///     }
    ///     fn next_value(&self, _: &(), used: &[u64], _: usize, from: usize) -> usize {
    ///         let used_from = used.get(from / 64).map_or(0, |word| word >> (from % 64));
    ///         from + used_from.trailing_ones() as usize // the bits shifted in are 0
    ///     }
    /// }
    ///
    /// let spec = Permutations { n: 10 }.boxed();
    /// assert_eq!(topdd::count(&spec)?, 3628800u32.into());
    /// topdd::check::contract(&spec, topdd::Rule::ZeroSuppressed, 2000)?; // it agrees with `child`
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    fn next_value(
        &self,
        head: &Self::Head,
        items: &[Self::Item],
        variable: usize,
        from: usize,
    ) -> usize {
        let _ = (head, items, variable);
        from
    }

    /// Returns the only value that the state may take, if that is cheap to determine, and makes the state
    /// after it; see [`DdSpec::forced`](super::DdSpec::forced). If it returns [`Forced::Free`], the changes are dropped.
    #[inline]
    fn forced(
        &self,
        head: &mut Self::Head,
        items: &mut [Self::Item],
        variable: usize,
    ) -> Forced<()> {
        let _ = (head, items, variable);
        Forced::Free
    }

    /// Returns an earlier variable that is like `variable`; see [`DdSpec::like`](super::DdSpec::like). Items beyond the
    /// [`len`](ArraySpec::len) of a target are dropped, so the targets of both variables have the same `len`.
    fn like(&self, variable: usize) -> Option<usize> {
        let _ = variable;
        None
    }

    /// Checks the parameters of the spec; see [`DdSpec::validate`](super::DdSpec::validate).
    ///
    /// # Errors
    ///
    /// A message that names the cause and the remedy.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Writes a state as text; see [`DdSpec::describe`](super::DdSpec::describe).
    fn describe(&self, head: &Self::Head, items: &[Self::Item]) -> String {
        super::describe_by_debug(&(head, items))
    }

    /// Returns this spec as a [`BoxedSpec`], to combine it with others, to search it, or to check it. Calls
    /// [`len`](ArraySpec::len) once for each variable.
    ///
    /// Cost: each call of the spec copies a state; a state of more than two words needs an allocation.
    /// [`Frontier::of_boxed`](crate::Frontier::of_boxed) does neither: it stores states of up to 1, 2, 4, 8 or
    /// 16 words as they are, and only the calls of the spec are dynamic.
    ///
    /// ```
    /// use topdd::spec::ArraySpec;
    /// use topdd::{Frontier, SpecExt, Step};
    ///
    /// /// Words of `n` letters, each at most twice.
    /// struct Twice { n: usize, letters: usize }
    ///
    /// impl ArraySpec for Twice {
    ///     type Head = ();
    ///     type Item = u8; // how often the letter has been used
    ///     fn num_vars(&self) -> usize { self.n }
    ///     fn arity(&self, _: usize) -> usize { self.letters }
    ///     fn len(&self, _: usize) -> usize { self.letters }
    ///     fn root(&self, _: &mut (), _: &mut [u8]) -> Step<()> { Step::To(0, ()) }
    ///     fn child(&self, _: &mut (), used: &mut [u8], position: usize, letter: usize) -> Step<()> {
    ///         used[letter] += 1;
    ///         if used[letter] > 2 { Step::Zero }
    ///         else if position + 1 == self.n { Step::One }
    ///         else { Step::To(position + 1, ()) }
    ///     }
    /// }
    ///
    /// let twice = Twice { n: 3, letters: 30 }.boxed();
    /// let ascending = topdd::dp(3, 0)
    ///     .arity(30)
    ///     .step(|&last, _, letter| (letter >= last).then_some(letter))
    ///     .accept(|_| true);
    /// assert_eq!(topdd::count(&(&twice).and(ascending))?, 4930u32.into());
    /// assert_eq!(Frontier::of_boxed(twice).count()?, (30u32.pow(3) - 30).into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    fn boxed<'a>(self) -> BoxedSpec<'a>
    where
        Self: Sized + 'a,
    {
        Rows::new(Typed::new(self)).into()
    }
}
