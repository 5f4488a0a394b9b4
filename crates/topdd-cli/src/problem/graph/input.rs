//! The graph of a command line: its file, and the names of its edges and vertices.

use std::fmt::Display;
use std::fs;

use topdd_graph::families::Unit;
use topdd_graph::format::{self, FormatError, GraphFile, GraphFormat, GraphReadOptions, Remedy};
use topdd_graph::{Graph, GraphError};
use topdd_problem::{Decimal, Scale};

use crate::args::{Common, GraphInput};
use crate::failure::Failure;
use crate::output::counted;
use crate::problem::files;
use crate::progress::say;

/// Whether the file is standard input, by any of its names.
#[cfg(feature = "cluster")]
pub(super) fn is_input(input: &GraphInput) -> bool {
    let names = [files::STDIN, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    names.iter().any(|name| input.file.as_os_str() == *name)
}

/// A question about a graph in a file, for the reader and for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) input: &'a GraphInput,
    /// The attribute, or the column, of the probabilities of edges, for reliability.
    pub(super) p_attribute: Option<&'a str>,
    /// The name of the family, or of the question.
    pub(super) what: &'a str,
    /// Whether notes are left out.
    pub(super) quiet: bool,
}

/// A remedy of the library as an option of the command.
fn remedy(remedy: &Remedy) -> String {
    let option = match remedy {
        Remedy::Format(formats) => {
            let options: Vec<_> = formats.iter().map(|name| format!("--format {name}")).collect();
            return format!("add {}", options.join(" or "));
        }
        Remedy::Columns(columns) if !columns.is_empty() => {
            let columns = columns.join(",");
            let is_plain = |sign: char| sign.is_alphanumeric() || "_-.,".contains(sign);
            let quote = if columns.chars().all(is_plain) { "" } else { "'" };
            return format!("add --columns {quote}{columns}{quote}");
        }
        Remedy::Columns(_) => "select the columns of the ends with --columns FROM,TO",
        Remedy::VertexColumns => "choose the columns with --vertex-columns",
        Remedy::VertexTable => "read it with --vertices if its rows are vertices",
        Remedy::NoColumns => "leave out --columns",
        Remedy::LabelAttribute => "choose another --label-attribute",
        Remedy::NoLabelAttribute => "leave out --label-attribute",
        Remedy::DecimalComma => "add --decimal-comma",
        Remedy::NoDecimalComma => "leave out --decimal-comma",
        Remedy::MergeDirections => "join such pairs with --merge-directions",
        Remedy::KeepDirections => "keep both with --merge-directions=no",
        Remedy::Directed => "add --directed",
        Remedy::Undirected => "add --undirected",
        Remedy::Formula => "count its models with `topdd cnf`",
    };
    option.to_owned()
}

/// The message for edges in both directions, where directions do not count.
pub(super) fn both_directions(error: &GraphError) -> String {
    format!("{error}; {}", remedy(&Remedy::MergeDirections))
}

impl<'a> Source<'a> {
    /// A question whose answer is facts.
    pub(super) fn of_facts(what: &'a str, input: &'a GraphInput) -> Self {
        Source { input, p_attribute: None, what, quiet: false }
    }

    /// The name of the file in messages.
    pub(super) fn name(self) -> String {
        files::name(&self.input.file)
    }

    /// Reads the graph, and writes the notes of the reader to standard error.
    pub(super) fn read(self) -> Result<GraphFile, Failure> {
        let (input, name) = (self.input, self.name());
        let bytes = files::read(&input.file, "graph")?;
        let options = self.options();
        let file = format::read_file(&input.file, &bytes, input.format, &options);
        let mut file = file.map_err(|error| {
            // The first line shows that it is another format.
            let early = error.line() == Some(1) && error.remedies().is_empty();
            let format = GraphFormat::by_name(&input.file).ok().filter(|_| early);
            let hint = match format.filter(|_| input.format.is_none()) {
                Some(format) => {
                    format!("\nhint: it was read as {format}; --format sets another format")
                }
                None => String::new(),
            };
            Failure::Failed(self.located(&error) + &hint)
        })?;
        let num_notes = file.notes.len();
        if let Some(path) = &input.vertices {
            let failed =
                |error| Failure::Failed(format!("cannot read {}: {error}", files::name(path)));
            let bytes = fs::read(path).map_err(failed)?;
            let read = file.with_vertices(path, &bytes, &options);
            file = read.map_err(|error| Failure::Failed(self.located(&error)))?;
        }
        for (at, note) in file.notes.iter().enumerate() {
            let name = match &input.vertices {
                Some(path) if at >= num_notes => files::name(path),
                _ => name.clone(),
            };
            self.note(format_args!("{name}: {}", note.worded(remedy)));
        }
        if input.graph_only {
            file.max_length = None;
            file.terminals.clear();
        }
        Ok(file)
    }

