//! `topdd place`, and queens that may leave rows empty.

use num_bigint::BigUint;
use serde_json::json;
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_chess::{Classes, Pieces, Square, Symmetry};
use topdd_draw::BoardPicture;
use topdd_problem::{PiecesProblem, Subject};

use super::fixed_board;
use super::{
    Computation, Identity, Placement, Presentation, Problem, UpToSymmetry, Variables, drawn,
    placement, uses,
};
use crate::args::{Common, PiecesPlaced, Place};
use crate::failure::Failure;
use crate::sweep::Sweep;

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
    Ok(Box::new(Placements { pieces, identity, unique }))
}

/// The pieces of a command line; for --most, the largest number of them is found by a sweep.
pub(crate) fn pieces(asked: &PiecesPlaced, common: &Common) -> Result<PiecesProblem, Failure> {
    let mut problem = asked.problem();
    if asked.most {
        problem.number = Some(most(&problem.pieces(), common)?);
    }
    Ok(problem)
}

/// The board of pieces; none if they have no spec.
pub(crate) fn placement_of(pieces: &Pieces) -> Option<Placement> {
    let variables = pieces.num_vars().ok()?;
    placement(pieces.piece(), pieces.board(), variables, |alone| pieces.squares(alone).ok())
}

/// Finds the largest number of pieces in a placement; 0 if there is no placement.
fn most(pieces: &Pieces, common: &Common) -> Result<usize, Failure> {
    #[cfg(feature = "cluster")]
    crate::cluster::refuse(common, "--most")?;
    let any = Sweep::aside(common, true).of_pieces(pieces)?;
    Ok(any.zdd.as_ref().and_then(|zdd| pieces.most(zdd)).unwrap_or(0))
}

/// The failure for options that the apply engine does not have.
pub(super) fn only_frontier(what: &str) -> Failure {
    Failure::Usage(format!("{what}: for --engine frontier only"))
}

/// Pieces by square.
pub(super) struct Placements {
    pub(super) pieces: Pieces,
    pub(super) identity: Identity,
    pub(super) unique: Option<Unique>,
}

impl Placements {
    /// The board, with given and forbidden squares.
    fn board(&self) -> BoardPicture {
        let (given, forbidden) = self.pieces.fixed();
        fixed_board(self.pieces.board(), [given, forbidden])
    }
}

impl Computation for Placements {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        self.pieces.frontier().map_err(Failure::usage)
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        self.pieces.num_vars().map_err(Failure::usage)
    }

    fn spec(&self) -> Result<BoxedSpec<'static>, Failure> {
        self.pieces.spec().map_err(Failure::usage)
    }
}

impl Presentation for Placements {
    fn read(&self, solution: &[usize]) -> Option<Vec<Square>> {
        self.pieces.squares(solution).ok()
    }

    fn unique(&self) -> Option<&dyn UpToSymmetry<Square>> {
        self.unique.as_ref().map(|unique| unique as _)
    }

    fn variables(&self) -> Option<Variables> {
        placement_of(&self.pieces).map(Variables::Board)
    }

    fn draw(&self, squares: &[Square], ascii: bool) -> String {
        let letter = self.pieces.piece().letter();
        drawn(&self.pieces.board().draw_pieces(letter, squares), ascii)
    }

    fn picture(&self, squares: &[Square]) -> BoardPicture {
        self.board().pieces(self.pieces.piece(), squares)
    }

    fn heat(&self, zdd: &Zdd) -> Result<BoardPicture, Failure> {
        Ok(self.board().heat(uses(zdd, |solution| self.squares(solution)), &zdd.count()))
    }
}

/// Classes of solutions that are images of one another.
pub(super) struct Unique {
    /// The problem as pieces, which may be restricted to symmetric ones.
    pieces: Pieces,
    classes: Classes,
}

impl Unique {
    /// Makes the classes of the solutions of some pieces.
    pub(crate) fn new(pieces: Pieces) -> Result<Self, Failure> {
        let classes = pieces.classes().map_err(Failure::usage)?;
        Ok(Unique { pieces, classes })
    }
}

impl UpToSymmetry<Square> for Unique {
    /// By Burnside's lemma, from the numbers of symmetric solutions.
    fn count(&self, all: &BigUint, common: &Common) -> Result<BigUint, Failure> {
        self.classes.count(|symmetry| {
            if symmetry == Symmetry::Identity {
                return Ok(all.clone());
            }
            let fixed = self.pieces.clone().symmetric([symmetry]);
            Ok(Sweep::aside(common, false).of_pieces(&fixed)?.count)
        })
    }

    fn is_first(&self, squares: &[Square]) -> bool {
        self.classes.is_first(squares)
    }

    fn first(&self, squares: &[Square]) -> Result<Vec<Square>, Failure> {
        self.classes.first(squares).map_err(Failure::usage)
    }

    fn symmetries(&self) -> usize {
        self.classes.symmetries().len()
    }

    fn stabilizer_size(&self, squares: &[Square]) -> usize {
        self.classes.stabilizer_size(squares)
    }
}
