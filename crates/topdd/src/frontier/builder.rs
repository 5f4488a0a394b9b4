//! The builder of runs: all options, and the calls that run.

use super::disk::FinishedCheckpoint;
use super::engine::Engine;
use super::exchange::Mesh;
use super::expander::{ByEncoding, NotBoxed, Source, SpecSource, fixed_rows, rows_source};
use super::monitor::CancelToken;
use super::payload::NoValues;
use super::report::{LevelReport, ReducedLevel, Report};
use crate::BuildError;
use crate::spec::{
    ArraySpec, BoxedSpec, Codec, DdSpec, JoinSpec, Joining, Portable, Rows, Rule, SpecExt, Typed,
    WordSpec,
};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A run of the engine over a spec, with all options.
///
/// Set options, then call one of the methods that run: [`zdd`](Frontier::zdd) or
/// [`bdd`](Frontier::bdd) for a diagram, [`count`](Frontier::count) or
/// [`count_bdd`](Frontier::count_bdd) for the number of solutions alone, with only the
/// live levels in memory, another [answer without a diagram](crate::answer), or
/// [`profile`](Frontier::profile) for the widths of the levels.
/// Afterwards [`report`](Frontier::report) returns the figures of the run, also after an error.
///
/// ```
/// use topdd::{BuildError, DdSpec, Frontier, Step};
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
/// assert!(matches!(error, BuildError::LimitReached { .. }));
/// # Ok::<(), BuildError>(())
/// ```
///
/// `S` is the type of the spec. A `Frontier<'a>` does not name it, and is made by [`Frontier::of`].
pub struct Frontier<'a, S = BoxedSpec<'a>> {
    pub(crate) engine: Engine<'a>,
    /// Kept for [`Frontier::spill_to`], if the encoding of the states is not known yet, and for objectives.
    pub(crate) spec: Option<&'a S>,
}

impl<'a, S: DdSpec> Frontier<'a, S> {
    /// Makes a sweep over `spec`, with no limits.
    pub fn over(spec: &'a S) -> Self {
        let source = SpecSource::<_, NotBoxed>::new(spec, None);
        Frontier { engine: Engine::new(Box::new(source)), spec: Some(spec) }
    }

    /// Spills to files in `dir` when the [`memory_limit`](Frontier::memory_limit) is reached.
    /// Without a memory limit this does nothing.
    ///
    /// States and edges spill as needed. A reduced diagram that takes more than a quarter of the
    /// limit is on disk and stays there; queries read it from there. The files have no names, so
    /// that the system removes them when the run and the diagram are dropped, or the process ends.
    /// With a [`checkpoint`](Frontier::checkpoint), states and edges spill to its directory instead.
    ///
    /// # Errors
    ///
    /// The run fails with [`BuildError::Io`] if `dir` does not exist, is not writable, or is full, and
    /// with [`BuildError::LimitTooSmall`] if the limit is too small to work with.
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
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn spill_to(mut self, dir: impl Into<PathBuf>) -> Self
    where
        S::State: Portable,
    {
        self.engine.config.spill_dir = Some(dir.into());
        self.portable()
    }

