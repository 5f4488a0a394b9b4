//! Moving memory between arrays without a copy.

#![allow(unsafe_code)]

/// A multiple of the size of a page of memory on every machine.
pub(crate) const PAGE: usize = 1 << 16;

/// Moves the memory of `from`, with its contents, to `to`, and leaves zeros in `from`. Both must have the
/// same length, a multiple of [`PAGE`]. Returns whether that was done; the kernel does it only for private
/// anonymous mappings, from the start of a page.
///
/// With the memory of edges that are read, reduction fills the diagram. For paths on a 13x13 grid this saves
/// a third of the page faults, and 7 percent of the time.
pub(crate) fn move_pages(from: &mut [u8], to: &mut [u8]) -> bool {
    assert!(from.len() == to.len() && from.len().is_multiple_of(PAGE));
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED | libc::MREMAP_DONTUNMAP;
        let (source, target) = (from.as_mut_ptr().cast(), to.as_mut_ptr());
        // SAFETY: both slices are mapped and borrowed exclusively, so they do not overlap, and nobody else
        // uses their memory. The kernel moves whole pages; the assertion rules out that it rounds up the
        // length. After the call both are still mapped, `from` because of `DONTUNMAP`.
        let moved = unsafe { libc::mremap(source, from.len(), from.len(), flags, target) };
        moved != libc::MAP_FAILED
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
    false
}
