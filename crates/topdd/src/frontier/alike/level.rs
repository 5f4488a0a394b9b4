//! A level of a sweep over alike variables: which states of its class it has, and their words.

use crate::frontier::level::Incoming;
use crate::frontier::payload::Payload;
use crate::frontier::places::Place;
use crate::frontier::unreduced::ForcedChain;
use crate::number::limbs;
use std::ops::Range;

/// The memory of a finished level of at most so many bytes is used again. Allocating more takes little of the time.
const MAX_SPARE_BYTES: usize = 1 << 16;

/// The levels that are not finished.
#[derive(Default)]
pub(super) struct AlikeLevels {
    /// The number of variables whose levels are finished or in progress.
    begun: usize,
    /// By variable, modulo the length, which is a power of two: at most so many variables, from `begun` on, have levels.
    ring: Vec<Option<Box<AlikeLevel>>>,
    /// A finished level, whose memory is used again.
    spare: Option<Box<AlikeLevel>>,
}

impl AlikeLevels {
    /// The level at a variable that has not begun. Adds it if it is new.
    #[inline]
    pub(super) fn at(&mut self, variable: usize) -> &mut AlikeLevel {
        if variable - self.begun >= self.ring.len() {
            self.grow(variable);
        }
        let place = variable & (self.ring.len() - 1);
        self.ring[place].get_or_insert_with(|| self.spare.take().unwrap_or_default())
    }

    #[cold]
    fn grow(&mut self, variable: usize) {
        let length = (variable - self.begun + 1).next_power_of_two();
        let mut ring: Vec<_> = std::iter::repeat_with(|| None).take(length).collect();
        for variable in self.begun..self.begun + self.ring.len() {
            let place = variable & (self.ring.len() - 1);
            ring[variable & (length - 1)] = self.ring[place].take();
        }
        self.ring = ring;
    }

    /// The place of the level at the next variable; `None` if no variable has had one.
    fn next(&mut self) -> Option<&mut Option<Box<AlikeLevel>>> {
        let place = self.begun & self.ring.len().checked_sub(1)?;
        Some(&mut self.ring[place])
    }

    /// Begins the level at the next variable, if it has states.
    pub(super) fn begin_next(&mut self) -> Option<Box<AlikeLevel>> {
        let level = self.next().and_then(Option::take);
        self.begun += 1;
        level
    }

    /// Ends a level.
    pub(super) fn end(&mut self, mut level: Box<AlikeLevel>) {
        if level.bytes() <= MAX_SPARE_BYTES {
            level.clear();
            self.spare = Some(level);
        }
    }

    /// Takes the level at the next variable; an empty one if it is new.
    #[allow(clippy::unnecessary_box_returns, reason = "the box goes back to its place")]
    pub(super) fn take_next(&mut self) -> Box<AlikeLevel> {
        let next = self.next().and_then(Option::take);
        next.or_else(|| self.spare.take()).unwrap_or_default()
    }

    /// Returns the level at the next variable, with so many more edges to it.
    pub(super) fn put_next(&mut self, mut next: Box<AlikeLevel>, arrivals: u64) {
        next.arrivals += arrivals;
        if next.arrivals == 0 {
            next.clear();
            self.spare = Some(next);
        } else {
            if self.ring.is_empty() {
                self.grow(self.begun);
            }
            let place = self.begun & (self.ring.len() - 1);
            self.ring[place] = Some(next);
        }
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.ring.iter().flatten().chain(&self.spare).map(|level| level.bytes()).sum()
    }
}

/// Counts of more bits than this are reduced.
const REDUCED_FROM: u32 = 48;

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
    /// The number of edges to this level.
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

    /// Adds the words of an edge that skips variables.
    #[cold]
    pub(super) fn add_skipping(
        &mut self,
        payload: &dyn Payload,
        number: u32,
        words: &[u64],
        variables: Range<usize>,
    ) {
        let mut skipped = Vec::new();
        payload.skip(words, variables, &mut skipped);
        self.add(number, limbs::significant(&skipped));
    }

    /// The words of all numbers, if each is a single word.
    pub(super) fn single_words(&self) -> &[u64] {
        if self.limbs == 1 { &self.words } else { &[] }
    }

    /// Gives each of so many numbers a single word, which is 0. `None` if there are edges to the level.
    pub(super) fn zeros(&mut self, numbers: usize) -> Option<&mut [u64]> {
        if self.arrivals > 0 {
            return None;
        }
        self.limbs = 1;
        self.words.clear();
        self.words.resize(numbers, 0);
        Some(&mut self.words)
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

    /// Replaces counts by equal ones modulo a number, from 1 to that, if they are about to become longer than a word.
    pub(super) fn reduce(&mut self, modulus: u64) {
        if self.limbs == 1 && self.words.iter().fold(0, |all, word| all | word) >> REDUCED_FROM == 0
        {
            return;
        }
        let limbs = self.limbs.max(1);
        for state in 0..self.words.len() / limbs {
            let words = &self.words[state * limbs..][..limbs];
            self.words[state] = limbs::residue(words, modulus);
        }
        self.words.truncate(self.words.len() / limbs);
        self.limbs = 1;
    }

    /// Removes all states. Their memory is kept.
    fn clear(&mut self) {
        self.words.clear();
        self.marks.clear();
        (self.limbs, self.arrivals) = (0, 0);
        self.incoming.clear();
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
        if !self.words.is_empty() {
            let mut words = Vec::with_capacity(self.words.len() / self.limbs * limbs);
            for own in self.words.chunks(self.limbs) {
                limbs::append(&mut words, own, limbs);
            }
            self.words = words;
        }
        self.limbs = limbs;
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
