//! The probability that a network stays connected.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use smallvec::SmallVec;
use topdd::Step;
use topdd::spec::ArraySpec;

use super::composite::{Composite, Plan};
use super::named::{check_terminals, check_vertices};
use super::rules::{Groups, Rules};
use super::{FamilyError, Order};
use crate::Graph;

/// The probability that the terminals of a network are connected, if edges, and vertices if wanted,
/// fail independently of each other.
///
/// Without terminals, all vertices must be connected. Vertices always work unless
/// [`vertices`](Reliability::vertices) gives their probabilities; then all terminals must work, and
/// edges at a failed vertex connect nothing. The empty graph has reliability 1. A graph with one
/// vertex has the probability of that vertex. Directions do not matter.
///
/// One sweep over the edges: for each state of the frontier, its probability. No diagram is
/// stored; memory is that of two levels. The state contains, for each vertex on the frontier, its
/// component, and whether that has a terminal. Reference: G. Hardy, C. Lucet and N. Limnios,
/// *K-terminal network reliability measures with binary decision diagrams*, IEEE Trans.
/// Reliability 56 (2007).
///
/// ```
/// use topdd_graph::{Graph, families::Reliability};
///
/// let square = Graph::new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let works = [0.9; 4];
/// let all = Reliability::new(&square, &works).probability()?;
/// assert!((all - (0.9f64.powi(4) + 4.0 * 0.9f64.powi(3) * 0.1)).abs() < 1e-12);
///
/// let two = Reliability::new(&square, &works).terminals(&[0, 2]);
/// assert!((two.probability()? - (1.0 - 0.19f64.powi(2))).abs() < 1e-12);
/// let with_vertices = two.vertices(&[1.0, 0.5, 1.0, 0.5]).probability()?;
/// assert!((with_vertices - (1.0 - (1.0f64 - 0.5 * 0.81).powi(2))).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reliability<'a> {
    graph: &'a Graph,
    edges: Vec<f64>,
    vertices: Option<Vec<f64>>,
    terminals: Vec<usize>,
    order: Order,
}

impl<'a> Reliability<'a> {
    /// The network in which edge `e` works with probability `works[e]`.
    pub fn new(graph: &'a Graph, works: &[f64]) -> Self {
        let order = Order::Auto;
        Self { graph, edges: works.to_vec(), vertices: None, terminals: Vec::new(), order }
    }

    /// Sets the vertices that must be connected, at least one; all vertices without this.
    pub fn terminals(mut self, terminals: &[usize]) -> Self {
        self.terminals = terminals.to_vec();
        self
    }

    /// Lets vertex `v` work with probability `works[v]`.
    pub fn vertices(mut self, works: &[f64]) -> Self {
        self.vertices = Some(works.to_vec());
        self
    }

    /// Sets the order in which the edges are decided; [`Order::Auto`] is the default.
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// The probability. Time and memory are proportional to the number of states, which may be
    /// exponential in the width of the frontier.
    ///
    /// # Errors
    ///
    /// A [`FamilyError`] for terminals out of range or given twice, for lists of the wrong length,
    /// for numbers that are no probabilities, or if the frontier is too wide.
    pub fn probability(&self) -> Result<f64, FamilyError> {
        check_probabilities(&self.edges, self.graph.num_edges())?;
        if let Some(vertices) = &self.vertices {
            check_probabilities(vertices, self.graph.num_vertices())?;
        }
        let groups = if self.terminals.is_empty() {
            Groups::All
        } else {
            check_terminals(self.graph, &self.terminals)?;
            check_vertices(self.graph, &self.terminals)?;
            Groups::Of(vec![self.terminals.clone()])
        };
        let rules = Rules { groups, ..Rules::NONE };
        let order = self.order.of(self.graph)?;
        let plan = Plan::new(self.graph, &rules, &order);
        Ok(self.sweep(&Composite::new(plan), &order))
    }

    /// The probability that a vertex works.
    fn vertex(&self, vertex: usize) -> f64 {
        self.vertices.as_ref().map_or(1.0, |vertices| vertices[vertex])
    }

    /// Sweeps over the edges. The terminals work: their probability is a factor of the result.
    fn sweep(&self, spec: &Composite, order: &[usize]) -> f64 {
        let all: Vec<usize> = (0..self.graph.num_vertices()).collect();
        let terminals = if self.terminals.is_empty() { &all } else { &self.terminals };
        let mut is_terminal = vec![false; all.len()];
        for &terminal in terminals {
            is_terminal[terminal] = true;
        }
        let factor: f64 = terminals.iter().map(|&terminal| self.vertex(terminal)).product();

        let mut total = 0.0;
        let mut level = Level::default();
        let mut root = Words::from_elem(0, spec.len(0));
        match spec.root(&mut (), &mut root) {
            Step::Zero => return 0.0,
            Step::One => return factor,
            Step::To(_, ()) => {
                level.insert(root, 1.0);
            }
        }
        for (variable, &edge) in order.iter().enumerate() {
            let works = self.edges[edge];
            let mut next = Level::default();
            let mut arrive = |mut words: Words, taken: bool, probability: f64| {
                if probability == 0.0 {
                    return;
                }
                match spec.decide(&mut words, variable, taken) {
                    Step::Zero => {}
                    Step::One => total += probability,
                    // The terminals are connected already; the other edges are free.
                    Step::To(..) if spec.is_settled(&words) => total += probability,
                    Step::To(..) => *next.entry(words).or_insert(0.0) += probability,
                }
            };
            let entering: Vec<(usize, f64)> = spec
                .entering(variable)
                .filter(|&(vertex, _)| !is_terminal[vertex] && self.vertices.is_some())
                .map(|(vertex, slot)| (slot, self.vertex(vertex)))
                .collect();
            for (mut opened, probability) in level {
                spec.open(&mut opened, variable);
                // Each subset of the entering vertices may have failed.
                for failed in 0..1usize << entering.len() {
                    let (mut words, mut weight) = (opened.clone(), probability);
                    for (i, &(slot, up)) in entering.iter().enumerate() {
                        if failed >> i & 1 == 1 {
                            spec.fail(&mut words, slot);
                            weight *= 1.0 - up;
                        } else {
                            weight *= up;
                        }
                    }
                    if spec.is_useful(&words, variable) {
                        arrive(words.clone(), true, weight * works);
                        arrive(words, false, weight * (1.0 - works));
                    } else {
                        arrive(words, false, weight);
                    }
                }
            }
            level = next;
        }
        total * factor
    }
}

/// The states before a step, with their probabilities.
type Level = HashMap<Words, f64, BuildHasherDefault<WordHasher>>;

type Words = SmallVec<[u64; 4]>;

/// A hash of words by multiplication.
#[derive(Clone, Copy, Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        // An odd constant of random bits, 2^64 divided by the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

fn check_probabilities(list: &[f64], needed: usize) -> Result<(), FamilyError> {
    let given = list.len();
    if given != needed {
        return Err(FamilyError::WrongLength { what: "probabilities", given, needed });
    }
    match list.iter().position(|p| !(0.0..=1.0).contains(p)) {
        None => Ok(()),
        Some(at) => Err(FamilyError::BadProbability { at, value: list[at] }),
    }
}
