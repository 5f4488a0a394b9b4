//! Sums of weights, and their codes in states.
//!
//! The part of sums of weights in the estimated states of a frontier.
//!
//! States with bounds on weights contain sums, which multiply the states of the frontier. The estimate
//! adds bits to the bits of the frontier, for each step:
//!
//! | bound | bits |
//! | --- | --- |
//! | on the blocks of a partition | [`BLOCK_SHARE`] · log2 of the sums of a block, for each vertex of the frontier |
//! | on the sum of a set | log2 of the sums that are not yet legal or illegal for good |
//!
//! The number of sums is an upper bound: the largest sum of the weights so far, and the number of subsets
//! of the decided elements.

use super::partition::{PartitionRule, sums_of_signs};
use super::rules::LinearRule;
use crate::kind::Unit;
use crate::mates::Mates;
use crate::order::frontier_widths;
use crate::path_problem::{PathProblem, TooWide};
use crate::words::{FromWords, wide};
use crate::{ByEdge, DirectedByEdge, Graph};
use topdd::{DdSpec, Forced, Frontier, Step};

/// The bounds of a sum before one step.
#[derive(Clone, Copy, Debug)]
struct SumLimits {
    /// The least and the greatest sum that is not yet illegal, as far as they can be reached.
    least: i128,
    most: i128,
    /// The sums that no future edge can make illegal.
    free_from: i128,
    free_to: i128,
}

impl SumLimits {
    fn code(&self, sum: i128) -> Option<u64> {
        if sum < self.least || sum > self.most {
            None
        } else if (self.free_from..=self.free_to).contains(&sum) {
            Some(Sums::FREE)
        } else {
            Some((sum - self.least) as u64 + 1)
        }
    }
}

/// The codes of the sums of one rule, before each step and after the last.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    bounds: Vec<SumLimits>,
    /// By step.
    weights: Vec<i64>,
    /// The number of bits of a code.
    pub(super) bits: u32,
    /// The code before the first step; `None` if no set is legal.
    pub(super) root: Option<u64>,
}

impl Sums {
    /// The code of a sum that no future edge can make illegal. Other codes are one plus the distance
    /// from the least sum that is not yet illegal.
    pub(super) const FREE: u64 = 0;

    pub(super) fn new(rule: &LinearRule, order: &[usize]) -> Self {
        let weights: Vec<i64> = order.iter().map(|&edge| rule.weights[edge]).collect();
        // The sums that the steps before each one can reach, and those after it can add.
        let mut reached = vec![(0, 0); weights.len() + 1];
        let mut left = reached.clone();
        let add = |(least, most): (i128, i128), weight: i64| {
            (least + i128::from(weight.min(0)), most + i128::from(weight.max(0)))
        };
        for (step, &weight) in weights.iter().enumerate() {
            reached[step + 1] = add(reached[step], weight);
        }
        for (step, &weight) in weights.iter().enumerate().rev() {
            left[step] = add(left[step + 1], weight);
        }
        let bounds: Vec<SumLimits> = reached
            .iter()
            .zip(&left)
            .map(|(&(least, most), &(less, more))| SumLimits {
                least: rule.least.saturating_sub(more).max(least),
                most: rule.most.saturating_sub(less).min(most),
                free_from: rule.least.saturating_sub(less),
                free_to: rule.most.saturating_sub(more),
            })
            .collect();
        let largest = bounds.iter().map(|b| (b.most - b.least + 1).max(0)).max().unwrap_or(0);
        let bits = u128::BITS - largest.unsigned_abs().leading_zeros();
        let root = bounds[0].code(0);
        Self { bounds, weights, bits, root }
    }

    /// The greatest number of codes before a step.
    pub(super) fn count(&self, step: usize) -> f64 {
        let SumLimits { least, most, free_from, free_to } = self.bounds[step];
        let between = |from: i128, to: i128| to.saturating_sub(from).saturating_add(1).max(0);
        // All sums that are legal for good have one code.
        let free = between(free_from.max(least), free_to.min(most));
        (between(least, most) - free + i128::from(free > 0)).max(1) as f64
    }

    /// Whether a code may not fit into a field.
    pub(super) fn overflows(&self) -> bool {
        self.bits > 63
    }

