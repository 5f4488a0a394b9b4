//! The probability that a network stays connected.

mod directed;
mod network;
mod spec;
#[cfg(test)]
mod tests;

use super::edge_families::{check_directed, check_terminals};
use super::order::best_order;
use super::{FamilyError, Order};
use crate::Graph;
use crate::kind::Unit;
use crate::order::{Cost, frontier_bits};
use crate::predict::{PilotLimit, Prediction, predict};
use directed::{PathEnds, Reaching};
use network::Network;
use spec::{Connecting, NetworkPlan};
use std::sync::Arc;
use topdd::spec::ArraySpec;
use topdd::{BigUint, BoxedSpec, Frontier, Rule, Weights};

/// The probability that the terminals of a network are connected, if edges, and vertices if wanted,
/// fail independently of each other.
///
/// Without terminals, all vertices must be connected. Vertices always work unless
/// [`vertex_p`](Reliability::vertex_p) gives their probabilities; then all terminals must work, and
/// edges at a failed vertex connect nothing. The empty graph has reliability 1. A graph with one
/// vertex has the probability of that vertex. Directions do not matter, unless
/// [`directed`](Reliability::directed) asks for a path.
///
/// First, exact reductions make the network smaller: parallel edges, vertices with two edges, leaves, and
/// a factor for each block between the terminals. Then one sweep over the edges of each remaining
/// block: for each state of the frontier, its probability. No diagram is stored; memory is for
/// two levels. A state contains, for each vertex on the frontier, its component, and whether that has
/// a terminal. References: A. Satyanarayana and R. K. Wood, *A linear-time algorithm for computing
/// K-terminal reliability in series-parallel networks*, SIAM Journal on Computing 14 (1985); G. Hardy,
/// C. Lucet and N. Limnios, *K-terminal network reliability measures with binary decision diagrams*,
/// IEEE Trans. Reliability 56 (2007).
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{Order, Reliability};
///
/// let square = Graph::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let works = [0.9; 4];
/// let all = Reliability::new(&square, &works).probability()?;
/// assert!((all - (0.9f64.powi(4) + 4.0 * 0.9f64.powi(3) * 0.1)).abs() < 1e-12);
/// let given = Reliability::new(&square, &works).order(Order::Given).probability()?;
/// assert!((given - all).abs() < 1e-12);
///
/// let two = Reliability::new(&square, &works).terminals(&[0, 2]);
/// assert!((two.probability()? - (1.0 - 0.19f64.powi(2))).abs() < 1e-12);
/// let with_vertices = two.vertex_p(&[1.0, 0.5, 1.0, 0.5]).probability()?;
/// assert!((with_vertices - (1.0 - (1.0f64 - 0.5 * 0.81).powi(2))).abs() < 1e-12);
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reliability<'a> {
    graph: &'a Graph,
    edges: Vec<f64>,
    vertices: Option<Vec<f64>>,
    question: Question,
    order: Order,
}

/// The condition on the edges and vertices that work.
#[derive(Clone, Debug)]
enum Question {
    /// All vertices are connected.
    AllConnected,
    Connected(Vec<usize>),
    Path(PathEnds),
}

impl<'a> Reliability<'a> {
    /// Makes the network in which edge `e` works with probability `works[e]`.
    pub fn new(graph: &'a Graph, works: &[f64]) -> Self {
        let (question, order) = (Question::AllConnected, Order::Auto);
        Self { graph, edges: works.to_vec(), vertices: None, question, order }
    }

    /// Sets the vertices that must be connected, at least one; all vertices without this.
    pub fn terminals(mut self, terminals: &[usize]) -> Self {
        self.question = Question::Connected(terminals.to_vec());
        self
    }

    /// Asks, in a directed graph, for a path along working edges from one vertex to another, in place of a connection
    /// of terminals. Both ends must work.
    ///
    /// Edges on no path are left out. The network is not reduced further, and is one block. A state contains, for
    /// each vertex on the frontier, the vertices there that it reaches, so that there are more states than without
    /// directions; at most 32 vertices may be on the frontier at once.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::Reliability};
    ///
    /// let graph = Graph::directed(4, [(0, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 3)])?;
    /// let network = Reliability::new(&graph, &[0.5; 6]).directed(0, 3);
    /// assert!((network.probability()? - 0.5).abs() < 1e-12);
    /// assert_eq!(network.directed(3, 0).probability()?, 0.0);
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn directed(mut self, from: usize, to: usize) -> Self {
        self.question = Question::Path(PathEnds { from, to });
        self
    }

