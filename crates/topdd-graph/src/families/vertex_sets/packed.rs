//! States with a few bits for each vertex of the frontier, packed into words, and the rules on them.

use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

use super::schedule::Schedule;

/// Where the bits of a slot are: some slots in each word, none across two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    bits: usize,
    per_word: usize,
}

impl Packing {
    /// The packing for values below `values`.
    fn of_values(values: usize) -> Self {
        let bits = (usize::BITS - values.saturating_sub(1).leading_zeros()).max(1) as usize;
        Self { bits, per_word: 64 / bits }
    }

    #[inline]
    fn get(self, state: &[u64], slot: usize) -> u64 {
        let mask = u64::MAX >> (64 - self.bits);
        state[slot / self.per_word] >> (slot % self.per_word * self.bits) & mask
    }

    /// Sets the bits of `value`.
    #[inline]
    fn add(self, state: &mut [u64], slot: usize, value: u64) {
        state[slot / self.per_word] |= value << (slot % self.per_word * self.bits);
    }

    #[inline]
    fn clear(self, state: &mut [u64], slot: usize) {
        let mask = u64::MAX >> (64 - self.bits);
        state[slot / self.per_word] &= !(mask << (slot % self.per_word * self.bits));
    }
}

/// A rule that a packed state can check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
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

/// The bits of a slot for dominating sets.
const MEMBER: u64 = 1;
const DOMINATED: u64 = 2;

impl Rule {
    fn packing(self) -> Packing {
        Packing::of_values(match self {
            Rule::Independent | Rule::Cover => 2,
            Rule::Dominating | Rule::TotalDominating => 4,
            Rule::Colouring(colours) => colours,
        })
    }

    /// The number of words that a state needs.
    fn words(self, schedule: &Schedule) -> usize {
        schedule.num_slots().div_ceil(self.packing().per_word).max(1)
    }
}

/// The vertex sets, or the colourings, that follow a rule. Decides each vertex in turn and skips none.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    schedule: Schedule,
    rule: Rule,
    packing: Packing,
}

impl Packed {
    pub(super) fn new(schedule: Schedule, rule: Rule) -> Self {
        Self { schedule, rule, packing: rule.packing() }
    }

    /// The number of slots.
    pub(super) fn num_slots(&self) -> usize {
        self.schedule.num_slots()
    }

    /// Whether an earlier neighbour has all of these bits.
    #[inline]
    fn meets(&self, state: &[u64], variable: usize, bits: u64) -> bool {
        let earlier = self.schedule.earlier(variable);
        earlier.iter().any(|&slot| self.packing.get(state, slot as usize) & bits == bits)
    }

    /// Whether a leaving neighbour is not dominated, by the vertices before this one.
    #[inline]
    fn needs_member(&self, state: &[u64], variable: usize) -> bool {
        let leaving = self.schedule.leaving(variable);
        leaving.iter().any(|&slot| self.packing.get(state, slot as usize) & DOMINATED == 0)
    }

    /// The bits of the vertex itself. Makes the changes to its neighbours in `state`. `None` if the
    /// rule is broken.
    #[inline]
    fn decide(&self, state: &mut [u64], variable: usize, value: usize) -> Option<u64> {
        let schedule = &self.schedule;
        match self.rule {
            Rule::Independent | Rule::Cover => {
                let counted = (value == 1) == (self.rule == Rule::Independent);
                let clash =
                    counted && (schedule.has_loop(variable) || self.meets(state, variable, MEMBER));
                (!clash).then_some(u64::from(counted))
            }
            Rule::Dominating | Rule::TotalDominating => {
                let total = self.rule == Rule::TotalDominating;
                let member = value == 1;
                if !member && self.needs_member(state, variable) {
                    return None;
                }
                let by_itself = member && (!total || schedule.has_loop(variable));
                let dominated = by_itself || self.meets(state, variable, MEMBER);
                if member {
                    for &slot in schedule.earlier(variable) {
                        self.packing.add(state, slot as usize, DOMINATED);
                    }
                }
                if !dominated && schedule.slot(variable).is_none() {
                    return None;
                }
                Some(u64::from(member) * MEMBER + u64::from(dominated) * DOMINATED)
            }
            Rule::Colouring(_) => {
                let colour = value as u64;
                let same = |&slot: &u32| self.packing.get(state, slot as usize) == colour;
                let clash =
                    schedule.has_loop(variable) || schedule.earlier(variable).iter().any(same);
                (!clash).then_some(colour)
            }
        }
    }
}

impl ArraySpec for Packed {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.schedule.num_vertices()
    }

    fn arity(&self, _: usize) -> usize {
        match self.rule {
            Rule::Colouring(colours) => colours,
            _ => 2,
        }
    }

    fn len(&self, _: usize) -> usize {
        self.rule.words(&self.schedule)
    }

    fn root(&self, (): &mut (), _: &mut [u64]) -> Step<()> {
        if self.num_vars() == 0 { Step::One } else { Step::To(0, ()) }
    }

    #[inline]
    fn child(&self, (): &mut (), state: &mut [u64], variable: usize, value: usize) -> Step<()> {
        let Some(own) = self.decide(state, variable, value) else { return Step::Zero };
        for &slot in self.schedule.leaving(variable) {
            self.packing.clear(state, slot as usize);
        }
        if let Some(slot) = self.schedule.slot(variable) {
            self.packing.add(state, slot, own);
        }
        if variable + 1 == self.num_vars() { Step::One } else { Step::To(variable + 1, ()) }
    }

    #[inline]
    fn forced(&self, head: &mut (), state: &mut [u64], variable: usize) -> Forced<()> {
        let value = match self.rule {
            Rule::Independent | Rule::Cover
                if self.schedule.has_loop(variable) || self.meets(state, variable, MEMBER) =>
            {
                usize::from(self.rule == Rule::Cover)
            }
            Rule::Dominating | Rule::TotalDominating if self.needs_member(state, variable) => 1,
            _ => return Forced::Free,
        };
        Forced::to(value, self.child(head, state, variable, value))
    }
}
