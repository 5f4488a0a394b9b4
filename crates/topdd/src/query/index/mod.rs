//! Solutions by rank, and uniform samples.

#[cfg(test)]
mod tests;
mod weighted;

use super::count::{Counts, SkippedFactor};
use super::decision::ValueMask;
use super::iterate::Solutions;
use crate::QueryError;
use crate::diagram::store::{FIRST_NODE, NodeId, NodeStore, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::number::Number;
use crate::spec::Rule;
use num_bigint::BigUint;
use rand_core::Rng;
use std::collections::BTreeSet;
use std::iter::Rev;
use std::ops::Range;

pub use weighted::WeightedIndex;

/// A diagram with the number of solutions below each node, for solutions by rank and uniform
/// samples.
///
/// The *rank* of a solution is the number of solutions before it in lexicographic order, the order
/// of [`Diagram::iter`]. Ranks are exact, however large.
///
/// Cost: one pass as for [`Diagram::count`] to make it; for each result, time proportional to the
/// number of variables and the edges of the nodes on one path. It shares the nodes of the diagram.
/// Its size ([`bytes`](Index::bytes)) is 8 bytes per node where counts are below 2^64, and at each
/// level as many multiples of 8 bytes per node as its largest count needs.
///
/// ```
/// let index = topdd::Zdd::full([2; 200])?.index(); // all subsets of 0..200
/// let middle = index.count() / 2u32;               // 2^199
/// let solution = index.nth(&middle)?;
/// assert_eq!(solution[..3], [1, 0, 0]);
/// assert_eq!(index.rank(&solution)?, Some(middle.clone()));
/// assert_eq!(index.iter_from(&middle)?.next(), Some(solution));
/// assert_eq!(index.iter_back_from(&(middle - 1u32))?.next().unwrap()[..3], [0, 1, 1]);
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index<R: DiagramRule> {
    diagram: Diagram<R>,
    counts: Counts,
}

impl<R: DiagramRule> Index<R> {
    fn ranks(&self) -> Ranks<'_> {
        Ranks::new(&self.diagram.store, R::RULE, None, &self.counts)
    }

    /// Returns the diagram of the index.
    pub fn diagram(&self) -> &Diagram<R> {
        &self.diagram
    }

    /// Returns the number of solutions, without a further pass.
    pub fn count(&self) -> &BigUint {
        &self.counts.total
    }

    /// Returns the size in bytes of the counts, without the diagram.
    pub fn bytes(&self) -> usize {
        self.counts.bytes()
    }

    /// Returns the number of solutions before this one in lexicographic order; `None` if the
    /// assignment is no solution.
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn rank(&self, assignment: &[usize]) -> Result<Option<BigUint>, QueryError> {
        self.diagram.check_assignment(assignment)?;
        Ok(self.ranks().rank(assignment))
    }

    /// Returns the solution of a rank, which is the number of solutions before it in lexicographic
    /// order.
    ///
    /// # Errors
    ///
    /// [`QueryError::RankOutOfRange`] when `rank` is not below the number of solutions.
    pub fn nth(&self, rank: &BigUint) -> Result<Vec<usize>, QueryError> {
        if rank >= self.count() {
            let count = self.count().clone();
            return Err(QueryError::RankOutOfRange { rank: rank.clone(), count });
        }
        Ok(self.ranks().nth(rank))
    }

    /// Returns the solutions from a rank on, in lexicographic order.
    ///
    /// # Errors
    ///
    /// [`QueryError::RankOutOfRange`] when `rank` is not below the number of solutions.
    pub fn iter_from(&self, rank: &BigUint) -> Result<Solutions, QueryError> {
        self.diagram.iter_from(&self.nth(rank)?)
    }

    /// Returns the solutions from a rank back to the first, in descending order.
    ///
    /// # Errors
    ///
    /// [`QueryError::RankOutOfRange`] when `rank` is not below the number of solutions.
    pub fn iter_back_from(&self, rank: &BigUint) -> Result<Rev<Solutions>, QueryError> {
        self.diagram.iter_back_from(&self.nth(rank)?)
    }

    /// Returns a random solution, each with the same probability, exactly: a rank is drawn as an
    /// integer, without bias.
    ///
    /// The same state of a generator gives the same solution on every machine. Any generator
    /// of the crate `rand` 0.10 can be used. Cost: one path down.
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let index = topdd::Zdd::full([2; 3])?.index();
    /// let drawn = index.sample(&mut StdRng::seed_from_u64(1))?;
    /// assert!(index.diagram().contains(&drawn)?);
    /// // The same seed, the same solution.
    /// assert_eq!(index.sample(&mut StdRng::seed_from_u64(1))?, drawn);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] when there are none.
    #[doc(alias("rand_iter", "choice", "sat_valuation"))]
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        if self.diagram.is_empty() {
            return Err(QueryError::NoSolutions);
        }
        Ok(self.ranks().nth(&random_below(self.count(), rng)))
    }

    /// Returns `wanted` different random solutions, in lexicographic order: each set of `wanted`
    /// solutions has the same probability, exactly.
    ///
    /// Draws `wanted` ranks and stores them (Floyd's algorithm: J. Bentley and R. W. Floyd,
    /// "Programming pearls: a sample of brilliance", 1987). Cost: one path down for each solution.
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let index = topdd::zdd(&topdd::constraint::exactly(5, 2))?.index();
    /// let all = index.sample_distinct(10, &mut StdRng::seed_from_u64(0))?;
    /// assert!(all.into_iter().eq(index.diagram().iter())); // there are 10
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::TooFewSolutions`] when there are fewer than `wanted` solutions.
    pub fn sample_distinct<G: Rng + ?Sized>(
        &self,
        wanted: usize,
        rng: &mut G,
    ) -> Result<Vec<Vec<usize>>, QueryError> {
        let count = self.count();
        if *count < BigUint::from(wanted) {
            return Err(QueryError::TooFewSolutions { wanted, count: count.clone() });
        }
        let mut ranks = BTreeSet::new();
        for missing in (1..=wanted).rev() {
            let largest = count - missing;
            let drawn = random_below(&(&largest + 1u32), rng);
            if !ranks.insert(drawn) {
                ranks.insert(largest);
            }
        }
        let by_rank = self.ranks();
        Ok(ranks.iter().map(|rank| by_rank.nth(rank)).collect())
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the diagram with the number of solutions below each node, for queries by rank and
    /// random samples; see [`Index`]. Cost: one linear pass.
    pub fn index(&self) -> Index<R> {
        Index { counts: Counts::new(&self.store, R::RULE, None), diagram: self.clone() }
    }

    /// Returns the number of solutions before this one in lexicographic order; `None` if the
    /// assignment is no solution.
    ///
    /// Cost: a pass over the diagram; an [`Index`] serves many queries.
    ///
    /// ```
    /// let zdd = topdd::zdd(&topdd::constraint::exactly(4, 2))?;
    /// assert_eq!(zdd.rank(&[1, 0, 0, 1])?, Some(3u32.into()));
    /// assert_eq!(zdd.nth(&3u32.into())?, [1, 0, 0, 1]);
    /// assert_eq!(zdd.rank(&[1, 1, 1, 0])?, None);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn rank(&self, assignment: &[usize]) -> Result<Option<BigUint>, QueryError> {
        self.check_assignment(assignment)?;
        self.index().rank(assignment)
    }

    /// Returns the solution of a rank, which is the number of solutions before it in lexicographic
    /// order.
    ///
    /// Cost: a pass over the diagram; an [`Index`] serves many queries.
    ///
    /// # Errors
    ///
    /// [`QueryError::RankOutOfRange`] when `rank` is not below the number of solutions.
    pub fn nth(&self, rank: &BigUint) -> Result<Vec<usize>, QueryError> {
        self.index().nth(rank)
    }

    /// Returns a random solution, each with the same probability, exactly.
    ///
    /// Cost: a pass over the diagram; an [`Index`] serves many samples.
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let zdd = topdd::zdd(&topdd::constraint::exactly(4, 2))?;
    /// let mut rng = StdRng::seed_from_u64(1); // or `rand::rng()`
    /// assert!(zdd.contains(&zdd.sample(&mut rng)?)?);
    /// assert!(zdd.sample_distinct(6, &mut rng)?.into_iter().eq(&zdd)); // all 6 of them
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] when there are none.
    #[doc(alias("rand_iter", "choice", "sat_valuation"))]
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        self.index().sample(rng)
    }

    /// Returns `wanted` different random solutions, in lexicographic order: each set of that size
    /// has the same probability, exactly.
    ///
    /// Cost: a pass over the diagram; an [`Index`] serves many samples.
    ///
    /// # Errors
    ///
    /// [`QueryError::TooFewSolutions`] when there are fewer than `wanted` solutions.
    pub fn sample_distinct<G: Rng + ?Sized>(
        &self,
        wanted: usize,
        rng: &mut G,
    ) -> Result<Vec<Vec<usize>>, QueryError> {
        self.index().sample_distinct(wanted, rng)
    }
}

