//! Queries of families.

use super::Family;
use crate::engine::{Intersection, SetDifference};
use crate::error::Error;
use crate::manager::VariableOrder;
use crate::snapshot::{SnapshotPaths, ZERO};
use crate::store::{Edge, Store};
use num_bigint::BigUint;
use num_traits::{One, Zero};

impl Family {
    /// Returns whether the family has no members, in constant time.
    pub fn is_empty(&self) -> bool {
        self.0.edge() == Edge::ZERO
    }

    /// Returns the variable of the root, the topmost one of the diagram: the first in the order that
    /// some member has. `None` for the families `∅` and `{∅}`.
    ///
    /// With [`low`](Family::low) and [`high`](Family::high), the nodes can be visited from the root
    /// down. Equal handles are the same node. All take constant time.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let manager = Manager::builder(3).order([2, 0, 1]).build()?;
    /// let f = manager.family([vec![0], vec![0, 2]])?;
    /// assert_eq!((f.top_variable(), f.level()), (Some(2), Some(0)));
    /// assert_eq!(f.low(), Some(manager.singleton(0)?));
    /// assert_eq!(f.low(), f.high());
    /// assert_eq!(f.high().and_then(|high| high.level()), Some(1));
    /// assert_eq!(manager.base().top_variable(), None);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "Cudd_NodeReadIndex")]
    pub fn top_variable(&self) -> Option<usize> {
        self.0.top_variable()
    }

    /// Returns the level of the root, the position of its variable in the
    /// [order](crate::Manager::order), where 0 is the top; `None` for the families `∅` and `{∅}`.
    #[doc(alias = "Cudd_ReadPermZdd")]
    pub fn level(&self) -> Option<usize> {
        self.0.level()
    }

    /// Returns the child of the root for the value 0: the members without the topmost variable. `None`
    /// for the families `∅` and `{∅}`.
    #[doc(alias = "Cudd_E")]
    pub fn low(&self) -> Option<Family> {
        self.0.child(false).map(Family)
    }

    /// Returns the child of the root for the value 1: the members with the topmost variable, without the
    /// variable itself. `None` for the families `∅` and `{∅}`.
    #[doc(alias = "Cudd_T")]
    pub fn high(&self) -> Option<Family> {
        self.0.child(true).map(Family)
    }

    /// Returns whether all members of `self` are members of `other`, `f ⊆ g`.
    ///
    /// Makes no nodes. Takes at most the product of the numbers of nodes in time and temporary memory,
    /// and stops at the first member that `other` does not have.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (f, g) = (manager.singletons([0, 1])?, manager.singletons([0, 1, 2])?);
    /// assert!(f.is_subset(&g)? && !g.is_subset(&f)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("issubset", "leq"))]
    pub fn is_subset(&self, other: &Family) -> Result<bool, Error> {
        self.0.compare(&other.0, Store::is_empty::<SetDifference>)
    }

    /// Returns whether no set is a member of both, `f ∩ g = ∅`. Cost as for
    /// [`is_subset`](Family::is_subset).
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (f, g) = (manager.singletons([0, 1])?, manager.singletons([1, 2])?);
    /// assert!(!f.is_disjoint(&g)? && f.is_disjoint(&manager.base())?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias = "isdisjoint")]
    pub fn is_disjoint(&self, other: &Family) -> Result<bool, Error> {
        self.0.compare(&other.0, Store::is_empty::<Intersection>)
    }

    /// Returns whether this set of variables is a member. Cost: linear in the number of variables.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0, 2], vec![1]])?;
    /// assert!(f.contains([2, 0])?);
    /// assert!(!f.contains([])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable.
    pub fn contains(&self, set: impl IntoIterator<Item = usize>) -> Result<bool, Error> {
        let levels = self.manager().levels(set)?;
        Ok(self.0.read(|store, mut edge| {
            let mut wanted = levels.iter().copied().peekable();
            loop {
                let level = store.level(edge);
                match wanted.peek() {
                    Some(&next) if next < level => return false,
                    _ if edge.is_terminal() => return edge == Edge::ONE,
                    next => {
                        let (lo, hi) = store.children_at(edge, level);
                        if next == Some(&level) {
                            edge = hi;
                            wanted.next();
                        } else {
                            edge = lo;
                        }
                    }
                }
            }
        }))
    }

