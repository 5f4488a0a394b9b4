//! Families of vertex sets, and colourings, by a sweep over the vertices.
//!
//! A decided vertex is on the frontier until all its neighbours are decided. The state has, for each
//! vertex of the frontier: one bit (independent sets, vertex covers), two bits (dominating sets), its
//! component (connected sets), or its colour.

mod cliques;
mod colourings;
mod connected;
mod packed;
mod schedule;
mod subsets;
#[cfg(test)]
mod tests;

pub use colourings::{ColouringDiagram, Colourings, colourings};
pub use subsets::{BestVertexSet, VertexSetDiagram, VertexSetsIter};

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use topdd::spec::{ArraySpec, Automaton, Unrolled};
use topdd::{BigUint, BoxedSpec, Frontier, SpecExt, constraint};

use self::cliques::{Cliques, smallest_first};
use self::connected::Connected;
use self::packed::{Packed, Rule};
use self::schedule::Schedule;
use super::rules::LinearRule;
use super::{FamilyError, Order, SubgraphConstraint, check_length};
use crate::order::Cost;
use crate::{Graph, GraphError};

/// A family of vertex sets of an undirected graph, such as [`independent_sets`].
///
/// Parallel edges count as one. Errors in the parameters of a family, and a directed graph, are
/// returned when a spec is made.
///
/// | method | result |
/// | --- | --- |
/// | [`count`](VertexSets::count) | the number of vertex sets, without a diagram |
/// | [`zdd`](VertexSets::zdd) | all of them, as [`VertexSetDiagram`] |
/// | [`frontier`](VertexSets::frontier) | a sweep: limits, threads, files, checkpoints, progress |
/// | [`spec`](VertexSets::spec) | a spec, to combine with others |
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{Order, VertexSets, at_most, dominating_sets, independent_sets};
///
/// let petersen = Graph::named("petersen").unwrap();
/// assert_eq!(independent_sets(&petersen).count()?, 76u32.into());
/// // Independent dominating sets, which are the maximal independent sets.
/// let kernels = independent_sets(&petersen).and(dominating_sets(&petersen));
/// assert_eq!(kernels.count()?, 15u32.into());
/// let small = kernels.and(at_most(3)).zdd()?;
/// assert_eq!(small.count(), 10u32.into());
/// assert!(small.iter().all(|vertices| vertices.len() == 3));
///
/// let pairs = VertexSets::all(&petersen).and(at_most(2)).order(Order::Given);
/// assert_eq!(pairs.vertex_order()?, (0..pairs.graph().num_vertices()).collect::<Vec<_>>());
/// assert_eq!(topdd::count(&pairs.spec()?)?, 56u32.into());
/// assert_eq!(pairs.frontier()?.threads(1).count()?, 56u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct VertexSets {
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
enum Part {
    Rule(Rule),
    /// Independent at this distance.
    Distance(usize),
    Connected {
        dominating: bool,
    },
    Cliques,
    Size(RangeInclusive<usize>),
    Weight {
        weights: Vec<i64>,
        range: RangeInclusive<i64>,
    },
    /// Vertices that are members, or are none.
    Fixed(Vec<(usize, bool)>),
}

/// A condition to combine with a family of vertex sets: another family of the same graph, or a
/// constraint on the number of vertices ([`at_most`](super::at_most), ..) or on the sum of
/// their weights ([`SubgraphConstraint::Weight`]).
#[derive(Clone, Debug)]
pub enum VertexCondition {
    /// A family.
    Family(VertexSets),
    /// A constraint.
    Constraint(SubgraphConstraint),
}

impl From<VertexSets> for VertexCondition {
    fn from(family: VertexSets) -> Self {
        Self::Family(family)
    }
}

impl From<SubgraphConstraint> for VertexCondition {
    fn from(constraint: SubgraphConstraint) -> Self {
        Self::Constraint(constraint)
    }
}

/// Returns the sets of vertices of which no two are neighbours, the empty set included. A vertex with a
/// loop is in none of them. The empty graph has one, the empty set.
///
/// The state has a bit for each vertex of the frontier (C. Bron and J. Kerbosch list the maximal ones,
/// CACM 16, 1973).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::independent_sets;
///
/// assert_eq!(independent_sets(&Graph::path(10)).count()?, 144u32.into()); // a Fibonacci number
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn independent_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, Part::Rule(Rule::Independent))
}

