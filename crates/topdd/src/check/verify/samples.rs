//! Drawn assignments, for specs with too many to compare all.

use super::{Compared, Verdicts, VerifyError};
use crate::check::walk::{Event, walk};
use crate::diagram::DiagramRule;
use crate::spec::contract::check_state;
use crate::{BigUint, DdSpec, Diagram, Index, Step};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Draws assignments to the variables of a spec, with its diagram.
pub(super) struct Samples<'a, S, R: DiagramRule> {
    spec: &'a S,
    index: Index<R>,
    rng: StdRng,
}

/// The number of solutions whose states are checked.
const CHECKED: usize = 100;

/// The maximum number of attempts to make a counterexample smaller.
const TRIES: usize = 10_000;

impl<'a, S: DdSpec, R: DiagramRule> Samples<'a, S, R> {
    pub(super) fn new(spec: &'a S, diagram: &Diagram<R>, seed: u64) -> Self {
        Samples { spec, index: diagram.index(), rng: StdRng::seed_from_u64(seed) }
    }

    /// Compares the verdicts on a number of solutions, uniform assignments and solutions with one
    /// value changed. Returns the coverage, and the least assignment found whose verdicts differ.
    pub(super) fn compare(
        mut self,
        samples: usize,
        judge: impl Fn(&[usize]) -> Result<Verdicts, VerifyError>,
    ) -> Result<(Compared, Option<Vec<usize>>), VerifyError> {
        let mut compared = Compared::default();
        let mut worst: Option<Vec<usize>> = None;
        for sample in 0..samples {
            let mut drawn = vec![self.uniform()];
            if let Some(solution) = self.solution()? {
                if sample < CHECKED {
                    self.check_path(&solution)?;
                }
                drawn.extend(self.neighbour(&solution));
                drawn.push(solution);
            }
            for assignment in drawn {
                let verdicts = judge(&assignment)?;
                compared.assignments += 1;
                compared.accepted += u64::from(verdicts.predicate);
                let less = worst.as_ref().is_none_or(|worst| assignment < *worst);
                if less && !verdicts.agree() {
                    worst = Some(assignment);
                }
            }
        }
        let worst = worst.map(|worst| lessen(worst, &judge)).transpose()?;
        Ok((compared, worst))
    }

    fn uniform(&mut self) -> Vec<usize> {
        let spec = self.spec;
        (0..spec.num_vars()).map(|v| self.rng.random_range(0..spec.arity(v))).collect()
    }

    /// Draws a solution of the diagram, if there is one.
    fn solution(&mut self) -> Result<Option<Vec<usize>>, VerifyError> {
        if *self.index.count() == BigUint::ZERO {
            return Ok(None);
        }
        let solution = self.index.sample(&mut self.rng);
        solution.map(Some).map_err(|error| VerifyError::Failed { rule: R::RULE, error })
    }

    /// Changes one value of a solution, if some variable has more than one.
    fn neighbour(&mut self, solution: &[usize]) -> Option<Vec<usize>> {
        let spec = self.spec;
        let from = self.rng.random_range(0..solution.len());
        // The next variable from there that has another value.
        let mut variables = (from..solution.len()).chain(0..from);
        let variable = variables.find(|&variable| spec.arity(variable) > 1)?;
        let mut neighbour = solution.to_vec();
        let other = self.rng.random_range(0..spec.arity(variable) - 1);
        neighbour[variable] = other + usize::from(other >= solution[variable]);
        Some(neighbour)
    }

    /// Checks the states on the path of a solution.
    fn check_path(&self, solution: &[usize]) -> Result<(), VerifyError> {
        let mut states = Vec::new();
        walk(self.spec, R::RULE, solution, |event| {
            if let Event::Root(Step::To(variable, state))
            | Event::Taken(Step::To(variable, state)) = event
            {
                states.push((*variable, state.clone()));
            }
        })?;
        for (variable, state) in states {
            check_state(self.spec, &state, variable, |_, _| Ok(()))?;
        }
        Ok(())
    }
}

/// Makes an assignment whose verdicts differ smaller, one value at a time.
fn lessen(
    mut assignment: Vec<usize>,
    judge: &impl Fn(&[usize]) -> Result<Verdicts, VerifyError>,
) -> Result<Vec<usize>, VerifyError> {
    let mut tries = 0;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for variable in 0..assignment.len() {
            for smaller in 0..assignment[variable] {
                tries += 1;
                if tries > TRIES {
                    return Ok(assignment);
                }
                let value = std::mem::replace(&mut assignment[variable], smaller);
                if !judge(&assignment)?.agree() {
                    changed = true;
                    break;
                }
                assignment[variable] = value;
            }
        }
    }
    Ok(assignment)
}
