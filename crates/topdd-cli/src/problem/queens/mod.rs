//! `topdd queens`.

mod colouring;

use serde_json::{Value, json};
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_apply::Family;
use topdd_chess::queens::{BoardEncoding, Queens, QueensError};
use topdd_chess::{Piece, Pieces, Square};
use topdd_draw::BoardPicture;

use super::place::{Placements, only_frontier};
use super::{
    Classic, Computation, Conjoined, Identity, Placement, Presentation, Problem, Unique,
    UpToSymmetry, Variables, condition_arguments, conditions, drawn, given_flags, placement,
    square_names, uses, word,
};
use crate::args::{self, QueensEncoding, QueensPlaced};
use crate::failure::Failure;
use colouring::Colouring;

/// Makes the problem of a command line.
pub(crate) fn problem(asked: &args::Queens) -> Result<Box<dyn Problem + '_>, Failure> {
    let queens = queens(&asked.placed).forward_check(!asked.no_forward_check);
    if let Some(flag) = asked.anywhere() {
        if asked.engine.is_apply() {
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
        let pieces = placements(&asked.placed, &queens);
        let unique = asked.unique.then(|| Unique::new(pieces.clone())).transpose()?;
        let identity = identity(asked, &pieces, "cell");
        return Ok(Box::new(Placements { pieces, identity, unique }));
    }
    if asked.colouring {
        return Ok(Box::new(Colouring::new(asked, &queens)?));
    }
    let encoding = match asked.encoding {
        _ if asked.engine.is_apply() => BoardEncoding::Cell,
        Some(QueensEncoding::Cell) => BoardEncoding::Cell,
        Some(QueensEncoding::Row) | None => BoardEncoding::Row,
    };
    let name = match encoding {
        BoardEncoding::Row => word(&QueensEncoding::Row),
        BoardEncoding::Cell => word(&QueensEncoding::Cell),
    };
    let pieces = placements(&asked.placed, &queens);
    let identity = identity(asked, &pieces, &name);
    let unique = asked.unique.then(|| Unique::new(pieces)).transpose()?;
    Ok(Box::new(InRows { asked, queens, encoding, identity, unique }))
}

/// The queens of a command line, one in each row.
pub(crate) fn queens(asked: &QueensPlaced) -> Queens {
    let board = asked.on.board.0;
    let queens = Queens::on(board.rows, board.cols)
        .given(asked.on.given.iter().copied())
        .forbid(asked.on.forbid.iter().copied())
        .toroidal(asked.on.toroidal);
    if asked.superqueens { queens.superqueens() } else { queens }
}

/// The queens of a command line, on any squares.
pub(crate) fn placements(asked: &QueensPlaced, queens: &Queens) -> Pieces {
    let pieces = queens.placements();
    let pieces = match asked.exactly {
        Some(number) => pieces.exactly(number),
        None if asked.any || asked.on.maximal => pieces.any(),
        None => pieces,
    };
    pieces.maximal(asked.on.maximal).symmetric(asked.on.symmetric.map(args::Rotation::symmetry))
}

/// The texts that identify queens in an encoding. `pieces` are the queens without their rows.
fn identity(asked: &args::Queens, pieces: &Pieces, encoding: &str) -> Identity {
    let described = format!("{}, by {encoding}", described(&asked.placed));
    let (title, formulation, unit) = match encoding {
        "row" => (described, "queens in rows", "row"),
        "colour" => (format!("colourings by solutions of {described}"), "colourings", "colour"),
        _ if asked.anywhere().is_some() => (described, "placements", "square"),
        _ => (described, "queens in rows", "square"),
    };
    let (facts, arguments) = (facts(asked, pieces, encoding), arguments(&asked.placed, encoding));
    Identity { title, facts, formulation, unit, arguments }
}

/// The queens and their board, in a line.
pub(crate) fn described(asked: &QueensPlaced) -> String {
    let queens = if asked.superqueens { "superqueens" } else { "queens" };
    let number = match asked.exactly {
        Some(number) => format!("{number} {queens}"),
        None if asked.any || asked.on.maximal => format!("any number of {queens}"),
        None => queens.to_owned(),
    };
    let besides = conditions(&asked.on);
    format!("{number} on {}{besides}", asked.on.board.0)
}

/// The arguments for these queens in an encoding, by the names under which files store them.
fn arguments(asked: &QueensPlaced, encoding: &str) -> Vec<String> {
    let mut words = vec!["queens".to_owned(), asked.on.board.0.to_string()];
    words.extend(given_flags([
        ("--super", asked.superqueens),
        ("--any", asked.any),
        ("--maximal", asked.on.maximal),
        ("--toroidal", asked.on.toroidal),
    ]));
    if let Some(number) = asked.exactly {
        words.extend(["--queens".to_owned(), number.to_string()]);
    }
    words.extend(condition_arguments(&asked.on));
    match encoding {
        "row" => {}
        "colour" => words.push("--colouring".to_owned()),
        encoding => words.extend(["--encoding".to_owned(), encoding.to_owned()]),
    }
    words
}

/// The problem as JSON.
fn facts(asked: &args::Queens, pieces: &Pieces, encoding: &str) -> Value {
    let (placed, board) = (&asked.placed, asked.placed.on.board.0);
    json!({
        "name": "queens",
        "rows": board.rows,
        "cols": board.cols,
        "super": placed.superqueens,
        "number": pieces.wanted(),
        "maximal": placed.on.maximal,
        "toroidal": placed.on.toroidal,
        "symmetric": placed.on.symmetric.map(args::Rotation::degrees),
        "given": square_names(&placed.on.given),
        "forbidden": square_names(&placed.on.forbid),
        "unique": asked.unique,
        "colouring": asked.colouring,
        "forward_check": !asked.no_forward_check,
        "encoding": encoding,
        "engine": word(&asked.engine.engine),
    })
}

/// Queens in each row.
struct InRows<'a> {
    asked: &'a args::Queens,
    queens: Queens,
    encoding: BoardEncoding,
    identity: Identity,
    unique: Option<Unique>,
}

impl InRows<'_> {
    /// The board, with given and forbidden squares.
    fn board(&self) -> BoardPicture {
        BoardPicture::new(self.queens.board())
            .given(self.asked.placed.on.given.iter().copied())
            .forbidden(self.asked.placed.on.forbid.iter().copied())
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

impl Computation for InRows<'_> {
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
        if !self.asked.engine.is_apply() {
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

impl Presentation for InRows<'_> {
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
