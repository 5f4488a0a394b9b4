//! The ranks of solutions.

use super::count::Counts;
use super::decision::Mask;
use super::skipped::SkippedFactor;
use crate::diagram::store::{FIRST_NODE, NodeId, ONE, Store, ZERO};
use crate::number::Number;
use crate::spec::Rule;
use num_bigint::BigUint;
use std::ops::Range;

/// The map from ranks to solutions and back.
pub(super) struct Ranks<'a> {
    store: &'a Store,
    mask: Option<&'a Mask>,
    counts: &'a Counts,
    skips: SkippedFactor<'a>,
}

/// The position of a walk: a node, or the 1-terminal, all variables before it decided.
#[derive(Clone, Copy)]
struct Stop {
    /// `None` for the terminal.
    level: Option<usize>,
    /// The index of the node in the level.
    position: usize,
    /// Its variable; the number of variables for the terminal.
    variable: usize,
}

impl<'a> Ranks<'a> {
    /// The counts must be those under the same rule and mask.
    pub(super) fn new(
        store: &'a Store,
        rule: Rule,
        mask: Option<&'a Mask>,
        counts: &'a Counts,
    ) -> Self {
        let mask = mask.filter(|mask| !mask.is_empty());
        Ranks { store, mask, counts, skips: SkippedFactor::new(&store.arities, rule, mask) }
    }

    /// Returns the solution of a rank below the count.
    pub(super) fn nth(&self, rank: &BigUint) -> Vec<usize> {
        let mut rest = Number::from(rank);
        let mut values = vec![0; self.store.arities.num_vars()];
        let mut stop = self.stop(self.store.root, self.store.level_count());
        rest = self.read_skipped(0..stop.variable, stop, rest, &mut values);
        while let Some(index) = stop.level {
            let level = self.store.level(index);
            let edges = level.edges(stop.position).filter(|edge| {
                self.mask.is_none_or(|mask| mask.values(level.variable)[edge.value as usize])
            });
            let mut chosen = None;
            for edge in edges {
                let to = self.stop(edge.target, index);
                let is_after = self.with_through(level.variable, to, |count| {
                    let is_after = rest.compare(count).is_ge();
                    if is_after {
                        rest.subtract(count);
                    }
                    is_after
                });
                if !is_after {
                    chosen = Some((edge.value as usize, to));
                    break;
                }
            }
            let (value, to) = chosen.expect("the rank is below the count");
            values[level.variable] = value;
            rest = self.read_skipped(level.variable + 1..to.variable, to, rest, &mut values);
            stop = to;
        }
        values
    }

    /// Returns the rank of an assignment that has been checked; `None` if it is no solution.
    pub(super) fn rank(&self, assignment: &[usize]) -> Option<BigUint> {
        if self.store.root == ZERO || self.counts.total == BigUint::ZERO {
            return None;
        }
        let mut stop = self.stop(self.store.root, self.store.level_count());
        let mut rank = self.rank_skipped(0..stop.variable, stop, assignment)?;
        while let Some(index) = stop.level {
            let level = self.store.level(index);
            let value = assignment[level.variable];
            let allowed = self.mask.map(|mask| mask.values(level.variable));
            if allowed.is_some_and(|allowed| !allowed[value]) {
                return None;
            }
            let before =
                level.edges(stop.position).take_while(|edge| (edge.value as usize) < value);
            for edge in before {
                if allowed.is_none_or(|allowed| allowed[edge.value as usize]) {
                    let to = self.stop(edge.target, index);
                    self.with_through(level.variable, to, |count| rank.add(count));
                }
            }
            let child = level.child(stop.position, value);
            if child == ZERO {
                return None;
            }
            stop = self.stop(child, index);
            let skipped = level.variable + 1..stop.variable;
            rank.add(self.rank_skipped(skipped, stop, assignment)?.limbs());
        }
        Some(rank.to_big())
    }

