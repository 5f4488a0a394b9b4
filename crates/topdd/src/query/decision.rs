//! Decisions: values that a variable must or must not have, and the solutions that agree with them.

use super::operators::RuleAdapter;
use crate::diagram::store::{NodeId, ONE, ZERO};
use crate::diagram::{Diagram, DiagramRule};
use crate::spec::{Arities, DdSpec, PerValue, Portable, Rule, Step};
use crate::{Frontier, QueryError};
use std::fmt;
use std::ops::ControlFlow;

/// A decision that a variable has, or does not have, a value.
///
/// [`Diagram::restrict`](crate::Diagram::restrict) takes a list of them, and a
/// [`Configurator`](crate::Configurator) one after the other.
///
/// With the feature `serde`, a decision is (de)serialised as
/// `{"is": {"variable": 3, "value": 0}}` or `{"is_not": ..}`.
///
/// ```
/// use topdd::Decision;
///
/// let decision = Decision::is_not(3, 0);
/// assert_eq!((decision.variable(), decision.value()), (3, 0));
/// assert!(decision.allows(1) && !decision.allows(0));
/// assert_eq!(decision.to_string(), "variable 3 != 0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Decision {
    /// The variable has the value.
    Is {
        /// The variable.
        variable: usize,
        /// The value chosen.
        value: usize,
    },
    /// The variable has any other value.
    #[cfg_attr(feature = "serde", serde(alias = "not"))] // the word of version 0.1
    IsNot {
        /// The variable.
        variable: usize,
        /// The value ruled out.
        value: usize,
    },
}

impl Decision {
    /// Makes the decision that `variable` has `value`.
    pub fn is(variable: usize, value: usize) -> Self {
        Decision::Is { variable, value }
    }

    /// Makes the decision that `variable` has a value other than `value`.
    pub fn is_not(variable: usize, value: usize) -> Self {
        Decision::IsNot { variable, value }
    }

    /// Returns the variable of the decision.
    pub fn variable(&self) -> usize {
        match *self {
            Decision::Is { variable, .. } | Decision::IsNot { variable, .. } => variable,
        }
    }

    /// Returns the value that is chosen or ruled out.
    pub fn value(&self) -> usize {
        match *self {
            Decision::Is { value, .. } | Decision::IsNot { value, .. } => value,
        }
    }

    /// Returns whether a solution in which the variable has this `value` agrees with the decision.
    pub fn allows(&self, value: usize) -> bool {
        match *self {
            Decision::Is { value: chosen, .. } => value == chosen,
            Decision::IsNot { value: forbidden, .. } => value != forbidden,
        }
    }

    /// Fails if the variable or the value does not exist.
    pub(super) fn check(&self, arities: &Arities) -> Result<(), QueryError> {
        let (variable, value) = (self.variable(), self.value());
        let num_vars = arities.num_vars();
        if variable >= num_vars {
            return Err(QueryError::NoSuchVariable { variable, num_vars });
        }
        let arity = arities.get(variable);
        if value >= arity {
            return Err(QueryError::ValueOutOfRange { variable, value, arity });
        }
        Ok(())
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Decision::Is { variable, value } => write!(f, "variable {variable} = {value}"),
            Decision::IsNot { variable, value } => write!(f, "variable {variable} != {value}"),
        }
    }
}

/// The reason why a decision is impossible: no solution agrees with the decision and with some other
/// decisions. `Display` writes it as a sentence.
///
/// ```
/// use topdd::{QueryError, Zdd};
///
/// let mut game = Zdd::from_solutions([2, 2], [[0, 1], [1, 0]])?.configure()?;
/// game.choose(0, 1)?;
/// let Err(QueryError::Impossible(conflict)) = game.choose(1, 1) else { panic!() };
/// assert_eq!(
///     conflict.to_string(),
///     "variable 1 = 1 is impossible: variable 0 = 1 rules it out (take that back first)",
/// );
/// # Ok::<(), QueryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conflict {
    /// The impossible decision.
    pub decision: Decision,
    /// The decisions in force that rule it out together, in the order in which they were taken.
    /// Without any one of them they do not. Empty if no solution of the diagram agrees with the
    /// decision.
    pub because: Vec<Decision>,
    /// Whether no smaller set of decisions in force rules it out. `false` only if the search for a
    /// smaller set took too long.
    pub smallest: bool,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is impossible: ", self.decision)?;
        match &self.because[..] {
            [] => f.write_str("no solution of the diagram has it"),
            [one] => write!(f, "{one} rules it out (take that back first)"),
            [first, rest @ ..] => {
                write!(f, "{first}")?;
                rest.iter().try_for_each(|decision| write!(f, ", {decision}"))?;
                f.write_str(" rule it out together (take one of them back first)")
            }
        }
    }
}

