//! The number of solutions of a diagram.

use crate::diagram::store::{Edge, FIRST_NODE, LevelView, NodeId, Nodes, ONE, Passing, Store};
use crate::diagram::{Diagram, DiagramRule};
use crate::frontier::number::{Number, Wide};
use crate::frontier::{Workers, for_all};
use crate::spec::Rule;
use num_bigint::BigUint;

impl<R: DiagramRule> Diagram<R> {
    /// The number of solutions: of assignments to all variables that the diagram admits.
    /// Exact, however large.
    ///
    /// One linear pass from the bottom up, which holds numbers for the levels that
    /// something above still refers to. Wide levels are shared out among the threads of
    /// the rayon pool that this is called in, or of rayon's global one.
    pub fn count(&self) -> BigUint {
        let store = &*self.store;
        let rule = R::RULE;
        match store.root {
            ONE if rule == Rule::AnyValue => store.arities.product(0..self.num_vars()),
            root if root < FIRST_NODE => root.into(),
            _ => {
                let workers = Workers::new(None).expect("the caller's threads are not too many");
                if store.levels().any(|level| workers.shares(level.len())) {
                    // Where the threads are, so that no level has to wake them first.
                    rayon::scope(|_| count(store, rule, Some(&workers)))
                } else {
                    count(store, rule, None)
                }
            }
        }
    }
}

/// The count of a diagram whose root is a node.
fn count(store: &Store, rule: Rule, workers: Option<&Workers>) -> BigUint {
    /// Goes on with numbers of this width, until they are too narrow.
    macro_rules! go_on {
        ($pass:expr) => {
            match $pass.run() {
                Ok(count) => return count,
                Err(pass) => pass,
            }
        };
    }
    let pass = go_on!(Pass::<Wide<1>>::new(store, rule, workers));
    let pass = go_on!(pass.widen::<Wide<2>>());
    let pass = go_on!(pass.widen::<Wide<4>>());
    let pass = go_on!(pass.widen::<Wide<8>>());
    go_on!(pass.widen::<BigUint>());
    unreachable!("a number without a width is never too narrow")
}

/// A count on its way up, in numbers of one width.
struct Pass<'a, N> {
    store: &'a Store,
    rule: Rule,
    workers: Option<&'a Workers>,
    /// The numbers of solutions below the nodes, for the levels that are still needed.
    levels: Vec<Numbers<N>>,
    last_uses: Vec<Vec<u32>>,
    passing: Passing<'a>,
    /// Numbers of levels that are needed no more, to be overwritten.
    spare: Vec<Vec<N>>,
}

/// The numbers of solutions below the nodes of a level, as assignments to its variable and
/// those after it.
struct Numbers<N> {
    numbers: Vec<N>,
    /// The largest weight among them.
    weight: f64,
}

impl<'a, N: Number> Pass<'a, N> {
    fn new(store: &'a Store, rule: Rule, workers: Option<&'a Workers>) -> Self {
        Pass {
            store,
            rule,
            workers,
            levels: Vec::with_capacity(store.level_count()),
            last_uses: store.last_uses(),
            passing: store.passing(),
            spare: Vec::new(),
        }
    }

    /// Goes on to the root, or to where the numbers become too narrow.
    fn run(mut self) -> Result<BigUint, Box<Self>> {
        let store = self.store;
        let terminals = [N::zero(), N::one()];
        while self.levels.len() < store.level_count() {
            let level = store.level(self.levels.len());
            let mut numbers = self.spare.pop().unwrap_or_default();
            let sources = Sources::new(&self, &level, &terminals);
            if sources.too_heavy(store.arities.get(level.variable)) {
                return Err(Box::new(self));
            }
            numbers.clear();
            numbers.resize(level.len(), N::zero());
            let weight = match self.workers.filter(|workers| workers.shares(level.len())) {
                None => fill(&level, 0, &sources, &mut numbers),
                workers => {
                    let weights = for_all(workers, numbers.chunks_mut(PART), |part, numbers| {
                        fill(&level, part * PART, &sources, numbers)
                    });
                    weights.into_iter().fold(0.0, f64::max)
                }
            };
            self.levels.push(Numbers { numbers, weight });
            for &done in &self.last_uses[level.index] {
                let numbers = std::mem::take(&mut self.levels[done as usize].numbers);
                if self.spare.len() < MOST_SPARE {
                    self.spare.push(numbers);
                }
            }
            self.passing.level_done(&level);
        }
        let top = store.level(store.level_count() - 1);
        let root = self.levels[top.index].numbers[0].to_big();
        Ok(match self.rule {
            Rule::ZeroSuppressed => root,
            Rule::AnyValue => root * store.arities.product(0..top.variable),
        })
    }

