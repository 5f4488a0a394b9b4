//! From two-valued nodes as others give them to the canonical diagram.
//!
//! The nodes may come in any order, be equal, redundant or out of reach, and edges may be
//! complemented, as in the files of packages that share a function and its complement.
//! What they have in common is that an edge leads to a later variable; that is checked,
//! and rules out cycles.
//!
//! Three passes over the nodes by variable: one down, to find what is in reach of the root;
//! one up, in which each level is brought into the canonical form as in reduction: replace
//! what is redundant, sort by the children, make one of those that are equal. Linear but for
//! the sorting, and the memory depends on the nodes alone, not on the number of variables.

#[cfg(test)]
mod tests;

use super::store::{Builder, FIRST_NODE, MAX_NODES, Most, NodeId, ONE, Store, ZERO, is_redundant};
use crate::Error;
use crate::spec::{Arities, Rule};
use rayon::prelude::*;

/// Where an edge leads.
///
/// A complement is, of a BDD, the other function; of a ZDD, the family with the empty set
/// taken out if it is a member and put in if not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    pub(crate) const ZERO: Link = Link(0);
    pub(crate) const ONE: Link = Link(1);
    /// There are links to fewer nodes than this.
    pub(crate) const MAX_NODES: usize = (1 << 31) - 2;

    /// To the node of this index.
    pub(crate) fn to(index: usize) -> Link {
        debug_assert!(index < Self::MAX_NODES);
        Link((index as u32 + 1) << 1)
    }

    /// The other one of a node and its complement, or of the two terminals.
    pub(crate) fn complement(self) -> Link {
        Link(self.0 ^ 1)
    }

    fn complement_if(self, complement: bool) -> Link {
        Link(self.0 ^ u32::from(complement))
    }

    /// The index of the node, unless it is a terminal.
    pub(crate) fn index(self) -> Option<usize> {
        (self.0 >> 1).checked_sub(1).map(|index| index as usize)
    }

    fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A node; by value, where its edges lead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LooseNode {
    pub(crate) variable: u32,
    pub(crate) children: [Link; 2],
}

/// An edge that leads to a variable that is not later, or to no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadEdge {
    /// The index of the node that it leaves.
    pub(crate) node: usize,
    pub(crate) value: usize,
}

/// The first edge, if any, that breaks the order of variables.
pub(crate) fn find_bad_edge(nodes: &[LooseNode]) -> Option<BadEdge> {
    let goes_on = |node: &LooseNode, child: Link| {
        child.index().is_none_or(|index| {
            nodes.get(index).is_some_and(|child| child.variable > node.variable)
        })
    };
    let bad = |(index, node): (usize, &LooseNode)| {
        let value = node.children.iter().position(|&child| !goes_on(node, child))?;
        Some(BadEdge { node: index, value })
    };
    nodes.iter().enumerate().find_map(bad)
}

/// The diagram of the root, over so many two-valued variables.
///
/// The nodes must be at these variables and have no [bad edge](find_bad_edge).
pub(crate) fn assemble(
    num_vars: usize,
    rule: Rule,
    nodes: &[LooseNode],
    root: Link,
) -> Result<Store, Error> {
    let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
    sort(&mut order, |&index| (nodes[index as usize].variable, index));
    let reached = reach(rule, nodes, &order, root);
    // A node, and its complement.
    let most = Most { pairs: 2 * nodes.len(), ..Most::default() };
    let mut store = Builder::new(Arities::two_valued(num_vars), most, None);
    // What each node, and its complement, became.
    let mut ids = vec![[ZERO; 2]; nodes.len()];
    let become_of = |ids: &[[NodeId; 2]], link: Link| match link.index() {
        None if link.is_complement() => ONE,
        None => ZERO,
        Some(index) => ids[index][usize::from(link.is_complement())],
    };
    let mut level: Vec<([NodeId; 2], Link)> = Vec::new();
    for of_level in order.chunk_by(|&a, &b| at(nodes, a) == at(nodes, b)).rev() {
        level.clear();
        for &index in of_level {
            let index = index as usize;
            for link in [Link::to(index), Link::to(index).complement()] {
                if reached[index] & mark(link) == 0 {
                    continue;
                }
                let [zero, one] =
                    children(rule, nodes[index], link).map(|child| become_of(&ids, child));
                if is_redundant([zero, one], rule) {
                    ids[index][usize::from(link.is_complement())] = zero;
                } else {
                    level.push(([zero, one], link));
                }
            }
        }
        sort(&mut level, |&([zero, one], link)| (one, zero, link.0));
        let base = store.next_id();
        let mut count = 0;
        for same in level.chunk_by(|a, b| a.0 == b.0) {
            for &(_, link) in same {
                let index = link.index().expect("a link to a node");
                ids[index][usize::from(link.is_complement())] = base + count;
            }
            count += 1;
        }
        if u64::from(base - FIRST_NODE) + u64::from(count) > MAX_NODES {
            return Err(Error::TooLarge { what: "the diagram", unit: "nodes", limit: MAX_NODES });
        }
        if count == 0 {
            continue;
        }
        let variable = at(nodes, of_level[0]) as usize;
        store.push_pairs(variable, count as usize, &|| Ok(()), |out, reach| {
            let mut reach = reach.clone();
            for (out, same) in out.iter_mut().zip(level.chunk_by(|a, b| a.0 == b.0)) {
                *out = same[0].0;
                for &child in out.iter() {
                    reach.note(child);
                }
            }
            Ok(vec![reach.into_levels()])
        })?;
    }
    store.finish(become_of(&ids, root), &|| Ok(()))
}

fn at(nodes: &[LooseNode], index: u32) -> u32 {
    nodes[index as usize].variable
}

/// The bit that says that what the link leads to is in reach.
fn mark(link: Link) -> u8 {
    1 << u32::from(link.is_complement())
}

/// By value, where a node leads, or its complement if that is what the link is to.
fn children(rule: Rule, node: LooseNode, link: Link) -> [Link; 2] {
    let [zero, one] = node.children;
    let complement = link.is_complement();
    let one = match rule {
        // The empty set is below the edges of value 0.
        Rule::ZeroSuppressed => one,
        Rule::AnyValue => one.complement_if(complement),
    };
    [zero.complement_if(complement), one]
}

/// Which nodes, and complements of nodes, are in reach of the root, from indices in
/// ascending order of variable.
fn reach(rule: Rule, nodes: &[LooseNode], order: &[u32], root: Link) -> Vec<u8> {
    let mut reached = vec![0; nodes.len()];
    let note = |reached: &mut [u8], link: Link| {
        if let Some(index) = link.index() {
            reached[index] |= mark(link);
        }
    };
    note(&mut reached, root);
    for &index in order {
        let index = index as usize;
        for link in [Link::to(index), Link::to(index).complement()] {
            if reached[index] & mark(link) != 0 {
                for child in children(rule, nodes[index], link) {
                    note(&mut reached, child);
                }
            }
        }
    }
    reached
}

/// Sorts by keys that differ, in parallel where that pays.
fn sort<T: Send, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K + Sync) {
    const WORTH_SHARING: usize = 1 << 15;
    if items.len() < WORTH_SHARING {
        items.sort_unstable_by_key(key);
    } else {
        items.par_sort_unstable_by_key(key);
    }
}
