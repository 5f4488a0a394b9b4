//! Specs as automata: a transition and a test of the state after the last variable.

use super::{DdSpec, Step, describe_by_debug};
use std::fmt::Debug;
use std::hash::Hash;

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
    use crate::{Rule, SpecExt, check};

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
