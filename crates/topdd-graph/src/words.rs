//! States of a fixed number of 64-bit words.

use super::in_words::WordState;
use std::hash::{Hash, Hasher};
use topdd::Portable;

/// A state of `W` words, into which fields of a few bits are packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Words<const W: usize>(pub(super) [u64; W]);

// Hashes word by word, without the length prefix of a slice.
impl<const W: usize> Hash for Words<W> {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for &word in &self.0 {
            hasher.write_u64(word);
        }
    }
}

impl<const W: usize> Portable for Words<W> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Portable::read(bytes).map(Self)
    }
}

impl<const W: usize> WordState for Words<W> {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        let mut all = [0; W];
        all[..words.len()].copy_from_slice(words);
        Self(all)
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        words.copy_from_slice(&self.0[..words.len()]);
    }
}

impl<const W: usize> std::fmt::Debug for Words<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Words(")?;
        for (i, word) in self.0.iter().enumerate() {
            write!(f, "{}{word:016x}", if i == 0 { "" } else { " " })?;
        }
        f.write_str(")")
    }
}

impl<const W: usize> Words<W> {
    pub(super) const EMPTY: Self = Self([0; W]);
}
