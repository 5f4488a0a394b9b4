//! Branch and bound over the states at the edge of the exact ones.
//!
//! The levels below an open state, made narrow by dropping states, give solutions; made narrow by merging states, they give
//! bounds and further open states. The open state of least bound is next, until no bound is below the best solution.
//!
//! References: D. Bergman, A. Ciré, W.-J. van Hoeve, J. Hooker, "Discrete optimization with decision diagrams", INFORMS
//! Journal on Computing 28, 2016; X. Gillard, V. Coppé, P. Schaus, A. Ciré, "Improving the filtering of branch-and-bound
//! MDD solver", CPAIOR 2021.

use super::costs::{CostModel, NEVER, OpenState, UNBOUNDED};
use super::levels::{Incumbent, Narrowing, Width, compile};
use super::queue::{Queue, Queued, SearchStart};
use super::{BoundedProgress, Objective, Settings, StopReason, saved};
use crate::Map;
use crate::error::{BuildError, Limit, caught};
use crate::frontier::{RunCheckpoint, Watch};
use crate::spec::DdSpec;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The width of the relaxed levels that give a first bound.
const FIRST_BOUND: usize = 1024;

/// The result of a search.
pub(super) struct SearchResult {
    /// The best solution with its cost.
    pub(super) best: Option<(i128, Vec<u32>)>,
    /// No solution costs less; `None` if nothing is known.
    pub(super) bound: Option<i128>,
    pub(super) reason: StopReason,
    pub(super) states: u64,
    pub(super) opened: u64,
    /// The errors of removals of files.
    pub(super) warnings: Vec<BuildError>,
}

impl SearchResult {
    /// The result where nothing was to be searched.
    pub(super) fn proven(best: Option<(i128, Vec<u32>)>) -> Self {
        let bound = Some(best.as_ref().map_or(NEVER, |(cost, _)| *cost));
        let warnings = Vec::new();
        let reason = StopReason::Proven;
        SearchResult { best, bound, reason, states: 0, opened: 0, warnings }
    }

    /// The result of a run that was stopped before it searched.
    pub(super) fn stopped(reason: StopReason) -> Self {
        SearchResult { bound: None, reason, ..Self::proven(None) }
    }
}

/// The functions that a search calls.
pub(super) struct SearchCallbacks<'s> {
    pub(super) on_better: &'s mut (dyn FnMut(i128, &[u32]) + Send),
    pub(super) on_progress: &'s mut (dyn FnMut(&BoundedProgress) + Send),
}

/// The best solution so far, and the callback for better ones.
struct BestSoFar<'s> {
    cost: i128,
    values: Option<Vec<u32>>,
    on_better: &'s mut (dyn FnMut(i128, &[u32]) + Send),
}

/// The data that all threads of a search share.
struct BranchAndBound<'s, 'p, S: DdSpec, O> {
    costs: &'s CostModel<'p, S, O>,
    settings: &'s Settings,
    watch: Watch,
    width: Width,
    /// Whether states may have merges.
    merges: AtomicBool,
    /// Whether the search ends.
    is_over: AtomicBool,
    best: Mutex<BestSoFar<'s>>,
    queue: Mutex<Queue<S::State>>,
    /// Something has changed in the queue.
    changed: Condvar,
    file: Mutex<Option<&'s mut RunCheckpoint>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: DdSpec, O> Incumbent for BranchAndBound<'_, '_, S, O> {
    fn below(&self) -> i128 {
        lock(&self.best).cost
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    fn improve(&self, cost: i128, values: &[u32]) {
        let mut best = lock(&self.best);
        if cost < best.cost {
            best.cost = cost;
            best.values = Some(values.to_vec());
            (best.on_better)(cost, values);
        }
    }
}

/// Searches from the open states of `start`. Saves the open states and the best solution to `file`.
pub(super) fn search<S: DdSpec, O: Objective<S>>(
    costs: &CostModel<'_, S, O>,
    settings: &Settings,
    watch: &Watch,
    start: SearchStart<S::State>,
    file: Option<&mut RunCheckpoint>,
    callbacks: SearchCallbacks<'_>,
) -> Result<SearchResult, BuildError> {
    let threads = settings.threads.max(1);
    let (below, values) = (start.below, start.values.clone());
    let queue = Queue::new(start, costs.arities.num_vars(), threads);
    let SearchCallbacks { on_better, on_progress } = callbacks;
    let search = BranchAndBound {
        costs,
        settings,
        watch: watch.clone(),
        width: settings.width(threads),
        merges: AtomicBool::new(true),
        is_over: AtomicBool::new(false),
        best: Mutex::new(BestSoFar { cost: below, values, on_better }),
        queue: Mutex::new(queue),
        changed: Condvar::new(),
        file: Mutex::new(file),
    };
    let on_progress = Mutex::new(on_progress);
    std::thread::scope(|scope| {
        for thread in 1..threads {
            let (search, on_progress) = (&search, &on_progress);
            scope.spawn(move || search.work(thread, on_progress));
        }
        search.work(0, &on_progress);
    });
    search.found()
}

impl<S: DdSpec, O: Objective<S>> BranchAndBound<'_, '_, S, O> {
    /// Works on open states until there are none, or the search ends.
    fn work(&self, thread: usize, on_progress: &Mutex<&mut (dyn FnMut(&BoundedProgress) + Send)>) {
        let worked = caught(|| {
            while let Some(queued) = self.next(thread) {
                let result = caught(|| self.explore(&queued.open));
                let mut queue = lock(&self.queue);
                // Its bound may be better now.
                let queued = queue.active[thread].take().unwrap_or(queued);
                match result {
                    Ok(cut) => self.add(&mut queue, cut),
                    Err(error) => {
                        // It stays open, for the bound.
                        queue.put(queued);
                        self.set_end(&mut queue, StopReason::from_error(error));
                    }
                }
                self.save(&queue, false)?;
                let progress = self.progress(&queue);
                self.changed.notify_all();
                drop(queue);
                (lock(on_progress))(&progress);
            }
            Ok::<_, BuildError>(())
        });
        if let Err(error) = worked {
            let mut queue = lock(&self.queue);
            queue.active[thread] = None;
            self.set_end(&mut queue, Err(error));
            self.changed.notify_all();
        }
    }

