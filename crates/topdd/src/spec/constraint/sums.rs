//! Sums within bounds: counts, occurrences of values, linear constraints, and sums modulo a number.

use super::spacing::MarkedValues;
use super::{Constraint, ConstraintKind, Outcome, Reader, check_bounds, check_value, inclusive};
use crate::spec::{PerValue, Space};
use smallvec::SmallVec;
use std::fmt;
use std::ops::{RangeBounds, RangeInclusive};
use std::sync::Arc;

/// A sum of one term per variable, selected by its value, and bounds of the sum.
#[derive(Clone, Debug)]
pub(super) struct SumRow {
    terms: PerValue<i64>,
    /// The least and the greatest sum of the terms from each position on.
    rest: Vec<(i64, i64)>,
    /// The bounds; the least or greatest number where there is none.
    least: i64,
    most: i64,
}

impl SumRow {
    pub(super) fn new(
        arities: &[usize],
        term: impl Fn(usize, usize) -> i64,
        bounds: RangeInclusive<i64>,
    ) -> Result<Self, String> {
        let terms = PerValue::new(arities.iter().copied(), term);
        let mut rest = vec![(0, 0); arities.len() + 1];
        let mut size = 0i128;
        for position in (0..arities.len()).rev() {
            let terms = terms.variable(position);
            let (low, high) = terms
                .iter()
                .fold((i64::MAX, i64::MIN), |(low, high), &term| (low.min(term), high.max(term)));
            size += i128::from(low.unsigned_abs().max(high.unsigned_abs()));
            // So the sums, and sums of the terms read and the terms left, fit.
            if size > i128::from(i64::MAX / 2) {
                return Err("the sum of the coefficients does not fit into 63 bits".to_owned());
            }
            let (after_low, after_high) = rest[position + 1];
            rest[position] = (after_low + low, after_high + high);
        }
        Ok(SumRow { terms, rest, least: *bounds.start(), most: *bounds.end() })
    }

    /// Makes a row that counts the variables with a value for which `counts` holds.
    pub(super) fn counting(
        arities: &[usize],
        counts: impl Fn(usize, usize) -> bool,
        bounds: &RangeInclusive<usize>,
    ) -> Result<Self, String> {
        check_bounds(bounds)?;
        let bound = |&k: &usize| i64::try_from(k).unwrap_or(i64::MAX);
        let term = |position, value| i64::from(counts(position, value));
        Self::new(arities, term, bound(bounds.start())..=bound(bounds.end()))
    }

    /// Returns the status for a sum of the terms before `position`.
    #[inline]
    fn outcome(&self, sum: i64, position: usize) -> Outcome<i64> {
        let (low, high) = self.rest[position];
        if sum + high < self.least || sum + low > self.most {
            Outcome::Broken
        } else if sum + low >= self.least && sum + high <= self.most {
            Outcome::Met
        } else {
            Outcome::Open(sum)
        }
    }
}

impl Reader for SumRow {
    type State = i64;

    fn start(&self) -> Outcome<i64> {
        self.outcome(0, 0)
    }

    #[inline]
    fn read(&self, &sum: &i64, position: usize, value: usize) -> Outcome<i64> {
        self.outcome(sum + self.terms.get(position, value), position + 1)
    }

    /// The sum that is farther from the only bound.
    fn merge(&self, &one: &i64, &other: &i64) -> Option<i64> {
        let (low, high) = self.rest[0];
        match (self.least > low, self.most < high) {
            (false, true) => Some(one.min(other)),
            (true, false) => Some(one.max(other)),
            _ => None,
        }
    }

    fn describe(&self, sum: &i64) -> String {
        format!("{sum} so far")
    }
}

/// Several sums at once.
#[derive(Clone, Debug)]
pub struct SumBounds {
    rows: Vec<SumRow>,
    /// The value that each row counts, if rows count values.
    values: Vec<usize>,
}

/// Marks a row that every continuation satisfies. No open sum has this value: open sums fit into 63
/// bits.
const SETTLED: i64 = i64::MIN;

