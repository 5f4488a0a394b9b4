//! `topdd configure`: decisions over a board or a diagram, one by one.
//!
//! `topdd::Configurator` computes the consequences of decisions; [`Dialogue`](topdd_problem::dialogue::Dialogue) has the
//! state of the dialogue, and its commands and messages.
//!
//! | module | contents |
//! | --- | --- |
//! | `script` | the dialogue in lines of text: commands and replies, and the final table |
//! | `web` | the dialogue as a page in the browser; the feature `web` |

pub(crate) mod script;
#[cfg(test)]
mod tests;
#[cfg(feature = "web")]
mod web;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use rand::RngExt;
use topdd::diagram::DiagramRule;
use topdd::{AnyDiagram, Configurator, Diagram, Goal, QueryError, Zdd};
use topdd_problem::{QueensEncoding, QueensProblem};

use crate::args::{Common, Configure, Decided, Family, How, QueensPlaced, SEEDS};
use crate::failure::Failure;
use crate::file::{self, Content, WeightFile, either};
use crate::outcome::Outcome;
use crate::problem::{Problem, graph, place, queens};
use crate::sweep::Sweep;
use crate::{interrupt, saved};
use script::ReplyForm;
use topdd_problem::dialogue::{CellTable, Dialogue, Weighing};

/// Runs the dialogue of a command line.
pub(crate) fn run(asked: &Configure) -> Result<(), Failure> {
    let how = match &asked.problem {
        Some(Decided::Queens(asked)) => &asked.how,
        Some(Decided::Place(asked)) => &asked.how,
        Some(Decided::Graph(asked)) => &asked.how,
        None => &asked.how,
    };
    if how.browser.web {
        #[cfg(feature = "web")]
        return web::run(how, || page(asked, how));
        #[cfg(not(feature = "web"))]
        return Err(Failure::Usage("this topdd was built without the feature `web`".to_owned()));
    }
    let Configured { diagram, table, weighing } =
        subject(asked, |file| file.to_string_lossy().into())?;
    either!(&diagram, diagram => in_terminal(&Start::new(diagram, table, weighing, how)?, how))
}

/// The dialogue for a page.
#[cfg(feature = "web")]
fn page(asked: &Configure, how: &How) -> Result<web::AnyDialogue, Failure> {
    // A page has no names of folders of this machine.
    let last = |file: &Path| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into();
    let Configured { diagram, table, weighing } = subject(asked, last)?;
    Ok(either!(&diagram, diagram => web::dialogue(Start::new(diagram, table, weighing, how)?)))
}

/// What is decided on.
struct Configured {
    diagram: AnyDiagram,
    table: CellTable,
    weighing: Option<Weighing>,
}

/// The diagram and its table. `called` returns the name of a file in its title.
fn subject(asked: &Configure, called: impl Fn(&Path) -> String) -> Result<Configured, Failure> {
    let board =
        |(zdd, table): (Zdd, CellTable)| Configured { diagram: zdd.into(), table, weighing: None };
    let weighed = match &asked.problem {
        Some(Decided::Graph(family)) => &family.weighed,
        _ => &asked.weighed,
    };
    // Before the build, which may be long: a missing file fails at once.
    let given = weighed.weights.as_deref().map(WeightFile::read).transpose()?;
    let (title, content, path) = match (&asked.problem, &asked.file) {
        (Some(Decided::Queens(asked)), _) => return queens_board(&asked.placed).map(board),
        (Some(Decided::Place(asked)), _) => {
            let pieces = place::pieces(&asked.placed, &dialogue())?;
            return on_board(pieces.words(), &*place::saved(&pieces)?).map(board);
        }
        (Some(Decided::Graph(asked)), _) => {
            let called = called(&asked.family.input.file);
            let (title, content) = family(&asked.family, &called)?;
            (title, content, &asked.family.input.file)
        }
        (None, Some(path)) => {
            let content = file::open_file(path)?;
            let Content { diagram, metadata } = &content;
            let moves = if asked.values { None } else { saved::by_move(diagram, metadata)? };
            let content =
                moves.map_or(content, |(diagram, metadata)| Content { diagram, metadata });
            (called(path), content, path)
        }
        (None, None) => {
            return Err(Failure::Usage(
                "name what to configure: queens, place, graph, or a file".to_owned(),
            ));
        }
    };
    let goal = if weighed.max { Goal::Maximum } else { Goal::Minimum };
    let weighing = file::weighing(&content, given.as_ref(), path, goal)?;
    let Content { diagram, metadata } = content;
    let table = saved::table(title, &diagram, &metadata, asked.values);
    Ok(Configured { diagram, table, weighing })
}

