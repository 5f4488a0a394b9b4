//! Specs with a joined part of the state, against a simulation of the level-by-level procedure: under both
//! rules, with any number of threads, within limits and resumed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use topdd::spec::JoinSpec;
use topdd::{BigUint, BuildError, CancelToken, Diagram, Frontier, Goal, Rule, Step, Weights};

/// A pseudo-random spec with long edges. The joined part is the least cost of a way and the number of
/// ways (so `join` is not idempotent), and both decide which values are allowed.
#[derive(Clone, Debug)]
struct Random {
    levels: usize,
    width: u64,
    seed: u64,
    /// The cost that is allowed for each variable; its average is 3.5.
    budget: u32,
    /// The part of the states that repeats the number, so that small runs need many bytes.
    ballast: usize,
}

/// The least cost, the number of ways modulo 2^16, and as many bytes as the cost modulo 4.
type Joined = (u32, u16, Vec<u8>);

fn mix(words: &[u64]) -> u64 {
    words.iter().fold(0x243f_6a88_85a3_08d3, |mixed, word| {
        let mut z = (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 29)
    })
}

fn joined(cost: u32, ways: u16) -> Joined {
    (cost, ways, vec![7; cost as usize % 4])
}

impl JoinSpec for Random {
    type State = Vec<u64>;
    type Joined = Joined;

    fn num_vars(&self) -> usize {
        self.levels
    }

    fn arity(&self, variable: usize) -> usize {
        2 + variable % 2
    }

    fn root(&self) -> Step<(Vec<u64>, Joined)> {
        Step::To(0, (vec![0; self.ballast], joined(0, 1)))
    }

    fn child(
        &self,
        state: &Vec<u64>,
        (cost, ways, _): &Joined,
        variable: usize,
        value: usize,
    ) -> Step<(Vec<u64>, Joined)> {
        let draw = mix(&[self.seed, state[0], variable as u64, value as u64]);
        let cost = cost + (draw % 8) as u32;
        if cost > self.budget * variable as u32 + 5 || ways % 8 == (draw >> 8) as u16 % 16 {
            return Step::Zero;
        }
        let skipped = if (draw >> 16).is_multiple_of(4) { (draw >> 20) as usize % 3 } else { 0 };
        let to = variable + 1 + skipped;
        if to >= self.levels {
            return Step::One;
        }
        Step::To(to, (vec![(draw >> 24) % self.width; self.ballast], joined(cost, *ways)))
    }

    fn join(one: &Joined, other: &Joined) -> Joined {
        joined(one.0.min(other.0), one.1.wrapping_add(other.1))
    }
}

/// Returns the solutions of the level-by-level procedure, in order.
fn simulate(spec: &Random, rule: Rule) -> Vec<Vec<usize>> {
    type Way = Vec<usize>;
    /// For each state the joined part and the ways to it, with the skipped variables.
    type Level = BTreeMap<Vec<u64>, (Joined, Vec<Way>)>;
    let mut levels: BTreeMap<usize, Level> = BTreeMap::new();
    let mut solutions = Vec::new();
    let mut arrive = |levels: &mut BTreeMap<usize, Level>, ways: Vec<Way>, step| {
        let (to, target) = match step {
            Step::Zero => return,
            Step::One => (spec.levels, None),
            Step::To(to, target) => (to, Some(target)),
        };
        let mut ways = ways;
        while ways.first().is_some_and(|way| way.len() < to) {
            let arity = if rule == Rule::AnyValue { spec.arity(ways[0].len()) } else { 1 };
            let longer = |way: Way| (0..arity).map(move |value| [&way[..], &[value]].concat());
            ways = ways.into_iter().flat_map(longer).collect();
        }
        let Some((state, part)) = target else {
            solutions.extend(ways);
            return;
        };
        let at = levels.entry(to).or_default();
        match at.remove(&state) {
            None => at.insert(state, (part, ways)),
            Some((before, mut all)) => {
                all.extend(ways);
                at.insert(state, (Random::join(&before, &part), all))
            }
        };
    };
    arrive(&mut levels, vec![Vec::new()], spec.root());
    while let Some((variable, states)) = levels.pop_first() {
        for (state, (part, ways)) in states {
            for value in 0..spec.arity(variable) {
                let step = spec.child(&state, &part, variable, value);
                let ways = ways.iter().map(|way| [&way[..], &[value]].concat()).collect();
                arrive(&mut levels, ways, step);
            }
        }
    }
    solutions.sort();
    solutions
}

