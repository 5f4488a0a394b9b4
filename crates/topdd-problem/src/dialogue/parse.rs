//! This module finds the cells of names.

use super::table::{Kind, Names};
use super::{Cell, CellTable, joined};
use crate::names::{Ambiguous, split_value, unquoted};

impl CellTable {
    /// The cell of this name.
    ///
    /// # Errors
    ///
    /// Names that no cell has; the message names the cells that there are.
    pub fn parse(&self, text: &str) -> Result<Cell, String> {
        match &self.kind {
            Kind::Board { board, .. } => {
                let square = board.parse(text).map_err(|error| error.to_string())?;
                Ok(Cell { row: square.row, col: square.col })
            }
            Kind::List { names, values: Some(values), .. } => {
                self.named_value(names.as_ref(), values, text)
            }
            Kind::List { arities, names, values: None, .. } => {
                let find = |text: &str| variable_of(names.as_ref(), text);
                // As in `NAME=1`, and as the name of an element alone, which is to be in the set.
                let split = match split_value(text) {
                    Some((variable, value)) => find(variable)?.zip(value.parse().ok()),
                    None => None,
                };
                let cell = match split {
                    None if names.is_some() => {
                        find(text)?.filter(|&row| arities[row] == 2).map(|row| (row, 1))
                    }
                    split => split,
                };
                let Some((row, col)) = cell else {
                    let name = split_value(text).map_or(text, |(name, _)| name);
                    if let Some(Names { nouns, printed, .. }) = names
                        && find(text)?.or(find(name)?).is_none()
                    {
                        return Err(nouns.unknown(name, &self.title, printed.iter().cloned()));
                    }
                    let example = names.as_ref().and_then(|names| names.printed.first());
                    let example = example.map_or("3", |name| name);
                    return Err(format!(
                        "`{text}` is no variable and value: write {example}=1, say"
                    ));
                };
                match arities.get(row) {
                    None => Err(format!("there is no variable {row}: there are {}", arities.len())),
                    Some(&arity) if col >= arity => Err(format!(
                        "{} has no value {col}, but {arity} values from 0",
                        self.variable(row)
                    )),
                    Some(_) => Ok(Cell { row, col }),
                }
            }
        }
    }

    /// The cell of a variable and one of its named values, such as `mon=early`.
    fn named_value(
        &self,
        names: Option<&Names>,
        values: &[Vec<String>],
        text: &str,
    ) -> Result<Cell, String> {
        // Names in quotes may contain the sign.
        for (at, _) in text.rmatch_indices('=') {
            let row = variable_of(names, text[..at].trim())?;
            let Some((row, own)) = row.and_then(|row| Some((row, values.get(row)?))) else {
                continue;
            };
            let value = text[at + 1..].trim();
            let is_named =
                |name: &String| name == value || unquoted(name).is_some_and(|name| name == value);
            return match own.iter().position(is_named) {
                Some(col) => Ok(Cell { row, col }),
                None => Err(format!(
                    "{} has no value `{value}`: write {}",
                    self.variable(row),
                    joined(own.iter().cloned(), "or")
                )),
            };
        }
        let first = values.iter().position(|own| !own.is_empty());
        let example = first.map(|row| self.cell_name(Cell { row, col: 0 })).unwrap_or_default();
        Err(format!("`{text}` is no variable and value: write {example}, say"))
    }
}

/// The variable of a name, or of a number if there are no names. Fails if several variables have the name.
fn variable_of(names: Option<&Names>, text: &str) -> Result<Option<usize>, String> {
    let Some(names) = names else { return Ok(text.parse().ok()) };
    names.index.find(text).map_err(|Ambiguous| {
        format!(
            "several variables are named `{text}`; put the labels of ends in quotes, or number the variables (of a file, \
             with --values)"
        )
    })
}
