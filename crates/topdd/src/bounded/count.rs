//! Bounds of counts, and estimates.

use super::Settings;
use super::costs::{Arrival, CostModel, NoObjective};
use super::levels::Width;
use crate::Map;
use crate::error::{BuildError, caught};
use crate::frontier::Watch;
use crate::random::SplitMix;
use crate::spec::{DdSpec, Step};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::mem::size_of;

/// Bounds of the number of solutions; see [`Bounded::count_bounds`](super::Bounded::count_bounds).
///
/// Both are proven: the lower one counts solutions, and the upper one the solutions of a relaxation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountBounds {
    lower: BigUint,
    upper: Option<BigUint>,
}

impl CountBounds {
    /// Returns the lower bound.
    pub fn lower(&self) -> &BigUint {
        &self.lower
    }

    /// Returns the upper bound; `None` if the spec does not merge the states.
    pub fn upper(&self) -> Option<&BigUint> {
        self.upper.as_ref()
    }

    /// Returns the count, if the bounds are equal.
    pub fn exact(&self) -> Option<&BigUint> {
        self.upper().filter(|&upper| *upper == self.lower)
    }
}

/// An estimate of the number of solutions; see [`Bounded::estimate_count`](super::Bounded::estimate_count).
///
/// It is no bound: of 100 intervals of 2000 samples each, 96 and more held the count of twelve measured problems. Numbers of
/// 2^1024 and more are infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountEstimate {
    /// The mean of the samples.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The number of samples.
    pub samples: usize,
}

/// The states of a level in the order in which they were met, with a number of ways to each.
struct CountLevel<State> {
    index: Map<State, usize>,
    states: Vec<(State, BigUint)>,
}

impl<State> Default for CountLevel<State> {
    fn default() -> Self {
        CountLevel { index: Map::default(), states: Vec::new() }
    }
}

impl<State: Clone + Eq + std::hash::Hash> CountLevel<State> {
    fn add(&mut self, state: State, count: &BigUint) {
        let Self { index, states } = self;
        let place = *index.entry(state).or_insert_with_key(|state| {
            states.push((state.clone(), BigUint::zero()));
            states.len() - 1
        });
        states[place].1 += count;
    }
}

/// A sweep of limited width.
struct CountSweep<'c, 'p, S> {
    costs: &'c CostModel<'p, S, NoObjective>,
    watch: &'c Watch,
    width: usize,
}

impl<S: DdSpec> CountSweep<'_, '_, S> {
    /// Counts the ways to the 1-terminal. `narrow` makes a level narrow, and returns `None` if it cannot; `visit` sees each
    /// level before its states are expanded.
    fn run(
        &self,
        narrow: impl Fn(usize, Vec<(S::State, BigUint)>) -> Option<Vec<(S::State, BigUint)>>,
        mut visit: impl FnMut(usize, &[(S::State, BigUint)]),
    ) -> Result<Option<BigUint>, BuildError> {
        let root = match self.costs.root()? {
            Some(Arrival::Open(root)) => root,
            Some(Arrival::Solution(_)) => return Ok(Some(BigUint::one())),
            None => return Ok(Some(BigUint::zero())),
        };
        let mut levels: BTreeMap<usize, CountLevel<S::State>> = BTreeMap::new();
        levels.entry(root.variable).or_default().add(root.state, &BigUint::one());
        let mut total = BigUint::zero();
        while let Some((variable, level)) = levels.pop_first() {
            let mut states = level.states;
            if states.len() > self.width {
                let Some(narrowed) = narrow(variable, states) else { return Ok(None) };
                states = narrowed;
            }
            visit(variable, &states);
            for (index, (state, count)) in states.iter().enumerate() {
                if index % 1024 == 0 {
                    self.watch.check(Some(variable))?;
                }
                self.costs.each_step(state, variable, |_, _, next| match next {
                    None => total += count,
                    Some((to, next)) => levels.entry(to).or_default().add(next, count),
                })?;
            }
        }
        Ok(Some(total))
    }

    /// The states with most ways to them.
    fn fullest(&self, mut states: Vec<(S::State, BigUint)>) -> Vec<(S::State, BigUint)> {
        states.sort_by(|(_, one), (_, other)| other.cmp(one));
        states.truncate(self.width);
        states
    }

