//! The comparison of all assignments, in order, by all threads.
//!
//! Each thread has assignments that begin with the same values. From one assignment to the next, only the last
//! values change, so the states and the nodes before them are not determined again; and none is determined after
//! a value that `child` and the diagram reject.

use super::report::{Verdicts, VerifyError};
use super::samples::{Compared, Origin, Tally};
use super::{VerificationRun, predicate_accepts};
use crate::diagram::store::NodeStore;
use crate::diagram::{Diagram, DiagramRule};
use crate::query::PathCursor;
use crate::spec::contract::{check_root, check_step};
use crate::spec::{DdSpec, Rule, Step};
use crate::{BuildError, CancelToken};
use rayon::prelude::*;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The least number of parts for each thread, so that threads with parts that are soon rejected get others.
const PARTS: usize = 16;

/// The number of assignments between two looks at the clock.
const UNREPORTED: u64 = 1 << 14;

/// The maximum number of solutions of the search that are compared, as it runs on one thread.
const SEARCHED: usize = 1 << 18;

/// The time after which the remaining time is estimated for the first time.
const FIRST_ESTIMATE: Duration = Duration::from_secs(3);

/// A comparison of all assignments.
pub(super) struct AllAssignments<'a> {
    predicate: &'a (dyn Fn(&[usize]) -> bool + Sync),
    /// The nodes of the diagram, if it was built.
    store: Option<&'a NodeStore>,
    rule: Rule,
    arities: Vec<usize>,
    progress: CompareProgress<'a>,
}

/// [`AllAssignments::compare_part`], for the spec.
pub(super) type ComparePart<'a> = dyn Fn(&AllAssignments<'_>, &[usize], &dyn Fn() -> bool) -> Result<u64, CompareStop>
    + Sync
    + 'a;

/// The reason why a comparison ends early.
pub(super) enum CompareStop {
    /// The verdicts on this assignment differ.
    Differs(Vec<usize>, Verdicts),
    Failed(VerifyError),
    /// A part with lesser assignments has ended the comparison.
    Superseded,
}

impl From<VerifyError> for CompareStop {
    fn from(error: VerifyError) -> Self {
        CompareStop::Failed(error)
    }
}

/// What `child` and the diagram know before a variable.
struct ComparedRange<State> {
    step: Step<State>,
    /// `None` if the diagram has no solution that begins so, or was not built.
    cursor: Option<PathCursor>,
}

impl<State> ComparedRange<State> {
    fn is_rejected(&self) -> bool {
        self.step.is_zero() && self.cursor.is_none()
    }
}

impl VerificationRun<'_> {
    /// Compares all assignments and, if there is a diagram, the first solutions of the search with it.
    pub(super) fn compare_all<R: DiagramRule>(
        &self,
        diagram: Option<&Diagram<R>>,
        assignments: u64,
    ) -> Result<Compared, VerifyError> {
        let all = AllAssignments {
            predicate: self.predicate,
            store: diagram.map(|diagram| &*diagram.store),
            rule: R::RULE,
            arities: (0..self.spec.num_vars()).map(|v| self.spec.arity(v)).collect(),
            progress: CompareProgress::new(assignments, self.settings.cancel.as_ref()),
        };
        let (accepted, differs) = match all.compare(self.compare_part) {
            Ok(accepted) => (accepted, None),
            Err(CompareStop::Differs(assignment, verdicts)) => (0, Some((assignment, verdicts))),
            Err(CompareStop::Failed(error)) => return Err(error),
            Err(CompareStop::Superseded) => {
                unreachable!("a part with lesser assignments is before it")
            }
        };
        // The search is compared up to the first difference of the others.
        let end = differs.as_ref().map(|(assignment, _)| assignment.as_slice());
        let by_search = match diagram {
            Some(diagram) => self.compare_search(diagram, end)?,
            None => None,
        };
        if let Some((assignment, verdicts)) = differs {
            let verdicts = Verdicts { search: by_search, ..verdicts };
            return Err(self.mismatch(R::RULE, &assignment, verdicts));
        }
        let mut compared = Compared { all: true, ..Compared::default() };
        compared.tallies[Origin::Uniform as usize] = Tally { compared: assignments, accepted };
        Ok(compared)
    }

    /// Compares the solutions of the search with the solutions of the diagram, in order: at most [`SEARCHED`], and
    /// those before `end`. Returns the verdict of the search on `end`, if the search comes so far.
    fn compare_search<R: DiagramRule>(
        &self,
        diagram: &Diagram<R>,
        end: Option<&[usize]>,
    ) -> Result<Option<bool>, VerifyError> {
        let mut search = self.search(R::RULE);
        let mut found = search.iter();
        let mut solutions = diagram.iter();
        let is_before = |solution: &Vec<usize>| end.is_none_or(|end| solution.as_slice() < end);
        for _ in 0..SEARCHED {
            let failed =
                |error: BuildError| VerifyError::Failed { rule: R::RULE, error: error.into() };
            let next_found = found.next().transpose().map_err(failed)?;
            let next = solutions.next();
            if next_found == next && next.as_ref().is_some_and(is_before) {
                continue;
            }
            let least = [&next, &next_found].into_iter().flatten().min();
            let is_found = |assignment: &[usize]| next_found.as_deref() == Some(assignment);
            let Some(least) = least.filter(|least| next != next_found && is_before(least)) else {
                return Ok(end.map(is_found));
            };
            let by_diagram = next.as_ref() == Some(least);
            let verdicts = self.judge(R::RULE, least, Some(by_diagram))?;
            let verdicts = Verdicts { search: Some(is_found(least)), ..verdicts };
            return Err(self.mismatch(R::RULE, least, verdicts));
        }
        Ok(None)
    }
}

