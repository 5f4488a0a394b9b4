//! Predictions of the sizes of runs.

use std::io::{self, Write};

use serde_json::{Value, json};
use topdd_graph::Graph;
use topdd_graph::order::{Cost, frontier_bits, vertex_frontiers};
use topdd_graph::predict::{PilotLimit, Prediction, predict as pilot};

use super::family::{self, Family};
use super::{Unit, input, word};
use crate::args::{self, What};
use crate::bytes::Bytes;
use crate::failure::{Failure, Swept};

/// The families that are compared.
const FAMILIES: [What; 8] = [
    What::Paths,
    What::Cycles,
    What::Trees,
    What::Forests,
    What::Connected,
    What::Matchings,
    What::IndependentSets,
    What::DominatingSets,
];

/// The prediction for a family, and its widest frontier in vertices.
struct Row {
    what: What,
    widest: usize,
    prediction: Prediction,
}

/// `topdd graph predict`.
pub(crate) fn predict(asked: &args::Graph) -> Result<(), Failure> {
    let file = input::read(asked)?;
    let graph = &file.graph;
    let mut rows = Vec::new();
    for what in FAMILIES {
        let (family, _) = family::of(asked, what, &file)?;
        // A family that the graph does not have, such as one of undirected graphs, has no row.
        let Ok(order) = family.order() else { continue };
        let family = family.ordered(order.clone());
        let Ok(frontier) = family.frontier() else { continue };
        let (bits, widest) = frontier_of(&family, what, graph, &order);
        let swept = Swept { unit: "variable", variables: order.len(), common: &asked.common };
        let prediction = pilot(frontier, &bits, PilotLimit::default());
        rows.push(Row {
            what,
            widest,
            prediction: prediction.map_err(|error| swept.failed(&error))?,
        });
    }
    let text = if asked.common.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        format!("{}\n", json!({ "file": input::name(&asked.file), "families": rows }))
    } else {
        let heads = format!(
            "{:<18}{:>9}{:>14}{:>12}{:>12}{:>11}\n",
            "family", "frontier", "states", "counting", "building", "seconds"
        );
        heads + &rows.iter().map(Row::line).collect::<String>()
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).map_err(|error| Failure::of_stdout(&error))
}

/// log2 of the estimated states before each variable, and the largest number of vertices on the
/// frontier.
fn frontier_of(family: &Family, what: What, graph: &Graph, order: &[usize]) -> (Vec<f64>, usize) {
    let vertices = graph.num_vertices();
    if family.unit() == Unit::Edge {
        let cost = match what {
            What::Paths | What::Cycles => Cost::mates(),
            What::Matchings => Cost::degrees(1),
            _ => Cost::components(),
        };
        let bits = frontier_bits(vertices, graph.edges(), order, &cost);
        // With two values, a vertex is one bit.
        let ones = frontier_bits(vertices, graph.edges(), order, &Cost::values(2));
        let widest = ones.into_iter().fold(0.0, f64::max);
        return (bits, widest as usize);
    }
    let values = if what == What::DominatingSets { 3.0_f64 } else { 2.0 };
    let widths = vertex_frontiers(vertices, graph.edges(), order);
    let widest = widths.iter().copied().max().unwrap_or(0);
    let before = std::iter::once(0).chain(widths).take(order.len());
    (before.map(|width| width as f64 * values.log2()).collect(), widest)
}

impl Row {
    fn line(&self) -> String {
        let Row { what, widest, prediction } = self;
        let about = if prediction.is_exact { "" } else { "~" };
        format!(
            "{:<18}{widest:>9}{:>14}{:>12}{:>12}{:>11}\n",
            word(what),
            format!("{about}{}", rounded(prediction.states)),
            size(prediction.count_bytes),
            size(prediction.build_bytes),
            format!("{about}{:.2}", prediction.seconds),
        )
    }

    fn json(&self) -> Value {
        let Row { what, widest, prediction } = self;
        json!({
            "what": word(what),
            "frontier": widest,
            "states": prediction.states,
            "exact": prediction.is_exact,
            "count_bytes": prediction.count_bytes,
            "build_bytes": prediction.build_bytes,
            "seconds": prediction.seconds,
        })
    }
}

/// A number with three digits that count, or all if it is small.
fn rounded(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.2e}") }
}

fn size(bytes: f64) -> String {
    // Whole units: a prediction has no digits to spare.
    let shift = (0..5).rev().map(|unit| 10 * unit).find(|&shift| bytes >= (1_u64 << shift) as f64);
    let unit = 1_u64 << shift.unwrap_or(0);
    Bytes(((bytes / unit as f64).round() as usize).saturating_mul(unit as usize)).to_string()
}
