//! Solutions up to symmetry.

use num_bigint::BigUint;
use topdd_chess::{Classes, Pieces, Square, Symmetry};

use crate::args::Common;
use crate::failure::Failure;
use crate::sweep::Sweep;

/// Classes of solutions that are images of one another.
pub(crate) struct Unique {
    /// The problem as pieces, which may be restricted to symmetric ones.
    pieces: Pieces,
    pub(crate) classes: Classes,
}

impl Unique {
    /// Makes the classes of the solutions of these pieces.
    pub(crate) fn of(pieces: Pieces) -> Result<Self, Failure> {
        let classes = pieces.classes().map_err(Failure::usage)?;
        Ok(Unique { pieces, classes })
    }

    /// Returns the number of solutions up to symmetry, if there are `all` solutions, by Burnside's
    /// lemma: from the numbers of symmetric solutions, which are few.
    pub(crate) fn count(&self, all: &BigUint, common: &Common) -> Result<BigUint, Failure> {
        self.classes.count(|symmetry| {
            if symmetry == Symmetry::Identity {
                return Ok(all.clone());
            }
            let fixed = self.pieces.clone().symmetric([symmetry]);
            Ok(Sweep::aside(common, false).of_pieces(&fixed)?.count)
        })
    }

    /// Returns whether a solution is the one of its class that is shown.
    pub(crate) fn is_first(&self, squares: &[Square]) -> bool {
        self.classes.is_first(squares)
    }
}
