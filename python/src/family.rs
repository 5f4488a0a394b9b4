//! The class `Family`.

use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use topdd::constraint::{self, Constraint, Count};
use topdd_graph::families::{EdgeSets, Order, VertexSets, colourings};
use topdd_graph::predict::PilotLimit;
use topdd_problem::{Condition, Problem, ProblemError, Rules, SetOperation, SumBounds};

use crate::conditions;
use crate::convert::{FILES, Integer, Kept, Reduced, call, check_order, collected, reduced, size};
use crate::diagram::Diagram;
use crate::errors::{Failure, Outcome, no_attribute};
use crate::graph::Graph;
use crate::report::Prediction;
use crate::run::{LimitArgs, Limits, Task, seconds};
use crate::universe::{Domain, MEMBERS, PAIRS, Universe};

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
    /// The calls that made the family, as nested tuples of Python: they are its text, and make it again from a pickle.
    recipe: Py<PyTuple>,
}

/// The call that makes a family: `owner` is the graph or the recipe of the family that has the method, or `None`. Arguments
/// that are `None` are left out.
pub(crate) fn recipe<'py>(
    py: Python<'py>,
    owner: impl IntoPyObject<'py>,
    name: &str,
    positional: impl IntoPyObject<'py>,
    keywords: impl IntoPyObject<'py>,
) -> PyResult<Py<PyTuple>> {
    Ok(call(py, FILES, "recipe", (owner, name, positional, keywords))?.cast_into()?.unbind())
}

impl Family {
    pub(crate) fn new(universe: Universe, problem: Problem, recipe: Py<PyTuple>) -> Outcome<Self> {
        problem.check()?;
        Ok(Self { universe, problem: Arc::new(problem), recipe })
    }

