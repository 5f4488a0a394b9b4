//! Writing.

use super::header::{HEADER, Header};
use super::sums::{BLOCK, Sums};
use crate::Error;
use crate::diagram::store::Store;
use crate::diagram::{Diagram, DiagramRule};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

impl<R: DiagramRule> Diagram<R> {
    /// Saves the diagram to a file of the [native format](crate::format::native).
    ///
    /// The file is written under a temporary name in the same folder, and takes its place when
    /// all of it is on disk: whatever happens, a file that was there is either as it was or
    /// replaced as a whole. What is mapped from that file stays as it is. A link is followed;
    /// what is no regular file, such as a pipe, is written to directly.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        replace(path, |out| self.write_to(out)).map_err(Error::io("save the diagram to", path))
    }

    /// Writes what [`save`](Diagram::save) does to a stream. The nodes are not copied.
    ///
    /// ```
    /// # use topdd::{DdSpec, Step, Zdd};
    /// # struct Any; impl DdSpec for Any {
    /// #     type State = (); fn num_vars(&self) -> usize { 4 }
    /// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
    /// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
    /// #         if v == 3 { Step::One } else { Step::To(v + 1, ()) } } }
    /// # let subsets = topdd::zdd(&Any)?;
    /// let mut bytes = Vec::new();
    /// subsets.write_to(&mut bytes).expect("memory does not fail");
    /// assert!(Zdd::read_from(&bytes[..])? == subsets);
    /// # Ok::<(), topdd::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_to<W: Write>(&self, mut out: W) -> io::Result<()> {
        let store = &*self.store;
        let tables = tables(store);
        let header = Header::of::<R>(store, crc32fast::hash(&tables));
        debug_assert_eq!(tables.len() as u64, header.tables());
        out.write_all(&header.to_bytes())?;
        out.write_all(&tables)?;
        let mut arrays = Summing { out: &mut out, sums: Sums::default() };
        arrays.write(bytemuck::cast_slice(store.pairs()))?;
        arrays.write(bytemuck::cast_slice(store.edges()))?;
        arrays.write(store.starts())?;
        if store.starts().len() % 2 != 0 {
            arrays.write(&[0])?;
        }
        for sum in arrays.sums.finish() {
            out.write_all(&sum.to_le_bytes())?;
        }
        out.flush()
    }
}

/// Arities and levels.
fn tables(store: &Store) -> Vec<u8> {
    let records = store.level_records();
    let levels = records.len();
    let mut words = Vec::new();
    words.extend_from_slice(store.arities.table());
    words.reserve(3 * levels + store.reach_of_all().len() + 1);
    words.extend(records.flat_map(|level| [level.variable, level.nodes, level.reach]));
    words.extend_from_slice(store.reach_of_all());
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

/// Writes a file so that there is either all of it or what was there before.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    // A link stays, and what it leads to is replaced.
    let place = match fs::canonicalize(path) {
        Ok(place) => place,
        // It leads to nothing as yet, so that there is nothing to lose.
        Err(_) if path.is_symlink() => {
            let mut file = File::create(path)?;
            return write(&mut file).and_then(|()| file.sync_all());
        }
        Err(_) => path.to_owned(),
    };
    let found = fs::metadata(&place).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        return write(&mut File::options().write(true).open(&place)?);
    }
    let folder = match place.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".topdd-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(&folder).map_err(nameless)?;
    if let Some(found) = found {
        // A file that is not to be written is not to be replaced either.
        File::options().write(true).open(&place)?;
        file.as_file().set_permissions(found.permissions())?;
    }
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(&place).map_err(|error| error.error)?;
    // The new name is on disk when the folder is. Some systems cannot be asked for that.
    #[cfg(unix)]
    File::open(&folder).and_then(|folder| folder.sync_all()).ok();
    Ok(())
}

/// The error without the name of the temporary file, which says nothing to anybody.
fn nameless(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}
