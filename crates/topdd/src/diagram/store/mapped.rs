//! Arrays in files that are mapped into memory.

#![allow(unsafe_code)]
// The file is taken by value so that no other handle of it remains.
#![allow(clippy::needless_pass_by_value)]

use crate::file::File;
use bytemuck::Pod;
use memmap2::{Mmap, UncheckedAdvice};
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
    /// Maps a file from its start to its end.
    ///
    /// # Safety
    ///
    /// The content of the file must not change while the mapping or a clone of it exists.
    pub(crate) unsafe fn new(file: &File) -> io::Result<Self> {
        // SAFETY: the contract is the same, so the caller guarantees it.
        let map = unsafe { file.map()? };
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
        assert!(bytes.end <= self.map.len() && offset.is_multiple_of(align_of::<T>()), "{bytes:?}");
        Mapped { map: Arc::clone(&self.map), bytes, items: PhantomData }
    }
}

/// An array in a file, mapped read-only. A clone shares the mapping.
#[derive(Clone, Debug)]
pub(crate) struct Mapped<T> {
    map: Arc<Mmap>,
    /// Its position in the file.
    bytes: Range<usize>,
    items: PhantomData<T>,
}

impl<T: Pod> Mapped<T> {
    /// Maps the `len` items that were written to `file`, and closes it.
    ///
    /// The file must be one of [`Files::create_unnamed`](crate::file::Files::create_unnamed): it
    /// has no name by which it could be opened again, and its only handle ends here.
    pub(super) fn of_unnamed(file: File, len: usize) -> io::Result<Self> {
        // SAFETY: see above: nothing can write to the file or truncate it any more.
        let mapping = unsafe { Mapping::new(&file)? };
        if mapping.bytes().len() != len * size_of::<T>() {
            return Err(io::Error::other("a temporary file does not have the length written"));
        }
        Ok(mapping.array(0, len))
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
            // are dropped here are read from the file again at the next access.
            // The advice is optional, so that its result is ignored.
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
