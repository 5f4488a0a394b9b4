//! The actions of the dialogue as lines of text, and the board or table as text.

use std::fmt::{self, Write as _};

use topdd::diagram::DiagramRule;
use topdd::{Decision, Status};
use unicode_width::UnicodeWidthStr;

use super::table::{Cell, joined, word};
use super::{Dialogue, Said};

/// The commands of the dialogue, and their meanings.
pub const COMMANDS: [(&str, &str); 19] = [
    ("choose a1", "choose it"),
    ("forbid a1", "exclude it"),
    ("free a1", "take back the decision about it"),
    ("is a1", "its status: chosen, forced, free, forbidden or impossible"),
    ("why a1", "the decisions that force it or make it impossible"),
    (
        "anyway a1",
        "choose it, or forbid a forced one, and take back the fewest decisions that oppose it",
    ),
    ("opposing a1", "these decisions"),
    ("undo", "undo the last change"),
    ("redo", "redo it"),
    ("sample", "complete at random, all solutions with the same probability"),
    ("best", "complete to the solution of least weight, or with --max of largest weight"),
    ("nth 3", "complete to the solution of rank 3; ranks start from 0"),
    ("clear", "take back all decisions"),
    ("left", "the number of solutions left"),
    ("weight", "the best weight left"),
    ("decisions", "the decisions"),
    ("show", "the board or the table"),
    ("help", "this list"),
    ("quit", "end, and print the decisions; as the end of the input does"),
];

/// The reply to a command.
#[derive(Debug)]
pub struct Answer {
    /// The message.
    pub text: String,
    /// Whether the command was performed, and not refused.
    pub done: bool,
    /// The decisions that the message names as the reason.
    pub because: Vec<Decision>,
    /// Whether the decisions may have changed.
    pub changed: bool,
    /// Whether the dialogue is over.
    pub ends: bool,
}

/// Returns the list of commands and their meanings, indented.
pub fn help() -> String {
    let width = COMMANDS.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (usage, meaning) in COMMANDS {
        let _ = writeln!(text, "  {usage:width$}  {meaning}");
    }
    text
}

impl<R: DiagramRule> Dialogue<R> {
    /// Runs the command of a line, such as `choose a1`.
    ///
    /// # Errors
    ///
    /// A message that says what the line may be.
    pub fn command(&mut self, line: &str) -> Result<Answer, String> {
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
            "undo" => self.undo(),
            "redo" => self.redo(),
            "sample" => self.sample(),
            "best" => self.complete_best(),
            "nth" => {
                let rank =
                    rest.parse().map_err(|_| format!("`{rest}` is no rank: write nth 0, say"))?;
                self.complete_nth(&rank);
            }
            "clear" => self.clear(),
            "quit" => return answered(String::new()),
            "help" => return answered(help().trim_end().to_owned()),
            "left" => return answered(self.left().to_string()),
            "weight" => {
                let weight = self.weight();
                let refused = weight.is_err();
                let text = weight.unwrap_or_else(|message| message);
                return told(Said { text, refused, ..Said::default() });
            }
            "show" => return answered(Table(self).to_string().trim_end().to_owned()),
            "decisions" => return answered(self.decisions_line()),
            "choose" | "forbid" | "free" | "anyway" | "opposing" | "why" | "is" => {
                let cell = self.table().parse(rest)?;
                let (variable, value) = self.table().at(cell).ok_or("there is no such place")?;
                match command {
                    "choose" => self.decide(Decision::is(variable, value)),
                    "forbid" => self.decide(Decision::is_not(variable, value)),
                    "free" => self.free(cell),
                    "anyway" => {
                        if let Some(way) = self.other_way(cell) {
                            self.decide_anyway(way);
                        }
                    }
                    "opposing" => {
                        let way = self.other_way(cell);
                        return told(way.map(|way| self.opposing(way)).unwrap_or_default());
                    }
                    "why" => return told(self.why(cell)),
                    _ => return answered(self.status(cell).map_or("", word).to_owned()),
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
        let answer = told(self.said().clone())?;
        Ok(Answer { changed: answer.done, ..answer })
    }
    /// Returns the decisions in words, on one line.
    pub fn decisions_line(&self) -> String {
        let words = self.decisions().iter().map(|&decision| self.table().describe(decision));
        let words: Vec<String> = words.collect();
        if words.is_empty() { "none".to_owned() } else { words.join(", ") }
    }
}

/// A board, or a line for each variable with its chosen, forced or free values. Ends with a line break.
#[derive(Debug)]
pub struct Table<'a, R: DiagramRule>(pub &'a Dialogue<R>);

impl<R: DiagramRule> fmt::Display for Table<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Table(dialogue), table) = (self, self.0.table());
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
                    match dialogue.status(Cell { row, col }) {
                        Some(Status::Free) => write!(f, " {}", table.value_name(row, col))?,
                        Some(status @ (Status::Chosen | Status::Forced)) => {
                            write!(f, " {}{}", table.value_name(row, col), sign(status))?;
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
                write!(f, " {:>wide$}", dialogue.status(Cell { row, col }).map_or(' ', sign))?;
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
