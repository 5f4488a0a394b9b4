//! What was decided, and what is left, on standard output.

use std::io::{self, Write};

use serde_json::{Value, json};
use topdd::Status;
use topdd::diagram::DiagramRule;

use super::ground::Cell;
use super::model::Model;

/// Tells how the dialogue ended.
pub(super) fn tell<R: DiagramRule>(
    model: &Model<R>,
    json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if json {
        return writeln!(out, "{}", facts(model));
    }
    writeln!(out, "{}", model.ground().title())?;
    writeln!(out, "{} of {} solutions left", model.left(), model.all())?;
    writeln!(out, "\n{}", table(model))?;
    writeln!(out, "decisions: {}", decisions(model))
}

/// The decisions, in a line.
pub(super) fn decisions<R: DiagramRule>(model: &Model<R>) -> String {
    let words = model.decisions().iter().map(|&decision| model.ground().words(decision));
    let words: Vec<String> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// A board, or a line for each variable, of whole lines.
pub(super) fn table<R: DiagramRule>(model: &Model<R>) -> String {
    let ground = model.ground();
    let sign = |cell| model.status(cell).map_or(' ', |status| ground.plain_sign(status));
    let width = |names: String| names.len().max(1);
    let margin = width(ground.row_name(ground.rows().saturating_sub(1)));
    let mut text = String::new();
    if ground.board().is_some() {
        let wide = width(ground.col_name(ground.cols().saturating_sub(1)));
        for row in (0..ground.rows()).rev() {
            text += &format!("{:>margin$}", ground.row_name(row));
            for col in 0..ground.cols() {
                text += &format!(" {:>wide$}", sign(Cell { row, col }));
            }
            text.push('\n');
        }
        text += &" ".repeat(margin);
        for col in 0..ground.cols() {
            text += &format!(" {:>wide$}", ground.col_name(col));
        }
        text.push('\n');
        return text;
    }
    for row in 0..ground.rows() {
        text += &format!("{:>margin$}:", ground.row_name(row));
        for cell in (0..ground.cols_in(row)).map(|col| Cell { row, col }) {
            match model.status(cell) {
                Some(Status::Chosen | Status::Forced) => {
                    text += &format!(" {}{}", cell.col, sign(cell))
                }
                Some(Status::Free) => text += &format!(" {}", cell.col),
                _ => {}
            }
        }
        text.push('\n');
    }
    text
}

/// The same for scripts.
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
