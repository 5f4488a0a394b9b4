//! Reduction: from the engine's edges to the canonical diagram, level by level from the
//! bottom (Bryant, "Graph-based algorithms for Boolean function manipulation", 1986;
//! under the zero-suppressed rule Minato, "Zero-suppressed BDDs for set manipulation in
//! combinatorial problems", 1993; both carried over to many values).
//!
//! Where the edges of a level lead is known once everything below is reduced. A node
//! that is redundant under the rule is replaced by what it stands for, equal nodes become
//! one, and those that remain are sorted by their children. As these have their final
//! numbers already, so has the level then: the result depends on the family alone.

use super::store::{Edge, FIRST_NODE, MAX_NODES, NodeId, ONE, Store, ZERO};
use crate::Error;
use crate::frontier::Monitor;
use crate::frontier::unreduced::{ShapeReader, Target, Unreduced, UnreducedLevel};
use crate::spec::Rule;
use ahash::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::collections::HashMap;

/// Reduces what a sweep left, freeing it level by level.
pub(crate) fn reduce(
    unreduced: Unreduced,
    rule: Rule,
    monitor: &mut Monitor<'_, '_>,
) -> Result<Store, Error> {
    let Unreduced { arities, mut levels, root_is_one } = unreduced;
    let root = if root_is_one { ONE } else { ZERO };
    let mut store = Store::new(arities, root);
    let mut waiting_bytes: usize = levels.iter().map(UnreducedLevel::bytes).sum();
    let mut known = Known::default();
    let mut pairs = PairTable::default();
    let mut runs = RunTable::default();
    while let Some(level) = levels.pop() {
        let variable = level.variable;
        monitor.watch.check(Some(variable))?;
        waiting_bytes -= level.bytes();
        let arity = store.arities.get(variable);
        let base = store.next_id();
        let mut map = if arity == 2 {
            pairs.read(&level, &known, rule, base)?
        } else {
            runs.read(&level, &known, rule, base, arity)?
        };
        check_edges(store.edge_count() + runs.edges.len())?;
        let rank = if arity == 2 {
            pairs.flush(&mut store, variable)
        } else {
            runs.flush(&mut store, variable)
        };
        for id in &mut map {
            if *id >= base {
                *id = base + rank[(*id - base) as usize];
            }
        }
        let bytes = waiting_bytes + store.bytes() + known.bytes() + map.capacity() * 4;
        monitor.check_size(Some(variable), bytes, 0)?;
        if levels.is_empty() {
            store.root = map[0];
        }
        known.level_done(level, map);
    }
    store.shrink_to_fit();
    monitor.reduced(store.node_count());
    Ok(store)
}

/// Edges of multi-valued nodes are numbered in 32 bits, too.
fn check_edges(edges: usize) -> Result<(), Error> {
    let limit = u64::from(u32::MAX);
    if edges as u64 > limit {
        let unit = "edges of multi-valued nodes";
        return Err(Error::TooLarge { what: "the diagram", unit, limit });
    }
    Ok(())
}

/// What the reduced levels below have become, for those above to look up.
#[derive(Default)]
struct Known {
    near_variable: usize,
    /// By number of a state at `near_variable`.
    near: Vec<NodeId>,
    /// For levels that edges skip variables to: by partition and order of arrival.
    far: HashMap<usize, Vec<Vec<NodeId>>>,
    far_bytes: usize,
    /// Which of `far` nothing above the key refers to.
    far_done: HashMap<usize, Vec<usize>>,
}

