//! What each problem has of its own. Everything else is `run` and `output`.

pub(crate) mod knights;
pub(crate) mod place;
pub(crate) mod queens;
mod unique;

use std::fmt::Display;

use clap::ValueEnum;
use num_bigint::BigUint;
use serde_json::Value;
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_apply::{Family, Manager};
use topdd_chess::Square;
use topdd_chess::picture::BoardPicture;

use crate::args::Turn;
use crate::failure::Failure;
pub(crate) use unique::Unique;

/// A problem as it was asked on the command line.
pub(crate) trait Problem {
    /// What is solved, in a line.
    fn title(&self) -> String;

    /// What is solved, for scripts.
    fn facts(&self) -> Value;

    /// The name of the formulation: problems with equal facts and different states differ in it.
    fn formulation(&self) -> &'static str;

    /// What a variable is.
    fn unit(&self) -> &'static str;

    /// Makes the sweep over the spec of the problem.
    fn frontier(&self) -> Result<Frontier<'_>, Failure>;

    /// Makes the spec for a search.
    fn spec(&self) -> Result<BoxedSpec<'static>, Failure> {
        Err(Failure::usage("this problem has no spec for a search"))
    }

    /// The number of variables of that spec.
    fn num_vars(&self) -> Result<usize, Failure>;

    /// The size of the classic formulation.
    fn classic(&self) -> Result<Classic, Failure>;

    /// The solutions by the classic formulation, in a manager that is large enough.
    /// `conjoined` gets what is conjoined so far after each constraint.
    fn family(
        &self,
        manager: &Manager,
        conjoined: &mut dyn FnMut(usize, &Family),
    ) -> Result<Family, Failure>;

    /// How solutions count as one, if images of one another do.
    fn unique(&self) -> Option<&Unique> {
        None
    }

    /// The squares of a solution, in the order in which they are read.
    fn squares(&self, solution: &[usize]) -> Vec<Square>;

    /// These squares, for scripts.
    fn listed(&self, squares: &[Square]) -> Value {
        names(squares).into()
    }

    /// These squares, in a line.
    fn line(&self, squares: &[Square]) -> String {
        names(squares).join(" ")
    }

    /// A drawing of these squares as text, of whole lines, in plain ASCII if that is asked for.
    fn draw(&self, squares: &[Square], ascii: bool) -> String;

    /// A picture of these squares.
    fn picture(&self, squares: &[Square]) -> BoardPicture;

    /// Refuses what [`heat`](Problem::heat) cannot draw.
    fn heats(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// A picture of how often squares, or moves, are used in the solutions.
    fn heat(&self, zdd: &Zdd) -> Result<BoardPicture, Failure>;
}

/// How large a classic formulation is.
pub(crate) struct Classic {
    /// How many two-valued variables it has.
    pub(crate) variables: usize,
    /// How many constraints are conjoined.
    pub(crate) constraints: usize,
    /// What a constraint is about.
    pub(crate) unit: &'static str,
}

/// The word by which something is chosen on the command line.
fn word(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// What is asked of pieces besides, as the end of a title.
fn conditions(
    [maximal, toroidal]: [bool; 2],
    symmetric: Option<Turn>,
    given: &[Square],
    forbidden: &[Square],
) -> String {
    let mut words = String::new();
    if maximal {
        words += ", leaving no free square";
    }
    if toroidal {
        words += ", toroidal";
    }
    if let Some(turn) = symmetric {
        words = words + ", the same after a turn by " + &turn.degrees().to_string() + " degrees";
    }
    for (word, squares) in [("given", given), ("forbidden", forbidden)] {
        if !squares.is_empty() {
            words = words + ", " + word + " " + &names(squares).join(" ");
        }
    }
    words
}

/// A drawing as text.
fn drawn(drawing: &impl Display, ascii: bool) -> String {
    if ascii { drawing.to_string() } else { format!("{drawing:#}") }
}

/// How often each square has a piece, where each variable says it of squares of its own: those
/// that are in the solution which has this one piece.
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

/// The names of squares.
pub(crate) fn names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}
