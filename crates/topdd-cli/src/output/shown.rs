//! The solutions that are shown: the first, all, some of them, one by its rank, or a sample.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use topdd::Index;

use super::counted;
use crate::args::Common;
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
    let unique = problem.unique();
    let all = move || {
        let going = zdd.iter().take_while(|_| interrupt::check().is_ok());
        let squares = going.map(|solution| problem.squares(&solution));
        squares.filter(move |squares| unique.is_none_or(|unique| unique.is_first(squares)))
    };
    let total = outcome.answer();
    if let Some(nth) = &common.answer.nth {
        if nth >= total {
            return Err(missing(&format!("no solution of rank {nth}"), total));
        }
        let found = match unique {
            None => zdd.get(nth).ok().map(|solution| problem.squares(&solution)),
            // More than can be counted one by one are never reached.
            Some(_) => all().nth(usize::try_from(nth).unwrap_or(usize::MAX)),
        };
        interrupt::check()?;
        return Ok(Shown {
            head: Head::Numbered(nth.clone()),
            solutions: Box::new(found.into_iter()),
        });
    }
    if let Some(wanted) = common.answer.sample {
        if BigUint::from(wanted) > *total {
            return Err(missing(&format!("no sample of {wanted} solutions"), total));
        }
        // All readers of JSON have integers of 53 bits.
        let seed = common.answer.seed.unwrap_or_else(|| rand::rng().random_range(0..1 << 53));
        let mut rng = StdRng::seed_from_u64(seed);
        let head = Head::Sample(seed);
        let squares: Vec<Vec<T>> = match unique {
            None => {
                let drawn = zdd.index().sample_distinct(wanted, &mut rng);
                let drawn = drawn.map_err(Failure::usage)?;
                drawn.iter().map(|solution| problem.squares(solution)).collect()
            }
            Some(_) if BigUint::from(wanted) * 2u32 > *total => {
                let firsts: Vec<_> = all().collect();
                interrupt::check()?;
                let mut chosen =
                    rand::seq::index::sample(&mut rng, firsts.len(), wanted).into_vec();
                chosen.sort_unstable();
                chosen.into_iter().map(|place| firsts[place].clone()).collect()
            }
            Some(unique) => {
                let index = zdd.index();
                let draw = |rng: &mut StdRng| class(problem, &index, unique, rng);
                draw_different(wanted, &mut rng, draw)?.into_iter().collect()
            }
        };
        return Ok(Shown { head, solutions: Box::new(squares.into_iter()) });
    }
    let numbered =
        common.answer.all || common.answer.limit.is_some() || common.pictures.sheet.is_some();
    let head = if numbered { Head::Numbered(BigUint::ZERO) } else { Head::First };
    Ok(Shown { head, solutions: Box::new(all().take(common.listed())) })
}

/// A sample of different numbers, ascending.
fn draw_different<T: Part>(
    wanted: usize,
    rng: &mut StdRng,
    mut draw: impl FnMut(&mut StdRng) -> Result<Vec<T>, Failure>,
) -> Result<BTreeSet<Vec<T>>, Failure> {
    let mut drawn = BTreeSet::new();
    while drawn.len() < wanted {
        interrupt::check()?;
        drawn.insert(draw(rng)?);
    }
    Ok(drawn)
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
