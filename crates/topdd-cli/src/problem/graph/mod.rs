//! `topdd graph`.

mod family;
mod info;
mod input;
mod predict;
mod reliability;

use std::cell::OnceCell;

use num_bigint::BigUint;
use serde_json::json;
use topdd::{Frontier, Goal, Weights, Zdd};
use topdd_draw::{GraphPicture, Picture, graph_sheet};
use topdd_graph::Graph;
use topdd_graph::families::{GraphSets, Order, Unit};
use topdd_problem::bounded::BoundedOptions;
use topdd_problem::{
    Condition, Decimal, ElementWeights, Family, GraphElements, Loss, On, Scale, Subject, Weighing,
};

use super::{CountMethod, Identity, Problem, Variables, files};
use crate::apply;
use crate::args::{self, Common};
use crate::failure::Failure;
use crate::form::{ElementForm, Form, Sheet, Usage, in_order};
use family::Reader;
pub(crate) use info::info;
use input::{Loaded, Source};
pub(crate) use predict::{predict, predict_run, warn};
pub(crate) use reliability::reliability;

/// The part of a command that several processes cannot share.
#[cfg(feature = "cluster")]
pub(crate) fn not_shared(asked: &args::Family) -> Option<&'static str> {
    let run = &asked.run;
    // The input of the processes that --processes starts is a pipe without content.
    let is_piped = input::is_input(&asked.input) && run.common.cluster.processes.is_some();
    let parts = [
        ("--predict", run.predict),
        ("--count-by-size", asked.set_answers.count_by_size),
        ("--maximal and --minimal", asked.sets.extremes.are_asked()),
        ("standard input", is_piped),
    ];
    parts.into_iter().find(|(_, is_asked)| *is_asked).map(|(part, _)| part)
}

/// A family of a graph from a file.
pub(crate) struct OnGraph<'a> {
    asked: &'a args::Family,
    identity: Identity,
    /// The elements, with the weights in the file.
    form: ElementForm,
    /// The family under the conditions that one sweep checks.
    sets: GraphSets,
    /// How the sets are counted, if not by the sweep over all conditions.
    method: Option<CountMethod>,
    /// The condition on the diagram.
    extreme: Option<Condition>,
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
    let mut conditions = match &asked.options {
        args::FamilyOptions::Colourings(options) => reader.colours(options)?,
        _ => reader.conditions(&family, &asked.sets)?,
    };
    family.take_minimal(&mut conditions);
    let sets = family.sets(&file.graph).map_err(|error| reader.refused(&error))?;
    let sets = conditions.iter().fold(sets, |sets, condition| condition.before(sets));
    sets.check().map_err(|error| family::refused(source, &error))?;
    let extreme = conditions.iter().find(|condition| condition.is_extreme()).cloned();
    if let (Some((flag, _)), true, true) =
        (asked.sets.extremes.condition(), extreme.is_some(), asked.run.common.answer.count_only)
    {
        // Solutions that are not stored cannot be compared.
        return Err(Failure::Usage(format!("{flag} needs the diagram; leave out --count-only")));
    }
    if asked.set_answers.bounded.options().is_some() {
        refuse_bounded(asked, extreme.is_some())?;
    }
    let weights = match sets.unit() {
        Unit::Colour => ElementWeights::Ones,
        unit if asked.set_answers.best.is_some() => reader.loaded.weights(unit)?.into(),
        unit => weights_to_save(asked, reader.loaded, unit),
    };
    if family.connects(file.graph.num_components()) {
        reader.loaded.note_components("the number of solutions");
    }
    if sets.ignores_directions() {
        reader.loaded.note_directions();
    }
    let method = count_method(asked, &sets);
    let sets = sets.order(match method {
        // It has orders of its own.
        Some(CountMethod::Paths) => Order::Given,
        _ => asked.order.order.clone(),
    });
    let order = sets.element_order().map_err(|error| family::refused(source, &error))?;
    // Chosen once: a search with pilots may take another order the next time.
    let sets = sets.order(Order::Custom(order.clone()));
    let subject = Subject::Graph { family: family.clone(), conditions };
    let identity = identity(asked, &reader, &order, subject);
    let graph = GraphElements::new(Some(family), sets.unit(), file.graph);
    let form = ElementForm::new(in_order(graph, order, weights));
    Ok(OnGraph { asked, identity, form, sets, method, extreme, drawn: OnceCell::new() })
}

