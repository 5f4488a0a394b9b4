//! The threads that a run may use.

use crate::Error;
use rayon::ThreadPool;
use std::sync::OnceLock;

/// Where parallel work is done: in the pool that the caller is in, in one of our own, or
/// not at all.
pub(crate) struct Workers {
    threads: usize,
    /// Whether the threads are our own.
    own: bool,
    /// Our own, started when there is first something to share. `None` if they could not
    /// be started; the calling thread then does the work.
    pool: OnceLock<Option<ThreadPool>>,
}

impl Workers {
    /// More threads than this of one's own are refused: each takes memory, and a mistake is
    /// likelier than such a machine.
    const MOST_THREADS: usize = 1024;

    /// `threads` of our own; those of the rayon pool that the caller is in, or of the
    /// global one, when `None`.
    pub(crate) fn new(threads: Option<usize>) -> Result<Self, Error> {
        let own = threads.is_some();
        let threads = threads.unwrap_or_else(rayon::current_num_threads);
        if own && threads > Self::MOST_THREADS {
            return Err(Error::TooManyThreads { threads, limit: Self::MOST_THREADS });
        }
        // None is as good as one: the calling thread.
        Ok(Workers { threads: threads.max(1), own, pool: OnceLock::new() })
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Whether work of so many items, each of some tens of nanoseconds, is worth sharing
    /// out: waking a thread costs as much as thousands of them.
    pub(crate) fn shares(&self, items: usize) -> bool {
        self.threads > 1 && items >= 1 << 13
    }

    /// Does `work`, which may use rayon, where this run's threads are.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        if !self.own {
            return work();
        }
        let start = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
            builder.thread_name(|index| format!("topdd-{index}")).build().ok()
        };
        match self.pool.get_or_init(start) {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}
