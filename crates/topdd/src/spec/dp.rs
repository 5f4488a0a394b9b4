//! Specs made of closures, and of a transition and a test of the state after the last variable.

use super::{DdSpec, Operand, Space, Step, describe_by_debug};
use std::fmt::{self, Debug};
use std::hash::Hash;

/// Starts a spec over `n` variables from closures, as a dynamic program is written: a state before the
/// first variable, the state after each value, and the states that are accepted after the last variable.
///
/// ```text
/// dp(n, start).arity(..).describe(..).step(|state, variable, value| ..).accept(|state| ..)
/// ```
///
/// | part | meaning | default |
/// | --- | --- | --- |
/// | [`arity`](Dp::arity), [`arity_by`](Dp::arity_by) | the number of values of each variable | 2 |
/// | [`describe`](Dp::describe) | a state as text, for errors and traces | the first 200 characters of `{:?}` |
/// | [`step`](Dp::step) or [`step_alike`](Dp::step_alike) | the next state; `None` if no solution goes this way | required |
/// | [`accept`](DpSteps::accept) | whether the state after the last variable makes a solution | required |
///
/// Each variable is decided in turn and none is skipped: the spec has the same solutions under both
/// [rules](crate::Rule). Without variables the start alone is accepted or not. States that are
/// [`Portable`](crate::Portable), as numbers and tuples are, can spill and be boxed.
///
/// Cost: the closures; the engine calls `step` once for each state and value.
///
/// # Example
///
/// Words over the letters 0, 1 and 2 in which no letter comes twice in a row and 0 comes an even
/// number of times:
///
/// ```
/// let words = topdd::dp(10, (None, true))
///     .arity(3)
///     .step_alike(|&(last, even), letter| {
///         (last != Some(letter)).then_some((Some(letter), even ^ (letter == 0)))
///     })
///     .accept(|&(_, even)| even);
/// assert_eq!(topdd::count(&words)?, 788u32.into());
///
/// // The case without letters.
/// let none = topdd::dp(0, ()).step(|_, _, _| Some(())).accept(|_| true);
/// assert_eq!(topdd::count(&none)?, 1u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn dp<T>(n: usize, start: T) -> Dp<T>
where
    T: Clone + Eq + Hash + Debug + Send + Sync + 'static,
{
    Dp { space: n.into(), start, describe: describe_by_debug }
}

/// The maximum distance of a variable to an earlier one of the same arity that is found to be alike.
const MAX_PERIOD: usize = 64;

/// A spec made of closures that lacks its transition; made by [`dp`].
#[derive(Clone)]
#[must_use = "a spec needs `step` and `accept`"]
pub struct Dp<T, D = fn(&T) -> String> {
    space: Space,
    start: T,
    describe: D,
}

impl<T, D> Dp<T, D> {
    /// Sets the number of values of every variable; the default is 2.
    pub fn arity(self, arity: usize) -> Self {
        let space = Space::uniform(self.space.num_vars(), arity);
        Dp { space, ..self }
    }

    /// Sets the number of values of each variable. Calls the function once per variable, at once.
    ///
    /// ```
    /// // Numbers in the factorial base whose digits do not fall.
    /// let growing = topdd::dp(5, 0)
    ///     .arity_by(|variable| variable + 1)
    ///     .step(|&last, _, digit| (digit >= last).then_some(digit))
    ///     .accept(|_| true);
    /// assert_eq!(topdd::count(&growing)?, 42u32.into()); // a Catalan number
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn arity_by(self, arity: impl Fn(usize) -> usize) -> Self {
        let space = (0..self.space.num_vars()).map(arity).collect::<Vec<_>>().into();
        Dp { space, ..self }
    }

    /// Sets the text of a state in errors and traces. The default is the first 200 characters of
    /// `{state:?}`.
    ///
    /// ```
    /// use topdd::{Rule, check};
    ///
    /// let few = topdd::dp(2, 0)
    ///     .describe(|members| format!("{members} members"))
    ///     .step(|members, _, value| Some(members + value))
    ///     .accept(|&members| members < 2);
    /// let trace = check::trace(&few, Rule::ZeroSuppressed, &[0, 1])?;
    /// assert!(trace.to_string().contains("variable 0 = 0: state 0 members at variable 1"));
    /// # Ok::<(), check::AssignmentError>(())
    /// ```
    pub fn describe<E: Fn(&T) -> String + Sync>(self, describe: E) -> Dp<T, E> {
        Dp { space: self.space, start: self.start, describe }
    }

