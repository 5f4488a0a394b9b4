//! One variable per time and vertex.

use topdd::{BoxedSpec, DdSpec, Frontier, Portable, SpecExt, Step};

use super::paths::{PathError, Paths, Shape};
use super::{SequenceError, SimpleGraph};

/// The spec of Hamiltonian [`Paths`] by time steps: variable `time * vertices + vertex`,
/// of two values, is 1 if the path is at that vertex at that time.
///
/// The state is the set of visited vertices, and the last of them. A state has no solution if
/// some unvisited vertex has too few neighbours left; such states are pruned.
///
/// The spec made by [`new`](ByTime::new) has each path once, as the other specs do; the spec made
/// by [`directed`](ByTime::directed) has each path in both directions. Under the ZDD rule, a step
/// goes from the vertex chosen at one time directly to the first vertex that can follow, since
/// skipped variables are 0. Under the BDD rule, no variable is skipped. The solutions are the same.
///
/// `W` is the number of 64-bit words that the vertices need.
#[derive(Clone, Debug)]
pub(super) struct ByTime<const W: usize> {
    times: Times,
    /// The time of the vertex that determines the direction: the last vertex must be greater than
    /// that vertex.
    direction_time: Option<usize>,
    /// The neighbours of each vertex, as a bit set.
    adjacent: Vec<[u64; W]>,
}

/// The directions in which a spec by time contains a path with free ends.
//
// Public for topdd-chess, and not part of the API.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// One of the two.
    One,
    /// Both, as two solutions.
    Both,
}

/// The visited vertices of a path: the state of [`ByTime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PartialPath<const W: usize> {
    /// The visited vertices, as a bit set.
    visited: [u64; W],
    /// The last vertex: of the time of the variable if that is chosen, else of the time before.
    at: u32,
    /// The vertex that determines the direction, once visited; 0 before that, and 0 if the
    /// direction is not constrained.
    direction_vertex: u32,
    phase: Phase,
}

/// The progress of the choice at the time of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// The vertex is not yet chosen, and variables that cannot be 1 are skipped.
    Skipping,
    /// The vertex is not yet chosen, and no variable is skipped.
    Choosing,
    /// The vertex is chosen, and no variable is skipped.
    Chosen,
}

impl<const W: usize> Portable for PartialPath<W> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.visited, self.at, self.direction_vertex, self.phase as u8).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (visited, at, direction_vertex, phase): (_, _, _, u8) = Portable::read(bytes)?;
        let phases = [Phase::Skipping, Phase::Choosing, Phase::Chosen];
        Some(PartialPath { visited, at, direction_vertex, phase: *phases.get(usize::from(phase))? })
    }
}

impl<const W: usize> PartialPath<W> {
    fn has(&self, vertex: usize) -> bool {
        has(&self.visited, vertex)
    }
}

fn has<const W: usize>(set: &[u64; W], vertex: usize) -> bool {
    set[vertex / 64] >> (vertex % 64) & 1 == 1
}

fn put<const W: usize>(set: &mut [u64; W], vertex: usize) {
    set[vertex / 64] |= 1 << (vertex % 64);
}

/// The times at which a Hamiltonian path or cycle may be at each vertex.
#[derive(Clone, Debug)]
pub(super) struct Times {
    graph: SimpleGraph,
    cycle: bool,
    start: Option<usize>,
    end: Option<usize>,
}

impl Times {
    /// # Errors
    ///
    /// - [`PathError::NotHamiltonian`] if vertices may be left out.
    /// - Another [`PathError`] if the fixed ends are invalid.
    pub(super) fn new(paths: &Paths) -> Result<Self, PathError> {
        if !paths.is_hamiltonian() {
            return Err(PathError::NotHamiltonian);
        }
        paths.check()?;
        let cycle = paths.shape() == Shape::Cycle;
        // Any vertex of a cycle may be the first.
        let (start, end) = if cycle { (Some(0), None) } else { paths.ends() };
        Ok(Times { graph: paths.graph().clone(), cycle, start, end })
    }

    pub(super) fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    /// Whether there are too few vertices for a path.
    pub(super) fn too_few(&self) -> bool {
        self.vertices() < if self.cycle { 3 } else { 1 }
    }

    /// The vertices that may follow a vertex, ascending.
    pub(super) fn neighbours(&self, vertex: usize) -> &[usize] {
        self.graph.neighbours(vertex)
    }

