//! Members compared by inclusion.

use super::{Families, Plain};
use crate::engine::{Begin, Call, Operation, Split};
use crate::error::Error;
use crate::store::Edge;
use crate::store::cache::tag;
use topdd::diagram::ZeroSuppressed;

/// `{a ∈ f: for all b ∈ g, a is no subset of b}`
pub(crate) struct NonSubsets;

impl Plain for NonSubsets {
    const TAG: Edge = tag(12);
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

impl Plain for NonSupersets {
    const TAG: Edge = tag(13);
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

impl Plain for Maximal {
    const TAG: Edge = tag(14);
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

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let [without, with, ..] = *results;
        let lo = store.pair(&NonSubsets, without, with)?;
        store.mk(level, lo, with)
    }
}

/// The members that are supersets of no other member.
pub(crate) struct Minimal;

impl Plain for Minimal {
    const TAG: Edge = tag(15);
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

    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let [without, with, ..] = *results;
        let hi = store.pair(&NonSupersets, with, without)?;
        store.mk(level, without, hi)
    }
}

/// The minimal members of a family that contains every superset of a member.
pub(crate) struct MinimalOfAll;

impl Plain for MinimalOfAll {
    const TAG: Edge = tag(16);
}

impl Operation<ZeroSuppressed> for MinimalOfAll {
    /// A call with two equal operands returns them, so that [`join`](Operation::join) knows `f0`.
    fn begin(&self, _: &mut Families, [f, same, tag]: Call) -> Result<Begin, Error> {
        Ok(if f == same || f == Edge::ZERO {
            Begin::Done(f)
        } else if f.flag() == 1 {
            Begin::Done(Edge::ONE)
        } else {
            Begin::Call([f, same, tag], 0)
        })
    }

    fn split(&self, store: &mut Families, [f, zero, tag]: Call) -> Result<Split, Error> {
        let (level, (f0, f1)) = store.split_one(f);
        Ok(Split::new(level, [[f0, zero, tag], [f1, zero, tag], [f0, f0, tag]]))
    }

    /// A member with `v` is minimal if it is no member without `v`.
    fn join(&self, store: &mut Families, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let [without, with, f0, ..] = *results;
        let hi = store.difference(with, f0)?;
        store.mk(level, without, hi)
    }
}

/// All subsets of members.
pub(crate) struct Closure;

impl Plain for Closure {
    const TAG: Edge = tag(17);
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
