//! The probability that the terminals of a network are connected.

use std::fs;
use std::io;

use serde_json::{Value, json};
use topdd::{BigUint, FinishedCheckpoint, Frontier, Rule};
use topdd_graph::families::{NetworkBlock, ReducedNetwork, Reliability, Unit};
use topdd_graph::format::GraphFile;
use topdd_problem::elements::edge_names;

use super::family::{Reader, refused};
use super::input::{self, Loaded, Source};
use super::predict::{predict_blocks, warn_of_block};
use crate::args::{self, Common, Engine, PerItem};
use crate::failure::{Failure, Swept};
use crate::importance::{Measure, MeasureTable};
use crate::memory;
use crate::output::{self, by_size, counted, texts};
use crate::progress::{say, say_time};
use crate::sweep::{remove_checkpoints, sizes, within_limits};

/// The largest number of variables of a block whose sweep has no checkpoint: it takes milliseconds.
const WITHOUT_CHECKPOINT: usize = 16;

/// The answer, and the size of the sweeps.
struct ReliabilityAnswer {
    probability: f64,
    /// The number of edge sets that connect the terminals, by size.
    counts: Option<Vec<BigUint>>,
    /// The importance of each edge.
    importance: Option<MeasureTable>,
    blocks: usize,
    /// The number of edges in the blocks.
    edges: usize,
    states: u64,
    peak_bytes: usize,
    /// The checkpoints of the sweeps, removed when the answer is printed.
    checkpoints: Vec<FinishedCheckpoint>,
}

/// The question: a network, its reductions, and the facts that the key of a checkpoint contains.
struct NetworkQuestion<'a> {
    source: Source<'a>,
    common: &'a Common,
    file: &'a GraphFile,
    network: Reliability<'a>,
    /// The probability of each edge, and of each vertex if vertices may fail.
    works: Vec<f64>,
    /// The terminals, or the ends of paths.
    terminals: Vec<usize>,
    conditions: String,
}

/// `topdd graph reliability`.
pub(crate) fn reliability(asked: &args::Reliability) -> Result<(), Failure> {
    let input = &asked.input;
    let probabilities = &asked.probabilities;
    let p_attribute = probabilities.p_attribute.as_deref();
    let source = Source { input, p_attribute, what: "reliability", quiet: asked.quiet };
    let file = source.read()?;
    let graph = &file.graph;
    let reader = Reader::new(source, &file);
    let edge_p = probabilities.p.unwrap_or(PerItem::Weights);
    let (mut all, edge_words) = works(reader.loaded, edge_p, Unit::Edge)?;
    let mut words = vec![edge_words];
    let mut network = Reliability::new(graph, &all).order(asked.order.order.clone());
    if let Some(vertex_p) = probabilities.vertex_p {
        let (vertices, vertex_words) = works(reader.loaded, vertex_p, Unit::Vertex)?;
        network = network.vertex_p(&vertices);
        words.push(vertex_words);
        all.extend(vertices);
    }
    let terminals = terminals(asked, &reader)?;
    let names = || terminals.iter().map(|&vertex| reader.names.vertex_name(vertex));
    if graph.is_directed() {
        words.extend(
            ["from", "to"].into_iter().zip(names()).map(|(word, name)| format!("{word} {name}")),
        );
    } else if !terminals.is_empty() {
        words.push(format!("connecting {}", names().collect::<Vec<_>>().join(" ")));
    }
    network = match terminals[..] {
        [] => network,
        [from, to] if graph.is_directed() => network.directed(from, to),
        _ => network.terminals(&terminals),
    };
    let reduced = network.reduced().map_err(|error| refused(source, &error))?;
    if asked.predict {
        return predict_blocks(source, asked.json, reduced.blocks());
    }
    let conditions = words.join(", ");
    let common = &asked.common();
    memory::set_remedies(common.remedies(Engine::Frontier, true));
    let question =
        NetworkQuestion { source, common, file: &file, network, works: all, terminals, conditions };
    let answer = question.answer(&reduced, asked)?;
    question.write(answer)
}