impl SumBounds {
    pub(super) fn new(rows: Vec<SumRow>) -> Self {
        SumBounds { rows, values: Vec::new() }
    }

    /// Names the values that the rows count, for `describe`.
    pub(super) fn of_values(self, values: Vec<usize>) -> Self {
        SumBounds { values, ..self }
    }

    /// Combines the status of all rows.
    #[inline]
    fn join(mut outcomes: impl Iterator<Item = Outcome<i64>>) -> Outcome<SmallVec<[i64; 2]>> {
        let mut sums = SmallVec::new();
        let mut open = false;
        let broken = outcomes.any(|outcome| {
            match outcome {
                Outcome::Broken => return true,
                Outcome::Met => sums.push(SETTLED),
                Outcome::Open(sum) => {
                    open = true;
                    sums.push(sum);
                }
            }
            false
        });
        match (broken, open) {
            (true, _) => Outcome::Broken,
            (false, true) => Outcome::Open(sums),
            (false, false) => Outcome::Met,
        }
    }
}

impl Reader for SumBounds {
    type State = SmallVec<[i64; 2]>;

    fn start(&self) -> Outcome<Self::State> {
        Self::join(self.rows.iter().map(SumRow::start))
    }

    #[inline]
    fn read(&self, sums: &Self::State, position: usize, value: usize) -> Outcome<Self::State> {
        Self::join(self.rows.iter().zip(sums).map(|(row, sum)| match *sum {
            SETTLED => Outcome::Met,
            _ => row.read(sum, position, value),
        }))
    }

    fn merge(&self, one: &Self::State, other: &Self::State) -> Option<Self::State> {
        let sums = self.rows.iter().zip(one.iter().zip(other));
        let merged = sums.map(|(row, (&one, &other))| match (one, other) {
            (SETTLED, _) | (_, SETTLED) => SETTLED,
            _ if one == other => one,
            _ => row.merge(&one, &other).unwrap_or(SETTLED),
        });
        let merged: Self::State = merged.collect();
        merged.iter().any(|&sum| sum != SETTLED).then_some(merged)
    }

    fn describe(&self, sums: &Self::State) -> String {
        let text = |&sum: &i64| match sum {
            SETTLED => "met".to_owned(),
            sum => sum.to_string(),
        };
        let texts = sums.iter().map(text);
        if self.values.is_empty() {
            return format!("{} so far", texts.collect::<Vec<_>>().join("; "));
        }
        let of_values = self.values.iter().zip(texts).map(|(value, text)| match &text[..] {
            "met" => format!("value {value} met"),
            count => format!("{count} of value {value}"),
        });
        of_values.collect::<Vec<_>>().join("; ")
    }
}

/// Bounds of a number of variables; the kind of [`between`].
#[derive(Clone, Debug)]
pub struct Count {
    /// The name of the function that made the constraint.
    name: &'static str,
    bounds: RangeInclusive<usize>,
    marks: MarkedValues,
}

/// Requires at most `k` nonzero variables, or variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs).
///
/// States: at most `k + 1` per variable.
///
/// ```
/// use topdd::constraint;
///
/// assert_eq!(topdd::count(&constraint::at_most(4, 2))?, 11u32.into());
/// // Of three variables of three values at most one is 2.
/// let one = constraint::at_most([3; 3], 1).of_pairs((0..3).map(|variable| (variable, 2)));
/// assert_eq!(topdd::count(&one)?, 20u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn at_most(space: impl Into<Space>, k: usize) -> Constraint<Count> {
    bounded("at_most", space, ..=k)
}

/// Requires at least `k` nonzero variables, or variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs).
///
/// States: at most `k + 1` per variable.
///
/// ```
/// assert_eq!(topdd::count(&topdd::constraint::at_least(4, 3))?, 5u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn at_least(space: impl Into<Space>, k: usize) -> Constraint<Count> {
    bounded("at_least", space, k..)
}

