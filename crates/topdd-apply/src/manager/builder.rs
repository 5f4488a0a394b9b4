//! Making of managers, with an order of the variables and limits.

use super::{Manager, Order, Parts};
use crate::error::Error;
use crate::store::{Budget, MAX_LEVELS, SizeLimits, Store, Watch};
use std::rc::Rc;

/// The parameters of a [`Manager`], each with a default; made by [`Manager::builder`].
#[derive(Clone, Debug)]
pub struct ManagerBuilder {
    num_vars: usize,
    order: Option<Vec<usize>>,
    limits: SizeLimits,
}

impl ManagerBuilder {
    pub(super) fn new(num_vars: usize) -> Self {
        ManagerBuilder { num_vars, order: None, limits: SizeLimits::default() }
    }

    pub(super) fn limits(self, limits: SizeLimits) -> Self {
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
            None => Order::default(),
            Some(variables) => Order::new(&variables, self.num_vars)?,
        };
        let budget = Budget::new(self.limits);
        let parts = Parts {
            num_vars: self.num_vars,
            order,
            functions: Store::new(&budget),
            families: Store::new(&budget),
            budget,
            watch: Watch::default(),
            automatic: super::DetachedAutomatic::default(),
        };
        Ok(Manager { inner: Rc::new(parts.into()) })
    }
}

/// Fails if a manager cannot have so many variables.
pub(super) fn check_num_vars(num_vars: usize) -> Result<(), Error> {
    if num_vars > MAX_LEVELS {
        return Err(Error::TooManyVariables { num_vars, limit: MAX_LEVELS });
    }
    Ok(())
}
