//! The number of solutions of a diagram, and below each node.

use super::decision::ValueMask;
use super::pass::{PART, Targets};
use crate::diagram::store::{
    FIRST_NODE, LevelView, NodeId, NodeStore, Nodes, ONE, Passing, ValueEdge, ZERO,
};
use crate::diagram::{Diagram, DiagramRule};
use crate::frontier::{Workers, for_all};
use crate::number::limbs::{self, from_limbs};
use crate::number::{ANY_WIDTH, Column, UpperBound};
use crate::spec::{Arities, Rule};
use num_bigint::BigUint;
use std::borrow::Cow;
use std::ops::Range;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the number of solutions: of assignments to all variables that the diagram admits.
    /// Exact, however large.
    ///
    /// Cost: one linear pass from the bottom up, which stores numbers for the levels that higher
    /// levels still refer to. Wide levels are shared by the threads of the current rayon pool, or
    /// of rayon's global one.
    ///
    /// ```
    /// let subsets = topdd::Zdd::full([2; 200])?;
    /// assert_eq!(subsets.count(), topdd::BigUint::from(2u32).pow(200));
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    #[doc(alias(
        "len",
        "sat_count",
        "exact_cardinality",
        "Cudd_CountMinterm",
        "Cudd_zddCountDouble"
    ))]
    pub fn count(&self) -> BigUint {
        count_nodes(&self.store, R::RULE, None, false).0
    }
}

/// The number of solutions, in all and below each node. With a mask, of the solutions that it allows.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    pub(super) total: BigUint,
    /// Empty if the root is a terminal, and if the mask leaves no assignment.
    levels: Vec<Column>,
}

impl Counts {
    pub(super) fn new(store: &NodeStore, rule: Rule, mask: Option<&ValueMask>) -> Self {
        let (total, levels) = count_nodes(store, rule, mask, true);
        Counts { total, levels }
    }

    /// The number below the `position`-th node of a level; below the 1-terminal if there is no level.
    /// There must be solutions.
    #[inline]
    pub(super) fn below(&self, level: Option<usize>, position: usize) -> &[u64] {
        match level {
            Some(level) => self.levels[level].get(position),
            None => &[1],
        }
    }

    /// Size in bytes of the numbers below the nodes.
    pub(super) fn bytes(&self) -> usize {
        self.levels.iter().map(Column::bytes).sum()
    }
}

/// Returns the number of solutions that the mask allows, and the numbers below each node if `keep` is
/// set.
fn count_nodes(
    store: &NodeStore,
    rule: Rule,
    mask: Option<&ValueMask>,
    keep: bool,
) -> (BigUint, Vec<Column>) {
    if mask.is_some_and(ValueMask::is_empty) {
        return (BigUint::ZERO, Vec::new());
    }
    let skips = &SkippedFactor::new(&store.arities, rule, mask);
    match store.root {
        ONE => (skips.product(0..store.arities.num_vars()), Vec::new()),
        root if root < FIRST_NODE => (root.into(), Vec::new()),
        _ => {
            let workers = Workers::new(None).expect("the caller's threads are not too many");
            let counting = |workers| Counting { store, skips, mask, workers, keep };
            let passing = store.passing();
            if store.levels().any(|level| workers.shares(level.len())) {
                // In the pool, so that no level has to wake the threads first.
                rayon::scope(|_| counting(Some(&workers)).run(passing))
            } else {
                counting(None).run(passing)
            }
        }
    }
}

/// A count of the solutions of a diagram that is not a terminal.
struct Counting<'a> {
    store: &'a NodeStore,
    skips: &'a SkippedFactor<'a>,
    mask: Option<&'a ValueMask>,
    workers: Option<&'a Workers>,
    /// Whether the numbers of all nodes are kept.
    keep: bool,
}

