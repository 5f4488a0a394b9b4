//! The token that stops runs from other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops the runs that hold it.
///
/// Clones share one flag: keep one, hand the other to
/// [`Frontier::cancel_with`](crate::Frontier::cancel_with), and call
/// [`cancel`](CancelToken::cancel) from any thread or from a signal handler.
///
/// ```
/// # use topdd::{BuildError, CancelToken, Frontier, Step, DdSpec};
/// # struct Any; impl DdSpec for Any {
/// #     type State = (); fn num_vars(&self) -> usize { 3 }
/// #     fn root(&self) -> Step<()> { Step::To(0, ()) }
/// #     fn child(&self, _: &(), v: usize, _: usize) -> Step<()> {
/// #         if v == 2 { Step::One } else { Step::To(v + 1, ()) } } }
/// let token = CancelToken::new();
/// token.cancel();
/// let error = Frontier::over(&Any).cancel_with(&token).zdd().unwrap_err();
/// assert!(matches!(error, BuildError::Cancelled { .. }));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Makes a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the token. Every run that holds it stops with
    /// [`BuildError::Cancelled`](crate::BuildError::Cancelled). A token cannot be reset.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`cancel`](CancelToken::cancel) was called.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
