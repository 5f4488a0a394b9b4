//! Reordering of the variables.

use crate::error::Error;
use crate::manager::{Inner, Kind, Manager, Order};
use crate::store::{Reorder, Store, Watch};
use std::cell::RefMut;
use topdd::diagram::{AnyValue, ZeroSuppressed};

/// The maximum growth of the number of nodes while a variable is sifted.
const MAX_GROWTH: f64 = 1.2;

impl Manager {
    /// Brings the variables into this order, from the top down. All handles keep their meaning.
    ///
    /// Swaps adjacent levels, once for each pair of variables in the wrong order. The time of a
    /// swap is linear in the number of nodes of the two levels. Garbage is collected first.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(6)?;
    /// let v = |i| manager.var(i).unwrap();
    /// let f = v(0) & v(3) | v(1) & v(4) | v(2) & v(5);
    /// assert_eq!(f.node_count(), 14);
    /// manager.reorder([0, 3, 1, 4, 2, 5])?;
    /// assert_eq!(f.node_count(), 6);
    /// assert_eq!(f, v(0) & v(3) | v(1) & v(4) | v(2) & v(5));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `order` is not a permutation of the variables, or if a limit is reached or the token
    /// [cancelled](Manager::within). After the latter, the order is an intermediate one.
    #[doc(alias("Cudd_ShuffleHeap", "set_var_order"))]
    pub fn reorder(&self, order: impl IntoIterator<Item = usize>) -> Result<(), Error> {
        let variables: Vec<usize> = order.into_iter().collect();
        Order::new(&variables, self.num_vars())?;
        self.start()?;
        let mut swapping = Stores::borrow(&self.inner);
        let mut swapping = swapping.swapping(&self.inner);
        for (level, &variable) in variables.iter().enumerate() {
            for upper in (level..swapping.order.level_of(variable) as usize).rev() {
                swapping.advance()?;
                swapping.swap(upper)?;
            }
        }
        Ok(())
    }

    /// Searches for an order with fewer nodes, and returns the resulting number of nodes. Moves each
    /// variable to all levels, and leaves it at the best level. Variables with many nodes come first.
    /// All handles keep their meaning.
    ///
    /// The number of swaps of adjacent levels is at most quadratic in the number of variables. If
    /// the diagrams grow by more than a fifth, the search does not continue in that direction.
    /// Garbage is collected first.
    ///
    /// Source: sifting, R. Rudell, *Dynamic variable ordering for ordered binary decision diagrams*,
    /// ICCAD 1993.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(12)?;
    /// let v = |i| manager.var(i).unwrap();
    /// let f = (0..6).fold(manager.constant(false), |f, i| f | v(i) & v(i + 6));
    /// assert_eq!(f.node_count(), 126);
    /// manager.sift()?;
    /// assert_eq!(f.node_count(), 12);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a limit is reached, or the token [cancelled](Manager::within). The order is then an
    /// intermediate one. If time or the token was the reason, it has no more nodes than the order
    /// before.
    #[doc(alias("Cudd_ReduceHeap", "CUDD_REORDER_SIFT"))]
    pub fn sift(&self) -> Result<usize, Error> {
        self.start()?;
        let mut swapping = Stores::borrow(&self.inner);
        let mut swapping = swapping.swapping(&self.inner);
        let mut variables: Vec<(usize, usize)> = (0..self.num_vars())
            .map(|level| (swapping.width(level), swapping.order.variable_at(level as u32)))
            .filter(|&(width, _)| width > 0)
            .collect();
        variables.sort_unstable_by(|a, b| b.cmp(a));
        let total = variables.len();
        for (done, (_, variable)) in variables.into_iter().enumerate() {
            self.inner.watch.sifted(done, total);
            swapping.sift(variable)?;
        }
        Ok(swapping.len())
    }
}

/// Both stores of a manager, borrowed.
struct Stores<'m> {
    functions: RefMut<'m, Store<AnyValue>>,
    families: RefMut<'m, Store<ZeroSuppressed>>,
}

impl<'m> Stores<'m> {
    fn borrow(inner: &'m Inner) -> Self {
        Stores {
            functions: AnyValue::store(inner).borrow_mut(),
            families: ZeroSuppressed::store(inner).borrow_mut(),
        }
    }

