//! Sets of solutions: operators, comparisons, and operations on families of sets.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use topdd::{BoxedSpec, Decision, SpecExt, Zdd, constraint};
use topdd_apply::Family as ApplyFamily;

use super::Diagram;
use super::align::{OverBoth, built};
use crate::convert::size;
use crate::errors::{Failure, Outcome};
use crate::family::{Family, sets_at_vertices};
use crate::run::{Limits, Task};
use crate::solution::values_of;
use crate::source::{Operation, Source};
use crate::weights::{by_variable, of_universe};

impl Diagram {
    fn operate(
        &self,
        other: &Bound<'_, PyAny>,
        operation: Operation,
        limits: &Limits,
    ) -> Outcome<Option<Diagram>> {
        let done = self.with_both(other, limits, move |task, [left, right]| {
            built(task, operation.of(left, right))
        })?;
        Ok(done.map(OverBoth::diagram))
    }

    /// The result of an operator, or `NotImplemented`.
    fn operator(&self, other: &Bound<'_, PyAny>, operation: Operation) -> Outcome<Py<PyAny>> {
        let py = other.py();
        match self.operate(other, operation, &Limits::new(py, None)?)? {
            Some(diagram) => Ok(Py::new(py, diagram)?.into_any()),
            None => Ok(py.NotImplemented()),
        }
    }

    fn method(
        &self,
        other: &Bound<'_, PyAny>,
        operation: Operation,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        let limits = Limits::new(other.py(), limits)?;
        self.operate(other, operation, &limits)?.ok_or_else(|| no_diagram(other))
    }

