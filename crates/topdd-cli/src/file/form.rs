//! The form in which solutions of a saved diagram are written: as boards, as names of edges or vertices of a graph,
//! or as values of variables.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Content;
use crate::args::{Command, Drawn};
use crate::problem::Problem;
use crate::saved;

/// The form of solutions.
pub(super) struct Form<'a> {
    /// The problem of the diagram, which draws boards; none if solutions are written as values.
    problem: Option<Box<dyn Problem + 'a>>,
    /// The names of the edges or vertices of a graph, by variable; none for other diagrams.
    elements: Option<Vec<String>>,
    ascii: bool,
}

impl<'a> Form<'a> {
    /// The command that is stored in the file, if solutions are to be drawn.
    pub(super) fn command(content: &Content, drawn: &Drawn) -> Option<Command> {
        if drawn.values { None } else { saved::command(&content.metadata) }
    }

    /// The form for a file whose problem `command` describes.
    pub(super) fn of(content: &Content, command: Option<&'a Command>, drawn: &Drawn) -> Self {
        let problem = command.and_then(|command| saved::problem(command, &content.diagram));
        let elements = if drawn.values { None } else { saved::elements(&content.metadata) };
        Form { problem, elements, ascii: drawn.ascii }
    }

    /// Writes the solution at a place of a list: a heading and a board, or a line of values after
    /// `prefix`.
    pub(super) fn write(
        &self,
        out: &mut dyn Write,
        place: usize,
        prefix: &str,
        head: impl FnOnce() -> String,
        solution: &[usize],
    ) -> io::Result<()> {
        let Some(problem) = &self.problem else {
            write!(out, "{prefix}")?;
            return match self.named(solution) {
                Some(names) => writeln!(out, "{}", names.join(" ")),
                None => values(out, solution),
            };
        };
        let between = if place > 0 { "\n" } else { "" };
        write!(out, "{between}{}:", head())?;
        // A forged file may have other solutions than its problem.
        let Some(squares) = problem.read(solution) else {
            write!(out, " values ")?;
            return values(out, solution);
        };
        let line = problem.line(&squares);
        writeln!(out, "{}{line}", if line.is_empty() { "" } else { " " })?;
        out.write_all(problem.draw(&squares, self.ascii).as_bytes())
    }

    /// The names of the edges or vertices of a solution, with values other than 1.
    fn named(&self, solution: &[usize]) -> Option<Vec<String>> {
        let names = self.elements.as_ref().filter(|names| names.len() == solution.len())?;
        let chosen = names.iter().zip(solution).filter(|&(_, &value)| value != 0);
        let named = chosen.map(|(name, &value)| match value {
            1 => name.clone(),
            _ => format!("{name}={value}"),
        });
        Some(named.collect())
    }

    /// The solution for scripts: squares, names, or values.
    pub(super) fn json(&self, solution: &[usize]) -> Value {
        let squares = self
            .problem
            .as_ref()
            .and_then(|problem| problem.read(solution).map(|squares| problem.listed(&squares)));
        let named = || self.named(solution).map(Value::from);
        squares.or_else(named).unwrap_or_else(|| json!(solution))
    }
}

/// Writes the values of a solution as a line.
fn values(out: &mut dyn Write, solution: &[usize]) -> io::Result<()> {
    for (variable, value) in solution.iter().enumerate() {
        let before = if variable > 0 { " " } else { "" };
        write!(out, "{before}{value}")?;
    }
    writeln!(out)
}
