//! Files of pseudo-Boolean constraints, in the format OPB of the pseudo-Boolean competitions.
//!
//! Coefficients have any size. A constraint is a [`linear`](constraint::linear) constraint, divided by the greatest common
//! divisor of its coefficients. If their sum still exceeds 62 bits, a state has the rest of the bound as a long number.

mod reader;

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_integer::gcd;
use num_traits::{One, Signed, ToPrimitive, Zero};
use topdd::{BoxedSpec, Goal, Space, SpecExt, constraint};
use topdd_apply::clause_order;

use crate::error::digest;
use crate::rules::{Rules, places};

use reader::{OpbReader, Token, check_format, refused, tokens};

/// Linear constraints over Boolean variables, and an objective: the content of a file in OPB format.
///
/// | text | meaning |
/// | --- | --- |
/// | `* #variable= 3 #constraint= 2` | the numbers of variables `x1`, `x2`, .. and of constraints, if the file has them |
/// | `* text` | a comment |
/// | `min: +2 x1 -3 ~x2 ;` | the objective, `min:` or `max:` |
/// | `+2 x1 -3 ~x2 >= 1 ;` | a constraint, by `>=`, `<=` or `=`; `~x2` is 1 minus `x2` |
///
/// Names begin with a letter or `_`. A missing coefficient is 1. A constraint may extend over several lines.
///
/// ```
/// use topdd_problem::{OpbFile, Problem, Unlimited};
///
/// let file = OpbFile::parse("max: +2 x1 +1 x2;\n+1 x1 +1 x2 +1 x3 = 1;\n+1 x1 +1 ~x3 >= 1;\n")?;
/// assert_eq!(file.names(), ["x1", "x2", "x3"]);
/// assert_eq!(Problem::Rules(file.rules()).count(&Unlimited)?, 2u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpbFile {
    names: Vec<String>,
    num_constraints: usize,
    rows: Vec<Row>,
    objective: Option<Objective>,
}

/// A sum that should be small or large. Its coefficients have at most 62 bits together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Whether the sum should be small or large.
    pub goal: Goal,
    /// The weights of false and of true for each variable.
    pub weights: Vec<[i64; 2]>,
}

/// The error for a text that is not OPB, or that has parts of the format that are not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("OPB, line {line}: {reason}")]
pub struct OpbError {
    /// The line, from 1.
    pub line: usize,
    /// The reason, with a remedy.
    pub reason: String,
}

/// A sum of variables with bounds.
#[derive(Clone, Debug)]
struct Row {
    /// Variables, ascending, with coefficients other than 0.
    terms: Vec<(usize, BigInt)>,
    least: Option<BigInt>,
    most: Option<BigInt>,
}

