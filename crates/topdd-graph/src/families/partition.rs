//! The sweep over partitions of the vertices into connected blocks, one variable for each edge.
//!
//! An edge is taken if both its ends are in one block. The state contains, for each slot of the
//! frontier, the label of its component: one plus the least slot of the component; the pairs of
//! components that an edge keeps apart; the weight of each component, if blocks have bounds; and
//! the number of complete blocks.

use super::layout::{Allocator, Field, LabelFields, Removed, ScheduledEdge, SlotSchedule, bits_of};
use super::{FamilyError, check_words};
use crate::Graph;
use topdd::spec::ArraySpec;
use topdd::{Forced, Step};

/// A number of blocks, and bounds on the weight of each.
#[derive(Clone, Debug)]
pub(super) struct PartitionRule {
    pub(super) blocks: usize,
    /// The least and the greatest weight.
    pub(super) weight: Option<(i128, i128)>,
}

/// The sum of the negative weights of vertices, and the sum of the positive ones.
pub(super) fn sums_of_signs(graph: &Graph) -> (i128, i128) {
    let weights = (0..graph.num_vertices()).map(|vertex| i128::from(graph.vertex_weight(vertex)));
    weights.fold((0, 0), |(below, above), weight| (below + weight.min(0), above + weight.max(0)))
}

impl PartitionRule {
    /// The greatest weight that states distinguish, from the sums of all negative and of all positive
    /// weights: a block that is heavy enough is not compared further if none can be too heavy.
    pub(super) fn heaviest(&self, range: (i128, i128)) -> i128 {
        match self.weight {
            Some((least, most)) if range.0 == 0 && most >= range.1 => least.clamp(0, range.1),
            _ => range.1,
        }
    }
}

/// The spec of a [`PartitionRule`].
#[derive(Clone, Debug)]
pub(super) struct Partition {
    rule: PartitionRule,
    schedule: SlotSchedule,
    /// By vertex.
    weights: Vec<i128>,
    /// The sum of the negative weights, and of the positive ones.
    range: (i128, i128),
    /// See [`PartitionRule::heaviest`].
    heaviest: i128,
    labels: LabelFields,
    /// For each slot, the pairs with smaller slots.
    apart: Vec<Vec<Field>>,
    sums: Vec<Field>,
    complete: Field,
    words: usize,
}

