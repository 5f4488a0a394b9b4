//! The apply engine at work on a problem.

use std::io::{self, IsTerminal};
use std::time::Instant;

use topdd_apply::{Error, Manager, ManagerLimit};

use crate::args::Common;
use crate::bytes::Bytes;
use crate::failure::Failure;
use crate::interrupt;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::run::Outcome;

/// Solves a problem by its classic formulation.
pub(crate) fn solve(problem: &impl Problem, common: &Common) -> Result<Outcome, Failure> {
    for (flag, given) in [
        ("--time-limit", common.time_limit.is_some()),
        ("--spill", common.spill.is_some()),
        ("--checkpoint", common.checkpoint.is_some()),
        ("--report", common.report),
        ("--profile", common.pictures.profile.is_some()),
        ("--threads", common.threads.is_some_and(|threads| threads != 1)),
    ] {
        if given {
            return Err(Failure::Usage(format!("{flag} is for --engine frontier only")));
        }
    }
    let start = Instant::now();
    let classic = problem.classic()?;
    let mut manager = Manager::builder(classic.variables);
    if let Some(bytes) = common.memory {
        manager = manager.max_bytes(bytes);
    }
    let manager = manager.build().map_err(|error| failed(&error))?;
    let watched = io::stderr().is_terminal() && !common.quiet;
    let progress = watched.then(|| Progress::over(classic.constraints, classic.unit));
    let family = problem.family(&manager, &mut |done, family| {
        interrupt::note(format!("after {done} of {} {}s", classic.constraints, classic.unit));
        if let Some(progress) = &progress {
            progress.conjoined(done, family.node_count());
        }
    })?;
    let zdd = common.needs_diagram().then(|| family.to_zdd()).transpose();
    let zdd = zdd.map_err(|error| failed(&error))?;
    Ok(Outcome {
        count: family.count(),
        classes: None,
        report: None,
        zdd,
        time: start.elapsed(),
        checkpoint: None,
    })
}

/// What became of it, in the words of the command line.
pub(crate) fn failed(error: &Error) -> Failure {
    match error {
        Error::LimitReached(ManagerLimit::Bytes(bytes)) => Failure::Failed(format!(
            "this takes more than --memory allows, {}\nhint: {}",
            Bytes(*bytes),
            "allow more with --memory, or use --engine frontier",
        )),
        Error::TooManyVariables { .. } => Failure::usage(error),
        _ => Failure::Failed(error.to_string()),
    }
}
