//! Snapshots of diagrams, for read-only passes.
//!
//! A snapshot has no flags: each node is one function or family, under the rule of
//! its store, and the terminals are 0 and 1. Children come before parents, so that a pass
//! is a loop. A snapshot owns its nodes: an iterator over it borrows nothing.

use crate::Map;
use crate::store::{Edge, EdgeRule, Store};
use num_bigint::BigUint;
use num_traits::{CheckedAdd, One, Zero};
use topdd::Rule;

/// The identity of a node in a snapshot.
pub(crate) type Id = u32;
pub(crate) const ZERO: Id = 0;
pub(crate) const ONE: Id = 1;
/// The first identity that is not a terminal.
const FIRST: Id = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainNode {
    pub(crate) level: u32,
    pub(crate) lo: Id,
    pub(crate) hi: Id,
}

#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// Node `id` is `nodes[id - FIRST]`.
    pub(crate) nodes: Vec<PlainNode>,
    pub(crate) roots: Vec<Id>,
    pub(crate) rule: Rule,
    pub(crate) num_levels: u32,
}

impl<R: EdgeRule> Store<R> {
    /// Copies the nodes below `roots`. Takes linear time and a hash table of all nodes.
    pub(crate) fn snapshot(&self, roots: &[Edge], num_levels: usize) -> Snapshot {
        let mut ids: Map<Edge, Id> = Map::default();
        ids.insert(Edge::ZERO, ZERO);
        ids.insert(Edge::ONE, ONE);
        let mut nodes = Vec::new();
        let mut stack = Vec::new();
        for &root in roots {
            stack.push(root);
            while let Some(&edge) = stack.last() {
                if ids.contains_key(&edge) {
                    stack.pop();
                    continue;
                }
                let node = self.node(edge);
                let (lo, hi) = R::children(edge, node);
                match (ids.get(&lo), ids.get(&hi)) {
                    (Some(&lo), Some(&hi)) => {
                        nodes.push(PlainNode { level: node.level, lo, hi });
                        ids.insert(edge, nodes.len() as Id - 1 + FIRST);
                        stack.pop();
                    }
                    (None, _) => stack.push(lo),
                    (_, None) => stack.push(hi),
                }
            }
        }
        let roots = roots.iter().map(|root| ids[root]).collect();
        Snapshot { nodes, roots, rule: R::RULE, num_levels: num_levels as u32 }
    }
}

/// A number whose operations return `None` on overflow.
trait MachineNumber: Clone + Zero + One + CheckedAdd + Into<BigUint> {
    /// Times two to the power of `shift`.
    fn shifted(&self, shift: u32) -> Option<Self>;
}

macro_rules! machine_number {
    ($($type:ty),*) => {$(
        impl MachineNumber for $type {
            fn shifted(&self, shift: u32) -> Option<Self> {
                (*self == 0 || shift <= self.leading_zeros()).then(|| self.checked_shl(shift).unwrap_or(0))
            }
        }
    )*};
}

machine_number!(u64, u128);

impl MachineNumber for BigUint {
    fn shifted(&self, shift: u32) -> Option<Self> {
        Some(self << shift)
    }
}

impl Snapshot {
    pub(crate) fn node(&self, id: Id) -> PlainNode {
        self.nodes[(id - FIRST) as usize]
    }

    pub(crate) fn level(&self, id: Id) -> u32 {
        if id < FIRST { self.num_levels } else { self.node(id).level }
    }

    /// Computes a value for each node, children before parents, from the values of the terminals.
    pub(crate) fn evaluate<T>(
        &self,
        zero: T,
        one: T,
        mut value: impl FnMut(&[T], PlainNode) -> T,
    ) -> Vec<T> {
        let mut values = Vec::with_capacity(self.nodes.len() + FIRST as usize);
        values.push(zero);
        values.push(one);
        for &node in &self.nodes {
            let value = value(&values, node);
            values.push(value);
        }
        values
    }

    /// The number of assignments, or of members, of the first root.
    pub(crate) fn count(&self) -> BigUint {
        self.sum(self.rule == Rule::AnyValue)
    }

    /// The number of paths from the first root to the 1-terminal.
    pub(crate) fn count_paths(&self) -> BigUint {
        self.sum(false)
    }

