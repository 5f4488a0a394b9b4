//! A family of a graph: its conditions, and the order of its variables.

use super::bounded_paths::BoundedPaths;
use super::conditions::EdgePart;
use super::order::{choose_order, family_bits, family_estimate};
use super::parts::{PartList, Parts};
use super::rules::Bounds;
use super::vertex_sets::VertexPart;
use super::{FamilyError, Order, SubgraphConstraint, paths};
use crate::Graph;
use crate::kind::{Any, Colours, Edges, OfSets, Unit, Vertices};
use crate::order::frontier_widths;
use crate::path_problem::PathRule;
use crate::predict::{PilotLimit, Prediction, predict_by};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};
use topdd::{BoxedSpec, Frontier};

/// A family of edge sets of a graph, such as [`forests`](super::forests).
pub type EdgeSets = GraphSets<Edges>;

/// A family of vertex sets of an undirected graph, such as [`independent_sets`](super::independent_sets).
/// Parallel edges count as one.
pub type VertexSets = GraphSets<Vertices>;

/// The [`colourings`](super::colourings) of the vertices of an undirected graph.
pub type Colourings = GraphSets<Colours>;

/// A family of solutions on a graph: [`EdgeSets`], [`VertexSets`] or [`Colourings`]. See the [module](super).
///
/// The elements of a family are the edges or the vertices of the graph, numbered as in the graph.
/// Errors in the parameters of a family are returned when a spec is made.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{EdgeSets, Order, VertexSets, at_most, dominating_sets, independent_sets};
///
/// let small = EdgeSets::all(&Graph::cycle(5)).and(at_most(1)).order(Order::Given);
/// assert_eq!(small.count()?, 6u32.into());
/// assert_eq!(small.element_order()?, [0, 1, 2, 3, 4]);
/// assert_eq!(topdd::count(&small.spec()?)?, 6u32.into());
/// assert_eq!(small.frontier()?.threads(1).count()?, 6u32.into());
/// assert_eq!((small.zdd()?.count(), small.graph().num_edges()), (6u32.into(), 5));
///
/// // Independent dominating sets, which are the maximal independent sets.
/// let petersen = Graph::named("petersen").unwrap();
/// let kernels = independent_sets(&petersen).and(dominating_sets(&petersen));
/// assert_eq!(kernels.count()?, 15u32.into());
/// assert_eq!(VertexSets::all(&petersen).and(at_most(2)).count()?, 56u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphSets<G = Any> {
    pub(super) graph: Arc<Graph>,
    pub(super) parts: Parts,
    order: Order,
    /// The order that was chosen for [`Order::Auto`].
    chosen: OnceLock<Vec<usize>>,
    error: Option<FamilyError>,
    kind: PhantomData<G>,
}

/// A condition to combine with a family: another family of the same graph, or a constraint.
#[derive(Clone, Debug)]
pub enum Condition<G> {
    /// A family.
    Family(GraphSets<G>),
    /// A constraint. Vertex sets take those on the size and the weight.
    Constraint(SubgraphConstraint),
}

impl<G> From<GraphSets<G>> for Condition<G> {
    fn from(family: GraphSets<G>) -> Self {
        Self::Family(family)
    }
}

impl<G> From<SubgraphConstraint> for Condition<G> {
    fn from(constraint: SubgraphConstraint) -> Self {
        Self::Constraint(constraint)
    }
}

impl EdgeSets {
    /// Returns all edge sets of a graph.
    pub fn all(graph: &Graph) -> Self {
        Self::new(graph, PartList::Edges(Vec::new()))
    }

    pub(super) fn from_part(graph: &Graph, part: EdgePart) -> Self {
        Self::new(graph, PartList::Edges(vec![part]))
    }

    /// The conditions that the sets are paths or cycles.
    pub(super) fn path_rules(&self) -> impl Iterator<Item = &PathRule> {
        let PartList::Edges(parts) = &self.parts.list else {
            unreachable!("edge sets have parts on edges")
        };
        parts.iter().filter_map(|part| match part {
            EdgePart::Paths(rule) => Some(rule),
            _ => None,
        })
    }

