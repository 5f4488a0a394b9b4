//! The result of the dialogue, on standard output.

use std::io::{self, Write};

use serde_json::{Value, json};
use topdd::Status;
use topdd::diagram::DiagramRule;

use topdd_problem::dialogue::{Dialogue, Table};

/// Writes the decisions and the number of solutions left.
pub(super) fn write<R: DiagramRule>(
    model: &Dialogue<R>,
    json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    if json {
        return writeln!(out, "{}", facts(model));
    }
    writeln!(out, "{}", model.table().title())?;
    writeln!(out, "{} of {} solutions left", model.left(), model.all())?;
    writeln!(out, "\n{}", Table(model))?;
    writeln!(out, "decisions: {}", model.decisions_line())
}

/// The result as JSON.
fn facts<R: DiagramRule>(model: &Dialogue<R>) -> Value {
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
