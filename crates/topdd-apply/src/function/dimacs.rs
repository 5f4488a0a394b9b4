//! The DIMACS CNF format.

use crate::error::Error;

/// A clause as variables and values.
type Clause = Vec<(usize, bool)>;

/// Parses a text. Returns the number of variables and the clauses. Repeated literals are merged, and
/// tautological clauses are omitted. A line that starts with `%` ends the text, as in the files of SATLIB.
///
/// If `most` is given, more variables are an error.
pub(super) fn parse(text: &str, most: Option<usize>) -> Result<(usize, Vec<Clause>), Error> {
    let refused = |line: usize, reason: String| Err(Error::Dimacs { line: line + 1, reason });
    let mut header: Option<[usize; 2]> = None;
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
                return refused(number, "a second line that starts with p".into());
            }
            ["p", "cnf", vars, clauses] => {
                let (Ok(vars), Ok(clauses)) = (vars.parse(), clauses.parse()) else {
                    return refused(number, "the words after \"p cnf\" are not two numbers".into());
                };
                if let Some(most) = most.filter(|&most| vars > most) {
                    let reason =
                        format!("{vars} variables, but the manager has {most}; make it larger");
                    return refused(number, reason);
                }
                header = Some([vars, clauses]);
                continue;
            }
            ["p", ..] => return refused(number, "not \"p cnf <variables> <clauses>\"".into()),
            _ => {}
        }
        for word in words {
            let Some([vars, _]) = header else {
                return refused(number, "a clause before the line that starts with p".into());
            };
            match word.parse::<i32>() {
                Ok(0) => {
                    found += 1;
                    clause.sort_unstable();
                    clause.dedup();
                    let clause = std::mem::take(&mut clause);
                    if clause.windows(2).all(|pair| pair[0].0 != pair[1].0) {
                        clauses.push(clause);
                    }
                }
                Ok(literal) if literal.unsigned_abs() as usize <= vars => {
                    clause.push((literal.unsigned_abs() as usize - 1, literal > 0));
                }
                Ok(literal) => {
                    let reason = format!("literal {literal}, but there are {vars} variables");
                    return refused(number, reason);
                }
                Err(_) => return refused(number, format!("\"{word}\" is not a literal")),
            }
        }
    }
    match header {
        None => refused(last_line, "no line that starts with p".into()),
        Some(_) if !clause.is_empty() => refused(last_line, "the last clause has no 0".into()),
        Some([_, said]) if said != found => {
            refused(last_line, format!("{found} clauses, but the header declares {said}"))
        }
        Some([vars, _]) => Ok((vars, clauses)),
    }
}
