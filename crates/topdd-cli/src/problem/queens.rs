//! `topdd queens`.

use serde_json::{Value, json};
use topdd::{BoxedSpec, DdSpec, Frontier, SpecExt, Zdd};
use topdd_apply::Family;
use topdd_chess::queens::{BoardEncoding, Queens, QueensColourings, QueensError};
use topdd_chess::{Piece, Square};
use topdd_draw::BoardPicture;
use topdd_problem::{QueensEncoding, QueensProblem, Subject};

use super::place::{Placements, Unique, only_frontier};
use super::{
    Classic, Computation, Conjoined, Identity, Placement, Presentation, Problem, UpToSymmetry,
    Variables, drawn, fixed_board, names, placement, uses,
};
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
    made(asked.placed.problem(encoding), QueensRun { is_apply, forward_check, unique })
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
    made(queens.clone(), run)
}

fn made(asked: QueensProblem, run: QueensRun) -> Result<Box<dyn Problem>, Failure> {
    let unique = run.unique.then(|| Unique::new(asked.pieces())).transpose()?;
    let identity = identity(&asked, run);
    let queens = asked.queens().forward_check(run.forward_check);
    Ok(match asked.board_encoding() {
        _ if asked.encoding == QueensEncoding::Colour => {
            Box::new(Colouring::new(asked, &queens, identity)?)
        }
        Some(encoding)
            if !(asked.superqueens && encoding == BoardEncoding::Cell && !run.is_apply) =>
        {
            Box::new(InRows { asked, is_apply: run.is_apply, queens, encoding, identity, unique })
        }
        _ => Box::new(Placements { pieces: asked.pieces(), identity, unique }),
    })
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

/// Queens in each row.
struct InRows {
    asked: QueensProblem,
    is_apply: bool,
    queens: Queens,
    encoding: BoardEncoding,
    identity: Identity,
    unique: Option<Unique>,
}

impl InRows {
    /// The board, with given and forbidden squares.
    fn board(&self) -> BoardPicture {
        fixed_board(self.queens.board(), [&self.asked.on.given, &self.asked.on.forbidden])
    }

    fn placement(&self) -> Option<Placement> {
        let board = self.queens.board();
        let piece = self.queens.piece();
        match self.encoding {
            BoardEncoding::Row => {
                let puts = board.squares().map(|square| (square.row, square.col)).collect();
                Some(Placement { piece, board, puts })
            }
            BoardEncoding::Cell => {
                let variables = board.rows.checked_mul(board.cols)?;
                placement(piece, board, variables, |alone| self.read(alone))
            }
        }
    }
}

impl Computation for InRows {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        self.queens.frontier(self.encoding).map_err(Failure::usage)
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.queens.num_vars(self.encoding))
    }

    fn spec(&self) -> Result<BoxedSpec<'static>, Failure> {
        self.queens.spec(BoardEncoding::Row).map_err(Failure::usage)
    }

    fn classic(&self) -> Result<Option<Classic<'_>>, Failure> {
        if !self.is_apply {
            return Ok(None);
        }
        // Errors in the problem come before errors of the manager.
        self.queens.frontier(BoardEncoding::Cell).map_err(Failure::usage)?;
        let board = self.queens.board();
        let conjoin = move |manager: &_, conjoined: &mut dyn FnMut(usize, &Conjoined)| {
            let on_row = |row: usize, family: &Family| {
                conjoined(row + 1, &Conjoined::Family(family.clone()));
            };
            self.queens.family(manager, on_row).map(Conjoined::Family).map_err(
                |error| match error {
                    QueensError::Apply(error) => Failure::of_apply(&error),
                    error => Failure::usage(error),
                },
            )
        };
        let (variables, constraints) = (board.rows * board.cols, board.rows);
        Ok(Some(Classic { variables, constraints, unit: "row", conjoin: Box::new(conjoin) }))
    }
}

impl Presentation for InRows {
    fn read(&self, solution: &[usize]) -> Option<Vec<Square>> {
        let squares = self.encoding.get_squares(self.queens.board(), solution)?;
        let board = self.queens.board();
        squares.iter().all(|&square| board.index(square).is_some()).then_some(squares)
    }

    fn unique(&self) -> Option<&dyn UpToSymmetry<Square>> {
        self.unique.as_ref().map(|unique| unique as _)
    }

    fn variables(&self) -> Option<Variables> {
        self.placement().map(Variables::Board)
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        drawn(&self.queens.board().draw_queens(squares), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        self.board().pieces(Piece::Queen, squares)
    }

    fn heat(&self, zdd: &Zdd) -> Result<BoardPicture, Failure> {
        let all = zdd.count();
        if self.encoding == BoardEncoding::Cell {
            return Ok(self.board().heat(uses(zdd, |solution| self.squares(solution)), &all));
        }
        let rows = zdd.value_counts().into_iter().enumerate();
        let squares = rows.flat_map(|(row, counts)| {
            let squares = counts.into_iter().enumerate();
            squares.map(move |(col, count)| (Square::new(row, col), count))
        });
        Ok(self.board().heat(squares, &all))
    }
}

/// A board taken apart into disjoint solutions.
struct Colouring {
    asked: QueensProblem,
    colourings: QueensColourings,
    identity: Identity,
}

impl Colouring {
    fn new(asked: QueensProblem, queens: &Queens, identity: Identity) -> Result<Self, Failure> {
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
        let on = &self.asked.on;
        fixed_board(self.colourings.board(), [&on.given, &on.forbidden]).classes(&colours)
    }
}
