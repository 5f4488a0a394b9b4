//! The set operations on diagrams, as operators and as methods; comparison and complement.

use crate::diagram::{Diagram, DiagramRule};
use crate::spec::combine::{Unreduce, Unreduced};
use crate::spec::{DdSpec, Forced, Portable, Rule, SpecExt, Step};
use crate::{BuildError, Frontier, QueryError};
use ahash::RandomState;
use std::borrow::Borrow;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitXor, ControlFlow, Sub};

/// Defines set operations: a method that returns an error, a method that panics, and an operator on
/// references and values.
macro_rules! set_operations {
    ($($trait:ident $operate:ident $operator:literal $method:ident $try:ident $spec:ident $result:literal $solutions:literal)*) => {$(
        impl<R: DiagramRule> Diagram<R> {
            #[doc = $result]
            ///
            #[doc = concat!("The same as `", $operator, "` and [`", stringify!($method), "`](Diagram::", stringify!($method), "),")]
            #[doc = concat!("with errors. [`SpecExt::", stringify!($spec), "`] is the spec of it.")]
            ///
            /// Cost: a sweep over the pairs of nodes, one of each diagram, that a common assignment
            /// reaches: at most the product of the numbers of nodes. It runs without limits;
            /// [`Frontier`] builds the spec within limits.
            ///
            /// ```
            /// use topdd::{QueryError, Zdd};
            ///
            /// let (small, large) = (Zdd::full([2, 2])?, Zdd::full([2, 3])?);
            #[doc = concat!("assert_eq!(small.", stringify!($try), "(&small)?, &small ", $operator, " &small);")]
            #[doc = concat!("let error = small.", stringify!($try), "(&large).unwrap_err();")]
            /// assert!(matches!(error, QueryError::DifferentVariables { .. }));
            /// # Ok::<(), QueryError>(())
            /// ```
            ///
            /// # Errors
            ///
            /// [`QueryError::DifferentVariables`] if the diagrams are not over the same variables,
            /// with the same arities; [`QueryError::Build`] if the result has more nodes than can be
            /// numbered.
            pub fn $try(&self, other: &Self) -> Result<Self, QueryError> {
                self.check_same_variables(other)?;
                Ok(Frontier::over(&self.$spec(other)).diagram()?)
            }

            #[doc = $result]
            ///
            #[doc = concat!("The same as the operator `", $operator, "`.")]
            #[doc = concat!("Cost as for [`", stringify!($try), "`](Diagram::", stringify!($try), ").")]
            ///
            /// ```
            /// use topdd::Zdd;
            ///
            /// let a = Zdd::from_solutions([3, 3], [[0, 0], [1, 2]])?;
            /// let b = Zdd::from_solutions([3, 3], [[1, 2], [2, 1]])?;
            #[doc = concat!("assert!(a.", stringify!($method), "(&b).iter().eq(", $solutions, "));")]
            #[doc = concat!("assert_eq!(a.", stringify!($method), "(&b), &a ", $operator, " &b);")]
            /// # Ok::<(), topdd::QueryError>(())
            /// ```
            ///
            /// # Panics
            ///
            /// At the line of the caller, where
            #[doc = concat!("[`", stringify!($try), "`](Diagram::", stringify!($try), ")")]
            /// returns an error.
            #[track_caller]
            pub fn $method(&self, other: &Self) -> Self {
                match self.$try(other) {
                    Ok(diagram) => diagram,
                    Err(error) => panic!(
                        concat!(
                            "({}) ", $operator, " ({}): {}; where that may be, call ",
                            stringify!($try), ", which returns the error"
                        ),
                        self, other, error
                    ),
                }
            }
        }

        #[doc = concat!("[`", stringify!($method), "`](Diagram::", stringify!($method), ").")]
        impl<R: DiagramRule, D: Borrow<Diagram<R>>> $trait<D> for &Diagram<R> {
            type Output = Diagram<R>;

            #[track_caller]
            fn $operate(self, other: D) -> Diagram<R> {
                self.$method(other.borrow())
            }
        }

        #[doc = concat!("[`", stringify!($method), "`](Diagram::", stringify!($method), ").")]
        impl<R: DiagramRule, D: Borrow<Diagram<R>>> $trait<D> for Diagram<R> {
            type Output = Diagram<R>;

            #[track_caller]
            fn $operate(self, other: D) -> Diagram<R> {
                self.$method(other.borrow())
            }
        }
    )*};
}

