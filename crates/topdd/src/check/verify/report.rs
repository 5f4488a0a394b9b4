//! The report and the errors of a verification.

use super::RedundantStates;
use super::samples::{Compared, Origin};
use crate::check::contract::Visited;
use crate::check::walk::{accepts_erased, trace_erased};
use crate::check::{AssignmentError, Trace};
use crate::spec::ErasedSpec;
use crate::spec::contract::Violation;
use crate::{BigUint, QueryError, Rule};
use std::collections::BTreeMap;
use std::fmt;

/// The coverage of a successful verification; made by [`verify`](super::verify).
///
/// `Display` writes the rules, the number of solutions, the numbers of checked states and assignments,
/// and whether all were checked. Its first line begins with "verified" if all assignments were compared, and
/// with "sampled" otherwise. A spec with ten times as many states as the diagram has nodes gets a line with two states
/// that have the same future.
///
/// ```
/// use topdd::{check, constraint};
///
/// let words = constraint::exactly(5, 2);
/// let verified = check::verify(&words, |word| word.iter().sum::<usize>() == 2)?;
/// assert_eq!((verified.rules().len(), verified.solutions()), (2, Some(&10u32.into())));
/// assert_eq!((verified.states(), verified.assignments()), (11, 32));
/// assert!(verified.all_states() && verified.all_assignments());
/// # Ok::<(), check::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "the report says what was compared"]
pub struct Verified {
    rules: Vec<Rule>,
    /// The number of assignments, as text.
    space: String,
    num_vars: usize,
    solutions: Option<BigUint>,
    states: usize,
    all_states: bool,
    /// The first rule under which no diagram was built, and the maximum number of states.
    without_diagram: Option<(Rule, u64)>,
    /// Under the rule with more.
    compared: Compared,
    pub(super) redundant: Option<RedundantStates>,
}

/// The number of solutions found independently of the spec's own solutions from which on missing
/// solutions are likely to be noticed.
const FEW: u64 = 10;

impl Verified {
    pub(super) fn new(rules: Vec<Rule>, arities: &[usize]) -> Self {
        Verified {
            rules,
            space: number_of_assignments(arities),
            num_vars: arities.len(),
            solutions: None,
            states: 0,
            all_states: true,
            without_diagram: None,
            compared: Compared::default(),
            redundant: None,
        }
    }

    /// Returns the error for a report on samples.
    pub(super) fn into_error(self) -> VerifyError {
        VerifyError::SamplesOnly {
            compared: self.assignments(),
            assignments: self.space.clone(),
            report: Box::new(self),
        }
    }

    /// Adds the states visited under a rule.
    pub(super) fn visited(&mut self, visited: Visited) {
        self.states = self.states.max(visited.states);
        self.all_states &= visited.all;
    }

    /// Adds the assignments compared under a rule.
    pub(super) fn compared(&mut self, compared: Compared, solutions: Option<BigUint>) {
        if compared.assignments() > self.compared.assignments() {
            self.compared = compared;
        }
        self.solutions = solutions.or(self.solutions.take());
    }

    /// Adds that no diagram was built under a rule, as it has more than `most` states.
    pub(super) fn without_diagram(&mut self, rule: Rule, most: u64) {
        self.without_diagram.get_or_insert((rule, most));
    }

    /// Returns the rules under which the spec was verified.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the number of solutions. `None` if not all assignments were compared, and the spec has too many states
    /// for a diagram.
    pub fn solutions(&self) -> Option<&BigUint> {
        self.solutions.as_ref()
    }

    /// Returns the number of states checked, under the rule with more.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns whether all states of the spec were checked.
    pub fn all_states(&self) -> bool {
        self.all_states
    }

    /// Returns the number of assignments compared, under the rule with more.
    pub fn assignments(&self) -> u64 {
        self.compared.assignments()
    }

    /// Returns whether all assignments were compared.
    pub fn all_assignments(&self) -> bool {
        self.compared.all
    }

    /// Returns whether all solutions of the spec were compared.
    pub fn all_solutions(&self) -> bool {
        self.compared.all || self.compared.all_solutions
    }