    pub(super) fn variable(&self, time: usize, vertex: usize) -> usize {
        time * self.vertices() + vertex
    }

    /// Whether the fixed ends allow a vertex at a time.
    pub(super) fn allowed(&self, time: usize, vertex: usize) -> bool {
        let last = self.vertices() - 1;
        let fixed = |end: Option<usize>| end.is_none_or(|end| end == vertex);
        let closes = || !self.cycle || self.graph.neighbours(vertex).contains(&0);
        (time > 0 || fixed(self.start)) && (time < last || fixed(self.end) && closes())
    }

    /// The time whose vertex must be less than the last vertex, which excludes one of a path and
    /// its reverse: time 0 of a path, time 1 of a cycle. `None` if an end is fixed, which fixes
    /// the direction.
    pub(super) fn direction_time(&self) -> Option<usize> {
        let time = usize::from(self.cycle);
        let free = self.cycle || self.start.is_none() && self.end.is_none();
        (free && self.vertices() > time + 1).then_some(time)
    }
}

impl<const W: usize> ByTime<W> {
    /// The spec of `paths`, with each path once: a path starts at the smaller of its ends unless one
    /// is fixed, a cycle starts at vertex 0 and continues to the smaller of the vertices next
    /// to it.
    ///
    /// # Errors
    ///
    /// - [`PathError::NotHamiltonian`] if vertices may be left out.
    /// - [`PathError::TooManyVertices`] if `W` words are too few.
    /// - Another [`PathError`] if the fixed ends are invalid.
    pub(super) fn new(paths: &Paths) -> Result<Self, PathError> {
        let directed = Self::directed(paths)?;
        Ok(ByTime { direction_time: directed.times.direction_time(), ..directed })
    }

    /// The spec of `paths`, with each path in both directions unless an end is fixed: the family
    /// of [`Paths::by_time`].
    ///
    /// # Errors
    ///
    /// The errors of [`new`](ByTime::new).
    pub(super) fn directed(paths: &Paths) -> Result<Self, PathError> {
        let times = Times::new(paths)?;
        let (vertices, most) = (times.vertices(), 64 * W);
        if vertices > most {
            return Err(PathError::TooManyVertices { vertices, most });
        }
        let adjacent = |vertex| {
            let mut set = [0; W];
            times.neighbours(vertex).iter().for_each(|&neighbour| put(&mut set, neighbour));
            set
        };
        let adjacent = (0..vertices).map(adjacent).collect();
        Ok(ByTime { times, direction_time: None, adjacent })
    }

    fn last(&self) -> usize {
        self.times.vertices() - 1
    }

    /// Whether the direction of the path allows `vertex` at `time`, after `before`.
    fn follows(&self, before: &PartialPath<W>, time: usize, vertex: usize) -> bool {
        let right_direction = self.direction_time.is_none_or(|direction_time| {
            // If the direction is determined at the last time itself, there is nothing to compare.
            time < self.last()
                || direction_time == time
                || vertex > before.direction_vertex as usize
        });
        right_direction && !before.has(vertex) && self.times.allowed(time, vertex)
    }

    /// The first vertex from `from` on where the path may be next.
    fn first(&self, before: &PartialPath<W>, time: usize, from: usize) -> Option<usize> {
        if time == 0 {
            return (from..=self.last()).find(|&vertex| self.follows(before, 0, vertex));
        }
        let mut adjacent = self.times.neighbours(before.at as usize).iter().copied();
        adjacent.find(|&vertex| vertex >= from && self.follows(before, time, vertex))
    }

    /// Whether the path may be at `vertex` next.
    fn may_be(&self, before: &PartialPath<W>, time: usize, vertex: usize) -> bool {
        let adjacent = time == 0 || has(&self.adjacent[before.at as usize], vertex);
        adjacent && self.follows(before, time, vertex)
    }

    /// Continues the path to `vertex`; `None` if nothing can follow.
    fn choose(
        &self,
        before: &PartialPath<W>,
        time: usize,
        vertex: usize,
    ) -> Option<PartialPath<W>> {
        if time == self.last() {
            // The visited vertices make no difference any more.
            return Some(PartialPath { visited: [0; W], at: 0, direction_vertex: 0, ..*before });
        }
        let mut after = PartialPath { at: vertex as u32, ..*before };
        put(&mut after.visited, vertex);
        if self.direction_time == Some(time) {
            after.direction_vertex = vertex as u32;
        }
        (self.is_feasible(&after) && self.first(&after, time + 1, 0).is_some()).then_some(after)
    }

