//! The best weight below each node.

use super::Goal;
use crate::diagram::store::{FIRST_NODE, NodeId, Store, ZERO};
use crate::query::pass::{Bottom, Values, up};
use crate::query::weights::Weights;
use crate::spec::Rule;
use std::ops::Range;
use std::sync::Arc;

/// The least cost below each node. Costs are weights, negated for the goal [`Goal::Maximum`].
///
/// No sum overflows: there are fewer than 2^31 variables, and each adds at most 2^63.
#[derive(Clone, Debug)]
pub(super) struct CostsBelow {
    store: Arc<Store>,
    rule: Rule,
    weights: Weights<i64>,
    goal: Goal,
    below: Values<i128>,
    /// By variable, the least cost of all variables before it when they are skipped.
    skipped: Vec<i128>,
}

/// A node, or the 1-terminal, and its variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeAt {
    node: NodeId,
    variable: usize,
}

/// A value of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The cost of the variable and the least cost of all that follow.
    pub(super) cost: i128,
    pub(super) value: usize,
    /// The target of the value.
    pub(super) to: NodeAt,
}

impl CostsBelow {
    /// The weights must fit the diagram.
    pub(super) fn new(store: &Arc<Store>, rule: Rule, weights: &Weights<i64>, goal: Goal) -> Self {
        let mut sum = 0;
        let mut skipped = vec![0];
        skipped.extend((0..store.arities.num_vars()).map(|variable| {
            let of = weights.variable(variable);
            let allowed = match rule {
                Rule::ZeroSuppressed => &of[..1],
                Rule::AnyValue => of,
            };
            let costs = allowed.iter().map(|&weight| goal.cost(weight.into()));
            sum += costs.min().expect("each variable has a value");
            sum
        }));
        let pass = CostPass { weights, goal, skipped: &skipped };
        let below = up(store, &pass, true);
        CostsBelow {
            store: Arc::clone(store),
            rule,
            weights: weights.clone(),
            goal,
            below,
            skipped,
        }
    }

    pub(super) fn goal(&self) -> Goal {
        self.goal
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the start of a walk; `None` if there are no solutions.
    pub(super) fn root(&self) -> Option<NodeAt> {
        let root = self.store().root;
        (root != ZERO).then(|| self.node_at(root))
    }

    fn node_at(&self, node: NodeId) -> NodeAt {
        NodeAt { node, variable: self.store().variable_of(node) }
    }

    /// Returns the least cost of the variables from `next` on, below `to`: not the 0-terminal, and
    /// at none of the variables before `next`.
    #[inline]
    pub(super) fn rest(&self, next: usize, to: NodeAt) -> i128 {
        self.skipped[to.variable] - self.skipped[next] + *self.below.get(self.store(), to.node)
    }

    /// Does the same as [`rest`](CostsBelow::rest), for a node.
    pub(super) fn rest_of(&self, next: usize, node: NodeId) -> i128 {
        self.rest(next, self.node_at(node))
    }

    /// The cost of a value alone.
    #[inline]
    fn cost(&self, variable: usize, value: usize) -> i128 {
        self.goal.cost(self.weights.variable(variable)[value].into())
    }

    /// Returns the best value of a variable, and the least of equally good ones. If a cost and a value
    /// are given, considers only the values after them in this order.
    pub(super) fn choose(
        &self,
        variable: usize,
        at: NodeAt,
        after: Option<(i128, usize)>,
    ) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        let mut offer = |value, to: NodeAt| {
            let cost = self.cost(variable, value) + self.rest(variable + 1, to);
            if after.is_none_or(|after| (cost, value) > after)
                && best.is_none_or(|best| (cost, value) < (best.cost, best.value))
            {
                best = Some(Choice { cost, value, to });
            }
        };
        if at.variable > variable {
            match self.rule {
                Rule::ZeroSuppressed => offer(0, at),
                Rule::AnyValue => {
                    (0..self.weights.variable(variable).len()).for_each(|value| offer(value, at));
                }
            }
        } else {
            let store = self.store();
            let level = store.level(store.level_of(at.node, store.level_count()));
            for edge in level.edges((at.node - level.first) as usize) {
                offer(edge.value as usize, self.node_at(edge.target));
            }
        }
        best
    }

    /// Returns a value with solutions, and its cost and target.
    pub(super) fn follow(&self, variable: usize, at: NodeAt, value: usize) -> Choice {
        let to = if at.variable > variable {
            at
        } else {
            let store = self.store();
            debug_assert!(at.node >= FIRST_NODE, "a terminal has no variable");
            let level = store.level(store.level_of(at.node, store.level_count()));
            self.node_at(level.child((at.node - level.first) as usize, value))
        };
        let cost = self.cost(variable, value) + self.rest(variable + 1, to);
        Choice { cost, value, to }
    }
}

struct CostPass<'a> {
    weights: &'a Weights<i64>,
    goal: Goal,
    skipped: &'a [i128],
}

impl Bottom for CostPass<'_> {
    type Value = i128;
    type Skip = i128;

    fn one(&self) -> i128 {
        0
    }

    fn skip(&self, skipped: Range<usize>) -> i128 {
        self.skipped[skipped.end] - self.skipped[skipped.start]
    }

    #[inline]
    fn node<'a>(
        &self,
        variable: usize,
        edges: impl Iterator<Item = (usize, &'a i128, &'a i128)>,
    ) -> i128
    where
        Self: 'a,
    {
        let weights = self.weights.variable(variable);
        let costs =
            edges.map(|(value, skip, below)| self.goal.cost(weights[value].into()) + skip + below);
        costs.min().expect("no node is dead")
    }
}
