//! Walks of assignments through a spec, one by one, and the path of one as text.

use super::guard::guarded;
use crate::spec::combine::changed_operands;
use crate::spec::contract::{
    Violation, check_pure, check_root, check_state, check_step, check_universe, describe_step,
};
use crate::spec::{ErasedSpec, ErasedState};
use crate::{DdSpec, Rule, Step};
use std::fmt;
use thiserror::Error;

/// The reason why an assignment could not be walked through a spec; returned by [`accepts`] and
/// [`trace`](super::trace).
///
/// ```
/// use topdd::{Rule, check, constraint};
///
/// let few = constraint::at_most(3, 1);
/// let error = check::accepts(&few, Rule::ZeroSuppressed, &[0, 2, 0]).unwrap_err();
/// assert_eq!(error, check::AssignmentError::Value { variable: 1, value: 2, arity: 2 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AssignmentError {
    /// The number of values differs from the number of variables.
    #[error("the assignment has {values} values, but the spec has {num_vars} variables")]
    Length {
        /// The number of values of the assignment.
        values: usize,
        /// The number of variables of the spec.
        num_vars: usize,
    },

    /// The assignment gives a variable a value it does not have.
    #[error(
        "the assignment gives variable {variable} the value {value}, but that variable \
         takes values 0..{arity}"
    )]
    Value {
        /// The variable.
        variable: usize,
        /// The value the assignment gives it.
        value: usize,
        /// The number of values of the variable.
        arity: usize,
    },

    /// The spec breaks its contract.
    #[error(transparent)]
    Violation(#[from] Violation),
}

/// Returns whether `assignment`, one value for each variable from the root down, is a solution of
/// `spec` built under `rule`.
///
/// The walk reads skipped variables by `rule`: before the root, between states, and before the
/// 1-terminal. Cost: one step for each variable that is not skipped.
///
/// ```
/// use topdd::{Rule, check, constraint};
///
/// let few = constraint::at_most(3, 1);
/// assert!(check::accepts(&few, Rule::ZeroSuppressed, &[0, 1, 0])?);
/// # Ok::<(), check::AssignmentError>(())
/// ```
///
/// # Errors
///
/// If the assignment does not fit the spec's variables, or the spec breaks its contract on the
/// path or panics. The walk ends at the first step that determines the result, so it may miss a violation;
/// [`contract`](super::contract) checks each state up to a limit.
pub fn accepts<S: DdSpec>(
    spec: &S,
    rule: Rule,
    assignment: &[usize],
) -> Result<bool, AssignmentError> {
    guarded(spec, |spec| accepts_erased(spec, rule, assignment))
}

pub(super) fn accepts_erased(
    spec: &ErasedSpec<'_>,
    rule: Rule,
    assignment: &[usize],
) -> Result<bool, AssignmentError> {
    check_fits(spec, assignment)?;
    Ok(walk(spec, rule, assignment, |_| {})?)
}

/// Fails if an assignment does not fit the spec's variables.
fn check_fits(spec: &ErasedSpec<'_>, assignment: &[usize]) -> Result<(), AssignmentError> {
    check_universe(spec)?;
    let num_vars = spec.num_vars();
    if assignment.len() != num_vars {
        return Err(AssignmentError::Length { values: assignment.len(), num_vars });
    }
    for (variable, &value) in assignment.iter().enumerate() {
        let arity = spec.arity(variable);
        if value >= arity {
            return Err(AssignmentError::Value { variable, value, arity });
        }
    }
    Ok(())
}

/// Returns all solutions of `spec` built under `rule`, in lexicographic order.
///
/// Cost: time for one walk per assignment, hence the product of all arities. Keep specs small.
///
/// ```
/// use topdd::{Rule, check, constraint};
///
/// let one = constraint::exactly(3, 1);
/// let solutions = check::brute_force(&one, Rule::ZeroSuppressed)?;
/// assert_eq!(solutions, [[0, 0, 1], [0, 1, 0], [1, 0, 0]]);
/// # Ok::<(), check::Violation>(())
/// ```
///
/// # Errors
///
/// If the spec breaks its contract on the path of an assignment, or panics.
pub fn brute_force<S: DdSpec>(spec: &S, rule: Rule) -> Result<Vec<Vec<usize>>, Violation> {
    guarded(spec, |spec| brute_force_erased(spec, rule))
}

