"""Graphs of other packages, tables, matrices and files."""

import errno
import math
import random
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import topdd as td

EDGES = [("a", "b", 4), ("b", "c", 7), ("c", "d", 1), ("d", "a", 2), ("a", "c", 3)]


def check(g, names="abcd"):
    a, b, c, d = names
    assert set(g.vertices) == set(names) and len(g.edges) == 5
    assert {frozenset(e): w for e, w in g.weights.items()} == {
        frozenset(e): w for e, w in zip([(a, b), (b, c), (c, d), (d, a), (a, c)], [4, 7, 1, 2, 3])
    }
    assert g.spanning_trees().count() == 8 and g.spanning_trees().build().best(1)[0][0] == 7


def test_lists_of_edges():
    check(td.Graph(EDGES))
    check(td.Graph([(a, b, {"km": w}) for a, b, w in EDGES], weight="km"))
    check(td.Graph([(a, b) for a, b, _ in EDGES], weight=[w for *_, w in EDGES]))
    check(td.Graph([(a, b) for a, b, _ in EDGES], weight={(b, a): w for a, b, w in EDGES}))
    check(td.Graph(iter(EDGES), vertices="dcba"))
    assert td.Graph([], vertices=range(3)).vertices == (0, 1, 2) and td.Graph().edges == ()
    assert td.Graph(np.array([[0, 1], [1, 2], [2, 3]])).paths(0, 3).count() == 1