    /// Runs a sweep of the problem within limits.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        limits: Option<LimitArgs>,
        work: impl FnOnce(&Problem, &Task) -> Result<T, ProblemError> + Send + 'static,
    ) -> Outcome<T> {
        self.run_within(py, Limits::new(py, limits)?, work)
    }

    /// Runs a sweep of the problem within limits that were read.
    pub(crate) fn run_within<T: Send + 'static>(
        &self,
        py: Python<'_>,
        mut limits: Limits,
        work: impl FnOnce(&Problem, &Task) -> Result<T, ProblemError> + Send + 'static,
    ) -> Outcome<T> {
        let problem = self.problem.clone();
        if !problem.is_resumable() {
            // One thread at a time has the interpreter, and others only pass it on.
            limits.threads = limits.threads.max(1);
        }
        let done = limits.run(py, move |task| {
            if problem.is_resumable() {
                return Ok(work(&problem, task)?);
            }
            // Rules of Python are called on this thread: it need not make itself known to the interpreter for each call.
            Ok(Python::attach(|py| py.detach(|| work(&problem, task)))?)
        });
        done.map_err(|failure| failure.placed(|variable| self.place(variable, py)))
    }

    /// A variable of a sweep in words.
    fn place(&self, variable: usize, py: Python<'_>) -> Outcome<String> {
        let universe = &self.universe;
        Ok(match (universe, &*self.problem) {
            (Universe::Variables(..), _) => {
                universe.place(variable, Some(self.problem.element_order()?[variable]), py)?
            }
            // Finding the order may take long.
            (_, Problem::Sets(_) | Problem::Cover(_)) => universe.place(variable, None, py)?,
            _ => format!("variable {variable}"),
        })
    }

    /// Fails for elements with more values than solutions can store, which have a byte for each.
    pub(crate) fn check_arities(&self, what: &str) -> Outcome<()> {
        let most = self.universe.arities().into_iter().max().unwrap_or(0);
        if most <= 256 {
            return Ok(());
        }
        let (noun, values) = match self.universe {
            Universe::Variables(..) => ("variables", "values"),
            _ => ("graphs", "colours"),
        };
        Err(Failure::Input(format!(
            "{what} of {noun} with at most 256 {values}, not {most}; count() takes more"
        )))
    }

    /// The family that a method call makes of this one.
    pub(crate) fn after(
        &self,
        problem: Arc<Problem>,
        name: &str,
        arguments: &Bound<'_, PyTuple>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        self.called(problem, name, arguments, (("weights", weights),))
    }

    /// The family that a method call with these arguments makes of this one.
    pub(crate) fn called<'py>(
        &self,
        problem: Arc<Problem>,
        name: &str,
        arguments: &Bound<'py, PyTuple>,
        keywords: impl IntoPyObject<'py>,
    ) -> Outcome<Self> {
        let recipe = recipe(arguments.py(), &self.recipe, name, arguments, keywords)?;
        Ok(Self { universe: self.universe.clone(), problem, recipe })
    }

    /// The problem under a condition.
    pub(crate) fn under(&self, condition: Condition) -> Outcome<Arc<Problem>> {
        let condition = match (condition, &self.universe) {
            // Rules have the weights of both values of an element.
            (Condition::Cost(bounds), Universe::Squares(..) | Universe::Objects(_)) => {
                let weights = bounds.weights.iter().flat_map(|&weight| [0, weight]).collect();
                Condition::Cost(SumBounds { weights, ..bounds })
            }
            (condition, _) => condition,
        };
        self.problem.with(&condition, || Ok(self.all()))
    }

    /// The solutions in which a number of elements, or of variables with one of the values, is bounded by the method `name`.
    fn of_size(
        &self,
        name: &str,
        make: fn(Vec<usize>, usize) -> Constraint<Count>,
        k: &Bound<'_, PyAny>,
        of: Option<&Kept<'_>>,
        values: Option<&Kept<'_>>,
    ) -> Outcome<Self> {
        let bound = size(k, "k")?;
        let arguments = PyTuple::new(k.py(), [bound])?;
        if self.counts_values(name, of.or(values).is_some())? {
            return self.counting(name, make(self.arities(), bound), &arguments, of, values);
        }
        self.kept(name, &arguments, None)
    }

    /// The solutions under the condition of a method.
    fn kept(
        &self,
        name: &str,
        arguments: &Bound<'_, PyTuple>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        let weights = weights.map(collected).transpose()?;
        let weights = weights.as_ref();
        let condition = conditions::of_call(&self.universe, name, arguments, weights)?;
        self.after(self.under(condition)?, name, arguments, weights)
    }

    /// All sets of the elements, or all assignments.
    fn all(&self) -> Problem {
        let Universe::Graph(graph, part) = &self.universe else {
            return Problem::Rules(Rules::all(self.universe.arities()));
        };
        // Partitions have a graph with weights.
        let core = match &*self.problem {
            Problem::Sets(sets) => sets.graph(),
            _ => &graph.core,
        };
        Problem::Sets(match *part {
            Domain::Edges(_) => EdgeSets::all(core).into_any(),
            Domain::Vertices => VertexSets::all(core).into_any(),
            Domain::Colours(count) => colourings(core, count).into_any(),
        })
    }

    /// The combination of this family and another one by an operator, whose method has the name.
    fn combined(
        &self,
        other: &Bound<'_, Self>,
        operation: SetOperation,
        name: &str,
    ) -> Outcome<Self> {
        let (py, other) = (other.py(), other.get());
        self.universe.check_same(&other.universe, "families", py)?;
        let problem = Problem::combined(operation, &self.problem, &other.problem)?;
        let universe = self.universe.combined(&other.universe, py)?;
        let recipe = if Arc::ptr_eq(&problem, &self.problem) {
            self.recipe.clone_ref(py)
        } else {
            recipe(py, &self.recipe, name, (&other.recipe,), ())?
        };
        Ok(Self { universe, problem, recipe })
    }
}

