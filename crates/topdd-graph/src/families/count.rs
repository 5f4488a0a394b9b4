//! Counts of a family.
//!
//! A bound on a sum is checked in one of two ways: the state has the sum, or the value of the state is a list of counts by
//! sum. Without the sums, states are far fewer if many sums occur with each, and the addition of two lists is fast.

use super::conditions::EdgePart;
use super::order::family_estimate;
use super::parts::{PartList, Parts};
use super::rules::LinearRule;
use super::{FamilyError, GraphSets, paths};
use crate::Graph;
use crate::predict::predicted_states;
use num_integer::gcd;
use topdd::{BigUint, BuildError, Frontier, Limit, QueryError, Report, Weights};

/// The counts of a list that cost as much as one state. By time they would be 50 to 100, measured on trees, forests,
/// matchings, paths and cycles of road networks and grids. They are fewer, because 32 already take four times the memory of a
/// state.
const COUNTS_PER_STATE: f64 = 32.0;

/// Lists of at most this many counts, over all levels, are made without a prediction of the other way, which takes as long.
const FEW_COUNTS: f64 = (1 << 22) as f64;

impl<G> GraphSets<G> {
    /// Counts the solutions: by one sweep, whose states [`predict`](GraphSets::predict) estimates, if there is no bound on a
    /// sum. If there are bounds on sums of weights or on the number of elements, by the first row that applies:
    ///
    /// | if | the count is made |
    /// | --- | --- |
    /// | lists of counts by sum are predicted to be short | by [`count_by_within`](Frontier::count_by_within), where states leave out the bound with the most sums |
    /// | the diagram without the bounds on weights that differ is predicted to be small | in the diagram of [`zdd`](GraphSets::zdd) |
    /// | always | by one sweep, with the sums in its states |
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](GraphSets::spec), and [`FamilyError::Build`] if a sweep fails.
    pub fn count(&self) -> Result<BigUint, FamilyError> {
        Ok(self.count_with(|sweep| sweep)?.0)
    }

    /// Counts the solutions as [`count`](GraphSets::count), with the report of the last sweep over the graph; `configure`
    /// sets limits on each of its sweeps. If there are bounds on sums, and a sweep reaches a limit on memory or states, the count
    /// tries the next row of that table. A checkpoint is for one sweep: use [`frontier`](GraphSets::frontier) for it.
    ///
    /// ```
    /// use topdd::CancelToken;
    /// use topdd_graph::{Graph, families::{cost_at_most, spanning_trees}};
    ///
    /// let token = CancelToken::new();
    /// let weights: Vec<i64> = (1..=24).collect();
    /// let trees = spanning_trees(&Graph::grid(4, 4)).and(cost_at_most(weights, 150));
    /// let (count, report) = trees.count_with(|sweep| sweep.cancel_with(&token))?;
    /// assert!(count == trees.count()? && report.states() > 0);
    /// let (diagram, _) = trees.zdd_with(|sweep| sweep.memory_limit(1 << 26))?;
    /// assert_eq!(diagram.count(), count);
    /// token.cancel();
    /// assert!(trees.count_with(|sweep| sweep.cancel_with(&token)).is_err());
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`count`](GraphSets::count).
    pub fn count_with(
        &self,
        configure: impl for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<(BigUint, Report), FamilyError> {
        let order = self.element_order()?;
        if let Some(Some(counted)) = unless_too_large(self.count_by_sum(&order, &configure))? {
            return Ok(counted);
        }
        if let Some(Some((zdd, report))) =
            unless_too_large(self.bounded_afterwards(&order, &configure))?
        {
            return Ok((zdd.count(), report));
        }
        let mut sweep = configure(self.frontier_in(&order)?);
        Ok((sweep.count()?, sweep.report().clone()))
    }

    /// Whether there are bounds on sums of weights or on the number of elements.
    pub fn has_sums(&self) -> bool {
        !self.parts.bounds.linear.is_empty()
    }

    /// The family without its bounds on sums.
    pub fn without_sums(&self) -> Self
    where
        G: Clone,
    {
        let mut family = self.clone();
        family.parts.bounds.linear.clear();
        family
    }

    /// Counts with one bound on a sum in the values; `None` if there are no such bounds, or if the lists of counts are
    /// predicted to take longer than states with the sums.
    fn count_by_sum(
        &self,
        order: &[usize],
        configure: &dyn for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<Option<(BigUint, Report)>, FamilyError> {
        self.check()?;
        let Some((rest, rule)) = self.parts.split_largest_sum(&self.graph, order) else {
            return Ok(None);
        };
        let predicted = |parts: &Parts| {
            let estimate = || family_estimate(parts, &self.graph, order);
            let frontier = configure(parts.frontier(&self.graph, order)?);
            Ok::<_, FamilyError>(predicted_states(frontier, order.len(), estimate)? as f64)
        };
        let counts = predicted(&rest)? * rule.mean_list(order);
        let are_slower = |states: f64| counts > COUNTS_PER_STATE * states;
        if counts > FEW_COUNTS && unless_too_large(predicted(&self.parts))?.is_some_and(are_slower)
        {
            return Ok(None);
        }
        let weights = Weights::of_ones(order.iter().map(|&element| rule.weights[element]));
        let mut sweep = configure(rest.frontier(&self.graph, order)?);
        let counts = sweep.count_by_within(&weights, rule.least..=rule.most)?;
        Ok(Some((counts.into_values().sum(), sweep.report().clone())))
    }
}

/// Returns `None` instead of an error if a state, the number of states or a list exceeds its limit: another way to count may
/// need less.
fn unless_too_large<T>(result: Result<T, FamilyError>) -> Result<Option<T>, FamilyError> {
    let is_too_large = |error: &BuildError| {
        matches!(
            error,
            BuildError::LimitReached { limit: Limit::Bytes(_) | Limit::States(_), .. }
                | BuildError::LimitTooSmall { .. }
        )
    };
    match result {
        Ok(value) => Ok(Some(value)),
        Err(FamilyError::TooWide { .. } | FamilyError::Query(QueryError::TooManyTotals { .. })) => {
            Ok(None)
        }
        Err(FamilyError::Build(error) | FamilyError::Query(QueryError::Build(error))) => {
            if is_too_large(&error) {
                Ok(None)
            } else {
                Err(error.into())
            }
        }
        Err(error) => Err(error),
    }
}

impl Parts {
    /// Splits off the bound on a sum whose lists are longest in an order. Returns the other conditions and this bound; `None` if
    /// no sum is bounded. Edges that the bound excludes from all paths stay excluded.
    fn split_largest_sum(&self, graph: &Graph, order: &[usize]) -> Option<(Parts, LinearRule)> {
        let lists = self.bounds.linear.iter().map(|rule| rule.mean_list(order)).enumerate();
        let (largest, _) = lists.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        let mut rest = self.clone();
        let rule = rest.bounds.linear.swap_remove(largest);
        if let PartList::Edges(parts) = &self.list
            && parts.iter().any(EdgePart::is_of_paths)
        {
            let left = paths::left_edges(parts, &self.bounds, graph);
            let left = left.iter().enumerate().filter(|(_, is_left)| **is_left);
            rest.bounds.fixed.extend(left.map(|(edge, _)| (edge, 1, false)));
        }
        Some((rest, rule))
    }
}

impl LinearRule {
    /// The mean length of the lists of [`count_by_within`](Frontier::count_by_within), over the levels of an order. A list has at
    /// most one count for each sum reached so far, and at most one for each sum from the least to the upper bound, or from the
    /// lower bound to the greatest, whichever are fewer.
    fn mean_list(&self, order: &[usize]) -> f64 {
        let sum = |sign: fn(i64) -> i64| -> f64 {
            self.weights.iter().map(|&weight| sign(weight) as f64).sum()
        };
        let (least, most) = (sum(|weight| weight.min(0)), sum(|weight| weight.max(0)));
        let bound = (self.most as f64 - least).min(most - self.least as f64).max(0.0);
        let unit = self.weights.iter().fold(0, |unit, weight| gcd(unit, weight.unsigned_abs()));
        let mut reached = 0.0;
        let lists = order.iter().map(|&element| {
            reached += self.weights[element].unsigned_abs() as f64;
            f64::min(reached, bound) / unit.max(1) as f64 + 1.0
        });
        lists.sum::<f64>() / order.len().max(1) as f64
    }
}
