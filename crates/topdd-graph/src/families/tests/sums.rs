//! Bounds on sums of weights, compared with the sums of the solutions.

use super::*;
/// Numbers that look random, from `-bound` to `bound`.
fn scattered(count: usize, bound: i64) -> Vec<i64> {
    let number = |index: u64| (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    (0..count as u64)
        .map(|index| i64::try_from(number(index) % (2 * bound as u64 + 1)).unwrap() - bound)
        .collect()
}

/// Compares a family with bounds on a sum, built without the bounds first, with a sweep that has them and with the list
/// of the sets.
fn check<G: OfSets + Clone>(family: &GraphSets<G>, weights: &[i64]) {
    let sets: Vec<Vec<usize>> = family.zdd().unwrap().iter().collect();
    let sum = |set: &[usize]| set.iter().map(|&element| weights[element]).sum::<i64>();
    let sums: Vec<i64> = sets.iter().map(|set| sum(set)).collect();
    let (low, high) = (*sums.iter().min().unwrap(), *sums.iter().max().unwrap());
    let step = (high - low) / 4;
    for (least, most) in [
        (i64::MIN, low + step),
        (low + step, high - step),
        (high - step, i64::MAX),
        (high + 1, i64::MAX),
        (1, -1),
    ] {
        let rule = SubgraphConstraint::Weight { weights: weights.to_vec(), least, most };
        let bounded = family.clone().and(rule.clone());
        let expected = sums.iter().filter(|&&sum| (least..=most).contains(&sum)).count();
        assert_eq!(bounded.count().unwrap(), expected.into());
        // One bound has its sums in the values, the other in the states.
        let sizes = SubgraphConstraint::Size { least: 2, most: 6 };
        let with_sizes = sets
            .iter()
            .zip(&sums)
            .filter(|(set, sum)| (2..=6).contains(&set.len()) && (least..=most).contains(*sum));
        for both in
            [bounded.clone().and(sizes.clone()), family.clone().and(sizes).and(rule.clone())]
        {
            assert_eq!(both.count().unwrap(), with_sizes.clone().count().into());
        }
        let bounded = bounded.and(rule);
        assert_eq!(bounded.count().unwrap(), expected.into());
        let built = bounded.zdd().unwrap();
        assert_eq!(built.diagram(), &bounded.frontier().unwrap().zdd().unwrap());
        assert!(built.iter().all(|set| (least..=most).contains(&sum(&set))));
        assert_eq!(built.count(), expected.into());
    }
}

#[test]
fn bounds_on_sums_keep_the_sets_with_these_sums() {
    let grid = Graph::grid(3, 4);
    let families = [
        spanning_trees(&grid),
        forests(&grid).and(at_most(6)),
        matchings(&grid),
        paths(&grid, 0, 11),
        cycles(&grid),
        EdgeSets::all(&grid).and(at_most(5)),
    ];
    for family in families {
        for bound in [1, 20, 1_000_000] {
            check(&family, &scattered(grid.num_edges(), bound));
        }
    }
    let grid = Graph::grid(4, 4);
    for family in
        [independent_sets(&grid), dominating_sets(&grid), VertexSets::all(&grid).and(at_most(3))]
    {
        for bound in [1, 1_000_000] {
            check(&family, &scattered(16, bound));
        }
    }
}

/// The sweep of all paths is long. That of the shortest paths is short.
#[test]
fn tight_bounds_are_kept_in_the_sweep() {
    let grid = Graph::grid(10, 10);
    let mut weights = vec![1000; grid.num_edges()];
    weights[0] = 999;
    let rule = SubgraphConstraint::Weight { weights, least: 0, most: 18 * 1000 - 1 };
    // Of 18 steps, the first is fixed, and 8 or 9 of the others go down.
    let shortest = paths(&grid, 0, 99).and(rule);
    assert_eq!(shortest.count().unwrap(), 24310u32.into());
    // The limit stops the sweep without the bounds.
    let small = shortest.count_with(|sweep| sweep.memory_limit(4 << 20));
    assert_eq!(small.unwrap().0, 24310u32.into());
}

/// Counts by sum leave the sums out of the states, where lists are short. They take longer if many sums are possible, and
/// few occur.
#[test]
fn sums_are_values_where_lists_are_short() {
    let grid = Graph::grid(5, 5);
    let states = |family: &EdgeSets| family.frontier().unwrap().profile().unwrap().states();
    let all = spanning_trees(&grid);
    let weights: Vec<i64> = (0..40).map(|edge| 1 + edge * 37 % 90).collect();
    let bounded = all.clone().and(cost_at_most(weights.clone(), 900));
    let (count, report) = bounded.count_with(|sweep| sweep).unwrap();
    // Some states have greater sums only.
    assert!(count == 9_927_975_u32.into() && report.states() <= states(&all), "{report}");
    assert!(states(&bounded) > 20 * report.states());
    // The same from the greatest sum.
    let least = cost_at_least(weights.iter().map(|weight| -weight).collect::<Vec<_>>(), -900);
    let (count, report) = all.clone().and(least).count_with(|sweep| sweep).unwrap();
    assert!(count == 9_927_975_u32.into() && report.states() <= states(&all), "{report}");
    // A common divisor shortens the lists.
    let hours: Vec<i64> = weights.iter().map(|weight| 3_600_000_000 * weight).collect();
    let divided = all.clone().and(cost_at_most(hours, 900 * 3_600_000_000));
    assert!(divided.count_with(|sweep| sweep).unwrap().1.states() <= states(&all));
    // The lists would be too long.
    let small = spanning_trees(&Graph::grid(3, 4));
    let large: Vec<i64> = scattered(17, 1 << 40).iter().map(|weight| weight.abs()).collect();
    let sum = large.iter().sum::<i64>() / 2;
    let bounded = small.and(cost_at_most(large, sum));
    let count = bounded.count_with(|sweep| sweep.memory_limit(1 << 20)).unwrap().0;
    assert_eq!(count, bounded.frontier().unwrap().count().unwrap());
}

#[test]
fn a_count_that_meets_a_limit_on_states_keeps_the_bound_in_them() {
    let few = forests(&Graph::grid(6, 6)).and(at_most(1));
    let most = few.frontier().unwrap().profile().unwrap().states();
    let all = forests(&Graph::grid(6, 6)).frontier().unwrap().profile().unwrap().states();
    assert!(most < all);
    let (count, report) = few.count_with(|sweep| sweep.max_states(most)).unwrap();
    assert!(count == 61_u32.into() && report.states() <= most, "{count}");
}

/// The order is for the few edges on short enough paths: with the others, the frontier would be wider.
#[test]
fn bounds_on_paths_exclude_edges_also_as_values() {
    let grid = Graph::grid(30, 30);
    let short = paths(&grid, 0, 62).and(at_most(4)).and(at_least(1));
    let (count, report) = short.count_with(|sweep| sweep).unwrap();
    assert!(count == 6_u32.into() && report.states() < 100, "{count}, {report}");
}

#[test]
fn limits_hold_for_all_sweeps_of_a_family_with_bounds() {
    let grid = Graph::grid(5, 5);
    let rule = cost_at_most(scattered(grid.num_edges(), 1_000_000), 0);
    let token = topdd::CancelToken::new();
    let bounded = spanning_trees(&grid).and(rule);
    let (built, report) = bounded.zdd_with(|sweep| sweep.cancel_with(&token)).unwrap();
    assert_eq!((built.count(), report.states() > 500), (bounded.count().unwrap(), true));
    let bytes = bounded.zdd_with(|sweep| sweep.memory_limit(1 << 12)).unwrap_err();
    assert!(matches!(bytes, FamilyError::Build(topdd::BuildError::LimitReached { .. })), "{bytes}");
    let time = bounded.count_with(|sweep| sweep.time_limit(std::time::Duration::ZERO)).unwrap_err();
    assert!(matches!(time, FamilyError::Build(topdd::BuildError::LimitReached { .. })), "{time}");
    token.cancel();
    let stopped = bounded.count_with(|sweep| sweep.cancel_with(&token)).unwrap_err();
    assert!(
        matches!(stopped, FamilyError::Build(topdd::BuildError::Cancelled { .. })),
        "{stopped}"
    );
}
