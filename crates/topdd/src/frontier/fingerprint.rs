//! The fingerprint of a spec: a hash of some states of each level, and of their steps.
//!
//! A checkpoint stores the fingerprint of its finished levels. A run that resumes it computes the
//! fingerprint again, from its own spec. Another one means that the spec has changed.
//!
//! The fingerprint is the result of a *sample sweep*, which keeps the states of smallest hash of each
//! level, and only a part of those. It uses nothing of the sweep but its reports, which a checkpoint
//! contains: they limit the work to a share of the work of the sweep. Threads, limits and processes do
//! not change it. The sample sweep is up to date only when a checkpoint is written.
//!
//! | | |
//! | --- | --- |
//! | states sampled of a level | all, but at most [`MAX_SAMPLED`] |
//! | states and edges sampled in all | at most [`CREDIT`], and one in [`SHARE`] of those of the sweep |
//! | beyond that | still [`MIN_SAMPLED`] states of each level |
//! | memory | [`MAX_BYTES`], if one state of each pending level fits |
//!
//! States that lead to the 0-terminal only do not count as sampled: otherwise the sample would run out of
//! states before the sweep does. At most [`MAX_KEPT`] states of a level are tried.

use super::expander::{Expander, SpecExpander};
use super::report::LevelReport;
use super::states::StateType;
use crate::BuildError;
use crate::spec::{DdSpec, Rule, Step};
use rapidhash::v3::rapidhash_v3;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::ControlFlow;

/// The most states of a level that are sampled.
const MAX_SAMPLED: usize = 1 << 10;
/// The states of each level that are sampled regardless of the work, and the states that are tried to find
/// them.
const MIN_SAMPLED: usize = 4;
const MIN_TRIED: usize = 1 << 6;
/// The most states of a level that are kept.
const MAX_KEPT: usize = 1 << 12;
/// The states and edges that may be sampled, in addition to one in [`SHARE`] of those of the sweep.
const CREDIT: u64 = 1 << 14;
const SHARE: u64 = 32;
/// The most bytes of the states of pending levels, each with [`ENTRY_BYTES`] of the map that it is in.
const MAX_BYTES: usize = 1 << 20;
const ENTRY_BYTES: usize = 64;

/// The value of the 1-terminal in place of a variable.
const ONE: u64 = u64::MAX;

/// The steps of encoded states. The sample sweep does not depend on their type.
pub(super) trait EncodedSteps {
    /// Passes the steps of an encoded state to `visit`, in the order of their values: the value, and the
    /// step with the encoded child.
    fn for_each_step(
        &self,
        state: &[u8],
        variable: usize,
        visit: &mut dyn FnMut(usize, Step<EncodedChild<'_>>),
    );

    /// Joins an encoded state with an equal one, if equal states may differ.
    fn join_encoded(&self, state: &mut Box<[u8]>, arrived: &[u8]);
}

/// A state of a sample.
pub(super) struct EncodedChild<'a> {
    /// The hash of the part of its encoding that is not joined.
    hash: u64,
    encoding: &'a [u8],
}

impl<Spec: DdSpec> EncodedSteps for SpecExpander<'_, Spec> {
    fn for_each_step(
        &self,
        mut state: &[u8],
        variable: usize,
        visit: &mut dyn FnMut(usize, Step<EncodedChild<'_>>),
    ) {
        let codec = self.state_type.codec();
        let (mut encoded, mut key) = (Vec::new(), Vec::new());
        let read = codec.read(&mut state, 1, |state, _| {
            let _ = self.spec.for_each_child(&state, variable, |value, step| {
                let step = step.map(|child| {
                    encoded.clear();
                    codec.write(&child, &mut encoded);
                    StateType::portable_route(codec, &child, &mut key).to_bits()
                });
                visit(value, step.map(|hash| EncodedChild { hash, encoding: &encoded }));
                ControlFlow::<()>::Continue(())
            });
        });
        read.expect("`Portable::read` reads what `write` has written");
    }

    fn join_encoded(&self, state: &mut Box<[u8]>, arrived: &[u8]) {
        let codec = self.state_type.codec();
        let Some(join) = codec.join() else { return };
        let both = [&**state, arrived].concat();
        let mut joined = None;
        let read = codec.read(&mut &both[..], 2, |state, _| match &mut joined {
            None => joined = Some(state),
            Some(joined) => join(joined, state),
        });
        read.expect("`Portable::read` reads what `write` has written");
        let mut encoded = Vec::new();
        codec.write(&joined.expect("two states were read"), &mut encoded);
        *state = encoded.into_boxed_slice();
    }
}

/// The root step of a spec, with the root state encoded.
pub(super) fn encoded_root(expander: &dyn Expander, rule: Rule) -> Step<Vec<u8>> {
    expander.root(rule, &mut |_| Vec::new()).map(|root| {
        let mut state = Vec::new();
        root.write(0..1, &mut state);
        state
    })
}

/// A sample sweep.
pub(super) struct SampleSweep {
    num_vars: usize,
    /// The encoded states of smallest hash, for each level that is not sampled yet.
    pending: BTreeMap<usize, BTreeMap<u64, Box<[u8]>>>,
    /// Size in bytes of the pending levels, and the size at which they are thinned out.
    bytes: usize,
    limit: usize,
    /// The hash of the sampled levels.
    hash: u64,
    /// The number of states and edges sampled.
    sampled: u64,
    /// The number of reports of the sweep that were read, and the states and edges in them.
    reports: usize,
    swept: u64,
}

