//! States with a few bits for each vertex of the frontier, packed into words, and the rules on them.

use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

use super::schedule::VertexSchedule;
use crate::families::layout::{Allocator, Field, WordBits, bits_of};
use crate::families::{FamilyError, check_words, step_after};

/// A rule that a packed state can check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::families) enum VertexRule {
    /// No two members are neighbours. A vertex with a loop is its own neighbour.
    Independent,
    /// No two of the others are neighbours: each edge has a member as an end.
    Cover,
    /// Each vertex is a member or has one as a neighbour.
    Dominating,
    /// Each vertex has a member as a neighbour.
    TotalDominating,
    /// Neighbours have different values, of so many.
    Colouring(usize),
}

/// The bit of a member; for vertex covers, of a vertex that is none.
const MEMBER: u64 = 1;
/// The bit of a vertex that is dominated, for dominating sets.
const DOMINATED: u64 = 2;

impl VertexRule {
    /// The bits of a slot.
    fn bits(self) -> u32 {
        let largest = match self {
            VertexRule::Independent | VertexRule::Cover => MEMBER,
            VertexRule::Dominating | VertexRule::TotalDominating => MEMBER | DOMINATED,
            VertexRule::Colouring(colours) => colours.saturating_sub(1) as u64,
        };
        bits_of(largest).max(1)
    }
}

/// The vertex sets, or the colourings, that follow a rule. Decides each vertex in turn and skips none.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    rule: VertexRule,
    vertices: Vec<Vertex>,
    /// The number of words of a state.
    words: usize,
}

/// The vertex of a variable, and its neighbours that are decided before it.
#[derive(Clone, Debug)]
struct Vertex {
    /// For sets, [`MEMBER`] of each earlier neighbour.
    members: WordBits,
    /// For dominating sets, [`DOMINATED`] of each earlier neighbour, and of each that leaves.
    dominated: WordBits,
    leaving_dominated: WordBits,
    /// All bits of the earlier neighbours that leave.
    leaving: WordBits,
    /// The earlier neighbours.
    earlier: Box<[Field]>,
    /// The position of the vertex; `None` if all its neighbours are decided before it.
    position: Option<Field>,
    has_loop: bool,
    /// Colours, and whether the vertex must have them.
    fixed: Vec<(u64, bool)>,
}

impl Packed {
    pub(super) fn new(schedule: &VertexSchedule, rule: VertexRule) -> Result<Self, FamilyError> {
        let num_slots = schedule.num_slots;
        let mut allocator = Allocator::default();
        let fields = allocator.fields(num_slots, rule.bits());
        let repeat = |slots: &[usize], value: u64| {
            WordBits::union(slots.iter().map(|&slot| fields[slot].place(value)))
        };
        let (member, dominated) = match rule {
            VertexRule::Independent | VertexRule::Cover => (MEMBER, 0),
            VertexRule::Dominating | VertexRule::TotalDominating => (MEMBER, DOMINATED),
            VertexRule::Colouring(_) => (0, 0),
        };
        let vertex = |variable| {
            let (earlier, leaving) = (&schedule.earlier[variable], &schedule.leaving[variable]);
            Vertex {
                members: repeat(earlier, member),
                dominated: repeat(earlier, dominated),
                leaving_dominated: repeat(leaving, dominated),
                leaving: repeat(leaving, u64::MAX),
                earlier: earlier.iter().map(|&slot| fields[slot]).collect(),
                position: schedule.slots[variable].map(|slot| fields[slot]),
                has_loop: schedule.loops[variable],
                fixed: Vec::new(),
            }
        };
        let vertices = (0..schedule.slots.len()).map(vertex).collect();
        let words = allocator.words();
        check_words(num_slots, words)?;
        Ok(Self { rule, vertices, words })
    }

