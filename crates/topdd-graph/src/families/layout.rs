//! Fields of a few bits in the words of a state.

/// The position of a field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Field {
    #[inline]
    pub(super) fn get<const W: usize>(self, words: &[u64; W]) -> u64 {
        words[self.word as usize] >> self.shift & self.mask
    }

    #[inline]
    pub(super) fn set<const W: usize>(self, words: &mut [u64; W], value: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask << self.shift) | (value & self.mask) << self.shift;
    }
}

/// Assigns fields to the words of a state, one after the other. No field crosses words.
#[derive(Clone, Debug, Default)]
pub(super) struct Allocator {
    word: u32,
    used: u32,
}

impl Allocator {
    /// A field of at most 64 bits, and never more; without bits, it reads 0.
    pub(super) fn field(&mut self, bits: u32) -> Field {
        let bits = bits.min(u64::BITS);
        if bits == 0 {
            return Field::default();
        }
        if self.used + bits > u64::BITS {
            self.word += 1;
            self.used = 0;
        }
        let shift = self.used;
        self.used += bits;
        Field { word: self.word, shift, mask: u64::MAX >> (u64::BITS - bits) }
    }

    /// One field for each slot.
    pub(super) fn fields(&mut self, slots: usize, bits: u32) -> Vec<Field> {
        (0..slots).map(|_| self.field(bits)).collect()
    }

    /// The number of words that the fields take, at least one.
    pub(super) fn words(&self) -> usize {
        self.word as usize + 1
    }
}

/// The number of bits of codes up to `largest`.
pub(super) fn bits_of(largest: u64) -> u32 {
    u64::BITS - largest.leading_zeros()
}

/// Fields of equal width, one for each slot, that are compared and replaced a word at a time.
#[derive(Clone, Debug)]
pub(super) struct LabelFields<const W: usize> {
    fields: Vec<Field>,
    bits: u32,
    /// The lowest bits of all fields, the highest ones, and all bits but the highest.
    low: [u64; W],
    high: [u64; W],
    rest: [u64; W],
    /// The slot of the first field of each word, and the position of that field.
    first: [(u32, u32); W],
}

impl<const W: usize> LabelFields<W> {
    pub(super) fn new(fields: Vec<Field>, bits: u32) -> Self {
        let mut all = Self {
            fields: Vec::new(),
            bits,
            low: [0; W],
            high: [0; W],
            rest: [0; W],
            first: [(0, 0); W],
        };
        for (slot, field) in fields.iter().enumerate().rev() {
            let word = field.word as usize;
            if word >= W || bits == 0 {
                continue;
            }
            all.low[word] |= 1 << field.shift;
            all.high[word] |= 1 << (field.shift + bits - 1);
            all.rest[word] |= field.mask >> 1 << field.shift;
            all.first[word] = (slot as u32, field.shift);
        }
        all.fields = fields;
        all
    }

    #[inline]
    pub(super) fn get(&self, words: &[u64; W], slot: usize) -> u64 {
        self.fields[slot].get(words)
    }

    #[inline]
    pub(super) fn set(&self, words: &mut [u64; W], slot: usize, label: u64) {
        self.fields[slot].set(words, label);
    }

    /// The highest bits of the fields of a word that contain `label`.
    #[inline]
    fn matches(&self, words: &[u64; W], word: usize, label: u64) -> u64 {
        let difference = words[word] ^ self.low[word].wrapping_mul(label);
        let other = ((difference & self.rest[word]) + self.rest[word]) | difference;
        !other & self.high[word]
    }

    /// Replaces a label by another.
    #[inline]
    pub(super) fn replace(&self, words: &mut [u64; W], label: u64, by: u64) {
        for word in 0..W {
            let low = self.matches(words, word, label) >> (self.bits - 1);
            words[word] ^= low.wrapping_mul(label ^ by);
        }
    }

    /// The first slot with a label.
    #[inline]
    pub(super) fn find(&self, words: &[u64; W], label: u64) -> Option<usize> {
        (0..W).find_map(|word| {
            let matches = self.matches(words, word, label);
            (matches != 0).then(|| {
                let (slot, shift) = self.first[word];
                (slot + (matches.trailing_zeros() - shift) / self.bits) as usize
            })
        })
    }

    /// Whether all fields are 0.
    #[inline]
    pub(super) fn all_zero(&self, words: &[u64; W]) -> bool {
        (0..W).all(|word| words[word] & (self.high[word] | self.rest[word]) == 0)
    }
}