fn brute_force_erased(spec: &ErasedSpec<'_>, rule: Rule) -> Result<Vec<Vec<usize>>, Violation> {
    let mut solutions = Vec::new();
    for_each_assignment(spec, |assignment| {
        if walk(spec, rule, assignment, |_| {})? {
            solutions.push(assignment.to_vec());
        }
        Ok::<_, Violation>(())
    })?;
    Ok(solutions)
}

/// Visits every assignment to the spec's variables in lexicographic order, up to the
/// first error.
pub(super) fn for_each_assignment<E: From<Violation>>(
    spec: &ErasedSpec<'_>,
    mut visit: impl FnMut(&[usize]) -> Result<(), E>,
) -> Result<(), E> {
    check_universe(spec)?;
    let num_vars = spec.num_vars();
    let mut assignment = vec![0; num_vars];
    loop {
        visit(&assignment)?;
        // The next assignment: the last variable that can advance does so, and the variables after it
        // restart.
        let moving = (0..num_vars).rev().find(|&v| assignment[v] + 1 < spec.arity(v));
        let Some(moving) = moving else {
            return Ok(());
        };
        assignment[moving] += 1;
        assignment[moving + 1..].fill(0);
    }
}

/// The events of a walk, variable by variable.
pub(super) enum Event<'a> {
    /// The walk starts.
    Root(&'a Step<ErasedState>),
    /// The next variable is skipped, which allows its value or not.
    Skipped {
        /// Whether the value may be skipped.
        allowed: bool,
    },
    /// The next variable is decided in a state.
    Taken {
        /// The state and its variable.
        from: (&'a ErasedState, usize),
        /// The value.
        value: usize,
        /// The step.
        step: &'a Step<ErasedState>,
    },
}

/// Walks an assignment that fits the spec's variables. Passes to `visit` the root, and then each
/// variable up to the variable that determines the result.
pub(super) fn walk(
    spec: &ErasedSpec<'_>,
    rule: Rule,
    assignment: &[usize],
    mut visit: impl FnMut(Event<'_>),
) -> Result<bool, Violation> {
    let mut step = spec.root_under(rule);
    check_root(spec, &step)?;
    visit(Event::Root(&step));
    let mut next = 0;
    loop {
        let skipped_to = match step {
            Step::Zero => return Ok(false),
            Step::One => assignment.len(),
            Step::To(variable, _) => variable,
        };
        for &value in &assignment[next..skipped_to] {
            let allowed = rule.allows(value);
            visit(Event::Skipped { allowed });
            if !allowed {
                return Ok(false);
            }
        }
        let Step::To(variable, state) = step else {
            return Ok(true);
        };
        let value = assignment[variable];
        step = spec.child(&state, variable, value);
        check_step(spec, &state, variable, value, &step)?;
        visit(Event::Taken { from: (&state, variable), value, step: &step });
        next = variable + 1;
    }
}

/// Checks the states on the path of an assignment, and that `child` returns each step on it again, `repeats`
/// times.
pub(super) fn check_path(
    spec: &ErasedSpec<'_>,
    rule: Rule,
    assignment: &[usize],
    repeats: usize,
) -> Result<(), Violation> {
    let mut taken = Vec::new();
    walk(spec, rule, assignment, |event| {
        if let Event::Taken { from: (state, variable), value, step } = event {
            taken.push((state.clone(), variable, value, step.clone()));
        }
    })?;
    taken.into_iter().try_for_each(|(state, variable, value, step)| {
        check_pure(spec, &state, variable, value, &step, repeats)?;
        check_state(spec, &state, variable, |_, _| Ok(()))
    })
}

/// The states that one assignment passes through; made by [`trace`].
///
/// `Display` writes a line for the root, one for each variable, and the verdict. Variables that are all
/// skipped, or after the 0-terminal, share a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    rule: Rule,
    assignment: Vec<usize>,
    root: String,
    /// One step for each variable, up to the variable that determines the verdict.
    moves: Vec<Move>,
    accepted: bool,
}

/// The treatment of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Move {
    /// A state was at the variable and returned this step.
    Taken(String),
    /// No state was at the variable.
    Skipped { allowed: bool },
}

impl Trace {
    /// Returns whether the assignment is a solution.
    pub fn accepted(&self) -> bool {
        self.accepted
    }

