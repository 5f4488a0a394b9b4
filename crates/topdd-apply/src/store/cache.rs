//! The operation cache: a direct-mapped table of results.

use super::Edge;

/// A key: the operands of an operation, and its tag where a third operand would be.
pub(crate) type Key = [Edge; 3];

/// Third words from here on are tags, not edges.
pub(crate) const FIRST_TAG: u32 = 0xf000_0000;

/// Tags from here on are handed out one by one, to operations with parameters.
const FIRST_FRESH_TAG: u32 = FIRST_TAG + 0x100;

/// The tag of an operation without parameters.
pub(crate) const fn tag(number: u32) -> Edge {
    assert!(number < FIRST_FRESH_TAG - FIRST_TAG);
    Edge(FIRST_TAG + number)
}

/// A hash of all bits of the words.
#[inline]
pub(crate) fn mix(pair: u64, third: u32) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed =
        pair.wrapping_add(u64::from(third).wrapping_mul(0xd6e8_feb8_6659_fd93)).wrapping_mul(ODD);
    (mixed ^ (mixed >> 32)).wrapping_mul(ODD) >> 32
}

/// The number of insertions between two checks of the limits; a power of two that divides the number
/// after which a cache of any size is worn. Small in tests, so that small operations are checked as well.
pub(crate) const ROUND: usize = if cfg!(test) { 16 } else { 4 * MIN_LEN };
/// The minimum number of entries.
const MIN_LEN: usize = 1 << 10;

#[derive(Clone, Copy, Debug)]
struct CacheEntry {
    key: Key,
    result: Edge,
}

/// No operation has two terminals as operands, so this is no key.
const VACANT: CacheEntry = CacheEntry { key: [Edge::ZERO; 3], result: Edge::ZERO };

/// A direct-mapped cache. The number of entries of 16 bytes is a power of two.
#[derive(Debug)]
pub(crate) struct Cache {
    entries: Vec<CacheEntry>,
    /// The number of insertions since the last change of size.
    puts: usize,
    next_tag: u32,
    pub(crate) lookups: u64,
    pub(crate) hits: u64,
}

impl Cache {
    pub(crate) fn new() -> Self {
        Cache {
            entries: vec![VACANT; MIN_LEN],
            puts: 0,
            next_tag: FIRST_FRESH_TAG,
            lookups: 0,
            hits: 0,
        }
    }

    /// A tag that no entry contains.
    pub(crate) fn fresh_tag(&mut self) -> Edge {
        if self.next_tag == u32::MAX {
            self.clear();
            self.next_tag = FIRST_FRESH_TAG;
        }
        self.next_tag += 1;
        Edge(self.next_tag - 1)
    }

    /// The position of a key: a hash of the other operands plus the first operand. So successive
    /// lookups are close in memory.
    #[inline]
    fn position(&self, key: &Key) -> usize {
        let start = mix(u64::from(key[1].0), key[2].0);
        start.wrapping_add(u64::from(key[0].0)) as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub(crate) fn get(&mut self, key: &Key) -> Option<Edge> {
        self.lookups += 1;
        let entry = self.entries[self.position(key)];
        if entry.key == *key {
            self.hits += 1;
            Some(entry.result)
        } else {
            None
        }
    }

    #[inline]
    pub(crate) fn put(&mut self, key: &Key, result: Edge) {
        let position = self.position(key);
        self.entries[position] = CacheEntry { key: *key, result };
        self.puts += 1;
    }

    /// Whether the last insertion was the last one of a round.
    #[inline]
    pub(crate) fn is_round_full(&self) -> bool {
        self.puts.is_multiple_of(ROUND)
    }

    /// Whether there were so many insertions that most results have been overwritten.
    pub(crate) fn is_worn(&self) -> bool {
        self.puts >= 4 * self.entries.len()
    }

    /// Restarts the count of insertions.
    pub(crate) fn reset_wear(&mut self) {
        self.puts = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn bytes_of(len: usize) -> usize {
        len * size_of::<CacheEntry>()
    }

    pub(crate) fn bytes(&self) -> usize {
        Self::bytes_of(self.entries.len())
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(VACANT);
    }

    /// Changes the number of entries, and keeps the results that do not collide.
    pub(crate) fn resize(&mut self, len: usize) {
        self.puts = 0;
        let old = std::mem::replace(&mut self.entries, vec![VACANT; len]);
        for entry in old {
            if entry.key != VACANT.key {
                let position = self.position(&entry.key);
                self.entries[position] = entry;
            }
        }
    }

    /// Removes all entries with an edge that is not `alive`.
    pub(crate) fn retain(&mut self, alive: impl Fn(Edge) -> bool) {
        for entry in &mut self.entries {
            let [a, b, c] = entry.key;
            let kept =
                alive(a) && alive(b) && alive(entry.result) && (c.0 >= FIRST_TAG || alive(c));
            if !kept {
                *entry = VACANT;
            }
        }
    }
}
