//! The number of solutions of a diagram, and below each node.

use super::decision::Mask;
use super::number::{Number, Wide};
use super::pass::{PART, Targets};
use super::skipped::SkippedFactor;
use crate::diagram::store::{
    Edge, FIRST_NODE, LevelView, NodeId, Nodes, ONE, Passing, Store, ZERO,
};
use crate::diagram::{Diagram, DiagramRule};
use crate::frontier::{Workers, for_all};
use crate::spec::Rule;
use num_bigint::BigUint;
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
        count(&self.store, R::RULE, None, false).0
    }
}

/// Returns the number of solutions that the mask allows, and those below each node if `keep` is
/// set.
pub(super) fn count(
    store: &Store,
    rule: Rule,
    mask: Option<&Mask>,
    keep: bool,
) -> (BigUint, Vec<LevelCounts>) {
    if mask.is_some_and(Mask::is_empty) {
        return (BigUint::ZERO, Vec::new());
    }
    let skips = &SkippedFactor::new(&store.arities, rule, mask);
    match store.root {
        ONE => (skips.product(0..store.arities.num_vars()), Vec::new()),
        root if root < FIRST_NODE => (root.into(), Vec::new()),
        _ => {
            let workers = Workers::new(None).expect("the caller's threads are not too many");
            let counting = |workers| Counting { store, skips, mask, workers, keep };
            if store.levels().any(|level| workers.shares(level.len())) {
                // In the pool, so that no level has to wake the threads first.
                rayon::scope(|_| counting(Some(&workers)).run())
            } else {
                counting(None).run()
            }
        }
    }
}

/// The numbers of one level, each with as many limbs as the largest.
#[derive(Clone, Debug)]
pub(super) struct LevelCounts {
    limbs: usize,
    pub(super) words: Box<[u64]>,
}

impl LevelCounts {
    pub(super) fn new<N: Number>(numbers: &[N]) -> Self {
        let significant =
            |limbs: &[u64]| limbs.iter().rposition(|&limb| limb != 0).map_or(1, |last| last + 1);
        let needed = numbers.iter().map(|number| number.with_limbs(significant));
        let limbs = needed.max().unwrap_or(1);
        let mut words = vec![0; limbs * numbers.len()].into_boxed_slice();
        for (number, words) in numbers.iter().zip(words.chunks_exact_mut(limbs)) {
            number.with_limbs(|from| {
                let limbs = limbs.min(from.len());
                words[..limbs].copy_from_slice(&from[..limbs]);
            });
        }
        LevelCounts { limbs, words }
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> &[u64] {
        &self.words[index * self.limbs..(index + 1) * self.limbs]
    }
}

/// The job of a count: the diagram, the mask and the root.
#[derive(Clone, Copy)]
struct Counting<'a> {
    store: &'a Store,
    skips: &'a SkippedFactor<'a>,
    mask: Option<&'a Mask>,
    workers: Option<&'a Workers>,
    /// Whether the numbers of all nodes are kept.
    keep: bool,
}

impl Counting<'_> {
    fn run(self) -> (BigUint, Vec<LevelCounts>) {
        /// Counts in numbers of this width, until they are too narrow.
        macro_rules! go_on {
            ($pass:expr) => {
                match $pass.run() {
                    Ok(count) => return count,
                    Err(pass) => pass,
                }
            };
        }
        let pass = go_on!(CountPass::<Wide<1>>::new(self));
        let pass = go_on!(pass.widen::<Wide<2>>());
        let pass = go_on!(pass.widen::<Wide<4>>());
        let pass = go_on!(pass.widen::<Wide<8>>());
        go_on!(pass.widen::<BigUint>());
        unreachable!("a number without a width is never too narrow")
    }
}