impl AllAssignments<'_> {
    /// Returns the number of assignments that are solutions by all accounts, or the least assignment about which
    /// they differ.
    fn compare(&self, compare_part: &ComparePart<'_>) -> Result<u64, CompareStop> {
        let wanted = PARTS * rayon::current_num_threads();
        let mut parts = 1;
        let mut fixed = 0;
        while fixed < self.arities.len() && parts < wanted {
            parts *= self.arities[fixed];
            fixed += 1;
        }
        let first_stop = AtomicUsize::new(usize::MAX);
        let compare = |part: usize| {
            let is_needed = || part < first_stop.load(Ordering::Relaxed);
            let accepted = compare_part(self, &self.first_values(part, fixed), &is_needed);
            if accepted.is_err() {
                first_stop.fetch_min(part, Ordering::Relaxed);
            }
            accepted
        };
        let accepted: Vec<Result<u64, CompareStop>> =
            (0..parts).into_par_iter().map(compare).collect();
        accepted.into_iter().sum()
    }

    /// The values with which the assignments of a part begin.
    fn first_values(&self, mut part: usize, fixed: usize) -> Vec<usize> {
        let mut values = vec![0; fixed];
        for (value, &arity) in values.iter_mut().zip(&self.arities).rev() {
            (*value, part) = (part % arity, part / arity);
        }
        values
    }

    /// Compares the assignments that begin with these values. Compiled for the type of the spec.
    pub(super) fn compare_part<S: DdSpec>(
        &self,
        spec: &S,
        first: &[usize],
        is_needed: &dyn Fn() -> bool,
    ) -> Result<u64, CompareStop> {
        let num_vars = self.arities.len();
        let mut assignment = first.to_vec();
        assignment.resize(num_vars, 0);
        let root = spec.root_under(self.rule);
        check_root(spec, &root).map_err(VerifyError::from)?;
        let mut positions =
            vec![ComparedRange { step: root, cursor: self.store.map(NodeStore::cursor) }];
        let (mut accepted, mut unreported) = (0, 0);
        loop {
            if !is_needed() {
                return Err(CompareStop::Superseded);
            }
            self.progress.check(self.rule)?;
            while let Some(last) = positions.last().filter(|last| !last.is_rejected()) {
                let variable = positions.len() - 1;
                if variable == num_vars {
                    break;
                }
                let next = self.advance(spec, last, variable, assignment[variable])?;
                positions.push(next);
            }
            let last = positions.get(num_vars);
            let verdicts = Verdicts {
                predicate: predicate_accepts(self.predicate, &assignment)?,
                child: last.is_some_and(|last| matches!(last.step, Step::One)),
                diagram: self.store.map(|_| {
                    last.and_then(|last| last.cursor).is_some_and(PathCursor::is_solution)
                }),
                search: None,
            };
            if !verdicts.agree() {
                return Err(CompareStop::Differs(assignment, verdicts));
            }
            accepted += u64::from(verdicts.predicate);
            unreported += 1;
            let moving =
                (first.len()..num_vars).rev().find(|&v| assignment[v] + 1 < self.arities[v]);
            if moving.is_none() || unreported == UNREPORTED {
                self.progress.report(self.rule, unreported);
                unreported = 0;
            }
            let Some(moving) = moving else { return Ok(accepted) };
            assignment[moving] += 1;
            assignment[moving + 1..].fill(0);
            positions.truncate(moving + 1);
        }
    }

    fn advance<S: DdSpec>(
        &self,
        spec: &S,
        last: &ComparedRange<S::State>,
        variable: usize,
        value: usize,
    ) -> Result<ComparedRange<S::State>, CompareStop> {
        let advance =
            |(store, cursor): (&NodeStore, _)| store.advance(self.rule, cursor, variable, value);
        let cursor = self.store.zip(last.cursor).and_then(advance);
        let step = match &last.step {
            Step::To(at, state) if *at == variable => {
                let step = spec.child(state, variable, value);
                let checked = check_step(spec, state, variable, value, &step);
                checked.map_err(VerifyError::from)?;
                step
            }
            skipped if self.rule.allows(value) => skipped.clone(),
            _ => Step::Zero,
        };
        Ok(ComparedRange { step, cursor })
    }
}

