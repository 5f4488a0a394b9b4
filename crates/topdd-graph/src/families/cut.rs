//! The sweeps over cuts and over bipartite edge sets, one variable for each edge.
//!
//! The sweep over cuts, one variable for each edge.
//!
//! The decided edges, taken or not, have components that do not depend on the state. Within each,
//! the side of every vertex relative to the others is known. The state contains, for each slot of
//! the frontier, whether its side differs from the side of the least slot of its component; and whether
//! an edge has been taken. For minimal cuts, see [`sides`].
//!
//! Two vertices that must be on different sides are the ends of an edge that the root takes, before all others.
//!
//! The connectivity of both sides, for minimal cuts.
//!
//! The state contains the label of the component of each slot among the edges that are not taken, and the number of
//! components that have left the frontier: at most two, which are the sides.
//!
//! The sweep over bipartite edge sets, one variable for each edge.
//!
//! The state contains, for each slot of the frontier, the code of its component and side: one plus twice
//! the least slot of the component, plus one if the vertex is not on the side of that slot.

use super::layout::{
    Allocator, EdgeEnd, Field, LabelFields, Removed, ScheduledEdge, SlotSchedule, WordBits, bits_of,
};
use super::{FamilyError, check_words, step_after};
use crate::Graph;
use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

/// The bit of an edge that has been taken; slots follow.
const TAKEN: usize = 0;

/// A kind of cuts.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutRule {
    /// Two vertices that are on different sides.
    pub(super) apart: Option<(usize, usize)>,
    /// Whether both sides are connected. Then `apart`, or else all vertices, must be in one component of the graph;
    /// edges of other components are in no cut.
    pub(super) minimal: bool,
}

#[derive(Clone, Debug)]
struct CutStep {
    ends: [EdgeEnd; 2],
    /// Whether both ends are in one component before the step.
    joined: bool,
    /// The slots of the component of the second end, before the step.
    second: Box<[u64]>,
    /// The slots of the component after the step, and the bit of the least of them.
    after: Box<[u64]>,
    least: Option<usize>,
}

/// The spec of a [`CutRule`].
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    /// Whether the empty set is a cut.
    disconnected: bool,
    /// The step of each variable; `None` for edges that are in no cut.
    steps: Vec<Option<CutStep>>,
    /// The last variable with a step.
    last: usize,
    /// The first state, if there is one.
    root: Option<Vec<u64>>,
    sides: Option<ConnectedSides>,
    words: usize,
}

/// The bit of a slot.
fn bit_of(slot: usize) -> usize {
    slot + 1
}

