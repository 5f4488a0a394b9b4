//! Equal values in a row.

use super::Constraint;
use super::kind::{ConstraintKind, Outcome, Reader, check_value};
use crate::spec::Space;

/// A bound of the number of equal values in a row; the kind of [`longest_run`], which has an example.
#[derive(Clone, Debug)]
pub struct LongestRun {
    most: usize,
    values: Option<Vec<usize>>,
}

/// Requires that no value occurs more than `most` times in a row.
/// [`of_values`](Constraint::of_values) restricts this to some values.
///
/// States: at most `most` per variable and value.
///
/// ```
/// use topdd::constraint::longest_run;
///
/// assert_eq!(topdd::count(&longest_run([2; 4], 2))?, 10u32.into());
/// assert_eq!(topdd::count(&longest_run([2; 4], 1).of_values([1]))?, 8u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn longest_run(space: impl Into<Space>, most: usize) -> Constraint<LongestRun> {
    Constraint::new(space, LongestRun { most, values: None })
}

impl Constraint<LongestRun> {
    /// Bounds the runs of these values only. See the example of [`longest_run`].
    pub fn of_values(self, values: impl IntoIterator<Item = usize>) -> Self {
        self.with(|runs| runs.values = Some(values.into_iter().collect()))
    }
}

/// The reader of runs.
#[derive(Clone, Debug)]
pub struct Runs {
    len: usize,
    most: usize,
    /// Whether the runs of a value are bounded.
    bounded: Vec<bool>,
}

impl ConstraintKind for LongestRun {
    type Reader = Runs;

    fn name(&self) -> &'static str {
        "longest_run"
    }

    fn reader(&self, arities: &[usize]) -> Result<Runs, String> {
        let values = arities.iter().copied().max().unwrap_or(0);
        let mut bounded = vec![self.values.is_none(); values];
        for &value in self.values.iter().flatten() {
            check_value(arities, value)?;
            if let Some(bounded) = bounded.get_mut(value) {
                *bounded = true;
            }
        }
        Ok(Runs { len: arities.len(), most: self.most, bounded })
    }
}

impl Runs {
    /// Returns the status for a run that ends before `position`.
    #[inline]
    fn outcome(&self, (value, run): (u32, u32), position: usize) -> Outcome<(u32, u32)> {
        if run as usize > self.most {
            Outcome::Broken
        } else if run as usize + (self.len - position) <= self.most {
            Outcome::Met
        } else {
            Outcome::Open((value, run))
        }
    }
}

impl Reader for Runs {
    /// The last value and the length of its run so far; 0 of 0 if that run is not bounded.
    type State = (u32, u32);

    fn start(&self) -> Outcome<(u32, u32)> {
        self.outcome((0, 0), 0)
    }

    #[inline]
    fn read(&self, &(last, run): &(u32, u32), at: usize, value: usize) -> Outcome<(u32, u32)> {
        let next = match (self.bounded[value], value == last as usize) {
            (false, _) => (0, 0),
            (true, true) => (last, run + 1),
            (true, false) => (value as u32, 1),
        };
        self.outcome(next, at + 1)
    }

    fn describe(&self, (value, run): &(u32, u32)) -> String {
        match run {
            0 => "no bounded run".to_owned(),
            _ => format!("{run} times {value}"),
        }
    }
}
