//! The best solution within bounds, for problems whose diagram does not fit: how a run is asked for, whether the states of a
//! problem merge, and the words for its end.

use std::collections::BTreeMap;
use std::num::NonZero;

use topdd::bounded::{BoundedBest, StopReason};
use topdd::{Bounded, BoxedSpec, DdSpec, Goal, Limit, QueryError, Rule, Step, Weights};

use crate::condition::Run;
use crate::error::ProblemError;
use crate::problem::Problem;

/// How narrow a bounded run is, and how near its bound must come.
///
/// ```
/// use topdd::constraint;
/// use topdd_problem::bounded::{BoundedOptions, merges, parse_gap};
///
/// let few = constraint::at_most(40, 12);
/// assert!(merges(&few));
/// let options = BoundedOptions { width: 8.try_into().ok(), gap: parse_gap("5%").ok() };
/// let bounds = options.over(&few).count_bounds()?;
/// assert!(*bounds.lower() < topdd::count(&few)?);
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoundedOptions {
    /// The most states for a variable; `None` for as many as the memory limit holds.
    pub width: Option<NonZero<usize>>,
    /// The difference of weight and bound, as a share of the weight, at which the run ends.
    pub gap: Option<f64>,
}

impl BoundedOptions {
    /// Makes a run over a spec.
    pub fn over<'a, S: DdSpec>(&self, spec: &'a S) -> Bounded<'a, S> {
        let mut run = Bounded::over(spec);
        if let Some(width) = self.width {
            run = run.width(width.get());
        }
        if let Some(gap) = self.gap {
            run = run.gap(gap);
        }
        run
    }
}

/// Returns the part of a memory limit, in bytes, that is the [limit](Bounded::memory_limit) of a run: it counts no memory that
/// states own.
pub fn memory_of_run(limit: usize) -> usize {
    limit / 2
}

/// Runs for the solution that is best by these weights.
///
/// # Errors
///
/// The errors of [`Bounded::minimize`].
pub fn best<S: DdSpec>(
    run: &mut Bounded<'_, S>,
    weights: &Weights<i64>,
    goal: Goal,
) -> Result<BoundedBest, QueryError> {
    match goal {
        Goal::Minimum => run.minimize(weights),
        Goal::Maximum => run.maximize(weights),
    }
}

/// Makes the spec of a problem for a bounded run, with the variables in this order.
///
/// # Errors
///
/// [`ProblemError::NoMerge`] if its states do not merge, unless it has rules of the user; the errors of [`Problem::spec`].
pub fn spec(
    problem: &Problem,
    order: &[usize],
    run: &dyn Run,
) -> Result<BoxedSpec<'static>, ProblemError> {
    let spec = problem.spec(order, run)?;
    let is_of_rules = matches!(problem, Problem::Rules(_));
    if is_of_rules || merges(&spec) { Ok(spec) } else { Err(ProblemError::NoMerge) }
}

/// Reads a gap: `5%`, or the share `0.05`.
///
/// # Errors
///
/// A message that says what to write.
pub fn parse_gap(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim_end().parse().map(|number: f64| number / unit).ok();
    let share = share.filter(|share| share.is_finite() && *share >= 0.0);
    // A share of 1 or more without a sign is percent, most likely.
    let share = share.filter(|share| *share < 1.0 || unit > 1.0);
    share.ok_or_else(|| "write percent, such as 5%, or a share below 1, such as 0.05".to_owned())
}

/// Returns a gap as text, in percent with at most two decimals; `None` if the weight is 0, and the bound is not.
pub fn gap_text(gap: f64) -> Option<String> {
    let text = format!("{:.2}", 100.0 * gap);
    gap.is_finite().then(|| format!("{}%", text.trim_end_matches('0').trim_end_matches('.')))
}

/// Returns the word for what ended a run: `gap`, `time`, `memory`, `states` or `cancel`. `None` if the solution is proven.
pub fn stopped_by(reason: &StopReason) -> Option<&'static str> {
    match reason {
        StopReason::Proven => None,
        StopReason::Gap => Some("gap"),
        StopReason::Limit(Limit::Time(_)) => Some("time"),
        StopReason::Limit(Limit::Bytes(_)) => Some("memory"),
        StopReason::Limit(_) => Some("states"),
        _ => Some("cancel"),
    }
}

/// The most states of a level that are looked at, and pairs in all.
const MAX_STATES: usize = 16;
const MAX_PAIRS: usize = 256;

/// Returns whether states of a spec [merge](DdSpec::merge), or no level has two: without merges, a bounded run proves
/// little. Looks at a few states of the first levels.
pub fn merges<S: DdSpec>(spec: &S) -> bool {
    let mut levels: BTreeMap<usize, Vec<S::State>> = BTreeMap::new();
    let add = |levels: &mut BTreeMap<usize, Vec<S::State>>, step| {
        if let Step::To(variable, state) = step {
            let states = levels.entry(variable).or_default();
            if states.len() < MAX_STATES && !states.contains(&state) {
                states.push(state);
            }
        }
    };
    add(&mut levels, spec.root_under(Rule::ZeroSuppressed));
    let mut pairs = 0;
    while let Some((variable, states)) = levels.pop_first()
        && pairs < MAX_PAIRS
    {
        for pair in states.windows(2) {
            if spec.merge(&pair[0], &pair[1], variable).is_some() {
                return true;
            }
            pairs += 1;
        }
        for state in &states {
            let _ = spec.for_each_child(state, variable, |_, step| {
                add(&mut levels, step);
                std::ops::ControlFlow::<()>::Continue(())
            });
        }
    }
    pairs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_shares_or_percents() {
        assert_eq!(
            (parse_gap("5%"), parse_gap("0.05"), parse_gap("0")),
            (Ok(0.05), Ok(0.05), Ok(0.0))
        );
        for text in ["", "%", "-1%", "five", "inf", "nan"] {
            assert!(parse_gap(text).is_err(), "{text}");
        }
        assert_eq!(gap_text(0.0).as_deref(), Some("0%"));
        assert_eq!(gap_text(0.25).as_deref(), Some("25%"));
        assert_eq!(gap_text(0.01234).as_deref(), Some("1.23%"));
        assert_eq!(gap_text(f64::INFINITY), None);
    }

    #[test]
    fn components_do_not_merge_and_sums_do() {
        let grid = topdd_graph::Graph::grid(3, 3);
        let spec = |family: crate::Family| family.sets(&grid).unwrap().spec().unwrap();
        assert!(!merges(&spec(crate::Family::SpanningTrees)));
        assert!(merges(&spec(crate::Family::Matchings)));
        assert!(merges(&topdd::constraint::exactly(5, 5)));
    }
}
