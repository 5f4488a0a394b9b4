//! The class `Graph`.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use topdd_chess::Board;
use topdd_graph::Graph as Core;
use topdd_graph::families::Unit;
use topdd_graph::format::{self, GraphFormat, GraphReadOptions, NoteKind};

use crate::convert::{Numbers, SOURCES, TABLES, call, collected, flag};
use crate::errors::{Failure, Outcome, bytes_of, in_graph_file, no_attribute, remedy};
use crate::run::short;
use crate::universe::Elements;

/// A graph in the form that `topdd/_sources.py` makes of every source.
#[derive(FromPyObject)]
struct Normal<'py> {
    vertices: Bound<'py, PyTuple>,
    ends: Vec<(usize, usize)>,
    directed: bool,
    weight: Option<Bound<'py, PyAny>>,
    p: Option<Vec<f64>>,
    vertex_p: Option<Vec<f64>>,
    population: Option<Bound<'py, PyAny>>,
    pos: Option<Vec<(f64, f64)>>,
    board: Option<(usize, usize)>,
    unusable: Vec<(String, String)>,
}

/// A graph with the objects of the user.
#[derive(Debug)]
pub(crate) struct GraphData {
    /// Without labels and weights.
    pub(crate) core: Core,
    pub(crate) vertices: Elements,
    pub(crate) edges: Elements,
    pub(crate) weight: Option<Arc<Numbers>>,
    pub(crate) population: Option<Arc<Numbers>>,
    /// The probability that each edge works.
    pub(crate) p: Option<Vec<f64>>,
    pub(crate) vertex_p: Option<Vec<f64>>,
    /// The board, if the vertices are squares.
    pub(crate) board: Option<Board>,
    /// The kinds of numbers that cannot be used, with the reasons.
    unusable: Vec<(String, String)>,
    normal: Py<PyAny>,
}

impl GraphData {
    fn new(normal: &Bound<'_, PyAny>) -> Outcome<Self> {
        let py = normal.py();
        let given: Normal<'_> = normal.extract()?;
        let (count, ends) = (given.vertices.len(), given.ends);
        let core =
            if given.directed { Core::directed(count, ends) } else { Core::new(count, ends) };
        let core = match given.pos {
            Some(pos) => core?.with_positions(pos)?,
            None => core?,
        };
        let vertices = Elements::new(given.vertices, "vertex")?;
        let (names, index) = call(py, SOURCES, "named_edges", (normal,))?.extract()?;
        let edges = Elements::with_index(names, index);
        let numbers = |given: Option<Bound<'_, PyAny>>, elements: &Elements, what| {
            given.map(|values| Numbers::new(&values, elements.objects(py), what)).transpose()
        };
        Ok(Self {
            weight: numbers(given.weight, &edges, "weight")?,
            population: numbers(given.population, &vertices, "population")?,
            vertices,
            board: given.board.map(|(rows, cols)| Board::new(rows, cols)),
            unusable: given.unusable,
            normal: normal.clone().unbind(),
            core,
            edges,
            p: given.p,
            vertex_p: given.vertex_p,
        })
    }

    /// The edges, or else the vertices.
    pub(crate) fn elements(&self, unit: Unit) -> &Elements {
        if unit == Unit::Edge { &self.edges } else { &self.vertices }
    }

    /// The number of a vertex.
    pub(crate) fn vertex(&self, object: &Bound<'_, PyAny>) -> Outcome<usize> {
        self.vertices.find(object)?.ok_or_else(|| {
            Failure::Input(format!(
                "{object:?} is no vertex of the graph; Graph.vertices lists them"
            ))
        })
    }

    /// The numbers of some vertices.
    pub(crate) fn vertex_list(&self, objects: &Bound<'_, PyAny>) -> Outcome<Vec<usize>> {
        if objects.is_instance_of::<PyString>() {
            return Err(Failure::Input(format!("give a list of vertices, such as [{objects:?}]")));
        }
        let objects = &collected(objects)?;
        let iterator = objects
            .try_iter()
            .map_err(|_| Failure::Input(format!("{objects:?} is no list of vertices")))?;
        let mut numbers = Vec::new();
        for object in iterator {
            let object = object?;
            let number = self.vertex(&object)?;
            if numbers.contains(&number) {
                return Err(Failure::Input(format!(
                    "the vertex {object:?} is given twice; give it once"
                )));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// Whether both have the same vertices and edges in the same order.
    pub(crate) fn same(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        Ok(self.core.is_directed() == other.core.is_directed()
            && self.core.edges() == other.core.edges()
            && self.vertices.objects(py).eq(other.vertices.objects(py))?
            && self.edges.objects(py).eq(other.edges.objects(py))?)
    }

    /// The graph of combinations of solutions of two graphs that are the same: without the numbers that differ.
    pub(crate) fn combined(one: &Arc<Self>, two: &Arc<Self>, py: Python<'_>) -> Outcome<Arc<Self>> {
        if Arc::ptr_eq(one, two) {
            return Ok(one.clone());
        }
        let normal = call(py, SOURCES, "combined", (one.normal(py), two.normal(py)))?;
        if normal.is(one.normal(py)) {
            return Ok(one.clone());
        }
        Ok(Arc::new(Self::new(&normal)?))
    }

    /// Fails if the numbers of a kind cannot be used.
    fn check_usable(&self, kind: &str) -> Outcome<()> {
        match self.unusable.iter().find(|(name, _)| name == kind) {
            Some((_, reason)) => Err(Failure::input(reason)),
            None => Ok(()),
        }
    }

    /// The weights of the edges, or the population of the vertices, if there are any; fails if they cannot be used.
    pub(crate) fn weights(&self, unit: Unit) -> Outcome<Option<&Arc<Numbers>>> {
        self.check_usable(weights_of(unit))?;
        Ok(if unit == Unit::Edge { &self.weight } else { &self.population }.as_ref())
    }

    /// The probabilities of the edges or vertices, if there are any; fails if they cannot be used.
    pub(crate) fn probabilities(&self, unit: Unit) -> Outcome<Option<&Vec<f64>>> {
        let (kind, works) =
            if unit == Unit::Edge { ("p", &self.p) } else { ("vertex_p", &self.vertex_p) };
        self.check_usable(kind)?;
        Ok(works.as_ref())
    }

    pub(crate) fn normal<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.normal.bind(py)
    }

    /// The graph with the texts of its vertices, for pictures and files.
    pub(crate) fn labelled(&self, py: Python<'_>) -> Outcome<Core> {
        Ok(self.core.clone().with_vertex_labels(texts(self.vertices.objects(py))?)?)
    }
}

/// The field of a graph of Python with the weights of edges or vertices.
pub(crate) fn weights_of(unit: Unit) -> &'static str {
    if unit == Unit::Edge { "weight" } else { "population" }
}

