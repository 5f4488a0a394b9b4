//! Counts of the simple paths with a bound on their number of edges, between two vertices of an undirected graph or between any two.
//!
//! Two methods carry counts by length as values of their states. The bound is therefore no part of a state: it cuts the
//! lengths that cannot be completed within it, and removes vertices that no short enough path reaches.
//!
//! | method | state | instances of the International Competition on Graph Counting Algorithms 2023 that only this method solves in 30 s on one core |
//! | --- | --- | --- |
//! | `heads` | the head of the path and the usable vertices | one pair 15, 19 |
//! | `mates` | the pieces at the frontier of an order of the vertices | one pair 10, 17, 25, 26, 29, 38, 52, 54, 64, 65, 71, 72; all pairs 0, 1, 15, 32 |
//!
//! Both rename twins, vertices that may be exchanged, to the first of them. Dense graphs of the competition have many twins, and
//! without the new names the states are ten to a hundred times as many.
//!
//! The engine of [`topdd::Frontier`] keeps each value at a fixed size, and its levels are variables. Here the values differ in
//! size, and a level of `heads` is a number of usable vertices. Therefore both methods share a table of states of their own. Memory,
//! time and cancellation are limited as in the engine. A count has checkpoints, but no spill files.

mod counts;
mod heads;
mod mates;
mod saved;
mod steps;
mod sweep;
#[cfg(test)]
mod tests;

use crate::families::{FamilyError, Unit};
use crate::lists::Lists;
use crate::order::{Cost, edges_on_paths, find_order, frontier_widths, sides};
use crate::{Graph, GraphError};
use num_bigint::BigUint;
use std::cell::OnceCell;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use topdd::frontier::RunCheckpoint;
use topdd::{BuildError, CancelToken, FinishedCheckpoint, Limit};

use steps::MateTask;
use sweep::{Meter, PathRun};

/// A way to count [`BoundedPaths`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMethod {
    /// By the head of the path and the usable vertices.
    Heads,
    /// By the pieces at the frontier of an order of the vertices.
    Mates,
}

/// The most vertices that `heads` accepts: 2016 fit into a row, and a count of all pairs adds one.
const MAX_VERTICES: usize = 2015;

/// The largest number of vertices on a frontier.
const MAX_SLOTS: usize = 64;

impl fmt::Display for PathMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathMethod::Heads => "heads",
            PathMethod::Mates => "mates",
        })
    }
}

impl PathMethod {
    const ALL: [Self; 2] = [PathMethod::Heads, PathMethod::Mates];

    /// The index in [`PathMethod::ALL`].
    fn index(self) -> usize {
        self as usize
    }

    /// The cost of a unit of work, where the method of least cost so far advances. So `mates` has about four fifths of the time: it is
    /// more often first on hard graphs.
    fn weight(self) -> u64 {
        match self {
            PathMethod::Heads => 4,
            PathMethod::Mates => 1,
        }
    }

    /// The work with which a method starts. It delays the search for an order of `mates`: on small graphs, the search takes longer
    /// than all of `heads`.
    fn first_work(self) -> u64 {
        match self {
            PathMethod::Heads => 0,
            PathMethod::Mates => 1 << 20,
        }
    }
}

/// The progress of a count of [`BoundedPaths`].
#[derive(Clone, Debug)]
pub struct PathProgress {
    /// The method that has advanced.
    pub method: PathMethod,
    /// The levels that the method has expanded.
    pub passed: usize,
    /// The number of its levels. Later levels may have many more states, or fewer.
    pub levels: usize,
    /// The states that were expanded by all methods.
    pub states: u64,
    /// The size of all states in bytes.
    pub bytes: usize,
    /// Whether this is the position in a [checkpoint](BoundedPaths::checkpoint) from which the method resumes.
    pub resumed: bool,
}

