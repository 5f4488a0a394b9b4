//! Sets of allowed degrees, and their codes in states; the sweep over edge sets with bounds on the number of vertices of each
//! degree.
//!
//! The sweep over edge sets with bounds on the number of vertices of each degree, one variable for each
//! edge.
//!
//! The state contains, for each slot of the frontier, the degree so far; and for each degree with bounds,
//! the number of vertices that have left the frontier with it, up to the number that bounds distinguish.

use super::layout::{Allocator, Field, SlotSchedule, bits_of};
use super::{FamilyError, check_words, step_after};
use crate::Graph;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use topdd::Step;
use topdd::spec::ArraySpec;

/// The allowed degrees of a vertex.
///
/// ```
/// use topdd_graph::families::Degrees;
///
/// assert!(Degrees::from(2).contains(2));
/// assert!(Degrees::from(..=1).contains(0));
/// assert!(Degrees::from(1..).contains(1_000_000));
/// let even = Degrees::of([0, 2, 4]);
/// assert!(!even.contains(3) && !even.contains(6));
/// assert_eq!(Degrees::any(), Degrees::within(&(0..)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Degrees {
    /// The first and the last degree of each range, ascending, with a gap between any two. The last degree
    /// of an unbounded range is `usize::MAX`.
    ranges: Vec<(usize, usize)>,
}

impl Degrees {
    /// Allows any degree.
    pub fn any() -> Self {
        Self::within(&(..))
    }

    /// Allows the given degrees.
    pub fn of(degrees: impl IntoIterator<Item = usize>) -> Self {
        let mut degrees: Vec<usize> = degrees.into_iter().collect();
        degrees.sort_unstable();
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for degree in degrees {
            match ranges.last_mut() {
                Some((_, last)) if degree - *last <= 1 => *last = degree,
                _ => ranges.push((degree, degree)),
            }
        }
        Self { ranges }
    }

    /// Allows the degrees in a range.
    pub fn within(range: &impl RangeBounds<usize>) -> Self {
        let first = match range.start_bound() {
            Bound::Included(&start) => Some(start),
            Bound::Excluded(&start) => start.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let last = match range.end_bound() {
            Bound::Included(&end) => Some(end),
            Bound::Excluded(&end) => end.checked_sub(1),
            Bound::Unbounded => Some(usize::MAX),
        };
        let range = first.zip(last).filter(|(first, last)| first <= last);
        Self { ranges: range.into_iter().collect() }
    }

    /// Returns whether a degree is allowed.
    pub fn contains(&self, degree: usize) -> bool {
        self.largest_up_to(degree) == Some(degree)
    }

    /// Whether it matters how many edges a vertex has if it has any.
    pub(super) fn counts(&self) -> bool {
        match self.ranges.last() {
            None | Some((_, 0) | (0..=1, usize::MAX)) => false,
            Some(_) => true,
        }
    }

    /// The largest allowed degree that is not above `most`.
    pub(super) fn largest_up_to(&self, most: usize) -> Option<usize> {
        let (_, last) = self.last_range(most)?;
        Some(last.min(most))
    }

    /// The last range that starts at or below `most`.
    fn last_range(&self, most: usize) -> Option<(usize, usize)> {
        let end = self.ranges.partition_point(|&(first, _)| first <= most);
        self.ranges[..end].last().copied()
    }

    /// The degrees that both allow.
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut ranges = Vec::new();
        let (mut own, mut others) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(&&(a, b)), Some(&&(c, d))) = (own.peek(), others.peek()) {
            if a.max(c) <= b.min(d) {
                ranges.push((a.max(c), b.min(d)));
            }
            if b < d {
                own.next();
            } else {
                others.next();
            }
        }
        Self { ranges }
    }
}

impl From<usize> for Degrees {
    fn from(degree: usize) -> Self {
        Self::within(&(degree..=degree))
    }
}

macro_rules! from_range {
    ($($range:ty),*) => {$(
        impl From<$range> for Degrees {
            fn from(range: $range) -> Self {
                Self::within(&range)
            }
        }
    )*};
}

