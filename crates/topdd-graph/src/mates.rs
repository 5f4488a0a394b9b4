//! The state: the mates of the frontier, packed.

use super::words::Words;

/// The state of all specs of paths and cycles: for each slot of the frontier, a code of a few bits,
/// packed into `W` words.
///
/// The codes, for the vertex in slot `s` of a frontier of `K` slots:
///
/// | code | meaning |
/// | --- | --- |
/// | 0 | inner: the vertex has both its edges, or the slot is empty |
/// | `s + 1` | untouched: the vertex has no edge yet (it is its own mate) |
/// | `t + 1` | the end of a piece whose other end is in slot `t` |
/// | `K + 1` | the end of a piece whose other end is an end of the whole path |
///
/// In a directed graph, the code has one more bit, for the *heads* of pieces: the ends that need an
/// edge out. The other end of a piece, its tail, needs an edge in.
///
/// One state, [`Mates::DONE`], represents all complete paths or cycles.
pub(super) type Mates<const W: usize> = Words<W>;

impl<const W: usize> Mates<W> {
    /// The state after completion. Slot 0 has the mate 1 while slot 1 is inner, which no other
    /// state has.
    pub(super) const DONE: Self = {
        let mut words = [0; W];
        words[0] = 2;
        Self(words)
    };
}

/// The code of a slot; see [`Mates`].
pub(super) type Code = u64;

/// Both edges chosen, or no vertex in the slot.
pub(super) const INNER: Code = 0;

/// The code of an untouched vertex without a slot. No slot contains it.
pub(super) const NO_SLOT: Code = 1 << 61;

/// A code that names no vertex. Like all codes it is non-negative in two's complement.
pub(super) const NO_VERTEX: Code = 1 << 62;

/// The number of words up to which selecting a word by comparisons is faster than indexing.
const FEW_WORDS: usize = 3;

/// The position of the code of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CodePosition {
    pub(super) word: u32,
    pub(super) shift: u32,
}

/// A set of vertices on the frontier: one bit for each, at [`CodeLayout::flag`].
pub(super) type Flags<const W: usize> = [u64; W];

/// The word and the bit of a flag that no slot has. Flags are taken from the highest bit of each
/// code, shifted down by fewer bits than a code has, so bit 0 is never used.
pub(super) const NO_FLAG: (usize, u32) = (0, 0);

/// A precomputed way to read the code of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CodeReader<const W: usize> {
    place: CodePosition,
    /// The bits of the code.
    mask: [u64; W],
}

impl<const W: usize> CodeReader<W> {
    #[inline]
    pub(super) fn read(&self, mates: &Mates<W>) -> Code {
        let CodeReader { place, mask } = self;
        if W > FEW_WORDS {
            let word = place.word as usize;
            return (mates.0[word] & mask[word]) >> place.shift;
        }
        // All but one are 0.
        let words = mates.map(|index, word| word & mask[index]);
        words.0.iter().fold(0, |all, word| all | word) >> place.shift
    }
}

/// The dimensions of a packed state: `slots` codes of `bits` bits, `per_word` codes in each of
/// `words` words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) slots: usize,
    pub(super) bits: u32,
    pub(super) per_word: usize,
    pub(super) words: usize,
    pub(super) is_directed: bool,
}

impl Widths {
    /// The widths for a frontier of `slots` slots; `with_end` if a mate may be the end
    /// of the whole path.
    pub(super) fn new(slots: usize, with_end: bool, is_directed: bool) -> Self {
        // At least two: `DONE` is encoded in two slots.
        let slots = slots.max(2);
        let largest = slots + usize::from(with_end);
        let bits = usize::BITS - largest.leading_zeros() + u32::from(is_directed);
        let per_word = (u64::BITS / bits) as usize;
        Self { slots, bits, per_word, words: slots.div_ceil(per_word), is_directed }
    }
}

/// Access to packed codes.
#[derive(Clone, Debug)]
pub(super) struct CodeLayout<const W: usize> {
    slots: usize,
    bits: u32,
    /// The bits of one code.
    field: u64,
    /// The lowest and the highest bit of every code of a word.
    low: u64,
    high: u64,
    /// The mate that is an end of the whole path.
    pub(super) end: Code,
    /// Directed graphs: the bit of the code of a head; see [`Mates`]. Undirected ones: 0.
    pub(super) head: Code,
    /// The codes of a frontier on which all vertices are untouched.
    untouched: [u64; W],
    places: Vec<CodePosition>,
    /// For each code, the flag of the vertex that it names; empty for `INNER` and the end.
    flags: Vec<Flags<W>>,
    /// For each code, the bits of the code of the vertex that it names.
    masks: Vec<[u64; W]>,
}

impl<const W: usize> CodeLayout<W> {
    /// The number of words of [`Flags`] that have flags. If there are few words, a code has more bits
    /// than there are words, so that each word has a bit of its own and all flags fit into one word.
    pub(super) const FLAG_WORDS: usize = if W <= FEW_WORDS { 1 } else { W };