    /// Leaves half of the states, those with most ways to them, and merges the others with those that were met next to them.
    fn merged(
        &self,
        variable: usize,
        states: Vec<(S::State, BigUint)>,
    ) -> Option<Vec<(S::State, BigUint)>> {
        let kept = self.width / 2;
        let mut counts: Vec<(&BigUint, usize)> =
            states.iter().enumerate().map(|(index, (_, count))| (count, index)).collect();
        counts.sort_by(|(one, at), (other, other_at)| other.cmp(one).then(at.cmp(other_at)));
        let mut is_kept = vec![false; states.len()];
        counts[..kept].iter().for_each(|&(_, index)| is_kept[index] = true);
        let group = (states.len() - kept).div_ceil(self.width - kept);
        let mut narrowed = CountLevel::default();
        let mut merged: Option<(S::State, BigUint)> = None;
        let mut members = 0;
        for ((state, count), is_kept) in states.into_iter().zip(is_kept) {
            if is_kept {
                narrowed.add(state, &count);
                continue;
            }
            merged = Some(match merged {
                None => (state, count),
                Some((whole, sum)) => {
                    (self.costs.spec.merge(&whole, &state, variable)?, sum + count)
                }
            });
            members += 1;
            if members == group {
                members = 0;
                if let Some((state, count)) = merged.take() {
                    narrowed.add(state, &count);
                }
            }
        }
        if let Some((state, count)) = merged {
            narrowed.add(state, &count);
        }
        Some(narrowed.states)
    }
}

/// Bounds the number of solutions.
pub(super) fn count_bounds<S: DdSpec>(
    costs: &CostModel<'_, S, NoObjective>,
    settings: &Settings,
) -> Result<CountBounds, BuildError> {
    let watch = Watch::start(settings.time_limit, settings.cancel.clone());
    let width = width::<S>(settings, 2);
    let sweep = CountSweep { costs, watch: &watch, width };
    caught(|| {
        let lower = sweep.run(|_, states| Some(sweep.fullest(states)), |_, _| ())?;
        let upper = sweep.run(|variable, states| sweep.merged(variable, states), |_, _| ())?;
        Ok(CountBounds { lower: lower.unwrap_or_default(), upper })
    })
}

/// The width of a sweep that keeps `levels` levels at once.
fn width<S: DdSpec>(settings: &Settings, levels: usize) -> usize {
    let Width { states, bytes } = settings.width(1);
    // Each state is in a list and in a table, with a count.
    states.min(bytes / levels.max(1) / (2 * size_of::<S::State>() + 128)).max(2)
}

/// Samples of the number of solutions, guided by a sweep of the states with most ways to them.
///
/// A sample goes from the root to a terminal. It takes each step with a known probability, and counts as the inverse of the
/// probability of its way; ways to the 0-terminal count as 0. So the mean is the number of solutions, whatever the
/// probabilities are (D. E. Knuth, "Estimating the efficiency of backtrack programs", 1975).
pub(super) fn estimate_count<S: DdSpec>(
    costs: &CostModel<'_, S, NoObjective>,
    settings: &Settings,
    samples: usize,
    seed: u64,
) -> Result<CountEstimate, BuildError> {
    let watch = Watch::start(settings.time_limit, settings.cancel.clone());
    let width = width::<S>(settings, 2 + costs.arities.num_vars()).max(MIN_GUIDE_WIDTH);
    caught(|| {
        let guide = Guide::new(&CountSweep { costs, watch: &watch, width })?;
        let mut draw = SplitMix(seed);
        let mut logs = Vec::new();
        for index in 0..samples {
            if index % 256 == 0 {
                watch.check(None)?;
            }
            logs.push(guide.sample(costs, &mut draw)?);
        }
        Ok(interval(&logs, guide.is_exact && samples > 0))
    })
}

/// The number of completions of some states, in a sweep that dropped the others, as logarithms of base 2.
struct Guide<State> {
    /// Whether the sweep dropped no states.
    is_exact: bool,
    levels: BTreeMap<usize, Map<State, f64>>,
}

impl<State: Clone + Eq + std::hash::Hash> Guide<State> {
    fn new<S: DdSpec<State = State>>(sweep: &CountSweep<'_, '_, S>) -> Result<Self, BuildError> {
        let mut kept: Vec<(usize, Vec<State>)> = Vec::new();
        let visit = |variable: usize, states: &[(State, BigUint)]| {
            kept.push((variable, states.iter().map(|(state, _)| state.clone()).collect()));
        };
        let is_exact = Cell::new(true);
        let narrow = |_, states| {
            is_exact.set(false);
            Some(sweep.fullest(states))
        };
        sweep.run(narrow, visit)?;
        let mut guide = Guide { is_exact: is_exact.get(), levels: BTreeMap::new() };
        for (variable, states) in kept.into_iter().rev() {
            sweep.watch.check(Some(variable))?;
            let mut level = Map::default();
            for state in states {
                let mut sum = f64::NEG_INFINITY;
                sweep.costs.each_step(&state, variable, |_, _, next| {
                    let of = next.map_or(Some(0.0), |(to, next)| guide.log_count(to, &next));
                    sum = add_logs(sum, of.unwrap_or(f64::NEG_INFINITY));
                })?;
                level.insert(state, sum);
            }
            guide.levels.insert(variable, level);
        }
        Ok(guide)
    }

