//! Operations on the members of families: the algebra of pairs of members, and members compared by inclusion.
//!
//! In the formulas, `v` is the topmost variable, `f0` the members of `f` without `v`, and
//! `f1` the members with `v`, without `v` itself.

use super::Family;
use crate::engine::{
    Begin, Call, Intersection, Operation, SetDifference, Split, SymmetricDifference, Union,
};
use crate::error::Error;
use crate::store::cache::tag;
use crate::store::{Edge, Store};
use topdd::diagram::ZeroSuppressed;

impl Family {
    /// Returns the unions of members, `f ⊔ g = {a ∪ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.join(&g)?, manager.family([vec![0, 1], vec![0, 2], vec![1], vec![1, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddUnateProduct", "product"))]
    pub fn join(&self, other: &Family) -> Result<Family, Error> {
        self.pair(Join, other)
    }

    /// Returns the unions of members that have nothing in common, `{a ∪ b: a ∩ b = ∅}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.disjoint_join(&g)?, manager.family([[0, 1], [0, 2], [1, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn disjoint_join(&self, other: &Family) -> Result<Family, Error> {
        self.pair(DisjointJoin, other)
    }

    /// Returns the intersections of members, `f ⊓ g = {a ∩ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0, 1]])?;
    /// let g = manager.family([[1, 2], [0, 1]])?;
    /// assert_eq!(f.meet(&g)?, manager.family([vec![1], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn meet(&self, other: &Family) -> Result<Family, Error> {
        self.pair(Meet, other)
    }

    /// Returns the symmetric differences of members, `f ⊞ g = {a ⊕ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0, 1]])?;
    /// let g = manager.family([[1, 2], [0, 1]])?;
    /// assert_eq!(f.delta(&g)?, manager.family([vec![0, 2], vec![]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn delta(&self, other: &Family) -> Result<Family, Error> {
        self.pair(Delta, other)
    }

    /// Returns the sets whose disjoint union with every divisor is a member, `f / g = {c: for all
    /// b, b ∪ c ∈ f and b ∩ c = ∅}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// let f = manager.family([vec![0, 1, 2], vec![0, 1], vec![3, 2], vec![3]])?;
    /// let g = manager.family([vec![0, 1], vec![3]])?;
    /// assert_eq!(f.quotient(&g)?, manager.family([vec![2], vec![]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the divisor is the empty family. Otherwise as for every operation of [`Family`].
    #[doc(alias("Cudd_zddDivide", "divide"))]
    pub fn quotient(&self, divisor: &Family) -> Result<Family, Error> {
        self.manager().own(&divisor.0)?;
        if divisor.is_empty() {
            return Err(Error::EmptyDivisor);
        }
        self.pair(QuotientOperation, divisor)
    }

    /// Returns the members that are not a union of a divisor and a member of the quotient, `f mod g
    /// = f \ (g ⊔ (f / g))`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// let f = manager.family([[0, 1], [1, 2], [2, 3]])?;
    /// let g = manager.family([[0], [2]])?;
    /// assert_eq!(f.remainder(&g)?, manager.family([[2, 3]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the divisor is the empty family. Otherwise as for every operation of [`Family`].
    pub fn remainder(&self, divisor: &Family) -> Result<Family, Error> {
        self.try_difference(&divisor.join(&self.quotient(divisor)?)?)
    }
}

impl Family {
    /// Returns the members that are a subset of no member of the other, `f ↘ g = {a ∈ f: for all b,
    /// a ⊄ b and a ≠ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// let g = manager.family([[0, 2]])?;
    /// assert_eq!(f.nonsubsets(&g)?, manager.family([[0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("non_subsets", "non_subgraphs"))]
    pub fn nonsubsets(&self, other: &Family) -> Result<Family, Error> {
        self.pair(NonSubsets, other)
    }

    /// Returns the members that are a superset of no member of the other, `f ↗ g = {a ∈ f: for all
    /// b, a ⊅ b and a ≠ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// let g = manager.family([vec![1], vec![0, 2]])?;
    /// assert_eq!(f.nonsupersets(&g)?, manager.family([[0], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("non_supersets", "excluding"))]
    pub fn nonsupersets(&self, other: &Family) -> Result<Family, Error> {
        self.pair(NonSupersets, other)
    }

    /// Returns the members that are a subset of some member of the other (Minato's *permit*), `{a ∈
    /// f: there is b with a ⊆ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![], vec![0], vec![0, 1], vec![2]])?;
    /// let g = manager.family([[0, 2]])?;
    /// assert_eq!(f.subsets_of(&g)?, manager.family([vec![], vec![0], vec![2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("permit", "subsets", "included"))]
    pub fn subsets_of(&self, other: &Family) -> Result<Family, Error> {
        self.try_difference(&self.nonsubsets(other)?)
    }

