//! `topdd queens`.

use serde_json::{Value, json};
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_apply::{Family, Manager};
use topdd_chess::picture::BoardPicture;
use topdd_chess::queens::{BoardEncoding, Queens, QueensError};
use topdd_chess::{Piece, Pieces, Square};

use super::colouring::Colouring;
use super::place::Placements;
use super::{Classic, Problem, Unique, conditions, drawn, names, uses, word};
use crate::args::{QueensEncoding, QueensPlaced};
use crate::failure::Failure;
use crate::first;
use crate::picture::Pictures;
use crate::{apply, args, run};

/// Answers what is asked.
pub(crate) fn run(asked: &args::Queens) -> Result<(), Failure> {
    let queens = of(&asked.placed).forward_check(!asked.no_forward_check);
    let common = &asked.common;
    if let Some(flag) = asked.anywhere() {
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
        let unique = asked.unique.then(|| Unique::of(pieces.clone())).transpose()?;
        let (title, facts) = (title(&asked.placed, "cell"), facts(asked, &pieces, "cell"));
        let problem = Placements::new(pieces, title, facts, unique, common)?;
        if asked.first {
            let pictures = Pictures::asked(&problem, common)?;
            let found = first::search(&problem.spec()?, common)?;
            return first::tell(&problem, common, &found, pictures);
        }
        return run::run(&problem, common);
    }
    if asked.colouring {
        return run::run(&Colouring::of(asked, &queens)?, common);
    }
    let unique =
        asked.unique.then(|| Unique::of(placements(&asked.placed, &queens))).transpose()?;
    let problem = InRows { asked, queens, unique };
    if asked.first {
        let pictures = Pictures::asked(&problem, common)?;
        let found = first::search(&problem.spec()?, common)?;
        return first::tell(&problem, common, &found, pictures);
    }
    run::run(&problem, common)
}

/// The queens that are asked, one in each row.
pub(crate) fn of(asked: &QueensPlaced) -> Queens {
    let board = asked.board();
    Queens::on(board.rows, board.cols)
        .given(asked.given.iter().copied())
        .forbid(asked.forbid.iter().copied())
        .toroidal(asked.toroidal)
}

/// The queens that are asked, wherever they may stand.
pub(crate) fn placements(asked: &QueensPlaced, queens: &Queens) -> Pieces {
    let pieces = if asked.superqueens {
        queens.clone().superqueens().placements()
    } else {
        queens.placements()
    };
    let pieces = match asked.number {
        Some(number) => pieces.number(number),
        None if asked.any || asked.maximal => pieces.any_number(),
        None => pieces,
    };
    pieces.maximal(asked.maximal).symmetric(asked.symmetric.map(args::Turn::symmetry))
}

/// What is solved, in a line.
pub(super) fn title(asked: &QueensPlaced, encoding: &str) -> String {
    format!("{}, by {encoding}", described(asked))
}

/// Which queens, on which board, in a line.
pub(crate) fn described(asked: &QueensPlaced) -> String {
    let queens = if asked.superqueens { "superqueens" } else { "queens" };
    let number = match asked.number {
        Some(number) => format!("{number} {queens}"),
        None if asked.any || asked.maximal => format!("any number of {queens}"),
        None => queens.to_owned(),
    };
    let besides = [asked.maximal, asked.toroidal];
    let besides = conditions(besides, asked.symmetric, &asked.given, &asked.forbid);
    format!("{number} on {}{besides}", asked.board())
}

/// What is solved, for scripts.
pub(super) fn facts(asked: &args::Queens, pieces: &Pieces, encoding: &str) -> Value {
    let (placed, board) = (&asked.placed, asked.placed.board());
    json!({
        "name": "queens",
        "rows": board.rows,
        "cols": board.cols,
        "super": placed.superqueens,
        "number": pieces.wanted(),
        "maximal": placed.maximal,
        "toroidal": placed.toroidal,
        "symmetric": placed.symmetric.map(args::Turn::degrees),
        "given": names(&placed.given),
        "forbidden": names(&placed.forbid),
        "unique": asked.unique,
        "colouring": asked.colouring,
        "forward_check": !asked.no_forward_check,
        "encoding": encoding,
        "engine": word(&asked.common.engine),
    })
}