fn build<R: DiagramRule>(spec: &Random) -> Diagram<R> {
    Frontier::joining(spec).threads(1).diagram().unwrap()
}

#[test]
fn random_specs_have_the_solutions_of_the_procedure() {
    let (mut solutions, mut skipping) = (0, 0);
    for seed in 0..300 {
        let levels = 1 + seed as usize % 9;
        let spec = Random { levels, width: 1 + seed % 5, seed, budget: 2, ballast: 1 };
        let zdd = build::<ZeroSuppressed>(&spec);
        let bdd = build::<AnyValue>(&spec);
        let [in_zdd, in_bdd] =
            [Rule::ZeroSuppressed, Rule::AnyValue].map(|rule| simulate(&spec, rule));
        assert!(zdd.iter().eq(in_zdd.iter().cloned()), "{spec:?}");
        assert!(bdd.iter().eq(in_bdd.iter().cloned()), "{spec:?}");
        assert_eq!(Frontier::joining(&spec).count(), Ok(in_zdd.len().into()));
        assert_eq!(Frontier::joining(spec).count_bdd(), Ok(in_bdd.len().into()));
        solutions += in_zdd.len();
        skipping += usize::from(in_zdd != in_bdd);
    }
    assert!(solutions > 5000 && skipping > 50, "{solutions} {skipping}");
}

/// Large enough to be shared among threads and to spill.
fn large() -> Random {
    Random { levels: 20, width: 8_000, seed: 9, budget: 3, ballast: 12 }
}

fn results(mut frontier: Frontier<'_>) -> Result<(Diagram<AnyValue>, BigUint), BuildError> {
    Ok((frontier.bdd()?, frontier.count()?))
}

#[test]
fn threads_limits_and_spilling_do_not_change_the_result() {
    let spec = large();
    let expected = results(Frontier::joining(&spec).threads(1)).unwrap();
    let mut frontier = Frontier::joining(&spec);
    let widest = frontier.profile().unwrap().levels.iter().map(|level| level.states).max();
    assert!(widest > Some(4_000), "{widest:?}");
    for threads in [2, 4] {
        assert_eq!(results(Frontier::joining(&spec).threads(threads)).unwrap(), expected);
    }
    let dir = tempfile::tempdir().unwrap();
    for (limit, threads) in [(2 << 20, 1), (2 << 20, 2), (1 << 20, 2)] {
        let mut limit = limit;
        let mut frontier;
        let found = loop {
            frontier =
                Frontier::joining(&spec).threads(threads).memory_limit(limit).spill_to(dir.path());
            match frontier.bdd() {
                Err(BuildError::LimitTooSmall { least, .. }) => limit = least,
                found => break found,
            }
        };
        assert_eq!(found.as_ref(), Ok(&expected.0));
        assert!(frontier.report().peak_disk_bytes > 1 << 20, "{}", frontier.report());
        assert_eq!(frontier.count().as_ref(), Ok(&expected.1));
    }
}

#[test]
fn answers_without_a_diagram_are_those_of_the_diagram() {
    let spec = large();
    let bdd = build::<AnyValue>(&spec);
    let weights =
        Weights::from_fn(&bdd, |variable, value| i64::try_from(variable * value % 5).unwrap());
    let dir = tempfile::tempdir().unwrap();
    for (limit, threads) in [(None, 1), (Some(6 << 20), 2)] {
        let mut frontier = Frontier::joining(&spec).threads(threads);
        if let Some(limit) = limit {
            frontier = frontier.memory_limit(limit).spill_to(dir.path());
        }
        let by_weight = frontier.count_by_under(Rule::AnyValue, &weights, ..).unwrap();
        assert_eq!(by_weight, bdd.count_by(&weights).unwrap());
        if limit.is_some() {
            assert!(frontier.report().peak_disk_bytes > 1 << 20, "{}", frontier.report());
        }
        let best = frontier.best_under(Rule::AnyValue, &weights, Goal::Maximum).unwrap();
        assert_eq!(best.weight, bdd.maximum(&weights).unwrap().weight);
        assert!(bdd.contains(&best.solution).unwrap());
        let values = best.solution.iter().enumerate();
        let total: i64 = values.map(|(v, &value)| *weights.get(v, value).unwrap()).sum();
        assert_eq!(i128::from(total), best.weight);
    }
}

