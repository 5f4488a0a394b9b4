//! Handing a spec whose type is chosen at run time to code that is generic over specs.

use topdd::{DdSpec, Portable};

/// Something to do with a spec, whatever its type.
///
/// The states of some problems come in several widths, and the best one is known only
/// when the size of the problem is. Such a problem picks the spec and hands it to a
/// visitor, so that a caller need not know the types:
///
/// ```
/// use topdd::DdSpec;
/// use topdd_graph::{Encoding, SpecVisitor};
///
/// struct NumVars;
///
/// impl SpecVisitor for NumVars {
///     type Output = usize;
///     fn visit<S: DdSpec>(self, spec: S) -> usize {
///         spec.num_vars()
///     }
/// }
///
/// let paths = topdd_graph::grid_paths(5);
/// assert_eq!(paths.visit(Encoding::ByVertex, NumVars)?, 25);
/// assert_eq!(paths.visit(Encoding::ByEdge, NumVars)?, 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SpecVisitor {
    /// What comes of it.
    type Output;

    /// Does it. The states of all problems here are [`Portable`], for those who spill or make
    /// checkpoints; an implementation that does not need this need not ask for it.
    fn visit<S: DdSpec<State: Portable>>(self, spec: S) -> Self::Output;
}
