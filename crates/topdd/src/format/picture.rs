//! Common parts of all pictures.

use crate::diagram::store::{LevelView, NodeId, NodeStore, ValueEdge};
use crate::spec::Rule;
use std::fmt;

/// The edges of a node that lead to the same child, drawn as one.
pub(super) struct Arrow {
    pub(super) target: NodeId,
    /// The values, as [`runs`] writes them.
    pub(super) label: String,
    /// Of a two-valued node the edge of value 0 is dashed, as is custom.
    pub(super) dashed: bool,
}

/// The arrows that leave a node of a level, by their least values. Of a two-valued node there is
/// one for each value, so that each has its style.
pub(super) fn arrows(store: &NodeStore, level: &LevelView<'_>, position: usize) -> Vec<Arrow> {
    let edges: Vec<ValueEdge> = level.edges(position).collect();
    if store.arities.get(level.variable) == 2 {
        let arrow = |edge: &ValueEdge| {
            let ValueEdge { value, target } = *edge;
            Arrow { target, label: value.to_string(), dashed: value == 0 }
        };
        return edges.iter().map(arrow).collect();
    }
    let mut by_target = edges.clone();
    by_target.sort_by_key(|edge| (edge.target, edge.value));
    let mut arrows: Vec<(u32, Arrow)> = by_target
        .chunk_by(|a, b| a.target == b.target)
        .map(|same| {
            let label = runs(same.iter().map(|edge| edge.value));
            (same[0].value, Arrow { target: same[0].target, label, dashed: false })
        })
        .collect();
    arrows.sort_by_key(|&(least, _)| least);
    arrows.into_iter().map(|(_, arrow)| arrow).collect()
}

/// Ascending numbers, with three and more in a row written short: `0, 2, 4..7`.
fn runs(values: impl IntoIterator<Item = u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == value => *last = value,
            _ => runs.push((value, value)),
        }
    }
    let written = runs.into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}..{last}"),
    });
    written.collect::<Vec<_>>().join(", ")
}

/// The title of a picture: two families may have the same nodes.
pub(super) struct Title<'a> {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) store: &'a NodeStore,
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arities = &self.store.arities;
        let number = arities.num_vars();
        let plural = if number == 1 { "" } else { "s" };
        write!(f, "{} over {number} variable{plural}", self.name)?;
        let values = (0..number).map(|variable| arities.get(variable));
        match (values.clone().min(), values.max()) {
            (None, _) | (Some(2), Some(2)) => {}
            (Some(1), Some(1)) => write!(f, " of 1 value")?,
            (Some(least), Some(most)) if least == most => write!(f, " of {most} values")?,
            (Some(least), most) => write!(f, " of {least} to {} values", most.unwrap_or(least))?,
        }
        f.write_str(match self.rule {
            Rule::ZeroSuppressed => ": skipped variables are 0",
            Rule::AnyValue => ": skipped variables may have any value",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn values_in_a_row_are_written_short() {
        for (values, text) in [
            (&[3][..], "3"),
            (&[0, 1], "0, 1"),
            (&[0, 1, 2], "0..2"),
            (&[0, 2, 4, 5, 6, 7, 9, 10], "0, 2, 4..7, 9, 10"),
        ] {
            assert_eq!(runs(values.iter().copied()), text);
        }
    }
}
