//! The manager: the nodes, the variable order and the limits that all its handles share.

mod detached;
pub(crate) mod handle;
mod within;

pub use detached::DetachedManager;

use crate::error::Error;
use crate::store::{
    AnyValue, Budget, Edge, Links, MAX_LEVELS, Roots, Rule, Store, Watch, ZeroSuppressed,
};
use crate::{Family, Function};
use handle::Handle;
use std::cell::{Cell, RefCell, RefMut};
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// Owns the nodes of [`Function`]s and [`Family`]s over one set of ordered variables.
///
/// A clone is the same manager; handles keep it alive. Functions and families have nodes
/// of their own, under one variable order and one set of limits. A manager and its handles
/// stay on one thread; a [`DetachedManager`] can be sent to another one.
///
/// Size: 16 bytes for each node and some for its entry in a table, and caches that grow with the
/// number of nodes; see [`Statistics::bytes`].
///
/// ```
/// use topdd_apply::Manager;
///
/// let manager = Manager::new(3)?;
/// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
/// let majority = &x & &y | &x & &z | &y & &z;
/// assert_eq!(majority.count(), 4u32.into());
///
/// let family = manager.family([vec![0, 1], vec![2]])?;
/// assert_eq!(family.count(), 2u32.into());
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone)]
pub struct Manager {
    pub(crate) inner: Rc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) num_vars: Cell<usize>,
    pub(crate) order: RefCell<Order>,
    functions: RefCell<Store<AnyValue>>,
    families: RefCell<Store<ZeroSuppressed>>,
    function_roots: Rc<Roots>,
    family_roots: Rc<Roots>,
    pub(crate) budget: Rc<Budget>,
    pub(crate) watch: Rc<Watch>,
}

/// The order of the variables: a permutation of variables and levels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Empty for the identity.
    pub(crate) level_of: Vec<u32>,
    pub(crate) variable_at: Vec<u32>,
}

impl Order {
    pub(crate) fn level_of(&self, variable: usize) -> u32 {
        self.level_of.get(variable).copied().unwrap_or(variable as u32)
    }

    pub(crate) fn variable_at(&self, level: u32) -> usize {
        self.variable_at.get(level as usize).copied().unwrap_or(level) as usize
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.variable_at.iter().enumerate().all(|(level, &variable)| level == variable as usize)
    }

    /// The order that lists all variables from the top down.
    pub(crate) fn new(variables: &[usize], num_vars: usize) -> Result<Self, Error> {
        let refused = |reason: String| Error::NotAPermutation { num_vars, reason };
        if variables.len() != num_vars {
            return Err(refused(format!("it names {} variables", variables.len())));
        }
        let mut level_of = vec![u32::MAX; num_vars];
        for (level, &variable) in variables.iter().enumerate() {
            let place = level_of
                .get_mut(variable)
                .ok_or_else(|| refused(format!("it names variable {variable}")))?;
            if *place != u32::MAX {
                return Err(refused(format!("it names variable {variable} twice")));
            }
            *place = level as u32;
        }
        let variable_at = variables.iter().map(|&variable| variable as u32).collect();
        Ok(Order { level_of, variable_at })
    }
}

/// A rule with its store in a manager.
pub(crate) trait Kind: Rule {
    fn store(inner: &Inner) -> &RefCell<Store<Self>>;
    fn roots(inner: &Inner) -> &Rc<Roots>;
}

impl Kind for AnyValue {
    fn store(inner: &Inner) -> &RefCell<Store<Self>> {
        &inner.functions
    }

    fn roots(inner: &Inner) -> &Rc<Roots> {
        &inner.function_roots
    }
}

impl Kind for ZeroSuppressed {
    fn store(inner: &Inner) -> &RefCell<Store<Self>> {
        &inner.families
    }

    fn roots(inner: &Inner) -> &Rc<Roots> {
        &inner.family_roots
    }
}

/// The parameters of a [`Manager`], each with a default; made by [`Manager::builder`], which has an
/// example.
#[derive(Clone, Debug)]
pub struct ManagerBuilder {
    num_vars: usize,
    order: Option<Vec<usize>>,
    max_nodes: Option<usize>,
    max_bytes: Option<usize>,
}

