//! The engine: a breadth-first sweep over the states of a spec.
//!
//! [`Frontier`] is the door: every knob, each with a default. Behind it, `sweep` walks a
//! spec level by level; a `level` is split into `partition`s by state hash, as many as the
//! `pool` says; `expand` asks the spec for children, `delivery` brings them where they belong,
//! and equal states merge where they meet. What is kept beside the states is told by `carry`: the
//! edges, when a diagram is built, a number for each state (`limbs`), when only the count is
//! wanted, or nothing, for a width profile.
//!
//! Under a memory limit, `room` decides what goes to disk and what comes back, `spilled`
//! writes and reads the states of a level, and `durable` saves and restores a sweep between
//! two levels, which `probe` tells from those of other specs; `disk` knows files and
//! checkpoints, `storage` what of them a run may use.
//! Edges are left in `unreduced` for `diagram` to reduce; nothing here knows of diagrams.

mod blocks;
mod cancel;
mod carry;
mod current;
mod delivery;
mod disk;
mod durable;
mod expand;
mod index;
mod level;
pub(crate) mod limbs;
mod log;
mod monitor;
mod outbox;
mod partition;
mod pool;
mod probe;
mod report;
mod room;
mod spilled;
mod storage;
mod sweep;
mod total;
pub(crate) mod unreduced;
pub(crate) mod via;
mod workers;

pub use cancel::CancelToken;
pub use report::{LevelReport, ReducedLevel, Report};

