//! Queries of families.

use super::Family;
use crate::error::Error;
use crate::manager::Order;
use crate::snapshot::{Paths, ZERO};
use crate::store::Edge;
use num_bigint::BigUint;
use num_traits::{One, Zero};

impl Family {
    /// Returns whether the family has no members, in constant time.
    pub fn is_empty(&self) -> bool {
        self.0.edge() == Edge::ZERO
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

    /// Returns the exact number of members. See the example of [`Family`].
    ///
    /// Cost: one pass over a copy of the diagram, in 64 or 128 bits if they suffice.
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
    /// assert_eq!(f.of_size(1)?, manager.family([[0], [2]])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Family`].
    pub fn of_size(&self, k: usize) -> Result<Family, Error> {
        self.try_intersection(&self.manager().combinations(self.support(), k)?)
    }

    /// Returns the variables that some member has, in ascending order.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// assert_eq!(manager.family([vec![3], vec![0, 3]])?.support(), [0, 3]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
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
        Members { paths: Paths::new(snapshot), order: self.manager().order_copy() }
    }
}

impl IntoIterator for &Family {
    type Item = Vec<usize>;
    type IntoIter = Members;

    fn into_iter(self) -> Members {
        self.iter()
    }
}

/// The members of a family as lists of variables, an iterator; made by [`Family::iter`], which has an
/// example.
#[derive(Clone, Debug)]
pub struct Members {
    paths: Paths,
    order: Order,
}

impl std::iter::FusedIterator for Members {}

impl Iterator for Members {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let path = self.paths.advance()?;
        let members = path.filter(|&(_, member)| member);
        let mut set: Vec<_> = members.map(|(level, _)| self.order.variable_at(level)).collect();
        if !self.order.variable_at.is_empty() {
            set.sort_unstable();
        }
        Some(set)
    }
}
