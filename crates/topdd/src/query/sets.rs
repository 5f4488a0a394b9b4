//! The solutions of a two-valued diagram as sets of variables.

use super::iterate::Solutions;
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
    /// let sets: Vec<Vec<usize>> = zdd.iter_sets().collect();
    /// assert_eq!(sets, [vec![], vec![1], vec![0, 2]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If a variable has other than two values. [`iter`](Diagram::iter) reads any diagram, and
    /// [`encode`](Diagram::encode) makes a two-valued one.
    #[doc(alias = "sets")]
    #[track_caller]
    pub fn iter_sets(&self) -> Sets {
        let arities = &self.store.arities;
        if let Some(variable) = arities.first_not_two_valued() {
            panic!(
                "variable {variable} has {} values, and only solutions over two-valued variables \
                 are sets (call iter, or encode the diagram first: Encoding::new and \
                 Diagram::encode)",
                arities.get(variable)
            );
        }
        Sets { solutions: self.iter() }
    }
}

/// The solutions of a two-valued diagram as sets of variables, an iterator from either end.
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
    use crate::query::testing::{both_rules, diagram_of, drawn_over, panic_of};
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
        let sets = diagram.iter_sets();
        assert!(sets.clone().eq(expected.clone()));
        assert!(sets.rev().eq(expected.into_iter().rev()));
    }

    #[test]
    fn a_loop_over_the_sets_needs_no_unwrapping() {
        let mut sizes = Vec::new();
        for set in crate::Zdd::full([2; 2]).unwrap().iter_sets() {
            sizes.push(set.len());
        }
        assert_eq!(sizes, [0, 1, 1, 2]);
    }

    #[test]
    fn variables_of_other_arities_panic_at_the_line_of_the_caller() {
        let ternary = diagram_of::<crate::diagram::AnyValue>(&[2, 3], vec![vec![1, 2]]);
        let (at, message) = panic_of(|| ternary.iter_sets());
        assert_eq!(at, (file!().to_owned(), line!() - 1));
        assert!(message.starts_with("variable 1 has 3 values, and only"), "{message}");
    }
}
