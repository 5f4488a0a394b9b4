//! Walks of assignments through a spec, one by one.

use thiserror::Error;

use super::guard::guarded;
use crate::spec::contract::{
    Violation, check_pure, check_root, check_state, check_step, check_universe,
};
use crate::spec::{ErasedSpec, ErasedState};
use crate::{DdSpec, Rule, Step};

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
pub(super) fn check_fits(
    spec: &ErasedSpec<'_>,
    assignment: &[usize],
) -> Result<(), AssignmentError> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
