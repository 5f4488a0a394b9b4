//! Bounded runs on public instances, and on problems with known counts.

#[allow(clippy::cast_possible_wrap, reason = "the numbers of the instances are small")]
mod models;

use models::{Apart, Cliques, Golomb, Knapsack, MaxSat, Queens, Roomier, Scenes, Tours};
use proptest::prelude::*;
use topdd::bounded::StopReason;
use topdd::{Bounded, Goal, Objective, Rule, SpecExt, Weights, check, constraint};

/// Proves a weight by a width, by the memory, and on several threads.
fn proves<S>(problem: &S, goal: Goal, weight: i128)
where
    S: Objective<S> + topdd::DdSpec,
{
    for (width, threads) in [(Some(20), 1), (Some(500), 2), (None, 1), (Some(500), 4)] {
        let mut run = Bounded::over(problem).threads(threads);
        if let Some(width) = width {
            run = run.width(width);
        }
        let best = match goal {
            Goal::Minimum => run.minimize(problem).unwrap(),
            Goal::Maximum => run.maximize(problem).unwrap(),
        };
        assert_eq!((best.weight(), best.bound()), (Some(weight), Some(weight)), "{best:?}");
        assert!(best.is_proven() && best.gap() == Some(0.0));
        let solution = best.solution().unwrap();
        let trace = check::trace(problem, Rule::ZeroSuppressed, solution).unwrap();
        assert!(trace.accepted(), "{solution:?}");
    }
}

#[test]
fn knapsacks_of_three_resources() {
    proves(&Knapsack::with_items(30), Goal::Maximum, 534);
    for (items, profit) in [(40, 723), (50, 870)] {
        let knapsack = Knapsack::with_items(items);
        let best = Bounded::over(&knapsack).memory_limit(200 << 20).maximize(&knapsack).unwrap();
        assert!(best.is_proven() && best.weight() == Some(profit));
    }
}

proptest! {
    #[test]
    fn random_knapsacks(
        items in proptest::collection::vec((1..40_i64, [1..20_i64, 1..20, 1..20]), 1..11),
        rooms in [10..70_i64, 10..70, 10..70],
        width in 1..8_usize,
        threads in 1..5_usize,
    ) {
        let (profits, uses): (Vec<i64>, Vec<[i64; 3]>) = items.into_iter().unzip();
        let knapsack = Knapsack { profits, uses, rooms };
        let profit = |packed: &[usize]| -> i128 {
            packed.iter().zip(&knapsack.profits).map(|(&taken, &profit)| i128::try_from(taken).unwrap() * i128::from(profit)).sum()
        };
        let packings = check::brute_force(&knapsack, Rule::ZeroSuppressed).unwrap();
        let most = packings.iter().map(|packed| profit(packed)).max();
        check::objective(&knapsack, &Roomier(&knapsack), Goal::Maximum, 2000).unwrap();
        let plain = |rooms: &[i64; 3], item: usize, taken: usize| knapsack.cost(rooms, item, taken);
        let run = || Bounded::over(&knapsack).width(width).threads(threads);
        for best in [
            run().maximize(&Roomier(&knapsack)).unwrap(),
            run().maximize(&knapsack).unwrap(),
            run().least().maximize(&plain).unwrap(),
        ] {
            prop_assert!(best.is_proven());
            prop_assert_eq!((best.weight(), best.bound()), (most, most));
            prop_assert_eq!(best.solution().map(profit), most);
        }
        let stopped = run().max_states(20).maximize(&Roomier(&knapsack)).unwrap();
        prop_assert!(stopped.weight().is_none_or(|weight| Some(weight) <= most));
        prop_assert!(stopped.bound().is_none_or(|bound| Some(bound) >= most));
    }
}

#[test]
fn orders_and_tours() {
    for (text, length) in [
        (include_str!("esc07.sop"), 2125),
        (include_str!("esc11.sop"), 2075),
        (include_str!("esc12.sop"), 1675),
    ] {
        proves(&Tours::of_sop(text), Goal::Minimum, length);
    }
    proves(&Tours::of_windows(include_str!("n20ft301.dat")), Goal::Minimum, 66160);
}

#[test]
fn scenes_rulers_and_clauses() {
    proves(&Scenes::parse(include_str!("film-10.txt")), Goal::Minimum, 352);
    for (marks, length) in [(5, 11), (6, 17), (7, 25)] {
        proves(&Golomb { marks, longest: 40 }, Goal::Minimum, length);
    }
    proves(&MaxSat::parse(include_str!("pass.wcnf")), Goal::Maximum, 54);
}