/// Returns the sets of vertices of which any two have distance at least `distance`: by 2, the
/// [independent sets](independent_sets); by 1 or 0, all sets. Vertices in different components are at
/// any distance. Loops do not matter beyond distance 2, where they are as for independent sets.
///
/// The state has a bit for each vertex of the frontier of the graph in which vertices closer than
/// `distance` are neighbours. Making it takes time linear in its edges, at most 16 million.
///
/// Reference: H. Eto, F. Guo and E. Miyano, *Distance-d independent set problems for bipartite and
/// chordal graphs*, J. Comb. Optim. 27, 2014.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::independent_sets_at_distance;
///
/// assert_eq!(independent_sets_at_distance(&Graph::path(6), 3).count()?, 13u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn independent_sets_at_distance(graph: &Graph, distance: usize) -> VertexSets {
    VertexSets::from_part(graph, Part::Distance(distance))
}

/// Returns the sets of vertices of which every two are neighbours, the empty set and single vertices
/// included. Loops do not matter. The empty graph has one, the empty set.
///
/// The state has the neighbours of all members that are still undecided; with the library's order,
/// at most as many as the degeneracy of the graph (D. W. Matula and L. L. Beck, *Smallest-last
/// ordering*, 1983).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::cliques;
///
/// assert_eq!(cliques(&Graph::king(8, 8)).count()?, 520u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn cliques(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, Part::Cliques)
}

/// Returns the sets of vertices such that each vertex is a member or has one as a neighbour. Loops do
/// not matter. The empty graph has one, the empty set.
///
/// The state has two bits for each vertex of the frontier: whether it is a member, and whether it is
/// dominated (C. Berge, *Theory of Graphs*, 1962).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::dominating_sets;
///
/// assert_eq!(dominating_sets(&Graph::cycle(6)).count()?, 39u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn dominating_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, Part::Rule(Rule::Dominating))
}

/// Returns the sets of vertices such that each vertex has a member as a neighbour. A vertex with a loop
/// is its own neighbour. There are none if a vertex is isolated; the empty graph has one, the empty
/// set.
///
/// The state is as for [`dominating_sets`] (E. J. Cockayne, R. M. Dawes and S. T. Hedetniemi, *Total
/// domination in graphs*, 1980).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::total_dominating_sets;
///
/// assert_eq!(total_dominating_sets(&Graph::cycle(4)).count()?, 9u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn total_dominating_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, Part::Rule(Rule::TotalDominating))
}

/// Returns the [dominating sets](dominating_sets) whose induced subgraph is connected, and not empty.
/// There are none in the empty graph and in disconnected ones.
///
/// The state has, for each vertex of the frontier, its component among the members, or whether it is
/// dominated (E. Sampathkumar and H. B. Walikar, *The connected domination number of a graph*, 1979).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::connected_dominating_sets;
///
/// // All, all but one, or all but two neighbours.
/// assert_eq!(connected_dominating_sets(&Graph::cycle(6)).count()?, 13u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn connected_dominating_sets(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, Part::Connected { dominating: true })
}

/// Returns the sets of vertices such that each edge has a member as an end: the complements of the
/// [independent sets](independent_sets) (T. Gallai, *Über extreme Punkt- und Kantenmengen*, 1959). A
/// vertex with a loop is in all of them. The empty graph has one, the empty set.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::vertex_covers;
///
/// let covers = vertex_covers(&Graph::named("petersen").unwrap()).zdd()?;
/// assert_eq!(covers.minimum()?.vertices.len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn vertex_covers(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, Part::Rule(Rule::Cover))
}

/// Returns the sets of vertices, not empty, whose induced subgraph is connected. The empty graph has
/// none.
///
/// The state has, for each vertex of the frontier, its component among the members (J. Kawahara,
/// T. Inoue, H. Iwashita and S. Minato, *Frontier-based search for enumerating all constrained
/// subgraphs with compressed representation*, IEICE Trans. Fundamentals E100-A, 2017).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::connected_induced_subgraphs;
///
/// assert_eq!(connected_induced_subgraphs(&Graph::path(9)).count()?, 45u32.into());
/// assert_eq!(connected_induced_subgraphs(&Graph::grid(3, 3)).count()?, 218u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[doc(alias("induced_graphs", "weighted_induced_graphs"))]
pub fn connected_induced_subgraphs(graph: &Graph) -> VertexSets {
    VertexSets::from_part(graph, Part::Connected { dominating: false })
}

impl VertexSets {
    /// Returns all sets of vertices of a graph.
    pub fn all(graph: &Graph) -> Self {
        Self::from_part(graph, Part::Size(0..=usize::MAX))
    }

