//! The threads that a run may use.
//!
//! A level is worked at in a few sections of less than a millisecond each, after which all
//! threads meet, so it matters how soon they are at work again. A run with a pool of its own goes
//! into it (`enter`), so as to be on one of the threads; the others linger for a while after a
//! section, awake; and whoever is done first waits awake. Without that, on two threads, counts of queens
//! 13 take 1.11 times as long, those of the Hamiltonian cycles of a grid of 14x14 1.11 times.

use crate::Error;
use rayon::{ThreadPool, Yield};
use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Where parallel work is done: in the pool that the caller is in, in one of our own, or
/// not at all.
#[derive(Clone)]
pub(crate) struct Workers {
    threads: usize,
    /// Whether the threads are our own.
    own: bool,
    /// Whether there is a core for each, so that one that stays awake takes it from nobody.
    awake: bool,
    /// Our own, started when there is first something to share. `None` if they could not
    /// be started; the calling thread then does the work.
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Workers {
    /// More threads than this of one's own are refused: each takes memory, and a mistake is
    /// likelier than such a machine.
    const MOST_THREADS: usize = 1024;

    /// `threads` of our own, 0 for one per core; those of the rayon pool that the caller is in,
    /// or of the global one, when `None`.
    pub(crate) fn new(threads: Option<usize>) -> Result<Self, Error> {
        let own = threads.is_some();
        let cores = || available_parallelism().map_or(1, NonZero::get).min(Self::MOST_THREADS);
        let threads = match threads {
            None => rayon::current_num_threads(),
            Some(0) => cores(),
            Some(threads) => threads,
        };
        if own && threads > Self::MOST_THREADS {
            return Err(Error::TooManyThreads { threads, limit: Self::MOST_THREADS });
        }
        let awake =
            threads > 1 && available_parallelism().is_ok_and(|cores| threads <= cores.get());
        Ok(Workers { threads, own, awake, pool: Arc::default() })
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Whether work of so many items, each of some tens of nanoseconds, is worth sharing
    /// out: waking a thread costs as much as thousands of them.
    pub(crate) fn shares(&self, items: usize) -> bool {
        self.threads > 1 && items >= 1 << 13
    }

    /// Does a whole run, or what is left of it, on one of the threads, if they are our own and
    /// the caller is none of them. In a pool that others use, too, it would be in their way, and
    /// wait for them: there only sections are shared.
    pub(crate) fn enter<R: Send>(&self, run: impl FnOnce() -> R + Send) -> R {
        let mut run = Some(run);
        let mut result = None;
        self.go(&mut || result = run.take().map(|run| run()));
        result.expect("it was run, once")
    }

    /// Drops something on another of our own threads, which has nothing else to do between two
    /// sections; at once if there is none, or if there are others in the pool who may keep it busy.
    ///
    /// To give memory back takes the system as long as many other things do that only one thread
    /// can do at a time.
    pub(crate) fn drop_aside<T: Send + 'static>(&self, what: T) {
        // Not started for this alone.
        let own = self.pool.get().and_then(Option::as_ref);
        let inside = own.is_some_and(|pool| pool.current_thread_index().is_some());
        if self.threads > 1 && inside {
            let awake = self.awake;
            rayon::spawn(move || {
                drop(what);
                if awake {
                    linger_later();
                }
            });
        }
    }

    // Not generic: what rayon needs for it would else be compiled for each kind of run.
    fn go(&self, run: &mut (dyn FnMut() + Send)) {
        match self.pool() {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    /// Whether [`enter`](Workers::enter) would go elsewhere.
    pub(crate) fn is_outside(&self) -> bool {
        self.pool().is_some_and(|pool| pool.current_thread_index().is_none())
    }

    /// Our own pool, if we are to have one and can.
    fn pool(&self) -> Option<&ThreadPool> {
        let start = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
            builder.thread_name(|index| format!("topdd-{index}")).build().ok()
        };
        if self.own { self.pool.get_or_init(start).as_ref() } else { None }
    }

    /// Calls `work` with each number below `count`, each call on whichever thread has nothing
    /// else to do: at first each has a stretch of its own.
    ///
    /// The only place that goes through rayon, and not generic: its machinery would else be
    /// compiled anew for every kind of work of every state.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let shares = self.threads.min(count);
        if shares < 2 || self.own && self.pool().is_none() {
            return (0..count).for_each(work);
        }
        let section = &Section::new(count, shares, work);
        let run = || {
            let _waiting = Waiting::begin();
            rayon::scope(|scope| {
                for share in 1..shares {
                    scope.spawn(move |_| {
                        section.join_in(share);
                        if self.awake {
                            linger_later();
                        }
                    });
                }
                section.join_in(0);
                if self.awake {
                    section.wait();
                }
            });
        };
        if self.own { self.enter(run) } else { rayon::scope(|_| run()) }
    }
}

/// Work that is shared out: numbers in as many stretches as there are threads.
struct Section<'w> {
    work: &'w (dyn Fn(usize) + Sync),
    /// Where each stretch ends, and what is next to be done of it.
    stretches: Vec<(usize, AtomicUsize)>,
    /// How much there is yet to be done.
    left: AtomicUsize,
}