    /// Ends the search, unless it ends already.
    fn set_end(&self, queue: &mut Queue<S::State>, reason: Result<StopReason, BuildError>) {
        // An error is not lost because a limit was reached before.
        if reason.is_err() {
            queue.end = Some(reason);
        } else {
            queue.end.get_or_insert(reason);
        }
        self.is_over.store(true, Relaxed);
    }

    /// Waits for an open state that may lead to a better solution.
    fn next(&self, thread: usize) -> Option<Queued<S::State>> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.end.is_none()
                && let Some(reason) = self.end(&mut queue)
            {
                self.set_end(&mut queue, reason);
            }
            if queue.end.is_some() {
                self.changed.notify_all();
                return None;
            }
            let below = self.below();
            let is_short = self.settings.memory_limit.is_some_and(|limit| {
                // Known states only save time.
                if queue.bytes() > limit / 4 && !queue.known.is_empty() {
                    queue.known = Map::default();
                }
                queue.bytes() > limit / 4
            });
            while let Some(queued) = queue.pop(is_short) {
                let open = &queued.open;
                let is_known = |&cost: &i128| cost < open.cost;
                let is_worse =
                    queue.known.get(&(open.variable, open.state.clone())).is_some_and(is_known);
                if open.bound < below && !is_worse {
                    queue.active[thread] = Some(queued.clone());
                    return Some(queued);
                }
            }
            if queue.active.iter().all(Option::is_none) {
                self.set_end(&mut queue, Ok(StopReason::Proven));
                continue;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Why the search ends, if it does.
    fn end(&self, queue: &mut Queue<S::State>) -> Option<Result<StopReason, BuildError>> {
        if let Err(error) = self.watch.check(None) {
            return Some(StopReason::from_error(error));
        }
        let (best, bound) = (self.below(), queue.bound());
        if let Some(gap) = self.settings.gap
            && best < NEVER
            && bound > UNBOUNDED / 2
            && super::gap(best, bound) <= gap
        {
            return Some(Ok(StopReason::Gap));
        }
        let memory = self.settings.memory_limit.filter(|&limit| queue.bytes() > limit / 2);
        if let Some(limit) = memory {
            return Some(Ok(StopReason::Limit(Limit::Bytes(limit))));
        }
        let states = self.settings.max_states.filter(|&limit| queue.states >= limit);
        states.map(|limit| Ok(StopReason::Limit(Limit::States(limit))))
    }

    /// Finds solutions below an open state, and returns the states that are open then.
    fn explore(&self, open: &OpenState<S::State>) -> Result<Vec<OpenState<S::State>>, BuildError> {
        let run = |width, narrowing| {
            let levels = compile(self.costs, open, width, narrowing, self, &self.watch)?;
            lock(&self.queue).states += levels.states;
            Ok(levels)
        };
        let is_root = lock(&self.queue).opened == 1;
        // Narrow levels give a first solution soon.
        let most = self.width.states;
        for narrow in [1, 32, 1024].into_iter().filter(|&narrow| is_root && narrow < most) {
            let width = Width { states: narrow, ..self.width };
            if run(width, Narrowing::Restrict)?.is_exact {
                return Ok(Vec::new());
            }
        }
        // Without a width, the next levels may be the whole run: a bound comes first.
        if is_root && most > FIRST_BOUND {
            let width = Width { states: FIRST_BOUND, ..self.width };
            let levels = run(width, Narrowing::Relax)?;
            if levels.is_exact || levels.cut.is_empty() {
                return Ok(Vec::new());
            }
            self.raise_bound(open, &levels.cut);
        }
        // Without merges, relaxed levels have the same states.
        if self.merges.load(Relaxed) && run(self.width, Narrowing::Restrict)?.is_exact {
            return Ok(Vec::new());
        }
        let levels = run(self.width, Narrowing::Relax)?;
        if !levels.is_exact && !levels.has_merged {
            self.merges.store(false, Relaxed);
        }
        Ok(levels.cut)
    }

    /// Raises the bound of the state that a thread works on to the least one of its cut.
    fn raise_bound(&self, open: &OpenState<S::State>, cut: &[OpenState<S::State>]) {
        let bound = cut.iter().map(|cut| cut.bound).min().unwrap_or(NEVER);
        let mut queue = lock(&self.queue);
        for active in queue.active.iter_mut().flatten() {
            if active.open.variable == open.variable && active.open.values == open.values {
                active.open.bound = active.open.bound.max(bound);
            }
        }
        if let Some(reason) = self.end(&mut queue) {
            self.set_end(&mut queue, reason);
        }
    }

    /// Adds open states, if no better way to them is known.
    fn add(&self, queue: &mut Queue<S::State>, cut: Vec<OpenState<S::State>>) {
        let below = self.below();
        for open in cut {
            if open.bound >= below {
                continue;
            }
            let known = queue.known.entry((open.variable, open.state.clone())).or_insert(NEVER);
            if open.cost < *known {
                *known = open.cost;
                queue.push(open);
            }
        }
    }

    fn progress(&self, queue: &Queue<S::State>) -> BoundedProgress {
        let best = self.below();
        let goal = self.costs.goal;
        BoundedProgress {
            weight: (best < NEVER).then(|| goal.cost(best)),
            bound: known_bound(queue.bound().min(best))
                .filter(|&bound| bound < NEVER)
                .map(|bound| goal.cost(bound)),
            open: queue.len,
            states: queue.states,
            elapsed: self.watch.elapsed(),
        }
    }

    /// Saves where the search goes on, if it is due or the search `ends`.
    fn save(&self, queue: &Queue<S::State>, ends: bool) -> Result<(), BuildError> {
        let mut file = lock(&self.file);
        let Some(file) = file.as_mut().filter(|file| ends || file.is_due()) else { return Ok(()) };
        let best = lock(&self.best);
        let best = best.values.as_ref().map(|values| (best.cost, values));
        saved::save(file, best, queue.opened, queue.states, queue.all())
    }

    fn found(self) -> Result<SearchResult, BuildError> {
        let queue = lock(&self.queue);
        let saves = match &queue.end {
            Some(Ok(StopReason::Limit(_) | StopReason::Cancelled)) => true,
            Some(Ok(StopReason::Proven)) => self.settings.least,
            // After an error the last checkpoint stays.
            _ => false,
        };
        // What was found does not depend on the disk.
        let warnings = if saves { self.save(&queue, true).err() } else { None };
        drop(queue);
        let queue = self.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        let best = self.best.into_inner().unwrap_or_else(PoisonError::into_inner);
        let reason = queue.end.clone().unwrap_or(Ok(StopReason::Proven))?;
        let bound = match reason {
            StopReason::Proven => Some(best.cost),
            _ => known_bound(queue.bound().min(best.cost)),
        };
        // Whatever stopped the search: if nothing better is open, the best is proven.
        let is_proven = bound == Some(best.cost);
        Ok(SearchResult {
            best: best.values.map(|values| (best.cost, values)),
            bound,
            reason: if is_proven { StopReason::Proven } else { reason },
            states: queue.states,
            opened: queue.opened,
            warnings: warnings.into_iter().collect(),
        })
    }
}

/// A bound, unless it says nothing.
fn known_bound(bound: i128) -> Option<i128> {
    (bound > UNBOUNDED / 2).then_some(bound)
}
