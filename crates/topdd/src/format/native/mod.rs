//! The native format: a diagram as it lies in memory.
//!
//! [`Diagram::save`] and [`Diagram::load`] write and read files, [`Diagram::write_to`] and
//! [`Diagram::read_from`] streams. By custom, the name of such a file ends in `.tdd`.
//!
//! ```
//! use topdd::{AnyDiagram, Zdd};
//! # let folder = std::env::temp_dir().join(format!("topdd-doc-native-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let path = folder.join("subsets.tdd");
//! let subsets = Zdd::full([2; 4])?;
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
//! A file may carry [`Metadata`], such as the problem and the names of variables:
//! [`Diagram::save_with`] stores it and [`Diagram::load_with_metadata`] returns it. All other
//! functions that read a file check this section and drop it.
//!
//! # Checks
//!
//! The same diagram with the same metadata is written as the same bytes on every machine. Any
//! input that differs from the output of [`Diagram::write_with`] for every diagram and metadata is a
//! [`FileError::Malformed`] with the position of the first wrong byte. Each part has a checksum, and loading
//! makes two passes over the nodes: the first computes checksums; the second checks that the nodes
//! are a reduced diagram, so that no file, not even a forged one, makes a query panic or loop.
//! [`Diagram::load`] computes the checksums on one core while it reads, [`Diagram::load_mapped`]
//! on all cores. [`Diagram::load_trusted`] skips both passes.
//!
//! # Byte by byte
//!
//! Version 1.0 without metadata, 1.1 with metadata. All numbers are unsigned and little-endian:
//! the first byte is the least significant. `u32` takes 4 bytes, `u64` takes 8. A file consists of
//! a header, tables, arrays of nodes, checksums and, in version 1.1, metadata, in this order.
//! Padding consists of zeros, up to the next multiple of 8 bytes from the start.
//!
//! A change to the format that leaves these parts as they are raises the minor version, any other
//! change the major version. A reader refuses versions that it does not know.
//!
//! The header has 96 bytes:
//!
//! | offset | type | content |
//! | --- | --- | --- |
//! | 0 | 8 bytes | `89 74 6f 70 64 64 0d 0a`: a byte that is not ASCII, `topdd`, and a line break that careless copying changes |
//! | 8 | `u32` | the version of the format: the major version, 1, in the low 16 bits; the minor version, 0 or 1, in the high 16 bits |
//! | 12 | `u32` | the order of bytes: `0x01020304`, so `04 03 02 01` |
//! | 16 | `u32` | the rule of skipped variables: 0 if they are 0, 1 if they may have any value |
//! | 20 | `u32` | the id of the root |
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
//! | length | type | content |
//! | --- | --- | --- |
//! | 4 *A* | `u32` each | the arity of all variables (2 if there are none), or of each from the root down |
//! | 12 *L* | 3 `u32` each | for each level from the bottom up: its variable, its number of nodes, and the number of levels that its edges lead to |
//! | 4 *R* | `u32` each | for each level, the levels that its edges lead to, in ascending order, as positions in the previous table |
//! | 0 or 4 | | padding |
//!
//! The arrays:
//!
//! | length | type | content |
//! | --- | --- | --- |
//! | 8 *P* | 2 `u32` each | two-valued nodes: the children for the values 0 and 1 |
//! | 8 *E* | 2 `u32` each | edges of other nodes, without edges to the 0-terminal: the value, and the child |
//! | 4 *S* | `u32` each | for each of the other nodes, the position of its first edge; at the end *E* |
//! | 0 or 4 | | padding |
//!
//! The checksums:
//!
//! | length | type | content |
//! | --- | --- | --- |
//! | 4 *B* | `u32` each | the checksum of each block of 2<sup>20</sup> bytes of the arrays, of which the last may be shorter; *B* is their number |
//! | 4 | `u32` | the checksum of the list of checksums |
//!
//! The metadata, in version 1.1 only; it ends with the file:
//!
//! | length | type | content |
//! | --- | --- | --- |
//! | 4 | `u32` | the number of entries, at least 1 |
//! | | | the entries, in ascending order of the bytes of their keys, which differ |
//! | 0 to 3 | | padding, to a multiple of 4 bytes |
//! | 4 | `u32` | the checksum of the metadata so far |
//!
//! An entry:
//!
//! | length | type | content |
//! | --- | --- | --- |
//! | 4 | `u32` | *K*, the length of the key |
//! | 4 | `u32` | *N*, the length of the value |
//! | *K* | UTF-8 | the key |
//! | *N* | UTF-8 | the value |
//!
//! The metadata has at most 16 MiB ([`Metadata::MAX_SIZE`]), with lengths, padding and checksum.
//! [`Metadata`] lists the keys that have a meaning. The checksums of the nodes end at a multiple of
//! 4 bytes, so no padding precedes the metadata.
//!
//! All checksums are CRC-32 as in Ethernet, gzip and PNG (ISO 3309: polynomial
//! `0x04c11db7`, reflected, starting from and finally inverted with all ones).
//!
//! The ids of nodes: 0 and 1 are the terminals, 2 is the first node of the bottom level, and
//! so on level by level from the bottom up, so that a child has a smaller id than its parent.
//! Both arrays of nodes are in the order of ids. The root
//! is the last node, or a terminal if there are no nodes.
//!
//! The diagram is reduced: no two nodes of a level have the same children, no node is redundant
//! under the rule, and each node is reached from the root. A node is redundant if all children but
//! the child of value 0 are the 0-terminal (where skipped variables are 0), or if all children are the
//! same (where they may have any value). The nodes of a level are in ascending order: two-valued
//! nodes by the child of value 1, then the child of value 0; others lexicographically by their
//! edges, and an edge by its value, then its child.

