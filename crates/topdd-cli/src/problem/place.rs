//! `topdd place`, and queens that may leave rows empty.

use serde_json::json;
use topdd::{BoxedSpec, Frontier, Zdd};
use topdd_chess::{Pieces, Square};
use topdd_draw::BoardPicture;

use super::{
    Computation, Identity, Placement, Presentation, Problem, Unique, UpToSymmetry, Variables,
    condition_arguments, conditions, drawn, given_flags, placement, square_names, uses, word,
};
use crate::args::{Common, PiecesPlaced, Place, Rotation};
use crate::failure::Failure;
use crate::sweep::Sweep;

/// Makes the problem of a command line.
pub(crate) fn problem(asked: &Place) -> Result<Box<dyn Problem + '_>, Failure> {
    let placed = &asked.placed;
    let (pieces, title) = pieces(placed, &asked.common)?;
    let facts = json!({
        "name": "place",
        "piece": pieces.piece().to_string(),
        "rows": placed.on.board.0.rows,
        "cols": placed.on.board.0.cols,
        "number": pieces.wanted(),
        "most": placed.most,
        "maximal": placed.on.maximal,
        "toroidal": placed.on.toroidal,
        "symmetric": placed.on.symmetric.map(Rotation::degrees),
        "given": square_names(&placed.on.given),
        "forbidden": square_names(&placed.on.forbid),
        "unique": asked.unique,
        "encoding": "cell",
        "engine": "frontier",
    });
    let unique = asked.unique.then(|| Unique::new(pieces.clone())).transpose()?;
    let (formulation, unit) = ("placements", "square");
    let arguments = arguments(placed, &pieces);
    let identity = Identity { title, facts, formulation, unit, arguments };
    Ok(Box::new(Placements { pieces, identity, unique }))
}

/// The pieces of a command line, and the same in a line.
pub(crate) fn pieces(asked: &PiecesPlaced, common: &Common) -> Result<(Pieces, String), Failure> {
    let board = asked.on.board.0;
    let mut pieces = Pieces::new(asked.piece.piece(), board)
        .given(asked.on.given.iter().copied())
        .forbid(asked.on.forbid.iter().copied())
        .toroidal(asked.on.toroidal)
        .maximal(asked.on.maximal)
        .symmetric(asked.on.symmetric.map(Rotation::symmetry));
    let number = match asked.exactly {
        _ if asked.most => {
            let most = most(&pieces, common)?;
            pieces = pieces.exactly(most);
            format!("as many {} as can be, {most},", pieces.piece())
        }
        Some(number) => {
            pieces = pieces.exactly(number);
            format!("{number} {}", pieces.piece())
        }
        None if asked.any || asked.on.maximal => format!("any number of {}", pieces.piece()),
        None => {
            pieces = pieces.exactly(board.rows);
            format!("{} {}", board.rows, pieces.piece())
        }
    };
    let besides = conditions(&asked.on);
    Ok((pieces, format!("{number} on {board}{besides}")))
}

/// The arguments for these pieces, by the names under which files store them. The number that --most finds is an
/// argument itself.
fn arguments(asked: &PiecesPlaced, pieces: &Pieces) -> Vec<String> {
    let mut words = vec!["place".to_owned(), word(&asked.piece), asked.on.board.0.to_string()];
    match pieces.wanted() {
        Some(number) => words.extend(["--count".to_owned(), number.to_string()]),
        None => words.push("--any".to_owned()),
    }
    words.extend(given_flags([("--maximal", asked.on.maximal), ("--toroidal", asked.on.toroidal)]));
    words.extend(condition_arguments(&asked.on));
    words
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
        BoardPicture::new(self.pieces.board())
            .given(given.iter().copied())
            .forbidden(forbidden.iter().copied())
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
