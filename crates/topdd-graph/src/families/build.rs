//! Counts and diagrams of a family.

use topdd::{BigUint, BuildError, Frontier, Limit, Report, Weights, Zdd};

use super::choose_order;
use super::diagram::GraphDiagram;
use super::rules::LinearRule;
use super::{FamilyError, GraphSets};
use crate::predict::{SHORT_SWEEP, predicted_states};

/// Builds a diagram, and returns it with the report.
fn built(mut sweep: Frontier<'_>) -> Result<(Zdd, Report), BuildError> {
    let zdd = sweep.zdd()?;
    Ok((zdd, sweep.report().clone()))
}

impl<G> GraphSets<G> {
    /// Counts the solutions, without a diagram: one sweep, whose states [`predict`](GraphSets::predict)
    /// estimates. With bounds on sums of weights, counts in the diagram if [`zdd`](GraphSets::zdd) builds it without
    /// the bounds first.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](GraphSets::spec), and [`FamilyError::Build`] if the sweep fails.
    pub fn count(&self) -> Result<BigUint, FamilyError> {
        self.count_with(|sweep| sweep)
    }

    /// Counts the solutions as [`count`](GraphSets::count); `configure` sets limits on each of its sweeps. Of several
    /// sweeps, a limit on states applies to the last one only, and a checkpoint is for one sweep: for these, use
    /// [`frontier`](GraphSets::frontier).
    ///
    /// ```
    /// use topdd::CancelToken;
    /// use topdd_graph::{Graph, families::{cost_at_most, spanning_trees}};
    ///
    /// let token = CancelToken::new();
    /// let weights: Vec<i64> = (1..=24).collect();
    /// let trees = spanning_trees(&Graph::grid(4, 4)).and(cost_at_most(weights, 150));
    /// assert_eq!(trees.count_with(|sweep| sweep.cancel_with(&token))?, trees.count()?);
    /// let (diagram, report) = trees.zdd_with(|sweep| sweep.memory_limit(1 << 26))?;
    /// assert!(diagram.count() == trees.count()? && report.states() > 0);
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
    ) -> Result<BigUint, FamilyError> {
        let order = self.element_order()?;
        match self.bounded_afterwards(&order, &configure)? {
            Some((zdd, _)) => Ok(zdd.count()),
            None => Ok(configure(self.frontier_in(&order)?).count()?),
        }
    }

    /// Builds the diagram of all solutions: one sweep and a reduction, whose size
    /// [`predict`](GraphSets::predict) estimates.
    ///
    /// With bounds on sums of weights, whose sums are a part of the states, the diagram without the bounds is often much
    /// faster to build. If a sweep without them has few states, or at most a quarter of those predicted with them, this
    /// builds that diagram, and takes its sets [`within`](topdd::Diagram::within) the bounds. The result is the same.
    ///
    /// # Errors
    ///
    /// The errors of [`count`](GraphSets::count).
    pub fn zdd(&self) -> Result<GraphDiagram<G>, FamilyError> {
        Ok(self.zdd_with(|sweep| sweep)?.0)
    }

    /// Builds the diagram as [`zdd`](GraphSets::zdd), with the report of the sweep over the graph; `configure` sets limits
    /// on each of its sweeps, as for [`count_with`](GraphSets::count_with).
    ///
    /// # Errors
    ///
    /// The errors of [`count`](GraphSets::count).
    pub fn zdd_with(
        &self,
        configure: impl for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<(GraphDiagram<G>, Report), FamilyError> {
        let order = self.element_order()?;
        let (zdd, report) = match self.bounded_afterwards(&order, &configure)? {
            Some(built) => built,
            None => built(configure(self.frontier_in(&order)?))?,
        };
        Ok((GraphDiagram::new(self.graph.clone(), self.unit(), zdd, order), report))
    }

    /// Returns the diagram, from the diagram without bounds on sums of weights, with the report of the sweep of the latter;
    /// `None` if there are no such bounds, or if the sweep without them is not much shorter, or takes too much memory.
    fn bounded_afterwards(
        &self,
        order: &[usize],
        configure: &dyn for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<Option<(Zdd, Report)>, FamilyError> {
        let (rest, sums) = self.parts.split_sums(&self.graph);
        if sums.is_empty() {
            return Ok(None);
        }
        let bounded = self.frontier_in(order)?;
        let without_bounds =
            |most: u64| match built(configure(rest.frontier(&self.graph, order)?).max_states(most))
            {
                Ok(built) => Ok(Some(built)),
                Err(BuildError::LimitReached {
                    limit: Limit::States(_) | Limit::Bytes(_), ..
                }) => Ok(None),
                Err(error) => Err(FamilyError::from(error)),
            };
        let mut first = without_bounds(SHORT_SWEEP)?;
        if first.is_none() {
            let estimate = choose_order::family_estimate(&self.parts, &self.graph, order);
            let most = predicted_states(configure(bounded), &estimate)? / 4;
            if most > SHORT_SWEEP {
                first = without_bounds(most)?;
            }
        }
        let Some((mut zdd, report)) = first else { return Ok(None) };
        for LinearRule { weights, least, most } in sums {
            let ones = order.iter().map(|&element| weights[element]);
            zdd = zdd.within_with(&Weights::of_ones(ones), least..=most, configure)?;
        }
        Ok(Some((zdd, report)))
    }
}
