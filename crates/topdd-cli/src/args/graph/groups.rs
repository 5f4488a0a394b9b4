//! The options that several families share, and how their values are read.

use std::path::PathBuf;

use topdd_graph::families::Order;
use topdd_graph::format::GraphFormat;
use topdd_problem::DegreeCount;

use super::whole;
use crate::args::common::{Word, one_of};
use crate::args::{BoundedArgs, Common, Extremes, Selection};

/// The file of the graph, and how it is read.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Graph")]
pub(crate) struct GraphInput {
    /// The file of the graph; - reads standard input
    #[arg(value_name = "FILE", help_heading = None::<&str>)]
    pub(crate) file: PathBuf,

    /// The format of the file: edges, csv, adjlist, dimacs, metis, graphml, json, graph6 or sparse6
    ///
    /// By default, by the ending; a file with another ending is an edge list. With `edges`, each line is an edge or a
    /// vertex, also if it may be something else.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) format: Option<GraphFormat>,

    /// Read each edge as one from its first to its second vertex
    #[arg(long)]
    pub(crate) directed: bool,

    /// Read edges without their directions, such as the edges of `p sp` files and of yEd
    ///
    /// A file that has each edge in both directions then has one edge for each pair; see --merge-directions.
    #[arg(long, conflicts_with = "directed")]
    pub(crate) undirected: bool,

    /// Ignore the directions of edges, and join two edges with the same ends in opposite directions
    ///
    /// They must have the same weight and label. With `=no`, they are two parallel edges. By default, they are joined in
    /// undirected files with all edges in both directions, except METIS files, and GraphML and JSON files that state that
    /// they are undirected.
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no, conflicts_with = "directed")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "yes")]
    pub(crate) merge_directions: Option<bool>,

    /// Read numbers with a decimal comma, as in 30,5
    ///
    /// By default, numbers between semicolons have one if their commas cannot separate thousands.
    #[arg(long)]
    pub(crate) decimal_comma: bool,

    /// The columns of a CSV file or an edge list with the ends of an edge, and its weight, by name or number:
    /// from,to,weight
    ///
    /// Of an edge list, by number.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,

    /// A table of the vertices in CSV, with their names, their weights and maybe their positions
    ///
    /// It has a row for each vertex, also for those without edges. The weight is the column `weight`,
    /// `population`, or the only other one with numbers; `x` and `y`, or `lon` and `lat`, are positions.
    #[arg(long, value_name = "FILE")]
    pub(crate) vertices: Option<PathBuf>,

    /// The columns of --vertices with the names and the weights, by name or number: name,weight
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "vertices")]
    pub(crate) vertex_columns: Vec<String>,

    /// The attribute, or the column, that is the weight of edges and vertices; by default, `weight`
    #[arg(long, value_name = "NAME")]
    pub(crate) weight_attribute: Option<String>,

    /// The attribute that is the name of a vertex, in GraphML and JSON
    #[arg(long, value_name = "NAME")]
    pub(crate) label_attribute: Option<String>,

    /// Read the graph only, and ignore the lines `l` and `t` of a DIMACS file
    #[arg(long)]
    pub(crate) graph_only: bool,
}

/// The answers for all families.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct GraphRun {
    /// Predict frontier, states, memory and time of this run instead of running it
    ///
    /// From the first states of the run, in at most about a second. A number after ~ is a prediction.
    #[arg(long, help_heading = "Answer", conflicts_with = "quiet")]
    pub(crate) predict: bool,

    /// Also print how many solutions have each edge, each vertex, or each colour at a vertex
    #[arg(long, help_heading = "Answer", conflicts_with_all = ["count_only", "quiet", "predict"])]
    pub(crate) element_counts: bool,

    /// Draw positions with y pointing down, as on screens
    ///
    /// By default y points up, as latitude does.
    #[arg(long, help_heading = "Pictures", requires = "picture")]
    pub(crate) y_down: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// The order of the variables.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct OrderOption {
    /// The order in which edges or vertices are decided
    #[arg(long, value_parser = one_of(ORDERS), default_value = "auto", help_heading = "Family")]
    pub(crate) order: Order,
}

impl OrderOption {
    /// The word of the order.
    pub(crate) fn word(&self) -> &'static str {
        ORDERS.iter().find(|(.., order)| *order == self.order).map_or("custom", |(word, ..)| word)
    }
}

/// The conditions that all families of sets of edges or vertices take.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Family")]
pub(crate) struct SetConditions {
    /// Without these vertices: no edge at them
    #[arg(long, value_name = "VERTICES")]
    pub(crate) avoid: Vec<String>,

    /// With these vertices: an edge at each
    #[arg(long, value_name = "VERTICES")]
    pub(crate) through: Vec<String>,

    /// At least K edges, or vertices
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(crate) at_least: Option<usize>,

    /// At most K edges, or vertices
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub(crate) at_most: Option<usize>,

    /// Exactly K edges, or vertices
    #[arg(long, value_name = "K", conflicts_with_all = ["at_least", "at_most"])]
    #[arg(value_parser = whole::<usize>)]
    pub(crate) exactly: Option<usize>,
}

/// The options that define a family of sets of edges or vertices.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Sets {
    #[command(flatten)]
    pub(crate) conditions: SetConditions,

    #[command(flatten)]
    pub(crate) selection: Selection,

    #[command(flatten)]
    pub(crate) extremes: Extremes,
}

