//! Handles: counted references to roots, the common part of `Function` and `Family`; managers on the way to another thread.

use super::{Manager, ManagerParts, StoredRule};
use crate::error::Error;
use crate::snapshot::Snapshot;
use crate::store::{Edge, Store};
use crate::{Family, Function, Limits};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::rc::Rc;

/// The maximum number of cubes or members that `Debug` lists.
pub(crate) const LISTED: usize = 20;
/// The maximum number of nodes of a diagram that `Debug` lists: listing copies the diagram.
pub(crate) const LISTED_NODES: usize = 1000;

/// A reference that keeps an edge, and all nodes below it, alive.
pub(crate) struct Handle<K: StoredRule> {
    manager: Manager,
    edge: Edge,
    slot: u32,
    kind: PhantomData<K>,
}

impl<K: StoredRule> Handle<K> {
    pub(crate) fn new(manager: &Manager, edge: Edge) -> Self {
        let slot = K::roots(&manager.inner).add(edge);
        Handle { manager: manager.clone(), edge, slot, kind: PhantomData }
    }

    /// Another handle of a slot in use.
    pub(crate) fn sharing(manager: &Manager, edge: Edge, slot: u32) -> Self {
        let slot = K::roots(&manager.inner).share(slot);
        Handle { manager: manager.clone(), edge, slot, kind: PhantomData }
    }

    pub(crate) fn manager(&self) -> &Manager {
        &self.manager
    }

    pub(crate) fn edge(&self) -> Edge {
        self.edge
    }

    pub(crate) fn slot(&self) -> u32 {
        self.slot
    }

    /// Calls `look` with the store and the edge.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Store<K>, Edge) -> T) -> T {
        look(&K::store(&self.manager.inner).borrow(), self.edge)
    }

    /// A copy of the nodes, for read-only passes.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let num_vars = self.manager.num_vars();
        self.read(|store, edge| store.snapshot(&[edge], num_vars))
    }

    /// The numbers of variables and nodes, for error messages.
    pub(crate) fn facts(&self) -> String {
        let nodes = self.read(|store, edge| store.count_nodes(&[edge]));
        format!("{} variables, {nodes} nodes", self.manager.num_vars())
    }

    /// The variables that have nodes, ascending.
    pub(crate) fn support(&self) -> Vec<usize> {
        let order = self.manager.inner.order.borrow();
        let levels = self.read(Store::support);
        let mut variables: Vec<_> =
            levels.into_iter().map(|level| order.variable_at(level)).collect();
        variables.sort_unstable();
        variables
    }

    /// The level of the root, or `None` for a constant.
    pub(crate) fn level(&self) -> Option<usize> {
        let level = self.read(Store::level);
        (!self.edge.is_terminal()).then_some(level as usize)
    }

    /// The variable of the root, or `None` for a constant.
    pub(crate) fn top_variable(&self) -> Option<usize> {
        self.level().map(|level| self.manager.variable_at(level as u32))
    }

    /// The child of the root for this value, or `None` for a constant.
    pub(crate) fn child(&self, value: bool) -> Option<Self> {
        let level = self.level()? as u32;
        let (lo, hi) = self.read(|store, edge| store.children_at(edge, level));
        Some(Handle::new(&self.manager, if value { hi } else { lo }))
    }

    /// Returns the result of a query of two handles.
    pub(crate) fn compare<T>(
        &self,
        other: &Self,
        query: impl FnOnce(&Store<K>, Edge, Edge) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let other = self.manager.own(other)?;
        self.manager.start()?;
        self.read(|store, edge| query(store, edge, other))
    }

    /// Returns a handle to the result of a unary operation, which may have computed levels before.
    pub(crate) fn unary(
        &self,
        operation: impl FnOnce(&mut Store<K>, Edge) -> Result<Edge, Error>,
    ) -> Result<Self, Error> {
        self.manager.make(|store| operation(store, self.edge))
    }

    /// Returns a handle to the result of a binary operation, which may run again after sifting: it must
    /// not have computed levels before.
    pub(crate) fn binary(
        &self,
        other: &Self,
        operation: impl Fn(&mut Store<K>, Edge, Edge) -> Result<Edge, Error>,
    ) -> Result<Self, Error> {
        let other = self.manager.own(other)?;
        self.manager.make_restartable(|store| operation(store, self.edge, other))
    }
}

impl<K: StoredRule> Clone for Handle<K> {
    fn clone(&self) -> Self {
        Handle::sharing(&self.manager, self.edge, self.slot)
    }
}

