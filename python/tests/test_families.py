"""Every family of a graph against brute force."""

import brute
import networkx as nx
import pytest

import topdd as td

PLANAR = nx.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c"), ("d", "e"), ("e", "f"), ("f", "d")])
GRAPHS = [PLANAR, nx.cycle_graph(5), nx.complete_graph(4), nx.path_graph(4), nx.disjoint_union(nx.path_graph(2), nx.cycle_graph(3))]


def found(family):
    """The solutions as frozensets, in the orientation of networkx."""
    solutions = list(family.build())
    sets = {frozenset(solution) for solution in solutions}
    assert len(sets) == len(solutions) == family.count()
    return sets


def ends(graph):
    vertices = list(graph)
    return vertices[0], vertices[-1]


EDGE_FAMILIES = {
    "paths": (lambda g, n: g.paths(*ends(n)), lambda n, e: brute.is_path(n, e, ends(n))),
    "paths from": (lambda g, n: g.paths(ends(n)[0]), lambda n, e: brute.is_path(n, e, ends(n)[:1])),
    "all paths": (lambda g, n: g.paths(), brute.is_path),
    "hamiltonian paths": (
        lambda g, n: g.paths(hamiltonian=True),
        lambda n, e: brute.is_path(n, e) and len(e) == len(n) - 1,
    ),
    "hamiltonian paths to": (
        lambda g, n: g.paths(target=ends(n)[1], hamiltonian=True),
        lambda n, e: brute.is_path(n, e, ends(n)[1:]) and len(e) == len(n) - 1,
    ),
    "cycles": (lambda g, n: g.cycles(), brute.is_cycle),
    "hamiltonian cycles": (
        lambda g, n: g.cycles(hamiltonian=True),
        lambda n, e: brute.is_cycle(n, e) and len(e) == len(n),
    ),
    "spanning trees": (
        lambda g, n: g.spanning_trees(),
        lambda n, e: brute.is_forest(n, e) and brute.is_connected(n, e),
    ),
    "subtrees": (
        lambda g, n: g.subtrees(),
        lambda n, e: bool(e) and nx.is_tree(brute.touched(n, e)),
    ),
    "forests": (lambda g, n: g.forests(), brute.is_forest),
    "rooted forests": (
        lambda g, n: g.rooted_forests(ends(n)),
        lambda n, e: brute.is_forest(n, e) and all(len(b & set(ends(n))) == 1 for b in brute.blocks(n, e)),
    ),
    "steiner trees": (
        lambda g, n: g.steiner_trees(ends(n)),
        lambda n, e: bool(e) and nx.is_tree(brute.touched(n, e)) and set(ends(n)) <= set(brute.touched(n, e)),
    ),
    "steiner subgraphs": (
        lambda g, n: g.steiner_subgraphs(ends(n)),
        lambda n, e: bool(e) and nx.is_connected(brute.touched(n, e)) and set(ends(n)) <= set(brute.touched(n, e)),
    ),
    "connected": (lambda g, n: g.connected(), brute.is_connected),
    "connecting": (
        lambda g, n: g.connected(ends(n)),
        lambda n, e: nx.has_path(brute.spanned(n, e), *ends(n)),
    ),
    "connected edge sets": (
        lambda g, n: g.connected_edge_sets(),
        lambda n, e: bool(e) and nx.is_connected(brute.touched(n, e)),
    ),
    "matchings": (lambda g, n: g.matchings(), lambda n, e: max(brute.degrees(n, e).values()) <= 1),
    "perfect matchings": (
        lambda g, n: g.perfect_matchings(),
        lambda n, e: set(brute.degrees(n, e).values()) == {1},
    ),
    "b-matchings": (lambda g, n: g.b_matchings(2), lambda n, e: max(brute.degrees(n, e).values()) <= 2),
    "factors": (lambda g, n: g.factors(2), lambda n, e: set(brute.degrees(n, e).values()) == {2}),
    "factors by vertex": (
        lambda g, n: g.factors({v: 1 + (v in ends(n)) for v in n}),
        lambda n, e: all(d == 1 + (v in ends(n)) for v, d in brute.degrees(n, e).items()),
    ),
    "degrees": (
        lambda g, n: g.degrees(range(0, 9, 2)),
        lambda n, e: all(d % 2 == 0 for d in brute.degrees(n, e).values()),
    ),
    "degrees by vertex": (
        lambda g, n: g.degrees({ends(n)[0]: [1, 2]}),
        lambda n, e: brute.degrees(n, e)[ends(n)[0]] in (1, 2),
    ),
    "degree distribution": (
        lambda g, n: g.degree_distribution({0: (0, 9), 1: 2, 2: (1, 9)}),
        lambda n, e: (lambda d: d.count(1) == 2 and d.count(2) >= 1 and max(d) <= 2)(list(brute.degrees(n, e).values())),
    ),
    "regular subgraphs": (
        lambda g, n: g.regular_subgraphs(2),
        lambda n, e: set(brute.degrees(n, e).values()) <= {0, 2},
    ),
    "partitions": (lambda g, n: g.partitions(2), lambda n, e: brute.is_partition(n, e, 2)),
    "cuts": (lambda g, n: g.cuts(), brute.is_cut),
    "cuts between": (lambda g, n: g.cuts(*ends(n)), lambda n, e: brute.is_cut(n, e, ends(n))),
    "bipartite subgraphs": (
        lambda g, n: g.bipartite_subgraphs(),
        lambda n, e: nx.is_bipartite(brute.spanned(n, e)),
    ),
    "subgraphs": (
        lambda g, n: g.subgraphs(vertex_groups=[ends(n)], num_edges=range(1, 5), no_cycle=True),
        lambda n, e: 1 <= len(e) <= 4 and brute.is_forest(n, e) and nx.has_path(brute.spanned(n, e), *ends(n)),
    ),
    "edge sets": (lambda g, n: g.edge_sets(), lambda n, e: True),
    "at most": (lambda g, n: g.forests().at_most(2), lambda n, e: brute.is_forest(n, e) and len(e) <= 2),
    "at least": (lambda g, n: g.forests().at_least(3), lambda n, e: brute.is_forest(n, e) and len(e) >= 3),
    "exactly": (lambda g, n: g.forests().exactly(2), lambda n, e: brute.is_forest(n, e) and len(e) == 2),
    "through": (
        lambda g, n: g.forests().through(*ends(n)),
        lambda n, e: brute.is_forest(n, e) and all(brute.degrees(n, e)[v] for v in ends(n)),
    ),
    "avoid": (
        lambda g, n: g.forests().avoid(ends(n)[0]),
        lambda n, e: brute.is_forest(n, e) and not brute.degrees(n, e)[ends(n)[0]],
    ),
    "including": (
        lambda g, n: g.forests().including(list(n.edges)[0]),
        lambda n, e: brute.is_forest(n, e) and list(n.edges)[0] in e,
    ),
    "excluding": (
        lambda g, n: g.forests().excluding(*list(n.edges)[:2]),
        lambda n, e: brute.is_forest(n, e) and not set(list(n.edges)[:2]) & e,
    ),
    "through of partitions": (
        lambda g, n: g.partitions(2).through(ends(n)[0]).at_most(4),
        lambda n, e: brute.is_partition(n, e, 2) and brute.degrees(n, e)[ends(n)[0]] and len(e) <= 4,
    ),
    "union": (
        lambda g, n: g.matchings() | g.cycles(),
        lambda n, e: max(brute.degrees(n, e).values()) <= 1 or brute.is_cycle(n, e),
    ),
    "intersection": (
        lambda g, n: g.forests() & g.connected(),
        lambda n, e: brute.is_forest(n, e) and brute.is_connected(n, e),
    ),
    "difference": (
        lambda g, n: (g.forests() - g.matchings()).at_most(3),
        lambda n, e: brute.is_forest(n, e) and max(brute.degrees(n, e).values()) > 1 and len(e) <= 3,
    ),
    "symmetric difference": (
        lambda g, n: g.forests() ^ g.connected(),
        lambda n, e: brute.is_forest(n, e) != brute.is_connected(n, e),
    ),
}


