//! Comparison of specs with functions, families and diagrams, for tests.

#[cfg(test)]
mod tests;

use super::error::Error;
use super::{Family, Function, Limits};
use std::fmt;
use topdd::check::{AssignmentError, Difference, Trace, trace};
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use topdd::{BigUint, BuildError, Code, DdSpec, Diagram, Encoding, Rule, SpecExt};

/// A function, a family or a diagram, as an operand of [`same`].
pub trait Comparable {
    /// The rule under which the spec is built.
    type Rule: DiagramRule;

    /// The name in messages, such as "the function".
    const NAME: &'static str;

    /// The number of variables.
    fn num_vars(&self) -> usize;

    /// The number of values of a variable: 2 unless implemented.
    fn arity(&self, variable: usize) -> usize {
        let _ = variable;
        2
    }

    /// Converts the operand to a diagram of topdd, over all its variables.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or the diagram has more nodes than can be numbered.
    fn diagram(&self, limits: &Limits) -> Result<Diagram<Self::Rule>, Error>;
}

impl Comparable for Function {
    type Rule = AnyValue;

    const NAME: &'static str = "the function";

    fn num_vars(&self) -> usize {
        self.manager().num_vars()
    }

    fn diagram(&self, limits: &Limits) -> Result<Diagram<AnyValue>, Error> {
        self.0.diagram(limits)
    }
}

impl Comparable for Family {
    type Rule = ZeroSuppressed;

    const NAME: &'static str = "the family";

    fn num_vars(&self) -> usize {
        self.manager().num_vars()
    }

    fn diagram(&self, limits: &Limits) -> Result<Diagram<ZeroSuppressed>, Error> {
        self.0.diagram(limits)
    }
}

impl<R: DiagramRule> Comparable for Diagram<R> {
    type Rule = R;

    const NAME: &'static str = "the diagram";

    fn num_vars(&self) -> usize {
        Diagram::num_vars(self)
    }

    fn arity(&self, variable: usize) -> usize {
        Diagram::arity(self, variable)
    }

    fn diagram(&self, _: &Limits) -> Result<Diagram<R>, Error> {
        Ok(self.clone())
    }
}

impl<C: Comparable> Comparable for &C {
    type Rule = C::Rule;

    const NAME: &'static str = C::NAME;

    fn num_vars(&self) -> usize {
        (**self).num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        (**self).arity(variable)
    }

    fn diagram(&self, limits: &Limits) -> Result<Diagram<C::Rule>, Error> {
        (**self).diagram(limits)
    }
}

/// Compares a spec with a function, a family or a diagram, node for node. Variables correspond by
/// number, in any order of the manager.
///
/// The spec is built under the rule of the operand: as a BDD for a function, as a ZDD for a family. Both
/// diagrams are reduced, so they have equal nodes if and only if they have the same solutions.
/// [`assert_same!`](crate::assert_same) and [`prop_assert_same!`](crate::prop_assert_same) are the
/// assertions for tests.
///
/// Cost: two builds. If the diagrams differ, two more: of their difference, and of the spec under the
/// other rule.
///
/// ```
/// use topdd::constraint;
/// use topdd_apply::{Different, Limits, Manager, same};
///
/// let manager = Manager::new(3)?;
/// let [a, b, c] = [manager.var(0)?, manager.var(1)?, manager.var(2)?];
/// let two = &a & &b | &b & &c | &a & &c;
/// assert_eq!(same(&constraint::at_least(3, 2), &two, &Limits::new()), Ok(()));
///
/// let different = same(&constraint::exactly(3, 2), &two, &Limits::new()).unwrap_err();
/// let Different::Solutions(counterexample) = different else { panic!() };
/// assert_eq!(counterexample.difference().assignment, [1, 1, 1]);
/// assert_eq!(counterexample.difference().not_of, "the spec");
/// # Ok::<(), topdd_apply::Error>(())
/// ```
///
/// # Errors
///
/// The first reason that applies: other numbers of variables, a variable with another number of values,
/// an operand or a spec that could not be built, a difference of the solutions.
pub fn same<S: DdSpec, C: Comparable>(
    spec: &S,
    operand: &C,
    limits: &Limits,
) -> Result<(), Different> {
    let failed = |what| move |error: BuildError| Different::Failed { what, error: error.into() };
    let vars = [spec.num_vars(), operand.num_vars()];
    let arities = |variable| [spec.arity(variable), operand.arity(variable)];
    let other_variables = if vars[0] == vars[1] {
        let differs = |&variable: &usize| arities(variable)[0] != arities(variable)[1];
        (0..vars[0]).find(differs).map(|variable| Different::Arity {
            operand: C::NAME,
            variable,
            arities: arities(variable),
            encoded: None,
        })
    } else {
        Some(Different::Variables { operand: C::NAME, num_vars: vars, encoded: None })
    };
    let diagram = operand.diagram(limits);
    if let Some(mut different) = other_variables {
        // A hint, which is left out if a limit is reached.
        if let (Ok(diagram), Ok(built)) = (diagram, limits.build(spec)) {
            different.suggest(encoding(&built, &diagram, C::NAME));
        }
        return Err(different);
    }
    let diagram = diagram.map_err(|error| Different::Failed { what: C::NAME, error })?;
    let built: Diagram<C::Rule> = limits.build(spec).map_err(failed("the spec"))?;
    if built == diagram {
        return Ok(());
    }
    let difference = limits.build_boxed((&diagram).xor(&built).boxed());
    let difference: Diagram<C::Rule> = difference.map_err(failed("the difference"))?;
    let assignment = difference.iter().next().expect("two reduced diagrams that are not equal");
    let in_spec = built.contains(&assignment).expect("an assignment to these variables");
    let [solution_of, not_of] = if in_spec { ["the spec", C::NAME] } else { [C::NAME, "the spec"] };
    let rule = C::Rule::RULE;
    let trace = match trace(spec, rule, &assignment) {
        Ok(trace) => trace,
        // Only `child` breaks the contract: the diagram was built without it.
        Err(AssignmentError::Violation(violation)) => {
            return Err(failed("the spec")(BuildError::Violation(Box::new(violation))));
        }
        Err(error) => unreachable!("an assignment to these variables: {error}"),
    };
    let by_other_rule = match rule {
        Rule::ZeroSuppressed => has_same::<AnyValue, _, _>(spec, &diagram, limits),
        Rule::AnyValue => has_same::<ZeroSuppressed, _, _>(spec, &diagram, limits),
    };
    Err(Different::Solutions(Box::new(Counterexample {
        rule,
        counts: [built.count(), diagram.count()],
        difference: Difference { assignment, solution_of, not_of },
        trace,
        by_other_rule,
        operand: C::NAME,
    })))
}

