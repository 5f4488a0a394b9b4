//! The course of a run: sweep over the spec, or search for one solution, then write the answer.

use std::io::{self, BufWriter, Write};

use serde_json::json;
use topdd::search::Search;
use topdd::{BoxedSpec, BuildError, Limit};
use topdd_problem::limits::duration_argument;

use crate::args::Common;
use crate::failure::{Failure, Swept};
use crate::form::headed;
use crate::memory::{self, MemoryLimit};
use crate::outcome::{Others, Outcome};
use crate::output;
use crate::outputs::Outputs;
use crate::problem::Problem;
use crate::progress::{say, say_time};
use crate::sweep;
use crate::{apply, bounded, interrupt, saved};

/// Solves a problem and writes its answer.
pub(crate) fn run(problem: &dyn Problem, common: &Common) -> Result<(), Failure> {
    if let Some(options) = problem.bounded() {
        #[cfg(feature = "cluster")]
        crate::cluster::refuse(common, "--width and --gap")?;
        return bounded::run(problem, common, options);
    }
    #[cfg(feature = "cluster")]
    {
        let is_apply = problem.classic()?.is_some();
        crate::cluster::check(common, problem.unique().is_some(), is_apply)?;
        if let Some(processes) = common.cluster.processes {
            Outputs::open(problem, common)?;
            return crate::cluster::start(processes, common);
        }
        if let Some(mut cluster) = crate::cluster::join(common, &sweep::key(problem))? {
            let done = solve(problem, common, Some(&mut cluster));
            return cluster.leave(done);
        }
    }
    solve(problem, common, None)
}

/// Solves a problem, in this process or together with others, and writes its answer.
fn solve(
    problem: &dyn Problem,
    common: &Common,
    mut others: Option<&mut dyn Others>,
) -> Result<(), Failure> {
    // Checked first: better to fail now than after an hour.
    let files = Outputs::open(problem, common)?;
    let mut outcome = if let Some(classic) = problem.classic()? {
        apply::solve(&classic, common)?
    } else {
        // The reborrow is shorter than the lifetime of the trait object.
        let others = others.as_deref_mut().map(|others| others as _);
        sweep::run(problem, common, others)?
    };
    let written = if common.is_silent() {
        Ok(())
    } else {
        write_answer(problem, common, &mut outcome, files)
    };
    if !matches!(written, Ok(()) | Err(Failure::Closed)) {
        return written
            .map_err(|failure| failure.with_resume_hint(common.limits.checkpoint.as_deref()));
    }
    // The others keep their checkpoints until the answer is stored.
    match others.map_or(Ok(()), Others::wait) {
        Ok(()) => {}
        Err(error) if common.is_silent() => {
            let unit = problem.identity().unit;
            let swept = Swept { unit, variables: problem.num_vars()?, common };
            return Err(swept.failed(&error));
        }
        Err(error) => say(format_args!("warning: {error}")),
    }
    sweep::remove_checkpoints(outcome.checkpoint.take());
    written
}

/// Selects the solutions that are asked for, counts classes if they are asked for, and writes the answer: pictures, the
/// diagram as DOT, the diagram, and then standard output.
fn write_answer(
    problem: &dyn Problem,
    common: &Common,
    outcome: &mut Outcome,
    Outputs { pictures, dot, save }: Outputs<'_>,
) -> Result<(), Failure> {
    if let Some(zdd) = &outcome.zdd
        && let Some(selected) = problem.select(zdd)?
    {
        outcome.count = selected.count();
        outcome.sizes = outcome.sizes.as_ref().map(|_| selected.count_by_size());
        outcome.zdd = Some(selected);
    }
    outcome.weighted = outcome.zdd.as_ref().and_then(|zdd| problem.weighted_count(zdd));
    if let Some(unique) = problem.unique() {
        outcome.classes = Some(unique.count(&outcome.count, common)?);
    }
    if common.answer.report || !(common.answer.quiet || common.answer.json) {
        say_time(common.limits.start.elapsed());
    }
    let mut shown = output::shown(problem, common, outcome)?;
    pictures.write(problem, outcome, &mut shown)?;
    if let (Some(target), Some(zdd)) = (dot, &outcome.zdd) {
        target.write(|out| zdd.write_dot(out))?;
    }
    if let (Some(target), Some(zdd)) = (save, &outcome.zdd) {
        let metadata = saved::metadata(problem, zdd);
        target.write(|out| zdd.write_with(out, &metadata))?;
    }
    if common.replaces_answer() {
        return Ok(());
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let mut printed = interrupt::printing();
    let printed_all = output::write(&mut out, problem, common, outcome, shown);
    let printed_all = printed_all.and_then(|()| out.flush());
    let done = printed_all.map_err(|error| Failure::of_stdout(&error)).and_then(|()| {
        // A listing ends early after Ctrl-C; a count does not.
        if outcome.zdd.is_some() { interrupt::check() } else { Ok(()) }
    });
    *printed = done.is_ok();
    done
}

/// The number of states after which a search restarts; later restarts come after multiples.
const UNIT: u64 = 1000;

/// The bytes of failed states that a search remembers without --memory-limit.
const FAILED_STATES: usize = 64 << 20;

/// Searches for one solution and writes it.
pub(crate) fn run_first(problem: &dyn Problem, common: &Common) -> Result<(), Failure> {
    #[cfg(feature = "cluster")]
    crate::cluster::refuse(common, "--first")?;
    let Outputs { pictures, .. } = Outputs::open(problem, common)?;
    let spec = problem.spec()?;
    let mut search = search(&spec, common);
    let found = search.first();
    let states = search.report().states;
    let solution = found.map_err(|error| match error {
        BuildError::Cancelled { .. } => {
            Failure::Interrupted(format!("interrupted after {states} states"))
        }
        BuildError::LimitReached { limit: Limit::Time(left), .. } => Failure::Failed(format!(
            "no solution was found within --time-limit {}, in {states} states\n\
             hint: allow more with --time-limit",
            duration_argument(common.limits.time_limit.unwrap_or(left)),
        )),
        error => Failure::Failed(error.to_string()),
    })?;
    pictures.write_one(problem, solution.as_deref())?;
    if common.replaces_answer() {
        return Ok(());
    }
    let title = &problem.identity().title;
    let object = || {
        json!({
            "problem": problem.identity().facts,
            // The count is known only if it is 0.
            "count": if solution.is_none() { Some("0") } else { None },
            "states": states,
            "nodes": null,
            "solutions": solution.iter().map(|solution| problem.json(solution)).collect::<Vec<_>>(),
        })
    };
    output::answer(common.answer.json, object, || {
        say_time(common.limits.start.elapsed());
        let Some(solution) = &solution else {
            return format!("{title}\nno solution\n{states} states searched\n");
        };
        let drawing = problem.draw(solution, common.pictures.ascii).unwrap_or_default();
        let shown = headed("one solution", &problem.line(solution), &drawing);
        format!("{title}\n{states} states searched\n\n{shown}")
    })
}

/// A search over the spec, within the limits of the command line.
fn search<'s, 'p>(spec: &'s BoxedSpec<'p>, common: &Common) -> Search<'s, BoxedSpec<'p>> {
    let mut search = Search::over(spec).restarts(UNIT).cancel_with(interrupt::token());
    if let Some(time) = common.limits.time_left() {
        search = search.time_limit(time);
    }
    let MemoryLimit { bytes, is_chosen } = memory::limit();
    // More than the default of the library seldom finds a solution sooner.
    let is_given = !is_chosen && bytes < usize::MAX;
    search.memory_limit(if is_given { bytes } else { bytes.min(FAILED_STATES) })
}