impl Partition {
    /// # Errors
    ///
    /// [`FamilyError::TooWide`] if the pairs of slots alone are too many for a state.
    pub(super) fn new(
        graph: &Graph,
        rule: &PartitionRule,
        order: &[usize],
    ) -> Result<Self, FamilyError> {
        let schedule = SlotSchedule::new(graph, order);
        let slots = schedule.width;
        check_words(slots, (slots.saturating_mul(slots.saturating_sub(1)) / 2).div_ceil(64))?;
        let weights: Vec<i128> =
            (0..graph.num_vertices()).map(|vertex| graph.vertex_weight(vertex).into()).collect();
        let range = sums_of_signs(graph);
        let mut allocator = Allocator::default();
        let blocks = rule.blocks.min(graph.num_vertices() + 1);
        let complete = allocator.field(bits_of(blocks as u64));
        let labels = LabelFields::new(&mut allocator, slots, bits_of(slots as u64));
        let apart = (0..slots).map(|slot| allocator.fields(slot, 1)).collect();
        let heaviest = rule.heaviest(range);
        let sum_bits = rule.weight.map_or(0, |_| {
            let largest: i128 = heaviest - range.0;
            u128::BITS - largest.unsigned_abs().leading_zeros()
        });
        let sums = allocator.fields(slots, sum_bits.min(64));
        let words = allocator.words();
        if sum_bits > 63 {
            return Err(FamilyError::WeightsTooLarge);
        }
        check_words(slots, words)?;
        let rule = PartitionRule { blocks, weight: rule.weight };
        Ok(Self { rule, schedule, weights, range, heaviest, labels, apart, sums, complete, words })
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

    /// Adds the vertices that enter.
    #[inline]
    fn open(&self, words: &mut [u64], step: &ScheduledEdge) {
        for end in step.ends.iter().filter(|end| end.enters) {
            self.labels.set(words, end.slot, end.slot as u64 + 1);
            let weight = self.weights[end.vertex].min(self.heaviest) - self.range.0;
            self.sums[end.slot].set(words, weight as u64);
        }
    }

    /// The labels of the ends of an edge.
    #[inline]
    fn ends(&self, words: &[u64], step: &ScheduledEdge) -> [u64; 2] {
        let [a, b] = &step.ends;
        [self.labels.get(words, a.slot), self.labels.get(words, b.slot)]
    }

    /// The bit of two slots, which are different.
    #[inline]
    fn apart(&self, a: usize, b: usize) -> Field {
        self.apart[a.max(b)][a.min(b)]
    }

    /// Moves the pairs of one slot to another.
    fn move_pairs(&self, words: &mut [u64], from: usize, to: usize) {
        for other in (0..self.schedule.width).filter(|&other| other != from) {
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
    fn weight(&self, words: &[u64], slot: usize) -> i128 {
        i128::from(self.sums[slot].get(words)) + self.range.0
    }

    /// Joins two components; `None` if the block becomes too heavy.
    fn join(&self, words: &mut [u64], a: u64, b: u64) -> Option<()> {
        let (keeps, loses) = (a.min(b) as usize - 1, a.max(b) as usize - 1);
        self.labels.replace(words, loses as u64 + 1, keeps as u64 + 1);
        self.move_pairs(words, loses, keeps);
        if let Some((_, most)) = self.rule.weight {
            let sum = self.weight(words, keeps) + self.weight(words, loses);
            if self.range.0 == 0 && sum > most {
                return None;
            }
            let sum = sum.min(self.heaviest);
            self.sums[keeps].set(words, (sum - self.range.0) as u64);
            self.sums[loses].set(words, 0);
        }
        Some(())
    }

    /// Removes a vertex from the frontier; `None` if it completes an illegal block.
    fn remove(&self, words: &mut [u64], slot: usize) -> Option<()> {
        let removed = self.labels.remove(words, slot);
        if let Removed::Other = removed {
            return Some(());
        }
        let weight = self.weight(words, slot);
        let stored = self.sums[slot].get(words);
        self.sums[slot].set(words, 0);
        if let Removed::Least { next } = removed {
            self.move_pairs(words, slot, next);
            self.sums[next].set(words, stored);
            return Some(());
        }
        for other in (0..self.schedule.width).filter(|&other| other != slot) {
            self.apart(slot, other).set(words, 0);
        }
        let complete = self.complete.get(words) + 1;
        if complete > self.rule.blocks as u64 || !self.is_legal(weight) {
            return None;
        }
        self.complete.set(words, complete);
        Some(())
    }

    /// The step of a state to which the vertices that enter have been added.
    #[inline]
    fn decide_opened(&self, words: &mut [u64], variable: usize, taken: bool) -> Step<()> {
        let step = &self.schedule.steps[variable];
        let [a, b] = self.ends(words, step);
        if a == b {
            if !taken {
                return Step::Zero;
            }
        } else {
            let apart = self.apart(a as usize - 1, b as usize - 1);
            if !taken {
                apart.set(words, 1);
            } else if apart.get(words) == 1 || self.join(words, a, b).is_none() {
                return Step::Zero;
            }
        }
        for (side, end) in step.ends.iter().enumerate() {
            let is_new = side == 0 || !step.is_loop;
            if is_new && end.leaves && self.remove(words, end.slot).is_none() {
                return Step::Zero;
            }
        }
        let complete = self.complete.get(words);
        let blocks = self.rule.blocks as u64;
        if variable + 1 == self.schedule.steps.len() {
            return if complete == blocks { Step::One } else { Step::Zero };
        }
        // An edge is left, so there is at least one more block.
        if complete == blocks { Step::Zero } else { Step::To(variable + 1, ()) }
    }
}

impl ArraySpec for Partition {
    type Head = ();
    type Item = u64;

    fn num_vars(&self) -> usize {
        self.schedule.steps.len()
    }

    fn len(&self, _: usize) -> usize {
        self.words
    }

    fn root(&self, (): &mut (), words: &mut [u64]) -> Step<()> {
        match self.isolated_blocks() {
            Some(blocks) if self.schedule.steps.is_empty() => {
                if blocks == self.rule.blocks {
                    Step::One
                } else {
                    Step::Zero
                }
            }
            Some(blocks) if blocks <= self.rule.blocks => {
                self.complete.set(words, blocks as u64);
                Step::To(0, ())
            }
            _ => Step::Zero,
        }
    }

    fn child(&self, (): &mut (), words: &mut [u64], variable: usize, value: usize) -> Step<()> {
        self.open(words, &self.schedule.steps[variable]);
        self.decide_opened(words, variable, value == 1)
    }

    fn forced(&self, (): &mut (), words: &mut [u64], variable: usize) -> Forced<()> {
        let step = &self.schedule.steps[variable];
        self.open(words, step);
        let [a, b] = self.ends(words, step);
        if a == b {
            Forced::to(1, self.decide_opened(words, variable, true))
        } else if self.apart(a as usize - 1, b as usize - 1).get(words) == 1 {
            Forced::to(0, self.decide_opened(words, variable, false))
        } else {
            Forced::Free
        }
    }
}