impl Known {
    /// A reader of the edges of `level`, in order.
    fn targets(&self, level: &UnreducedLevel) -> Targets<'_> {
        debug_assert!(self.near.is_empty() || self.near_variable > level.variable);
        let far = level.far.iter().map(|far| {
            let arrivals = &self.far[&far.variable];
            arrivals.iter().zip(&far.starts).map(|(ids, &start)| ids[start as usize..].iter())
        });
        Targets { near: &self.near, far: far.map(Iterator::collect).collect() }
    }

    /// Takes note of a level, whose states became `map`, and forgets what was kept for it.
    fn level_done(&mut self, level: UnreducedLevel, map: Vec<NodeId>) {
        for done in self.far_done.remove(&level.variable).unwrap_or_default() {
            let forgotten = self.far.remove(&done).unwrap_or_default();
            self.far_bytes -= arrival_bytes(&forgotten);
        }
        if let Some(first) = level.first_far {
            let mut arrivals = level.far_arrivals;
            for number in arrivals.iter_mut().flatten() {
                *number = map[*number as usize];
            }
            self.far_bytes += arrival_bytes(&arrivals);
            self.far.insert(level.variable, arrivals);
            self.far_done.entry(first).or_default().push(level.variable);
        }
        self.near_variable = level.variable;
        self.near = map;
    }

    fn bytes(&self) -> usize {
        self.near.capacity() * 4 + self.far_bytes
    }
}

/// Tells where the edges of a level lead, one after the other.
struct Targets<'a> {
    near: &'a [NodeId],
    /// By level and partition, what is still to arrive there.
    far: Vec<Vec<std::slice::Iter<'a, NodeId>>>,
}

impl Targets<'_> {
    #[inline]
    fn resolve(&mut self, code: u32) -> NodeId {
        match Target::decode(code) {
            Target::One => ONE,
            Target::Near(number) => self.near[number as usize],
            Target::Far { entry, partition } => {
                let arrival = self.far[entry as usize][partition as usize].next();
                *arrival.expect("every far edge has arrived")
            }
        }
    }
}

fn arrival_bytes(arrivals: &[Vec<NodeId>]) -> usize {
    arrivals.iter().map(|partition| partition.capacity() * 4).sum()
}

/// The hash of node contents; constant keys, so that every run is the same.
fn hasher() -> RandomState {
    RandomState::with_seeds(1, 2, 3, 4)
}

/// The distinct two-valued nodes of a level.
struct PairTable {
    keys: Vec<[NodeId; 2]>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl Default for PairTable {
    fn default() -> Self {
        PairTable { keys: Vec::new(), table: HashTable::new(), hasher: hasher() }
    }
}

impl PairTable {
    /// Reads a level: what each of its states becomes, with the distinct nodes numbered
    /// from `base` in order of appearance.
    fn read(
        &mut self,
        level: &UnreducedLevel,
        known: &Known,
        rule: Rule,
        base: NodeId,
    ) -> Result<Vec<NodeId>, Error> {
        let mut map = Vec::with_capacity(level.nodes as usize);
        let mut targets = known.targets(level);
        for chunk in &level.chunks {
            let mut shapes = ShapeReader::new(2, &chunk.shape);
            let mut codes = chunk.codes.iter();
            for _ in 0..chunk.nodes {
                let mut node = [ZERO; 2];
                shapes.next_node(|value| {
                    let code = *codes.next().expect("a code for every edge");
                    node[value as usize] = targets.resolve(code);
                });
                let redundant = match rule {
                    Rule::ZeroSuppressed => node[1] == ZERO,
                    Rule::AnyValue => node[0] == node[1],
                };
                map.push(if redundant { node[0] } else { self.number(node, base)? });
            }
        }
        Ok(map)
    }

    #[inline]
    fn number(&mut self, node: [NodeId; 2], base: NodeId) -> Result<NodeId, Error> {
        let hash = self.hasher.hash_one(node);
        let keys = &self.keys;
        let entry = self.table.entry(
            hash,
            |&i| keys[i as usize] == node,
            |&i| self.hasher.hash_one(keys[i as usize]),
        );
        match entry {
            Entry::Occupied(found) => Ok(base + *found.get()),
            Entry::Vacant(place) => {
                let number = new_number(keys.len(), base)?;
                place.insert(number);
                self.keys.push(node);
                Ok(base + number)
            }
        }
    }

