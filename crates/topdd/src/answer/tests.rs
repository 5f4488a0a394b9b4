//! Answers without a diagram equal those of the diagram.

use crate::check::strategies::specs;
use crate::query::testing::Modulo;
use crate::spec::JoinSpec;
use crate::{
    Best, BoxedSpec, BuildError, CancelToken, DdSpec, Diagram, Forced, Frontier, Goal, Portable,
    QueryError, Rule, SpecExt, Step, Weights,
};
use crate::{Objective, RunProperty, check};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

// The specs of the tests are boxed, so that the engine is compiled once for all of them.
fn boxed(spec: impl DdSpec<State: Portable> + Send + 'static) -> Frontier<'static> {
    Frontier::of_boxed(spec.boxed())
}

/// The weights of the values, of different sizes and signs.
fn weights(spec: &BoxedSpec<'_>, seed: u64) -> Weights<i64> {
    let mut random = seed | 1;
    Weights::from_fn(spec, |_, _| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 40).cast_signed() % 7 * [1, 6, -3][(seed % 3) as usize]
    })
}

fn odds(spec: &BoxedSpec<'_>) -> Weights<f64> {
    let of = |variable| {
        let arity = spec.arity(variable);
        let whole = (arity * (arity + 1) / 2) as f64;
        (1..=arity).map(|part| part as f64 / whole).collect::<Vec<_>>()
    };
    (0..spec.num_vars()).map(of).collect()
}

fn modulo(spec: &BoxedSpec<'_>) -> Modulo {
    Modulo(Weights::from_fn(spec, |variable, value| (variable * 31 + value * 17) as u64 % 1000))
}

/// All exact answers.
#[derive(Debug, PartialEq)]
struct Answers {
    count: BigUint,
    modulo: u64,
    by_weight: BTreeMap<i128, BigUint>,
    /// By the ranges of [`ranges`].
    within: [BTreeMap<i128, BigUint>; 3],
    best: [Option<Best>; 2],
    best_weights: [Option<i128>; 2],
    sum: u64,
}

const MODULUS: u64 = 97;

/// Ranges of totals near the least and the greatest weight of a solution, and between them.
fn ranges(extremes: [Option<i128>; 2]) -> [RangeInclusive<i128>; 3] {
    let [least, greatest] = extremes.map(Option::unwrap_or_default);
    [i128::MIN..=least + 25, greatest - 25..=i128::MAX, least + 5..=greatest - 5]
}

/// The answers of a diagram, and the probability.
fn of_diagram<R: crate::diagram::DiagramRule>(
    diagram: &Diagram<R>,
    weights: &Weights<i64>,
    odds: &Weights<f64>,
    modulo: &Modulo,
) -> (Answers, f64) {
    let count = diagram.count();
    let by_weight = diagram.count_by(weights).unwrap();
    let best = [diagram.minimum(weights).ok(), diagram.maximum(weights).ok()];
    let best_weights = [0, 1].map(|goal| best[goal].as_ref().map(|best| best.weight));
    let within = ranges(best_weights).map(|range| {
        let counts = by_weight.clone().into_iter();
        counts.filter(|(total, _)| range.contains(total)).collect()
    });
    let answers = Answers {
        modulo: (&count % MODULUS).try_into().unwrap(),
        count,
        within,
        by_weight,
        best_weights,
        best,
        sum: diagram.sum_product(modulo),
    };
    (answers, diagram.probability(odds).unwrap())
}

fn diagram_answers(spec: &BoxedSpec<'_>, rule: Rule, weights: &Weights<i64>) -> (Answers, f64) {
    let (odds, modulo) = (odds(spec), modulo(spec));
    match rule {
        Rule::ZeroSuppressed => of_diagram(&crate::zdd(spec).unwrap(), weights, &odds, &modulo),
        Rule::AnyValue => of_diagram(&crate::bdd(spec).unwrap(), weights, &odds, &modulo),
    }
}