    pub(super) fn new(widths: Widths) -> Self {
        let Widths { slots, bits, per_word, words, is_directed } = widths;
        let head = if is_directed { 1 << (bits - 1) } else { 0 };
        debug_assert!(words <= W && words.min(FEW_WORDS) < bits as usize);
        let low = (0..per_word).fold(0, |word, i| word | 1 << (i as u32 * bits));
        let places: Vec<CodePosition> = (0..slots)
            .map(|slot| CodePosition {
                word: (slot / per_word) as u32,
                shift: (slot % per_word) as u32 * bits,
            })
            .collect();
        let mut untouched = [0; W];
        for (slot, place) in places.iter().enumerate() {
            untouched[place.word as usize] |= (slot as u64 + 1) << place.shift;
        }
        let field = (1 << bits) - 1;
        let mut masks = vec![[0; W]; 1 << bits];
        for (slot, place) in places.iter().enumerate() {
            for code in [slot + 1, (slot + 1) | head as usize] {
                masks[code][place.word as usize] = field << place.shift;
            }
        }
        let mut layout = Self {
            slots,
            bits,
            field,
            low,
            high: low << (bits - 1),
            end: slots as u64 + 1,
            head,
            untouched,
            places,
            flags: vec![[0; W]; 1 << bits],
            masks,
        };
        for slot in 0..slots {
            let (word, bit) = layout.flag(layout.place(slot));
            for code in [slot + 1, (slot + 1) | head as usize] {
                layout.flags[code][word] = 1 << bit;
            }
        }
        layout
    }

    pub(super) fn place(&self, slot: usize) -> CodePosition {
        self.places[slot]
    }

    /// A reader of the code in a place. Without a place it reads 0.
    pub(super) fn reader(&self, place: Option<CodePosition>) -> CodeReader<W> {
        let mut mask = [0; W];
        if let Some(place) = place {
            mask[place.word as usize] = self.mask(place);
        }
        CodeReader { place: place.unwrap_or(CodePosition { word: 0, shift: 0 }), mask }
    }

    /// The code in a place.
    #[inline]
    pub(super) fn get(&self, mates: &Mates<W>, place: CodePosition) -> Code {
        if W > FEW_WORDS {
            return mates.0[place.word as usize] >> place.shift & self.field;
        }
        // Selected by comparisons, so that the words stay in registers.
        let mut word = mates.0[0];
        for (i, &other) in mates.0.iter().enumerate().skip(1) {
            word = if place.word as usize == i { other } else { word };
        }
        word >> place.shift & self.field
    }

    /// Sets the code in a place.
    #[inline]
    fn set(&self, mates: &mut Mates<W>, place: CodePosition, code: Code) {
        let word = &mut mates.0[place.word as usize];
        *word = *word & !self.mask(place) | code << place.shift;
    }

    /// Makes `code` the mate of the vertex that `of` names, if it names one.
    #[inline]
    pub(super) fn set_mate(&self, mates: &mut Mates<W>, of: Code, code: Code) {
        if W > FEW_WORDS {
            let of = of & !self.head;
            if let Some(&place) = self.places.get((of as usize).wrapping_sub(1)) {
                self.set(mates, place, code);
            }
            return;
        }
        // The code in all places, of which the mask selects one, without a variable shift.
        let codes = code * self.low;
        let mask = &self.masks[of as usize];
        *mates = mates.map(|index, word| word ^ (word ^ codes) & mask[index]);
    }

    /// For one word of codes, the highest bit of each that is not 0.
    #[inline]
    fn occupied(&self, word: u64) -> u64 {
        // The sum excludes the highest bits, so that it does not carry into the next code.
        ((word & !self.high).wrapping_add(self.high.wrapping_sub(self.low)) | word) & self.high
    }

    /// The flags of the vertices whose codes have these highest bits.
    #[inline]
    fn flags(words: [u64; W]) -> Flags<W> {
        if W > FEW_WORDS {
            return words;
        }
        let mut flags = [0; W];
        for (i, word) in words.into_iter().enumerate() {
            flags[0] |= word >> i;
        }
        flags
    }

    /// The vertices that are not [`INNER`].
    #[inline]
    pub(super) fn not_inner(&self, mates: &Mates<W>) -> Flags<W> {
        Self::flags(mates.0.map(|word| self.occupied(word)))
    }

    /// The word and the bit of the flag of the vertex in a place.
    pub(super) fn flag(&self, place: CodePosition) -> (usize, u32) {
        let highest = place.shift + self.bits - 1;
        if W > FEW_WORDS { (place.word as usize, highest) } else { (0, highest - place.word) }
    }

    /// The flag of the vertex that a code names; empty for [`INNER`] and the end.
    #[inline]
    pub(super) fn flag_of(&self, code: Code) -> &Flags<W> {
        &self.flags[code as usize]
    }

