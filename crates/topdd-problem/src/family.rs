//! The families of a graph as data: which one, and with which parameters.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use topdd_graph::Graph;
use topdd_graph::families::{
    self, Degrees, EdgeSets, FamilyError, GraphSets, SubgraphConstraint, Unit, VertexSets,
};

use crate::condition::{Condition, SumBounds};

/// What is known of a family without its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyKind {
    /// The name, in small letters with hyphens: `spanning-trees`.
    pub name: &'static str,
    /// What a variable of its diagrams stands for.
    pub unit: Unit,
    /// What the solutions are, in one line.
    pub about: &'static str,
}

/// Makes [`Family`] from a table: the variant, the name, the unit and the parameters of each family. The document of the
/// variant is its sentence.
macro_rules! families {
    ($(#[doc = $about:literal] $variant:ident $name:literal $unit:ident $({
        $($(#[$of_field:meta])* $field:ident: $type:ty),*
    })?;)*) => {
        /// A family of a graph, with its parameters. Vertices are numbers of the graph.
        ///
        /// The function of the same name in [`topdd_graph::families`] has the same solutions. [`sets`](Family::sets) checks
        /// the parameters.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "name", rename_all = "kebab-case")]
        pub enum Family {
            $(#[doc = $about] $variant $({ $($(#[$of_field])* $field: $type),* })?,)*
        }

        impl Family {
            /// All families: of edges, of vertices, and of colours.
            pub const KINDS: &'static [FamilyKind] =
                &[$(FamilyKind { name: $name, unit: Unit::$unit, about: $about.trim_ascii() }),*];

            /// Returns the name of the family, in small letters with hyphens.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Family::$variant { .. } => $name,)*
                }
            }
        }
    };
}

families! {
    /// Simple paths
    Paths "paths" Edge {
        /// The first vertex; any without it.
        from: Option<usize>,
        /// The last vertex; any without it.
        to: Option<usize>,
        /// Whether they pass through every vertex.
        hamiltonian: bool
    };
    /// Simple cycles
    Cycles "cycles" Edge {
        /// Whether they pass through every vertex.
        hamiltonian: bool
    };
    /// Spanning trees
    SpanningTrees "spanning-trees" Edge;
    /// Trees of at least one edge
    Subtrees "subtrees" Edge;
    /// Sets of edges without a cycle
    Forests "forests" Edge;
    /// Forests with exactly one of the roots in each component
    RootedForests "rooted-forests" Edge {
        /// The roots, each once.
        roots: Vec<usize>
    };
    /// Trees that contain all terminals; leaves may be other vertices
    SteinerTrees "steiner-trees" Edge {
        /// The terminals, each once.
        terminals: Vec<usize>
    };
    /// Connected sets of edges that contain all terminals
    SteinerSubgraphs "steiner-subgraphs" Edge {
        /// The terminals, each once.
        terminals: Vec<usize>
    };
    /// Directed spanning trees away from a root
    Arborescences "arborescences" Edge {
        /// The root.
        root: usize
    };
    /// Sets of edges that connect all vertices, or the terminals
    Connected "connected" Edge {
        /// The terminals, each once; all vertices without them.
        terminals: Option<Vec<usize>>
    };
    /// Sets of edges that form one component
    ConnectedEdgeSets "connected-edge-sets" Edge;
    /// Sets of edges without a common end
    Matchings "matchings" Edge;
    /// Matchings that meet every vertex
    PerfectMatchings "perfect-matchings" Edge;
    /// Sets of edges with at most a number of them at each vertex
    BMatchings "b-matchings" Edge {
        /// The greatest number of edges at a vertex.
        most: PerVertex<usize>
    };
    /// Sets of edges with exactly a number of them at each vertex
    Factors "factors" Edge {
        /// The number of edges at a vertex.
        degree: PerVertex<usize>
    };
    /// Sets of edges with allowed degrees, or numbers of vertices of each
    Degrees "degrees" Edge {
        /// The allowed degrees of a vertex; any if there is no list.
        degrees: PerVertex<Option<Vec<usize>>>,
        /// The allowed numbers of edges out of a vertex.
        out: PerVertex<Option<Vec<usize>>>,
        /// The allowed numbers of edges into a vertex.
        into: PerVertex<Option<Vec<usize>>>,
        /// The numbers of vertices of each degree; none of other degrees. Any, if the list is empty.
        distribution: Vec<DegreeCount>
    };
    /// Sets of edges such that each vertex has a number of them or none
    RegularSubgraphs "regular-subgraphs" Edge {
        /// The number of edges at each vertex that has any.
        degree: usize
    };
    /// Splits into connected blocks, as the edges within blocks
    Partitions "partitions" Edge {
        /// The number of blocks.
        blocks: usize,
        /// Bounds on the weight of each block, by the weights of the vertices.
        weight: Option<SumBounds>
    };
    /// Sets of edges between some vertices and all others
    Cuts "cuts" Edge {
        /// Two vertices on different sides.
        between: Option<(usize, usize)>,
        /// Whether no cut contains another one.
        minimal: bool
    };
    /// Sets of edges without an odd cycle
    BipartiteSubgraphs "bipartite-subgraphs" Edge;
    /// All edges between two sets of vertices of given sizes
    Bicliques "bicliques" Edge {
        /// The number of vertices of one side.
        a: usize,
        /// The number of vertices of the other side.
        b: usize
    };
    /// Sets of edges that connect groups of vertices, and no two of them
    Subgraphs "subgraphs" Edge {
        /// The groups of vertices, each of which is connected, and no two of which are.
        groups: Vec<Vec<usize>>,
        /// The allowed degrees of a vertex; any if there is no list.
        degrees: PerVertex<Option<Vec<usize>>>,
        /// Whether there is no cycle.
        acyclic: bool
    };
    /// All sets of edges
    EdgeSets "edge-sets" Edge;
    /// Sets of vertices without an edge between two of them
    IndependentSets "independent-sets" Vertex {
        /// The least distance of two of them; 2 without it.
        distance: Option<usize>
    };
    /// Sets of vertices with an edge between any two of them
    Cliques "cliques" Vertex;
    /// Sets of vertices such that every other vertex has a neighbour in it
    DominatingSets "dominating-sets" Vertex;
    /// Sets of vertices such that every vertex has a neighbour in it
    TotalDominatingSets "total-dominating-sets" Vertex;
    /// Dominating sets that are connected
    ConnectedDominatingSets "connected-dominating-sets" Vertex;
    /// Sets of vertices that meet every edge
    VertexCovers "vertex-covers" Vertex;
    /// Sets of vertices that are connected by the edges between them
    ConnectedInducedSubgraphs "connected-induced-subgraphs" Vertex;
    /// All sets of vertices
    VertexSets "vertex-sets" Vertex;
    /// Colours of the vertices, different for neighbours
    Colourings "colourings" Colour {
        /// The number of colours.
        colours: usize
    };
}

