//! The solutions that agree with decisions.

use super::decision::{Decision, Mask};
use super::rule_adapter::RuleAdapter;
use crate::diagram::store::{NodeId, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{DdSpec, Portable, Rule, Step};
use crate::{Frontier, QueryError};
use std::ops::ControlFlow;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solutions that agree with all decisions, as a diagram over the same variables:
    /// values are fixed ([`Decision::is`]) or forbidden ([`Decision::is_not`]).
    ///
    /// Cost: a sweep over at most the nodes of this diagram, and under the rule of a
    /// [`Bdd`](crate::Bdd) one more node for each decided variable that an edge skips.
    ///
    /// ```
    /// use topdd::Decision;
    ///
    /// let all = topdd::Zdd::full([2; 3])?;
    /// let some = all.restrict(&[Decision::is(0, 1), Decision::is_not(2, 0)])?;
    /// assert_eq!(some.iter().collect::<Vec<_>>(), [[1, 0, 1], [1, 1, 1]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a decision names a variable, or a value of it, that does not exist, or the result
    /// has more nodes than can be numbered.
    #[doc(alias("including", "excluding", "Cudd_Cofactor"))]
    pub fn restrict(&self, decisions: &[Decision]) -> Result<Self, QueryError> {
        if decisions.is_empty() {
            return Ok(self.clone());
        }
        Ok(Frontier::over(&self.restricted(decisions)?).diagram()?)
    }

    /// Returns the spec of [`restrict`](Diagram::restrict), for [`Frontier`] to build within limits
    /// and for [`SpecExt`](crate::SpecExt) to combine with others. Making it takes no pass.
    ///
    /// ```
    /// use topdd::{Decision, Frontier};
    ///
    /// let all = topdd::Zdd::full([2; 3])?;
    /// let some = all.restrict_spec(&[Decision::is(0, 1)])?;
    /// assert_eq!(Frontier::over(&some).memory_limit(1 << 20).zdd()?.count(), 4u32.into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a decision names a variable, or a value of it, that does not exist.
    pub fn restrict_spec(
        &self,
        decisions: &[Decision],
    ) -> Result<impl DdSpec<State: Portable> + use<'_, R>, QueryError> {
        self.restricted(decisions).map(RuleAdapter::<R, _>::new)
    }

    fn restricted(&self, decisions: &[Decision]) -> Result<Restricted<'_, R>, QueryError> {
        let arities = &self.store.arities;
        decisions.iter().try_for_each(|decision| decision.check(arities))?;
        let mask = Mask::new(arities, decisions);
        let mut changed = vec![self.num_vars(); self.num_vars() + 1];
        for variable in (0..self.num_vars()).rev() {
            let here = mask.changes_skipped(variable, R::RULE);
            changed[variable] = if here { variable } else { changed[variable + 1] };
        }
        Ok(Restricted { diagram: self, mask, changed })
    }
}

/// The solutions of a diagram that a mask allows, as a spec to be built under its own rule.
/// A state is a node.
struct Restricted<'a, R: DiagramRule> {
    diagram: &'a Diagram<R>,
    mask: Mask,
    /// By variable, the first from there on whose reading the mask changes.
    changed: Vec<usize>,
}

impl<R: DiagramRule> Restricted<'_, R> {
    fn step(&self, node: NodeId, next: usize) -> Step<NodeId> {
        if node == ZERO {
            return Step::Zero;
        }
        let to = self.diagram.store.variable_of(node);
        let changed = self.changed[next];
        if changed < to {
            return match R::RULE {
                // The variable would have to be 0.
                Rule::ZeroSuppressed => Step::Zero,
                Rule::AnyValue => Step::To(changed, node),
            };
        }
        if node == ONE { Step::One } else { Step::To(to, node) }
    }
}

impl<R: DiagramRule> DdSpec for Restricted<'_, R> {
    type State = NodeId;

    fn num_vars(&self) -> usize {
        self.diagram.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.diagram.arity(variable)
    }

    fn root(&self) -> Step<NodeId> {
        self.step(self.diagram.store.root, 0)
    }

    fn child(&self, &node: &NodeId, variable: usize, value: usize) -> Step<NodeId> {
        if !self.mask.values(variable)[value] {
            return Step::Zero;
        }
        self.step(self.diagram.store.follow(node, variable, value), variable + 1)
    }

    fn for_each_child<B>(
        &self,
        &node: &NodeId,
        variable: usize,
        mut visit: impl FnMut(usize, Step<NodeId>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let allowed = self.mask.values(variable);
        let edges = self.diagram.store.edges_at(node, variable);
        let mut allowed = edges.filter(|&(value, _)| allowed[value]);
        allowed.try_for_each(|(value, to)| visit(value, self.step(to, variable + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, both_rules, diagram_of, drawn, free};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_list_of_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let mut draw = Draw(seed);
        let mut decisions = Vec::new();
        for variable in 0..diagram.num_vars() {
            let value = draw.below(diagram.arity(variable));
            match draw.below(6) {
                0 => decisions.push(Decision::is(variable, value)),
                1 | 2 => decisions.push(Decision::is_not(variable, value)),
                3 => decisions
                    .extend([Decision::is_not(variable, 0), Decision::is_not(variable, value)]),
                _ => {}
            }
        }
        let agrees = |s: &&Vec<usize>| {
            decisions.iter().all(|decision| decision.allows(s[decision.variable()]))
        };
        let kept = solutions.iter().filter(agrees).cloned().collect();
        let arities: Vec<usize> = (0..diagram.num_vars()).map(|v| diagram.arity(v)).collect();
        assert_eq!(diagram.restrict(&decisions).unwrap(), diagram_of(&arities, kept));
    }

    #[test]
    fn variables_and_values_out_of_range_are_refused() {
        let diagram = crate::zdd(&free(2)).unwrap();
        let variable = QueryError::NoSuchVariable { variable: 2, num_vars: 2 };
        assert_eq!(diagram.restrict(&[Decision::is(2, 0)]), Err(variable));
        let value = QueryError::ValueOutOfRange { variable: 1, value: 2, arity: 2 };
        assert_eq!(diagram.restrict(&[Decision::is_not(1, 2)]), Err(value));
    }
}
