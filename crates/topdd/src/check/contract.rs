//! A check of the contract of a spec on its states.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;

use crate::draw::SplitMix;
use crate::spec::ErasedSpec;
use crate::spec::contract::{Violation, check_root, check_state, check_universe, describe_step};
use crate::{DdSpec, Rule, Step};

/// The maximum number of arrivals at equal states that are followed.
const TWINS: usize = 8;

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
/// - a `forced` value that is not forced, or a wrong step of it;
/// - a `child` that returns another step when called again;
/// - an invalid spec, and a variable without values.
///
/// On a sample it checks for equal states with different futures, which occur if `Eq` ignores
/// relevant facts: of the paths to equal states a few are followed, and must take equal steps.
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
/// The first violation found. `Ok` means that the visited states show none.
///
/// # Panics
///
/// Panics if a method of the spec does.
pub fn contract<S: DdSpec>(spec: &S, rule: Rule, limit: usize) -> Result<(), Violation> {
    let bounds = Bounds { states: limit, per_level: usize::MAX, hashes: false };
    visit(&ErasedSpec::new(spec), rule, bounds).map(|_| ())
}

/// The bounds of a visit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
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
    /// Whether these are all.
    pub(super) all: bool,
}

/// Visits the states of `spec` within bounds; see [`contract`].
pub(super) fn visit<S: DdSpec>(spec: &S, rule: Rule, bounds: Bounds) -> Result<Visited, Violation> {
    check_universe(spec)?;
    let root = spec.root_under(rule);
    check_root(spec, &root)?;

    let visited = Visited { states: 0, all: true };
    let mut levels = Levels { pending: BTreeMap::new(), visited, bounds, draw: SplitMix(0) };
    levels.meet(root, None);
    // Steps lead to later variables, so the first level is complete.
    while let Some((variable, level)) = levels.pending.pop_first() {
        check_distinct(spec, variable, &level.classes)?;
        if bounds.hashes {
            check_collisions(spec, variable, &level.classes)?;
        }
        for Class { twins, .. } in level.classes {
            let (state, path) = &twins[0];
            check_state(spec, state, variable, |value, step| {
                let mut others = Vec::new();
                for (twin, other_path) in &twins[1..] {
                    let other = spec.child(twin, variable, value);
                    if other != step {
                        let describe_side = |state, path: &Path, step| {
                            let (state, path) = (spec.describe(state), describe_path(path));
                            format!("{state} ({path}) to {}", describe_step(spec, step))
                        };
                        return Err(Violation::EqualStatesDiffer {
                            variable,
                            value,
                            one: describe_side(state, path, &step),
                            other: describe_side(twin, other_path, &other),
                        });
                    }
                    others.push((other, other_path));
                }
                levels.meet(step, Some((path, variable, value)));
                for (other, other_path) in others {
                    levels.meet(other, Some((other_path, variable, value)));
                }
                Ok(())
            })?;
        }
    }
    Ok(levels.visited)
}

/// The path to a state: the last variable decided, its value, and the path before.
type Path = Option<Arc<Decision>>;

struct Decision {
    variable: usize,
    value: usize,
    before: Path,
}

impl Drop for Decision {
    /// Drops a long path in a loop. The derived drop would recurse.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut decision) = before.and_then(Arc::into_inner) {
            before = decision.before.take();
        }
    }
}

fn describe_path(mut path: &Path) -> String {
    let mut values = Vec::new();
    while let Some(decision) = path {
        values.push(format!("{}={}", decision.variable, decision.value));
        path = &decision.before;
    }
    values.reverse();
    if values.is_empty() { "the root".to_owned() } else { format!("by {}", values.join(" ")) }
}

/// States of a level that are equal: the first, the last and a sample of those between.
struct Class<State> {
    twins: Vec<(State, Path)>,
    arrivals: usize,
}

struct Level<State> {
    /// In the order of their first arrivals.
    classes: Vec<Class<State>>,
    class_of: HashMap<State, usize>,
}