#[pymethods]
impl Family {
    /// Returns the number of solutions, exactly: by one sweep without a diagram. With bounds on weights or on the number of
    /// elements, takes the way that is predicted to be fastest: a sweep with all bounds in its states, one with counts by sum in
    /// place of a bound, or a count in the diagram without the bounds on weights.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.grid(9, 9).paths(0, 80).count()
    /// 3266598486981642
    #[pyo3(signature = (**limits))]
    fn count(&self, py: Python<'_>, limits: Option<LimitArgs>) -> Outcome<Integer> {
        self.run(py, limits, |problem, task| problem.count(task)).map(Integer)
    }

    /// Returns a list with the number of sets of each size, from 0 to the largest: one sweep without a diagram.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.cycle(4).matchings().count_by_size()
    /// [1, 4, 2]
    #[pyo3(signature = (**limits))]
    fn count_by_size(&self, py: Python<'_>, limits: Option<LimitArgs>) -> Outcome<Vec<Integer>> {
        let members = self.universe.member_values("count_by_size", PAIRS, py)?;
        if members.contains(&0) {
            // A sweep sums up the numbers of values.
            return self.build(py, limits)?.count_by_size(py);
        }
        let sizes = self.run(py, limits, |problem, task| problem.count_by_size(task))?;
        Ok(sizes.into_iter().map(Integer).collect())
    }

    /// Builds the diagram of all solutions: one sweep and a reduction, without bounds on weights at first if that is
    /// much faster.
    ///
    /// >>> import topdd as td
    /// >>> trees = td.Graph.cycle(4).spanning_trees().build(memory="1GB", timeout=60)
    /// >>> len(trees), trees.count_by_size()
    /// (4, [0, 0, 0, 4])
    #[pyo3(signature = (**limits))]
    pub(crate) fn build(&self, py: Python<'_>, limits: Option<LimitArgs>) -> Outcome<Diagram> {
        self.check_arities("diagrams are")?;
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
        self.run(py, None, move |problem, _| problem.predict(limit)).map(Prediction::from)
    }

    /// Keeps the sets with at most ``k`` elements, or the assignments in which at most ``k`` of the variables ``of`` have one of
    /// the ``values``: by default all variables, and the values other than the one that is ``False`` or 0.
    ///
    /// >>> import topdd as td
    /// >>> week = td.constraints(["mon", "tue", "wed"], ["early", "late"])
    /// >>> week.at_most(1, values=["late"]).exactly(1, of=["mon", "tue"], values=["early"]).count()
    /// 2
    #[pyo3(signature = (k, of=None, values=None))]
    fn at_most(
        &self,
        k: &Bound<'_, PyAny>,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
    ) -> Outcome<Self> {
        self.of_size("at_most", constraint::at_most, k, of.as_ref(), values.as_ref())
    }

    /// Keeps the sets with at least ``k`` elements, or the assignments with at least ``k`` of the values; see ``at_most``.
    #[pyo3(signature = (k, of=None, values=None))]
    fn at_least(
        &self,
        k: &Bound<'_, PyAny>,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
    ) -> Outcome<Self> {
        self.of_size("at_least", constraint::at_least, k, of.as_ref(), values.as_ref())
    }

    /// Keeps the sets with exactly ``k`` elements, or the assignments with exactly ``k`` of the values; see ``at_most``.
    #[pyo3(signature = (k, of=None, values=None))]
    fn exactly(
        &self,
        k: &Bound<'_, PyAny>,
        of: Option<Kept<'_>>,
        values: Option<Kept<'_>>,
    ) -> Outcome<Self> {
        self.of_size("exactly", constraint::exactly, k, of.as_ref(), values.as_ref())
    }

    /// Keeps the edge sets with an edge at each of the vertices, or the vertex sets with all of them.
    #[pyo3(signature = (*vertices))]
    fn through(&self, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.kept("through", vertices, None)
    }

    /// Keeps the edge sets without an edge at the vertices, or the vertex sets without the vertices.
    #[pyo3(signature = (*vertices))]
    fn avoid(&self, vertices: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.kept("avoid", vertices, None)
    }

