//! The conditions of a family, and the constraints on its edge sets.

use std::ops::RangeInclusive;

use topdd::Frontier;
use topdd::spec::ArraySpec;

use super::FamilyError;
use super::composite::{Composite, CompositePlan, TotalDegrees};
use super::cut::{Bipartite, CutRule, Cuts};
use super::degrees::{Degrees, Distribution};
use super::partition::{Partition, PartitionRule};
use super::rules::{Bounds, Groups, Rules};
use crate::Graph;
use crate::path_problem::PathRule;

/// One of the conditions of a family of edge sets.
#[derive(Clone, Debug)]
pub(super) enum EdgePart {
    Rules(Rules),
    Paths(PathRule),
    Partition(PartitionRule),
    Cuts(CutRule),
    Bipartite,
    /// Bounds on the number of vertices of each degree, from 0 on.
    Distribution(Vec<RangeInclusive<usize>>),
}

impl EdgePart {
    /// Whether paths or cycles are asked for, whose sweep includes other conditions.
    pub(super) fn is_of_paths(&self) -> bool {
        matches!(self, EdgePart::Paths(_))
    }

    /// Whether the condition depends on the directions of edges.
    pub(super) fn follows_directions(&self) -> bool {
        match self {
            EdgePart::Paths(_) => true,
            EdgePart::Rules(Rules { degrees: [_, out, into], .. }) => {
                !(out.is_empty() && into.is_empty())
            }
            _ => false,
        }
    }

    /// Whether the condition depends on the ends of edges, and not only on the vertices without an edge.
    pub(super) fn depends_on_ends(&self) -> bool {
        let EdgePart::Rules(rules) = self else { return true };
        let Rules { acyclic, groups, single, covered, degrees, .. } = rules;
        *acyclic
            || *groups != Groups::Any
            || *single
            || *covered
            || degrees.iter().flatten().any(Degrees::counts)
    }

    /// Adds the condition to others, joined with another one if one sweep can check both.
    pub(super) fn add_to(self, parts: &mut Vec<EdgePart>) {
        if let EdgePart::Rules(new) = &self {
            for old in parts.iter_mut() {
                if let EdgePart::Rules(rules) = old
                    && let Some(both) = rules.and(new)
                {
                    *rules = both;
                    return;
                }
            }
        }
        parts.push(self);
    }

    /// The condition of a constraint on degrees.
    pub(super) fn degrees(
        graph: &Graph,
        constraint: SubgraphConstraint,
    ) -> Result<Self, FamilyError> {
        let (kind, some, degrees) = match constraint {
            SubgraphConstraint::Degree { vertices, degrees } => (0, vertices, degrees),
            SubgraphConstraint::OutDegree { vertices, degrees } => (1, vertices, degrees),
            SubgraphConstraint::InDegree { vertices, degrees } => (2, vertices, degrees),
            _ => unreachable!("other constraints are bounds"),
        };
        if kind > 0 && !graph.is_directed() {
            return Err(FamilyError::Undirected { family: "out- and in-degrees" });
        }
        let vertices = graph.num_vertices();
        let mut all = vec![Degrees::any(); vertices];
        for vertex in some {
            let of =
                all.get_mut(vertex).ok_or(FamilyError::VertexOutOfRange { vertex, vertices })?;
            *of = degrees.clone();
        }
        let mut rules = Rules::NONE;
        rules.degrees[kind] = all;
        Ok(EdgePart::Rules(rules))
    }

    /// Makes a sweep over the condition alone.
    pub(super) fn frontier(
        &self,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        let spec = match self {
            EdgePart::Rules(rules) => {
                let spec = Composite::new(CompositePlan::new(graph, rules, order))?;
                return Ok(match TotalDegrees::from_rules(&spec) {
                    Some(spec) => Frontier::of_arrays(spec),
                    None => Frontier::of_arrays(spec),
                });
            }
            EdgePart::Paths(_) => unreachable!("`paths::frontier` makes the specs of paths"),
            EdgePart::Partition(rule) => Partition::new(graph, rule, order)?.boxed(),
            EdgePart::Cuts(rule) => Cuts::new(graph, *rule, order)?.boxed(),
            EdgePart::Bipartite => Bipartite::new(graph, order)?.boxed(),
            EdgePart::Distribution(bounds) => Distribution::new(graph, bounds, order)?.boxed(),
        };
        Ok(Frontier::of_boxed(spec))
    }
}

