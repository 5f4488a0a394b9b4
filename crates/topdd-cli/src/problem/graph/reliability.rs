//! The probability that the terminals of a network are connected.

use std::io::{self, Write};
use std::num::NonZero;
use std::thread::available_parallelism;

use serde_json::{Value, json};
use topdd::{BuildError, Frontier, QueryError, Rule, Weights};
use topdd_graph::families::{NetworkBlock, ReducedNetwork, Reliability};
use topdd_graph::format::GraphFile;

use super::family::{self, Conditions, order, refused};
use super::input;
use super::predict::{predict_blocks, warn_of_block};
use crate::args::{self, EdgeProbability};
use crate::failure::{Failure, Swept};
use crate::interrupt;
use crate::progress::{say, say_time};

/// The answer, and the size of the sweeps.
struct Answer {
    probability: f64,
    /// The number of edge sets that connect the terminals, by size.
    counts: Option<Vec<String>>,
    blocks: usize,
    /// The number of edges in the blocks.
    edges: usize,
    states: u64,
    peak_bytes: usize,
}

/// `topdd graph reliability`.
pub(crate) fn reliability(asked: &args::Graph) -> Result<(), Failure> {
    check(asked)?;
    if asked.directed {
        return Err(Failure::usage("reliability is for undirected graphs; leave out --directed"));
    }
    let file = input::read(asked)?;
    let graph = &file.graph;
    if graph.is_directed() {
        return Err(input::is_directed(asked));
    }
    let mut conditions = Conditions::new(asked, graph);
    let works = edge_probabilities(asked, &file, &mut conditions)?;
    let mut network = Reliability::new(graph, &works).order(order(asked.order));
    if !(asked.terminals.is_empty() && file.terminals.is_empty()) {
        network = network.terminals(&conditions.terminals("connecting", &file)?);
    }
    if let Some(works) = asked.vertex_p {
        conditions.add(&format!("vertices work with {works}"));
        network = network.vertices(&vec![works; graph.num_vertices()]);
    }
    let reduced = network.reduced().map_err(|error| refused(asked, &error))?;
    if asked.predict {
        return predict_blocks(asked, reduced.blocks());
    }
    let answer = answer(asked, &network, &reduced)?;
    let common = &asked.common;
    if common.report || !(common.quiet || common.json) {
        say_time(common.start.elapsed());
    }
    let title = format!(
        "reliability of {}, {}{}",
        input::name(&asked.file),
        input::size(graph),
        conditions.text
    );
    let text = if common.json {
        format!("{}\n", answer.json(asked, &file, &conditions.text))
    } else if common.quiet {
        format!("{}\n", shown(answer.probability))
    } else {
        answer.text(&title)
    };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).map_err(|error| Failure::of_stdout(&error))
}

/// Refuses options that have no meaning for a number.
fn check(asked: &args::Graph) -> Result<(), Failure> {
    family::check(asked)?;
    let common = &asked.common;
    let listed = common.all || common.limit.is_some() || common.nth.is_some();
    let written = common.save.is_some() || common.dot.is_some() || common.pictures.to_file();
    for (flag, given) in [
        ("--list, --limit, --nth, --sample", listed || common.sample.is_some()),
        ("--save, --dot and pictures", written),
        ("--count-only", common.count_only),
        ("--checkpoint", common.checkpoint.is_some()),
    ] {
        if given {
            return Err(Failure::Usage(format!("{flag}: not for reliability, which is a number")));
        }
    }
    Ok(())
}

/// The probability of each edge, which is added to the conditions.
fn edge_probabilities(
    asked: &args::Graph,
    file: &GraphFile,
    conditions: &mut Conditions<'_>,
) -> Result<Vec<f64>, Failure> {
    let edges = file.graph.num_edges();
    match asked.p {
        Some(EdgeProbability::All(works)) => {
            conditions.add(&format!("edges work with {works}"));
            Ok(vec![works; edges])
        }
        Some(EdgeProbability::Weights) | None => {
            conditions.add("edges work with their weights");
            let Some(works) = &file.edge_numbers else {
                return Err(Failure::Usage(format!(
                    "the edges of {} have no weights; write their probabilities, as in `a b 0.95`",
                    input::name(&asked.file)
                )));
            };
            match works.iter().position(|works| !(0.0..=1.0).contains(works)) {
                None => Ok(works.clone()),
                Some(edge) => Err(Failure::Failed(format!(
                    "{}, line {}: the weight {} is no probability; write a number from 0 to 1",
                    input::name(&asked.file),
                    file.edge_lines[edge],
                    works[edge]
                ))),
            }
        }
    }
}

