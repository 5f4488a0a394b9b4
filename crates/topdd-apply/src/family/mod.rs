//! Families of sets as ZDDs.
//!
//! `operations` implements the operations on members, such as the algebra and the comparisons by inclusion; `query` has
//! the queries, and this file the rest.

pub(crate) mod operations;
mod query;
#[cfg(test)]
mod tests;

use super::error::Error;
use super::manager::Manager;
use super::manager::handle::{Handle, LISTED, LISTED_NODES, operators};
use super::store::{Edge, Store};
use operations::{AtLevel, PlainOperation};
use std::fmt;
use topdd::diagram::ZeroSuppressed;

pub use query::Members;

/// A family of sets of variables of a [`Manager`].
///
/// A handle: cloning and dropping take constant time, and a handle keeps its nodes alive.
/// Two families of one manager are equal (`==`) if and only if they have the same members. The
/// comparison takes constant time.
///
/// The operations are defined by Minato (*Zero-suppressed BDDs for set manipulation in combinatorial
/// problems*, 1993) and by Knuth (*The Art of Computer Programming*, 7.1.4, exercises 203 to 207 and 236
/// to 237). In the definitions, small letters are members: *a* of this family, *b* of the other.
///
/// # Cost
///
/// | operations | time and new nodes |
/// | --- | --- |
/// | `==`, `clone`, [`is_empty`](Family::is_empty) | constant |
/// | `\|`, `&`, `-`, `^` and the methods of the same meaning | at most the product of the numbers of nodes |
/// | [`is_subset`](Family::is_subset), [`is_disjoint`](Family::is_disjoint) | the same time at most, no nodes |
/// | [`top_variable`](Family::top_variable), [`low`](Family::low), [`high`](Family::high) | constant |
/// | [`subset0`](Family::subset0), [`subset1`](Family::subset1), [`change`](Family::change) | linear in the nodes |
/// | [`exactly`](Family::exactly) | at most the number of nodes times `k + 1` |
/// | passes: [`count`](Family::count), [`support`](Family::support), ... | linear in the nodes, with a copy of them |
/// | all other operations | exponential in the worst case; often near the product |
///
/// Results of the operations are cached, so a repeated operation may take constant time.
///
/// In the examples of the methods, `manager` is a [`Manager`] of a few variables.
///
/// # Errors
///
/// Where a method returns a `Result`, the errors are: the other handle belongs to another manager
/// ([`MixedManagers`](crate::Error::MixedManagers)), there is no such variable, or a limit of the
/// manager was reached, or its token cancelled ([`within`](Manager::within)). The operators `|`, `&`,
/// `-`, `^` and the methods [`union`](Family::union), [`intersection`](Family::intersection),
/// [`difference`](Family::difference) and [`symmetric_difference`](Family::symmetric_difference) panic
/// on an error, at the line of the caller; the methods `try_*` return the error.
///
/// ```
/// use topdd_apply::Manager;
///
/// let manager = Manager::new(3)?;
/// let f = manager.family([vec![], vec![0, 1], vec![2]])?;
/// let g = manager.family([vec![2], vec![1]])?;
/// assert_eq!((&f | &g).count(), 4u32.into());
/// assert_eq!(&f & &g, manager.family([[2]])?);
/// assert_eq!(format!("{f:?}"), "Family({{}, {2}, {0, 1}})");
/// assert_eq!(&f - &g, manager.family([vec![], vec![0, 1]])?);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Family(pub(crate) Handle<ZeroSuppressed>);

impl Family {
    /// Returns the manager of the family.
    pub fn manager(&self) -> &Manager {
        self.0.manager()
    }

    /// Applies a unary operation.
    #[expect(clippy::needless_pass_by_value, reason = "they are units")]
    pub(crate) fn single<O: PlainOperation>(&self, operation: O) -> Result<Family, Error> {
        let made =
            self.0.manager().make_restartable(|store| store.single(&operation, self.0.edge()));
        made.map(Family)
    }

    /// Applies a binary operation.
    #[expect(clippy::needless_pass_by_value, reason = "they are units")]
    fn pair<O: PlainOperation>(&self, operation: O, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, |store, f, g| store.pair(&operation, f, g)).map(Family)
    }
}

operators! { Family:
    BitOr bitor BitOrAssign bitor_assign "|" by try_union;
    BitAnd bitand BitAndAssign bitand_assign "&" by try_intersection;
    Sub sub SubAssign sub_assign "-" by try_difference;
    BitXor bitxor BitXorAssign bitxor_assign "^" by try_symmetric_difference;
}

/// Lists at most 20 members. For a family of more than a thousand nodes, writes only their number.
impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.0.read(|store, edge| store.count_nodes(&[edge]));
        if nodes > LISTED_NODES {
            return write!(f, "Family({nodes} nodes)");
        }
        f.write_str("Family({")?;
        for (index, member) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            if index == LISTED {
                f.write_str("..")?;
                break;
            }
            f.write_str("{")?;
            for (position, variable) in member.into_iter().enumerate() {
                write!(f, "{}{variable}", if position == 0 { "" } else { ", " })?;
            }
            f.write_str("}")?;
        }
        f.write_str("})")
    }
}

