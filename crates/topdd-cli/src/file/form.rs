//! The form in which solutions of a saved diagram are written: as boards, as names of edges or vertices of a graph,
//! or as values of variables.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Content;
use crate::args::{Command, Drawn};
use crate::problem::Problem;
use crate::saved::{self, Elements};

/// The form of solutions.
pub(super) struct Form<'a> {
    /// The problem of the diagram, which draws boards; none if solutions are written as values.
    problem: Option<Box<dyn Problem + 'a>>,
    /// The edges or vertices of a graph; none for other diagrams.
    elements: Option<Elements>,
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
        let num_vars = content.diagram.num_vars();
        let elements = saved::elements(&content.metadata, num_vars).filter(|_| !drawn.values);
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

    /// The names of the edges or vertices of a solution in the order of the graph, with their colours.
    fn named(&self, solution: &[usize]) -> Option<Vec<String>> {
        let Elements { names, are_coloured, of_graph } = self.elements.as_ref()?;
        let variables = of_graph.order.iter().zip(names).zip(solution);
        let chosen = variables.filter(|&(_, &value)| *are_coloured || value != 0);
        let mut named: Vec<(usize, String)> = chosen
            .map(|((&index, name), &value)| match value {
                1 if !are_coloured => (index, name.clone()),
                _ => (index, format!("{name}={value}")),
            })
            .collect();
        named.sort_by_key(|&(index, _)| index);
        Some(named.into_iter().map(|(_, name)| name).collect())
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
