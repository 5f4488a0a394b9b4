//! Diagrams as files and pictures.
//!
//! | format | written by | read by | for |
//! | --- | --- | --- | --- |
//! | [`native`] | [`save`], [`write_to`] | [`load`], [`read_from`] | keeping a diagram |
//! | JSON, with the feature `json` | `write_json` | `read_json` | other programs |
//! | DOT | [`write_dot`], [`to_dot`] | | pictures by Graphviz |
//! | | [`shape`](crate::Diagram::shape) | | pictures of small diagrams as SVG, by the crate `topdd-draw` |
//! | CSV | [`write_widths_csv`] | | the nodes at each variable, for a table or a plot |
//! | [others](interchange) | `write_...` | `read_...` | two-valued diagrams: Sapporo, Graphillion, DDDMP, lib-bdd |
//!
//! A native file may carry [`Metadata`]: the problem, and names of variables and values.
//!
//! ```
//! use topdd::Zdd;
//!
//! let zdd = Zdd::from_solutions([2, 3], [[1, 2], [0, 0]])?;
//! let (mut native, mut csv) = (Vec::new(), Vec::new());
//! zdd.write_to(&mut native).unwrap();
//! assert_eq!(Zdd::read_from(&native[..]).unwrap(), zdd);
//! zdd.write_widths_csv(&mut csv).unwrap();
//! assert_eq!(csv, b"variable,arity,nodes\n0,2,1\n1,3,1\n");
//! # Ok::<(), topdd::QueryError>(())
//! ```
//!
//! All are methods of [`Diagram`]. [`AnyDiagram`] reads files of either
//! rule. Writers stream: none copies the nodes. Readers return an [`Error`](crate::FileError) with the
//! position where the input is wrong, and allocate at most a small multiple of the input's size.
//!
//! [`save`]: crate::Diagram::save
//! [`load`]: crate::Diagram::load
//! [`write_to`]: crate::Diagram::write_to
//! [`read_from`]: crate::Diagram::read_from
//! [`write_dot`]: crate::Diagram::write_dot
//! [`to_dot`]: crate::Diagram::to_dot
//! [`write_widths_csv`]: crate::Diagram::write_widths_csv

pub(crate) mod dot;
pub mod interchange;
#[cfg(feature = "json")]
pub mod json;
mod metadata;
pub mod native;
mod shape;

use super::diagram::{Diagram, DiagramRule};
use super::file::Files;
use super::{Bdd, BigUint, FileError, Rule, Zdd};
use native::{Loaded, Trust, load, map, read};
use std::io::{self, Read, Write};
use std::path::Path;

pub use super::file::AtomicFile;
pub use metadata::{Iter as MetadataIter, Metadata};
pub use shape::{Arrow, Shape, ShapeNode};

/// A diagram under a rule that is not known before it is read from a file.
///
/// Match on it to get the diagram. It has the methods that both rules have. Each does the same as the
/// method of [`Diagram`] with the same name, at the same cost.
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

    fn from_loaded(loaded: Loaded) -> Result<Self, FileError> {
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

impl<R: DiagramRule> Diagram<R> {
    /// Writes the width of each level as comma-separated values: a line of names,
    /// `variable,arity,nodes`, and a line for each variable from the root down. Cost: linear in the
    /// number of variables.
    ///
    /// ```
    /// let mut text = Vec::new();
    /// topdd::Zdd::full([2; 3])?.write_widths_csv(&mut text).expect("memory does not fail");
    /// assert_eq!(text, b"variable,arity,nodes\n0,2,1\n1,2,1\n2,2,1\n");
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn write_widths_csv<W: Write>(&self, mut out: W) -> io::Result<()> {
        writeln!(out, "variable,arity,nodes")?;
        let mut levels = self.store.levels().rev().peekable();
        for variable in 0..self.num_vars() {
            let level = levels.next_if(|level| level.variable == variable);
            let nodes = level.map_or(0, |level| level.len());
            writeln!(out, "{variable},{},{nodes}", self.arity(variable))?;
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::check::RandomSpec;
    use crate::{bdd, zdd};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_table_is_of_the_widths(seed: u64) {
            let spec = RandomSpec::new(seed);
            let diagram = zdd(&spec).unwrap();
            let (mut text, mut of_bdd) = (Vec::new(), Vec::new());
            diagram.write_widths_csv(&mut text).unwrap();
            bdd(&spec).unwrap().write_widths_csv(&mut of_bdd).unwrap();
            let text = String::from_utf8(text).unwrap();
            prop_assert_eq!(of_bdd.split(|&byte| byte == b'\n').count(), text.split('\n').count());
            let mut lines = text.lines();
            prop_assert_eq!(lines.next(), Some("variable,arity,nodes"));
            let most = diagram.widths().into_iter().max().filter(|&width| width > 0);
            let first = diagram.widths().into_iter().position(|width| Some(width) == most);
            prop_assert_eq!(diagram.widest(), first.zip(most));
            for (variable, width) in diagram.widths().into_iter().enumerate() {
                let line = format!("{variable},{},{width}", spec.arities()[variable]);
                prop_assert_eq!(lines.next(), Some(&line[..]));
            }
            prop_assert_eq!(lines.next(), None);
        }
    }
}
