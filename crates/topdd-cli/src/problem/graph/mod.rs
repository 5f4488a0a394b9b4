//! `topdd graph`.

mod family;
mod info;
mod input;
mod predict;
mod reliability;

use std::cell::OnceCell;

use serde_json::json;
use topdd::{Frontier, Goal, QueryError, Weights, Zdd};
use topdd_draw::{GraphPicture, Picture, graph_sheet};
use topdd_graph::Graph;
use topdd_graph::families::{GraphSets, Order, Unit};
use topdd_graph::format::GraphFile;
use topdd_problem::decimal::Scale;
use topdd_problem::{Condition, Element, ElementWeights, Family, GraphElements, Loss, On, Subject};

use super::{
    Computation, Drawing, Identity, ListedElements, Part, Presentation, Variables, Weighted, files,
};
use crate::apply;
use crate::args::{self, Common};
use crate::failure::Failure;
use crate::outcome::Usage;
use crate::progress::say;
use family::Reader;
pub(crate) use info::info;
use input::Source;
pub(crate) use predict::{predict, predict_run, warn};
pub(crate) use reliability::reliability;

impl Part for Element {
    type Picture = GraphPicture;
}

impl Drawing for GraphPicture {
    fn titled(self, title: String) -> Picture {
        self.title(title).picture()
    }

    fn sheet(drawings: &[(Self, String)], across: usize, title: &str) -> Picture {
        graph_sheet(drawings, across, title)
    }
}

/// The part of a command that several processes cannot share.
#[cfg(feature = "cluster")]
pub(crate) fn not_shared(asked: &args::Family) -> Option<&'static str> {
    let run = &asked.run;
    // The input of the processes that --processes starts is a pipe without content.
    let is_piped = input::is_input(&asked.input) && run.common.cluster.processes.is_some();
    let parts = [
        ("--predict", run.predict),
        ("--count-by-size", asked.set_answers.count_by_size),
        ("--maximal and --minimal", asked.extremes.are_asked()),
        ("standard input", is_piped),
    ];
    parts.into_iter().find(|(_, is_asked)| *is_asked).map(|(part, _)| part)
}

/// A family of a graph from a file.
pub(crate) struct OnGraph<'a> {
    asked: &'a args::Family,
    identity: Identity,
    elements: GraphElements,
    /// The weights of the elements in the file.
    weights: ElementWeights,
    /// The family under the conditions that one sweep checks.
    sets: GraphSets,
    /// The conditions on the diagram.
    extremes: Vec<Condition>,
    /// The edge, or the vertex, of each variable.
    order: Vec<usize>,
    /// The graph without marks, once a picture is drawn.
    drawn: OnceCell<GraphPicture>,
}

/// Makes the problem of a command line.
pub(crate) fn problem(asked: &args::Family) -> Result<OnGraph<'_>, Failure> {
    let source = source(asked);
    input::refuse_overwriting(source.input, &asked.run.common)?;
    let file = source.read()?;
    let reader = Reader::new(source, &file);
    let mut family = reader.family(&asked.options)?;
    let mut conditions = match (&asked.options, &asked.sets) {
        (args::FamilyOptions::Colourings(options), _) => reader.colours(options)?,
        (_, Some(sets)) => {
            reader.conditions(&family, &sets.conditions, &sets.selection, &asked.extremes)?
        }
        (_, None) => Vec::new(),
    };
    family.take_minimal(&mut conditions);
    let sets = family.sets(&file.graph).map_err(|error| reader.refused(&error))?;
    let sets = conditions.iter().fold(sets, |sets, condition| condition.before(sets));
    sets.check().map_err(|error| family::refused(source, &error))?;
    let extremes: Vec<Condition> =
        conditions.iter().filter(|condition| condition.is_extreme()).cloned().collect();
    if asked.run.common.answer.count_only && !extremes.is_empty() {
        let word = if asked.extremes.maximal { "maximal" } else { "minimal" };
        // Solutions that are not stored cannot be compared.
        return Err(Failure::Usage(format!("--{word} needs the diagram; leave out --count-only")));
    }
    let weights = match sets.unit() {
        Unit::Colour => ElementWeights::Ones,
        unit if asked.set_answers.best.is_some() => source.weights(&file, unit)?.into(),
        unit => weights_to_save(asked, source, &file, unit),
    };
    if family.connects(file.graph.num_components()) {
        source.note_components(&file.graph, "the number of solutions");
    }
    if sets.ignores_directions() {
        source.note_directions(&file.graph);
    }
    let sets = sets.order(asked.order.order.clone());
    let order = sets.element_order().map_err(|error| family::refused(source, &error))?;
    // Chosen once: a search with pilots may take another order the next time.
    let sets = sets.order(Order::Custom(order.clone()));
    let subject = Subject::Graph { family: family.clone(), conditions };
    let identity = identity(asked, &reader, &order, subject);
    let elements = GraphElements::new(Some(family), sets.unit(), file.graph);
    let drawn = OnceCell::new();
    Ok(OnGraph { asked, identity, elements, weights, sets, extremes, order, drawn })
}

