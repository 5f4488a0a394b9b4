use super::*;
use crate::Frontier;
use crate::query::testing::{Draw, both_rules, drawn, free};
use proptest::prelude::*;

proptest! {
    #[test]
    fn agrees_with_the_list_of_solutions(seed: u64) {
        both_rules!(check(seed));
    }
}

fn check<R: DiagramRule>(seed: u64) {
    let (diagram, solutions) = drawn::<R>(seed);
    let mut draw = Draw(seed);
    let weights = Weights::from_fn(&diagram, |_, _| draw.weight());
    let weigh = |solution: &[usize]| -> i128 {
        let weight = |(variable, &value)| i128::from(*weights.get(variable, value).unwrap());
        solution.iter().enumerate().map(weight).sum()
    };
    let all: Vec<Best> = solutions
        .iter()
        .map(|solution| Best { weight: weigh(solution), solution: solution.clone() })
        .collect();

    let mut distribution = std::collections::BTreeMap::new();
    for best in &all {
        *distribution.entry(best.weight).or_insert(BigUint::ZERO) += 1u32;
    }
    assert_eq!(diagram.count_by(&weights).unwrap(), distribution);

    for goal in [Goal::Minimum, Goal::Maximum] {
        let mut sorted = all.clone();
        sorted.sort_by_key(|best| (goal.cost(best.weight), best.solution.clone()));
        assert!(diagram.best(&weights, goal, usize::MAX).unwrap().eq(sorted.iter().cloned()));
        for k in [0, 1, 2, 5] {
            let mut found = diagram.best(&weights, goal, k).unwrap();
            for best in sorted.iter().take(k) {
                assert!(found.held() <= k);
                assert_eq!(found.next().as_ref(), Some(best));
            }
            assert_eq!(found.next(), None);
        }
        let first = sorted.first().cloned().ok_or(QueryError::NoSolutions);
        assert_eq!(
            diagram.best(&weights, goal, 1).unwrap().next().ok_or(QueryError::NoSolutions),
            first
        );
        let best = first.map(|first| distribution[&first.weight].clone());
        assert_eq!(diagram.count_best(&weights, goal), best);
    }

    let (a, b) = (draw.weight().into(), draw.weight().into());
    let expect = |found: Diagram<R>, keep: &dyn Fn(i128) -> bool| {
        let kept = solutions.iter().filter(|solution| keep(weigh(solution))).cloned();
        assert!(found.iter().eq(kept));
    };
    expect(diagram.within(&weights, a..=b).unwrap(), &|w| a <= w && w <= b);
    expect(diagram.within(&weights, ..b).unwrap(), &|w| w < b);
    expect(diagram.within(&weights, a..).unwrap(), &|w| a <= w);
    expect(diagram.within(&weights, a..b).unwrap(), &|w| a <= w && w < b);
    assert_eq!(diagram.within(&weights, ..).unwrap(), diagram);

    // Of large weights, nearly all sums differ.
    let weights = Weights::from_fn(&diagram, |_, _| {
        i64::try_from(draw.below(2_000_001)).unwrap() - 1_000_000
    });
    let mut draw = || draw.below(4_000_001) as i128 - 2_000_000;
    let (a, b) = (draw(), draw());
    let within = diagram.within(&weights, a..=b).unwrap();
    let spec = diagram.within_spec(&weights, a..=b).unwrap();
    assert_eq!(within, Frontier::over(&spec).diagram().unwrap());
    assert_eq!(within, diagram.within_with(&weights, a..=b, |sweep| sweep.threads(1)).unwrap());
    let weigh = |solution: &[usize]| -> i128 {
        let weight = |(variable, &value)| i128::from(*weights.get(variable, value).unwrap());
        solution.iter().enumerate().map(weight).sum()
    };
    let kept = solutions.iter().filter(|solution| (a..=b).contains(&weigh(solution)));
    assert!(within.iter().eq(kept.cloned()));
}

#[test]
fn sums_do_not_overflow() {
    let diagram = crate::bdd(&free(100)).unwrap();
    let weights = Weights::of_ones([i64::MIN; 100]);
    let best = diagram.minimum(&weights).unwrap();
    assert_eq!(best.weight, 100 * i128::from(i64::MIN));
    assert_eq!(best.solution, [1; 100]);
    assert_eq!(diagram.maximum(&weights).unwrap().weight, 0);
    assert!(diagram.within(&weights, i128::MAX..).unwrap().is_empty());
    assert!(diagram.within(&weights, ..i128::MIN).unwrap().is_empty());
    assert_eq!(diagram.within(&weights, 0..).unwrap().count(), 1u32.into());
}

#[test]
fn the_heap_is_bounded_by_the_solutions_to_come() {
    let diagram = crate::zdd(&free(60)).unwrap();
    let weights = Weights::of_ones(1..=60);
    let mut best = diagram.best(&weights, Goal::Maximum, 500).unwrap();
    for left in (0..500).rev() {
        best.next().unwrap();
        assert!(best.held() <= left);
    }
    assert_eq!(best.next(), None);
}

#[test]
fn weights_of_another_shape_are_refused() {
    let diagram = crate::zdd(&free(2)).unwrap();
    let short = QueryError::WeightsLength { found: 1, num_vars: 2 };
    let narrow = QueryError::WeightsArity { variable: 1, found: 3, arity: 2 };
    for (weights, error) in
        [(Weights::of_ones([1]), short), (Weights::from(vec![vec![1, 2], vec![1, 2, 3]]), narrow)]
    {
        assert_eq!(diagram.minimum(&weights), Err(error.clone()));
        assert_eq!(diagram.count_best(&weights, Goal::Maximum), Err(error.clone()));
        assert_eq!(diagram.best(&weights, Goal::Maximum, 2).unwrap_err(), error);
        assert_eq!(diagram.within(&weights, 0..), Err(error.clone()));
        assert_eq!(diagram.count_by(&weights), Err(error.clone()));
        assert_eq!(diagram.probability(&weights.map(|&w| w as f64)), Err(error));
    }
}
