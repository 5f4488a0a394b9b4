//! One verification of a spec: its contract, its diagrams, its count and its search.

mod report;
mod samples;

pub use report::{Mismatch, Verdicts, Verified, VerifyError};

use super::contract::{Bounds, Visited, visit};
use super::walk::{for_each_assignment, walk};
use crate::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use crate::search::Search;
use crate::spec::contract::check_universe;
use crate::{BigUint, BuildError, DdSpec, Diagram, Frontier, QueryError, Rule};
use samples::Samples;

/// Checks the contract, the diagrams, the counts and the search of `spec`, under both rules, against a
/// predicate on assignments.
///
/// | checked | how |
/// | --- | --- |
/// | the contract of [`DdSpec`] | each state visited: steps lead onwards; `for_each_child` and `forced` agree with `child`, which repeats itself; `Eq` and `Hash` distinguish states with different futures |
/// | the same for states not visited, but for `Eq` and `Hash` | each state of the sweep, as by [`Frontier::checked`] |
/// | the meaning | each assignment walked by `child`, and looked up in the diagram built |
/// | the search | its solutions, in order |
/// | the count | by a sweep that builds no diagram, and of the diagram |
///
/// The predicate gets one value for each variable, from the root down. Where there are at most
/// 2^18 assignments, all are compared. Beyond, 1000 of each kind are drawn: solutions of the diagram,
/// uniform assignments, and solutions with one value changed. The states on the paths of 100 solutions
/// are checked as well. [`Verified`] reports the numbers, and [`Verification`] changes the bounds.
///
/// A spec that skips variables has other solutions under the other rule. Either fix the rule by
/// [`read_as`](crate::SpecExt::read_as), or verify it under one rule, by [`Verification::under`].
///
/// # Limits
///
/// No check finds:
///
/// - a mistake that the predicate makes as well;
/// - a `child` that is impure so seldom that no repeated call returns another step;
/// - a mistake at states and assignments that were not visited. Small sizes are checked in full, so verify
///   a spec with a size at several small ones;
/// - a state that distinguishes more than necessary. This is no mistake, but costs time: compare
///   the number of states with the number of nodes of the diagram.
///
/// # Cost
///
/// Time and memory: those of two builds and two counts; for each of the states visited, at most 200 000
/// per rule, some microseconds; for each assignment two walks.
///
/// # Example
///
/// ```
/// use topdd::check;
///
/// // Subsets of 0..n without two consecutive members.
/// let apart = |n: usize| {
///     topdd::dp(n, false)
///         .step(|&last, _, value| (!(last && value == 1)).then_some(value == 1))
///         .accept(|_| true)
/// };
/// let right = |set: &[usize]| set.windows(2).all(|pair| pair != [1, 1]);
/// let verified = check::verify(&apart(10), right)?;
/// assert_eq!(
///     verified.to_string(),
///     "verified (zero-suppressed and any value): 144 solutions\n\
///      states: all 19\n\
///      assignments: all 1024"
/// );
///
/// // A state that forgets whether 1 is a member.
/// let forgets = topdd::dp(4, false)
///     .step(|&last, v, value| (!(last && value == 1)).then_some(value == 1 && v != 1))
///     .accept(|_| true);
/// let error = check::verify(&forgets, right).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "[0, 1, 1, 0] is a solution of `child`, the diagram and the search, but not of the predicate \
///      (zero-suppressed)\n\
///      root: state false at variable 0\n\
///      variable 0 = 0: state false at variable 1\n\
///      variable 1 = 1: state false at variable 2\n\
///      variable 2 = 1: state true at variable 3\n\
///      variable 3 = 0: the 1-terminal\n\
///      a solution"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first breach of the contract, or else the least assignment about which the verdicts differ,
/// with the states on its path. Specs too large to be verified are refused with
/// [`VerifyError::TooLarge`].
pub fn verify<S: DdSpec>(
    spec: &S,
    predicate: impl Fn(&[usize]) -> bool,
) -> Result<Verified, VerifyError> {
    Verification::new().run(spec, predicate)
}

/// A verification with other bounds than those of [`verify`].
///
/// ```
/// use topdd::{Rule, check::Verification};
///
/// // All of 2^20 assignments, under one rule.
/// let spec = topdd::dp(20, 0).step(|n, _, value| Some(n + value)).accept(|&n| n <= 2);
/// let verified = Verification::new()
///     .under(Rule::ZeroSuppressed)
///     .assignments(1 << 20)
///     .run(&spec, |values| values.iter().sum::<usize>() <= 2)?;
/// assert_eq!(verified.solutions(), &211u32.into());
/// assert!(verified.all_states() && verified.all_assignments());
/// # Ok::<(), topdd::check::VerifyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Verification {
    rules: Vec<Rule>,
    assignments: u64,
    samples: usize,
    states: usize,
    seed: u64,
}

/// The maximum number of steps taken from states: the larger the arity, the fewer states are
/// visited.
const STEPS: usize = 20_000_000;

/// The maximum number of states of a diagram, per checked state.
const BUILT: u64 = 10;

impl Default for Verification {
    fn default() -> Self {
        Self::new()
    }
}

