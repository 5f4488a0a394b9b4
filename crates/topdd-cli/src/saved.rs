//! The metadata of saved diagrams: the problem, and the arguments from which it is made again.

use std::str::FromStr;

use clap::Parser;
use serde_json::json;
use topdd::format::Metadata;
use topdd::{AnyDiagram, Zdd};
use topdd_chess::Square;
use topdd_graph::families::Unit;

use crate::args::{Args, Command, Question};
use crate::cell_table::CellTable;
use crate::failure::Failure;
use crate::names::{Name, Nouns};
use crate::problem::graph::{GraphElements, GraphRecord};
use crate::problem::{
    self, ElementWeights, Identity, Loss, Named, OfGraph, Part, Placement, Problem,
};
use crate::problem::{Variables, names};

/// The key of the arguments of `topdd`, quoted as for a shell.
pub(crate) const COMMAND: &str = "topdd-command";

/// The key of the edge, or the vertex, of each variable, in the order of the file of the graph.
pub(crate) const ORDER: &str = "topdd-order";

/// The key of the weight of each variable, in a graph with weights, or of the word of a [`Loss`].
pub(crate) const WEIGHTS: &str = "topdd-weights";

/// The key of the graph, in JSON.
pub(crate) const GRAPH: &str = "topdd-graph";

/// The most squares of a board that is made from a file.
const MAX_SQUARES: usize = 1 << 12;

/// The most variables of a diagram for which a board is made: as many as tours by time on a board of
/// 256 squares have.
const MAX_VARIABLES: usize = 1 << 16;

/// The metadata of the diagram of a problem.
pub(crate) fn metadata<T: Part>(problem: &dyn Problem<T>, zdd: &Zdd) -> Metadata {
    let mut metadata = Metadata::new();
    let Identity { title, arguments, unit, .. } = problem.identity();
    metadata.set_problem(title);
    let words: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
    if !words.is_empty() {
        metadata.set(COMMAND, words.join(" "));
    }
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
        }
        Some(Variables::Graph(OfGraph { names: labels, order, weights, graph })) => {
            metadata.set_variable_names(labels);
            set_graph(&mut metadata, &graph, &order);
            set_weights(&mut metadata, &weights);
        }
        Some(Variables::Named(Named { names: of_variables, order })) => {
            // An order without a command: solutions are listed as sets of names.
            metadata.set_variable_names(of_variables);
            metadata.set(ORDER, names(&order).join(" "));
        }
        None => {}
    }
    fit(&mut metadata);
    metadata
}

/// Removes entries until the metadata can be written.
fn fit(metadata: &mut Metadata) {
    for key in [Metadata::VALUES, GRAPH, WEIGHTS, ORDER, Metadata::VARIABLES, Metadata::PROBLEM] {
        if metadata.size() > Metadata::MAX_SIZE && metadata.remove(key).is_some() && key == WEIGHTS
        {
            set_weights(metadata, &ElementWeights::Lost(Loss::TooLarge));
        }
    }
}

/// The diagram and the metadata of saved tours as a family of the graph of their moves, with a variable for each move;
/// `None` for other diagrams, and for tours that are no sets of moves.
pub(crate) fn by_move(
    diagram: &AnyDiagram,
    metadata: &Metadata,
) -> Result<Option<(AnyDiagram, Metadata)>, Failure> {
    let command = command(metadata).filter(|command| problem(command, diagram).is_some());
    let (Some(Command::Knights(asked)), AnyDiagram::Zdd(zdd)) = (command, diagram) else {
        return Ok(None);
    };
    let Some(moves) = problem::knights::by_move(&asked, zdd)? else { return Ok(None) };
    let elements = GraphElements::new(None, Unit::Edge, moves.graph);
    let mut metadata = Metadata::new();
    metadata.set_variable_names(moves.order.iter().map(|&edge| elements.names()[edge].stored()));
    metadata.set(COMMAND, moves.arguments.join(" "));
    set_graph(&mut metadata, &elements.record(), &moves.order);
    Ok(Some((moves.zdd.into(), metadata)))
}

/// Stores a graph, and the element of each variable.
fn set_graph(metadata: &mut Metadata, graph: &GraphRecord, order: &[usize]) {
    metadata.set(GRAPH, json!(graph).to_string());
    metadata.set(ORDER, names(order).join(" "));
}

/// Stores weights by variable, or the word of their loss. A graph without weights has no entry.
fn set_weights(metadata: &mut Metadata, weights: &ElementWeights) {
    let text = match weights {
        ElementWeights::Ones => return,
        ElementWeights::Given(weights) => names(weights).join(" "),
        ElementWeights::Lost(loss) => loss.word().to_owned(),
    };
    metadata.set(WEIGHTS, text);
}

