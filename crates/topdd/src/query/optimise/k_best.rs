//! Solutions in order of weight.

use super::Best;
use super::costs::CostsBelow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The best solutions of a diagram, one after the other, as an iterator of [`Best`]; returned by
/// [`Diagram::best`](crate::Diagram::best).
#[derive(Clone, Debug)]
pub struct KBest {
    costs: CostsBelow,
    /// The best solution of each set of a partition of the solutions still to be returned.
    candidates: BTreeSet<Candidate>,
    /// The maximum number of solutions still to be returned.
    left: usize,
}

/// The best solution of a set: all solutions that have the values of `like` before variable `at`, and at
/// that variable `value` or a value after it by cost and value.
#[derive(Clone, Debug)]
struct Candidate {
    cost: i128,
    /// A solution returned before, unless this is the first of all.
    like: Arc<[u32]>,
    at: usize,
    /// `None` if there is no variable.
    value: Option<u32>,
}

impl Candidate {
    /// Returns the values up to the variable at which the candidate deviates from `like`.
    fn values(&self) -> impl Iterator<Item = u32> {
        self.like[..self.at].iter().copied().chain(self.value)
    }
}

/// Better candidates first, then in lexicographic order.
///
/// The comparison does not need the whole solutions: the sets of two candidates are disjoint, so
/// the values up to the variable at which each deviates are different.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.cmp(&other.cost).then_with(|| self.values().cmp(other.values()))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl KBest {
    pub(super) fn new(costs: CostsBelow, k: usize) -> Self {
        let mut candidates = BTreeSet::new();
        if let Some(root) = costs.root().filter(|_| k > 0) {
            let value = (costs.store().arities.num_vars() > 0)
                .then(|| costs.choose(0, root, None).expect("no node is dead").value as u32);
            let cost = costs.rest(0, root);
            candidates.insert(Candidate { cost, like: Arc::new([]), at: 0, value });
        }
        KBest { costs, candidates, left: k }
    }

    /// Returns the number of candidates in the heap, a measure of the memory in use.
    ///
    /// ```
    /// use topdd::{Goal, Weights, Zdd};
    ///
    /// let all = Zdd::full([2; 3])?;
    /// let mut best = all.best(&Weights::of_ones([1, 2, 4]), Goal::Maximum, usize::MAX)?;
    /// assert_eq!(best.held(), 1);
    /// best.next();
    /// assert_eq!(best.held(), 3); // the best of each part: [0, ..], [1, 0, ..], [1, 1, 0]
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    pub fn held(&self) -> usize {
        self.candidates.len()
    }

    /// Returns the candidate's solution. Partitions the rest of its set into the sets of new
    /// candidates.
    fn open(&mut self, candidate: &Candidate) -> Vec<usize> {
        let num_vars = self.costs.store().arities.num_vars();
        let mut values: Vec<usize> = candidate.values().map(|value| value as usize).collect();
        let mut place = self.costs.root().expect("there is a solution");
        // The alternatives by variable: the total cost and the value.
        let mut others = Vec::new();
        for variable in 0..num_vars {
            let choice = if let Some(&value) = values.get(variable) {
                self.costs.follow(variable, place, value)
            } else {
                let best = self.costs.choose(variable, place, None).expect("no node is dead");
                values.push(best.value);
                best
            };
            if variable >= candidate.at {
                let after = Some((choice.cost, choice.value));
                if let Some(other) = self.costs.choose(variable, place, after) {
                    // Nothing changes before this variable, so this is the difference.
                    let cost = candidate.cost + (other.cost - choice.cost);
                    others.push((cost, variable, other.value as u32));
                }
            }
            place = choice.to;
        }
        let like: Arc<[u32]> = values.iter().map(|&value| value as u32).collect();
        for (cost, at, value) in others {
            let like = Arc::clone(&like);
            self.candidates.insert(Candidate { cost, like, at, value: Some(value) });
            if self.candidates.len() > self.left {
                self.candidates.pop_last();
            }
        }
        values
    }
}

impl Iterator for KBest {
    type Item = Best;

    fn next(&mut self) -> Option<Best> {
        self.left = self.left.checked_sub(1)?;
        let candidate = self.candidates.pop_first()?;
        let solution = self.open(&candidate);
        Some(Best { weight: self.costs.goal().cost(candidate.cost), solution })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.candidates.len().min(self.left), Some(self.left))
    }
}

impl std::iter::FusedIterator for KBest {}
