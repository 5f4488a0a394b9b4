//! Directed networks: whether a path leads from one vertex to another.
//!
//! Source of the frontier of reachability: H. Imai, K. Sekine and K. Imai, *Computational investigations of all-terminal
//! network reliability via BDDs*, IEICE Trans. Fundamentals E82-A (1999), for components; here it is a relation.

use topdd::Step;
use topdd::spec::ArraySpec;

use super::network::Network;
use super::spec::{ElementDecision, NetworkPlan};
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

/// The sets of working edges, and of working vertices among those that may fail, with a path. Skipped variables are
/// read as any value.
///
/// A state is a list of sets of slots: those that the first vertex of the path reaches, those that reach the last
/// one, and for each other slot the slots that it reaches, itself included. A slot without a vertex, or with one
/// that failed, is in none of them. What reaches a vertex that is reached from the first one makes no difference, nor
/// does what a vertex reaches that reaches the last one.
#[derive(Clone, Debug)]
pub(super) struct Reaching {
    plan: NetworkPlan,
    /// Where the ends of the path enter.
    from: (usize, u8),
    to: (usize, u8),
}

/// The indices of the sets of a state; the sets of the slots are the last ones.
const REACHED: usize = 0;
const REACHING: usize = 1;
const SLOTS: usize = 2;

impl Reaching {
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if more than [`MAX_SLOTS`] vertices are on the frontier at once.
    pub(super) fn new(plan: NetworkPlan, ends: PathEnds) -> Result<Self, FamilyError> {
        if plan.slots > MAX_SLOTS {
            let [bytes, most] = [plan.slots, MAX_SLOTS].map(|slots| 4 * (SLOTS + slots));
            return Err(FamilyError::TooWide { slots: plan.slots, bytes, most });
        }
        // An end of the path without an edge enters nowhere, and there is no path.
        let place = |vertex: usize| {
            let end = plan.terminals.iter().find(|end| end.vertex == vertex);
            end.map_or((usize::MAX, 0), |end| end.place)
        };
        Ok(Self { from: place(ends.from), to: place(ends.to), plan })
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
        self.plan.decisions.len()
    }

    fn len(&self, _: usize) -> usize {
        SLOTS + self.plan.slots
    }

    fn root(&self, (): &mut (), _: &mut [u32]) -> Step<()> {
        if self.plan.constant == Some(false) { Step::Zero } else { Step::To(0, ()) }
    }

    fn child(&self, (): &mut (), sets: &mut [u32], variable: usize, value: usize) -> Step<()> {
        let ends = match self.plan.decisions[variable] {
            ElementDecision::Vertex { slot, .. } => {
                sets[SLOTS + usize::from(slot)] = (value as u32) << slot;
                return Step::To(variable + 1, ());
            }
            ElementDecision::Edge { ends, .. } => ends,
        };
        for slot in ends.iter().filter(|end| end.enters > 0).map(|end| end.slot) {
            let set = match (variable, slot) {
                place if place == self.from => REACHED,
                place if place == self.to => REACHING,
                _ => SLOTS + usize::from(slot),
            };
            sets[set] |= 1 << slot;
        }
        if value == 1 && connect(sets, ends[0].slot.into(), ends[1].slot.into()) {
            return Step::One;
        }
        let leaving = ends.iter().filter(|end| end.leaves);
        remove(sets, leaving.fold(0, |set, end| set | 1 << end.slot));
        let is_lost = |end: (usize, u8), set: usize| variable >= end.0 && sets[set] == 0;
        if is_lost(self.from, REACHED) || is_lost(self.to, REACHING) {
            return Step::Zero;
        }
        // At the last edge, all vertices leave.
        Step::To(variable + 1, ())
    }
}
