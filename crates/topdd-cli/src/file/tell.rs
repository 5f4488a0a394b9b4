//! Answers about a diagram as a whole.

use std::fs;

use serde_json::json;
use topdd::Rule;

use super::{either, name, open, print};
use crate::args::{Count, Info};
use crate::bytes::Bytes;
use crate::failure::Failure;

/// `topdd count`.
pub(crate) fn count(asked: &Count) -> Result<(), Failure> {
    let count = open(&asked.input)?.count().to_string();
    let told = if asked.input.json { json!({ "count": count }).to_string() } else { count };
    print(|out| writeln!(out, "{told}"))
}

/// `topdd info`.
pub(crate) fn info(asked: &Info) -> Result<(), Failure> {
    let path = &asked.input.file;
    let diagram = open(&asked.input)?;
    // Not known of what comes through a pipe.
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
    let count = diagram.count().to_string();
    let (num_vars, nodes) = (diagram.num_vars(), diagram.node_count());
    let arity = |variable| either!(&diagram, diagram => diagram.arity(variable));
    let (least, most) = (0..num_vars)
        .map(arity)
        .fold((usize::MAX, 0), |(least, most), arity| (least.min(arity), most.max(arity)));
    let widest = either!(&diagram, diagram => diagram.widest());
    let rule = match diagram.rule() {
        Rule::AnyValue => "any-value",
        Rule::ZeroSuppressed => "zero-suppressed",
    };
    if asked.input.json {
        let arities = (num_vars > 0).then(|| json!({ "least": least, "most": most }));
        let widest = widest.map(|(v, nodes)| json!({ "variable": v, "nodes": nodes }));
        let facts = json!({
            "file": path.display().to_string(),
            "bytes": bytes,
            "rule": rule,
            "variables": num_vars,
            "arities": arities,
            "count": count,
            "nodes": nodes,
            "widest": widest,
        });
        return print(|out| writeln!(out, "{facts}"));
    }
    print(|out| {
        write!(out, "file       {}", name(path))?;
        match bytes {
            Some(bytes) => writeln!(out, " ({})", Bytes(bytes as usize))?,
            None => writeln!(out)?,
        }
        let meaning = match diagram.rule() {
            Rule::AnyValue => "BDD: skipped variables may have any value",
            Rule::ZeroSuppressed => "ZDD: skipped variables are 0",
        };
        writeln!(out, "rule       {meaning}")?;
        write!(out, "variables  {num_vars}")?;
        match (least, most) {
            _ if num_vars == 0 => writeln!(out)?,
            (least, most) if least == most => writeln!(out, ", of {most} values each")?,
            (least, most) => writeln!(out, ", of {least} to {most} values")?,
        }
        writeln!(out, "solutions  {count}")?;
        write!(out, "nodes      {nodes}")?;
        match widest {
            Some((v, nodes)) => writeln!(out, ", the most at variable {v}: {nodes}"),
            None => writeln!(out),
        }
    })
}
