//! Edges that an undirected file lists in both directions.

use super::draft::Draft;
use super::number::GivenWeight;
use super::{FormatError, GraphFormat};
use crate::GraphError;
use crate::directions::opposite;

/// Joins the edges in both directions of an undirected draft. Without an option, joins them only if the file lists every
/// edge in both directions.
pub(super) fn join(
    draft: &mut Draft,
    format: GraphFormat,
    merge: Option<bool>,
) -> Result<(), FormatError> {
    if merge == Some(false) {
        return Ok(());
    }
    let ends = || draft.edges.iter().map(|edge| edge.ends);
    let paired = opposite(ends(), |_, _| true).unwrap_or_default();
    let edges = ends().filter(|(a, b)| a != b).count();
    let all = 2 * paired.len() == edges;
    let Some(&first) = paired.first() else { return Ok(()) };
    if !all && merge.is_none() {
        if draft.of_lists {
            return Err(one_sided(draft, &paired));
        }
        if draft.directed {
            let edges = [first.0, first.1].map(|edge| name(draft, edge));
            let error = GraphError::BothDirections { edges };
            return Err(FormatError::at(draft.edges[first.1].line, error.to_string()));
        }
        if 4 * paired.len() > edges {
            draft.notes.push(format!(
                "{} pairs of edges are in both directions, and other edges are not, so all are read as \
                 parallel edges; `GraphReadOptions::merge_directions` reads each pair as one edge",
                paired.len()
            ));
        }
        return Ok(());
    }
    let edge = |position: usize| &draft.edges[position];
    let is_same =
        |a: usize, b: usize| (&edge(a).weight, &edge(a).label) == (&edge(b).weight, &edge(b).label);
    let paired = opposite(ends(), is_same).map_err(|pair| different(draft, format, pair))?;
    let mut is_kept = vec![true; draft.edges.len()];
    for (_, later) in paired {
        is_kept[later] = false;
    }
    let mut is_kept = is_kept.into_iter();
    draft.edges.retain(|_| is_kept.next().unwrap_or_default());
    let which = if all { "every edge is" } else { "some edges are" };
    draft.notes.push(format!(
        "{which} in the file in both directions, and each pair is read as one edge, {} in all; \
         `GraphReadOptions::merge_directions(false)` reads both",
        draft.edges.len()
    ));
    Ok(())
}

/// The name of an edge with its direction.
fn name(draft: &Draft, edge: usize) -> String {
    let (a, b) = draft.edges[edge].ends;
    format!("{}->{}", draft.labels[a], draft.labels[b])
}

/// The error for lists of neighbours of which only some have both ends of an edge.
fn one_sided(draft: &Draft, paired: &[(usize, usize)]) -> FormatError {
    let mut is_single = vec![true; draft.edges.len()];
    for &(edge, other) in paired {
        (is_single[edge], is_single[other]) = (false, false);
    }
    let mut edges = draft.edges.iter().zip(is_single);
    let Some((edge, _)) = edges.find(|(edge, single)| *single && edge.ends.0 != edge.ends.1) else {
        return FormatError::new("the lists of neighbours do not agree");
    };
    let (a, b) = (&draft.labels[edge.ends.0], &draft.labels[edge.ends.1]);
    FormatError::at(
        edge.line,
        format!(
            "{b} is a neighbour of {a}, and {a} is none of {b}, while other edges are in the lists of both ends; \
             correct the lists, or read each pair as one edge with `GraphReadOptions::merge_directions`"
        ),
    )
}

/// The error for edges in opposite directions that are not the same.
fn different(draft: &Draft, format: GraphFormat, pair: (usize, usize)) -> FormatError {
    let pair = [pair.0, pair.1];
    let edges = pair.map(|edge| &draft.edges[edge]);
    let (attribute, values) = if edges[0].weight == edges[1].weight {
        ("label", edges.map(|edge| edge.label.clone().unwrap_or_default()))
    } else {
        ("weight", edges.map(|edge| shown(edge.weight.as_ref())))
    };
    let error = GraphError::differing(pair.map(|edge| name(draft, edge)), attribute, values);
    let has_columns = [GraphFormat::EdgeList, GraphFormat::Csv].contains(&format);
    let without = if has_columns && attribute == "weight" {
        ", or leave them out with `GraphReadOptions::columns`, such as 1,2"
    } else {
        ""
    };
    FormatError::at(
        draft.edges[pair[1]].line,
        format!(
            "{error}{without}; `GraphReadOptions::merge_directions(false)` reads both as parallel edges, and \
             `GraphReadOptions::directed` keeps directions where they count"
        ),
    )
}

fn shown(weight: Option<&GivenWeight>) -> String {
    match weight {
        Some(Ok(weight)) => weight.number().to_string(),
        Some(Err(text)) if !text.is_empty() => text.clone(),
        None | Some(Err(_)) => "none".to_owned(),
    }
}