from_range!(
    std::ops::Range<usize>,
    std::ops::RangeInclusive<usize>,
    std::ops::RangeFrom<usize>,
    std::ops::RangeTo<usize>,
    std::ops::RangeToInclusive<usize>
);

/// The code of a degree that no future edge can make illegal. Other codes are the degree plus one.
pub(super) const FREE: u64 = 0;

/// A function of two codes; see [`DegreeCodes::merge`].
pub(super) type CodeMerge = fn(u64, u64) -> u64;

/// The codes of the degrees of the vertices with the same [`Degrees`].
#[derive(Clone, Debug)]
pub(super) struct DegreeCodes {
    /// For each degree, the number of edges to the next allowed one.
    to_allowed: Vec<u32>,
    /// For each degree, the number of further degrees up to which all are allowed; 0 if it is not
    /// allowed itself.
    slack: Vec<u32>,
    /// Whether all degrees above those in the lists are as the last one.
    unbounded: bool,
}

impl DegreeCodes {
    /// `most` is the largest degree that a vertex can have. Takes time and memory linear in it.
    pub(super) fn new(degrees: &Degrees, most: usize) -> Self {
        // Degrees above are illegal, or as the last one.
        let (length, unbounded) = match degrees.last_range(most) {
            None => (0, false),
            Some((first, last)) if last >= most => (first + 1, true),
            Some((_, last)) => (last + 1, false),
        };
        let mut codes = Self { to_allowed: vec![0; length], slack: vec![0; length], unbounded };
        for degree in (0..length).rev() {
            let is_last = degree + 1 == length;
            if is_last {
                codes.slack[degree] = if unbounded { u32::MAX } else { 0 };
            } else if !degrees.contains(degree) {
                codes.to_allowed[degree] = codes.to_allowed[degree + 1] + 1;
            } else if codes.to_allowed[degree + 1] == 0 {
                codes.slack[degree] = codes.slack[degree + 1].saturating_add(1);
            }
        }
        codes
    }

    /// The largest code.
    pub(super) fn largest(&self) -> u64 {
        self.to_allowed.len() as u64
    }

    /// The code of a degree with `remaining` ends of undecided edges; `None` if no allowed degree
    /// can be reached.
    #[inline]
    pub(super) fn code(&self, degree: u64, remaining: u32) -> Option<u64> {
        let mut degree = degree as usize;
        if self.unbounded {
            degree = degree.min(self.to_allowed.len() - 1);
        }
        let to_allowed = *self.to_allowed.get(degree)?;
        if to_allowed > remaining {
            return None;
        }
        let is_free = to_allowed == 0 && self.slack[degree] >= remaining;
        Some(if is_free { FREE } else { degree as u64 + 1 })
    }

    /// The code after `ends` more ends of edges.
    #[inline]
    pub(super) fn after(&self, code: u64, ends: u64, remaining: u32) -> Option<u64> {
        if code == FREE { Some(FREE) } else { self.code(code - 1 + ends, remaining) }
    }

    /// Whether a vertex with this code can get no further edge.
    #[inline]
    pub(super) fn is_full(&self, code: u64) -> bool {
        code == self.largest()
    }

    /// Returns a function of two codes, whose result has all completions of both, if all vertices have codes of this list.
    pub(super) fn merge(all: &[Self]) -> CodeMerge {
        let last = |codes: &Self| codes.to_allowed.len().saturating_sub(1);
        let at_most = |codes: &Self| !codes.unbounded && codes.to_allowed.iter().all(|&to| to == 0);
        let at_least = |codes: &Self| {
            codes.unbounded && codes.to_allowed.first().is_none_or(|&to| to as usize == last(codes))
        };
        if all.iter().all(at_most) {
            u64::min
        } else if all.iter().all(at_least) {
            |one, other| if one.min(other) == FREE { FREE } else { one.max(other) }
        } else {
            |one, other| if one == other { one } else { FREE }
        }
    }

