//! The solutions whose weights lie within bounds.

use super::{CostsBelow, Goal};
use crate::diagram::store::{NodeId, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::query::operators::RuleAdapter;
use crate::query::sum_product::Weights;
use crate::spec::{DdSpec, Portable, Rule, Step};
use crate::{BuildError, Frontier, QueryError};
use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow, RangeBounds, RangeInclusive};

/// The greatest difference of the weights of solutions for which there is no search for intervals of sums: a node has at
/// most one sum more, and a search takes longer than a sweep over so many.
const MANY_SUMS: i128 = 1 << 14;

/// The same bounds, where a missing one is the least or greatest number. No weight is near these numbers.
pub(crate) fn inclusive(bounds: impl RangeBounds<i128>) -> RangeInclusive<i128> {
    let least = match bounds.start_bound() {
        Bound::Included(&least) => least,
        Bound::Excluded(&below) => below.saturating_add(1),
        Bound::Unbounded => i128::MIN,
    };
    let most = match bounds.end_bound() {
        Bound::Included(&most) => most,
        Bound::Excluded(&above) => above.saturating_sub(1),
        Bound::Unbounded => i128::MAX,
    };
    least..=most
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solutions whose weight, the sum of the weights of their values, is within
    /// bounds, as a diagram over the same variables.
    ///
    /// Cost: a pass for the least and one for the greatest weight below each node, and a sweep. It visits a node once for
    /// each sum of weights above it after which some completions are within bounds and others are not: for few sums if
    /// the bounds are near the best weight, for up to all different sums if they are in the middle. If the weights of the
    /// solutions differ by more than 16 384, a search before the sweep joins the sums with the same completions to
    /// intervals, of which a node has far fewer. It takes about 60 bytes for each.
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
        let mut spec = self.weighed(weights, bounds)?;
        spec.find_intervals(&|_| Ok(()))?;
        Ok(Frontier::over(&spec).diagram()?)
    }

    /// Returns the solutions as [`within`](Diagram::within); `configure` sets limits on its sweep, which also apply to the
    /// search before the sweep.
    ///
    /// ```
    /// use topdd::{CancelToken, Weights};
    ///
    /// let subsets = topdd::Zdd::full([2; 30])?;
    /// let weights = Weights::of_ones((0..30).map(|v| v * v * 1000));
    /// let few = subsets.within_with(&weights, ..=9000, |sweep| sweep.memory_limit(1 << 20))?;
    /// assert_eq!(few, subsets.within(&weights, ..=9000)?);
    /// let token = CancelToken::new();
    /// token.cancel();
    /// assert!(subsets.within_with(&weights, ..=9000, |sweep| sweep.cancel_with(&token)).is_err());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`within`](Diagram::within), and [`QueryError::Build`] when a limit is reached or the sweep is
    /// cancelled.
    pub fn within_with(
        &self,
        weights: &Weights<i64>,
        bounds: impl RangeBounds<i128>,
        configure: impl for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<Self, QueryError> {
        let mut spec = self.weighed(weights, bounds)?;
        // A sweep that does not run, for its limits.
        let limits = configure(Frontier::of(self.clone()));
        spec.find_intervals(&limits.check_before())?;
        Ok(configure(Frontier::of(spec)).diagram()?)
    }

    /// Returns the spec of [`within`](Diagram::within), for [`Frontier`] to build within limits and
    /// for [`SpecExt`](crate::SpecExt) to combine with others. Cost: the two passes. A node has a state for each
    /// different sum, as there is no search before the sweep: `within` has fewer if weights are large.
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
        let (least, most) = inclusive(bounds).into_inner();
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
            intervals: None,
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
    /// If they are known, states have the least weight of an interval.
    intervals: Option<Intervals>,
}

/// A node, and the weight so far if it still matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct WeighedNode {
    node: NodeId,
    weight: Option<i128>,
}

crate::portable!(WeighedNode { node, weight });

