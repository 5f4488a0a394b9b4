//! The family of a command line.

use std::collections::HashSet;

use topdd_graph::families::{
    self, Colourings, Degrees, EdgeSets, FamilyError, GraphSets, Unit, VertexSets,
};
use topdd_graph::format::GraphFile;
use topdd_graph::{Graph, GraphError};

use super::conditions::Conditions;
use super::input::{Source, in_words_of_the_command};
use crate::args::{
    self, Bicliques, Cuts, DegreeCount, DegreeOptions, Distance, Ends, FamilyOptions, Hamiltonian,
    Partitions, Paths, PerItem, Selection, SetConditions, Sides, Terminals,
};
use crate::decimal::{Decimal, Scale};
use crate::failure::Failure;

/// A family, and its conditions in words.
pub(super) struct Described {
    pub(super) sets: GraphSets,
    pub(super) conditions: String,
}

/// The failure for a family that the library refuses, in the words of the command line.
pub(super) fn refused(source: Source<'_>, error: &FamilyError) -> Failure {
    let what = source.what;
    match error {
        FamilyError::Graph(GraphError::Directed) if source.input.directed => {
            Failure::Usage(format!("{what} are for undirected graphs; leave out --directed"))
        }
        FamilyError::Graph(GraphError::Directed) => source.is_directed(),
        FamilyError::Graph(both @ GraphError::BothDirections { .. }) => {
            let message = in_words_of_the_command(&both.to_string());
            let instead = if source.input.directed { " in place of --directed" } else { "" };
            Failure::Usage(format!("{what} of {}: {message}{instead}", source.name()))
        }
        FamilyError::Undirected { .. } => {
            Failure::Usage(format!("{what} are for directed graphs; add --directed"))
        }
        FamilyError::TooWide { slots, .. } => Failure::Usage(format!(
            "the graph is too dense for {what}: {slots} vertices would be on the frontier at once"
        )),
        error => Failure::usage(error),
    }
}

/// Makes the family of a command line.
pub(super) fn make(
    options: &FamilyOptions,
    conditions: &SetConditions,
    selection: &Selection,
    source: Source<'_>,
    file: &GraphFile,
) -> Result<Described, Failure> {
    let mut maker = Maker { source, file, words: Conditions::new(source, &file.graph) };
    let sets = maker.family(options, conditions, selection)?;
    Ok(Described { sets, conditions: maker.words.text })
}

/// Makes the family of a command line, and collects its conditions in words.
struct Maker<'a> {
    source: Source<'a>,
    file: &'a GraphFile,
    words: Conditions<'a>,
}

/// A family before the conditions that all families of sets take.
enum Unconditional {
    Edges(EdgeSets),
    Vertices(VertexSets),
    Colours(Colourings),
}

