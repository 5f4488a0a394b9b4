//! Drawn assignments, for specs with too many to compare all.
//!
//! A *change* makes a solution another assignment that is often a solution, too.
//! A kind of change is kept if it alone finds one of the mistakes in `planted`, or finds it with at most a tenth of the samples of
//! any other kind. Moved values, reversed runs and exchanged columns of a table do neither.

use super::{STEPS, Verdicts, VerificationRun, VerifyError};
use crate::check::walk::check_path;
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{ErasedSpec, ErasedState};
use crate::{BigUint, DdSpec, Index, Rule, Step};
use rand_core::TryRng;
use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;

/// The number of solutions whose states are checked.
const CHECKED: usize = 100;

/// The maximum number of attempts to make a counterexample smaller.
const TRIES: usize = 10_000;

/// The number of paths to states with the end of a solution, per sample.
pub(super) const PATHS: usize = 100;

/// The number of ends that follow each state: at least, and at most.
pub(super) const ENDS: (usize, usize) = (10, 200);

/// The number of states that a search for one solution enters, per variable.
const ENTERED: usize = 100;

/// The number of changes of a walk, which begins at a drawn solution.
pub(super) const CHANGES: usize = 20;

/// The maximum number of solutions of the spec that are all compared.
const SOLUTIONS: u64 = 1 << 18;

/// The origin of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A solution of the diagram, or one found along `child`.
    Solution,
    Uniform,
    /// A change of a solution, or of an assignment on a walk that the predicate accepts.
    Changed,
    /// A path to a state, followed by the end of another solution.
    Ends,
}

/// The numbers of assignments of one origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) compared: u64,
    /// The number of them that the predicate accepts.
    pub(super) accepted: u64,
}

/// The assignments compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Compared {
    /// Whether all assignments were compared.
    pub(super) all: bool,
    /// Whether all solutions of the diagram are among them.
    pub(super) all_solutions: bool,
    /// By [`Origin`]. If all assignments were compared, they count as uniform.
    pub(super) tallies: [Tally; 4],
}

impl Compared {
    pub(super) fn add(&mut self, origin: Origin, accepted: bool) {
        let tally = &mut self.tallies[origin as usize];
        tally.compared += 1;
        tally.accepted += u64::from(accepted);
    }

    pub(super) fn tally(&self, origin: Origin) -> Tally {
        self.tallies[origin as usize]
    }

    pub(super) fn assignments(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.compared).sum()
    }

    /// Returns the number of solutions among the assignments that are not drawn from the solutions of
    /// the spec, so a spec that lacks solutions may lack them.
    pub(super) fn independent(&self) -> u64 {
        let drawn = [Origin::Uniform, Origin::Changed, Origin::Ends];
        drawn.into_iter().map(|origin| self.tally(origin).accepted).sum()
    }
}

/// The generator of this module as one for diagrams. `fastrand` compiles in a fraction of the time of `rand`.
struct Generator<'a>(&'a mut fastrand::Rng);

impl TryRng for Generator<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.u32(..))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.u64(..))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill(bytes);
        Ok(())
    }
}

/// Draws a solution.
pub(super) trait AssignmentSource {
    fn draw(&mut self, rng: &mut fastrand::Rng) -> Result<Option<Vec<usize>>, VerifyError>;
}

/// Uniform solutions of a diagram.
impl<R: DiagramRule> AssignmentSource for Index<R> {
    fn draw(&mut self, rng: &mut fastrand::Rng) -> Result<Option<Vec<usize>>, VerifyError> {
        if *self.count() == BigUint::ZERO {
            return Ok(None);
        }
        let solution = self.sample(&mut Generator(rng));
        solution.map(Some).map_err(|error| VerifyError::Failed { rule: R::RULE, error })
    }
}

/// Solutions found along `child` in random order, with backtracking.
pub(super) struct Backtracking<'a> {
    pub(super) spec: &'a ErasedSpec<'a>,
    pub(super) rule: Rule,
}

