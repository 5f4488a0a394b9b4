//! The execution of operations: without recursion, on stacks that a collection can see.
//!
//! The loop of pairs runs the operations that take most of the time: binary operations that work level by level and make
//! a node of the two results. A kernel defines the terminal cases of an operation, and the loop descends in both operands
//! together. The loop of calls runs all others, which split into other calls or join the results by another operation.
//! A balanced reduction combines many operands.
//!
//! Source: R. E. Bryant, *Graph-based algorithms for Boolean function manipulation*, 1986.

use super::Error;
use super::store::cache::tag;
pub(crate) use super::store::frames::{Call, Split};
use super::store::frames::{CallFrame, PENDING, PairFrame};
use super::store::{Edge, EdgeRule, Node, ROUND, Store};
use crate::Set;
use std::cmp::Ordering;
use topdd::diagram::{AnyValue, ZeroSuppressed};

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

/// Begins the exclusive or of functions, or the symmetric difference of families: the flag of the
/// result is the exclusive or of both flags.
#[inline]
fn exclusive(a: Edge, b: Edge) -> PairBegin {
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

/// Exclusive or.
pub(crate) struct Xor;

impl Kernel<AnyValue> for Xor {
    const TAG: Edge = tag(1);

    #[inline]
    fn begin(_: &[Node], a: Edge, b: Edge) -> PairBegin {
        exclusive(a, b)
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
        exclusive(a, b)
    }
}

/// A call after simplification.
pub(crate) enum Begin {
    /// The result.
    Done(Edge),
    /// A canonical call, and the flag to be combined with its result by exclusive or.
    Call(Call, u32),
}

/// An operation that splits a call into others and joins their results.
///
/// Each method that runs another operation may collect nodes. The operands of the call and of its
/// parts are held, and so are the results passed to [`join`](Operation::join). An edge that
/// another operation made must be [kept](Store::keep) while a further one runs.
pub(crate) trait Operation<R: EdgeRule> {
    /// Returns the result of a trivial call, or the canonical call to look up in the cache.
    fn begin(&self, store: &mut Store<R>, call: Call) -> Result<Begin, Error>;

    /// Splits a canonical call: by default into the children of the first operand, with the same other
    /// operands.
    fn split(&self, store: &mut Store<R>, [f, second, third]: Call) -> Result<Split, Error> {
        let level = store.level(f);
        let (lo, hi) = store.children_at(f, level);
        Ok(Split::new(level, [[lo, second, third], [hi, second, third]]))
    }

    /// Returns the result if the result of the first part determines it.
    fn enough(&self, level: u32, first: Edge) -> Option<Edge> {
        let _ = (level, first);
        None
    }

    /// Joins the results of the parts.
    fn join(&self, store: &mut Store<R>, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        store.mk(level, results[0], results[1])
    }
}

impl<R: EdgeRule> Store<R> {
    /// Returns the result of `call`, whose operands must be held.
    pub(crate) fn run<O: Operation<R>>(
        &mut self,
        operation: &O,
        call: Call,
    ) -> Result<Edge, Error> {
        let (base, kept) = (self.stacks.calls.len(), self.stacks.kept.len());
        let result = self.run_calls(operation, call);
        if result.is_err() {
            self.stacks.calls.truncate(base);
            self.stacks.kept.truncate(kept);
        }
        result
    }

    /// Does the same as [`run`](Store::run), but leaves frames and kept edges after an error.
    fn run_calls<O: Operation<R>>(&mut self, operation: &O, mut call: Call) -> Result<Edge, Error> {
        let (base, kept) = (self.stacks.calls.len(), self.stacks.kept.len());
        'call: loop {
            let mut result = match operation.begin(self, call)? {
                Begin::Done(result) => result,
                Begin::Call(key, flag) => {
                    if let Some(result) = self.cache.get(&key) {
                        result ^ flag
                    } else {
                        // The frame is pushed first to hold the operands during the split.
                        let frame = CallFrame {
                            call: key,
                            split: Split::new(0, []),
                            results: [Edge::ZERO; 4],
                            done: 0,
                            flag,
                        };
                        self.stacks.calls.push(frame);
                        let split = operation.split(self, key)?;
                        self.stacks.kept.truncate(kept);
                        self.stacks.calls.last_mut().expect("pushed above").split = split;
                        call = split.calls[0];
                        continue 'call;
                    }
                }
            };
            loop {
                self.stacks.kept.truncate(kept);
                if self.stacks.calls.len() == base {
                    return Ok(result);
                }
                let top = self.stacks.calls.last_mut().expect("above the base");
                top.results[usize::from(top.done)] = result;
                top.done += 1;
                let frame = *top;
                let enough = match frame.done {
                    1 => operation.enough(frame.split.level, result),
                    _ => None,
                };
                result = match enough {
                    Some(result) => result,
                    None if frame.done < frame.split.len => {
                        call = frame.split.calls[usize::from(frame.done)];
                        continue 'call;
                    }
                    None => operation.join(self, frame.split.level, &frame.results)?,
                };
                self.remember(&frame.call, result)?;
                self.stacks.calls.pop();
                result = result ^ frame.flag;
            }
        }
    }
}

impl<R: EdgeRule> Store<R> {
    /// Makes an edge of each item and joins the edges pairwise in a balanced tree, so that operands
    /// have similar sizes. Returns [`Edge::ZERO`] if there are no items; it must be neutral for the
    /// join.
    pub(crate) fn balanced<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        make: impl Fn(&mut Self, T) -> Result<Edge, Error>,
        join: impl Fn(&mut Self, Edge, Edge) -> Result<Edge, Error>,
    ) -> Result<Edge, Error> {
        // Partial results, each with its height in the tree.
        let mut pending: Vec<(u32, Edge)> = Vec::new();
        for item in items {
            let mut joined = make(self, item)?;
            let mut rounds = 0;
            while let Some(&(_, other)) = pending.last().filter(|last| last.0 == rounds) {
                joined = join(self, other, joined)?;
                pending.pop();
                self.stacks.kept.pop();
                rounds += 1;
            }
            pending.push((rounds, self.keep(joined)));
        }
        let mut all = Edge::ZERO;
        for (_, last) in pending.into_iter().rev() {
            all = join(self, last, all)?;
        }
        Ok(all)
    }
}
