//! Connected induced subgraphs, and connected dominating sets.

use super::schedule::VertexSchedule;
use crate::Graph;
use crate::families::FamilyError;
use smallvec::SmallVec;
use topdd::spec::ArraySpec;
use topdd::{DdSpec, Forced, Step};

/// The code of a vertex that is no member, and of an empty slot.
const OUTSIDE: u16 = 0;
/// The code of a vertex that is no member and has no member as a neighbour, where it needs one.
const UNDOMINATED: u16 = 1;
/// The code of the members of the first component; the next ones follow.
const FIRST: u16 = 2;
/// The largest number of slots, so that each may be in a component of its own.
const MAX_SLOTS: usize = (u16::MAX - FIRST) as usize;

/// The vertex sets, not empty, whose induced subgraph is connected. Decides each vertex in turn and
/// skips none.
///
/// A state has the code of each slot, in the order of the slots. Its head is 1 if the subgraph is complete
/// and has left the frontier; then all codes are [`OUTSIDE`].
#[derive(Clone, Debug)]
pub(super) struct Connected {
    schedule: VertexSchedule,
    dominating: bool,
}

impl Connected {
    pub(super) fn new(schedule: VertexSchedule, dominating: bool) -> Result<Self, FamilyError> {
        let slots = schedule.num_slots;
        if slots > MAX_SLOTS {
            let [bytes, most] = [slots, MAX_SLOTS].map(|codes| codes * size_of::<u16>());
            return Err(FamilyError::TooWide { slots, bytes, most });
        }
        Ok(Self { schedule, dominating })
    }

    /// Joins the components of the earlier neighbours, dominates them, and returns the code of the
    /// new member.
    fn join(&self, codes: &mut [u16], variable: usize) -> u16 {
        // Codes are at most the number of slots, so that one above all of them is free.
        let own = codes.iter().copied().max().unwrap_or(0).max(FIRST - 1) + 1;
        for &slot in &self.schedule.earlier[variable] {
            let code = codes[slot];
            if code >= FIRST && code != own {
                codes.iter_mut().filter(|other| **other == code).for_each(|other| *other = own);
            } else if code == UNDOMINATED {
                codes[slot] = OUTSIDE;
            }
        }
        own
    }

    /// The code of a vertex that is no member.
    fn outside(&self, codes: &[u16], variable: usize) -> u16 {
        let member = |&slot: &usize| codes[slot] >= FIRST;
        if self.dominating && !self.schedule.earlier[variable].iter().any(member) {
            UNDOMINATED
        } else {
            OUTSIDE
        }
    }

    /// Makes the state after a vertex with the code `own`, and returns whether the subgraph is complete;
    /// `None` if there is no solution.
    fn leave(&self, codes: &mut [u16], variable: usize, own: u16) -> Option<bool> {
        let slot = self.schedule.slots[variable];
        let mut left: SmallVec<[u16; 8]> = SmallVec::new();
        for &slot in &self.schedule.leaving[variable] {
            left.push(std::mem::replace(&mut codes[slot], OUTSIDE));
        }
        match slot {
            Some(slot) => codes[slot] = own,
            None => left.push(own),
        }
        if left.contains(&UNDOMINATED) {
            return None;
        }
        let complete = left.iter().any(|code| *code >= FIRST && !codes.contains(code));
        if !complete {
            number(codes);
            return Some(false);
        }
        // All members are in the component that left, and no later vertex has one as a neighbour.
        let more = codes.iter().any(|&code| code != OUTSIDE);
        let undecided = variable + 1 < self.schedule.slots.len();
        let is_whole = !more && distinct(&left) == 1 && !(self.dominating && undecided);
        is_whole.then_some(true)
    }
}

/// The number of different components among the codes.
fn distinct(codes: &[u16]) -> usize {
    let mut members: SmallVec<[u16; 8]> =
        codes.iter().copied().filter(|&code| code >= FIRST).collect();
    members.sort_unstable();
    members.dedup();
    members.len()
}

/// Numbers the components in the order of their first slots.
fn number(codes: &mut [u16]) {
    let mut names: SmallVec<[u16; 16]> = SmallVec::new();
    for code in codes {
        if *code < FIRST {
            continue;
        }
        let place = names.iter().position(|name| name == code).unwrap_or_else(|| {
            names.push(*code);
            names.len() - 1
        });
        *code = FIRST + place as u16;
    }
}

impl ArraySpec for Connected {
    type Head = u16;
    type Item = u16;

    fn num_vars(&self) -> usize {
        self.schedule.slots.len()
    }

    fn len(&self, _: usize) -> usize {
        self.schedule.num_slots
    }

    fn root(&self, _: &mut u16, _: &mut [u16]) -> Step<()> {
        if self.num_vars() == 0 { Step::Zero } else { Step::To(0, ()) }
    }

