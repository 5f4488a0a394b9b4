//! Edges that an undirected file lists in both directions, and names in two forms.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::draft::{Draft, DraftEdge, Stated};
use super::{FormatError, FormatFault, GraphFormat, Note, NoteKind, Remedy};
use crate::GraphError;
use crate::directions::opposite;

/// Joins the edges in both directions of an undirected draft. Without an option, joins them only if the file lists every
/// edge in both directions, as METIS files must.
pub(super) fn join(
    draft: &mut Draft,
    format: GraphFormat,
    merge: Option<bool>,
) -> Result<(), FormatError> {
    let is_metis = format == GraphFormat::Metis;
    let merge = merge.filter(|_| !is_metis);
    if merge == Some(false) {
        return Ok(());
    }
    let ends = || draft.edges.iter().map(|edge| edge.ends);
    let paired = opposite(ends(), |_, _| true).unwrap_or_default();
    let edges = ends().filter(|(a, b)| a != b).count();
    let all = 2 * paired.len() == edges;
    if paired.is_empty() && !(is_metis && edges > 0) {
        return Ok(());
    }
    if !all && merge.is_none() {
        return if is_metis {
            Err(one_sided(draft, &paired))
        } else {
            check_some(draft, &paired, edges)
        };
    }
    let is_same = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|edge| &draft.edges[edge]);
        (&a.weight, &a.label) == (&b.weight, &b.label)
    };
    let paired =
        opposite(ends(), is_same).map_err(|(one, two)| different(draft, format, [one, two]))?;
    let mut is_kept = vec![true; draft.edges.len()];
    for (_, later) in paired {
        is_kept[later] = false;
    }
    let mut is_kept = is_kept.into_iter();
    draft.edges.retain(|_| is_kept.next().unwrap_or_default());
    if is_metis {
        return Ok(());
    }
    let which = if all { "every edge is" } else { "some edges are" };
    let note = format!(
        "{which} in the file in both directions, and each pair is read as one edge, {} in all",
        draft.edges.len()
    );
    draft.notes.push(Note::new(NoteKind::Directions, note).or(Remedy::KeepDirections));
    Ok(())
}

/// Judges edges of which only some are in both directions.
fn check_some(
    draft: &mut Draft,
    paired: &[(usize, usize)],
    edges: usize,
) -> Result<(), FormatError> {
    if draft.of_lists {
        return Err(one_sided(draft, paired).or(Remedy::MergeDirections));
    }
    if draft.stated == Stated::Directed {
        let edges = [paired[0].0, paired[0].1];
        let line = draft.edges[edges[1]].line;
        let error = GraphError::BothDirections { edges: edges.map(|edge| name(draft, edge)) };
        let error = FormatError::of_fault(Some(line), FormatFault::Directions(error));
        return Err(error.or(Remedy::MergeDirections));
    }
    if 4 * paired.len() > edges {
        let pairs = paired.len();
        let note = format!(
            "{pairs} pairs of edges are in both directions, and other edges are not, so all are read as parallel edges"
        );
        draft.notes.push(Note::new(NoteKind::Directions, note).or(Remedy::MergeDirections));
    }
    Ok(())
}

/// The name of an edge with its direction.
fn name(draft: &Draft, edge: usize) -> String {
    let (a, b) = draft.edges[edge].ends;
    format!("{}->{}", draft.vertices[a].label, draft.vertices[b].label)
}

/// The error for lists of neighbours of which only some have both ends of an edge.
fn one_sided(draft: &Draft, paired: &[(usize, usize)]) -> FormatError {
    let paired: HashSet<usize> = paired.iter().flat_map(|&(edge, other)| [edge, other]).collect();
    let mut edges = draft.edges.iter().enumerate();
    let single = edges.find(|(at, edge)| edge.ends.0 != edge.ends.1 && !paired.contains(at));
    let edge = single.map_or(&draft.edges[0], |(_, edge)| edge);
    let [a, b] = [edge.ends.0, edge.ends.1].map(|vertex| &draft.vertices[vertex].label);
    let message = format!(
        "{b} is a neighbour of {a}, and {a} is none of {b}, while other edges are in the lists of both ends; correct the \
         lists"
    );
    FormatError::at(edge.line, message)
}

/// The error for edges in opposite directions that are not the same.
fn different(draft: &Draft, format: GraphFormat, pair: [usize; 2]) -> FormatError {
    let edges = pair.map(|edge| &draft.edges[edge]);
    let are_labels = edges[0].weight == edges[1].weight;
    let (attribute, values) = if are_labels {
        ("label", edges.map(|edge| edge.label.clone().unwrap_or_default()))
    } else {
        ("weight", edges.map(DraftEdge::weight_text))
    };
    let error = GraphError::differing(pair.map(|edge| name(draft, edge)), attribute, values);
    let error = FormatError::of_fault(Some(edges[1].line), FormatFault::Directions(error));
    let has_columns = matches!(format, GraphFormat::EdgeList | GraphFormat::Csv) && !are_labels;
    let ends = ["1", "2"].map(str::to_owned);
    let error = if has_columns { error.or(Remedy::Columns(ends.into())) } else { error };
    let error = if format == GraphFormat::Metis { error } else { error.or(Remedy::KeepDirections) };
    error.or(Remedy::Directed)
}

/// Returns a note about the first two names that are the same in two forms of Unicode, and so are two vertices; `None`
/// if there are none.
///
/// ```
/// use topdd_graph::format::note_of_forms;
///
/// let note = note_of_forms(["Bern", "Z\u{fc}rich", "Zu\u{308}rich"]).unwrap();
/// assert!(note.starts_with(r"`Z\u{fc}rich` and `Zu\u{308}rich` are the same name in two forms of Unicode"));
/// assert_eq!(note_of_forms(["Bern", "Z\u{fc}rich"]), None);
/// ```
pub fn note_of_forms<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut seen = HashMap::new();
    let mut names = names.into_iter().filter(|name| !name.is_ascii());
    names.find_map(|name| {
        let first = *seen.entry(composed(name)).or_insert(name);
        (first != name).then(|| {
            format!(
                "`{}` and `{}` are the same name in two forms of Unicode, and are read as two vertices; write one of \
                 them only",
                first.escape_default(),
                name.escape_default()
            )
        })
    })
}

/// The composed form of a name.
pub(super) fn composed(name: &str) -> String {
    name.nfc().collect()
}