/// A parameter that each vertex has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerVertex<T> {
    /// The same for all vertices.
    All(T),
    /// One for each, in the order of the graph.
    Each(Vec<T>),
}

impl<T: Clone> PerVertex<T> {
    /// The value of each of so many vertices.
    fn values(&self, vertices: usize) -> Vec<T> {
        match self {
            PerVertex::All(value) => vec![value.clone(); vertices],
            PerVertex::Each(values) => values.clone(),
        }
    }
}

impl PerVertex<Option<Vec<usize>>> {
    /// Any degree at each vertex.
    pub const ANY: Self = PerVertex::All(None);

    fn allowed(&self, vertices: usize) -> Vec<Degrees> {
        let allowed = |list: Option<Vec<usize>>| list.map_or_else(Degrees::any, Degrees::of);
        self.values(vertices).into_iter().map(allowed).collect()
    }

    /// The degrees in words, if they are restricted.
    fn words(&self, which: &str) -> Option<String> {
        match self {
            PerVertex::All(None) => None,
            PerVertex::All(Some(degrees)) => {
                let degrees: Vec<String> = degrees.iter().map(ToString::to_string).collect();
                Some(format!("{which} {}", degrees.join(" or ")))
            }
            PerVertex::Each(_) => Some(format!("{which} with degrees of its own")),
        }
    }
}

/// The number of vertices of one degree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DegreeCount {
    /// The degree.
    pub degree: usize,
    /// The least and the greatest number of vertices that have it.
    pub vertices: RangeInclusive<usize>,
}

/// The number as it is written on a command line: `3=1`, `0=2-4`, `1=any`.
impl fmt::Display for DegreeCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self.vertices.start(), *self.vertices.end()) {
            (0, usize::MAX) => write!(f, "{}=any", self.degree),
            (least, most) if least == most => write!(f, "{}={least}", self.degree),
            (least, most) => write!(f, "{}={least}-{most}", self.degree),
        }
    }
}

