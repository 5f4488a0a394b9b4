//! The solutions that are shown: the first, all, some of them, one by its rank, or a sample.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use topdd::{Index, Zdd};

use super::counted;
use crate::args::{Common, SEEDS};
use crate::failure::Failure;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::problem::{Part, Problem, UpToSymmetry};

/// Solutions, and the form of their headings.
pub(crate) struct Shown<'a, T> {
    pub(crate) head: Head,
    pub(crate) solutions: Box<dyn Iterator<Item = Vec<T>> + 'a>,
}

/// The heading of a solution.
pub(crate) enum Head {
    /// For the first solution, shown by default.
    First,
    /// The rank of the solution; the first one has this rank.
    Numbered(BigUint),
    /// For samples, drawn by this seed.
    Sample(u64),
    /// For the best solutions, with these weights.
    Best(Vec<String>),
}

/// The solutions that are asked for. Ends early after Ctrl-C.
pub(crate) fn shown<'a, T: Part>(
    problem: &'a dyn Problem<T>,
    common: &'a Common,
    outcome: &'a Outcome,
) -> Result<Shown<'a, T>, Failure> {
    let Some(zdd) = &outcome.zdd else {
        return Ok(Shown { head: Head::First, solutions: Box::new(std::iter::empty()) });
    };
    if let Some(best) = problem.best(zdd)? {
        let (weights, solutions): (Vec<_>, Vec<_>) = best.into_iter().unzip();
        let solutions = Box::new(solutions.into_iter());
        return Ok(Shown { head: Head::Best(weights), solutions });
    }
    let (answer, total) = (&common.answer, outcome.answer());
    if let Some(nth) = &answer.nth {
        if nth >= total {
            return Err(missing(&format!("no solution of rank {nth}"), total));
        }
        let found = match problem.unique() {
            None => zdd.nth(nth).ok().map(|solution| problem.squares(&solution)),
            // More than can be counted one by one are never reached.
            Some(_) => all(problem, zdd).nth(usize::try_from(nth).unwrap_or(usize::MAX)),
        };
        interrupt::check()?;
        let head = Head::Numbered(nth.clone());
        return Ok(Shown { head, solutions: Box::new(found.into_iter()) });
    }
    if let Some(wanted) = answer.sample {
        if BigUint::from(wanted) > *total {
            return Err(missing(&format!("no sample of {wanted} solutions"), total));
        }
        let seed = answer.seed.unwrap_or_else(|| rand::rng().random_range(SEEDS));
        let solutions = sample(problem, zdd, wanted, total, seed)?;
        return Ok(Shown { head: Head::Sample(seed), solutions: Box::new(solutions.into_iter()) });
    }
    let numbered = answer.all || answer.limit.is_some() || common.pictures.sheet.is_some();
    let head = if numbered { Head::Numbered(BigUint::ZERO) } else { Head::First };
    Ok(Shown { head, solutions: Box::new(all(problem, zdd).take(common.listed())) })
}

/// All solutions, up to symmetry if the problem has classes. Ends early after Ctrl-C.
fn all<'a, T: Part>(
    problem: &'a dyn Problem<T>,
    zdd: &'a Zdd,
) -> impl Iterator<Item = Vec<T>> + 'a {
    let unique = problem.unique();
    let going = zdd.iter().take_while(|_| interrupt::check().is_ok());
    let squares = going.map(|solution| problem.squares(&solution));
    squares.filter(move |squares| unique.is_none_or(|unique| unique.is_first(squares)))
}

/// Different solutions at random, of `total`, drawn by a seed.
fn sample<T: Part>(
    problem: &dyn Problem<T>,
    zdd: &Zdd,
    wanted: usize,
    total: &BigUint,
    seed: u64,
) -> Result<Vec<Vec<T>>, Failure> {
    let mut rng = StdRng::seed_from_u64(seed);
    let Some(unique) = problem.unique() else {
        let drawn = zdd.index().sample_distinct(wanted, &mut rng).map_err(Failure::usage)?;
        return Ok(drawn.iter().map(|solution| problem.squares(solution)).collect());
    };
    if BigUint::from(wanted) * 2u32 > *total {
        let firsts: Vec<_> = all(problem, zdd).collect();
        interrupt::check()?;
        let mut chosen = rand::seq::index::sample(&mut rng, firsts.len(), wanted).into_vec();
        chosen.sort_unstable();
        return Ok(chosen.into_iter().map(|place| firsts[place].clone()).collect());
    }
    let index = zdd.index();
    // In ascending order, each once.
    let mut drawn = BTreeSet::new();
    while drawn.len() < wanted {
        interrupt::check()?;
        drawn.insert(class(problem, &index, unique, &mut rng)?);
    }
    Ok(drawn.into_iter().collect())
}

/// The first solution of a random class, all classes with the same probability. A random solution
/// is of a class with a probability proportional to the size of the class, which is inversely
/// proportional to the number of symmetries of the solution. So the solution is kept with a
/// probability proportional to that number.
fn class<T: Part>(
    problem: &dyn Problem<T>,
    solutions: &Index<topdd::diagram::ZeroSuppressed>,
    unique: &dyn UpToSymmetry<T>,
    rng: &mut StdRng,
) -> Result<Vec<T>, Failure> {
    loop {
        let solution = solutions.sample(rng).map_err(Failure::usage)?;
        let squares = problem.squares(&solution);
        if rng.random_range(0..unique.symmetries()) < unique.stabilizer_size(&squares) {
            return unique.first(&squares);
        }
    }
}

/// The failure for a solution, or a sample, that does not exist.
fn missing(what: &str, total: &BigUint) -> Failure {
    let verb = if *total == BigUint::from(1u32) { "is" } else { "are" };
    Failure::Missing(format!("there is {what}: there {verb} {}", counted(total, "solution")))
}