/// The values that each variable may have.
#[derive(Clone, Debug)]
pub(super) struct ValueMask {
    allowed: PerValue<bool>,
    /// The number of values allowed, by variable.
    left: Vec<u32>,
    /// The number of variables without an allowed value.
    none_left: usize,
}

impl ValueMask {
    /// Allows all values.
    pub(super) fn all(arities: &Arities) -> Self {
        let allowed = PerValue::new(arities.iter(), |_, _| true);
        ValueMask {
            allowed,
            left: arities.iter().map(|arity| arity as u32).collect(),
            none_left: 0,
        }
    }

    /// Allows the values that agree with all decisions, which must have been checked.
    pub(super) fn new<'a>(
        arities: &Arities,
        decisions: impl IntoIterator<Item = &'a Decision>,
    ) -> Self {
        let mut mask = Self::all(arities);
        for decision in decisions {
            mask.restrict(decision);
        }
        mask
    }

    /// Removes the values that do not agree with a decision.
    pub(super) fn restrict(&mut self, decision: &Decision) {
        let variable = decision.variable();
        for (value, allowed) in self.allowed.variable_mut(variable).iter_mut().enumerate() {
            if *allowed && !decision.allows(value) {
                *allowed = false;
                self.left[variable] -= 1;
                self.none_left += usize::from(self.left[variable] == 0);
            }
        }
    }

    /// The values of a variable, allowed or not.
    #[inline]
    pub(super) fn values(&self, variable: usize) -> &[bool] {
        self.allowed.variable(variable)
    }

    /// The number of values of a variable that are allowed.
    pub(super) fn left(&self, variable: usize) -> usize {
        self.left[variable] as usize
    }

    /// Returns whether no assignment is allowed, because some variable has no value left.
    pub(super) fn is_empty(&self) -> bool {
        self.none_left > 0
    }

    /// Returns whether the mask changes the reading of a skipped variable.
    fn changes_skipped(&self, variable: usize, rule: Rule) -> bool {
        let of = self.values(variable);
        match rule {
            Rule::ZeroSuppressed => !of[0],
            Rule::AnyValue => self.left(variable) < of.len(),
        }
    }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the solutions that agree with all decisions, as a diagram over the same variables:
    /// values are fixed ([`Decision::is`]) or forbidden ([`Decision::is_not`]).
    ///
    /// Cost: a sweep over at most the nodes of this diagram, and under the rule of a
    /// [`Bdd`](crate::Bdd) one more node for each decided variable that an edge skips.
    ///
    /// ```
    /// use topdd::Decision;
    ///
    /// let all = topdd::Zdd::full([2; 3])?;
    /// let some = all.restrict(&[Decision::is(0, 1), Decision::is_not(2, 0)])?;
    /// assert_eq!(some.iter().collect::<Vec<_>>(), [[1, 0, 1], [1, 1, 1]]);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a decision names a variable, or a value of it, that does not exist, or the result
    /// has more nodes than can be numbered.
    #[doc(alias("including", "excluding", "Cudd_Cofactor"))]
    pub fn restrict(&self, decisions: &[Decision]) -> Result<Self, QueryError> {
        if decisions.is_empty() {
            return Ok(self.clone());
        }
        Ok(Frontier::over(&self.restricted(decisions)?).diagram()?)
    }

    /// Returns the spec of [`restrict`](Diagram::restrict), for [`Frontier`] to build within limits
    /// and for [`SpecExt`](crate::SpecExt) to combine with others. Making it takes no pass.
    ///
    /// ```
    /// use topdd::{Decision, Frontier};
    ///
    /// let all = topdd::Zdd::full([2; 3])?;
    /// let some = all.restrict_spec(&[Decision::is(0, 1)])?;
    /// assert_eq!(Frontier::over(&some).memory_limit(1 << 20).zdd()?.count(), 4u32.into());
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a decision names a variable, or a value of it, that does not exist.
    pub fn restrict_spec(
        &self,
        decisions: &[Decision],
    ) -> Result<impl DdSpec<State: Portable> + use<'_, R>, QueryError> {
        self.restricted(decisions).map(RuleAdapter::<R, _>::new)
    }

    fn restricted(&self, decisions: &[Decision]) -> Result<Restricted<'_, R>, QueryError> {
        let arities = &self.store.arities;
        decisions.iter().try_for_each(|decision| decision.check(arities))?;
        let mask = ValueMask::new(arities, decisions);
        let mut changed = vec![self.num_vars(); self.num_vars() + 1];
        for variable in (0..self.num_vars()).rev() {
            let here = mask.changes_skipped(variable, R::RULE);
            changed[variable] = if here { variable } else { changed[variable + 1] };
        }
        Ok(Restricted { diagram: self, mask, changed })
    }
}