#[inline]
fn bit(words: &[u64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

#[inline]
fn clear(words: &mut [u64], at: usize) {
    words[at / 64] &= !(1 << (at % 64));
}

#[inline]
fn flip(words: &mut [u64], by: &[u64]) {
    words.iter_mut().zip(by).for_each(|(word, by)| *word ^= by);
}

fn set(words: &mut [u64], at: usize) {
    words[at / 64] |= 1 << (at % 64);
}

impl Cuts {
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if a state would be too long.
    pub(super) fn new(graph: &Graph, rule: CutRule, order: &[usize]) -> Result<Self, FamilyError> {
        let (vertices, edges) = (graph.num_vertices(), graph.num_edges());
        let components = graph.components();
        let is_cut = |&edge: &usize| {
            let (a, b) = graph.edges()[edge];
            let is_elsewhere = |(s, _): (usize, usize)| components[s] != components[a];
            a != b && !(rule.minimal && rule.apart.is_some_and(is_elsewhere))
        };
        // The edge between the vertices that are apart is the last one, and comes first.
        let ends = graph.edges().iter().copied().chain(rule.apart);
        let joined = Graph::new(vertices, ends)?;
        let first = rule.apart.map(|_| edges);
        let kept: Vec<usize> =
            first.into_iter().chain(order.iter().copied().filter(is_cut)).collect();
        let schedule = SlotSchedule::new(&joined, &kept);
        let mut allocator = Allocator::default();
        let bits = allocator.fields(schedule.width + 1, 1);
        let sides = rule.minimal.then(|| ConnectedSides::new(&mut allocator, &bits[1..]));
        let words = allocator.words();
        check_words(schedule.width, words)?;
        let mut of_kept = cut_steps(&schedule).into_iter();
        let of_apart = first.and_then(|_| of_kept.next());
        let steps: Vec<Option<CutStep>> =
            order.iter().map(|edge| is_cut(edge).then(|| of_kept.next()).flatten()).collect();
        let last = steps.iter().rposition(Option::is_some).unwrap_or(0);
        let disconnected = graph.num_components() > 1;
        let mut cuts = Self { disconnected, steps, last, root: None, sides, words };
        let mut root = vec![0; words];
        let is_alive = of_apart.is_none_or(|step| cuts.apply(&mut root, &step, usize::MAX, true));
        cuts.root = (vertices > 1 && is_alive).then_some(root);
        Ok(cuts)
    }

    /// Applies a decision to a state. Returns whether it may be one of a cut.
    fn apply(&self, words: &mut [u64], step: &CutStep, variable: usize, taken: bool) -> bool {
        let [first, second] = step.ends.map(|end| bit(words, bit_of(end.slot)));
        if taken != (first != second) {
            if step.joined {
                return false;
            }
            flip(words, &step.second);
        }
        if let Some(sides) = &self.sides
            && !sides.update(words, step, taken)
        {
            return false;
        }
        // The vertices that leave have no side any more.
        for end in step.ends.iter().filter(|end| end.leaves) {
            clear(words, bit_of(end.slot));
        }
        if step.least.is_some_and(|least| bit(words, least)) {
            flip(words, &step.after);
        }
        words[0] |= u64::from(taken) << TAKEN;
        self.sides.as_ref().is_none_or(|sides| sides.may_be_connected(words, variable == self.last))
    }

    fn decide(&self, words: &mut [u64], variable: usize, taken: bool) -> Step<()> {
        let is_alive = match &self.steps[variable] {
            Some(step) => self.apply(words, step, variable, taken),
            None => !taken,
        };
        if is_alive { self.step_to(words, variable + 1) } else { Step::Zero }
    }

    /// The step to a state of a variable, or to a terminal after the last one.
    fn step_to(&self, words: &[u64], variable: usize) -> Step<()> {
        let is_cut = || match &self.sides {
            Some(sides) => sides.are_complete(words),
            None => bit(words, TAKEN) || self.disconnected,
        };
        if variable < self.steps.len() {
            Step::To(variable, ())
        } else if is_cut() {
            Step::One
        } else {
            Step::Zero
        }
    }
}

/// The steps of a schedule, with the components of the edges decided.
fn cut_steps(schedule: &SlotSchedule) -> Vec<CutStep> {
    let empty = vec![0; (schedule.width + 1).div_ceil(64)];
    // The component of each slot, and the slots of each component.
    let mut component = vec![usize::MAX; schedule.width];
    let mut members = vec![empty.clone(); schedule.width];
    let mut steps = Vec::with_capacity(schedule.steps.len());
    for scheduled in &schedule.steps {
        for end in scheduled.ends.iter().filter(|end| end.enters) {
            component[end.slot] = end.slot;
            members[end.slot].clone_from(&empty);
            set(&mut members[end.slot], bit_of(end.slot));
        }
        let [first, second] = scheduled.ends.map(|end| component[end.slot]);
        let second_members = members[second].clone();
        let keeps = first.min(second);
        let mut after = members[first].clone();
        after.iter_mut().zip(&second_members).for_each(|(word, bits)| *word |= bits);
        for end in scheduled.ends.iter().filter(|end| end.leaves) {
            clear(&mut after, bit_of(end.slot));
        }
        let slots = slots_of(&after);
        let least = slots.first().copied();
        for &slot in &slots {
            component[slot] = least.unwrap_or(keeps);
        }
        if let Some(least) = least {
            members[least].clone_from(&after);
        }
        steps.push(CutStep {
            ends: scheduled.ends,
            joined: first == second,
            second: second_members.into(),
            after: after.into(),
            least: least.map(bit_of),
        });
    }
    steps
}

/// The slots of a set of bits, ascending.
fn slots_of(words: &[u64]) -> Vec<usize> {
    let mut slots = Vec::new();
    for (i, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            slots.push(i * 64 + left.trailing_zeros() as usize - 1);
            left &= left - 1;
        }
    }
    slots
}

impl ArraySpec for Cuts {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.steps.len()
    }

    fn len(&self, _: usize) -> usize {
        self.words
    }

    fn root(&self, (): &mut (), words: &mut [u64]) -> Step<()> {
        let Some(root) = &self.root else { return Step::Zero };
        let step = self.step_to(root, 0);
        // Without variables, a state has no words.
        if matches!(step, Step::To(..)) {
            words.copy_from_slice(root);
        }
        step
    }

    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        self.decide(words, variable, value == 1)
    }

    fn forced(&self, (): &mut (), words: &mut [u64], variable: usize) -> Forced<()> {
        let is_known = |step: &CutStep| {
            step.joined || self.sides.as_ref().is_some_and(|sides| sides.has_one(words))
        };
        let taken = match &self.steps[variable] {
            Some(step) if !is_known(step) => return Forced::Free,
            Some(step) => {
                let [first, second] = step.ends.map(|end| bit(words, bit_of(end.slot)));
                first != second
            }
            None => false,
        };
        Forced::to(usize::from(taken), self.decide(words, variable, taken))
    }
}

/// The fields of the components of both sides.
#[derive(Clone, Debug)]
struct ConnectedSides {
    labels: LabelFields,
    /// The number of components that are complete.
    complete: Field,
    /// The sides of all slots.
    sides: WordBits,
}

impl ConnectedSides {
    /// Allocates the fields, given the field of the side of each slot.
    fn new(allocator: &mut Allocator, sides: &[Field]) -> Self {
        let labels = LabelFields::new(allocator, sides.len(), bits_of(sides.len() as u64));
        let complete = allocator.field(2);
        let mut words = vec![0; allocator.words()];
        for side in sides {
            side.set(&mut words, 1);
        }
        Self { labels, complete, sides: WordBits::from_words(&words) }
    }

