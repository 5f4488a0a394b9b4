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
use super::sums::Sums;
use crate::Graph;
use crate::order::edge_frontiers;

/// The part of the vertices on a frontier whose blocks have sums of their own. Measured on partitions of
/// road networks into four blocks with 7 to 53 sums each: a block has several vertices there, and the sums of
/// all blocks have a fixed total.
const BLOCK_SHARE: f64 = 0.55;

/// log2 of the estimated number of sums of the blocks on the frontier, before each step of an order.
pub(super) fn of_blocks(graph: &Graph, rule: &PartitionRule, order: &[usize]) -> Vec<f64> {
    let Some((_, most)) = rule.weight else { return vec![0.0; order.len()] };
    let range = sums_of_signs(graph);
    // With negative weights, a block that is too heavy can still become legal.
    let heaviest = rule.heaviest(range);
    let most = if range.0 == 0 { most.min(heaviest) } else { heaviest - range.0 };
    let widths = edge_frontiers(graph.num_vertices(), graph.edges(), order);
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
pub(super) fn of_rule(rule: &LinearRule, order: &[usize]) -> Vec<f64> {
    let sums = Sums::new(rule, order);
    // As many subsets, and so as many sums, as 2 to the number of the steps before.
    (0..order.len()).map(|step| sums.count(step).log2().min(step as f64)).collect()
}

/// Adds bits to the bits of each step.
pub(super) fn add(bits: &mut [f64], more: &[f64]) {
    bits.iter_mut().zip(more).for_each(|(bits, more)| *bits += more);
}
