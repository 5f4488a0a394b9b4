//! The sweep over cuts, one variable for each edge.
//!
//! The decided edges, taken or not, have components that do not depend on the state. Within each,
//! the side of every vertex relative to the others is known. The state contains, for each slot of
//! the frontier, whether its side differs from that of the least slot of its component; and whether
//! an edge has been taken.

use topdd::{DdSpec, Forced, Step};

use super::FamilyError;
use super::schedule::Schedule;
use crate::Graph;
use crate::words::Words;

/// The bit of an edge that has been taken; slots follow.
const TAKEN: usize = 0;

#[derive(Clone, Debug)]
pub(super) struct CutPlan {
    schedule: Schedule,
    vertices: usize,
    /// Whether the empty set is a cut.
    disconnected: bool,
}

impl CutPlan {
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        Self {
            schedule: Schedule::new(graph, order),
            vertices: graph.num_vertices(),
            disconnected: graph.num_components() > 1,
        }
    }

    /// The number of words of a state.
    pub(super) fn words(&self) -> usize {
        (self.schedule.width + 1).div_ceil(64)
    }
}

#[derive(Clone, Debug)]
struct CutStep<const W: usize> {
    bits: [usize; 2],
    /// Whether both ends are in one component before the step.
    joined: bool,
    /// The slots of the component of the second end, before the step.
    second: [u64; W],
    /// The slots of the component after the step, and the least of them.
    after: [u64; W],
    least: usize,
}

/// The spec of all cuts.
#[derive(Clone, Debug)]
pub(super) struct Cuts<const W: usize> {
    disconnected: bool,
    steps: Vec<CutStep<W>>,
    root: Step<Words<W>>,
}

#[inline]
fn bit<const W: usize>(words: &[u64; W], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
}

#[inline]
fn flip<const W: usize>(words: &mut [u64; W], by: &[u64; W]) {
    words.iter_mut().zip(by).for_each(|(word, by)| *word ^= by);
}

impl<const W: usize> Cuts<W> {
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if `W` words are too few.
    pub(super) fn new(plan: &CutPlan) -> Result<Self, FamilyError> {
        let needed = plan.words();
        if needed > W {
            return Err(FamilyError::too_wide(plan.schedule.width, needed, W));
        }
        // The component of each slot, and the slots of each component.
        let mut component = vec![usize::MAX; plan.schedule.width];
        let mut members = vec![[0; W]; plan.schedule.width];
        let set = |words: &mut [u64; W], at: usize| words[at / 64] |= 1 << (at % 64);
        let mut steps = Vec::with_capacity(plan.schedule.steps.len());
        for scheduled in &plan.schedule.steps {
            for end in scheduled.ends.iter().filter(|end| end.enters) {
                component[end.slot] = end.slot;
                members[end.slot] = [0; W];
                set(&mut members[end.slot], end.slot + 1);
            }
            let [first, second] = scheduled.ends.map(|end| component[end.slot]);
            let joined = first == second;
            let second_members = members[second];
            let keeps = first.min(second);
            let mut after = members[first];
            after.iter_mut().zip(second_members).for_each(|(word, bits)| *word |= bits);
            for end in scheduled.ends.iter().filter(|end| end.leaves) {
                after[(end.slot + 1) / 64] &= !(1 << ((end.slot + 1) % 64));
            }
            let slots = slots_of(&after);
            let least = slots.first().copied();
            for &slot in &slots {
                component[slot] = least.unwrap_or(keeps);
            }
            if let Some(least) = least {
                members[least] = after;
            }
            steps.push(CutStep {
                bits: scheduled.ends.map(|end| end.slot + 1),
                joined,
                second: second_members,
                after,
                least: least.map_or(TAKEN, |slot| slot + 1),
            });
        }
        let root = match (steps.is_empty(), plan.disconnected) {
            (true, true) => Step::One,
            (true, false) => Step::Zero,
            (false, _) if plan.vertices < 2 => Step::Zero,
            (false, _) => Step::To(0, Words::EMPTY),
        };
        Ok(Self { disconnected: plan.disconnected, steps, root })
    }

    fn decide(&self, state: &Words<W>, variable: usize, taken: bool) -> Step<Words<W>> {
        let step = &self.steps[variable];
        let mut words = state.0;
        let [first, second] = step.bits.map(|at| bit(&words, at));
        if taken != (first != second) {
            if step.joined {
                return Step::Zero;
            }
            flip(&mut words, &step.second);
        }
        let has_taken = taken || bit(&words, TAKEN);
        // The vertices that leave have no side any more.
        for at in step.bits {
            if step.after[at / 64] >> (at % 64) & 1 == 0 {
                words[at / 64] &= !(1 << (at % 64));
            }
        }
        if step.least != TAKEN && bit(&words, step.least) {
            flip(&mut words, &step.after);
        }
        words[0] |= u64::from(has_taken) << TAKEN;
        if variable + 1 < self.steps.len() {
            Step::To(variable + 1, Words(words))
        } else if has_taken || self.disconnected {
            Step::One
        } else {
            Step::Zero
        }
    }
}

/// The slots of a set of bits, ascending.
fn slots_of<const W: usize>(words: &[u64; W]) -> Vec<usize> {
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

impl<const W: usize> DdSpec for Cuts<W> {
    type State = Words<W>;

    fn num_vars(&self) -> usize {
        self.steps.len()
    }

    fn root(&self) -> Step<Words<W>> {
        self.root
    }

    fn child(&self, state: &Words<W>, variable: usize, value: usize) -> Step<Words<W>> {
        self.decide(state, variable, value == 1)
    }

    fn forced(&self, state: &Words<W>, variable: usize) -> Forced<Words<W>> {
        let step = &self.steps[variable];
        if !step.joined {
            return Forced::Free;
        }
        let [first, second] = step.bits.map(|at| bit(&state.0, at));
        let taken = first != second;
        Forced::to(usize::from(taken), self.decide(state, variable, taken))
    }
}