impl<R: DiagramRule> Within<'_, R> {
    /// Returns the outcome of a step to a node when the variables before `next` are decided and weigh `weight`.
    fn outcome(&self, node: NodeId, next: usize, weight: i128) -> WeightOutcome {
        if node == ZERO || self.least > self.most {
            return WeightOutcome::None(Interval::ALL);
        }
        let lightest = self.lightest.rest_of(next, node);
        let heaviest = -self.heaviest.rest_of(next, node);
        if weight + heaviest < self.least {
            let most = self.least.saturating_sub(heaviest + 1);
            return WeightOutcome::None(Interval { most, ..Interval::ALL });
        }
        if self.most < weight + lightest {
            let least = self.most.saturating_sub(lightest - 1);
            return WeightOutcome::None(Interval { least, ..Interval::ALL });
        }
        if self.least <= weight + lightest && weight + heaviest <= self.most {
            let least = self.least.saturating_sub(lightest);
            return WeightOutcome::All(Interval {
                least,
                most: self.most.saturating_sub(heaviest),
            });
        }
        let to = self.diagram.store.variable_of(node);
        let at = match R::RULE {
            Rule::ZeroSuppressed => to,
            Rule::AnyValue => to.min(self.uneven[next]),
        };
        WeightOutcome::Some((node, at), weight + self.zeros[at] - self.zeros[next])
    }

    /// Returns the difference between the greatest and the least weight of a solution.
    fn range(&self) -> i128 {
        let root = self.diagram.store.root;
        let rest = |costs: &CostsBelow| costs.rest_of(0, root);
        if root == ZERO { 0 } else { -rest(&self.heaviest) - rest(&self.lightest) }
    }

    /// Finds the intervals of all weights that occur, if there are many. Fails if `check` fails for a number of bytes.
    fn find_intervals(
        &mut self,
        check: &dyn Fn(usize) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        if self.range() > MANY_SUMS {
            let this = &*self;
            let root = this.outcome(this.diagram.store.root, 0, 0);
            let children = |(node, variable): Place, weight| {
                let edges = this.diagram.store.edges_at(node, variable);
                edges.map(move |(value, to)| {
                    let weight = weight + this.own_weight(variable, value);
                    (weight, this.outcome(to, variable + 1, weight))
                })
            };
            self.intervals = Some(Intervals::new(root, children, check)?);
        }
        Ok(())
    }

    fn own_weight(&self, variable: usize, value: usize) -> i128 {
        self.weights.variable(variable)[value].into()
    }

    /// Returns the step to a node when the variables before `next` are decided and weigh `weight`.
    fn step(&self, node: NodeId, next: usize, weight: Option<i128>) -> Step<WeighedNode> {
        match weight.map(|weight| self.outcome(node, next, weight)) {
            Some(WeightOutcome::None(_)) => Step::Zero,
            Some(WeightOutcome::Some((node, at), weight)) => {
                let known = self.intervals.as_ref().and_then(|known| known.get((node, at), weight));
                let weight = Some(known.map_or(weight, |interval| interval.least));
                Step::To(at, WeighedNode { node, weight })
            }
            Some(WeightOutcome::All(_)) | None => match node {
                ZERO => Step::Zero,
                ONE => Step::One,
                _ => Step::To(
                    self.diagram.store.variable_of(node),
                    WeighedNode { node, weight: None },
                ),
            },
        }
    }

    /// Returns the step by a value from a state to a node.
    fn go(
        &self,
        from: WeighedNode,
        variable: usize,
        value: usize,
        node: NodeId,
    ) -> Step<WeighedNode> {
        let weight = from.weight.map(|weight| weight + self.own_weight(variable, value));
        self.step(node, variable + 1, weight)
    }
}

impl<R: DiagramRule> DdSpec for Within<'_, R> {
    type State = WeighedNode;

    fn num_vars(&self) -> usize {
        self.diagram.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.diagram.arity(variable)
    }

    fn root(&self) -> Step<WeighedNode> {
        self.step(self.diagram.store.root, 0, Some(0))
    }

    fn child(&self, state: &WeighedNode, variable: usize, value: usize) -> Step<WeighedNode> {
        let to = self.diagram.store.follow(state.node, variable, value);
        self.go(*state, variable, value, to)
    }

    fn for_each_child<B>(
        &self,
        state: &WeighedNode,
        variable: usize,
        mut visit: impl FnMut(usize, Step<WeighedNode>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut edges = self.diagram.store.edges_at(state.node, variable);
        edges.try_for_each(|(value, to)| visit(value, self.go(*state, variable, value, to)))
    }
}

