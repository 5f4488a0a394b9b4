//! Sorting the nodes of a level, so that equal ones meet and the others find their place.
//!
//! Nodes are put into buckets in the order of their keys, each small enough to stay in
//! cache; a bucket into about as many bins as it has nodes; and what a bin holds is sorted
//! by comparing. Every pass is over independent parts, which the workers share.

use super::super::store::{Check, NodeId};
use super::Task;
use super::buffer::{Buffer, lengthen};
use super::map::StateMap;
use crate::Error;
use crate::frontier::for_all;
use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

/// A node to be sorted.
pub(super) trait Item: Copy + Default + Send + Sync {
    /// What the nodes of a level share and a node refers to.
    type Context: Sync + ?Sized;
    /// A number that orders nodes as they are to be sorted, as far as it tells them apart.
    fn head(&self) -> u64;
    /// The order, all of it.
    fn order(&self, other: &Self, context: &Self::Context) -> Ordering;
    /// The state that it comes from.
    fn state(&self) -> u32;
    /// What [`Distinct::size`] adds up.
    fn size(&self) -> usize {
        1
    }
}

/// What the distinct nodes of a bucket come to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Distinct {
    pub(super) nodes: usize,
    pub(super) size: usize,
}

/// Chooses the buckets of nodes by their heads, in ascending order.
pub(super) trait Splitter: Sync {
    fn buckets(&self) -> usize;
    fn bucket(&self, head: u64) -> usize;
}

/// Sorts levels one after the other in the same memory.
#[derive(Debug)]
pub(super) struct Sorter<I> {
    items: Buffer<I>,
}

impl<I> Default for Sorter<I> {
    fn default() -> Self {
        Sorter { items: Buffer::default() }
    }
}

/// Items after which a pass looks whether it may go on.
pub(super) const WATCHED: usize = 1 << 16;

impl<I: Item> Sorter<I> {
    pub(super) fn bytes(&self) -> usize {
        self.items.bytes()
    }

    /// Sorts the items of all `lists`, each of which has so many in each bucket: answers them
    /// by bucket, each in order, so that equal ones are side by side, and what `summary` makes of
    /// each bucket.
    pub(super) fn sort<'s>(
        &'s mut self,
        task: &Task<'_>,
        lists: &[&[I]],
        counts: &[Vec<usize>],
        splitter: &impl Splitter,
        context: &I::Context,
        summary: impl Fn(&[I]) -> Result<Distinct, Error> + Sync,
    ) -> Result<Vec<(&'s [I], Distinct)>, Error> {
        let total = lists.iter().map(|list| list.len()).sum();
        if total == 0 {
            return Ok(vec![(&[], Distinct::default()); splitter.buckets()]);
        }
        // The places of each list's items in each bucket.
        self.items.prepare(total, &|| task.check())?;
        let mut rest = &mut self.items.items[..total];
        let mut places: Vec<Vec<_>> = Vec::new();
        places.resize_with(lists.len(), || Vec::with_capacity(splitter.buckets()));
        for bucket in 0..splitter.buckets() {
            for (counts, places) in counts.iter().zip(&mut places) {
                let (of_list, after) = std::mem::take(&mut rest).split_at_mut(counts[bucket]);
                places.push(of_list.iter_mut());
                rest = after;
            }
        }
        let work = lists.iter().zip(places);
        let scattered = for_all(task.workers, work, |_, (list, mut places)| {
            for part in list.chunks(WATCHED) {
                task.check()?;
                for &item in part {
                    let place = places[splitter.bucket(item.head())].next();
                    *place.expect("the items of the bucket were counted") = item;
                }
            }
            Ok(())
        });
        scattered.into_iter().collect::<Result<(), Error>>()?;

        let mut rest = &mut self.items.items[..total];
        let mut buckets = Vec::with_capacity(splitter.buckets());
        for bucket in 0..splitter.buckets() {
            let size = counts.iter().map(|of_list| of_list[bucket]).sum();
            let (of_bucket, after) = std::mem::take(&mut rest).split_at_mut(size);
            buckets.push(of_bucket);
            rest = after;
        }
        // Bins that nobody is sorting with; there come to be as many as there are threads.
        let spare = Mutex::new(Vec::new());
        let spare = || spare.lock().unwrap_or_else(PoisonError::into_inner);
        let sorted = for_all(task.workers, buckets, |_, bucket: &'s mut [I]| {
            task.check()?;
            let mut bins: Bins<I> = spare().pop().unwrap_or_default();
            bins.sort(bucket, context, &|| task.check())?;
            spare().push(bins);
            Ok((&*bucket, summary(bucket)?))
        });
        sorted.into_iter().collect()
    }
}

/// How many items of each list belong in each bucket.
pub(super) fn bucket_counts<I: Item>(
    task: &Task<'_>,
    lists: &[&[I]],
    splitter: &impl Splitter,
) -> Result<Vec<Vec<usize>>, Error> {
    let counts = for_all(task.workers, lists.to_vec(), |_, list| {
        let mut counts = vec![0usize; splitter.buckets()];
        for part in list.chunks(WATCHED) {
            task.check()?;
            for item in part {
                counts[splitter.bucket(item.head())] += 1;
            }
        }
        Ok(counts)
    });
    counts.into_iter().collect()
}

