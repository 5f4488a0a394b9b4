//! Memory that goes from level to level.

use super::super::store::Check;
use crate::Error;

/// A buffer that grows and is never cleared, so that no time goes to filling it again.
#[derive(Debug)]
pub(super) struct Buffer<T> {
    pub(super) items: Vec<T>,
    len: usize,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Buffer { items: Vec::new(), len: 0 }
    }
}

impl<T: Copy + Default> Buffer<T> {
    /// Room for so many items, whatever they are now; none of them counts yet.
    pub(super) fn prepare(&mut self, items: usize, check: Check<'_>) -> Result<(), Error> {
        if self.items.len() < items {
            // Levels grow little by little, and new memory is dear: some more than needed.
            let more = items.max(self.items.len() / 4 * 5);
            // Nothing in it matters, so it is not carried over.
            self.items = Vec::new();
            lengthen(&mut self.items, more, T::default, check)?;
        }
        self.len = 0;
        Ok(())
    }

    /// Takes all items out.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Room for so many items more, which need not all come: what is never used is never
    /// written to.
    pub(super) fn make_room(&mut self, items: usize) {
        if self.items.len() < self.len + items {
            self.items.resize(self.len + items, T::default());
        }
    }

    /// Takes an item in if it is to be kept, without a branch.
    #[inline]
    pub(super) fn push_if(&mut self, keep: bool, item: T) {
        self.items[self.len] = item;
        self.len += usize::from(keep);
    }

    pub(super) fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }

    /// Bytes in use: what is reserved beyond has never been written to.
    pub(super) fn bytes(&self) -> usize {
        self.items.len() * size_of::<T>()
    }
}

/// Extends `items` to at least `len` items. Calls `check` before every [`LENGTHENED`] items: the
/// kernel needs some tenths of a second per GB of new memory.
pub(super) fn lengthen<T>(
    items: &mut Vec<T>,
    len: usize,
    mut item: impl FnMut() -> T,
    check: Check<'_>,
) -> Result<(), Error> {
    items.reserve(len.saturating_sub(items.len()));
    while items.len() < len {
        check()?;
        items.resize_with(len.min(items.len() + LENGTHENED), &mut item);
    }
    Ok(())
}

/// Items after which [`lengthen`] calls `check`.
const LENGTHENED: usize = 1 << 20;
