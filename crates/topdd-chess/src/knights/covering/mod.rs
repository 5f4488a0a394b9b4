//! Symmetric and directed tours, as paths that cover the paths of another graph.
//!
//! [`CoveringPaths`] stores the paths below and the lifts of each edge; [`Lifted`] is the spec. [`quotient`]
//! makes the graph below from a symmetry.

mod quotient;
#[cfg(test)]
mod tests;

use super::PathEncoding;
use super::hamiltonian::HamiltonianPaths;
use std::ops::ControlFlow;
use topdd::{DdSpec, Frontier, Portable, Step};
use topdd_graph::families::{FamilyError, SequenceError};
use topdd_graph::{FromWords, wide};

/// Hamiltonian paths or cycles as lifts of paths of another graph, the graph *below*: those that an
/// involution maps to themselves, those with a direction, or both.
///
/// # Symmetric paths
///
/// An involution `s` of a graph maps vertices to vertices and edges to edges, and `s s v = v`. It
/// maps a Hamiltonian path or cycle to itself if it maps the set of its edges to itself. The
/// graph below has a vertex for each pair `{v, s v}` and for each vertex that is its own
/// image, and an edge for each pair of edges that are images of one another. So it has
/// half the vertices and edges. A set of edges that is its own image is a set of edges
/// below; not all such sets lift to a single path. Choose one vertex of each
/// pair as the upper one. An edge *crosses* if it joins an upper vertex to a lower one. An edge
/// `{v, s v}` is its own image and is called a *hinge* at the vertex below.
///
/// - **Cycles.** An involution of a cycle that is not the identity is either the half-turn
///   or a reflection. The half-turn fixes no vertex and no edge, and the path below
///   is a Hamiltonian cycle. It lifts to one cycle if it crosses an odd number of times, and
///   to two otherwise. A reflection fixes two things, each a vertex or a hinge, and
///   the path below is a Hamiltonian path from one of them to the other. An additional edge from
///   end to end, which represents the two hinges, makes it a cycle.
/// - **Paths.** The involution reverses the path and fixes its middle, a vertex or a hinge. The path
///   below is a Hamiltonian path that starts at the middle. An additional vertex below is the start
///   if the middle is a hinge.
///
/// Parallel edges below are values of one variable. So the variables are the variables of the graph
/// below, in either [`PathEncoding`](super::PathEncoding), with more values: one for each lift of the edges of a
/// value below, where the lift of the last edge varies fastest. The state also contains
/// the parity of the number of crossings so far. No variable is skipped.
///
/// Source: these are voltage graphs with voltages in the group of two elements (J. L. Gross and
/// T. W. Tucker, *Topological Graph Theory*, 1987). On the chessboard, where hinges cross the centre,
/// they give the two kinds of closed symmetric tours that G. P. Jelliss named after Euler and
/// Bergholt.
///
/// # Directed paths
///
/// A path and its reverse are two solutions. Variable 0 has two values and is the direction of
/// the path: 0 as [`EdgeSets::to_sequence`](topdd_graph::families::GraphSets::to_sequence) returns it, and 1 reversed. The starts of a cycle are
/// still not distinguished. There is no such variable if an end is fixed, which fixes the direction,
/// or for the path of a single vertex.
#[derive(Clone, Debug)]
pub(super) struct CoveringPaths {
    /// The paths above, without a direction.
    paths: HamiltonianPaths,
    below: HamiltonianPaths,
    /// The lifts of each edge of the graph below.
    links: Vec<Vec<LiftLink>>,
    /// Whether a complete path below may have each [`Crossing`].
    accepted: [bool; 3],
    directed: bool,
}

/// A lift of an edge of the graph below.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LiftLink {
    crossing: Crossing,
    /// The edges of the graph above.
    edges: Vec<usize>,
}

impl CoveringPaths {
    /// All paths, each the lift of itself.
    pub(super) fn all(paths: HamiltonianPaths, encoding: PathEncoding) -> Self {
        let itself = |edge| vec![LiftLink { crossing: Crossing::Even, edges: vec![edge] }];
        let links = (0..paths.graph().num_edges()).map(itself).collect();
        let below = paths.clone().encoded(encoding);
        Self { paths, below, links, accepted: [true; 3], directed: false }
    }