set_operations! {
    BitOr bitor "|" union try_union or
        "Returns the solutions of either diagram or both."
        "[[0, 0], [1, 2], [2, 1]]"
    BitAnd bitand "&" intersection try_intersection and
        "Returns the solutions that both diagrams have."
        "[[1, 2]]"
    Sub sub "-" difference try_difference and_not
        "Returns the solutions of this diagram that are not solutions of `other`."
        "[[0, 0]]"
    BitXor bitxor "^" symmetric_difference try_symmetric_difference xor
        "Returns the solutions of exactly one of the two diagrams."
        "[[0, 0], [2, 1]]"
}

/// Sets of solutions. Equality is `==`.
///
/// Both diagrams have the same rule; [`to_rule`](Diagram::to_rule) converts one of them. The
/// operators `|`, `&`, `-`, `^` and the methods of the same meaning panic if the diagrams have
/// different variables; the methods `try_*` return that as an error.
///
/// These are short forms without limits. A diagram is a spec, so [`SpecExt`] combines diagrams
/// with one another and with other specs, before they are built; and [`Frontier`] builds such a
/// combination under limits of memory and time, on disk, with progress, and with a token to
/// cancel it: see the last line of the example.
///
/// ```
/// use topdd::{Frontier, SpecExt, constraint::at_most};
///
/// let (pairs, triples) = (topdd::zdd(&at_most(4, 2))?, topdd::zdd(&at_most(4, 3))?);
/// assert!(pairs.is_subset(&triples)? && !triples.is_subset(&pairs)?);
/// assert_eq!(&pairs | &triples, triples);
/// let three = &triples - &pairs;
/// assert_eq!(three.count(), 4u32.into());
/// assert!(three.is_disjoint(&pairs)?);
///
/// let both = Frontier::over(&(&pairs).and(&triples)).memory_limit(1 << 20).zdd()?;
/// assert_eq!(both, &pairs & &triples);
/// # Ok::<(), topdd::QueryError>(())
/// ```
impl<R: DiagramRule> Diagram<R> {
    /// Returns whether every solution of this diagram is one of `other`.
    ///
    /// Cost: a depth-first search that ends with the first solution found that is not. It takes at
    /// most one step, and some bytes of memory, for each pair of nodes, one of each diagram, that a
    /// common assignment reaches.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let one = Zdd::from_solutions([2, 3], [[1, 2]])?;
    /// let two = Zdd::from_solutions([2, 3], [[0, 0], [1, 2]])?;
    /// assert!(one.is_subset(&two)? && two.is_superset(&one)?);
    /// assert!(!two.is_subset(&one)? && !two.is_disjoint(&one)?);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::DifferentVariables`] if the diagrams are not over the same variables, with the
    /// same arities.
    #[doc(alias("issubset", "leq", "Cudd_bddLeq"))]
    pub fn is_subset(&self, other: &Self) -> Result<bool, QueryError> {
        self.check_same_variables(other)?;
        Ok(self == other || !has_solution(&self.and_not(other), R::RULE))
    }

    /// Returns whether every solution of `other` is one of this diagram. Cost as for
    /// [`is_subset`](Diagram::is_subset).
    ///
    /// # Errors
    ///
    /// [`QueryError::DifferentVariables`] if the diagrams are not over the same variables, with the same
    /// arities.
    #[doc(alias = "issuperset")]
    pub fn is_superset(&self, other: &Self) -> Result<bool, QueryError> {
        // Not `other.is_subset(self)`: the error names the left operand first.
        self.check_same_variables(other)?;
        other.is_subset(self)
    }

    /// Returns whether no solution of this diagram is one of `other`. Cost as for
    /// [`is_subset`](Diagram::is_subset).
    ///
    /// # Errors
    ///
    /// [`QueryError::DifferentVariables`] if the diagrams are not over the same variables, with the same
    /// arities.
    #[doc(alias = "isdisjoint")]
    pub fn is_disjoint(&self, other: &Self) -> Result<bool, QueryError> {
        self.check_same_variables(other)?;
        Ok(!has_solution(&self.and(other), R::RULE))
    }

    /// Returns the assignments that are not solutions.
    ///
    /// Cost: a sweep. Under [`Rule::AnyValue`] the result has as many nodes as this diagram. Under
    /// [`Rule::ZeroSuppressed`] each node may occur once more at each variable that edges to it skip,
    /// and each variable has at most two further nodes.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2, 3], [[0, 0], [1, 2]])?;
    /// assert_eq!(zdd.complement()?.count(), 4u32.into());
    /// assert_eq!(zdd.complement()?.complement()?, zdd);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    #[doc(alias = "not")]
    #[doc(alias = "invert")]
    pub fn complement(&self) -> Result<Self, BuildError> {
        Frontier::over(&self.not()).diagram()
    }

