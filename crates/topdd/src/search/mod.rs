//! Search without a diagram: the first solution of a spec, and solutions one at a time.
//!
//! [`Search`] finds one solution, or some, where the diagram would be too large. [`Found`] iterates
//! over all of them, and [`SearchReport`] has counts of the work.
//!
//! ```
//! let permutations = topdd::constraint::all_different([40; 40]); // 40! of them
//! let first = topdd::Search::over(&permutations).first()?.expect("there is one");
//! assert!(first.into_iter().eq(0..40));
//! # Ok::<(), topdd::BuildError>(())
//! ```

// `walk` is the depth-first search, on an explicit stack; `failed` stores states that have no
// solution, within a number of bytes; the sequence `Luby` determines when a run in random order is restarted.

mod failed;
mod walk;

#[cfg(test)]
mod tests;

use crate::error::caught;
use crate::{BuildError, CancelToken, DdSpec, Rule, Step};
use std::fmt;
use std::time::Duration;
use walk::Walk;

/// A depth-first search over the states of a spec.
///
/// It finds the [`first`](Search::first) solution, or all of them [one at a time](Search::iter).
/// States without solutions are stored, within the [`memory_limit`](Search::memory_limit), and not
/// entered again. Solutions come in lexicographic order unless the order is [random](Search::seed)
/// or [given](Search::order_by).
///
/// Cost: exponential time in the worst case. Memory: the states of one path with the steps from
/// each, and the stored states.
///
/// The first placement of 30 queens, for which plain backtracking from the left needs tens of
/// millions of steps:
///
/// ```
/// use topdd::{DdSpec, Search, Step};
///
/// # struct Queens { n: usize }
/// # impl DdSpec for Queens {
/// #     type State = (u32, u32, u32);
/// #     fn num_vars(&self) -> usize { self.n }
/// #     fn arity(&self, _: usize) -> usize { self.n }
/// #     fn root(&self) -> Step<Self::State> { Step::To(0, (0, 0, 0)) }
/// #     fn child(&self, &(columns, rising, falling): &Self::State, row: usize, column: usize) -> Step<Self::State> {
/// #         let queen = 1 << column;
/// #         if (columns | rising | falling) & queen != 0 { return Step::Zero; }
/// #         if row + 1 == self.n { return Step::One; }
/// #         let board = (1 << self.n) - 1;
/// #         Step::To(row + 1, (columns | queen, (rising | queen) << 1 & board, (falling | queen) >> 1))
/// #     }
/// # }
/// let queens = Queens { n: 30 };
/// let columns = Search::over(&queens).restarts(1000).first()?.expect("there is one");
/// assert_eq!(columns.len(), 30);
///
/// // All of them, lazily, in lexicographic order.
/// let mut search = Search::over(&Queens { n: 8 });
/// assert_eq!(search.iter().next().transpose()?, Some(vec![0, 4, 7, 5, 2, 6, 1, 3]));
/// assert_eq!(search.iter().count(), 92);
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub struct Search<'a, S: DdSpec> {
    spec: &'a S,
    rule: Rule,
    memory_limit: usize,
    seed: Option<u64>,
    restarts: Option<u64>,
    time_limit: Option<Duration>,
    cancel: Option<CancelToken>,
    order: Option<Order<'a, S>>,
    report: SearchReport,
}

/// A function that orders the values of a variable, given with their steps.
type Order<'a, S> = Box<dyn Fn(usize, &mut [(usize, Step<<S as DdSpec>::State>)]) + 'a>;

/// The default memory limit: enough for a million small states.
const MEMORY: usize = 64 << 20;

impl<'a, S: DdSpec> Search<'a, S> {
    /// Makes a search over `spec` in lexicographic order, in which skipped variables are 0.
    pub fn over(spec: &'a S) -> Self {
        Search {
            spec,
            rule: Rule::ZeroSuppressed,
            memory_limit: MEMORY,
            seed: None,
            restarts: None,
            time_limit: None,
            cancel: None,
            order: None,
            report: SearchReport::default(),
        }
    }

