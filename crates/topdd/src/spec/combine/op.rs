//! The Boolean operations of [`Binary`](super::Binary) and [`Many`](super::Many), as types.

/// A Boolean operation on two facts: "is a solution of the left" and "is a solution of the right".
///
/// ```
/// use topdd::spec::combine::op::{AndNot, Op};
///
/// assert!(AndNot::apply(true, false) && !AndNot::apply(true, true));
/// assert_eq!(AndNot::NAME, "and_not");
/// ```
///
/// Sealed: this module has all operations. Each is false of two falses, so the result may skip the
/// variables that both operands skip.
pub trait Op: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The operation's name, for messages.
    const NAME: &'static str;

    /// Whether the operation may be applied to three operands in any grouping.
    const ASSOCIATIVE: bool;

    /// Returns whether an assignment is a solution of the result, if `left` and `right` are whether
    /// it is a solution of the operands.
    fn apply(left: bool, right: bool) -> bool;
}

mod sealed {
    pub trait Sealed {}
}

/// Whether more solutions of the operands never mean fewer solutions of the result.
pub(super) fn is_monotone<O: Op>() -> bool {
    [false, true].into_iter().all(|fact| {
        O::apply(false, fact) <= O::apply(true, fact)
            && O::apply(fact, false) <= O::apply(fact, true)
    })
}

macro_rules! op {
    (
        $(#[$doc:meta])*
        $op:ident, $name:literal, associative: $associative:literal,
        |$left:ident, $right:ident| $result:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $op;

        impl sealed::Sealed for $op {}

        impl Op for $op {
            const NAME: &'static str = $name;
            const ASSOCIATIVE: bool = $associative;

            #[inline]
            fn apply($left: bool, $right: bool) -> bool {
                $result
            }
        }
    };
}

op!(
    /// A solution of both.
    And, "and", associative: true, |left, right| left && right
);
op!(
    /// A solution of either or both.
    Or, "or", associative: true, |left, right| left || right
);
op!(
    /// A solution of the left, but not of the right.
    AndNot, "and_not", associative: false, |left, right| left && !right
);
op!(
    /// A solution of exactly one of the two.
    Xor, "xor", associative: true, |left, right| left != right
);
