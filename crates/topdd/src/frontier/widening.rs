//! The widths of the words of pending levels.
//!
//! Before records are merged into a level, an upper bound of the sum of its numbers grows by that of
//! the records. If the sum might not fit, all states of the level get more limbs.

use super::bound::UpperBound;
use super::level::Level;
use super::merge::OutboxRecords;
use super::monitor::Sharing;
use super::payload::Payload;
use super::run::Storage;
use crate::spec::Arities;
use crate::{BuildError, heap};
use std::ops::Range;

/// A level that takes more than the memory limit divided by this is spilled before it is widened.
const WIDENED_SHARE: usize = 16;

/// The widening of the numbers of levels.
pub(super) struct Widening<'a> {
    pub(super) storage: &'a Storage,
    pub(super) memory_limit: Option<usize>,
    pub(super) arities: &'a Arities,
    pub(super) payload: &'a dyn Payload,
}

impl Widening<'_> {
    /// Updates the bound of a level for these records, and widens its states if the bound requires
    /// it. The bounds of the records are those of their sources, which have `limbs` limbs. Each
    /// stands for all assignments to the skipped variables.
    pub(super) fn expect(
        &self,
        level: &mut Level,
        to: usize,
        (arrivals, limbs): (&[OutboxRecords<'_>], usize),
        skipped: Range<usize>,
        sharing: Sharing<'_>,
    ) -> Result<(), BuildError> {
        if !self.payload.grows() {
            return Ok(());
        }
        let bound = arrivals.iter().map(|of| of.bound).sum();
        let bound = UpperBound::new(bound, limbs);
        // Logarithms are rounded up.
        let bound = bound.shifted(self.arities.log2_product(skipped) * (1.0 + 1e-7));
        self.expect_bound(level, to, bound, sharing)
    }

    /// As [`expect`](Widening::expect), for records whose bound is known.
    pub(super) fn expect_bound(
        &self,
        level: &mut Level,
        to: usize,
        bound: UpperBound,
        sharing: Sharing<'_>,
    ) -> Result<(), BuildError> {
        if !self.payload.grows() {
            return Ok(());
        }
        // The lanes count different assignments to the variables before the level, so their sum is
        // at most the number of these assignments.
        let bits = self.arities.log2_product(0..to) * (1.0 + 1e-7) + 1.0;
        let most = UpperBound { bits };
        level.bound = level.bound.plus(bound).min(most);
        let (limbs, wanted) = (self.payload.limbs(to, level.width), level.bound.width());
        if wanted <= limbs {
            return Ok(());
        }
        // At least a quarter more than now, because each widening copies all words.
        let limbs = (limbs + limbs / 4).min(most.width()).max(wanted);
        // A large level is spilled first, because memory might not suffice for the wider copy.
        let worth = self.memory_limit.map_or(usize::MAX, |limit| limit / WIDENED_SHARE);
        if self.storage.spill.is_some() && level.bytes() > worth {
            level.spill(0..level.partitions.len(), self.storage)?;
            heap::give_back();
        }
        level.width = self.payload.width(to, limbs);
        sharing.for_all(&mut level.partitions, |_, partition| {
            partition.set_width(level.width);
            Ok(())
        })?;
        Ok(())
    }
}
