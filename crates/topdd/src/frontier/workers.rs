//! The threads of a run.
//!
//! The work on a level is a few parallel sections of less than a millisecond each, so the time that
//! threads take to start on the next section matters. A run with its own pool runs on one of its
//! threads (`enter`). The other threads spin for a while after a section, and the thread that waits
//! for the end of a section spins, too. Without that, on two threads, counts of queens 13 and of
//! the Hamiltonian cycles of a grid of 14x14 take 1.11 times as long.

use crate::BuildError;
use crate::available::CORES;
use crate::threads::Threads;
use rayon::{ThreadPool, Yield};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The number of threads of rayon's global pool, unless the program has built it.
static GLOBAL_THREADS: LazyLock<usize> = LazyLock::new(|| {
    let chosen = std::env::var("RAYON_NUM_THREADS").ok().and_then(|threads| threads.parse().ok());
    chosen.filter(|&threads| threads > 0).unwrap_or(*CORES)
});

/// The threads of a run: the rayon pool of the caller, a pool of the run, or the calling thread
/// alone.
#[derive(Clone)]
pub(crate) struct Workers {
    /// The number of threads; by default the number of rayon's global pool unless the program has changed it,
    /// because only a parallel section starts that pool.
    pub(crate) threads: usize,
    /// Whether the run has its own pool.
    own: bool,
    /// The pool of the run, taken by the first parallel section. `None` if there is none because its
    /// threads could not be started: the calling thread then does the work.
    pool: Arc<OnceLock<Option<Threads>>>,
}

impl Workers {
    /// The most threads of the pool of a run. Each takes memory, and a higher number is likely a
    /// mistake.
    const MAX_THREADS: usize = 1024;

    /// The workers of a run: its own pool of `threads` threads, where 0 means one per core, or with
    /// `None` the rayon pool of the caller or the global one.
    pub(crate) fn new(threads: Option<usize>) -> Result<Self, BuildError> {
        let own = threads.is_some();
        let threads = match threads {
            None if rayon::current_thread_index().is_some() => rayon::current_num_threads(),
            None => *GLOBAL_THREADS,
            Some(0) => (*CORES).min(Self::MAX_THREADS),
            Some(threads) => threads,
        };
        if own && threads > Self::MAX_THREADS {
            return Err(BuildError::TooManyThreads { threads, limit: Self::MAX_THREADS });
        }
        Ok(Workers { threads, own, pool: Arc::default() })
    }

    /// Whether work on `items` items, each of some tens of nanoseconds, is worth sharing: waking a
    /// thread takes as long as thousands of them.
    pub(crate) fn shares(&self, items: usize) -> bool {
        self.threads > 1 && items >= 1 << 13
    }

    /// Runs `run` on a thread of the run's own pool, or on the calling thread if there is no such
    /// pool or the caller is in it. A shared pool is used for sections only, because a whole run
    /// would block its other users, and wait for them.
    pub(crate) fn enter<R: Send>(&self, run: impl FnOnce() -> R + Send) -> R {
        match self.pool() {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    /// Whether [`enter`](Workers::enter) would change the thread.
    pub(crate) fn is_outside(&self) -> bool {
        self.pool().is_some_and(|pool| pool.current_thread_index().is_none())
    }

    /// The pool of the run, taken if necessary.
    fn pool(&self) -> Option<&ThreadPool> {
        let take = || Threads::take(self.threads, None).ok();
        if self.own { self.pool.get_or_init(take).as_ref().map(Threads::pool) } else { None }
    }

    /// Calls `work` with each number below `count`. Each thread begins with a stretch of its own,
    /// and then takes work from the stretches of others.
    ///
    /// The only parallel section, and not generic, so that the code of rayon is compiled once and
    /// not for each state type.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let threads = match self.pool() {
            Some(pool) => pool.current_num_threads(),
            None if self.own => 1,
            None => rayon::current_num_threads(),
        };
        let shares = threads.min(count);
        if shares < 2 {
            return (0..count).for_each(work);
        }
        // Idle threads spin only if there is a core for each thread.
        let awake = threads <= *CORES;
        let bound = |share: usize| share * count / shares;
        let stretch = |share: usize| (bound(share + 1), AtomicUsize::new(bound(share)));
        let stretches = (0..shares).map(stretch).collect();
        let section = &Section { work, stretches, left: AtomicUsize::new(count) };
        let run = || {
            let _nested = Nested::new();
            rayon::scope(|scope| {
                for share in 1..shares {
                    scope.spawn(move |_| {
                        section.join_in(share);
                        if awake {
                            linger_later();
                        }
                    });
                }
                section.join_in(0);
                if awake {
                    section.wait();
                }
            });
        };
        if self.own { self.enter(run) } else { rayon::scope(|_| run()) }
    }
}

/// A parallel section: calls for the numbers below a count, in a stretch for each thread.
struct Section<'w> {
    work: &'w (dyn Fn(usize) + Sync),
    /// The end of each stretch, and its next number.
    stretches: Vec<(usize, AtomicUsize)>,
    /// The number of calls that are not finished, or have panicked.
    left: AtomicUsize,
}

