//! A check of the contract of a spec on its states.

#[cfg(test)]
mod tests;

use super::guard::guarded;
use crate::random::Reservoir;
use crate::spec::contract::{
    Violation, check_merge, check_root, check_state, check_universe, equal_states_differ,
};
use crate::spec::{ErasedSpec, ErasedState};
use crate::{DdSpec, Rule, Step};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;

/// The number of states of a level that are compared with each other.
const COMPARED: usize = 64;

/// Visits up to `limit` distinct states of `spec`, level by level from its root under `rule`, and
/// returns the first breach of the contract of [`DdSpec`].
///
/// Cost: some calls of `child` for each value of each state visited; memory for the states of the
/// levels in progress.
///
/// Checks for:
///
/// - a step that leads backwards or out of range;
/// - a `for_each_child` that disagrees with `child`, is out of order or exceeds the arity;
/// - a `forced` value that is not forced, or that has a wrong step;
/// - a `child` that returns another step when called again;
/// - an invalid spec, and a variable without values.
///
/// On a sample it checks for equal states with different futures, which occur if `Eq` ignores
/// relevant facts: a few paths to equal states are followed, and must take equal steps.
/// It also compares a few states of each level, to find equal states with different hashes. A
/// sample may miss a breach, so also compare the spec with another description of its solutions, by
/// [`equals`](super::equals) or [`same`](super::same).
///
/// ```
/// use topdd::check::{self, Violation};
/// use topdd::{DdSpec, Rule, Step};
///
/// /// Never leaves its first variable.
/// struct Stuck;
///
/// impl DdSpec for Stuck {
///     type State = u8;
///     fn num_vars(&self) -> usize { 3 }
///     fn root(&self) -> Step<u8> { Step::To(0, 7) }
///     fn child(&self, state: &u8, variable: usize, _: usize) -> Step<u8> {
///         Step::To(variable, *state)
///     }
/// }
///
/// let violation = check::contract(&Stuck, Rule::AnyValue, 100).unwrap_err();
/// assert_eq!(
///     violation.to_string(),
///     "value 0 of variable 0 leads backwards, to variable 0, from state 7; \
///      a step must lead to a later variable",
/// );
/// ```
///
/// # Errors
///
/// The first violation found, or a panic of the spec, with the arguments of the call. `Ok` means that the visited
/// states show none.
pub fn contract<S: DdSpec>(spec: &S, rule: Rule, limit: usize) -> Result<(), Violation> {
    let bounds = VisitLimits { states: limit, per_level: usize::MAX, hashes: false };
    guarded(spec, |spec| visit(spec, rule, bounds).map(drop))
}

/// The bounds of a visit.
#[derive(Clone, Copy, Debug)]
pub(super) struct VisitLimits {
    /// The maximum number of distinct states.
    pub(super) states: usize,
    /// The maximum number of distinct states of a level.
    pub(super) per_level: usize,
    /// Whether different states with equal hashes are a breach.
    pub(super) hashes: bool,
}

/// The states visited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    /// The number of distinct states.
    pub(super) states: usize,
    /// Whether the spec has no other states.
    pub(super) all: bool,
}

/// Visits the states of `spec` within bounds; see [`contract`].
pub(super) fn visit(
    spec: &ErasedSpec<'_>,
    rule: Rule,
    bounds: VisitLimits,
) -> Result<Visited, Violation> {
    check_universe(spec)?;
    let root = spec.root_under(rule);
    check_root(spec, &root)?;

    let mut levels = VisitedLevels::new(bounds);
    levels.meet(root, || StatePath::ROOT);
    // Steps lead to later variables, so the first level is complete.
    while let Some((variable, level)) = levels.pending.pop_first() {
        check_distinct(spec, variable, &level.classes)?;
        if bounds.hashes {
            check_collisions(spec, variable, &level.classes)?;
        }
        if rule == Rule::ZeroSuppressed {
            check_merges(spec, variable, &level.classes)?;
        }
        for class in level.classes {
            let twins = class.twins();
            let (state, path) = &twins[0];
            check_state(spec, state, variable, |value, step| {
                let mut others = Vec::new();
                for (twin, other_path) in &twins[1..] {
                    let other = spec.child(twin, variable, value);
                    if other != step {
                        let notes =
                            [path, other_path].map(|path| format!(" ({})", path.describe()));
                        let (states, steps) = ([state, twin], [&step, &other]);
                        let differ =
                            equal_states_differ(spec, variable, value, states, notes, steps);
                        return Err(differ);
                    }
                    others.push((other, other_path));
                }
                levels.meet(step, || path.then(variable, value));
                for (other, other_path) in others {
                    levels.meet(other, || other_path.then(variable, value));
                }
                Ok(())
            })?;
        }
    }
    Ok(levels.visited)
}

