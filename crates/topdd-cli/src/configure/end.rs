//! The result of the dialogue, on standard output.

use std::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};
use topdd::Status;
use topdd::diagram::DiagramRule;

use super::ground::Cell;
use super::model::Model;

/// Writes the decisions and what is left.
pub(super) fn write<R: DiagramRule>(
    model: &Model<R>,
    json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if json {
        return writeln!(out, "{}", facts(model));
    }
    writeln!(out, "{}", model.ground().title())?;
    writeln!(out, "{} of {} solutions left", model.left(), model.all())?;
    writeln!(out, "\n{}", Table(model))?;
    writeln!(out, "decisions: {}", decisions(model))
}

/// The decisions on one line.
pub(super) fn decisions<R: DiagramRule>(model: &Model<R>) -> String {
    let words = model.decisions().iter().map(|&decision| model.ground().words(decision));
    let words: Vec<String> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// A board, or a line for each variable with its chosen, forced or free values. Ends with a line break.
pub(super) struct Table<'a, R: DiagramRule>(pub(super) &'a Model<R>);

impl<R: DiagramRule> fmt::Display for Table<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Table(model), ground) = (self, self.0.ground());
        let last = |size: usize| size.saturating_sub(1);
        let margin = ground.margin();
        let sign = |status| ground.plain_sign(status);
        if ground.board().is_none() {
            for row in 0..ground.rows() {
                write!(f, "{:>margin$}:", ground.row_name(row))?;
                for col in 0..ground.cols_in(row) {
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
        let wide = ground.col_name(last(ground.cols())).len();
        for row in (0..ground.rows()).rev() {
            write!(f, "{:>margin$}", ground.row_name(row))?;
            for col in 0..ground.cols() {
                write!(f, " {:>wide$}", model.status(Cell { row, col }).map_or(' ', sign))?;
            }
            writeln!(f)?;
        }
        write!(f, "{:margin$}", "")?;
        for col in 0..ground.cols() {
            write!(f, " {:>wide$}", ground.col_name(col))?;
        }
        writeln!(f)
    }
}

/// The result as JSON.
fn facts<R: DiagramRule>(model: &Model<R>) -> Value {
    let ground = model.ground();
    let with = |wanted: Status| -> Vec<String> {
        let cells = ground.cells().filter(|&cell| model.status(cell) == Some(wanted));
        cells.filter_map(|cell| ground.at(cell)).map(|(v, value)| ground.name(v, value)).collect()
    };
    json!({
        "title": ground.title(),
        "left": model.left().to_string(),
        "all": model.all().to_string(),
        "decisions": model.decisions().iter().map(|&decision| ground.words(decision)).collect::<Vec<_>>(),
        "chosen": with(Status::Chosen),
        "forced": with(Status::Forced),
        "free": with(Status::Free),
    })
}
