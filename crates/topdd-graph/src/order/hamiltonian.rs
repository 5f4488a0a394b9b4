//! Vertex orders with few states, by beam search.
//!
//! The states of a sweep over Hamiltonian cycles after some vertices depend on the *set* of
//! those vertices, not on their order. Their number is estimated: the degree of each vertex on the
//! frontier is any that its neighbours allow, and the vertices of degree one are the
//! ends of pieces, paired in any way. In a bipartite graph the degrees of both sides have the
//! same sum, which is a strong condition if the processed vertices are mostly of one
//! side. The estimate is an upper bound. It is far too large, but by a similar factor for all sets
//! of one size, so that sets with a smaller estimate have fewer states.
//!
//! An order is a path through sets of vertices, each one vertex larger. A beam search finds a good
//! one (B. T. Lowerre, *The HARPY speech recognition system*, 1976): of the sets of each size, it
//! keeps the few with the least cost.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use ahash::AHasher;

use super::beam::{BeamStart, BeamTry, search};
use super::incidence::distinct_neighbours;
use super::search::components;
use crate::Graph;
use crate::lists::Lists;

/// The number of sets of each size that are kept. A hundred times as many find nothing better on
/// the knight's boards of 7x8 and 8x8; with a third of them 6x7 has more states.
const BEAM: usize = 100;

/// The number of remaining vertices, in ascending order, that are tried as the next one.
const WINDOW: usize = 64;

/// The maximum number of vertices of a graph that is worth a search.
const MAX_VERTICES: usize = 256;

/// The maximum width of a frontier that is worth a search, in vertices.
const MAX_SLOTS: usize = 32;

/// The maximum ratio of the estimate of a new order to the estimate of the given order. Less than 1 because
/// the error of the estimate depends on the order.
const MARGIN: f64 = 0.5;

/// Returns an order of the vertices of a bipartite graph, starting with vertex 0, in which specs
/// for its Hamiltonian cycles and paths [by vertex](crate::families::PathsByVertex) have fewer states
/// than in the given order, if vertex `order[k]` gets the number `k`. The frontier is no wider.
///
/// `None` if no order with less than half the estimated states was found. Also `None` if the graph is
/// not bipartite, has no vertices or more than 256, or has a frontier of more than 32 vertices,
/// where no sweep would end in reasonable time.
///
/// Takes at most 6400 estimates for each vertex, nearly all of them cached: tenths of a
/// second at most.
///
/// Source: beam search, B. T. Lowerre, *The HARPY speech recognition system*, 1976.
///
/// # Example
///
/// ```
/// use topdd_graph::Graph;
/// use topdd_graph::order::narrow_order;
///
/// let order = narrow_order(&Graph::knight(6, 5)).expect("there is a better order");
/// assert_eq!((order[0], order.len()), (0, 30));
/// ```
pub fn narrow_order(graph: &Graph) -> Option<Vec<usize>> {
    let (vertices, edges) = (graph.num_vertices(), graph.edges());
    if vertices == 0 || vertices > MAX_VERTICES || edges.iter().any(|(a, b)| a == b) {
        return None;
    }
    let graph = &distinct_neighbours(graph);
    let mut estimate = CachedEstimates::default();
    let start = BeamProgress::new(graph, sides(graph)?);

    let mut natural = start.clone();
    let (mut natural_cost, mut slots) = (0.0, 0);
    for vertex in 0..vertices {
        let frontier = natural.pass(graph, vertex);
        slots = slots.max(frontier.slots);
        if slots > MAX_SLOTS {
            return None;
        }
        natural_cost += estimate.states(&frontier);
    }

    let mut first = start;
    first.pass(graph, 0);
    let first = vec![BeamStart { vertex: 0, cost: 0.0, set: first }];
    let tries = |progress: &BeamProgress, found: &mut dyn FnMut(BeamTry)| {
        let left = (0..vertices).filter(|&vertex| !progress.gone[vertex]);
        for vertex in left.take(WINDOW) {
            let frontier = progress.after(graph, vertex);
            if frontier.slots <= slots {
                found(BeamTry { vertex, cost: estimate.states(&frontier), tie: 0.0 });
            }
        }
    };
    let add = |progress: &mut BeamProgress, vertex: usize| {
        progress.pass(graph, vertex);
    };
    let (cost, order) = search(vertices, BEAM, first, tries, add)?;
    (cost < natural_cost * MARGIN).then_some(order)
}

/// The side of each vertex, 0 or 1; `None` if the graph is not bipartite.
pub(crate) fn sides(graph: &Lists<usize>) -> Option<Vec<usize>> {
    let mut sides = vec![0; graph.len()];
    for vertex in components(graph).into_iter().flatten() {
        for &other in &graph[vertex] {
            sides[other] = 1 - sides[vertex];
        }
    }
    let differ = |vertex: usize| graph[vertex].iter().all(|&other| sides[other] != sides[vertex]);
    (0..sides.len()).all(differ).then_some(sides)
}

/// The possible degrees of a vertex on the frontier, as an index in [`DEGREES`]. At most one if a
/// single edge is decided, and at least one if a single edge is undecided.
type Class = usize;

