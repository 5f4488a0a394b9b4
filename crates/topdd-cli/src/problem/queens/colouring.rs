//! `topdd queens --colouring`.

use serde_json::Value;
use topdd::{DdSpec, Frontier, SpecExt, Zdd};
use topdd_chess::Square;
use topdd_chess::queens::{Queens, QueensColourings, QueensError};
use topdd_draw::BoardPicture;
use topdd_problem::QueensProblem;

use crate::failure::Failure;
use crate::problem::{Computation, Identity, Presentation, drawn, names};

/// A board taken apart into disjoint solutions.
pub(super) struct Colouring {
    asked: QueensProblem,
    colourings: QueensColourings,
    identity: Identity,
}

impl Colouring {
    pub(super) fn new(
        asked: QueensProblem,
        queens: &Queens,
        identity: Identity,
    ) -> Result<Self, Failure> {
        let colourings = queens.colourings().map_err(|error| match error {
            QueensError::Build(error) => Failure::Failed(error.to_string()),
            error => Failure::usage(error),
        })?;
        Ok(Colouring { asked, colourings, identity })
    }

    /// The colours, split from the list of all their squares.
    fn colours<'s>(&self, squares: &'s [Square]) -> impl Iterator<Item = &'s [Square]> {
        // Each colour has a square in each row.
        squares.chunks(self.colourings.board().rows.max(1))
    }
}

impl Computation for Colouring {
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

impl Presentation for Colouring {
    fn read(&self, solution: &[usize]) -> Option<Vec<Square>> {
        let squares = self.colourings.get_colours(solution)?.concat();
        let board = self.colourings.board();
        (squares.len() == board.rows * board.cols).then_some(squares)
    }

    fn listed(&self, squares: &[Square]) -> Value {
        self.colours(squares).map(names).collect()
    }

    fn line(&self, _squares: &[Square]) -> String {
        String::new()
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        let colours: Vec<&[Square]> = self.colours(squares).collect();
        drawn(&self.colourings.board().draw_classes(&colours), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        let colours: Vec<&[Square]> = self.colours(squares).collect();
        BoardPicture::new(self.colourings.board())
            .given(self.asked.on.given.iter().copied())
            .forbidden(self.asked.on.forbidden.iter().copied())
            .classes(&colours)
    }

    fn heat(&self, _zdd: &Zdd) -> Result<BoardPicture, Failure> {
        Err(Failure::usage("--heat is not for --colouring, which uses all squares"))
    }
}
