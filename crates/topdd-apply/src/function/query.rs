//! Queries of functions.

use super::Function;
use crate::engine::And;
use crate::error::Error;
use crate::manager::{Manager, VariableOrder};
use crate::snapshot::{SnapshotPaths, SnapshotWalk};
use crate::store::{Edge, MAX_LEVELS, Store};
use num_bigint::BigUint;

impl Function {
    /// Returns the value for an assignment, which has one value for each variable, by number.
    ///
    /// Cost: linear in the length of one path.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.var(0)? & !manager.var(2)?;
    /// assert!(f.eval(&[true, false, false])? && !f.eval(&[true, false, true])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::AssignmentLength`] if the assignment does not have one value for each variable.
    #[doc(alias("Cudd_Eval", "eval_in"))]
    pub fn eval(&self, assignment: &[bool]) -> Result<bool, Error> {
        let num_vars = self.manager().num_vars();
        if assignment.len() != num_vars {
            return Err(Error::AssignmentLength { found: assignment.len(), num_vars });
        }
        let order = self.manager().inner.order.borrow();
        Ok(self.0.read(|store, mut edge| {
            while !edge.is_terminal() {
                let level = store.level(edge);
                let (lo, hi) = store.children_at(edge, level);
                edge = if assignment[order.variable_at(level)] { hi } else { lo };
            }
            edge == Edge::ONE
        }))
    }

    /// Returns the variable of the root, the topmost one of the diagram; `None` for a constant.
    ///
    /// With [`low`](Function::low) and [`high`](Function::high), the nodes can be visited from the root
    /// down. Equal handles are the same node. All take constant time.
    ///
    /// ```
    /// use topdd_apply::{Function, Manager};
    ///
    /// let manager = Manager::builder(3).order([2, 0, 1]).build()?;
    /// let f = manager.var(0)? ^ manager.var(2)?;
    /// assert_eq!((f.top_variable(), f.level()), (Some(2), Some(0)));
    /// assert_eq!(f.low(), Some(manager.var(0)?));
    /// assert_eq!(f.high(), Some(!manager.var(0)?));
    /// assert_eq!(f.low().and_then(|low| low.level()), Some(1));
    /// assert_eq!(manager.constant(true).top_variable(), None);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("Cudd_NodeReadIndex", "var_of"))]
    pub fn top_variable(&self) -> Option<usize> {
        self.0.top_variable()
    }

    /// Returns the level of the root, the position of its variable in the
    /// [order](crate::Manager::order), where 0 is the top; `None` for a constant.
    #[doc(alias = "Cudd_ReadPerm")]
    pub fn level(&self) -> Option<usize> {
        self.0.level()
    }

    /// Returns the child of the root for the value false: the cofactor by the topmost variable. `None`
    /// for a constant.
    #[doc(alias("Cudd_E", "cofactor_false", "low_link_of"))]
    pub fn low(&self) -> Option<Function> {
        self.0.child(false).map(Function)
    }

    /// Returns the child of the root for the value true: the cofactor by the topmost variable. `None`
    /// for a constant.
    #[doc(alias("Cudd_T", "cofactor_true", "high_link_of"))]
    pub fn high(&self) -> Option<Function> {
        self.0.child(true).map(Function)
    }

    /// Returns whether `other` is true for all assignments for which `self` is:
    /// [`implies`](Function::implies) is constantly true.
    ///
    /// Makes no nodes. Takes at most the product of the numbers of nodes in time and temporary memory,
    /// and stops at the first assignment for which only `self` is true.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert!((&x & &y).leq(&x)? && !x.leq(&y)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddLeq", "is_subset"))]
    pub fn leq(&self, other: &Function) -> Result<bool, Error> {
        self.0.compare(&other.0, |store, f, g| store.is_empty::<And>(f, g ^ 1))
    }

