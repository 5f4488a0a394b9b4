//! One variable per time and vertex.

use topdd::{BoxedSpec, DdSpec, Frontier, Portable, Step};

use super::visitor::{MakeBoxed, MakeFrontier, SpecVisitor};
use super::walks::{Shape, WalkError, Walks};
use super::{Graph, SequenceError};

/// The spec of Hamiltonian [`Walks`] by time steps: variable `time * vertices + vertex`,
/// of two values, is 1 where the walk is at that vertex at that time.
///
/// The state is the set of vertices that the walk has passed, and the vertex where it is. A
/// walk is given up where a vertex that is left cannot be passed any more, for want of
/// neighbours.
///
/// Made by [`new`](ByTime::new), it has each walk once, as the other specs do; made by
/// [`directed`](ByTime::directed), each in both directions. Built as a ZDD it goes from the
/// vertex that is chosen at one time straight to the first that can follow. What it skips
/// then is 0; as a BDD it visits every variable, so that the solutions are the same.
///
/// `W` is the number of 64-bit words that the vertices need.
#[derive(Clone, Debug)]
pub(super) struct ByTime<const W: usize> {
    times: Times,
    /// The time at which the walk is at the vertex that determines the direction: the last
    /// vertex must be greater than that one.
    told_at: Option<usize>,
    /// The neighbours of each vertex.
    near: Vec<[u64; W]>,
}

/// The directions in which a spec by time has a walk whose ends are free.
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

/// The visited vertices of a walk: the state of [`ByTime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Passed<const W: usize> {
    /// A bit for each vertex that was passed.
    visited: [u64; W],
    /// The last vertex: of the time of the variable if that is chosen, else of the time before.
    at: u32,
    /// The vertex that determines the direction, once it is passed; 0 where none is asked for.
    told: u32,
    phase: Phase,
}

/// The choice at the time of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// The vertex is still to be chosen, and variables that cannot be 1 are skipped.
    Skipping,
    /// The vertex is still to be chosen, and no variable is skipped.
    Choosing,
    /// The vertex is chosen, and no variable is skipped.
    Chosen,
}

impl<const W: usize> Portable for Passed<W> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.visited, self.at, self.told, self.phase as u8).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (visited, at, told, phase): (_, _, _, u8) = Portable::read(bytes)?;
        let phases = [Phase::Skipping, Phase::Choosing, Phase::Chosen];
        Some(Passed { visited, at, told, phase: *phases.get(usize::from(phase))? })
    }
}

impl<const W: usize> Passed<W> {
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

/// At which times a Hamiltonian walk may be where.
#[derive(Clone, Debug)]
pub(super) struct Times {
    graph: Graph,
    cycle: bool,
    start: Option<usize>,
    end: Option<usize>,
}

impl Times {
    /// # Errors
    ///
    /// When the walks may leave out vertices, or their ends make no sense.
    pub(super) fn new(walks: &Walks) -> Result<Self, WalkError> {
        if !walks.is_hamiltonian() {
            return Err(WalkError::NotHamiltonian);
        }
        walks.check()?;
        let cycle = walks.shape() == Shape::Cycle;
        // A cycle can be read from any vertex.
        let (start, end) = if cycle { (Some(0), None) } else { walks.ends() };
        Ok(Times { graph: walks.graph().clone(), cycle, start, end })
    }

    pub(super) fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    /// Whether there are too few vertices for a walk.
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

    /// Whether the walk may be at a vertex at a time, by its ends.
    pub(super) fn allowed(&self, time: usize, vertex: usize) -> bool {
        let last = self.vertices() - 1;
        let fixed = |end: Option<usize>| end.is_none_or(|end| end == vertex);
        let closes = || !self.cycle || self.graph.neighbours(vertex).contains(&0);
        (time > 0 || fixed(self.start)) && (time < last || fixed(self.end) && closes())
    }

    /// The time whose vertex must be less than the last one, so that of a walk and its
    /// reverse one is left: that of the start of a path, or the one after that of a cycle.
    /// `None` where an end is fixed, and so is the direction.
    pub(super) fn told_at(&self) -> Option<usize> {
        let time = usize::from(self.cycle);
        let free = self.cycle || self.start.is_none() && self.end.is_none();
        (free && self.vertices() > time + 1).then_some(time)
    }
}

impl<const W: usize> ByTime<W> {
    /// The spec of `walks`, each once: a path starts at the smaller of its ends unless one
    /// is fixed, a cycle starts at vertex 0 and continues to the smaller of the vertices next
    /// to it.
    ///
    /// # Errors
    ///
    /// - [`WalkError::NotHamiltonian`] if vertices may be left out.
    /// - [`WalkError::TooManyVertices`] if `W` words are too few.
    /// - The others of [`WalkError`] if the fixed ends make no sense.
    pub(super) fn new(walks: &Walks) -> Result<Self, WalkError> {
        let directed = Self::directed(walks)?;
        Ok(ByTime { told_at: directed.times.told_at(), ..directed })
    }

