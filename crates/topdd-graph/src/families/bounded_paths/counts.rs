//! Tables from states to counts by length.

use ahash::RandomState;
use num_bigint::BigUint;
use std::hint::black_box;
use std::sync::LazyLock;

/// A hash function of fixed seeds.
static HASH: LazyLock<RandomState> = LazyLock::new(|| RandomState::with_seeds(1, 2, 3, 4));

/// Counts of paths by number of edges: `low`, `low + stride`, ..
#[derive(Clone, Copy)]
pub(super) struct LengthCounts<'a> {
    pub(super) low: usize,
    /// The limbs of each count, the lowest limb first.
    pub(super) limbs: &'a [u64],
    /// The limbs of a count.
    pub(super) width: usize,
    /// 2 if all paths to a state have odd lengths, or all have even ones; else 1.
    pub(super) stride: usize,
}

impl LengthCounts<'_> {
    /// One path of no edges.
    pub(super) fn one(stride: usize) -> Self {
        LengthCounts { low: 0, limbs: &[1], width: 1, stride }
    }

    /// The counts of paths that are longer by `edges`, of at most `most` edges; none if there are none.
    pub(super) fn longer(self, edges: usize, most: usize) -> Option<Self> {
        let low = self.low + edges;
        let len = most.checked_sub(low)? / self.stride + 1;
        let limbs = &self.limbs[..self.limbs.len().min(len * self.width)];
        Some(LengthCounts { low, limbs, ..self })
    }
}

/// The word of a record after its state: the least length, the number of lengths, and whether the record is in use.
#[derive(Clone, Copy)]
struct RecordHeader {
    low: usize,
    len: usize,
    in_use: bool,
}

impl RecordHeader {
    /// The largest length, and the largest number of lengths.
    const MOST: u64 = (1 << 31) - 1;

    fn word(self) -> u64 {
        self.low as u64 | (self.len as u64) << 31 | u64::from(self.in_use) << 62
    }

    fn from_word(word: u64) -> Self {
        let number = |word: u64| (word & Self::MOST) as usize;
        Self { low: number(word), len: number(word >> 31), in_use: word >> 62 == 1 }
    }
}

/// The starts of records by the hashes of their states: open addressing with linear probing. A search mostly reads one line
/// of the cache, where a table with its control bytes apart reads two.
struct RecordIndex {
    /// The upper half of a hash and a start, or [`RecordIndex::EMPTY`].
    places: Vec<u64>,
    len: usize,
}

impl RecordIndex {
    const EMPTY: u64 = u64::MAX;

    /// The place at which the search for a hash starts. Places are in the order of the hashes.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.places.len() as u64) >> 32) as usize
    }

    /// The place of the record for which `is_it` holds, or an empty place for it.
    #[inline]
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Result<usize, usize> {
        let mut at = self.home(hash);
        while self.places[at] != Self::EMPTY {
            if (self.places[at] ^ hash) >> 32 == 0 && is_it(self.places[at] as u32) {
                return Ok(at);
            }
            at = if at + 1 == self.places.len() { 0 } else { at + 1 };
        }
        Err(at)
    }

    fn set(&mut self, place: usize, hash: u64, start: u32) {
        self.places[place] = hash >> 32 << 32 | u64::from(start);
    }

    /// Makes room for one more record.
    fn grow(&mut self) {
        if (self.len + 1) * 4 <= self.places.len() * 3 {
            return;
        }
        let len = (2 * self.places.len()).max(16);
        let old = std::mem::replace(&mut self.places, vec![Self::EMPTY; len]);
        for entry in old.into_iter().filter(|&entry| entry != Self::EMPTY) {
            if let Err(place) = self.find(entry, |_| false) {
                self.places[place] = entry;
            }
        }
    }
}

