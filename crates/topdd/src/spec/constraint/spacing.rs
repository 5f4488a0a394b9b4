//! Distances between marked values, their number in each window, and equal values in a row.

use super::{
    Constraint, ConstraintKind, Outcome, Reader, check_bounds, check_pair, check_value, inclusive,
};
use crate::spec::{PerValue, Space};
use std::ops::{RangeBounds, RangeInclusive};

/// A least distance; the kind of [`least_distance`].
#[derive(Clone, Debug)]
pub struct LeastDistance {
    distance: usize,
    marks: MarkedValues,
}

/// Requires that nonzero variables, or variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs), are at least `distance` variables apart: 1 allows neighbours, 2 does not.
///
/// States: at most `distance` per variable.
///
/// ```
/// assert_eq!(topdd::count(&topdd::constraint::least_distance(5, 2))?, 13u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn least_distance(space: impl Into<Space>, distance: usize) -> Constraint<LeastDistance> {
    Constraint::new(space, LeastDistance { distance, marks: MarkedValues::default() })
}

impl Constraint<LeastDistance> {
    /// Keeps these pairs `(variable, value)` apart instead of nonzero values.
    ///
    /// ```
    /// use topdd::constraint::least_distance;
    ///
    /// // Words of three letters over 0, 1 and 2 in which no two zeros are adjacent.
    /// let words = least_distance([3; 3], 2).of_pairs((0..3).map(|variable| (variable, 0)));
    /// assert_eq!(topdd::count(&words)?, 22u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn of_pairs(self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.with(|least| least.marks = MarkedValues::from_pairs(pairs))
    }
}

/// The reader of distances.
#[derive(Clone, Debug)]
pub struct Gaps {
    distance: usize,
    marks: PerValue<bool>,
    /// The only value of each variable that is not marked, if there is only one.
    only_unmarked: Vec<Option<usize>>,
}

impl ConstraintKind for LeastDistance {
    type Reader = Gaps;

    fn name(&self) -> &'static str {
        "least_distance"
    }

    fn reader(&self, arities: &[usize]) -> Result<Gaps, String> {
        let marks = self.marks.table(arities)?;
        let only_unmarked = only_values(arities, &marks, false);
        Ok(Gaps { distance: self.distance, marks, only_unmarked })
    }
}

impl Reader for Gaps {
    /// The number of next variables that are too close to the last marked one.
    type State = u32;

    fn start(&self) -> Outcome<u32> {
        if self.distance <= 1 { Outcome::Met } else { Outcome::Open(0) }
    }

    #[inline]
    fn read(&self, &blocked: &u32, position: usize, value: usize) -> Outcome<u32> {
        if !self.marks.get(position, value) {
            return Outcome::Open(blocked.saturating_sub(1));
        }
        // Beyond the last variable all distances are equivalent.
        let blocked_next = (self.distance - 1).min(self.only_unmarked.len() - position - 1);
        if blocked > 0 { Outcome::Broken } else { Outcome::Open(blocked_next as u32) }
    }

    #[inline]
    fn forced(&self, &blocked: &u32, position: usize) -> Option<usize> {
        if blocked > 0 { self.only_unmarked[position] } else { None }
    }

    fn like(&self, position: usize) -> Option<usize> {
        // Closer to the end, distances are cut.
        let len = self.only_unmarked.len();
        self.marks.equal_before(position).filter(|_| self.distance <= len - position)
    }

    fn merge(&self, one: &u32, other: &u32) -> Option<u32> {
        Some(*one.min(other))
    }

    fn describe(&self, blocked: &u32) -> String {
        match blocked {
            0 => "the next variable may be marked".to_owned(),
            1 => "the next variable may not be marked".to_owned(),
            _ => format!("the next {blocked} variables may not be marked"),
        }
    }
}

/// Bounds of a number in each window; the kind of [`window`].
#[derive(Clone, Debug)]
pub struct Window {
    width: usize,
    bounds: RangeInclusive<usize>,
    marks: MarkedValues,
}

/// Requires that among any `width` consecutive variables, at most 64, a number within `bounds` is
/// nonzero, or has a value of the pairs given by [`of_pairs`](Constraint::of_pairs). Fewer than `width`
/// variables form no window. An empty range is an error.
///
/// States: at most `2^(width - 1)` per variable.
///
/// ```
/// // One or two of any three in a row.
/// assert_eq!(topdd::count(&topdd::constraint::window(5, 3, 1..=2))?, 16u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn window(
    space: impl Into<Space>,
    width: usize,
    bounds: impl RangeBounds<usize>,
) -> Constraint<Window> {
    let bounds = inclusive(&bounds);
    Constraint::new(space, Window { width, bounds, marks: MarkedValues::default() })
}

