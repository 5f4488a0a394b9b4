//! Projections of the solutions to some of the variables.

use super::rule_adapter::RuleAdapter;
use super::variables::check_ascending;
use crate::diagram::store::{NodeId, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{DdSpec, Portable, Rule, Step};
use crate::{Frontier, QueryError};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

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
