//! `topdd queens`.

use serde_json::{Value, json};
use topdd::{DdSpec, Frontier, SpecExt};
use topdd_chess::queens::{BoardEncoding, Queens, QueensColourings, QueensError};
use topdd_chess::{Pieces, Square};
use topdd_draw::BoardPicture;
use topdd_problem::{QueensEncoding, QueensProblem, Subject};

use super::place::{Placed, Unique};
use super::{Identity, OnBoard, Problem, drawn, fixed_board, names};
use crate::args;
use crate::failure::Failure;

/// Makes the problem of a command line.
pub(crate) fn problem(asked: &args::Queens) -> Result<Box<dyn Problem>, Failure> {
    let is_apply = asked.engine.is_apply();
    let encoding = match asked.encoding {
        _ if asked.colouring => QueensEncoding::Colour,
        _ if is_apply || asked.anywhere().is_some() => QueensEncoding::Cell,
        given => given.unwrap_or(QueensEncoding::Row),
    };
    if let Some(flag) = asked.anywhere() {
        if is_apply {
            return Err(only_frontier("pieces that may stand anywhere"));
        }
        if asked.encoding == Some(QueensEncoding::Row) {
            return Err(Failure::Usage(format!(
                "with {flag}, queens are placed by cell; leave --encoding row out"
            )));
        }
        if asked.no_forward_check {
            return Err(Failure::Usage(format!(
                "--no-forward-check is not for queens with {flag}; leave it out"
            )));
        }
    }
    if asked.colouring && is_apply {
        return Err(only_frontier("--colouring"));
    }
    let (forward_check, unique) = (!asked.no_forward_check, asked.unique);
    made(&asked.placed.problem(encoding)?, QueensRun { is_apply, forward_check, unique })
}

/// The failure for options that the apply engine does not have.
fn only_frontier(what: &str) -> Failure {
    Failure::Usage(format!("{what}: for --engine frontier only"))
}

/// How queens are solved.
#[derive(Clone, Copy)]
struct QueensRun {
    is_apply: bool,
    forward_check: bool,
    /// Whether images of one another count as one.
    unique: bool,
}

/// The queens of a saved diagram.
pub(crate) fn saved(queens: &QueensProblem) -> Result<Box<dyn Problem>, Failure> {
    let run = QueensRun { is_apply: false, forward_check: true, unique: false };
    made(queens, run)
}

fn made(asked: &QueensProblem, run: QueensRun) -> Result<Box<dyn Problem>, Failure> {
    let pieces = asked.pieces();
    let unique = run.unique.then(|| Unique::new(pieces.clone())).transpose()?;
    let identity = identity(asked, run);
    let queens = asked.queens().forward_check(run.forward_check);
    if asked.encoding == QueensEncoding::Colour {
        return Ok(Box::new(Colouring::new(pieces, &queens, identity)?));
    }
    let is_apply = run.is_apply;
    // Superqueens by cell are pieces, but for the apply engine.
    let is_in_rows = |encoding: &BoardEncoding| {
        !asked.superqueens || is_apply || *encoding != BoardEncoding::Cell
    };
    let in_rows = asked.board_encoding().filter(is_in_rows).map(|encoding| (queens, encoding));
    Ok(Box::new(Placed { pieces, in_rows, is_apply, identity, unique }))
}

/// The texts that identify queens in an encoding.
fn identity(asked: &QueensProblem, run: QueensRun) -> Identity {
    let described = format!("{}, by {}", asked.words(), asked.encoding.word());
    let (title, formulation, unit) = match asked.encoding {
        QueensEncoding::Row => (described, "queens in rows", "row"),
        QueensEncoding::Colour => {
            (format!("colourings by solutions of {described}"), "colourings", "colour")
        }
        QueensEncoding::Cell if asked.is_in_rows() => (described, "queens in rows", "square"),
        QueensEncoding::Cell => (described, "placements", "square"),
    };
    let mut facts = json!(asked);
    facts["name"] = "queens".into();
    facts["unique"] = run.unique.into();
    facts["colouring"] = (asked.encoding == QueensEncoding::Colour).into();
    facts["forward_check"] = run.forward_check.into();
    facts["engine"] = if run.is_apply { "apply" } else { "frontier" }.into();
    Identity { title, facts, formulation, unit, subject: Some(Subject::Queens(asked.clone())) }
}

/// A board taken apart into disjoint solutions.
struct Colouring {
    pieces: Pieces,
    colourings: QueensColourings,
    identity: Identity,
}

impl Colouring {
    fn new(pieces: Pieces, queens: &Queens, identity: Identity) -> Result<Self, Failure> {
        let colourings = queens.colourings().map_err(|error| match error {
            QueensError::Build(error) => Failure::Failed(error.to_string()),
            error => Failure::usage(error),
        })?;
        Ok(Colouring { pieces, colourings, identity })
    }

    /// The colours, split from the list of all their squares.
    fn colours<'s>(&self, squares: &'s [Square]) -> Vec<&'s [Square]> {
        // Each colour has a square in each row.
        squares.chunks(self.colourings.board().rows.max(1)).collect()
    }
}

impl OnBoard for Colouring {
    fn read(&self, solution: &[usize]) -> Option<Vec<Square>> {
        let squares = self.colourings.get_colours(solution)?.concat();
        let board = self.colourings.board();
        (squares.len() == board.rows * board.cols).then_some(squares)
    }

    fn board(&self) -> BoardPicture {
        fixed_board(&self.pieces)
    }

    fn listed(&self, squares: &[Square]) -> Value {
        self.colours(squares).into_iter().map(names).collect()
    }

    fn line(&self, _squares: &[Square]) -> String {
        String::new()
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        drawn(&self.colourings.board().draw_classes(&self.colours(squares)), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        self.board().classes(&self.colours(squares))
    }
}

impl Problem for Colouring {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        // Boxed, so that no engine is compiled here.
        Ok(Frontier::of_boxed((&self.colourings).boxed()))
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.colourings.num_vars())
    }
}
