//! Limits of comparisons and of operations, and their progress.

use super::Manager;
use crate::error::Error;
use crate::store::{Progress, SizeLimits};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
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

/// Removes the limits when it is dropped, also after a panic.
struct Applied<'m> {
    manager: &'m Manager,
    /// The limits before.
    old: SizeLimits,
}

impl Drop for Applied<'_> {
    fn drop(&mut self) {
        self.manager.inner.budget.set_limits(self.old);
        self.manager.inner.watch.leave();
    }
}

impl Manager {
    /// Calls `work`, and applies limits to all operations of the manager until it returns: a cancel
    /// token, the time that they take together, and the numbers of nodes and bytes.
    ///
    /// An operation that is stopped fails with an error. The manager is usable afterwards, and all
    /// handles are unchanged. Operations check the token and the time every few thousand steps, and
    /// [`sift`](Manager::sift) and [`reorder`](Manager::reorder) before each swap of two levels. A
    /// garbage collection and the queries that return no error, all linear in the nodes, are not
    /// stopped. Calls may be nested; then all their limits apply.
    ///
    /// [`max_states`](Limits::max_states) limits the nodes of the manager, as
    /// [`max_nodes`](crate::ManagerBuilder::max_nodes) does, and
    /// [`memory_limit`](Limits::memory_limit) its bytes. A conversion to a diagram of topdd, which is not
    /// in the manager, has the same limits for its states and its memory.
    ///
    /// ```
    /// use std::time::Duration;
    /// use topdd::CancelToken;
    /// use topdd_apply::{Error, Limits, Manager};
    ///
    /// let manager = Manager::new(20)?;
    /// let pairs = || manager.cnf((0..10).map(|v| [(v, true), (v + 10, true)]));
    /// let token = CancelToken::new(); // the token of `topdd::Frontier::cancel_with`
    /// let limits = Limits::new().cancel_with(&token).time_limit(Duration::from_secs(60));
    /// let f = manager.within(&limits, pairs)?;
    /// let nodes = manager.within(&limits, || manager.sift())?;
    /// assert_eq!((nodes, f.node_count()), (20, 20));
    ///
    /// token.cancel(); // from another thread, or a signal handler
    /// assert_eq!(manager.within(&limits, pairs), Err(Error::Cancelled));
    /// assert_eq!(pairs(), Ok(f)); // without limits
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `work` fails. Operations fail with [`Error::Cancelled`] and [`Error::LimitReached`].
    #[doc(alias("Cudd_SetTimeLimit", "Cudd_RegisterTerminationCallback"))]
    pub fn within<T, E>(
        &self,
        limits: &Limits,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let nodes = limits.states.map(|states| usize::try_from(states).unwrap_or(usize::MAX));
        self.inner.watch.enter(limits);
        let old = self.inner.budget.tighten(SizeLimits { nodes, bytes: limits.bytes });
        let _applied = Applied { manager: self, old };
        work()
    }

    /// Sets a function that is called with the [`Progress`] of long operations, at most ten times a
    /// second, until another one is set, such as `|_| ()`. It must not use the manager or its handles. A
    /// copy made by [`detach`](Manager::detach) calls it, too.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let manager = Manager::new(40)?;
    /// manager.on_progress(|now| match now.sifted {
    ///     Some((done, total)) => eprintln!("{done} of {total} variables, {} nodes", now.nodes),
    ///     None => eprintln!("{:?}: {} nodes", now.elapsed, now.nodes),
    /// });
    /// let f = manager.cnf((0..20).map(|v| [(v, true), (v + 20, true)]))?;
    /// manager.sift()?;
    /// assert_eq!(f.node_count(), 40);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// A panic of the function stops the operation. The manager is usable afterwards.
    pub fn on_progress(&self, callback: impl FnMut(&Progress) + Send + 'static) {
        self.inner.watch.on_progress(Arc::new(Mutex::new(callback)));
    }

    /// Starts an operation: fails if it is already cancelled or out of time.
    #[inline]
    pub(crate) fn start(&self) -> Result<(), Error> {
        self.inner.watch.start()
    }
}

#[cfg(test)]
mod tests {