    /// Saves the sweep in `dir` between two levels, so that the same call with the same `key`
    /// resumes it after any failure: a limit, a full disk, a kill, a power cut.
    ///
    /// The key names the problem: a run resumes a checkpoint only if the keys are equal. Different
    /// specs must have different keys. The number of variables, the arities, the rule, the encoded
    /// root, and the kind of result are compared as well. Limits, threads and the processor may differ.
    ///
    /// A checkpoint also stores a fingerprint of the spec: up to 1024 states of each finished level, with a
    /// hash of their steps. A run whose spec has other steps in these states is refused. If only states
    /// that are not sampled have changed in a finished level, the run resumes, and its result is wrong.
    /// A change in later levels is harmless.
    ///
    /// The steps of sampled states are computed twice, and again when the run is resumed. After the first 32 768
    /// states and edges, they are at most one in 128 of the sweep, but at least two states of
    /// each level. This takes a few percent of the time, and up to 4 MiB.
    ///
    /// A checkpoint is written after a level, at the earliest 50 ms after the last one, and no
    /// sooner than the last one took. It stores one copy of the pending levels, and each finished
    /// level of a diagram once. While it replaces the last one, both are on disk. When the run is
    /// done, its files are removed, except `topdd-lock`: a new lock file would let two runs use
    /// the directory at once. [`Report::warnings`] lists removals that failed. In `dir`, only
    /// files whose names start with `topdd-` are changed.
    ///
    /// # Errors
    ///
    /// The run fails with
    ///
    /// - [`BuildError::Io`] if a file operation fails: the last checkpoint stays valid;
    /// - [`BuildError::OtherCheckpoint`] if the checkpoint in `dir` has another key, or one of the
    ///   other compared facts differs;
    /// - [`BuildError::SpecChanged`] if the spec has other steps in sampled states;
    /// - [`BuildError::DirectoryInUse`] if another run holds `dir` for more than three seconds, or until a
    ///   time limit;
    /// - [`BuildError::Damaged`] if a file is damaged, or of another version of the checkpoint format.
    ///
    /// ```
    /// # use topdd::{BuildError, DdSpec, Frontier, Step};
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
    /// let count = Frontier::over(&spec).checkpoint(&dir, "all subsets of 10").count()?;
    /// assert_eq!(count, 1024u32.into());
    /// # std::fs::remove_dir_all(&dir).unwrap();
    /// # Ok::<(), BuildError>(())
    /// ```
    pub fn checkpoint(mut self, dir: impl Into<PathBuf>, key: impl Into<String>) -> Self
    where
        S::State: Portable,
    {
        self.engine.config.checkpoint = Some((dir.into(), key.into()));
        self.portable()
    }

    /// Gives the engine the encoding of the states, so that they may go to disk.
    fn portable(mut self) -> Self
    where
        S::State: Portable,
    {
        if let Some(spec) = self.spec {
            let source = SpecSource::<_, NotBoxed>::new(spec, Some(Codec::new()));
            self.engine.source = Box::new(source);
        }
        self
    }
}