    /// Returns the number of solutions among the assignments that were not drawn from the solutions of
    /// the spec. If there are few such solutions, solutions that the spec lacks would hardly be noticed.
    ///
    /// ```
    /// use topdd::{check, constraint};
    ///
    /// // Half of all assignments are solutions.
    /// let even = constraint::sum_modulo(40, 2, 0);
    /// let verified = check::Verification::new()
    ///     .sampled()
    ///     .run(&even, |values| values.iter().sum::<usize>() % 2 == 0)?;
    /// assert!(!verified.all_solutions() && verified.independent_solutions() > 1000);
    /// assert!(verified.to_string().starts_with("sampled, no difference found"));
    /// # Ok::<(), check::VerifyError>(())
    /// ```
    pub fn independent_solutions(&self) -> u64 {
        self.compared.independent()
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verified { space, states, compared, .. } = self;
        let rules: Vec<String> = self.rules.iter().map(Rule::to_string).collect();
        let found = if compared.all { "verified" } else { "sampled, no difference found" };
        write!(f, "{found} ({})", rules.join(" and "))?;
        match &self.solutions {
            Some(solutions) => writeln!(f, ": {solutions} solutions")?,
            None => writeln!(f)?,
        }
        if self.solutions == Some(BigUint::ZERO) {
            writeln!(f, "no assignment is a solution: verify a case with solutions, too")?;
        }
        if let Some((rule, most)) = self.without_diagram {
            writeln!(
                f,
                "no diagram: more than {} states ({rule}), so `child` and the predicate were compared; \
                 `Verification::max_states(n)` allows `10 * n` states",
                grouped(most)
            )?;
        }
        match (self.all_states, *states >= self.num_vars) {
            (true, _) => writeln!(f, "states: all {states}")?,
            (false, true) => writeln!(f, "states: {states}, some of each level")?,
            (false, false) => writeln!(f, "states: {states}, of the first levels")?,
        }
        if let Some(redundant) = &self.redundant {
            writeln!(f, "{redundant}")?;
        }
        if compared.all {
            return write!(f, "assignments: all {}", compared.assignments());
        }
        writeln!(f, "assignments: {} of {space}", grouped(compared.assignments()))?;
        let of_solutions = compared.tally(Origin::Solution).compared;
        let all = if compared.all_solutions { "all " } else { "" };
        writeln!(f, "- {all}{of_solutions} solutions of the spec")?;
        for (origin, name) in [
            (Origin::Uniform, "uniform ones"),
            (Origin::Changed, "changes of solutions"),
            (Origin::Ends, "paths to states with the end of another solution"),
        ] {
            let tally = compared.tally(origin);
            writeln!(f, "- {} {name}: {} are solutions", tally.compared, tally.accepted)?;
        }
        match compared.independent() {
            few if few < FEW => write!(
                f,
                "missing solutions would hardly be noticed: {few} of the assignments that are not \
                 drawn from the solutions of the spec are solutions"
            ),
            _ => write!(f, "missing solutions may be unnoticed: verify smaller cases in full"),
        }
    }
}

/// The number of assignments as text, such as `12^12`.
fn number_of_assignments(arities: &[usize]) -> String {
    let mut powers = BTreeMap::new();
    for &arity in arities.iter().filter(|&&arity| arity > 1) {
        *powers.entry(arity).or_insert(0) += 1;
    }
    if powers.len() > MAX_POWERS {
        let digits: f64 = arities.iter().map(|&arity| (arity as f64).log10()).sum();
        return format!("about 10^{digits:.0}");
    }
    let power = |(arity, times): (&usize, &usize)| match times {
        1 => arity.to_string(),
        times => format!("{arity}^{times}"),
    };
    let powers: Vec<String> = powers.iter().map(power).collect();
    if powers.is_empty() { "1".to_owned() } else { powers.join(" * ") }
}

/// The maximum number of different arities that the number of assignments is written by.
const MAX_POWERS: usize = 3;

/// A number with blanks between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(" ")
}

