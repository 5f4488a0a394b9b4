//! The engine: a breadth-first sweep over the states of a spec.
//!
//! [`Frontier`] is the door: every knob, each with a default. Behind it, `sweep` walks a
//! spec level by level; a `level` is split into partitions by state hash, `expand` asks
//! the spec for children, and equal states merge where they meet. The sweep is generic
//! over what travels with a state (`carry`): edges, when a diagram is built, a
//! fixed-width `number`, when only the count is wanted, or nothing, for a width profile.
//! Edges are left in `unreduced` for `diagram` to reduce; nothing here knows of diagrams.

mod cancel;
mod carry;
mod current;
mod expand;
mod level;
mod monitor;
pub(crate) mod number;
mod outbox;
mod report;
mod sweep;
mod total;
pub(crate) mod unreduced;
mod workers;

pub use cancel::CancelToken;
pub use report::{LevelReport, ReducedLevel, Report};

use crate::Error;
use crate::spec::{Arities, DdSpec, Rule};
use carry::{Build, Count, Profile};
use monitor::{Config, OnLevel, OnReduced};
pub(crate) use monitor::{Monitor, Watch};
use num_bigint::BigUint;
use number::{Number, Wide};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use sweep::{Outcome, Sweep};
pub(crate) use total::total;
use unreduced::Unreduced;
pub(crate) use workers::Workers;

/// A sweep over a spec, with every knob there is.
///
/// Set what you need, then ask for what you want: [`zdd`](Frontier::zdd) or
/// [`bdd`](Frontier::bdd) for a diagram, [`count`](Frontier::count) or
/// [`count_bdd`](Frontier::count_bdd) for the number of solutions alone, with only the
/// live levels in memory, [`profile`](Frontier::profile) for the widths of the levels.
/// Afterwards [`report`](Frontier::report) tells what the sweep came to, also when it
/// ended in an error.
///
/// ```
/// use topdd::{DdSpec, Error, Frontier, Step};
///
/// /// All subsets of `0..n` with at most `k` members.
/// struct AtMost { n: usize, k: usize }
///
/// impl DdSpec for AtMost {
///     type State = usize; // members so far
///     fn num_vars(&self) -> usize { self.n }
///     fn root(&self) -> Step<usize> { Step::To(0, 0) }
///     fn child(&self, members: &usize, v: usize, value: usize) -> Step<usize> {
///         let members = members + value;
///         if members > self.k { Step::Zero }
///         else if v + 1 == self.n { Step::One }
///         else { Step::To(v + 1, members) }
///     }
/// }
///
/// let spec = AtMost { n: 40, k: 20 };
/// let mut widest = 0;
/// let mut frontier = Frontier::over(&spec)
///     .max_states(100_000)
///     .on_level(|level| widest = widest.max(level.states));
/// assert_eq!(frontier.count()?, 618679078298u64.into());
/// println!("{}", frontier.report());
/// drop(frontier);
/// assert_eq!(widest, 21);
///
/// // A limit that is too low is an error, not a crash.
/// let error = Frontier::over(&spec).max_states(100).count().unwrap_err();
/// assert!(matches!(error, Error::LimitReached { .. }));
/// # Ok::<(), Error>(())
/// ```
pub struct Frontier<'a, S> {
    pub(crate) spec: &'a S,
    config: Config,
    on_level: Option<OnLevel<'a>>,
    on_reduced: Option<OnReduced<'a>>,
    report: Report,
}

impl<'a, S: DdSpec> Frontier<'a, S> {
    /// A sweep over `spec`, with no limits.
    pub fn over(spec: &'a S) -> Self {
        Frontier {
            spec,
            config: Config::default(),
            on_level: None,
            on_reduced: None,
            report: Report::default(),
        }
    }

    /// Stops with [`Error::LimitReached`] once more than `states` distinct states have
    /// been met, over all levels.
    pub fn max_states(mut self, states: u64) -> Self {
        self.config.max_states = Some(states);
        self
    }