fn answer(
    asked: &args::Graph,
    network: &Reliability<'_>,
    reduced: &ReducedNetwork,
) -> Result<Answer, Failure> {
    let mut answer = Answer {
        probability: reduced.factor(),
        counts: None,
        blocks: reduced.blocks().len(),
        edges: reduced.blocks().iter().map(|block| block.graph().num_edges()).sum(),
        states: 0,
        peak_bytes: 0,
    };
    for block in reduced.blocks() {
        warn_of_block(&asked.common, block);
        let mut frontier = limited(asked, block);
        let probability = frontier.probability_under(Rule::AnyValue, &block.probabilities());
        answer.probability *= probability.map_err(|error| failed(asked, block, error))?;
        let report = frontier.report();
        answer.states += report.states();
        answer.peak_bytes = answer.peak_bytes.max(report.peak_bytes);
        if asked.common.report {
            say(report);
        }
    }
    if asked.by_size {
        let block = network.unreduced().map_err(|error| refused(asked, &error))?;
        warn_of_block(&asked.common, &block);
        let ones = Weights::of_ones(vec![1; block.num_vars()]);
        let by_size = limited(asked, &block).count_by_under(Rule::AnyValue, &ones, None);
        let mut counts = vec!["0".to_owned(); block.num_vars() + 1];
        for (size, count) in by_size.map_err(|error| failed(asked, &block, error))? {
            counts[usize::try_from(size).expect("a size is not negative")] = count.to_string();
        }
        answer.counts = Some(counts);
    }
    Ok(answer)
}

/// The sweep of a block, with the limits of the command line.
fn limited<'a>(asked: &'a args::Graph, block: &NetworkBlock) -> Frontier<'a> {
    let common = &asked.common;
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let mut frontier: Frontier<'a> = block.frontier();
    frontier = frontier.threads(common.threads.unwrap_or_else(cores));
    if let Some(bytes) = common.memory {
        frontier = frontier.memory_limit(bytes);
    }
    if let Some(time) = common.time_left() {
        frontier = frontier.time_limit(time);
    }
    if let Some(dir) = &common.spill {
        frontier = frontier.spill_to(dir);
    }
    frontier.cancel_with(interrupt::token())
}

/// The failure of the sweep of a block.
fn failed(asked: &args::Graph, block: &NetworkBlock, error: QueryError) -> Failure {
    let swept = Swept { unit: "variable", variables: block.num_vars(), common: &asked.common };
    match error {
        QueryError::Build(BuildError::Cancelled { variable }) => {
            Failure::Interrupted(format!("interrupted {}", swept.at(variable)))
        }
        QueryError::Build(error) => swept.failed(&error),
        error => Failure::Failed(error.to_string()),
    }
}

/// A probability with twelve digits: the last ones of a sum depend on the order of its terms.
fn shown(probability: f64) -> String {
    if probability == 0.0 || probability >= 1e-3 {
        format!("{probability:.12}")
    } else {
        format!("{probability:.11e}")
    }
}

impl Answer {
    fn text(&self, title: &str) -> String {
        let Answer { probability, counts, blocks, edges, states, .. } = self;
        let probability = shown(*probability);
        let block = if *blocks == 1 { "block" } else { "blocks" };
        let by_size = counts.iter().flatten().enumerate().filter(|(_, count)| *count != "0");
        let by_size: Vec<String> =
            by_size.map(|(size, count)| format!("{size} edges: {count}\n")).collect();
        let by_size = by_size.concat();
        format!(
            "{title}\n{probability}\n{states} states, {blocks} {block} with {edges} edges after \
             reductions\n{by_size}"
        )
    }

    fn json(&self, asked: &args::Graph, file: &GraphFile, conditions: &str) -> Value {
        json!({
            "problem": {
                "name": "graph",
                "what": "reliability",
                "file": input::name(&asked.file),
                "vertices": file.graph.num_vertices(),
                "edges": file.graph.num_edges(),
                "conditions": conditions.trim_start_matches(", "),
            },
            "probability": self.probability,
            "counts_by_size": self.counts,
            "blocks": self.blocks,
            "edges_in_blocks": self.edges,
            "states": self.states,
            "peak_bytes": self.peak_bytes,
        })
    }
}
