//! Specs whose states are arrays of a length that is known at run time.

mod sized;
#[cfg(test)]
mod tests;
mod typed;
mod words;

use super::{DdSpec, Forced, Portable, Step};
pub use sized::ArrayWords;
pub(crate) use sized::SizedVisitor;
use sized::{Fixed, SizedSpec, write_words};
use smallvec::SmallVec;
use std::fmt::{self, Debug};
use std::ops::ControlFlow;
use typed::Typed;
use words::WordSpec;

/// A family of solutions, described from the top down, whose states are an array of equal items and a
/// head, all of plain data. [`Arrays`] makes a spec of it.
///
/// The number of items is known at run time only, and may differ by variable: a degree for each vertex
/// on the frontier of a graph, a load for each machine. A [`DdSpec`] with a `Vec` in its state needs
/// an allocation for each state; these states are stored as they are, and a step updates one in place.
/// They correspond to the `PodArrayDdSpec` and the `HybridDdSpec` of TdZdd.
///
/// # Contract
///
/// That of [`DdSpec`], and:
///
/// - [`len`](ArraySpec::len) always returns the same for a variable.
/// - The slices have the length of the longest state. On entry, the first `len(variable)` items are
///   those of the state, and the others are zero. After a step to a later variable `to`, the first
///   `len(to)` items are the state, and the others are dropped.
/// - After a step to a terminal, head and items do not matter.
///
/// Two states are equal if all their bytes are, so no `Eq` or `Hash` is needed. With
/// [`SpecExt`](super::SpecExt), [`check`](crate::check) and [`Frontier`](crate::Frontier), the spec
/// is used like any other. A file of states, such as a checkpoint, can be read on machines with the
/// same byte order.
///
/// # Example
///
/// Matchings of a graph, edge by edge: the state has for each vertex whether it has an edge yet. Vertices
/// after which no edge comes are dropped.
///
/// ```
/// use topdd::spec::{ArraySpec, Arrays};
/// use topdd::{Step, check};
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
/// let spec = Arrays::new(Matchings { edges: edges.clone() });
/// assert_eq!(topdd::count(&spec)?, 10u32.into());
/// check::verify(&spec, |taken| {
///     let degree = |v| edges.iter().zip(taken).filter(|((a, b), t)| **t == 1 && (*a == v || *b == v)).count();
///     (0..4).all(|v| degree(v) < 2)
/// })?;
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

    /// Returns the number of variables; see [`DdSpec::num_vars`].
    fn num_vars(&self) -> usize;

    /// Returns the number of values of `variable`: two unless overridden; see [`DdSpec::arity`].
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
    /// variable; or returns a terminal. See [`DdSpec::child`].
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
    /// use topdd::spec::{ArraySpec, Arrays};
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
    /// let spec = Arrays::new(Permutations { n: 10 });
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
    /// after it; see [`DdSpec::forced`]. If it returns [`Forced::Free`], the changes are dropped.
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

    /// Checks the parameters of the spec; see [`DdSpec::validate`].
    ///
    /// # Errors
    ///
    /// A message that names the cause and the remedy.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Writes a state as text; see [`DdSpec::describe`].
    fn describe(&self, head: &Self::Head, items: &[Self::Item]) -> String {
        super::describe_by_debug(&(head, items))
    }
}

/// An [`ArraySpec`] of any type as a spec. See the example of [`ArraySpec`].
///
/// The engine stores a state as an array of 64-bit words, without an allocation up to 16 words. The
/// number of words is rounded up to 1, 2, 4, 8 or 16. A longer state has the words of its variable, in an
/// allocation of its own. The engine is compiled for these sizes in the library, so a further array spec adds
/// little to the time to compile a program.
///
/// As a part of another spec, such as [`SpecExt::and`](super::SpecExt::and), a state of more than three
/// words needs an allocation.
///
/// Cost: one call through a trait object for each value visited, and one for each call of
/// [`forced`](DdSpec::forced).
pub struct Arrays<'a>(SizedSpec<'a>);

/// A state of [`Arrays`] as a part of another spec: 64-bit words, up to three of them without an allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ArrayState(SmallVec<[u64; 3]>);

/// An [`ArraySpec`] as a spec whose longest state has `N` words of 64 bits, for which the engine is compiled
/// where it is used: up to a fifth faster than [`Arrays`].
///
/// ```
/// use topdd::Step;
/// use topdd::spec::{ArraySpec, Arrays, FixedArrays};
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
/// let twice = |letters| Twice { n: 5, letters };
/// assert_eq!(topdd::count(&FixedArrays::<_, 1>::new(twice(4)).unwrap())?, 600u32.into());
/// assert!(FixedArrays::<_, 1>::new(twice(9)).is_none()); // nine bytes: two words
/// assert_eq!(topdd::count(&Arrays::new(twice(9)))?, 52_920u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub struct FixedArrays<S, const N: usize>(Fixed<Typed<S>, N, true>);

