//! Predictions of the size of a sweep, by a short pilot and the frontier of its order.
//!
//! A **pilot** is the beginning of the sweep: the real engine on the real spec, stopped by a limit of
//! states. The sizes of the remaining levels are extrapolated:
//!
//! ```text
//! states = estimate^a · ratio^b
//! ```
//!
//! `estimate` is the number of states estimated from the frontier of the level. `ratio` is the geometric
//! mean of `states / estimate^a` over the last levels of the pilot. It includes effects that the
//! estimate misses, such as states that die early. Its exponent is less than 1, because the frontier of
//! these levels is still narrow.
//!
//! [`predict`] repeats the pilot with more states until it has some percent of the states of the
//! run. [`choose`] compares orders by pilots and by their frontiers. A short pilot ends while the
//! frontier is narrow, and says little about the widest levels: alone, it prefers orders that begin well.
//!
//! The exponents `a` and `b` (`Exponents`) are fitted to 280 sweeps of up to 77 million states: paths in road
//! networks, and paths, cycles, trees, forests, connected subgraphs and matchings of grids, other lattices
//! and random graphs. Predictions within a factor of four:
//!
//! | states of the pilot | 1/8 | 1/50 | 1/400 | 1/3000 | 1/30 000 |
//! | --- | --- | --- | --- | --- | --- |
//! | predictions | 94 % | 95 % | 93 % | 87 % | 82 % |
//!
//! For vertex sets, `estimate` is the number of labellings of the frontier or the number of paths from the root, whichever
//! is less. Both are estimated from samples. This estimate is closer to the number of states, so its exponents are closer
//! to 1. From a pilot of a hundredth of the states, the twelve sweeps that a test names are predicted within a factor of
//! four: independent, dominating and connected sets of grids, boards, a torus, a cube and random graphs, some of bounded
//! size, with 40 000 to 2.5 million states. Maximal independent sets of sparse random graphs may be further off.
//!
//! Paths of bounded length and colourings were not among these sweeps. Bounds on weights add sums
//! to the states, and bits to the estimate, if the bits come from a family
//! ([`GraphSets::frontier_bits`](crate::families::GraphSets::frontier_bits)). Partitions of a road network into four
//! blocks of bounded weight, with 2 to 111 million states, were predicted within a factor of four by half a second.

#[cfg(test)]
mod tests;

use std::cell::LazyCell;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use topdd::{BoxedSpec, BuildError, DdSpec, Frontier, Rule, Step};

/// The exponents of an extrapolation.
#[derive(Clone, Copy, Debug)]
struct Exponents {
    estimate: f64,
    ratio: f64,
}

/// Of frontiers. The exponent of the estimate is less than 1, because the estimate is an upper bound:
/// it treats the mates or components of a frontier as independent.
const OF_FRONTIER: Exponents = Exponents { estimate: 0.77, ratio: 0.4 };

/// In [`choose`]: the orders that it chooses have been compared with others at this value.
const OF_CHOICE: Exponents = Exponents { estimate: 0.65, ..OF_FRONTIER };

/// Of the estimates that are close to the states.
const OF_SAMPLE: Exponents = Exponents { estimate: 1.0, ratio: 0.7 };

/// The exponent of the number of labellings of a frontier, some of which no way leads to.
const LABELS_EXPONENT: f64 = 0.9;

/// The number of last levels with states that the ratio is a mean of. A single one is unreliable: if most of
/// its nodes are forced, it has few states.
const LAST: usize = 4;

/// The weight of the prediction in the score of an order in [`choose`], which is a geometric mean of the
/// prediction and the sum of the estimates.
const PREDICTION_WEIGHT: f64 = 0.6;

/// If no pilot finishes, [`choose`] chooses the given order, unless its estimate exceeds this multiple of
/// the least. The order in which a graph is given often follows its structure, such as the rows of a grid,
/// and the search finds orders whose estimates are too low.
const GIVEN_FACTOR: f64 = 1.5;

