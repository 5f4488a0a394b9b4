//! Depth-first search over the states of a spec, without recursion.

use super::failed::FailedStates;
use super::{Order, Search, SearchReport};
use crate::BuildError;
use crate::frontier::Watch;
use crate::random::SplitMix;
use crate::spec::{Arities, DdSpec, Rule, Step, checked_root, each_checked_child};

/// A walk over the states of a spec. Its position is a solution, or before the first.
pub(super) struct Walk<'a, S: DdSpec> {
    spec: &'a S,
    rule: Rule,
    arities: Arities,
    limits: SearchLimits,
    failed: FailedStates<S::State>,
    /// The seed of the order of values; `None` for ascending values.
    seed: Option<u64>,
    draw: Option<SplitMix>,
    restarts: Option<Restarts>,
    path: Path<S::State>,
    started: bool,
    report: SearchReport,
}

/// The path from the root to the current state.
struct Path<State> {
    /// The frames entered that may have more solutions, from the root down.
    frames: Vec<Frame<State>>,
    /// The steps still to be taken from the states of the frames: the steps of the last frame at the
    /// end, and of each state the next step last.
    steps: Vec<(usize, Step<State>)>,
    /// The values on the path. Values after the current variable are outdated.
    values: Vec<usize>,
}

/// The limits of time, which are checked from time to time.
struct SearchLimits {
    watch: Watch,
    /// The work left before the next check.
    patience: usize,
}

impl SearchLimits {
    /// Checks the limits once in [`PATIENCE`] units of work.
    fn check(&mut self, variable: usize) -> Result<(), BuildError> {
        if self.patience == 0 {
            self.watch.check(Some(variable))?;
            self.patience = PATIENCE;
        }
        self.patience -= 1;
        Ok(())
    }
}

#[derive(Debug)]
enum Frame<State> {
    /// A state.
    State {
        variable: usize,
        state: State,
        /// The number of steps that belong to frames below this one.
        base: usize,
        before: Before,
    },
    /// Skipped variables that may have any value, and the step after them.
    Free { from: usize, to: usize, tail: Step<State>, before: Before },
}

/// The counts when a frame was put on the stack.
#[derive(Clone, Copy, Debug)]
struct Before {
    solutions: u64,
    work: u64,
}

/// The schedule of restarts.
#[derive(Debug)]
struct Restarts {
    unit: u64,
    lengths: Luby,
    /// The number of states at which the run ends.
    end: u64,
}

/// The result of a step.
enum EnteredState {
    Nothing,
    State,
    Solution,
}

/// The work between two checks of limits, in states and steps.
const PATIENCE: usize = 1 << 12;

impl<'a, S: DdSpec> Walk<'a, S> {
    /// Validates the spec and prepares the walk from its root.
    pub(super) fn new(search: &Search<'a, S>) -> Result<Self, BuildError> {
        let arities = Arities::from_spec(search.spec)?;
        let watch = Watch::start(search.time_limit, search.cancel.clone());
        let seed = search.seed.or(search.restarts.map(|_| 0));
        let restarts = |unit| Restarts { unit, lengths: Luby::new(), end: 0 };
        Ok(Walk {
            spec: search.spec,
            rule: search.rule,
            limits: SearchLimits { watch, patience: 0 },
            failed: FailedStates::within(search.memory_limit),
            seed,
            draw: seed.map(SplitMix),
            restarts: search.restarts.map(restarts),
            path: Path {
                frames: Vec::new(),
                steps: Vec::new(),
                values: vec![0; arities.num_vars()],
            },
            arities,
            started: false,
            report: SearchReport::default(),
        })
    }

    /// The current solution.
    pub(super) fn values(&self) -> &[usize] {
        &self.path.values
    }

    pub(super) fn report(&self) -> SearchReport {
        SearchReport {
            dead_states: self.failed.len(),
            dead_evicted: self.failed.evicted,
            dead_bytes: self.failed.bytes(),
            elapsed: self.limits.watch.elapsed(),
            ..self.report
        }
    }

    /// Advances to the next solution; `false` if there is none.
    pub(super) fn advance(&mut self, order: Option<&Order<'a, S>>) -> Result<bool, BuildError> {
        if !self.started {
            self.started = true;
            if self.enter_root(order)? {
                return Ok(true);
            }
        }
        loop {
            if self.is_run_over() {
                self.report.restarts += 1;
                if self.enter_root(order)? {
                    return Ok(true);
                }
            }
            let next = match self.path.frames.last() {
                None => return Ok(false),
                Some(&Frame::State { variable, base, .. }) if self.path.steps.len() > base => {
                    let (value, step) =
                        self.path.steps.pop().expect("there are more than the base");
                    self.path.values[variable] = value;
                    self.enter(step, variable + 1, order)?
                }
                // Without a solution below, other values have none either.
                Some(&Frame::Free { from, to, before, .. })
                    if self.report.solutions > before.solutions =>
                {
                    self.limits.check(from)?;
                    if !self.turn(from, to) {
                        self.leave();
                        continue;
                    }
                    self.enter_tail(self.tail(), order)?
                }
                Some(_) => {
                    self.leave();
                    continue;
                }
            };
            if matches!(next, EnteredState::Solution) {
                self.report.solutions += 1;
                return Ok(true);
            }
        }
    }

    /// Begins a run; returns `true` if it is at a solution.
    fn enter_root(&mut self, order: Option<&Order<'a, S>>) -> Result<bool, BuildError> {
        self.path.frames.clear();
        self.path.steps.clear();
        self.limits.watch.check(None)?;
        if let Some(restarts) = &mut self.restarts {
            let length = restarts.lengths.next().unwrap_or(u64::MAX);
            restarts.end = self.report.states.saturating_add(length.saturating_mul(restarts.unit));
        }
        let root = checked_root(self.spec, self.rule, self.arities.num_vars())?;
        let found = matches!(self.enter(root, 0, order)?, EnteredState::Solution);
        self.report.solutions += u64::from(found);
        Ok(found)
    }