    /// The paths that an involution of the graph maps to themselves. Vertex `v` is mapped to `images[v]`.
    ///
    /// If both ends of a path are fixed and are not images of one another, there is no symmetric
    /// path. If the involution is the identity, all paths are symmetric.
    ///
    /// Takes time linear in the size of the graph, apart from a
    /// [`narrow_order`](topdd_graph::order::narrow_order) of the graph below.
    ///
    /// # Panics
    ///
    /// If `images` is not an involution, or maps an edge to two vertices that no edge joins.
    pub(super) fn symmetric(
        paths: HamiltonianPaths,
        images: &[usize],
        encoding: PathEncoding,
    ) -> Self {
        if images.iter().enumerate().all(|(vertex, &image)| vertex == image) {
            return Self::all(paths, encoding);
        }
        quotient::lifts(paths, images, encoding)
    }

    /// These paths with a direction: a path and its reverse are two solutions. They must have free ends, and a
    /// path more than one vertex.
    pub(super) fn directed(self) -> Self {
        Self { directed: true, ..self }
    }

    pub(super) fn none_is_possible(&self) -> bool {
        self.paths.none_is_possible() || self.below.none_is_possible()
    }

    /// The number of variables: of the graph below, and one more for a direction.
    pub(super) fn num_vars(&self) -> usize {
        usize::from(self.directed) + self.below.num_vars()
    }

    pub(super) fn arity(&self, variable: usize) -> usize {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else { return 2 };
        self.value_edges(variable).map(|edges| self.count_lifts(&edges)).sum()
    }

    /// The edges below of each value of a variable below, in the order of the values.
    fn value_edges(&self, variable: usize) -> impl Iterator<Item = Vec<usize>> + '_ {
        (0..).map_while(move |value| self.below.value_edges(variable, value))
    }

    fn count_lifts(&self, edges: &[usize]) -> usize {
        edges.iter().map(|&edge| self.links[edge].len()).product()
    }

    /// The edges of a solution, in no particular order, from the values of its variables.
    fn edges_of(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let (given, variables) = (values.len(), self.num_vars());
        if given != variables {
            return Err(SequenceError::WrongLength { given, variables });
        }
        let first = usize::from(self.directed);
        if let Some(&value) = values[..first].iter().find(|&&value| value > 1) {
            return Err(SequenceError::ValueOutOfRange { variable: 0, value });
        }
        let mut edges = Vec::new();
        for (variable, &value) in values.iter().enumerate().skip(first) {
            let mut rest = value;
            let lift = self.value_edges(variable - first).find_map(|edges| {
                let lifts = self.count_lifts(&edges);
                if rest < lifts {
                    return Some(edges);
                }
                rest -= lifts;
                None
            });
            let lift = lift.ok_or(SequenceError::ValueOutOfRange { variable, value })?;
            for edge in lift.into_iter().rev() {
                let links = &self.links[edge];
                edges.extend_from_slice(&links[rest % links.len()].edges);
                rest /= links.len();
            }
        }
        Ok(edges)
    }

    /// The vertices of a solution in the order of the path, from the values of its variables. The order is
    /// reversed if the direction of the solution is 1. A reversed cycle has the same start.
    pub(super) fn to_sequence(&self, values: &[usize]) -> Result<Vec<usize>, SequenceError> {
        let mut sequence = self.paths.family.to_sequence(&self.edges_of(values)?)?;
        if self.directed && values[0] == 1 {
            sequence[usize::from(self.paths.closed)..].reverse();
        }
        Ok(sequence)
    }

    fn table(&self) -> LiftTable {
        let mut table = LiftTable::default();
        for variable in 0..self.below.num_vars() {
            for edges in self.value_edges(variable) {
                let mut crossings = vec![Some(Crossing::Even)];
                for edge in edges {
                    let links = &self.links[edge];
                    crossings = crossings
                        .iter()
                        .flat_map(|&before| {
                            links.iter().map(move |link| before?.and(link.crossing))
                        })
                        .collect();
                }
                table.push_value(crossings);
            }
            table.end_variable();
        }
        table
    }

    /// The spec, from the spec of the paths below with states of a type; `None` if they are too small.
    fn lifted<S: DdSpec>(&self, below: Option<S>) -> Option<Lifted<S>> {
        Some(Lifted::new(below?, self.table(), self.accepted, self.directed))
    }

    /// Makes a sweep over the spec.
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] if the frontier below is too wide.
    pub(super) fn frontier(&self) -> Result<Frontier<'static>, FamilyError> {
        let problem = self.below.problem();
        let words = problem.words();
        // Another word for the crossing.
        let crossed = words + 1;
        let frontier = match (self.below.is_by_vertex(), words) {
            // By its type: an array spec tries each value of a state on its own, and a vertex has many.
            (true, 0..=2) => self.lifted(problem.by_vertex_spec::<2>()).map(Frontier::of),
            (true, _) => {
                self.lifted(problem.by_vertex_spec::<64>()).map(|spec| wide(spec, crossed))
            }
            (false, 0..=2) => {
                self.lifted(problem.by_edge_spec::<2>()).map(|spec| wide(spec, crossed))
            }
            (false, _) => self.lifted(problem.by_edge_spec::<64>()).map(|spec| wide(spec, crossed)),
        };
        match frontier {
            Some(frontier) => Ok(frontier),
            // The sweep below fails for the same reason.
            None => self.below.frontier(),
        }
    }
}

