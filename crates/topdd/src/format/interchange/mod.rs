//! Two-valued diagrams in the text formats of other packages.
//!
//! | format | rule | written by | read by |
//! | --- | --- | --- | --- |
//! | [`sapporo`] | either | [`Diagram::write_sapporo`] | [`Diagram::read_sapporo`] |
//! | [`graphillion`] | zero-suppressed | [`Zdd::write_graphillion`] | [`Zdd::read_graphillion`] |
//! | [`dddmp`] | either | [`Diagram::write_dddmp`] | [`Diagram::read_dddmp`] |
//! | [`lib_bdd`] | any value | [`Bdd::write_lib_bdd`] | [`Bdd::read_lib_bdd`] |
//!
//! The formats do not state the rule of skipped variables reliably. The type on which a method is called
//! decides: `Zdd::read_sapporo` reads a file as a ZDD, and `Bdd::read_sapporo` reads the same file as a
//! BDD.
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
//! # Common to all formats
//!
//! - Variables are numbered anew: variable 0 is at the root. The page of each format describes its
//!   numbering. [`ReadOptions::num_vars`] sets the number of variables for a file that does not
//!   contain it.
//! - Reading and writing take linear time and stream: a reader stores the nodes, not the text. It
//!   allocates memory in proportion to the bytes that it has read, for any size in a header.
//! - Nodes may come in any order. They need not be reduced, nor reached from the root. The result is
//!   canonical: files of the same family give equal diagrams.
//! - For bad input, the error has the position and the expected item ([`FileError::Malformed`]). Bad
//!   input includes edges to missing nodes or to earlier variables (and so all cycles), and two
//!   nodes with the same number.
//! - Diagrams with variables of more than two values are refused
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
pub mod sapporo;
#[cfg(test)]
mod tests;
mod text;

/// Facts about a diagram that its file does not contain.
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
    /// Returns the defaults: the number of variables in the file, and the first diagram of the file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of variables, which must be at least the number in the file.
    ///
    /// Variables that the file does not have are added where its numbering continues: before the other
    /// variables in formats that count from the bottom (Sapporo), after them in the other formats.
    pub fn num_vars(mut self, num_vars: usize) -> Self {
        self.num_vars = Some(num_vars);
        self
    }

    /// Selects a diagram of a file that has several, by its position, counted from 0.
    ///
    /// ```
    /// use topdd::{Zdd, format::interchange::ReadOptions};
    ///
    /// let text = b"_i 1 _o 2 _n 1  2 1 F T  2  T"; // {{0}} and {{}}
    /// let second = Zdd::read_sapporo(&text[..], &ReadOptions::new().root(1))?;
    /// assert!(second.iter().eq([[0]]));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    pub fn root(mut self, root: usize) -> Self {
        self.root = Some(root);
        self
    }
}
