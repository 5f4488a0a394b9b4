//! Expanding states: asking the spec for their children and sorting these by where they go.

use super::carry::Carry;
use super::level::Waiting;
use super::limbs::{self, ANY_WIDTH};
use super::monitor::Watch;
use super::outbox::{FarDestination, Outbox, TO_FAR, TO_ONE};
use super::partition::Placement;
use super::unreduced::ShapeWriter;
use super::via::Via;
use crate::Error;
use crate::spec::{Arities, DdSpec, Forced, Rule, Step};
use std::hash::Hash;
use std::ops::ControlFlow;

/// What the engine asks of a state.
pub(super) trait State: Clone + Eq + Hash + Send + Sync {}

impl<S: Clone + Eq + Hash + Send + Sync> State for S {}

/// A spec, as the sweep sees it.
///
/// The sweep knows the type of the states, and asks whatever has them to expand many at a
/// time. So all else about it is compiled once for each type of state, and not again for
/// each spec.
pub(super) trait Source<S: State>: Sync {
    /// Where the spec starts.
    fn start(&self, rule: Rule) -> Step<S>;

    /// Expands states, each with its number, into `out` until it holds `most_edges`, looking at
    /// the watch now and then, and holds the spec to its contract. Answers how many states were
    /// expanded.
    fn expand(
        &self,
        level: &Expansion<'_, S>,
        records: (&[S], &[u64]),
        most_edges: u64,
        out: &mut Outbox<S>,
    ) -> Result<usize, Error>;

    /// Writes a state as text.
    fn describe_state(&self, state: &S) -> String;
}

/// Which states that must take one value are not stored, but followed to where they lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    Nobody,
    /// Those that must take 0: they are no nodes.
    Zeros,
    /// As well, on the way of each edge, as many as [`Via`] knows of that must take 1 of two
    /// values, if they do not lead to the 1-terminal: these are nodes that are known by where they
    /// lead (see [`OverForced`](super::level::OverForced)).
    Nodes,
    /// All, as far as [`MOST_FORCED`] allows: where states have numbers, and no edge is stored.
    All,
}

/// How many forced states an edge goes past at most that must take another value than 0: what is
/// stored is met once, but what is gone past once for each edge that leads there.
const MOST_FORCED: usize = 64;
/// How many variables further an edge that goes past nodes leads at most: each way from one level to
/// another is kept apart, so there should not be many.
const REACH: usize = 16;

/// The level that is being expanded, as far as expansion needs to know it.
pub(super) struct Expansion<'a, S: State> {
    pub(super) arities: &'a Arities,
    pub(super) placement: &'a Placement<S>,
    pub(super) watch: &'a Watch,
    pub(super) variable: usize,
    pub(super) carry: Carry,
    /// How many limbs the numbers of its states have.
    pub(super) width: usize,
    /// Which states that are forced are left out.
    pub(super) follow: Follow,
    /// The partitions of the next level.
    pub(super) near_partitions: usize,
    /// The levels beyond it, for the number of their partitions.
    pub(super) waiting: &'a Waiting<S>,
    /// The partitions of a level that is not there yet, by its variable.
    pub(super) new_partitions: &'a (dyn Fn(usize) -> usize + Sync),
}

/// Work between two checks of the watch: the number of states, edges, and values tried; and of forced
/// states on long chains.
const WATCH_WORK: usize = 1 << 13;
/// Every so many states of a chain are counted as work: to count each would cost queens by cell
/// three percent.
const LONG_CHAIN: usize = 16;

impl<Spec: DdSpec> Source<Spec::State> for Spec {
    fn start(&self, rule: Rule) -> Step<Spec::State> {
        self.root_under(rule)
    }

    fn describe_state(&self, state: &Spec::State) -> String {
        self.describe(state)
    }

