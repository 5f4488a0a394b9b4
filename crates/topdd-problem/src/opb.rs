//! Files of pseudo-Boolean constraints, in the format OPB of the pseudo-Boolean competitions.
//!
//! Coefficients have any size. A constraint is a [`linear`](constraint::linear) constraint, divided by the greatest common
//! divisor of its coefficients. If their sum still exceeds 62 bits, a state has the rest of the bound as a long number.

use std::collections::HashMap;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};
use topdd::{BoxedSpec, Goal, SpecExt, constraint};
use topdd_apply::clause_order;

use crate::error::digest;
use crate::rules::{Rules, places};

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

/// What a solution should have least or most of.
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
    /// An [`OpbError`] with the line. Nonlinear terms and soft constraints are refused.
    pub fn parse(text: &str) -> Result<Self, OpbError> {
        let mut reader = OpbReader::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut statement, mut last) = (Vec::new(), 1);
        for (line, content) in (1..).zip(text.lines()) {
            if content.trim_start().starts_with('*') {
                reader.read_header(line, content);
                continue;
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

    /// Returns the number of constraints.
    pub fn num_constraints(&self) -> usize {
        self.num_constraints
    }

    /// Returns the objective, if there is one.
    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }

    /// Returns the constraints as one rule over the variables, which is best in the [order](clause_order) that places the
    /// variables of a constraint near each other. Finding the order takes some tenths of a second at most.
    ///
    /// # Panics
    ///
    /// Does not panic: all variables of the constraints have names.
    pub fn rules(&self) -> Rules {
        let variables = self.names.len();
        let rules = Rules::all(vec![2; variables]);
        if self.rows.is_empty() {
            return rules;
        }
        let order = self.best_order();
        let rows: Arc<[Row]> = self.rows.clone().into();
        rules.with_any_order(order, Some(digest(&rows)), move |order, _| {
            let places = places(order);
            Ok(topdd::all(rows.iter().map(|row| row.spec(&places))).boxed())
        })
    }
}

impl OpbFile {
    /// An order that places the variables of a constraint near each other, and those with large coefficients first if that
    /// places them as near.
    fn best_order(&self) -> Vec<usize> {
        let mut shares = vec![0u64; self.names.len()];
        for row in &self.rows {
            let total: BigInt = row.terms.iter().map(|(_, c)| c.abs()).sum();
            for (variable, c) in &row.terms {
                let share: BigInt = (c.abs() << 32) / &total;
                shares[*variable] = shares[*variable].max(share.to_u64().unwrap_or(u64::MAX));
            }
        }
        let given: Vec<usize> = (0..self.names.len()).collect();
        let mut by_share = given.clone();
        by_share.sort_by_key(|&variable| std::cmp::Reverse(shares[variable]));
        let span = |order: &Vec<usize>| {
            let places = places(order);
            let span = |row: &Row| {
                let own = row.terms.iter().map(|(variable, _)| places[*variable]);
                own.clone().max().unwrap_or(0) - own.min().unwrap_or(0)
            };
            self.rows.iter().map(span).sum::<usize>()
        };
        let orders = [by_share, given].map(|first| {
            let places = places(&first);
            let together = self.rows.iter().filter(|row| row.terms.len() > 1);
            let together = together.map(|row| row.terms.iter().map(|(v, _)| (places[*v], true)));
            let order = clause_order(first.len(), together).expect("each variable has a name");
            order.into_iter().map(|place| first[place]).collect::<Vec<_>>()
        });
        orders.into_iter().min_by_key(span).unwrap_or_default()
    }
}

