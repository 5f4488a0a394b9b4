//! Specs drawn from a seed.

use crate::random::SplitMix;
use crate::{DdSpec, Step};

/// A spec drawn from a seed: a table with the step of each value of each state.
///
/// It has all shapes that a combinator or an engine must handle: steps that skip variables, roots
/// that skip variables, terminals at any height, states that reach no 1-terminal, variables with
/// one value only, constant specs, and sometimes no variables at all. The same seed gives the same
/// spec on every machine.
///
/// A state is a row of the table at its variable.
///
/// ```
/// use topdd::{Rule, SpecExt, check};
///
/// check::contract(&check::RandomSpec::new(1), Rule::AnyValue, usize::MAX)?;
///
/// // Two specs over the same variables, to test a combinator.
/// let [left, right] = [7, 8].map(|seed| check::RandomSpec::over(vec![2, 3, 1], seed));
/// assert_eq!((left.arities(), right.arities()), (&[2, 3, 1][..], &[2, 3, 1][..]));
/// check::same(&(&left).or(&right), &(&right).or(&left), Rule::AnyValue)?;
/// # Ok::<(), check::Unequal>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomSpec {
    arities: Vec<usize>,
    root: Step<u32>,
    /// `rows[variable][state][value]`
    rows: Vec<Vec<Vec<Step<u32>>>>,
}

impl RandomSpec {
    /// Draws a spec over 0 to 5 variables of 1 to 4 values each.
    pub fn new(seed: u64) -> Self {
        let mut draw = SplitMix(seed);
        let arities = (0..draw.below(6)).map(|_| 1 + draw.below(4)).collect();
        Self::over(arities, draw.next())
    }

    /// Draws a spec over variables of the given arities.
    pub fn over(arities: Vec<usize>, seed: u64) -> Self {
        let mut draw = SplitMix(seed);
        let num_vars = arities.len();
        let widths: Vec<usize> = arities.iter().map(|_| 1 + draw.below(4)).collect();
        let to = |draw: &mut SplitMix, earliest: usize| {
            // Mostly the next variable: a spec of long skips has few states.
            let variable = match draw.below(5) {
                0 => earliest + draw.below(num_vars - earliest),
                1 => (earliest + draw.below(2)).min(num_vars - 1),
                _ => earliest,
            };
            Step::To(variable, draw.below(widths[variable]) as u32)
        };
        let terminal = |draw: &mut SplitMix| match draw.below(2) {
            0 => Step::Zero,
            _ => Step::One,
        };
        let root = match draw.below(10) {
            1.. if num_vars > 0 => to(&mut draw, 0),
            _ => terminal(&mut draw),
        };
        let rows = (0..num_vars)
            .map(|variable| {
                let row = |draw: &mut SplitMix| {
                    // Some states are dead or nearly so, as test cases for lookahead.
                    let deadly = draw.below(4) == 0;
                    let cell = |_| match draw.below(10) {
                        0..=6 if deadly => Step::Zero,
                        4.. if variable + 1 < num_vars => to(draw, variable + 1),
                        _ => terminal(draw),
                    };
                    (0..arities[variable]).map(cell).collect()
                };
                (0..widths[variable]).map(|_| row(&mut draw)).collect()
            })
            .collect();
        Self { arities, root, rows }
    }

    /// Makes a spec of this table, whose steps all lead to existing rows.
    #[cfg(any(test, feature = "proptest"))]
    pub(super) fn of_table(
        arities: Vec<usize>,
        root: Step<u32>,
        rows: Vec<Vec<Vec<Step<u32>>>>,
    ) -> Self {
        Self { arities, root, rows }
    }

    /// Returns the arities of the variables, from the root down.
    pub fn arities(&self) -> &[usize] {
        &self.arities
    }
}

impl DdSpec for RandomSpec {
    type State = u32;

    fn num_vars(&self) -> usize {
        self.arities.len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.arities[variable]
    }

    fn root(&self) -> Step<u32> {
        self.root
    }

    #[inline]
    fn child(&self, &state: &u32, variable: usize, value: usize) -> Step<u32> {
        self.rows[variable][state as usize][value]
    }

    fn describe(&self, state: &u32) -> String {
        format!("row {state}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rule, check};

    #[test]
    fn every_seed_keeps_the_contract() {
        for seed in 0..2000 {
            let spec = RandomSpec::new(seed);
            check::contract(&spec, Rule::ZeroSuppressed, usize::MAX).unwrap();
        }
    }

    #[test]
    fn all_shapes_are_drawn() {
        let specs: Vec<_> = (0..2000).map(RandomSpec::new).collect();
        let some = |shape: &dyn Fn(&RandomSpec) -> bool| specs.iter().any(shape);
        for constant in [Step::Zero, Step::One] {
            assert!(some(&|spec| spec.num_vars() == 0 && spec.root == constant));
            assert!(some(&|spec| spec.num_vars() > 2 && spec.root == constant));
        }
        assert!(some(&|spec| matches!(spec.root, Step::To(2.., _))));
        for arity in 1..=4 {
            assert!(some(&|spec| spec.arities.contains(&arity)));
        }
        let first_cells = |spec: &RandomSpec| spec.rows.first().map(|rows| rows.concat());
        assert!(some(&|spec| {
            first_cells(spec).is_some_and(|cells| {
                cells.contains(&Step::One) && cells.iter().any(|c| matches!(c, Step::To(3.., _)))
            })
        }));
        assert!(some(&|spec| {
            spec.rows.first().is_some_and(|rows| rows.iter().any(|r| r.iter().all(Step::is_zero)))
        }));
    }

    #[test]
    fn a_seed_gives_the_same_spec_on_every_machine() {
        assert_eq!(format!("{:?}", RandomSpec::new(5)), format!("{:?}", RandomSpec::new(5)));
    }
}
