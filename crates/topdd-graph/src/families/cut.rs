//! The sweep over cuts, one variable for each edge.
//!
//! The decided edges, taken or not, have components that do not depend on the state. Within each,
//! the side of every vertex relative to the others is known. The state contains, for each slot of
//! the frontier, whether its side differs from the side of the least slot of its component; and whether
//! an edge has been taken.

use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

use super::schedule::Schedule;
use super::{FamilyError, check_words};
use crate::Graph;

/// The bit of an edge that has been taken; slots follow.
const TAKEN: usize = 0;

#[derive(Clone, Debug)]
struct CutStep {
    bits: [usize; 2],
    /// Whether both ends are in one component before the step.
    joined: bool,
    /// The slots of the component of the second end, before the step.
    second: Box<[u64]>,
    /// The slots of the component after the step, and the least of them.
    after: Box<[u64]>,
    least: usize,
}

/// The spec of all cuts.
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    /// Whether the empty set is a cut.
    disconnected: bool,
    steps: Vec<CutStep>,
    root: Step<()>,
    num_slots: usize,
}

#[inline]
fn bit(words: &[u64], at: usize) -> bool {
    words[at / 64] >> (at % 64) & 1 == 1
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
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Result<Self, FamilyError> {
        let schedule = Schedule::new(graph, order);
        check_words(schedule.width, (schedule.width + 1).div_ceil(64))?;
        let empty = vec![0; (schedule.width + 1).div_ceil(64)];
        // The component of each slot, and the slots of each component.
        let mut component = vec![usize::MAX; schedule.width];
        let mut members = vec![empty.clone(); schedule.width];
        let mut steps = Vec::with_capacity(schedule.steps.len());
        for scheduled in &schedule.steps {
            for end in scheduled.ends.iter().filter(|end| end.enters) {
                component[end.slot] = end.slot;
                members[end.slot].clone_from(&empty);
                set(&mut members[end.slot], end.slot + 1);
            }
            let [first, second] = scheduled.ends.map(|end| component[end.slot]);
            let second_members = members[second].clone();
            let keeps = first.min(second);
            let mut after = members[first].clone();
            after.iter_mut().zip(&second_members).for_each(|(word, bits)| *word |= bits);
            for end in scheduled.ends.iter().filter(|end| end.leaves) {
                after[(end.slot + 1) / 64] &= !(1 << ((end.slot + 1) % 64));
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
                bits: scheduled.ends.map(|end| end.slot + 1),
                joined: first == second,
                second: second_members.into(),
                after: after.into(),
                least: least.map_or(TAKEN, |slot| slot + 1),
            });
        }
        let disconnected = graph.num_components() > 1;
        let root = match (steps.is_empty(), disconnected) {
            (true, true) => Step::One,
            (true, false) => Step::Zero,
            (false, _) if graph.num_vertices() < 2 => Step::Zero,
            (false, _) => Step::To(0, ()),
        };
        Ok(Self { disconnected, steps, root, num_slots: schedule.width })
    }

    fn decide(&self, words: &mut [u64], variable: usize, taken: bool) -> Step<()> {
        let step = &self.steps[variable];
        let [first, second] = step.bits.map(|at| bit(words, at));
        if taken != (first != second) {
            if step.joined {
                return Step::Zero;
            }
            flip(words, &step.second);
        }
        let has_taken = taken || bit(words, TAKEN);
        // The vertices that leave have no side any more.
        for at in step.bits {
            if step.after[at / 64] >> (at % 64) & 1 == 0 {
                words[at / 64] &= !(1 << (at % 64));
            }
        }
        if step.least != TAKEN && bit(words, step.least) {
            flip(words, &step.after);
        }
        words[0] |= u64::from(has_taken) << TAKEN;
        if variable + 1 < self.steps.len() {
            Step::To(variable + 1, ())
        } else if has_taken || self.disconnected {
            Step::One
        } else {
            Step::Zero
        }
    }
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
        (self.num_slots + 1).div_ceil(64)
    }

    fn root(&self, (): &mut (), _: &mut [u64]) -> Step<()> {
        self.root
    }

    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        self.decide(words, variable, value == 1)
    }

    fn forced(&self, (): &mut (), words: &mut [u64], variable: usize) -> Forced<()> {
        let step = &self.steps[variable];
        if !step.joined {
            return Forced::Free;
        }
        let [first, second] = step.bits.map(|at| bit(words, at));
        let taken = first != second;
        Forced::to(usize::from(taken), self.decide(words, variable, taken))
    }
}
