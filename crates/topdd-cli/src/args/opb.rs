//! `topdd opb`.

use std::path::PathBuf;

use super::common::{Answer, BoundedArgs, Common, Limits, whole};

/// Solutions of linear constraints over Boolean variables, in an OPB file
///
/// A line such as `+3 x1 -2 ~x2 >= 1 ;` is a constraint, by >=, <= or =; ~x2 is 1 minus x2. Coefficients have any size.
/// `min: +2 x1 -1 x3 ;` or `max:` is the objective of --best. Lines that start with * are comments; if one declares
/// `#variable= 4`, the variables are x1 to x4. Products of variables and soft constraints are refused. The file may be packed
/// by gzip.
#[derive(Debug, clap::Args)]
#[command(mut_arg("save", |save| save.long_help("\
Save the diagram to a file, for `topdd list FILE` and others

The file has a solution as the set of the variables that are true. The objective is not saved.")))]
#[command(after_help = "Examples:
  topdd opb knapsack.opb                    how many, and the first of them
  topdd opb knapsack.opb --quiet            only the count
  topdd opb knapsack.opb --best 3           the three best by the objective in the file
  topdd opb knapsack.opb --best 1 --width 1000 --time-limit 1m  a good one, and a bound
  topdd opb knapsack.opb --with x2          those in which x2 is true
  topdd opb knapsack.opb --save knapsack.tdd  for list, count, sample and others")]
pub(crate) struct Opb {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Only solutions in which these variables are true
    ///
    /// The option may be repeated.
    #[arg(long, value_name = "NAMES", help_heading = "Solutions")]
    pub(crate) with: Vec<String>,

    /// Only solutions in which these variables are false
    #[arg(long, value_name = "NAMES", help_heading = "Solutions")]
    pub(crate) without: Vec<String>,

    /// Show the K best solutions by the objective of the file, each with its value
    #[arg(long, value_name = "K", help_heading = "Answer")]
    #[arg(conflicts_with_all = ["all", "limit", "nth", "sample", "count_only"])]
    #[arg(value_parser = whole::<usize>)]
    pub(crate) best: Option<usize>,

    #[command(flatten)]
    pub(crate) bounded: BoundedArgs,

    #[command(flatten)]
    pub(crate) answer: Answer,

    #[command(flatten)]
    pub(crate) limits: Limits,
}

impl Opb {
    /// The same options for a run.
    pub(crate) fn common(&self) -> Common {
        Common {
            answer: self.answer.clone(),
            limits: self.limits.clone(),
            needs_solutions: self.best.is_some(),
            ..Common::default()
        }
    }
}
