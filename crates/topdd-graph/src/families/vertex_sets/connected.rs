//! Connected induced subgraphs, and connected dominating sets.

use smallvec::SmallVec;
use topdd::{DdSpec, Step};

use super::super::FamilyError;
use super::schedule::Schedule;

/// The code of each slot, in the order of the slots; [`DONE`] alone if the subgraph is complete.
pub(super) type Codes = SmallVec<[u16; 16]>;

/// The code of a vertex that is no member, and of an empty slot.
const OUTSIDE: u16 = 0;
/// The code of a vertex that is no member and has no member as a neighbour, where it needs one.
const UNDOMINATED: u16 = 1;
/// The code of the members of the first component; the next ones follow.
const FIRST: u16 = 2;
/// The only code of the state after the subgraph left the frontier.
const DONE: u16 = u16::MAX;

/// The vertex sets, not empty, whose induced subgraph is connected. Decides each vertex in turn and
/// skips none.
#[derive(Clone, Debug)]
pub(super) struct Connected {
    schedule: Schedule,
    dominating: bool,
}

impl Connected {
    pub(super) fn new(schedule: Schedule, dominating: bool) -> Result<Self, FamilyError> {
        let (slots, most) = (schedule.num_slots(), usize::from(DONE - FIRST));
        if slots >= most {
            let [bytes, most] = [slots, most].map(|codes| codes * size_of::<u16>());
            return Err(FamilyError::TooWide { slots, bytes, most });
        }
        Ok(Self { schedule, dominating })
    }

    /// Joins the components of the earlier neighbours, dominates them, and returns the code of the
    /// new member.
    fn join(&self, codes: &mut Codes, variable: usize) -> u16 {
        // Codes are at most the number of slots, so that one above all of them is free.
        let own = codes.iter().copied().max().unwrap_or(0).max(FIRST - 1) + 1;
        for &slot in self.schedule.earlier(variable) {
            let code = codes[slot as usize];
            if code >= FIRST && code != own {
                codes.iter_mut().filter(|other| **other == code).for_each(|other| *other = own);
            } else if code == UNDOMINATED {
                codes[slot as usize] = OUTSIDE;
            }
        }
        own
    }

    /// The code of a vertex that is no member.
    fn outside(&self, codes: &Codes, variable: usize) -> u16 {
        let member = |&slot: &u32| codes[slot as usize] >= FIRST;
        if self.dominating && !self.schedule.earlier(variable).iter().any(member) {
            UNDOMINATED
        } else {
            OUTSIDE
        }
    }

    /// The state after a vertex with the code `own`; `None` if there is no solution.
    fn leave(&self, mut codes: Codes, variable: usize, own: u16) -> Option<Codes> {
        let slot = self.schedule.slot(variable);
        let mut left: SmallVec<[u16; 8]> = SmallVec::new();
        for &slot in self.schedule.leaving(variable) {
            left.push(std::mem::replace(&mut codes[slot as usize], OUTSIDE));
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
            return Some(numbered(codes));
        }
        // All members are in the component that left, and no later vertex has one as a neighbour.
        let more = codes.iter().any(|&code| code != OUTSIDE);
        let undecided = variable + 1 < self.schedule.num_vertices();
        if more || distinct(&left) > 1 || self.dominating && undecided {
            return None;
        }
        Some(SmallVec::from_slice(&[DONE]))
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

/// The codes with components numbered in the order of their first slots.
fn numbered(mut codes: Codes) -> Codes {
    let mut names: SmallVec<[u16; 16]> = SmallVec::new();
    for code in &mut codes {
        if *code < FIRST {
            continue;
        }
        let place = names.iter().position(|name| name == code).unwrap_or_else(|| {
            names.push(*code);
            names.len() - 1
        });
        *code = FIRST + place as u16;
    }
    codes
}

impl DdSpec for Connected {
    type State = Codes;

    fn num_vars(&self) -> usize {
        self.schedule.num_vertices()
    }

    fn root(&self) -> Step<Codes> {
        if self.num_vars() == 0 {
            return Step::Zero;
        }
        Step::To(0, SmallVec::from_elem(OUTSIDE, self.schedule.num_slots()))
    }

    fn child(&self, state: &Codes, variable: usize, value: usize) -> Step<Codes> {
        let last = variable + 1 == self.num_vars();
        if is_done(state) {
            return match (value, last) {
                (0, true) => Step::One,
                (0, false) => Step::To(variable + 1, state.clone()),
                _ => Step::Zero,
            };
        }
        let mut codes = state.clone();
        let own = if value == 1 {
            self.join(&mut codes, variable)
        } else {
            self.outside(&codes, variable)
        };
        match self.leave(codes, variable, own) {
            Some(next) if last => {
                if is_done(&next) {
                    Step::One
                } else {
                    Step::Zero
                }
            }
            Some(next) => Step::To(variable + 1, next),
            None => Step::Zero,
        }
    }
}

fn is_done(codes: &Codes) -> bool {
    codes.first() == Some(&DONE)
}
