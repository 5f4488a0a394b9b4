//! Functions of variables and of other functions.

use super::Function;
use crate::error::Error;
use crate::manager::Manager;
use crate::store::{Edge, Store};

impl Manager {
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

    /// Returns the function that is the value of `variable`.
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    #[doc(alias("Cudd_bddIthVar", "mk_var"))]
    pub fn var(&self, variable: usize) -> Result<Function, Error> {
        self.literal(variable, true)
    }

    /// Returns the function that is true if `variable` has this value.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// assert_eq!(manager.literal(1, false)?, !manager.var(1)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such variable, or if a limit is reached.
    #[doc(alias("Cudd_bddIthVar", "mk_literal", "mk_not_var", "not_var"))]
    pub fn literal(&self, variable: usize, value: bool) -> Result<Function, Error> {
        let level = self.level(variable)?;
        let edge =
            self.make(|store| Ok(store.mk(level, Edge::ZERO, Edge::ONE)? ^ u32::from(!value)));
        edge.map(Function)
    }

    /// Returns the function that is `lo` if `variable` is false and `hi` if it is true. Makes one
    /// node, for diagrams built by hand from the bottom up.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!(manager.function_node(0, &!&y, &y)?, !(x ^ y));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a child depends on variables that are not below this one in the order; and as
    /// for every operation.
    #[doc(alias = "cuddUniqueInter")]
    pub fn function_node(
        &self,
        variable: usize,
        lo: &Function,
        hi: &Function,
    ) -> Result<Function, Error> {
        let level = self.level(variable)?;
        let (lo, hi) = (self.own(&lo.0)?, self.own(&hi.0)?);
        let made = self.make(|store| {
            if store.level(lo) <= level || store.level(hi) <= level {
                return Err(Error::NotBelow { variable });
            }
            store.mk(level, lo, hi)
        });
        made.map(Function)
    }
}

impl Function {
    /// Returns the conjunction; the operator `&`.
    ///
    /// ```
    /// # let (manager, other) = (topdd_apply::Manager::new(2)?, topdd_apply::Manager::new(2)?);
    /// use topdd_apply::Error;
    ///
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!(x.try_and(&y)?, &x & &y);
    /// assert_eq!(x.try_or(&y)?, &x | &y);
    /// assert_eq!(x.try_xor(&y)?, &x ^ &y);
    /// assert!(matches!(x.try_and(&other.var(0)?), Err(Error::MixedManagers { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddAnd", "and"))]
    pub fn try_and(&self, other: &Function) -> Result<Function, Error> {
        self.0.binary(&other.0, Store::and).map(Function)
    }

    /// Returns the disjunction; the operator `|`.
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddOr", "or"))]
    pub fn try_or(&self, other: &Function) -> Result<Function, Error> {
        self.0.binary(&other.0, Store::or).map(Function)
    }

    /// Returns the exclusive or; the operator `^`.
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddXor", "xor"))]
    pub fn try_xor(&self, other: &Function) -> Result<Function, Error> {
        self.0.binary(&other.0, Store::xor).map(Function)
    }

    /// Returns the conjunction with the negation of `other`; the operator `-`.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!(x.try_and_not(&y)?, &x & !&y);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "and_not")]
    pub fn try_and_not(&self, other: &Function) -> Result<Function, Error> {
        self.0.binary(&other.0, |store, a, b| store.and(a, b ^ 1)).map(Function)
    }

    /// Returns the implication: false only if `self` is true and `other` is false.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!(x.implies(&y)?, !&x | &y);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "imp")]
    pub fn implies(&self, other: &Function) -> Result<Function, Error> {
        self.0.binary(&other.0, |store, a, b| store.or(a ^ 1, b)).map(Function)
    }

    /// Returns the equivalence: true if both have the same value.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!(x.iff(&y)?, !(x ^ y));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddXnor", "equiv"))]
    pub fn iff(&self, other: &Function) -> Result<Function, Error> {
        self.0.binary(&other.0, |store, a, b| store.xor(a ^ 1, b)).map(Function)
    }

    /// Returns if-then-else: `then` if `self` is true, `otherwise` if it is false.
    ///
    /// Cost: at most the product of the numbers of nodes of the three.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!(x.ite(&y, &z)?, &x & &y | !&x & &z);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddIte", "if_then_else"))]
    pub fn ite(&self, then: &Function, otherwise: &Function) -> Result<Function, Error> {
        let (g, h) = (self.manager().own(&then.0)?, self.manager().own(&otherwise.0)?);
        let made = self.manager().make_restartable(|store| store.ite(self.0.edge(), g, h));
        made.map(Function)
    }

    /// Returns whether the function is constantly false, in constant time.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(1)?;
    /// let x = manager.var(0)?;
    /// assert!((&x & !&x).is_false() && (&x | !&x).is_true() && !x.is_false());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    #[doc(alias = "satisfiable")]
    pub fn is_false(&self) -> bool {
        self.0.edge() == Edge::ZERO
    }

    /// Returns whether the function is constantly true, in constant time.
    #[doc(alias = "valid")]
    pub fn is_true(&self) -> bool {
        self.0.edge() == Edge::ONE
    }
}