def test_graphs_of_networkx_come_back_as_such():
    graph = nx.Graph()
    graph.add_weighted_edges_from(EDGES, weight="km")
    nx.set_node_attributes(graph, dict(zip("abcd", range(4))), "people")
    nx.set_node_attributes(graph, {v: (i, i * i) for i, v in enumerate("abcd")}, "pos")
    g = td.Graph(graph, weight="km", population="people", pos="pos", p=0.5)
    check(g)
    assert g.population == dict(zip("abcd", range(4)))
    back = g.to_networkx()
    assert nx.utils.edges_equal(back.edges, graph.edges) and back["a"]["b"] == {"km": 4, "p": 0.5}
    assert back.nodes["c"] == graph.nodes["c"] == {"pos": (2, 4), "people": 2}
    for kind in (nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        again = td.Graph(kind(graph)).to_networkx()
        assert type(again) is kind and set(again.edges) == set(kind(graph).edges)


def test_tables_and_matrices():
    pandas = pytest.importorskip("pandas")
    check(td.Graph(pandas.DataFrame(EDGES, columns=["source", "target", "km"]), weight="km"))
    check(td.Graph(pandas.DataFrame([(w, a, b) for a, b, w in EDGES], columns=["km", "from", "to"]), weight="km"))
    with pytest.raises(td.InputError):
        td.Graph(pandas.DataFrame({"a": [1]}))
    with pytest.raises(td.InputError):
        td.Graph(pandas.DataFrame({"a": [1], "b": [float("nan")]}))
    polars = pytest.importorskip("polars")
    check(td.Graph(polars.DataFrame(EDGES, schema=["u", "v", "km"], orient="row"), weight="km"))
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.zeros((4, 4), dtype=int)
    for a, b, w in EDGES:
        dense["abcd".index(a), "abcd".index(b)] = dense["abcd".index(b), "abcd".index(a)] = w
    check(td.Graph(sparse.csr_array(dense), weight="weight"), range(4))
    check(td.Graph(sparse.coo_matrix(dense), weight="weight"), range(4))
    with pytest.raises(td.InputError, match="directed=True"):
        td.Graph(sparse.csr_array(np.triu(dense)))
    assert td.Graph(sparse.csr_array(np.triu(dense)), directed=True).directed
    with pytest.raises(td.InputError):
        td.Graph(sparse.csr_array(np.ones((2, 3))))


def test_the_ends_of_edges_in_tables_are_paired_by_name():
    pandas = pytest.importorskip("pandas")

    def edges(*columns):
        rows = [tuple(range(len(columns)))]
        return td.Graph(pandas.DataFrame(rows, columns=list(columns)), directed=True).edges

    assert edges("target", "source") == edges("km", "v", "U")[:0] + ((1, 0),)
    assert edges("km", "v", "U") == ((2, 1),) and edges("to", "km", "from", "u") == ((2, 0),)
    assert edges("a", "b") == edges("from", "where") == ((0, 1),)
    for ambiguous in [("u", "v", "source", "target"), ("source", "Source", "target"), ("to", "a"), ("km", "source", "b"), ("a", "a")]:
        with pytest.raises(td.InputError):
            edges(*ambiguous)


def test_weights_of_a_series_belong_to_its_index():
    pandas = pytest.importorskip("pandas")
    edges = [("a", "b"), ("b", "c")]
    given = pandas.Series([2, 1], index=pandas.Index([("b", "c"), ("a", "b")], tupleize_cols=False))
    assert td.Graph(edges, weight=given).weights == {("a", "b"): 1, ("b", "c"): 2}
    d = td.Graph(edges).edge_sets().exactly(1).build()
    assert d.best(1, given) == [(1, {("a", "b")})]
    people = pandas.Series([3, 2, 1], index=["c", "b", "a"])
    assert td.Graph(edges, population=people).population == {"a": 1, "b": 2, "c": 3}
    numbered = pandas.Series([5, 6])
    assert td.Graph(edges, weight=numbered.tolist()).weights == {("a", "b"): 5, ("b", "c"): 6}
    assert td.Graph([(1, 0)], population=numbered).population == {0: 5, 1: 6}
    table = pandas.DataFrame({"pop": [5, 9, 1]})
    with pytest.raises(td.InputError, match=r"population: there is no vertex 0; a series goes by its index"):
        td.Graph([(1, 3), (3, 2)], population=table["pop"])
    assert td.Graph([(1, 3), (3, 2)], population=table["pop"].set_axis([1, 2, 3])).population == {1: 5, 3: 1, 2: 9}
    with pytest.raises(td.InputError, match=r"weight: there is no edge 0; a series goes by its index"):
        d.best(2, numbered)
    with pytest.raises(td.InputError, match=r"the weight of \('b', 'c'\) is missing"):
        d.best(2, given[1:])
    for wrong in (numbered, numbered[::-1], pandas.Series([1, 2], index=["x", "y"]), {1, 2}, frozenset([1, 2])):
        with pytest.raises(td.InputError):
            td.Graph(edges, weight=wrong)
        with pytest.raises(td.InputError):
            d.best(1, wrong)


def test_edges_of_both_directions_become_parallel():
    graph = nx.MultiDiGraph()
    graph.add_edge("a", "b", w=1)
    graph.add_edge("b", "a", w=2)
    graph.add_edge("b", "c", "road", w=4)
    for make in (lambda: td.Graph(graph).to_undirected(), lambda: td.Graph(graph, weight="w", directed=False)):
        with pytest.raises(td.InputError, match=r"\('a', 'b'\) and \('b', 'a'\).*merge=\"equal\""):
            make()
    for g in (td.Graph(graph, weight="w").to_undirected(merge=False),):
        assert g.edges == (("a", "b", 0), ("b", "a", 1), ("b", "c", 0))
        trees = g.spanning_trees().build()
        assert [w for w, _ in trees.best(2)] == [5, 6] and trees.edge_counts() == {e: n for e, n in zip(g.edges, [1, 1, 2])}
        assert {e for tree in trees for e in tree} == set(g.edges)
    kept = nx.MultiDiGraph([("a", "b", "x", {}), ("a", "b", "y", {})])
    assert td.Graph(kept).to_undirected().edges == (("a", "b", "x"), ("a", "b", "y"))
    normal = td.Graph([("a", "b"), ("b", "c")]).__reduce__()[1][0]
    with pytest.raises(td.InputError, match="twice"):
        td.Graph(normal._replace(ends=[(0, 1), (1, 0)]))
    assert td.Graph([(0, 0), (0, 1)]).edges == ((0, 0), (0, 1))


def test_sources_with_two_meanings_are_refused():
    for square in (np.eye(3, dtype=int), np.array([[0, 1], [1, 0]]), np.ones((5, 5))):
        with pytest.raises(td.InputError, match="adjacency matrix"):
            td.Graph(square)
    pandas = pytest.importorskip("pandas")
    with pytest.raises(td.InputError, match="adjacency"):
        td.Graph(nx.to_pandas_adjacency(nx.cycle_graph(4)))
    sparse = pytest.importorskip("scipy.sparse")
    twice = sparse.coo_matrix(([1, 2, 4], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert td.Graph(twice, weight="weight", directed=True).weights == {(0, 1): 3, (1, 0): 4} and twice.nnz == 3
    for directed in (None, False):
        with pytest.raises(td.InputError, match="directed=True"):
            td.Graph(twice, directed=directed)
    assert td.Graph(sparse.csr_array(np.triu(np.ones((3, 3)))), directed=False).edges == ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    parallel = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c")])
    directed = nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "a")])
    for edges in (td.Graph(parallel).edges, list(parallel.edges), td.Graph(directed).edges, list(directed.edges)):
        with pytest.raises(td.InputError, match="keys"):
            td.Graph(edges)
    assert td.Graph(parallel.edges(data=True)).edges == td.Graph(parallel).edges
    assert td.Graph([("a", "b", 3), ("a", "b", 5)]).weights == {("a", "b", 0): 3, ("a", "b", 1): 5}
    for source in ([(math.nan, 1)], [(math.nan, math.nan)]):
        with pytest.raises(td.InputError, match="nan"):
            td.Graph(source)
    with pytest.raises(td.InputError, match="nan"):
        td.Diagram([{math.nan, 1}])
    with pytest.raises(td.InputError):
        td.Diagram([{pandas.NA}])