/// Whether `spec`, built under rule `O`, has the solutions of a diagram.
fn has_same<O: DiagramRule, R: DiagramRule, S: DdSpec>(
    spec: &S,
    diagram: &Diagram<R>,
    limits: &Limits,
) -> bool {
    let built = limits.build::<O, _>(spec);
    let built = built.and_then(|built| limits.build_boxed::<R>(built.read_as(O::RULE).boxed()));
    built.as_ref() == Ok(diagram)
}

/// Returns the code by which one of two diagrams becomes the other, and the name of the former.
fn encoding<R: DiagramRule>(
    spec: &Diagram<R>,
    operand: &Diagram<R>,
    name: &'static str,
) -> Option<(&'static str, Code)> {
    let becomes = |from: &Diagram<R>, to: &Diagram<R>, code| {
        let encoding = Encoding::new(code, from);
        encoding.num_vars() == to.num_vars() && from.encode(&encoding).as_ref() == Ok(to)
    };
    [Code::Binary, Code::OneHot, Code::Order].into_iter().find_map(|code| {
        if becomes(spec, operand, code) {
            Some(("the spec", code))
        } else {
            becomes(operand, spec, code).then_some((name, code))
        }
    })
}

/// The difference of a spec and an operand of [`same`], or the reason why they could not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Different {
    /// They have other numbers of variables.
    Variables {
        /// The name of the operand, such as "the function".
        operand: &'static str,
        /// The number of variables of the spec, and of the operand.
        num_vars: [usize; 2],
        /// The code by which one of the two becomes the other, and the name of the former.
        encoded: Option<(&'static str, Code)>,
    },

    /// A variable has other numbers of values.
    Arity {
        /// The name of the operand.
        operand: &'static str,
        /// The first such variable.
        variable: usize,
        /// The number of its values in the spec, and in the operand.
        arities: [usize; 2],
        /// The code by which one of the two becomes the other, and the name of the former.
        encoded: Option<(&'static str, Code)>,
    },

    /// They have other solutions.
    Solutions(Box<Counterexample>),

    /// One of the two, or their difference, could not be built.
    Failed {
        /// The part that failed, such as "the spec".
        what: &'static str,
        /// The error.
        error: Error,
    },
}

impl Different {
    /// Sets the hint.
    fn suggest(&mut self, hint: Option<(&'static str, Code)>) {
        if let Different::Variables { encoded, .. } | Different::Arity { encoded, .. } = self {
            *encoded = hint;
        }
    }
}

impl fmt::Display for Different {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = match self {
            Different::Variables { operand, num_vars: [of_spec, of_operand], encoded } => {
                write!(f, "the spec has {of_spec} variables, but {operand} has {of_operand}")?;
                encoded
            }
            Different::Arity { operand, variable, arities: [of_spec, of_operand], encoded } => {
                write!(
                    f,
                    "variable {variable} has {of_spec} values in the spec, but {of_operand} in \
                     {operand}"
                )?;
                encoded
            }
            Different::Solutions(counterexample) => return counterexample.fmt(f),
            Different::Failed { what, error } => {
                return write!(f, "{what} could not be built: {error}");
            }
        };
        let Some((name, code)) = encoded else { return Ok(()) };
        write!(
            f,
            "; encoded by the {code} code, {name} becomes the other: compare the encoded diagram \
             (Diagram::encode)"
        )
    }
}

impl std::error::Error for Different {}

/// The least assignment that is a solution of only one of a spec and an operand of [`same`].
///
/// Prints the assignment, the numbers of solutions, and the states of the spec on its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    rule: Rule,
    operand: &'static str,
    /// The numbers of solutions of the spec, and of the operand.
    counts: [BigUint; 2],
    difference: Difference,
    trace: Trace,
    by_other_rule: bool,
}