/// Adds bounds to the first rules of the conditions, or as a condition of their own.
pub(super) fn add_bounds(parts: &mut Vec<EdgePart>, bounds: Bounds) {
    for part in parts.iter_mut() {
        if let EdgePart::Rules(rules) = part {
            rules.bounds = bounds;
            return;
        }
    }
    if bounds != Bounds::NONE || parts.is_empty() {
        parts.push(EdgePart::Rules(Rules { bounds, ..Rules::NONE }));
    }
}

/// A constraint on sets of edges, to combine with a family by [`GraphSets::and`](super::GraphSets::and). Those on size and
/// weight, and on single elements, are for sets of vertices as well.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{
///     at_least, at_most, avoid, cost_at_least, cost_at_most, exactly, matchings, through,
/// };
///
/// let grid = Graph::grid(2, 3);
/// assert_eq!(matchings(&grid).and(exactly(2)).and(avoid(0)).count()?, 4u32.into());
/// let some = matchings(&grid).and(at_least(1)).and(at_most(2));
/// assert_eq!(some.clone().and(through(0)).count()? + some.and(avoid(0)).count()?, 18u32.into());
///
/// let prices = [3, 1, 4, 1, 5, 9, 2];
/// let cheap = matchings(&grid).and(cost_at_most(prices, 4));
/// assert_eq!(cheap.clone().count()?, 8u32.into());
/// assert_eq!(cheap.and(cost_at_least(prices, 1)).count()?, 7u32.into()); // without the empty one
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubgraphConstraint {
    /// A number of edges, or of vertices, within bounds.
    Size {
        /// The least number.
        least: usize,
        /// The greatest number.
        most: usize,
    },
    /// A sum of the weights of the edges, or of the vertices, within bounds.
    Weight {
        /// The weight of each edge, or vertex.
        weights: Vec<i64>,
        /// The least sum.
        least: i64,
        /// The greatest sum.
        most: i64,
    },
    /// The allowed numbers of edge ends at some vertices, in and out; a loop has two.
    Degree {
        /// The vertices.
        vertices: Vec<usize>,
        /// The allowed degrees of each.
        degrees: Degrees,
    },
    /// The allowed numbers of edges out of some vertices of a directed graph.
    OutDegree {
        /// The vertices.
        vertices: Vec<usize>,
        /// The allowed degrees of each.
        degrees: Degrees,
    },
    /// The allowed numbers of edges into some vertices of a directed graph.
    InDegree {
        /// The vertices.
        vertices: Vec<usize>,
        /// The allowed degrees of each.
        degrees: Degrees,
    },
    /// Whether an edge or a vertex is in the set, or whether a vertex has a colour.
    Element {
        /// The edge, or the vertex.
        element: usize,
        /// 1 for members of a set, or the colour.
        value: usize,
        /// Whether the element has the value.
        taken: bool,
    },
}

/// Bounds the size of a set: at most `most` edges, or vertices in a family of vertex sets.
pub fn at_most(most: usize) -> SubgraphConstraint {
    SubgraphConstraint::Size { least: 0, most }
}

/// Bounds the size of a set: at least `least` edges, or vertices in a family of vertex sets.
pub fn at_least(least: usize) -> SubgraphConstraint {
    SubgraphConstraint::Size { least, most: usize::MAX }
}

/// Fixes the size of a set: `count` edges, or vertices in a family of vertex sets.
pub fn exactly(count: usize) -> SubgraphConstraint {
    SubgraphConstraint::Size { least: count, most: count }
}

/// Bounds the cost of a set: the sum of the weights of its edges, or vertices, is at most `most`.
pub fn cost_at_most(weights: impl Into<Vec<i64>>, most: i64) -> SubgraphConstraint {
    SubgraphConstraint::Weight { weights: weights.into(), least: i64::MIN, most }
}

/// Bounds the cost of a set: the sum of the weights of its edges, or vertices, is at least `least`.
pub fn cost_at_least(weights: impl Into<Vec<i64>>, least: i64) -> SubgraphConstraint {
    SubgraphConstraint::Weight { weights: weights.into(), least, most: i64::MAX }
}

/// Keeps the sets without an edge at `vertex`.
pub fn avoid(vertex: usize) -> SubgraphConstraint {
    SubgraphConstraint::Degree { vertices: vec![vertex], degrees: Degrees::from(0) }
}

/// Keeps the sets with an edge at `vertex`.
#[doc(alias("steiner_cycles", "steiner_paths"))]
pub fn through(vertex: usize) -> SubgraphConstraint {
    SubgraphConstraint::Degree { vertices: vec![vertex], degrees: Degrees::from(1..) }
}