impl Manager {
    /// Returns the empty family, `∅`.
    ///
    /// ```
    /// let manager = topdd_apply::Manager::new(3)?;
    /// assert!(manager.empty().is_empty());
    /// assert_eq!(manager.base(), manager.set([])?);
    /// let pair = manager.set([0, 2])?;
    /// assert_eq!(pair.join(&manager.base())?, pair);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "Cudd_ReadZero")]
    pub fn empty(&self) -> Family {
        Family(self.handle(Edge::ZERO))
    }

    /// Returns the family of the empty set only, `{∅}`: the unit of [`Family::join`].
    pub fn base(&self) -> Family {
        Family(self.handle(Edge::ONE))
    }

    /// Returns the family whose only member is the set of this variable only, `{{v}}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.singleton(1)?;
    /// assert_eq!(f.iter().collect::<Vec<_>>(), [[1]]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn singleton(&self, variable: usize) -> Result<Family, Error> {
        let level = self.level(variable)?;
        self.make(|store| store.mk(level, Edge::ZERO, Edge::ONE)).map(Family)
    }

    /// Returns the singletons of the variables, `{{v}: v ∈ vars}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.singletons(0..3)?, manager.family([[0], [1], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn singletons(&self, variables: impl IntoIterator<Item = usize>) -> Result<Family, Error> {
        self.combinations(variables, 1)
    }

    /// Returns the family of one set of variables, `{a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.set([0, 2])?.iter().collect::<Vec<_>>(), [[0, 2]]);
    /// assert_eq!(manager.set([])?, manager.base());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn set(&self, members: impl IntoIterator<Item = usize>) -> Result<Family, Error> {
        let levels = self.levels(members)?;
        self.make(|store| store.set(&levels)).map(Family)
    }

    /// Returns the family of the sets. A set that is given twice counts once, and so does a variable
    /// given twice in a set.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let family = manager.family([vec![2, 0], vec![], vec![0, 2]])?;
    /// assert_eq!(family.iter().collect::<Vec<_>>(), [vec![], vec![0, 2]]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn family<S: IntoIterator<Item = usize>>(
        &self,
        sets: impl IntoIterator<Item = S>,
    ) -> Result<Family, Error> {
        let mut sets =
            sets.into_iter().map(|set| self.levels(set)).collect::<Result<Vec<_>, _>>()?;
        sets.sort_unstable();
        sets.dedup();
        self.make(|store| store.balanced(sets, |store, set| store.set(&set), Store::union))
            .map(Family)
    }

    /// Returns all sets of the variables, `{a: a ⊆ vars}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(100)?;
    /// assert_eq!(manager.power_set(0..100)?.count(), topdd_apply::BigUint::from(1u8) << 100);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    #[doc(alias = "Cudd_ReadZddOne")]
    pub fn power_set(&self, variables: impl IntoIterator<Item = usize>) -> Result<Family, Error> {
        let levels = self.levels(variables)?;
        self.make(|store| store.power_set(&levels)).map(Family)
    }

    /// Returns all sets of `k` variables, `{a ⊆ vars: |a| = k}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(5)?;
    /// assert_eq!(manager.combinations(0..5, 2)?.count(), 10u32.into());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    pub fn combinations(
        &self,
        variables: impl IntoIterator<Item = usize>,
        k: usize,
    ) -> Result<Family, Error> {
        let levels = self.levels(variables)?;
        self.make(|store| store.combinations(&levels, k)).map(Family)
    }

    /// Returns all sets of variables of the manager that agree with these literals: a variable
    /// given as true is a member, one given as false is not, any other may be.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family_cube([(0, true), (1, false)])?;
    /// assert_eq!(f, manager.family([vec![0], vec![0, 2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable does not exist or is given twice, or if a limit is reached.
    pub fn family_cube(
        &self,
        literals: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Family, Error> {
        let mut literals = self.literals(literals)?;
        let num_vars = self.num_vars() as u32;
        let made = self.make(|store| {
            let mut family = Edge::ONE;
            for level in (0..num_vars).rev() {
                let literal = literals.last().copied().filter(|last| last.0 == level);
                literals.truncate(literals.len() - usize::from(literal.is_some()));
                family = match literal {
                    None => store.mk(level, family, family)?,
                    Some((_, true)) => store.mk(level, Edge::ZERO, family)?,
                    Some((_, false)) => family,
                };
            }
            Ok(family)
        });
        made.map(Family)
    }

    /// Returns the members of `without`, and the members of `with` with `variable` added. Makes one
    /// node, for diagrams built by hand from the bottom up.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.family_node(0, &manager.base(), &manager.singleton(1)?)?;
    /// assert_eq!(f, manager.family([vec![], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a child has variables that are not below this one in the order; and as for
    /// every operation.
    #[doc(alias("cuddZddGetNode", "make_node"))]
    pub fn family_node(
        &self,
        variable: usize,
        without: &Family,
        with: &Family,
    ) -> Result<Family, Error> {
        let level = self.level(variable)?;
        let (lo, hi) = (self.own(&without.0)?, self.own(&with.0)?);
        let made = self.make(|store| {
            if store.level(lo) <= level || store.level(hi) <= level {
                return Err(Error::NotBelow { variable });
            }
            store.mk(level, lo, hi)
        });
        made.map(Family)
    }
}

