//! Walks that are more than their edges: those that a symmetry of the graph keeps, and those
//! that have a direction.
//!
//! Both are the walks of a graph as *lifts* of walks of another: [`Lifts`] is that other
//! graph, with what lies over each of its edges; [`Lifted`] is the spec. [`quotient`] makes
//! the graph below a symmetry.

mod lifted;
mod quotient;

use thiserror::Error;
use topdd::{BigUint, BoxedSpec, DdSpec, Frontier, Zdd};

use super::choices::choice;
use super::visitor::{MakeBoxed, MakeFrontier, SpecVisitor};
use super::walks::expect_variable;
use super::{ByEdge, ByVertex, PathEncoding, SequenceError, WalkError, Walks};
use lifted::{Crossing, Lifted, Ways};

/// The walks of a graph as lifts of walks of another, the graph *below*: those that an
/// involution maps to themselves ([`Walks::symmetric`]), those with a direction
/// ([`Walks::directed`]), or both.
///
/// # Symmetric walks
///
/// An involution `s` of the graph (each vertex has an image, whose image it is; edges go to
/// edges) maps a Hamiltonian walk to itself if it maps the set of its edges to itself. The
/// graph below has a vertex for each pair `{v, s v}` and for each vertex that is its own
/// image, and an edge for each pair of edges that are images of one another, so that it has
/// half the vertices and edges. A set of edges that is its own image is a set of edges
/// below; it remains to say which of these lift to a single walk. Choose one vertex of each
/// pair to be above, the other one beneath: an edge *crosses* if it joins one above to one
/// beneath. An edge `{v, s v}` is its own image: call it a *hinge* at the vertex below.
///
/// - **Cycles.** An involution of a cycle that is not the identity is either the half-turn
///   or a reflection. If it is the half-turn, nothing is its own image, and the walk below
///   is a Hamiltonian cycle; it lifts to one cycle if it crosses an odd number of times, and
///   to two otherwise. A reflection keeps two things, each of them a vertex or a hinge, and
///   the walk below is a Hamiltonian path from one of them to the other. It becomes a
///   cycle by an edge from end to end, which stands for the two hinges.
/// - **Paths.** The involution turns the path around and keeps what is in the middle, one
///   vertex or one hinge. The walk below is a Hamiltonian path from there; hinges get a
///   vertex below to start from.
///
/// Parallel edges below are values of one variable. So the variables are those of the graph
/// below, in either [`PathEncoding`], with more values: one for each way to lift the edges that a
/// value below takes, where the lift of the last edge varies first. The state contains besides
/// whether the number of crossings so far is odd. No variable is skipped. These are voltage graphs with voltages in the
/// group of two elements (J. L. Gross and T. W. Tucker, *Topological Graph Theory*, 1987),
/// and on the chessboard, where hinges cross the centre, the two kinds of closed symmetric
/// tours that G. P. Jelliss named after Euler and Bergholt.
///
/// # Directed walks
///
/// A walk and its reverse are two. A first variable of two values is the direction of
/// the walk: 0 as [`Walks::to_sequence`] returns it, and 1 reversed. A cycle may
/// still be read from any of its vertices. Where an end is fixed, the direction is fixed
/// already, and so it is for the path of a single vertex: then there is no such variable.
///
/// # Example
///
/// ```
/// use topdd_graph::{PathEncoding, Graph, Walks};
///
/// // The half-turn of a board numbered line by line goes through the numbers backwards.
/// let half_turn: Vec<usize> = (0..36).rev().collect();
/// let tours = Walks::hamiltonian_cycles(Graph::knight(6, 6)).symmetric(&half_turn)?;
/// let zdd = tours.zdd(PathEncoding::ByVertex)?;
/// assert_eq!(zdd.count(), 78u32.into()); // of 9862
/// for solution in zdd.iter() {
///     let tour = tours.to_sequence(PathEncoding::ByVertex, &solution)?;
///     assert_eq!(tours.walks().validate(&tour), Ok(()));
///     assert!((0..18).all(|step| tour[step] + tour[step + 18] == 35));
/// }
///
/// let directed = Walks::hamiltonian_cycles(Graph::knight(6, 6)).directed();
/// assert_eq!(directed.count()?, 19724u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lifts {
    /// What is wanted, whole.
    walks: Walks,
    below: Walks,
    /// What lies over each edge of the graph below: one value for each.
    links: Vec<Vec<Link>>,
    /// Whether a walk below may have crossed so: never, an odd number of times, by hinges.
    accepted: [bool; 3],
    directed: bool,
}

/// A way to lift an edge of the graph below.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Link {
    crossing: Crossing,
    /// The edges of the graph above.
    edges: Vec<(usize, usize)>,
}

