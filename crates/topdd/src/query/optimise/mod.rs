//! The solutions of least and of most weight.
//!
//! [`CostPass`] finds the best weight below each node; the best solution, the k best ([`KBest`]) and all within bounds
//! (`within`) follow it down.

#[cfg(test)]
mod tests;
mod within;

pub(crate) use within::inclusive;

use super::pass::{Bottom, Values, up};
use super::sum_product::{Semiring, Weights, sum_product};
use crate::QueryError;
use crate::diagram::store::{FIRST_NODE, NodeId, NodeStore, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::number::Number;
use crate::spec::Rule;
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The direction of an optimisation.
///
/// ```
/// use topdd::{Goal, Weights, Zdd};
///
/// let dice = Zdd::full([6; 2])?;
/// let pips = Weights::from_fn(&dice, |_, value| value as i64 + 1);
/// let best = [Goal::Minimum, Goal::Maximum].map(|goal| dice.best(&pips, goal, 1));
/// assert_eq!(best.map(|mut best| best.as_mut().unwrap().next().unwrap().weight), [2, 12]);
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The smallest weight is the best.
    Minimum,
    /// The largest weight is the best.
    Maximum,
}

impl Goal {
    /// Converts between a weight and a cost, where less is better.
    #[inline]
    pub(crate) fn cost(self, weight: i128) -> i128 {
        match self {
            Goal::Minimum => weight,
            Goal::Maximum => -weight,
        }
    }
}

/// A solution and its weight, the sum of the weights of its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Best {
    /// The weight. Sums of `i64` over all variables fit.
    pub weight: i128,
    /// The solution: one value for each variable.
    pub solution: Vec<usize>,
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solution of least weight; the first in lexicographic order, if there are
    /// several.
    ///
    /// Cost: one linear pass up, which stores 16 bytes for each node, and one path down.
    ///
    /// ```
    /// use topdd::{Best, Goal, Weights};
    ///
    /// let subsets_of_three = topdd::Zdd::full([2; 3])?;
    /// let weights = Weights::of_ones([5, -2, 0]);
    /// let best = subsets_of_three.minimum(&weights)?;
    /// assert_eq!(best, Best { weight: -2, solution: vec![0, 1, 0] });
    /// assert_eq!(subsets_of_three.count_best(&weights, Goal::Minimum)?, 2u32.into());
    /// assert_eq!(subsets_of_three.maximum(&weights)?.weight, 5);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there are no solutions, or not one weight for each value of each variable.
    #[doc(alias = "min_iter")]
    pub fn minimum(&self, weights: &Weights<i64>) -> Result<Best, QueryError> {
        self.first_of(weights, Goal::Minimum)
    }

    /// Returns the solution of greatest weight; the first in lexicographic order, if there are
    /// several. Cost as for [`minimum`](Diagram::minimum).
    ///
    /// # Errors
    ///
    /// When there are no solutions, or not one weight for each value of each variable.
    #[doc(alias = "max_iter")]
    pub fn maximum(&self, weights: &Weights<i64>) -> Result<Best, QueryError> {
        self.first_of(weights, Goal::Maximum)
    }

    /// Returns the best solution; the first in lexicographic order, if there are several.
    fn first_of(&self, weights: &Weights<i64>, goal: Goal) -> Result<Best, QueryError> {
        self.best(weights, goal, 1)?.next().ok_or(QueryError::NoSolutions)
    }

    /// Returns the number of solutions of least, or greatest, weight.
    ///
    /// Cost: one linear pass, with a weight and a number for each node of the levels in use.
    ///
    /// # Errors
    ///
    /// When there are no solutions, or not one weight for each value of each variable.
    pub fn count_best(&self, weights: &Weights<i64>, goal: Goal) -> Result<BigUint, QueryError> {
        count_best(&self.store, R::RULE, weights, goal)
    }

    /// Returns the best `k` solutions, the best first; all solutions, if there are not more than `k`.
    /// Solutions of the same weight come in lexicographic order.
    ///
    /// Lazy after one linear pass up, which stores 16 bytes per node: each solution then takes time
    /// proportional to its variables and the edges of its nodes. The iterator contains a heap of
    /// candidates, at most as many as solutions still to come, hence at most `k`, and at most one
    /// per variable for each solution returned. `usize::MAX` as `k` is no limit.
    ///
    /// After each solution returned, the remaining ones are partitioned by the first variable at
    /// which they deviate from it, and the best of each part is a candidate (Lawler, "A procedure
    /// for computing the K best solutions to discrete optimization problems", 1972). Candidates are
    /// found without a search and stored as the position of the deviation only, as in Eppstein,
    /// "Finding the k shortest paths", 1998.
    ///
    /// ```
    /// use topdd::{Goal, Weights};
    ///
    /// let subsets_of_three = topdd::Zdd::full([2; 3])?;
    /// let weights = Weights::of_ones([5, 2, 4]);
    /// let best = subsets_of_three.best(&weights, Goal::Maximum, 3)?;
    /// assert_eq!(best.map(|best| best.weight).collect::<Vec<_>>(), [11, 9, 7]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one weight for each value of each variable. An empty diagram is no error.
    #[doc(alias = "k_best")]
    pub fn best(&self, weights: &Weights<i64>, goal: Goal, k: usize) -> Result<KBest, QueryError> {
        weights.check(&self.store.arities)?;
        Ok(KBest::new(CostsBelow::new(&self.store, R::RULE, weights, goal), k))
    }
}

