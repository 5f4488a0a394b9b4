//! Diagrams as sets of solutions, held against each other.

use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{DdSpec, Rule, SpecExt, Step};
use crate::{Error, Frontier};
use ahash::RandomState;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Sets of solutions. Equality is `==`.
///
/// Both diagrams have the same rule; [`to_rule`](Diagram::to_rule) gives one the other's.
///
/// These are short forms. A diagram is a spec, so [`SpecExt`] combines diagrams with one another
/// and with other specs, before they are built; and [`Frontier`] builds such a combination
/// under limits of memory and time, on disk, with progress, and with a token to cancel it:
/// see the last line of the example.
///
/// ```
/// # use topdd::{DdSpec, Step};
/// # struct AtMost { k: usize }
/// # impl DdSpec for AtMost {
/// #     type State = usize;
/// #     fn num_vars(&self) -> usize { 4 }
/// #     fn root(&self) -> Step<usize> { Step::To(0, 0) }
/// #     fn child(&self, members: &usize, v: usize, value: usize) -> Step<usize> {
/// #         let members = members + value;
/// #         if members > self.k { Step::Zero }
/// #         else if v == 3 { Step::One } else { Step::To(v + 1, members) } } }
/// let (pairs, triples) = (topdd::zdd(&AtMost { k: 2 })?, topdd::zdd(&AtMost { k: 3 })?);
/// assert!(pairs.is_subset(&triples)? && !triples.is_subset(&pairs)?);
/// assert_eq!(pairs.union(&triples)?, triples);
/// let three = triples.difference(&pairs)?;
/// assert_eq!(three.count(), 4u32.into());
/// assert!(three.is_disjoint(&pairs)?);
///
/// use topdd::{Frontier, SpecExt};
/// let both = Frontier::over(&(&pairs).and(&triples)).memory_limit(1 << 20).zdd()?;
/// assert_eq!(both, pairs.intersection(&triples)?);
/// # Ok::<(), topdd::Error>(())
/// ```
impl<R: DiagramRule> Diagram<R> {
    /// Whether every solution of this is one of `other`.
    ///
    /// Ends with the first solution found that is not. At most as many steps as there are pairs
    /// of nodes, one of each diagram, that some assignment leads to.
    ///
    /// # Errors
    ///
    /// When the diagrams have different variables.
    pub fn is_subset(&self, other: &Self) -> Result<bool, Error> {
        self.check_same_variables(other)?;
        Ok(self == other || !has_solution(&self.and_not(other), R::RULE))
    }

    /// Whether no solution of this is one of `other`. Cost as of
    /// [`is_subset`](Diagram::is_subset).
    ///
    /// # Errors
    ///
    /// When the diagrams have different variables.
    pub fn is_disjoint(&self, other: &Self) -> Result<bool, Error> {
        self.check_same_variables(other)?;
        Ok(!has_solution(&self.and(other), R::RULE))
    }

    /// The solutions of either.
    ///
    /// # Errors
    ///
    /// When the diagrams have different variables, or the result has more nodes than can be
    /// numbered.
    #[doc(alias = "or")]
    pub fn union(&self, other: &Self) -> Result<Self, Error> {
        self.check_same_variables(other)?;
        Frontier::over(&self.or(other)).diagram()
    }

    /// The solutions of both.
    ///
    /// # Errors
    ///
    /// As for [`union`](Diagram::union).
    #[doc(alias = "and")]
    pub fn intersection(&self, other: &Self) -> Result<Self, Error> {
        self.check_same_variables(other)?;
        Frontier::over(&self.and(other)).diagram()
    }

    /// The solutions of this that are none of `other`. [`SpecExt::and_not`] is the spec of it.
    ///
    /// # Errors
    ///
    /// As for [`union`](Diagram::union).
    #[doc(alias = "minus")]
    #[doc(alias = "and_not")]
    pub fn difference(&self, other: &Self) -> Result<Self, Error> {
        self.check_same_variables(other)?;
        Frontier::over(&self.and_not(other)).diagram()
    }

    /// The solutions of exactly one of the two.
    ///
    /// # Errors
    ///
    /// As for [`union`](Diagram::union).
    #[doc(alias = "xor")]
    pub fn symmetric_difference(&self, other: &Self) -> Result<Self, Error> {
        self.check_same_variables(other)?;
        Frontier::over(&self.xor(other)).diagram()
    }

    fn check_same_variables(&self, other: &Self) -> Result<(), Error> {
        let (left, right) = (&self.store.arities, &other.store.arities);
        if left == right {
            return Ok(());
        }
        let differs = |&variable: &usize| left.get(variable) != right.get(variable);
        let message = if left.num_vars() == right.num_vars() {
            let variable = (0..left.num_vars()).find(differs).expect("they are not equal");
            let (left, right) = (left.get(variable), right.get(variable));
            format!("variable {variable} has {left} values in one and {right} in the other")
        } else {
            format!(
                "one has {}, the other {} (SpecExt::relabel makes a spec over more of them)",
                left.num_vars(),
                right.num_vars()
            )
        };
        Err(Error::DifferentVariables { message })
    }
}

/// Whether a spec has solutions when it is built under `rule`: a search, depth first, that
/// visits no state twice.
fn has_solution<S: DdSpec>(spec: &S, rule: Rule) -> bool {
    let mut seen = HashSet::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
    let mut waiting = Vec::new();
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
                        waiting.push(step);
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
        step = waiting.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, Free, both_rules, diagram_of, drawn_over};
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
        let expect = |found: Diagram<R>, keep: &dyn Fn(bool, bool) -> bool| {
            let mut all = [&of_a[..], &of_b[..]].concat();
            all.sort_unstable();
            all.dedup();
            all.retain(|solution| keep(of_a.contains(solution), of_b.contains(solution)));
            assert_eq!(found, diagram_of(&arities, all));
        };
        expect(a.union(&b).unwrap(), &|_, _| true);
        expect(a.intersection(&b).unwrap(), &|a, b| a && b);
        expect(a.difference(&b).unwrap(), &|a, b| a && !b);
        expect(a.symmetric_difference(&b).unwrap(), &|a, b| a != b);
        assert_eq!(a.is_subset(&b).unwrap(), of_a.iter().all(|s| of_b.contains(s)));
        assert_eq!(a.is_disjoint(&b).unwrap(), !of_a.iter().any(|s| of_b.contains(s)));
        let both = a.intersection(&b).unwrap();
        assert!(both.is_subset(&a).unwrap() && both.is_subset(&b).unwrap());
        assert!(a.difference(&b).unwrap().is_disjoint(&b).unwrap());
    }

    #[test]
    fn different_variables_are_refused() {
        let two = crate::bdd(&Free { num_vars: 2 }).unwrap();
        let three = crate::bdd(&Free { num_vars: 3 }).unwrap();
        let ternary = diagram_of(&[2, 3], vec![]);
        for (a, b) in [(&two, &three), (&two, &ternary)] {
            let refused = |error| matches!(error, Error::DifferentVariables { .. });
            assert!(a.is_subset(b).is_err_and(refused));
            assert!(a.is_disjoint(b).is_err_and(refused));
            assert!(a.union(b).is_err_and(refused));
            assert!(a.intersection(b).is_err_and(refused));
            assert!(a.difference(b).is_err_and(refused));
            assert!(a.symmetric_difference(b).is_err_and(refused));
        }
    }
}
