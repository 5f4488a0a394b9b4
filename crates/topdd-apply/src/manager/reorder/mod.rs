//! Reordering of the variables: by the caller, by sifting, and by automatic sifting.

mod swapping;
#[cfg(test)]
mod tests;

use super::{Manager, StoredRule, VariableOrder};
use crate::error::Error;
use crate::store::Trigger;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use swapping::Stores;

/// Automatic sifting, and counts of all siftings.
#[derive(Debug)]
pub(crate) struct Automatic {
    sifting: RefCell<Option<Sifting>>,
    pub(super) trigger: Rc<Trigger>,
    pub(super) siftings: Cell<u64>,
    pub(super) time: Cell<Duration>,
}

/// Automatic sifting of a manager that can be sent to another thread.
pub(super) struct DetachedAutomatic {
    sifting: Option<Sifting>,
    threshold: usize,
    siftings: u64,
    time: Duration,
}

/// The number of siftings after which the threshold no longer decreases.
const EARLY_SIFTINGS: u64 = 20;

impl Default for DetachedAutomatic {
    fn default() -> Self {
        let threshold = usize::MAX;
        DetachedAutomatic { sifting: None, threshold, siftings: 0, time: Duration::ZERO }
    }
}

impl From<DetachedAutomatic> for Automatic {
    fn from(detached: DetachedAutomatic) -> Self {
        Automatic {
            sifting: RefCell::new(detached.sifting),
            trigger: Rc::new(Trigger::new(detached.threshold)),
            siftings: Cell::new(detached.siftings),
            time: Cell::new(detached.time),
        }
    }
}

impl From<Automatic> for DetachedAutomatic {
    fn from(automatic: Automatic) -> Self {
        DetachedAutomatic {
            threshold: automatic.trigger.threshold(),
            sifting: automatic.sifting.into_inner(),
            siftings: automatic.siftings.get(),
            time: automatic.time.get(),
        }
    }
}

