//! The native format: a diagram as it lies in memory.
//!
//! [`Diagram::save`] and [`Diagram::load`] are the usual way; [`Diagram::write_to`] and
//! [`Diagram::read_from`] go through streams. The customary ending of a file's name is
//! `.tdd`.
//!
//! ```
//! use topdd::{AnyDiagram, Zdd};
//! # use topdd::{DdSpec, Step};
//! # struct Any; impl DdSpec for Any {
//! #     type State = (); fn num_vars(&self) -> usize { 4 }
//! #     fn root(&self) -> Step<()> { Step::To(0, ()) }
//! #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
//! #         if v == 3 { Step::One } else { Step::To(v + 1, ()) } } }
//! # let folder = std::env::temp_dir().join(format!("topdd-doc-native-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let path = folder.join("subsets.tdd");
//! let subsets = topdd::zdd(&Any)?;
//! subsets.save(&path)?;
//! assert!(Zdd::load(&path)? == subsets);
//! match AnyDiagram::load(&path)? {
//!     AnyDiagram::Zdd(zdd) => assert_eq!(zdd.count(), 16u32.into()),
//!     AnyDiagram::Bdd(_) => unreachable!(),
//! }
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), topdd::FileError>(())
//! ```
//!
//! # What a reader finds out
//!
//! The same diagram is the same bytes, on every machine, and every input that is not exactly what
//! [`Diagram::write_to`] writes for some diagram is an [`FileError::Malformed`](Error::Malformed) with the byte where
//! it is wrong. For this each part has a checksum, and loading makes two passes over the
//! nodes: one over the checksums, and one that finds out
//! whether the nodes make a reduced diagram, so that not even a file made to do harm can make
//! a query panic or run on. [`Diagram::load`] computes the checksums on one core while it reads,
//! [`Diagram::load_mapped`] on all cores. [`Diagram::load_trusted`] leaves both passes out.
//!
//! # Byte by byte
//!
//! Version 1. All numbers are unsigned and little-endian: the first byte counts least.
//! `u32` takes 4 bytes, `u64` takes 8. A file is a header, tables, arrays of nodes, and
//! checksums, in this order. Padding is of zeros, up to the next multiple of 8 bytes from
//! the start.
//!
//! The header has 96 bytes:
//!
//! | offset | type | what |
//! | --- | --- | --- |
//! | 0 | 8 bytes | `89 74 6f 70 64 64 0d 0a`: a byte that is not ASCII, `topdd`, and a line break that careless copying changes |
//! | 8 | `u32` | the version of the format, 1 |
//! | 12 | `u32` | the order of bytes: `0x01020304`, so `04 03 02 01` |
//! | 16 | `u32` | the rule of skipped variables: 0 if they are 0, 1 if they may have any value |
//! | 20 | `u32` | the number of the root |
//! | 24 | `u64` | the length of the file |
//! | 32 | `u64` | *V*, the number of variables, less than 2<sup>31</sup> - 1 |
//! | 40 | `u64` | *A*, the number of arities in the table: 1 if all are equal, else *V* |
//! | 48 | `u64` | *L*, the number of levels that have nodes |
//! | 56 | `u64` | *R*, the sum over these levels of the levels below that their edges lead to |
//! | 64 | `u64` | *P*, the number of two-valued nodes |
//! | 72 | `u64` | *E*, the number of edges of all other nodes |
//! | 80 | `u64` | *S*, the number of all other nodes, plus 1 |
//! | 88 | `u32` | the checksum of the tables, padding included |
//! | 92 | `u32` | the checksum of the 92 bytes so far |
//!
//! The tables:
//!
//! | length | type | what |
//! | --- | --- | --- |
//! | 4 *A* | `u32` each | the arity of all variables (2 if there are none), or of each from the root down |
//! | 12 *L* | 3 `u32` each | for each level from the bottom up: its variable, its number of nodes, and the number of levels that its edges lead to |
//! | 4 *R* | `u32` each | for each level, the levels that its edges lead to, in ascending order, as positions in the previous table |
//! | 0 or 4 | | padding |
//!
//! The arrays:
//!
//! | length | type | what |
//! | --- | --- | --- |
//! | 8 *P* | 2 `u32` each | two-valued nodes: the children for the values 0 and 1 |
//! | 8 *E* | 2 `u32` each | edges of other nodes, those to the 0-terminal left out: the value, and the child |
//! | 4 *S* | `u32` each | for each of these nodes, the position of its first edge; at the end *E* |
//! | 0 or 4 | | padding |
//!
//! And the checksums:
//!
//! | length | type | what |
//! | --- | --- | --- |
//! | 4 *B* | `u32` each | the checksum of each block of 2<sup>20</sup> bytes of the arrays, of which the last may be shorter; *B* is their number |
//! | 4 | `u32` | the checksum of these checksums |
//!
//! All checksums are CRC-32 as in Ethernet, gzip and PNG (ISO 3309: polynomial
//! `0x04c11db7`, reflected, starting from and finally inverted with all ones).
//!
//! Nodes are numbered: 0 and 1 are the terminals, 2 is the first node of the bottom level, and
//! so on level by level from the bottom up, so that a child has a smaller number than its parent.
//! Two-valued nodes lie in their array in this order, and so do the others in theirs. The root
//! is the last node, or a terminal if there are no nodes.
//!
//! The diagram is reduced: no two nodes of a level have the same children, no node is one
//! that the rule makes redundant (all but the child of value 0 are the 0-terminal, where skipped
//! variables are 0; all children are the same, where they may have any value), and each is reached
//! from the root. The nodes of a level are in ascending order: two-valued ones by the child of
//! value 1, then that of value 0; others by their edges, of which the first counts
//! most, and each by its value, then its child.

mod header;
mod load;
mod save;
mod sums;
#[cfg(test)]
mod tests;

pub(super) use load::{Loaded, Trust, load, map, read};

#[allow(unused_imports, reason = "the docs link to them")]
use crate::{Diagram, FileError as Error};

/// What errors call this format.
const NAME: &str = "topdd file";