/// What the distinct items of a bucket come to.
pub(super) fn distinct<I: Item>(
    bucket: &[I],
    context: &I::Context,
    check: Check<'_>,
) -> Result<Distinct, Error> {
    let mut distinct = Distinct::default();
    let mut last: Option<&I> = None;
    let mut work = 0;
    for item in bucket {
        watch(&mut work, item.size(), check)?;
        if last.is_none_or(|last| last.order(item, context) != Ordering::Equal) {
            distinct.nodes += 1;
            distinct.size += item.size();
        }
        last = Some(item);
    }
    Ok(distinct)
}

/// Adds to the work since the last call of `check`, and calls it after [`WATCHED`].
#[inline]
fn watch(work: &mut usize, more: usize, check: Check<'_>) -> Result<(), Error> {
    *work += more;
    if *work >= WATCHED {
        *work = 0;
        check()?;
    }
    Ok(())
}

/// Numbers the distinct nodes of a bucket from `first` on, tells their states, and hands
/// each to `node` once, in order.
#[inline]
pub(super) fn number<I: Item>(
    bucket: &[I],
    first: NodeId,
    map: &StateMap,
    context: &I::Context,
    check: Check<'_>,
    mut node: impl FnMut(&I),
) -> Result<(), Error> {
    let mut next = first;
    let mut last: Option<&I> = None;
    let mut work = 0;
    for item in bucket {
        watch(&mut work, item.size(), check)?;
        if last.is_none_or(|last| last.order(item, context) != Ordering::Equal) {
            node(item);
            next += 1;
        }
        map.set(item.state(), next - 1);
        last = Some(item);
    }
    Ok(())
}

/// What one thread sorts a bucket with.
struct Bins<I> {
    ends: Vec<u32>,
    items: Vec<I>,
}

impl<I> Default for Bins<I> {
    fn default() -> Self {
        Bins { ends: Vec::new(), items: Vec::new() }
    }
}

/// Up to so many items, comparing each with its neighbours is the best way to sort.
const FEW: usize = 24;

impl<I: Item> Bins<I> {
    /// Asks `check` every now and then, as it may be that all of a level is one bucket.
    fn sort(
        &mut self,
        bucket: &mut [I],
        context: &I::Context,
        check: Check<'_>,
    ) -> Result<(), Error> {
        let order = |a: &I, b: &I| a.order(b, context);
        if bucket.len() <= FEW {
            insert_all(bucket, 1, order);
            return Ok(());
        }
        let (mut least, mut most) = (u64::MAX, 0);
        for part in bucket.chunks(WATCHED) {
            check()?;
            for head in part.iter().map(Item::head) {
                (least, most) = (least.min(head), most.max(head));
            }
        }
        let range = most - least;
        // Half as many bins as items, or twice as many.
        let bits = u64::BITS - range.leading_zeros();
        let shift = bits.saturating_sub(usize::BITS - bucket.len().leading_zeros());
        let bin = |item: &I| ((item.head() - least) >> shift) as usize;
        self.ends.clear();
        lengthen(&mut self.ends, (range >> shift) as usize + 1, || 0, check)?;
        for part in bucket.chunks(WATCHED) {
            check()?;
            for item in part {
                self.ends[bin(item)] += 1;
            }
        }
        let mut end = 0;
        for count in &mut self.ends {
            end += std::mem::replace(count, end);
        }
        self.items.clear();
        for part in bucket.chunks(WATCHED) {
            check()?;
            self.items.extend_from_slice(part);
        }
        // Where a bin starts becomes where it ends.
        for part in self.items.chunks(WATCHED) {
            check()?;
            for item in part {
                let end = &mut self.ends[bin(item)];
                bucket[*end as usize] = *item;
                *end += 1;
            }
        }
        let mut start = 0;
        for part in self.ends.chunks(WATCHED) {
            check()?;
            for &end in part {
                let end = end as usize;
                let items = &mut bucket[start..end];
                if items.len() > RUN {
                    sort_runs(items, &mut self.items[start..end], order, check)?;
                } else if items.len() > FEW {
                    items.sort_unstable_by(order);
                }
                start = end;
            }
        }
        // What is left to do is near its place.
        for from in (0..bucket.len()).step_by(WATCHED) {
            check()?;
            let to = bucket.len().min(from + WATCHED);
            insert_all(&mut bucket[..to], from, order);
        }
        Ok(())
    }
}

/// The number of items sorted or merged between two calls of `check`.
const RUN: usize = 1 << 14;

