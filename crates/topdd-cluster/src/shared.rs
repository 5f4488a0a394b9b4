//! A run that the processes of a cluster share.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeBounds;
use std::path::PathBuf;
use std::time::Duration;
use topdd::answer::FixedWords;
use topdd::{
    Bdd, Best, BigUint, BuildError, CancelToken, FinishedCheckpoint, Frontier, Goal, LevelReport,
    QueryError, ReducedLevel, Report, Rule, Semiring, Weights, Zdd,
};

/// A run that the processes of a cluster share: a [`Frontier`] over several processes.
///
/// All processes must ask the same question. Each receives the answer, but only the process of rank 0
/// receives a diagram. Options apply to the process that sets them, unless their description
/// says otherwise.
///
/// All methods fail with [`BuildError::Process`] if another process fails, the connection to it is
/// lost, or it has another problem or question.
///
/// ```
/// use topdd::constraint;
/// use topdd_cluster::{Cluster, Config};
///
/// // A cluster of one process; a larger one has an address for each process.
/// let mut cluster = Cluster::connect(&Config::new(["127.0.0.1:4000"], 0), "pairs of 10")?;
/// let spec = constraint::exactly(10, 2);
/// let mut run = cluster.over(&spec).memory_limit(1 << 30);
/// assert_eq!(run.count()?, 45u32.into());
/// println!("{}", run.report());
/// drop(run);
/// let zdd = cluster.over(&spec).zdd()?.expect("this is rank 0");
/// assert_eq!(zdd.count(), 45u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Shared<'a>(Frontier<'a>);

impl<'a> Shared<'a> {
    pub(crate) fn new(frontier: Frontier<'a>) -> Self {
        Shared(frontier)
    }

    /// Does the same as [`Frontier::checked`].
    pub fn checked(self, checked: bool) -> Self {
        Shared(self.0.checked(checked))
    }

    /// Does the same as [`Frontier::max_states`]. Finished levels count with the states of all
    /// processes, and later levels with the states of this process.
    pub fn max_states(self, states: u64) -> Self {
        Shared(self.0.max_states(states))
    }

    /// Does the same as [`Frontier::memory_limit`], for this process. Messages that were not delivered
    /// count.
    pub fn memory_limit(self, bytes: usize) -> Self {
        Shared(self.0.memory_limit(bytes))
    }

    /// Does the same as [`Frontier::time_limit`].
    pub fn time_limit(self, time: Duration) -> Self {
        Shared(self.0.time_limit(time))
    }

    /// Does the same as [`Frontier::spill_to`], for this process.
    pub fn spill_to(self, dir: impl Into<PathBuf>) -> Self {
        Shared(self.0.spill_to(dir))
    }

    /// Does the same as [`Frontier::checkpoint`]. All processes must set the same key, and each needs
    /// a directory that outlives it: its own, or a shared one. The files of a process are in a
    /// subdirectory whose name contains its rank and the number of processes.
    ///
    /// All processes save the same levels. If one process fails, the same runs with as many processes
    /// resume the last level that all have saved.
    ///
    /// In a directory that all processes share, a run also resumes the checkpoint of another number of
    /// processes. Each process then reads the parts that contain states of its own, and copies the edges
    /// of some parts.
    pub fn checkpoint(self, dir: impl Into<PathBuf>, key: impl Into<String>) -> Self {
        Shared(self.0.checkpoint(dir, key))
    }

    /// Does the same as [`Frontier::keep_checkpoint`]. The process of rank 0 stores a diagram after the
    /// other processes are done: call [`Cluster::wait`](crate::Cluster::wait) before the checkpoint is removed.
    pub fn keep_checkpoint(self) -> Self {
        Shared(self.0.keep_checkpoint())
    }

    /// Does the same as [`Frontier::take_checkpoint`].
    pub fn take_checkpoint(&mut self) -> Option<FinishedCheckpoint> {
        self.0.take_checkpoint()
    }

    /// Does the same as [`Frontier::cancel_with`]. The runs of the other processes then fail, too.
    pub fn cancel_with(self, token: &CancelToken) -> Self {
        Shared(self.0.cancel_with(token))
    }

    /// Does the same as [`Frontier::on_level`]. The figures are totals over all processes, except the
    /// time.
    pub fn on_level(self, callback: impl FnMut(&LevelReport) + Send + 'a) -> Self {
        Shared(self.0.on_level(callback))
    }

    /// Does the same as [`Frontier::on_resume`]. The figures of the levels are totals over all processes.
    pub fn on_resume(self, callback: impl FnMut(&Report) + Send + 'a) -> Self {
        Shared(self.0.on_resume(callback))
    }

    /// Does the same as [`Frontier::on_reduced`]. States and nodes are totals over all processes.
    pub fn on_reduced(self, callback: impl FnMut(&ReducedLevel) + Send + 'a) -> Self {
        Shared(self.0.on_reduced(callback))
    }

    /// Does the same as [`Frontier::report`]. The figures of the levels are totals over all processes;
    /// [`Report::peak_bytes`] is the peak of this process.
    pub fn report(&self) -> &Report {
        self.0.report()
    }