/// A graph: vertices, which are any hashable objects, and edges between them.
///
/// The source is a graph of networkx, rustworkx or igraph, a pandas or polars table with an edge in each row, a
/// sparse matrix of scipy, or an iterable of edges ``(u, v)``, ``(u, v, weight)`` or ``(u, v, attributes)``.
/// The edges of the graph are pairs ``(u, v)``. If any two are parallel, all edges are triples ``(u, v, key)``: with the
/// keys of networkx, or with numbers from 0. An undirected edge is found in both directions, and without its key if no
/// other edge is parallel to it. A graph does not change.
/// Two graphs are equal if they have the same vertices and edges in the same order; weights, probabilities,
/// populations and positions do not count.
///
/// ``weight``, ``p``, ``vertex_p``, ``population`` and ``pos`` are names of attributes of the source, mappings,
/// sequences in the order of the edges or vertices, series of pandas, which count by their index, or one number for
/// all. A number that is missing for an edge or vertex is refused, and not taken for 1:
///
/// - ``weight``: the cost of each edge. By default it is the third part of triples, or the attribute ``weight`` of the
///   source; without any, or with ``weight=None``, each edge weighs 1;
/// - ``p`` and ``vertex_p``: the probability that an edge, or a vertex, works;
/// - ``population``: the weight of each vertex;
/// - ``pos``: the position of each vertex in pictures.
///
/// Sums of weights are exact, those of floats by their decimal digits. Floats with too many digits for a sum of 63 bits
/// are rounded: sets are compared, and bounds hold, up to the fifteenth digit of the sum of all weights. Floats as bounds
/// on sums of floats hold up to their own fifteenth digit.
///
/// >>> import topdd as td
/// >>> square = td.Graph([("a", "b", 4), ("b", "c", 7), ("c", "d", 1), ("d", "a", 2)])
/// >>> square.spanning_trees().count()
/// 4
/// >>> square.spanning_trees().build().best(1)
/// [(7, Solution([('a', 'b'), ('c', 'd'), ('d', 'a')]))]
#[pyclass(frozen, module = "topdd")]
pub(crate) struct Graph(pub(crate) Arc<GraphData>);