    fn expand(
        &self,
        level: &Expansion<'_, Spec::State>,
        records: (&[Spec::State], &[u64]),
        most_edges: u64,
        out: &mut Outbox<Spec::State>,
    ) -> Result<usize, Error> {
        match level.width {
            _ if level.carry.edges() => {
                expand::<Spec, 0, true>(self, level, records, most_edges, out)
            }
            1 => expand::<Spec, 1, false>(self, level, records, most_edges, out),
            2 => expand::<Spec, 2, false>(self, level, records, most_edges, out),
            _ => expand::<Spec, ANY_WIDTH, false>(self, level, records, most_edges, out),
        }
    }
}

/// [`Source::expand`], for numbers of this width, and for sweeps that store edges or do not.
fn expand<Spec: DdSpec, const WIDTH: usize, const EDGES: bool>(
    spec: &Spec,
    level: &Expansion<'_, Spec::State>,
    (states, numbers): (&[Spec::State], &[u64]),
    most_edges: u64,
    out: &mut Outbox<Spec::State>,
) -> Result<usize, Error> {
    let variable = level.variable;
    let arity = level.arities.get(variable);
    let num_vars = level.arities.num_vars();
    let follows = level.follow != Follow::Nobody;
    let mut shapes = ShapeWriter::new(arity);
    // A spec may try many values to find few edges.
    let work_per_state = 1 + arity / 16;
    let mut work = WATCH_WORK;
    let mut expanded = 0;
    let width = if WIDTH == ANY_WIDTH { level.width } else { WIDTH };
    let mut numbers = numbers;
    for state in states {
        if work >= WATCH_WORK {
            level.watch.check(Some(variable))?;
            work = 0;
        }
        if out.edges >= most_edges {
            break;
        }
        let edges_before = out.edges;
        let (number, rest) = numbers.split_at(width);
        numbers = rest;
        let weight = limbs::value(number);
        // The next value that may be visited.
        let mut next_value = 0;
        let flow = spec.for_each_child(state, variable, |value, step| {
            let watch_is_due = (value.wrapping_add(1) ^ next_value) >= WATCH_WORK;
            if value < next_value || value >= arity || watch_is_due {
                level.look(value, next_value, &|| spec.describe(state))?;
            }
            next_value = value + 1;
            let (step, via) = match step {
                Step::To(to, state) if follows && to > variable && to < num_vars => {
                    level.past(spec, (to, state), &mut out.chained)
                }
                step => (step, Via::NONE),
            };
            let destination = match step {
                Step::Zero => return ControlFlow::Continue(()),
                Step::One => {
                    out.ones_edges += 1;
                    if !EDGES {
                        limbs::add(&mut out.ones, number);
                    }
                    TO_ONE
                }
                Step::To(to, child) if to == variable + 1 && to < num_vars => {
                    let partition =
                        level.partition(&child, level.near_partitions, &mut out.encoded);
                    out.near.records[partition].push(child, number, &out.blocks);
                    if !EDGES {
                        out.near.weight += weight;
                    }
                    partition as u8
                }
                Step::To(to, child) if to > variable && to < num_vars => {
                    level.send_far::<EDGES>((to, via), child, (number, weight), out);
                    TO_FAR
                }
                Step::To(to, _) => {
                    return level.bad_step(value, to, spec.describe(state));
                }
            };
            out.edges += 1;
            if EDGES {
                shapes.edge(value as u32);
                out.written.destinations.push(destination);
            }
            ControlFlow::Continue(())
        });
        if EDGES {
            shapes.end_node(&mut out.written.shape);
        }
        if let ControlFlow::Break(error) = flow {
            return Err(*error);
        }
        expanded += 1;
        work += work_per_state + (out.edges - edges_before) as usize;
    }
    out.written.nodes += expanded;
    Ok(expanded)
}

