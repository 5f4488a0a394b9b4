"""A number that is missing or no number is refused, with the edge or vertex, and where there is a file with the line."""

import json
import math
import pathlib
import re
import warnings

import networkx as nx
import numpy as np
import pytest

import topdd as td

EDGES = [("a", "b"), ("b", "c"), ("a", "c")]
VERTICES = ["a", "b", "c"]
NOTHING = object()
"""Stands for an attribute that is not there."""


def of_networkx(field, values):
    graph = nx.Graph(EDGES)
    parts = VERTICES if field in VERTEX_FIELDS else EDGES
    store = graph.nodes if field in VERTEX_FIELDS else graph.edges
    for part, value in zip(parts, values):
        if value is not NOTHING:
            store[part][field] = value
    return td.Graph(graph, **{field: field})


def of_igraph(field, values):
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.TupleList(EDGES)
    (graph.vs if field in VERTEX_FIELDS else graph.es)[field] = [None if value is NOTHING else value for value in values]
    return td.Graph(graph, **{field: field})


def of_rustworkx(field, values):
    rustworkx = pytest.importorskip("rustworkx")
    if field in VERTEX_FIELDS:
        pytest.skip("payloads of nodes are their names")
    graph = rustworkx.PyGraph()
    index = dict(zip(VERTICES, graph.add_nodes_from(VERTICES)))
    payloads = [{} if value is NOTHING else {field: value} for value in values]
    graph.add_edges_from([(index[u], index[v], payload) for (u, v), payload in zip(EDGES, payloads)])
    return td.Graph(graph, **{field: field})


def of_attributes(field, values):
    if field in VERTEX_FIELDS:
        pytest.skip("a list of edges has no attributes of vertices")
    attributes = [{} if value is NOTHING else {field: value} for value in values]
    return td.Graph([(u, v, of) for (u, v), of in zip(EDGES, attributes)], **{field: field})


def of_triples(field, values):
    if field != "weight":
        pytest.skip("the third parts are weights")
    return td.Graph([edge if value is NOTHING else (*edge, value) for edge, value in zip(EDGES, values)])


def of_mapping(field, values):
    parts = VERTICES if field in VERTEX_FIELDS else EDGES
    return td.Graph(EDGES, **{field: {part: value for part, value in zip(parts, values) if value is not NOTHING}})


def of_sequence(field, values):
    return td.Graph(EDGES, **{field: [None if value is NOTHING else value for value in values]})


def of_array(field, values):
    return td.Graph(EDGES, **{field: np.array([math.nan if value in (NOTHING, None) else value for value in values])})


def of_series(field, values):
    pandas = pytest.importorskip("pandas")
    parts = VERTICES if field in VERTEX_FIELDS else EDGES
    pairs = [(part, value) for part, value in zip(parts, values) if value is not NOTHING]
    index = pandas.Index([part for part, _ in pairs], tupleize_cols=False)
    return td.Graph(EDGES, **{field: pandas.Series([value for _, value in pairs], index=index)})


def of_table(field, values):
    pandas = pytest.importorskip("pandas")
    if field in VERTEX_FIELDS:
        pytest.skip("a table of edges has no vertices")
    rows = [(*edge, None if value is NOTHING else value) for edge, value in zip(EDGES, values)]
    return td.Graph(pandas.DataFrame(rows, columns=["source", "target", field]), **{field: field})


def of_polars(field, values):
    polars = pytest.importorskip("polars")
    values = [None if value is NOTHING else value for value in values]
    if field in VERTEX_FIELDS:
        return td.Graph(EDGES, **{field: polars.Series(values, strict=False)})
    rows = [(*edge, value) for edge, value in zip(EDGES, values)]
    return td.Graph(polars.DataFrame(rows, schema=["source", "target", field], orient="row", strict=False), **{field: field})


VERTEX_FIELDS = ("population", "vertex_p")
SOURCES = [of_networkx, of_igraph, of_rustworkx, of_attributes, of_triples, of_mapping, of_sequence, of_array, of_series,
           of_table, of_polars]


