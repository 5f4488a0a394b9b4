//! The sweep over edge sets with bounds on the number of vertices of each degree, one variable for each
//! edge.
//!
//! The state contains, for each slot of the frontier, the degree so far; and for each degree with bounds,
//! the number of vertices that have left the frontier with it, up to the number that bounds distinguish.

use std::ops::RangeInclusive;

use topdd::Step;
use topdd::spec::ArraySpec;

use super::layout::{Allocator, Field, bits_of};
use super::schedule::Schedule;
use crate::Graph;

/// The spec of the edge sets with bounds by degree.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    schedule: Schedule,
    /// By slot.
    degrees: Vec<Field>,
    /// By degree; no vertex may have a larger one.
    counts: Vec<Count>,
    /// By step, the number of vertices that leave the frontier later.
    left: Vec<usize>,
    words: usize,
    /// The first state; `None` if no edge set is legal.
    root: Option<Vec<u64>>,
}

/// The number of vertices of one degree.
#[derive(Clone, Copy, Debug)]
struct Count {
    field: Field,
    least: usize,
    most: usize,
    /// The largest number that states distinguish.
    largest: usize,
}

impl Count {
    fn get(&self, words: &[u64]) -> usize {
        self.field.get(words) as usize
    }
}

impl Distribution {
    /// `bounds` are for the degrees from 0 on.
    pub(super) fn new(graph: &Graph, bounds: &[RangeInclusive<usize>], order: &[usize]) -> Self {
        let vertices = graph.num_vertices();
        let schedule = Schedule::new(graph, order);
        let possible = (0..vertices).map(|vertex| graph.degree(vertex) + 1).max().unwrap_or(0);
        let used = bounds.iter().rposition(|bounds| *bounds.end() > 0).map_or(0, |last| last + 1);
        let (bounds, others) = bounds.split_at(used.min(possible));
        let mut allocator = Allocator::default();
        let bits = bits_of(bounds.len().saturating_sub(1) as u64);
        let degrees = allocator.fields(schedule.width, bits);
        let count = |bounds: &RangeInclusive<usize>| {
            let (least, most) = (*bounds.start(), *bounds.end());
            let largest = if most < vertices { most } else { least.min(vertices) };
            Count { field: allocator.field(bits_of(largest as u64)), least, most, largest }
        };
        let counts: Vec<Count> = bounds.iter().map(count).collect();
        let mut later = schedule.enters.iter().filter(|&&enters| enters != usize::MAX).count();
        let leave = |step: &super::schedule::ScheduledEdge| {
            let ends = step.ends.iter().filter(|end| end.leaves).count();
            later -= if step.is_loop { ends / 2 } else { ends };
            later
        };
        let left = schedule.steps.iter().map(leave).collect();
        let words = allocator.words();
        let mut spec = Self { schedule, degrees, counts, left, words, root: None };
        let is_possible = others.iter().all(|bounds| *bounds.start() == 0);
        spec.root = is_possible.then(|| spec.first()).flatten();
        spec
    }

    /// The number of slots.
    pub(super) fn num_slots(&self) -> usize {
        self.schedule.width
    }

    /// The first state; `None` if the vertices without edges are too many, or all vertices too few.
    fn first(&self) -> Option<Vec<u64>> {
        let mut words = vec![0; self.words];
        let (mut isolated, mut others) = (0, 0);
        for &enters in &self.schedule.enters {
            *if enters == usize::MAX { &mut isolated } else { &mut others } += 1;
        }
        (0..isolated).try_for_each(|_| self.add(&mut words, 0))?;
        (self.missing(&words) <= others).then_some(words)
    }

    /// Counts a vertex; `None` if there are too many of its degree.
    #[inline]
    fn add(&self, words: &mut [u64], degree: usize) -> Option<()> {
        let count = self.counts.get(degree)?;
        let number = count.get(words);
        if number == count.most {
            return None;
        }
        count.field.set(words, (number + 1).min(count.largest) as u64);
        Some(())
    }

    /// The number of vertices that the least numbers still ask for.
    #[inline]
    fn missing(&self, words: &[u64]) -> usize {
        let missing = self.counts.iter().map(|count| count.least.saturating_sub(count.get(words)));
        missing.fold(0, usize::saturating_add)
    }
}

impl ArraySpec for Distribution {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.schedule.steps.len()
    }

    fn len(&self, _: usize) -> usize {
        self.words
    }

    fn root(&self, (): &mut (), words: &mut [u64]) -> Step<()> {
        match &self.root {
            None => Step::Zero,
            Some(_) if self.schedule.steps.is_empty() => Step::One,
            Some(first) => {
                words.copy_from_slice(first);
                Step::To(0, ())
            }
        }
    }

    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        let step = &self.schedule.steps[variable];
        let (ends, more) = if step.is_loop { (&step.ends[..1], 2) } else { (&step.ends[..], 1) };
        for end in ends {
            let field = self.degrees[end.slot];
            let degree = field.get(words) as usize + more * value;
            if degree >= self.counts.len() {
                return Step::Zero;
            }
            field.set(words, if end.leaves { 0 } else { degree as u64 });
            if end.leaves && self.add(words, degree).is_none() {
                return Step::Zero;
            }
        }
        if self.missing(words) > self.left[variable] {
            Step::Zero
        } else if variable + 1 == self.num_vars() {
            Step::One
        } else {
            Step::To(variable + 1, ())
        }
    }
}