/// Counts that are to be added to the counts of a state.
#[derive(Clone, Copy)]
pub(super) struct Addition<'a, const W: usize> {
    /// The [`hash_of`] the state.
    pub(super) hash: u64,
    pub(super) row: &'a [u64; W],
    pub(super) counts: LengthCounts<'a>,
    /// How often the counts are added, at least once.
    pub(super) times: u64,
    /// Lengths below it are raised to it, or with a stride of 2 to one less, if its parity is another one.
    pub(super) least: usize,
}

/// The number of words at which a [`RecordBlock`] takes no further state.
const BLOCK_WORDS: usize = 1 << 20;

/// Records of tables in a block of a checkpoint.
#[derive(Default)]
pub(super) struct RecordBlock {
    /// The limbs of each count.
    width: usize,
    states: usize,
    words: Vec<u64>,
}

topdd::portable!(RecordBlock { width, states, words });

impl RecordBlock {
    /// Whether the block has room for a state with such counts.
    pub(super) fn accepts(&self, counts: LengthCounts<'_>) -> bool {
        self.states == 0 || (self.width == counts.width && self.words.len() < BLOCK_WORDS)
    }

    /// Adds a state with counts that the block accepts.
    pub(super) fn push<const W: usize>(&mut self, row: &[u64; W], counts: LengthCounts<'_>) {
        self.width = counts.width;
        self.states += 1;
        let len = counts.limbs.len() / self.width;
        self.words.extend_from_slice(row);
        self.words.push(RecordHeader { low: counts.low, len, in_use: true }.word());
        self.words.extend_from_slice(counts.limbs);
    }

    /// The number of states.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// The states with their counts. Returns `None` if the words do not contain exactly the records of all states.
    pub(super) fn records<const W: usize>(
        &self,
        stride: usize,
    ) -> Option<impl Iterator<Item = (&[u64; W], LengthCounts<'_>)>> {
        let mut end = 0usize;
        for _ in 0..self.states {
            let head = RecordHeader::from_word(*self.words.get(end.checked_add(W)?)?);
            let limbs = head.len.checked_mul(self.width).filter(|&limbs| limbs > 0)?;
            end = end.checked_add(W + 1)?.checked_add(limbs)?;
        }
        (end == self.words.len()).then(|| records(&self.words, self.width, stride))
    }
}

/// The states with their counts in the words of records.
fn records<const W: usize>(
    mut rest: &[u64],
    width: usize,
    stride: usize,
) -> impl Iterator<Item = (&[u64; W], LengthCounts<'_>)> {
    let records = std::iter::from_fn(move || {
        let (row, after) = rest.split_first_chunk::<W>()?;
        let (&head, after) = after.split_first()?;
        let head = RecordHeader::from_word(head);
        let (limbs, after) = after.split_at(head.len * width);
        rest = after;
        Some((head, row, LengthCounts { low: head.low, limbs, width, stride }))
    });
    records.filter(|(head, ..)| head.in_use).map(|(_, row, counts)| (row, counts))
}

/// States with their counts by length. All counts have equally many limbs.
///
/// A record has the words of its state, one of its [`RecordHeader`], and the limbs of its counts.
pub(super) struct CountTable<const W: usize> {
    /// The records in use.
    index: RecordIndex,
    words: Vec<u64>,
    /// By number of lengths, the starts of records that are no longer in use.
    unused: Vec<Vec<u32>>,
    /// The number of these records.
    num_unused: usize,
    width: usize,
    stride: usize,
}

impl<const W: usize> CountTable<W> {
    pub(super) fn new(stride: usize) -> Self {
        let index = RecordIndex { places: Vec::new(), len: 0 };
        Self { index, words: Vec::new(), unused: Vec::new(), num_unused: 0, width: 1, stride }
    }

