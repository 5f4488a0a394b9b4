//! Sets of solutions: operators, comparisons, and operations on families of sets.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd::{BoxedSpec, SpecExt, Zdd};
use topdd_apply::{Error as ApplyError, Family as ApplyFamily};
use topdd_problem::condition::build;
use topdd_problem::{Condition, On, Run, SetOperation};

use super::align::{AnyFamily, OverBoth};
use super::{AsSets, Diagram};
use crate::conditions::{self, sized};
use crate::errors::{Failure, Outcome};
use crate::run::{LimitArgs, Limits, Task};
use crate::solution::values_of;
use crate::universe::{MEMBERS, PAIRS};

impl Diagram {
    fn operate(
        &self,
        other: &AnyFamily<'_>,
        operation: SetOperation,
        limits: Option<LimitArgs>,
    ) -> Outcome<Self> {
        let combined = move |task: &Task, both| Ok(build(operation.combine(both), task)?);
        self.with_both(other, limits, combined).map(OverBoth::diagram)
    }

    /// Whether a combination with another diagram, or a family, has no solution.
    fn is_none(
        &self,
        other: &AnyFamily<'_>,
        combine: fn([BoxedSpec<'static>; 2]) -> BoxedSpec<'static>,
    ) -> Outcome<bool> {
        let is_none = move |task: &Task, both| Ok(build(combine(both), task)?.is_empty());
        self.with_both(other, None, is_none).map(|done| done.result)
    }

    fn is_subset(&self, other: &AnyFamily<'_>) -> Outcome<bool> {
        self.is_none(other, |[own, other]| own.and_not(other).boxed())
    }

    fn is_superset(&self, other: &AnyFamily<'_>) -> Outcome<bool> {
        self.is_none(other, |[own, other]| other.and_not(own).boxed())
    }

    /// The diagram of a spec over the same variables.
    fn built_with(
        &self,
        py: Python<'_>,
        limits: Option<LimitArgs>,
        work: impl FnOnce(&Zdd, &Task) -> Outcome<Zdd> + Send + 'static,
    ) -> Outcome<Self> {
        Ok(self.with(self.long(py, limits, work)?))
    }

    /// The solutions under the condition of a method.
    fn kept(
        &self,
        name: &str,
        arguments: &Bound<'_, PyTuple>,
        weights: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
    ) -> Outcome<Self> {
        let condition = conditions::of_call(&self.universe, name, arguments, weights)?;
        let sets = match condition {
            Condition::Elements { .. } | Condition::Cost(_) => AsSets::default(),
            _ => self.as_sets(name, MEMBERS, arguments.py())?,
        };
        let graph = self.universe.graph().map(|graph| graph.core.clone());
        let (unit, order) = (self.universe.unit(), self.order.clone());
        self.built_with(arguments.py(), limits, move |zdd, task| {
            let on = On { graph: graph.as_ref(), unit, order: &order };
            sets.apply(&condition.after(&sets.apply(zdd, task)?, on, task)?, task)
        })
    }

    /// An operation of the apply engine on this diagram and another one.
    fn applied_to_both(
        &self,
        other: &Bound<'_, PyAny>,
        limits: Option<LimitArgs>,
        operation: fn(&ApplyFamily, &ApplyFamily) -> Result<ApplyFamily, ApplyError>,
    ) -> Outcome<Self> {
        let sets = self.as_sets("an operation on sets", PAIRS, other.py())?;
        let applied = move |task: &Task, both: [BoxedSpec<'static>; 2]| {
            let [left, right] = both.map(|spec| sets.apply(&build(spec, task)?, task));
            let (left, right) = (left?, right?);
            let manager = task.manager(left.num_vars())?;
            let result = manager.within(&task.limits(), || {
                operation(&manager.family_of(&left)?, &manager.family_of(&right)?)?.to_zdd()
            })?;
            sets.apply(&result, task)
        };
        self.with_both(&self.operand(other)?, limits, applied).map(OverBoth::diagram)
    }

    /// A diagram or a family, or the diagram of one set that is given as a collection of elements.
    fn operand<'py>(&self, given: &Bound<'py, PyAny>) -> Outcome<AnyFamily<'py>> {
        let operand = given.extract();
        if operand.is_ok() || given.try_iter().is_err() {
            return operand;
        }
        let values = values_of(&self.universe, given).map_err(|failure| match failure {
            Failure::Input(message) => Failure::Input(format!(
                "{message}; give one set of elements, or a diagram: Diagram(sets, graph=..) is one of several sets"
            )),
            failure => failure,
        })?;
        let zdd = Zdd::from_solutions(vec![2; values.len()], [self.by_variable(&values)])?;
        Ok(AnyFamily::Diagram(Bound::new(given.py(), self.with(zdd))?))
    }
}

