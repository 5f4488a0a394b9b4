//! The class `Family`.

use std::sync::Arc;

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use topdd_graph::Graph as Core;
use topdd_graph::families::{self, Degrees, EdgeSets, Order, SubgraphConstraint, VertexSets};
use topdd_graph::predict::PilotLimit;

use crate::convert::{size, to_int, to_ints};
use crate::description::Description;
use crate::diagram::Diagram;
use crate::errors::{Failure, Outcome};
use crate::graph::{Graph, GraphData};
use crate::graph_families::call;
use crate::report::Prediction;
use crate::run::Limits;
use crate::source::{Operation, Sets, Source};
use crate::universe::{Reading, Universe};

/// All solutions of a problem, before anything is computed: paths, trees, independent sets, placements of queens.
///
/// Methods and the operators ``&``, ``|``, ``-``, ``^``, ``~`` return smaller or combined families. ``count``,
/// ``count_by_size``, ``predict`` and ``build`` compute. All else is of the diagram that ``build`` returns.
///
/// >>> import topdd as td
/// >>> grid = td.Graph.grid(5, 5)
/// >>> paths = grid.paths(0, 24)
/// >>> paths.count()
/// 8512
/// >>> short = paths.at_most(8)
/// >>> short
/// <topdd.Family: paths(0, 24).at_most(8)>
/// >>> short.through(12).count()
/// 36
/// >>> (paths - short).count() == paths.count() - short.count()
/// True
#[pyclass(frozen, module = "topdd")]
pub(crate) struct Family {
    pub(crate) universe: Universe,
    pub(crate) source: Arc<Source>,
    /// The calls that made the family.
    description: Description,
}

impl Family {
    pub(crate) fn new(universe: Universe, source: Source, call: String) -> Self {
        Self { universe, source: Arc::new(source), description: call.into() }
    }

    pub(crate) fn of_edges(
        graph: &Graph,
        sets: EdgeSets,
        ends: Reading,
        description: String,
    ) -> Self {
        Self::new(
            Universe::Edges(graph.0.clone(), ends),
            Source::Sets(Sets::Edges(sets)),
            description,
        )
    }

    pub(crate) fn of_vertices(graph: &Graph, sets: VertexSets, description: String) -> Self {
        Self::new(
            Universe::Vertices(graph.0.clone()),
            Source::Sets(Sets::Vertices(sets)),
            description,
        )
    }

    /// The family that a method call makes of this one.
    fn after(&self, call: &str, source: Arc<Source>) -> Self {
        let description = self.description.with_call(call);
        Self { universe: self.universe.clone(), source, description }
    }

    /// The family whose sets are also in another one over the same elements.
    fn and(&self, other: Sets, call: &str) -> Outcome<Self> {
        let other = Arc::new(Source::Sets(other));
        Ok(self.after(call, Source::combined(Operation::And, &self.source, &other)?))
    }

    /// The sets that satisfy a constraint.
    fn constrained(&self, constraint: SubgraphConstraint, call: &str) -> Outcome<Self> {
        if let Source::Sets(sets) = &*self.source {
            return Ok(self.after(call, Arc::new(Source::Sets(sets.constrained(constraint)?))));
        }
        self.and(self.all(call)?.constrained(constraint)?, call)
    }

    /// The sets with, or without, edges at some vertices, or with or without the vertices themselves, of all sets of a
    /// universe.
    pub(crate) fn of_all_at_vertices(
        universe: &Universe,
        vertices: &Bound<'_, PyTuple>,
        takes: bool,
        call: &str,
    ) -> Outcome<Self> {
        let Some(graph) = universe.graph() else {
            return Err(Failure::Input(format!("{call} is for sets of edges and of vertices")));
        };
        let sets = all_sets(universe, Some(&graph.core), call)?;
        let all = Self::new(universe.clone(), Source::Sets(sets), call.to_owned());
        all.at_vertices(vertices, takes, call)
    }

    /// All sets of the elements of the graph.
    fn all(&self, call: &str) -> Outcome<Sets> {
        all_sets(&self.universe, self.core(), call)
    }

    /// The graph of the libraries: partitions have one with weights.
    fn core(&self) -> Option<&Core> {
        match &*self.source {
            Source::Sets(sets) => Some(sets.graph()),
            _ => self.universe.graph().map(|graph| &graph.core),
        }
    }

    fn graph(&self, call: &str) -> Outcome<&Arc<GraphData>> {
        self.universe
            .graph()
            .ok_or_else(|| Failure::Input(format!("{call} is for families of a graph")))
    }