/// The verdict of each account on whether an assignment is a solution. An *account* is a way to
/// determine this: the predicate, `child`, the diagram or the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// By the predicate.
    pub predicate: bool,
    /// By [`DdSpec::child`](crate::DdSpec::child), step by step.
    pub child: bool,
    /// By the diagram, if it was built.
    pub diagram: Option<bool>,
    /// By the search, if it reached the assignment.
    pub search: Option<bool>,
}

impl Verdicts {
    /// Returns whether all verdicts are the same.
    pub fn agree(self) -> bool {
        let Verdicts { predicate, child, diagram, search } = self;
        [Some(child), diagram, search].into_iter().flatten().all(|other| other == predicate)
    }

    /// Lists the accounts with this verdict, as text.
    fn accounts(self, verdict: bool) -> String {
        let Verdicts { predicate, child, diagram, search } = self;
        let accounts = [
            ("the predicate", Some(predicate)),
            ("`child`", Some(child)),
            ("the diagram", diagram),
            ("the search", search),
        ];
        let with = accounts.iter().filter(|(_, given)| *given == Some(verdict));
        let names: Vec<&str> = with.map(|&(name, _)| name).collect();
        match names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            _ => names.concat(),
        }
    }
}

/// An assignment about which the accounts of a spec differ.
///
/// `Display` writes which accounts accept it and which reject it, and the states on its path. Of a path with more than
/// 16 lines it writes the step that rejects, or the last value that is not 0, and the lines around it;
/// [`trace`](Mismatch::trace) has all.
///
/// ```
/// use topdd::{check, constraint};
///
/// let two = constraint::at_most(4, 2); // the predicate demands another number
/// let error = check::verify(&two, |set| set.iter().sum::<usize>() <= 1).unwrap_err();
/// let check::VerifyError::Mismatch(mismatch) = error else { panic!("{error}") };
/// assert_eq!(mismatch.assignment(), [0, 0, 1, 1]);
/// let verdicts = mismatch.verdicts();
/// assert!(verdicts.child && verdicts.diagram == Some(true) && !verdicts.agree());
/// assert!(mismatch.trace().accepted());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    rule: Rule,
    assignment: Vec<usize>,
    verdicts: Verdicts,
    trace: Trace,
    /// Whether `child` is right under the other rule.
    other_rule: bool,
}

impl Mismatch {
    pub(super) fn new(
        spec: &ErasedSpec<'_>,
        rule: Rule,
        assignment: &[usize],
        verdicts: Verdicts,
    ) -> Result<Self, Violation> {
        let fits = |error| match error {
            AssignmentError::Violation(violation) => violation,
            error => Violation::Invalid { message: error.to_string() },
        };
        let other = match rule {
            Rule::ZeroSuppressed => Rule::AnyValue,
            Rule::AnyValue => Rule::ZeroSuppressed,
        };
        let by_other = accepts_erased(spec, other, assignment).map_err(fits)?;
        let Verdicts { predicate, child, .. } = verdicts;
        Ok(Mismatch {
            rule,
            assignment: assignment.to_vec(),
            verdicts,
            trace: trace_erased(spec, rule, assignment).map_err(fits)?,
            other_rule: child != predicate && by_other == predicate,
        })
    }

    /// Returns the rule under which the accounts differ: the first verified rule with a difference.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the assignment, one value for each variable. Of all assignments compared it is the
    /// lexicographically least about which the accounts differ; of drawn ones, it is made smaller still
    /// where that is possible.
    pub fn assignment(&self) -> &[usize] {
        &self.assignment
    }

    /// Returns the verdict of each account.
    pub fn verdicts(&self) -> Verdicts {
        self.verdicts
    }

    /// Returns the states on the path of the assignment.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { rule, assignment, verdicts, trace, other_rule } = self;
        let [of, not_of] = [true, false].map(|verdict| verdicts.accounts(verdict));
        writeln!(f, "{assignment:?} is a solution of {of}, but not of {not_of} ({rule})")?;
        if *other_rule {
            writeln!(
                f,
                "under the other rule `child` agrees with the predicate: the spec skips variables, so \
                 `read_as` must say what these are, or `Verification::under` which rule is meant"
            )?;
        }
        trace.write_around_difference(f)
    }
}