    /// Stops with [`Error::LimitReached`] once the sweep or the reduction after it holds
    /// more than `bytes` at one time.
    ///
    /// What counts is what [`Report::peak_bytes`] tells: states, tables and edges, but
    /// not what states own on the heap.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.config.memory_limit = Some(bytes);
        self
    }

    /// Works with `threads` threads of its own, at most 1024; 0 means the calling thread
    /// alone, as 1 does. The result is the same for any number.
    ///
    /// Unless set, the run uses the rayon pool that it is called in, or rayon's global
    /// one, which has as many threads as there are cores. Small levels are expanded by the
    /// calling thread alone, whatever this says.
    pub fn threads(mut self, threads: usize) -> Self {
        self.config.threads = Some(threads);
        self
    }

    /// Stops with [`Error::LimitReached`] once `time` has passed since the start.
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.config.time_limit = Some(time);
        self
    }

    /// Stops with [`Error::Cancelled`] soon after `token` is cancelled.
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.config.cancel = Some(token.clone());
        self
    }

    /// Goes on in temporary files of this directory where memory would not do. They have no
    /// names, and are gone when nothing refers to them any more.
    ///
    /// Set a [`memory_limit`](Frontier::memory_limit) with it: a reduced diagram that takes
    /// more than a quarter of that goes on on disk, and is read from there when it is asked
    /// something.
    pub fn spill_to(mut self, dir: impl Into<PathBuf>) -> Self {
        self.config.spill_dir = Some(dir.into());
        self
    }

    /// Calls `callback` after each level, with what the level came to.
    pub fn on_level(mut self, callback: impl FnMut(&LevelReport) + Send + 'a) -> Self {
        self.on_level = Some(Box::new(callback));
        self
    }

    /// Calls `callback` after each level that has been reduced, with what became of it.
    /// Reduction begins when the sweep has ended, and goes from the last variable up.
    ///
    /// ```
    /// # use topdd::{DdSpec, Frontier, Step};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 3 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 2 { Step::One } else { Step::To(v + 1, ()) } } }
    /// let mut left = 0;
    /// let mut frontier = Frontier::over(&Any).on_reduced(|level| left = level.variable);
    /// let zdd = frontier.zdd()?;
    /// let nodes: usize = frontier.report().reduced().iter().map(|level| level.nodes).sum();
    /// assert_eq!(nodes, zdd.node_count());
    /// # Ok::<(), topdd::Error>(())
    /// ```
    pub fn on_reduced(mut self, callback: impl FnMut(&ReducedLevel) + Send + 'a) -> Self {
        self.on_reduced = Some(Box::new(callback));
        self
    }

    /// What the last run came to, up to its end or to the error that ended it.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The number of solutions, with skipped variables read as 0: what
    /// `zdd()?.count()` answers, without storing a diagram.
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, or the run is cancelled.
    pub fn count(&mut self) -> Result<BigUint, Error> {
        self.count_under(Rule::ZeroSuppressed)
    }

    /// The number of solutions, with skipped variables free to take any value: what
    /// `bdd()?.count()` answers, without storing a diagram.
    ///
    /// # Errors
    ///
    /// As for [`count`](Frontier::count).
    pub fn count_bdd(&mut self) -> Result<BigUint, Error> {
        self.count_under(Rule::AnyValue)
    }

    /// The number of solutions, with skipped variables read by `rule`.
    ///
    /// # Errors
    ///
    /// As for [`count`](Frontier::count).
    pub fn count_under(&mut self, rule: Rule) -> Result<BigUint, Error> {
        let (arities, mut monitor, spec) = self.prepare()?;
        let arities = &arities;

        // Narrow numbers first; each `?` of the chain goes on with wider ones.
        let sweep = Sweep::<S, Count<Wide<1>>>::new(spec, arities, rule);
        let sweep = match count_on(sweep, arities, rule, &mut monitor)? {
            Ok(count) => return Ok(count),
            Err(sweep) => sweep.widen::<Wide<2>>(),
        };
        let sweep = match count_on(sweep, arities, rule, &mut monitor)? {
            Ok(count) => return Ok(count),
            Err(sweep) => sweep.widen::<Wide<4>>(),
        };
        let sweep = match count_on(sweep, arities, rule, &mut monitor)? {
            Ok(count) => return Ok(count),
            Err(sweep) => sweep.widen::<BigUint>(),
        };
        match count_on(sweep, arities, rule, &mut monitor)? {
            Ok(count) => Ok(count),
            Err(_) => unreachable!("a number without a width is never too narrow"),
        }
    }

    /// The widths of the levels: a sweep that keeps nothing but the live levels. Answers
    /// its report. Sweeps as [`zdd`](Frontier::zdd) would; for a spec that reads skipped
    /// variables, [`profile_under`](Frontier::profile_under) another rule may differ.
    ///
    /// # Errors
    ///
    /// As for [`count`](Frontier::count).
    pub fn profile(&mut self) -> Result<&Report, Error> {
        self.profile_under(Rule::ZeroSuppressed)
    }

    /// The widths of the levels when skipped variables are read by `rule`.
    ///
    /// # Errors
    ///
    /// As for [`count`](Frontier::count).
    pub fn profile_under(&mut self, rule: Rule) -> Result<&Report, Error> {
        {
            let (arities, mut monitor, spec) = self.prepare()?;
            Sweep::<S, Profile>::new(spec, &arities, rule).run(&mut monitor)?;
        }
        Ok(&self.report)
    }

    /// Sweeps and stores the edges. Hands the monitor on to reduction.
    pub(crate) fn build(&mut self, rule: Rule) -> Result<(Unreduced, Monitor<'_, 'a>), Error> {
        let (arities, mut monitor, spec) = self.prepare()?;
        let sweep = Sweep::<S, Build>::new(spec, &arities, rule);
        let swept = match sweep.run(&mut monitor)? {
            Outcome::Done(swept) => swept,
            Outcome::TooNarrow(_) => unreachable!("edges are never too narrow"),
        };
        let root_is_one = swept.levels.is_empty() && !swept.ones.is_empty();
        Ok((Unreduced { arities, levels: swept.levels, root_is_one }, monitor))
    }

    /// What every run starts with.
    fn prepare(&mut self) -> Result<(Arities, Monitor<'_, 'a>, &'a S), Error> {
        let mut monitor = Monitor::new(&self.config, self.on_level.as_mut(), &mut self.report)?;
        monitor.on_reduced = self.on_reduced.as_mut();
        self.spec.validate().map_err(|message| Error::InvalidSpec { message })?;
        let arities = Arities::of(self.spec)?;
        Ok((arities, monitor, self.spec))
    }
}

