//! What tells the spec of a checkpoint from others.
//!
//! Specs cannot be compared, only asked. Before a run begins it is asked along walks from its root
//! that are the same every time; that much has to be the same for a checkpoint to be taken up at
//! all. But walks seldom come far where most choices end soon. So of each level that is expanded some
//! states are noted as well, with what the spec answered for them, and asked for again when the run
//! goes on. What the levels to come answer need not be known: these are expanded by the spec
//! that goes on.

use super::disk::Identity;
use super::expand::State;
use super::sweep::Sweep;
use crate::Error;
use crate::spec::{Arities, Codec, DdSpec, Rule, Step};
use ahash::RandomState;
use std::any::type_name;

/// A state of a level that is done, and what the spec answered for it.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    variable: usize,
    /// As it is written to files.
    state: Vec<u8>,
    answers: u64,
}

crate::portable!(Probe { variable, state, answers });

/// Probes of all levels, and of one at most: they are written with each checkpoint.
const PROBES: usize = 1 << 13;
const LEVEL_PROBES: usize = 1 << 6;
/// Bytes of their states, in all, but for one state of each level, however large.
const PROBE_BYTES: usize = 1 << 20;
/// Values that are asked for, where there are more.
const VALUES: usize = 1 << 5;
/// Answers that are looked into, of a state with more.
const CHILDREN: usize = 4;
/// States that must take 0 that are gone past, as the sweep does: they are in no level.
const FORCED: usize = 1 << 6;
/// Calls of a spec along walks.
const WALKED: usize = 1 << 14;

/// A number that is made of all that a spec answered, one after the other.
struct Fingerprint<S> {
    codec: Codec<S>,
    hasher: RandomState,
    value: u64,
    written: Vec<u8>,
}

impl<S> Fingerprint<S> {
    fn new(codec: Codec<S>) -> Self {
        let hasher = RandomState::with_seeds(1, 2, 3, 4);
        Fingerprint { codec, hasher, value: 0, written: Vec::new() }
    }

    fn number(&mut self, number: usize) {
        self.value = self.hasher.hash_one((self.value, &(number as u64).to_le_bytes()[..]));
    }

    fn step(&mut self, step: &Step<S>) {
        self.written.clear();
        match step {
            Step::Zero => self.written.push(0),
            Step::One => self.written.push(1),
            Step::To(to, state) => {
                self.written.push(2);
                self.written.extend_from_slice(&(*to as u64).to_le_bytes());
                self.codec.write(state, &mut self.written);
            }
        }
        self.value = self.hasher.hash_one((self.value, &self.written[..]));
    }
}

/// Which run this is, for a checkpoint to be told from those of others.
pub(super) fn identity<Spec: DdSpec>(
    (task, name): (&str, &str),
    spec: &Spec,
    codec: Codec<Spec::State>,
    arities: &Arities,
    rule: Rule,
) -> Identity {
    let mut fingerprint = Fingerprint::new(codec);
    let num_vars = arities.num_vars();
    (0..num_vars).for_each(|variable| fingerprint.number(arities.get(variable)));
    let root = spec.root_under(rule);
    fingerprint.step(&root);
    let mut here = root.clone();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..WALKED {
        let Step::To(variable, state) = &here else {
            if matches!(root, Step::To(..)) {
                here = root.clone();
                continue;
            }
            break;
        };
        if *variable >= num_vars {
            // For the sweep to report.
            break;
        }
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let value = ((random >> 33) % arities.get(*variable) as u64) as usize;
        let step = spec.child(state, *variable, value);
        fingerprint.step(&step);
        // Backwards: for the sweep to report, and not to be followed for ever.
        here = match &step {
            Step::To(to, _) if to <= variable => break,
            _ => step,
        };
    }
    let rule = match rule {
        Rule::ZeroSuppressed => "zero-suppressed",
        Rule::AnyValue => "any value",
    };
    let facts = [
        ("version of topdd", env!("CARGO_PKG_VERSION").to_owned()),
        ("task", format!("to {task}")),
        ("rule for skipped variables", rule.to_owned()),
        ("type of spec", type_name::<Spec>().to_owned()),
        ("number of variables", num_vars.to_string()),
        ("name", name.to_owned()),
        ("spec's fingerprint", format!("{:016x}", fingerprint.value)),
    ];
    Identity { facts: facts.map(|(what, value)| (what.to_owned(), value)).to_vec() }
}