/// The weights that are saved with a diagram. Writes a note if they cannot be used.
fn weights_to_save(
    asked: &args::Family,
    source: Source<'_>,
    file: &GraphFile,
    unit: Unit,
) -> ElementWeights {
    match (Source { quiet: true, ..source }.weights(file, unit)) {
        Ok(weights) => weights.into(),
        Err(failure) => {
            if let (Failure::Failed(why), true, false) =
                (&failure, asked.run.common.answer.save.is_some(), source.quiet)
            {
                say(format_args!("note: the weights are not saved: {why}"));
            }
            ElementWeights::Lost(Loss::Unusable)
        }
    }
}

fn source(asked: &args::Family) -> Source<'_> {
    let (input, quiet) = (&asked.input, asked.run.common.answer.quiet);
    Source { quiet, ..Source::of_facts(asked.kind.name, input) }
}

/// The texts that identify a family.
fn identity(
    asked: &args::Family,
    reader: &Reader<'_>,
    order: &[usize],
    subject: Subject,
) -> Identity {
    let (file, graph) = (files::name(&asked.input.file), &reader.file.graph);
    let words = subject.words(&reader.names).join(", ");
    let facts = json!({
        "name": "graph",
        "what": asked.kind.name,
        "file": &file,
        "vertices": graph.num_vertices(),
        "edges": graph.num_edges(),
        "directed": graph.is_directed(),
        // The graph may change while its file keeps the name, and the order with the machine.
        "digest": input::digest(graph, order, &json!(subject).to_string()),
        "conditions": &words,
        "order": asked.order.word(),
    });
    Identity {
        title: title(asked, &file, graph, &words),
        facts,
        formulation: "graph",
        unit: if asked.kind.unit == Unit::Edge { "edge" } else { "vertex" },
        subject: Some(subject),
    }
}

/// The title of a family of the graph in a file that is `called` so.
fn title(asked: &args::Family, called: &str, graph: &Graph, conditions: &str) -> String {
    let comma = if conditions.is_empty() { "" } else { ", " };
    format!("{} of {called}, {}{comma}{conditions}", asked.kind, input::size(graph))
}

impl OnGraph<'_> {
    /// The title with another name of the file.
    pub(crate) fn title(&self, called: &str) -> String {
        let conditions = self.identity.facts["conditions"].as_str().unwrap_or_default();
        title(self.asked, called, self.elements.graph(), conditions)
    }

    pub(crate) fn common(&self) -> &Common {
        &self.asked.run.common
    }

    fn drawn(&self) -> &GraphPicture {
        self.drawn.get_or_init(|| {
            let picture = GraphPicture::new(self.elements.graph());
            if self.asked.run.y_down { picture.y_down() } else { picture }
        })
    }

    /// The best solutions, by the weights of the elements; each is 1 if the file has none.
    fn best_of(&self, zdd: &Zdd, goal: Goal, k: usize) -> Result<Weighted<Element>, QueryError> {
        let weights = match &self.weights {
            ElementWeights::Given(weights) => weights.clone(),
            ElementWeights::Ones | ElementWeights::Lost(_) => vec![1.into(); self.order.len()],
        };
        let scale = Scale::new(&weights);
        let whole = |&index: &usize| scale.whole(weights[index]).expect("checked by the reader");
        let weights = Weights::of_ones(self.order.iter().map(whole));
        let best = zdd.best(&weights, goal, k)?;
        Ok(best.map(|best| (scale.text(best.weight), self.squares(&best.solution))).collect())
    }
}