    /// Whether each unvisited vertex has a neighbour to be entered from, and all but one of them
    /// a neighbour to continue to. A necessary condition for a solution.
    fn is_feasible(&self, after: &PartialPath<W>) -> bool {
        // The vertices that may precede or follow an unvisited vertex.
        let mut open = after.visited.map(|word| !word);
        put(&mut open, after.at as usize);
        if self.times.cycle {
            put(&mut open, 0);
        }
        let mut ends = 0;
        (0..self.times.vertices()).filter(|&vertex| !after.has(vertex)).all(|vertex| {
            let ways = open.iter().zip(&self.adjacent[vertex]);
            match ways.map(|(open, adjacent)| (open & adjacent).count_ones()).sum::<u32>() {
                0 => false,
                1 => {
                    ends += 1;
                    !self.times.cycle && ends == 1 && self.follows(after, self.last(), vertex)
                }
                _ => true,
            }
        })
    }

    /// Returns the step from a vertex at a time to the next variable. No variable is skipped.
    fn next(&self, time: usize, vertex: usize, mut state: PartialPath<W>) -> Step<PartialPath<W>> {
        if vertex == self.last() {
            if time == self.last() {
                return Step::One;
            }
            state.phase = Phase::Choosing;
        }
        Step::To(self.times.variable(time, vertex) + 1, state)
    }

    /// Returns the step to the first variable that can be 1, from `from` at `time` on.
    fn skip(&self, time: usize, from: usize, state: PartialPath<W>) -> Step<PartialPath<W>> {
        match self.first(&state, time, from) {
            Some(vertex) => Step::To(self.times.variable(time, vertex), state),
            None => Step::Zero,
        }
    }
}

impl<const W: usize> DdSpec for ByTime<W> {
    type State = PartialPath<W>;

    fn num_vars(&self) -> usize {
        self.times.vertices().pow(2)
    }

    fn root(&self) -> Step<PartialPath<W>> {
        // This root is right under both rules.
        self.root_under(topdd::Rule::AnyValue)
    }

    fn root_under(&self, rule: topdd::Rule) -> Step<PartialPath<W>> {
        if self.times.too_few() {
            return Step::Zero;
        }
        let phase = match rule {
            topdd::Rule::ZeroSuppressed => Phase::Skipping,
            topdd::Rule::AnyValue => Phase::Choosing,
        };
        let nowhere = PartialPath { visited: [0; W], at: 0, direction_vertex: 0, phase };
        match phase {
            Phase::Skipping => self.skip(0, 0, nowhere),
            _ => Step::To(0, nowhere),
        }
    }

    fn child(&self, state: &PartialPath<W>, variable: usize, value: usize) -> Step<PartialPath<W>> {
        let vertices = self.times.vertices();
        let (time, vertex) = (variable / vertices, variable % vertices);
        let chosen = || {
            let may_be = value == 1 && self.may_be(state, time, vertex);
            if may_be { self.choose(state, time, vertex) } else { None }
        };
        match (state.phase, value) {
            (Phase::Chosen, 0) => self.next(time, vertex, *state),
            (Phase::Chosen, _) => Step::Zero,
            (Phase::Skipping, 0) => self.skip(time, vertex + 1, *state),
            (Phase::Choosing, 0) if self.first(state, time, vertex + 1).is_none() => Step::Zero,
            (Phase::Choosing, 0) => self.next(time, vertex, *state),
            (Phase::Skipping, _) => match chosen() {
                Some(_) if time == self.last() => Step::One,
                Some(after) => self.skip(time + 1, 0, after),
                None => Step::Zero,
            },
            (Phase::Choosing, _) => match chosen() {
                Some(after) => {
                    self.next(time, vertex, PartialPath { phase: Phase::Chosen, ..after })
                }
                None => Step::Zero,
            },
        }
    }
}

