//! Paths between two vertices, vertex by vertex: a state is the head of the path, the goal, and the usable vertices.
//!
//! A vertex is usable if it is on a simple path from the head to the goal in the rest of the graph, and its distances to
//! both fit into the length that is left. Forced moves, of the head and of the goal, are made at once. States are processed by
//! descending number of usable vertices. Equal states merge, with their counts by length.

use super::RenumberedGraph;
use super::counts::{LengthCounts, Total};
use super::saved::{MethodBlocks, save_position};
use super::sweep::{Meter, PathRun, StateTable, Worker, sweep};
use num_bigint::BigUint;
use topdd::BuildError;
use topdd::frontier::BlockWriter;

/// A set of vertices.
type Bits<const W: usize> = [u64; W];

/// The upper half of the last word of a row has the head and the goal.
const ENDS: u32 = 32;

#[inline]
fn has<const W: usize>(set: &Bits<W>, vertex: usize) -> bool {
    set[vertex / 64] >> (vertex % 64) & 1 == 1
}

#[inline]
fn flip<const W: usize>(set: &mut Bits<W>, vertex: usize) {
    set[vertex / 64] ^= 1 << (vertex % 64);
}

fn set_of<const W: usize>(vertices: impl Iterator<Item = usize>) -> Bits<W> {
    let mut set = [0; W];
    vertices.for_each(|vertex| flip(&mut set, vertex));
    set
}

#[inline]
fn and<const W: usize>(a: &Bits<W>, b: &Bits<W>) -> Bits<W> {
    std::array::from_fn(|word| a[word] & b[word])
}

#[inline]
fn is_empty<const W: usize>(set: &Bits<W>) -> bool {
    set.iter().all(|&word| word == 0)
}

#[inline]
fn size<const W: usize>(set: &Bits<W>) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// The only vertex of a set, if it has one.
#[inline]
fn only<const W: usize>(set: &Bits<W>) -> Option<usize> {
    if size(set) == 1 { members(*set).next() } else { None }
}

/// The vertices of a set.
struct Members<const W: usize> {
    set: Bits<W>,
    /// The words before it are empty.
    word: usize,
}

#[inline]
fn members<const W: usize>(set: Bits<W>) -> Members<W> {
    Members { set, word: 0 }
}

impl<const W: usize> Iterator for Members<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while *self.set.get(self.word)? == 0 {
            self.word += 1;
        }
        let bits = &mut self.set[self.word];
        let bit = bits.trailing_zeros() as usize;
        *bits &= *bits - 1;
        Some(self.word * 64 + bit)
    }
}

/// The ends of the rest of a path, and the vertices inside that it may use. The rest has at least two edges: an edge from the
/// head to the goal is counted apart.
#[derive(Clone, Copy)]
struct Rest<const W: usize> {
    head: usize,
    goal: usize,
    usable: Bits<W>,
    /// The edges that forced moves have added.
    moved: usize,
    /// The least number of edges from the head to the goal.
    distance: usize,
}

impl<const W: usize> Rest<W> {
    fn row(&self) -> Bits<W> {
        let mut row = self.usable;
        row[W - 1] |= ((self.head as u64) << 16 | self.goal as u64) << ENDS;
        row
    }

    fn from_row(row: &Bits<W>) -> Self {
        let ends = (row[W - 1] >> ENDS) as usize;
        let mut usable = *row;
        usable[W - 1] &= (1 << ENDS) - 1;
        Rest { head: ends >> 16, goal: ends & 0xffff, usable, moved: 0, distance: 0 }
    }
}

/// The buffers for the steps of a state.
#[derive(Default)]
struct Scratch<const W: usize> {
    /// The vertices within each distance of the goal.
    balls: Vec<Bits<W>>,
    blocks: BlockSearch<W>,
    /// The lengths, in edges, at which forced moves complete the path.
    complete: Vec<usize>,
}