    /// The spec of `walks`, each in both directions unless an end is fixed: what
    /// [`Walks::by_time`] builds.
    ///
    /// # Errors
    ///
    /// As for [`new`](ByTime::new).
    pub(super) fn directed(walks: &Walks) -> Result<Self, WalkError> {
        let times = Times::new(walks)?;
        let (vertices, most) = (times.vertices(), 64 * W);
        if vertices > most {
            return Err(WalkError::TooManyVertices { vertices, most });
        }
        let near = |vertex| {
            let mut set = [0; W];
            times.neighbours(vertex).iter().for_each(|&neighbour| put(&mut set, neighbour));
            set
        };
        let near = (0..vertices).map(near).collect();
        Ok(ByTime { times, told_at: None, near })
    }

    fn last(&self) -> usize {
        self.times.vertices() - 1
    }

    /// Whether the walk, which has passed what `before` says, may be at `vertex` next.
    fn follows(&self, before: &Passed<W>, time: usize, vertex: usize) -> bool {
        let told = self.told_at.is_none_or(|told_at| {
            // At the last time itself nothing is determined yet where there are no others.
            time < self.last() || told_at == time || vertex > before.told as usize
        });
        told && !before.has(vertex) && self.times.allowed(time, vertex)
    }

    /// The first vertex from `from` on where the walk may be next.
    fn first(&self, before: &Passed<W>, time: usize, from: usize) -> Option<usize> {
        if time == 0 {
            return (from..=self.last()).find(|&vertex| self.follows(before, 0, vertex));
        }
        let mut near = self.times.neighbours(before.at as usize).iter().copied();
        near.find(|&vertex| vertex >= from && self.follows(before, time, vertex))
    }

    /// Whether the walk may be at `vertex` next.
    fn may_be(&self, before: &Passed<W>, time: usize, vertex: usize) -> bool {
        let near = time == 0 || has(&self.near[before.at as usize], vertex);
        near && self.follows(before, time, vertex)
    }

    /// Continues the walk to `vertex`; `None` if nothing can follow.
    fn choose(&self, before: &Passed<W>, time: usize, vertex: usize) -> Option<Passed<W>> {
        if time == self.last() {
            // What was passed makes no difference any more.
            return Some(Passed { visited: [0; W], at: 0, told: 0, ..*before });
        }
        let mut after = Passed { at: vertex as u32, ..*before };
        put(&mut after.visited, vertex);
        if self.told_at == Some(time) {
            after.told = vertex as u32;
        }
        (self.is_hopeful(&after) && self.first(&after, time + 1, 0).is_some()).then_some(after)
    }

    /// Whether all vertices that are left can still be come to, and gone on from but for one.
    fn is_hopeful(&self, after: &Passed<W>) -> bool {
        // Where there may be a walk before and after them.
        let mut open = after.visited.map(|word| !word);
        put(&mut open, after.at as usize);
        if self.times.cycle {
            put(&mut open, 0);
        }
        let mut ends = 0;
        (0..self.times.vertices()).filter(|&vertex| !after.has(vertex)).all(|vertex| {
            let ways = open.iter().zip(&self.near[vertex]);
            match ways.map(|(open, near)| (open & near).count_ones()).sum::<u32>() {
                0 => false,
                1 => {
                    ends += 1;
                    !self.times.cycle && ends == 1 && self.follows(after, self.last(), vertex)
                }
                _ => true,
            }
        })
    }

    /// The step from a vertex at a time to the next variable, where none is skipped.
    fn next(&self, time: usize, vertex: usize, mut state: Passed<W>) -> Step<Passed<W>> {
        if vertex == self.last() {
            if time == self.last() {
                return Step::One;
            }
            state.phase = Phase::Choosing;
        }
        Step::To(self.times.variable(time, vertex) + 1, state)
    }

    /// The step to the first variable from a vertex at a time on that can be 1.
    fn skip(&self, time: usize, from: usize, state: Passed<W>) -> Step<Passed<W>> {
        match self.first(&state, time, from) {
            Some(vertex) => Step::To(self.times.variable(time, vertex), state),
            None => Step::Zero,
        }
    }
}

impl<const W: usize> DdSpec for ByTime<W> {
    type State = Passed<W>;

    fn num_vars(&self) -> usize {
        self.times.vertices().pow(2)
    }

    fn root(&self) -> Step<Passed<W>> {
        // That which is right under both rules.
        self.root_under(topdd::Rule::AnyValue)
    }

    fn root_under(&self, rule: topdd::Rule) -> Step<Passed<W>> {
        if self.times.too_few() {
            return Step::Zero;
        }
        let phase = match rule {
            topdd::Rule::ZeroSuppressed => Phase::Skipping,
            topdd::Rule::AnyValue => Phase::Choosing,
        };
        let nowhere = Passed { visited: [0; W], at: 0, told: 0, phase };
        match phase {
            Phase::Skipping => self.skip(0, 0, nowhere),
            _ => Step::To(0, nowhere),
        }
    }

