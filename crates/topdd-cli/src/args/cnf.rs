//! `topdd cnf`.

use std::path::PathBuf;

use super::common::{Answer, Common, Engine, Limits};

/// Models of a formula in a DIMACS CNF file, as model counters read it
///
/// With lines `c p show` or `c ind`, models that differ in other variables only are one. With weights, in lines
/// `c p weight` or `w`, the sum over the models of the products of the weights of their literals is also printed, exactly.
/// A line `c t mc`, `wmc`, `pmc` or `pwmc` says which are used, weights, variables to show, or both; without it, both are.
/// If only one literal of a variable has a weight, the weight of the other one is the rest to 1; others weigh 1.
///
/// Comments such as `c 2 Light System` name variables, if they name most of them; models are then listed by name, `-` before
/// those that are false. The file may be packed by gzip.
#[derive(Debug, clap::Args)]
#[command(mut_arg("save", |save| save.long_help("\
Save the diagram to a file, for `topdd list FILE` and others

The file has a model as the set of the variables that are true. Weights are not saved.")))]
#[command(after_help = "Examples:
  topdd cnf model.cnf                       how many, and the first of them
  topdd cnf model.cnf --quiet               only the count; with weights, the weighted count
  topdd cnf model.cnf --sample 3 --seed 1   three of them at random
  topdd cnf model.cnf --with 2 --without 1  those in which 2 is true and 1 is false, numbers or names
  topdd cnf model.cnf --save model.tdd      for list, count, sample and others")]
pub(crate) struct Cnf {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Only models in which these variables are true: numbers, or names that comments give, such as A,"Light System"
    ///
    /// The option may be repeated.
    #[arg(long, value_name = "NAMES", help_heading = "Models")]
    pub(crate) with: Vec<String>,

    /// Only models in which these variables are false
    #[arg(long, value_name = "NAMES", help_heading = "Models")]
    pub(crate) without: Vec<String>,

    #[command(flatten)]
    pub(crate) answer: Answer,

    /// The engine that builds the diagram
    ///
    /// The apply engine conjoins the clauses. It runs on one thread, and has no --spill-to and no --checkpoint. The states
    /// of the frontier engine are sets of clauses that do not hold yet.
    #[arg(long, value_enum, default_value_t = Engine::Apply, help_heading = "Engine")]
    pub(crate) engine: Engine,

    #[command(flatten)]
    pub(crate) limits: Limits,
}

impl Cnf {
    /// The same options for a run.
    pub(crate) fn common(&self) -> Common {
        Common { answer: self.answer.clone(), limits: self.limits.clone(), ..Common::default() }
    }
}
