//! Two-valued diagrams in the text formats of other packages.
//!
//! | format | rule | written by | read by |
//! | --- | --- | --- | --- |
//! | [`sapporo`] | either | [`Diagram::write_sapporo`] | [`Diagram::read_sapporo`] |
//! | [`graphillion`] | zero-suppressed | [`Zdd::write_graphillion`] | [`Zdd::read_graphillion`] |
//! | [`dddmp`] | either | [`Diagram::write_dddmp`] | [`Diagram::read_dddmp`] |
//! | [`lib_bdd`] | any value | [`Bdd::write_lib_bdd`] | [`Bdd::read_lib_bdd`] |
//!
//! None of these files says by which rule skipped variables are to be read, or not reliably:
//! the type does on which a method is called. `Zdd::read_sapporo` reads a ZDD,
//! `Bdd::read_sapporo` a BDD, of files that may look the same.
//!
//! ```
//! use topdd::{Zdd, format::interchange::ReadOptions};
//!
//! // {a}, {a, b} and {c} of {a, b, c}, dumped by Graphillion, where numbers start from 1.
//! let dump = "7 3 B T\n6 2 T T\n8 1 7 6\n.\n";
//! let zdd = Zdd::read_graphillion(dump.as_bytes(), &ReadOptions::new())?;
//! assert!(zdd.iter().eq([[0, 0, 1], [1, 0, 0], [1, 1, 0]]));
//!
//! let mut text = Vec::new();
//! zdd.write_sapporo(&mut text)?;
//! assert_eq!(Zdd::read_sapporo(&text[..], &ReadOptions::new())?, zdd);
//! # Ok::<(), topdd::FileError>(())
//! ```
//!
//! # What is common to all
//!
//! - Variables are numbered anew: variable 0 is at the root, whatever the file calls it and
//!   from whichever end it counts. Each format says how. Where a file does not say how many
//!   variables there are, [`ReadOptions::num_vars`] does.
//! - Reading and writing are linear and stream: a reader keeps the nodes, not the text; what it
//!   allocates is in proportion to what it has read, never to what a header promises.
//! - Nodes may come in any order; they need not be reduced, nor in use. What is read is
//!   canonical: the same family gives an equal diagram, from whichever file.
//! - Bad input is an error that says where and what was expected ([`FileError::Malformed`]). That
//!   includes edges to nodes that are not there or not at a later variable (and so all
//!   cycles), and numbers that two nodes bear.
//! - Diagrams of variables of more than two values are refused
//!   ([`FileError::NotTwoValued`]): [encode](crate::Diagram::encode) them first.
//!
//! [`Diagram::write_sapporo`]: crate::Diagram::write_sapporo
//! [`Diagram::read_sapporo`]: crate::Diagram::read_sapporo
//! [`Zdd::write_graphillion`]: crate::Diagram::write_graphillion
//! [`Zdd::read_graphillion`]: crate::Diagram::read_graphillion
//! [`Diagram::write_dddmp`]: crate::Diagram::write_dddmp
//! [`Diagram::read_dddmp`]: crate::Diagram::read_dddmp
//! [`Bdd::write_lib_bdd`]: crate::Diagram::write_lib_bdd
//! [`Bdd::read_lib_bdd`]: crate::Diagram::read_lib_bdd
//! [`FileError::Malformed`]: crate::FileError::Malformed
//! [`FileError::NotTwoValued`]: crate::FileError::NotTwoValued

pub mod dddmp;
pub mod graphillion;
pub mod lib_bdd;
mod nodes;
pub mod sapporo;
mod scan;
#[cfg(test)]
mod tests;
mod write;

/// What a file does not say about the diagram in it.
///
/// ```
/// use topdd::{Zdd, format::interchange::ReadOptions};
///
/// let dump = "2 1 B T\n.\n";
/// let zdd = Zdd::read_graphillion(dump.as_bytes(), &ReadOptions::new().num_vars(4))?;
/// assert!(zdd.iter().eq([[1, 0, 0, 0]]));
/// # Ok::<(), topdd::FileError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    num_vars: Option<usize>,
    root: Option<usize>,
}

impl ReadOptions {
    /// Nothing is known but what the file says.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of variables, which must not be less than what the file says or uses.
    ///
    /// Variables that the file does not know are added where its numbers go on: before the
    /// others in formats that count from the bottom (Sapporo), after them in the rest.
    pub fn num_vars(mut self, num_vars: usize) -> Self {
        self.num_vars = Some(num_vars);
        self
    }

    /// Which diagram of a file that holds several, from 0.
    pub fn root(mut self, root: usize) -> Self {
        self.root = Some(root);
        self
    }
}
