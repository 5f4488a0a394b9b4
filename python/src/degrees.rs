//! Degrees of vertices, and other bounds, as arguments.

use std::ops::RangeInclusive;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use topdd_problem::{DegreeCount, PerVertex};

use crate::convert::size;
use crate::errors::{Failure, Outcome};
use crate::graph::GraphData;

/// A number from 0, or several; `None` for other objects.
fn numbers(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<usize>>> {
    match (value.extract(), value.try_iter()) {
        (Ok(number), _) => Ok(Some(vec![number])),
        (_, Ok(several)) => several.map(|number| Ok(number?.extract().ok())).collect(),
        _ => Ok(None),
    }
}

/// The degrees that a vertex may have.
fn degrees_of(value: &Bound<'_, PyAny>) -> Outcome<Option<Vec<usize>>> {
    numbers(value)?.map(Some).ok_or_else(|| {
        Failure::Input(format!("{value:?} is no degree; give a number from 0, or several"))
    })
}

/// The degrees that each vertex may have; any, where nothing is given.
pub(crate) fn allowed(
    graph: &GraphData,
    given: Option<&Bound<'_, PyAny>>,
) -> Outcome<PerVertex<Option<Vec<usize>>>> {
    let Some(given) = given else { return Ok(PerVertex::ANY) };
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return degrees_of(given).map(PerVertex::All);
    };
    let mut all = vec![None; graph.core.num_vertices()];
    for item in mapping.items()? {
        let (vertex, degrees): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        all[graph.vertex(&vertex)?] = degrees_of(&degrees)?;
    }
    Ok(PerVertex::Each(all))
}

/// A number for each vertex: one for all, or a mapping with all of them.
pub(crate) fn per_vertex(graph: &GraphData, given: &Bound<'_, PyAny>) -> Outcome<PerVertex<usize>> {
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return size(given, "the number for each vertex").map(PerVertex::All);
    };
    let number = |vertex: Bound<'_, PyAny>| match mapping.get_item(&vertex) {
        Ok(value) => size(&value, "the number of a vertex"),
        Err(_) => {
            Err(Failure::Input(format!("the mapping has no number for the vertex {vertex:?}")))
        }
    };
    for key in mapping.keys()? {
        graph.vertex(&key)?;
    }
    let numbers = graph.vertices.objects(given.py()).iter().map(number);
    numbers.collect::<Outcome<_>>().map(PerVertex::Each)
}

/// A number, or ascending numbers without gaps, as a range.
pub(crate) fn size_bounds(value: &Bound<'_, PyAny>) -> Outcome<RangeInclusive<usize>> {
    match numbers(value)?.as_deref() {
        Some(all @ &[first, .., last]) if all.iter().copied().eq(first..=last) => Ok(first..=last),
        Some(&[only]) => Ok(only..=only),
        _ => Err(Failure::Input(format!(
            "{value:?} is no range; give a number, or numbers without gaps"
        ))),
    }
}

/// The numbers of vertices of each degree.
pub(crate) fn degree_counts(given: &Bound<'_, PyDict>) -> Outcome<Vec<DegreeCount>> {
    let count = |degree: &Bound<'_, PyAny>, vertices: &Bound<'_, PyAny>| {
        let (least, most) = vertices
            .extract::<usize>()
            .map(|number| (number, number))
            .or_else(|_| vertices.extract())
            .map_err(|_| {
                Failure::Input(format!(
                    "{vertices:?} is no number of vertices; give one, or a pair of bounds"
                ))
            })?;
        Ok(DegreeCount { degree: size(degree, "degree")?, vertices: least..=most })
    };
    if given.is_empty() {
        // No vertex may have any degree, where an empty distribution would be none.
        return Ok(vec![DegreeCount { degree: 0, vertices: 0..=0 }]);
    }
    given.iter().map(|(degree, vertices)| count(&degree, &vertices)).collect()
}
