//! The DIMACS CNF format.

use super::clause_order::Clause;
use crate::error::Error;

/// The line that starts with `p`.
#[derive(Clone, Copy)]
struct Header {
    num_vars: usize,
    num_clauses: usize,
}

/// Parses a text. Returns the number of variables and the clauses. Repeated literals are merged, and
/// tautological clauses are omitted. A line that starts with `%` ends the text, as in the files of SATLIB.
///
/// If `most` is given, more variables are an error.
pub(super) fn parse(text: &str, most: Option<usize>) -> Result<(usize, Vec<Clause>), Error> {
    let refused = |line: usize, reason: String| Error::Dimacs { line: line + 1, reason };
    let mut header: Option<Header> = None;
    let mut clauses = Vec::new();
    let mut found = 0;
    let mut clause = Clause::new();
    let mut last_line = 0;
    // A byte order mark, with which some editors begin a text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.lines().enumerate() {
        last_line = number;
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            [word, ..] if word.starts_with('c') => continue,
            ["%", ..] => break,
            ["p", ..] if header.is_some() => {
                return Err(refused(number, "a second line that starts with p".into()));
            }
            ["p", ref words @ ..] => {
                header = Some(parse_header(words, most).map_err(|reason| refused(number, reason))?);
                continue;
            }
            _ => {}
        }
        for word in words {
            let Some(Header { num_vars, .. }) = header else {
                return Err(refused(number, "a clause before the line that starts with p".into()));
            };
            if let Some(literal) =
                parse_literal(word, num_vars).map_err(|reason| refused(number, reason))?
            {
                clause.push(literal);
                continue;
            }
            found += 1;
            clause.sort_unstable();
            clause.dedup();
            let clause = std::mem::take(&mut clause);
            if clause.windows(2).all(|pair| pair[0].0 != pair[1].0) {
                clauses.push(clause);
            }
        }
    }
    let reason = match header {
        None => "no line that starts with p".into(),
        Some(_) if !clause.is_empty() => "the last clause has no 0".into(),
        Some(Header { num_clauses, .. }) if num_clauses != found => {
            format!("{found} clauses, but the header declares {num_clauses}")
        }
        Some(Header { num_vars, .. }) => return Ok((num_vars, clauses)),
    };
    Err(refused(last_line, reason))
}

/// Parses the words after `p`. Returns the reason if they are malformed, or if there are more variables
/// than `most`.
fn parse_header(words: &[&str], most: Option<usize>) -> Result<Header, String> {
    let ["cnf", num_vars, num_clauses] = words else {
        return Err("not \"p cnf <variables> <clauses>\"".into());
    };
    let (Ok(num_vars), Ok(num_clauses)) = (num_vars.parse(), num_clauses.parse()) else {
        return Err("the words after \"p cnf\" are not two numbers".into());
    };
    match most.filter(|&most| num_vars > most) {
        Some(most) => {
            Err(format!("{num_vars} variables, but the manager has {most}; make it larger"))
        }
        None => Ok(Header { num_vars, num_clauses }),
    }
}

/// Parses a literal; `None` for 0, the end of a clause.
fn parse_literal(word: &str, num_vars: usize) -> Result<Option<(usize, bool)>, String> {
    let literal: i32 = word.parse().map_err(|_| format!("\"{word}\" is not a literal"))?;
    let number = literal.unsigned_abs() as usize;
    if number > num_vars {
        return Err(format!("literal {literal}, but there are {num_vars} variables"));
    }
    Ok((number != 0).then(|| (number - 1, literal > 0)))
}
