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

/// An array in a temporary file, mapped read-only. A clone shares the mapping.
#[derive(Clone, Debug)]
pub(super) struct Mapped<T> {
    map: Arc<Mmap>,
    len: usize,
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
        Ok(Mapped { map: Arc::new(map), len, items: PhantomData })
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        if self.len == 0 { &[] } else { bytemuck::cast_slice(&self.map) }
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
                    items.start * size_of::<T>(),
                    length,
                )
            };
        }
    }
}
