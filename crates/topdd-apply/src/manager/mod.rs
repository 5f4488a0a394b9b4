//! The manager: the nodes, the variable order and the limits that all its handles share.

pub(crate) mod handle;
mod keys;
mod limits;
mod reorder;

use super::error::Error;
use super::store::{
    Edge, EdgeRule, MAX_LEVELS, OperationWatch, Roots, SizeLimits, Store, StoreBudget, StoreLinks,
};
use handle::Handle;
use reorder::{Automatic, DetachedAutomatic};
use std::cell::{Cell, RefCell, RefMut};
use std::fmt;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;
use topdd::diagram::{AnyValue, ZeroSuppressed};

pub use handle::DetachedManager;
pub use keys::FunctionKey;
pub use limits::Limits;
pub use reorder::{Sifted, Sifting};

/// Owns the nodes of [`Function`](crate::Function)s and [`Family`](crate::Family)s over one set of ordered variables.
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

/// The data that a manager shares with its handles.
pub(crate) struct Inner {
    pub(crate) num_vars: Cell<usize>,
    pub(crate) order: RefCell<VariableOrder>,
    functions: RefCell<Store<AnyValue>>,
    families: RefCell<Store<ZeroSuppressed>>,
    pub(crate) function_roots: Rc<Roots>,
    family_roots: Rc<Roots>,
    pub(crate) budget: Rc<StoreBudget>,
    pub(crate) watch: Rc<OperationWatch>,
    automatic: Automatic,
    /// Distinguishes the managers of the process.
    id: u64,
}

/// The data of a manager that has no handles, and can be sent to another thread.
struct ManagerParts {
    id: u64,
    num_vars: usize,
    order: VariableOrder,
    functions: Store<AnyValue, ()>,
    families: Store<ZeroSuppressed, ()>,
    /// The roots of keys.
    function_roots: Roots,
    family_roots: Roots,
    budget: StoreBudget,
    watch: OperationWatch,
    automatic: DetachedAutomatic,
}

impl From<ManagerParts> for Inner {
    fn from(parts: ManagerParts) -> Self {
        let (budget, watch) = (Rc::new(parts.budget), Rc::new(parts.watch));
        let automatic = Automatic::from(parts.automatic);
        let [function_roots, family_roots] =
            [parts.function_roots, parts.family_roots].map(Rc::new);
        let links = |roots: &Rc<Roots>| StoreLinks {
            roots: roots.clone(),
            budget: budget.clone(),
            watch: watch.clone(),
            trigger: automatic.trigger.clone(),
        };
        Inner {
            num_vars: Cell::new(parts.num_vars),
            order: RefCell::new(parts.order),
            functions: RefCell::new(parts.functions.relink(links(&function_roots))),
            families: RefCell::new(parts.families.relink(links(&family_roots))),
            function_roots,
            family_roots,
            budget,
            watch,
            automatic,
            id: parts.id,
        }
    }
}

impl From<Inner> for ManagerParts {
    fn from(inner: Inner) -> Self {
        ManagerParts {
            id: inner.id,
            num_vars: inner.num_vars.get(),
            order: inner.order.into_inner(),
            functions: inner.functions.into_inner().relink(()),
            families: inner.families.into_inner().relink(()),
            function_roots: Rc::into_inner(inner.function_roots).expect("the stores have no links"),
            family_roots: Rc::into_inner(inner.family_roots).expect("the stores have no links"),
            budget: Rc::into_inner(inner.budget).expect("the stores have no links"),
            watch: Rc::into_inner(inner.watch).expect("the stores have no links"),
            automatic: inner.automatic.into(),
        }
    }
}

/// A rule with its store in a manager.
pub(crate) trait StoredRule: EdgeRule {
    fn store(inner: &Inner) -> &RefCell<Store<Self>>;
    fn roots(inner: &Inner) -> &Rc<Roots>;
}

impl StoredRule for AnyValue {
    fn store(inner: &Inner) -> &RefCell<Store<Self>> {
        &inner.functions
    }

    fn roots(inner: &Inner) -> &Rc<Roots> {
        &inner.function_roots
    }
}

impl StoredRule for ZeroSuppressed {
    fn store(inner: &Inner) -> &RefCell<Store<Self>> {
        &inner.families
    }

    fn roots(inner: &Inner) -> &Rc<Roots> {
        &inner.family_roots
    }
}