    pub(super) fn len(&self) -> usize {
        self.index.len
    }

    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The states with their counts, in the order of the records.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u64; W], LengthCounts<'_>)> {
        records(&self.words, self.width, self.stride)
    }

    /// The words of the records in use.
    pub(super) fn words_in_use(&self) -> usize {
        self.iter().map(|(_, counts)| W + 1 + counts.limbs.len()).sum()
    }

    /// Reserves room for this number of words.
    pub(super) fn reserve_words(&mut self, words: usize) {
        // If the allocator refuses, the table grows on demand.
        let _ = self.words.try_reserve_exact(words);
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.index.places.capacity() + self.words.capacity()) * 8 + self.num_unused * 4
    }

    /// Adds counts to the counts of states.
    ///
    /// The places where searches start, and the records there, are read first. The processor waits for many of them at once,
    /// where additions one by one would wait for each.
    pub(super) fn add_all<'a>(&mut self, additions: impl Iterator<Item = Addition<'a, W>> + Clone) {
        if !self.index.places.is_empty() {
            let entry = |hash: u64| self.index.places[self.index.home(hash)];
            black_box(additions.clone().fold(0, |sum, addition| sum ^ entry(addition.hash)));
            let first_word = |hash: u64| match entry(hash) {
                RecordIndex::EMPTY => 0,
                entry => self.words[entry as u32 as usize],
            };
            black_box(additions.clone().fold(0, |sum, addition| sum ^ first_word(addition.hash)));
        }
        additions.for_each(|addition| self.add(addition));
    }

    /// Adds counts to the counts of a state.
    ///
    /// The upper bit of each count is 0, so that each sum fits. All counts get one limb more once a sum has that bit, or if the
    /// counts that are added may overflow.
    pub(super) fn add(&mut self, addition: Addition<'_, W>) {
        let Addition { hash, row, counts, times, least } = addition;
        let spare = |count: &[u64]| count[counts.width - 1].leading_zeros();
        let least_spare = counts.limbs.chunks_exact(counts.width).map(spare).min().unwrap_or(64);
        let needed = u64::BITS - (times - 1).leading_zeros() + 1;
        while self.width < counts.width + usize::from(least_spare < needed) {
            self.widen();
        }
        let above = least.saturating_sub(counts.low);
        let low = counts.low + above / self.stride * self.stride;
        let steps = counts.limbs.len() / counts.width - 1;
        let high = (counts.low + steps * self.stride).max(low);
        let mut start = self.reserve(hash, row, low, high);
        for (step, count) in counts.limbs.chunks_exact(counts.width).enumerate() {
            let length = counts.low + step * self.stride;
            let head = RecordHeader::from_word(self.words[start + W]);
            let place = (length.max(low) - head.low) / self.stride;
            let sum = start + W + 1 + place * self.width;
            let sum = &mut self.words[sum..sum + self.width];
            add_limbs(sum, count, times);
            if sum[self.width - 1] >> 63 == 1 {
                self.widen();
                start = self.reserve(hash, row, low, high);
            }
        }
    }

    /// The start of the record of a state, which gets room for the lengths from `low` to `high`.
    fn reserve(&mut self, hash: u64, row: &[u64; W], low: usize, high: usize) -> usize {
        self.index.grow();
        let words = &self.words;
        let place = match self.index.find(hash, |start| row_at(words, start) == row) {
            Ok(place) => place,
            Err(empty) => {
                let start = self.allocate(row, low, (high - low) / self.stride + 1);
                self.index.set(empty, hash, start);
                self.index.len += 1;
                return start as usize;
            }
        };
        let found = self.index.places[place] as u32;
        let old = found as usize;
        let head = RecordHeader::from_word(self.words[old + W]);
        let (old_low, len) = (head.low, head.len);
        let old_high = old_low + (len - 1) * self.stride;
        let (low, high) = (low.min(old_low), high.max(old_high));
        if (low, high) == (old_low, old_high) {
            return old;
        }
        let start = self.allocate(row, low, (high - low) / self.stride + 1);
        let new = start as usize;
        let to = new + W + 1 + (old_low - low) / self.stride * self.width;
        self.words.copy_within(old + W + 1..old + W + 1 + len * self.width, to);
        self.index.set(place, hash, start);
        self.words[old + W] = RecordHeader { in_use: false, ..head }.word();
        if self.unused.len() <= len {
            self.unused.resize(len + 1, Vec::new());
        }
        self.unused[len].push(found);
        self.num_unused += 1;
        new
    }

    /// A record of this many lengths, all of count 0.
    fn allocate(&mut self, row: &[u64; W], low: usize, len: usize) -> u32 {
        let start = match self.unused.get_mut(len).and_then(Vec::pop) {
            Some(start) => {
                self.num_unused -= 1;
                start as usize
            }
            None => self.words.len(),
        };
        let size = W + 1 + len * self.width;
        if start == self.words.len() {
            self.words.resize(start + size, 0);
        }
        let (state, rest) = self.words[start..start + size].split_at_mut(W);
        state.copy_from_slice(row);
        rest[0] = RecordHeader { low, len, in_use: true }.word();
        rest[1..].fill(0);
        let start = u32::try_from(start).ok().filter(|&start| start < u32::MAX);
        start.expect("a table has less than 2^32 words")
    }

    /// Gives each count one limb more.
    fn widen(&mut self) {
        let mut wide = Self { width: self.width + 1, ..Self::new(self.stride) };
        wide.words.reserve(self.words.len() / self.width * wide.width);
        for (row, counts) in self.iter() {
            let lengths = counts.limbs.len() / counts.width;
            let high = counts.low + (lengths - 1) * self.stride;
            let start = wide.reserve(hash_of(row), row, counts.low, high);
            let limbs = wide.words[start + W + 1..].chunks_exact_mut(wide.width);
            for (to, count) in limbs.zip(counts.limbs.chunks_exact(counts.width)) {
                to[..counts.width].copy_from_slice(count);
            }
        }
        *self = wide;
    }
}

