//! The same solutions with the variables in another order, and projections to some of the variables.

use super::operators::RuleAdapter;
use crate::diagram::store::{NodeId, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{DdSpec, Portable, Rule, Step};
use crate::{BuildError, Frontier, QueryError};
use smallvec::SmallVec;
use std::collections::BTreeSet;
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

impl<R: DiagramRule> Diagram<R> {
    /// Returns the projection of the solutions to some variables, as a diagram over these variables
    /// alone: an assignment to them is a solution of the result if some values of the other variables
    /// complete it to a solution. This is existential quantification of the other variables.
    ///
    /// Variable `i` of the result is `variables[i]`, which must be in ascending order.
    /// [`SpecExt::relabel`](crate::SpecExt::relabel) maps the result back to the original
    /// variables.
    ///
    /// Cost: a sweep. A node of the result is a set of nodes of this diagram. There may be
    /// exponentially many, which some diagrams require; leaving out the last variables needs no
    /// such sets.
    ///
    /// ```
    /// // Subsets of 0..3 without neighbours: any subset of 0 and 2 occurs.
    /// let sparse = topdd::zdd(&topdd::constraint::least_distance(3, 2))?;
    /// assert_eq!(sparse.project(&[0, 2])?.count(), 4u32.into());
    /// assert_eq!(sparse.project(&[0, 1])?.count(), 3u32.into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the variables do not exist or do not ascend, or the result has more nodes than
    /// can be numbered.
    #[doc(alias("exists", "Cudd_bddExistAbstract"))]
    pub fn project(&self, variables: &[usize]) -> Result<Self, QueryError> {
        Ok(Frontier::over(&self.projected(variables)?).diagram()?)
    }

    /// Returns the spec of [`project`](Diagram::project), for [`Frontier`] to build within limits
    /// and for [`SpecExt`](crate::SpecExt) to combine with others. Making it takes no pass.
    ///
    /// ```
    /// use topdd::{Frontier, constraint};
    ///
    /// let pairs = topdd::zdd(&constraint::exactly(5, 2))?;
    /// let spec = pairs.project_spec(&[0, 4])?;
    /// assert_eq!(Frontier::over(&spec).memory_limit(1 << 20).zdd()?, pairs.project(&[0, 4])?);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the variables do not exist or do not ascend.
    pub fn project_spec(
        &self,
        variables: &[usize],
    ) -> Result<impl DdSpec<State: Portable> + use<'_, R>, QueryError> {
        self.projected(variables).map(RuleAdapter::<R, _>::new)
    }

    fn projected(&self, variables: &[usize]) -> Result<Projected<'_, R>, QueryError> {
        check_ascending(variables, self.num_vars())?;
        Ok(Projected { diagram: self, kept: variables.to_vec() })
    }
}

/// A diagram with variables left out, as a spec to be built under its own rule.
struct Projected<'a, R: DiagramRule> {
    diagram: &'a Diagram<R>,
    kept: Vec<usize>,
}

/// The nodes reached by the paths that differ in the variables left out only, in ascending order;
/// none is above the variable of the state.
type Nodes = SmallVec<[NodeId; 4]>;

impl<R: DiagramRule> Projected<'_, R> {
    /// Returns the step to these nodes when the kept variables before `next` are decided.
    fn step(&self, nodes: impl IntoIterator<Item = NodeId>, mut next: usize) -> Step<Nodes> {
        let store = &self.diagram.store;
        let mut nodes: BTreeSet<NodeId> = nodes.into_iter().filter(|&id| id != ZERO).collect();
        // Children have smaller ids, so the topmost node is the last.
        while let Some(&top) = nodes.last() {
            let all_admitted = R::RULE == Rule::AnyValue && nodes.contains(&ONE);
            if top == ONE || all_admitted {
                return Step::One;
            }
            let variable = store.variable_of(top);
            next += self.kept[next..].partition_point(|&kept| kept < variable);
            let Some(&kept) = self.kept.get(next) else {
                // All variables from there on are left out, and every node has a solution below it.
                return Step::One;
            };
            if kept == variable {
                return Step::To(next, nodes.into_iter().collect());
            }
            // All children of the node, by any value of the variable left out.
            nodes.pop_last();
            nodes.extend(store.edges_at(top, variable).map(|(_, to)| to));
        }
        Step::Zero
    }
}