    /// The condition that the sets are paths or cycles, if it is the only one.
    pub(super) fn only_path_rule(&self) -> Result<PathRule, FamilyError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        match (&self.parts.list, &self.parts.bounds) {
            (PartList::Edges(parts), bounds) if *bounds == Bounds::NONE => match parts[..] {
                [EdgePart::Paths(rule)] => Ok(rule),
                _ => Err(FamilyError::NotPaths),
            },
            _ => Err(FamilyError::NotPaths),
        }
    }
}

impl VertexSets {
    /// Returns all sets of vertices of a graph.
    pub fn all(graph: &Graph) -> Self {
        Self::new(graph, PartList::Vertices(Vec::new()))
    }

    pub(super) fn from_part(graph: &Graph, part: VertexPart) -> Self {
        Self::new(graph, PartList::Vertices(vec![part]))
    }
}

impl Colourings {
    pub(super) fn with_colours(graph: &Graph, colours: usize) -> Self {
        Self::new(graph, PartList::Colours(colours))
    }

    /// Returns the number of colours.
    pub fn colours(&self) -> usize {
        match self.parts.list {
            PartList::Colours(colours) => colours,
            PartList::Edges(_) | PartList::Vertices(_) => unreachable!("colourings have colours"),
        }
    }

    /// Keeps the colourings in which vertices have these colours, as pairs of a vertex and a colour.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::colourings};
    ///
    /// let square = Graph::cycle(4);
    /// assert_eq!(colourings(&square, 3).with([(0, 0), (2, 1)]).count()?, 1u32.into());
    /// assert_eq!(colourings(&square, 3).without([(0, 0), (0, 1)]).count()?, 6u32.into());
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn with(self, colours: impl IntoIterator<Item = (usize, usize)>) -> Self {
        colours.into_iter().fold(self, |family, (vertex, colour)| family.fix(vertex, colour, true))
    }

    /// Keeps the colourings in which no vertex has the colour it is paired with.
    pub fn without(self, colours: impl IntoIterator<Item = (usize, usize)>) -> Self {
        colours.into_iter().fold(self, |family, (vertex, colour)| family.fix(vertex, colour, false))
    }
}

impl<G: OfSets> GraphSets<G> {
    /// Keeps the sets that contain all these edges, or vertices.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::{independent_sets, matchings};
    ///
    /// let path = Graph::path(5);
    /// assert_eq!(independent_sets(&path).with([0]).without([4]).count()?, 3u32.into());
    /// assert_eq!(matchings(&path).with([0]).without([3]).count()?, 2u32.into()); // the third edge, or not
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn with(self, elements: impl IntoIterator<Item = usize>) -> Self {
        elements.into_iter().fold(self, |family, element| family.fix(element, 1, true))
    }

    /// Keeps the sets that contain none of the edges, or vertices.
    pub fn without(self, elements: impl IntoIterator<Item = usize>) -> Self {
        elements.into_iter().fold(self, |family, element| family.fix(element, 1, false))
    }

    /// Keeps the sets that are also in another family of the same graph, or that satisfy a constraint.
    ///
    /// Constraints, and rules that one sweep can check together, cost no more than their part of
    /// the state. Other families are combined as pairs of states, which costs more time for
    /// each state.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::{at_least, at_most, avoid, cliques, connected_edge_sets, dominating_sets};
    ///
    /// let grid = Graph::grid(3, 3);
    /// assert_eq!(connected_edge_sets(&grid).and(at_most(2)).and(avoid(4)).count()?, 16u32.into());
    /// let king = Graph::king(3, 3);
    /// assert_eq!(cliques(&king).and(dominating_sets(&king)).and(at_least(4)).count()?, 4u32.into());
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn and(self, condition: impl Into<Condition<G>>) -> Self {
        match condition.into() {
            Condition::Family(other) => {
                if !Arc::ptr_eq(&self.graph, &other.graph) && self.graph != other.graph {
                    return self.checked(Err(FamilyError::DifferentGraphs));
                }
                let mut check = Ok(());
                let both = self.with_parts(|parts| check = parts.extend(other.parts));
                both.checked(other.error.map_or(Ok(()), Err)).checked(check)
            }
            Condition::Constraint(constraint) => self.constrained(constraint),
        }
    }
}

