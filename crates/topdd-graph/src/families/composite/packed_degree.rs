//! A degree and its bound in few bits of a state.

use crate::families::degrees::DegreeCodes;
use crate::families::layout::Field;

/// The codes of the total degree of one end of a step, in a form that takes a few instructions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedDegree {
    pub(super) field: Field,
    /// Without and with the edge, the next code of each code, or [`Self::ILLEGAL`]; four bits each.
    next: [u64; 2],
    /// The code of a vertex that can get no further edge.
    full: u64,
}

impl PackedDegree {
    const BITS: u32 = 4;
    pub(super) const ILLEGAL: u64 = (1 << Self::BITS) - 1;

    /// Whether the codes fit into a table.
    pub(super) fn fits(codes: &DegreeCodes) -> bool {
        codes.largest() < Self::ILLEGAL
    }

    /// `ends` is the number of ends of the edge at the vertex.
    pub(super) fn new(field: Field, codes: &DegreeCodes, ends: u64, remaining: u32) -> Self {
        let next = [0, ends].map(|ends| {
            (0..=codes.largest()).rev().fold(0, |next, code| {
                let after = codes.after(code, ends, remaining);
                next << Self::BITS | after.unwrap_or(Self::ILLEGAL)
            })
        });
        Self { field, next, full: codes.largest() }
    }

    /// The code after the step; `None` if it is illegal.
    #[inline]
    pub(super) fn after(&self, words: &[u64], taken: bool) -> Option<u64> {
        let next = self.next_code(words, taken);
        (next != Self::ILLEGAL).then_some(next)
    }

    #[inline]
    pub(super) fn next_code(&self, words: &[u64], taken: bool) -> u64 {
        let shift = Self::BITS * self.field.get(words) as u32;
        self.next[usize::from(taken)] >> shift & Self::ILLEGAL
    }

    #[inline]
    pub(super) fn is_full(&self, words: &[u64]) -> bool {
        self.field.get(words) == self.full
    }

    /// As [`Composite::open`](super::Composite) does for states, replaces an empty slot, which has the code 0, by this one.
    pub(super) fn enter(&mut self, code: u64) {
        for next in &mut self.next {
            *next = *next & !Self::ILLEGAL | *next >> (Self::BITS * code as u32) & Self::ILLEGAL;
        }
    }

    /// Makes the decision of the other value illegal.
    pub(super) fn fix(&mut self, taken: bool) {
        self.next[usize::from(!taken)] = u64::MAX;
    }
}