    fn options(self) -> GraphReadOptions {
        let input = self.input;
        let is_set = input.directed || input.undirected || input.merge_directions.is_some();
        GraphReadOptions {
            directed: is_set.then_some(input.directed),
            // What needs weights, or whole ones, checks them.
            decimal_weights: true,
            unchecked_weights: true,
            decimal_comma: input.decimal_comma,
            merge_directions: input.merge_directions,
            weight_attribute: input.weight_attribute.clone(),
            edge_weight_attribute: self.p_attribute.map(ToOwned::to_owned),
            label_attribute: input.label_attribute.clone(),
            columns: input.columns.clone(),
            vertex_columns: input.vertex_columns.clone(),
        }
    }

    /// An error with its file and its line.
    fn located(self, error: &FormatError) -> String {
        let place = error.line().map(|line| format!(", line {line}")).unwrap_or_default();
        let file = error.file().map_or_else(|| self.name(), files::name);
        format!("{file}{place}: {}", error.worded(remedy))
    }

    /// Writes a note, unless notes are left out.
    pub(super) fn note(self, note: impl Display) {
        if !self.quiet {
            say(format_args!("note: {note}"));
        }
    }

    /// The failure for a file with directed edges.
    pub(super) fn is_directed(self) -> Failure {
        let (what, name) = (self.what, self.name());
        Failure::Usage(format!(
            "{what} are for undirected graphs, and {name} has directed edges; add --undirected to \
             ignore their directions"
        ))
    }
}

/// A question, and the graph that it is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loaded<'a> {
    pub(super) source: Source<'a>,
    pub(super) file: &'a GraphFile,
}