impl<R: DiagramRule> DdSpec for Projected<'_, R> {
    type State = Nodes;

    fn num_vars(&self) -> usize {
        self.kept.len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.diagram.arity(self.kept[variable])
    }

    fn root(&self) -> Step<Nodes> {
        self.step([self.diagram.store.root], 0)
    }

    fn child(&self, nodes: &Nodes, variable: usize, value: usize) -> Step<Nodes> {
        let follow = |&node: &NodeId| self.diagram.store.follow(node, self.kept[variable], value);
        let waits = |node: &NodeId| self.diagram.store.variable_of(*node) > self.kept[variable];
        let nodes = nodes.iter().filter(|node| R::RULE.allows(value) || !waits(node));
        self.step(nodes.map(follow), variable + 1)
    }

    fn for_each_child<B>(
        &self,
        nodes: &Nodes,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Nodes>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let kept = self.kept[variable];
        let store = &self.diagram.store;
        let (here, waiting): (Vec<NodeId>, Vec<NodeId>) =
            nodes.iter().partition(|&&node| store.variable_of(node) == kept);
        let mut edges = Vec::new();
        for node in here {
            edges.extend(store.edges_at(node, kept));
        }
        let waits_for = match R::RULE {
            _ if waiting.is_empty() => 0,
            Rule::ZeroSuppressed => 1,
            Rule::AnyValue => store.arities.get(kept),
        };
        edges.extend((0..waits_for).flat_map(|value| waiting.iter().map(move |&to| (value, to))));
        edges.sort_unstable();
        edges.chunk_by(|a, b| a.0 == b.0).try_for_each(|edges| {
            visit(edges[0].0, self.step(edges.iter().map(|edge| edge.1), variable + 1))
        })
    }
}

/// Fails if a list of variables is not in ascending order.
fn check_ascending(variables: &[usize], num_vars: usize) -> Result<(), QueryError> {
    check_exist(variables, num_vars)?;
    let descends = |pair: &&[usize]| pair[0] >= pair[1];
    if let Some([first, second]) = variables.windows(2).find(descends) {
        let message = format!(
            "variable {first} comes before {second}, but they must ascend (see reorder for \
             other orders)"
        );
        return Err(QueryError::BadVariableList { message });
    }
    Ok(())
}

/// Fails if a list does not contain all variables, each once.
fn check_permutation(order: &[usize], num_vars: usize) -> Result<(), QueryError> {
    check_exist(order, num_vars)?;
    let mut seen = vec![false; num_vars];
    for &variable in order {
        if std::mem::replace(&mut seen[variable], true) {
            let message = format!("variable {variable} is in it twice, but each must be once");
            return Err(QueryError::BadVariableList { message });
        }
    }
    if let Some(missing) = seen.iter().position(|&seen| !seen) {
        let message = format!("variable {missing} is missing, but each must be in it once");
        return Err(QueryError::BadVariableList { message });
    }
    Ok(())
}

fn check_exist(variables: &[usize], num_vars: usize) -> Result<(), QueryError> {
    match variables.iter().find(|&&variable| variable >= num_vars) {
        Some(&variable) => Err(QueryError::NoSuchVariable { variable, num_vars }),
        None => Ok(()),
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

    proptest! {
        #[test]
        fn projections_agree_with_the_list_of_solutions(seed: u64) {
            both_rules!(check_projection(seed));
        }
    }

    fn check_projection<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let mut draw = Draw(seed);
        let variables: Vec<usize> =
            (0..diagram.num_vars()).filter(|_| draw.below(2) == 0).collect();
        let part = |of: &Vec<usize>| variables.iter().map(|&v| of[v]).collect();
        let parts: BTreeSet<Vec<usize>> = solutions.iter().map(part).collect();
        let arities: Vec<usize> = variables.iter().map(|&v| diagram.arity(v)).collect();
        let expected = diagram_of::<R>(&arities, parts.into_iter().collect());
        let projected = diagram.project(&variables).unwrap();
        assert_eq!(projected, expected);
        let spec = Projected { diagram: &diagram, kept: variables };
        crate::check::contract(&spec, R::RULE, usize::MAX).unwrap();
    }

    #[test]
    fn variables_must_exist_and_ascend() {
        let diagram = crate::zdd(&free(3)).unwrap();
        let error = QueryError::NoSuchVariable { variable: 3, num_vars: 3 };
        assert_eq!(diagram.project(&[0, 3]), Err(error));
        for bad in [[1, 0], [1, 1]] {
            assert!(matches!(diagram.project(&bad), Err(QueryError::BadVariableList { .. })));
        }
        assert_eq!(diagram.project(&[]).unwrap().count(), 1u32.into());
    }
}
