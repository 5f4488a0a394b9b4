//! The commands on files of diagrams: `topdd info`, `count`, `list`, `sample`, `best`, `combine` and `convert`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use num_bigint::BigUint;
use topdd::{Code, Rule};
use topdd_problem::{SetOperation, limits};

use super::common::{Word, one_of, rank, seed};
use super::graph::{PerItem, item_probability};
use super::selection::FileSelection;

/// The formats and examples in the help of `topdd convert`.
const CONVERT_HELP: &str = "Formats, by the ending of the file (or --to, --read-as):
  .tdd          topdd's own, read and written
  .json         for other programs, with names, read and written
  .dot          Graphviz (also .gv), written
  .svg          a picture of a small diagram, written
  .csv          the number of nodes at each variable, written
  for two-valued variables only (see --encode), read and written:
  .sapporo      SAPPOROBDD and TdZdd; reading needs --rule
  .graphillion  Graphillion, a ZDD; a BDD is converted
  .dddmp        CUDD and OxiDD, as text; a ZDD is converted to a BDD, but for --as zdd; reading a
                ZDD needs --rule zdd
  .libbdd       lib-bdd, a BDD; a ZDD is converted

Examples:
  topdd convert q10.tdd q10.json
  topdd convert q10.tdd q10.csv
  topdd convert q10.tdd q10.dot
  topdd convert q10.tdd q10.svg --max-nodes 3000
  topdd convert q10.tdd q10.graphillion --encode one-hot
  topdd convert q10.tdd - --to json           to standard output

JSON: file, format, nodes, and with --encode variables (the meaning of each).";

/// The commands on the diagram in a file.
#[derive(Debug, Subcommand)]
pub(crate) enum FileCommand {
    Info(Info),
    Count(Count),
    List(List),
    Sample(Sample),
    Best(Best),
    Combine(Combine),
    Convert(Convert),
}

impl FileCommand {
    pub(crate) fn input(&self) -> &Input {
        match self {
            FileCommand::Info(asked) => &asked.input,
            FileCommand::Count(asked) => &asked.input,
            FileCommand::List(asked) => &asked.input,
            FileCommand::Sample(asked) => &asked.input,
            FileCommand::Best(asked) => &asked.input,
            FileCommand::Combine(asked) => &asked.input,
            FileCommand::Convert(asked) => &asked.input,
        }
    }
}

/// The file of a diagram.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Input {
    /// The file of the diagram, as --save or `topdd convert` wrote it, or - for standard input
    ///
    /// The ending selects the format; see `topdd help convert`. A file with another ending is in
    /// topdd's own format. Standard input is in that format or JSON, unless --read-as names another.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The format of FILE, if its ending names another one
    #[arg(long, value_name = "FORMAT", help_heading = "Reading")]
    pub(crate) read_as: Option<String>,

    /// The rule of skipped variables, for a file that does not state it
    #[arg(long, value_parser = one_of(RULES), help_heading = "Reading")]
    pub(crate) rule: Option<Rule>,

    /// The number of variables, for a file that does not state it
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) variables: Option<usize>,

    /// The diagram to read from a file that has several: its name, or its number; the first is 0
    #[arg(long, value_name = "ROOT", help_heading = "Reading")]
    pub(crate) root: Option<String>,

    /// Stop if the command needs more memory than this, such as 500MB or 4GiB
    ///
    /// By default, this is 70 percent of the memory that is free when the command starts.
    #[arg(long, value_name = "SIZE", value_parser = limits::parse_bytes, help_heading = "Limits")]
    pub(crate) memory_limit: Option<usize>,

    /// Print one JSON object, for scripts
    ///
    /// Counts, ranks and weights are strings, as they may be too large for the numbers of other programs.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Input {
    pub(crate) fn is_stdin(&self) -> bool {
        self.file.as_os_str() == "-"
    }
}

/// The form in which solutions are listed.
#[derive(Debug, Args)]
pub(crate) struct Drawn {
    /// List the values of variables, also where the file has a board to draw
    #[arg(long)]
    pub(crate) values: bool,

    /// Draw boards with plain ASCII characters
    #[arg(long)]
    pub(crate) ascii: bool,
}

const RULES: &[Word<Rule>] = &[
    ("zdd", "Skipped variables are 0", Rule::ZeroSuppressed),
    ("bdd", "Skipped variables may have any value", Rule::AnyValue),
];

