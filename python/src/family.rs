//! The class `Family`.

use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use topdd_graph::families::{EdgeSets, GraphSets, Order, VertexSets, colourings};
use topdd_graph::predict::PilotLimit;
use topdd_problem::{Condition, Problem, ProblemError, SetOperation};

use crate::conditions;
use crate::convert::{collected, to_int, to_ints};
use crate::description::{Call, Description};
use crate::diagram::Diagram;
use crate::errors::{Failure, Outcome, no_attribute};
use crate::graph::Graph;
use crate::report::Prediction;
use crate::run::{GivenLimits, Limits, Task, seconds};
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
    pub(crate) problem: Arc<Problem>,
    /// The calls that made the family.
    description: Description,
    /// The same as nested tuples of Python, which make it again from a pickle.
    recipe: Py<PyTuple>,
}

impl Family {
    /// Makes the family of a call of a method of a graph, or of a function.
    pub(crate) fn new(
        universe: Universe,
        problem: Problem,
        owner: &Bound<'_, PyAny>,
        call: &Call<'_>,
    ) -> Outcome<Self> {
        problem.check()?;
        Ok(Self {
            universe,
            problem: Arc::new(problem),
            description: Description::of_call(call.text.clone()),
            recipe: call.recipe(owner)?,
        })
    }