mod header;
mod load;
#[cfg(test)]
mod tests;

#[allow(unused_imports, reason = "the docs link to them")]
use super::Metadata;
use crate::diagram::DiagramRule;
use crate::diagram::store::NodeStore;
use crate::file::{AtomicFile, Files};
#[allow(unused_imports, reason = "the docs link to them")]
use crate::{Diagram, FileError};
use header::{BLOCK, Checksums, FileHeader, HEADER, metadata_to_bytes};
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

pub(super) use load::{Loaded, Trust, load, map, read};

/// The name of this format in errors.
const NAME: &str = "topdd file";

impl<R: DiagramRule> Diagram<R> {
    /// Saves the diagram to a file of the [native format](crate::format::native).
    ///
    /// The file is replaced as a whole or not at all, and is durable when this returns `Ok`; see
    /// [`AtomicFile`]. Diagrams that are mapped from the old file keep its content.
    ///
    /// Cost: about as many bytes on disk as [`bytes`](Diagram::bytes) in memory. The nodes are not
    /// copied.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// # let path = std::env::temp_dir().join(format!("topdd-doc-save-{}.tdd", std::process::id()));
    /// let subsets = Zdd::full([2; 4])?;
    /// subsets.save(&path)?;
    /// assert_eq!(Zdd::load(&path)?, subsets);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails with [`FileError::Io`] if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        self.save_with(path, &Metadata::new())
    }

    /// Saves the diagram as [`save`](Diagram::save) does, with metadata.
    /// [`load_with_metadata`](Diagram::load_with_metadata) returns both.
    ///
    /// ```
    /// use topdd::{Zdd, format::Metadata};
    ///
    /// # let path = std::env::temp_dir().join(format!("topdd-doc-with-{}.tdd", std::process::id()));
    /// let mut metadata = Metadata::new();
    /// metadata.set_problem("subsets of four");
    /// Zdd::full([2; 4])?.save_with(&path, &metadata)?;
    /// let (zdd, found) = Zdd::load_with_metadata(&path)?;
    /// assert_eq!((zdd.num_vars(), found.problem()), (4, Some("subsets of four")));
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails with [`FileError::Io`] if the file cannot be written, or if the metadata is larger than
    /// [`Metadata::MAX_SIZE`].
    pub fn save_with(&self, path: impl AsRef<Path>, metadata: &Metadata) -> Result<(), FileError> {
        self.save_on(&Files::default(), path.as_ref(), metadata)
    }

    fn save_on(&self, files: &Files, path: &Path, metadata: &Metadata) -> Result<(), FileError> {
        AtomicFile::on(files, path)?.write(|out| self.write_with(out, metadata))
    }

    /// Writes the content of a [saved](Diagram::save) file to a stream. The nodes are not copied.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let subsets = Zdd::full([2; 4])?;
    /// let mut bytes = Vec::new();
    /// subsets.write_to(&mut bytes).expect("memory does not fail");
    /// assert!(Zdd::read_from(&bytes[..])? == subsets);
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `out` fails.
    pub fn write_to<W: Write>(&self, out: W) -> io::Result<()> {
        self.write_with(out, &Metadata::new())
    }

    /// Writes the diagram as [`write_to`](Diagram::write_to) does, with metadata;
    ///
    /// # Errors
    ///
    /// Fails if `out` fails, and with [`ErrorKind::InvalidInput`] if the metadata is larger than
    /// [`Metadata::MAX_SIZE`].
    pub fn write_with<W: Write>(&self, mut out: W, metadata: &Metadata) -> io::Result<()> {
        let size = metadata.size();
        if size > Metadata::MAX_SIZE {
            let message =
                format!("the metadata has {size} bytes, but at most {}", Metadata::MAX_SIZE);
            return Err(io::Error::new(ErrorKind::InvalidInput, message + " can be stored"));
        }
        let store = &*self.store;
        let tables = tables(store);
        let header = FileHeader::for_store::<R>(store, crc32fast::hash(&tables), size as u64);
        debug_assert_eq!(tables.len() as u64, header.tables());
        out.write_all(&header.to_bytes())?;
        out.write_all(&tables)?;
        let mut arrays = Summing { out: &mut out, sums: Checksums::default() };
        arrays.write(bytemuck::cast_slice(&store.pairs))?;
        arrays.write(bytemuck::cast_slice(&store.edges))?;
        arrays.write(&store.starts)?;
        if !store.starts.len().is_multiple_of(2) {
            arrays.write(&[0])?;
        }
        for sum in arrays.sums.finish() {
            out.write_all(&sum.to_le_bytes())?;
        }
        out.write_all(&metadata_to_bytes(metadata))?;
        out.flush()
    }
}

/// Arities and levels.
fn tables(store: &NodeStore) -> Vec<u8> {
    let records = store.level_records();
    let levels = records.len();
    let mut words = Vec::new();
    words.extend_from_slice(store.arities.table());
    words.reserve(3 * levels + store.reach.len() + 1);
    words.extend(records.flat_map(|level| [level.variable, level.nodes, level.reach]));
    words.extend_from_slice(&store.reach);
    words.resize(words.len().next_multiple_of(2), 0);
    debug_assert_eq!(HEADER % 8, 0);
    little_endian(&words).into_owned()
}

/// Words as they are in a file.
fn little_endian(words: &[u32]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        Cow::Borrowed(bytemuck::cast_slice(words))
    } else {
        Cow::Owned(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }
}

/// Writes arrays and sums them up.
struct Summing<W> {
    out: W,
    sums: Checksums,
}

impl<W: Write> Summing<W> {
    fn write(&mut self, words: &[u32]) -> io::Result<()> {
        // While a block is in the cache it is summed up, too.
        for words in words.chunks(BLOCK / 4) {
            let bytes = little_endian(words);
            self.sums.update(&bytes);
            self.out.write_all(&bytes)?;
        }
        Ok(())
    }
}
