//! One solution by search, without a diagram.

use std::io::{self, BufWriter, Write};

use serde_json::json;
use topdd::search::{Search, SearchReport};
use topdd::{BoxedSpec, BuildError as Error, Limit};

use crate::args::Common;
use crate::failure::Failure;
use crate::interrupt;
use crate::picture::Pictures;
use crate::problem::Problem;

/// After how many states a search starts again, and multiples of that later on.
const UNIT: u64 = 1000;

/// What a search came to.
pub(crate) struct Found {
    solution: Option<Vec<usize>>,
    report: SearchReport,
}

/// Searches for a solution of the spec, within the limits that are asked for.
pub(crate) fn search(spec: &BoxedSpec<'_>, common: &Common) -> Result<Found, Failure> {
    let mut search = Search::over(spec).restarts(UNIT).cancel_with(interrupt::token());
    if let Some(time) = common.time_limit {
        search = search.time_limit(time);
    }
    if let Some(bytes) = common.memory {
        search = search.memory_limit(bytes);
    }
    let found = search.first();
    let report = *search.report();
    let solution = found.map_err(|error| match error {
        Error::Cancelled { .. } => {
            Failure::Interrupted(format!("interrupted after {} states", report.states))
        }
        Error::LimitReached { limit: Limit::Time(time), .. } => Failure::Failed(format!(
            "no solution was found within --time-limit, {} s, in {} states\n\
             hint: allow more with --time-limit",
            time.as_secs_f64(),
            report.states
        )),
        error => Failure::Failed(error.to_string()),
    })?;
    Ok(Found { solution, report })
}

/// Tells what was found.
pub(crate) fn tell(
    problem: &impl Problem,
    common: &Common,
    found: &Found,
    pictures: Pictures<'_>,
) -> Result<(), Failure> {
    let Found { solution, report } = found;
    let squares = solution.as_deref().map(|solution| problem.squares(solution));
    pictures.write_one(problem, squares.as_deref())?;
    let seconds = report.elapsed.as_secs_f64();
    let text = if common.json {
        let answer = json!({
            "problem": problem.facts(),
            // How many there are is known only if there are none.
            "count": if squares.is_none() { Some("0") } else { None },
            "states": report.states,
            "nodes": null,
            "seconds": seconds,
            "solutions": squares.iter().map(|squares| problem.listed(squares)).collect::<Vec<_>>(),
        });
        format!("{answer}\n")
    } else {
        let title = problem.title();
        let took = format!("{} states searched, {seconds:.3} s", report.states);
        match &squares {
            None => format!("{title}\nno solution\n{took}\n"),
            Some(squares) => {
                let (line, drawing) =
                    (problem.line(squares), problem.draw(squares, common.pictures.ascii));
                format!("{title}\n{took}\n\none solution: {line}\n{drawing}")
            }
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::of_stdout(&error))
}
