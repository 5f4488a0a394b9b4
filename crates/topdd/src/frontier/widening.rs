//! The widths of the states of pending levels.
//!
//! Before records are merged into a level, an upper bound of the sum of its numbers grows by that of
//! the records. If the sum might not fit, all states of the level get more limbs.

use super::bound::UpperBound;
use super::input::Input;
use super::level::Level;
use super::monitor::Sharing;
use super::storage::Storage;
use crate::spec::{Arities, Rule};
use crate::{BuildError, heap};

/// A level that takes more than the memory limit divided by this is spilled before it is widened.
const WIDENED_SHARE: usize = 16;

/// A factor that covers the rounding errors of a logarithm.
const ROUNDED_UP: f64 = 1.0 + 1e-7;

/// An upper bound of the sum of the numbers of records for `to`, from the sum of the
/// [`magnitude`](super::bound::magnitude)s of the numbers at their source, `variable`, which have
/// `limbs` limbs.
pub(super) fn records_bound(
    rule: Rule,
    arities: &Arities,
    (variable, to): (usize, usize),
    magnitude: f64,
    limbs: usize,
) -> UpperBound {
    let bound = UpperBound::new(magnitude, limbs);
    match rule {
        Rule::ZeroSuppressed => bound,
        // Each number stands for all assignments to the skipped variables.
        Rule::AnyValue => bound.shifted(arities.log2_product(variable + 1..to) * ROUNDED_UP),
    }
}

/// Updates the bound of the level at `to` for records with this bound, and widens its states if
/// necessary.
pub(super) fn widen_for(
    level: &mut Level,
    to: usize,
    bound: UpperBound,
    input: Input<'_>,
    storage: &Storage,
    sharing: Sharing<'_>,
) -> Result<(), BuildError> {
    let Input { payload, arities, .. } = input;
    if !payload.grows() {
        return Ok(());
    }
    // The lanes count different assignments to the variables before the level, so their sum is
    // at most the number of such assignments.
    let most = arities.log2_product(0..to) * ROUNDED_UP + 1.0;
    level.bound.bits = level.bound.plus(bound).bits.min(most);
    let (limbs, wanted) = (payload.limbs(to, level.width), level.bound.limbs());
    if wanted <= limbs {
        return Ok(());
    }
    // At least a quarter more than now, because each widening copies all words.
    let limbs = (limbs + limbs / 4).min(UpperBound { bits: most }.limbs()).max(wanted);
    // A large level is spilled first, because memory might not suffice for the wider copy.
    let worth = storage.memory_limit.map_or(usize::MAX, |limit| limit / WIDENED_SHARE);
    if storage.spill.is_some() && level.bytes() > worth {
        level.spill_all(storage)?;
        heap::give_back();
    }
    level.width = payload.width(to, limbs);
    let widened = sharing.for_all(&mut level.partitions, |_, partition| {
        partition.set_width(level.width);
        Ok(())
    });
    widened.map(drop)
}
