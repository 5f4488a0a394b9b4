//! Files that are replaced as a whole.

use super::{Access, File, Files};
use crate::FileError;
use std::fs::{self, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf, is_separator};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file that is replaced as a whole or not at all.
///
/// The content is written under a temporary name in the same directory, synced, and renamed.
/// After a failure, even of the power, the file has either its old content or all of the new.
/// Symbolic links are followed. A pipe or a device is written to directly.
///
/// ```
/// use std::io::Write;
/// use topdd::format::AtomicFile;
///
/// # let dir = std::env::temp_dir();
/// # let path = dir.join(format!("topdd-doc-atomic-{}", std::process::id()));
/// let file = AtomicFile::new(&path)?;            // fails now, not after an hour's work
/// file.write(|out| writeln!(out, "0 1 1"))?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "0 1 1\n");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), topdd::FileError>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    files: Files,
    /// The path that the caller gave, for messages.
    path: PathBuf,
    target: ReplacedFile,
}

/// The file that a path refers to, after following symbolic links.
#[derive(Debug)]
enum ReplacedFile {
    /// A regular file with these permissions, or no file yet.
    File { place: PathBuf, permissions: Option<Permissions> },
    /// A pipe, a device or an open file of a process. Written to in place.
    Stream(PathBuf),
}

impl AtomicFile {
    /// Checks that a file can be written at `path`, without changing an existing one.
    ///
    /// # Errors
    ///
    /// Fails with [`FileError::Io`] if the directory does not exist or cannot be written to, or if
    /// the file may not be changed.
    pub fn new(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::on(&Files::default(), path.as_ref())
    }

    pub(crate) fn on(files: &Files, path: &Path) -> Result<Self, FileError> {
        let find = || {
            let target = ReplacedFile::find(path)?;
            match &target {
                ReplacedFile::File { place, permissions } => {
                    if permissions.is_some() {
                        files.open(place, Access::Write)?;
                    }
                    files.create_unnamed(directory(place))?;
                }
                // Opening a pipe blocks until it has a reader, so only `write` opens it.
                ReplacedFile::Stream(_) => {}
            }
            Ok(target)
        };
        let target = find().map_err(FileError::io("save", path))?;
        Ok(AtomicFile { files: files.clone(), path: path.to_owned(), target })
    }

    /// Writes the file. `write` is called once, with a buffered writer.
    ///
    /// When this returns `Ok`, the content of a regular file is durable.
    ///
    /// # Errors
    ///
    /// Fails with [`FileError::Io`] if `write` or the system fails. A regular file then has its old
    /// content, or all of the new if only the sync of its directory failed. A pipe or device may
    /// have received a part.
    pub fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let AtomicFile { files, path, target } = self;
        let fill = |file: &File| {
            let mut out = BufWriter::with_capacity(1 << 16, file);
            write(&mut out)?;
            out.flush()
        };
        let done = match target {
            ReplacedFile::Stream(place) => {
                files.open(&place, Access::Overwrite).and_then(|f| fill(&f))
            }
            ReplacedFile::File { place, permissions } => {
                replace(&files, &place, permissions.as_ref(), fill)
            }
        };
        done.map_err(FileError::io("save", &path))
    }
}

