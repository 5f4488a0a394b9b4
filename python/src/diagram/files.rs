//! Diagrams in files and in pickles.

use std::path::{Path, PathBuf};

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use topdd::format::Metadata;
use topdd::format::interchange::ReadOptions;
use topdd::{AnyDiagram, Zdd};
use topdd_graph::families::Unit;
use topdd_problem::decimal::Decimal;
use topdd_problem::names::Name;
use topdd_problem::{ElementWeights, GraphElements, Loss, Record, Subject};

use super::Diagram;
use crate::convert::{FILES, NUMBERS, Reduced, call, reduced};
use crate::errors::{Failure, Outcome, bytes_of};
use crate::graph::{Graph, texts, warn, weights_of};
use crate::run::Limits;
use crate::universe::{Domain, EdgeReading, Universe};

#[pymethods]
impl Diagram {
    /// Saves the diagram with its graph or elements, which must be strings, numbers, booleans, ``None`` or tuples of
    /// these. The command ``topdd`` reads the file, too.
    ///
    /// A file of that name is replaced only by a complete one.
    fn save(&self, path: PathBuf, py: Python<'_>) -> Outcome<()> {
        let state: String = call(py, FILES, "encoded", (self.universe.state(py)?,))?.extract()?;
        let python = serde_json::from_str(&state)
            .map_err(|error| Failure::Internal(format!("the objects are no JSON: {error}")))?;
        let mut record = Record {
            order: Some(self.order.to_vec()),
            weights: self.element_weights(py)?,
            python: Some(python),
            ..Record::default()
        };
        let mut names = texts(self.universe.elements().objects(py))?;
        if let Some(graph) = self.universe.graph() {
            let elements = GraphElements::new(None, self.universe.unit(), graph.labelled(py)?);
            names = elements.names().iter().map(Name::stored).collect();
            record.graph = Some(elements.record());
        }
        let mut metadata = Metadata::new();
        metadata.set_variable_names(self.order.iter().map(|&element| &names[element][..]));
        if let Universe::Variables(..) = &*self.universe {
            let values = self.universe.value_lists(&self.order, py)?.into_iter();
            let values = values.map(|values| texts(&PyTuple::new(py, values)?));
            let values = values.collect::<PyResult<Vec<_>>>()?;
            if !values.iter().all(|names| is_plain(names)) {
                metadata.set_value_names(values);
            }
        }
        record.write(&mut metadata);
        if metadata.size() > Metadata::MAX_SIZE {
            metadata.remove(Metadata::VALUES);
        }
        self.long(py, None, move |zdd, _| Ok(zdd.save_with(&path, &metadata)?))
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
        let shown = path.display().to_string();
        let (zdd, metadata) = Limits::new(py, None)?.run(py, move |_| read(&path, most))?;
        let record = match Record::read(&metadata) {
            Ok(record) => record.unwrap_or_default(),
            Err(unknown) => {
                warn(py, &format!("{shown}: {unknown}"))?;
                Record::default()
            }
        };
        let own = own_universe(&record, &zdd, py)?;
        let order = record.order.unwrap_or_else(|| (0..zdd.num_vars()).collect());
        let (universe, order) = match (own, graph, given) {
            (Some(_), _, Some(_)) => {
                return Err(Failure::File(
                    "the file contains its graph or its elements; leave out elements=".to_owned(),
                ));
            }
            (Some(own), None, None) => (own, order),
            (Some(own), Some(graph), None) => (with_graph(&own, graph)?, order),
            (None, Some(graph), given) => {
                let universe = Universe::of_edges(&graph.get().0);
                let order = given.map_or(Ok(order), |edges| order_of_edges(&universe, &edges))?;
                (universe, order)
            }
            (None, None, Some(objects)) => (Universe::of_objects(objects)?, order),
            (None, None, None) => {
                let names = metadata.variable_names();
                let objects = match names.filter(|names| names.len() == zdd.num_vars()) {
                    Some(names) => PyTuple::new(py, names)?,
                    None => PyTuple::new(py, 0..zdd.num_vars())?,
                };
                // The names are in the order of the variables.
                (Universe::of_objects(objects)?, (0..zdd.num_vars()).collect())
            }
        };
        Self::of_parts(universe, zdd, order)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Outcome<Reduced<'py>> {
        let bytes = self.long(py, None, |zdd, _| {
            let mut bytes = Vec::new();
            zdd.write_to(&mut bytes).map_err(|error| Failure::File(error.to_string()))?;
            Ok(bytes)
        })?;
        let bytes = PyBytes::new(py, &bytes);
        reduced(py, "restored_diagram", (self.universe.state(py)?, bytes, self.order.to_vec()))
    }

    #[staticmethod]
    fn _restore(state: &Bound<'_, PyTuple>, bytes: Vec<u8>, order: Vec<usize>) -> Outcome<Self> {
        let py = state.py();
        let zdd = Limits::new(py, None)?.run(py, move |_| Ok(Zdd::read_from(&bytes[..])?))?;
        Self::of_parts(Universe::of_state(state)?, zdd, order)
    }
}