    /// The same pass with wider numbers.
    fn widen<M: Number>(self) -> Pass<'a, M> {
        let widen = |level: Numbers<N>| Numbers {
            numbers: level.numbers.iter().map(N::convert::<M>).collect(),
            weight: level.weight,
        };
        let mut levels = Vec::with_capacity(self.store.level_count());
        levels.extend(self.levels.into_iter().map(widen));
        Pass {
            store: self.store,
            rule: self.rule,
            workers: self.workers,
            levels,
            last_uses: self.last_uses,
            passing: self.passing,
            spare: Vec::new(),
        }
    }
}

/// Nodes of a wide level that one thread works on at a time.
const PART: usize = 1 << 12;
/// Levels whose memory is kept for others.
const MOST_SPARE: usize = 4;

/// Where the edges of one level lead.
struct Sources<'a, N> {
    near: Source<'a, N>,
    /// The others, with the terminals, by descending numbers of nodes.
    far: Vec<Source<'a, N>>,
}

/// The numbers of a level that edges lead to.
struct Source<'a, N> {
    first: NodeId,
    numbers: &'a [N],
    /// By how much the skipped variables multiply them; `None` if they do not.
    factor: Option<BigUint>,
    /// At least what any of the numbers weighs, multiplied.
    weight: f64,
}

impl<'a, N: Number> Sources<'a, N> {
    /// `terminals` are the numbers of the two.
    fn new(pass: &'a Pass<'_, N>, level: &LevelView<'_>, terminals: &'a [N; 2]) -> Self {
        let store = pass.store;
        let source = |index: Option<usize>, first, numbers, weight: f64| {
            let skipped = store.skipped(level.variable, index);
            if pass.rule == Rule::ZeroSuppressed || skipped.is_empty() {
                return Source { first, numbers, factor: None, weight };
            }
            // A trace too much, so that rounding cannot make it too little.
            let grows = (store.arities.log2_product(skipped.clone()) + 1e-6).exp2();
            let weight = weight * grows;
            // Not made where it is too much already: it may be large.
            let fits = !N::CAPACITY.is_finite() || weight < N::CAPACITY;
            let factor = fits.then(|| store.arities.product(skipped));
            Source { first, numbers, factor, weight }
        };
        let of_level = |&index: &u32| {
            let index = index as usize;
            let Numbers { numbers, weight } = &pass.levels[index];
            source(Some(index), store.level(index).first, &numbers[..], *weight)
        };
        let mut far: Vec<_> = store.reach(level.index).iter().rev().map(of_level).collect();
        far.push(source(None, 0, &terminals[..], 1.0));
        let near = far.remove(0);
        Sources { near, far }
    }

    /// Whether sums over so many values might not fit.
    fn too_heavy(&self, arity: usize) -> bool {
        let weights = self.far.iter().map(|source| source.weight);
        let most = weights.fold(self.near.weight, f64::max);
        N::CAPACITY.is_finite() && most * arity as f64 >= N::CAPACITY
    }

    /// Adds the number of a node, or a terminal.
    #[inline]
    fn add(&self, id: NodeId, sum: &mut N) {
        let mut source = &self.near;
        if id < source.first {
            source = if self.far.len() <= 4 {
                self.far.iter().find(|source| id >= source.first).expect("there is 0")
            } else {
                &self.far[self.far.partition_point(|source| id < source.first)]
            };
        }
        let number = &source.numbers[(id - source.first) as usize];
        match &source.factor {
            None => sum.add(number),
            Some(factor) => sum.add(&number.times(factor)),
        }
    }
}

/// Writes the numbers of the nodes from `start` on, and answers the largest weight.
fn fill<N: Number>(
    level: &LevelView<'_>,
    start: usize,
    sources: &Sources<'_, N>,
    numbers: &mut [N],
) -> f64 {
    let mut weight: f64 = 0.0;
    match level.nodes {
        Nodes::Pairs(pairs) => {
            for (number, &[zero, one]) in numbers.iter_mut().zip(&pairs[start..]) {
                sources.add(zero, number);
                sources.add(one, number);
                weight = weight.max(number.weight());
            }
        }
        Nodes::Sparse { .. } => {
            for (number, index) in numbers.iter_mut().zip(start..) {
                for Edge { target, .. } in level.edges(index) {
                    sources.add(target, number);
                }
                weight = weight.max(number.weight());
            }
        }
    }
    weight
}
