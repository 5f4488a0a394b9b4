//! The dialogue as lines of text: commands on standard input, a reply to each on standard output.

use std::io::{BufRead, Write};

use serde_json::json;
use topdd::Decision;
use topdd::diagram::DiagramRule;

use super::end;
use super::model::{Action, Model, Said, short};
use crate::cell_table::word;
use crate::failure::Failure;
use topdd_problem::names::without_comment;

/// The list of commands in the error for an unknown one.
const COMMANDS: &str = "choose, forbid, free, anyway, opposing, why, is (each with a square, such as \
                        a1, or a variable and a value, such as 3=2), nth with a rank, such \
                        as 0, undo, redo, sample, best, weight, clear, left, decisions, show, quit";

/// The commands without an argument.
const ALONE: [&str; 10] =
    ["undo", "redo", "sample", "best", "weight", "clear", "left", "decisions", "show", "quit"];

/// The reply to a command.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) done: bool,
    pub(super) because: Vec<Decision>,
    /// Whether the decisions may have changed.
    changed: bool,
}

/// Runs the commands of the input, up to its end or `quit`. A refused decision is reported, and the
/// next line is read. An invalid or unreadable line ends the dialogue, and its failure is returned as
/// `Ok(Some(failure))`; `Err` is a failure of writing.
pub(super) fn run<R: DiagramRule>(
    model: &mut Model<R>,
    input: impl BufRead,
    out: &mut impl Write,
    json: bool,
) -> Result<Option<Failure>, Failure> {
    for (number, line) in input.lines().enumerate() {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                return Ok(Some(Failure::Failed(format!(
                    "line {}: cannot read commands from standard input: {error}",
                    number + 1
                ))));
            }
        };
        // Some editors begin a file with a byte order mark.
        let line = if number == 0 { line.trim_start_matches('\u{feff}') } else { &line };
        let line = without_comment(line);
        if line.is_empty() {
            continue;
        }
        let answer = match answer(model, line) {
            Ok(answer) => answer,
            Err(message) => {
                return Ok(Some(Failure::Usage(format!("line {}: {message}", number + 1))));
            }
        };
        if model.is_over() {
            break;
        }
        let mut text = answer.text;
        if answer.changed {
            text = format!("{text}: {} of {} left", short(model.left()), short(model.all()));
        }
        let written = if json {
            let because = answer.because.iter().map(|&reason| model.table().describe(reason));
            let object = json!({
                "command": line,
                "done": answer.done,
                "message": text,
                "left": model.left().to_string(),
                "because": because.collect::<Vec<_>>(),
            });
            writeln!(out, "{object}")
        } else {
            writeln!(out, "{}{}", if answer.done { "" } else { "refused: " }, text)
        };
        // A program may wait for the answer before it sends the next command.
        written.and_then(|()| out.flush()).map_err(|error| Failure::of_stdout(&error))?;
    }
    Ok(None)
}

/// Runs the command of a line. The error says what the line may be.
pub(super) fn answer<R: DiagramRule>(model: &mut Model<R>, line: &str) -> Result<Answer, String> {
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if !rest.is_empty() && ALONE.contains(&command) {
        return Err(format!("`{command}` takes no argument; leave `{rest}` out"));
    }
    let told = |said: Said| {
        Ok(Answer { text: said.text, done: !said.refused, because: said.because, changed: false })
    };
    let answered = |text: String| told(Said { text, ..Said::default() });
    match command {
        "undo" => model.act(Action::Undo),
        "redo" => model.act(Action::Redo),
        "sample" => model.act(Action::Sample),
        "best" => model.act(Action::Best),
        "nth" => {
            let rank =
                rest.parse().map_err(|_| format!("`{rest}` is no rank: write nth 0, say"))?;
            model.complete_nth(&rank);
        }
        "clear" => model.act(Action::Clear),
        "quit" => model.act(Action::Quit),
        "left" => return answered(model.left().to_string()),
        "weight" => {
            let weight = model.weight();
            let (done, text) = (weight.is_ok(), weight.unwrap_or_else(|message| message));
            return Ok(Answer { text, done, because: Vec::new(), changed: false });
        }
        "show" => return answered(end::Table(model).to_string().trim_end().to_owned()),
        "decisions" => return answered(end::decisions(model)),
        "choose" | "forbid" | "free" | "anyway" | "opposing" | "why" | "is" => {
            let cell = model.table().parse(rest)?;
            model.go_to(cell);
            let (variable, value) = model.table().at(cell).ok_or("there is no such place")?;
            match command {
                "choose" => model.decide(Decision::is(variable, value)),
                "forbid" => model.decide(Decision::is_not(variable, value)),
                "free" => model.free(),
                "anyway" => model.other_way().into_iter().for_each(|way| model.decide_anyway(way)),
                "opposing" => {
                    return told(
                        model.other_way().map(|way| model.opposing(way)).unwrap_or_default(),
                    );
                }
                "why" => {
                    model.act(Action::Why);
                    return told(model.said().clone());
                }
                _ => return answered(model.status(cell).map_or("", word).to_owned()),
            }
        }
        _ => return Err(format!("there is no command `{command}`: write {COMMANDS}")),
    }
    let said = model.said().clone();
    let done = !said.refused;
    Ok(Answer { text: said.text, done, because: said.because, changed: done })
}