impl Row {
    /// The row as a spec; the variables have these places.
    fn spec(&self, places: &[usize]) -> BoxedSpec<'static> {
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
        let n = places.len();
        if least > most {
            return constraint::clauses(vec![2; n], [[]]).boxed();
        }
        let scope: Vec<usize> = terms.iter().map(|&(place, _)| place).collect();
        if total.to_i64().is_none_or(|total| total > i64::MAX / 2) {
            return wide(&terms, &least, &most, n);
        }
        let whole = |number: &BigInt| number.to_i64().expect("it is at most the sum of all");
        let coefficients: Vec<i64> = terms.iter().map(|(_, c)| whole(c)).collect();
        let (least, most) = (whole(&least), whole(&most));
        let shared: Arc<[i64]> = coefficients.into();
        let term = |shared: Arc<[i64]>| {
            move |at: usize, value: usize| if value == 1 { shared[at] } else { 0 }
        };
        let linear = constraint::linear(vec![2; n]);
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
    variables: usize,
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
    constraint::on(spec, scope, vec![2; variables]).boxed()
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// The least whole number that is not below a quotient by a positive number.
fn ceiling(number: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = number / divisor;
    if number.is_positive() && !(number % divisor).is_zero() { quotient + 1 } else { quotient }
}

/// The most variables that a comment may declare.
const MAX_DECLARED: usize = 1 << 24;

/// A word or a sign.
#[derive(Clone, Copy)]
struct Token<'t> {
    line: usize,
    text: &'t str,
}

fn refused<T>(line: usize, reason: impl Into<String>) -> Result<T, OpbError> {
    Err(OpbError { line, reason: reason.into() })
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The words and signs of a line.
fn tokens(content: &str) -> impl Iterator<Item = &str> {
    let mut rest = content.trim_start();
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_part: fn(char) -> bool = match first {
            _ if begins_name(first) => |c| !(c.is_whitespace() || ";:<>=!+-~*,\"".contains(c)),
            '0'..='9' => |c| c.is_alphanumeric() || "._".contains(c),
            '<' | '>' | '=' | '!' => |c| "<>=!".contains(c),
            _ => |_| false,
        };
        let end = rest.char_indices().skip(1).find(|&(_, c)| !is_part(c));
        let (token, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after.trim_start();
        Some(token)
    })
}

/// Fails if a statement begins as in another format.
fn check_format(content: &str) -> Result<(), String> {
    let mut words = content.split_whitespace();
    let remedy = match (words.next(), words.next()) {
        (Some("p"), Some("cnf")) => {
            "this is DIMACS CNF, and not OPB; count its models with `topdd cnf`, or read it with `td.cnf` in Python"
        }
        (Some("p"), Some("wcnf")) | (Some("h"), _) => "this is WCNF of MaxSAT, and not OPB",
        (Some(first), _) if first.starts_with('<') && !first.starts_with("<=") => {
            "this is XML, and not OPB; export the constraints as OPB"
        }
        _ => return Ok(()),
    };
    Err(remedy.to_owned())
}

/// A sum as it is read: the coefficients of false and of true for each variable.
type Sum = Vec<(usize, [BigInt; 2])>;

/// A text that is read to some line.
#[derive(Default)]
struct OpbReader {
    names: Vec<String>,
    index: HashMap<String, usize>,
    rows: Vec<Row>,
    /// The objective with its line.
    objective: Option<(usize, Goal, Sum)>,
    /// The numbers that a comment declares, with its line.
    declared: [Option<(usize, usize)>; 2],
}

impl OpbReader {
    /// Reads `* #variable= 3 #constraint= 2`; other comments have no meaning.
    fn read_header(&mut self, line: usize, content: &str) {
        let words: Vec<&str> = content.split_whitespace().collect();
        for (name, declared) in ["#variable=", "#constraint="].iter().zip(&mut self.declared) {
            let at = words.iter().position(|word| word == name);
            let number = at.and_then(|at| words.get(at + 1)?.parse().ok());
            *declared = declared.or(number.map(|number| (line, number)));
        }
    }

