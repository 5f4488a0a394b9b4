//! What the allocator keeps of memory that was given back to it.

#![allow(unsafe_code)]

/// Hands memory that is free, but kept for later by the allocator, back to the system.
///
/// A sweep allocates many pieces of some kibibytes, which glibc keeps when they are freed; what
/// comes after it needs few and large ones, for which these are of no use. Takes some
/// milliseconds for each 100 MiB; does nothing where the allocator is another one.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: it may be called at any time and by any thread, and changes nothing that is in use
    // (malloc_trim(3), MT-safe). If the program has another allocator it finds little to do.
    unsafe {
        libc::malloc_trim(0);
    }
}