impl Manager {
    /// Brings the variables into this order, from the top down. All handles keep their meaning.
    ///
    /// Swaps adjacent levels, once for each pair of variables in the wrong order. The time of a
    /// swap is linear in the number of nodes of the upper level, and constant if no diagram has both
    /// variables. Garbage is collected first.
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
        VariableOrder::new(&variables, self.num_vars())?;
        self.start()?;
        let mut stores = Stores::borrow(&self.inner);
        let mut swapping = stores.swapping(&self.inner);
        variables
            .iter()
            .enumerate()
            .try_for_each(|(level, &variable)| swapping.raise(variable, level))
    }

    /// Searches for an order with fewer nodes, and returns the resulting number of nodes. Moves each
    /// variable to all levels, and leaves it at the best level. Variables with many nodes come first.
    /// All handles keep their meaning.
    ///
    /// The number of swaps of adjacent levels is at most quadratic in the number of variables. If
    /// the diagrams grow by more than a fifth, or a lower bound shows that no further level is better,
    /// the search does not continue in that direction. Variables on adjacent levels that are symmetric
    /// in all diagrams move together. Garbage is collected first. [`sift_with`](Manager::sift_with) has
    /// options.
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
        self.sift_with(&Sifting::new()).map(|sifted| sifted.nodes_after)
    }

    /// Sifts as [`sift`](Manager::sift) does, with groups of variables that stay together, within
    /// limits, or repeatedly.
    ///
    /// Source: groups and symmetric variables, S. Panda and F. Somenzi, *Who are the variables in your
    /// neighborhood*, ICCAD 1995.
    ///
    /// ```
    /// # use topdd_apply::Sifting;
    /// # let manager = topdd_apply::Manager::new(12)?;
    /// let v = |i| manager.var(i).unwrap();
    /// let f = (0..6).fold(manager.constant(false), |f, i| f | v(i) & v(i + 6));
    /// let sifted = manager.sift_with(&Sifting::new().converge().group([7, 0]))?;
    /// assert!(sifted.nodes_before == 126 && sifted.nodes_after < 30);
    /// let order = manager.order();
    /// assert!(order.windows(2).any(|pair| pair == [7, 0]));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`sift`](Manager::sift). Also fails if a variable of a group does not exist, or is in a group twice.
    /// A limit of the options is no error: then [`Sifted::complete`] is false.
    #[doc(alias("Cudd_ReduceHeap", "CUDD_REORDER_GROUP_SIFT", "CUDD_REORDER_SIFT_CONVERGE"))]
    pub fn sift_with(&self, sifting: &Sifting) -> Result<Sifted, Error> {
        self.check_groups(sifting)?;
        self.start()?;
        let sifted = {
            let mut stores = Stores::borrow(&self.inner);
            stores.swapping(&self.inner).sift(sifting)?
        };
        let automatic = &self.inner.automatic;
        automatic.siftings.set(automatic.siftings.get() + 1);
        automatic.time.set(automatic.time.get() + sifted.elapsed);
        if let Some(callback) = &sifting.on_report {
            // A panic of the function in an earlier call is no reason not to call it.
            (*callback.lock().unwrap_or_else(PoisonError::into_inner))(&sifted);
        }
        Ok(sifted)
    }

    /// Sifts automatically from now on, or no longer if `sifting` is `None`, which is the default. The
    /// first sifting is at the number of nodes of [`Sifting::start_at`], and each further one when the
    /// number of nodes has doubled.
    ///
    /// Sifts after operations, and in the middle of `&`, `|`, `^`, `-`, [`ite`](crate::Function::ite),
    /// [`cnf`](Manager::cnf) and other operations on handles alone: such an operation starts again after
    /// sifting. All handles keep their meaning; [`order`](Manager::order) and the levels of nodes change.
    /// If sifting reaches a limit of the manager, or is [cancelled](Manager::within), the operation
    /// continues without it.
    ///
    /// ```
    /// # use topdd_apply::{Manager, Sifting};
    /// let manager = Manager::new(40)?;
    /// manager.sift_automatically(Sifting::new())?;
    /// let v = |i| manager.var(i).unwrap();
    /// let f = (0..20).fold(manager.constant(false), |f, i| f | v(i) & v(i + 20));
    /// assert!(f.node_count() < 10_000); // 2 097 150 in the order 0..40
    /// manager.sift_automatically(None)?;
    /// assert!(!manager.sifts_automatically());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable of a group does not exist, or is in a group twice.
    #[doc(alias("Cudd_AutodynEnable", "Cudd_AutodynDisable", "dynamic reordering"))]
    pub fn sift_automatically(&self, sifting: impl Into<Option<Sifting>>) -> Result<(), Error> {
        let sifting = sifting.into();
        let automatic = &self.inner.automatic;
        if let Some(sifting) = &sifting {
            self.check_groups(sifting)?;
        }
        self.inner.watch.set_sifting(sifting.is_some());
        automatic.trigger.set_threshold(sifting.as_ref().map_or(usize::MAX, |s| s.start_at));
        automatic.sifting.replace(sifting);
        Ok(())
    }

    /// Returns whether the manager [sifts automatically](Manager::sift_automatically).
    pub fn sifts_automatically(&self) -> bool {
        self.inner.automatic.sifting.borrow().is_some()
    }

    /// The options of automatic sifting.
    pub(super) fn sifting(&self) -> Option<Sifting> {
        self.inner.automatic.sifting.borrow().clone()
    }

    fn check_groups(&self, sifting: &Sifting) -> Result<(), Error> {
        let mut grouped = vec![false; self.num_vars()];
        for &variable in sifting.groups.iter().flatten() {
            self.level(variable)?;
            if std::mem::replace(&mut grouped[variable], true) {
                return Err(Error::RepeatedVariable { variable });
            }
        }
        Ok(())
    }

    /// Sifts after an operation that left many nodes, unless most of them are garbage.
    #[cold]
    pub(super) fn sift_after<K: StoredRule>(&self) {
        let threshold = self.inner.automatic.trigger.threshold();
        if K::store(&self.inner).borrow().len() >= threshold {
            self.collect();
            // With nearly as many nodes as the threshold, the next collection would follow soon.
            if self.num_nodes() >= threshold / 8 * 7 {
                self.sift_by_options();
            }
        }
    }

    /// Sifts in the middle of an operation that will start again.
    #[cold]
    pub(super) fn sift_within<K: StoredRule>(&self) {
        let nodes = K::store(&self.inner).borrow().len();
        self.sift_by_options();
        // It meets at least as many nodes again.
        self.inner.automatic.trigger.raise(2 * nodes);
    }

    fn sift_by_options(&self) {
        let automatic = &self.inner.automatic;
        let Some(sifting) = self.sifting() else { return };
        // An error leaves an order in which the operation goes on; if it is over, the operation fails.
        let _ = self.sift_with(&sifting);
        let doubled = (2 * self.num_nodes()).max(sifting.start_at);
        // As in CUDD: a number of nodes around the threshold must not lead to ever more siftings.
        let early = automatic.siftings.get() < EARLY_SIFTINGS;
        let least = if early { 0 } else { automatic.trigger.threshold() };
        automatic.trigger.set_threshold(doubled.max(least));
    }

    fn num_nodes(&self) -> usize {
        self.inner.functions.borrow().len() + self.inner.families.borrow().len()
    }
}