/// The crossings of a path below so far, or of an edge; see [`CoveringPaths`](CoveringPaths).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
enum Crossing {
    /// An even number of times.
    Even,
    /// An odd number of times.
    Odd,
    /// The two things that a reflection keeps are used. The number of other crossings does not
    /// matter.
    Hinged,
}

impl Crossing {
    /// The sum of two crossings; `None` if both use the hinges, which a path does once at most.
    #[inline]
    fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Crossing::Hinged, Crossing::Hinged) => None,
            (Crossing::Hinged, _) | (_, Crossing::Hinged) => Some(Crossing::Hinged),
            _ if self == other => Some(Crossing::Even),
            _ => Some(Crossing::Odd),
        }
    }
}

/// The state of [`Lifted`]: the state of the path below, and its crossings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct LiftedState<T> {
    below: T,
    crossing: Crossing,
}

impl<T: Portable> Portable for LiftedState<T> {
    #[inline]
    fn write(&self, out: &mut Vec<u8>) {
        self.below.write(out);
        (self.crossing as u8).write(out);
    }

    #[inline]
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let below = T::read(bytes)?;
        let crossing = match u8::read(bytes)? {
            0 => Crossing::Even,
            1 => Crossing::Odd,
            2 => Crossing::Hinged,
            _ => return None,
        };
        Some(Self { below, crossing })
    }
}

impl<T: FromWords> FromWords for LiftedState<T> {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        let [below @ .., crossing] = words else { unreachable!("a state has a crossing") };
        let crossing = match crossing {
            0 => Crossing::Even,
            1 => Crossing::Odd,
            _ => Crossing::Hinged,
        };
        Self { below: T::from_words(below), crossing }
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        let [below @ .., crossing] = words else { unreachable!("a state has a crossing") };
        self.below.write_words(below);
        *crossing = self.crossing as u64;
    }
}

/// The crossings of all lifts of each value of each variable below. A value above is a position
/// in the concatenation of the lifts of all values below.
#[derive(Clone, Debug)]
struct LiftTable {
    /// The crossing of each value above, variable by variable. `None` for a value that no path can
    /// take.
    crossings: Vec<Option<Crossing>>,
    /// For each variable, the start in `crossings` of each value below, and the end of the last.
    values: Vec<u32>,
    /// The start of each variable in `values`, and the length of `values`.
    variables: Vec<u32>,
}

impl Default for LiftTable {
    fn default() -> Self {
        Self { crossings: Vec::new(), values: Vec::new(), variables: vec![0] }
    }
}