/// How the sets of a family are counted, if not by the sweep over all conditions.
fn count_method(asked: &args::Family, sets: &GraphSets) -> Option<CountMethod> {
    let common = &asked.run.common;
    let counts = common.only_counts() && !(asked.run.predict || asked.set_answers.count_by_size);
    // Only a sweep spills.
    if !(counts && sets.has_sums()) || common.limits.spill_to.is_some() {
        return None;
    }
    // A report and a profile are of a sweep over the edges.
    let is_of_sweep = common.answer.report || common.pictures.profile.is_some();
    if !is_of_sweep && asked.order.order == Order::Auto && sets.bounded_paths().is_some() {
        return Some(CountMethod::Paths);
    }
    // A count by sums may be several sweeps, which have no common checkpoint.
    common.limits.checkpoint.is_none().then_some(CountMethod::Sums)
}

/// Refuses options that need all solutions, for a run that finds one.
fn refuse_bounded(asked: &args::Family, has_extreme: bool) -> Result<(), Failure> {
    let extreme = asked.sets.extremes.condition().filter(|_| has_extreme);
    let options = [
        extreme.map(|(flag, _)| flag),
        asked.set_answers.count_by_size.then_some("--count-by-size"),
        asked.run.element_counts.then_some("--element-counts"),
    ];
    options.into_iter().flatten().next().map_or(Ok(()), |option| {
        Err(Failure::Usage(format!(
            "{option} needs all solutions; leave it out, or --width and --gap"
        )))
    })
}

/// The weights that are saved with a diagram. Writes a note if they cannot be used.
fn weights_to_save(asked: &args::Family, loaded: Loaded<'_>, unit: Unit) -> ElementWeights {
    let quiet = Loaded { source: Source { quiet: true, ..loaded.source }, ..loaded };
    quiet.weights(unit).map_or_else(
        |failure| {
            if let (Failure::Failed(why), Some(_)) = (failure, &asked.run.common.answer.save) {
                loaded.source.note(format_args!("the weights are not saved: {why}"));
            }
            ElementWeights::Lost(Loss::Unusable)
        },
        ElementWeights::from,
    )
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
    let (file, graph) = (files::name(&asked.input.file), &reader.loaded.file.graph);
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
        title(self.asked, called, self.elements().graph(), conditions)
    }

    pub(crate) fn common(&self) -> &Common {
        &self.asked.run.common
    }

    fn elements(&self) -> &GraphElements {
        self.form.elements.graph.as_ref().expect("the elements of a family have a graph")
    }

    fn drawn(&self) -> GraphPicture {
        let drawn = self.drawn.get_or_init(|| {
            let picture = GraphPicture::new(self.elements().graph());
            if self.asked.run.y_down { picture.y_down() } else { picture }
        });
        drawn.clone()
    }

    /// A picture of a solution.
    fn drawing(&self, solution: &[usize]) -> GraphPicture {
        let (picture, elements) = (self.drawn(), self.elements());
        let taken = elements.read(&self.form.elements.order, solution);
        let indices = taken.iter().map(|element| element.index);
        match elements.unit() {
            Unit::Edge if matches!(elements.family(), Some(Family::Partitions { .. })) => {
                let blocks = elements.blocks(&taken).into_iter().enumerate();
                let colours = blocks
                    .flat_map(|(block, vertices)| vertices.into_iter().map(move |v| (v, block)));
                picture.edges(indices).colours(colours)
            }
            Unit::Edge => picture.edges(indices),
            Unit::Vertex => picture.vertices(indices),
            Unit::Colour => picture.colours(taken.iter().map(|e| (e.index, e.value))),
        }
    }
}

