//! Counts of simple paths of at most so many edges.

mod counts;
mod heads;
mod mates;
mod sweep;
#[cfg(test)]
mod tests;

use crate::{Graph, GraphError};
use crate::families::{FamilyError, Unit};
use crate::order::{Cost, edges_on_paths, find_order};
use num_bigint::BigUint;
use std::cell::OnceCell;
use std::time::Duration;
use topdd::{BuildError, CancelToken, Limit};

use sweep::Meter;

/// A way to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// By the head of the path and the usable vertices.
    Heads,
    /// By the pieces at the frontier of an order of the edges.
    Mates,
}

/// The states of the first trial of the slower method.
const FIRST_TRIAL: u64 = 1 << 15;

impl Method {
    /// The states that are expanded in the time of one of the slower method.
    fn pace(self) -> u64 {
        match self {
            Method::Heads => 1,
            Method::Mates => 32,
        }
    }
}

/// A count of the simple paths of at most so many edges between two vertices of an undirected graph, or between any two.
pub struct BoundedPaths {
    graph: Graph,
    ends: Option<(usize, usize)>,
    length: usize,
    /// The order of the edges, once it is found.
    order: OnceCell<Vec<usize>>,
    meter: Meter,
}

impl BoundedPaths {
    pub fn new(
        graph: &Graph,
        ends: Option<(usize, usize)>,
        length: usize,
    ) -> Result<Self, FamilyError> {
        if graph.is_directed() {
            return Err(GraphError::Directed.into());
        }
        let vertices = graph.num_vertices();
        if let Some((from, to)) = ends {
            if from.max(to) >= vertices {
                return Err(FamilyError::VertexOutOfRange { vertex: from.max(to), vertices });
            }
            if from == to {
                return Err(FamilyError::EqualEnds { vertex: from });
            }
        }
        let on_paths = match ends {
            Some((from, to)) => edges_on_paths(graph, from, to, Some(length)),
            None => graph.edges().iter().map(|(a, b)| a != b).collect(),
        };
        let edges = graph.edges().iter().zip(on_paths).filter(|(_, on_path)| *on_path);
        let graph = Graph::new(vertices, edges.map(|(&edge, _)| edge))?;
        let used = (0..vertices).filter(|&vertex| graph.degree(vertex) > 0).count();
        let length = length.min(used.saturating_sub(1));
        Ok(Self { graph, ends, length, order: OnceCell::new(), meter: Meter::new() })
    }

    pub fn threads(mut self, threads: usize) -> Self {
        self.meter.threads = threads;
        self
    }

    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.meter.memory_limit = Some(bytes);
        self
    }

    pub fn time_limit(mut self, time: Duration) -> Self {
        self.meter.time_limit = Some(time);
        self
    }

    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.meter.cancel = Some(token.clone());
        self
    }

    /// The number of states that were expanded.
    pub fn states(&self) -> u64 {
        self.meter.states()
    }

    /// The largest size of all states in bytes.
    pub fn peak_bytes(&self) -> usize {
        self.meter.peak_bytes()
    }

    /// Counts the paths.
    ///
    /// # Errors
    ///
    /// [`BuildError`] if a limit is reached, or the run is cancelled.
    pub fn count(&mut self) -> Result<BigUint, FamilyError> {
        let mut methods = vec![Method::Heads, Method::Mates];
        let mut trial = FIRST_TRIAL;
        let mut error = FamilyError::TooWide { slots: 0, bytes: 0, most: 0 };
        while !methods.is_empty() {
            let mut at = 0;
            while let Some(&method) = methods.get(at) {
                let others = methods.len() > 1;
                self.meter.max_states = others.then(|| trial.saturating_mul(method.pace()));
                match self.count_by(method) {
                    Some(Err(BuildError::LimitReached { limit: Limit::States(_), .. })) => at += 1,
                    None => _ = methods.remove(at),
                    Some(Err(memory @ BuildError::LimitReached { limit: Limit::Bytes(_), .. })) => {
                        error = memory.into();
                        methods.remove(at);
                    }
                    Some(done) => return Ok(done?),
                }
            }
            trial = trial.saturating_mul(8);
        }
        Err(error)
    }

    fn has_parallel_edges(&self) -> bool {
        let mut pairs: Vec<_> =
            self.graph.edges().iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        pairs.sort_unstable();
        pairs.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Counts by one method; `None` if the graph is too large for it.
    pub(crate) fn count_by(&self, method: Method) -> Option<Result<BigUint, BuildError>> {
        self.meter.restart();
        match (method, self.ends) {
            (Method::Heads, _) if self.has_parallel_edges() => None,
            (Method::Heads, Some((from, to))) => {
                let Some((graph, goal)) = narrow_graph(&self.graph, from, to, self.length) else {
                    return Some(Ok(BigUint::ZERO));
                };
                heads::count(&graph, &[0], goal, &self.meter)
            }
            (Method::Heads, None) => {
                // Paths from each vertex to a new one that all are joined to: each path twice, and single vertices.
                let vertices = self.graph.num_vertices();
                let of = |vertex| self.graph.neighbours(vertex).chain([vertices]).collect();
                let mut neighbours: Vec<Vec<usize>> = (0..vertices).map(of).collect();
                neighbours.push((0..vertices).collect());
                let graph = NarrowGraph { neighbours, length: self.length + 1 };
                let starts: Vec<usize> = (0..vertices).collect();
                let counted = heads::count(&graph, &starts, vertices, &self.meter)?;
                Some(counted.map(|count| (count - vertices) >> 1))
            }
            (Method::Mates, ends) => {
                let cost = match ends {
                    Some((from, to)) => Cost::paths(from, to).max_length(self.length),
                    None => Cost::mates(),
                };
                let order = self.order.get_or_init(|| find_order(&self.graph, Unit::Edge, &cost));
                mates::count(&self.graph, ends, self.length, order, &self.meter)
            }
        }
    }
}

/// The neighbours of the vertices of a graph, and the largest number of edges of a path.
struct NarrowGraph {
    neighbours: Vec<Vec<usize>>,
    length: usize,
}

/// The vertices that are reached from an end in breadth-first order, and the number of the other end.
fn narrow_graph(
    graph: &Graph,
    from: usize,
    to: usize,
    length: usize,
) -> Option<(NarrowGraph, usize)> {
    let mut numbers = vec![usize::MAX; graph.num_vertices()];
    let mut order = vec![from];
    numbers[from] = 0;
    let mut at = 0;
    while let Some(&vertex) = order.get(at) {
        at += 1;
        for other in graph.neighbours(vertex) {
            if numbers[other] == usize::MAX {
                numbers[other] = order.len();
                order.push(other);
            }
        }
    }
    let numbered = |&vertex: &usize| graph.neighbours(vertex).map(|other| numbers[other]).collect();
    let neighbours = order.iter().map(numbered).collect();
    (numbers[to] < order.len()).then(|| (NarrowGraph { neighbours, length }, numbers[to]))
}
