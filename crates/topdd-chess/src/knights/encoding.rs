//! The specs of tours, and the conversion of solutions to tours.

use super::by_time::{self, Directions};
use super::covering::CoveringPaths;
use super::hamiltonian::{BoardLines, HamiltonianPaths};
use super::{
    FullBoard, KnightsError, KnightsTours, MAX_SQUARES, MAX_SQUARES_BY_TIME,
    MAX_SQUARES_WITHOUT_TOURS, PathEncoding,
};
use crate::board::Square;
use topdd::{BigUint, BoxedSpec, DdSpec, Frontier, SpecExt, Step, Zdd};
use topdd_graph::families::{FamilyError, SequenceError};

/// Tours as a problem on a graph, in an encoding.
#[derive(Clone, Debug)]
pub(super) enum EncodedTours {
    /// All tours of the board.
    Paths(HamiltonianPaths),
    /// Symmetric or directed tours.
    Covering(Box<CoveringPaths>),
    /// Symmetric tours of an asymmetric board: none. The paths are all tours.
    None(HamiltonianPaths),
}

impl EncodedTours {
    fn num_vars(&self) -> usize {
        match self {
            EncodedTours::Paths(paths) | EncodedTours::None(paths) => paths.num_vars(),
            EncodedTours::Covering(paths) => paths.num_vars(),
        }
    }

    fn arity(&self, variable: usize) -> usize {
        match self {
            EncodedTours::Paths(paths) | EncodedTours::None(paths) => paths.arity(variable),
            EncodedTours::Covering(paths) => paths.arity(variable),
        }
    }

    fn none_is_possible(&self) -> bool {
        match self {
            EncodedTours::Paths(paths) => paths.none_is_possible(),
            EncodedTours::Covering(paths) => paths.none_is_possible(),
            EncodedTours::None(_) => true,
        }
    }

    fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        match self {
            EncodedTours::Paths(paths) | EncodedTours::None(paths) => paths.frontier(),
            EncodedTours::Covering(paths) => paths.frontier(),
        }
    }

    fn to_sequence(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        match self {
            EncodedTours::Paths(paths) | EncodedTours::None(paths) => paths.to_sequence(values),
            EncodedTours::Covering(paths) => paths.to_sequence(values),
        }
    }
}

/// Reads tours from the solutions of a spec for [`KnightsTours`]; made by [`KnightsTours::reader`] and
/// [`KnightsTours::reader_by_time`].
///
/// ```
/// use topdd_chess::{Board, KnightsTours};
/// use topdd_chess::knights::PathEncoding;
///
/// let tours = KnightsTours::open(3, 4).from("a1".parse()?);
/// let reader = tours.reader(PathEncoding::ByEdge)?;
/// for solution in &tours.zdd(PathEncoding::ByEdge)? {
///     let squares = reader.read(&solution)?;
///     assert_eq!((squares.len(), squares[0]), (12, "a1".parse()?));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TourReader {
    tours: KnightsTours,
    /// The tours in their encoding; `None` for the spec by time.
    encoded: Option<EncodedTours>,
}

impl TourReader {
    /// Returns the squares of a tour in the order of the tour, from the values of the variables
    /// of a solution. Cost: linear in the number of variables.
    ///
    /// An open tour starts on its [`from`](KnightsTours::from) or ends on its
    /// [`to`](KnightsTours::to) where these are given. A closed one starts in the corner `a1`,
    /// or on the first square that is not missing, and that square is not repeated at the end.
    ///
    /// # Errors
    ///
    /// A [`SequenceError`] if the values are not a solution.
    pub fn read(&self, values: &[usize]) -> Result<Vec<Square>, SequenceError> {
        let vertices = match &self.encoded {
            Some(tours) => tours.to_sequence(values)?,
            None => by_time::to_sequence(values, self.tours.num_vertices())?,
        };
        Ok(self.tours.to_squares(&vertices))
    }
}

impl KnightsTours {
    /// Whether a first variable is the direction.
    pub(super) fn has_direction(&self) -> bool {
        let squares = self.board.rows.saturating_mul(self.board.cols);
        let single = !self.closed && squares.saturating_sub(self.missing.len()) == 1;
        self.directed && self.from.is_none() && self.to.is_none() && !single
    }