impl ManagerBuilder {
    /// Sets the order of the variables, from the top down. The default is 0, 1, 2, ... See the example
    /// of [`Manager::builder`].
    pub fn order(mut self, variables: impl IntoIterator<Item = usize>) -> Self {
        self.order = Some(variables.into_iter().collect());
        self
    }

    /// Limits the number of nodes of all functions and families together, including garbage that
    /// is not yet collected. The default is no limit.
    ///
    /// ```
    /// use topdd_apply::{Error, Manager, ManagerLimit};
    ///
    /// let small = Manager::builder(64).max_nodes(20).build()?;
    /// let error = small.cube((0..64).map(|v| (v, true))).unwrap_err();
    /// assert_eq!(error, Error::LimitReached(ManagerLimit::Nodes(20)));
    /// assert!(small.cube((0..20).map(|v| (v, true))).is_ok()); // the others were garbage
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "Cudd_SetMaxLive")]
    pub fn max_nodes(mut self, nodes: usize) -> Self {
        self.max_nodes = Some(nodes);
        self
    }

    /// Limits the size of nodes, unique tables and operation caches together, in bytes. The default
    /// is no limit. See the example of [`Manager::builder`].
    #[doc(alias = "Cudd_SetMaxMemory")]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// Makes the manager. See the example of [`Manager::builder`].
    ///
    /// # Errors
    ///
    /// If the order is not a permutation of the variables, or there are too many of them.
    pub fn build(self) -> Result<Manager, Error> {
        check_num_vars(self.num_vars)?;
        let order = match self.order {
            None => Order::default(),
            Some(variables) => Order::new(&variables, self.num_vars)?,
        };
        let budget = Rc::new(Budget::new(self.max_nodes, self.max_bytes));
        let of_functions = Links { budget, ..Links::default() };
        let of_families = Links { roots: Rc::default(), ..of_functions.clone() };
        Ok(Manager {
            inner: Rc::new(Inner {
                num_vars: Cell::new(self.num_vars),
                order: RefCell::new(order),
                function_roots: of_functions.roots.clone(),
                family_roots: of_families.roots.clone(),
                budget: of_functions.budget.clone(),
                watch: of_functions.watch.clone(),
                functions: RefCell::new(Store::new(of_functions)),
                families: RefCell::new(Store::new(of_families)),
            }),
        })
    }
}

fn check_num_vars(num_vars: usize) -> Result<(), Error> {
    if num_vars > MAX_LEVELS {
        return Err(Error::TooManyVariables { num_vars, limit: MAX_LEVELS });
    }
    Ok(())
}

/// The size of a [`Manager`], and counts of its operations; returned by [`Manager::statistics`].
///
/// ```
/// let manager = topdd_apply::Manager::new(3)?;
/// let parity = manager.var(0)? ^ manager.var(1)? ^ manager.var(2)?;
/// let sizes = manager.statistics();
/// assert!(sizes.function_nodes >= parity.node_count() && sizes.family_nodes == 0);
/// assert!(sizes.cache_hits <= sizes.cache_lookups && sizes.bytes > 0);
/// assert_eq!(sizes.handles, 1);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of nodes of functions, including garbage that is not yet collected.
    pub function_nodes: usize,
    /// The number of nodes of families, including garbage that is not yet collected.
    pub family_nodes: usize,
    /// The maximum number of nodes of functions plus that of families, sampled at collections. The
    /// two maxima may be of different times.
    pub peak_nodes: usize,
    /// The size of nodes, tables and caches, in bytes.
    pub bytes: usize,
    /// The number of handles, where a handle and its clones count once.
    pub handles: usize,
    /// The number of garbage collections so far.
    pub collections: u64,
    /// The number of lookups in the operation caches.
    pub cache_lookups: u64,
    /// The number of lookups that found a result.
    pub cache_hits: u64,
    /// The capacity of the operation caches, in entries.
    pub cache_entries: usize,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} function nodes, {} family nodes (peak {}), {} bytes, {} handles, {} collections, \
             cache: {} entries, {} hits of {}",
            self.function_nodes,
            self.family_nodes,
            self.peak_nodes,
            self.bytes,
            self.handles,
            self.collections,
            self.cache_entries,
            self.cache_hits,
            self.cache_lookups
        )
    }
}