@pytest.mark.parametrize("field", ["weight", "p", "population", "vertex_p"])
@pytest.mark.parametrize("source", SOURCES)
def test_a_number_left_out_is_refused_with_its_place(source, field):
    parts = VERTICES if field in VERTEX_FIELDS else EDGES
    full = source(field, [0.5, 0.25, 0.75])
    assert sorted((full.weights if field == "weight" else getattr(full, field)).values()) == [0.25, 0.5, 0.75]
    for at, part in enumerate(parts):
        for gap in (NOTHING, None, math.nan):
            values = [0.5] * 3
            values[at] = gap
            with pytest.raises(td.InputError, match=f"{field}.*{re.escape(repr(part))}"):
                source(field, values)


@pytest.mark.parametrize("value", ["3 m", "12,5", "0.5", "", [1, 2], object(), 1j, math.inf, np.array([1, 2])])
@pytest.mark.parametrize("field", ["weight", "p", "population", "vertex_p"])
def test_what_is_no_number_is_refused_with_its_place(field, value):
    part = "b" if field in VERTEX_FIELDS else ("b", "c")
    mapping = dict.fromkeys(VERTICES if field in VERTEX_FIELDS else EDGES, 0.5) | {part: value}
    with pytest.raises(td.InputError, match=f"the {field} of {re.escape(repr(part))}, .*is "):
        td.Graph(EDGES, **{field: mapping})


def test_a_gap_in_a_matrix_is_refused_with_its_place():
    sparse = pytest.importorskip("scipy.sparse")
    full = np.array([[0, 2, 3], [2, 0, 4], [3, 4, 0]], dtype=float)
    assert list(td.Graph(sparse.csr_array(full)).weights.values()) == [2, 3, 4]
    full[1, 2] = full[2, 1] = math.nan
    with pytest.raises(td.InputError, match=r"the weight of \(1, 2\) is missing \(nan\)"):
        td.Graph(sparse.csr_array(full))


def test_positions_are_refused_with_their_vertex():
    for wrong in (None, (1,), (1, 2, 3), ("x", 1), 3):
        with pytest.raises(td.InputError, match=r"the pos of 'b', .*is no pair of numbers"):
            td.Graph(EDGES, pos={"a": (0, 0), "b": wrong, "c": (1, 1)})


def test_numbers_of_a_query_are_refused_with_their_place():
    g = td.Graph(EDGES, p=0.5)
    d, sets = g.spanning_trees().build(), g.independent_sets().build()
    pandas = pytest.importorskip("pandas")
    gap = pandas.Series([1, None, 3], index=pandas.Index(EDGES, tupleize_cols=False), dtype="Int64")
    for weights in ({EDGES[0]: 1, EDGES[2]: 3}, [1, None, 3], np.array([1, math.nan, 3]), gap, [1, "x", 3]):
        for call in (lambda w: d.best(2, w), lambda w: d.cost_at_most(3, w), lambda w: g.forests().cost_at_least(3, w),
                     lambda w: d.probability(w), lambda w: d.birnbaum(w),
                     lambda w: d.marginals(w), lambda w: d.marginals(p=w), lambda w: g.reliability(p=w)):
            with pytest.raises(td.InputError, match=r"\('b', 'c'\)"):
                call(weights)
    with pytest.raises(td.InputError, match="the weight of 'b' is missing"):
        sets.best(1, {"a": 1, "c": 2})
    with pytest.raises(td.InputError, match="the vertex_p of 'b' is missing|the p of 'b' is missing"):
        g.reliability(vertex_p={"a": 1, "c": 0.5})


def test_weights_of_networkx_are_taken_if_all_edges_have_them():
    graph = nx.Graph()
    graph.add_weighted_edges_from([("a", "b", 4), ("b", "c", 7), ("a", "c", 2)])
    g = td.Graph(graph)
    assert g.weights == {("a", "b"): 4, ("b", "c"): 7, ("a", "c"): 2} and g.spanning_trees().build().best(1)[0][0] == 6
    assert g.to_networkx().edges["a", "b"] == {"weight": 4}
    ones = td.Graph(graph, weight=None)
    assert ones.weights is None and ones.spanning_trees().build().best(1)[0][0] == 2
    assert td.Graph(nx.cycle_graph(3)).weights is None and td.Graph([(0, 1, 5)], weight=None).weights is None
    # A number that nobody needs may be missing.
    graph.add_edge("c", "d")
    partial = td.Graph(graph)
    d = partial.spanning_trees().build()
    assert d.count() == 3 and d.best(1, [1, 2, 3, 4])[0][0] == 7
    # The attributes of the source are kept as they are.
    assert partial.to_networkx().edges["a", "b"] == {"weight": 4} and partial.to_networkx().edges["c", "d"] == {}
    for call in (lambda: partial.weights, lambda: d.best(1), lambda: d[0].weight, lambda: partial.forests().cost_at_most(3), lambda: (d | d).best(1)):
        with pytest.raises(td.InputError, match=r"\('c', 'd'\).*weight=None"):
            call()
    graph.edges["c", "d"]["weight"] = "7 km"
    with pytest.raises(td.InputError, match=r"\('c', 'd'\), '7 km', is text"):
        td.Graph(graph).spanning_trees().build().best(1)