def test_vertices_of_igraph_with_equal_names_are_indices():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)])
    graph.vs["name"] = ["x", "y", "x"]
    assert td.Graph(graph).edges == ((0, 1), (1, 2))


def test_ordinary_floats_are_weights():
    dice = random.Random(1)
    graph = nx.gnm_random_graph(20, 60, seed=1)
    weights = [dice.random() for _ in graph.edges]
    g = td.Graph(list(graph.edges), weight=weights)
    assert list(g.weights.values()) == weights
    d = g.spanning_trees().build()
    for edge, weight in zip(graph.edges, weights):
        graph.edges[edge]["weight"] = weight
    best, tree = d.best(1)[0]
    lightest = nx.minimum_spanning_tree(graph)
    assert best == math.fsum(data["weight"] for *_, data in lightest.edges(data=True)) == tree.weight
    assert all(weight == math.fsum(g.weights[edge] for edge in tree) for weight, tree in d.best(9))
    assert d.cost_at_most(best).count() == d.cost_at_most(sum(g.weights[edge] for edge in tree)).count() == 1
    fourth = d.best(4)[3][0]
    assert d.cost_at_most(fourth).count() == g.spanning_trees().cost_at_most(fourth).count() == 4
    assert d.cost_at_least(fourth).count() == d.count() - 3
    for odd in ([math.log(n + 2) for n in range(60)], [1e-300, *[1e300] * 59], [math.pi * 1e6, Fraction(1, 3), *[10] * 58]):
        assert td.Graph(list(graph.edges), weight=odd).spanning_trees().build().best(1)[0][0] > 0
    assert td.Graph([(0, 1)], weight=[np.float32(0.1)]).weights == {(0, 1): float(np.float32(0.1))}
    with pytest.raises(td.InputError, match="digits"):
        td.Graph([(1, 2), (2, 3)], weight=[Fraction(1, 10**30), 10**30])


def test_graphs_of_rustworkx():
    rustworkx = pytest.importorskip("rustworkx")
    graph = rustworkx.PyGraph()
    index = dict(zip("abcd", graph.add_nodes_from(list("abcd"))))
    graph.add_edges_from([(index[a], index[b], w) for a, b, w in EDGES])
    check(td.Graph(graph, weight="weight"))
    directed = rustworkx.PyDiGraph()
    directed.add_nodes_from([None, None])
    directed.add_edge(0, 1, {"km": 3})
    assert td.Graph(directed, weight="km").directed and td.Graph(directed, weight="km").weights == {(0, 1): 3}


def test_graphs_of_igraph():
    igraph = pytest.importorskip("igraph")
    check(td.Graph(igraph.Graph.TupleList(EDGES, edge_attrs=["km"]), weight="km"))
    assert td.Graph(igraph.Graph(n=3, edges=[(0, 1)], directed=True)).directed