    /// Returns the number of variables decided before the verdict: all of them, if the assignment is
    /// a solution.
    ///
    /// ```
    /// use topdd::{Rule, check, constraint};
    ///
    /// let few = constraint::at_most(4, 1);
    /// let trace = check::trace(&few, Rule::ZeroSuppressed, &[1, 1, 0, 0])?;
    /// assert_eq!((trace.accepted(), trace.decided()), (false, 2)); // the second one is too many
    /// # Ok::<(), check::AssignmentError>(())
    /// ```
    pub fn decided(&self) -> usize {
        self.moves.len()
    }
}

impl Trace {
    /// A line for each variable, or for variables that are treated alike, with the last of its variables.
    fn lines(&self) -> Vec<(usize, String)> {
        let mut lines = Vec::new();
        let mut next = 0;
        while next < self.assignment.len() {
            // Variables that are treated alike, other than by a state.
            let treated = self.moves.get(next);
            let alike = |&at: &usize| {
                !matches!(treated, Some(Move::Taken(_))) && self.moves.get(at) == treated
            };
            let end = (next + 1..self.assignment.len()).take_while(alike).last().unwrap_or(next);
            let decided = match &self.assignment[next..=end] {
                [value] => format!("variable {next} = {value}"),
                values => format!("variables {next} to {end} = {values:?}"),
            };
            next = end + 1;
            let treatment = match (treated, self.rule) {
                (Some(Move::Taken(step)), _) => step.clone(),
                (Some(Move::Skipped { allowed: false }), rule) => {
                    format!("skipped, but must be 0 ({rule})")
                }
                (Some(Move::Skipped { .. }), rule @ Rule::ZeroSuppressed) => {
                    format!("skipped, and is 0 ({rule})")
                }
                (Some(Move::Skipped { .. }), rule @ Rule::AnyValue) => format!("skipped ({rule})"),
                (None, _) => "not looked at".to_owned(),
            };
            lines.push((end, format!("{decided}: {treatment}")));
        }
        lines
    }

    /// Writes the trace; if it is long, only the line of the wrong step and the lines around it. The wrong step is the
    /// step that rejects or, if the assignment is accepted, the last value that is not 0.
    pub(super) fn write_around_difference(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines();
        if lines.len() <= MAX_LINES {
            return write!(f, "{self}");
        }
        let last_nonzero = self.assignment.iter().rposition(|&value| value > 0);
        let refused = self.moves.len().saturating_sub(1);
        let variable = if self.accepted { last_nonzero.unwrap_or(0) } else { refused };
        let line = lines.partition_point(|&(end, _)| end < variable);
        let shown = line.saturating_sub(AROUND)..(line + AROUND + 1).min(lines.len());
        if shown.start == 0 {
            writeln!(f, "root: {}", self.root)?;
        } else {
            writeln!(f, "... (variables 0 to {})", lines[shown.start - 1].0)?;
        }
        for (_, line) in &lines[shown.clone()] {
            writeln!(f, "{line}")?;
        }
        if shown.end < lines.len() {
            let after = lines[shown.end - 1].0 + 1;
            writeln!(f, "... (variables {after} to {})", self.assignment.len() - 1)?;
        }
        f.write_str(self.verdict())
    }

    fn verdict(&self) -> &'static str {
        if self.accepted { "a solution" } else { "not a solution" }
    }
}

/// The lines of a trace that an error writes in full, and otherwise the lines before and after the wrong one.
const MAX_LINES: usize = 16;
const AROUND: usize = 3;

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "root: {}", self.root)?;
        for (_, line) in self.lines() {
            writeln!(f, "{line}")?;
        }
        f.write_str(self.verdict())
    }
}