/// A depth-first search for the vertices on simple paths.
#[derive(Default)]
struct BlockSearch<const W: usize> {
    /// By vertex, the time at which it was found.
    found: Vec<u16>,
    order: Vec<u16>,
    /// The vertices of the current path, with the least time that their subtrees reach.
    path: Vec<(usize, u16)>,
}

/// If at most this many edges are left, paths to the goal are counted directly, without further states.
const CLOSE: usize = 4;

/// Usable vertices per unit of work, such that both methods have their shares of the time on graphs of 300 to 1000 vertices.
const VERTICES_PER_UNIT: usize = 4;

/// The number of vertices that states of `W` words have room for.
const fn room(words: usize) -> usize {
    64 * words - ENDS as usize
}

/// A count of the paths from some vertices to another one, in a graph of at most 2016 vertices. Returns `None` for larger graphs.
pub(super) fn run<'m>(
    graph: &RenumberedGraph,
    starts: &[usize],
    goal: usize,
    meter: &'m Meter,
) -> Option<Result<Box<dyn PathRun + 'm>, BuildError>> {
    macro_rules! by_words {
        ($($words:literal)*) => {
            match graph.neighbours.len() {
                $(size if size <= room($words) => {
                    let run = HeadsRun::<$words>::new(graph, starts, goal, meter);
                    Some(run.map(|run| -> Box<dyn PathRun> { Box::new(run) }))
                })*
                _ => None,
            }
        };
    }
    by_words!(1 2 3 4 5 6 8 10 16 32)
}

/// A count in progress.
struct HeadsRun<'m, const W: usize> {
    heads: Heads<W>,
    /// The states that were not expanded, by number of usable vertices.
    levels: Vec<StateTable<'m, W>>,
    total: Total,
}

impl<'m, const W: usize> HeadsRun<'m, W> {
    fn new(
        graph: &RenumberedGraph,
        starts: &[usize],
        goal: usize,
        meter: &'m Meter,
    ) -> Result<Self, BuildError> {
        let heads = Heads::new(graph);
        let vertices = heads.adjacent.len();
        let level = |_| StateTable::new(meter, heads.stride);
        let levels: Vec<StateTable<'m, W>> = (0..vertices).map(level).collect();
        let mut worker = Worker::new(meter, heads.scratch());
        for &head in starts {
            let mut usable = [0; W];
            let others = (0..vertices).filter(|vertex| ![head, goal].contains(vertex));
            others.for_each(|vertex| flip(&mut usable, vertex));
            let start = Rest { head, goal, usable, moved: 0, distance: 0 };
            if !worker.is_stopped() {
                heads.follow(start, LengthCounts::one(heads.stride), 1, &levels, &mut worker);
            }
        }
        Ok(Self { heads, levels, total: worker.finish()? })
    }
}

impl<const W: usize> PathRun for HeadsRun<'_, W> {
    fn advance(&mut self) -> Result<Option<BigUint>, BuildError> {
        let Some(level) = self.levels.pop() else { return Ok(Some(self.total.value())) };
        let (heads, levels) = (&self.heads, &self.levels);
        let expand =
            |worker: &mut Worker<'_, Scratch<W>>, row: &Bits<W>, counts: LengthCounts<'_>| {
                heads.expand(Rest::from_row(row), counts, levels, worker);
            };
        self.total.merge(&sweep(&level, || heads.scratch(), expand)?);
        Ok(None)
    }

    fn passed(&self) -> usize {
        self.levels() - self.levels.len()
    }

    fn levels(&self) -> usize {
        self.heads.adjacent.len()
    }

    fn bytes(&self) -> usize {
        self.levels.iter().map(StateTable::bytes).sum()
    }

    fn save(&self, blocks: &mut BlockWriter) -> Result<usize, BuildError> {
        let first = save_position(blocks, self.levels.len(), &self.total)?;
        self.levels.iter().try_fold(first, |_, level| level.save(blocks))
    }

    fn restore(&mut self, blocks: &mut MethodBlocks<'_>) -> Result<(), BuildError> {
        let left;
        (left, self.total) = blocks.read_position(self.levels.len())?;
        self.levels.truncate(left);
        for level in &mut self.levels {
            *level = level.restored(blocks)?;
        }
        Ok(())
    }
}

