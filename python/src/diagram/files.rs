//! Diagrams in files and in pickles.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use topdd::format::Metadata;
use topdd::format::interchange::ReadOptions;
use topdd::{AnyDiagram, IoError, Zdd};

use super::Diagram;
use crate::errors::{Failure, Outcome};
use crate::run::Limits;
use crate::universe::Universe;

#[pymethods]
impl Diagram {
    /// Saves the diagram with its graph or elements, which must be strings, numbers, booleans, ``None`` or tuples of
    /// these. The command ``topdd`` reads the file, too.
    ///
    /// A file of that name is replaced only by a complete one.
    fn save(&self, path: PathBuf, py: Python<'_>) -> Outcome<()> {
        let make = py.import("topdd._files")?.getattr("metadata")?;
        let made = make.call1((self.universe.state(py)?, self.order.to_vec()))?;
        let mut metadata = Metadata::new();
        for (key, value) in made.cast::<PyDict>().map_err(PyErr::from)?.iter() {
            metadata.set(key.extract::<String>()?, value.extract::<String>()?);
        }
        metadata.set_variable_names(self.names(py)?);
        let zdd = self.zdd.clone();
        Limits::new(py, None)?.run(py, move |_| Ok(zdd.save_with(&path, &metadata)?))
    }

    /// Loads a diagram from a file of topdd, or from a dump of Graphillion.
    ///
    /// A file of topdd has its graph, or its elements. A ``graph`` with the same vertices and edges in the same order
    /// replaces it, with other weights. For a dump, ``elements`` are the elements in the order of its variables: the
    /// list ``GraphSet.universe()``. With a ``graph``, they are its edges.
    #[staticmethod]
    #[pyo3(signature = (path, *, graph=None, elements=None))]
    fn load(
        path: PathBuf,
        graph: Option<&Bound<'_, crate::graph::Graph>>,
        elements: Option<&Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let given = elements
            .map(|elements| PyTuple::new(py, elements.try_iter()?.collect::<PyResult<Vec<_>>>()?))
            .transpose()?;
        let most = given.as_ref().map(pyo3::types::PyTupleMethods::len);
        let (zdd, metadata) = Limits::new(py, None)?.run(py, move |_| read(&path, most))?;
        let known = PyDict::new(py);
        for (key, value) in &metadata {
            known.set_item(key, value)?;
        }
        let arities: Vec<usize> = (0..zdd.num_vars()).map(|variable| zdd.arity(variable)).collect();
        let make = py.import("topdd._files")?.getattr("restored_metadata")?;
        let (state, order): (Bound<'_, PyTuple>, Vec<usize>) =
            make.call1((known, arities, graph, given))?.extract()?;
        Self::of_parts(&state, zdd, order)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("topdd._files")?.getattr("restored_diagram")?;
        let bytes = self.long(py, &Limits::new(py, None)?, |zdd, _| {
            let mut bytes = Vec::new();
            zdd.write_to(&mut bytes).map_err(|error| Failure::File(error.to_string()))?;
            Ok(bytes)
        })?;
        let state = (self.universe.state(py)?, PyBytes::new(py, &bytes), self.order.to_vec());
        Ok((restore, state.into_pyobject(py)?))
    }

    #[staticmethod]
    fn _restore(state: &Bound<'_, PyTuple>, bytes: Vec<u8>, order: Vec<usize>) -> Outcome<Self> {
        let py = state.py();
        let zdd = Limits::new(py, None)?.run(py, move |_| Ok(Zdd::read_from(&bytes[..])?))?;
        Self::of_parts(state, zdd, order)
    }
}

impl Diagram {
    /// Makes a diagram of its parts, which may be from a forged file.
    fn of_parts(state: &Bound<'_, PyTuple>, zdd: Zdd, order: Vec<usize>) -> Outcome<Self> {
        let universe = Universe::of_state(state)?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let arity = universe.colours().unwrap_or(2);
        let fits = arity <= 256
            && sorted.iter().copied().eq(0..universe.elements().len())
            && order.len() == zdd.num_vars()
            && (0..zdd.num_vars()).all(|variable| zdd.arity(variable) == arity);
        if !fits {
            return Err(Failure::File(format!(
                "the diagram has {} variables, and does not fit the {} elements; give the elements of all variables \
                 in their order",
                zdd.num_vars(),
                universe.elements().len()
            )));
        }
        Ok(Self::new(universe, zdd, order))
    }

    /// The text of the element of each variable: different texts for different elements.
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let names = self.texts(py, |part| Ok(part.str()?.to_string()))?;
        if names.iter().collect::<HashSet<_>>().len() == names.len() {
            return Ok(names);
        }
        self.texts(py, |part| Ok(part.repr()?.to_string()))
    }

    /// The text of the element of each variable, made of the texts of objects.
    fn texts(
        &self,
        py: Python<'_>,
        text: fn(&Bound<'_, PyAny>) -> PyResult<String>,
    ) -> PyResult<Vec<String>> {
        let elements = self.universe.elements();
        let name = |&element: &usize| {
            let object = elements.object(py, element)?;
            match object.cast::<PyTuple>() {
                Ok(parts) if matches!(&*self.universe, Universe::Edges(..)) => {
                    let parts = parts.iter().map(|part| text(&part));
                    Ok(parts.collect::<PyResult<Vec<_>>>()?.join("-"))
                }
                _ => text(&object),
            }
        };
        self.order.iter().map(name).collect()
    }
}

/// Reads a file of topdd, or a dump of Graphillion with at most so many variables.
fn read(path: &Path, variables: Option<usize>) -> Outcome<(Zdd, Metadata)> {
    let bytes = std::fs::read(path)
        .map_err(|error| IoError::new("read", Some(path.to_path_buf()), error))?;
    let is_dump =
        bytes.first().is_some_and(|first| first.is_ascii_digit() || b"BT.".contains(first));
    if is_dump {
        let Some(variables) = variables else {
            return Err(Failure::File(format!(
                "{} is a dump of Graphillion, which does not contain its edges; give elements=GraphSet.universe()",
                path.display()
            )));
        };
        let options = ReadOptions::new().num_vars(variables);
        return Ok((Zdd::read_graphillion(&bytes[..], &options)?, Metadata::new()));
    }
    if !bytes.get(1..6).is_some_and(|name| name == b"topdd") {
        return Err(Failure::File(format!(
            "{} is no file of topdd, which Diagram.save writes, and no dump of Graphillion",
            path.display()
        )));
    }
    match AnyDiagram::load_with_metadata(path)? {
        (AnyDiagram::Zdd(zdd), metadata) => Ok((zdd, metadata)),
        (AnyDiagram::Bdd(bdd), metadata) => Ok((bdd.to_zdd()?, metadata)),
    }
}