/// [`first_to_finish`] tries orders whose estimate is at most this multiple of the least.
const TRIED_FACTOR: f64 = 4.0;

/// The number of states of the first pilot of [`predict`], which takes some hundredths of a second.
const FIRST_PILOT: u64 = 500_000;

/// A pilot is long enough if the predicted states are at most so many times its own.
const ENOUGH: f64 = 40.0;

/// The states of a sweep that takes some hundredths of a second.
pub(crate) const SHORT_SWEEP: u64 = 64_000;

/// The states of the first and of the last pilot of [`choose`], and the factor between two pilots.
const FIRST_RACE: u64 = SHORT_SWEEP;
const LAST_RACE: u64 = 512_000;
const RACE_FACTOR: u64 = 8;

/// Bytes of an edge of an unreduced diagram: a target of four bytes, and its value.
const EDGE_BYTES: f64 = 5.0;

/// The predicted size of a sweep.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Prediction {
    /// The number of states of each variable: exact up to [`exact_levels`](Prediction::exact_levels).
    pub levels: Vec<f64>,
    /// The number of levels that the pilot completed.
    pub exact_levels: usize,
    /// The number of states over all levels.
    pub states: f64,
    /// Peak memory of counting without a diagram, in bytes.
    pub count_bytes: f64,
    /// Peak memory of building a diagram, in bytes, without the memory of the reduction.
    pub build_bytes: f64,
    /// Time of the sweep, in seconds, with the threads of the pilot.
    pub seconds: f64,
    /// Whether the pilot finished, so that all figures are measured.
    pub is_exact: bool,
    /// Time of all pilots.
    pub pilot_time: Duration,
}

/// log2 of the estimated states before each variable, with the exponents for it.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    bits: Vec<f64>,
    exponents: Exponents,
}

impl Estimate {
    /// The estimate by the frontier, which is an upper bound.
    pub(crate) fn of_frontier(bits: Vec<f64>) -> Self {
        Self { bits, exponents: OF_FRONTIER }
    }

    /// The estimate by the labellings of the frontier, of which there are 2 to the power of `labels`, and by a sample
    /// of the states of the spec.
    pub(crate) fn of_labels(labels: Vec<f64>, spec: &BoxedSpec<'_>) -> Self {
        let ways = surviving_bits(spec);
        let least = |(labels, ways): (f64, f64)| (LABELS_EXPONENT * labels).min(ways);
        let bits = labels.into_iter().zip(ways).map(least).collect();
        Self { bits, exponents: OF_SAMPLE }
    }
}

/// The work that a prediction may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PilotLimit {
    /// The maximum number of states of one pilot.
    pub states: u64,
    /// The maximum time of all pilots.
    pub time: Duration,
}

/// At most 20 million states, and half a second.
impl Default for PilotLimit {
    fn default() -> Self {
        Self { states: 20_000_000, time: Duration::from_millis(500) }
    }
}

/// Predicts the size of a sweep by pilots, and returns the sweep.
///
/// `bits` has an entry for each variable: log2 of the estimated states at the frontier before it, as
/// [`frontier_bits`](crate::order::frontier_bits) returns for an order. Limits of states and time that the sweep has are
/// replaced.
///
/// The last pilot expands about one fortieth of the predicted states, and at least half a million. It
/// stops earlier if the sweep ends, at `limit.states` states, or when all pilots together have taken
/// `limit.time`.
///
/// # Errors
///
/// A [`BuildError`] if a pilot fails for another reason than its limit.
///
/// # Panics
///
/// If `bits` does not have an entry for each level of the sweep.
///
/// # Example
///
/// ```
/// use topdd_graph::families::{Order, Unit, forests};
/// use topdd_graph::order::{Cost, find_order, frontier_bits};
/// use topdd_graph::predict::{PilotLimit, predict};
/// use topdd_graph::Graph;
///
/// let grid = Graph::grid(5, 5);
/// let cost = Cost::components();
/// let order = find_order(&grid, Unit::Edge, &cost);
/// let bits = frontier_bits(&grid, Unit::Edge, &order, &cost);
/// let sweep = forests(&grid).order(Order::Custom(order)).frontier()?;
/// let prediction = predict(sweep, &bits, PilotLimit::default())?;
/// assert!(prediction.is_exact && prediction.states > 100.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn predict<S>(
    frontier: Frontier<'_, S>,
    bits: &[f64],
    limit: PilotLimit,
) -> Result<Prediction, BuildError> {
    predict_by(frontier, bits.len(), || Estimate::of_frontier(bits.to_vec()), limit)
}