    fn swapping(&mut self, inner: &'m Inner) -> Swapping<'_> {
        let num_vars = inner.num_vars.get();
        Swapping {
            functions: Reorder::new(&mut self.functions, num_vars),
            families: Reorder::new(&mut self.families, num_vars),
            order: inner.order.borrow_mut(),
            num_vars,
            watch: &inner.watch,
        }
    }
}

/// A manager whose levels are being swapped.
struct Swapping<'m> {
    functions: Reorder<'m, AnyValue>,
    families: Reorder<'m, ZeroSuppressed>,
    order: RefMut<'m, Order>,
    num_vars: usize,
    watch: &'m Watch,
}

impl Swapping<'_> {
    fn len(&self) -> usize {
        self.functions.len() + self.families.len()
    }

    fn width(&mut self, level: usize) -> usize {
        self.functions.width(level) + self.families.width(level)
    }

    /// Notes the next swap. Fails if the token is cancelled or the time is over.
    fn advance(&self) -> Result<(), Error> {
        self.watch.advance(1, self.len())
    }

    /// Swaps a level with the next one. Changes nothing if it fails.
    fn swap(&mut self, upper: usize) -> Result<(), Error> {
        self.functions.prepare(upper)?;
        self.families.prepare(upper)?;
        self.functions.swap(upper);
        self.families.swap(upper);
        self.order.swap(upper, self.num_vars);
        Ok(())
    }

    /// Moves a variable to all levels, towards the nearer end first, and leaves it at the best level. If
    /// the token is cancelled or the time is over, leaves it at the best level so far, and fails.
    fn sift(&mut self, variable: usize) -> Result<(), Error> {
        let last = self.num_vars - 1;
        let start = self.order.level_of(variable) as usize;
        let (mut best, mut best_level) = (self.len(), start);
        let most = (best as f64 * MAX_GROWTH) as usize;
        let up_first = start < last - start;
        let mut stopped = Ok(());
        'search: for up in [up_first, !up_first] {
            loop {
                let level = self.order.level_of(variable) as usize;
                if level == if up { 0 } else { last } {
                    break;
                }
                stopped = self.advance();
                if stopped.is_err() {
                    break 'search;
                }
                self.swap(if up { level - 1 } else { level })?;
                let len = self.len();
                if len < best {
                    (best, best_level) = (len, self.order.level_of(variable) as usize);
                }
                // On the way back, the sizes up to the start are known already.
                let level = self.order.level_of(variable) as usize;
                if len > most && (if up { level < start } else { level > start }) {
                    break;
                }
            }
        }
        loop {
            let level = self.order.level_of(variable) as usize;
            match level.cmp(&best_level) {
                std::cmp::Ordering::Less => self.swap(level)?,
                std::cmp::Ordering::Greater => self.swap(level - 1)?,
                std::cmp::Ordering::Equal => return stopped,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::error::{Error, ManagerLimit};
    use crate::manager::Manager;
    use crate::strategies::{literals, orders};
    use crate::{Family, Function};
    use proptest::prelude::*;

    const VARS: usize = 6;

    type Cubes = Vec<Vec<(usize, bool)>>;

    fn cubes() -> impl Strategy<Value = Cubes> {
        prop::collection::vec(literals(VARS), 0..8)
    }

    fn function(manager: &Manager, cubes: &Cubes) -> Function {
        manager.dnf(cubes.clone()).unwrap()
    }

    fn family(manager: &Manager, cubes: &Cubes) -> Family {
        let set = |cube: &Vec<(usize, bool)>| {
            cube.iter().filter(|&&(_, value)| value).map(|&(v, _)| v).collect::<Vec<_>>()
        };
        manager.family(cubes.iter().map(set)).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

        /// Building the same functions again gives the same handles: the table has no node twice.
        #[test]
        fn reordering_keeps_the_meaning_of_all_handles(given in prop::collection::vec(cubes(), 1..5), orders in prop::collection::vec(orders(VARS), 1..4)) {
            let m = Manager::new(VARS).unwrap();
            let functions: Vec<_> = given.iter().map(|cubes| function(&m, cubes)).collect();
            let families: Vec<_> = given.iter().map(|cubes| family(&m, cubes)).collect();
            let tables: Vec<Vec<_>> = functions.iter().map(|f| f.to_family().unwrap().iter().collect()).collect();
            let members: Vec<Vec<_>> = families.iter().map(|f| f.iter().collect()).collect();
            for wanted in orders {
                m.reorder(wanted.clone()).unwrap();
                prop_assert_eq!(m.order(), wanted.clone());
                let before = m.statistics();
                m.collect();
                let after = m.statistics();
                prop_assert_eq!(before.function_nodes, after.function_nodes, "nothing is garbage");
                prop_assert_eq!(before.family_nodes, after.family_nodes, "nothing is garbage");
                let anew = Manager::builder(VARS).order(wanted).build().unwrap();
                for (i, cubes) in given.iter().enumerate() {
                    prop_assert_eq!(&function(&m, cubes), &functions[i]);
                    prop_assert_eq!(&family(&m, cubes), &families[i]);
                    prop_assert_eq!(functions[i].node_count(), function(&anew, cubes).node_count());
                    prop_assert_eq!(families[i].node_count(), family(&anew, cubes).node_count());
                    let mut table: Vec<_> = functions[i].to_family().unwrap().iter().collect();
                    let mut sets: Vec<_> = families[i].iter().collect();
                    let (mut old_table, mut old_sets) = (tables[i].clone(), members[i].clone());
                    for list in [&mut table, &mut old_table, &mut sets, &mut old_sets] {
                        list.sort_unstable();
                    }
                    prop_assert_eq!(table, old_table);
                    prop_assert_eq!(sets, old_sets);
                }
            }
        }

        #[test]
        fn sifting_never_adds_nodes(given in prop::collection::vec(cubes(), 1..4), first in orders(VARS)) {
            let m = Manager::builder(VARS).order(first).build().unwrap();
            let functions: Vec<_> = given.iter().map(|cubes| function(&m, cubes)).collect();
            let families: Vec<_> = given.iter().map(|cubes| family(&m, cubes)).collect();
            m.collect();
            let before = m.statistics();
            let sifted = m.sift().unwrap();
            prop_assert!(sifted <= before.function_nodes + before.family_nodes);
            m.collect();
            let after = m.statistics();
            prop_assert_eq!(after.function_nodes + after.family_nodes, sifted);
            for (i, cubes) in given.iter().enumerate() {
                prop_assert_eq!(&function(&m, cubes), &functions[i]);
                prop_assert_eq!(&family(&m, cubes), &families[i]);
            }
        }

        #[test]
        fn reaching_a_limit_keeps_the_meaning_of_all_handles(given in cubes(), wanted in orders(VARS), limit in 10usize..60) {
            let m = Manager::builder(VARS).max_nodes(limit).build().unwrap();
            if let Ok(f) = m.dnf(given.clone()) {
                let free = Manager::new(VARS).unwrap();
                let g = free.dnf(given).unwrap();
                match m.reorder(wanted.clone()) {
                    Ok(()) => prop_assert_eq!(m.order(), wanted),
                    Err(error) => prop_assert_eq!(error, Error::LimitReached(ManagerLimit::Nodes(limit))),
                }
                prop_assert_eq!(free.copy_function(&f).unwrap(), g);
                prop_assert!(m.statistics().function_nodes <= limit);
            }
        }
    }

    #[test]
    fn sifting_makes_a_sum_of_products_linear() {
        let n = 10;
        let m = Manager::new(2 * n).unwrap();
        let v = |i| m.var(i).unwrap();
        let f = (0..n).fold(m.constant(false), |f, i| f | v(i) & v(i + n));
        let before = f.count();
        assert_eq!(f.node_count(), (1 << (n + 1)) - 2);
        assert_eq!(m.sift().unwrap(), 2 * n);
        assert_eq!(f.node_count(), 2 * n);
        assert_eq!(f.count(), before);
    }

    #[test]
    fn order_that_is_no_permutation_is_an_error() {
        let m = Manager::new(3).unwrap();
        for order in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 3], vec![0, 1, 2, 3]] {
            assert!(matches!(m.reorder(order), Err(Error::NotAPermutation { num_vars: 3, .. })));
        }
        assert_eq!(m.order(), [0, 1, 2]);
        let none = Manager::new(0).unwrap();
        none.reorder([]).unwrap();
        assert_eq!(none.sift().unwrap(), 0);
    }
}
