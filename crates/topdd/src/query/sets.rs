//! The solutions of a two-valued diagram as sets of variables.

use super::iterate::Solutions;
use crate::QueryError;
use crate::diagram::{Diagram, DiagramRule};
use std::iter::FusedIterator;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solutions as sets: for each, the variables with the value 1, in ascending order.
    ///
    /// Lazy, and in the order of [`iter`](Diagram::iter): lexicographic in the values, so that
    /// the empty set is first. Each set takes time linear in the number of variables at worst.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2, 2, 2], [[0, 0, 0], [1, 0, 1], [0, 1, 0]])?;
    /// let sets: Vec<Vec<usize>> = zdd.iter_sets()?.collect();
    /// assert_eq!(sets, [vec![], vec![1], vec![0, 2]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::NotASet`] when a variable has other than two values.
    #[doc(alias = "sets")]
    pub fn iter_sets(&self) -> Result<Sets, QueryError> {
        let arities = &self.store.arities;
        match arities.first_not_two_valued() {
            Some(variable) => Err(QueryError::NotASet { variable, arity: arities.get(variable) }),
            None => Ok(Sets { solutions: self.iter() }),
        }
    }
}

/// The solutions of a two-valued diagram as sets of variables, an iterator from either end; see the
/// example of [`Diagram::iter_sets`].
#[derive(Clone, Debug)]
pub struct Sets {
    solutions: Solutions,
}

/// The variables with the value 1.
pub(crate) fn members(solution: &[usize]) -> Vec<usize> {
    let ones = solution.iter().enumerate().filter(|&(_, &value)| value == 1);
    ones.map(|(variable, _)| variable).collect()
}

impl Iterator for Sets {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.solutions.advance().map(members)
    }
}

impl DoubleEndedIterator for Sets {
    fn next_back(&mut self) -> Option<Vec<usize>> {
        self.solutions.advance_back().map(members)
    }
}

impl FusedIterator for Sets {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{both_rules, diagram_of, drawn_over};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_are_the_ones_of_the_solutions_from_both_ends(seed: u64, num_vars in 0..6usize) {
            both_rules!(check(seed, num_vars));
        }
    }

    fn check<R: DiagramRule>(seed: u64, num_vars: usize) {
        let (diagram, solutions) = drawn_over::<R>(&vec![2; num_vars], seed);
        let expected: Vec<Vec<usize>> = solutions
            .iter()
            .map(|solution| (0..num_vars).filter(|&v| solution[v] == 1).collect())
            .collect();
        let sets = diagram.iter_sets().unwrap();
        assert!(sets.clone().eq(expected.clone()));
        assert!(sets.rev().eq(expected.into_iter().rev()));
    }

    #[test]
    fn variables_of_other_arities_are_refused() {
        let ternary = diagram_of::<crate::diagram::AnyValue>(&[2, 3], vec![vec![1, 2]]);
        let error = ternary.iter_sets().unwrap_err();
        assert_eq!(error, QueryError::NotASet { variable: 1, arity: 3 });
    }
}
