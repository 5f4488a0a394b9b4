//! The commands on the diagram in a file.
//!
//! | module | contents |
//! | --- | --- |
//! | `describe` | `info` and `count`: the diagram as a whole |
//! | `solutions` | `list`, `sample` and `best`: some of the solutions, and their form |
//! | `selection` | the solutions that options select |
//! | `weights` | the weights of values, of a file or of the graph |
//! | `combine` | `combine`: the solutions of two diagrams, whose variables are matched |
//! | `convert` | `convert`: the diagram in another format |
//! | `formats` | the formats, and how files are read |

mod combine;
mod convert;
mod describe;
mod formats;
mod selection;
mod solutions;
mod weight_lines;
mod weights;

use std::io;
use std::path::Path;

use num_bigint::BigUint;
use topdd::format::Metadata;
use topdd::{AnyDiagram, FileError, FileRemedy, QueryError, Rule};

use crate::args::{FileCommand, FileSelection, Input};
use crate::failure::Failure;
use crate::outcome;
use crate::output::print;
use crate::problem::files::name;
pub(crate) use selection::decisions;
pub(crate) use weights::{WeightFile, weighing};

/// Evaluates an expression for the diagram, of either rule.
macro_rules! either {
    ($any:expr, $diagram:ident => $value:expr) => {
        match $any {
            topdd::AnyDiagram::Zdd($diagram) => $value,
            topdd::AnyDiagram::Bdd($diagram) => $value,
        }
    };
}
pub(crate) use either;

/// Runs a command on a file.
pub(crate) fn run(command: &FileCommand) -> Result<(), Failure> {
    outcome::start_pool(0);
    match command {
        FileCommand::Info(asked) => describe::info(asked),
        FileCommand::Count(asked) => describe::count(asked),
        FileCommand::List(asked) => solutions::list(asked),
        FileCommand::Sample(asked) => solutions::sample(asked),
        FileCommand::Best(asked) => solutions::best(asked),
        FileCommand::Combine(asked) => combine::combine(asked),
        FileCommand::Convert(asked) => convert::convert(asked),
    }
}

/// The content of a file.
pub(crate) struct Content {
    pub(crate) diagram: AnyDiagram,
    /// Empty in formats of other packages.
    pub(crate) metadata: Metadata,
}

/// A diagram of a file that may have several.
struct Named {
    /// Its name in the file, or its number. Not used for the only diagram of a file.
    name: String,
    content: Content,
}

impl<D: Into<AnyDiagram>> From<D> for Content {
    fn from(diagram: D) -> Self {
        Content { diagram: diagram.into(), metadata: Metadata::new() }
    }
}

/// Refuses to save a diagram under the ending of another format than topdd's own.
pub(crate) fn refuse_other_format(save: &Path) -> Result<(), Failure> {
    let ending = formats::ending(save);
    match formats::format(ending).filter(|format| format.name() != "tdd") {
        None => Ok(()),
        Some(_) => Err(Failure::Usage(format!(
            "--save writes the format of topdd, not .{ending}; save NAME.tdd, and write others with \
             `topdd convert NAME.tdd {}`",
            save.display()
        ))),
    }
}

/// The content of a file, in the format of its ending.
pub(crate) fn open_file(path: &Path) -> Result<Content, Failure> {
    formats::read(&Input { file: path.to_owned(), ..Input::default() })
}

/// The failure of a command on a file, in the words of the command line.
fn failed(path: &Path, error: &(dyn std::error::Error + 'static)) -> Failure {
    failed_among(path, error, &FileSelection::default())
}

/// The failure of a command on the selected solutions in a file.
fn failed_among(
    path: &Path,
    error: &(dyn std::error::Error + 'static),
    selection: &FileSelection,
) -> Failure {
    if let Some(error) = error.downcast_ref::<FileError>() {
        return unread(path, error);
    }
    let file = name(path);
    let is_selection = !selection.is_everything();
    let there_are = |count: &BigUint| match (is_selection, *count == BigUint::ONE) {
        (false, _) => format!("it has {count}"),
        (true, false) => format!("{count} are selected"),
        (true, true) => "1 is selected".to_owned(),
    };
    match error.downcast_ref::<QueryError>() {
        Some(QueryError::NoSolutions) if is_selection => {
            Failure::Missing(format!("no solution in {file} is selected"))
        }
        Some(QueryError::NoSolutions) => {
            Failure::Missing(format!("the diagram in {file} has no solutions"))
        }
        Some(QueryError::RankOutOfRange { rank, count }) => Failure::Missing(format!(
            "there is no solution of rank {rank} in {file}: {}; ranks start from 0",
            there_are(count)
        )),
        Some(QueryError::TooFewSolutions { wanted, count }) => Failure::Missing(format!(
            "there are no {wanted} different solutions in {file}: {}\nhint: without --distinct, a solution may be \
             drawn more than once",
            there_are(count)
        )),
        _ => Failure::Failed(format!("{file}: {error}")),
    }
}

/// The failure to read or write a file, in the words of the command line.
fn unread(path: &Path, error: &FileError) -> Failure {
    let file = name(path);
    match error {
        FileError::Malformed { format, at, message, remedy, .. } => {
            let advice = match remedy {
                Some(FileRemedy::OtherFormat) => {
                    " (for another format, add --read-as; for a graph, use `topdd graph`)"
                }
                Some(FileRemedy::Rule(Rule::ZeroSuppressed)) => " (add --rule zdd)",
                Some(FileRemedy::Rule(Rule::AnyValue)) => " (add --rule bdd)",
                Some(FileRemedy::MoreVariables) => " (raise --variables)",
                Some(FileRemedy::Root) => " (--root)",
                _ => "",
            };
            Failure::Failed(format!("{file} cannot be read as a {format}: {at}: {message}{advice}"))
        }
        FileError::Io(io) => {
            let hint = match io.kind() {
                _ if io.path().is_none() => "",
                io::ErrorKind::NotFound => {
                    "\nhint: --save makes such files, as in: topdd queens 8 --save q8.tdd"
                }
                _ => "",
            };
            Failure::Failed(format!("cannot read {file}: {}{hint}", io.io_error()))
        }
        FileError::NotTwoValued { format, variable, arity } => Failure::Failed(format!(
            "variable {variable} of the diagram in {file} has {arity} values, but a {format} \
             has variables of two values only\nhint: encode the variables by two-valued ones, with \
             --encode one-hot, order or binary"
        )),
        FileError::TooLargeToDraw { nodes, edges, limit } => Failure::Failed(format!(
            "the diagram in {file} is too large to draw: {nodes} nodes and at least {edges} \
             edges, with --max-nodes {limit} and twice as many edges\nhint: allow more with --max-nodes, or \
             write .dot for Graphviz or .csv for the widths of its levels"
        )),
        error => Failure::Failed(format!("{file}: {error}")),
    }
}
