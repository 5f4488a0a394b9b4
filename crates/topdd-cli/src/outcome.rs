//! The result of a run.

use std::error::Error;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use topdd::{BuildError, FinishedCheckpoint, Frontier, QueryError, Report, Zdd};

/// The answer of a sweep: the count, the diagram and the sizes, as they were asked for; the report, and the checkpoint.
pub(crate) type Answer = (Result<Outcome, QueryError>, Report, Option<FinishedCheckpoint>);

/// The other processes of a run.
pub(crate) trait Others {
    /// Computes the answer together with them. Those that print nothing have no count.
    fn answer(&mut self, frontier: Frontier<'_>, diagram: bool, threads: usize) -> Answer;

    /// Waits until all have stored the answer.
    fn wait(&mut self) -> Result<(), BuildError>;
}

/// The result of a run.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) count: BigUint,
    /// The report of the sweep, if there was one.
    pub(crate) report: Option<Report>,
    /// The number of solutions up to symmetry, if that was asked for.
    pub(crate) classes: Option<BigUint>,
    /// The number of solutions of each size, if that was asked for.
    pub(crate) sizes: Option<Vec<BigUint>>,
    /// The weighted count, if the problem has weights.
    pub(crate) weighted: Option<Ratio<BigInt>>,
    /// The diagram, if one was asked for.
    pub(crate) zdd: Option<Zdd>,
    /// The checkpoint of the run, removed when the answer is stored and printed.
    pub(crate) checkpoint: Option<FinishedCheckpoint>,
}

impl Outcome {
    /// The diagram and its count, by so many threads, which is their number for later queries as well.
    pub(crate) fn of_diagram(zdd: Zdd, threads: usize) -> Self {
        start_pool(threads.max(1));
        Outcome { count: zdd.count(), zdd: Some(zdd), ..Outcome::default() }
    }

    /// The count that is printed: up to symmetry, if that was asked for.
    pub(crate) fn answer(&self) -> &BigUint {
        self.classes.as_ref().unwrap_or(&self.count)
    }
}

/// Starts the threads of queries and pilots: at most `threads`, or all available ones if `threads` is 0. If the system
/// refuses them, the calling thread works alone. Does nothing if they have been started before.
pub(crate) fn start_pool(threads: usize) {
    let most = topdd::available_threads();
    let threads = if threads == 0 { most } else { threads.min(most) };
    let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    // Only an error of the system has a source.
    if started.is_err_and(|error| error.source().is_some()) {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        let _ = alone.build();
    }
}