    /// Appends the nodes to the store in their canonical order and answers the rank of
    /// each. Leaves the table empty.
    fn flush(&mut self, store: &mut Store, variable: usize) -> Vec<u32> {
        let mut order: Vec<([NodeId; 2], u32)> = self.keys.drain(..).zip(0..).collect();
        self.table.clear();
        order.sort_unstable();
        let rank = rank_of(order.iter().map(|&(_, number)| number));
        store.push_pairs(variable, order.iter().map(|&(node, _)| node));
        rank
    }
}

/// The distinct multi-valued nodes of a level.
struct RunTable {
    edges: Vec<Edge>,
    /// Where each node's edges start, and at the end where they stop.
    starts: Vec<usize>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl Default for RunTable {
    fn default() -> Self {
        RunTable { edges: Vec::new(), starts: vec![0], table: HashTable::new(), hasher: hasher() }
    }
}

impl RunTable {
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// As [`PairTable::read`].
    fn read(
        &mut self,
        level: &UnreducedLevel,
        known: &Known,
        rule: Rule,
        base: NodeId,
        arity: usize,
    ) -> Result<Vec<NodeId>, Error> {
        let mut map = Vec::with_capacity(level.nodes as usize);
        let mut targets = known.targets(level);
        for chunk in &level.chunks {
            let mut shapes = ShapeReader::new(arity, &chunk.shape);
            let mut codes = chunk.codes.iter();
            for _ in 0..chunk.nodes {
                // The node is written at the end of those there are, and stays if it is new.
                let start = self.edges.len();
                shapes.next_node(|value| {
                    let code = *codes.next().expect("a code for every edge");
                    let target = targets.resolve(code);
                    if target != ZERO {
                        self.edges.push(Edge { value, target });
                    }
                });
                let node = &self.edges[start..];
                let stands_for = match (rule, node) {
                    (_, []) => Some(ZERO),
                    (Rule::ZeroSuppressed, [Edge { value: 0, target }]) => Some(*target),
                    (Rule::AnyValue, [first, rest @ ..])
                        if node.len() == arity
                            && rest.iter().all(|edge| edge.target == first.target) =>
                    {
                        Some(first.target)
                    }
                    _ => None,
                };
                map.push(match stands_for {
                    Some(id) => {
                        self.edges.truncate(start);
                        id
                    }
                    None => self.number(start, base)?,
                });
            }
        }
        Ok(map)
    }

    /// The number of the node written at `start`.
    fn number(&mut self, start: usize, base: NodeId) -> Result<NodeId, Error> {
        let RunTable { edges, starts, table, hasher } = self;
        let node = &edges[start..];
        let run = |i: u32| &edges[starts[i as usize]..starts[i as usize + 1]];
        let entry =
            table.entry(hasher.hash_one(node), |&i| run(i) == node, |&i| hasher.hash_one(run(i)));
        match entry {
            Entry::Occupied(found) => {
                let number = *found.get();
                edges.truncate(start);
                Ok(base + number)
            }
            Entry::Vacant(place) => {
                let number = new_number(starts.len() - 1, base)?;
                place.insert(number);
                starts.push(edges.len());
                Ok(base + number)
            }
        }
    }

    /// As [`PairTable::flush`].
    fn flush(&mut self, store: &mut Store, variable: usize) -> Vec<u32> {
        let run = |i: u32| &self.edges[self.starts[i as usize]..self.starts[i as usize + 1]];
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| run(a).cmp(run(b)));
        let rank = rank_of(order.iter().copied());
        store.push_sparse(variable, order.iter().map(|&number| run(number)));
        self.edges.clear();
        self.starts.truncate(1);
        self.table.clear();
        rank
    }
}

/// The number of a new node of a level, where `there` were before it.
fn new_number(there: usize, base: NodeId) -> Result<u32, Error> {
    if there as u64 + u64::from(base - FIRST_NODE) >= MAX_NODES {
        return Err(Error::TooLarge { what: "the diagram", unit: "nodes", limit: MAX_NODES });
    }
    Ok(there as u32)
}

/// The inverse of a permutation.
fn rank_of(order: impl ExactSizeIterator<Item = u32>) -> Vec<u32> {
    let mut rank = vec![0; order.len()];
    for (number, position) in order.zip(0..) {
        rank[number as usize] = position;
    }
    rank
}