impl Counterexample {
    /// Returns the assignment, the lexicographically least, and the side that accepts it.
    pub fn difference(&self) -> &Difference {
        &self.difference
    }

    /// Returns the states of the spec on the path of the assignment.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Returns whether the spec, built under the other rule, has the solutions of the operand.
    pub fn is_same_by_other_rule(&self) -> bool {
        self.by_other_rule
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counterexample { rule, operand, counts: [of_spec, of_operand], .. } = self;
        writeln!(f, "{} ({rule})", self.difference)?;
        writeln!(f, "the spec has {of_spec} solutions, {operand} has {of_operand}")?;
        if self.by_other_rule {
            let other = match rule {
                Rule::ZeroSuppressed => "Rule::AnyValue",
                Rule::AnyValue => "Rule::ZeroSuppressed",
            };
            writeln!(
                f,
                "under the other rule the spec has the solutions of {operand}: it skips variables, so \
                 compare it with `read_as({other})`"
            )?;
        }
        if self.trace.accepted() != (self.difference.solution_of == "the spec") {
            writeln!(
                f,
                "the diagram of the spec differs from `child`: `for_each_child` or `forced` disagree with \
                 it (Frontier::checked)"
            )?;
        }
        write!(f, "{}", self.trace)
    }
}

/// Asserts that a spec is the [`same`] as a function, a family or a diagram, node for node.
///
/// ```text
/// assert_same!(spec, operand)
/// assert_same!(spec, operand, limits)
/// ```
///
/// The arguments are borrowed. Panics with the [`Different`] as message: the least counterexample and
/// the states of the spec that lead to it; or the number of variables, a rule or an encoding, if this is
/// the cause.
///
/// ```
/// use topdd::constraint;
/// use topdd_apply::{Manager, assert_same};
///
/// let edges = Manager::new(3)?.family([[0, 1], [1, 2], [0, 2]])?;
/// assert_same!(constraint::exactly(3, 2), edges);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
///
/// ```should_panic
/// # use topdd::constraint;
/// # use topdd_apply::{Manager, assert_same};
/// let edges = Manager::new(3)?.family([[0, 1], [1, 2]])?;
/// // [1, 0, 1] is a solution of the spec, but not of the family (zero-suppressed)
/// // the spec has 3 solutions, the family has 2
/// // root: state exactly: 0 so far at variable 0
/// // variable 0 = 1: state exactly: 1 so far at variable 1
/// // ...
/// assert_same!(constraint::exactly(3, 2), edges);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[macro_export]
macro_rules! assert_same {
    ($spec:expr, $operand:expr $(,)?) => {
        $crate::assert_same!($spec, $operand, $crate::Limits::new())
    };
    ($spec:expr, $operand:expr, $limits:expr $(,)?) => {
        if let ::std::result::Result::Err(different) = $crate::same(&$spec, &$operand, &$limits) {
            ::std::panic!("{different}");
        }
    };
}

/// As [`assert_same!`], for the body of a test of the crate `proptest`: returns a failure instead of
/// a panic.
///
/// ```
/// use proptest::prelude::*;
/// use topdd::{SpecExt, check::strategies::specs_over};
/// use topdd_apply::{Manager, prop_assert_same};
///
/// proptest! {
///     # /*
///     #[test]
///     # */
///     fn and_of_specs_is_and_of_functions((a, b) in (specs_over(&[2; 4]), specs_over(&[2; 4]))) {
///         let manager = Manager::new(4).unwrap();
///         let [f, g] = [&a, &b].map(|spec| manager.function_of(&topdd::bdd(spec).unwrap()).unwrap());
///         prop_assert_same!((&a).and(&b), f & g);
///     }
/// }
/// # and_of_specs_is_and_of_functions();
/// ```
#[macro_export]
macro_rules! prop_assert_same {
    ($spec:expr, $operand:expr $(,)?) => {
        $crate::prop_assert_same!($spec, $operand, $crate::Limits::new())
    };
    ($spec:expr, $operand:expr, $limits:expr $(,)?) => {
        if let ::std::result::Result::Err(different) = $crate::same(&$spec, &$operand, &$limits) {
            let message = ::std::string::ToString::to_string(&different);
            return ::std::result::Result::Err(::proptest::test_runner::TestCaseError::fail(
                message,
            ));
        }
    };
}