/// Merge sort in time O(n log n). `spare` has the length of `items`. Calls `check` before each
/// [`RUN`] items that it sorts or merges.
fn sort_runs<I: Copy>(
    items: &mut [I],
    spare: &mut [I],
    order: impl Fn(&I, &I) -> Ordering,
    check: Check<'_>,
) -> Result<(), Error> {
    for run in items.chunks_mut(RUN) {
        check()?;
        run.sort_unstable_by(&order);
    }
    let len = items.len();
    let mut length = RUN;
    // Two merges at a time, so that the items are back where they were.
    while length < len {
        merge_runs(items, spare, length, &order, check)?;
        merge_runs(spare, items, 2 * length, &order, check)?;
        length *= 4;
    }
    Ok(())
}

/// Merges adjacent pairs of sorted runs of `length` items.
fn merge_runs<I: Copy>(
    items: &[I],
    into: &mut [I],
    length: usize,
    order: impl Fn(&I, &I) -> Ordering,
    check: Check<'_>,
) -> Result<(), Error> {
    for (two, into) in items.chunks(2 * length).zip(into.chunks_mut(2 * length)) {
        let (mut one, mut other) = two.split_at(length.min(two.len()));
        for part in into.chunks_mut(RUN) {
            check()?;
            for place in part {
                let from = match (one, other) {
                    ([a, ..], [b, ..]) if order(b, a) == Ordering::Less => &mut other,
                    ([], _) => &mut other,
                    _ => &mut one,
                };
                *place = from[0];
                *from = &from[1..];
            }
        }
    }
    Ok(())
}

/// Sorts by insertion, where those before `from` are in order: fast where every item is near its
/// place.
fn insert_all<I: Copy>(items: &mut [I], from: usize, order: impl Fn(&I, &I) -> Ordering) {
    for end in from..items.len() {
        let item = items[end];
        let mut at = end;
        while at > 0 && order(&item, &items[at - 1]) == Ordering::Less {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Item for (u64, u64) {
        type Context = ();
        fn head(&self) -> u64 {
            self.0
        }
        fn order(&self, other: &Self, (): &()) -> Ordering {
            self.cmp(other)
        }
        fn state(&self) -> u32 {
            0
        }
    }

    proptest! {
        #[test]
        fn buckets_are_sorted(
            narrow in prop::collection::vec((0u64..40, 0u64..3), 0..300),
            wide in prop::collection::vec((any::<u64>(), 0u64..3), 0..300),
        ) {
            let mut bins = Bins::default();
            for mut items in [narrow.clone(), wide.clone(), [narrow, wide].concat()] {
                let mut expected = items.clone();
                expected.sort_unstable();
                bins.sort(&mut items, &(), &|| Ok(())).unwrap();
                prop_assert_eq!(items, expected);
            }
        }

        /// Items with equal heads land in one bin, which is sorted by merging runs.
        #[test]
        fn a_bin_longer_than_a_run_is_sorted_and_stops_when_the_check_fails(
            seed: u64,
            len in prop_oneof![RUN + 1..RUN + 3, 2 * RUN - 1..2 * RUN + 2, RUN + 1..7 * RUN],
            heads in 1..3u64,
            allowed in 0..30u32,
        ) {
            let mixed = |at: u64| (at ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
            let items = (0..len as u64).map(|at| (mixed(at) % heads, mixed(at + 1)));
            let mut items: Vec<(u64, u64)> = items.collect();
            let mut expected = items.clone();
            let unsorted = items.clone();
            let mut bins = Bins::default();
            let asked = std::cell::Cell::new(0);
            bins.sort(&mut items, &(), &|| { asked.set(asked.get() + 1); Ok(()) }).unwrap();
            expected.sort_unstable();
            prop_assert!(items == expected);
            // `check` is called for each sorted run and for each merged one.
            prop_assert!(asked.get() as usize > len / RUN * 2);
            items.clone_from(&unsorted);
            let whole = asked.replace(0);
            let check = || {
                asked.set(asked.get() + 1);
                if asked.get() > allowed { Err(Error::Cancelled { variable: None }) } else { Ok(()) }
            };
            prop_assert_eq!(bins.sort(&mut items, &(), &check).is_err(), allowed < whole);
            prop_assert_eq!(asked.get(), whole.min(allowed + 1));
        }

        /// Also where it is cut into parts, of which none is more than watched.
        #[test]
        fn large_buckets_are_sorted_and_watched(seed: u64, more in 1..1000usize, allowed in 0..8u32) {
            let mixed = |at: u64| (at ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let items = (0..(WATCHED + more) as u64).map(|at| (mixed(at) >> 40, at % 3));
            let mut items: Vec<(u64, u64)> = items.collect();
            let mut expected = items.clone();
            let mut bins = Bins::default();
            bins.sort(&mut items, &(), &|| Ok(())).unwrap();
            expected.sort_unstable();
            prop_assert!(items == expected);
            let asked = std::cell::Cell::new(0);
            let check = || {
                asked.set(asked.get() + 1);
                if asked.get() > allowed { Err(Error::Cancelled { variable: None }) } else { Ok(()) }
            };
            prop_assert!(bins.sort(&mut items, &(), &check).is_err());
            prop_assert_eq!(asked.get(), allowed + 1);
        }
    }
}