    fn from_part(graph: &Graph, part: Part) -> Self {
        let error = graph.is_directed().then_some(FamilyError::Graph(GraphError::Directed));
        let graph = Arc::new(graph.clone());
        Self { graph, parts: vec![part], order: Order::Auto, chosen: OnceLock::new(), error }
    }

    fn fail(mut self, error: FamilyError) -> Self {
        self.error.get_or_insert(error);
        self
    }

    fn add(mut self, part: Part) -> Self {
        self.chosen = OnceLock::new();
        self.parts.push(part);
        self
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Keeps the vertex sets that are also in another family of the same graph, or that satisfy a
    /// constraint. The states of both are combined as pairs.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::{at_least, cliques, dominating_sets};
    ///
    /// let king = Graph::king(3, 3);
    /// assert_eq!(cliques(&king).and(dominating_sets(&king)).and(at_least(4)).count()?, 4u32.into());
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn and(self, condition: impl Into<VertexCondition>) -> Self {
        let vertices = self.graph.num_vertices();
        match condition.into() {
            VertexCondition::Family(other) => {
                if !Arc::ptr_eq(&self.graph, &other.graph) && self.graph != other.graph {
                    return self.fail(FamilyError::DifferentGraphs);
                }
                let mut both = other.parts.into_iter().fold(self, Self::add);
                both.error = both.error.or(other.error);
                both
            }
            VertexCondition::Constraint(SubgraphConstraint::Size { least, most }) => {
                self.add(Part::Size(least..=most))
            }
            VertexCondition::Constraint(SubgraphConstraint::Weight { weights, least, most }) => {
                if weights.len() != vertices {
                    let (what, given) = ("weights of vertices", weights.len());
                    return self.fail(FamilyError::WrongLength { what, given, needed: vertices });
                }
                self.add(Part::Weight { weights, range: least..=most })
            }
            VertexCondition::Constraint(_) => self.fail(FamilyError::EdgeConstraint),
        }
    }

    /// Keeps the sets that have all these vertices as members.
    pub fn with(self, members: impl IntoIterator<Item = usize>) -> Self {
        members.into_iter().fold(self, |family, vertex| family.fix(vertex, true))
    }

    /// Keeps the sets without these vertices.
    ///
    /// ```
    /// use topdd_graph::Graph;
    /// use topdd_graph::families::independent_sets;
    ///
    /// let path = Graph::path(5);
    /// assert_eq!(independent_sets(&path).with([0]).without([4]).count()?, 3u32.into());
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn without(self, others: impl IntoIterator<Item = usize>) -> Self {
        others.into_iter().fold(self, |family, vertex| family.fix(vertex, false))
    }

    fn fix(mut self, vertex: usize, member: bool) -> Self {
        let vertices = self.graph.num_vertices();
        if vertex >= vertices {
            return self.fail(FamilyError::VertexOutOfRange { vertex, vertices });
        }
        self.chosen = OnceLock::new();
        let fixed = self.parts.iter_mut().find_map(|part| match part {
            Part::Fixed(fixed) => Some(fixed),
            _ => None,
        });
        match fixed {
            Some(fixed) => {
                fixed.push((vertex, member));
                self
            }
            None => self.add(Part::Fixed(vec![(vertex, member)])),
        }
    }

    /// Sets the order of the variables; [`Order::Auto`] is the default. A custom order is one of the
    /// vertices.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Returns the order of the variables: variable `i` of specs and diagrams is vertex `order[i]`.
    ///
    /// # Errors
    ///
    /// [`FamilyError::BadVertexOrder`] for a custom order that is no permutation.
    pub fn vertex_order(&self) -> Result<Vec<usize>, FamilyError> {
        if self.order != Order::Auto {
            return order_of(&self.graph, &self.order);
        }
        if let Some(order) = self.chosen.get() {
            return Ok(order.clone());
        }
        let order = self.auto_order()?;
        Ok(self.chosen.get_or_init(|| order).clone())
    }

    /// The order that the library chooses.
    fn auto_order(&self) -> Result<Vec<usize>, FamilyError> {
        let own = |part: &Part| {
            matches!(part, Part::Rule(_) | Part::Distance(_) | Part::Connected { .. })
        };
        if !self.parts.iter().any(own) {
            return Ok(smallest_first(&self.graph));
        }
        let distance = self.parts.iter().find_map(|part| match part {
            Part::Distance(distance) => Some(*distance),
            _ => None,
        });
        Ok(match distance {
            Some(distance) => self.choose_order(&closer_than(&self.graph, distance)?),
            None => self.choose_order(&self.graph),
        })
    }

    /// The values on the frontier.
    pub(in crate::families) fn cost(&self) -> Cost {
        let cost_of = |part: &Part| match part {
            Part::Connected { .. } => 2,
            Part::Rule(Rule::Dominating | Rule::TotalDominating) => 1,
            _ => 0,
        };
        match self.parts.iter().map(cost_of).max() {
            Some(2) => Cost::components(),
            Some(1) => Cost::values(3),
            _ => Cost::values(2),
        }
    }

    /// Makes the spec, to combine it with others, to search it, or to check it. Its variables are
    /// in the order of [`vertex_order`](VertexSets::vertex_order).
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] for a directed graph or wrong parameters, or if the frontier is too wide.
    pub fn spec(&self) -> Result<BoxedSpec<'static>, FamilyError> {
        Ok(self.frontier()?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before building or
    /// counting. Its variables are in the order of [`vertex_order`](VertexSets::vertex_order).
    ///
    /// # Errors
    ///
    /// As for [`spec`](VertexSets::spec).
    pub fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        self.frontier_in(&self.vertex_order()?)
    }