    /// The code after a step.
    #[inline]
    pub(super) fn after(&self, code: u64, step: usize, taken: bool) -> Option<u64> {
        if code == Self::FREE {
            return Some(Sums::FREE);
        }
        let sum = self.bounds[step].least + i128::from(code - 1);
        let weight = if taken { i128::from(self.weights[step]) } else { 0 };
        self.bounds[step + 1].code(sum + weight)
    }

    /// A code before a step with all completions of both: of the smaller sum if it can only become too large, of the larger
    /// one if it can only stay too small.
    pub(super) fn merge(&self, one: u64, other: u64, step: usize) -> u64 {
        let SumLimits { least, most, free_from, free_to } = self.bounds[step];
        if one == other || one.min(other) == Self::FREE || free_from <= least {
            one.min(other)
        } else if free_to >= most {
            one.max(other)
        } else {
            Self::FREE
        }
    }

    /// The code before step `to` of a set that takes no edge from the step `from` on, which is not later.
    pub(super) fn unchanged(&self, code: u64, from: usize, to: usize) -> Option<u64> {
        if code == Self::FREE {
            return Some(Self::FREE);
        }
        self.bounds[to].code(self.bounds[from].least + i128::from(code - 1))
    }

    /// Whether the set is legal if no further edge is taken.
    pub(super) fn is_legal(&self, code: u64, step: usize) -> bool {
        // Without further edges the sum stays; it is legal if it is after the last step.
        self.unchanged(code, step, self.weights.len()).is_some()
    }
}

/// The part of the vertices on a frontier whose blocks have sums of their own. Measured on partitions of
/// road networks into four blocks with 7 to 53 sums each: a block has several vertices there, and the sums of
/// all blocks have a fixed total.
const BLOCK_SHARE: f64 = 0.55;

/// log2 of the estimated number of sums of the blocks on the frontier, before each step of an order.
pub(super) fn block_bits(graph: &Graph, rule: &PartitionRule, order: &[usize]) -> Vec<f64> {
    let Some((_, most)) = rule.weight else { return vec![0.0; order.len()] };
    let range = sums_of_signs(graph);
    // With negative weights, a block that is too heavy can still become legal.
    let heaviest = rule.heaviest(range);
    let most = if range.0 == 0 { most.min(heaviest) } else { heaviest - range.0 };
    let widths = frontier_widths(graph, Unit::Edge, order);
    let mut seen = vec![false; graph.num_vertices()];
    let mut total = 0_u128;
    let mut bits = Vec::with_capacity(order.len());
    for (step, &edge) in order.iter().enumerate() {
        let width = if step == 0 { 0 } else { widths[step - 1] };
        let sums = total.min(most.max(0).unsigned_abs()) as f64 + 1.0;
        bits.push(BLOCK_SHARE * width as f64 * sums.log2());
        let (a, b) = graph.edges()[edge];
        for vertex in [a, b] {
            if !std::mem::replace(&mut seen[vertex], true) {
                total += u128::from(graph.vertex_weight(vertex).unsigned_abs());
            }
        }
    }
    bits
}

/// log2 of the greatest number of sums that states distinguish under a rule, before each step of an order.
pub(super) fn rule_bits(rule: &LinearRule, order: &[usize]) -> Vec<f64> {
    let sums = Sums::new(rule, order);
    // As many subsets, and so as many sums, as 2 to the number of the steps before.
    (0..order.len()).map(|step| sums.count(step).log2().min(step as f64)).collect()
}

/// Adds bits to the bits of each step.
pub(super) fn add_bits(bits: &mut [f64], more: &[f64]) {
    bits.iter_mut().zip(more).for_each(|(bits, more)| *bits += more);
}

/// The members of a spec of paths or cycles whose sum is legal. The state also contains the code of
/// the sum so far, until the path or cycle is complete.
#[derive(Clone, Debug)]
struct BoundedSums<S> {
    paths: S,
    sums: Sums,
}

impl<S, const W: usize> BoundedSums<S>
where
    S: DdSpec<State = Mates<W>>,
{
    /// The step after a value of a variable, where `step` is the step of the path.
    #[inline]
    fn step(
        &self,
        step: Step<Mates<W>>,
        variable: usize,
        value: usize,
        code: u64,
    ) -> Step<(Mates<W>, u64)> {
        let Some(code) = self.sums.after(code, variable, value == 1) else { return Step::Zero };
        match step {
            Step::Zero => Step::Zero,
            Step::To(next, mates) if mates != Mates::DONE => Step::To(next, (mates, code)),
            _ if !self.sums.is_legal(code, variable + 1) => Step::Zero,
            Step::To(next, done) => Step::To(next, (done, Sums::FREE)),
            Step::One => Step::One,
        }
    }
}

