//! The class `Family`.

use std::sync::Arc;

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use topdd_graph::Graph as Core;
use topdd_graph::families::{self, Degrees, EdgeSets, Order, SubgraphConstraint, VertexSets};
use topdd_graph::predict::PilotLimit;

use crate::convert::{collected, size, to_int, to_ints};
use crate::description::{Call, Description};
use crate::diagram::Diagram;
use crate::errors::{Failure, Outcome, no_attribute};
use crate::graph::{Graph, GraphData};
use crate::report::Prediction;
use crate::run::Limits;
use crate::source::{Operation, Sets, Source};
use crate::universe::Universe;

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
    /// The same as nested tuples of Python, which make it again from a pickle.
    recipe: Py<PyTuple>,
}

impl Family {
    /// Makes the family of a call of a method of a graph, or of a function.
    pub(crate) fn new(
        universe: Universe,
        source: Source,
        owner: &Bound<'_, PyAny>,
        call: &Call<'_>,
    ) -> Outcome<Self> {
        source.check()?;
        Ok(Self {
            universe,
            source: Arc::new(source),
            description: Description::of_call(call.text.clone()),
            recipe: call.recipe(owner)?,
        })
    }

    /// The family that a method call makes of this one.
    fn after(slf: &Bound<'_, Self>, call: &Call<'_>, source: Arc<Source>) -> Outcome<Self> {
        source.check()?;
        let family = slf.get();
        Ok(Self {
            universe: family.universe.clone(),
            source,
            description: family.description.with_call(&call.text),
            recipe: call.recipe(family.recipe.bind(slf.py()).as_any())?,
        })
    }

    /// The family whose sets are also in another one over the same elements.
    fn and(slf: &Bound<'_, Self>, other: Sets, call: &Call<'_>) -> Outcome<Self> {
        let other = Arc::new(Source::Sets(other));
        let source = Source::combined(Operation::And, &slf.get().source, &other)?;
        Self::after(slf, call, source)
    }

    /// The sets that satisfy a constraint.
    fn constrained(
        slf: &Bound<'_, Self>,
        constraint: SubgraphConstraint,
        call: &Call<'_>,
    ) -> Outcome<Self> {
        let family = slf.get();
        if let Source::Sets(sets) = &*family.source {
            let source = Source::Sets(sets.constrained(constraint)?);
            return Self::after(slf, call, Arc::new(source));
        }
        Self::and(slf, family.all(&call.text)?.constrained(constraint)?, call)
    }

