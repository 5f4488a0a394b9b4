//! Assembly of the canonical diagram from two-valued nodes of other packages.
//!
//! The nodes may come in any order, and may be equal, redundant or unreachable. Edges may be
//! complemented, as in the files of packages that share a function and its complement. An edge must
//! lead to a later variable; this is checked, and rules out cycles.
//!
//! The nodes form a spec whose states are links to them, and the engine builds its diagram: a sweep
//! visits the nodes reachable from the root, once for a node and once for its complement. Only the
//! variables that have nodes are variables of the spec, so time and memory depend on the nodes
//! alone: O(n log n) for n nodes.

#[cfg(test)]
mod tests;

use super::build;
use super::store::NodeStore;
use crate::BuildError;
use crate::spec::{DdSpec, Rule, Step};

/// The destination of an edge.
///
/// The complement in a BDD is the complementary function. In a ZDD it is the family with the empty
/// set removed if it is a member, and added if not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildLink(u32);

impl ChildLink {
    pub(crate) const ZERO: ChildLink = ChildLink(0);
    pub(crate) const ONE: ChildLink = ChildLink(1);
    /// The limit of nodes that links can refer to.
    pub(crate) const MAX_NODES: usize = (1 << 31) - 2;

    /// Makes a link to the node of this index.
    pub(crate) fn to(index: usize) -> ChildLink {
        debug_assert!(index < Self::MAX_NODES);
        ChildLink((index as u32 + 1) << 1)
    }

    /// Returns the link to the complement, or the same link.
    pub(crate) fn complement_if(self, complement: bool) -> ChildLink {
        ChildLink(self.0 ^ u32::from(complement))
    }

    /// The index of the node, unless it is a terminal.
    pub(crate) fn index(self) -> Option<usize> {
        (self.0 >> 1).checked_sub(1).map(|index| index as usize)
    }

    fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A node, with the destinations of its edges by value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LooseNode {
    pub(crate) variable: u32,
    pub(crate) children: [ChildLink; 2],
}

/// Returns the node and the value of the first edge, if any, that leads to a variable that is not later,
/// or to no node.
pub(crate) fn find_bad_edge(nodes: &[LooseNode]) -> Option<(usize, usize)> {
    let is_bad = |variable, child: ChildLink| {
        let to = child.index().map(|index| nodes.get(index).map(|node| node.variable));
        to.is_some_and(|to| to.is_none_or(|to| to <= variable))
    };
    nodes.iter().enumerate().find_map(|(node, of)| {
        let value = of.children.iter().position(|&child| is_bad(of.variable, child))?;
        Some((node, value))
    })
}

/// Builds the diagram of the root under a rule, over `num_vars` two-valued variables.
///
/// The nodes must be at these variables and have no [bad edge](find_bad_edge).
pub(crate) fn assemble(
    rule: Rule,
    num_vars: usize,
    mut nodes: Vec<LooseNode>,
    root: ChildLink,
) -> Result<NodeStore, BuildError> {
    let mut variables: Vec<u32> = nodes.iter().map(|node| node.variable).collect();
    variables.sort_unstable();
    variables.dedup();
    for node in &mut nodes {
        node.variable = variables.partition_point(|&before| before < node.variable) as u32;
    }
    let spec = LooseSpec { num_vars: variables.len(), rule, nodes, root };
    let store = build::boxed(spec, rule)?;
    Ok(store.at_variables(num_vars, &variables))
}

/// Nodes as a spec: a state is a link.
struct LooseSpec {
    num_vars: usize,
    rule: Rule,
    nodes: Vec<LooseNode>,
    root: ChildLink,
}

impl LooseSpec {
    fn step(&self, link: ChildLink) -> Step<u32> {
        match link.index() {
            None if link.is_complement() => Step::One,
            None => Step::Zero,
            Some(index) => Step::To(self.nodes[index].variable as usize, link.0),
        }
    }
}

impl DdSpec for LooseSpec {
    type State = u32;

    fn num_vars(&self) -> usize {
        self.num_vars
    }

    fn root(&self) -> Step<u32> {
        self.step(self.root)
    }

    fn child(&self, &state: &u32, _variable: usize, value: usize) -> Step<u32> {
        let link = ChildLink(state);
        let node = link.index().map(|index| self.nodes[index]);
        let child = node.expect("a state is a link to a node").children[value];
        // In a ZDD the empty set is below the edge of value 0.
        self.step(child.complement_if(link.is_complement() && self.rule.allows(value)))
    }
}
