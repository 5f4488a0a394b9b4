//! The family of a command line.

use std::collections::{HashMap, HashSet};

use topdd_graph::families::{
    self, Degrees, EdgeSets, FamilyError, GraphSets, Order, SubgraphConstraint, Unit, VertexSets,
};
use topdd_graph::format::GraphFile;
use topdd_graph::{Graph, GraphError};

use super::{given_flags, input, word};
use crate::args::{self, DegreeCount, Engine, GraphOrder, PerItem, What};
use crate::failure::Failure;
use crate::names::{self, Name};
use crate::progress::say;

/// The failure for a family that the library refuses, in the words of the command line.
pub(super) fn refused(asked: &args::Graph, error: &FamilyError) -> Failure {
    let what = word(&asked.what);
    match error {
        FamilyError::Graph(GraphError::Directed) if asked.directed => {
            Failure::Usage(format!("{what} are for undirected graphs; leave out --directed"))
        }
        FamilyError::Graph(GraphError::Directed) => input::is_directed(asked),
        FamilyError::Undirected { .. } => {
            Failure::Usage(format!("{what} are for directed graphs; add --directed"))
        }
        FamilyError::TooWide { slots, .. } => Failure::Usage(format!(
            "the graph is too dense for {what}: {slots} vertices would be on the frontier at once"
        )),
        error => Failure::usage(error),
    }
}

/// Whether an option is for a family.
type Fits = fn(What) -> bool;

/// Refuses options that are for other families, and asks for those that are missing.
pub(super) fn check(asked: &args::Graph) -> Result<(), Failure> {
    use What::{
        Arborescences, BMatchings, Colourings, Connected, Cycles, Factors, IndependentSets, Info,
        Partitions, Paths, Predict, Regular, Reliability, RootedForests, Steiner, SteinerSubgraphs,
    };
    if matches!(asked.what, Info | Predict) {
        refuse_answers(asked)?;
    }
    let sized = asked.min_size.is_some() || asked.max_size.is_some();
    let fixed = !asked.avoid.is_empty() || !asked.through.is_empty();
    let not_colours: Fits = |what| !matches!(what, Colourings | Reliability | Info);
    let weighed = asked.min_weight.is_some() || asked.max_weight.is_some();
    let only: [(&str, bool, Fits, &str); 18] = [
        (
            "--from",
            asked.from.is_some(),
            |what| matches!(what, Paths | Arborescences | Predict),
            "paths and arborescences",
        ),
        ("--to", asked.to.is_some(), |what| matches!(what, Paths | Predict), "paths"),
        (
            "--hamiltonian",
            asked.hamiltonian,
            |what| matches!(what, Paths | Cycles | Predict),
            "paths and cycles",
        ),
        ("--order", asked.order != GraphOrder::Auto, |what| what != Info, "families"),
        (
            "--terminals",
            !asked.terminals.is_empty(),
            |what| {
                matches!(what, Steiner | SteinerSubgraphs | RootedForests | Connected | Reliability)
            },
            "steiner, steiner-subgraphs, rooted-forests, connected and reliability",
        ),
        ("-p, --p-attr", gives_probabilities(asked), |what| what == Reliability, "reliability"),
        (
            "--by-size",
            asked.by_size,
            |what| !matches!(what, Colourings | Info | Predict),
            "sets of edges or vertices",
        ),
        ("--vertex-p", asked.vertex_p.is_some(), |what| what == Reliability, "reliability"),
        (
            "-k",
            asked.k.is_some(),
            |what| matches!(what, Colourings | Regular | Partitions),
            "colourings, partitions and regular",
        ),
        (
            "--distance",
            asked.distance.is_some(),
            |what| matches!(what, IndependentSets | Predict),
            "independent-sets",
        ),
        (
            "-b",
            asked.b.is_some(),
            |what| matches!(what, BMatchings | Factors),
            "b-matchings and factors",
        ),
        (
            "--degrees, --out-degrees, --in-degrees, --distribution",
            gives_degrees(asked),
            |what| what == What::Degrees,
            "degrees",
        ),
        ("--sides", asked.sides.is_some(), |what| what == What::Bicliques, "bicliques"),
        ("--min-weight, --max-weight", weighed, |what| what == Partitions, "partitions"),
        ("--avoid, --through", fixed, not_colours, "sets of edges or vertices"),
        ("--min-size, --max-size", sized, not_colours, "sets of edges or vertices"),
        ("--engine apply", asked.common.engine == Engine::Apply, |_| false, "queens and knights"),
        ("--best", asked.best.is_some(), not_colours, "sets of edges or vertices"),
    ];
    for (flag, given, fits, family) in only {
        if given && !fits(asked.what) {
            return Err(Failure::Usage(format!("{flag}: for {family} only")));
        }
    }
    refuse_empty_ranges(asked)?;
    ask_for_missing(asked)
}

