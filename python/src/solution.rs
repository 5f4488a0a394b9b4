//! The classes `Solution` and `Solutions`.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyList, PySet, PyString, PyTuple};
use topdd_graph::Graph as Core;
use topdd_graph::families::{EdgeSets, Unit};

use crate::convert::{Numbers, Reduced, TABLES, call, reduced};
use crate::errors::{Failure, Outcome};
use crate::graph::GraphData;
use crate::pictures;
use crate::positions::{IndexOrSlice, positions};
use crate::run::short;
use crate::universe::{Domain, Universe};
use crate::weights;

/// One solution: a set of edges, vertices, squares or other elements, or a colouring or assignment, which is a set of pairs
/// of an element and its value, and has the value of each element by ``solution[element]``.
///
/// It is equal to a frozenset of the same elements, edges in the direction in which they were given, and draws itself in
/// a notebook. ``& | - ^`` with a set or a solution return a frozenset, and ``<= < >= >`` compare with one by inclusion.
///
/// >>> import topdd as td
/// >>> path = td.Graph([("a", "b"), ("b", "c"), ("a", "c")]).paths("a", "c").build()[1]
/// >>> path.edges, path.vertices, len(path), ("b", "a") in path
/// ([('a', 'b'), ('b', 'c')], ['a', 'b', 'c'], 2, True)
/// >>> path & {("b", "a")}
/// frozenset({('a', 'b')})
#[pyclass(frozen, module = "topdd")]
pub(crate) struct Solution {
    pub(crate) universe: Arc<Universe>,
    /// The value of each element: whether it is in the set, or the colour.
    pub(crate) values: Box<[u8]>,
}

