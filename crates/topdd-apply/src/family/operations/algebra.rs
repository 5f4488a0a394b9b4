//! Operations on pairs of members.

use super::{Families, Plain};
use crate::engine::{Begin, Call, Operation, Split};
use crate::error::Error;
use crate::store::Edge;
use crate::store::cache::tag;
use topdd::diagram::ZeroSuppressed;

/// `{a ∪ b}`
pub(crate) struct Join;

impl Plain for Join {
    const TAG: Edge = tag(7);
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

impl Plain for DisjointJoin {
    const TAG: Edge = tag(8);
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

impl Plain for Meet {
    const TAG: Edge = tag(9);
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

impl Plain for Delta {
    const TAG: Edge = tag(10);
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

impl Plain for Quotient {
    const TAG: Edge = tag(11);
}

impl Quotient {
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
            // A divisor has a variable that no member of `f` has.
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
