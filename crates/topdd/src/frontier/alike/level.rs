//! A level of a sweep over alike variables: which states of its class it has, and their words.

use crate::frontier::chain::ForcedChain;
use crate::frontier::level::Incoming;
use crate::frontier::numbering::Place;
use crate::number::limbs;
use std::ops::Range;

/// The levels that are not finished.
pub(super) struct Levels {
    /// By variable.
    levels: Vec<Option<Box<AlikeLevel>>>,
}

impl Levels {
    pub(super) fn new(num_vars: usize) -> Self {
        Levels { levels: (0..num_vars).map(|_| None).collect() }
    }

    pub(super) fn num_vars(&self) -> usize {
        self.levels.len()
    }

    /// The level at a variable. Adds it if it is new.
    #[inline]
    pub(super) fn at(&mut self, variable: usize) -> &mut AlikeLevel {
        self.levels[variable].get_or_insert_default()
    }

    pub(super) fn take(&mut self, variable: usize) -> Option<Box<AlikeLevel>> {
        self.levels[variable].take()
    }

    /// Size in bytes of the levels at some variables.
    pub(super) fn bytes(&self, variables: Range<usize>) -> usize {
        self.levels[variables].iter().flatten().map(|level| level.bytes()).sum()
    }
}

/// The bits of a word of marks.
const BITS: usize = u64::BITS as usize;

/// A level that is not finished.
///
/// The words are by the numbers of the states in their class. Neighbours have neighbours as children, because the
/// children of a state got their numbers together, so most of the memory that is read and written is in the cache.
#[derive(Default)]
pub(super) struct AlikeLevel {
    /// For each number the count of paths to the state, with this many limbs; 0 if the level does not have the state.
    /// Numbers beyond the end are not in the level. Empty if edges are stored.
    words: Vec<u64>,
    limbs: usize,
    /// If edges are stored, a bit for each number: whether the level has the state.
    marks: Vec<u64>,
    /// The edges to this level.
    pub(super) arrivals: u64,
    /// The long edges to this level, if edges are stored.
    pub(super) incoming: Vec<Incoming>,
}

impl AlikeLevel {
    /// Adds a count, which is not 0, to the count of a state.
    #[inline]
    pub(super) fn add(&mut self, number: u32, words: &[u64]) {
        self.arrivals += 1;
        let start = number as usize * self.limbs;
        if words.len() > self.limbs || start >= self.words.len() {
            self.make_room(number, words.len());
        }
        let own = &mut self.words[number as usize * self.limbs..][..self.limbs];
        if limbs::add_carrying(own, words) {
            self.widen(self.limbs + 1);
            self.words[(number as usize + 1) * self.limbs - 1] = 1;
        }
    }

    /// Adds an edge to each of some states.
    pub(super) fn mark(&mut self, numbers: &[u32]) {
        self.arrivals += numbers.len() as u64;
        let last = numbers.iter().max().map_or(0, |&number| number as usize);
        self.marks.resize(self.marks.len().max(last / BITS + 1), 0);
        for &number in numbers {
            self.marks[number as usize / BITS] |= 1 << (number as usize % BITS);
        }
    }

    #[cold]
    fn make_room(&mut self, number: u32, limbs: usize) {
        self.widen(limbs);
        let states = (number as usize + 1).next_power_of_two();
        self.words.resize(self.words.len().max(states * self.limbs), 0);
    }

    /// Appends zeros to the words of each state, to so many limbs at least.
    fn widen(&mut self, limbs: usize) {
        if limbs <= self.limbs {
            return;
        }
        let mut words = Vec::with_capacity(self.words.len() / self.limbs.max(1) * limbs);
        for own in self.words.chunks(self.limbs.max(1)) {
            limbs::append(&mut words, own, limbs);
        }
        (self.words, self.limbs) = (words, limbs);
    }

    /// The numbers of the states, in order.
    pub(super) fn states(&self) -> impl Iterator<Item = u32> {
        self.counted().map(|(number, _)| number).chain(self.marked())
    }

    /// The numbers of the states, in order, with their words. Empty if edges are stored.
    #[inline]
    pub(super) fn counted(&self) -> impl Iterator<Item = (u32, &[u64])> {
        let all = (0..).zip(self.words.chunks(self.limbs.max(1)));
        all.filter(|(_, words)| words.iter().any(|&word| word != 0))
    }

    /// The numbers of the states, in order, if edges are stored.
    #[inline]
    pub(super) fn marked(&self) -> impl Iterator<Item = u32> {
        (0..).step_by(BITS).zip(&self.marks).flat_map(|(first, &marks)| {
            let without_first = |&marks: &u64| marks.checked_sub(1).map(|less| less & marks);
            let rests = std::iter::successors(Some(marks), without_first);
            rests.take_while(|&rest| rest != 0).map(move |rest| first + rest.trailing_zeros())
        })
    }

    /// The number of states of its class, present or not, that [`states`](AlikeLevel::states) passes.
    pub(super) fn numbers(&self) -> u64 {
        (self.words.len() / self.limbs.max(1) + self.marks.len() * BITS) as u64
    }

    /// The places of the edges so far over a chain.
    pub(super) fn arrivals_over(&mut self, chain: ForcedChain) -> &mut Vec<Place> {
        let found = self.incoming.iter().position(|of| of.chain == chain);
        let index = found.unwrap_or_else(|| {
            self.incoming.push(Incoming { chain, places: vec![Vec::new()] });
            self.incoming.len() - 1
        });
        &mut self.incoming[index].places[0]
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let incoming = self.incoming.iter().flat_map(|of| &of.places).map(Vec::capacity);
        (self.words.capacity() + self.marks.capacity()) * size_of::<u64>()
            + incoming.sum::<usize>() * size_of::<Place>()
    }
}