impl Verification {
    /// Returns the bounds of [`verify`]. See the example of [`Verification`].
    pub fn new() -> Self {
        Verification {
            rules: vec![Rule::ZeroSuppressed, Rule::AnyValue],
            assignments: 1 << 18,
            samples: 1000,
            states: 200_000,
            seed: 0,
        }
    }

    /// Verifies under one rule only; the default is both. See the example of [`Verification`].
    pub fn under(self, rule: Rule) -> Self {
        Verification { rules: vec![rule], ..self }
    }

    /// Compares all assignments if there are at most `most`; the default is 2^18. See the example of
    /// [`Verification`].
    pub fn assignments(self, most: u64) -> Self {
        Verification { assignments: most, ..self }
    }

    /// Sets the number of assignments of each kind that are compared where not all are; the default
    /// is 1000.
    ///
    /// ```
    /// use topdd::{check::Verification, constraint};
    ///
    /// let few = constraint::at_most(100, 3);
    /// let verified = Verification::new()
    ///     .samples(50)
    ///     .states(1000)
    ///     .seed(7)
    ///     .run(&few, |set| set.iter().sum::<usize>() <= 3)?;
    /// assert!(!verified.all_assignments() && verified.assignments() >= 50);
    /// # Ok::<(), topdd::check::VerifyError>(())
    /// ```
    pub fn samples(self, samples: usize) -> Self {
        Verification { samples, ..self }
    }

    /// Sets the maximum number of states checked under each rule; the default is 200 000. The sweep
    /// that builds a diagram may have ten times as many. See the example of
    /// [`samples`](Verification::samples).
    pub fn states(self, most: usize) -> Self {
        Verification { states: most, ..self }
    }

    /// Sets the seed of the drawn assignments; the default is 0. See the example of
    /// [`samples`](Verification::samples).
    pub fn seed(self, seed: u64) -> Self {
        Verification { seed, ..self }
    }

    /// Verifies `spec`; see [`verify`], which states the cost, and the example of [`Verification`].
    ///
    /// # Errors
    ///
    /// As for [`verify`].
    pub fn run<S: DdSpec>(
        &self,
        spec: &S,
        predicate: impl Fn(&[usize]) -> bool,
    ) -> Result<Verified, VerifyError> {
        check_universe(spec)?;
        let states = self.affordable(spec)?;
        let assignments = (0..spec.num_vars())
            .try_fold(1u64, |product, v| product.checked_mul(spec.arity(v) as u64))
            .filter(|&assignments| assignments <= self.assignments.max(1));
        let mut run = Run {
            spec,
            predicate: &predicate,
            settings: self,
            states,
            assignments,
            verified: Verified::new(self.rules.clone(), spec.num_vars()),
        };
        let under = |rule| self.rules.contains(&rule);
        let zdd = under(Rule::ZeroSuppressed).then(|| run.under::<ZeroSuppressed>()).transpose()?;
        let bdd = under(Rule::AnyValue).then(|| run.under::<AnyValue>()).transpose()?;
        if let (Some(zdd), Some(bdd), None) = (zdd, bdd, assignments) {
            run.compare_diagrams(&zdd, &bdd)?;
        }
        Ok(run.verified)
    }

    /// Returns the number of states that can be checked: at least one per level, or it fails.
    fn affordable<S: DdSpec>(&self, spec: &S) -> Result<usize, VerifyError> {
        let num_vars = spec.num_vars();
        let arity = (0..num_vars).map(|variable| spec.arity(variable)).max().unwrap_or(1);
        let states = self.states.min(STEPS / arity);
        if num_vars <= states {
            return Ok(states);
        }
        Err(VerifyError::TooLarge {
            what: format!(
                "{num_vars} variables of up to {arity} values, of which at most {states} states are \
                 checked"
            ),
        })
    }
}

/// A verification in progress.
struct Run<'a, S, P> {
    spec: &'a S,
    predicate: &'a P,
    settings: &'a Verification,
    /// The number of states checked under each rule.
    states: usize,
    /// The number of assignments, if all are compared.
    assignments: Option<u64>,
    verified: Verified,
}

