//! This module lists the solutions that remain, and completes the decisions to one of them: a random one, the best one, or
//! the one of a given rank.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use topdd::diagram::DiagramRule;
use topdd::{Best, Goal};

use super::{Dialogue, short};

/// The most solutions from the best on that can be listed.
pub const MAX_BEST: usize = 1200;

/// A solution in a list.
pub struct Listed {
    /// The number of solutions left before this one in lexicographic order.
    pub rank: BigUint,
    /// The weight, if solutions have one.
    pub weight: Option<String>,
    /// The values of the variables.
    pub values: Vec<usize>,
}

/// The refusal of an action that needs weights.
const NO_WEIGHTS: &str = "the solutions have no weights; save them, and start with `topdd configure FILE --weights WEIGHTS`";

impl<R: DiagramRule> Dialogue<R> {
    /// Whether solutions have weights.
    pub fn has_weights(&self) -> bool {
        self.weighing.is_some()
    }

    /// The best weight of the solutions that are left, in words; `None` without weights, and if computing it would
    /// take long.
    pub fn weight_left(&self) -> Option<String> {
        (self.best.get().is_some() || self.is_small()).then(|| self.best_weight())?
    }

    /// The best weight of the solutions that are left; `None` without weights.
    pub fn weight_number(&self) -> Option<String> {
        let weighing = self.weighing.as_ref()?;
        Some(weighing.scale.text(self.best()?.weight))
    }

    /// The best weight of the solutions that are left, in words.
    ///
    /// # Errors
    ///
    /// Without weights.
    pub fn weight(&self) -> Result<String, String> {
        self.best_weight().ok_or_else(|| NO_WEIGHTS.to_owned())
    }

    fn best_weight(&self) -> Option<String> {
        let word = match self.weighing.as_ref()?.goal {
            Goal::Minimum => "least weight",
            Goal::Maximum => "largest weight",
        };
        Some(format!("{word} {}", self.weight_number()?))
    }

    /// The best solution that is left; `None` without weights.
    fn best(&self) -> Option<&Best> {
        self.best.get_or_init(|| self.best_from(0, 1).next()).as_ref()
    }

    /// The solutions that are left in order of weight: so many after the first `skipped` ones; none without weights.
    /// Cost: a sweep over the solutions that are left.
    fn best_from(&self, skipped: usize, count: usize) -> impl Iterator<Item = Best> {
        let best = self.weighing.as_ref().and_then(|weighing| {
            let rest = self.configurator.rest().ok()?;
            rest.best(&weighing.weights, weighing.goal, skipped + count).ok()
        });
        best.into_iter().flatten().skip(skipped)
    }

    /// The best solutions that are left, after the first `skipped` ones.
    ///
    /// # Errors
    ///
    /// Without weights, or for solutions behind the first [`MAX_BEST`] ones.
    pub fn list_best(&self, skipped: usize, count: usize) -> Result<Vec<Listed>, String> {
        if self.weighing.is_none() {
            return Err(NO_WEIGHTS.to_owned());
        }
        if skipped.saturating_add(count) > MAX_BEST {
            return Err(format!("only the best {MAX_BEST} solutions are listed; decide more"));
        }
        Ok(self.best_from(skipped, count).map(|best| self.listed(best.solution)).collect())
    }

    /// The solutions that are left from a rank on, in lexicographic order.
    pub fn list_from(&self, rank: &BigUint, count: usize) -> Vec<Listed> {
        let ranks = (0..count).map(|place| rank + place);
        ranks.map_while(|rank| self.configurator.nth(&rank).ok()).map(|s| self.listed(s)).collect()
    }

    /// Different solutions that are left, drawn at random, all sets of them with the same probability; all solutions if
    /// there are no more than `count`.
    pub fn list_samples(&mut self, count: usize) -> Vec<Listed> {
        if *self.left() <= count.into() {
            return self.list_from(&BigUint::ZERO, count);
        }
        let (mut seen, mut drawn) = (BTreeSet::new(), Vec::new());
        while drawn.len() < count {
            let solution = self.configurator.sample(&mut self.rng);
            if seen.insert(solution.clone()) {
                drawn.push(self.listed(solution));
            }
        }
        drawn
    }

    fn listed(&self, values: Vec<usize>) -> Listed {
        let rank = self.configurator.rank(&values).ok().flatten().unwrap_or_default();
        let weight = self.weighing.as_ref().map(|weighing| weighing.weight(&values));
        Listed { rank, weight, values }
    }

    /// Decides as in one of the remaining solutions, all drawn with the same probability.
    pub fn sample(&mut self) {
        let solution = self.configurator.sample(&mut self.rng);
        self.complete(&solution, "completed at random");
    }

    /// Decides as in the best solution that is left, the first in lexicographic order of equally good ones.
    pub fn complete_best(&mut self) {
        match (self.best().map(|best| best.solution.clone()), self.weight()) {
            (Some(solution), Ok(weight)) => {
                self.complete(&solution, &format!("completed at best: {weight}"));
            }
            _ => self.refuse(NO_WEIGHTS),
        }
    }

    /// Decides as in the solution of a rank among the solutions that are left.
    pub fn complete_nth(&mut self, rank: &BigUint) {
        match self.configurator.nth(rank) {
            Ok(solution) => {
                // People count from one.
                let (place, left) = (short(&(rank + 1u32)), short(self.left()));
                let text =
                    format!("completed as solution {place} of {left}, of rank {}", short(rank));
                self.complete(&solution, &text);
            }
            Err(_) => self.refuse(&format!(
                "there is no solution of rank {}: {} are left, and ranks start from 0",
                short(rank),
                short(self.left())
            )),
        }
    }

    /// Decides as in a solution that is left. The number of passes over the diagram is logarithmic in the number of
    /// variables: they are decided in batches of 1, 2, 4 and so on, without those that are forced by the batches before.
    fn complete(&mut self, solution: &[usize], text: &str) {
        // On a board, queens first: most empty squares follow from them.
        let is_zero = |&variable: &usize| solution[variable] == 0;
        let (zero, other): (Vec<_>, Vec<_>) = (0..solution.len()).partition(is_zero);
        let mut variables = other.into_iter().chain(zero);
        let mut batches = 0;
        loop {
            let open = |&variable: &usize| self.configurator.value(variable).is_none();
            let decided = |variable| self.table.decision(variable, solution[variable]);
            let batch: Vec<_> =
                variables.by_ref().filter(open).map(decided).take(1 << batches).collect();
            if batch.is_empty() {
                break;
            }
            let decided = self.configurator.decide_all(&batch);
            debug_assert!(decided.is_ok(), "a solution that is left allows it: {decided:?}");
            batches += 1;
        }
        self.changed(batches);
        self.say(match batches {
            0 => "there is one solution left, and this is it",
            _ => text,
        });
    }
}
