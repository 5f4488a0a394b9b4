//! The form in which solutions of a saved diagram are written: as boards, as names of edges or vertices of a graph,
//! or as values of variables.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::Content;
use crate::args::Drawn;
use crate::problem::Problem;
use crate::saved;
use topdd_problem::elements::{GraphElements, NO_ELEMENTS};
use topdd_problem::names::Name;
use topdd_problem::record::Elements;

/// The form of solutions.
pub(super) struct Form {
    /// The problem of the diagram, which draws boards; none if solutions are written as values.
    problem: Option<Box<dyn Problem>>,
    /// None for diagrams without a graph.
    elements: Option<ElementForm>,
    ascii: bool,
}

/// The form of sets of edges or vertices, or of colourings.
struct ElementForm {
    elements: Elements,
    /// The names as they are printed, by variable.
    printed: Vec<String>,
    /// The variables in the order of the graph.
    variables: Vec<usize>,
}

impl ElementForm {
    fn new(elements: Elements) -> Self {
        let printed = elements.names.iter().map(Name::printed).collect();
        let mut variables: Vec<usize> = (0..elements.names.len()).collect();
        variables.sort_by_key(|&variable| elements.order[variable]);
        ElementForm { elements, printed, variables }
    }

    /// The edges or vertices of a solution in the order of the graph, with their colours; `name` has the name of a
    /// variable.
    fn named<'a>(
        &'a self,
        solution: &[usize],
        name: impl Fn(usize) -> Cow<'a, str>,
    ) -> Vec<Cow<'a, str>> {
        let mut named = Vec::new();
        for &variable in &self.variables {
            match solution[variable] {
                0 if !self.elements.are_coloured => {}
                1 if !self.elements.are_coloured => named.push(name(variable)),
                value => named.push(format!("{}={value}", name(variable)).into()),
            }
        }
        named
    }

    fn line(&self, solution: &[usize]) -> String {
        if let Some(graph) = self.graph_of(solution) {
            return graph.line(&graph.read(&self.elements.order, solution));
        }
        match &self.named(solution, |variable| self.printed[variable].as_str().into())[..] {
            [] => NO_ELEMENTS.to_owned(),
            named => named.join(" "),
        }
    }

    /// The graph, which writes a solution as a run does. A forged file may have other values.
    fn graph_of(&self, solution: &[usize]) -> Option<&GraphElements> {
        let Elements { graph, are_coloured, .. } = &self.elements;
        graph.as_ref().filter(|_| *are_coloured || solution.iter().all(|&value| value < 2))
    }

    fn json(&self, solution: &[usize]) -> Value {
        let Elements { order, names, .. } = &self.elements;
        match self.graph_of(solution) {
            Some(graph) => graph.json(&graph.read(order, solution)),
            None => self.named(solution, |variable| names[variable].stored().into()).into(),
        }
    }
}

impl Form {
    /// The form for a file.
    pub(super) fn new(content: &Content, drawn: &Drawn) -> Self {
        if drawn.values {
            return Form { problem: None, elements: None, ascii: drawn.ascii };
        }
        let record = saved::record(&content.metadata);
        let elements = record.elements(&content.metadata, content.diagram.num_vars());
        Form {
            problem: saved::problem(&record, &content.diagram),
            elements: elements.map(ElementForm::new),
            ascii: drawn.ascii,
        }
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
            return match &self.elements {
                Some(elements) => writeln!(out, "{}", elements.line(solution)),
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

    /// The solution for scripts: squares, edges or vertices, names, or values.
    pub(super) fn json(&self, solution: &[usize]) -> Value {
        if let Some(problem) = &self.problem
            && let Some(squares) = problem.read(solution)
        {
            return problem.listed(&squares);
        }
        self.elements.as_ref().map_or_else(|| json!(solution), |elements| elements.json(solution))
    }
}

/// Writes the values of a solution as a line.
fn values(out: &mut dyn Write, solution: &[usize]) -> io::Result<()> {
    let mut line = String::with_capacity(2 * solution.len() + 1);
    for (variable, &value) in solution.iter().enumerate() {
        if variable > 0 {
            line.push(' ');
        }
        // Most values have one digit, and formatting takes most of the time of a list.
        match value {
            0..=9 => line.push(char::from(b'0' + value as u8)),
            _ => line.push_str(&value.to_string()),
        }
    }
    line.push('\n');
    out.write_all(line.as_bytes())
}
