//! Predictions of the sizes of runs, and the warning about those that do not fit.

use serde_json::{Value, json};
use topdd_graph::GraphError;
use topdd_graph::families::{FamilyError, GraphSets, NetworkBlock, Order, Unit, at_most};
use topdd_graph::predict::{PilotLimit, Prediction};
use topdd_problem::{Bytes, Family, ParameterError};

use super::family::{self, Reader};
use super::input::{self, Source};
use super::{OnGraph, source};
use crate::args::{Common, Predict, Sets};
use crate::failure::{Failure, Swept};
use crate::memory::{self, Remedies};
use crate::outcome;
use crate::output::answer;
use crate::problem::CountMethod;
use crate::progress::say;

/// The prediction for a family, and its widest frontier in vertices.
struct PredictionRow {
    what: String,
    widest: usize,
    prediction: Prediction,
}

/// The families that are compared, with the options of the command line.
fn compared(asked: &Predict, reader: &Reader<'_>) -> Result<[Family; 8], Failure> {
    let [from, to] = reader.ends(&asked.ends)?;
    let (hamiltonian, distance) = (asked.hamiltonian.hamiltonian, asked.distance.distance);
    Ok([
        Family::Paths { from, to, hamiltonian },
        Family::Cycles { hamiltonian },
        Family::SpanningTrees,
        Family::Forests,
        Family::Connected { terminals: None },
        Family::Matchings,
        Family::IndependentSets { distance },
        Family::DominatingSets,
    ])
}

/// `topdd graph predict`.
pub(crate) fn predict(asked: &Predict) -> Result<(), Failure> {
    let source = Source::of_facts("predict", &asked.input);
    let file = source.read()?;
    let common = Common::default();
    let reader = Reader::new(source, &file);
    let (mut rows, mut both_directions) = (Vec::new(), None);
    let asked_sets = Sets { conditions: asked.conditions.clone(), ..Sets::default() };
    for family in compared(asked, &reader)? {
        let source = Source { what: family.name(), ..source };
        let conditions = reader.conditions(&family, &asked_sets)?;
        let sets = match family.sets(&file.graph) {
            Ok(sets) => conditions.iter().fold(sets, |sets, condition| condition.before(sets)),
            // A family that the graph does not have, such as one of undirected graphs, has no row.
            Err(ParameterError::Family(FamilyError::Graph(error))) => {
                if let GraphError::BothDirections { .. } = error {
                    both_directions.get_or_insert(error);
                }
                continue;
            }
            Err(error) => return Err(reader.refused(&error)),
        };
        let sets = sets.order(asked.order.order.clone());
        if sets.frontier().is_ok() {
            rows.push(PredictionRow::new(&sets, source, &common)?);
        }
    }
    if let Some(error) = both_directions {
        let why = input::both_directions(&error);
        say(format_args!("note: families without a row: {why}"));
    }
    write(source, asked.facts.json, &rows)
}

/// `topdd graph FAMILY --predict`: the prediction for one family.
pub(crate) fn predict_run(problem: &OnGraph<'_>) -> Result<(), Failure> {
    let source = source(problem.asked);
    let row = PredictionRow::new(&problem.sets, source, problem.common())?;
    write(source, problem.common().answer.json, &[row])
}

/// `topdd graph reliability --predict`.
pub(super) fn predict_blocks(
    source: Source<'_>,
    is_json: bool,
    blocks: &[NetworkBlock],
) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for block in blocks {
        let prediction = predicted(|limit| block.predict(limit))
            .map_err(|error| family::refused(source, &error))?;
        let (what, widest) = (source.what.to_owned(), block.width());
        rows.push(PredictionRow { what, widest, prediction });
    }
    write(source, is_json, &rows)
}

/// Predicts the size of a sweep, by pilots.
fn predicted(
    predict: impl FnOnce(PilotLimit) -> Result<Prediction, FamilyError>,
) -> Result<Prediction, FamilyError> {
    outcome::start_pool(0);
    predict(memory::limit().pilot())
}

fn write(source: Source<'_>, is_json: bool, rows: &[PredictionRow]) -> Result<(), Failure> {
    let object = || {
        let rows: Vec<Value> = rows.iter().map(PredictionRow::json).collect();
        json!({ "file": source.name(), "families": rows })
    };
    answer(is_json, object, || {
        if rows.is_empty() {
            return "the reductions leave no edge, so that nothing is swept over\n".to_owned();
        }
        let heads = format!(
            "{:<27}{:>9}{:>11}{:>12}{:>12}{:>15}\n",
            "family", "frontier", "states", "counting", "building", "time"
        );
        heads + &rows.iter().map(PredictionRow::line).collect::<String>()
    })
}

