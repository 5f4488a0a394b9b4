//! The operations on families that are more than plain apply.
//!
//! In the formulas, `v` is the topmost variable, `f0` the members of `f` without it, and
//! `f1` the others with it taken out.

use crate::engine::pairs::{Difference, Intersection, SymmetricDifference, Union};
use crate::engine::{Begin, Call, Operation, Split};
use crate::error::Error;
use crate::store::cache::tag;
use crate::store::{Edge, Store, ZeroSuppressed};

type Families = Store<ZeroSuppressed>;

impl Families {
    pub(crate) fn union(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<Union>(a, b)
    }

    pub(crate) fn intersection(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<Intersection>(a, b)
    }

    pub(crate) fn difference(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<Difference>(a, b)
    }

    pub(crate) fn symmetric_difference(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<SymmetricDifference>(a, b)
    }

    /// Runs an operation of one operand.
    pub(crate) fn run_on<O: Operation<ZeroSuppressed>>(
        &mut self,
        operation: &O,
        f: Edge,
        tag: Edge,
    ) -> Result<Edge, Error> {
        self.run(operation, [f, Edge::ZERO, tag])
    }

    /// The children of both operands at the higher of their levels.
    fn split_pair(&self, f: Edge, g: Edge) -> (u32, (Edge, Edge), (Edge, Edge)) {
        let level = self.level(f).min(self.level(g));
        (level, self.children_at(f, level), self.children_at(g, level))
    }

    fn split_one(&self, f: Edge) -> (u32, (Edge, Edge)) {
        let level = self.level(f);
        (level, self.children_at(f, level))
    }

    /// The family of one set, whose levels are in ascending order.
    pub(crate) fn set(&mut self, levels: &[u32]) -> Result<Edge, Error> {
        levels.iter().rev().try_fold(Edge::ONE, |below, &level| self.mk(level, Edge::ZERO, below))
    }

    /// The sets of these levels, ascending, that have `k` members.
    pub(crate) fn combinations(&mut self, levels: &[u32], k: usize) -> Result<Edge, Error> {
        if k > levels.len() {
            return Ok(Edge::ZERO);
        }
        // `row[j]`: the sets of `j` of the levels that are done.
        let base = self.kept.len();
        self.keep(Edge::ONE);
        self.kept.resize(base + k + 1, Edge::ZERO);
        for &level in levels.iter().rev() {
            for j in (1..=k).rev() {
                let (lo, hi) = (self.kept[base + j], self.kept[base + j - 1]);
                self.kept[base + j] = self.mk(level, lo, hi)?;
            }
        }
        Ok(self.kept[base + k])
    }

    /// All sets of these levels, ascending.
    pub(crate) fn power_set(&mut self, levels: &[u32]) -> Result<Edge, Error> {
        levels.iter().rev().try_fold(Edge::ONE, |below, &level| self.mk(level, below, below))
    }
}

/// An operation on a family and a level, which the family of its singleton stands for.
pub(crate) enum AtLevel {
    /// The members without the level.
    Without,
    /// The members with the level, which is taken out.
    With,
    /// All members, with the level put in or taken out.
    Change,
}

impl AtLevel {
    pub(crate) fn tag(&self) -> Edge {
        match self {
            AtLevel::Without => tag(4),
            AtLevel::With => tag(5),
            AtLevel::Change => tag(6),
        }
    }
}

impl Operation<ZeroSuppressed> for AtLevel {
    fn begin(&self, store: &mut Families, [f, singleton, tag]: Call) -> Result<Begin, Error> {
        let (level, at) = (store.level(f), store.level(singleton));
        if level < at {
            return Ok(Begin::Call([f, singleton, tag], 0));
        }
        let (lo, hi) = store.children_at(f, at);
        Ok(Begin::Done(match self {
            AtLevel::Without => lo,
            AtLevel::With => hi,
            AtLevel::Change => store.mk(at, hi, lo)?,
        }))
    }

    fn split(&self, store: &mut Families, [f, singleton, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1)) = store.split_one(f);
        Ok(Split::new(level, [[f0, singleton, tag], [f1, singleton, tag]]))
    }
}

/// `{a ∪ b}`
pub(crate) struct Join;

impl Join {
    pub(crate) const TAG: Edge = tag(7);
}

impl Operation<ZeroSuppressed> for Join {
    fn begin(&self, _: &mut Families, [f, g, tag]: Call) -> Result<Begin, Error> {
        Ok(match (f, g) {
            (Edge::ZERO, _) | (_, Edge::ZERO) => Begin::Done(Edge::ZERO),
            (Edge::ONE, other) | (other, Edge::ONE) => Begin::Done(other),
            _ => Begin::Call([f.min(g), f.max(g), tag], 0),
        })
    }

    /// `f0 ⊔ g0`, and with `v`: `f1 ⊔ (g0 ∪ g1)` and `f0 ⊔ g1`.
    fn split(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1), (g0, g1)) = store.split_pair(f, g);
        let either = if f1 == Edge::ZERO { Edge::ZERO } else { store.union(g0, g1)? };
        Ok(Split::new(level, [[f0, g0, tag], [f1, either, tag], [f0, g1, tag]]))
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let hi = store.union(results[1], results[2])?;
        store.mk(level, results[0], hi)
    }
}