    /// Sets the transition: `step(state, variable, value)` returns the state after `variable` took
    /// `value`, or `None` if no solution goes this way.
    ///
    /// It must be a pure function; the engine calls it once for each state and value, on any thread.
    pub fn step<F>(self, step: F) -> DpSteps<T, D, F>
    where
        F: Fn(&T, usize, usize) -> Option<T> + Sync,
    {
        DpSteps { dp: self, step }
    }

    /// Sets a transition that is the same for all variables: `step(state, value)` returns the state after a
    /// variable took `value`, or `None` if no solution goes this way. It does not see the variable.
    ///
    /// Otherwise equal to [`step`](Dp::step), and faster: variables of the same arity are
    /// [alike](crate::DdSpec::like), so the engine calls `step` once for a state and a value, and not again for each
    /// variable at which the state occurs.
    ///
    /// ```
    /// // Strings of a million bits without two adjacent ones.
    /// let apart = topdd::dp(10_000, 0).step_alike(|&last, bit| (last + bit < 2).then_some(bit)).accept(|_| true);
    /// let count = topdd::Frontier::over(&apart).count_modulo(1_000_000_007)?;
    /// # let (mut fibonacci, mut next) = (1, 2);
    /// # for _ in 0..10_000 { (fibonacci, next) = (next, (fibonacci + next) % 1_000_000_007); }
    /// # assert_eq!(count, fibonacci);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn step_alike<F>(self, step: F) -> DpSteps<T, D, Alike<F>>
    where
        F: Fn(&T, usize) -> Option<T> + Sync,
    {
        DpSteps { dp: self, step: Alike(step) }
    }
}

/// The transition of a spec made of closures, a part of [`DpSpec`].
pub trait NextState<T>: Sync {
    /// Whether the transition is the same for all variables.
    const IS_ALIKE: bool;

    /// Returns the state after `variable` took `value`; `None` if no solution goes this way.
    fn next(&self, state: &T, variable: usize, value: usize) -> Option<T>;
}

impl<T, F: Fn(&T, usize, usize) -> Option<T> + Sync> NextState<T> for F {
    const IS_ALIKE: bool = false;

    #[inline]
    fn next(&self, state: &T, variable: usize, value: usize) -> Option<T> {
        self(state, variable, value)
    }
}

/// A closure that does not see the variable; made by [`Dp::step_alike`].
#[derive(Clone, Copy, Debug)]
pub struct Alike<F>(F);

impl<T, F: Fn(&T, usize) -> Option<T> + Sync> NextState<T> for Alike<F> {
    const IS_ALIKE: bool = true;

    #[inline]
    fn next(&self, state: &T, _: usize, value: usize) -> Option<T> {
        (self.0)(state, value)
    }
}

/// A spec made of closures that lacks its acceptance; made by [`Dp::step`] and [`Dp::step_alike`].
#[derive(Clone)]
#[must_use = "a spec needs `accept`"]
pub struct DpSteps<T, D, F> {
    dp: Dp<T, D>,
    step: F,
}

impl<T, D, F> DpSteps<T, D, F> {
    /// Sets the condition on the state after the last variable, and returns the finished spec.
    pub fn accept<A: Fn(&T) -> bool + Sync>(self, accept: A) -> DpSpec<T, D, F, A> {
        Unrolled(Closures { dp: self.dp, step: self.step, accept })
    }
}

/// A spec made of closures; made by [`dp`].
pub type DpSpec<T, D, F, A> = Unrolled<Closures<T, D, F, A>>;

/// The automaton of a spec made of closures, a part of [`DpSpec`]; made by [`dp`].
#[derive(Clone)]
pub struct Closures<T, D, F, A> {
    dp: Dp<T, D>,
    step: F,
    accept: A,
}

