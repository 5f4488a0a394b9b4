//! Symmetric and directed paths, as *lifts* of the paths of another graph, the graph *below*.
//!
//! [`Lifts`] stores the paths below and the lifts of each edge; [`Lifted`] is the spec. [`quotient`]
//! makes the graph below from a symmetry.

mod lifted;
mod quotient;

use thiserror::Error;
use topdd::{BigUint, BoxedSpec, DdSpec, Frontier, Zdd};

use super::choices::choice;
use super::paths::expect_variable;
use super::words::wide;
use super::{ByEdge, ByVertex, PathEncoding, PathError, Paths, SequenceError};
use lifted::{Crossing, LiftTable, Lifted};

/// The paths of a graph as lifts of paths of another, the graph *below*: those that an
/// involution maps to themselves ([`Paths::symmetric`]), those with a direction
/// ([`Paths::directed`]), or both.
///
/// # Symmetric paths
///
/// An involution `s` of a graph maps vertices to vertices and edges to edges, and `s s v = v`. It
/// maps a Hamiltonian path or cycle to itself if it maps the set of its edges to itself. The
/// graph below has a vertex for each pair `{v, s v}` and for each vertex that is its own
/// image, and an edge for each pair of edges that are images of one another. So it has
/// half the vertices and edges. A set of edges that is its own image is a set of edges
/// below; not all of these lift to a single path. Choose one vertex of each
/// pair as the upper one. An edge *crosses* if it joins an upper vertex to a lower one. An edge
/// `{v, s v}` is its own image and is called a *hinge* at the vertex below.
///
/// - **Cycles.** An involution of a cycle that is not the identity is either the half-turn
///   or a reflection. The half-turn fixes no vertex and no edge, and the path below
///   is a Hamiltonian cycle. It lifts to one cycle if it crosses an odd number of times, and
///   to two otherwise. A reflection fixes two things, each a vertex or a hinge, and
///   the path below is a Hamiltonian path from one of them to the other. An additional edge from
///   end to end, which represents the two hinges, makes it a cycle.
/// - **Paths.** The involution reverses the path and fixes its middle, a vertex or a hinge. The path
///   below is a Hamiltonian path that starts at the middle. An additional vertex below is the start
///   if the middle is a hinge.
///
/// Parallel edges below are values of one variable. So the variables are those of the graph
/// below, in either [`PathEncoding`], with more values: one for each lift of the edges of a
/// value below, where the lift of the last edge varies fastest. The state also contains
/// the parity of the number of crossings so far. No variable is skipped.
///
/// Source: these are voltage graphs with voltages in the group of two elements (J. L. Gross and
/// T. W. Tucker, *Topological Graph Theory*, 1987). On the chessboard, where hinges cross the centre,
/// they give the two kinds of closed symmetric tours that G. P. Jelliss named after Euler and
/// Bergholt.
///
/// # Directed paths
///
/// A path and its reverse are two solutions. Variable 0 has two values and is the direction of
/// the path: 0 as [`Paths::to_sequence`] returns it, and 1 reversed. The starts of a cycle are
/// still not distinguished. There is no such variable if an end is fixed, which fixes the direction,
/// or for the path of a single vertex.
///
/// # Example
///
/// ```
/// use topdd_graph::{Graph, PathEncoding, Paths};
///
/// // The half-turn of a board reverses the numbers of its squares.
/// let half_turn: Vec<usize> = (0..36).rev().collect();
/// let tours = Paths::hamiltonian_cycles(Graph::knight(6, 6)).symmetric(&half_turn)?;
/// let zdd = tours.zdd(PathEncoding::ByVertex)?;
/// assert_eq!(zdd.count(), 78u32.into()); // of 9862
/// for solution in zdd.iter() {
///     let tour = tours.to_sequence(PathEncoding::ByVertex, &solution)?;
///     assert_eq!(tours.paths().validate(&tour), Ok(()));
///     assert!((0..18).all(|step| tour[step] + tour[step + 18] == 35));
/// }
///
/// let directed = Paths::hamiltonian_cycles(Graph::knight(6, 6)).directed();
/// assert_eq!(directed.count()?, 19724u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lifts {
    /// The paths above.
    paths: Paths,
    below: Paths,
    /// The lifts of each edge of the graph below.
    links: Vec<Vec<Link>>,
    /// Whether a complete path below may have each [`Crossing`].
    accepted: [bool; 3],
    directed: bool,
}

/// A lift of an edge of the graph below.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Link {
    crossing: Crossing,
    /// The edges of the graph above.
    edges: Vec<(usize, usize)>,
}