/// The map from ranks to solutions and back.
pub(super) struct Ranks<'a> {
    store: &'a NodeStore,
    mask: Option<&'a ValueMask>,
    counts: &'a Counts,
    skips: SkippedFactor<'a>,
}

/// The position of a walk: a node, or the 1-terminal, all variables before it decided.
#[derive(Clone, Copy)]
struct RankStop {
    /// `None` for the terminal.
    level: Option<usize>,
    /// The index of the node in the level.
    position: usize,
    /// Its variable; the number of variables for the terminal.
    variable: usize,
}

impl<'a> Ranks<'a> {
    /// The counts must be those under the same rule and mask.
    pub(super) fn new(
        store: &'a NodeStore,
        rule: Rule,
        mask: Option<&'a ValueMask>,
        counts: &'a Counts,
    ) -> Self {
        let mask = mask.filter(|mask| !mask.is_empty());
        Ranks { store, mask, counts, skips: SkippedFactor::new(&store.arities, rule, mask) }
    }

    /// Returns the solution of a rank below the count.
    pub(super) fn nth(&self, rank: &BigUint) -> Vec<usize> {
        let mut rest = Number::from(rank);
        let mut values = vec![0; self.store.arities.num_vars()];
        let mut stop = self.stop(self.store.root, self.store.level_count());
        rest = self.read_skipped(0..stop.variable, stop, rest, &mut values);
        while let Some(index) = stop.level {
            let level = self.store.level(index);
            let edges = level.edges(stop.position).filter(|edge| {
                self.mask.is_none_or(|mask| mask.values(level.variable)[edge.value as usize])
            });
            let mut chosen = None;
            for edge in edges {
                let to = self.stop(edge.target, index);
                let is_after = self.with_through(level.variable, to, |count| {
                    let is_after = rest.compare(count).is_ge();
                    if is_after {
                        rest.subtract(count);
                    }
                    is_after
                });
                if !is_after {
                    chosen = Some((edge.value as usize, to));
                    break;
                }
            }
            let (value, to) = chosen.expect("the rank is below the count");
            values[level.variable] = value;
            rest = self.read_skipped(level.variable + 1..to.variable, to, rest, &mut values);
            stop = to;
        }
        values
    }

