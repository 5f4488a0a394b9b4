//! Sets of solutions: operators, comparisons, and operations on families of sets.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd::{BoxedSpec, SpecExt, Zdd};
use topdd_apply::{Error as ApplyError, Family as ApplyFamily};
use topdd_problem::condition::build;
use topdd_problem::{Condition, On, Run, SetOperation};

use super::Diagram;
use super::align::OverBoth;
use crate::conditions;
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::run::{GivenLimits, Limits, Task};
use crate::solution::values_of;

impl Diagram {
    fn operate(
        &self,
        other: &Bound<'_, PyAny>,
        operation: SetOperation,
        limits: Option<GivenLimits>,
    ) -> Outcome<Option<Diagram>> {
        let done = self.with_both(other, limits, move |task, both| {
            Ok(build(operation.combine(both), task)?)
        })?;
        Ok(done.map(OverBoth::diagram))
    }

    /// The result of an operator, or `NotImplemented`.
    fn operator(&self, other: &Bound<'_, PyAny>, operation: SetOperation) -> Outcome<Py<PyAny>> {
        let py = other.py();
        match self.operate(other, operation, None)? {
            Some(diagram) => Ok(Py::new(py, diagram)?.into_any()),
            None => Ok(py.NotImplemented()),
        }
    }

    fn method(
        &self,
        other: &Bound<'_, PyAny>,
        operation: SetOperation,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        self.operate(other, operation, limits)?.ok_or_else(|| no_diagram(other))
    }

    /// Whether a combination with another diagram, or a family, has no solution; `None` if the other is neither.
    fn is_none(
        &self,
        other: &Bound<'_, PyAny>,
        combine: fn([BoxedSpec<'static>; 2]) -> BoxedSpec<'static>,
    ) -> Outcome<Option<bool>> {
        let done = self
            .with_both(other, None, move |task, both| Ok(build(combine(both), task)?.is_empty()))?;
        Ok(done.map(|done| done.result))
    }

    /// The diagram of a spec over the same variables.
    fn built_with(
        &self,
        py: Python<'_>,
        limits: Option<GivenLimits>,
        work: impl FnOnce(&Zdd, &Task) -> Outcome<Zdd> + Send + 'static,
    ) -> Outcome<Self> {
        Ok(self.with(self.long(py, limits, work)?))
    }

    /// The solutions that satisfy a condition.
    fn kept(
        &self,
        py: Python<'_>,
        limits: Option<GivenLimits>,
        condition: Condition,
    ) -> Outcome<Self> {
        let (graph, order) =
            (self.universe.graph().map(|graph| graph.core.clone()), self.order.clone());
        let unit = self.universe.unit();
        self.built_with(py, limits, move |zdd, task| {
            Ok(condition.after(zdd, On { graph: graph.as_ref(), unit, order: &order }, task)?)
        })
    }

    /// The sets with a bound on their sizes.
    fn sized(
        &self,
        name: &str,
        k: &Bound<'_, PyAny>,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        self.kept(k.py(), limits, conditions::of_size(&self.universe, name, k)?.0)
    }

    /// The solutions under a condition on the positional arguments.
    fn with_arguments(
        &self,
        name: &str,
        arguments: &Bound<'_, PyTuple>,
        condition: conditions::OfArguments,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        self.kept(arguments.py(), limits, condition(&self.universe, name, arguments)?)
    }

    /// An operation of the apply engine on this diagram and another one.
    fn applied_to_both(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<GivenLimits>,
        operation: fn(&ApplyFamily, &ApplyFamily) -> Result<ApplyFamily, ApplyError>,
    ) -> Outcome<Self> {
        self.universe.check_sets("an operation on sets")?;
        let one = self.of_one_set(other)?;
        let done = self.with_both(one.as_ref().unwrap_or(other), limits, move |task, both| {
            let [left, right] = both.map(|spec| build(spec, task));
            let (left, right) = (left?, right?);
            let manager = task.manager(left.num_vars())?;
            let done = manager.within(&task.limits(), || {
                operation(&manager.family_of(&left)?, &manager.family_of(&right)?)?.to_zdd()
            });
            Ok(done?)
        })?;
        Ok(done.ok_or_else(|| no_diagram(other))?.diagram())
    }

    /// The diagram of one set that is given as a collection of elements; `None` if it is no collection.
    fn of_one_set<'py>(&self, set: &Bound<'py, PyAny>) -> Outcome<Option<Bound<'py, PyAny>>> {
        if set.is_instance_of::<Diagram>() || set.is_instance_of::<Family>() {
            return Ok(None);
        }
        let values = match values_of(&self.universe, set) {
            Err(Failure::Input(_)) if set.try_iter().is_err() => return Ok(None),
            Err(Failure::Input(message)) => {
                return Err(Failure::Input(format!(
                    "{message}; give one set of elements, or a diagram: Diagram(sets, graph=..) is one of several sets"
                )));
            }
            values => self.by_variable(&values?),
        };
        let zdd = Zdd::from_solutions(vec![2; values.len()], [values])?;
        Ok(Some(Bound::new(set.py(), self.with(zdd))?.into_any()))
    }
}

