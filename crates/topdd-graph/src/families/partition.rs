//! The sweep over partitions of the vertices into connected blocks, one variable for each edge.
//!
//! An edge is taken if both its ends are in one block. The state contains, for each slot of the
//! frontier, the label of its component: one plus the least slot of the component; the pairs of
//! components that an edge keeps apart; the weight of each component, if blocks have bounds; and
//! the number of complete blocks.

use topdd::{DdSpec, Forced, Step};

use super::FamilyError;
use super::layout::{Allocator, Field, LabelFields, bits_of};
use super::schedule::{Schedule, ScheduledEdge};
use crate::Graph;
use crate::words::Words;

/// A number of blocks, and bounds on the weight of each.
#[derive(Clone, Debug)]
pub(super) struct PartitionRule {
    pub(super) blocks: usize,
    /// The least and the greatest weight.
    pub(super) weight: Option<(i128, i128)>,
}

#[derive(Clone, Debug)]
pub(super) struct PartitionPlan {
    rule: PartitionRule,
    schedule: Schedule,
    /// By vertex.
    weights: Vec<i128>,
    /// The sum of the negative weights, and of the positive ones.
    range: (i128, i128),
    labels: (Vec<Field>, u32),
    /// For each slot, the pairs with smaller slots.
    apart: Vec<Vec<Field>>,
    sums: Vec<Field>,
    complete: Field,
    words: usize,
    /// Whether a weight may not fit into a field.
    pub(super) sums_overflow: bool,
}

impl PartitionPlan {
    pub(super) fn new(graph: &Graph, rule: &PartitionRule, order: &[usize]) -> Self {
        let schedule = Schedule::new(graph, order);
        let weights: Vec<i128> =
            (0..graph.num_vertices()).map(|vertex| graph.vertex_weight(vertex).into()).collect();
        let range = (
            weights.iter().map(|&weight| weight.min(0)).sum(),
            weights.iter().map(|&weight| weight.max(0)).sum(),
        );
        let slots = schedule.width;
        let mut allocator = Allocator::default();
        let blocks = rule.blocks.min(graph.num_vertices() + 1);
        let complete = allocator.field(bits_of(blocks as u64));
        let label_bits = bits_of(slots as u64);
        let labels = (allocator.fields(slots, label_bits), label_bits);
        let apart = (0..slots).map(|slot| allocator.fields(slot, 1)).collect();
        let sum_bits = rule.weight.map_or(0, |_| {
            let largest: i128 = range.1 - range.0;
            u128::BITS - largest.unsigned_abs().leading_zeros()
        });
        let sums = allocator.fields(slots, sum_bits.min(64));
        let words = allocator.words();
        let sums_overflow = sum_bits > 63;
        let rule = PartitionRule { blocks, weight: rule.weight };
        Self { rule, schedule, weights, range, labels, apart, sums, complete, words, sums_overflow }
    }

    /// The number of words of a state.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The number of complete blocks at the start: the vertices without edges. `None` if one of
    /// them is too light or too heavy.
    fn isolated_blocks(&self) -> Option<usize> {
        let isolated = |vertex: &usize| self.schedule.enters[*vertex] == usize::MAX;
        let blocks: Vec<_> = (0..self.weights.len()).filter(isolated).collect();
        blocks.iter().all(|&v| self.is_legal(self.weights[v])).then_some(blocks.len())
    }

    fn is_legal(&self, weight: i128) -> bool {
        self.rule.weight.is_none_or(|(least, most)| (least..=most).contains(&weight))
    }
}

/// The spec of a [`PartitionRule`].
#[derive(Clone, Debug)]
pub(super) struct Partition<const W: usize> {
    plan: PartitionPlan,
    labels: LabelFields<W>,
    root: Step<Words<W>>,
}

impl<const W: usize> Partition<W> {
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if `W` words are too few.
    pub(super) fn new(plan: PartitionPlan) -> Result<Self, FamilyError> {
        if plan.words > W {
            return Err(FamilyError::too_wide(plan.schedule.width, plan.words, W));
        }
        let labels = LabelFields::new(plan.labels.0.clone(), plan.labels.1);
        let mut words = [0; W];
        let root = match plan.isolated_blocks() {
            Some(blocks) if blocks <= plan.rule.blocks => {
                plan.complete.set(&mut words, blocks as u64);
                match plan.schedule.steps.is_empty() {
                    true if blocks == plan.rule.blocks => Step::One,
                    true => Step::Zero,
                    false => Step::To(0, Words(words)),
                }
            }
            _ => Step::Zero,
        };
        Ok(Self { plan, labels, root })
    }

    /// The state with the vertices that enter.
    #[inline]
    fn opened(&self, state: &Words<W>, step: &ScheduledEdge) -> [u64; W] {
        let mut words = state.0;
        for end in step.ends.iter().filter(|end| end.enters) {
            self.labels.set(&mut words, end.slot, end.slot as u64 + 1);
            let weight = self.plan.weights[end.vertex] - self.plan.range.0;
            self.plan.sums[end.slot].set(&mut words, weight as u64);
        }
        words
    }

