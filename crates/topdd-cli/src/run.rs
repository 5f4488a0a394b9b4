//! What all problems have in common: sweep over the spec, then tell.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use topdd::{DdSpec, Frontier, Portable, Zdd};
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
    /// The states of the sweep, if there was one.
    pub(crate) states: Option<u64>,
    /// The diagram, if one was asked for.
    pub(crate) zdd: Option<Zdd>,
    pub(crate) time: Duration,
}

/// Solves a problem and tells what is asked of it.
pub(crate) fn run(problem: &impl Problem, common: &Common) -> Result<(), Failure> {
    // Asked first: better to fail now than after an hour.
    let dot = common.dot.as_deref().map(Target::at).transpose()?;
    let outcome = match common.engine {
        Engine::Frontier => problem.visit(Sweep { common, unit: problem.unit() })??,
        Engine::Apply => apply::solve(problem, common)?,
    };
    if let (Some(target), Some(zdd)) = (dot, &outcome.zdd) {
        target.write(|out| zdd.write_dot(out))?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    output::write(&mut out, problem, common, &outcome)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::of_stdout(&error))
}

/// The sweep over a spec, whatever its type.
struct Sweep<'a> {
    common: &'a Common,
    /// What a variable is.
    unit: &'static str,
}

impl SpecVisitor for Sweep<'_> {
    type Output = Result<Outcome, Failure>;

    fn visit<S: DdSpec<State: Portable>>(self, spec: S) -> Self::Output {
        let Sweep { common, unit } = self;
        let start = Instant::now();
        let (variables, diagram) = (spec.num_vars(), common.needs_diagram());
        let failed = |error: topdd::Error| Swept { unit, variables, diagram }.failed(&error);
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
        let states = Some(frontier.report().states());
        Ok(Outcome { count, states, zdd, time: start.elapsed() })
    }
}
