//! Solutions by rank, and uniform samples.

mod exact;
pub(super) mod random;
#[cfg(test)]
mod tests;
mod weighted;

pub use weighted::WeightedIndex;

use super::count::Counts;
use super::iterate::Solutions;
use super::ranks::Ranks;
use crate::QueryError;
use crate::diagram::{Diagram, DiagramRule};
use num_bigint::BigUint;
use rand_core::Rng;
use std::collections::BTreeSet;
use std::iter::Rev;

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
        Ok(self.ranks().nth(&random::below(self.count(), rng)))
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
            let drawn = random::below(&(&largest + 1u32), rng);
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