    /// Returns the rank of an assignment that has been checked; `None` if it is no solution.
    pub(super) fn rank(&self, assignment: &[usize]) -> Option<BigUint> {
        if self.store.root == ZERO || self.counts.total == BigUint::ZERO {
            return None;
        }
        let mut stop = self.stop(self.store.root, self.store.level_count());
        let mut rank = self.rank_skipped(0..stop.variable, stop, assignment)?;
        while let Some(index) = stop.level {
            let level = self.store.level(index);
            let value = assignment[level.variable];
            let allowed = self.mask.map(|mask| mask.values(level.variable));
            if allowed.is_some_and(|allowed| !allowed[value]) {
                return None;
            }
            let before =
                level.edges(stop.position).take_while(|edge| (edge.value as usize) < value);
            for edge in before {
                if allowed.is_none_or(|allowed| allowed[edge.value as usize]) {
                    let to = self.stop(edge.target, index);
                    self.with_through(level.variable, to, |count| rank.add(count));
                }
            }
            let child = level.child(stop.position, value);
            if child == ZERO {
                return None;
            }
            stop = self.stop(child, index);
            let skipped = level.variable + 1..stop.variable;
            rank.add(self.rank_skipped(skipped, stop, assignment)?.limbs());
        }
        Some(rank.to_big())
    }

    /// Returns the position of a node among the lowest `below` levels, or of the 1-terminal.
    fn stop(&self, id: NodeId, below: usize) -> RankStop {
        if id < FIRST_NODE {
            debug_assert_eq!(id, ONE, "no walk goes to the 0-terminal");
            let variable = self.store.arities.num_vars();
            return RankStop { level: None, position: 0, variable };
        }
        let index = self.store.level_of(id, below);
        let level = self.store.level(index);
        let position = (id - level.first) as usize;
        RankStop { level: Some(index), position, variable: level.variable }
    }

