//! Minimum sets of conflicting decisions.
//!
//! Every solution of the diagram that agrees with the new decision violates some decisions in force. A
//! set of decisions rules the new decision out if each such solution violates a decision in the set. So
//! a minimum set is a minimum hitting set of exponentially many sets. Few of the sets matter; they are
//! collected one by one (implicit hitting sets; Moreno-Centeno and Karp, "The implicit hitting set
//! approach to solve combinatorial optimization problems", 2013): a minimum set that hits the collected
//! sets is the result, if it rules the decision out. If not, one pass over the diagram finds a solution
//! that agrees with the decision and violates the fewest other decisions: the next set.

use crate::diagram::store::{NodeStore, ONE, ZERO};
use crate::query::decision::{Conflict, Decision};
use crate::query::pass::{Bottom, Values, up};
use crate::spec::Rule;
use std::ops::Range;

/// The passes over the diagram after which a minimal set is returned instead of a minimum one.
const MAX_PASSES: usize = 300;
/// The same limit for steps of the search for minimum hitting sets, over all passes.
const MAX_STEPS: usize = 200_000;

/// Returns a minimum set of `decisions` that rule out another one. All together must rule it out.
pub(super) fn find(
    store: &NodeStore,
    rule: Rule,
    decisions: &[Decision],
    decision: Decision,
) -> Conflict {
    let search = ConflictSearch { store, rule, decisions, decision };
    let mut known: Vec<Vec<usize>> = Vec::new();
    let (mut size, mut steps) = (0, MAX_STEPS);
    for _ in 0..MAX_PASSES {
        let Some(hitting) = smallest_hitting(&known, &mut size, &mut steps) else { break };
        match search.opposed_by(&hitting) {
            None => return search.conflict(hitting, true),
            Some(opposed) => known.push(opposed),
        }
    }
    // A decision is left out if the others rule it out without it, the latest decisions first.
    let mut needed: Vec<usize> = (0..decisions.len()).collect();
    for candidate in (0..decisions.len()).rev() {
        let without: Vec<_> = needed.iter().copied().filter(|&i| i != candidate).collect();
        if search.opposed_by(&without).is_none() {
            needed = without;
        }
    }
    search.conflict(needed, false)
}

/// Returns the fewest `decisions` without which another one is possible; `None` if no solution of the
/// diagram agrees with it.
pub(super) fn opposing(
    store: &NodeStore,
    rule: Rule,
    decisions: &[Decision],
    decision: Decision,
) -> Option<Vec<Decision>> {
    let opposed = ConflictSearch { store, rule, decisions, decision }.opposed_by(&[])?;
    Some(opposed.into_iter().map(|index| decisions[index]).collect())
}

/// Returns a minimum set that has a member in each of `sets`, in ascending order. No such set is
/// smaller than `size`, which becomes its size. `None` if finding it takes more `steps` than are
/// left.
fn smallest_hitting(
    sets: &[Vec<usize>],
    size: &mut usize,
    steps: &mut usize,
) -> Option<Vec<usize>> {
    loop {
        // Depth first: partial sets, to be completed to at most `size` members.
        let mut pending: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(chosen) = pending.pop() {
            *steps = steps.checked_sub(1)?;
            let hit = |set: &&Vec<usize>| set.iter().any(|member| chosen.contains(member));
            // Among the sets that are not hit, the set with the fewest ways to hit it.
            let Some(missed) = sets.iter().filter(|set| !hit(set)).min_by_key(|set| set.len())
            else {
                let mut chosen = chosen;
                chosen.sort_unstable();
                return Some(chosen);
            };
            if chosen.len() < *size {
                pending.extend(missed.iter().rev().map(|&member| {
                    let mut more = chosen.clone();
                    more.push(member);
                    more
                }));
            }
        }
        *size += 1;
    }
}

struct ConflictSearch<'a> {
    store: &'a NodeStore,
    rule: Rule,
    decisions: &'a [Decision],
    decision: Decision,
}

impl ConflictSearch<'_> {
    fn conflict(&self, because: Vec<usize>, smallest: bool) -> Conflict {
        let because = because.into_iter().map(|index| self.decisions[index]).collect();
        Conflict { decision: self.decision, because, smallest }
    }

    /// Returns the decisions that a solution violates, for a solution that violates the fewest. It
    /// agrees with the new decision and with the decisions that are `kept`. `None` if there is no such
    /// solution.
    fn opposed_by(&self, kept: &[usize]) -> Option<Vec<usize>> {
        if self.store.root == ZERO {
            return None;
        }
        let oppositions = Oppositions::new(self, kept);
        let below = up(self.store, &oppositions, true);
        let solution = oppositions.least(self.store, &below)?;
        let opposed = self.decisions.iter().enumerate();
        let opposed = opposed.filter(|(_, other)| !other.allows(solution[other.variable()]));
        Some(opposed.map(|(index, _)| index).collect())
    }
}

/// Costs of values: the number of decisions that they violate.
struct Oppositions {
    rule: Rule,
    /// The costs of the values of each variable with a decision, in ascending order of variable.
    decided: Vec<(usize, Vec<u32>)>,
    /// The least cost of skipped variables: of all before each variable with a decision.
    skipped: Vec<u64>,
}

