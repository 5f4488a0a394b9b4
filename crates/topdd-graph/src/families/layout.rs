//! The layout of a state: fields of a few bits in its words, and the slots of the frontier of an edge order, with the times when
//! vertices enter and leave them.

use crate::Graph;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The position of a field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Field {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Field {
    /// The index of the word. If the compiler knows that there is one word, it is a constant, and the word
    /// stays in a register.
    #[inline]
    fn index(self, words: &[u64]) -> usize {
        if words.len() == 1 { 0 } else { self.word as usize }
    }

    #[inline]
    pub(super) fn get(self, words: &[u64]) -> u64 {
        words[self.index(words)] >> self.shift & self.mask
    }

    #[inline]
    pub(super) fn set(self, words: &mut [u64], value: u64) {
        let word = &mut words[self.index(words)];
        *word = *word & !(self.mask << self.shift) | (value & self.mask) << self.shift;
    }

    /// Sets the bits of `value`.
    #[inline]
    pub(super) fn add(self, words: &mut [u64], value: u64) {
        words[self.index(words)] |= value << self.shift;
    }

    /// The word, and the bits of `value` in it.
    pub(super) fn place(self, value: u64) -> (usize, u64) {
        (self.word as usize, (value & self.mask) << self.shift)
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

/// Changes to a few words: each index with the bits that change.
#[derive(Clone, Debug, Default)]
pub(super) struct WordBits(Box<[(usize, u64)]>);

impl WordBits {
    /// The bits that are set.
    pub(super) fn from_words(words: &[u64]) -> Self {
        let nonzero = words.iter().copied().enumerate().filter(|&(_, bits)| bits != 0);
        Self(nonzero.collect())
    }

    /// The union of some bits, each with the index of its word.
    pub(super) fn union(parts: impl IntoIterator<Item = (usize, u64)>) -> Self {
        let mut words = BTreeMap::new();
        for (word, bits) in parts {
            *words.entry(word).or_insert(0) |= bits;
        }
        Self(words.into_iter().filter(|&(_, bits)| bits != 0).collect())
    }

    #[inline]
    pub(super) fn set_in(&self, words: &mut [u64]) {
        for &(word, bits) in &self.0 {
            words[word] |= bits;
        }
    }

    /// Whether any of the bits is set.
    #[inline]
    pub(super) fn any_in(&self, words: &[u64]) -> bool {
        self.0.iter().any(|&(word, bits)| words[word] & bits != 0)
    }

    /// Whether all of the bits are set.
    #[inline]
    pub(super) fn all_in(&self, words: &[u64]) -> bool {
        self.0.iter().all(|&(word, bits)| words[word] & bits == bits)
    }

    #[inline]
    pub(super) fn clear_in(&self, words: &mut [u64]) {
        for &(word, bits) in &self.0 {
            words[word] &= !bits;
        }
    }
}

/// Fields of equal width, one for each slot, that are compared and replaced a word at a time.
#[derive(Clone, Debug)]
pub(super) struct LabelFields {
    fields: Vec<Field>,
    bits: u32,
    /// The first word with a label, and the layout of each word from there on.
    first: usize,
    words: Vec<LabelWord>,
}

/// The labels in one word.
#[derive(Clone, Copy, Debug, Default)]
struct LabelWord {
    /// The lowest bits of all fields, the highest ones, and all bits but the highest.
    low: u64,
    high: u64,
    rest: u64,
    /// The slot of the first field, and its position.
    slot: u32,
    shift: u32,
}

impl LabelWord {
    /// The highest bits of the fields that contain `label`.
    #[inline]
    fn matches(&self, word: u64, label: u64) -> u64 {
        let difference = word ^ self.low.wrapping_mul(label);
        let other = ((difference & self.rest) + self.rest) | difference;
        !other & self.high
    }
}

/// A slot that was removed from its label.
pub(super) enum Removed {
    /// Not the least slot of its label, or none of any label.
    Other,
    /// The least slot.
    Least { next: usize },
    /// The only slot.
    Last,
}

impl LabelFields {
    pub(super) fn new(allocator: &mut Allocator, slots: usize, bits: u32) -> Self {
        let fields = allocator.fields(slots, bits);
        let stored = if bits == 0 { &[] } else { &fields[..] };
        let first = stored.first().map_or(0, |field| field.word as usize);
        let end = stored.last().map_or(0, |field| field.word as usize + 1);
        let mut words = vec![LabelWord::default(); end - first];
        for (slot, field) in stored.iter().enumerate().rev() {
            let word = &mut words[field.word as usize - first];
            word.low |= 1 << field.shift;
            word.high |= 1 << (field.shift + bits - 1);
            word.rest |= field.mask >> 1 << field.shift;
            (word.slot, word.shift) = (slot as u32, field.shift);
        }
        Self { fields, bits, first, words }
    }

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    #[inline]
    pub(super) fn get(&self, words: &[u64], slot: usize) -> u64 {
        self.fields[slot].get(words)
    }

    #[inline]
    pub(super) fn set(&self, words: &mut [u64], slot: usize, label: u64) {
        self.fields[slot].set(words, label);
    }

    /// Replaces a label by another.
    #[inline]
    pub(super) fn replace(&self, words: &mut [u64], label: u64, by: u64) {
        if let [layout] = &self.words[..] {
            let word = &mut words[self.first];
            let low = layout.matches(*word, label) >> (self.bits - 1);
            *word ^= low.wrapping_mul(label ^ by);
            return;
        }
        self.replace_in_many(words, label, by);
    }

    /// The general case, apart so that the other is inlined.
    fn replace_in_many(&self, words: &mut [u64], label: u64, by: u64) {
        for (word, layout) in words[self.first..].iter_mut().zip(&self.words) {
            let low = layout.matches(*word, label) >> (self.bits - 1);
            *word ^= low.wrapping_mul(label ^ by);
        }
    }

    /// The first slot with a label.
    #[inline]
    pub(super) fn find(&self, words: &[u64], label: u64) -> Option<usize> {
        words[self.first..].iter().zip(&self.words).find_map(|(&word, layout)| {
            let matches = layout.matches(word, label);
            (matches != 0).then(|| {
                let field = (matches.trailing_zeros() - layout.shift) / self.bits;
                (layout.slot + field) as usize
            })
        })
    }

    /// Removes a slot. If it was the least slot of its label, which names the label, the next one becomes it.
    #[inline]
    pub(super) fn remove(&self, words: &mut [u64], slot: usize) -> Removed {
        let label = self.get(words, slot);
        self.set(words, slot, 0);
        if label != slot as u64 + 1 {
            return Removed::Other;
        }
        let Some(next) = self.find(words, label) else { return Removed::Last };
        self.replace(words, label, next as u64 + 1);
        Removed::Least { next }
    }

    /// Whether all fields are 0.
    #[inline]
    pub(super) fn all_zero(&self, words: &[u64]) -> bool {
        let mut words = words[self.first..].iter().zip(&self.words);
        words.all(|(&word, layout)| word & (layout.high | layout.rest) == 0)
    }
}

/// One end of the edge of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeEnd {
    pub(super) vertex: usize,
    pub(super) slot: usize,
    /// Whether the step decides the first edge of the vertex, or its last one.
    pub(super) enters: bool,
    pub(super) leaves: bool,
}

/// The step of one edge. Both ends of a loop are equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScheduledEdge {
    pub(super) ends: [EdgeEnd; 2],
    pub(super) is_loop: bool,
}

/// The steps of all edges in the order of the variables. A vertex is on the frontier from the step
/// of its first edge to the step of its last one, and has one slot there. Slots are reused.
#[derive(Clone, Debug)]
pub(super) struct SlotSchedule {
    pub(super) steps: Vec<ScheduledEdge>,
    /// The number of slots.
    pub(super) width: usize,
    /// The step at which each vertex enters; `usize::MAX` for a vertex without edges.
    pub(super) enters: Vec<usize>,
}

impl SlotSchedule {
    /// The schedule of the edges of a graph in an order. Time O(edges x log(width)).
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        let vertices = graph.num_vertices();
        let mut enters = vec![usize::MAX; vertices];
        let mut leaves = vec![usize::MAX; vertices];
        for (step, &edge) in order.iter().enumerate() {
            let (a, b) = graph.edges()[edge];
            for vertex in [a, b] {
                enters[vertex] = enters[vertex].min(step);
                leaves[vertex] = step;
            }
        }
        let mut slots = vec![usize::MAX; vertices];
        let mut free = BinaryHeap::new();
        let mut width = 0;
        let mut steps = Vec::with_capacity(order.len());
        for (step, &edge) in order.iter().enumerate() {
            let (a, b) = graph.edges()[edge];
            for vertex in [a, b] {
                if slots[vertex] == usize::MAX {
                    slots[vertex] = free.pop().map_or_else(
                        || {
                            width += 1;
                            width - 1
                        },
                        |Reverse(slot)| slot,
                    );
                }
            }
            let end = |vertex: usize| EdgeEnd {
                vertex,
                slot: slots[vertex],
                enters: enters[vertex] == step,
                leaves: leaves[vertex] == step,
            };
            let ends = [end(a), end(b)];
            let is_loop = a == b;
            let distinct = if is_loop { &ends[..1] } else { &ends[..] };
            free.extend(distinct.iter().filter(|end| end.leaves).map(|end| Reverse(end.slot)));
            steps.push(ScheduledEdge { ends, is_loop });
        }
        Self { steps, width, enters }
    }
}
