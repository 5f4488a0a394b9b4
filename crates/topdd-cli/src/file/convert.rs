//! `topdd convert`.

use std::io;

use serde_json::json;
use topdd::{AnyDiagram, Code, Encoding, QueryError};

use super::args::{AsCode, Convert};
use super::formats::{Unwritten, ending, format, formats_help, names};
use super::{either, failed, open, print};
use crate::failure::Failure;
use crate::target::Target;

/// What the help says after the flags.
pub(super) const HELP: &str = concat!(
    formats_help!(),
    "

Examples:
  topdd convert q10.tdd q10.json
  topdd convert q10.tdd q10.csv
  topdd convert q10.tdd q10.dot
  topdd convert q10.tdd q10.svg --max-nodes 3000
  topdd convert q10.tdd q10.graphillion --encode one-hot
  topdd convert q10.tdd - --to json           to standard output

JSON: file, format, nodes, and with --encode variables (what each of them means)."
);

/// `topdd convert`.
pub(crate) fn convert(asked: &Convert) -> Result<(), Failure> {
    let name = asked.to.as_deref().unwrap_or_else(|| ending(&asked.out));
    let found = format(name).and_then(|format| Some((format, format.write?)));
    let Some((format, write)) = found else {
        let written = names(|format| format.write.is_some());
        return Err(Failure::Usage(match &asked.to {
            Some(name) => format!("--to {name}: the formats are {written}"),
            None => format!(
                "the ending of {} says no format that can be written: {written} (or say it with \
                 --to)",
                asked.out.display(),
            ),
        }));
    };
    let target = Target::at(&asked.out)?;
    if asked.input.json && target.is_stdout() {
        let message = "--json and the diagram would both be written to standard output";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut diagram = open(&asked.input)?;
    let mut encoding = None;
    if let Some(code) = asked.encode {
        let encoded = encode(&diagram, code).map_err(|error| failed(&asked.input.file, &error))?;
        diagram = encoded.0;
        encoding = Some(encoded.1);
    }
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
        let mut told = json!({
            "file": asked.out.display().to_string(),
            "format": format.name(),
            "nodes": diagram.node_count(),
        });
        if let Some(encoding) = encoding {
            let meanings = (0..encoding.num_vars()).map(|bit| encoding.meaning(bit).to_string());
            told["variables"] = meanings.collect();
        }
        return print(|out| writeln!(out, "{told}"));
    }
    Ok(())
}

/// Tells the values of variables by variables of two values.
fn encode(diagram: &AnyDiagram, code: AsCode) -> Result<(AnyDiagram, Encoding), QueryError> {
    let code = match code {
        AsCode::OneHot => Code::OneHot,
        AsCode::Order => Code::Order,
        AsCode::Binary => Code::Binary,
    };
    either!(diagram, diagram => {
        let encoding = Encoding::of(code, diagram);
        Ok((diagram.encode(&encoding)?.into(), encoding))
    })
}
