//! Boolean functions as BDDs with complement edges.
//!
//! This file combines functions, removes variables and replaces them. `query` has the queries, `forms` converts from and
//! to cubes, CNF and DNF, with `clause_order`, `expression` reads and writes expressions, which `parse` parses, and `dimacs` reads files with weights.
//! `operations` implements the operations.

mod clause_order;
mod dimacs;
mod expression;
mod forms;
pub(crate) mod operations;
mod parse;
mod query;
#[cfg(test)]
mod tests;

use super::error::Error;
use super::manager::Manager;
use super::manager::handle::{Handle, LISTED, LISTED_NODES, operators};
use super::store::{Edge, Store};
use crate::Map;
use operations::{
    AndExists, Cofactor, Constrain, Exists, LevelSet, Substitute, UniqueQuantification,
};
use std::fmt;
use topdd::diagram::AnyValue;

pub use clause_order::clause_order;
pub use dimacs::CnfFile;
pub use expression::expression_names;
pub use query::{Assignments, Clauses, Cubes};

/// A Boolean function of the variables of a [`Manager`].
///
/// A handle: cloning and dropping take constant time, and a handle keeps its nodes alive.
/// Two functions of one manager are equal (`==`) if and only if they have the same value
/// for every assignment.
///
/// # Cost
///
/// | operations | time and new nodes |
/// | --- | --- |
/// | `==`, `!`, `clone`, [`is_true`](Function::is_true) | constant |
/// | `&`, `\|`, `^`, `-`, [`implies`](Function::implies), [`iff`](Function::iff) | at most the product of the numbers of nodes |
/// | [`leq`](Function::leq), [`is_disjoint`](Function::is_disjoint) | the same time at most, no nodes |
/// | [`top_variable`](Function::top_variable), [`low`](Function::low), [`high`](Function::high) | constant |
/// | [`restrict`](Function::restrict), [`cofactors`](Function::cofactors) | linear in the nodes |
/// | passes: [`count`](Function::count), [`support`](Function::support), ... | linear in the nodes, with a copy of them |
/// | [`exists`](Function::exists) and other quantifiers, [`substitute`](Function::substitute), ... | exponential in the worst case |
///
/// Results of the operations are cached, so a repeated operation may take constant time.
///
/// Source: BDDs with complement edges, K. S. Brace, R. L. Rudell and R. E. Bryant, *Efficient
/// implementation of a BDD package*, DAC 1990.
///
/// In the examples of the methods, `manager` is a [`Manager`] of a few variables.
///
/// # Errors
///
/// Where a method returns a `Result`, the errors are: the other handle belongs to another manager
/// ([`MixedManagers`](crate::Error::MixedManagers)), there is no such variable, or a limit of the
/// manager was reached, or its token cancelled ([`within`](Manager::within)). The operators `&`, `|`,
/// `^` and `-` (and not) panic on an error, at the line of the caller; [`try_and`](Function::try_and),
/// [`try_or`](Function::try_or), [`try_xor`](Function::try_xor) and
/// [`try_and_not`](Function::try_and_not) return the error.
///
/// ```
/// use topdd_apply::Manager;
///
/// let manager = Manager::new(2)?;
/// let (x, y) = (manager.var(0)?, manager.var(1)?);
/// assert_eq!(!(&x & &y), !&x | !&y);
/// assert_eq!(&x - &y, &x & !&y);
/// assert_eq!(x.try_and(&y)?, &x & &y);
/// assert_eq!(format!("{:?}", &x ^ &y), "Function(!0 & 1 | 0 & !1)"); // disjoint cubes
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Function(pub(crate) Handle<AnyValue>);

impl Function {
    /// Returns the manager of the function.
    pub fn manager(&self) -> &Manager {
        self.0.manager()
    }
}

operators! { Function:
    BitAnd bitand BitAndAssign bitand_assign "&" by try_and;
    BitOr bitor BitOrAssign bitor_assign "|" by try_or;
    BitXor bitxor BitXorAssign bitxor_assign "^" by try_xor;
    Sub sub SubAssign sub_assign "-" by try_and_not;
}

impl std::ops::Not for &Function {
    type Output = Function;

    fn not(self) -> Function {
        Function(self.0.manager().handle(self.0.edge() ^ 1))
    }
}

impl std::ops::Not for Function {
    type Output = Function;

    fn not(self) -> Function {
        !&self
    }
}

