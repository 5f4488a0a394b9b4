//! Optima and counts with a proof of how good they are, where the exact answer does not fit.
//!
//! [`Bounded`] takes a spec and an [`Objective`]. At each variable it keeps as many states as its width allows. It finds a
//! solution and a bound, and improves both until they meet, or until a limit ends the run. A limit is no error here: the
//! result has the best solution and the bound so far.
//!
//! ```
//! use topdd::{Bounded, SpecExt, Weights, constraint};
//!
//! // A knapsack of two resources, of ready constraints: they merge by themselves.
//! let [first, second] = [[4, 7, 5, 3, 6, 8], [6, 2, 5, 7, 4, 3]];
//! let fits = |sizes: [i64; 6]| {
//!     constraint::linear(6).at_most(move |item, taken| sizes[item] * taken as i64, 16)
//! };
//! let profits = Weights::of_ones([9, 8, 10, 7, 8, 9]);
//! let best = Bounded::over(&fits(first).and(fits(second))).width(2).maximize(&profits)?;
//! assert!(best.is_proven());
//! assert_eq!(best.weight(), Some(27));
//! # Ok::<(), topdd::QueryError>(())
//! ```

mod costs;
mod count;
mod least;
mod levels;
mod objective;
mod queue;
mod saved;
mod search;
#[cfg(test)]
mod tests;

use crate::error::{BuildError, Limit, caught};
use crate::file::Files;
use crate::frontier::Watch;
use crate::spec::{Arities, DdSpec};
use crate::{CancelToken, Goal, QueryError};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use costs::NoObjective;
use levels::Width;
use queue::SearchStart;
use search::{SearchCallbacks, SearchResult};

pub use count::{CountBounds, CountEstimate};
pub use objective::Objective;

pub(crate) use costs::{Arrival, CostModel, NEVER, OpenState, UNBOUNDED};
pub(crate) use levels::some_cost;

/// A search for the best solution of a spec within limits, with a bound of how much better another one could be.
///
/// Without a [width](Bounded::width), a level has as many states as the [memory limit](Bounded::memory_limit) holds: small
/// problems are solved by one exact sweep. A level with more states is narrowed in two ways. If its worst states are
/// dropped, the remaining paths are solutions. If they are [merged](DdSpec::merge), the level is a relaxation, whose best
/// solution is a bound. Then the states that were merged, and others that merged states hide, are solved in the same way, the best
/// bound first, until no bound is better than the best solution.
///
/// Skipped variables are 0.
///
/// | the spec and the objective | what a run does |
/// | --- | --- |
/// | no [`merge`](DdSpec::merge) | each state that is dropped is open; its bound is the bound of the objective |
/// | [`merge`](DdSpec::merge): ready constraints, and combinations of them | bounds by relaxed levels |
/// | [`Objective::bound`] | prunes in all levels |
/// | [`Objective::dominates`] | removes states that are no better than another one |
///
/// With one thread and a width, the run is deterministic. With more threads, a proven weight is the same.
///
/// Cost: time is exponential in the worst case. Memory: the open states, with their values, and the levels of one state for
/// each thread.
pub struct Bounded<'a, S> {
    spec: &'a S,
    settings: Settings,
    on_better: OnBetter<'a>,
    on_progress: Box<dyn FnMut(&BoundedProgress) + Send + 'a>,
}

/// A function of a weight and its solution.
type OnBetter<'a> = Box<dyn FnMut(i128, &[usize]) + Send + 'a>;

/// The limits of a run.
#[derive(Clone, Debug)]
struct Settings {
    width: Option<usize>,
    threads: usize,
    memory_limit: Option<usize>,
    time_limit: Option<Duration>,
    max_states: Option<u64>,
    cancel: Option<CancelToken>,
    gap: Option<f64>,
    least: bool,
    checkpoint: Option<CheckpointPlace>,
}

/// The directory of a checkpoint, in a file system, and the key of the run.
#[derive(Clone, Debug)]
struct CheckpointPlace {
    files: Files,
    dir: PathBuf,
    key: String,
}

/// The memory of a run without a limit, from which the width follows.
const MEMORY: usize = 1 << 30;

impl Settings {
    /// The width that is set. Half of the memory limit is for the levels of all threads.
    fn width(&self, threads: usize) -> Width {
        let bytes = match (self.memory_limit, self.width) {
            (None, Some(_)) => usize::MAX,
            (limit, _) => limit.unwrap_or(MEMORY) / 2 / threads,
        };
        Width { states: self.width.unwrap_or(usize::MAX), bytes }
    }
}