    use crate::strategies::{families, functions, managers, orders};
    use crate::{Error, Function, Limits, Manager, ManagerLimit};
    use proptest::prelude::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};
    use topdd::diagram::ZeroSuppressed;
    use topdd::{BuildError, CancelToken, constraint};

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

    const VARS: usize = 6;

    /// Calls `work` with a token that is cancelled at the check after so many others.
    fn after<T>(
        checks: u64,
        manager: &Manager,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let set = |checks| manager.inner.watch.set_fuel(checks);
        set(Some(checks));
        let result = manager.within(&Limits::new(), work);
        set(None);
        result
    }

    /// A function with a number of nodes that is exponential in `n`, and linear in another order.
    fn pairs(manager: &Manager, n: usize) -> Function {
        manager.dnf((0..n).map(|v| [(v, true), (v + n, true)])).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

        #[test]
        fn operations_cancelled_at_any_check_leave_all_handles_unchanged(
            (f, g, a, b) in managers(VARS).prop_flat_map(|m| (functions(&m), functions(&m), families(&m), families(&m)))
        ) {
            let m = f.manager().clone();
            let (bdds, zdds) = ([&f, &g].map(|f| f.to_bdd().unwrap()), [&a, &b].map(|a| a.to_zdd().unwrap()));
            for checks in 0.. {
                let functions = after(checks, &m, || f.try_xor(&g)?.ite(&g, &f)?.exists([1, 2]));
                let joined = after(checks, &m, || a.join(&b)?.minimal_hitting_sets());
                let converted = after(checks, &m, || f.to_family());
                let copied = after(checks, &m, || m.function_of(&bdds[0]));
                let included = after(checks, &m, || f.leq(&g));
                prop_assert_eq!([&f, &g].map(|f| f.to_bdd().unwrap()), bdds.clone());
                prop_assert_eq!([&a, &b].map(|a| a.to_zdd().unwrap()), zdds.clone());
                m.collect();
                let cancelled = [functions.is_err(), joined.is_err(), converted.is_err(), copied.is_err(), included.is_err()];
                if let Ok(found) = functions {
                    prop_assert_eq!(found, (&f ^ &g).ite(&g, &f).unwrap().exists([1, 2]).unwrap());
                } else {
                    prop_assert_eq!(functions, Err(Error::Cancelled));
                }
                if let Ok(found) = joined {
                    prop_assert_eq!(found, a.join(&b).unwrap().minimal_hitting_sets().unwrap());
                } else {
                    prop_assert_eq!(joined, Err(Error::Cancelled));
                }
                if checks == 0 {
                    prop_assert_eq!(cancelled, [true; 5]);
                }
                if cancelled == [false; 5] {
                    break;
                }
            }
        }

        #[test]
        fn reordering_cancelled_at_any_swap_keeps_the_meaning_of_all_handles(
            (f, a) in managers(VARS).prop_flat_map(|m| (functions(&m), families(&m))), order in orders(VARS), checks in 0..60_u64
        ) {
            let m = f.manager().clone();
            let (bdd, zdd) = (f.to_bdd().unwrap(), a.to_zdd().unwrap());
            m.collect();
            let before = m.statistics();
            let sifted = after(checks, &m, || m.sift());
            m.collect();
            let now = m.statistics();
            prop_assert!(now.function_nodes + now.family_nodes <= before.function_nodes + before.family_nodes);
            match sifted {
                Ok(nodes) => prop_assert_eq!(nodes, now.function_nodes + now.family_nodes),
                Err(error) => prop_assert_eq!(error, Error::Cancelled),
            }
            match after(checks, &m, || m.reorder(order.clone())) {
                Ok(()) => prop_assert_eq!(m.order(), order),
                Err(error) => prop_assert_eq!(error, Error::Cancelled),
            }
            prop_assert_eq!(f.to_bdd().unwrap(), bdd.clone());
            prop_assert_eq!(&m.function_of(&bdd).unwrap(), &f);
            prop_assert_eq!(a.to_zdd().unwrap(), zdd.clone());
            prop_assert_eq!(&m.family_of(&zdd).unwrap(), &a);
        }
    }

    #[test]
    fn a_token_cancelled_on_another_thread_stops_sifting() {
        let manager = Manager::new(34).unwrap();
        let f = pairs(&manager, 17);
        let (nodes, token) = (f.node_count(), CancelToken::new());
        let limits = Limits::new().cancel_with(&token);
        let stopped = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(5));
                token.cancel();
            });
            manager.within(&limits, || manager.sift())
        });
        assert_eq!(stopped, Err(Error::Cancelled));
        assert!(f.node_count() <= nodes);
        assert_eq!(manager.sift(), Ok(34));
        assert_eq!(f, pairs(&manager, 17));
    }

    #[test]
    fn a_time_limit_stops_an_operation_and_sifting() {
        let manager = Manager::new(80).unwrap();
        let time = Duration::from_millis(10);
        let limits = Limits::new().time_limit(time);
        let reached = Error::LimitReached(ManagerLimit::Time(time));
        let start = Instant::now();
        // 2 to the 40 nodes.
        let built = manager.within(&limits, || {
            let pairs = (0..40).map(|v| [(v, true), (v + 40, true)]);
            manager.dnf(pairs)
        });
        assert_eq!(built, Err(reached.clone()));
        let f = pairs(&manager, 17);
        assert_eq!(manager.within(&limits, || manager.sift()), Err(reached));
        assert!(start.elapsed() < Duration::from_mins(1));
        assert_eq!(f, pairs(&manager, 17));
        assert!(
            format!("{}", built.unwrap_err()).contains("time limit of 10ms was reached; raise")
        );
    }

    #[test]
    fn limits_end_with_the_call_and_the_tighter_of_nested_limits_applies() {
        let manager = Manager::builder(40).max_nodes(10_000).build().unwrap();
        let cube = || manager.cube((0..40).map(|v| (v, true)));
        let nodes = |nodes| Err(Error::LimitReached(ManagerLimit::Nodes(nodes)));
        let (few, many) = (Limits::new().max_states(20), Limits::new().max_states(30));
        for (outer, inner) in [(&few, &many), (&many, &few)] {
            assert_eq!(manager.within(outer, || manager.within(inner, cube)), nodes(20));
        }
        let token = CancelToken::new();
        token.cancel();
        let cancelled = Limits::new().cancel_with(&token);
        let nested = || manager.within(&Limits::new(), cube);
        assert_eq!(manager.within(&cancelled, nested), Err(Error::Cancelled));
        let panics = || -> Result<Function, Error> { panic!("of the caller") };
        assert!(catch_unwind(AssertUnwindSafe(|| manager.within(&cancelled, panics))).is_err());
        assert_eq!(cube().unwrap().node_count(), 40);
    }

    #[test]
    fn a_build_of_topdd_has_the_limits_of_the_manager() {
        let manager = Manager::builder(4).order([3, 2, 1, 0]).build().unwrap();
        let f = manager.var(0).unwrap() ^ manager.var(3).unwrap();
        let token = CancelToken::new();
        token.cancel();
        let limits = Limits::new().cancel_with(&token);
        assert_eq!(manager.within(&limits, || f.to_bdd()), Err(Error::Cancelled));
        let family = f.to_family().unwrap();
        assert_eq!(manager.within(&limits, || family.to_zdd()), Err(Error::Cancelled));
        let no_time = Limits::new().time_limit(Duration::ZERO);
        let reached = Error::LimitReached(ManagerLimit::Time(Duration::ZERO));
        assert_eq!(manager.within(&no_time, || f.to_dot()), Err(reached));
    }

    #[test]
    fn all_nested_tokens_and_limits_apply_to_a_conversion() {
        let manager = Manager::builder(12).order((0..12).rev()).build().unwrap();
        let f = (0..12).fold(manager.constant(false), |f, v| f ^ manager.var(v).unwrap());
        let (outer, inner) = (CancelToken::new(), CancelToken::new());
        let [a, b] = [&outer, &inner].map(|token| Limits::new().cancel_with(token));
        let converted = manager.within(&a, || {
            manager.within(&b, || {
                assert!(f.to_bdd().is_ok());
                outer.cancel();
                f.to_bdd()
            })
        });
        assert_eq!(converted, Err(Error::Cancelled));
        // In the order of the variables, and in another one, which copies first.
        let ascending = Manager::new(12).unwrap();
        for f in [&f, &ascending.copy_function(&f).unwrap()] {
            let few = [Limits::new().max_states(5), Limits::new().memory_limit(1)];
            for limits in few {
                let built = f.manager().within(&limits, || f.to_bdd());
                assert!(
                    matches!(
                        built,
                        Err(Error::LimitReached(_)
                            | Error::Diagram(BuildError::LimitReached { .. }))
                    ),
                    "{built:?}"
                );
            }
        }
    }

    /// True for assignments whose weighted sum has the given remainder. All weights are odd, so the
    /// remainder and the number of ones have the same parity.
    fn sums(manager: &Manager, power: u32, modulus: usize, remainder: usize) -> Function {
        let n = manager.num_vars();
        let spec = topdd::dp(n, 0)
            .step(move |sum, v, one| Some((sum + one * (2 * v.pow(power) + 1)) % modulus))
            .accept(move |&sum| sum == remainder);
        manager.function_of(&topdd::bdd(&spec).unwrap()).unwrap()
    }

    #[test]
    fn disjointness_reports_progress_and_obeys_time_and_bytes() {
        let manager = Manager::new(40).unwrap();
        let (f, g) = (sums(&manager, 2, 902, 0), sums(&manager, 3, 1106, 1));
        let reports = Arc::new(Mutex::new(0));
        let sink = reports.clone();
        manager.on_progress(move |progress| {
            assert!(progress.steps > 0);
            *sink.lock().unwrap() += 1;
        });
        let limits = Limits::new().time_limit(Duration::from_millis(250));
        let stopped = manager.within(&limits, || f.is_disjoint(&g));
        assert!(matches!(stopped, Err(Error::LimitReached(ManagerLimit::Time(_)))), "{stopped:?}");
        assert!((1..=3).contains(&*reports.lock().unwrap()), "{reports:?}");
        let most = manager.statistics().bytes + (1 << 20);
        let stopped = manager.within(&Limits::new().memory_limit(most), || f.leq(&!&g));
        assert_eq!(stopped, Err(Error::LimitReached(ManagerLimit::Bytes(most))));
    }

    #[test]
    fn progress_is_reported_during_an_operation_and_while_sifting() {
        let manager = Manager::new(80).unwrap();
        let reports = Arc::new(Mutex::new(Vec::new()));
        let sink = reports.clone();
        manager.on_progress(move |progress| sink.lock().unwrap().push(progress.clone()));
        let limits = Limits::new().time_limit(Duration::from_millis(500));
        let endless = (0..40).map(|v| [(v, true), (v + 40, true)]);
        assert!(manager.within(&limits, || manager.dnf(endless)).is_err());
        let during = std::mem::take(&mut *reports.lock().unwrap());
        assert!((1..=5).contains(&during.len()), "{during:?}");
        assert!(during.iter().all(|progress| progress.sifted.is_none() && progress.nodes > 0));
        let rises = |pair: &[crate::Progress]| {
            pair[0].steps < pair[1].steps && pair[0].elapsed < pair[1].elapsed
        };
        assert!(during.windows(2).all(rises), "{during:?}");
        let _f = pairs(&manager, 18);
        let _ = manager.within(&limits, || manager.sift());
        let sifting = std::mem::take(&mut *reports.lock().unwrap());
        let of_sifting = sifting.iter().filter_map(|progress| progress.sifted).collect::<Vec<_>>();
        assert!(of_sifting.iter().all(|&(done, total)| done < total && total == 36), "{sifting:?}");
        assert!(!of_sifting.is_empty(), "{sifting:?}");
    }

    #[test]
    fn a_panic_of_the_progress_function_leaves_the_manager_usable() {
        let manager = Manager::new(80).unwrap();
        let kept = manager.var(3).unwrap();
        manager.on_progress(|_| panic!("of the caller"));
        let endless = || manager.dnf((0..40).map(|v| [(v, true), (v + 40, true)]));
        assert!(catch_unwind(AssertUnwindSafe(endless)).is_err());
        manager.on_progress(|_| ());
        manager.collect();
        assert_eq!(manager.statistics().function_nodes, 1);
        assert_eq!(manager.var(3), Ok(kept));
    }
}