    /// Keeps the colourings in which vertices have given colours, or have others.
    pub(super) fn fix(&mut self, fixed: &[(usize, usize, bool)], order: &[usize]) {
        let variables = crate::order::inverse(order);
        for &(vertex, colour, taken) in fixed {
            self.vertices[variables[vertex]].fixed.push((colour as u64, taken));
        }
    }

    /// The bits of the vertex itself. Makes the changes to its neighbours in `state`. `None` if the
    /// rule is broken.
    #[inline]
    fn decide(&self, state: &mut [u64], vertex: &Vertex, value: usize) -> Option<u64> {
        match self.rule {
            VertexRule::Independent | VertexRule::Cover => {
                let counted = (value == 1) == (self.rule == VertexRule::Independent);
                let clash = counted && (vertex.has_loop || vertex.members.any_in(state));
                (!clash).then_some(u64::from(counted))
            }
            VertexRule::Dominating | VertexRule::TotalDominating => {
                let total = self.rule == VertexRule::TotalDominating;
                let member = value == 1;
                if !member && !vertex.leaving_dominated.all_in(state) {
                    return None;
                }
                let by_itself = member && (!total || vertex.has_loop);
                let dominated = by_itself || vertex.members.any_in(state);
                if member {
                    vertex.dominated.set_in(state);
                }
                if !dominated && vertex.position.is_none() {
                    return None;
                }
                Some(u64::from(member) * MEMBER + u64::from(dominated) * DOMINATED)
            }
            VertexRule::Colouring(_) => {
                let colour = value as u64;
                let same = |neighbour: &Field| neighbour.get(state) == colour;
                let clash = vertex.has_loop || vertex.earlier.iter().any(same);
                let is_allowed = |&(fixed, taken): &(u64, bool)| (colour == fixed) == taken;
                (!clash && vertex.fixed.iter().all(is_allowed)).then_some(colour)
            }
        }
    }
}

impl ArraySpec for Packed {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.vertices.len()
    }

    fn arity(&self, _: usize) -> usize {
        match self.rule {
            VertexRule::Colouring(colours) => colours,
            _ => 2,
        }
    }

    fn len(&self, _: usize) -> usize {
        self.words
    }

    fn root(&self, (): &mut (), _: &mut [u64]) -> Step<()> {
        if self.num_vars() == 0 { Step::One } else { Step::To(0, ()) }
    }

    #[inline]
    fn child(&self, (): &mut (), state: &mut [u64], variable: usize, value: usize) -> Step<()> {
        let vertex = &self.vertices[variable];
        let Some(own) = self.decide(state, vertex, value) else { return Step::Zero };
        vertex.leaving.clear_in(state);
        if let Some(position) = vertex.position {
            position.add(state, own);
        }
        step_after(variable, self.num_vars())
    }

    #[inline]
    fn forced(&self, head: &mut (), state: &mut [u64], variable: usize) -> Forced<()> {
        let vertex = &self.vertices[variable];
        let value = match self.rule {
            VertexRule::Independent | VertexRule::Cover
                if vertex.has_loop || vertex.members.any_in(state) =>
            {
                usize::from(self.rule == VertexRule::Cover)
            }
            VertexRule::Dominating | VertexRule::TotalDominating
                if !vertex.leaving_dominated.all_in(state) =>
            {
                1
            }
            _ => return Forced::Free,
        };
        Forced::to(value, self.child(head, state, variable, value))
    }

    /// The members of both exclude the fewest vertices; the members of either dominate the most.
    fn merge(&self, (): &mut (), state: &mut [u64], (): &(), other: &[u64], _: usize) -> bool {
        let is_of_both = match self.rule {
            VertexRule::Independent | VertexRule::Cover => true,
            VertexRule::Dominating | VertexRule::TotalDominating => false,
            VertexRule::Colouring(_) => return false,
        };
        for (word, other) in state.iter_mut().zip(other) {
            *word = if is_of_both { *word & other } else { *word | other };
        }
        true
    }
}