impl Maker<'_> {
    fn family(
        &mut self,
        options: &FamilyOptions,
        conditions: &SetConditions,
        selection: &Selection,
    ) -> Result<GraphSets, Failure> {
        let SetConditions { at_least, at_most, .. } = *conditions;
        if at_least.zip(at_most).is_some_and(|(least, most)| least > most) {
            return Err(Failure::empty_range("--at-least", "--at-most"));
        }
        if let FamilyOptions::Cuts(Cuts { are_minimal: true, .. }) = options
            && selection.cost_at_most.is_some()
        {
            self.refuse_negative_weights()?;
        }
        Ok(match self.unconditional(options)? {
            Unconditional::Edges(sets) => {
                let sets = self.constrained_edges(sets, options, conditions)?;
                self.words.selected_edges(sets, selection, self.file)?.into_any()
            }
            Unconditional::Vertices(sets) => {
                let sets = self.constrained_vertices(sets, conditions)?;
                self.words.selected_vertices(sets, selection, self.file)?.into_any()
            }
            Unconditional::Colours(colourings) => colourings.into_any(),
        })
    }

    fn constrained_vertices(
        &mut self,
        sets: VertexSets,
        conditions: &SetConditions,
    ) -> Result<VertexSets, Failure> {
        let SetConditions { avoid, through, .. } = conditions;
        let sets = sets.with(self.words.vertices("through", through)?);
        let sets = sets.without(self.words.vertices("avoiding", avoid)?);
        Ok(match self.words.size(conditions, None) {
            Some(size) => sets.and(size),
            None => sets,
        })
    }

    fn constrained_edges(
        &mut self,
        mut sets: EdgeSets,
        options: &FamilyOptions,
        conditions: &SetConditions,
    ) -> Result<EdgeSets, Failure> {
        let SetConditions { avoid, through, .. } = conditions;
        let through = self.words.vertices("through", through)?;
        let avoid = self.words.vertices("avoiding", avoid)?;
        if !(through.is_empty() && avoid.is_empty()) {
            // The graph of partitions has scaled weights.
            let degrees = degrees_at(sets.graph(), &through, &avoid);
            let family = families::degrees(sets.graph(), degrees);
            sets = sets.and(family);
        }
        let is_paths = matches!(options, FamilyOptions::Paths(_));
        let of_file = self.file.max_length.filter(|_| is_paths);
        Ok(match self.words.size(conditions, of_file) {
            Some(size) => sets.and(size),
            None => sets,
        })
    }

    fn unconditional(&mut self, options: &FamilyOptions) -> Result<Unconditional, Failure> {
        use FamilyOptions as F;
        use Unconditional::{Colours, Edges, Vertices};
        let graph = &self.file.graph;
        Ok(match options {
            F::Paths(options) => Edges(self.paths(&options.ends, &options.hamiltonian)?),
            F::Cycles(options) => Edges(self.cycles(options)),
            F::SpanningTrees => Edges(families::spanning_trees(graph)),
            F::Subtrees => Edges(families::subtrees(graph)),
            F::Forests => Edges(families::forests(graph)),
            F::RootedForests(roots) => {
                Edges(families::rooted_forests(graph, &self.terminals("rooted at", roots)?))
            }
            F::SteinerTrees(terminals) => {
                Edges(families::steiner_trees(graph, &self.terminals("connecting", terminals)?))
            }
            F::SteinerSubgraphs(terminals) => {
                Edges(families::steiner_subgraphs(graph, &self.terminals("connecting", terminals)?))
            }
            F::Arborescences(options) => {
                Edges(families::arborescences(graph, self.words.vertex("from", &options.root)?))
            }
            F::Connected(terminals) => Edges(self.connected(terminals)?),
            F::Matchings => Edges(families::matchings(graph)),
            F::PerfectMatchings => Edges(families::perfect_matchings(graph)),
            F::BMatchings(bounds) => {
                Edges(families::b_matchings(graph, &self.vertex_bounds(bounds.b, "at most")?))
            }
            F::Factors(bounds) => {
                Edges(families::factors(graph, &self.vertex_bounds(bounds.b, "exactly")?))
            }
            F::Degrees(degrees) => Edges(self.degrees(degrees)?),
            F::RegularSubgraphs(regular) => {
                self.words.add(&format!("of degree {}", regular.k));
                Edges(families::regular_subgraphs(graph, regular.k))
            }
            F::Partitions(partitions) => Edges(self.partitions(partitions)?),
            F::Cuts(cuts) => Edges(self.cuts(cuts)?),
            F::BipartiteSubgraphs => Edges(families::bipartite_subgraphs(graph)),
            F::Bicliques(Bicliques { sides: Sides { a, b } }) => {
                self.words.add(&format!("sides of {a} and {b}"));
                Edges(families::bicliques(graph, *a, *b))
            }
            F::IndependentSets(distance) => Vertices(self.independent_sets(distance)),
            F::Cliques => Vertices(families::cliques(graph)),
            F::DominatingSets => Vertices(families::dominating_sets(graph)),
            F::TotalDominatingSets => Vertices(families::total_dominating_sets(graph)),
            F::ConnectedDominatingSets => Vertices(families::connected_dominating_sets(graph)),
            F::VertexCovers => Vertices(families::vertex_covers(graph)),
            F::ConnectedInducedSubgraphs => Vertices(families::connected_induced_subgraphs(graph)),
            F::Colourings(args::Colourings { k, with, without }) => {
                self.words.add(&format!("{k} colours"));
                let colourings = families::colourings(graph, *k);
                let colourings = colourings.with(self.words.colours("with", with, *k)?);
                Colours(colourings.without(self.words.colours("without", without, *k)?))
            }
        })
    }

    /// The terminals, or roots, of the command line, or of the file.
    fn terminals(&mut self, word: &str, given: &Terminals) -> Result<Vec<usize>, Failure> {
        self.words.terminals(word, given, self.file)
    }

    fn connected(&mut self, terminals: &Terminals) -> Result<EdgeSets, Failure> {
        // The terminals in a file are for other families.
        if terminals.terminals.is_empty() {
            return Ok(families::connected(&self.file.graph));
        }
        Ok(families::connecting(&self.file.graph, &self.terminals("connecting", terminals)?))
    }

    fn cycles(&mut self, options: &Hamiltonian) -> EdgeSets {
        if options.hamiltonian {
            self.words.add("Hamiltonian");
            return families::hamiltonian_cycles(&self.file.graph);
        }
        families::cycles(&self.file.graph)
    }

    /// The cuts, or the minimal ones, between two vertices if these are given.
    fn cuts(&mut self, options: &Cuts) -> Result<EdgeSets, Failure> {
        let graph = &self.file.graph;
        if options.are_minimal {
            self.words.add("minimal");
        }
        let Some((from, to)) = options.from.as_ref().zip(options.to.as_ref()) else {
            let family = if options.are_minimal { families::minimal_cuts } else { families::cuts };
            return Ok(family(graph));
        };
        let (from, to) = (self.words.vertex("from", from)?, self.words.vertex("to", to)?);
        if from == to {
            return Err(Failure::usage(
                "a cut separates two different vertices; give another --to",
            ));
        }
        self.source.note_apart(graph, &[from, to]);
        let family = if options.are_minimal {
            families::minimal_cuts_between
        } else {
            families::cuts_between
        };
        Ok(family(graph, from, to))
    }

    /// Refuses negative weights, with which a part may cost more than the whole.
    fn refuse_negative_weights(&self) -> Result<(), Failure> {
        let weights = self.source.weights_or_ones(self.file, Unit::Edge)?;
        match weights.iter().find(|weight| weight.is_negative()) {
            None => Ok(()),
            Some(weight) => Err(Failure::Usage(format!(
                "--minimal with --cost-at-most: {} has a negative weight, {weight}; save all cuts, with --save, and give \
                 both options to `topdd list FILE`",
                self.source.name()
            ))),
        }
    }

    fn independent_sets(&mut self, options: &Distance) -> VertexSets {
        let graph = &self.file.graph;
        match options.distance {
            Some(distance) => {
                self.words.add(&format!("at distance {distance}"));
                families::independent_sets_at_distance(graph, distance)
            }
            None => families::independent_sets(graph),
        }
    }

    /// The bounds on the number of edges at each vertex.
    fn vertex_bounds(&mut self, b: PerItem<usize>, word: &str) -> Result<Vec<usize>, Failure> {
        let graph = &self.file.graph;
        if let PerItem::All(bound) = b {
            self.words.add(&format!("{word} {bound} at each vertex"));
            return Ok(vec![bound; graph.num_vertices()]);
        }
        self.words.add(&format!("{word} the weight of each vertex"));
        let Some(weights) = self.source.weights(self.file, Unit::Vertex)? else {
            return Err(Failure::Usage(format!(
                "the vertices of {} have no weights; give one number for all, such as -b 2",
                self.source.name()
            )));
        };
        let bound = |(vertex, weight): (usize, &Decimal)| {
            weight.to_string().parse().map_err(|_| {
                let problem = "is no number of edges; write a whole number from 0";
                let weight = weight.to_string();
                self.source.wrong_weight(self.file, Unit::Vertex, vertex, &weight, problem)
            })
        };
        weights.iter().enumerate().map(bound).collect()
    }

    /// The partitions, with the bounds on the weights of blocks.
    fn partitions(&mut self, options: &Partitions) -> Result<EdgeSets, Failure> {
        let &Partitions { k, min_weight: least, max_weight: most } = options;
        let graph = &self.file.graph;
        self.words.add(&format!("{k} blocks"));
        if least.is_none() && most.is_none() {
            return Ok(families::partitions(graph, k));
        }
        let weights = self.source.weights_or_ones(self.file, Unit::Vertex)?;
        for (word, bound) in [("least", least), ("most", most)] {
            if let Some(bound) = bound {
                self.words.add(&format!("each of weight at {word} {bound}"));
            }
        }
        let scale = Scale::new(weights.iter().chain(&least).chain(&most));
        let whole = |number: Decimal| scale.whole(number).ok_or_else(Failure::too_many_digits);
        let least = least.map_or(Ok(i64::MIN), whole)?;
        let most = most.map_or(Ok(i64::MAX), whole)?;
        if least > most {
            return Err(Failure::empty_range("--min-weight", "--max-weight"));
        }
        let weights = weights.into_iter().map(whole).collect::<Result<Vec<_>, _>>()?;
        let graph = graph.clone().with_vertex_weights(weights).map_err(Failure::usage)?;
        Ok(families::balanced_partitions(&graph, k, least..=most))
    }

    /// The sets of edges with allowed degrees, in all, out and in, and numbers of vertices of each degree.
    fn degrees(&mut self, options: &DegreeOptions) -> Result<EdgeSets, Failure> {
        let graph = &self.file.graph;
        let mut sets = families::degrees(graph, self.allowed("each", &options.degrees));
        let (out, into) = (&options.out_degrees, &options.in_degrees);
        if !(out.is_empty() && into.is_empty()) {
            if !graph.is_directed() {
                return Err(Failure::usage(
                    "--out-degrees, --in-degrees: for directed graphs; add --directed",
                ));
            }
            let (out, into) = (self.allowed("each out", out), self.allowed("each in", into));
            sets = sets.and(families::directed_degrees(graph, out, into));
        }
        if !options.distribution.is_empty() {
            let counts = options.distribution.iter().map(|count| &count.text[..]);
            let counts: Vec<&str> = counts.collect();
            self.words.add(&format!("vertices by degree {}", counts.join(" ")));
            sets = sets.and(distribution(graph, &options.distribution)?);
        }
        Ok(sets)
    }

    /// The allowed degrees of all vertices; any if none are given.
    fn allowed(&mut self, word: &str, degrees: &[usize]) -> Vec<Degrees> {
        let vertices = self.file.graph.num_vertices();
        if degrees.is_empty() {
            return vec![Degrees::any(); vertices];
        }
        let names: Vec<String> = degrees.iter().map(ToString::to_string).collect();
        self.words.add(&format!("{word} {}", names.join(" or ")));
        vec![Degrees::of(degrees.iter().copied()); vertices]
    }

    /// The paths, between the ends of the command line, or of the file.
    fn paths(&mut self, ends: &Ends, hamiltonian: &Hamiltonian) -> Result<EdgeSets, Failure> {
        let graph = &self.file.graph;
        let [from_file, to_file] = match self.file.terminals[..] {
            [from, to] if ends.from.is_none() => [Some(from), Some(to)],
            _ => [None, None],
        };
        let from = self.end("from", ends.from.as_deref(), from_file)?;
        let to = self.end("to", ends.to.as_deref(), to_file)?;
        if from.is_some() && from == to {
            return Err(Failure::usage("a path has two different ends; ask for cycles instead"));
        }
        let ends: Vec<usize> = from.into_iter().chain(to).collect();
        self.source.note_apart(graph, &ends);
        if hamiltonian.hamiltonian {
            self.words.add("Hamiltonian");
        }
        Ok(match (from, to, hamiltonian.hamiltonian) {
            (Some(from), Some(to), false) => families::paths(graph, from, to),
            (Some(from), None, false) => families::paths_from(graph, from),
            (_, _, false) => families::all_paths(graph),
            (Some(from), Some(to), true) => families::hamiltonian_paths_between(graph, from, to),
            (Some(from), None, true) => families::hamiltonian_paths_from(graph, from),
            (_, _, true) => families::hamiltonian_paths(graph),
        })
    }

    /// An end of paths: the vertex of the command line, or else of the file.
    fn end(
        &mut self,
        word: &str,
        given: Option<&str>,
        in_file: Option<usize>,
    ) -> Result<Option<usize>, Failure> {
        if let Some(label) = given {
            return self.words.vertex(word, label).map(Some);
        }
        self.words.name(word, in_file.as_slice());
        Ok(in_file)
    }
}