    fn read(&mut self, statement: &[Token<'_>], end: usize) -> Result<(), OpbError> {
        let goal = match statement {
            [] => return refused(end, "a \";\" without a constraint; remove it"),
            [Token { text: "min", .. }, Token { text: ":", .. }, ..] => Goal::Minimum,
            [Token { text: "max", .. }, Token { text: ":", .. }, ..] => Goal::Maximum,
            [Token { text: "soft" | "[", line }, ..] => {
                return refused(
                    *line,
                    "soft constraints (WBO) are not supported; keep the hard ones, and give the others a variable with a \
                     weight in the objective",
                );
            }
            _ => return self.read_constraint(statement, end),
        };
        let line = statement[0].line;
        if let Some((first, ..)) = self.objective {
            return refused(
                line,
                format!("a second objective, after that of line {first}; remove one"),
            );
        }
        let sum = self.read_sum(&statement[2..])?;
        self.objective = Some((line, goal, sum));
        Ok(())
    }

    fn read_constraint(&mut self, statement: &[Token<'_>], end: usize) -> Result<(), OpbError> {
        let is_comparison = |token: &Token<'_>| token.text.starts_with(['<', '>', '=', '!']);
        let Some(at) = statement.iter().position(is_comparison) else {
            return refused(
                statement[0].line,
                "no \">=\", \"<=\" or \"=\" before the \";\"; complete the constraint",
            );
        };
        let Token { line, text: sense } = statement[at];
        if !matches!(sense, ">=" | "<=" | "=") {
            return refused(
                line,
                format!("\"{sense}\" is not supported; write \">=\", \"<=\" or \"=\""),
            );
        }
        let bound: BigInt = match &statement[at + 1..] {
            [number] | [Token { text: "+", .. }, number] => parse_number(*number)?,
            [Token { text: "-", .. }, number] => -parse_number(*number)?,
            [] => return refused(end, format!("no number after \"{sense}\"; add it")),
            right => {
                let line = right[0].line;
                return refused(
                    line,
                    format!(
                        "more than one number after \"{sense}\"; move all terms to its left, or add \";\""
                    ),
                );
            }
        };
        let sum = self.read_sum(&statement[..at])?;
        let constant: BigInt = sum.iter().map(|(_, [no, _])| no).sum();
        let bound = bound - constant;
        let terms = sum.into_iter().map(|(variable, [no, yes])| (variable, yes - no));
        self.rows.push(Row {
            terms: terms.filter(|(_, c)| !c.is_zero()).collect(),
            least: (sense != "<=").then(|| bound.clone()),
            most: (sense != ">=").then_some(bound),
        });
        Ok(())
    }

    /// Reads terms such as `+2 x1 -3 ~x2`.
    fn read_sum(&mut self, tokens: &[Token<'_>]) -> Result<Sum, OpbError> {
        let mut sum: HashMap<usize, [BigInt; 2]> = HashMap::new();
        let (mut rest, mut is_first) = (tokens, true);
        while let Some(&Token { line, .. }) = rest.first() {
            let mut next = |wanted: fn(&str) -> bool| {
                let (first, after) = rest.split_first().filter(|(first, _)| wanted(first.text))?;
                rest = after;
                Some(*first)
            };
            let sign = next(|text| matches!(text, "+" | "-"));
            let number = next(|text| text.starts_with(|c: char| c.is_ascii_digit()));
            let tilde = next(|text| text == "~");
            let name = next(|text| text.starts_with(begins_name));
            let Some(name) = name else {
                return refused(
                    line,
                    match (number, rest.first()) {
                        (_, Some(Token { text: "*", .. })) => {
                            "a \"*\" between a number and a variable; write a blank in its place"
                                .to_owned()
                        }
                        (_, Some(other))
                            if other.text.starts_with(|c: char| {
                                !"+-".contains(c) && !c.is_ascii_digit()
                            }) =>
                        {
                            format!("\"{}\" in place of a term such as +2 x1 or -3 ~x2", other.text)
                        }
                        (Some(number), _) => format!(
                            "the number {} without a variable; move it to the right of the comparison",
                            number.text
                        ),
                        (None, _) => {
                            "a term without a variable; write a term such as +2 x1".to_owned()
                        }
                    },
                );
            };
            if sign.is_none() && number.is_none() && !is_first {
                return refused(
                    line,
                    format!(
                        "the product with {} is nonlinear, which is not supported; replace a product x y by a new \
                         variable z with +1 x +1 y -2 z >= 0 and +1 z -1 x -1 y >= -1",
                        name.text
                    ),
                );
            }
            let size = number.map_or_else(|| Ok(BigInt::one()), parse_number)?;
            let signed = if sign.is_some_and(|sign| sign.text == "-") { -size } else { size };
            let variable = self.variable(name.text);
            sum.entry(variable).or_default()[usize::from(tilde.is_none())] += signed;
            is_first = false;
        }
        let mut sum: Sum = sum.into_iter().collect();
        sum.sort_unstable_by_key(|&(variable, _)| variable);
        Ok(sum)
    }

    fn variable(&mut self, name: &str) -> usize {
        if let Some(&variable) = self.index.get(name) {
            return variable;
        }
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// Checks the declared numbers, and puts the variables in order.
    fn finish(mut self, last: usize) -> Result<OpbFile, OpbError> {
        if self.rows.is_empty() && self.objective.is_none() && self.declared == [None; 2] {
            return refused(last, "no constraint; write one such as +1 x1 +1 x2 >= 1;");
        }
        let num_constraints = self.rows.len();
        if let Some((line, declared)) = self.declared[1].filter(|&(_, n)| n != num_constraints) {
            return refused(
                line,
                format!(
                    "{num_constraints} constraints follow, but #constraint= declares {declared}; correct it, or complete the file"
                ),
            );
        }
        let places = self.order_names()?;
        let moved = |variable: &mut usize| *variable = places[*variable];
        for row in &mut self.rows {
            row.terms.iter_mut().for_each(|(variable, _)| moved(variable));
            row.terms.sort_unstable();
        }
        let variables = self.names.len();
        let objective = self.objective.map(|(line, goal, mut sum)| {
            for (variable, _) in &mut sum {
                moved(variable);
            }
            Ok(Objective { goal, weights: objective_weights(line, sum, variables)? })
        });
        Ok(OpbFile {
            objective: objective.transpose()?,
            names: self.names,
            num_constraints,
            rows: self.rows,
        })
    }

    /// Sorts the names if they are `x1`, `x2`, .., and adds those up to the declared number. Returns the new place of each
    /// variable.
    fn order_names(&mut self) -> Result<Vec<usize>, OpbError> {
        let found = self.names.len();
        let number = |name: &String| {
            let digits = name.strip_prefix('x').filter(|digits| !digits.starts_with('0'))?;
            digits.parse::<usize>().ok()
        };
        let numbers: Option<Vec<usize>> = self.names.iter().map(number).collect();
        let Some(numbers) = numbers else {
            return match self.declared[0] {
                Some((line, declared)) if declared != found => refused(
                    line,
                    format!(
                        "{found} variables follow, but #variable= declares {declared}; correct it, or complete the file"
                    ),
                ),
                _ => Ok((0..found).collect()),
            };
        };
        let most = numbers.iter().copied().max().unwrap_or(0);
        let all: Vec<usize> = match self.declared[0] {
            Some((line, declared)) if declared > MAX_DECLARED => {
                return refused(line, format!("{declared} variables are too many; reduce them"));
            }
            Some((_, declared)) if most <= declared => (1..=declared).collect(),
            Some((line, declared)) if found != declared => {
                return refused(
                    line,
                    format!(
                        "#variable= declares {declared} variables, but there is x{most}; correct it"
                    ),
                );
            }
            _ => {
                let mut sorted = numbers.clone();
                sorted.sort_unstable();
                sorted
            }
        };
        self.names = all.iter().map(|number| format!("x{number}")).collect();
        Ok(numbers.iter().map(|number| all.binary_search(number).unwrap_or_default()).collect())
    }
}

fn objective_weights(line: usize, sum: Sum, variables: usize) -> Result<Vec<[i64; 2]>, OpbError> {
    let total: BigInt = sum.iter().flat_map(|(_, weights)| weights).map(BigInt::abs).sum();
    if total.to_i64().is_none_or(|total| total > i64::MAX / 2) {
        return refused(
            line,
            "the coefficients of the objective exceed 62 bits in sum; divide them by a common factor",
        );
    }
    let mut weights = vec![[0; 2]; variables];
    for (variable, own) in sum {
        weights[variable] = own.map(|weight| weight.to_i64().unwrap_or_default());
    }
    Ok(weights)
}

fn parse_number(token: Token<'_>) -> Result<BigInt, OpbError> {
    let is_number = token.text.bytes().all(|byte| byte.is_ascii_digit());
    token.text.parse().ok().filter(|_| is_number).ok_or_else(|| OpbError {
        line: token.line,
        reason: format!(
            "\"{}\" is not a whole number; multiply the constraint until it has no fractions",
            token.text
        ),
    })
}

#[cfg(test)]
mod tests;