@pytest.mark.parametrize("name", EDGE_FAMILIES)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda g: f"{len(g)}v{g.size()}e")
def test_edge_sets_are_those_of_the_definition(name, graph):
    family, holds = EDGE_FAMILIES[name]
    assert found(family(td.Graph(graph), graph)) == brute.edge_sets(graph, lambda edges: holds(graph, edges))


@pytest.mark.parametrize("between", [False, True])
@pytest.mark.parametrize("graph", GRAPHS[:4], ids=lambda g: f"{len(g)}v{g.size()}e")
def test_minimal_cuts_are_the_minimal_ones(graph, between):
    separated = ends(graph) if between else ()
    cuts = brute.edge_sets(graph, lambda e: brute.is_cut(graph, e, separated or None))
    assert found(td.Graph(graph).cuts(*separated, minimal=True)) == brute.minimal(cuts)


VERTEX_FAMILIES = {
    "independent sets": (lambda g: g.independent_sets(), brute.independent),
    "at distance": (
        lambda g: g.independent_sets(distance=3),
        lambda n, m: all(
            a == b or not nx.has_path(n, a, b) or nx.shortest_path_length(n, a, b) >= 3 for a in m for b in m
        ),
    ),
    "cliques": (lambda g: g.cliques(), lambda n, m: all(a == b or n.has_edge(a, b) for a in m for b in m)),
    "dominating sets": (lambda g: g.dominating_sets(), brute.dominating),
    "total dominating sets": (lambda g: g.total_dominating_sets(), lambda n, m: brute.dominating(n, m, total=True)),
    "connected dominating sets": (
        lambda g: g.connected_dominating_sets(),
        lambda n, m: brute.dominating(n, m) and brute.induced_connected(n, m),
    ),
    "vertex covers": (lambda g: g.vertex_covers(), lambda n, m: all(set(e) & m for e in n.edges)),
    "connected induced subgraphs": (lambda g: g.connected_induced_subgraphs(), brute.induced_connected),
    "vertex sets": (lambda g: g.vertex_sets(), lambda n, m: True),
    "at most": (lambda g: g.independent_sets().at_most(2), lambda n, m: brute.independent(n, m) and len(m) <= 2),
    "union": (
        lambda g: (g.cliques() | g.independent_sets()).at_least(2),
        lambda n, m: (brute.independent(n, m) or all(a == b or n.has_edge(a, b) for a in m for b in m)) and len(m) >= 2,
    ),
}


