//! The conditions of a family: those that one sweep checks together, and how others are added.

use topdd::Frontier;

use super::conditions::EdgePart;
use super::rules::{LinearRule, Rules};
use super::vertex_sets::{self, ColourPart, VertexPart};
use super::{FamilyError, SubgraphConstraint, all_of, paths};
use crate::Graph;
use crate::kind::Unit;

/// The conditions of a family. All of them must hold.
#[derive(Clone, Debug)]
pub(super) enum Parts {
    Edges(Vec<EdgePart>),
    Vertices(Vec<VertexPart>),
    Colours(ColourPart),
}

impl Parts {
    pub(super) fn unit(&self) -> Unit {
        match self {
            Parts::Edges(_) => Unit::Edge,
            Parts::Vertices(_) => Unit::Vertex,
            Parts::Colours(_) => Unit::Colour,
        }
    }

    /// Makes a sweep over all conditions, in an order of the elements.
    pub(super) fn frontier(
        &self,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        match self {
            Parts::Edges(parts) if parts.iter().any(EdgePart::is_of_paths) => {
                paths::frontier(parts, graph, order)
            }
            Parts::Edges(parts) => all_of(parts, |part| part.frontier(graph, order)),
            Parts::Vertices(parts) => all_of(parts, |part| part.frontier(graph, order)),
            Parts::Colours(part) => vertex_sets::colouring_frontier(graph, part, order),
        }
    }

    /// Whether the sets depend on the ends of edges, and not on their directions.
    pub(super) fn ignore_directions(&self) -> bool {
        let Parts::Edges(parts) = self else { return false };
        parts.iter().any(EdgePart::depends_on_ends)
            && !parts.iter().any(EdgePart::follows_directions)
    }

    pub(super) fn num_conditions(&self) -> usize {
        match self {
            Parts::Edges(parts) => parts.iter().map(EdgePart::num_conditions).sum(),
            Parts::Vertices(parts) => parts.iter().map(VertexPart::num_conditions).sum(),
            Parts::Colours(part) => 1 + part.fixed.len(),
        }
    }

    /// Adds the conditions of another family, which must have the same kind of elements.
    pub(super) fn extend(&mut self, other: Parts) -> Result<(), FamilyError> {
        match (self, other) {
            (Parts::Edges(parts), Parts::Edges(others)) => {
                for part in others {
                    part.add_to(parts);
                }
            }
            (Parts::Vertices(parts), Parts::Vertices(others)) => {
                for part in others {
                    part.add_to(parts);
                }
            }
            _ => return Err(FamilyError::DifferentKinds),
        }
        Ok(())
    }

    /// Returns the conditions without the bounds on sums of different weights, and these bounds.
    pub(super) fn split_sums(&self, graph: &Graph) -> (Parts, Vec<LinearRule>) {
        let mut sums = Vec::new();
        let has_sums = |rule: &LinearRule| rule.weights.windows(2).any(|pair| pair[0] != pair[1]);
        let mut rest = self.clone();
        match &mut rest {
            Parts::Edges(parts) => {
                parts.retain_mut(|part| {
                    let EdgePart::Rules(rules) = part else { return true };
                    sums.extend(rules.linear.extract_if(.., |rule| has_sums(rule)));
                    *rules != Rules::NONE
                });
                if parts.is_empty() {
                    parts.push(EdgePart::ANY);
                }
            }
            Parts::Vertices(parts) => {
                parts.retain(|part| {
                    let rule = part.linear_rule(graph.num_vertices()).filter(has_sums);
                    let keep = rule.is_none();
                    sums.extend(rule);
                    keep
                });
                if parts.is_empty() {
                    parts.push(VertexPart::ANY);
                }
            }
            Parts::Colours(_) => {}
        }
        (rest, sums)
    }

    /// Adds a constraint.
    pub(super) fn constrain(
        &mut self,
        graph: &Graph,
        constraint: SubgraphConstraint,
    ) -> Result<(), FamilyError> {
        match self {
            Parts::Edges(parts) => EdgePart::constraint(graph, constraint)?.add_to(parts),
            Parts::Vertices(parts) => VertexPart::constraint(graph, constraint)?.add_to(parts),
            Parts::Colours(part) => part.constrain(graph, &constraint)?,
        }
        Ok(())
    }
}
