//! The metadata of saved diagrams, and the problem that is made again from them.

use topdd::format::Metadata;
use topdd::{AnyDiagram, Zdd};
use topdd_graph::families::Unit;
use topdd_problem::record::variable_names;
use topdd_problem::{CellTable, Elements, GraphElements, Name, Nouns, Placement, Record, Subject};

use crate::failure::Failure;
use crate::file::{Content, either};
use crate::form::{ElementForm, Form, Values};
use crate::problem::cover::CoverForm;
use crate::problem::{self, Identity, Problem, Variables};

/// The most squares of a board that is made from a file.
const MAX_SQUARES: usize = 1 << 12;

/// The most variables of a diagram for which a board is made: as many as tours by time on a board of
/// 256 squares have.
const MAX_VARIABLES: usize = 1 << 16;

/// The metadata of the diagram of a problem.
pub(crate) fn metadata(problem: &dyn Problem, zdd: &Zdd) -> Metadata {
    let mut metadata = Metadata::new();
    let Identity { title, subject, unit, .. } = problem.identity();
    metadata.set_problem(title);
    let of_board = Record { subject: subject.clone(), ..Record::default() };
    match problem.variables() {
        Some(Variables::Board(placement)) => {
            let values = value_names(&placement, zdd);
            metadata.set_variable_names(values.iter().enumerate().map(|(variable, values)| {
                match &values[..] {
                    // A square, or several that symmetry makes one.
                    [_, squares] if *unit == "square" => squares.clone(),
                    _ => format!("{unit} {}", variable + 1),
                }
            }));
            metadata.set_value_names(values);
            of_board.store(&mut metadata);
        }
        Some(Variables::Elements(elements)) => store(elements, subject.clone(), &mut metadata),
        None => of_board.store(&mut metadata),
    }
    metadata
}

impl Content {
    /// The record of the file; empty if there is none that can be used.
    fn record(&self) -> Record {
        Record::read(&self.metadata).ok().flatten().unwrap_or_default()
    }

    /// The edges or vertices of a graph, or other named elements.
    pub(crate) fn elements(&self) -> Option<Elements> {
        self.record().elements(&self.metadata, self.diagram.num_vars())
    }

    /// The names of the variables, if there is one for each.
    pub(crate) fn names(&self) -> Option<Vec<Name>> {
        let names = || variable_names(&self.metadata, self.diagram.num_vars());
        self.elements().map(|elements| elements.names).or_else(names)
    }

    /// The number of values of each variable.
    pub(crate) fn arities(&self) -> Vec<usize> {
        let arity = |variable| either!(&self.diagram, diagram => diagram.arity(variable));
        (0..self.diagram.num_vars()).map(arity).collect()
    }

    /// The form of the solutions; with `values`, as the values of variables.
    pub(crate) fn form(&self, values: bool) -> Box<dyn Form> {
        if values {
            return Box::new(Values { names: None });
        }
        if let Some(problem) = problem(&self.record(), &self.diagram) {
            return problem;
        }
        match self.elements() {
            Some(elements) if self.record().subject == Some(Subject::Cover) => {
                Box::new(CoverForm::new(elements))
            }
            Some(elements) => Box::new(ElementForm::new(elements)),
            None => Box::new(Values { names: self.names() }),
        }
    }

    /// The board of the problem in the file `title`, or a table of its variables if it has none, or for `values`.
    pub(crate) fn table(&self, title: String, values: bool) -> CellTable {
        if values {
            return CellTable::list(title, self.arities(), None, Nouns::VARIABLES);
        }
        let problem = problem(&self.record(), &self.diagram);
        if let Some(placement) = problem.and_then(|problem| placement(&*problem)) {
            return CellTable::on_board(title, placement);
        }
        let elements = self.elements();
        let values = elements.as_ref().and_then(|all| all.values.clone()).unwrap_or_default();
        let graph = elements.and_then(|all| Some((all.graph?, all.order)));
        let nouns = match graph.as_ref().map(|(graph, _)| graph.unit()) {
            Some(Unit::Edge) => Nouns::EDGES,
            Some(Unit::Vertex | Unit::Colour) => Nouns::VERTICES,
            None => Nouns::VARIABLES,
        };
        let table = CellTable::list(title, self.arities(), self.names(), nouns);
        table.with_graph(graph).with_values(&values)
    }

