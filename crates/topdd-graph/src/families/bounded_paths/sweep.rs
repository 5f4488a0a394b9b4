//! Levels of states that several threads expand, within limits.

use super::counts::{Addition, CountTable, LengthCounts, RecordBlock, Total, hash_of};
use super::saved::{MethodBlocks, bytes_of};
use num_bigint::BigUint;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use topdd::frontier::BlockWriter;
use topdd::{BuildError, CancelToken, Limit};

/// log2 of the tables of a level.
const SHARD_BITS: u32 = 5;

/// The most additions of a batch.
const BATCH: usize = 32;

/// The limbs of a batch after which it is full.
const BATCH_LIMBS: usize = 1 << 12;

/// The work of a thread before it looks at the limits: some milliseconds.
const CHUNK: u64 = 1 << 13;

/// The fewest states of a level for several threads.
const SHARED: usize = 256;

/// The limits of a run, and its measurements.
#[derive(Debug)]
pub(super) struct Meter {
    pub(super) started: Instant,
    pub(super) time_limit: Option<Duration>,
    pub(super) memory_limit: Option<usize>,
    pub(super) cancel: Option<CancelToken>,
    pub(super) threads: usize,
    states: AtomicU64,
    /// In states after a choice of `mates`, before equal ones merge.
    work: AtomicU64,
    bytes: AtomicUsize,
    peak_bytes: AtomicUsize,
}

impl Meter {
    /// A meter without limits.
    pub(super) fn new() -> Self {
        Self {
            started: Instant::now(),
            time_limit: None,
            memory_limit: None,
            cancel: None,
            threads: 1,
            states: AtomicU64::new(0),
            work: AtomicU64::new(0),
            bytes: AtomicUsize::new(0),
            peak_bytes: AtomicUsize::new(0),
        }
    }

    /// Checks the limits.
    pub(super) fn check(&self) -> Result<(), BuildError> {
        let bytes = self.bytes.load(Relaxed);
        self.peak_bytes.fetch_max(bytes, Relaxed);
        self.check_time()?;
        match self.memory_limit.filter(|&limit| bytes > limit).map(Limit::Bytes) {
            Some(limit) => Err(BuildError::LimitReached { limit, variable: None }),
            None => Ok(()),
        }
    }

    /// Checks cancellation and the time limit, which end all methods. The memory limit may end one alone.
    pub(super) fn check_time(&self) -> Result<(), BuildError> {
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(BuildError::Cancelled { variable: None });
        }
        match self.time_limit.filter(|&limit| self.started.elapsed() > limit).map(Limit::Time) {
            Some(limit) => Err(BuildError::LimitReached { limit, variable: None }),
            None => Ok(()),
        }
    }

    /// Sets the number of states that were expanded before the run was resumed.
    pub(super) fn resume(&mut self, states: u64) {
        *self.states.get_mut() = states;
    }

    /// The number of states that were expanded.
    pub(super) fn states(&self) -> u64 {
        self.states.load(Relaxed)
    }

    /// The size of all states in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// The largest size of all states in bytes, at the checks of the limits.
    pub(super) fn peak_bytes(&self) -> usize {
        self.peak_bytes.load(Relaxed)
    }

    /// The work of all methods. A state after a choice of `mates` is one unit; of `heads`, what takes about as long.
    pub(super) fn work(&self) -> u64 {
        self.work.load(Relaxed)
    }
}

/// The states of a level, in tables by hash. Its memory is subtracted from the meter when it is dropped.
pub(super) struct StateTable<'m, const W: usize> {
    tables: Vec<Mutex<CountTable<W>>>,
    meter: &'m Meter,
}

impl<'m, const W: usize> StateTable<'m, W> {
    /// An empty level, whose lengths differ by multiples of `stride`.
    pub(super) fn new(meter: &'m Meter, stride: usize) -> Self {
        let table = || Mutex::new(CountTable::new(stride));
        Self { tables: (0..1 << SHARD_BITS).map(|_| table()).collect(), meter }
    }

    /// Adds counts, `times` times, to the counts of a state. [`Addition`] says what `least` does.
    pub(super) fn add(&self, row: &[u64; W], counts: LengthCounts<'_>, times: u64, least: usize) {
        let hash = hash_of(row);
        self.change(shard_of(hash), |table| {
            table.add(Addition { hash, row, counts, times, least });
        });
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.tables.iter().map(|table| locked(table).bytes()).sum()
    }

