//! A file that is written at the end of a run or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;

/// Where the standard output goes, by a name that is a link to something else.
const STDOUT: &str = "/dev/stdout";

/// A place to write to, known to be writable before there is anything to write.
///
/// Nothing that is there is lost unless all of what replaces it has been written.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Stdout,
    /// A regular file, or nothing yet: written beside it, then moved into its place. Of a
    /// link, what it leads to: that may be mapped, and is not to be changed in place.
    File(PathBuf),
    /// A device, a pipe or a link to nothing yet, which is not to be replaced by a file.
    Open(File),
}

impl Target {
    /// Finds out whether this place can be written to, and leaves it as it is.
    pub(crate) fn at(path: &Path) -> Result<Self, Failure> {
        let path = path.to_owned();
        match kind(&path) {
            Ok(kind) => Ok(Target { path, kind }),
            Err(error) => Err(unwritable(&path, &error)),
        }
    }

    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.kind, Kind::Stdout)
    }

    /// Writes all of it, or leaves a file that was there as it was.
    pub(crate) fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let buffered = |file: &mut dyn Write| {
            let mut out = BufWriter::new(file);
            write(&mut out)?;
            out.flush()
        };
        let Target { path, kind } = self;
        match kind {
            Kind::Stdout => {
                return buffered(&mut io::stdout().lock())
                    .map_err(|error| Failure::of_stdout(&error));
            }
            Kind::File(place) => beside(&place).and_then(|mut file| {
                buffered(file.as_file_mut())?;
                file.as_file().sync_all()?;
                file.persist(&place).map(drop).map_err(|error| error.error)
            }),
            Kind::Open(mut file) => emptied(&file).and_then(|()| buffered(&mut file)),
        }
        .map_err(|error| unwritable(&path, &error))
    }
}

/// What is at a place that can be written to.
fn kind(path: &Path) -> io::Result<Kind> {
    if [STDOUT, "-"].iter().any(|stdout| path == Path::new(stdout)) {
        return Ok(Kind::Stdout);
    }
    // The names of open files are links, too, but whoever has them open would miss the rest.
    let of_system =
        ["/dev/fd", "/dev/stderr", "/proc"].iter().any(|folder| path.starts_with(folder));
    let place = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() && !of_system => fs::canonicalize(path).ok(),
        Ok(_) => Some(path.to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // Gone at once: a run that is interrupted shall not leave it behind.
            return beside(path).map(|_| Kind::File(path.to_owned()));
        }
        Err(error) => return Err(error),
    };
    let open = || OpenOptions::new().write(true).create(true).truncate(false).open(path);
    match place {
        Some(place) if fs::symlink_metadata(&place)?.is_file() => {
            // A file that is not to be written is not to be replaced either.
            open()?;
            beside(&place).map(|_| Kind::File(place))
        }
        _ => open().map(Kind::Open),
    }
}

/// A file in the folder of `path`, of another name, with the permissions of the file at
/// `path` or else of any new file. Gone when it is dropped.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    builder.prefix(".topdd-");
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    if let Ok(found) = fs::metadata(path) {
        file.as_file().set_permissions(found.permissions())?;
    }
    Ok(file)
}

/// Makes an open file empty, if it is one that can be.
fn emptied(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
}

/// A failure to write to a file.
fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let told = error.to_string();
    // The name of a temporary file says nothing to anybody.
    let told = told.split(" at path ").next().unwrap_or_default();
    let hint = match error.kind() {
        ErrorKind::NotFound => "\nhint: create the directory first",
        _ => "",
    };
    Failure::Failed(format!("cannot write {}: {told}{hint}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn broken(out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"half of it")?;
        Err(io::Error::other("broken"))
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.dot");
        let names = || fs::read_dir(folder.path()).expect("the folder").count();

        let target = Target::at(&path).expect("writable");
        assert_eq!(names(), 0);
        assert!(target.write(broken).is_err());
        assert_eq!(names(), 0);

        let write = |text: &'static str| {
            let target = Target::at(&path).expect("writable");
            target.write(|out| out.write_all(text.as_bytes())).expect("written");
        };
        write("first, and longer");
        write("second");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "second");

        assert!(Target::at(&path).expect("writable").write(broken).is_err());
        assert_eq!(fs::read_to_string(&path).expect("the file"), "second");
        assert_eq!(names(), 1);
    }

    #[test]
    fn what_cannot_be_written_is_known_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        for place in ["", "missing/a.dot"] {
            let Err(Failure::Failed(message)) = Target::at(&folder.path().join(place)) else {
                panic!("{place} can be written");
            };
            assert!(message.starts_with("cannot write "), "{message}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let [file, link] = ["a.dot", "link.dot"].map(|name| folder.path().join(name));
        fs::write(&file, "what there was, which is long").expect("written");
        fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).expect("set");
        symlink(&file, &link).expect("a link");
        // Whoever reads it goes on with what there was.
        let mut reader = File::open(&file).expect("the file");
        for path in [&file, &link] {
            let target = Target::at(path).expect("writable");
            assert!(fs::read_to_string(&file).expect("the file").starts_with("what there was"));
            target.write(|out| out.write_all(b"what there was, and more")).expect("written");
            assert_eq!(fs::read_to_string(&file).expect("the file"), "what there was, and more");
            let mode = fs::metadata(&file).expect("the file").permissions().mode();
            assert_eq!(mode & 0o777, 0o640);
        }
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
        let mut before = String::new();
        reader.read_to_string(&mut before).expect("text");
        assert_eq!(before, "what there was, which is long");

        fs::remove_file(&file).expect("removed");
        let target = Target::at(&link).expect("writable");
        target.write(|out| out.write_all(b"new")).expect("written");
        assert_eq!(fs::read_to_string(&file).expect("the file"), "new");
    }
}
