//! The size of a manager, and counts of its operations.

use super::Manager;
use std::fmt;
use std::time::Duration;

/// The size of a [`Manager`], and counts of its operations; returned by [`Manager::statistics`].
///
/// ```
/// let manager = topdd_apply::Manager::new(3)?;
/// let parity = manager.var(0)? ^ manager.var(1)? ^ manager.var(2)?;
/// let sizes = manager.statistics();
/// assert!(sizes.function_nodes >= parity.node_count() && sizes.family_nodes == 0);
/// assert!(sizes.cache_hits <= sizes.cache_lookups && sizes.bytes > 0);
/// assert_eq!(sizes.handles, 1);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of nodes of functions, including garbage that is not yet collected.
    pub function_nodes: usize,
    /// The number of nodes of families, including garbage that is not yet collected.
    pub family_nodes: usize,
    /// The maximum number of nodes of functions plus the maximum number of nodes of families, sampled at
    /// collections. The two maxima may be of different times.
    pub peak_nodes: usize,
    /// The size of nodes, tables and caches, in bytes.
    pub bytes: usize,
    /// The number of handles, where a handle and its clones count once.
    pub handles: usize,
    /// The number of garbage collections so far.
    pub collections: u64,
    /// The number of lookups in the operation caches.
    pub cache_lookups: u64,
    /// The number of lookups that found a result.
    pub cache_hits: u64,
    /// The capacity of the operation caches, in entries.
    pub cache_entries: usize,
    /// The number of siftings so far, automatic or not.
    pub siftings: u64,
    /// The time of all siftings.
    pub sifting_time: Duration,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} function nodes, {} family nodes (peak {}), {} bytes, {} handles, {} collections, \
             cache: {} entries, {} hits of {}, {} siftings ({:.1?})",
            self.function_nodes,
            self.family_nodes,
            self.peak_nodes,
            self.bytes,
            self.handles,
            self.collections,
            self.cache_entries,
            self.cache_hits,
            self.cache_lookups,
            self.siftings,
            self.sifting_time
        )
    }
}

impl Manager {
    /// Returns the size of the manager and counts of its operations, in constant time.
    #[doc(alias("Cudd_PrintInfo", "Cudd_ReadKeys"))]
    pub fn statistics(&self) -> Statistics {
        let functions = self.inner.functions.borrow();
        let families = self.inner.families.borrow();
        Statistics {
            function_nodes: functions.len(),
            family_nodes: families.len(),
            peak_nodes: functions.collector.peak_nodes.max(functions.len())
                + families.collector.peak_nodes.max(families.len()),
            bytes: self.inner.budget.bytes(),
            handles: self.inner.function_roots.len() + self.inner.family_roots.len(),
            collections: functions.collector.collections + families.collector.collections,
            cache_lookups: functions.cache.lookups + families.cache.lookups,
            cache_hits: functions.cache.hits + families.cache.hits,
            cache_entries: functions.cache.len() + families.cache.len(),
            siftings: self.inner.automatic.siftings.get(),
            sifting_time: self.inner.automatic.time.get(),
        }
    }
}