/// The reason why a spec is not verified; returned by [`verify`](super::verify).
///
/// `Debug` writes the same text as `Display`, so `main` prints the report of an error that it returns.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The spec breaks its contract.
    #[error(transparent)]
    Violation(#[from] Violation),

    /// The accounts of an assignment differ.
    #[error("{0}")]
    Mismatch(Box<Mismatch>),

    /// Counts differ.
    #[error("a sweep counts {swept} solutions, but the diagram has {diagram} ({rule})")]
    Count {
        /// The rule.
        rule: Rule,
        /// The number of solutions that a sweep without a diagram counts.
        swept: BigUint,
        /// The number of solutions of the diagram.
        diagram: BigUint,
    },

    /// No difference was found, but not all assignments were compared. Returned unless samples are
    /// [accepted](super::Verification::sampled).
    #[error(
        "no difference in {} of {assignments} assignments, which proves nothing: verify a smaller size, \
         raise `max_assignments`, or accept samples with `Verification::new().sampled()`\n{report}",
        grouped(*compared)
    )]
    SamplesOnly {
        /// The number of assignments compared.
        compared: u64,
        /// The number of all assignments, as text such as `12^12`.
        assignments: String,
        /// The report on the samples.
        report: Box<Verified>,
    },

    /// The predicate panicked.
    #[error("the predicate panicked on {assignment:?}, of {} values: {message}", assignment.len())]
    PredicatePanicked {
        /// The assignment.
        assignment: Vec<usize>,
        /// The message of the panic.
        message: String,
    },

    /// The engine or the search failed.
    #[error("the spec could not be built ({rule}): {error}")]
    Failed {
        /// The rule.
        rule: Rule,
        /// The error.
        error: QueryError,
    },
}

impl fmt::Debug for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Verification;

    #[test]
    fn numbers_of_assignments_are_powers() {
        for (arities, text) in [
            (vec![12; 12], "12^12"),
            (vec![2, 3, 2, 1], "2^2 * 3"),
            (vec![1, 1], "1"),
            (vec![10, 100, 1000, 10_000, 2], "about 10^10"),
        ] {
            assert_eq!(number_of_assignments(&arities), text);
        }
        assert_eq!([7, 999, 1000, 103_000].map(grouped), ["7", "999", "1 000", "103 000"]);
    }

    #[test]
    fn a_long_path_is_shown_around_the_wrong_step() {
        let text = |refused: &'static [usize], predicate: &'static [usize]| {
            let spec = crate::dp(20, 0usize)
                .step(move |&met, v, value| {
                    let met = met + usize::from(value == 1 && refused.contains(&v));
                    (met < 2).then_some(met)
                })
                .accept(|_| true);
            let right = |set: &[usize]| predicate.iter().filter(|&&v| set[v] == 1).count() < 2;
            let verification = Verification::new().under(Rule::AnyValue);
            let text = verification.run(&spec, right).unwrap_err().to_string();
            text.split_once('\n').unwrap().1.to_owned()
        };
        assert_eq!(
            text(&[3, 18], &[]),
            "... (variables 0 to 14)\n\
             variable 15 = 0: state 1 at variable 16\n\
             variable 16 = 0: state 1 at variable 17\n\
             variable 17 = 0: state 1 at variable 18\n\
             variable 18 = 1: the 0-terminal\n\
             variable 19 = 0: not looked at\n\
             not a solution"
        );
        assert_eq!(
            text(&[], &[0, 1]),
            "root: state 0 at variable 0\n\
             variable 0 = 1: state 0 at variable 1\n\
             variable 1 = 1: state 0 at variable 2\n\
             variable 2 = 0: state 0 at variable 3\n\
             variable 3 = 0: state 0 at variable 4\n\
             variable 4 = 0: state 0 at variable 5\n\
             ... (variables 5 to 19)\n\
             a solution"
        );
    }
}
