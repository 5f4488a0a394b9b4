//! Degrees of vertices, and other bounds, as arguments.

use std::ops::RangeInclusive;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use topdd_graph::families::Degrees;

use crate::convert::size;
use crate::errors::{Failure, Outcome};
use crate::graph::GraphData;

/// The degrees that a vertex may have: a number, or a collection of numbers.
fn degrees_of(value: &Bound<'_, PyAny>) -> Outcome<Degrees> {
    if let Ok(degree) = value.extract::<usize>() {
        return Ok(degree.into());
    }
    let refused =
        || Failure::Input(format!("{value:?} is no degree; give a number from 0, or several"));
    let degrees = value.try_iter().map_err(|_| refused())?;
    let degrees = degrees.map(|degree| degree?.extract().map_err(|_| refused()));
    Ok(Degrees::of(degrees.collect::<Outcome<Vec<usize>>>()?))
}

/// The degrees that each vertex may have; any, where nothing is given.
pub(crate) fn allowed(
    graph: &GraphData,
    given: Option<&Bound<'_, PyAny>>,
) -> Outcome<Vec<Degrees>> {
    let vertices = graph.core.num_vertices();
    let Some(given) = given else { return Ok(vec![Degrees::any(); vertices]) };
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return Ok(vec![degrees_of(given)?; vertices]);
    };
    let mut all = vec![Degrees::any(); vertices];
    for item in mapping.items()? {
        let (vertex, degrees): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        all[graph.vertex(&vertex)?] = degrees_of(&degrees)?;
    }
    Ok(all)
}

/// A number for each vertex: one for all, or a mapping with all of them.
pub(crate) fn per_vertex(graph: &GraphData, given: &Bound<'_, PyAny>) -> Outcome<Vec<usize>> {
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return Ok(vec![size(given, "the number for each vertex")?; graph.core.num_vertices()]);
    };
    let objects = graph.vertices.objects(given.py());
    let number = |vertex: Bound<'_, PyAny>| match mapping.get_item(&vertex) {
        Ok(value) => size(&value, "the number of a vertex"),
        Err(_) => {
            Err(Failure::Input(format!("the mapping has no number for the vertex {vertex:?}")))
        }
    };
    for key in mapping.keys()? {
        graph.vertex(&key)?;
    }
    objects.iter().map(number).collect()
}

/// A number, a pair of bounds, or ascending numbers without gaps, as a range.
pub(crate) fn size_bounds(value: &Bound<'_, PyAny>) -> Outcome<RangeInclusive<usize>> {
    if let Ok(number) = value.extract::<usize>() {
        return Ok(number..=number);
    }
    let refused =
        || Failure::Input(format!("{value:?} is no range; give a number, or numbers without gaps"));
    let numbers: Vec<usize> = value
        .extract()
        .or_else(|_| {
            let all = value.try_iter()?;
            all.map(|number| number?.extract()).collect::<PyResult<Vec<usize>>>()
        })
        .map_err(|_| refused())?;
    match numbers[..] {
        [first, .., last] if numbers.iter().zip(first..).all(|(number, next)| *number == next) => {
            Ok(first..=last)
        }
        [first] => Ok(first..=first),
        _ => Err(refused()),
    }
}

/// The bounds on the number of vertices of each degree.
pub(crate) fn degree_bounds(
    graph: &GraphData,
    given: &Bound<'_, PyDict>,
) -> Outcome<Vec<RangeInclusive<usize>>> {
    let core = &graph.core;
    let most = (0..core.num_vertices()).map(|vertex| core.degree(vertex)).max().unwrap_or(0);
    // One more degree than there can be stands for all larger ones.
    let mut bounds = vec![0..=0; most + 2];
    for (degree, vertices) in given.iter() {
        let degree = size(&degree, "degree")?;
        let range = if let Ok(number) = vertices.extract::<usize>() {
            number..=number
        } else {
            let (least, most): (usize, usize) = vertices.extract().map_err(|_| {
                Failure::Input(format!(
                    "{vertices:?} is no number of vertices; give one, or a pair of bounds"
                ))
            })?;
            least..=most
        };
        if degree <= most || *range.start() > 0 {
            bounds[degree.min(most + 1)] = range;
        }
    }
    Ok(bounds)
}