impl<'a> Frontier<'a> {
    /// Makes a run over a spec that it owns, and whose type is hidden. For problems that choose the
    /// type of their spec, such as the size of its states, at run time.
    ///
    /// ```
    /// use topdd::{DdSpec, Frontier, Step};
    ///
    /// /// The members so far, in as many bits as they need.
    /// struct AtMost<C> { n: usize, k: C }
    ///
    /// impl<C> DdSpec for AtMost<C>
    /// where
    ///     C: Copy + From<u8> + Ord + std::ops::Add<Output = C> + topdd::Portable,
    ///     C: std::hash::Hash + std::fmt::Debug + Send + Sync + 'static,
    /// {
    ///     type State = C;
    ///     fn num_vars(&self) -> usize { self.n }
    ///     fn root(&self) -> Step<C> { Step::To(0, C::from(0)) }
    ///     fn child(&self, members: &C, v: usize, value: usize) -> Step<C> {
    ///         let members = *members + C::from(value as u8);
    ///         if members > self.k { Step::Zero }
    ///         else if v + 1 == self.n { Step::One }
    ///         else { Step::To(v + 1, members) }
    ///     }
    /// }
    ///
    /// /// The subsets of `0..n` with at most `k` members.
    /// fn at_most(n: usize, k: u16) -> Frontier<'static> {
    ///     match u8::try_from(k) {
    ///         Ok(k) if k < u8::MAX => Frontier::of(AtMost { n, k }),
    ///         _ => Frontier::of(AtMost { n, k }),
    ///     }
    /// }
    ///
    /// assert_eq!(at_most(40, 20).count()?, 618679078298u64.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn of(spec: impl DdSpec<State: Portable> + Send + 'a) -> Self {
        let source = SpecSource::<_, ByEncoding>::new(spec, Some(Codec::new()));
        Self::from_source(Box::new(source))
    }

    fn from_source(source: Box<dyn Source + 'a>) -> Self {
        Frontier { engine: Engine::new(source), spec: None }
    }

    /// Does the same as [`of`](Frontier::of), for array specs, as in the example of [`ArraySpec`].
    ///
    /// For states of one or two words, the engine is compiled for the type of the spec; for longer ones this is
    /// [`of_boxed`](Frontier::of_boxed) of the [boxed](ArraySpec::boxed) spec, which saves compile time and
    /// takes up to a fifth more time for short states.
    pub fn of_arrays(spec: impl ArraySpec + 'a) -> Self {
        let spec = Typed::new(spec);
        match spec.num_words() {
            1 => Self::from_source(fixed_rows::<_, 1, true>(spec)),
            2 => Self::from_source(fixed_rows::<_, 2, true>(spec)),
            _ => Self::from_source(rows_source(Rows::new(spec))),
        }
    }

    /// Does the same as [`of`](Frontier::of), for boxed specs. The engine for them is compiled in the
    /// library, so a call adds nothing to the time to compile a program. If the spec is a boxed
    /// [`ArraySpec`], its states are stored as they are.
    ///
    /// ```
    /// use topdd::{Frontier, SpecExt, constraint};
    ///
    /// let rules = vec![constraint::at_most(9, 5).boxed(), constraint::at_least(9, 4).boxed()];
    /// assert_eq!(Frontier::of_boxed(topdd::all(rules).boxed()).count()?, 252u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn of_boxed(spec: BoxedSpec<'a>) -> Self {
        match spec.into_rows() {
            Ok(rows) => Self::from_source(rows_source(rows)),
            Err(spec) => Self::of(spec),
        }
    }

    /// Returns the spec. For problems whose type of spec is chosen at run time: they make a frontier, and this
    /// is the same problem as a spec.
    ///
    /// # Errors
    ///
    /// [`BuildError::InvalidSpec`] if the frontier is [`joining`](Frontier::joining), as a [`JoinSpec`] is no
    /// [`DdSpec`].
    ///
    /// ```
    /// use topdd::{Frontier, SpecExt, constraint};
    ///
    /// let few = Frontier::of(constraint::at_most(9, 5)).into_spec()?;
    /// assert_eq!(topdd::count(&few.and(constraint::at_least(9, 4)))?, 252u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn into_spec(self) -> Result<BoxedSpec<'a>, BuildError> {
        match self.spec {
            Some(spec) => Ok(spec.boxed()),
            None => self.engine.source.into_spec(),
        }
    }

    /// Makes a run over a spec, owned or borrowed, whose states are joined where they meet; see
    /// [`JoinSpec`].
    ///
    /// ```
    /// use topdd::spec::JoinSpec;
    /// use topdd::{Frontier, Step};
    ///
    /// /// Paths down a triangle of numbers, to the left (0) or to the right (1). A place is left out if
    /// /// the least total of a way to it is more than `most`.
    /// struct Triangle { rows: Vec<Vec<u32>>, most: u32 }
    ///
    /// impl JoinSpec for Triangle {
    ///     type State = usize; // the place in the row
    ///     type Joined = u32; // the least total of a way to it
    ///     fn num_vars(&self) -> usize { self.rows.len() }
    ///     fn root(&self) -> Step<(usize, u32)> { Step::To(0, (0, 0)) }
    ///     fn child(&self, place: &usize, least: &u32, row: usize, right: usize) -> Step<(usize, u32)> {
    ///         let total = least + self.rows[row][place + right];
    ///         if total > self.most { Step::Zero }
    ///         else if row + 1 == self.rows.len() { Step::One }
    ///         else { Step::To(row + 1, (place + right, total)) }
    ///     }
    ///     fn join(one: &u32, other: &u32) -> u32 { *one.min(other) }
    /// }
    ///
    /// let rows = vec![vec![1, 5], vec![4, 1, 1], vec![2, 2, 1, 9]];
    /// let triangle = |most| Triangle { rows: rows.clone(), most };
    /// assert_eq!(Frontier::joining(triangle(20)).count()?, 8u32.into()); // all paths
    /// // The ways that start with 0, 1 and 1, 0 meet, with totals 2 and 6. Both continue with the
    /// // smaller total, so paths of total 8 and 7 remain.
    /// let zdd = Frontier::joining(triangle(6)).zdd()?;
    /// assert!(zdd.iter().eq([[0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]]));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn joining(spec: impl JoinSpec + Send + 'a) -> Self {
        let (spec, codec) = Joining::with_codec(spec);
        Self::from_source(Box::new(SpecSource::<_, NotBoxed>::new(spec, Some(codec))))
    }

    /// Sweeps together with the other processes of a mesh. Not covered by semantic versioning.
    ///
    /// Methods that build a diagram panic in all processes but the first; see
    /// [`diagram_in_first`](Frontier::diagram_in_first).
    #[doc(hidden)]
    pub fn with_mesh(mut self, mesh: impl Mesh + 'a) -> Self {
        self.engine.mesh = Some(Box::new(mesh));
        self.portable()
    }
}

