//! Directed networks: whether a path leads from one vertex to another.
//!
//! Source of the frontier of reachability: H. Imai, K. Sekine and K. Imai, *Computational investigations of all-terminal
//! network reliability via BDDs*, IEICE Trans. Fundamentals E82-A (1999), for components; here it is a relation.

use topdd::Step;
use topdd::spec::ArraySpec;

use super::network::Network;
use super::spec::{ElementDecision, NetworkEnd, NetworkItem, NetworkPlan};
use crate::Graph;
use crate::families::FamilyError;
use crate::graph::reached;

/// The largest number of slots: a set of slots is a word of 32 bits.
const MAX_SLOTS: usize = u32::BITS as usize;

/// The ends of the path that a directed network is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathEnds {
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Network {
    /// The network of the edges that may be on a path, without reductions of its probability; a factor of 0 and no
    /// network if there is no path. Vertices keep their numbers.
    pub(super) fn on_paths(mut self, ends: PathEnds) -> (f64, Vec<Network>) {
        let after = self.reached(ends.from, |(a, b)| (a, b));
        let before = self.reached(ends.to, |(a, b)| (b, a));
        let is_kept = |&(a, b): &(usize, usize)| {
            a != b && a != ends.to && b != ends.from && after[a] && before[b]
        };
        let kept = self.edges.iter().zip(&self.edge_works).filter(|(edge, _)| is_kept(edge));
        let (edges, edge_works): (Vec<_>, Vec<_>) =
            kept.map(|(&edge, &works)| (edge, works)).unzip();
        if edges.is_empty() {
            return (0.0, Vec::new());
        }
        (self.edges, self.edge_works) = (edges, edge_works);
        (1.0, vec![self])
    }

    /// Whether each vertex is reached from one of them, along edges that may work, from the first to the second of
    /// `ends`.
    fn reached(&self, start: usize, ends: impl Fn((usize, usize)) -> (usize, usize)) -> Vec<bool> {
        let mut leads_to = vec![Vec::new(); self.num_vertices()];
        for (&edge, _) in self.edges.iter().zip(&self.edge_works).filter(|(_, works)| **works > 0.0)
        {
            let (a, b) = ends(edge);
            leads_to[a].push(b);
        }
        let works = |&other: &usize| self.vertex_works[other] > 0.0;
        let mut seen = vec![false; self.num_vertices()];
        reached(&mut seen, start, |vertex| leads_to[vertex].iter().copied().filter(works));
        seen
    }
}

/// A vertex on the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    From,
    To,
    Other,
}

#[derive(Clone, Copy, Debug)]
struct DirectedEnd {
    slot: usize,
    /// The role of the vertex if it enters here and always works.
    enters: Option<Role>,
    leaves: bool,
}

#[derive(Clone, Copy, Debug)]
enum ReachabilityStep {
    /// A vertex enters a slot if it works.
    Vertex { slot: usize },
    /// An edge from the first of its ends to the second, and whether the ends of the path have entered.
    Edge { ends: [DirectedEnd; 2], entered: [bool; 2] },
}

/// The sets of working edges, and of working vertices among those that may fail, with a path. Skipped variables are
/// read as any value.
///
/// A state is a list of sets of slots: those that the first vertex of the path reaches, those that reach the last
/// one, and for each other slot the slots that it reaches, itself included. A slot without a vertex, or with one
/// that failed, is in none of them. What reaches a vertex that is reached from the first one makes no difference, nor
/// does what a vertex reaches that reaches the last one.
#[derive(Clone, Debug)]
pub(super) struct Reaching {
    steps: Vec<ReachabilityStep>,
    slots: usize,
    /// Whether an end of the path has no edge.
    is_apart: bool,
}

/// The indices of the sets of a state; the sets of the slots are the last ones.
const REACHED: usize = 0;
const REACHING: usize = 1;
const SLOTS: usize = 2;

