//! Automata unrolled over the variables, one layer per variable, and reduced.

use super::kind::{Outcome, Reader};
use std::collections::HashMap;
use std::sync::Arc;

/// An automaton with separate states for each variable, no two of which accept the same words.
#[derive(Clone, Debug)]
pub struct Layers {
    start: Outcome<u32>,
    layers: Vec<Arc<Layer>>,
}

/// The states at a variable: for each, the values that are not rejected, in ascending order.
type Layer = Vec<Values>;
type Values = Vec<(usize, Outcome<u32>)>;

/// A layer under construction.
struct Merged {
    arity: usize,
    ids: HashMap<Values, u32>,
    states: Layer,
}

impl Merged {
    fn new(arity: usize) -> Self {
        Merged { arity, ids: HashMap::new(), states: Vec::new() }
    }

    /// Returns the state with these values, whose targets are states of the layer below.
    fn state(&mut self, values: impl Iterator<Item = (usize, Outcome<u32>)>) -> Outcome<u32> {
        let values: Values = values.filter(|(_, to)| *to != Outcome::Broken).collect();
        if values.is_empty() {
            return Outcome::Broken;
        }
        if values.len() == self.arity && values.iter().all(|(_, to)| *to == Outcome::Met) {
            return Outcome::Met;
        }
        if let Some(&id) = self.ids.get(&values) {
            return Outcome::Open(id);
        }
        let id = self.states.len() as u32;
        self.states.push(values.clone());
        self.ids.insert(values, id);
        Outcome::Open(id)
    }
}

impl Layers {
    /// Unrolls an automaton of `edges.len()` states, in which `edges[state]` are values and the states
    /// they lead to, in ascending order of value.
    ///
    /// Time: the number of variables times the number of edges; constant per variable once layers
    /// repeat.
    pub(super) fn unroll(
        arities: &[usize],
        start: usize,
        edges: &[Vec<(usize, usize)>],
        accepting: &[bool],
    ) -> Self {
        let end = |&accepts: &bool| if accepts { Outcome::Met } else { Outcome::Broken };
        let mut below: Vec<Outcome<u32>> = accepting.iter().map(end).collect();
        let mut layers: Vec<Arc<Layer>> = Vec::with_capacity(arities.len());
        // The arity for which the next layer would be the same again.
        let mut stable = None;
        for &arity in arities.iter().rev() {
            if let Some(last) = layers.last().filter(|_| stable == Some(arity)) {
                layers.push(Arc::clone(last));
                continue;
            }
            let mut merged = Merged::new(arity);
            let outcomes: Vec<_> = edges
                .iter()
                .map(|edges| {
                    let within = edges.iter().filter(|&&(value, _)| value < arity);
                    merged.state(within.map(|&(value, to)| (value, below[to])))
                })
                .collect();
            stable = (outcomes == below).then_some(arity);
            layers.push(Arc::new(merged.states));
            below = outcomes;
        }
        layers.reverse();
        Layers { start: below[start], layers }
    }

    /// Returns the automaton of a list of tuples, which are sorted, distinct and fit the arities.
    ///
    /// Time and memory: linear in the tuples.
    pub(super) fn of_tuples(arities: &[usize], tuples: &[Vec<usize>]) -> Self {
        // One entry per group of tuples with equal prefixes: the first of them, and their state.
        let mut groups: Vec<(usize, Outcome<u32>)> =
            (0..tuples.len()).map(|at| (at, Outcome::Met)).collect();
        let mut layers: Vec<Arc<Layer>> = Vec::with_capacity(arities.len());
        for (position, &arity) in arities.iter().enumerate().rev() {
            let mut merged = Merged::new(arity);
            let same = |one: &(usize, Outcome<u32>), other: &(usize, Outcome<u32>)| {
                tuples[one.0][..position] == tuples[other.0][..position]
            };
            let state = |group: &[(usize, Outcome<u32>)]| {
                let values = group.iter().map(|&(at, to)| (tuples[at][position], to));
                (group[0].0, merged.state(values))
            };
            groups = groups.chunk_by(same).map(state).collect();
            layers.push(Arc::new(merged.states));
        }
        layers.reverse();
        let start = groups.first().map_or(Outcome::Broken, |&(_, start)| start);
        Layers { start, layers }
    }
}

impl Reader for Layers {
    type State = u32;

    fn start(&self) -> Outcome<u32> {
        self.start
    }

    #[inline]
    fn read(&self, &state: &u32, position: usize, value: usize) -> Outcome<u32> {
        let values = &self.layers[position][state as usize];
        match values.binary_search_by_key(&value, |&(value, _)| value) {
            Ok(at) => values[at].1,
            Err(_) => Outcome::Broken,
        }
    }
}
