//! Two diagrams, or a diagram and a family, over the same variables.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use topdd::{BoxedSpec, SpecExt, Zdd};
use topdd_problem::Run;

use super::Diagram;
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::run::{LimitArgs, Limits, Task};
use crate::universe::Universe;

/// A diagram or a family, as an operand. For other types, Python tries the reflected method of an operator.
pub(super) enum AnyFamily<'py> {
    Diagram(Bound<'py, Diagram>),
    Family(Bound<'py, Family>),
}

impl<'py> AnyFamily<'py> {
    pub(super) fn py(&self) -> Python<'py> {
        match self {
            AnyFamily::Diagram(diagram) => diagram.py(),
            AnyFamily::Family(family) => family.py(),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for AnyFamily<'py> {
    type Error = Failure;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> Outcome<Self> {
        if let Ok(diagram) = given.cast::<Diagram>() {
            return Ok(AnyFamily::Diagram(diagram.to_owned()));
        }
        let family = given.cast::<Family>().map_err(|_| {
            Failure::Input(format!(
                "{given:?} is no diagram and no family; Diagram(sets), or Diagram(sets, graph=..), makes a diagram of sets"
            ))
        })?;
        Ok(AnyFamily::Family(family.to_owned()))
    }
}

/// Two diagrams over the same variables.
pub(super) struct Aligned {
    universe: Arc<Universe>,
    order: Arc<[usize]>,
    /// The first diagram, with the variable of the result of each of its variables.
    left: (Zdd, Vec<usize>),
    /// The second one, and the order that its variables need.
    right: (Zdd, Vec<usize>, Vec<usize>),
}

impl Aligned {
    /// The diagrams as specs over the variables of the result.
    pub(super) fn specs(self, task: &Task) -> Outcome<[BoxedSpec<'static>; 2]> {
        let arities = |zdd: &Zdd| (0..zdd.num_vars()).map(|v| zdd.arity(v)).collect::<Vec<_>>();
        let (left, left_places) = self.left;
        let (right, order, right_places) = self.right;
        let identity = order.iter().enumerate().all(|(at, variable)| at == *variable);
        let variables = order.len();
        let right = if identity {
            right
        } else {
            right.reorder_with(&order, |sweep| task.sweep(sweep, variables))?
        };
        let mut of_all = vec![2; self.order.len()];
        for (places, arities) in [(&left_places, arities(&left)), (&right_places, arities(&right))]
        {
            for (&place, arity) in places.iter().zip(arities) {
                of_all[place] = arity;
            }
        }
        let left = left.relabel(left_places, &of_all[..]).boxed();
        Ok([left, right.relabel(right_places, &of_all[..]).boxed()])
    }
}

/// A result over the variables of two operands.
pub(super) struct OverBoth<T> {
    pub(super) result: T,
    universe: Arc<Universe>,
    order: Arc<[usize]>,
}

impl OverBoth<Zdd> {
    pub(super) fn diagram(self) -> Diagram {
        Diagram::sharing(&self.universe, self.result, self.order)
    }
}

impl Diagram {
    /// Aligns the variables of two diagrams. Sets of other elements than the first diagram has are added to it. `None` for
    /// diagrams of different graphs or elements.
    pub(super) fn aligned(&self, other: &Diagram, py: Python<'_>) -> Outcome<Option<Aligned>> {
        // The numbers of the elements of the other diagram in the result.
        let mut numbers: Vec<usize> = (0..other.order.len()).collect();
        let universe = match (&*self.universe, &*other.universe) {
            (own, others) if own.same(others, py)? => own.combined(others, py)?,
            (Universe::Objects(one), Universe::Objects(two)) => {
                let mut objects: Vec<Bound<'_, PyAny>> = one.objects(py).iter().collect();
                for (number, object) in numbers.iter_mut().zip(two.objects(py)) {
                    *number = one.find(&object)?.unwrap_or(objects.len());
                    if *number == objects.len() {
                        objects.push(object);
                    }
                }
                Universe::of_objects(PyTuple::new(py, objects)?)?
            }
            _ => return Ok(None),
        };
        let own = self.order.len();
        let variable_of = |element: usize| self.variables.get(element).copied().unwrap_or(element);
        // The variables of the other diagram, by their positions in the result.
        let mut sorted: Vec<(usize, usize)> =
            other.order.iter().enumerate().map(|(v, &e)| (variable_of(numbers[e]), v)).collect();
        sorted.sort_unstable();
        let (right_places, right_order) = sorted.into_iter().unzip();
        Ok(Some(Aligned {
            order: self.order.iter().copied().chain(own..universe.elements().len()).collect(),
            universe: Arc::new(universe),
            left: (self.zdd.clone(), (0..own).collect()),
            right: (other.zdd.clone(), right_order, right_places),
        }))
    }

    /// Calls work with the specs of both diagrams, or of this diagram and a family. Fails for diagrams of different graphs
    /// or elements.
    pub(super) fn with_both<T: Send + 'static>(
        &self,
        other: &AnyFamily<'_>,
        limits: Option<LimitArgs>,
        work: impl FnOnce(&Task, [BoxedSpec<'static>; 2]) -> Outcome<T> + Send + 'static,
    ) -> Outcome<OverBoth<T>> {
        let py = other.py();
        let limits = Limits::new(py, limits)?;
        match other {
            AnyFamily::Diagram(other) => {
                let Some(aligned) = self.aligned(other.get(), py)? else {
                    self.universe.check_same(&other.get().universe, "diagrams", py)?;
                    return Err(Failure::input("the diagrams are of different graphs or elements"));
                };
                let (universe, order) = (aligned.universe.clone(), aligned.order.clone());
                let result = limits.run(py, move |task| work(task, aligned.specs(task)?))?;
                Ok(OverBoth { result, universe, order })
            }
            AnyFamily::Family(family) => {
                let Family { universe, problem, .. } = family.get();
                self.universe.check_same(universe, "operands", py)?;
                let universe = Arc::new(self.universe.combined(universe, py)?);
                let (zdd, order, problem) = (self.zdd.clone(), self.order.clone(), problem.clone());
                let result = limits
                    .run(py, move |task| work(task, [zdd.boxed(), problem.spec(&order, task)?]))?;
                Ok(OverBoth { result, universe, order: self.order.clone() })
            }
        }
    }
}