/// Like [`predict`], with `num_vars` variables. Calls `estimate` only if a pilot does not finish.
pub(crate) fn predict_by<S>(
    frontier: Frontier<'_, S>,
    num_vars: usize,
    estimate: impl FnOnce() -> Estimate,
    limit: PilotLimit,
) -> Result<Prediction, BuildError> {
    let start = Instant::now();
    let estimate = LazyCell::new(estimate);
    let mut frontier = frontier;
    let mut states = FIRST_PILOT.min(limit.states);
    let mut longest: Option<Prediction> = None;
    loop {
        let time = limit.time.saturating_sub(start.elapsed());
        frontier = frontier.max_states(states).time_limit(time);
        let (prediction, stop) = pilot(&mut frontier, num_vars, || &estimate)?;
        let wanted = (prediction.states / ENOUGH).min(limit.states as f64) as u64;
        // The time may end a pilot before it is as long as the previous one.
        let is_longer = |known: &Prediction| prediction.exact_levels >= known.exact_levels;
        if longest.as_ref().is_none_or(is_longer) {
            longest = Some(prediction);
        }
        let is_late = start.elapsed() > limit.time / 2;
        if stop != PilotStop::States || wanted < 2 * states || is_late {
            break;
        }
        // Overestimates are common while a pilot is short.
        states = wanted.min(8 * states);
    }
    let prediction = longest.expect("there was a pilot");
    Ok(Prediction { pilot_time: start.elapsed(), ..prediction })
}

/// Returns the predicted number of states of a sweep, from a pilot of [`SHORT_SWEEP`] states on one thread: the
/// result does not depend on the machine. Does not call [`on_level`](Frontier::on_level). Arguments and errors as for
/// [`predict_by`].
pub(crate) fn predicted_states(
    frontier: Frontier<'_>,
    num_vars: usize,
    estimate: impl FnOnce() -> Estimate,
) -> Result<u64, BuildError> {
    let mut frontier = frontier.threads(1).max_states(SHORT_SWEEP).on_level(|_| {});
    let estimate = LazyCell::new(estimate);
    Ok(pilot(&mut frontier, num_vars, || &estimate)?.0.states as u64)
}

/// The reason why a pilot stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PilotStop {
    End,
    States,
    Time,
}