impl Counting<'_> {
    /// Counts up to the root. Returns the number of solutions, and the numbers that are kept.
    fn run(&self, mut passing: Passing<'_>) -> (BigUint, Vec<Column>) {
        let store = self.store;
        let last_uses = store.last_uses();
        let mut done = Done {
            columns: Vec::with_capacity(store.level_count()),
            bounds: Vec::with_capacity(store.level_count()),
        };
        // Columns that are no longer needed, to be overwritten.
        let mut spare: Vec<Column> = Vec::new();
        for level in store.levels() {
            let width = self.widen_targets(&level, &mut done);
            let mut column = spare.pop().unwrap_or_else(|| Column::zeros(0, width));
            column.reset(level.len(), width);
            let bound = self.count_level(&level, &done, &mut column, &passing);
            done.columns.push(column);
            done.bounds.push(bound);
            for &unused in &last_uses[level.index] {
                let column = &mut done.columns[unused as usize];
                if self.keep {
                    column.narrow();
                } else {
                    let column = std::mem::replace(column, Column::zeros(0, 1));
                    if spare.len() < MAX_SPARE_LEVELS {
                        spare.push(column);
                    }
                }
            }
            passing.level_done(&level);
        }
        let top = store.level(store.level_count() - 1);
        let root = &mut done.columns[top.index];
        root.narrow();
        let total = from_limbs(root.get(0)) * self.skips.product(0..top.variable);
        (total, done.columns)
    }

    /// Finds the width in which the numbers of a level fit, and widens the columns of the levels that its
    /// edges lead to. Returns the width.
    fn widen_targets(&self, level: &LevelView<'_>, done: &mut Done) -> usize {
        let Counting { store, skips, .. } = *self;
        let skip = |index| skips.log2(store.skipped(level.variable, index));
        // The bound of the numbers times the factor of the skipped variables.
        let mut bound = UpperBound::ZERO;
        let mut width = 1;
        for &index in store.reach(level.index) {
            let index = index as usize;
            bound = bound.max(done.bounds[index].shifted(skip(Some(index))));
            width = width.max(done.columns[index].width());
        }
        let arity = f64::log2(store.arities.get(level.variable) as f64);
        width = width.max(bound.shifted(arity).limbs());
        // A factor that no edge has may be large.
        let of_one = UpperBound::from_bits(skip(None)).shifted(arity).limbs();
        if of_one > width && level.leads_to(ONE) {
            width = of_one;
        }
        for &index in store.reach(level.index) {
            done.columns[index as usize].set_width(width);
        }
        width
    }

    /// Writes the numbers of the nodes of a level to a column of sufficient width. Returns an upper bound of
    /// each of them.
    fn count_level(
        &self,
        level: &LevelView<'_>,
        done: &Done,
        column: &mut Column,
        passing: &Passing<'_>,
    ) -> UpperBound {
        let Counting { store, skips, mask, workers, .. } = *self;
        let width = column.width();
        let mut terminals = Column::zeros(2, width);
        terminals.get_mut(1)[0] = 1;
        let targets = Targets::new(store, level, |index| {
            let column = index.map_or(&terminals, |index| &done.columns[index]);
            let skipped = store.skipped(level.variable, index);
            let factor = (!skips.is_one(&skipped)).then(|| skips.product(skipped));
            CountTarget { column, factor }
        });
        let allowed = mask.map(|mask| mask.values(level.variable));
        let fill = match width {
            1 => fill::<1>,
            2 => fill::<2>,
            3 => fill::<3>,
            4 => fill::<4>,
            _ => fill::<ANY_WIDTH>,
        };
        let workers = workers.filter(|workers| workers.shares(level.len()));
        let bits = for_all(workers, column.parts_mut(PART), |part, numbers| {
            passing.stop_if_cancelled();
            fill(level, part * PART, &targets, allowed, width, numbers);
            limbs::max_bits(numbers, width)
        });
        bits.into_iter().max().map_or(UpperBound::ZERO, |bits| UpperBound::from_bits(bits as f64))
    }
}

/// The numbers of the levels that have been counted.
struct Done {
    /// By level, the numbers of solutions below its nodes, as assignments to its variable and the variables
    /// after it. Empty if it is no longer needed.
    columns: Vec<Column>,
    /// By level, an upper bound of each of its numbers.
    bounds: Vec<UpperBound>,
}

/// The maximum number of levels whose memory is kept for others.
const MAX_SPARE_LEVELS: usize = 4;

/// The numbers of a level, as a target of edges.
struct CountTarget<'a> {
    column: &'a Column,
    /// The factor of the skipped variables; `None` if it is 1.
    factor: Option<BigUint>,
}

impl CountTarget<'_> {
    /// Replaces the sum by the number of a node of the level.
    #[inline]
    fn put<const WIDTH: usize>(&self, position: usize, sum: &mut [u64]) {
        if self.factor.is_none() {
            sum.copy_from_slice(self.column.row::<WIDTH>(position));
        } else {
            sum.fill(0);
            self.add::<WIDTH>(position, sum);
        }
    }

    /// Adds the number of a node of the level.
    #[inline]
    fn add<const WIDTH: usize>(&self, position: usize, sum: &mut [u64]) {
        let number = self.column.row::<WIDTH>(position);
        match &self.factor {
            None => limbs::add(sum, number),
            Some(factor) => limbs::add_product(sum, number, factor.iter_u64_digits()),
        }
    }
}

/// The numbers of nodes, most of which are of the same level as the one before.
struct Ones<'t, 'a> {
    targets: &'t Targets<CountTarget<'a>>,
    /// The nodes of that level, and its numbers.
    nodes: Range<NodeId>,
    target: Option<&'t CountTarget<'a>>,
}