impl Section<'_> {
    /// Makes calls until all have begun, the calls of stretch `share` first.
    fn join_in(&self, share: usize) {
        for (end, next) in self.stretches.iter().cycle().skip(share).take(self.stretches.len()) {
            while next.load(Ordering::Relaxed) < *end {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number < *end {
                    (self.work)(number);
                    self.left.fetch_sub(1, Ordering::Release);
                }
            }
        }
    }

    /// Spins until all calls are finished, for at most [`AWAKE`]. After that the scope of rayon
    /// waits.
    fn wait(&self) {
        let start = Instant::now();
        while self.left.load(Ordering::Acquire) > 0 && start.elapsed() < AWAKE {
            std::hint::spin_loop();
        }
    }
}

/// The time that an idle thread spins: longer than most sequential parts between two sections.
/// Waking a thread takes a tenth of this.
const AWAKE: Duration = Duration::from_micros(300);

thread_local! {
    /// The number of nested sections whose end this thread waits for.
    static SECTIONS: Cell<usize> = const { Cell::new(0) };
    /// The number of shares that this thread has finished.
    static SHARES: Cell<u64> = const { Cell::new(0) };
    /// Whether this thread spins in [`linger_later`].
    static LINGERS: Cell<bool> = const { Cell::new(false) };
}

/// A section whose end this thread waits for.
struct Nested;

impl Nested {
    fn new() -> Self {
        SECTIONS.set(SECTIONS.get() + 1);
        Nested
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        SECTIONS.set(SECTIONS.get() - 1);
    }
}

/// Lets this thread of a pool spin after its share of a section, until it has had no share for
/// [`AWAKE`], or has executed other work.
fn linger_later() {
    SHARES.set(SHARES.get() + 1);
    // A thread that waits for a section must not spin for other work.
    let is_free = SECTIONS.get() == 0 && !LINGERS.get();
    let Some(thread) = rayon::current_thread_index().filter(|_| is_free) else { return };
    rayon::spawn(move || {
        // Another thread may have stolen this job.
        let mine = rayon::current_thread_index() == Some(thread) && SECTIONS.get() == 0;
        if !mine || LINGERS.replace(true) {
            return;
        }
        let mut since = Instant::now();
        while since.elapsed() < AWAKE {
            let shares = SHARES.get();
            match rayon::yield_now() {
                Some(Yield::Executed) if SHARES.get() == shares => break,
                Some(Yield::Executed) => since = Instant::now(),
                _ => std::hint::spin_loop(),
            }
        }
        LINGERS.set(false);
    });
}

/// Calls `work` with the index of each item and the item, on the workers if given. Returns the
/// results in order.
pub(crate) fn for_all<T: Send, U: Send>(
    workers: Option<&Workers>,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(usize, T) -> U + Sync,
) -> Vec<U> {
    let items = items.into_iter();
    let Some(workers) = workers else {
        return items.enumerate().map(|(number, item)| work(number, item)).collect();
    };
    // Each contains the item before the call, and the result after it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn squares(workers: &Workers, count: usize) -> Vec<usize> {
        for_all(Some(workers), 0..count, |number, item| {
            assert_eq!(number, item);
            item * item
        })
    }

    fn expected(count: usize) -> Vec<usize> {
        (0..count).map(|item| item * item).collect()
    }

    #[test]
    fn zero_threads_are_one_for_each_core() {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        assert_eq!(Workers::new(Some(0)).unwrap().threads, cores);
        assert_eq!(Workers::new(Some(1)).unwrap().threads, 1);
    }

    #[test]
    fn every_item_is_processed_once_and_results_are_in_order() {
        for threads in [None, Some(1), Some(2), Some(3), Some(8)] {
            let workers = Workers::new(threads).unwrap();
            for count in [0, 1, 2, 3, 7, 100] {
                for _ in 0..50 {
                    assert_eq!(squares(&workers, count), expected(count));
                    // As a run does on a thread of its pool.
                    assert_eq!(workers.enter(|| squares(&workers, count)), expected(count));
                }
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_blocks_no_thread() {
        for threads in [None, Some(2), Some(5)] {
            let workers = Workers::new(threads).unwrap();
            for unlucky in [0, 3, 9] {
                let run = || {
                    for_all(Some(&workers), 0..10, |_, item| {
                        assert!(item != unlucky, "no luck");
                    })
                };
                assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
                assert_eq!(squares(&workers, 10), expected(10));
            }
        }
    }

    /// Specs may use rayon themselves, and callers may have many runs at a time.
    #[test]
    fn nested_and_concurrent_sections_end() {
        let run = |threads| {
            let workers = Workers::new(threads).unwrap();
            for _ in 0..20 {
                let sums = for_all(Some(&workers), 0..6, |_, item: u64| {
                    (0..100).into_par_iter().map(|other| other * item).sum::<u64>()
                });
                assert_eq!(sums, [0, 4950, 9900, 14850, 19800, 24750]);
                let inner = for_all(Some(&workers), 0..3, |_, _| squares(&workers, 9));
                assert_eq!(inner, vec![expected(9); 3]);
            }
        };
        std::thread::scope(|scope| {
            for threads in [None, Some(2), None, Some(3)] {
                scope.spawn(move || run(threads));
            }
        });
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| (0..8).into_par_iter().for_each(|_| run(None)));
    }
}