/// Runs a sweep over so many variables to its limit, and extrapolates by the estimate.
fn pilot<'e, S>(
    frontier: &mut Frontier<'_, S>,
    num_vars: usize,
    estimate: impl FnOnce() -> &'e Estimate,
) -> Result<(Prediction, PilotStop), BuildError> {
    let start = Instant::now();
    let stop = match frontier.profile() {
        Ok(_) => PilotStop::End,
        Err(BuildError::LimitReached { limit: topdd::Limit::States(_), .. }) => PilotStop::States,
        Err(BuildError::LimitReached { limit: topdd::Limit::Time(_), .. }) => PilotStop::Time,
        Err(error) => return Err(error),
    };
    let seconds = start.elapsed().as_secs_f64();
    let report = frontier.report();
    let complete = report.levels.last().map_or(0, |level| level.variable + 1);
    let mut levels = vec![0.0; num_vars];
    for level in &report.levels {
        levels[level.variable] = level.states as f64;
    }
    let known = report.states() as f64;
    if stop != PilotStop::End {
        extrapolate(&mut levels, complete, estimate());
    }
    // The sum of no numbers is -0.
    let states = levels.iter().sum::<f64>() + 0.0;
    let growth = if known > 0.0 { states / known } else { 1.0 };
    // The sweep holds the states of two levels at a time.
    let pairs = |levels: &[f64]| {
        let pair = |i: usize| levels[i] + levels.get(i + 1).copied().unwrap_or(0.0);
        (0..levels.len()).map(pair).fold(1.0, f64::max)
    };
    let held = pairs(&levels) / pairs(&levels[..complete]);
    let count_bytes = report.peak_bytes as f64 * held;
    let last = report.levels.last();
    // The limit interrupts a level: the time until its beginning is the time of the known states.
    let measured = if stop == PilotStop::End {
        seconds
    } else {
        last.map_or(seconds, |level| level.elapsed.as_secs_f64())
    };
    let prediction = Prediction {
        states,
        count_bytes,
        build_bytes: count_bytes + EDGE_BYTES * report.edges() as f64 * growth,
        seconds: measured * growth,
        is_exact: stop == PilotStop::End,
        pilot_time: start.elapsed(),
        exact_levels: if stop == PilotStop::End { levels.len() } else { complete },
        levels,
    };
    Ok((prediction, stop))
}

/// Fills in the sizes of the levels from `complete` on.
fn extrapolate(levels: &mut [f64], complete: usize, estimate: &Estimate) {
    let Estimate { bits, exponents } = estimate;
    // log2 of the ratio in each of the last levels. Levels without states contain only forced nodes.
    let with_states = (0..complete).rev().filter(|&i| levels[i] > 0.0);
    let last: Vec<f64> =
        with_states.take(LAST).map(|i| levels[i].log2() - exponents.estimate * bits[i]).collect();
    let excess = last.iter().sum::<f64>() / last.len().max(1) as f64;
    for i in complete..levels.len() {
        levels[i] =
            (exponents.estimate * bits[i] + exponents.ratio * excess).clamp(0.0, 1000.0).exp2();
    }
}

/// Chooses the order with the fewest states, by pilots with the spec of each and by its frontiers.
///
/// `bits_of` returns log2 of the estimated states before each variable of an order, as
/// [`frontier_bits`](crate::order::frontier_bits) does. `sweep` makes the sweep of an
/// order; orders for which it fails are passed over.
///
/// The pilots take 64 000 states of each order first. If none finishes, the best quarter takes
/// 512 000. Sweeps that finish are compared by their states, the others by a mean of
/// the prediction and the sum of the estimates. But if no pilot finishes, the given order `0..` is chosen
/// if the sum of its estimates is at most 1.5 times the least: it often follows the structure of the graph,
/// as the order of the rows of a grid does. Deterministic: no pilot is stopped by time.
///
/// Returns the first order if `sweep` fails for all.
///
/// # Panics
///
/// If `orders` is empty.
///
/// # Example
///
/// ```
/// use topdd_graph::families::{Order, Unit, forests};
/// use topdd_graph::order::{Cost, find_orders, frontier_bits};
/// use topdd_graph::{Graph, predict};
///
/// let grid = Graph::grid(4, 6);
/// let cost = Cost::components();
/// let orders = find_orders(&grid, Unit::Edge, &cost);
/// let bits_of = |order: &[usize]| frontier_bits(&grid, Unit::Edge, order, &cost);
/// let order = predict::choose(orders, bits_of, |order| {
///     forests(&grid).order(Order::Custom(order.to_vec())).frontier()
/// });
/// assert_eq!(order.len(), grid.num_edges());
/// ```
pub fn choose<E>(
    orders: Vec<Vec<usize>>,
    bits_of: impl Fn(&[usize]) -> Vec<f64>,
    mut sweep: impl FnMut(&[usize]) -> Result<Frontier<'static>, E>,
) -> Vec<usize> {
    let bits: Vec<Vec<f64>> = orders.iter().map(|order| bits_of(order)).collect();
    let estimates: Vec<f64> = bits.iter().map(|bits| estimate(bits)).collect();
    let least = estimates.iter().copied().fold(f64::INFINITY, f64::min);
    let is_given = |index: &usize| orders[*index].iter().copied().eq(0..orders[*index].len());
    let is_good = |&index: &usize| estimates[index] <= GIVEN_FACTOR * least;
    let good_given = (0..orders.len()).find(is_given).filter(is_good);
    let mut left: Vec<usize> = (0..orders.len()).collect();
    let mut states = FIRST_RACE;
    while left.len() > 1 && states <= LAST_RACE {
        let mut results = Vec::new();
        for &index in &left {
            let Ok(frontier) = sweep(&orders[index]) else { continue };
            // One thread: the level at which the limit is noticed does not depend on the machine.
            let mut frontier = frontier.threads(1).max_states(states);
            let of_order = Estimate { bits: bits[index].clone(), exponents: OF_CHOICE };
            if let Ok((prediction, _)) = pilot(&mut frontier, of_order.bits.len(), || &of_order) {
                let score = if prediction.is_exact {
                    prediction.states
                } else if good_given == Some(index) {
                    // Wins unless a pilot finishes.
                    0.0
                } else {
                    prediction.states.powf(PREDICTION_WEIGHT)
                        * estimates[index].powf(1.0 - PREDICTION_WEIGHT)
                };
                results.push((!prediction.is_exact, score, index));
            }
        }
        results.sort_by(|a, b| (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)));
        let Some(&(is_open, ..)) = results.first() else { break };
        let keep = if is_open { left.len().div_ceil(4) } else { 1 };
        left = results.iter().take(keep).map(|result| result.2).collect();
        states *= RACE_FACTOR;
    }
    orders.into_iter().nth(left[0]).expect("its index is in range")
}

