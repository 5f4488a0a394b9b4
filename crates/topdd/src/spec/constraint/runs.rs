//! Equal values in a row.

use super::Constraint;
use super::kind::{ConstraintKind, Outcome, Reader, check_value};
use crate::spec::Space;

/// A bound of the number of equal values in a row; the kind of [`longest_run`].
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
    /// Bounds the runs of the given values only.
    pub fn of_values(self, values: impl IntoIterator<Item = usize>) -> Self {
        self.with(|runs| runs.values = Some(values.into_iter().collect()))
    }
}

/// The last value, and how often it occurred in a row so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    value: u32,
    length: u32,
}

crate::portable!(Run { value, length });

impl Run {
    /// The run of a value whose runs are not bounded.
    const UNBOUNDED: Run = Run { value: 0, length: 0 };
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
    fn outcome(&self, run: Run, position: usize) -> Outcome<Run> {
        if run.length as usize > self.most {
            Outcome::Broken
        } else if run.length as usize + (self.len - position) <= self.most {
            Outcome::Met
        } else {
            Outcome::Open(run)
        }
    }
}

impl Reader for Runs {
    type State = Run;

    fn start(&self) -> Outcome<Run> {
        self.outcome(Run::UNBOUNDED, 0)
    }

    #[inline]
    fn read(&self, run: &Run, at: usize, value: usize) -> Outcome<Run> {
        let next = match (self.bounded[value], value == run.value as usize) {
            (false, _) => Run::UNBOUNDED,
            (true, true) => Run { length: run.length + 1, ..*run },
            (true, false) => Run { value: value as u32, length: 1 },
        };
        self.outcome(next, at + 1)
    }

    fn like(&self, position: usize) -> Option<usize> {
        // Closer to the end, short runs are met.
        position.checked_sub(1).filter(|_| self.len - (position + 1) > self.most)
    }

    fn describe(&self, run: &Run) -> String {
        match run.length {
            0 => "no bounded run".to_owned(),
            length => format!("{length} times {}", run.value),
        }
    }
}
