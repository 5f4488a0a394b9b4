//! Specs with a part of the state that is joined where equal states meet.

use super::{Codec, DdSpec, Portable, Step};
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

/// A family of solutions, described from the top down, in whose states a part is *joined*: it is not
/// compared, and where equal states meet it is combined by [`join`](JoinSpec::join).
///
/// The joined part is a fact about all ways to a state, such as the least cost so far. `child` may
/// use it to prune. It is the deterministic form of `mergeStates` of TdZdd.
///
/// # Meaning
///
/// The level-by-level procedure defines the family:
///
/// 1. The states of a level are complete before one of them is expanded: every edge to the level has
///    arrived, from all earlier levels.
/// 2. The joined part of a state is the join over all edges that arrive at it.
/// 3. `child` is called once for each state and value, with the joined part of step 2.
/// 4. The solutions are the paths from the root to the 1-terminal in the graph of the states.
///
/// So a solution is not determined by its own path alone, as it is for a [`DdSpec`]: whether a value is
/// allowed depends on the other ways to the same state. Therefore a `JoinSpec` is not a `DdSpec`, has no
/// combinators, search or forced states, and [`check::verify`](crate::check::verify) does not take it, but
/// [`check::joined`](crate::check::joined) does: a product has more states, in which fewer ways meet. Build its diagram with
/// [`Frontier::joining`](crate::Frontier::joining); the diagram is a spec again.
///
/// # Contract
///
/// - The contract of [`DdSpec`], where `child` is a pure function of state, joined part, variable and value.
/// - `join` is associative and commutative. It need not be idempotent: each edge arrives once.
///
/// Then the result is the same, byte for byte, for any number of threads and any limits, spilled or
/// resumed. [`check::joined`](crate::check::joined) checks the second point on the parts that meet.
///
/// # Example
///
/// The best packings of a knapsack. The state is the room left, and the joined part the greatest profit
/// of a packing that leaves it. A state is pruned if even all remaining items would not reach the
/// profit of a known packing. All best packings remain, and less than a tenth of all packings:
///
/// ```
/// use topdd::spec::JoinSpec;
/// use topdd::{Frontier, Step, Weights};
///
/// struct Knapsack { items: Vec<(u32, i64)>, room: u32, known: i128 } // items: (weight, profit)
///
/// impl JoinSpec for Knapsack {
///     type State = u32; // the room left
///     type Joined = i64; // the greatest profit so far
///     fn num_vars(&self) -> usize { self.items.len() }
///     fn root(&self) -> Step<(u32, i64)> { Step::To(0, (self.room, 0)) }
///     fn child(&self, &room: &u32, &profit: &i64, item: usize, taken: usize) -> Step<(u32, i64)> {
///         let (weight, gain) = self.items[item];
///         let (weight, gain) = (weight * taken as u32, gain * taken as i64);
///         let rest: i64 = self.items[item + 1..].iter().map(|(_, gain)| gain).sum();
///         if weight > room || i128::from(profit + gain + rest) < self.known { Step::Zero }
///         else if item + 1 == self.items.len() { Step::One }
///         else { Step::To(item + 1, (room - weight, profit + gain)) }
///     }
///     fn join(one: &i64, other: &i64) -> i64 { *one.max(other) }
/// }
///
/// let items: Vec<(u32, i64)> = (1..=24).map(|i| (i * 7 % 11 + 2, (i * 5 % 13 + 1) as i64)).collect();
/// let profit = Weights::of_ones(items.iter().map(|&(_, profit)| profit));
/// let knapsack = |known| Knapsack { items: items.clone(), room: 40, known };
///
/// let all = Frontier::joining(knapsack(0)).zdd()?;              // nothing is pruned
/// let known = all.maximum(&profit)?.weight;
/// let best = Frontier::joining(knapsack(known)).zdd()?;
/// assert_eq!(best.maximum(&profit)?.weight, known);
/// assert!(best.count() * 10u32 < all.count());
/// # Ok::<(), topdd::QueryError>(())
/// ```
///
/// Combinators do not accept it:
///
/// ```compile_fail,E0277
/// # use topdd::spec::JoinSpec;
/// # use topdd::Step;
/// # struct Any;
/// # impl JoinSpec for Any {
/// #     type State = (); type Joined = u8;
/// #     fn num_vars(&self) -> usize { 1 }
/// #     fn root(&self) -> Step<((), u8)> { Step::One }
/// #     fn child(&self, _: &(), _: &u8, _: usize, _: usize) -> Step<((), u8)> { Step::One }
/// #     fn join(one: &u8, other: &u8) -> u8 { *one.min(other) }
/// # }
/// let both = topdd::SpecExt::and(Any, topdd::constraint::at_most(1, 1));
/// ```
pub trait JoinSpec: Sync {
    /// The compared part of a state. Equal states at one variable merge.
    type State: Clone + Eq + Hash + Debug + Portable + Send + Sync + 'static;