@pytest.mark.parametrize("name", VERTEX_FAMILIES)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda g: f"{len(g)}v{g.size()}e")
def test_vertex_sets_are_those_of_the_definition(name, graph):
    family, holds = VERTEX_FAMILIES[name]
    assert found(family(td.Graph(graph))) == brute.vertex_sets(graph, lambda members: holds(graph, members))


def test_vertex_sets_go_through_their_members():
    sets = td.Graph(PLANAR).independent_sets()
    assert found(sets.through("a")) == {s for s in found(sets) if "a" in s} == found(sets.including("a"))
    assert found(sets.avoid("a")) == {s for s in found(sets) if "a" not in s} == found(sets.excluding("a"))


@pytest.mark.parametrize("graph", GRAPHS[:4], ids=lambda g: f"{len(g)}v{g.size()}e")
def test_colourings_are_those_of_the_definition(graph):
    colourings = td.Graph(graph).colourings(3)
    assert found(colourings) == set(brute.colourings(graph, 3))


def test_bicliques_are_those_of_a_complete_bipartite_graph():
    assert td.Graph.complete_bipartite(3, 4).bicliques(2, 2).count() == 3 * 6


def test_paths_and_trees_follow_the_directions():
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2), (2, 3), (1, 3), (3, 1)])
    directed = td.Graph(graph)
    assert directed.directed and not directed.to_undirected(merge=False).directed
    expected = {frozenset(zip(p, p[1:])) for p in nx.all_simple_paths(graph, 0, 3)}
    assert found(directed.paths(0, 3)) == expected
    assert directed.cycles().count() == len(list(nx.simple_cycles(graph)))
    trees = brute.edge_sets(graph, lambda e: len(e) == 3 and nx.is_arborescence(brute.spanned(graph, e)))
    assert found(directed.arborescences(0)) == {t for t in trees if all(b != 0 for _, b in t)}
    covers = directed.degrees(out=1, into=1)
    assert found(covers) == brute.edge_sets(
        graph, lambda e: all(sum(a == v for a, _ in e) == 1 == sum(b == v for _, b in e) for v in graph)
    )


