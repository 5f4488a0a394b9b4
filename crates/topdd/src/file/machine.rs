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
        Ok(Box::new(open_without_name(dir).or_else(|_| create_and_remove(dir))?))
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

/// Creates a file that never has a name, if the kernel and the file system can.
#[cfg(target_os = "linux")]
fn open_without_name(dir: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.read(true).write(true).mode(0o600).custom_flags(libc::O_TMPFILE).open(dir)
}

#[cfg(not(target_os = "linux"))]
fn open_without_name(_: &Path) -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

/// Creates a file with a random name that no other file has, and removes the name. Only this user may read it.
fn create_and_remove(dir: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // The system removes it when it is closed: FILE_FLAG_DELETE_ON_CLOSE.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0400_0000);
    loop {
        let path = dir.join(format!("topdd-{:016x}", fastrand::u64(..)));
        match options.open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            file => {
                let file = file?;
                if cfg!(not(windows)) {
                    fs::remove_file(&path)?;
                }
                return Ok(file);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom};

    #[test]
    fn temporary_files_have_no_names_and_are_for_this_user_only() {
        let dir = tempfile::tempdir().unwrap();
        let ways = [create_and_remove, |dir: &Path| {
            open_without_name(dir).or_else(|_| create_and_remove(dir))
        }];
        for create in ways {
            let mut file = create(dir.path()).unwrap();
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
            file.write_all(b"states").unwrap();
            file.seek(SeekFrom::Start(0)).unwrap();
            assert_eq!(io::read_to_string(&file).unwrap(), "states");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                assert_eq!(file.metadata().unwrap().permissions().mode() & 0o077, 0);
            }
            let error = create(&dir.path().join("none")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
        }
    }
}
