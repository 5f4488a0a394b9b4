//! Sets of pairs of a variable and a value.

use super::kind::check_pair;
use crate::spec::PerValue;

/// The marked values: all but 0, or given pairs of a variable and a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks(Option<Vec<(usize, usize)>>);

/// Returns, for each variable, its only value that is marked, or not marked, if there is only one.
pub(super) fn only_values(
    arities: &[usize],
    table: &PerValue<bool>,
    marked: bool,
) -> Vec<Option<usize>> {
    let only = |position| {
        let marks = table.variable(position).iter().enumerate();
        let mut values = marks.filter(|&(_, &mark)| mark == marked).map(|(value, _)| value);
        values.next().filter(|_| values.next().is_none())
    };
    (0..arities.len()).map(only).collect()
}

impl Marks {
    pub(super) fn from_pairs(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        Marks(Some(pairs.into_iter().collect()))
    }

    /// Returns whether each value of each variable is marked.
    pub(super) fn table(&self, arities: &[usize]) -> Result<PerValue<bool>, String> {
        let Some(pairs) = &self.0 else {
            return Ok(PerValue::new(arities.iter().copied(), |_, value| value != 0));
        };
        let mut table = PerValue::new(arities.iter().copied(), |_, _| false);
        for &(position, value) in pairs {
            check_pair(arities, position, value)?;
            table.variable_mut(position)[value] = true;
        }
        Ok(table)
    }
}