    /// Joins the ends of an edge that is not taken, and removes the vertices that leave. Returns whether the sides
    /// may still be connected.
    fn update(&self, words: &mut [u64], step: &CutStep, taken: bool) -> bool {
        for end in step.ends.iter().filter(|end| end.enters) {
            self.labels.set(words, end.slot, end.slot as u64 + 1);
        }
        let [a, b] = step.ends.map(|end| self.labels.get(words, end.slot));
        if !taken {
            self.labels.replace(words, a.max(b), a.min(b));
        } else if self.has_one(words) {
            return false;
        }
        for end in step.ends.iter().filter(|end| end.leaves) {
            if let Removed::Last = self.labels.remove(words, end.slot) {
                let complete = self.complete.get(words) + 1;
                self.complete.set(words, complete);
                // The other vertices of the component of decided edges must be on the other side.
                let side = bit(words, bit_of(end.slot));
                if step.least.is_some_and(|least| bit(words, least) == side) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the state after a step has at most one component on a side that is complete. `is_last` is whether all
    /// vertices have left.
    fn may_be_connected(&self, words: &[u64], is_last: bool) -> bool {
        match self.complete.get(words) {
            0 => true,
            1 => !self.sides.any_in(words),
            _ => is_last,
        }
    }

    /// Whether one side is complete, so that all other vertices are on the other side.
    #[inline]
    fn has_one(&self, words: &[u64]) -> bool {
        self.complete.get(words) > 0
    }

    /// Whether both sides are complete.
    fn are_complete(&self, words: &[u64]) -> bool {
        self.complete.get(words) == 2
    }
}

/// The spec of all bipartite edge sets.
#[derive(Clone, Debug)]
pub(super) struct Bipartite {
    schedule: SlotSchedule,
    codes: LabelFields,
    words: usize,
}

/// The code of the side of the least slot of a component.
fn code(slot: usize) -> u64 {
    2 * slot as u64 + 1
}

impl Bipartite {
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Result<Self, FamilyError> {
        let schedule = SlotSchedule::new(graph, order);
        let mut allocator = Allocator::default();
        let bits = bits_of(2 * schedule.width as u64);
        let codes = LabelFields::new(&mut allocator, schedule.width, bits);
        let words = allocator.words();
        check_words(schedule.width, words)?;
        Ok(Self { schedule, codes, words })
    }

    /// The codes of the ends of an edge, after those that enter have been added.
    fn open(&self, words: &mut [u64], step: &ScheduledEdge) -> [u64; 2] {
        for end in step.ends.iter().filter(|end| end.enters) {
            self.codes.set(words, end.slot, code(end.slot));
        }
        step.ends.map(|end| self.codes.get(words, end.slot))
    }

    /// Replaces both codes of a component by the codes of another, exchanged if `side` is 1.
    fn rename(&self, words: &mut [u64], from: u64, to: u64, side: u64) {
        self.codes.replace(words, from, to + side);
        self.codes.replace(words, from + 1, to + (1 - side));
    }

    /// Removes a vertex from the frontier.
    fn remove(&self, words: &mut [u64], slot: usize) {
        let old = self.codes.get(words, slot);
        self.codes.set(words, slot, 0);
        if old != code(slot) {
            return;
        }
        let rest = [old, old + 1].map(|code| self.codes.find(words, code));
        if let Some(least) = rest.into_iter().flatten().min() {
            let side = self.codes.get(words, least) - old;
            self.rename(words, old, code(least), side);
        }
    }
}

/// Whether two codes are of one component.
fn joined(a: u64, b: u64) -> bool {
    (a - 1) / 2 == (b - 1) / 2
}

impl ArraySpec for Bipartite {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.schedule.steps.len()
    }

    fn len(&self, _: usize) -> usize {
        self.words
    }

    fn root(&self, (): &mut (), _: &mut [u64]) -> Step<()> {
        if self.schedule.steps.is_empty() { Step::One } else { Step::To(0, ()) }
    }

    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        let step = &self.schedule.steps[variable];
        let [a, b] = self.open(words, step);
        if value == 1 && a == b {
            return Step::Zero;
        }
        if value == 1 && !joined(a, b) {
            // Codes are odd on the side of the least slot. The ends are on different sides.
            let side = 1 ^ ((a ^ b) & 1);
            let [keeps, loses] = [a.min(b), a.max(b)].map(|code| (code - 1) / 2 * 2 + 1);
            self.rename(words, loses, keeps, side);
        }
        for (end, _) in step.ends.iter().zip([false, step.is_loop]).filter(|(_, again)| !again) {
            if end.leaves {
                self.remove(words, end.slot);
            }
        }
        step_after(variable, self.num_vars())
    }

    fn forced(&self, head: &mut (), words: &mut [u64], variable: usize) -> Forced<()> {
        let [a, b] = self.open(words, &self.schedule.steps[variable]);
        if a == b { Forced::to(0, self.child(head, words, variable, 0)) } else { Forced::Free }
    }
}