/// The right operand of a set operation or comparison. For other types, Python tries the reflected method.
#[derive(FromPyObject)]
enum SetOperand<'py> {
    Solution(Bound<'py, Solution>),
    Set(Bound<'py, PySet>),
    FrozenSet(Bound<'py, PyFrozenSet>),
}

/// The values of a solution that is given as an object of Python.
pub(crate) fn values_of(universe: &Universe, given: &Bound<'_, PyAny>) -> Outcome<Vec<u8>> {
    if let Ok(solution) = given.cast::<Solution>() {
        let solution = solution.get();
        if universe.same(&solution.universe, given.py())? {
            return Ok(solution.values.to_vec());
        }
        return values_of(universe, solution.set(given.py())?.as_any());
    }
    if universe.has_values() {
        return universe.assignment(given);
    }
    if given.is_instance_of::<PyString>() {
        return Err(Failure::Input(format!("{given:?} is no set of {}", universe.nouns())));
    }
    let mut values = vec![0; universe.elements().len()];
    for number in universe.numbers(given)? {
        values[number] = 1;
    }
    Ok(values)
}

impl Solution {
    /// The numbers of the elements in the set.
    pub(crate) fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.values.iter().enumerate().filter(|(_, value)| **value == 1).map(|(number, _)| number)
    }

    /// The elements, or the pairs of an element and its value.
    pub(crate) fn elements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let elements = self.universe.elements();
        if self.universe.has_values() {
            let pairs = elements.objects(py).iter().zip(self.value_objects(py)?);
            return PyList::new(py, pairs);
        }
        PyList::new(py, elements.several(py, self.members())?)
    }

    /// The value of each element.
    pub(crate) fn value_objects<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let values = self.values.iter().enumerate();
        values.map(|(element, &value)| self.universe.value(element, value.into(), py)).collect()
    }

    /// The positions of the weights that count: of members of a set, or of the values of variables.
    pub(crate) fn weighed(&self) -> Vec<usize> {
        if !matches!(*self.universe, Universe::Variables(..)) {
            return self.members().collect();
        }
        let mut start = 0;
        let position = |(&value, arity): (&u8, usize)| {
            start += arity;
            start - arity + usize::from(value)
        };
        self.values.iter().zip(self.universe.arities()).map(position).collect()
    }

    pub(crate) fn set<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        PyFrozenSet::new(py, self.elements(py)?)
    }

    /// The solution with its weight in front.
    pub(crate) fn weighted<'py>(
        self,
        py: Python<'py>,
        numbers: &Numbers,
    ) -> PyResult<Bound<'py, PyTuple>> {
        (numbers.sum(py, self.weighed())?, Bound::new(py, self)?).into_pyobject(py)
    }

    fn graph(&self, what: &str) -> Outcome<&Arc<GraphData>> {
        self.universe
            .graph()
            .ok_or_else(|| Failure::Input(format!("{what} are for solutions on a graph")))
    }

    /// Calls a method of frozensets with the elements of this and another set.
    fn operated<'py>(&self, method: &str, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, other) = match other {
            SetOperand::Solution(other) => (other.py(), other.get().set(other.py())?.into_any()),
            SetOperand::Set(other) => (other.py(), other.into_any()),
            SetOperand::FrozenSet(other) => (other.py(), other.into_any()),
        };
        // An edge may be given in either direction, or by its label: its element takes its place.
        let elements = self.universe.elements();
        let own = |element: PyResult<Bound<'py, PyAny>>| {
            let element = element?;
            let is_alone = !self.universe.has_values();
            match elements.find(&element)?.filter(|_| is_alone) {
                Some(number) => elements.object(py, number).map(Bound::into_any),
                None => Ok(element),
            }
        };
        let other = other.try_iter()?.map(own).collect::<PyResult<Vec<_>>>()?;
        self.set(py)?.call_method1(method, (PyFrozenSet::new(py, other)?,))
    }

    /// The vertices of a path or cycle in its order; `None` for other sets of edges.
    pub(crate) fn sequence(&self) -> Option<Vec<usize>> {
        let Universe::Graph(graph, Domain::Edges(ends)) = &*self.universe else { return None };
        let edges: Vec<usize> = self.members().collect();
        let mut sequence = EdgeSets::all(&graph.core).to_sequence(&edges).ok()?;
        let (first, last) = (sequence.first().copied(), sequence.last().copied());
        let is_backward = ends.from.is_some() && first != ends.from && last == ends.from
            || ends.from.is_none() && ends.to.is_some() && last != ends.to && first == ends.to;
        if is_backward && !graph.core.is_directed() {
            sequence.reverse();
        }
        Some(sequence)
    }

    /// The number of the block of each vertex, in the graph of the edges of the set.
    pub(crate) fn blocks(&self) -> Outcome<Vec<usize>> {
        let graph = self.graph("labels")?;
        if self.universe.unit() != Unit::Edge {
            return Ok(self.values.iter().map(|value| usize::from(*value)).collect());
        }
        let edges = self.members().map(|edge| graph.core.edges()[edge]);
        let least = Core::new(graph.core.num_vertices(), edges)?.components();
        let (mut blocks, mut count) = (vec![0; least.len()], 0);
        for (vertex, &first) in least.iter().enumerate() {
            blocks[vertex] = if first == vertex { count } else { blocks[first] };
            count += usize::from(first == vertex);
        }
        Ok(blocks)
    }
}

