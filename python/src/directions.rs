//! Edges in both directions and names in two forms, by the rules and in the words of `topdd-graph`.

use std::cell::RefCell;

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use topdd_graph::format::note_of_forms as note;
use topdd_graph::{Graph as Core, GraphError};

use crate::errors::Outcome;

/// The directed edges as in Python.
fn names(vertices: &Bound<'_, PyTuple>, core: &Core, edges: [usize; 2]) -> PyResult<[String; 2]> {
    let name = |edge: usize| -> PyResult<String> {
        let (a, b) = core.edges()[edge];
        let ends = [vertices.get_item(a)?, vertices.get_item(b)?];
        Ok(PyTuple::new(vertices.py(), ends)?.repr()?.to_string())
    };
    Ok([name(edges[0])?, name(edges[1])?])
}

/// Fails if edges in both directions would be parallel edges of an undirected graph.
#[pyfunction]
pub(crate) fn check_directions(
    vertices: &Bound<'_, PyTuple>,
    ends: Vec<(usize, usize)>,
) -> Outcome<()> {
    let core = Core::directed(vertices.len(), ends)?;
    let pairs = core.opposite_edges(|_, _| true).unwrap_or_default();
    let Some(&(edge, other)) = pairs.first() else { return Ok(()) };
    let edges = names(vertices, &core, [edge, other])?;
    Err(GraphError::BothDirections { edges }.into())
}

/// Returns the later edge of each pair of edges in opposite directions that are the same. `difference` returns the name
/// of an attribute of two edges, and its values, if they differ.
#[pyfunction]
pub(crate) fn later_directions(
    vertices: &Bound<'_, PyTuple>,
    ends: Vec<(usize, usize)>,
    difference: &Bound<'_, PyAny>,
) -> Outcome<Vec<usize>> {
    type Difference = Option<(String, String, String)>;
    let core = Core::directed(vertices.len(), ends)?;
    let compared = |a: usize, b: usize| difference.call1((a, b))?.extract::<Difference>();
    let failed = RefCell::new(None);
    let is_same = |a, b| match compared(a, b) {
        Ok(difference) => difference.is_none(),
        Err(error) => {
            failed.borrow_mut().get_or_insert(error);
            false
        }
    };
    let pairs = core.opposite_edges(is_same);
    if let Some(error) = failed.into_inner() {
        return Err(error.into());
    }
    match pairs {
        Ok(pairs) => Ok(pairs.into_iter().map(|(_, later)| later).collect()),
        Err((edge, other)) => {
            let (attribute, one, two) = compared(edge, other)?.unwrap_or_default();
            let edges = names(vertices, &core, [edge, other])?.into();
            Err(GraphError::DifferentDirections { edges, attribute, values: [one, two].into() }
                .into())
        }
    }
}

/// Returns the note about two vertices whose names are the same text in two forms of Unicode.
#[pyfunction]
pub(crate) fn note_of_forms(vertices: &Bound<'_, PyTuple>) -> Option<String> {
    let texts = vertices.iter().filter_map(|vertex| vertex.cast_into::<PyString>().ok());
    let texts: Vec<String> = texts.filter_map(|text| text.extract().ok()).collect();
    note(texts.iter().map(String::as_str))
}
