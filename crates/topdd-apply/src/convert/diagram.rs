//! Conversion to and from topdd's diagrams of two-valued variables.

use super::Assemble;
use crate::error::Error;
use crate::manager::{Manager, Order};
use crate::snapshot::{Id, ONE, Snapshot, ZERO};
use crate::store::{AnyValue, Edge, Store, ZeroSuppressed};
use crate::{Family, Function, Limits};
use topdd::diagram::DiagramRule;
use topdd::{Bdd, Children, DdSpec, Diagram, Evaluator, Step, Zdd};

/// A snapshot as a spec: a state is a node.
struct Nodes(Snapshot);

impl Nodes {
    fn step(&self, id: Id) -> Step<Id> {
        match id {
            ZERO => Step::Zero,
            ONE => Step::One,
            _ => Step::To(self.0.level(id) as usize, id),
        }
    }
}

impl DdSpec for Nodes {
    type State = Id;

    fn num_vars(&self) -> usize {
        self.0.num_levels as usize
    }

    fn root(&self) -> Step<Id> {
        self.step(self.0.roots[0])
    }

    fn child(&self, &id: &Id, _variable: usize, value: usize) -> Step<Id> {
        let node = self.0.node(id);
        self.step(if value == 1 { node.hi } else { node.lo })
    }
}

/// A pass over a diagram that makes a node of the manager for each of its nodes.
struct Import<'a, K: Assemble> {
    store: &'a mut Store<K>,
    order: &'a Order,
    failed: Option<Error>,
}

impl<K: Assemble> Evaluator for Import<'_, K> {
    type Value = Edge;

    fn zero(&mut self) -> Edge {
        Edge::ZERO
    }

    fn one(&mut self) -> Edge {
        Edge::ONE
    }

    fn node(&mut self, variable: usize, children: Children<'_, Edge>) -> Edge {
        let mut edges = [Edge::ZERO; 2];
        for child in children {
            edges[child.value] = *child.to;
        }
        if self.failed.is_some() {
            return Edge::ZERO;
        }
        let level = self.order.level_of(variable);
        match K::assemble(self.store, level, edges[0], edges[1]) {
            Ok(edge) => self.store.keep(edge),
            Err(error) => {
                self.failed = Some(error);
                Edge::ZERO
            }
        }
    }
}

impl Manager {
    /// Converts a BDD of topdd to a function. Variables correspond by number.
    ///
    /// Takes linear time if the manager has the variables in ascending order.
    ///
    /// ```
    /// use topdd::{Code, Encoding, constraint};
    /// use topdd_apply::Manager;
    ///
    /// // Two different digits of three values, encoded in two-valued variables.
    /// let different = topdd::bdd(&constraint::all_different([3; 2]))?;
    /// let encoding = Encoding::of(Code::OneHot, &different);
    /// let manager = Manager::new(encoding.num_vars())?;
    /// let f = manager.function_of(&different.encode(&encoding)?)?;
    /// assert_eq!(f.count(), 6u32.into());
    /// assert!(f.eval(&[true, false, false, false, false, true])?); // 0 and 2
    /// assert_eq!(f.to_bdd()?.decode(&encoding)?, different);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// - If a variable of the diagram does not have two values: [encode](Diagram::encode) it first.
    /// - If the diagram has more variables than the manager.
    /// - If a limit is reached.
    pub fn function_of(&self, bdd: &Bdd) -> Result<Function, Error> {
        self.check_diagram(bdd)?;
        self.make(|store| self.import::<AnyValue, _>(store, bdd)).map(Function)
    }

    /// Converts a ZDD of topdd to a family. Variables correspond by number; a variable is a member
    /// of a set if its value is 1.
    ///
    /// Takes linear time if the manager has the variables in ascending order.
    ///
    /// See the example of [`Family::to_zdd`].
    ///
    /// # Errors
    ///
    /// As for [`function_of`](Manager::function_of).
    pub fn family_of(&self, zdd: &Zdd) -> Result<Family, Error> {
        self.check_diagram(zdd)?;
        self.make(|store| self.import::<ZeroSuppressed, _>(store, zdd)).map(Family)
    }