    /// The sets with, or without, edges at some vertices, or with or without the vertices themselves.
    fn at_vertices(&self, vertices: &Bound<'_, PyTuple>, takes: bool, call: &str) -> Outcome<Self> {
        let graph = self.graph(call)?;
        let given = Universe::Vertices(graph.clone()).arguments(vertices, call)?;
        let numbers: Vec<usize> = given.into_iter().map(|(vertex, _)| vertex).collect();
        let shown = format!("{call}({})", listed(vertices)?);
        let all = self.all(call)?;
        let sets = match all {
            Sets::Edges(_) => {
                let core = self.core().unwrap_or(&graph.core);
                let mut degrees = vec![Degrees::any(); core.num_vertices()];
                for vertex in numbers {
                    degrees[vertex] = if takes { Degrees::from(1..) } else { 0.into() };
                }
                Sets::Edges(families::degrees(core, degrees))
            }
            Sets::Vertices(all) => {
                Sets::Vertices(if takes { all.with(numbers) } else { all.without(numbers) })
            }
            Sets::Colours(_) => all,
        };
        self.and(sets, &shown)
    }

    /// The sets with, or without, some elements, or the colourings with or without pairs.
    fn fixed(&self, elements: &Bound<'_, PyTuple>, taken: bool, call: &str) -> Outcome<Self> {
        let numbers = self.universe.arguments(elements, call)?;
        let shown = format!("{call}({})", listed(elements)?);
        if let Some(colours) = self.universe.colours() {
            return self.coloured(numbers, colours, taken, &shown);
        }
        let numbers = numbers.into_iter().map(|(number, _)| number);
        let mut all = self.all(call)?;
        if let Sets::Vertices(sets) = all {
            all = Sets::Vertices(if taken { sets.with(numbers) } else { sets.without(numbers) });
        } else {
            for edge in numbers {
                all = all.constrained(SubgraphConstraint::Edge { edge, taken })?;
            }
        }
        self.and(all, &shown)
    }

    /// The colourings in which vertices have, or do not have, some colours.
    fn coloured(
        &self,
        pairs: Vec<(usize, usize)>,
        colours: usize,
        taken: bool,
        shown: &str,
    ) -> Outcome<Self> {
        let all = match &*self.source {
            Source::Sets(Sets::Colours(family)) => family.clone(),
            _ => families::colourings(&self.graph(shown)?.core, colours),
        };
        let kept = Sets::Colours(if taken { all.with(pairs) } else { all.without(pairs) });
        if matches!(&*self.source, Source::Combined { .. }) {
            return self.and(kept, shown);
        }
        Ok(self.after(shown, Arc::new(Source::Sets(kept))))
    }

    /// The sets whose weights are within a bound.
    fn within(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        is_least: bool,
    ) -> Outcome<Self> {
        let numbers = crate::weights::of_universe(&self.universe, weights, cost.py())?;
        let bound = numbers.bound(cost, is_least)?;
        let (least, most) = if is_least { (bound, i64::MAX) } else { (i64::MIN, bound) };
        let name = if is_least { "cost_at_least" } else { "cost_at_most" };
        let call = call(name, &[("", Some(cost)), ("weights", weights)])?;
        self.constrained(SubgraphConstraint::Weight { weights: numbers.whole, least, most }, &call)
    }

    fn operate(&self, other: &Bound<'_, PyAny>, operation: Operation) -> Outcome<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Family>() else {
            return Ok(py.NotImplemented());
        };
        let other = other.get();
        if !self.universe.same(&other.universe, py)? {
            return Err(Failure::input("the families are of different graphs or elements"));
        }
        let source = Source::combined(operation, &self.source, &other.source)?;
        let description = if Arc::ptr_eq(&source, &self.source) {
            self.description.clone()
        } else {
            self.description.combined(operation, &other.description)
        };
        let universe = self.universe.combined(&other.universe, py)?;
        Ok(Py::new(py, Self { universe, source, description })?.into_any())
    }
}

