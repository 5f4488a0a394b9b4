//! The nodes and edges of a small diagram, as pictures show them.

use crate::diagram::store::{LevelView, NodeId, NodeStore, ValueEdge};
use crate::diagram::{Diagram, DiagramRule};
use crate::query::DomainPass;
use crate::spec::Rule;
use crate::{Configurator, FileError};
use num_bigint::BigUint;
use std::fmt;

/// The nodes and edges of a small diagram, for a picture; see [`Diagram::shape`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shape {
    /// The rule and the variables: two families may have the same nodes.
    pub title: String,
    /// The number of the root: 0 and 1 are the terminals.
    pub root: u32,
    /// The nodes, from the root down.
    pub nodes: Vec<ShapeNode>,
    /// Whether the solutions that are left are marked.
    pub is_marked: bool,
}

/// A node of a [`Shape`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShapeNode {
    /// The number of the node, from 2.
    pub id: u32,
    /// The variable of the node.
    pub variable: usize,
    /// The edges other than to the 0-terminal, in ascending order of their least values.
    pub arrows: Vec<Arrow>,
    /// The number of completions that are left; `None` if no solution that is left passes through the node.
    pub completions: Option<BigUint>,
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the nodes and edges for a picture. Edges of several values to one child are one arrow. The 0-terminal and
    /// the edges to it are left out.
    ///
    /// ```
    /// use topdd::{FileError, Zdd};
    ///
    /// let subsets = Zdd::full([2; 8])?; // 8 nodes
    /// assert!(matches!(subsets.shape(5), Err(FileError::TooLargeToDraw { nodes: 8, .. })));
    /// assert_eq!(subsets.shape(500)?.nodes[0].arrows.len(), 2);
    /// # Ok::<(), topdd::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FileError::TooLargeToDraw`] when there are more nodes than `limit`, or more than twice as many arrows: a
    /// picture of more than about 500 nodes is hard to read.
    pub fn shape(&self, limit: usize) -> Result<Shape, FileError> {
        shape(self, limit, || None)
    }
}

impl<R: DiagramRule> Configurator<R> {
    /// Returns the nodes and edges as [`Diagram::shape`] does, and marks the solutions that are left.
    ///
    /// Cost: one more pass down.
    ///
    /// ```
    /// let mut party = topdd::bdd(&topdd::constraint::all_different([3; 3]))?.configure()?;
    /// party.choose(0, 2)?;
    /// let shape = party.shape(100).expect("it is small");
    /// assert_eq!(shape.nodes.iter().filter(|node| node.completions.is_some()).count(), 4);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Diagram::shape`].
    pub fn shape(&self, limit: usize) -> Result<Shape, FileError> {
        shape(self.diagram(), limit, || Some(self.part_left()))
    }
}

/// The shape of a diagram, with a part of it marked, which is computed if the diagram is small enough.
fn shape<'a, R: DiagramRule>(
    diagram: &'a Diagram<R>,
    limit: usize,
    part: impl FnOnce() -> Option<DomainPass<'a>>,
) -> Result<Shape, FileError> {
    let (store, nodes) = (&*diagram.store, diagram.node_count());
    // At least one edge for each node, and not counted for many nodes.
    let too_large = |edges| Err(FileError::TooLargeToDraw { nodes, edges, limit });
    if nodes > limit {
        return too_large(nodes);
    }
    let part = part();
    let mut drawn = Vec::with_capacity(nodes);
    for level in store.levels().rev() {
        for position in 0..level.len() {
            let id = level.first + position as NodeId;
            let mut arrows = arrows(store, &level, position);
            let part = part.as_ref().filter(|part| part.has_node(id));
            if let Some(part) = part {
                mark(&mut arrows, store, &level, position, part);
            }
            let completions = part.and_then(|part| part.completions(&level, position));
            drawn.push(ShapeNode { id, variable: level.variable, arrows, completions });
        }
    }
    let edges = drawn.iter().map(|node| node.arrows.len()).sum();
    if edges > limit.saturating_mul(2) {
        return too_large(edges);
    }
    let title = Title { name: R::NAME, rule: R::RULE, store }.to_string();
    Ok(Shape { title, root: store.root, nodes: drawn, is_marked: part.is_some() })
}