/// A count in progress, in numbers of one width.
struct CountPass<'a, N> {
    counting: Counting<'a>,
    /// The numbers of solutions below the nodes, of the levels that are still needed.
    levels: Vec<Numbers<N>>,
    last_uses: Vec<Vec<u32>>,
    passing: Passing<'a>,
    /// Numbers of levels that are no longer needed, to be overwritten.
    spare: Vec<Vec<N>>,
    /// The numbers of all nodes so far, if they are kept.
    kept: Vec<LevelCounts>,
}

/// The numbers of solutions below the nodes of a level, as assignments to its variable and
/// those after it.
struct Numbers<N> {
    numbers: Vec<N>,
    /// An upper bound of the weights among them.
    weight: f64,
}

impl<'a, N: Number> CountPass<'a, N> {
    fn new(counting: Counting<'a>) -> Self {
        let store = counting.store;
        CountPass {
            counting,
            levels: Vec::with_capacity(store.level_count()),
            last_uses: store.last_uses(),
            passing: store.passing(),
            spare: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Counts up to the root, or until the numbers become too narrow.
    fn run(mut self) -> Result<(BigUint, Vec<LevelCounts>), Box<Self>> {
        let Counting { store, skips, mask, workers, keep } = self.counting;
        let terminals = [N::zero(), N::one()];
        while self.levels.len() < store.level_count() {
            let level = store.level(self.levels.len());
            let mut numbers = self.spare.pop().unwrap_or_default();
            let sources = Sources::new(&self, &level, &terminals);
            if sources.too_heavy(store.arities.get(level.variable)) {
                return Err(Box::new(self));
            }
            // Old numbers are overwritten.
            numbers.resize(level.len(), N::zero());
            let allowed = mask.map(|mask| mask.values(level.variable));
            let fill = |start, numbers: &mut [N]| fill(&level, start, &sources, allowed, numbers);
            let weight = match workers.filter(|workers| workers.shares(level.len())) {
                None => fill(0, &mut numbers),
                workers => {
                    let weights = for_all(workers, numbers.chunks_mut(PART), |part, numbers| {
                        fill(part * PART, numbers)
                    });
                    weights.into_iter().fold(0.0, f64::max)
                }
            };
            if keep {
                self.kept.push(LevelCounts::new(&numbers));
            }
            self.levels.push(Numbers { numbers, weight });
            for &done in &self.last_uses[level.index] {
                let numbers = std::mem::take(&mut self.levels[done as usize].numbers);
                if self.spare.len() < MAX_SPARE_LEVELS {
                    self.spare.push(numbers);
                }
            }
            self.passing.level_done(&level);
        }
        let top = store.level(store.level_count() - 1);
        let root = self.levels[top.index].numbers[0].to_big();
        Ok((root * skips.product(0..top.variable), self.kept))
    }

    /// Returns the same pass with wider numbers.
    fn widen<M: Number>(self) -> CountPass<'a, M> {
        let widen = |level: Numbers<N>| Numbers {
            numbers: level.numbers.iter().map(N::convert::<M>).collect(),
            weight: level.weight,
        };
        let mut levels = Vec::with_capacity(self.counting.store.level_count());
        levels.extend(self.levels.into_iter().map(widen));
        CountPass {
            counting: self.counting,
            levels,
            last_uses: self.last_uses,
            passing: self.passing,
            spare: Vec::new(),
            kept: self.kept,
        }
    }
}

/// The maximum number of levels whose memory is kept for others.
const MAX_SPARE_LEVELS: usize = 4;

/// The targets of the edges of one level.
struct Sources<'a, N>(Targets<Source<'a, N>>);

/// The numbers of a level, as a target of edges.
struct Source<'a, N> {
    numbers: &'a [N],
    /// The factor of the skipped variables; `None` if it is 1.
    factor: Option<BigUint>,
    /// An upper bound of the weights of the numbers times the factor.
    weight: f64,
}

