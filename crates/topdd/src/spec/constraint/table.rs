//! Listed tuples.

use super::Constraint;
use super::kind::{ConstraintKind, check_pair};
use super::layers::Layers;
use crate::spec::Space;
use std::sync::Arc;

/// A list of allowed tuples; the kind of [`table`].
#[derive(Clone, Debug)]
pub struct Table(Arc<[Vec<usize>]>);

/// Requires that the values are one of the listed tuples, each with one value per variable.
///
/// States: the states of the smallest automaton that accepts the tuples, at most one per tuple and
/// variable.
///
/// ```
/// use topdd::constraint;
///
/// let tuples = [[0, 2, 1], [1, 1, 1], [2, 0, 0]];
/// let table = constraint::table([3, 3, 2], tuples);
/// assert!(topdd::zdd(&table)?.iter().eq(tuples));
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn table<T: Into<Vec<usize>>>(
    space: impl Into<Space>,
    tuples: impl IntoIterator<Item = T>,
) -> Constraint<Table> {
    let mut tuples: Vec<Vec<usize>> = tuples.into_iter().map(Into::into).collect();
    tuples.sort_unstable();
    tuples.dedup();
    Constraint::new(space, Table(tuples.into()))
}

impl ConstraintKind for Table {
    type Reader = Layers;

    fn name(&self) -> &'static str {
        "table"
    }

    fn reader(&self, arities: &[usize]) -> Result<Layers, String> {
        for tuple in self.0.iter() {
            if tuple.len() != arities.len() {
                let (values, wanted) = (tuple.len(), arities.len());
                return Err(format!("tuple {tuple:?} has {values} values, not {wanted}"));
            }
            let mut pairs = tuple.iter().copied().enumerate();
            pairs
                .try_for_each(|(position, value)| check_pair(arities, position, value))
                .map_err(|message| format!("tuple {tuple:?}: {message}"))?;
        }
        Ok(Layers::of_tuples(arities, &self.0))
    }
}
