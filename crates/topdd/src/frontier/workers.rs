//! The threads that a run may use.

use crate::Error;
use rayon::ThreadPool;

/// Where parallel work is done: in the pool that the caller is in, in one of our own, or
/// not at all.
pub(crate) struct Workers {
    own: Option<ThreadPool>,
    threads: usize,
}

impl Workers {
    /// `threads` of our own; those of the rayon pool that the caller is in, or of the
    /// global one, when `None`.
    pub(crate) fn new(threads: Option<usize>) -> Result<Self, Error> {
        let Some(threads) = threads else {
            return Ok(Workers { own: None, threads: rayon::current_num_threads() });
        };
        // None is as good as one: the calling thread.
        if threads <= 1 {
            return Ok(Workers { own: None, threads: 1 });
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("topdd-{index}"))
            .build()
            .map_err(|error| Error::Threads { threads, message: error.to_string() })?;
        Ok(Workers { own: Some(pool), threads })
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
        match &self.own {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}
