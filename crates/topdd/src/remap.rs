//! Moving memory from one mapping to another with `mremap`. Under Miri, which does not support it,
//! and on systems other than Linux nothing is moved.

#![allow(unsafe_code)]

use memmap2::MmapMut;

/// Replaces the memory of `to` from byte `at` on, a multiple of the page size, by that of `from`.
/// Both must be anonymous mappings, as all of [`Pages`](crate::pages) are. The values of all bytes
/// of `to` from `at` on are unspecified then. Returns `from` if the kernel refuses.
///
/// The kernel moves each page by its entry in the page table. That takes a fiftieth of the time to
/// free a page, allocate another and fill it with zeros; less if `from` and the target are at the
/// same offset from a multiple of 2 MiB.
pub(crate) fn move_into(to: &mut MmapMut, at: usize, from: MmapMut) -> Result<(), MmapMut> {
    assert!(at <= to.len() && from.len() <= to.len() - at, "there is room for all of it");
    if from.is_empty() {
        return Err(from);
    }
    imp::move_into(to, at, from)
}

/// Returns the memory of all pages of an anonymous mapping from byte `at` on, a multiple of the
/// page size, to the system. The values of these bytes are unspecified then.
pub(crate) fn give_back_from(map: &mut MmapMut, at: usize) {
    imp::give_back_from(map, at);
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod imp {
    use memmap2::{MmapMut, UncheckedAdvice};
    use std::mem::ManuallyDrop;

    #[cfg(test)]
    pub(super) const MOVES: bool = true;

    pub(super) fn move_into(to: &mut MmapMut, at: usize, from: MmapMut) -> Result<(), MmapMut> {
        let len = from.len();
        let mut from = ManuallyDrop::new(from);
        let source = from.as_mut_ptr().cast::<libc::c_void>();
        let target = to[at..].as_mut_ptr().cast::<libc::c_void>();
        // SAFETY: both ranges are anonymous private mappings without other references, because one
        // is owned and the other mutably borrowed. By the assertion above, the target, rounded up
        // to whole pages, is within `to`. Afterwards all of `to` is mapped readable and writable,
        // and its bytes are initialised. Nothing is mapped at `source` any more, so that `from`
        // must not be dropped (mremap(2)).
        let moved = unsafe {
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            libc::mremap(source, len, len, flags, target)
        };
        if moved == target {
            return Ok(());
        }
        // If the kernel refuses because of too many mappings, nothing has changed. If it fails
        // later, because it is out of memory itself, the target is unmapped and must be mapped
        // again.
        // SAFETY: this maps the range of `to` if it is not mapped. If it is, the kernel changes
        // nothing, because of `MAP_FIXED_NOREPLACE`, and fails with `EEXIST` (mmap(2)). Another
        // thread could map this range only in the moment between these two calls.
        let mapped = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
            libc::mmap(target, len, protection, flags, -1, 0)
        };
        if mapped == libc::MAP_FAILED {
            if std::io::Error::last_os_error().raw_os_error() != Some(libc::EEXIST) {
                // Safe code would read unmapped memory of `to` otherwise.
                std::process::abort();
            }
        } else if mapped != target {
            // Before Linux 4.17 the flag is unknown, and the kernel chooses another address.
            // SAFETY: the range was mapped just now and has no references.
            unsafe { libc::munmap(mapped, len) };
        }
        Err(ManuallyDrop::into_inner(from))
    }

    pub(super) fn give_back_from(map: &mut MmapMut, at: usize) {
        let len = map.len().saturating_sub(at);
        if len > 0 {
            // SAFETY: the range is mutably borrowed, and reads as zeros afterwards (madvise(2),
            // MADV_DONTNEED).
            let advised = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, at, len) };
            // The advice is optional.
            drop(advised);
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
mod imp {
    use memmap2::MmapMut;

    #[cfg(test)]
    pub(super) const MOVES: bool = false;

    pub(super) fn move_into(_: &mut MmapMut, _: usize, from: MmapMut) -> Result<(), MmapMut> {
        Err(from)
    }

    pub(super) fn give_back_from(_: &mut MmapMut, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 1 << 16;

    fn filled(pages: usize, with: u8) -> MmapMut {
        let mut map = MmapMut::map_anon(pages * PAGE).unwrap();
        map.fill(with);
        map
    }

    #[test]
    fn a_move_keeps_the_bytes_before_it_and_leaves_all_usable() {
        let mut to = filled(5, 1);
        for (at, with) in [(1, 2), (3, 3), (3, 4)] {
            // Not a whole number of pages.
            let mut from = MmapMut::map_anon(2 * PAGE - 7).unwrap();
            from.fill(with);
            let moved = move_into(&mut to, at * PAGE, from);
            assert_eq!(moved.is_ok(), imp::MOVES);
            if let Err(from) = moved {
                assert!(from.iter().all(|&byte| byte == with));
                continue;
            }
            assert!(to[at * PAGE..][..2 * PAGE - 7].iter().all(|&byte| byte == with));
            assert!(to[..PAGE].iter().all(|&byte| byte == 1));
            to[at * PAGE..].fill(9);
            assert!(to[at * PAGE..].iter().all(|&byte| byte == 9));
        }
        give_back_from(&mut to, 2 * PAGE);
        assert!(to[..PAGE].iter().all(|&byte| byte == 1));
        to[2 * PAGE..].fill(5);
        assert!(to[2 * PAGE..].iter().all(|&byte| byte == 5));
        give_back_from(&mut to, 5 * PAGE);
    }

    #[test]
    #[should_panic(expected = "there is room for all of it")]
    fn a_move_beyond_the_end_panics() {
        let _ = move_into(&mut filled(2, 0), PAGE, filled(2, 0));
    }
}
