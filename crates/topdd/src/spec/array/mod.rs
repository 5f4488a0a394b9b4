//! Specs whose states are arrays of a length that is known at run time.
//!
//! `typed` converts a row of words to head and items, and `words` makes an object of that. As a spec, this
//! object has states of any number of words (`rows`), or of a number for which the engine is compiled
//! (`fixed`).

mod rows;
#[cfg(test)]
mod tests;

use super::{BoxedSpec, DdSpec, Forced, Portable, Space, Step};
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

pub(crate) use rows::{Rows, Typed};

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

    /// Makes a state with all completions of both in the place of the first one, and returns whether it did; see
    /// [`DdSpec::merge`](super::DdSpec::merge). Items beyond the [`len`](ArraySpec::len) of `variable` stay zero.
    fn merge(
        &self,
        head: &mut Self::Head,
        items: &mut [Self::Item],
        other_head: &Self::Head,
        other_items: &[Self::Item],
        variable: usize,
    ) -> bool {
        let _ = (head, items, other_head, other_items, variable);
        false
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

    /// Makes the state merged from two in the place of the first one, and returns whether there is one.
    fn merge(&self, words: &mut [u64], other: &[u64], variable: usize) -> bool;

    fn validate(&self) -> Result<(), String>;

    fn describe(&self, words: &[u64]) -> String;
}

/// A state of [`FixedRows`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FixedRow<const N: usize>([u64; N]);

/// A spec whose states have at most `N` words, or exactly `N` if `EXACT`. `W` is the spec as an object, or by
/// its type, for which the engine is then compiled where it is used.
pub(crate) struct FixedRows<W, const N: usize, const EXACT: bool> {
    spec: W,
    space: Space,
    /// The number of words of the longest state.
    num_words: usize,
}

impl<W: WordSpec, const N: usize, const EXACT: bool> FixedRows<W, N, EXACT> {
    pub(crate) fn new(spec: W) -> Self {
        let (space, num_words) = (spec.space().clone(), spec.num_words());
        debug_assert!(if EXACT { num_words == N } else { num_words <= N });
        FixedRows { spec, space, num_words }
    }

    /// Returns the spec without a fixed number of words.
    pub(crate) fn into_inner(self) -> W {
        self.spec
    }
}

impl<W, const N: usize, const EXACT: bool> FixedRows<W, N, EXACT> {
    /// The words of a state.
    #[inline]
    fn used<'w>(&self, words: &'w mut [u64; N]) -> &'w mut [u64] {
        // The constant length saves bounds checks.
        if EXACT { words } else { &mut words[..self.num_words] }
    }
}

impl<W: WordSpec, const N: usize, const EXACT: bool> DdSpec for FixedRows<W, N, EXACT> {
    type State = FixedRow<N>;

    fn num_vars(&self) -> usize {
        self.space.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        // By the type of the spec, the arity is often a constant; otherwise it would be a call.
        if EXACT { self.spec.arity(variable) } else { self.space.arity(variable) }
    }

    fn root(&self) -> Step<FixedRow<N>> {
        let mut words = [0; N];
        self.spec.root(self.used(&mut words)).map(|()| FixedRow(words))
    }

    #[inline]
    fn child(&self, state: &FixedRow<N>, variable: usize, value: usize) -> Step<FixedRow<N>> {
        let mut words = state.0;
        let step = self.spec.child(self.used(&mut words), variable, &mut { value }, false);
        step.map(|()| FixedRow(words))
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &FixedRow<N>,
        variable: usize,
        mut visit: impl FnMut(usize, Step<FixedRow<N>>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let arity = self.arity(variable);
        let mut value = 0;
        while value < arity {
            let mut words = state.0;
            let step = self.spec.child(self.used(&mut words), variable, &mut value, true);
            if !step.is_zero() {
                visit(value, step.map(|()| FixedRow(words)))?;
            }
            value = value.saturating_add(1);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn forced(&self, state: &FixedRow<N>, variable: usize) -> Forced<FixedRow<N>> {
        let mut words = state.0;
        let forced = self.spec.forced(self.used(&mut words), variable);
        forced.map(|step| step.map(|()| FixedRow(words)))
    }

    fn like(&self, variable: usize) -> Option<usize> {
        self.spec.like(variable)
    }

    fn merge(
        &self,
        one: &FixedRow<N>,
        other: &FixedRow<N>,
        variable: usize,
    ) -> Option<FixedRow<N>> {
        let mut words = one.0;
        let other = &other.0[..self.num_words];
        self.spec.merge(self.used(&mut words), other, variable).then_some(FixedRow(words))
    }

    fn validate(&self) -> Result<(), String> {
        self.spec.validate()
    }

    fn describe(&self, state: &FixedRow<N>) -> String {
        self.spec.describe(&state.0[..self.num_words])
    }
}

// Hashes word by word, without the length prefix of a slice.
impl<const N: usize> Hash for FixedRow<N> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for &word in &self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const N: usize> Portable for FixedRow<N> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Portable::read(bytes).map(FixedRow)
    }
}

impl<const N: usize> fmt::Debug for FixedRow<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_words(&self.0, f)
    }
}

/// Writes words as hexadecimal numbers.
fn write_words(words: &[u64], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    words.iter().enumerate().try_for_each(|(i, word)| {
        let space = if i == 0 { "" } else { " " };
        write!(f, "{space}{word:016x}")
    })
}
