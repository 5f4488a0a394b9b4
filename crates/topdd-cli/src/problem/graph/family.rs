//! The family and the conditions of a command line, as data.

use serde_json::json;
use topdd_graph::GraphError;
use topdd_graph::families::{FamilyError, Unit};
use topdd_graph::format::GraphFile;
use topdd_problem::{Condition, Decimal, Family, GraphNames, ParameterError, PerVertex, SumBounds};

use super::input::{Loaded, Source, both_directions};
use crate::args::{
    self, Cuts, FamilyOptions, PerItem, SetConditions, Sets, SumOptions, Terminals, whole,
    whole_bounds,
};
use crate::failure::Failure;

/// The failure for a family that the library refuses, in the words of the command line.
pub(super) fn refused(source: Source<'_>, error: &FamilyError) -> Failure {
    let what = source.what;
    match error {
        FamilyError::Graph(GraphError::Directed) if source.input.directed => {
            Failure::Usage(format!("{what} are for undirected graphs; leave out --directed"))
        }
        FamilyError::Graph(GraphError::Directed) => source.is_directed(),
        FamilyError::Graph(both @ GraphError::BothDirections { .. }) => {
            let message = both_directions(both);
            let instead = if source.input.directed { " in place of --directed" } else { "" };
            Failure::Usage(format!("{what} of {}: {message}{instead}", source.name()))
        }
        FamilyError::Undirected { .. } => {
            Failure::Usage(format!("{what} are for directed graphs; add --directed"))
        }
        FamilyError::TooWide { slots, .. } => Failure::Usage(format!(
            "the graph is too dense for {what}: {slots} vertices would be on the frontier at once"
        )),
        FamilyError::EqualEnds { .. } => {
            Failure::usage("a path has two different ends; ask for cycles instead")
        }
        FamilyError::NoVertices { what: "terminals" } => {
            let flag = if what == "rooted-forests" { "--roots" } else { "--terminals" };
            Failure::Usage(format!("{what}: give vertices, with {flag}"))
        }
        error => Failure::usage(error),
    }
}

