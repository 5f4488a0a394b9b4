//! The steps of `mates`: the vertices in their order, with what each step changes on the frontier.

use crate::Graph;

/// A vertex that no further edge may touch, or the absence of one.
pub(super) const USED: u8 = 0;
/// A vertex without a chosen edge.
pub(super) const FREE: u8 = 1;
/// The open end of a piece whose other end is an end of the path.
pub(super) const FIXED: u8 = 2;
/// The open end of a piece whose other end is in the slot `mate - MATE`.
pub(super) const MATE: u8 = 3;

/// The largest distance that is stored. Longer ones are stored as this one.
pub(super) const LONG: u8 = 254;
/// The distance of vertices that no path joins.
pub(super) const APART: u8 = 255;

/// The values of the vertices of the frontier, in `L` slots.
pub(super) type Slots<const L: usize> = [u8; L];

/// The ends and the bound of the paths.
#[derive(Clone, Copy)]
pub(super) struct MateTask {
    pub(super) ends: Option<(usize, usize)>,
    pub(super) length: usize,
    /// 2 if the ends are fixed and the graph is bipartite, else 1.
    pub(super) stride: usize,
}

/// One vertex of the sweep, with its edges to earlier vertices.
pub(super) struct MateStep<const L: usize> {
    /// The slot of the vertex.
    pub(super) slot: usize,
    /// Its value before an edge is chosen.
    pub(super) value: u8,
    /// The slots of the other ends of its edges.
    pub(super) others: Vec<usize>,
    /// The slots of vertices that leave.
    pub(super) leaving: Vec<usize>,
    /// The slots in use after the step.
    in_use: Vec<usize>,
    /// By slot in use, the distances to the others through later edges, and [`APART`] to itself.
    pub(super) distances: Vec<[u8; L]>,
    /// The distances from the fixed ends that have not entered.
    pub(super) ahead: Vec<[u8; L]>,
    /// The distance between the two fixed ends, if neither has entered.
    pub(super) ahead_distance: u8,
    /// The vertices that have not entered.
    pub(super) later: usize,
    /// The slots in use whose vertices have one later edge, if the path cannot end there: bits.
    pub(super) last_edge: u64,
    /// The slots in use, by groups of twins.
    groups: Vec<Vec<usize>>,
    /// By slot, its group. A slot that is not in use has a group of its own.
    group_of: Vec<usize>,
}

/// The most vertices on the frontier within a step.
pub(super) fn width(graph: &Graph, order: &[usize]) -> usize {
    Frontier::of_all(graph, &entering_order(graph, order)).slots.len()
}

/// The vertices with edges, in the order of their first edges.
pub(super) fn entering_order(graph: &Graph, order: &[usize]) -> Vec<usize> {
    let mut is_new = vec![true; graph.num_vertices()];
    let edges = order.iter().map(|&edge| graph.edges()[edge]);
    let ends = edges.flat_map(|(a, b)| [a, b]);
    ends.filter(|&vertex| std::mem::take(&mut is_new[vertex])).collect()
}

/// The vertices on the frontier, as steps pass.
pub(super) struct Frontier {
    /// The vertex in each slot.
    pub(super) slots: Vec<Option<usize>>,
    /// By vertex, the other ends of later edges.
    later: Vec<Vec<usize>>,
    has_entered: Vec<bool>,
    /// The vertices that have not entered.
    num_later: usize,
}

/// The slots that a step changes.
pub(super) struct FrontierMove {
    slot: usize,
    others: Vec<usize>,
    leaving: Vec<usize>,
}

impl Frontier {
    pub(super) fn new(graph: &Graph) -> Self {
        let vertices = graph.num_vertices();
        let later: Vec<Vec<usize>> =
            (0..vertices).map(|vertex| graph.neighbours(vertex).collect()).collect();
        let num_later = later.iter().filter(|others| !others.is_empty()).count();
        Self { slots: Vec::new(), later, has_entered: vec![false; vertices], num_later }
    }

    /// The frontier after all steps, with a slot for each vertex that was on it at once.
    pub(super) fn of_all(graph: &Graph, vertices: &[usize]) -> Self {
        let mut frontier = Self::new(graph);
        for &vertex in vertices {
            frontier.pass(vertex);
        }
        frontier
    }

    /// Enters a vertex, with its edges to those that have entered.
    pub(super) fn pass(&mut self, vertex: usize) -> FrontierMove {
        self.has_entered[vertex] = true;
        self.num_later -= 1;
        let slot = self.slots.iter().position(Option::is_none).unwrap_or(self.slots.len());
        self.slots.resize(self.slots.len().max(slot + 1), None);
        self.slots[slot] = Some(vertex);
        let mut others = Vec::new();
        for (other_slot, other) in self.in_use().collect::<Vec<_>>() {
            let before = self.later[other].len();
            self.later[other].retain(|&later| later != vertex);
            others.extend(vec![other_slot; before - self.later[other].len()]);
        }
        let has_entered = &self.has_entered;
        self.later[vertex].retain(|&other| !has_entered[other]);
        let mut leaving = Vec::new();
        for (slot, vertex) in self.slots.iter_mut().enumerate() {
            if vertex.is_some_and(|vertex| self.later[vertex].is_empty()) {
                leaving.push(slot);
                *vertex = None;
            }
        }
        FrontierMove { slot, others, leaving }
    }