/// Errors in the parameters of [`Walks::symmetric`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LiftsError {
    /// The walks need not pass through every vertex.
    #[error("symmetric walks must pass through every vertex; ask for Hamiltonian ones")]
    NotHamiltonian,
    /// Not one image for each vertex.
    #[error("{given} images for {vertices} vertices; give one for each vertex")]
    WrongLength {
        /// The number of images given.
        given: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// The image of the image of a vertex is another vertex, or there is none.
    #[error("{vertex} is not the image of its image: not an involution of the vertices; give one")]
    NotAnInvolution {
        /// The vertex.
        vertex: usize,
    },
    /// An edge whose image is no edge.
    #[error("the edge {0}-{1} has an image that is not an edge; give a symmetry of the graph", .edge.0, .edge.1)]
    NotASymmetry {
        /// The edge.
        edge: (usize, usize),
    },
    /// The ends make no sense.
    #[error(transparent)]
    Walks(#[from] WalkError),
}

impl Walks {
    /// The Hamiltonian walks that an involution of the graph maps to themselves: vertex `v`
    /// goes to `images[v]`. See [`Lifts`] for how.
    ///
    /// A path with two fixed ends must have them at images of one another; there is none
    /// otherwise. If the involution is the identity, all walks are symmetric.
    ///
    /// # Errors
    ///
    /// A [`LiftsError`] if this is no involution, does not map edges to edges, or the
    /// walks are not Hamiltonian or their ends make no sense.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{PathEncoding, Graph, Walks};
    ///
    /// let square = Walks::hamiltonian_cycles(Graph::grid(2, 2));
    /// let symmetric = square.symmetric(&[3, 2, 1, 0])?;
    /// assert_eq!(symmetric.num_vars(PathEncoding::ByEdge), 1); // two pairs of sides, or one of them
    /// assert!(square.symmetric(&[1, 0, 3, 2]).is_ok()); // a mirror
    /// assert!(square.symmetric(&[3, 1, 2, 0]).is_ok()); // another
    /// assert!(square.symmetric(&[1, 0, 2, 3]).is_err()); // tears edges apart
    /// # Ok::<(), topdd_graph::LiftsError>(())
    /// ```
    pub fn symmetric(&self, images: &[usize]) -> Result<Lifts, LiftsError> {
        if !self.hamiltonian {
            return Err(LiftsError::NotHamiltonian);
        }
        self.check()?;
        let vertices = self.graph.vertices();
        if images.len() != vertices {
            return Err(LiftsError::WrongLength { given: images.len(), vertices });
        }
        let is_image =
            |&vertex: &usize| images.get(images[vertex]).is_some_and(|&back| back == vertex);
        if let Some(vertex) = (0..vertices).find(|vertex| !is_image(vertex)) {
            return Err(LiftsError::NotAnInvolution { vertex });
        }
        let goes_wrong =
            |&&(a, b): &&(usize, usize)| self.graph.edge_number(images[a], images[b]).is_none();
        if let Some(&edge) = self.graph.edges().iter().find(goes_wrong) {
            return Err(LiftsError::NotASymmetry { edge });
        }
        if (0..vertices).all(|vertex| images[vertex] == vertex) {
            return Ok(Lifts::all(self.clone()));
        }
        Ok(quotient::lifts(self, images))
    }

    /// These walks with a direction, a walk and its reverse being two. See [`Lifts`].
    pub fn directed(&self) -> Lifts {
        Lifts::all(self.clone()).directed()
    }
}

impl Lifts {
    /// All walks, each the lift of itself.
    fn all(walks: Walks) -> Self {
        let itself = |&edge| vec![Link { crossing: Crossing::Even, edges: vec![edge] }];
        let links = walks.graph.edges().iter().map(itself).collect();
        Self { below: walks.clone(), walks, links, accepted: [true; 3], directed: false }
    }

    /// These walks with a direction, a walk and its reverse being two.
    pub fn directed(mut self) -> Self {
        let one_way = self.walks.is_single_vertex() || self.walks.ends() != (None, None);
        self.directed = !one_way;
        self
    }

    /// The walks of which these are some, or all, or all in both directions.
    pub fn walks(&self) -> &Walks {
        &self.walks
    }

    /// The walks below, of which these are lifts.
    pub fn below(&self) -> &Walks {
        &self.below
    }

    /// Whether a first variable is the direction of the walk.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// The number of variables in an encoding: of edges, or of vertices, of the graph below,
    /// and one more for a direction.
    pub fn num_vars(&self, encoding: PathEncoding) -> usize {
        usize::from(self.directed) + self.below.num_vars(encoding)
    }

    /// The number of values of a variable in an encoding.
    ///
    /// # Panics
    ///
    /// If `variable` is not below [`num_vars`](Lifts::num_vars);
    /// [`get_arity`](Lifts::get_arity) returns `None` then.
    #[track_caller]
    pub fn arity(&self, encoding: PathEncoding, variable: usize) -> usize {
        expect_variable(self.get_arity(encoding, variable), variable, self.num_vars(encoding))
    }

    /// The number of values of a variable in an encoding; `None` if there is no such variable.
    pub fn get_arity(&self, encoding: PathEncoding, variable: usize) -> Option<usize> {
        (variable < self.num_vars(encoding)).then(|| self.count_values(encoding, variable))
    }

    fn count_values(&self, encoding: PathEncoding, variable: usize) -> usize {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else { return 2 };
        let ways = |edges: Vec<usize>| -> usize {
            edges.iter().map(|&edge| self.links[edge].len()).product()
        };
        self.lifts(encoding, variable).map(ways).sum()
    }

    /// The edges that a solution takes, in no particular order, from the values of its
    /// variables.
    ///
    /// # Errors
    ///
    /// [`SequenceError::WrongLength`] and [`SequenceError::ValueOutOfRange`].
    pub fn to_edges(
        &self,
        encoding: PathEncoding,
        values: &[usize],
    ) -> Result<Vec<(usize, usize)>, SequenceError> {
        let (given, variables) = (values.len(), self.num_vars(encoding));
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        let first = usize::from(self.directed);
        if let Some(&value) = values[..first].iter().find(|&&value| value > 1) {
            return Err(SequenceError::ValueOutOfRange { variable: 0, value });
        }
        let mut edges = Vec::new();
        for (variable, &value) in values.iter().enumerate().skip(first) {
            let mut rest = value;
            let lift = self.lifts(encoding, variable - first).find_map(|edges| {
                let ways: usize = edges.iter().map(|&edge| self.links[edge].len()).product();
                if rest < ways {
                    return Some(edges);
                }
                rest -= ways;
                None
            });
            let lift = lift.ok_or(SequenceError::ValueOutOfRange { variable, value })?;
            for edge in lift.into_iter().rev() {
                let links = &self.links[edge];
                edges.extend_from_slice(&links[rest % links.len()].edges);
                rest /= links.len();
            }
        }
        Ok(edges)
    }

    /// The vertices of a solution in the order they are passed, from the values of its
    /// variables, as [`Walks::to_sequence`] gives them; or the other way round, a cycle from
    /// the same start, if its direction says so.
    ///
    /// # Errors
    ///
    /// A [`SequenceError`] if the values are not a solution.
    pub fn to_sequence(
        &self,
        encoding: PathEncoding,
        values: &[usize],
    ) -> Result<Vec<usize>, SequenceError> {
        let mut sequence = self.walks.sequence_of(&self.to_edges(encoding, values)?)?;
        if self.directed && values[0] == 1 {
            let start = usize::from(self.walks.shape() == super::Shape::Cycle);
            sequence[start..].reverse();
        }
        Ok(sequence)
    }

    /// The edges below that each value of a variable below takes, in the order of the values.
    fn lifts(
        &self,
        encoding: PathEncoding,
        variable: usize,
    ) -> impl Iterator<Item = Vec<usize>> + '_ {
        let graph = &self.below.graph;
        let later = match encoding {
            PathEncoding::ByEdge => &[][..],
            PathEncoding::ByVertex => graph.later_neighbours(variable),
        };
        let number = move |i: usize| {
            graph.edge_number(variable, later[i]).expect("a neighbour is at the end of an edge")
        };
        (0..).map_while(move |value| match encoding {
            PathEncoding::ByEdge => [vec![], vec![variable]].get(value).cloned(),
            PathEncoding::ByVertex => {
                let (a, b) = choice(later.len(), value)?;
                Some(a.into_iter().chain(b).map(number).collect())
            }
        })
    }

    fn ways(&self, encoding: PathEncoding) -> Ways {
        let mut ways = Ways::default();
        for variable in 0..self.below.num_vars(encoding) {
            for edges in self.lifts(encoding, variable) {
                let mut crossings = vec![Some(Crossing::Even)];
                for edge in edges {
                    let links = &self.links[edge];
                    crossings = crossings
                        .iter()
                        .flat_map(|&before| {
                            links.iter().map(move |link| before?.and(link.crossing))
                        })
                        .collect();
                }
                ways.value(crossings);
            }
            ways.variable();
        }
        ways
    }

    /// Makes the spec with states as small as they can be, and passes it to a visitor.
    fn visit<V: SpecVisitor>(
        &self,
        encoding: PathEncoding,
        visitor: V,
    ) -> Result<V::Output, WalkError> {
        // Fewer widths than `Walks::visit` has, for each is one more copy of the spec.
        let words = self.below.words(encoding);
        match encoding {
            PathEncoding::ByEdge if words <= 1 => Ok(visitor.visit(self.by_edge::<1>()?)),
            PathEncoding::ByEdge if words <= 2 => Ok(visitor.visit(self.by_edge::<2>()?)),
            PathEncoding::ByEdge => Ok(visitor.visit(self.by_edge::<64>()?)),
            PathEncoding::ByVertex if words <= 1 => Ok(visitor.visit(self.by_vertex::<1>()?)),
            PathEncoding::ByVertex if words <= 2 => Ok(visitor.visit(self.by_vertex::<2>()?)),
            PathEncoding::ByVertex => Ok(visitor.visit(self.by_vertex::<64>()?)),
        }
    }

    fn by_edge<const W: usize>(&self) -> Result<Lifted<ByEdge<W>>, WalkError> {
        Ok(self.lifted(ByEdge::new(&self.below)?, PathEncoding::ByEdge))
    }

    fn by_vertex<const W: usize>(&self) -> Result<Lifted<ByVertex<W>>, WalkError> {
        Ok(self.lifted(ByVertex::new(&self.below)?, PathEncoding::ByVertex))
    }

    fn lifted<S: DdSpec>(&self, below: S, encoding: PathEncoding) -> Lifted<S> {
        Lifted::new(below, self.ways(encoding), self.accepted, self.directed)
    }

    /// Makes the spec, to combine it with others, to search it, or to check it. The spec decodes
    /// a state in each call. [`frontier`](Lifts::frontier), [`count`](Lifts::count) and
    /// [`zdd`](Lifts::zdd) do not, and are faster.
    ///
    /// # Errors
    ///
    /// As for [`Walks::spec`] of the walks [below](Lifts::below).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_graph::{PathEncoding, Graph, Walks};
    ///
    /// let tours = Walks::hamiltonian_cycles(Graph::grid(4, 4)).directed();
    /// let spec = tours.spec(PathEncoding::ByEdge)?;
    /// let solution = Search::over(&spec).first()?.expect("there are 12");
    /// let tour = tours.to_sequence(PathEncoding::ByEdge, &solution)?;
    /// assert_eq!(tours.walks().validate(&tour), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec(&self, encoding: PathEncoding) -> Result<BoxedSpec<'static>, WalkError> {
        self.visit(encoding, MakeBoxed)
    }

    /// Makes a sweep over the spec, to set limits, threads, a checkpoint and the like before
    /// asking for a diagram or a count.
    ///
    /// # Errors
    ///
    /// As for [`spec`](Lifts::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{PathEncoding, Graph, Walks};
    ///
    /// let tours = Walks::hamiltonian_cycles(Graph::grid(4, 4)).directed();
    /// let mut frontier = tours.frontier(PathEncoding::ByVertex)?.threads(1);
    /// assert_eq!(frontier.count()?, 12u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier(&self, encoding: PathEncoding) -> Result<Frontier<'static>, WalkError> {
        self.visit(encoding, MakeFrontier)
    }

    /// Builds the diagram of all walks. [`to_sequence`](Lifts::to_sequence) makes a walk of each
    /// solution.
    ///
    /// # Errors
    ///
    /// [`WalkError::Build`] if the sweep fails; otherwise as for [`spec`](Lifts::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{PathEncoding, Graph, Walks};
    ///
    /// let square = Walks::hamiltonian_cycles(Graph::grid(2, 2)).directed();
    /// let zdd = square.zdd(PathEncoding::ByVertex)?;
    /// let tours: Result<Vec<_>, _> =
    ///     zdd.iter().map(|solution| square.to_sequence(PathEncoding::ByVertex, &solution)).collect();
    /// assert_eq!(tours?, [[0, 1, 3, 2], [0, 2, 3, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn zdd(&self, encoding: PathEncoding) -> Result<Zdd, WalkError> {
        Ok(self.frontier(encoding)?.zdd()?)
    }

    /// Counts the walks without a diagram, with one variable for each edge of the graph below.
    ///
    /// # Errors
    ///
    /// As for [`zdd`](Lifts::zdd).
    ///
    /// # Example
    ///
    /// ```
    /// let cycles = topdd_graph::grid_hamiltonian_cycles(6, 6);
    /// assert_eq!(cycles.directed().count()?, (2 * 1072u32).into());
    /// # Ok::<(), topdd_graph::WalkError>(())
    /// ```
    pub fn count(&self) -> Result<BigUint, WalkError> {
        Ok(self.frontier(PathEncoding::ByEdge)?.count()?)
    }
}

#[cfg(test)]
mod tests;