const CODES: &[Word<Code>] = &[
    ("one-hot", "One for each value: 1 if the variable has this value", Code::OneHot),
    ("order", "One for each value but the last: 1 if the variable is greater", Code::Order),
    ("binary", "The digits of the value in base two, the highest first", Code::Binary),
];

/// Describe the diagram in a file: variables, solutions, nodes, problem.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd info q10.tdd
  topdd info q10.tdd --json

JSON: file, bytes (null for a pipe), rule (\"zero-suppressed\" or \"any-value\"), variables, arities
(least and most; null if there are no variables), count (null beyond 300 000 digits), nodes, widest
(variable and nodes; null if there are no nodes), metadata (such as problem, and lists of the names of
variables and values); for a file with several diagrams file and roots (a list of root, variables, nodes).")]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) input: Input,
}

/// Count the solutions in a file, or those that options select.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd count q10.tdd
  topdd count q10.tdd --with a1 --without b3
  topdd count q10.tdd --element-counts
  topdd count q10.tdd --json

JSON: count; with --count-by-size counts_by_size, with -p probability, with --element-counts usage (a list of name and count, and
value, with value_name if it has one, if a variable has more than two), with --importance importance (a list of name, marginal, banzhaf and shapley, and
birnbaum with -p; banzhaf and shapley are fractions as strings); for a file with several diagrams roots (a list of root and count).")]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) selection: FileSelection,

    /// Also count the solutions by their number of edges, or vertices
    #[arg(long = "count-by-size")]
    pub(crate) by_size: bool,

    /// Also print the probability of a solution, if each edge or vertex works with probability P
    ///
    /// They work or fail independently of one another, and those that work are to be a solution. `weights` takes the
    /// weight of each, in the graph or in --weights, as its probability.
    #[arg(short, value_name = "P", value_parser = item_probability)]
    pub(crate) p: Option<PerItem<f64>>,

    /// Also print how many solutions have each edge, vertex or square
    #[arg(long)]
    pub(crate) element_counts: bool,

    /// Also print how much each edge, vertex or square matters
    ///
    /// The marginal is the share of the solutions that have it; with -p, the probability that it works, given that those
    /// that work are a solution. Birnbaum's importance, with -p, is the probability of a solution if it works, minus that
    /// if it fails. The Banzhaf value is the same for probabilities of one half. The Shapley value is its mean change if
    /// all join in a random order: 1 if it makes a solution, -1 if it ends one. It is left out if it needs more than 1 GiB.
    #[arg(long)]
    pub(crate) importance: bool,
}

impl Count {
    /// Whether the answer is about one diagram, and not about all in the file.
    pub(crate) fn is_of_one(&self) -> bool {
        !self.selection.is_everything()
            || [self.by_size, self.p.is_some(), self.element_counts, self.importance]
                .contains(&true)
    }
}

/// List solutions, in lexicographic order.
///
/// A solution is drawn as a board if the file was saved by queens, place or knights. Otherwise, or
/// with --values, it is a line with the values of the variables, from variable 0 on. For a graph, it is a
/// line with the names of its edges or vertices, or with the blocks of a partition; a name with a separator is quoted. The
/// rank of a solution is its position in the lexicographic order of values, from 0.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd list q10.tdd                        all solutions
  topdd list q10.tdd --limit 5              the first five
  topdd list q10.tdd --from 360 --limit 2   two from the middle
  topdd list q10.tdd --with a1,c2           those with queens on these squares
  topdd list q10.tdd --limit 3 --json

JSON: from (the rank of the first), solutions (each a list of squares or of values, or for a graph as
`topdd graph --json` writes it).")]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) selection: FileSelection,

    /// Start with the solution of this rank, among those that are selected
    #[arg(long, value_name = "R", value_parser = rank)]
    pub(crate) from: Option<BigUint>,

    /// List at most K solutions
    #[arg(long, value_name = "K")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

/// Draw solutions at random, all with the same probability.
///
/// Solutions are written as by `topdd list`. The same seed gives the same solutions on every
/// machine: ranks are drawn with `ChaCha8`, seeded by `seed_from_u64` of the crate rand.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd sample q10.tdd                      one
  topdd sample q10.tdd 3 --seed 7           three, the same each time
  topdd sample q10.tdd 100 --distinct       no two of them equal

