//! The one place that moves memory from one mapping to another, which only the kernel can vouch
//! for. Miri does not know of `mremap`: under it, and on other systems, nothing is moved; what holds
//! is tested where it is.

#![allow(unsafe_code)]

use memmap2::MmapMut;

/// Puts the memory of one mapping in the place of a part of another, which begins at byte `at`, a
/// multiple of the size of a page. Both must be anonymous, as all of [`Pages`](crate::pages) are.
/// Whatever the other has from `at` on is given up: what it reads as then is not specified.
/// Answers `from` where the system does not go along.
///
/// A page that comes this way need not be asked for, nor filled with zeros, nor be given back
/// before: the kernel moves it by its entry in the page table, for a fiftieth of what these take;
/// less if both begin at the same distance from a multiple of 2 MiB.
pub(crate) fn move_into(to: &mut MmapMut, at: usize, from: MmapMut) -> Result<(), MmapMut> {
    assert!(at <= to.len() && from.len() <= to.len() - at, "there is room for all of it");
    if from.is_empty() {
        return Err(from);
    }
    imp::move_into(to, at, from)
}

/// Gives back the memory of all pages of an anonymous mapping from byte `at` on, a multiple of
/// their size. What it has from there on is not specified then.
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
        // SAFETY: both ranges are anonymous private mappings, which nobody else refers to, as one
        // is owned and the other borrowed to be changed; the second is in `to`, rounded up to
        // whole pages as it may be, by the assertion above. Afterwards all of `to` is mapped as
        // it was, to be read and written, and holds bytes that were written by somebody. That
        // nothing is left at `source` is why `from` must not be dropped then (mremap(2)).
        let moved = unsafe {
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            libc::mremap(source, len, len, flags, target)
        };
        if moved == target {
            return Ok(());
        }
        // Refused for too many mappings, all is as it was. If it failed later than that, which
        // takes a kernel out of memory for itself, what was at the target is gone, and must not
        // be missing.
        // SAFETY: it maps what `to` says is mapped, if it is not, and nothing else: where there
        // is a mapping, `MAP_FIXED_NOREPLACE` does nothing but say so (mmap(2)). Nobody else has
        // mapped something there since, unless in the moment between these two calls.
        let mapped = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
            libc::mmap(target, len, protection, flags, -1, 0)
        };
        if mapped == libc::MAP_FAILED {
            if std::io::Error::last_os_error().raw_os_error() != Some(libc::EEXIST) {
                // Nothing that anybody could be told would keep it from being read.
                std::process::abort();
            }
        } else if mapped != target {
            // Before Linux 4.17 the flag is not known, and what is there is gone around.
            // SAFETY: it was mapped just now, and nobody has heard of it.
            unsafe { libc::munmap(mapped, len) };
        }
        Err(ManuallyDrop::into_inner(from))
    }

    pub(super) fn give_back_from(map: &mut MmapMut, at: usize) {
        let len = map.len().saturating_sub(at);
        if len > 0 {
            // SAFETY: it reads as zeros afterwards, and is borrowed to be changed
            // (madvise(2), MADV_DONTNEED).
            let advised = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, at, len) };
            // It was only advice.
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
    fn what_is_before_stays_and_all_can_be_used() {
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
    fn what_does_not_fit_is_refused() {
        let _ = move_into(&mut filled(2, 0), PAGE, filled(2, 0));
    }
}
