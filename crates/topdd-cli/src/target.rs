//! Files that are written as a whole at the end of a run.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use topdd::FileError;
use topdd::format::AtomicFile;

use crate::failure::Failure;
use crate::interrupt;

/// The names of standard output.
const STDOUT: [&str; 2] = ["/dev/stdout", "-"];

/// Whether the path names standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    STDOUT.iter().any(|stdout| path == Path::new(stdout))
}

/// A file or standard output, checked to be writable before the run.
#[derive(Debug)]
pub(crate) enum Target {
    Stdout,
    File(AtomicFile),
}

impl Target {
    /// Checks that the file can be written to, without changing it.
    pub(crate) fn at(path: &Path) -> Result<Self, Failure> {
        if is_stdout(path) {
            return Ok(Target::Stdout);
        }
        AtomicFile::new(path).map(Target::File).map_err(|error| unwritable(&error))
    }

    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self, Target::Stdout)
    }

    /// Writes the whole content, or leaves the old file as it is.
    pub(crate) fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self {
            Target::Stdout => {
                let mut out = BufWriter::new(io::stdout().lock());
                let written = write(&mut out).and_then(|()| out.flush());
                written.map_err(|error| Failure::of_stdout(&error))
            }
            Target::File(file) => {
                let written = file.write(|out| write(&mut Interruptible(out)));
                interrupt::check()?;
                written.map_err(|error| unwritable(&error))
            }
        }
    }
}

/// A writer that fails after Ctrl-C, so that no part of a file is left behind.
struct Interruptible<'a>(&'a mut dyn Write);

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if interrupt::token().is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(&bytes[..bytes.len().min(1 << 20)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A failure to write to a file.
fn unwritable(error: &FileError) -> Failure {
    let FileError::Io(io) = error else {
        return Failure::Failed(error.to_string());
    };
    let path = io.path().unwrap_or(Path::new("the file"));
    let hint = match io.kind() {
        ErrorKind::NotFound => "\nhint: create the directory first",
        _ => "",
    };
    Failure::Failed(format!("cannot write {}: {}{hint}", path.display(), io.io_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unwritable_place_is_a_failure_before_anything_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        for (place, hint) in [("", false), ("missing/a.dot", true)] {
            let Err(Failure::Failed(message)) = Target::at(&folder.path().join(place)) else {
                panic!("{place} can be written");
            };
            assert!(message.starts_with("cannot write "), "{message}");
            assert_eq!(message.contains("hint: create"), hint, "{message}");
        }
        for stdout in STDOUT {
            assert!(Target::at(Path::new(stdout)).expect("writable").is_stdout());
        }
    }
}
