//! The common limits of the stores of a manager.

use crate::error::{Error, ManagerLimit};
use std::cell::Cell;

/// The limits of a manager, and the usage of its stores.
///
/// A store reserves memory here before it allocates.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    /// The limits of the manager itself, on nodes and bytes.
    own: (Option<usize>, Option<usize>),
    /// Those that apply at the moment.
    max_nodes: Cell<Option<usize>>,
    max_bytes: Cell<Option<usize>>,
    nodes: Cell<usize>,
    bytes: Cell<usize>,
}

impl Budget {
    pub(crate) fn new(max_nodes: Option<usize>, max_bytes: Option<usize>) -> Self {
        let budget = Budget { own: (max_nodes, max_bytes), ..Budget::default() };
        budget.set_limits(budget.own);
        budget
    }

    /// The limits on nodes and bytes without those of `Manager::within`.
    pub(crate) fn own(&self) -> (Option<usize>, Option<usize>) {
        self.own
    }

    /// Lowers the limits to these, and returns the old ones.
    pub(crate) fn tighten(
        &self,
        nodes: Option<usize>,
        bytes: Option<usize>,
    ) -> (Option<usize>, Option<usize>) {
        let old = self.limits();
        let lower = |old: Option<usize>, new| old.into_iter().chain(new).min();
        self.set_limits((lower(old.0, nodes), lower(old.1, bytes)));
        old
    }

    /// The limits on nodes and bytes that apply at the moment.
    fn limits(&self) -> (Option<usize>, Option<usize>) {
        (self.max_nodes.get(), self.max_bytes.get())
    }

    pub(crate) fn set_limits(&self, (nodes, bytes): (Option<usize>, Option<usize>)) {
        self.max_nodes.set(nodes);
        self.max_bytes.set(bytes);
    }

    /// Returns the number of nodes of `bytes_each` bytes that may be allocated, at most `wanted`; an
    /// error if there is none.
    pub(crate) fn nodes(&self, wanted: usize, bytes_each: usize) -> Result<usize, Error> {
        let mut granted = wanted;
        if let Some(max) = self.max_nodes.get() {
            granted = granted.min(max.saturating_sub(self.nodes.get()));
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Nodes(max)));
            }
        }
        if let Some(max) = self.max_bytes.get() {
            granted = granted.min(max.saturating_sub(self.bytes.get()) / bytes_each);
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Bytes(max)));
            }
        }
        Ok(granted)
    }

    /// Fails if `bytes` more bytes may not be allocated.
    pub(crate) fn require(&self, bytes: usize) -> Result<(), Error> {
        match self.max_bytes.get() {
            Some(max) if !self.has_bytes(bytes) => {
                Err(Error::LimitReached(ManagerLimit::Bytes(max)))
            }
            _ => Ok(()),
        }
    }

    /// Whether `bytes` more bytes may be allocated.
    pub(crate) fn has_bytes(&self, bytes: usize) -> bool {
        self.max_bytes.get().is_none_or(|max| self.bytes.get() + bytes <= max)
    }

    /// Records a change in the usage of a store.
    pub(crate) fn book(&self, nodes: usize, bytes_before: usize, bytes_now: usize) {
        self.nodes.set(self.nodes.get() + nodes);
        self.bytes.set(self.bytes.get() + bytes_now - bytes_before);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.get()
    }
}
