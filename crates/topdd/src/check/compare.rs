//! Comparison of a spec with another description of its solutions.

use super::guard::{Numbered, guarded};
use super::walk::{check_path, for_each_assignment, walk};
use crate::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use crate::spec::ErasedSpec;
use crate::spec::contract::{REPEATS, Violation};
use crate::{BuildError, DdSpec, Diagram, Frontier, Rule, SpecExt};
use std::fmt;
use thiserror::Error;

/// An assignment on which two descriptions differ; in [`Unequal::Differ`], and returned by
/// [`Diagram::differs_from`](crate::Diagram::differs_from). `Display` writes it as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The assignment, one value for each variable from the root down: the smallest in
    /// lexicographic order on which the two differ.
    pub assignment: Vec<usize>,
    /// The description that accepts it, such as "the spec".
    pub solution_of: &'static str,
    /// The description that rejects it, such as "the predicate".
    pub not_of: &'static str,
}

impl Difference {
    /// Makes the difference at `assignment`, which exactly one of two descriptions accepts.
    fn at(assignment: Vec<usize>, first_accepts: bool, names: [&'static str; 2]) -> Self {
        let [first, second] = names;
        let (solution_of, not_of) = if first_accepts { (first, second) } else { (second, first) };
        Difference { assignment, solution_of, not_of }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { assignment, solution_of, not_of } = self;
        write!(f, "{assignment:?} is a solution of {solution_of}, but not of {not_of}")
    }
}

/// The reason why two descriptions are not equal, or could not be compared. Returned by [`equals`] and
/// [`same`], which have examples.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unequal {
    /// They differ.
    #[error("{0}")]
    Differ(Difference),

