//! The one place that maps files into memory, which only the kernel can vouch for.

#![allow(unsafe_code)]
// The file is taken by value so that nobody else keeps it.
#![allow(clippy::needless_pass_by_value)]

use bytemuck::Pod;
use memmap2::{Mmap, UncheckedAdvice};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// A file mapped read-only, from which arrays can be taken. A clone shares the mapping.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    map: Arc<Mmap>,
}

impl Mapping {
    /// Maps a file that has a name, from its start to its end.
    ///
    /// Whoever knows the name can write to the file. topdd itself never does: it writes
    /// beside it and renames, which leaves what is mapped as it is. What loads a file by
    /// mapping it says in its docs that it must not be changed in place, and checks every
    /// index that it reads from it.
    pub(crate) fn of_named(file: &File) -> io::Result<Self> {
        // SAFETY: see above: that nobody changes the file in place is a condition that
        // the docs of `Diagram::load` hand on, as no system lets us enforce it.
        let map = unsafe { Mmap::map(file)? };
        Ok(Mapping { map: Arc::new(map) })
    }

    /// All of the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The array of `len` items that starts at byte `offset`, which are in the file, and
    /// which is a multiple of their alignment.
    pub(crate) fn array<T: Pod>(&self, offset: usize, len: usize) -> Mapped<T> {
        let bytes = offset..offset + len * size_of::<T>();
        assert!(bytes.end <= self.map.len() && offset % align_of::<T>() == 0, "{bytes:?}");
        Mapped { map: Arc::clone(&self.map), bytes, items: PhantomData }
    }
}

/// An array in a file, mapped read-only. A clone shares the mapping.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<T> {
    map: Arc<Mmap>,
    /// Where it lies in the file.
    bytes: Range<usize>,
    items: PhantomData<T>,
}

impl<T: Pod> Mapped<T> {
    /// Maps the `len` items that were written to `file`, and closes it.
    ///
    /// The file must be one of [`tempfile::tempfile_in`], which has no name by which
    /// anybody else could open it, and it is handed over, so that nobody writes to it or
    /// truncates it any more: what is mapped never changes.
    pub(super) fn new(file: File, len: usize) -> io::Result<Self> {
        // SAFETY: see above: the file has no name and its only handle ends here.
        let map = unsafe { Mmap::map(&file)? };
        if map.len() != len * size_of::<T>() {
            return Err(io::Error::other("a temporary file does not have the length written"));
        }
        Ok(Mapping { map: Arc::new(map) }.array(0, len))
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        // An empty mapping need not be aligned.
        if self.bytes.is_empty() {
            &[]
        } else {
            bytemuck::cast_slice(&self.map[self.bytes.clone()])
        }
    }

    /// Lets the kernel take back the memory that holds these items until they are read
    /// again.
    pub(super) fn release(&self, items: Range<usize>) {
        let length = items.len() * size_of::<T>();
        if length > 0 {
            // SAFETY: the mapping is shared and never written to, so that the pages that
            // are dropped here are read from the file again when they are next looked at.
            // Releasing is a favour: whether it worked changes nothing.
            let _ = unsafe {
                self.map.unchecked_advise_range(
                    UncheckedAdvice::DontNeed,
                    self.bytes.start + items.start * size_of::<T>(),
                    length,
                )
            };
        }
    }
}