#[pymethods]
impl Solution {
    /// The edges of the set, as tuples of their ends.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyList>> {
        if self.universe.unit() != Unit::Edge {
            let nouns = self.universe.nouns();
            return Err(Failure::Input(format!("this is a set of {nouns}, without edges")));
        }
        Ok(self.elements(py)?)
    }

    /// The vertices: of a path or cycle in its order, of other sets of edges those with an edge.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Outcome<Vec<Bound<'py, PyAny>>> {
        let graph = self.graph("vertices")?;
        let numbers = match self.universe.unit() {
            Unit::Edge => self.sequence().unwrap_or_else(|| {
                let ends = |edge: usize| <[usize; 2]>::from(graph.core.edges()[edge]);
                self.members().flat_map(ends).collect::<BTreeSet<_>>().into_iter().collect()
            }),
            Unit::Vertex => self.members().collect(),
            Unit::Colour => (0..self.values.len()).collect(),
        };
        Ok(graph.vertices.several(py, numbers)?)
    }

    /// The sum of the weights of the elements: of the graph, or 1 for each.
    #[getter]
    fn weight<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let numbers = weights::of_universe(&self.universe, None, py)?;
        Ok(numbers.sum(py, self.weighed())?)
    }

    /// Returns the number of each vertex: of its block in a partition, or component; of its colour; 1 for members of a
    /// set of vertices.
    fn labels<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        Ok(self.graph("labels")?.vertices.mapping(py, self.blocks()?)?)
    }

    /// Returns ``labels`` as an array in the order of the vertices.
    fn label_array<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray1<i64>>> {
        Ok(PyArray1::from_iter(py, self.blocks()?.into_iter().map(|block| block as i64)))
    }

    /// Returns an array of the values of all elements: bool, or the colours; of a board, with a row for each row.
    fn to_numpy<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        array(py, &self.universe, self.values.to_vec(), self.universe.shape(None))
    }

    /// Returns the part of the graph as a graph of networkx: the edges with their ends, or the vertices with all edges
    /// between them. They have the attributes of the source of the graph.
    fn to_networkx<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        let graph = self.graph("graphs of networkx")?;
        let numbers: Vec<usize> = self.members().collect();
        let is_edges = self.universe.unit() == Unit::Edge;
        let colours = self.universe.has_values().then(|| self.values.to_vec());
        let arguments = (graph.normal(py), graph.edges.objects(py), numbers, is_edges, colours);
        Ok(call(py, TABLES, "solution_to_networkx", arguments)?)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Outcome<Option<String>> {
        Ok(pictures::of_solution(self, py)?.map(|picture| picture.to_string()))
    }

    fn __len__(&self) -> usize {
        if self.universe.has_values() { self.values.len() } else { self.members().count() }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.elements(py)?.try_iter()?.into_any())
    }

    fn __contains__(&self, element: &Bound<'_, PyAny>) -> Outcome<bool> {
        if self.universe.has_values() {
            return Ok(self.elements(element.py())?.contains(element)?);
        }
        match (self.universe.elements().find(element)?, &*self.universe) {
            (Some(number), _) => Ok(self.values[number] == 1),
            (None, Universe::Graph(graph, Domain::Edges(_)))
                if graph.vertices.find(element)?.is_some() =>
            {
                Err(Failure::Input(format!(
                    "{element:?} is a vertex, and this is a set of edges; its attribute vertices lists their ends"
                )))
            }
            _ => Ok(false),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        if let Ok(other) = other.cast::<Solution>() {
            let other = other.get();
            if self.universe.same(&other.universe, py).map_err(PyErr::from)? {
                return Ok(self.values == other.values);
            }
            return self.set(py)?.eq(other.set(py)?);
        }
        if let (Ok(mapping), true) = (other.cast::<PyDict>(), self.universe.has_values()) {
            return self.set(py)?.eq(PyFrozenSet::new(py, mapping.items())?);
        }
        self.set(py)?.eq(other)
    }

    fn __le__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__le__", other)
    }

    fn __lt__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__lt__", other)
    }

    fn __ge__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__ge__", other)
    }

    fn __gt__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__gt__", other)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.set(py)?.hash()
    }

    fn __and__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__and__", other)
    }

    fn __or__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__or__", other)
    }

    fn __sub__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__sub__", other)
    }

    fn __xor__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__xor__", other)
    }

    fn __rand__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__and__", other)
    }

    fn __ror__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__or__", other)
    }

    fn __rsub__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__rsub__", other)
    }

    fn __rxor__<'py>(&self, other: SetOperand<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.operated("__xor__", other)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Outcome<Reduced<'py>> {
        let values = PyBytes::new(py, &self.values);
        reduced(py, "restored_solution", (self.universe.state(py)?, values))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        const SHOWN: usize = 12;
        let elements = self.elements(py)?;
        if self.universe.has_values() && elements.len() <= SHOWN {
            let pairs = self.universe.elements().objects(py).iter().zip(self.value_objects(py)?);
            let texts = pairs.map(|(element, value)| format!("{element:?}: {value:?}"));
            return Ok(format!("Solution({{{}}})", texts.collect::<Vec<_>>().join(", ")));
        }
        if elements.len() <= SHOWN {
            return Ok(format!("Solution({})", elements.repr()?));
        }
        let first = elements.get_slice(0, SHOWN).repr()?.to_string();
        Ok(format!("Solution({}, .. {} in all])", &first[..first.len() - 1], elements.len()))
    }
}

