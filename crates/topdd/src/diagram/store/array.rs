//! Arrays that are written from front to back and then only read, in memory or on disk.

use super::mapped::Mapped;
use crate::Error;
use bytemuck::Pod;
use std::fs::File;
use std::io::Write;
use std::ops::{Deref, Range};
use std::path::Path;

/// A finished array.
#[derive(Clone, Debug)]
pub(crate) enum Array<T> {
    Memory(Vec<T>),
    Mapped(Mapped<T>),
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Array::Memory(items) => items,
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
    rest: Vec<T>,
}

impl<T: Pod> Growing<T> {
    pub(super) fn new() -> Self {
        Growing { file: None, stored: 0, rest: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.stored + self.rest.len()
    }

    /// Bytes held in memory. What is reserved but has never been written to is not.
    pub(super) fn bytes(&self) -> usize {
        let items = if self.file.is_some() { self.rest.capacity() } else { self.rest.len() };
        items * size_of::<T>()
    }

    pub(super) fn push(&mut self, item: T) {
        self.rest.push(item);
    }

    /// Room for `count` more items, to be written to.
    pub(super) fn grow(&mut self, count: usize) -> &mut [T] {
        let start = self.rest.len();
        self.rest.resize(start + count, T::zeroed());
        &mut self.rest[start..]
    }

    /// Goes on in a file of `dir`.
    pub(super) fn move_to_disk(&mut self, dir: &Path, check: Check<'_>) -> Result<(), Error> {
        if self.file.is_none() && self.len() > 0 {
            let what = "create a temporary file for the diagram in";
            self.file = Some(tempfile::tempfile_in(dir).map_err(Error::io(what, dir))?);
            self.flush(0, dir, check)?;
            self.rest = Vec::new();
        }
        Ok(())
    }

    /// Writes what is in memory to the file, if there is one and it comes to `least` bytes.
    /// Asks `check` before each block whether to go on.
    pub(super) fn flush(
        &mut self,
        least: usize,
        dir: &Path,
        check: Check<'_>,
    ) -> Result<(), Error> {
        if let Some(file) = self.file.as_mut().filter(|_| size_of_val(&self.rest[..]) >= least) {
            let what = "write the diagram to a temporary file in";
            for block in bytemuck::cast_slice(&self.rest).chunks(BLOCK_BYTES) {
                check()?;
                file.write_all(block).map_err(Error::io(what, dir))?;
            }
            self.stored += self.rest.len();
            self.rest.clear();
        }
        Ok(())
    }

    /// Everything must have been flushed, if it was moved to disk.
    pub(super) fn finish(mut self, dir: &Path) -> Result<Array<T>, Error> {
        if let Some(file) = self.file {
            debug_assert!(self.rest.is_empty());
            let what = "map the diagram's temporary file into memory in";
            let mapped = Mapped::new(file, self.stored).map_err(Error::io(what, dir))?;
            return Ok(Array::Mapped(mapped));
        }
        self.rest.shrink_to_fit();
        Ok(Array::Memory(self.rest))
    }
}