impl<K: StoredRule> Drop for Handle<K> {
    fn drop(&mut self) {
        K::roots(&self.manager.inner).release(self.slot);
    }
}

impl<K: StoredRule> PartialEq for Handle<K> {
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge && self.manager == other.manager
    }
}

impl<K: StoredRule> Eq for Handle<K> {}

impl<K: StoredRule> Hash for Handle<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

/// The operators of a handle type, owned and borrowed, by its `try_` methods.
macro_rules! operators {
    ($type:ident: $($trait:ident $method:ident $assign:ident $assign_method:ident $sign:literal by $try:ident;)*) => {$(
        #[doc = concat!("Panics, at the line of the caller, where [`", stringify!($type), "::", stringify!($try), "`] returns an error.")]
        impl std::ops::$trait<&$type> for &$type {
            type Output = $type;

            #[track_caller]
            fn $method(self, other: &$type) -> $type {
                match self.$try(other) {
                    Ok(result) => result,
                    Err(error) => panic!(
                        concat!(
                            stringify!($type), "({}) ", $sign, " ", stringify!($type),
                            "({}): {}; to handle the error, call ", stringify!($try),
                            ", which returns the error"
                        ),
                        self.0.facts(), other.0.facts(), error
                    ),
                }
            }
        }

        impl std::ops::$trait<$type> for &$type {
            type Output = $type;

            #[track_caller]
            fn $method(self, other: $type) -> $type {
                std::ops::$trait::$method(self, &other)
            }
        }

        impl std::ops::$trait<&$type> for $type {
            type Output = $type;

            #[track_caller]
            fn $method(self, other: &$type) -> $type {
                std::ops::$trait::$method(&self, other)
            }
        }

        impl std::ops::$trait<$type> for $type {
            type Output = $type;

            #[track_caller]
            fn $method(self, other: $type) -> $type {
                std::ops::$trait::$method(&self, &other)
            }
        }

        impl std::ops::$assign<&$type> for $type {
            #[track_caller]
            fn $assign_method(&mut self, other: &$type) {
                *self = std::ops::$trait::$method(&*self, other);
            }
        }

        impl std::ops::$assign<$type> for $type {
            #[track_caller]
            fn $assign_method(&mut self, other: $type) {
                *self = std::ops::$trait::$method(&*self, &other);
            }
        }
    )*};
}

pub(crate) use operators;

/// A [`Manager`] with some of its handles, which can be sent to another thread; made by
/// [`Manager::detach`].
///
/// A manager and its handles share their data without locks or atomic counters, so they stay on one
/// thread. To work on several threads, use a manager for each of them: the threads do not wait for
/// each other. Then copy the results into one manager, in linear time if all have the same order.
///
/// ```
/// use std::thread;
/// use topdd_apply::{DetachedManager, Error, Function, Manager};
///
/// // No two ones in adjacent variables: each thread conjoins a quarter of the clauses.
/// let part = |first: usize| -> Result<DetachedManager, Error> {
///     let manager = Manager::new(17)?;
///     let f = manager.cnf((first..first + 4).map(|v| [(v, false), (v + 1, false)]))?;
///     manager.detach([f], [])
/// };
/// let parts = thread::scope(|scope| {
///     let threads = [0, 4, 8, 12].map(|first| scope.spawn(move || part(first)));
///     threads.map(|thread| thread.join().expect("the thread does not panic"))
/// });
///
/// let manager = Manager::new(17)?;
/// let mut all = manager.constant(true);
/// for part in parts {
///     let (_, functions, _) = part?.attach();
///     all &= manager.copy_function(&functions[0])?;
/// }
/// assert_eq!(all.count(), 4181u32.into());
/// # Ok::<(), Error>(())
/// ```
///
/// The first result need not be copied: continue with its manager. A diagram of topdd
/// ([`Function::to_bdd`], [`Family::to_zdd`]) can be sent as well, and saved to a file for another process.
pub struct DetachedManager {
    manager: ManagerParts,
    functions: Vec<Edge>,
    families: Vec<Edge>,
}