#[pymethods]
impl Graph {
    #[new]
    #[pyo3(
        signature = (source=None, **options),
        text_signature = "(source=None, *, vertices=None, directed=None, weight=..., p=None, vertex_p=None, population=None, pos=None)"
    )]
    fn new(
        source: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let normal = py.import(SOURCES)?.getattr("graph")?.call((source,), options)?;
        Ok(Self(Arc::new(GraphData::new(&normal)?)))
    }

    /// Reads a graph from a file that topdd reads: an edge list, CSV, DIMACS, GraphML, JSON, METIS, an adjacency
    /// list, graph6, sparse6, or one of them compressed by gzip. Vertices are strings, or integers if the file has only
    /// these.
    ///
    /// ``format`` is ``"edges"``, ``"csv"``, ``"adjlist"``, ``"dimacs"``, ``"metis"``, ``"graphml"``, ``"json"``,
    /// ``"graph6"`` or ``"sparse6"``; without it, the ending of the name decides, and other files are edge lists.
    /// ``weight`` is the column or attribute with the weights, and of JSON and GraphML with those of the vertices. Without
    /// it, numbers that cannot be read are an error of the calls that need them. ``columns`` are names or numbers of the
    /// columns of a table with the ends of edges and the weights, and ``decimal_comma=True`` reads ``30,5``. ``merge`` is for
    /// edges in both directions, as for `to_undirected`; by default they are joined if all edges have both. Decisions that
    /// may be wrong are an `InputWarning`. For files of other formats, use a reader of networkx.
    #[classmethod]
    #[pyo3(signature = (path, *, format=None, directed=None, weight=None, columns=None, decimal_comma=false, merge=None))]
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of Python")]
    fn read(
        _class: &Bound<'_, PyType>,
        path: PathBuf,
        format: Option<&str>,
        directed: Option<bool>,
        weight: Option<String>,
        columns: Option<Vec<Bound<'_, PyAny>>>,
        #[pyo3(from_py_with = flag)] decimal_comma: bool,
        merge: Option<&Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> Outcome<Self> {
        let bytes = bytes_of(&path)?;
        let columns = columns.unwrap_or_default();
        let columns = columns.iter().map(|name| Ok(name.str()?.to_string()));
        // Numbers that no call needs may be wrong.
        let mut options = GraphReadOptions {
            directed,
            decimal_weights: true,
            unchecked_weights: weight.is_none(),
            decimal_comma,
            weight_attribute: weight,
            columns: columns.collect::<PyResult<Vec<String>>>()?,
            ..GraphReadOptions::default()
        };
        if let Some(merge) = merge {
            options.merge_directions = Some(call(py, SOURCES, "is_joined", (merge,))?.extract()?);
        }
        let named = |name: &str| name.parse::<GraphFormat>().map_err(Failure::input);
        let format = format.map(named).transpose()?;
        let file = short(py, || Ok(format::read_file(&path, &bytes, format, &options)?))?;
        // The columns are mostly those that are meant.
        for note in file.notes.iter().filter(|note| note.kind != NoteKind::Columns) {
            warn(py, &format!("{}: {}", path.display(), note.worded(remedy)))?;
        }
        let errors =
            [("weight", file.edges.weight_error), ("population", file.vertices.weight_error)];
        let unusable =
            errors.into_iter().filter_map(|(kind, error)| Some((kind, in_graph_file(&error?))));
        let fields = PyDict::new(py);
        fields.set_item("unusable", PyTuple::new(py, unusable.collect::<Vec<_>>())?)?;
        fields.set_item("weight", file.edges.numbers)?;
        fields.set_item("population", file.vertices.numbers)?;
        if let Some(labels) = file.graph.vertex_labels() {
            fields.set_item("vertices", vertices_of(py, labels)?)?;
        }
        Self::of_core(&file.graph, &fields)
    }

    /// The vertices, in the order in which they were given.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.0.vertices.objects(py).clone()
    }

    /// The edges, as tuples of their ends, in the order in which they were given.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.0.edges.objects(py).clone()
    }

    /// Whether edges have directions.
    #[getter]
    fn directed(&self) -> bool {
        self.0.core.is_directed()
    }

    /// The weight of each edge, or ``None`` if each weighs 1.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyDict>>> {
        self.weights_of(Unit::Edge, py)
    }

    /// The weight of each vertex, or ``None`` if each weighs 1.
    #[getter]
    fn population<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyDict>>> {
        self.weights_of(Unit::Vertex, py)
    }

    /// The probability that each edge works, or ``None``.
    #[getter]
    fn p<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyDict>>> {
        let p = self.0.probabilities(Unit::Edge)?;
        Ok(p.map(|p| self.0.edges.mapping(py, p)).transpose()?)
    }

    /// The probability that each vertex works, or ``None`` if all always work.
    #[getter]
    fn vertex_p<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyDict>>> {
        let p = self.0.probabilities(Unit::Vertex)?;
        Ok(p.map(|p| self.0.vertices.mapping(py, p)).transpose()?)
    }

    /// The position of each vertex in pictures, or ``None``.
    #[getter]
    fn pos<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let pos = self.0.core.positions();
        pos.map(|pos| self.0.vertices.mapping(py, pos.iter().copied())).transpose()
    }

    /// Returns the same graph without directions.
    ///
    /// Two edges with the same ends in opposite directions are refused. ``merge="equal"`` joins them to one edge if all
    /// of their attributes are equal, and ``merge=False`` keeps both as parallel edges.
    ///
    /// >>> import topdd as td
    /// >>> streets = td.Graph([(0, 1), (1, 0), (1, 2), (2, 1), (0, 2)], directed=True)
    /// >>> streets.to_undirected(merge="equal").edges
    /// ((0, 1), (1, 2), (0, 2))
    #[pyo3(signature = (*, merge=None))]
    fn to_undirected(&self, merge: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> Outcome<Self> {
        let normal = call(py, SOURCES, "undirected", (self.0.normal(py), merge))?;
        Ok(Self(Arc::new(GraphData::new(&normal)?)))
    }

    /// Returns a graph of networkx with the same vertices and edges, the attributes of the source, weights and positions.
    fn to_networkx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        call(py, TABLES, "graph_to_networkx", (self.0.normal(py), self.edges(py)))
    }

    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf.as_any(), name))
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> PyResult<bool> {
        self.0.same(&other.get().0, other.py())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.0.edges.objects(py).hash()
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyType>, (Py<PyAny>,)) {
        (py.get_type::<Graph>().unbind(), (self.0.normal.clone_ref(py),))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let kind = if self.0.core.is_directed() { "directed " } else { "" };
        let (vertices, edges) = (self.0.core.num_vertices(), self.0.core.num_edges());
        let keys = if self.0.normal(py).getattr("keys")?.is_none() { "" } else { " (u, v, key)" };
        Ok(format!("<topdd.Graph: {kind}{vertices} vertices, {edges} edges{keys}>"))
    }
}

