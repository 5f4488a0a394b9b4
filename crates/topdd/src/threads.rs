//! The pools of threads that calls share.

use crate::available::{CORES, threads_with_room};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;

/// A pool of threads for one call at a time.
///
/// [`take`](Threads::take) takes a pool that no call uses, or starts one. When the call has ended, the pool is free
/// for the next one. So a process has as many pools of a size as it ever had calls at the same time. They stay until
/// the process ends: starting threads for each call takes longer than a small call, and some versions of the
/// C library read the memory of a detached thread that has ended.
///
/// After a `fork`, the child has no threads but the one that called `fork`. Its calls start new pools. Runs without
/// [threads of their own](crate::Frontier::threads) and queries use rayon's global pool, which has no threads in the child.
///
/// ```
/// use topdd::{Threads, Zdd};
///
/// let subsets = Zdd::full([2; 100])?;
/// let counting = Threads::take(2, None)?.start(move || subsets.count());
/// let count = counting.recv()?.expect("a count does not panic");
/// assert_eq!(count, topdd::BigUint::from(2u32).pow(100));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Threads {
    size: PoolSize,
    /// The process that has the threads.
    process: u32,
    pool: &'static ThreadPool,
}

/// The number of threads of a pool that was asked for, and the bytes of each stack, if not the default.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PoolSize {
    threads: usize,
    stack_bytes: Option<usize>,
}

/// The pools that no call uses.
struct Idle {
    /// The process that has their threads.
    process: u32,
    pools: Vec<(PoolSize, &'static ThreadPool)>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, pools: Vec::new() });

impl Threads {
    /// Takes a pool of `threads` threads with stacks of so many bytes. 0 threads means as many as there are cores, and
    /// `None` the stacks of the standard library. Under `ulimit`, it has no more threads than [have room](crate::available_threads).
    ///
    /// # Errors
    ///
    /// Fails if the system does not start the threads.
    pub fn take(threads: usize, stack_bytes: Option<usize>) -> Result<Self, ThreadPoolBuildError> {
        let size = PoolSize { threads: if threads == 0 { *CORES } else { threads }, stack_bytes };
        let idle = idle_pools().and_then(|mut idle| {
            // The last one that became idle, whose threads may not sleep yet.
            let index = idle.pools.iter().rposition(|pool| pool.0 == size)?;
            Some(idle.pools.remove(index).1)
        });
        let pool = match idle {
            Some(pool) => pool,
            None => Box::leak(Box::new(start_pool(size)?)),
        };
        Ok(Threads { size, process: process::id(), pool })
    }

    /// Starts `job` on one of the threads, which share its parallel work. The receiver gets its result, or the payload
    /// of its panic, when the pool is free for the next call.
    pub fn start<T: Send + 'static>(
        self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Receiver<thread::Result<T>> {
        let (sender, receiver) = sync_channel(1);
        self.pool.spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(job));
            drop(self);
            // A caller that no longer waits has dropped the receiver.
            let _ = sender.send(result);
        });
        receiver
    }

    pub(crate) fn pool(&self) -> &'static ThreadPool {
        self.pool
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A child does not have the threads of a pool that was taken before the fork.
        if self.process == process::id()
            && let Some(mut idle) = idle_pools()
        {
            idle.pools.push((self.size, self.pool));
        }
    }
}

fn start_pool(size: PoolSize) -> Result<ThreadPool, ThreadPoolBuildError> {
    let PoolSize { mut threads, stack_bytes } = size;
    if threads > 1 {
        threads = threads_with_room(stack_bytes).map_or(threads, |most| threads.min(most));
    }
    let mut builder = ThreadPoolBuilder::new().num_threads(threads);
    if let Some(bytes) = stack_bytes {
        builder = builder.stack_size(bytes);
    }
    builder.thread_name(|index| format!("topdd-{index}")).build()
}

/// The idle pools of this process. `None` if the lock stays held, by a thread that was not copied by a fork.
fn idle_pools() -> Option<MutexGuard<'static, Idle>> {
    const MAX_TRIES: usize = 10_000;
    for _ in 0..MAX_TRIES {
        let mut idle = match IDLE.try_lock() {
            Ok(idle) => idle,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                thread::yield_now();
                continue;
            }
        };
        if idle.process != process::id() {
            *idle = Idle { process: process::id(), pools: Vec::new() };
        }
        return Some(idle);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    #[test]
    fn a_pool_serves_one_call_at_a_time_and_then_the_next_one() {
        // A size that no other test uses.
        let take = || Threads::take(3, Some(1 << 18)).unwrap();
        let (first, second) = (take(), take());
        assert!(!std::ptr::eq(first.pool, second.pool));
        let used = second.pool;
        assert_eq!(second.start(rayon::current_num_threads).recv().unwrap().unwrap(), 3);
        for _ in 0..100 {
            let next = take();
            assert!(std::ptr::eq(next.pool, used));
            // Free when the result arrives.
            assert!(next.start(|| ()).recv().unwrap().is_ok());
        }
        drop(first);
    }

    #[test]
    fn a_panic_reaches_the_receiver_and_frees_the_pool() {
        let take = || Threads::take(2, Some(1 << 19)).unwrap();
        let first = take();
        let used = first.pool;
        let panic = first.start(|| panic!("no luck")).recv().unwrap().unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"no luck"));
        assert!(std::ptr::eq(take().pool, used));
    }

    #[test]
    fn a_job_goes_on_when_its_receiver_is_dropped() {
        let (sender, ended) = channel();
        let values = Arc::new(5);
        drop(Threads::take(1, None).unwrap().start(move || sender.send(*values).unwrap()));
        assert_eq!(ended.recv(), Ok(5));
    }
}
