//! `topdd graph`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::ValueEnum;
use topdd_graph::format::{EdgePairs, GraphFormat};

use super::common::{Common, whole};

/// Families of subgraphs, vertex sets and colourings of a graph in a file.
///
/// A plain file has one edge per line: `a b` or `a b weight`; a line with a single vertex adds it,
/// and # begins a comment. A vertex is any word, or text in double quotes. Other formats, by the ending and the
/// content, or by --format: CSV (.csv, .tsv), lists of neighbours (.adjlist), DIMACS (.col, .gr, .clq), METIS
/// (.metis, .graph), GraphML (.graphml, .xml), and the JSON of networkx (.json). Files may be packed by gzip.
/// Vertices of DIMACS and METIS files are numbered from 1. A file whose meaning cannot be decided is refused.
///
/// Parallel edges are different edges. A path has at least one edge; without --from and --to, a path
/// and its reverse are one path. Forests and matchings include the empty set.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "a flag of the command line is a bool")]
#[command(after_help = "Examples:
  topdd graph paths map.txt --from ME --to CA        how many, and the first of them
  topdd graph paths map.txt --from ME --hamiltonian --count-only
  topdd graph trees map.txt --best 3                 the three cheapest spanning trees
  topdd graph independent-sets map.txt --best 1 --max  a largest one
  topdd graph colourings map.txt -k 4 --sample 2 --seed 1
  topdd graph steiner map.txt --terminals ME,CA,FL --max-size 20
  topdd graph matchings map.txt --save m.tdd         for list, count and others
  topdd graph matchings map.txt --by-size            also how many of each number of edges
  topdd graph paths map.txt --from ME --to NY --svg path.svg
  topdd graph partitions roads.csv --vertices towns.csv -k 3 --min-weight 90 --max-weight 150 --all --json
  topdd graph reliability map.txt -p 0.99            the probability that all vertices are connected
  topdd graph info map.txt                           vertices, edges, degrees
  topdd graph paths map.txt --from ME --predict      how large this run would be
  topdd graph predict map.txt                        how large the runs of some families would be

'topdd help advanced' has options that are seldom needed.")]
pub(crate) struct Graph {
    /// The family; `info` for facts about the graph, `predict` for the sizes of runs
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: What,

    /// The file of the graph; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The format of the file: edges, csv, adjlist, dimacs, metis, graphml or json
    ///
    /// By default, by the ending and the content. With a format, the lines of a plain file are read as they are.
    #[arg(long, value_name = "FORMAT", value_parser = format, help_heading = "Graph")]
    pub(crate) format: Option<GraphFormat>,

    /// Read each edge as one from its first to its second vertex
    #[arg(long, help_heading = "Graph")]
    pub(crate) directed: bool,

    /// Read edges without their directions, such as those of `p sp` files and of yEd
    ///
    /// A file that has each edge in both directions then has one edge for each pair; see --pairs.
    #[arg(long, help_heading = "Graph", conflicts_with = "directed")]
    pub(crate) undirected: bool,

    /// Read an edge that is in the file in both directions as one edge, or as two parallel edges
    ///
    /// By default, as one edge if all edges are in both directions, unless the file is METIS, or GraphML or JSON that
    /// states that it is undirected. For undirected graphs.
    #[arg(long, value_name = "MERGE|KEEP", value_parser = pairs, help_heading = "Graph")]
    pub(crate) pairs: Option<EdgePairs>,

    /// The columns of a CSV file or an edge list with the ends of an edge, and its weight, by name or number:
    /// from,to,weight
    ///
    /// With names, the first row has the names of the columns.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Graph")]
    pub(crate) columns: Vec<String>,

    /// A table of the vertices in CSV, with their names, their weights and maybe their positions
    ///
    /// It has a row for each vertex, also for those without edges. The weight is the column `weight`,
    /// `population`, or the only other one with numbers.
    #[arg(long, value_name = "FILE", help_heading = "Graph")]
    pub(crate) vertices: Option<PathBuf>,

    /// The columns of --vertices with the names and the weights, by name or number: name,weight
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Graph")]
    #[arg(requires = "vertices")]
    pub(crate) vertex_columns: Vec<String>,

    /// The attribute, or the column, that is the weight of edges and vertices; by default, `weight`
    #[arg(long, value_name = "NAME", help_heading = "Graph")]
    pub(crate) weight_attr: Option<String>,

    /// For reliability, the attribute, or the column, that is the probability that an edge works
    #[arg(long, value_name = "NAME", help_heading = "Graph", conflicts_with_all = ["p", "weight_attr"])]
    pub(crate) p_attr: Option<String>,

    /// The attribute that is the name of a vertex, in GraphML and JSON
    #[arg(long, value_name = "NAME", help_heading = "Graph")]
    pub(crate) label_attr: Option<String>,

    /// Read the graph only, and ignore the lines `l` and `t` of a DIMACS file
    #[arg(long = "graph-only", help_heading = "Graph")]
    pub(crate) ignore_lines: bool,