    /// The sets with a bound on their sizes.
    fn sized(
        slf: &Bound<'_, Self>,
        name: &str,
        k: &Bound<'_, PyAny>,
        bound: fn(usize) -> SubgraphConstraint,
    ) -> Outcome<Self> {
        let k = size(k, "k")?;
        let shown = k.into_pyobject(slf.py()).map_err(PyErr::from)?.into_any();
        let call = Call::new(slf.py(), name, &[("", Some(&shown))])?;
        Self::constrained(slf, bound(k), &call)
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
    fn at_vertices(
        slf: &Bound<'_, Self>,
        vertices: &Bound<'_, PyTuple>,
        takes: bool,
        name: &str,
    ) -> Outcome<Self> {
        let family = slf.get();
        let sets = sets_at_vertices(&family.universe, family.core(), vertices, takes, name)?;
        Self::and(slf, sets, &with_elements(name, vertices)?)
    }

    /// The sets with, or without, some elements, or the colourings with or without pairs.
    fn fixed(
        slf: &Bound<'_, Self>,
        elements: &Bound<'_, PyTuple>,
        taken: bool,
        name: &str,
    ) -> Outcome<Self> {
        let family = slf.get();
        let numbers = family.universe.arguments(elements, name)?;
        let call = with_elements(name, elements)?;
        if let Some(colours) = family.universe.colours() {
            return Self::coloured(slf, numbers, colours, taken, &call);
        }
        let numbers = numbers.into_iter().map(|(number, _)| number);
        let mut all = family.all(name)?;
        if let Sets::Vertices(sets) = all {
            all = Sets::Vertices(if taken { sets.with(numbers) } else { sets.without(numbers) });
        } else {
            for edge in numbers {
                all = all.constrained(SubgraphConstraint::Edge { edge, taken })?;
            }
        }
        Self::and(slf, all, &call)
    }

    /// The colourings in which vertices have, or do not have, some colours.
    fn coloured(
        slf: &Bound<'_, Self>,
        pairs: Vec<(usize, usize)>,
        colours: usize,
        taken: bool,
        call: &Call<'_>,
    ) -> Outcome<Self> {
        let family = slf.get();
        let all = match &*family.source {
            Source::Sets(Sets::Colours(sets)) => sets.clone(),
            _ => families::colourings(&family.graph(&call.text)?.core, colours),
        };
        let kept = Sets::Colours(if taken { all.with(pairs) } else { all.without(pairs) });
        if matches!(&*family.source, Source::Combined { .. }) {
            return Self::and(slf, kept, call);
        }
        Self::after(slf, call, Arc::new(Source::Sets(kept)))
    }

    /// The sets whose weights are within a bound.
    fn within(
        slf: &Bound<'_, Self>,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        is_least: bool,
    ) -> Outcome<Self> {
        let weights = weights.map(collected).transpose()?;
        let weights = weights.as_ref();
        let numbers = crate::weights::of_universe(&slf.get().universe, weights, cost.py())?;
        let bound = numbers.bound(cost, is_least)?;
        let (least, most) = if is_least { (bound, i64::MAX) } else { (i64::MIN, bound) };
        let name = if is_least { "cost_at_least" } else { "cost_at_most" };
        let call = Call::new(slf.py(), name, &[("", Some(cost)), ("weights", weights)])?;
        let weights = numbers.whole;
        Self::constrained(slf, SubgraphConstraint::Weight { weights, least, most }, &call)
    }

    /// The combination of this family and another one by an operator, whose method has the name.
    fn combined(
        &self,
        other: &Self,
        operation: Operation,
        name: &str,
        py: Python<'_>,
    ) -> Outcome<Self> {
        self.universe.check_same(&other.universe, "families", py)?;
        let source = Source::combined(operation, &self.source, &other.source)?;
        let universe = self.universe.combined(&other.universe, py)?;
        let description = if Arc::ptr_eq(&source, &self.source) {
            self.description.clone()
        } else {
            self.description.combined(operation, &other.description)
        };
        let operands = (&self.recipe, name, (&other.recipe,), PyDict::new(py));
        let recipe = operands.into_pyobject(py)?.unbind();
        Ok(Self { universe, source, description, recipe })
    }

    fn operate(
        &self,
        other: &Bound<'_, PyAny>,
        operation: Operation,
        name: &str,
    ) -> Outcome<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Family>() else {
            return Ok(py.NotImplemented());
        };
        Ok(Py::new(py, self.combined(other.get(), operation, name, py)?)?.into_any())
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
    fn at_most(slf: &Bound<'_, Self>, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        Self::sized(slf, "at_most", k, families::at_most)
    }

    /// Keeps the sets with at least ``k`` elements.
    fn at_least(slf: &Bound<'_, Self>, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        Self::sized(slf, "at_least", k, families::at_least)
    }

    /// Keeps the sets with exactly ``k`` elements.
    fn exactly(slf: &Bound<'_, Self>, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        Self::sized(slf, "exactly", k, families::exactly)
    }

    /// Keeps the edge sets with an edge at each of the vertices, or the vertex sets with all of them.
    #[pyo3(signature = (*vertices))]
    fn through(slf: &Bound<'_, Self>, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::at_vertices(slf, vertices, true, "through")
    }

    /// Keeps the edge sets without an edge at the vertices, or the vertex sets without the vertices.
    #[pyo3(signature = (*vertices))]
    fn avoid(slf: &Bound<'_, Self>, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::at_vertices(slf, vertices, false, "avoid")
    }

    /// Keeps the sets with all these elements, or the colourings with these pairs of a vertex and a colour.
    ///
    /// >>> import topdd as td
    /// >>> colourings = td.Graph.cycle(4).colourings(3)
    /// >>> colourings.including((0, 0), (2, 1)).count(), colourings.excluding((0, 0), (0, 1)).count()
    /// (1, 6)
    #[pyo3(signature = (*elements))]
    fn including(slf: &Bound<'_, Self>, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::fixed(slf, elements, true, "including")
    }

    /// Keeps the sets with none of the elements, or the colourings with none of the pairs.
    #[pyo3(signature = (*elements))]
    fn excluding(slf: &Bound<'_, Self>, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::fixed(slf, elements, false, "excluding")
    }

    /// Keeps the sets whose weights sum up to at most ``cost``. The weights are by default the weights of the graph.
    ///
    /// >>> import topdd as td
    /// >>> square = td.Graph([(0, 1, 2.5), (1, 2, 4), (2, 3, 1.5), (3, 0, 3)])
    /// >>> square.spanning_trees().cost_at_most(8.5).count()
    /// 3
    #[pyo3(signature = (cost, weights=None))]
    fn cost_at_most(
        slf: &Bound<'_, Self>,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        Self::within(slf, cost, weights, false)
    }

    /// Keeps the sets whose weights sum up to at least ``cost``.
    #[pyo3(signature = (cost, weights=None))]
    fn cost_at_least(
        slf: &Bound<'_, Self>,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        Self::within(slf, cost, weights, true)
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
    fn order(slf: &Bound<'_, Self>, order: &Bound<'_, PyAny>) -> Outcome<Self> {
        let (py, universe) = (slf.py(), &slf.get().universe);
        let order_of = |name: &str| match name {
            "auto" => Ok(Order::Auto),
            "given" => Ok(Order::Given),
            "bfs" => Ok(Order::Bfs),
            _ => Err(Failure::Input(format!(
                "there is no order {name:?}; give \"auto\", \"given\" or \"bfs\", or all {}",
                universe.nouns()
            ))),
        };
        let (order, call) = if let Ok(name) = order.cast::<PyString>() {
            (order_of(&name.to_string())?, Call::new(py, "order", &[("", Some(order))])?)
        } else {
            let numbers = universe.numbers(order)?;
            universe.check_all(&numbers, py)?;
            let elements = numbers.iter().map(|&number| universe.elements().object(py, number));
            let list = PyList::new(py, elements.collect::<PyResult<Vec<_>>>()?)?;
            (Order::Custom(numbers), Call::new(py, "order", &[("", Some(list.as_any()))])?)
        };
        Self::after(slf, &call, Arc::new(slf.get().source.ordered(&order)?))
    }

    /// The graph, or ``None`` for a problem on a board.
    #[getter(graph)]
    fn graph_of(&self) -> Option<Graph> {
        self.universe.graph().map(|graph| Graph(graph.clone()))
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::And, "__and__")
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::Or, "__or__")
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::Difference, "__sub__")
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, Operation::Xor, "__xor__")
    }

    fn __invert__(slf: &Bound<'_, Self>) -> Outcome<Self> {
        let family = slf.get();
        let all = Arc::new(Source::Sets(family.all("the operator ~")?));
        // The first operand gives the order.
        let source = Source::combined(Operation::Xor, &family.source, &all)?;
        let call = Call::new(slf.py(), "__invert__", &[])?;
        let description = family.description.inverted();
        Ok(Self { description, ..Self::after(slf, &call, source)? })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let files = py.import("topdd._files")?;
        let calls = files.getattr("calls_of")?.call1((&self.recipe,))?;
        (files.getattr("restored_family")?, (calls,)).into_pyobject(py)
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
        Err(if of_diagram {
            PyAttributeError::new_err(format!(
                "{name} is of a Diagram; call build() first: family.build().{name}"
            ))
        } else {
            no_attribute(slf.as_any(), name)
        })
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

/// The sets with, or without, edges at some vertices, or with or without the vertices themselves, of all sets of a
/// universe.
pub(crate) fn sets_at_vertices(
    universe: &Universe,
    core: Option<&Core>,
    vertices: &Bound<'_, PyTuple>,
    takes: bool,
    name: &str,
) -> Outcome<Sets> {
    let Some(graph) = universe.graph() else {
        return Err(Failure::Input(format!("{name} is for sets of edges and of vertices")));
    };
    let given = Universe::Vertices(graph.clone()).arguments(vertices, name)?;
    let numbers = given.into_iter().map(|(vertex, _)| vertex);
    let core = core.unwrap_or(&graph.core);
    if let Sets::Vertices(all) = all_sets(universe, Some(core), name)? {
        let kept = if takes { all.with(numbers) } else { all.without(numbers) };
        return Ok(Sets::Vertices(kept));
    }
    let mut degrees = vec![Degrees::any(); core.num_vertices()];
    for vertex in numbers {
        degrees[vertex] = if takes { Degrees::from(1..) } else { 0.into() };
    }
    Ok(Sets::Edges(families::degrees(core, degrees)))
}

/// A call with elements as its arguments.
fn with_elements<'py>(name: &str, elements: &Bound<'py, PyTuple>) -> PyResult<Call<'py>> {
    let (py, elements) = (elements.py(), elements.iter().collect::<Vec<_>>());
    let arguments: Vec<_> = elements.iter().map(|element| ("", Some(element))).collect();
    Call::new(py, name, &arguments)
}
