//! Finite automata as constraints.

use super::{Constraint, ConstraintKind, Outcome, Reader};
use crate::spec::{Automaton, Space};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// The words of an automaton; the kind of [`automaton`].
pub struct Accepted<A>(Arc<A>);

/// Requires that `automaton` accepts the values. It numbers the variables of the constraint.
///
/// An [`Unrolled`](crate::spec::Unrolled) automaton is a spec as well; this one can be placed
/// [`on`](Constraint::on) some variables of a larger space.
///
/// States: the states of the automaton.
///
/// ```
/// use topdd::{constraint, spec::Automaton};
///
/// /// Words in which each letter is at most one more than the greatest before.
/// struct Growth { n: usize }
///
/// impl Automaton for Growth {
///     type State = usize;
///     fn num_vars(&self) -> usize { self.n }
///     fn arity(&self, _: usize) -> usize { self.n }
///     fn start(&self) -> usize { 0 }
///     fn next(&self, &next: &usize, _: usize, letter: usize) -> Option<usize> {
///         (letter <= next).then_some(next.max(letter + 1))
///     }
///     fn accepts(&self, _: &usize) -> bool { true }
/// }
///
/// // The 5 partitions of three items, and a free variable.
/// let partitions = constraint::automaton([3, 2, 3, 3], Growth { n: 3 }).on([0, 2, 3]);
/// assert_eq!(topdd::count(&partitions)?, 10u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn automaton<A: Automaton + Send>(
    space: impl Into<Space>,
    automaton: A,
) -> Constraint<Accepted<A>> {
    Constraint::new(space, Accepted(Arc::new(automaton)))
}

impl<A: Automaton + Send> ConstraintKind for Accepted<A> {
    type Reader = Self;

    fn name(&self) -> &'static str {
        "automaton"
    }

    fn reader(&self, arities: &[usize]) -> Result<Self, String> {
        self.0.validate()?;
        let own: Vec<usize> = (0..self.0.num_vars()).map(|v| self.0.arity(v)).collect();
        if own.len() != arities.len() {
            let (own, given) = (own.len(), arities.len());
            return Err(format!("the automaton reads {own} variables, but there are {given}"));
        }
        match (0..own.len()).find(|&variable| own[variable] != arities[variable]) {
            None => Ok(self.clone()),
            Some(variable) => Err(format!(
                "variable {variable} has arity {} in the automaton and {} in the space",
                own[variable], arities[variable]
            )),
        }
    }
}

impl<A: Automaton + Send> Reader for Accepted<A> {
    type State = A::State;

    fn start(&self) -> Outcome<A::State> {
        Outcome::Open(self.0.start())
    }

    #[inline]
    fn read(&self, state: &A::State, position: usize, value: usize) -> Outcome<A::State> {
        self.0.next(state, position, value).map_or(Outcome::Broken, Outcome::Open)
    }

    fn like(&self, position: usize) -> Option<usize> {
        self.0.like(position)
    }

    fn accepts(&self, state: &A::State) -> bool {
        self.0.accepts(state)
    }

    fn describe(&self, state: &A::State) -> String {
        self.0.describe(state)
    }
}

impl<A> Clone for Accepted<A> {
    fn clone(&self) -> Self {
        Accepted(Arc::clone(&self.0))
    }
}

impl<A> fmt::Debug for Accepted<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accepted").finish_non_exhaustive()
    }
}

/// A deterministic finite automaton, given by its edges; see [`regular`].
///
/// States may be any numbers. A value without an edge is rejected.
///
/// ```
/// use topdd::constraint::Dfa;
///
/// // Alternating words that begin with 0.
/// let alternating = Dfa::new(0).edge(0, 0, 1).edge(1, 1, 0).accept(0).accept(1);
/// assert_eq!(topdd::count(&topdd::constraint::regular(7, alternating))?, 1u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dfa {
    start: usize,
    edges: BTreeMap<(usize, usize), usize>,
    accepting: Vec<usize>,
    /// A state with two edges of one value.
    conflict: Option<(usize, usize)>,
}

impl Dfa {
    /// Returns an automaton that starts in state `start`, without edges.
    pub fn new(start: usize) -> Self {
        Dfa { start, edges: BTreeMap::new(), accepting: Vec::new(), conflict: None }
    }

    /// Adds an edge: `value` leads from state `from` to state `to`. Another edge of that value from
    /// that state makes the constraint invalid.
    pub fn edge(mut self, from: usize, value: usize, to: usize) -> Self {
        if self.edges.insert((from, value), to).is_some_and(|other| other != to) {
            self.conflict = Some((from, value));
        }
        self
    }

    /// Makes a state accepting.
    pub fn accept(mut self, state: usize) -> Self {
        self.accepting.push(state);
        self
    }

    fn layers(&self, arities: &[usize]) -> Result<Layers, String> {
        if let Some((state, value)) = self.conflict {
            return Err(format!("two edges of value {value} leave state {state}"));
        }
        // Indices of the states, in the order of their first occurrence.
        let mut names: BTreeMap<usize, usize> = BTreeMap::new();
        let named = self.edges.iter().flat_map(|(&(from, _), &to)| [from, to]);
        for state in [self.start].into_iter().chain(named).chain(self.accepting.iter().copied()) {
            let next = names.len();
            names.entry(state).or_insert(next);
        }
        let mut edges = vec![Vec::new(); names.len()];
        for (&(from, value), to) in &self.edges {
            edges[names[&from]].push((value, names[to]));
        }
        let mut accepting = vec![false; names.len()];
        for state in &self.accepting {
            accepting[names[state]] = true;
        }
        Ok(Layers::unroll(arities, names[&self.start], &edges, &accepting))
    }
}

/// The words of a deterministic finite automaton; the kind of [`regular`].
#[derive(Clone, Debug)]
pub struct Regular(Dfa);

/// Requires that `dfa` accepts the values.
///
/// States: at most the states of the automaton. A state is cut off if it accepts no word of the length
/// left, and states that accept the same words are one. Time to prepare: the number of edges, for
/// each variable.
///
/// Reference: G. Pesant, "A regular language membership constraint for finite sequences of variables",
/// 2004.
///
/// ```
/// use topdd::constraint::{Dfa, regular};
///
/// // Shifts: after two nights (1) in a row comes a day off (0).
/// let nights = Dfa::new(0)
///     .edge(0, 0, 0).edge(0, 1, 1)
///     .edge(1, 0, 0).edge(1, 1, 2)
///     .edge(2, 0, 0)
///     .accept(0).accept(1).accept(2);
/// assert_eq!(topdd::count(&regular(5, nights))?, 24u32.into());
/// # Ok::<(), topdd::BuildError>(())
/// ```
pub fn regular(space: impl Into<Space>, dfa: Dfa) -> Constraint<Regular> {
    Constraint::new(space, Regular(dfa))
}

impl ConstraintKind for Regular {
    type Reader = Layers;

    fn name(&self) -> &'static str {
        "regular"
    }

    fn reader(&self, arities: &[usize]) -> Result<Layers, String> {
        self.0.layers(arities)
    }
}

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
