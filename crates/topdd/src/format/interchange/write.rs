//! Common parts of the writers.

use crate::FileError;
use crate::diagram::store::{NodeId, Nodes, Store};
use std::io::{self, BufWriter, Write};

/// Refuses a diagram with variables that are not two-valued.
pub(super) fn check_two_valued(format: &'static str, store: &Store) -> Result<(), FileError> {
    match store.arities.first_not_two_valued() {
        None => Ok(()),
        Some(variable) => {
            let arity = store.arities.get(variable);
            Err(FileError::NotTwoValued { format, variable, arity })
        }
    }
}

/// Writes through a buffer.
pub(super) fn buffered(
    format: &'static str,
    out: &mut dyn Write,
    body: impl FnOnce(&mut BufWriter<&mut dyn Write>) -> io::Result<()>,
) -> Result<(), FileError> {
    let mut out = BufWriter::new(out);
    body(&mut out)
        .and_then(|()| out.flush())
        .map_err(FileError::stream(&format!("write the {format}")))
}

/// Visits the nodes, children before parents: variable, number and, by value, children.
pub(super) fn for_each_node<E>(
    store: &Store,
    mut visit: impl FnMut(usize, NodeId, [NodeId; 2]) -> Result<(), E>,
) -> Result<(), E> {
    let mut passing = store.passing();
    for level in store.levels() {
        if let Nodes::Pairs(pairs) = level.nodes {
            for (id, &pair) in (level.first..).zip(pairs) {
                visit(level.variable, id, pair)?;
            }
        }
        passing.level_done(&level);
    }
    Ok(())
}
