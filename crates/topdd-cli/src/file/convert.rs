//! `topdd convert`, and the table of formats.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use serde_json::json;
use topdd::format::SvgOptions;
use topdd::{AnyDiagram, Error};

use super::args::Convert;
use super::{either, failed, open, print};
use crate::failure::Failure;
use crate::target::Target;

/// What the help says after the flags.
pub(super) const HELP: &str = "Formats, by the ending of the file:
  .tdd   topdd's own, read and written
  .json  for other programs, read and written
  .dot   Graphviz (also .gv), written
  .svg   a picture of a small diagram, written
  .csv   the number of nodes at each variable, written

Examples:
  topdd convert q10.tdd q10.json
  topdd convert q10.tdd q10.csv
  topdd convert q10.tdd q10.dot
  topdd convert q10.tdd q10.svg --max-nodes 3000";

/// Reads a file.
type Reader = fn(&Path) -> Result<AnyDiagram, Error>;
/// Writes a diagram, as it was asked to.
type Writer = fn(&AnyDiagram, &Convert, &mut dyn Write) -> Result<(), Unwritten>;

/// A format that diagrams are read from or written to.
struct Format {
    /// The endings of its files, of which the first is its name.
    endings: &'static [&'static str],
    read: Option<Reader>,
    write: Option<Writer>,
}

/// Why a diagram was not written.
enum Unwritten {
    /// The file cannot be.
    File(io::Error),
    /// The diagram cannot be, in this format.
    Diagram(Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Unwritten::File(error)
    }
}

impl From<Error> for Unwritten {
    fn from(error: Error) -> Self {
        Unwritten::Diagram(error)
    }
}

/// All formats; the first is that of files with other endings.
const FORMATS: &[Format] = &[
    Format {
        endings: &["tdd"],
        read: Some(|path| AnyDiagram::load(path)),
        write: Some(|diagram, _, out| Ok(diagram.write_to(out)?)),
    },
    Format {
        endings: &["json"],
        read: Some(|path| {
            let opened = File::open(path).map_err(|error| Error::Io {
                what: "open".to_owned(),
                path: path.to_owned(),
                kind: error.kind(),
                message: error.to_string(),
            });
            AnyDiagram::read_json(opened?)
        }),
        write: Some(|diagram, _, out| Ok(either!(diagram, diagram => diagram.write_json(out))?)),
    },
    Format {
        endings: &["dot", "gv"],
        read: None,
        write: Some(|diagram, _, out| Ok(either!(diagram, diagram => diagram.write_dot(out))?)),
    },
    Format {
        endings: &["svg"],
        read: None,
        write: Some(|diagram, asked, out| {
            let options = SvgOptions::new().limit(asked.max_nodes);
            let picture = either!(diagram, diagram => diagram.to_svg(&options))?;
            Ok(out.write_all(picture.as_bytes())?)
        }),
    },
    Format {
        endings: &["csv"],
        read: None,
        write: Some(|diagram, _, out| {
            Ok(either!(diagram, diagram => diagram.write_widths_csv(out))?)
        }),
    },
];

/// The format of this name, or of files with this ending.
fn format(name: &str) -> Option<&'static Format> {
    FORMATS
        .iter()
        .find(|format| format.endings.iter().any(|ending| ending.eq_ignore_ascii_case(name)))
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// Reads a file in the format that its ending says, or else in topdd's own.
pub(super) fn read(path: &Path) -> Result<AnyDiagram, Error> {
    let read = format(ending(path)).and_then(|format| format.read);
    // What starts as it should is read, whatever its ending; else the error is its first byte.
    read.unwrap_or(|path| AnyDiagram::load(path))(path)
}

/// The names of the formats that can be written.
fn written() -> String {
    let names: Vec<_> =
        FORMATS.iter().filter(|f| f.write.is_some()).map(|format| format.endings[0]).collect();
    names.join(", ")
}

/// `topdd convert`.
pub(crate) fn convert(asked: &Convert) -> Result<(), Failure> {
    let name = asked.to.as_deref().unwrap_or_else(|| ending(&asked.out));
    let found = format(name).and_then(|format| Some((format, format.write?)));
    let Some((format, write)) = found else {
        return Err(Failure::Usage(match &asked.to {
            Some(name) => format!("--to {name}: the formats are {}", written()),
            None => format!(
                "the ending of {} says no format that can be written: {} (or say it with --to)",
                asked.out.display(),
                written()
            ),
        }));
    };
    let diagram = open(&asked.input.file)?;
    let target = Target::at(&asked.out)?;
    let mut unfit = None;
    let done = target.write(|out| match write(&diagram, asked, out) {
        Ok(()) => Ok(()),
        Err(Unwritten::File(error)) => Err(error),
        Err(Unwritten::Diagram(error)) => {
            unfit = Some(error);
            // Whatever it says: the file stays as it is.
            Err(io::Error::other("the diagram does not fit the format"))
        }
    });
    if let Some(error) = unfit {
        return Err(failed(&asked.input.file, &error));
    }
    done?;
    if asked.input.json {
        let told = json!({
            "file": asked.out.display().to_string(),
            "format": format.endings[0],
            "nodes": diagram.node_count(),
        });
        return print(|out| writeln!(out, "{told}"));
    }
    Ok(())
}