impl Manager {
    /// Makes a manager of variables `0..num_vars`, in this order, without limits.
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
        ManagerBuilder::new(num_vars)
    }

    /// Returns the number of variables, including [added](Manager::add_vars) ones.
    pub fn num_vars(&self) -> usize {
        self.inner.num_vars.get()
    }

    /// Returns the variables, from the top of the diagrams down.
    #[doc(alias("Cudd_ReadInvPerm", "level_to_var"))]
    pub fn order(&self) -> Vec<usize> {
        let order = self.inner.order.borrow();
        (0..self.num_vars() as u32).map(|level| order.variable_at(level)).collect()
    }

    /// Adds `count` variables below all others and returns their range.
    ///
    /// Existing functions do not depend on them, and no member of an existing family has them. So
    /// [`Function::count`](crate::Function::count) doubles for each added variable, and [`Family::count`](crate::Family::count) does not change.
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
        self.inner.order.borrow_mut().extend(old..new);
        self.inner.num_vars.set(new);
        Ok(old..new)
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
        // The caller's iterator may sift.
        let variables: Vec<usize> = variables.into_iter().collect();
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
        // The caller's iterator may sift.
        let literals: Vec<(usize, bool)> = literals.into_iter().collect();
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

    pub(crate) fn order_copy(&self) -> VariableOrder {
        self.inner.order.borrow().clone()
    }

    /// Runs `operation` and returns a handle to its result. Sifts afterwards if that is due.
    #[inline]
    pub(crate) fn make<K: StoredRule>(
        &self,
        operation: impl FnOnce(&mut Store<K>) -> Result<Edge, Error>,
    ) -> Result<Handle<K>, Error> {
        if self.inner.watch.is_idle() {
            return Ok(Handle::new(self, self.run(operation)?));
        }
        self.make_watched(operation)
    }

    /// Runs `operation`, which may run again after sifting, and returns a handle to its result. Handles
    /// must hold its operands, and it must not have computed levels before.
    pub(crate) fn make_restartable<K: StoredRule>(
        &self,
        operation: impl FnMut(&mut Store<K>) -> Result<Edge, Error>,
    ) -> Result<Handle<K>, Error> {
        if self.inner.watch.is_idle() {
            return Ok(Handle::new(self, self.run(operation)?));
        }
        self.make_repeatedly(operation)
    }

    #[cold]
    fn make_repeatedly<K: StoredRule>(
        &self,
        mut operation: impl FnMut(&mut Store<K>) -> Result<Edge, Error>,
    ) -> Result<Handle<K>, Error> {
        self.start()?;
        let trigger = &self.inner.automatic.trigger;
        let _restartable = trigger.allow_interrupts();
        loop {
            match self.run(&mut operation) {
                Err(_) if trigger.take_interrupted() => self.sift_within::<K>(),
                result => {
                    let handle = Handle::new(self, result?);
                    self.sift_after::<K>();
                    return Ok(handle);
                }
            }
        }
    }

    #[cold]
    fn make_watched<K: StoredRule>(
        &self,
        operation: impl FnOnce(&mut Store<K>) -> Result<Edge, Error>,
    ) -> Result<Handle<K>, Error> {
        self.start()?;
        let handle = Handle::new(self, self.run(operation)?);
        self.sift_after::<K>();
        Ok(handle)
    }

    #[inline]
    fn run<K: StoredRule>(
        &self,
        operation: impl FnOnce(&mut Store<K>) -> Result<Edge, Error>,
    ) -> Result<Edge, Error> {
        let mut running = Running(K::store(&self.inner).borrow_mut());
        let result = operation(&mut running.0);
        debug_assert!(running.0.stacks.pairs.is_empty() && running.0.stacks.calls.is_empty());
        result
    }

    /// A handle to an edge that needs no node, or is held by another handle.
    pub(crate) fn handle<K: StoredRule>(&self, edge: Edge) -> Handle<K> {
        Handle::new(self, edge)
    }

    /// Returns the edge of a handle, or an error if it belongs to another manager.
    pub(crate) fn own<K: StoredRule>(&self, handle: &Handle<K>) -> Result<Edge, Error> {
        if Rc::ptr_eq(&self.inner, &handle.manager().inner) {
            Ok(handle.edge())
        } else {
            let (left, right) = (self.num_vars(), handle.manager().num_vars());
            Err(Error::MixedManagers { left, right })
        }
    }
}

/// A store during an operation, whose edges it releases at the end, also after a panic.
struct Running<'m, K: StoredRule>(RefMut<'m, Store<K>>);