impl<'a, S: DdSpec> Bounded<'a, S> {
    /// Makes a run over a spec, on one thread, without limits.
    pub fn over(spec: &'a S) -> Self {
        Bounded {
            spec,
            settings: Settings {
                width: None,
                threads: 1,
                memory_limit: None,
                time_limit: None,
                max_states: None,
                cancel: None,
                gap: None,
                least: false,
                checkpoint: None,
            },
            on_better: Box::new(|_, _| ()),
            on_progress: Box::new(|_| ()),
        }
    }

    /// Sets the most states of a level, at least 1. By default, half of the memory limit, or of 1 GiB without a limit, is for the
    /// levels of all threads.
    ///
    /// A wider level takes more time, and gives better solutions and bounds. Hundreds to some thousands are usual.
    ///
    /// # Panics
    ///
    /// If it is 0.
    #[track_caller]
    pub fn width(mut self, states: usize) -> Self {
        assert!(states > 0, "a level of width 0 has no states; the width is at least 1");
        self.settings.width = Some(states);
        self
    }

    /// Limits the memory of open states, and of levels, to about half of `bytes` each, without the heap memory of states.
    /// If open states take a quarter, the deepest ones come first; if they take half, the run ends with what it has.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.settings.memory_limit = Some(bytes);
        self
    }

    /// Sets the number of threads; the default is 1. Each thread solves one open state at a time, with its share of the memory. The
    /// first one, which without a width is often the whole run, is solved on one thread.
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = threads;
        self
    }

    /// Ends the run after this time.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.settings.time_limit = Some(time);
        self
    }

    /// Ends the run when all levels together have had at least `states` states; the number is checked after each open state, which without a width may exceed it by far.
    pub fn max_states(mut self, states: u64) -> Self {
        self.settings.max_states = Some(states);
        self
    }

    /// Ends the run soon after `token` is cancelled.
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.settings.cancel = Some(token.clone());
        self
    }

    /// Ends the run when weight and bound differ by at most this share of the weight: 0.05 for 5 percent.
    ///
    /// # Panics
    ///
    /// If it is negative, or no number.
    #[track_caller]
    pub fn gap(mut self, share: f64) -> Self {
        assert!(share >= 0.0, "the gap is {share}; it is a share of at least 0");
        self.settings.gap = Some(share);
        self
    }

    /// Chooses the first of the best solutions in lexicographic order, which does not depend on the width or on threads.
    ///
    /// Cost: after the proof, up to one more search for each smaller value of each variable. A run that a
    /// limit ends before that is not proven, though its weight equals its bound.
    ///
    /// ```
    /// use topdd::{Bounded, Weights, constraint};
    ///
    /// let two = constraint::exactly(4, 2);
    /// let equal = Weights::of_ones([1, 1, 1, 1]);
    /// let best = Bounded::over(&two).width(2).least().minimize(&equal)?;
    /// assert_eq!(best.solution(), Some(&[0, 0, 1, 1][..]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn least(mut self) -> Self {
        self.settings.least = true;
        self
    }

    /// Saves the best solution and the values on the path to each open state in a directory: between open states, and when a limit ends the
    /// run. A run with the same `key`, spec and objective resumes it; width, limits and threads may be others. The files
    /// of a run that ends with a proof, or with the [gap](Bounded::gap), are removed. Without a width a run has few open
    /// states, so a run that is killed loses much. Counts have no checkpoints.
    ///
    /// A proven weight is the same as without an interruption. Otherwise conditions and errors are the same as for
    /// [`Frontier::checkpoint`](crate::Frontier::checkpoint), except that a failure at the end is a
    /// [warning](BoundedReport::warnings). Cost: up to half of the time, and memory for a copy of all open states, which no limit counts.
    pub fn checkpoint(mut self, dir: impl Into<PathBuf>, key: impl Into<String>) -> Self {
        let (dir, key) = (dir.into(), key.into());
        self.settings.checkpoint = Some(CheckpointPlace { files: Files::default(), dir, key });
        self
    }

    /// Calls a function with each better solution and its weight.
    pub fn on_better(mut self, callback: impl FnMut(i128, &[usize]) + Send + 'a) -> Self {
        self.on_better = Box::new(callback);
        self
    }

    /// Calls a function after each open state.
    pub fn on_progress(mut self, callback: impl FnMut(&BoundedProgress) + Send + 'a) -> Self {
        self.on_progress = Box::new(callback);
        self
    }

    /// Finds a solution of small weight, and a bound below which there is none.
    ///
    /// # Errors
    ///
    /// [`QueryError::Build`] if the spec breaks its contract or panics; the errors of [`Objective::check`]. A limit is no error.
    pub fn minimize(&mut self, objective: &impl Objective<S>) -> Result<BoundedBest, QueryError> {
        self.best(objective, Goal::Minimum)
    }

    /// Finds a solution of large weight, and a bound above which there is none. Otherwise equal to
    /// [`minimize`](Bounded::minimize).
    ///
    /// # Errors
    ///
    /// The errors of [`minimize`](Bounded::minimize).
    pub fn maximize(&mut self, objective: &impl Objective<S>) -> Result<BoundedBest, QueryError> {
        self.best(objective, Goal::Maximum)
    }

    /// Bounds the number of solutions by two sweeps of the [width](Bounded::width), of at least 2. The lower bound counts the
    /// solutions through the states that most paths lead to. The upper bound [merges](DdSpec::merge) the other
    /// states; it is `None` if the spec does not merge them.
    ///
    /// ```
    /// use topdd::{Bounded, constraint};
    ///
    /// let few = constraint::at_most(40, 12);
    /// let exact = topdd::count(&few)?;
    /// let bounds = Bounded::over(&few).width(8).count_bounds()?;
    /// assert!(*bounds.lower() < exact && exact < *bounds.upper().unwrap());
    /// assert_eq!(Bounded::over(&few).width(13).count_bounds()?.exact(), Some(&exact));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the spec breaks its contract, the time limit is reached, or the token is cancelled.
    pub fn count_bounds(&mut self) -> Result<CountBounds, BuildError> {
        let costs = self.without_objective()?;
        count::count_bounds(&costs, &self.settings)
    }

    /// Estimates the number of solutions by samples of ways from the root. The states that a sweep of the
    /// [width](Bounded::width), of at least 1000, keeps determine which values are more likely.
    ///
    /// ```
    /// use topdd::{Bounded, constraint};
    ///
    /// let few = constraint::at_most(40, 12);
    /// let estimate = Bounded::over(&few).width(8).estimate_count(2000, 1)?;
    /// assert!(estimate.low < estimate.mean && estimate.mean < estimate.high);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count_bounds`](Bounded::count_bounds).
    pub fn estimate_count(
        &mut self,
        samples: usize,
        seed: u64,
    ) -> Result<CountEstimate, BuildError> {
        let costs = self.without_objective()?;
        count::estimate_count(&costs, &self.settings, samples, seed)
    }

    fn without_objective(&self) -> Result<CostModel<'a, S, NoObjective>, BuildError> {
        let arities = caught(|| Arities::from_spec(self.spec))?;
        Ok(CostModel::new(self.spec, &NoObjective, Goal::Minimum, arities))
    }

    fn best(
        &mut self,
        objective: &impl Objective<S>,
        goal: Goal,
    ) -> Result<BoundedBest, QueryError> {
        let spec = self.spec;
        let costs = caught(|| {
            let arities = Arities::from_spec(spec)?;
            objective.check(spec)?;
            Ok::<_, QueryError>(CostModel::new(spec, objective, goal, arities))
        })?;
        let on_better = &mut self.on_better;
        let mut better = |cost: i128, values: &[u32]| {
            let values: Vec<usize> = values.iter().map(|&value| value as usize).collect();
            on_better(goal.cost(cost), &values);
        };
        let callbacks =
            SearchCallbacks { on_better: &mut better, on_progress: &mut *self.on_progress };
        let found = caught(|| run(&costs, &self.settings, callbacks))?;
        let to_weight = |cost| goal.cost(cost);
        let SearchResult { best, bound, reason, states, opened, warnings } = found;
        let solution = best.map(|(cost, values)| {
            (to_weight(cost), values.into_iter().map(|value| value as usize).collect())
        });
        let bound = bound.filter(|&bound| bound < NEVER).map(to_weight);
        Ok(BoundedBest {
            solution,
            bound,
            reason,
            report: BoundedReport { states, opened, warnings },
        })
    }
}