impl<S, const W: usize> DdSpec for BoundedSums<S>
where
    S: DdSpec<State = Mates<W>>,
{
    type State = (Mates<W>, u64);

    fn num_vars(&self) -> usize {
        self.paths.num_vars()
    }

    fn root(&self) -> Step<Self::State> {
        let Some(code) = self.sums.root else { return Step::Zero };
        match self.paths.root() {
            Step::To(variable, mates) => Step::To(variable, (mates, code)),
            // The path of a single vertex, without edges.
            Step::One if self.sums.is_legal(code, 0) => Step::One,
            Step::Zero | Step::One => Step::Zero,
        }
    }

    #[inline]
    fn child(
        &self,
        (mates, code): &Self::State,
        variable: usize,
        value: usize,
    ) -> Step<Self::State> {
        self.step(self.paths.child(mates, variable, value), variable, value, *code)
    }

    #[inline]
    fn forced(&self, state: &Self::State, variable: usize) -> Forced<Self::State> {
        let (mates, code) = state;
        match self.paths.forced(mates, variable) {
            Forced::Value(value, step) => {
                Forced::to(value, self.step(step, variable, value, *code))
            }
            Forced::Dead => Forced::Dead,
            Forced::Free if self.sums.after(*code, variable, true).is_none() => {
                Forced::to(0, self.child(state, variable, 0))
            }
            Forced::Free => Forced::Free,
        }
    }
}

impl<const W: usize> FromWords for (Mates<W>, u64) {
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        let [mates @ .., code] = words else { unreachable!("a state has a code") };
        (Mates::from_words(mates), *code)
    }

    #[inline]
    fn write_words(&self, words: &mut [u64]) {
        let [mates @ .., code] = words else { unreachable!("a state has a code") };
        self.0.write_words(mates);
        *code = self.1;
    }
}

/// Makes a sweep over the paths or cycles of a problem by edge, those with legal sums.
///
/// # Errors
///
/// [`TooWide`] if a state needs more than 64 words.
pub(super) fn frontier_of_sums(
    problem: &PathProblem,
    sums: Sums,
) -> Result<Frontier<'static>, TooWide> {
    let words = problem.schedule.widths.words;
    Ok(match (problem.is_directed(), words) {
        (false, 0..=1) => with_sums(ByEdge::<1>::new(problem)?, words, sums),
        (false, 2) => with_sums(ByEdge::<2>::new(problem)?, words, sums),
        (false, 3..=4) => with_sums(ByEdge::<4>::new(problem)?, words, sums),
        (false, 5..=16) => with_sums(ByEdge::<16>::new(problem)?, words, sums),
        (false, _) => with_sums(ByEdge::<64>::new(problem)?, words, sums),
        (true, 0..=1) => with_sums(DirectedByEdge::<1>::new(problem)?, words, sums),
        (true, 2) => with_sums(DirectedByEdge::<2>::new(problem)?, words, sums),
        (true, 3..=8) => with_sums(DirectedByEdge::<8>::new(problem)?, words, sums),
        (true, _) => with_sums(DirectedByEdge::<64>::new(problem)?, words, sums),
    })
}

fn with_sums<const W: usize, S>(paths: S, words: usize, sums: Sums) -> Frontier<'static>
where
    S: DdSpec<State = Mates<W>> + Send + 'static,
{
    // Another word for the code of the sum.
    wide(BoundedSums { paths, sums }, words + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_sum_and_are_free_as_soon_as_possible() {
        let rule = LinearRule { weights: vec![3, -2, 5, 1], least: 2, most: 6 };
        let sums = Sums::new(&rule, &[2, 0, 3, 1]);
        for subset in 0..16 {
            let mut code = sums.root;
            let mut sum = 0;
            for (step, &edge) in [2, 0, 3, 1].iter().enumerate() {
                let taken = subset >> edge & 1 == 1;
                sum += if taken { rule.weights[edge] } else { 0 };
                code = code.and_then(|code| sums.after(code, step, taken));
            }
            assert_eq!(code.is_some(), (2..=6).contains(&sum), "{subset}");
        }
        let any = LinearRule { weights: vec![1; 4], least: 0, most: i128::MAX };
        assert_eq!(Sums::new(&any, &[0, 1, 2, 3]).root, Some(Sums::FREE));
    }
}