    /// Returns whether there is no assignment for which both are true. Cost as for
    /// [`leq`](Function::leq).
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert!((&x & &y).is_disjoint(&(&x ^ &y))? && !x.is_disjoint(&y)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    pub fn is_disjoint(&self, other: &Function) -> Result<bool, Error> {
        self.0.compare(&other.0, Store::is_empty::<And>)
    }

    /// Returns the variables that the function depends on, ascending.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!((&x & &y | &x & !&y | z).support(), [0, 2]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("Cudd_Support", "Cudd_SupportIndex", "support_set"))]
    pub fn support(&self) -> Vec<usize> {
        self.0.support()
    }

    /// Returns the exact number of assignments to all variables of the manager for which the
    /// function is true.
    ///
    /// Cost: one pass over a copy of the diagram, in 64 or 128 bits if they suffice.
    #[doc(alias("Cudd_CountMinterm", "sat_count", "exact_cardinality"))]
    pub fn count(&self) -> BigUint {
        self.0.snapshot().count()
    }

    /// Returns the exact number of assignments to `num_vars` variables, including all variables that the
    /// function depends on, for which the function is true.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(100)?;
    /// let either = manager.var(0)? | manager.var(99)?;
    /// assert_eq!(either.count_over(2)?, 3u32.into());
    /// assert_eq!(either.count_over(5)?, 24u32.into());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the function depends on more than `num_vars` variables, or if `num_vars` is more than a
    /// manager can have.
    pub fn count_over(&self, num_vars: usize) -> Result<BigUint, Error> {
        let support = self.support().len();
        if support > num_vars {
            return Err(Error::TooFewVariables { support, asked: num_vars });
        }
        if num_vars > MAX_LEVELS {
            return Err(Error::TooManyVariables { num_vars, limit: MAX_LEVELS });
        }
        // The count over all variables has a factor of two for each variable that the function does not
        // depend on.
        let all = self.manager().num_vars();
        let count = self.count();
        Ok(if num_vars >= all { count << (num_vars - all) } else { count >> (all - num_vars) })
    }

    /// Returns the number of paths to true in the diagram, which is the number of
    /// [`cubes`](Function::cubes).
    ///
    /// Cost: one pass over a copy of the diagram.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.var(0)? | manager.var(2)?;
    /// assert_eq!((f.count_paths(), f.count()), (2u32.into(), 6u32.into()));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("Cudd_CountPathsToNonZero", "exact_clause_cardinality"))]
    pub fn count_paths(&self) -> BigUint {
        self.0.snapshot().count_paths()
    }

    /// Returns the number of nodes, without the terminal. A function and its negation share all
    /// nodes.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let parity = manager.var(0)? ^ manager.var(1)? ^ manager.var(2)?;
    /// assert_eq!(parity.node_count(), 3);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("Cudd_DagSize", "size"))]
    pub fn node_count(&self) -> usize {
        self.0.read(|store, edge| store.count_nodes(&[edge]))
    }

    /// Returns the least assignment for which the function is true, the topmost variable of the
    /// order counting most; `None` if it is constantly false.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.var(0)? | manager.var(2)?;
    /// assert_eq!(f.smallest(), Some(vec![false, false, true]));
    /// assert_eq!(f.largest(), Some(vec![true, true, true]));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("Cudd_bddPickOneMinterm", "pick_cube", "first_valuation", "sat_witness"))]
    pub fn smallest(&self) -> Option<Vec<bool>> {
        self.extreme(false)
    }

    /// Returns the greatest assignment for which the function is true, the topmost variable of the
    /// order counting most; `None` if it is constantly false.
    #[doc(alias = "last_valuation")]
    pub fn largest(&self) -> Option<Vec<bool>> {
        self.extreme(true)
    }

    /// The assignment that has the preferred value at each variable where that leads to true.
    fn extreme(&self, preferred: bool) -> Option<Vec<bool>> {
        if self.is_false() {
            return None;
        }
        let order = self.manager().inner.order.borrow();
        let mut values = vec![preferred; self.manager().num_vars()];
        self.0.read(|store, mut edge| {
            while !edge.is_terminal() {
                let level = store.level(edge);
                let (lo, hi) = store.children_at(edge, level);
                let (first, second) = if preferred { (hi, lo) } else { (lo, hi) };
                let value = if first == Edge::ZERO { !preferred } else { preferred };
                values[order.variable_at(level)] = value;
                edge = if first == Edge::ZERO { second } else { first };
            }
        });
        Some(values)
    }

    /// Returns the assignments for which the function is true, in lexicographic order, the topmost
    /// variable of the order counting most.
    ///
    /// Cost: one copy of the diagram; then time linear in the number of variables for each assignment.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.var(0)? | manager.var(1)?;
    /// let all: Vec<_> = f.assignments().collect();
    /// assert_eq!(all, [[false, true], [true, false], [true, true]]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "sat_valuations")]
    pub fn assignments(&self) -> Assignments {
        let snapshot = self.0.snapshot();
        Assignments { walk: SnapshotWalk::new(snapshot), order: self.manager().order_copy() }
    }

    /// Returns the cubes of the diagram, one for each path to true: the variables on the path with
    /// their values, from the top down. They are disjoint, and together the function.
    ///
    /// Cost: one copy of the diagram; then time linear in the number of variables for each cube. There
    /// may be exponentially many: [`count_paths`](Function::count_paths) returns their number.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.var(0)? | manager.var(2)?;
    /// let cubes: Vec<_> = f.cubes().collect();
    /// assert_eq!(cubes, [vec![(0, false), (2, true)], vec![(0, true)]]);
    /// assert_eq!(manager.dnf(cubes)?, f);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("Cudd_FirstCube", "Cudd_ForeachCube", "sat_clauses", "to_dnf"))]
    pub fn cubes(&self) -> Cubes {
        let snapshot = self.0.snapshot();
        Cubes { paths: SnapshotPaths::new(snapshot), order: self.manager().order_copy() }
    }

    /// Returns clauses whose conjunction is the function, one for each path to false: the literals
    /// that would leave the path, from the top down.
    ///
    /// Cost as for [`cubes`](Function::cubes) of the negation.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let f = manager.var(0)? ^ manager.var(1)?;
    /// let clauses: Vec<_> = f.clauses().collect();
    /// assert_eq!(clauses, [[(0, true), (1, true)], [(0, false), (1, false)]]);
    /// assert_eq!(manager.cnf(clauses)?, f);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "to_cnf")]
    pub fn clauses(&self) -> Clauses {
        Clauses((!self).cubes())
    }
}

impl Manager {
    /// Returns the number of nodes that these functions have together, each counted once.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!(manager.shared_node_count([&x, &y, &(&x ^ &y)])?, 3);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a function belongs to another manager.
    #[doc(alias = "Cudd_SharingSize")]
    pub fn shared_node_count<'f>(
        &self,
        functions: impl IntoIterator<Item = &'f Function>,
    ) -> Result<usize, Error> {
        let edges = functions.into_iter().map(|f| self.own(&f.0)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.constant(true).0.read(|store, _| store.count_nodes(&edges)))
    }
}

