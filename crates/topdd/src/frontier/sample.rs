//! A hash of the steps of some states of each level, to notice that the spec of a checkpoint has changed.
//!
//! A run with a checkpoint samples states while it expands their level. The checkpoint contains their
//! encodings, and for each level a hash of all steps of the states: values, variables and encoded
//! children. A run that resumes the checkpoint computes the steps again, from its own spec. If the hash
//! differs, the spec has changed.
//!
//! | | |
//! | --- | --- |
//! | states sampled of a level | all, but at most [`MAX_STATES`], spread over a batch |
//! | states and edges sampled in all | at most [`CREDIT`] plus one in [`SHARE`] of the sweep |
//! | time | at most [`TIME_CREDIT`] plus one part in [`TIME_SHARE`] of the time of the sweep |
//! | memory | at most [`MAX_BYTES`], [`MAX_LEVEL_BYTES`] for a level, and a memory limit divided by [`LIMIT_SHARE`] |
//! | beyond that | still [`MIN_STATES`] states of each level |

use super::expander::{Expander, StepsHash};
use super::expansion::{LevelExpansion, Position};
use super::monitor::{Check, Monitor};
use crate::BuildError;
use std::time::{Duration, Instant};

/// The most states of a level that are sampled.
const MAX_STATES: usize = 1 << 10;
/// The states of each level that are sampled whatever they cost.
const MIN_STATES: usize = 2;
/// The states and edges that may be sampled, in addition to one in [`SHARE`] of the sweep.
const CREDIT: u64 = 1 << 15;
const SHARE: u64 = 128;
/// The time that the sample may take, in addition to one part in [`TIME_SHARE`] of the time of the sweep: one thread
/// samples while the others wait.
const TIME_CREDIT: Duration = Duration::from_millis(200);
const TIME_SHARE: u32 = 32;
/// The most bytes of the sampled states, and of the states of one level.
const MAX_BYTES: usize = 1 << 22;
const MAX_LEVEL_BYTES: usize = 1 << 16;
/// A memory limit divided by this limits the bytes, too.
const LIMIT_SHARE: usize = 64;
/// The sampled states of a level.
#[derive(Clone)]
struct SampledLevel {
    variable: usize,
    states: usize,
    /// Their encodings.
    encodings: Vec<u8>,
    steps: StepsHash,
}

crate::portable!(SampledLevel { variable, states, encodings, steps });

/// The sampled states of a sweep.
#[derive(Clone, Default)]
pub(super) struct Sample {
    levels: Vec<SampledLevel>,
    /// The number of states and edges that were sampled, and of those that were expanded.
    sampled: u64,
    swept: u64,
    /// The time that the sample took, in microseconds.
    micros: u64,
}

crate::portable!(Sample { levels, sampled, swept, micros });

impl Sample {
    /// Samples the states of a batch, from the position of the level on up to another one, which are in memory.
    ///
    /// # Errors
    ///
    /// Fails with the error of the watch.
    pub(super) fn take(
        &mut self,
        level: &LevelExpansion,
        end: Position,
        expander: &dyn Expander,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let begun = Instant::now();
        let watch = &monitor.watch;
        let check = || watch.check(Some(level.variable));
        let max_bytes = monitor.config.memory_limit.map_or(MAX_BYTES, |limit| limit / LIMIT_SHARE);
        let states = level.states_until(end);
        self.swept += (states as f64 * (1.0 + level.edges_per_state)) as u64;
        let mut of_level = match self.levels.pop_if(|last| last.variable == level.variable) {
            Some(sampled) => sampled,
            None => SampledLevel {
                variable: level.variable,
                states: 0,
                encodings: Vec::new(),
                steps: StepsHash::default(),
            },
        };
        let bytes = self.bytes();
        let allowed = CREDIT + self.swept / SHARE;
        let time = TIME_CREDIT + watch.elapsed() / TIME_SHARE;
        let time = time.saturating_sub(Duration::from_micros(self.micros));
        // Every `stride`-th state, so that the sample is spread over the batch.
        let stride = states.div_ceil(MAX_STATES - of_level.states.min(MAX_STATES - 1)).max(1);
        let mut result = Ok(());
        for (partition, index) in level.positions_until(end).step_by(stride) {
            let is_full = of_level.states >= MAX_STATES
                || self.sampled >= allowed
                || of_level.encodings.len() >= MAX_LEVEL_BYTES
                || bytes + of_level.encodings.len() >= max_bytes.min(MAX_BYTES)
                || begun.elapsed() >= time;
            if is_full && of_level.states >= MIN_STATES {
                break;
            }
            let (start, before) = (of_level.encodings.len(), of_level.steps);
            let partition = &level.level.partitions[partition];
            partition.write_states(index..index + 1, &mut of_level.encodings);
            let (state, steps) = (&of_level.encodings[start..], &mut of_level.steps);
            match expander.hash_steps(state, 1, level.variable, steps, &check) {
                Ok(Some(())) => {
                    of_level.states += 1;
                    self.sampled += 1 + of_level.steps.edges - before.edges;
                }
                // A state that is not read back is reported when the run resumes, or when it is spilled.
                Ok(None) => {
                    of_level.encodings.truncate(start);
                    of_level.steps = before;
                    break;
                }
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        self.levels.push(of_level);
        self.micros += begun.elapsed().as_micros() as u64;
        result
    }

    /// Returns whether the spec has the same steps in all sampled states. `None` if the sample is damaged.
    ///
    /// # Errors
    ///
    /// Fails with the error of `check`.
    pub(super) fn is_of_spec(
        &self,
        expander: &dyn Expander,
        num_vars: usize,
        check: Check<'_>,
    ) -> Result<Option<bool>, BuildError> {
        for level in &self.levels {
            if level.variable >= num_vars {
                return Ok(None);
            }
            let mut steps = StepsHash::default();
            let (states, count) = (&level.encodings, level.states);
            if expander.hash_steps(states, count, level.variable, &mut steps, check)?.is_none() {
                return Ok(None);
            }
            if steps != level.steps {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// Adds the sample of a part of the same sweep.
    pub(super) fn extend(&mut self, part: &Sample) {
        self.levels.extend_from_slice(&part.levels);
        self.sampled += part.sampled;
        self.swept += part.swept;
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let encodings: usize = self.levels.iter().map(|level| level.encodings.len()).sum();
        encodings + self.levels.len() * size_of::<SampledLevel>()
    }
}
