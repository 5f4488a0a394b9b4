//! The number of nodes at which the variables are sifted automatically.

use crate::error::Error;
use std::cell::Cell;

/// Starts automatic sifting: after an operation, or in the middle of one that can be started again.
#[derive(Debug)]
pub(crate) struct Trigger {
    /// The number of nodes at which the variables are sifted; `usize::MAX` for never.
    threshold: Cell<usize>,
    /// The least number of nodes at which the running operation is interrupted.
    raised: Cell<usize>,
    /// Whether the running operation can be started again.
    restartable: Cell<bool>,
    interrupted: Cell<bool>,
    /// The number of nodes that a restartable operation makes or finds before it is interrupted.
    #[cfg(test)]
    pub(crate) fuel: Cell<Option<u64>>,
}

/// An operation that can be started again.
pub(crate) struct Restartable<'t> {
    trigger: &'t Trigger,
}

impl Drop for Restartable<'_> {
    fn drop(&mut self) {
        self.trigger.restartable.set(false);
        self.trigger.raised.set(0);
    }
}

impl Trigger {
    pub(crate) fn new(threshold: usize) -> Self {
        Trigger {
            threshold: Cell::new(threshold),
            raised: Cell::new(0),
            restartable: Cell::new(false),
            interrupted: Cell::new(false),
            #[cfg(test)]
            fuel: Cell::new(None),
        }
    }

    /// Interrupts an operation that can be started again when the fuel is used up.
    #[cfg(test)]
    pub(crate) fn burn(&self) -> Result<(), Error> {
        if let Some(fuel) = self.fuel.get().filter(|_| self.restartable.get()) {
            self.fuel.set(fuel.checked_sub(1));
            if fuel == 0 {
                self.interrupted.set(true);
                return Err(Error::Cancelled);
            }
        }
        Ok(())
    }

    pub(crate) fn threshold(&self) -> usize {
        self.threshold.get()
    }

    pub(crate) fn set_threshold(&self, threshold: usize) {
        self.threshold.set(threshold);
    }

    /// Notes that the operation that starts can be started again, until the guard is dropped.
    pub(crate) fn allow_interrupts(&self) -> Restartable<'_> {
        self.restartable.set(true);
        Restartable { trigger: self }
    }

    /// Raises the threshold for the running operation.
    pub(crate) fn raise(&self, nodes: usize) {
        self.raised.set(nodes);
    }

    /// Interrupts the running operation if it can be started again and there are as many nodes as the
    /// threshold. Then the error does not matter: the operation is started again after sifting.
    pub(crate) fn interrupt(&self, nodes: usize) -> Result<(), Error> {
        if self.restartable.get() && nodes >= self.threshold.get().max(self.raised.get()) {
            self.interrupted.set(true);
            return Err(Error::Cancelled);
        }
        Ok(())
    }

    /// Whether the operation was interrupted since the last call.
    pub(crate) fn take_interrupted(&self) -> bool {
        self.interrupted.take()
    }
}
