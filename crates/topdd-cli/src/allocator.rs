//! The allocator: the allocator of the system, which ends the process with the advice when memory is refused.
//!
//! Under `ulimit -v` or `ulimit -d`, and where the kernel does not overcommit, an allocation of any size may
//! be refused. Without this module, the standard library then aborts the process.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io::Write;
use std::panic::{self, PanicHookInfo};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::failure::Failure;
use crate::memory;

#[global_allocator]
static ALLOCATOR: EndingAllocator = EndingAllocator;

/// The allocator of the system, which ends the process when memory is refused.
struct EndingAllocator;

// SAFETY: each method returns what the same method of `System` returns for the same arguments, or does not
// return.
unsafe impl GlobalAlloc for EndingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        granted(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        granted(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        granted(unsafe { System.realloc(memory, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn granted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        end();
    }
    memory
}

/// Standard error. A copy, because the lock of the other one may be held when memory is refused.
static STDERR: OnceLock<File> = OnceLock::new();

/// Time for another thread that also was refused memory to end the process.
const WAIT: Duration = Duration::from_secs(1);

/// Lets the process end with the advice when memory is refused, to an allocation or to a new thread. Before this
/// call, it is aborted.
pub(crate) fn end_when_refused() {
    #[cfg(unix)]
    let copy = std::os::fd::AsFd::as_fd(&std::io::stderr()).try_clone_to_owned();
    #[cfg(windows)]
    let copy = std::os::windows::io::AsHandle::as_handle(&std::io::stderr()).try_clone_to_owned();
    let Ok(copy) = copy else { return };
    if STDERR.set(copy.into()).is_ok() {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if is_of_refused_thread(info) {
                end();
            }
            before(info);
        }));
    }
}

/// Whether the system has granted a thread, but not the memory for the stack on which it handles signals. The
/// standard library then panics before the thread runs anything that could catch it, which aborts the process.
fn is_of_refused_thread(panic: &PanicHookInfo<'_>) -> bool {
    panic.payload_as_str().is_some_and(|message| message.contains("alternative stack"))
}

/// Ends the process with the advice, without an allocation.
#[cold]
fn end() {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    let Some(mut stderr) = STDERR.get() else { return };
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        thread::sleep(WAIT);
    } else {
        let advice = memory::remedies().after("raise the limit of `ulimit` or of the container");
        let message = "the system allows this process no more memory";
        let _ = writeln!(stderr, "error: {message}\nhint: {advice}");
    }
    end_now()
}

/// Ends the process without the work at the end of a process, which may wait for a lock.
#[cfg(unix)]
fn end_now() -> ! {
    signal_hook::low_level::exit(i32::from(Failure::FAILED))
}

#[cfg(not(unix))]
fn end_now() -> ! {
    std::process::exit(i32::from(Failure::FAILED))
}
