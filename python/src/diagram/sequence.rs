//! Solutions of a diagram by position, in their order, and at random.

use std::hash::{BuildHasher, Hasher, RandomState};

use pyo3::prelude::*;
use pyo3::types::PySlice;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use topdd::{BigUint, QueryError, Zdd};

use super::Diagram;
use crate::convert::{Numbers, to_count, to_int};
use crate::errors::{Failure, Outcome};
use crate::run::GivenLimits;
use crate::solution::{
    Solution, SolutionIterator, SolutionRows, Solutions, array, check_step, values_of,
};
use crate::universe::Universe;

/// The solutions between two checks of limits.
const BATCH: usize = 1024;

impl Diagram {
    /// An iterator over solutions, with their weights if there are `numbers`. `next` returns the next one by its function.
    pub(super) fn iterator(
        &self,
        numbers: Option<Numbers>,
        mut next: impl FnMut(&dyn Fn(&[usize]) -> Box<[u8]>) -> Option<Box<[u8]>> + Send + 'static,
    ) -> SolutionIterator {
        let variables = self.variables.clone();
        let row = move |solution: &[usize]| {
            variables.iter().map(|&variable| solution[variable] as u8).collect()
        };
        SolutionIterator::new(self.universe.clone(), numbers, move || next(&row))
    }

    fn solution(&self, solution: &[usize]) -> Solution {
        Solution { universe: self.universe.clone(), values: self.by_element(solution) }
    }

    /// The solutions at `count` positions from `start`, `step` apart, upwards or downwards.
    fn rows_at(
        &self,
        py: Python<'_>,
        start: BigUint,
        count: usize,
        step: Step,
    ) -> Outcome<SolutionRows> {
        let index = self.indexed(py)?.clone();
        let Step { size, backward } = step;
        self.rows(py, None, count, move |_, push| {
            if !backward && size == BigUint::from(1u32) && count > 0 {
                let mut solutions = index.iter_from(&start)?;
                return (0..count).try_for_each(|_| push(solutions.advance().unwrap_or_default()));
            }
            let mut rank = start;
            for number in 0..count {
                if number > 0 {
                    rank = if backward { rank - &size } else { rank + &size };
                }
                push(&index.nth(&rank)?)?;
            }
            Ok(())
        })
    }

    /// The rows of `count` solutions, which `each` passes on one by one.
    fn rows(
        &self,
        py: Python<'_>,
        limits: Option<GivenLimits>,
        count: usize,
        each: impl FnOnce(&Zdd, &mut dyn FnMut(&[usize]) -> Outcome<()>) -> Outcome<()> + Send + 'static,
    ) -> Outcome<SolutionRows> {
        let variables = self.variables.clone();
        self.long(py, limits, move |zdd, task| {
            task.check_bytes(count.saturating_mul(variables.len()))?;
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
            Ok(SolutionRows { count, values })
        })
    }

    fn sliced<'py>(&self, slice: &Bound<'py, PySlice>) -> Outcome<Bound<'py, PyAny>> {
        let py = slice.py();
        check_step(slice)?;
        let count = to_int(py, self.counted(py)?)?;
        let (start, stop, step): (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>) =
            slice.call_method1("indices", (count,))?.extract()?;
        let range = py.import("builtins")?.getattr("range")?.call1((&start, stop, &step))?;
        let count = range.len().map_err(|_| {
            Failure::Overflow(
                "the slice has more solutions than fit into memory; take a smaller one".to_owned(),
            )
        })?;
        let backward = step.lt(0)?;
        let size = if backward { step.call_method0("__neg__")? } else { step };
        let step = Step { size: to_count(&size)?, backward };
        let start = if count == 0 { BigUint::ZERO } else { to_count(&start)? };
        let rows = self.rows_at(py, start, count, step)?;
        Ok(Bound::new(py, Solutions { universe: self.universe.clone(), rows })?.into_any())
    }
}

/// The distance between the positions of a slice, and its direction.
struct Step {
    size: BigUint,
    backward: bool,
}