/// A method with its progress.
struct ScheduledMethod<'a> {
    method: PathMethod,
    /// The count in progress, once the method has started.
    run: Option<Box<dyn PathRun + 'a>>,
    work: u64,
    /// The memory limit in bytes that has stopped the method.
    stopped_by: Option<usize>,
}

impl ScheduledMethod<'_> {
    fn new(method: PathMethod) -> Self {
        Self { method, run: None, work: method.first_work(), stopped_by: None }
    }

    /// Gives up the method, which needs more memory than this limit. The states of the method are dropped.
    fn stop(&mut self, limit: usize) {
        *self = Self { stopped_by: Some(limit), ..Self::new(self.method) };
    }
}

/// A counter of the simple paths of at most `length` edges between two vertices of an undirected graph, or between any two.
///
/// ```
/// use topdd_graph::{Graph, families::BoundedPaths};
///
/// let grid = Graph::grid(8, 8);
/// assert_eq!(BoundedPaths::new(&grid, Some((0, 63)), 16)?.count()?, 31_460u32.into());
/// assert_eq!(BoundedPaths::new(&grid, None, 2)?.count()?, 404u32.into());
/// # Ok::<(), topdd_graph::families::FamilyError>(())
/// ```
#[derive(Debug)]
pub struct BoundedPaths {
    graph: Graph,
    ends: Option<(usize, usize)>,
    length: usize,
    /// 2 if the ends are fixed and the graph is bipartite: all paths have even lengths, or all have odd ones. Else 1.
    stride: usize,
    /// The order of the edges, once it is found.
    order: OnceCell<Vec<usize>>,
    /// The only method, if it is set.
    only: Option<PathMethod>,
    /// The directory of the checkpoint, and the key of the count.
    checkpoint: Option<(PathBuf, String)>,
    /// The checkpoint of the count that is done.
    finished: Option<FinishedCheckpoint>,
    /// The method that has counted.
    counted_by: Option<PathMethod>,
    meter: Meter,
}