/// The answers without a diagram. `frontier` sets the options of each sweep, from whether its states
/// have lists of counts.
fn answers<'a>(
    spec: &'a BoxedSpec<'a>,
    rule: Rule,
    weights: &Weights<i64>,
    frontier: &dyn Fn(Frontier<'a>, bool) -> Frontier<'a>,
) -> (Answers, f64) {
    let (next, next_list) =
        (|| frontier(Frontier::over(spec), false), || frontier(Frontier::over(spec), true));
    let goals = [Goal::Minimum, Goal::Maximum];
    let best = goals.map(|goal| next().best_under(rule, weights, goal).ok());
    let extremes = [0, 1].map(|goal| best[goal].as_ref().map(|best| best.weight));
    let answers = Answers {
        count: next().count_under(rule).unwrap(),
        modulo: next().count_modulo_under(rule, MODULUS).unwrap(),
        by_weight: next_list().count_by_under(rule, weights, ..).unwrap(),
        within: ranges(extremes)
            .map(|range| next_list().count_by_under(rule, weights, range).unwrap()),
        best,
        best_weights: goals.map(|goal| next().best_weight_under(rule, weights, goal).ok()),
        sum: next().sum_product_under(rule, &modulo(spec)).unwrap(),
    };
    (answers, next().probability_under(rule, &odds(spec)).unwrap())
}

fn assert_answers_equal_those_of_the_diagram(spec: &BoxedSpec<'_>, seed: u64) {
    let weights = weights(spec, seed);
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        let expected = diagram_answers(spec, rule, &weights);
        let found = answers(spec, rule, &weights, &|frontier, _| frontier.threads(1));
        assert_eq!(found.0, expected.0);
        assert!((found.1 - expected.1).abs() < 1e-9);
    }
}

proptest! {
    #[test]
    fn answers_equal_those_of_the_diagram(spec in specs(), seed: u64) {
        assert_answers_equal_those_of_the_diagram(&spec.boxed(), seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn answers_of_wide_levels_with_forced_states_equal_those_of_the_diagram(
        spec in wide(60..200, 4..20),
        seed: u64,
    ) {
        assert_answers_equal_those_of_the_diagram(&spec.boxed(), seed);
    }
}

/// Sequences whose states are residues. Some states are forced, dead, or skip variables.
#[derive(Clone, Debug)]
struct Residues {
    num_vars: usize,
    modulus: u32,
    seed: u32,
}

fn wide(
    moduli: std::ops::Range<u32>,
    num_vars: std::ops::Range<usize>,
) -> impl Strategy<Value = Residues> {
    (num_vars, moduli, 0..1000u32).prop_map(|(num_vars, modulus, seed)| Residues {
        num_vars,
        modulus,
        seed,
    })
}

impl Residues {
    /// The only value of a forced state; a value beyond the arity for a dead one.
    fn only(&self, state: u32, variable: usize) -> Option<usize> {
        match state % 5 {
            0 => Some((state / 5) as usize % self.arity(variable)),
            1 if state % 11 == 1 => Some(usize::MAX),
            _ => None,
        }
    }
}

impl DdSpec for Residues {
    type State = u32;

    fn num_vars(&self) -> usize {
        self.num_vars
    }

    fn arity(&self, variable: usize) -> usize {
        [2, 3, 2, 5, 1][variable % 5]
    }

    fn root(&self) -> Step<u32> {
        Step::To(1, self.seed % self.modulus)
    }

    fn child(&self, &state: &u32, variable: usize, value: usize) -> Step<u32> {
        if self.only(state, variable).is_some_and(|only| only != value) {
            return Step::Zero;
        }
        let next = (state * 7 + value as u32 * 13 + self.seed) % self.modulus;
        let skips = if next % 7 == 3 { next as usize % 4 } else { 0 };
        let to = variable + 1 + skips;
        match to < self.num_vars {
            true => Step::To(to, next),
            false if !next.is_multiple_of(3) => Step::One,
            false => Step::Zero,
        }
    }

    fn forced(&self, &state: &u32, variable: usize) -> Forced<u32> {
        match self.only(state, variable) {
            None => Forced::Free,
            Some(value) if value < self.arity(variable) => {
                Forced::Value(value, self.child(&state, variable, value))
            }
            Some(_) => Forced::Dead,
        }
    }
}

/// Returns a spec of wide levels.
fn large(num_vars: usize) -> BoxedSpec<'static> {
    Residues { num_vars, modulus: 4999, seed: 5 }.boxed()
}

#[test]
fn answers_are_the_same_for_any_number_of_threads_and_any_memory_limit() {
    let large = large(26);
    let weights = weights(&large, 1);
    let dir = tempfile::tempdir().unwrap();
    for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
        let expected = diagram_answers(&large, rule, &weights);
        for (threads, limited) in [(1, true), (3, false), (3, true)] {
            let found = answers(&large, rule, &weights, &|frontier, has_lists| {
                let frontier = frontier.threads(threads);
                let limit = if has_lists { 4 << 20 } else { 1 << 18 };
                if limited { frontier.memory_limit(limit).spill_to(dir.path()) } else { frontier }
            });
            assert_eq!(found.0, expected.0, "{rule}, {threads} threads, {limited}");
            assert!((found.1 - expected.1).abs() < 1e-9);
        }
    }
    // The limits are so low that states spill.
    let spilled = |frontier: &Frontier<'_>| frontier.report().peak_disk_bytes;
    let spilling = || Frontier::over(&large).threads(2).spill_to(dir.path());
    let mut frontier = spilling().memory_limit(4 << 20);
    frontier.count_by(&weights).unwrap();
    assert!(spilled(&frontier) > 1 << 20);
    let mut frontier = spilling().memory_limit(1 << 18);
    frontier.minimum(&weights).unwrap();
    assert!(spilled(&frontier) > 1 << 16);
}