impl Paths {
    /// Makes the spec by time, for Hamiltonian paths and cycles: variable `time * vertices + vertex`, of two
    /// values, is 1 if the path is at that vertex at that time.
    ///
    /// The variables are those of `Paths::by_time` (feature `apply`), the formulation for the
    /// apply engine. The diagram is that family intersected with `Paths::one_direction`: a path
    /// starts at the smaller of its ends unless one is fixed; a cycle starts at vertex 0 and
    /// continues to the smaller of the two vertices next to it.
    ///
    /// The state is the set of visited vertices, and the last of them: 17 bytes for up to 64
    /// vertices, else 41. There are many more states than in the encodings of [`spec`](Paths::spec), whose
    /// states are independent of the order of the vertices in the path.
    ///
    /// Source: the states are those of M. Held and R. M. Karp, *A dynamic programming approach to
    /// sequencing problems*, J. SIAM 10 (1962).
    ///
    /// # Errors
    ///
    /// - [`PathError::NotHamiltonian`] if vertices may be left out.
    /// - [`PathError::TooManyVertices`] if there are more than 256.
    /// - Another [`PathError`] if the fixed ends are invalid.
    ///
    /// # Example
    ///
    /// One closed knight's tour of the chessboard, without a diagram: there are
    /// 13 267 364 410 532, and a [search](topdd::Search) soon finds one.
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_graph::{Graph, Paths};
    ///
    /// let paths = Paths::hamiltonian_cycles(Graph::knight(8, 8));
    /// let spec = paths.spec_by_time()?;
    /// let solution = Search::over(&spec).seed(2).restarts(100).first()?.expect("there are many");
    /// let tour = paths.sequence_by_time(&solution)?;
    /// assert_eq!(paths.validate(&tour), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec_by_time(&self) -> Result<BoxedSpec<'static>, PathError> {
        self.spec_by_time_in(Directions::One)
    }

    // For topdd-chess.
    #[doc(hidden)]
    pub fn spec_by_time_in(&self, directions: Directions) -> Result<BoxedSpec<'static>, PathError> {
        Ok(match (directions, self.graph().vertices() > 64) {
            (Directions::One, false) => ByTime::<1>::new(self)?.boxed(),
            (Directions::Both, false) => ByTime::<1>::directed(self)?.boxed(),
            (Directions::One, true) => ByTime::<4>::new(self)?.boxed(),
            (Directions::Both, true) => ByTime::<4>::directed(self)?.boxed(),
        })
    }

    /// Makes a sweep over the spec [by time](Paths::spec_by_time).
    ///
    /// # Errors
    ///
    /// The errors of [`spec_by_time`](Paths::spec_by_time).
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::grid_hamiltonian_cycles;
    ///
    /// let cycles = grid_hamiltonian_cycles(4, 4);
    /// let zdd = cycles.frontier_by_time()?.zdd()?;
    /// assert_eq!(zdd.count(), 6u32.into());
    /// for solution in &zdd {
    ///     assert_eq!(cycles.validate(&cycles.sequence_by_time(&solution)?), Ok(()));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier_by_time(&self) -> Result<Frontier<'static>, PathError> {
        self.frontier_by_time_in(Directions::One)
    }

    // For topdd-chess.
    #[doc(hidden)]
    pub fn frontier_by_time_in(
        &self,
        directions: Directions,
    ) -> Result<Frontier<'static>, PathError> {
        Ok(Frontier::of_boxed(self.spec_by_time_in(directions)?))
    }

    /// Returns the vertices of a solution [by time](Paths::spec_by_time), in the order of the path.
    ///
    /// # Errors
    ///
    /// A [`SequenceError`] unless the values select one vertex at each time. Only
    /// [`validate`](Paths::validate) checks that the vertices form a path.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::{Graph, Paths};
    ///
    /// let path = Paths::hamiltonian_paths(Graph::grid(1, 2));
    /// assert_eq!(path.sequence_by_time(&[1, 0, 0, 1])?, [0, 1]);
    /// assert!(path.sequence_by_time(&[1, 1, 0, 1]).is_err()); // two vertices at time 0
    /// # Ok::<(), topdd_graph::SequenceError>(())
    /// ```
    pub fn sequence_by_time(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let vertices = self.graph().vertices();
        let (given, variables) = (values.len(), vertices.pow(2));
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        if let Some(variable) = values.iter().position(|&value| value > 1) {
            return Err(SequenceError::ValueOutOfRange { variable, value: values[variable] });
        }
        let not_one = SequenceError::NotOnePath { shape: self.shape() };
        let at_time = |now: &[usize]| {
            let mut at = (0..vertices).filter(|&vertex| now[vertex] == 1);
            at.next().filter(|_| at.next().is_none()).ok_or(not_one)
        };
        values.chunks(vertices.max(1)).map(at_time).collect()
    }
}