impl<T, D, F, A> Automaton for Closures<T, D, F, A>
where
    T: Clone + Eq + Hash + Debug + Send + Sync + 'static,
    D: Fn(&T) -> String + Sync,
    F: NextState<T>,
    A: Fn(&T) -> bool + Sync,
{
    type State = T;

    fn num_vars(&self) -> usize {
        self.dp.space.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.dp.space.arity(variable)
    }

    fn start(&self) -> T {
        self.dp.start.clone()
    }

    #[inline]
    fn next(&self, state: &T, variable: usize, value: usize) -> Option<T> {
        self.step.next(state, variable, value)
    }

    #[inline]
    fn accepts(&self, state: &T) -> bool {
        (self.accept)(state)
    }

    fn like(&self, variable: usize) -> Option<usize> {
        let space = &self.dp.space;
        let mut earlier = (0..variable).rev().take(MAX_PERIOD);
        earlier.find(|&earlier| F::IS_ALIKE && space.arity(earlier) == space.arity(variable))
    }

    fn describe(&self, state: &T) -> String {
        (self.dp.describe)(state)
    }
}

impl<T: Debug, D> Debug for Dp<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dp { space, start, .. } = self;
        f.debug_struct("Dp").field("space", space).field("start", start).finish_non_exhaustive()
    }
}

impl<T: Debug, D, F> Debug for DpSteps<T, D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dp.fmt(f)
    }
}

impl<T: Debug, D, F, A> Debug for Closures<T, D, F, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dp.fmt(f)
    }
}

/// A family of solutions as the language of an automaton that reads the values of the variables one
/// after the other. [`Unrolled`] makes a spec of it.
///
/// It is the shorter way to write a spec that decides each variable in turn: it consists of the
/// next state, and of a test of the states at the end. A spec that skips variables, or that decides
/// early that a solution is complete, is written as a [`DdSpec`].
///
/// The same state may occur at any variable. Where the transition depends on the variable, it is an
/// argument of [`next`](Automaton::next).
///
/// ```
/// use topdd::spec::{Automaton, Unrolled};
///
/// /// Words of `n` letters with an even number of each letter.
/// struct Even { n: usize, letters: usize }
///
/// impl Automaton for Even {
///     type State = u64; // a bit for each letter that was read an odd number of times
///     fn num_vars(&self) -> usize { self.n }
///     fn arity(&self, _: usize) -> usize { self.letters }
///     fn start(&self) -> u64 { 0 }
///     fn next(&self, odd: &u64, _: usize, letter: usize) -> Option<u64> { Some(odd ^ 1 << letter) }
///     fn accepts(&self, odd: &u64) -> bool { *odd == 0 }
/// }
///
/// assert_eq!(topdd::count(&Unrolled(Even { n: 4, letters: 3 }))?, 21u32.into());
/// assert_eq!(topdd::count(&Unrolled(Even { n: 0, letters: 3 }))?, 1u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub trait Automaton: Sync {
    /// The facts about the past on which the future depends; see [`DdSpec::State`].
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// Returns the number of variables; see [`DdSpec::num_vars`].
    fn num_vars(&self) -> usize;

    /// Returns the number of values of `variable`: two unless overridden; see [`DdSpec::arity`].
    fn arity(&self, variable: usize) -> usize {
        let _ = variable;
        2
    }

    /// Returns the state before the first variable.
    fn start(&self) -> Self::State;

    /// Returns the state after `variable` took `value` in `state`; `None` if no solution goes this
    /// way. The engine calls it once for each state and value.
    fn next(&self, state: &Self::State, variable: usize, value: usize) -> Option<Self::State>;

    /// Returns an earlier variable with the same arity, and with the same [`next`](Automaton::next) for all states, if
    /// there is one; see [`DdSpec::like`]. The last variable may have one, too. `None` is always correct.
    fn like(&self, variable: usize) -> Option<usize> {
        let _ = variable;
        None
    }

    /// Returns a state before `variable` with all completions of both states; see [`DdSpec::merge`].
    fn merge(
        &self,
        one: &Self::State,
        other: &Self::State,
        variable: usize,
    ) -> Option<Self::State> {
        let _ = (one, other, variable);
        None
    }

    /// Returns whether the values that led to `state`, after the last variable, are a solution.
    fn accepts(&self, state: &Self::State) -> bool;

    /// Checks the parameters of the automaton; see [`DdSpec::validate`].
    ///
    /// # Errors
    ///
    /// A message that names the cause and the remedy.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Writes a state as text; see [`DdSpec::describe`].
    fn describe(&self, state: &Self::State) -> String {
        describe_by_debug(state)
    }
}