const DEGREES: [&[usize]; 4] = [&[1], &[0, 1], &[1, 2], &[0, 1, 2]];

/// The properties of a frontier that the estimate depends on.
#[derive(Clone, Copy, Debug, Default)]
struct FrontierSummary {
    /// The number of vertices of each side and class.
    classes: [[u8; 4]; 2],
    /// The number of vertices of side 0 that have both their edges, minus the number of side 1.
    balance: isize,
    /// The number of slots that the last variable step needs.
    slots: usize,
}

/// The set of processed vertices, and the frontier after them.
#[derive(Clone)]
struct BeamProgress {
    gone: Vec<bool>,
    /// The number of undecided edges of each vertex.
    undecided: Vec<usize>,
    sides: Vec<usize>,
    frontier: FrontierSummary,
}

impl BeamProgress {
    fn new(graph: &Lists<usize>, sides: Vec<usize>) -> Self {
        let vertices = graph.len();
        let undecided = (0..vertices).map(|vertex| graph[vertex].len()).collect();
        Self { gone: vec![false; vertices], undecided, sides, frontier: FrontierSummary::default() }
    }

    /// The class of a vertex with `undecided` undecided edges; `None` if it is not on the
    /// frontier.
    fn class(graph: &Lists<usize>, vertex: usize, undecided: usize) -> Option<Class> {
        let decided = graph[vertex].len() - undecided;
        (decided > 0 && undecided > 0)
            .then(|| 2 * usize::from(decided > 1) + usize::from(undecided > 1))
    }

    /// The frontier after one more vertex.
    fn after(&self, graph: &Lists<usize>, vertex: usize) -> FrontierSummary {
        let mut frontier = self.frontier;
        let sign = |vertex: usize| if self.sides[vertex] == 0 { 1 } else { -1 };
        let undecided = self.undecided[vertex];
        if let Some(class) = Self::class(graph, vertex, undecided) {
            frontier.classes[self.sides[vertex]][class] -= 1;
        }
        if undecided == 0 && !graph[vertex].is_empty() {
            // All its edges were decided by its neighbours.
            frontier.slots = 0;
            return frontier;
        }
        frontier.balance += sign(vertex);
        let mut settled = 0;
        for &other in graph[vertex].iter().filter(|&&other| !self.gone[other]) {
            let side = self.sides[other];
            let undecided = self.undecided[other];
            if let Some(class) = Self::class(graph, other, undecided) {
                frontier.classes[side][class] -= 1;
            }
            if let Some(class) = Self::class(graph, other, undecided - 1) {
                frontier.classes[side][class] += 1;
            } else {
                frontier.balance += sign(other);
                settled += 1;
            }
        }
        let staying: usize = frontier.classes.iter().flatten().map(|&count| count as usize).sum();
        frontier.slots = staying + settled;
        frontier
    }

    /// Processes a vertex: decides all its edges.
    fn pass(&mut self, graph: &Lists<usize>, vertex: usize) -> FrontierSummary {
        self.frontier = self.after(graph, vertex);
        self.gone[vertex] = true;
        self.undecided[vertex] = 0;
        for &other in graph[vertex].iter().filter(|&&other| !self.gone[other]) {
            self.undecided[other] -= 1;
        }
        self.frontier
    }
}

/// The number of assignments of degrees to the vertices of one side, by the number of ends of pieces
/// and the sum of the degrees.
type Ways = Vec<Vec<f64>>;

type Hasher = BuildHasherDefault<AHasher>;

/// The estimates, cached by the properties of the frontier.
#[derive(Default)]
struct CachedEstimates {
    ways: HashMap<[u8; 4], Ways, Hasher>,
    states: HashMap<([[u8; 4]; 2], isize), f64, Hasher>,
}

impl CachedEstimates {
    /// The estimated number of states: the number of assignments of degrees, each times the number
    /// of pairings of the ends of pieces.
    fn states(&mut self, frontier: &FrontierSummary) -> f64 {
        let &FrontierSummary { classes, balance, .. } = frontier;
        if let Some(&states) = self.states.get(&(classes, balance)) {
            return states;
        }
        for side in classes {
            self.ways.entry(side).or_insert_with(|| ways(side));
        }
        let [one, other] = classes.map(|side| &self.ways[&side]);
        let mut states = 0.0;
        for (ends, by_edges) in one.iter().enumerate() {
            for (more_ends, other_by_edges) in other.iter().enumerate() {
                if (ends + more_ends) % 2 == 1 {
                    continue;
                }
                let mut both = 0.0;
                for (edges, &ways) in by_edges.iter().enumerate() {
                    // The degrees of both sides have the same sum, with the vertices off the frontier.
                    let other_edges = edges.checked_add_signed(2 * balance);
                    both += ways
                        * other_edges.and_then(|edges| other_by_edges.get(edges)).unwrap_or(&0.0);
                }
                states += both * pairings(ends + more_ends);
            }
        }
        self.states.insert((classes, balance), states);
        states
    }
}

