//! The file system of this machine.

#![allow(unsafe_code)]

use super::{Access, FileSystem, OpenFile};
use memmap2::Mmap;
use std::ffi::OsString;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

/// The file system of this machine.
#[derive(Debug)]
pub(super) struct Machine;

impl FileSystem for Machine {
    fn open(&self, path: &Path, access: Access) -> io::Result<Box<dyn OpenFile>> {
        let mut options = File::options();
        match access {
            Access::Read => options.read(true),
            Access::Write => options.write(true),
            Access::Overwrite => options.write(true).create(true).truncate(true),
            Access::CreateNew => options.read(true).write(true).create_new(true),
            Access::Lock => options.write(true).create(true).truncate(false),
        };
        Ok(Box::new(options.open(path)?))
    }

    fn create_unnamed(&self, dir: &Path) -> io::Result<Box<dyn OpenFile>> {
        let file = tempfile::tempfile_in(dir).map_err(without_name)?;
        Ok(Box::new(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        if !cfg!(unix) {
            return Ok(());
        }
        match File::open(dir).and_then(|dir| dir.sync_all()) {
            // Some file systems have no such operation, and a directory that may be written to
            // need not be readable.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
                ) =>
            {
                Ok(())
            }
            done => done,
        }
    }
}

impl OpenFile for File {
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Read::read(&mut &*self, buffer)
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(&mut &*self, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }

    fn len(&self) -> io::Result<Option<u64>> {
        self.metadata().map(|found| found.is_file().then_some(found.len()))
    }

    fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        File::set_permissions(self, permissions)
    }

    fn try_lock(&self) -> io::Result<bool> {
        match File::try_lock(self) {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    unsafe fn map(&self) -> io::Result<Mmap> {
        // SAFETY: the caller promises that the content does not change.
        unsafe { Mmap::map(self) }
    }
}

/// The error without the random name of a temporary file, which no caller has chosen.
fn without_name(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
    }
}