impl Family {
    /// Returns the members of either, `f ∪ g = {a: a ∈ f or a ∈ g}`; the operator `|`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_union(&g)?, manager.family([[0], [1], [2]])?);
    /// assert_eq!(f.try_union(&g)?, f | g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias = "Cudd_zddUnion")]
    pub fn try_union(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::union).map(Family)
    }

    /// Returns the members of either; the same as the operator `|`.
    ///
    /// # Panics
    ///
    /// If [`try_union`](Family::try_union) fails, at the line of the caller.
    #[track_caller]
    pub fn union(&self, other: &Family) -> Family {
        self | other
    }

    /// Returns the members of both, `f ∩ g = {a: a ∈ f and a ∈ g}`; the operator `&`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_intersection(&g)?, manager.family([[1]])?);
    /// assert_eq!(f.try_intersection(&g)?, f & g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddIntersect", "intsec"))]
    pub fn try_intersection(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::intersection).map(Family)
    }

    /// Returns the members of both; the same as the operator `&`.
    ///
    /// # Panics
    ///
    /// If [`try_intersection`](Family::try_intersection) fails, at the line of the caller.
    #[track_caller]
    pub fn intersection(&self, other: &Family) -> Family {
        self & other
    }

    /// Returns the members of `self` that are not in `other`, `f \ g = {a ∈ f: a ∉ g}`; the
    /// operator `-`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_difference(&g)?, manager.family([[0]])?);
    /// assert_eq!(f.try_difference(&g)?, f - g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddDiff", "diff"))]
    pub fn try_difference(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::difference).map(Family)
    }

    /// Returns the members of `self` that are not in `other`; the same as the operator `-`.
    ///
    /// # Panics
    ///
    /// If [`try_difference`](Family::try_difference) fails, at the line of the caller.
    #[track_caller]
    pub fn difference(&self, other: &Family) -> Family {
        self - other
    }

    /// Returns the members of exactly one, `f ⊕ g = (f \ g) ∪ (g \ f)`; the operator `^`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([[0], [1]])?;
    /// let g = manager.family([[1], [2]])?;
    /// assert_eq!(f.try_symmetric_difference(&g)?, manager.family([[0], [2]])?);
    /// assert_eq!(f.try_symmetric_difference(&g)?, f ^ g);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn try_symmetric_difference(&self, other: &Family) -> Result<Family, Error> {
        self.0.binary(&other.0, Store::symmetric_difference).map(Family)
    }

    /// Returns the members of exactly one; the same as the operator `^`.
    ///
    /// # Panics
    ///
    /// If [`try_symmetric_difference`](Family::try_symmetric_difference) fails, at the line of the caller.
    #[track_caller]
    pub fn symmetric_difference(&self, other: &Family) -> Family {
        self ^ other
    }

    /// Returns the members without the variable (*offset*), `{a ∈ f: v ∉ a}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1]])?;
    /// assert_eq!(f.subset0(0)?, manager.family([[1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddSubset0", "offset"))]
    pub fn subset0(&self, variable: usize) -> Result<Family, Error> {
        self.at(variable, &AtLevel::Without)
    }

    /// Returns the members with the variable (*onset*), without the variable itself, `{a \ {v}: v ∈
    /// a ∈ f}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1]])?;
    /// assert_eq!(f.subset1(0)?, manager.family([vec![], vec![1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddSubset1", "onset"))]
    pub fn subset1(&self, variable: usize) -> Result<Family, Error> {
        self.at(variable, &AtLevel::With)
    }

    /// Returns the members with the variable added or removed, `{a ⊕ {v}: a ∈ f}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![1]])?;
    /// assert_eq!(f.change(0)?, manager.family([vec![], vec![1], vec![0, 1]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("Cudd_zddChange", "flip"))]
    pub fn change(&self, variable: usize) -> Result<Family, Error> {
        self.at(variable, &AtLevel::Change)
    }

    fn at(&self, variable: usize, operation: &AtLevel) -> Result<Family, Error> {
        let level = self.manager().level(variable)?;
        let result = self.0.unary(|store, f| {
            let singleton = store.mk(level, Edge::ZERO, Edge::ONE)?;
            store.keep(singleton);
            store.run(operation, [f, singleton, operation.tag()])
        });
        result.map(Family)
    }
}
