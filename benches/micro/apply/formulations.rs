//! The formulations, by the apply engine.

use std::error::Error;
use topdd_apply::{Family, Manager};
use topdd_chess::{KnightsTours, Queens};

/// The result of a case: its solutions and its nodes.
pub(crate) struct Answer {
    pub(crate) count: String,
    pub(crate) nodes: usize,
}

pub(crate) type Outcome = Result<Answer, Box<dyn Error>>;

fn of_family(family: &Family) -> Answer {
    Answer { count: family.count().to_string(), nodes: family.node_count() }
}

pub(crate) fn queens_bdd(n: usize) -> Outcome {
    let queens = Queens::new(n).function(&Manager::new(n * n)?, |_, _| ())?;
    Ok(Answer { count: queens.count().to_string(), nodes: queens.node_count() })
}

pub(crate) fn queens_zdd(n: usize) -> Outcome {
    Ok(of_family(&Queens::new(n).family(&Manager::new(n * n)?, |_, _| ())?))
}

/// Tours in both directions.
pub(crate) fn by_time(tours: &KnightsTours) -> Outcome {
    let manager = Manager::new(tours.paths()?.graph().num_vertices().pow(2))?;
    Ok(of_family(&tours.clone().directed().family(&manager, |_, _| ())?))
}

/// The variables of random sets.
pub(crate) const RANDOM_VARS: usize = 40;

/// Random sets of 12 of [`RANDOM_VARS`] variables, the variables ascending.
pub(crate) fn random_sets(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move || {
        // The xorshift generator of Marsaglia.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % RANDOM_VARS
    };
    (0..count).map(move |_| {
        let mut set: Vec<usize> = Vec::new();
        while set.len() < 12 {
            let variable = draw();
            if !set.contains(&variable) {
                set.push(variable);
            }
        }
        set.sort_unstable();
        set
    })
}

/// The union of random sets, one by one; then variable by variable, from the middle on, the
/// members with the variable taken out are added, and those that were there before are
/// intersected and taken away again.
pub(crate) fn random_algebra(sets: usize) -> Outcome {
    let manager = Manager::new(RANDOM_VARS)?;
    let mut all = manager.empty();
    for set in random_sets(sets) {
        all |= manager.set(set)?;
    }
    let sets = all.clone();
    for variable in RANDOM_VARS / 2..RANDOM_VARS / 2 + 6 {
        let less = all.subset0(variable)? | all.subset1(variable)?;
        all = (&less - &(&less & &sets)) | &all;
    }
    Ok(of_family(&all))
}