    /// Whether the degree of a code is allowed.
    #[inline]
    pub(super) fn is_allowed(&self, code: u64) -> bool {
        code == FREE || self.to_allowed[code as usize - 1] == 0
    }
}

/// The spec of the edge sets with bounds by degree.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    schedule: SlotSchedule,
    /// By slot.
    degrees: Vec<Field>,
    /// By degree; no vertex may have a larger one.
    counts: Vec<DegreeBound>,
    /// By step, the number of vertices that leave the frontier later.
    left: Vec<usize>,
    words: usize,
    /// The first state; `None` if no edge set is legal.
    root: Option<Vec<u64>>,
}

/// The number of vertices of one degree.
#[derive(Clone, Copy, Debug)]
struct DegreeBound {
    field: Field,
    least: usize,
    most: usize,
    /// The largest number that states distinguish.
    largest: usize,
}

impl DegreeBound {
    fn get(&self, words: &[u64]) -> usize {
        self.field.get(words) as usize
    }
}

impl Distribution {
    /// `bounds` are for the degrees from 0 on.
    pub(super) fn new(
        graph: &Graph,
        bounds: &[RangeInclusive<usize>],
        order: &[usize],
    ) -> Result<Self, FamilyError> {
        let vertices = graph.num_vertices();
        let schedule = SlotSchedule::new(graph, order);
        let possible = (0..vertices).map(|vertex| graph.degree(vertex) + 1).max().unwrap_or(0);
        let used = bounds.iter().rposition(|bounds| *bounds.end() > 0).map_or(0, |last| last + 1);
        let (bounds, others) = bounds.split_at(used.min(possible));
        let mut allocator = Allocator::default();
        let bits = bits_of(bounds.len().saturating_sub(1) as u64);
        let degrees = allocator.fields(schedule.width, bits);
        let count = |bounds: &RangeInclusive<usize>| {
            let (least, most) = (*bounds.start(), *bounds.end());
            let largest = if most < vertices { most } else { least.min(vertices) };
            DegreeBound { field: allocator.field(bits_of(largest as u64)), least, most, largest }
        };
        let counts: Vec<DegreeBound> = bounds.iter().map(count).collect();
        let mut later = schedule.enters.iter().filter(|&&enters| enters != usize::MAX).count();
        let leave = |step: &super::layout::ScheduledEdge| {
            let ends = step.ends.iter().filter(|end| end.leaves).count();
            later -= if step.is_loop { ends / 2 } else { ends };
            later
        };
        let left = schedule.steps.iter().map(leave).collect();
        let words = allocator.words();
        check_words(schedule.width, words)?;
        let mut spec = Self { schedule, degrees, counts, left, words, root: None };
        let is_possible = others.iter().all(|bounds| *bounds.start() == 0);
        spec.root = is_possible.then(|| spec.first()).flatten();
        Ok(spec)
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
        } else {
            step_after(variable, self.num_vars())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_any_size_are_kept() {
        let huge = usize::MAX;
        assert_eq!(Degrees::from(..=huge), Degrees::any());
        assert!(Degrees::from(huge..).contains(huge) && !Degrees::from(huge..).contains(huge - 1));
        assert_eq!(Degrees::of([1, huge, 0, 1]).and(&(1..).into()), Degrees::of([1, huge]));
        let empty = Degrees::within(&(Bound::Excluded(huge), Bound::Unbounded));
        assert_eq!(
            [empty, (3..3).into(), (..0).into()],
            [const { Vec::new() }; 3].map(Degrees::of)
        );
        let odd = Degrees::of([1, 3, 5, 7]);
        assert_eq!(odd.and(&(2..=5).into()), Degrees::of([3, 5]));
    }

    #[test]
    fn largest_degree_is_the_last_one_that_is_contained() {
        for degrees in
            [Degrees::any(), Degrees::of([]), Degrees::of([1, 3]), (2..).into(), (..=4).into()]
        {
            for most in 0..6 {
                let expected = (0..=most).rev().find(|&degree| degrees.contains(degree));
                assert_eq!(degrees.largest_up_to(most), expected, "{degrees:?} up to {most}");
            }
        }
    }
}
