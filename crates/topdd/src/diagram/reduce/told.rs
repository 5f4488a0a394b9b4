//! Telling a map what states became, when several threads find that out.
//!
//! Which node a state became is found out in the order of the nodes, which has nothing to do with
//! that of the states. Were it written to the map at once, each line of cache of the map would go
//! to and fro between the threads. So it is written to where the nodes were read to, list by list,
//! which nobody needs any more; then each list, which is of states that follow each other, is
//! brought to the map by one thread.
//!
//! That is for nodes of two values. What was read of others is twice as large, and bringing it
//! to the map takes as long as it saves.

use super::super::store::NodeId;
use super::map::StateMap;
use super::sort::{Item, WATCHED};
use crate::Error;
use crate::frontier::{Workers, for_all};
use std::slice::IterMut;

/// An item of a list can say, in its place, what its state became.
pub(super) trait Note: Item {
    fn of(state: u32, id: NodeId) -> Self;
    fn id(&self) -> NodeId;
}

/// The lists that the nodes of a level were read to. Those of each are of states in ascending
/// order, which come before those of the next.
pub(super) struct Told<'l, N> {
    lists: Vec<&'l mut [N]>,
    finder: Finder,
}

impl<'l, N: Note> Told<'l, N> {
    pub(super) fn new(lists: Vec<&'l mut [N]>) -> Self {
        let firsts = lists.iter().map(|list| list.first().map(N::state)).collect();
        let last = lists.iter().rev().find_map(|list| list.last()).map_or(0, N::state);
        let finder = Finder::new(firsts, last);
        Told { lists, finder }
    }

    /// For each bucket, where to note what the states of its nodes became: `counts` tells, for each
    /// list, how many these are.
    pub(super) fn places(&mut self, counts: &[Vec<usize>], buckets: usize) -> Vec<Places<'_, N>> {
        let finder = &self.finder;
        let make = || Places { lists: Vec::with_capacity(counts.len()), finder };
        let mut places: Vec<_> = std::iter::repeat_with(make).take(buckets).collect();
        for (list, counts) in self.lists.iter_mut().zip(counts) {
            let mut rest = &mut list[..];
            for (places, &count) in places.iter_mut().zip(counts) {
                let (here, after) = std::mem::take(&mut rest).split_at_mut(count);
                places.lists.push(here.iter_mut());
                rest = after;
            }
        }
        places
    }

    /// Tells the map what has been noted.
    pub(super) fn deliver(
        self,
        workers: &Workers,
        check: &(dyn Fn() -> Result<(), Error> + Sync),
        map: &StateMap,
    ) -> Result<(), Error> {
        let lists = self.lists.into_iter().filter(|list| !list.is_empty());
        let told = for_all(Some(workers), lists, |_, list| {
            for part in list.chunks(WATCHED) {
                check()?;
                for note in part {
                    map.set(note.state(), note.id());
                }
            }
            Ok(())
        });
        told.into_iter().collect()
    }
}

/// Where to note what became of the states of some nodes.
pub(super) struct Places<'p, N> {
    lists: Vec<IterMut<'p, N>>,
    finder: &'p Finder,
}

impl<N: Note> Places<'_, N> {
    #[inline]
    pub(super) fn note(&mut self, state: u32, id: NodeId) {
        let place = self.lists[self.finder.list(state)].next();
        *place.expect("the items of the bucket were counted") = N::of(state, id);
    }
}

/// Tells which list a state is of.
struct Finder {
    /// The first state of each list, and one that is beyond all.
    firsts: Vec<u32>,
    /// For each stretch of states, the list that the first of them is of, or one before it: there
    /// are some lists for each thread, and so never as many.
    stretches: Vec<u16>,
    /// How long such a stretch is, as a power of two.
    shift: u32,
}

/// Stretches of states for each list, so that there is seldom one with states of two.
const STRETCHES: usize = 64;

impl Finder {
    /// For lists with these first states, if they have any, and the `last` of all.
    fn new(firsts: Vec<Option<u32>>, last: u32) -> Self {
        let count = firsts.len();
        let mut next = u32::MAX;
        // A list that has no states ends before it begins.
        let from_last = firsts.into_iter().rev().map(|first| {
            next = first.unwrap_or(next);
            next
        });
        let mut firsts: Vec<u32> = [u32::MAX].into_iter().chain(from_last).collect();
        firsts.reverse();
        debug_assert!(firsts.is_sorted(), "the lists are in the order of their states");
        let shift = (last / (count * STRETCHES).max(1) as u32 + 1).ilog2();
        let mut list = 0;
        let stretches = (0..=last >> shift).map(|stretch| {
            list = Self::from(&firsts, list, stretch << shift);
            list.min(usize::from(u16::MAX)) as u16
        });
        let stretches = stretches.collect();
        Finder { firsts, stretches, shift }
    }

    /// The list of a state that is not before those of this one.
    #[inline]
    fn from(firsts: &[u32], mut list: usize, state: u32) -> usize {
        while state >= firsts[list + 1] {
            list += 1;
        }
        list
    }

    #[inline]
    fn list(&self, state: u32) -> usize {
        Self::from(&self.firsts, usize::from(self.stretches[(state >> self.shift) as usize]), state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    /// A state, and the bucket that it belongs in; or what it became.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct One(u32, NodeId);

    impl Item for One {
        type Context = ();
        fn head(&self) -> u64 {
            self.1.into()
        }
        fn order(&self, other: &Self, (): &()) -> Ordering {
            self.1.cmp(&other.1)
        }
        fn state(&self) -> u32 {
            self.0
        }
    }

    impl Note for One {
        fn of(state: u32, id: NodeId) -> Self {
            One(state, id)
        }
        fn id(&self) -> NodeId {
            self.1
        }
    }

    proptest! {
        #[test]
        fn the_map_is_told_what_each_state_became(
            // States of a list, each with how many there are before it that no list has.
            lists in prop::collection::vec(
                prop::collection::vec((0u32..40, 0usize..5), 0..300), 1..20,
            ),
            buckets in 5usize..7,
        ) {
            let mut state = 0;
            let mut one = |(skipped, bucket): (u32, usize)| {
                let this = state + skipped;
                state = this + 1;
                One(this, bucket as NodeId)
            };
            let mut lists: Vec<Vec<One>> =
                lists.into_iter().map(|list| list.into_iter().map(&mut one).collect()).collect();
            let all = lists.concat();
            let count = |list: &Vec<One>, bucket| list.iter().filter(|one| one.1 == bucket).count();
            let counts: Vec<Vec<usize>> = lists
                .iter()
                .map(|list| (0..buckets).map(|bucket| count(list, bucket as NodeId)).collect())
                .collect();
            let mut told = Told::new(lists.iter_mut().map(Vec::as_mut_slice).collect());
            for (bucket, mut places) in told.places(&counts, buckets).into_iter().enumerate() {
                // Not in the order of the states.
                for &One(state, _) in all.iter().rev().filter(|one| one.1 as usize == bucket) {
                    places.note(state, !state);
                }
            }
            let mut map = StateMap::default();
            map.prepare(state as usize + 1, &|| Ok(())).unwrap();
            told.deliver(&Workers::new(Some(2)).unwrap(), &|| Ok(()), &map).unwrap();
            for One(state, _) in all {
                prop_assert_eq!(map.get(state), !state);
            }
        }
    }
}
