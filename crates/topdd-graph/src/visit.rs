//! Choosing the width of the state at run time.

use super::plan::Schedule;
use super::walks::{Encoding, WalkError, Walks};
use super::{ByEdge, ByVertex};
use crate::SpecVisitor;

/// The widths there are. Each is one more copy of the engine in the user's program, so
/// they get sparse where states are large anyway.
macro_rules! with_width {
    ($needed:expr, $spec:ident, $walks:expr, $visitor:expr, $($width:literal)*) => {
        match $needed {
            $(needed if needed <= $width => Ok($visitor.visit($spec::<$width>::new($walks)?)),)*
            _ => {
                // Too wide for all: the error of the widest says so.
                $spec::<64>::new($walks).map(|spec| $visitor.visit(spec))
            }
        }
    };
}

impl Walks {
    /// The least `W` for which [`ByEdge`] or [`ByVertex`] can be made.
    pub fn words(&self, encoding: Encoding) -> usize {
        Schedule::new(self, encoding).widths.words
    }

    /// Makes the spec with states as small as they can be and gives it to a visitor.
    ///
    /// # Errors
    ///
    /// - [`WalkError::TooWide`] if more than 64 words are needed. This takes a frontier of
    ///   more than 448 vertices; make the spec with the `W` that the error names.
    /// - The others of [`WalkError`] if the fixed ends make no sense.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd::DdSpec;
    /// use topdd_graph::SpecVisitor;
    /// use topdd_graph::{Encoding, Graph, Walks};
    ///
    /// struct StateSize;
    ///
    /// impl SpecVisitor for StateSize {
    ///     type Output = usize;
    ///     fn visit<S: DdSpec>(self, _: S) -> usize { size_of::<S::State>() }
    /// }
    ///
    /// let narrow = Walks::hamiltonian_cycles(Graph::knight(10, 6));
    /// assert_eq!(narrow.visit(Encoding::ByVertex, StateSize)?, 8);
    /// let wide = Walks::hamiltonian_cycles(Graph::knight(10, 10));
    /// assert_eq!(wide.visit(Encoding::ByVertex, StateSize)?, 16);
    /// # Ok::<(), topdd_graph::WalkError>(())
    /// ```
    pub fn visit<V: SpecVisitor>(
        &self,
        encoding: Encoding,
        visitor: V,
    ) -> Result<V::Output, WalkError> {
        let needed = self.words(encoding);
        match encoding {
            Encoding::ByEdge => with_width!(needed, ByEdge, self, visitor, 1 2 4 16 64),
            Encoding::ByVertex => {
                with_width!(needed, ByVertex, self, visitor, 1 2 4 16 64)
            }
        }
    }
}