def test_areas_of_two_roots_have_a_capacity():
    graph = nx.grid_2d_graph(3, 3)
    g = td.Graph(graph, population=dict(zip(graph, [1, 2, 3, 4, 5, 6, 7, 8, 9])))
    areas = g.partitions(2, population=(None, 27)) - g.connected([(0, 0), (2, 2)])
    expected = 0
    for plan in g.partitions(2).build():
        labels = plan.labels()
        sums = [sum(people for v, people in g.population.items() if labels[v] == area) for area in (0, 1)]
        expected += max(sums) <= 27 and labels[0, 0] != labels[2, 2]
    assert areas.count() == expected > 0


def test_weights_bound_families_exactly():
    graph = nx.cycle_graph(6)
    weights = {edge: weight for edge, weight in zip(graph.edges, [0.1, 0.2, 0.3, 1.5, 2, 0.4])}
    nx.set_edge_attributes(graph, weights, "km")
    forests = td.Graph(graph, weight="km").forests()
    for cost in (0.3, 0.6, 2.2, float("inf"), 0):
        total = lambda e: round(sum(weights[x] for x in e), 9)
        expected = brute.edge_sets(graph, lambda e: brute.is_forest(graph, e))
        assert found(forests.cost_at_most(cost)) == {e for e in expected if total(e) <= cost}
        assert found(forests.cost_at_least(cost)) == {e for e in expected if total(e) >= cost}
        assert {frozenset(s) for s in forests.build().cost_at_most(cost)} == {e for e in expected if total(e) <= cost}
    assert forests.cost_at_most(3, weights=[1] * 6).count() == forests.at_most(3).count()


def test_partitions_have_the_population_of_their_bounds():
    graph = nx.grid_2d_graph(3, 3)
    people = dict(zip(graph, [4, 1, 2, 2, 5, 1, 1, 1, 4]))
    nx.set_node_attributes(graph, people, "people")
    g = td.Graph(graph, population="people")
    partitions = g.partitions(3, population=(6, 8))
    expected = brute.edge_sets(
        graph,
        lambda e: brute.is_partition(graph, e, 3) and all(6 <= sum(people[v] for v in b) <= 8 for b in brute.blocks(graph, e)),
    )
    assert found(partitions) == expected
    assert found(partitions.at_most(5)) == {e for e in expected if len(e) <= 5}
    assert g.partitions(3, population=(None, None)).count() == g.partitions(3).count()
    for partition in partitions.build():
        labels = partition.labels()
        assert {frozenset(v for v in graph if labels[v] == k) for k in range(3)} == {
            frozenset(b) for b in brute.blocks(graph, partition.edges)
        }


