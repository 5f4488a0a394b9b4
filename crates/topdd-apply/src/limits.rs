//! Limits of comparisons.

use std::time::Duration;
use topdd::diagram::DiagramRule;
use topdd::{BuildError, DdSpec, Diagram, Frontier};

/// Limits of a comparison by [`same`](crate::same); none is set unless a method sets it.
///
/// Each limit applies to the spec, to the operand and to their difference, one after the other.
///
/// ```
/// use std::time::Duration;
/// use topdd_apply::Limits;
///
/// let limits = Limits::new().max_states(1_000_000).memory_limit(1 << 30).time_limit(Duration::from_secs(60));
/// assert_ne!(limits, Limits::new());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub(crate) states: Option<u64>,
    pub(crate) bytes: Option<usize>,
    time: Option<Duration>,
}

impl Limits {
    /// Returns limits of which none is set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the number of states of a sweep, and of nodes of an operand in another order.
    pub fn max_states(self, most: u64) -> Self {
        Limits { states: Some(most), ..self }
    }

    /// Limits the memory of a sweep, in bytes; see [`Frontier::memory_limit`].
    pub fn memory_limit(self, most: usize) -> Self {
        Limits { bytes: Some(most), ..self }
    }

    /// Limits the time of a sweep.
    pub fn time_limit(self, most: Duration) -> Self {
        Limits { time: Some(most), ..self }
    }

    /// Builds the diagram of a spec.
    pub(crate) fn build<R: DiagramRule, S: DdSpec>(
        &self,
        spec: &S,
    ) -> Result<Diagram<R>, BuildError> {
        let mut frontier = Frontier::over(spec);
        if let Some(states) = self.states {
            frontier = frontier.max_states(states);
        }
        if let Some(bytes) = self.bytes {
            frontier = frontier.memory_limit(bytes);
        }
        if let Some(time) = self.time {
            frontier = frontier.time_limit(time);
        }
        frontier.diagram()
    }
}
