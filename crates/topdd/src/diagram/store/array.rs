//! Arrays that are written from front to back and then only read, in memory or on disk.

use super::mapped::Mapped;
use crate::Error;
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
    /// So many items of those that there is room for.
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

    /// These items will not be read again soon.
    pub(super) fn release(&self, items: Range<usize>) {
        if let Array::Mapped(mapped) = self {
            mapped.release(items);
        }
    }
}

/// When and where the arrays of a store go on on disk.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    pub(crate) files: Files,
    /// The directory of the temporary files.
    pub(crate) dir: PathBuf,
    /// The most bytes that the arrays may take in memory.
    pub(crate) share: usize,
}

/// Answers an error when it is time to stop.
pub(crate) type Check<'c> = &'c dyn Fn() -> Result<(), Error>;

/// Bytes that are written at a time: some milliseconds.
const BLOCK_BYTES: usize = 1 << 22;

/// An array that is being written: what is on disk, then what is in memory.
#[derive(Debug)]
pub(super) struct Growing<T> {
    file: Option<File>,
    /// The number of items in the file.
    stored: usize,
    rest: Rest<T>,
}

/// What is in memory: in an array that has room for all that may come, or in a vector.
#[derive(Debug)]
enum Rest<T> {
    Pages {
        pages: Pages<T>,
        len: usize,
        /// Up to which item memory was taken over from others.
        taken_over: usize,
    },
    Vec(Vec<T>),
}

/// When so much memory that was taken over lies ready, no more is taken.
const MOST_READY: usize = 1 << 21;

impl<T: Pod> Rest<T> {
    fn as_slice(&self) -> &[T] {
        match self {
            Rest::Pages { pages, len, .. } => &pages[..*len],
            Rest::Vec(items) => items,
        }
    }

    fn grow(&mut self, count: usize) -> &mut [T] {
        match self {
            Rest::Pages { pages, len, .. } => {
                let start = *len;
                *len += count;
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

impl<T: Pod> Growing<T> {
    /// An array of at most so many items. Only those that there come to be take memory, but they
    /// need never be moved to where there is more room.
    pub(super) fn new(most: usize) -> Self {
        let rest = Pages::reserve(most).map(|pages| Rest::Pages { pages, len: 0, taken_over: 0 });
        Growing { file: None, stored: 0, rest: rest.unwrap_or(Rest::Vec(Vec::new())) }
    }

    pub(super) fn len(&self) -> usize {
        self.stored + self.rest.as_slice().len()
    }

    /// Takes over the memory of others for items that may come, if it has a use for it; else
    /// answers them.
    pub(super) fn take_over<U>(&mut self, others: Pages<U>) -> Option<Pages<U>> {
        match &mut self.rest {
            // An array that nothing has come to yet may be one for another kind of nodes.
            Rest::Pages { pages, len, taken_over }
                if *len > 0 && taken_over.saturating_sub(*len) * size_of::<T>() < MOST_READY =>
            {
                match pages.take_over(*len.max(taken_over), others) {
                    Ok(end) => {
                        *taken_over = end;
                        None
                    }
                    Err(others) => Some(others),
                }
            }
            _ => Some(others),
        }
    }

    /// Bytes held in memory. What is promised but has never been written to is not; and what was
    /// taken over is not told of until there are items.
    pub(super) fn bytes(&self) -> usize {
        match &self.rest {
            Rest::Vec(items) => items.capacity() * size_of::<T>(),
            Rest::Pages { len, .. } => len * size_of::<T>(),
        }
    }

    pub(super) fn push(&mut self, item: T) {
        self.grow(1)[0] = item;
    }

    /// Room for `count` more items, to be written to: what they are before is not specified.
    pub(super) fn grow(&mut self, count: usize) -> &mut [T] {
        self.rest.grow(count)
    }

    /// Goes on in a file of `dir`.
    pub(super) fn move_to_disk(&mut self, disk: &Disk, check: Check<'_>) -> Result<(), Error> {
        if self.file.is_none() && self.len() > 0 {
            let what = "create a temporary file for the diagram in";
            let file = disk.files.create_unnamed(&disk.dir).map_err(Error::io(what, &disk.dir))?;
            self.file = Some(file);
            self.flush(0, disk, check)?;
            // From now on there is little at a time.
            self.rest = Rest::Vec(Vec::new());
        }
        Ok(())
    }

    /// Writes what is in memory to the file, if there is one and it comes to `least` bytes.
    /// Asks `check` before each block whether to go on.
    pub(super) fn flush(
        &mut self,
        least: usize,
        disk: &Disk,
        check: Check<'_>,
    ) -> Result<(), Error> {
        if let Some(mut file) =
            self.file.as_ref().filter(|_| size_of_val(self.rest.as_slice()) >= least)
        {
            let what = "write the diagram to a temporary file in";
            for block in bytemuck::cast_slice(self.rest.as_slice()).chunks(BLOCK_BYTES) {
                check()?;
                file.write_all(block).map_err(Error::io(what, &disk.dir))?;
            }
            self.stored += self.rest.as_slice().len();
            match &mut self.rest {
                Rest::Pages { len, .. } => *len = 0,
                Rest::Vec(items) => items.clear(),
            }
        }
        Ok(())
    }

    /// Everything must have been flushed, if it was moved to disk.
    pub(super) fn finish(self, dir: &Path) -> Result<Array<T>, Error> {
        if let Some(file) = self.file {
            debug_assert!(self.rest.as_slice().is_empty());
            let what = "map the diagram's temporary file into memory in";
            let mapped = Mapped::of_unnamed(file, self.stored).map_err(Error::io(what, dir))?;
            return Ok(Array::Mapped(mapped));
        }
        Ok(match self.rest {
            // Most of the room is not needed, and was promised in vain.
            Rest::Pages { pages, len, .. } if len < pages.len() / 4 => {
                Array::Memory(pages[..len].to_vec())
            }
            Rest::Pages { mut pages, len, taken_over } => {
                if taken_over > len {
                    pages.give_back_from(len);
                }
                Array::Pages(pages, len)
            }
            Rest::Vec(mut items) => {
                items.shrink_to_fit();
                Array::Memory(items)
            }
        })
    }
}