impl BoundedPaths {
    /// Makes a counter of the paths of at most `length` edges between two vertices, or between any two if `ends` is `None`, each
    /// pair once. It has no limits and one thread.
    ///
    /// # Errors
    ///
    /// [`FamilyError`] if the graph is directed, an end is not a vertex, or both are the same vertex.
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
        let both_ways = graph.edges().iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let is_even = ends.is_some() && sides(&Lists::new(vertices, both_ways)).is_some();
        let stride = 1 + usize::from(is_even);
        let (order, meter) = (OnceCell::new(), Meter::new());
        Ok(Self {
            graph,
            ends,
            length,
            stride,
            order,
            only: None,
            checkpoint: None,
            finished: None,
            counted_by: None,
            meter,
        })
    }

    /// Sets the number of threads, at least 1. The default is 1.
    pub fn threads(mut self, threads: usize) -> Self {
        self.meter.threads = threads.max(1);
        self
    }

    /// Limits the memory of the states to about `bytes`.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.meter.memory_limit = Some(bytes);
        self
    }

    /// Fails with [`BuildError::LimitReached`] once `time` has passed since [`new`](Self::new).
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.meter.time_limit = Some(time);
        self
    }

    /// Fails with [`BuildError::Cancelled`] soon after `token` is cancelled.
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.meter.cancel = Some(token.clone());
        self
    }

    /// Saves both methods in a directory, after a level. A later count with the same `key`, graph, ends, bound and
    /// [method](Self::method) resumes from the last save. Limits and the number of threads may differ. A method that the memory limit
    /// has stopped begins anew under a larger limit. The directory must exist. Cost: saves take at most half of the time, and on the disk up to twice the
    /// bytes of the states in memory. A run that ends early loses the levels since the last save.
    ///
    /// The files of a count that is done stay until they are removed, as in this example.
    ///
    /// ```
    /// use topdd_graph::{Graph, families::BoundedPaths};
    ///
    /// # let dir = std::env::temp_dir().join(format!("topdd-doc-paths-{}", std::process::id()));
    /// # std::fs::create_dir_all(&dir).unwrap();
    /// let grid = Graph::grid(8, 8);
    /// let mut paths = BoundedPaths::new(&grid, Some((0, 63)), 16)?.checkpoint(&dir, "8 by 8");
    /// assert_eq!(paths.count()?, 31_460u32.into());
    /// for warning in paths.take_checkpoint().into_iter().flat_map(|done| done.remove()) {
    ///     eprintln!("warning: {warning}");
    /// }
    /// # std::fs::remove_dir_all(&dir).unwrap();
    /// # Ok::<(), topdd_graph::families::FamilyError>(())
    /// ```
    pub fn checkpoint(mut self, dir: impl Into<PathBuf>, key: impl Into<String>) -> Self {
        self.checkpoint = Some((dir.into(), key.into()));
        self
    }

    /// Takes the checkpoint of a count that is done. Returns `None` if the count had no checkpoint, or on a second call.
    pub fn take_checkpoint(&mut self) -> Option<FinishedCheckpoint> {
        self.finished.take()
    }

    /// Counts by this method alone. By default, both advance in turn until one has finished. [`PathMethod::Heads`] takes no parallel
    /// edges, and at most 2015 vertices; [`PathMethod::Mates`] at most 64 vertices on the frontier.
    pub fn method(mut self, method: PathMethod) -> Self {
        self.only = Some(method);
        self
    }

    /// The method that has finished; `None` before.
    pub fn counted_by(&self) -> Option<PathMethod> {
        self.counted_by
    }

    /// The most vertices on the frontier within a step of [`PathMethod::Mates`]; `None` before its order is found.
    pub fn frontier_width(&self) -> Option<usize> {
        Some(steps::width(&self.graph, self.order.get()?))
    }

    /// The most vertices on the frontier of the order of the edges, from which [`PathMethod::Mates`] derives its order of the
    /// vertices; `None` before it is found.
    pub fn predicted_width(&self) -> Option<usize> {
        frontier_widths(&self.graph, Unit::Edge, self.order.get()?).into_iter().max()
    }

    /// Whether both methods may take the graph: at most 2015 vertices, and no parallel edges. Vertices on no short enough path between
    /// two ends do not count.
    pub(crate) fn fits(&self) -> bool {
        let vertices = match self.ends {
            Some(_) => (0..self.graph.num_vertices()).filter(|&v| self.graph.degree(v) > 0).count(),
            None => self.graph.num_vertices(),
        };
        vertices <= MAX_VERTICES && !self.has_parallel_edges()
    }

    /// The number of states that were expanded.
    pub fn states(&self) -> u64 {
        self.meter.states()
    }

    /// The largest size of all states in bytes.
    pub fn peak_bytes(&self) -> usize {
        self.meter.peak_bytes()
    }

    /// Counts the paths. Both methods advance in turn, a level at a time, until one has finished. Which one is first depends on the
    /// graph, the ends and the bound, and not on time or threads, unless the memory limit stops a method.
    ///
    /// Cost: exponential in the worst case. Time and memory grow with the states. Limits are checked every few milliseconds, but not
    /// during the search for an order, which takes about a second for some thousand edges.
    ///
    /// # Errors
    ///
    /// - [`FamilyError::Build`] if a limit is reached or the run is cancelled. Of a [checkpoint](Self::checkpoint):
    ///   [`BuildError::DirectoryInUse`] if another run has locked the directory, [`BuildError::OtherCheckpoint`] or
    ///   [`BuildError::SpecChanged`] if the directory has the checkpoint of another count, [`BuildError::Damaged`] if its files cannot
    ///   be read, [`BuildError::Io`] if the directory does not exist or cannot be written.
    /// - [`FamilyError::TooWide`] if [`PathMethod::Mates`] would have more than 64 vertices on the frontier, and the graph or the method
    ///   that is set excludes [`PathMethod::Heads`].
    /// - [`FamilyError::NotForHeads`] if [`PathMethod::Heads`] is set, and the graph has parallel edges or more than 2015 vertices on
    ///   short enough paths.
    pub fn count(&mut self) -> Result<BigUint, FamilyError> {
        self.count_with(|_| {})
    }

    /// Does the same as [`count`](Self::count), and calls a function once for each method that is resumed, and then after each level.
    ///
    /// # Errors
    ///
    /// The errors of [`count`](Self::count).
    pub fn count_with(
        &mut self,
        mut on_level: impl FnMut(&PathProgress),
    ) -> Result<BigUint, FamilyError> {
        // The last count may have locked the directory.
        self.finished = None;
        let (mut file, saved) = self.open_checkpoint()?;
        let methods = self.only.as_ref().map_or(&PathMethod::ALL[..], std::slice::from_ref);
        let new = || Ok(methods.iter().copied().map(ScheduledMethod::new).collect());
        let turns = saved.map_or_else(new, |saved| self.restore(saved))?;
        for turn in &turns {
            if let Some(run) = &turn.run {
                on_level(&self.progress(turn.method, &**run, true));
            }
        }
        let (method, count) = self.count_by(turns, file.as_mut(), &mut on_level)?;
        self.counted_by = Some(method);
        self.finished = file.map(RunCheckpoint::finish);
        Ok(count)
    }

    /// Counts by methods that advance in turn, and returns the first that has finished.
    fn count_by<'a>(
        &'a self,
        mut turns: Vec<ScheduledMethod<'a>>,
        mut file: Option<&mut RunCheckpoint>,
        on_level: &mut dyn FnMut(&PathProgress),
    ) -> Result<(PathMethod, BigUint), FamilyError> {
        let mut error = None;
        let is_active = |turn: &ScheduledMethod<'_>| turn.stopped_by.is_none();
        while let Some(at) =
            (0..turns.len()).filter(|&at| is_active(&turns[at])).min_by_key(|&at| turns[at].work)
        {
            let turn = &mut turns[at];
            let Some(run) = &mut turn.run else {
                match self.run(turn.method) {
                    Some(Ok(run)) => turn.run = Some(run),
                    Some(Err(failed)) => {
                        let Some(limit) = exceeded_limit(&failed) else {
                            return Err(failed.into());
                        };
                        turn.stop(limit);
                        error = Some(failed);
                    }
                    None => _ = turns.remove(at),
                }
                continue;
            };
            let before = self.meter.work();
            match run.advance() {
                Ok(Some(count)) if turn.method == PathMethod::Heads && self.ends.is_none() => {
                    // The count has each path twice, and single vertices.
                    return Ok((turn.method, (count - self.graph.num_vertices()) >> 1));
                }
                Ok(Some(count)) => return Ok((turn.method, count)),
                Ok(None) => {
                    turn.work += (self.meter.work() - before) * turn.method.weight();
                    on_level(&self.progress(turn.method, &**run, false));
                    if let Some(file) = file.as_mut().filter(|file| file.is_due()) {
                        self.save(file, &turns)?;
                    }
                }
                Err(failed) => {
                    let Some(limit) = exceeded_limit(&failed) else { return Err(failed.into()) };
                    error = Some(failed);
                    let size = |at: usize| turns[at].run.as_ref().map_or(0, |run| run.bytes());
                    // `mates` can repeat its level without the other method, if that is the larger one.
                    let is_other = |&other: &usize| other != at && size(other) > size(at);
                    let other = (0..turns.len()).find(is_other);
                    let repeats = turns[at].method == PathMethod::Mates;
                    turns[other.filter(|_| repeats).unwrap_or(at)].stop(limit);
                }
            }
        }
        Err(error.map_or_else(|| self.too_large(), FamilyError::from))
    }

    /// The error for a graph that none of the methods takes.
    fn too_large(&self) -> FamilyError {
        if self.only == Some(PathMethod::Heads) {
            return FamilyError::NotForHeads { most: MAX_VERTICES };
        }
        let slots = self.frontier_width().unwrap_or_default();
        FamilyError::TooWide { slots, bytes: slots, most: MAX_SLOTS }
    }

    fn progress(&self, method: PathMethod, run: &dyn PathRun, resumed: bool) -> PathProgress {
        PathProgress {
            method,
            passed: run.passed(),
            levels: run.levels(),
            states: self.meter.states(),
            bytes: self.meter.bytes(),
            resumed,
        }
    }

    /// The vertices that one end reaches, renumbered in breadth-first order, and the number of the other end; `None` if that is not
    /// reached.
    fn renumbered_graph(&self, from: usize, to: usize) -> (RenumberedGraph, Option<usize>) {
        let mut numbers = vec![usize::MAX; self.graph.num_vertices()];
        let mut order = vec![from];
        numbers[from] = 0;
        let mut at = 0;
        while let Some(&vertex) = order.get(at) {
            at += 1;
            for other in self.graph.neighbours(vertex) {
                if numbers[other] == usize::MAX {
                    numbers[other] = order.len();
                    order.push(other);
                }
            }
        }
        let numbered =
            |&vertex: &usize| self.graph.neighbours(vertex).map(|other| numbers[other]).collect();
        let neighbours = order.iter().map(numbered).collect();
        let (length, stride) = (self.length, self.stride);
        let goal = Some(numbers[to]).filter(|&goal| goal < order.len());
        (RenumberedGraph { neighbours, length, stride }, goal)
    }

    fn has_parallel_edges(&self) -> bool {
        let mut pairs: Vec<_> =
            self.graph.edges().iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        pairs.sort_unstable();
        pairs.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Starts a method; `None` if the graph is too large for it.
    fn run(&self, method: PathMethod) -> Option<Result<Box<dyn PathRun + '_>, BuildError>> {
        match (method, self.ends) {
            (PathMethod::Heads, _) if self.has_parallel_edges() => None,
            (PathMethod::Heads, Some((from, to))) => {
                let (graph, goal) = self.renumbered_graph(from, to);
                let starts: &[usize] = if goal.is_some() { &[0] } else { &[] };
                heads::run(&graph, starts, goal.unwrap_or(0), &self.meter)
            }
            (PathMethod::Heads, None) => {
                // Paths from each vertex to a new one that all are joined to.
                let vertices = self.graph.num_vertices();
                let of = |vertex| self.graph.neighbours(vertex).chain([vertices]).collect();
                let mut neighbours: Vec<Vec<usize>> = (0..vertices).map(of).collect();
                neighbours.push((0..vertices).collect());
                let graph = RenumberedGraph { neighbours, length: self.length + 1, stride: 1 };
                let starts: Vec<usize> = (0..vertices).collect();
                heads::run(&graph, &starts, vertices, &self.meter)
            }
            (PathMethod::Mates, ends) => {
                let cost = match ends {
                    Some((from, to)) => Cost::paths(from, to).max_length(self.length),
                    None => Cost::mates(),
                };
                let order = self.order.get_or_init(|| find_order(&self.graph, Unit::Edge, &cost));
                let task = MateTask { ends, length: self.length, stride: self.stride };
                mates::run(task, &self.graph, order, &self.meter).map(Ok)
            }
        }
    }
}

/// The memory limit that a method has exceeded, which another one may do without; `None` for errors that end the count.
fn exceeded_limit(error: &BuildError) -> Option<usize> {
    match error {
        BuildError::LimitReached { limit: Limit::Bytes(limit), .. } => Some(*limit),
        _ => None,
    }
}

/// The neighbours of the vertices of a graph, and the largest number of edges of a path.
struct RenumberedGraph {
    neighbours: Vec<Vec<usize>>,
    length: usize,
    /// 2 if the ends are fixed and no cycle has odd length, else 1.
    stride: usize,
}