impl Diagram {
    /// Makes a diagram of its parts, which may be from a forged file.
    fn of_parts(universe: Universe, zdd: Zdd, order: Vec<usize>) -> Outcome<Self> {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let arities = universe.arities();
        let fits = arities.iter().all(|&arity| arity <= 256)
            && sorted.iter().copied().eq(0..universe.elements().len())
            && order.len() == zdd.num_vars()
            && (0..zdd.num_vars()).all(|variable| zdd.arity(variable) == arities[order[variable]]);
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

    /// The weights of the variables, as decimal numbers.
    pub(super) fn element_weights(&self, py: Python<'_>) -> Outcome<ElementWeights> {
        let (unit, graph) = (self.universe.unit(), self.universe.graph());
        let Some(graph) = graph.filter(|_| unit != Unit::Colour) else {
            return Ok(ElementWeights::Ones);
        };
        if graph.weights(unit).is_err() {
            return Ok(ElementWeights::Lost(Loss::Unusable));
        }
        let numbers = graph.normal(py).getattr(weights_of(unit))?;
        if numbers.is_none() {
            return Ok(ElementWeights::Ones);
        }
        let decimals: Option<Vec<String>> = call(py, NUMBERS, "decimals", (numbers,))?.extract()?;
        let Some(decimals) = decimals else { return Ok(ElementWeights::Lost(Loss::Unusable)) };
        let weights = self.order.iter().map(|&element| decimals[element].parse());
        weights.collect::<Result<_, _>>().map(ElementWeights::Given).map_err(Failure::Internal)
    }
}

/// The universe that a file has: of objects of Python, or of a graph of the command, whose vertices are strings.
fn own_universe(record: &Record, zdd: &Zdd, py: Python<'_>) -> Outcome<Option<Universe>> {
    if let Some(python) = &record.python {
        let state = call(py, FILES, "decoded", (python.to_string(),))?;
        return Universe::of_state(state.cast().map_err(PyErr::from)?).map(Some);
    }
    let (Some(graph), Some(order)) = (&record.graph, &record.order) else { return Ok(None) };
    let core = graph.graph().map_err(|error| Failure::File(error.to_string()))?;
    let (kind, fields) = (weights_of(graph.unit), PyDict::new(py));
    fields.set_item("vertices", PyTuple::new(py, &graph.vertices)?)?;
    match &record.weights {
        ElementWeights::Ones => {}
        ElementWeights::Given(weights) => {
            let mut by_element: Vec<_> = order.iter().zip(weights).collect();
            by_element.sort_unstable_by_key(|(element, _)| **element);
            let numbers = by_element.into_iter().map(|(_, weight)| number(*weight, py));
            fields.set_item(kind, numbers.collect::<PyResult<Vec<_>>>()?)?;
        }
        ElementWeights::Lost(loss) => {
            let reason = format!("the file has no weights, as {loss}; give weights");
            fields.set_item("unusable", ((kind, reason),))?;
        }
    }
    let Graph(graph_data) = Graph::of_core(&core, &fields)?;
    let part = match (graph.unit, &record.subject) {
        (Unit::Vertex, _) => Domain::Vertices,
        (Unit::Colour, _) => {
            let colours = (0..zdd.num_vars()).map(|variable| zdd.arity(variable)).max();
            Domain::Colours(colours.unwrap_or(2))
        }
        (Unit::Edge, Some(Subject::Graph { family, .. })) => Domain::of_family(family),
        (Unit::Edge, _) => Domain::Edges(EdgeReading::default()),
    };
    Ok(Some(Universe::Graph(graph_data, part)))
}

/// Whether values are numbers from 0, or bools: then they need no names in a file.
fn is_plain(names: &[String]) -> bool {
    let is_number = |(at, name): (usize, &String)| *name == at.to_string();
    names == ["False", "True"] || names.iter().enumerate().all(is_number)
}

/// A decimal number as an integer, or as the float that is written so.
fn number(decimal: Decimal, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let text = decimal.to_string();
    match text.parse::<i64>() {
        Ok(whole) => whole.into_bound_py_any(py),
        Err(_) => text.parse::<f64>().unwrap_or(f64::NAN).into_bound_py_any(py),
    }
}

/// The universe of a file with a graph of the user in place of its own, whose vertices have the same texts.
fn with_graph(own: &Universe, given: &Bound<'_, Graph>) -> Outcome<Universe> {
    let (py, graph) = (given.py(), &given.get().0);
    let Some(known) = own.graph() else {
        return Err(Failure::File(format!(
            "the file has {}, and not of a graph; leave out graph=",
            own.kind()
        )));
    };
    let is_same = known.core.is_directed() == graph.core.is_directed()
        && known.core.edges() == graph.core.edges()
        && texts(known.vertices.objects(py))? == texts(graph.vertices.objects(py))?;
    if !is_same {
        let known = Bound::new(py, Graph(known.clone()))?;
        return Err(Failure::File(format!(
            "{given:?} is not the graph of the file, {known:?}, or has its vertices or edges in another order; leave \
             out graph= to load that of the file"
        )));
    }
    Ok(own.on(graph.clone()))
}

/// The edges of a dump of Graphillion, which may have a weight as a third part, and all others.
fn order_of_edges(universe: &Universe, edges: &Bound<'_, PyTuple>) -> Outcome<Vec<usize>> {
    let elements = universe.elements();
    let mut order = Vec::new();
    for edge in edges {
        let ends = || -> PyResult<Option<usize>> {
            let ends = edge.cast::<PyTuple>()?.get_slice(0, 2);
            elements.find(&ends)
        };
        let number = match elements.find(&edge)? {
            None => ends().unwrap_or_default(),
            number => number,
        };
        order.push(
            number.ok_or_else(|| Failure::File(format!("{edge:?} is no edge of the graph")))?,
        );
    }
    let others = (0..elements.len()).filter(|edge| !order.contains(edge)).collect::<Vec<_>>();
    order.extend(others);
    Ok(order)
}

/// Reads a file of topdd, or a dump of Graphillion with at most so many variables.
fn read(path: &Path, variables: Option<usize>) -> Outcome<(Zdd, Metadata)> {
    let bytes = bytes_of(path)?;
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
    if bytes.get(1..6).is_none_or(|name| name != b"topdd") {
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
