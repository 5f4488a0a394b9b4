//! The subcommands of `topdd graph`.

use clap::Subcommand;
use topdd_problem::{Decimal, limits};

use super::groups::{
    DegreeOptions, Distance, Ends, GraphInput, Hamiltonian, OrderOption, SetConditions, Terminals,
    VertexBounds,
};
use super::groups::{PerItem, item_probability, sides};
use super::whole;
use crate::args::common::{Answer, Common, Limits};

/// The families of [`topdd_problem::Family`], each with its own options. All have the options of [`GraphInput`](super::GraphInput), and all but colourings the options of [`Sets`](super::Sets).
#[derive(Debug, Subcommand)]
pub(crate) enum FamilyOptions {
    #[command(after_help = "Examples:
  topdd graph paths map.txt --from ME --to CA --best 3   the three shortest
  topdd graph paths map.txt --from ME --hamiltonian --count-only")]
    Paths(Paths),

    #[command(after_help = "Examples:
  topdd graph cycles map.txt --at-most 6 --list
  topdd graph cycles map.txt --hamiltonian --count-only")]
    Cycles(Hamiltonian),

    #[command(visible_alias = "trees")]
    #[command(after_help = "Examples:
  topdd graph spanning-trees map.txt --best 3   the three cheapest
  topdd graph spanning-trees map.txt --with ME-NH --cost-at-most 60 --element-counts")]
    SpanningTrees,

    #[command(after_help = "Examples:
  topdd graph subtrees map.txt --through ME --at-most 3 --list")]
    Subtrees,

    #[command(after_help = "Examples:
  topdd graph forests map.txt --count-only")]
    Forests,

    #[command(after_help = "Examples:
  topdd graph rooted-forests map.txt --roots ME,CA --count-only")]
    RootedForests(Terminals),

    #[command(visible_alias = "steiner")]
    #[command(after_help = "Examples:
  topdd graph steiner-trees map.txt --terminals ME,CA,FL --at-most 20")]
    SteinerTrees(Terminals),

    #[command(after_help = "Examples:
  topdd graph steiner-subgraphs map.txt --terminals ME,NH --at-most 4 --list")]
    SteinerSubgraphs(Terminals),

    #[command(after_help = "Examples:
  topdd graph arborescences map.txt --directed --from ME --best 1")]
    Arborescences(Arborescences),

    #[command(after_help = "Examples:
  topdd graph connected map.txt --terminals ME,CA --best 1")]
    Connected(Terminals),

    #[command(after_help = "Examples:
  topdd graph connected-edge-sets map.txt --through ME --at-most 4 --count-only")]
    ConnectedEdgeSets,

    #[command(after_help = "Examples:
  topdd graph matchings map.txt --count-by-size      also how many of each number of edges
  topdd graph matchings map.txt --maximal            those to which no edge can be added
  topdd graph matchings map.txt --save m.tdd         for list, count and others")]
    Matchings,

    #[command(after_help = "Examples:
  topdd graph perfect-matchings map.txt --count-only")]
    PerfectMatchings,

    #[command(after_help = "Examples:
  topdd graph b-matchings map.txt -b 2 --count-only")]
    BMatchings(VertexBounds),

    #[command(after_help = "Examples:
  topdd graph factors map.txt -b 2 --count-only      covers by disjoint cycles")]
    Factors(VertexBounds),

    #[command(after_help = "Examples:
  topdd graph degrees map.txt --degrees 0,2,4,6,8 --count-only
  topdd graph degrees map.txt --distribution 0=any,1=3,3=1 --count-only")]
    Degrees(DegreeOptions),

    #[command(visible_alias = "regular")]
    #[command(after_help = "Examples:
  topdd graph regular-subgraphs map.txt -k 3 --count-only")]
    RegularSubgraphs(Regular),

    #[command(after_help = "Examples:
  topdd graph partitions map.txt -k 2 --min-weight 2 --count-only
  topdd graph partitions roads.csv --vertices towns.csv -k 3 --min-weight 90 --max-weight 150 --list --json")]
    Partitions(Partitions),

    #[command(after_help = "Examples:
  topdd graph cuts map.txt --best 1                  a smallest one
  topdd graph cuts map.txt --minimal --from ME --to CA --at-most 4 --list")]
    Cuts(Cuts),

    #[command(visible_alias = "bipartite")]
    #[command(after_help = "Examples:
  topdd graph bipartite-subgraphs map.txt --best 1 --max   a largest one")]
    BipartiteSubgraphs,

    #[command(after_help = "Examples:
  topdd graph bicliques map.txt --sides 2,2 --list")]
    Bicliques(Bicliques),

    #[command(after_help = "Examples:
  topdd graph subgraphs map.txt --group ME,NH --group FL,CA --acyclic --at-most 24 --count-only")]
    Subgraphs(Subgraphs),

    #[command(after_help = "Examples:
  topdd graph edge-sets map.txt --exactly 2 --count-only")]
    EdgeSets,