def test_parallel_edges_and_loops_are_edges_of_their_own():
    graph = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "b"), ("b", "c")])
    g = td.Graph(graph)
    assert g.edges == (("a", "b", 0), ("a", "b", 1), ("b", "b", 0), ("b", "c", 0))
    assert g.paths("a", "c").count() == 2 and g.cycles().count() == 2
    d = g.paths("a", "c").build()
    assert [("b", "c"), ("b", "a", 1)] in d and d[0].to_networkx().number_of_edges() == 2
    for call in (d.rank, d.__contains__):
        with pytest.raises(td.InputError):
            call([("a", "b"), ("b", "c")])
    assert td.Graph([(0, 1), (1, 0), (1, 2)]).edges == ((0, 1, 0), (1, 0, 1), (1, 2, 0))


def test_counts_by_size_are_those_of_the_diagram():
    g = td.Graph.grid(3, 4)
    for family in (g.forests(), g.matchings(), g.independent_sets(), g.paths(0, 11), g.cycles() | g.matchings()):
        assert family.count_by_size() == family.build().count_by_size()
        assert sum(family.count_by_size()) == family.count()


def test_families_say_what_they_are():
    g = td.Graph.grid(3, 3)
    assert repr(g.paths(0, 8).at_most(4) | g.cycles()) == "<topdd.Family: paths(0, 8).at_most(4) | cycles()>"
    assert repr(td.queens(4, 5, given=["a1"])) == '<topdd.Family: queens(4, 5, given=[\'a1\'])>'
    assert repr(td.pieces("kings", 3, exactly=2)) == '<topdd.Family: pieces(\'king\', 3, exactly=2)>'
    assert repr(td.knights(3, 4, closed=False)) == "<topdd.Family: knights(3, 4, closed=False)>"
    assert g.paths(0, 8).graph == g and td.queens(4).graph is None


def test_colourings_include_and_exclude_pairs():
    g = td.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    family = g.colourings(3)
    everything = [dict(c) for c in family.build()]
    for one in (family, family | family.including(("a", 0))):
        for pairs in ([("a", 0)], [("a", 0), ("c", 1)], [("a", 0), ("a", 1)], []):
            included = [dict(c) for c in one.including(*pairs).build()]
            assert included == [c for c in everything if all(c[v] == k for v, k in pairs)]
            excluded = [dict(c) for c in one.excluding(*pairs).build()]
            assert excluded == [c for c in everything if all(c[v] != k for v, k in pairs)]
            d = one.build()
            assert [dict(c) for c in d.including(*pairs)] == included and [dict(c) for c in d.excluding(*pairs)] == excluded
    for wrong in (("a", 3), ("x", 0), "a", ("a", -1), 3):
        for one in (family, family.build()):
            with pytest.raises(td.InputError):
                one.including(wrong)
    for call in (lambda: family.at_most(2), lambda: family.through("a"), lambda: (family | family).exactly(1)):
        with pytest.raises(td.InputError, match="including"):
            call()


def test_messages_name_the_vertices_of_the_user():
    g = td.Graph([("a", "b"), ("b", "c"), ("c", "a")], p=0.5)
    directed = td.Graph(g.edges, directed=True, p=0.5)
    for call in (
        lambda: g.reliability(source="b", target="b"),
        lambda: directed.reliability(source="b", target="b"),
        lambda: g.subgraphs(vertex_groups=[["a", "b"], ["b"]]),
        lambda: g.paths("b", "b"),
        lambda: g.reliability(["b", "b"]),
    ):
        with pytest.raises(td.InputError, match="['\"]b['\"]"):
            call()
    for other in (3, "ab", [("a", "x")], {"a": 7}):
        for d in (g.paths("a", "c").build(), g.colourings(3).build()):
            with pytest.raises(td.InputError):
                other in d


def test_predictions_of_small_sweeps_are_exact():
    g = td.Graph.grid(4, 4)
    prediction = g.predict("paths", 0, 15)
    assert prediction.is_exact and prediction.states > 10 and "table" in prediction._repr_html_()


