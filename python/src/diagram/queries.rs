//! Numbers of solutions, the best of them, probabilities and pictures.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use topdd::{BigUint, Children, Evaluator, Goal, Weights};

use super::Diagram;
use crate::convert::{Integer, TABLES, call, size};
use crate::errors::{Failure, Outcome, no_attribute};
use crate::graph::Graph;
use crate::pictures::{self, Picture};
use crate::report::Report;
use crate::run::{LimitArgs, check_bytes, short};
use crate::solution::SolutionIterator;
use crate::universe::PAIRS;
use crate::weights::{of_universe, of_variables, probabilities};

/// The nodes of a diagram, children first. Nodes 0 and 1 are the terminals.
struct NodeList(Vec<Node>);

/// The variable of a node, and the value and the target of each edge that does not lead to the 0-terminal.
type Node = (usize, Vec<(usize, usize)>);

/// The number of the first node that is no terminal.
const FIRST_NODE: usize = 2;

/// About the bytes that a node takes as an object of networkx, with its edges.
const NODE_BYTES: usize = 2000;

impl Evaluator for NodeList {
    type Value = usize;

    fn zero(&mut self) -> usize {
        0
    }

    fn one(&mut self) -> usize {
        1
    }

    fn node(&mut self, variable: usize, children: Children<'_, usize>) -> usize {
        self.0.push((variable, children.map(|child| (child.value, *child.to)).collect()));
        FIRST_NODE + self.0.len() - 1
    }
}

impl Diagram {
    /// The number of sets with each element.
    pub(super) fn uses(&self, py: Python<'_>) -> Outcome<Vec<BigUint>> {
        let members = self.universe.member_values("counts of elements", PAIRS, py)?;
        let mut counts = self.query(py, self.digits(), |zdd| Ok(zdd.value_counts()))?;
        let uses =
            |(&variable, member): (&usize, usize)| std::mem::take(&mut counts[variable][member]);
        Ok(self.variables.iter().zip(members).map(uses).collect())
    }

    fn counts_of<'py>(
        &self,
        nouns: &str,
        call: &str,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyDict>> {
        if self.universe.nouns() != nouns {
            return Err(Failure::Input(format!(
                "{call} is for sets of {nouns}, and these are of {}; call element_counts",
                self.universe.nouns()
            )));
        }
        self.element_counts(py)
    }
}

#[pymethods]
impl Diagram {
    /// Returns a list with the number of sets of each size, from 0 to the largest.
    pub(crate) fn count_by_size(&self, py: Python<'_>) -> Outcome<Vec<Integer>> {
        let sets = self.as_sets("count_by_size", PAIRS, py)?;
        // A count for each size at each node.
        let per_node = 1 + self.order.len() * self.digits() / 16;
        let sizes = self.query_sets(py, per_node, sets, |zdd| Ok(zdd.count_by_size()))?;
        Ok(sizes.into_iter().map(Integer).collect())
    }

