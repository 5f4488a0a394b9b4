//! A sweep over a spec, under the limits of the command line.

use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Instant;

use topdd::{BuildError, Frontier};
use topdd_chess::Pieces;

use crate::args::Common;
use crate::failure::{Failure, Swept};
use crate::interrupt;
use crate::outcome::{Answer, Outcome};
use crate::progress::{Progress, say};

/// The most threads that are used by default; the library refuses more.
const MOST_THREADS: usize = 1024;

/// Sets the number of threads of queries to that of the sweep.
fn share_queries_among(threads: usize) {
    // A sweep before this one may have set it, to the same number.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build_global();
}

/// The names of the columns of a report on a level, as wide as these.
const HEADER: &str = "  variable          states           edges          merged      memory        \
                      disk    seconds";

/// A sweep to be made.
pub(crate) struct Sweep<'a> {
    common: &'a Common,
    /// What a variable is to the user: a row, a square.
    unit: &'static str,
    /// Whether to build a diagram.
    diagram: bool,
    /// Whether this is the sweep of the problem, and not one that prepares it.
    asked: bool,
    /// The key of the checkpoint.
    key: String,
}

impl<'a> Sweep<'a> {
    /// The sweep of the problem, for a count or a diagram.
    pub(crate) fn asked(common: &'a Common, unit: &'static str) -> Self {
        let diagram = common.needs_diagram();
        Sweep { common, unit, diagram, asked: true, key: String::new() }
    }

    /// Sets the key of the checkpoint.
    pub(crate) fn with_key(self, key: String) -> Self {
        Sweep { key, ..self }
    }

    /// A sweep that prepares the problem, or corrects its count. It has the same limits, but no
    /// checkpoint and no report.
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
        let reports = common.report && asked && !common.is_silent();
        let start = Instant::now();
        let swept = Swept { unit, variables, common };
        let watched = io::stderr().is_terminal() && !common.quiet && !common.is_silent();
        let progress = watched.then(|| Progress::over(variables, unit));

        // As an explicit number, so that the sweep has threads of its own.
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
            frontier = frontier.checkpoint(dir, &key).keep_checkpoint();
        }
        if reports {
            say(HEADER);
        }
        frontier = frontier.cancel_with(interrupt::token()).on_level(|level| {
            if reports {
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
        let (done, report, checkpoint) =
            (Ask { common, key: &key, asked, diagram, threads }).answer(frontier)?;
        let (count, zdd) = done.map_err(|error| match error {
            BuildError::Cancelled { variable } => {
                drop(progress);
                let (at, more) = (swept.at(variable), swept.resume_hint());
                Failure::Interrupted(format!("interrupted {at}\n{report}{more}"))
            }
            error => swept.failed(&error),
        })?;
        if reports {
            say(&report);
        }
        let report = Some(report);
        Ok(Outcome { count, classes: None, report, zdd, time: start.elapsed(), checkpoint })
    }
}

/// A question to a frontier.
#[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "a cluster reads all fields"))]
struct Ask<'a> {
    common: &'a Common,
    key: &'a str,
    asked: bool,
    diagram: bool,
    threads: usize,
}

impl Ask<'_> {
    #[cfg_attr(
        not(feature = "cluster"),
        expect(clippy::unnecessary_wraps, reason = "joining a cluster can fail")
    )]
    fn answer(&self, mut frontier: Frontier<'_>) -> Result<Answer, Failure> {
        #[cfg(feature = "cluster")]
        if self.asked
            && let Some(cluster) = crate::cluster::join(self.common, self.threads, self.key)?
        {
            if self.diagram {
                share_queries_among(self.threads);
            }
            return Ok(crate::cluster::answer(cluster, frontier, self.diagram));
        }
        let done = if self.diagram {
            frontier.zdd().map(|zdd| {
                share_queries_among(self.threads);
                (zdd.count(), Some(zdd))
            })
        } else {
            frontier.count().map(|count| (count, None))
        };
        Ok((done, frontier.report().clone(), frontier.take_checkpoint()))
    }
}