/// Queens in each row.
struct InRows<'a> {
    asked: &'a args::Queens,
    queens: Queens,
    unique: Option<Unique>,
}

impl InRows<'_> {
    fn encoding(&self) -> BoardEncoding {
        match self.asked.encoding {
            _ if self.asked.common.engine == args::Engine::Apply => BoardEncoding::Cell,
            Some(QueensEncoding::Cell) => BoardEncoding::Cell,
            Some(QueensEncoding::Row) | None => BoardEncoding::Row,
        }
    }

    /// Makes the spec by row, for a search.
    fn spec(&self) -> Result<BoxedSpec<'static>, Failure> {
        let spec = if self.asked.placed.superqueens {
            self.queens.clone().superqueens().spec(BoardEncoding::Row)
        } else {
            self.queens.spec(BoardEncoding::Row)
        };
        spec.map_err(Failure::usage)
    }

    /// The board, with what is given and forbidden.
    fn board(&self) -> BoardPicture {
        BoardPicture::new(self.queens.board())
            .given(self.asked.placed.given.iter().copied())
            .forbidden(self.asked.placed.forbid.iter().copied())
    }

    fn told_encoding(&self) -> String {
        match self.encoding() {
            BoardEncoding::Row => word(&QueensEncoding::Row),
            BoardEncoding::Cell => word(&QueensEncoding::Cell),
        }
    }
}

impl Problem for InRows<'_> {
    fn title(&self) -> String {
        title(&self.asked.placed, &self.told_encoding())
    }

    fn facts(&self) -> Value {
        facts(self.asked, &placements(&self.asked.placed, &self.queens), &self.told_encoding())
    }

    fn unit(&self) -> &'static str {
        match self.encoding() {
            BoardEncoding::Row => "row",
            BoardEncoding::Cell => "square",
        }
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        let frontier = if self.asked.placed.superqueens {
            self.queens.clone().superqueens().frontier(self.encoding())
        } else {
            self.queens.frontier(self.encoding())
        };
        frontier.map_err(Failure::usage)
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.queens.num_vars(self.encoding()))
    }

    fn classic(&self) -> Result<Classic, Failure> {
        // Refuses what makes no sense before there is a manager.
        if self.asked.placed.superqueens {
            self.queens
                .clone()
                .superqueens()
                .frontier(BoardEncoding::Cell)
                .map_err(Failure::usage)?;
        } else {
            self.queens.frontier(BoardEncoding::Cell).map_err(Failure::usage)?;
        }
        let board = self.queens.board();
        let variables = board.rows * board.cols;
        Ok(Classic { variables, constraints: board.rows, unit: "row" })
    }

    fn family(
        &self,
        manager: &Manager,
        conjoined: &mut dyn FnMut(usize, &Family),
    ) -> Result<Family, Failure> {
        let on_row = |row: usize, family: &Family| conjoined(row + 1, family);
        let family = if self.asked.placed.superqueens {
            self.queens.clone().superqueens().family(manager, on_row)
        } else {
            self.queens.family(manager, on_row)
        };
        family.map_err(|error| match error {
            QueensError::Apply(error) => apply::failed(&error),
            error => Failure::usage(error),
        })
    }

    fn unique(&self) -> Option<&Unique> {
        self.unique.as_ref()
    }

    fn squares(&self, solution: &[usize]) -> Vec<Square> {
        self.encoding().squares(self.queens.board(), solution)
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        drawn(&self.queens.board().draw_queens(squares), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        self.board().pieces(Piece::Queen, squares)
    }

    fn heat(&self, zdd: &Zdd) -> Result<BoardPicture, Failure> {
        let all = zdd.count();
        if self.encoding() == BoardEncoding::Cell {
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
