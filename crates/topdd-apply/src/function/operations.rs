//! The operations on functions that are more than plain apply.

use crate::Map;
use crate::engine::{And, Begin, Call, Operation, Split, Xor};
use crate::error::Error;
use crate::store::cache::tag;
use crate::store::{Edge, EdgeRule, Store};
use topdd::diagram::AnyValue;

type Functions = Store<AnyValue>;

impl Functions {
    pub(crate) fn and(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<And>(a, b)
    }

    pub(crate) fn or(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        Ok(self.apply::<And>(a ^ 1, b ^ 1)? ^ 1)
    }

    pub(crate) fn xor(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        self.apply::<Xor>(a, b)
    }

    pub(crate) fn ite(&mut self, f: Edge, g: Edge, h: Edge) -> Result<Edge, Error> {
        self.run(&Ite, [f, g, h])
    }

    /// Splits a call into the children of its first two operands.
    fn split_both(&self, [f, g, tag]: Call) -> Split {
        let level = self.level(f).min(self.level(g));
        let (f0, f1) = self.children_at(f, level);
        let (g0, g1) = self.children_at(g, level);
        Split::new(level, [[f0, g0, tag], [f1, g1, tag]])
    }

    /// The conjunction of literals, given by level in ascending order.
    pub(crate) fn cube(&mut self, literals: &[(u32, bool)]) -> Result<Edge, Error> {
        literals.iter().rev().try_fold(Edge::ONE, |below, &(level, value)| {
            if value {
                self.mk(level, Edge::ZERO, below)
            } else {
                self.mk(level, below, Edge::ZERO)
            }
        })
    }
}

/// If-then-else; the one operation with three operands and no tag.
struct Ite;

impl Operation<AnyValue> for Ite {
    fn begin(&self, store: &mut Functions, [mut f, mut g, mut h]: Call) -> Result<Begin, Error> {
        // An operand that equals the condition is constant in its branch.
        if f.is_terminal() {
            return Ok(Begin::Done(if f == Edge::ONE { g } else { h }));
        }
        if g.node() == f.node() {
            g = Edge(u32::from(g == f));
        }
        if h.node() == f.node() {
            h = Edge(u32::from(h != f));
        }
        if g == h {
            return Ok(Begin::Done(g));
        }
        if g.is_terminal() {
            let result = if g == Edge::ONE { store.or(f, h) } else { store.and(f ^ 1, h) };
            return result.map(Begin::Done);
        }
        if h.is_terminal() {
            let result = if h == Edge::ONE { store.or(f ^ 1, g) } else { store.and(f, g) };
            return result.map(Begin::Done);
        }
        if g == h ^ 1 {
            return store.xor(f, h).map(Begin::Done);
        }
        // The canonical form of the call: neither the condition nor `g` has a flag.
        if f.flag() == 1 {
            (f, g, h) = (f ^ 1, h, g);
        }
        let flag = g.flag();
        Ok(Begin::Call([f, g ^ flag, h ^ flag], flag))
    }

    fn split(&self, store: &mut Functions, [f, g, h]: Call) -> Result<Split, Error> {
        let level = store.level(f).min(store.level(g)).min(store.level(h));
        let (f0, f1) = store.children_at(f, level);
        let (g0, g1) = store.children_at(g, level);
        let (h0, h1) = store.children_at(h, level);
        Ok(Split::new(level, [[f0, g0, h0], [f1, g1, h1]]))
    }
}

/// A set of levels.
#[derive(Clone, Debug)]
pub(crate) struct LevelSet {
    /// The first member.
    start: u32,
    /// The number of members before each level from the first to one beyond the last member.
    before: Vec<u32>,
}

impl LevelSet {
    /// The set of some levels in ascending order.
    pub(crate) fn new(levels: &[u32]) -> Self {
        let start = levels.first().copied().unwrap_or(0);
        let mut before = vec![0];
        for (index, &level) in levels.iter().enumerate() {
            before.resize((level - start) as usize + 1, index as u32);
            before.push(index as u32 + 1);
        }
        LevelSet { start, before }
    }

