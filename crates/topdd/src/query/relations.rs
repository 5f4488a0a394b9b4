//! Diagrams as sets of solutions: comparison and complement.

use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{DdSpec, Rule, SpecExt, Step};
use crate::{BuildError, Frontier, QueryError};
use ahash::RandomState;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Sets of solutions. Equality is `==`.
///
/// Both diagrams have the same rule; [`to_rule`](Diagram::to_rule) converts one of them. The
/// operators `|`, `&`, `-`, `^` and the methods of the same meaning panic if the diagrams have
/// different variables; the methods `try_*` return that as an error.
///
/// These are short forms without limits. A diagram is a spec, so [`SpecExt`] combines diagrams
/// with one another and with other specs, before they are built; and [`Frontier`] builds such a
/// combination under limits of memory and time, on disk, with progress, and with a token to
/// cancel it: see the last line of the example.
///
/// ```
/// use topdd::{Frontier, SpecExt, constraint::at_most};
///
/// let (pairs, triples) = (topdd::zdd(&at_most(4, 2))?, topdd::zdd(&at_most(4, 3))?);
/// assert!(pairs.is_subset(&triples)? && !triples.is_subset(&pairs)?);
/// assert_eq!(&pairs | &triples, triples);
/// let three = &triples - &pairs;
/// assert_eq!(three.count(), 4u32.into());
/// assert!(three.is_disjoint(&pairs)?);
///
/// let both = Frontier::over(&(&pairs).and(&triples)).memory_limit(1 << 20).zdd()?;
/// assert_eq!(both, &pairs & &triples);
/// # Ok::<(), topdd::QueryError>(())
/// ```
impl<R: DiagramRule> Diagram<R> {
    /// Returns whether every solution of this diagram is one of `other`.
    ///
    /// Cost: a depth-first search that ends with the first solution found that is not. It takes at
    /// most one step, and some bytes of memory, for each pair of nodes, one of each diagram, that a
    /// common assignment reaches.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let one = Zdd::from_solutions([2, 3], [[1, 2]])?;
    /// let two = Zdd::from_solutions([2, 3], [[0, 0], [1, 2]])?;
    /// assert!(one.is_subset(&two)? && two.is_superset(&one)?);
    /// assert!(!two.is_subset(&one)? && !two.is_disjoint(&one)?);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::DifferentVariables`] if the diagrams are not over the same variables, with the
    /// same arities.
    #[doc(alias("issubset", "leq", "Cudd_bddLeq"))]
    pub fn is_subset(&self, other: &Self) -> Result<bool, QueryError> {
        self.check_same_variables(other)?;
        Ok(self == other || !has_solution(&self.and_not(other), R::RULE))
    }

    /// Returns whether every solution of `other` is one of this diagram. Cost as for
    /// [`is_subset`](Diagram::is_subset).
    ///
    /// # Errors
    ///
    /// [`QueryError::DifferentVariables`] if the diagrams are not over the same variables, with the same
    /// arities.
    #[doc(alias = "issuperset")]
    pub fn is_superset(&self, other: &Self) -> Result<bool, QueryError> {
        // Not `other.is_subset(self)`: the error names the left operand first.
        self.check_same_variables(other)?;
        other.is_subset(self)
    }

    /// Returns whether no solution of this diagram is one of `other`. Cost as for
    /// [`is_subset`](Diagram::is_subset).
    ///
    /// # Errors
    ///
    /// [`QueryError::DifferentVariables`] if the diagrams are not over the same variables, with the same
    /// arities.
    #[doc(alias = "isdisjoint")]
    pub fn is_disjoint(&self, other: &Self) -> Result<bool, QueryError> {
        self.check_same_variables(other)?;
        Ok(!has_solution(&self.and(other), R::RULE))
    }