    #[command(after_help = "Examples:
  topdd graph independent-sets map.txt --best 1 --max    a largest one
  topdd graph independent-sets map.txt --distance 3 --count-only")]
    IndependentSets(Distance),

    #[command(after_help = "Examples:
  topdd graph cliques map.txt --at-least 4 --list")]
    Cliques,

    #[command(after_help = "Examples:
  topdd graph dominating-sets map.txt --best 1       a smallest one")]
    DominatingSets,

    #[command(after_help = "Examples:
  topdd graph total-dominating-sets map.txt --best 1")]
    TotalDominatingSets,

    #[command(after_help = "Examples:
  topdd graph connected-dominating-sets map.txt --best 1")]
    ConnectedDominatingSets,

    #[command(after_help = "Examples:
  topdd graph vertex-covers map.txt --best 1         a smallest one")]
    VertexCovers,

    #[command(visible_alias = "connected-subgraphs")]
    #[command(after_help = "Examples:
  topdd graph connected-induced-subgraphs map.txt --with ME --at-most 5 --count-only")]
    ConnectedInducedSubgraphs,

    #[command(after_help = "Examples:
  topdd graph vertex-sets map.txt --exactly 2 --count-only")]
    VertexSets,

    #[command(visible_alias = "colorings")]
    #[command(after_help = "Examples:
  topdd graph colourings map.txt -k 4 --sample 2 --seed 1
  topdd graph colourings map.txt -k 3 --with ME=0 --element-counts")]
    Colourings(Colourings),
}

/// The options of paths.
#[derive(Debug, clap::Args)]
pub(crate) struct Paths {
    #[command(flatten)]
    pub(crate) ends: Ends,

    #[command(flatten)]
    pub(crate) hamiltonian: Hamiltonian,
}

/// The options of arborescences.
#[derive(Debug, clap::Args)]
pub(crate) struct Arborescences {
    /// The root
    #[arg(long = "from", value_name = "VERTEX", id = "from", help_heading = "Family")]
    pub(crate) root: String,
}

/// The options of regular subgraphs.
#[derive(Debug, clap::Args)]
pub(crate) struct Regular {
    /// The number of edges at each vertex that has any
    #[arg(short, value_name = "K", help_heading = "Family", value_parser = whole::<usize>)]
    pub(crate) k: usize,
}

/// The options of partitions.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Family")]
pub(crate) struct Partitions {
    /// The number of blocks
    #[arg(short, value_name = "K", value_parser = whole::<usize>)]
    pub(crate) k: usize,

    /// Only partitions whose blocks weigh at least this, by the weights of the vertices in the file
    ///
    /// Without weights, each vertex weighs 1.
    #[arg(long, value_name = "N")]
    pub(crate) min_weight: Option<Decimal>,

    /// Only partitions whose blocks weigh at most this
    #[arg(long, value_name = "N")]
    pub(crate) max_weight: Option<Decimal>,
}

/// The options of cuts.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Family")]
pub(crate) struct Cuts {
    /// Only cuts between this vertex and --to
    #[arg(long, value_name = "VERTEX", requires = "to")]
    pub(crate) from: Option<String>,

    /// The vertex on the other side
    #[arg(long, value_name = "VERTEX", requires = "from")]
    pub(crate) to: Option<String>,
}

/// The options of bicliques.
#[derive(Debug, clap::Args)]
pub(crate) struct Bicliques {
    /// The numbers of vertices on both sides, such as 2,3
    #[arg(long, value_name = "A,B", value_parser = sides, help_heading = "Family")]
    pub(crate) sides: (usize, usize),
}

/// The options of subgraphs.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Family")]
pub(crate) struct Subgraphs {
    /// Vertices that are connected with each other, and with no vertex of another --group
    ///
    /// The option may be repeated.
    #[arg(long, value_name = "VERTICES")]
    pub(crate) group: Vec<String>,

    /// The allowed degrees of all vertices, such as 0,2
    #[arg(long, value_name = "DEGREES", value_delimiter = ',', value_parser = whole::<usize>)]
    pub(crate) degrees: Vec<usize>,

    /// Only sets of edges without a cycle
    #[arg(long)]
    pub(crate) acyclic: bool,
}

/// The options of colourings.
#[derive(Debug, clap::Args)]
pub(crate) struct Colourings {
    /// The number of colours
    #[arg(short, value_name = "K", help_heading = "Family", value_parser = whole::<usize>)]
    pub(crate) k: usize,

    /// Only colourings in which vertices have these colours, such as ME=0,CA=2
    ///
    /// Colours are counted from 0. The option may be repeated.
    #[arg(long, value_name = "VERTEX=COLOUR", help_heading = "Solutions")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) with: Vec<String>,

    /// Only colourings in which vertices do not have these colours
    #[arg(long, value_name = "VERTEX=COLOUR", help_heading = "Solutions")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) without: Vec<String>,
}