    /// Runs a sweep of the problem within limits.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        limits: Option<GivenLimits>,
        work: impl FnOnce(&Problem, &Task) -> Result<T, ProblemError> + Send + 'static,
    ) -> Outcome<T> {
        let problem = self.problem.clone();
        Limits::new(py, limits)?.run(py, move |task| Ok(work(&problem, task)?))
    }

    /// The family that a method call makes of this one.
    fn after(slf: &Bound<'_, Self>, call: &Call<'_>, problem: Arc<Problem>) -> Outcome<Self> {
        let family = slf.get();
        Ok(Self {
            universe: family.universe.clone(),
            problem,
            description: family.description.with_call(&call.text),
            recipe: call.recipe(family.recipe.bind(slf.py()).as_any())?,
        })
    }

    /// The solutions that satisfy a condition.
    fn kept(slf: &Bound<'_, Self>, condition: &Condition, call: &Call<'_>) -> Outcome<Self> {
        let family = slf.get();
        let all = || {
            family.all().ok_or_else(|| {
                Failure::Input(format!(
                    "{} is for sets of edges and of vertices; build() the family first, its diagram has more methods",
                    call.name
                ))
            })
        };
        Self::after(slf, call, family.problem.with(condition, all)?)
    }

    /// The sets with a bound on their sizes.
    fn sized(slf: &Bound<'_, Self>, name: &str, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        let (condition, k) = conditions::of_size(&slf.get().universe, name, k)?;
        let shown = k.into_pyobject(slf.py()).map_err(PyErr::from)?.into_any();
        Self::kept(slf, &condition, &Call::new(slf.py(), name, &[("", Some(&shown))])?)
    }

    /// The solutions under a condition on the positional arguments.
    fn with_arguments(
        slf: &Bound<'_, Self>,
        name: &str,
        arguments: &Bound<'_, PyTuple>,
        condition: conditions::OfArguments,
    ) -> Outcome<Self> {
        let condition = condition(&slf.get().universe, name, arguments)?;
        let list = arguments.iter().collect::<Vec<_>>();
        let list: Vec<_> = list.iter().map(|argument| ("", Some(argument))).collect();
        Self::kept(slf, &condition, &Call::new(slf.py(), name, &list)?)
    }

    /// The sets whose weights are within a bound.
    fn within(
        slf: &Bound<'_, Self>,
        name: &str,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        let weights = weights.map(collected).transpose()?;
        let condition = conditions::of_cost(&slf.get().universe, name, cost, weights.as_ref())?;
        let arguments = [("", Some(cost)), ("weights", weights.as_ref())];
        Self::kept(slf, &condition, &Call::new(slf.py(), name, &arguments)?)
    }

    /// All solutions with the elements of the graph; `None` on a board.
    fn all(&self) -> Option<GraphSets> {
        // Partitions have a graph with weights.
        let core = match &*self.problem {
            Problem::Sets(sets) => sets.graph(),
            _ => &self.universe.graph()?.core,
        };
        match &self.universe {
            Universe::Edges(..) => Some(EdgeSets::all(core).into_any()),
            Universe::Vertices(_) => Some(VertexSets::all(core).into_any()),
            Universe::Colours(_, count) => Some(colourings(core, *count).into_any()),
            Universe::Squares(..) | Universe::Objects(_) => None,
        }
    }

    /// The combination of this family and another one by an operator, whose method has the name.
    fn combined(
        &self,
        other: &Self,
        operation: SetOperation,
        name: &str,
        py: Python<'_>,
    ) -> Outcome<Self> {
        self.universe.check_same(&other.universe, "families", py)?;
        let problem = Problem::combined(operation, &self.problem, &other.problem)?;
        let universe = self.universe.combined(&other.universe, py)?;
        let description = if Arc::ptr_eq(&problem, &self.problem) {
            self.description.clone()
        } else {
            self.description.combined(operation, &other.description)
        };
        let operands = (&self.recipe, name, (&other.recipe,), PyDict::new(py));
        let recipe = operands.into_pyobject(py)?.unbind();
        Ok(Self { universe, problem, description, recipe })
    }

    fn operate(
        &self,
        other: &Bound<'_, PyAny>,
        operation: SetOperation,
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
        limits: Option<GivenLimits>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let count = self.run(py, limits, |problem, task| problem.count(task))?;
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
        limits: Option<GivenLimits>,
    ) -> Outcome<Bound<'py, PyAny>> {
        self.universe.check_sets("count_by_size")?;
        let sizes = self.run(py, limits, |problem, task| problem.count_by_size(task))?;
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
    fn build(&self, py: Python<'_>, limits: Option<GivenLimits>) -> Outcome<Diagram> {
        // The values of elements are stored in bytes.
        if self.universe.colours().is_some_and(|colours| colours > 256) {
            return Err(Failure::input("a diagram has at most 256 colours; count() takes more"));
        }
        let (zdd, order, report) = self.run(py, limits, |problem, task| problem.build(task))?;
        Ok(Diagram::new(self.universe.clone(), zdd, order).with_report(report))
    }

    /// Predicts states, memory and time of a sweep from its beginning, in at most about ``timeout`` seconds.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.grid(5, 5).forests().predict().is_exact
    /// True
    #[pyo3(signature = (*, timeout=Duration::from_millis(500)), text_signature = "($self, *, timeout=0.5)")]
    fn predict(
        &self,
        #[pyo3(from_py_with = seconds)] timeout: Duration,
        py: Python<'_>,
    ) -> Outcome<Prediction> {
        let limit = PilotLimit { time: timeout, ..PilotLimit::default() };
        let prediction = self.run(py, None, move |problem, _| problem.predict(limit))?;
        Ok(Prediction(prediction))
    }

    /// Keeps the sets with at most ``k`` elements.
    fn at_most(slf: &Bound<'_, Self>, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        Self::sized(slf, "at_most", k)
    }

    /// Keeps the sets with at least ``k`` elements.
    fn at_least(slf: &Bound<'_, Self>, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        Self::sized(slf, "at_least", k)
    }

    /// Keeps the sets with exactly ``k`` elements.
    fn exactly(slf: &Bound<'_, Self>, k: &Bound<'_, PyAny>) -> Outcome<Self> {
        Self::sized(slf, "exactly", k)
    }

    /// Keeps the edge sets with an edge at each of the vertices, or the vertex sets with all of them.
    #[pyo3(signature = (*vertices))]
    fn through(slf: &Bound<'_, Self>, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::with_arguments(slf, "through", vertices, conditions::on_vertices)
    }

    /// Keeps the edge sets without an edge at the vertices, or the vertex sets without the vertices.
    #[pyo3(signature = (*vertices))]
    fn avoid(slf: &Bound<'_, Self>, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::with_arguments(slf, "avoid", vertices, conditions::on_vertices)
    }

    /// Keeps the sets with all these elements, or the colourings with these pairs of a vertex and a colour.
    ///
    /// >>> import topdd as td
    /// >>> colourings = td.Graph.cycle(4).colourings(3)
    /// >>> colourings.including((0, 0), (2, 1)).count(), colourings.excluding((0, 0), (0, 1)).count()
    /// (1, 6)
    #[pyo3(signature = (*elements))]
    fn including(slf: &Bound<'_, Self>, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::with_arguments(slf, "including", elements, conditions::on_elements)
    }

    /// Keeps the sets with none of the elements, or the colourings with none of the pairs.
    #[pyo3(signature = (*elements))]
    fn excluding(slf: &Bound<'_, Self>, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        Self::with_arguments(slf, "excluding", elements, conditions::on_elements)
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
        Self::within(slf, "cost_at_most", cost, weights)
    }

    /// Keeps the sets whose weights sum up to at least ``cost``.
    #[pyo3(signature = (cost, weights=None))]
    fn cost_at_least(
        slf: &Bound<'_, Self>,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        Self::within(slf, "cost_at_least", cost, weights)
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
        Self::after(slf, &call, Arc::new(slf.get().problem.ordered(&order)?))
    }

    /// The graph, or ``None`` for a problem on a board.
    #[getter(graph)]
    fn graph_of(&self) -> Option<Graph> {
        self.universe.graph().map(|graph| Graph(graph.clone()))
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, SetOperation::And, "__and__")
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, SetOperation::Or, "__or__")
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, SetOperation::Difference, "__sub__")
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operate(other, SetOperation::Xor, "__xor__")
    }

    fn __invert__(slf: &Bound<'_, Self>) -> Outcome<Self> {
        let family = slf.get();
        family.universe.check_sets("the operator ~")?;
        let all = family.all().ok_or_else(|| {
            Failure::input(
                "the operator ~ is for sets of edges and of vertices; build() the family first",
            )
        })?;
        // The first operand gives the order.
        let problem =
            Problem::combined(SetOperation::Xor, &family.problem, &Arc::new(Problem::Sets(all)))?;
        let call = Call::new(slf.py(), "__invert__", &[])?;
        let description = family.description.inverted();
        Ok(Self { description, ..Self::after(slf, &call, problem)? })
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
