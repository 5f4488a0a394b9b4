//! The DIMACS CNF format, with the lines that model counters read.

use super::clause_order::Clause;
use crate::error::Error;
use crate::store::MAX_LEVELS;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed};
use std::collections::{BTreeMap, HashSet};

/// A formula in conjunctive normal form, with the variables and weights of model counting: the content of a file in
/// DIMACS CNF format.
///
/// | line | meaning |
/// | --- | --- |
/// | `p cnf 5 3` | 5 variables, 3 clauses; before the clauses |
/// | `1 -2 0` | a clause, which may extend over several lines |
/// | `c p show 1 2 0` | variables to count over: models that differ in other variables only are one |
/// | `c ind 1 2 0` | the same, in older files; either line may be repeated |
/// | `c p weight -1 0.4 0` | the weight of a literal, a decimal number or a fraction |
/// | `w 1 0.4` | the same, in older files; `w 1 -1` sets both weights to 1 |
/// | `c t pwmc` | the kind of count: `mc` ignores the lines above, `pmc` the weights, `wmc` the variables, `pwmc` none |
/// | `c 2 Light System` | the [name](CnfFile::names) of variable 2 |
/// | `c` and other words | a comment |
/// | `%` | the end of the text, as in the files of SATLIB |
///
/// If only one literal of a variable has a weight, from 0 to 1, the weight of the other one is the rest to 1. Other
/// literals weigh 1. Repeated literals of a clause are merged, and clauses with a literal and its negation are left
/// out.
///
/// ```
/// use topdd_apply::CnfFile;
///
/// let cnf = CnfFile::parse("p cnf 3 2\nc p show 1 2 0\nc p weight 1 0.4 0\n1 2 0\n-2 3 0\n")?;
/// assert_eq!((cnf.num_vars(), cnf.num_clauses()), (3, 2));
/// assert_eq!(cnf.clauses()[1], [(1, false), (2, true)]);
/// assert_eq!(cnf.shown(), Some(&[0, 1][..]));
/// assert_eq!(cnf.weights().unwrap()[0].each_ref().map(ToString::to_string), ["3/5", "2/5"]);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CnfFile {
    num_vars: usize,
    num_clauses: usize,
    clauses: Vec<Clause>,
    shown: Option<Vec<usize>>,
    weights: Option<Vec<[Ratio<BigInt>; 2]>>,
    names: Option<Vec<String>>,
}

impl CnfFile {
    /// Parses a text in DIMACS CNF format.
    ///
    /// # Errors
    ///
    /// [`Error::Dimacs`] if the text is malformed, with the line; a text in another format of formulas is named.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_within(text, None)
    }

    /// Parses the text of a file with this name.
    ///
    /// ```
    /// let error = topdd_apply::CnfFile::parse_named("a.wcnf.gz", "10 1 0").unwrap_err();
    /// assert!(error.to_string().contains("this is WCNF"), "{error}");
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`parse`](CnfFile::parse), and [`Error::Dimacs`] if the ending is of another format of formulas.
    pub fn parse_named(name: &str, text: &str) -> Result<Self, Error> {
        match OtherFormat::by_ending(name) {
            Some(other) => Err(Error::Dimacs { line: 1, reason: other.reason() }),
            None => Self::parse(text),
        }
    }

    /// Parses a text. If `most` is given, more variables are an error.
    pub(super) fn parse_within(text: &str, most: Option<usize>) -> Result<Self, Error> {
        let mut reader = DimacsReader { most, ..DimacsReader::default() };
        // A byte order mark, with which some editors begin a text.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut last = 1;
        for (line, content) in (1..).zip(text.lines()) {
            last = line;
            let words: Vec<_> = content.split_whitespace().collect();
            if words.first() == Some(&"%") {
                break;
            }
            reader.read(line, content, &words).map_err(|reason| Error::Dimacs { line, reason })?;
        }
        reader.finish(last).map_err(|DimacsFault { line, reason }| Error::Dimacs { line, reason })
    }

    /// The number of variables.
    pub fn num_vars(&self) -> usize {
        self.num_vars
    }

    /// The number of clauses of the text, with those that are left out.
    pub fn num_clauses(&self) -> usize {
        self.num_clauses
    }

    /// The clauses, as variables from 0 and values.
    pub fn clauses(&self) -> &[Vec<(usize, bool)>] {
        &self.clauses
    }

    /// The clauses alone.
    pub(super) fn into_clauses(self) -> Vec<Vec<(usize, bool)>> {
        self.clauses
    }

    /// The variables to count over, ascending; `None` for all.
    pub fn shown(&self) -> Option<&[usize]> {
        self.shown.as_deref()
    }

    /// The weights of the values of each variable, of false and of true; `None` if there are no weights.
    pub fn weights(&self) -> Option<&[[Ratio<BigInt>; 2]]> {
        self.weights.as_deref()
    }

    /// The names of the variables, all different; a variable without one has its number. `None` if the comments name no
    /// variables.
    ///
    /// Tools for feature models and fault trees write names as comments `c 2 Light System`. They count as names
    /// only if they name at least two variables, each once, and more than half of the variables up to the last named one.
    /// Otherwise a comment such as `c 2 clauses` would be a name. Numbers alone, and a text that starts with `-`, are no names.
    ///
    /// ```
    /// let cnf = topdd_apply::CnfFile::parse("c 1 Root\nc 2 Light System\np cnf 3 1\n1 0\n")?;
    /// assert_eq!(cnf.names().unwrap(), ["Root", "Light System", "3"]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }
}