    /// Lets vertex `v` work with probability `works[v]`.
    pub fn vertex_p(mut self, works: &[f64]) -> Self {
        self.vertices = Some(works.to_vec());
        self
    }

    /// Sets the order in which the edges are decided; [`Order::Auto`] is the default. Any other order
    /// is one of all edges of the graph, so the network is not reduced.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Returns the probability. Time and memory are proportional to the number of states, which may be
    /// exponential in the width of the frontier.
    ///
    /// # Errors
    ///
    /// The errors of [`reduced`](Reliability::reduced), and [`FamilyError::Build`] if a sweep fails.
    pub fn probability(&self) -> Result<f64, FamilyError> {
        let network = self.reduced()?;
        let mut probability = network.factor();
        for block in network.blocks() {
            let weights = block.probabilities();
            probability *= block.frontier().probability_under(Rule::AnyValue, &weights)?;
        }
        Ok(probability)
    }

    /// Reduces the network, in nearly linear time, and chooses the order of the edges of each block. The
    /// probability is the product of the factor and the probabilities of the blocks. [`probability`]
    /// computes it; this is for limits, progress and diagrams.
    ///
    /// ```
    /// use topdd::Rule;
    /// use topdd_graph::predict::PilotLimit;
    /// use topdd_graph::{Graph, families::Reliability};
    ///
    /// // The bridge between two triangles is a factor, and each triangle reduces to one, too.
    /// let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
    /// let triangles = Graph::new(6, edges)?;
    /// let network = Reliability::new(&triangles, &[0.5; 7]).reduced()?;
    /// assert_eq!((network.factor(), network.blocks().len()), (0.5 * 0.5 * 0.5, 0));
    ///
    /// let petersen = Graph::named("petersen").expect("a well-known graph");
    /// let network = Reliability::new(&petersen, &[0.9; 15]).reduced()?;
    /// let [block] = network.blocks() else { panic!("nothing separates its vertices") };
    /// assert_eq!((block.graph().num_vertices(), block.num_vars()), (10, 15));
    /// assert_eq!((block.frontier_bits().len(), block.edge_order().len()), (15, 15));
    /// assert!(block.width() < 10 && block.predict(PilotLimit::default())?.states > 0.0);
    /// let mut sweep = block.frontier().memory_limit(1 << 20);
    /// let works = sweep.probability_under(Rule::AnyValue, &block.probabilities())?;
    /// let diagram = topdd::bdd(&block.spec())?;
    /// assert!((works - diagram.probability(&block.probabilities())?).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] for terminals out of range or given twice, for lists of the wrong length,
    /// for numbers that are no probabilities, for a path in an undirected graph, for edges in both directions
    /// unless a path is asked for, or if the frontier is too wide.
    ///
    /// [`probability`]: Reliability::probability
    pub fn reduced(&self) -> Result<ReducedNetwork, FamilyError> {
        let (factor, network) = self.network()?;
        let (order, ends) = (self.given_order()?, self.path_ends());
        let (reduced, networks) = match (&order, ends) {
            (Some(_), _) => (1.0, vec![network]),
            (None, Some(ends)) => network.on_paths(ends),
            (None, None) => network.reduced(),
        };
        let block = |network| NetworkBlock::new(&network, ends, order.clone());
        let blocks = networks.into_iter().map(block).collect::<Result<_, _>>()?;
        Ok(ReducedNetwork { factor: factor * reduced, blocks })
    }