/// The graph of Johnson, J(8, 2, 4): pairs of eight numbers, of which disjoint ones are adjacent.
#[test]
fn cliques() {
    let pairs: Vec<(usize, usize)> = (0..8).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let disjoint = |&(i, j): &(usize, usize)| {
        let ((a, b), (c, d)) = (pairs[i], pairs[j]);
        a != c && a != d && b != c && b != d
    };
    let all = (0..28).flat_map(|j| (0..j).map(move |i| (i, j)));
    let edges: Vec<(usize, usize)> = all.filter(disjoint).collect();
    assert_eq!(edges.len(), 210);
    proves(&Cliques::new(28, &edges), Goal::Maximum, 4);
}

/// Costs that depend on the state are those of the solution.
#[test]
fn weights_are_those_of_the_solutions() {
    let tours = Tours::new(
        vec![vec![0, 2, 9, 4], vec![2, 0, 6, 3], vec![9, 6, 0, 8], vec![4, 3, 8, 0]],
        true,
    );
    for goal in [Goal::Minimum, Goal::Maximum] {
        let lengths =
            check::brute_force(&tours, Rule::ZeroSuppressed).unwrap().into_iter().map(|tour| {
                let towns: Vec<usize> = std::iter::once(0).chain(tour).chain([0]).collect();
                towns
                    .windows(2)
                    .map(|pair| i128::from(tours.distances[pair[0]][pair[1]]))
                    .sum::<i128>()
            });
        let closure = |place: &models::Place, at: usize, town: usize| tours.cost(place, at, town);
        let (best, expected) = match goal {
            Goal::Minimum => (Bounded::over(&tours).width(1).minimize(&tours), lengths.min()),
            // Merged places have the shortest distances, which are no bound of long tours.
            Goal::Maximum => (Bounded::over(&tours).maximize(&closure), lengths.max()),
        };
        let checked = check::objective(&tours, &closure, goal, 100);
        assert_eq!(checked.is_ok(), goal == Goal::Minimum, "{checked:?}");
        assert_eq!(best.unwrap().weight(), expected);
    }
}

#[test]
fn a_limit_is_no_error() {
    let knapsack = Knapsack::with_items(50);
    let mut better = Vec::new();
    let best = Bounded::over(&knapsack)
        .width(10)
        .max_states(3000)
        .on_better(|weight, _| better.push(weight))
        .maximize(&knapsack)
        .unwrap();
    assert!(matches!(best.reason(), StopReason::Limit(topdd::Limit::States(3000))), "{best:?}");
    assert!(best.weight().unwrap() <= 870 && best.bound().unwrap() >= 870 && !best.is_proven());
    assert!(best.gap().unwrap() > 0.0);
    assert!(better.is_sorted_by(|a, b| a < b) && better.last().copied() == best.weight());

    let small = Knapsack::with_items(26);
    let gap = Bounded::over(&small).width(10).gap(0.2).maximize(&small).unwrap();
    assert!(matches!(gap.reason(), StopReason::Gap) && gap.gap().unwrap() <= 0.2, "{gap:?}");
    // Without a width, narrow levels give a bound before the sweep.
    let exact = Bounded::over(&knapsack).maximize(&knapsack).unwrap();
    let soon = Bounded::over(&knapsack).gap(1.5).maximize(&knapsack).unwrap();
    assert!(matches!(soon.reason(), StopReason::Gap) && soon.bound().unwrap() >= 870, "{soon:?}");
    assert!(soon.report().states * 2 < exact.report().states, "{soon:?}, {exact:?}");
    let token = topdd::CancelToken::new();
    token.cancel();
    let cancelled = Bounded::over(&knapsack).cancel_with(&token).maximize(&knapsack).unwrap();
    assert_eq!((cancelled.reason(), cancelled.solution()), (&StopReason::Cancelled, None));
    // With little memory the deepest states come first, and few are open.
    let mut short = Bounded::over(&knapsack).width(2).memory_limit(2_000).max_states(20_000);
    let short = short.maximize(&knapsack).unwrap();
    assert!(matches!(short.reason(), StopReason::Limit(_)), "{short:?}");
    assert!(short.bound().unwrap() >= 870 && short.weight().unwrap() <= 870);
    assert!(std::panic::catch_unwind(|| Bounded::over(&knapsack).width(0)).is_err());
}

#[test]
fn runs_without_solutions_and_bad_specs() {
    let none = constraint::exactly(5, 2).and(constraint::exactly(5, 3));
    let best = Bounded::over(&none).width(1).minimize(&Weights::of_ones([1; 5])).unwrap();
    assert!(best.is_proven() && best.solution().is_none() && best.bound().is_none());
    let wrong = Bounded::over(&none).minimize(&Weights::of_ones([1; 4]));
    assert!(matches!(wrong, Err(topdd::QueryError::WeightsLength { .. })), "{wrong:?}");
    let panics = topdd::dp(3, 0u8).step(|_, at, _| if at == 1 { panic!("here") } else { Some(0) });
    let panics = panics.accept(|_| true);
    let error = Bounded::over(&panics).minimize(&|_: &u8, _, _| 1).unwrap_err();
    assert!(error.to_string().contains("here"), "{error}");
}