/// The line that starts with `p`.
#[derive(Clone, Copy)]
struct DimacsHeader {
    num_vars: usize,
    num_clauses: usize,
}

/// The kind of count that a text asks for.
#[derive(Clone, Copy)]
struct CountKind {
    is_projected: bool,
    is_weighted: bool,
}

/// A malformed line.
struct DimacsFault {
    line: usize,
    reason: String,
}

/// A weight with its line.
struct WeightLine {
    line: usize,
    weight: Ratio<BigInt>,
}

/// A text that is read to some line.
#[derive(Default)]
struct DimacsReader {
    most: Option<usize>,
    header: Option<DimacsHeader>,
    clauses: Vec<Clause>,
    /// The number of clauses, with those that are left out.
    found: usize,
    /// The clause whose end is not yet read.
    clause: Clause,
    kind: Option<CountKind>,
    /// The variables to count over, from 1, each with its last line.
    shown: Option<BTreeMap<i32, usize>>,
    /// The weights by literal.
    weights: BTreeMap<i32, WeightLine>,
    /// The comments that may name variables, from 1.
    names: Vec<(usize, String)>,
}

impl DimacsReader {
    fn read(&mut self, line: usize, content: &str, words: &[&str]) -> Result<(), String> {
        match *words {
            ["c", "t", kind] => self.kind = Some(parse_kind(kind)?),
            ["c", "p", "show", ref words @ ..] | ["c", "ind", ref words @ ..] => {
                self.read_shown(line, words)?;
            }
            ["w", literal, "-1"] | ["w", literal, "-1", "0"] => {
                let literal = parse_literal(literal)?;
                self.add_weight(line, literal, Ratio::one())?;
                self.add_weight(line, -literal, Ratio::one())?;
            }
            ["c", "p", "weight", literal, "0"] => {
                return Err(format!(
                    "the weight of literal {literal} is missing before the 0 at the end; write \
                     \"c p weight {literal} 0.4 0\""
                ));
            }
            ["c", "p", "weight", ref words @ ..] | ["w", ref words @ ..] => {
                self.read_weight(line, words)?;
            }
            ["c", ..] => self.names.extend(parse_name(content)),
            [word, ..] if word.starts_with('c') => {}
            ["p", ..] if self.header.is_some() => {
                return Err("a second line that starts with p; remove it".into());
            }
            ["p", ref words @ ..] => self.header = Some(parse_header(words, self.most)?),
            [_, ..] if self.header.is_none() => return Err(before_header(words)),
            _ => words.iter().try_for_each(|word| self.read_literal(word))?,
        }
        Ok(())
    }

