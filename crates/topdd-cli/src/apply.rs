//! Diagrams by the apply engine.

use topdd::{Frontier, Zdd};
use topdd_apply::{Error, Limits, Manager, ManagerLimit};
use topdd_problem::{Condition, ConditionError, On, Run};

use crate::args::Common;
use crate::failure::Failure;
use crate::interrupt;
use crate::memory::{self, MemoryLimit, Remedies};
use crate::outcome::Outcome;
use crate::problem::Classic;
use crate::progress::{self, Progress, say};

/// The limits of the command, for sweeps and operations on a diagram.
pub(crate) struct WithinLimits;

impl Run for WithinLimits {
    fn sweep<'a>(&self, frontier: Frontier<'a>, _variables: usize) -> Frontier<'a> {
        frontier.cancel_with(interrupt::token())
    }

    fn manager(&self, variables: usize) -> Result<Manager, Error> {
        let mut manager = Manager::builder(variables);
        let MemoryLimit { bytes, .. } = memory::limit();
        if bytes < usize::MAX {
            manager = manager.max_bytes(bytes);
        }
        manager.build()
    }

    fn limits(&self) -> Limits {
        Limits::new().cancel_with(interrupt::token())
    }
}

/// The solutions of a diagram that satisfy a condition.
pub(crate) fn restricted(zdd: &Zdd, condition: &Condition, on: On<'_>) -> Result<Zdd, Failure> {
    let found = condition.after(zdd, on, &WithinLimits);
    interrupt::check()?;
    found.map_err(|error| match error {
        // Options of the run do not help any more.
        ConditionError::Apply(Error::LimitReached(ManagerLimit::Bytes(bytes))) => Failure::Failed(
            format!("{}\nhint: {}", memory::limit().exceeded(bytes), Remedies::File.hint()),
        ),
        ConditionError::Apply(error) => error.into(),
        error => Failure::Failed(error.to_string()),
    })
}

/// Solves a problem by its classic formulation.
pub(crate) fn solve(classic: &Classic<'_>, common: &Common) -> Result<Outcome, Failure> {
    for (flag, given) in [
        ("--spill-to", common.limits.spill_to.is_some()),
        ("--checkpoint", common.limits.checkpoint.is_some()),
        ("--profile", common.pictures.profile.is_some()),
        ("--threads", common.limits.threads.is_some_and(|threads| threads != 1)),
    ] {
        if given {
            return Err(Failure::Usage(format!("{flag} is for --engine frontier only")));
        }
    }

    let manager = WithinLimits.manager(classic.variables)?;
    let watched = progress::is_seen() && !common.answer.quiet;
    let progress = watched.then(|| Progress::over(classic.constraints, classic.unit));
    if let Some(progress) = &progress {
        manager.on_progress(progress.working());
    }
    if common.answer.report {
        say(format_args!("{:>10} {:>15} {:>15}", classic.unit, "live nodes", "result nodes"));
    }
    let mut limits = WithinLimits.limits();
    if let Some(time) = common.limits.time_limit {
        limits = limits.time_limit(time);
    }
    let mut conjoined = |done: usize, nodes: &dyn Fn() -> usize| {
        if common.answer.report {
            // Garbage would count as live.
            manager.collect();
            let live = manager.statistics();
            let (live, nodes) = (live.family_nodes + live.function_nodes, nodes());
            say(format_args!("{done:>10} {live:>15} {nodes:>15}"));
        }
        interrupt::note(format!("after {done} of {} {}s", classic.constraints, classic.unit));
        if let Some(progress) = &progress {
            progress.conjoined(done, nodes());
        }
    };
    let diagram = common.needs_diagram();
    let solved = manager.within(&limits, || (classic.conjoin)(&manager, diagram, &mut conjoined));
    interrupt::check()?;
    let (count, zdd) = solved?;
    Ok(Outcome { count, zdd, ..Outcome::default() })
}