    /// Builds and reduces the ZDD of the spec, as [`Frontier::zdd`]: the same diagram, byte for byte, for
    /// any number of processes. Returns it in the process of rank 0, and `None` in the others.
    ///
    /// The edges of a state and the nodes of a level are distributed over the processes. Each node is
    /// sent to the process that numbers it, and from there to rank 0, which needs memory for the whole
    /// reduced diagram, and spills it to [`spill_to`](Shared::spill_to). A level is not reduced in parts: under a memory limit, each process needs
    /// memory for its share of the nodes of the widest level, about 90 bytes for each two-valued
    /// node, without edges that are on disk.
    ///
    /// Cost: as [`Frontier::zdd`], and four exchanges for each level of the reduction. The network
    /// carries 12 bytes for each two-valued node that another process numbers, 8 for each node of
    /// the diagram, and 4 for each edge between processes.
    ///
    /// ```
    /// use topdd_cluster::{Cluster, Config};
    ///
    /// let mut cluster = Cluster::connect(&Config::new(["127.0.0.1:4000"], 0), "pairs of 8")?;
    /// let pairs = topdd::constraint::exactly(8, 2);
    /// if let Some(zdd) = cluster.over(&pairs).zdd()? {
    ///     // This is rank 0.
    ///     assert_eq!(zdd, topdd::zdd(&pairs)?);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails where [`Frontier::zdd`] fails, with [`BuildError::Process`], and with
    /// [`BuildError::TooLarge`] if there are more than 128 processes.
    pub fn zdd(&mut self) -> Result<Option<Zdd>, BuildError> {
        self.0.diagram_in_first()
    }

    /// Builds and reduces the BDD of the spec, as [`Frontier::bdd`]. Returns it in the process of rank 0,
    /// and `None` in the others. The cost is the cost of [`zdd`](Shared::zdd).
    ///
    /// # Errors
    ///
    /// Fails where [`zdd`](Shared::zdd) fails.
    pub fn bdd(&mut self) -> Result<Option<Bdd>, BuildError> {
        self.0.diagram_in_first()
    }

    /// Does the same as [`Frontier::profile`].
    ///
    /// # Errors
    ///
    /// Fails where [`Frontier::profile`] fails, and with [`BuildError::Process`].
    pub fn profile(&mut self) -> Result<&Report, BuildError> {
        self.0.profile()
    }

    /// Does the same as [`Frontier::profile_under`].
    ///
    /// # Errors
    ///
    /// Fails where [`Frontier::profile_under`] fails, and with [`BuildError::Process`].
    pub fn profile_under(&mut self, rule: Rule) -> Result<&Report, BuildError> {
        self.0.profile_under(rule)
    }

    /// Does the same as [`Frontier::probability`]. The order of the additions depends on the number of
    /// processes and on the network, and so do the last bits.
    ///
    /// # Errors
    ///
    /// Fails where [`Frontier::probability`] fails, and with [`BuildError::Process`].
    pub fn probability(&mut self, probabilities: &Weights<f64>) -> Result<f64, QueryError> {
        self.0.probability(probabilities)
    }

    /// Does the same as [`Frontier::probability_under`], with the rounding of
    /// [`probability`](Shared::probability).
    ///
    /// # Errors
    ///
    /// Fails where [`Frontier::probability_under`] fails, and with [`BuildError::Process`].
    pub fn probability_under(
        &mut self,
        rule: Rule,
        probabilities: &Weights<f64>,
    ) -> Result<f64, QueryError> {
        self.0.probability_under(rule, probabilities)
    }

    /// Does the same as [`Frontier::sum_product`].
    ///
    /// # Errors
    ///
    /// Fails where [`Frontier::sum_product`] fails, and with [`BuildError::Process`].
    pub fn sum_product<R: Semiring<Value: FixedWords>>(
        &mut self,
        semiring: &R,
    ) -> Result<R::Value, BuildError> {
        self.0.sum_product(semiring)
    }

    /// Does the same as [`Frontier::sum_product_under`].
    ///
    /// # Errors
    ///
    /// Fails where [`Frontier::sum_product_under`] fails, and with [`BuildError::Process`].
    pub fn sum_product_under<R: Semiring<Value: FixedWords>>(
        &mut self,
        rule: Rule,
        semiring: &R,
    ) -> Result<R::Value, BuildError> {
        self.0.sum_product_under(rule, semiring)
    }
}

/// Answers of the frontier, the same in all processes.
macro_rules! answers {
    ($($name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        impl Shared<'_> {
            $(
                #[doc = concat!("Does the same as [`Frontier::", stringify!($name), "`].")]
                ///
                /// # Errors
                ///
                #[doc = concat!("Fails where [`Frontier::", stringify!($name), "`] fails, and with")]
                /// [`BuildError::Process`].
                pub fn $name(&mut self, $($argument: $type),*) -> $answer {
                    self.0.$name($($argument),*)
                }
            )*
        }
    };
}

answers! {
    count() -> Result<BigUint, BuildError>;
    count_bdd() -> Result<BigUint, BuildError>;
    count_under(rule: Rule) -> Result<BigUint, BuildError>;
    count_modulo(modulus: u64) -> Result<u64, BuildError>;
    count_modulo_under(rule: Rule, modulus: u64) -> Result<u64, BuildError>;
    count_by(weights: &Weights<i64>) -> Result<BTreeMap<i128, BigUint>, QueryError>;
    count_by_within(
        weights: &Weights<i64>, bounds: impl RangeBounds<i128>
    ) -> Result<BTreeMap<i128, BigUint>, QueryError>;
    count_by_under(
        rule: Rule, weights: &Weights<i64>, bounds: impl RangeBounds<i128>
    ) -> Result<BTreeMap<i128, BigUint>, QueryError>;
    minimum(weights: &Weights<i64>) -> Result<Best, QueryError>;
    maximum(weights: &Weights<i64>) -> Result<Best, QueryError>;
    best_under(rule: Rule, weights: &Weights<i64>, goal: Goal) -> Result<Best, QueryError>;
    minimum_weight(weights: &Weights<i64>) -> Result<i128, QueryError>;
    maximum_weight(weights: &Weights<i64>) -> Result<i128, QueryError>;
    best_weight_under(rule: Rule, weights: &Weights<i64>, goal: Goal) -> Result<i128, QueryError>;
}

impl fmt::Debug for Shared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shared").field(&self.0).finish()
    }
}
