//! Nodes as they are read, by the numbers that a file gives them.

use super::scan::{FilePosition, bad};
use crate::diagram::assemble::{Link, LooseNode, assemble, find_bad_edge};
use crate::diagram::store::Store;
use crate::spec::Rule;
use crate::{BuildError, FileError};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The target of an edge in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Zero,
    One,
    /// The node of this number, or its complement.
    Number {
        number: u64,
        complement: bool,
    },
}

/// A node with numbers that may not have been read yet.
struct Read {
    number: u64,
    variable: u32,
    children: [Target; 2],
    at: FilePosition,
}

/// The nodes read so far, by their numbers in the file.
pub(super) struct Nodes {
    format: &'static str,
    /// Hashed with random keys, so that no file can have only numbers that collide.
    links: HashMap<u64, Link>,
    read: Vec<Read>,
}

impl Nodes {
    pub(super) fn new(format: &'static str) -> Self {
        Nodes { format, links: HashMap::new(), read: Vec::new() }
    }

    /// Adds a node; the number of variables may still be unknown.
    pub(super) fn node(
        &mut self,
        number: u64,
        variable: usize,
        children: [Target; 2],
        at: FilePosition,
    ) -> Result<(), FileError> {
        if self.read.len() >= Link::MAX_NODES {
            let limit = Link::MAX_NODES as u64;
            return Err(BuildError::TooLarge { what: "the file", unit: "nodes", limit }.into());
        }
        self.name(number, Link::to(self.read.len()), at)?;
        self.read.push(Read { number, variable: variable as u32, children, at });
        Ok(())
    }

    /// Adds a terminal with this number.
    pub(super) fn terminal(
        &mut self,
        number: u64,
        one: bool,
        at: FilePosition,
    ) -> Result<(), FileError> {
        self.name(number, if one { Link::ONE } else { Link::ZERO }, at)
    }

    fn name(&mut self, number: u64, link: Link, at: FilePosition) -> Result<(), FileError> {
        match self.links.entry(number) {
            Entry::Vacant(entry) => {
                entry.insert(link);
                Ok(())
            }
            Entry::Occupied(_) => Err(bad(
                self.format,
                at,
                format!("expected a new node, found another one with the number {number}"),
            )),
        }
    }

    /// The number of the last node.
    pub(super) fn last(&self) -> Option<u64> {
        self.read.last().map(|node| node.number)
    }

    /// Returns whether a node has an odd number.
    pub(super) fn any_odd(&self) -> bool {
        self.read.iter().any(|node| node.number % 2 == 1)
    }

    /// Changes the targets of edges by a function.
    pub(super) fn map_targets(&mut self, map: impl Fn(Target) -> Target) {
        for target in self.read.iter_mut().flat_map(|node| &mut node.children) {
            *target = map(*target);
        }
    }

    /// Counts the variables from the other end.
    pub(super) fn turn_over(&mut self, num_vars: usize) {
        for node in &mut self.read {
            node.variable = num_vars as u32 - 1 - node.variable;
        }
    }

    /// Builds the diagram of a root, which the file names at this position.
    pub(super) fn build(
        self,
        rule: Rule,
        num_vars: usize,
        root: Target,
        root_at: FilePosition,
    ) -> Result<Store, FileError> {
        self.link()?.build(rule, num_vars, root, root_at)
    }

    /// Finds the targets of all edges.
    pub(super) fn link(self) -> Result<LinkedNodes, FileError> {
        let Nodes { format, links, read } = self;
        let mut nodes = Vec::with_capacity(read.len());
        for node in &read {
            let mut children = [Link::ZERO; 2];
            for (child, &target) in children.iter_mut().zip(&node.children) {
                *child = link(&links, target).map_err(|missing| {
                    let of = node.number;
                    let message = format!("node {of} leads to node {missing}, which is not there");
                    bad(format, node.at, message)
                })?;
            }
            nodes.push(LooseNode { variable: node.variable, children });
        }
        if let Some((node, value)) = find_bad_edge(&nodes) {
            let child = nodes[node].children[value].index().map(|child| &read[child]);
            let to = child.map_or(0, |child| child.variable);
            let Read { number, variable, at, .. } = read[node];
            let child = child.map_or(0, |child| child.number);
            return Err(bad(
                format,
                at,
                format!(
                    "node {number} leads to node {child}, but edges must go down: counted from \
                     the root, these are at the variables {variable} and {to}"
                ),
            ));
        }
        Ok(LinkedNodes { format, links, nodes })
    }
}

/// The link to the target of an edge, or the number of the node if it is missing.
fn link(links: &HashMap<u64, Link>, target: Target) -> Result<Link, u64> {
    match target {
        Target::Zero => Ok(Link::ZERO),
        Target::One => Ok(Link::ONE),
        Target::Number { number, complement } => {
            links.get(&number).map(|link| link.complement_if(complement)).ok_or(number)
        }
    }
}

/// The nodes of a file with links to their children.
pub(super) struct LinkedNodes {
    format: &'static str,
    links: HashMap<u64, Link>,
    nodes: Vec<LooseNode>,
}

impl LinkedNodes {
    /// Builds the diagram of a root, which the file names at this position.
    pub(super) fn build(
        &self,
        rule: Rule,
        num_vars: usize,
        root: Target,
        root_at: FilePosition,
    ) -> Result<Store, FileError> {
        let root = link(&self.links, root).map_err(|missing| {
            let message = format!("node {missing} is said to be the root, but is not there");
            bad(self.format, root_at, message)
        })?;
        Ok(assemble(rule, num_vars, self.nodes.clone(), root)?)
    }
}