    fn import<K: Assemble, R: DiagramRule>(
        &self,
        store: &mut Store<K>,
        diagram: &Diagram<R>,
    ) -> Result<Edge, Error> {
        let order = self.order_copy();
        let mut import = Import { store, order: &order, failed: None };
        let root = diagram.evaluate(&mut import);
        import.failed.map_or(Ok(root), Err)
    }

    fn check_diagram<R: DiagramRule>(&self, diagram: &Diagram<R>) -> Result<(), Error> {
        let refused = |reason: String| Err(Error::Mismatch { reason });
        let (found, num_vars) = (diagram.num_vars(), self.num_vars());
        if found > num_vars {
            return refused(format!("it has {found} variables, the manager {num_vars}"));
        }
        match (0..found).find(|&variable| diagram.arity(variable) != 2) {
            None => Ok(()),
            Some(variable) => refused(format!(
                "variable {variable} has {} values; encode the diagram first (Diagram::encode)",
                diagram.arity(variable)
            )),
        }
    }

    /// A manager of the same variables in ascending order; `None` if `self` has that order.
    fn ascending(&self, limits: &Limits) -> Result<Option<Manager>, Error> {
        if self.order_copy().is_identity() {
            return Ok(None);
        }
        let mut builder = Manager::builder(self.num_vars());
        if let Some(nodes) = limits.states {
            builder = builder.max_nodes(usize::try_from(nodes).unwrap_or(usize::MAX));
        }
        if let Some(bytes) = limits.bytes {
            builder = builder.max_bytes(bytes);
        }
        builder.build().map(Some)
    }
}

impl Function {
    /// Converts the function to a BDD of topdd, over all variables of the manager.
    ///
    /// Takes linear time if the manager has the variables in ascending order. Otherwise the
    /// function is first [copied](Manager::copy_function) to a manager with that order.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.var(0)? | manager.var(2)?;
    /// let bdd = f.to_bdd()?;
    /// assert_eq!(bdd.count(), f.count());
    /// assert_eq!(manager.function_of(&bdd)?, f);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the diagram has more nodes than topdd can number.
    pub fn to_bdd(&self) -> Result<Bdd, Error> {
        self.bdd_within(&Limits::new())
    }

    /// As [`to_bdd`](Self::to_bdd), within limits.
    pub(crate) fn bdd_within(&self, limits: &Limits) -> Result<Bdd, Error> {
        if let Some(ascending) = self.manager().ascending(limits)? {
            return ascending.copy_function(self)?.bdd_within(limits);
        }
        Ok(limits.build(&Nodes(self.0.snapshot()))?)
    }
}

impl Family {
    /// Converts the family to a ZDD of topdd, over all variables of the manager.
    ///
    /// Takes linear time if the manager has the variables in ascending order. Otherwise the family
    /// is first [copied](Manager::copy_family) to a manager with that order.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let f = manager.family([vec![0], vec![1, 2]])?;
    /// let zdd = f.to_zdd()?;
    /// assert!(zdd.contains(&[0, 1, 1])?);
    /// assert_eq!(manager.family_of(&zdd)?, f);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the diagram has more nodes than topdd can number.
    pub fn to_zdd(&self) -> Result<Zdd, Error> {
        self.zdd_within(&Limits::new())
    }

    /// As [`to_zdd`](Self::to_zdd), within limits.
    pub(crate) fn zdd_within(&self, limits: &Limits) -> Result<Zdd, Error> {
        if let Some(ascending) = self.manager().ascending(limits)? {
            return ascending.copy_family(self)?.zdd_within(limits);
        }
        Ok(limits.build(&Nodes(self.0.snapshot()))?)
    }
}