#[test]
fn a_run_at_its_limit_of_states_or_time_is_an_error() {
    let spec = large();
    let states = Frontier::joining(&spec).max_states(5_000).count();
    assert!(matches!(states, Err(BuildError::LimitReached { .. })), "{states:?}");
    let time = Frontier::joining(&spec).time_limit(Duration::ZERO).count();
    assert!(matches!(time, Err(BuildError::LimitReached { .. })), "{time:?}");
    let token = CancelToken::new();
    token.cancel();
    let cancelled = Frontier::joining(&spec).cancel_with(&token).count();
    assert!(matches!(cancelled, Err(BuildError::Cancelled { .. })), "{cancelled:?}");
}

#[test]
fn a_stopped_run_resumes_with_the_same_result() {
    let spec = large();
    let expected = results(Frontier::joining(&spec)).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let resumed = AtomicUsize::new(0);
    let run = |states: u64| {
        let mut first = true;
        // A checkpoint is due after some time.
        let wait = |_: &topdd::LevelReport| {
            if std::mem::take(&mut first) {
                resumed.fetch_add(1, Ordering::Relaxed);
            }
            std::thread::sleep(std::time::Duration::from_millis(30));
        };
        let frontier = Frontier::joining(&spec).checkpoint(dir.path(), "joined").on_level(wait);
        frontier.max_states(states).bdd()
    };
    let mut limit = 5_000;
    let bdd = loop {
        match run(limit) {
            Err(BuildError::LimitReached { .. }) => limit += 15_000,
            result => break result.unwrap(),
        }
    };
    assert_eq!(bdd, expected.0);
    assert!(resumed.into_inner() > 2, "stopped too late");
}

/// Boxes of cost and gain: the cheapest ways to each gain, and the ways that meet them.
struct Cheapest {
    boxes: Vec<(u32, u32)>,
    budget: u32,
}

impl JoinSpec for Cheapest {
    type State = u32; // the gain
    type Joined = u32; // the least cost
    fn num_vars(&self) -> usize {
        self.boxes.len()
    }
    fn root(&self) -> Step<(u32, u32)> {
        Step::To(0, (0, 0))
    }
    fn child(&self, gain: &u32, cost: &u32, v: usize, taken: usize) -> Step<(u32, u32)> {
        let (price, more) = self.boxes[v];
        let cost = cost + price * taken as u32;
        if cost > self.budget {
            Step::Zero
        } else if v + 1 == self.boxes.len() {
            Step::One
        } else {
            Step::To(v + 1, (gain + more * taken as u32, cost))
        }
    }
    fn join(one: &u32, other: &u32) -> u32 {
        *one.min(other)
    }
}

#[test]
fn the_best_solution_survives_pruning_by_the_best_cost_so_far() {
    for seed in 0..40 {
        let boxes: Vec<(u32, u32)> = (0..14)
            .map(|i| (mix(&[seed, i]) as u32 % 20 + 1, mix(&[i, seed]) as u32 % 9 + 1))
            .collect();
        let value = |set: &[usize], part: fn(&(u32, u32)) -> u32| -> u32 {
            boxes.iter().zip(set).map(|(one, &taken)| part(one) * taken as u32).sum()
        };
        let budget = 60;
        let zdd = Frontier::joining(Cheapest { boxes: boxes.clone(), budget }).zdd().unwrap();
        let all = (0..1usize << 14).map(|bits| (0..14).map(|v| bits >> v & 1).collect::<Vec<_>>());
        let within: Vec<Vec<usize>> = all.filter(|set| value(set, |b| b.0) <= budget).collect();
        // Nothing within the budget is lost.
        assert!(within.iter().all(|set| zdd.contains(set).unwrap()));
        assert!(zdd.count() >= within.len().into());
        // States have the gain alone, so that the widths of the levels are at most 14 * 9.
        let mut frontier = Frontier::joining(Cheapest { boxes: boxes.clone(), budget });
        let levels = &frontier.profile().unwrap().levels;
        assert!(levels.iter().all(|level| level.states <= 14 * 9));
    }
}

#[test]
fn a_broken_contract_is_reported_with_both_parts_of_the_state() {
    struct Back;
    impl JoinSpec for Back {
        type State = u8;
        type Joined = u8;
        fn num_vars(&self) -> usize {
            2
        }
        fn root(&self) -> Step<(u8, u8)> {
            Step::To(0, (3, 4))
        }
        fn child(&self, _: &u8, _: &u8, _: usize, _: usize) -> Step<(u8, u8)> {
            Step::To(0, (3, 4))
        }
        fn join(one: &u8, other: &u8) -> u8 {
            *one.min(other)
        }
    }
    let error = Frontier::joining(Back).count().unwrap_err().to_string();
    assert!(error.contains("value 0 of variable 0") && error.contains("state: (3, 4)"), "{error}");
}
