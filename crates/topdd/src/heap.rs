//! Settings of the allocator: returning free memory to the system, and one heap for all threads.

#![allow(unsafe_code)]

/// Returns memory that is free, but cached by the allocator, to the system.
///
/// A sweep allocates many blocks of some kibibytes, which glibc caches when they are freed. The
/// reduction needs few large blocks and cannot use them. Takes some milliseconds for each 100 MiB;
/// does nothing with another allocator than glibc's.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: `malloc_trim` may be called at any time by any thread, and changes no memory in use
    // (malloc_trim(3), MT-safe).
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Lets threads that start from now on allocate from the heap of the main thread. By default, each gets a heap
/// of its own, which reserves 64 MiB of address space. Does nothing with another allocator than glibc's.
pub(crate) fn share_between_threads() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: `mallopt` may be called at any time by any thread, and changes no memory in use
    // (mallopt(3), MT-unsafe only in its first call, which initialises the allocator: a program that
    // runs Rust code has allocated before).
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Calls [`give_back`] whenever much memory has been freed since the last call.
#[derive(Debug)]
pub(crate) struct HeapTrimmer {
    /// The number of freed bytes that causes a call; `usize::MAX` if memory is not limited.
    worth: usize,
    /// The maximum number of bytes held since the last call.
    most_held: usize,
}

impl HeapTrimmer {
    /// A memory limit divided by this is the number of freed bytes that causes a call, which takes some
    /// milliseconds.
    const SHARE: usize = 4;

    pub(crate) fn under(memory_limit: Option<usize>) -> Self {
        let worth = memory_limit.map_or(usize::MAX, |limit| limit / Self::SHARE);
        HeapTrimmer { worth, most_held: 0 }
    }

    /// Records the number of bytes held now.
    pub(crate) fn note(&mut self, held: usize) {
        self.most_held = self.most_held.max(held);
        if self.most_held - held > self.worth {
            give_back();
            self.most_held = held;
        }
    }
}