/// The weights by variable.
fn weights(metadata: &Metadata, num_vars: usize) -> ElementWeights {
    let Some(text) = metadata.get(WEIGHTS) else { return ElementWeights::Ones };
    let loss = Loss::ALL.into_iter().find(|loss| loss.word() == text);
    match numbers(metadata, WEIGHTS, num_vars) {
        Some(weights) if loss.is_none() => ElementWeights::Given(weights),
        _ => ElementWeights::Lost(loss.unwrap_or(Loss::Unreadable)),
    }
}

/// The part of the metadata of two diagrams that also describes a combination of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// All: both are of the same problem.
    All,
    /// The graph, or the union of both graphs.
    Graph {
        is_union: bool,
        /// Whether weights are kept; if not, the two files have other weights.
        has_weights: bool,
    },
    /// The names of variables and values.
    Names,
}

/// The metadata of a combination of two diagrams. For each of its variables, `variables` has the variables of the two,
/// and `names` the name. `operation` is the operation in a word.
pub(crate) fn combined(
    both: [&Metadata; 2],
    variables: &[[Option<usize>; 2]],
    names: Option<&[Name]>,
    operation: &str,
) -> (Metadata, Kept) {
    let [left, right] = both;
    if left == right {
        return (left.clone(), Kept::All);
    }
    let mut metadata = Metadata::new();
    match (left.problem(), right.problem()) {
        (Some(left), Some(right)) if left == right => metadata.set_problem(left),
        (Some(left), Some(right)) => {
            metadata.set_problem(format!("({left}) {operation} ({right})"));
        }
        _ => {}
    }
    if let Some(names) = names {
        metadata.set_variable_names(names.iter().map(Name::stored));
    }
    let is_same_order = variables.iter().enumerate().all(|(v, both)| *both == [Some(v); 2]);
    if let Some(values) = left.get(Metadata::VALUES)
        && is_same_order
        && right.get(Metadata::VALUES) == Some(values)
    {
        metadata.set(Metadata::VALUES, values);
    }
    let num_vars =
        [0, 1].map(|side: usize| variables.iter().filter(|both| both[side].is_some()).count());
    let Some(common) = common_graph(both, num_vars, variables, names) else {
        if [0, 1].iter().all(|&side| elements(both[side], num_vars[side]).is_some()) {
            // Elements without a graph, which are listed by name.
            let order: Vec<usize> = (0..variables.len()).collect();
            metadata.set(ORDER, problem::names(&order).join(" "));
        }
        fit(&mut metadata);
        return (metadata, Kept::Names);
    };
    let weights = common_weights(both, num_vars, variables);
    let has_weights = weights != ElementWeights::Lost(Loss::Differ);
    let is_same_problem = left.problem().is_some_and(|problem| right.problem() == Some(problem));
    let have_all = variables.iter().all(|both| both.iter().all(Option::is_some));
    if is_same_problem && !common.is_union && has_weights && have_all {
        // The same problem in two orders: the combination has the order of the left operand.
        return (left.clone(), Kept::All);
    }
    set_graph(&mut metadata, &common.graph, &common.order);
    set_weights(&mut metadata, &weights);
    fit(&mut metadata);
    (metadata, Kept::Graph { is_union: common.is_union, has_weights })
}

/// The graph of a combination of two diagrams of graphs.
struct CommonGraph {
    graph: GraphRecord,
    /// The element of each variable.
    order: Vec<usize>,
    /// Whether the two have different graphs.
    is_union: bool,
}

/// The graph of a combination of two diagrams; `None` unless both have graphs of the same kind, in whose union the
/// elements of the variables have these `names`.
fn common_graph(
    both: [&Metadata; 2],
    num_vars: [usize; 2],
    variables: &[[Option<usize>; 2]],
    names: Option<&[Name]>,
) -> Option<CommonGraph> {
    let record = |side: usize| serde_json::from_str(both[side].get(GRAPH)?).ok();
    let (left, right): (GraphRecord, GraphRecord) = (record(0)?, record(1)?);
    let order = |side: usize| numbers::<usize>(both[side], ORDER, num_vars[side]);
    let orders = [order(0)?, order(1)?];
    let of = |variables: &[Option<usize>; 2]| {
        [0, 1].map(|side| variables[side].map(|variable| orders[side][variable]))
    };
    let (graph, order) = left.union(&right, &variables.iter().map(of).collect::<Vec<_>>())?;
    let elements = GraphElements::from_record(None, &graph, &order)?;
    let of_union = order.iter().map(|&index| elements.names()[index].printed());
    let have_names = of_union.eq(names?.iter().map(Name::printed));
    have_names.then_some(CommonGraph { graph, order, is_union: left != right })
}