/// Searches from the root or from the checkpoint, and then for the first solution if it is asked for.
fn run<S: DdSpec, O: Objective<S>>(
    costs: &CostModel<'_, S, O>,
    settings: &Settings,
    callbacks: SearchCallbacks<'_>,
) -> Result<SearchResult, BuildError> {
    let watch = Watch::start(settings.time_limit, settings.cancel.clone());
    let root = match costs.root()? {
        Some(Arrival::Open(root)) => root,
        Some(Arrival::Solution(cost)) => {
            let values = vec![0; costs.arities.num_vars()];
            (callbacks.on_better)(cost, &values);
            return Ok(SearchResult::proven(Some((cost, values))));
        }
        None => return Ok(SearchResult::proven(None)),
    };
    let mut start = SearchStart::at(root, NEVER);
    let mut file = None;
    if let Some(place) = &settings.checkpoint {
        let opened = saved::open(place, costs, &watch).and_then(|(file, blocks)| {
            let start = blocks.map(|blocks| saved::restore(&blocks, place, costs, &watch));
            Ok((file, start.transpose()?))
        });
        match opened {
            Ok((opened, restored)) => {
                file = Some(opened);
                start = restored.unwrap_or(start);
            }
            Err(error) => return Ok(SearchResult::stopped(StopReason::from_error(error)?)),
        }
    }
    let SearchCallbacks { on_better, on_progress } = callbacks;
    if let Some(values) = &start.values {
        on_better(start.below, values);
    }
    let searching = SearchCallbacks { on_better, on_progress: &mut *on_progress };
    let mut found = search::search(costs, settings, &watch, start, file.as_mut(), searching)?;
    if settings.least
        && found.reason == StopReason::Proven
        && let Some(best) = found.best.take()
    {
        let cost = best.0;
        let (states, file) = (found.states, file.as_mut());
        let least = least::least(costs, settings, &watch, best, states, file, on_progress)?;
        found.best = Some((cost, least.values));
        found.reason = least.stopped.unwrap_or(StopReason::Proven);
        found.states = least.states;
    }
    if matches!(found.reason, StopReason::Proven | StopReason::Gap) {
        found.warnings = file.map(|file| file.finish().remove()).unwrap_or_default();
    }
    Ok(found)
}

