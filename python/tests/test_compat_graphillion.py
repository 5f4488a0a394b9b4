"""The layer for programs of Graphillion: by brute force, and beside Graphillion where it is installed."""

import doctest
import io
import pickle
import random
from itertools import combinations

import networkx as nx
import pytest
from brute import (
    is_connected,
    is_cycle,
    is_forest,
    is_partition,
    is_path,
    maximal,
    minimal,
    probability,
    spanned,
    subsets,
    touched,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td
import topdd.compat.graphillion
from topdd.compat.graphillion import GraphSet, Universe, UnknownError, tutorial

EDGES = [(1, 2), (1, 4), (2, 3), (2, 5), (3, 6), (4, 5), (5, 6)]
GRAPH = nx.Graph(EDGES)
ALL = list(subsets(EDGES))
members = st.sets(st.sampled_from(ALL), max_size=12)


@pytest.fixture(autouse=True)
def universe():
    GraphSet.set_universe(EDGES)


def sets(graphset):
    return {frozenset(graph) for graph in graphset}


def of(some):
    return GraphSet([list(graph) for graph in some])


def components(edges):
    return list(nx.connected_components(touched(GRAPH, edges)))


def is_grouped(edges, groups, others):
    """Whether each group is in a component of its own, and all but `others` components with edges contain a group."""
    parts = list(nx.connected_components(spanned(GRAPH, edges)))
    own = [[part for part in parts if set(group) <= part] for group in groups]
    if not all(own) or any(a == b for a, b in combinations([part for (part,) in own], 2)):
        return False
    return sum(part not in [part for (part,) in own] for part in components(edges)) == others


def degrees(edges):
    return dict(spanned(GRAPH, edges).degree)


def test_constructors_have_the_graphs_of_their_definitions():
    def expect(graphset, holds):
        assert sets(graphset) == {edges for edges in ALL if holds(edges)}

    expect(GraphSet({}), lambda e: True)
    expect(GraphSet({"include": [(4, 1)], "exclude": [(1, 2), (2, 3)]}), lambda e: (1, 4) in e and not e & {(1, 2), (2, 3)})
    expect(GraphSet.trees(), lambda e: e and is_forest(GRAPH, e) and len(components(e)) == 1)
    expect(GraphSet.trees(1), lambda e: is_forest(GRAPH, e) and is_grouped(e, [[1]], 0))
    expect(GraphSet.trees(is_spanning=True), lambda e: is_forest(GRAPH, e) and is_connected(GRAPH, e))
    expect(GraphSet.forests([1, 6]), lambda e: is_forest(GRAPH, e) and is_grouped(e, [[1], [6]], 0))
    spans = lambda e: all(part & {1, 6} for part in nx.connected_components(spanned(GRAPH, e)))
    expect(GraphSet.forests([1, 6], True), lambda e: is_forest(GRAPH, e) and is_grouped(e, [[1], [6]], 0) and spans(e))
    expect(GraphSet.cycles(), lambda e: is_cycle(GRAPH, e))
    expect(GraphSet.cycles(is_hamilton=True), lambda e: is_cycle(GRAPH, e) and len(e) == 6)
    expect(GraphSet.paths(1, 6), lambda e: is_path(GRAPH, e, (1, 6)))
    expect(GraphSet.paths(1), lambda e: is_path(GRAPH, e, (1,)))
    expect(GraphSet.paths(is_hamilton=True), lambda e: is_path(GRAPH, e) and len(e) == 5)
    expect(GraphSet.k_matchings(2), lambda e: max(degrees(e).values()) <= 2)
    expect(GraphSet.matchings(), lambda e: max(degrees(e).values()) <= 1)
    expect(GraphSet.b_matchings({1: 1, 2: 2}), lambda e: all(d <= {1: 1, 2: 2}.get(v, 0) for v, d in degrees(e).items()))
    expect(GraphSet.f_factors({1: 1, 2: 1}), lambda e: e == {(1, 2)})
    expect(GraphSet.k_factors(2), lambda e: set(degrees(e).values()) == {2})
    expect(GraphSet.cliques(2), lambda e: len(e) == 1)
    regular = lambda e: e and len(set(dict(touched(GRAPH, e).degree).values())) == 1
    expect(GraphSet.regular_graphs(is_connected=False), regular)
    expect(GraphSet.regular_graphs((2, 3)), lambda e: regular(e) and is_cycle(GRAPH, e))
    expect(GraphSet.bipartite_graphs(), lambda e: len(components(e)) <= 1)
    expect(GraphSet.steiner_paths([1, 5]), lambda e: is_path(GRAPH, e) and {1, 5} <= set(touched(GRAPH, e)))
    expect(GraphSet.steiner_cycles([1]), lambda e: is_cycle(GRAPH, e) and 1 in touched(GRAPH, e))
    ends = lambda e: sorted(d for _, d in touched(GRAPH, e).degree if d != 2)
    expect(GraphSet.letter_P_graphs(), lambda e: ends(e) == [1, 3] and len(components(e)) == 1)
    expect(GraphSet.partitions(2, 3), lambda e: is_partition(GRAPH, e, 2) or is_partition(GRAPH, e, 3))
    induced = lambda e: e and len(components(e)) == 1 and set(e) == {x for x in EDGES if set(x) <= components(e)[0]}
    expect(GraphSet.induced_graphs(), induced)
    expect(GraphSet.weighted_induced_graphs({v: v for v in GRAPH}, 6, 12), lambda e: induced(e) and 6 <= sum(components(e)[0]) <= 12)
    sums = lambda e: [sum(part) for part in nx.connected_components(spanned(GRAPH, e))]
    closed = lambda e: any(is_partition(GRAPH, e, k) for k in range(1, 7))
    expect(GraphSet.balanced_partitions({v: v for v in GRAPH}, ratio=2), lambda e: closed(e) and max(sums(e)) <= 2 * min(sums(e)))
    expect(GraphSet.balanced_partitions({v: v for v in GRAPH}, lower=6, upper=15, num_comps=2), lambda e: closed(e) and len(sums(e)) == 2 and 6 <= min(sums(e)) and max(sums(e)) <= 15)


@pytest.mark.parametrize("groups", [[[]], [[], []], [[1], []], [[1, 5]], [[1, 5], [2]], [[1], [2], [6]], [[1, 2], [6], []]])
@pytest.mark.parametrize("no_loop", [False, True])
def test_groups_contain_all_edges_but_those_of_empty_groups(groups, no_loop):
    named = [group for group in groups if group]
    expected = {e for e in ALL if is_grouped(e, named, len(groups) - len(named)) and (is_forest(GRAPH, e) or not no_loop)}
    assert sets(GraphSet.graphs(vertex_groups=groups, no_loop=no_loop)) == expected
    some = GraphSet.graphs(num_edges=range(2, 5))
    assert sets(some.graphs(vertex_groups=groups, no_loop=no_loop)) == {e for e in expected if 2 <= len(e) <= 4}


def test_graphs_under_degrees_sizes_and_sums():
    expected = {e for e in ALL if degrees(e)[1] == 1 and degrees(e)[2] in (0, 2) and len(e) in (1, 3, 4)}
    assert sets(GraphSet.graphs(degree_constraints={1: 1, 2: range(0, 3, 2)}, num_edges=[1, 3, 4])) == expected
    bounds = [([(1, 2, 1.5), (4, 1, -2)], (-1, 1)), ([(2, 3)], (0, float("inf")))]
    weight = lambda e: 1.5 * ((1, 2) in e) - 2 * ((1, 4) in e)
    assert sets(GraphSet.graphs(linear_constraints=bounds)) == {e for e in ALL if -1 <= weight(e) <= 1}


@settings(max_examples=40, deadline=None)
@given(members, members, st.sampled_from(EDGES))
def test_the_algebra_is_that_of_sets(one, two, edge):
    GraphSet.set_universe(EDGES, traversal="bfs")
    f, g = of(one), of(two)
    assert (sets(f | g), sets(f & g), sets(f - g), sets(f ^ g)) == (one | two, one & two, one - two, one ^ two)
    assert sets(~f) == set(ALL) - one
    assert (f <= g, f < g, f == g, f.isdisjoint(g), bool(f), len(f)) == (one <= two, one < two, one == two, not one & two, bool(one), len(one))
    assert sets(f.join(g)) == {a | b for a in one for b in two}
    assert sets(f.meet(g)) == {a & b for a in one for b in two}
    assert (sets(f.minimal()), sets(f.maximal())) == (minimal(one), maximal(one))
    assert sets(f.blocking()) == {h for h in ALL if all(h & a for a in one)}
    assert sets(f.subgraphs(g)) == {a for a in one if any(a <= b for b in two)} == one - sets(f.non_subgraphs(g))
    assert sets(f.including(g)) == {a for a in one if any(b <= a for b in two)} == one - sets(f.excluding(g))
    assert sets(f.complement()) == {frozenset(EDGES) - a for a in one}
    assert sets(f.including(edge)) == {a for a in one if edge in a} == one - sets(f.excluding(edge[::-1]))
    assert sets(f.including(5)) == {a for a in one if any(5 in e for e in a)}
    assert sets(f.smaller(3)) | sets(f.graph_size(3)) | sets(f.larger(3)) == one
    assert sets(f.remove_some_edge()) == {a - {e} for a in one for e in a}
    assert sets(f.add_some_edge()) == {a | {e} for a in one for e in set(EDGES) - a}
    if two:
        quotient = {q for q in ALL if all(not q & b and q | b in one for b in two)}
        assert sets(f / g) == quotient
        assert sets(f % g) == one - {q | b for q in quotient for b in two}
    weights = {e: n * n for n, e in enumerate(EDGES)}
    total = lambda a: sum(weights[e] for e in a)
    assert [total(a) for a in f.min_iter(weights)] == sorted(map(total, one))
    assert [total(a) for a in f.max_iter(weights)] == sorted(map(total, one), reverse=True)
    assert sets(f.cost_le(weights, 20)) == {a for a in one if total(a) <= 20}
    assert sets(f.cost_eq(weights, 20)) == {a for a in one if total(a) == 20}
    works = {e: 0.1 * (1 + n) for n, e in enumerate(EDGES)}
    assert f.probability(works) == pytest.approx(probability(one, EDGES, works))
    drawn = [frozenset(graph) for graph in f.rand_iter()]
    assert len(drawn) == len(one) and set(drawn) == one
    assert GraphSet.loads(f.dumps()) == f == pickle.loads(pickle.dumps(f)).__class__(f)


def test_edges_are_replaced_in_all_ways():
    one = {frozenset(EDGES[:2]), frozenset(EDGES[1:4]), frozenset()}
    expected = {a - {e} | {f} for a in one for e in a for f in set(EDGES) - a}
    assert sets(of(one).remove_add_some_edges()) == expected


def test_objects_change_in_place():
    graphs = GraphSet([[], [(1, 2)]])
    alias, copy = graphs, graphs.copy()
    graphs |= GraphSet([[(2, 3)]])
    graphs.add([(2, 1), (2, 5)])
    assert alias is graphs and len(alias) == 4 and len(copy) == 2
    graphs.add((3, 6))
    assert sets(graphs) == {frozenset({*a, (3, 6)}) for a in ([], [(1, 2)], [(2, 3)], [(1, 2), (2, 5)])}
    graphs.remove((6, 3))
    graphs.discard((6, 3))
    graphs.flip((1, 2))
    assert sets(graphs) == set(map(frozenset, ([(1, 2)], [], [(1, 2), (2, 3)], [(2, 5)])))
    graphs.discard(1)
    assert sets(graphs) == set(map(frozenset, ([], [(2, 3)], [(2, 5)])))
    assert [(2, 3)] in graphs and (2, 3) in graphs and 5 in graphs and 6 not in graphs and (1, 2) not in graphs
    popped = graphs.pop()
    assert popped not in graphs and len(graphs) == 2
    graphs.clear()
    assert not graphs and repr(graphs) == "GraphSet([])"


def test_graphs_are_converted_both_ways():
    try:
        GraphSet.converters["to_graph"], GraphSet.converters["to_edges"] = nx.from_edgelist, nx.to_edgelist
        GraphSet.set_universe(nx.grid_2d_graph(2, 2))
        graphs = GraphSet([nx.Graph([((0, 0), (0, 1))])])
        assert isinstance(graphs.choice(), nx.Graph) and len(GraphSet.universe().edges) == 4
        assert nx.Graph([((0, 1), (0, 0))]) in graphs
        assert len(GraphSet({}).excluding((0, 0))) == 4, "a tuple may be a vertex"
    finally:
        GraphSet.converters["to_graph"], GraphSet.converters["to_edges"] = list, lambda graph: graph


def test_the_universe_has_weights_and_an_order():
    GraphSet.set_universe([(1, 2, 0.3), (1, 3, -0.2), (2, 4, -0.2), (3, 4, 0.4)], traversal="as-is")
    assert GraphSet.universe() == [(1, 2, 0.3), (1, 3, -0.2), (2, 4, -0.2), (3, 4, 0.4)]
    assert next(GraphSet({}).min_iter()) == [(1, 3), (2, 4)]
    assert repr(GraphSet({})).endswith("(3, 4)], [(1, 2), (1, 3)], [(1, ...") and len(repr(GraphSet({}))) == 80
    old = GraphSet.trees()
    GraphSet.set_universe([("a", 1), (1, "b")])
    assert GraphSet.universe() == [("a", 1), (1, "b")] and Universe.vertices == {"a", 1, "b"}
    assert len(list(old)) == len(old)
    with pytest.raises(td.InputError):
        old |= GraphSet({})


def test_limits_hold_and_random_graphs_repeat():
    with td.limits(timeout=0.01), pytest.raises(td.TimeLimitError):
        GraphSet.set_universe(tutorial.grid(11, 11))
        GraphSet.paths(1, 144)
    GraphSet.set_universe(EDGES)
    random.seed(5)
    first = list(GraphSet.trees().rand_iter())
    random.seed(5)
    assert first == list(GraphSet.trees().rand_iter()) and len(first) == 66


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: GraphSet([[(1, 6)]]), r"\(1, 6\) is no edge of the universe"),
        (lambda: GraphSet([(1, 2)]), "1 is no edge"),
        (lambda: GraphSet({"with": []}), "'with' is no constraint"),
        (lambda: GraphSet(7), "7 is no set of graphs"),
        (lambda: GraphSet({}) | [], r"\[\] is no GraphSet"),
        (lambda: GraphSet({}) / GraphSet(), "quotient|empty family"),
        (lambda: GraphSet({}).including(7), "7 is no vertex"),
        (lambda: GraphSet({}).flip([(1, 2)]), "is a graph; give edge"),
        (lambda: GraphSet({}).add(1), "1 is a vertex; give graph or edge"),
        (lambda: GraphSet([[]]).remove([(1, 2)]), "is in no graph"),
        (lambda: GraphSet().pop(), "the set is empty"),
        (lambda: GraphSet({}).probability({(1, 2): 0.5}), "p"),
        (lambda: GraphSet({}).cost_le({(1, 6): 1}, 1), r"\(1, 6\) is no edge"),
        (lambda: GraphSet.graphs(vertex_groups=[[9]]), "9 is no vertex"),
        (lambda: GraphSet.graphs(vertex_groups=[[1, 2], [2]]), "twice"),
        (lambda: GraphSet.graphs(degree_constraints={9: 1}), "9 is no vertex"),
        (lambda: GraphSet.graphs(num_edges=[]), "num_edges is empty"),
        (lambda: GraphSet.cliques(1), "k=1"),
        (lambda: GraphSet.partitions(3, 2), "exceeds"),
        (lambda: GraphSet.balanced_partitions(ratio=0.5), "ratio=0.5"),
        (lambda: GraphSet.loads("nothing"), "^the text is no file .* no dump"),
        (lambda: GraphSet.loads("2 8 B T\n.\n"), "dump, line 1, column 3"),
        (lambda: GraphSet.set_universe([]), "empty"),
        (lambda: GraphSet.set_universe([(1, 2), (2, 1)]), "given twice"),
        (lambda: GraphSet.set_universe([(1, 2)], source=3), "source=3"),
        (lambda: GraphSet.set_universe([(1, 2)], traversal="random"), "traversal='random'"),
        (lambda: tutorial.grid(3, 3, 0.5), "0.4"),
    ],
)
def test_bad_input_is_refused_with_its_place(call, message):
    with pytest.raises(td.Error, match=message):
        call()
    assert issubclass(UnknownError, KeyError) and GraphSet.universe()