/// Runs a question until it is cancelled at some level, and then again.
fn resumed<T: std::fmt::Debug + PartialEq, E: std::fmt::Debug + Into<QueryError>>(
    ask: impl Fn(&mut Frontier<'_>) -> Result<T, E>,
) -> T {
    let large = large(32);
    let dir = tempfile::tempdir().unwrap();
    let files = crate::file::Files::default();
    let cancel = CancelToken::new();
    let run = |cancel_at: Option<usize>| {
        let token = cancel.clone();
        let mut frontier = Frontier::over(&large)
            .checkpoint(dir.path(), "residues")
            .on_files(&files)
            .on_level(move |level| {
                if Some(level.variable) == cancel_at {
                    token.cancel();
                }
            });
        if cancel_at.is_some() {
            frontier = frontier.cancel_with(&cancel);
        }
        ask(&mut frontier)
    };
    let error = run(Some(20)).unwrap_err().into();
    assert!(matches!(error, QueryError::Build(BuildError::Cancelled { .. })), "{error}");
    // Another payload does not resume the checkpoint.
    let other = Weights::from_fn(&large, |_, value| value.cast_signed() as i64 * 12345);
    let mut frontier = Frontier::over(&large).checkpoint(dir.path(), "residues").on_files(&files);
    let error = frontier.count_by(&other).unwrap_err();
    let refused = |error: &QueryError| match error {
        QueryError::Build(BuildError::OtherCheckpoint { what, .. }) => {
            *what == RunProperty::Payload
        }
        _ => false,
    };
    assert!(refused(&error), "{error}");
    run(None).unwrap()
}

#[test]
fn cancelled_runs_resume_and_refuse_other_weights() {
    let large = large(32);
    let weights = weights(&large, 7);
    let (expected, chance) = diagram_answers(&large, Rule::ZeroSuppressed, &weights);
    assert_eq!(resumed(|frontier| frontier.count_by(&weights)), expected.by_weight);
    for (range, counts) in ranges(expected.best_weights).into_iter().zip(&expected.within) {
        let found = resumed(|frontier| frontier.count_by_within(&weights, range.clone()));
        assert_eq!(found, *counts);
    }
    assert_eq!(resumed(|frontier| frontier.minimum(&weights)), expected.best[0].clone().unwrap());
    assert_eq!(resumed(|frontier| frontier.maximum(&weights)), expected.best[1].clone().unwrap());
    assert_eq!(
        resumed(|frontier| frontier.minimum_weight(&weights)),
        expected.best_weights[0].unwrap()
    );
    assert_eq!(resumed(|frontier| frontier.count_modulo(MODULUS)), expected.modulo);
    assert_eq!(resumed(|frontier| frontier.sum_product(&modulo(&large))), expected.sum);
    assert_eq!(resumed(|frontier| frontier.count_under(Rule::ZeroSuppressed)), expected.count);
    let found = resumed(|frontier| frontier.probability(&odds(&large)));
    assert!((found - chance).abs() < 1e-9);
}

type Ask<'a> = &'a dyn Fn(&mut Frontier<'_>) -> Result<(), QueryError>;

/// A checkpoint of the same kind of answer is refused if its parameters differ.
#[test]
fn checkpoints_are_compared_by_weights_goal_and_modulus() {
    let large = large(20);
    let dir = tempfile::tempdir().unwrap();
    let files = crate::file::Files::default();
    let frontier = || Frontier::over(&large).checkpoint(dir.path(), "key").on_files(&files);
    let (first, second) = (weights(&large, 1), weights(&large, 2));
    let greatest = Frontier::over(&large).maximum_weight(&first).unwrap();
    let (semiring, mut other) = (modulo(&large), modulo(&large));
    other.0 = other.0.map(|weight| weight ^ 1);
    let questions: [Ask<'_>; 11] = [
        &|f| f.count_by(&first).map(drop),
        &|f| f.count_by(&second).map(drop),
        &|f| f.count_by_within(&first, ..=3).map(drop),
        &|f| f.count_by_within(&first, greatest..).map(drop),
        &|f| f.minimum_weight(&first).map(drop),
        &|f| f.minimum(&first).map(drop),
        &|f| f.maximum_weight(&first).map(drop),
        &|f| Ok(f.count_modulo(7).map(drop)?),
        &|f| Ok(f.count_modulo(8).map(drop)?),
        &|f| Ok(f.sum_product(&semiring).map(drop)?),
        &|f| Ok(f.sum_product(&other).map(drop)?),
    ];
    for (i, ask) in questions.iter().enumerate() {
        let mut kept = frontier().keep_checkpoint();
        ask(&mut kept).unwrap();
        let checkpoint = kept.take_checkpoint().unwrap();
        drop(kept);
        // The lock is free while no checkpoint is open.
        drop(checkpoint);
        for (j, ask) in questions.iter().enumerate() {
            let resumed = ask(&mut frontier().keep_checkpoint());
            assert_eq!(resumed.is_ok(), i == j, "{i} {j} {resumed:?}");
        }
        for file in std::fs::read_dir(dir.path()).unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
    }
}

/// All assignments to some two-valued variables.
struct All(usize);

impl DdSpec for All {
    type State = ();

    fn num_vars(&self) -> usize {
        self.0
    }

    fn root(&self) -> Step<()> {
        if self.0 == 0 { Step::One } else { Step::To(0, ()) }
    }

    fn child(&self, (): &(), variable: usize, _: usize) -> Step<()> {
        if variable + 1 == self.0 { Step::One } else { Step::To(variable + 1, ()) }
    }
}

#[test]
fn counts_by_weight_grow_beyond_a_word() {
    let spec = All(200).boxed();
    let sizes = Weights::of_ones(vec![1; 200]);
    let expected = crate::zdd(&spec).unwrap().count_by(&sizes).unwrap();
    assert_eq!(Frontier::over(&spec).count_by(&sizes).unwrap(), expected);
    assert!(expected[&100].bits() > 192);
}

#[test]
fn skipped_variables_take_all_values_with_their_weights() {
    /// The 1-terminal, past any number of variables.
    struct One(usize);
    impl DdSpec for One {
        type State = ();
        fn num_vars(&self) -> usize {
            self.0
        }
        fn root(&self) -> Step<()> {
            Step::One
        }
        fn child(&self, (): &(), _: usize, _: usize) -> Step<()> {
            Step::Zero
        }
    }
    let sizes = Weights::of_ones(vec![-2; 150]);
    let spec = One(150).boxed();
    let expected = crate::bdd(&spec).unwrap().count_by(&sizes).unwrap();
    let mut frontier = Frontier::over(&spec);
    assert_eq!(frontier.count_by_under(Rule::AnyValue, &sizes, ..).unwrap(), expected);
    assert_eq!(frontier.count_bdd().unwrap(), BigUint::from(2u32).pow(150));
    let best = frontier.best_under(Rule::AnyValue, &sizes, Goal::Minimum).unwrap();
    assert_eq!(best, Best { weight: -300, solution: vec![1; 150] });
    assert_eq!(frontier.minimum_weight(&sizes).unwrap(), 0);
}

#[test]
fn extreme_weights_do_not_overflow() {
    let spec = All(70).boxed();
    let weights: Weights<i64> = vec![vec![i64::MIN, i64::MAX]; 70].into();
    let least = i128::from(i64::MIN) * 70;
    let mut frontier = Frontier::over(&spec);
    assert_eq!(frontier.minimum_weight(&weights).unwrap(), least);
    let best = Best { weight: i128::from(i64::MAX) * 70, solution: vec![1; 70] };
    assert_eq!(frontier.maximum(&weights).unwrap(), best);
    // All differences have a common divisor.
    assert_eq!(frontier.count_by(&weights).unwrap().len(), 71);
    assert_eq!(frontier.count_by(&weights).unwrap()[&least], 1u32.into());
    let uneven = Weights::of_ones((0..70).map(|v| i64::MAX - v));
    let error = frontier.count_by(&uneven).unwrap_err();
    let most = (0..70).map(|v| i128::from(i64::MAX - v)).sum();
    match error {
        QueryError::TooManyTotals { least: 0, most: found, .. } => assert_eq!(found, most),
        error => panic!("{error}"),
    }
    assert_eq!(frontier.count_by_within(&uneven, ..=5).unwrap(), [(0, 1u32.into())].into());
    assert_eq!(frontier.count_by_within(&uneven, ..0).unwrap(), BTreeMap::new());
    // Only few totals are near the greatest, from which they are counted.
    assert_eq!(
        frontier.count_by_within(&uneven, most - 5..).unwrap(),
        [(most, 1u32.into())].into()
    );
    assert_eq!(frontier.count_by_within(&uneven, most + 1..).unwrap(), BTreeMap::new());
    let negative = Weights::of_ones((0..70).map(|v| v - i64::MAX));
    let found = frontier.count_by_within(&negative, -most..=5 - most).unwrap();
    assert_eq!(found, [(-most, 1u32.into())].into());
}

#[test]
fn lists_of_counts_beyond_the_memory_limit_are_refused_with_their_range() {
    let weights = Weights::of_ones([-1000, 1, 2, 100_000]);
    let error = boxed(All(4)).memory_limit(10_000).count_by(&weights).unwrap_err();
    let bytes = 10 * 8 * (1 + 101_004);
    let expected = QueryError::TooManyTotals { least: -1000, most: 100_003, bytes, limit: 10_000 };
    assert_eq!(error, expected);
    assert!(error.to_string().contains("-1000..=100003"), "{error}");
}

/// A sweep needs several copies of a list.
#[test]
fn lists_of_counts_that_fit_once_but_not_as_often_as_needed_are_refused() {
    let weights = Weights::of_ones([100_000_000, 1, 2, 3]);
    let error = boxed(All(4)).memory_limit(1 << 30).count_by(&weights).unwrap_err();
    assert!(matches!(error, QueryError::TooManyTotals { bytes: 8_000_000_640, .. }), "{error}");
    // Lists that are not refused fit in the limit.
    let weights = Weights::of_ones([100_000, 1, 2, 3]);
    let mut frontier = boxed(All(4)).memory_limit(8_100_000);
    assert_eq!(frontier.count_by(&weights).unwrap().len(), 14);
}

/// Placements of `n` rooks: the columns taken determine the sum of the columns.
struct Rooks(usize);

impl DdSpec for Rooks {
    type State = u32;

    fn num_vars(&self) -> usize {
        self.0
    }

    fn arity(&self, _: usize) -> usize {
        self.0
    }

    fn root(&self) -> Step<u32> {
        Step::To(0, 0)
    }

    fn child(&self, &taken: &u32, row: usize, column: usize) -> Step<u32> {
        match taken >> column & 1 {
            1 => Step::Zero,
            _ if row + 1 == self.0 => Step::One,
            _ => Step::To(row + 1, taken | 1 << column),
        }
    }
}

#[test]
fn lists_are_as_long_as_the_totals_of_a_state_differ() {
    let rooks = Rooks(13).boxed();
    let columns = Weights::from_fn(&rooks, |_, column| column.cast_signed() as i64);
    let mut frontier = Frontier::over(&rooks).threads(1);
    let expected = frontier.count().unwrap();
    let plain = frontier.report().peak_bytes;
    let counts = frontier.count_by(&columns).unwrap();
    assert_eq!(counts, [(78, expected)].into());
    // Twice the records of the plain count: the total, and the count. Before, 73 counts.
    assert!(frontier.report().peak_bytes < 3 * plain, "{plain}");
}

#[test]
fn weights_of_another_shape_are_refused() {
    let short = Weights::of_ones([1, 2, 3]);
    let error = boxed(All(4)).minimum_weight(&short).unwrap_err();
    assert_eq!(error, QueryError::WeightsLength { found: 3, num_vars: 4 });
    let odds = Weights::from(vec![vec![0.5, 0.6]; 4]);
    let error = boxed(All(4)).probability(&odds).unwrap_err();
    assert!(matches!(error, QueryError::BadProbability { variable: 0, .. }), "{error}");
}

#[test]
fn specs_without_solutions_have_no_best() {
    let none = All(3).and(All(3).not()).boxed();
    let weights = Weights::of_ones([1, 2, 3]);
    let mut frontier = Frontier::over(&none);
    assert_eq!(frontier.minimum_weight(&weights), Err(QueryError::NoSolutions));
    assert_eq!(frontier.maximum(&weights), Err(QueryError::NoSolutions));
    assert_eq!(frontier.count_by(&weights).unwrap(), BTreeMap::new());
    assert_eq!(frontier.count_modulo(5).unwrap(), 0);
    assert_eq!(boxed(All(0)).count_modulo(1).unwrap(), 0);
    let empty = Best { weight: 0, solution: Vec::new() };
    let no_weights = Weights::of_ones(Vec::new());
    assert_eq!(boxed(All(0)).minimum(&no_weights).unwrap(), empty);
}

/// The least possible encoding of the values: many variables of different arities.
#[test]
fn packed_values_are_read_back() {
    #[derive(Clone)]
    struct Exactly(Vec<(usize, usize)>);
    impl DdSpec for Exactly {
        type State = ();
        fn num_vars(&self) -> usize {
            self.0.len()
        }
        fn arity(&self, variable: usize) -> usize {
            self.0[variable].0
        }
        fn root(&self) -> Step<()> {
            Step::To(0, ())
        }
        fn child(&self, (): &(), variable: usize, value: usize) -> Step<()> {
            match value == self.0[variable].1 {
                false => Step::Zero,
                true if variable + 1 == self.0.len() => Step::One,
                true => Step::To(variable + 1, ()),
            }
        }
    }
    for step in [1, 3, 7, 11] {
        let arities = (0..300).map(|v| [2, 3, 1, 100, 70_000, 4][v * step % 6]);
        let spec =
            Exactly(arities.enumerate().map(|(v, arity)| (arity, v * 7919 % arity)).collect());
        let weights = Weights::from_fn(&spec, |_, value| value.cast_signed() as i64);
        let best = boxed(spec.clone()).minimum(&weights).unwrap();
        assert!(best.solution.iter().copied().eq(spec.0.iter().map(|of| of.1)));
        let total: usize = best.solution.iter().sum();
        assert_eq!(best.weight, total.cast_signed() as i128);
    }
}

/// Walks along a row of places, with the least price so far as the joined part: a walk goes on only
/// within `budget`.
struct Walks {
    steps: usize,
    prices: Vec<u8>,
    budget: u8,
}

impl JoinSpec for Walks {
    type State = usize;
    type Joined = u8;

    fn num_vars(&self) -> usize {
        self.steps
    }

    fn root(&self) -> Step<(usize, u8)> {
        Step::To(0, (0, 0))
    }

    fn child(&self, place: &usize, least: &u8, step: usize, right: usize) -> Step<(usize, u8)> {
        let price = self.prices[(step * 2 + right) % self.prices.len()];
        let least = least.saturating_add(price);
        if least > self.budget {
            Step::Zero
        } else if step + 1 == self.steps {
            Step::One
        } else {
            Step::To(step + 1, ((place + right) % 3, least))
        }
    }

    fn join(one: &u8, other: &u8) -> u8 {
        *one.min(other)
    }
}

proptest! {
    /// What is joined may come over edges whose totals are all too great.
    #[test]
    fn a_bound_of_totals_leaves_joined_parts_as_they_are(
        prices in prop::collection::vec(0u8..5, 1..9),
        budget in 0u8..20,
        weights in prop::collection::vec(prop::array::uniform2(-3i64..9), 6..=6),
        range in (-10i128..40, -10i128..40),
    ) {
        let walks = Walks { steps: 6, prices, budget };
        let weights: Weights<i64> = weights.into_iter().map(Vec::from).collect();
        let mut expected = Frontier::joining(&walks).count_by(&weights).unwrap();
        let all = Frontier::joining(&walks).zdd().unwrap().count_by(&weights).unwrap();
        prop_assert_eq!(&expected, &all);
        let (least, most) = range;
        expected.retain(|&total, _| least <= total && total <= most);
        let found = Frontier::joining(&walks).count_by_within(&weights, least..=most).unwrap();
        prop_assert_eq!(found, expected);
    }
}

/// Walks between places of a ring, one of which may be left out at each step; a step to the next place is free at times.
struct Ring {
    places: u64,
    steps: usize,
    seed: u64,
}

impl DdSpec for Ring {
    type State = u64;
    fn num_vars(&self) -> usize {
        self.steps
    }
    fn arity(&self, variable: usize) -> usize {
        2 + variable % 2
    }
    fn root(&self) -> Step<u64> {
        Step::To(0, 0)
    }
    fn child(&self, &place: &u64, variable: usize, value: usize) -> Step<u64> {
        let next = (3 * place + 1 + 5 * value as u64) % self.places;
        let hash = (place * 31 + variable as u64 * 17 + value as u64 * 7 + self.seed) % 11;
        let to = variable + 1 + usize::from(hash == 3);
        match hash {
            0 => Step::Zero,
            _ if to >= self.steps => Step::One,
            _ => Step::To(to, next),
        }
    }
}

impl Objective<Ring> for Ring {
    fn cost(&self, place: &u64, variable: usize, value: usize) -> i64 {
        let toll = (place * 7 + self.seed) % 5 + value as u64;
        toll.cast_signed() - i64::try_from(variable % 3).unwrap()
    }
    fn of_skipped(&self, _: usize) -> i64 {
        1
    }
    fn bound(&self, _: &u64, variable: usize, goal: Goal) -> Option<i128> {
        let rest = (self.steps - variable) as i128;
        Some(if goal == Goal::Minimum { -2 * rest } else { 6 * rest })
    }
}

/// The first of the best solutions by brute force.
fn best_of_ring(ring: &Ring, goal: Goal) -> Option<(i128, Vec<usize>)> {
    let solutions = check::brute_force(ring, Rule::ZeroSuppressed).unwrap();
    let weight = |solution: &Vec<usize>| {
        let (mut at, mut place, mut sum) = (0, 0, 0);
        loop {
            sum += i128::from(ring.cost(&place, at, solution[at]));
            let next = ring.child(&place, at, solution[at]);
            let to = if let Step::To(to, _) = next { to } else { ring.steps };
            sum += (at + 1..to).map(|skipped| i128::from(ring.of_skipped(skipped))).sum::<i128>();
            let Step::To(to, next) = next else { return sum };
            (at, place) = (to, next);
        }
    };
    let weighed = solutions.into_iter().map(|solution| (weight(&solution), solution));
    weighed.min_by_key(|(weight, solution)| (goal.cost(*weight), solution.clone()))
}

#[test]
fn best_of_an_objective_is_the_first_best_solution() {
    for seed in 0..40 {
        let ring = Ring { places: 7, steps: 9, seed };
        for goal in [Goal::Minimum, Goal::Maximum] {
            check::objective(&ring, &ring, goal, 1000).unwrap();
            let expected = best_of_ring(&ring, goal);
            for threads in 1..=3 {
                let mut frontier = Frontier::over(&ring).threads(threads);
                let best = match goal {
                    Goal::Minimum => frontier.minimize(&ring),
                    Goal::Maximum => frontier.maximize(&ring),
                };
                match (best, &expected) {
                    (Ok(best), Some((weight, solution))) => {
                        assert_eq!((best.weight, &best.solution), (*weight, solution));
                    }
                    (Err(QueryError::NoSolutions), None) => {}
                    (best, expected) => panic!("{best:?}, {expected:?}"),
                }
            }
        }
    }
}

#[test]
fn best_of_an_objective_spills_and_resumes() {
    let ring = Ring { places: 20_011, steps: 60, seed: 5 };
    let expected = Frontier::over(&ring).minimize(&ring).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut frontier = Frontier::over(&ring).memory_limit(1 << 21).spill_to(dir.path());
    assert_eq!(frontier.minimize(&ring).unwrap(), expected);
    assert!(frontier.report().levels.iter().any(|level| level.disk_bytes > 0));
    // Also after each level, the last one as well.
    for cancel_at in [1, 30, 59, 60] {
        let token = CancelToken::new();
        let cancel = token.clone();
        let start = || {
            let mut frontier = Frontier::over(&ring).checkpoint(dir.path(), "ring");
            frontier.engine.config.checkpoint_interval = Some(std::time::Duration::ZERO);
            frontier
        };
        let mut frontier = start().cancel_with(&token).on_level(move |level| {
            if level.variable == cancel_at {
                cancel.cancel();
            }
        });
        let first = frontier.minimize(&ring);
        if let Ok(best) = &first {
            assert_eq!((cancel_at, best), (60, &expected));
        }
        drop(frontier);
        assert_eq!(start().minimize(&ring).unwrap(), expected);
    }
}

#[test]
fn objectives_of_combinations_and_constants() {
    let profits = Weights::of_ones([4, -1, 7, 3, -2, 6]);
    let two = crate::constraint::at_most(6, 2);
    let both = two.clone().and(crate::constraint::at_least(6, 1));
    for (goal, weight) in [(Goal::Minimum, -3), (Goal::Maximum, 13)] {
        check::objective(&both, &profits, goal, 1000).unwrap();
        let mut frontier = Frontier::over(&both);
        let best = match goal {
            Goal::Minimum => frontier.minimize(&profits),
            Goal::Maximum => frontier.maximize(&profits),
        };
        let best = best.unwrap();
        assert_eq!(best.weight, weight);
        let expected = Frontier::over(&both).best_under(Rule::ZeroSuppressed, &profits, goal);
        assert_eq!(best, expected.unwrap());
    }
    let none = two.and(crate::constraint::at_least(6, 3));
    assert_eq!(Frontier::over(&none).minimize(&profits), Err(QueryError::NoSolutions));
    let token = CancelToken::new();
    token.cancel();
    let cancelled = Frontier::over(&both).cancel_with(&token).minimize(&profits);
    assert!(matches!(cancelled, Err(QueryError::Build(BuildError::Cancelled { .. }))));
}