/// Refuses a lower bound above the upper one.
fn refuse_empty_ranges(asked: &args::Graph) -> Result<(), Failure> {
    let sizes = asked.min_size.zip(asked.max_size).is_some_and(|(least, most)| least > most);
    let weights = asked.min_weight.zip(asked.max_weight).is_some_and(|(least, most)| least > most);
    for (what, is_empty) in [("size", sizes), ("weight", weights)] {
        if is_empty {
            return Err(Failure::Usage(format!(
                "--min-{what} is above --max-{what}, so that there would be no solution"
            )));
        }
    }
    Ok(())
}

/// Whether the probabilities of edges are given.
fn gives_probabilities(asked: &args::Graph) -> bool {
    asked.p.is_some() || asked.p_attr.is_some()
}

/// Whether degrees are given for the family `degrees`.
fn gives_degrees(asked: &args::Graph) -> bool {
    let lists = [&asked.degrees, &asked.out_degrees, &asked.in_degrees];
    lists.iter().any(|degrees| !degrees.is_empty()) || !asked.distribution.is_empty()
}

/// Asks for the options that a family needs.
fn ask_for_missing(asked: &args::Graph) -> Result<(), Failure> {
    use What::{Arborescences, BMatchings, Colourings, Factors, Partitions, Regular, Reliability};
    let missing = match asked.what {
        Reliability if !gives_probabilities(asked) => {
            "the probability that an edge works, with -p; `-p weights` takes the weights in the file, and --p-attr an \
             attribute"
        }
        Colourings if asked.k.is_none() => "the number of colours, with -k",
        Partitions if asked.k.is_none() => "the number of blocks, with -k",
        Regular if asked.k.is_none() => "the degree, with -k",
        Arborescences if asked.from.is_none() => "the root, with --from",
        BMatchings | Factors if asked.b.is_none() => {
            "the number of edges at each vertex, with -b; `-b weights` takes the weights in the file"
        }
        What::Bicliques if asked.sides.is_none() => "the sizes of both sides, such as --sides 2,3",
        What::Degrees if !gives_degrees(asked) => "the allowed degrees, such as --degrees 0,2",
        _ => return Ok(()),
    };
    Err(Failure::Usage(format!("{}: give {missing}", word(&asked.what))))
}

/// Refuses options that are for solutions, and for runs.
fn refuse_answers(asked: &args::Graph) -> Result<(), Failure> {
    let (common, pictures) = (&asked.common, &asked.common.pictures);
    let given = given_flags([
        ("--list", common.all),
        ("--limit", common.limit.is_some()),
        ("--nth", common.nth.is_some()),
        ("--sample", common.sample.is_some()),
        ("--best", asked.best.is_some()),
        ("--save", common.save.is_some()),
        ("--dot", common.dot.is_some()),
        ("--svg", pictures.svg.is_some()),
        ("--png", pictures.png.is_some()),
        ("--profile", pictures.profile.is_some()),
        ("--count-only", common.count_only),
        ("--quiet", common.quiet),
        ("--report", common.report),
        ("--predict", asked.predict),
        ("--checkpoint", common.checkpoint.is_some()),
        ("--spill", common.spill.is_some()),
        ("--threads", common.threads.is_some()),
        ("--time-limit", common.time_limit.is_some()),
    ]);
    let given: Vec<String> = given.collect();
    if !given.is_empty() {
        let (flags, what) = (given.join(", "), word(&asked.what));
        return Err(Failure::Usage(format!("{flags}: for families, not for {what}")));
    }
    Ok(())
}

