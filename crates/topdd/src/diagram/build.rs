//! Construction of diagrams from specs.

use super::reduce::reduce;
use super::rule::{AnyValue, DiagramRule, ZeroSuppressed};
use super::store::Store;
use super::{Bdd, Diagram, Zdd};
use crate::BuildError;
use crate::frontier::{Engine, Frontier};
use crate::spec::{DdSpec, Rule};

impl<S> Frontier<'_, S> {
    /// Builds and reduces the ZDD of the spec: skipped variables are 0.
    ///
    /// # Errors
    ///
    /// When the spec breaks its contract, a limit is reached, the run is cancelled, or
    /// the diagram has more nodes than can be numbered.
    pub fn zdd(&mut self) -> Result<Zdd, BuildError> {
        self.diagram()
    }

    /// Builds and reduces the BDD of the spec: skipped variables may have any value.
    ///
    /// # Errors
    ///
    /// As for [`zdd`](Frontier::zdd).
    pub fn bdd(&mut self) -> Result<Bdd, BuildError> {
        self.diagram()
    }

    /// Builds and reduces the diagram of the spec under the rule `R`.
    ///
    /// # Errors
    ///
    /// As for [`zdd`](Frontier::zdd).
    pub fn diagram<R: DiagramRule>(&mut self) -> Result<Diagram<R>, BuildError> {
        let store = store(self.engine(), R::RULE)?;
        Ok(Diagram::new(store))
    }
}

// Not generic, so it is compiled once.
pub(super) fn store(engine: &mut Engine<'_>, rule: Rule) -> Result<Store, BuildError> {
    let (unreduced, checkpoint, mut monitor) = engine.build(rule)?;
    let store = reduce(unreduced, rule, &mut monitor)?;
    engine.finish(checkpoint);
    Ok(store)
}

/// Builds and reduces the ZDD of `spec`: skipped variables are 0. The short form of
/// [`Frontier::zdd`], without limits.
///
/// Cost: the time of a step for each state and value, and memory for the edges and for the states
/// of the levels in progress; then a reduction that sorts the nodes of each level.
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
/// As for [`zdd`].
pub fn bdd<S: DdSpec>(spec: &S) -> Result<Bdd, BuildError> {
    Frontier::over(spec).bdd()
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the same family as a diagram under the rule `Q`.
    ///
    /// Cost: a sweep. The result may be larger, up to a factor of the number of variables.
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
    /// Returns the same family as a BDD; see [`to_rule`](Diagram::to_rule).
    ///
    /// # Errors
    ///
    /// As for [`to_rule`](Diagram::to_rule).
    pub fn to_bdd(&self) -> Result<Bdd, BuildError> {
        self.to_rule()
    }
}

impl Diagram<AnyValue> {
    /// Returns the same family as a ZDD; see [`to_rule`](Diagram::to_rule).
    ///
    /// # Errors
    ///
    /// As for [`to_rule`](Diagram::to_rule).
    pub fn to_zdd(&self) -> Result<Zdd, BuildError> {
        self.to_rule()
    }
}