    /// Returns the position of a node among the lowest `below` levels, or of the 1-terminal.
    fn stop(&self, id: NodeId, below: usize) -> Stop {
        if id < FIRST_NODE {
            debug_assert_eq!(id, ONE, "no walk goes to the 0-terminal");
            let variable = self.store.arities.num_vars();
            return Stop { level: None, position: 0, variable };
        }
        let index = self.store.level_of(id, below);
        let level = self.store.level(index);
        let position = (id - level.first) as usize;
        Stop { level: Some(index), position, variable: level.variable }
    }

    /// Returns the number of solutions below a node.
    fn below(&self, stop: Stop) -> &[u64] {
        self.counts.below(stop.level, stop.position)
    }

    /// Passes the number of solutions through an edge from a variable to `take`.
    fn with_through<T>(&self, variable: usize, to: Stop, take: impl FnOnce(&[u64]) -> T) -> T {
        let skipped = variable + 1..to.variable;
        if self.skips.is_one(&skipped) {
            take(self.below(to))
        } else {
            let factor = Number::from(&self.skips.product(skipped));
            take(factor.times(self.below(to)).limbs())
        }
    }

    /// Writes the values of skipped variables in the solution of rank `rest` from there, and
    /// returns its rank among those with the same values.
    fn read_skipped(
        &self,
        skipped: Range<usize>,
        to: Stop,
        rest: Number,
        values: &mut [usize],
    ) -> Number {
        let SkippedFactor::Any(arities) = &self.skips else { return rest };
        if skipped.is_empty() {
            return rest;
        }
        let (mut number, rest) = rest.div_rem(self.below(to));
        // Digits from the last, in groups that fit into 64 bits.
        let mut end = skipped.end;
        while end > skipped.start && !number.is_zero() {
            let mut base = 1;
            let mut start = end;
            while start > skipped.start {
                let Some(larger) = u64::checked_mul(base, arities.get(start - 1) as u64) else {
                    break;
                };
                base = larger;
                start -= 1;
            }
            let (quotient, digits) = number.div_rem(&[base]);
            number = quotient;
            let mut digits = digits.limbs().first().copied().unwrap_or(0);
            for variable in (start..end).rev() {
                let arity = arities.get(variable) as u64;
                values[variable] = (digits % arity) as usize;
                digits /= arity;
            }
            end = start;
        }
        if let Some(mask) = self.mask {
            // So far those are indices among the allowed values.
            for variable in skipped {
                let mut allowed = (0..).zip(mask.values(variable)).filter(|(_, allowed)| **allowed);
                let value = allowed.nth(values[variable]).map(|(value, _)| value);
                values[variable] = value.expect("there are as many as the digit may count");
            }
        }
        rest
    }

    /// Returns the number of solutions from there that precede those with the assigned values of
    /// skipped variables; `None` if these values may not be skipped.
    fn rank_skipped(
        &self,
        skipped: Range<usize>,
        to: Stop,
        assignment: &[usize],
    ) -> Option<Number> {
        let SkippedFactor::Any(arities) = &self.skips else {
            let zeros = assignment[skipped.clone()].iter().all(|&value| value == 0);
            return (zeros && !self.skips.is_zero(&skipped)).then_some(Number::default());
        };
        let mut number = Number::default();
        let (mut base, mut digits) = (1u64, 0u64);
        for variable in skipped {
            let value = assignment[variable];
            let digit = match self.mask.map(|mask| mask.values(variable)) {
                None => value,
                Some(allowed) if !allowed[value] => return None,
                Some(allowed) => allowed[..value].iter().filter(|&&allowed| allowed).count(),
            };
            let arity = arities.get(variable) as u64;
            if base.checked_mul(arity).is_none() {
                number = number.times(&[base]);
                number.add(&[digits]);
                (base, digits) = (1, 0);
            }
            base *= arity;
            digits = digits * arity + digit as u64;
        }
        number = number.times(&[base]);
        number.add(&[digits]);
        Some(number.times(self.below(to)))
    }
}
