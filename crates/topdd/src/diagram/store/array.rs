//! Arrays that are written from front to back and then only read, in memory or on disk.

use super::mapped::Mapped;
use crate::BuildError;
use crate::file::{File, Files};
use crate::pages::Pages;
use bytemuck::Pod;
use std::io::Write;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

/// A finished array.
#[derive(Debug)]
pub(crate) enum Array<T> {
    Memory(Vec<T>),
    Pages(Pages<T>),
    Mapped(Mapped<T>),
}

impl<T: Pod> Clone for Array<T> {
    fn clone(&self) -> Self {
        match self {
            Array::Memory(items) => Array::Memory(items.clone()),
            Array::Pages(pages) => Array::Pages(Pages::copy_of(pages)),
            Array::Mapped(mapped) => Array::Mapped(mapped.clone()),
        }
    }
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Array::Memory(items) => items,
            Array::Pages(pages) => pages,
            Array::Mapped(mapped) => mapped.as_slice(),
        }
    }
}

impl<T: Pod + PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + Eq> Eq for Array<T> {}

impl<T: Pod> Array<T> {
    pub(super) fn bytes(&self) -> usize {
        self.len() * size_of::<T>()
    }

    pub(super) fn is_mapped(&self) -> bool {
        matches!(self, Array::Mapped(_))
    }

    /// Allows the kernel to drop these items from memory until they are read again.
    pub(super) fn release(&self, items: Range<usize>) {
        if let Array::Mapped(mapped) = self {
            mapped.release(items);
        }
    }
}

/// The conditions under which the arrays of a store move to disk.
#[derive(Clone, Debug)]
pub(crate) struct ArrayDisk {
    pub(crate) files: Files,
    /// The directory of the temporary files.
    pub(crate) dir: PathBuf,
    /// The maximum size in bytes of the arrays in memory.
    pub(crate) share: usize,
}

/// A function that returns an error when the run must stop.
pub(crate) type Check<'c> = &'c dyn Fn() -> Result<(), BuildError>;

/// Bytes between two calls of [`Check`] while writing: some milliseconds.
const BLOCK_BYTES: usize = 1 << 22;

/// An array that is being written. Its first items are in a file if it has moved to disk.
#[derive(Debug)]
pub(super) struct SpillableVec<T> {
    file: Option<File>,
    /// The number of items in the file.
    stored: usize,
    pages: Pages<T>,
    /// The number of items in the pages.
    len: usize,
    /// The pages may have memory for so many items, but not for the others.
    filled: usize,
}

impl<T: Pod> SpillableVec<T> {
    /// An empty array for at most `most` items. Address space is reserved for all of them, so that
    /// items never move; memory is used only for items that are written.
    pub(super) fn new(most: usize) -> Self {
        let pages = Pages::reserve(most).unwrap_or_else(|| Pages::new(0));
        SpillableVec { file: None, stored: 0, pages, len: 0, filled: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.stored + self.len
    }

    /// Size in bytes of the memory for items, without reserved room.
    pub(super) fn bytes(&self) -> usize {
        self.filled * size_of::<T>()
    }

    /// Whether it has moved to disk.
    pub(super) fn has_file(&self) -> bool {
        self.file.is_some()
    }

    pub(super) fn push(&mut self, item: T) {
        self.grow(1)[0] = item;
    }

    /// Appends `count` items with unspecified values and returns them.
    pub(super) fn grow(&mut self, count: usize) -> &mut [T] {
        let start = self.len;
        self.len += count;
        self.filled = self.filled.max(self.pages.lengthen(self.len));
        &mut self.pages[start..self.len]
    }

    /// Takes over memory for later items, if there is little.
    pub(super) fn take_over<U: Pod>(&mut self, from: Pages<U>) {
        if 2 * (self.filled - self.len) * size_of::<T>() < size_of_val(&from[..]) {
            self.filled = self.pages.take_over(self.filled, from);
        }
    }

    /// Moves the items in memory to a temporary file, if they take `least` bytes or there is no file
    /// yet. Calls `check` before each block.
    pub(super) fn flush(
        &mut self,
        least: usize,
        disk: &ArrayDisk,
        check: Check<'_>,
    ) -> Result<(), BuildError> {
        let (items, is_first) = (&self.pages[..self.len], self.file.is_none());
        if items.is_empty() || !is_first && size_of_val(items) < least {
            return Ok(());
        }
        let io = |what| BuildError::io(what, &disk.dir);
        if self.file.is_none() {
            let file = disk.files.create_unnamed(&disk.dir);
            self.file = Some(file.map_err(io("create a temporary file for the diagram in"))?);
        }
        let mut file = self.file.as_ref().expect("it was created");
        for block in bytemuck::cast_slice(items).chunks(BLOCK_BYTES) {
            check()?;
            file.write_all(block).map_err(io("write the diagram to a temporary file in"))?;
        }
        self.stored += self.len;
        self.len = 0;
        if is_first {
            // From now on few items are in memory at a time.
            (self.pages, self.filled) = (Pages::new(0), 0);
        }
        Ok(())
    }

    /// The finished array. If it has a file, all items must have been flushed.
    pub(super) fn finish(mut self, dir: &Path) -> Result<Array<T>, BuildError> {
        if let Some(file) = self.file {
            debug_assert_eq!(self.len, 0);
            let what = "map the diagram's temporary file into memory in";
            let mapped =
                Mapped::of_unnamed(file, self.stored).map_err(BuildError::io(what, dir))?;
            return Ok(Array::Mapped(mapped));
        }
        // Most of the reserved room may not be needed.
        if self.len < self.pages.len() / 4 {
            return Ok(Array::Memory(self.pages[..self.len].to_vec()));
        }
        self.pages.truncate(self.len);
        Ok(Array::Pages(self.pages))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stay_when_memory_is_taken_over() {
        const ROUND: usize = 700_000;
        let number = |round: usize| (0..ROUND).map(move |item| (round * ROUND + item) as u64);
        for rounds in [3, 17] {
            let mut array = SpillableVec::<u64>::new(20 * ROUND);
            for round in 0..rounds {
                let (len, bytes) = (array.len(), array.bytes());
                for _ in 0..2 {
                    array.take_over(Pages::copy_of(&vec![u32::MAX; 1 << 20]));
                }
                assert!(array.bytes() >= bytes && array.bytes() <= len * 8 + (6 << 20) + (1 << 16));
                for (item, number) in array.grow(ROUND).iter_mut().zip(number(round)) {
                    *item = number;
                }
            }
            array.take_over(Pages::copy_of(&vec![u32::MAX; 1 << 20]));
            let array = array.finish(Path::new("")).unwrap();
            assert!(array.iter().copied().eq((0..rounds).flat_map(number)));
        }
    }
}
