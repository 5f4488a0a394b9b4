//! Common parts of the writers.

use crate::FileError;
use crate::diagram::store::{NodeId, Nodes};
use crate::diagram::{Diagram, DiagramRule};
use std::io::{self, BufWriter, Write};

/// Refuses a diagram with variables that are not two-valued.
pub(super) fn check_two_valued<R: DiagramRule>(
    format: &'static str,
    diagram: &Diagram<R>,
) -> Result<(), FileError> {
    match diagram.store.arities.first_not_two_valued() {
        None => Ok(()),
        Some(variable) => {
            let arity = diagram.arity(variable);
            Err(FileError::NotTwoValued { format, variable, arity })
        }
    }
}

/// Writes through a buffer.
pub(super) fn write<W: Write>(
    format: &'static str,
    out: W,
    body: impl FnOnce(&mut BufWriter<W>) -> io::Result<()>,
) -> Result<(), FileError> {
    let mut out = BufWriter::new(out);
    body(&mut out)
        .and_then(|()| out.flush())
        .map_err(FileError::stream(&format!("write the {format}")))
}

/// Visits the nodes, children before parents: variable, number and, by value, children.
pub(super) fn for_each_node<R: DiagramRule, E>(
    diagram: &Diagram<R>,
    mut visit: impl FnMut(usize, NodeId, [NodeId; 2]) -> Result<(), E>,
) -> Result<(), E> {
    let mut passing = diagram.store.passing();
    for level in diagram.store.levels() {
        if let Nodes::Pairs(pairs) = level.nodes {
            for (id, &pair) in (level.first..).zip(pairs) {
                visit(level.variable, id, pair)?;
            }
        }
        passing.level_done(&level);
    }
    Ok(())
}