/// The state of the record at this start.
fn row_at<const W: usize>(words: &[u64], start: u32) -> &[u64; W] {
    words[start as usize..].first_chunk().expect("a record has the words of its state")
}

/// The hash of a state, the same in each run.
pub(super) fn hash_of<const W: usize>(row: &[u64; W]) -> u64 {
    HASH.hash_one(row)
}

/// Adds a number, `times` times, to one that has room for the sum.
#[inline]
fn add_limbs(sum: &mut [u64], added: &[u64], times: u64) {
    let mut carry = 0;
    for (at, sum) in sum.iter_mut().enumerate() {
        let product = added.get(at).map_or(0, |&limb| u128::from(limb) * u128::from(times));
        // At most (2^64 - 1)^2 + 2 (2^64 - 1), which fits.
        let with = u128::from(*sum) + product + u128::from(carry);
        (*sum, carry) = (with as u64, (with >> 64) as u64);
        if carry == 0 && at + 1 >= added.len() {
            break;
        }
    }
}

/// The number of all paths that were found.
#[derive(Clone, Default)]
pub(super) struct Total(pub(super) Vec<u64>);

impl Total {
    /// Adds the counts of all lengths, `times` times.
    pub(super) fn add(&mut self, counts: LengthCounts<'_>, times: u64) {
        for count in counts.limbs.chunks_exact(counts.width) {
            let room = (counts.width + 2).max(self.0.len());
            let is_full = self.0.last().is_some_and(|&limb| limb > 0);
            self.0.resize(room + usize::from(is_full), 0);
            add_limbs(&mut self.0, count, times);
        }
    }

    /// Adds another total.
    pub(super) fn merge(&mut self, other: &Self) {
        let width = other.0.len().max(1);
        self.add(LengthCounts { low: 0, limbs: &other.0, width, stride: 1 }, 1);
    }

    pub(super) fn value(&self) -> BigUint {
        let digits = self.0.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]);
        BigUint::new(digits.collect())
    }
}