/// Requires exactly `k` nonzero variables, or variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs).
///
/// States: at most `k + 1` per variable.
///
/// ```
/// assert_eq!(topdd::count(&topdd::constraint::exactly(4, 2))?, 6u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn exactly(space: impl Into<Space>, k: usize) -> Constraint<Count> {
    bounded("exactly", space, k..=k)
}

/// Requires a number of nonzero variables within `bounds`, or of variables with a value of the pairs given
/// by [`of_pairs`](Constraint::of_pairs). An empty range is an error.
///
/// States: at most one more per variable than the greater bound.
///
/// ```
/// use topdd::constraint::between;
///
/// assert_eq!(topdd::count(&between(4, 1..=2))?, 10u32.into());
/// assert_eq!(topdd::count(&between(4, 2..))?, 11u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn between(space: impl Into<Space>, bounds: impl RangeBounds<usize>) -> Constraint<Count> {
    bounded("between", space, bounds)
}

fn bounded(
    name: &'static str,
    space: impl Into<Space>,
    bounds: impl RangeBounds<usize>,
) -> Constraint<Count> {
    let bounds = inclusive(&bounds);
    Constraint::new(space, Count { name, bounds, marks: MarkedValues::default() })
}

impl Constraint<Count> {
    /// Counts the variables that have a value of the given pairs `(variable, value)`, instead of the
    /// nonzero variables.
    pub fn of_pairs(self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.with(|count| count.marks = MarkedValues::from_pairs(pairs))
    }
}

/// The reader of a count.
#[derive(Clone, Debug)]
pub struct Counter(SumRow);

impl ConstraintKind for Count {
    type Reader = Counter;

    fn name(&self) -> &'static str {
        self.name
    }

    fn reader(&self, arities: &[usize]) -> Result<Counter, String> {
        let marks = self.marks.table(arities)?;
        let row = SumRow::counting(arities, |at, value| *marks.get(at, value), &self.bounds)?;
        Ok(Counter(row))
    }
}

impl Reader for Counter {
    type State = u32;

    fn start(&self) -> Outcome<u32> {
        narrow(self.0.start())
    }

    #[inline]
    fn read(&self, &count: &u32, position: usize, value: usize) -> Outcome<u32> {
        narrow(self.0.read(&i64::from(count), position, value))
    }

    fn merge(&self, &one: &u32, &other: &u32) -> Option<u32> {
        self.0.merge(&one.into(), &other.into()).map(|count| count as u32)
    }

    fn describe(&self, count: &u32) -> String {
        format!("{count} so far")
    }
}

/// Narrows a count to 32 bits: there are never more variables than that.
#[inline]
fn narrow(outcome: Outcome<i64>) -> Outcome<u32> {
    match outcome {
        Outcome::Open(count) => Outcome::Open(count as u32),
        Outcome::Met => Outcome::Met,
        Outcome::Broken => Outcome::Broken,
    }
}

/// Bounds of the number of occurrences of values; the kind of [`occurrences`].
#[derive(Clone, Debug)]
pub struct Occurrences(Vec<BoundedValue>);

/// A value, and the bounds of the number of its occurrences.
type BoundedValue = (usize, RangeInclusive<usize>);

/// Requires that the number of occurrences of each listed value is in its range. Other values are not
/// bounded. Also known as the global cardinality constraint. A value that no variable has is an error,
/// and so is an empty range.
///
/// If values may occur at most once, [`all_different`](super::all_different) with
/// [`except`](Constraint::except) needs fewer states.
///
/// States: at most the product of the numbers of occurrences.
///
/// ```
/// use topdd::constraint;
///
/// // Words of four letters over 0, 1 and 2 with one 0 and at most one 1.
/// let words = constraint::occurrences([3; 4], [(0, 1..=1), (1, 0..=1)]);
/// assert_eq!(topdd::count(&words)?, 16u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn occurrences(
    space: impl Into<Space>,
    bounds: impl IntoIterator<Item = (usize, impl RangeBounds<usize>)>,
) -> Constraint<Occurrences> {
    let bounds = bounds.into_iter().map(|(value, range)| (value, inclusive(&range)));
    Constraint::new(space, Occurrences(bounds.collect()))
}