    /// Sums in the narrowest numbers that suffice. A failed attempt costs less than the next one.
    fn sum(&self, shift: bool) -> BigUint {
        self.count_in::<u64>(shift)
            .or_else(|| self.count_in::<u128>(shift))
            .or_else(|| self.count_in::<BigUint>(shift))
            .expect("a number without a width always fits")
    }

    /// Sums the counts of the children. With `shift`, each is doubled for every skipped level.
    fn count_in<N: MachineNumber>(&self, shift: bool) -> Option<BigUint> {
        let mut fits = true;
        let counts = self.evaluate(N::zero(), N::one(), |counts, node| {
            if !fits {
                return N::zero();
            }
            let below = |child: Id| {
                let count = &counts[child as usize];
                if shift && child != ZERO {
                    count.shifted(self.level(child) - node.level - 1)
                } else {
                    Some(count.clone())
                }
            };
            let sum = below(node.lo).and_then(|lo| lo.checked_add(&below(node.hi)?));
            fits = sum.is_some();
            sum.unwrap_or_else(N::zero)
        });
        let root = self.roots[0];
        let count = &counts[root as usize];
        let count =
            if shift && root != ZERO { count.shifted(self.level(root))? } else { count.clone() };
        fits.then(|| count.into())
    }
}

/// An iteration over all assignments, in lexicographic order of the levels.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotWalk {
    snapshot: Snapshot,
    /// The value of each level.
    values: Vec<bool>,
    /// The node of the current assignment at each level.
    places: Vec<Id>,
    started: bool,
    finished: bool,
}

impl SnapshotWalk {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        let levels = snapshot.num_levels as usize;
        SnapshotWalk {
            snapshot,
            values: vec![false; levels],
            places: vec![ZERO; levels],
            started: false,
            finished: false,
        }
    }

    /// The values of the levels in the next assignment.
    pub(crate) fn advance(&mut self) -> Option<&[bool]> {
        if self.finished {
            return None;
        }
        let found = if self.started {
            self.raise()
        } else {
            self.started = true;
            let root = self.snapshot.roots[0];
            root != ZERO && {
                self.complete(0, root);
                true
            }
        };
        self.finished = !found;
        found.then_some(&self.values)
    }

    fn child(&self, place: Id, level: usize, value: bool) -> Id {
        if self.snapshot.level(place) as usize == level {
            let node = self.snapshot.node(place);
            if value { node.hi } else { node.lo }
        } else if value && self.snapshot.rule == Rule::ZeroSuppressed {
            ZERO
        } else {
            place
        }
    }

    /// Gives the levels from `level` on their least values.
    fn complete(&mut self, level: usize, mut place: Id) {
        for level in level..self.values.len() {
            self.places[level] = place;
            let low = self.child(place, level, false);
            self.values[level] = low == ZERO;
            place = if low == ZERO { self.child(place, level, true) } else { low };
        }
    }

    /// Advances to the next greater assignment.
    fn raise(&mut self) -> bool {
        for level in (0..self.values.len()).rev() {
            if !self.values[level] {
                let high = self.child(self.places[level], level, true);
                if high != ZERO {
                    self.values[level] = true;
                    self.complete(level + 1, high);
                    return true;
                }
            }
        }
        false
    }
}

/// An iteration over all paths to the 1-terminal, the low child first.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotPaths {
    snapshot: Snapshot,
    /// The current path: each node, and whether the path continues to the high child.
    path: Vec<(Id, bool)>,
    started: bool,
}

impl SnapshotPaths {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        SnapshotPaths { snapshot, path: Vec::new(), started: false }
    }

    /// The levels and values on the next path.
    pub(crate) fn advance(&mut self) -> Option<impl Iterator<Item = (u32, bool)> + '_> {
        let found = if self.started {
            self.raise()
        } else {
            self.started = true;
            let root = self.snapshot.roots[0];
            self.complete(root);
            root != ZERO
        };
        found.then(|| self.path.iter().map(|&(id, high)| (self.snapshot.level(id), high)))
    }

    fn complete(&mut self, mut id: Id) {
        while id >= FIRST {
            let node = self.snapshot.node(id);
            let high = node.lo == ZERO;
            self.path.push((id, high));
            id = if high { node.hi } else { node.lo };
        }
    }

    fn raise(&mut self) -> bool {
        while let Some((id, high)) = self.path.pop() {
            let hi = self.snapshot.node(id).hi;
            if !high && hi != ZERO {
                self.path.push((id, true));
                self.complete(hi);
                return true;
            }
        }
        false
    }
}
