//! The same solutions with the variables in another order.

use super::variables::check_permutation;
use crate::diagram::store::{NodeId, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{DdSpec, Step};
use crate::{BuildError, Frontier, QueryError};
use std::ops::ControlFlow;

impl<R: DiagramRule> Diagram<R> {
    /// Returns the same solutions with the variables in another order: variable `i` of the result
    /// is variable `order[i]` of this diagram.
    ///
    /// ([`SpecExt::relabel`] adds variables in the same order, at no cost.)
    ///
    /// Cost: a sweep for each variable that moves up past others, from the top of the new order
    /// down. One move multiplies the number of nodes between the old and the new position by at
    /// most the arity of the variable. All of them together may make the diagram exponentially
    /// larger, as the size of a diagram depends on the order.
    ///
    /// ```
    /// let diagram = topdd::Zdd::from_solutions([2, 3, 4], [[0, 1, 2]])?;
    /// assert_eq!(diagram.iter().collect::<Vec<_>>(), [[0, 1, 2]]);
    /// assert_eq!(diagram.reorder(&[2, 0, 1])?.iter().collect::<Vec<_>>(), [[2, 0, 1]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// [`SpecExt::relabel`]: crate::SpecExt::relabel
    ///
    /// # Errors
    ///
    /// When the order does not contain each variable once, or an intermediate diagram has more
    /// nodes than can be numbered.
    #[doc(alias = "Cudd_ShuffleHeap")]
    pub fn reorder(&self, order: &[usize]) -> Result<Self, QueryError> {
        self.reorder_by(order, |spec| Frontier::over(&spec).diagram())
    }

    /// Returns the same solutions with the variables in another order, as [`reorder`](Diagram::reorder);
    /// `configure` sets limits on each of its sweeps.
    ///
    /// ```
    /// use topdd::CancelToken;
    ///
    /// let diagram = topdd::Zdd::full([2, 3])?;
    /// let token = CancelToken::new();
    /// let order = [1, 0];
    /// assert_eq!(diagram.reorder_with(&order, |sweep| sweep.cancel_with(&token))?, topdd::Zdd::full([3, 2])?);
    /// token.cancel();
    /// assert!(diagram.reorder_with(&order, |sweep| sweep.cancel_with(&token)).is_err());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`reorder`](Diagram::reorder), and [`QueryError::Build`] when a sweep reaches a limit or is
    /// cancelled.
    pub fn reorder_with(
        &self,
        order: &[usize],
        configure: impl for<'f> Fn(Frontier<'f>) -> Frontier<'f>,
    ) -> Result<Self, QueryError> {
        self.reorder_by(order, |spec| configure(Frontier::of(spec)).diagram())
    }

    fn reorder_by(
        &self,
        order: &[usize],
        build: impl Fn(Moved<'_, R>) -> Result<Self, BuildError>,
    ) -> Result<Self, QueryError> {
        check_permutation(order, self.num_vars())?;
        let mut diagram = self.clone();
        let mut at: Vec<usize> = (0..order.len()).collect();
        for (to, &variable) in order.iter().enumerate() {
            if at[to] == variable {
                continue;
            }
            let ahead = at[to..].iter().position(|&other| other == variable);
            let from = to + ahead.expect("those placed before are others");
            at[to..=from].rotate_right(1);
            let moved = build(Moved { diagram: &diagram, from, to })?;
            diagram = moved;
        }
        Ok(diagram)
    }
}

/// A diagram in which one variable is moved up, as a spec to be built under its own rule.
struct Moved<'a, R: DiagramRule> {
    diagram: &'a Diagram<R>,
    /// The old and the new position of the variable.
    from: usize,
    to: usize,
}

/// A position of a walk through the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Ahead {
    node: NodeId,
    /// The value assigned to the moved variable, until the walk reaches its old position.
    given: Option<u32>,
}

crate::portable!(Ahead { node, given });