/// The order of the command line, for the library.
pub(super) fn order(asked: GraphOrder) -> Order {
    match asked {
        GraphOrder::Auto => Order::Auto,
        GraphOrder::Given => Order::Given,
        GraphOrder::Bfs => Order::Bfs,
    }
}

/// Makes the family, and its conditions in words.
pub(super) fn of(
    asked: &args::Graph,
    what: What,
    file: &GraphFile,
) -> Result<(GraphSets, String), Failure> {
    let graph = &file.graph;
    let mut conditions = Conditions::new(asked, graph);
    let family = if what == What::Colourings {
        let colours = asked.k.unwrap_or_default();
        conditions.add(&format!("{colours} colours"));
        families::colourings(graph, colours).into_any()
    } else if let Some(sets) = vertex_sets(asked, what, graph) {
        if let Some(distance) = asked.distance {
            conditions.add(&format!("at distance {distance}"));
        }
        let mut sets = sets.with(conditions.vertices("through", &asked.through)?);
        sets = sets.without(conditions.vertices("avoiding", &asked.avoid)?);
        if let Some(size) = conditions.size(asked.max_size) {
            sets = sets.and(size);
        }
        sets.into_any()
    } else {
        let mut sets = edge_sets(asked, what, file, &mut conditions)?;
        let through = conditions.vertices("through", &asked.through)?;
        let avoid = conditions.vertices("avoiding", &asked.avoid)?;
        if !(through.is_empty() && avoid.is_empty()) {
            sets = sets.and(families::degrees(graph, degrees_at(graph, &through, &avoid)));
        }
        let of_file = file.max_length.filter(|_| what == What::Paths);
        if let Some(size) = conditions.size(asked.max_size.or(of_file)) {
            sets = sets.and(size);
        }
        sets.into_any()
    };
    Ok((family.order(order(asked.order)), conditions.text))
}

/// The degrees of sets with an edge at each vertex of a list, and without one at those of another.
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

/// The family of vertex sets, if it is one.
fn vertex_sets(asked: &args::Graph, what: What, graph: &Graph) -> Option<VertexSets> {
    Some(match what {
        What::IndependentSets => match asked.distance {
            Some(distance) => families::independent_sets_at_distance(graph, distance),
            None => families::independent_sets(graph),
        },
        What::Cliques => families::cliques(graph),
        What::DominatingSets => families::dominating_sets(graph),
        What::TotalDominatingSets => families::total_dominating_sets(graph),
        What::ConnectedDominatingSets => families::connected_dominating_sets(graph),
        What::VertexCovers => families::vertex_covers(graph),
        What::ConnectedSubgraphs => families::connected_induced_subgraphs(graph),
        _ => return None,
    })
}