/// Several solutions in memory: a sample, or a slice of a diagram.
///
/// >>> import topdd as td
/// >>> pairs = td.Graph.cycle(4).matchings().exactly(2).build()
/// >>> sorted(pairs[:].to_numpy().astype(int).tolist())
/// [[0, 1, 0, 1], [1, 0, 1, 0]]
#[pyclass(frozen, module = "topdd", sequence)]
pub(crate) struct Solutions {
    pub(crate) universe: Arc<Universe>,
    pub(crate) count: usize,
    /// The values of the elements, one solution after the other.
    pub(crate) values: Vec<u8>,
}

/// What is at an index or a slice of a sequence of solutions.
#[derive(IntoPyObject)]
pub(crate) enum Picked {
    One(Solution),
    Several(Solutions),
}

impl Solutions {
    fn row(&self, number: usize) -> &[u8] {
        let width = self.universe.elements().len();
        &self.values[number * width..(number + 1) * width]
    }

    fn solution(&self, number: usize) -> Solution {
        Solution { universe: self.universe.clone(), values: self.row(number).into() }
    }

    /// The first solutions, which a picture shows.
    pub(crate) fn shown(&self) -> Vec<Solution> {
        const SHOWN: usize = 12;
        (0..self.count.min(SHOWN)).map(|number| self.solution(number)).collect()
    }
}