    /// The joined part of a state.
    type Joined: Clone + Debug + Portable + Send + Sync + 'static;

    /// The number of variables; see [`DdSpec::num_vars`].
    fn num_vars(&self) -> usize;

    /// The number of values of `variable`: two unless overridden; see [`DdSpec::arity`].
    fn arity(&self, variable: usize) -> usize {
        let _ = variable;
        2
    }

    /// The start: a state at a first variable with its joined part, or a terminal; see
    /// [`DdSpec::root`].
    fn root(&self) -> Step<(Self::State, Self::Joined)>;

    /// Returns the step of `value` of `variable` from `state`, in which all ways that meet have the
    /// joined part `joined`.
    fn child(
        &self,
        state: &Self::State,
        joined: &Self::Joined,
        variable: usize,
        value: usize,
    ) -> Step<(Self::State, Self::Joined)>;

    /// Joins the parts of two equal states: an associative and commutative function.
    fn join(one: &Self::Joined, other: &Self::Joined) -> Self::Joined;

    /// Checks the parameters of the spec before a build; see [`DdSpec::validate`].
    ///
    /// # Errors
    ///
    /// A message that names the cause and the remedy.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Writes a state as text, for error messages; see [`DdSpec::describe`].
    fn describe(&self, state: &Self::State, joined: &Self::Joined) -> String {
        super::describe_by_debug(&(state, joined))
    }
}

impl<J: JoinSpec> JoinSpec for &J {
    type State = J::State;
    type Joined = J::Joined;

    fn num_vars(&self) -> usize {
        (**self).num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        (**self).arity(variable)
    }

    fn root(&self) -> Step<(J::State, J::Joined)> {
        (**self).root()
    }

    fn child(
        &self,
        state: &J::State,
        joined: &J::Joined,
        variable: usize,
        value: usize,
    ) -> Step<(J::State, J::Joined)> {
        (**self).child(state, joined, variable, value)
    }

    fn join(one: &J::Joined, other: &J::Joined) -> J::Joined {
        J::join(one, other)
    }

    fn validate(&self) -> Result<(), String> {
        (**self).validate()
    }

    fn describe(&self, state: &J::State, joined: &J::Joined) -> String {
        (**self).describe(state, joined)
    }
}

/// A [`JoinSpec`] as a spec for the engine, which joins its states by the codec. Private, because only
/// the engine joins states.
pub(crate) struct Joining<J>(J);

/// A state of [`Joining`]. `Eq` and `Hash` ignore the joined part.
#[derive(Clone, Debug)]
pub(crate) struct JoinState<S, J> {
    state: S,
    joined: J,
}

type JoinStateOf<J> = JoinState<<J as JoinSpec>::State, <J as JoinSpec>::Joined>;

impl<S: PartialEq, J> PartialEq for JoinState<S, J> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl<S: Eq, J> Eq for JoinState<S, J> {}

impl<S: Hash, J> Hash for JoinState<S, J> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

impl<S: Portable, J: Portable> Portable for JoinState<S, J> {
    fn write(&self, out: &mut Vec<u8>) {
        self.state.write(out);
        self.joined.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(JoinState { state: S::read(bytes)?, joined: J::read(bytes)? })
    }

    fn heap_bytes(&self) -> usize {
        self.state.heap_bytes() + self.joined.heap_bytes()
    }
}

impl<J: JoinSpec> Joining<J> {
    /// Wraps a spec. Also returns the codec of its states, which joins them.
    pub(crate) fn with_codec(spec: J) -> (Self, Codec<JoinStateOf<J>>) {
        let codec = Codec::<JoinStateOf<J>>::new().joining(
            |state, out| state.state.write(out),
            |state, arrived| state.joined = J::join(&state.joined, &arrived.joined),
        );
        (Joining(spec), codec)
    }
}

impl<J: JoinSpec> DdSpec for Joining<J> {
    type State = JoinStateOf<J>;

    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        self.0.root().map(|(state, joined)| JoinState { state, joined })
    }

    fn child(&self, at: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let step = self.0.child(&at.state, &at.joined, variable, value);
        step.map(|(state, joined)| JoinState { state, joined })
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, at: &Self::State) -> String {
        self.0.describe(&at.state, &at.joined)
    }
}
