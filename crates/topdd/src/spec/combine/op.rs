//! The Boolean operations of [`Binary`](super::Binary) and of specs over lists.

/// A Boolean operation on two facts: "is a solution of the left" and "is a solution of the right".
///
/// Sealed: this module has all operations. Each is false of two falses, so the result may skip the
/// variables that both operands skip.
pub trait Op: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The operation's name, for messages.
    const NAME: &'static str;

    /// The operation itself.
    fn apply(left: bool, right: bool) -> bool;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! op {
    ($(#[$doc:meta])* $op:ident, $name:literal, |$left:ident, $right:ident| $result:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $op;

        impl sealed::Sealed for $op {}

        impl Op for $op {
            const NAME: &'static str = $name;

            #[inline]
            fn apply($left: bool, $right: bool) -> bool {
                $result
            }
        }
    };
}

op!(
    /// Both.
    And, "and", |left, right| left && right
);
op!(
    /// Either or both.
    Or, "or", |left, right| left || right
);
op!(
    /// The left and not the right.
    AndNot, "and_not", |left, right| left && !right
);
op!(
    /// One of the two and not the other.
    Xor, "xor", |left, right| left != right
);
