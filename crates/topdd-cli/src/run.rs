//! The course of a run: sweep over the spec, then write the answer.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use topdd::FinishedCheckpoint;

use crate::apply;
use crate::args::{Common, Engine};
use crate::failure::{self, Failure, Swept};
use crate::file;
use crate::interrupt;
use crate::outcome::{Others, Outcome};
use crate::output;
use crate::picture::Pictures;
use crate::problem::{Part, Problem};
use crate::progress::{say, say_time};
use crate::saved;
use crate::sweep::Sweep;
use crate::target::{self, Target};

/// Solves a problem and writes its answer.
pub(crate) fn run<T: Part>(problem: &dyn Problem<T>, common: &Common) -> Result<(), Failure> {
    #[cfg(feature = "cluster")]
    {
        crate::cluster::check(common, problem.unique().is_some())?;
        if let Some(processes) = common.cluster.processes {
            Files::open(problem, common)?;
            return crate::cluster::start(processes, common);
        }
        if let Some(mut cluster) = crate::cluster::join(common, &key(problem))? {
            let done = solve(problem, common, Some(&mut cluster));
            return cluster.leave(done);
        }
    }
    solve(problem, common, None)
}

/// The files that the answer is written to, checked to be writable.
struct Files<'a> {
    pictures: Pictures<'a>,
    dot: Option<Target>,
    save: Option<Target>,
}

impl<'a> Files<'a> {
    fn open<T: Part>(problem: &dyn Problem<T>, common: &'a Common) -> Result<Self, Failure> {
        if let (Some(dir), Some(save)) = (&common.checkpoint, &common.save) {
            refuse_inside(dir, save)?;
        }
        if let Some(save) = &common.save {
            refuse_other_format(save)?;
        }
        refuse_stdout(common)?;
        let written = |path: &Option<PathBuf>| {
            let path = path.as_deref().filter(|_| !common.is_silent());
            path.map(Target::at).transpose()
        };
        let (dot, save) = (written(&common.dot)?, written(&common.save)?);
        let pictures = Pictures::asked(problem, common)?;
        if let Some(dir) = &common.spill {
            // A file without a name, as those of the spill.
            tempfile::tempfile_in(dir).map_err(|error| unusable(dir, &error))?;
        }
        Ok(Files { pictures, dot, save })
    }
}

/// Solves a problem, in this process or together with others, and writes its answer.
fn solve<T: Part>(
    problem: &dyn Problem<T>,
    common: &Common,
    mut others: Option<&mut dyn Others>,
) -> Result<(), Failure> {
    // Checked first: better to fail now than after an hour.
    let files = Files::open(problem, common)?;
    end_at_limit(common)?;
    let mut outcome = match common.engine {
        Engine::Frontier => {
            let frontier = problem.frontier()?;
            let sweep = Sweep::asked(common, problem.unit()).with_key(key(problem));
            let sweep = sweep.with_sizes(problem.counts_sizes());
            // The reborrow is shorter than the lifetime of the trait object.
            let others = others.as_deref_mut().map(|others| others as _);
            sweep.run(frontier, problem.num_vars()?, others)?
        }
        Engine::Apply => apply::solve(problem, common)?,
    };
    let written = if common.is_silent() {
        Ok(())
    } else {
        write_answer(problem, common, &mut outcome, files)
    };
    if !matches!(written, Ok(()) | Err(Failure::Closed)) {
        return written.map_err(|failure| failure.with_resume_hint(common.checkpoint.as_deref()));
    }
    // The others keep their checkpoints until the answer is stored.
    match others.map_or(Ok(()), Others::wait) {
        Ok(()) => {}
        Err(error) if common.is_silent() => {
            let swept = Swept { unit: problem.unit(), variables: problem.num_vars()?, common };
            return Err(swept.failed(&error));
        }
        Err(error) => say(format_args!("warning: {error}")),
    }
    warn_of(outcome.checkpoint.take());
    written
}

/// Counts classes if they are asked for, and writes the answer.
fn write_answer<T: Part>(
    problem: &dyn Problem<T>,
    common: &Common,
    outcome: &mut Outcome,
    files: Files<'_>,
) -> Result<(), Failure> {
    if let Some(unique) = problem.unique() {
        outcome.classes = Some(unique.count(&outcome.count, common)?);
    }
    if common.report || !(common.quiet || common.json) {
        say_time(common.start.elapsed());
    }
    write(problem, common, outcome, files)
}

/// Ends the process soon after the time limit, if it still runs.
pub(crate) fn end_at_limit(common: &Common) -> Result<(), Failure> {
    // Each process of several has the limit.
    #[cfg(feature = "cluster")]
    if common.cluster.processes.is_some() {
        return Ok(());
    }
    interrupt::note("before the first level".to_owned());
    if let (Some(limit), Some(left)) = (common.time_limit, common.time_left()) {
        let checkpoint = common.checkpoint.clone();
        interrupt::end_after(left, move |reached| {
            let hint = failure::resume_hint(checkpoint.as_deref());
            Failure::Failed(failure::too_long(limit, reached, hint))
        })?;
    }
    Ok(())
}

/// Removes the checkpoints of a run that is done. Writes warnings if that fails.
pub(crate) fn warn_of(checkpoint: impl IntoIterator<Item = FinishedCheckpoint>) {
    for warning in checkpoint.into_iter().flat_map(FinishedCheckpoint::remove) {
        say(format_args!(
            "warning: {warning}; the files named topdd-* in that directory are not needed"
        ));
    }
}

/// Writes the answer: pictures, the diagram as DOT, the diagram, and then standard output.
fn write<T: Part>(
    problem: &dyn Problem<T>,
    common: &Common,
    outcome: &Outcome,
    Files { pictures, dot, save }: Files<'_>,
) -> Result<(), Failure> {
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

/// Refuses to save a diagram under the ending of another format.
fn refuse_other_format(save: &Path) -> Result<(), Failure> {
    match file::other_format(save) {
        None => Ok(()),
        Some(ending) => Err(Failure::Usage(format!(
            "--save writes the format of topdd, not .{ending}; save NAME.tdd, and write others with \
             `topdd convert NAME.tdd {}`",
            save.display()
        ))),
    }
}

/// Refuses to write two things to standard output.
pub(crate) fn refuse_stdout(common: &Common) -> Result<(), Failure> {
    let on_stdout = common.outputs().filter(|(_, file)| target::is_stdout(file));
    let mut options: Vec<&str> = on_stdout.map(|(option, _)| option).collect();
    if !options.is_empty() && common.json {
        options.push("--json");
    }
    if options.len() < 2 {
        return Ok(());
    }
    let both = options.join(" and ");
    Err(Failure::Usage(format!("{both} would both be written to standard output; name a file")))
}

/// The key of the checkpoint: all that defines the problem, and the version of topdd, as another
/// one may encode states differently.
fn key<T: Part>(problem: &dyn Problem<T>) -> String {
    let mut key = problem.facts();
    key["topdd"] = env!("CARGO_PKG_VERSION").into();
    // One problem may have several formulations, each with states of its own.
    key["formulation"] = problem.formulation().into();
    key.to_string()
}

/// The failure for a directory that cannot be spilled to.
fn unusable(dir: &Path, error: &io::Error) -> Failure {
    let hint = "hint: name an existing directory that can be written to";
    Failure::Failed(format!("cannot use --spill {}: {error}\n{hint}", dir.display()))
}
