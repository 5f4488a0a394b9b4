//! Diagrams whose rule is read from the file.

use super::metadata::Metadata;
use super::native::{Loaded, Trust, load, map, read};
use crate::file::Files;
use crate::{Bdd, BigUint, FileError, Rule, Zdd};
use std::io::{self, Read, Write};
use std::path::Path;

/// A diagram under a rule that is not known before it is read from a file.
///
/// Match on it to get the diagram. It has the methods that both rules have. Each does the same as the
/// method of [`Diagram`](crate::Diagram) with the same name, at the same cost.
///
/// ```
/// use topdd::{AnyDiagram, Rule, Zdd};
///
/// let mut bytes = Vec::new();
/// Zdd::full([2; 3])?.write_to(&mut bytes).expect("memory does not fail");
///
/// let diagram = AnyDiagram::read_from(&bytes[..])?; // or `load(path)?`
/// assert_eq!((diagram.rule(), diagram.num_vars()), (Rule::ZeroSuppressed, 3));
/// assert_eq!((diagram.count(), diagram.node_count()), (8u32.into(), 3));
/// let first = match &diagram {
///     AnyDiagram::Zdd(zdd) => zdd.iter().next(),
///     AnyDiagram::Bdd(bdd) => bdd.iter().next(),
/// };
/// assert_eq!(first, Some(vec![0, 0, 0]));
/// # Ok::<(), topdd::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyDiagram {
    /// Skipped variables are 0.
    Zdd(Zdd),
    /// Skipped variables may have any value.
    Bdd(Bdd),
}

/// Evaluates an expression for the diagram, of either rule.
macro_rules! either {
    ($any:expr, $diagram:ident => $answer:expr) => {
        match $any {
            AnyDiagram::Zdd($diagram) => $answer,
            AnyDiagram::Bdd($diagram) => $answer,
        }
    };
}

impl AnyDiagram {
    /// Loads a file of the native format; see [`Diagram::load`](crate::Diagram::load).
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged or of another format.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        load(&Files::default(), path.as_ref()).and_then(Self::from_loaded)
    }

    /// Maps a file of the native format into memory; see
    /// [`Diagram::load_mapped`](crate::Diagram::load_mapped).
    ///
    /// # Safety
    ///
    /// The content of the file must not change while the diagram or a clone of it exists.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged or of another format.
    #[allow(unsafe_code)]
    pub unsafe fn load_mapped(path: impl AsRef<Path>) -> Result<Self, FileError> {
        // SAFETY: the contract is the same, so the caller guarantees it.
        unsafe { map(path.as_ref(), Trust::Nothing) }.and_then(Self::from_loaded)
    }

    /// Maps a file of the native format without checking its nodes; see
    /// [`Diagram::load_trusted`](crate::Diagram::load_trusted).
    ///
    /// # Safety
    ///
    /// The content of the file must not change while the diagram or a clone of it exists.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or its length, header or tables are not right.
    #[allow(unsafe_code)]
    pub unsafe fn load_trusted(path: impl AsRef<Path>) -> Result<Self, FileError> {
        // SAFETY: the contract is the same, so the caller guarantees it.
        unsafe { map(path.as_ref(), Trust::Nodes) }.and_then(Self::from_loaded)
    }

    /// Reads a stream of the native format; see
    /// [`Diagram::read_from`](crate::Diagram::read_from).
    ///
    /// # Errors
    ///
    /// When the stream fails or ends too early, is damaged or of another format.
    pub fn read_from<I: Read>(mut input: I) -> Result<Self, FileError> {
        Self::from_loaded(read(&mut input, None)?)
    }

    /// Loads a file with its metadata.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged or of another format.
    pub fn load_with_metadata(path: impl AsRef<Path>) -> Result<(Self, Metadata), FileError> {
        load(&Files::default(), path.as_ref()).and_then(Self::with_metadata)
    }

    /// Reads a stream with its metadata; see
    /// [`Diagram::read_with_metadata`](crate::Diagram::read_with_metadata).
    ///
    /// ```
    /// use topdd::{AnyDiagram, Bdd, format::Metadata};
    ///
    /// let (mut bytes, mut metadata) = (Vec::new(), Metadata::new());
    /// metadata.set_problem("anything");
    /// AnyDiagram::from(Bdd::full([2])?).write_with(&mut bytes, &metadata).unwrap();
    /// let (diagram, found) = AnyDiagram::read_with_metadata(&bytes[..])?;
    /// assert_eq!((diagram.count(), found.problem()), (2u32.into(), Some("anything")));
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the stream fails or ends too early, is damaged or of another format.
    pub fn read_with_metadata<I: Read>(mut input: I) -> Result<(Self, Metadata), FileError> {
        read(&mut input, None).and_then(Self::with_metadata)
    }

    fn with_metadata(mut loaded: Loaded) -> Result<(Self, Metadata), FileError> {
        let metadata = std::mem::take(&mut loaded.metadata);
        Ok((Self::from_loaded(loaded)?, metadata))
    }

    pub(super) fn from_loaded(loaded: Loaded) -> Result<Self, FileError> {
        match loaded.rule {
            Rule::ZeroSuppressed => loaded.into_diagram().map(AnyDiagram::Zdd),
            Rule::AnyValue => loaded.into_diagram().map(AnyDiagram::Bdd),
        }
    }

    /// Saves the diagram; see [`Diagram::save`](crate::Diagram::save).
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        either!(self, diagram => diagram.save(path))
    }

    /// Saves the diagram with metadata; see [`Diagram::save_with`](crate::Diagram::save_with).
    ///
    /// # Errors
    ///
    /// When the file cannot be written, or the metadata is too large.
    pub fn save_with(&self, path: impl AsRef<Path>, metadata: &Metadata) -> Result<(), FileError> {
        either!(self, diagram => diagram.save_with(path, metadata))
    }

    /// Writes the diagram with metadata to a stream; see
    /// [`Diagram::write_with`](crate::Diagram::write_with).
    ///
    /// # Errors
    ///
    /// When `out` fails, or the metadata is too large.
    pub fn write_with<W: Write>(&self, out: W, metadata: &Metadata) -> io::Result<()> {
        either!(self, diagram => diagram.write_with(out, metadata))
    }

    /// Writes the diagram to a stream; see [`Diagram::write_to`](crate::Diagram::write_to).
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_to<W: Write>(&self, out: W) -> io::Result<()> {
        either!(self, diagram => diagram.write_to(out))
    }

    /// Returns the rule by which skipped variables are read.
    pub fn rule(&self) -> Rule {
        either!(self, diagram => diagram.rule())
    }

    /// Returns the number of variables.
    pub fn num_vars(&self) -> usize {
        either!(self, diagram => diagram.num_vars())
    }

    /// Returns the number of nodes, terminals not counted.
    pub fn node_count(&self) -> usize {
        either!(self, diagram => diagram.node_count())
    }

    /// Returns the number of solutions; see [`Diagram::count`](crate::Diagram::count).
    pub fn count(&self) -> BigUint {
        either!(self, diagram => diagram.count())
    }
}

impl From<Zdd> for AnyDiagram {
    fn from(zdd: Zdd) -> Self {
        AnyDiagram::Zdd(zdd)
    }
}

impl From<Bdd> for AnyDiagram {
    fn from(bdd: Bdd) -> Self {
        AnyDiagram::Bdd(bdd)
    }
}