/// The solutions of a family of a graph, as a file of them has them, and their title.
fn family(asked: &Family, called: &str) -> Result<(String, Content), Failure> {
    let problem = graph::problem(asked)?;
    graph::warn(&problem);
    let identity = problem.identity();
    let sweep = Sweep::asked(problem.common(), identity.unit);
    let zdd = diagram(sweep.run(problem.frontier()?, problem.num_vars()?, None)?);
    let zdd = problem.select(&zdd)?.unwrap_or(zdd);
    let metadata = saved::metadata(&problem, &zdd);
    Ok((problem.title(called), Content { diagram: zdd.into(), metadata }))
}

/// The solutions of a problem on a board, and the board.
fn on_board(title: String, problem: &dyn Problem) -> Result<(Zdd, CellTable), Failure> {
    let (common, identity) = (dialogue(), problem.identity());
    let sweep = Sweep::asked(&common, identity.unit);
    let outcome = sweep.run(problem.frontier()?, problem.num_vars()?, None)?;
    let placement = saved::placement(problem).expect("pieces stand on squares");
    Ok((diagram(outcome), CellTable::on_board(title, placement)))
}

/// The queens, by row where that is possible, and their board.
fn queens_board(placed: &QueensPlaced) -> Result<(Zdd, CellTable), Failure> {
    let by_row = placed.problem(QueensEncoding::Row);
    let encoding = if by_row.is_in_rows() { QueensEncoding::Row } else { QueensEncoding::Cell };
    on_board(by_row.words(), &*queens::saved(&QueensProblem { encoding, ..by_row })?)
}

/// The options of a diagram for the dialogue.
fn dialogue() -> Common {
    Common { is_dialogue: true, ..Common::default() }
}

fn diagram(outcome: Outcome) -> Zdd {
    outcome.zdd.expect("the sweep was asked for a diagram")
}

/// A dialogue without decisions. Models of it begin here.
struct Start<R: DiagramRule> {
    configurator: Configurator<R>,
    table: Arc<CellTable>,
    weighing: Option<Arc<Weighing>>,
    seed: Option<u64>,
}

impl<R: DiagramRule> Start<R> {
    fn new(
        diagram: &Diagram<R>,
        table: CellTable,
        weighing: Option<Weighing>,
        how: &How,
    ) -> Result<Self, Failure> {
        let configurator = diagram.configure().map_err(|error| match error {
            QueryError::NoSolutions => {
                Failure::Missing(format!("{}: there are no solutions to decide on", table.title()))
            }
            error => Failure::Failed(error.to_string()),
        })?;
        interrupt::note("while deciding".to_owned());
        let (table, weighing) = (Arc::new(table), weighing.map(Arc::new));
        Ok(Start { configurator, table, weighing, seed: how.seed })
    }

    fn model(&self) -> Dialogue<R> {
        let seed = self.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
        Dialogue::new(self.configurator.clone(), Arc::clone(&self.table), seed)
            .with_weights(self.weighing.clone())
    }
}

/// Runs the dialogue in lines of text, and writes its result. A terminal gets the replies on standard error, as the
/// result goes to standard output.
fn in_terminal<R: DiagramRule>(start: &Start<R>, how: &How) -> Result<(), Failure> {
    let mut model = start.model();
    let mut out = BufWriter::new(io::stdout());
    let stdin = io::stdin();
    let is_prompted = !how.script && stdin.is_terminal() && io::stderr().is_terminal();
    // After an invalid line, the decisions before it are still printed.
    let wrong = if is_prompted {
        script::run(&mut model, stdin.lock(), &mut io::stderr(), ReplyForm::Terminal)
            .map_err(|error| Failure::Failed(format!("cannot write to the terminal: {error}")))?
    } else {
        let form = if how.json { ReplyForm::Json } else { ReplyForm::Lines };
        script::run(&mut model, stdin.lock(), &mut out, form)
            .map_err(|error| Failure::of_stdout(&error))?
    };
    interrupt::check()?;
    script::write_end(&model, how.json, &mut out)
        .and_then(|()| out.flush())
        .map_err(|error| Failure::of_stdout(&error))?;
    wrong.map_or(Ok(()), Err)
}