    /// Counts the vertex sets, without a diagram: one sweep, whose states
    /// [`predict`](VertexSets::predict) estimates.
    ///
    /// # Errors
    ///
    /// As for [`spec`](VertexSets::spec), and [`FamilyError::Build`] if the sweep fails.
    pub fn count(&self) -> Result<BigUint, FamilyError> {
        Ok(self.frontier()?.count()?)
    }

    /// Builds the diagram of all vertex sets: one sweep and a reduction, whose size
    /// [`predict`](VertexSets::predict) estimates.
    ///
    /// # Errors
    ///
    /// As for [`count`](VertexSets::count).
    pub fn zdd(&self) -> Result<VertexSetDiagram, FamilyError> {
        let order = self.vertex_order()?;
        let zdd = self.frontier_in(&order)?.zdd()?;
        Ok(VertexSetDiagram::new(self.graph.clone(), zdd, order))
    }

    /// The bounds on sums of the family, those on its size included.
    pub(super) fn linear_rules(&self) -> impl Iterator<Item = LinearRule> {
        let vertices = self.graph.num_vertices();
        self.parts.iter().filter_map(move |part| match part {
            Part::Size(size) => Some(LinearRule {
                weights: vec![1; vertices],
                least: *size.start() as i128,
                most: (*size.end()).min(vertices) as i128,
            }),
            Part::Weight { weights, range } => Some(LinearRule {
                weights: weights.clone(),
                least: (*range.start()).into(),
                most: (*range.end()).into(),
            }),
            _ => None,
        })
    }

    /// Makes a sweep over all parts, in an order of the vertices.
    pub(in crate::families) fn frontier_in(
        &self,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
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

impl Part {
    /// Makes a sweep over the condition alone.
    fn frontier(&self, graph: &Graph, order: &[usize]) -> Result<Frontier<'static>, FamilyError> {
        let vertices = graph.num_vertices();
        let spec = match self {
            Part::Rule(rule) => return packed_frontier(graph, order, *rule),
            Part::Distance(distance) => {
                let close = closer_than(graph, *distance)?;
                return packed_frontier(&close, order, Rule::Independent);
            }
            Part::Connected { dominating } => {
                Connected::new(Schedule::new(graph, order), *dominating)?.boxed()
            }
            Part::Cliques => {
                Cliques::new(graph, order).read_as(topdd::Rule::ZeroSuppressed).boxed()
            }
            Part::Size(size) => {
                let (least, most) = (*size.start(), (*size.end()).min(vertices));
                if least > most {
                    constraint::at_least(vertices, vertices + 1).boxed()
                } else {
                    constraint::between(vertices, least..=most).boxed()
                }
            }
            Part::Weight { weights, range } => {
                let ones: Vec<i64> = order.iter().map(|&vertex| weights[vertex]).collect();
                let (least, most) = (*range.start(), *range.end());
                let weight = move |variable: usize, value: usize| match value {
                    0 => 0,
                    _ => ones[variable],
                };
                let sums = constraint::linear(vertices).at_least(weight.clone(), least);
                sums.at_most(weight, most).boxed()
            }
            Part::Fixed(fixed) => {
                let variables = crate::simple::inverse(order);
                let mut allowed = vec![[true; 2]; vertices];
                for &(vertex, member) in fixed {
                    allowed[variables[vertex]][usize::from(!member)] = false;
                }
                Unrolled(Fixed { allowed }).boxed()
            }
        };
        Ok(Frontier::of_boxed(spec))
    }
}

/// The sets in which some variables have given values.
#[derive(Clone, Debug)]
struct Fixed {
    /// By variable, whether each value is allowed.
    allowed: Vec<[bool; 2]>,
}

impl Automaton for Fixed {
    type State = ();