/// Bytes of a state with its counts or edges, for an upper bound.
const STATE_BYTES: f64 = 64.0;

/// The prediction of a run that is not expected to fit in memory, by pilots of at most half a second; none are made if the
/// upper bound of the states, whose binary logarithms by level are `bits`, fits. `None` also for a run that can spill.
fn too_large(
    common: &Common,
    bits: &[f64],
    predict: impl FnOnce(PilotLimit) -> Result<Prediction, FamilyError>,
    needed: impl FnOnce(&Prediction) -> f64,
) -> Option<Prediction> {
    let limit = memory::limit().bytes;
    let states: f64 = bits.iter().map(|&bits| bits.min(100.0).exp2()).sum();
    let is_ample = limit == usize::MAX || states * STATE_BYTES < limit as f64;
    if is_ample || common.limits.spill_to.is_some() {
        return None;
    }
    predicted(predict).ok().filter(|prediction| needed(prediction) > limit as f64)
}

/// Warns before a run that is not expected to fit in memory, and names remedies.
pub(crate) fn warn(problem: &OnGraph<'_>) {
    let (common, sets) = (problem.common(), &problem.sets);
    if problem.method == Some(CountMethod::Paths) {
        return;
    }
    let needed = |prediction: &Prediction| {
        if common.needs_diagram() { prediction.build_bytes } else { prediction.count_bytes }
    };
    let too_large_of = |sets: &GraphSets| {
        let bits = sets.frontier_bits().ok()?;
        too_large(common, &bits, |limit| sets.predict(limit), needed)
    };
    let Some(prediction) = too_large_of(sets) else { return };
    // States that leave out the sums may fit.
    if problem.method == Some(CountMethod::Sums) && too_large_of(&sets.without_sums()).is_none() {
        return;
    }
    let mut hints = Vec::new();
    if common.could_count_only() && prediction.count_bytes < prediction.build_bytes / 2.0 {
        let counting = size(prediction.count_bytes);
        hints.push(format!("count without a diagram, with --count-only ({counting})"));
    }
    if problem.asked.order.order != Order::Auto {
        let chosen = predicted(|limit| sets.clone().order(Order::Auto).predict(limit));
        if let Ok(chosen) = chosen.as_ref().map(needed)
            && chosen < needed(&prediction) / 2.0
        {
            hints.push(format!("let topdd choose the order, without --order ({})", size(chosen)));
        }
    }
    hints.extend(small_sets_hint(problem, |small| needed(small) < needed(&prediction) / 4.0));
    warn_with(&prediction, needed(&prediction), hints);
}

/// The advice to bound the size of vertex sets, if they have no upper bound and small ones are `much_less` work.
fn small_sets_hint(
    problem: &OnGraph<'_>,
    much_less: impl Fn(&Prediction) -> bool,
) -> Option<String> {
    let conditions = &problem.asked.sets.conditions;
    let is_bounded = conditions.at_most.is_some() || conditions.exactly.is_some();
    if is_bounded || problem.sets.unit() != Unit::Vertex {
        return None;
    }
    // Fewer members than that are not of much use, and with more, bounds exclude few states.
    let most = problem.form.elements.order.len().div_ceil(6);
    let small = problem.sets.clone().and(at_most(most));
    let small = predicted(|limit| small.predict(limit)).ok()?;
    let states = rounded(small.states);
    much_less(&small)
        .then(|| format!("look for small sets, with --at-most ({most}: {states} states)"))
}

/// Warns before the sweep over a block of a network, as [`warn`] does.
pub(super) fn warn_of_block(common: &Common, block: &NetworkBlock) {
    let needed = |prediction: &Prediction| prediction.count_bytes;
    let bits = block.frontier_bits();
    if let Some(large) = too_large(common, &bits, |limit| block.predict(limit), needed) {
        warn_with(&large, needed(&large), Vec::new());
    }
}