impl Backtracking<'_> {
    /// Returns the values of a state and their steps, in random order, without the 0-terminal.
    fn steps(
        &self,
        variable: usize,
        state: &ErasedState,
        rng: &mut fastrand::Rng,
    ) -> Vec<(usize, Step<ErasedState>)> {
        let values =
            (0..self.spec.arity(variable)).map(|v| (v, self.spec.child(state, variable, v)));
        let mut steps: Vec<_> = values.filter(|(_, step)| !step.is_zero()).collect();
        rng.shuffle(&mut steps);
        steps
    }
}

impl AssignmentSource for Backtracking<'_> {
    fn draw(&mut self, rng: &mut fastrand::Rng) -> Result<Option<Vec<usize>>, VerifyError> {
        let num_vars = self.spec.num_vars();
        // Skipped variables are 0, which both rules allow.
        let mut values = vec![0; num_vars];
        let (variable, root) = match self.spec.root_under(self.rule) {
            Step::Zero => return Ok(None),
            Step::One => return Ok(Some(values)),
            Step::To(variable, state) => (variable, state),
        };
        let mut stack = vec![(variable, self.steps(variable, &root, rng))];
        let mut left = ENTERED.saturating_mul(num_vars).min(STEPS.max(num_vars));
        while let Some((variable, steps)) = stack.last_mut() {
            let variable = *variable;
            match steps.pop() {
                None => drop(stack.pop()),
                Some((value, step)) => {
                    values[variable] = value;
                    values[variable + 1..].fill(0);
                    match step {
                        Step::Zero => {}
                        Step::One => return Ok(Some(values)),
                        Step::To(next, state) => {
                            let Some(fewer) = left.checked_sub(1) else { return Ok(None) };
                            left = fewer;
                            stack.push((next, self.steps(next, &state, rng)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }
}

impl VerificationRun<'_> {
    /// Compares drawn assignments, the solutions of the diagram, and the first ones of the search. Without a diagram,
    /// solutions are found along `child`.
    pub(super) fn compare_samples<R: DiagramRule>(
        &self,
        diagram: Option<(&Diagram<R>, &BigUint)>,
    ) -> Result<Compared, VerifyError> {
        let judge = |assignment: &[usize]| {
            let contains = |(diagram, _): (&Diagram<R>, _)| diagram.contains(assignment);
            self.judge(R::RULE, assignment, diagram.map(|of| contains(of).unwrap_or(false)))
        };
        let affordable = (STEPS / self.spec.num_vars()).max(1);
        let most = SOLUTIONS.min(self.settings.assignments).min(affordable as u64);
        let mut samples = Samples::new(self.spec, R::RULE, self.settings.seed, judge);
        let number = self.settings.samples.min(affordable);
        if let Some((diagram, solutions)) = diagram {
            if *solutions <= most.into() {
                samples.compare_solutions(diagram.iter())?;
            }
            samples.compare_drawn(&mut diagram.index(), number, affordable)?;
        } else {
            let mut source = Backtracking { spec: self.spec, rule: R::RULE };
            samples.compare_drawn(&mut source, number, affordable)?;
        }
        let (compared, worst) = samples.finish()?;
        if let Some(assignment) = worst {
            return Err(self.mismatch(R::RULE, &assignment, judge(&assignment)?));
        }
        let Some((diagram, _)) = diagram else { return Ok(compared) };
        let mut search = self.search(R::RULE);
        let mut found = search.iter();
        for solution in diagram.iter().take(self.settings.samples) {
            let found = found
                .next()
                .transpose()
                .map_err(|error| VerifyError::Failed { rule: R::RULE, error: error.into() })?;
            if found.as_ref() == Some(&solution) {
                continue;
            }
            let extra = found.filter(|found| *found < solution);
            let (assignment, search) = extra.map_or((solution, false), |found| (found, true));
            let verdicts = Verdicts { search: Some(search), ..judge(&assignment)? };
            return Err(self.mismatch(R::RULE, &assignment, verdicts));
        }
        Ok(compared)
    }
}

/// A comparison of drawn assignments.
pub(super) struct Samples<'a, J> {
    spec: &'a ErasedSpec<'a>,
    rule: Rule,
    judge: J,
    rng: fastrand::Rng,
    compared: Compared,
    /// The least assignment so far whose verdicts differ.
    worst: Option<Vec<usize>>,
}

impl<'a, J> Samples<'a, J>
where
    J: Fn(&[usize]) -> Result<Verdicts, VerifyError>,
{
    pub(super) fn new(spec: &'a ErasedSpec<'a>, rule: Rule, seed: u64, judge: J) -> Self {
        let rng = fastrand::Rng::with_seed(seed);
        Samples { spec, rule, judge, rng, compared: Compared::default(), worst: None }
    }

    /// Compares these solutions, which are all of a diagram, in ascending order up to the first
    /// whose verdicts differ.
    fn compare_solutions(
        &mut self,
        mut solutions: impl Iterator<Item = Vec<usize>>,
    ) -> Result<(), VerifyError> {
        self.compared.all_solutions = true;
        while let Some(solution) = solutions.next().filter(|_| self.worst.is_none()) {
            self.compare(Origin::Solution, &solution)?;
        }
        Ok(())
    }

    /// Compares a number of uniform assignments, of solutions and of walks from them, and paths to states followed by
    /// the ends of solutions, at most `most` changes and paths.
    fn compare_drawn(
        &mut self,
        source: &mut impl AssignmentSource,
        samples: usize,
        most: usize,
    ) -> Result<(), VerifyError> {
        let mut ends = Vec::new();
        let changes = CHANGES.min(most / samples.max(1)).max(1);
        for sample in 0..samples {
            self.compare_uniform()?;
            let Some(solution) = source.draw(&mut self.rng)? else { continue };
            if sample < CHECKED {
                check_path(self.spec, self.rule, &solution, 1)?;
            }
            if !self.compared.all_solutions {
                self.compare(Origin::Solution, &solution)?;
            }
            self.compare_walk(&solution, &SampleChange::ALL, changes)?;
            if ends.len() < ENDS.1 {
                ends.push(solution);
            }
        }
        if !ends.is_empty() && self.worst.is_none() {
            self.compare_ends(&ends, samples.saturating_mul(PATHS).min(most))?;
        }
        Ok(())
    }

    /// Returns the coverage, and the least assignment found whose verdicts differ, made smaller still
    /// where that is possible.
    pub(super) fn finish(self) -> Result<(Compared, Option<Vec<usize>>), VerifyError> {
        let worst = self.worst.map(|worst| lessen(worst, &self.judge)).transpose()?;
        Ok((self.compared, worst))
    }

    /// Compares an assignment. Returns whether the predicate accepts it.
    pub(super) fn compare(
        &mut self,
        origin: Origin,
        assignment: &[usize],
    ) -> Result<bool, VerifyError> {
        let verdicts = (self.judge)(assignment)?;
        self.compared.add(origin, verdicts.predicate);
        let less = self.worst.as_deref().is_none_or(|worst| assignment < worst);
        if less && !verdicts.agree() {
            self.worst = Some(assignment.to_vec());
        }
        Ok(verdicts.predicate)
    }

    pub(super) fn compare_uniform(&mut self) -> Result<(), VerifyError> {
        let spec = self.spec;
        let uniform: Vec<usize> =
            (0..spec.num_vars()).map(|v| self.rng.usize(0..spec.arity(v))).collect();
        self.compare(Origin::Uniform, &uniform).map(drop)
    }

    /// Compares changes of an assignment, one after the other. A change that the predicate accepts is the start of the
    /// next, so the walk meets solutions that the spec does not have.
    pub(super) fn compare_walk(
        &mut self,
        start: &[usize],
        kinds: &[SampleChange],
        changes: usize,
    ) -> Result<(), VerifyError> {
        let mut here = start.to_vec();
        for _ in 0..changes {
            let kind = kinds[self.rng.usize(0..kinds.len())];
            let Some(changed) = kind.make(self.spec, &here, &mut self.rng) else { continue };
            if self.compare(Origin::Changed, &changed)? {
                here = changed;
            }
        }
        Ok(())
    }

    /// Compares, for the states of each level, a path to the state followed by the ends of
    /// solutions. A spec that lacks a solution accepts its end after other states, unless it lacks
    /// all solutions with this end.
    pub(super) fn compare_ends(
        &mut self,
        ends: &[Vec<usize>],
        paths: usize,
    ) -> Result<(), VerifyError> {
        let num_vars = self.spec.num_vars();
        let least = ENDS.0.min(ends.len());
        // Where there are too many levels, some are left out.
        let stride = num_vars.saturating_mul(least).div_ceil(paths.max(1)).max(1);
        let of_level = (paths / num_vars.div_ceil(stride)).max(least);
        let mut levels = SampledLevels::new();
        let mut decisions = Vec::new();
        levels.meet(self.spec.root_under(self.rule), |_| None);
        while let Some((variable, mut states)) = levels.pop() {
            let kept = of_level / least;
            if states.len() > kept {
                states = self.rng.choose_multiple(states, kept);
            }
            let number = (of_level / states.len()).clamp(least, ends.len());
            for (state, path) in states {
                decisions.extend(path);
                let path = path.map(|_| decisions.len() - 1);
                for value in 0..self.spec.arity(variable) {
                    let step = self.spec.child(&state, variable, value);
                    levels.meet(step, |_| Some(DrawnDecision { variable, value, before: path }));
                }
                if variable % stride != 0 {
                    continue;
                }
                let mut assignment = vec![0; num_vars];
                write_path(&decisions, path, &mut assignment);
                let from = self.rng.usize(0..ends.len());
                for end in ends.iter().cycle().skip(from).take(number) {
                    if end[..variable] != assignment[..variable] {
                        assignment[variable..].copy_from_slice(&end[variable..]);
                        self.compare(Origin::Ends, &assignment)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The last decision on the path to a state.
#[derive(Clone, Copy)]
struct DrawnDecision {
    variable: usize,
    value: usize,
    /// The index of the decision before it.
    before: Option<usize>,
}

/// The states of a level, each with data of its first path.
type Level<Path> = Vec<(ErasedState, Path)>;

/// The levels that have been reached and not yet visited.
pub(super) struct SampledLevels<Path> {
    pending: BTreeMap<usize, (HashSet<ErasedState>, Level<Path>)>,
}

impl<Path> SampledLevels<Path> {
    pub(super) fn new() -> Self {
        SampledLevels { pending: BTreeMap::new() }
    }

    /// Adds the state of a step, unless it has been reached before.
    pub(super) fn meet(&mut self, step: Step<ErasedState>, path: impl FnOnce(usize) -> Path) {
        let Step::To(variable, state) = step else { return };
        let empty = || (HashSet::new(), Vec::new());
        let (seen, states) = self.pending.entry(variable).or_insert_with(empty);
        if seen.insert(state.clone()) {
            states.push((state, path(variable)));
        }
    }

    pub(super) fn pop(&mut self) -> Option<(usize, Level<Path>)> {
        self.pending.pop_first().map(|(variable, (_, states))| (variable, states))
    }
}

/// Writes the values of a path, whose last decision has this index; skipped variables stay as they are.
fn write_path(decisions: &[DrawnDecision], mut path: Option<usize>, assignment: &mut [usize]) {
    while let Some(index) = path {
        let DrawnDecision { variable, value, before } = decisions[index];
        assignment[variable] = value;
        path = before;
    }
}

/// Makes an assignment whose verdicts differ smaller, one value at a time.
fn lessen(
    mut assignment: Vec<usize>,
    judge: &impl Fn(&[usize]) -> Result<Verdicts, VerifyError>,
) -> Result<Vec<usize>, VerifyError> {
    let mut tries = 0;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for variable in 0..assignment.len() {
            for smaller in 0..assignment[variable] {
                tries += 1;
                if tries > TRIES {
                    return Ok(assignment);
                }
                let value = std::mem::replace(&mut assignment[variable], smaller);
                if !judge(&assignment)?.agree() {
                    changed = true;
                    break;
                }
                assignment[variable] = value;
            }
        }
    }
    Ok(assignment)
}

/// A change of a few values, or of their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleChange {
    /// One value becomes another one.
    Value,
    /// Two different values change places.
    Swap,
    /// Two blocks of the same length change places: any, or rows of a table of all variables.
    Blocks,
    /// Two values are renamed to each other everywhere.
    Rename,
}

impl SampleChange {
    /// All changes.
    pub(super) const ALL: [SampleChange; 4] =
        [SampleChange::Value, SampleChange::Swap, SampleChange::Blocks, SampleChange::Rename];

    /// Makes the change at random variables. `None` if it changes nothing there, or makes a value that a variable
    /// does not have.
    pub(super) fn make(
        self,
        spec: &ErasedSpec<'_>,
        assignment: &[usize],
        rng: &mut fastrand::Rng,
    ) -> Option<Vec<usize>> {
        let mut changed = assignment.to_vec();
        let count = changed.len();
        let (one, other) = (rng.usize(0..count), rng.usize(0..count));
        match self {
            SampleChange::Value => changed[one] = rng.usize(0..spec.arity(one)),
            SampleChange::Swap => {
                let different = (0..count).filter(|&at| assignment[at] != assignment[one]);
                let different: Vec<usize> = different.collect();
                changed.swap(one, *rng.choice(&different)?);
            }
            SampleChange::Blocks => exchange_blocks(&mut changed, rng)?,
            SampleChange::Rename => {
                let [one, other] = [one, other].map(|at| assignment[at]);
                for value in &mut changed {
                    *value = match *value {
                        value if value == one => other,
                        value if value == other => one,
                        value => value,
                    };
                }
            }
        }
        let fits = || changed.iter().enumerate().all(|(at, &value)| value < spec.arity(at));
        (changed != assignment && fits()).then_some(changed)
    }
}

/// Exchanges two blocks that do not overlap; `None` if those drawn do.
fn exchange_blocks(values: &mut [usize], rng: &mut fastrand::Rng) -> Option<()> {
    let most = values.len() / 2;
    let rows: Vec<usize> = (2..=most).filter(|&row| values.len().is_multiple_of(row)).collect();
    let (length, unit) = match rng.choice(rows) {
        Some(row) if rng.bool() => (row, row),
        _ => (rng.usize(1..=most.max(1)), 1),
    };
    let places = (values.len() - length) / unit + 1;
    let [one, other] = [(), ()].map(|()| rng.usize(0..places) * unit);
    if one.abs_diff(other) < length {
        return None;
    }
    for at in 0..length {
        values.swap(one + at, other + at);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint;

    #[test]
    fn a_change_is_another_assignment_of_the_space() {
        for arities in [vec![2; 9], vec![3, 2, 5, 2, 3], vec![4], vec![1]] {
            let any = constraint::at_most(arities.clone(), arities.len());
            let (spec, mut rng) = (ErasedSpec::new(&any), fastrand::Rng::with_seed(0));
            let start = arities.iter().enumerate().map(|(at, arity)| (at % 2).min(arity - 1));
            for change in SampleChange::ALL {
                let (mut here, mut made) = (start.clone().collect::<Vec<usize>>(), 0);
                for _ in 0..200 {
                    let Some(changed) = change.make(&spec, &here, &mut rng) else { continue };
                    assert!(changed != here && changed.iter().zip(&arities).all(|(v, a)| v < a));
                    if matches!(change, SampleChange::Swap | SampleChange::Blocks) {
                        let sorted = |values: &[usize]| {
                            let mut values = values.to_vec();
                            values.sort_unstable();
                            values
                        };
                        assert_eq!(sorted(&changed), sorted(&here));
                    }
                    (here, made) = (changed, made + 1);
                }
                let is_possible =
                    arities.len() > 1 || change == SampleChange::Value && arities[0] > 1;
                assert_eq!(made > 0, is_possible, "{change:?} of {arities:?}");
            }
        }
    }
}