impl Loaded<'_> {
    /// Fails if weights of edges, or of vertices, are missing or no numbers.
    pub(super) fn check_weights(self, unit: Unit) -> Result<(), Failure> {
        let error = &self.file.elements(unit).weight_error;
        error.as_ref().map_or(Ok(()), |error| Err(Failure::Failed(self.source.located(error))))
    }

    /// Writes a note if the graph has several components, for an answer that is then 0.
    pub(super) fn note_components(self, answer: &str) {
        let components = self.file.graph.num_components();
        if components > 1 {
            self.source.note(format_args!(
                "the graph of {} is not connected; it has {components} components, so {answer} is 0",
                self.source.name()
            ));
        }
    }

    /// Writes a note that directions do not count, if the graph has any.
    pub(super) fn note_directions(self) {
        self.file
            .graph
            .note_of_directions(self.source.what)
            .into_iter()
            .for_each(|note| self.source.note(note));
    }

    /// Writes a note if no path leads from one vertex to the other because they are in different components.
    pub(super) fn note_apart(self, vertices: &[usize]) {
        let Some((&first, others)) = vertices.split_first() else { return };
        let graph = &self.file.graph;
        let components = graph.components();
        let is_apart = |&&other: &&usize| components[other] != components[first];
        if let Some(&apart) = others.iter().find(is_apart) {
            self.source.note(format_args!(
                "{} and {} are in different components of the graph, so nothing connects them",
                graph.vertex_name(first),
                graph.vertex_name(apart)
            ));
        }
    }

    /// The weights of edges, or of vertices, whose [`Scale`] makes them whole; a note if there are none.
    pub(super) fn weights(self, unit: Unit) -> Result<Option<Vec<Decimal>>, Failure> {
        self.check_weights(unit)?;
        let whole = match unit {
            Unit::Edge => self.file.graph.weights(),
            Unit::Vertex | Unit::Colour => self.file.graph.vertex_weights(),
        };
        if let Some(whole) = whole {
            return Ok(Some(whole.iter().copied().map(Decimal::from).collect()));
        }
        let Some(numbers) = &self.file.elements(unit).numbers else {
            self.note_other_weights(unit);
            return Ok(None);
        };
        let decimal = |(at, &number): (usize, &f64)| {
            Decimal::from_f64(number).ok_or_else(|| {
                let problem = "has more than 15 digits; round it";
                self.wrong_weight(unit, at, &number.to_string(), problem)
            })
        };
        let weights = numbers.iter().enumerate().map(decimal).collect::<Result<Vec<_>, _>>()?;
        let scale = Scale::new(&weights);
        match weights.iter().position(|&weight| scale.whole(weight).is_none()) {
            None => Ok(Some(weights)),
            Some(at) => {
                let problem = "has more than 64 bits with all decimals; round other weights";
                Err(self.wrong_weight(unit, at, &weights[at].to_string(), problem))
            }
        }
    }

    /// The weights of edges, or of vertices; each is 1, with a note, if there are none.
    pub(super) fn weights_or_ones(self, unit: Unit) -> Result<Vec<Decimal>, Failure> {
        if let Some(weights) = self.weights(unit)? {
            return Ok(weights);
        }
        let attributes = &self.file.elements(unit).attributes;
        // With attributes, the note about them has this as well.
        if attributes.is_empty() {
            let advice = match unit {
                Unit::Edge => "write their weights, as in `a b 3`",
                Unit::Vertex | Unit::Colour => "--vertices FILE adds a table with weights",
            };
            self.source
                .note(format_args!("the {unit} have no weights, so each weighs 1; {advice}"));
        }
        Ok(vec![1.into(); number_of(&self.file.graph, unit)])
    }

    /// The failure for a weight of an edge, or of a vertex, that is a number.
    pub(super) fn wrong_weight(
        self,
        unit: Unit,
        at: usize,
        weight: &str,
        problem: &str,
    ) -> Failure {
        Failure::Failed(self.source.located(&self.file.wrong_weight(unit, at, weight, problem)))
    }

    /// Writes a note if nothing in the file is a weight, although attributes or columns are numbers.
    fn note_other_weights(self, unit: Unit) {
        let attributes = &self.file.elements(unit).attributes;
        if let Some(first) = attributes.first() {
            self.source.note(format_args!(
                "the {unit} of {} have no weights, so each weighs 1; they have numbers under {}: --weight-attribute \
                 '{first}' takes these as weights",
                self.source.name(),
                attributes.join(", ")
            ));
        }
    }
}

/// Refuses to write to the files of the graph.
pub(super) fn refuse_overwriting(input: &GraphInput, common: &Common) -> Result<(), Failure> {
    let files = std::iter::once(&input.file).chain(&input.vertices);
    files.into_iter().try_for_each(|file| files::refuse_overwriting(file, "graph", common))
}

/// The number of edges, or of vertices.
pub(super) fn number_of(graph: &Graph, unit: Unit) -> usize {
    if unit == Unit::Edge { graph.num_edges() } else { graph.num_vertices() }
}

/// The numbers of vertices and edges, for titles.
pub(super) fn size(graph: &Graph) -> String {
    let (vertices, edges) = (graph.num_vertices(), graph.num_edges());
    format!("{} and {}", counted(vertices, "vertex"), counted(edges, "edge"))
}

/// A hash of the graph, of the order of its variables, and of what is asked for.
pub(super) fn digest(graph: &Graph, order: &[usize], asked: &str) -> String {
    let directed = usize::from(graph.is_directed());
    let ends = graph.edges().iter().flat_map(|&(a, b)| [a, b]);
    let numbers =
        [graph.num_vertices(), directed].into_iter().chain(ends).chain(order.iter().copied());
    let numbers = numbers.map(|number| (number as u64).to_le_bytes());
    format!("{:016x}", files::digest(files::digest(files::NO_DIGEST, numbers), [asked]))
}
