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

/// Calls [`give_back`] whenever much memory has been freed since the last time.
#[derive(Debug)]
pub(crate) struct Freed {
    /// The bytes that are worth it; `usize::MAX` if memory is not limited.
    worth: usize,
    /// The most bytes held since the last time.
    most_held: usize,
}

impl Freed {
    /// The share of a memory limit that is worth it: a call takes some milliseconds.
    const SHARE: usize = 16;

    pub(crate) fn under(memory_limit: Option<usize>) -> Self {
        let worth = memory_limit.map_or(usize::MAX, |limit| limit / Self::SHARE);
        Freed { worth, most_held: 0 }
    }

    /// Takes note of how many bytes are held now.
    pub(crate) fn note(&mut self, held: usize) {
        self.most_held = self.most_held.max(held);
        if self.most_held - held > self.worth {
            give_back();
            self.most_held = held;
        }
    }
}
