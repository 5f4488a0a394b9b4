//! The conditions of a family: vertices and bounds of the command line, and the same in words.

use std::collections::{HashMap, HashSet};

use topdd_graph::Graph;
use topdd_graph::families::{EdgeSets, SubgraphConstraint, Unit, VertexSets};
use topdd_graph::format::GraphFile;

use super::input::{self, Source};
use crate::args::{Selection, SetConditions, Terminals};
use crate::failure::Failure;
use crate::names::{self, Ambiguous, Name, NameIndex, Nouns};

/// The family whose terminals are roots.
const ROOTED: &str = "rooted-forests";

/// The conditions of a family, collected for the title.
pub(super) struct Conditions<'a> {
    source: Source<'a>,
    graph: &'a Graph,
    /// The first vertex of each label, in a graph with labels.
    by_label: HashMap<&'a str, usize>,
    pub(super) text: String,
}

impl<'a> Conditions<'a> {
    pub(super) fn new(source: Source<'a>, graph: &'a Graph) -> Self {
        let labels = graph.vertex_labels().unwrap_or(&[]).iter().enumerate().rev();
        let by_label = labels.map(|(vertex, label)| (&label[..], vertex)).collect();
        Self { source, graph, by_label, text: String::new() }
    }

    pub(super) fn add(&mut self, condition: &str) {
        self.text.push_str(", ");
        self.text.push_str(condition);
    }

    /// Looks a vertex up, and adds it to the conditions.
    pub(super) fn vertex(&mut self, word: &str, text: &str) -> Result<usize, Failure> {
        let vertex = self.lookup(text).ok_or_else(|| self.unknown(text))?;
        self.name(word, &[vertex]);
        Ok(vertex)
    }

    /// Looks up the vertices of lists with commas, and adds them to the conditions.
    pub(super) fn vertices(&mut self, word: &str, lists: &[String]) -> Result<Vec<usize>, Failure> {
        let mut vertices = Vec::new();
        for list in lists {
            let names = names::split_list(list, |text| self.lookup(text).is_some());
            for text in names.map_err(Failure::Usage)? {
                vertices.push(self.lookup(text).ok_or_else(|| self.unknown(text))?);
            }
        }
        self.name(word, &vertices);
        Ok(vertices)
    }

    /// Adds vertices to the conditions.
    pub(super) fn name(&mut self, word: &str, vertices: &[usize]) {
        if !vertices.is_empty() {
            let names: Vec<String> = vertices.iter().map(|&v| self.printed(v)).collect();
            self.add(&format!("{word} {}", names.join(" ")));
        }
    }

    fn printed(&self, vertex: usize) -> String {
        Name::Label(self.graph.vertex_name(vertex)).printed()
    }

    /// The terminals, or roots, of the command line, or of the file.
    pub(super) fn terminals(
        &mut self,
        word: &str,
        given: &Terminals,
        file: &GraphFile,
    ) -> Result<Vec<usize>, Failure> {
        let vertices = match &given.terminals[..] {
            [] => {
                self.name(word, &file.terminals);
                file.terminals.clone()
            }
            lists => self.vertices(word, lists)?,
        };
        if vertices.is_empty() {
            let what = self.source.what;
            let flag = if what == ROOTED { "--roots" } else { "--terminals" };
            return Err(Failure::Usage(format!("{what}: give vertices, with {flag}")));
        }
        let mut seen = HashSet::new();
        match vertices.iter().find(|&&vertex| !seen.insert(vertex)) {
            None => {
                if self.source.what != ROOTED {
                    self.source.note_apart(self.graph, &vertices);
                }
                Ok(vertices)
            }
            Some(&vertex) => Err(Failure::Usage(format!(
                "the terminal {} is given twice; give it once",
                self.printed(vertex)
            ))),
        }
    }

    /// The vertex that a text names.
    fn lookup(&self, text: &str) -> Option<usize> {
        input::vertex(text, |label| self.label(label))
    }

    /// The vertex with a label. As [`Graph::vertex`], in constant time.
    fn label(&self, label: &str) -> Option<usize> {
        match self.graph.vertex_labels() {
            Some(_) => self.by_label.get(label).copied(),
            None => self.graph.vertex(label),
        }
    }

    fn unknown(&self, label: &str) -> Failure {
        let printed = (0..self.graph.num_vertices()).map(|vertex| self.printed(vertex));
        Failure::Usage(Nouns::VERTICES.unknown(label, &self.source.name(), printed))
    }

    /// Keeps the sets of edges that are selected.
    pub(super) fn selected_edges(
        &mut self,
        sets: EdgeSets,
        selection: &Selection,
        file: &GraphFile,
    ) -> Result<EdgeSets, Failure> {
        let sets = sets.with(self.edges("with", &selection.with)?);
        let sets = sets.without(self.edges("without", &selection.without)?);
        Ok(match self.cost(selection, Unit::Edge, file)? {
            Some(cost) => sets.and(cost),
            None => sets,
        })
    }