impl ConstraintKind for Occurrences {
    type Reader = SumBounds;

    fn name(&self) -> &'static str {
        "occurrences"
    }

    fn reader(&self, arities: &[usize]) -> Result<SumBounds, String> {
        let row = |(counted, bounds): &BoundedValue| {
            check_value(arities, *counted)?;
            SumRow::counting(arities, |_, value| value == *counted, bounds)
                .map_err(|message| format!("value {counted}: {message}"))
        };
        let rows = SumBounds::new(self.0.iter().map(row).collect::<Result<_, String>>()?);
        Ok(rows.of_values(self.0.iter().map(|(value, _)| *value).collect()))
    }
}

/// Linear inequalities and equations; the kind of [`linear`].
#[derive(Clone, Debug, Default)]
pub struct Linear<'a>(Vec<Inequality<'a>>);

/// A sum that must be within bounds.
#[derive(Clone)]
struct Inequality<'a> {
    coefficient: Coefficient<'a>,
    bounds: RangeInclusive<i64>,
}

/// The term of the sum for a variable and its value.
type Coefficient<'a> = Arc<dyn Fn(usize, usize) -> i64 + Send + Sync + 'a>;

/// Requires linear inequalities and equations, several at once: each sums one coefficient per variable,
/// selected by the value of the variable. Without any, all assignments are solutions. The closures may borrow, and the
/// constraint then lives as long as what they borrow.
///
/// A state contains the sum of each row. A row is dropped from it once the values that follow make
/// no difference. A state is cut off once the values that follow cannot satisfy a row.
///
/// States: at most the product of the numbers of different sums. A row is most efficient where large
/// coefficients come first. The sum of all coefficients must fit into 63 bits.
///
/// ```
/// use topdd::{check, constraint};
///
/// // Items of weight 3, 4 and 5, up to twice each: weight at most 10, value at least 11.
/// let (weight, worth) = ([3, 4, 5], [4, 5, 7]);
/// let knapsack = constraint::linear([3; 3])
///     .at_most(|item, taken| weight[item] * taken as i64, 10)
///     .at_least(|item, taken| worth[item] * taken as i64, 11);
/// assert_eq!(topdd::zdd(&knapsack)?.iter().collect::<Vec<_>>(), [[0, 0, 2], [0, 1, 1], [1, 0, 1], [2, 1, 0]]);
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn linear<'a>(space: impl Into<Space>) -> Constraint<Linear<'a>> {
    Constraint::new(space, Linear::default())
}

impl<'a> Constraint<Linear<'a>> {
    fn row(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bounds: RangeInclusive<i64>,
    ) -> Self {
        let coefficient = Arc::new(coefficient);
        self.with(|linear| linear.0.push(Inequality { coefficient, bounds }))
    }

    /// Adds the inequality that the sum of `coefficient(variable, value)` is at most `bound`.
    pub fn at_most(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bound: i64,
    ) -> Self {
        self.row(coefficient, i64::MIN..=bound)
    }

    /// Adds the equation that the sum of `coefficient(variable, value)` is `bound`.
    ///
    /// ```
    /// use topdd::constraint::linear;
    ///
    /// // 2 x + 3 y = 12, with x and y of 0 to 6.
    /// let line = linear([7; 2]).equal(|variable, value| [2, 3][variable] * value as i64, 12);
    /// assert!(topdd::zdd(&line)?.iter().eq([[0, 4], [3, 2], [6, 0]]));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn equal(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bound: i64,
    ) -> Self {
        self.row(coefficient, bound..=bound)
    }

    /// Adds the inequality that the sum of `coefficient(variable, value)` is at least `bound`.
    pub fn at_least(
        self,
        coefficient: impl Fn(usize, usize) -> i64 + Send + Sync + 'a,
        bound: i64,
    ) -> Self {
        self.row(coefficient, bound..=i64::MAX)
    }
}