    /// The number of vertices whose mate is an end of the whole path; at most two. In a directed
    /// graph, the number of tails whose head is the last vertex.
    #[inline]
    pub(super) fn ends(&self, mates: &Mates<W>) -> usize {
        self.count(mates, self.end)
    }

    /// The number of vertices with a code.
    #[inline]
    pub(super) fn count(&self, mates: &Mates<W>, code: Code) -> usize {
        let pattern = code * self.low;
        let mut ends = 0;
        for &word in &mates.0 {
            ends += (!self.occupied(word ^ pattern) & self.high).count_ones() as usize;
        }
        ends
    }

    /// Whether no vertex is the end of a piece: all are inner or untouched.
    #[inline]
    pub(super) fn no_piece(&self, mates: &Mates<W>) -> bool {
        let pieces = mates
            .map(|index, word| self.occupied(word) & self.occupied(word ^ self.untouched[index]));
        pieces.0.iter().all(|&word| word == 0)
    }

    /// The vertices that are the end of a piece.
    #[inline]
    pub(super) fn ends_of_pieces(&self, mates: &Mates<W>) -> Flags<W> {
        let mut ends = [0; W];
        for (i, end) in ends.iter_mut().enumerate() {
            let word = mates.0[i];
            *end = self.occupied(word) & self.occupied(word ^ self.untouched[i]);
        }
        Self::flags(ends)
    }

    /// The code of an untouched vertex in this slot.
    pub(super) fn untouched(&self, slot: usize) -> Code {
        debug_assert!(slot < self.slots);
        slot as u64 + 1
    }

    /// The bits of a code in its word.
    pub(super) fn mask(&self, place: CodePosition) -> u64 {
        self.field << place.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_the_smallest_that_fit() {
        // The knight on a board six wide, closed: 13 slots and 14 codes in one word.
        assert_eq!(
            Widths::new(13, false, false),
            Widths { slots: 13, bits: 4, per_word: 16, words: 1, is_directed: false }
        );
        assert_eq!(Widths::new(15, false, false).bits, 4);
        assert_eq!(Widths::new(15, true, false).bits, 5);
        assert_eq!(Widths::new(0, false, false).words, 1);
        assert_eq!(
            Widths::new(300, true, true),
            Widths { slots: 300, bits: 10, per_word: 6, words: 50, is_directed: true }
        );
    }

    #[test]
    fn get_and_reader_return_the_code_that_was_set() {
        assert_read_as_written::<1>(&[2, 3, 7, 12]);
        assert_read_as_written::<2>(&[2, 7, 15, 16, 24]);
        assert_read_as_written::<3>(&[3, 16, 30]);
        assert_read_as_written::<6>(&[2, 3, 7, 15, 16, 40]);
    }

    fn assert_read_as_written<const W: usize>(slots: &[usize]) {
        for &slots in slots {
            let layout = CodeLayout::<W>::new(Widths::new(slots, true, false));
            for a in 0..slots {
                for code in 0..=slots as u64 + 1 {
                    let mut mates = Mates::EMPTY;
                    layout.set(&mut mates, layout.place(a), layout.end);
                    layout.set(&mut mates, layout.place((a + 1) % slots), code);
                    let mut same = mates;
                    for (of, code) in [(INNER, code), (layout.end, code), (a as u64 + 1, code)] {
                        layout.set_mate(&mut same, of, code);
                    }
                    assert_eq!(layout.get(&same, layout.place(a)), code);
                    layout.set_mate(&mut same, a as u64 + 1, layout.end);
                    assert_eq!(same, mates);
                    assert_eq!(layout.get(&mates, layout.place((a + 1) % slots)), code);
                    let reader = layout.reader(Some(layout.place((a + 1) % slots)));
                    assert_eq!(reader.read(&mates), code);
                    assert_eq!(layout.reader(None).read(&mates), 0);
                    assert_eq!(layout.get(&mates, layout.place(a)), layout.end);
                    assert_eq!(layout.ends(&mates), 1 + usize::from(code == layout.end));
                    assert!(!layout.no_piece(&mates));
                    let flags = layout.not_inner(&mates);
                    assert_eq!(flags[0] & 1 << NO_FLAG.1, 0);
                    for slot in 0..slots {
                        let (word, bit) = layout.flag(layout.place(slot));
                        let is_set = slot == a || slot == (a + 1) % slots && code != INNER;
                        assert_eq!(flags[word] >> bit & 1 == 1, is_set);
                        assert_eq!(layout.flag_of(slot as u64 + 1)[word], 1 << bit);
                    }
                    let set: u32 = flags.map(u64::count_ones).iter().sum();
                    assert_eq!(set, 1 + u32::from(code != INNER));
                    layout.set(&mut mates, layout.place(a), INNER);
                    let alone = code == INNER || code as usize == (a + 1) % slots + 1;
                    assert_eq!(layout.no_piece(&mates), alone);
                }
            }
        }
    }
}