    /// Saved tours as a family of the graph of their moves, with a variable for each move; `None` for other diagrams, and
    /// for tours that are no sets of moves.
    pub(crate) fn by_move(&self) -> Result<Option<Self>, Failure> {
        let record = self.record();
        let is_problem = problem(&record, &self.diagram).is_some();
        let (Some(Subject::Tours(tours)), AnyDiagram::Zdd(zdd), true) =
            (&record.subject, &self.diagram, is_problem)
        else {
            return Ok(None);
        };
        let Some((zdd, family, elements)) = problem::knights::by_move(tours, zdd)? else {
            return Ok(None);
        };
        let mut metadata = Metadata::new();
        let subject = Subject::Graph { family, conditions: Vec::new() };
        store(&elements, Some(subject), &mut metadata);
        Ok(Some(Content { diagram: zdd.into(), metadata }))
    }
}

/// Stores the names of the variables and the record.
fn store(elements: &Elements, subject: Option<Subject>, metadata: &mut Metadata) {
    let Elements { names, order, weights, graph, .. } = elements;
    metadata.set_variable_names(names.iter().map(Name::stored));
    let (graph, order) = (graph.as_ref().map(GraphElements::record), Some(order.clone()));
    Record { subject, graph, order, weights: weights.clone(), ..Record::default() }.store(metadata);
}

/// The names of values: the squares on which they put pieces.
fn value_names(placement: &Placement, zdd: &Zdd) -> Vec<Vec<String>> {
    let values = |variable| vec![String::new(); zdd.arity(variable)];
    let mut names: Vec<Vec<String>> = (0..zdd.num_vars()).map(values).collect();
    for (square, &(variable, value)) in placement.board.squares().zip(&placement.puts) {
        let name = &mut names[variable][value];
        *name += if name.is_empty() { "" } else { " and " };
        *name += &square.to_string();
    }
    for name in names.iter_mut().flatten().filter(|name| name.is_empty()) {
        "empty".clone_into(name);
    }
    names
}

/// Makes the problem of a board again, if the diagram may be its diagram: the board is not much
/// larger than the diagram, the number of variables is the same, and the variables have the values
/// that put pieces on squares. In a forged file, solutions may still be none of the problem.
fn problem(record: &Record, diagram: &AnyDiagram) -> Option<Box<dyn Problem>> {
    let AnyDiagram::Zdd(zdd) = diagram else { return None };
    if zdd.num_vars() > MAX_VARIABLES {
        return None;
    }
    // A variable stands for at most four symmetric squares; by row, it has a value for each column.
    let values: usize = (0..zdd.num_vars()).map(|variable| zdd.arity(variable)).sum();
    let may_have = |rows: usize, cols: usize, missing: usize| {
        let most = values.saturating_mul(4).saturating_add(missing).saturating_add(4);
        let squares =
            rows.checked_mul(cols).is_some_and(|squares| squares <= MAX_SQUARES.min(most));
        squares && rows <= most && cols <= most
    };
    let problem = match record.subject.as_ref()? {
        Subject::Queens(asked) if may_have(asked.on.rows, asked.on.cols, 0) => {
            problem::queens::saved(asked).ok()?
        }
        Subject::Pieces(asked) if may_have(asked.on.rows, asked.on.cols, 0) => {
            problem::place::saved(asked).ok()?
        }
        Subject::Tours(asked) if may_have(asked.rows, asked.cols, asked.missing.len()) => {
            problem::knights::saved(asked)
        }
        _ => return None,
    };
    let fits = problem.num_vars().ok()? == zdd.num_vars()
        && placement(&*problem).is_none_or(|placement| {
            let has = |&(variable, value): &(usize, usize)| value < zdd.arity(variable);
            placement.puts.iter().all(has)
        });
    fits.then_some(problem)
}

/// The board of a problem, if its variables stand for squares.
fn placement(problem: &dyn Problem) -> Option<Placement> {
    match problem.variables()? {
        Variables::Board(placement) => Some(placement),
        Variables::Elements(_) => None,
    }
}