    /// Returns a dictionary with the number of sets that contain each element; of assignments, with the number for each value
    /// of each variable.
    ///
    /// >>> import topdd as td
    /// >>> td.constraints({"a": "xy", "b": "xyz"}).all_different().build().element_counts()["b"]
    /// {'x': 1, 'y': 1, 'z': 2}
    fn element_counts<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        if self.universe.has_values() {
            let counts = self.query(py, self.digits(), |zdd| Ok(zdd.value_counts()))?;
            let of_values = |(element, &variable): (usize, &usize)| {
                let of_each = PyDict::new(py);
                for (number, count) in counts[variable].iter().enumerate() {
                    let value = self.universe.value(element, number, py)?;
                    of_each.set_item(value, Integer(count.clone()))?;
                }
                Ok(of_each)
            };
            let all = self.variables.iter().enumerate().map(of_values);
            return Ok(self.universe.elements().mapping(py, all.collect::<PyResult<Vec<_>>>()?)?);
        }
        Ok(self.universe.elements().mapping(py, self.uses(py)?.into_iter().map(Integer))?)
    }

    /// Returns a dictionary with the number of sets that contain each edge.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph([(0, 1), (1, 2), (0, 2)]).paths(0, 2).build().edge_counts()
    /// {(0, 1): 1, (1, 2): 1, (0, 2): 1}
    fn edge_counts<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        self.counts_of("edges", "edge_counts", py)
    }

    /// Returns a dictionary with the number of sets that contain each vertex.
    fn vertex_counts<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        self.counts_of("vertices", "vertex_counts", py)
    }

    /// Returns the ``k`` sets of least weight, or of greatest weight with ``max=True``: pairs of weight and solution,
    /// the best first. There are fewer if the diagram has fewer. Without ``k``, returns an iterator over all of them.
    ///
    /// The weights are by default the weights of the graph, or the name of an attribute of its source, a mapping, or a
    /// sequence in the order of the elements.
    ///
    /// >>> import topdd as td
    /// >>> square = td.Graph([(0, 1, 4), (1, 2, 7), (2, 3, 1), (3, 0, 2)])
    /// >>> [weight for weight, tree in square.spanning_trees().build().best(3)]
    /// [7, 10, 12]
    #[pyo3(signature = (k=None, weights=None, *, max=false, **limits))]
    pub(crate) fn best<'py>(
        &self,
        k: Option<&Bound<'py, PyAny>>,
        weights: Option<&Bound<'py, PyAny>>,
        max: bool,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        if let Some(name) = k.filter(|k| k.is_instance_of::<PyString>()) {
            return Err(Failure::Input(format!(
                "{name:?} is no number of solutions; give weights after it, as best(1, {name:?}), or best(weights={name:?})"
            )));
        }
        let numbers = of_universe(&self.universe, weights, py)?;
        let weights = of_variables(&self.universe, &numbers, &self.order);
        let goal = if max { Goal::Maximum } else { Goal::Minimum };
        let width = self.order.len();
        let Some(k) = k else {
            let mut found =
                self.long(py, limits, move |zdd, _| Ok(zdd.best(&weights, goal, usize::MAX)?))?;
            let row = self.row();
            let next = move || found.next().map(|best| row(&best.solution));
            let all = SolutionIterator::new(&self.universe, Some(numbers), next);
            return Ok(Bound::new(py, all)?.into_any());
        };
        let k = size(k, "k")?;
        let found = self.long(py, limits, move |zdd, task| {
            let mut found = Vec::new();
            for best in zdd.best(&weights, goal, k)? {
                if found.len() % 64 == 0 {
                    task.check()?;
                    check_bytes(
                        task.memory,
                        found.len().saturating_mul(width * size_of::<usize>()),
                    )?;
                }
                found.push(best.solution);
            }
            Ok(found)
        })?;
        let pairs = found.iter().map(|found| self.solution(found).weighted(py, &numbers));
        Ok(pairs.collect::<PyResult<Vec<_>>>()?.into_pyobject(py)?)
    }

    /// Returns the probability that the elements that work are a set of the diagram, if each element works with its
    /// probability, independently of the others. ``p`` is by default ``p`` of the graph.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph([(0, 1), (1, 2), (0, 2)]).connected().build().probability(0.5)
    /// 0.5
    #[pyo3(signature = (p=None))]
    fn probability(&self, p: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> Outcome<f64> {
        let sets = self.as_sets("probability", PAIRS, py)?;
        let works = probabilities(&self.universe, p)?;
        let both: Weights<f64> =
            self.order.iter().map(|&element| [1.0 - works[element], works[element]]).collect();
        self.query_sets(py, 1, sets, move |zdd| Ok(zdd.probability(&both)?))
    }

    /// Returns the nodes of the diagram as a ``MultiDiGraph`` of networkx.
    ///
    /// Nodes 0 and 1 are the terminals, and the attribute ``root`` of the graph is the root. Inner nodes have the
    /// attribute ``element``, and edges the attribute ``value``: whether the element is in the set, or its value. An
    /// element that an edge skips is not in the set, or has its first value.
    ///
    /// >>> import topdd as td
    /// >>> nodes = td.Diagram([{"a"}, {"b"}]).to_networkx()
    /// >>> nodes.graph["root"], dict(nodes.nodes(data="element"))
    /// (3, {0: None, 1: None, 2: 'b', 3: 'a'})
    /// >>> sorted(nodes.edges(data="value"))
    /// [(2, 0, 0), (2, 1, 1), (3, 1, 1), (3, 2, 0)]
    #[pyo3(signature = (**limits))]
    fn to_networkx<'py>(
        &self,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let (nodes, root) = self.long(py, limits, |zdd, task| {
            check_bytes(task.memory, zdd.node_count().saturating_mul(NODE_BYTES))?;
            let mut nodes = NodeList(Vec::with_capacity(zdd.node_count()));
            let root = zdd.evaluate(&mut nodes);
            Ok((nodes.0, root))
        })?;
        let values = self.universe.value_lists(&self.order, py)?;
        Ok(call(py, TABLES, "diagram_to_networkx", (nodes, root, self.order(py)?, values))?)
    }

    /// The number of nodes of the diagram.
    #[getter]
    fn node_count(&self) -> usize {
        self.zdd.node_count()
    }

    /// The elements, in the order in which the diagram decides them.
    #[getter]
    fn order<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.universe.elements().several(py, self.order.iter().copied())
    }

    /// The elements, in the order of the columns of arrays.
    #[getter]
    fn elements<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.universe.elements().objects(py).clone()
    }

    /// The graph, or ``None``.
    #[getter]
    fn graph(&self) -> Option<Graph> {
        self.universe.graph().map(|graph| Graph(graph.clone()))
    }

    /// The report of the sweep that built the diagram; ``None`` for the result of an operation.
    #[getter]
    fn report(&self) -> Option<Report> {
        self.report.as_ref().map(|report| Report::new(report.clone(), self.universe.noun()))
    }

    /// Returns a picture of how many solutions use each edge, vertex or square.
    fn heat_map(&self, py: Python<'_>) -> Outcome<Picture> {
        let (uses, count) = (self.uses(py)?, self.counted(py)?);
        Ok(Picture(pictures::heat_map(&self.universe, uses, count, py)?))
    }

    /// The nodes of a small diagram; a larger one has its text only.
    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        const SHOWN: usize = 60;
        short(py, || Ok(topdd_draw::diagram(&self.zdd.shape(SHOWN)?).to_string())).ok()
    }

    // The hash does not depend on the order of the variables, or on elements that no set has.
    fn __hash__(&self, py: Python<'_>) -> Outcome<u64> {
        let mut hasher = DefaultHasher::new();
        self.counted(py)?.hash(&mut hasher);
        let mut sum = hasher.finish();
        if self.universe.has_values() {
            return Ok(sum);
        }
        for (object, uses) in self.universe.elements().objects(py).iter().zip(self.uses(py)?) {
            if uses != BigUint::ZERO {
                let mut hasher = DefaultHasher::new();
                (object.hash()?, uses).hash(&mut hasher);
                sum = sum.wrapping_add(hasher.finish());
            }
        }
        Ok(sum)
    }

    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(no_attribute(slf.as_any(), name))
    }

    fn __repr__(&self, py: Python<'_>) -> Outcome<String> {
        let count = self.counted(py)?;
        let shown = match count.bits() {
            0..=200 => count.to_string(),
            bits => format!("about 2**{}", bits - 1),
        };
        let (kind, nodes) = (self.universe.kind(), self.zdd.node_count());
        Ok(format!("<topdd.Diagram: {shown} {kind}, {nodes} nodes>"))
    }
}
