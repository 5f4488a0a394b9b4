//! Some of the solutions of a diagram: a range of them, random ones, the best.

use topdd::{Diagram, Goal, QueryError as Error, Solutions};

use std::borrow::Cow;
use std::io::{self, Write};

use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use topdd::diagram::DiagramRule;
use topdd_problem::decimal::{Decimal, Scale};
use topdd_problem::elements::{GraphElements, NO_ELEMENTS};
use topdd_problem::names::Name;
use topdd_problem::record::Elements;

use super::selection::open_selected;
use super::{Content, either, failed_among, print, weights};
use crate::args::{Best, Drawn, List, SEEDS, Sample};
use crate::failure::Failure;
use crate::problem::Problem;
use crate::saved;

/// `topdd list`.
pub(crate) fn list(asked: &List) -> Result<(), Failure> {
    asked.selection.refuse_unused_weights(false)?;
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    let form = SolutionForm::new(&content, &asked.drawn);
    let solutions = either!(&content.diagram, diagram => match &asked.from {
        None => Ok(diagram.iter()),
        Some(rank) => diagram.index().iter_from(rank),
    });
    let solutions =
        solutions.map_err(|error| failed_among(&asked.input.file, &error, &asked.selection))?;
    let limit = asked.limit.unwrap_or(usize::MAX);
    let from = asked.from.clone().unwrap_or(BigUint::ZERO);
    let mut listing = Listing { from, ..Listing::new(&form, solutions, limit) };
    print(|out| {
        if !asked.input.json {
            return listing.write(out);
        }
        write!(out, "{{\"from\":\"{}\",\"solutions\":[", listing.from)?;
        listing.write_json(out)?;
        writeln!(out, "]}}")
    })
}

/// Solutions in lexicographic order.
pub(super) struct Listing<'a> {
    form: &'a SolutionForm,
    solutions: Solutions,
    /// The rank of the first one.
    from: BigUint,
    /// The most that are written.
    limit: usize,
}

impl<'a> Listing<'a> {
    /// The first solutions.
    pub(super) fn new(form: &'a SolutionForm, solutions: Solutions, limit: usize) -> Self {
        Listing { form, solutions, from: BigUint::ZERO, limit }
    }

    /// Writes the solutions as text.
    pub(super) fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for place in 0..self.limit {
            let Some(solution) = self.solutions.advance() else { break };
            let head = || format!("solution {}", &self.from + place);
            self.form.write(out, place, "", head, solution)?;
        }
        Ok(())
    }

    /// Writes the solutions as the items of a JSON list.
    pub(super) fn write_json(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for place in 0..self.limit {
            let Some(solution) = self.solutions.advance() else { break };
            item(out, place, &self.form.json(solution))?;
        }
        Ok(())
    }
}

/// `topdd sample`.
pub(crate) fn sample(asked: &Sample) -> Result<(), Failure> {
    asked.selection.refuse_unused_weights(false)?;
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    let form = SolutionForm::new(&content, &asked.drawn);
    either!(&content.diagram, diagram => sample_of(diagram, &form, asked))
}

fn sample_of<R: DiagramRule>(
    diagram: &Diagram<R>,
    form: &SolutionForm,
    asked: &Sample,
) -> Result<(), Failure> {
    let failed = |error: Error| failed_among(&asked.input.file, &error, &asked.selection);
    if diagram.is_empty() && asked.k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let seed = asked.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let index = diagram.index();
    let distinct = asked
        .distinct
        .then(|| index.sample_distinct(asked.k, &mut rng).map_err(failed))
        .transpose()?;
    // One by one, unless all had to be known at once.
    let drawn = (0..asked.k).map(|place| match &distinct {
        Some(solutions) => solutions[place].clone(),
        None => index.sample(&mut rng).expect("there are solutions"),
    });
    print(|out| {
        if !asked.input.json {
            for (place, solution) in drawn.enumerate() {
                let head = || format!("sample {place} of seed {seed}");
                form.write(out, place, "", head, &solution)?;
            }
            return Ok(());
        }
        write!(out, "{{\"seed\":{seed},\"solutions\":[")?;
        for (place, solution) in drawn.enumerate() {
            item(out, place, &form.json(&solution))?;
        }
        writeln!(out, "]}}")
    })
}

/// `topdd best`.
pub(crate) fn best(asked: &Best) -> Result<(), Failure> {
    let content = open_selected(&asked.input, &asked.selection, asked.drawn.values)?;
    let form = SolutionForm::new(&content, &asked.drawn);
    let weights = weights::of(&content, asked.selection.weights.as_deref(), &asked.input.file)?;
    either!(&content.diagram, diagram => best_of(diagram, &weights, &form, asked))
}

fn best_of<R: DiagramRule>(
    diagram: &Diagram<R>,
    weights: &[Vec<Decimal>],
    form: &SolutionForm,
    asked: &Best,
) -> Result<(), Failure> {
    let failed = |error: Error| failed_among(&asked.input.file, &error, &asked.selection);
    let scale = Scale::new(weights.iter().flatten());
    let file = asked.selection.weights.as_ref().unwrap_or(&asked.input.file);
    let weights = weights::scaled(weights, scale, file)?;
    let goal = if asked.max { Goal::Maximum } else { Goal::Minimum };
    if diagram.is_empty() && asked.k > 0 {
        return Err(failed(Error::NoSolutions));
    }
    let best = diagram.best(&weights, goal, asked.k).map_err(failed)?;
    print(|out| {
        if !asked.input.json {
            for (place, best) in best.enumerate() {
                let weight = scale.text(best.weight);
                let head = || format!("weight {weight}");
                form.write(out, place, &format!("{weight}: "), head, &best.solution)?;
            }
            return Ok(());
        }
        let word = if asked.max { "maximum" } else { "minimum" };
        write!(out, "{{\"goal\":\"{word}\",\"best\":[")?;
        for (place, best) in best.enumerate() {
            let (weight, solution) = (scale.text(best.weight), form.json(&best.solution));
            item(out, place, &json!({ "weight": weight, "solution": solution }))?;
        }
        writeln!(out, "]}}")
    })
}

/// Writes an item of a JSON list.
fn item(out: &mut dyn Write, place: usize, value: &Value) -> io::Result<()> {
    write!(out, "{}{value}", if place > 0 { "," } else { "" })
}

/// The form of solutions.
pub(super) struct SolutionForm {
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

impl SolutionForm {
    /// The form for a file.
    pub(super) fn new(content: &Content, drawn: &Drawn) -> Self {
        if drawn.values {
            return SolutionForm { problem: None, elements: None, ascii: drawn.ascii };
        }
        let record = saved::record(&content.metadata);
        let elements = record.elements(&content.metadata, content.diagram.num_vars());
        SolutionForm {
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
