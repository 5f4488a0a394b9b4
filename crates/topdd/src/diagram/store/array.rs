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
    /// The first items of the pages, and their number.
    Pages(Pages<T>, usize),
    Mapped(Mapped<T>),
}

impl<T: Pod> Clone for Array<T> {
    fn clone(&self) -> Self {
        match self {
            Array::Memory(items) => Array::Memory(items.clone()),
            Array::Pages(..) => Array::Pages(Pages::copy_of(self), self.len()),
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
            Array::Pages(pages, len) => &pages[..*len],
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
pub(crate) struct Disk {
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
    rest: Rest<T>,
}

/// The items in memory: in an array with reserved room for all items, or in a vector.
#[derive(Debug)]
enum Rest<T> {
    /// The first `len` items are in use, and those before `filled` may have memory.
    Pages {
        pages: Pages<T>,
        len: usize,
        filled: usize,
    },
    Vec(Vec<T>),
}

impl<T: Pod> Rest<T> {
    fn as_slice(&self) -> &[T] {
        match self {
            Rest::Pages { pages, len, .. } => &pages[..*len],
            Rest::Vec(items) => items,
        }
    }

    fn grow(&mut self, count: usize) -> &mut [T] {
        match self {
            Rest::Pages { pages, len, filled } => {
                let start = *len;
                *len += count;
                *filled = (*filled).max(*len);
                &mut pages[start..*len]
            }
            Rest::Vec(items) => {
                let start = items.len();
                items.resize(start + count, T::zeroed());
                &mut items[start..]
            }
        }
    }
}

impl<T: Pod> SpillableVec<T> {
    /// An empty array for at most `most` items. Address space is reserved for all of them, so that
    /// items never move; memory is used only for items that are written.
    pub(super) fn new(most: usize) -> Self {
        let rest = Pages::reserve(most).map(|pages| Rest::Pages { pages, len: 0, filled: 0 });
        SpillableVec { file: None, stored: 0, rest: rest.unwrap_or(Rest::Vec(Vec::new())) }
    }

    pub(super) fn len(&self) -> usize {
        self.stored + self.rest.as_slice().len()
    }

    /// Size in bytes of the memory for items, without reserved room.
    pub(super) fn bytes(&self) -> usize {
        match &self.rest {
            Rest::Vec(items) => items.capacity() * size_of::<T>(),
            Rest::Pages { filled, .. } => filled * size_of::<T>(),
        }
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
        self.rest.grow(count)
    }

    /// Takes over memory for later items, if there is little.
    pub(super) fn take_over(&mut self, from: Pages<u32>) {
        let rest = std::mem::replace(&mut self.rest, Rest::Vec(Vec::new()));
        self.rest = match rest {
            Rest::Pages { pages, len, filled }
                if 2 * (filled - len) * size_of::<T>() < size_of_val(&from[..]) =>
            {
                match pages.take_over(filled, from) {
                    Ok((pages, filled)) => Rest::Pages { pages, len, filled },
                    Err(mut items) => {
                        items.truncate(len);
                        Rest::Vec(items)
                    }
                }
            }
            rest => rest,
        };
    }

    /// Moves the items in memory to a temporary file, if they take `least` bytes or there is no file
    /// yet. Calls `check` before each block.
    pub(super) fn flush(
        &mut self,
        least: usize,
        disk: &Disk,
        check: Check<'_>,
    ) -> Result<(), BuildError> {
        let (items, is_first) = (self.rest.as_slice(), self.file.is_none());
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
        self.stored += items.len();
        // From now on few items are in memory at a time: frees the first.
        match &mut self.rest {
            Rest::Vec(items) if !is_first => items.clear(),
            rest => *rest = Rest::Vec(Vec::new()),
        }
        Ok(())
    }

    /// The finished array. If it has a file, all items must have been flushed.
    pub(super) fn finish(self, dir: &Path) -> Result<Array<T>, BuildError> {
        if let Some(file) = self.file {
            debug_assert!(self.rest.as_slice().is_empty());
            let what = "map the diagram's temporary file into memory in";
            let mapped =
                Mapped::of_unnamed(file, self.stored).map_err(BuildError::io(what, dir))?;
            return Ok(Array::Mapped(mapped));
        }
        Ok(match self.rest {
            // Most of the reserved room is not needed.
            Rest::Pages { pages, len, .. } if len < pages.len() / 4 => {
                Array::Memory(pages[..len].to_vec())
            }
            Rest::Pages { mut pages, len, .. } => {
                pages.discard_behind(len);
                Array::Pages(pages, len)
            }
            Rest::Vec(mut items) => {
                items.shrink_to_fit();
                Array::Memory(items)
            }
        })
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
