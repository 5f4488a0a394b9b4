//! Writing.

use super::header::{HEADER, Header};
use super::section;
use super::sums::{BLOCK, Sums};
use crate::FileError;
use crate::diagram::store::Store;
use crate::diagram::{Diagram, DiagramRule};
use crate::file::{AtomicFile, Files};
use crate::format::metadata::Metadata;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

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

    pub(super) fn save_on(
        &self,
        files: &Files,
        path: &Path,
        metadata: &Metadata,
    ) -> Result<(), FileError> {
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
        let header = Header::for_store::<R>(store, crc32fast::hash(&tables), size as u64);
        debug_assert_eq!(tables.len() as u64, header.tables());
        out.write_all(&header.to_bytes())?;
        out.write_all(&tables)?;
        let mut arrays = Summing { out: &mut out, sums: Sums::default() };
        arrays.write(bytemuck::cast_slice(&store.pairs))?;
        arrays.write(bytemuck::cast_slice(&store.edges))?;
        arrays.write(&store.starts)?;
        if !store.starts.len().is_multiple_of(2) {
            arrays.write(&[0])?;
        }
        for sum in arrays.sums.finish() {
            out.write_all(&sum.to_le_bytes())?;
        }
        out.write_all(&section::to_bytes(metadata))?;
        out.flush()
    }
}

/// Arities and levels.
fn tables(store: &Store) -> Vec<u8> {
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
    sums: Sums,
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
