//! The class `Diagram`.

mod algebra;
mod align;
mod configure;
mod files;
mod importance;
mod page;
mod queries;
mod sequence;
mod sets;

pub(crate) use configure::Configurator;

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use topdd::diagram::ZeroSuppressed;
use topdd::{BigUint, Index, Zdd};
use topdd_apply::Family as ApplyFamily;
use topdd_problem::Run;

use crate::errors::Outcome;
use crate::run::{LimitArgs, Limits, Task, short};
use crate::universe::{PAIRS, Universe};

/// The most steps of a query on the calling thread, which takes about a millisecond. The library shares levels of 8192 nodes
/// among the threads of a pool, and the global pool has none after a fork.
const SHORT: usize = 8_000;

/// All solutions of a problem, stored as a decision diagram. It does not change.
///
/// It is a sequence and a set of its solutions, and has the operators of sets: ``|``, ``&``, ``-``, ``^``, ``<=``, also
/// with families; ``==`` is for two diagrams. ``td.Diagram(sets)`` makes one of sets of any hashable objects, and
/// ``td.Diagram(sets, graph=g)`` of edges. Two of these diagrams are equal if they have the same sets. Elements that no
/// set contains count for ``~`` and arrays only. ``in`` fails for a set with an object that is no edge, vertex or square.
///
/// >>> import topdd as td
/// >>> d = td.Graph.grid(3, 3).paths(0, 8).build()
/// >>> len(d), d[0], d.count_by_size()
/// (12, Solution([(0, 3), (3, 6), (6, 7), (7, 8)]), [0, 0, 0, 0, 6, 0, 4, 0, 2])
/// >>> set(d) == set(d[:6]) | set(d[6:])
/// True
/// >>> td.Diagram([{"a"}, {"a", "b"}]).hitting_sets() == td.Diagram([{"a"}])
/// True
#[pyclass(frozen, module = "topdd", sequence, weakref)]
pub(crate) struct Diagram {
    universe: Arc<Universe>,
    zdd: Zdd,
    /// The element of each variable.
    order: Arc<[usize]>,
    /// The variable of each element.
    variables: Arc<[usize]>,
    count: OnceLock<BigUint>,
    index: OnceLock<Index<ZeroSuppressed>>,
    report: Option<Arc<topdd::frontier::Report>>,
}

impl Diagram {
    pub(crate) fn new(universe: Universe, zdd: Zdd, order: Vec<usize>) -> Self {
        Self::sharing(&Arc::new(universe), zdd, order.into())
    }

    /// A diagram over a universe that others have, too.
    fn sharing(universe: &Arc<Universe>, zdd: Zdd, order: Arc<[usize]>) -> Self {
        let mut variables = vec![0; order.len()];
        for (variable, &element) in order.iter().enumerate() {
            variables[element] = variable;
        }
        Self {
            universe: universe.clone(),
            zdd,
            order,
            variables: variables.into(),
            count: OnceLock::new(),
            index: OnceLock::new(),
            report: None,
        }
    }

    /// A diagram with other solutions over the same variables.
    fn with(&self, zdd: Zdd) -> Self {
        Self::sharing(&self.universe, zdd, self.order.clone())
    }

    /// The ZDD, the change of its solutions into sets, and the elements of its variables.
    pub(crate) fn named<'py>(
        &self,
        py: Python<'py>,
    ) -> Outcome<(Zdd, AsSets, Vec<Bound<'py, PyAny>>)> {
        let sets = self.as_sets("a function", PAIRS, py)?;
        let elements = self.universe.elements().several(py, self.order.iter().copied())?;
        Ok((self.zdd.clone(), sets, elements))
    }

    pub(crate) fn with_report(mut self, report: topdd::frontier::Report) -> Self {
        self.report = Some(Arc::new(report));
        self
    }

    /// The most digits of 64 bits of a number of solutions, unless there are many colours.
    fn digits(&self) -> usize {
        1 + self.order.len() / 64
    }

    /// Runs a query of the diagram that takes about so many steps for each node: on the calling thread if they are few.
    fn query<T: Send + 'static>(
        &self,
        py: Python<'_>,
        per_node: usize,
        query: impl FnOnce(&Zdd) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        if self.zdd.node_count().saturating_mul(per_node) <= SHORT {
            return short(py, || query(&self.zdd));
        }
        self.long(py, None, |zdd, _| query(zdd))
    }

    /// Runs work on the diagram that may take long.
    fn long<T: Send + 'static>(
        &self,
        py: Python<'_>,
        limits: Option<LimitArgs>,
        work: impl FnOnce(&Zdd, &Task) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let zdd = self.zdd.clone();
        let done = Limits::new(py, limits)?.run(py, move |task| work(&zdd, task));
        done.map_err(|failure| {
            failure.placed(|variable| {
                self.universe.place(variable, self.order.get(variable).copied(), py)
            })
        })
    }

    /// The change of solutions into sets. Fails unless they are sets, with the name of the call and a remedy.
    fn as_sets(&self, call: &str, remedy: &str, py: Python<'_>) -> Outcome<AsSets> {
        let members = self.universe.member_values(call, remedy, py)?;
        let exchanged =
            self.order.iter().enumerate().filter(|&(_, &element)| members[element] == 0);
        Ok(AsSets { exchanged: exchanged.map(|(variable, _)| variable).collect() })
    }

    /// Runs a query of the solutions as sets, as [`query`](Self::query).
    fn query_sets<T: Send + 'static>(
        &self,
        py: Python<'_>,
        per_node: usize,
        sets: AsSets,
        query: impl FnOnce(&Zdd) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        if sets.exchanged.is_empty() {
            return self.query(py, per_node, query);
        }
        self.long(py, None, move |zdd, task| query(&sets.apply(zdd, task)?))
    }

    /// The number of solutions, computed once.
    fn counted(&self, py: Python<'_>) -> Outcome<&BigUint> {
        cached(&self.count, || self.query(py, self.digits(), |zdd| Ok(zdd.count())))
    }

    /// The index of ranks, made once.
    fn indexed(&self, py: Python<'_>) -> Outcome<&Index<ZeroSuppressed>> {
        cached(&self.index, || self.query(py, self.digits(), |zdd| Ok(zdd.index())))
    }

    /// The function from the values of the variables to the values of the elements.
    fn row(&self) -> impl Fn(&[usize]) -> Box<[u8]> + Send + use<> {
        let variables = self.variables.clone();
        move |solution| variables.iter().map(|&variable| solution[variable] as u8).collect()
    }

    /// The values of the variables from the values of the elements.
    fn by_variable(&self, values: &[u8]) -> Vec<usize> {
        self.order.iter().map(|&element| usize::from(values[element])).collect()
    }
}

/// The change of solutions into sets: some variables have value 0 where their element is in the set.
#[derive(Default)]
pub(crate) struct AsSets {
    exchanged: Vec<usize>,
}

impl AsSets {
    /// The diagram with both values of these variables exchanged, which is also the way back.
    pub(crate) fn apply(&self, zdd: &Zdd, task: &Task) -> Outcome<Zdd> {
        if self.exchanged.is_empty() {
            return Ok(zdd.clone());
        }
        let manager = task.manager(zdd.num_vars())?;
        let change = |family: ApplyFamily, &variable: &usize| family.change(variable);
        Ok(manager.within(&task.limits(), || {
            self.exchanged.iter().try_fold(manager.family_of(zdd)?, change)?.to_zdd()
        })?)
    }
}

/// The value in a cell, which is made if there is none.
fn cached<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Outcome<T>) -> Outcome<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}
