//! The problems: what to compute, and how to show the solutions. `run` and `output` contain the common parts.

pub(crate) mod cnf;
mod files;
pub(crate) mod graph;
pub(crate) mod knights;
pub(crate) mod place;
pub(crate) mod queens;

use std::fmt::Display;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use serde_json::Value;
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_apply::{Error, Family, Function, Manager};
use topdd_chess::{Board, Piece, Square};
use topdd_draw::{BoardPicture, Picture, sheet};

use crate::args::Common;
use crate::failure::Failure;
use crate::outcome::Usage;
use topdd_problem::GraphRecord;
use topdd_problem::dialogue::Placement;
use topdd_problem::{ElementWeights, Subject};

/// The elements of a solution: squares of a board, elements of a graph.
pub(crate) trait Part: Display + Clone + Ord + 'static {
    /// A picture of a solution.
    type Picture: Drawing;
}

impl Part for Square {
    type Picture = BoardPicture;
}

/// A picture of a solution that can be on a sheet with others.
pub(crate) trait Drawing: Sized {
    /// Draws it alone.
    fn titled(self, title: String) -> Picture;

    /// Draws several with their captions, `across` in each row.
    fn sheet(drawings: &[(Self, String)], across: usize, title: &str) -> Picture;
}

impl Drawing for BoardPicture {
    fn titled(self, title: String) -> Picture {
        self.title(title).picture()
    }

    fn sheet(drawings: &[(Self, String)], across: usize, title: &str) -> Picture {
        sheet(drawings, across, title)
    }
}

/// Classes of solutions that are images of one another.
pub(crate) trait UpToSymmetry<T> {
    /// Returns the number of classes, if there are `all` solutions.
    fn count(&self, all: &BigUint, common: &Common) -> Result<BigUint, Failure>;

    /// Returns whether a solution is the one of its class that is shown.
    fn is_first(&self, solution: &[T]) -> bool;

    /// Returns the solution of the same class that is shown.
    fn first(&self, solution: &[T]) -> Result<Vec<T>, Failure>;

    /// The number of symmetries.
    fn symmetries(&self) -> usize;

    /// The number of symmetries that map a solution to itself.
    fn stabilizer_size(&self, solution: &[T]) -> usize;
}

/// Solutions with their weights.
pub(crate) type Weighted<T> = Vec<(String, Vec<T>)>;

/// The texts that identify a problem.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The problem, in a line.
    pub(crate) title: String,
    /// The problem as JSON, for scripts and as the key of a checkpoint.
    pub(crate) facts: Value,
    /// The name of the formulation: problems with equal facts and different states differ in it.
    pub(crate) formulation: &'static str,
    /// The user's name of a variable: a row, a square.
    pub(crate) unit: &'static str,
    /// What is solved, for the record of a saved diagram; `None` for problems that have none.
    pub(crate) subject: Option<Subject>,
}

/// What a problem computes.
pub(crate) trait Computation {
    /// The texts that identify the problem.
    fn identity(&self) -> &Identity;

    /// Makes the sweep over the spec of the problem.
    fn frontier(&self) -> Result<Frontier<'_>, Failure>;

    /// The number of variables of the sweep.
    fn num_vars(&self) -> Result<usize, Failure>;

    /// Makes the spec for a search.
    fn spec(&self) -> Result<BoxedSpec<'static>, Failure> {
        Err(Failure::usage("this problem has no spec for a search"))
    }

    /// Whether the solutions are also counted by the number of their elements.
    fn counts_sizes(&self) -> bool {
        false
    }

    /// The classic formulation, if the command line asks for the apply engine.
    fn classic(&self) -> Result<Option<Classic<'_>>, Failure> {
        Ok(None)
    }
}

/// How the solutions of a problem are shown.
pub(crate) trait Presentation<T: Part = Square> {
    /// The squares of a solution, in the order in which they are listed; `None` if the values are
    /// not a solution. `solution` has as many values as there are variables.
    fn read(&self, solution: &[usize]) -> Option<Vec<T>>;

    /// The squares of a solution of the diagram of this problem.
    fn squares(&self, solution: &[usize]) -> Vec<T> {
        self.read(solution).expect("the solutions of the diagram are solutions of the problem")
    }

    /// The classes of solutions, if images of one another count as one.
    fn unique(&self) -> Option<&dyn UpToSymmetry<T>> {
        None
    }

    /// The best solutions with their weights, if these are to be shown.
    fn best(&self, _zdd: &Zdd) -> Result<Option<Weighted<T>>, Failure> {
        Ok(None)
    }

    /// Those solutions of the diagram that are asked for; `None` for all.
    fn select(&self, _zdd: &Zdd) -> Result<Option<Zdd>, Failure> {
        Ok(None)
    }

    /// The sum over the solutions of the products of their weights, if the problem has weights.
    fn weighted_count(&self, _zdd: &Zdd) -> Option<Ratio<BigInt>> {
        None
    }

    /// How many solutions use each element, if that is to be shown.
    fn usage(&self, _zdd: &Zdd) -> Option<Vec<Usage>> {
        None
    }

    /// The meaning of the variables, for saved diagrams.
    fn variables(&self) -> Option<Variables> {
        None
    }

    /// The squares of a solution as JSON.
    fn listed(&self, squares: &[T]) -> Value {
        names(squares).into()
    }

