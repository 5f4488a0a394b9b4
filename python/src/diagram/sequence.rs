//! Solutions of a diagram by position, in their order, and at random.

use std::hash::{BuildHasher, Hasher, RandomState};

use pyo3::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use topdd::{QueryError, Zdd};

use super::Diagram;
use crate::convert::{Integer, size};
use crate::errors::{Failure, Outcome};
use crate::positions::{IndexOrSlice, Slice, positions};
use crate::run::{LimitArgs, check_bytes};
use crate::solution::{Picked, Solution, SolutionIterator, Solutions, array, values_of};
use crate::universe::Universe;

/// The solutions between two checks of limits.
const BATCH: usize = 1024;

impl Diagram {
    pub(super) fn solution(&self, solution: &[usize]) -> Solution {
        Solution { universe: self.universe.clone(), values: self.row()(solution) }
    }

    /// The solutions at the positions of a slice.
    fn sliced(&self, py: Python<'_>, slice: Slice) -> Outcome<Solutions> {
        let (index, count) = (self.indexed(py)?.clone(), slice.count);
        self.rows(py, None, count, move |_, push| {
            if slice.is_range() {
                let mut solutions = index.iter_from(&slice.start)?;
                return (0..count).try_for_each(|_| push(solutions.advance().unwrap_or_default()));
            }
            slice.positions().try_for_each(|position| push(&index.nth(&position)?))
        })
    }

    /// The `count` solutions that `each` passes on one by one.
    fn rows(
        &self,
        py: Python<'_>,
        limits: Option<LimitArgs>,
        count: usize,
        each: impl FnOnce(&Zdd, &mut dyn FnMut(&[usize]) -> Outcome<()>) -> Outcome<()> + Send + 'static,
    ) -> Outcome<Solutions> {
        let variables = self.variables.clone();
        let values = self.long(py, limits, move |zdd, task| {
            check_bytes(task.memory, count.saturating_mul(variables.len()))?;
            let mut values = Vec::with_capacity(count * variables.len());
            let mut left = 0;
            each(zdd, &mut |solution| {
                if left == 0 {
                    task.check()?;
                    left = BATCH;
                }
                left -= 1;
                values.extend(variables.iter().map(|&variable| solution[variable] as u8));
                Ok(())
            })?;
            Ok(values)
        })?;
        Ok(Solutions { universe: self.universe.clone(), count, values })
    }

    fn all_rows(&self, py: Python<'_>, limits: Option<LimitArgs>) -> Outcome<Solutions> {
        let count = usize::try_from(self.counted(py)?).map_err(|_| {
            Failure::Overflow(
                "there are more solutions than fit into memory; take a sample or a slice"
                    .to_owned(),
            )
        })?;
        self.rows(py, limits, count, |zdd, push| {
            let mut solutions = zdd.iter();
            while let Some(solution) = solutions.advance() {
                push(solution)?;
            }
            Ok(())
        })
    }
}

#[pymethods]
impl Diagram {
    /// Returns the number of solutions, however large.
    fn count(&self, py: Python<'_>) -> Outcome<Integer> {
        self.counted(py).cloned().map(Integer)
    }

    fn __len__(&self, py: Python<'_>) -> Outcome<usize> {
        isize::try_from(self.counted(py)?).map(isize::unsigned_abs).map_err(|_| {
            Failure::Overflow(
                "there are more solutions than len() can return; call count()".to_owned(),
            )
        })
    }

    fn __bool__(&self) -> bool {
        !self.zdd.is_empty()
    }

    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> Outcome<Picked> {
        let py = index.py();
        Ok(match positions(index, self.counted(py)?)? {
            IndexOrSlice::Index(rank) => Picked::One(self.solution(&self.indexed(py)?.nth(&rank)?)),
            IndexOrSlice::Slice(slice) => Picked::Several(self.sliced(py, slice)?),
        })
    }

    fn __iter__(&self) -> SolutionIterator {
        let (mut solutions, row) = (self.zdd.iter(), self.row());
        SolutionIterator::new(&self.universe, None, move || solutions.advance().map(&row))
    }

    fn __reversed__(&self) -> SolutionIterator {
        let (mut solutions, row) = (self.zdd.iter(), self.row());
        SolutionIterator::new(&self.universe, None, move || solutions.advance_back().map(&row))
    }

    fn __contains__(&self, solution: &Bound<'_, PyAny>) -> Outcome<bool> {
        let is_open = matches!(&*self.universe, Universe::Objects(_));
        let values = match values_of(&self.universe, solution) {
            // A solution of another graph, or a set with an object that no set of this diagram has.
            Err(Failure::Input(_)) if is_open || solution.is_instance_of::<Solution>() => {
                return Ok(false);
            }
            values => values?,
        };
        Ok(self.zdd.contains(&self.by_variable(&values))?)
    }

    /// Returns the position of a solution: ``d[d.rank(s)] == s``.
    fn rank(&self, solution: &Bound<'_, PyAny>) -> Outcome<Integer> {
        let values = self.by_variable(&values_of(&self.universe, solution)?);
        self.indexed(solution.py())?
            .rank(&values)?
            .map(Integer)
            .ok_or_else(|| Failure::Input(format!("{solution:?} is no solution of this diagram")))
    }

    /// Returns one solution at random, or ``k`` of them, each with the same probability and independent of the others.
    ///
    /// The same ``seed`` gives the same solutions.
    ///
    /// >>> import topdd as td
    /// >>> trees = td.Graph.grid(4, 4).spanning_trees().build()
    /// >>> trees.sample(seed=1) in trees
    /// True
    /// >>> trees.sample(1000, seed=1).to_numpy().shape
    /// (1000, 24)
    #[pyo3(signature = (k=None, *, seed=None, **limits))]
    fn sample(
        &self,
        k: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
        py: Python<'_>,
    ) -> Outcome<Picked> {
        let seed = seed.map(|seed| size(seed, "seed").map(|seed| seed as u64)).transpose()?;
        let seed = seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        let count = k.map(|k| size(k, "k")).transpose()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        if self.zdd.is_empty() {
            return Err(QueryError::NoSolutions.into());
        }
        let index = self.indexed(py)?;
        let Some(count) = count else {
            return Ok(Picked::One(self.solution(&index.sample(&mut rng)?)));
        };
        let index = index.clone();
        let drawn = self.rows(py, limits, count, move |_, push| {
            (0..count).try_for_each(|_| push(&index.sample(&mut rng)?))
        })?;
        Ok(Picked::Several(drawn))
    }

    /// Returns an array with a row for each solution: bool, or the colours of the vertices. Of boards, a board for each.
    #[pyo3(signature = (**limits))]
    fn to_numpy<'py>(
        &self,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let Solutions { universe, count, values } = self.all_rows(py, limits)?;
        array(py, &universe, values, universe.shape(Some(count)))
    }

    /// Returns a table of pandas, or of polars, with a column for each element and a row for each solution.
    #[pyo3(signature = (library="pandas", **limits))]
    fn to_dataframe<'py>(
        &self,
        library: &str,
        limits: Option<LimitArgs>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        self.all_rows(py, limits)?.to_dataframe(library, py)
    }
}
