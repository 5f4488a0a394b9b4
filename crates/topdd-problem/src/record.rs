//! The record: what a saved diagram says about its problem, as JSON in the metadata of its file.
//!
//! [`Record::store`] writes it, and [`Record::read`] reads it; no other code knows the form. [`Record::read`] returns
//! [`UnknownRecord`] for a record that this version cannot read. A file without a record is read as a diagram whose
//! variables have only the names in the metadata.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use topdd::format::Metadata;
use topdd_graph::families::Unit;

use crate::board::{PiecesProblem, QueensProblem, ToursProblem};
use crate::condition::Condition;
use crate::decimal::Decimal;
use crate::elements::{GraphElements, GraphNames, GraphRecord};
use crate::family::Family;
use crate::names::Name;

/// The key of the record in the metadata of a file.
const KEY: &str = "topdd-record";

/// What was solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "problem", rename_all = "kebab-case")]
pub enum Subject {
    /// Queens.
    Queens(QueensProblem),
    /// Other pieces.
    Pieces(PiecesProblem),
    /// Tours.
    Tours(ToursProblem),
    /// An exact cover: the names of its elements are the items of the options, between blanks.
    Cover,
    /// A family of a graph.
    Graph {
        /// The family.
        family: Family,
        /// The conditions on its solutions.
        conditions: Vec<Condition>,
    },
}

impl Subject {
    /// Returns the parameters and the conditions of a family of a graph in words.
    pub fn words(&self, names: &GraphNames<'_>) -> Vec<String> {
        let Subject::Graph { family, conditions } = self else { return Vec::new() };
        let vertex = |vertex| names.vertex_name(vertex);
        let element = |(element, value)| names.element_name(family.unit(), element, value);
        let of_conditions = conditions.iter().flat_map(|of| of.words(element, vertex));
        family.words(vertex).into_iter().chain(of_conditions).collect()
    }
}

/// What a saved diagram says about its problem.
///
/// ```
/// use topdd::format::Metadata;
/// use topdd_problem::{Family, Record, Subject};
///
/// let subject = Subject::Graph { family: Family::Forests, conditions: Vec::new() };
/// let record = Record { subject: Some(subject), order: Some(vec![1, 0]), ..Record::default() };
/// let mut metadata = Metadata::new();
/// record.clone().store(&mut metadata);
/// assert_eq!(Record::read(&metadata), Ok(Some(record)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What was solved; `None` for a combination of different problems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// The graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphRecord>,
    /// The element of each variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<usize>>,
    /// The weights of the variables.
    #[serde(default, skip_serializing_if = "ElementWeights::are_ones")]
    pub weights: ElementWeights,
    /// Objects of Python that the elements are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub python: Option<Value>,
}

/// The weights of the edges, or vertices, of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElementWeights {
    /// Each weighs 1: the graph has no weights.
    #[default]
    Ones,
    /// The weight of each.
    Given(Vec<Decimal>),
    /// The graph has weights, but they are not known.
    Lost(Loss),
}

impl ElementWeights {
    fn are_ones(&self) -> bool {
        *self == ElementWeights::Ones
    }

    fn are_lost(&self) -> bool {
        matches!(self, ElementWeights::Lost(_))
    }
}

impl From<Option<Vec<Decimal>>> for ElementWeights {
    fn from(weights: Option<Vec<Decimal>>) -> Self {
        weights.map_or(ElementWeights::Ones, ElementWeights::Given)
    }
}

/// The reason why weights are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Some weights of the graph cannot be used.
    Unusable,
    /// Two files of the same graph have different weights.
    Differ,
    /// The metadata of a file would be too large with them.
    TooLarge,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Loss::Unusable => "some weights of the graph cannot be used",
            Loss::Differ => "the weights of the files that were combined differ",
            Loss::TooLarge => "the weights of the graph are too large to be saved",
        })
    }
}

/// The error for a record that is not of this version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the record of its problem is of another version of topdd, or damaged; the diagram is read without it"
)]
pub struct UnknownRecord;

/// The edges or vertices of a graph, or other named elements, by variable.
#[derive(Debug)]
pub struct Elements {
    /// Their names.
    pub names: Vec<Name>,
    /// Whether they have colours, or values with names: then elements of value 0 are written, too.
    pub are_coloured: bool,
    /// The names of the values of each variable.
    pub values: Option<Vec<Vec<String>>>,
    /// The edge, or the vertex, of each variable, in the order of the graph.
    pub order: Vec<usize>,
    /// Their weights.
    pub weights: ElementWeights,
    /// The graph, if the file has it.
    pub graph: Option<GraphElements>,
}

impl Elements {
    /// Returns elements without weights and graph, from the number of each in order of the variables, and its name.
    pub fn named(order: Vec<usize>, name: impl Fn(usize) -> String) -> Self {
        let names = order.iter().map(|&element| Name::Label(name(element))).collect();
        let weights = ElementWeights::Ones;
        Elements { names, are_coloured: false, values: None, order, weights, graph: None }
    }