    /// Saves the sizes of the tables, the number of states, and the states. Returns the index of the last block.
    pub(super) fn save(&self, blocks: &mut BlockWriter) -> Result<usize, BuildError> {
        let tables: Vec<_> = self.tables.iter().map(locked).collect();
        let sizes: Vec<usize> = tables.iter().map(|table| table.words_in_use()).collect();
        let states: usize = tables.iter().map(|table| table.len()).sum();
        blocks.append(&bytes_of(&(sizes, states)))?;
        let mut block = RecordBlock::default();
        let mut write = |block: &mut RecordBlock| {
            self.meter.check_time()?;
            blocks.append(&bytes_of(&std::mem::take(block)))
        };
        for (row, counts) in tables.iter().flat_map(|table| table.iter()) {
            if !block.accepts(counts) {
                write(&mut block)?;
            }
            block.push(row, counts);
        }
        write(&mut block)
    }

    /// Reads saved states into a new level with the stride of this one. The tables reserve their final sizes, so that the new level takes
    /// no more memory than the saved one.
    pub(super) fn restored(&self, blocks: &mut MethodBlocks<'_>) -> Result<Self, BuildError> {
        let stride = locked(&self.tables[0]).stride();
        let level = Self::new(self.meter, stride);
        let (sizes, states): (Vec<usize>, usize) = blocks.read()?;
        for (shard, words) in (0..level.tables.len()).zip(sizes) {
            level.change(shard, |table| table.reserve_words(words));
        }
        let mut left = states;
        loop {
            self.meter.check()?;
            let block: RecordBlock = blocks.read()?;
            left = left.checked_sub(block.states()).ok_or_else(|| blocks.damaged())?;
            let mut batches = Batches::new(&level);
            for (row, counts) in block.records(stride).ok_or_else(|| blocks.damaged())? {
                batches.add(*row, counts, 1, 0);
            }
            drop(batches);
            if left == 0 {
                self.meter.check()?;
                return Ok(level);
            }
        }
    }

    fn change(&self, shard: usize, change: impl FnOnce(&mut CountTable<W>)) {
        let mut table = locked(&self.tables[shard]);
        let before = table.bytes();
        change(&mut table);
        let after = table.bytes();
        if after != before {
            // The counts may have moved to smaller memory.
            self.meter.bytes.fetch_add(after.wrapping_sub(before), Relaxed);
        }
    }
}

/// The table of a state with this hash. The upper half of the bits orders the states of a table.
fn shard_of(hash: u64) -> usize {
    hash as usize & ((1 << SHARD_BITS) - 1)
}

/// An [`Addition`] whose counts are at `start` in the limbs of its batch.
struct BatchItem<const W: usize> {
    hash: u64,
    row: [u64; W],
    low: usize,
    width: usize,
    start: usize,
    len: usize,
    times: u64,
    least: usize,
}

/// Additions to one table, which are made together.
struct Batch<const W: usize> {
    items: Vec<BatchItem<W>>,
    limbs: Vec<u64>,
}

/// Additions of a thread to a level, made in batches. They are all made when this is dropped.
pub(super) struct Batches<'t, 'm, const W: usize> {
    level: &'t StateTable<'m, W>,
    batches: Vec<Batch<W>>,
}

impl<'t, 'm, const W: usize> Batches<'t, 'm, W> {
    pub(super) fn new(level: &'t StateTable<'m, W>) -> Self {
        let batch = || Batch { items: Vec::new(), limbs: Vec::new() };
        Self { level, batches: level.tables.iter().map(|_| batch()).collect() }
    }

    /// Adds counts, `times` times, to the counts of a state. [`Addition`] says what `least` does.
    pub(super) fn add(
        &mut self,
        row: [u64; W],
        counts: LengthCounts<'_>,
        times: u64,
        least: usize,
    ) {
        let hash = hash_of(&row);
        let shard = shard_of(hash);
        let batch = &mut self.batches[shard];
        let (low, width, start) = (counts.low, counts.width, batch.limbs.len());
        batch.limbs.extend_from_slice(counts.limbs);
        let len = counts.limbs.len();
        batch.items.push(BatchItem { hash, row, low, width, start, len, times, least });
        if batch.items.len() == BATCH || batch.limbs.len() >= BATCH_LIMBS {
            self.make(shard);
        }
    }

