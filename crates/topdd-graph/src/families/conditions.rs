//! The conditions of a family, and the constraints on its edge sets.

use super::composite::{Composite, CompositePlan, TotalDegrees};
use super::cut::{Bipartite, CutRule, Cuts};
use super::degrees::{Degrees, Distribution};
use super::graph_sets::Unit;
use super::partition::{Partition, PartitionRule};
use super::vertex_sets::{self, ColourPart, VertexPart};
use super::{FamilyError, all_of, check_length, paths};
use crate::Graph;
use crate::path_problem::PathRule;
use std::ops::RangeInclusive;
use topdd::Frontier;
use topdd::spec::ArraySpec;

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
    fn is_of_paths(&self) -> bool {
        matches!(self, EdgePart::Paths(_))
    }

    /// Whether the condition depends on the directions of edges.
    fn follows_directions(&self) -> bool {
        match self {
            EdgePart::Paths(_) => true,
            EdgePart::Rules(Rules { degrees: [_, out, into], .. }) => {
                !(out.is_empty() && into.is_empty())
            }
            _ => false,
        }
    }

    /// Whether the condition depends on the ends of edges, and not only on the vertices without an edge.
    fn depends_on_ends(&self) -> bool {
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
                let plan = CompositePlan::new(graph, rules, order);
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
    /// The allowed numbers of edge ends at a vertex, in and out; a loop has two.
    Degree {
        /// The vertex.
        vertex: usize,
        /// Its allowed degrees.
        degrees: Degrees,
    },
    /// The allowed numbers of edges out of a vertex of a directed graph.
    OutDegree {
        /// The vertex.
        vertex: usize,
        /// Its allowed degrees.
        degrees: Degrees,
    },
    /// The allowed numbers of edges into a vertex of a directed graph.
    InDegree {
        /// The vertex.
        vertex: usize,
        /// Its allowed degrees.
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
    SubgraphConstraint::Degree { vertex, degrees: Degrees::from(0) }
}

/// Keeps the sets with an edge at `vertex`.
#[doc(alias("steiner_cycles", "steiner_paths"))]
pub fn through(vertex: usize) -> SubgraphConstraint {
    SubgraphConstraint::Degree { vertex, degrees: Degrees::from(1..) }
}

/// The connectivity that a rule asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// None.
    Any,
    /// All vertices are in one component.
    All,
    /// The vertices of each group are in one component, and vertices of different groups in different
    /// ones.
    Of(Vec<Vec<usize>>),
}

/// A bound on the sum of the weights of the edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinearRule {
    pub(super) weights: Vec<i64>,
    pub(super) least: i128,
    pub(super) most: i128,
}

/// Rules that an edge set must follow, all of them.
// Each is a rule of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) acyclic: bool,
    pub(super) groups: Groups,
    /// Whether all edges, and the vertices of the first group, are in one component.
    pub(super) single: bool,
    /// Whether there must be an edge.
    pub(super) nonempty: bool,
    /// Whether each component must contain a vertex of a group.
    pub(super) covered: bool,
    /// The allowed degrees, in all, out and in, by vertex; an empty list allows any.
    pub(super) degrees: [Vec<Degrees>; 3],
    pub(super) linear: Vec<LinearRule>,
    /// The edges that must be taken or left.
    pub(super) fixed: Vec<(usize, bool)>,
}

impl Rules {
    /// No rules.
    pub(super) const NONE: Self = Self {
        acyclic: false,
        groups: Groups::Any,
        single: false,
        nonempty: false,
        covered: false,
        degrees: [const { Vec::new() }; 3],
        linear: Vec::new(),
        fixed: Vec::new(),
    };

    /// The rules of both; `None` if no single sweep can check them.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let says_nothing = |rules: &Self| {
            rules.groups == Groups::Any && !rules.single && !rules.covered && !rules.nonempty
        };
        let connectivity = match (says_nothing(self), says_nothing(other)) {
            (_, true) => self,
            (true, _) => other,
            _ => return None,
        };
        let both = |kind: usize| match (&self.degrees[kind], &other.degrees[kind]) {
            (list, empty) | (empty, list) if empty.is_empty() => list.clone(),
            (a, b) => a.iter().zip(b).map(|(a, b)| a.and(b)).collect(),
        };
        Some(Self {
            acyclic: self.acyclic || other.acyclic,
            groups: connectivity.groups.clone(),
            single: connectivity.single,
            nonempty: connectivity.nonempty,
            covered: connectivity.covered,
            degrees: [both(0), both(1), both(2)],
            linear: self.linear.iter().chain(&other.linear).cloned().collect(),
            fixed: self.fixed.iter().chain(&other.fixed).copied().collect(),
        })
    }
}