    /// Returns the number of solutions below a node.
    fn below(&self, stop: RankStop) -> &[u64] {
        self.counts.below(stop.level, stop.position)
    }

    /// Passes the number of solutions through an edge from a variable to `take`.
    fn with_through<T>(&self, variable: usize, to: RankStop, take: impl FnOnce(&[u64]) -> T) -> T {
        let skipped = variable + 1..to.variable;
        if self.skips.is_one(&skipped) {
            take(self.below(to))
        } else {
            let factor = Number::from(&self.skips.product(skipped));
            take(factor.times(self.below(to)).limbs())
        }
    }

    /// Writes the values of skipped variables in the solution of rank `rest` from there, and
    /// returns its rank among those with the same values.
    fn read_skipped(
        &self,
        skipped: Range<usize>,
        to: RankStop,
        rest: Number,
        values: &mut [usize],
    ) -> Number {
        let SkippedFactor::Any(arities) = &self.skips else { return rest };
        if skipped.is_empty() {
            return rest;
        }
        let (mut number, rest) = rest.div_rem(self.below(to));
        // Digits from the last, in groups that fit into 64 bits.
        let mut end = skipped.end;
        while end > skipped.start && !number.is_zero() {
            let mut base = 1;
            let mut start = end;
            while start > skipped.start {
                let Some(larger) = u64::checked_mul(base, arities.get(start - 1) as u64) else {
                    break;
                };
                base = larger;
                start -= 1;
            }
            let (quotient, digits) = number.div_rem(&[base]);
            number = quotient;
            let mut digits = digits.limbs().first().copied().unwrap_or(0);
            for variable in (start..end).rev() {
                let arity = arities.get(variable) as u64;
                values[variable] = (digits % arity) as usize;
                digits /= arity;
            }
            end = start;
        }
        if let Some(mask) = self.mask {
            // So far those are indices among the allowed values.
            for variable in skipped {
                let mut allowed = (0..).zip(mask.values(variable)).filter(|(_, allowed)| **allowed);
                let value = allowed.nth(values[variable]).map(|(value, _)| value);
                values[variable] = value.expect("there are as many as the digit may count");
            }
        }
        rest
    }

    /// Returns the number of solutions from there that precede those with the assigned values of
    /// skipped variables; `None` if these values may not be skipped.
    fn rank_skipped(
        &self,
        skipped: Range<usize>,
        to: RankStop,
        assignment: &[usize],
    ) -> Option<Number> {
        let SkippedFactor::Any(arities) = &self.skips else {
            let zeros = assignment[skipped.clone()].iter().all(|&value| value == 0);
            return (zeros && !self.skips.is_zero(&skipped)).then_some(Number::default());
        };
        let mut number = Number::default();
        let (mut base, mut digits) = (1u64, 0u64);
        for variable in skipped {
            let value = assignment[variable];
            let digit = match self.mask.map(|mask| mask.values(variable)) {
                None => value,
                Some(allowed) if !allowed[value] => return None,
                Some(allowed) => allowed[..value].iter().filter(|&&allowed| allowed).count(),
            };
            let arity = arities.get(variable) as u64;
            if base.checked_mul(arity).is_none() {
                number = number.times(&[base]);
                number.add(&[digits]);
                (base, digits) = (1, 0);
            }
            base *= arity;
            digits = digits * arity + digit as u64;
        }
        number = number.times(&[base]);
        number.add(&[digits]);
        Some(number.times(self.below(to)))
    }
}

/// Returns a number below `bound`, which is not 0, all with the same probability: draws as many
/// bits as the bound has, and repeats until the number is below it.
pub(super) fn random_below<G: Rng + ?Sized>(bound: &BigUint, rng: &mut G) -> BigUint {
    let bits = bound.bits();
    let digits = bits.div_ceil(32) as usize;
    let top = u32::MAX >> (digits as u64 * 32 - bits);
    loop {
        let mut drawn: Vec<u32> = (0..digits).map(|_| rng.next_u32()).collect();
        drawn[digits - 1] &= top;
        let drawn = BigUint::new(drawn);
        if drawn < *bound {
            return drawn;
        }
    }
}