#[pymethods]
impl Diagram {
    fn __or__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        self.operate(&other, SetOperation::Or, None)
    }

    fn __and__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        self.operate(&other, SetOperation::And, None)
    }

    fn __sub__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        self.operate(&other, SetOperation::Difference, None)
    }

    fn __xor__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        self.operate(&other, SetOperation::Xor, None)
    }

    // A family on the left: both operations other than the difference may be exchanged.
    fn __ror__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        self.operate(&other, SetOperation::Or, None)
    }

    fn __rand__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        self.operate(&other, SetOperation::And, None)
    }

    fn __rxor__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        self.operate(&other, SetOperation::Xor, None)
    }

    fn __rsub__(&self, other: AnyFamily<'_>) -> Outcome<Self> {
        let done = self.with_both(&other, None, |task, [own, family]| {
            Ok(build(SetOperation::Difference.combine([family, own]), task)?)
        });
        done.map(OverBoth::diagram)
    }

    /// All other sets of the elements, or ways to colour the vertices.
    fn __invert__(&self, py: Python<'_>) -> Outcome<Self> {
        self.built_with(py, None, |zdd, task| Ok(build(zdd.clone().not().boxed(), task)?))
    }

    /// Returns the solutions in this diagram or in another one, as ``|``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn union(&self, other: AnyFamily<'_>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.operate(&other, SetOperation::Or, limits)
    }

    /// Returns the solutions in this diagram and in another one, or in a family, as ``&``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn intersection(&self, other: AnyFamily<'_>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.operate(&other, SetOperation::And, limits)
    }

    /// Returns the solutions that are not in another diagram, as ``-``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn difference(&self, other: AnyFamily<'_>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.operate(&other, SetOperation::Difference, limits)
    }

    /// Returns the solutions in exactly one of two diagrams, as ``^``, with limits.
    #[pyo3(signature = (other, **limits))]
    fn symmetric_difference(
        &self,
        other: AnyFamily<'_>,
        limits: Option<LimitArgs>,
    ) -> Outcome<Self> {
        self.operate(&other, SetOperation::Xor, limits)
    }

    /// Whether both have no solution in common.
    fn isdisjoint(&self, other: AnyFamily<'_>) -> Outcome<bool> {
        self.is_none(&other, |[own, other]| own.and(other).boxed())
    }

    // Diagrams of different graphs differ.
    fn __eq__(&self, other: &Bound<'_, Self>) -> Outcome<bool> {
        let (other, py) = (other.get(), other.py());
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

    fn __le__(&self, other: AnyFamily<'_>) -> Outcome<bool> {
        self.is_subset(&other)
    }

    fn __ge__(&self, other: AnyFamily<'_>) -> Outcome<bool> {
        self.is_superset(&other)
    }

    fn __lt__(&self, other: AnyFamily<'_>) -> Outcome<bool> {
        Ok(self.is_subset(&other)? && !self.is_superset(&other)?)
    }

    fn __gt__(&self, other: AnyFamily<'_>) -> Outcome<bool> {
        Ok(self.is_superset(&other)? && !self.is_subset(&other)?)
    }

    /// Keeps the sets with at most ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn at_most(&self, k: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.kept("at_most", &sized(k)?, None, limits)
    }

    /// Keeps the sets with at least ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn at_least(&self, k: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.kept("at_least", &sized(k)?, None, limits)
    }

    /// Keeps the sets with exactly ``k`` elements.
    #[pyo3(signature = (k, **limits))]
    fn exactly(&self, k: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.kept("exactly", &sized(k)?, None, limits)
    }

    /// Keeps the sets with all these elements, or the colourings with these pairs of a vertex and a colour.
    ///
    /// >>> import topdd as td
    /// >>> sets = td.Diagram([{1}, {1, 2}, {2, 3}])
    /// >>> sorted(map(len, sets.including(1))), sets.including(1, 2).count(), sets.excluding(1).count()
    /// ([1, 2], 1, 1)
    #[pyo3(signature = (*elements, **limits))]
    fn including(&self, elements: &Bound<'_, PyTuple>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.kept("including", elements, None, limits)
    }

    /// Keeps the sets with none of the elements, or the colourings with none of the pairs.
    #[pyo3(signature = (*elements, **limits))]
    fn excluding(&self, elements: &Bound<'_, PyTuple>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.kept("excluding", elements, None, limits)
    }

    /// Keeps the edge sets with an edge at each of the vertices, or the vertex sets with all of them.
    ///
    /// >>> import topdd as td
    /// >>> paths = td.Graph.grid(3, 3).paths(0, 8).build()
    /// >>> len(paths.through(4)), len(paths.avoid(4)), len(paths)
    /// (10, 2, 12)
    #[pyo3(signature = (*vertices, **limits))]
    fn through(&self, vertices: &Bound<'_, PyTuple>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.kept("through", vertices, None, limits)
    }

    /// Keeps the edge sets without an edge at the vertices, or the vertex sets without the vertices.
    #[pyo3(signature = (*vertices, **limits))]
    fn avoid(&self, vertices: &Bound<'_, PyTuple>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.kept("avoid", vertices, None, limits)
    }

    /// Keeps the sets whose weights sum up to at most ``cost``. The weights are by default the weights of the graph.
    #[pyo3(signature = (cost, weights=None, **limits))]
    fn cost_at_most(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
    ) -> Outcome<Self> {
        self.kept("cost_at_most", &PyTuple::new(cost.py(), [cost])?, weights, limits)
    }

    /// Keeps the sets whose weights sum up to at least ``cost``.
    #[pyo3(signature = (cost, weights=None, **limits))]
    fn cost_at_least(
        &self,
        cost: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
    ) -> Outcome<Self> {
        self.kept("cost_at_least", &PyTuple::new(cost.py(), [cost])?, weights, limits)
    }

    /// Keeps the sets that contain no other one.
    #[pyo3(signature = (**limits))]
    fn minimal(&self, limits: Option<LimitArgs>, py: Python<'_>) -> Outcome<Self> {
        self.kept("minimal", &PyTuple::empty(py), None, limits)
    }

    /// Keeps the sets that no other one contains.
    #[pyo3(signature = (**limits))]
    fn maximal(&self, limits: Option<LimitArgs>, py: Python<'_>) -> Outcome<Self> {
        self.kept("maximal", &PyTuple::empty(py), None, limits)
    }

    /// Returns the minimal sets that have an element in common with each set of this diagram.
    ///
    /// >>> import topdd as td
    /// >>> triangle = td.Diagram([{"a", "b"}, {"b", "c"}, {"a", "c"}])
    /// >>> sorted(sorted(cover) for cover in triangle.hitting_sets())
    /// [['a', 'b'], ['a', 'c'], ['b', 'c']]
    #[pyo3(signature = (**limits))]
    fn hitting_sets(&self, limits: Option<LimitArgs>, py: Python<'_>) -> Outcome<Self> {
        let sets = self.as_sets("hitting_sets", PAIRS, py)?;
        self.built_with(py, limits, move |zdd, task| {
            let manager = task.manager(zdd.num_vars())?;
            let own = sets.apply(zdd, task)?;
            let hitting = || manager.family_of(&own)?.minimal_hitting_sets()?.to_zdd();
            sets.apply(&manager.within(&task.limits(), hitting)?, task)
        })
    }

    /// Returns the unions of a set of this diagram and a set of another one, each once.
    ///
    /// The other operand of ``join``, ``meet``, ``quotient`` and ``remainder`` is a diagram, a family, or one set.
    ///
    /// >>> import topdd as td
    /// >>> sets = td.Diagram([{1}, {2}])
    /// >>> sets.join(td.Diagram([{2}, {3}])) == td.Diagram([{1, 2}, {1, 3}, {2}, {2, 3}])
    /// True
    #[pyo3(signature = (other, **limits))]
    fn join(&self, other: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::join)
    }

    /// Returns the intersections of a set of this diagram and a set of another one, each once.
    ///
    /// >>> import topdd as td
    /// >>> td.Diagram([{1, 2}, {3}]).meet([2, 3]) == td.Diagram([{2}, {3}])
    /// True
    #[pyo3(signature = (other, **limits))]
    fn meet(&self, other: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::meet)
    }

    /// Returns the sets that have no element in common with any set of another diagram, and whose union with every set of the
    /// other one is in this one. The other diagram must have a set.
    ///
    /// >>> import topdd as td
    /// >>> sets = td.Diagram([{1, 2}, {1, 3}, {2}])
    /// >>> sets.quotient([1]) == td.Diagram([{2}, {3}]), sets.remainder([1]) == td.Diagram([{2}])
    /// (True, True)
    #[pyo3(signature = (other, **limits))]
    fn quotient(&self, other: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::quotient)
    }

    /// Keeps the sets that are no union of a set of the quotient by another diagram and a set of that one.
    #[pyo3(signature = (other, **limits))]
    fn remainder(&self, other: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::remainder)
    }

    /// Returns the sets in which each of the elements is removed where it was in the set, and added where it was not.
    ///
    /// >>> import topdd as td
    /// >>> td.Diagram([{1, 2}, {3}]).flip(1, 2) == td.Diagram([set(), {1, 2, 3}])
    /// True
    #[pyo3(signature = (*elements, **limits))]
    fn flip(&self, elements: &Bound<'_, PyTuple>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.universe.check_sets("flip", PAIRS, elements.py())?;
        let numbers = self.universe.numbers(elements)?;
        let flipped = AsSets { exchanged: numbers.iter().map(|&of| self.variables[of]).collect() };
        self.built_with(elements.py(), limits, move |zdd, task| flipped.apply(zdd, task))
    }

    /// Keeps the sets that are a subset of a set of another diagram, or of one set, which is given by its elements.
    #[pyo3(signature = (other, **limits))]
    fn subsets_of(&self, other: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::subsets_of)
    }

    /// Keeps the sets that are a superset of a set of another diagram, or of one set, which is given by its elements.
    ///
    /// >>> import topdd as td
    /// >>> paths = td.Graph([(0, 1), (1, 2), (0, 2)]).paths(0, 2).build()
    /// >>> list(paths.supersets_of([(0, 1)]))
    /// [Solution([(0, 1), (1, 2)])]
    #[pyo3(signature = (other, **limits))]
    fn supersets_of(&self, other: &Bound<'_, PyAny>, limits: Option<LimitArgs>) -> Outcome<Self> {
        self.applied_to_both(other, limits, ApplyFamily::supersets_of)
    }
}
