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
use topdd::{AnyDiagram, Configurator, Diagram, Goal, QueryError};
use topdd_problem::dialogue::Dialogue;
use topdd_problem::{CellTable, QueensEncoding, QueensProblem, Weighing};

use crate::args::{Common, Configure, Decided, How, SEEDS};
use crate::failure::Failure;
use crate::file::{self, Content, WeightFile, either};
use crate::memory::{self, Remedies};
use crate::problem::{Problem, graph, place, queens};
use crate::{interrupt, saved, sweep};
use script::ReplyForm;

/// Runs the dialogue of a command line.
pub(crate) fn run(asked: &Configure) -> Result<(), Failure> {
    memory::set_remedies(Remedies::Configure);
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
fn page(asked: &Configure, how: &How) -> Result<Box<dyn web::Dialogue>, Failure> {
    // A page has no names of folders of this machine.
    let last = |file: &Path| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into();
    let Configured { diagram, table, weighing } = subject(asked, last)?;
    Ok(either!(&diagram, diagram => Box::new(Start::new(diagram, table, weighing, how)?)))
}

/// What is decided on.
struct Configured {
    diagram: AnyDiagram,
    table: CellTable,
    weighing: Option<Weighing>,
}

/// The diagram and its table. `called` returns the name of a file in its title.
fn subject(asked: &Configure, called: impl Fn(&Path) -> String) -> Result<Configured, Failure> {
    let weighed = match &asked.problem {
        Some(Decided::Graph(family)) => &family.weighed,
        _ => &asked.weighed,
    };
    // Before the build, which may be long: a missing file fails at once.
    let given = weighed.weights.as_deref().map(WeightFile::read).transpose()?;
    let (title, content) = match (&asked.problem, &asked.file) {
        (Some(Decided::Queens(asked)), _) => {
            let by_row = asked.placed.problem(QueensEncoding::Row)?;
            let encoding =
                if by_row.is_in_rows() { QueensEncoding::Row } else { QueensEncoding::Cell };
            let title = by_row.words();
            (
                title,
                solved(
                    &*queens::saved(&QueensProblem { encoding, ..by_row })?,
                    &Common::default(),
                )?,
            )
        }
        (Some(Decided::Place(asked)), _) => {
            let pieces = place::pieces(&asked.placed, &Common::default())?;
            (pieces.words(), solved(&*place::saved(&pieces)?, &Common::default())?)
        }
        (Some(Decided::Graph(asked)), _) => {
            let problem = graph::problem(&asked.family)?;
            graph::warn(&problem);
            let content = solved(&problem, problem.common())?;
            (problem.title(&called(&asked.family.input.file)), content)
        }
        (None, Some(path)) => {
            let content = file::open_file(path)?;
            let moves = if asked.values { None } else { content.by_move()? };
            (called(path), moves.unwrap_or(content))
        }
        (None, None) => {
            return Err(Failure::Usage(
                "name what to configure: queens, place, graph, or a file".to_owned(),
            ));
        }
    };
    let path = match &asked.problem {
        Some(Decided::Graph(asked)) => Some(&asked.family.input.file),
        _ => asked.file.as_ref(),
    };
    let goal = if weighed.max { Goal::Maximum } else { Goal::Minimum };
    let weighing = path.map(|path| file::weighing(&content, given.as_ref(), path, goal));
    let weighing = weighing.transpose()?.flatten();
    let table = content.table(title, asked.values);
    Ok(Configured { diagram: content.diagram, table, weighing })
}

/// The solutions of a problem, as a file of them has them.
fn solved(problem: &dyn Problem, common: &Common) -> Result<Content, Failure> {
    let outcome = sweep::run(problem, common, None)?;
    let zdd = outcome.zdd.expect("the sweep was asked for a diagram");
    let zdd = problem.select(&zdd)?.unwrap_or(zdd);
    let metadata = saved::metadata(problem, &zdd);
    Ok(Content { diagram: zdd.into(), metadata })
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