use crate::spec::{Arities, Codec, DdSpec, Portable, Rule};
use crate::{Error, heap};
use carry::Carry;
use disk::{Checkpoint, Disk};
use monitor::{Config, OnLevel, OnReduced};
pub(crate) use monitor::{Monitor, Watch};
use num_bigint::BigUint;
use probe::identity;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use storage::Storage;
use sweep::Sweep;
use total::total;
use unreduced::Unreduced;
pub(crate) use workers::{Workers, for_all, for_both};

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
pub struct Frontier<'a, S: DdSpec> {
    pub(crate) spec: &'a S,
    config: Config,
    on_level: Option<OnLevel<'a>>,
    on_reduced: Option<OnReduced<'a>>,
    report: Report,
    /// How states are written, once something may be on disk.
    codec: Option<Codec<S::State>>,
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
            codec: None,
        }
    }

    /// Stops with [`Error::LimitReached`] once more than `states` distinct states have
    /// been met, over all levels.
    pub fn max_states(mut self, states: u64) -> Self {
        self.config.max_states = Some(states);
        self
    }

    /// Holds no more than `bytes` at one time, in the sweep and in the reduction after it:
    /// what does not fit goes to disk with [`spill_to`](Frontier::spill_to), and without it
    /// the run stops with [`Error::LimitReached`].
    ///
    /// What counts is what [`Report::peak_bytes`] tells: states, tables and edges, but not what
    /// states own on the heap. The process grows by that and at most about a quarter more, for
    /// what comes and goes in between and what the allocator keeps. For reduction four bytes for
    /// each state of a level, and of the one below it, have to fit, and for each edge that skips
    /// variables to levels further down; nodes with the same first edge are not taken apart.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.config.memory_limit = Some(bytes);
        self
    }

    /// Works with `threads` threads of its own, at most 1024; 0 means the calling thread
    /// alone, as 1 does. The result is the same for any number.
    ///
    /// Unless set, the run uses the rayon pool that it is called in, or rayon's global
    /// one, which has as many threads as there are cores. Small levels are expanded by one
    /// thread alone, whatever this says. Where there is a core for each, threads stay awake for
    /// some tenths of a millisecond when they have nothing to do.
    pub fn threads(mut self, threads: usize) -> Self {
        self.config.threads = Some(threads);
        self
    }

    /// Goes on on disk, in files in `dir`, where [`memory_limit`](Frontier::memory_limit)
    /// leaves too little room, instead of stopping. Without a memory limit this does nothing.
    ///
    /// Levels and edges go there as they must, and a reduced diagram that takes more than a
    /// quarter of the limit, which then stays on disk and is read from there as it is asked.
    /// The files have no names and are gone when nothing refers to them any more, however the
    /// run ends. With a
    /// [`checkpoint`](Frontier::checkpoint), what is spilled is written there instead.
    ///
    /// # Errors
    ///
    /// The run then fails with [`Error::Io`] if `dir` is not there, not writable, or full,
    /// and with [`Error::LimitTooSmall`] if the limit leaves no room to work.
    ///
    /// ```
    /// # use topdd::{DdSpec, Frontier, Step};
    /// # struct AtMost { n: usize, k: usize }
    /// # impl DdSpec for AtMost {
    /// #     type State = usize;
    /// #     fn num_vars(&self) -> usize { self.n }
    /// #     fn root(&self) -> Step<usize> { Step::To(0, 0) }
    /// #     fn child(&self, members: &usize, v: usize, value: usize) -> Step<usize> {
    /// #         let members = members + value;
    /// #         if members > self.k { Step::Zero }
    /// #         else if v + 1 == self.n { Step::One }
    /// #         else { Step::To(v + 1, members) }
    /// #     }
    /// # }
    /// let spec = AtMost { n: 40, k: 20 };
    /// let mut frontier = Frontier::over(&spec).memory_limit(16 << 20).spill_to(std::env::temp_dir());
    /// assert_eq!(frontier.count()?, 618679078298u64.into());
    /// # Ok::<(), topdd::Error>(())
    /// ```
    pub fn spill_to(mut self, dir: impl Into<PathBuf>) -> Self
    where
        S::State: Portable,
    {
        self.config.spill_dir = Some(dir.into());
        self.codec = Some(Codec::new());
        self
    }

    /// Saves each finished level in `dir`, so that the same call goes on from there after
    /// whatever may have ended it. Levels that take less than a twentieth of a second share a
    /// checkpoint. When the run is done, its files are removed.
    ///
    /// A checkpoint belongs to one run: the same type of spec, which answers the same, under
    /// the same rule, asked the same, by the same version of topdd. Limits and threads may
    /// differ. As specs can only be asked, and not all that they would answer, some states of
    /// each finished level are; a spec that differs for few states should be told from others
    /// by its [name](Frontier::named). Only files whose names start with `topdd-` are ever touched in `dir`.
    ///
    /// # Errors
    ///
    /// The run then fails with [`Error::Io`] if `dir` is not there, not writable, or full;
    /// with [`Error::OtherCheckpoint`] if it holds the checkpoint of a different run, with
    /// [`Error::DirectoryInUse`] if that run is still at work after some seconds, which one that
    /// was killed may take to go away, and with [`Error::Damaged`] if a file there is not as it
    /// was left. The checkpoint stays as it was, each time.
    ///
    /// ```
    /// # use topdd::{DdSpec, Error, Frontier, Step};
    /// # struct Any { n: usize }
    /// # impl DdSpec for Any {
    /// #     type State = ();
    /// #     fn num_vars(&self) -> usize { self.n }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v + 1 == self.n { Step::One } else { Step::To(v + 1, ()) }
    /// #     }
    /// # }
    /// # let spec = Any { n: 10 };
    /// let dir = std::env::temp_dir().join(format!("topdd-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// let count = Frontier::over(&spec).checkpoint(&dir).count()?;
    /// assert_eq!(count, 1024u32.into());
    /// # std::fs::remove_dir(&dir).unwrap();
    /// # Ok::<(), Error>(())
    /// ```
    pub fn checkpoint(mut self, dir: impl Into<PathBuf>) -> Self
    where
        S::State: Portable,
    {
        self.config.checkpoint_dir = Some(dir.into());
        self.codec = Some(Codec::new());
        self
    }

    /// Says which run this is, in words of your own: what its [checkpoint](Frontier::checkpoint) is
    /// known by, beside what the spec answers. Without a checkpoint it means nothing.
    ///
    /// # Errors
    ///
    /// The run then fails with [`Error::OtherCheckpoint`] if the checkpoint was made under another
    /// name, or under none.
    ///
    /// ```
    /// # use topdd::{DdSpec, Error, Frontier, Step};
    /// # struct Any { n: usize }
    /// # impl DdSpec for Any {
    /// #     type State = ();
    /// #     fn num_vars(&self) -> usize { self.n }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v + 1 == self.n { Step::One } else { Step::To(v + 1, ()) }
    /// #     }
    /// # }
    /// # let spec = Any { n: 10 };
    /// # let dir = std::env::temp_dir().join(format!("topdd-doc-named-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// let mut frontier = Frontier::over(&spec).checkpoint(&dir).named("ten of any");
    /// assert_eq!(frontier.count()?, 1024u32.into());
    /// # std::fs::remove_dir(&dir).unwrap();
    /// # Ok::<(), Error>(())
    /// ```
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.config.name = Some(name.into());
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

    /// Calls `callback` after each level, with what the level came to: on the calling thread or
    /// on one of those that share the work.
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
        let Prepared { arities, mut monitor, spec, storage } = self.prepare("count", rule)?;
        let (arities, monitor) = (&arities, &mut monitor);

        let sweep = Sweep::new(spec, Carry::Numbers, arities, rule, storage, monitor.sizing());
        let mut swept = sweep.run(monitor)?;
        swept.storage.finish()?;
        Ok(total(arities, rule, &swept.ones))
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
            let Prepared { arities, mut monitor, spec, storage } =
                self.prepare("find the widths of the levels", rule)?;
            let sizing = monitor.sizing();
            let sweep = Sweep::new(spec, Carry::Nothing, &arities, rule, storage, sizing);
            sweep.run(&mut monitor)?.storage.finish()?;
        }
        Ok(&self.report)
    }

    /// Sweeps and stores the edges. Hands the monitor on to reduction.
    pub(crate) fn build(&mut self, rule: Rule) -> Result<(Unreduced, Monitor<'_, 'a>), Error> {
        let Prepared { arities, mut monitor, spec, storage } =
            self.prepare("build a diagram", rule)?;
        let sizing = monitor.sizing();
        let sweep = Sweep::new(spec, Carry::Edges, &arities, rule, storage, sizing);
        let swept = sweep.run(&mut monitor)?;
        let root_is_one = swept.levels.is_empty() && !swept.ones.is_empty();
        let checkpoint = swept.storage.checkpoint;
        if monitor.memory_limit().is_some() {
            heap::give_back();
        }
        Ok((
            Unreduced { arities, levels: swept.levels, log: swept.log, root_is_one, checkpoint },
            monitor,
        ))
    }

    /// What every run starts with.
    fn prepare(&mut self, task: &str, rule: Rule) -> Result<Prepared<'_, 'a, S>, Error> {
        let mut monitor = Monitor::new(&self.config, self.on_level.as_mut(), &mut self.report)?;
        monitor.on_reduced = self.on_reduced.as_mut();
        let spec = self.spec;
        spec.validate().map_err(|message| Error::InvalidSpec { message })?;
        let arities = Arities::of(spec)?;
        let mut storage = Storage {
            codec: self.codec,
            spill: None,
            checkpoint: None,
            watch: monitor.watch.clone(),
            manifest: None,
        };
        if let Some(dir) = &self.config.spill_dir {
            storage.spill = Some(Disk::unnamed(dir)?);
        }
        if let (Some(dir), Some(codec)) = (&self.config.checkpoint_dir, self.codec) {
            let name = self.config.name.as_deref().unwrap_or_default();
            let identity = identity((task, name), spec, codec, &arities, rule);
            let (checkpoint, manifest) =
                Checkpoint::open(dir, identity, || monitor.watch.check(None))?;
            (storage.checkpoint, storage.manifest) = (Some(checkpoint), manifest);
        }
        Ok(Prepared { arities, monitor, spec, storage })
    }
}

/// What every run starts with.
struct Prepared<'f, 'a, S: DdSpec> {
    arities: Arities,
    monitor: Monitor<'f, 'a>,
    spec: &'a S,
    storage: Storage<S::State>,
}

impl<S: DdSpec> fmt::Debug for Frontier<'_, S> {
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