    fn read_literal(&mut self, word: &str) -> Result<(), String> {
        let num_vars = self.header.map_or(0, |header| header.num_vars);
        let literal = if word == "0" { 0 } else { parse_literal(word)? };
        if literal != 0 {
            check_variable(literal, num_vars)?;
            self.clause.push((literal.unsigned_abs() as usize - 1, literal > 0));
            return Ok(());
        }
        self.found += 1;
        self.clause.sort_unstable();
        self.clause.dedup();
        let clause = std::mem::take(&mut self.clause);
        if clause.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            self.clauses.push(clause);
        }
        Ok(())
    }

    fn read_shown(&mut self, line: usize, words: &[&str]) -> Result<(), String> {
        let Some((&"0", variables)) = words.split_last() else {
            return Err("the list of variables to count over has no 0 at its end; add it".into());
        };
        let shown = self.shown.get_or_insert_default();
        for word in variables {
            let variable = word.parse().ok().filter(|&variable| variable > 0).ok_or_else(|| {
                format!("\"{word}\" is not a variable to count over; write a number from 1")
            })?;
            shown.insert(variable, line);
        }
        Ok(())
    }

    fn read_weight(&mut self, line: usize, words: &[&str]) -> Result<(), String> {
        let ([literal, weight] | [literal, weight, "0"]) = words else {
            return Err("not a literal, its weight and 0, such as \"c p weight -1 0.4 0\"".into());
        };
        self.add_weight(line, parse_literal(literal)?, parse_weight(weight)?)
    }

    fn add_weight(
        &mut self,
        line: usize,
        literal: i32,
        weight: Ratio<BigInt>,
    ) -> Result<(), String> {
        match self.weights.insert(literal, WeightLine { line, weight }) {
            Some(first) => Err(format!(
                "literal {literal} has a weight already, in line {}; remove one of them",
                first.line
            )),
            None => Ok(()),
        }
    }

    /// Checks what can be checked after the last line, and returns the formula.
    fn finish(self, last: usize) -> Result<CnfFile, DimacsFault> {
        let fault = |line, reason| Err(DimacsFault { line, reason });
        let Some(DimacsHeader { num_vars, num_clauses }) = self.header else {
            return fault(last, format!("no line \"{HEADER}\"; add it before the clauses"));
        };
        if !self.clause.is_empty() {
            return fault(last, "the last clause has no 0 at its end; add it".into());
        }
        if num_clauses != self.found {
            let found = self.found;
            return fault(
                last,
                format!(
                    "{found} clauses, but the line that starts with p declares {num_clauses}; correct it, or complete \
                     the file"
                ),
            );
        }
        let kind = self.kind.unwrap_or(CountKind {
            is_projected: self.shown.is_some(),
            is_weighted: !self.weights.is_empty(),
        });
        for (&variable, &line) in self.shown.iter().flatten() {
            check_variable(variable, num_vars).map_err(|reason| DimacsFault { line, reason })?;
        }
        let has_weights = kind.is_weighted || !self.weights.is_empty();
        let weights = has_weights.then(|| resolve_weights(&self.weights, num_vars)).transpose()?;
        let shown = self.shown.filter(|_| kind.is_projected);
        let names = resolve_names(self.names, num_vars);
        Ok(CnfFile {
            num_vars,
            num_clauses,
            clauses: self.clauses,
            shown: shown
                .map(|shown| shown.into_keys().map(|variable| variable as usize - 1).collect()),
            weights: weights.filter(|_| kind.is_weighted),
            names,
        })
    }
}