    /// One beyond the last member; 0 for the empty set.
    fn end(&self) -> u32 {
        self.start + self.before.len() as u32 - 1
    }

    fn contains(&self, level: u32) -> bool {
        self.meets(level, level + 1)
    }

    /// Whether a member is in `from..to`.
    fn meets(&self, from: u32, to: u32) -> bool {
        let before =
            |level: u32| self.before[(level.clamp(self.start, self.end()) - self.start) as usize];
        before(from) < before(to)
    }
}

/// Existential quantification.
pub(crate) struct Exists<'a> {
    pub(crate) levels: &'a LevelSet,
    pub(crate) tag: Edge,
}

impl Exists<'_> {
    fn quantify(
        &self,
        store: &mut Functions,
        level: u32,
        [lo, hi, ..]: &[Edge; 4],
    ) -> Result<Edge, Error> {
        if self.levels.contains(level) { store.or(*lo, *hi) } else { store.mk(level, *lo, *hi) }
    }

    fn enough(&self, level: u32, first: Edge) -> Option<Edge> {
        (first == Edge::ONE && self.levels.contains(level)).then_some(Edge::ONE)
    }
}

impl Operation<AnyValue> for Exists<'_> {
    fn begin(&self, store: &mut Functions, [f, ..]: Call) -> Result<Begin, Error> {
        Ok(if store.level(f) >= self.levels.end() {
            Begin::Done(f)
        } else {
            Begin::Call([f, Edge::ZERO, self.tag], 0)
        })
    }

    fn enough(&self, level: u32, first: Edge) -> Option<Edge> {
        self.enough(level, first)
    }

    fn join(&self, store: &mut Functions, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        self.quantify(store, level, results)
    }
}

/// Quantification of a conjunction, which is not built.
pub(crate) struct AndExists<'a> {
    pub(crate) exists: Exists<'a>,
    pub(crate) tag: Edge,
}

impl Operation<AnyValue> for AndExists<'_> {
    fn begin(&self, store: &mut Functions, [f, g, _]: Call) -> Result<Begin, Error> {
        if f == Edge::ZERO || g == Edge::ZERO || f == g ^ 1 {
            return Ok(Begin::Done(Edge::ZERO));
        }
        if f == Edge::ONE || f == g {
            return store.run(&self.exists, [g, Edge::ZERO, self.exists.tag]).map(Begin::Done);
        }
        if g == Edge::ONE {
            return store.run(&self.exists, [f, Edge::ZERO, self.exists.tag]).map(Begin::Done);
        }
        if store.level(f).min(store.level(g)) >= self.exists.levels.end() {
            return store.and(f, g).map(Begin::Done);
        }
        Ok(Begin::Call([f.min(g), f.max(g), self.tag], 0))
    }

    fn split(&self, store: &mut Functions, call: Call) -> Result<Split, Error> {
        Ok(store.split_both(call))
    }

    fn enough(&self, level: u32, first: Edge) -> Option<Edge> {
        self.exists.enough(level, first)
    }

    fn join(&self, store: &mut Functions, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        self.exists.quantify(store, level, results)
    }
}

/// Quantification by exclusive or.
pub(crate) struct UniqueQuantification<'a> {
    pub(crate) levels: &'a LevelSet,
    pub(crate) tag: Edge,
}

impl UniqueQuantification<'_> {
    /// The result for a function whose levels from `from` to its own are skipped: false if one of
    /// them is quantified, because both cofactors are equal there.
    pub(crate) fn below(&self, store: &Functions, f: Edge, from: u32) -> Edge {
        if self.levels.meets(from, store.level(f)) { Edge::ZERO } else { f }
    }
}