impl<S> fmt::Debug for Bounded<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounded").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// The difference of a cost and a bound as a share of the cost.
fn gap(cost: i128, bound: i128) -> f64 {
    let difference = (cost - bound).unsigned_abs();
    if difference == 0 { 0.0 } else { difference as f64 / cost.unsigned_abs() as f64 }
}

/// The best solution that a bounded run found, and a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedBest {
    solution: Option<(i128, Vec<usize>)>,
    bound: Option<i128>,
    reason: StopReason,
    report: BoundedReport,
}

impl BoundedBest {
    /// Returns the best solution found, a value for each variable; `None` if there is none.
    pub fn solution(&self) -> Option<&[usize]> {
        self.solution.as_ref().map(|(_, values)| &values[..])
    }

    /// Returns the weight of the solution.
    pub fn weight(&self) -> Option<i128> {
        self.solution.as_ref().map(|(weight, _)| *weight)
    }

    /// Returns the bound: no solution has a better weight. `None` if no bound is known, or if it is proven that there is no
    /// solution.
    pub fn bound(&self) -> Option<i128> {
        self.bound
    }

    /// Returns whether the solution is proven to be best, or that there is none.
    pub fn is_proven(&self) -> bool {
        self.reason == StopReason::Proven
    }

    /// Returns the difference of weight and bound as a share of the weight: infinite if only the weight is 0, and `None` if either
    /// is unknown.
    pub fn gap(&self) -> Option<f64> {
        Some(gap(self.weight()?, self.bound?))
    }

    /// Returns why the run ended.
    pub fn reason(&self) -> &StopReason {
        &self.reason
    }

    /// Returns counts of the work.
    pub fn report(&self) -> &BoundedReport {
        &self.report
    }
}

/// Why a bounded run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// No solution is better, and with [`Bounded::least`] none of the same weight comes before it; or there is no solution.
    Proven,
    /// Weight and bound are as near as [`Bounded::gap`] asks for.
    Gap,
    /// A limit was reached.
    Limit(Limit),
    /// The run was cancelled.
    Cancelled,
}

impl StopReason {
    /// The reason for an error that is none in a bounded run.
    fn from_error(error: BuildError) -> Result<Self, BuildError> {
        match error {
            BuildError::LimitReached { limit, .. } => Ok(StopReason::Limit(limit)),
            BuildError::Cancelled { .. } => Ok(StopReason::Cancelled),
            error => Err(error),
        }
    }
}

/// Counts of the work of a bounded run.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BoundedReport {
    /// The number of states in all levels.
    pub states: u64,
    /// The number of states that were open.
    pub opened: u64,
    /// The errors of the last save, or of the removal, of a [checkpoint](Bounded::checkpoint).
    pub warnings: Vec<BuildError>,
}

/// How far a bounded run is; see [`Bounded::on_progress`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BoundedProgress {
    /// The weight of the best solution so far.
    pub weight: Option<i128>,
    /// The bound so far.
    pub bound: Option<i128>,
    /// The number of open states.
    pub open: usize,
    /// The number of states in all levels so far.
    pub states: u64,
    /// The time since the run began.
    pub elapsed: Duration,
}
