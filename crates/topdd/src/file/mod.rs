//! Access to files: every operation of the engine and the formats, except looking up links.
//!
//! The engine and the formats open, read, write, sync, rename, remove, lock and map files
//! through [`Files`] and [`File`] alone. Behind them is a [`FileSystem`]: the file system of
//! the machine or, in tests, one that fails a chosen call or loses power (`faulty`).
//!
//! An operation that a signal interrupted is repeated here, and a short read or write is
//! completed here, so that callers see neither.

mod atomic;
#[cfg(test)]
pub(crate) mod faulty;
mod machine;

pub use atomic::AtomicFile;

use memmap2::Mmap;
use std::ffi::OsString;
use std::fmt::Debug;
use std::fs::Permissions;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// The mode in which a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// For reading; the file must exist.
    Read,
    /// For writing, without changing it yet; the file must exist.
    Write,
    /// For writing, with its old content removed; the file is created if it does not exist.
    Overwrite,
    /// For reading and writing; the file must not exist.
    CreateNew,
    /// For writing, without changing it; the file is created if it does not exist.
    Lock,
}

/// The operations on names in directories.
///
/// Each method performs one operation once, and may fail with [`ErrorKind::Interrupted`].
pub(crate) trait FileSystem: Debug + Send + Sync {
    /// Opens a file.
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn OpenFile>>;
    /// Creates a file without a name, which is removed when its handle is dropped or the
    /// process ends.
    fn create_unnamed(&self, dir: &Path) -> io::Result<Box<dyn OpenFile>>;
    /// Renames a file within its directory, and replaces the file that has the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Returns the names in a directory, or an error if one of them could not be read.
    fn list(&self, dir: &Path) -> io::Result<Vec<OsString>>;
    /// Makes the names in a directory durable. Does nothing where the system has no such
    /// operation.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
}

/// The operations on an open file.
///
/// Each method performs one operation once. It may fail with [`ErrorKind::Interrupted`], and
/// read or write fewer bytes than asked for.
pub(crate) trait OpenFile: Debug + Send + Sync {
    /// Reads from the current position and advances it.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize>;
    /// Reads from byte `offset`.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
    /// Writes at the current position and advances it.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Makes the content durable.
    fn sync(&self) -> io::Result<()>;
    /// The length in bytes, or `None` if this is not a regular file.
    fn len(&self) -> io::Result<Option<u64>>;
    /// Sets the permissions.
    fn set_permissions(&self, permissions: Permissions) -> io::Result<()>;
    /// Locks the file for this handle alone; `false` if another one holds it.
    fn try_lock(&self) -> io::Result<bool>;
    /// Maps the file into memory, from its start to its end, for reading.
    ///
    /// # Safety
    ///
    /// The content of the file must not change while the mapping exists.
    #[allow(unsafe_code)]
    unsafe fn map(&self) -> io::Result<Mmap>;
}

/// The file system that a run or a format works on. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Files(Arc<dyn FileSystem>);

impl Default for Files {
    /// The file system of this machine.
    fn default() -> Self {
        Files(Arc::new(machine::Machine))
    }
}

impl Files {
    pub(crate) fn open(&self, path: &Path, access: Access) -> io::Result<File> {
        repeat(|| self.0.open(path, access)).map(File)
    }

    pub(crate) fn create_unnamed(&self, dir: &Path) -> io::Result<File> {
        repeat(|| self.0.create_unnamed(dir)).map(File)
    }

    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        repeat(|| self.0.rename(from, to))
    }

    /// Removes a file; one that does not exist is no error.
    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        match repeat(|| self.0.remove(path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }

    pub(crate) fn list(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        repeat(|| self.0.list(dir))
    }

    pub(crate) fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        repeat(|| self.0.sync_dir(dir))
    }
}

/// An open file.
#[derive(Debug)]
pub(crate) struct File(Box<dyn OpenFile>);

impl File {
    /// Fills `buffer` from byte `offset` on.
    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let mut filled = 0;
        while filled < buffer.len() {
            let at = offset + filled as u64;
            match repeat(|| self.0.read_at(&mut buffer[filled..], at))? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                read => filled += read,
            }
        }
        Ok(())
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        repeat(|| self.0.sync())
    }

    /// The length in bytes, or `None` if this is not a regular file.
    pub(crate) fn len(&self) -> io::Result<Option<u64>> {
        repeat(|| self.0.len())
    }

    pub(crate) fn set_permissions(&self, permissions: &Permissions) -> io::Result<()> {
        repeat(|| self.0.set_permissions(permissions.clone()))
    }

    /// Locks the file for this handle alone; `false` if another one holds it.
    pub(crate) fn try_lock(&self) -> io::Result<bool> {
        repeat(|| self.0.try_lock())
    }

    /// Maps the file into memory, from its start to its end, for reading.
    ///
    /// # Safety
    ///
    /// The content of the file must not change while the mapping exists.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn map(&self) -> io::Result<Mmap> {
        // SAFETY: the contract is the same, so the caller guarantees it.
        repeat(|| unsafe { self.0.map() })
    }
}

impl Read for &File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        repeat(|| self.0.read(buffer))
    }
}

impl Write for &File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        repeat(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Repeats an operation until no signal interrupts it.
fn repeat<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match operation() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