/// Returns the states that `assignment`, one value for each variable from the root down, passes
/// through in `spec` built under `rule`, and whether it is a solution.
///
/// States are written by [`DdSpec::describe`]. Override it if the text should contain more than the
/// `Debug` form. Of a state of a combination, such as [`and`](crate::SpecExt::and), the operands that are the same as
/// in the state before are only counted.
///
/// ```
/// use topdd::{DdSpec, Rule, Step, check};
///
/// /// Subsets of `0..n` with exactly `k` members.
/// struct Exactly { n: usize, k: usize }
///
/// impl DdSpec for Exactly {
///     type State = usize; // members so far
///     fn num_vars(&self) -> usize { self.n }
///     fn root(&self) -> Step<usize> { Step::To(0, 0) }
///     fn child(&self, &members: &usize, number: usize, value: usize) -> Step<usize> {
///         let members = members + value;
///         if members == self.k {
///             Step::One // the others are skipped
///         } else if number + 1 == self.n {
///             Step::Zero
///         } else {
///             Step::To(number + 1, members)
///         }
///     }
///     fn describe(&self, members: &usize) -> String { format!("{members} members") }
/// }
///
/// let spec = Exactly { n: 4, k: 2 };
/// let trace = check::trace(&spec, Rule::ZeroSuppressed, &[0, 1, 1, 0])?;
/// assert!(trace.accepted());
/// assert_eq!(trace.to_string(), "\
/// root: state 0 members at variable 0
/// variable 0 = 0: state 0 members at variable 1
/// variable 1 = 1: state 1 members at variable 2
/// variable 2 = 1: the 1-terminal
/// variable 3 = 0: skipped, and is 0 (zero-suppressed)
/// a solution");
///
/// let trace = check::trace(&spec, Rule::ZeroSuppressed, &[1, 1, 1, 0])?;
/// assert_eq!(trace.to_string(), "\
/// root: state 0 members at variable 0
/// variable 0 = 1: state 1 members at variable 1
/// variable 1 = 1: the 1-terminal
/// variable 2 = 1: skipped, but must be 0 (zero-suppressed)
/// variable 3 = 0: not looked at
/// not a solution");
/// # Ok::<(), check::AssignmentError>(())
/// ```
///
/// # Errors
///
/// If the assignment does not fit the variables of the spec, or the spec breaks its contract on the
/// path or panics.
pub fn trace<S: DdSpec>(
    spec: &S,
    rule: Rule,
    assignment: &[usize],
) -> Result<Trace, AssignmentError> {
    guarded(spec, |spec| trace_erased(spec, rule, assignment))
}