    /// Whether a combination with another diagram, or a family, has no solution; `None` if the other is neither.
    fn is_none(
        &self,
        other: &Bound<'_, PyAny>,
        combine: fn([BoxedSpec<'static>; 2]) -> BoxedSpec<'static>,
    ) -> Outcome<Option<bool>> {
        let limits = Limits::new(other.py(), None)?;
        let done = self.with_both(other, &limits, move |task, both| {
            Ok(built(task, combine(both))?.is_empty())
        })?;
        Ok(done.map(|done| done.result))
    }

    /// The diagram of a spec over the same variables.
    fn built_with(
        &self,
        py: Python<'_>,
        limits: Option<&Bound<'_, PyDict>>,
        work: impl FnOnce(&Zdd, &Task) -> Outcome<Zdd> + Send + 'static,
    ) -> Outcome<Diagram> {
        Ok(self.with(self.long(py, &Limits::new(py, limits)?, work)?))
    }

    /// An operation of the apply engine on this diagram.
    fn applied(
        &self,
        call: &str,
        py: Python<'_>,
        limits: Option<&Bound<'_, PyDict>>,
        operation: impl FnOnce(&ApplyFamily) -> Result<ApplyFamily, topdd_apply::Error> + Send + 'static,
    ) -> Outcome<Diagram> {
        self.universe.check_sets(call)?;
        self.built_with(py, limits, move |zdd, task| {
            let manager = task.manager(zdd.num_vars())?;
            let done: Result<Zdd, topdd_apply::Error> = manager
                .within(&task.apply_limits(), || operation(&manager.family_of(zdd)?)?.to_zdd());
            Ok(done?)
        })
    }

    /// An operation of the apply engine on this diagram and another one.
    fn applied_to_both(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
        operation: fn(&ApplyFamily, &ApplyFamily) -> Result<ApplyFamily, topdd_apply::Error>,
    ) -> Outcome<Diagram> {
        self.universe.check_sets("an operation on sets")?;
        let limits = Limits::new(other.py(), limits)?;
        let one = self.of_one_set(other)?;
        let done =
            self.with_both(one.as_ref().unwrap_or(other), &limits, move |task, [left, right]| {
                let (left, right) = (built(task, left)?, built(task, right)?);
                let manager = task.manager(left.num_vars())?;
                let done: Result<Zdd, topdd_apply::Error> = manager
                    .within(&task.apply_limits(), || {
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

    /// The sets whose sizes are within bounds.
    fn sized(
        &self,
        least: usize,
        most: usize,
        limits: Option<&Bound<'_, PyDict>>,
        py: Python<'_>,
    ) -> Outcome<Diagram> {
        self.universe.check_sets("a bound on the size")?;
        self.built_with(py, limits, move |zdd, task| {
            let size = constraint::between(vec![2; zdd.num_vars()], least..=most);
            built(task, zdd.clone().boxed().and(size).boxed())
        })
    }

    /// The sets with, or without, some elements, or the colourings with or without pairs.
    fn fixed(
        &self,
        elements: &Bound<'_, PyTuple>,
        taken: bool,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        let call = if taken { "including" } else { "excluding" };
        let numbers = self.universe.arguments(elements, call)?;
        let decide = if taken { Decision::is } else { Decision::is_not };
        let decisions: Vec<Decision> = numbers
            .into_iter()
            .map(|(element, value)| decide(self.variables[element], value))
            .collect();
        self.built_with(elements.py(), limits, move |zdd, task| {
            built(task, zdd.restrict_spec(&decisions)?.boxed())
        })
    }

    /// The sets that take, or avoid, vertices.
    fn at_vertices(
        &self,
        vertices: &Bound<'_, PyTuple>,
        takes: bool,
        call: &str,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        let py = vertices.py();
        let sets = sets_at_vertices(&self.universe, None, vertices, takes, call)?;
        let (source, limits) = (Arc::new(Source::Sets(sets)), Limits::new(py, limits)?);
        let done =
            self.with_family(&self.universe, &source, &limits, py, |task, [own, family]| {
                built(task, own.and(family).boxed())
            })?;
        Ok(done.diagram())
    }

    /// The sets whose weights are within a bound.
    fn within(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        is_least: bool,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        let numbers = of_universe(&self.universe, weights, cost.py())?;
        let bound = i128::from(numbers.bound(cost, is_least)?);
        let weights = by_variable(&numbers.whole, &self.order);
        let (least, most) = if is_least { (bound, i128::MAX) } else { (i128::MIN, bound) };
        self.built_with(cost.py(), limits, move |zdd, task| {
            let variables = zdd.num_vars();
            Ok(zdd.within_with(&weights, least..=most, |sweep| {
                task.building(sweep, variables, None)
            })?)
        })
    }
}

#[pymethods]
impl Diagram {
    fn __or__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, Operation::Or)
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, Operation::And)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, Operation::Difference)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, Operation::Xor)
    }

    // A family on the left: both operations other than the difference may be exchanged.
    fn __ror__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, Operation::Or)
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, Operation::And)
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        self.operator(other, Operation::Xor)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> Outcome<Py<PyAny>> {
        let (py, limits) = (other.py(), Limits::new(other.py(), None)?);
        let done = self.with_both(other, &limits, |task, [own, family]| {
            built(task, Operation::Difference.of(family, own))
        })?;
        match done {
            Some(done) => Ok(Py::new(py, done.diagram())?.into_any()),
            None => Ok(py.NotImplemented()),
        }
    }

    /// All other sets of the elements, or ways to colour the vertices.
    fn __invert__(&self, py: Python<'_>) -> Outcome<Diagram> {
        self.built_with(py, None, |zdd, task| built(task, zdd.clone().not().boxed()))
    }