/// The family of edge sets.
fn edge_sets(
    asked: &args::Graph,
    what: What,
    file: &GraphFile,
    conditions: &mut Conditions<'_>,
) -> Result<EdgeSets, Failure> {
    let graph = &file.graph;
    Ok(match what {
        What::Paths => paths(asked, file, conditions)?,
        What::Cycles if asked.hamiltonian => {
            conditions.add("Hamiltonian");
            families::hamiltonian_cycles(graph)
        }
        What::Cycles => families::cycles(graph),
        What::Trees => families::spanning_trees(graph),
        What::Subtrees => families::subtrees(graph),
        What::Forests => families::forests(graph),
        What::RootedForests => {
            families::rooted_forests(graph, &conditions.terminals("rooted at", file)?)
        }
        What::Steiner => families::steiner_trees(graph, &conditions.terminals("connecting", file)?),
        What::SteinerSubgraphs => {
            families::steiner_subgraphs(graph, &conditions.terminals("connecting", file)?)
        }
        What::Arborescences => {
            let root = conditions.vertex("from", asked.from.as_deref().unwrap_or_default())?;
            families::arborescences(graph, root)
        }
        // The terminals in a file are for other families.
        What::Connected if !asked.terminals.is_empty() => {
            families::connecting(graph, &conditions.terminals("connecting", file)?)
        }
        What::Connected => families::connected(graph),
        What::Matchings => families::matchings(graph),
        What::PerfectMatchings => families::perfect_matchings(graph),
        What::Regular => {
            let degree = asked.k.unwrap_or_default();
            conditions.add(&format!("of degree {degree}"));
            families::regular_subgraphs(graph, degree)
        }
        What::BMatchings => {
            families::b_matchings(graph, &vertex_bounds(asked, file, "at most", conditions)?)
        }
        What::Factors => {
            families::factors(graph, &vertex_bounds(asked, file, "exactly", conditions)?)
        }
        What::Partitions => partitions(asked, file, conditions)?,
        What::Cuts => families::cuts(graph),
        What::Bipartite => families::bipartite_subgraphs(graph),
        What::Bicliques => {
            let [a, b] = asked.sides.unwrap_or_default();
            conditions.add(&format!("sides of {a} and {b}"));
            families::bicliques(graph, a, b)
        }
        What::Degrees => degrees(asked, graph, conditions)?,
        _ => return Err(Failure::Usage(format!("{} is no family", word(&what)))),
    })
}

/// The bounds on the number of edges at each vertex.
fn vertex_bounds(
    asked: &args::Graph,
    file: &GraphFile,
    word: &str,
    conditions: &mut Conditions<'_>,
) -> Result<Vec<usize>, Failure> {
    let graph = &file.graph;
    if let Some(PerItem::All(bound)) = asked.b {
        conditions.add(&format!("{word} {bound} at each vertex"));
        return Ok(vec![bound; graph.num_vertices()]);
    }
    conditions.add(&format!("{word} the weight of each vertex"));
    input::check_whole(asked, file, Unit::Vertex, "-b weights")?;
    let name = input::name(&asked.file);
    let Some(weights) = graph.vertex_weights() else {
        return Err(Failure::Usage(format!(
            "the vertices of {name} have no weights; give one number for all, such as -b 2"
        )));
    };
    let bounds = weights.iter().enumerate().map(|(vertex, &weight)| {
        usize::try_from(weight).map_err(|_| {
            let vertex = graph.vertex_name(vertex);
            Failure::Failed(format!(
                "the vertex {vertex} of {name} has the weight {weight}, which -b weights cannot take; \
                 write 0 or more"
            ))
        })
    });
    bounds.collect()
}

/// The partitions, with the bounds on the weights of blocks.
fn partitions(
    asked: &args::Graph,
    file: &GraphFile,
    conditions: &mut Conditions<'_>,
) -> Result<EdgeSets, Failure> {
    let blocks = asked.k.unwrap_or_default();
    conditions.add(&format!("{blocks} blocks"));
    let (least, most) = (asked.min_weight, asked.max_weight);
    if least.is_none() && most.is_none() {
        return Ok(families::partitions(&file.graph, blocks));
    }
    input::check_whole(asked, file, Unit::Vertex, "a bound on weights")?;
    let may_be_weights = !file.vertex_attributes.is_empty();
    if file.graph.vertex_weights().is_none() && !may_be_weights && !asked.common.quiet {
        say(format_args!(
            "note: the vertices have no weights, so each weighs 1; --vertices FILE adds a table with weights"
        ));
    }
    for (word, bound) in [("least", least), ("most", most)] {
        if let Some(bound) = bound {
            conditions.add(&format!("each of weight at {word} {bound}"));
        }
    }
    let bounds = least.unwrap_or(i64::MIN)..=most.unwrap_or(i64::MAX);
    Ok(families::balanced_partitions(&file.graph, blocks, bounds))
}

