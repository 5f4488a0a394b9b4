//! Sums within bounds, for counting and linear constraints.

use super::kind::{Outcome, Reader, check_bounds};
use crate::spec::PerValue;
use smallvec::SmallVec;
use std::ops::RangeInclusive;

/// A sum of one term per variable, selected by its value, and bounds of the sum.
#[derive(Clone, Debug)]
pub(super) struct Row {
    terms: PerValue<i64>,
    /// The least and the greatest sum of the terms from each position on.
    rest: Vec<(i64, i64)>,
    /// The bounds; the least or greatest number where there is none.
    least: i64,
    most: i64,
}

impl Row {
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
        Ok(Row { terms, rest, least: *bounds.start(), most: *bounds.end() })
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

impl Reader for Row {
    type State = i64;

    fn start(&self) -> Outcome<i64> {
        self.outcome(0, 0)
    }

    #[inline]
    fn read(&self, &sum: &i64, position: usize, value: usize) -> Outcome<i64> {
        self.outcome(sum + self.terms.get(position, value), position + 1)
    }

    fn describe(&self, sum: &i64) -> String {
        format!("{sum} so far")
    }
}

/// Several sums at once.
#[derive(Clone, Debug)]
pub struct Sums {
    rows: Vec<Row>,
    /// The value that each row counts, if rows count values.
    values: Vec<usize>,
}

/// Marks a row that every continuation satisfies. No open sum has this value: open sums fit into 63
/// bits.
const SETTLED: i64 = i64::MIN;

impl Sums {
    pub(super) fn new(rows: Vec<Row>) -> Self {
        Sums { rows, values: Vec::new() }
    }

    /// Names the values that the rows count, for `describe`.
    pub(super) fn of_values(self, values: Vec<usize>) -> Self {
        Sums { values, ..self }
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

impl Reader for Sums {
    type State = SmallVec<[i64; 2]>;

    fn start(&self) -> Outcome<Self::State> {
        Self::join(self.rows.iter().map(Row::start))
    }

    #[inline]
    fn read(&self, sums: &Self::State, position: usize, value: usize) -> Outcome<Self::State> {
        Self::join(self.rows.iter().zip(sums).map(|(row, sum)| match *sum {
            SETTLED => Outcome::Met,
            _ => row.read(sum, position, value),
        }))
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