    /// Counts the edge sets that connect the terminals, by size: entry `i` is the number of those
    /// with `i` edges. Probabilities are ignored. If all edges work with probability p, the
    /// reliability is the sum of `counts[i] * p^i * (1-p)^(m-i)` for m edges.
    ///
    /// One sweep without reductions, with up to one number for each size in each state.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::Reliability};
    ///
    /// let square = Graph::cycle(4);
    /// let counts = Reliability::new(&square, &[0.5; 4]).count_by_size()?;
    /// assert_eq!(counts, [0u32, 0, 0, 4, 1].map(Into::into));
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`probability`](Reliability::probability), and if vertices may fail.
    pub fn count_by_size(&self) -> Result<Vec<BigUint>, FamilyError> {
        if let Some(at) = self.vertices.iter().flatten().position(|&works| works < 1.0) {
            return Err(FamilyError::FailingVertex { vertex: at });
        }
        let edges = self.graph.num_edges();
        let ones = Weights::of_ones(vec![1; edges]);
        let mut sweep = self.unreduced()?.frontier();
        let by_size = sweep.count_by_under(Rule::AnyValue, &ones, ..)?;
        let mut counts = vec![BigUint::ZERO; edges + 1];
        for (size, count) in by_size {
            counts[usize::try_from(size).expect("a size is not negative")] = count;
        }
        Ok(counts)
    }

    /// Returns the whole network as one block, without reductions: its sweep, with limits, gives the
    /// [counts by size](Reliability::count_by_size).
    ///
    /// ```
    /// use topdd::{Rule, Weights};
    /// use topdd_graph::{Graph, families::Reliability};
    ///
    /// let square = Graph::cycle(4);
    /// let block = Reliability::new(&square, &[0.5; 4]).unreduced()?;
    /// let mut sweep = block.frontier().memory_limit(1 << 20);
    /// let ones = Weights::of_ones(vec![1; 4]);
    /// let counts = sweep.count_by_under(Rule::AnyValue, &ones, ..)?;
    /// assert!(counts.into_iter().eq([(3, 4u32.into()), (4, 1u32.into())]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`probability`](Reliability::probability).
    pub fn unreduced(&self) -> Result<NetworkBlock, FamilyError> {
        let (_, network) = self.network()?;
        NetworkBlock::new(&network, self.path_ends(), self.given_order()?)
    }

    /// The order of the edges, if it is not the library that chooses it.
    fn given_order(&self) -> Result<Option<Vec<usize>>, FamilyError> {
        (self.order != Order::Auto).then(|| self.order.edges(self.graph)).transpose()
    }

    /// The ends of the path, if one is asked for.
    fn path_ends(&self) -> Option<PathEnds> {
        match self.question {
            Question::Path(ends) => Some(ends),
            Question::AllConnected | Question::Connected(_) => None,
        }
    }

    /// The vertices that must work and be connected.
    fn checked_terminals(&self) -> Result<Vec<usize>, FamilyError> {
        if self.path_ends().is_none() {
            self.graph.check_directions()?;
        }
        let terminals = match &self.question {
            Question::AllConnected => return Ok((0..self.graph.num_vertices()).collect()),
            Question::Connected(terminals) => terminals.clone(),
            Question::Path(PathEnds { from, to }) => {
                check_directed(self.graph, "directed paths")?;
                vec![*from, *to]
            }
        };
        check_terminals(self.graph, &terminals)?;
        Ok(terminals)
    }

    /// The whole network, and the probability that its terminals work.
    fn network(&self) -> Result<(f64, Network), FamilyError> {
        let vertices = self.graph.num_vertices();
        check_probabilities(&self.edges, self.graph.num_edges())?;
        if let Some(works) = &self.vertices {
            check_probabilities(works, vertices)?;
        }
        let mut is_terminal = vec![false; vertices];
        for terminal in self.checked_terminals()? {
            is_terminal[terminal] = true;
        }
        let mut vertex_works = self.vertices.clone().unwrap_or_else(|| vec![1.0; vertices]);
        let mut factor = 1.0;
        for (works, _) in vertex_works.iter_mut().zip(&is_terminal).filter(|(_, is)| **is) {
            factor *= std::mem::replace(works, 1.0);
        }
        let (edges, edge_works) = (self.graph.edges().to_vec(), self.edges.clone());
        Ok((factor, Network { edges, edge_works, vertex_works, is_terminal }))
    }
}

/// A network after reductions: the reliability is the product of a factor and of the probabilities of
/// its blocks. Made by [`Reliability::reduced`].
#[derive(Clone, Debug)]
pub struct ReducedNetwork {
    factor: f64,
    blocks: Vec<NetworkBlock>,
}

impl ReducedNetwork {
    /// Returns the factor.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Returns the blocks: none if the reductions leave nothing.
    pub fn blocks(&self) -> &[NetworkBlock] {
        &self.blocks
    }
}

/// A network in which no reduction applies, with the order of its edges.
#[derive(Clone, Debug)]
pub struct NetworkBlock {
    graph: Arc<Graph>,
    items: Vec<(Option<usize>, f64)>,
    /// The largest number of vertices on the frontier at once.
    width: usize,
    spec: BlockSpec,
}

/// The spec of a block.
#[derive(Clone, Debug)]
enum BlockSpec {
    Connecting(Connecting),
    Reaching(Reaching),
}