/// The sets of edges with allowed degrees, in all, out and in, and numbers of vertices of each degree.
fn degrees(
    asked: &args::Graph,
    graph: &Graph,
    conditions: &mut Conditions<'_>,
) -> Result<EdgeSets, Failure> {
    let mut allowed = |word: &str, degrees: &[usize]| {
        if degrees.is_empty() {
            return vec![Degrees::any(); graph.num_vertices()];
        }
        let names: Vec<String> = degrees.iter().map(ToString::to_string).collect();
        conditions.add(&format!("{word} {}", names.join(" or ")));
        vec![Degrees::of(degrees.iter().copied()); graph.num_vertices()]
    };
    let mut sets = families::degrees(graph, allowed("each", &asked.degrees));
    let (out, into) = (&asked.out_degrees, &asked.in_degrees);
    if !(out.is_empty() && into.is_empty()) {
        if !graph.is_directed() {
            return Err(Failure::usage(
                "--out-degrees, --in-degrees: for directed graphs; add --directed",
            ));
        }
        let (out, into) = (allowed("each out", out), allowed("each in", into));
        sets = sets.and(families::directed_degrees(graph, out, into));
    }
    if !asked.distribution.is_empty() {
        let counts: Vec<&str> = asked.distribution.iter().map(|count| &count.text[..]).collect();
        conditions.add(&format!("vertices by degree {}", counts.join(" ")));
        sets = sets.and(distribution(graph, &asked.distribution)?);
    }
    Ok(sets)
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

/// The paths, between the ends of the command line or those in the file.
fn paths(
    asked: &args::Graph,
    file: &GraphFile,
    conditions: &mut Conditions<'_>,
) -> Result<EdgeSets, Failure> {
    let graph = &file.graph;
    let given = |place: usize| match file.terminals[..] {
        [from, to] if asked.from.is_none() => Some([from, to][place]),
        _ => None,
    };
    let mut end = |word: &str, asked: Option<&str>, given: Option<usize>| match (asked, given) {
        (Some(label), _) => conditions.vertex(word, label).map(Some),
        (None, Some(vertex)) => {
            conditions.name(word, &[vertex]);
            Ok(Some(vertex))
        }
        (None, None) => Ok(None),
    };
    let from = end("from", asked.from.as_deref(), given(0))?;
    let to = end("to", asked.to.as_deref(), given(1))?;
    if from.is_some() && from == to {
        return Err(Failure::usage("a path has two different ends; ask for cycles instead"));
    }
    input::note_apart(asked, graph, &from.into_iter().chain(to).collect::<Vec<_>>());
    if asked.hamiltonian {
        conditions.add("Hamiltonian");
    }
    Ok(match (from, to, asked.hamiltonian) {
        (Some(from), Some(to), false) => families::paths(graph, from, to),
        (Some(from), None, false) => families::paths_from(graph, from),
        (_, _, false) => families::all_paths(graph),
        (Some(from), Some(to), true) => families::hamiltonian_paths_between(graph, from, to),
        (Some(from), None, true) => families::hamiltonian_paths_from(graph, from),
        (_, _, true) => families::hamiltonian_paths(graph),
    })
}

/// The conditions of a family, collected for the title.
pub(super) struct Conditions<'a> {
    asked: &'a args::Graph,
    graph: &'a Graph,
    /// The first vertex of each label, in a graph with labels.
    by_label: HashMap<&'a str, usize>,
    pub(super) text: String,
}

impl<'a> Conditions<'a> {
    pub(super) fn new(asked: &'a args::Graph, graph: &'a Graph) -> Self {
        let labels = graph.vertex_labels().unwrap_or(&[]).iter().enumerate().rev();
        let by_label = labels.map(|(vertex, label)| (&label[..], vertex)).collect();
        Self { asked, graph, by_label, text: String::new() }
    }

    pub(super) fn add(&mut self, condition: &str) {
        self.text.push_str(", ");
        self.text.push_str(condition);
    }