    /// The squares of a solution, in a line.
    fn line(&self, squares: &[T]) -> String {
        names(squares).join(" ")
    }

    /// A drawing of a solution as text, in plain ASCII if `ascii`, if there is one. Each line ends with a line break.
    fn draw(&self, _squares: &[T], _ascii: bool) -> String {
        String::new()
    }

    /// A picture of a solution.
    fn picture(&self, squares: &[T]) -> T::Picture;

    /// Fails if [`heat`](Presentation::heat) cannot draw this problem.
    fn heats(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// A picture of how often squares, or moves, are used in the solutions.
    fn heat(&self, _zdd: &Zdd) -> Result<T::Picture, Failure> {
        Err(Failure::usage("--heat is not for this problem"))
    }
}

/// A problem of the command line.
pub(crate) trait Problem<T: Part = Square>: Computation + Presentation<T> {}

impl<T: Part, P: Computation + Presentation<T>> Problem<T> for P {}

/// The meaning of the variables of a problem.
#[derive(Clone, Debug)]
pub(crate) enum Variables {
    Board(Placement),
    Elements(ListedElements),
}

/// The elements of sets, or the vertices of colourings, that variables stand for.
#[derive(Clone, Debug)]
pub(crate) struct ListedElements {
    /// The names by variable.
    pub(crate) names: Vec<String>,
    /// The place of each variable in lists, as in the order of the file.
    pub(crate) order: Vec<usize>,
    pub(crate) weights: ElementWeights,
    pub(crate) graph: Option<GraphRecord>,
}

/// A classic formulation: constraints that the apply engine conjoins.
pub(crate) struct Classic<'a> {
    /// The number of two-valued variables.
    pub(crate) variables: usize,
    /// The number of constraints that are conjoined.
    pub(crate) constraints: usize,
    /// The user's name of a constraint: a row, a step.
    pub(crate) unit: &'static str,
    /// Builds the solutions.
    pub(crate) conjoin: Box<Conjoin<'a>>,
}

/// Builds the solutions in a manager that has the variables. The function that it receives is called after
/// each constraint, with their number and the result so far.
pub(crate) type Conjoin<'a> =
    dyn Fn(&Manager, &mut dyn FnMut(usize, &Conjoined)) -> Result<Conjoined, Failure> + 'a;

/// The solutions of a classic formulation.
pub(crate) enum Conjoined {
    Family(Family),
    Function(Function),
}

impl Conjoined {
    pub(crate) fn count(&self) -> BigUint {
        match self {
            Conjoined::Family(family) => family.count(),
            Conjoined::Function(function) => function.count(),
        }
    }

    pub(crate) fn node_count(&self) -> usize {
        match self {
            Conjoined::Family(family) => family.node_count(),
            Conjoined::Function(function) => function.node_count(),
        }
    }

    /// The solutions as a diagram of the kind that a sweep builds.
    pub(crate) fn to_zdd(&self) -> Result<Zdd, Error> {
        match self {
            Conjoined::Family(family) => family.to_zdd(),
            Conjoined::Function(function) => Ok(function.to_bdd()?.to_zdd()?),
        }
    }
}

/// A drawing as text.
fn drawn(drawing: &impl Display, ascii: bool) -> String {
    if ascii { drawing.to_string() } else { format!("{drawing:#}") }
}

/// The picture of a board with given and forbidden squares.
fn fixed_board(board: Board, [given, forbidden]: [&[Square]; 2]) -> BoardPicture {
    BoardPicture::new(board).given(given.iter().copied()).forbidden(forbidden.iter().copied())
}

/// The number of solutions that use each square, if each variable is two-valued and stands for
/// squares of its own, which `squares` returns for the solution in which it alone is 1.
fn uses(
    zdd: &Zdd,
    squares: impl Fn(&[usize]) -> Vec<Square>,
) -> impl Iterator<Item = (Square, BigUint)> {
    let mut counts = zdd.value_counts();
    let mut alone = vec![0; counts.len()];
    let mut uses = Vec::new();
    for (variable, of_variable) in counts.iter_mut().enumerate() {
        alone[variable] = 1;
        let count = of_variable.get_mut(1).map(std::mem::take).unwrap_or_default();
        uses.extend(squares(&alone).into_iter().map(|square| (square, count.clone())));
        alone[variable] = 0;
    }
    uses.into_iter()
}

/// The board of a problem with a two-valued variable for each square, or for each set of squares
/// that symmetry makes one. `squares` reads a solution.
fn placement(
    piece: Piece,
    board: Board,
    variables: usize,
    squares: impl Fn(&[usize]) -> Option<Vec<Square>>,
) -> Option<Placement> {
    let mut puts = vec![None; board.rows.checked_mul(board.cols)?];
    let mut alone = vec![0; variables];
    for variable in 0..variables {
        alone[variable] = 1;
        for square in squares(&alone)? {
            *puts.get_mut(board.index(square)?)? = Some((variable, 1));
        }
        alone[variable] = 0;
    }
    let puts: Option<Vec<_>> = puts.into_iter().collect();
    Some(Placement { piece, board, puts: puts? })
}

/// The names of squares, or of other parts of a solution.
pub(crate) fn names(squares: &[impl Display]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}