/// The answers for families of sets, which have sizes and weights.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SetAnswers {
    /// Show the K solutions of least weight, each with its weight
    ///
    /// By the weights of the edges, or of the vertices, in the file; without weights, each is 1.
    #[arg(long, value_name = "K", help_heading = "Answer")]
    #[arg(conflicts_with_all = ["all", "limit", "nth", "sample", "count_only"])]
    #[arg(value_parser = whole::<usize>)]
    pub(crate) best: Option<usize>,

    /// With --best, the solutions of greatest weight
    #[arg(long, help_heading = "Answer", requires = "best")]
    pub(crate) max: bool,

    #[command(flatten)]
    pub(crate) bounded: BoundedArgs,

    /// Also count the solutions by their number of edges, or vertices
    #[arg(long, help_heading = "Answer", conflicts_with_all = ["quiet", "predict"])]
    pub(crate) count_by_size: bool,
}

/// The ends of paths.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Family")]
pub(crate) struct Ends {
    /// The vertex where paths start
    #[arg(long, value_name = "VERTEX")]
    pub(crate) from: Option<String>,

    /// The vertex where paths end
    #[arg(long, value_name = "VERTEX", requires = "from")]
    pub(crate) to: Option<String>,
}

/// Whether paths or cycles pass through every vertex.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Hamiltonian {
    /// Only those that pass through every vertex
    #[arg(long, help_heading = "Family")]
    pub(crate) hamiltonian: bool,
}

/// The vertices that a family connects, or keeps apart.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Terminals {
    /// The terminals, or roots, such as ME,CA
    ///
    /// By default, the terminals in the file. Without any, `reliability` is of all vertices; `connected` always is. A
    /// label with a comma is read as one vertex, and may be quoted, as in '"a,b",c'. The option may be repeated.
    #[arg(long, value_name = "VERTICES", help_heading = "Family", visible_alias = "roots")]
    pub(crate) terminals: Vec<String>,
}

/// The distance of the members of independent sets.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Distance {
    /// Any two members are at least this far apart
    #[arg(long, value_name = "D", help_heading = "Family", value_parser = whole::<usize>)]
    pub(crate) distance: Option<usize>,
}

/// Bounds on the numbers of edges at vertices.
#[derive(Debug, clap::Args)]
pub(crate) struct VertexBounds {
    /// The number of edges at each vertex; `weights` takes the weight of the vertex
    #[arg(short, value_name = "B", value_parser = vertex_bound, help_heading = "Family")]
    pub(crate) b: PerItem<usize>,
}

/// The allowed degrees of vertices.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Family")]
#[group(id = "allowed", required = true, multiple = true)]
pub(crate) struct DegreeOptions {
    /// The allowed degrees of all vertices, such as 1,3
    #[arg(long, value_name = "DEGREES", value_delimiter = ',', value_parser = whole::<usize>)]
    pub(crate) degrees: Vec<usize>,

    /// The allowed numbers of edges out of each vertex, with --directed
    #[arg(long, value_name = "DEGREES", value_delimiter = ',', value_parser = whole::<usize>)]
    pub(crate) out_degrees: Vec<usize>,

    /// The allowed numbers of edges into each vertex, with --directed
    #[arg(long, value_name = "DEGREES", value_delimiter = ',', value_parser = whole::<usize>)]
    pub(crate) in_degrees: Vec<usize>,

    /// The number of vertices of each degree, such as 0=any,1=2,2=3-5; no vertex has another degree
    #[arg(long, value_name = "DEGREE=NUMBER", value_delimiter = ',', value_parser = degree_count)]
    pub(crate) distribution: Vec<topdd_problem::DegreeCount>,
}

/// Orders of edges or vertices.
pub(super) const ORDERS: &[Word<Order>] = &[
    ("auto", "One with few states, chosen by topdd", Order::Auto),
    ("given", "As in the file", Order::Given),
    ("bfs", "Breadth-first", Order::Bfs),
];

/// A number for each edge, or for each vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PerItem<T> {
    /// The same for all.
    All(T),
    /// The weight in the file.
    Weights,
}

pub(in crate::args) fn item_probability(text: &str) -> Result<PerItem<f64>, String> {
    if text == "weights" { Ok(PerItem::Weights) } else { probability(text).map(PerItem::All) }
}

pub(super) fn vertex_bound(text: &str) -> Result<PerItem<usize>, String> {
    match text.parse() {
        Ok(bound) => Ok(PerItem::All(bound)),
        Err(_) if text == "weights" => Ok(PerItem::Weights),
        Err(_) => Err("write a whole number, or `weights`".to_owned()),
    }
}

/// Reads the numbers of vertices on both sides of bicliques.
pub(super) fn sides(text: &str) -> Result<(usize, usize), String> {
    let read = |(a, b): (&str, &str)| Some((a.parse().ok()?, b.parse().ok()?));
    text.split_once(',').and_then(read).ok_or_else(|| "write two numbers, such as 2,3".to_owned())
}

pub(super) fn degree_count(text: &str) -> Result<DegreeCount, String> {
    let read = || {
        let (degree, number) = text.split_once('=')?;
        let (least, most) = number.split_once('-').unwrap_or((number, number));
        let vertices = match number {
            "any" => 0..=usize::MAX,
            _ => least.parse().ok()?..=most.parse().ok()?,
        };
        if vertices.is_empty() {
            return None;
        }
        Some(DegreeCount { degree: degree.parse().ok()?, vertices })
    };
    read().ok_or_else(|| "write DEGREE=NUMBER, such as 1=2, 2=3-5 or 0=any".to_owned())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a probability, a number from 0 to 1".to_owned())
}

/// Reads yes or no.
pub(super) fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("write yes or no".to_owned()),
    }
}

/// Reads the name of a format.
pub(super) fn format(text: &str) -> Result<GraphFormat, String> {
    text.parse().map_err(|error| format!("{error}"))
}
