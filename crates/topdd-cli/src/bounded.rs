//! `--width` and `--gap`: bounded runs, which make no diagram.

use serde_json::{Value, json};
use topdd::bounded::BoundedBest;
use topdd::{Bounded, BoxedSpec};
use topdd_problem::Weighing;
use topdd_problem::bounded::{self, BoundedOptions, gap_text};
use topdd_problem::error::digest;
use topdd_problem::limits::duration_argument;

use crate::args::Common;
use crate::failure::{Failure, Swept};
use crate::form::headed;
use crate::outputs::Outputs;
use crate::problem::Problem;
use crate::progress::{self, Progress, say, say_time};
use crate::{interrupt, memory, output, sweep};

/// Runs for the best solution, and writes it with its bound. A limit that ends the run is no error.
pub(crate) fn run(
    problem: &dyn Problem,
    common: &Common,
    options: BoundedOptions,
) -> Result<(), Failure> {
    let Some((1, weighing)) = problem.best() else {
        return Err(Failure::usage(
            "--width and --gap prove one solution; give --best 1, or leave them out",
        ));
    };
    refuse_files(common)?;
    let Outputs { pictures, .. } = Outputs::open(problem, common)?;
    let spec = problem.frontier()?.into_spec().map_err(Failure::usage)?;
    if !bounded::merges(&spec) {
        return Err(Failure::Usage(format!(
            "{}: states of this family do not merge, so that --width and --gap would prove little; leave them out",
            problem.identity().title
        )));
    }
    let best = solve(problem, common, &weighing, options.over(&spec))?;
    pictures.write_one(problem, best.solution())?;
    if common.replaces_answer() {
        return Ok(());
    }
    let mut printed = interrupt::printing();
    let object = || object(problem, &weighing, &best);
    output::answer(common.answer.json, object, || text(problem, common, &weighing, &best))?;
    *printed = true;
    Ok(())
}

/// Refuses files of a diagram and of a sweep.
fn refuse_files(common: &Common) -> Result<(), Failure> {
    let Common { answer, pictures, limits, .. } = common;
    let refused = [
        ("--save", answer.save.is_some()),
        ("--dot", answer.dot.is_some()),
        ("--profile", pictures.profile.is_some()),
        ("--heat", pictures.heat),
        ("--spill-to", limits.spill_to.is_some()),
    ];
    refused.iter().find(|(_, is_given)| *is_given).map_or(Ok(()), |(option, _)| {
        Err(Failure::Usage(format!(
            "--width and --gap make no diagram, and spill nothing; leave out {option}, or leave them out"
        )))
    })
}

/// The answer as JSON.
fn object(problem: &dyn Problem, weighing: &Weighing, best: &BoundedBest) -> Value {
    let text = |weight: Option<i128>| weight.map(|weight| weighing.scale.text(weight));
    let solutions = best.solution().iter().map(|solution| problem.json(solution)).collect();
    json!({
        "problem": problem.identity().facts,
        // The count is known only if it is 0.
        "count": if best.is_proven() && best.solution().is_none() { Some("0") } else { None },
        "states": best.report().states,
        "nodes": null,
        "weights": text(best.weight()).into_iter().collect::<Vec<_>>(),
        "bound": text(best.bound()),
        "gap": best.gap().filter(|gap| gap.is_finite()),
        "proven": best.is_proven(),
        "stopped_by": bounded::stopped_by(best.reason()),
        "solutions": Value::Array(solutions),
    })
}

/// The answer as text.
fn text(problem: &dyn Problem, common: &Common, weighing: &Weighing, best: &BoundedBest) -> String {
    let line = best.solution().map(|solution| problem.line(solution));
    if common.answer.quiet {
        return line.map_or_else(String::new, |line| line + "\n");
    }
    say_time(common.limits.start.elapsed());
    let title = &problem.identity().title;
    let states = output::counted(best.report().states, "state");
    let mut shown = format!("{title}\n{}\n{states}\n", conclusion(best, weighing, common));
    if let (Some(solution), Some(line)) = (best.solution(), line) {
        let drawing = problem.draw(solution, common.pictures.ascii).unwrap_or_default();
        let head = format!("weight {}", weighing.weight(solution));
        shown.push('\n');
        shown += &headed(&head, &line, &drawing);
    }
    shown
}

/// Runs within the limits of the command line.
fn solve(
    problem: &dyn Problem,
    common: &Common,
    weighing: &Weighing,
    run: Bounded<'_, BoxedSpec<'_>>,
) -> Result<BoundedBest, Failure> {
    let swept = Swept { unit: problem.identity().unit, variables: problem.num_vars()?, common };
    let watched = progress::is_seen() && !common.answer.quiet;
    let progress = watched.then(|| Progress::over(swept.variables, swept.unit));
    let text = |weight: Option<i128>| {
        weight.map_or("unknown".to_owned(), |weight| weighing.scale.text(weight))
    };
    let mut run = run.threads(sweep::threads_of(common)).cancel_with(interrupt::token());
    let bytes = memory::limit().bytes;
    if bytes < usize::MAX {
        run = run.memory_limit(bounded::memory_of_run(bytes));
    }
    if let Some(time) = common.limits.time_left() {
        run = run.time_limit(time);
    }
    if let Some(dir) = &common.limits.checkpoint {
        // The key of a problem has no weights.
        let weights = digest(&(&weighing.weights, weighing.goal));
        run = run.checkpoint(dir, format!("{} by weights {weights:016x}", sweep::key(problem)));
    }
    run = run.on_progress(|now| {
        if let Some(progress) = &progress {
            let (weight, bound) = (text(now.weight), text(now.bound));
            progress
                .unordered(&format!("weight {weight}, bound {bound}, {} open states", now.open));
        }
    });
    let best = bounded::best(&mut run, &weighing.weights, weighing.goal);
    let best = best.map_err(|error| swept.query_failed(&error, &""));
    drop(run);
    drop(progress);
    if let Ok(best) = &best {
        best.report().warnings.iter().for_each(|warning| say(format_args!("warning: {warning}")));
    }
    if let (Ok(best), true) = (&best, common.answer.report) {
        let report = best.report();
        say(format_args!("{} states, of which {} were open", report.states, report.opened));
    }
    best
}

/// The weight and its bound in a line: `weight 4, bound 5, gap 25%, not proven: stopped by --time-limit 5s`.
fn conclusion(best: &BoundedBest, weighing: &Weighing, common: &Common) -> String {
    let text = |weight| weighing.scale.text(weight);
    let weight = match best.weight() {
        Some(weight) => format!("weight {}", text(weight)),
        None if best.is_proven() => "no solution".to_owned(),
        None => "no solution found".to_owned(),
    };
    let bound = best.bound().map(|bound| format!("bound {}", text(bound)));
    let gap = best.gap().and_then(gap_text).map(|gap| format!("gap {gap}"));
    let end = match bounded::stopped_by(best.reason()) {
        None => "proven".to_owned(),
        Some("gap") => "not proven: stopped by --gap".to_owned(),
        Some("time") => {
            let limit = common.limits.time_limit.unwrap_or_default();
            format!("not proven: stopped by --time-limit {}", duration_argument(limit))
        }
        Some("memory") => "not proven: stopped by --memory-limit".to_owned(),
        Some("cancel") => "not proven: interrupted".to_owned(),
        Some(other) => format!("not proven: stopped by the limit of {other}"),
    };
    [Some(weight), bound, gap, Some(end)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