impl ConstraintKind for Linear<'_> {
    type Reader = SumBounds;

    fn name(&self) -> &'static str {
        "linear"
    }

    fn reader(&self, arities: &[usize]) -> Result<SumBounds, String> {
        let row =
            |row: &Inequality<'_>| SumRow::new(arities, &*row.coefficient, row.bounds.clone());
        Ok(SumBounds::new(self.0.iter().map(row).collect::<Result<_, _>>()?))
    }
}

impl fmt::Debug for Inequality<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.bounds)
    }
}

/// A remainder of the sum of the values; the kind of [`sum_modulo`].
#[derive(Clone, Debug)]
pub struct SumModulo {
    modulus: usize,
    remainder: usize,
    /// The pairs to count instead.
    pairs: Option<MarkedValues>,
}

/// Requires that the sum of the values, or the number of variables with a value of the pairs given by
/// [`of_pairs`](Constraint::of_pairs), is `remainder` modulo `modulus`, where `remainder < modulus`. Modulus 2 is
/// parity.
///
/// States: at most `modulus` per variable.
///
/// ```
/// assert_eq!(topdd::count(&topdd::constraint::sum_modulo([6, 6], 4, 3))?, 8u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn sum_modulo(
    space: impl Into<Space>,
    modulus: usize,
    remainder: usize,
) -> Constraint<SumModulo> {
    Constraint::new(space, SumModulo { modulus, remainder, pairs: None })
}

impl Constraint<SumModulo> {
    /// Counts the variables that have a value of the given pairs `(variable, value)`, instead of adding
    /// the values.
    ///
    /// ```
    /// use topdd::constraint::sum_modulo;
    ///
    /// // Words of four letters over 0, 1 and 2 in which the number of 2s is divisible by 3.
    /// let words = sum_modulo([3; 4], 3, 0).of_pairs((0..4).map(|variable| (variable, 2)));
    /// assert_eq!(topdd::count(&words)?, 24u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    pub fn of_pairs(self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.with(|sum| sum.pairs = Some(MarkedValues::from_pairs(pairs)))
    }
}

/// The reader of a sum modulo a number.
#[derive(Clone, Debug)]
pub struct Remainders {
    modulus: u64,
    wanted: u64,
    /// The values that count 1 each, the others 0; all count by their size where there is no table.
    counted: Option<PerValue<bool>>,
}

impl ConstraintKind for SumModulo {
    type Reader = Remainders;

    fn name(&self) -> &'static str {
        "sum_modulo"
    }

    fn reader(&self, arities: &[usize]) -> Result<Remainders, String> {
        let SumModulo { modulus, remainder, .. } = *self;
        if remainder >= modulus {
            return Err(format!("no sum is {remainder} modulo {modulus}"));
        }
        let counted = self.pairs.as_ref().map(|pairs| pairs.table(arities)).transpose()?;
        Ok(Remainders { modulus: modulus as u64, wanted: remainder as u64, counted })
    }
}

impl Reader for Remainders {
    type State = u64;

    fn start(&self) -> Outcome<u64> {
        if self.modulus == 1 { Outcome::Met } else { Outcome::Open(0) }
    }

    #[inline]
    fn read(&self, &sum: &u64, position: usize, value: usize) -> Outcome<u64> {
        let value = match &self.counted {
            None => value,
            Some(counted) => usize::from(*counted.get(position, value)),
        };
        // In 128 bits, as moduli may be large.
        let sum = (u128::from(sum) + value as u128) % u128::from(self.modulus);
        Outcome::Open(sum as u64)
    }

    fn like(&self, position: usize) -> Option<usize> {
        match &self.counted {
            None => position.checked_sub(1),
            Some(counted) => counted.equal_before(position),
        }
    }

    fn accepts(&self, &sum: &u64) -> bool {
        sum == self.wanted
    }

    fn describe(&self, sum: &u64) -> String {
        format!("{sum} modulo {}", self.modulus)
    }
}
