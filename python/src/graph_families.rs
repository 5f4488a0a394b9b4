//! The families of a graph, as methods of `Graph`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use topdd_graph::GraphError;
use topdd_graph::families::{FamilyError, Unit};
use topdd_problem::decimal::Scale;
use topdd_problem::{Condition, Family as Kind, ParameterError, PerVertex, Problem, SumBounds};

use crate::convert::{collected, flag, size};
use crate::degrees::{allowed, degree_counts, per_vertex, size_bounds};
use crate::directions::check_directions;
use crate::errors::{Failure, Outcome};
use crate::family::{Family, recipe};
use crate::graph::{Graph, warn};
use crate::universe::{Domain, Universe};

impl Graph {
    /// Prepares a question that does not depend on the directions of a directed graph. Fails if both directions of an edge
    /// would be parallel edges; otherwise warns that directions do not count.
    pub(crate) fn ignore_directions(&self, name: &str, py: Python<'_>) -> Outcome<()> {
        let Some(note) = self.0.core.note_of_directions(name) else { return Ok(()) };
        check_directions(self.0.vertices.objects(py), self.0.core.edges().to_vec())?;
        Ok(warn(py, &note)?)
    }

    /// The family of a call of the method `name`.
    fn family<'py>(
        &self,
        py: Python<'py>,
        family: &Kind,
        name: &str,
        positional: impl IntoPyObject<'py>,
        keywords: impl IntoPyObject<'py>,
    ) -> Outcome<Family> {
        let sets = family.sets(&self.0.core).map_err(|error| self.refused(error, py))?;
        if sets.ignores_directions() {
            self.ignore_directions(name, py)?;
        }
        let universe = Universe::Graph(self.0.clone(), Domain::of_family(family));
        let recipe = recipe(py, Graph(self.0.clone()), name, positional, keywords)?;
        Family::new(universe, Problem::Sets(sets), recipe)
    }

    /// The failure for parameters of a family, with the vertices and edges of the user.
    pub(crate) fn refused(&self, error: ParameterError, py: Python<'_>) -> Failure {
        let vertex = |vertex: usize| {
            let object = self.0.vertices.object(py, vertex);
            object.map_or_else(|_| vertex.to_string(), |object| format!("{object:?}"))
        };
        match error {
            ParameterError::Family(FamilyError::RepeatedVertex { vertex: twice }) => {
                Failure::Input(format!("the vertex {} is given twice; give it once", vertex(twice)))
            }
            ParameterError::Family(FamilyError::EqualEnds { vertex: end }) => {
                Failure::Input(format!(
                    "{} is both ends of the path; give two different ones, or use cycles()",
                    vertex(end)
                ))
            }
            ParameterError::Family(FamilyError::Graph(GraphError::BothDirections { .. })) => {
                let edges = self.0.core.edges().to_vec();
                check_directions(self.0.vertices.objects(py), edges)
                    .err()
                    .unwrap_or(Failure::Cancelled)
            }
            error => error.into(),
        }
    }

    /// The bounds on the population of a block.
    fn population_bounds(&self, bounds: &Bound<'_, PyAny>) -> Outcome<SumBounds> {
        let Some(numbers) = self.0.weights(Unit::Vertex)? else {
            return Err(Failure::input(
                "the graph has no population; make it with Graph(.., population=..), the name of an attribute or a \
                 number for each vertex",
            ));
        };
        let refused = |what: &str| Failure::Input(format!("population={bounds:?}: {what}"));
        let (least, most): (Option<Bound<'_, PyAny>>, Option<Bound<'_, PyAny>>) = bounds
            .extract()
            .map_err(|_| refused("give a pair of the least and the greatest sum"))?;
        let bound = |value: Option<Bound<'_, PyAny>>, up| {
            value.map(|value| numbers.bound(&value, up)).transpose()
        };
        let (least, most) = (bound(least, true)?, bound(most, false)?);
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            return Err(refused("the least sum exceeds the greatest"));
        }
        Ok(SumBounds { weights: numbers.whole.clone(), least, most, scale: Scale::default() })
    }

    /// The family of a list of vertices.
    fn of_list(
        &self,
        name: &str,
        vertices: &Bound<'_, PyAny>,
        family: impl FnOnce(Vec<usize>) -> Kind,
    ) -> Outcome<Family> {
        let vertices = collected(vertices)?;
        let family = family(self.0.vertex_list(&vertices)?);
        self.family(vertices.py(), &family, name, (&vertices,), ())
    }

    /// The vertex of an argument that may be missing.
    fn end(&self, end: Option<&Bound<'_, PyAny>>) -> Outcome<Option<usize>> {
        end.map(|end| self.0.vertex(end)).transpose()
    }
}