/// The solutions of a diagram that a mask allows, as a spec to be built under its own rule.
/// A state is a node.
struct Restricted<'a, R: DiagramRule> {
    diagram: &'a Diagram<R>,
    mask: ValueMask,
    /// By variable, the first from there on whose reading the mask changes.
    changed: Vec<usize>,
}

impl<R: DiagramRule> Restricted<'_, R> {
    fn step(&self, node: NodeId, next: usize) -> Step<NodeId> {
        if node == ZERO {
            return Step::Zero;
        }
        let to = self.diagram.store.variable_of(node);
        let changed = self.changed[next];
        if changed < to {
            return match R::RULE {
                // The variable would have to be 0.
                Rule::ZeroSuppressed => Step::Zero,
                Rule::AnyValue => Step::To(changed, node),
            };
        }
        if node == ONE { Step::One } else { Step::To(to, node) }
    }
}

impl<R: DiagramRule> DdSpec for Restricted<'_, R> {
    type State = NodeId;

    fn num_vars(&self) -> usize {
        self.diagram.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.diagram.arity(variable)
    }

    fn root(&self) -> Step<NodeId> {
        self.step(self.diagram.store.root, 0)
    }

    fn child(&self, &node: &NodeId, variable: usize, value: usize) -> Step<NodeId> {
        if !self.mask.values(variable)[value] {
            return Step::Zero;
        }
        self.step(self.diagram.store.follow(node, variable, value), variable + 1)
    }

    fn for_each_child<B>(
        &self,
        &node: &NodeId,
        variable: usize,
        mut visit: impl FnMut(usize, Step<NodeId>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let allowed = self.mask.values(variable);
        let edges = self.diagram.store.edges_at(node, variable);
        let mut allowed = edges.filter(|&(value, _)| allowed[value]);
        allowed.try_for_each(|(value, to)| visit(value, self.step(to, variable + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::testing::{Draw, both_rules, diagram_of, drawn, free};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_list_of_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, solutions) = drawn::<R>(seed);
        let mut draw = Draw(seed);
        let mut decisions = Vec::new();
        for variable in 0..diagram.num_vars() {
            let value = draw.below(diagram.arity(variable));
            match draw.below(6) {
                0 => decisions.push(Decision::is(variable, value)),
                1 | 2 => decisions.push(Decision::is_not(variable, value)),
                3 => decisions
                    .extend([Decision::is_not(variable, 0), Decision::is_not(variable, value)]),
                _ => {}
            }
        }
        let agrees = |s: &&Vec<usize>| {
            decisions.iter().all(|decision| decision.allows(s[decision.variable()]))
        };
        let kept = solutions.iter().filter(agrees).cloned().collect();
        let arities: Vec<usize> = (0..diagram.num_vars()).map(|v| diagram.arity(v)).collect();
        assert_eq!(diagram.restrict(&decisions).unwrap(), diagram_of(&arities, kept));
    }

    #[test]
    fn variables_and_values_out_of_range_are_refused() {
        let diagram = crate::zdd(&free(2)).unwrap();
        let variable = QueryError::NoSuchVariable { variable: 2, num_vars: 2 };
        assert_eq!(diagram.restrict(&[Decision::is(2, 0)]), Err(variable));
        let value = QueryError::ValueOutOfRange { variable: 1, value: 2, arity: 2 };
        assert_eq!(diagram.restrict(&[Decision::is_not(1, 2)]), Err(value));
    }
}