impl<R: DiagramRule> Moved<'_, R> {
    /// Returns the step to a node when the first `next` variables of this spec are decided.
    fn step(&self, node: NodeId, next: usize, given: Option<u32>) -> Step<Ahead> {
        let store = &self.diagram.store;
        let mut node = node;
        if node == ZERO {
            return Step::Zero;
        }
        let mut variable = store.variable_of(node);
        let mut given = given;
        if let Some(value) = given.filter(|_| variable >= self.from) {
            // The old position is reached or skipped.
            if variable > self.from && !R::RULE.allows(value as usize) {
                return Step::Zero;
            }
            node = store.follow(node, self.from, value as usize);
            if node == ZERO {
                return Step::Zero;
            }
            variable = store.variable_of(node);
            given = None;
        }
        let ahead = Ahead { node, given };
        let is_between = self.to <= variable && variable <= self.from;
        if given.is_none() && next <= self.to && is_between {
            return Step::To(self.to, ahead);
        }
        match node {
            ONE => Step::One,
            _ if is_between => Step::To(variable + 1, ahead),
            _ => Step::To(variable, ahead),
        }
    }

    /// Returns whether the moved variable is to be decided.
    fn gives(&self, state: Ahead, variable: usize) -> bool {
        variable == self.to && state.given.is_none()
    }

    /// Returns the old variable of a new one that was not moved.
    fn old(&self, variable: usize) -> usize {
        if self.to < variable && variable <= self.from { variable - 1 } else { variable }
    }
}

impl<R: DiagramRule> DdSpec for Moved<'_, R> {
    type State = Ahead;

    fn num_vars(&self) -> usize {
        self.diagram.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        let old = if variable == self.to { self.from } else { self.old(variable) };
        self.diagram.arity(old)
    }

    fn root(&self) -> Step<Ahead> {
        self.step(self.diagram.store.root, 0, None)
    }

    fn child(&self, state: &Ahead, variable: usize, value: usize) -> Step<Ahead> {
        if self.gives(*state, variable) {
            return self.step(state.node, variable + 1, Some(value as u32));
        }
        let to = self.diagram.store.follow(state.node, self.old(variable), value);
        self.step(to, variable + 1, state.given)
    }

    fn for_each_child<B>(
        &self,
        state: &Ahead,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Ahead>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.gives(*state, variable) {
            return (0..self.arity(variable)).try_for_each(|value| {
                visit(value, self.step(state.node, variable + 1, Some(value as u32)))
            });
        }
        let mut edges = self.diagram.store.edges_at(state.node, self.old(variable));
        edges.try_for_each(|(value, to)| visit(value, self.step(to, variable + 1, state.given)))
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
        let mut order: Vec<usize> = (0..diagram.num_vars()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, draw.below(last + 1));
        }
        let renamed = |of: &Vec<usize>| -> Vec<usize> { order.iter().map(|&v| of[v]).collect() };
        let mut expected: Vec<_> = solutions.iter().map(renamed).collect();
        expected.sort_unstable();
        let arities: Vec<usize> = order.iter().map(|&v| diagram.arity(v)).collect();
        let reordered = diagram.reorder(&order).unwrap();
        assert_eq!(reordered, diagram_of(&arities, expected));
        let bounded = diagram.reorder_with(&order, |sweep| sweep.memory_limit(1 << 24).threads(1));
        assert_eq!(bounded.unwrap(), reordered);
        let mut back = vec![0; order.len()];
        order.iter().enumerate().for_each(|(i, &variable)| back[variable] = i);
        assert_eq!(reordered.reorder(&back).unwrap(), diagram);
        if let Some(from) = order.len().checked_sub(1) {
            let spec = Moved { diagram: &diagram, from, to: from / 2 };
            if spec.to < from {
                crate::check::contract(&spec, R::RULE, usize::MAX).unwrap();
            }
        }
    }

    #[test]
    fn lists_that_are_no_order_are_refused() {
        let diagram = crate::zdd(&free(2)).unwrap();
        let error = QueryError::NoSuchVariable { variable: 2, num_vars: 2 };
        assert_eq!(diagram.reorder(&[2, 0]), Err(error));
        for bad in [&[1, 1][..], &[0], &[], &[0, 1, 1]] {
            assert!(matches!(diagram.reorder(bad), Err(QueryError::BadVariableList { .. })));
        }
    }
}