impl OpbFile {
    /// Parses a text in OPB format.
    ///
    /// # Errors
    ///
    /// An [`OpbError`] with the line. Nonlinear terms and soft constraints are refused, and so are characters that could not be
    /// decoded, except in comments.
    pub fn parse(text: &str) -> Result<Self, OpbError> {
        let mut reader = OpbReader::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut statement, mut last) = (Vec::new(), 1);
        for (line, content) in (1..).zip(text.lines()) {
            if content.trim_start().starts_with('*') {
                reader.read_header(line, content);
                continue;
            }
            if content.contains(char::REPLACEMENT_CHARACTER) {
                return refused(line, "this is no text in UTF-8; save the file in this encoding");
            }
            if statement.is_empty() {
                check_format(content).map_err(|reason| OpbError { line, reason })?;
            }
            for text in tokens(content) {
                last = line;
                if text == ";" {
                    reader.read(&std::mem::take(&mut statement), line)?;
                } else {
                    statement.push(Token { line, text });
                }
            }
        }
        if !statement.is_empty() {
            return refused(last, "the last constraint has no \";\" at its end; add it");
        }
        reader.finish(last)
    }

    /// Returns the names of the variables: `x1`, `x2`, .. by number, others in the order in which they occur.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Renumbers the variables: variable `i` becomes variable `places[i]` of those with these names.
    ///
    /// ```
    /// use topdd_problem::OpbFile;
    ///
    /// let file = OpbFile::parse("min: +1 b +2 a; +1 b >= 1;")?;
    /// let moved = file.renumbered(&[2, 0], ["a", "x", "b"].map(str::to_owned).to_vec());
    /// assert_eq!(moved.objective().unwrap().weights, [[0, 2], [0, 0], [0, 1]]);
    /// # Ok::<(), topdd_problem::OpbError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If a variable has no place among the names.
    pub fn renumbered(mut self, places: &[usize], names: Vec<String>) -> Self {
        for row in &mut self.rows {
            row.terms.iter_mut().for_each(|(variable, _)| *variable = places[*variable]);
            row.terms.sort_unstable();
        }
        if let Some(Objective { weights, .. }) = &mut self.objective {
            let mut moved = vec![[0; 2]; names.len()];
            weights.iter().zip(places).for_each(|(own, &place)| moved[place] = *own);
            *weights = moved;
        }
        self.names = names;
        self
    }

    /// Returns the number of constraints.
    pub fn num_constraints(&self) -> usize {
        self.num_constraints
    }

    /// Returns the objective, if there is one.
    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }

    /// Returns the constraints as one rule over the variables, which is best in the [order](clause_order) that places the
    /// variables of a constraint near each other. Finding the order takes time in proportion to the size of the file.
    ///
    /// # Panics
    ///
    /// Does not panic: all variables of the constraints have names.
    pub fn rules(&self) -> Rules {
        let space = Space::uniform(self.names.len(), 2);
        let rules = Rules::all(&space);
        if self.rows.is_empty() {
            return rules;
        }
        let order = self.best_order();
        let rows: Arc<[Row]> = self.rows.clone().into();
        rules.with_any_order(order, Some(digest(&rows)), move |order, _| {
            let places = places(order);
            Ok(topdd::all(rows.iter().map(|row| row.spec(&places, &space))).boxed())
        })
    }
}

impl OpbFile {
    /// An order that places the variables of a constraint near each other, and of two equally good orders the one that begins
    /// with variables of large coefficients. Variables without a constraint come last.
    fn best_order(&self) -> Vec<usize> {
        let mut shares = vec![0u64; self.names.len()];
        for row in &self.rows {
            let total: BigInt = row.terms.iter().map(|(_, c)| c.abs()).sum();
            for (variable, c) in &row.terms {
                let share: BigInt = (c.abs() << 32) / &total;
                let share = share.to_u64().unwrap_or(u64::MAX).max(1);
                shares[*variable] = shares[*variable].max(share);
            }
        }
        let (given, unused): (Vec<usize>, Vec<usize>) =
            (0..self.names.len()).partition(|&variable| shares[variable] > 0);
        let mut by_share = given.clone();
        by_share.sort_by_key(|&variable| std::cmp::Reverse(shares[variable]));
        let places_of = |order: &[usize]| {
            let mut places = vec![0; self.names.len()];
            order.iter().enumerate().for_each(|(place, &variable)| places[variable] = place);
            places
        };
        let span = |order: &Vec<usize>| {
            let places = places_of(order);
            let span = |row: &Row| {
                let own = row.terms.iter().map(|(variable, _)| places[*variable]);
                own.clone().max().unwrap_or(0) - own.min().unwrap_or(0)
            };
            self.rows.iter().map(span).sum::<usize>()
        };
        let orders = [by_share, given].map(|first| {
            let places = places_of(&first);
            let together = self.rows.iter().filter(|row| row.terms.len() > 1);
            let together = together.map(|row| row.terms.iter().map(|(v, _)| (places[*v], true)));
            let order = clause_order(first.len(), together).expect("each variable has a place");
            order.into_iter().map(|place| first[place]).collect::<Vec<_>>()
        });
        let best = orders.into_iter().min_by_key(span).unwrap_or_default();
        [best, unused].concat()
    }
}