impl<'w> Section<'w> {
    fn new(count: usize, shares: usize, work: &'w (dyn Fn(usize) + Sync)) -> Self {
        let bound = |share: usize| share * count / shares;
        let stretch = |share: usize| (bound(share + 1), AtomicUsize::new(bound(share)));
        let stretches = (0..shares).map(stretch).collect();
        Section { work, stretches, left: AtomicUsize::new(count) }
    }

    /// Works until nothing is left to be begun, at this stretch first.
    fn join_in(&self, share: usize) {
        /// Counts work as done even when it panics, so that nobody waits for it for ever.
        struct Done<'l>(&'l AtomicUsize);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, Ordering::Release);
            }
        }
        for (end, next) in self.stretches.iter().cycle().skip(share).take(self.stretches.len()) {
            while next.load(Ordering::Relaxed) < *end {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number < *end {
                    let _done = Done(&self.left);
                    (self.work)(number);
                }
            }
        }
    }

    /// Waits, awake for a while, until what was begun is done. After that the pool waits.
    fn wait(&self) {
        let start = Instant::now();
        while self.left.load(Ordering::Acquire) > 0 && start.elapsed() < AWAKE {
            std::hint::spin_loop();
        }
    }
}

/// How long a thread that has nothing to do stays awake: longer than most of what is done
/// between two sections takes. To wake it takes a tenth of this.
const AWAKE: Duration = Duration::from_micros(300);

thread_local! {
    /// The sections that this thread waits for the end of, one within the other.
    static SECTIONS: Cell<usize> = const { Cell::new(0) };
    /// The shares that this thread has done.
    static SHARES: Cell<u64> = const { Cell::new(0) };
    /// Whether it lingers.
    static LINGERS: Cell<bool> = const { Cell::new(false) };
}

/// While there is one, this thread waits for the end of a section.
struct Waiting;

impl Waiting {
    fn begin() -> Self {
        SECTIONS.set(SECTIONS.get() + 1);
        Waiting
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        SECTIONS.set(SECTIONS.get() - 1);
    }
}

/// Lets this thread of a pool stay awake for a while when it is done with its share of a
/// section: until it has had none for some time, or has found something else to do.
fn linger_later() {
    SHARES.set(SHARES.get() + 1);
    // Who waits for others has to look to them, and to nothing else.
    let Some(thread) = rayon::current_thread_index().filter(|_| SECTIONS.get() == 0) else {
        return;
    };
    if LINGERS.get() {
        return;
    }
    rayon::spawn(move || {
        // Another thread may have taken this over.
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
        let cores = available_parallelism().map_or(1, NonZero::get);
        assert_eq!(Workers::new(Some(0)).unwrap().threads(), cores);
        assert_eq!(Workers::new(Some(1)).unwrap().threads(), 1);
    }

    #[test]
    fn everything_is_done_once_and_comes_back_in_order() {
        for threads in [None, Some(1), Some(2), Some(3), Some(8)] {
            let workers = Workers::new(threads).unwrap();
            for count in [0, 1, 2, 3, 7, 100] {
                for _ in 0..50 {
                    assert_eq!(squares(&workers, count), expected(count));
                    // As a run does, once it is among its threads.
                    assert_eq!(workers.enter(|| squares(&workers, count)), expected(count));
                }
            }
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_nobody_waits_for_it() {
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
    fn work_within_work_and_beside_work_comes_to_an_end() {
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
