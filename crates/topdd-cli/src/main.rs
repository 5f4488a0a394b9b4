//! The `topdd` command.
//!
//! | module | contents |
//! | --- | --- |
//! | `args` | the command line and its help |
//! | `problem` | queens, pieces, tours, graphs and formulas: what to compute, and how to show it |
//! | `run` | the course of a run: `sweep` or `apply`, then `output`; or one solution by search |
//! | `bounded` | bounded runs for the best solution |
//! | `outputs` | the files that an answer is written to, with pictures |
//! | `cluster` | runs of several processes |
//! | `outcome` | the result of a run |
//! | `form` | how solutions are written, of a run and of a file |
//! | `saved` | the metadata of saved diagrams |
//! | `file`, `configure` | commands on saved diagrams; decisions step by step |
//! | `shell` | completions and manual pages |
//! | `failure`, `interrupt` | how a run ends other than with an answer; Ctrl-C and SIGTERM |
//! | `memory`, `memory_watch` | the memory limit, chosen from the free memory; what ends a run that exceeds it |
//! | `allocator` | the end of a process that is refused memory |
//! | `target`, `progress` | files that are written as a whole; lines on standard error |

mod allocator;
mod apply;
mod args;
mod bounded;
#[cfg(feature = "cluster")]
mod cluster;
mod configure;
mod failure;
mod file;
mod form;
mod importance;
mod interrupt;
mod memory;
mod memory_watch;
mod outcome;
mod output;
mod outputs;
mod problem;
mod progress;
mod run;
mod saved;
mod shell;
mod sweep;
mod target;

use std::process::ExitCode;

use args::{Args, Command, Common, Engine, Graph, Question};
use failure::Failure;
use memory::Remedies;
use problem::Problem;

fn main() -> ExitCode {
    allocator::end_when_refused();
    let done = Args::read().map_err(Failure::Usage).and_then(|args| perform(args.command));
    done.map_or_else(|failure| failure.report(), |()| ExitCode::SUCCESS)
}

fn perform(command: Command) -> Result<(), Failure> {
    // Before the first thread: under `ulimit -v`, all threads then share one heap.
    let limit = command.limit_memory();
    interrupt::watch()?;
    limit.map_or(Ok(()), |(limit, is_run)| memory_watch::watch(limit, is_run))?;
    match command {
        Command::Queens(asked) if asked.first => {
            memory::set_remedies(Remedies::SEARCH);
            run::run_first(&*problem::queens::problem(&asked)?, &asked.common)
        }
        Command::Queens(asked) => {
            whole(&asked.common, asked.engine.engine, || problem::queens::problem(&asked))
        }
        Command::Place(asked) => {
            whole(&asked.common, Engine::Frontier, || problem::place::problem(&asked))
        }
        Command::Knights(asked) => {
            whole(&asked.common, asked.engine.engine, || problem::knights::problem(&asked))
        }
        Command::Graph(asked) => graph(&asked),
        Command::Cnf(asked) => problem::cnf::run(&asked),
        Command::Cover(asked) => {
            whole(&asked.common, Engine::Frontier, || problem::cover::problem(&asked))
        }
        Command::Opb(asked) => problem::opb::run(&asked),
        Command::File(asked) => file::run(&asked),
        Command::Configure(asked) => configure::run(&asked),
        Command::Completions(asked) => shell::completions(&asked),
        Command::Man(asked) => shell::man(&asked),
        Command::Advanced(_) => shell::advanced(),
    }
}

/// Runs a problem. The time limit includes its preparation, such as the search for the largest number of pieces, or for an
/// order.
fn whole<'a>(
    common: &Common,
    engine: Engine,
    problem: impl FnOnce() -> Result<Box<dyn Problem + 'a>, Failure>,
) -> Result<(), Failure> {
    sweep::end_at_limit(common)?;
    memory::set_remedies(common.remedies(engine, false));
    run::run(&*problem()?, common)
}

/// Answers a question about a graph. The time limit includes the choice of an order.
fn graph(Graph(question): &Graph) -> Result<(), Failure> {
    use problem::graph;

    let family = match question {
        Question::Info(asked) => return graph::info(asked),
        Question::Predict(asked) => return graph::predict(asked),
        Question::Reliability(asked) => {
            sweep::end_at_limit(&asked.common())?;
            return graph::reliability(asked);
        }
        Question::Family(family) => family,
    };
    let common = &family.run.common;
    #[cfg(feature = "cluster")]
    if let Some(what) = graph::not_shared(family) {
        cluster::refuse(common, what)?;
    }
    if family.set_answers.bounded.options().is_some() {
        interrupt::wait_for_main();
    }
    sweep::end_at_limit(common)?;
    let problem = graph::problem(family)?;
    if family.run.predict {
        return graph::predict_run(&problem);
    }
    memory::set_remedies(common.remedies(Engine::Frontier, true));
    if problem.bounded().is_none() {
        graph::warn(&problem);
    }
    run::run(&problem, common)
}
