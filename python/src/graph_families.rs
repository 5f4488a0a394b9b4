//! The families of a graph, as methods of `Graph`.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};
use topdd_graph::families::{self, EdgeSets, SubgraphConditions, VertexSets};

use crate::convert::{collected, flag, size};
use crate::degrees::{allowed, degree_bounds, per_vertex, size_bounds};
use crate::description::Call;
use crate::directions::check_directions;
use crate::errors::{Failure, Outcome};
use crate::family::Family;
use crate::graph::{Graph, warn};
use crate::source::{Sets, Source};
use crate::universe::{Reading, Universe};

/// An argument `True`, if it is set.
fn yes(py: Python<'_>, is_set: bool) -> Option<Bound<'_, PyAny>> {
    is_set.then(|| PyBool::new(py, true).to_owned().into_any())
}

impl Graph {
    /// Prepares a question that does not depend on the directions of a directed graph. Fails if both directions of an edge
    /// would be parallel edges; otherwise warns that directions do not count.
    pub(crate) fn ignore_directions(&self, name: &str, py: Python<'_>) -> Outcome<()> {
        let Some(note) = self.0.core.note_of_directions(name) else { return Ok(()) };
        check_directions(self.0.vertices.objects(py), self.0.core.edges().to_vec())?;
        Ok(warn(py, &note)?)
    }

    /// The family of a call that returns sets of edges.
    fn edges_read(
        &self,
        py: Python<'_>,
        sets: EdgeSets,
        reading: Reading,
        call: &Call<'_>,
    ) -> Outcome<Family> {
        if sets.ignores_directions() {
            self.ignore_directions(&call.name, py)?;
        }
        let universe = Universe::Edges(self.0.clone(), reading);
        Family::new(universe, Source::Sets(Sets::Edges(sets)), &self.owner(py)?, call)
    }

    fn edges_of(&self, py: Python<'_>, sets: EdgeSets, call: &Call<'_>) -> Outcome<Family> {
        self.edges_read(py, sets, Reading::default(), call)
    }

    fn partitions_of(&self, py: Python<'_>, sets: EdgeSets, call: &Call<'_>) -> Outcome<Family> {
        self.edges_read(py, sets, Reading { blocks: true, ..Reading::default() }, call)
    }

    fn vertices_of(&self, py: Python<'_>, sets: VertexSets, call: &Call<'_>) -> Outcome<Family> {
        let universe = Universe::Vertices(self.0.clone());
        Family::new(universe, Source::Sets(Sets::Vertices(sets)), &self.owner(py)?, call)
    }

    /// The graph as an object of Python.
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, Graph(self.0.clone()))?.into_any())
    }

    /// The family of a list of vertices.
    fn of_list(
        &self,
        family: fn(&topdd_graph::Graph, &[usize]) -> EdgeSets,
        name: &str,
        vertices: &Bound<'_, PyAny>,
    ) -> Outcome<Family> {
        let (py, vertices) = (vertices.py(), collected(vertices)?);
        let sets = family(&self.0.core, &self.0.vertex_list(&vertices)?);
        self.edges_of(py, sets, &Call::new(py, name, &[("", Some(&vertices))])?)
    }
}

