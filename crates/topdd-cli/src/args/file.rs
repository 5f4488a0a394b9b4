//! The commands on a file: `topdd info`, `count`, `list`, `sample`, `best` and `convert`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use num_bigint::BigUint;

use super::common::rank;

/// The formats and examples in the help of `topdd convert`.
const CONVERT_HELP: &str = "Formats, by the ending of the file (or --to, --read-as):
  .tdd          topdd's own, read and written
  .json         for other programs, read and written
  .dot          Graphviz (also .gv), written
  .svg          a picture of a small diagram, written
  .csv          the number of nodes at each variable, written
  of variables of two values (see --encode), read and written:
  .sapporo      SAPPOROBDD and TdZdd; reading needs --rule
  .graphillion  Graphillion, a ZDD; a BDD is converted
  .dddmp        CUDD and OxiDD, as text; read as a BDD unless --rule says zdd
  .libbdd       lib-bdd, a BDD; a ZDD is converted

Examples:
  topdd convert q10.tdd q10.json
  topdd convert q10.tdd q10.csv
  topdd convert q10.tdd q10.dot
  topdd convert q10.tdd q10.svg --max-nodes 3000
  topdd convert q10.tdd q10.graphillion --encode one-hot
  topdd convert q10.tdd - --to json           to standard output

JSON: file, format, nodes, and with --encode variables (what each of them means).";

/// The subcommands that work on the diagram in a file.
#[derive(Debug, Subcommand)]
pub(crate) enum FileCommand {
    Info(Info),
    Count(Count),
    List(List),
    Sample(Sample),
    Best(Best),
    Convert(Convert),
}

/// The diagram that is asked.
#[derive(Debug, Default, Args)]
pub(crate) struct Input {
    /// The file of the diagram, as --save or `topdd convert` wrote it, or - for standard input
    ///
    /// Its ending says in which format it is; see `topdd help convert`. With another ending, it
    /// is topdd's own. What comes from standard input is that or JSON, unless --read-as says
    /// otherwise.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The format of FILE, where its ending does not say it
    #[arg(long, value_name = "FORMAT", help_heading = "Reading")]
    pub(crate) read_as: Option<String>,

    /// What skipped variables mean in a file of another package that does not tell
    #[arg(long, value_enum, help_heading = "Reading")]
    pub(crate) rule: Option<AsRule>,

    /// How many variables there are, in a file of another package that does not tell
    #[arg(long, value_name = "N", help_heading = "Reading")]
    pub(crate) variables: Option<usize>,

    /// Which diagram of a file of another package that holds several, from 0
    #[arg(long, value_name = "I", help_heading = "Reading")]
    pub(crate) root: Option<usize>,

    /// Print one JSON object, for scripts
    ///
    /// Counts, ranks, weights and seeds are strings in it, for they may be larger than the
    /// numbers of other programs.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Input {
    pub(crate) fn is_stdin(&self) -> bool {
        self.file.as_os_str() == "-"
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AsRule {
    /// They are 0
    Zdd,
    /// They may have any value
    Bdd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AsCode {
    /// One for each value, of which one is 1
    OneHot,
    /// One for each value but the last, which is 1 if the variable is greater
    Order,
    /// The digits of the value in base two, the highest first
    Binary,
}

/// Tell what is in a file: variables, solutions, nodes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd info q10.tdd
  topdd info q10.tdd --json

JSON: file, bytes (null of a pipe), rule (\"zero-suppressed\" or \"any-value\"), variables, arities
(least and most; null if there are no variables), count, nodes, widest (variable and nodes; null if
there are no nodes).")]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) input: Input,
}

/// Count the solutions in a file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd count q10.tdd
  topdd count q10.tdd --json

JSON: count.")]
pub(crate) struct Count {
    #[command(flatten)]
    pub(crate) input: Input,
}

/// List solutions, in lexicographic order.
///
/// Each is a line: the values of the variables, from the first on. Their ranks are their
/// places in this order, from 0. All are listed unless --limit is given; they are
/// written as they are found, however many there are.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd list q10.tdd                        all
  topdd list q10.tdd --limit 5              the first five
  topdd list q10.tdd --from 360 --limit 2   two from the middle
  topdd list q10.tdd --limit 3 --json

JSON: from (the rank of the first), solutions (a list of values each).")]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Start with the solution of this rank
    #[arg(long, value_name = "R", value_parser = rank)]
    pub(crate) from: Option<BigUint>,

    /// List so many at most
    #[arg(long, value_name = "K")]
    pub(crate) limit: Option<usize>,
}

/// Draw solutions at random, all with the same probability.
///
/// Each is a line: the values of the variables, from the first on. The same seed gives
/// the same solutions on every machine: ranks are drawn with the generator `ChaCha` of 8
/// rounds, which is seeded from a number as the crate rand does it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd sample q10.tdd                      one
  topdd sample q10.tdd 3 --seed 7           three, the same each time
  topdd sample q10.tdd 100 --distinct       no two the same

JSON: seed (to draw the same again), solutions (a list of values each).")]
pub(crate) struct Sample {
    #[command(flatten)]
    pub(crate) input: Input,

    /// How many
    #[arg(value_name = "N", default_value_t = 1)]
    pub(crate) number: usize,

    /// Where the random numbers start; another place each time unless given
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,

    /// Draw without putting back: no solution twice, listed in lexicographic order
    #[arg(long)]
    pub(crate) distinct: bool,
}

/// Find the solutions of least weight, or of most.
///
/// What a solution weighs is the sum of the weights of its values. Each is a line: its
/// weight, a colon, and its values. Those of equal weight come in lexicographic order.
///
/// The file of weights has lines of three whole numbers, `variable value weight`, separated
/// by blanks, tabs or commas; both are counted from 0, and what is not listed weighs 0.
/// What follows a # is not read, nor is a first line of names. Or it is JSON: a list that
/// has, for each variable, the list of the weights of its values.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  topdd best q10.tdd --weights weights.txt
  topdd best q10.tdd --weights weights.txt --max --k 5

A file of weights, for which value 3 of variable 0 is expensive:
  variable,value,weight
  0,3,100
  1,0,-2   # cheaper than nothing

JSON: goal (\"minimum\" or \"maximum\"), best (of each: weight, solution).")]
pub(crate) struct Best {
    #[command(flatten)]
    pub(crate) input: Input,

    /// The file of weights
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: PathBuf,

    /// How many solutions, from the best on
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) k: usize,

    /// Those of most weight, not of least
    #[arg(long)]
    pub(crate) max: bool,
}

/// Write a diagram in another format.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_HELP)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) input: Input,

    /// The file to write, or - for standard output; its ending says in which format
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,

    /// The format, where the ending of the file does not say it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,

    /// Tell each variable by several of two values, for formats that know no others
    ///
    /// With --json, the meaning of each of them is printed.
    #[arg(long, value_enum, value_name = "CODE")]
    pub(crate) encode: Option<AsCode>,

    /// The most nodes that are drawn as SVG
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub(crate) max_nodes: usize,
}