/// The words of an [`Automaton`], one value for each variable: a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unrolled<A>(pub A);

impl<A: Automaton> Unrolled<A> {
    /// The step to a state, before `variable`.
    #[inline]
    fn enter(&self, variable: usize, state: A::State) -> Step<A::State> {
        if variable < self.0.num_vars() {
            Step::To(variable, state)
        } else if self.0.accepts(&state) {
            Step::One
        } else {
            Step::Zero
        }
    }
}

impl<A: Automaton> DdSpec for Unrolled<A> {
    type State = A::State;

    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }

    #[inline]
    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }

    fn root(&self) -> Step<A::State> {
        self.enter(0, self.0.start())
    }

    #[inline]
    fn child(&self, state: &A::State, variable: usize, value: usize) -> Step<A::State> {
        match self.0.next(state, variable, value) {
            Some(next) => self.enter(variable + 1, next),
            None => Step::Zero,
        }
    }

    fn like(&self, variable: usize) -> Option<usize> {
        // The last variable leads to terminals.
        self.0.like(variable).filter(|_| variable + 1 < self.0.num_vars())
    }

    fn merge(&self, one: &A::State, other: &A::State, variable: usize) -> Option<A::State> {
        self.0.merge(one, other, variable)
    }

    fn scope(&self) -> Option<Vec<usize>> {
        Some((0..self.0.num_vars()).collect())
    }

    fn conjuncts(&self) -> Vec<Operand<'_>> {
        vec![Operand::new(self).of_closures()]
    }

    fn validate(&self) -> Result<(), String> {
        self.0.validate()
    }

    fn describe(&self, state: &A::State) -> String {
        self.0.describe(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DdSpec, Frontier, Rule, SpecExt, check};

    /// Sums of `n` digits below `base` that are `total`.
    fn sums(n: usize, base: usize, total: usize) -> impl DdSpec<State = usize> {
        dp(n, 0)
            .arity(base)
            .step(move |sum, _, digit| Some(sum + digit).filter(|&sum| sum <= total))
            .accept(move |&sum| sum == total)
    }

    #[test]
    fn closures_have_the_solutions_of_their_predicate() {
        for n in 0..5 {
            for base in 1..4 {
                for total in 0..4 {
                    let spec = sums(n, base, total);
                    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
                        check::contract(&spec, rule, 1000).unwrap();
                        let right = |values: &[usize]| values.iter().sum::<usize>() == total;
                        check::equals(&spec, rule, right).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn closures_may_borrow_be_boxed_and_spill() {
        let weights = [3usize, 1, 4, 1, 5, 9, 2, 6];
        let spec = dp(weights.len(), 0)
            .step(|sum, item, taken| Some(sum + taken * weights[item]).filter(|&sum| sum <= 12))
            .accept(|_| true);
        let within = |taken: &[usize]| {
            taken.iter().zip(&weights).map(|(taken, weight)| taken * weight).sum::<usize>() <= 12
        };
        check::equals(&spec, Rule::ZeroSuppressed, within).unwrap();
        let count = crate::count(&spec).unwrap();
        assert_eq!(crate::count(&(&spec).boxed()).unwrap(), count);
        assert_eq!(crate::count(&(&spec).and(spec.clone()).boxed()).unwrap(), count);
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Frontier::over(&spec).spill_to(dir.path()).count().unwrap(), count);
    }

    #[test]
    fn arities_may_differ_and_an_arity_of_zero_is_refused() {
        let spec =
            dp(3, ()).arity_by(|v| v + 1).step(|(), _, _| Some(())).accept(|()| true).boxed();
        assert_eq!(crate::count(&spec).unwrap(), 6u32.into());
        let spec = dp(3, ()).arity(0).step(|(), _, _| Some(())).accept(|()| true).boxed();
        assert!(matches!(
            crate::count(&spec),
            Err(crate::BuildError::BadArity { variable: 0, .. })
        ));
    }

    #[test]
    fn alike_closures_are_like_the_nearest_variable_of_their_arity() {
        let arity = |variable: usize| 2 + variable % 3 / 2;
        let dp = || dp(40, 0usize).arity_by(arity);
        let next = |sum: usize, value: usize| Some((sum + value) % 5);
        let spec = dp().step_alike(move |&sum, value| next(sum, value)).accept(|&sum| sum == 0);
        let seen = dp().step(move |&sum, _, value| next(sum, value)).accept(|&sum| sum == 0);
        assert_eq!(
            [0, 1, 2, 3, 5, 39].map(|v| spec.like(v)),
            [None, Some(0), None, Some(1), Some(2), None]
        );
        assert!((0..40).all(|variable| seen.like(variable).is_none()));
        assert_eq!(crate::count(&spec).unwrap(), crate::count(&seen).unwrap());
        assert!(crate::zdd(&spec).unwrap() == crate::zdd(&seen).unwrap());
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            check::contract(&spec, rule, 1000).unwrap();
            check::contract(&(&spec).boxed(), rule, 1000).unwrap();
        }
    }

    #[test]
    fn a_long_state_is_cut_unless_described() {
        let spec = |text: &'static str| dp(1, text.repeat(300));
        let plain = spec("x").step(|s, _, _| Some(s.clone())).accept(|_| true);
        let text = DdSpec::describe(&plain, &"x".repeat(300));
        assert_eq!((text.chars().count(), text.ends_with('…')), (201, true));
        let named = spec("x").describe(|s| s.len().to_string());
        let named = named.step(|s, _, _| Some(s.clone())).accept(|_| true);
        assert_eq!(DdSpec::describe(&named, &"x".repeat(300)), "300");
    }

    /// Numbers of `digits` digits, of bases that differ, whose digits grow by at most one and whose
    /// sum is `sum`.
    struct Slow {
        digits: usize,
        sum: usize,
    }

    impl Automaton for Slow {
        type State = (usize, usize);
        fn num_vars(&self) -> usize {
            self.digits
        }
        fn arity(&self, variable: usize) -> usize {
            2 + variable % 3
        }
        fn start(&self) -> (usize, usize) {
            (0, 0)
        }
        fn next(
            &self,
            &(last, sum): &(usize, usize),
            _: usize,
            digit: usize,
        ) -> Option<(usize, usize)> {
            (digit <= last + 1 && sum + digit <= self.sum).then_some((digit, sum + digit))
        }
        fn accepts(&self, &(_, sum): &(usize, usize)) -> bool {
            sum == self.sum
        }
        fn like(&self, variable: usize) -> Option<usize> {
            variable.checked_sub(3)
        }
        fn validate(&self) -> Result<(), String> {
            if self.sum < 100 { Ok(()) } else { Err("the sum is too large".to_owned()) }
        }
    }

    #[test]
    fn solutions_are_the_accepted_words() {
        for digits in 0..7 {
            for sum in 0..6 {
                let spec = Unrolled(Slow { digits, sum });
                for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
                    check::contract(&spec, rule, 1000).unwrap();
                    let words = check::brute_force(&spec, rule).unwrap();
                    let mut all: Vec<Vec<usize>> = vec![vec![]];
                    for digit in 0..digits {
                        let more = |word: &Vec<usize>| {
                            let word = word.clone();
                            (0..2 + digit % 3).map(move |value| [&word[..], &[value]].concat())
                        };
                        all = all.iter().flat_map(more).collect();
                    }
                    all.retain(|word| {
                        let steps = word.iter().scan(0, |last, &digit| {
                            Some(digit <= std::mem::replace(last, digit) + 1)
                        });
                        steps.min() != Some(false) && word.iter().sum::<usize>() == sum
                    });
                    assert_eq!(words, all);
                }
            }
        }
    }

    #[test]
    fn an_invalid_automaton_is_refused() {
        let error = crate::count(&Unrolled(Slow { digits: 1, sum: 100 }).boxed()).unwrap_err();
        assert!(error.to_string().contains("the sum is too large"), "{error}");
    }
}