impl Family {
    /// Returns what is known of the family without its parameters.
    pub fn kind(&self) -> &'static FamilyKind {
        Self::named(self.name()).expect("each family has a kind")
    }

    /// Returns the family of a name, which may have underscores in place of hyphens.
    ///
    /// ```
    /// use topdd_problem::Family;
    ///
    /// assert_eq!(Family::named("spanning_trees").unwrap().about, "Spanning trees");
    /// ```
    pub fn named(name: &str) -> Option<&'static FamilyKind> {
        let name = name.replace('_', "-");
        Self::KINDS.iter().find(|kind| kind.name == name)
    }

    /// Returns what a variable of the family stands for.
    pub fn unit(&self) -> Unit {
        self.kind().unit
    }

    /// Returns the solutions of a graph. Takes linear time.
    ///
    /// # Errors
    ///
    /// A [`ParameterError`] for parameters that contradict themselves, or that the library refuses for this graph.
    pub fn sets(&self, graph: &Graph) -> Result<GraphSets, ParameterError> {
        if let Family::Degrees { distribution, .. } = self {
            let mut seen = HashSet::new();
            if let Some(twice) = distribution.iter().find(|count| !seen.insert(count.degree)) {
                return Err(ParameterError::DegreeTwice { degree: twice.degree });
            }
        }
        let mut graph = Cow::Borrowed(graph);
        if let Family::Partitions { weight: Some(weight), .. } = self {
            if weight.range().is_empty() {
                return Err(ParameterError::EmptyRange);
            }
            let weighted = graph.into_owned().with_vertex_weights(weight.weights.iter().copied());
            graph = Cow::Owned(weighted.map_err(FamilyError::from)?);
        }
        let sets = self.unchecked(&graph);
        sets.check()?;
        Ok(sets)
    }

    fn unchecked(&self, graph: &Graph) -> GraphSets {
        match *self {
            Family::IndependentSets { distance: None } => {
                families::independent_sets(graph).into_any()
            }
            Family::IndependentSets { distance: Some(distance) } => {
                families::independent_sets_at_distance(graph, distance).into_any()
            }
            Family::Cliques => families::cliques(graph).into_any(),
            Family::DominatingSets => families::dominating_sets(graph).into_any(),
            Family::TotalDominatingSets => families::total_dominating_sets(graph).into_any(),
            Family::ConnectedDominatingSets => {
                families::connected_dominating_sets(graph).into_any()
            }
            Family::VertexCovers => families::vertex_covers(graph).into_any(),
            Family::ConnectedInducedSubgraphs => {
                families::connected_induced_subgraphs(graph).into_any()
            }
            Family::VertexSets => VertexSets::all(graph).into_any(),
            Family::Colourings { colours } => families::colourings(graph, colours).into_any(),
            _ => self.edge_sets(graph).into_any(),
        }
    }

    /// The sets of a family of edges.
    fn edge_sets(&self, graph: &Graph) -> EdgeSets {
        let vertices = graph.num_vertices();
        match *self {
            Family::Paths { from, to, hamiltonian } => paths(graph, from, to, hamiltonian),
            Family::Cycles { hamiltonian: false } => families::cycles(graph),
            Family::Cycles { hamiltonian: true } => families::hamiltonian_cycles(graph),
            Family::SpanningTrees => families::spanning_trees(graph),
            Family::Subtrees => families::subtrees(graph),
            Family::Forests => families::forests(graph),
            Family::RootedForests { ref roots } => families::rooted_forests(graph, roots),
            Family::SteinerTrees { ref terminals } => families::steiner_trees(graph, terminals),
            Family::SteinerSubgraphs { ref terminals } => {
                families::steiner_subgraphs(graph, terminals)
            }
            Family::Arborescences { root } => families::arborescences(graph, root),
            Family::Connected { terminals: None } => families::connected(graph),
            Family::Connected { terminals: Some(ref terminals) } => {
                families::connecting(graph, terminals)
            }
            Family::ConnectedEdgeSets => families::connected_edge_sets(graph),
            Family::Matchings => families::matchings(graph),
            Family::PerfectMatchings => families::perfect_matchings(graph),
            Family::BMatchings { ref most } => families::b_matchings(graph, &most.values(vertices)),
            Family::Factors { ref degree } => families::factors(graph, &degree.values(vertices)),
            Family::Degrees { ref degrees, ref out, ref into, ref distribution } => {
                let mut sets = families::degrees(graph, degrees.allowed(vertices));
                if [out, into].iter().any(|degrees| **degrees != PerVertex::ANY) {
                    let (out, into) = (out.allowed(vertices), into.allowed(vertices));
                    sets = sets.and(families::directed_degrees(graph, out, into));
                }
                if !distribution.is_empty() {
                    sets = sets.and(with_distribution(graph, distribution));
                }
                sets
            }
            Family::RegularSubgraphs { degree } => families::regular_subgraphs(graph, degree),
            Family::Partitions { blocks, weight: None } => families::partitions(graph, blocks),
            Family::Partitions { blocks, weight: Some(ref weight) } => {
                families::balanced_partitions(graph, blocks, weight.range())
            }
            Family::Cuts { between: None, minimal: false } => families::cuts(graph),
            Family::Cuts { between: None, minimal: true } => families::minimal_cuts(graph),
            Family::Cuts { between: Some((s, t)), minimal: false } => {
                families::cuts_between(graph, s, t)
            }
            Family::Cuts { between: Some((s, t)), minimal: true } => {
                families::minimal_cuts_between(graph, s, t)
            }
            Family::BipartiteSubgraphs => families::bipartite_subgraphs(graph),
            Family::Bicliques { a, b } => families::bicliques(graph, a, b),
            Family::Subgraphs { ref groups, ref degrees, acyclic } => {
                let degrees = families::degrees(graph, degrees.allowed(vertices));
                let sets = families::connected_groups(graph, groups).and(degrees);
                if acyclic { sets.and(families::forests(graph)) } else { sets }
            }
            Family::EdgeSets => EdgeSets::all(graph),
            _ => unreachable!("the other families are of vertices and colours"),
        }
    }

    /// Returns the parameters in words, in the order in which a title has them: `from a`, `to b`. `name` returns the name of
    /// a vertex.
    pub fn words(&self, name: impl Fn(usize) -> String) -> Vec<String> {
        let names = |word: &str, vertices: &[usize]| {
            let names: Vec<String> = vertices.iter().map(|&vertex| name(vertex)).collect();
            Some(format!("{word} {}", names.join(" "))).filter(|_| !vertices.is_empty())
        };
        let hamiltonian = |is_asked: bool| is_asked.then(|| "Hamiltonian".to_owned());
        let ends = |from: Option<usize>, to: Option<usize>| {
            [names("from", from.as_slice()), names("to", to.as_slice())]
        };
        let words: Vec<Option<String>> = match *self {
            Family::Paths { from, to, hamiltonian: is_asked } => {
                ends(from, to).into_iter().chain([hamiltonian(is_asked)]).collect()
            }
            Family::Cycles { hamiltonian: is_asked } => vec![hamiltonian(is_asked)],
            Family::RootedForests { ref roots } => vec![names("rooted at", roots)],
            Family::SteinerTrees { ref terminals }
            | Family::SteinerSubgraphs { ref terminals }
            | Family::Connected { terminals: Some(ref terminals) } => {
                vec![names("connecting", terminals)]
            }
            Family::Arborescences { root } => vec![names("from", &[root])],
            Family::BMatchings { ref most } => vec![Some(at_each("at most", most))],
            Family::Factors { ref degree } => vec![Some(at_each("exactly", degree))],
            Family::Degrees { ref degrees, ref out, ref into, ref distribution } => {
                let counts: Vec<String> = distribution.iter().map(ToString::to_string).collect();
                let counts = format!("vertices by degree {}", counts.join(" "));
                let counts = Some(counts).filter(|_| !distribution.is_empty());
                vec![degrees.words("each"), out.words("each out"), into.words("each in"), counts]
            }
            Family::RegularSubgraphs { degree } => vec![Some(format!("of degree {degree}"))],
            Family::Partitions { blocks, ref weight } => {
                let bounds = weight.iter().flat_map(|weight| weight.words("each of weight"));
                let blocks = format!("{blocks} block{}", if blocks == 1 { "" } else { "s" });
                [blocks].into_iter().chain(bounds).map(Some).collect()
            }
            Family::Cuts { between, minimal } => {
                let [from, to] = ends(between.map(|(s, _)| s), between.map(|(_, t)| t));
                vec![minimal.then(|| "minimal".to_owned()), from, to]
            }
            Family::Bicliques { a, b } => vec![Some(format!("sides of {a} and {b}"))],
            Family::Subgraphs { ref groups, ref degrees, acyclic } => {
                let groups = groups.iter().map(|group| names("connecting", group));
                let others = [degrees.words("each"), acyclic.then(|| "without a cycle".to_owned())];
                groups.chain(others).collect()
            }
            Family::IndependentSets { distance: Some(distance) } => {
                vec![Some(format!("at distance {distance}"))]
            }
            Family::Colourings { colours } => vec![Some(format!("{colours} colours"))],
            _ => Vec::new(),
        };
        words.into_iter().flatten().collect()
    }

    /// Takes the condition that cuts are minimal among those that satisfy the others, if one sweep over the minimal cuts
    /// finds them: if the others hold for each part of a cut for which they hold.
    pub fn take_minimal(&mut self, conditions: &mut Vec<Condition>) {
        let Family::Cuts { minimal, .. } = self else { return };
        let is_minimal = |condition: &Condition| *condition == Condition::Minimal;
        let keep = |condition: &Condition| is_minimal(condition) || condition.keeps_parts();
        if conditions.iter().any(is_minimal) && conditions.iter().all(keep) {
            conditions.retain(|condition| !is_minimal(condition));
            *minimal = true;
        }
    }

    /// Returns the vertices that define the family, each with its role: `start`, `end`, `root` or `terminal`.
    pub fn roles(&self) -> Vec<(usize, &'static str)> {
        let ends = |from: Option<usize>, to: Option<usize>| {
            let ends = [from.map(|from| (from, "start")), to.map(|to| (to, "end"))];
            ends.into_iter().flatten().collect()
        };
        let all = |vertices: &[usize], role| vertices.iter().map(|&v| (v, role)).collect();
        match self {
            &Family::Paths { from, to, .. } => ends(from, to),
            &Family::Cuts { between, .. } => ends(between.map(|(s, _)| s), between.map(|(_, t)| t)),
            Family::Arborescences { root } => vec![(*root, "root")],
            Family::RootedForests { roots } => all(roots, "root"),
            Family::SteinerTrees { terminals }
            | Family::SteinerSubgraphs { terminals }
            | Family::Connected { terminals: Some(terminals) } => all(terminals, "terminal"),
            _ => Vec::new(),
        }
    }

    /// Returns whether each solution connects all vertices of a graph of so many components, so that there is none if these
    /// are several.
    pub fn connects(&self, components: usize) -> bool {
        match *self {
            Family::SpanningTrees
            | Family::Arborescences { .. }
            | Family::ConnectedDominatingSets
            | Family::Connected { terminals: None } => true,
            Family::Paths { hamiltonian, .. } | Family::Cycles { hamiltonian } => hamiltonian,
            Family::Partitions { blocks, .. } => blocks < components,
            _ => false,
        }
    }
}

