//! Tables from states to counts by length.

use ahash::RandomState;
use hashbrown::HashTable;
use num_bigint::BigUint;
use std::sync::LazyLock;

/// A hash function of fixed seeds.
static HASH: LazyLock<RandomState> = LazyLock::new(|| RandomState::with_seeds(1, 2, 3, 4));

/// A state, and the place of its counts.
struct CountsEntry<const W: usize> {
    row: [u64; W],
    /// The position of the first limb.
    start: u32,
    /// The least length, and the number of lengths.
    low: u16,
    len: u16,
}

/// Counts of paths by number of edges: `low`, `low + 1`, ..
#[derive(Clone, Copy)]
pub(super) struct LengthCounts<'a> {
    pub(super) low: usize,
    /// The limbs of each count, the lowest limb first.
    pub(super) limbs: &'a [u64],
    /// The limbs of a count.
    pub(super) width: usize,
}

impl LengthCounts<'_> {
    /// The counts of paths that are longer by `edges`, of at most `most` edges; none if there are none.
    pub(super) fn longer(self, edges: usize, most: usize) -> Option<Self> {
        let low = self.low + edges;
        let len = (most + 1).checked_sub(low).filter(|&len| len > 0)?;
        let limbs = &self.limbs[..self.limbs.len().min(len * self.width)];
        Some(LengthCounts { low, limbs, ..self })
    }
}

/// States with their counts by length. All counts have equally many limbs.
pub(super) struct CountTable<const W: usize> {
    index: HashTable<u32>,
    entries: Vec<CountsEntry<W>>,
    limbs: Vec<u64>,
    width: usize,
}

impl<const W: usize> CountTable<W> {
    pub(super) fn new() -> Self {
        Self { index: HashTable::new(), entries: Vec::new(), limbs: Vec::new(), width: 1 }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, at: usize) -> (&[u64; W], LengthCounts<'_>) {
        let entry = &self.entries[at];
        let start = entry.start as usize;
        let limbs = &self.limbs[start..start + usize::from(entry.len) * self.width];
        (&entry.row, LengthCounts { low: entry.low.into(), limbs, width: self.width })
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let index = self.index.capacity() * 8 / 7 * 5;
        index + self.entries.capacity() * size_of::<CountsEntry<W>>() + self.limbs.capacity() * 8
    }

    /// Adds counts to the counts of a state with this hash. Lengths below `least` become `least`.
    ///
    /// A count is at most half of what its limbs hold, so that each sum fits. All counts get one limb more if one is
    /// larger.
    pub(super) fn add(
        &mut self,
        hash: u64,
        row: &[u64; W],
        counts: LengthCounts<'_>,
        least: usize,
    ) {
        while counts.width > self.width {
            self.widen();
        }
        let low = counts.low.max(least);
        let end = (counts.low + counts.limbs.len() / counts.width).max(low + 1);
        let entries = &self.entries;
        let found = self.index.find(hash, |&at| entries[at as usize].row == *row).copied();
        let at = found.unwrap_or_else(|| {
            let at = u32::try_from(self.entries.len()).expect("a table has less than 2^32 limbs");
            let start = self.limbs.len() as u32;
            self.entries.push(CountsEntry { row: *row, start, low: low as u16, len: 0 });
            let entries = &self.entries;
            self.index.insert_unique(hash, at, |&at| hash_of(&entries[at as usize].row));
            at
        });
        self.make_room(at as usize, low, end);
        for (length, count) in (counts.low..).zip(counts.limbs.chunks_exact(counts.width)) {
            let entry = &self.entries[at as usize];
            let place = length.max(low) - usize::from(entry.low);
            let start = entry.start as usize + place * self.width;
            let sum = &mut self.limbs[start..start + self.width];
            add_limbs(sum, count);
            if sum[self.width - 1] >> 63 == 1 {
                self.widen();
            }
        }
    }

    /// Gives a state the lengths from `least` to before `end`. If it has others, its counts move to the end.
    fn make_room(&mut self, at: usize, least: usize, end: usize) {
        let entry = &mut self.entries[at];
        let (low, len) = (usize::from(entry.low), usize::from(entry.len));
        let new_low = low.min(least);
        let end = end.max(low + len);
        if (new_low, end) == (low, low + len) {
            return;
        }
        let start = entry.start as usize;
        let new = self.limbs.len();
        self.limbs.resize(new + (end - new_low) * self.width, 0);
        let to = new + (low - new_low) * self.width;
        self.limbs.copy_within(start..start + len * self.width, to);
        entry.start = u32::try_from(new).expect("a table has less than 2^32 limbs");
        (entry.low, entry.len) = (new_low as u16, (end - new_low) as u16);
    }

    /// Gives each count one limb more.
    fn widen(&mut self) {
        let mut limbs = Vec::with_capacity(self.limbs.len() / self.width * (self.width + 1));
        for entry in &mut self.entries {
            let start = entry.start as usize;
            entry.start = u32::try_from(limbs.len()).expect("a table has less than 2^32 limbs");
            let old = &self.limbs[start..start + usize::from(entry.len) * self.width];
            for count in old.chunks_exact(self.width) {
                limbs.extend_from_slice(count);
                limbs.push(0);
            }
        }
        self.limbs = limbs;
        self.width += 1;
    }
}

/// The hash of a state, the same in each run.
pub(super) fn hash_of<const W: usize>(row: &[u64; W]) -> u64 {
    HASH.hash_one(row)
}

/// Adds to a number of at least as many limbs. Returns the carry.
fn add_limbs(sum: &mut [u64], added: &[u64]) -> bool {
    let mut carry = false;
    for (at, sum) in sum.iter_mut().enumerate() {
        let Some(added) = added.get(at).copied().or(carry.then_some(0)) else { break };
        let (with, first) = sum.overflowing_add(added);
        let (with, second) = with.overflowing_add(carry.into());
        (*sum, carry) = (with, first | second);
    }
    carry
}

/// The number of all paths that were found.
#[derive(Clone, Default)]
pub(super) struct Total(Vec<u64>);

impl Total {
    /// Adds the counts of all lengths, `times` times.
    pub(super) fn add(&mut self, counts: LengthCounts<'_>, times: usize) {
        for count in counts.limbs.chunks_exact(counts.width) {
            if self.0.len() < counts.width + 2 {
                self.0.resize(counts.width + 2, 0);
            }
            let mut carry = 0;
            for (at, sum) in self.0.iter_mut().enumerate() {
                let limb = count.get(at).map_or(0, |&limb| u128::from(limb) * times as u128);
                // At most (2^64 - 1)^2 + 2 (2^64 - 1), which fits.
                let with = u128::from(*sum) + limb + carry;
                (*sum, carry) = (with as u64, with >> 64);
                if carry == 0 && at >= count.len() {
                    break;
                }
            }
            if carry > 0 {
                self.0.push(carry as u64);
            }
        }
    }

    /// Adds another total.
    pub(super) fn merge(&mut self, other: &Self) {
        let width = other.0.len().max(1);
        self.add(LengthCounts { low: 0, limbs: &other.0, width }, 1);
    }

    pub(super) fn value(&self) -> BigUint {
        let digits = self.0.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]);
        BigUint::new(digits.collect())
    }
}