/// Lists at most 20 [cubes](Function::cubes), where `!2` means that variable 2 is false. For a
/// function of more than a thousand nodes, writes only their number.
impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_true() || self.is_false() {
            return write!(f, "Function({})", self.is_true());
        }
        let nodes = self.node_count();
        if nodes > LISTED_NODES {
            return write!(f, "Function({nodes} nodes)");
        }
        f.write_str("Function(")?;
        for (index, cube) in self.cubes().enumerate() {
            f.write_str(if index == 0 { "" } else { " | " })?;
            if index == LISTED {
                f.write_str("..")?;
                break;
            }
            for (position, (variable, value)) in cube.into_iter().enumerate() {
                let and = if position == 0 { "" } else { " & " };
                let not = if value { "" } else { "!" };
                write!(f, "{and}{not}{variable}")?;
            }
        }
        f.write_str(")")
    }
}

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

impl Function {
    /// Returns whether the given variables have values for which the function is true: the disjunction
    /// of the cofactors by all their values.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!((&x & &y | &z).exists([0])?, &y | &z);
    /// assert!((&x & &y | &z).exists([0, 1])?.is_true());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddExistAbstract", "var_exists", "project"))]
    pub fn exists(&self, variables: impl IntoIterator<Item = usize>) -> Result<Function, Error> {
        self.exists_flagged(variables, 0)
    }

    /// Returns whether the function is true for all values of the given variables: the conjunction of
    /// the cofactors by all their values.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!((&x & &y | &z).forall([0])?, z);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias("Cudd_bddUnivAbstract", "for_all", "var_for_all"))]
    pub fn forall(&self, variables: impl IntoIterator<Item = usize>) -> Result<Function, Error> {
        // Universal quantification is the negation of existential quantification of the negation.
        self.exists_flagged(variables, 1)
    }

    fn exists_flagged(
        &self,
        variables: impl IntoIterator<Item = usize>,
        flag: u32,
    ) -> Result<Function, Error> {
        let levels = LevelSet::new(&self.manager().levels(variables)?);
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            let result = store.run(&Exists { levels: &levels, tag }, [f ^ flag, Edge::ZERO, tag]);
            Ok(result? ^ flag)
        });
        result.map(Function)
    }

    /// Returns the exclusive or of the cofactors by all values of the given variables; for one variable,
    /// whether it has exactly one value for which the function is true. False if the function does not
    /// depend on some given variable.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!((&x | &y).unique([0])?, !&y);
    /// assert!((&x | &y).unique([2])?.is_false());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "Cudd_bddBooleanDiff")]
    pub fn unique(&self, variables: impl IntoIterator<Item = usize>) -> Result<Function, Error> {
        let levels = LevelSet::new(&self.manager().levels(variables)?);
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            let unique = UniqueQuantification { levels: &levels, tag };
            let f = unique.below(store, f, 0);
            store.run(&unique, [f, Edge::ZERO, tag])
        });
        result.map(Function)
    }

    /// Returns the relational product: [`exists`](Function::exists) of the conjunction, without
    /// building the conjunction.
    ///
    /// One step of a relation, from old variables to new ones:
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// // Old bits 0 and 2, new bits 1 and 3; the step swaps the two bits.
    /// let v = |i| manager.var(i);
    /// let step = v(1)?.iff(&v(2)?)? & v(3)?.iff(&v(0)?)?;
    /// let here = v(0)? & !v(2)?;
    /// assert_eq!(here.and_exists(&step, [0, 2])?, !v(1)? & v(3)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias(
        "Cudd_bddAndAbstract",
        "apply_exists",
        "binary_op_with_exists",
        "relational_product"
    ))]
    pub fn and_exists(
        &self,
        other: &Function,
        variables: impl IntoIterator<Item = usize>,
    ) -> Result<Function, Error> {
        let variables: Vec<usize> = variables.into_iter().collect();
        let result = self.0.binary(&other.0, |store, f, g| {
            let levels = LevelSet::new(&self.manager().levels(variables.iter().copied())?);
            let exists = Exists { levels: &levels, tag: store.cache.fresh_tag() };
            let tag = store.cache.fresh_tag();
            store.run(&AndExists { exists, tag }, [f, g, tag])
        });
        result.map(Function)
    }
}

