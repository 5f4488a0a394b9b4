//! The options that select some of the solutions of a family, of a graph or in a file.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use topdd_problem::decimal::{Decimal, Scale};

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

    /// A scale of weights and of the bounds of their sum, and the bounds as whole numbers.
    pub(crate) fn cost_bounds<'a>(
        &'a self,
        weights: impl Iterator<Item = &'a Decimal>,
    ) -> Result<(Scale, RangeInclusive<i128>), Failure> {
        let scale = Scale::new(weights.chain(&self.cost_at_least).chain(&self.cost_at_most));
        let whole = |bound: Option<Decimal>, unbounded| match bound {
            Some(bound) => scale.whole(bound).map(i128::from).ok_or_else(Failure::too_many_digits),
            None => Ok(unbounded),
        };
        let bounds = whole(self.cost_at_least, i128::MIN)?..=whole(self.cost_at_most, i128::MAX)?;
        if bounds.is_empty() {
            return Err(Failure::empty_range("--cost-at-least", "--cost-at-most"));
        }
        Ok((scale, bounds))
    }
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
