//! Paths and cycles with a bound on the sum of the weights of their edges.

use topdd::{DdSpec, Forced, Frontier, Step};

use super::sums::Sums;
use crate::mates::Mates;
use crate::path_problem::{PathProblem, TooWide};
use crate::words::{FromWords, wide};
use crate::{ByEdge, DirectedByEdge};

/// The members of a spec of paths or cycles whose sum is legal. The state also contains the code of
/// the sum so far, until the path or cycle is complete.
#[derive(Clone, Debug)]
struct Bounded<S> {
    paths: S,
    sums: Sums,
}

impl<S, const W: usize> Bounded<S>
where
    S: DdSpec<State = Mates<W>>,
{
    /// The step after a value of a variable, where `step` is the step of the path.
    #[inline]
    fn step(
        &self,
        step: Step<Mates<W>>,
        variable: usize,
        value: usize,
        code: u64,
    ) -> Step<(Mates<W>, u64)> {
        let Some(code) = self.sums.after(code, variable, value == 1) else { return Step::Zero };
        match step {
            Step::Zero => Step::Zero,
            Step::To(next, mates) if mates != Mates::DONE => Step::To(next, (mates, code)),
            _ if !self.sums.is_legal(code, variable + 1) => Step::Zero,
            Step::To(next, done) => Step::To(next, (done, Sums::FREE)),
            Step::One => Step::One,
        }
    }
}

impl<S, const W: usize> DdSpec for Bounded<S>
where
    S: DdSpec<State = Mates<W>>,
{
    type State = (Mates<W>, u64);

    fn num_vars(&self) -> usize {
        self.paths.num_vars()
    }

    fn root(&self) -> Step<Self::State> {
        let Some(code) = self.sums.root else { return Step::Zero };
        match self.paths.root() {
            Step::To(variable, mates) => Step::To(variable, (mates, code)),
            // The path of a single vertex, without edges.
            Step::One if self.sums.is_legal(code, 0) => Step::One,
            Step::Zero | Step::One => Step::Zero,
        }
    }

    #[inline]
    fn child(
        &self,
        (mates, code): &Self::State,
        variable: usize,
        value: usize,
    ) -> Step<Self::State> {
        self.step(self.paths.child(mates, variable, value), variable, value, *code)
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        let (mates, code) = state;
        match self.paths.forced(mates, variable) {
            Forced::Value(value, step) => {
                Forced::to(value, self.step(step, variable, value, *code))
            }
            Forced::Dead => Forced::Dead,
            Forced::Free if self.sums.after(*code, variable, true).is_none() => {
                Forced::to(0, self.child(state, variable, 0))
            }
            Forced::Free => Forced::Free,
        }
    }
}

impl<const W: usize> FromWords for (Mates<W>, u64) {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        let [mates @ .., code] = words else { unreachable!("a state has a code") };
        (Mates::from_words(mates), *code)
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        let [mates @ .., code] = words else { unreachable!("a state has a code") };
        self.0.write_words(mates);
        *code = self.1;
    }
}

/// Makes a sweep over the paths or cycles of a problem by edge, those with legal sums.
///
/// # Errors
///
/// [`TooWide`] if a state needs more than 64 words.
pub(super) fn frontier(problem: &PathProblem, sums: Sums) -> Result<Frontier<'static>, TooWide> {
    let words = problem.schedule.widths.words;
    Ok(match (problem.is_directed(), words) {
        (false, 0..=1) => with_sums(ByEdge::<1>::new(problem)?, words, sums),
        (false, 2) => with_sums(ByEdge::<2>::new(problem)?, words, sums),
        (false, 3..=4) => with_sums(ByEdge::<4>::new(problem)?, words, sums),
        (false, 5..=16) => with_sums(ByEdge::<16>::new(problem)?, words, sums),
        (false, _) => with_sums(ByEdge::<64>::new(problem)?, words, sums),
        (true, 0..=1) => with_sums(DirectedByEdge::<1>::new(problem)?, words, sums),
        (true, 2) => with_sums(DirectedByEdge::<2>::new(problem)?, words, sums),
        (true, 3..=8) => with_sums(DirectedByEdge::<8>::new(problem)?, words, sums),
        (true, _) => with_sums(DirectedByEdge::<64>::new(problem)?, words, sums),
    })
}

fn with_sums<const W: usize, S>(paths: S, words: usize, sums: Sums) -> Frontier<'static>
where
    S: DdSpec<State = Mates<W>> + Send + 'static,
{
    // Another word for the code of the sum.
    wide(Bounded { paths, sums }, words + 1)
}