/// The terminals of an undirected graph, none for all vertices, or the two ends of paths of a directed one.
fn terminals(asked: &args::Reliability, reader: &Reader<'_>) -> Result<Vec<usize>, Failure> {
    let Loaded { source, file } = reader.loaded;
    let (graph, given) = (&file.graph, &asked.terminals);
    let ends = (&asked.ends.from, &asked.ends.to);
    if graph.is_directed() {
        let (Some(from), Some(to), []) = (ends.0, ends.1, &given.terminals[..]) else {
            let is_undirected = graph.check_directions().is_ok();
            let ignore = if is_undirected { "--undirected" } else { "--merge-directions" };
            let ignore = if source.input.directed {
                format!("write {ignore} in place of --directed")
            } else {
                format!("add {ignore}")
            };
            return Err(Failure::Usage(format!(
                "{} has directed edges, so that its reliability is the probability of a path from one vertex to another; give \
                 --from and --to, or {ignore} to ignore the directions",
                source.name()
            )));
        };
        let ends = vec![reader.vertex(from)?, reader.vertex(to)?];
        if ends[0] == ends[1] {
            return Err(Failure::usage("a path has two different ends; give another --to"));
        }
        reader.loaded.note_apart(&ends);
        return Ok(ends);
    }
    if ends.0.is_some() {
        return Err(Failure::usage(
            "--from and --to: for directed graphs; give --terminals, or add --directed",
        ));
    }
    if given.terminals.is_empty() {
        reader.loaded.note_components("the probability");
        if file.terminals.is_empty() {
            return Ok(Vec::new());
        }
    }
    reader.terminals(given)
}

/// The probability of each edge, or of each vertex, and a condition that says so.
fn works(
    loaded: Loaded<'_>,
    given: PerItem<f64>,
    unit: Unit,
) -> Result<(Vec<f64>, String), Failure> {
    let Loaded { source, file } = loaded;
    if let PerItem::All(works) = given {
        let all = vec![works; input::number_of(&file.graph, unit)];
        return Ok((all, format!("{unit} work with {works}")));
    }
    let weights = source.p_attribute.filter(|_| unit == Unit::Edge).unwrap_or("weights");
    loaded.check_weights(unit)?;
    let Some(works) = &file.elements(unit).numbers else {
        let name = source.name();
        let advice = match unit {
            Unit::Edge => "write their probabilities, as in `a b 0.95`",
            Unit::Vertex | Unit::Colour => "--vertices FILE adds a table with their probabilities",
        };
        return Err(Failure::Usage(format!("the {unit} of {name} have no {weights}; {advice}")));
    };
    match works.iter().position(|works| !(0.0..=1.0).contains(works)) {
        None => Ok((works.clone(), format!("{unit} work with their {weights}"))),
        Some(at) => {
            let problem = "is no probability; write a number from 0 to 1";
            Err(loaded.wrong_weight(unit, at, &works[at].to_string(), problem))
        }
    }
}