/// `{a ∪ b: a ∩ b = ∅}`
pub(crate) struct DisjointJoin;

impl DisjointJoin {
    pub(crate) const TAG: Edge = tag(8);
}

impl Operation<ZeroSuppressed> for DisjointJoin {
    fn begin(&self, store: &mut Families, call: Call) -> Result<Begin, Error> {
        Join.begin(store, call)
    }

    fn split(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1), (g0, g1)) = store.split_pair(f, g);
        Ok(Split::new(level, [[f0, g0, tag], [f1, g0, tag], [f0, g1, tag]]))
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        Join.join(store, level, results)
    }
}

/// `{a ∩ b}`
pub(crate) struct Meet;

impl Meet {
    pub(crate) const TAG: Edge = tag(9);
}

impl Operation<ZeroSuppressed> for Meet {
    fn begin(&self, _: &mut Families, [f, g, tag]: Call) -> Result<Begin, Error> {
        Ok(match (f, g) {
            (Edge::ZERO, _) | (_, Edge::ZERO) => Begin::Done(Edge::ZERO),
            (Edge::ONE, _) | (_, Edge::ONE) => Begin::Done(Edge::ONE),
            _ => Begin::Call([f.min(g), f.max(g), tag], 0),
        })
    }

    /// `f1 ⊓ g1` with `v`, and without it: `f0 ⊓ (g0 ∪ g1)` and `f1 ⊓ g0`.
    fn split(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1), (g0, g1)) = store.split_pair(f, g);
        let either = if f0 == Edge::ZERO { Edge::ZERO } else { store.union(g0, g1)? };
        Ok(Split::new(level, [[f1, g1, tag], [f0, either, tag], [f1, g0, tag]]))
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let lo = store.union(results[1], results[2])?;
        store.mk(level, lo, results[0])
    }
}

/// `{a ⊕ b}`
pub(crate) struct Delta;

impl Delta {
    pub(crate) const TAG: Edge = tag(10);
}

impl Operation<ZeroSuppressed> for Delta {
    fn begin(&self, store: &mut Families, call: Call) -> Result<Begin, Error> {
        Join.begin(store, call)
    }

    fn split(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1), (g0, g1)) = store.split_pair(f, g);
        Ok(Split::new(level, [[f0, g0, tag], [f1, g1, tag], [f0, g1, tag], [f1, g0, tag]]))
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let lo = store.union(results[0], results[1])?;
        store.keep(lo);
        let hi = store.union(results[2], results[3])?;
        store.mk(level, lo, hi)
    }
}

/// `{a: for all b, a ∪ b ∈ f and a ∩ b = ∅}`, where there is a `b`.
pub(crate) struct Quotient;

impl Quotient {
    pub(crate) const TAG: Edge = tag(11);
    /// In place of a level, where no node is made: the quotient by the divisors with `v`.
    const ONE_PART: u32 = u32::MAX;
    /// In place of a level, where no node is made: the quotients by the divisors with `v`
    /// and without it meet.
    const BOTH_PARTS: u32 = u32::MAX - 1;
}

impl Operation<ZeroSuppressed> for Quotient {
    fn begin(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Begin, Error> {
        debug_assert!(g != Edge::ZERO);
        Ok(if g == Edge::ONE {
            Begin::Done(f)
        } else if f == g {
            Begin::Done(Edge::ONE)
        } else if store.level(f) > store.level(g) {
            // Some divisor has a variable that no member of `f` has.
            Begin::Done(Edge::ZERO)
        } else {
            Begin::Call([f, g, tag], 0)
        })
    }

    fn split(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1), (g0, g1)) = store.split_pair(f, g);
        Ok(if g1 == Edge::ZERO {
            Split::new(level, [[f0, g, tag], [f1, g, tag]])
        } else if g0 == Edge::ZERO {
            Split::new(Self::ONE_PART, [[f1, g1, tag]])
        } else {
            Split::new(Self::BOTH_PARTS, [[f1, g1, tag], [f0, g0, tag]])
        })
    }

    fn enough(&self, level: u32, first: Edge) -> Option<Edge> {
        match level {
            Self::ONE_PART => Some(first),
            Self::BOTH_PARTS if first == Edge::ZERO => Some(Edge::ZERO),
            _ => None,
        }
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        if level == Self::BOTH_PARTS {
            store.intersection(results[0], results[1])
        } else {
            store.mk(level, results[0], results[1])
        }
    }
}

/// `{a ∈ f: for all b ∈ g, a is no subset of b}`
pub(crate) struct NonSubsets;

impl NonSubsets {
    pub(crate) const TAG: Edge = tag(12);
}

impl Operation<ZeroSuppressed> for NonSubsets {
    fn begin(&self, _: &mut Families, [f, g, tag]: Call) -> Result<Begin, Error> {
        Ok(if g == Edge::ZERO {
            Begin::Done(f)
        } else if f.is_terminal() || f == g {
            Begin::Done(Edge::ZERO)
        } else {
            Begin::Call([f, g, tag], 0)
        })
    }

