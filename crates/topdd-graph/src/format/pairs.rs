//! Edges that an undirected file lists in both directions.

use std::collections::HashMap;

use super::draft::{Draft, GivenWeight};
use super::{EdgePairs, FormatError};

/// The edges between two vertices, by direction, as positions in the list.
#[derive(Default)]
struct Between {
    /// From the smaller to the larger vertex.
    up: Vec<usize>,
    down: Vec<usize>,
}

/// Joins the edges in both directions of an undirected draft, if they are one each.
pub(super) fn join(draft: &mut Draft, pairs: EdgePairs) -> Result<(), FormatError> {
    if pairs == EdgePairs::Keep {
        return Ok(());
    }
    let mut between: HashMap<(usize, usize), Between> = HashMap::new();
    for (position, edge) in draft.edges.iter().enumerate() {
        let (a, b) = edge.ends;
        if a != b {
            let entry = between.entry((a.min(b), a.max(b))).or_default();
            if a < b { entry.up.push(position) } else { entry.down.push(position) }
        }
    }
    let edges: usize = between.values().map(|edges| edges.up.len() + edges.down.len()).sum();
    let paired = between.values().map(|edges| edges.up.len().min(edges.down.len())).sum::<usize>();
    if paired == 0 {
        return Ok(());
    }
    let all = 2 * paired == edges;
    if draft.of_lists && !all && pairs == EdgePairs::Auto {
        return Err(one_sided(draft, between.values()));
    }
    if !all && pairs == EdgePairs::Auto {
        if 4 * paired > edges {
            draft.notes.push(format!(
                "{paired} pairs of edges are in both directions, and other edges are not, so all are read as \
                 parallel edges; `EdgePairs::Merge` reads each pair as one edge"
            ));
        }
        return Ok(());
    }
    let mut removed = vec![false; draft.edges.len()];
    for edges in between.values() {
        let both = edges.up.len().min(edges.down.len());
        check_weights(draft, edges, both)?;
        // The later ones go.
        let up_first = edges.up.first() < edges.down.first();
        let later = if up_first { &edges.down } else { &edges.up };
        later.iter().take(both).for_each(|&position| removed[position] = true);
    }
    let mut removed = removed.into_iter();
    draft.edges.retain(|_| !removed.next().unwrap_or_default());
    let which = if all { "every edge is" } else { "some edges are" };
    draft.notes.push(format!(
        "{which} in the file in both directions, and each pair is read as one edge, {} in all; `EdgePairs::Keep` \
         reads both",
        draft.edges.len()
    ));
    Ok(())
}

/// The error for lists of neighbours of which only some have both ends of an edge.
fn one_sided<'a>(draft: &Draft, between: impl Iterator<Item = &'a Between>) -> FormatError {
    let once = between.filter(|edges| edges.up.len() != edges.down.len());
    let once = once.flat_map(|edges| edges.up.iter().chain(&edges.down)).min();
    let Some(edge) = once.map(|&position| &draft.edges[position]) else {
        return FormatError::new("the lists of neighbours do not agree");
    };
    let (a, b) = (&draft.labels[edge.ends.0], &draft.labels[edge.ends.1]);
    FormatError::at(
        edge.line,
        format!(
            "{b} is a neighbour of {a}, and {a} is none of {b}, while other edges are in the lists of both ends; \
             correct the lists, or read each pair as one edge with `EdgePairs::Merge`"
        ),
    )
}

/// Fails if the edges in one direction have other weights than those in the other.
fn check_weights(draft: &Draft, edges: &Between, both: usize) -> Result<(), FormatError> {
    let weights = |positions: &[usize]| {
        let mut weights: Vec<String> =
            positions.iter().take(both).map(|&p| shown(draft.edges[p].weight.as_ref())).collect();
        weights.sort_unstable();
        weights
    };
    let (up, down) = (weights(&edges.up), weights(&edges.down));
    let Some(place) = up.iter().zip(&down).position(|(a, b)| a != b) else { return Ok(()) };
    let edge = &draft.edges[edges.down[place].max(edges.up[place])];
    let (a, b) = (&draft.labels[edge.ends.0], &draft.labels[edge.ends.1]);
    Err(FormatError::at(
        edge.line,
        format!(
            "the edge between {a} and {b} is in the file in both directions, with different weights, {} and {}; \
             read the file as directed with `GraphReadOptions::directed`, or both as parallel edges with `EdgePairs::Keep`",
            up[place], down[place]
        ),
    ))
}

fn shown(weight: Option<&GivenWeight>) -> String {
    match weight {
        None => "none".to_owned(),
        Some(Ok(weight)) => weight.number().to_string(),
        Some(Err(_)) => "no number".to_owned(),
    }
}
