//! Proper colourings.

use std::sync::{Arc, OnceLock};

use topdd::rand_core::Rng;
use topdd::{BigUint, BoxedSpec, Frontier, QueryError, Zdd};

use super::packed::Rule;
use super::{order_of, packed_frontier};
use crate::families::ordered::check_length;
use crate::families::{FamilyError, Order};
use crate::{Graph, GraphError};

/// The largest number of colours, which are the values of a variable.
const MAX_COLOURS: usize = u32::MAX as usize;

/// The colourings of the vertices of an undirected graph; see [`colourings`].
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::{Order, colourings};
///
/// let path = colourings(&Graph::path(3), 2).order(Order::Given);
/// assert_eq!((path.graph().num_vertices(), path.colours()), (3, 2));
/// assert_eq!(path.vertex_order()?, [0, 1, 2]);
/// assert_eq!((path.count()?, path.zdd()?.count()), (2u32.into(), 2u32.into()));
/// assert_eq!(topdd::count(&path.spec()?)?, 2u32.into());
/// assert_eq!(path.frontier()?.threads(1).count()?, 2u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Colourings {
    graph: Arc<Graph>,
    colours: usize,
    order: Order,
    /// The order that was chosen for [`Order::Auto`].
    chosen: OnceLock<Vec<usize>>,
}

/// Returns the ways to give each vertex one of the colours `0..colours` such that neighbours have
/// different ones. Colours are labelled: exchanging two of them makes another colouring. A graph with a
/// loop has none. The empty graph has one; other graphs have none without colours.
///
/// As a function of the number of colours, the count is the chromatic polynomial (G. D. Birkhoff,
/// *A determinant formula for the number of ways of coloring a map*, 1912). A variable for each vertex
/// has a value for each colour; the state has the colours of the frontier.
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::families::colourings;
///
/// let petersen = Graph::named("petersen").unwrap();
/// assert_eq!(colourings(&petersen, 3).count()?, 120u32.into());
/// let all = colourings(&petersen, 3).zdd()?;
/// let colours = all.iter().next().unwrap();
/// assert!(petersen.edges().iter().all(|&(a, b)| colours[a] != colours[b]));
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
pub fn colourings(graph: &Graph, colours: usize) -> Colourings {
    let graph = Arc::new(graph.clone());
    Colourings { graph, colours, order: Order::Auto, chosen: OnceLock::new() }
}

impl Colourings {
    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the number of colours.
    pub fn colours(&self) -> usize {
        self.colours
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
        Ok(self.chosen.get_or_init(|| self.choose_order()).clone())
    }

    /// Makes a sweep in an order of the vertices.
    pub(in crate::families) fn frontier_in(
        &self,
        order: &[usize],
    ) -> Result<Frontier<'static>, FamilyError> {
        if self.graph.is_directed() {
            return Err(GraphError::Directed.into());
        }
        if self.colours > MAX_COLOURS {
            let (colours, most) = (self.colours, MAX_COLOURS);
            return Err(FamilyError::TooManyColours { colours, most });
        }
        if self.colours == 0 && self.graph.num_vertices() > 0 {
            // A variable needs a value: of one colour, none is allowed.
            let vertices = self.graph.num_vertices();
            let loops = Graph::new(vertices, (0..vertices).map(|vertex| (vertex, vertex)))?;
            return packed_frontier(&loops, order, Rule::Colouring(1));
        }
        packed_frontier(&self.graph, order, Rule::Colouring(self.colours))
    }

    /// Makes the spec, to combine it with others, to search it, or to check it. Its variables are
    /// in the order of [`vertex_order`](Colourings::vertex_order), each with one value per colour.
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] for a directed graph or more than 2^32 - 1 colours, or if the frontier is too wide.
    pub fn spec(&self) -> Result<BoxedSpec<'static>, FamilyError> {
        Ok(self.frontier()?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before building or
    /// counting.
    ///
    /// # Errors
    ///
    /// As for [`spec`](Colourings::spec).
    pub fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        self.frontier_in(&self.vertex_order()?)
    }

    /// Counts the colourings, without a diagram: one sweep, whose states
    /// [`predict`](Colourings::predict) estimates.
    ///
    /// # Errors
    ///
    /// As for [`spec`](Colourings::spec), and [`FamilyError::Build`] if the sweep fails.
    pub fn count(&self) -> Result<BigUint, FamilyError> {
        Ok(self.frontier()?.count()?)
    }

    /// Builds the diagram of all colourings: one sweep and a reduction, whose size
    /// [`predict`](Colourings::predict) estimates.
    ///
    /// # Errors
    ///
    /// As for [`count`](Colourings::count).
    pub fn zdd(&self) -> Result<ColouringDiagram, FamilyError> {
        let order = self.vertex_order()?;
        let zdd = self.frontier_in(&order)?.zdd()?;
        let variables = crate::simple::inverse(&order);
        Ok(ColouringDiagram { graph: self.graph.clone(), zdd, order, variables })
    }
}

/// All colourings, as a diagram and the map between its variables and the vertices. A colouring is a
/// list of colours, one for each vertex.
///
/// ```
/// use topdd_graph::{Graph, families::colourings};
///
/// let all = colourings(&Graph::cycle(4), 2).zdd()?;
/// assert_eq!(all.count(), 2u32.into());
/// assert!(all.iter().eq([[0, 1, 0, 1], [1, 0, 1, 0]]));
/// let first = all.diagram().iter().next().unwrap();
/// assert_eq!(all.colours_of(&first), [0, 1, 0, 1]);
/// assert_eq!(all.vertex_order().len(), all.graph().num_vertices());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ColouringDiagram {
    graph: Arc<Graph>,
    zdd: Zdd,
    order: Vec<usize>,
    variables: Vec<usize>,
}

impl ColouringDiagram {
    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the diagram. Its variables are vertices in another order, its values colours.
    pub fn diagram(&self) -> &Zdd {
        &self.zdd
    }

    /// Returns the vertex of each variable of the diagram.
    pub fn vertex_order(&self) -> &[usize] {
        &self.order
    }

    /// Returns the number of colourings. Linear in the size of the diagram.
    pub fn count(&self) -> BigUint {
        self.zdd.count()
    }

    /// Returns the colourings, in the lexicographic order of the diagram.
    pub fn iter(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        self.zdd.iter().map(|solution| self.colours_of(&solution))
    }

    /// Returns the colour of each vertex in a solution of the diagram.
    ///
    /// # Panics
    ///
    /// If `solution` does not have one value for each variable.
    #[track_caller]
    pub fn colours_of(&self, solution: &[usize]) -> Vec<usize> {
        check_length(solution, self.order.len());
        self.variables.iter().map(|&variable| solution[variable]).collect()
    }

    /// Returns one colouring at random, each with the same probability. Linear in the size of the
    /// diagram.
    ///
    /// # Errors
    ///
    /// [`QueryError::NoSolutions`] if there is no colouring.
    pub fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> Result<Vec<usize>, QueryError> {
        Ok(self.colours_of(&self.zdd.sample(rng)?))
    }
}