impl Manager {
    /// Separates the manager, with these handles, from the current thread. The receiving thread calls
    /// [`DetachedManager::attach`].
    ///
    /// Takes constant time if there are no other handles and clones of the manager. Otherwise the other
    /// handles and clones stay, and the given handles are copied to a new manager with the same order,
    /// limits, progress function and [automatic sifting](Manager::sift_automatically), in linear time. The
    /// limits of [`within`](Manager::within) apply to the copying, and not to the copy. So a function can
    /// be sent to several threads:
    ///
    /// ```
    /// use std::thread;
    /// use topdd_apply::{Error, Manager};
    ///
    /// let manager = Manager::new(8)?;
    /// let f = manager.cnf((0..7).map(|v| [(v, true), (v + 1, true)]))?;
    /// let counts = thread::scope(|scope| {
    ///     let threads = [false, true].map(|value| {
    ///         let copy = manager.clone().detach([f.clone()], []);
    ///         scope.spawn(move || {
    ///             let (_manager, functions, _) = copy?.attach();
    ///             Ok::<_, Error>((&functions[0] & functions[0].manager().literal(3, value)?).count())
    ///         })
    ///     });
    ///     threads.map(|thread| thread.join().expect("the thread does not panic"))
    /// });
    /// let [without, with] = counts;
    /// assert_eq!(without? + with?, f.count());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a handle belongs to another manager, or if the copying is cancelled or reaches a limit.
    pub fn detach(
        self,
        functions: impl IntoIterator<Item = Function>,
        families: impl IntoIterator<Item = Family>,
    ) -> Result<DetachedManager, Error> {
        let functions: Vec<Function> = functions.into_iter().collect();
        let families: Vec<Family> = families.into_iter().collect();
        let function_edges = functions.iter().map(|f| self.own(&f.0)).collect::<Result<_, _>>()?;
        let family_edges = families.iter().map(|f| self.own(&f.0)).collect::<Result<_, _>>()?;
        if Rc::strong_count(&self.inner) != 1 + functions.len() + families.len() {
            return self.copy_all(&functions, &families);
        }
        drop((functions, families));
        let inner = Rc::into_inner(self.inner).expect("the last reference");
        Ok(DetachedManager {
            manager: inner.into(),
            functions: function_edges,
            families: family_edges,
        })
    }

    /// Copies handles to a new manager, and detaches it.
    fn copy_all(
        &self,
        functions: &[Function],
        families: &[Family],
    ) -> Result<DetachedManager, Error> {
        let builder = Manager::builder(self.num_vars()).order(self.order());
        let copy = builder.limits(self.inner.budget.own()).build()?;
        copy.inner.watch.report_with(&self.inner.watch);
        copy.sift_automatically(self.sifting())?;
        let limits = self.inner.watch.tighten(&Limits::new());
        let (functions, families) = copy.within(&limits, || {
            let functions = functions.iter().map(|f| copy.copy_function(f));
            let functions = functions.collect::<Result<Vec<_>, _>>()?;
            let families = families.iter().map(|f| copy.copy_family(f));
            Ok::<_, Error>((functions, families.collect::<Result<Vec<_>, _>>()?))
        })?;
        copy.detach(functions, families)
    }
}

impl DetachedManager {
    /// Returns the manager and its handles, in the order in which they were given, for use on the
    /// current thread. Takes time linear in the number of handles.
    pub fn attach(self) -> (Manager, Vec<Function>, Vec<Family>) {
        let manager = Manager { inner: Rc::new(self.manager.into()) };
        let functions = self.functions.into_iter();
        let functions = functions.map(|edge| Function(manager.handle(edge))).collect();
        let families = self.families.into_iter();
        let families = families.map(|edge| Family(manager.handle(edge))).collect();
        (manager, functions, families)
    }
}