    /// Returns the name of a value of a variable; its number, if it has no name.
    pub fn value_name(&self, variable: usize, value: usize) -> Cow<'_, str> {
        let name = self.values.as_ref().and_then(|all| all.get(variable)?.get(value));
        name.map_or_else(|| value.to_string().into(), |name| name.as_str().into())
    }
}

impl Record {
    /// Stores the record in metadata. What is too large is left out: first the names of values, then the graph, its weights,
    /// the order, what else the record has, and other names.
    pub fn store(mut self, metadata: &mut Metadata) {
        let too_large = |metadata: &Metadata| metadata.size() > Metadata::MAX_SIZE;
        self.write(metadata);
        if too_large(metadata) {
            metadata.remove(Metadata::VALUES);
        }
        let parts: [fn(&mut Record); 4] = [
            |record| record.graph = None,
            |record| {
                if let ElementWeights::Given(_) = record.weights {
                    record.weights = ElementWeights::Lost(Loss::TooLarge);
                }
            },
            |record| record.order = None,
            |record| *record = Record { weights: record.weights.clone(), ..Record::default() },
        ];
        for leave_out in parts {
            if too_large(metadata) {
                leave_out(&mut self);
                self.write(metadata);
            }
        }
        for key in [Metadata::VARIABLES, Metadata::PROBLEM] {
            if too_large(metadata) {
                metadata.remove(key);
            }
        }
    }

    /// Writes the whole record into metadata, which may then be too large for a file.
    pub fn write(&self, metadata: &mut Metadata) {
        if *self == Record::default() {
            metadata.remove(KEY);
        } else {
            // With sorted keys, so that metadata in JSON has it as an object.
            metadata.set(KEY, json!(self).to_string());
        }
    }

    /// Reads the record of a file; `None` if it has none.
    ///
    /// # Errors
    ///
    /// [`UnknownRecord`] for the record of another version.
    pub fn read(metadata: &Metadata) -> Result<Option<Self>, UnknownRecord> {
        let Some(text) = metadata.get(KEY) else {
            let is_ours = metadata.iter().any(|(key, _)| key.starts_with("topdd-"));
            return if is_ours { Err(UnknownRecord) } else { Ok(None) };
        };
        serde_json::from_str(text).map(Some).map_err(|_| UnknownRecord)
    }

    /// Returns whether a key of metadata is the key of records.
    pub fn is_key(key: &str) -> bool {
        key == KEY
    }

    /// Returns the elements of a diagram of so many variables; `None` if they are no edges, vertices or named elements.
    pub fn elements(&self, metadata: &Metadata, num_vars: usize) -> Option<Elements> {
        let family = match &self.subject {
            Some(Subject::Graph { family, .. }) => Some(family),
            Some(Subject::Cover) | None => None,
            Some(_) => return None,
        };
        // An order that was left out as too large: the names of variables say what they are.
        let is_shortened = self.order.is_none() && (family.is_some() || self.weights.are_lost());
        let given = || is_shortened.then(|| (0..num_vars).collect());
        let order = self.order.clone().or_else(given).filter(|order| order.len() == num_vars)?;
        let graph = self.graph.as_ref();
        let graph =
            graph.and_then(|graph| GraphElements::from_record(family.cloned(), graph, &order));
        let unit = family.map(Family::unit).or(graph.as_ref().map(GraphElements::unit));
        let names = match &graph {
            Some(graph) => order.iter().map(|&index| graph.names()[index].clone()).collect(),
            None => variable_names(metadata, num_vars)?,
        };
        let weights = match &self.weights {
            ElementWeights::Given(weights) if weights.len() != num_vars => {
                ElementWeights::Lost(Loss::Unusable)
            }
            weights => weights.clone(),
        };
        let are_names = |all: &Vec<Vec<String>>| {
            let differ = |of: &Vec<String>| of.iter().collect::<HashSet<_>>().len() == of.len();
            graph.is_none() && all.len() == num_vars && all.iter().all(differ)
        };
        let values = metadata.value_names().filter(are_names);
        let are_coloured = unit == Some(Unit::Colour) || values.is_some();
        Some(Elements { names, are_coloured, values, order, weights, graph })
    }
}

/// Returns the names of the variables, if there is one for each.
pub fn variable_names(metadata: &Metadata, num_vars: usize) -> Option<Vec<Name>> {
    let names = metadata.variable_names().filter(|names| names.len() == num_vars)?;
    Some(names.into_iter().map(Name::Label).collect())
}

/// The part of the metadata of two diagrams that also describes a combination of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All of it: both are of the same problem.
    All,
    /// The graph, or the union of both graphs.
    Graph {
        /// Whether it is a union.
        is_union: bool,
        /// Whether weights are kept; if not, the two files have other weights.
        has_weights: bool,
    },
    /// The names of variables and values.
    Names,
}