impl Function {
    /// Returns the cofactor by a partial assignment: the function with these variables fixed.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// let f = x.ite(&y, &z)?;
    /// assert_eq!(f.restrict([(0, true)])?, y);
    /// assert!(f.restrict([(0, false), (2, false)])?.is_false());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable is given twice. Otherwise as for every operation of [`Function`].
    #[doc(alias = "Cudd_Cofactor")]
    pub fn restrict(
        &self,
        assignment: impl IntoIterator<Item = (usize, bool)>,
    ) -> Result<Function, Error> {
        let literals = self.manager().literals(assignment)?;
        let end = literals.last().map_or(0, |&(level, _)| level + 1);
        let values = literals.into_iter().collect();
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            store.run(&Cofactor { values: &values, end, tag }, [f, Edge::ZERO, tag])
        });
        result.map(Function)
    }

    /// Returns the two cofactors by one variable: with the variable false, and with it true.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// let (without, with) = (&x ^ &y).cofactors(0)?;
    /// assert_eq!((without, with), (y.clone(), !y));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "var_restrict")]
    pub fn cofactors(&self, variable: usize) -> Result<(Function, Function), Error> {
        Ok((self.restrict([(variable, false)])?, self.restrict([(variable, true)])?))
    }

    /// Returns the generalised cofactor: a function that agrees with `self` if `care` is true, and
    /// otherwise has the value at the nearest assignment in `care`. It often has fewer nodes. If
    /// `care` is a cube, it is the cofactor. The result depends on the order of the variables.
    ///
    /// Source: O. Coudert, C. Berthet and J. C. Madre, *Verification of synchronous sequential
    /// machines based on symbolic execution*, 1989.
    ///
    /// Cost: at most the product of the numbers of nodes.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// let (f, care) = (&x & &y | &z, &x | &y);
    /// let g = f.constrain(&care)?;
    /// assert_eq!(&g & &care, &f & &care);
    /// assert_eq!(f.constrain(&x)?, f.restrict([(0, true)])?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `care` is constantly false. Otherwise as for every operation of [`Function`].
    #[doc(alias = "Cudd_bddConstrain")]
    pub fn constrain(&self, care: &Function) -> Result<Function, Error> {
        let result = self.0.binary(&care.0, |store, f, c| {
            if c == Edge::ZERO {
                return Err(Error::EmptyCareSet);
            }
            store.run(&Constrain, [f, c, Constrain::TAG])
        });
        result.map(Function)
    }

    /// Returns the function with `by` substituted for a variable.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// assert_eq!((&x ^ &y).compose(1, &(&x & &z))?, &x & !&z);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for every operation of [`Function`].
    #[doc(alias = "Cudd_bddCompose")]
    pub fn compose(&self, variable: usize, by: &Function) -> Result<Function, Error> {
        self.substitute([(variable, by)])
    }

    /// Returns the function with functions substituted for variables simultaneously: the
    /// substituted functions themselves are unchanged.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let (x, y, z) = (manager.var(0)?, manager.var(1)?, manager.var(2)?);
    /// let swapped = x.ite(&y, &z)?.substitute([(0, &y), (1, &x)])?;
    /// assert_eq!(swapped, y.ite(&x, &z)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable is given twice. Otherwise as for every operation of [`Function`].
    #[doc(alias = "Cudd_bddVectorCompose")]
    pub fn substitute<'f>(
        &self,
        substitutions: impl IntoIterator<Item = (usize, &'f Function)>,
    ) -> Result<Function, Error> {
        let mut by_level = Map::default();
        for (variable, by) in substitutions {
            let edge = self.manager().own(&by.0)?;
            if by_level.insert(self.manager().level(variable)?, edge).is_some() {
                return Err(Error::RepeatedVariable { variable });
            }
        }
        let end = by_level.keys().max().map_or(0, |&last| last + 1);
        let result = self.0.unary(|store, f| {
            let tag = store.cache.fresh_tag();
            store.run(&Substitute { by_level: &by_level, end, tag }, [f, Edge::ZERO, tag])
        });
        result.map(Function)
    }

    /// Returns the function with variables substituted for variables simultaneously: each pair is a
    /// variable and its new name. Two variables may get the same new name.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!((x & !y).rename([(0, 3), (1, 0)])?, manager.var(3)? & !manager.var(0)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a variable is given twice. Otherwise as for every operation of [`Function`].
    #[doc(alias("Cudd_bddPermute", "Cudd_bddSwapVariables", "rename_variables"))]
    pub fn rename(
        &self,
        names: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Function, Error> {
        let names = names
            .into_iter()
            .map(|(old, new)| Ok((old, self.manager().var(new)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        self.substitute(names.iter().map(|(old, new)| (*old, new)))
    }
}