    fn is_run_over(&self) -> bool {
        let states = self.report.states;
        // After the first solution, a restart would find it again.
        self.restarts.as_ref().is_some_and(|restarts| states >= restarts.end)
            && self.report.solutions == 0
            && !self.path.frames.is_empty()
    }

    /// Takes a step, after which the variables from `from` on are undecided.
    fn enter(
        &mut self,
        step: Step<S::State>,
        from: usize,
        order: Option<&Order<'a, S>>,
    ) -> Result<EnteredState, BuildError> {
        let to = match &step {
            Step::Zero => return Ok(EnteredState::Nothing),
            Step::One => self.arities.num_vars(),
            Step::To(variable, state) => {
                if self.failed.meet(*variable, state) {
                    self.report.dead_hits += 1;
                    return Ok(EnteredState::Nothing);
                }
                *variable
            }
        };
        match self.rule {
            Rule::ZeroSuppressed => self.path.values[from..to].fill(0),
            Rule::AnyValue => {
                for variable in from..to {
                    self.path.values[variable] = self.first_value(variable);
                }
                if from < to {
                    let before = self.before();
                    self.path.frames.push(Frame::Free { from, to, tail: step.clone(), before });
                }
            }
        }
        self.enter_tail(step, order)
    }

    /// Takes a step whose skipped variables have values.
    fn enter_tail(
        &mut self,
        step: Step<S::State>,
        order: Option<&Order<'a, S>>,
    ) -> Result<EnteredState, BuildError> {
        match step {
            Step::Zero => Ok(EnteredState::Nothing),
            Step::One => Ok(EnteredState::Solution),
            Step::To(variable, state) => {
                self.expand(variable, state, order)?;
                Ok(EnteredState::State)
            }
        }
    }

    /// The step after the skipped variables on top of the stack.
    fn tail(&self) -> Step<S::State> {
        match self.path.frames.last() {
            Some(Frame::Free { tail, .. }) => tail.clone(),
            _ => Step::Zero,
        }
    }

    fn before(&self) -> Before {
        Before { solutions: self.report.solutions, work: self.work() }
    }

    /// The work so far, by which states are worth storing.
    fn work(&self) -> u64 {
        self.report.states + self.report.dead_hits
    }

    /// Puts a state on the stack, with the steps from it, and checks the spec's contract.
    fn expand(
        &mut self,
        variable: usize,
        state: S::State,
        order: Option<&Order<'a, S>>,
    ) -> Result<(), BuildError> {
        self.limits.check(variable)?;
        let (before, base) = (self.before(), self.path.steps.len());
        let arity = self.arities.get(variable);
        let children = &mut self.path.steps;
        each_checked_child(self.spec, &self.arities, &state, variable, |value, step| {
            children.push((value, step));
        })?;
        let children = &mut self.path.steps[base..];
        if let Some(draw) = &mut self.draw {
            draw.shuffle(children);
        }
        if let Some(order) = order {
            order(variable, children);
        }
        // The next one is taken from the end.
        children.reverse();
        self.limits.patience = self.limits.patience.saturating_sub(children.len() + arity / 16);
        self.report.states += 1;
        self.path.frames.push(Frame::State { variable, state, base, before });
        Ok(())
    }

    /// Removes the topmost frame, and stores its state if that has no solution.
    fn leave(&mut self) {
        if let Some(Frame::State { variable, state, before, .. }) = self.path.frames.pop() {
            let work = self.work() - before.work;
            // States found dead by a single step are not worth the memory.
            if self.report.solutions == before.solutions && work > 1 {
                self.failed.remember(variable, state, work);
            }
        }
    }

    /// The first value of a skipped variable.
    fn first_value(&self, variable: usize) -> usize {
        // The same each time, so the walk recognises the end of the values of a variable.
        self.seed
            .map_or(0, |seed| SplitMix(seed ^ variable as u64).below(self.arities.get(variable)))
    }

    /// Advances skipped variables to their next values; `false` after the last.
    fn turn(&mut self, from: usize, to: usize) -> bool {
        for variable in (from..to).rev() {
            let first = self.first_value(variable);
            let next = self.path.values[variable] + 1;
            let next = if next == self.arities.get(variable) { 0 } else { next };
            self.path.values[variable] = next;
            if next != first {
                return true;
            }
        }
        false
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ... of Luby, Sinclair and
/// Zuckerman, by the pair that Knuth runs through (*The Art of Computer Programming*,
/// 7.2.2.2, exercise 293).
#[derive(Clone, Debug)]
pub(super) struct Luby {
    u: u64,
    v: u64,
}

impl Luby {
    pub(super) fn new() -> Self {
        Luby { u: 1, v: 1 }
    }
}

impl Iterator for Luby {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let current = self.v;
        if self.u & self.u.wrapping_neg() == self.v {
            (self.u, self.v) = (self.u + 1, 1);
        } else {
            self.v *= 2;
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::Luby;

    #[test]
    fn each_block_repeats_the_sequence_so_far_and_doubles() {
        let first: Vec<_> = Luby::new().take(15).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        let all: Vec<_> = Luby::new().take((1 << 12) - 1).collect();
        for k in 1..12 {
            let half = (1 << k) - 1;
            assert_eq!(all[..half], all[half..2 * half]);
            assert_eq!(all[2 * half], 1 << k);
        }
    }
}