    /// Returns the members that are a superset of some member of the other (Minato's *restrict*),
    /// `{a ∈ f: there is b with a ⊇ b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1, 2]])?;
    /// let g = manager.family([vec![1], vec![0, 2]])?;
    /// assert_eq!(f.supersets_of(&g)?, manager.family([[0, 1], [1, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("restrict", "supersets", "including"))]
    pub fn supersets_of(&self, other: &Family) -> Result<Family, Error> {
        self.try_difference(&self.nonsupersets(other)?)
    }

    /// Returns the members that are a subset of no other member, `f↑ = {a ∈ f: no b ∈ f with a ⊂
    /// b}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// assert_eq!(f.maximal()?, manager.family([vec![0, 1], vec![2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn maximal(&self) -> Result<Family, Error> {
        self.single(Maximal)
    }

    /// Returns the members that are a superset of no other member, `f↓ = {a ∈ f: no b ∈ f with b ⊂
    /// a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// assert_eq!(f.minimal()?, manager.family([[0], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn minimal(&self) -> Result<Family, Error> {
        self.single(Minimal)
    }

    /// Returns all subsets of members, `{c: there is a with c ⊆ a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0, 1]])?;
    /// assert_eq!(f.closure()?, manager.family([vec![], vec![0], vec![1], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn closure(&self) -> Result<Family, Error> {
        self.single(Closure)
    }
}

/// An operation without parameters other than its one or two operands.
pub(crate) trait PlainOperation: Operation<ZeroSuppressed> {
    /// The tag of the results of this operation in the cache.
    const TAG: Edge;
}

type Families = Store<ZeroSuppressed>;

impl Families {
    pub(crate) fn union(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<Union>(a, b)
    }

    pub(crate) fn intersection(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<Intersection>(a, b)
    }

    pub(crate) fn difference(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<SetDifference>(a, b)
    }

    pub(crate) fn symmetric_difference(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<SymmetricDifference>(a, b)
    }

    /// Runs an operation on one family.
    pub(crate) fn single<O: PlainOperation>(
        &mut self,
        operation: &O,
        f: Edge,
    ) -> Result<Edge, Error> {
        self.run(operation, [f, Edge::ZERO, O::TAG])
    }

    /// Runs an operation on two families.
    pub(crate) fn pair<O: PlainOperation>(
        &mut self,
        operation: &O,
        f: Edge,
        g: Edge,
    ) -> Result<Edge, Error> {
        self.run(operation, [f, g, O::TAG])
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

    /// All sets of `k` levels of this list, which is ascending.
    pub(crate) fn combinations(&mut self, levels: &[u32], k: usize) -> Result<Edge, Error> {
        if k > levels.len() {
            return Ok(Edge::ZERO);
        }
        // Edge `base + j`: the sets of `j` levels, from the bottom up to the current level.
        let base = self.stacks.kept.len();
        self.keep(Edge::ONE);
        self.stacks.kept.resize(base + k + 1, Edge::ZERO);
        for &level in levels.iter().rev() {
            for j in (1..=k).rev() {
                let (lo, hi) = (self.stacks.kept[base + j], self.stacks.kept[base + j - 1]);
                self.stacks.kept[base + j] = self.mk(level, lo, hi)?;
            }
        }
        Ok(self.stacks.kept[base + k])
    }

    /// All sets of levels of this list, which is ascending.
    pub(crate) fn power_set(&mut self, levels: &[u32]) -> Result<Edge, Error> {
        levels.iter().rev().try_fold(Edge::ONE, |below, &level| self.mk(level, below, below))
    }
}

/// An operation on a family and a level. The second operand is the family of the singleton of the level.
pub(crate) enum AtLevel {
    /// The members without the level.
    Without,
    /// The members with the level, without the level itself.
    With,
    /// All members, with the level added or removed.
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
}

/// `{a ∪ b}`
pub(super) struct Join;

impl PlainOperation for Join {
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
pub(super) struct DisjointJoin;

impl PlainOperation for DisjointJoin {
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
pub(super) struct Meet;

impl PlainOperation for Meet {
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
pub(super) struct Delta;

impl PlainOperation for Delta {
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
pub(super) struct QuotientOperation;

impl PlainOperation for QuotientOperation {
    const TAG: Edge = tag(11);
}

impl QuotientOperation {
    /// In place of a level, where no node is made: the quotient by the divisors with `v`.
    const ONE_PART: u32 = u32::MAX;
    /// In place of a level, where no node is made: the quotients by the divisors with `v`
    /// and without it meet.
    const BOTH_PARTS: u32 = u32::MAX - 1;
}

impl Operation<ZeroSuppressed> for QuotientOperation {
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

/// `{a ∈ f: for all b ∈ g, a is no subset of b}`
pub(super) struct NonSubsets;

impl PlainOperation for NonSubsets {
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
pub(super) struct NonSupersets;

impl PlainOperation for NonSupersets {
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
pub(super) struct Maximal;

impl PlainOperation for Maximal {
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
pub(super) struct Minimal;

impl PlainOperation for Minimal {
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

impl PlainOperation for MinimalOfAll {
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
pub(super) struct Closure;

impl PlainOperation for Closure {
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
