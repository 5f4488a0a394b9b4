//! Handles: counted references to roots, the common part of `Function` and `Family`.

use crate::error::Error;
use crate::manager::{Kind, Manager};
use crate::snapshot::Snapshot;
use crate::store::{Edge, Store};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// The maximum number of cubes or members that `Debug` lists.
pub(crate) const LISTED: usize = 20;
/// The maximum number of nodes of a diagram that `Debug` lists: listing copies the diagram.
pub(crate) const LISTED_NODES: usize = 1000;

/// A reference that keeps an edge, and all nodes below it, alive.
pub(crate) struct Handle<K: Kind> {
    manager: Manager,
    edge: Edge,
    slot: u32,
    kind: PhantomData<K>,
}

impl<K: Kind> Handle<K> {
    pub(crate) fn new(manager: &Manager, edge: Edge) -> Self {
        let slot = K::roots(&manager.inner).add(edge);
        Handle { manager: manager.clone(), edge, slot, kind: PhantomData }
    }

    pub(crate) fn manager(&self) -> &Manager {
        &self.manager
    }

    pub(crate) fn edge(&self) -> Edge {
        self.edge
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

impl<K: Kind> Clone for Handle<K> {
    fn clone(&self) -> Self {
        let slot = K::roots(&self.manager.inner).share(self.slot);
        Handle { manager: self.manager.clone(), edge: self.edge, slot, kind: PhantomData }
    }
}

impl<K: Kind> Drop for Handle<K> {
    fn drop(&mut self) {
        K::roots(&self.manager.inner).release(self.slot);
    }
}

impl<K: Kind> PartialEq for Handle<K> {
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge && self.manager == other.manager
    }
}

impl<K: Kind> Eq for Handle<K> {}

impl<K: Kind> Hash for Handle<K> {
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
