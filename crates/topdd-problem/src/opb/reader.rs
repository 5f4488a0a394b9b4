//! Reads the text of a file in OPB format.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use topdd::Goal;

use super::{Objective, OpbError, OpbFile, Row};

/// The most variables that a comment may declare.
const MAX_DECLARED: usize = 1 << 20;

/// A word or a sign.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) line: usize,
    pub(super) text: &'t str,
}

pub(super) fn refused<T>(line: usize, reason: impl Into<String>) -> Result<T, OpbError> {
    Err(OpbError { line, reason: reason.into() })
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The words and signs of a line.
pub(super) fn tokens(content: &str) -> impl Iterator<Item = &str> {
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
pub(super) fn check_format(content: &str) -> Result<(), String> {
    let mut words = content.split_whitespace();
    let remedy = match (words.next(), words.next()) {
        (Some("p"), Some("cnf")) => {
            "this is DIMACS CNF, and not OPB; count its models with `topdd cnf`, or read it with `td.cnf` in Python"
        }
        (Some("p"), Some("wcnf")) => "this is WCNF of MaxSAT, and not OPB",
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
pub(super) struct OpbReader {
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
    pub(super) fn read_header(&mut self, line: usize, content: &str) {
        let words: Vec<&str> = content.split_whitespace().collect();
        for (name, declared) in ["#variable=", "#constraint="].iter().zip(&mut self.declared) {
            let at = words.iter().position(|word| word == name);
            let number = at.and_then(|at| words.get(at + 1)?.parse().ok());
            *declared = declared.or(number.map(|number| (line, number)));
        }
    }

    pub(super) fn read(&mut self, statement: &[Token<'_>], end: usize) -> Result<(), OpbError> {
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
    pub(super) fn finish(mut self, last: usize) -> Result<OpbFile, OpbError> {
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
