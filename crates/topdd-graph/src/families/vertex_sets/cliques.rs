//! Cliques: the state has the candidates for further members.

use smallvec::SmallVec;
use topdd::{DdSpec, Step};

use crate::Graph;

/// The later vertices that are neighbours of all members, ascending; `None` before the first member.
pub(super) type Candidates = Option<SmallVec<[u32; 6]>>;

/// The sets of vertices of which every two are neighbours. Skips the vertices that are no candidates:
/// they are 0.
#[derive(Clone, Debug)]
pub(super) struct Cliques {
    /// The later neighbours of each vertex, as variables, ascending.
    later: Vec<Vec<u32>>,
}

impl Cliques {
    pub(super) fn new(graph: &Graph, order: &[usize]) -> Self {
        let ranks = crate::order::inverse(order);
        let mut later = vec![Vec::new(); order.len()];
        for &(a, b) in graph.edges() {
            let (a, b) = (ranks[a].min(ranks[b]), ranks[a].max(ranks[b]));
            if a != b {
                later[a].push(b as u32);
            }
        }
        for list in &mut later {
            list.sort_unstable();
            list.dedup();
        }
        Self { later }
    }

    /// The step to a state with these candidates, the first of which is decided next.
    fn step(candidates: SmallVec<[u32; 6]>) -> Step<Candidates> {
        match candidates.first() {
            Some(&next) => Step::To(next as usize, Some(candidates)),
            None => Step::One,
        }
    }
}

impl DdSpec for Cliques {
    type State = Candidates;

    fn num_vars(&self) -> usize {
        self.later.len()
    }

    fn root(&self) -> Step<Candidates> {
        if self.later.is_empty() { Step::One } else { Step::To(0, None) }
    }

    fn child(&self, state: &Candidates, variable: usize, value: usize) -> Step<Candidates> {
        let later = &self.later[variable];
        match (state, value) {
            (None, 0) if variable + 1 == self.later.len() => Step::One,
            (None, 0) => Step::To(variable + 1, None),
            (None, _) => Self::step(SmallVec::from_slice(later)),
            (Some(candidates), 0) => Self::step(SmallVec::from_slice(&candidates[1..])),
            (Some(candidates), _) => {
                let both = candidates.iter().copied();
                Self::step(both.filter(|other| later.binary_search(other).is_ok()).collect())
            }
        }
    }
}

/// An order in which each vertex has as few later neighbours as possible: the next vertex is one with
/// the fewest that are left (D. W. Matula and L. L. Beck, *Smallest-last ordering and clustering*,
/// JACM 30, 1983). Linear time.
pub(in crate::families) fn smallest_first(graph: &Graph) -> Vec<usize> {
    let vertices = graph.num_vertices();
    let mut degrees: Vec<usize> =
        (0..vertices).map(|vertex| graph.incident(vertex).len()).collect();
    let mut buckets: Vec<Vec<usize>> =
        vec![Vec::new(); degrees.iter().max().map_or(0, |most| most + 1)];
    for vertex in (0..vertices).rev() {
        buckets[degrees[vertex]].push(vertex);
    }
    let mut gone = vec![false; vertices];
    let mut order = Vec::with_capacity(vertices);
    let mut least = 0;
    while order.len() < vertices {
        // A vertex is in a bucket for each degree that it had.
        let Some(vertex) = buckets[least].pop() else {
            least += 1;
            continue;
        };
        if gone[vertex] || degrees[vertex] != least {
            continue;
        }
        gone[vertex] = true;
        order.push(vertex);
        for other in graph.neighbours(vertex) {
            if !gone[other] {
                degrees[other] -= 1;
                buckets[degrees[other]].push(other);
                least = least.min(degrees[other]);
            }
        }
    }
    order
}