struct Heads<const W: usize> {
    adjacent: Vec<Bits<W>>,
    /// By vertex, earlier ones with two or more neighbours in common: they may become its twins, with the same usable neighbours.
    alike: Vec<Bits<W>>,
    length: usize,
    /// 2 if the ends are fixed and no cycle has odd length, else 1.
    stride: usize,
}

impl<const W: usize> Heads<W> {
    fn new(graph: &RenumberedGraph) -> Self {
        let neighbours = graph.neighbours.iter();
        let adjacent: Vec<Bits<W>> =
            neighbours.map(|others| set_of(others.iter().copied())).collect();
        let alike = |vertex: usize| {
            let common = |&other: &usize| size(&and(&adjacent[vertex], &adjacent[other])) > 1;
            set_of((0..vertex).filter(common))
        };
        let alike = (0..adjacent.len()).map(alike).collect();
        Self { adjacent, alike, length: graph.length, stride: graph.stride }
    }

    fn scratch(&self) -> Scratch<W> {
        let blocks = BlockSearch { found: vec![0; self.adjacent.len()], ..BlockSearch::default() };
        Scratch { blocks, ..Scratch::default() }
    }

    /// Adds the states after one move of the head.
    fn expand(
        &self,
        state: Rest<W>,
        counts: LengthCounts<'_>,
        levels: &[StateTable<'_, W>],
        worker: &mut Worker<'_, Scratch<W>>,
    ) {
        let Some(counts) = counts.longer(1, self.length) else { return };
        let mut inside = state.usable;
        flip(&mut inside, state.goal);
        let mut heads = and(&self.adjacent[state.head], &state.usable);
        while let Some(head) = members(heads).next() {
            if worker.is_stopped() {
                return;
            }
            flip(&mut heads, head);
            // Heads that may be exchanged lead to as many paths.
            let mut times = 1;
            for other in members(heads) {
                let mut others = inside;
                flip(&mut others, head);
                flip(&mut others, other);
                if self.are_alike(head, other, &others) {
                    flip(&mut heads, other);
                    times += 1;
                }
            }
            let mut rest = Rest { head, ..state };
            flip(&mut rest.usable, head);
            if self.length - counts.low <= CLOSE {
                let degree = size(&and(&self.adjacent[head], &rest.usable));
                worker.spend(1 + (degree * degree / 16) as u64);
                for (edges, paths) in (1..).zip(self.ways_of(&rest)) {
                    if let Some(counts) = counts.longer(edges, self.length) {
                        worker.total.add(counts, paths as u64 * times);
                    }
                }
            } else {
                self.follow(rest, counts, times, levels, worker);
            }
        }
    }

    /// The numbers of paths of 1, 2, .. edges from the head to the goal.
    fn ways_of(&self, rest: &Rest<W>) -> [usize; CLOSE] {
        let [from_head, to_goal] =
            [rest.head, rest.goal].map(|end| and(&self.adjacent[end], &rest.usable));
        let mut ways = [0; CLOSE];
        ways[0] = has(&self.adjacent[rest.head], rest.goal).into();
        ways[1] = size(&and(&from_head, &to_goal));
        for first in members(from_head) {
            let next = and(&self.adjacent[first], &rest.usable);
            ways[2] += size(&and(&next, &to_goal));
            // The last vertex is not the first one.
            let back = usize::from(has(&to_goal, first));
            for second in members(next) {
                ways[3] += size(&and(&self.adjacent[second], &to_goal)) - back;
            }
        }
        ways
    }

    /// Whether two vertices have the same neighbours in a set.
    #[inline]
    fn are_alike(&self, a: usize, b: usize, set: &Bits<W>) -> bool {
        let [a, b] = [a, b].map(|vertex| &self.adjacent[vertex]);
        (0..W).all(|word| (a[word] ^ b[word]) & set[word] == 0)
    }

    /// Adds the paths that forced moves complete, and the state after the moves, `times` times.
    fn follow(
        &self,
        mut rest: Rest<W>,
        counts: LengthCounts<'_>,
        times: u64,
        levels: &[StateTable<'_, W>],
        worker: &mut Worker<'_, Scratch<W>>,
    ) {
        let leads_on = self.settle(&mut rest, self.length - counts.low, &mut worker.scratch);
        worker.spend(1 + (size(&rest.usable) / VERTICES_PER_UNIT) as u64);
        for &edges in &worker.scratch.complete {
            if let Some(counts) = counts.longer(edges, self.length) {
                worker.total.add(counts, times);
            }
        }
        if leads_on && let Some(counts) = counts.longer(rest.moved, self.length - rest.distance) {
            self.rename(&mut rest);
            let usable = size(&rest.usable);
            // No rest is longer than the usable vertices allow, so shorter lengths need not be told apart.
            let least = self.length.saturating_sub(usable + 1);
            let row = rest.row();
            levels[usable].add(&row, counts, times, least);
        }
    }

    /// Replaces vertices by earlier twins that are no longer usable, so that more states are equal.
    fn rename(&self, rest: &mut Rest<W>) {
        let mut inside = rest.usable;
        flip(&mut inside, rest.head);
        flip(&mut inside, rest.goal);
        let mut gone = not(&rest.usable);
        flip(&mut gone, rest.head);
        flip(&mut gone, rest.goal);
        for vertex in members(rest.usable) {
            let earlier = and(&self.alike[vertex], &gone);
            if is_empty(&earlier) {
                continue;
            }
            let mut others = inside;
            flip(&mut others, vertex);
            let same = |&other: &usize| self.are_alike(vertex, other, &others);
            if let Some(other) = members(earlier).find(same) {
                for set in [&mut rest.usable, &mut gone] {
                    flip(set, vertex);
                    flip(set, other);
                }
                inside = others;
                flip(&mut inside, other);
            }
        }
        for end in [&mut rest.head, &mut rest.goal] {
            let same = |&other: &usize| self.are_alike(*end, other, &rest.usable);
            if let Some(other) = members(and(&self.alike[*end], &gone)).find(same) {
                flip(&mut gone, *end);
                flip(&mut gone, other);
                *end = other;
            }
        }
    }

    /// Makes forced moves, and removes vertices that are on no path of at most `budget` edges. Returns whether the
    /// path may go on. The lengths at which the moves complete it are in [`Scratch::complete`].
    fn settle(&self, rest: &mut Rest<W>, budget: usize, scratch: &mut Scratch<W>) -> bool {
        scratch.complete.clear();
        loop {
            if rest.moved >= budget {
                return false;
            }
            if has(&self.adjacent[rest.head], rest.goal) {
                scratch.complete.push(rest.moved + 1);
            }
            let next = loop {
                if !self.keep_near(rest, budget - rest.moved, &mut scratch.balls) {
                    return false;
                }
                let [head, goal] =
                    [rest.head, rest.goal].map(|end| only(&and(&self.adjacent[end], &rest.usable)));
                if let Some(next) = head {
                    rest.head = next;
                    break next;
                }
                if let Some(next) = goal {
                    rest.goal = next;
                    break next;
                }
                let before = rest.usable;
                self.keep_block(rest, &mut scratch.blocks);
                if rest.usable == before {
                    return true;
                }
            };
            flip(&mut rest.usable, next);
            rest.moved += 1;
        }
    }

    /// Keeps the vertices whose distances to head and goal fit into the budget. Returns whether there are any.
    #[inline]
    fn keep_near(&self, rest: &mut Rest<W>, budget: usize, balls: &mut Vec<Bits<W>>) -> bool {
        balls.clear();
        balls.push([0; W]);
        let mut edge = and(&self.adjacent[rest.goal], &rest.usable);
        let mut ball = edge;
        let near = ball;
        while balls.len() < budget && !is_empty(&edge) {
            balls.push(ball);
            edge = self.next(&edge, &rest.usable, &ball);
            (0..W).for_each(|word| ball[word] |= edge[word]);
        }
        let within = |edges: usize| &balls[edges.min(balls.len() - 1)];
        let mut kept = [0; W];
        let mut edge = and(&self.adjacent[rest.head], &and(&rest.usable, within(budget - 1)));
        let mut steps = 1;
        rest.distance = 0;
        while !is_empty(&edge) {
            if rest.distance == 0 && !is_empty(&and(&edge, &near)) {
                rest.distance = steps + 1;
            }
            (0..W).for_each(|word| kept[word] |= edge[word]);
            steps += 1;
            if steps >= budget {
                break;
            }
            edge = self.next(&edge, &and(&rest.usable, within(budget - steps)), &kept);
        }
        rest.usable = kept;
        rest.distance > 0
    }

    /// The neighbours of a set among the usable vertices that were not seen.
    #[inline]
    fn next(&self, edge: &Bits<W>, usable: &Bits<W>, seen: &Bits<W>) -> Bits<W> {
        let mut next = [0; W];
        for vertex in members(*edge) {
            let adjacent = &self.adjacent[vertex];
            (0..W).for_each(|word| next[word] |= adjacent[word]);
        }
        std::array::from_fn(|word| next[word] & usable[word] & !seen[word])
    }

    /// Keeps the vertices on simple paths from head to goal: with an edge between head and goal, these vertices are one block.
    fn keep_block(&self, rest: &mut Rest<W>, search: &mut BlockSearch<W>) {
        let mut unseen = rest.usable;
        flip(&mut unseen, rest.head);
        let mut inside = rest.usable;
        flip(&mut inside, rest.head);
        search.order.clear();
        search.order.push(rest.goal as u16);
        search.found[rest.goal] = 0;
        search.path.clear();
        search.path.push((rest.goal, 0));
        flip(&mut inside, rest.goal);
        let mut kept = rest.usable;
        while let Some(&(vertex, low)) = search.path.last() {
            let mut next = and(&self.adjacent[vertex], &unseen);
            if vertex == rest.goal && has(&next, rest.head) {
                // The edge between the ends is the last one.
                flip(&mut next, rest.head);
            }
            if let Some(other) = members(next).next() {
                flip(&mut unseen, other);
                search.found[other] = search.order.len() as u16;
                search.order.push(other as u16);
                let mut low = search.found[other];
                if other == rest.head {
                    low = 0;
                } else {
                    // Vertices that are found later have later times.
                    for back in members(and(&and(&self.adjacent[other], &inside), &not(&unseen))) {
                        if back != vertex {
                            low = low.min(search.found[back]);
                        }
                    }
                }
                search.path.push((other, low));
                continue;
            }
            search.path.pop();
            let Some((parent, parent_low)) = search.path.last_mut() else { break };
            let from = usize::from(search.found[vertex]);
            let subtree = &search.order[from..];
            let cut = if *parent == rest.goal {
                !subtree.contains(&(rest.head as u16))
            } else {
                low >= search.found[*parent]
            };
            *parent_low = (*parent_low).min(low);
            if cut {
                for &hanging in subtree {
                    kept[usize::from(hanging) / 64] &= !(1 << (hanging % 64));
                }
            }
        }
        rest.usable = kept;
    }
}

fn not<const W: usize>(set: &Bits<W>) -> Bits<W> {
    set.map(|word| !word)
}