    /// Keeps the sets with all these elements, or the colourings with these pairs of a vertex and a colour.
    ///
    /// >>> import topdd as td
    /// >>> colourings = td.Graph.cycle(4).colourings(3)
    /// >>> colourings.including((0, 0), (2, 1)).count(), colourings.excluding((0, 0), (0, 1)).count()
    /// (1, 6)
    #[pyo3(signature = (*elements))]
    fn including(&self, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.kept("including", elements, None)
    }

    /// Keeps the sets with none of the elements, or the colourings with none of the pairs.
    #[pyo3(signature = (*elements))]
    fn excluding(&self, elements: &Bound<'_, PyTuple>) -> Outcome<Self> {
        self.kept("excluding", elements, None)
    }

    /// Keeps the sets whose weights sum up to at most ``cost``. The weights are by default the weights of the graph.
    ///
    /// Of variables, a weight is a number, by which the value is multiplied, or a mapping from values to numbers.
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
        self.kept("cost_at_most", &PyTuple::new(cost.py(), [cost])?, weights)
    }

    /// Keeps the sets whose weights sum up to at least ``cost``.
    #[pyo3(signature = (cost, weights=None))]
    fn cost_at_least(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Self> {
        self.kept("cost_at_least", &PyTuple::new(cost.py(), [cost])?, weights)
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
        let (py, universe) = (order.py(), &self.universe);
        let order_of = |name: &str| match name {
            "auto" => Ok(Order::Auto),
            "given" => Ok(Order::Given),
            "bfs" => Ok(Order::Bfs),
            _ => Err(Failure::Input(format!(
                "there is no order {name:?}; give \"auto\", \"given\" or \"bfs\", or all {}",
                universe.nouns()
            ))),
        };
        let (order, shown) = if let Ok(name) = order.cast::<PyString>() {
            (order_of(&name.to_string())?, order.clone())
        } else {
            check_order(order, "the order")?;
            let numbers = universe.numbers(order)?;
            universe.check_all(&numbers, py)?;
            let list = PyList::new(py, universe.elements().several(py, numbers.iter().copied())?)?;
            (Order::Custom(numbers), list.into_any())
        };
        let ordered = Arc::new(self.problem.ordered(&order)?);
        self.after(ordered, "order", &PyTuple::new(py, [shown])?, None)
    }

    /// The graph, or ``None`` for a problem on a board.
    #[getter(graph)]
    fn graph_of(&self) -> Option<Graph> {
        self.universe.graph().map(|graph| Graph(graph.clone()))
    }

    fn __and__(&self, other: &Bound<'_, Self>) -> Outcome<Self> {
        self.combined(other, SetOperation::And, "__and__")
    }

    fn __or__(&self, other: &Bound<'_, Self>) -> Outcome<Self> {
        self.combined(other, SetOperation::Or, "__or__")
    }

    fn __sub__(&self, other: &Bound<'_, Self>) -> Outcome<Self> {
        self.combined(other, SetOperation::Difference, "__sub__")
    }

    fn __xor__(&self, other: &Bound<'_, Self>) -> Outcome<Self> {
        self.combined(other, SetOperation::Xor, "__xor__")
    }

    fn __invert__(&self, py: Python<'_>) -> Outcome<Self> {
        if self.universe.graph().is_some() {
            self.universe.check_sets("the operator ~", MEMBERS, py)?;
        }
        // The first operand gives the order.
        let all = Arc::new(self.all());
        let problem = Problem::combined(SetOperation::Xor, &self.problem, &all)?;
        self.after(problem, "__invert__", &PyTuple::empty(py), None)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Outcome<Reduced<'py>> {
        reduced(py, "restored_family", (call(py, FILES, "pickled", (&self.recipe,))?,))
    }

    /// The call that makes the family.
    #[getter]
    fn _recipe<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.recipe.bind(py).clone()
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

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<topdd.Family: {}>", call(py, FILES, "described", (&self.recipe,))?))
    }
}