/// A function that is called with each report.
type OnReport = Arc<Mutex<dyn FnMut(&Sifted) + Send>>;

/// The options of sifting: [`Manager::sift_with`](crate::Manager::sift_with) sifts once, and
/// [`Manager::sift_automatically`](crate::Manager::sift_automatically) whenever the number of nodes has
/// doubled.
///
/// ```
/// use std::time::Duration;
/// use topdd_apply::{Manager, Sifting};
///
/// let sifting = Sifting::new()
///     .start_at(1000)
///     .time_limit(Duration::from_secs(10))
///     .on_report(|sifted| eprintln!("{sifted}"));
/// let manager = Manager::new(40)?;
/// manager.sift_automatically(sifting)?;
/// let f = manager.dnf((0..20).map(|v| [(v, true), (v + 20, true)]))?; // 2 097 150 nodes in the order 0..40
/// assert!(f.node_count() < 1000 && manager.statistics().siftings > 0);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone)]
pub struct Sifting {
    start_at: usize,
    max_growth: f64,
    max_swaps: u64,
    time_limit: Option<Duration>,
    converge: bool,
    /// Whether lower bounds end searches. They change the time, and no order.
    bounded: bool,
    groups: Vec<Vec<usize>>,
    on_report: Option<OnReport>,
}

impl Default for Sifting {
    fn default() -> Self {
        Sifting {
            start_at: 4096,
            max_growth: 1.2,
            max_swaps: u64::MAX,
            time_limit: None,
            converge: false,
            bounded: true,
            groups: Vec::new(),
            on_report: None,
        }
    }
}

impl Sifting {
    /// Returns the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of nodes at which automatic sifting starts. The default is 4 096.
    pub fn start_at(self, nodes: usize) -> Self {
        Sifting { start_at: nodes, ..self }
    }

    /// Sets the factor by which the number of nodes may grow while a variable moves in one direction. The
    /// default is 1.2. Factors below 1 count as 1.
    #[doc(alias = "Cudd_SetMaxGrowth")]
    pub fn max_growth(self, factor: f64) -> Self {
        Sifting { max_growth: factor.max(1.0), ..self }
    }

    /// Limits the number of swaps of adjacent levels, not counting the way back of a variable to its best
    /// level. The default is no limit.
    #[doc(alias = "Cudd_SetSiftMaxSwap")]
    pub fn max_swaps(self, swaps: u64) -> Self {
        Sifting { max_swaps: swaps, ..self }
    }

    /// Limits the time of each sifting. The default is no limit.
    #[doc(alias = "Cudd_SetReorderingTimeLimit")]
    pub fn time_limit(self, time: Duration) -> Self {
        Sifting { time_limit: Some(time), ..self }
    }

    /// Repeats sifting until a round removes less than a hundredth of the nodes.
    #[doc(alias = "CUDD_REORDER_SIFT_CONVERGE")]
    pub fn converge(self) -> Self {
        Sifting { converge: true, ..self }
    }

    /// Keeps these variables on adjacent levels, in this order from the top down, so that they move
    /// together. Several calls add several groups. Variables that are not adjacent are first brought
    /// together below the first one.
    #[doc(alias = "Cudd_MakeTreeNode")]
    pub fn group(mut self, variables: impl IntoIterator<Item = usize>) -> Self {
        self.groups.push(variables.into_iter().collect());
        self
    }

    /// Sets a function that is called after each sifting. It must not use the manager or its handles.
    #[doc(alias = "Cudd_AddHook")]
    pub fn on_report(self, callback: impl FnMut(&Sifted) + Send + 'static) -> Self {
        Sifting { on_report: Some(Arc::new(Mutex::new(callback))), ..self }
    }
}

impl fmt::Debug for Sifting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sifting")
            .field("start_at", &self.start_at)
            .field("max_growth", &self.max_growth)
            .field("max_swaps", &self.max_swaps)
            .field("time_limit", &self.time_limit)
            .field("converge", &self.converge)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

/// The result of sifting; `Display` writes it on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sifted {
    /// The number of nodes before, without garbage.
    pub nodes_before: usize,
    /// The number of nodes after.
    pub nodes_after: usize,
    /// The number of swaps of adjacent levels.
    pub swaps: u64,
    /// The time.
    pub elapsed: Duration,
    /// Whether all variables were sifted: no limit of the [`Sifting`] was reached.
    pub complete: bool,
}

impl fmt::Display for Sifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "sifted {} nodes to {} in {:.1?} ({} swaps{})",
            self.nodes_before,
            self.nodes_after,
            self.elapsed,
            self.swaps,
            if self.complete { "" } else { ", stopped at a limit" }
        )
    }
}
