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
//! | states and edges sampled in all | at most [`CREDIT`], and one in [`SHARE`] of the sweep |
//! | beyond that | still [`MIN_SAMPLED`] states of each level |
//! | memory | [`MAX_BYTES`], if one state of each pending level fits |
//!
//! States that lead to the 0-terminal only do not count as sampled: otherwise the sample would run out of
//! states before the sweep does. At most [`MAX_KEPT`] states of a level are tried.

use super::expander::{EncodedChild, EncodedSteps, Expander};
use super::report::LevelReport;
use crate::BuildError;
use crate::spec::{Rule, Step};
use rapidhash::v3::rapidhash_v3;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The most states of a level that are sampled.
const MAX_SAMPLED: usize = 1 << 10;
/// The states of each level that are sampled regardless of the work, and the states that are tried to find
/// them.
const MIN_SAMPLED: usize = 2;
const MIN_TRIED: usize = 1 << 6;
/// The most states of a level that are kept.
const MAX_KEPT: usize = 1 << 11;
/// The states and edges that may be sampled, in addition to one in [`SHARE`] of the sweep. A state
/// of a sample takes about four times as long as one of the sweep.
const CREDIT: u64 = 1 << 15;
const SHARE: u64 = 128;
/// The most bytes of the states of pending levels.
const MAX_BYTES: usize = 1 << 20;

/// The value of the 1-terminal in place of a variable.
const ONE: u64 = u64::MAX;

/// The root step of a spec, with the root state encoded.
pub(super) fn encoded_root(expander: &dyn Expander, rule: Rule) -> Step<Vec<u8>> {
    expander.root(rule, &mut |_| Vec::new()).map(|root| {
        let mut state = Vec::new();
        root.write(0..1, &mut state);
        state
    })
}

/// The kept states of a level that is not sampled yet.
struct PendingSample {
    /// The hashes of the states that arrived, and their places in `bytes`. Equal states are merged later.
    states: Vec<(u64, Range<usize>)>,
    /// Encodings.
    bytes: Vec<u8>,
    /// The greatest hash that is kept.
    max_hash: u64,
}

impl PendingSample {
    fn new() -> Self {
        PendingSample { states: Vec::new(), bytes: Vec::new(), max_hash: u64::MAX }
    }

    /// Size in bytes.
    fn bytes(&self) -> usize {
        self.states.len() * size_of::<(u64, Range<usize>)>() + self.bytes.len()
    }

    fn push(&mut self, state: &EncodedChild<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state.encoding);
        self.states.push((state.hash, start..self.bytes.len()));
    }

    /// Sorts the states, so that equal ones are neighbours.
    fn sort(&mut self) {
        self.states.sort_unstable_by_key(|(hash, place)| (*hash, place.start));
    }

    /// The distinct states in the order of their hashes, after [`sort`](PendingSample::sort).
    fn distinct(&self, steps: &dyn EncodedSteps) -> impl Iterator<Item = (u64, Cow<'_, [u8]>)> {
        self.states.chunk_by(|one, other| one.0 == other.0).map(move |equal| {
            let mut encodings = equal.iter().map(|(_, place)| &self.bytes[place.clone()]);
            let mut joined = Cow::Borrowed(encodings.next().expect("a group is not empty"));
            for arrived in encodings {
                match steps.join_encoded(&joined, arrived) {
                    Some(both) => joined = Cow::Owned(both),
                    None => break,
                }
            }
            (equal[0].0, joined)
        })
    }

    /// Joins equal states, and keeps at most `kept` of smallest hash.
    fn shrink(&mut self, kept: usize, steps: &dyn EncodedSteps) {
        self.sort();
        let mut shrunk = PendingSample::new();
        for (hash, encoding) in self.distinct(steps).take(kept) {
            shrunk.push(&EncodedChild { hash, encoding: &encoding });
        }
        let last = shrunk.states.last().filter(|_| shrunk.states.len() == kept);
        shrunk.max_hash = last.map_or(self.max_hash, |(hash, _)| *hash);
        *self = shrunk;
    }

    fn clear(&mut self) {
        self.states.clear();
        self.bytes.clear();
        self.max_hash = u64::MAX;
    }
}

/// A sample sweep.
pub(super) struct SampleSweep {
    num_vars: usize,
    pending: BTreeMap<usize, PendingSample>,
    /// Size in bytes of the pending levels, and the size at which they are thinned out.
    bytes: usize,
    max_bytes: usize,
    /// The hash of the sampled levels.
    hash: u64,
    /// The number of states and edges sampled.
    sampled: u64,
    /// The number of reports of the sweep that were read, and the states and edges in them.
    reports: usize,
    swept: u64,
    /// An empty level, for reuse.
    spare: PendingSample,
    /// For encoded states.
    buffer: Vec<u8>,
}