impl<S: State> Sweep<'_, S> {
    /// Notes what the spec answers for some states of the level that is about to be expanded, if
    /// it is to be saved when it is done.
    pub(super) fn probe(&mut self) {
        let (Some(current), Some(codec), true) =
            (&self.current, self.storage.codec, self.storage.saves_levels())
        else {
            return;
        };
        let partitions = &current.level.partitions;
        // Of what is in memory at this moment, if not all of it is.
        let states: usize = partitions.iter().map(|partition| partition.records.len()).sum();
        let most = (PROBES / self.arities.num_vars()).clamp(1, LEVEL_PROBES).min(states);
        let mut wanted = (0..most).map(|number| number * states / most).peekable();
        let most_bytes = PROBE_BYTES / self.arities.num_vars();
        let (mut before, mut bytes) = (0, 0);
        for partition in partitions {
            let after = before + partition.records.len();
            while let Some(number) = wanted.next_if(|&number| number < after) {
                if bytes > most_bytes {
                    return;
                }
                let state = &partition.records[number - before];
                let answers = self.answers(codec, current.variable, state);
                let mut written = Vec::new();
                codec.write(state, &mut written);
                bytes += written.len();
                self.probes.push(Probe { variable: current.variable, state: written, answers });
            }
            before = after;
        }
    }

    /// Asks again for what has been noted, when a checkpoint is taken up.
    ///
    /// # Errors
    ///
    /// When the spec answers otherwise.
    pub(super) fn compare(&mut self, probes: Vec<Probe>) -> Result<(), Error> {
        let checkpoint = self.storage.checkpoint.as_ref().expect("there are probes of it");
        let codec = self.storage.codec.expect("a checkpoint's states are written");
        let num_vars = self.arities.num_vars();
        for probe in &probes {
            self.storage.watch.check(None)?;
            let mut state = None;
            let read = codec.read(&mut &probe.state[..], 1, |read| state = Some(read));
            let (Some(()), Some(state), true) = (read, state, probe.variable < num_vars) else {
                return Err(checkpoint.damaged("it has a state that makes no sense"));
            };
            let answers = self.answers(codec, probe.variable, &state);
            if answers != probe.answers {
                let what = format!("spec's fingerprint at variable {}", probe.variable);
                return Err(checkpoint.other(what, [probe.answers, answers]));
            }
        }
        self.probes = probes;
        Ok(())
    }

    /// What the spec answers for a state, and for what the sweep goes past on the way from there.
    fn answers(&self, codec: Codec<S>, variable: usize, state: &S) -> u64 {
        let mut fingerprint = Fingerprint::new(codec);
        let children = self.ask(&mut fingerprint, variable, state);
        for child in
            children.into_iter().filter(|(_, step)| matches!(step, Step::To(..))).take(CHILDREN)
        {
            let (mut above, mut child) = (variable, child.1);
            for _ in 0..FORCED {
                let Step::To(to, state) = &child else { break };
                if *to <= above || *to >= self.arities.num_vars() {
                    // For the sweep to report.
                    break;
                }
                above = *to;
                let children = self.ask(&mut fingerprint, *to, state);
                let must_be_zero =
                    children.iter().all(|(value, step)| *value == 0 || matches!(step, Step::Zero));
                match children.into_iter().next() {
                    Some((0, step)) if must_be_zero => child = step,
                    _ => break,
                }
            }
        }
        fingerprint.value
    }

    /// What the spec answers for a state and some of the values, each with the value.
    fn ask(
        &self,
        fingerprint: &mut Fingerprint<S>,
        variable: usize,
        state: &S,
    ) -> Vec<(usize, Step<S>)> {
        let arity = self.arities.get(variable);
        let values = (0..arity).step_by(arity.div_ceil(VALUES).max(1));
        let ask = |value| (value, self.spec.answer(state, variable, value));
        let answers: Vec<_> = values.map(ask).collect();
        for (_, step) in &answers {
            fingerprint.step(step);
        }
        answers
    }
}