/// The degrees of sets with an edge at each vertex of a list, and without one at each vertex of another list.
fn degrees_at(graph: &Graph, through: &[usize], avoid: &[usize]) -> Vec<Degrees> {
    let mut degrees = vec![Degrees::any(); graph.num_vertices()];
    for &vertex in through {
        degrees[vertex] = Degrees::from(1..);
    }
    for &vertex in avoid {
        degrees[vertex] = if degrees[vertex].contains(0) { 0.into() } else { Degrees::of([]) };
    }
    degrees
}

/// The sets of edges with these numbers of vertices of each degree.
fn distribution(graph: &Graph, counts: &[DegreeCount]) -> Result<EdgeSets, Failure> {
    let most = (0..graph.num_vertices()).map(|vertex| graph.degree(vertex)).max().unwrap_or(0);
    // One more degree than there can be stands for all larger ones.
    let mut bounds = vec![0..=0; most + 2];
    let mut seen = HashSet::new();
    for DegreeCount { degree, vertices, .. } in counts {
        if !seen.insert(degree) {
            return Err(Failure::Usage(format!("--distribution gives the degree {degree} twice")));
        }
        if *degree <= most || *vertices.start() > 0 {
            bounds[(*degree).min(most + 1)] = vertices.clone();
        }
    }
    Ok(families::degree_distribution(graph, &bounds))
}

/// Whether all solutions connect a graph of several components, so that there is none.
pub(super) fn connects(options: &FamilyOptions, components: usize) -> bool {
    match options {
        FamilyOptions::SpanningTrees
        | FamilyOptions::Arborescences(_)
        | FamilyOptions::ConnectedDominatingSets => true,
        FamilyOptions::Paths(Paths { hamiltonian, .. }) | FamilyOptions::Cycles(hamiltonian) => {
            hamiltonian.hamiltonian
        }
        FamilyOptions::Connected(terminals) => terminals.terminals.is_empty(),
        FamilyOptions::Partitions(partitions) => partitions.k < components,
        _ => false,
    }
}
