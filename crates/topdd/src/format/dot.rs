//! Graphviz DOT.

use crate::diagram::store::{FIRST_NODE, NodeId, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use std::io::{self, Write};

impl<R: DiagramRule> Diagram<R> {
    /// The diagram in the DOT language of Graphviz, for `dot -Tsvg` and its like.
    ///
    /// Nodes stand in ranks by level and bear the name of their variable, edges bear
    /// their values; the 0-terminal and the edges to it are left out, unless there is
    /// nothing else. Of a two-valued node the edge of value 0 is dashed, as is custom.
    pub fn to_dot(&self) -> String {
        let mut text = Vec::new();
        self.write_dot(&mut text).expect("writing to memory does not fail");
        String::from_utf8(text).expect("DOT is written as text")
    }

    /// Writes what [`to_dot`](Diagram::to_dot) answers.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_dot<W: Write>(&self, mut out: W) -> io::Result<()> {
        let store = &*self.store;
        writeln!(out, "digraph {} {{", R::NAME)?;
        writeln!(out, "  node [shape=circle, fontname=\"sans-serif\"];")?;
        writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=10];")?;
        for level in store.levels().rev() {
            write!(out, "  {{ rank=same;")?;
            for position in 0..level.len() {
                let id = level.first + position as NodeId;
                write!(out, " n{id} [label=\"x{}\"];", level.variable)?;
            }
            writeln!(out, " }}")?;
        }
        match store.root {
            ZERO => writeln!(out, "  n0 [label=\"0\", shape=box];")?,
            _ => writeln!(out, "  n1 [label=\"1\", shape=box];")?,
        }
        for level in store.levels().rev() {
            let two_valued = store.arities.get(level.variable) == 2;
            for position in 0..level.len() {
                let id = level.first + position as NodeId;
                for edge in level.edges(position) {
                    let style = if two_valued && edge.value == 0 { ", style=dashed" } else { "" };
                    writeln!(
                        out,
                        "  n{id} -> n{} [label=\"{}\"{style}];",
                        edge.target, edge.value
                    )?;
                }
            }
        }
        debug_assert!(store.root < FIRST_NODE || store.level_count() > 0);
        writeln!(out, "}}")
    }
}