/// The assignments compared so far.
pub(super) struct CompareProgress<'a> {
    cancel: Option<&'a CancelToken>,
    start: Instant,
    total: u64,
    compared: AtomicU64,
    /// The time at which the remaining time is estimated next.
    next_estimate: Mutex<Duration>,
}

impl<'a> CompareProgress<'a> {
    pub(super) fn new(total: u64, cancel: Option<&'a CancelToken>) -> Self {
        CompareProgress {
            cancel,
            start: Instant::now(),
            total,
            compared: AtomicU64::new(0),
            next_estimate: Mutex::new(FIRST_ESTIMATE),
        }
    }

    /// Fails if the token is cancelled.
    fn check(&self, rule: Rule) -> Result<(), VerifyError> {
        if self.cancel.is_some_and(CancelToken::is_cancelled) {
            let error = BuildError::Cancelled { variable: None };
            return Err(VerifyError::Failed { rule, error: error.into() });
        }
        Ok(())
    }

    /// Adds assignments. Writes an estimate to standard error after some seconds, and again whenever the time has
    /// doubled.
    fn report(&self, rule: Rule, assignments: u64) {
        let compared = self.compared.fetch_add(assignments, Ordering::Relaxed) + assignments;
        let elapsed = self.start.elapsed();
        if elapsed < FIRST_ESTIMATE {
            return;
        }
        // Another thread that holds the lock is about to write the same.
        let Ok(mut next) = self.next_estimate.try_lock() else { return };
        if elapsed >= *next {
            *next = 2 * elapsed;
            // Standard error may be closed.
            let line = estimate(compared, self.total, elapsed);
            let _ = writeln!(io::stderr(), "{line} ({rule})");
        }
    }
}

/// The remaining time at the speed so far, as text.
fn estimate(compared: u64, total: u64, elapsed: Duration) -> String {
    let left = total.saturating_sub(compared);
    let seconds = elapsed.as_secs_f64() * left as f64 / compared.max(1) as f64;
    format!("verified {compared} of {total} assignments; about {} s are left", seconds.ceil())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::check::Verification;

    #[test]
    fn least_assignment_with_different_verdicts_is_reported_by_any_number_of_threads() {
        let even = crate::constraint::sum_modulo(18, 2, 0);
        let set = |members: [usize; 2]| {
            let mut set = vec![0; 18];
            for member in members {
                set[member] = 1;
            }
            set
        };
        // The later ones are in other parts.
        let wrong = [set([3, 9]), set([2, 7]), set([0, 17])];
        let predicate = |values: &[usize]| {
            values.iter().sum::<usize>() % 2 == 0 && !wrong.iter().any(|set| set == values)
        };
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let error = pool.install(|| Verification::new().run(&even, predicate)).unwrap_err();
            let VerifyError::Mismatch(mismatch) = error else { panic!("{error}") };
            assert_eq!(mismatch.assignment(), wrong[0]);
            let verdicts = mismatch.verdicts();
            assert!(verdicts.child && verdicts.diagram == Some(true) && !verdicts.predicate);
            assert_eq!(verdicts.search, Some(true));
        }
    }

    #[test]
    fn search_is_compared_up_to_a_number_of_solutions() {
        let all = crate::dp(20, ()).step(|(), _, _| Some(())).accept(|()| true);
        let verification = Verification::new().max_assignments(1 << 20).under(Rule::AnyValue);
        for (zeros, search) in [(3, Some(true)), (0, None)] {
            let wrong = [vec![0; zeros], vec![1; 20 - zeros]].concat();
            let error = verification.run(&all, |values| values != wrong).unwrap_err();
            let VerifyError::Mismatch(mismatch) = error else { panic!("{error}") };
            assert_eq!(mismatch.assignment(), wrong);
            let verdicts = Verdicts { predicate: false, child: true, diagram: Some(true), search };
            assert_eq!(mismatch.verdicts(), verdicts);
        }
    }

    #[test]
    fn cancelled_verification_ends_with_an_error() {
        let spec = crate::constraint::at_most(18, 9);
        let token = CancelToken::new();
        let cancel = |values: &[usize]| {
            token.cancel();
            values.iter().sum::<usize>() <= 9
        };
        let error = Verification::new().cancel_with(&token).run(&spec, cancel).unwrap_err();
        assert!(error.to_string().contains("cancelled"), "{error}");
    }

    #[test]
    fn remaining_time_is_proportional_to_the_remaining_assignments() {
        let text = estimate(250, 1000, Duration::from_secs(4));
        assert_eq!(text, "verified 250 of 1000 assignments; about 12 s are left");
        assert!(estimate(0, 0, Duration::ZERO).ends_with("about 0 s are left"));
    }
}
