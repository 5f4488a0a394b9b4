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

/// What receives the edges of one span.
#[derive(Default)]
pub(super) struct SpanTarget {
    level: Box<AlikeLevel>,
    /// The variables that the edges skip, if skipping changes words.
    skipped: Option<Range<usize>>,
    /// If edges are stored, the states that edges on this way lead to, and whether earlier levels have such edges.
    marks: StateMarks,
    is_known: bool,
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
        let mut targets = std::mem::take(&mut self.targets);
        targets.resize_with(spans.count().max(targets.len()), SpanTarget::default);
        // No edge, and an edge to the 1-terminal, have one place each.
        for span in [Spans::NONE, Spans::ONE] {
            let mut target = SpanTarget::default();
            target.level.prepare(1, level.limbs, bound);
            targets[usize::from(span)] = target;
        }
        let mut is_plain = targets[usize::from(Spans::ONE)].level.limbs == level.limbs;
        for span in context.spans() {
            let to = variable + spans.get(span).0;
            let skipped = (payload.skips() && to > variable + 1).then_some(variable + 1..to);
            let factor = skipped.clone().map_or(0.0, |skipped| arities.log2_product(skipped));
            let mut target = self.levels.take_or_new(to);
            let states = self.by_number[self.classes.number_of(to)].states.len();
            target.prepare(states, level.limbs, bound.shifted(factor));
            is_plain &= skipped.is_none() && target.limbs == level.limbs;
            targets[usize::from(span)] =
                SpanTarget { level: target, skipped, ..SpanTarget::default() };
        }
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
        self.targets = targets;
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
                let SpanTarget { level, skipped: variables, arrivals, .. } =
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
        let mut targets = std::mem::take(&mut self.targets);
        targets.resize_with(spans.count().max(targets.len()), SpanTarget::default);
        let way = |span| {
            let (distance, chain) = spans.get(span);
            (variable + distance, chain.from(variable))
        };
        for span in of_class.spans() {
            let (to, chain) = way(span);
            let mut target = self.levels.take_or_new(to);
            let (marks, is_known) = target.take_way(chain);
            targets[usize::from(span)] = SpanTarget { marks, is_known, ..SpanTarget::default() };
            self.levels.put(to, target);
        }
        for words in (0..level.marks.words()).step_by(BATCH) {
            monitor.watch.check(Some(variable))?;
            for number in level.marks.iter_in(words..level.marks.words().min(words + BATCH)) {
                for &code in of_class.codes(number as usize) {
                    let (span, state) = spans.split(code);
                    let SpanTarget { marks, arrivals, .. } = &mut targets[usize::from(span)];
                    *arrivals += 1;
                    marks.insert(state);
                }
            }
        }
        targets[usize::from(Spans::NONE)] = SpanTarget::default();
        let ones = std::mem::take(&mut targets[usize::from(Spans::ONE)]);
        let mut edges = ones.arrivals;
        let mut stored = UnreducedLevel { variable, ..UnreducedLevel::default() };
        let mut entries = Vec::new();
        for span in of_class.spans() {
            let SpanTarget { marks, is_known, arrivals, .. } =
                std::mem::take(&mut targets[usize::from(span)]);
            let (to, chain) = way(span);
            if arrivals > 0 {
                entries.push((span, stored.long.len() as u32));
                let way = LongWay { to, chain, part: LongWay::OF_CLASS };
                stored.long.push(LongDestination { way, starts: Box::from([u32::from(is_known)]) });
            }
            if arrivals > 0 || is_known {
                let mut target = self.levels.take_or_new(to);
                target.arrivals += arrivals;
                target.put_way(chain, marks);
                self.levels.put(to, target);
            }
            edges += arrivals;
        }
        self.targets = targets;
        let marks = std::mem::take(&mut level.marks);
        let states = marks.count() as u64;
        stored.nodes = states;
        stored.marked = Some(MarkedLevel { context, marks, entries, edges: edges as usize });
        let incoming = std::mem::take(&mut level.ways).into_iter();
        stored.incoming =
            incoming.map(|(chain, marks)| StoredIncoming::of_class(chain, marks)).collect();
        self.data.edges.push(stored);
        Ok(Followed { states, edges, ones: Vec::new(), ones_edges: ones.arrivals })
    }
}