/// The estimated number of states of an order, from log2 of the estimates before each variable.
fn estimate(bits: &[f64]) -> f64 {
    bits.iter().map(|bits| (OF_CHOICE.estimate * bits).min(1000.0).exp2()).sum()
}

/// Returns an order whose sweep has at most 64 000 states, if there is one among the orders with the least estimates: then no
/// other order can save more than some hundredths of a second. Another order replaces the one found before if it has less
/// than two thirds of its states.
///
/// Arguments as for [`choose`]. Deterministic: no sweep is stopped by time.
pub(crate) fn first_to_finish<E>(
    orders: Vec<Vec<usize>>,
    bits_of: impl Fn(&[usize]) -> Vec<f64>,
    mut sweep: impl FnMut(&[usize]) -> Result<Frontier<'static>, E>,
) -> Option<Vec<usize>> {
    let mut orders: Vec<(f64, Vec<usize>)> =
        orders.into_iter().map(|order| (estimate(&bits_of(&order)), order)).collect();
    orders.sort_by(|a, b| a.0.total_cmp(&b.0));
    let most = TRIED_FACTOR * orders.first()?.0;
    let (mut found, mut limit) = (None, SHORT_SWEEP);
    for (_, order) in orders.into_iter().take_while(|order| order.0 <= most) {
        let Ok(frontier) = sweep(&order) else { continue };
        // One thread: the level at which the limit is noticed does not depend on the machine.
        let mut frontier = frontier.threads(1).max_states(limit);
        if frontier.profile().is_ok() {
            limit = 2 * frontier.report().states() / 3;
            found = Some(order);
        }
    }
    found
}

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
fn surviving_bits(spec: &BoxedSpec<'_>) -> Vec<f64> {
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
                let left = next.len() - place;
                next.swap(place, place + (xorshift(&mut seed) >> 20) as usize % left);
            }
            next.truncate(most);
        }
        states = next;
        bits
    };
    (0..num_vars).map(level).collect()
}

/// The next pseudo-random number, the same in every run (G. Marsaglia, *Xorshift RNGs*, 2003).
pub(crate) fn xorshift(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}