    /// Makes the additions to a table.
    fn make(&mut self, shard: usize) {
        let Batch { items, limbs } = &mut self.batches[shard];
        self.level.change(shard, |table| {
            let stride = table.stride();
            table.add_all(items.iter().map(|item| {
                let BatchItem { hash, ref row, low, width, start, len, times, least } = *item;
                let limbs = &limbs[start..start + len];
                let counts = LengthCounts { low, limbs, width, stride };
                Addition { hash, row, counts, times, least }
            }));
        });
        items.clear();
        limbs.clear();
    }
}

impl<const W: usize> Drop for Batches<'_, '_, W> {
    fn drop(&mut self) {
        if thread::panicking() {
            // A table may be in the middle of an addition.
            return;
        }
        (0..self.batches.len()).for_each(|shard| self.make(shard));
    }
}

impl<const W: usize> Drop for StateTable<'_, W> {
    fn drop(&mut self) {
        self.meter.bytes.fetch_sub(self.bytes(), Relaxed);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread that expands states: its buffers, and the complete paths that it found.
pub(super) struct Worker<'m, S> {
    pub(super) scratch: S,
    pub(super) total: Total,
    meter: &'m Meter,
    /// The work since the last check of the limits.
    work: u64,
    /// The limit that was met. The states of the level are then of no use.
    failed: Option<BuildError>,
}

impl<'m, S> Worker<'m, S> {
    pub(super) fn new(meter: &'m Meter, scratch: S) -> Self {
        Self { scratch, total: Total::default(), meter, work: 0, failed: None }
    }

    /// Counts work, and now and then checks the limits.
    #[inline]
    pub(super) fn spend(&mut self, work: u64) {
        self.work += work;
        if self.work >= CHUNK {
            self.check();
        }
    }

    #[cold]
    fn check(&mut self) {
        self.meter.work.fetch_add(std::mem::take(&mut self.work), Relaxed);
        self.failed = self.failed.take().or(self.meter.check().err());
    }

    /// Whether a limit was met.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.failed.is_some()
    }

    /// The complete paths, unless a limit was met.
    pub(super) fn finish(mut self) -> Result<Total, BuildError> {
        self.check();
        self.failed.map_or(Ok(self.total), Err)
    }
}

/// A count by one method, level by level.
pub(super) trait PathRun {
    /// Expands the next level. Returns the count if no level is left.
    fn advance(&mut self) -> Result<Option<BigUint>, BuildError>;

    /// The number of levels that were expanded.
    fn passed(&self) -> usize;

    /// The number of levels.
    fn levels(&self) -> usize;

    /// The size of its states in bytes.
    fn bytes(&self) -> usize;

    /// Saves the levels that are still to be expanded, and the paths that were found. Returns the index of the last block.
    fn save(&self, blocks: &mut BlockWriter) -> Result<usize, BuildError>;

    /// Restores the progress of a run of the same count. After an error, the run is of no use.
    fn restore(&mut self, blocks: &mut MethodBlocks<'_>) -> Result<(), BuildError>;
}

/// Expands all states of a level, and returns the number of complete paths. Each thread makes a scratch value.
pub(super) fn sweep<'m, const W: usize, S>(
    level: &StateTable<'m, W>,
    scratch: impl Fn() -> S + Sync,
    expand: impl Fn(&mut Worker<'m, S>, &[u64; W], LengthCounts<'_>) + Sync,
) -> Result<Total, BuildError> {
    let meter = level.meter;
    let tables: Vec<_> = level.tables.iter().map(locked).collect();
    let tables: Vec<&CountTable<W>> = tables.iter().map(|table| &**table).collect();
    let states: usize = tables.iter().map(|table| table.len()).sum();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut worker = Worker::new(meter, scratch());
        while let Some(table) = tables.get(next.fetch_add(1, Relaxed)) {
            for (row, counts) in table.iter() {
                if worker.is_stopped() || failed.load(Relaxed) {
                    failed.store(true, Relaxed);
                    return worker.finish();
                }
                expand(&mut worker, row, counts);
                worker.spend(1);
            }
        }
        worker.finish()
    };
    let total = if meter.threads < 2 || states < SHARED {
        work()
    } else {
        thread::scope(|scope| {
            let others: Vec<_> = (1..meter.threads).map(|_| scope.spawn(work)).collect();
            let mut total = work();
            for other in others {
                match (other.join(), &mut total) {
                    (Ok(Ok(other)), Ok(total)) => total.merge(&other),
                    (Ok(Err(error)), Ok(_)) => total = Err(error),
                    (Ok(_), Err(_)) => {}
                    (Err(panic), _) => resume_unwind(panic),
                }
            }
            total
        })
    };
    meter.states.fetch_add(states as u64, Relaxed);
    total
}