impl<S: ArraySpec, const N: usize> FixedArrays<S, N> {
    /// Makes a spec of an array spec; `None` unless the longest state has `N` words. See the example of
    /// [`FixedArrays`].
    pub fn new(spec: S) -> Option<Self> {
        let spec = Typed::new(spec);
        let space = spec.space().clone();
        Fixed::new(spec, space).map(FixedArrays)
    }
}

impl<S: ArraySpec, const N: usize> DdSpec for FixedArrays<S, N> {
    type State = ArrayWords<N>;

    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }

    fn root(&self) -> Step<ArrayWords<N>> {
        self.0.root()
    }

    #[inline]
    fn child(&self, state: &ArrayWords<N>, variable: usize, value: usize) -> Step<ArrayWords<N>> {
        self.0.child(state, variable, value)
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &ArrayWords<N>,
        variable: usize,
        visit: impl FnMut(usize, Step<ArrayWords<N>>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.for_each_child(state, variable, visit)
    }

    #[inline]
    fn forced(&self, state: &ArrayWords<N>, variable: usize) -> Forced<ArrayWords<N>> {
        self.0.forced(state, variable)
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, state: &ArrayWords<N>) -> String {
        self.0.describe(state)
    }
}

impl<'a> Arrays<'a> {
    /// Makes a spec of an array spec. Calls [`ArraySpec::len`] once for each variable. See the example of
    /// [`ArraySpec`].
    pub fn new<S: ArraySpec + 'a>(spec: S) -> Self {
        let spec = Typed::new(spec);
        let space = spec.space().clone();
        Arrays(SizedSpec::new(Box::new(spec), space))
    }

    /// Applies a function to the spec with states of a fixed number of words, or to `self` if a state needs
    /// too many.
    pub(crate) fn visit_sized<'s, V: SizedVisitor<'s>>(&'s self, visitor: V) -> V::Output {
        self.0.visit(visitor).unwrap_or_else(|visitor| visitor.visit(self))
    }

    fn words(&self) -> &(dyn WordSpec + 'a) {
        self.0.words()
    }

    /// A state of zeros, of the length of the longest.
    fn zeros(&self) -> ArrayState {
        ArrayState(SmallVec::from_elem(0, self.words().num_words()))
    }

    /// A copy of a state, with zeros up to the length of the longest.
    fn extended(&self, state: &ArrayState) -> ArrayState {
        let mut next = state.clone();
        next.0.resize(self.words().num_words(), 0);
        next
    }

    /// The step to a state, without the words that a state at its variable does not have.
    fn shortened(&self, step: Step<()>, mut state: ArrayState) -> Step<ArrayState> {
        match step {
            Step::Zero => Step::Zero,
            Step::One => Step::One,
            Step::To(to, ()) => {
                state.0.truncate(self.words().num_words_at(to));
                Step::To(to, state)
            }
        }
    }
}

impl DdSpec for Arrays<'_> {
    type State = ArrayState;

    fn num_vars(&self) -> usize {
        self.words().num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.words().arity(variable)
    }

    fn root(&self) -> Step<ArrayState> {
        let mut state = self.zeros();
        let step = self.words().root(&mut state.0);
        self.shortened(step, state)
    }

    fn child(&self, state: &ArrayState, variable: usize, value: usize) -> Step<ArrayState> {
        let mut next = self.extended(state);
        let step = self.words().child(&mut next.0, variable, &mut { value }, false);
        self.shortened(step, next)
    }

    fn for_each_child<B>(
        &self,
        state: &ArrayState,
        variable: usize,
        mut visit: impl FnMut(usize, Step<ArrayState>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let arity = self.arity(variable);
        let mut value = 0;
        while value < arity {
            let mut next = self.extended(state);
            let step = self.words().child(&mut next.0, variable, &mut value, true);
            if !step.is_zero() {
                visit(value, self.shortened(step, next))?;
            }
            value = value.saturating_add(1);
        }
        ControlFlow::Continue(())
    }

    fn forced(&self, state: &ArrayState, variable: usize) -> Forced<ArrayState> {
        let mut next = self.extended(state);
        let forced = self.words().forced(&mut next.0, variable);
        forced.map(|step| self.shortened(step, next))
    }

    fn validate(&self) -> Result<(), String> {
        self.words().validate()
    }

    fn describe(&self, state: &ArrayState) -> String {
        self.words().describe(&self.extended(state).0)
    }

    fn as_arrays(&self) -> Option<&Arrays<'_>> {
        Some(self)
    }
}

impl Portable for ArrayState {
    fn write(&self, out: &mut Vec<u8>) {
        (self.0.len() as u32).write(out);
        for word in &self.0 {
            word.write(out);
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let count = u32::read(bytes)? as usize;
        if count > bytes.len() / size_of::<u64>() {
            return None;
        }
        let words: Option<_> = (0..count).map(|_| u64::read(bytes)).collect();
        words.map(ArrayState)
    }

    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

impl Debug for ArrayState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_words(&self.0, f)
    }
}

impl Debug for Arrays<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arrays")
            .field("num_vars", &self.words().num_vars())
            .field("num_words", &self.words().num_words())
            .finish_non_exhaustive()
    }
}