/// Fails if equal states have different hashes, among the states of a class and among the first
/// classes of a level.
fn check_distinct(
    spec: &ErasedSpec<'_>,
    variable: usize,
    classes: &[StateClass<ErasedState>],
) -> Result<(), Violation> {
    let breach = |one: &ErasedState, other: &ErasedState| {
        let [one, other] = [one, other].map(|state| spec.describe(state));
        Err(Violation::HashesDiffer { variable, one, other })
    };
    // By chance a hash table finds an equal state in spite of another hash.
    let hasher = RandomState::new();
    for twins in classes.iter().map(StateClass::twins) {
        let hash = |state| hasher.hash_one(state);
        let mut later = twins[1..].iter().map(|(twin, _)| twin);
        let first = &twins[0].0;
        if let Some(other) = later.find(|&twin| hash(twin) != hash(first)) {
            return breach(first, other);
        }
    }
    let states = || classes.iter().take(COMPARED).map(|class| &class.twins()[0].0);
    for (after, one) in states().enumerate() {
        if let Some(other) = states().skip(after + 1).find(|&other| one == other) {
            return breach(one, other);
        }
    }
    Ok(())
}

/// Fails if merges of the first states of a level, each with all before it or with the next one, lose completions.
fn check_merges(
    spec: &ErasedSpec<'_>,
    variable: usize,
    classes: &[StateClass<ErasedState>],
) -> Result<(), Violation> {
    let states = || classes.iter().take(COMPARED).map(|class| &class.twins()[0].0);
    let mut all = states().next().cloned();
    for (one, other) in states().zip(states().skip(1)) {
        check_merge(spec, [one, other], variable)?;
        if let Some(before) = all {
            all = check_merge(spec, [&before, other], variable)?;
        }
    }
    Ok(())
}

/// Fails if different states have equal hashes, of 128 bits, so chance does not make them equal.
fn check_collisions(
    spec: &ErasedSpec<'_>,
    variable: usize,
    classes: &[StateClass<ErasedState>],
) -> Result<(), Violation> {
    let hashers = [RandomState::new(), RandomState::new()];
    let mut by_hash = HashMap::new();
    for class in classes {
        let state = &class.twins()[0].0;
        let hash = [0, 1].map(|which: usize| hashers[which].hash_one(state));
        if let Some(other) = by_hash.insert(hash, state).filter(|&other| other != state) {
            let [one, other] = [other, state].map(|state| spec.describe(state));
            return Err(Violation::HashesCollide { variable, one, other });
        }
    }
    Ok(())
}

/// The maximum number of arrivals at equal states that are followed.
const TWINS: usize = 8;

/// The path to a state: the last decision, with the path before it.
#[derive(Clone)]
struct StatePath(Option<Arc<PathDecision>>);

struct PathDecision {
    variable: usize,
    value: usize,
    before: StatePath,
}

impl StatePath {
    const ROOT: StatePath = StatePath(None);

    /// Returns the path with one more decision.
    fn then(&self, variable: usize, value: usize) -> StatePath {
        StatePath(Some(Arc::new(PathDecision { variable, value, before: self.clone() })))
    }

    fn describe(&self) -> String {
        let mut values = Vec::new();
        let mut path = self;
        while let StatePath(Some(decision)) = path {
            values.push(format!("{}={}", decision.variable, decision.value));
            path = &decision.before;
        }
        values.reverse();
        if values.is_empty() { "the root".to_owned() } else { format!("by {}", values.join(" ")) }
    }
}

impl Drop for PathDecision {
    /// Drops a long path in a loop. The derived drop would recurse.
    fn drop(&mut self) {
        let mut before = self.before.0.take();
        while let Some(mut decision) = before.and_then(Arc::into_inner) {
            before = decision.before.0.take();
        }
    }
}

/// Equal states of a level, each with a path to it: the first, the last and a sample of the states between
/// them. The first and the last, reached by the least and by the greatest values, often differ most.
struct StateClass<State>(Reservoir<(State, StatePath)>);

impl<State> StateClass<State> {
    fn twins(&self) -> &[(State, StatePath)] {
        self.0.items()
    }
}

struct VisitedLevel<State> {
    /// In the order of their first arrivals.
    classes: Vec<StateClass<State>>,
    class_of: HashMap<State, usize>,
}

/// The levels that have been reached and not yet visited.
struct VisitedLevels<State> {
    pending: BTreeMap<usize, VisitedLevel<State>>,
    visited: Visited,
    bounds: VisitLimits,
}

impl<State: Clone + Eq + Hash> VisitedLevels<State> {
    fn new(bounds: VisitLimits) -> Self {
        let visited = Visited { states: 0, all: true };
        VisitedLevels { pending: BTreeMap::new(), visited, bounds }
    }

    /// Adds the state of a step, and the path by which it was reached, to its class.
    fn meet(&mut self, step: Step<State>, path: impl FnOnce() -> StatePath) {
        let Step::To(variable, state) = step else {
            return;
        };
        let empty = || VisitedLevel { classes: Vec::new(), class_of: HashMap::new() };
        let level = self.pending.entry(variable).or_insert_with(empty);
        let Some(&class) = level.class_of.get(&state) else {
            let full = level.classes.len() >= self.bounds.per_level;
            if full || self.visited.states >= self.bounds.states {
                self.visited.all = false;
            } else {
                self.visited.states += 1;
                level.class_of.insert(state.clone(), level.classes.len());
                let mut class = StateClass(Reservoir::default());
                class.0.push((state, path()), TWINS);
                level.classes.push(class);
            }
            return;
        };
        level.classes[class].0.push((state, path()), TWINS);
    }
}
