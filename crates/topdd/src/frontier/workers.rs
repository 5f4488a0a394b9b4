//! The threads that a run may use.

use crate::Error;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};

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

    /// Calls `work` with each number below `count`, each call on whichever thread has nothing
    /// else to do.
    ///
    /// The only place that goes through rayon, and not generic: its machinery would else be
    /// compiled anew for every kind of work of every state.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let all = || (0..count).into_par_iter().with_max_len(1).for_each(work);
        if !self.own {
            return all();
        }
        let start = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
            builder.thread_name(|index| format!("topdd-{index}")).build().ok()
        };
        match self.pool.get_or_init(start) {
            Some(pool) => pool.install(all),
            None => (0..count).for_each(work),
        }
    }
}

/// Does `work` for every item and its number, by the workers if there are any, and
/// answers what comes of it in order.
pub(crate) fn for_all<T: Send, U: Send>(
    workers: Option<&Workers>,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(usize, T) -> U + Sync,
) -> Vec<U> {
    let items = items.into_iter();
    let Some(workers) = workers else {
        return items.enumerate().map(|(number, item)| work(number, item)).collect();
    };
    // An item before its work, what came of it afterwards.
    let places: Vec<_> = items.map(|item| Mutex::new((Some(item), None))).collect();
    workers.each(places.len(), &|number| {
        let place = || places[number].lock().unwrap_or_else(PoisonError::into_inner);
        let item = place().0.take().expect("each number comes once");
        let done = work(number, item);
        place().1 = Some(done);
    });
    let done = |place: Mutex<(Option<T>, Option<U>)>| {
        place.into_inner().unwrap_or_else(PoisonError::into_inner).1
    };
    places.into_iter().map(|place| done(place).expect("all the work was done")).collect()
}