/// Errors in the parameters of [`Paths::symmetric`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LiftsError {
    /// The paths need not pass through every vertex.
    #[error("symmetric paths and cycles must pass through every vertex; ask for Hamiltonian ones")]
    NotHamiltonian,
    /// The number of images is not the number of vertices.
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
    /// The fixed ends are invalid.
    #[error(transparent)]
    Paths(#[from] PathError),
}

impl Paths {
    /// Returns the Hamiltonian paths and cycles that an involution of the graph maps to themselves. Vertex `v`
    /// is mapped to `images[v]`. [`Lifts`] describes the method.
    ///
    /// If both ends of a path are fixed and are not images of one another, there is no symmetric
    /// path. If the involution is the identity, all paths are symmetric.
    ///
    /// Takes time linear in the size of the graph, apart from the look-up of edges and a
    /// [`narrow_order`](crate::narrow_order) of the graph below.
    ///
    /// # Errors
    ///
    /// A [`LiftsError`] if `images` is not an involution or does not map edges to edges, if the
    /// paths are not Hamiltonian, or if a fixed end is invalid.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let square = Paths::hamiltonian_cycles(Graph::grid(2, 2));
    /// let symmetric = square.symmetric(&[3, 2, 1, 0])?;
    /// assert_eq!(symmetric.num_vars(PathEncoding::ByEdge), 1); // two pairs of sides, or one of them
    /// assert_eq!(symmetric.below().graph().vertices(), 2);
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

    /// Returns these paths with a direction: a path and its reverse are two solutions. See
    /// [`Lifts`].
    ///
    /// # Example
    ///
    /// ```
    /// let cycles = topdd_graph::grid_hamiltonian_cycles(4, 4);
    /// assert_eq!(cycles.directed().count()?, (2u32 * 6).into());
    /// # Ok::<(), topdd_graph::PathError>(())
    /// ```
    pub fn directed(&self) -> Lifts {
        Lifts::all(self.clone()).directed()
    }
}

impl Lifts {
    /// All paths, each the lift of itself.
    fn all(paths: Paths) -> Self {
        let itself = |&edge| vec![Link { crossing: Crossing::Even, edges: vec![edge] }];
        let links = paths.graph.edges().iter().map(itself).collect();
        Self { below: paths.clone(), paths, links, accepted: [true; 3], directed: false }
    }

    /// Returns these paths with a direction: a path and its reverse are two solutions.
    pub fn directed(mut self) -> Self {
        let one_way = self.paths.is_single_vertex() || self.paths.ends() != (None, None);
        self.directed = !one_way;
        self
    }

    /// Returns the paths of the graph above: a superset of these, without a direction.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Returns the paths below, of which these are lifts.
    pub fn below(&self) -> &Paths {
        &self.below
    }

    /// Returns whether variable 0 is the direction of the path.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Returns the number of variables in an encoding: the number of edges, or of vertices, of the
    /// graph below, and one more for a direction.
    pub fn num_vars(&self, encoding: PathEncoding) -> usize {
        usize::from(self.directed) + self.below.num_vars(encoding)
    }

    /// Returns the number of values of a variable in an encoding.
    ///
    /// # Panics
    ///
    /// If `variable` is not below [`num_vars`](Lifts::num_vars);
    /// [`get_arity`](Lifts::get_arity) returns `None` then.
    #[track_caller]
    pub fn arity(&self, encoding: PathEncoding, variable: usize) -> usize {
        expect_variable(self.get_arity(encoding, variable), variable, self.num_vars(encoding))
    }

    /// Returns the number of values of a variable in an encoding; `None` if there is no such variable.
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

    /// Returns the edges of a solution, in no particular order, from the values of its
    /// variables.
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let square = Paths::hamiltonian_cycles(Graph::grid(2, 2)).directed();
    /// let encoding = PathEncoding::ByEdge;
    /// assert_eq!(square.num_vars(encoding), 5); // the direction and four edges
    /// assert_eq!((square.arity(encoding, 0), square.get_arity(encoding, 5)), (2, None));
    /// assert_eq!(square.to_edges(encoding, &[1, 1, 1, 1, 1])?.len(), 4);
    /// # Ok::<(), topdd_graph::SequenceError>(())
    /// ```
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

    /// Returns the vertices of a solution in the order of the path, from the values of its
    /// variables. The order is that of [`Paths::to_sequence`], or its reverse if the direction of
    /// the solution is 1. A reversed cycle has the same start.
    ///
    /// # Errors
    ///
    /// A [`SequenceError`] if the values are not a solution.
    pub fn to_sequence(
        &self,
        encoding: PathEncoding,
        values: &[usize],
    ) -> Result<Vec<usize>, SequenceError> {
        let mut sequence = self.paths.sequence_of(&self.to_edges(encoding, values)?)?;
        if self.directed && values[0] == 1 {
            let start = usize::from(self.paths.shape() == super::Shape::Cycle);
            sequence[start..].reverse();
        }
        Ok(sequence)
    }