impl NetworkQuestion<'_> {
    /// Prints the answer, and removes its checkpoints.
    fn write(&self, answer: ReliabilityAnswer) -> Result<(), Failure> {
        let form = &self.common.answer;
        if form.report || !(form.quiet || form.json) {
            say_time(self.common.limits.start.elapsed());
        }
        let counts = answer.counts.as_ref();
        let object = || {
            json!({
                "problem": self.facts(),
                "probability": answer.probability,
                "counts_by_size": counts.map(|counts| texts(counts)),
                "importance": answer.importance.as_ref().map(MeasureTable::json),
                "blocks": answer.blocks,
                "edges_in_blocks": answer.edges,
                "states": answer.states,
                "peak_bytes": answer.peak_bytes,
            })
        };
        let written = output::answer(form.json, object, || {
            let probability = output::probability(answer.probability);
            if form.quiet {
                return probability + "\n";
            }
            let (file, size) = (self.source.name(), input::size(&self.file.graph));
            let ReliabilityAnswer { edges, states, .. } = answer;
            let blocks = counted(answer.blocks, "block");
            let by_size = counts.map_or_else(String::new, |counts| by_size(counts, "edge"));
            let importance = answer.importance.as_ref().map(MeasureTable::text).unwrap_or_default();
            format!(
                "reliability of {file}, {size}, {}\n{probability}\n{states} states, {blocks} with {edges} edges after \
                 reductions\n{by_size}{importance}",
                self.conditions
            )
        });
        if matches!(written, Ok(()) | Err(Failure::Closed)) {
            remove_checkpoints(answer.checkpoints);
        }
        written
    }

    fn answer(
        &self,
        reduced: &ReducedNetwork,
        asked: &args::Reliability,
    ) -> Result<ReliabilityAnswer, Failure> {
        let common = self.common;
        let mut answer = ReliabilityAnswer {
            probability: reduced.factor(),
            counts: None,
            importance: None,
            blocks: reduced.blocks().len(),
            edges: reduced.blocks().iter().map(|block| block.graph().num_edges()).sum(),
            states: 0,
            peak_bytes: 0,
            checkpoints: Vec::new(),
        };
        for (number, block) in reduced.blocks().iter().enumerate() {
            warn_of_block(common, block);
            let mut frontier = self.limited(block, &format!("topdd-block-{number}"))?;
            let probability = frontier.probability_under(Rule::AnyValue, &block.probabilities());
            answer.probability *=
                probability.map_err(|error| swept(common, block).query_failed(&error, &""))?;
            answer.checkpoints.extend(frontier.take_checkpoint());
            let report = frontier.report();
            answer.states += report.states();
            answer.peak_bytes = answer.peak_bytes.max(report.peak_bytes);
            if common.answer.report {
                say(report);
            }
        }
        if asked.count_by_size {
            let block = self.network.unreduced().map_err(|error| refused(self.source, &error))?;
            warn_of_block(common, &block);
            let mut frontier = self.limited(&block, "topdd-by-size")?;
            let counts = sizes(&mut frontier, block.num_vars(), Rule::AnyValue);
            answer.counts =
                Some(counts.map_err(|error| swept(common, &block).query_failed(&error, &""))?);
            answer.checkpoints.extend(frontier.take_checkpoint());
        }
        if asked.importance {
            self.add_importance(&mut answer)?;
        }
        Ok(answer)
    }

    /// Adds the importance of each edge, by a diagram of the whole network. Vertices do not fail.
    fn add_importance(&self, answer: &mut ReliabilityAnswer) -> Result<(), Failure> {
        let common = self.common;
        let block = self.network.unreduced().map_err(|error| refused(self.source, &error))?;
        warn_of_block(common, &block);
        let mut frontier = self.limited(&block, "topdd-importance")?;
        let diagram = frontier.bdd().map_err(|error| swept(common, &block).failed(&error))?;
        answer.checkpoints.extend(frontier.take_checkpoint());
        let by_variable = diagram.birnbaum(&block.probabilities());
        let by_variable =
            by_variable.map_err(|error| swept(common, &block).query_failed(&error, &""))?;
        let mut by_edge: Vec<_> = block.edge_order().into_iter().zip(by_variable).collect();
        by_edge.sort_by_key(|&(edge, _)| edge);
        let names = edge_names(&self.file.graph);
        answer.importance = Some(MeasureTable {
            names: by_edge.iter().map(|&(edge, _)| names[edge].clone()).collect(),
            columns: vec![(
                "birnbaum",
                by_edge.iter().map(|&(_, of)| Measure::Float(of)).collect(),
            )],
        });
        Ok(())
    }

    /// The sweep of a block, with the limits of the command line, and a checkpoint in a directory of
    /// its own.
    fn limited(&self, block: &NetworkBlock, name: &str) -> Result<Frontier<'static>, Failure> {
        let common = self.common;
        let mut frontier = within_limits(block.frontier(), common);
        if let Some(dir) = &common.limits.checkpoint
            && block.num_vars() > WITHOUT_CHECKPOINT
        {
            let dir = dir.join(name);
            if let Err(error) = fs::create_dir(&dir)
                && error.kind() != io::ErrorKind::AlreadyExists
            {
                return Err(Failure::Failed(format!(
                    "cannot use --checkpoint: {}: {error}\n\
                     hint: name an existing directory that can be written to",
                    dir.display()
                )));
            }
            frontier = frontier.checkpoint(dir, self.key(block)).keep_checkpoint();
        }
        Ok(frontier)
    }

    /// The key of the checkpoint of a block: all that defines its states, and the version of topdd.
    fn key(&self, block: &NetworkBlock) -> String {
        let mut words: Vec<String> = self.works.iter().map(ToString::to_string).collect();
        words.extend(self.terminals.iter().map(ToString::to_string));
        let mut key = self.facts();
        key["digest"] =
            input::digest(&self.file.graph, &block.edge_order(), &words.join(" ")).into();
        key["topdd"] = env!("CARGO_PKG_VERSION").into();
        key.to_string()
    }

    fn facts(&self) -> Value {
        json!({
            "name": "graph",
            "what": "reliability",
            "file": self.source.name(),
            "vertices": self.file.graph.num_vertices(),
            "edges": self.file.graph.num_edges(),
            "conditions": &self.conditions,
        })
    }
}

/// The sweep of a block in messages.
fn swept<'a>(common: &'a Common, block: &NetworkBlock) -> Swept<'a> {
    Swept { unit: "variable", variables: block.num_vars(), common }
}
