//! Writing.

use super::{ANY_VALUE, FORMAT, VERSION, ZERO_SUPPRESSED};
use crate::diagram::store::{Edge, NodeId, Store};
use crate::diagram::{Diagram, DiagramRule};
use crate::format::Metadata;
use crate::spec::Rule;
use std::io::{self, BufWriter, Write};

impl<R: DiagramRule> Diagram<R> {
    /// Returns the diagram as [JSON](crate::format::json).
    ///
    /// Cost: linear in the nodes, some tens of bytes for each.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2, 3], [[1, 2]])?;
    /// let text = zdd.to_json();
    /// assert!(text.contains(r#"{"id": 2, "edges": [[2, 1]]}"#)); // value 2 leads to the 1-terminal
    /// assert_eq!(Zdd::read_json(text.as_bytes()).unwrap(), zdd);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut text = Vec::new();
        self.write_json(&mut text).expect("writing to memory does not fail");
        String::from_utf8(text).expect("JSON is written as text")
    }

    /// Writes the text of [`to_json`](Diagram::to_json) through a buffer.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_json<W: Write>(&self, out: W) -> io::Result<()> {
        self.write_json_with(out, &Metadata::new())
    }

    /// Writes the text of [`to_json`](Diagram::to_json) with metadata, which
    /// [`AnyDiagram::read_json_with_metadata`](crate::AnyDiagram::read_json_with_metadata) reads; see its example.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_json_with<W: Write>(&self, mut out: W, metadata: &Metadata) -> io::Result<()> {
        write(&self.store, R::RULE, metadata, &mut out)
    }
}

fn write(store: &Store, rule: Rule, metadata: &Metadata, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let rule = match rule {
        Rule::ZeroSuppressed => ZERO_SUPPRESSED,
        Rule::AnyValue => ANY_VALUE,
    };
    writeln!(out, "{{")?;
    writeln!(out, "\"format\": \"{FORMAT}\", \"version\": {VERSION}, \"rule\": \"{rule}\",")?;
    if !metadata.is_empty() {
        write!(out, "\"metadata\": ")?;
        serde_json::to_writer(&mut out, metadata)?;
        writeln!(out, ",")?;
    }
    write!(out, "\"arities\": [")?;
    for variable in 0..store.arities.num_vars() {
        write!(out, "{}{}", comma(variable), store.arities.get(variable))?;
    }
    writeln!(out, "],")?;
    writeln!(out, "\"root\": {},", store.root)?;
    write!(out, "\"levels\": [")?;
    for (place, level) in store.levels().rev().enumerate() {
        let after = if place == 0 { "" } else { "," };
        write!(out, "{after}\n{{\"variable\": {}, \"nodes\": [", level.variable)?;
        for position in 0..level.len() {
            let after = if position == 0 { "" } else { "," };
            let id = level.first + position as NodeId;
            write!(out, "{after}\n{{\"id\": {id}, \"edges\": [")?;
            for (place, Edge { value, target }) in level.edges(position).enumerate() {
                write!(out, "{}[{value}, {target}]", comma(place))?;
            }
            write!(out, "]}}")?;
        }
        write!(out, "\n]}}")?;
    }
    writeln!(out, "\n]\n}}")?;
    out.flush()
}

fn comma(place: usize) -> &'static str {
    if place == 0 { "" } else { ", " }
}
