//! Changes that make a solution another assignment that is often a solution, too.
//!
//! A kind is kept if it alone finds one of the mistakes in `planted`, or finds it with at most a tenth of the samples of any
//! other kind. Moved values, reversed runs and exchanged columns of a table do neither.

use crate::DdSpec;
use crate::spec::ErasedSpec;

/// A change of a few values, or of their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// One value becomes another one.
    Value,
    /// Two different values change places.
    Swap,
    /// Two blocks of the same length change places: any, or rows of a table of all variables.
    Blocks,
    /// Two values are renamed to each other everywhere.
    Rename,
}

impl Change {
    /// All changes.
    pub(super) const ALL: [Change; 4] =
        [Change::Value, Change::Swap, Change::Blocks, Change::Rename];

    /// Makes the change at random variables. `None` if it changes nothing there, or makes a value that a variable
    /// does not have.
    pub(super) fn make(
        self,
        spec: &ErasedSpec<'_>,
        assignment: &[usize],
        rng: &mut fastrand::Rng,
    ) -> Option<Vec<usize>> {
        let mut changed = assignment.to_vec();
        let count = changed.len();
        let (one, other) = (rng.usize(0..count), rng.usize(0..count));
        match self {
            Change::Value => changed[one] = rng.usize(0..spec.arity(one)),
            Change::Swap => {
                let different = (0..count).filter(|&at| assignment[at] != assignment[one]);
                let different: Vec<usize> = different.collect();
                changed.swap(one, *rng.choice(&different)?);
            }
            Change::Blocks => exchange_blocks(&mut changed, rng)?,
            Change::Rename => {
                let [one, other] = [one, other].map(|at| assignment[at]);
                for value in &mut changed {
                    *value = match *value {
                        value if value == one => other,
                        value if value == other => one,
                        value => value,
                    };
                }
            }
        }
        let fits = || changed.iter().enumerate().all(|(at, &value)| value < spec.arity(at));
        (changed != assignment && fits()).then_some(changed)
    }
}

/// Exchanges two blocks that do not overlap; `None` if those drawn do.
fn exchange_blocks(values: &mut [usize], rng: &mut fastrand::Rng) -> Option<()> {
    let most = values.len() / 2;
    let rows: Vec<usize> = (2..=most).filter(|&row| values.len().is_multiple_of(row)).collect();
    let (length, unit) = match rng.choice(rows) {
        Some(row) if rng.bool() => (row, row),
        _ => (rng.usize(1..=most.max(1)), 1),
    };
    let places = (values.len() - length) / unit + 1;
    let [one, other] = [(), ()].map(|()| rng.usize(0..places) * unit);
    if one.abs_diff(other) < length {
        return None;
    }
    for at in 0..length {
        values.swap(one + at, other + at);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint;

    #[test]
    fn a_change_is_another_assignment_of_the_space() {
        for arities in [vec![2; 9], vec![3, 2, 5, 2, 3], vec![4], vec![1]] {
            let any = constraint::at_most(arities.clone(), arities.len());
            let (spec, mut rng) = (ErasedSpec::new(&any), fastrand::Rng::with_seed(0));
            let start = arities.iter().enumerate().map(|(at, arity)| (at % 2).min(arity - 1));
            for change in Change::ALL {
                let (mut here, mut made) = (start.clone().collect::<Vec<usize>>(), 0);
                for _ in 0..200 {
                    let Some(changed) = change.make(&spec, &here, &mut rng) else { continue };
                    assert!(changed != here && changed.iter().zip(&arities).all(|(v, a)| v < a));
                    if matches!(change, Change::Swap | Change::Blocks) {
                        let sorted = |values: &[usize]| {
                            let mut values = values.to_vec();
                            values.sort_unstable();
                            values
                        };
                        assert_eq!(sorted(&changed), sorted(&here));
                    }
                    (here, made) = (changed, made + 1);
                }
                let is_possible = arities.len() > 1 || change == Change::Value && arities[0] > 1;
                assert_eq!(made > 0, is_possible, "{change:?} of {arities:?}");
            }
        }
    }
}