    fn child(
        &self,
        is_complete: &mut u16,
        codes: &mut [u16],
        variable: usize,
        value: usize,
    ) -> Step<()> {
        if *is_complete == 0 {
            let own =
                if value == 1 { self.join(codes, variable) } else { self.outside(codes, variable) };
            match self.leave(codes, variable, own) {
                Some(complete) => *is_complete = complete.into(),
                None => return Step::Zero,
            }
        } else if value == 1 {
            return Step::Zero;
        }
        if variable + 1 < self.num_vars() {
            Step::To(variable + 1, ())
        } else if *is_complete == 1 {
            Step::One
        } else {
            Step::Zero
        }
    }
}

/// The later vertices that are neighbours of all members, ascending; `None` before the first member.
pub(super) type Candidates = Option<SmallVec<[u32; 6]>>;

/// The sets of vertices of which every two are neighbours. Decides each vertex in turn and skips none.
#[derive(Clone, Debug)]
pub(super) struct Cliques {
    /// The later neighbours of each vertex, as variables, ascending.
    later: Vec<Vec<u32>>,
}

impl Cliques {
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        let ranks = crate::order::inverse(order);
        let mut later = vec![Vec::new(); order.len()];
        for &(a, b) in graph.edges() {
            let (a, b) = (ranks[a].min(ranks[b]), ranks[a].max(ranks[b]));
            if a != b {
                later[a].push(b as u32);
            }
        }
        for list in &mut later {
            list.sort_unstable();
            list.dedup();
        }
        Self { later }
    }

    /// The step to a state at `next`, which may be after the last variable.
    fn step(&self, next: usize, state: Candidates) -> Step<Candidates> {
        if next < self.later.len() { Step::To(next, state) } else { Step::One }
    }
}

impl DdSpec for Cliques {
    type State = Candidates;

    fn num_vars(&self) -> usize {
        self.later.len()
    }

    fn root(&self) -> Step<Candidates> {
        self.step(0, None)
    }

    fn child(&self, state: &Candidates, variable: usize, value: usize) -> Step<Candidates> {
        let later = &self.later[variable];
        let next = match (state, value) {
            (None, 0) => None,
            (None, _) => Some(SmallVec::from_slice(later)),
            (Some(candidates), _) if candidates.first() != Some(&(variable as u32)) => {
                match value {
                    0 => state.clone(),
                    _ => return Step::Zero,
                }
            }
            (Some(candidates), 0) => Some(SmallVec::from_slice(&candidates[1..])),
            (Some(candidates), _) => {
                let both = candidates.iter().copied();
                Some(both.filter(|other| later.binary_search(other).is_ok()).collect())
            }
        };
        self.step(variable + 1, next)
    }

    fn forced(&self, state: &Candidates, variable: usize) -> Forced<Candidates> {
        match state {
            Some(candidates) if candidates.first() != Some(&(variable as u32)) => {
                // Straight to the next candidate: other vertices are no members.
                let next = candidates.first().map(|&next| Step::To(next as usize, state.clone()));
                Forced::Value(0, next.unwrap_or(Step::One))
            }
            _ => Forced::Free,
        }
    }

    /// The candidates of either.
    fn merge(&self, one: &Candidates, other: &Candidates, _: usize) -> Option<Candidates> {
        let (Some(one), Some(other)) = (one, other) else { return Some(None) };
        let mut either: SmallVec<[u32; 6]> = one.iter().chain(other).copied().collect();
        either.sort_unstable();
        either.dedup();
        Some(Some(either))
    }
}

/// An order in which each vertex has as few later neighbours as possible: the next vertex is one with
/// the fewest that are left (D. W. Matula and L. L. Beck, *Smallest-last ordering and clustering*,
/// JACM 30, 1983). Linear time.
pub(in crate::families) fn smallest_first(graph: &Graph) -> Vec<usize> {
    let vertices = graph.num_vertices();
    let mut degrees: Vec<usize> =
        (0..vertices).map(|vertex| graph.incident(vertex).len()).collect();
    let mut buckets: Vec<Vec<usize>> =
        vec![Vec::new(); degrees.iter().max().map_or(0, |most| most + 1)];
    for vertex in (0..vertices).rev() {
        buckets[degrees[vertex]].push(vertex);
    }
    let mut gone = vec![false; vertices];
    let mut order = Vec::with_capacity(vertices);
    let mut least = 0;
    while order.len() < vertices {
        // A vertex is in a bucket for each degree that it had.
        let Some(vertex) = buckets[least].pop() else {
            least += 1;
            continue;
        };
        if gone[vertex] || degrees[vertex] != least {
            continue;
        }
        gone[vertex] = true;
        order.push(vertex);
        for other in graph.neighbours(vertex) {
            if !gone[other] {
                degrees[other] -= 1;
                buckets[degrees[other]].push(other);
                least = least.min(degrees[other]);
            }
        }
    }
    order
}