/// Runs a counting sweep to its end, or to where it needs wider numbers.
fn count_on<'a, S: DdSpec, N: Number>(
    sweep: Sweep<'a, S, Count<N>>,
    arities: &Arities,
    rule: Rule,
    monitor: &mut Monitor<'_, '_>,
) -> Result<Result<BigUint, Sweep<'a, S, Count<N>>>, Error> {
    Ok(match sweep.run(monitor)? {
        Outcome::Done(swept) => Ok(total(arities, rule, &swept.ones)),
        Outcome::TooNarrow(sweep) => Err(*sweep),
    })
}

impl<S> fmt::Debug for Frontier<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frontier")
            .field("config", &self.config)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// The number of solutions of `spec`, with skipped variables read as 0, exact and
/// without storing a diagram. [`Frontier::count`] with no limits.
///
/// # Errors
///
/// When the spec breaks its contract.
pub fn count<S: DdSpec>(spec: &S) -> Result<BigUint, Error> {
    Frontier::over(spec).count()
}

/// The number of solutions of `spec`, with skipped variables free to take any value,
/// exact and without storing a diagram. [`Frontier::count_bdd`] with no limits.
///
/// # Errors
///
/// When the spec breaks its contract.
pub fn count_bdd<S: DdSpec>(spec: &S) -> Result<BigUint, Error> {
    Frontier::over(spec).count_bdd()
}
