//! Making levels ready for wider numbers.

use super::delivery::Incoming;
use super::level::Level;
use super::limbs::{self, Weight};
use super::monitor::Check;
use super::storage::Storage;
use super::workers::Workers;
use crate::{Error, heap};

/// The share of a memory limit from which on a level is spilled rather than widened in memory.
const SPILLED_SHARE: usize = 16;

/// Widens the numbers of levels.
pub(super) struct Widening<'a> {
    pub(super) storage: &'a Storage,
    pub(super) memory_limit: Option<usize>,
    pub(super) check: Check<'a>,
    pub(super) workers: Option<&'a Workers>,
}

impl Widening<'_> {
    /// Makes a level ready for the numbers in these bags, each to be multiplied by a factor of so
    /// many `bits`. `width` is that of the numbers, and no number will be more than `most`. Returns
    /// how many states were spilled for it.
    pub(super) fn expect(
        &self,
        level: &mut Level,
        bags: &[Incoming<'_>],
        bits: u64,
        (width, most): (usize, Weight),
    ) -> Result<u64, Error> {
        let weight = bags.iter().map(|bag| bag.weight).sum();
        let weight = Weight::new(weight, limbs::scale(width)).shifted(bits as f64);
        if level.expects(weight, most, width) { self.widen(level, width, most) } else { Ok(0) }
    }

    /// Widens the numbers of a level for such as are about to arrive (see [`Level::expects`]). What
    /// takes much of a memory limit goes to disk as it is: there would be no room to write it anew.
    /// Returns how many states that were.
    fn widen(&self, level: &mut Level, width: usize, most: Weight) -> Result<u64, Error> {
        let worth = self.memory_limit.map_or(usize::MAX, |limit| limit / SPILLED_SHARE);
        let mut spilled = 0;
        if self.storage.spill.is_some() && level.bytes() > worth {
            let tools = self.storage.tools().expect("there is where to spill to");
            spilled = level.spill(0..level.partitions.len(), &tools)?;
            heap::give_back();
        }
        level.widen(width, most, self.check, self.workers)?;
        Ok(spilled)
    }
}
