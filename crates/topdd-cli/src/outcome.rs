//! The result of a run, and the number of solutions with each element.

use std::error::Error;
use std::fmt;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use serde::{Serialize, Serializer};
use topdd::{BuildError, FinishedCheckpoint, Frontier, QueryError, Report, Zdd};
use topdd_problem::names::Name;

/// The answer of a sweep: the solutions, the report, and the checkpoint.
pub(crate) type Answer = (Result<Solutions, QueryError>, Report, Option<FinishedCheckpoint>);

/// The solutions as they were asked for: their number, the diagram, and their numbers by size.
pub(crate) type Solutions = (BigUint, Option<Zdd>, Option<Vec<BigUint>>);

/// The other processes of a run.
pub(crate) trait Others {
    /// Computes the answer together with them. Those that print nothing have no count.
    fn answer(&mut self, frontier: Frontier<'_>, diagram: bool, threads: usize) -> Answer;

    /// Waits until all have stored the answer.
    fn wait(&mut self) -> Result<(), BuildError>;
}

/// The result of a run.
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
    /// The count that is printed: up to symmetry, if that was asked for.
    pub(crate) fn answer(&self) -> &BigUint {
        self.classes.as_ref().unwrap_or(&self.count)
    }
}

/// Counts with so many threads, and sets their number for later queries.
pub(crate) fn count(zdd: &Zdd, threads: usize) -> BigUint {
    start_pool(threads.max(1));
    zdd.count()
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

/// The number of solutions with an element, or with a value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Usage {
    #[serde(serialize_with = "stored")]
    name: Name,
    /// The value, if the variable is not whether an element is in a set.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<usize>,
    #[serde(serialize_with = "text")]
    count: BigUint,
}

/// A name as a JSON string, which needs no other quotes.
fn stored<S: Serializer>(name: &Name, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&name.stored())
}

/// A number as a string: numbers of other programs may be too small for it.
fn text<S: Serializer>(count: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(count)
}

impl Usage {
    /// The number of solutions with an element.
    pub(crate) fn of_element(name: Name, count: BigUint) -> Self {
        Usage { name, value: None, count }
    }

    /// The numbers of solutions with each value of a variable.
    pub(crate) fn of_values(name: &Name, counts: &[BigUint]) -> Vec<Self> {
        let of_value = |(value, count): (usize, &BigUint)| Usage {
            name: name.clone(),
            value: Some(value),
            count: count.clone(),
        };
        counts.iter().enumerate().map(of_value).collect()
    }

    /// The number of solutions with the element that a variable of two values stands for, or the numbers with each value
    /// of another one.
    pub(crate) fn of_variable(name: &Name, counts: &[BigUint]) -> Vec<Self> {
        match counts {
            [_, count] => vec![Usage::of_element(name.clone(), count.clone())],
            _ => Usage::of_values(name, counts),
        }
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.printed();
        match self.value {
            Some(value) => write!(f, "{name}={value}: {}", self.count),
            None => write!(f, "{name}: {}", self.count),
        }
    }
}