#[pymethods]
impl Diagram {
    fn __or__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, SetOperation::Or)
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, SetOperation::And)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, SetOperation::Difference)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, SetOperation::Xor)
    }

    // A family on the left: both operations other than the difference may be exchanged.
    fn __ror__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, SetOperation::Or)
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, SetOperation::And)
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, SetOperation::Xor)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        let py = other.py();
        let done = self.with_both(other, None, |task, [own, family]| {
            Ok(build(SetOperation::Difference.combine([family, own]), task)?)
        })?;
        match done {
            Some(done) => Ok(Py::new(py, done.diagram())?.into_any()),
            None => Ok(py.NotImplemented()),
        }
    }

    /// All other sets of the elements, or ways to colour the vertices.
    fn __invert__(&self, py: Python<'_>) -> Outcome<Self> {
        self.built_with(py, None, |zdd, task| Ok(build(zdd.clone().not().boxed(), task)?))
    }

    /// Returns the solutions in this diagram or in another one, as ``|``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn union(&self, other: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.method(other, SetOperation::Or, limits)
    }

    /// Returns the solutions in this diagram and in another one, or in a family, as ``&``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn intersection(&self, other: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.method(other, SetOperation::And, limits)
    }

    /// Returns the solutions that are not in another diagram, as ``-``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn difference(&self, other: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.method(other, SetOperation::Difference, limits)
    }

    /// Returns the solutions in exactly one of two diagrams, as ``^``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn symmetric_difference(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        self.method(other, SetOperation::Xor, limits)
    }

    /// Whether both have no solution in common.
    fn isdisjoint(&self, other: &Bound<'_, PyAny>) -> Outcome<bool> {
        let none = self.is_none(other, |[own, other]| own.and(other).boxed())?;
        none.ok_or_else(|| no_diagram(other))
    }

    fn __richcmp__(
        &self,
        other: &Bound<'_, PyAny>,
        compared: pyo3::basic::CompareOp,
    ) -> Outcome<Py<PyAny>> {
        use pyo3::basic::CompareOp;
        let py = other.py();
        let equal = || match other.cast::<Diagram>() {
            Ok(diagram) => self.is_equal(diagram.get(), py).map(Some),
            Err(_) => Ok(None),
        };
        let is_subset = || self.is_none(other, |[own, other]| own.and_not(other).boxed());
        let is_superset = || self.is_none(other, |[own, other]| other.and_not(own).boxed());
        let strictly = |holds, converse: &dyn Fn() -> Outcome<Option<bool>>| match holds {
            Some(true) => Ok(converse()?.map(|converse| !converse)),
            holds => Ok::<_, Failure>(holds),
        };
        let answer = match compared {
            CompareOp::Eq => equal()?,
            CompareOp::Ne => equal()?.map(|equal| !equal),
            CompareOp::Le => is_subset()?,
            CompareOp::Ge => is_superset()?,
            CompareOp::Lt => strictly(is_subset()?, &is_superset)?,
            CompareOp::Gt => strictly(is_superset()?, &is_subset)?,
        };
        let Some(answer) = answer else { return Ok(py.NotImplemented()) };
        Ok(answer.into_pyobject(py).map_err(PyErr::from)?.to_owned().into_any().unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> Outcome<u64> {
        self.hashed(py)
    }

    /// Keeps the sets with at most ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn at_most(&self, k: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.sized("at_most", k, limits)
    }

    /// Keeps the sets with at least ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn at_least(&self, k: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.sized("at_least", k, limits)
    }

    /// Keeps the sets with exactly ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn exactly(&self, k: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.sized("exactly", k, limits)
    }

    /// Keeps the sets with all these elements, or the colourings with these pairs of a vertex and a colour.
    ///
    /// >>> import topdd as td
    /// >>> sets = td.Diagram([{1}, {1, 2}, {2, 3}])
    /// >>> sorted(map(len, sets.including(1))), sets.including(1, 2).count(), sets.excluding(1).count()
    /// ([1, 2], 1, 1)
    #[pyo3(signature = (*elements, **limits))]
    fn including(
        &self,
        elements: &Bound<'_, PyTuple>,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        self.with_arguments("including", elements, conditions::on_elements, limits)
    }

    /// Keeps the sets with none of the elements, or the colourings with none of the pairs.
    #[pyo3(signature = (*elements, **limits))]
    fn excluding(
        &self,
        elements: &Bound<'_, PyTuple>,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        self.with_arguments("excluding", elements, conditions::on_elements, limits)
    }

    /// Keeps the edge sets with an edge at each of the vertices, or the vertex sets with all of them.
    ///
    /// >>> import topdd as td
    /// >>> paths = td.Graph.grid(3, 3).paths(0, 8).build()
    /// >>> len(paths.through(4)), len(paths.avoid(4)), len(paths)
    /// (10, 2, 12)
    #[pyo3(signature = (*vertices, **limits))]
    fn through(&self, vertices: &Bound<'_, PyTuple>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.with_arguments("through", vertices, conditions::on_vertices, limits)
    }

    /// Keeps the edge sets without an edge at the vertices, or the vertex sets without the vertices.
    #[pyo3(signature = (*vertices, **limits))]
    fn avoid(&self, vertices: &Bound<'_, PyTuple>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.with_arguments("avoid", vertices, conditions::on_vertices, limits)
    }

    /// Keeps the sets whose weights sum up to at most ``cost``. The weights are by default the weights of the graph.
    #[pyo3(signature = (cost, weights=None, **limits))]
    fn cost_at_most(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        let condition = conditions::of_cost(&self.universe, "cost_at_most", cost, weights)?;
        self.kept(cost.py(), limits, condition)
    }

    /// Keeps the sets whose weights sum up to at least ``cost``.
    #[pyo3(signature = (cost, weights=None, **limits))]
    fn cost_at_least(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        limits: Option<GivenLimits>,
    ) -> Outcome<Self> {
        let condition = conditions::of_cost(&self.universe, "cost_at_least", cost, weights)?;
        self.kept(cost.py(), limits, condition)
    }

    /// Keeps the sets that contain no other one.
    #[pyo3(signature = (**limits))]
    fn minimal(&self, limits: Option<GivenLimits>, py: Python<'_>) -> Outcome<Self> {
        self.universe.check_sets("minimal")?;
        self.kept(py, limits, Condition::Minimal)
    }

    /// Keeps the sets that no other one contains.
    #[pyo3(signature = (**limits))]
    fn maximal(&self, limits: Option<GivenLimits>, py: Python<'_>) -> Outcome<Self> {
        self.universe.check_sets("maximal")?;
        self.kept(py, limits, Condition::Maximal)
    }

    /// Returns the minimal sets that have an element in common with each set of this diagram.
    ///
    /// >>> import topdd as td
    /// >>> triangle = td.Diagram([{"a", "b"}, {"b", "c"}, {"a", "c"}])
    /// >>> sorted(sorted(cover) for cover in triangle.hitting_sets())
    /// [['a', 'b'], ['a', 'c'], ['b', 'c']]
    #[pyo3(signature = (**limits))]
    fn hitting_sets(&self, limits: Option<GivenLimits>, py: Python<'_>) -> Outcome<Self> {
        self.universe.check_sets("hitting_sets")?;
        self.built_with(py, limits, |zdd, task| {
            let manager = task.manager(zdd.num_vars())?;
            let sets = || manager.family_of(zdd)?.minimal_hitting_sets()?.to_zdd();
            Ok(manager.within(&task.limits(), sets)?)
        })
    }

    /// Keeps the sets that are a subset of a set of another diagram, or of one set, which is given by its elements.
    #[pyo3(signature = (other, **limits))]
    fn subsets_of(&self, other: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::subsets_of)
    }

    /// Keeps the sets that are a superset of a set of another diagram, or of one set, which is given by its elements.
    ///
    /// >>> import topdd as td
    /// >>> paths = td.Graph([(0, 1), (1, 2), (0, 2)]).paths(0, 2).build()
    /// >>> list(paths.supersets_of([(0, 1)]))
    /// [Solution([(0, 1), (1, 2)])]
    #[pyo3(signature = (other, **limits))]
    fn supersets_of(&self, other: &Bound<'_, PyAny>, limits: Option<GivenLimits>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::supersets_of)
    }
}

impl Diagram {
    /// Whether both have the same solutions. Diagrams of different graphs differ.
    fn is_equal(&self, other: &Diagram, py: Python<'_>) -> Outcome<bool> {
        if self.universe.same(&other.universe, py)? && self.order == other.order {
            return Ok(self.zdd == other.zdd);
        }
        let Some(aligned) = self.aligned(other, py)? else { return Ok(false) };
        if self.counted(py)? != other.counted(py)? {
            return Ok(false);
        }
        Limits::new(py, None)?.run(py, move |task| {
            Ok(build(SetOperation::Xor.combine(aligned.specs(task)?), task)?.is_empty())
        })
    }
}

fn no_diagram(given: &Bound<'_, PyAny>) -> Failure {
    Failure::Input(format!(
        "{given:?} is no diagram and no family; Diagram(sets), or Diagram(sets, graph=..), makes a diagram of sets"
    ))
}