JSON: seed (to draw the same again), solutions (as of `topdd list`).")]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) selection: FileSelection,

    /// The number of solutions
    #[arg(value_name = "K", default_value_t = 1)]
    pub(crate) k: usize,

    /// The seed of the random numbers; by default, a new one for each run
    #[arg(long, value_name = "S", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Draw without replacement: different solutions, listed in lexicographic order
    #[arg(long)]
    pub(crate) distinct: bool,

    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

/// Find the solutions of least or largest weight.
///
/// The weight of a solution is the sum of the weights of its values. Solutions are written as by
/// `topdd list`, each with its weight. Solutions of equal weight come in lexicographic order.
///
/// The file of weights has lines of three numbers, `variable value weight`, separated
/// by blanks, tabs or commas. Variables and values are counted from 0. A value that is not listed
/// weighs 0. A # at the start of a word begins a comment, and the first line may be a header. The
/// file may also be JSON: a list with, for each variable, the list of the weights of its values.
///
/// A diagram of `topdd graph` has variables in an order of its own. Its lines name the edge or vertex, as
/// `topdd list` does, instead of the variable; `a-b 7` is short for `a-b 1 7`. A name with blanks, commas or
/// signs is quoted. Each edge or vertex of sets needs a line. Without a
/// file, the weights are the weights of the graph, or 1 for each edge or vertex if the graph has none.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd best q10.tdd --weights weights.txt
  topdd best q10.tdd 5 --weights weights.txt --max
  topdd best q10.tdd --weights weights.txt --without a1 --cost-at-least 1

A file of weights, for which value 3 of variable 0 is expensive:
  variable,value,weight
  0,3,100
  1,0,-2   # cheaper than nothing

JSON: goal (\"minimum\" or \"maximum\"), best (a list of weight and solution).")]
pub(crate) struct Best {
    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) selection: FileSelection,

    /// The number of solutions, from the best on
    #[arg(value_name = "K", default_value_t = 1)]
    pub(crate) k: usize,

    /// Solutions of largest weight
    #[arg(long)]
    pub(crate) max: bool,

    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

/// Write a diagram in another format.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) input: Input,

    /// The file to write, or - for standard output; its ending selects the format
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,

    /// The format, if the ending of the file names another one
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,

    /// Encode each variable by two-valued ones, for formats with no others
    ///
    /// With --json, the meaning of each two-valued variable is printed.
    #[arg(long, value_parser = one_of(CODES), value_name = "CODE")]
    pub(crate) encode: Option<Code>,

    /// The rule of a DDDMP file: bdd for CUDD, which is the default, or zdd for OxiDD
    #[arg(long = "as", value_parser = one_of(RULES), value_name = "RULE")]
    pub(crate) rule_written: Option<Rule>,

    /// Refuse to draw a diagram with more nodes than this as SVG
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub(crate) max_nodes: usize,
}

const OPERATIONS: &[Word<SetOperation>] = &[
    ("and", "The solutions of both files", SetOperation::And),
    ("or", "The solutions of either file", SetOperation::Or),
    (
        "difference",
        "The solutions of FILE that are not solutions of OTHER",
        SetOperation::Difference,
    ),
    ("xor", "The solutions of exactly one of the two files", SetOperation::Xor),
];

/// Combine the solutions of two files: those in both, in either, or in one and not the other.
///
/// Variables are matched by name if both files have names, as files of `topdd graph` do: edges, or vertices. The files
/// may be of different families, and have their variables in different orders. An edge or vertex that only one of the
/// files has is in no solution of the other. Without names, variables are matched by number. The result keeps the graph
/// and the names, and the problem if both files have the same one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd combine q10.tdd and a1.tdd                   how many are in both
  topdd combine q10.tdd difference a1.tdd --list
  topdd combine q10.tdd or a1.tdd --save both.tdd    for list, count, best and others

JSON: count, nodes; with --list or --limit solutions (as of `topdd list`).")]
pub(crate) struct Combine {
    #[command(flatten)]
    pub(crate) input: Input,

    /// The operation
    #[arg(value_parser = one_of(OPERATIONS))]
    pub(crate) operation: SetOperation,

    /// The file of the other diagram; options of reading hold for both files
    #[arg(value_name = "OTHER")]
    pub(crate) other: PathBuf,

    /// Save the result to a file in topdd's own format; - is standard output, in place of the answer
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// List all solutions
    #[arg(long, conflicts_with = "limit")]
    pub(crate) list: bool,

    /// List the first K solutions
    #[arg(long, value_name = "K")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) drawn: Drawn,
}