impl<S: State> Expansion<'_, S> {
    /// Where a step to a state leads past states that are forced, and those among them that are
    /// nodes of the diagram being built, if one is. Adds the states of a long chain to `chained`,
    /// and ends it where the watch ends the run.
    // Counted: by calls to it and to `send_far` it would take a sixth more instructions.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn past<Spec>(
        &self,
        spec: &Spec,
        (mut to, mut state): (usize, S),
        chained: &mut usize,
    ) -> (Step<S>, Via)
    where
        Spec: DdSpec<State = S>,
    {
        let num_vars = self.arities.num_vars();
        let mut via = Via::NONE;
        let mut forced = 0;
        let mut steps = 0;
        loop {
            let (value, next) = match spec.forced(&state, to) {
                Forced::Free => break,
                Forced::Dead => return (Step::Zero, Via::NONE),
                Forced::Value(value, next) => (value, next),
            };
            steps += 1;
            if steps % LONG_CHAIN == 0 && self.is_over_after(LONG_CHAIN, chained) {
                break;
            }
            let mut next_via = via;
            if value > 0 {
                let arity = self.arities.get(to);
                if value >= arity {
                    break;
                }
                forced += 1;
                if self.follow == Follow::All {
                    if forced > MOST_FORCED {
                        break;
                    }
                } else {
                    if self.follow != Follow::Nodes || arity != 2 {
                        break;
                    }
                    let Some(past) = via.past(to) else { break };
                    next_via = past;
                }
            }
            match next {
                // A step that breaks the contract is left for the engine to meet and report.
                Step::To(beyond, after) if beyond > to && beyond < num_vars => {
                    if !next_via.is_none() && beyond > self.variable + REACH {
                        break;
                    }
                    to = beyond;
                    state = after;
                    via = next_via;
                }
                Step::Zero => return (Step::Zero, Via::NONE),
                Step::One if next_via.is_none() => return (Step::One, Via::NONE),
                Step::One | Step::To(..) => break,
            }
        }
        (Step::To(to, state), via)
    }

    /// The partition of a state; most levels are small and have but one.
    #[inline]
    fn partition(&self, state: &S, partitions: usize, encoded: &mut Vec<u8>) -> usize {
        if partitions == 1 { 0 } else { self.placement.of(state, encoded).partition(partitions) }
    }

    // As above.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn send_far<const EDGES: bool>(
        &self,
        (to, via): (usize, Via),
        child: S,
        (number_of, weight): (&[u64], f64),
        out: &mut Outbox<S>,
    ) {
        let via = if EDGES { via } else { Via::NONE };
        let number = out.far_bag(to, via, || {
            let level = self.waiting.get(&to);
            level.map_or_else(|| (self.new_partitions)(to), |level| level.partitions.len())
        });
        let bag = &mut out.far[number];
        let partition = self.partition(&child, bag.records.len(), &mut out.encoded);
        bag.records[partition].push(child, number_of, &out.blocks);
        if !EDGES {
            bag.weight += weight;
        }
        if EDGES {
            out.written.far.push(FarDestination::new(number, partition));
        }
    }

    /// Ends the values of a state if this one is out of range or out of order, or if the watch ends
    /// the run.
    #[cold]
    #[inline(never)]
    fn look(
        &self,
        value: usize,
        next_value: usize,
        describe: &dyn Fn() -> String,
    ) -> ControlFlow<Box<Error>> {
        let (variable, arity) = (self.variable, self.arities.get(self.variable));
        let error = if value >= next_value && value < arity {
            self.watch.check(Some(variable)).err()
        } else {
            // A value out of range is wrong whatever came before it.
            let previous = next_value.checked_sub(1).filter(|_| value < arity);
            Some(Error::BadValue { variable, value, previous, arity, state: describe() })
        };
        error.map_or(ControlFlow::Continue(()), |error| ControlFlow::Break(Box::new(error)))
    }

    #[cold]
    #[inline(never)]
    fn bad_step(&self, value: usize, to: usize, state: String) -> ControlFlow<Box<Error>> {
        let (variable, num_vars) = (self.variable, self.arities.num_vars());
        ControlFlow::Break(Box::new(Error::BadStep { variable, value, to, num_vars, state }))
    }

    /// Counts the steps of a chain, and looks at the watch when they are enough: whether it ends the
    /// run.
    #[cold]
    #[inline(never)]
    fn is_over_after(&self, steps: usize, chained: &mut usize) -> bool {
        *chained += steps;
        if *chained < WATCH_WORK {
            return false;
        }
        let over = self.watch.check(None).is_err();
        *chained = if over { WATCH_WORK } else { 0 };
        over
    }
}