/// The weights of the values of each variable.
fn resolve_weights(
    given: &BTreeMap<i32, WeightLine>,
    num_vars: usize,
) -> Result<Vec<[Ratio<BigInt>; 2]>, DimacsFault> {
    let mut weights = vec![[Ratio::one(), Ratio::one()]; num_vars];
    for (&literal, WeightLine { line, weight }) in given {
        let fault = |reason| DimacsFault { line: *line, reason };
        check_variable(literal, num_vars).map_err(fault)?;
        let of_variable = &mut weights[literal.unsigned_abs() as usize - 1];
        of_variable[usize::from(literal > 0)] = weight.clone();
        if !given.contains_key(&-literal) {
            let rest = complement(weight).ok_or_else(|| {
                let other = -literal;
                fault(format!(
                    "the weight of literal {literal} is not from 0 to 1, and {other} has none; give \"c p weight {other} ..\""
                ))
            })?;
            of_variable[usize::from(literal < 0)] = rest;
        }
    }
    Ok(weights)
}

/// The variable, from 1, and its name in a comment such as `c 2 Light System`.
fn parse_name(comment: &str) -> Option<(usize, String)> {
    let rest = comment.trim_start().strip_prefix('c')?.trim_start();
    let (variable, name) = rest.split_once(char::is_whitespace)?;
    let name = name.trim();
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    let is_name = !name.starts_with('-') && !name.split_whitespace().all(is_number);
    Some((variable.parse().ok()?, name.to_owned())).filter(|&(variable, _)| variable > 0 && is_name)
}

/// The names of all variables, if the comments are a table of names.
fn resolve_names(given: Vec<(usize, String)>, num_vars: usize) -> Option<Vec<String>> {
    let count = given.len();
    let last = given.iter().map(|&(variable, _)| variable).max()?;
    let different: HashSet<&str> = given.iter().map(|(_, name)| &name[..]).collect();
    if last > num_vars || 2 * count <= last || count < num_vars.min(2) || different.len() < count {
        return None;
    }
    let mut names = vec![None; num_vars];
    for (variable, name) in given {
        if names[variable - 1].replace(name).is_some() {
            return None;
        }
    }
    let number = |(index, name): (usize, Option<String>)| name.unwrap_or((index + 1).to_string());
    Some(names.into_iter().enumerate().map(number).collect())
}

/// The reason why a line with these words cannot be read before the line that starts with `p`.
fn before_header(words: &[&str]) -> String {
    match OtherFormat::by_first_line(words) {
        Some(other) => other.reason(),
        None => format!("a clause before the line \"{HEADER}\"; move that line up"),
    }
}

/// The form of the line that starts with `p`.
const HEADER: &str = "p cnf <variables> <clauses>";

/// Parses the words after `p`. Returns the reason if they are malformed, or if there are more variables
/// than `most`.
fn parse_header(words: &[&str], most: Option<usize>) -> Result<DimacsHeader, String> {
    let ["cnf", num_vars, num_clauses] = words else {
        let other = OtherFormat::by_first_line(&[&["p"], words].concat());
        return Err(match other {
            Some(other) => other.reason(),
            None => format!("not \"{HEADER}\"; correct the line"),
        });
    };
    let (Ok(num_vars), Ok(num_clauses)) = (num_vars.parse(), num_clauses.parse()) else {
        return Err("the words after \"p cnf\" are not two whole numbers; correct them".into());
    };
    if num_vars > MAX_LEVELS {
        return Err(format!("{num_vars} variables are too many; reduce them to {MAX_LEVELS}"));
    }
    match most.filter(|&most| num_vars > most) {
        Some(most) => {
            Err(format!("{num_vars} variables, but the manager has {most}; make it larger"))
        }
        None => Ok(DimacsHeader { num_vars, num_clauses }),
    }
}

fn parse_kind(word: &str) -> Result<CountKind, String> {
    let (is_projected, is_weighted) = match word {
        "mc" => (false, false),
        "wmc" => (false, true),
        "pmc" => (true, false),
        "pwmc" | "wpmc" => (true, true),
        _ => {
            return Err(format!("\"{word}\" is not a kind of count; write mc, wmc, pmc or pwmc"));
        }
    };
    Ok(CountKind { is_projected, is_weighted })
}