impl fmt::Debug for DetachedManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DetachedManager")
            .field("num_vars", &self.manager.num_vars)
            .field("functions", &self.functions.len())
            .field("families", &self.families.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crate::strategies::{families, functions, managers};
    use crate::{DetachedManager, Error, Limits, Manager, ManagerLimit};
    use proptest::prelude::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;
    use std::time::Duration;
    use topdd::CancelToken;

    const VARS: usize = 6;

    fn on_another_thread<T: Send>(
        detached: DetachedManager,
        work: impl FnOnce(DetachedManager) -> T + Send,
    ) -> T {
        thread::scope(|scope| scope.spawn(|| work(detached)).join()).unwrap()
    }

    proptest! {
        /// With and without a handle that stays, which makes a copy.
        #[test]
        fn handles_keep_their_meaning_on_another_thread((f, g, order) in managers(VARS).prop_flat_map(|manager| {
            (functions(&manager), families(&manager), Just(manager.order()))
        }), stay in any::<bool>()) {
            let (bdd, zdd) = (f.to_bdd().unwrap(), g.to_zdd().unwrap());
            let staying = stay.then(|| f.clone());
            let handles = f.manager().statistics();
            let detached = f.manager().clone().detach([f.clone(), !f], [g]).unwrap();
            let back = on_another_thread(detached, |detached| {
                let (manager, functions, families) = detached.attach();
                assert_eq!(manager.order(), order);
                assert_eq!(functions[0].to_bdd().unwrap(), bdd);
                assert_eq!(functions[1], !&functions[0]);
                assert_eq!(families[0].to_zdd().unwrap(), zdd);
                manager.collect();
                let f = &functions[0] ^ manager.var(0).unwrap();
                drop(functions);
                manager.detach([f], families).unwrap()
            });
            let (manager, functions, families) = back.attach();
            manager.collect();
            manager.sift().unwrap();
            prop_assert_eq!(&functions[0] ^ manager.var(0).unwrap(), manager.function_of(&bdd).unwrap());
            prop_assert_eq!(&families[0], &manager.family_of(&zdd).unwrap());
            if let Some(f) = staying {
                prop_assert_eq!(f.to_bdd().unwrap(), bdd);
                prop_assert!(f.manager() != &manager);
            }
            prop_assert_eq!(handles.handles, 2);
        }
    }

    #[test]
    fn a_manager_without_other_handles_moves_with_its_cache_and_limits() {
        let manager = Manager::builder(12).max_nodes(2000).build().unwrap();
        let [f, g] = [true, false]
            .map(|value| manager.cnf((0..11).map(|v| [(v, value), (v + 1, !value)])).unwrap());
        let both = &f & &g;
        let before = manager.statistics();
        drop(both);
        let (manager, functions, _) = manager.detach([f, g], []).unwrap().attach();
        let moved = manager.statistics();
        assert_eq!(moved.function_nodes, before.function_nodes);
        assert_eq!((moved.bytes, moved.handles), (before.bytes, 2));
        let both = &functions[0] & &functions[1];
        assert_eq!(manager.statistics().cache_hits, before.cache_hits + 1);
        assert!(both.leq(&functions[0]).unwrap());
        let variables = (0..12).map(|v| manager.var(v).unwrap()).collect::<Vec<_>>();
        let sums = (0..4096_u32).map(|set| {
            (0..12)
                .filter(|v| set >> v & 1 == 1)
                .try_fold(manager.constant(false), |f, v| f.try_or(&variables[v]))
        });
        let kept = sums.collect::<Result<Vec<_>, _>>();
        assert_eq!(kept.err(), Some(Error::LimitReached(ManagerLimit::Nodes(2000))));
    }

    #[test]
    fn a_copy_is_made_within_the_limits_of_the_call_and_has_those_of_the_manager() {
        let manager = Manager::builder(40).max_nodes(3000).build().unwrap();
        let f = (0..40).fold(manager.constant(false), |f, v| f ^ manager.var(v).unwrap());
        let copy = || manager.clone().detach([f.clone()], []);
        let token = CancelToken::new();
        token.cancel();
        let stopped = manager.within(&Limits::new().cancel_with(&token), copy);
        assert_eq!(stopped.err(), Some(Error::Cancelled));

        let few = Limits::new().max_states(1000).time_limit(Duration::from_mins(1));
        let (copied, functions, _) = manager.within(&few, copy).unwrap().attach();
        assert_eq!(functions[0].to_bdd(), f.to_bdd());
        let nodes = |manager: &Manager| {
            let endless = (0..20).map(|v| [(v, true), (v + 20, true)]);
            manager.dnf(endless).unwrap_err()
        };
        let most = Error::LimitReached(ManagerLimit::Nodes(3000));
        assert_eq!((nodes(&manager), nodes(&copied)), (most.clone(), most));
    }

    #[test]
    fn a_copy_reports_to_the_progress_function_of_the_manager() {
        let manager = Manager::new(80).unwrap();
        let reports = Arc::new(AtomicUsize::new(0));
        let sink = reports.clone();
        manager.on_progress(move |_| {
            sink.fetch_add(1, Relaxed);
        });
        let f = manager.var(0).unwrap();
        let (copied, ..) = manager.clone().detach([f.clone()], []).unwrap().attach();
        let endless = || copied.dnf((0..40).map(|v| [(v, true), (v + 40, true)]));
        let limits = Limits::new().time_limit(Duration::from_millis(250));
        assert!(copied.within(&limits, endless).is_err());
        assert!(reports.load(Relaxed) > 0);
    }

    #[test]
    fn handles_of_other_managers_are_refused() {
        let (one, other) = (Manager::new(2).unwrap(), Manager::new(3).unwrap());
        let error = one.detach([], [other.base()]).unwrap_err();
        assert_eq!(error, Error::MixedManagers { left: 2, right: 3 });
    }
}