/// The error for parameters of a family.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// A degree occurs twice in a distribution.
    #[error("the degree {degree} is given twice; give it once")]
    DegreeTwice {
        /// The degree.
        degree: usize,
    },
    /// The least sum exceeds the greatest.
    #[error("the least sum exceeds the greatest")]
    EmptyRange,
    /// The library refuses the parameters, or the graph.
    #[error(transparent)]
    Family(#[from] FamilyError),
}

/// The name in words: with blanks, and with the hyphen of `b-matchings`.
impl fmt::Display for FamilyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            "b-matchings" => f.write_str(self.name),
            name => f.write_str(&name.replace('-', " ")),
        }
    }
}

fn paths(graph: &Graph, from: Option<usize>, to: Option<usize>, hamiltonian: bool) -> EdgeSets {
    match (from, to, hamiltonian) {
        (Some(from), Some(to), false) => families::paths(graph, from, to),
        (Some(from), None, false) => families::paths_from(graph, from),
        (None, None, false) => families::all_paths(graph),
        (Some(from), Some(to), true) => families::hamiltonian_paths_between(graph, from, to),
        (Some(from), None, true) => families::hamiltonian_paths_from(graph, from),
        (None, Some(to), true) => families::hamiltonian_paths_to(graph, to),
        (None, None, true) => families::hamiltonian_paths(graph),
        (None, Some(to), false) if graph.is_directed() => {
            // The last vertex is entered and not left.
            let left = SubgraphConstraint::OutDegree { vertices: vec![to], degrees: 0.into() };
            let entered = SubgraphConstraint::InDegree { vertices: vec![to], degrees: 1.into() };
            families::all_paths(graph).and(left).and(entered)
        }
        (None, Some(to), false) => families::paths_from(graph, to),
    }
}

/// The sets of edges with these numbers of vertices of each degree, and none of other degrees.
fn with_distribution(graph: &Graph, counts: &[DegreeCount]) -> EdgeSets {
    let most = (0..graph.num_vertices()).map(|vertex| graph.degree(vertex)).max().unwrap_or(0);
    // One more degree than there can be stands for all larger ones.
    let mut bounds = vec![0..=0; most + 2];
    for DegreeCount { degree, vertices } in counts {
        if *degree <= most || *vertices.start() > 0 {
            bounds[(*degree).min(most + 1)] = vertices.clone();
        }
    }
    families::degree_distribution(graph, &bounds)
}

/// A number of edges at each vertex in words.
fn at_each(word: &str, number: &PerVertex<usize>) -> String {
    match number {
        PerVertex::All(number) => format!("{word} {number} at each vertex"),
        PerVertex::Each(_) => format!("{word} the weight of each vertex"),
    }
}
