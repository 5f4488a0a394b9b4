//! The dialogue as lines of text: a command a line, and a reply to each. A terminal also gets the board and a prompt.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};
use topdd::Status;
use topdd::diagram::DiagramRule;
use topdd_problem::CellTable;
use topdd_problem::dialogue::{Answer, Dialogue, STATUSES, Table, joined, short, word};
use topdd_problem::names::without_comment;

use crate::failure::Failure;

/// The most rows of a table that a terminal shows after each decision. `show` prints more.
const ROWS: usize = 40;

/// The form of the replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplyForm {
    Lines,
    Json,
    /// For a person at a terminal: with the board, and a prompt. An invalid line is reported, and the next one read.
    Terminal,
}

/// Runs the commands of the input, up to its end or `quit`. A refused decision is reported, and the
/// next line is read. An invalid or unreadable line ends the dialogue, and its failure is returned as
/// `Ok(Some(failure))`; `Err` is a failure of writing.
pub(super) fn run<R: DiagramRule>(
    model: &mut Dialogue<R>,
    input: impl BufRead,
    out: &mut impl Write,
    form: ReplyForm,
) -> io::Result<Option<Failure>> {
    let is_terminal = form == ReplyForm::Terminal;
    let mut lines = input.lines();
    let mut reply = if is_terminal { greeting(model) } else { String::new() };
    for number in 1.. {
        let prompt = if is_terminal { "> " } else { "" };
        write!(out, "{reply}{prompt}")?;
        // A program may wait for the answer before it sends the next command.
        out.flush()?;
        reply.clear();
        let line = match lines.next() {
            Some(Ok(line)) => line,
            Some(Err(error)) => {
                return Ok(Some(Failure::Failed(format!(
                    "line {number}: cannot read commands from standard input: {error}"
                ))));
            }
            None if is_terminal => return writeln!(out).map(|()| None),
            None => break,
        };
        // Some editors begin a file with a byte order mark.
        let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { &line };
        let line = without_comment(line);
        if line.is_empty() {
            continue;
        }
        match model.command(line) {
            Ok(answer) if answer.ends => break,
            Ok(answer) => reply = in_form(model, line, answer, form),
            Err(message) if is_terminal => reply = format!("{message}\n"),
            Err(message) => {
                return Ok(Some(Failure::Usage(format!("line {number}: {message}"))));
            }
        }
    }
    Ok(None)
}

/// The start of the dialogue at a terminal.
fn greeting<R: DiagramRule>(model: &Dialogue<R>) -> String {
    let table = model.table();
    format!("{}: {}\n{}{}\n", table.title(), left(model), board(model), legend(table))
}

/// The numbers of solutions, and the best weight left, if it is quick to compute.
fn left<R: DiagramRule>(model: &Dialogue<R>) -> String {
    let weight = model.weight_left().map(|weight| format!(", {weight}")).unwrap_or_default();
    format!("{} of {} left{weight}", short(model.left()), short(model.all()))
}

/// The board or the table, after an empty line and before one.
fn board<R: DiagramRule>(model: &Dialogue<R>) -> String {
    let table = model.table();
    if table.board().is_none() && table.rows() > ROWS {
        return format!("`show` prints all {} variables\n", table.rows());
    }
    format!("\n{}\n", Table(model))
}

/// The meanings of the signs.
fn legend(table: &CellTable) -> String {
    let is_board = table.board().is_some();
    let is_shown = |status: &Status| is_board || matches!(status, Status::Chosen | Status::Forced);
    let shown = STATUSES.into_iter().filter(is_shown);
    let signs = joined(shown.map(|of| format!("{} {}", table.sign(of), word(of))), "and");
    let others = if is_board { "" } else { "; the other values are free" };
    format!("{signs}{others}. `help` lists the commands.")
}

fn in_form<R: DiagramRule>(
    model: &Dialogue<R>,
    line: &str,
    answer: Answer,
    form: ReplyForm,
) -> String {
    let mut text = answer.text;
    if answer.changed {
        let left = match form {
            ReplyForm::Terminal => left(model),
            _ => format!("{} of {} left", short(model.left()), short(model.all())),
        };
        text = format!("{text}: {left}");
    }
    let refused = if answer.done { "" } else { "refused: " };
    match form {
        ReplyForm::Json => {
            let because = answer.because.iter().map(|&reason| model.table().describe(reason));
            let object = json!({
                "command": line,
                "done": answer.done,
                "message": text,
                "left": model.left().to_string(),
                "because": because.collect::<Vec<_>>(),
            });
            format!("{object}\n")
        }
        ReplyForm::Terminal if answer.changed => format!("{refused}{text}\n{}", board(model)),
        _ => format!("{refused}{text}\n"),
    }
}

/// Writes the decisions and the number of solutions left.
pub(super) fn write_end<R: DiagramRule>(
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
