//! Expanding states: asking the spec for their children and sorting these by where they go.

use super::carry::Carry;
use super::level::{Hasher, Waiting, partition_of};
use super::monitor::Watch;
use super::outbox::{FarDestination, Outbox, TO_FAR, TO_ONE};
use super::unreduced::ShapeWriter;
use crate::Error;
use crate::spec::{Arities, DdSpec, Step};

/// The level that is being expanded, as far as expansion needs to know it.
pub(super) struct Expansion<'a, Spec: DdSpec, C: Carry> {
    pub(super) spec: &'a Spec,
    pub(super) arities: &'a Arities,
    pub(super) hasher: &'a Hasher,
    pub(super) watch: &'a Watch,
    pub(super) variable: usize,
    /// The partitions of the next level.
    pub(super) near_partitions: usize,
    /// The levels beyond it, for the number of their partitions.
    pub(super) waiting: &'a [Waiting<Spec::State, C::Cargo>],
    /// The partitions of a level that is not there yet.
    pub(super) new_partitions: usize,
}

/// States expanded between two looks at the watch.
const WATCH_STATES: usize = 1024;

impl<Spec: DdSpec, C: Carry> Expansion<'_, Spec, C> {
    /// Expands a run of states into `out`, looking at the watch now and then.
    pub(super) fn expand(
        &self,
        states: &[Spec::State],
        cargos: &[C::Cargo],
        out: &mut Outbox<Spec::State, C::Cargo>,
    ) -> Result<(), Error> {
        for (states, cargos) in states.chunks(WATCH_STATES).zip(cargos.chunks(WATCH_STATES)) {
            self.watch.check(Some(self.variable))?;
            self.expand_unwatched(states, cargos, out)?;
        }
        out.written.nodes += states.len();
        Ok(())
    }

    /// Expands states into `out`, and holds the spec to its contract.
    fn expand_unwatched(
        &self,
        states: &[Spec::State],
        cargos: &[C::Cargo],
        out: &mut Outbox<Spec::State, C::Cargo>,
    ) -> Result<(), Error> {
        let arity = self.arities.get(self.variable);
        let num_vars = self.arities.num_vars();
        let mut shapes = ShapeWriter::new(arity);
        let mut broken = None;
        for (state, cargo) in states.iter().zip(cargos) {
            // The next value that may be visited.
            let mut next_value = 0;
            self.spec.for_each_child(state, self.variable, |value, step| {
                if value < next_value || value >= arity {
                    broken.get_or_insert_with(|| {
                        self.bad_value(state, value, next_value.checked_sub(1), arity)
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
                        let partition = self.partition(&child, self.near_partitions);
                        out.near.records[partition].push((child, cargo.clone()));
                        out.near.weight += C::weight(cargo);
                        partition as u8
                    }
                    Step::To(to, child) if to > self.variable && to < num_vars => {
                        self.send_far(to, child, cargo, out);
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
                    out.written.destinations.push(destination);
                }
            });
            if C::EDGES {
                shapes.end_node(&mut out.written.shape);
            }
            if let Some(error) = broken {
                return Err(error);
            }
        }
        Ok(())
    }

    /// The partition of a state; most levels are small and have but one.
    #[inline]
    fn partition(&self, state: &Spec::State, partitions: usize) -> usize {
        if partitions == 1 { 0 } else { partition_of(self.hasher.hash(state), partitions) }
    }

    #[inline]
    fn send_far(
        &self,
        to: usize,
        child: Spec::State,
        cargo: &C::Cargo,
        out: &mut Outbox<Spec::State, C::Cargo>,
    ) {
        let number = out.far_bag(to, || {
            self.waiting[to].as_ref().map_or(self.new_partitions, |level| level.partitions.len())
        });
        let bag = &mut out.far[number];
        let partition = self.partition(&child, bag.records.len());
        bag.records[partition].push((child, cargo.clone()));
        bag.weight += C::weight(cargo);
        if C::EDGES {
            let partition = partition as u8;
            out.written.far.push(FarDestination { bag: number as u32, partition });
        }
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