#[pymethods]
impl Family {
    /// Returns the number of solutions, exactly: one sweep without a diagram. If the family has bounds on weights, and the
    /// diagram without them is much smaller, counts in that diagram.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.grid(9, 9).paths(0, 80).count()
    /// 3266598486981642
    #[pyo3(signature = (**limits))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let source = self.source.clone();
        let count = Limits::new(py, limits)?.run(py, move |task| source.count(task))?;
        Ok(to_int(py, &count)?)
    }

    /// Returns a list with the number of sets of each size, from 0 to the largest: one sweep without a diagram.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.cycle(4).matchings().count_by_size()
    /// [1, 4, 2]
    #[pyo3(signature = (**limits))]
    fn count_by_size<'py>(
        &self,
        py: Python<'py>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        self.universe.check_sets("count_by_size")?;
        let source = self.source.clone();
        let sizes = Limits::new(py, limits)?.run(py, move |task| {
            let order = source.order()?;
            let key = || source.digest(&order);
            task.counts_by_size(source.frontier(&order)?, order.len(), Some(&key))
        })?;
        Ok(to_ints(py, &sizes)?.into_any())
    }

    /// Builds the diagram of all solutions: one sweep and a reduction, without bounds on weights at first if that is
    /// much faster.
    ///
    /// >>> import topdd as td
    /// >>> trees = td.Graph.cycle(4).spanning_trees().build(memory="1GB", timeout=60)
    /// >>> len(trees), trees.count_by_size()
    /// (4, [0, 0, 0, 4])
    #[pyo3(signature = (**limits))]
    fn build(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> Outcome<Diagram> {
        // The values of elements are stored in bytes.
        if self.universe.colours().is_some_and(|colours| colours > 256) {
            return Err(Failure::input("a diagram has at most 256 colours; count() takes more"));
        }
        let source = self.source.clone();
        let (zdd, order, report) =
            Limits::new(py, limits)?.run(py, move |task| source.build(task))?;
        Ok(Diagram::new(self.universe.clone(), zdd, order).with_report(report))
    }

    /// Predicts states, memory and time of a sweep from its beginning, in at most about ``timeout`` seconds.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.grid(5, 5).forests().predict().is_exact
    /// True
    #[pyo3(signature = (*, timeout=0.5))]
    fn predict(&self, py: Python<'_>, timeout: f64) -> Outcome<Prediction> {
        let time = std::time::Duration::try_from_secs_f64(timeout).map_err(|_| {
            Failure::Input(format!("timeout={timeout} is no time; give seconds from 0"))
        })?;
        let source = self.source.clone();
        let limit = PilotLimit { time, ..PilotLimit::default() };
        let prediction = Limits::new(py, None)?.run(py, move |_| source.predict(limit))?;
        Ok(Prediction(prediction))
    }

    /// Keeps the sets with at most ``k`` elements.
    fn at_most(&self, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        let k = size(k, "k")?;
        self.constrained(families::at_most(k), &format!("at_most({k})"))
    }

    /// Keeps the sets with at least ``k`` elements.
    fn at_least(&self, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        let k = size(k, "k")?;
        self.constrained(families::at_least(k), &format!("at_least({k})"))
    }

    /// Keeps the sets with exactly ``k`` elements.
    fn exactly(&self, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        let k = size(k, "k")?;
        self.constrained(families::exactly(k), &format!("exactly({k})"))
    }

    /// Keeps the edge sets with an edge at each of the vertices, or the vertex sets with all of them.
    #[pyo3(signature = (*vertices))]
    fn through(&self, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.at_vertices(vertices, true, "through")
    }

    /// Keeps the edge sets without an edge at the vertices, or the vertex sets without the vertices.
    #[pyo3(signature = (*vertices))]
    fn avoid(&self, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.at_vertices(vertices, false, "avoid")
    }

    /// Keeps the sets with all these elements, or the colourings with these pairs of a vertex and a colour.
    ///
    /// >>> import topdd as td
    /// >>> colourings = td.Graph.cycle(4).colourings(3)
    /// >>> colourings.including((0, 0), (2, 1)).count(), colourings.excluding((0, 0), (0, 1)).count()
    /// (1, 6)
    #[pyo3(signature = (*elements))]
    fn including(&self, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.fixed(elements, true, "including")
    }

    /// Keeps the sets with none of the elements, or the colourings with none of the pairs.
    #[pyo3(signature = (*elements))]
    fn excluding(&self, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.fixed(elements, false, "excluding")
    }

    /// Keeps the sets whose weights sum up to at most ``cost``. The weights are by default the weights of the graph.
    ///
    /// >>> import topdd as td
    /// >>> square = td.Graph([(0, 1, 2.5), (1, 2, 4), (2, 3, 1.5), (3, 0, 3)])
    /// >>> square.spanning_trees().cost_at_most(8.5).count()
    /// 3
    #[pyo3(signature = (cost, weights=None))]
    fn cost_at_most(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        self.within(cost, weights, false)
    }

    /// Keeps the sets whose weights sum up to at least ``cost``.
    #[pyo3(signature = (cost, weights=None))]
    fn cost_at_least(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        self.within(cost, weights, true)
    }

    /// Sets the order in which a sweep decides the elements, on which its size depends: a collection of all edges or
    /// vertices, or ``"given"``, ``"bfs"`` (breadth-first) or ``"auto"``, which is the default.
    ///
    /// In a combination, the order of the first family applies.
    ///
    /// >>> import topdd as td
    /// >>> square = td.Graph.cycle(4)
    /// >>> trees = square.spanning_trees()
    /// >>> trees.order("given").build().order == list(square.edges)
    /// True
    /// >>> trees.order(reversed(square.edges)).build().order[0]
    /// (3, 0)
    fn order(&self, order: &Bound<'_, PyAny>) -> Outcome<Self> {
        let order_of = |name: &str| match name {
            "auto" => Ok(Order::Auto),
            "given" => Ok(Order::Given),
            "bfs" => Ok(Order::Bfs),
            _ => Err(Failure::Input(format!(
                "there is no order {name:?}; give \"auto\", \"given\" or \"bfs\", or all {}",
                self.universe.nouns()
            ))),
        };
        let (order, shown) = if let Ok(name) = order.cast::<PyString>() {
            (order_of(&name.to_string())?, call("order", &[("", Some(order))])?)
        } else {
            let numbers = self.universe.numbers(order)?;
            let elements =
                numbers.iter().map(|&number| self.universe.elements().object(order.py(), number));
            let list = PyList::new(order.py(), elements.collect::<PyResult<Vec<_>>>()?)?;
            (Order::Custom(numbers), call("order", &[("", Some(list.as_any()))])?)
        };
        Ok(self.after(&shown, Arc::new(self.source.ordered(&order)?)))
    }

    /// The graph, or ``None`` for a problem on a board.
    #[getter(graph)]
    fn graph_of(&self) -> Option<Graph> {
        self.universe.graph().map(|graph| Graph(graph.clone()))
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::And)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::Or)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::Difference)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::Xor)
    }

    fn __invert__(&self) -> Outcome<Self> {
        let all = Arc::new(Source::Sets(self.all("the operator ~")?));
        // The first operand gives the order.
        let source = Source::combined(Operation::Xor, &self.source, &all)?;
        let description = self.description.inverted();
        Ok(Self { universe: self.universe.clone(), source, description })
    }

    // Without these, all families would be true, and the messages of Python without advice.
    fn __len__(&self) -> PyResult<usize> {
        Err(PyTypeError::new_err("a family has no length; call count(), or build() first"))
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(
            "a family is neither true nor false; compare count() with 0, or build() first",
        ))
    }

    fn __getitem__(&self, _index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err(
            "the solutions of a family are those of its diagram; call build() first",
        ))
    }

    /// Fails, with advice for what a diagram has.
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        let of_diagram = !name.starts_with('_') && slf.py().get_type::<Diagram>().hasattr(name)?;
        Err(PyAttributeError::new_err(if of_diagram {
            format!("{name} is of a Diagram; call build() first: family.build().{name}")
        } else {
            format!("'topdd.Family' object has no attribute '{name}'")
        }))
    }

    fn __repr__(&self) -> String {
        format!("<topdd.Family: {}>", self.description.text())
    }
}

/// All sets of the elements of a graph of the libraries.
fn all_sets(universe: &Universe, core: Option<&Core>, call: &str) -> Outcome<Sets> {
    match (universe, core) {
        (Universe::Edges(..), Some(core)) => Ok(Sets::Edges(EdgeSets::all(core))),
        (Universe::Vertices(_), Some(core)) => Ok(Sets::Vertices(VertexSets::all(core))),
        (Universe::Colours(..), _) => Err(Failure::Input(format!(
            "{call} is for sets, and these are colourings; including and excluding take pairs (vertex, colour)"
        ))),
        _ => Err(Failure::Input(format!(
            "{call} is for sets of edges and of vertices; build() the family first, its diagram has more methods"
        ))),
    }
}

/// The representations of arguments, with commas.
pub(crate) fn listed(arguments: &Bound<'_, PyTuple>) -> PyResult<String> {
    let shown = arguments.iter().map(|argument| Ok(argument.repr()?.to_string()));
    Ok(shown.collect::<PyResult<Vec<_>>>()?.join(", "))
}