impl SampleSweep {
    /// Begins a sample sweep at an [encoded root](encoded_root).
    pub(super) fn new(root: Step<Vec<u8>>, num_vars: usize) -> Self {
        let mut sweep = SampleSweep {
            num_vars,
            pending: BTreeMap::new(),
            bytes: 0,
            limit: MAX_BYTES,
            hash: 0,
            sampled: 0,
            reports: 0,
            swept: 0,
        };
        if let Step::To(to, state) = root {
            let root = EncodedChild { hash: rapidhash_v3(&state), encoding: &state };
            sweep.keep(to, &root, |_, _| {});
        }
        sweep
    }

    /// Samples the levels of a sweep that are finished since the last call. Returns the fingerprint of all
    /// finished levels, whose reports are given.
    ///
    /// # Errors
    ///
    /// Fails with the error of `check`.
    pub(super) fn fingerprint(
        &mut self,
        expander: &dyn EncodedSteps,
        finished: &[LevelReport],
        check: impl Fn() -> Result<(), BuildError>,
    ) -> Result<u64, BuildError> {
        let end = finished.last().map_or(0, |last| last.variable + 1);
        while let Some(level) = self.pending.first_entry().filter(|level| *level.key() < end) {
            let (variable, states) = level.remove_entry();
            self.bytes -= states.values().map(|state| entry_bytes(state)).sum::<usize>();
            let is_before = |report: &&LevelReport| report.variable <= variable;
            for report in finished[self.reports..].iter().take_while(is_before) {
                self.swept += report.states + report.edges;
                self.reports += 1;
            }
            let allowed = (CREDIT + self.swept / SHARE).saturating_sub(self.sampled);
            let (before, mut found) = (self.sampled, 0);
            for (tried, state) in states.values().enumerate() {
                let is_spent = self.sampled - before >= allowed;
                let has_enough = found >= MIN_SAMPLED || tried >= MIN_TRIED;
                if found >= MAX_SAMPLED || is_spent && has_enough {
                    break;
                }
                check()?;
                found += usize::from(self.sample(expander, variable, state));
            }
        }
        Ok(self.hash)
    }

    /// Adds a state and its steps to the hash, and the children to their levels. Returns whether the state
    /// has other steps than to the 0-terminal.
    fn sample(&mut self, expander: &dyn EncodedSteps, variable: usize, state: &[u8]) -> bool {
        self.mix([variable as u64, rapidhash_v3(state), 0]);
        let mut edges = 0;
        expander.for_each_step(state, variable, &mut |value, step| {
            let (target, hash) = match &step {
                Step::Zero => return,
                Step::One => (ONE, 0),
                Step::To(to, child) => (*to as u64, child.hash),
            };
            edges += 1;
            self.mix([value as u64, target, hash]);
            match step {
                // A step that breaks the contract is reported when the sweep takes it.
                Step::To(to, child) if to > variable => {
                    self.keep(to, &child, |state, arrived| expander.join_encoded(state, arrived));
                }
                _ => {}
            }
        });
        self.sampled += 1 + edges;
        edges > 0
    }

    /// Adds a state to its level, or joins it with the equal one that is there.
    fn keep(
        &mut self,
        to: usize,
        state: &EncodedChild<'_>,
        join: impl Fn(&mut Box<[u8]>, &[u8]),
    ) {
        if to >= self.num_vars {
            return;
        }
        let level = self.pending.entry(to).or_default();
        let last = level.last_key_value().map_or(0, |(&hash, _)| hash);
        if level.len() == MAX_KEPT && state.hash > last {
            return;
        }
        match level.entry(state.hash) {
            Entry::Occupied(mut found) => {
                self.bytes -= entry_bytes(found.get());
                join(found.get_mut(), state.encoding);
                self.bytes += entry_bytes(found.get());
            }
            Entry::Vacant(place) => {
                self.bytes += entry_bytes(place.insert(state.encoding.into()));
                if level.len() > MAX_KEPT {
                    let last = level.pop_last();
                    self.bytes -= last.map_or(0, |(_, state)| entry_bytes(&state));
                }
            }
        }
        if self.bytes > self.limit {
            self.thin_out();
        }
    }

    /// Removes half of the states of each level, until the rest fits or each level has one.
    #[cold]
    fn thin_out(&mut self) {
        let mut is_done = false;
        while self.bytes > MAX_BYTES && !is_done {
            is_done = true;
            for level in self.pending.values_mut() {
                let half = level.keys().nth(level.len().div_ceil(2)).copied();
                let Some(first) = half else { continue };
                let removed = level.split_off(&first);
                self.bytes -= removed.values().map(|state| entry_bytes(state)).sum::<usize>();
                is_done = false;
            }
        }
        // Otherwise large states would be counted again for each one that arrives.
        self.limit = MAX_BYTES.max(2 * self.bytes);
    }

    fn mix(&mut self, words: [u64; 3]) {
        let [first, second, third] = words;
        let bytes = [self.hash, first, second, third].map(u64::to_le_bytes);
        self.hash = rapidhash_v3(bytes.as_flattened());
    }
}

/// Size in bytes of a kept state.
fn entry_bytes(state: &[u8]) -> usize {
    state.len() + ENTRY_BYTES
}
