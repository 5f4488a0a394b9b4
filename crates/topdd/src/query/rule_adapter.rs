//! Specs made of a diagram, to be built under either rule.

use crate::diagram::DiagramRule;
use crate::spec::combine::{Unreduce, Unreduced};
use crate::spec::{DdSpec, Forced, Portable, Rule, SpecExt, Step};
use std::marker::PhantomData;
use std::ops::ControlFlow;

/// A spec that skips variables by the rule `R`. Built under the other rule, it visits the skipped
/// variables one by one, so that the family stays the same.
pub(super) struct RuleAdapter<R, S> {
    spec: S,
    rule: PhantomData<R>,
}

/// The state of a [`RuleAdapter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reading<S> {
    /// Under the spec's own rule.
    Own(S),
    /// Under the other.
    Other(Unreduced<S>),
}

impl<S: Portable> Portable for Reading<S> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Reading::Own(state) => {
                false.write(out);
                state.write(out);
            }
            Reading::Other(state) => {
                true.write(out);
                state.write(out);
            }
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(if bool::read(bytes)? {
            Reading::Other(Portable::read(bytes)?)
        } else {
            Reading::Own(Portable::read(bytes)?)
        })
    }

    fn heap_bytes(&self) -> usize {
        match self {
            Reading::Own(state) => state.heap_bytes(),
            Reading::Other(state) => state.heap_bytes(),
        }
    }
}

impl<R: DiagramRule, S: DdSpec> RuleAdapter<R, S> {
    pub(super) fn new(spec: S) -> Self {
        RuleAdapter { spec, rule: PhantomData }
    }

    fn stepwise(&self) -> Unreduce<&S> {
        (&self.spec).read_as(R::RULE)
    }
}

impl<R: DiagramRule, S: DdSpec> DdSpec for RuleAdapter<R, S> {
    type State = Reading<S::State>;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        // Right under both rules.
        self.stepwise().root().map(Reading::Other)
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        if rule == R::RULE {
            self.spec.root_under(rule).map(Reading::Own)
        } else {
            self.stepwise().root_under(rule).map(Reading::Other)
        }
    }

    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        match state {
            Reading::Own(state) => self.spec.child(state, variable, value).map(Reading::Own),
            Reading::Other(state) => {
                self.stepwise().child(state, variable, value).map(Reading::Other)
            }
        }
    }

    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match state {
            Reading::Own(state) => self.spec.for_each_child(state, variable, |value, step| {
                visit(value, step.map(Reading::Own))
            }),
            Reading::Other(state) => {
                self.stepwise().for_each_child(state, variable, |value, step| {
                    visit(value, step.map(Reading::Other))
                })
            }
        }
    }

    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        match state {
            Reading::Own(state) => {
                self.spec.forced(state, variable).map(|step| step.map(Reading::Own))
            }
            Reading::Other(state) => {
                self.stepwise().forced(state, variable).map(|step| step.map(Reading::Other))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{brute_force, contract};
    use crate::query::testing::{both_rules, drawn};
    use crate::{Decision, Weights};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_family_is_the_same_under_both_rules(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
        let (diagram, _) = drawn::<R>(seed);
        let Some(last) = diagram.num_vars().checked_sub(1) else { return };
        let weights = Weights::from_fn(&diagram, |_, value| i64::from(value == 1));
        let decisions = [Decision::is_not(last, 0)];
        let holds = |spec: &dyn Fn(Rule) -> Vec<Vec<usize>>, expected: Vec<Vec<usize>>| {
            assert_eq!(spec(Rule::ZeroSuppressed), expected);
            assert_eq!(spec(Rule::AnyValue), expected);
        };
        let restricted = diagram.restrict_spec(&decisions).unwrap();
        contract(&restricted, Rule::AnyValue, usize::MAX).unwrap();
        contract(&restricted, Rule::ZeroSuppressed, usize::MAX).unwrap();
        let expected = diagram.restrict(&decisions).unwrap().iter().collect();
        holds(&|rule| brute_force(&restricted, rule).unwrap(), expected);
        let projected = diagram.project_spec(&[last]).unwrap();
        let expected = diagram.project(&[last]).unwrap().iter().collect();
        holds(&|rule| brute_force(&projected, rule).unwrap(), expected);
        let within = diagram.within_spec(&weights, 1..4).unwrap();
        let expected = diagram.within(&weights, 1..4).unwrap().iter().collect();
        holds(&|rule| brute_force(&within, rule).unwrap(), expected);
    }

    #[test]
    fn states_written_to_disk_are_read_back() {
        let read = |state: Reading<u32>| {
            let mut bytes = Vec::new();
            state.write(&mut bytes);
            assert_eq!(Portable::read(&mut &bytes[..]), Some(state));
        };
        read(Reading::Own(7));
        read(Reading::Other(Unreduced::One(Rule::AnyValue)));
    }
}