impl<G> GraphSets<G> {
    fn new(graph: &Graph, list: PartList) -> Self {
        let parts = Parts::from(list);
        // Vertex sets and colourings are of undirected graphs.
        let check = if parts.unit() == Unit::Edge { Ok(()) } else { graph.check_undirected() };
        Self {
            graph: Arc::new(graph.clone()),
            parts,
            order: Order::Auto,
            chosen: OnceLock::new(),
            error: check.err().map(FamilyError::Graph),
            kind: PhantomData,
        }
    }

    /// Requires a value of an element, or forbids it.
    fn fix(self, element: usize, value: usize, taken: bool) -> Self {
        self.constrained(SubgraphConstraint::Element { element, value, taken })
    }

    fn constrained(self, constraint: SubgraphConstraint) -> Self {
        let graph = self.graph.clone();
        let mut check = Ok(());
        let family = self.with_parts(|parts| check = parts.constrain(&graph, constraint));
        family.checked(check)
    }

    /// The family with other conditions. The order is chosen anew.
    fn with_parts(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(&mut self.parts);
        self.chosen = OnceLock::new();
        self
    }

    /// The family if there is no error.
    pub(super) fn checked(mut self, check: Result<(), FamilyError>) -> Self {
        self.error = self.error.or(check.err());
        self
    }

    /// Forgets at compile time whether the family is of edge sets, vertex sets or colourings, so that a
    /// program can decide at run time which of them it sweeps. A combination with a family or a constraint for other
    /// elements is then an error of the family, which [`check`](GraphSets::check) returns.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::{FamilyError, Unit, at_most, cliques, colourings, forests};
    ///
    /// let square = Graph::cycle(4);
    /// for family in [forests(&square).into_any(), colourings(&square, 3).into_any()] {
    ///     let count = if family.unit() == Unit::Edge { 15u32 } else { 18 };
    ///     assert_eq!(family.count()?, count.into());
    /// }
    /// let small = forests(&square).into_any().and(at_most(1));
    /// assert_eq!(small.count()?, 5u32.into());
    /// assert_eq!(small.and(cliques(&square).into_any()).check(), Err(FamilyError::DifferentKinds));
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn into_any(self) -> GraphSets {
        let Self { graph, parts, order, chosen, error, kind: _ } = self;
        GraphSets { graph, parts, order, chosen, error, kind: PhantomData }
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(super) fn shared_graph(&self) -> Arc<Graph> {
        self.graph.clone()
    }

    /// Returns what a variable stands for.
    pub fn unit(&self) -> Unit {
        self.parts.unit()
    }

    /// Returns the number of conditions that the sets satisfy: it grows with each combined family and constraint.
    pub fn num_conditions(&self) -> usize {
        self.parts.num_conditions()
    }

    /// Sets the order of the variables; [`Order::Auto`] is the default. A custom order is one of the
    /// elements.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self.chosen = OnceLock::new();
        self
    }

    /// Returns the order of the variables: variable `i` of specs and diagrams is element `order[i]`. The
    /// first call chooses the order of [`Order::Auto`], by the beginnings of several sweeps.
    ///
    /// # Errors
    ///
    /// [`FamilyError::BadOrder`] for a custom order that is no permutation.
    pub fn element_order(&self) -> Result<Vec<usize>, FamilyError> {
        if self.order != Order::Auto {
            return self.order.elements(&self.graph, self.unit());
        }
        if let Some(order) = self.chosen.get() {
            return Ok(order.clone());
        }
        let order = if self.check().is_err() {
            // The sweeps of this family fail.
            Order::Given.elements(&self.graph, self.unit())?
        } else {
            choose_order(&self.parts, &self.graph)?
        };
        Ok(self.chosen.get_or_init(|| order).clone())
    }