/// The number of entries between two checks.
const CHECKED: usize = 1 << 12;

/// Size in bytes of an entry, in a node of the map that is three quarters full.
const ENTRY_BYTES: usize = size_of::<((Place, i128), i128)>() * 4 / 3;

/// All weights from `least` to `most`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) least: i128,
    pub(super) most: i128,
}

impl Interval {
    pub(super) const ALL: Self = Interval { least: i128::MIN, most: i128::MAX };

    /// Returns the weights that are in both intervals.
    pub(super) fn meet(self, other: Self) -> Self {
        Interval { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// Returns the interval with `by` added to each weight. An end at the limit of the type may stay there: no weight is
    /// near.
    pub(super) fn shift(self, by: i128) -> Self {
        Interval { least: self.least.saturating_add(by), most: self.most.saturating_add(by) }
    }
}

/// A node at a variable, which is its own or a skipped one before it.
pub(super) type Place = (NodeId, usize);

/// For nodes at variables, disjoint intervals of the weight of the values before: all weights of one have the same
/// completions within bounds.
///
/// Source: S. Minato, M. Banbara, T. Horiyama, J. Kawahara, I. Takigawa and Y. Yamaguchi, *Interval-memoized backtracking
/// on ZDDs for fast enumeration of all lower cost solutions*, 2022.
#[derive(Default)]
pub(super) struct Intervals {
    /// By place and least weight, the greatest weight.
    most: BTreeMap<(Place, i128), i128>,
}

/// A visit of a place, whose children are being visited.
struct Visit<I> {
    place: Place,
    weight: i128,
    /// The weights at the place for which all children visited so far are the same.
    common: Interval,
    children: I,
}

/// The completions within bounds after a step to a node with the weight so far.
#[derive(Clone, Copy, Debug)]
pub(super) enum WeightOutcome {
    /// No completion, for all weights of the interval.
    None(Interval),
    /// All completions, for all weights of the interval.
    All(Interval),
    /// Some completions, at a place with the weight of the values before it.
    Some(Place, i128),
}

impl Intervals {
    /// Returns the interval of a weight, if it is known.
    pub(super) fn get(&self, place: Place, weight: i128) -> Option<Interval> {
        let (&(of, least), &most) = self.most.range(..=(place, weight)).next_back()?;
        (of == place && weight <= most).then_some(Interval { least, most })
    }

    /// Finds the intervals of all weights that occur from a root on. `children` returns, for a place and a weight, the
    /// weight after each value and its outcome. Takes an entry for each interval, and a stack as deep as the diagram.
    /// Fails if `check` fails, which is called with the number of bytes from time to time.
    pub(super) fn new<I>(
        root: WeightOutcome,
        children: impl Fn(Place, i128) -> I,
        check: &dyn Fn(usize) -> Result<(), BuildError>,
    ) -> Result<Self, BuildError>
    where
        I: Iterator<Item = (i128, WeightOutcome)>,
    {
        let mut intervals = Intervals::default();
        let visit = |place, weight| Visit {
            place,
            weight,
            common: Interval::ALL,
            children: children(place, weight),
        };
        let mut stack = Vec::new();
        if let WeightOutcome::Some(place, weight) = root {
            stack.push(visit(place, weight));
        }
        while let Some(top) = stack.last_mut() {
            let (weight, interval) = match top.children.next() {
                Some((weight, WeightOutcome::None(interval) | WeightOutcome::All(interval))) => {
                    (weight, interval)
                }
                Some((_, WeightOutcome::Some(place, weight))) => {
                    let Some(interval) = intervals.get(place, weight) else {
                        stack.push(visit(place, weight));
                        continue;
                    };
                    (weight, interval)
                }
                None => {
                    let (place, weight, interval) = (top.place, top.weight, top.common);
                    if intervals.most.len() % CHECKED == 0 {
                        check(intervals.most.len() * ENTRY_BYTES)?;
                    }
                    intervals.most.insert((place, interval.least), interval.most);
                    stack.pop();
                    (weight, interval)
                }
            };
            if let Some(parent) = stack.last_mut() {
                parent.common = parent.common.meet(interval.shift(parent.weight - weight));
            }
        }
        Ok(intervals)
    }
}