def test_files(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text("from,to,km\n" + "\n".join(f"{a},{b},{w}" for a, b, w in EDGES))
    check(td.Graph.read(path, weight="km"))
    path = tmp_path / "numbers.txt"
    path.write_text("7 9\n9 8\n")
    assert td.Graph.read(path).vertices == (7, 9, 8)
    for missing in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(td.FileError) as error:
            td.Graph.read(missing)
        assert isinstance(error.value, OSError) and error.value.errno and error.value.filename == str(missing)
    with pytest.raises(FileNotFoundError) as error:
        td.Diagram.load(tmp_path / "none.tdd")
    assert isinstance(error.value, td.Error) and error.value.errno == errno.ENOENT
    with pytest.raises(FileNotFoundError):
        td.queens(4).build().save(tmp_path / "none" / "q.tdd")


def test_weights_of_all_types_are_exact():
    def best(weights):
        return td.Graph([(0, 1), (1, 2)], weight=weights).spanning_trees().build().best(1)[0][0]

    assert (best([1, 2]), type(best([1, 2]))) == (3, int)
    assert best([0.1, 0.2]) == 0.3 and best([Fraction(1, 3), 1]) == Fraction(4, 3)
    assert best([Decimal("0.1"), Decimal("0.2")]) == Fraction(3, 10)
    assert best(np.array([1, 2])) == 3 and best(np.array([0.5, 2], dtype=np.float32)) == 2.5
    assert best([10**17, -(10**17)]) == 0


@pytest.mark.parametrize("make", [
    lambda: td.Graph(3),
    lambda: td.Graph("ab"),
    lambda: td.Graph({"a": ["b"]}),
    lambda: td.Graph([("a",)]),
    lambda: td.Graph([("a", "b", 1, 2)]),
    lambda: td.Graph(["ab"]),
    lambda: td.Graph([(["a"], "b")]),
    lambda: td.Graph([(1, 2)], vertices=[{}]),
    lambda: td.Graph([(1, 2)], weight="km"),
    lambda: td.Graph([(1, 2, {"km": 1}), (2, 3)], weight="km"),
    lambda: td.Graph([(1, 2, {"km": 1}), (2, 3, {"km": None})], weight="km"),
    lambda: td.Graph([(1, 2)], weight=[1, 2]),
    lambda: td.Graph([(1, 2)], weight={(1, 3): 1}),
    lambda: td.Graph([(1, 2)], weight=["x"]),
    lambda: td.Graph([(1, 2)], weight=[float("nan")]),
    lambda: td.Graph([(1, 2)], weight=[float("inf")]),
    lambda: td.Graph([(1, 2), (2, 3)], weight=[10**30, 1]),
    lambda: td.Graph([(float("nan"), 1)]),
    lambda: td.Graph.grid(-1, 2),
    lambda: td.Graph.complete(-1),
    lambda: td.Graph.hypercube(10**20),
    lambda: td.queens(-1),
    lambda: td.queens(10**20),
    lambda: td.queens(4, -4),
    lambda: td.pieces("rook", 4, exactly=-1),
    lambda: td.knights(-3, 3),
    lambda: td.queens(4).build()[::0],
    lambda: td.queens(4).build()[:][::0],
    lambda: td.Graph([(1, 2)], p=[1.5]),
    lambda: td.Graph([(1, 2)], p=[-0.1]),
    lambda: td.Graph([(1, 2)], p=float("nan")),
    lambda: td.Graph([(1, 2)], p="x"),
    lambda: td.Graph([(1, 2)], vertex_p=[0.5]),
    lambda: td.Graph([(1, 2)], pos=[(0, 0), (1, float("nan"))]),
    lambda: td.Graph([(1, 2)], pos={1: (0, 0)}),
    lambda: td.Graph([(1, 2)], pos=[1, 2]),
    lambda: td.Graph.complete(10**9),
    lambda: td.Graph.hypercube(64),
    lambda: td.Graph.grid(10**9, 10**9),
    lambda: td.Graph.named("nothing"),
    lambda: td.Graph([(float("nan"), 1), (float("nan"), 2)]).paths(float("nan"), 1),
])
def test_bad_sources_are_input_errors(make):
    with pytest.raises(td.InputError) as error:
        make()
    assert isinstance(error.value, ValueError) and isinstance(error.value, td.Error) and str(error.value)