fn parse_literal(word: &str) -> Result<i32, String> {
    word.parse().ok().filter(|&literal| literal != 0 && literal != i32::MIN).ok_or_else(|| {
        format!(
            "\"{word}\" is not a literal; write the number of a variable, from 1, or its negative"
        )
    })
}

/// Fails if the literal is of no variable.
fn check_variable(literal: i32, num_vars: usize) -> Result<(), String> {
    if literal.unsigned_abs() as usize <= num_vars {
        return Ok(());
    }
    Err(format!(
        "literal {literal}, but there are {num_vars} variables; correct it, or the line that starts with p"
    ))
}

/// The largest exponent of ten in a text: a power of more digits than a user means would fill the memory.
const MAX_EXPONENT: u32 = 10_000;

/// Reads a whole number, a decimal number, with or without an exponent, or a fraction of two whole numbers. The
/// error is a message.
fn parse_weight(text: &str) -> Result<Ratio<BigInt>, String> {
    let read = if text.contains('/') { text.parse().ok() } else { parse_decimal(text) };
    read.ok_or_else(|| {
        format!("\"{text}\" is not a decimal number or a fraction, such as 0.25 or 1/4")
    })
}

fn parse_decimal(text: &str) -> Option<Ratio<BigInt>> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: BigInt = format!("{whole}{decimals}").parse().ok()?;
    let places = i64::try_from(decimals.len()).ok()? - i64::from(exponent.parse::<i32>().ok()?);
    let power = u32::try_from(places.unsigned_abs()).ok().filter(|&power| power <= MAX_EXPONENT)?;
    let scale = BigInt::from(10).pow(power);
    Some(match places {
        ..=0 => (digits * scale).into(),
        1.. => Ratio::new(digits, scale),
    })
}

/// Returns 1 minus the weight, if the weight is from 0 to 1.
fn complement(weight: &Ratio<BigInt>) -> Option<Ratio<BigInt>> {
    let rest = Ratio::one() - weight;
    (!weight.is_negative() && !rest.is_negative()).then_some(rest)
}

/// Another format of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OtherFormat {
    Dnf,
    Nnf,
    Opb,
    Uvl,
    Wcnf,
    Xml,
}

impl OtherFormat {
    /// The format of a file by its ending, also if it is packed.
    fn by_ending(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Some(match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?.1 {
            "dnf" => OtherFormat::Dnf,
            "nnf" | "ddnnf" => OtherFormat::Nnf,
            "opb" | "wbo" | "pbo" => OtherFormat::Opb,
            "uvl" => OtherFormat::Uvl,
            "wcnf" => OtherFormat::Wcnf,
            "xml" => OtherFormat::Xml,
            _ => return None,
        })
    }

    /// The format of a text by the words of its first line that is no comment.
    fn by_first_line(words: &[&str]) -> Option<Self> {
        Some(match *words {
            ["p", "dnf", ..] => OtherFormat::Dnf,
            ["p", "wcnf", ..] | ["h", ..] => OtherFormat::Wcnf,
            ["nnf", ..] => OtherFormat::Nnf,
            // A line of d4 has numbers after the letter, the last of which is 0.
            ["o" | "a" | "t" | "f", ref numbers @ ..] if numbers.last() == Some(&"0") => {
                OtherFormat::Nnf
            }
            ["features" | "namespace" | "include" | "imports" | "language", ..] => OtherFormat::Uvl,
            [first, ..] if first.starts_with('<') => OtherFormat::Xml,
            [first, ..]
                if first.starts_with('*')
                    || matches!(first, "min:" | "max:")
                    || words.last().is_some_and(|last| last.ends_with(';')) =>
            {
                OtherFormat::Opb
            }
            _ => return None,
        })
    }

