//! The loop of binary operations: apply without recursion.
//!
//! A kernel defines the terminal cases of an operation. The loop descends in both
//! operands together, on an explicit stack.
//!
//! Source: R. E. Bryant, *Graph-based algorithms for Boolean function manipulation*, 1986.

use crate::Error;
use crate::hash::Set;
use crate::store::cache::tag;
use crate::store::node::Node;
use crate::store::{Edge, EdgeRule, ROUND, Store};
use std::cmp::Ordering;
use topdd::diagram::{AnyValue, ZeroSuppressed};

/// A pair of operands whose result is being computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairFrame {
    a: Edge,
    b: Edge,
    /// The operands on the high side.
    high: (Edge, Edge),
    /// The result on the low side, or [`PENDING`].
    low: Edge,
    /// The level, and in the top bit the flag to be combined with the result.
    level: u32,
}

/// A result that is not yet computed; no edge is so large.
const PENDING: Edge = Edge(u32::MAX);

impl PairFrame {
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Edge)) {
        [self.a, self.b, self.high.0, self.high.1].into_iter().for_each(&mut visit);
        if self.low != PENDING {
            visit(self.low);
        }
    }
}

/// A pair of operands after simplification.
pub(crate) enum PairBegin {
    /// The result.
    Done(Edge),
    /// A canonical pair, and the flag to be combined with its result by exclusive or.
    Pair(Edge, Edge, u32),
}

/// An operation on two operands that works level by level.
pub(crate) trait Kernel<R> {
    const TAG: Edge;

    fn begin(nodes: &[Node], a: Edge, b: Edge) -> PairBegin;
}

impl<R: EdgeRule> Store<R> {
    /// Returns the result of the operation `K` on `a` and `b`, which handles or frames must hold.
    pub(crate) fn apply<K: Kernel<R>>(&mut self, mut a: Edge, mut b: Edge) -> Result<Edge, Error> {
        let base = self.stacks.pairs.len();
        'call: loop {
            let mut result = match K::begin(&self.nodes, a, b) {
                PairBegin::Done(result) => result,
                PairBegin::Pair(left, right, flag) => {
                    if let Some(result) = self.cache.get(&[left, right, K::TAG]) {
                        result ^ flag
                    } else {
                        let (left_node, right_node) = (self.node(left), self.node(right));
                        let level = left_node.level.min(right_node.level);
                        let (a0, a1) = if left_node.level == level {
                            R::children(left, left_node)
                        } else {
                            R::skip(left)
                        };
                        let (b0, b1) = if right_node.level == level {
                            R::children(right, right_node)
                        } else {
                            R::skip(right)
                        };
                        self.stacks.pairs.push(PairFrame {
                            a: left,
                            b: right,
                            high: (a1, b1),
                            low: PENDING,
                            level: level | flag << 31,
                        });
                        (a, b) = (a0, b0);
                        continue 'call;
                    }
                }
            };
            loop {
                if self.stacks.pairs.len() == base {
                    return Ok(result);
                }
                let top = self.stacks.pairs.last_mut().expect("above the base");
                if top.low == PENDING {
                    top.low = result;
                    (a, b) = top.high;
                    continue 'call;
                }
                let frame = *top;
                match self.mk(frame.level & !(1 << 31), frame.low, result) {
                    Ok(made) => result = made,
                    Err(error) => {
                        self.stacks.pairs.truncate(base);
                        return Err(error);
                    }
                }
                self.stacks.pairs.pop();
                if let Err(error) = self.remember(&[frame.a, frame.b, K::TAG], result) {
                    self.stacks.pairs.truncate(base);
                    return Err(error);
                }
                result = result ^ (frame.level >> 31);
            }
        }
    }
}

/// An operation whose result is empty (false, or the empty family) if and only if its results on both
/// sides are, unless the flag adds the empty set.
pub(crate) trait Conjunctive {}

impl Conjunctive for And {}
impl Conjunctive for Intersection {}
impl Conjunctive for SetDifference {}

impl<R: EdgeRule> Store<R> {
    /// Whether the result of the operation `K` on `a` and `b` is empty, without making nodes.
    ///
    /// Visits each pair of operands once, and stops at the first result that is not empty. Reports the
    /// progress, and counts the table of pairs towards the limit of bytes.
    pub(crate) fn is_empty<K: Kernel<R> + Conjunctive>(
        &self,
        a: Edge,
        b: Edge,
    ) -> Result<bool, Error> {
        let mut seen: Set<(Edge, Edge)> = Set::default();
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            match K::begin(&self.nodes, a, b) {
                PairBegin::Done(Edge::ZERO) => {}
                PairBegin::Done(_) | PairBegin::Pair(_, _, 1) => return Ok(false),
                PairBegin::Pair(a, b, _) => {
                    if seen.len() == seen.capacity() {
                        // A table has a byte more for each slot, and uses at most 7/8 of its slots. The
                        // next table has twice as many slots. Both exist while the pairs move.
                        let place = size_of::<(Edge, Edge)>() + 1;
                        self.require(3 * place * seen.capacity() / 7 * 8)?;
                    }
                    if seen.insert((a, b)) {
                        let level = self.level(a).min(self.level(b));
                        let (a, b) = (self.children_at(a, level), self.children_at(b, level));
                        stack.extend([(a.1, b.1), (a.0, b.0)]);
                        if seen.len().is_multiple_of(ROUND) {
                            self.finish_round()?;
                        }
                    }
                }
            }
        }
        Ok(true)
    }
}

