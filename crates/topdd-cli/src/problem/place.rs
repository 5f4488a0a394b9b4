//! `topdd place`, and all pieces that do not attack one another.

use num_bigint::BigUint;
use serde_json::json;
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_apply::Family;
use topdd_chess::queens::{BoardEncoding, Queens, QueensError};
use topdd_chess::{Classes, Pieces, Square, Symmetry};
use topdd_draw::{BoardPicture, Picture};
use topdd_problem::{PiecesProblem, Placement, Subject};

use super::{
    Classic, Conjoined, Identity, OnBoard, Problem, Variables, drawn, fixed_board, solved, uses,
};
use crate::args::{Common, PiecesPlaced, Place};
use crate::failure::Failure;
use crate::sweep;

/// Makes the problem of a command line.
pub(crate) fn problem(asked: &Place) -> Result<Box<dyn Problem>, Failure> {
    made(&pieces(&asked.placed, &asked.common)?, asked.unique)
}

/// The pieces of a saved diagram.
pub(crate) fn saved(asked: &PiecesProblem) -> Result<Box<dyn Problem>, Failure> {
    made(asked, false)
}

fn made(asked: &PiecesProblem, is_unique: bool) -> Result<Box<dyn Problem>, Failure> {
    let pieces = asked.pieces();
    let mut facts = json!(asked);
    facts["name"] = "place".into();
    facts["unique"] = is_unique.into();
    facts["encoding"] = "cell".into();
    facts["engine"] = "frontier".into();
    let unique = is_unique.then(|| Unique::new(pieces.clone())).transpose()?;
    let (formulation, unit) = ("placements", "square");
    let subject = Some(Subject::Pieces(asked.clone()));
    let identity = Identity { title: asked.words(), facts, formulation, unit, subject };
    Ok(Box::new(Placed { pieces, in_rows: None, is_apply: false, identity, unique }))
}

/// The pieces of a command line; for --most, the largest number of them is found by a sweep.
pub(crate) fn pieces(asked: &PiecesPlaced, common: &Common) -> Result<PiecesProblem, Failure> {
    let mut problem = asked.problem()?;
    if asked.most {
        problem.number = Some(most(&problem.pieces(), common)?);
    }
    Ok(problem)
}

/// Finds the largest number of pieces in a placement; 0 if there is no placement.
fn most(pieces: &Pieces, common: &Common) -> Result<usize, Failure> {
    #[cfg(feature = "cluster")]
    crate::cluster::refuse(common, "--most")?;
    let any = sweep::aside(pieces, common, true)?;
    Ok(any.zdd.as_ref().and_then(|zdd| pieces.most(zdd)).unwrap_or(0))
}

/// Pieces that do not attack one another: by square, or queens by row.
pub(super) struct Placed {
    pub(super) pieces: Pieces,
    /// Queens in each row, and the meaning of a variable.
    pub(super) in_rows: Option<(Queens, BoardEncoding)>,
    pub(super) is_apply: bool,
    pub(super) identity: Identity,
    pub(super) unique: Option<Unique>,
}

impl OnBoard for Placed {
    fn read(&self, solution: &[usize]) -> Option<Vec<Square>> {
        match &self.in_rows {
            Some((queens, encoding)) => encoding.get_squares(queens.board(), solution),
            None => self.pieces.squares(solution).ok(),
        }
    }