impl ReplacedFile {
    fn find(path: &Path) -> io::Result<Self> {
        // These names look like links to files, but a replaced file would not reach the process
        // that has the old one open.
        let of_process = ["/dev/fd", "/dev/stdout", "/dev/stderr", "/proc"];
        let mut place = path.to_owned();
        let text = path.as_os_str().to_string_lossy();
        let names_a_file = !text.is_empty() && !text.ends_with(is_separator);
        // As many links as Linux follows.
        for _ in 0..40 {
            match fs::symlink_metadata(&place) {
                Ok(_) if of_process.iter().any(|dir| place.starts_with(dir)) => {
                    return Ok(ReplacedFile::Stream(place));
                }
                Ok(found) if found.is_symlink() => {
                    place = directory(&place).join(fs::read_link(&place)?);
                }
                Ok(found) if found.is_file() => {
                    return Ok(ReplacedFile::File {
                        place,
                        permissions: Some(found.permissions()),
                    });
                }
                Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
                Ok(_) => return Ok(ReplacedFile::Stream(place)),
                Err(error) if error.kind() == ErrorKind::NotFound && names_a_file => {
                    return Ok(ReplacedFile::File { place, permissions: None });
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many levels of symbolic links"))
    }
}

/// The directory that contains the file at this path.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file in the directory of `place` and renames it.
fn replace(
    files: &Files,
    place: &Path,
    permissions: Option<&Permissions>,
    fill: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let dir = directory(place);
    let (file, path) = create_in(files, dir)?;
    let mut temporary = Temporary { files, path, is_renamed: false };
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    fill(&file)?;
    file.sync()?;
    files.rename(&temporary.path, place)?;
    temporary.is_renamed = true;
    files.sync_dir(dir)
}

/// A file that is removed when this is dropped, unless it has been renamed.
struct Temporary<'f> {
    files: &'f Files,
    path: PathBuf,
    is_renamed: bool,
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_renamed {
            // Best effort: the error that matters is the first.
            let _ = self.files.remove(&self.path);
        }
    }
}

/// Creates a file with an unused name in a directory.
fn create_in(files: &Files, dir: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = dir.join(format!(".topdd-{}-{number}.new", process::id()));
        match files.open(&path, Access::CreateNew) {
            // Left by a killed process that had the same process id.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn broken(out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&vec![1; 1 << 17])?;
        Err(io::Error::other("broken"))
    }

    fn write(path: &Path, text: &str) {
        AtomicFile::new(path).unwrap().write(|out| out.write_all(text.as_bytes())).unwrap();
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.dot");
        let names = || fs::read_dir(dir.path()).unwrap().count();

        let file = AtomicFile::new(&path).unwrap();
        assert_eq!(names(), 0);
        let error = file.write(broken).unwrap_err();
        assert!(error.to_string().contains("a.dot: broken"), "{error}");
        assert_eq!(names(), 0);
        write(&path, "first, and longer");
        write(&path, "second");
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert!(AtomicFile::new(&path).unwrap().write(broken).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(names(), 1);
    }

    #[test]
    fn an_unusable_place_is_refused_before_anything_is_written() {
        let dir = tempfile::tempdir().unwrap();
        for place in ["", "missing/a.dot", "missing/"] {
            let place = dir.path().join(place);
            let error = AtomicFile::new(&place).unwrap_err();
            assert!(error.to_string().contains(place.to_str().unwrap()), "{error}");
        }
        assert!(AtomicFile::new("").is_err());
    }

    #[test]
    #[cfg(unix)]
    fn links_permissions_and_open_readers_keep_what_they_have() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let dir = tempfile::tempdir().unwrap();
        let [file, link] = ["a.dot", "link.dot"].map(|name| dir.path().join(name));
        fs::write(&file, "old content, which is long").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink("a.dot", &link).unwrap();
        let mut reader = fs::File::open(&file).unwrap();
        for path in [&file, &link] {
            write(path, "new content");
            assert_eq!(fs::read_to_string(&file).unwrap(), "new content");
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mut before = String::new();
        reader.read_to_string(&mut before).unwrap();
        assert_eq!(before, "old content, which is long");

        // A link to nothing yet.
        fs::remove_file(&file).unwrap();
        write(&link, "new");
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        let [one, two] = ["one", "two"].map(|name| dir.path().join(name));
        symlink(&two, &one).unwrap();
        symlink(&one, &two).unwrap();
        assert!(AtomicFile::new(&one).is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_is_written_to_directly() {
        write(Path::new("/dev/null"), "lost");
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