    fn num_vars(&self) -> usize {
        self.allowed.len()
    }

    fn start(&self) {}

    fn next(&self, (): &(), variable: usize, value: usize) -> Option<()> {
        self.allowed[variable][value].then_some(())
    }

    fn accepts(&self, (): &()) -> bool {
        true
    }
}

/// Makes a sweep over the packed spec.
fn packed_frontier(
    graph: &Graph,
    order: &[usize],
    rule: Rule,
) -> Result<Frontier<'static>, FamilyError> {
    let packed = Packed::new(&Schedule::new(graph, order), rule);
    check_length(&packed, packed.num_slots())?;
    Ok(Frontier::of_arrays(packed))
}

/// The order of the vertices, other than the chosen one.
fn order_of(graph: &Graph, order: &Order) -> Result<Vec<usize>, FamilyError> {
    let vertices = graph.num_vertices();
    match order {
        Order::Given => Ok((0..vertices).collect()),
        Order::Custom(order) => {
            let mut seen = vec![false; vertices];
            let is_new = |&v: &usize| v < vertices && !std::mem::replace(&mut seen[v], true);
            if order.len() == vertices && order.iter().all(is_new) {
                Ok(order.clone())
            } else {
                Err(FamilyError::BadVertexOrder { vertices })
            }
        }
        Order::Bfs => Ok(breadth_first(graph)),
        Order::Auto => unreachable!("an order is chosen for a family"),
    }
}

/// Breadth-first from a vertex of least degree of each component, neighbours of small degree first
/// (E. Cuthill and J. `McKee`, *Reducing the bandwidth of sparse symmetric matrices*, 1969).
fn breadth_first(graph: &Graph) -> Vec<usize> {
    let vertices = graph.num_vertices();
    let degree = |&vertex: &usize| graph.incident(vertex).len();
    let mut starts: Vec<usize> = (0..vertices).collect();
    starts.sort_by_key(degree);
    let mut seen = vec![false; vertices];
    let mut order = Vec::with_capacity(vertices);
    let mut open = VecDeque::new();
    for start in starts {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        open.push_back(start);
        while let Some(vertex) = open.pop_front() {
            order.push(vertex);
            let first = open.len();
            for &edge in graph.incident(vertex) {
                let (a, b) = graph.edges()[edge];
                let other = a ^ b ^ vertex;
                if !std::mem::replace(&mut seen[other], true) {
                    open.push_back(other);
                }
            }
            open.make_contiguous()[first..].sort_by_key(degree);
        }
    }
    order
}

/// The largest number of edges of a graph of pairs that are closer than a distance.
const MAX_PAIRS: usize = 1 << 24;

/// The graph in which vertices closer than `distance`, and not the same, are neighbours. A vertex with
/// a loop keeps it from distance 2 on.
fn closer_than(graph: &Graph, distance: usize) -> Result<Graph, FamilyError> {
    let vertices = graph.num_vertices();
    let mut edges = Vec::new();
    let mut found = vec![usize::MAX; vertices];
    let mut near = Vec::new();
    for start in 0..vertices {
        if distance < 2 {
            break;
        }
        near.clear();
        near.push(start);
        found[start] = start;
        let (mut from, mut has_loop) = (0, false);
        // Level by level, up to distance - 1.
        for _ in 1..distance {
            let to = near.len();
            if from == to {
                break;
            }
            for place in from..to {
                let vertex = near[place];
                for &edge in graph.incident(vertex) {
                    let (a, b) = graph.edges()[edge];
                    let other = a ^ b ^ vertex;
                    if found[other] != start {
                        found[other] = start;
                        near.push(other);
                    } else if vertex == start && other == start {
                        has_loop = true;
                    }
                }
            }
            from = to;
        }
        edges.extend(near[1..].iter().filter(|&&other| other > start).map(|&other| (start, other)));
        if has_loop {
            edges.push((start, start));
        }
        if edges.len() > MAX_PAIRS {
            return Err(FamilyError::TooManyPairs { distance, most: MAX_PAIRS });
        }
    }
    Ok(Graph::new(vertices, edges)?)
}
