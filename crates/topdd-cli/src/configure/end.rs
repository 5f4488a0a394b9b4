//! The result of the dialogue, on standard output.

use std::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};
use topdd::Status;
use topdd::diagram::DiagramRule;
use unicode_width::UnicodeWidthStr;

use super::model::Model;
use crate::cell_table::Cell;

/// Writes the decisions and the number of solutions left.
pub(super) fn write<R: DiagramRule>(
    model: &Model<R>,
    json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if json {
        return writeln!(out, "{}", facts(model));
    }
    writeln!(out, "{}", model.table().title())?;
    writeln!(out, "{} of {} solutions left", model.left(), model.all())?;
    writeln!(out, "\n{}", Table(model))?;
    writeln!(out, "decisions: {}", decisions(model))
}

/// The decisions on one line.
pub(super) fn decisions<R: DiagramRule>(model: &Model<R>) -> String {
    let words = model.decisions().iter().map(|&decision| model.table().describe(decision));
    let words: Vec<String> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// A board, or a line for each variable with its chosen, forced or free values. Ends with a line break.
pub(super) struct Table<'a, R: DiagramRule>(pub(super) &'a Model<R>);

impl<R: DiagramRule> fmt::Display for Table<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Table(model), table) = (self, self.0.table());
        let last = |size: usize| size.saturating_sub(1);
        // In full, so that a script can read it.
        let names: Vec<String> = (0..table.rows()).map(|row| table.row_name(row)).collect();
        let margin = names.iter().map(|name| name.width()).max().unwrap_or(1);
        let sign = |status| table.sign(status);
        let indent = |name: &str| " ".repeat(margin.saturating_sub(name.width()));
        if table.board().is_none() {
            for (row, name) in names.iter().enumerate() {
                write!(f, "{}{name}:", indent(name))?;
                for col in 0..table.cols_in(row) {
                    match model.status(Cell { row, col }) {
                        Some(Status::Free) => write!(f, " {col}")?,
                        Some(status @ (Status::Chosen | Status::Forced)) => {
                            write!(f, " {col}{}", sign(status))?;
                        }
                        _ => {}
                    }
                }
                writeln!(f)?;
            }
            return Ok(());
        }
        let wide = table.col_name(last(table.cols())).len();
        for row in (0..table.rows()).rev() {
            write!(f, "{}{}", indent(&names[row]), names[row])?;
            for col in 0..table.cols() {
                write!(f, " {:>wide$}", model.status(Cell { row, col }).map_or(' ', sign))?;
            }
            writeln!(f)?;
        }
        write!(f, "{:margin$}", "")?;
        for col in 0..table.cols() {
            write!(f, " {:>wide$}", table.col_name(col))?;
        }
        writeln!(f)
    }
}

/// The result as JSON.
fn facts<R: DiagramRule>(model: &Model<R>) -> Value {
    let table = model.table();
    let with = |wanted: Status| -> Vec<String> {
        let cells = table.cells().filter(|&cell| model.status(cell) == Some(wanted));
        cells.filter_map(|cell| table.at(cell)).map(|(v, value)| table.name(v, value)).collect()
    };
    json!({
        "title": table.title(),
        "left": model.left().to_string(),
        "weight": model.weight_number(),
        "all": model.all().to_string(),
        "commands": model.decisions().iter().map(|&decision| table.command(decision)).collect::<Vec<_>>(),
        "decisions": model.decisions().iter().map(|&decision| table.describe(decision)).collect::<Vec<_>>(),
        "chosen": with(Status::Chosen),
        "forced": with(Status::Forced),
        "free": with(Status::Free),
    })
}