    fn check_same_variables(&self, other: &Self) -> Result<(), QueryError> {
        let (left, right) = (&self.store.arities, &other.store.arities);
        if left == right {
            return Ok(());
        }
        let message = if left.num_vars() == right.num_vars() {
            let differs = |&variable: &usize| left.get(variable) != right.get(variable);
            let variable = (0..left.num_vars()).find(differs).expect("they are not equal");
            let (left, right) = (left.get(variable), right.get(variable));
            format!("variable {variable} has {left} values in the left and {right} in the right")
        } else {
            format!(
                "the left has {}, the right {} (SpecExt::relabel makes a spec over more of them)",
                left.num_vars(),
                right.num_vars()
            )
        };
        Err(QueryError::DifferentVariables { message })
    }
}

/// Returns whether a spec has solutions when it is built under `rule`: a depth-first search that
/// visits no state twice.
fn has_solution<S: DdSpec>(spec: &S, rule: Rule) -> bool {
    let mut seen = HashSet::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
    let mut pending = Vec::new();
    let mut step = Some(spec.root_under(rule));
    loop {
        match step {
            Some(Step::One) => return true,
            Some(Step::To(variable, state)) => {
                if seen.insert((variable, state.clone())) {
                    let found = spec.for_each_child(&state, variable, |_, step| {
                        if matches!(step, Step::One) {
                            return ControlFlow::Break(());
                        }
                        pending.push(step);
                        ControlFlow::Continue(())
                    });
                    if found.is_break() {
                        return true;
                    }
                }
            }
            Some(Step::Zero) => {}
            None => return false,
        }
        step = pending.pop();
    }
}

/// A spec that skips variables by the rule `R`. Built under the other rule, it visits the skipped
/// variables one by one, so that the family stays the same.
pub(super) struct RuleAdapter<R, S> {
    spec: S,
    rule: PhantomData<R>,
}

/// The state of a [`RuleAdapter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RuleReading<S> {
    /// Under the spec's own rule.
    Own(S),
    /// Under the other.
    Other(Unreduced<S>),
}