    /// A spec breaks its contract.
    #[error(transparent)]
    Violation(#[from] Violation),

    /// A diagram could not be built.
    #[error("{what} could not be built: {error}")]
    Build {
        /// The description that could not be built, such as "the first spec".
        what: &'static str,
        /// The error of the build.
        error: BuildError,
    },
}

/// Compares `spec`, built under `rule`, with a predicate on assignments.
///
/// Calls the predicate for every assignment, one value for each variable from the root down, in
/// lexicographic order. Shares no code with the engine.
///
/// Cost: one call and one walk through the spec for each assignment, hence the product of all
/// arities. So keep specs small, as for [`brute_force`](super::brute_force).
///
/// ```
/// use topdd::check::{self, Unequal};
/// use topdd::{DdSpec, Rule, Step};
///
/// /// Subsets of `0..n` with at most `k` members. Wrong: it accepts `k + 1` members.
/// struct AtMost { n: usize, k: usize }
///
/// impl DdSpec for AtMost {
///     type State = usize; // members so far
///     fn num_vars(&self) -> usize { self.n }
///     fn root(&self) -> Step<usize> { Step::To(0, 0) }
///     fn child(&self, &members: &usize, number: usize, value: usize) -> Step<usize> {
///         if members > self.k {
///             Step::Zero
///         } else if number + 1 == self.n {
///             Step::One
///         } else {
///             Step::To(number + 1, members + value)
///         }
///     }
/// }
///
/// let spec = AtMost { n: 4, k: 1 };
/// let at_most_one = |values: &[usize]| values.iter().sum::<usize>() <= 1;
/// let unequal = check::equals(&spec, Rule::ZeroSuppressed, at_most_one).unwrap_err();
/// assert_eq!(
///     unequal.to_string(),
///     "[0, 0, 1, 1] is a solution of the spec, but not of the predicate",
/// );
/// let Unequal::Differ(difference) = unequal else { panic!() };
/// assert_eq!(difference.assignment, [0, 0, 1, 1]);
/// ```
///
/// # Errors
///
/// [`Unequal::Differ`] with the smallest assignment on which the two differ;
/// [`Unequal::Violation`] when the spec breaks its contract or panics before one is found.
///
/// # Panics
///
/// Panics if the predicate does.
pub fn equals<S: DdSpec>(
    spec: &S,
    rule: Rule,
    predicate: impl Fn(&[usize]) -> bool,
) -> Result<(), Unequal> {
    guarded(spec, |spec| equals_erased(spec, rule, &predicate))
}

fn equals_erased(
    spec: &ErasedSpec<'_>,
    rule: Rule,
    predicate: &dyn Fn(&[usize]) -> bool,
) -> Result<(), Unequal> {
    for_each_assignment(spec, |assignment| {
        let accepted = walk(spec, rule, assignment, |_| {})?;
        if accepted == predicate(assignment) {
            return Ok(());
        }
        check_path(spec, rule, assignment, REPEATS)?;
        let names = ["the spec", "the predicate"];
        Err(Unequal::Differ(Difference::at(assignment.to_vec(), accepted, names)))
    })
}

/// Compares two specs over the same variables, built under `rule`.
///
/// Cost: two builds; a third, of their difference, if the diagrams are different.
///
/// ```
/// use topdd::{Rule, SpecExt, check, constraint};
///
/// let [ten, twelve] = [10, 12].map(|k| constraint::at_most(100, k));
/// check::same(&(&ten).and(&twelve), &ten, Rule::ZeroSuppressed)?;
///
/// let unequal = check::same(&ten, &twelve, Rule::ZeroSuppressed).unwrap_err();
/// let message = unequal.to_string();
/// assert!(message.ends_with("is a solution of the second spec, but not of the first spec"));
/// # Ok::<(), check::Unequal>(())
/// ```
///
/// # Errors
///
/// [`Unequal::Differ`] with the smallest assignment on which the two differ;
/// [`Unequal::Build`] when a spec breaks its contract, when they are not over the same
/// variables, or when a diagram has more nodes than can be numbered.
pub fn same<A: DdSpec, B: DdSpec>(first: &A, second: &B, rule: Rule) -> Result<(), Unequal> {
    let (first, second) = (ErasedSpec::new(first), ErasedSpec::new(second));
    same_erased(&first, &second, rule)
}

fn same_erased(first: &ErasedSpec<'_>, second: &ErasedSpec<'_>, rule: Rule) -> Result<(), Unequal> {
    match rule {
        Rule::ZeroSuppressed => same_under::<ZeroSuppressed>(first, second),
        Rule::AnyValue => same_under::<AnyValue>(first, second),
    }
}

fn same_under<R: DiagramRule>(
    first: &ErasedSpec<'_>,
    second: &ErasedSpec<'_>,
) -> Result<(), Unequal> {
    let names = ["the first spec", "the second spec"];
    let diagram = build::<R>(first, names[0])?;
    match diagram.differs_from(&build::<R>(second, names[1])?, names) {
        Ok(None) => Ok(()),
        Ok(Some(difference)) => {
            for spec in [first, second] {
                check_path(spec, R::RULE, &difference.assignment, REPEATS)?;
            }
            Err(Unequal::Differ(difference))
        }
        Err(error) => Err(Unequal::Build { what: "the difference of the specs", error }),
    }
}

fn build<R: DiagramRule>(spec: &ErasedSpec<'_>, what: &'static str) -> Result<Diagram<R>, Unequal> {
    Frontier::of_boxed(Numbered::new(spec).boxed())
        .diagram()
        .map_err(|error| Unequal::Build { what, error })
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the smallest assignment that only one of this diagram and another accepts; `None` if
    /// they are equal. `names` are the names of the two diagrams in the
    /// result.
    ///
    /// Cost: a comparison; if they differ, a sweep of their difference.
    ///
    /// ```
    /// let (all, none) = (topdd::Bdd::full([2; 2])?, topdd::Bdd::empty([2; 2])?);
    /// assert_eq!(all.differs_from(&all, ["this", "that"])?, None);
    /// assert_eq!(
    ///     all.differs_from(&none, ["this", "that"])?.unwrap().to_string(),
    ///     "[0, 0] is a solution of this, but not of that",
    /// );
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the two are not over the same variables, or their difference has more nodes
    /// than can be numbered.
    pub fn differs_from(
        &self,
        other: &Self,
        names: [&'static str; 2],
    ) -> Result<Option<Difference>, BuildError> {
        if self == other {
            return Ok(None);
        }
        let differ: Self = Frontier::of_boxed(self.xor(other).boxed()).diagram()?;
        let Some(assignment) = differ.iter().next() else {
            return Ok(None);
        };
        let accepted = self.contains(&assignment).expect("a solution over the same variables");
        Ok(Some(Difference::at(assignment, accepted, names)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{RandomSpec, brute_force};

    const RULES: [Rule; 2] = [Rule::ZeroSuppressed, Rule::AnyValue];

    /// Returns the smallest assignment in one list of solutions and not in the other, by a
    /// comparison of all, and whether the first list has it.
    fn expected(first: &[Vec<usize>], second: &[Vec<usize>]) -> Option<(Vec<usize>, bool)> {
        let only_first = first.iter().filter(|s| !second.contains(s)).map(|s| (s.clone(), true));
        let only_second = second.iter().filter(|s| !first.contains(s)).map(|s| (s.clone(), false));
        only_first.chain(only_second).min()
    }

    #[test]
    fn the_smallest_difference_is_found() {
        let (mut equal, mut unequal) = (0, 0);
        for seed in 0..400 {
            let arities = RandomSpec::new(seed).arities().to_vec();
            let [a, b] = [seed, seed + 1000].map(|seed| RandomSpec::over(arities.clone(), seed));
            for rule in RULES {
                let [of_a, of_b] = [&a, &b].map(|spec| brute_force(spec, rule).unwrap());
                let by_predicate = equals(&a, rule, |values| of_b.iter().any(|s| s == values));
                let by_diagram = same(&a, &b, rule);
                match expected(&of_a, &of_b) {
                    None => {
                        equal += 1;
                        assert_eq!((by_predicate, by_diagram), (Ok(()), Ok(())));
                    }
                    Some((assignment, first)) => {
                        unequal += 1;
                        let differ = |names| {
                            let difference = Difference::at(assignment.clone(), first, names);
                            Err(Unequal::Differ(difference))
                        };
                        assert_eq!(by_predicate, differ(["the spec", "the predicate"]));
                        assert_eq!(by_diagram, differ(["the first spec", "the second spec"]));
                    }
                }
                assert_eq!(same(&a, &a, rule), Ok(()));
            }
        }
        assert!(equal > 20 && unequal > 200, "{equal} equal, {unequal} unequal");
    }

    #[test]
    fn other_variables_are_refused() {
        let [a, b] = [vec![2, 2], vec![2, 3]].map(|arities| RandomSpec::over(arities, 3));
        for rule in RULES {
            let error = same(&a, &b, rule).unwrap_err();
            assert!(matches!(error, Unequal::Build { error: BuildError::InvalidSpec { .. }, .. }));
        }
        let bad = RandomSpec::over(vec![2, 0], 3);
        let error = equals(&bad, Rule::AnyValue, |_| true).unwrap_err();
        assert_eq!(error, Unequal::Violation(Violation::NoValues { variable: 1 }));
        let message = same(&a, &bad, Rule::AnyValue).unwrap_err().to_string();
        assert!(message.starts_with("the second spec could not be built: variable 1 has arity 0"));
    }
}