    /// The reason why the format is refused, with a remedy.
    pub(super) fn reason(self) -> String {
        let (name, remedy) = match self {
            OtherFormat::Dnf => (
                "DNF, a disjunction",
                "negate each literal to get the CNF of its negation, whose models are the assignments that are not models of the DNF",
            ),
            OtherFormat::Nnf => {
                ("NNF, a formula that is compiled already", "give the CNF from which it was made")
            }
            OtherFormat::Opb => (
                "OPB, pseudo-Boolean constraints",
                "count their solutions with `topdd opb`, or read them with `td.opb` in Python",
            ),
            OtherFormat::Uvl => ("UVL, a feature model", "export it as DIMACS CNF"),
            OtherFormat::Wcnf => (
                "WCNF of MaxSAT, where clauses have weights",
                "if only literals have weights, write `c p weight` lines in a file that ends in .cnf",
            ),
            OtherFormat::Xml => ("XML, such as a feature model", "export it as DIMACS CNF"),
        };
        format!("this is {name}, and not DIMACS CNF; {remedy}")
    }
}

#[cfg(test)]
mod tests {
    use super::{complement, parse_weight, *};
    use crate::{Function, Manager};

    #[test]
    fn malformed_dimacs_is_an_error_with_its_line_and_a_remedy() {
        for (text, bad_line, remedy) in [
            ("", 1, "add it before the clauses"),
            ("1 2 0\n", 1, "move that line up"),
            ("p cnf 2\n", 1, "correct the line"),
            ("p cnf 2 x\n", 1, "correct them"),
            ("p sat 2 1\n1 0\n", 1, "correct the line"),
            ("p cnf 9999999999 0\n", 1, "reduce them"),
            ("p cnf 3 1\np cnf 3 1\n1 0\n", 2, "remove it"),
            ("p cnf 3 1\n1 two 0\n", 2, "write the number of a variable"),
            ("p cnf 2 1\n1 3 0\n", 2, "correct it"),
            ("p cnf 2 1\n1 -99999999999 0\n", 2, "write the number of a variable"),
            ("p cnf 2 1\n1 -2147483648 0\n", 2, "write the number of a variable"),
            ("p cnf 3 1\n1 2\n", 2, "add it"),
            ("p cnf 3 2\n1 2 0\n", 2, "complete the file"),
            ("p cnf 3 1\n1 0\n2 0\n", 3, "correct it"),
            ("c p show 1 2\np cnf 2 0\n", 1, "add it"),
            ("c p show\np cnf 2 0\n", 1, "add it"),
            ("c p show 1 -2 0\np cnf 2 0\n", 1, "write a number from 1"),
            ("c ind 1 0 2 0\np cnf 2 0\n", 1, "write a number from 1"),
            ("c\nc ind 1 3 0\np cnf 2 0\n", 2, "correct it"),
            ("p cnf 2 0\nc p weight 3 0.5 0\n", 2, "correct it"),
            ("p cnf 2 0\nc p weight 0 0.5 0\n", 2, "write the number of a variable"),
            ("p cnf 2 0\nc p weight 1 0,5 0\n", 2, "such as 0.25"),
            ("p cnf 2 0\nc p weight 1 1/0 0\n", 2, "such as 0.25"),
            ("p cnf 2 0\nc p weight 1 0 0\nc p weight 1 1\n", 3, "remove one"),
            ("p cnf 2 0\nc p weight -2 0\n", 2, "write \"c p weight -2 0.4 0\""),
            ("p cnf 2 0\nc p weight 1\n", 2, "such as \"c p weight -1 0.4 0\""),
            ("p cnf 2 0\nw 1 0.5 1\n", 2, "such as \"c p weight -1 0.4 0\""),
            ("p cnf 2 0\nw 1 0.5\nw -1 -1\n", 3, "remove one"),
            ("p cnf 2 0\nc p weight -1 3/2 0\n", 2, "give \"c p weight 1 ..\""),
            ("p cnf 2 0\nc t sat\n", 2, "write mc, wmc, pmc or pwmc"),
        ] {
            match CnfFile::parse(text) {
                Err(Error::Dimacs { line, reason }) => {
                    assert_eq!(line, bad_line, "{text:?}");
                    assert!(reason.contains(remedy), "{text:?}: {reason}");
                }
                other => panic!("{text:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn other_formats_are_refused_by_name() {
        for (text, name) in [
            ("p dnf 2 1\n1 0\n", "DNF"),
            ("c\nnnf 3 2 2\nL 1\n", "NNF"),
            ("o 1 0\nt 2 0\n", "NNF"),
            ("* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1;\n", "OPB"),
            ("*\n* made by hand\nmin: +1 x1;\n", "OPB"),
            ("min: +1 x1;\n", "OPB"),
            ("3 x1 +2 x2 >= 2 ;\n", "OPB"),
            ("features\n    Root\n", "UVL"),
            ("\u{feff}namespace Car\nfeatures\n", "UVL"),
            ("c\np wcnf 2 1 10\n10 1 0\n", "WCNF"),
            ("h 1 2 0\n", "WCNF"),
            ("<?xml version=\"1.0\"?>\n<featureModel/>\n", "XML"),
        ] {
            let error = CnfFile::parse(text).unwrap_err().to_string();
            assert!(error.contains(&format!("this is {name}")), "{text:?}: {error}");
            let file = format!("a.b.{}.gz", name.to_uppercase());
            let error = CnfFile::parse_named(&file, "p cnf 0 0").unwrap_err().to_string();
            assert!(error.contains(&format!("this is {name}")), "{file}: {error}");
        }
        for name in ["-", "", "dnf", "a.cnf", "a.cnf.gz", "a.dimacs", "a.txt"] {
            assert!(CnfFile::parse_named(name, "p cnf 0 0").is_ok(), "{name}");
        }
        // After the header, and in clauses, these words have no other meaning.
        let late = CnfFile::parse("p cnf 2 1\nh 1 0\n").unwrap_err().to_string();
        assert!(late.contains("not a literal"), "{late}");
    }

    #[test]
    fn comments_are_names_only_where_they_are_a_table() {
        let names = |text: &str| CnfFile::parse(text).unwrap().names().map(<[String]>::to_vec);
        let given = "c 1 Root\nc 2  Light  System \n c 3\tGröße XL\np cnf 3 0\n";
        assert_eq!(names(given).unwrap(), ["Root", "Light  System", "Größe XL"]);
        // Also after the header, in any order, and not for all.
        let some = "p cnf 5 0\nc 3 3rd\nc 1 p\nc 5 a comment\n";
        assert_eq!(names(some).unwrap(), ["p", "2", "3rd", "4", "a comment"]);
        assert_eq!(names("c 1 a\np cnf 1 0\n").unwrap(), ["a"]);
        for comments in [
            "c 20 variables\nc 15 clauses",
            "c 2 clauses",
            "c 1 problem",
            "c 1 2 0\nc 3 -4 0\nc 2 3",
            "c 1 -first\nc 2 -second",
            "c 1 a\nc 2 b\nc 2 c",
            "c 1 same\nc 2 same",
            "c 1 a\nc 2 b\nc 21 c",
            "c 0 a\nc 0 b",
            "c a 1\nc b 2",
            "comment 1 a\nc2 b",
        ] {
            assert_eq!(names(&format!("{comments}\np cnf 20 0\n")), None, "{comments}");
        }
    }

    #[test]
    fn the_lines_of_model_counters_are_read_wherever_they_are() {
        let text = "c t pwmc\nc p show 3 1 0\np cnf 4 2\n1 -4\nc in a clause\n 0\nw 2 -1\nc p weight -1 1e-1 0\n\
                    2 3 0\nc ind 1 0\nc p weight 3 5/2\nc p weight -3 2.5 0\nc p other words\n%\n0\n";
        let cnf = CnfFile::parse(text).unwrap();
        assert_eq!(cnf.clauses(), [[(0, true), (3, false)], [(1, true), (2, true)]]);
        assert_eq!(cnf.shown(), Some(&[0, 2][..]));
        let weights = |cnf: &CnfFile| {
            let pairs = cnf.weights()?.iter();
            Some(pairs.map(|[no, yes]| format!("{no} {yes}")).collect::<Vec<_>>())
        };
        assert_eq!(weights(&cnf).unwrap(), ["1/10 9/10", "1 1", "5/2 5/2", "1 1"]);
        for (kind, is_projected, is_weighted) in
            [("mc", false, false), ("pmc", true, false), ("wmc", false, true), ("wpmc", true, true)]
        {
            let cnf = CnfFile::parse(&text.replace("pwmc", kind)).unwrap();
            assert_eq!(
                (cnf.shown().is_some(), cnf.weights().is_some()),
                (is_projected, is_weighted)
            );
        }
        let plain = CnfFile::parse("p cnf 1 0").unwrap();
        assert_eq!((plain.shown(), plain.weights()), (None, None));
        assert_eq!(CnfFile::parse("c p show 0\np cnf 1 0").unwrap().shown(), Some(&[][..]));
    }

    #[test]
    fn clauses_may_be_empty_or_always_true() {
        let m = Manager::new(3).unwrap();
        assert!(m.dimacs("p cnf 0 0").unwrap().is_true());
        assert!(m.dimacs("p cnf 1 1\n0\n").unwrap().is_false());
        assert!(m.dimacs("p cnf 1 1\n1 -1 0\n").unwrap().is_true());
    }

    #[test]
    fn dimacs_makes_a_manager_of_the_declared_variables() {
        let text = "c\np cnf 7 3\n1 -7 0\n2 3\n0 -1 -2 -3 0\n";
        let f = Function::from_dimacs(text).unwrap();
        assert_eq!((f.manager().num_vars(), f.count()), (7, 56_u32.into()));
        assert_eq!(f, f.manager().dimacs(text).unwrap());
        assert_eq!(
            f.manager().dimacs("p cnf 8 0"),
            Err(Error::Dimacs {
                line: 1,
                reason: "8 variables, but the manager has 7; make it larger".into(),
            })
        );
        assert!(matches!(
            Function::from_dimacs("p cnf 1 1\n2 0"),
            Err(Error::Dimacs { line: 2, .. })
        ));
    }

    #[test]
    fn dimacs_reads_files_of_satlib_which_end_with_a_percent_sign_and_0() {
        let text = "c uf20\np cnf 3  2 \n 1 -3 0\n-2 3 0\n%\n0\n\n";
        let f = Function::from_dimacs(text).unwrap();
        assert_eq!(f, f.manager().dimacs("p cnf 3 2\n1 -3 0\n-2 3 0").unwrap());
        let cut = Function::from_dimacs("p cnf 3 2\n1 -3 0\n%\n-2 3 0\n");
        assert!(matches!(cut, Err(Error::Dimacs { .. })), "{cut:?}");
    }

    #[test]
    fn weights_are_read_exactly_and_written_in_lowest_terms() {
        for (given, written) in [
            ("0", "0"),
            ("-0.0", "0"),
            ("007", "7"),
            ("0.1", "1/10"),
            (".5", "1/2"),
            ("5.", "5"),
            ("-1.25", "-5/4"),
            ("+6/4", "3/2"),
            ("12e2", "1200"),
            ("1.5E-3", "3/2000"),
            (
                "0.3333333333333333333333333333",
                "3333333333333333333333333333/10000000000000000000000000000",
            ),
        ] {
            assert_eq!(parse_weight(given).unwrap().to_string(), written, "{given}");
        }
        for wrong in [
            "",
            ".",
            "-",
            "e3",
            "1e",
            "1/0",
            "/2",
            "1/2/3",
            "0.5/2",
            "1.-5",
            "1,5",
            "nan",
            "1e10001",
            "1e99999999999",
        ] {
            let error = parse_weight(wrong).unwrap_err();
            assert!(error.ends_with("such as 0.25 or 1/4"), "{wrong}: {error}");
        }
    }

    #[test]
    fn complements_are_shares_of_one() {
        let complement_of = |text| complement(&parse_weight(text).unwrap());
        assert_eq!(complement_of("0.3").unwrap().to_string(), "7/10");
        assert_eq!(complement_of("1").unwrap().to_string(), "0");
        assert_eq!((complement_of("1.5"), complement_of("-0.5")), (None, None));
    }
}