impl<'a, N: Number> Sources<'a, N> {
    /// Finds the targets; `terminals` are the numbers of the two terminals.
    fn new(pass: &'a CountPass<'_, N>, level: &LevelView<'_>, terminals: &'a [N; 2]) -> Self {
        let Counting { store, skips, .. } = pass.counting;
        Sources(Targets::new(store, level, |index| {
            let (numbers, weight) = match index {
                Some(index) => (&pass.levels[index].numbers[..], pass.levels[index].weight),
                None => (&terminals[..], 1.0),
            };
            let skipped = store.skipped(level.variable, index);
            if skips.is_one(&skipped) {
                return Source { numbers, factor: None, weight };
            }
            let weight = weight * skips.log2(skipped.clone()).exp2();
            // Not computed where it would not fit: it may be large.
            let fits = !N::CAPACITY.is_finite() || weight < N::CAPACITY;
            let factor = fits.then(|| skips.product(skipped));
            Source { numbers, factor, weight }
        }))
    }

    /// Returns whether sums over `arity` values might not fit.
    fn too_heavy(&self, arity: usize) -> bool {
        let most = self.0.iter().map(|source| source.weight).fold(0.0, f64::max);
        N::CAPACITY.is_finite() && most * arity as f64 >= N::CAPACITY
    }

    /// Adds the number of a node, or a terminal.
    #[inline]
    fn add(&self, id: NodeId, sum: &mut N) {
        let (source, position) = self.0.get(id);
        source.add(position, sum);
    }
}

impl<N: Number> Source<'_, N> {
    /// Adds the number of a node of the level.
    #[inline]
    fn add(&self, position: usize, sum: &mut N) {
        let number = &self.numbers[position];
        match &self.factor {
            None => sum.add(number),
            Some(factor) => sum.add(&number.times(factor)),
        }
    }
}

/// The numbers of nodes, most of which are of the same level as the one before.
struct Ones<'s, 'a, N> {
    sources: &'s Sources<'a, N>,
    /// The nodes of that level, and their source.
    nodes: Range<NodeId>,
    source: Option<&'s Source<'a, N>>,
}

impl<N: Number> Ones<'_, '_, N> {
    /// Adds the number of a node, or a terminal.
    #[inline]
    fn add(&mut self, id: NodeId, sum: &mut N) {
        if !self.nodes.contains(&id) {
            let (source, position) = self.sources.0.get(id);
            let first = id - position as NodeId;
            self.nodes = first..first + source.numbers.len() as NodeId;
            self.source = Some(source);
        }
        if let Some(source) = self.source {
            source.add((id - self.nodes.start) as usize, sum);
        }
    }
}

/// Writes the numbers of the nodes from `start` on, from the edges with `allowed` values, or from all
/// edges without these. Returns an upper bound of their weights.
fn fill<N: Number>(
    level: &LevelView<'_>,
    start: usize,
    sources: &Sources<'_, N>,
    allowed: Option<&[bool]>,
    numbers: &mut [N],
) -> f64 {
    let mut cover = N::zero();
    match (level.nodes, allowed) {
        (Nodes::Pairs(pairs), None) => {
            // Nodes are in the order of their children at value 1, so the levels of the children are in
            // order as well.
            let mut ones = Ones { sources, nodes: 0..0, source: None };
            for (number, &[zero, one]) in numbers.iter_mut().zip(&pairs[start..]) {
                let mut sum = N::zero();
                ones.add(one, &mut sum);
                if zero != ZERO {
                    sources.add(zero, &mut sum);
                }
                cover.cover(&sum);
                *number = sum;
            }
        }
        _ => {
            for (number, index) in numbers.iter_mut().zip(start..) {
                let mut sum = N::zero();
                for Edge { target, value } in level.edges(index) {
                    if allowed.is_none_or(|allowed| allowed[value as usize]) {
                        sources.add(target, &mut sum);
                    }
                }
                cover.cover(&sum);
                *number = sum;
            }
        }
    }
    cover.weight()
}
