//! The dialogue as lines of text: a command a line, and a reply to each. A terminal also gets the board and a prompt.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use serde_json::json;
use topdd::diagram::DiagramRule;
use topdd::{Decision, Status};

use super::end;
use super::model::{Model, Said, short};
use crate::args::COMMANDS;
use crate::cell_table::{CellTable, STATUSES, joined, word};
use crate::failure::Failure;
use topdd_problem::names::without_comment;

/// The most rows of a table that a terminal shows after each decision. `show` prints more.
const ROWS: usize = 40;

/// The form of the replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Lines,
    Json,
    /// For a person at a terminal: with the board, and a prompt. An invalid line is reported, and the next one read.
    Terminal,
}

/// The reply to a command.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) done: bool,
    pub(super) because: Vec<Decision>,
    /// Whether the decisions may have changed.
    changed: bool,
    /// Whether the dialogue is over.
    ends: bool,
}

/// Runs the commands of the input, up to its end or `quit`. A refused decision is reported, and the
/// next line is read. An invalid or unreadable line ends the dialogue, and its failure is returned as
/// `Ok(Some(failure))`; `Err` is a failure of writing.
pub(super) fn run<R: DiagramRule>(
    model: &mut Model<R>,
    input: impl BufRead,
    out: &mut impl Write,
    form: Form,
) -> io::Result<Option<Failure>> {
    let is_terminal = form == Form::Terminal;
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
        match answer(model, line) {
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
fn greeting<R: DiagramRule>(model: &Model<R>) -> String {
    let table = model.table();
    format!("{}: {}\n{}{}\n", table.title(), left(model), board(model), legend(table))
}

/// The numbers of solutions, and the best weight left, if it is quick to compute.
fn left<R: DiagramRule>(model: &Model<R>) -> String {
    let weight = model.weight_left().map(|weight| format!(", {weight}")).unwrap_or_default();
    format!("{} of {} left{weight}", short(model.left()), short(model.all()))
}

/// The board or the table, after an empty line and before one.
fn board<R: DiagramRule>(model: &Model<R>) -> String {
    let table = model.table();
    if table.board().is_none() && table.rows() > ROWS {
        return format!("`show` prints all {} variables\n", table.rows());
    }
    format!("\n{}\n", end::Table(model))
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

fn in_form<R: DiagramRule>(model: &Model<R>, line: &str, answer: Answer, form: Form) -> String {
    let mut text = answer.text;
    if answer.changed {
        let left = match form {
            Form::Terminal => left(model),
            _ => format!("{} of {} left", short(model.left()), short(model.all())),
        };
        text = format!("{text}: {left}");
    }
    let refused = if answer.done { "" } else { "refused: " };
    match form {
        Form::Json => {
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
        Form::Terminal if answer.changed => format!("{refused}{text}\n{}", board(model)),
        _ => format!("{refused}{text}\n"),
    }
}

/// The list of commands and their meanings, indented.
pub(crate) fn help() -> String {
    let width = COMMANDS.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (usage, meaning) in COMMANDS {
        let _ = writeln!(text, "  {usage:width$}  {meaning}");
    }
    text
}

/// Runs the command of a line. The error says what the line may be.
pub(super) fn answer<R: DiagramRule>(model: &mut Model<R>, line: &str) -> Result<Answer, String> {
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if !rest.is_empty() && COMMANDS.iter().any(|(usage, _)| *usage == command) {
        return Err(format!("`{command}` takes no argument; leave `{rest}` out"));
    }
    let told = |said: Said| {
        let Said { text, refused, because } = said;
        Ok(Answer { text, done: !refused, because, changed: false, ends: command == "quit" })
    };
    let answered = |text: String| told(Said { text, ..Said::default() });
    match command {
        "undo" => model.undo(),
        "redo" => model.redo(),
        "sample" => model.sample(),
        "best" => model.complete_best(),
        "nth" => {
            let rank =
                rest.parse().map_err(|_| format!("`{rest}` is no rank: write nth 0, say"))?;
            model.complete_nth(&rank);
        }
        "clear" => model.clear(),
        "quit" => return answered(String::new()),
        "help" => return answered(help().trim_end().to_owned()),
        "left" => return answered(model.left().to_string()),
        "weight" => {
            let weight = model.weight();
            let refused = weight.is_err();
            let text = weight.unwrap_or_else(|message| message);
            return told(Said { text, refused, ..Said::default() });
        }
        "show" => return answered(end::Table(model).to_string().trim_end().to_owned()),
        "decisions" => return answered(end::decisions(model)),
        "choose" | "forbid" | "free" | "anyway" | "opposing" | "why" | "is" => {
            let cell = model.table().parse(rest)?;
            let (variable, value) = model.table().at(cell).ok_or("there is no such place")?;
            match command {
                "choose" => model.decide(Decision::is(variable, value)),
                "forbid" => model.decide(Decision::is_not(variable, value)),
                "free" => model.free(cell),
                "anyway" => {
                    if let Some(way) = model.other_way(cell) {
                        model.decide_anyway(way);
                    }
                }
                "opposing" => {
                    let way = model.other_way(cell);
                    return told(way.map(|way| model.opposing(way)).unwrap_or_default());
                }
                "why" => return told(model.why(cell)),
                _ => return answered(model.status(cell).map_or("", word).to_owned()),
            }
        }
        _ => {
            let names = COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next());
            let names = joined(names.map(str::to_owned), "or");
            return Err(format!(
                "there is no command `{command}`: write {names}; `help` explains them"
            ));
        }
    }
    let answer = told(model.said().clone())?;
    Ok(Answer { changed: answer.done, ..answer })
}
