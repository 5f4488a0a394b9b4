//! The formats of files: which there are, and how diagrams are read and written in them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use topdd::format::SvgOptions;
use topdd::format::interchange::ReadOptions;
use topdd::{AnyDiagram, Bdd, FileError as Error, IoError, Zdd};

use super::{Content, either, failed};
use crate::args::{AsRule, Convert, Input};
use crate::bytes::Bytes;
use crate::failure::Failure;
use crate::memory;

/// Reads a diagram under the options of the command line.
type Reader = fn(&Input) -> Result<Content, Failure>;
/// Writes a diagram under the options of the command line.
type Writer = fn(&Content, &Convert, &mut dyn Write) -> Result<(), Unwritten>;

/// A format that diagrams are read from or written to.
pub(super) struct Format {
    /// The endings of its files, of which the first is its name.
    endings: &'static [&'static str],
    read: Option<Reader>,
    pub(super) write: Option<Writer>,
}

/// The reason why a diagram was not written.
pub(super) enum Unwritten {
    /// The file cannot be written.
    File(io::Error),
    /// The diagram cannot be written in this format.
    Diagram(Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Unwritten::File(error)
    }
}

impl From<topdd::BuildError> for Unwritten {
    fn from(error: topdd::BuildError) -> Self {
        Unwritten::Diagram(error.into())
    }
}

impl From<Error> for Unwritten {
    fn from(error: Error) -> Self {
        match error {
            Error::Io(io) => Unwritten::File(io::Error::new(io.kind(), io.io_error().to_string())),
            error => Unwritten::Diagram(error),
        }
    }
}

/// All formats; the first is that of files with other endings.
const FORMATS: &[Format] = &[
    Format {
        endings: &["tdd"],
        read: Some(|input| {
            let read = if input.is_stdin() {
                AnyDiagram::read_with_metadata(io::stdin().lock())
            } else {
                refuse_large(&input.file)?;
                AnyDiagram::load_with_metadata(&input.file)
            };
            let (diagram, metadata) = read.map_err(|error| failed(&input.file, &error))?;
            Ok(Content { diagram, metadata })
        }),
        write: Some(|content, _, out| Ok(content.diagram.write_with(out, &content.metadata)?)),
    },
    Format {
        endings: &["json"],
        read: Some(|input| {
            let text = opened(input)?;
            let read = AnyDiagram::read_json(text);
            read.map(Content::from).map_err(|error| failed(&input.file, &error))
        }),
        write: Some(|content, _, out| {
            Ok(either!(&content.diagram, diagram => diagram.write_json(out))?)
        }),
    },
    Format {
        endings: &["dot", "gv"],
        read: None,
        write: Some(|content, _, out| {
            Ok(either!(&content.diagram, diagram => diagram.write_dot(out))?)
        }),
    },
    Format {
        endings: &["svg"],
        read: None,
        write: Some(|content, asked, out| {
            let options = SvgOptions::new().limit(asked.max_nodes);
            let picture = either!(&content.diagram, diagram => diagram.to_svg(&options))?;
            Ok(out.write_all(picture.as_bytes())?)
        }),
    },
    Format {
        endings: &["csv"],
        read: None,
        write: Some(|content, _, out| {
            Ok(either!(&content.diagram, diagram => diagram.write_widths_csv(out))?)
        }),
    },
    Format {
        endings: &["sapporo"],
        read: Some(|input| {
            let Some(rule) = input.rule else {
                return Err(Failure::Usage(
                    "a Sapporo text does not state the rule of skipped variables: add --rule zdd \
                     (they are 0) or --rule bdd (they may have any value)"
                        .to_owned(),
                ));
            };
            of_text(input, |text, options| {
                Ok(match rule {
                    AsRule::Zdd => Zdd::read_sapporo(text, options)?.into(),
                    AsRule::Bdd => Bdd::read_sapporo(text, options)?.into(),
                })
            })
        }),
        write: Some(|content, _, out| {
            Ok(either!(&content.diagram, diagram => diagram.write_sapporo(out))?)
        }),
    },
    Format {
        endings: &["graphillion"],
        read: Some(|input| {
            holds(input, AsRule::Zdd)?;
            of_text(input, |text, options| Ok(Zdd::read_graphillion(text, options)?.into()))
        }),
        write: Some(|content, _, out| match &content.diagram {
            AnyDiagram::Zdd(zdd) => Ok(zdd.write_graphillion(out)?),
            AnyDiagram::Bdd(bdd) => Ok(bdd.to_zdd()?.write_graphillion(out)?),
        }),
    },
    Format {
        endings: &["dddmp"],
        read: Some(|input| {
            of_text(input, |text, options| {
                Ok(match input.rule.unwrap_or(AsRule::Bdd) {
                    AsRule::Zdd => Zdd::read_dddmp(text, options)?.into(),
                    AsRule::Bdd => Bdd::read_dddmp(text, options)?.into(),
                })
            })
        }),
        write: Some(|content, _, out| {
            Ok(either!(&content.diagram, diagram => diagram.write_dddmp(out))?)
        }),
    },
    Format {
        endings: &["libbdd"],
        read: Some(|input| {
            holds(input, AsRule::Bdd)?;
            of_text(input, |text, options| Ok(Bdd::read_lib_bdd(text, options)?.into()))
        }),
        write: Some(|content, _, out| match &content.diagram {
            AnyDiagram::Zdd(zdd) => Ok(zdd.to_bdd()?.write_lib_bdd(out)?),
            AnyDiagram::Bdd(bdd) => Ok(bdd.write_lib_bdd(out)?),
        }),
    },
];