/// Methods for the families without arguments.
macro_rules! plain {
    ($($(#[$doc:meta])* $name:ident: $family:ident;)*) => {
        #[pymethods]
        impl Graph {$(
            $(#[$doc])*
            fn $name(&self, py: Python<'_>) -> Outcome<Family> {
                self.family(py, &Kind::$family, stringify!($name), (), ())
            }
        )*}
    };
}

plain! {
    /// The sets of edges without a cycle that connect all vertices.
    spanning_trees: SpanningTrees;
    /// The trees with at least one edge, not necessarily spanning.
    subtrees: Subtrees;
    /// The sets of edges without a cycle, the empty set included.
    forests: Forests;
    /// The sets of edges, not empty, that form one component.
    connected_edge_sets: ConnectedEdgeSets;
    /// The sets of edges of which no two share a vertex, the empty set included.
    matchings: Matchings;
    /// The sets of edges that have exactly one at each vertex.
    perfect_matchings: PerfectMatchings;
    /// The sets of edges without an odd cycle.
    bipartite_subgraphs: BipartiteSubgraphs;
    /// All sets of edges.
    edge_sets: EdgeSets;
    /// All sets of vertices.
    vertex_sets: VertexSets;
    /// The sets of vertices of which every two are neighbours, the empty set included.
    cliques: Cliques;
    /// The sets of vertices such that each vertex is a member or has one as a neighbour.
    dominating_sets: DominatingSets;
    /// The sets of vertices such that each vertex has a member as a neighbour.
    total_dominating_sets: TotalDominatingSets;
    /// The dominating sets, not empty, whose induced subgraph is connected.
    connected_dominating_sets: ConnectedDominatingSets;
    /// The sets of vertices such that each edge has a member as an end.
    vertex_covers: VertexCovers;
    /// The sets of vertices, not empty, whose induced subgraph is connected.
    connected_induced_subgraphs: ConnectedInducedSubgraphs;
}

/// Returns the names of all families of the library.
#[pyfunction]
#[pyo3(name = "_families")]
pub(crate) fn families() -> Vec<String> {
    Kind::KINDS.iter().map(|kind| kind.name.split('-').collect::<Vec<_>>().join("_")).collect()
}

#[pymethods]
impl Graph {
    /// The simple paths from ``source`` to ``target``, from ``source`` to any vertex, or between any two.
    ///
    /// ``hamiltonian=True`` asks for paths through all vertices. In a directed graph, paths follow the directions.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.grid(3, 3).paths(0, 8).count()
    /// 12
    #[pyo3(signature = (source=None, target=None, *, hamiltonian=false))]
    fn paths(
        &self,
        source: Option<&Bound<'_, PyAny>>,
        target: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = flag)] hamiltonian: bool,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let (from, to) = (self.end(source)?, self.end(target)?);
        if from.is_none() && to.is_some() && !hamiltonian {
            return Err(Failure::input("give the source of the paths, too: paths(source, target)"));
        }
        let family = Kind::Paths { from, to, hamiltonian };
        let keywords = (
            ("target", target.filter(|_| from.is_none())),
            ("hamiltonian", hamiltonian.then_some(true)),
        );
        self.family(py, &family, "paths", (source, target.filter(|_| from.is_some())), keywords)
    }

    /// The simple cycles; ``hamiltonian=True`` asks for cycles through all vertices.
    #[pyo3(signature = (*, hamiltonian=false))]
    fn cycles(
        &self,
        #[pyo3(from_py_with = flag)] hamiltonian: bool,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let keywords = (("hamiltonian", hamiltonian.then_some(true)),);
        self.family(py, &Kind::Cycles { hamiltonian }, "cycles", (), keywords)
    }

    /// The forests in which each component, an isolated vertex included, contains exactly one of the roots.
    fn rooted_forests(&self, roots: &Bound<'_, PyAny>) -> Outcome<Family> {
        self.of_list("rooted_forests", roots, |roots| Kind::RootedForests { roots })
    }

    /// The trees that contain all terminals. Leaves may be other vertices.
    fn steiner_trees(&self, terminals: &Bound<'_, PyAny>) -> Outcome<Family> {
        self.of_list("steiner_trees", terminals, |terminals| Kind::SteinerTrees { terminals })
    }

    /// The connected sets of edges that contain all terminals.
    fn steiner_subgraphs(&self, terminals: &Bound<'_, PyAny>) -> Outcome<Family> {
        self.of_list("steiner_subgraphs", terminals, |terminals| Kind::SteinerSubgraphs {
            terminals,
        })
    }

    /// The spanning trees of a directed graph whose edges all lead away from ``root``.
    fn arborescences(&self, root: &Bound<'_, PyAny>) -> Outcome<Family> {
        let family = Kind::Arborescences { root: self.0.vertex(root)? };
        self.family(root.py(), &family, "arborescences", (root,), ())
    }

    /// The sets of edges that connect all vertices, or all terminals; other edges are free.
    #[pyo3(signature = (terminals=None))]
    fn connected(&self, terminals: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> Outcome<Family> {
        match terminals {
            Some(terminals) => self.of_list("connected", terminals, |terminals| Kind::Connected {
                terminals: Some(terminals),
            }),
            None => self.family(py, &Kind::Connected { terminals: None }, "connected", (), ()),
        }
    }

    /// The sets with at most ``b`` edges at each vertex; ``b`` is a number, or a mapping from vertices to numbers.
    fn b_matchings(&self, b: &Bound<'_, PyAny>) -> Outcome<Family> {
        let family = Kind::BMatchings { most: per_vertex(&self.0, b)? };
        self.family(b.py(), &family, "b_matchings", (b,), ())
    }

    /// The sets with exactly ``f`` edges at each vertex; ``f`` is a number, or a mapping from vertices to numbers.
    fn factors(&self, f: &Bound<'_, PyAny>) -> Outcome<Family> {
        let family = Kind::Factors { degree: per_vertex(&self.0, f)? };
        self.family(f.py(), &family, "factors", (f,), ())
    }

    /// The sets of edges with allowed degrees: a number, a collection of numbers such as ``range(1, 4)``, or a
    /// mapping from vertices to these; a vertex that is not in the mapping has any degree.
    ///
    /// ``out`` and ``into`` are for the edges out of, and into, the vertices of a directed graph.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.cycle(5).degrees([0, 2]).count()
    /// 2
    #[pyo3(signature = (degrees=None, *, out=None, into=None))]
    fn degrees(
        &self,
        degrees: Option<&Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyAny>>,
        into: Option<&Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let [degrees, out, into] = [degrees, out, into].map(|given| given.map(collected));
        let given = [degrees.transpose()?, out.transpose()?, into.transpose()?];
        let [degrees, out, into] = given.each_ref().map(Option::as_ref);
        let family = Kind::Degrees {
            degrees: allowed(&self.0, degrees)?,
            out: allowed(&self.0, out)?,
            into: allowed(&self.0, into)?,
            distribution: Vec::new(),
        };
        self.family(py, &family, "degrees", (degrees,), (("out", out), ("into", into)))
    }

    /// The sets of edges with given numbers of vertices of each degree: a mapping from degrees to a number, or to a
    /// pair of the least and the greatest number. No vertex has a degree that is not in the mapping.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.complete(4).degree_distribution({0: 2, 1: 2}).count()
    /// 6
    fn degree_distribution(&self, vertices: &Bound<'_, PyDict>) -> Outcome<Family> {
        let family = Kind::Degrees {
            degrees: PerVertex::ANY,
            out: PerVertex::ANY,
            into: PerVertex::ANY,
            distribution: degree_counts(vertices)?,
        };
        self.family(vertices.py(), &family, "degree_distribution", (vertices,), ())
    }

    /// The sets of edges in which each vertex has no edge or exactly ``k``.
    fn regular_subgraphs(&self, k: &Bound<'_, PyAny>) -> Outcome<Family> {
        let family = Kind::RegularSubgraphs { degree: size(k, "k")? };
        self.family(k.py(), &family, "regular_subgraphs", (k,), ())
    }

    /// The partitions of the vertices into ``k`` connected blocks, as the sets of edges inside of blocks.
    ///
    /// ``population=(least, most)`` bounds the population of each block; each of them may be ``None``.
    ///
    /// >>> import topdd as td
    /// >>> ring = td.Graph([(0, 1), (1, 2), (2, 3), (3, 0)], population=[5, 5, 1, 9])
    /// >>> ring.partitions(2, population=(10, 10)).build()[0].labels()
    /// {0: 0, 1: 0, 2: 1, 3: 1}
    #[pyo3(signature = (k, *, population=None))]
    fn partitions(
        &self,
        k: &Bound<'_, PyAny>,
        population: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Family> {
        let weight = population.map(|bounds| self.population_bounds(bounds)).transpose()?;
        let family = Kind::Partitions { blocks: size(k, "k")?, weight };
        self.family(k.py(), &family, "partitions", (k,), (("population", population),))
    }

    /// The cuts: the sets of edges between a set of vertices and the other vertices, or those that separate
    /// ``source`` from ``target``. ``minimal=True`` leaves out those that contain another.
    #[pyo3(signature = (source=None, target=None, *, minimal=false))]
    fn cuts(
        &self,
        source: Option<&Bound<'_, PyAny>>,
        target: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = flag)] minimal: bool,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let between = match (self.end(source)?, self.end(target)?) {
            (Some(from), Some(to)) if from == to => {
                return Err(Failure::input(
                    "a cut separates two different vertices; give another target",
                ));
            }
            (Some(from), Some(to)) => Some((from, to)),
            (None, None) => None,
            _ => return Err(Failure::input("give both vertices that the cuts separate, or none")),
        };
        let keywords = (("minimal", minimal.then_some(true)),);
        self.family(py, &Kind::Cuts { between, minimal }, "cuts", (source, target), keywords)
    }

    /// The complete bipartite subgraphs with ``a`` vertices on one side and ``b`` on the other.
    fn bicliques(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> Outcome<Family> {
        let family = Kind::Bicliques { a: size(a, "a")?, b: size(b, "b")? };
        self.family(a.py(), &family, "bicliques", (a, b), ())
    }

    /// The sets of edges under several conditions, as of Graphillion's ``graphs``.
    ///
    /// The vertices of each of ``vertex_groups`` are connected, and vertices of different groups are not.
    /// ``degrees`` is as for the method ``degrees``, ``num_edges`` a number or a collection of numbers without gaps.
    #[pyo3(signature = (*, vertex_groups=None, degrees=None, num_edges=None, no_cycle=false))]
    fn subgraphs(
        &self,
        vertex_groups: Option<&Bound<'_, PyAny>>,
        degrees: Option<&Bound<'_, PyAny>>,
        num_edges: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = flag)] no_cycle: bool,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let lists = vertex_groups.map(|given| {
            let refused = |_| Failure::Input(format!("{given:?} is no list of groups of vertices"));
            let groups = given.try_iter().map_err(refused)?;
            groups.map(|group| collected(&group?)).collect::<Outcome<Vec<_>>>()
        });
        let lists = lists.transpose()?;
        let groups = lists.iter().flatten().map(|group| self.0.vertex_list(group));
        let groups = groups.collect::<Outcome<_>>()?;
        let [degrees, num_edges] = [degrees, num_edges].map(|given| given.map(collected));
        let (degrees, num_edges) = (degrees.transpose()?, num_edges.transpose()?);
        let family = Kind::Subgraphs {
            groups,
            degrees: allowed(&self.0, degrees.as_ref())?,
            acyclic: no_cycle,
        };
        let keywords = (
            ("vertex_groups", &lists),
            ("degrees", &degrees),
            ("num_edges", &num_edges),
            ("no_cycle", no_cycle.then_some(true)),
        );
        let mut made = self.family(py, &family, "subgraphs", (), keywords)?;
        if let Some(bounds) = num_edges.as_ref().map(size_bounds).transpose()? {
            let (least, most) = (Some(*bounds.start()), Some(*bounds.end()));
            made.problem = made.under(Condition::Size { least, most })?;
        }
        Ok(made)
    }

    /// The sets of vertices of which no two are neighbours, or, with a ``distance``, are closer than it.
    #[pyo3(signature = (*, distance=None))]
    fn independent_sets(
        &self,
        distance: Option<&Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let family = Kind::IndependentSets {
            distance: distance.map(|distance| size(distance, "distance")).transpose()?,
        };
        self.family(py, &family, "independent_sets", (), (("distance", distance),))
    }

    /// The ways to give each vertex one of ``k`` colours, ``0`` to ``k - 1``, such that neighbours differ.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.named("petersen").colourings(3).count()
    /// 120
    fn colourings(&self, k: &Bound<'_, PyAny>) -> Outcome<Family> {
        let family = Kind::Colourings { colours: size(k, "k")? };
        self.family(k.py(), &family, "colourings", (k,), ())
    }

    /// Predicts the size of the sweep of a family: ``g.predict("paths")`` is ``g.paths().predict()``.
    #[pyo3(signature = (family, *arguments, **keywords))]
    fn predict<'py>(
        slf: &Bound<'py, Self>,
        family: &str,
        arguments: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> Outcome<Bound<'py, PyAny>> {
        let method = slf.getattr(family).ok().filter(|_| !family.starts_with('_'));
        let method = method.ok_or_else(|| {
            Failure::Input(format!("there is no family {family:?}; take a method of Graph"))
        })?;
        let made = method.call(arguments, keywords)?;
        if !made.is_instance_of::<Family>() {
            return Err(Failure::Input(format!(
                "{family} makes no family; take a method that does"
            )));
        }
        Ok(made.call_method0("predict")?)
    }
}