pub(super) fn trace_erased(
    spec: &ErasedSpec<'_>,
    rule: Rule,
    assignment: &[usize],
) -> Result<Trace, AssignmentError> {
    check_fits(spec, assignment)?;
    let mut root = String::new();
    let mut moves = Vec::new();
    let mut before = String::new();
    let mut describe = |step: &Step<_>| match step {
        Step::To(variable, state) => {
            let state = spec.describe(state);
            let changed = changed_operands(&before, &state);
            before = state;
            format!("state {changed} at variable {variable}")
        }
        terminal => describe_step(spec, terminal),
    };
    let accepted = walk(spec, rule, assignment, |event| match event {
        Event::Root(step) => root = describe(step),
        Event::Skipped { allowed } => moves.push(Move::Skipped { allowed }),
        Event::Taken { from: (state, variable), value, step } => {
            let refused = || spec.refused_by(state, variable, value);
            let by = if step.is_zero() { refused() } else { None };
            let by = by.map_or_else(String::new, |part| format!(", by {part}"));
            moves.push(Move::Taken(describe(step) + &by));
        }
    })?;
    Ok(Trace { rule, assignment: assignment.to_vec(), root, moves, accepted })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{RandomSpec, accepts};
    use crate::{SpecExt, constraint};

    /// One state at variable `at`, from which value 2 leads to the 1-terminal.
    struct Gap {
        arities: Vec<usize>,
        at: usize,
    }

    impl DdSpec for Gap {
        type State = ();
        fn num_vars(&self) -> usize {
            self.arities.len()
        }
        fn arity(&self, variable: usize) -> usize {
            self.arities[variable]
        }
        fn root(&self) -> Step<()> {
            Step::To(self.at, ())
        }
        fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
            if value == 2 { Step::One } else { Step::Zero }
        }
    }

    struct Constant(usize, bool);

    impl DdSpec for Constant {
        type State = ();
        fn num_vars(&self) -> usize {
            self.0
        }
        fn root(&self) -> Step<()> {
            if self.1 { Step::One } else { Step::Zero }
        }
        fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
            Step::Zero
        }
    }

    #[test]
    fn gaps_are_read_by_the_rule() {
        let spec = Gap { arities: vec![2, 3, 2], at: 1 };
        let zero = brute_force(&spec, Rule::ZeroSuppressed).unwrap();
        assert_eq!(zero, [[0, 2, 0]]);
        let any = brute_force(&spec, Rule::AnyValue).unwrap();
        assert_eq!(any, [[0, 2, 0], [0, 2, 1], [1, 2, 0], [1, 2, 1]]);
    }

    #[test]
    fn constant_specs_and_specs_without_variables_are_walked() {
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            assert_eq!(brute_force(&Constant(0, true), rule).unwrap(), [[0_usize; 0]]);
            assert!(brute_force(&Constant(0, false), rule).unwrap().is_empty());
            assert!(brute_force(&Constant(2, false), rule).unwrap().is_empty());
            assert!(accepts(&Constant(0, true), rule, &[]).unwrap());
        }
        assert_eq!(brute_force(&Constant(2, true), Rule::ZeroSuppressed).unwrap(), [[0, 0]]);
        assert_eq!(brute_force(&Constant(2, true), Rule::AnyValue).unwrap().len(), 4);
    }

    #[test]
    fn ill_fitting_assignments_are_refused() {
        let spec = Gap { arities: vec![2, 3, 2], at: 1 };
        assert_eq!(
            accepts(&spec, Rule::AnyValue, &[0, 0]),
            Err(AssignmentError::Length { values: 2, num_vars: 3 })
        );
        assert_eq!(
            accepts(&spec, Rule::AnyValue, &[0, 3, 0]),
            Err(AssignmentError::Value { variable: 1, value: 3, arity: 3 })
        );
    }

    #[test]
    fn broken_specs_are_reported() {
        let spec = Gap { arities: vec![2, 0, 2], at: 1 };
        assert_eq!(brute_force(&spec, Rule::AnyValue), Err(Violation::NoValues { variable: 1 }));
        let spec = Gap { arities: vec![2, 3], at: 2 };
        assert!(matches!(
            brute_force(&spec, Rule::AnyValue),
            Err(Violation::RootOutOfRange { to: 2, num_vars: 2, .. })
        ));
    }

    #[test]
    fn a_trace_prints_each_variable_and_the_verdict() {
        let (mut accepted, mut refused) = (0, 0);
        for seed in 0..300 {
            let spec = RandomSpec::new(seed);
            let assignment: Vec<_> =
                spec.arities().iter().map(|&arity| seed as usize % arity).collect();
            for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
                let trace = trace(&spec, rule, &assignment).unwrap();
                assert_eq!(Ok(trace.accepted()), accepts(&spec, rule, &assignment));
                let text = trace.to_string();
                let decided = text.lines().filter(|line| line.contains(" = ")).count();
                assert!((1..=assignment.len()).contains(&decided) || assignment.is_empty());
                assert_eq!(text.lines().count(), decided + 2);
                if trace.accepted() {
                    accepted += 1;
                    assert_eq!(trace.decided(), assignment.len());
                    assert!(text.ends_with("\na solution") && !text.contains("not looked at"));
                } else {
                    refused += 1;
                    assert!(text.ends_with("\nnot a solution"));
                }
            }
        }
        assert!(accepted > 50 && refused > 50);
    }

    #[test]
    fn a_skipped_variable_has_any_value_in_a_bdd() {
        let spec = RandomSpec::over(vec![3, 3], 0);
        let bdd = crate::bdd(&(&spec).or((&spec).not())).unwrap();
        let trace = trace(&bdd, Rule::AnyValue, &[2, 1]).unwrap();
        assert_eq!(
            trace.to_string(),
            "root: the 1-terminal\n\
             variables 0 to 1 = [2, 1]: skipped (any value)\n\
             a solution"
        );
    }

    #[test]
    fn variables_after_the_0_terminal_share_a_line() {
        let few = crate::constraint::at_most(6, 0).on([2, 4]);
        let trace = trace(&few, Rule::AnyValue, &[1, 0, 1, 0, 0, 1]).unwrap();
        assert!(
            trace.to_string().ends_with(
                "\nvariable 2 = 1: the 0-terminal, by at_most\n\
                 variables 3 to 5 = [0, 0, 1]: not looked at\n\
                 not a solution"
            ),
            "{trace}"
        );
    }

    #[test]
    fn a_trace_names_the_operand_that_refuses() {
        use crate::all;
        use crate::constraint::{at_most, regex};
        let text = |spec: &crate::spec::BoxedSpec<'_>, values: &[usize]| {
            trace(spec, Rule::ZeroSuppressed, values).unwrap().to_string()
        };
        let days = all(vec![
            at_most(4, 1).on([0, 1]).named("day 1"),
            at_most(4, 1).on([2, 3]).named("day 2"),
        ]);
        let spec = days.and(regex(4, "(01|1.)*")).boxed();
        assert!(text(&spec, &[0, 1, 1, 1]).contains("variable 3 = 1: the 0-terminal, by day 2\n"));
        assert!(text(&spec, &[0, 0, 1, 1]).contains("variable 1 = 0: the 0-terminal, by regex\n"));
        // Nested combinations are written as one.
        let nested = at_most(4, 3).and(at_most(4, 1).named("few")).and(at_most(4, 2)).boxed();
        let trace = text(&nested, &[1, 1, 0, 0]);
        assert!(trace.starts_with("root: state and(at_most: 0 so far, few: 0 so far, at_most: 0"));
        let changed =
            "variable 0 = 1: state and(at_most: 1 so far, few: 1 so far, at_most: 1 so far)";
        assert!(trace.contains(changed), "{trace}");
        assert!(trace.contains("variable 1 = 1: the 0-terminal, by few\n"), "{trace}");
        // The first day does not change after its last variable.
        let trace = text(&all(vec![at_most(4, 1).on([0, 1]), at_most(4, 2)]).boxed(), &[0; 4]);
        assert!(
            trace.contains("variable 2 = 0: state and(2 unchanged) at variable 3\n"),
            "{trace}"
        );
        // Of other specs the state is written.
        let dp = crate::dp(4, 7u8).step(|_, v, _| (v < 2).then_some(8)).accept(|_| true);
        let spec = at_most(4, 3).and(dp).boxed();
        assert!(text(&spec, &[0; 4]).contains("variable 2 = 0: the 0-terminal, by 8\n"));
    }

    #[test]
    fn a_trace_names_a_constraint_within_other_combinators() {
        use crate::constraint::{at_least, at_most, on};
        use crate::spec::BoxedSpec;
        let few = || at_most(3, 1).named("few");
        let all = || at_most(3, 3);
        let relabelled = few().relabel(vec![0, 1, 3], vec![2; 4]).read_as(Rule::AnyValue);
        let specs: [(BoxedSpec<'_>, usize, &str); 7] = [
            (few().unreduce().and(all()).boxed(), 1, "few"),
            (few().lookahead(1).and(all()).boxed(), 1, "few"),
            (at_most(3, 1).not().not().and(all()).boxed(), 1, "not(not(at_most))"),
            (at_least(3, 2).named("two").not().and(all()).boxed(), 2, "not(two)"),
            (relabelled.and(at_most(4, 4)).boxed(), 1, "few"),
            (at_most(2, 0).named("none").relabel([1, 2], 3).and(all()).boxed(), 1, "none"),
            (on(few(), [0, 1, 3], 4).and(at_most(4, 4)).boxed(), 1, "few"),
        ];
        for (spec, variable, by) in specs {
            let assignment = vec![1; spec.num_vars()];
            let text = trace(&spec, Rule::AnyValue, &assignment).unwrap().to_string();
            let line = format!("variable {variable} = 1: the 0-terminal, by {by}\n");
            assert!(text.contains(&line), "{by}: {text}");
        }
        // Both values of variable 1 would lead to the 0-terminal.
        let dead = at_most(2, 0).and(at_least(2, 1).named("one")).lookahead(2).and(at_most(2, 2));
        let refused = trace(&dead, Rule::AnyValue, &[0, 0]).unwrap().to_string();
        assert!(refused.starts_with("root: the 0-terminal"), "{refused}");
        let late = crate::dp(3, 0).step(|&n, v, value| (v < 2 || n == 3).then_some(n + value));
        let late = late.accept(|_| true).lookahead(1).and(at_most(3, 3));
        let refused = trace(&late, Rule::AnyValue, &[0; 3]).unwrap().to_string();
        assert!(refused.contains("variable 1 = 0: the 0-terminal, by lookahead of depth 1\n"));
    }

    #[test]
    fn bad_assignments_are_refused() {
        let spec = RandomSpec::over(vec![2, 3], 1);
        assert_eq!(
            trace(&spec, Rule::AnyValue, &[0]),
            Err(AssignmentError::Length { values: 1, num_vars: 2 })
        );
        assert_eq!(
            trace(&spec, Rule::AnyValue, &[0, 3]),
            Err(AssignmentError::Value { variable: 1, value: 3, arity: 3 })
        );
    }

    #[test]
    fn state_of_a_constraint_is_one_operand() {
        let spec =
            constraint::occurrences(4, [(0, 2..=2), (1, 2..=2)]).and(constraint::at_most(4, 2));
        let text = trace(&spec, Rule::AnyValue, &[0, 0, 1, 1]).unwrap().to_string();
        let first = "state and(occurrences: 1 of value 0; 0 of value 1, 1 unchanged) at variable 1";
        assert!(text.contains(first), "{text}");
    }
}