impl<S: Portable> Portable for RuleReading<S> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            RuleReading::Own(state) => {
                false.write(out);
                state.write(out);
            }
            RuleReading::Other(state) => {
                true.write(out);
                state.write(out);
            }
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(if bool::read(bytes)? {
            RuleReading::Other(Portable::read(bytes)?)
        } else {
            RuleReading::Own(Portable::read(bytes)?)
        })
    }

    fn heap_bytes(&self) -> usize {
        match self {
            RuleReading::Own(state) => state.heap_bytes(),
            RuleReading::Other(state) => state.heap_bytes(),
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
    type State = RuleReading<S::State>;

    fn num_vars(&self) -> usize {
        self.spec.num_vars()
    }

    fn arity(&self, variable: usize) -> usize {
        self.spec.arity(variable)
    }

    fn root(&self) -> Step<Self::State> {
        // Right under both rules.
        self.stepwise().root().map(RuleReading::Other)
    }

    fn root_under(&self, rule: Rule) -> Step<Self::State> {
        if rule == R::RULE {
            self.spec.root_under(rule).map(RuleReading::Own)
        } else {
            self.stepwise().root_under(rule).map(RuleReading::Other)
        }
    }

    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        match state {
            RuleReading::Own(state) => {
                self.spec.child(state, variable, value).map(RuleReading::Own)
            }
            RuleReading::Other(state) => {
                self.stepwise().child(state, variable, value).map(RuleReading::Other)
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
            RuleReading::Own(state) => self.spec.for_each_child(state, variable, |value, step| {
                visit(value, step.map(RuleReading::Own))
            }),
            RuleReading::Other(state) => {
                self.stepwise().for_each_child(state, variable, |value, step| {
                    visit(value, step.map(RuleReading::Other))
                })
            }
        }
    }

    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        match state {
            RuleReading::Own(state) => {
                self.spec.forced(state, variable).map(|step| step.map(RuleReading::Own))
            }
            RuleReading::Other(state) => {
                self.stepwise().forced(state, variable).map(|step| step.map(RuleReading::Other))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{brute_force, contract};
    use crate::diagram::AnyValue;
    use crate::query::testing::{Draw, both_rules, diagram_of, drawn, drawn_over, free, panic_of};
    use crate::{Decision, Weights, Zdd};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn operators_agree_with_the_lists_of_solutions(seed: u64) {
            both_rules!(check_operations(seed));
        }
    }

    fn check_operations<R: DiagramRule>(seed: u64) {
        let arities = [2, 3, 1, 2];
        let (a, of_a) = drawn_over::<R>(&arities, seed);
        let (b, of_b) = drawn_over::<R>(&arities, !seed);
        let expect = |found: Diagram<R>, keep: &dyn Fn(bool, bool) -> bool| {
            let mut all = [&of_a[..], &of_b[..]].concat();
            all.sort_unstable();
            all.dedup();
            all.retain(|solution| keep(of_a.contains(solution), of_b.contains(solution)));
            assert_eq!(found, diagram_of(&arities, all));
        };
        expect(&a | &b, &|_, _| true);
        expect(&a & b.clone(), &|a, b| a && b);
        expect(a.clone() - &b, &|a, b| a && !b);
        expect(a.clone() ^ b.clone(), &|a, b| a != b);
    }

    #[test]
    fn different_variables_panic_at_the_line_of_the_caller_and_name_both_operands() {
        let two = Zdd::full([2, 2]).unwrap();
        let three = Zdd::full([2, 2, 2]).unwrap();
        let (line, message) = panic_of(|| &two & &three);
        assert_eq!(line, (file!().to_owned(), line!() - 1));
        for fact in ["(Zdd, 2 variables", "(Zdd, 3 variables", " & ", "try_intersection"] {
            assert!(message.contains(fact), "{message}");
        }
        let (line, _) = panic_of(|| two.clone() | three.clone());
        assert_eq!(line, (file!().to_owned(), line!() - 1));
        let (line, _) = panic_of(|| &two - three.clone());
        assert_eq!(line, (file!().to_owned(), line!() - 1));
        let (line, _) = panic_of(|| two.clone() ^ &three);
        assert_eq!(line, (file!().to_owned(), line!() - 1));
        let (line, _) = panic_of(|| two.difference(&three));
        assert_eq!(line, (file!().to_owned(), line!() - 1));
    }

    #[test]
    fn different_arities_are_in_the_panic_message_and_in_the_error() {
        let binary = Diagram::<AnyValue>::full([2, 2]).unwrap();
        let ternary = Diagram::<AnyValue>::full([2, 3]).unwrap();
        let (_, message) = panic_of(|| &binary ^ &ternary);
        assert!(
            message.contains("variable 1 has 2 values in the left and 3 in the right"),
            "{message}"
        );
        let refused = |error| matches!(error, QueryError::DifferentVariables { .. });
        assert!(binary.try_union(&ternary).is_err_and(refused));
        assert!(binary.try_intersection(&ternary).is_err_and(refused));
        assert!(binary.try_difference(&ternary).is_err_and(refused));
        assert!(binary.try_symmetric_difference(&ternary).is_err_and(refused));
    }

    proptest! {
        #[test]
        fn agrees_with_the_lists_of_solutions(seed: u64) {
            both_rules!(check_relations(seed));
        }
    }

    fn check_relations<R: DiagramRule>(seed: u64) {
        let mut draw = Draw(seed);
        let arities: Vec<usize> = (0..draw.below(5)).map(|_| 1 + draw.below(3)).collect();
        let (a, of_a) = drawn_over::<R>(&arities, seed);
        let (b, of_b) = drawn_over::<R>(&arities, !seed);
        assert_eq!(a.is_subset(&b).unwrap(), of_a.iter().all(|s| of_b.contains(s)));
        assert_eq!(a.is_disjoint(&b).unwrap(), !of_a.iter().any(|s| of_b.contains(s)));
        assert_eq!(a.is_superset(&b).unwrap(), of_b.iter().all(|s| of_a.contains(s)));
        let both = &a & &b;
        assert!(both.is_subset(&a).unwrap() && a.is_superset(&both).unwrap());
        assert!((&a - &b).is_disjoint(&b).unwrap());
        let rest = a.complement().unwrap();
        assert!(rest.is_disjoint(&a).unwrap());
        assert_eq!(&rest | &a, Diagram::full(arities).unwrap());
    }

    #[test]
    fn different_variables_are_refused() {
        let two = crate::bdd(&free(2)).unwrap();
        let three = crate::bdd(&free(3)).unwrap();
        let ternary = diagram_of(&[2, 3], vec![]);
        for (a, b) in [(&two, &three), (&two, &ternary)] {
            let refused = |error| matches!(error, QueryError::DifferentVariables { .. });
            assert!(a.is_subset(b).is_err_and(refused));
            assert!(a.is_disjoint(b).is_err_and(refused));
            assert!(a.is_superset(b).is_err_and(refused));
        }
    }

    proptest! {
        #[test]
        fn the_family_is_the_same_under_both_rules(seed: u64) {
            both_rules!(check_adapter(seed));
        }
    }

    fn check_adapter<R: DiagramRule>(seed: u64) {
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
        let read = |state: RuleReading<u32>| {
            let mut bytes = Vec::new();
            state.write(&mut bytes);
            assert_eq!(Portable::read(&mut &bytes[..]), Some(state));
        };
        read(RuleReading::Own(7));
        read(RuleReading::Other(Unreduced::One(Rule::AnyValue)));
    }
}
