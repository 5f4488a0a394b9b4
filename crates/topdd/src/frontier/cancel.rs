//! The token that stops runs from other threads.

use crate::error::BuildError;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops the runs that hold it, and the queries of diagrams in [`run`](CancelToken::run).
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

    /// Calls `queries`, and stops the queries of diagrams in it when the token is cancelled: those that pass over all
    /// nodes, such as [`count`](crate::Diagram::count), [`index`](crate::Diagram::index) or
    /// [`domains`](crate::Diagram::domains), and those that read native files into memory. A
    /// [`Frontier`](crate::Frontier) has [`cancel_with`](crate::Frontier::cancel_with) in addition.
    ///
    /// A query checks the token after each level of the diagram, and within wide levels. It stops by unwinding, which
    /// calls no panic hook. A program that is compiled with `panic = "abort"` therefore ends. In a call inside of
    /// another one, the inner token applies.
    ///
    /// ```
    /// use topdd::{BuildError, CancelToken, Zdd};
    ///
    /// let (token, subsets) = (CancelToken::new(), Zdd::full([2; 100])?);
    /// assert_eq!(token.run(|| subsets.count_by_size().len())?, 101);
    /// token.cancel();
    /// assert!(matches!(token.run(|| subsets.count_by_size()), Err(BuildError::Cancelled { .. })));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError::Cancelled`] if a query was stopped.
    pub fn run<T>(&self, queries: impl FnOnce() -> T) -> Result<T, BuildError> {
        let outer = OF_QUERIES.replace(Some(self.clone()));
        let result = catch_unwind(AssertUnwindSafe(queries));
        OF_QUERIES.set(outer);
        result.map_err(|panic| {
            if !panic.is::<Stopped>() {
                resume_unwind(panic);
            }
            BuildError::Cancelled { variable: None }
        })
    }

    /// Returns the token of the [`run`](CancelToken::run) that calls a query on this thread.
    pub(crate) fn of_queries() -> Option<Self> {
        OF_QUERIES.with_borrow(Clone::clone)
    }

    /// Unwinds to [`run`](CancelToken::run) if the token is cancelled.
    #[inline]
    pub(crate) fn stop_query(&self) {
        if self.is_cancelled() {
            resume_unwind(Box::new(Stopped));
        }
    }
}

/// The payload of the unwinding of a stopped query.
struct Stopped;

thread_local! {
    static OF_QUERIES: RefCell<Option<CancelToken>> = const { RefCell::new(None) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Weights, Zdd};

    #[test]
    fn each_kind_of_pass_stops_and_the_thread_runs_again() {
        let zdd = Zdd::full([2; 20]).unwrap();
        let weights = Weights::of_ones(0..20);
        let token = CancelToken::new();
        token.cancel();
        let mut file = Vec::new();
        zdd.write_to(&mut file).unwrap();
        let queries: [&dyn Fn(); 8] = [
            &|| drop(zdd.count()),
            &|| drop(zdd.index()),
            &|| drop(zdd.value_counts()),
            &|| drop(zdd.count_by_size()),
            &|| drop(zdd.best(&weights, Goal::Minimum, 1)),
            &|| drop(zdd.within_spec(&weights, 3..)),
            &|| drop(zdd.domains()),
            &|| drop(Zdd::read_from(&file[..])),
        ];
        for query in queries {
            let running = CancelToken::new();
            assert_eq!(running.run(query), Ok(()));
            assert_eq!(
                running.run(|| token.run(query)),
                Ok(Err(BuildError::Cancelled { variable: None }))
            );
            query();
        }
        let panic = catch_unwind(|| token.run(|| panic!("of the caller")));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"of the caller"));
    }

    #[test]
    fn queries_on_several_threads_stop() {
        let zdd = crate::zdd(&crate::query::testing::palindromes(14)).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let token = CancelToken::new();
        token.cancel();
        let run = || token.run(|| (zdd.count(), zdd.domains()));
        assert!(run().is_err() && pool.install(run).is_err());
    }
}
