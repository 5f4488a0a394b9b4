//! The problems: what to compute, and how to show the solutions. `run` and `output` contain the common parts.

pub(crate) mod cnf;
pub(crate) mod cover;
pub(crate) mod files;
pub(crate) mod graph;
pub(crate) mod knights;
pub(crate) mod opb;
pub(crate) mod place;
pub(crate) mod queens;

use std::fmt::Display;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use serde_json::{Value, json};
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_apply::{Family, Manager};
use topdd_chess::{Pieces, Square};
use topdd_draw::{BoardPicture, Picture, sheet};
use topdd_graph::families::GraphSets;
use topdd_problem::bounded::BoundedOptions;
use topdd_problem::{Elements, Name, Placement, Subject, Weighing};

use crate::failure::Failure;
use crate::form::{Form, Sheet, Usage, Values};
use place::Unique;

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

/// A method to count the sets of a family that is often faster than the sweep over all conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountMethod {
    /// By [`GraphSets::bounded_paths`].
    Paths,
    /// By [`GraphSets::count_with`], where a bound on a sum may be no part of the states.
    Sums,
}

/// A problem of the command line: what it computes, and how solutions are drawn.
pub(crate) trait Problem: Form {
    /// The texts that identify the problem.
    fn identity(&self) -> &Identity;

    /// Makes the sweep over the spec of the problem.
    fn frontier(&self) -> Result<Frontier<'_>, Failure>;

    /// Another method to count than the sweep, and the family, if there is one.
    fn other_count(&self) -> Option<(CountMethod, &GraphSets)> {
        None
    }

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

    /// Whether the solutions with each element are also counted.
    fn counts_elements(&self) -> bool {
        false
    }

    /// The classic formulation, if the command line asks for the apply engine.
    fn classic(&self) -> Result<Option<Classic<'_>>, Failure> {
        Ok(None)
    }

    /// The classes of solutions, if images of one another count as one.
    fn unique(&self) -> Option<&Unique> {
        None
    }

    /// Whether a solution is the one of its class that is shown.
    fn is_first(&self, _solution: &[usize]) -> bool {
        true
    }

    /// The number of best solutions that are to be shown, and their weights.
    fn best(&self) -> Option<(usize, Weighing)> {
        None
    }

    /// The options of a bounded run, if one is asked for.
    fn bounded(&self) -> Option<BoundedOptions> {
        None
    }

    /// Those solutions of the diagram that are asked for; `None` for all.
    fn select(&self, _zdd: &Zdd) -> Result<Option<Zdd>, Failure> {
        Ok(None)
    }

    /// The sum over the solutions of the products of their weights, if the problem has weights.
    fn weighted_count(&self, _zdd: &Zdd) -> Option<Ratio<BigInt>> {
        None
    }

    /// The meaning of the variables, for saved diagrams.
    fn variables(&self) -> Option<Variables<'_>> {
        None
    }

    /// Fails if [`heat`](Problem::heat) cannot draw this problem.
    fn heats(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// A picture of how often squares, moves or elements are used in the solutions.
    fn heat(&self, _zdd: &Zdd, _title: String) -> Result<Picture, Failure> {
        Err(Failure::usage("--heat is not for this problem"))
    }
}

/// The meaning of the variables of a problem.
pub(crate) enum Variables<'a> {
    Board(Placement),
    Elements(&'a Elements),
}

/// A problem whose solutions are lists of squares.
pub(crate) trait OnBoard {
    /// The squares of a solution, in the order in which they are listed; `None` if the values are not a solution, as in a
    /// forged file. `solution` has as many values as there are variables.
    fn read(&self, solution: &[usize]) -> Option<Vec<Square>>;

    /// The board without pieces.
    fn board(&self) -> BoardPicture;

    /// The squares as JSON.
    fn listed(&self, squares: &[Square]) -> Value {
        names(squares).into()
    }

    /// The squares in a line.
    fn line(&self, squares: &[Square]) -> String {
        names(squares).join(" ")
    }

    /// A drawing as text.
    fn draw(&self, squares: &[Square], ascii: bool) -> String;

    /// A picture on the board.
    fn picture(&self, squares: &[Square]) -> BoardPicture;

    /// The variable and the value that put a piece on each square, if each square has them.
    fn placement(&self) -> Option<Placement> {
        None
    }
}

impl<P: OnBoard> Form for P {
    fn line(&self, solution: &[usize]) -> String {
        let squares = self.read(solution);
        squares.map_or_else(|| Values::line_of(solution), |squares| OnBoard::line(self, &squares))
    }

    fn json(&self, solution: &[usize]) -> Value {
        self.read(solution).map_or_else(|| json!(solution), |squares| self.listed(&squares))
    }

    fn draw(&self, solution: &[usize], ascii: bool) -> Option<String> {
        Some(OnBoard::draw(self, &self.read(solution)?, ascii))
    }

    fn usage(&self, counts: &[Vec<BigUint>]) -> Vec<Usage> {
        let Some(placement) = self.placement() else { return Values { names: None }.usage(counts) };
        let of_square = |(square, count): (Square, BigUint)| Usage {
            name: Name::Label(square.to_string()),
            value: None,
            value_name: None,
            count,
        };
        uses(&placement, counts).map(of_square).collect()
    }

    fn picture(&self, Sheet { solutions, across, title }: &Sheet) -> Option<Picture> {
        let picture = |(solution, caption): &(Vec<usize>, String)| {
            Some((OnBoard::picture(self, &self.read(solution)?), caption.clone()))
        };
        let mut pictures: Vec<_> = solutions.iter().map(picture).collect::<Option<_>>()?;
        match across {
            Some(across) => Some(sheet(&pictures, *across, title)),
            None => Some(pictures.pop()?.0.title(title).picture()),
        }
    }
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

/// Builds the solutions in a manager that has the variables, and their diagram if it is asked for. The function that it
/// receives is called after each constraint, with their number and the number of nodes of the result so far.
pub(crate) type Conjoin<'a> =
    dyn Fn(&Manager, bool, &mut Conjoined<'_>) -> Result<Solved, Failure> + 'a;

/// A function that is called after each constraint.
pub(crate) type Conjoined<'a> = dyn FnMut(usize, &dyn Fn() -> usize) + 'a;

/// The number of solutions, and the diagram that a sweep builds.
pub(crate) type Solved = (BigUint, Option<Zdd>);

/// The solutions of a family of the apply engine.
fn solved(family: &Family, has_diagram: bool) -> Result<Solved, Failure> {
    Ok((family.count(), has_diagram.then(|| family.to_zdd()).transpose()?))
}

/// A drawing as text.
fn drawn(drawing: &impl Display, ascii: bool) -> String {
    if ascii { drawing.to_string() } else { format!("{drawing:#}") }
}

/// The picture of the board of pieces, with given and forbidden squares.
fn fixed_board(pieces: &Pieces) -> BoardPicture {
    let (given, forbidden) = pieces.fixed();
    let board = BoardPicture::new(pieces.board()).given(given.iter().copied());
    board.forbidden(forbidden.iter().copied())
}

/// The number of solutions that put a piece on each square.
fn uses<'a>(
    placement: &'a Placement,
    counts: &'a [Vec<BigUint>],
) -> impl Iterator<Item = (Square, BigUint)> + 'a {
    let squares = placement.board.squares().zip(&placement.puts);
    squares.map(|(square, &(variable, value))| (square, counts[variable][value].clone()))
}

/// The names of squares.
pub(crate) fn names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}