    /// Keeps the sets of vertices that are selected.
    pub(super) fn selected_vertices(
        &mut self,
        sets: VertexSets,
        selection: &Selection,
        file: &GraphFile,
    ) -> Result<VertexSets, Failure> {
        let sets = sets.with(self.vertices("with", &selection.with)?);
        let sets = sets.without(self.vertices("without", &selection.without)?);
        Ok(match self.cost(selection, Unit::Vertex, file)? {
            Some(cost) => sets.and(cost),
            None => sets,
        })
    }

    /// Looks up the edges of lists with commas, and adds them to the conditions.
    fn edges(&mut self, word: &str, lists: &[String]) -> Result<Vec<usize>, Failure> {
        if lists.is_empty() {
            return Ok(Vec::new());
        }
        let names = input::edge_names(self.graph);
        let index = NameIndex::new(&names);
        let mut edges = Vec::new();
        for list in lists {
            let is_name = |text: &str| matches!(index.find(text), Ok(Some(_)));
            for text in names::split_list(list, is_name).map_err(Failure::Usage)? {
                edges.push(match index.find(text) {
                    Ok(Some(edge)) => edge,
                    Ok(None) => return Err(self.unknown_edge(text, &names)),
                    Err(Ambiguous) => {
                        return Err(Failure::Usage(format!(
                            "--{word}: several edges are named {text}; put the labels of their ends in quotes"
                        )));
                    }
                });
            }
        }
        let printed: Vec<String> = edges.iter().map(|&edge| names[edge].printed()).collect();
        self.add(&format!("{word} {}", printed.join(" ")));
        Ok(edges)
    }

    /// Looks up the vertices and the colours of lists with commas, and adds them to the conditions.
    pub(super) fn colours(
        &mut self,
        word: &str,
        lists: &[String],
        colours: usize,
    ) -> Result<Vec<(usize, usize)>, Failure> {
        let mut found = Vec::new();
        for list in lists {
            let is_name = |text: &str| {
                text.rsplit_once('=').is_some_and(|(vertex, _)| self.lookup(vertex).is_some())
            };
            for text in names::split_list(list, is_name).map_err(Failure::Usage)? {
                let (vertex, colour) = text.rsplit_once('=').ok_or_else(|| {
                    let hint = "write a vertex and its colour, such as a=0";
                    Failure::Usage(format!("--{word}: {text} has no colour; {hint}"))
                })?;
                let vertex = self.lookup(vertex).ok_or_else(|| self.unknown(vertex))?;
                let colour = colour.parse().ok().filter(|&colour: &usize| colour < colours);
                found.push((vertex, colour.ok_or_else(|| {
                    Failure::Usage(format!(
                        "--{word}: {text} names none of the {colours} colours, which are counted from 0"
                    ))
                })?));
            }
        }
        if !found.is_empty() {
            let name = |&(vertex, colour)| format!("{}={colour}", self.printed(vertex));
            let names: Vec<String> = found.iter().map(name).collect();
            self.add(&format!("{word} {}", names.join(" ")));
        }
        Ok(found)
    }

    fn unknown_edge(&self, text: &str, names: &[Name]) -> Failure {
        let printed = names.iter().map(Name::printed);
        Failure::Usage(Nouns::EDGES.unknown(text, &self.source.name(), printed))
    }

    /// The bounds on the sum of the weights of edges or vertices, if there are any.
    fn cost(
        &mut self,
        selection: &Selection,
        unit: Unit,
        file: &GraphFile,
    ) -> Result<Option<SubgraphConstraint>, Failure> {
        if !selection.bounds_cost() {
            return Ok(None);
        }
        let weights = self.source.weights_or_ones(file, unit)?;
        let (scale, bounds) = selection.cost_bounds(weights.iter())?;
        for (word, bound) in [("least", selection.cost_at_least), ("most", selection.cost_at_most)]
        {
            if let Some(bound) = bound {
                self.add(&format!("of cost at {word} {bound}"));
            }
        }
        let whole = |weight| scale.whole(weight).ok_or_else(Failure::too_many_digits);
        let weights = weights.into_iter().map(whole).collect::<Result<_, _>>()?;
        // The library refuses sums of more than 63 bits.
        let bound = |bound: i128| bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let (least, most) = (bound(*bounds.start()), bound(*bounds.end()));
        Ok(Some(SubgraphConstraint::Weight { weights, least, most }))
    }

    /// The bounds on the number of edges or vertices, if there are any. `of_file` is the upper bound of the file, if no
    /// option is.
    pub(super) fn size(
        &mut self,
        conditions: &SetConditions,
        of_file: Option<usize>,
    ) -> Option<SubgraphConstraint> {
        let &SetConditions { at_least, at_most, exactly, .. } = conditions;
        let (least, most) = (at_least.or(exactly), at_most.or(exactly).or(of_file));
        match (least, most) {
            (None, None) => return None,
            (Some(least), Some(most)) if least == most => self.add(&format!("exactly {least}")),
            _ => {
                for (word, bound) in [("at least", least), ("at most", most)] {
                    if let Some(bound) = bound {
                        self.add(&format!("{word} {bound}"));
                    }
                }
            }
        }
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(usize::MAX));
        Some(SubgraphConstraint::Size { least, most })
    }
}