    /// Looks a vertex up, and adds it to the conditions.
    fn vertex(&mut self, word: &str, text: &str) -> Result<usize, Failure> {
        let vertex = self.lookup(text).ok_or_else(|| self.unknown(text))?;
        self.name(word, &[vertex]);
        Ok(vertex)
    }

    /// Looks up the vertices of lists with commas, and adds them to the conditions.
    fn vertices(&mut self, word: &str, lists: &[String]) -> Result<Vec<usize>, Failure> {
        let mut vertices = Vec::new();
        for list in lists {
            let given = list;
            let list = list.strip_suffix(',').unwrap_or(list);
            let mut rest = Some(list);
            while let Some(text) = rest {
                let Some((vertex, end)) = self.first_vertex(text, text.len() == list.len()) else {
                    let label = match names::quoted_prefix(text) {
                        Some((_, after)) => &text[..text.len() - after.len()],
                        None => text.split(',').next().unwrap_or(text),
                    };
                    return Err(match label {
                        "" => Failure::Usage(format!("a vertex is missing in the list `{given}`")),
                        label => self.unknown(label),
                    });
                };
                vertices.push(vertex);
                rest = text.get(end + 1..);
            }
        }
        self.name(word, &vertices);
        Ok(vertices)
    }

    /// The first vertex of a list with commas, and the end of its label. A label in quotes ends with them. Another one
    /// may have commas: the list is one label if it can be, or each label is as short as it can be.
    fn first_vertex(&self, text: &str, is_list: bool) -> Option<(usize, usize)> {
        if let Some((label, after)) = names::quoted_prefix(text)
            && (after.is_empty() || after.starts_with(','))
            && let Some(vertex) = self.label(&label)
        {
            return Some((vertex, text.len() - after.len()));
        }
        let commas = text.match_indices(',').map(|(at, _)| at);
        let whole = is_list.then_some(text.len());
        let mut ends = whole.into_iter().chain(commas).chain([text.len()]);
        ends.find_map(|end| Some((self.label(&text[..end])?, end)))
    }

    /// Adds vertices to the conditions.
    fn name(&mut self, word: &str, vertices: &[usize]) {
        if !vertices.is_empty() {
            let names: Vec<String> = vertices.iter().map(|&v| self.printed(v)).collect();
            self.add(&format!("{word} {}", names.join(" ")));
        }
    }

    fn printed(&self, vertex: usize) -> String {
        Name::Label(self.graph.vertex_name(vertex)).printed()
    }

    /// The terminals of the command line, or those in the file.
    pub(super) fn terminals(
        &mut self,
        word: &str,
        file: &GraphFile,
    ) -> Result<Vec<usize>, Failure> {
        let asked = self.asked;
        let vertices = match &asked.terminals[..] {
            [] => {
                self.name(word, &file.terminals);
                file.terminals.clone()
            }
            lists => self.vertices(word, lists)?,
        };
        if vertices.is_empty() {
            let what = super::word(&asked.what);
            let flag = if asked.what == What::RootedForests { "--roots" } else { "--terminals" };
            return Err(Failure::Usage(format!("{what}: give vertices, with {flag}")));
        }
        let mut seen = HashSet::new();
        match vertices.iter().find(|&&vertex| !seen.insert(vertex)) {
            None => {
                if asked.what != What::RootedForests {
                    input::note_apart(asked, self.graph, &vertices);
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
        let some = (0..self.graph.num_vertices().min(4)).map(|v| self.printed(v));
        let some: Vec<String> = some.collect();
        Failure::Usage(format!(
            "there is no vertex {label} in {}; it has {} vertices: {}{}",
            input::name(&self.asked.file),
            self.graph.num_vertices(),
            some.join(", "),
            if self.graph.num_vertices() > some.len() { ", .." } else { "" },
        ))
    }

    /// The bounds on the number of edges or vertices, if there are any.
    fn size(&mut self, most: Option<usize>) -> Option<SubgraphConstraint> {
        let least = self.asked.min_size;
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