/// A cost above the number of decisions, small enough for sums.
const NEVER: u32 = u32::MAX;

impl Oppositions {
    fn new(search: &ConflictSearch<'_>, kept: &[usize]) -> Self {
        let arities = &search.store.arities;
        let all = || search.decisions.iter().chain([&search.decision]);
        let mut variables: Vec<usize> = all().map(Decision::variable).collect();
        variables.sort_unstable();
        variables.dedup();
        let mut decided: Vec<(usize, Vec<u32>)> =
            variables.into_iter().map(|v| (v, vec![0; arities.get(v)])).collect();
        let mut oppose = |decision: &Decision, cost: u32| {
            let at = decided.binary_search_by_key(&decision.variable(), |(variable, _)| *variable);
            let costs = &mut decided[at.expect("it is one of them")].1;
            for (value, sum) in costs.iter_mut().enumerate() {
                if !decision.allows(value) {
                    *sum = plus(*sum, cost);
                }
            }
        };
        for decision in search.decisions {
            oppose(decision, 1);
        }
        for &index in kept {
            oppose(&search.decisions[index], NEVER);
        }
        oppose(&search.decision, NEVER);
        let mut sum = 0;
        let skipped = decided.iter().map(|(_, costs)| {
            let allowed = match search.rule {
                Rule::ZeroSuppressed => &costs[..1],
                Rule::AnyValue => costs,
            };
            sum += u64::from(*allowed.iter().min().expect("each variable has a value"));
            sum
        });
        let skipped = std::iter::once(0).chain(skipped).collect();
        Oppositions { rule: search.rule, decided, skipped }
    }

    /// The costs of the values of a variable; `None` if no decision is about it.
    fn costs(&self, variable: usize) -> Option<&[u32]> {
        let at = self.decided.binary_search_by_key(&variable, |(variable, _)| *variable).ok()?;
        Some(&self.decided[at].1)
    }

    /// Returns a solution of least cost, unless all are impossible.
    fn least(&self, store: &NodeStore, below: &Values<u32>) -> Option<Vec<usize>> {
        let mut solution = vec![0; store.arities.num_vars()];
        if self.rule == Rule::AnyValue {
            // The skipped variables; others are overwritten.
            for (variable, costs) in &self.decided {
                let values = 0..costs.len();
                solution[*variable] = values.min_by_key(|&value| costs[value]).unwrap_or(0);
            }
        }
        let mut node = store.root;
        let mut variable = store.variable_of(node);
        if plus(self.skip(0..variable), *below.get(store, node)) == NEVER {
            return None;
        }
        while node != ONE {
            let costs = self.costs(variable);
            let mut best: Option<(u32, usize, u32)> = None;
            for (value, to) in store.edges_at(node, variable) {
                let cost = costs.map_or(0, |costs| costs[value]);
                let skipped = self.skip(variable + 1..store.variable_of(to));
                let cost = plus(plus(cost, skipped), *below.get(store, to));
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, value, to));
                }
            }
            let (_, value, to) = best.expect("no node is dead");
            solution[variable] = value;
            node = to;
            variable = store.variable_of(to);
        }
        Some(solution)
    }
}

/// Returns the sum of two costs.
fn plus(a: u32, b: u32) -> u32 {
    a.saturating_add(b)
}

impl Bottom for Oppositions {
    type Value = u32;
    type Skip = u32;

    fn one(&self) -> u32 {
        0
    }

    fn skip(&self, skipped: Range<usize>) -> u32 {
        let before = |end: usize| {
            self.skipped[self.decided.partition_point(|&(variable, _)| variable < end)]
        };
        let sum = before(skipped.end) - before(skipped.start);
        u32::try_from(sum).unwrap_or(NEVER)
    }

    fn node<'a>(
        &self,
        variable: usize,
        edges: impl Iterator<Item = (usize, &'a u32, &'a u32)>,
    ) -> u32
    where
        Self: 'a,
    {
        let costs = self.costs(variable);
        let cost = |value: usize| costs.map_or(0, |costs| costs[value]);
        edges
            .map(|(value, &skip, &below)| plus(plus(cost(value), skip), below))
            .min()
            .expect("no node is dead")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hitting_sets_are_smallest() {
        let smallest = |sets: &[&[usize]]| {
            let sets: Vec<Vec<usize>> = sets.iter().map(|set| set.to_vec()).collect();
            smallest_hitting(&sets, &mut 0, &mut 1000).unwrap()
        };
        assert!(smallest(&[]).is_empty());
        assert_eq!(smallest(&[&[3, 5]]).len(), 1);
        assert_eq!(smallest(&[&[1, 2], &[2, 3], &[0, 2, 5]]), [2]);
        assert_eq!(smallest(&[&[0, 1], &[1, 2], &[2, 3], &[3, 0], &[0, 2]]).len(), 2);
        assert_eq!(smallest(&[&[4], &[1], &[1, 4]]), [1, 4]);
        assert_eq!(smallest_hitting(&[vec![4], vec![1]], &mut 0, &mut 2), None);
    }
}