impl LiftTable {
    /// Adds the next value below of the current variable.
    fn push_value(&mut self, crossings: Vec<Option<Crossing>>) {
        self.values.push(self.crossings.len() as u32);
        self.crossings.extend(crossings);
    }

    /// Ends the current variable.
    fn end_variable(&mut self) {
        self.values.push(self.crossings.len() as u32);
        self.variables.push(self.values.len() as u32);
    }

    /// The starts of the values below of a variable, and the end of the last.
    #[inline]
    fn starts(&self, variable: usize) -> &[u32] {
        &self.values[self.variables[variable] as usize..self.variables[variable + 1] as usize]
    }

    fn arity(&self, variable: usize) -> usize {
        let starts = self.starts(variable);
        (starts[starts.len() - 1] - starts[0]) as usize
    }
}

/// The spec of [`CoveringPaths`](CoveringPaths), made of the spec `S` of the paths below.
///
/// Each value of `S` is replaced by one value for each lift of its edges: a choice of one
/// [link](LiftLink) for every edge, where the link of the last edge varies fastest. If `directed`,
/// variable 0 is the direction of the path. The spec never skips a variable, so its
/// solutions are the same under both rules.
#[derive(Clone, Debug)]
struct Lifted<S> {
    below: S,
    table: LiftTable,
    accepted: [bool; 3],
    directed: bool,
}

impl<S: DdSpec> Lifted<S> {
    fn new(below: S, table: LiftTable, accepted: [bool; 3], directed: bool) -> Self {
        Self { below, table, accepted, directed }
    }

    /// The step above of a step below, after `crossing`.
    #[inline]
    fn step(&self, step: Step<S::State>, crossing: Crossing) -> Step<LiftedState<S::State>> {
        match step {
            Step::One if !self.accepted[crossing as usize] => Step::Zero,
            Step::One => Step::One,
            Step::Zero => Step::Zero,
            Step::To(variable, below) => {
                Step::To(variable + usize::from(self.directed), LiftedState { below, crossing })
            }
        }
    }
}

impl<S: DdSpec> DdSpec for Lifted<S> {
    type State = LiftedState<S::State>;

    fn num_vars(&self) -> usize {
        self.below.num_vars() + usize::from(self.directed)
    }

    fn arity(&self, variable: usize) -> usize {
        match variable.checked_sub(usize::from(self.directed)) {
            None => 2,
            Some(variable) => self.table.arity(variable),
        }
    }

    fn root(&self) -> Step<Self::State> {
        match self.step(self.below.root(), Crossing::Even) {
            // The direction comes first; it needs no state of its own.
            Step::To(1, state) if self.directed => Step::To(0, state),
            step => step,
        }
    }

    #[inline]
    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else {
            return Step::To(1, state.clone());
        };
        let starts = self.table.starts(variable);
        let way = starts[0] + value as u32;
        // The last value that starts there or before: values without a lift are skipped.
        let below = starts.partition_point(|&start| start <= way) - 1;
        let crossing = self.table.crossings[way as usize].and_then(|way| state.crossing.and(way));
        crossing.map_or(Step::Zero, |crossing| {
            self.step(self.below.child(&state.below, variable, below), crossing)
        })
    }

    #[inline]
    fn for_each_child<B>(
        &self,
        state: &Self::State,
        variable: usize,
        mut visit: impl FnMut(usize, Step<Self::State>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(variable) = variable.checked_sub(usize::from(self.directed)) else {
            visit(0, Step::To(1, state.clone()))?;
            return visit(1, Step::To(1, state.clone()));
        };
        let starts = self.table.starts(variable);
        self.below.for_each_child(&state.below, variable, |value, step| {
            for way in starts[value]..starts[value + 1] {
                let crossing = self.table.crossings[way as usize];
                if let Some(crossing) = crossing.and_then(|way| state.crossing.and(way)) {
                    visit((way - starts[0]) as usize, self.step(step.clone(), crossing))?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    fn describe(&self, state: &Self::State) -> String {
        format!("{}, crossed {:?}", self.below.describe(&state.below), state.crossing)
    }
}
