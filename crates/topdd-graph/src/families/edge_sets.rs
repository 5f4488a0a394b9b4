//! A family of edge sets: a graph, rules, and the order of the variables.

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use topdd::spec::ArraySpec;
use topdd::{BigUint, BoxedSpec, Frontier};

use super::bipartite::Bipartite;
use super::composite::{Composite, Plan, TotalDegrees};
use super::constraint::SubgraphConstraint;
use super::cut::Cuts;
use super::degrees::Degrees;
use super::distribution::Distribution;
use super::partition::{Partition, PartitionRule};
use super::rules::{LinearRule, Rules};
use super::{EdgeSetDiagram, FamilyError, Order, check_length};
use crate::Graph;
use crate::path_problem::PathRule;

/// A family of edge sets of a graph. See the [module](super).
///
/// Errors in the parameters of a family are returned when a spec is made.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{EdgeSets, Order, at_most};
///
/// let small = EdgeSets::all(&Graph::cycle(5)).and(at_most(1)).order(Order::Given);
/// assert_eq!(small.count()?, 6u32.into());
/// assert_eq!(small.edge_order()?, [0, 1, 2, 3, 4]);
/// assert_eq!(topdd::count(&small.spec()?)?, 6u32.into());
/// assert_eq!(small.frontier()?.threads(1).count()?, 6u32.into());
/// assert_eq!((small.zdd()?.count(), small.graph().num_edges()), (6u32.into(), 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EdgeSets {
    graph: Arc<Graph>,
    /// All of them must hold.
    parts: Vec<Part>,
    order: Order,
    /// The order that was chosen for [`Order::Auto`].
    chosen: OnceLock<Vec<usize>>,
    error: Option<FamilyError>,
}

/// One of the conditions of a family.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Rules(Rules),
    Paths(PathRule),
    Partition(PartitionRule),
    Cuts,
    Bipartite,
    /// Bounds on the number of vertices of each degree, from 0 on.
    Distribution(Vec<RangeInclusive<usize>>),
}

/// A condition to combine with a family: another family of the same graph, or a constraint.
#[derive(Clone, Debug)]
pub enum EdgeCondition {
    /// A family.
    Family(EdgeSets),
    /// A constraint.
    Constraint(SubgraphConstraint),
}

impl From<EdgeSets> for EdgeCondition {
    fn from(family: EdgeSets) -> Self {
        Self::Family(family)
    }
}

impl From<SubgraphConstraint> for EdgeCondition {
    fn from(constraint: SubgraphConstraint) -> Self {
        Self::Constraint(constraint)
    }
}

impl Part {
    /// Makes a sweep over the condition alone.
    pub(super) fn frontier(
        &self,
        graph: &Graph,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        Ok(match self {
            Part::Rules(rules) => {
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
            Part::Paths(_) => unreachable!("`frontier_of_paths` makes the specs of paths"),
            Part::Partition(rule) => {
                let spec = Partition::new(graph, rule, order)?;
                if spec.sums_overflow {
                    return Err(FamilyError::WeightsTooLarge);
                }
                check_length(&spec, spec.num_slots())?;
                Frontier::of_boxed(spec.boxed())
            }
            Part::Cuts => Frontier::of_boxed(Cuts::new(graph, order)?.boxed()),
            Part::Bipartite => {
                let spec = Bipartite::new(graph, order);
                check_length(&spec, spec.num_slots())?;
                Frontier::of_boxed(spec.boxed())
            }
            Part::Distribution(bounds) => {
                let spec = Distribution::new(graph, bounds, order);
                check_length(&spec, spec.num_slots())?;
                Frontier::of_boxed(spec.boxed())
            }
        })
    }
}

impl EdgeSets {
    /// Returns all edge sets of a graph.
    pub fn all(graph: &Graph) -> Self {
        Self::from_part(graph, Part::Rules(Rules::NONE))
    }

    pub(super) fn from_part(graph: &Graph, part: Part) -> Self {
        let graph = Arc::new(graph.clone());
        Self { graph, parts: vec![part], order: Order::Auto, chosen: OnceLock::new(), error: None }
    }

    pub(super) fn with_rules(graph: &Graph, rules: Rules) -> Self {
        Self::from_part(graph, Part::Rules(rules))
    }

