//! Following a level of alike variables: from the values of its states to the values of the next levels, by the
//! transitions of their class.

use super::level::AlikeLevel;
use super::{AlikeSweep, BATCH};
use crate::BuildError;
use crate::frontier::expander::SweepInput;
use crate::frontier::monitor::Monitor;
use crate::frontier::unreduced::{
    ClassTransitions, Context, LongDestination, LongWay, MarkedLevel, Spans, StateMarks,
    StoredIncoming, UnreducedLevel,
};
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
#[derive(Default)]
struct SpanTarget {
    level: Box<AlikeLevel>,
    /// The variables that the edges skip, if skipping changes words.
    skipped: Option<Range<usize>>,
    /// The number of edges.
    arrivals: u64,
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
        let ClassTransitions { contexts, spans, .. } = &self.data.edges.classes;
        let context = &contexts[context];
        let bound = level.bound_of_edges(arities.get(variable), payload.modulus());
        // By span, as the places are in codes. No edge, and an edge to the 1-terminal, have one place each.
        let mut targets: Vec<_> = (0..spans.count()).map(|_| SpanTarget::default()).collect();
        for span in [Spans::NONE, Spans::ONE] {
            targets[usize::from(span)].level.prepare(1, level.limbs, bound);
        }
        for span in context.spans() {
            let to = variable + spans.get(span).0;
            let skipped = (payload.skips() && to > variable + 1).then_some(variable + 1..to);
            let arities = skipped.iter().cloned().flatten().map(|skipped| arities.get(skipped));
            let factor = arities.map(|arity| (arity as f64).log2()).sum();
            let mut target = self.levels.take(to);
            let states = self.by_number[self.classes.number_of(to)].states.len();
            target.prepare(states, level.limbs, bound.shifted(factor));
            targets[usize::from(span)] = SpanTarget { level: target, skipped, arrivals: 0 };
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
            self.levels.put(variable + spans.get(span).0, target.level);
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
        targets: &mut [SpanTarget],
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
                let (span, target) = self.data.edges.classes.spans.split(code);
                let SpanTarget { level, skipped: variables, arrivals } =
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

    /// Marks the children of each state of a level, and stores the level.
    pub(super) fn mark_children(
        &mut self,
        variable: usize,
        context: usize,
        level: &mut AlikeLevel,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Followed, BuildError> {
        let ClassTransitions { contexts, spans, .. } = &self.data.edges.classes;
        let of_class = &contexts[context];
        // By span, as in `add_words`.
        let mut ways: Vec<_> = (0..spans.count()).map(|_| (StateMarks::default(), false)).collect();
        let mut edges = vec![0u64; spans.count()];
        for span in of_class.spans() {
            let (distance, chain) = spans.get(span);
            if let Some(to) = self.levels.get(variable + distance) {
                ways[usize::from(span)] = to.take_way(chain.from(variable));
            }
        }
        for words in (0..level.marks.words()).step_by(BATCH) {
            monitor.watch.check(Some(variable))?;
            for number in level.marks.iter_in(words..level.marks.words().min(words + BATCH)) {
                for &code in of_class.codes(number as usize) {
                    let (span, state) = spans.split(code);
                    edges[usize::from(span)] += 1;
                    ways[usize::from(span)].0.insert(state);
                }
            }
        }
        edges[usize::from(Spans::NONE)] = 0;
        let mut stored = UnreducedLevel { variable, ..UnreducedLevel::default() };
        let mut entries = Vec::new();
        for span in of_class.spans() {
            let (distance, chain) = spans.get(span);
            let (to, chain) = (variable + distance, chain.from(variable));
            let (marks, is_known) = std::mem::take(&mut ways[usize::from(span)]);
            let of_span = edges[usize::from(span)];
            if of_span > 0 {
                entries.push((span, stored.long.len() as u32));
                let way = LongWay { to, chain, part: LongWay::OF_CLASS };
                stored.long.push(LongDestination { way, starts: Box::from([u32::from(is_known)]) });
            }
            if of_span > 0 || is_known {
                let to = self.levels.at(to);
                to.arrivals += of_span;
                to.put_way(chain, marks);
            }
        }
        let marks = std::mem::take(&mut level.marks);
        let (states, all_edges) = (marks.count() as u64, edges.iter().sum());
        stored.nodes = states;
        stored.marked = Some(MarkedLevel { context, marks, entries, edges: all_edges as usize });
        let incoming = std::mem::take(&mut level.ways).into_iter();
        stored.incoming =
            incoming.map(|(chain, marks)| StoredIncoming::of_class(chain, marks)).collect();
        self.data.edges.push(stored);
        let ones_edges = edges[usize::from(Spans::ONE)];
        Ok(Followed { states, edges: all_edges, ones: Vec::new(), ones_edges })
    }
}