/// Warns about a run that needs so many bytes. `hints` is advice of its own.
fn warn_with(prediction: &Prediction, bytes: f64, mut hints: Vec<String>) {
    let limit = memory::limit();
    if memory::remedies() == Remedies::Configure {
        hints = vec![memory::SAVE_FIRST.to_owned()];
    } else {
        hints.push("spill to disk, with --spill-to DIR".to_owned());
        if !limit.is_chosen && bytes <= topdd::available_memory() as f64 {
            // Counts of many digits take more than the states that were measured, and a small run needs
            // some buffers as well.
            let enough = (3.0 * bytes).max((64 << 10) as f64);
            hints.push(format!("allow more with --memory-limit, about {}", size(enough)));
        }
    }
    let have = if limit.is_chosen {
        format!("topdd stops at {}, 70 percent of the free memory", size(limit.bytes as f64))
    } else {
        format!("--memory-limit allows {}", Bytes(limit.bytes))
    };
    say(format_args!(
        "warning: this run is expected to take {} of memory, for {} states, and {have}\nhint: {}",
        size(bytes),
        rounded(prediction.states),
        hints.join(", or ")
    ));
}

impl PredictionRow {
    fn new(family: &GraphSets, source: Source<'_>, common: &Common) -> Result<Self, Failure> {
        let refused = |error: FamilyError| match error {
            FamilyError::Build(error) => {
                let swept = Swept {
                    unit: "variable",
                    variables: family.element_order().map_or(0, |order| order.len()),
                    common,
                };
                swept.failed(&error)
            }
            error => family::refused(source, &error),
        };
        let widest = family.max_frontier().map_err(refused)?;
        let prediction = predicted(|limit| family.predict(limit)).map_err(refused)?;
        Ok(Self { what: source.what.to_owned(), widest, prediction })
    }

    fn line(&self) -> String {
        let PredictionRow { what, widest, prediction } = self;
        let about = if prediction.is_exact { "" } else { "~" };
        format!(
            "{:<27}{widest:>9}{:>11}{:>12}{:>12}{:>15}\n",
            what,
            format!("{about}{}", rounded(prediction.states)),
            format!("~{}", size(prediction.count_bytes)),
            format!("~{}", size(prediction.build_bytes)),
            format!("{about}{}", time(prediction.seconds)),
        )
    }

    fn json(&self) -> Value {
        let PredictionRow { what, widest, prediction } = self;
        json!({
            "what": what,
            "frontier": widest,
            "states": prediction.states,
            "exact": prediction.is_exact,
            "count_bytes": prediction.count_bytes,
            "build_bytes": prediction.build_bytes,
            "seconds": prediction.seconds,
        })
    }
}

/// A number with two digits that count, or all if it is small.
fn rounded(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.1e}") }
}

fn size(bytes: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].into_iter().zip(0..);
    let units: Vec<_> = units.map(|(unit, power)| (unit, 1024_f64.powi(power))).collect();
    // Whole units: a prediction has no digits to spare.
    in_units(bytes, &units, 0)
}

fn time(seconds: f64) -> String {
    let units =
        [("s", 1.0), ("min", 60.0), ("h", 3600.0), ("days", 86_400.0), ("years", 31_557_600.0)];
    in_units(seconds, &units, if seconds < 10.0 { 2 } else { 0 })
}

/// A quantity in the largest unit of which there is at least one, with so many decimals. The units
/// are in ascending order, each with its length in units of the quantity.
fn in_units(quantity: f64, units: &[(&str, f64)], decimals: usize) -> String {
    let fits = units.iter().rev().find(|(_, length)| quantity >= *length);
    let (unit, length) = fits.unwrap_or(&units[0]);
    match quantity / length {
        number if number < 1e6 => format!("{number:.decimals$} {unit}"),
        number => format!("{number:.1e} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_of_any_size_are_short() {
        for (bytes, text) in [
            (0.0, "0 B"),
            (1023.0, "1023 B"),
            (1024.0, "1 KiB"),
            (1.5e9, "1 GiB"),
            (1e24, "867362 EiB"),
            (1e30, "8.7e11 EiB"),
            (f64::MAX, "1.6e290 EiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        for (seconds, text) in [
            (0.0, "0.00 s"),
            (9.99, "9.99 s"),
            (59.0, "59 s"),
            (7000.0, "2 h"),
            (200_000.0, "2 days"),
            (1e9, "32 years"),
            (1e17, "3.2e9 years"),
        ] {
            assert_eq!(time(seconds), text);
        }
        assert_eq!((rounded(999_999.0), rounded(1_234_567.0)), ("999999".into(), "1.2e6".into()));
    }
}