/// Methods for the families without arguments.
macro_rules! plain {
    ($($(#[$doc:meta])* $name:ident: $of:ident($family:expr);)*) => {
        #[pymethods]
        impl Graph {$(
            $(#[$doc])*
            fn $name(&self, py: Python<'_>) -> Outcome<Family> {
                self.$of(py, $family(&self.0.core), &Call::new(py, stringify!($name), &[])?)
            }
        )*}
    };
}

plain! {
    /// The sets of edges without a cycle that connect all vertices.
    spanning_trees: edges_of(families::spanning_trees);
    /// The trees with at least one edge, not necessarily spanning.
    subtrees: edges_of(families::subtrees);
    /// The sets of edges without a cycle, the empty set included.
    forests: edges_of(families::forests);
    /// The sets of edges, not empty, that form one component.
    connected_edge_sets: edges_of(families::connected_edge_sets);
    /// The sets of edges of which no two share a vertex, the empty set included.
    matchings: edges_of(families::matchings);
    /// The sets of edges that have exactly one at each vertex.
    perfect_matchings: edges_of(families::perfect_matchings);
    /// The sets of edges without an odd cycle.
    bipartite_subgraphs: edges_of(families::bipartite_subgraphs);
    /// All sets of edges.
    edge_sets: edges_of(EdgeSets::all);
    /// All sets of vertices.
    vertex_sets: vertices_of(VertexSets::all);
    /// The sets of vertices of which every two are neighbours, the empty set included.
    cliques: vertices_of(families::cliques);
    /// The sets of vertices such that each vertex is a member or has one as a neighbour.
    dominating_sets: vertices_of(families::dominating_sets);
    /// The sets of vertices such that each vertex has a member as a neighbour.
    total_dominating_sets: vertices_of(families::total_dominating_sets);
    /// The dominating sets, not empty, whose induced subgraph is connected.
    connected_dominating_sets: vertices_of(families::connected_dominating_sets);
    /// The sets of vertices such that each edge has a member as an end.
    vertex_covers: vertices_of(families::vertex_covers);
    /// The sets of vertices, not empty, whose induced subgraph is connected.
    connected_induced_subgraphs: vertices_of(families::connected_induced_subgraphs);
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
        let hamiltonian = yes(py, hamiltonian);
        let arguments =
            [("", source), (target_name, target), ("hamiltonian", hamiltonian.as_ref())];
        let call = Call::new(py, "paths", &arguments)?;
        self.edges_read(py, sets, Reading { from, to, blocks: false }, &call)
    }

    /// The simple cycles; ``hamiltonian=True`` asks for cycles through all vertices.
    #[pyo3(signature = (*, hamiltonian=false))]
    fn cycles(
        &self,
        #[pyo3(from_py_with = flag)] hamiltonian: bool,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let family = if hamiltonian { families::hamiltonian_cycles } else { families::cycles };
        let call = Call::new(py, "cycles", &[("hamiltonian", yes(py, hamiltonian).as_ref())])?;
        self.edges_of(py, family(&self.0.core), &call)
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
        let (py, sets) = (root.py(), families::arborescences(&self.0.core, self.0.vertex(root)?));
        self.edges_of(py, sets, &Call::new(py, "arborescences", &[("", Some(root))])?)
    }

    /// The sets of edges that connect all vertices, or all terminals; other edges are free.
    #[pyo3(signature = (terminals=None))]
    fn connected(&self, terminals: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> Outcome<Family> {
        if let Some(terminals) = terminals {
            return self.of_list(families::connecting, "connected", terminals);
        }
        let call = Call::new(py, "connected", &[])?;
        self.edges_of(py, families::connected(&self.0.core), &call)
    }

    /// The sets with at most ``b`` edges at each vertex; ``b`` is a number, or a mapping from vertices to numbers.
    fn b_matchings(&self, b: &Bound<'_, PyAny>) -> Outcome<Family> {
        let (py, numbers) = (b.py(), per_vertex(&self.0, b)?);
        let sets = families::b_matchings(&self.0.core, &numbers);
        self.edges_of(py, sets, &Call::new(py, "b_matchings", &[("", Some(b))])?)
    }

    /// The sets with exactly ``f`` edges at each vertex; ``f`` is a number, or a mapping from vertices to numbers.
    fn factors(&self, f: &Bound<'_, PyAny>) -> Outcome<Family> {
        let (py, numbers) = (f.py(), per_vertex(&self.0, f)?);
        let sets = families::factors(&self.0.core, &numbers);
        self.edges_of(py, sets, &Call::new(py, "factors", &[("", Some(f))])?)
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
        let graph = &self.0;
        let [degrees, out, into] = [degrees, out, into].map(|given| given.map(collected));
        let given = [degrees.transpose()?, out.transpose()?, into.transpose()?];
        let [degrees, out, into] = given.each_ref().map(Option::as_ref);
        let mut sets = families::degrees(&graph.core, allowed(graph, degrees)?);
        if out.is_some() || into.is_some() {
            let (out, into) = (allowed(graph, out)?, allowed(graph, into)?);
            sets = sets.and(families::directed_degrees(&graph.core, out, into));
        }
        let call = Call::new(py, "degrees", &[("", degrees), ("out", out), ("into", into)])?;
        self.edges_of(py, sets, &call)
    }

    /// The sets of edges with given numbers of vertices of each degree: a mapping from degrees to a number, or to a
    /// pair of the least and the greatest number. No vertex has a degree that is not in the mapping.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.complete(4).degree_distribution({0: 2, 1: 2}).count()
    /// 6
    fn degree_distribution(&self, vertices: &Bound<'_, PyDict>) -> Outcome<Family> {
        let (py, bounds) = (vertices.py(), degree_bounds(&self.0, vertices)?);
        let sets = families::degree_distribution(&self.0.core, &bounds);
        self.edges_of(py, sets, &Call::new(py, "degree_distribution", &[("", Some(vertices))])?)
    }

    /// The sets of edges in which each vertex has no edge or exactly ``k``.
    fn regular_subgraphs(&self, k: &Bound<'_, PyAny>) -> Outcome<Family> {
        let (py, sets) = (k.py(), families::regular_subgraphs(&self.0.core, size(k, "k")?));
        self.edges_of(py, sets, &Call::new(py, "regular_subgraphs", &[("", Some(k))])?)
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
        let (py, blocks) = (k.py(), size(k, "k")?);
        let call = Call::new(py, "partitions", &[("", Some(k)), ("population", population)])?;
        let Some(bounds) = population else {
            return self.partitions_of(py, families::partitions(&self.0.core, blocks), &call);
        };
        let Some(numbers) = self.0.usable("population", self.0.population.as_ref())? else {
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
        self.partitions_of(py, families::balanced_partitions(&core, blocks, least..=most), &call)
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
        let minimal = yes(py, minimal);
        let arguments = [("", source), ("", target), ("minimal", minimal.as_ref())];
        self.edges_of(py, sets, &Call::new(py, "cuts", &arguments)?)
    }

    /// The complete bipartite subgraphs with ``a`` vertices on one side and ``b`` on the other.
    fn bicliques(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> Outcome<Family> {
        let sets = families::bicliques(&self.0.core, size(a, "a")?, size(b, "b")?);
        let call = Call::new(a.py(), "bicliques", &[("", Some(a)), ("", Some(b))])?;
        self.edges_of(a.py(), sets, &call)
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
        let mut lists = Vec::new();
        if let Some(given) = vertex_groups {
            let refused = || Failure::Input(format!("{given:?} is no list of groups of vertices"));
            for group in given.try_iter().map_err(|_| refused())? {
                lists.push(collected(&group?)?);
            }
        }
        let groups =
            lists.iter().map(|group| self.0.vertex_list(group)).collect::<Outcome<Vec<_>>>()?;
        let lists = PyList::new(py, lists)?.into_any();
        let vertex_groups = vertex_groups.map(|_| &lists);
        let mut seen = std::collections::HashSet::new();
        if let Some(&vertex) = groups.iter().flatten().find(|vertex| !seen.insert(**vertex)) {
            let vertex = self.0.vertices.object(py, vertex)?;
            return Err(Failure::Input(format!(
                "the vertex {vertex:?} is in two groups; give it once"
            )));
        }
        let degrees = degrees.map(collected).transpose()?;
        let num_edges = num_edges.map(collected).transpose()?;
        let (degrees, num_edges) = (degrees.as_ref(), num_edges.as_ref());
        let conditions = SubgraphConditions {
            vertex_groups: groups,
            degrees: allowed(&self.0, degrees)?.into_iter().enumerate().collect(),
            num_edges: num_edges.map(size_bounds).transpose()?,
            no_cycle,
            ..SubgraphConditions::default()
        };
        let no_cycle = yes(py, no_cycle);
        let arguments = [
            ("vertex_groups", vertex_groups),
            ("degrees", degrees),
            ("num_edges", num_edges),
            ("no_cycle", no_cycle.as_ref()),
        ];
        let sets = families::subgraphs(&self.0.core, &conditions);
        self.edges_of(py, sets, &Call::new(py, "subgraphs", &arguments)?)
    }

    /// The sets of vertices of which no two are neighbours, or, with a ``distance``, are closer than it.
    #[pyo3(signature = (*, distance=None))]
    fn independent_sets(
        &self,
        distance: Option<&Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> Outcome<Family> {
        let graph = &self.0.core;
        let sets = match distance {
            Some(d) => families::independent_sets_at_distance(graph, size(d, "distance")?),
            None => families::independent_sets(graph),
        };
        self.vertices_of(py, sets, &Call::new(py, "independent_sets", &[("distance", distance)])?)
    }

    /// The ways to give each vertex one of ``k`` colours, ``0`` to ``k - 1``, such that neighbours differ.
    ///
    /// >>> import topdd as td
    /// >>> td.Graph.named("petersen").colourings(3).count()
    /// 120
    fn colourings(&self, k: &Bound<'_, PyAny>) -> Outcome<Family> {
        let (py, colours) = (k.py(), size(k, "k")?);
        let sets = families::colourings(&self.0.core, colours);
        let universe = Universe::Colours(self.0.clone(), colours);
        let call = Call::new(py, "colourings", &[("", Some(k))])?;
        Family::new(universe, Source::Sets(Sets::Colours(sets)), &self.owner(py)?, &call)
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