impl<'a, S> Frontier<'a, S> {
    /// Sweeps over `spec` with the settings of this run. Keeps no checkpoint of the last level, so that each run expands it.
    pub(crate) fn sweep_joining(
        &mut self,
        spec: impl JoinSpec + Send + 'a,
    ) -> Result<(), BuildError> {
        let (spec, codec) = Joining::with_codec(spec);
        let source = Box::new(SpecSource::<_, NotBoxed>::new(spec, Some(codec)));
        let own = std::mem::replace(&mut self.engine.source, source);
        let keeps = std::mem::take(&mut self.engine.config.keeps_checkpoint);
        let swept =
            self.engine.words(Rule::ZeroSuppressed, |_| Ok::<_, BuildError>(NoValues::Nothing));
        self.engine.source = own;
        self.engine.config.keeps_checkpoint = keeps;
        swept.map(drop)
    }

    /// Compares [`for_each_child`](DdSpec::for_each_child) and [`forced`](DdSpec::forced) with
    /// [`child`](DdSpec::child) during the sweep, for each state that is expanded and each forced
    /// state that is followed. `child` is called twice for each value, and must repeat itself.
    ///
    /// In addition, a sample of the states that were merged with an equal one is compared with it: both must have the
    /// same steps. If `Eq` ignores a field on which the future depends, they differ.
    ///
    /// Unless set, builds with debug assertions check a sample, and other builds nothing. The sample has at
    /// most 64 states, evenly spaced, of each partition (some ten thousand states), so small levels are
    /// checked in full. It also has two pairs of merged states, and one more pair for each 64 states. At the variables
    /// 1, 2, 4, 8 and so on, two pairs are also compared along a path. Variables with more than 16 384 values are
    /// not checked. The sample takes a few percent of the time; a check of all states may take several times as long as the sweep.
    /// [`check::verify`](crate::check::verify) also compares a spec with a predicate.
    ///
    /// # Errors
    ///
    /// The run fails with [`BuildError::Violation`], which contains the variable, the value, the state
    /// and the difference.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use topdd::{BuildError, DdSpec, Frontier, Step};
    ///
    /// /// Subsets of `0..n` with at most one member. Wrong: 3 is left out.
    /// struct AtMostOne { n: usize }
    ///
    /// impl DdSpec for AtMostOne {
    ///     type State = usize; // members so far
    ///     fn num_vars(&self) -> usize { self.n }
    ///     fn root(&self) -> Step<usize> { Step::To(0, 0) }
    ///     fn child(&self, members: &usize, v: usize, value: usize) -> Step<usize> {
    ///         if members + value > 1 { Step::Zero }
    ///         else if v + 1 == self.n { Step::One }
    ///         else { Step::To(v + 1, members + value) }
    ///     }
    ///     fn for_each_child<B>(
    ///         &self,
    ///         members: &usize,
    ///         v: usize,
    ///         mut visit: impl FnMut(usize, Step<usize>) -> ControlFlow<B>,
    ///     ) -> ControlFlow<B> {
    ///         visit(0, self.child(members, v, 0))?;
    ///         if *members == 0 && v != 3 { visit(1, self.child(members, v, 1))?; }
    ///         ControlFlow::Continue(())
    ///     }
    /// }
    ///
    /// let error = Frontier::over(&AtMostOne { n: 9 }).checked(true).count().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the spec breaks its contract: at variable 3 in state 0, value 1: `child` returns state 1 \
    ///      at variable 4, but `for_each_child` leaves it out",
    /// );
    /// assert!(matches!(error, BuildError::Violation(_)));
    /// ```
    pub fn checked(mut self, checked: bool) -> Self {
        self.engine.config.checked = Some(checked);
        self
    }