impl Computation for OnGraph<'_> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        self.sets.frontier().map_err(|error| family::refused(source(self.asked), &error))
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.order.len())
    }

    fn counts_sizes(&self) -> bool {
        self.asked.set_answers.count_by_size
    }
}

impl Presentation<Element> for OnGraph<'_> {
    fn read(&self, solution: &[usize]) -> Option<Vec<Element>> {
        Some(self.elements.read(&self.order, solution))
    }

    fn best(&self, zdd: &Zdd) -> Result<Option<Weighted<Element>>, Failure> {
        let Some(k) = self.asked.set_answers.best else { return Ok(None) };
        let goal = if self.asked.set_answers.max { Goal::Maximum } else { Goal::Minimum };
        match self.best_of(zdd, goal, k) {
            Err(QueryError::NoSolutions) => Ok(Some(Vec::new())),
            best => best.map(Some).map_err(Failure::usage),
        }
    }

    fn select(&self, zdd: &Zdd) -> Result<Option<Zdd>, Failure> {
        let on = On {
            graph: Some(self.elements.graph()),
            unit: self.elements.unit(),
            order: &self.order,
        };
        let [extreme] = &self.extremes[..] else { return Ok(None) };
        apply::restricted(zdd, extreme, on).map(Some)
    }

    fn usage(&self, zdd: &Zdd) -> Option<Vec<Usage>> {
        if !self.asked.run.element_counts {
            return None;
        }
        let mut counts: Vec<_> = self.order.iter().copied().zip(zdd.value_counts()).collect();
        counts.sort_unstable_by_key(|(index, _)| *index);
        let names = self.elements.names();
        let is_coloured = self.elements.unit() == Unit::Colour;
        let of = if is_coloured { Usage::of_values } else { Usage::of_variable };
        Some(counts.iter().flat_map(|(index, counts)| of(&names[*index], counts)).collect())
    }

    fn variables(&self) -> Option<Variables> {
        let mut weights = self.weights.clone();
        if let ElementWeights::Given(weights) = &mut weights {
            *weights = self.order.iter().map(|&index| weights[index]).collect();
        }
        let names = self.elements.names();
        let names = self.order.iter().map(|&index| names[index].stored()).collect();
        let (order, graph) = (self.order.clone(), Some(self.elements.record()));
        Some(Variables::Elements(ListedElements { names, order, weights, graph }))
    }

    fn listed(&self, elements: &[Element]) -> serde_json::Value {
        self.elements.json(elements)
    }

    fn line(&self, elements: &[Element]) -> String {
        self.elements.line(elements)
    }

    fn picture(&self, elements: &[Element]) -> GraphPicture {
        let picture = self.drawn().clone();
        let indices = elements.iter().map(|element| element.index);
        match self.elements.unit() {
            Unit::Edge if matches!(self.elements.family(), Some(Family::Partitions { .. })) => {
                let blocks = self.elements.blocks(elements).into_iter().enumerate();
                let colours = blocks
                    .flat_map(|(block, vertices)| vertices.into_iter().map(move |v| (v, block)));
                picture.edges(indices).colours(colours)
            }
            Unit::Edge => picture.edges(indices),
            Unit::Vertex => picture.vertices(indices),
            Unit::Colour => picture.colours(elements.iter().map(|e| (e.index, e.value))),
        }
    }

    fn heats(&self) -> Result<(), Failure> {
        match self.elements.unit() {
            Unit::Colour => {
                Err(Failure::usage("--heat is for edges and vertices, not for colours"))
            }
            Unit::Edge | Unit::Vertex => Ok(()),
        }
    }

    fn heat(&self, zdd: &Zdd) -> Result<GraphPicture, Failure> {
        self.heats()?;
        let counts =
            zdd.value_counts().into_iter().map(|mut values| values.pop().unwrap_or_default());
        let uses: Vec<_> = self.order.iter().copied().zip(counts).collect();
        let picture = self.drawn().clone();
        Ok(match self.elements.unit() {
            Unit::Edge => picture.edge_uses(uses, &zdd.count()),
            Unit::Vertex | Unit::Colour => picture.vertex_uses(uses, &zdd.count()),
        })
    }
}
