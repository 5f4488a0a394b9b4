//! A level of a sweep over alike variables: which states of its class it has, and their words.

use super::class::{Spans, Transition};
use super::{AlikeSweep, BATCH};
use crate::BuildError;
use crate::frontier::disk::Storage;
use crate::frontier::level::Incoming;
use crate::frontier::places::{MergedFiles, Numbering, Place, Places};
use crate::frontier::monitor::Monitor;
use crate::frontier::payload::Payload;
use crate::frontier::unreduced::{EdgeCode, ForcedChain, ShapeWriter};
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
    fn take_next(&mut self) -> Box<AlikeLevel> {
        let next = self.next().and_then(Option::take);
        next.or_else(|| self.spare.take()).unwrap_or_default()
    }

    /// Returns the level at the next variable, with so many more edges to it.
    fn put_next(&mut self, mut next: Box<AlikeLevel>, arrivals: u64) {
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
    fn add_skipping(
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
    fn single_words(&self) -> &[u64] {
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
    fn arrivals_over(&mut self, chain: ForcedChain) -> &mut Vec<Place> {
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

/// What following the transitions of a level has found.
#[derive(Default)]
pub(super) struct Followed {
    pub(super) states: u64,
    pub(super) edges: u64,
    /// The sum of the words of the edges to the 1-terminal.
    pub(super) ones: Vec<u64>,
    pub(super) ones_edges: u64,
}

impl Followed {
    #[inline(never)]
    fn one(&mut self, words: &[u64]) {
        self.ones_edges += 1;
        // One limb more for the carry.
        self.ones.resize(self.ones.len().max(words.len() + 1), 0);
        if limbs::add_carrying(&mut self.ones, words) {
            self.ones.push(1);
        }
    }
}

/// The edges of a level over one span.
#[derive(Clone, Default)]
struct SpanEdges {
    /// The index of their long destination, if there are any.
    entry: u16,
    /// The numbers of the target states in their class.
    states: Vec<u32>,
}

impl AlikeSweep<'_> {
    /// Adds the words of each state of a level to the words of its children.
    pub(super) fn add_words(
        &mut self,
        variable: usize,
        level: &AlikeLevel,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Followed, BuildError> {
        let mut followed = Followed::default();
        let class = &self.by_number[self.classes.number_of(variable)];
        let payload = self.input.payload;
        let skips = payload.skips();
        for (number, words) in level.counted() {
            if followed.states.is_multiple_of(BATCH as u64) {
                monitor.watch.check(Some(variable))?;
            }
            followed.states += 1;
            let transitions = class.transitions(number);
            followed.edges += transitions.len() as u64;
            for &Transition { span, state, .. } in transitions {
                if span == Spans::ONE {
                    followed.one(words);
                } else {
                    let to = variable + self.spans.get(span).0;
                    let target = self.levels.at(to);
                    if skips && to > variable + 1 {
                        target.add_skipping(payload, state, words, variable + 1..to);
                    } else {
                        target.add(state, words);
                    }
                }
            }
        }
        Ok(followed)
    }

    /// Stores the edges of each state of a level, all of them as long ones.
    pub(super) fn store_edges(
        &mut self,
        variable: usize,
        level: &AlikeLevel,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Followed, BuildError> {
        let mut followed = Followed::default();
        let class = &self.by_number[self.classes.number_of(variable)];
        let mut by_span = vec![SpanEdges::default(); self.spans.count()];
        let mut chunk = ChunkWriter::new(self.input.arities.get(variable));
        for number in level.marked() {
            for &Transition { span, value, state } in class.transitions(number) {
                if span == Spans::ONE {
                    followed.ones_edges += 1;
                    chunk.edge(value.into(), None);
                    continue;
                }
                let edges = &mut by_span[span as usize];
                if edges.states.is_empty() {
                    let (distance, chain) = self.spans.get(span);
                    let (to, chain) = (variable + distance, chain.from(variable));
                    let before = self.levels.at(to).arrivals_over(chain).len() as u32;
                    let entry = self.edges.entry(to, chain, || Box::from([before]))?;
                    // There are fewer spans.
                    edges.entry = entry as u16;
                }
                edges.states.push(state);
                chunk.edge(value.into(), Some(edges.entry));
            }
            chunk.shape.end_node(&mut chunk.shapes);
            chunk.nodes += 1;
            followed.states += 1;
            if chunk.nodes == BATCH {
                monitor.watch.check(Some(variable))?;
                followed.edges += chunk.edges as u64;
                chunk.push_to(&mut self.edges);
            }
        }
        followed.edges += chunk.edges as u64;
        chunk.push_to(&mut self.edges);
        for (span, edges) in (0..).zip(&by_span).filter(|(_, edges)| !edges.states.is_empty()) {
            let (distance, chain) = self.spans.get(span);
            let target = self.levels.at(variable + distance);
            target.mark(&edges.states);
            let places = edges.states.iter().map(|&state| Places::new(0, 1, 0).get(state));
            target.arrivals_over(chain.from(variable)).extend(places);
        }
        Ok(followed)
    }

    /// Begins a level of edges: replaces the numbers of its states in the edges that lead to it.
    pub(super) fn number(
        &mut self,
        variable: usize,
        level: &AlikeLevel,
        storage: &Storage,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        self.edges.begin_level(variable, &level.incoming);
        let mut new_indices = Vec::new();
        let mut count = 0;
        for number in level.marked() {
            new_indices.resize(number as usize, u32::MAX);
            new_indices.push(count);
            count += 1;
        }
        let numbering = Numbering::of_merged(vec![MergedFiles { count, new_indices }]);
        // On this thread, whose cache has the lists.
        let sharing = monitor.sharing(Some(variable), 0);
        self.edges.number_incoming(&numbering, storage, sharing)
    }
}

/// A chunk of edges in progress.
struct ChunkWriter {
    nodes: usize,
    edges: usize,
    shape: ShapeWriter,
    shapes: Vec<u8>,
    codes: Vec<u8>,
}

impl ChunkWriter {
    fn new(arity: usize) -> Self {
        let (shapes, codes) = (Vec::new(), Vec::new());
        ChunkWriter { nodes: 0, edges: 0, shape: ShapeWriter::new(arity), shapes, codes }
    }

    #[inline]
    fn edge(&mut self, value: u32, entry: Option<u16>) {
        self.shape.edge(value);
        self.edges += 1;
        EdgeCode::pack(entry, &mut self.codes);
    }

    /// Moves the chunk to the level in progress.
    fn push_to(&mut self, edges: &mut super::EdgeStore) {
        if self.nodes > 0 {
            edges.push_packed(self.nodes, self.edges, &self.shapes, &self.codes);
            (self.nodes, self.edges) = (0, 0);
            self.codes.clear();
            self.shapes.clear();
        }
    }
}

impl AlikeSweep<'_> {
    /// Adds the words of each state of a level to the words of its children, faster than
    /// [`add_words`](AlikeSweep::add_words): a level of 100 states takes a third of the time. `None` if some transitions
    /// do not lead to the next variable, or a sum may have more than one word.
    pub(super) fn add_single_words(
        &mut self,
        variable: usize,
        level: &AlikeLevel,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Option<Followed>, BuildError> {
        let class = &self.by_number[self.classes.number_of(variable)];
        let words = level.single_words();
        let (largest, edges) =
            (words.iter().fold(0, |all, word| all | word), class.adjacent_transitions());
        if largest == 0 || edges == 0 || largest.checked_mul(edges).is_none() {
            return Ok(None);
        }
        let targets = self.by_number[self.classes.number_of(variable + 1)].states.len();
        let mut next = self.levels.take_next();
        let Some(sums) = next.zeros(targets) else {
            self.levels.put_next(next, 0);
            return Ok(None);
        };
        let mut followed = Followed::default();
        for (batch, words) in words.chunks(BATCH).enumerate() {
            monitor.watch.check(Some(variable))?;
            let (states, edges) = class.add_words_to(sums, batch * BATCH, words);
            followed.states += states;
            followed.edges += edges;
        }
        self.levels.put_next(next, followed.edges);
        Ok(Some(followed))
    }
}