    /// Returns the assignments that are not solutions.
    ///
    /// Cost: a sweep. Under [`Rule::AnyValue`] the result has as many nodes as this diagram. Under
    /// [`Rule::ZeroSuppressed`] each node may occur once more at each variable that edges to it skip,
    /// and each variable has at most two further nodes.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2, 3], [[0, 0], [1, 2]])?;
    /// assert_eq!(zdd.complement()?.count(), 4u32.into());
    /// assert_eq!(zdd.complement()?.complement()?, zdd);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    #[doc(alias = "not")]
    #[doc(alias = "invert")]
    pub fn complement(&self) -> Result<Self, BuildError> {
        Frontier::over(&self.not()).diagram()
    }

    pub(super) fn check_same_variables(&self, other: &Self) -> Result<(), QueryError> {
        let (left, right) = (&self.store.arities, &other.store.arities);
        if left == right {
            return Ok(());
        }
        let message = if left.num_vars() == right.num_vars() {
            let differs = |&variable: &usize| left.get(variable) != right.get(variable);
            let variable = (0..left.num_vars()).find(differs).expect("they are not equal");
            let (left, right) = (left.get(variable), right.get(variable));
            format!("variable {variable} has {left} values in the left and {right} in the right")
        } else {
            format!(
                "the left has {}, the right {} (SpecExt::relabel makes a spec over more of them)",
                left.num_vars(),
                right.num_vars()
            )
        };
        Err(QueryError::DifferentVariables { message })
    }
}

/// Returns whether a spec has solutions when it is built under `rule`: a depth-first search that
/// visits no state twice.
fn has_solution<S: DdSpec>(spec: &S, rule: Rule) -> bool {
    let mut seen = HashSet::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
    let mut pending = Vec::new();
    let mut step = Some(spec.root_under(rule));
    loop {
        match step {
            Some(Step::One) => return true,
            Some(Step::To(variable, state)) => {
                if seen.insert((variable, state.clone())) {
                    let found = spec.for_each_child(&state, variable, |_, step| {
                        if matches!(step, Step::One) {
                            return ControlFlow::Break(());
                        }
                        pending.push(step);
                        ControlFlow::Continue(())
                    });
                    if found.is_break() {
                        return true;
                    }
                }
            }
            Some(Step::Zero) => {}
            None => return false,
        }
        step = pending.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, both_rules, diagram_of, drawn_over, free};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_lists_of_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let mut draw = Draw(seed);
        let arities: Vec<usize> = (0..draw.below(5)).map(|_| 1 + draw.below(3)).collect();
        let (a, of_a) = drawn_over::<R>(&arities, seed);
        let (b, of_b) = drawn_over::<R>(&arities, !seed);
        assert_eq!(a.is_subset(&b).unwrap(), of_a.iter().all(|s| of_b.contains(s)));
        assert_eq!(a.is_disjoint(&b).unwrap(), !of_a.iter().any(|s| of_b.contains(s)));
        assert_eq!(a.is_superset(&b).unwrap(), of_b.iter().all(|s| of_a.contains(s)));
        let both = &a & &b;
        assert!(both.is_subset(&a).unwrap() && a.is_superset(&both).unwrap());
        assert!((&a - &b).is_disjoint(&b).unwrap());
        let rest = a.complement().unwrap();
        assert!(rest.is_disjoint(&a).unwrap());
        assert_eq!(&rest | &a, Diagram::full(arities).unwrap());
    }

    #[test]
    fn different_variables_are_refused() {
        let two = crate::bdd(&free(2)).unwrap();
        let three = crate::bdd(&free(3)).unwrap();
        let ternary = diagram_of(&[2, 3], vec![]);
        for (a, b) in [(&two, &three), (&two, &ternary)] {
            let refused = |error| matches!(error, QueryError::DifferentVariables { .. });
            assert!(a.is_subset(b).is_err_and(refused));
            assert!(a.is_disjoint(b).is_err_and(refused));
            assert!(a.is_superset(b).is_err_and(refused));
        }
    }
}