    /// The labels of the ends of an edge.
    #[inline]
    fn ends(&self, words: &[u64; W], step: &ScheduledEdge) -> [u64; 2] {
        step.ends.map(|end| self.labels.get(words, end.slot))
    }

    /// The bit of two slots, which are different.
    #[inline]
    fn apart(&self, a: usize, b: usize) -> Field {
        self.plan.apart[a.max(b)][a.min(b)]
    }

    /// Moves the pairs of one slot to another.
    fn move_pairs(&self, words: &mut [u64; W], from: usize, to: usize) {
        for other in (0..self.plan.schedule.width).filter(|&other| other != from) {
            let field = self.apart(from, other);
            if field.get(words) == 1 {
                field.set(words, 0);
                if other != to {
                    self.apart(to, other).set(words, 1);
                }
            }
        }
    }

    /// The weight of the component with the least slot `slot`.
    fn weight(&self, words: &[u64; W], slot: usize) -> i128 {
        i128::from(self.plan.sums[slot].get(words)) + self.plan.range.0
    }

    /// Joins two components; `None` if the block becomes too heavy.
    fn join(&self, words: &mut [u64; W], a: u64, b: u64) -> Option<()> {
        let [keeps, loses] = [a.min(b), a.max(b)].map(|label| label as usize - 1);
        self.labels.replace(words, loses as u64 + 1, keeps as u64 + 1);
        self.move_pairs(words, loses, keeps);
        if let Some((_, most)) = self.plan.rule.weight {
            let sum = self.weight(words, keeps) + self.weight(words, loses);
            if self.plan.range.0 == 0 && sum > most {
                return None;
            }
            self.plan.sums[keeps].set(words, (sum - self.plan.range.0) as u64);
            self.plan.sums[loses].set(words, 0);
        }
        Some(())
    }

    /// Removes a vertex from the frontier; `None` if it completes an illegal block.
    fn remove(&self, words: &mut [u64; W], slot: usize) -> Option<()> {
        let label = self.labels.get(words, slot);
        self.labels.set(words, slot, 0);
        if label != slot as u64 + 1 {
            return Some(());
        }
        let weight = self.weight(words, slot);
        let stored = self.plan.sums[slot].get(words);
        self.plan.sums[slot].set(words, 0);
        if let Some(next) = self.labels.find(words, label) {
            self.labels.replace(words, label, next as u64 + 1);
            self.move_pairs(words, slot, next);
            self.plan.sums[next].set(words, stored);
            return Some(());
        }
        for other in (0..self.plan.schedule.width).filter(|&other| other != slot) {
            self.apart(slot, other).set(words, 0);
        }
        let complete = self.plan.complete.get(words) + 1;
        if complete > self.plan.rule.blocks as u64 || !self.plan.is_legal(weight) {
            return None;
        }
        self.plan.complete.set(words, complete);
        Some(())
    }

    #[inline]
    fn decide(&self, state: &Words<W>, variable: usize, taken: bool) -> Step<Words<W>> {
        let step = &self.plan.schedule.steps[variable];
        let mut words = self.opened(state, step);
        let [a, b] = self.ends(&words, step);
        if a == b {
            if !taken {
                return Step::Zero;
            }
        } else {
            let apart = self.apart(a as usize - 1, b as usize - 1);
            if !taken {
                apart.set(&mut words, 1);
            } else if apart.get(&words) == 1 || self.join(&mut words, a, b).is_none() {
                return Step::Zero;
            }
        }
        for (side, end) in step.ends.iter().enumerate() {
            let is_new = side == 0 || !step.is_loop;
            if is_new && end.leaves && self.remove(&mut words, end.slot).is_none() {
                return Step::Zero;
            }
        }
        let complete = self.plan.complete.get(&words);
        let blocks = self.plan.rule.blocks as u64;
        if variable + 1 == self.plan.schedule.steps.len() {
            return if complete == blocks { Step::One } else { Step::Zero };
        }
        // An edge is left, so there is at least one more block.
        if complete == blocks { Step::Zero } else { Step::To(variable + 1, Words(words)) }
    }
}

impl<const W: usize> DdSpec for Partition<W> {
    type State = Words<W>;

    fn num_vars(&self) -> usize {
        self.plan.schedule.steps.len()
    }

    fn root(&self) -> Step<Words<W>> {
        self.root
    }

    fn child(&self, state: &Words<W>, variable: usize, value: usize) -> Step<Words<W>> {
        self.decide(state, variable, value == 1)
    }

    fn forced(&self, state: &Words<W>, variable: usize) -> Forced<Words<W>> {
        let step = &self.plan.schedule.steps[variable];
        let words = self.opened(state, step);
        let [a, b] = self.ends(&words, step);
        if a == b {
            Forced::to(1, self.decide(state, variable, true))
        } else if self.apart(a as usize - 1, b as usize - 1).get(&words) == 1 {
            Forced::to(0, self.decide(state, variable, false))
        } else {
            Forced::Free
        }
    }
}