@pytest.mark.parametrize("module", [topdd.compat.graphillion, topdd.compat.graphillion._graphset, tutorial])
def test_the_examples_of_the_layer_hold(module):
    assert doctest.testmod(module).failed == 0


def test_graphillion_agrees():
    graphillion = pytest.importorskip("graphillion")
    theirs = graphillion.GraphSet
    for edges in (EDGES, [(u, v) for u, v in combinations(range(1, 6), 2)], [(1, 2), (2, 3), (3, 1), (3, 4), (5, 6)]):
        for traversal in ("greedy", "bfs", "dfs", "as-is"):
            theirs.set_universe(edges, traversal=traversal)
            GraphSet.set_universe(edges, traversal=traversal)
            assert GraphSet.universe() == theirs.universe()
        theirs.set_universe(edges)
        GraphSet.set_universe(edges)
        for name, arguments in (
            ("graphs", {"vertex_groups": [[1, 2], [3]]}),
            ("graphs", {"vertex_groups": [[1], []], "no_loop": True}),
            ("graphs", {"degree_constraints": {1: range(1, 3)}, "num_edges": range(1, 4)}),
            ("trees", {"root": 3}),
            ("forests", {"roots": [1, 5]}),
            ("paths", {"terminal1": 1, "terminal2": 3}),
            ("cliques", {"k": 3}),
            ("k_matchings", {"k": 2}),
            ("regular_graphs", {"is_connected": False}),
            ("regular_bipartite_graphs", {}),
            ("degree_distribution_graphs", {"deg_dist": {0: -1, 1: 2, 2: 1}, "is_connected": True}),
            ("partitions", {"num_comp_ub": 3}),
            ("balanced_partitions", {"weight_list": {1: 5, 2: 1}, "lower": 2}),
            ("weighted_induced_graphs", {"weight_list": {1: 5, 2: 2}, "upper": 6}),
        ):
            expected = getattr(theirs, name)(**arguments)
            found = getattr(GraphSet, name)(**arguments)
            assert sets(found) == sets(expected), (name, arguments)
            assert GraphSet.loads(expected.dumps()) == found
            assert theirs.loads(found.dumps()) == expected
            file = io.BytesIO()
            found.dump(file)
            file.seek(0)
            assert GraphSet.load(file) == found
