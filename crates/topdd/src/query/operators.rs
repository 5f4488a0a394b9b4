//! The set operations on diagrams, as operators and as methods.

use crate::diagram::{Diagram, DiagramRule};
use crate::spec::SpecExt;
use crate::{Frontier, QueryError};
use std::borrow::Borrow;
use std::ops::{BitAnd, BitOr, BitXor, Sub};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Zdd;
    use crate::diagram::AnyValue;
    use crate::query::testing::{both_rules, diagram_of, drawn_over, panic_of};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn operators_agree_with_the_lists_of_solutions(seed: u64) {
            both_rules!(check(seed));
        }
    }

    fn check<R: DiagramRule>(seed: u64) {
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
}
