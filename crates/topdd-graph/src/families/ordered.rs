//! A diagram of sets of edges or vertices whose variables are in another order than these items.

use std::sync::Arc;

use topdd::{BigUint, Goal, QueryError, Sets, Weights, Zdd};

/// Sets of items, edges or vertices, which are numbered as in the graph.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    pub(super) zdd: Zdd,
    /// The item of each variable.
    pub(super) order: Arc<[usize]>,
    /// The variable of each item.
    pub(super) variables: Vec<usize>,
}

impl Ordered {
    pub(super) fn new(zdd: Zdd, order: Vec<usize>) -> Self {
        let variables = crate::simple::inverse(&order);
        Self { zdd, order: order.into(), variables }
    }

    pub(super) fn iter(&self) -> OrderedIter {
        let sets = self.zdd.iter_sets();
        OrderedIter { sets, order: self.order.clone() }
    }

    /// Whether a set of items, in any order, is in the family. An unknown item is in no set.
    pub(super) fn contains(&self, items: &[usize]) -> bool {
        let mut solution = vec![0; self.order.len()];
        for &item in items {
            match self.variables.get(item) {
                Some(&variable) => solution[variable] = 1,
                None => return false,
            }
        }
        self.zdd.contains(&solution).expect("one value for each variable")
    }

    /// The weights of items as weights of variables. The query refuses a list of the wrong length.
    pub(super) fn weights<T: Copy + Default>(&self, weights: &[T]) -> Weights<T> {
        if weights.len() == self.order.len() {
            Weights::of_ones(self.order.iter().map(|&item| weights[item]))
        } else {
            Weights::of_ones(weights.iter().copied())
        }
    }

    /// The `k` best sets, the best first, each with its weight.
    pub(super) fn best_by(
        &self,
        weights: &[i64],
        goal: Goal,
        k: usize,
    ) -> Result<impl Iterator<Item = (i128, Vec<usize>)> + use<>, QueryError> {
        let order = self.order.clone();
        let best = self.zdd.k_best(&self.weights(weights), goal, k)?;
        Ok(best.map(move |best| (best.weight, items_of(&order, &best.solution))))
    }

    /// The items of a solution of the diagram, ascending.
    #[track_caller]
    pub(super) fn items_of(&self, solution: &[usize]) -> Vec<usize> {
        check_length(solution, self.order.len());
        items_of(&self.order, solution)
    }

    /// For each item, the number of sets that contain it.
    pub(super) fn counts(&self) -> Vec<BigUint> {
        let mut counts = self.zdd.value_counts();
        self.variables.iter().map(|&variable| counts[variable].pop().unwrap_or_default()).collect()
    }
}

/// Panics unless a solution has a value for each variable.
#[track_caller]
pub(super) fn check_length(solution: &[usize], variables: usize) {
    let values = solution.len();
    assert!(values == variables, "the solution has {values} values, for {variables} variables");
}

fn items_of(order: &[usize], solution: &[usize]) -> Vec<usize> {
    let ones = order.iter().zip(solution).filter(|&(_, &value)| value == 1);
    let mut items: Vec<usize> = ones.map(|(&item, _)| item).collect();
    items.sort_unstable();
    items
}

/// The sets, each ascending, in the lexicographic order of the diagram.
#[derive(Clone, Debug)]
pub(super) struct OrderedIter {
    sets: Sets,
    order: Arc<[usize]>,
}

impl Iterator for OrderedIter {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let set = self.sets.next()?;
        let mut items: Vec<usize> = set.into_iter().map(|variable| self.order[variable]).collect();
        items.sort_unstable();
        Some(items)
    }
}
