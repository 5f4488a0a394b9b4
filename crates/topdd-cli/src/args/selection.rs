//! The options that select some of the solutions of a family, of a graph or in a file.

use std::path::PathBuf;

use clap::Args;
use topdd_problem::{Condition, Decimal, Scale};

use crate::failure::Failure;

/// Elements and costs.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Solutions")]
pub(crate) struct Selection {
    /// Only solutions with all of these edges or vertices, such as a-b,b-c
    ///
    /// Names are written as `topdd list` prints them: edges or vertices, squares of a board, or variables with values,
    /// such as 3=2. The option may be repeated.
    #[arg(long, value_name = "NAMES", allow_hyphen_values = true)]
    pub(crate) with: Vec<String>,

    /// Only solutions without any of these edges or vertices
    #[arg(long, value_name = "NAMES", allow_hyphen_values = true)]
    pub(crate) without: Vec<String>,

    /// Only solutions of at least this cost: the sum of the weights of the edges, or vertices
    ///
    /// Without weights, each edge or vertex weighs 1.
    #[arg(long, value_name = "N")]
    pub(crate) cost_at_least: Option<Decimal>,

    /// Only solutions of at most this cost
    #[arg(long, value_name = "N")]
    pub(crate) cost_at_most: Option<Decimal>,
}

impl Selection {
    /// Whether all solutions are selected.
    pub(crate) fn is_everything(&self) -> bool {
        self.with.is_empty() && self.without.is_empty() && !self.bounds_cost()
    }

    /// Whether the cost has a bound.
    pub(crate) fn bounds_cost(&self) -> bool {
        self.cost_at_least.is_some() || self.cost_at_most.is_some()
    }

    /// The bounds of the cost, with their options.
    pub(crate) fn cost_bounds(&self) -> SumOptions {
        [("--cost-at-least", self.cost_at_least), ("--cost-at-most", self.cost_at_most)]
    }
}

/// The options for the least and the greatest sum of weights.
pub(crate) type SumOptions = [(&'static str, Option<Decimal>); 2];

/// A scale of weights and of the bounds of their sum, and the bounds as whole numbers.
pub(crate) fn whole_bounds<'a>(
    weights: impl Iterator<Item = &'a Decimal>,
    [least, most]: &'a SumOptions,
) -> Result<(Scale, [Option<i64>; 2]), Failure> {
    let scale = Scale::new(weights.chain(&least.1).chain(&most.1));
    let whole = |bound: Option<Decimal>| bound.map(|bound| whole(scale, bound)).transpose();
    let bounds = [whole(least.1)?, whole(most.1)?];
    match bounds {
        [Some(from), Some(to)] if from > to => Err(Failure::empty_range(least.0, most.0)),
        _ => Ok((scale, bounds)),
    }
}

/// A weight or a bound as a whole number.
pub(crate) fn whole(scale: Scale, number: Decimal) -> Result<i64, Failure> {
    let refused =
        "the weights and their bounds have more than 64 bits with all decimals; round them";
    scale.whole(number).ok_or_else(|| Failure::usage(refused))
}

/// Maximal or minimal solutions.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Solutions")]
pub(crate) struct Extremes {
    /// Only solutions that are no part of another one, among those that the other options select
    #[arg(long, conflicts_with = "minimal")]
    pub(crate) maximal: bool,

    /// Only solutions of which no other one is a part
    #[arg(long)]
    pub(crate) minimal: bool,
}

impl Extremes {
    /// The option that is given, and its condition.
    pub(crate) fn condition(&self) -> Option<(&'static str, Condition)> {
        let all = [
            (self.maximal, "--maximal", Condition::Maximal),
            (self.minimal, "--minimal", Condition::Minimal),
        ];
        all.into_iter().find_map(|(is_asked, flag, it)| is_asked.then_some((flag, it)))
    }

    /// Whether some solutions may be left out.
    pub(crate) fn are_asked(&self) -> bool {
        self.maximal || self.minimal
    }
}

/// A selection of the solutions in a file.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Solutions")]
pub(crate) struct FileSelection {
    #[command(flatten)]
    pub(crate) selection: Selection,

    #[command(flatten)]
    pub(crate) extremes: Extremes,

    /// The file of weights; by default, the weights of the graph, or 1 for each edge or vertex
    ///
    /// `topdd best --help` describes such a file.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
}

impl FileSelection {
    /// Whether all solutions are selected.
    pub(crate) fn is_everything(&self) -> bool {
        self.selection.is_everything() && !self.extremes.are_asked()
    }

    /// Refuses weights without a bound of the cost or another use of them.
    pub(crate) fn refuse_unused_weights(&self, have_use: bool) -> Result<(), Failure> {
        if self.weights.is_some() && !self.selection.bounds_cost() && !have_use {
            return Err(Failure::usage(
                "--weights is for the bounds --cost-at-least and --cost-at-most, and for `topdd count -p weights`; add \
                 one, or use `topdd best`",
            ));
        }
        Ok(())
    }
}