impl Row {
    /// The row as a spec; the variables have these places.
    fn spec(&self, places: &[usize], space: &Space) -> BoxedSpec<'static> {
        let divisor = self.terms.iter().fold(BigInt::ZERO, |sum, (_, c)| gcd(sum, c.abs()));
        let divisor = if divisor.is_zero() { BigInt::one() } else { divisor };
        let mut terms: Vec<(usize, BigInt)> =
            self.terms.iter().map(|(variable, c)| (places[*variable], c / &divisor)).collect();
        terms.sort_unstable();
        let total: BigInt = terms.iter().map(|(_, c)| c.abs()).sum();
        let lowest: BigInt = terms.iter().map(|(_, c)| c.min(&BigInt::ZERO)).sum();
        let highest: BigInt = &lowest + &total;
        // Rounded inwards. A bound beyond all sums is as good as the first such sum.
        let least = self.least.as_ref().map_or_else(|| lowest.clone(), |b| ceiling(b, &divisor));
        let most = self.most.as_ref().map_or_else(|| highest.clone(), |b| -ceiling(&-b, &divisor));
        let (least, most) = (least.max(lowest.clone()), most.min(highest.clone()));
        if least > most {
            return constraint::clauses(space, [[]]).boxed();
        }
        let scope: Vec<usize> = terms.iter().map(|&(place, _)| place).collect();
        if total.to_i64().is_none_or(|total| total > i64::MAX / 2) {
            return wide(&terms, &least, &most, space);
        }
        let whole = |number: &BigInt| number.to_i64().expect("it is at most the sum of all");
        let coefficients: Vec<i64> = terms.iter().map(|(_, c)| whole(c)).collect();
        let (least, most) = (whole(&least), whole(&most));
        let shared: Arc<[i64]> = coefficients.into();
        let term = |shared: Arc<[i64]>| {
            move |at: usize, value: usize| if value == 1 { shared[at] } else { 0 }
        };
        let linear = constraint::linear(space);
        let linear = if least == most {
            linear.equal(term(shared), least)
        } else {
            linear.at_least(term(shared.clone()), least).at_most(term(shared), most)
        };
        linear.on(scope).boxed()
    }
}

/// A row whose sum is too large for `linear`. A state has the rest up to the greatest sum, and how much of it may be left.
fn wide(
    terms: &[(usize, BigInt)],
    least: &BigInt,
    most: &BigInt,
    space: &Space,
) -> BoxedSpec<'static> {
    let scope: Vec<usize> = terms.iter().map(|&(place, _)| place).collect();
    // A negative coefficient counts for the value 0.
    let negative: BigInt = terms.iter().map(|(_, c)| (-c).max(BigInt::ZERO)).sum();
    let bound = |bound: &BigInt| (bound + &negative).to_biguint().unwrap_or_default();
    let (least, most) = (bound(least), bound(most));
    let weights: Vec<(BigUint, usize)> =
        terms.iter().map(|(_, c)| (c.magnitude().clone(), usize::from(c.is_positive()))).collect();
    let mut rest = vec![BigUint::ZERO; weights.len() + 1];
    for at in (0..weights.len()).rev() {
        rest[at] = &rest[at + 1] + &weights[at].0;
    }
    let room = rest[0] <= most;
    let spec = topdd::dp(weights.len(), Vec::<u32>::new())
        .step(move |sum, at, value| {
            let (weight, counted) = &weights[at];
            let mut sum = BigUint::new(sum.clone());
            if value == *counted {
                sum += weight;
            }
            if sum > most || &sum + &rest[at + 1] < least {
                return None;
            }
            // Sums that reach a bound which nothing else limits are alike.
            if room {
                sum = sum.min(least.clone());
            }
            Some(sum.to_u32_digits())
        })
        .accept(|_| true);
    constraint::on(spec, scope, space).boxed()
}

/// The least whole number that is not below a quotient by a positive number.
fn ceiling(number: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = number / divisor;
    if number.is_positive() && !(number % divisor).is_zero() { quotient + 1 } else { quotient }
}

#[cfg(test)]
mod tests;
