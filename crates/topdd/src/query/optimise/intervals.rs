//! Intervals of weights with the same completions within bounds.

use crate::BuildError;
use crate::diagram::store::NodeId;
use std::collections::BTreeMap;

/// The number of entries between two checks.
const CHECKED: usize = 1 << 12;

/// Size in bytes of an entry, in a node of the map that is three quarters full.
const ENTRY_BYTES: usize = size_of::<((Place, i128), i128)>() * 4 / 3;

/// All weights from `least` to `most`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) least: i128,
    pub(super) most: i128,
}

impl Interval {
    pub(super) const ALL: Self = Interval { least: i128::MIN, most: i128::MAX };

    /// Returns the weights that are in both intervals.
    pub(super) fn meet(self, other: Self) -> Self {
        Interval { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// Returns the interval with `by` added to each weight. An end at the limit of the type may stay there: no weight is
    /// near.
    pub(super) fn shift(self, by: i128) -> Self {
        Interval { least: self.least.saturating_add(by), most: self.most.saturating_add(by) }
    }
}

/// A node at a variable, which is its own or a skipped one before it.
pub(super) type Place = (NodeId, usize);

/// For nodes at variables, disjoint intervals of the weight of the values before: all weights of one have the same
/// completions within bounds.
///
/// Source: S. Minato, M. Banbara, T. Horiyama, J. Kawahara, I. Takigawa and Y. Yamaguchi, *Interval-memoized backtracking
/// on ZDDs for fast enumeration of all lower cost solutions*, 2022.
#[derive(Default)]
pub(super) struct Intervals {
    /// By place and least weight, the greatest weight.
    most: BTreeMap<(Place, i128), i128>,
}

/// A visit of a place, whose children are being visited.
struct Visit<I> {
    place: Place,
    weight: i128,
    /// The weights at the place for which all children visited so far are the same.
    common: Interval,
    children: I,
}

/// The completions within bounds after a step to a node with the weight so far.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// No completion, for all weights of the interval.
    None(Interval),
    /// All completions, for all weights of the interval.
    All(Interval),
    /// Some completions, at a place with the weight of the values before it.
    Some(Place, i128),
}

impl Intervals {
    /// Returns the interval of a weight, if it is known.
    pub(super) fn get(&self, place: Place, weight: i128) -> Option<Interval> {
        let (&(of, least), &most) = self.most.range(..=(place, weight)).next_back()?;
        (of == place && weight <= most).then_some(Interval { least, most })
    }

    /// Finds the intervals of all weights that occur from a root on. `children` returns, for a place and a weight, the
    /// weight after each value and its outcome. Takes an entry for each interval, and a stack as deep as the diagram.
    /// Fails if `check` fails, which is called with the number of bytes from time to time.
    pub(super) fn new<I>(
        root: Outcome,
        children: impl Fn(Place, i128) -> I,
        check: &dyn Fn(usize) -> Result<(), BuildError>,
    ) -> Result<Self, BuildError>
    where
        I: Iterator<Item = (i128, Outcome)>,
    {
        let mut intervals = Intervals::default();
        let visit = |place, weight| Visit {
            place,
            weight,
            common: Interval::ALL,
            children: children(place, weight),
        };
        let mut stack = Vec::new();
        if let Outcome::Some(place, weight) = root {
            stack.push(visit(place, weight));
        }
        while let Some(top) = stack.last_mut() {
            let (weight, interval) = match top.children.next() {
                Some((weight, Outcome::None(interval) | Outcome::All(interval))) => {
                    (weight, interval)
                }
                Some((_, Outcome::Some(place, weight))) => {
                    let Some(interval) = intervals.get(place, weight) else {
                        stack.push(visit(place, weight));
                        continue;
                    };
                    (weight, interval)
                }
                None => {
                    let (place, weight, interval) = (top.place, top.weight, top.common);
                    if intervals.most.len() % CHECKED == 0 {
                        check(intervals.most.len() * ENTRY_BYTES)?;
                    }
                    intervals.most.insert((place, interval.least), interval.most);
                    stack.pop();
                    (weight, interval)
                }
            };
            if let Some(parent) = stack.last_mut() {
                parent.common = parent.common.meet(interval.shift(parent.weight - weight));
            }
        }
        Ok(intervals)
    }
}