    /// Returns the solutions in this diagram or in another one, as ``|``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn union(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.method(other, Operation::Or, limits)
    }

    /// Returns the solutions in this diagram and in another one, or in a family, as ``&``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn intersection(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.method(other, Operation::And, limits)
    }

    /// Returns the solutions that are not in another diagram, as ``-``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn difference(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.method(other, Operation::Difference, limits)
    }

    /// Returns the solutions in exactly one of two diagrams, as ``^``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn symmetric_difference(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.method(other, Operation::Xor, limits)
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
    fn at_most(
        &self,
        k: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.sized(0, size(k, "k")?, limits, k.py())
    }

    /// Keeps the sets with at least ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn at_least(
        &self,
        k: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.sized(size(k, "k")?, usize::MAX, limits, k.py())
    }

    /// Keeps the sets with exactly ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn exactly(
        &self,
        k: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        let number = size(k, "k")?;
        self.sized(number, number, limits, k.py())
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
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.fixed(elements, true, limits)
    }

    /// Keeps the sets with none of the elements, or the colourings with none of the pairs.
    #[pyo3(signature = (*elements, **limits))]
    fn excluding(
        &self,
        elements: &Bound<'_, PyTuple>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.fixed(elements, false, limits)
    }

    /// Keeps the edge sets with an edge at each of the vertices, or the vertex sets with all of them.
    ///
    /// >>> import topdd as td
    /// >>> paths = td.Graph.grid(3, 3).paths(0, 8).build()
    /// >>> len(paths.through(4)), len(paths.avoid(4)), len(paths)
    /// (10, 2, 12)
    #[pyo3(signature = (*vertices, **limits))]
    fn through(
        &self,
        vertices: &Bound<'_, PyTuple>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.at_vertices(vertices, true, "through", limits)
    }

    /// Keeps the edge sets without an edge at the vertices, or the vertex sets without the vertices.
    #[pyo3(signature = (*vertices, **limits))]
    fn avoid(
        &self,
        vertices: &Bound<'_, PyTuple>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.at_vertices(vertices, false, "avoid", limits)
    }

    /// Keeps the sets whose weights sum up to at most ``cost``. The weights are by default the weights of the graph.
    #[pyo3(signature = (cost, weights=None, **limits))]
    fn cost_at_most(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.within(cost, weights, false, limits)
    }

    /// Keeps the sets whose weights sum up to at least ``cost``.
    #[pyo3(signature = (cost, weights=None, **limits))]
    fn cost_at_least(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.within(cost, weights, true, limits)
    }

    /// Keeps the sets that contain no other one.
    #[pyo3(signature = (**limits))]
    fn minimal(&self, limits: Option<&Bound<'_, PyDict>>, py: Python<'_>) -> Outcome<Diagram> {
        self.applied("minimal", py, limits, ApplyFamily::minimal)
    }

    /// Keeps the sets that no other one contains.
    #[pyo3(signature = (**limits))]
    fn maximal(&self, limits: Option<&Bound<'_, PyDict>>, py: Python<'_>) -> Outcome<Diagram> {
        self.applied("maximal", py, limits, ApplyFamily::maximal)
    }

    /// Returns the minimal sets that have an element in common with each set of this diagram.
    ///
    /// >>> import topdd as td
    /// >>> triangle = td.Diagram([{"a", "b"}, {"b", "c"}, {"a", "c"}])
    /// >>> sorted(sorted(cover) for cover in triangle.hitting_sets())
    /// [['a', 'b'], ['a', 'c'], ['b', 'c']]
    #[pyo3(signature = (**limits))]
    fn hitting_sets(&self, limits: Option<&Bound<'_, PyDict>>, py: Python<'_>) -> Outcome<Diagram> {
        self.applied("hitting_sets", py, limits, ApplyFamily::minimal_hitting_sets)
    }

    /// Keeps the sets that are a subset of a set of another diagram, or of one set, which is given by its elements.
    #[pyo3(signature = (other, **limits))]
    fn subsets_of(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
        self.applied_to_both(other, limits, ApplyFamily::subsets_of)
    }

    /// Keeps the sets that are a superset of a set of another diagram, or of one set, which is given by its elements.
    ///
    /// >>> import topdd as td
    /// >>> paths = td.Graph([(0, 1), (1, 2), (0, 2)]).paths(0, 2).build()
    /// >>> list(paths.supersets_of([(0, 1)]))
    /// [Solution([(0, 1), (1, 2)])]
    #[pyo3(signature = (other, **limits))]
    fn supersets_of(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> Outcome<Diagram> {
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
            let [left, right] = aligned.specs(task)?;
            Ok(built(task, Operation::Xor.of(left, right))?.is_empty())
        })
    }
}

fn no_diagram(given: &Bound<'_, PyAny>) -> Failure {
    Failure::Input(format!(
        "{given:?} is no diagram and no family; Diagram(sets), or Diagram(sets, graph=..), makes a diagram of sets"
    ))
}