/// The canonical pair of a commutative operation: the smaller edge first.
#[inline]
fn ordered(a: Edge, b: Edge, flag: u32) -> PairBegin {
    if a < b { PairBegin::Pair(a, b, flag) } else { PairBegin::Pair(b, a, flag) }
}

/// Conjunction.
pub(crate) struct And;

impl Kernel<AnyValue> for And {
    const TAG: Edge = tag(0);

    #[inline]
    fn begin(_: &[Node], a: Edge, b: Edge) -> PairBegin {
        if a.is_terminal() {
            return PairBegin::Done(if a == Edge::ONE { b } else { Edge::ZERO });
        }
        if b.is_terminal() {
            return PairBegin::Done(if b == Edge::ONE { a } else { Edge::ZERO });
        }
        if a.node() == b.node() {
            return PairBegin::Done(if a == b { a } else { Edge::ZERO });
        }
        ordered(a, b, 0)
    }
}

/// Exclusive or.
pub(crate) struct Xor;

impl Kernel<AnyValue> for Xor {
    const TAG: Edge = tag(1);

    #[inline]
    fn begin(_: &[Node], a: Edge, b: Edge) -> PairBegin {
        let flag = a.flag() ^ b.flag();
        let (a, b) = (a.regular(), b.regular());
        if a == Edge::ZERO {
            PairBegin::Done(b ^ flag)
        } else if b == Edge::ZERO {
            PairBegin::Done(a ^ flag)
        } else if a == b {
            PairBegin::Done(Edge(flag))
        } else {
            ordered(a, b, flag)
        }
    }
}

/// Union.
pub(crate) struct Union;

impl Kernel<ZeroSuppressed> for Union {
    const TAG: Edge = tag(0);

    #[inline]
    fn begin(_: &[Node], a: Edge, b: Edge) -> PairBegin {
        let flag = a.flag() | b.flag();
        let (a, b) = (a.regular(), b.regular());
        if a == Edge::ZERO || a == b {
            PairBegin::Done(b ^ flag)
        } else if b == Edge::ZERO {
            PairBegin::Done(a ^ flag)
        } else {
            ordered(a, b, flag)
        }
    }
}

/// Intersection.
pub(crate) struct Intersection;

impl Kernel<ZeroSuppressed> for Intersection {
    const TAG: Edge = tag(1);

    #[inline]
    fn begin(nodes: &[Node], a: Edge, b: Edge) -> PairBegin {
        let flag = a.flag() & b.flag();
        let (mut a, mut b) = (a.regular(), b.regular());
        loop {
            if a == Edge::ZERO || b == Edge::ZERO {
                return PairBegin::Done(Edge(flag));
            }
            if a == b {
                return PairBegin::Done(a ^ flag);
            }
            let (left, right) = (nodes[a.node() as usize], nodes[b.node() as usize]);
            // The other operand does not contain the variable of the higher level.
            match left.level.cmp(&right.level) {
                Ordering::Less => a = left.lo,
                Ordering::Greater => b = right.lo,
                Ordering::Equal => return ordered(a, b, flag),
            }
        }
    }
}

/// Difference.
pub(crate) struct SetDifference;

impl Kernel<ZeroSuppressed> for SetDifference {
    const TAG: Edge = tag(2);

    #[inline]
    fn begin(nodes: &[Node], a: Edge, b: Edge) -> PairBegin {
        let flag = a.flag() & !b.flag();
        let (a, mut b) = (a.regular(), b.regular());
        loop {
            if a == Edge::ZERO || a == b {
                return PairBegin::Done(Edge(flag));
            }
            if b == Edge::ZERO {
                return PairBegin::Done(a ^ flag);
            }
            let (left, right) = (nodes[a.node() as usize], nodes[b.node() as usize]);
            if left.level <= right.level {
                return PairBegin::Pair(a, b, flag);
            }
            b = right.lo;
        }
    }
}

/// Symmetric difference.
pub(crate) struct SymmetricDifference;

impl Kernel<ZeroSuppressed> for SymmetricDifference {
    const TAG: Edge = tag(3);

    #[inline]
    fn begin(_: &[Node], a: Edge, b: Edge) -> PairBegin {
        let flag = a.flag() ^ b.flag();
        let (a, b) = (a.regular(), b.regular());
        if a == Edge::ZERO {
            PairBegin::Done(b ^ flag)
        } else if b == Edge::ZERO {
            PairBegin::Done(a ^ flag)
        } else if a == b {
            PairBegin::Done(Edge(flag))
        } else {
            ordered(a, b, flag)
        }
    }
}