/// The weights of the combination of two diagrams of graphs.
fn common_weights(
    both: [&Metadata; 2],
    num_vars: [usize; 2],
    variables: &[[Option<usize>; 2]],
) -> ElementWeights {
    match [0, 1].map(|side| weights(both[side], num_vars[side])) {
        [ElementWeights::Given(left), ElementWeights::Given(right)] => {
            common_numbers([&left, &right], variables)
                .map_or(ElementWeights::Lost(Loss::Differ), ElementWeights::Given)
        }
        [left, right] if left == right => left,
        _ => ElementWeights::Lost(Loss::Differ),
    }
}

/// The numbers of two diagrams for the variables of their combination; `None` unless both have the same ones.
fn common_numbers<T: Copy + PartialEq>(
    [left, right]: [&[T]; 2],
    variables: &[[Option<usize>; 2]],
) -> Option<Vec<T>> {
    let common = variables.iter().map(|&[l, r]| match (l, r) {
        (Some(l), Some(r)) => (left[l] == right[r]).then_some(left[l]),
        (l, r) => l.map(|l| left[l]).or(r.map(|r| right[r])),
    });
    common.collect()
}

/// A word as an argument in a shell. Lists with commas are written as they are.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:@,+=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // Only a byte 0 cannot be quoted, which no argument has.
    shlex::try_quote(word).unwrap_or_default().into_owned()
}

/// The names of values: the squares on which they put pieces.
fn value_names(placement: &Placement, zdd: &Zdd) -> Vec<Vec<String>> {
    let mut squares: Vec<Vec<Vec<Square>>> =
        (0..zdd.num_vars()).map(|variable| vec![Vec::new(); zdd.arity(variable)]).collect();
    for (square, &(variable, value)) in placement.board.squares().zip(&placement.puts) {
        squares[variable][value].push(square);
    }
    let name = |squares: &Vec<Square>| match &squares[..] {
        [] => "empty".to_owned(),
        squares => names(squares).join(" and "),
    };
    squares.iter().map(|values| values.iter().map(name).collect()).collect()
}

/// The edges or vertices of a graph, by variable.
pub(crate) struct Elements {
    pub(crate) names: Vec<Name>,
    /// Whether they have colours: then elements of value 0 are written, too.
    pub(crate) are_coloured: bool,
    /// The edge, or the vertex, of each variable, in the order of the file.
    pub(crate) order: Vec<usize>,
    pub(crate) weights: ElementWeights,
    /// The graph; `None` in files of older versions.
    pub(crate) graph: Option<GraphElements>,
}

/// The edges or vertices of a graph, if the diagram is one of `topdd graph`, or a combination of several, with so many
/// variables.
pub(crate) fn elements(metadata: &Metadata, num_vars: usize) -> Option<Elements> {
    let words = metadata.get(COMMAND).map_or_else(|| Some(Vec::new()), shlex::split)?;
    let is_combined = words.is_empty() && metadata.get(ORDER).is_some();
    if words.first().is_none_or(|word| word != "graph") && !is_combined {
        return None;
    }
    let order = numbers(metadata, ORDER, num_vars).unwrap_or_else(|| (0..num_vars).collect());
    let weights = weights(metadata, num_vars);
    let graph = graph(metadata, &order);
    let are_coloured = words.get(1).is_some_and(|what| what == "colourings")
        || graph.as_ref().is_some_and(|graph| graph.unit() == Unit::Colour);
    let names = match &graph {
        Some(graph) => order.iter().map(|&index| graph.names()[index].clone()).collect(),
        None => variable_names(metadata, num_vars)?,
    };
    Some(Elements { names, are_coloured, order, weights, graph })
}

/// The graph of a diagram; `None` if the file has none that fits.
fn graph(metadata: &Metadata, order: &[usize]) -> Option<GraphElements> {
    let record = serde_json::from_str(metadata.get(GRAPH)?).ok()?;
    if metadata.get(COMMAND).is_none() {
        return GraphElements::from_record(None, &record, order);
    }
    match parse(metadata)? {
        Command::Graph(asked) => match &asked.0 {
            Question::Family(family) => GraphElements::from_record(Some(family), &record, order),
            _ => None,
        },
        _ => None,
    }
}

/// The names of the variables, if there is one for each.
pub(crate) fn names_of_variables(metadata: &Metadata, num_vars: usize) -> Option<Vec<Name>> {
    let elements = elements(metadata, num_vars).map(|elements| elements.names);
    elements.or_else(|| variable_names(metadata, num_vars))
}

