//! A sweep over a spec, under the limits of the command line.

use std::num::NonZero;
use std::thread::available_parallelism;

use num_bigint::BigUint;
use topdd::{FinishedCheckpoint, Frontier, QueryError, Report, Rule, Weights};
use topdd_chess::Pieces;
use topdd_problem::limits::MAX_THREADS;

use crate::args::Common;
use crate::failure::{self, Failure, Swept};
use crate::interrupt;
use crate::memory::{self, MemoryLimit};
use crate::outcome::{Answer, Others, Outcome, count};
use crate::progress::{self, Progress, say};

/// The names of the columns of a report on a level, as wide as these.
const HEADER: &str = "  variable          states           edges          merged      memory        \
                      disk    seconds";

/// Ends the process soon after the time limit, if it still runs.
pub(crate) fn end_at_limit(common: &Common) -> Result<(), Failure> {
    // Each of several processes has the limit.
    #[cfg(feature = "cluster")]
    if common.cluster.processes.is_some() {
        return Ok(());
    }
    interrupt::note("before the first level".to_owned());
    if let (Some(limit), Some(left)) = (common.limits.time_limit, common.limits.time_left()) {
        let checkpoint = common.limits.checkpoint.clone();
        interrupt::end_after(left, move |reached| {
            let hint = failure::resume_hint(checkpoint.as_deref());
            Failure::Failed(failure::too_long(limit, reached, hint))
        })?;
    }
    Ok(())
}

/// Removes the checkpoints of a run that is done. Writes warnings if files stay.
pub(crate) fn remove_checkpoints(checkpoint: impl IntoIterator<Item = FinishedCheckpoint>) {
    for warning in checkpoint.into_iter().flat_map(FinishedCheckpoint::remove) {
        say(format_args!(
            "warning: {warning}; the files named topdd-* in that directory are not needed"
        ));
    }
}

/// A sweep to be made.
pub(crate) struct Sweep<'a> {
    common: &'a Common,
    /// The user's name of a variable: a row, a square.
    unit: &'static str,
    /// Whether to build a diagram.
    diagram: bool,
    /// Whether to count the solutions by size. Not for several processes.
    pub(crate) sizes: bool,
    /// Whether this is the sweep of the problem, and not one that prepares it.
    asked: bool,
    /// The key of the checkpoint.
    pub(crate) key: String,
}

impl<'a> Sweep<'a> {
    /// The sweep of the problem, for a count or a diagram.
    pub(crate) fn asked(common: &'a Common, unit: &'static str) -> Self {
        let diagram = common.needs_diagram();
        Sweep { common, unit, diagram, sizes: false, asked: true, key: String::new() }
    }

    /// A sweep that prepares the problem, or corrects its count. It has the same limits, but no
    /// checkpoint and no report.
    pub(crate) fn aside(common: &'a Common, diagram: bool) -> Self {
        Sweep { diagram, asked: false, ..Sweep::asked(common, "square") }
    }
}

/// The number of threads: as an explicit number, so that a sweep has threads of its own.
fn threads_of(common: &Common) -> usize {
    let cores = || available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    common.limits.threads.unwrap_or_else(cores)
}

/// Sets the threads and the limits of the command line, and lets Ctrl-C stop the sweep.
pub(crate) fn within_limits<'f>(frontier: Frontier<'f>, common: &Common) -> Frontier<'f> {
    let mut frontier = frontier.threads(threads_of(common)).cancel_with(interrupt::token());
    let MemoryLimit { bytes, .. } = memory::limit();
    if bytes < usize::MAX {
        frontier = frontier.memory_limit(bytes);
    }
    if let Some(time) = common.limits.time_left() {
        frontier = frontier.time_limit(time);
    }
    if let Some(dir) = &common.limits.spill_to {
        frontier = frontier.spill_to(dir);
    }
    frontier
}