fn ways(side: [u8; 4]) -> Ways {
    let vertices: usize = side.iter().map(|&count| count as usize).sum();
    let none = vec![vec![0.0; 2 * vertices + 1]; vertices + 1];
    let mut ways = none.clone();
    ways[0][0] = 1.0;
    for (class, &count) in side.iter().enumerate() {
        for _ in 0..count {
            let mut next = none.clone();
            for (ends, by_edges) in ways.iter().enumerate() {
                for (edges, &ways) in by_edges.iter().enumerate().filter(|(_, ways)| **ways > 0.0) {
                    for &degree in DEGREES[class] {
                        next[ends + usize::from(degree == 1)][edges + degree] += ways;
                    }
                }
            }
            ways = next;
        }
    }
    ways
}

/// The number of ways to pair an even number of things.
fn pairings(things: usize) -> f64 {
    (1..things).step_by(2).map(|factor| factor as f64).product()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::families::{EdgeSets, hamiltonian_cycles};

    /// The estimate after a set of processed vertices, by enumeration of all degrees.
    fn bound_by_enumeration(graph: &Lists<usize>, gone: &[usize]) -> f64 {
        let is_gone = |vertex: &usize| gone.contains(vertex);
        let sides = sides(graph).unwrap();
        let mut frontier = Vec::new();
        let mut balance = 0;
        for vertex in 0..graph.len() {
            let sign = [1, -1][sides[vertex]];
            let decided = graph[vertex].iter().filter(|v| is_gone(v)).count();
            let undecided = graph[vertex].len() - decided;
            if is_gone(&vertex) || undecided == 0 {
                balance += 2 * sign;
            } else if decided > 0 {
                frontier.push((sign, 2_usize.saturating_sub(undecided), decided.min(2)));
            }
        }
        let mut states = 0.0;
        for number in 0..3_usize.pow(frontier.len() as u32) {
            let degree = |i: usize| number / 3_usize.pow(i as u32) % 3;
            let fits = |(i, &(_, least, most)): (usize, &(isize, usize, usize))| {
                (least..=most).contains(&degree(i))
            };
            let degrees_of = |of: isize| -> usize {
                (0..frontier.len()).filter(|&i| frontier[i].0 == of).map(degree).sum()
            };
            let crossing = degrees_of(1).checked_add_signed(balance) == Some(degrees_of(-1));
            let ends = (0..frontier.len()).filter(|&i| degree(i) == 1).count();
            if frontier.iter().enumerate().all(fits) && crossing && ends % 2 == 0 {
                states += pairings(ends);
            }
        }
        states
    }

    #[test]
    fn estimate_equals_the_enumerated_bound() {
        let mut estimate = CachedEstimates::default();
        for graph in [Graph::knight(4, 4), Graph::knight(3, 5), Graph::grid(4, 4)] {
            let vertices = graph.num_vertices();
            let graph = distinct_neighbours(&graph);
            let mut progress = BeamProgress::new(&graph, sides(&graph).unwrap());
            // A permutation of the vertices: 7 does not divide their number.
            let order: Vec<usize> = (0..vertices).map(|i| i * 7 % vertices).collect();
            for passed in 0..vertices {
                let frontier = progress.pass(&graph, order[passed]);
                let expected = bound_by_enumeration(&graph, &order[..=passed]);
                let off = (estimate.states(&frontier) - expected).abs();
                assert!(off < 0.5, "{off} off {expected} after {:?}", &order[..=passed]);
            }
        }
    }

    fn states(tours: &EdgeSets) -> usize {
        let mut sweep = tours.by_vertex().unwrap().frontier().unwrap();
        sweep.count().unwrap();
        sweep.report().states() as usize
    }

    #[test]
    fn narrow_order_reduces_states_and_does_not_widen_the_frontier() {
        for (rows, cols) in [(6, 5), (6, 6), (7, 6), (12, 5)] {
            let graph = Graph::knight(rows, cols);
            let order = narrow_order(&graph).unwrap();
            assert_eq!(order[0], 0);
            assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), graph.num_vertices());
            let ranks = crate::order::inverse(&order);
            let renumbered = graph.edges().iter().map(|&(a, b)| (ranks[a], ranks[b]));
            let reordered = Graph::new(order.len(), renumbered).unwrap();
            let [reordered, graph] = [reordered, graph].map(|graph| hamiltonian_cycles(&graph));
            let words = |tours: &EdgeSets| tours.by_vertex().unwrap().problem().words();
            assert!(words(&reordered) <= words(&graph));
            let (after, before) = (states(&reordered), states(&graph));
            assert!(3 * after < 2 * before, "{rows}x{cols}: {after} of {before}");
        }
    }

    #[test]
    fn narrow_order_is_none_for_unsuitable_graphs() {
        let triangle = Graph::new(3, [(0, 1), (1, 2), (0, 2)]).unwrap();
        for graph in [
            triangle,
            Graph::grid(0, 0),
            Graph::grid(1, 1),
            Graph::knight(2, 2),
            Graph::knight(100, 6),
            Graph::knight(16, 16),
        ] {
            assert_eq!(narrow_order(&graph), None);
        }
    }
}