/// Returns the metadata of a combination of two diagrams. For each of its variables, `variables` has the variables of the two,
/// and `names` the name. `operation` is the operation in a word.
pub fn combined(
    both: [&Metadata; 2],
    variables: &[[Option<usize>; 2]],
    names: Option<&[Name]>,
    operation: &str,
) -> (Metadata, Kept) {
    let [left, right] = both;
    if left == right {
        return (left.clone(), Kept::All);
    }
    let records = both.map(|metadata| Record::read(metadata).ok().flatten().unwrap_or_default());
    // Problems of other parameters may have the same title.
    let is_same_problem = left.problem().is_some_and(|problem| right.problem() == Some(problem))
        && records[0].subject == records[1].subject;
    let mut metadata = Metadata::new();
    match (left.problem(), right.problem()) {
        (Some(left), Some(_)) if is_same_problem => metadata.set_problem(left),
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
    let sides = [0, 1].map(|side| records[side].elements(both[side], num_vars[side]));
    let common = common_graph(&records, num_vars, variables, names);
    let [Some(left_elements), Some(right_elements)] = &sides else {
        Record::default().store(&mut metadata);
        return (metadata, Kept::Names);
    };
    let Some(common) = common else {
        // Elements without a graph, which are listed by name.
        let order = Some((0..variables.len()).collect());
        Record { order, ..Record::default() }.store(&mut metadata);
        return (metadata, Kept::Names);
    };
    let weights = common_weights([left_elements, right_elements].map(|of| &of.weights), variables);
    let has_weights = weights != ElementWeights::Lost(Loss::Differ);
    let have_all = variables.iter().all(|both| both.iter().all(Option::is_some));
    if is_same_problem && !common.is_union && has_weights && have_all {
        // The same problem in two orders: the combination has the order of the left operand.
        return (left.clone(), Kept::All);
    }
    let (graph, order) = (Some(common.graph), Some(common.order));
    Record { graph, order, weights, ..Record::default() }.store(&mut metadata);
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
    records: &[Record; 2],
    num_vars: [usize; 2],
    variables: &[[Option<usize>; 2]],
    names: Option<&[Name]>,
) -> Option<CommonGraph> {
    let (left, right) = (records[0].graph.as_ref()?, records[1].graph.as_ref()?);
    let order =
        |side: usize| records[side].order.as_ref().filter(|order| order.len() == num_vars[side]);
    let orders = [order(0)?, order(1)?];
    let of = |variables: &[Option<usize>; 2]| {
        [0, 1].map(|side| variables[side].map(|variable| orders[side][variable]))
    };
    let (graph, order) = left.union(right, &variables.iter().map(of).collect::<Vec<_>>())?;
    let elements = GraphElements::from_record(None, &graph, &order)?;
    let of_union = order.iter().map(|&index| elements.names()[index].printed());
    let have_names = of_union.eq(names?.iter().map(Name::printed));
    have_names.then_some(CommonGraph { graph, order, is_union: left != right })
}

/// The weights of the combination of two diagrams of graphs.
fn common_weights(both: [&ElementWeights; 2], variables: &[[Option<usize>; 2]]) -> ElementWeights {
    let [ElementWeights::Given(left), ElementWeights::Given(right)] = both else {
        let [left, right] = both;
        return if left == right { left.clone() } else { ElementWeights::Lost(Loss::Differ) };
    };
    let common = variables.iter().map(|&[l, r]| match (l, r) {
        (Some(l), Some(r)) => (left[l] == right[r]).then_some(left[l]),
        (l, r) => l.map(|l| left[l]).or(r.map(|r| right[r])),
    });
    common.collect::<Option<_>>().map_or(ElementWeights::Lost(Loss::Differ), ElementWeights::Given)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_of_python_has_names_and_weights_for_all_others() {
        let graph = GraphRecord {
            unit: Unit::Edge,
            directed: false,
            vertices: vec!["1".to_owned(), "'1'".to_owned()],
            edges: vec![(0, 1), (1, 0)],
            edge_labels: None,
            positions: Some(vec![(0.1, 0.0), (1e-7 / 3.0, 2.5)]),
        };
        let weights = ["0.5", "2"].map(|weight| weight.parse().unwrap());
        let record = Record {
            graph: Some(graph),
            order: Some(vec![1, 0]),
            weights: ElementWeights::Given(weights.to_vec()),
            python: Some(json!({ "tuple": ["edge", { "fraction": "1/2" }] })),
            ..Record::default()
        };
        let mut metadata = Metadata::new();
        record.clone().store(&mut metadata);
        let read = Record::read(&metadata).unwrap().unwrap();
        let elements = read.elements(&metadata, 2).unwrap();
        let names: Vec<String> = elements.names.iter().map(Name::printed).collect();
        assert_eq!(names, ["'1'-1#2", "1-'1'"]);
        assert_eq!((elements.weights, read.python), (record.weights, record.python));
    }

    #[test]
    fn a_record_of_another_version_is_refused_and_none_is_none() {
        let mut metadata = Metadata::new();
        assert_eq!(Record::read(&metadata), Ok(None));
        metadata.set("topdd-command", "graph paths");
        assert_eq!(Record::read(&metadata), Err(UnknownRecord));
        metadata.set(KEY, "{\"order\": \"1 0\"}");
        assert_eq!(Record::read(&metadata), Err(UnknownRecord));
    }
}
