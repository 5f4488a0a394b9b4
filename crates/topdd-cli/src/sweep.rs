//! A sweep over a spec, under the limits of the command line.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::available_parallelism;

use num_bigint::BigUint;
use topdd::{
    BuildError, FinishedCheckpoint, Frontier, LevelReport, QueryError, Report, Rule, Weights,
};
use topdd_chess::Pieces;
use topdd_graph::families::{BoundedPaths, FamilyError, GraphSets};
use topdd_problem::Bytes;
use topdd_problem::limits::MAX_THREADS;

use crate::args::Common;
use crate::failure::{self, Failure, Swept};
use crate::interrupt;
use crate::memory::{self, MemoryLimit};
use crate::outcome::{Answer, Others, Outcome};
use crate::problem::{CountMethod, Problem};
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

/// The number of threads: as an explicit number, so that a sweep has threads of its own.
pub(crate) fn threads_of(common: &Common) -> usize {
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

/// Sweeps over the spec of a problem, together with other processes if there are any.
pub(crate) fn run(
    problem: &dyn Problem,
    common: &Common,
    others: Option<&mut dyn Others>,
) -> Result<Outcome, Failure> {
    let swept = Swept { unit: problem.identity().unit, variables: problem.num_vars()?, common };
    let other = problem.other_count();
    if let Some((CountMethod::Paths, sets)) = other
        && let Some(paths) = sets.bounded_paths()
    {
        return count_bounded(paths, problem, &swept);
    }
    // A family whose states are too wide is refused here, in the words of the problem.
    let mut frontier = problem.frontier()?;
    if let Some((CountMethod::Sums, sets)) = other {
        return count_sets(sets, &swept);
    }
    if let Some(dir) = &common.limits.checkpoint {
        frontier = frontier.checkpoint(dir, key(problem)).keep_checkpoint();
    }
    let (diagram, sizes) = (common.needs_diagram(), problem.counts_sizes());
    let mut outcome = sweep(frontier, swept, common.answer.report, |frontier| match others {
        Some(others) => others.answer(frontier, diagram, threads_of(common)),
        None if sizes && !diagram => count_by_size(frontier, swept.variables),
        None => answer(frontier, diagram, threads_of(common)),
    })?;
    if let (Some(zdd), true) = (&outcome.zdd, sizes) {
        outcome.sizes = Some(zdd.count_by_size());
    }
    Ok(outcome)
}

/// Counts paths with a bound on their edges, under the limits of the command line.
fn count_bounded(
    mut paths: BoundedPaths,
    problem: &dyn Problem,
    swept: &Swept<'_>,
) -> Result<Outcome, Failure> {
    let Swept { common, .. } = *swept;
    paths = paths.threads(threads_of(common)).cancel_with(interrupt::token());
    paths = paths.memory_limit(memory::limit().bytes);
    if let Some(time) = common.limits.time_left() {
        paths = paths.time_limit(time);
    }
    if let Some(dir) = &common.limits.checkpoint {
        paths = paths.checkpoint(dir, key(problem));
    }
    let progress = progress_of(swept, 0);
    let counted = paths.count_with(|now| {
        let at = format!("at step {} of {} of {}", now.passed, now.levels, now.method);
        if now.resumed {
            say_resumed(&at, common);
        }
        if let Some(progress) = &progress {
            progress.unordered(&format!("{at}, {} states, {}", now.states, Bytes(now.bytes)));
        }
        interrupt::note(at);
    });
    drop(progress);
    let states = paths.states();
    let count = counted.map_err(|error| family_failed(error, states, swept))?;
    Ok(Outcome { count, checkpoint: paths.take_checkpoint(), ..Outcome::default() })
}

/// Counts sets with bounds on sums by the sweeps that the library chooses, under the limits of the command line.
fn count_sets(sets: &GraphSets, swept: &Swept<'_>) -> Result<Outcome, Failure> {
    let Swept { variables, common, .. } = *swept;
    let reports = begin_report(common.answer.report, common);
    let progress = progress_of(swept, variables).map(Arc::new);
    let states = Arc::new(AtomicU64::new(0));
    let counted = sets.count_with(|frontier| {
        let mut notes = level_notes(reports, progress.clone(), swept);
        let states = Arc::clone(&states);
        within_limits(frontier, common).on_level(move |level| {
            states.fetch_add(level.states, Relaxed);
            notes(level);
        })
    });
    drop(progress);
    let states = states.load(Relaxed);
    let failed = |error| family_failed(error, states, swept);
    let (count, report) = counted.map_err(failed)?;
    if reports {
        say(&report);
    }
    Ok(Outcome { count, report: Some(report), ..Outcome::default() })
}

/// The failure of a count of a family after so many states.
fn family_failed(error: FamilyError, states: u64, swept: &Swept<'_>) -> Failure {
    let error = match error {
        FamilyError::Build(error) => error.into(),
        FamilyError::Query(error) => error,
        error => return Failure::usage(error),
    };
    match error {
        QueryError::Build(BuildError::Cancelled { .. }) => {
            let (at, more) = (interrupt::reached(), swept.resume_hint());
            Failure::Interrupted(format!("interrupted {at}\n{states} states{more}"))
        }
        QueryError::Build(BuildError::LimitReached { limit, .. }) => {
            let remedies = memory::remedies();
            // The option --spill-to selects the sweep, which cannot resume this checkpoint.
            let has_checkpoint = swept.common.limits.checkpoint.is_some();
            let remedies = if has_checkpoint { remedies.without_spill() } else { remedies };
            swept.limit_reached(limit, &interrupt::reached(), remedies)
        }
        error => swept.query_failed(&error, &""),
    }
}

/// Sweeps over pieces to prepare a problem, or to correct its count. The sweep has the same limits, but no
/// checkpoint and no report.
pub(crate) fn aside(pieces: &Pieces, common: &Common, diagram: bool) -> Result<Outcome, Failure> {
    let frontier = pieces.frontier().map_err(Failure::usage)?;
    let variables = pieces.num_vars().map_err(Failure::usage)?;
    let swept = Swept { unit: "square", variables, common };
    sweep(frontier, swept, false, |frontier| answer(frontier, diagram, threads_of(common)))
}

/// The progress bar of a run over so many variables, if it is seen.
fn progress_of(swept: &Swept<'_>, variables: usize) -> Option<Progress> {
    let Swept { unit, common, .. } = *swept;
    let is_seen = progress::is_seen() && !common.answer.quiet && !common.is_silent();
    is_seen.then(|| Progress::over(variables, unit))
}

/// Prints the head of the report if one is printed, and returns whether it is.
fn begin_report(is_asked: bool, common: &Common) -> bool {
    let reports = is_asked && !common.is_silent();
    if reports {
        say(HEADER);
    }
    reports
}

/// Returns the callback after each level of a sweep: it prints the line of the report, shows the progress, and notes the
/// position for messages.
fn level_notes(
    reports: bool,
    progress: Option<Arc<Progress>>,
    swept: &Swept<'_>,
) -> impl FnMut(&LevelReport) + Send + use<> {
    let Swept { unit, variables, .. } = *swept;
    move |level| {
        if reports {
            say(format_args!("{level:#}"));
        }
        if let Some(progress) = &progress {
            progress.level(level);
        }
        interrupt::note(failure::position(unit, level.variable, variables));
    }
}

fn sweep(
    frontier: Frontier<'_>,
    swept: Swept<'_>,
    is_reported: bool,
    answer: impl FnOnce(Frontier<'_>) -> Answer,
) -> Result<Outcome, Failure> {
    let Swept { variables, common, .. } = swept;
    let reports = begin_report(is_reported, common);
    let progress = progress_of(&swept, variables).map(Arc::new);
    let notes = level_notes(reports, progress.clone(), &swept);
    let mut frontier = within_limits(frontier, common).on_level(notes);
    frontier = frontier.on_resume(|report| note_resumed(report, &swept));
    if let Some(progress) = &progress {
        frontier = frontier.on_reduced(|level| progress.reduced(level));
    }
    let (done, report, checkpoint) = answer(frontier);
    drop(progress);
    let outcome = done.map_err(|error| swept.query_failed(&error, &format_args!("\n{report}")))?;
    if reports {
        say(&report);
    }
    Ok(Outcome { report: Some(report), checkpoint, ..outcome })
}

/// The key of the checkpoint: all that defines the problem, and the version of topdd, as another
/// one may encode states differently.
pub(crate) fn key(problem: &dyn Problem) -> String {
    let identity = problem.identity();
    let mut key = identity.facts.clone();
    key["topdd"] = env!("CARGO_PKG_VERSION").into();
    // One problem may have several formulations, each with states of its own.
    key["formulation"] = identity.formulation.into();
    key.to_string()
}

/// Notes and prints where a sweep resumes.
fn note_resumed(report: &Report, swept: &Swept<'_>) {
    let next = report.levels.last().map(|level| level.variable + 1);
    let next = next.filter(|&variable| variable < swept.variables);
    let after_all = || format!("after the last {}", swept.unit);
    let at = next.map_or_else(after_all, |variable| swept.at(Some(variable)));
    let before = report.sweep_time.as_secs_f64();
    say_resumed(&format!("{at}, after {before:.3} s so far"), swept.common);
    interrupt::note(at);
}

/// Prints where a run resumes. A run that begins anew prints no such line.
fn say_resumed(at: &str, common: &Common) {
    if !common.answer.quiet && !common.is_silent() {
        say(format_args!("resumed {at}"));
    }
}

/// The answer of this process alone.
fn answer(mut frontier: Frontier<'_>, diagram: bool, threads: usize) -> Answer {
    let done = if diagram {
        frontier.zdd().map(|zdd| Outcome::of_diagram(zdd, threads))
    } else {
        frontier.count().map(|count| Outcome { count, ..Outcome::default() })
    };
    (done.map_err(QueryError::from), frontier.report().clone(), frontier.take_checkpoint())
}

/// The answer of this process alone, by size, without a diagram.
fn count_by_size(mut frontier: Frontier<'_>, variables: usize) -> Answer {
    let sizes = sizes(&mut frontier, variables, Rule::ZeroSuppressed);
    let done = sizes.map(|sizes| Outcome {
        count: sizes.iter().sum(),
        sizes: Some(sizes),
        ..Outcome::default()
    });
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
    for (size, count) in frontier.count_by_under(rule, &ones, ..)? {
        sizes.resize(usize::try_from(size).expect("a size is not negative"), BigUint::ZERO);
        sizes.push(count);
    }
    Ok(sizes)
}
