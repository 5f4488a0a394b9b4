//! Runs of chunks that one thread reads.

use super::Task;
use std::ops::Range;

/// Chunks that are read one after the other.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) chunks: Range<usize>,
    /// The number of the first state.
    pub(super) first: u32,
    pub(super) states: usize,
    pub(super) edges: usize,
}

/// Spans for each thread, so that one that ends early finds more to do.
const SPANS_PER_THREAD: usize = 4;
/// Edges in a span are numbered in 32 bits.
const MOST_EDGES: usize = 1 << 31;

/// Cuts the chunks of a level into spans of about the same size.
pub(super) fn spans(task: &Task<'_>) -> Vec<Span> {
    let states = task.level.nodes as usize;
    let parts = task.workers.map_or(1, |workers| workers.threads() * SPANS_PER_THREAD);
    let wanted = states.div_ceil(parts);
    let mut spans: Vec<Span> = Vec::with_capacity(parts + 1);
    let mut first = 0;
    for (index, (nodes, edges)) in task.level.chunk_sizes().enumerate() {
        match spans.last_mut() {
            Some(span) if span.states < wanted && span.edges + edges <= MOST_EDGES => {
                span.chunks.end = index + 1;
                span.states += nodes;
                span.edges += edges;
            }
            _ => spans.push(Span { chunks: index..index + 1, first, states: nodes, edges }),
        }
        first += nodes as u32;
    }
    spans
}