impl Operation<AnyValue> for UniqueQuantification<'_> {
    fn begin(&self, store: &mut Functions, [f, ..]: Call) -> Result<Begin, Error> {
        Ok(if store.level(f) >= self.levels.end() {
            Begin::Done(f)
        } else {
            Begin::Call([f, Edge::ZERO, self.tag], 0)
        })
    }

    fn split(&self, store: &mut Functions, [f, b, tag]: Call) -> Result<Split, Error> {
        let level = store.level(f);
        let (f0, f1) = store.children_at(f, level);
        let f0 = self.below(store, f0, level + 1);
        let f1 = self.below(store, f1, level + 1);
        Ok(Split::new(level, [[f0, b, tag], [f1, b, tag]]))
    }

    fn join(&self, store: &mut Functions, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        if self.levels.contains(level) {
            store.xor(results[0], results[1])
        } else {
            store.mk(level, results[0], results[1])
        }
    }
}

/// The cofactor by values of some levels.
pub(crate) struct Cofactor<'a> {
    pub(crate) values: &'a Map<u32, bool>,
    /// One beyond the last given level.
    pub(crate) end: u32,
    pub(crate) tag: Edge,
}

impl Operation<AnyValue> for Cofactor<'_> {
    fn begin(&self, store: &mut Functions, [mut f, ..]: Call) -> Result<Begin, Error> {
        loop {
            let node = store.node(f);
            if node.level >= self.end {
                return Ok(Begin::Done(f));
            }
            let (lo, hi) = AnyValue::children(f, node);
            match self.values.get(&node.level) {
                Some(&value) => f = if value { hi } else { lo },
                None => return Ok(Begin::Call([f.regular(), Edge::ZERO, self.tag], f.flag())),
            }
        }
    }
}

/// The generalised cofactor of Coudert and Madre.
pub(crate) struct Constrain;

impl Constrain {
    pub(crate) const TAG: Edge = tag(2);
}

impl Operation<AnyValue> for Constrain {
    fn begin(&self, store: &mut Functions, [mut f, mut c, tag]: Call) -> Result<Begin, Error> {
        loop {
            if c == Edge::ONE || f.is_terminal() {
                return Ok(Begin::Done(f));
            }
            if f.node() == c.node() {
                return Ok(Begin::Done(Edge(u32::from(f == c))));
            }
            let level = store.level(c);
            if level > store.level(f) {
                break;
            }
            // If the care set is empty on one side, the cofactor of the other side is taken.
            let (c0, c1) = store.children_at(c, level);
            let (f0, f1) = store.children_at(f, level);
            if c0 == Edge::ZERO {
                (f, c) = (f1, c1);
            } else if c1 == Edge::ZERO {
                (f, c) = (f0, c0);
            } else {
                break;
            }
        }
        Ok(Begin::Call([f.regular(), c, tag], f.flag()))
    }

    fn split(&self, store: &mut Functions, call: Call) -> Result<Split, Error> {
        Ok(store.split_both(call))
    }
}

/// Simultaneous substitution of functions for variables.
pub(crate) struct Substitute<'a> {
    pub(crate) by_level: &'a Map<u32, Edge>,
    /// One beyond the last given level.
    pub(crate) end: u32,
    pub(crate) tag: Edge,
}

impl Operation<AnyValue> for Substitute<'_> {
    fn begin(&self, store: &mut Functions, [f, ..]: Call) -> Result<Begin, Error> {
        Ok(if store.level(f) >= self.end {
            Begin::Done(f)
        } else {
            Begin::Call([f.regular(), Edge::ZERO, self.tag], f.flag())
        })
    }

    fn join(&self, store: &mut Functions, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        let condition = match self.by_level.get(&level) {
            Some(&edge) => edge,
            None => store.mk(level, Edge::ZERO, Edge::ONE)?,
        };
        let condition = store.keep(condition);
        store.ite(condition, results[1], results[0])
    }
}