def test_a_reason_survives_files_pickles_and_combinations(tmp_path):
    import pickle

    graph = nx.Graph([("a", "b", {"weight": 2}), ("b", "c"), ("a", "c", {"weight": 1})])
    d = td.Graph(graph).spanning_trees().build()
    d.save(tmp_path / "d.tdd")
    plain = td.Graph(nx.Graph(EDGES)).spanning_trees().build()
    for other in (td.Diagram.load(tmp_path / "d.tdd"), pickle.loads(pickle.dumps(d)), d & plain, plain & d):
        assert other == d
        with pytest.raises(td.InputError, match=r"\('b', 'c'\)|differ in weight"):
            other.best(1)


FILES = {
    "roads.csv": ("from,to,km\na,b,{}\nb,c,{}\na,c,{}\n", 2, "km"),
    "roads.txt": ("# roads\na b {}\nb c {}\na c {}\n", 2, None),
    "semicolons.csv": ("from;to;km\na;b;{}\nb;c;{}\na;c;{}\n", 2, "km"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_number_left_out_of_a_file_is_refused_with_its_line(name, tmp_path):
    text, first, weight = FILES[name]
    path = tmp_path / name
    path.write_text(text.format(3, 2.5, 1))
    assert list(td.Graph.read(path, weight=weight).weights.values()) == [3, 2.5, 1]
    for at, edge in enumerate(EDGES):
        for gap in ("", "x", "3 m", "nan"):
            if name == "roads.txt" and gap in ("x", "3 m"):
                continue
            path.write_text(text.format(*(gap if n == at else 2 for n in range(3))))
            g = td.Graph.read(path)
            d = g.spanning_trees().build()
            assert d.count() == 3
            place = f"{re.escape(str(path))}, line {at + first}: .*{'-'.join(edge)}"
            for call in (lambda: d.best(1), lambda: g.weights, g.to_networkx, d[0].to_networkx):
                with pytest.raises(td.InputError, match=place):
                    call()
            if weight is not None:
                with pytest.raises(td.FileError, match=place):
                    td.Graph.read(path, weight=weight)


def test_an_attribute_left_out_of_json_is_refused(tmp_path):
    path = tmp_path / "wards.json"
    for at in range(3):
        nodes = [{"id": v, "people": n} for n, v in enumerate(VERTICES)]
        del nodes[at]["people"]
        links = [{"source": u, "target": v} for u, v in EDGES]
        path.write_text(json.dumps({"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "links": links}))
        with pytest.raises(td.FileError, match=f"wards.json.*{VERTICES[at]}"):
            td.Graph.read(path, weight="people")
        nodes[at]["weight"] = 3
        path.write_text(json.dumps({"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "links": links}))
        sets = td.Graph.read(path).independent_sets().build()
        for call in (lambda: sets.best(1), lambda: sets.graph.population, sets.graph.to_networkx):
            with pytest.raises(td.InputError, match="wards.json.*"):
                call()


def test_a_file_without_weights_weighs_1_each(tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text("a b\nb c\na c\n")
    g = td.Graph.read(path)
    assert g.weights is None and g.spanning_trees().build().best(1)[0][0] == 2


STREETS = nx.grid_2d_graph(3, 3).to_directed()


def test_both_directions_of_a_street_are_refused_where_directions_do_not_count():
    g = td.Graph(STREETS, p=0.9)
    calls = [g.spanning_trees, g.forests, g.subtrees, g.connected, g.matchings, g.cuts, g.bipartite_subgraphs, g.reliability,
             g.to_undirected, lambda: g.partitions(2), lambda: g.steiner_trees([(0, 0), (2, 2)]), lambda: g.factors(1),
             lambda: g.reliability([(0, 0), (2, 2)]), lambda: td.Graph(STREETS, directed=False), lambda: g.degrees(1)]
    for call in calls:
        with pytest.raises(td.InputError, match=r"\(\(0, 0\), \(0, 1\)\).*to_undirected\(merge=\"equal\"\)"):
            call()
    joined = g.to_undirected(merge="equal")
    assert joined.spanning_trees().count() == 192 and round(joined.reliability(), 5) == 0.94698
    assert joined == td.Graph(nx.grid_2d_graph(3, 3)) or set(map(frozenset, joined.edges)) == set(map(frozenset, nx.grid_2d_graph(3, 3).edges))
    assert g.to_undirected(merge=False).spanning_trees().count() == 49152 and joined.p[(0, 0), (0, 1)] == 0.9
    # Directions count here.
    assert g.paths((0, 0), (2, 2)).count() == 12 and g.cycles().count() == 26 + 12
    assert g.arborescences((0, 0)).count() == 192 and 0.9 < g.reliability(source=(0, 0), target=(2, 2)) < 1
    assert g.paths((0, 0), (2, 2)).through((1, 1)).count() == 10 and g.edge_sets().exactly(2).count() == 24 * 23 // 2
    assert ((g.paths((0, 0), (2, 2)) | g.cycles()).through((1, 1))).count() == 10 + sum((1, 1) in c for c in nx.simple_cycles(STREETS))
    assert g.paths((0, 0), (2, 2)).build().avoid((1, 1)).count() == 2


def test_two_directions_with_different_attributes_are_named():
    graph = nx.DiGraph([("a", "b", {"km": 1, "name": "A"}), ("b", "c", {"km": 2}), ("c", "b", {"km": 3}), ("b", "a", {"km": 1, "name": "A"})])
    with pytest.raises(td.InputError, match=r"\('b', 'c'\) and \('c', 'b'\) differ in `km`: 2 and 3; make them equal"):
        td.Graph(graph).to_undirected(merge="equal")
    graph.edges["c", "b"]["km"] = 2
    joined = td.Graph(graph, weight="km").to_undirected(merge="equal")
    assert joined.edges == (("a", "b"), ("b", "c")) and joined.weights == {("a", "b"): 1, ("b", "c"): 2}
    assert joined.to_networkx().edges["a", "b"] == {"km": 1, "name": "A"}
    graph.edges["c", "b"]["lanes"] = math.nan
    with pytest.raises(td.InputError, match="`lanes`: None and nan"):
        td.Graph(graph).to_undirected(merge="equal")
    with pytest.raises(td.InputError, match="('a', 'b').*differ in `p`: 0.5 and 0.4"):
        td.Graph([("a", "b"), ("b", "a")], directed=True, p=[0.5, 0.4]).to_undirected(merge="equal")
    with pytest.raises(td.InputError, match='merge=3: give "equal"'):
        td.Graph(graph).to_undirected(merge=3)
    parallel = nx.MultiDiGraph([("a", "b", {"w": 1}), ("a", "b", {"w": 2}), ("b", "a", {"w": 2}), ("b", "a", {"w": 1}), ("a", "b", {"w": 5})])
    joined = td.Graph(parallel, weight="w").to_undirected(merge="equal")
    assert sorted(joined.weights.values()) == [1, 2, 5] and not joined.directed
    undirected = td.Graph(nx.cycle_graph(3))
    assert undirected.to_undirected(merge="equal") == undirected == undirected.to_undirected()


def test_directions_that_do_not_count_are_a_warning():
    g = td.Graph(nx.DiGraph([("a", "b"), ("b", "c"), ("a", "c")]), p=0.5)
    for name, call in {"spanning_trees": g.spanning_trees, "matchings": g.matchings, "reliability": g.reliability}.items():
        with pytest.warns(td.InputWarning, match=f"{name}: the directions of edges do not count") as caught:
            call()
        assert caught[0].filename == __file__
    assert issubclass(td.InputWarning, UserWarning)


def test_lists_and_files_with_both_directions(tmp_path):
    both = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]
    with pytest.warns(td.InputWarning, match=r"\('a', 'b'\) and \('b', 'a'\).*merge=\"equal\".*directed=True.*directed=False"):
        assert td.Graph(both).spanning_trees().count() == 4
    assert td.Graph(both, directed=False).spanning_trees().count() == 4
    assert td.Graph(both, directed=True).to_undirected(merge="equal").spanning_trees().count() == 1
    path = tmp_path / "streets.txt"
    path.write_text("\n".join(map(" ".join, both)))
    with pytest.warns(td.InputWarning, match="both directions"):
        assert td.Graph.read(path).spanning_trees().count() == 1
    with pytest.raises(td.InputError, match="merge"):
        td.Graph.read(path, directed=True).spanning_trees()
    assert td.Graph.read(path, directed=True).to_undirected(merge="equal").spanning_trees().count() == 1


def test_one_name_in_two_forms_of_unicode_is_a_warning(tmp_path):
    edges = [("Zürich", "Bern"), ("Bern", "Zu\u0308rich")]
    with pytest.warns(td.InputWarning, match=r"`Z\\u\{fc\}rich` and `Zu\\u\{308\}rich`.*are read as two vertices"):
        assert len(td.Graph(edges).vertices) == 3
    path = tmp_path / "towns.txt"
    path.write_text("\n".join(map(" ".join, edges)), encoding="utf-8")
    with pytest.warns(td.InputWarning, match="towns.txt.*rich"):
        td.Graph.read(path)


FEEDER = "from_bus,to_bus,r_ohm,x_ohm\n变电站 A,母线 1,0.1,0.05\n母线 1,母线 2,0.2,0.1\n母线 2,母线 3,0.3,0.15\n母线 3,变电站 B,0.1,0.05\n"
COMMA = "von;nach;länge\nMoor;Tal;30,5\nMoor;See;12,5\nSee;Tal;7,25\n"
EMPTY = "from,to,km\nMoor,Tal,30\nMoor,See,12\nSee,Tal,\n"
BOTH = "p edge 3 6\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 1 3\ne 3 1\n"


def best(g):
    return [weight for weight, _ in g.spanning_trees().build().best(2)]


@pytest.mark.parametrize("name, text, call, right", [
    ("empty-cell.csv", EMPTY, lambda read: read().paths("Moor", "Tal").count(), 2),
    ("empty-cell.csv", EMPTY, lambda read: read().spanning_trees().count(), 3),
    ("empty-cell.csv", EMPTY, lambda read: best(read()), "empty-cell.csv, line 4: the edge See-Tal has no `km`"),
    ("empty-cell.csv", EMPTY, lambda read: read(weight="km"), "empty-cell.csv, line 4: the edge See-Tal has no `km`"),
    ("decimal-comma.csv", COMMA, lambda read: best(read()), [19.75, 37.75]),
    ("decimal-comma.csv", COMMA, lambda read: best(read(weight="länge")), [19.75, 37.75]),
    ("decimal-comma.txt", "a b 30,5\nb c 1,25\n", lambda read: best(read(decimal_comma=True)), [31.75]),
    ("unit.csv", "from,to,km\na,b,3 m\nb,c,2\n", lambda read: best(read()), "unit.csv, line 2: the edge a-b .*3 m"),
    ("feeder.csv", FEEDER, lambda read: read(), "columns="),
    ("feeder.csv", FEEDER, lambda read: best(read(columns=["from_bus", "to_bus", "r_ohm"])), [0.7]),
    ("feeder.csv", FEEDER, lambda read: best(read(columns=[1, 2, 4])), [0.35]),
    ("both-directions.col", BOTH, lambda read: read().spanning_trees().count(), 3),
    ("both-directions.col", BOTH, lambda read: read(merge="equal").spanning_trees().count(), 3),
    ("both-directions.col", BOTH, lambda read: read(merge=False).spanning_trees().count(), 12),
    ("both-directions.col", BOTH, lambda read: read(directed=True).spanning_trees().count(), 'merge="equal"'),
    ("both-directions.col", BOTH, lambda read: read(merge="all"), 'merge=\'all\': give "equal"'),
    ("nan.txt", "a b 3\nb c nan\na c\n", lambda read: read().cycles().count(), 1),
    ("nan.txt", "a b 3\nb c nan\na c\n", lambda read: best(read()), "nan.txt, line 2: the edge b-c"),
    ("decimals.txt", "a b 1.5\nb c 2\nc a 3\n", lambda read: best(read()), [3.5, 4.5]),
    ("header.txt", "4 4\n1 2\n2 3\n3 4\n4 1\n", lambda read: read(), 'header.txt, line 1: .*format="edges"'),
    ("lists.txt", "1 2 4\n2 3\n3 4\n4\n", lambda read: read(), 'give format="adjlist" or format="edges"'),
    ("lists.txt", "1 2 4\n2 3\n3 4\n4\n", lambda read: read(format="adjlist").spanning_trees().count(), 4),
    ("square.s6", ">>sparse6<<:Cda\n", lambda read: read().spanning_trees().count(), 4),
    ("square.g6", "Cl\n", lambda read: read(format="graph6").spanning_trees().count(), 4),
    ("a.txt", "a b\n", lambda read: read(format="gml"), "the formats are edges, csv, adjlist"),
])
@pytest.mark.filterwarnings("ignore")
def test_files_have_their_right_value_or_are_refused(name, text, call, right, tmp_path):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")

    def read(**options):
        return td.Graph.read(path, **options)

    if isinstance(right, str):
        with pytest.raises((td.FileError, td.InputError), match=right) as error:
            call(read)
        assert "::" not in str(error.value)
    else:
        assert call(read) == right


def test_two_numbers_for_one_edge_are_refused():
    pandas = pytest.importorskip("pandas")
    edges = [(0, 1), (1, 2), (0, 2)]
    other = {(1, 2): 2, (0, 2): 3}
    different = {(0, 1): 5, (1, 0): 7} | other
    same = {(0, 1): 5, (1, 0): 5} | other
    d = td.Graph(edges).spanning_trees().build()
    message = r"\(0, 1\) and \(1, 0\) are the same edge, and its weight is 5 and 7; give one of them"

    def series(values):
        return pandas.Series(list(values.values()), index=pandas.MultiIndex.from_tuples(list(values)))

    for made in (dict, series):
        for call in (lambda weight: td.Graph(edges, weight=weight), lambda weight: d.best(1, weight),
                     lambda weight: td.Graph(edges).forests().cost_at_most(3, weight)):
            with pytest.raises(td.InputError, match=message):
                call(made(different))
            call(made(same))
    assert td.Graph(edges, weight=same).weights == {(0, 1): 5, (1, 2): 2, (0, 2): 3}
    # With directions, they are two edges.
    assert list(td.Graph([(0, 1), (1, 0)], directed=True, weight={(0, 1): 5, (1, 0): 7}).weights.values()) == [5, 7]


def test_a_number_too_large_for_a_float_is_refused_with_its_edge():
    for large in (10**400, 10**5000):
        graph = nx.Graph([("a", "b", {"weight": large}), ("b", "c", {"weight": 1})])
        with pytest.raises(td.InputError, match=r"the weight of \('a', 'b'\) is too large"):
            td.Graph(graph).spanning_trees().build().best(1)
        with pytest.raises(td.InputError, match=r"the weight of \('a', 'b'\) is too large"):
            td.Graph(graph, weight=[large, 0.1])
        with pytest.raises(td.InputError, match=r"the p of \('a', 'b'\) is too large"):
            td.Graph(graph, p=large)
        with pytest.raises(td.InputError, match="too many digits"):
            td.Graph(graph, weight=[large, 1])
    with pytest.raises(td.InputError, match="the sum of the weights is too large"):
        td.Graph(EDGES, weight=1.5e308)
    assert td.Graph(EDGES, weight=-5e307).forests().build().best(1)[0][0] == -1e308


def test_subclasses_of_a_series_go_by_their_index():
    pandas = pytest.importorskip("pandas")

    class Costs(pandas.Series):
        pass

    class Other:
        index = None

        def __iter__(self):
            return iter([1, 2, 3])

    g = td.Graph([("a", "b"), ("b", "c"), ("a", "c")])
    costs = Costs([3, 1, 2], index=pandas.MultiIndex.from_tuples([("a", "c"), ("a", "b"), ("b", "c")]))
    assert td.Graph(g.edges, weight=costs).weights == {("a", "b"): 1, ("b", "c"): 2, ("a", "c"): 3}
    for given, kind in ((Other(), "Other"), (pandas.DataFrame({"km": [1, 2, 3]}), "DataFrame")):
        with pytest.raises(td.InputError, match=f"the index of this {kind} cannot be read.*mapping or a list as weight"):
            td.Graph(g.edges, weight=given)


def test_graphs_and_files_have_the_same_words(tmp_path):
    path = tmp_path / "streets.gr"
    path.write_text("p sp 3 3\na 1 2 5\na 2 1 5\na 2 3 7\n")
    with pytest.raises(td.FileError) as of_file:
        td.Graph.read(path, directed=False)
    edges = [(1, 2), (2, 1), (2, 3)]
    words = '{}directions do not count here, and the edges {} and {} would be two parallel edges; join such pairs with {}'
    assert str(of_file.value) == words.format(f"{path}, line 3: ", "1->2", "2->1", 'merge="equal"')
    remedy = 'to_undirected(merge="equal")'
    g = td.Graph(edges, directed=True)
    for call in (g.spanning_trees, g.to_undirected, lambda: td.Graph(nx.DiGraph(edges), directed=False)):
        with pytest.raises(td.InputError) as error:
            call()
        assert str(error.value) == words.format("", "(1, 2)", "(2, 1)", remedy)
    with pytest.warns(td.InputWarning) as caught:
        td.Graph(edges)
    assert str(caught[0].message).startswith(words.format("", "(1, 2)", "(2, 1)", remedy))


class Bad:
    def __eq__(self, other):
        raise RuntimeError("no equality")

    __hash__ = None


def test_an_error_of_a_comparison_is_passed_on():
    graph = nx.DiGraph([(1, 2, {"x": Bad()}), (2, 1, {"x": Bad()})])
    with pytest.raises(RuntimeError, match="no equality"):
        td.Graph(graph).to_undirected(merge="equal")
    names = td.Graph([("\ud800", "a"), ("a", "Zu\u0308rich")])
    assert len(names.vertices) == 3


CASES = pathlib.Path(__file__).parents[2] / "crates/topdd-cli/tests/cases"
TEXTS = [
    ("a.txt", "a b 30,5\nb c 1,25\n"), ("a.txt", "5 5 9\n1 2\n2 3\n3 4\n4 5\n5 1\n"), ("a.csv", "person,friend\nann,bob\ncid,dan\n"),
    ("a.txt", "1 2 1\n2 3\n3 4 2\n"), ("a.txt", "1 2 3 4\n2 5\n"), ("a.txt", "a b 3\nb a 5\n"), ("a.txt", "edge 1 2\nedge 2 3\n"),
    ("a.csv", "city_a,city_b\nOslo,Bergen\nParis,Lyon\nLyon,Nice\n"), ("a.csv", "name,population\nReno,1\nOslo,2\n"), ("a.csv", "a b,c\nb a,c\n"),
    ("a.txt", "a b\nb a\nb c\nc b\nc d\n"), ("a.txt", "a b friend\nb c enemy\n"), ("a.adjlist", "a b c\nb a\n"), ("a.txt", "a -> b\nb -> c\n"),
    ("a.col", "p edge 3 2\ne 1 2 5\ne 2 3\n"), ("a.gr", "p sp 3 3\na 1 2 5\na 2 1 6\na 2 3 7\n"), ("a.txt", "a\n"), ("a.json", "{}"),
]


@pytest.mark.parametrize("path", [*CASES.iterdir(), *TEXTS], ids=lambda path: path.name if isinstance(path, pathlib.Path) else path[1][:20])
def test_advice_on_files_is_in_words_of_python(path, tmp_path):
    if isinstance(path, tuple):
        name, text = path
        path = tmp_path / name
        path.write_text(text)
    for options in ({}, {"directed": True}, {"directed": False}, {"merge": "equal"}, {"merge": "equal", "directed": True}, {"columns": [1, 2]},
                    {"weight": "km"}, {"columns": [1, 2], "weight": "km"}):
        messages = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                td.Graph.read(path, **options).spanning_trees().build().best(1)
            except (td.FileError, td.InputError) as error:
                messages = [str(error)]
        for message in messages + [str(warning.message) for warning in caught]:
            assert "::" not in message and "set the format" not in message and "GraphReadOptions" not in message, message
            assert message.count(f"{path.name}: ") + message.count(f"{path.name}, line") <= 1, message


def test_edges_in_both_directions_of_an_undirected_graph_are_not_joined_in_silence():
    pairs = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)]
    with pytest.warns(td.InputWarning):
        graph = td.Graph(pairs)
    with pytest.raises(td.InputError, match="directed=True"):
        graph.to_undirected(merge="equal")
    assert td.Graph(pairs, directed=True).to_undirected(merge="equal").spanning_trees().count() == 3
    assert td.Graph(pairs[::2]).to_undirected(merge="equal").spanning_trees().count() == 3