    fn child(&self, state: &Passed<W>, variable: usize, value: usize) -> Step<Passed<W>> {
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
                Some(after) => self.next(time, vertex, Passed { phase: Phase::Chosen, ..after }),
                None => Step::Zero,
            },
        }
    }
}

impl Walks {
    /// Makes the spec by time with states as small as they can be, and passes it to a visitor.
    fn visit_by_time<V: SpecVisitor>(
        &self,
        directions: Directions,
        visitor: V,
    ) -> Result<V::Output, WalkError> {
        Ok(match (directions, self.graph().vertices() > 64) {
            (Directions::One, false) => visitor.visit(ByTime::<1>::new(self)?),
            (Directions::Both, false) => visitor.visit(ByTime::<1>::directed(self)?),
            (Directions::One, true) => visitor.visit(ByTime::<4>::new(self)?),
            (Directions::Both, true) => visitor.visit(ByTime::<4>::directed(self)?),
        })
    }

    /// Makes the spec by time, for Hamiltonian walks: variable `time * vertices + vertex`, of two
    /// values, is 1 where the walk is at that vertex at that time.
    ///
    /// The variables are those of `Walks::by_time` (feature `apply`), the formulation for the
    /// apply engine. The diagram is that family intersected with `Walks::one_direction`: a path
    /// starts at the smaller of its ends unless one is fixed; a cycle starts at vertex 0 and goes
    /// on to the smaller of the two vertices next to it.
    ///
    /// The state is the set of vertices that the walk has passed, and the vertex where it is.
    /// There are many more states than in the encodings of [`spec`](Walks::spec), which do not
    /// need to know in which order vertices are passed. The spec decodes a state in each call;
    /// [`frontier_by_time`](Walks::frontier_by_time) does not, and is faster.
    ///
    /// # Errors
    ///
    /// - [`WalkError::NotHamiltonian`] if vertices may be left out.
    /// - [`WalkError::TooManyVertices`] if there are more than 256.
    /// - The others of [`WalkError`] if the fixed ends make no sense.
    ///
    /// # Example
    ///
    /// One closed knight's tour of the chessboard, without a diagram: there are
    /// 13 267 364 410 532, and a [search](topdd::Search) soon finds one.
    ///
    /// ```
    /// use topdd::Search;
    /// use topdd_graph::{Graph, Walks};
    ///
    /// let walks = Walks::hamiltonian_cycles(Graph::knight(8, 8));
    /// let spec = walks.spec_by_time()?;
    /// let solution = Search::over(&spec).seed(2).restarts(100).first()?.expect("there are many");
    /// let tour = walks.sequence_by_time(&solution)?;
    /// assert_eq!(walks.validate(&tour), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spec_by_time(&self) -> Result<BoxedSpec<'static>, WalkError> {
        self.spec_by_time_in(Directions::One)
    }

    // For topdd-chess.
    #[doc(hidden)]
    pub fn spec_by_time_in(&self, directions: Directions) -> Result<BoxedSpec<'static>, WalkError> {
        self.visit_by_time(directions, MakeBoxed)
    }

    /// Makes a sweep over the spec [by time](Walks::spec_by_time).
    ///
    /// # Errors
    ///
    /// As for [`spec_by_time`](Walks::spec_by_time).
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
    pub fn frontier_by_time(&self) -> Result<Frontier<'static>, WalkError> {
        self.frontier_by_time_in(Directions::One)
    }

    // For topdd-chess.
    #[doc(hidden)]
    pub fn frontier_by_time_in(
        &self,
        directions: Directions,
    ) -> Result<Frontier<'static>, WalkError> {
        self.visit_by_time(directions, MakeFrontier)
    }

    /// The vertices of a solution [by time](Walks::spec_by_time), in the order they are passed.
    ///
    /// # Errors
    ///
    /// A [`SequenceError`] if the values are not those of one vertex at each time; whether
    /// they make a walk is for [`validate`](Walks::validate) to say.
    pub fn sequence_by_time(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let vertices = self.graph().vertices();
        let (given, variables) = (values.len(), vertices.pow(2));
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        if let Some(variable) = values.iter().position(|&value| value > 1) {
            return Err(SequenceError::ValueOutOfRange { variable, value: values[variable] });
        }
        let not_one = SequenceError::NotOneWalk { shape: self.shape() };
        let at_time = |now: &[usize]| {
            let mut at = (0..vertices).filter(|&vertex| now[vertex] == 1);
            at.next().filter(|_| at.next().is_none()).ok_or(not_one)
        };
        values.chunks(vertices.max(1)).map(at_time).collect()
    }
}