#[pymethods]
impl Solutions {
    /// Returns an array with a row for each solution: bool, or the colours of the vertices. Of boards, a board for each.
    fn to_numpy<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        array(py, &self.universe, self.values.clone(), self.universe.shape(Some(self.count)))
    }

    /// Returns the ``labels`` of each solution: a list of dictionaries.
    fn labels<'py>(&self, py: Python<'py>) -> Outcome<Vec<Bound<'py, PyDict>>> {
        (0..self.count).map(|number| self.solution(number).labels(py)).collect()
    }

    /// Returns ``labels`` as an array with a row for each solution and a column for each vertex.
    fn label_array<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<i64>>> {
        let mut labels = Vec::new();
        for number in 0..self.count {
            labels.extend(self.solution(number).blocks()?.into_iter().map(|block| block as i64));
        }
        let width = self.universe.graph().map_or(0, |graph| graph.core.num_vertices());
        Ok(PyArray1::from_vec(py, labels).reshape([self.count, width])?)
    }

    /// Returns a table of pandas, or of polars, with a column for each element and a row for each solution.
    #[pyo3(signature = (library="pandas"))]
    pub(crate) fn to_dataframe<'py>(
        &self,
        library: &str,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let names = self.universe.elements().objects(py);
        if let Universe::Variables(_, values) = &*self.universe {
            let objects =
                values.iter().map(|values| values.state(py)).collect::<PyResult<Vec<_>>>()?;
            let table =
                PyArray1::from_vec(py, self.values.clone()).reshape([self.count, names.len()])?;
            return Ok(call(py, TABLES, "dataframe", (table, names, library, objects))?);
        }
        let table = array(py, &self.universe, self.values.clone(), vec![self.count, names.len()])?;
        Ok(call(py, TABLES, "dataframe", (table, names, library))?)
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __iter__(slf: Py<Self>) -> SolutionIterator {
        let (universe, mut numbers) = (slf.get().universe.clone(), 0..slf.get().count);
        let next = move || numbers.next().map(|number| slf.get().row(number).into());
        SolutionIterator::new(&universe, None, next)
    }

    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> Outcome<Picked> {
        let number = |position| usize::try_from(position).expect("a position is within the values");
        Ok(match positions(index, &self.count.into())? {
            IndexOrSlice::Index(position) => Picked::One(self.solution(number(position))),
            IndexOrSlice::Slice(slice) => {
                let count = slice.count;
                let rows = slice.positions().map(|position| self.row(number(position)));
                let values = rows.collect::<Vec<_>>().concat();
                Picked::Several(Self { universe: self.universe.clone(), count, values })
            }
        })
    }

    fn __eq__(&self, other: &Bound<'_, Self>) -> Outcome<bool> {
        let (other, py) = (other.get(), other.py());
        Ok(self.universe.same(&other.universe, py)?
            && (self.count, &self.values) == (other.count, &other.values))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Outcome<Reduced<'py>> {
        let values = PyBytes::new(py, &self.values);
        reduced(py, "restored_solutions", (self.universe.state(py)?, self.count, values))
    }

    #[staticmethod]
    fn _restore(state: &Bound<'_, PyTuple>, count: usize, values: Vec<u8>) -> Outcome<Self> {
        let universe = Universe::of_state(state)?;
        let arities = universe.arities();
        let fits = count.checked_mul(arities.len()) == Some(values.len());
        let mut most = arities.iter().cycle();
        if !fits
            || values
                .iter()
                .any(|value| most.next().is_some_and(|&most| usize::from(*value) >= most))
        {
            return Err(Failure::input("the values do not fit the elements"));
        }
        Ok(Self { universe: Arc::new(universe), count, values })
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Outcome<Option<String>> {
        Ok(pictures::of_solutions(&self.shown(), py)?.map(|picture| picture.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<topdd.Solutions: {}>", self.count)
    }
}

/// Returns the values of the next solution; `None` at the end.
type NextRow = dyn FnMut() -> Option<Box<[u8]>> + Send;

/// An iterator over solutions, or over pairs of a weight and a solution.
#[pyclass(frozen, module = "topdd")]
pub(crate) struct SolutionIterator {
    universe: Arc<Universe>,
    /// The weights, if the solutions have them.
    numbers: Option<Arc<Numbers>>,
    /// Threads may share an iterator: each solution goes to one of them.
    next: Mutex<Box<NextRow>>,
}

impl SolutionIterator {
    /// An iterator over the solutions whose values `next` returns.
    pub(crate) fn new(
        universe: &Arc<Universe>,
        numbers: Option<Arc<Numbers>>,
        next: impl FnMut() -> Option<Box<[u8]>> + Send + 'static,
    ) -> Self {
        Self { universe: universe.clone(), numbers, next: Mutex::new(Box::new(next)) }
    }
}

#[pymethods]
impl SolutionIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> Outcome<Option<Bound<'py, PyAny>>> {
        let next = || self.next.lock().unwrap_or_else(PoisonError::into_inner)();
        // The next best solution may take long.
        let values = if self.numbers.is_some() { short(py, || Ok(next()))? } else { next() };
        let Some(values) = values else { return Ok(None) };
        let solution = Solution { universe: self.universe.clone(), values };
        Ok(Some(match &self.numbers {
            Some(numbers) => solution.weighted(py, numbers)?.into_any(),
            None => Bound::new(py, solution)?.into_any(),
        }))
    }
}

/// The values as an array of a shape: of bool, of colours, or of the values of variables.
pub(crate) fn array<'py>(
    py: Python<'py>,
    universe: &Universe,
    values: Vec<u8>,
    shape: Vec<usize>,
) -> Outcome<Bound<'py, PyAny>> {
    let array: Bound<'py, PyArrayDyn<u8>> = PyArray1::from_vec(py, values).reshape(shape)?;
    if let Universe::Variables(_, values) = universe {
        let objects = values.iter().map(|values| values.state(py)).collect::<PyResult<Vec<_>>>()?;
        return Ok(call(py, TABLES, "of_values", (array, objects))?);
    }
    if universe.has_values() {
        return Ok(array.into_any());
    }
    // All values are 0 and 1, as the values of a bool are.
    Ok(array.call_method1("view", ("bool",))?)
}