/// The probabilities of edges and vertices.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Probabilities")]
pub(crate) struct Probabilities {
    /// The probability that an edge works; `weights` takes the weight of each edge
    #[arg(short, value_name = "P", value_parser = item_probability)]
    #[arg(required_unless_present = "p_attribute")]
    pub(crate) p: Option<PerItem<f64>>,

    /// The attribute, or the column, that is the probability that an edge works
    #[arg(long, value_name = "NAME", conflicts_with_all = ["p", "weight_attribute"])]
    pub(crate) p_attribute: Option<String>,

    /// The probability that a vertex works; `weights` takes the weight of each vertex
    ///
    /// By default, vertices do not fail. A vertex that fails takes its edges with it.
    #[arg(long, value_name = "P", value_parser = item_probability)]
    pub(crate) vertex_p: Option<PerItem<f64>>,
}

/// The probability that --terminals, or all vertices, are connected
///
/// Of a directed graph, the probability of a path --from one vertex --to another.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd graph reliability map.txt -p 0.99
  topdd graph reliability map.txt -p 0.9 --terminals ME,CA --vertex-p 0.99 --quiet
  topdd graph reliability map.txt -p 0.9 --directed --from ME --to CA")]
pub(crate) struct Reliability {
    #[command(flatten)]
    pub(crate) probabilities: Probabilities,

    #[command(flatten)]
    pub(crate) terminals: Terminals,

    #[command(flatten)]
    pub(crate) ends: Ends,

    #[command(flatten)]
    pub(crate) order: OrderOption,

    #[command(flatten)]
    pub(crate) input: GraphInput,

    /// Also count the sets of edges that connect the terminals, by their number of edges
    #[arg(long, help_heading = "Answer", conflicts_with_all = ["vertex_p", "quiet", "predict"])]
    pub(crate) count_by_size: bool,

    /// Also print Birnbaum's importance of each edge
    ///
    /// It is the probability if the edge works, minus the probability if it fails. It takes a diagram of the whole network,
    /// without reductions.
    #[arg(long, help_heading = "Answer", conflicts_with_all = ["vertex_p", "quiet", "predict"])]
    pub(crate) importance: bool,

    /// Predict frontier, states, memory and time of this run instead of running it
    #[arg(long, help_heading = "Answer", conflicts_with = "quiet")]
    pub(crate) predict: bool,

    /// Print the probability and nothing else
    #[arg(long, short, help_heading = "Answer", conflicts_with = "json")]
    pub(crate) quiet: bool,

    /// Print one JSON object, for scripts
    ///
    /// Its members are `problem` (an object), `probability`, `counts_by_size` (null without --count-by-size),
    /// `importance` (a list of `name` and `birnbaum`, or null without --importance), `blocks`, `edges_in_blocks`, `states` and `peak_bytes`.
    #[arg(long, help_heading = "Answer")]
    pub(crate) json: bool,

    /// Write a line for each finished level, and a summary, to standard error
    #[arg(long, help_heading = "Answer")]
    pub(crate) report: bool,

    #[command(flatten)]
    pub(crate) limits: Limits,
}

impl Reliability {
    /// The same options for a run.
    pub(crate) fn common(&self) -> Common {
        let &Reliability { quiet, json, report, .. } = self;
        Common {
            answer: Answer { quiet, json, report, ..Answer::default() },
            limits: self.limits.clone(),
            needs_solutions: true,
            ..Common::default()
        }
    }
}

/// The form of facts, and the memory for reading the graph.
#[derive(Debug, clap::Args)]
pub(crate) struct FactOptions {
    /// Print one JSON object, for scripts
    #[arg(long, help_heading = "Answer")]
    pub(crate) json: bool,

    /// Stop if the command needs more memory than this, such as 500MB or 4GiB
    ///
    /// By default, this is 70 percent of the memory that is free when the command starts.
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_bytes, help_heading = "Limits")]
    pub(crate) memory_limit: Option<usize>,
}

/// Facts about the graph: vertices, edges, components, degrees
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd graph info map.txt
  topdd graph info map.txt --json")]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) input: GraphInput,

    #[command(flatten)]
    pub(crate) facts: FactOptions,
}

/// The expected frontier, states, memory and time of some families
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd graph predict map.txt                        how large the runs of some families would be
  topdd graph paths map.txt --from ME --predict      how large this run would be")]
pub(crate) struct Predict {
    #[command(flatten)]
    pub(crate) ends: Ends,

    #[command(flatten)]
    pub(crate) hamiltonian: Hamiltonian,

    #[command(flatten)]
    pub(crate) distance: Distance,

    #[command(flatten)]
    pub(crate) conditions: SetConditions,

    #[command(flatten)]
    pub(crate) order: OrderOption,

    #[command(flatten)]
    pub(crate) input: GraphInput,

    #[command(flatten)]
    pub(crate) facts: FactOptions,
}