    /// Makes the spec, to combine it with others, to search it, or to check it. Its variables are
    /// in the order of [`element_order`](GraphSets::element_order), whose time it takes. Of colourings, a variable
    /// has one value per colour.
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] for wrong parameters, for a directed graph where an undirected one is needed, or if the
    /// frontier is too wide.
    pub fn spec(&self) -> Result<BoxedSpec<'static>, FamilyError> {
        Ok(self.frontier()?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before building or
    /// counting. Its variables are in the order of [`element_order`](GraphSets::element_order).
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](GraphSets::spec).
    pub fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        self.frontier_in(&self.element_order()?)
    }

    pub(super) fn frontier_in(&self, order: &[usize]) -> Result<Frontier<'static>, FamilyError> {
        self.check()?;
        self.parts.frontier(&self.graph, order)
    }

    /// Checks the parameters, and whether the family takes the graph, without a sweep. Linear time.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](GraphSets::spec), apart from the one for a wide frontier.
    pub fn check(&self) -> Result<(), FamilyError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if self.ignores_directions() { Ok(self.graph.check_directions()?) } else { Ok(()) }
    }

    /// Returns whether the graph is directed and the sets do not depend on directions. Such a family fails if two edges
    /// join the same vertices in opposite directions.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::{arborescences, spanning_trees};
    ///
    /// let one_way = Graph::directed(3, [(0, 1), (1, 2), (0, 2)])?;
    /// assert!(spanning_trees(&one_way).ignores_directions());
    /// assert!(!arborescences(&one_way, 0).ignores_directions());
    /// # Ok::<(), topdd_graph::GraphError>(())
    /// ```
    pub fn ignores_directions(&self) -> bool {
        self.graph.is_directed() && self.parts.ignore_directions()
    }

    /// Returns a faster way to count, if the family is the paths with a bound on their edges, between two vertices of an
    /// undirected graph or between any two, without other conditions. It takes graphs without parallel edges, of at most 2015
    /// vertices on short enough paths.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::{at_most, paths};
    ///
    /// let short = paths(&Graph::grid(8, 8), 0, 63).and(at_most(18));
    /// assert_eq!(short.bounded_paths().unwrap().count()?, 178_044u32.into());
    /// assert!(paths(&Graph::grid(8, 8), 0, 63).bounded_paths().is_none());
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn bounded_paths(&self) -> Option<BoundedPaths> {
        let PartList::Edges(parts) = &self.parts.list else { return None };
        if self.error.is_some() || self.graph.is_directed() {
            return None;
        }
        let (ends, length) = paths::bounded_paths(parts, &self.parts.bounds)?;
        BoundedPaths::new(&self.graph, ends, length).ok().filter(BoundedPaths::fits)
    }

    /// Predicts states, memory and time of a sweep from its first states and the frontier of its
    /// order.
    ///
    /// Expands about a fortieth of the states, but at least half a million, and takes at most half a second by
    /// default; see [`predict`](crate::predict::predict()).
    ///
    /// # Errors
    ///
    /// The errors of [`count`](GraphSets::count).
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::spanning_trees;
    /// use topdd_graph::predict::PilotLimit;
    ///
    /// let trees = spanning_trees(&Graph::grid(5, 5));
    /// let prediction = trees.predict(PilotLimit::default())?;
    /// assert!(prediction.is_exact && prediction.states < 10_000.0);
    /// assert_eq!(trees.frontier_bits()?.len(), 40); // one for each edge
    /// assert_eq!(trees.max_frontier()?, 5);
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn predict(&self, limit: PilotLimit) -> Result<Prediction, FamilyError> {
        let (frontier, order) = (self.frontier()?, self.element_order()?);
        let estimate = || family_estimate(&self.parts, &self.graph, &order);
        Ok(predict_by(frontier, order.len(), estimate, limit)?)
    }

    /// Returns log2 of the estimated states before each variable, which takes no sweep: the states of the frontier,
    /// and the sums of weights that have bounds. Mostly far too many: [`predict`](GraphSets::predict) is
    /// better.
    ///
    /// # Errors
    ///
    /// The errors of [`element_order`](GraphSets::element_order).
    pub fn frontier_bits(&self) -> Result<Vec<f64>, FamilyError> {
        Ok(family_bits(&self.parts, &self.graph, &self.element_order()?))
    }

    /// Returns the largest number of vertices on the frontier at once, in the order of the family.
    ///
    /// # Errors
    ///
    /// The errors of [`element_order`](GraphSets::element_order).
    pub fn max_frontier(&self) -> Result<usize, FamilyError> {
        let widths = frontier_widths(&self.graph, self.unit(), &self.element_order()?);
        Ok(widths.into_iter().max().unwrap_or(0))
    }
}