impl SampleSweep {
    /// Begins a sample sweep at the root.
    pub(super) fn new(expander: &dyn Expander, rule: Rule, num_vars: usize) -> Self {
        let mut pending = BTreeMap::new();
        if let Step::To(to, state) = encoded_root(expander, rule) {
            let mut level = PendingSample::new();
            level.push(&EncodedChild { hash: rapidhash_v3(&state), encoding: &state });
            pending.insert(to, level);
        }
        SampleSweep {
            num_vars,
            bytes: pending.values().map(PendingSample::bytes).sum(),
            pending,
            max_bytes: MAX_BYTES,
            hash: 0,
            sampled: 0,
            reports: 0,
            swept: 0,
            spare: PendingSample::new(),
            buffer: Vec::new(),
        }
    }

    /// Samples the levels of a sweep that are finished since the last call. Returns the fingerprint of all
    /// finished levels, whose reports are given.
    ///
    /// # Errors
    ///
    /// Fails with the error of `check`.
    pub(super) fn fingerprint(
        &mut self,
        steps: &dyn EncodedSteps,
        finished: &[LevelReport],
        check: impl Fn() -> Result<(), BuildError>,
    ) -> Result<u64, BuildError> {
        let end = finished.last().map_or(0, |last| last.variable + 1);
        while let Some(level) = self.pending.first_entry().filter(|level| *level.key() < end) {
            let (variable, mut level) = level.remove_entry();
            self.bytes -= level.bytes();
            level.sort();
            let is_before = |report: &&LevelReport| report.variable <= variable;
            for report in finished[self.reports..].iter().take_while(is_before) {
                self.swept += report.states + report.edges;
                self.reports += 1;
            }
            let allowed = (CREDIT + self.swept / SHARE).max(self.sampled);
            let mut found = 0;
            for (tried, (_, state)) in level.distinct(steps).take(MAX_KEPT).enumerate() {
                let has_enough = found >= MIN_SAMPLED || tried >= MIN_TRIED;
                if found >= MAX_SAMPLED || self.sampled >= allowed && has_enough {
                    break;
                }
                check()?;
                found += usize::from(self.sample(steps, variable, &state));
            }
            level.clear();
            self.spare = level;
        }
        Ok(self.hash)
    }

    /// Adds a state and its steps to the hash, and the children to their levels. Returns whether the state
    /// has other steps than to the 0-terminal.
    fn sample(&mut self, steps: &dyn EncodedSteps, variable: usize, state: &[u8]) -> bool {
        self.mix([variable as u64, rapidhash_v3(state), 0]);
        let mut edges = 0;
        let mut buffer = std::mem::take(&mut self.buffer);
        steps.for_each_step(state, variable, &mut buffer, &mut |value, step| {
            let (target, hash) = match &step {
                Step::Zero => return,
                Step::One => (ONE, 0),
                Step::To(to, child) => (*to as u64, child.hash),
            };
            edges += 1;
            self.mix([value as u64, target, hash]);
            match step {
                Step::To(to, child) if to > variable && to < self.num_vars => {
                    self.keep(to, &child, steps);
                }
                // A step that breaks the contract is reported when the sweep takes it.
                _ => {}
            }
        });
        self.buffer = buffer;
        self.sampled += 1 + edges;
        edges > 0
    }

    /// Adds a state to its level, if its hash is small enough.
    fn keep(&mut self, to: usize, state: &EncodedChild<'_>, steps: &dyn EncodedSteps) {
        let spare = || std::mem::replace(&mut self.spare, PendingSample::new());
        let level = self.pending.entry(to).or_insert_with(spare);
        if state.hash > level.max_hash {
            return;
        }
        let before = level.bytes();
        level.push(state);
        if level.states.len() >= 2 * MAX_KEPT {
            level.shrink(MAX_KEPT, steps);
        }
        self.bytes = self.bytes - before + level.bytes();
        if self.bytes > self.max_bytes {
            self.thin_out(steps);
        }
    }

    /// Removes half of the states of each level, until the rest fits or each level has one.
    #[cold]
    fn thin_out(&mut self, steps: &dyn EncodedSteps) {
        let mut is_thin = false;
        while self.bytes > MAX_BYTES && !is_thin {
            is_thin = true;
            for level in self.pending.values_mut() {
                is_thin &= level.states.len() <= 1;
                level.shrink(level.states.len().div_ceil(2), steps);
            }
            self.bytes = self.pending.values().map(PendingSample::bytes).sum();
        }
        // Otherwise large states would be counted again for each one that arrives.
        self.max_bytes = MAX_BYTES.max(2 * self.bytes);
    }

    fn mix(&mut self, words: [u64; 3]) {
        let [first, second, third] = words;
        let bytes = [self.hash, first, second, third].map(u64::to_le_bytes);
        self.hash = rapidhash_v3(bytes.as_flattened());
    }
}

#[cfg(test)]
mod tests {
    use super::super::expander::SpecExpander;
    use super::super::state_type::Needs;
    use super::*;
    use crate::spec::Codec;
    use crate::spec::DdSpec;

