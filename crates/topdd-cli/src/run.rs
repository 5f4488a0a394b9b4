//! What all problems have in common: sweep over the spec, then tell.

use std::any::type_name;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use topdd::{FinishedCheckpoint, Frontier, Report, Zdd};
use topdd_chess::Pieces;

use crate::apply;
use crate::args::{Common, Engine};
use crate::failure::{self, Failure, Swept};
use crate::interrupt;
use crate::output;
use crate::picture::Pictures;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::target::Target;

/// Threads for a machine of however many cores, unless told otherwise: more are refused.
const MOST_THREADS: usize = 1024;

/// Has all that is asked of diagrams from now on shared among so many threads, as the sweep was.
fn share_queries_among(threads: usize) {
    // There may have been another diagram before, which was asked with as many.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
}

/// Writes a line about the run. That nobody can read it is no reason to give up the answer.
fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// What a run came to.
pub(crate) struct Outcome {
    pub(crate) count: BigUint,
    /// What the sweep came to, if there was one.
    pub(crate) report: Option<Report>,
    /// The number of solutions up to symmetry, if that was asked for.
    pub(crate) classes: Option<BigUint>,
    /// The diagram, if one was asked for.
    pub(crate) zdd: Option<Zdd>,
    pub(crate) time: Duration,
    /// Kept until the answer is stored and printed.
    pub(crate) checkpoint: Option<FinishedCheckpoint>,
}

impl Outcome {
    /// The number that was asked for.
    pub(crate) fn answer(&self) -> &BigUint {
        self.classes.as_ref().unwrap_or(&self.count)
    }
}

/// Solves a problem and tells what is asked of it.
pub(crate) fn run(problem: &impl Problem, common: &Common) -> Result<(), Failure> {
    if let (Some(dir), Some(save)) = (&common.checkpoint, &common.save) {
        refuse_inside(dir, save)?;
    }
    // Asked first: better to fail now than after an hour.
    let dot = common.dot.as_deref().map(Target::at).transpose()?;
    let save = common.save.as_deref().map(Target::at).transpose()?;
    let pictures = Pictures::asked(problem, common)?;
    if let Some(dir) = &common.spill {
        // Gone at once, and so will be all that is spilled.
        tempfile::tempfile_in(dir).map_err(|error| unusable(dir, &error))?;
    }
    let start = Instant::now();
    if let Some(limit) = common.time_limit {
        let checkpoint = common.checkpoint.clone();
        interrupt::end_after(limit, move |reached| {
            let goes_on = failure::goes_on(checkpoint.as_deref());
            Failure::Failed(failure::too_long(limit, reached, goes_on))
        });
    }
    let mut outcome = match common.engine {
        Engine::Frontier => {
            let frontier = problem.frontier()?;
            let sweep = Sweep::asked(common, problem.unit()).with_key(key(problem));
            sweep.run(frontier, problem.num_vars()?)?
        }
        Engine::Apply => apply::solve(problem, common)?,
    };
    if let Some(unique) = problem.unique() {
        outcome.classes = Some(unique.count(&outcome.count, common)?);
        outcome.time = start.elapsed();
    }
    let told = tell(problem, common, &outcome, (pictures, dot, save));
    if !matches!(told, Ok(()) | Err(Failure::Enough)) {
        return told.map_err(|failure| failure.or_again(common.checkpoint.as_deref()));
    }
    for warning in outcome.checkpoint.take().map_or(Vec::new(), FinishedCheckpoint::remove) {
        say(format_args!(
            "warning: {warning}; the files named topdd-* in that directory are not needed"
        ));
    }
    told
}