/// The assignments of a function, an iterator; made by [`Function::assignments`].
#[derive(Clone, Debug)]
pub struct Assignments {
    walk: SnapshotWalk,
    order: VariableOrder,
}

impl Iterator for Assignments {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        let values = self.walk.advance()?;
        let by_variable = (0..values.len()).map(|v| values[self.order.level_of(v) as usize]);
        Some(by_variable.collect())
    }
}

impl std::iter::FusedIterator for Assignments {}

/// The cubes of a function, an iterator of lists of literals; made by [`Function::cubes`].
#[derive(Clone, Debug)]
pub struct Cubes {
    paths: SnapshotPaths,
    order: VariableOrder,
}

impl std::iter::FusedIterator for Cubes {}

impl Iterator for Cubes {
    type Item = Vec<(usize, bool)>;

    fn next(&mut self) -> Option<Vec<(usize, bool)>> {
        let path = self.paths.advance()?;
        Some(path.map(|(level, value)| (self.order.variable_at(level), value)).collect())
    }
}

/// The clauses of a function, an iterator of lists of literals; made by [`Function::clauses`].
#[derive(Clone, Debug)]
pub struct Clauses(Cubes);

impl std::iter::FusedIterator for Clauses {}

impl Iterator for Clauses {
    type Item = Vec<(usize, bool)>;

    fn next(&mut self) -> Option<Vec<(usize, bool)>> {
        let path = self.0.next()?;
        Some(path.into_iter().map(|(variable, value)| (variable, !value)).collect())
    }
}
