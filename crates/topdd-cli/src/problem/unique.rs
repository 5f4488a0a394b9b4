//! Solutions up to symmetry.

use num_bigint::BigUint;
use topdd_chess::{Classes, Pieces, Square, Symmetry};

use super::UpToSymmetry;
use crate::args::Common;
use crate::failure::Failure;
use crate::sweep::Sweep;

/// Classes of solutions that are images of one another.
pub(crate) struct Unique {
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
