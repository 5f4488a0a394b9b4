//! The common limits of the stores of a manager.

use crate::error::{Error, ManagerLimit};
use std::cell::Cell;

/// The limits on the size of a manager.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SizeLimits {
    pub(crate) nodes: Option<usize>,
    pub(crate) bytes: Option<usize>,
}

/// The limits of a manager, and the usage of its stores.
///
/// A store reserves memory here before it allocates.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    /// The limits of the manager itself.
    own: SizeLimits,
    /// The limits that apply at the moment.
    limits: Cell<SizeLimits>,
    nodes: Cell<usize>,
    bytes: Cell<usize>,
}

impl Budget {
    pub(crate) fn new(own: SizeLimits) -> Self {
        Budget { own, limits: Cell::new(own), ..Budget::default() }
    }

    /// The limits of the manager itself, without the limits of `Manager::within`.
    pub(crate) fn own(&self) -> SizeLimits {
        self.own
    }

    /// Lowers the limits to `lower`, and returns the old ones.
    pub(crate) fn tighten(&self, lower: SizeLimits) -> SizeLimits {
        let old = self.limits.get();
        let min = |old: Option<usize>, new| old.into_iter().chain(new).min();
        self.limits.set(SizeLimits {
            nodes: min(old.nodes, lower.nodes),
            bytes: min(old.bytes, lower.bytes),
        });
        old
    }

    pub(crate) fn set_limits(&self, limits: SizeLimits) {
        self.limits.set(limits);
    }

    /// Returns the number of nodes of `bytes_each` bytes that may be allocated, at most `wanted`; an
    /// error if there is none.
    pub(crate) fn nodes(&self, wanted: usize, bytes_each: usize) -> Result<usize, Error> {
        let mut granted = wanted;
        let limits = self.limits.get();
        if let Some(max) = limits.nodes {
            granted = granted.min(max.saturating_sub(self.nodes.get()));
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Nodes(max)));
            }
        }
        if let Some(max) = limits.bytes {
            granted = granted.min(max.saturating_sub(self.bytes.get()) / bytes_each);
            if granted == 0 {
                return Err(Error::LimitReached(ManagerLimit::Bytes(max)));
            }
        }
        Ok(granted)
    }

    /// Fails if `bytes` more bytes may not be allocated.
    pub(crate) fn require(&self, bytes: usize) -> Result<(), Error> {
        match self.limits.get().bytes {
            Some(max) if !self.has_bytes(bytes) => {
                Err(Error::LimitReached(ManagerLimit::Bytes(max)))
            }
            _ => Ok(()),
        }
    }

    /// Whether `bytes` more bytes may be allocated.
    pub(crate) fn has_bytes(&self, bytes: usize) -> bool {
        self.limits.get().bytes.is_none_or(|max| self.bytes.get() + bytes <= max)
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
