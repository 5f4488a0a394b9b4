//! The number of states of each level, as far as a sample of them shows.

use std::collections::HashSet;

use topdd::{BoxedSpec, DdSpec, Rule, Step};

/// The number of states that are kept of a level.
const KEPT: usize = 500;
const MIN_KEPT: usize = 50;
/// The number of states that are kept of all levels together, if that is more than [`MIN_KEPT`] of each.
const ALL_KEPT: usize = 200_000;

/// Returns log2 of the estimated number of states of each level, at least 0.
///
/// Sweeps with at most [`KEPT`] random states of each level (R. Rubinstein's *stochastic enumeration*, 2013). Two paths
/// that lead to the same state count once only if the sample contains both. So this estimates an upper bound, the number
/// of paths from the root. The bound is close if few paths merge, for example under tight bounds. Deterministic.
pub(super) fn surviving_bits(spec: &BoxedSpec<'_>) -> Vec<f64> {
    let num_vars = spec.num_vars();
    let most = (ALL_KEPT / num_vars.max(1)).clamp(MIN_KEPT, KEPT);
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut states = match spec.root_under(Rule::ZeroSuppressed) {
        Step::To(variable, state) => vec![(variable, state)],
        _ => Vec::new(),
    };
    // log2 of the states of which each stands for one.
    let mut factor = 0.0;
    let level = |variable: usize| {
        let here = states.iter().filter(|(at, _)| *at == variable).count();
        let bits = ((here as f64).log2() + factor).max(0.0);
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        let mut add = |child| {
            if seen.insert(std::clone::Clone::clone(&child)) {
                next.push(child);
            }
        };
        for (at, state) in std::mem::take(&mut states) {
            if at > variable {
                add((at, state));
                continue;
            }
            for value in 0..spec.arity(variable) {
                if let Step::To(at, child) = spec.child(&state, variable, value) {
                    add((at, child));
                }
            }
        }
        if next.len() > most {
            factor += (next.len() as f64 / most as f64).log2();
            for place in 0..most {
                // The generator xorshift of G. Marsaglia.
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let left = next.len() - place;
                next.swap(place, place + (seed >> 20) as usize % left);
            }
            next.truncate(most);
        }
        states = next;
        bits
    };
    (0..num_vars).map(level).collect()
}