impl<S: DdSpec, P: Fn(&[usize]) -> bool> Run<'_, S, P> {
    /// Verifies the spec under one rule, and returns its diagram.
    fn under<R: DiagramRule>(&mut self) -> Result<Diagram<R>, VerifyError> {
        let visited = self.contract(R::RULE)?;
        self.verified.visited(visited);
        let most = (self.states as u64).saturating_mul(BUILT);
        let failed = |error| match error {
            BuildError::LimitReached { .. } => VerifyError::TooLarge {
                what: format!("a diagram of more than {most} states ({})", R::RULE),
            },
            BuildError::Violation(violation) => VerifyError::Violation(*violation),
            error => VerifyError::Failed { rule: R::RULE, error: error.into() },
        };
        let build = || Frontier::over(self.spec).max_states(most).checked(false);
        // Checks the states that were not visited.
        let diagram: Diagram<R> = build().checked(!visited.all).diagram().map_err(failed)?;
        let swept = build().count_under(R::RULE).map_err(failed)?;
        let solutions = diagram.count();
        let compared = match self.assignments {
            Some(_) => self.compare_all(&diagram)?,
            None => self.compare_samples(&diagram)?,
        };
        let accepted = compared.all.then(|| BigUint::from(compared.accepted));
        if swept != solutions || accepted.is_some_and(|accepted| accepted != solutions) {
            return Err(VerifyError::Count { rule: R::RULE, swept, diagram: solutions });
        }
        self.verified.compared(compared, solutions);
        Ok(diagram)
    }

    /// Visits the states of the spec: all, or else some of each level.
    fn contract(&self, rule: Rule) -> Result<Visited, VerifyError> {
        let bounds = Bounds { states: self.states, per_level: usize::MAX, hashes: true };
        let visited = visit(self.spec, rule, bounds)?;
        if visited.all {
            return Ok(visited);
        }
        let per_level = (self.states / self.spec.num_vars()).max(1);
        let deep = visit(self.spec, rule, Bounds { per_level, ..bounds })?;
        Ok(Visited { states: visited.states.max(deep.states), all: false })
    }

    /// Compares all assignments, in lexicographic order.
    fn compare_all<R: DiagramRule>(&self, diagram: &Diagram<R>) -> Result<Compared, VerifyError> {
        let failed = |error: BuildError| VerifyError::Failed { rule: R::RULE, error: error.into() };
        let mut search = Search::over(self.spec).rule(R::RULE);
        let mut found = search.iter();
        let mut solutions = diagram.iter();
        // Both iterators are in lexicographic order.
        let (mut next_found, mut next) =
            (found.next().transpose().map_err(failed)?, solutions.next());
        let mut compared = Compared { all: true, ..Compared::default() };
        for_each_assignment(self.spec, |assignment| {
            let is_next = |next: &Option<Vec<usize>>| next.as_deref() == Some(assignment);
            let verdicts = Verdicts {
                predicate: (self.predicate)(assignment),
                child: walk(self.spec, R::RULE, assignment, |_| {})?,
                diagram: is_next(&next),
                search: Some(is_next(&next_found)),
            };
            if !verdicts.agree() {
                return Err(self.mismatch(R::RULE, assignment, verdicts));
            }
            if verdicts.predicate {
                compared.accepted += 1;
                next = solutions.next();
                next_found = found.next().transpose().map_err(failed)?;
            }
            compared.assignments += 1;
            Ok(())
        })?;
        Ok(compared)
    }

    /// Compares drawn assignments, and the first solutions of the search.
    fn compare_samples<R: DiagramRule>(
        &self,
        diagram: &Diagram<R>,
    ) -> Result<Compared, VerifyError> {
        let samples = Samples::new(self.spec, diagram, self.settings.seed);
        let judge = |assignment: &[usize]| {
            Ok(Verdicts {
                predicate: (self.predicate)(assignment),
                child: walk(self.spec, R::RULE, assignment, |_| {})?,
                diagram: diagram.contains(assignment).unwrap_or(false),
                search: None,
            })
        };
        let affordable = (STEPS / self.spec.num_vars()).max(1);
        let (compared, worst) = samples.compare(self.settings.samples.min(affordable), judge)?;
        if let Some(assignment) = worst {
            return Err(self.mismatch(R::RULE, &assignment, judge(&assignment)?));
        }
        let mut search = Search::over(self.spec).rule(R::RULE);
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

    /// Compares the diagrams of the two rules, which both were compared with the predicate.
    fn compare_diagrams(
        &self,
        zdd: &Diagram<ZeroSuppressed>,
        bdd: &Diagram<AnyValue>,
    ) -> Result<(), VerifyError> {
        let failed = |error: QueryError| VerifyError::Failed { rule: Rule::AnyValue, error };
        let as_bdd = zdd.to_bdd().map_err(|error| failed(error.into()))?;
        let differs = as_bdd.differs_from(bdd, ["the ZDD", "the BDD"]);
        let differs = differs.map_err(|error| failed(error.into()))?;
        let Some(difference) = differs else { return Ok(()) };
        let assignment = difference.assignment;
        let predicate = (self.predicate)(&assignment);
        // The predicate differs from one of the two.
        let in_zdd = as_bdd.contains(&assignment).map_err(failed)?;
        let rule = if in_zdd == predicate { Rule::AnyValue } else { Rule::ZeroSuppressed };
        let diagram = in_zdd == (rule == Rule::ZeroSuppressed);
        let child = walk(self.spec, rule, &assignment, |_| {})?;
        let verdicts = Verdicts { predicate, child, diagram, search: None };
        Err(self.mismatch(rule, &assignment, verdicts))
    }

    fn mismatch(&self, rule: Rule, assignment: &[usize], verdicts: Verdicts) -> VerifyError {
        match Mismatch::new(self.spec, rule, assignment, verdicts) {
            Ok(mismatch) => VerifyError::Mismatch(Box::new(mismatch)),
            Err(violation) => VerifyError::Violation(violation),
        }
    }
}

/// The assignments compared.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    assignments: u64,
    /// Whether these are all.
    all: bool,
    /// The number of them that the predicate accepts.
    accepted: u64,
}