impl Constraint<Window> {
    /// Counts these pairs `(variable, value)` instead of nonzero values.
    ///
    /// ```
    /// use topdd::constraint::window;
    ///
    /// // A day off (0) among any two in a row, of four with two shifts.
    /// let plans = window([3; 4], 2, 1..=2).of_pairs((0..4).map(|day| (day, 0)));
    /// assert_eq!(topdd::count(&plans)?, 21u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn of_pairs(self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.with(|window| window.marks = MarkedValues::from_pairs(pairs))
    }
}

/// The reader of windows.
#[derive(Clone, Debug)]
pub struct Windows {
    width: usize,
    least: usize,
    most: usize,
    marks: PerValue<bool>,
    /// The only value of each variable that is not marked, and that is, if there is only one.
    only_unmarked: Vec<Option<usize>>,
    only_marked: Vec<Option<usize>>,
}

impl ConstraintKind for Window {
    type Reader = Windows;

    fn name(&self) -> &'static str {
        "window"
    }

    fn reader(&self, arities: &[usize]) -> Result<Windows, String> {
        let Window { width, bounds, marks } = self;
        let (width, least, most) = (*width, *bounds.start(), *bounds.end());
        if !(1..=64).contains(&width) {
            return Err(format!("a window has 1 to 64 variables, not {width}"));
        }
        check_bounds(bounds)?;
        let marks = marks.table(arities)?;
        let only = |marked| only_values(arities, &marks, marked);
        let (only_unmarked, only_marked) = (only(false), only(true));
        Ok(Windows { width, least, most, marks, only_unmarked, only_marked })
    }
}

impl Reader for Windows {
    /// One bit for each of the last `width - 1` variables, the latest the lowest.
    type State = u64;

    fn start(&self) -> Outcome<u64> {
        if self.only_marked.len() < self.width { Outcome::Met } else { Outcome::Open(0) }
    }

    #[inline]
    fn read(&self, &last: &u64, position: usize, value: usize) -> Outcome<u64> {
        let window = last << 1 | u64::from(*self.marks.get(position, value));
        let marked = window.count_ones() as usize;
        // A window that is not full yet may still reach the lower bound.
        let missing = self.width.saturating_sub(position + 1);
        if marked > self.most || marked + missing < self.least {
            return Outcome::Broken;
        }
        Outcome::Open(window & ((1 << (self.width - 1)) - 1))
    }

    #[inline]
    fn forced(&self, last: &u64, position: usize) -> Option<usize> {
        let marked = last.count_ones() as usize;
        if marked == self.most {
            return self.only_unmarked[position];
        }
        let missing = self.width.saturating_sub(position + 1);
        if marked + missing < self.least { self.only_marked[position] } else { None }
    }

    fn like(&self, position: usize) -> Option<usize> {
        // Earlier windows are not full.
        self.marks.equal_before(position).filter(|_| position >= self.width)
    }

    fn merge(&self, one: &u64, other: &u64) -> Option<u64> {
        match (self.least > 0, self.most < self.width) {
            (false, true) => Some(one & other),
            (true, false) => Some(one | other),
            _ => None,
        }
    }

    fn describe(&self, last: &u64) -> String {
        format!("{last:0width$b}", width = self.width - 1)
    }
}

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

/// The marked values: all but 0, or given pairs of a variable and a value.
#[derive(Clone, Debug, Default)]
pub(super) struct MarkedValues(Option<Vec<(usize, usize)>>);

/// Returns, for each variable, its only value that is marked, or not marked, if there is only one.
fn only_values(arities: &[usize], table: &PerValue<bool>, marked: bool) -> Vec<Option<usize>> {
    let only = |position| {
        let marks = table.variable(position).iter().enumerate();
        let mut values = marks.filter(|&(_, &mark)| mark == marked).map(|(value, _)| value);
        values.next().filter(|_| values.next().is_none())
    };
    (0..arities.len()).map(only).collect()
}

impl MarkedValues {
    pub(super) fn from_pairs(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        MarkedValues(Some(pairs.into_iter().collect()))
    }

    /// Returns whether each value of each variable is marked.
    pub(super) fn table(&self, arities: &[usize]) -> Result<PerValue<bool>, String> {
        let Some(pairs) = &self.0 else {
            return Ok(PerValue::new(arities.iter().copied(), |_, value| value != 0));
        };
        let mut table = PerValue::new(arities.iter().copied(), |_, _| false);
        for &(position, value) in pairs {
            check_pair(arities, position, value)?;
            table.variable_mut(position)[value] = true;
        }
        Ok(table)
    }
}