impl Sweep<'_> {
    /// Sweeps over the spec of pieces on a board.
    pub(crate) fn of_pieces(self, pieces: &Pieces) -> Result<Outcome, Failure> {
        let frontier = pieces.frontier().map_err(Failure::usage)?;
        self.run(frontier, pieces.num_vars().map_err(Failure::usage)?, None)
    }

    /// Sweeps over a spec of so many variables, together with other processes if there are any.
    pub(crate) fn run(
        self,
        frontier: Frontier<'_>,
        variables: usize,
        others: Option<&mut dyn Others>,
    ) -> Result<Outcome, Failure> {
        let Sweep { common, unit, diagram, sizes, asked, key } = self;
        let reports = common.answer.report && asked && !common.is_silent();
        let swept = Swept { unit, variables, common };
        let watched = progress::is_seen() && !common.answer.quiet && !common.is_silent();
        let progress = watched.then(|| Progress::over(variables, unit));

        let mut frontier = within_limits(frontier, common);
        if let (Some(dir), true) = (&common.limits.checkpoint, asked) {
            frontier = frontier.checkpoint(dir, &key).keep_checkpoint();
        }
        if reports {
            say(HEADER);
        }
        frontier = frontier.on_level(|level| {
            if reports {
                say(format_args!("{level:#}"));
            }
            if let Some(progress) = &progress {
                progress.level(level);
            }
            interrupt::note(swept.at(Some(level.variable)));
        });
        frontier = frontier.on_resume(|report| note_resumed(report, &swept));
        if let Some(progress) = &progress {
            frontier = frontier.on_reduced(|level| progress.reduced(level));
        }
        let (done, report, checkpoint) = match others {
            Some(others) => others.answer(frontier, diagram, threads_of(common)),
            None if sizes && !diagram => count_by_size(frontier, variables),
            None => answer(frontier, diagram, threads_of(common)),
        };
        drop(progress);
        let (count, zdd, by_size) =
            done.map_err(|error| swept.query_failed(&error, &format_args!("\n{report}")))?;
        let sizes = match &zdd {
            Some(zdd) if sizes => Some(zdd.count_by_size()),
            _ => by_size,
        };
        if reports {
            say(&report);
        }
        Ok(Outcome { report: Some(report), sizes, zdd, checkpoint, ..Outcome::new(count) })
    }
}

/// Notes and prints where a run resumes. Without this line, it began anew.
fn note_resumed(report: &Report, swept: &Swept<'_>) {
    let next = report.levels.last().map(|level| level.variable + 1);
    let next = next.filter(|&variable| variable < swept.variables);
    let after_all = || format!("after the last {}", swept.unit);
    let at = next.map_or_else(after_all, |variable| swept.at(Some(variable)));
    let before = report.sweep_time.as_secs_f64();
    if !swept.common.answer.quiet && !swept.common.is_silent() {
        say(format_args!("resumed {at}, after {before:.3} s so far"));
    }
    interrupt::note(at);
}

/// The answer of this process alone.
fn answer(mut frontier: Frontier<'_>, diagram: bool, threads: usize) -> Answer {
    let done = if diagram {
        frontier.zdd().map(|zdd| (count(&zdd, threads), Some(zdd), None))
    } else {
        frontier.count().map(|count| (count, None, None))
    };
    (done.map_err(QueryError::from), frontier.report().clone(), frontier.take_checkpoint())
}

/// The answer of this process alone, by size, without a diagram.
fn count_by_size(mut frontier: Frontier<'_>, variables: usize) -> Answer {
    let sizes = sizes(&mut frontier, variables, Rule::ZeroSuppressed);
    let done = sizes.map(|sizes| (sizes.iter().sum(), None, Some(sizes)));
    (done, frontier.report().clone(), frontier.take_checkpoint())
}

/// The number of solutions of each size, of two-valued variables.
pub(crate) fn sizes(
    frontier: &mut Frontier<'_>,
    variables: usize,
    rule: Rule,
) -> Result<Vec<BigUint>, QueryError> {
    let ones = Weights::of_ones(vec![1; variables]);
    let mut sizes = Vec::new();
    for (size, count) in frontier.count_by_under(rule, &ones, None)? {
        sizes.resize(usize::try_from(size).expect("a size is not negative"), BigUint::ZERO);
        sizes.push(count);
    }
    Ok(sizes)
}