impl Reaching {
    /// `graph` has the edges of the plan.
    ///
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if more than [`MAX_SLOTS`] vertices are on the frontier at once.
    pub(super) fn new(
        plan: &NetworkPlan,
        graph: &Graph,
        ends: PathEnds,
    ) -> Result<Self, FamilyError> {
        if plan.slots > MAX_SLOTS {
            let [bytes, most] = [plan.slots, MAX_SLOTS].map(|slots| 4 * (SLOTS + slots));
            return Err(FamilyError::TooWide { slots: plan.slots, bytes, most });
        }
        let role = |vertex: usize| match vertex {
            vertex if vertex == ends.from => Role::From,
            vertex if vertex == ends.to => Role::To,
            _ => Role::Other,
        };
        let mut entered = [false; 2];
        let mut steps = Vec::with_capacity(plan.items.len());
        for (item, decision) in plan.items.iter().zip(&plan.decisions) {
            steps.push(match (item, *decision) {
                (NetworkItem::Edge(edge), ElementDecision::Edge { ends, .. }) => {
                    let (a, b) = graph.edges()[*edge];
                    let end = |end: NetworkEnd, vertex: usize| DirectedEnd {
                        slot: end.slot.into(),
                        enters: (end.enters > 0).then(|| role(vertex)),
                        leaves: end.leaves,
                    };
                    let ends = [end(ends[0], a), end(ends[1], b)];
                    for role in ends.iter().filter_map(|end| end.enters) {
                        entered[0] |= role == Role::From;
                        entered[1] |= role == Role::To;
                    }
                    ReachabilityStep::Edge { ends, entered }
                }
                (
                    _,
                    ElementDecision::Vertex { slot, .. }
                    | ElementDecision::Edge { ends: [NetworkEnd { slot, .. }, _], .. },
                ) => ReachabilityStep::Vertex { slot: slot.into() },
            });
        }
        Ok(Self { steps, slots: plan.slots, is_apart: plan.constant == Some(false) })
    }
}

/// Adds a working edge from one slot to another. Returns whether there is a path now.
fn connect(sets: &mut [u32], tail: usize, head: usize) -> bool {
    let [from, to] = [tail, head].map(|slot| 1 << slot);
    let works = |sets: &[u32], slot: usize, bit: u32| {
        (sets[REACHED] | sets[REACHING] | sets[SLOTS + slot]) & bit != 0
    };
    if !works(sets, tail, from) || !works(sets, head, to) || sets[REACHING] & from != 0 {
        return false;
    }
    if sets[REACHED] & from != 0 {
        if sets[REACHING] & to != 0 {
            return true;
        }
        let reached = sets[SLOTS + head];
        remove(sets, reached);
        sets[REACHED] |= reached;
    } else if sets[REACHED] & to == 0 {
        let before = (0..sets.len() - SLOTS).filter(|slot| sets[SLOTS + slot] & from != 0);
        let before = before.fold(0, |set, slot| set | 1 << slot);
        if sets[REACHING] & to != 0 {
            remove(sets, before);
            sets[REACHING] |= before;
        } else {
            let reached = sets[SLOTS + head];
            let of_slots = sets[SLOTS..].iter_mut();
            of_slots.filter(|set| **set & from != 0).for_each(|set| *set |= reached);
        }
    }
    false
}

/// Removes slots from all sets.
fn remove(sets: &mut [u32], slots: u32) {
    for (slot, set) in sets[SLOTS..].iter_mut().enumerate() {
        *set = if slots >> slot & 1 == 1 { 0 } else { *set & !slots };
    }
    sets[REACHED] &= !slots;
    sets[REACHING] &= !slots;
}

impl ArraySpec for Reaching {
    type Head = ();
    type Item = u32;

    fn num_vars(&self) -> usize {
        self.steps.len()
    }

    fn len(&self, _: usize) -> usize {
        SLOTS + self.slots
    }

    fn root(&self, (): &mut (), _: &mut [u32]) -> Step<()> {
        if self.is_apart { Step::Zero } else { Step::To(0, ()) }
    }

    fn child(&self, (): &mut (), sets: &mut [u32], variable: usize, value: usize) -> Step<()> {
        let (ends, entered) = match self.steps[variable] {
            ReachabilityStep::Vertex { slot } => {
                sets[SLOTS + slot] = (value as u32) << slot;
                return Step::To(variable + 1, ());
            }
            ReachabilityStep::Edge { ends, entered } => (ends, entered),
        };
        for end in ends {
            match end.enters {
                Some(Role::From) => sets[REACHED] |= 1 << end.slot,
                Some(Role::To) => sets[REACHING] |= 1 << end.slot,
                Some(Role::Other) => sets[SLOTS + end.slot] |= 1 << end.slot,
                None => {}
            }
        }
        if value == 1 && connect(sets, ends[0].slot, ends[1].slot) {
            return Step::One;
        }
        let leaving = ends.iter().filter(|end| end.leaves);
        remove(sets, leaving.fold(0, |set, end| set | 1 << end.slot));
        if entered[0] && sets[REACHED] == 0 || entered[1] && sets[REACHING] == 0 {
            return Step::Zero;
        }
        // At the last edge, all vertices leave.
        Step::To(variable + 1, ())
    }
}