def test_families_have_the_order_that_is_given():
    g = td.Graph(PLANAR, weight=[3, 1, 4, 1, 5, 9, 2, 6])
    backward = g.edges[::-1]
    for family in (g.forests(), g.forests() | g.cycles(), g.partitions(2), g.forests().cost_at_most(9)):
        for order, expected in (("given", g.edges), (backward, backward), (iter(backward), backward)):
            ordered = family.order(order)
            d = ordered.build()
            assert d.order == list(expected) and d == family.build() and d.count() == ordered.count()
            assert ordered.count_by_size() == d.count_by_size()
        assert set(family.order("bfs").build().order) == set(g.edges)
        assert family.order("bfs").order("auto").build().order == family.build().order
    assert (g.forests().order("given") & g.matchings()).build().order == list(g.edges)
    assert g.colourings(2).order(g.vertices[::-1]).build().order == list(g.vertices[::-1])
    assert repr(g.cycles().order("bfs")) == "<topdd.Family: cycles().order('bfs')>"
    for wrong in ("best", g.edges[1:], g.edges + g.edges[:1], [("a", "z")], 3, g.vertices):
        with pytest.raises(td.InputError):
            g.forests().order(wrong)
    with pytest.raises(td.InputError, match="board"):
        td.queens(4).order("given")


def test_bounds_on_weights_are_kept_within_limits(tmp_path):
    g = td.Graph.grid(4, 4)
    weights = [n * n * 7919 % 1000003 for n in range(len(g.edges))]
    bounded = g.spanning_trees().cost_at_most(4 * 10**6, weights)
    d = bounded.build(memory="1GB", timeout=60)
    assert bounded.count() == d.count() == bounded.count(checkpoint=tmp_path)
    assert d == g.spanning_trees().build().cost_at_most(4 * 10**6, weights) == bounded.build(checkpoint=tmp_path)
    assert 0 < d.count() < 100352 and d.best(1, weights, max=True)[0][0] <= 4 * 10**6 and d.report.states > 0
    with pytest.raises(td.MemoryLimitError):
        bounded.build(memory="20kB")
    with pytest.raises(td.TimeLimitError):
        bounded.count(timeout=0)
    # Too many sums for a sweep that has the bound: the diagram without it has 20 000 nodes.
    large = td.Graph.grid(7, 7)
    weights = [n * n * 7919 % 1000003 for n in range(len(large.edges))]
    few = large.spanning_trees().cost_at_most(8 * 10**6, weights)
    assert few.count(timeout=60) == few.build(timeout=60).count()


def test_populations_below_zero_are_numbers_like_others():
    graph = nx.grid_2d_graph(2, 3)
    people = dict(zip(graph, [-3, 5, 2, 0, -1, 4]))
    nx.set_node_attributes(graph, people, "people")
    found_sets = found(td.Graph(graph, population="people").partitions(2, population=(-1, 4)))
    assert found_sets == brute.edge_sets(
        graph,
        lambda e: brute.is_partition(graph, e, 2) and all(-1 <= sum(people[v] for v in b) <= 4 for b in brute.blocks(graph, e)),
    )


def test_each_family_of_the_library_is_a_method_of_graphs_with_a_stub():
    import pathlib
    import re

    from topdd._topdd import _families

    stubs = (pathlib.Path(td.__file__).parent / "_topdd.pyi").read_text()
    of_graph = stubs[stubs.index("class Graph:") : stubs.index("class Family:")]
    assert len(_families()) > 30
    for name in _families():
        assert name in dir(td.Graph) and getattr(td.Graph, name).__doc__, name
        assert re.search(rf"def {name}\(.*?\) -> Family: \.\.\.", of_graph, re.DOTALL), name


def test_paths_with_a_bound_are_counted_by_their_own_methods(tmp_path):
    graph = td.Graph.grid(8, 8)
    short = graph.paths(0, 63).at_most(16)
    assert short.count() == short.count(threads=2) == short.count(spill_to=tmp_path) == short.build().count() == 31460
    assert graph.paths().at_most(2).count() == 404
