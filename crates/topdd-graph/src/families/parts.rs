//! The conditions of a family: those that one sweep checks together, and how others are added.

use topdd::Frontier;

use super::conditions::{EdgePart, add_bounds};
use super::rules::{Bounds, LinearRule, Rules};
use super::vertex_sets::{self, VertexPart};
use super::{FamilyError, SubgraphConstraint, paths};
use crate::Graph;
use crate::kind::Unit;

/// The conditions of a family. All of them must hold.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) list: PartList,
    pub(super) bounds: Bounds,
}

/// The conditions that are no bounds.
#[derive(Clone, Debug)]
pub(super) enum PartList {
    Edges(Vec<EdgePart>),
    Vertices(Vec<VertexPart>),
    /// Neighbours differ in one of so many colours.
    Colours(usize),
}

impl From<PartList> for Parts {
    fn from(list: PartList) -> Self {
        Self { list, bounds: Bounds::NONE }
    }
}

impl Parts {
    pub(super) fn unit(&self) -> Unit {
        match self.list {
            PartList::Edges(_) => Unit::Edge,
            PartList::Vertices(_) => Unit::Vertex,
            PartList::Colours(_) => Unit::Colour,
        }
    }

    /// Makes a sweep over all conditions, in an order of the elements.
    pub(super) fn frontier(
        &self,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        let frontiers: Result<Vec<_>, FamilyError> = match &self.list {
            PartList::Edges(parts) if parts.iter().any(EdgePart::is_of_paths) => {
                return paths::frontier(parts, &self.bounds, graph, order);
            }
            PartList::Edges(parts) => {
                let mut parts = parts.clone();
                add_bounds(&mut parts, self.bounds.clone());
                parts.iter().map(|part| part.frontier(graph, order)).collect()
            }
            PartList::Vertices(parts) => {
                let of_parts = parts.iter().map(|part| part.frontier(graph, order));
                let is_bounded = self.bounds != Bounds::NONE || parts.is_empty();
                of_parts.chain(is_bounded.then(|| self.bounds_on_vertices(order))).collect()
            }
            PartList::Colours(colours) => {
                let fixed = &self.bounds.fixed;
                return vertex_sets::colouring_frontier(graph, *colours, fixed, order);
            }
        };
        let mut frontiers = frontiers?;
        if frontiers.len() == 1 {
            return Ok(frontiers.swap_remove(0));
        }
        let specs: Result<Vec<_>, _> = frontiers.into_iter().map(Frontier::into_spec).collect();
        Ok(Frontier::of(topdd::all(specs?)))
    }

    /// The sets of vertices within the bounds: sets of loops, one at each vertex.
    fn bounds_on_vertices(&self, order: &[usize]) -> Result<Frontier<'static>, FamilyError> {
        let rules = Rules { bounds: self.bounds.clone(), ..Rules::NONE };
        EdgePart::Rules(rules).frontier(&vertex_sets::loops(order.len()), order)
    }

    /// Whether the sets depend on the ends of edges, and not on their directions.
    pub(super) fn ignore_directions(&self) -> bool {
        let PartList::Edges(parts) = &self.list else { return false };
        parts.iter().any(EdgePart::depends_on_ends)
            && !parts.iter().any(EdgePart::follows_directions)
    }

    pub(super) fn num_conditions(&self) -> usize {
        let parts = match &self.list {
            PartList::Edges(parts) => parts.len(),
            PartList::Vertices(parts) => parts.len(),
            PartList::Colours(_) => 1,
        };
        parts.max(1) + self.bounds.linear.len() + self.bounds.fixed.len()
    }

    /// Adds the conditions of another family, which must have the same kind of elements.
    pub(super) fn extend(&mut self, other: Parts) -> Result<(), FamilyError> {
        match (&mut self.list, other.list) {
            (PartList::Edges(parts), PartList::Edges(others)) => {
                for part in others {
                    part.add_to(parts);
                }
            }
            (PartList::Vertices(parts), PartList::Vertices(others)) => parts.extend(others),
            _ => return Err(FamilyError::DifferentKinds),
        }
        self.bounds.extend(other.bounds);
        Ok(())
    }

    /// Returns the conditions without the bounds on sums of different weights, and these bounds.
    pub(super) fn split_sums(&self) -> (Parts, Vec<LinearRule>) {
        let mut rest = self.clone();
        let has_sums =
            |rule: &mut LinearRule| rule.weights.windows(2).any(|pair| pair[0] != pair[1]);
        let sums = rest.bounds.linear.extract_if(.., has_sums).collect();
        (rest, sums)
    }

    /// Adds a constraint.
    pub(super) fn constrain(
        &mut self,
        graph: &Graph,
        constraint: SubgraphConstraint,
    ) -> Result<(), FamilyError> {
        let unit = self.unit();
        let needed = unit.elements(graph);
        match (&mut self.list, constraint) {
            (list, SubgraphConstraint::Element { element, value, taken }) => match (list, value) {
                (PartList::Edges(_), _) if element >= needed => {
                    return Err(FamilyError::EdgeOutOfRange { edge: element, edges: needed });
                }
                (_, _) if element >= needed => {
                    let (vertex, vertices) = (element, needed);
                    return Err(FamilyError::VertexOutOfRange { vertex, vertices });
                }
                (&mut PartList::Colours(colours), colour) if colour >= colours => {
                    return Err(FamilyError::ColourOutOfRange { colour, colours });
                }
                _ => self.bounds.fixed.push((element, value, taken)),
            },
            (PartList::Colours(_), _) => return Err(FamilyError::SetConstraint),
            (_, SubgraphConstraint::Size { least, most }) => self.bounds.linear.push(LinearRule {
                weights: vec![1; needed],
                least: least as i128,
                most: most as i128,
            }),
            (_, SubgraphConstraint::Weight { weights, least, most }) => {
                let given = weights.len();
                if given != needed {
                    let what = match unit {
                        Unit::Edge => "weights of edges",
                        Unit::Vertex | Unit::Colour => "weights of vertices",
                    };
                    return Err(FamilyError::WrongLength { what, given, needed });
                }
                check_sums(&weights, least, most)?;
                let (least, most) = (least.into(), most.into());
                self.bounds.linear.push(LinearRule { weights, least, most });
            }
            (PartList::Edges(parts), degrees) => EdgePart::degrees(graph, degrees)?.add_to(parts),
            (PartList::Vertices(_), _) => return Err(FamilyError::EdgeConstraint),
        }
        Ok(())
    }
}

/// Refuses weights of which some sums are beyond the numbers that stand for a missing bound.
fn check_sums(weights: &[i64], least: i64, most: i64) -> Result<(), FamilyError> {
    let sum = |is_counted: fn(&i64) -> bool| -> i128 {
        weights.iter().copied().filter(is_counted).map(i128::from).sum()
    };
    let is_below = least == i64::MIN && sum(|weight| *weight < 0) < i64::MIN.into();
    let is_above = most == i64::MAX && sum(|weight| *weight > 0) > i64::MAX.into();
    if is_below || is_above { Err(FamilyError::WeightsTooLarge) } else { Ok(()) }
}