impl Ones<'_, '_> {
    /// Replaces the sum by the number of a node, or a terminal.
    #[inline]
    fn put<const WIDTH: usize>(&mut self, id: NodeId, sum: &mut [u64]) {
        if !self.nodes.contains(&id) {
            let (target, position) = self.targets.get(id);
            let first = id - position as NodeId;
            self.nodes = first..first + target.column.len() as NodeId;
            self.target = Some(target);
        }
        if let Some(target) = self.target {
            target.put::<WIDTH>((id - self.nodes.start) as usize, sum);
        }
    }
}

/// Writes the numbers of the nodes from `start` on, from the edges with `allowed` values, or from all
/// edges without these. They have `width` limbs, which is `WIDTH` unless that is [`ANY_WIDTH`].
fn fill<const WIDTH: usize>(
    level: &LevelView<'_>,
    start: usize,
    targets: &Targets<CountTarget<'_>>,
    allowed: Option<&[bool]>,
    width: usize,
    numbers: &mut [u64],
) {
    let numbers = numbers.chunks_exact_mut(if WIDTH == ANY_WIDTH { width } else { WIDTH });
    match (level.nodes, allowed) {
        (Nodes::Pairs(pairs), None) => {
            // Nodes are in the order of their children at value 1, so the levels of the children are in
            // order as well.
            let mut ones = Ones { targets, nodes: 0..0, target: None };
            for (sum, &[zero, one]) in numbers.zip(&pairs[start..]) {
                ones.put::<WIDTH>(one, sum);
                if zero != ZERO {
                    let (target, position) = targets.get(zero);
                    target.add::<WIDTH>(position, sum);
                }
            }
        }
        _ => {
            for (sum, index) in numbers.zip(start..) {
                sum.fill(0);
                for ValueEdge { target, value } in level.edges(index) {
                    if allowed.is_none_or(|allowed| allowed[value as usize]) {
                        let (target, position) = targets.get(target);
                        target.add::<WIDTH>(position, sum);
                    }
                }
            }
        }
    }
}

/// The number of assignments to skipped variables, under the rule and, if there is one, a
/// mask that allows some values only.
pub(super) enum SkippedFactor<'a> {
    /// One: all are 0.
    Zeros,
    /// One, all 0, if the mask allows it. For each number of variables, how many of the first ones
    /// may not be 0.
    SomeZeros(Vec<u32>),
    /// The number of all values, or of the allowed ones.
    Any(Cow<'a, Arities>),
}

impl<'a> SkippedFactor<'a> {
    /// The mask must leave each variable a value.
    pub(super) fn new(arities: &'a Arities, rule: Rule, mask: Option<&ValueMask>) -> Self {
        let variables = 0..arities.num_vars();
        match (rule, mask) {
            (Rule::ZeroSuppressed, None) => SkippedFactor::Zeros,
            (Rule::AnyValue, None) => SkippedFactor::Any(Cow::Borrowed(arities)),
            (Rule::ZeroSuppressed, Some(mask)) => {
                let mut sum = 0;
                let sums = variables.map(|variable| {
                    sum += u32::from(!mask.values(variable)[0]);
                    sum
                });
                SkippedFactor::SomeZeros(std::iter::once(0).chain(sums).collect())
            }
            (Rule::AnyValue, Some(mask)) => {
                let left = variables.map(|variable| mask.left(variable) as u32);
                SkippedFactor::Any(Cow::Owned(Arities::new(left)))
            }
        }
    }

    /// Returns whether there is one assignment to these variables.
    #[inline]
    pub(super) fn is_one(&self, skipped: &Range<usize>) -> bool {
        match self {
            SkippedFactor::Zeros => true,
            SkippedFactor::SomeZeros(sums) => sums[skipped.start] == sums[skipped.end],
            SkippedFactor::Any(_) => skipped.is_empty(),
        }
    }

    /// Returns whether there is none.
    #[inline]
    pub(super) fn is_zero(&self, skipped: &Range<usize>) -> bool {
        matches!(self, SkippedFactor::SomeZeros(_)) && !self.is_one(skipped)
    }

    /// Returns the number of assignments to these variables.
    pub(super) fn product(&self, skipped: Range<usize>) -> BigUint {
        match self {
            SkippedFactor::Any(arities) => arities.product(skipped),
            _ => u32::from(!self.is_zero(&skipped)).into(),
        }
    }

    /// Returns an upper bound of its base-2 logarithm.
    pub(super) fn log2(&self, skipped: Range<usize>) -> f64 {
        match self {
            SkippedFactor::Any(arities) => arities.log2_product(skipped),
            _ => 0.0,
        }
    }
}