/// Marks the arrows of a node that solutions of a part use.
fn mark(
    arrows: &mut [Arrow],
    store: &NodeStore,
    level: &LevelView<'_>,
    position: usize,
    part: &DomainPass<'_>,
) {
    // Of a two-valued node, each edge is drawn alone.
    let is_alone = store.arities.get(level.variable) == 2;
    for arrow in arrows {
        let is_drawn = |edge: &ValueEdge| {
            edge.target == arrow.target && (!is_alone || (edge.value == 0) == arrow.is_zero)
        };
        let mut edges = level.edges(position).filter(is_drawn);
        arrow.is_left = edges.any(|edge| part.has_edge(level, position, edge));
    }
}

/// The edges of a node that lead to the same child, drawn as one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Arrow {
    /// The number of the child.
    pub target: u32,
    /// The values of the edges in ascending order; three and more in a row are written as `4..7`.
    pub label: String,
    /// Whether this is the edge of value 0 of a two-valued node.
    pub is_zero: bool,
    /// Whether a solution that is left uses one of the edges.
    pub is_left: bool,
}

/// The arrows that leave a node of a level, by their least values. Of a two-valued node there is
/// one for each value, so that each has its style.
pub(super) fn arrows(store: &NodeStore, level: &LevelView<'_>, position: usize) -> Vec<Arrow> {
    let edges: Vec<ValueEdge> = level.edges(position).collect();
    if store.arities.get(level.variable) == 2 {
        let arrow = |edge: &ValueEdge| {
            let ValueEdge { value, target } = *edge;
            Arrow { target, label: value.to_string(), is_zero: value == 0, is_left: false }
        };
        return edges.iter().map(arrow).collect();
    }
    let mut by_target = edges.clone();
    by_target.sort_by_key(|edge| (edge.target, edge.value));
    let mut arrows: Vec<(u32, Arrow)> = by_target
        .chunk_by(|a, b| a.target == b.target)
        .map(|same| {
            let label = runs(same.iter().map(|edge| edge.value));
            let target = same[0].target;
            (same[0].value, Arrow { target, label, is_zero: false, is_left: false })
        })
        .collect();
    arrows.sort_by_key(|&(least, _)| least);
    arrows.into_iter().map(|(_, arrow)| arrow).collect()
}

/// Ascending numbers, with three and more in a row written short: `0, 2, 4..7`.
fn runs(values: impl IntoIterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == value => *last = value,
            _ => runs.push((value, value)),
        }
    }
    let written = runs.into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}..{last}"),
    });
    written.collect::<Vec<_>>().join(", ")
}

/// The title of a picture: two families may have the same nodes.
pub(super) struct Title<'a> {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) store: &'a NodeStore,
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arities = &self.store.arities;
        let number = arities.num_vars();
        let plural = if number == 1 { "" } else { "s" };
        write!(f, "{} over {number} variable{plural}", self.name)?;
        let values = (0..number).map(|variable| arities.get(variable));
        match (values.clone().min(), values.max()) {
            (None, _) | (Some(2), Some(2)) => {}
            (Some(1), Some(1)) => write!(f, " of 1 value")?,
            (Some(least), Some(most)) if least == most => write!(f, " of {most} values")?,
            (Some(least), most) => write!(f, " of {least} to {} values", most.unwrap_or(least))?,
        }
        f.write_str(match self.rule {
            Rule::ZeroSuppressed => ": skipped variables are 0",
            Rule::AnyValue => ": skipped variables may have any value",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn values_in_a_row_are_written_short() {
        for (values, text) in [
            (&[3][..], "3"),
            (&[0, 1], "0, 1"),
            (&[0, 1, 2], "0..2"),
            (&[0, 2, 4, 5, 6, 7, 9, 10], "0, 2, 4..7, 9, 10"),
        ] {
            assert_eq!(runs(values.iter().copied()), text);
        }
    }
}