    /// A set without `v` is a subset of `b` if it is one of `b` without `v`.
    fn split(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1), (g0, g1)) = store.split_pair(f, g);
        let either = if f0 == Edge::ZERO { g0 } else { store.union(g0, g1)? };
        Ok(Split::new(level, [[f0, either, tag], [f1, g1, tag]]))
    }
}

/// `{a ∈ f: for all b ∈ g, a is no superset of b}`
pub(crate) struct NonSupersets;

impl NonSupersets {
    pub(crate) const TAG: Edge = tag(13);
}

impl Operation<ZeroSuppressed> for NonSupersets {
    fn begin(&self, _: &mut Families, [f, g, tag]: Call) -> Result<Begin, Error> {
        // Every set is a superset of the empty set, whose presence is the flag.
        Ok(if f == Edge::ZERO || g.flag() == 1 || f == g {
            Begin::Done(Edge::ZERO)
        } else if g == Edge::ZERO || f == Edge::ONE {
            Begin::Done(f)
        } else {
            Begin::Call([f, g, tag], 0)
        })
    }

    fn split(&self, store: &mut Families, [f, g, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1), (g0, g1)) = store.split_pair(f, g);
        let either = if f1 == Edge::ZERO { g0 } else { store.union(g0, g1)? };
        Ok(Split::new(level, [[f0, g0, tag], [f1, either, tag]]))
    }
}

/// The members that are subsets of no other member.
pub(crate) struct Maximal;

impl Maximal {
    pub(crate) const TAG: Edge = tag(14);
}

impl Operation<ZeroSuppressed> for Maximal {
    fn begin(&self, _: &mut Families, [f, _, tag]: Call) -> Result<Begin, Error> {
        // The empty set is a subset of every other member.
        Ok(if f.is_terminal() {
            Begin::Done(f)
        } else {
            Begin::Call([f.regular(), Edge::ZERO, tag], 0)
        })
    }

    fn split(&self, store: &mut Families, [f, b, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1)) = store.split_one(f);
        Ok(Split::new(level, [[f0, b, tag], [f1, b, tag]]))
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let [without, with, ..] = *results;
        let lo = store.run(&NonSubsets, [without, with, NonSubsets::TAG])?;
        store.mk(level, lo, with)
    }
}

/// The members that are supersets of no other member.
pub(crate) struct Minimal;

impl Minimal {
    pub(crate) const TAG: Edge = tag(15);
}

impl Operation<ZeroSuppressed> for Minimal {
    fn begin(&self, _: &mut Families, [f, _, tag]: Call) -> Result<Begin, Error> {
        // The empty set is a subset of every other member.
        Ok(if f.flag() == 1 {
            Begin::Done(Edge::ONE)
        } else if f == Edge::ZERO {
            Begin::Done(f)
        } else {
            Begin::Call([f, Edge::ZERO, tag], 0)
        })
    }

    fn split(&self, store: &mut Families, [f, b, tag]: Call) -> Result<Split, Error> {
        Maximal.split(store, [f, b, tag])
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let [without, with, ..] = *results;
        let hi = store.run(&NonSupersets, [with, without, NonSupersets::TAG])?;
        store.mk(level, without, hi)
    }
}

/// The minimal sets that meet every member.
pub(crate) struct HittingSets;

impl HittingSets {
    pub(crate) const TAG: Edge = tag(16);
}

impl Operation<ZeroSuppressed> for HittingSets {
    fn begin(&self, _: &mut Families, [f, _, tag]: Call) -> Result<Begin, Error> {
        Ok(if f == Edge::ZERO {
            Begin::Done(Edge::ONE)
        } else if f.flag() == 1 {
            Begin::Done(Edge::ZERO)
        } else {
            Begin::Call([f, Edge::ZERO, tag], 0)
        })
    }

    /// Without `v`, a set must hit `f0` and `f1`; with it, `f0` only, and if it hits all
    /// then `v` is one too many.
    fn split(&self, store: &mut Families, [f, b, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1)) = store.split_one(f);
        let all = store.union(f0, f1)?;
        Ok(Split::new(level, [[all, b, tag], [f0, b, tag]]))
    }

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let [hits_all, hits_without, ..] = *results;
        let hi = store.difference(hits_without, hits_all)?;
        store.mk(level, hits_all, hi)
    }
}

/// All subsets of members.
pub(crate) struct Closure;

impl Closure {
    pub(crate) const TAG: Edge = tag(17);
}

impl Operation<ZeroSuppressed> for Closure {
    fn begin(&self, _: &mut Families, [f, _, tag]: Call) -> Result<Begin, Error> {
        Ok(if f.is_terminal() {
            Begin::Done(f)
        } else {
            Begin::Call([f.regular(), Edge::ZERO, tag], 0)
        })
    }

    fn split(&self, store: &mut Families, [f, b, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1)) = store.split_one(f);
        let all = store.union(f0, f1)?;
        Ok(Split::new(level, [[all, b, tag], [f1, b, tag]]))
    }
}