    /// The vertex where paths start; the root of arborescences
    #[arg(long, value_name = "VERTEX", help_heading = "Family")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) from: Option<String>,

    /// The vertex where paths end
    #[arg(long, value_name = "VERTEX", help_heading = "Family", requires = "from")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) to: Option<String>,

    /// Only paths or cycles that pass through every vertex
    #[arg(long, help_heading = "Family")]
    pub(crate) hamiltonian: bool,

    /// The terminals of Steiner trees, Steiner subgraphs, connected sets or reliability, or the roots of rooted
    /// forests, such as ME,CA
    ///
    /// A label with a comma is read as one vertex, and may be quoted, as in '"a,b",c'. The option may be
    /// repeated.
    #[arg(long, value_name = "VERTICES", help_heading = "Family")]
    #[arg(visible_alias = "roots")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) terminals: Vec<String>,

    /// The number of colours, of blocks, or of edges at each vertex of regular subgraphs
    #[arg(short, value_name = "K", help_heading = "Family")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) k: Option<usize>,

    /// The distance of independent sets: any two members are at least this far apart
    #[arg(long, value_name = "D", help_heading = "Family")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) distance: Option<usize>,

    /// The number of edges at each vertex, at most for b-matchings; `weights` takes the weight of the vertex
    #[arg(short, value_name = "B", value_parser = vertex_bound, help_heading = "Family")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) b: Option<PerItem<usize>>,

    /// The allowed degrees of all vertices, such as 1,3
    #[arg(long, value_name = "DEGREES", value_delimiter = ',', help_heading = "Family")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) degrees: Vec<usize>,

    /// The allowed numbers of edges out of each vertex, with --directed
    #[arg(long, value_name = "DEGREES", value_delimiter = ',', help_heading = "Family")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) out_degrees: Vec<usize>,

    /// The allowed numbers of edges into each vertex, with --directed
    #[arg(long, value_name = "DEGREES", value_delimiter = ',', help_heading = "Family")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) in_degrees: Vec<usize>,

    /// The number of vertices of each degree, such as 0=any,1=2,2=3-5; no vertex has another degree
    #[arg(long, value_name = "DEGREE=NUMBER", value_delimiter = ',', help_heading = "Family")]
    #[arg(value_parser = degree_count)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) distribution: Vec<DegreeCount>,

    /// The numbers of vertices on both sides of bicliques, such as 2,3
    #[arg(long, value_name = "A,B", value_parser = sides, help_heading = "Family")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) sides: Option<[usize; 2]>,

    /// Only partitions whose blocks weigh at least this, by the weights of the vertices in the file
    ///
    /// Without weights, each vertex weighs 1.
    #[arg(long, value_name = "N", help_heading = "Family", allow_negative_numbers = true)]
    pub(crate) min_weight: Option<i64>,

    /// Only partitions whose blocks weigh at most this
    #[arg(long, value_name = "N", help_heading = "Family", allow_negative_numbers = true)]
    pub(crate) max_weight: Option<i64>,

    /// For reliability, the probability that an edge works; `weights` takes the weight of each edge
    #[arg(short, value_name = "P", value_parser = edge_probability, help_heading = "Family")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) p: Option<PerItem<f64>>,

    /// For reliability, the probability that a vertex works; by default, vertices do not fail
    #[arg(long, value_name = "P", value_parser = probability, help_heading = "Family")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) vertex_p: Option<f64>,

    /// Without these vertices: no edge at them, or no members
    #[arg(long, value_name = "VERTICES", help_heading = "Family")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) avoid: Vec<String>,

    /// With these vertices: an edge at each, or all of them members
    #[arg(long, value_name = "VERTICES", help_heading = "Family")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) through: Vec<String>,

    /// At least so many edges, or vertices
    #[arg(long, value_name = "N", help_heading = "Family", visible_alias = "min-length")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) min_size: Option<usize>,

    /// At most so many edges, or vertices
    #[arg(long, value_name = "N", help_heading = "Family", visible_alias = "max-length")]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) max_size: Option<usize>,

    /// The order in which edges or vertices are decided
    #[arg(long, value_enum, default_value_t = GraphOrder::Auto, help_heading = "Family")]
    pub(crate) order: GraphOrder,

    /// Show the K solutions of least weight, each with its weight
    ///
    /// By the weights of the edges, or of the vertices, in the file; without weights, each is 1.
    #[arg(long, value_name = "K", help_heading = "Answer")]
    #[arg(conflicts_with_all = ["all", "limit", "nth", "sample", "count_only", "quiet"])]
    #[arg(value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub(crate) best: Option<usize>,

    /// Also count the solutions by their number of edges, or vertices
    ///
    /// For reliability, the sets of edges that connect the terminals.
    #[arg(long, help_heading = "Answer", conflicts_with_all = ["vertex_p", "quiet"])]
    pub(crate) by_size: bool,

