//! What all problems have in common: sweep over the spec, then tell.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use topdd::{DdSpec, Frontier, Portable, Report, Zdd};
use topdd_problems::SpecVisitor;

use crate::apply;
use crate::args::{Common, Engine};
use crate::failure::{Failure, Swept};
use crate::output;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::target::Target;

/// What a run came to.
pub(crate) struct Outcome {
    pub(crate) count: BigUint,
    /// What the sweep came to, if there was one.
    pub(crate) report: Option<Report>,
    /// The diagram, if one was asked for.
    pub(crate) zdd: Option<Zdd>,
    pub(crate) time: Duration,
}

/// Solves a problem and tells what is asked of it.
pub(crate) fn run(problem: &impl Problem, common: &Common) -> Result<(), Failure> {
    // Asked first: better to fail now than after an hour.
    let dot = common.dot.as_deref().map(Target::at).transpose()?;
    let save = common.save.as_deref().map(Target::at).transpose()?;
    if let Some(dir) = &common.spill {
        // Gone at once, and so will be all that is spilled.
        tempfile::tempfile_in(dir).map_err(|error| unusable(dir, &error))?;
    }
    let outcome = match common.engine {
        Engine::Frontier => problem.visit(Sweep { common, unit: problem.unit() })??,
        Engine::Apply => apply::solve(problem, common)?,
    };
    if let (Some(target), Some(zdd)) = (dot, &outcome.zdd) {
        target.write(|out| zdd.write_dot(out))?;
    }
    if let (Some(target), Some(zdd)) = (save, &outcome.zdd) {
        target.write(|out| zdd.write_to(out))?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    output::write(&mut out, problem, common, &outcome)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::of_stdout(&error))
}

/// A directory that nothing can be spilled to.
fn unusable(dir: &Path, error: &io::Error) -> Failure {
    let hint = "hint: name a directory that is there and can be written to";
    Failure::Failed(format!("cannot use --spill {}: {error}\n{hint}", dir.display()))
}

/// The sweep over a spec, whatever its type. The only visitor here: each is one more copy
/// of the engine for every type of spec.
pub(crate) struct Sweep<'a> {
    pub(crate) common: &'a Common,
    /// What a variable is.
    pub(crate) unit: &'static str,
}

impl SpecVisitor for Sweep<'_> {
    type Output = Result<Outcome, Failure>;

    fn visit<S: DdSpec<State: Portable>>(self, spec: S) -> Self::Output {
        let Sweep { common, unit } = self;
        let start = Instant::now();
        let (variables, diagram) = (spec.num_vars(), common.needs_diagram());
        let failed = |error: topdd::Error| Swept { unit, variables, common }.failed(&error);
        let watched = io::stderr().is_terminal() && !common.quiet;
        let progress = watched.then(|| Progress::over(variables, unit));

        let mut frontier = Frontier::over(&spec);
        if let Some(threads) = common.threads {
            frontier = frontier.threads(threads);
        }
        if let Some(bytes) = common.memory {
            frontier = frontier.memory_limit(bytes);
        }
        if let Some(time) = common.time_limit {
            frontier = frontier.time_limit(time);
        }
        if let Some(dir) = &common.spill {
            frontier = frontier.spill_to(dir);
        }
        if let Some(dir) = &common.checkpoint {
            frontier = frontier.checkpoint(dir);
        }
        if progress.is_some() || common.report {
            frontier = frontier.on_level(|level| {
                if common.report {
                    eprintln!("{level}");
                }
                if let Some(progress) = &progress {
                    progress.level(level);
                }
            });
        }
        let (count, zdd) = if diagram {
            let zdd = frontier.zdd().map_err(failed)?;
            (zdd.count(), Some(zdd))
        } else {
            (frontier.count().map_err(failed)?, None)
        };
        if common.report {
            eprintln!("{}", frontier.report());
        }
        let report = Some(frontier.report().clone());
        Ok(Outcome { count, report, zdd, time: start.elapsed() })
    }
}
