//! Conversion to and from topdd's diagrams of two-valued variables.

use super::Assemble;
use crate::error::Error;
use crate::manager::Manager;
use crate::manager::handle::Handle;
use crate::snapshot::{Id, ONE, Snapshot, ZERO};
use crate::store::{Edge, Store};
use crate::{Family, Function, Limits};
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
    /// The level of each variable of the diagram.
    levels: &'a [u32],
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
        let level = self.levels[variable];
        let made = K::assemble(self.store, level, edges[0], edges[1]);
        match made.and_then(|edge| self.store.check_each_round().map(|()| edge)) {
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
    /// let encoding = Encoding::new(Code::OneHot, &different);
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
        self.import(bdd).map(Function)
    }

    /// Converts a ZDD of topdd to a family. Variables correspond by number; a variable is a member
    /// of a set if its value is 1.
    ///
    /// Takes linear time if the manager has the variables in ascending order.
    ///
    /// # Errors
    ///
    /// - If a variable of the diagram does not have two values: [encode](Diagram::encode) it first.
    /// - If the diagram has more variables than the manager.
    /// - If a limit is reached.
    pub fn family_of(&self, zdd: &Zdd) -> Result<Family, Error> {
        self.import(zdd).map(Family)
    }

    fn import<K: Assemble>(&self, diagram: &Diagram<K>) -> Result<Handle<K>, Error> {
        let refused = |reason: String| Err(Error::Mismatch { reason });
        let (found, num_vars) = (diagram.num_vars(), self.num_vars());
        if found > num_vars {
            return refused(format!("it has {found} variables, the manager {num_vars}"));
        }
        if let Some(variable) = (0..found).find(|&variable| diagram.arity(variable) != 2) {
            return refused(format!(
                "variable {variable} has {} values; encode the diagram first (Diagram::encode)",
                diagram.arity(variable)
            ));
        }
        let order = self.order_copy();
        let levels: Vec<u32> = (0..found).map(|variable| order.level_of(variable)).collect();
        self.import_at(diagram, &levels)
    }

    /// Converts a diagram of two-valued variables, each of which has a level of the manager.
    pub(crate) fn import_at<K: Assemble>(
        &self,
        diagram: &Diagram<K>,
        levels: &[u32],
    ) -> Result<Handle<K>, Error> {
        self.make(|store| {
            let mut import = Import { store, levels, failed: None };
            let root = diagram.evaluate(&mut import);
            import.failed.map_or(Ok(root), Err)
        })
    }

    /// A manager of the same variables in ascending order; `None` if `self` has that order.
    fn ascending(&self) -> Result<Option<Manager>, Error> {
        let identity = self.order_copy().is_identity();
        (!identity).then(|| Manager::new(self.num_vars())).transpose()
    }
}

impl<K: Assemble> Handle<K> {
    /// Converts the handle to a diagram whose variables are the levels, within these limits and the
    /// limits of the manager.
    pub(crate) fn by_level(&self, limits: &Limits) -> Result<Diagram<K>, Error> {
        let watch = &self.manager().inner.watch;
        watch.check()?;
        let built = watch.tighten(limits).build(&Nodes(self.snapshot()));
        // The limit of the manager is the better error, if it was the reason.
        built.map_err(|error| watch.check().err().unwrap_or_else(|| error.into()))
    }

    /// Converts the handle to a diagram over all variables of the manager, within these limits and the
    /// limits of the manager.
    pub(crate) fn diagram(&self, limits: &Limits) -> Result<Diagram<K>, Error> {
        let Some(ascending) = self.manager().ascending()? else { return self.by_level(limits) };
        let limits = self.manager().inner.watch.tighten(limits);
        ascending.within(&limits, || ascending.copy(self))?.by_level(&limits)
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
    /// If the diagram has more nodes than topdd can number; or if a limit of
    /// [`Manager::within`] is reached.
    pub fn to_bdd(&self) -> Result<Bdd, Error> {
        self.0.diagram(&Limits::new())
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
    /// If the diagram has more nodes than topdd can number; or if a limit of
    /// [`Manager::within`] is reached.
    pub fn to_zdd(&self) -> Result<Zdd, Error> {
        self.0.diagram(&Limits::new())
    }
}