impl Manager {
    /// Makes a manager of variables `0..num_vars`, in this order, without limits. See the example of
    /// [`Manager`].
    ///
    /// # Errors
    ///
    /// If there are too many variables.
    #[doc(alias("Cudd_Init", "new_manager", "BddVariableSet"))]
    pub fn new(num_vars: usize) -> Result<Self, Error> {
        Self::builder(num_vars).build()
    }

    /// Returns a builder of a manager with another order or with limits.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let manager = Manager::builder(3).order([2, 0, 1]).max_bytes(1 << 30).build()?;
    /// assert_eq!(manager.order(), [2, 0, 1]);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    pub fn builder(num_vars: usize) -> ManagerBuilder {
        ManagerBuilder { num_vars, order: None, max_nodes: None, max_bytes: None }
    }

    /// Returns the number of variables, those that were [added](Manager::add_vars) included.
    pub fn num_vars(&self) -> usize {
        self.inner.num_vars.get()
    }

    /// Returns the variables, from the top of the diagrams down. See the example of
    /// [`builder`](Manager::builder).
    #[doc(alias("Cudd_ReadInvPerm", "level_to_var"))]
    pub fn order(&self) -> Vec<usize> {
        let order = self.inner.order.borrow();
        (0..self.num_vars() as u32).map(|level| order.variable_at(level)).collect()
    }

    /// Adds `count` variables below all others and returns their range.
    ///
    /// Existing functions do not depend on them, and no member of an existing family has them. So
    /// [`Function::count`] doubles for each added variable, and [`Family::count`] does not change.
    ///
    /// ```
    /// let manager = topdd_apply::Manager::new(2)?;
    /// let (f, sets) = (manager.var(0)?, manager.singletons(0..2)?);
    /// assert_eq!((f.count(), sets.count()), (2u32.into(), 2u32.into()));
    /// assert_eq!(manager.add_vars(3)?, 2..5);
    /// assert_eq!((f.count(), sets.count()), (16u32.into(), 2u32.into()));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are too many variables.
    #[doc(alias("Cudd_bddNewVar", "add_named_vars"))]
    pub fn add_vars(&self, count: usize) -> Result<Range<usize>, Error> {
        let old = self.num_vars();
        let new = old.saturating_add(count);
        check_num_vars(new)?;
        let mut order = self.inner.order.borrow_mut();
        if !order.variable_at.is_empty() {
            order.variable_at.extend(old as u32..new as u32);
            order.level_of.extend(old as u32..new as u32);
        }
        self.inner.num_vars.set(new);
        Ok(old..new)
    }

    /// Returns the size of the manager and counts of its operations, in constant time. See the example
    /// of [`collect`](Manager::collect).
    #[doc(alias("Cudd_PrintInfo", "Cudd_ReadKeys"))]
    pub fn statistics(&self) -> Statistics {
        let functions = self.inner.functions.borrow();
        let families = self.inner.families.borrow();
        Statistics {
            function_nodes: functions.len(),
            family_nodes: families.len(),
            peak_nodes: functions.peak_nodes.max(functions.len())
                + families.peak_nodes.max(families.len()),
            bytes: self.inner.budget.bytes(),
            handles: self.inner.function_roots.len() + self.inner.family_roots.len(),
            collections: functions.collections + families.collections,
            cache_lookups: functions.cache.lookups + families.cache.lookups,
            cache_hits: functions.cache.hits + families.cache.hits,
            cache_entries: functions.cache.len() + families.cache.len(),
        }
    }

    /// Frees all nodes that no handle holds, in time linear in the number of nodes. Operations
    /// collect automatically; an explicit call makes [`statistics`](Manager::statistics) exact.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let manager = Manager::new(2)?;
    /// let both = &manager.var(0)? & &manager.var(1)?;
    /// manager.collect();
    /// assert_eq!(manager.statistics().function_nodes, 2);
    /// drop(both);
    /// manager.collect();
    /// assert_eq!(manager.statistics().function_nodes, 0);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("gc", "garbage_collection"))]
    pub fn collect(&self) {
        self.inner.functions.borrow_mut().collect(&[]);
        self.inner.families.borrow_mut().collect(&[]);
    }

    /// The level of a variable, or an error if there is no such variable.
    pub(crate) fn level(&self, variable: usize) -> Result<u32, Error> {
        let num_vars = self.num_vars();
        if variable >= num_vars {
            return Err(Error::UnknownVariable { variable, num_vars });
        }
        Ok(self.inner.order.borrow().level_of(variable))
    }

    /// The levels of variables, ascending, each once.
    pub(crate) fn levels(
        &self,
        variables: impl IntoIterator<Item = usize>,
    ) -> Result<Vec<u32>, Error> {
        let mut levels =
            variables.into_iter().map(|v| self.level(v)).collect::<Result<Vec<_>, _>>()?;
        levels.sort_unstable();
        levels.dedup();
        Ok(levels)
    }

    /// The levels and values of literals, ascending; no variable twice.
    pub(crate) fn literals(
        &self,
        literals: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Vec<(u32, bool)>, Error> {
        let mut levels = literals
            .into_iter()
            .map(|(variable, value)| Ok((self.level(variable)?, value)))
            .collect::<Result<Vec<_>, Error>>()?;
        levels.sort_unstable();
        match levels.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(Error::RepeatedVariable { variable: self.variable_at(pair[0].0) }),
            None => Ok(levels),
        }
    }

    pub(crate) fn variable_at(&self, level: u32) -> usize {
        self.inner.order.borrow().variable_at(level)
    }

    pub(crate) fn order_copy(&self) -> Order {
        self.inner.order.borrow().clone()
    }

    /// Runs `operation` and returns a handle to its result.
    pub(crate) fn make<K: Kind>(
        &self,
        operation: impl FnOnce(&mut Store<K>) -> Result<Edge, Error>,
    ) -> Result<Handle<K>, Error> {
        self.start()?;
        let mut running = Running(K::store(&self.inner).borrow_mut());
        let result = operation(&mut running.0);
        debug_assert!(running.0.pairs.is_empty() && running.0.calls.is_empty());
        drop(running);
        Ok(Handle::new(self, result?))
    }

    /// A handle to an edge that needs no node, or is held by another handle.
    pub(crate) fn handle<K: Kind>(&self, edge: Edge) -> Handle<K> {
        Handle::new(self, edge)
    }

    /// Returns the edge of a handle, or an error if it belongs to another manager.
    pub(crate) fn own<K: Kind>(&self, handle: &Handle<K>) -> Result<Edge, Error> {
        if Rc::ptr_eq(&self.inner, &handle.manager().inner) {
            Ok(handle.edge())
        } else {
            let (left, right) = (self.num_vars(), handle.manager().num_vars());
            Err(Error::MixedManagers { left, right })
        }
    }

    /// Returns the function that is constantly `value`.
    ///
    /// ```
    /// let manager = topdd_apply::Manager::new(3)?;
    /// assert!(manager.constant(true).is_true());
    /// let any = (0..3).fold(manager.constant(false), |f, v| f | manager.var(v).unwrap());
    /// assert_eq!(any.count(), 7u32.into());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias("Cudd_ReadOne", "Cudd_ReadLogicZero", "mk_true", "mk_false", "t", "f"))]
    pub fn constant(&self, value: bool) -> Function {
        Function(self.handle(Edge(u32::from(value))))
    }

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

    /// Returns the family of the empty set only, `{∅}`: the unit of [`Family::join`]. See the example
    /// of [`empty`](Manager::empty).
    pub fn base(&self) -> Family {
        Family(self.handle(Edge::ONE))
    }
}

/// A store during an operation, whose edges it releases at the end, also after a panic.
struct Running<'m, K: Kind>(RefMut<'m, Store<K>>);

impl<K: Kind> Drop for Running<'_, K> {
    fn drop(&mut self) {
        self.0.pairs.clear();
        self.0.calls.clear();
        self.0.kept.clear();
    }
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manager").field("num_vars", &self.num_vars()).finish_non_exhaustive()
    }
}

/// Whether both are the same manager.
impl PartialEq for Manager {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Manager {}
