//! Functions without handles: keys that are sent to and stored on any thread, and numbers in texts.

use super::Manager;
use super::handle::Handle;
use crate::Function;
use crate::error::Error;
use crate::store::Edge;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of a new manager.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A function in place of its handle, which stays on one thread; made by [`Function::into_key`].
///
/// The manager keeps the function until [`Manager::release`] takes the key, also while it is
/// [detached](Manager::detach). So an object that several threads share can have a lock with a
/// [`DetachedManager`](crate::DetachedManager), and any number of keys: attaching and detaching takes
/// constant time. A key that is dropped keeps its function as long as the manager exists. Keys of equal
/// functions are equal.
///
/// ```
/// use topdd_apply::Manager;
///
/// let manager = Manager::new(2)?;
/// let key = (manager.var(0)? & manager.var(1)?).into_key();
/// let detached = manager.detach([], [])?; // can be sent to another thread, as the key
/// let (manager, ..) = detached.attach();
/// assert_eq!(manager.function_of_key(&key)?.count(), 1u32.into());
/// manager.release(key)?;
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the function stays in the manager until the key is released"]
pub struct FunctionKey {
    manager: u64,
    edge: Edge,
    slot: u32,
}

impl PartialEq for FunctionKey {
    fn eq(&self, other: &Self) -> bool {
        (self.manager, self.edge) == (other.manager, other.edge)
    }
}

impl Eq for FunctionKey {}

impl Hash for FunctionKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.manager, self.edge).hash(state);
    }
}

impl Function {
    /// Returns a key in place of the handle, in constant time. The manager keeps the function until
    /// [`Manager::release`].
    pub fn into_key(self) -> FunctionKey {
        let inner = &self.manager().inner;
        let slot = inner.function_roots.share(self.0.slot());
        FunctionKey { manager: inner.id, edge: self.0.edge(), slot }
    }

    /// Returns a number of the function, for [`Manager::function_of_number`]: 1 for true, and negated for
    /// the negation of a function. It belongs to no other function of the manager as long as a handle or a
    /// key keeps this one.
    ///
    /// ```
    /// let manager = topdd_apply::Manager::new(1)?;
    /// let x = manager.var(0)?;
    /// assert_eq!(manager.constant(false).number(), -1);
    /// assert_eq!((!&x).number(), -x.number());
    /// assert_eq!(manager.function_of_number(x.number())?, x);
    /// assert!(manager.function_of_number(77).is_err());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "Cudd_Regular")]
    pub fn number(&self) -> i64 {
        let edge = self.0.edge();
        let node = i64::from(edge.node()) + 1;
        if edge.is_terminal() == (edge.flag() == 1) { node } else { -node }
    }
}

impl Manager {
    /// Returns a handle to the function of a key, which stays valid.
    ///
    /// # Errors
    ///
    /// If the key is of another manager.
    pub fn function_of_key(&self, key: &FunctionKey) -> Result<Function, Error> {
        self.check_key(key)?;
        Ok(Function(Handle::sharing(self, key.edge, key.slot)))
    }

    /// Releases a key: the function stays only if other handles or keys keep it.
    ///
    /// # Errors
    ///
    /// If the key is of another manager.
    #[expect(clippy::needless_pass_by_value, reason = "a key is of no use after its release")]
    pub fn release(&self, key: FunctionKey) -> Result<(), Error> {
        self.check_key(&key)?;
        self.inner.function_roots.release(key.slot);
        Ok(())
    }

    fn check_key(&self, key: &FunctionKey) -> Result<(), Error> {
        if key.manager == self.inner.id { Ok(()) } else { Err(Error::OtherManager) }
    }

    /// Returns the functions that handles and keys keep, each once.
    ///
    /// ```
    /// let manager = topdd_apply::Manager::new(2)?;
    /// let (x, again) = (manager.var(0)?, manager.var(0)?.into_key());
    /// let y = manager.var(1)?;
    /// assert_eq!(manager.functions(), [x, y]);
    /// manager.release(again)?;
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    pub fn functions(&self) -> Vec<Function> {
        let mut edges = Vec::new();
        self.inner.function_roots.for_each(|edge| edges.push(edge));
        edges.sort_unstable();
        edges.dedup();
        edges.into_iter().map(|edge| Function(self.handle(edge))).collect()
    }

    /// Returns the function with this [number](Function::number).
    ///
    /// # Errors
    ///
    /// [`Error::UnknownNumber`] if no node has the number. If nothing keeps the function of the number, it
    /// may belong to another one.
    pub fn function_of_number(&self, number: i64) -> Result<Function, Error> {
        let unknown = Error::UnknownNumber { number };
        let node = number.unsigned_abs().checked_sub(1).filter(|&node| node < 1 << 31);
        let node = node.ok_or(unknown.clone())? as u32;
        let edge = Edge(node << 1 | u32::from((node == 0) == (number > 0)));
        let known = self.constant(true).0.read(|store, _| store.has_node(node));
        if known { Ok(Function(self.handle(edge))) } else { Err(unknown) }
    }
}

#[cfg(test)]
mod tests {
    use crate::strategies::{functions, managers};
    use crate::{Error, Manager};
    use proptest::prelude::*;
    use std::thread;

    proptest! {
        /// The manager goes to another thread and back, with garbage, collections and reordering there.
        #[test]
        fn keys_keep_functions_of_a_detached_manager(
            (f, g) in managers(5).prop_flat_map(|m| (functions(&m), functions(&m)))
        ) {
            // The strategy has handles of its manager, which would not move.
            let manager = Manager::builder(5).order(f.manager().order()).build().unwrap();
            let [f, g] = [f, g].map(|f| manager.copy_function(&f).unwrap());
            let (bdds, equal) = ([&f, &g].map(|f| f.to_bdd().unwrap()), f == g);
            let numbers = [f.number(), g.number()];
            let keys = [f.into_key(), g.into_key()];
            prop_assert_eq!(keys[0] == keys[1], equal);
            let detached = manager.detach([], []).unwrap();
            let (detached, keys) = thread::scope(|scope| scope.spawn(|| {
                let (manager, ..) = detached.attach();
                manager.collect();
                manager.sift().unwrap();
                (manager.detach([], []).unwrap(), keys)
            }).join().unwrap());
            let (manager, ..) = detached.attach();
            for ((key, bdd), number) in keys.iter().zip(&bdds).zip(numbers) {
                let f = manager.function_of_key(key).unwrap();
                prop_assert_eq!(&f.to_bdd().unwrap(), bdd);
                prop_assert_eq!(f.number(), number);
                prop_assert_eq!(manager.function_of_number(number).unwrap(), f);
            }
            for key in keys {
                manager.release(key).unwrap();
            }
            manager.collect();
            prop_assert_eq!(manager.statistics().function_nodes, 0);
            prop_assert_eq!(manager.statistics().handles, 0);
        }
    }

    #[test]
    fn keys_and_numbers_of_other_managers_are_refused() {
        let (one, other) = (Manager::new(2).unwrap(), Manager::new(2).unwrap());
        let key = (one.var(0).unwrap() & one.var(1).unwrap()).into_key();
        assert_eq!(other.function_of_key(&key).err(), Some(Error::OtherManager));
        assert_eq!(other.release(key), Err(Error::OtherManager));
        for number in [0, 5, -5, i64::MIN, i64::MAX] {
            assert_eq!(other.function_of_number(number), Err(Error::UnknownNumber { number }));
        }
    }
}