fn variable_names(metadata: &Metadata, num_vars: usize) -> Option<Vec<Name>> {
    let names = metadata.variable_names().filter(|names| names.len() == num_vars)?;
    Some(names.into_iter().map(Name::Label).collect())
}

/// The numbers that are stored for all variables.
fn numbers<T: FromStr>(metadata: &Metadata, key: &str, num_vars: usize) -> Option<Vec<T>> {
    let numbers = metadata.get(key)?.split_ascii_whitespace().map(|word| word.parse().ok());
    numbers.collect::<Option<Vec<T>>>().filter(|numbers| numbers.len() == num_vars)
}

/// The command that is stored in a file, if it is a command with boards.
pub(crate) fn command(metadata: &Metadata) -> Option<Command> {
    let solves = |command: &Command| {
        matches!(command, Command::Queens(_) | Command::Place(_) | Command::Knights(_))
    };
    parse(metadata).filter(solves)
}

/// The command that is stored in a file.
fn parse(metadata: &Metadata) -> Option<Command> {
    let words = shlex::split(metadata.get(COMMAND)?)?;
    let args = Args::try_parse_from(std::iter::once("topdd".to_owned()).chain(words)).ok()?;
    Some(args.command)
}

/// Makes the problem of a command again, if the diagram may be its diagram: the board is not much
/// larger than the diagram, the number of variables is the same, and the variables have the values
/// that put pieces on squares. In a forged file, solutions may still be none of the problem.
pub(crate) fn problem<'a>(
    command: &'a Command,
    diagram: &AnyDiagram,
) -> Option<Box<dyn Problem + 'a>> {
    let AnyDiagram::Zdd(zdd) = diagram else { return None };
    if zdd.num_vars() > MAX_VARIABLES {
        return None;
    }
    let (board, missing) = match command {
        Command::Queens(asked) => (asked.placed.on.board.0, 0),
        Command::Place(asked) => (asked.placed.on.board.0, 0),
        Command::Knights(asked) => (asked.board.0, asked.missing.len()),
        _ => return None,
    };
    // A variable stands for at most four symmetric squares; by row, it has a value for each column.
    let values: usize = (0..zdd.num_vars()).map(|variable| zdd.arity(variable)).sum();
    let most = values.saturating_mul(4).saturating_add(missing).saturating_add(4);
    let squares = board.rows.checked_mul(board.cols)?;
    if squares > MAX_SQUARES || squares > most || board.rows > most || board.cols > most {
        return None;
    }
    let problem = match command {
        // Making it finds the largest number of pieces, which may take long.
        Command::Place(asked) if asked.placed.most => return None,
        Command::Queens(asked) => problem::queens::problem(asked),
        Command::Place(asked) => problem::place::problem(asked),
        Command::Knights(asked) => Ok(problem::knights::problem(asked)),
        _ => return None,
    };
    let problem = problem.ok()?;
    let fits = problem.num_vars().ok()? == zdd.num_vars()
        && placement(&*problem).is_none_or(|placement| {
            let has = |&(variable, value): &(usize, usize)| value < zdd.arity(variable);
            placement.puts.iter().all(has)
        });
    fits.then_some(problem)
}

/// The board of the problem in the file `title`, or a table of its variables if it has none, or for `values`.
pub(crate) fn table(
    title: String,
    diagram: &AnyDiagram,
    metadata: &Metadata,
    values: bool,
) -> CellTable {
    let command = if values { None } else { command(metadata) };
    let problem = command.as_ref().and_then(|command| problem(command, diagram));
    if let Some(placement) = problem.and_then(|problem| placement(&*problem)) {
        return CellTable::on_board(title, placement);
    }
    let names = names_of_variables(metadata, diagram.num_vars()).filter(|_| !values);
    let elements = elements(metadata, diagram.num_vars());
    let graph = elements.and_then(|elements| Some((elements.graph?, elements.order)));
    let nouns = match graph.as_ref().map(|(graph, _)| graph.unit()) {
        Some(Unit::Edge) => Nouns::EDGES,
        Some(Unit::Vertex | Unit::Colour) => Nouns::VERTICES,
        None => Nouns::VARIABLES,
    };
    let arities = (0..diagram.num_vars()).map(|variable| match diagram {
        AnyDiagram::Zdd(zdd) => zdd.arity(variable),
        AnyDiagram::Bdd(bdd) => bdd.arity(variable),
    });
    CellTable::list(title, arities.collect(), names, nouns).with_graph(graph.filter(|_| !values))
}

/// The board of a problem, if its variables stand for squares.
pub(crate) fn placement(problem: &dyn Problem) -> Option<Placement> {
    match problem.variables()? {
        Variables::Board(placement) => Some(placement),
        Variables::Graph(_) | Variables::Named(_) => None,
    }
}