    fn log_count(&self, variable: usize, state: &State) -> Option<f64> {
        self.levels.get(&variable)?.get(state).copied()
    }

    /// The logarithm of a sample.
    fn sample<S: DdSpec<State = State>>(
        &self,
        costs: &CostModel<'_, S, NoObjective>,
        draw: &mut SplitMix,
    ) -> Result<f64, BuildError> {
        let (mut step, mut log) = (costs.spec.root_under(crate::Rule::ZeroSuppressed), 0.0);
        loop {
            let (variable, state) = match step {
                Step::Zero => return Ok(f64::NEG_INFINITY),
                Step::One => return Ok(log),
                Step::To(variable, state) => (variable, state),
            };
            let mut children = Vec::new();
            costs.each_step(&state, variable, |_, _, next| {
                let known = match &next {
                    None => Some(0.0),
                    Some((to, next)) => self.log_count(*to, next),
                };
                let next = next.map_or(Step::One, |(to, next)| Step::To(to, next));
                children.push((next, known.unwrap_or(f64::NEG_INFINITY)));
            })?;
            let most = children.iter().map(|child| child.1).fold(f64::NEG_INFINITY, f64::max);
            let weight = |known: f64| match (known - most).exp2() {
                share if self.is_exact => share,
                _ if known == f64::NEG_INFINITY => UNKNOWN_WEIGHT,
                share => share.max(MIN_WEIGHT),
            };
            let total: f64 = children.iter().map(|child| weight(child.1)).sum();
            let mut left = (draw.next() >> 11) as f64 / (1u64 << 53) as f64 * total;
            let Some(last) = children.len().checked_sub(1) else {
                return Ok(f64::NEG_INFINITY);
            };
            let taken = children.iter().position(|child| {
                left -= weight(child.1);
                left < 0.0
            });
            let (next, known) = children.swap_remove(taken.unwrap_or(last));
            log += (total / weight(known)).log2();
            step = next;
        }
    }
}

/// The weight of a state that the guide does not know, beside 1 for the best known one. With 0.05, intervals of 95 percent
/// held the count of 26 items of a knapsack in 58 of 100 runs, with 1 in 91.
const UNKNOWN_WEIGHT: f64 = 1.0;

/// The least weight of a state.
const MIN_WEIGHT: f64 = 0.05;

/// The least width of the guide.
const MIN_GUIDE_WIDTH: usize = 1000;

fn add_logs(one: f64, other: f64) -> f64 {
    let (less, more) = if one < other { (one, other) } else { (other, one) };
    if less == f64::NEG_INFINITY {
        more
    } else {
        more + (less - more).exp2().ln_1p() / std::f64::consts::LN_2
    }
}

/// The mean of numbers given by their logarithms, with its interval of 95 percent.
fn interval(logs: &[f64], is_exact: bool) -> CountEstimate {
    let samples = logs.len();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() {
        // No sample is a solution.
        let high = if is_exact { 0.0 } else { f64::INFINITY };
        return CountEstimate { mean: 0.0, low: 0.0, high, samples };
    }
    let relative = || logs.iter().map(|log| (log - most).exp2());
    let n = samples as f64;
    let mean = relative().sum::<f64>() / n;
    let variance = relative().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    // More than the 1.96 of a normal distribution, as variances are estimates. Sums of floats differ from exact numbers.
    let half = 2.58 * (variance / n).sqrt() + mean * 1e-9;
    // Few large samples are seldom met, so the mean is more often below the count than above it (N. J. Johnson, "Modified t
    // tests and confidence intervals for asymmetrical populations", 1978).
    let third = relative().map(|x| (x - mean).powi(3)).sum::<f64>() / n;
    let shift = if variance > 0.0 { 1.45 * third / variance / n } else { 0.0 };
    let scaled = |x: f64| (x.max(0.0).log2() + most).exp2();
    let (low, high) = match samples {
        1 if !is_exact => (0.0, f64::INFINITY),
        _ => (scaled(mean + shift - half).min(scaled(mean)), scaled(mean + shift.max(0.0) + half)),
    };
    CountEstimate { mean: scaled(mean), low, high, samples }
}