    /// Returns the exact number of members.
    ///
    /// Cost: one pass over a copy of the diagram, in 64 or 128 bits if they suffice.
    #[doc(alias("Cudd_zddCountDouble", "len", "sat_count"))]
    pub fn count(&self) -> BigUint {
        self.0.snapshot().count()
    }

    /// Returns the number of members by size: entry `k` is the number of members with `k`
    /// variables. The last entry is not 0.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.power_set(0..3)?.count_by_size(), [1u32, 3, 3, 1].map(Into::into));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    pub fn count_by_size(&self) -> Vec<BigUint> {
        let snapshot = self.0.snapshot();
        let none: Vec<BigUint> = Vec::new();
        let mut sizes = snapshot.evaluate(none, vec![BigUint::one()], |sizes, node| {
            let mut sum = sizes[node.lo as usize].clone();
            for (size, count) in sizes[node.hi as usize].iter().enumerate() {
                if sum.len() < size + 2 {
                    sum.resize(size + 2, BigUint::zero());
                }
                sum[size + 1] += count;
            }
            sum
        });
        sizes.swap_remove(snapshot.roots[0] as usize)
    }

    /// Returns the members that have `k` variables, `{a ∈ f: |a| = k}`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![0, 1], vec![2]])?;
    /// assert_eq!(f.exactly(1)?, manager.family([[0], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    #[doc(alias("set_size", "graph_size"))]
    pub fn exactly(&self, k: usize) -> Result<Family, Error> {
        self.try_intersection(&self.manager().combinations(self.support(), k)?)
    }

    /// Returns the variables that some member has, in ascending order.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// assert_eq!(manager.family([vec![3], vec![0, 3]])?.support(), [0, 3]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "Cudd_zddSupport")]
    pub fn support(&self) -> Vec<usize> {
        self.0.support()
    }

    /// Returns the number of nodes of the ZDD, without the terminals and without flags.
    ///
    /// The manager may store fewer nodes: a family, and the same family with the empty set added,
    /// share one node.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// assert_eq!(manager.family([vec![0], vec![0, 1], vec![2]])?.node_count(), 3);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "Cudd_zddDagSize")]
    pub fn node_count(&self) -> usize {
        self.0.snapshot().nodes.len()
    }

    /// Returns an iterator over the members, as ascending variables. Members are in lexicographic
    /// order of the values of the variables, from the topmost variable down, with absent before
    /// present.
    ///
    /// Cost: one copy of the diagram; then time linear in the number of variables for each member.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0, 2], vec![1], vec![]])?;
    /// assert_eq!(f.iter().collect::<Vec<_>>(), [vec![], vec![1], vec![0, 2]]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    pub fn iter(&self) -> Members {
        let snapshot = self.0.snapshot();
        debug_assert!(snapshot.roots[0] != ZERO || self.is_empty());
        Members { paths: SnapshotPaths::new(snapshot), order: self.manager().order_copy() }
    }
}

impl IntoIterator for &Family {
    type Item = Vec<usize>;
    type IntoIter = Members;

    fn into_iter(self) -> Members {
        self.iter()
    }
}

/// The members of a family as lists of variables, an iterator; made by [`Family::iter`].
#[derive(Clone, Debug)]
pub struct Members {
    paths: SnapshotPaths,
    order: VariableOrder,
}

impl std::iter::FusedIterator for Members {}

impl Iterator for Members {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let path = self.paths.advance()?;
        let members = path.filter(|&(_, member)| member);
        let mut set: Vec<_> = members.map(|(level, _)| self.order.variable_at(level)).collect();
        set.sort_unstable();
        Some(set)
    }
}