/// Reads names, weights and bounds of a command line by the graph of its file.
pub(super) struct Reader<'a> {
    pub(super) loaded: Loaded<'a>,
    pub(super) names: GraphNames<'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: Source<'a>, file: &'a GraphFile) -> Self {
        let names = GraphNames::new(&file.graph, source.name());
        Reader { loaded: Loaded { source, file }, names }
    }

    pub(super) fn vertex(&self, text: &str) -> Result<usize, Failure> {
        self.names.vertex(text).map_err(Failure::usage)
    }

    pub(super) fn vertices(&self, lists: &[String]) -> Result<Vec<usize>, Failure> {
        self.names.vertices(lists).map_err(Failure::usage)
    }

    /// The terminals of the command line, or of the file. Writes a note if they cannot be connected.
    pub(super) fn terminals(&self, given: &Terminals) -> Result<Vec<usize>, Failure> {
        let vertices = self.given_or_of_file(given)?;
        self.loaded.note_apart(&vertices);
        Ok(vertices)
    }

    /// The terminals, or roots, of the command line, or of the file.
    fn given_or_of_file(&self, given: &Terminals) -> Result<Vec<usize>, Failure> {
        match &given.terminals[..] {
            [] => Ok(self.loaded.file.terminals.clone()),
            lists => self.vertices(lists),
        }
    }

    /// The two ends, if they are given, or the terminals of the file for them.
    pub(super) fn ends(&self, ends: &args::Ends) -> Result<[Option<usize>; 2], Failure> {
        let read = |end: &Option<String>| end.as_ref().map(|end| self.vertex(end)).transpose();
        let ends = match self.loaded.file.terminals[..] {
            [from, to] if ends.from.is_none() => [Some(from), Some(to)],
            _ => [read(&ends.from)?, read(&ends.to)?],
        };
        let known: Vec<usize> = ends.into_iter().flatten().collect();
        self.loaded.note_apart(&known);
        Ok(ends)
    }

    /// The family of the options.
    pub(super) fn family(&self, options: &FamilyOptions) -> Result<Family, Failure> {
        use FamilyOptions as F;
        Ok(match options {
            F::Paths(paths) => {
                let [from, to] = self.ends(&paths.ends)?;
                Family::Paths { from, to, hamiltonian: paths.hamiltonian.hamiltonian }
            }
            F::Cycles(options) => Family::Cycles { hamiltonian: options.hamiltonian },
            F::RootedForests(given) => {
                Family::RootedForests { roots: self.given_or_of_file(given)? }
            }
            F::SteinerTrees(given) => Family::SteinerTrees { terminals: self.terminals(given)? },
            F::SteinerSubgraphs(given) => {
                Family::SteinerSubgraphs { terminals: self.terminals(given)? }
            }
            F::Arborescences(options) => {
                Family::Arborescences { root: self.vertex(&options.root)? }
            }
            // The terminals in a file are for other families.
            F::Connected(given) if given.terminals.is_empty() => {
                Family::Connected { terminals: None }
            }
            F::Connected(given) => Family::Connected { terminals: Some(self.terminals(given)?) },
            F::BMatchings(bounds) => Family::BMatchings { most: self.vertex_bounds(bounds.b)? },
            F::Factors(bounds) => Family::Factors { degree: self.vertex_bounds(bounds.b)? },
            F::Degrees(options) => {
                let (out, into) = (allowed(&options.out_degrees), allowed(&options.in_degrees));
                let (degrees, distribution) =
                    (allowed(&options.degrees), options.distribution.clone());
                Family::Degrees { degrees, out, into, distribution }
            }
            F::RegularSubgraphs(regular) => Family::RegularSubgraphs { degree: regular.k },
            &F::Partitions(args::Partitions { k: blocks, min_weight, max_weight }) => {
                let is_bounded = min_weight.is_some() || max_weight.is_some();
                let bounds = [("--min-weight", min_weight), ("--max-weight", max_weight)];
                let weight = is_bounded.then(|| self.bounds(Unit::Vertex, &bounds)).transpose()?;
                Family::Partitions { blocks, weight }
            }
            F::Cuts(Cuts { from: Some(from), to: Some(to) }) => {
                let (from, to) = (self.vertex(from)?, self.vertex(to)?);
                self.loaded.note_apart(&[from, to]);
                Family::Cuts { between: Some((from, to)), minimal: false }
            }
            F::Cuts(_) => Family::Cuts { between: None, minimal: false },
            &F::Bicliques(args::Bicliques { sides: (a, b) }) => Family::Bicliques { a, b },
            F::Subgraphs(options) => Family::Subgraphs {
                groups: {
                    let groups = options.group.chunks(1).map(|group| self.vertices(group));
                    groups.collect::<Result<_, _>>()?
                },
                degrees: allowed(&options.degrees),
                acyclic: options.acyclic,
            },
            F::IndependentSets(options) => Family::IndependentSets { distance: options.distance },
            F::Colourings(options) => Family::Colourings { colours: options.k },
            // A family without parameters is its name.
            _ => serde_json::from_value(json!({ "name": self.loaded.source.what }))
                .map_err(Failure::usage)?,
        })
    }

    /// The conditions of the options, in the order of a title.
    pub(super) fn conditions(
        &self,
        family: &Family,
        Sets { conditions, selection, extremes }: &Sets,
    ) -> Result<Vec<Condition>, Failure> {
        let &SetConditions { at_least, at_most, exactly, .. } = conditions;
        if at_least.zip(at_most).is_some_and(|(least, most)| least > most) {
            return Err(Failure::empty_range("--at-least", "--at-most"));
        }
        let mut found = Vec::new();
        for (lists, taken) in [(&conditions.through, true), (&conditions.avoid, false)] {
            let vertices = self.vertices(lists)?;
            found.push(Condition::Vertices { vertices, taken });
        }
        let of_file =
            self.loaded.file.max_length.filter(|_| matches!(family, Family::Paths { .. }));
        let (least, most) = (at_least.or(exactly), at_most.or(exactly).or(of_file));
        found.push(Condition::Size { least, most });
        for (lists, taken) in [(&selection.with, true), (&selection.without, false)] {
            let elements = match family.unit() {
                Unit::Edge => self.names.edges(lists).map_err(Failure::usage)?,
                Unit::Vertex | Unit::Colour => self.vertices(lists)?,
            };
            let elements = elements.into_iter().map(|element| (element, 1)).collect();
            found.push(Condition::Elements { elements, taken });
        }
        if selection.bounds_cost() {
            let bounds = self.bounds(family.unit(), &selection.cost_bounds())?;
            found.push(Condition::Cost(bounds));
        }
        found.extend(extremes.condition().map(|(_, condition)| condition));
        found.retain(|condition| !condition.is_empty());
        Ok(found)
    }

    /// The colours of the options of colourings.
    pub(super) fn colours(&self, options: &args::Colourings) -> Result<Vec<Condition>, Failure> {
        let mut found = Vec::new();
        for (flag, lists, taken) in
            [("--with", &options.with, true), ("--without", &options.without, false)]
        {
            let elements = self.names.colours(lists, options.k);
            let elements = elements.map_err(|error| Failure::Usage(format!("{flag}: {error}")))?;
            found.push(Condition::Elements { elements, taken });
        }
        found.retain(|condition| !condition.is_empty());
        Ok(found)
    }

    /// Bounds on the sum of the weights of edges, or of vertices.
    fn bounds(&self, unit: Unit, bounds: &SumOptions) -> Result<SumBounds, Failure> {
        let weights = self.loaded.weights_or_ones(unit)?;
        let (scale, [least, most]) = whole_bounds(weights.iter(), bounds)?;
        let weights = weights.into_iter().map(|weight| whole(scale, weight));
        Ok(SumBounds { weights: weights.collect::<Result<_, _>>()?, least, most, scale })
    }

    /// The bounds on the number of edges at each vertex.
    fn vertex_bounds(&self, b: PerItem<usize>) -> Result<PerVertex<usize>, Failure> {
        if let PerItem::All(bound) = b {
            return Ok(PerVertex::All(bound));
        }
        let Some(weights) = self.loaded.weights(Unit::Vertex)? else {
            return Err(Failure::Usage(format!(
                "the vertices of {} have no weights; give one number for all, such as -b 2",
                self.loaded.source.name()
            )));
        };
        let bound = |(vertex, weight): (usize, &Decimal)| {
            weight.to_string().parse().map_err(|_| {
                let problem = "is no number of edges; write a whole number from 0";
                let weight = weight.to_string();
                self.loaded.wrong_weight(Unit::Vertex, vertex, &weight, problem)
            })
        };
        Ok(PerVertex::Each(weights.iter().enumerate().map(bound).collect::<Result<_, _>>()?))
    }

    /// The failure for parameters of the family.
    pub(super) fn refused(&self, error: &ParameterError) -> Failure {
        use {FamilyError as F, ParameterError as P};
        let what = self.loaded.source.what;
        match error {
            P::DegreeTwice { degree } => {
                Failure::Usage(format!("--distribution gives the degree {degree} twice"))
            }
            P::Family(F::RepeatedVertex { .. }) if what == "cuts" => {
                Failure::usage("a cut separates two different vertices; give another --to")
            }
            P::Family(F::RepeatedVertex { vertex }) => {
                let role = match what {
                    "rooted-forests" => "root",
                    "subgraphs" => "vertex",
                    _ => "terminal",
                };
                let name = self.names.vertex_name(*vertex);
                Failure::Usage(format!("the {role} {name} is given twice; give it once"))
            }
            P::Family(F::Undirected { .. }) if what == "degrees" => {
                Failure::usage("--out-degrees, --in-degrees: for directed graphs; add --directed")
            }
            P::Family(error) => refused(self.loaded.source, error),
            P::EmptyRange => Failure::empty_range("--min-weight", "--max-weight"),
        }
    }
}

/// The allowed degrees of all vertices; any if none are given.
fn allowed(degrees: &[usize]) -> PerVertex<Option<Vec<usize>>> {
    PerVertex::All(Some(degrees.to_vec()).filter(|degrees| !degrees.is_empty()))
}