/// The levels that have been reached and not yet visited.
struct Levels<State> {
    pending: BTreeMap<usize, Level<State>>,
    visited: Visited,
    bounds: Bounds,
    draw: SplitMix,
}

impl<State: Clone + Eq + Hash> Levels<State> {
    /// Adds the state of a step to its class; `from` is the path by which it was reached.
    fn meet(&mut self, step: Step<State>, from: Option<(&Path, usize, usize)>) {
        let Step::To(variable, state) = step else {
            return;
        };
        let path = || {
            from.map(|(before, variable, value)| {
                Arc::new(Decision { variable, value, before: before.clone() })
            })
        };
        let empty = || Level { classes: Vec::new(), class_of: HashMap::new() };
        let level = self.pending.entry(variable).or_insert_with(empty);
        let Some(&class) = level.class_of.get(&state) else {
            let full = level.classes.len() >= self.bounds.per_level;
            if full || self.visited.states >= self.bounds.states {
                self.visited.all = false;
            } else {
                self.visited.states += 1;
                level.class_of.insert(state.clone(), level.classes.len());
                level.classes.push(Class { twins: vec![(state, path())], arrivals: 1 });
            }
            return;
        };
        let Class { twins, arrivals } = &mut level.classes[class];
        *arrivals += 1;
        if twins.len() < TWINS {
            twins.push((state, path()));
            return;
        }
        // The first and the last are kept, which often differ most: they were reached by the least
        // and by the greatest values. Between them is a sample by reservoir (Vitter, "Random
        // sampling with a reservoir", 1985).
        let last = twins.len() - 1;
        let previous = std::mem::replace(&mut twins[last], (state, path()));
        let place = 1 + self.draw.below(*arrivals - 1);
        if place < last {
            twins[place] = previous;
        }
    }
}

/// Fails if equal states have different hashes, among the states of a class and among the first
/// classes of a level.
fn check_distinct<S: DdSpec>(
    spec: &S,
    variable: usize,
    classes: &[Class<S::State>],
) -> Result<(), Violation> {
    let breach = |one: &S::State, other: &S::State| {
        let [one, other] = [one, other].map(|state| spec.describe(state));
        Err(Violation::HashesDiffer { variable, one, other })
    };
    // By chance a hash table finds an equal state in spite of another hash.
    let hasher = RandomState::new();
    for Class { twins, .. } in classes {
        let hash = |state| hasher.hash_one(state);
        let mut later = twins[1..].iter().map(|(twin, _)| twin);
        let first = &twins[0].0;
        if let Some(other) = later.find(|&twin| hash(twin) != hash(first)) {
            return breach(first, other);
        }
    }
    let states = || classes.iter().take(COMPARED).map(|class| &class.twins[0].0);
    for (after, one) in states().enumerate() {
        if let Some(other) = states().skip(after + 1).find(|&other| one == other) {
            return breach(one, other);
        }
    }
    Ok(())
}

