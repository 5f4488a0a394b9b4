//! From a spec to a diagram.

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

// Not generic, so that it is compiled once.
pub(super) fn store(engine: &mut Engine<'_>, rule: Rule) -> Result<Store, BuildError> {
    let (unreduced, checkpoint, mut monitor) = engine.build(rule)?;
    let store = reduce(unreduced, rule, &mut monitor)?;
    engine.finish(checkpoint);
    Ok(store)
}

/// Builds and reduces the ZDD of `spec`: skipped variables are 0. [`Frontier::zdd`] with
/// no limits.
///
/// # Errors
///
/// When the spec breaks its contract, or the diagram has more nodes than can be numbered.
pub fn zdd<S: DdSpec>(spec: &S) -> Result<Zdd, BuildError> {
    Frontier::over(spec).zdd()
}

/// Builds and reduces the BDD of `spec`: skipped variables may have any value.
/// [`Frontier::bdd`] with no limits.
///
/// # Errors
///
/// As for [`zdd`].
pub fn bdd<S: DdSpec>(spec: &S) -> Result<Bdd, BuildError> {
    Frontier::over(spec).bdd()
}

impl<R: DiagramRule> Diagram<R> {
    /// The same family as a diagram under the rule `Q`.
    ///
    /// Costs a sweep; the result may be larger, up to a factor of the number of variables.
    ///
    /// # Errors
    ///
    /// When the result has more nodes than can be numbered.
    pub fn to_rule<Q: DiagramRule>(&self) -> Result<Diagram<Q>, BuildError> {
        Frontier::over(self).diagram()
    }
}

impl Diagram<ZeroSuppressed> {
    /// The same family as a BDD.
    ///
    /// # Errors
    ///
    /// As for [`to_rule`](Diagram::to_rule).
    pub fn to_bdd(&self) -> Result<Bdd, BuildError> {
        self.to_rule()
    }
}

impl Diagram<AnyValue> {
    /// The same family as a ZDD.
    ///
    /// # Errors
    ///
    /// As for [`to_rule`](Diagram::to_rule).
    pub fn to_zdd(&self) -> Result<Zdd, BuildError> {
        self.to_rule()
    }
}
