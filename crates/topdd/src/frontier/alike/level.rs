//! A level of a sweep over alike variables: which states of its class it has, and their words.

use crate::frontier::unreduced::{ForcedChain, StateMarks};
use crate::number::{UpperBound, limbs, magnitude};
use std::collections::BTreeMap;

/// The memory of a finished level of at most so many bytes is used again. Allocating more takes little of the time.
const MAX_SPARE_BYTES: usize = 1 << 16;

/// The levels that are not finished, by variable.
#[derive(Default)]
pub(super) struct AlikeLevels {
    levels: BTreeMap<usize, Box<AlikeLevel>>,
    /// Size in bytes of `levels`.
    bytes: usize,
    /// A finished level, whose memory is used again.
    spare: Option<Box<AlikeLevel>>,
}

impl AlikeLevels {
    /// Takes the level at a variable out, if it has states.
    pub(super) fn take(&mut self, variable: usize) -> Option<Box<AlikeLevel>> {
        let level = self.levels.remove(&variable)?;
        self.bytes -= level.bytes();
        Some(level)
    }

    /// Takes the first level out.
    pub(super) fn take_first(&mut self) -> Option<(usize, Box<AlikeLevel>)> {
        let variable = *self.levels.first_key_value()?.0;
        Some((variable, self.take(variable)?))
    }

    /// Takes the level at a variable out; an empty one if it is new.
    #[allow(clippy::unnecessary_box_returns, reason = "the box goes back to its place")]
    pub(super) fn take_or_new(&mut self, variable: usize) -> Box<AlikeLevel> {
        self.take(variable).or_else(|| self.spare.take()).unwrap_or_default()
    }

    /// Puts a level at a variable, if there are edges to it.
    pub(super) fn put(&mut self, variable: usize, level: Box<AlikeLevel>) {
        if level.arrivals == 0 {
            return self.end(level);
        }
        self.bytes += level.bytes();
        self.levels.insert(variable, level);
    }

    /// Ends a level.
    pub(super) fn end(&mut self, mut level: Box<AlikeLevel>) {
        if level.bytes() <= MAX_SPARE_BYTES {
            level.clear();
            self.spare = Some(level);
        }
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.spare.as_ref().map_or(0, |level| level.bytes())
    }
}

/// Clearing the nodes of so many states of a way, in the reduction, takes as long as passing a state.
const STATES_OF_WAY: usize = 16;

/// A level that is not finished.
///
/// The words are by the numbers of the states in their class. Neighbours have neighbours as children, because the
/// children of a state got their numbers together, so most of the memory that is read and written is in the cache.
pub(super) struct AlikeLevel {
    /// For each number the count of paths to the state, with this many limbs; 0 if the level does not have the state.
    /// Numbers beyond the end are not in the level. Empty if edges are stored.
    pub(super) words: Vec<u64>,
    pub(super) limbs: usize,
    /// A bound of the sum of all words.
    pub(super) bound: UpperBound,
    /// If edges are stored, the states that edges lead to, for each chain of forced nodes on their ways.
    pub(super) ways: Vec<(ForcedChain, StateMarks)>,
    /// The states, if edges are stored and the level has begun.
    pub(super) marks: StateMarks,
    /// The number of edges to this level.
    pub(super) arrivals: u64,
}

impl Default for AlikeLevel {
    fn default() -> Self {
        AlikeLevel {
            words: Vec::new(),
            limbs: 0,
            bound: UpperBound::ZERO,
            ways: Vec::new(),
            marks: StateMarks::default(),
            arrivals: 0,
        }
    }
}

impl AlikeLevel {
    /// Adds the first state, with its words.
    pub(super) fn begin_with(&mut self, words: Vec<u64>) {
        self.limbs = words.len();
        self.words = words;
        self.bound = self.total();
        self.arrivals = 1;
    }

    /// The sum of all words.
    fn total(&self) -> UpperBound {
        if self.limbs == 1 {
            // The halves of words, because their sums fit.
            let halves = |(low, high): (u64, u64), &word: &u64| {
                (low + (word & u64::from(u32::MAX)), high + (word >> u32::BITS))
            };
            let (low, high) = self.words.iter().fold((0, 0), halves);
            return UpperBound::new(high as f64 * 2f64.powi(32) + low as f64, 1);
        }
        let words = self.words.chunks_exact(self.limbs.max(1));
        UpperBound::new(words.map(|words| magnitude(1, words)).sum(), self.limbs)
    }

    /// A bound of the sum of the words of all edges from this level, if each state has at most so many.
    /// Words are reduced modulo a number, if it is given, where they would need more limbs otherwise.
    pub(super) fn bound_of_edges(&mut self, most: usize, modulus: Option<u64>) -> UpperBound {
        let of_edges = |level: &Self| level.bound.shifted((most as f64).log2());
        let grows = |level: &Self| of_edges(level).limbs() > level.limbs;
        if grows(self) {
            self.bound = self.total();
        }
        if let Some(modulus) = modulus
            && (self.limbs > 1 || grows(self))
        {
            self.reduce(modulus);
            self.bound = self.total();
        }
        of_edges(self)
    }

    /// Makes room for a number of states, and for sums with so many limbs at least that become larger by at most this bound.
    pub(super) fn prepare(&mut self, states: usize, limbs: usize, added: UpperBound) {
        self.bound = if self.arrivals == 0 { added } else { self.bound.plus(added) };
        self.widen(limbs.max(self.bound.limbs()));
        let length = states * self.limbs;
        self.words.resize(length.max(self.words.len()), 0);
    }

    /// Takes the states out that edges over a chain lead to, and whether there have been such edges.
    pub(super) fn take_way(&mut self, chain: ForcedChain) -> (StateMarks, bool) {
        let way = self.ways.iter_mut().find(|(of, _)| *of == chain);
        way.map_or_else(Default::default, |(_, marks)| (std::mem::take(marks), true))
    }

    /// Stores the states that edges over a chain lead to.
    pub(super) fn put_way(&mut self, chain: ForcedChain, marks: StateMarks) {
        match self.ways.iter_mut().find(|(of, _)| *of == chain) {
            Some((_, own)) => *own = marks,
            None => self.ways.push((chain, marks)),
        }
    }

    /// Begins a level of edges: all edges to it are known.
    pub(super) fn begin(&mut self) {
        for (_, marks) in &self.ways {
            self.marks.insert_all(marks);
        }
    }

    /// Replaces counts by equal ones modulo a number, from 1 to that.
    pub(super) fn reduce(&mut self, modulus: u64) {
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
        (self.limbs, self.arrivals) = (0, 0);
        self.ways.clear();
        self.marks = StateMarks::default();
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
        let counted = (0..).zip(self.words.chunks_exact(self.limbs.max(1)));
        let counted = counted.filter(|(_, words)| words.iter().any(|&word| word != 0));
        counted.map(|(number, _)| number).chain(self.marks.iter())
    }

    /// The number of states of its class, present or not, that [`states`](AlikeLevel::states) and the ways pass.
    pub(super) fn numbers(&self) -> u64 {
        let ways = self.ways.iter().map(|(_, marks)| marks.end()).sum::<usize>();
        (self.words.len() / self.limbs.max(1) + self.marks.end() + ways / STATES_OF_WAY) as u64
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let ways = self.ways.iter().map(|(_, marks)| marks.bytes());
        self.words.capacity() * size_of::<u64>() + self.marks.bytes() + ways.sum::<usize>()
    }
}