impl Graph {
    fn weights_of<'py>(&self, unit: Unit, py: Python<'py>) -> Outcome<Option<Bound<'py, PyDict>>> {
        let Some(numbers) = self.0.weights(unit)? else { return Ok(None) };
        Ok(Some(self.0.elements(unit).mapping(py, numbers.values(py)?)?))
    }

    /// Makes a graph of a graph of the libraries, and of further fields of the normal form. Without `vertices`, these are
    /// numbers.
    pub(crate) fn of_core(core: &Core, fields: &Bound<'_, PyDict>) -> Outcome<Self> {
        let py = fields.py();
        if !fields.contains("vertices")? {
            fields.set_item("vertices", PyTuple::new(py, 0..core.num_vertices())?)?;
        }
        fields.set_item("ends", core.edges())?;
        fields.set_item("directed", core.is_directed())?;
        fields.set_item("pos", core.positions())?;
        let normal = py.import(SOURCES)?.getattr("Normal")?.call((), Some(fields))?;
        let normal = call(py, SOURCES, "with_keys", (normal,))?;
        Ok(Self(Arc::new(GraphData::new(&normal)?)))
    }
}

/// The texts of objects: different texts for different objects.
pub(crate) fn texts(objects: &Bound<'_, PyTuple>) -> PyResult<Vec<String>> {
    call(objects.py(), TABLES, "texts", (objects,))?.extract()
}

/// Warns of a decision about the input that a user should know.
pub(crate) fn warn(py: Python<'_>, note: &str) -> PyResult<()> {
    let category = py.import("topdd._errors")?.getattr("InputWarning")?;
    PyErr::warn(py, &category, &CString::new(note)?, 1)
}

/// The labels of a file as vertices: integers if all of them are.
fn vertices_of<'py>(py: Python<'py>, labels: &[String]) -> PyResult<Bound<'py, PyTuple>> {
    let number =
        |label: &String| label.parse::<i64>().ok().filter(|number| number.to_string() == *label);
    match labels.iter().map(number).collect::<Option<Vec<i64>>>() {
        Some(numbers) => PyTuple::new(py, numbers),
        None => PyTuple::new(py, labels),
    }
}