impl Form for OnGraph<'_> {
    fn line(&self, solution: &[usize]) -> String {
        self.form.line(solution)
    }

    fn json(&self, solution: &[usize]) -> serde_json::Value {
        self.form.json(solution)
    }

    fn usage(&self, counts: &[Vec<BigUint>]) -> Vec<Usage> {
        self.form.usage(counts)
    }

    fn picture(&self, Sheet { solutions, across, title }: &Sheet) -> Option<Picture> {
        let picture =
            |(solution, caption): &(Vec<usize>, String)| (self.drawing(solution), caption.clone());
        let mut pictures: Vec<_> = solutions.iter().map(picture).collect();
        match across {
            Some(across) => Some(graph_sheet(&pictures, *across, title)),
            None => Some(pictures.pop()?.0.title(title).picture()),
        }
    }
}

impl Problem for OnGraph<'_> {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        self.sets.frontier().map_err(|error| family::refused(source(self.asked), &error))
    }

    fn other_count(&self) -> Option<(CountMethod, &GraphSets)> {
        Some((self.method?, &self.sets))
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.form.elements.order.len())
    }

    fn counts_sizes(&self) -> bool {
        self.asked.set_answers.count_by_size
    }

    fn counts_elements(&self) -> bool {
        self.asked.run.element_counts
    }

    /// By the weights of the elements; each is 1 if the file has none.
    fn best(&self) -> Option<(usize, Weighing)> {
        let k = self.asked.set_answers.best?;
        let goal = if self.asked.set_answers.max { Goal::Maximum } else { Goal::Minimum };
        let weights = match &self.form.elements.weights {
            ElementWeights::Given(weights) => weights.clone(),
            ElementWeights::Ones | ElementWeights::Lost(_) => {
                vec![1.into(); self.form.elements.order.len()]
            }
        };
        let scale = Scale::new(&weights);
        let whole = |&weight: &Decimal| scale.whole(weight).expect("checked by the reader");
        let weights = Weights::of_ones(weights.iter().map(whole));
        Some((k, Weighing { weights, scale, goal }))
    }

    fn bounded(&self) -> Option<BoundedOptions> {
        self.asked.set_answers.bounded.options()
    }

    fn select(&self, zdd: &Zdd) -> Result<Option<Zdd>, Failure> {
        let (elements, order) = (self.elements(), &self.form.elements.order);
        let on = On { graph: Some(elements.graph()), unit: elements.unit(), order };
        let extreme = self.extreme.as_ref();
        extreme.map(|extreme| apply::restricted(zdd, extreme, on)).transpose()
    }

    fn variables(&self) -> Option<Variables<'_>> {
        Some(Variables::Elements(&self.form.elements))
    }

    fn heats(&self) -> Result<(), Failure> {
        match self.elements().unit() {
            Unit::Colour => {
                Err(Failure::usage("--heat is for edges and vertices, not for colours"))
            }
            Unit::Edge | Unit::Vertex => Ok(()),
        }
    }

    fn heat(&self, zdd: &Zdd, title: String) -> Result<Picture, Failure> {
        self.heats()?;
        let counts =
            zdd.value_counts().into_iter().map(|mut values| values.pop().unwrap_or_default());
        let uses: Vec<_> = self.form.elements.order.iter().copied().zip(counts).collect();
        let picture = match self.elements().unit() {
            Unit::Edge => self.drawn().edge_uses(uses, &zdd.count()),
            Unit::Vertex | Unit::Colour => self.drawn().vertex_uses(uses, &zdd.count()),
        };
        Ok(picture.title(title).picture())
    }
}
