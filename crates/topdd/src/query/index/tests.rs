use super::*;
use crate::query::testing::{both_rules, drawn, free};
use crate::{Bdd, SpecExt, Zdd};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;

proptest! {
    #[test]
    fn agrees_with_the_list_of_solutions(seed: u64) {
        both_rules!(check(seed));
    }
}

fn check<R: DiagramRule>(seed: u64) {
    let (diagram, solutions) = drawn::<R>(seed);
    let index = diagram.index();
    assert_eq!(*index.count(), solutions.len().into());
    for (rank, solution) in solutions.iter().enumerate() {
        let rank = BigUint::from(rank);
        assert_eq!(index.nth(&rank).unwrap(), *solution);
        assert_eq!(index.rank(solution).unwrap(), Some(rank));
    }
    let count = index.count().clone();
    let beyond = QueryError::RankOutOfRange { rank: count.clone(), count: count.clone() };
    assert_eq!(index.nth(&count).unwrap_err(), beyond);
    assert_eq!(index.iter_from(&count).unwrap_err(), beyond);
    assert_eq!(index.iter_back_from(&count).unwrap_err(), beyond);
    // Assignments that are no solutions have no rank, and can be the start of an iterator.
    let mut assignment = vec![0; diagram.num_vars()];
    loop {
        let at = solutions.binary_search(&assignment);
        assert_eq!(index.rank(&assignment).unwrap(), at.ok().map(BigUint::from));
        let after = solutions.partition_point(|solution| *solution < assignment);
        let up = diagram.iter_from(&assignment).unwrap();
        assert!(up.eq(solutions[after..].iter().cloned()));
        let before = solutions.partition_point(|solution| *solution <= assignment);
        let down = diagram.iter_back_from(&assignment).unwrap();
        assert!(down.eq(solutions[..before].iter().rev().cloned()));
        let Some(last) =
            (0..assignment.len()).rev().find(|&v| assignment[v] + 1 < diagram.arity(v))
        else {
            break;
        };
        assignment[last] += 1;
        assignment[last + 1..].fill(0);
    }
    if let Some(middle) = (solutions.len() / 2).checked_sub(1) {
        let rank = BigUint::from(middle);
        assert!(index.iter_from(&rank).unwrap().eq(solutions[middle..].iter().cloned()));
        let back = index.iter_back_from(&rank).unwrap();
        assert!(back.eq(solutions[..=middle].iter().rev().cloned()));
    }
    // From both ends in turn, every solution once.
    let (mut ends, mut expected) = (diagram.iter(), solutions.iter());
    for step in seed.. {
        let (found, wanted) = match step % 3 {
            0 => (ends.next_back(), expected.next_back()),
            _ => (ends.next(), expected.next()),
        };
        assert_eq!(found.as_ref(), wanted);
        if wanted.is_none() {
            break;
        }
    }
    let mut rng = StdRng::seed_from_u64(seed);
    match index.sample(&mut rng) {
        Ok(solution) => assert!(solutions.contains(&solution)),
        Err(error) => assert!(solutions.is_empty() && error == QueryError::NoSolutions),
    }
    let mut half = index.sample_distinct(solutions.len() / 2, &mut rng).unwrap();
    half.dedup();
    assert_eq!(half.len(), solutions.len() / 2);
    assert!(half.is_sorted() && half.iter().all(|solution| solutions.contains(solution)));
    assert_eq!(index.sample_distinct(solutions.len(), &mut rng).unwrap(), solutions);
    let wanted = solutions.len() + 1;
    let error = index.sample_distinct(wanted, &mut rng).unwrap_err();
    assert_eq!(error, QueryError::TooFewSolutions { wanted, count });
}

#[test]
fn ranks_beyond_128_bits() {
    fn check<R: DiagramRule>(diagram: &Diagram<R>) {
        let index = diagram.index();
        let rank = BigUint::from(3u32).pow(150);
        let solution = index.nth(&rank).unwrap();
        let bits = (0..300).rev().map(|bit| usize::from(rank.bit(bit)));
        assert!(solution.iter().copied().eq(bits));
        assert_eq!(index.rank(&solution).unwrap(), Some(rank.clone()));
        let next = index.iter_from(&rank).unwrap().nth(1).unwrap();
        assert_eq!(index.rank(&next).unwrap(), Some(rank + 1u32));
    }
    let (zdd, bdd): (Zdd, Bdd) = (crate::zdd(&free(300)).unwrap(), crate::bdd(&free(300)).unwrap());
    check(&zdd);
    check(&bdd);
}

/// Pearson's test: samples fall into classes of known probability; a biased generator or descent
/// makes the sum of squared deviations far larger than its mean.
#[test]
fn samples_are_uniform_beyond_64_bits() {
    // 3^70 assignments: beyond 2^64, and no power of two, so that draws must be rejected.
    let spec = crate::check::RandomSpec::over(vec![3; 70], 0);
    let all = (&spec).or((&spec).not()).boxed();
    let diagram = crate::zdd(&all).unwrap();
    let index = diagram.index();
    assert_eq!(*index.count(), BigUint::from(3u32).pow(70));
    let mut rng = StdRng::seed_from_u64(7);
    let samples = 27_000;
    let mut first = [0u32; 27];
    let mut last = [0u32; 27];
    for _ in 0..samples {
        let solution = index.sample(&mut rng).unwrap();
        let class = |of: &[usize]| of.iter().fold(0, |class, value| class * 3 + value);
        first[class(&solution[..3])] += 1;
        last[class(&solution[67..])] += 1;
    }
    for seen in [first, last] {
        let mean = f64::from(samples) / 27.0;
        let deviation: f64 = seen.iter().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
        // 26 degrees of freedom: above 54 once in a thousand seeds, and this one is fixed.
        assert!(deviation < 54.0, "chi-square {deviation}: {seen:?}");
    }
}

#[test]
fn bad_input_is_refused() {
    let index = crate::zdd(&free(2)).unwrap().index();
    assert_eq!(index.rank(&[0]), Err(QueryError::AssignmentLength { found: 1, num_vars: 2 }));
    let error = QueryError::ValueOutOfRange { variable: 1, value: 2, arity: 2 };
    assert_eq!(index.rank(&[0, 2]), Err(error));
    assert_eq!(index.diagram().rank(&[1, 1]), Ok(Some(3u32.into())));
    assert_eq!(index.diagram().nth(&2u32.into()), Ok(vec![1, 0]));
}

#[test]
fn draws_are_below_the_bound_and_reach_every_number() {
    let mut rng = StdRng::seed_from_u64(1);
    for bound in 1..20u32 {
        let mut seen = vec![0; bound as usize];
        for _ in 0..1000 {
            let drawn = random_below(&bound.into(), &mut rng);
            seen[drawn.iter_u32_digits().next().unwrap_or(0) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| times > 0), "{bound}: {seen:?}");
    }
    let bound = BigUint::from(1u32) << 96u32;
    assert!(random_below(&bound, &mut rng) < bound);
}