    fn board(&self) -> BoardPicture {
        fixed_board(&self.pieces)
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        let letter = self.pieces.piece().letter();
        drawn(&self.pieces.board().draw_pieces(letter, squares), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        self.board().pieces(self.pieces.piece(), squares)
    }

    fn placement(&self) -> Option<Placement> {
        let (piece, board) = (self.pieces.piece(), self.pieces.board());
        if let Some((_, BoardEncoding::Row)) = self.in_rows {
            let puts = board.squares().map(|square| (square.row, square.col)).collect();
            return Some(Placement { piece, board, puts });
        }
        let variables = self.num_vars().ok()?;
        let mut puts = vec![None; board.rows.checked_mul(board.cols)?];
        let mut alone = vec![0; variables];
        for variable in 0..variables {
            alone[variable] = 1;
            for square in self.read(&alone)? {
                *puts.get_mut(board.index(square)?)? = Some((variable, 1));
            }
            alone[variable] = 0;
        }
        Some(Placement { piece, board, puts: puts.into_iter().collect::<Option<_>>()? })
    }
}

impl Problem for Placed {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        match &self.in_rows {
            Some((queens, encoding)) => queens.frontier(*encoding).map_err(Failure::usage),
            None => self.pieces.frontier().map_err(Failure::usage),
        }
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        match &self.in_rows {
            Some((queens, encoding)) => Ok(queens.num_vars(*encoding)),
            None => self.pieces.num_vars().map_err(Failure::usage),
        }
    }

    fn spec(&self) -> Result<BoxedSpec<'static>, Failure> {
        match &self.in_rows {
            Some((queens, _)) => queens.spec(BoardEncoding::Row).map_err(Failure::usage),
            None => self.pieces.spec().map_err(Failure::usage),
        }
    }

    fn classic(&self) -> Result<Option<Classic<'_>>, Failure> {
        let (Some((queens, _)), true) = (&self.in_rows, self.is_apply) else { return Ok(None) };
        // Errors in the problem come before errors of the manager.
        queens.frontier(BoardEncoding::Cell).map_err(Failure::usage)?;
        let board = queens.board();
        let conjoin = move |manager: &_, has_diagram: bool, conjoined: &mut Conjoined<'_>| {
            let on_row = |row: usize, family: &Family| conjoined(row + 1, &|| family.node_count());
            let family = queens.family(manager, on_row).map_err(|error| match error {
                QueensError::Apply(error) => error.into(),
                error => Failure::usage(error),
            })?;
            solved(&family, has_diagram)
        };
        let (variables, constraints) = (board.rows * board.cols, board.rows);
        Ok(Some(Classic { variables, constraints, unit: "row", conjoin: Box::new(conjoin) }))
    }

    fn unique(&self) -> Option<&Unique> {
        self.unique.as_ref()
    }

    fn is_first(&self, solution: &[usize]) -> bool {
        let is_first =
            |unique: &Unique| unique.classes.is_first(&self.read(solution).unwrap_or_default());
        self.unique.as_ref().is_none_or(is_first)
    }

    fn variables(&self) -> Option<Variables<'_>> {
        self.placement().map(Variables::Board)
    }

    fn heat(&self, zdd: &Zdd, title: String) -> Result<Picture, Failure> {
        let uses =
            self.placement().map(|placement| uses(&placement, &zdd.value_counts()).collect());
        let uses: Vec<_> = uses.unwrap_or_default();
        Ok(self.board().heat(uses, &zdd.count()).title(title).picture())
    }
}

/// Classes of solutions that are images of one another.
pub(crate) struct Unique {
    /// The problem as pieces, which may be restricted to symmetric ones.
    pieces: Pieces,
    classes: Classes,
}

impl Unique {
    /// Makes the classes of the solutions of some pieces.
    pub(super) fn new(pieces: Pieces) -> Result<Self, Failure> {
        let classes = pieces.classes().map_err(Failure::usage)?;
        Ok(Unique { pieces, classes })
    }

    /// Returns the number of classes, if there are `all` solutions, by Burnside's lemma from the numbers of symmetric
    /// solutions.
    pub(crate) fn count(&self, all: &BigUint, common: &Common) -> Result<BigUint, Failure> {
        self.classes.count(|symmetry| {
            if symmetry == Symmetry::Identity {
                return Ok(all.clone());
            }
            let fixed = self.pieces.clone().symmetric([symmetry]);
            Ok(sweep::aside(&fixed, common, false)?.count)
        })
    }
}