    /// Sets the rule of skipped variables; the default is [`Rule::ZeroSuppressed`].
    ///
    /// ```
    /// use topdd::{Bdd, Rule, Search};
    ///
    /// let free = Bdd::full([2; 2])?; // skips both variables
    /// assert_eq!(Search::over(&free).rule(Rule::AnyValue).iter().count(), 4);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    /// Limits the stored dead states (states without solutions) to `bytes`, not counting heap memory
    /// that states own. The default is 64 MiB; 0 stores none.
    ///
    /// Beyond the limit, states are evicted that were cheap to find dead and have not been found in
    /// the table since. This costs time, never a solution. The rest of a search needs memory for the
    /// states of one path, and the steps from each of them.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Tries the values of each state in a random order, drawn from `seed`.
    ///
    /// The generator is `SplitMix64`, and the order of a state's values a Fisher-Yates shuffle. So the
    /// same seed finds the same solutions in the same order on all machines, with one exception: where
    /// states have another size in memory, other states are evicted, and a run after
    /// [restarts](Search::restarts) may differ. The solutions found are not a uniform sample; sample a
    /// diagram for that.
    ///
    /// ```
    /// use topdd::{Search, constraint};
    ///
    /// let permutations = constraint::all_different([9; 9]);
    /// let mut search = Search::over(&permutations).seed(1);
    /// let one = search.first()?.expect("there are 9!");
    /// assert!(search.first()? == Some(one)); // the same seed, the same solution
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Restarts from the root, in another random order, after `unit` states, `unit`, `2 unit`,
    /// `unit`, `unit`, `2 unit`, `4 unit`, ... until a solution is found. Uses [seed](Search::seed)
    /// 0 if none is set.
    ///
    /// A run with a bad value near the root may take practically forever, while others find a
    /// solution soon. With this sequence, the expected time is at most a logarithmic factor above that
    /// of the best strategy for a known distribution of times, and no other sequence guarantees less,
    /// up to a constant factor (M. Luby, A. Sinclair and D. Zuckerman, "Optimal speedup of Las Vegas
    /// algorithms", 1993). Dead states stay stored from run to run, and some run is long enough for the
    /// whole search, so the result is still exact. Good units are a hundred to some thousand states.
    pub fn restarts(mut self, unit: u64) -> Self {
        self.restarts = Some(unit.max(1));
        self
    }

    /// Tries the values of each state by ascending `key` of variable, value and the step of the
    /// value. Values with equal keys stay in the order they would have without it, and so do the
    /// values of skipped variables.
    ///
    /// Cost: one call of `key` for each value of each state entered, and a sort.
    ///
    /// ```
    /// use topdd::{Search, constraint};
    ///
    /// // From the middle of five values outwards.
    /// let pairs = constraint::all_different([5; 2]);
    /// let mut search = Search::over(&pairs).order_by(|_, value, _| value.abs_diff(2));
    /// assert_eq!(search.first()?, Some(vec![2, 1]));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn order_by<K: Ord>(
        mut self,
        key: impl Fn(usize, usize, &Step<S::State>) -> K + 'a,
    ) -> Self {
        self.order = Some(Box::new(move |variable, values| {
            values.sort_by_cached_key(|(value, step)| key(variable, *value, step));
        }));
        self
    }

    /// Fails with [`BuildError::LimitReached`] once `time` has passed since the search began.
    ///
    /// ```
    /// use std::time::Duration;
    /// use topdd::{BuildError, Limit, Search, constraint};
    ///
    /// let permutations = constraint::all_different([12; 12]);
    /// let mut search = Search::over(&permutations).time_limit(Duration::ZERO);
    /// let error = search.iter().find_map(Result::err).expect("12! solutions take some time");
    /// assert!(matches!(error, BuildError::LimitReached { limit: Limit::Time(_), .. }));
    /// ```
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    /// Fails with [`BuildError::Cancelled`] soon after `token` is cancelled.
    ///
    /// ```
    /// use topdd::{BuildError, CancelToken, Search, constraint};
    ///
    /// let token = CancelToken::new();
    /// token.cancel();
    /// let permutations = constraint::all_different([12; 12]);
    /// let mut search = Search::over(&permutations).cancel_with(&token);
    /// let error = search.iter().find_map(Result::err).expect("it is cancelled");
    /// assert!(matches!(error, BuildError::Cancelled { .. }));
    /// ```
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// Returns the first solution, one value for each variable; `None` if there is none. Each call
    /// starts a new search.
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract at a state that the search enters, the time limit is
    /// reached, or the search is cancelled.
    pub fn first(&mut self) -> Result<Option<Vec<usize>>, BuildError> {
        Ok(self.iter().advance()?.map(<[usize]>::to_vec))
    }

    /// Returns an iterator over all solutions, each once. It is lazy: it searches for a solution
    /// when that is requested.
    ///
    /// Each call starts a new search. There are no restarts after the first solution.
    pub fn iter(&mut self) -> Found<'_, 'a, S> {
        self.report = SearchReport::default();
        Found { search: self, walk: None, finished: false }
    }

    /// Returns the report of the last search, so far or up to its end.
    pub fn report(&self) -> &SearchReport {
        &self.report
    }
}

