//! The files of problems.

use std::borrow::Cow;
use std::fmt::Display;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use topdd_graph::format::unpack;

use crate::args::Common;
use crate::failure::Failure;

/// The name of standard input as a file.
pub(super) const STDIN: &str = "-";

/// The name of a file in messages.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new(STDIN) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads the file of a problem, a `noun`.
pub(super) fn read(path: &Path, noun: &str) -> Result<Vec<u8>, Failure> {
    let name = name(path);
    let bytes = if path == Path::new(STDIN) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| Failure::Failed(format!("cannot read {name}: {error}")))?;
    if bytes.starts_with(b"\x89topdd") {
        let hint = "read it with `topdd count`, `topdd list` or `topdd best`";
        return Err(Failure::Failed(format!(
            "{name} is a saved diagram, not a {noun}\nhint: {hint}"
        )));
    }
    Ok(bytes)
}

/// Refuses to write to the file of the problem, a `noun`.
pub(super) fn refuse_overwriting(input: &Path, noun: &str, common: &Common) -> Result<(), Failure> {
    let Ok(problem) = fs::canonicalize(input) else { return Ok(()) };
    for (option, file) in common.outputs() {
        if problem.is_file() && fs::canonicalize(file).is_ok_and(|file| file == problem) {
            return Err(Failure::Usage(format!(
                "{option} would overwrite the {noun} in {}; choose another name",
                input.display()
            )));
        }
    }
    Ok(())
}

/// The content of a file that is a problem.
pub(super) struct ProblemFile {
    /// Its name in messages.
    pub(super) name: String,
    /// Unpacked, if it was packed by gzip.
    pub(super) bytes: Vec<u8>,
}

impl ProblemFile {
    /// Reads the file of a problem, a `noun`, which the outputs must not overwrite.
    pub(super) fn read(path: &Path, noun: &str, common: &Common) -> Result<Self, Failure> {
        refuse_overwriting(path, noun, common)?;
        let (name, packed) = (name(path), read(path, noun)?);
        let bytes = unpack(&packed);
        let bytes = bytes.map_err(|error| Failure::Failed(format!("{name}: {error}")))?;
        Ok(ProblemFile { name, bytes: bytes.into_owned() })
    }

    /// The text. Comments may be in any encoding.
    pub(super) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// A failure that the file causes.
    pub(super) fn failed(&self, error: impl Display) -> Failure {
        Failure::Failed(format!("{}: {error}", self.name))
    }

    /// A digest for the identity of a run over variables in an order: the file may change while it keeps its name, and the
    /// order with the version.
    pub(super) fn digest(&self, order: &[usize]) -> String {
        let order = order.iter().map(|&variable| (variable as u64).to_le_bytes());
        format!("{:016x}", digest(digest(NO_DIGEST, [&self.bytes]), order))
    }
}

/// The hash of no byte strings.
pub(super) const NO_DIGEST: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds byte strings to a hash that is equal on every machine (the 64-bit hash of G. Fowler, L. C. Noll and K.-P. Vo).
pub(super) fn digest<B: AsRef<[u8]>>(before: u64, all: impl IntoIterator<Item = B>) -> u64 {
    all.into_iter().fold(before, |hash, bytes| {
        let length = (bytes.as_ref().len() as u64).to_le_bytes();
        let bytes = length.iter().chain(bytes.as_ref());
        bytes.fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    })
}