    /// Stops with [`BuildError::LimitReached`] when there are more than `states` distinct states over
    /// all levels.
    pub fn max_states(mut self, states: u64) -> Self {
        self.engine.config.max_states = Some(states);
        self
    }

    /// Limits memory use to `bytes`, in the sweep and in the reduction after it. Beyond the limit,
    /// data spills to disk with [`spill_to`](Frontier::spill_to); without it the run stops with
    /// [`BuildError::LimitReached`], and has the states, memory and time of a run without a limit until then.
    /// Without a limit, a run may take all memory: [`available_memory`](crate::available_memory) returns one
    /// that leaves enough for the rest of the system, and for the slack below.
    ///
    /// ```
    /// use topdd::{Frontier, constraint};
    ///
    /// let spec = constraint::exactly(30, 10);
    /// let mut frontier = Frontier::over(&spec).memory_limit(topdd::available_memory());
    /// assert_eq!(frontier.count()?, 30045015u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// The limit applies to [`Report::peak_bytes`]: states, tables, records and edges. Heap memory
    /// of states is counted by [`Portable::heap_bytes`]. The process may allocate a quarter and
    /// 16 MB more than the limit, because the limit is checked between batches, and the allocator
    /// caches freed memory. Mapped files, such as a diagram on disk, are not counted: the kernel
    /// reclaims their pages as needed.
    ///
    /// Reduction needs four bytes for each state of one level and for each edge that skips variables.
    /// Without [`spill_to`](Frontier::spill_to), and from 2^31 nodes on, it needs them for the states
    /// of the level below as well. Nodes of a level with the same first edge must fit, too.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.engine.config.memory_limit = Some(bytes);
        self
    }

    /// Works with `threads` threads of its own, at most 1024; 0 means as many as there are cores,
    /// as in rayon, and 1 the calling thread alone. The result is the same for any number.
    ///
    /// Unless set, the run uses the rayon pool that it is called in, or rayon's global
    /// one, which has as many threads as there are cores. The calling thread alone expands small
    /// levels, so a small run starts no thread. Threads stay for later runs with the same number
    /// ([`Threads`](crate::Threads)). If there is a core for each thread, an idle thread spins for some
    /// tenths of a millisecond before it sleeps. Under `ulimit`, no more threads start than [have room](crate::available_threads).
    pub fn threads(mut self, threads: usize) -> Self {
        self.engine.config.threads = Some(threads);
        self
    }

    /// Keeps the [checkpoint](Frontier::checkpoint) when the run is done. Use it if the result
    /// must be stored first; then remove the checkpoint that
    /// [`take_checkpoint`](Frontier::take_checkpoint) returns. While it exists, another question
    /// to the same frontier fails with [`BuildError::OtherCheckpoint`].
    ///
    /// ```
    /// # use topdd::{DdSpec, Frontier, Step};
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
    /// # let dir = std::env::temp_dir().join(format!("topdd-doc-keep-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// let mut frontier = Frontier::over(&spec).checkpoint(&dir, "ten").keep_checkpoint();
    /// let zdd = frontier.zdd()?;
    /// zdd.save(dir.join("ten.tdd"))?;
    /// if let Some(checkpoint) = frontier.take_checkpoint() {
    ///     for warning in checkpoint.remove() {
    ///         eprintln!("warning: {warning}");
    ///     }
    /// }
    /// # std::fs::remove_dir_all(&dir).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_checkpoint(mut self) -> Self {
        self.engine.config.keeps_checkpoint = true;
        self
    }

    /// Returns the checkpoint of the last run. Returns `None` if that run failed or had none, if
    /// [`keep_checkpoint`](Frontier::keep_checkpoint) was not set, or on a second call.
    pub fn take_checkpoint(&mut self) -> Option<FinishedCheckpoint> {
        self.engine.finished.take().map(FinishedCheckpoint)
    }

    /// Stops with [`BuildError::LimitReached`] once `time` has passed since the start.
    ///
    /// ```
    /// use std::time::Duration;
    /// use topdd::{BuildError, Frontier, constraint};
    ///
    /// let large = constraint::all_different([24; 24]);
    /// let mut frontier = Frontier::over(&large).time_limit(Duration::from_millis(1));
    /// assert!(matches!(frontier.count(), Err(BuildError::LimitReached { .. })));
    /// ```
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.engine.config.time_limit = Some(time);
        self
    }

    /// Stops with [`BuildError::Cancelled`] soon after `token` is cancelled.
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.engine.config.cancel = Some(token.clone());
        self
    }

    /// Returns a check of the limits for work before the sweep: [`RunConfig::check_before`](super::monitor::RunConfig::check_before).
    pub(crate) fn check_before(&self) -> Box<dyn Fn(usize) -> Result<(), BuildError>> {
        Box::new(self.engine.config.check_before())
    }

    /// Calls `callback` with the report of the finished levels, before any other callback, if the run
    /// resumes a [`checkpoint`](Frontier::checkpoint).
    ///
    /// ```
    /// # use topdd::{BuildError, Frontier, constraint};
    /// let dir = std::env::temp_dir().join(format!("topdd-doc-resume-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// let spec = constraint::at_most(30, 15);
    /// let mut resumed = None;
    /// for _ in 0..2 {
    ///     Frontier::over(&spec)
    ///         .checkpoint(&dir, "at most 15 of 30")
    ///         .keep_checkpoint()
    ///         .on_resume(|report| resumed = report.levels.last().map(|level| level.variable))
    ///         # // At the earliest, a checkpoint is written after 50 ms.
    ///         # .on_level(|_| std::thread::sleep(std::time::Duration::from_millis(6)))
    ///         .count()?;
    /// }
    /// assert!(resumed.is_some(), "the second run resumes the checkpoint of the first");
    /// # std::fs::remove_dir_all(&dir).unwrap();
    /// # Ok::<(), BuildError>(())
    /// ```
    pub fn on_resume(mut self, callback: impl FnMut(&Report) + Send + 'a) -> Self {
        self.engine.callbacks.resumed = Some(Box::new(callback));
        self
    }

    /// Calls `callback` after each level of the sweep, on the calling thread or on a worker thread.
    pub fn on_level(mut self, callback: impl FnMut(&LevelReport) + Send + 'a) -> Self {
        self.engine.callbacks.level = Some(Box::new(callback));
        self
    }

    /// Calls `callback` after each level of the reduction, which follows the sweep and proceeds from
    /// the last variable up.
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
    /// let nodes: usize = frontier.report().reduced.iter().map(|level| level.nodes).sum();
    /// assert_eq!(nodes, zdd.node_count());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn on_reduced(mut self, callback: impl FnMut(&ReducedLevel) + Send + 'a) -> Self {
        self.engine.callbacks.reduced = Some(Box::new(callback));
        self
    }

    /// Returns the report of the last run, also of one that failed.
    pub fn report(&self) -> &Report {
        &self.engine.report
    }

    /// Runs a sweep that stores only the live levels, and returns its report with the widths of
    /// the levels. [`zdd`](Frontier::zdd) has the same widths. For a spec that depends on the
    /// rule, [`profile_under`](Frontier::profile_under) another rule may differ.
    ///
    /// # Errors
    ///
    /// Fails if the spec breaks its contract or panics, a limit is reached, or the run is cancelled.
    pub fn profile(&mut self) -> Result<&Report, BuildError> {
        self.profile_under(Rule::ZeroSuppressed)
    }

    /// Does the same as [`profile`](Frontier::profile), with skipped variables read by `rule`.
    ///
    /// # Errors
    ///
    /// Fails if the spec breaks its contract or panics, a limit is reached, or the run is cancelled.
    pub fn profile_under(&mut self, rule: Rule) -> Result<&Report, BuildError> {
        self.engine.words(rule, |_| Ok::<_, BuildError>(NoValues::Nothing))?;
        Ok(&self.engine.report)
    }
}

impl<S> fmt::Debug for Frontier<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frontier")
            .field("config", &self.engine.config)
            .field("report", &self.engine.report)
            .finish_non_exhaustive()
    }
}
