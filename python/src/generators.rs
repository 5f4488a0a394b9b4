//! Well-known graphs, as static methods of `Graph`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use topdd_graph::Graph as Core;

use crate::convert::Size;
use crate::errors::{Failure, Outcome};
use crate::graph::Graph;

/// The most vertices and edges of a graph.
const MOST: usize = 1 << 22;

/// Makes a graph whose vertices are numbers, unless about so many edges are too many.
fn made(py: Python<'_>, edges: Option<usize>, make: impl FnOnce() -> Core) -> Outcome<Graph> {
    if edges.is_none_or(|edges| edges > MOST) {
        return Err(Failure::Input(format!(
            "the graph would have more than {MOST} vertices or edges"
        )));
    }
    Graph::of_core(&make(), &PyDict::new(py))
}

/// Static methods whose arguments are the product of sizes.
macro_rules! by_sizes {
    ($($(#[$doc:meta])* $name:ident($($size:ident),*);)*) => {
        #[pymethods]
        impl Graph {$(
            $(#[$doc])*
            #[staticmethod]
            fn $name($($size: Size,)* py: Python<'_>) -> Outcome<Self> {
                $(let Size($size) = $size;)*
                let product = [$($size),*].into_iter().try_fold(1usize, |all, size| all.checked_mul(size.max(1)));
                made(py, product, || Core::$name($($size),*))
            }
        )*}
    };
}

by_sizes! {
    /// A grid of squares. The vertices are numbered row by row.
    grid(rows, cols);
    /// The moves of a king on a board.
    king(rows, cols);
    /// A grid of triangles.
    triangular(rows, cols);
    /// A grid of hexagons.
    hex(rows, cols);
    /// A grid whose opposite sides are joined.
    torus(rows, cols);
    /// All edges between two sides.
    complete_bipartite(left, right);
    /// A vertex with so many leaves.
    star(leaves);
}

/// The argument of a generator whose name resembles the name of a family, which a call of a graph may mean.
fn vertices_of(
    args: &Bound<'_, PyTuple>,
    keywords: Option<&Bound<'_, PyDict>>,
    name: &str,
) -> Outcome<usize> {
    let named = keywords.map(|keywords| keywords.get_item("vertices")).transpose()?.flatten();
    let given = args.iter().chain(named).collect::<Vec<_>>();
    match (&given[..], keywords.map_or(0, PyDictMethods::len) + args.len()) {
        ([vertices], 1) if vertices.hasattr("__index__")? => Ok(vertices.extract::<Size>()?.0),
        _ => Err(PyTypeError::new_err(format!(
            "Graph.{name}(vertices) makes a graph of so many vertices; the {name}s of a graph are {name}s(..)"
        ))
        .into()),
    }
}

#[pymethods]
impl Graph {
    /// A cycle of so many vertices.
    #[staticmethod]
    #[pyo3(signature = (*args, **keywords), text_signature = "(vertices)")]
    fn cycle(
        args: &Bound<'_, PyTuple>,
        keywords: Option<&Bound<'_, PyDict>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let vertices = vertices_of(args, keywords, "cycle")?;
        made(py, Some(vertices), || Core::cycle(vertices))
    }

    /// A path of so many vertices.
    #[staticmethod]
    #[pyo3(signature = (*args, **keywords), text_signature = "(vertices)")]
    fn path(
        args: &Bound<'_, PyTuple>,
        keywords: Option<&Bound<'_, PyDict>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let vertices = vertices_of(args, keywords, "path")?;
        made(py, Some(vertices), || Core::path(vertices))
    }

    /// All edges between so many vertices.
    #[staticmethod]
    fn complete(vertices: Size, py: Python<'_>) -> Outcome<Self> {
        let Size(vertices) = vertices;
        made(py, vertices.checked_mul(vertices), || Core::complete(vertices))
    }

    /// The corners and sides of a hypercube.
    #[staticmethod]
    fn hypercube(dimension: Size, py: Python<'_>) -> Outcome<Self> {
        let Size(dimension) = dimension;
        let edges = u32::try_from(dimension)
            .ok()
            .and_then(|d| dimension.max(1).checked_mul(2usize.checked_pow(d)?));
        made(py, edges, || Core::hypercube(dimension))
    }

    /// A graph with a name, such as ``"petersen"``; the error for another name lists all.
    #[staticmethod]
    fn named(name: &str, py: Python<'_>) -> Outcome<Self> {
        let core = Core::named(name).ok_or_else(|| {
            let names: Vec<&str> = Core::names().collect();
            Failure::Input(format!(
                "there is no graph {name:?}; the names are {}",
                names.join(", ")
            ))
        })?;
        made(py, Some(0), || core)
    }
}
