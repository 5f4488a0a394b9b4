//! Limits of comparisons and of operations.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use topdd::diagram::DiagramRule;
use topdd::{BoxedSpec, BuildError, CancelToken, DdSpec, Diagram, Frontier};

/// Limits of operations in [`Manager::within`](crate::Manager::within), and of a comparison by
/// [`same`](crate::same); none is set unless a method sets it.
///
/// In a comparison, each limit applies to the spec, to the operand and to their difference, one after
/// the other.
///
/// ```
/// use std::time::Duration;
/// use topdd::constraint;
/// use topdd_apply::{Limits, Manager, assert_same};
///
/// let limits = Limits::new().max_states(1_000_000).memory_limit(1 << 30).time_limit(Duration::from_secs(60));
/// let manager = Manager::new(30)?;
/// let half = manager.within(&limits, || manager.combinations(0..30, 15))?;
/// assert_same!(constraint::exactly(30, 15), half, limits);
/// # Ok::<(), topdd_apply::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub(crate) states: Option<u64>,
    pub(crate) bytes: Option<usize>,
    pub(crate) time: Option<Duration>,
    pub(crate) cancel: Vec<CancelToken>,
}

impl Limits {
    /// Returns no limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the number of states of a sweep, and of nodes of a manager.
    pub fn max_states(self, most: u64) -> Self {
        Limits { states: Some(most), ..self }
    }

    /// Limits the memory of a sweep or of a manager, in bytes; see [`Frontier::memory_limit`] and
    /// [`ManagerBuilder::max_bytes`](crate::ManagerBuilder::max_bytes).
    pub fn memory_limit(self, most: usize) -> Self {
        Limits { bytes: Some(most), ..self }
    }

    /// Limits the time of a sweep, or of all operations in a call of `within` together.
    pub fn time_limit(self, most: Duration) -> Self {
        Limits { time: Some(most), ..self }
    }

    /// Stops when the token is cancelled. Several calls add several tokens, each of which stops the
    /// operation.
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.cancel.push(token.clone());
        self
    }

    /// Builds the diagram of a spec.
    pub(crate) fn build<R: DiagramRule, S: DdSpec>(
        &self,
        spec: &S,
    ) -> Result<Diagram<R>, BuildError> {
        self.run(Frontier::over(spec))
    }

    /// Builds the diagram of a boxed spec, by the engine that is compiled in topdd.
    pub(crate) fn build_boxed<R: DiagramRule>(
        &self,
        spec: BoxedSpec<'_>,
    ) -> Result<Diagram<R>, BuildError> {
        self.run(Frontier::of_boxed(spec))
    }

    fn run<R: DiagramRule, S>(
        &self,
        mut frontier: Frontier<'_, S>,
    ) -> Result<Diagram<R>, BuildError> {
        if let Some(states) = self.states {
            frontier = frontier.max_states(states);
        }
        if let Some(bytes) = self.bytes {
            frontier = frontier.memory_limit(bytes);
        }
        if let Some(time) = self.time {
            frontier = frontier.time_limit(time);
        }
        with_one_of(&self.cancel, |token| match token {
            Some(token) => frontier.cancel_with(token).diagram(),
            None => frontier.diagram(),
        })
    }
}

/// The time between two looks at several tokens.
const INTERVAL: Duration = Duration::from_millis(10);

/// Calls `work` with a token that is cancelled soon after one of `tokens`. A sweep has one token, so a
/// thread watches several tokens.
fn with_one_of<T>(tokens: &[CancelToken], work: impl FnOnce(Option<&CancelToken>) -> T) -> T {
    if tokens.len() < 2 {
        return work(tokens.first());
    }
    let (done, running) = mpsc::channel::<()>();
    let either = &CancelToken::new();
    thread::scope(move |scope| {
        scope.spawn(move || {
            while running.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if tokens.iter().any(CancelToken::is_cancelled) {
                    either.cancel();
                }
            }
        });
        // Dropped after a panic as well, which ends the thread.
        let _done = done;
        work(Some(either))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use topdd::constraint;
    use topdd::diagram::ZeroSuppressed;

    #[test]
    fn each_of_several_tokens_stops_a_build() {
        for cancelled in 0..2 {
            let tokens = [CancelToken::new(), CancelToken::new()];
            let limits = Limits::new().cancel_with(&tokens[0]).cancel_with(&tokens[1]);
            let limits = limits.max_states(1 << 24);
            let built = thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(Duration::from_millis(5));
                    tokens[cancelled].cancel();
                });
                limits.build::<ZeroSuppressed, _>(&constraint::all_different([28; 28]))
            });
            assert!(matches!(built, Err(BuildError::Cancelled { .. })), "{built:?}");
        }
    }
}
