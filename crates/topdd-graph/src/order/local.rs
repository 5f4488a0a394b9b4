//! Local moves: an order is improved by moving single vertices.

use super::closing::total_states;
use super::cost::Cost;
use super::incidence::Incidence;

/// The maximum distance of a move, in positions.
const REACH: u64 = 16;

/// A generator of pseudo-random numbers (Marsaglia's xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// Tries `moves` moves of one vertex by at most [`REACH`] positions, and keeps those that do not
/// increase the estimated states. Returns the estimate of the result. Each move takes time linear in
/// the graph.
pub(super) fn improve(graph: &Incidence, cost: &Cost, order: &mut Vec<usize>, moves: usize) -> f64 {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut least = total_states(graph, cost, order);
    let positions = order.len() as u64;
    if positions < 3 {
        return least;
    }
    for _ in 0..moves {
        let from = random.below(positions);
        let step = 1 + random.below(REACH.min(positions - 1));
        let to = if random.below(2) == 0 { from + step } else { from + positions - step };
        let (from, to) = (from as usize, (to % positions) as usize);
        let vertex = order.remove(from);
        order.insert(to, vertex);
        let states = total_states(graph, cost, order);
        if states <= least {
            least = states;
        } else {
            order.remove(to);
            order.insert(from, vertex);
        }
    }
    least
}
