//! Queries of the solutions that are left.

use super::Configurator;
use crate::QueryError;
use crate::diagram::store::NodeId;
use crate::diagram::{Diagram, DiagramRule};
use crate::query::domains::DomainPass;
use crate::query::index::random;
use crate::query::ranks::Ranks;
use crate::query::value_counts::value_counts;
use num_bigint::BigUint;
use rand_core::Rng;

/// Queries of the solutions that are left.
impl<R: DiagramRule> Configurator<R> {
    /// Returns the first, in lexicographic order, of the solutions that are left. Cost: one path
    /// down.
    pub fn solution(&self) -> Vec<usize> {
        self.ranks().nth(&BigUint::ZERO)
    }

    /// Returns the solution of a rank among the solutions that are left; see [`Index`](crate::Index).
    /// Cost: one path down.
    ///
    /// ```
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(1, 0)?;
    /// assert_eq!(party.nth(&1u32.into())?, [2, 0, 1]); // after [1, 0, 2]
    /// assert_eq!(party.rank(&[2, 0, 1])?, Some(1u32.into()));
    /// assert_eq!(party.rank(&[0, 1, 2])?, None);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there are not more than `rank` solutions left.
    pub fn nth(&self, rank: &BigUint) -> Result<Vec<usize>, QueryError> {
        if *rank >= self.counts.total {
            let count = self.counts.total.clone();
            return Err(QueryError::RankOutOfRange { rank: rank.clone(), count });
        }
        Ok(self.ranks().nth(rank))
    }

    /// Returns the number of solutions that are left before this one in lexicographic order; `None` if
    /// the assignment is not a solution that is left. Cost as for [`nth`](Configurator::nth).
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn rank(&self, assignment: &[usize]) -> Result<Option<BigUint>, QueryError> {
        self.diagram.check_assignment(assignment)?;
        Ok(self.ranks().rank(assignment))
    }

    /// Returns one of the solutions that are left, each with the same probability, exactly. Cost: one
    /// path down.
    ///
    /// ```
    /// use rand::{SeedableRng, rngs::StdRng};
    ///
    /// let mut party = topdd::zdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(1, 0)?;
    /// assert_eq!(party.sample(&mut StdRng::seed_from_u64(1))[1], 0);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Vec<usize> {
        self.ranks().nth(&random::below(&self.counts.total, rng))
    }

    /// Returns for each variable and each of its values the number of solutions left in which the
    /// variable has the value. Cost: one more pass down.
    ///
    /// ```
    /// let mut game = topdd::Zdd::full([2, 3])?.configure()?;
    /// game.forbid(1, 0)?;
    /// assert_eq!(game.value_counts(), [vec![2u32.into(); 2], [0u32, 2, 2].map(Into::into).to_vec()]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn value_counts(&self) -> Vec<Vec<BigUint>> {
        value_counts(&self.diagram.store, R::RULE, Some(&self.mask), &self.counts)
    }

    /// Returns the solutions that are left, as a diagram. Cost as for [`Diagram::restrict`].
    ///
    /// ```
    /// let mut game = topdd::Zdd::full([2, 3])?.configure()?;
    /// game.choose(0, 1)?;
    /// assert!(game.rest()?.iter().eq([[1, 0], [1, 1], [1, 2]]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn rest(&self) -> Result<Diagram<R>, QueryError> {
        self.diagram.restrict(&self.decisions)
    }

    /// Returns the number of nodes at each variable on the paths of the solutions that are left, from the
    /// root down: a part of [`Diagram::widths`]. Cost: one more pass down.
    ///
    /// ```
    /// let mut party = topdd::bdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// assert_eq!(party.widths_left(), [1, 3, 3]);
    /// party.choose(0, 2)?;
    /// assert_eq!(party.widths_left(), [1, 1, 2]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn widths_left(&self) -> Vec<usize> {
        let part = self.part_left();
        let mut widths = vec![0; self.num_vars()];
        for level in self.diagram.store.levels() {
            let ids = level.first..level.first + level.len() as NodeId;
            widths[level.variable] = ids.filter(|&id| part.has_node(id)).count();
        }
        widths
    }

    /// The part of the diagram on the paths of the solutions that are left.
    pub(crate) fn part_left(&self) -> DomainPass<'_> {
        let masked = Some((&self.mask, &self.counts));
        let part = DomainPass::new(&self.diagram.store, R::RULE, masked);
        part.run();
        part
    }

    fn ranks(&self) -> Ranks<'_> {
        Ranks::new(&self.diagram.store, R::RULE, Some(&self.mask), &self.counts)
    }
}
