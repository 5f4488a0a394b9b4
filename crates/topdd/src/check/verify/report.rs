//! The report and the errors of a verification.

use super::super::trace::trace_erased;
use super::super::walk::accepts_erased;
use super::super::{AssignmentError, Trace};
use super::samples::{Compared, Origin};
use crate::check::contract::Visited;
use crate::spec::ErasedSpec;
use crate::spec::contract::Violation;
use crate::{BigUint, QueryError, Rule};
use std::fmt;

/// The coverage of a successful verification; made by [`verify`](super::verify).
///
/// `Display` writes the rules, the number of solutions, the numbers of checked states and assignments,
/// and whether all were checked. Its first line begins with "verified" only if all assignments were
/// compared.
///
/// ```
/// use topdd::{check, constraint};
///
/// let words = constraint::exactly(5, 2);
/// let verified = check::verify(&words, |word| word.iter().sum::<usize>() == 2)?;
/// assert_eq!((verified.rules().len(), verified.solutions()), (2, &10u32.into()));
/// assert_eq!((verified.states(), verified.assignments()), (11, 32));
/// assert!(verified.all_states() && verified.all_assignments());
/// # Ok::<(), check::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    rules: Vec<Rule>,
    num_vars: usize,
    solutions: BigUint,
    states: usize,
    all_states: bool,
    /// Under the rule with more.
    compared: Compared,
}

/// The number of solutions found independently of the spec's own solutions from which on missing
/// solutions are likely to be noticed.
const FEW: u64 = 10;

impl Verified {
    pub(super) fn new(rules: Vec<Rule>, num_vars: usize) -> Self {
        Verified {
            rules,
            num_vars,
            solutions: BigUint::ZERO,
            states: 0,
            all_states: true,
            compared: Compared::default(),
        }
    }

    /// Adds the states visited under a rule.
    pub(super) fn visited(&mut self, visited: Visited) {
        self.states = self.states.max(visited.states);
        self.all_states &= visited.all;
    }

    /// Adds the assignments compared under a rule.
    pub(super) fn compared(&mut self, compared: Compared, solutions: BigUint) {
        if compared.assignments() > self.compared.assignments() {
            self.compared = compared;
        }
        self.solutions = solutions;
    }

    /// Returns the rules under which the spec was verified.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the number of solutions.
    pub fn solutions(&self) -> &BigUint {
        &self.solutions
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
    /// let verified = check::verify(&even, |values| values.iter().sum::<usize>() % 2 == 0)?;
    /// assert!(!verified.all_solutions() && verified.independent_solutions() > 1000);
    /// assert!(verified.to_string().starts_with("no difference found in samples"));
    /// # Ok::<(), check::VerifyError>(())
    /// ```
    pub fn independent_solutions(&self) -> u64 {
        self.compared.independent()
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verified { num_vars, solutions, states, compared, .. } = self;
        let rules: Vec<String> = self.rules.iter().map(Rule::to_string).collect();
        let found = if compared.all { "verified" } else { "no difference found in samples" };
        writeln!(f, "{found} ({}): {solutions} solutions", rules.join(" and "))?;
        if *solutions == BigUint::ZERO {
            writeln!(f, "no assignment is a solution: verify a case with solutions, too")?;
        }
        if self.all_states {
            writeln!(f, "states: all {states}")?;
        } else {
            writeln!(f, "states: {states}, some of each level")?;
        }
        if compared.all {
            return write!(f, "assignments: all {}", compared.assignments());
        }
        writeln!(f, "assignments: {} of {num_vars} variables", compared.assignments())?;
        let of_solutions = compared.tally(Origin::Solution).compared;
        let all = if compared.all_solutions { "all " } else { "" };
        writeln!(f, "- {all}{of_solutions} solutions of the spec")?;
        for (origin, name) in [
            (Origin::Uniform, "uniform ones"),
            (Origin::Changed, "solutions with one value changed"),
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
/// `Display` writes which accounts accept it and which reject it, and the states on its path.
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
        write!(f, "{trace}")
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

    /// The spec is too large to be verified.
    #[error(
        "too large to be verified: {what}; {advice}{}",
        match compared {
            0 => String::new(),
            compared => format!(
                "\nwithout a diagram, no difference between `child` and the predicate was found in \
                 {compared} samples"
            ),
        }
    )]
    TooLarge {
        /// The part that is too large.
        what: String,
        /// The setting that allows it, as text.
        advice: String,
        /// The number of assignments on which `child` and the predicate were compared, with the same
        /// verdict on each; 0 if they were not.
        compared: u64,
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