impl<K: StoredRule> Drop for Running<'_, K> {
    fn drop(&mut self) {
        self.0.stacks.clear();
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

/// The parameters of a [`Manager`], each with a default; made by [`Manager::builder`].
#[derive(Clone, Debug)]
pub struct ManagerBuilder {
    num_vars: usize,
    order: Option<Vec<usize>>,
    limits: SizeLimits,
}

impl ManagerBuilder {
    fn new(num_vars: usize) -> Self {
        ManagerBuilder { num_vars, order: None, limits: SizeLimits::default() }
    }

    fn limits(self, limits: SizeLimits) -> Self {
        ManagerBuilder { limits, ..self }
    }

    /// Sets the order of the variables, from the top down. The default is 0, 1, 2, ...
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
        self.limits.nodes = Some(nodes);
        self
    }

    /// Limits the size of nodes, unique tables and operation caches together, in bytes. The default
    /// is no limit.
    #[doc(alias = "Cudd_SetMaxMemory")]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.limits.bytes = Some(bytes);
        self
    }

    /// Makes the manager.
    ///
    /// # Errors
    ///
    /// If the order is not a permutation of the variables, or there are too many of them.
    pub fn build(self) -> Result<Manager, Error> {
        check_num_vars(self.num_vars)?;
        let order = match self.order {
            None => VariableOrder::default(),
            Some(variables) => VariableOrder::new(&variables, self.num_vars)?,
        };
        let budget = StoreBudget::new(self.limits);
        let parts = ManagerParts {
            id: keys::next_id(),
            num_vars: self.num_vars,
            order,
            functions: Store::new(&budget),
            families: Store::new(&budget),
            function_roots: Roots::default(),
            family_roots: Roots::default(),
            budget,
            watch: OperationWatch::default(),
            automatic: DetachedAutomatic::default(),
        };
        Ok(Manager { inner: Rc::new(parts.into()) })
    }
}

/// Fails if a manager cannot have so many variables.
fn check_num_vars(num_vars: usize) -> Result<(), Error> {
    if num_vars > MAX_LEVELS {
        return Err(Error::TooManyVariables { num_vars, limit: MAX_LEVELS });
    }
    Ok(())
}

/// The order of the variables: a permutation of variables and levels.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariableOrder {
    /// Empty for the identity, and so is `variable_at`.
    level_of: Vec<u32>,
    variable_at: Vec<u32>,
}

impl VariableOrder {
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
            let own_level = level_of
                .get_mut(variable)
                .ok_or_else(|| refused(format!("it names variable {variable}")))?;
            if *own_level != u32::MAX {
                return Err(refused(format!("it names variable {variable} twice")));
            }
            *own_level = level as u32;
        }
        let variable_at = variables.iter().map(|&variable| variable as u32).collect();
        Ok(VariableOrder { level_of, variable_at })
    }

    /// Adds variables below all others.
    pub(crate) fn extend(&mut self, variables: Range<usize>) {
        if !self.variable_at.is_empty() {
            let variables = variables.start as u32..variables.end as u32;
            self.variable_at.extend(variables.clone());
            self.level_of.extend(variables);
        }
    }

    /// Swaps the variables of two adjacent levels of `num_vars`.
    pub(crate) fn swap(&mut self, upper: usize, num_vars: usize) {
        if self.variable_at.is_empty() {
            self.variable_at = (0..num_vars as u32).collect();
            self.level_of = (0..num_vars as u32).collect();
        }
        self.variable_at.swap(upper, upper + 1);
        for level in [upper, upper + 1] {
            self.level_of[self.variable_at[level] as usize] = level as u32;
        }
    }
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
    /// The maximum number of nodes of functions plus the maximum number of nodes of families, sampled at
    /// collections. The two maxima may be of different times.
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
    /// The number of siftings so far, automatic or not.
    pub siftings: u64,
    /// The time of all siftings.
    pub sifting_time: Duration,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} function nodes, {} family nodes (peak {}), {} bytes, {} handles, {} collections, \
             cache: {} entries, {} hits of {}, {} siftings ({:.1?})",
            self.function_nodes,
            self.family_nodes,
            self.peak_nodes,
            self.bytes,
            self.handles,
            self.collections,
            self.cache_entries,
            self.cache_hits,
            self.cache_lookups,
            self.siftings,
            self.sifting_time
        )
    }
}

impl Manager {
    /// Returns the size of the manager and counts of its operations, in constant time.
    #[doc(alias("Cudd_PrintInfo", "Cudd_ReadKeys"))]
    pub fn statistics(&self) -> Statistics {
        let functions = self.inner.functions.borrow();
        let families = self.inner.families.borrow();
        Statistics {
            function_nodes: functions.len(),
            family_nodes: families.len(),
            peak_nodes: functions.collector.peak_nodes.max(functions.len())
                + families.collector.peak_nodes.max(families.len()),
            bytes: self.inner.budget.bytes(),
            handles: self.inner.function_roots.len() + self.inner.family_roots.len(),
            collections: functions.collector.collections + families.collector.collections,
            cache_lookups: functions.cache.lookups + families.cache.lookups,
            cache_hits: functions.cache.hits + families.cache.hits,
            cache_entries: functions.cache.len() + families.cache.len(),
            siftings: self.inner.automatic.siftings.get(),
            sifting_time: self.inner.automatic.time.get(),
        }
    }
}