/// Refuses a file of topdd's own format that does not fit into memory: its diagram takes as many bytes.
fn refuse_large(path: &Path) -> Result<(), Failure> {
    let (limit, bytes) = (memory::limit(), fs::metadata(path).map_or(0, |file| file.len()));
    if bytes <= limit.bytes as u64 {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{}: the file has {}\nhint: allow more with --memory, on a machine that has it",
        limit.exceeded(limit.bytes),
        Bytes(usize::try_from(bytes).unwrap_or(usize::MAX)),
    )))
}

type Text = Box<dyn BufRead>;

/// Opens the input as a text.
fn opened(input: &Input) -> Result<Text, Failure> {
    if input.is_stdin() {
        return Ok(Box::new(io::stdin().lock()));
    }
    let io = |error: io::Error| {
        failed(&input.file, &Error::Io(IoError::new("open", Some(input.file.clone()), error)))
    };
    Ok(Box::new(BufReader::new(File::open(&input.file).map_err(io)?)))
}

/// Reads a text of another package.
fn of_text(
    input: &Input,
    read: impl FnOnce(Text, &ReadOptions) -> Result<AnyDiagram, Error>,
) -> Result<Content, Failure> {
    let mut options = ReadOptions::new();
    if let Some(number) = input.variables {
        options = options.num_vars(number);
    }
    if let Some(root) = input.root {
        options = options.root(root);
    }
    let read = read(opened(input)?, &options);
    read.map(Content::from).map_err(|error| failed(&input.file, &error))
}

/// Refuses to read by another rule than that of all files of a format.
fn holds(input: &Input, rule: AsRule) -> Result<(), Failure> {
    match input.rule {
        Some(other) if other != rule => {
            let (this, that) = match rule {
                AsRule::Zdd => ("ZDD", "zdd"),
                AsRule::Bdd => ("BDD", "bdd"),
            };
            Err(Failure::Usage(format!(
                "a file of this format is a {this}: leave --rule out, or write --rule {that}"
            )))
        }
        _ => Ok(()),
    }
}

/// The format of this name, or of files with this ending.
pub(super) fn format(name: &str) -> Option<&'static Format> {
    FORMATS
        .iter()
        .find(|format| format.endings.iter().any(|ending| ending.eq_ignore_ascii_case(name)))
}

impl Format {
    pub(super) fn name(&self) -> &'static str {
        self.endings[0]
    }
}

pub(super) fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// Reads the input in the format of --read-as, or of the ending of the file, or else in topdd's
/// own.
pub(super) fn read(input: &Input) -> Result<Content, Failure> {
    let name = match &input.read_as {
        Some(name) => &name[..],
        None if input.is_stdin() => told_apart(&input.file)?,
        // If this is the wrong format, the error names the first byte.
        None if format(ending(&input.file)).is_none() => "tdd",
        None => ending(&input.file),
    };
    match format(name).map(|format| format.read) {
        Some(Some(read)) => read(input),
        found => {
            let why = if found.is_some() { "is written, but not read" } else { "is no format" };
            Err(Failure::Usage(format!(
                "{name} {why}: those read are {}",
                names(|f| f.read.is_some())
            )))
        }
    }
}

/// The format of standard input, by its first byte.
fn told_apart(path: &Path) -> Result<&'static str, Failure> {
    let mut stdin = io::stdin().lock();
    let first = stdin.fill_buf().map(|bytes| bytes.first().copied());
    match first {
        Ok(None | Some(0x89)) => Ok("tdd"),
        Ok(Some(b'{')) => Ok("json"),
        Ok(Some(_)) => Err(Failure::Usage(format!(
            "state the format of standard input with --read-as: {}",
            names(|format| format.read.is_some())
        ))),
        Err(error) => Err(failed(path, &stream(&error))),
    }
}

fn stream(error: &io::Error) -> Error {
    Error::Io(IoError::new("read", None, io::Error::new(error.kind(), error.to_string())))
}

/// The names of the formats with a property.
pub(super) fn names(such: impl Fn(&Format) -> bool) -> String {
    let names: Vec<_> = FORMATS.iter().filter(|f| such(f)).map(Format::name).collect();
    names.join(", ")
}