    /// The edges of each value of a variable below, in the order of the values.
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

    fn table(&self, encoding: PathEncoding) -> LiftTable {
        let mut table = LiftTable::default();
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
                table.push_value(crossings);
            }
            table.end_variable();
        }
        table
    }

    fn by_edge<const W: usize>(&self) -> Result<Lifted<ByEdge<W>>, PathError> {
        Ok(self
            .lifted(ByEdge::new(&self.below.problem(PathEncoding::ByEdge)?)?, PathEncoding::ByEdge))
    }

    fn by_vertex<const W: usize>(&self) -> Result<Lifted<ByVertex<W>>, PathError> {
        Ok(self.lifted(
            ByVertex::new(&self.below.problem(PathEncoding::ByVertex)?)?,
            PathEncoding::ByVertex,
        ))
    }

    fn lifted<S: DdSpec>(&self, below: S, encoding: PathEncoding) -> Lifted<S> {
        Lifted::new(below, self.table(encoding), self.accepted, self.directed)
    }

    /// Makes the spec, to combine it with others, to search it, or to check it. The spec decodes
    /// a state in each call. [`frontier`](Lifts::frontier), [`count`](Lifts::count) and
    /// [`zdd`](Lifts::zdd) do not, and are faster.
    ///
    /// # Errors
    ///
    /// The errors of [`Paths::spec`] of the paths [below](Lifts::below).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let tours = Paths::hamiltonian_cycles(Graph::grid(4, 4)).directed();
    /// let spec = tours.spec(PathEncoding::ByEdge)?;
    /// let solution = Search::over(&spec).first()?.expect("there are 12");
    /// let tour = tours.to_sequence(PathEncoding::ByEdge, &solution)?;
    /// assert_eq!(tours.paths().validate(&tour), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec(&self, encoding: PathEncoding) -> Result<BoxedSpec<'static>, PathError> {
        Ok(self.frontier(encoding)?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before
    /// building a diagram or counting.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](Lifts::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let tours = Paths::hamiltonian_cycles(Graph::grid(4, 4)).directed();
    /// let mut frontier = tours.frontier(PathEncoding::ByVertex)?.threads(1);
    /// assert_eq!(frontier.count()?, 12u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier(&self, encoding: PathEncoding) -> Result<Frontier<'static>, PathError> {
        let words = self.below.words(encoding);
        // Another word for the crossing.
        let crossed = words + 1;
        Ok(match (encoding, words) {
            // By its type: an array spec tries each value of a state on its own, and a vertex has many.
            (PathEncoding::ByVertex, 0..=2) => Frontier::of(self.by_vertex::<2>()?),
            (PathEncoding::ByVertex, _) => wide(self.by_vertex::<64>()?, crossed),
            (PathEncoding::ByEdge, 0..=2) => wide(self.by_edge::<2>()?, crossed),
            (PathEncoding::ByEdge, _) => wide(self.by_edge::<64>()?, crossed),
        })
    }

    /// Builds the diagram of all paths. [`to_sequence`](Lifts::to_sequence) converts a solution to
    /// a path.
    ///
    /// # Errors
    ///
    /// [`PathError::Build`] if the sweep fails; otherwise as for [`spec`](Lifts::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, PathEncoding, Paths};
    ///
    /// let square = Paths::hamiltonian_cycles(Graph::grid(2, 2)).directed();
    /// let zdd = square.zdd(PathEncoding::ByVertex)?;
    /// let tours: Result<Vec<_>, _> =
    ///     zdd.iter().map(|solution| square.to_sequence(PathEncoding::ByVertex, &solution)).collect();
    /// assert_eq!(tours?, [[0, 1, 3, 2], [0, 2, 3, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn zdd(&self, encoding: PathEncoding) -> Result<Zdd, PathError> {
        Ok(self.frontier(encoding)?.zdd()?)
    }

    /// Counts the paths without a diagram, with one variable for each edge of the graph below.
    ///
    /// # Errors
    ///
    /// The errors of [`zdd`](Lifts::zdd).
    ///
    /// # Example
    ///
    /// ```
    /// let cycles = topdd_graph::grid_hamiltonian_cycles(6, 6);
    /// assert_eq!(cycles.directed().count()?, (2 * 1072u32).into());
    /// # Ok::<(), topdd_graph::PathError>(())
    /// ```
    pub fn count(&self) -> Result<BigUint, PathError> {
        Ok(self.frontier(PathEncoding::ByEdge)?.count()?)
    }
}

#[cfg(test)]
mod tests;
