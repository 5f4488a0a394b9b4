//! `topdd convert`.

use std::io;

use serde_json::json;
use topdd::format::Metadata;
use topdd::{AnyDiagram, Code, Encoding, FileError, QueryError};

use super::formats::{ending, format, names, read};
use super::{Content, either, failed, name as file_name, print};
use crate::args::Convert;
use crate::failure::Failure;
use crate::progress::say;
use crate::target::Target;

/// `topdd convert`.
pub(crate) fn convert(asked: &Convert) -> Result<(), Failure> {
    let name = asked.to.as_deref().unwrap_or_else(|| ending(&asked.out));
    let format = format(name).ok_or_else(|| not_written(asked))?;
    let target = Target::at(&asked.out)?;
    if asked.input.json && target.is_stdout() {
        let message = "--json and the diagram would both be written to standard output";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut content = read(&asked.input)?;
    let mut encoding = None;
    if let Some(code) = asked.encode {
        let encoded = encode(&content.diagram, code);
        let (diagram, by) = encoded.map_err(|error| failed(&asked.input.file, &error))?;
        // The names and the record are of other variables.
        let problem = content.metadata.problem().map(|problem| (Metadata::PROBLEM, problem));
        content = Content { diagram, metadata: problem.into_iter().collect() };
        encoding = Some(by);
    }
    let mut unfit = None;
    let done = target.write(|out| {
        (format.write)(&content, asked, out).map_err(|error| match error {
            FileError::Io(io) => io::Error::new(io.kind(), io.io_error().to_string()),
            error => {
                unfit = Some(error);
                // Any error keeps the file as it is.
                io::Error::other("the diagram does not fit the format")
            }
        })
    });
    if let Some(error) = unfit {
        return Err(failed(&asked.input.file, &error));
    }
    done?;
    if format.is_without_names() && content.metadata.variable_names().is_some() {
        say(format_args!(
            "note: a file of the format {} has no names of variables; metadata.variables of `topdd info --json` \
             has the names of {}, in the same order",
            format.name(),
            file_name(&asked.input.file),
        ));
    }
    if asked.input.json {
        let mut answer = json!({
            "file": asked.out.display().to_string(),
            "format": format.name(),
            "nodes": content.diagram.node_count(),
        });
        if let Some(encoding) = encoding {
            let meanings = (0..encoding.num_vars()).map(|bit| encoding.meaning(bit).to_string());
            answer["variables"] = meanings.collect();
        }
        return print(|out| writeln!(out, "{answer}"));
    }
    Ok(())
}

/// The failure for a format that is not written.
fn not_written(asked: &Convert) -> Failure {
    let written = names(|_| true);
    Failure::Usage(match &asked.to {
        Some(name) => format!("--to {name}: the formats are {written}"),
        None => format!(
            "the ending of {} names no format that can be written: {written} (or add --to)",
            asked.out.display(),
        ),
    })
}

/// Encodes the variables by variables of two values.
fn encode(diagram: &AnyDiagram, code: Code) -> Result<(AnyDiagram, Encoding), QueryError> {
    either!(diagram, diagram => {
        let encoding = Encoding::new(code, diagram);
        Ok((diagram.encode(&encoding)?.into(), encoding))
    })
}
