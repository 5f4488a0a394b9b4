//! The common limits of the stores of a manager.

use crate::error::{Error, ManagerLimit};
use std::cell::Cell;

/// The limits of a manager, and the usage of its stores.
///
/// A store reserves memory here before it allocates.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    pub(crate) max_nodes: Option<usize>,
    pub(crate) max_bytes: Option<usize>,
    nodes: Cell<usize>,
    bytes: Cell<usize>,
}

impl Budget {
    pub(crate) fn new(max_nodes: Option<usize>, max_bytes: Option<usize>) -> Self {
        Budget { max_nodes, max_bytes, ..Budget::default() }
    }

    /// Returns the number of nodes of `bytes_each` bytes that may be allocated, at most `wanted`; an
    /// error if there is none.
    pub(crate) fn nodes(&self, wanted: usize, bytes_each: usize) -> Result<usize, Error> {
        let mut granted = wanted;
        if let Some(max) = self.max_nodes {
            granted = granted.min(max.saturating_sub(self.nodes.get()));
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Nodes(max)));
            }
        }
        if let Some(max) = self.max_bytes {
            granted = granted.min(max.saturating_sub(self.bytes.get()) / bytes_each);
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Bytes(max)));
            }
        }
        Ok(granted)
    }

    /// Whether `bytes` more bytes may be allocated.
    pub(crate) fn has_bytes(&self, bytes: usize) -> bool {
        self.max_bytes.is_none_or(|max| self.bytes.get() + bytes <= max)
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