/// Fails if different states have equal hashes, of 128 bits, so chance does not make them equal.
fn check_collisions<S: DdSpec>(
    spec: &S,
    variable: usize,
    classes: &[Class<S::State>],
) -> Result<(), Violation> {
    let hashers = [RandomState::new(), RandomState::new()];
    let mut by_hash = HashMap::new();
    for Class { twins, .. } in classes {
        let state = &twins[0].0;
        let hash = [0, 1].map(|which: usize| hashers[which].hash_one(state));
        if let Some(other) = by_hash.insert(hash, state).filter(|&other| other != state) {
            let [one, other] = [other, state].map(|state| spec.describe(state));
            return Err(Violation::HashesCollide { variable, one, other });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SpecExt;
    use std::ops::ControlFlow;

    /// A counter of variables that breaks its contract in one way.
    enum Broken {
        No,
        Root,
        Backwards,
        OutOfRange,
        LeavesOut,
        OtherState,
        Descends,
        OutsideArity,
        Invalid,
    }

    impl DdSpec for Broken {
        type State = usize;
        fn num_vars(&self) -> usize {
            4
        }
        fn arity(&self, _: usize) -> usize {
            3
        }
        fn root(&self) -> Step<usize> {
            match self {
                Broken::Root => Step::To(4, 0),
                _ => Step::To(0, 0),
            }
        }
        fn child(&self, &state: &usize, variable: usize, value: usize) -> Step<usize> {
            match self {
                Broken::Backwards if (variable, value) == (2, 1) => Step::To(1, state),
                Broken::OutOfRange if (variable, value) == (3, 2) => Step::To(9, state),
                _ if value == 0 => Step::Zero,
                _ if variable == 3 => Step::One,
                _ => Step::To(variable + 1, state + 1),
            }
        }
        fn for_each_child<B>(
            &self,
            state: &usize,
            variable: usize,
            mut visit: impl FnMut(usize, Step<usize>) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            // The 0-terminal at value 0 is reported: that is allowed.
            visit(0, self.child(state, variable, 0))?;
            match self {
                Broken::LeavesOut if variable == 1 => {}
                Broken::OtherState if variable == 1 => visit(1, Step::To(2, state + 7))?,
                Broken::Descends if variable == 1 => {
                    visit(2, self.child(state, variable, 2))?;
                    return visit(1, self.child(state, variable, 1));
                }
                _ => visit(1, self.child(state, variable, 1))?,
            }
            visit(2, self.child(state, variable, 2))?;
            if matches!(self, Broken::OutsideArity) && variable == 1 {
                visit(3, Step::One)?;
            }
            ControlFlow::Continue(())
        }
        fn validate(&self) -> Result<(), String> {
            match self {
                Broken::Invalid => Err("no such spec".to_owned()),
                _ => Ok(()),
            }
        }
        fn describe(&self, state: &usize) -> String {
            format!("#{state}")
        }
    }

    fn message(spec: &Broken) -> String {
        contract(spec, Rule::AnyValue, 100).unwrap_err().to_string()
    }

    #[test]
    fn a_sound_spec_passes() {
        assert_eq!(contract(&Broken::No, Rule::AnyValue, 100), Ok(()));
        assert_eq!(contract(&Broken::No, Rule::ZeroSuppressed, 0), Ok(()));
    }

    #[test]
    fn every_breach_is_reported_with_its_place() {
        assert_eq!(message(&Broken::Invalid), "the spec is invalid: no such spec");
        assert_eq!(
            message(&Broken::Root),
            "the root is at variable 4, but variables are 0..4 (state #0); \
             to start without variables return `Step::One` or `Step::Zero`"
        );
        assert_eq!(
            message(&Broken::Backwards),
            "value 1 of variable 2 leads backwards, to variable 1, from state #2; \
             a step must lead to a later variable"
        );
        assert_eq!(
            message(&Broken::OutOfRange),
            "value 2 of variable 3 leads to variable 9 from state #3, but variables are \
             0..4; after the last variable return `Step::One`"
        );
        assert_eq!(
            message(&Broken::LeavesOut),
            "at variable 1 in state #1, value 1: `child` returns state #2 at variable 2, \
             but `for_each_child` leaves it out"
        );
        assert_eq!(
            message(&Broken::OtherState),
            "at variable 1 in state #1, value 1: `child` returns state #2 at variable 2, \
             but `for_each_child` visits state #8 at variable 2"
        );
        assert_eq!(
            message(&Broken::Descends),
            "`for_each_child` visits value 1 after value 2, at variable 1 in state #1; \
             values must come in ascending order"
        );
        assert_eq!(
            message(&Broken::OutsideArity),
            "`for_each_child` visits value 3 of variable 1 in state #1, but that \
             variable takes values 0..3"
        );
    }

    /// A spec whose numbers of variables and values are out of range.
    #[derive(Clone)]
    struct Sizes {
        num_vars: usize,
        arity: usize,
    }

    impl DdSpec for Sizes {
        type State = ();
        fn num_vars(&self) -> usize {
            self.num_vars
        }
        fn arity(&self, _: usize) -> usize {
            self.arity
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
            Step::One
        }
    }

    #[test]
    fn limits_are_checked_before_all_variables_or_values_are_visited() {
        for (num_vars, arity, expected) in [
            (2, usize::MAX, "variable 0 has arity 18446744073709551615"),
            (2, 0, "variable 0 has arity 0"),
            (usize::MAX, 2, "2147483646"),
            (1 << 31, 2, "2147483646"),
        ] {
            let spec = Sizes { num_vars, arity };
            let error = contract(&spec, Rule::ZeroSuppressed, 9).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            let both = spec.clone().and(spec);
            let error = crate::count(&both).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn no_states_beyond_the_limit_are_visited() {
        // The breach is at the third state.
        assert_eq!(contract(&Broken::Backwards, Rule::AnyValue, 2), Ok(()));
        assert!(contract(&Broken::Backwards, Rule::AnyValue, 3).is_err());
    }

    /// A counter of members. The parameters determine whether `Eq` and `Hash` see the state.
    struct AtMost<const EQ: bool, const HASH: bool> {
        n: usize,
        k: usize,
    }

    #[derive(Clone, Copy, Debug)]
    struct Members<const EQ: bool, const HASH: bool>(usize);

    impl<const EQ: bool, const HASH: bool> PartialEq for Members<EQ, HASH> {
        fn eq(&self, other: &Self) -> bool {
            !EQ || self.0 == other.0
        }
    }

    impl<const EQ: bool, const HASH: bool> Eq for Members<EQ, HASH> {}

    impl<const EQ: bool, const HASH: bool> Hash for Members<EQ, HASH> {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            if HASH {
                self.0.hash(state);
            }
        }
    }

    impl<const EQ: bool, const HASH: bool> DdSpec for AtMost<EQ, HASH> {
        type State = Members<EQ, HASH>;
        fn num_vars(&self) -> usize {
            self.n
        }
        fn root(&self) -> Step<Self::State> {
            Step::To(0, Members(0))
        }
        fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
            let members = state.0 + value;
            if members > self.k {
                Step::Zero
            } else if variable + 1 == self.n {
                Step::One
            } else {
                Step::To(variable + 1, Members(members))
            }
        }
        fn describe(&self, state: &Self::State) -> String {
            format!("{} members", state.0)
        }
    }

    #[test]
    fn an_eq_that_ignores_relevant_facts_is_reported() {
        let error = contract(&AtMost::<false, false> { n: 3, k: 1 }, Rule::AnyValue, 100);
        assert_eq!(
            error.unwrap_err().to_string(),
            "equal states at variable 1 have different futures: value 1 leads from \
             0 members (by 0=0) to state 1 members at variable 2, but from \
             1 members (by 0=1) to the 0-terminal; equal states are merged, so `Eq` and \
             `Hash` must see all that the future depends on"
        );
        // The breach shows far below the level at which the states were first equal.
        for (n, k) in [(10, 5), (30, 15), (100, 45)] {
            let error = contract(&AtMost::<false, false> { n, k }, Rule::AnyValue, 1000);
            assert!(matches!(error, Err(Violation::EqualStatesDiffer { .. })), "{n} {k}");
            assert_eq!(contract(&AtMost::<true, true> { n, k }, Rule::AnyValue, 10_000), Ok(()));
            // A poor hash is no breach.
            assert_eq!(contract(&AtMost::<true, false> { n, k }, Rule::AnyValue, 100), Ok(()));
        }
    }

    #[test]
    fn different_hashes_of_equal_states_are_found() {
        let error = contract(&AtMost::<false, true> { n: 3, k: 2 }, Rule::AnyValue, 100);
        assert_eq!(
            error.unwrap_err().to_string(),
            "states 0 members and 1 members at variable 1 are equal, but `Hash` \
             differs; equal states must have equal hashes"
        );
    }

    #[test]
    fn a_long_path_is_dropped_without_recursion() {
        let spec = AtMost::<true, true> { n: 200_000, k: 0 };
        assert_eq!(contract(&spec, Rule::AnyValue, usize::MAX), Ok(()));
    }
}
