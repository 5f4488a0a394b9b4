//! One solution by search, without a diagram.

use serde_json::json;
use topdd::search::{Search, SearchReport};
use topdd::{BoxedSpec, BuildError, Limit};

use crate::args::Common;
use topdd_problem::limits::duration_argument;

use crate::failure::Failure;
use crate::interrupt;
use crate::memory::{self, MemoryLimit};
use crate::output::print;
use crate::outputs::Outputs;
use crate::picture::Pictures;
use crate::problem::Problem;
use crate::progress::say_time;

/// The number of states after which a search restarts; later restarts come after multiples.
const UNIT: u64 = 1000;

/// The bytes of failed states that a search remembers without --memory-limit.
const FAILED_STATES: usize = 64 << 20;

/// Searches for one solution and writes it.
pub(crate) fn run(problem: &dyn Problem, common: &Common) -> Result<(), Failure> {
    #[cfg(feature = "cluster")]
    crate::cluster::refuse(common, "--first")?;
    let Outputs { pictures, .. } = Outputs::open(problem, common)?;
    let found = search(&problem.spec()?, common)?;
    write(problem, common, &found, pictures)
}

/// The result of a search.
struct Found {
    solution: Option<Vec<usize>>,
    report: SearchReport,
}

/// Searches for a solution of the spec, within the limits of the command line.
fn search(spec: &BoxedSpec<'_>, common: &Common) -> Result<Found, Failure> {
    let mut search = Search::over(spec).restarts(UNIT).cancel_with(interrupt::token());
    if let Some(time) = common.limits.time_left() {
        search = search.time_limit(time);
    }
    match memory::limit() {
        MemoryLimit { bytes, is_chosen: false } if bytes < usize::MAX => {
            search = search.memory_limit(bytes);
        }
        // More than the default of the library seldom finds a solution sooner.
        MemoryLimit { bytes, .. } => search = search.memory_limit(bytes.min(FAILED_STATES)),
    }
    let found = search.first();
    let report = *search.report();
    let solution = found.map_err(|error| match error {
        BuildError::Cancelled { .. } => {
            Failure::Interrupted(format!("interrupted after {} states", report.states))
        }
        BuildError::LimitReached { limit: Limit::Time(left), .. } => Failure::Failed(format!(
            "no solution was found within --time-limit {}, in {} states\n\
             hint: allow more with --time-limit",
            duration_argument(common.limits.time_limit.unwrap_or(left)),
            report.states
        )),
        error => Failure::Failed(error.to_string()),
    })?;
    Ok(Found { solution, report })
}

/// Writes the solution.
fn write(
    problem: &dyn Problem,
    common: &Common,
    found: &Found,
    pictures: Pictures<'_>,
) -> Result<(), Failure> {
    let Found { solution, report } = found;
    let squares = solution.as_deref().map(|solution| problem.squares(solution));
    pictures.write_one(problem, squares.as_deref())?;
    if common.replaces_answer() {
        return Ok(());
    }
    let text = if common.answer.json {
        let answer = json!({
            "problem": problem.identity().facts,
            // The count is known only if it is 0.
            "count": if squares.is_none() { Some("0") } else { None },
            "states": report.states,
            "nodes": null,
            "solutions": squares.iter().map(|squares| problem.listed(squares)).collect::<Vec<_>>(),
        });
        format!("{answer}\n")
    } else {
        let title = &problem.identity().title;
        say_time(common.limits.start.elapsed());
        let took = format!("{} states searched", report.states);
        match &squares {
            None => format!("{title}\nno solution\n{took}\n"),
            Some(squares) => {
                let (line, drawing) =
                    (problem.line(squares), problem.draw(squares, common.pictures.ascii));
                format!("{title}\n{took}\n\none solution: {line}\n{drawing}")
            }
        }
    };
    print(|out| out.write_all(text.as_bytes()))
}
