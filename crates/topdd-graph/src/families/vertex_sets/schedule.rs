//! The vertex frontier: which decided vertices the state keeps, and where.

use crate::Graph;

/// The course of a sweep over the vertices of a graph, in an order. Variable `i` is the `i`-th vertex.
///
/// A decided vertex is on the frontier, in a slot, until all its neighbours are decided. A slot is
/// used again.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// The slots of the neighbours decided before each vertex, one list after the other.
    earlier: Lists,
    /// The slots of those among them that leave the frontier.
    leaving: Lists,
    /// The slot of each vertex; `None` if all its neighbours are decided before it.
    slots: Vec<Option<u32>>,
    /// Whether each vertex has a loop.
    loops: Vec<bool>,
    num_slots: usize,
}

/// Lists of slots in one allocation.
#[derive(Clone, Debug, Default)]
struct Lists {
    items: Vec<u32>,
    ends: Vec<usize>,
}

impl Lists {
    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    #[inline]
    fn get(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[index]]
    }
}

impl Schedule {
    /// Linear in the size of the graph, other than sorting the neighbours of each vertex.
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        let ranks = crate::order::inverse(order);
        let mut schedule = Self {
            earlier: Lists::default(),
            leaving: Lists::default(),
            slots: vec![None; order.len()],
            loops: vec![false; order.len()],
            num_slots: 0,
        };
        let mut free: Vec<u32> = Vec::new();
        let last: Vec<usize> = order
            .iter()
            .map(|&vertex| neighbour_ranks(graph, &ranks, vertex).max().unwrap_or(0))
            .collect();
        for (rank, &vertex) in order.iter().enumerate() {
            let mut ends: Vec<usize> =
                neighbour_ranks(graph, &ranks, vertex).filter(|&other| other < rank).collect();
            ends.sort_unstable();
            ends.dedup();
            let slot = |other: &usize| schedule.slots[*other].expect("it has a later neighbour");
            let leaving: Vec<u32> =
                ends.iter().filter(|&&other| last[other] == rank).map(slot).collect();
            schedule.earlier.push(ends.iter().map(slot));
            free.extend(&leaving);
            schedule.leaving.push(leaving);
            schedule.loops[rank] =
                neighbour_ranks(graph, &ranks, vertex).any(|other| other == rank);
            if last[rank] > rank {
                let slot = free.pop().unwrap_or_else(|| {
                    schedule.num_slots += 1;
                    schedule.num_slots as u32 - 1
                });
                schedule.slots[rank] = Some(slot);
            }
        }
        schedule
    }

    pub(super) fn num_vertices(&self) -> usize {
        self.slots.len()
    }

    /// The largest number of vertices on the frontier.
    pub(super) fn num_slots(&self) -> usize {
        self.num_slots
    }

    /// The slots of the earlier neighbours of the vertex of a variable.
    #[inline]
    pub(super) fn earlier(&self, variable: usize) -> &[u32] {
        self.earlier.get(variable)
    }

    /// The slots that are given up when the vertex of a variable is decided, before it gets its own.
    #[inline]
    pub(super) fn leaving(&self, variable: usize) -> &[u32] {
        self.leaving.get(variable)
    }

    #[inline]
    pub(super) fn slot(&self, variable: usize) -> Option<usize> {
        self.slots[variable].map(|slot| slot as usize)
    }

    #[inline]
    pub(super) fn has_loop(&self, variable: usize) -> bool {
        self.loops[variable]
    }
}

/// The ranks of the neighbours of a vertex; itself if it has a loop.
fn neighbour_ranks<'a>(
    graph: &'a Graph,
    ranks: &'a [usize],
    vertex: usize,
) -> impl Iterator<Item = usize> + 'a {
    graph.neighbours(vertex).map(|other| ranks[other])
}
