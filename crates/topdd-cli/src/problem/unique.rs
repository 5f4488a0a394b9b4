//! Solutions up to symmetry.

use num_bigint::BigUint;
use topdd_chess::{Classes, Pieces, Square, Symmetry};

use crate::args::Common;
use crate::failure::Failure;
use crate::sweep::Sweep;

/// How solutions that are images of one another count as one.
pub(crate) struct Unique {
    /// What is asked, as pieces that may be told to stand symmetrically.
    pieces: Pieces,
    pub(crate) classes: Classes,
}

impl Unique {
    /// What is asked, as pieces.
    pub(crate) fn of(pieces: Pieces) -> Result<Self, Failure> {
        let classes = pieces.classes().map_err(Failure::usage)?;
        Ok(Unique { pieces, classes })
    }

    /// The number of solutions up to symmetry, if there are `all`: from the numbers of
    /// symmetric ones, which are few.
    pub(crate) fn count(&self, all: &BigUint, common: &Common) -> Result<BigUint, Failure> {
        self.classes.count(|symmetry| {
            if symmetry == Symmetry::Identity {
                return Ok(all.clone());
            }
            let fixed = self.pieces.clone().symmetric([symmetry]);
            Ok(Sweep::aside(common, false).of_pieces(&fixed)?.count)
        })
    }

    /// Whether this solution stands for those that are its images.
    pub(crate) fn is_first(&self, squares: &[Square]) -> bool {
        self.classes.is_first(squares)
    }
}