// Not generic, so it is compiled here.
fn count_best(
    store: &NodeStore,
    rule: Rule,
    weights: &Weights<i64>,
    goal: Goal,
) -> Result<BigUint, QueryError> {
    weights.check(&store.arities)?;
    if store.root == ZERO {
        return Err(QueryError::NoSolutions);
    }
    Ok(sum_product(store, rule, &Cheapest { weights, goal }).1.to_big())
}

/// The semiring of the least cost and the number of solutions that have it; `None` if there are none.
struct Cheapest<'a> {
    weights: &'a Weights<i64>,
    goal: Goal,
}

impl Semiring for Cheapest<'_> {
    type Value = (Option<i128>, Number);

    fn zero(&self) -> Self::Value {
        (None, Number::default())
    }

    fn one(&self) -> Self::Value {
        (Some(0), 1.into())
    }

    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        let order = match (a.0, b.0) {
            (Some(x), Some(y)) => x.cmp(&y),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match order {
            Ordering::Less => a.clone(),
            Ordering::Greater => b.clone(),
            Ordering::Equal => {
                let mut sum = a.clone();
                sum.1.add(b.1.limbs());
                sum
            }
        }
    }

    fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
        (a.0.zip(b.0).map(|(x, y)| x + y), a.1.times(b.1.limbs()))
    }

    fn weight(&self, variable: usize, value: usize) -> Self::Value {
        (Some(self.goal.cost(self.weights.variable(variable)[value].into())), 1.into())
    }
}

/// The least cost below each node. Costs are weights, negated for the goal [`Goal::Maximum`].
///
/// No sum overflows: there are fewer than 2^31 variables, and each adds at most 2^63.
#[derive(Clone, Debug)]
struct CostsBelow {
    store: Arc<NodeStore>,
    rule: Rule,
    weights: Weights<i64>,
    goal: Goal,
    below: Values<i128>,
    /// By variable, the least cost of all variables before it when they are skipped.
    skipped: Vec<i128>,
}

/// A node, or the 1-terminal, and its variable.
#[derive(Clone, Copy, Debug)]
struct NodeAt {
    node: NodeId,
    variable: usize,
}

/// A value of a variable.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// The cost of the variable and the least cost of all that follow.
    cost: i128,
    value: usize,
    /// The target of the value.
    to: NodeAt,
}