    /// The slots in use with their vertices.
    fn in_use(&self) -> impl Iterator<Item = (usize, usize)> {
        self.slots.iter().enumerate().filter_map(|(slot, vertex)| Some((slot, (*vertex)?)))
    }

    /// By vertex, the distance from one of them, or [`APART`] if it is more than `most`.
    fn distances(&self, start: usize, most: usize) -> Vec<u8> {
        let mut distance = vec![APART; self.later.len()];
        distance[start] = 0;
        let mut order = vec![start];
        let mut at = 0;
        while let Some(&vertex) = order.get(at) {
            at += 1;
            if usize::from(distance[vertex]) == most {
                break;
            }
            for &other in &self.later[vertex] {
                if distance[other] == APART {
                    distance[other] = (distance[vertex] + 1).min(LONG);
                    order.push(other);
                }
            }
        }
        distance
    }

    /// The distances from a vertex to the others in the slots.
    fn row<const L: usize>(&self, vertex: usize, distances: &[u8]) -> [u8; L] {
        let mut row = [APART; L];
        for (slot, other) in self.in_use().filter(|&(_, other)| other != vertex) {
            row[slot] = distances[other];
        }
        row
    }

    /// The slots in use, in groups of twins.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for (slot, vertex) in self.in_use() {
            let mut others = self.later[vertex].clone();
            others.sort_unstable();
            match groups.iter_mut().find(|group| group.0 == others) {
                Some(group) => group.1.push(slot),
                None => groups.push((others, vec![slot])),
            }
        }
        groups.into_iter().map(|(_, slots)| slots).collect()
    }
}

impl<const L: usize> MateStep<L> {
    /// The step of a vertex that has entered the frontier by `moved`.
    pub(super) fn new(
        task: MateTask,
        frontier: &Frontier,
        vertex: usize,
        moved: FrontierMove,
    ) -> Self {
        let ends: Vec<usize> = task.ends.into_iter().flat_map(|(from, to)| [from, to]).collect();
        let FrontierMove { slot, others, leaving } = moved;
        let in_use: Vec<usize> = frontier.in_use().map(|(slot, _)| slot).collect();
        let (mut distances, mut last_edge) = (vec![[APART; L]; L], 0);
        for (slot, vertex) in frontier.in_use() {
            distances[slot] = frontier.row(vertex, &frontier.distances(vertex, task.length));
            let is_last = !ends.is_empty() && frontier.later[vertex].len() == 1;
            last_edge |= u64::from(is_last) << slot;
        }
        let value = if ends.contains(&vertex) { FIXED } else { FREE };
        let ahead: Vec<usize> =
            ends.into_iter().filter(|&end| !frontier.has_entered[end]).collect();
        let far = |&end: &usize| frontier.distances(end, task.length);
        let from_ends: Vec<Vec<u8>> = ahead.iter().map(far).collect();
        let ahead_distance = match ahead[..] {
            [_, to] => from_ends[0][to],
            _ => APART,
        };
        let rows = ahead.iter().zip(&from_ends).map(|(&end, far)| frontier.row(end, far));
        let groups = frontier.groups();
        let mut group_of: Vec<usize> = (L..2 * L).collect();
        for (group, slots) in groups.iter().enumerate() {
            for &slot in slots {
                group_of[slot] = group;
            }
        }
        MateStep {
            slot,
            value,
            others,
            leaving,
            ahead: rows.collect(),
            ahead_distance,
            later: frontier.num_later,
            last_edge,
            in_use,
            distances,
            groups,
            group_of,
        }
    }

    /// Exchanges vertices within groups, so that more states are equal.
    pub(super) fn rename(&self, state: &mut Slots<L>, pieces: &mut Vec<u32>) {
        if self.groups.len() == self.in_use.len() {
            return;
        }
        pieces.clear();
        for &slot in &self.in_use {
            let group = self.group_of[slot] as u32;
            match state[slot] {
                USED => {}
                value @ (FREE | FIXED) => pieces.push(group << 16 | u32::from(value) << 8),
                value if usize::from(value - MATE) > slot => {
                    let other = self.group_of[usize::from(value - MATE)] as u32;
                    let (group, other) = (group.min(other), group.max(other));
                    pieces.push(group << 16 | u32::from(MATE) << 8 | other);
                }
                _ => {}
            }
        }
        pieces.sort_unstable();
        *state = [USED; L];
        let mut taken = [0u8; L];
        let mut next = |group: usize| {
            let slot = self.groups[group][usize::from(taken[group])];
            taken[group] += 1;
            slot
        };
        for &piece in pieces.iter() {
            let [other, value, group, _] = piece.to_le_bytes();
            let slot = next(group.into());
            state[slot] = value;
            if value == MATE {
                let other = next(other.into());
                (state[slot], state[other]) = (other as u8 + MATE, slot as u8 + MATE);
            }
        }
    }

    /// The class of a vertex. In this state, the vertices of a class may be exchanged.
    pub(super) fn class(&self, state: &Slots<L>, slot: usize) -> (usize, u8, usize) {
        match state[slot] {
            value @ ..=FIXED => (self.group_of[slot], value, 0),
            mate => (self.group_of[slot], MATE, self.group_of[usize::from(mate - MATE)]),
        }
    }
}
