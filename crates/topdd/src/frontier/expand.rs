//! Expanding states: asking the spec for their children and sorting these by where they go.

use super::carry::Carry;
use super::level::{Hasher, partition_of};
use super::monitor::Watch;
use super::unreduced::ShapeWriter;
use crate::Error;
use crate::spec::{Arities, DdSpec, Step};

/// What an edge of an expanded state leads to, in a byte: a partition of the next level,
/// or one of these.
pub(super) const TO_ONE: u8 = 254;
pub(super) const TO_FAR: u8 = 255;

/// A state on its way to its level, with its hash spared for later only as the choice of
/// the partition: it costs less to compute again than to store.
pub(super) type Record<S, G> = (S, G);

/// What the expansion of a run of states produced.
pub(super) struct Outbox<S, G> {
    /// Records for the next level, by partition, in order.
    pub(super) near: Vec<Vec<Record<S, G>>>,
    /// Records for levels beyond the next, with their variable, in order.
    pub(super) far: Vec<(usize, Record<S, G>)>,
    /// The number of states expanded.
    pub(super) nodes: usize,
    /// The shapes of the expanded nodes, and for each of their edges where it leads.
    pub(super) shape: Vec<u8>,
    pub(super) destinations: Vec<u8>,
    /// What arrived at the 1-terminal.
    pub(super) ones: G,
    pub(super) ones_edges: u64,
    /// At least the sum of the weights of all records, for the next level.
    pub(super) near_weight: f64,
    pub(super) ones_weight: f64,
    pub(super) edges: u64,
}

impl<S, G: Clone> Outbox<S, G> {
    pub(super) fn new<C: Carry<Cargo = G>>() -> Self {
        Outbox {
            near: Vec::new(),
            far: Vec::new(),
            nodes: 0,
            shape: Vec::new(),
            destinations: Vec::new(),
            ones: C::nothing(),
            ones_edges: 0,
            near_weight: 0.0,
            ones_weight: 0.0,
            edges: 0,
        }
    }

    /// Empties the box for a run of states whose next level has so many partitions.
    pub(super) fn reset<C: Carry<Cargo = G>>(&mut self, partitions: usize) {
        for records in &mut self.near {
            records.clear();
        }
        self.near.resize_with(partitions, Vec::new);
        self.far.clear();
        self.nodes = 0;
        self.shape.clear();
        self.destinations.clear();
        self.ones = C::nothing();
        self.ones_edges = 0;
        self.near_weight = 0.0;
        self.ones_weight = 0.0;
        self.edges = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        let record = size_of::<Record<S, G>>();
        self.near.iter().map(|records| records.capacity() * record).sum::<usize>()
            + self.far.capacity() * size_of::<(usize, Record<S, G>)>()
            + self.shape.capacity()
            + self.destinations.capacity()
    }
}

/// The level that is being expanded, as far as expansion needs to know it.
pub(super) struct Expansion<'a, Spec> {
    pub(super) spec: &'a Spec,
    pub(super) arities: &'a Arities,
    pub(super) hasher: &'a Hasher,
    pub(super) variable: usize,
    pub(super) watch: &'a Watch,
}

/// States expanded between two looks at the watch.
const WATCH_STATES: usize = 1024;

impl<Spec: DdSpec> Expansion<'_, Spec> {
    /// Expands a run of states into `out`, looking at the watch now and then.
    pub(super) fn expand<C: Carry>(
        &self,
        states: &[Spec::State],
        cargos: &[C::Cargo],
        out: &mut Outbox<Spec::State, C::Cargo>,
    ) -> Result<(), Error> {
        for (states, cargos) in states.chunks(WATCH_STATES).zip(cargos.chunks(WATCH_STATES)) {
            self.watch.check(Some(self.variable))?;
            self.expand_unwatched::<C>(states, cargos, out)?;
        }
        out.nodes += states.len();
        Ok(())
    }

    /// Expands states into `out`, and holds the spec to its contract.
    fn expand_unwatched<C: Carry>(
        &self,
        states: &[Spec::State],
        cargos: &[C::Cargo],
        out: &mut Outbox<Spec::State, C::Cargo>,
    ) -> Result<(), Error> {
        let arity = self.arities.get(self.variable);
        let num_vars = self.arities.num_vars();
        let partitions = out.near.len();
        let mut shapes = ShapeWriter::new(arity);
        let mut broken = None;
        for (state, cargo) in states.iter().zip(cargos) {
            // The next value that may be visited.
            let mut next_value = 0;
            self.spec.for_each_child(state, self.variable, |value, step| {
                if value < next_value || value >= arity {
                    broken.get_or_insert_with(|| {
                        let previous = next_value.checked_sub(1);
                        self.bad_value(state, value, previous, arity)
                    });
                    return;
                }
                next_value = value + 1;
                let destination = match step {
                    Step::Zero => return,
                    Step::One => {
                        C::merge(&mut out.ones, cargo);
                        out.ones_edges += 1;
                        out.ones_weight += C::weight(cargo);
                        TO_ONE
                    }
                    Step::To(to, child) if to == self.variable + 1 && to < num_vars => {
                        // Most levels are small and have one partition: no need to ask.
                        let partition = if partitions == 1 {
                            0
                        } else {
                            partition_of(self.hasher.hash(&child), partitions)
                        };
                        out.near[partition].push((child, cargo.clone()));
                        out.near_weight += C::weight(cargo);
                        partition as u8
                    }
                    Step::To(to, child) if to > self.variable && to < num_vars => {
                        out.far.push((to, (child, cargo.clone())));
                        TO_FAR
                    }
                    Step::To(to, _) => {
                        broken.get_or_insert_with(|| Error::BadStep {
                            variable: self.variable,
                            value,
                            to,
                            num_vars,
                            state: self.spec.describe(state),
                        });
                        return;
                    }
                };
                out.edges += 1;
                if C::EDGES {
                    shapes.edge(value as u32);
                    out.destinations.push(destination);
                }
            });
            if C::EDGES {
                shapes.end_node(&mut out.shape);
            }
            if let Some(error) = broken {
                return Err(error);
            }
        }
        Ok(())
    }

    #[cold]
    fn bad_value(
        &self,
        state: &Spec::State,
        value: usize,
        previous: Option<usize>,
        arity: usize,
    ) -> Error {
        Error::BadValue {
            variable: self.variable,
            value,
            // A value out of range is wrong whatever came before it.
            previous: previous.filter(|_| value < arity),
            arity,
            state: self.spec.describe(state),
        }
    }
}