impl CostsBelow {
    /// The weights must fit the diagram.
    fn new(store: &Arc<NodeStore>, rule: Rule, weights: &Weights<i64>, goal: Goal) -> Self {
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

    fn goal(&self) -> Goal {
        self.goal
    }

    fn store(&self) -> &NodeStore {
        &self.store
    }

    /// Returns the start of a walk; `None` if there are no solutions.
    fn root(&self) -> Option<NodeAt> {
        let root = self.store().root;
        (root != ZERO).then(|| self.node_at(root))
    }

    fn node_at(&self, node: NodeId) -> NodeAt {
        NodeAt { node, variable: self.store().variable_of(node) }
    }

    /// Returns the least cost of the variables from `next` on, below `to`: not the 0-terminal, and
    /// at none of the variables before `next`.
    #[inline]
    fn rest(&self, next: usize, to: NodeAt) -> i128 {
        self.skipped[to.variable] - self.skipped[next] + *self.below.get(self.store(), to.node)
    }

    /// Does the same as [`rest`](CostsBelow::rest), for a node.
    fn rest_of(&self, next: usize, node: NodeId) -> i128 {
        self.rest(next, self.node_at(node))
    }

    /// The cost of a value alone.
    #[inline]
    fn cost(&self, variable: usize, value: usize) -> i128 {
        self.goal.cost(self.weights.variable(variable)[value].into())
    }

    /// Returns the best value of a variable, and the least of equally good ones. If a cost and a value
    /// are given, considers only the values after them in this order.
    fn choose(&self, variable: usize, at: NodeAt, after: Option<(i128, usize)>) -> Option<Choice> {
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
    fn follow(&self, variable: usize, at: NodeAt, value: usize) -> Choice {
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

/// The best solutions of a diagram, one after the other, as an iterator of [`Best`]; returned by
/// [`Diagram::best`](crate::Diagram::best).
#[derive(Clone, Debug)]
pub struct KBest {
    costs: CostsBelow,
    /// The best solution of each set of a partition of the solutions still to be returned.
    candidates: BTreeSet<Candidate>,
    /// The maximum number of solutions still to be returned.
    left: usize,
}

/// The best solution of a set: all solutions that have the values of `like` before variable `at`, and at
/// that variable `value` or a value after it by cost and value.
#[derive(Clone, Debug)]
struct Candidate {
    cost: i128,
    /// A solution returned before, unless this is the first of all.
    like: Arc<[u32]>,
    at: usize,
    /// `None` if there is no variable.
    value: Option<u32>,
}

impl Candidate {
    /// Returns the values up to the variable at which the candidate deviates from `like`.
    fn values(&self) -> impl Iterator<Item = u32> {
        self.like[..self.at].iter().copied().chain(self.value)
    }
}

/// Better candidates first, then in lexicographic order.
///
/// The comparison does not need the whole solutions: the sets of two candidates are disjoint, so
/// the values up to the variable at which each deviates are different.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.cmp(&other.cost).then_with(|| self.values().cmp(other.values()))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl KBest {
    fn new(costs: CostsBelow, k: usize) -> Self {
        let mut candidates = BTreeSet::new();
        if let Some(root) = costs.root().filter(|_| k > 0) {
            let value = (costs.store().arities.num_vars() > 0)
                .then(|| costs.choose(0, root, None).expect("no node is dead").value as u32);
            let cost = costs.rest(0, root);
            candidates.insert(Candidate { cost, like: Arc::new([]), at: 0, value });
        }
        KBest { costs, candidates, left: k }
    }

    /// Returns the number of candidates in the heap, a measure of the memory in use.
    ///
    /// ```
    /// use topdd::{Goal, Weights, Zdd};
    ///
    /// let all = Zdd::full([2; 3])?;
    /// let mut best = all.best(&Weights::of_ones([1, 2, 4]), Goal::Maximum, usize::MAX)?;
    /// assert_eq!(best.held(), 1);
    /// best.next();
    /// assert_eq!(best.held(), 3); // the best of each part: [0, ..], [1, 0, ..], [1, 1, 0]
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn held(&self) -> usize {
        self.candidates.len()
    }

    /// Returns the candidate's solution. Partitions the rest of its set into the sets of new
    /// candidates.
    fn open(&mut self, candidate: &Candidate) -> Vec<usize> {
        let num_vars = self.costs.store().arities.num_vars();
        let mut values: Vec<usize> = candidate.values().map(|value| value as usize).collect();
        let mut place = self.costs.root().expect("there is a solution");
        // The alternatives by variable: the total cost and the value.
        let mut others = Vec::new();
        for variable in 0..num_vars {
            let choice = if let Some(&value) = values.get(variable) {
                self.costs.follow(variable, place, value)
            } else {
                let best = self.costs.choose(variable, place, None).expect("no node is dead");
                values.push(best.value);
                best
            };
            if variable >= candidate.at {
                let after = Some((choice.cost, choice.value));
                if let Some(other) = self.costs.choose(variable, place, after) {
                    // Nothing changes before this variable, so this is the difference.
                    let cost = candidate.cost + (other.cost - choice.cost);
                    others.push((cost, variable, other.value as u32));
                }
            }
            place = choice.to;
        }
        let like: Arc<[u32]> = values.iter().map(|&value| value as u32).collect();
        for (cost, at, value) in others {
            let like = Arc::clone(&like);
            self.candidates.insert(Candidate { cost, like, at, value: Some(value) });
            if self.candidates.len() > self.left {
                self.candidates.pop_last();
            }
        }
        values
    }
}

impl Iterator for KBest {
    type Item = Best;

    fn next(&mut self) -> Option<Best> {
        self.left = self.left.checked_sub(1)?;
        let candidate = self.candidates.pop_first()?;
        let solution = self.open(&candidate);
        Some(Best { weight: self.costs.goal().cost(candidate.cost), solution })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.candidates.len().min(self.left), Some(self.left))
    }
}

impl std::iter::FusedIterator for KBest {}