    /// The family if there is no error.
    pub(super) fn checked(mut self, check: Result<(), FamilyError>) -> Self {
        self.error = self.error.or(check.err());
        self
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Keeps the edge sets that are also in another family of the same graph, or that satisfy a
    /// constraint.
    ///
    /// Constraints, and rules that one sweep can check together, cost no more than their part of
    /// the state. Other families are combined as pairs of states, which costs more time for
    /// each state.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::{at_most, avoid, connected_edge_sets, matchings};
    ///
    /// let grid = Graph::grid(3, 3);
    /// assert_eq!(connected_edge_sets(&grid).and(at_most(2)).and(avoid(4)).count()?, 16u32.into());
    /// assert_eq!(connected_edge_sets(&grid).and(matchings(&grid)).count()?, 12u32.into());
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn and(mut self, condition: impl Into<EdgeCondition>) -> Self {
        match condition.into() {
            EdgeCondition::Family(other) => {
                if !Arc::ptr_eq(&self.graph, &other.graph) && self.graph != other.graph {
                    return self.checked(Err(FamilyError::DifferentGraphs));
                }
                other.parts.into_iter().for_each(|part| self.add(part));
                self.checked(other.error.map_or(Ok(()), Err))
            }
            EdgeCondition::Constraint(constraint) => match self.rules_of(constraint) {
                Ok(rules) => {
                    self.add(Part::Rules(rules));
                    self
                }
                Err(error) => self.checked(Err(error)),
            },
        }
    }

    /// Adds a part, joined with another one if one sweep can check both.
    fn add(&mut self, part: Part) {
        self.chosen = OnceLock::new();
        if let Part::Rules(new) = &part {
            for old in &mut self.parts {
                if let Part::Rules(rules) = old
                    && let Some(both) = rules.and(new)
                {
                    *rules = both;
                    return;
                }
            }
        }
        self.parts.push(part);
    }

    fn rules_of(&self, constraint: SubgraphConstraint) -> Result<Rules, FamilyError> {
        let (vertices, edges) = (self.graph.num_vertices(), self.graph.num_edges());
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
            SubgraphConstraint::Edge { edge, taken } => {
                if edge >= edges {
                    return Err(FamilyError::EdgeOutOfRange { edge, edges });
                }
                rules.fixed.push((edge, taken));
            }
            SubgraphConstraint::Degree { vertex, degrees } => {
                rules.degrees[0] = one_degree(vertices, vertex, degrees)?;
            }
            SubgraphConstraint::OutDegree { vertex, degrees }
            | SubgraphConstraint::InDegree { vertex, degrees }
                if !self.graph.is_directed() =>
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
        Ok(rules)
    }

    /// Sets the order of the variables; [`Order::Auto`] is the default.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Returns the order of the variables: variable `i` of specs and diagrams is edge `order[i]`. The
    /// first call chooses the order of [`Order::Auto`], by the beginnings of several sweeps.
    ///
    /// # Errors
    ///
    /// [`FamilyError::BadOrder`] for a custom order that is no permutation.
    pub fn edge_order(&self) -> Result<Vec<usize>, FamilyError> {
        if self.order == Order::Auto {
            return Ok(self.chosen.get_or_init(|| self.choose_order()).clone());
        }
        self.order.of(&self.graph)
    }

    /// Makes the spec, to combine it with others, to search it, or to check it. Its variables are
    /// in the order of [`edge_order`](EdgeSets::edge_order). It takes the time of `edge_order`.
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] for wrong parameters, or if the frontier is too wide.
    pub fn spec(&self) -> Result<BoxedSpec<'static>, FamilyError> {
        Ok(self.frontier()?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before building or
    /// counting. Its variables are in the order of [`edge_order`](EdgeSets::edge_order).
    ///
    /// # Errors
    ///
    /// As for [`spec`](EdgeSets::spec).
    pub fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        self.frontier_in(&self.edge_order()?)
    }

    /// Counts the edge sets, without a diagram: one sweep, whose states
    /// [`predict`](EdgeSets::predict) estimates.
    ///
    /// # Errors
    ///
    /// As for [`spec`](EdgeSets::spec), and [`FamilyError::Build`] if the sweep fails.
    pub fn count(&self) -> Result<BigUint, FamilyError> {
        Ok(self.frontier()?.count()?)
    }

    /// Builds the diagram of all edge sets: one sweep and a reduction, whose size
    /// [`predict`](EdgeSets::predict) estimates.
    ///
    /// # Errors
    ///
    /// As for [`count`](EdgeSets::count).
    pub fn zdd(&self) -> Result<EdgeSetDiagram, FamilyError> {
        let order = self.edge_order()?;
        let zdd = self.frontier_in(&order)?.zdd()?;
        Ok(EdgeSetDiagram::new(self.graph.clone(), zdd, order))
    }

    /// Makes a sweep over all parts, in an order of the edges.
    pub(super) fn frontier_in(&self, order: &[usize]) -> Result<Frontier<'static>, FamilyError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if self.has_paths() {
            return self.frontier_of_paths(order);
        }
        let frontier = |part: &Part| part.frontier(&self.graph, order);
        if let [part] = &self.parts[..] {
            return frontier(part);
        }
        let spec = |part| Ok(frontier(part)?.into_spec()?);
        let specs: Result<Vec<_>, FamilyError> = self.parts.iter().map(spec).collect();
        Ok(Frontier::of(topdd::all(specs?)))
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