impl<S: DdSpec> fmt::Debug for Search<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("rule", &self.rule)
            .field("memory_limit", &self.memory_limit)
            .field("seed", &self.seed)
            .field("restarts", &self.restarts)
            .field("time_limit", &self.time_limit)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// The solutions that a search finds; made by [`Search::iter`].
///
/// As an iterator it returns each solution as a vector of its own, and ends after the first
/// error. [`advance`](Found::advance) lends it instead.
///
/// ```
/// use topdd::{Search, constraint};
///
/// let words = constraint::exactly(3, 1);
/// let mut search = Search::over(&words);
/// let mut found = search.iter();
/// assert_eq!(found.advance()?, Some(&[0, 0, 1][..]));
/// assert_eq!(found.next(), Some(Ok(vec![0, 1, 0])));
/// assert_eq!(found.report().solutions, 2);
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub struct Found<'s, 'a, S: DdSpec> {
    search: &'s mut Search<'a, S>,
    /// `None` before the first solution is requested.
    walk: Option<Walk<'a, S>>,
    finished: bool,
}

impl<S: DdSpec> Found<'_, '_, S> {
    /// Advances to the next solution and lends it; `None` after the last.
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract at a state that the search enters, the time limit is reached,
    /// or the search is cancelled. After an error the search is over.
    pub fn advance(&mut self) -> Result<Option<&[usize]>, BuildError> {
        if self.finished {
            return Ok(None);
        }
        // Cleared below unless the search ends here.
        self.finished = true;
        let Found { search, walk, .. } = self;
        let found = caught(|| {
            let walk = match walk {
                Some(walk) => walk,
                none => none.insert(Walk::new(search)?),
            };
            let found = walk.advance(search.order.as_ref());
            search.report = walk.report();
            found
        });
        self.finished = !found?;
        Ok(self.walk.as_ref().filter(|_| !self.finished).map(Walk::values))
    }

    /// Returns the report of the search so far.
    pub fn report(&self) -> &SearchReport {
        &self.search.report
    }
}

impl<S: DdSpec> Iterator for Found<'_, '_, S> {
    type Item = Result<Vec<usize>, BuildError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().map(|found| found.map(<[usize]>::to_vec)).transpose()
    }
}

impl<S: DdSpec> std::iter::FusedIterator for Found<'_, '_, S> {}

impl<S: DdSpec> fmt::Debug for Found<'_, '_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("search", &self.search)
            .field("finished", &self.finished)
            .finish_non_exhaustive()
    }
}

/// The report of a search: counts of its work. `Display` writes it as a line.
///
/// ```
/// use topdd::{Search, SpecExt, constraint};
///
/// // No 3 of 20 are 4 of 20, which only shows in the end.
/// let none = constraint::exactly(20, 3).and(constraint::sum_modulo(20, 7, 4));
/// let states = |bytes| {
///     let mut search = Search::over(&none).memory_limit(bytes);
///     assert_eq!(search.first(), Ok(None));
///     search.report().states
/// };
/// assert!(states(1 << 20) < states(0)); // dead states that are stored are not entered again
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchReport {
    /// The number of solutions found.
    pub solutions: u64,
    /// The number of states entered, each counted as often as it was entered.
    pub states: u64,
    /// The number of times that a state was not entered because it is stored as dead.
    pub dead_hits: u64,
    /// The number of stored dead states: states without solutions.
    pub dead_states: usize,
    /// The number of dead states that were evicted for lack of memory.
    pub dead_evicted: u64,
    /// The number of restarts.
    pub restarts: u64,
    /// The memory of the stored dead states in bytes.
    pub dead_bytes: usize,
    /// Time since the search began.
    pub elapsed: Duration,
}

impl fmt::Display for SearchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} solutions, {} states, {} restarts, {} dead states stored in {} bytes, {} evicted, \
             met again {} times, {:.3} s",
            self.solutions,
            self.states,
            self.restarts,
            self.dead_states,
            self.dead_bytes,
            self.dead_evicted,
            self.dead_hits,
            self.elapsed.as_secs_f64()
        )
    }
}
