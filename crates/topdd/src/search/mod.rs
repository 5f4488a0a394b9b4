//! Search without a diagram: the first solution of a spec, and solutions one at a time.
//!
//! [`Search`] finds one solution, or some, where the diagram would be too large.
//! `walk` goes depth first, on a stack of its own; `failed` stores states that have no
//! solution, within a number of bytes; `luby` says when a run in random order is given up
//! for another.

mod failed;
mod luby;
mod walk;

#[cfg(test)]
mod tests;

use crate::frontier::Watch;
use crate::spec::Arities;
use crate::{BuildError, CancelToken, DdSpec, Rule, Step};
use std::fmt;
use std::time::Duration;
use walk::Walk;

/// A search over the states of a spec, depth first, with every knob there is.
///
/// Ask for the [`first`](Search::first) solution, or for all of them [one at a
/// time](Search::iter). States from which there was no solution are remembered, as far as
/// [`memory_limit`](Search::memory_limit) allows, and not entered again. Solutions come in
/// lexicographic order unless an order is [drawn](Search::seed) or [told](Search::order_by).
///
/// The first placement of 30 queens, which takes plain backtracking from the left tens of
/// millions of tries:
///
/// ```
/// use topdd::search::Search;
/// # use topdd::{DdSpec, Step};
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

/// Puts the values of a variable, with the steps they lead to, into an order.
type Order<'a, S> = Box<dyn Fn(usize, &mut [(usize, Step<<S as DdSpec>::State>)]) + 'a>;

/// What is remembered unless told otherwise: enough for a million small states.
const MEMORY: usize = 64 << 20;

impl<'a, S: DdSpec> Search<'a, S> {
    /// A search over `spec` in lexicographic order, in which skipped variables are 0.
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

    /// Sets the rule of skipped variables; [`Rule::ZeroSuppressed`] unless set.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    /// Remembers dead states in at most `bytes`, what states own on the heap not counted;
    /// 64 MiB unless set, and 0 for none.
    ///
    /// When that is full, states are forgotten that were cheap to find dead and have not been
    /// met again since. Forgetting costs time, never a solution. The rest of a search takes
    /// the states of one path, and the steps from each of them.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Tries the values of each state in an order that is drawn from `seed`.
    ///
    /// The generator is `SplitMix64`, the order of a state's values a Fisher-Yates shuffle: the
    /// same seed finds the same solutions in the same order everywhere. (Where memory is
    /// short and states are of another size, as on another kind of machine, other states are
    /// forgotten, which may show after [restarts](Search::restarts).) What is found is no
    /// fair sample of the solutions: sample a diagram for that.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Gives up and starts again from the root, with other draws, after `unit` states, `unit`,
    /// `2 unit`, `unit`, `unit`, `2 unit`, `4 unit`, ... as long as no solution was found.
    /// Draws with [seed](Search::seed) 0 if none is set.
    ///
    /// A run that went wrong near the root may not come back in a lifetime, while others
    /// find a solution soon: against such odds this sequence is the best there is, but for a
    /// factor (M. Luby, A. Sinclair and D. Zuckerman, *Optimal speedup of Las Vegas
    /// algorithms*, 1993). Dead states are remembered from run to run, and in time a run is
    /// long enough for everything, so that the search is still exact. A hundred to some
    /// thousands are good units.
    pub fn restarts(mut self, unit: u64) -> Self {
        self.restarts = Some(unit.max(1));
        self
    }

    /// Tries the values of each state by ascending `key` of variable, value and the step that
    /// the value leads to. Those with equal keys come in the order they had otherwise, and
    /// so do the values of skipped variables.
    ///
    /// ```
    /// use topdd::search::Search;
    /// # use topdd::{DdSpec, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 2 }
    /// #     fn arity(&self, _: usize) -> usize { 5 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 1 { Step::One } else { Step::To(v + 1, ()) } } }
    /// // From the middle of five values outwards.
    /// let mut search = Search::over(&Any).order_by(|_, value, _| value.abs_diff(2));
    /// assert_eq!(search.first()?, Some(vec![2, 2]));
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

    /// Stops with [`BuildError::LimitReached`] once `time` has passed since the search began.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    /// Stops with [`BuildError::Cancelled`] soon after `token` is cancelled.
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.cancel = Some(token.clone());
        self
    }

    /// The first solution, one value for each variable; `None` if there is none.
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract where the search sees it, the time limit is reached,
    /// or the search is cancelled.
    pub fn first(&mut self) -> Result<Option<Vec<usize>>, BuildError> {
        Ok(self.iter().advance()?.map(<[usize]>::to_vec))
    }

    /// All solutions, one at a time and each once. Nothing is computed before it is asked for.
    ///
    /// Each call starts a search of its own. Once a solution was found there are no more
    /// restarts.
    pub fn iter(&mut self) -> Found<'_, 'a, S> {
        self.report = SearchReport::default();
        Found { search: self, walk: None, finished: false }
    }

    /// Returns the report of the search, so far or up to its end.
    pub fn report(&self) -> &SearchReport {
        &self.report
    }

    /// Looks at the spec and makes ready for its root.
    fn start(&self) -> Result<Walk<'a, S>, BuildError> {
        self.spec.validate().map_err(|message| BuildError::InvalidSpec { message })?;
        let arities = Arities::of(self.spec)?;
        let watch = Watch::start(self.time_limit, self.cancel.clone());
        let seed = self.seed.or(self.restarts.map(|_| 0));
        Ok(Walk::new(self.spec, self.rule, arities, watch)
            .remember(self.memory_limit)
            .draw(seed)
            .restart(self.restarts))
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
pub struct Found<'s, 'a, S: DdSpec> {
    search: &'s mut Search<'a, S>,
    /// Made when the first solution is asked for.
    walk: Option<Walk<'a, S>>,
    finished: bool,
}

impl<S: DdSpec> Found<'_, '_, S> {
    /// Goes to the next solution and lends it; `None` after the last.
    ///
    /// # Errors
    ///
    /// As for [`Search::first`]. After an error the search is over.
    pub fn advance(&mut self) -> Result<Option<&[usize]>, BuildError> {
        if self.finished {
            return Ok(None);
        }
        // Until it is known to go on.
        self.finished = true;
        let walk = match &mut self.walk {
            Some(walk) => walk,
            none => none.insert(self.search.start()?),
        };
        let found = walk.advance(self.search.order.as_ref());
        self.search.report = walk.report();
        self.finished = !found?;
        Ok(if self.finished { None } else { Some(walk.values()) })
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

/// The report of a search: counts of its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchReport {
    /// The solutions found.
    pub solutions: u64,
    /// The states that the search was in, each as often as it was entered.
    pub states: u64,
    /// The number of times that a state was skipped, as it is known to have no solutions.
    pub dead_met: u64,
    /// The states without solutions that are stored.
    pub remembered: usize,
    /// The states without solutions that were dropped for lack of memory.
    pub forgotten: u64,
    /// The number of restarts.
    pub restarts: u64,
    /// The bytes that remembering takes.
    pub bytes: usize,
    /// Time since the search began.
    pub elapsed: Duration,
}

impl fmt::Display for SearchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} solutions, {} states, {} restarts, {} dead states remembered in {} bytes, \
             {} forgotten, met again {} times, {:.3} s",
            self.solutions,
            self.states,
            self.restarts,
            self.remembered,
            self.bytes,
            self.forgotten,
            self.dead_met,
            self.elapsed.as_secs_f64()
        )
    }
}
