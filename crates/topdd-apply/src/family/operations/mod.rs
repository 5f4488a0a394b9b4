//! The operations on families that are more than plain apply.
//!
//! `algebra` has the operations on pairs of members, and `inclusion` the comparisons of members.
//! This module has the operations by one variable, and the methods that run all operations.
//!
//! In the formulas, `v` is the topmost variable, `f0` the members of `f` without `v`, and
//! `f1` the members with `v`, without `v` itself.

mod algebra;
mod inclusion;

pub(super) use algebra::{Delta, DisjointJoin, Join, Meet, Quotient};
pub(crate) use inclusion::MinimalOfAll;
pub(super) use inclusion::{Closure, Maximal, Minimal, NonSubsets, NonSupersets};

use crate::engine::pairs::{Intersection, SetDifference, SymmetricDifference, Union};
use crate::engine::{Begin, Call, Operation};
use crate::error::Error;
use crate::store::cache::tag;
use crate::store::{Edge, Store};
use topdd::diagram::ZeroSuppressed;

/// An operation without parameters other than its one or two operands.
pub(crate) trait Plain: Operation<ZeroSuppressed> {
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
    pub(crate) fn single<O: Plain>(&mut self, operation: &O, f: Edge) -> Result<Edge, Error> {
        self.run(operation, [f, Edge::ZERO, O::TAG])
    }

    /// Runs an operation on two families.
    pub(crate) fn pair<O: Plain>(
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