/// Stores and prints an answer: pictures, the diagram as DOT, the diagram, and then the rest.
fn tell(
    problem: &impl Problem,
    common: &Common,
    outcome: &Outcome,
    (pictures, dot, save): (Pictures<'_>, Option<Target>, Option<Target>),
) -> Result<(), Failure> {
    let mut shown = output::shown(problem, common, outcome)?;
    pictures.write(problem, outcome, &mut shown)?;
    if let (Some(target), Some(zdd)) = (dot, &outcome.zdd) {
        target.write(|out| zdd.write_dot(out))?;
    }
    if let (Some(target), Some(zdd)) = (save, &outcome.zdd) {
        target.write(|out| zdd.write_to(out))?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let mut printed = interrupt::printing();
    let written = output::write(&mut out, problem, common, outcome, shown);
    let written = written.and_then(|()| out.flush());
    let done = written.map_err(|error| Failure::of_stdout(&error)).and_then(|()| {
        // A listing ends early after Ctrl-C; a count does not.
        if outcome.zdd.is_some() { interrupt::check() } else { Ok(()) }
    });
    *printed = done.is_ok();
    done
}

/// Refuses to save a diagram where the checkpoint would remove it.
fn refuse_inside(checkpoint: &Path, save: &Path) -> Result<(), Failure> {
    let name = save.file_name().unwrap_or_default().to_string_lossy();
    let place = save.parent().and_then(|dir| fs::canonicalize(dir).ok());
    if name.starts_with("topdd-") && place.is_some() && place == fs::canonicalize(checkpoint).ok() {
        return Err(Failure::Usage(format!(
            "--save {} would be removed with the files of the checkpoint; choose a name that does \
             not start with topdd-",
            save.display()
        )));
    }
    Ok(())
}

/// The key of the checkpoint: all that defines the problem, and the version of topdd, as another
/// one may encode states differently.
fn key<P: Problem>(problem: &P) -> String {
    let mut key = problem.facts();
    key["topdd"] = env!("CARGO_PKG_VERSION").into();
    // One question may have several formulations, each with states of its own.
    key["formulation"] = type_name::<P>().into();
    key.to_string()
}

/// A directory that nothing can be spilled to.
fn unusable(dir: &Path, error: &io::Error) -> Failure {
    let hint = "hint: name a directory that is there and can be written to";
    Failure::Failed(format!("cannot use --spill {}: {error}\n{hint}", dir.display()))
}

/// How to sweep over a spec.
pub(crate) struct Sweep<'a> {
    common: &'a Common,
    /// What a variable is.
    unit: &'static str,
    /// Whether to build a diagram.
    diagram: bool,
    /// Whether this is what was asked, and not something to be known besides.
    asked: bool,
    /// The key of the checkpoint.
    key: String,
}

impl<'a> Sweep<'a> {
    /// What is asked.
    pub(crate) fn asked(common: &'a Common, unit: &'static str) -> Self {
        let diagram = common.needs_diagram();
        Sweep { common, unit, diagram, asked: true, key: String::new() }
    }

    /// The same, with a key for its checkpoint.
    fn with_key(self, key: String) -> Self {
        Sweep { key, ..self }
    }

    /// A count, or a diagram, that is needed to know what is asked. It is under the same
    /// limits, but has no checkpoint, and is not reported.
    pub(crate) fn aside(common: &'a Common, diagram: bool) -> Self {
        Sweep { common, unit: "square", diagram, asked: false, key: String::new() }
    }
}

impl Sweep<'_> {
    /// Sweeps over the spec of these pieces.
    pub(crate) fn of_pieces(self, pieces: &Pieces) -> Result<Outcome, Failure> {
        let frontier = pieces.frontier().map_err(Failure::usage)?;
        self.run(frontier, pieces.num_vars().map_err(Failure::usage)?)
    }

    /// Sweeps over a spec of so many variables.
    pub(crate) fn run(self, frontier: Frontier<'_>, variables: usize) -> Result<Outcome, Failure> {
        let Sweep { common, unit, diagram, asked, key } = self;
        let start = Instant::now();
        let swept = Swept { unit, variables, common };
        let watched = io::stderr().is_terminal() && !common.quiet;
        let progress = watched.then(|| Progress::over(variables, unit));

        // Its own, so that a run is among them, rather than those that all share.
        let cores = || available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
        let threads = common.threads.unwrap_or_else(cores);
        let mut frontier = frontier.threads(threads);
        if let Some(bytes) = common.memory {
            frontier = frontier.memory_limit(bytes);
        }
        if let Some(time) = common.time_limit {
            frontier = frontier.time_limit(time);
        }
        if let Some(dir) = &common.spill {
            frontier = frontier.spill_to(dir);
        }
        if let (Some(dir), true) = (&common.checkpoint, asked) {
            frontier = frontier.checkpoint(dir, key).keep_checkpoint();
        }
        frontier = frontier.cancel_with(interrupt::token()).on_level(|level| {
            if common.report && asked {
                say(level);
            }
            if let Some(progress) = &progress {
                progress.level(level);
            }
            interrupt::note(swept.at(Some(level.variable)));
        });
        if let Some(progress) = &progress {
            frontier = frontier.on_reduced(|level| progress.reduced(level));
        }
        let done = if diagram {
            frontier.zdd().map(|zdd| {
                share_queries_among(threads);
                (zdd.count(), Some(zdd))
            })
        } else {
            frontier.count().map(|count| (count, None))
        };
        let report = frontier.report().clone();
        let checkpoint = frontier.take_checkpoint();
        drop(frontier);
        let (count, zdd) = done.map_err(|error| match error {
            topdd::BuildError::Cancelled { variable } => {
                drop(progress);
                let (at, more) = (swept.at(variable), swept.goes_on());
                Failure::Interrupted(format!("interrupted {at}\n{report}{more}"))
            }
            error => swept.failed(&error),
        })?;
        if common.report && asked {
            say(&report);
        }
        let report = Some(report);
        Ok(Outcome { count, classes: None, report, zdd, time: start.elapsed(), checkpoint })
    }
}
