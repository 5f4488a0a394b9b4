//! Following a level of alike variables: from the values of its states to the values of the next levels, by the
//! transitions of their class.

use super::class::{Context, Spans, Transition};
use super::level::AlikeLevel;
use super::{AlikeSweep, BATCH};
use crate::BuildError;
use crate::frontier::disk::Storage;
use crate::frontier::edges::EdgeStore;
use crate::frontier::expander::SweepInput;
use crate::frontier::monitor::Monitor;
use crate::frontier::places::{MergedFiles, Numbering, Places};
use crate::frontier::unreduced::{EdgeCode, ShapeWriter};
use crate::number::{ANY_WIDTH, limbs};
use std::ops::Range;

/// What following the transitions of a level has found.
#[derive(Default)]
pub(super) struct Followed {
    pub(super) states: u64,
    pub(super) edges: u64,
    /// The sum of the words of the edges to the 1-terminal.
    pub(super) ones: Vec<u64>,
    pub(super) ones_edges: u64,
}

/// What receives the words of edges of one span.
struct Target {
    level: Box<AlikeLevel>,
    /// The variables that the edges skip, if skipping changes words.
    skipped: Option<Range<usize>>,
    /// The number of edges.
    arrivals: u64,
}

impl Default for Target {
    fn default() -> Self {
        Target { level: Box::default(), skipped: None, arrivals: 0 }
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
        context: usize,
        level: &mut AlikeLevel,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Followed, BuildError> {
        let SweepInput { payload, arities, .. } = self.input;
        let context = &self.contexts.all[context];
        let bound = level.bound_of_edges(arities.get(variable), payload.modulus());
        // By span, as the places are in codes. No edge, and an edge to the 1-terminal, have one place each.
        let mut targets: Vec<_> = (0..self.spans.count()).map(|_| Target::default()).collect();
        for span in [Spans::NONE, Spans::ONE] {
            targets[usize::from(span)].level.prepare(1, level.limbs, bound);
        }
        for span in context.spans() {
            let to = variable + self.spans.get(span).0;
            let skipped = (payload.skips() && to > variable + 1).then_some(variable + 1..to);
            let arities = skipped.iter().cloned().flatten().map(|skipped| arities.get(skipped));
            let factor = arities.map(|arity| (arity as f64).log2()).sum();
            let mut target = self.levels.take(to);
            let states = self.by_number[self.classes.number_of(to)].states.len();
            target.prepare(states, level.limbs, bound.shifted(factor));
            targets[usize::from(span)] = Target { level: target, skipped, arrivals: 0 };
        }
        let is_plain = targets.iter().all(|target| {
            target.skipped.is_none()
                && (target.level.limbs == level.limbs || target.level.limbs == 0)
        });
        let add = match level.limbs {
            1 if is_plain => Self::add_rows::<1>,
            2 if is_plain => Self::add_rows::<2>,
            _ => Self::add_rows::<ANY_WIDTH>,
        };
        let mut states = 0;
        for (batch, words) in level.words.chunks(BATCH * level.limbs).enumerate() {
            monitor.watch.check(Some(variable))?;
            states += add(self, context, batch * BATCH, (words, level.limbs), &mut targets);
        }
        let ones = std::mem::take(&mut targets[usize::from(Spans::ONE)]);
        let mut edges = ones.arrivals;
        for span in context.spans() {
            let mut target = std::mem::take(&mut targets[usize::from(span)]);
            edges += target.arrivals;
            target.level.arrivals += target.arrivals;
            self.levels.put(variable + self.spans.get(span).0, target.level);
        }
        Ok(Followed { states, edges, ones: ones.level.words, ones_edges: ones.arrivals })
    }

    /// Adds the words of some states, the first of which is `first`, to the words of their children. All sums have `WIDTH` limbs, or
    /// any number. Returns the number of states.
    fn add_rows<const WIDTH: usize>(
        &self,
        context: &Context,
        first: usize,
        (words, limbs): (&[u64], usize),
        targets: &mut [Target],
    ) -> u64 {
        let width = if WIDTH == ANY_WIDTH { limbs } else { WIDTH };
        let mut states = 0;
        let mut skipped = Vec::new();
        for (state, mut words) in (first..).zip(words.chunks_exact(width)) {
            if words.iter().all(|&word| word == 0) {
                continue;
            }
            states += 1;
            for &code in context.codes(state) {
                let (span, target) = self.spans.split(code);
                let Target { level, skipped: variables, arrivals } =
                    &mut targets[usize::from(span)];
                let place = target as usize;
                if WIDTH == ANY_WIDTH {
                    if span == Spans::NONE {
                        continue;
                    }
                    words = limbs::significant(words);
                    let from = match variables {
                        None => words,
                        Some(variables) => {
                            self.input.payload.skip(words, variables.clone(), &mut skipped);
                            limbs::significant(&skipped)
                        }
                    };
                    limbs::add(&mut level.words[place * level.limbs..][..level.limbs], from);
                } else {
                    limbs::add_carrying(&mut level.words[place * WIDTH..][..WIDTH], words);
                }
                *arrivals += 1;
            }
        }
        states
    }

    /// Stores the edges of each state of a level, all of them as long ones.
    pub(super) fn store_edges(
        &mut self,
        variable: usize,
        context: usize,
        level: &AlikeLevel,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Followed, BuildError> {
        let mut followed = Followed::default();
        let context = &self.contexts.all[context];
        let mut by_span = vec![SpanEdges::default(); self.spans.count()];
        let mut chunk = ChunkWriter::new(self.input.arities.get(variable));
        for number in level.marked() {
            for Transition { span, value, state } in
                context.transitions(number as usize, &self.spans)
            {
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
                    let entry = self.data.edges.entry(to, chain, || Box::from([before]))?;
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
                chunk.push_to(&mut self.data.edges);
            }
        }
        followed.edges += chunk.edges as u64;
        chunk.push_to(&mut self.data.edges);
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
        self.data.edges.begin_level(variable, &level.incoming);
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
        self.data.edges.number_incoming(&numbering, storage, sharing)
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
    fn push_to(&mut self, edges: &mut EdgeStore) {
        if self.nodes > 0 {
            edges.push_packed(self.nodes, self.edges, &self.shapes, &self.codes);
            (self.nodes, self.edges) = (0, 0);
            self.codes.clear();
            self.shapes.clear();
        }
    }
}
