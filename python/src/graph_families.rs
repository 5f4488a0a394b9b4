//! The families of a graph, as methods of `Graph`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use topdd_graph::families::{self, EdgeSets, SubgraphConditions, VertexSets};

use crate::convert::size;
use crate::degrees::{allowed, degree_bounds, per_vertex, size_bounds};
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::graph::Graph;
use crate::source::{Sets, Source};
use crate::universe::{Reading, Universe};

/// The call of a method, as a description: the name, and the representations of arguments that are given.
pub(crate) fn call(
    name: &str,
    arguments: &[(&str, Option<&Bound<'_, PyAny>>)],
) -> PyResult<String> {
    let mut shown = Vec::new();
    for (argument, value) in arguments {
        if let Some(value) = value {
            let value = value.repr()?;
            shown.push(if argument.is_empty() {
                value.to_string()
            } else {
                format!("{argument}={value}")
            });
        }
    }
    Ok(format!("{name}({})", shown.join(", ")))
}

/// A call with another argument `name=True`, if it is set.
fn with_flag(call: String, name: &str, is_set: bool) -> String {
    if !is_set {
        return call;
    }
    let start = &call[..call.len() - 1];
    let comma = if start.ends_with('(') { "" } else { ", " };
    format!("{start}{comma}{name}=True)")
}

impl Graph {
    fn edge_sets_of(&self, sets: EdgeSets, description: String) -> Family {
        Family::of_edges(self, sets, Reading::default(), description)
    }

    fn partitions_of(&self, sets: EdgeSets, description: String) -> Family {
        Family::of_edges(self, sets, Reading { blocks: true, ..Reading::default() }, description)
    }

    fn edges_of(&self, family: fn(&topdd_graph::Graph) -> EdgeSets, name: &str) -> Family {
        self.edge_sets_of(family(&self.0.core), format!("{name}()"))
    }

    fn vertices_of(&self, family: fn(&topdd_graph::Graph) -> VertexSets, name: &str) -> Family {
        Family::of_vertices(self, family(&self.0.core), format!("{name}()"))
    }

    /// The family of a list of vertices.
    fn of_list(
        &self,
        family: fn(&topdd_graph::Graph, &[usize]) -> EdgeSets,
        name: &str,
        vertices: &Bound<'_, PyAny>,
    ) -> Outcome<Family> {
        let numbers = self.0.vertex_list(vertices)?;
        Ok(self.edge_sets_of(family(&self.0.core, &numbers), call(name, &[("", Some(vertices))])?))
    }
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
        hamiltonian: bool,
    ) -> Outcome<Family> {
        let number = |end: Option<&Bound<'_, PyAny>>| end.map(|end| self.0.vertex(end)).transpose();
        let (from, to) = (number(source)?, number(target)?);
        if from.is_some() && from == to {
            return Err(Failure::Input(format!(
                "{source:?} is both ends of the path; give two different ones, or use cycles()",
                source = source.map(ToString::to_string).unwrap_or_default()
            )));
        }
        let core = &self.0.core;
        let sets = match (from, to, hamiltonian) {
            (Some(from), Some(to), false) => families::paths(core, from, to),
            (Some(from), None, false) => families::paths_from(core, from),
            (None, None, false) => families::all_paths(core),
            (Some(from), Some(to), true) => families::hamiltonian_paths_between(core, from, to),
            (Some(from), None, true) => families::hamiltonian_paths_from(core, from),
            (None, Some(to), true) => families::hamiltonian_paths_to(core, to),
            (None, None, true) => families::hamiltonian_paths(core),
            (None, Some(_), false) => {
                return Err(Failure::input(
                    "give the source of the paths, too: paths(source, target)",
                ));
            }
        };
        let target_name = if source.is_some() { "" } else { "target" };
        let text = call("paths", &[("", source), (target_name, target)])?;
        let text = with_flag(text, "hamiltonian", hamiltonian);
        Ok(Family::of_edges(self, sets, Reading { from, to, blocks: false }, text))
    }

    /// The simple cycles; ``hamiltonian=True`` asks for cycles through all vertices.
    #[pyo3(signature = (*, hamiltonian=false))]
    fn cycles(&self, hamiltonian: bool) -> Family {
        if hamiltonian {
            let sets = families::hamiltonian_cycles(&self.0.core);
            return self.edge_sets_of(sets, "cycles(hamiltonian=True)".to_owned());
        }
        self.edges_of(families::cycles, "cycles")
    }

    /// The sets of edges without a cycle that connect all vertices.
    fn spanning_trees(&self) -> Family {
        self.edges_of(families::spanning_trees, "spanning_trees")
    }

    /// The trees with at least one edge, not necessarily spanning.
    fn subtrees(&self) -> Family {
        self.edges_of(families::subtrees, "subtrees")
    }

    /// The sets of edges without a cycle, the empty set included.
    fn forests(&self) -> Family {
        self.edges_of(families::forests, "forests")
    }

    /// The forests in which each component, an isolated vertex included, contains exactly one of the roots.
    fn rooted_forests(&self, roots: &Bound<'_, PyAny>) -> Outcome<Family> {
        self.of_list(families::rooted_forests, "rooted_forests", roots)
    }

    /// The trees that contain all terminals. Leaves may be other vertices.
    fn steiner_trees(&self, terminals: &Bound<'_, PyAny>) -> Outcome<Family> {
        self.of_list(families::steiner_trees, "steiner_trees", terminals)
    }

    /// The connected sets of edges that contain all terminals.
    fn steiner_subgraphs(&self, terminals: &Bound<'_, PyAny>) -> Outcome<Family> {
        self.of_list(families::steiner_subgraphs, "steiner_subgraphs", terminals)
    }

    /// The spanning trees of a directed graph whose edges all lead away from ``root``.
    fn arborescences(&self, root: &Bound<'_, PyAny>) -> Outcome<Family> {
        let sets = families::arborescences(&self.0.core, self.0.vertex(root)?);
        Ok(self.edge_sets_of(sets, call("arborescences", &[("", Some(root))])?))
    }

    /// The sets of edges that connect all vertices, or all terminals; other edges are free.
    #[pyo3(signature = (terminals=None))]
    fn connected(&self, terminals: Option<&Bound<'_, PyAny>>) -> Outcome<Family> {
        match terminals {
            Some(terminals) => self.of_list(families::connecting, "connected", terminals),
            None => Ok(self.edges_of(families::connected, "connected")),
        }
    }

    /// The sets of edges, not empty, that form one component.
    fn connected_edge_sets(&self) -> Family {
        self.edges_of(families::connected_edge_sets, "connected_edge_sets")
    }

    /// The sets of edges of which no two share a vertex, the empty set included.
    fn matchings(&self) -> Family {
        self.edges_of(families::matchings, "matchings")
    }

    /// The sets of edges that have exactly one at each vertex.
    fn perfect_matchings(&self) -> Family {
        self.edges_of(families::perfect_matchings, "perfect_matchings")
    }

    /// The sets with at most ``b`` edges at each vertex; ``b`` is a number, or a mapping from vertices to numbers.
    fn b_matchings(&self, b: &Bound<'_, PyAny>) -> Outcome<Family> {
        let sets = families::b_matchings(&self.0.core, &per_vertex(&self.0, b)?);
        Ok(self.edge_sets_of(sets, call("b_matchings", &[("", Some(b))])?))
    }

    /// The sets with exactly ``f`` edges at each vertex; ``f`` is a number, or a mapping from vertices to numbers.
    fn factors(&self, f: &Bound<'_, PyAny>) -> Outcome<Family> {
        let sets = families::factors(&self.0.core, &per_vertex(&self.0, f)?);
        Ok(self.edge_sets_of(sets, call("factors", &[("", Some(f))])?))
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
    ) -> Outcome<Family> {
        let graph = &self.0;
        let mut sets = families::degrees(&graph.core, allowed(graph, degrees)?);
        if out.is_some() || into.is_some() {
            let (out, into) = (allowed(graph, out)?, allowed(graph, into)?);
            sets = sets.and(families::directed_degrees(&graph.core, out, into));
        }
        Ok(self
            .edge_sets_of(sets, call("degrees", &[("", degrees), ("out", out), ("into", into)])?))
    }

    /// The sets of edges with given numbers of vertices of each degree: a mapping from degrees to a number, or to a
    /// pair of the least and the greatest number. No vertex has a degree that is not in the mapping.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.complete(4).degree_distribution({0: 2, 1: 2}).count()
    /// 6
    fn degree_distribution(&self, vertices: &Bound<'_, PyDict>) -> Outcome<Family> {
        let sets = families::degree_distribution(&self.0.core, &degree_bounds(&self.0, vertices)?);
        Ok(self.edge_sets_of(sets, call("degree_distribution", &[("", Some(vertices))])?))
    }

    /// The sets of edges in which each vertex has no edge or exactly ``k``.
    fn regular_subgraphs(&self, k: &Bound<'_, PyAny>) -> Outcome<Family> {
        let sets = families::regular_subgraphs(&self.0.core, size(k, "k")?);
        Ok(self.edge_sets_of(sets, call("regular_subgraphs", &[("", Some(k))])?))
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
        let blocks = size(k, "k")?;
        let description = call("partitions", &[("", Some(k)), ("population", population)])?;
        let Some(bounds) = population else {
            return Ok(self.partitions_of(families::partitions(&self.0.core, blocks), description));
        };
        let Some(numbers) = &self.0.population else {
            return Err(Failure::input(
                "the graph has no population; make it with Graph(.., population=..), the name of an attribute or a \
                 number for each vertex",
            ));
        };
        let (least, most): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            bounds.extract().map_err(|_| {
                Failure::Input(format!(
                    "population={bounds:?}: give a pair of the least and the greatest sum"
                ))
            })?;
        let bound = |value: &Bound<'_, PyAny>, up| {
            let none = if up { i64::MIN } else { i64::MAX };
            if value.is_none() { Ok(none) } else { numbers.bound(value, up) }
        };
        let (least, most) = (bound(&least, true)?, bound(&most, false)?);
        if least > most {
            return Err(Failure::Input(format!(
                "population={bounds:?}: the least sum exceeds the greatest"
            )));
        }
        let core = self.0.core.clone().with_vertex_weights(numbers.whole.iter().copied())?;
        Ok(self
            .partitions_of(families::balanced_partitions(&core, blocks, least..=most), description))
    }

    /// The cuts: the sets of edges between a set of vertices and the other vertices, or those that separate
    /// ``source`` from ``target``. ``minimal=True`` leaves out those that contain another.
    #[pyo3(signature = (source=None, target=None, *, minimal=false))]
    fn cuts(
        &self,
        source: Option<&Bound<'_, PyAny>>,
        target: Option<&Bound<'_, PyAny>>,
        minimal: bool,
    ) -> Outcome<Family> {
        let core = &self.0.core;
        let sets = match (source, target) {
            (Some(source), Some(target)) => {
                let (from, to) = (self.0.vertex(source)?, self.0.vertex(target)?);
                if from == to {
                    return Err(Failure::input(
                        "a cut separates two different vertices; give another target",
                    ));
                }
                let family =
                    if minimal { families::minimal_cuts_between } else { families::cuts_between };
                family(core, from, to)
            }
            (None, None) => (if minimal { families::minimal_cuts } else { families::cuts })(core),
            _ => return Err(Failure::input("give both vertices that the cuts separate, or none")),
        };
        let text = call("cuts", &[("", source), ("", target)])?;
        Ok(self.edge_sets_of(sets, with_flag(text, "minimal", minimal)))
    }

    /// The sets of edges without an odd cycle.
    fn bipartite_subgraphs(&self) -> Family {
        self.edges_of(families::bipartite_subgraphs, "bipartite_subgraphs")
    }

    /// The complete bipartite subgraphs with ``a`` vertices on one side and ``b`` on the other.
    fn bicliques(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> Outcome<Family> {
        let sets = families::bicliques(&self.0.core, size(a, "a")?, size(b, "b")?);
        Ok(self.edge_sets_of(sets, call("bicliques", &[("", Some(a)), ("", Some(b))])?))
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
        no_cycle: bool,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let groups: Option<Vec<Bound<'_, PyAny>>> =
            vertex_groups.map(PyAnyMethods::extract).transpose()?;
        let groups = groups.unwrap_or_default();
        let groups =
            groups.iter().map(|group| self.0.vertex_list(group)).collect::<Outcome<Vec<_>>>()?;
        let mut seen = std::collections::HashSet::new();
        if let Some(&vertex) = groups.iter().flatten().find(|vertex| !seen.insert(**vertex)) {
            let vertex = self.0.vertices.object(py, vertex)?;
            return Err(Failure::Input(format!(
                "the vertex {vertex:?} is in two groups; give it once"
            )));
        }
        let conditions = SubgraphConditions {
            vertex_groups: groups,
            degrees: allowed(&self.0, degrees)?.into_iter().enumerate().collect(),
            num_edges: num_edges.map(size_bounds).transpose()?,
            no_cycle,
            ..SubgraphConditions::default()
        };
        let given =
            [("vertex_groups", vertex_groups), ("degrees", degrees), ("num_edges", num_edges)];
        let text = with_flag(call("subgraphs", &given)?, "no_cycle", no_cycle);
        Ok(self.edge_sets_of(families::subgraphs(&self.0.core, &conditions), text))
    }

    /// All sets of edges.
    fn edge_sets(&self) -> Family {
        self.edges_of(EdgeSets::all, "edge_sets")
    }

    /// All sets of vertices.
    fn vertex_sets(&self) -> Family {
        self.vertices_of(VertexSets::all, "vertex_sets")
    }

    /// The sets of vertices of which no two are neighbours, or, with a ``distance``, are closer than it.
    #[pyo3(signature = (*, distance=None))]
    fn independent_sets(&self, distance: Option<&Bound<'_, PyAny>>) -> Outcome<Family> {
        let Some(given) = distance else {
            return Ok(self.vertices_of(families::independent_sets, "independent_sets"));
        };
        let sets = families::independent_sets_at_distance(&self.0.core, size(given, "distance")?);
        Ok(Family::of_vertices(self, sets, call("independent_sets", &[("distance", distance)])?))
    }

    /// The sets of vertices of which every two are neighbours, the empty set included.
    fn cliques(&self) -> Family {
        self.vertices_of(families::cliques, "cliques")
    }

    /// The sets of vertices such that each vertex is a member or has one as a neighbour.
    fn dominating_sets(&self) -> Family {
        self.vertices_of(families::dominating_sets, "dominating_sets")
    }

    /// The sets of vertices such that each vertex has a member as a neighbour.
    fn total_dominating_sets(&self) -> Family {
        self.vertices_of(families::total_dominating_sets, "total_dominating_sets")
    }

    /// The dominating sets, not empty, whose induced subgraph is connected.
    fn connected_dominating_sets(&self) -> Family {
        self.vertices_of(families::connected_dominating_sets, "connected_dominating_sets")
    }

    /// The sets of vertices such that each edge has a member as an end.
    fn vertex_covers(&self) -> Family {
        self.vertices_of(families::vertex_covers, "vertex_covers")
    }

    /// The sets of vertices, not empty, whose induced subgraph is connected.
    fn connected_induced_subgraphs(&self) -> Family {
        self.vertices_of(families::connected_induced_subgraphs, "connected_induced_subgraphs")
    }

    /// The ways to give each vertex one of ``k`` colours, ``0`` to ``k - 1``, such that neighbours differ.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.named("petersen").colourings(3).count()
    /// 120
    fn colourings(&self, k: &Bound<'_, PyAny>) -> Outcome<Family> {
        let colours = size(k, "k")?;
        let sets = families::colourings(&self.0.core, colours);
        let source = Source::Sets(Sets::Colours(sets));
        Ok(Family::new(
            Universe::Colours(self.0.clone(), colours),
            source,
            format!("colourings({colours})"),
        ))
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
