//! The conditions of edge sets.

use std::ops::RangeInclusive;

use topdd::Frontier;
use topdd::spec::ArraySpec;

use super::bipartite::Bipartite;
use super::composite::{Composite, Plan, TotalDegrees};
use super::constraint::SubgraphConstraint;
use super::cut::{CutRule, Cuts};
use super::degrees::Degrees;
use super::distribution::Distribution;
use super::partition::{Partition, PartitionRule};
use super::rules::{Groups, LinearRule, Rules};
use super::{FamilyError, check_length};
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
    /// Holds for every set.
    pub(super) const ANY: EdgePart = EdgePart::Rules(Rules::NONE);

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

    pub(super) fn num_conditions(&self) -> usize {
        match self {
            EdgePart::Rules(rules) => 1 + rules.linear.len() + rules.fixed.len(),
            _ => 1,
        }
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

    /// The condition of a constraint.
    pub(super) fn constraint(
        graph: &Graph,
        constraint: SubgraphConstraint,
    ) -> Result<Self, FamilyError> {
        let (vertices, edges) = (graph.num_vertices(), graph.num_edges());
        let mut rules = Rules::NONE;
        match constraint {
            SubgraphConstraint::Size { least, most } => rules.linear.push(LinearRule {
                weights: vec![1; edges],
                least: least as i128,
                most: most as i128,
            }),
            SubgraphConstraint::Weight { weights, least, most } => {
                let given = weights.len();
                if given != edges {
                    let what = "weights of edges";
                    return Err(FamilyError::WrongLength { what, given, needed: edges });
                }
                rules.linear.push(LinearRule { weights, least: least.into(), most: most.into() });
            }
            SubgraphConstraint::Element { element: edge, value, taken } => {
                if edge >= edges {
                    return Err(FamilyError::EdgeOutOfRange { edge, edges });
                }
                rules.fixed.push((edge, taken == (value == 1)));
            }
            SubgraphConstraint::Degree { vertex, degrees } => {
                rules.degrees[0] = one_degree(vertices, vertex, degrees)?;
            }
            SubgraphConstraint::OutDegree { vertex, degrees }
            | SubgraphConstraint::InDegree { vertex, degrees }
                if !graph.is_directed() =>
            {
                let _ = (vertex, degrees);
                return Err(FamilyError::Undirected { family: "out- and in-degrees" });
            }
            SubgraphConstraint::OutDegree { vertex, degrees } => {
                rules.degrees[1] = one_degree(vertices, vertex, degrees)?;
            }
            SubgraphConstraint::InDegree { vertex, degrees } => {
                rules.degrees[2] = one_degree(vertices, vertex, degrees)?;
            }
        }
        Ok(EdgePart::Rules(rules))
    }

    /// Makes a sweep over the condition alone.
    pub(super) fn frontier(
        &self,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        Ok(match self {
            EdgePart::Rules(rules) => {
                let plan = Plan::new(graph, rules, order);
                if plan.sums_overflow() {
                    return Err(FamilyError::WeightsTooLarge);
                }
                let spec = Composite::new(plan)?;
                check_length(&spec, spec.num_slots())?;
                match TotalDegrees::from_rules(&spec) {
                    Some(spec) => Frontier::of_arrays(spec),
                    None => Frontier::of_arrays(spec),
                }
            }
            EdgePart::Paths(_) => unreachable!("`paths::frontier` makes the specs of paths"),
            EdgePart::Partition(rule) => {
                let spec = Partition::new(graph, rule, order)?;
                if spec.sums_overflow {
                    return Err(FamilyError::WeightsTooLarge);
                }
                check_length(&spec, spec.num_slots())?;
                Frontier::of_boxed(spec.boxed())
            }
            EdgePart::Cuts(rule) => Frontier::of_boxed(Cuts::new(graph, *rule, order)?.boxed()),
            EdgePart::Bipartite => {
                let spec = Bipartite::new(graph, order);
                check_length(&spec, spec.num_slots())?;
                Frontier::of_boxed(spec.boxed())
            }
            EdgePart::Distribution(bounds) => {
                let spec = Distribution::new(graph, bounds, order);
                check_length(&spec, spec.num_slots())?;
                Frontier::of_boxed(spec.boxed())
            }
        })
    }
}

/// The allowed degrees of all vertices: the given ones of one vertex, and any of the others.
fn one_degree(
    vertices: usize,
    vertex: usize,
    degrees: Degrees,
) -> Result<Vec<Degrees>, FamilyError> {
    if vertex >= vertices {
        return Err(FamilyError::VertexOutOfRange { vertex, vertices });
    }
    let mut all = vec![Degrees::any(); vertices];
    all[vertex] = degrees;
    Ok(all)
}