impl BlockSpec {
    fn new(plan: NetworkPlan, ends: Option<PathEnds>) -> Result<Self, FamilyError> {
        Ok(match ends {
            Some(ends) => BlockSpec::Reaching(Reaching::new(plan, ends)?),
            None => BlockSpec::Connecting(Connecting::new(plan)),
        })
    }

    fn boxed(self) -> BoxedSpec<'static> {
        match self {
            BlockSpec::Connecting(spec) => spec.boxed(),
            BlockSpec::Reaching(spec) => spec.boxed(),
        }
    }
}

impl NetworkBlock {
    fn new(
        network: &Network,
        ends: Option<PathEnds>,
        order: Option<Vec<usize>>,
    ) -> Result<Self, FamilyError> {
        let (vertices, edges) = (network.num_vertices(), network.edges.iter().copied());
        let graph = match ends {
            Some(_) => Graph::directed(vertices, edges)?,
            None => Graph::new(vertices, edges)?,
        };
        let order = order.unwrap_or_else(|| {
            // Orders are compared by sweeps with one variable for each edge.
            let sure = Network { vertex_works: vec![1.0; vertices], ..network.clone() };
            best_order(&graph, &Cost::components(), |order| {
                let spec = BlockSpec::new(NetworkPlan::new(&sure, &graph, order)?, ends)?;
                Ok::<_, FamilyError>(Frontier::of_boxed(spec.boxed()))
            })
        });
        let plan = NetworkPlan::new(network, &graph, &order)?;
        let items = plan.items.clone();
        let (width, spec) = (plan.slots, BlockSpec::new(plan, ends)?);
        Ok(Self { graph: Arc::new(graph), items, width, spec })
    }

    /// Returns the graph of the block. Its vertices and edges have numbers of their own.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the number of variables: the edges, and the vertices that may fail.
    pub fn num_vars(&self) -> usize {
        self.items.len()
    }

    /// Returns the largest number of vertices on the frontier at once.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns, for each variable, the probabilities that its edge or vertex fails and works.
    pub fn probabilities(&self) -> Weights<f64> {
        self.items.iter().map(|&(_, works)| [1.0 - works, works]).collect()
    }

    /// Returns the edges of the block in the order of their variables. The variable of a vertex that may
    /// fail is before the variables of its edges.
    pub fn edge_order(&self) -> Vec<usize> {
        self.items.iter().filter_map(|item| item.0).collect()
    }

    /// Returns log2 of the estimated states before each variable: an upper bound that takes no sweep.
    pub fn frontier_bits(&self) -> Vec<f64> {
        let (graph, cost) = (&self.graph, Cost::components());
        let order = self.edge_order();
        let of_edges = frontier_bits(graph, Unit::Edge, &order, &cost);
        let mut of_edges = of_edges.into_iter().peekable();
        // A vertex enters just before an edge of it.
        let bits = |&(edge, _): &(Option<usize>, f64)| match edge {
            Some(_) => of_edges.next(),
            None => of_edges.peek().copied(),
        };
        self.items.iter().filter_map(bits).collect()
    }

    /// Predicts states, memory and time of the sweep, as
    /// [`GraphSets::predict`](crate::families::GraphSets::predict) does.
    ///
    /// # Errors
    ///
    /// [`FamilyError::Build`] if a pilot fails for another reason than its limit.
    pub fn predict(&self, limit: PilotLimit) -> Result<Prediction, FamilyError> {
        Ok(predict(self.frontier(), &self.frontier_bits(), limit)?)
    }

    /// Returns the spec of the sets of working edges and vertices that connect the terminals, or have the path. Skipped
    /// variables are read as any value.
    pub fn spec(&self) -> BoxedSpec<'static> {
        self.spec.clone().boxed()
    }

    /// Makes a sweep over the [spec](NetworkBlock::spec).
    pub fn frontier(&self) -> Frontier<'static> {
        Frontier::of_boxed(self.spec())
    }
}

fn check_probabilities(list: &[f64], needed: usize) -> Result<(), FamilyError> {
    let given = list.len();
    if given != needed {
        return Err(FamilyError::WrongLength { what: "probabilities", given, needed });
    }
    match list.iter().position(|p| !(0.0..=1.0).contains(p)) {
        None => Ok(()),
        Some(at) => Err(FamilyError::BadProbability { at, value: list[at] }),
    }
}