    /// A pseudo-random spec. A state leads to `arity` states at one of the next `reach` variables, and some
    /// of the states have no other child than the 0-terminal.
    struct Spread {
        levels: usize,
        arity: usize,
        reach: u64,
        /// One in so many states has children.
        alive: u64,
    }

    impl DdSpec for Spread {
        type State = u64;
        fn num_vars(&self) -> usize {
            self.levels
        }
        fn arity(&self, _: usize) -> usize {
            self.arity
        }
        fn root(&self) -> Step<u64> {
            Step::To(0, 0)
        }
        fn child(&self, &state: &u64, variable: usize, value: usize) -> Step<u64> {
            let draw = rapidhash_v3(&(state + value as u64).to_le_bytes());
            let to = variable + 1 + (draw % self.reach) as usize;
            match () {
                () if state % self.alive != 0 => Step::Zero,
                () if to >= self.levels => Step::One,
                () => Step::To(to, draw >> 40),
            }
        }
    }

    impl Spread {
        fn expander(&self) -> SpecExpander<'_, Self> {
            SpecExpander::new(self, Some(Codec::new()), Needs::default())
        }

        fn begin(&self) -> SampleSweep {
            SampleSweep::new(&self.expander(), Rule::AnyValue, self.levels)
        }

        /// Samples up to a level, with reports of levels of so many states.
        fn sample(&self, sample: &mut SampleSweep, levels: usize, states: u64) -> u64 {
            let edges = states * self.arity as u64;
            let report = |variable| LevelReport { variable, states, edges, ..Default::default() };
            let reports: Vec<_> = (0..levels).map(report).collect();
            sample.fingerprint(&self.expander(), &reports, || Ok(())).unwrap()
        }
    }

    /// A checkpoint must be readable by later versions, on any machine.
    #[test]
    fn fingerprints_never_change() {
        let spec = Spread { levels: 30, arity: 3, reach: 3, alive: 1 };
        let fingerprint = spec.sample(&mut spec.begin(), 20, 100_000);
        assert_eq!(fingerprint, 7612496346033951455);
    }

    #[test]
    fn a_fingerprint_does_not_depend_on_earlier_checkpoints() {
        let spec = Spread { levels: 90, arity: 2, reach: 5, alive: 1 };
        let whole = spec.sample(&mut spec.begin(), 80, 1000);
        let mut sample = spec.begin();
        let parts: Vec<u64> =
            [1, 20, 30, 50, 70, 80].map(|levels| spec.sample(&mut sample, levels, 1000)).into();
        assert_eq!(parts.last(), Some(&whole));
        assert!(parts.windows(2).all(|pair| pair[0] != pair[1]), "{parts:?}");
    }

    #[test]
    fn the_work_is_a_share_of_the_sweep_and_no_level_is_left_out() {
        let spec = Spread { levels: 100_000, arity: 2, reach: 1, alive: 1 };
        let mut sample = spec.begin();
        spec.sample(&mut sample, spec.levels, 100);
        let swept = 300 * spec.levels as u64;
        let most = CREDIT + swept / SHARE + 3 * MIN_SAMPLED as u64 * spec.levels as u64;
        assert!((3 * spec.levels as u64..most).contains(&sample.sampled), "{}", sample.sampled);
        // A level takes no more than its share however large the sweep is.
        let wide = Spread { levels: 20, ..spec };
        let mut sample = wide.begin();
        wide.sample(&mut sample, 20, 1 << 40);
        assert!(sample.sampled < 20 * 3 * MAX_SAMPLED as u64);
        // A state of many values is sampled whole, but few such states are.
        let many = Spread { levels: 4, arity: 1 << 17, ..spec };
        let mut sample = many.begin();
        many.sample(&mut sample, 4, 1000);
        assert!(sample.sampled < 40 << 17, "{}", sample.sampled);
    }

    #[test]
    fn a_sample_does_not_die_out_where_few_states_lead_on() {
        let spec = Spread { levels: 200, arity: 40, reach: 1, alive: 16 };
        let mut sample = spec.begin();
        let mut last = 0;
        for levels in 1..=200 {
            let fingerprint = spec.sample(&mut sample, levels, 2000);
            assert_ne!(fingerprint, last, "level {levels}");
            last = fingerprint;
        }
    }

    #[test]
    fn pending_levels_are_thinned_out() {
        let spec = Spread { levels: 100_000, arity: 256, reach: 50_000, alive: 1 };
        let mut sample = spec.begin();
        for levels in (0..4000).step_by(500) {
            spec.sample(&mut sample, levels, 1 << 20);
            let least = sample.pending.len() * 32;
            assert!(sample.bytes <= 2 * MAX_BYTES.max(2 * least), "{levels}: {}", sample.bytes);
            let bytes: usize = sample.pending.values().map(PendingSample::bytes).sum();
            assert_eq!(sample.bytes, bytes);
        }
    }
}
