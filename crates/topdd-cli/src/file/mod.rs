//! The commands on the diagram in a file.
//!
//! `args` says what can be asked; `tell` answers about the diagram, `solutions` lists some of
//! its solutions, with weights that `weights` reads; `convert` writes it in another of the
//! `formats`.

pub(crate) mod args;
mod convert;
mod formats;
mod solutions;
mod tell;
mod weights;

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use topdd::{AnyDiagram, FileError, QueryError};

use crate::failure::Failure;
use args::{FileCommand, Input};

/// Answers with $answer about the diagram, of either rule.
macro_rules! either {
    ($any:expr, $diagram:ident => $answer:expr) => {
        match $any {
            topdd::AnyDiagram::Zdd($diagram) => $answer,
            topdd::AnyDiagram::Bdd($diagram) => $answer,
        }
    };
}
use either;

/// Does what is asked of a file.
pub(crate) fn run(command: &FileCommand) -> Result<(), Failure> {
    match command {
        FileCommand::Info(asked) => tell::info(asked),
        FileCommand::Count(asked) => tell::count(asked),
        FileCommand::List(asked) => solutions::list(asked),
        FileCommand::Sample(asked) => solutions::sample(asked),
        FileCommand::Best(asked) => solutions::best(asked),
        FileCommand::Convert(asked) => convert::convert(asked),
    }
}

/// The diagram in a file.
fn open(input: &Input) -> Result<AnyDiagram, Failure> {
    formats::read(input)
}

/// The diagram in a file whose ending says in which format it is.
pub(crate) fn open_file(path: &Path) -> Result<AnyDiagram, Failure> {
    open(&Input { file: path.to_owned(), ..Input::default() })
}

/// A file in a message.
fn name(path: &Path) -> Cow<'_, str> {
    if path.as_os_str() == "-" { "standard input".into() } else { path.to_string_lossy() }
}

/// What the library advises, in the words of the command line.
const ADVICE: [(&str, &str); 5] = [
    ("files that Diagram::save wrote can be read", "if it is of another kind, say --read-as"),
    ("use Zdd::read_dddmp", "say --rule zdd"),
    ("use Bdd::read_dddmp", "say --rule bdd"),
    ("raise ReadOptions::num_vars", "raise --variables"),
    ("ReadOptions::root", "--root"),
];

/// Writes to standard output, through a buffer.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(|error| Failure::of_stdout(&error))
}

/// What became of a question about the diagram in a file, in the words of the command line.
fn failed(path: &Path, error: &(dyn std::error::Error + 'static)) -> Failure {
    if let Some(error) = error.downcast_ref::<FileError>() {
        return unread(path, error);
    }
    let file = name(path);
    match error.downcast_ref::<QueryError>() {
        Some(QueryError::NoSolutions) => {
            Failure::Failed(format!("the diagram in {file} has no solutions"))
        }
        Some(QueryError::RankOutOfRange { rank, count }) => Failure::Usage(format!(
            "there is no solution of rank {rank} in {file}: it has {count}, whose ranks start \
             from 0"
        )),
        Some(QueryError::TooFewSolutions { wanted, count }) => Failure::Usage(format!(
            "{file} has not {wanted} different solutions, but {count} (without --distinct, \
             solutions may be drawn more than once)"
        )),
        _ => Failure::Failed(format!("{file}: {error}")),
    }
}

/// A file that cannot be read or written, in the words of the command line.
fn unread(path: &Path, error: &FileError) -> Failure {
    let file = name(path);
    match error {
        FileError::Malformed { format, at, message, .. } => {
            let message = ADVICE.iter().fold(message.clone(), |m, (from, to)| m.replace(from, to));
            Failure::Failed(format!("{file} cannot be read as a {format}: {at}: {message}"))
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
             knows variables of two values only\nhint: say how to tell them by such, with \
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
