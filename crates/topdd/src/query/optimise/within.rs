//! The solutions whose weights lie within bounds.

use super::Goal;
use super::costs::CostsBelow;
use crate::diagram::store::{NodeId, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::query::rule_adapter::RuleAdapter;
use crate::query::weights::Weights;
use crate::spec::{DdSpec, Portable, Rule, Step};
use crate::{Frontier, QueryError};
use std::ops::ControlFlow;
use std::ops::{Bound, RangeBounds};

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solutions whose weight, the sum of the weights of their values, is within
    /// bounds, as a diagram over the same variables.
    ///
    /// Cost: a pass for the least and one for the greatest weight below each node, and a sweep. A node
    /// occurs in the result once for each sum of weights above it after which some completions are
    /// within bounds and others are not: for few sums if the bounds are near the best weight, for up to
    /// all different sums if they are in the middle.
    ///
    /// ```
    /// use topdd::Weights;
    ///
    /// let subsets_of_three = topdd::Zdd::full([2; 3])?;
    /// let weights = Weights::of_ones([5, 2, 4]);
    /// let best = subsets_of_three.maximum(&weights)?.weight;
    /// let good = subsets_of_three.within(&weights, best - 3..)?;
    /// assert_eq!(good.iter().collect::<Vec<_>>(), [[1, 0, 1], [1, 1, 1]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable, or the result has
    /// more nodes than can be numbered.
    #[doc(alias("cost_le", "cost_ge", "cost_eq"))]
    pub fn within(
        &self,
        weights: &Weights<i64>,
        bounds: impl RangeBounds<i128>,
    ) -> Result<Self, QueryError> {
        Ok(Frontier::over(&self.weighed(weights, bounds)?).diagram()?)
    }

    /// Returns the spec of [`within`](Diagram::within), for [`Frontier`] to build within limits and
    /// for [`SpecExt`](crate::SpecExt) to combine with others. Cost: the two passes.
    ///
    /// ```
    /// use topdd::{Frontier, Weights, Zdd};
    ///
    /// let all = Zdd::full([2; 3])?;
    /// let spec = all.within_spec(&Weights::of_ones([5, 2, 4]), ..=4)?; // {}, {1} and {2}
    /// assert_eq!(Frontier::over(&spec).max_states(100).count()?, 3u32.into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable.
    pub fn within_spec<B: RangeBounds<i128>>(
        &self,
        weights: &Weights<i64>,
        bounds: B,
    ) -> Result<impl DdSpec<State: Portable> + use<'_, R, B>, QueryError> {
        self.weighed(weights, bounds).map(RuleAdapter::<R, _>::new)
    }

    fn weighed(
        &self,
        weights: &Weights<i64>,
        bounds: impl RangeBounds<i128>,
    ) -> Result<Within<'_, R>, QueryError> {
        weights.check(&self.store.arities)?;
        let least = match bounds.start_bound() {
            Bound::Included(&least) => least,
            // No weight is near the limits of the type.
            Bound::Excluded(&below) => below.saturating_add(1),
            Bound::Unbounded => i128::MIN,
        };
        let most = match bounds.end_bound() {
            Bound::Included(&most) => most,
            Bound::Excluded(&above) => above.saturating_sub(1),
            Bound::Unbounded => i128::MAX,
        };
        let mut sum = 0;
        let zeros = (0..self.num_vars()).map(|variable| {
            sum += i128::from(weights.variable(variable)[0]);
            sum
        });
        let mut uneven = vec![self.num_vars(); self.num_vars() + 1];
        for variable in (0..self.num_vars()).rev() {
            let of = weights.variable(variable);
            let even = of.iter().all(|weight| *weight == of[0]);
            uneven[variable] = if even { uneven[variable + 1] } else { variable };
        }
        Ok(Within {
            diagram: self,
            weights: weights.clone(),
            least,
            most,
            lightest: CostsBelow::new(&self.store, R::RULE, weights, Goal::Minimum),
            heaviest: CostsBelow::new(&self.store, R::RULE, weights, Goal::Maximum),
            zeros: std::iter::once(0).chain(zeros).collect(),
            uneven,
        })
    }
}

/// The solutions of a diagram within bounds, as a spec to be built under its own rule.
struct Within<'a, R: DiagramRule> {
    diagram: &'a Diagram<R>,
    weights: Weights<i64>,
    least: i128,
    most: i128,
    lightest: CostsBelow,
    heaviest: CostsBelow,
    /// By variable, the sum of the weights of value 0 over all earlier variables.
    zeros: Vec<i128>,
    /// By variable, the first from there on whose values do not all have the same weight.
    uneven: Vec<usize>,
}

/// A node, and the weight so far if it still matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Weighed {
    node: NodeId,
    weight: Option<i128>,
}

crate::portable!(Weighed { node, weight });

impl<R: DiagramRule> Within<'_, R> {
    /// Returns the step to a node when the variables before `next` are decided and weigh `weight`.
    fn step(&self, node: NodeId, next: usize, weight: Option<i128>) -> Step<Weighed> {
        if node == ZERO {
            return Step::Zero;
        }
        let store = &self.diagram.store;
        let to = store.variable_of(node);
        let settled = || match node {
            ONE => Step::One,
            _ => Step::To(to, Weighed { node, weight: None }),
        };
        let Some(weight) = weight else { return settled() };
        let lightest = weight + self.lightest.rest_of(next, node);
        let heaviest = weight - self.heaviest.rest_of(next, node);
        if heaviest < self.least || self.most < lightest {
            return Step::Zero;
        }
        if self.least <= lightest && heaviest <= self.most {
            return settled();
        }
        let at = match R::RULE {
            Rule::ZeroSuppressed => to,
            Rule::AnyValue => to.min(self.uneven[next]),
        };
        let weight = Some(weight + self.zeros[at] - self.zeros[next]);
        Step::To(at, Weighed { node, weight })
    }

    /// Returns the step by a value from a state to a node.
    fn go(&self, from: Weighed, variable: usize, value: usize, node: NodeId) -> Step<Weighed> {
        let own = || i128::from(self.weights.variable(variable)[value]);
        self.step(node, variable + 1, from.weight.map(|weight| weight + own()))
    }
}

impl<R: DiagramRule> DdSpec for Within<'_, R> {
    type State = Weighed;

    fn num_vars(&self) -> usize {
        self.diagram.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.diagram.arity(variable)
    }

    fn root(&self) -> Step<Weighed> {
        if self.least > self.most {
            return Step::Zero;
        }
        self.step(self.diagram.store.root, 0, Some(0))
    }

    fn child(&self, state: &Weighed, variable: usize, value: usize) -> Step<Weighed> {
        let to = self.diagram.store.follow(state.node, variable, value);
        self.go(*state, variable, value, to)
    }

    fn for_each_child<B>(
        &self,
        state: &Weighed,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Weighed>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut edges = self.diagram.store.edges_at(state.node, variable);
        edges.try_for_each(|(value, to)| visit(value, self.go(*state, variable, value, to)))
    }
}