    fn encoded(&self, encoding: PathEncoding) -> Result<EncodedTours, KnightsError> {
        let paths = self.paths_in_order()?;
        let covering = match self.symmetry {
            None if self.has_direction() => CoveringPaths::all(paths, encoding),
            None => return Ok(EncodedTours::Paths(paths.encoded(encoding))),
            Some(symmetry) => {
                let image =
                    |vertex| self.vertex_of(symmetry.of(self.board, self.square_of(vertex))?);
                let images: Option<Vec<usize>> = (0..self.num_vertices()).map(image).collect();
                match images {
                    // A symmetry of the board keeps moves.
                    Some(images) => CoveringPaths::symmetric(paths, &images, encoding),
                    None => return Ok(EncodedTours::None(paths.encoded(encoding))),
                }
            }
        };
        let covering = if self.has_direction() { covering.directed() } else { covering };
        Ok(EncodedTours::Covering(covering.into()))
    }

    /// Makes the reader of the solutions of the spec in an encoding.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](KnightsTours::spec).
    pub fn reader(&self, encoding: PathEncoding) -> Result<TourReader, KnightsError> {
        Ok(TourReader { tours: self.clone(), encoded: Some(self.encoded(encoding)?) })
    }

    /// Returns the number of tours that make each move between two squares, there or back, from the
    /// number of solutions in which each variable has each value: see
    /// [`topdd::Diagram::value_counts`].
    ///
    /// For tours without symmetry and direction, whose variables are about moves alone; the
    /// counts must be from the diagram of their spec.
    ///
    /// # Errors
    ///
    /// The errors of [`paths`](KnightsTours::paths).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    /// use topdd_chess::knights::PathEncoding;
    ///
    /// let tours = KnightsTours::closed(5, 6);
    /// let zdd = tours.zdd(PathEncoding::ByVertex)?;
    /// let counts = tours.move_counts(PathEncoding::ByVertex, &zdd.value_counts())?;
    /// // There are two ways out of a corner, and all 8 tours take both.
    /// let corner = "a1".parse()?;
    /// let of_corner = counts.iter().filter(|(a, b, _)| *a == corner || *b == corner);
    /// assert!(of_corner.map(|(_, _, count)| count).eq(&[8u32.into(), 8u32.into()]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_counts(
        &self,
        encoding: PathEncoding,
        counts: &[Vec<BigUint>],
    ) -> Result<Vec<(Square, Square, BigUint)>, KnightsError> {
        let paths = self.paths_in_order()?.encoded(encoding);
        let graph = paths.graph();
        let mut made = vec![BigUint::ZERO; graph.num_edges()];
        for (variable, counts) in counts.iter().enumerate() {
            for (value, count) in counts.iter().enumerate() {
                for edge in paths.value_edges(variable, value).unwrap_or_default() {
                    made[edge] += count;
                }
            }
        }
        let moves = graph.edges().iter().zip(made);
        Ok(moves.map(|(&(a, b), made)| (self.square_of(a), self.square_of(b), made)).collect())
    }

    /// Makes the reader of the solutions of the spec [by time](KnightsTours::spec_by_time), or of
    /// the formulation for the apply engine, `KnightsTours::family`.
    ///
    /// # Errors
    ///
    /// The errors of [`spec_by_time`](KnightsTours::spec_by_time).
    pub fn reader_by_time(&self) -> Result<TourReader, KnightsError> {
        self.check()?;
        self.check_squares(MAX_SQUARES)?;
        Ok(TourReader { tours: self.clone(), encoded: None })
    }

    /// The maximum number of squares of a board of this width for [`spec`](KnightsTours::spec), so
    /// that the states of all specs have a supported width.
    pub(super) fn most_squares(&self, encoding: PathEncoding) -> usize {
        let BoardLines { long, wide, .. } = BoardLines::new(self.board);
        // The frontier of a few lines is as wide as the frontier of many, and no order is taken that
        // has a wider one than the order line by line. A board that is wider than this has too
        // many squares anyway.
        let wide = wide.min(1 << 10);
        let enough = self.piece.reach().saturating_mul(2).saturating_add(2);
        let long = enough.min(long).min(MAX_SQUARES / wide.max(1));
        let part =
            self.hamiltonian(BoardLines::part(long, wide), None, [None; 2]).encoded(encoding);
        MAX_SQUARES / part.problem().words()
    }

    /// Returns the number of variables of the spec in an encoding.
    ///
    /// Makes the graph of the moves, unless simple conditions prove that there is no tour.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](KnightsTours::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    /// use topdd_chess::knights::PathEncoding;
    ///
    /// assert_eq!(KnightsTours::closed(6, 6).num_vars(PathEncoding::ByVertex)?, 36);
    /// assert_eq!(KnightsTours::closed(6, 6).num_vars(PathEncoding::ByEdge)?, 80);
    /// # Ok::<(), topdd_chess::KnightsError>(())
    /// ```
    pub fn num_vars(&self, encoding: PathEncoding) -> Result<usize, KnightsError> {
        Ok(match self.formulation(encoding)? {
            Formulation::NoTours(spec) => spec.num_vars(),
            Formulation::Tours(tours) => tours.num_vars(),
        })
    }

    /// Makes the spec, to combine it with others, to search it, or to check it.
    ///
    /// The spec has no states if simple conditions prove that there is no tour: the board is too
    /// narrow, is not connected, or has the wrong number of squares. If the dimensions alone prove
    /// it, the maximum size of the board is larger.
    ///
    /// The spec decodes a state in each call. [`frontier`](KnightsTours::frontier),
    /// [`count`](KnightsTours::count) and [`zdd`](KnightsTours::zdd) do not, and are faster.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the fixed ends are invalid, or if the board has more than
    /// 2<sup>20</sup> squares, or fewer if it is wide. A sweep over a larger board would not end in
    /// reasonable time.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_chess::KnightsTours;
    /// use topdd_chess::knights::PathEncoding;
    ///
    /// let tours = KnightsTours::closed(6, 6);
    /// let spec = tours.spec(PathEncoding::ByVertex)?;
    /// let solution = Search::over(&spec).first()?.expect("there are 9862");
    /// println!("{}", tours.board().draw_tour(&tours.reader(PathEncoding::ByVertex)?.read(&solution)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec(&self, encoding: PathEncoding) -> Result<BoxedSpec<'static>, KnightsError> {
        Ok(self.frontier(encoding)?.into_spec()?)
    }

    /// Makes a sweep over the spec, to set limits, threads or a checkpoint before
    /// building a diagram or counting.
    ///
    /// # Errors
    ///
    /// The errors of [`spec`](KnightsTours::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    /// use topdd_chess::knights::PathEncoding;
    ///
    /// let mut frontier = KnightsTours::open(5, 5).frontier(PathEncoding::ByVertex)?.threads(1);
    /// assert_eq!(frontier.count()?, 864u32.into());
    /// println!("{}", frontier.report());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier(&self, encoding: PathEncoding) -> Result<Frontier<'static>, KnightsError> {
        let made = match self.formulation(encoding)? {
            Formulation::NoTours(spec) => return Ok(Frontier::of_boxed(spec.boxed())),
            Formulation::Tours(tours) => tours.frontier(),
        };
        // The ends are checked, so the only error left is the width.
        made.map_err(|_| KnightsError::TooLarge {
            board: self.board,
            most: self.most_squares(encoding),
        })
    }

    /// Builds the diagram of all tours. [`reader`](KnightsTours::reader) converts its solutions to
    /// tours.
    ///
    /// # Errors
    ///
    /// [`KnightsError::Build`] if the sweep fails; otherwise as for [`spec`](KnightsTours::spec).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    /// use topdd_chess::knights::PathEncoding;
    ///
    /// let tours = KnightsTours::closed(3, 10);
    /// let zdd = tours.zdd(PathEncoding::ByEdge)?;
    /// assert_eq!(zdd.count(), 16u32.into());
    /// let tour = tours.reader(PathEncoding::ByEdge)?.read(&zdd.iter().next().expect("there are 16"))?;
    /// assert_eq!(tour.len(), 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn zdd(&self, encoding: PathEncoding) -> Result<Zdd, KnightsError> {
        Ok(self.frontier(encoding)?.zdd()?)
    }

    /// Counts the tours without a diagram, with one variable for each square.
    ///
    /// # Errors
    ///
    /// The errors of [`zdd`](KnightsTours::zdd).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    ///
    /// assert_eq!(KnightsTours::closed(6, 6).count()?, 9862u32.into());
    /// # Ok::<(), topdd_chess::KnightsError>(())
    /// ```
    pub fn count(&self) -> Result<BigUint, KnightsError> {
        Ok(self.frontier(PathEncoding::ByVertex)?.count()?)
    }

    /// Makes the spec by time: variable `time * squares + square`, of two values, is 1 where the
    /// piece is on that square at that time.
    ///
    /// Squares are the vertices of [`paths`](KnightsTours::paths). The state is the set of squares
    /// that were visited, and the last of them, so that there are many more states than by move or
    /// by square. The spec decodes a state in each call;
    /// [`frontier_by_time`](KnightsTours::frontier_by_time) does not, and is faster.
    ///
    /// # Errors
    ///
    /// A [`KnightsError`] if the fixed ends are invalid, the board has more than 256 squares, or
    /// the tours are symmetric.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_chess::KnightsTours;
    ///
    /// let tours = KnightsTours::closed(8, 8);
    /// let spec = tours.spec_by_time()?;
    /// let solution = Search::over(&spec).seed(2).restarts(100).first()?.expect("there are many");
    /// println!("{}", tours.board().draw_tour(&tours.reader_by_time()?.read(&solution)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec_by_time(&self) -> Result<BoxedSpec<'static>, KnightsError> {
        Ok(self.frontier_by_time()?.into_spec()?)
    }

    /// Makes a sweep over the spec [by time](KnightsTours::spec_by_time).
    ///
    /// # Errors
    ///
    /// The errors of [`spec_by_time`](KnightsTours::spec_by_time).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_chess::KnightsTours;
    ///
    /// let tours = KnightsTours::open(3, 4);
    /// let zdd = tours.frontier_by_time()?.zdd()?;
    /// assert_eq!(zdd.count(), 8u32.into());
    /// let reader = tours.reader_by_time()?;
    /// for solution in zdd.iter() {
    ///     println!("{}", tours.board().draw_tour(&reader.read(&solution)?));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier_by_time(&self) -> Result<Frontier<'static>, KnightsError> {
        self.check()?;
        if self.symmetry.is_some() {
            return Err(KnightsError::SymmetricByTime);
        }
        self.check_squares(MAX_SQUARES_BY_TIME)?;
        let paths = self.paths_in_order()?;
        let vertices = paths.graph().num_vertices();
        let directions = if self.has_direction() { Directions::Both } else { Directions::One };
        Ok(Frontier::of_boxed(if self.none_is_possible() || paths.none_is_possible() {
            NoTours::ByTime(vertices.pow(2)).boxed()
        } else {
            by_time::spec(&paths, directions)
        }))
    }

    /// Chooses the spec in an encoding, but not the width of its states.
    fn formulation(&self, encoding: PathEncoding) -> Result<Formulation, KnightsError> {
        self.check()?;
        let known = self.none_is_possible();
        if known && self.symmetry.is_none() {
            self.check_squares(MAX_SQUARES_WITHOUT_TOURS)?;
            return Ok(Formulation::NoTours(NoTours::OnBoard(self.full_board(encoding))));
        }
        self.check_squares(self.most_squares(encoding))?;
        let tours = Box::new(self.encoded(encoding)?);
        Ok(if known || tours.none_is_possible() {
            Formulation::NoTours(NoTours::OnGraph(tours))
        } else {
            Formulation::Tours(tours)
        })
    }
}

/// A spec whose type depends on the width of its states.
enum Formulation {
    /// Simple conditions prove that there are no tours.
    NoTours(NoTours),
    /// Tours as a problem on a graph.
    Tours(Box<EncodedTours>),
}

/// The spec of a board without tours: the variables of the others, and no solution.
pub(super) enum NoTours {
    /// The variables of a board without gaps.
    OnBoard(FullBoard),
    /// The variables of tours as paths.
    OnGraph(Box<EncodedTours>),
    /// So many variables of two values.
    ByTime(usize),
}

impl DdSpec for NoTours {
    type State = ();

    fn num_vars(&self) -> usize {
        match self {
            NoTours::OnBoard(board) => board.variables(),
            NoTours::OnGraph(tours) => tours.num_vars(),
            NoTours::ByTime(variables) => *variables,
        }
    }

    fn arity(&self, variable: usize) -> usize {
        match self {
            NoTours::OnBoard(board) => board.arity(variable),
            NoTours::OnGraph(tours) => tours.arity(variable),
            NoTours::ByTime(_) => 2,
        }
    }

    fn root(&self) -> Step<()> {
        Step::Zero
    }

    fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
        Step::Zero
    }
}
