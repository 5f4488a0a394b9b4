//! One variable per time and vertex.

use topdd::{BoxedSpec, DdSpec, Portable, SpecExt, Step};
use topdd_graph::families::SequenceError;

use super::hamiltonian::HamiltonianPaths;

/// The spec of [`HamiltonianPaths`] by time steps: variable `time * vertices + vertex`,
/// of two values, is 1 if the path is at that vertex at that time.
///
/// The state is the set of visited vertices, and the last of them. A state has no solution if
/// some unvisited vertex has too few neighbours left; such states are pruned.
///
/// Under the ZDD rule, a step
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directions {
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
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        (self.visited, self.at, self.direction_vertex, self.phase as u8).write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (visited, at, direction_vertex, phase): (_, _, _, u8) = Portable::read(bytes)?;
        let phases = [Phase::Skipping, Phase::Choosing, Phase::Chosen];
        Some(PartialPath { visited, at, direction_vertex, phase: *phases.get(usize::from(phase))? })
    }
}

impl<const W: usize> PartialPath<W> {
    #[inline]
    fn has(&self, vertex: usize) -> bool {
        has(&self.visited, vertex)
    }
}

#[inline]
fn has<const W: usize>(set: &[u64; W], vertex: usize) -> bool {
    set[vertex / 64] >> (vertex % 64) & 1 == 1
}

#[inline]
fn put<const W: usize>(set: &mut [u64; W], vertex: usize) {
    set[vertex / 64] |= 1 << (vertex % 64);
}

/// The times at which a Hamiltonian path or cycle may be at each vertex.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// The neighbours of each vertex, ascending.
    neighbours: Vec<Vec<usize>>,
    cycle: bool,
    start: Option<usize>,
    end: Option<usize>,
}

impl Times {
    pub(super) fn new(paths: &HamiltonianPaths) -> Self {
        let &HamiltonianPaths { closed: cycle, from, to, .. } = paths;
        // Any vertex of a cycle may be the first.
        let (start, end) = if cycle { (Some(0), None) } else { (from, to) };
        let graph = paths.graph();
        let neighbours = |vertex| graph.neighbours(vertex).collect();
        Times { neighbours: (0..graph.num_vertices()).map(neighbours).collect(), cycle, start, end }
    }

    #[inline]
    pub(super) fn vertices(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether there are too few vertices for a path.
    pub(super) fn too_few(&self) -> bool {
        self.vertices() < if self.cycle { 3 } else { 1 }
    }

    /// The vertices that may follow a vertex, ascending.
    #[inline]
    pub(super) fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.neighbours[vertex]
    }

    #[inline]
    pub(super) fn variable(&self, time: usize, vertex: usize) -> usize {
        time * self.vertices() + vertex
    }

    /// Whether the fixed ends allow a vertex at a time.
    #[inline]
    pub(super) fn allowed(&self, time: usize, vertex: usize) -> bool {
        let last = self.vertices() - 1;
        let fixed = |end: Option<usize>| end.is_none_or(|end| end == vertex);
        let closes = || !self.cycle || self.neighbours[vertex].contains(&0);
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
    /// The spec of paths with at most `64 * W` vertices. In one direction, a path starts at the smaller of its
    /// ends unless one is fixed, and a cycle starts at vertex 0 and continues to the smaller of the vertices
    /// next to it.
    fn new(paths: &HamiltonianPaths, directions: Directions) -> Self {
        let times = Times::new(paths);
        let adjacent = |vertex| {
            let mut set = [0; W];
            times.neighbours(vertex).iter().for_each(|&neighbour| put(&mut set, neighbour));
            set
        };
        let adjacent = (0..times.vertices()).map(adjacent).collect();
        let direction_time = match directions {
            Directions::One => times.direction_time(),
            Directions::Both => None,
        };
        ByTime { times, direction_time, adjacent }
    }

    #[inline]
    fn last(&self) -> usize {
        self.times.vertices() - 1
    }

    /// Whether the direction of the path allows `vertex` at `time`, after `before`.
    #[inline]
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
    #[inline]
    fn first(&self, before: &PartialPath<W>, time: usize, from: usize) -> Option<usize> {
        if time == 0 {
            return (from..=self.last()).find(|&vertex| self.follows(before, 0, vertex));
        }
        let mut adjacent = self.times.neighbours(before.at as usize).iter().copied();
        adjacent.find(|&vertex| vertex >= from && self.follows(before, time, vertex))
    }

    /// Whether the path may be at `vertex` next.
    #[inline]
    fn may_be(&self, before: &PartialPath<W>, time: usize, vertex: usize) -> bool {
        let adjacent = time == 0 || has(&self.adjacent[before.at as usize], vertex);
        adjacent && self.follows(before, time, vertex)
    }

    /// Continues the path to `vertex`; `None` if nothing can follow.
    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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

    #[inline]
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

/// Makes the spec by time: variable `time * vertices + vertex`, of two values, is 1 if the path is at that
/// vertex at that time. There may be at most 256 vertices.
///
/// The state is the set of visited vertices, and the last of them: 17 bytes for up to 64 vertices, else 41.
///
/// Source: the states of M. Held and R. M. Karp, *A dynamic programming approach to
/// sequencing problems*, J. SIAM 10 (1962).
pub(super) fn spec(paths: &HamiltonianPaths, directions: Directions) -> BoxedSpec<'static> {
    if paths.graph().num_vertices() > 64 {
        ByTime::<4>::new(paths, directions).boxed()
    } else {
        ByTime::<1>::new(paths, directions).boxed()
    }
}

/// The vertices of a solution by time, in the order of the path. Only the numbers of vertices are checked.
pub(super) fn to_sequence(values: &[usize], vertices: usize) -> Result<Vec<usize>, SequenceError> {
    let (given, variables) = (values.len(), vertices.pow(2));
    if given != variables {
        return Err(SequenceError::WrongLength { given, variables });
    }
    if let Some(variable) = values.iter().position(|&value| value > 1) {
        return Err(SequenceError::ValueOutOfRange { variable, value: values[variable] });
    }
    let at_time = |now: &[usize]| {
        let mut at = (0..vertices).filter(|&vertex| now[vertex] == 1);
        at.next().filter(|_| at.next().is_none()).ok_or(SequenceError::NotOnePath)
    };
    values.chunks(vertices.max(1)).map(at_time).collect()
}

#[cfg(test)]
mod tests {
    use topdd::Rule;

    use super::*;

    #[test]
    fn states_by_time_are_read_back() {
        let tours = crate::KnightsTours::open(3, 4).paths_in_order().unwrap();
        let spec = ByTime::<1>::new(&tours, Directions::One);
        for step in [spec.root(), spec.root_under(Rule::AnyValue)] {
            let Step::To(_, state) = step else { panic!("there are tours") };
            let mut bytes = Vec::new();
            state.write(&mut bytes);
            assert_eq!(PartialPath::read(&mut &bytes[..]), Some(state));
        }
    }

    #[test]
    fn sequences_by_time_have_one_vertex_at_each_time() {
        assert_eq!(to_sequence(&[0, 1, 1, 0], 2), Ok(vec![1, 0]));
        let wrong_length = SequenceError::WrongLength { given: 3, variables: 4 };
        assert_eq!(to_sequence(&[0, 1, 1], 2), Err(wrong_length));
        let no_value = SequenceError::ValueOutOfRange { variable: 2, value: 2 };
        assert_eq!(to_sequence(&[0, 1, 2, 0], 2), Err(no_value));
        assert_eq!(to_sequence(&[1, 1, 0, 0], 2), Err(SequenceError::NotOnePath));
    }
}
