//! The algebra of families on diagrams of topdd.

use crate::error::Error;
use crate::{Family, Manager};
use topdd::Zdd;

/// The algebra of families of sets as methods of [`Zdd`].
///
/// A solution is the set of the variables of value 1. Each method does the same as the method of
/// [`Family`] with the same name, where the definition, an example and the source are. Union,
/// intersection and difference are methods of [`Zdd`] itself.
///
/// Cost: two conversions in linear time, besides the operation. For many operations, or for limits, make
/// a [`Manager`] and use [`Family`].
///
/// ```
/// use topdd::Zdd;
/// use topdd_apply::FamilyAlgebra;
///
/// let sets = |sets: &[&[usize]]| {
///     Zdd::from_solutions([2; 3], sets.iter().map(|set| [0, 1, 2].map(|v| set.contains(&v).into())))
/// };
/// let (f, g) = (sets(&[&[0], &[0, 1]])?, sets(&[&[1], &[2]])?);
/// assert_eq!(f.join(&g)?, sets(&[&[0, 1], &[0, 2], &[0, 1, 2]])?);
/// assert_eq!(f.maximal()?, sets(&[&[0, 1]])?);
/// assert_eq!(g.minimal_hitting_sets()?, sets(&[&[1, 2]])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A method fails if a variable has other than two values ([encode](topdd::Diagram::encode) the diagram
/// first), if the diagrams have different numbers of variables, or if the result has more nodes than can
/// be numbered; and as the method of [`Family`].
#[expect(clippy::missing_errors_doc, reason = "the page of the trait lists the errors")]
pub trait FamilyAlgebra: Sized {
    /// As [`Family::join`]: `{a ∪ b}`.
    fn join(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::disjoint_join`]: `{a ∪ b: a ∩ b = ∅}`.
    fn disjoint_join(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::meet`]: `{a ∩ b}`.
    fn meet(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::delta`]: `{a ⊕ b}`.
    fn delta(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::quotient`]: `{c: for all b, b ∪ c ∈ f and b ∩ c = ∅}`.
    fn quotient(&self, divisor: &Self) -> Result<Self, Error>;
    /// As [`Family::remainder`]: `f \ (g ⊔ (f / g))`.
    fn remainder(&self, divisor: &Self) -> Result<Self, Error>;
    /// As [`Family::nonsubsets`]: the members that are a subset of no member of the other.
    fn nonsubsets(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::nonsupersets`]: the members that are a superset of no member of the other.
    fn nonsupersets(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::subsets_of`]: the members that are a subset of some member of the other.
    fn subsets_of(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::supersets_of`]: the members that are a superset of some member of the other.
    fn supersets_of(&self, other: &Self) -> Result<Self, Error>;
    /// As [`Family::maximal`]: the members that are a subset of no other member.
    fn maximal(&self) -> Result<Self, Error>;
    /// As [`Family::minimal`]: the members that are a superset of no other member.
    fn minimal(&self) -> Result<Self, Error>;
    /// As [`Family::minimal_hitting_sets`]: the minimal sets that meet every member.
    fn minimal_hitting_sets(&self) -> Result<Self, Error>;
    /// As [`Family::closure`]: all subsets of members.
    fn closure(&self) -> Result<Self, Error>;
    /// As [`Family::exactly`]: the members that have `k` variables.
    fn exactly(&self, k: usize) -> Result<Self, Error>;
    /// As [`Family::subset0`]: the members without the variable.
    fn subset0(&self, variable: usize) -> Result<Self, Error>;
    /// As [`Family::subset1`]: the members with the variable, without the variable itself.
    fn subset1(&self, variable: usize) -> Result<Self, Error>;
    /// As [`Family::change`]: the members with the variable added or removed.
    fn change(&self, variable: usize) -> Result<Self, Error>;
}

/// Converts a diagram, applies an operation, and converts its result.
fn single(
    diagram: &Zdd,
    operation: impl FnOnce(&Family) -> Result<Family, Error>,
) -> Result<Zdd, Error> {
    let manager = Manager::new(diagram.num_vars())?;
    operation(&manager.family_of(diagram)?)?.to_zdd()
}

fn pair(
    diagram: &Zdd,
    other: &Zdd,
    operation: impl FnOnce(&Family, &Family) -> Result<Family, Error>,
) -> Result<Zdd, Error> {
    let [left, right] = [diagram, other].map(Zdd::num_vars);
    if left != right {
        let reason = format!("one diagram has {left} variables, the other {right}");
        return Err(Error::Mismatch { reason });
    }
    single(diagram, |f| operation(f, &f.manager().family_of(other)?))
}

/// The methods by the methods of [`Family`] with the same names.
macro_rules! by_families {
    (pairs: $($pair:ident)*, singles: $($single:ident)*, with_number: $($with_number:ident)*) => {
        impl FamilyAlgebra for Zdd {
            $(fn $pair(&self, other: &Self) -> Result<Self, Error> {
                pair(self, other, Family::$pair)
            })*
            $(fn $single(&self) -> Result<Self, Error> {
                single(self, Family::$single)
            })*
            $(fn $with_number(&self, number: usize) -> Result<Self, Error> {
                single(self, |f| f.$with_number(number))
            })*
        }
    };
}

by_families! {
    pairs: join disjoint_join meet delta quotient remainder nonsubsets nonsupersets subsets_of supersets_of,
    singles: maximal minimal minimal_hitting_sets closure,
    with_number: exactly subset0 subset1 change
}

#[cfg(test)]
mod tests {
    use super::FamilyAlgebra;
    use crate::strategies::sets;
    use crate::{Error, Family, Manager};
    use proptest::prelude::*;
    use topdd::Zdd;

    const VARS: usize = 5;

    type Pair<T> = fn(&T, &T) -> Result<T, Error>;
    type Single<T> = fn(&T) -> Result<T, Error>;

    /// The methods of the trait and of families, by name.
    macro_rules! both {
        ($kind:ident: $($method:ident)*) => {
            [$((stringify!($method), Zdd::$method as $kind<Zdd>, Family::$method as $kind<Family>)),*]
        };
    }

    proptest! {
        /// The operations of families are compared with brute force in the tests of families.
        #[test]
        fn each_method_is_that_of_families(f in sets(VARS), g in sets(VARS), v in 0..VARS) {
            let manager = Manager::new(VARS).unwrap();
            let (f, g) = (manager.family(f).unwrap(), manager.family(g).unwrap());
            let (zdd_f, zdd_g) = (f.to_zdd().unwrap(), g.to_zdd().unwrap());
            for (name, of_zdds, of_families) in both!(Pair: join disjoint_join meet delta quotient
                remainder nonsubsets nonsupersets subsets_of supersets_of)
            {
                let expected = of_families(&f, &g).map(|h| h.to_zdd().unwrap());
                prop_assert_eq!(of_zdds(&zdd_f, &zdd_g), expected, "{}", name);
            }
            for (name, of_zdds, of_families) in
                both!(Single: maximal minimal minimal_hitting_sets closure)
            {
                let expected = of_families(&f).map(|h| h.to_zdd().unwrap());
                prop_assert_eq!(of_zdds(&zdd_f), expected, "{}", name);
            }
            for (of_zdd, of_family) in [
                (zdd_f.exactly(v), f.exactly(v)),
                (zdd_f.subset0(v), f.subset0(v)),
                (zdd_f.subset1(v), f.subset1(v)),
                (zdd_f.change(v), f.change(v)),
            ] {
                prop_assert_eq!(of_zdd.unwrap(), of_family.unwrap().to_zdd().unwrap());
            }
        }
    }

    #[test]
    fn diagrams_that_are_no_families_of_the_same_variables_are_errors() {
        let [two, three, digits] = [vec![2; 2], vec![2; 3], vec![3; 2]].map(|arities| {
            let ones = vec![1; arities.len()];
            Zdd::from_solutions(arities, [ones]).unwrap()
        });
        assert!(matches!(two.join(&three), Err(Error::Mismatch { .. })));
        assert!(matches!(two.join(&digits), Err(Error::Mismatch { .. })));
        assert!(matches!(digits.maximal(), Err(Error::Mismatch { .. })));
        let none = two.difference(&two);
        assert_eq!(two.quotient(&none), Err(Error::EmptyDivisor));
        assert_eq!(two.change(2), Err(Error::UnknownVariable { variable: 2, num_vars: 2 }));
    }
}
