//! Construction of diagrams from specs.

use super::reduce::{Memory, reduce};
use super::rule::{AnyValue, DiagramRule, ZeroSuppressed};
use super::store::Store;
use super::{Bdd, Diagram, Zdd};
use crate::BuildError;
use crate::frontier::{Built, Engine, Frontier, Peers};
use crate::spec::{DdSpec, Portable, Rule, SpecExt};

impl<S> Frontier<'_, S> {
    /// Builds and reduces the ZDD of the spec: skipped variables are 0.
    ///
    /// Cost as for [`zdd`](crate::zdd()), within the limits that are set. Each call is a run of its
    /// own.
    ///
    /// ```
    /// use topdd::{Frontier, constraint};
    ///
    /// let pairs = constraint::exactly(8, 2);
    /// let mut frontier = Frontier::over(&pairs).memory_limit(1 << 20);
    /// assert_eq!(frontier.zdd()?.count(), 28u32.into());
    /// assert_eq!(frontier.bdd()?.count(), 28u32.into());
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, the run is cancelled, or
    /// the diagram has more nodes than can be numbered.
    pub fn zdd(&mut self) -> Result<Zdd, BuildError> {
        self.diagram()
    }

    /// Builds and reduces the BDD of the spec: skipped variables may have any value. Cost as for
    /// [`zdd`](Frontier::zdd).
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, the run is cancelled, or the diagram has
    /// more nodes than can be numbered.
    pub fn bdd(&mut self) -> Result<Bdd, BuildError> {
        self.diagram()
    }

    /// Builds and reduces the diagram of the spec under the rule `R`.
    ///
    /// For code that is generic over the rule; otherwise call [`zdd`](Frontier::zdd) or
    /// [`bdd`](Frontier::bdd).
    ///
    /// ```
    /// use topdd::{BuildError, DdSpec, Frontier, diagram::DiagramRule};
    ///
    /// fn nodes<R: DiagramRule>(spec: &impl DdSpec) -> Result<usize, BuildError> {
    ///     Ok(Frontier::over(spec).diagram::<R>()?.node_count())
    /// }
    ///
    /// let free = topdd::constraint::at_most(5, 5); // all assignments
    /// assert_eq!(nodes::<topdd::diagram::ZeroSuppressed>(&free)?, 5);
    /// assert_eq!(nodes::<topdd::diagram::AnyValue>(&free)?, 0);
    /// # Ok::<(), BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, the run is cancelled, or the diagram has
    /// more nodes than can be numbered.
    pub fn diagram<R: DiagramRule>(&mut self) -> Result<Diagram<R>, BuildError> {
        let store = store(&mut self.engine, R::RULE)?;
        Ok(Diagram::new(store))
    }

    /// Does the same as [`diagram`](Frontier::diagram), over the processes of a mesh: the first one
    /// receives the diagram, and the others `None`. Not covered by semantic versioning.
    #[doc(hidden)]
    pub fn diagram_in_first<R: DiagramRule>(&mut self) -> Result<Option<Diagram<R>>, BuildError> {
        Ok(store_in_first(&mut self.engine, R::RULE)?.map(Diagram::new))
    }
}

// Not generic, so it is compiled once.
fn store(engine: &mut Engine<'_>, rule: Rule) -> Result<Store, BuildError> {
    let store = store_in_first(engine, rule)?;
    Ok(store.expect("of several processes, the others ask for the diagram in the first"))
}

/// Builds by the engine for boxed specs, which is compiled in this library.
pub(crate) fn boxed(
    spec: impl DdSpec<State: Portable> + Send,
    rule: Rule,
) -> Result<Store, BuildError> {
    store(&mut Frontier::of(spec.boxed()).engine, rule)
}

/// The store of the diagram, if this is the first or the only process.
fn store_in_first(engine: &mut Engine<'_>, rule: Rule) -> Result<Option<Store>, BuildError> {
    let built = engine.build(rule).and_then(|built| {
        let Built { unreduced, checkpoint, mut monitor, mesh } = built;
        let peers = mesh.map(|mesh| Peers::new(mesh, monitor.watch.clone()));
        let store = reduce(Memory::for_run(&monitor), unreduced, rule, &mut monitor, peers)?;
        Ok((store, checkpoint))
    });
    let (store, checkpoint) = engine.tell_others(built)?;
    engine.finish(checkpoint);
    Ok(store)
}

/// Builds and reduces the ZDD of `spec`: skipped variables are 0. The short form of
/// [`Frontier::zdd`], without limits.
///
/// Cost: one call of [`DdSpec::for_each_child`] for each state. Memory: all edges, and the states of
/// the levels in progress. Then a reduction sorts the nodes of each level. Both run on the threads
/// of the current rayon pool.
///
/// ```
/// let zdd = topdd::zdd(&topdd::constraint::at_most(4, 2))?;
/// assert_eq!(zdd.count(), 11u32.into()); // 1 + 4 + 6 subsets of at most 2 of 4
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// When the spec breaks its contract, or the diagram has more nodes than can be numbered.
pub fn zdd<S: DdSpec>(spec: &S) -> Result<Zdd, BuildError> {
    Frontier::over(spec).zdd()
}

/// Builds and reduces the BDD of `spec`: skipped variables may have any value. The short form of
/// [`Frontier::bdd`], without limits. Cost as for [`zdd`].
///
/// ```
/// // Variable 0 is 1. Variables 1 and 2 are free, so they have no nodes.
/// let first = topdd::constraint::at_least(3, 1).on([0]);
/// assert_eq!(topdd::bdd(&first)?.count(), 4u32.into());
/// assert_eq!(topdd::bdd(&first)?.node_count(), 1);
/// # Ok::<(), topdd::BuildError>(())
/// ```
///
/// # Errors
///
/// When the spec breaks its contract, or the diagram has more nodes than can be numbered.
pub fn bdd<S: DdSpec>(spec: &S) -> Result<Bdd, BuildError> {
    Frontier::over(spec).bdd()
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the same family as a diagram under the rule `Q`.
    ///
    /// Cost: a sweep over the nodes. The result may be larger: each node occurs once more at each
    /// variable that edges to it skip, so it has at most `num_vars` times as many nodes.
    ///
    /// ```
    /// use topdd::Zdd;
    ///
    /// let zdd = Zdd::from_solutions([2; 3], [[0, 1, 0]])?;
    /// let bdd = zdd.to_bdd()?;
    /// assert_eq!((zdd.node_count(), bdd.node_count()), (1, 3));
    /// assert!(bdd.iter().eq(zdd.iter()));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn to_rule<Q: DiagramRule>(&self) -> Result<Diagram<Q>, BuildError> {
        Frontier::over(self).diagram()
    }
}

impl Diagram<ZeroSuppressed> {
    /// Returns the same family as a BDD. Cost as for [`to_rule`](Diagram::to_rule).
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn to_bdd(&self) -> Result<Bdd, BuildError> {
        self.to_rule()
    }
}

impl Diagram<AnyValue> {
    /// Returns the same family as a ZDD. Cost as for [`to_rule`](Diagram::to_rule).
    ///
    /// ```
    /// use topdd::{Bdd, Zdd};
    ///
    /// assert_eq!(Bdd::full([2; 3])?.to_zdd()?, Zdd::full([2; 3])?);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn to_zdd(&self) -> Result<Zdd, BuildError> {
        self.to_rule()
    }
}