    /// Predict frontier, states, memory and time of this run instead of running it
    ///
    /// From the first states of the run, in at most about a second. A number after ~ is a prediction.
    #[arg(long, help_heading = "Answer", conflicts_with_all = ["quiet", "by_size"])]
    pub(crate) predict: bool,

    /// With --best, those of greatest weight
    #[arg(long, help_heading = "Answer", requires = "best")]
    pub(crate) max: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

impl Graph {
    /// Whether the command answers without a run.
    pub(crate) fn has_no_run(&self) -> bool {
        self.predict || matches!(self.what, What::Info | What::Predict)
    }
}

/// The question about a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Simple paths
    Paths,
    /// Simple cycles
    Cycles,
    /// Spanning trees
    Trees,
    /// Trees of at least one edge
    Subtrees,
    /// Sets of edges without a cycle
    Forests,
    /// Forests with exactly one of --terminals in each component
    RootedForests,
    /// Trees that contain all --terminals; leaves may be other vertices
    Steiner,
    /// Connected sets of edges that contain all --terminals
    SteinerSubgraphs,
    /// Directed spanning trees away from --from
    Arborescences,
    /// Sets of edges that connect all vertices, or --terminals
    Connected,
    /// Sets of edges without a common end
    Matchings,
    /// Matchings that meet every vertex
    PerfectMatchings,
    /// Sets of edges with at most -b at each vertex
    BMatchings,
    /// Sets of edges with exactly -b at each vertex
    Factors,
    /// Sets of edges with allowed degrees of the vertices, or numbers of vertices of each degree
    Degrees,
    /// Sets of edges such that each vertex has -k edges or none
    Regular,
    /// Ways to split the vertices into -k connected blocks, as the edges within blocks
    Partitions,
    /// Sets of edges between some vertices and all others
    Cuts,
    /// Sets of edges without an odd cycle
    Bipartite,
    /// All edges between two disjoint sets of vertices, of the sizes --sides, each joined to each
    Bicliques,
    /// Sets of vertices without an edge between two of them
    IndependentSets,
    /// Sets of vertices with an edge between any two of them
    Cliques,
    /// Sets of vertices such that every other vertex has a neighbour in it
    DominatingSets,
    /// Sets of vertices such that every vertex has a neighbour in it
    TotalDominatingSets,
    /// Dominating sets that are connected
    ConnectedDominatingSets,
    /// Sets of vertices that meet every edge
    VertexCovers,
    /// Sets of vertices that are connected by the edges between them
    ConnectedSubgraphs,
    /// Colours of the vertices, different for neighbours; -k is their number
    #[value(alias = "colorings")]
    Colourings,
    /// No family: the probability that --terminals, or all vertices, are connected if edges fail
    Reliability,
    /// No family: facts about the graph
    Info,
    /// No family: the expected frontier, states, memory and time of some
    Predict,
}

/// An order of edges or vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphOrder {
    /// One with few states, chosen by topdd
    #[default]
    Auto,
    /// As in the file
    Given,
    /// Breadth-first
    Bfs,
}

/// A number for each edge, or for each vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PerItem<T> {
    /// The same for all.
    All(T),
    /// The weight in the file.
    Weights,
}

fn edge_probability(text: &str) -> Result<PerItem<f64>, String> {
    if text == "weights" { Ok(PerItem::Weights) } else { probability(text).map(PerItem::All) }
}

fn vertex_bound(text: &str) -> Result<PerItem<usize>, String> {
    match text.parse() {
        Ok(bound) => Ok(PerItem::All(bound)),
        Err(_) if text == "weights" => Ok(PerItem::Weights),
        Err(_) => Err("write a whole number, or `weights`".to_owned()),
    }
}

fn sides(text: &str) -> Result<[usize; 2], String> {
    let read = |(a, b): (&str, &str)| Some([a.parse().ok()?, b.parse().ok()?]);
    text.split_once(',').and_then(read).ok_or_else(|| "write two numbers, such as 2,3".to_owned())
}

/// Bounds on the number of vertices of a degree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DegreeCount {
    /// As on the command line.
    pub(crate) text: String,
    pub(crate) degree: usize,
    pub(crate) vertices: RangeInclusive<usize>,
}

fn degree_count(text: &str) -> Result<DegreeCount, String> {
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
        Some(DegreeCount { text: text.to_owned(), degree: degree.parse().ok()?, vertices })
    };
    read().ok_or_else(|| "write DEGREE=NUMBER, such as 1=2, 2=3-5 or 0=any".to_owned())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a probability, a number from 0 to 1".to_owned())
}

/// Reads the meaning of edges in both directions.
fn pairs(text: &str) -> Result<EdgePairs, String> {
    match text {
        "merge" => Ok(EdgePairs::Merge),
        "keep" => Ok(EdgePairs::Keep),
        _ => Err("write merge or keep".to_owned()),
    }
}

/// Reads the name of a format.
fn format(text: &str) -> Result<GraphFormat, String> {
    text.parse().map_err(|error| format!("{error}"))
}
