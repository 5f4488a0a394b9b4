//! The solutions that are left.

use super::Configurator;
use crate::QueryError;
use crate::diagram::{Diagram, DiagramRule};
use crate::query::counts::Ranks;
use crate::query::index::random;
use crate::query::value_counts::value_counts;
use num_bigint::BigUint;
use rand::Rng;

/// The solutions that are left.
impl<R: DiagramRule> Configurator<R> {
    /// The first, in lexicographic order, of the solutions that are left.
    pub fn solution(&self) -> Vec<usize> {
        self.ranks().get(&BigUint::ZERO)
    }

    /// The solution of a rank among those that are left; see [`Index`](crate::Index).
    ///
    /// # Errors
    ///
    /// When there are not more than `rank` solutions left.
    pub fn get(&self, rank: &BigUint) -> Result<Vec<usize>, QueryError> {
        if *rank >= self.counts.total {
            let count = self.counts.total.clone();
            return Err(QueryError::RankOutOfRange { rank: rank.clone(), count });
        }
        Ok(self.ranks().get(rank))
    }

    /// The number of solutions that are left before this one in lexicographic order;
    /// `None` where the assignment is none of them.
    ///
    /// # Errors
    ///
    /// When the assignment has not as many values as there are variables, or a value that
    /// its variable does not have.
    pub fn rank(&self, assignment: &[usize]) -> Result<Option<BigUint>, QueryError> {
        self.diagram.check_assignment(assignment)?;
        Ok(self.ranks().rank(assignment))
    }

    /// One of the solutions that are left, at random, each with the same probability.
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Vec<usize> {
        self.ranks().get(&random::below(&self.counts.total, rng))
    }

    /// For each variable and each of its values, in how many of the solutions that are left
    /// the variable has the value. One more pass down.
    pub fn value_counts(&self) -> Vec<Vec<BigUint>> {
        value_counts(&self.diagram.store, R::RULE, Some(&self.mask), &self.counts)
    }

    /// The solutions that are left, as a diagram.
    ///
    /// # Errors
    ///
    /// As for [`Diagram::restrict`].
    pub fn rest(&self) -> Result<Diagram<R>, QueryError> {
        self.diagram.restrict(&self.decisions)
    }

    fn ranks(&self) -> Ranks<'_> {
        Ranks::new(&self.diagram.store, R::RULE, Some(&self.mask), &self.counts)
    }
}