#[pymethods]
impl Diagram {
    /// Returns the number of solutions, however large.
    fn count<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyAny>> {
        Ok(to_int(py, self.counted(py)?)?)
    }

    fn __len__(&self, py: Python<'_>) -> Outcome<usize> {
        let count = self.counted(py)?;
        usize::try_from(count).ok().filter(|count| isize::try_from(*count).is_ok()).ok_or_else(
            || {
                Failure::Overflow(
                    "there are more solutions than len() can return; call count()".to_owned(),
                )
            },
        )
    }

    fn __bool__(&self) -> bool {
        !self.zdd.is_empty()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> Outcome<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            return self.sliced(slice);
        }
        let count = to_int(py, self.counted(py)?)?;
        let mut at = py.import("operator")?.getattr("index")?.call1((index,))?;
        if at.lt(0)? {
            at = at.add(&count)?;
        }
        if at.lt(0)? || at.ge(&count)? {
            return Err(Failure::Index(format!("there is no solution {index}; there are {count}")));
        }
        let solution = self.indexed(py)?.nth(&to_count(&at)?)?;
        Ok(Bound::new(py, self.solution(&solution))?.into_any())
    }

    fn __iter__(&self) -> SolutionIterator {
        let mut solutions = self.zdd.iter();
        self.iterator(None, move |row| solutions.advance().map(row))
    }

    fn __reversed__(&self) -> SolutionIterator {
        let mut solutions = self.zdd.iter();
        self.iterator(None, move |row| solutions.advance_back().map(row))
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
    fn rank<'py>(&self, solution: &Bound<'py, PyAny>) -> Outcome<Bound<'py, PyAny>> {
        let py = solution.py();
        let values = self.by_variable(&values_of(&self.universe, solution)?);
        let rank = self.indexed(py)?.rank(&values)?;
        let rank = rank.ok_or_else(|| {
            Failure::Input(format!("{solution:?} is no solution of this diagram"))
        })?;
        Ok(to_int(py, &rank)?)
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
    fn sample<'py>(
        &self,
        k: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        limits: Option<GivenLimits>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let seed: u64 = match seed {
            Some(seed) => seed.extract().map_err(|_| {
                Failure::Input(format!("seed={seed:?}: give a whole number from 0 to 2**64 - 1"))
            })?,
            None => RandomState::new().build_hasher().finish(),
        };
        let count = k.map(|k| crate::convert::size(k, "k")).transpose()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        if self.zdd.is_empty() {
            return Err(QueryError::NoSolutions.into());
        }
        let Some(count) = count else {
            let drawn = self.indexed(py)?.sample(&mut rng)?;
            return Ok(Bound::new(py, self.solution(&drawn))?.into_any());
        };
        let index = self.indexed(py)?.clone();
        let rows = self.rows(py, limits, count, move |_, push| {
            (0..count).try_for_each(|_| push(&index.sample(&mut rng)?))
        })?;
        Ok(Bound::new(py, Solutions { universe: self.universe.clone(), rows })?.into_any())
    }

    /// Returns an array with a row for each solution: bool, or the colours of the vertices. Of boards, a board for each.
    #[pyo3(signature = (**limits))]
    fn to_numpy<'py>(
        &self,
        limits: Option<GivenLimits>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let rows = self.all_rows(py, limits)?;
        array(py, &self.universe, rows.values, Some(rows.count))
    }

    /// Returns a table of pandas, or of polars, with a column for each element and a row for each solution.
    #[pyo3(signature = (library="pandas", **limits))]
    fn to_dataframe<'py>(
        &self,
        library: &str,
        limits: Option<GivenLimits>,
        py: Python<'py>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let rows = self.all_rows(py, limits)?;
        let solutions = Bound::new(py, Solutions { universe: self.universe.clone(), rows })?;
        Ok(solutions.call_method1("to_dataframe", (library,))?)
    }
}

impl Diagram {
    fn all_rows(&self, py: Python<'_>, limits: Option<GivenLimits>) -> Outcome<SolutionRows> {
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