/// States without a merge are deferred, and levels stay narrow.
#[test]
fn states_that_do_not_merge_are_solved_later() {
    let all = topdd::dp(30, 0u64).step(|set, at, value| Some(set + ((value as u64) << at)));
    let all = all.accept(|_| true);
    let taken = |_: &u64, _: usize, value: usize| -> i64 { [1, 0][value] };
    let best = Bounded::over(&all).width(10).max_states(10_000).minimize(&taken).unwrap();
    assert!(best.report().states < 20_000, "{best:?}");
    let weights = Weights::of_ones([-1; 30]);
    let best = Bounded::over(&all).width(10).minimize(&weights).unwrap();
    assert_eq!((best.weight(), best.is_proven()), (Some(-30), true));
}

#[test]
fn bounds_of_counts_hold_on_both_sides() {
    let knapsack = Knapsack::with_items(22);
    let linear = constraint::linear([3; 14])
        .at_most(|at, value| [0, 1, 2][value] * [1, 2, 3, 4, 5][at % 5], 30);
    let different = constraint::all_different([9; 6]);
    let few = constraint::at_most(60, 9);
    bounds_hold(&knapsack);
    bounds_hold(&linear);
    bounds_hold(&different);
    bounds_hold(&few);
}

fn bounds_hold<S: topdd::DdSpec>(spec: &S)
where
    S::State: topdd::Portable,
{
    let count = topdd::count(spec).unwrap();
    for width in [2, 10, 100, 1_000_000] {
        let bounds = Bounded::over(spec).width(width).count_bounds().unwrap();
        let (lower, upper) = (bounds.lower(), bounds.upper().unwrap());
        assert!(*lower <= count && count <= *upper, "{width}: {bounds:?}, {count}");
    }
    let exact = Bounded::over(spec).width(1_000_000).count_bounds().unwrap();
    assert_eq!(exact.exact(), Some(&count));
    let expected: f64 = count.to_string().parse().unwrap();
    let within = (0..40).filter(|&seed| {
        let estimate = Bounded::over(spec).width(10).estimate_count(500, seed).unwrap();
        estimate.low <= expected && expected <= estimate.high
    });
    let within = within.count();
    assert!(within >= 32, "{within} of 40 hold {expected}");
}

/// Bounds of eight known counts at three widths, and how many of a hundred intervals hold each.
#[test]
#[ignore = "takes minutes: `cargo test --release --test suite eight_counts -- --ignored --nocapture`"]
fn bounds_of_eight_counts() {
    let words = constraint::linear([3; 40])
        .at_most(|at, value| [0, 1, 2][value] * [1, 2, 3, 4, 5, 6, 7][at % 7], 60);
    let rows: Vec<[Option<f64>; 3]> = vec![
        ratios("queens 12", &Queens { n: 12 }),
        ratios("independent sets of the 8 x 8 grid", &Apart { columns: 8, rows: 8 }),
        ratios("knapsack of 26", &Knapsack::with_items(26)),
        ratios("permutations of 14", &constraint::all_different([14; 14])),
        ratios("words of a sum", &words),
        ratios("12 of 40", &constraint::at_most(40, 12)),
        ratios("values 4 apart", &constraint::least_distance([7; 14], 4)),
        ratios(
            "numbers of values",
            &constraint::occurrences([4; 24], [(0, 4..=8), (1, 4..=8), (2, 4..=8)]),
        ),
    ];
    let near = rows.iter().filter(|ratios| ratios[2].is_some_and(|ratio| ratio <= 2.0)).count();
    assert!(near >= 5, "{near}");
}

/// The upper bound of a count over the lower one, at widths of 10, 10^3 and 10^5; `None` if the lower one is 0.
fn ratios<S: topdd::DdSpec<State: topdd::Portable>>(name: &str, spec: &S) -> [Option<f64>; 3] {
    let count = topdd::count(spec).unwrap();
    let ratios = [10, 1000, 100_000].map(|width| {
        let bounds = Bounded::over(spec).width(width).count_bounds().unwrap();
        let upper = bounds.upper().unwrap();
        assert!(
            *bounds.lower() <= count && count <= *upper,
            "{name}, {width}: {bounds:?}, {count}"
        );
        let [lower, upper]: [f64; 2] =
            [bounds.lower(), upper].map(|bound| bound.to_string().parse().unwrap());
        (lower > 0.0).then(|| upper / lower)
    });
    let expected: f64 = count.to_string().parse().unwrap();
    let holds = |&seed: &u64| {
        let estimate = Bounded::over(spec).width(1000).estimate_count(2000, seed).unwrap();
        estimate.low <= expected && expected <= estimate.high
    };
    let held = (0..100).filter(holds).count();
    println!("{name}: {count}, upper over lower {ratios:?}, {held} of 100 intervals");
    assert!(held >= 90, "{name}: {held}");
    ratios
}
