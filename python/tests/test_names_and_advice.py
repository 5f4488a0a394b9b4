"""Edges by all of their names, attributes of the source, and messages that say what to do."""

import copy
import pickle
import warnings
from itertools import combinations

import networkx as nx
import pytest

import topdd as td

ROADS = nx.Graph()
ROADS.add_edge("A", "B", km=4, minutes=3, road="A1")
ROADS.add_edge("B", "C", km=1, minutes=9, road="B7")
ROADS.add_edge("A", "C", km=7, minutes=4, road="A2")
ROADS.add_edge("C", "D", km=2, minutes=1, road="A3")
for name, people in zip("ABCD", (5, 1, 2, 4)):
    ROADS.nodes[name].update(people=people, kind="town")
G = td.Graph(ROADS, weight="km", population="people")
PATHS = G.paths("A", "D")
D = PATHS.build()


def test_an_undirected_edge_is_found_in_both_directions():
    counts = D.edge_counts()
    assert counts == {("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 1, ("C", "D"): 2} and list(counts) == list(G.edges)
    for mapping in (counts, D.element_counts(), G.weights, copy.copy(counts), pickle.loads(pickle.dumps(counts))):
        for u, v in G.edges:
            assert mapping[v, u] == mapping[u, v] == mapping.get((v, u)) and (v, u) in mapping
        for missing in (("A", "D"), "A", ("A",)):
            assert missing not in mapping and mapping.get(missing, 0) == 0
            with pytest.raises(KeyError):
                mapping[missing]
    del counts["A", "B"]
    with pytest.raises(KeyError):
        counts["B", "A"]
    backward = {(v, u): n for n, (u, v) in enumerate(G.edges)}
    assert td.Graph(ROADS, weight=backward).weights == {(u, v): n for (v, u), n in backward.items()}
    assert D.best(1, backward) == D.best(1, [0, 1, 2, 3])
    assert D.probability({edge: 0.5 for edge in backward}) == D.probability(0.5)
    for one in (D, PATHS):
        assert one.including(("B", "A")).count() == one.excluding(("C", "A")).count() == 1
    assert [("B", "A"), ("C", "B"), ("D", "C")] in D and ("D", "C") in D[0]
    assert td.Diagram([[("B", "A")]], graph=G) == td.Diagram([[("A", "B")]], graph=G)
    directed = td.Graph([("A", "B"), ("B", "C")], directed=True).paths("A", "C").build().edge_counts()
    assert type(directed) is dict and ("B", "A") not in directed


def test_an_edge_without_parallel_ones_needs_no_key():
    for source in ([("a", "b"), ("b", "a"), ("b", "c")], nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c")])):
        g = td.Graph(source)
        assert "(u, v, key)" in repr(g) and "(u, v, key)" not in repr(G)
        counts = g.paths("a", "c").build().edge_counts()
        assert counts["c", "b"] == 2 == counts["b", "c", 0] and ("a", "b") not in counts and counts["b", "a", 1] == 1
        weighted = td.Graph(source, weight={("a", "b", 0): 1, ("b", "a", 1): 2, ("c", "b"): 3})
        assert weighted.weights["b", "c"] == 3 and g.paths("a", "c").including(("c", "b")).count() == 2
        with pytest.raises(td.InputError, match=r"\('a', 'b'\).*Graph\.edges"):
            g.paths("a", "c").including(("a", "b"))
    both = td.Graph([("a", "b"), ("b", "a")], directed=True)
    assert both.edges == (("a", "b"), ("b", "a"))
    assert td.Graph([("a", "a"), ("a", "b")]).edge_sets().build().edge_counts()["b", "a"] == 2


def test_attributes_of_the_source_are_weights_by_name():
    minutes = nx.get_edge_attributes(ROADS, "minutes")
    assert D.best(1, "minutes") == D.best(1, minutes) != D.best(1) and D.best(1)[0][0] == 7
    for one in (D, PATHS):
        assert one.cost_at_most(5, "minutes").count() == one.cost_at_most(5, minutes).count() == 1
    sets = G.independent_sets().build()
    assert sets.best(1, "people", max=True) == sets.best(1, max=True) == [(9, {"A", "D"})]
    assert (D & td.Graph(ROADS).cycles()).best(1, "km") == [] and D.best(1, "km") == D.best(1)
    with pytest.raises(td.InputError, match="km, minutes, road"):
        D.best(1, "hours")
    with pytest.raises(td.InputError, match=r"the weight of \('A', 'B'\), 'A1', is text and no number"):
        D.best(1, "road")
    with pytest.raises(td.InputError, match="there are none"):
        td.Graph.grid(2, 2).cycles().build().best(1, "km")
    with pytest.raises(td.InputError, match="'km' is no weight; give a mapping"):
        td.queens(4).build().best(1, "km")
    other = ROADS.copy()
    other.edges["A", "B"]["minutes"] = 30
    with pytest.raises(td.InputError, match="there are none"):
        (D | td.Graph(other, weight="km", population="people").cycles()).best(1, "minutes")


def test_a_solution_has_the_attributes_of_the_source(tmp_path):
    for graph in (D.best(1)[0][1].to_networkx(), pickle.loads(pickle.dumps(D))[1].to_networkx()):
        assert nx.utils.graphs_equal(graph, ROADS.edge_subgraph(graph.edges))
    assert nx.utils.graphs_equal(G.to_networkx(), ROADS) and "weight" not in D[0].to_networkx().edges["C", "D"]
    members = G.independent_sets().build()[-1].to_networkx()
    assert nx.utils.graphs_equal(members, ROADS.subgraph(members))
    weighted = td.Graph(ROADS, weight=[4, 3, 2, 1], pos={v: (0, n) for n, v in enumerate(ROADS)}).to_networkx()
    assert weighted.edges["A", "B"] == {"km": 4, "minutes": 3, "road": "A1", "weight": 4}
    assert weighted.nodes["B"] == {"people": 1, "kind": "town", "pos": (0.0, 1.0)}
    ROADS.edges["A", "B"]["km"] = 99
    assert D[-1].to_networkx().edges["A", "B"]["km"] == 4 == G.weights["A", "B"]
    ROADS.edges["A", "B"]["km"] = 4
    D.save(tmp_path / "d.tdd")
    loaded = td.Diagram.load(tmp_path / "d.tdd")
    assert loaded == D and loaded.best(1) == D.best(1) and "road" not in loaded.graph.to_networkx().edges["A", "B"]


@pytest.mark.parametrize("call, advice", [
    (lambda: D.excluding("B"), "'B' is a vertex.*avoid"),
    (lambda: PATHS.excluding("B"), "'B' is a vertex.*avoid"),
    (lambda: PATHS.including("A", "B"), r"one edge.*including\(\('A', 'B'\)\)"),
    (lambda: D.including([("A", "B"), ("B", "C")]), r"with a star: including\(\*\[\('A'"),
    (lambda: D.including(("A", "D")), r"Graph\.edges"),
    (lambda: G.cliques().including("Z"), r"Graph\.vertices"),
    (lambda: D.avoid("Z"), r"Graph\.vertices"),
    (lambda: PATHS.through(["B", "C"]), r"each vertex.*through\(\*\['B', 'C'\]\)"),
    (lambda: td.Graph(nx.grid_2d_graph(2, 2)).forests().avoid(0, 1), r"one vertex.*avoid\(\(0, 1\)\)"),
    (lambda: D.best("km"), r"best\(1, 'km'\)"),
    (lambda: td.queens(4).build().including("z9"), r"'z9' is no square; Diagram\.elements"),
    (lambda: td.Diagram([{1}]).including(2), "there is no element 2; the elements are 1"),
    (lambda: td.Diagram([{1}]).avoid(1), "avoid is for sets of edges and of vertices"),
    (lambda: ["A", "C", "D"] in D, "'A' is a vertex"),
    (lambda: [("A", "D")] in D, r"Graph\.edges"),
    (lambda: "AC" in D, "no set of edges"),
    (lambda: "A" in D[0], "a set of edges.*vertices"),
    (lambda: D.supersets_of([[("A", "B")], [("B", "C")]]), r"Diagram\(sets, graph=..\)"),
    (lambda: ~G.colourings(2), "colourings"),
    (lambda: D.union([("A", "B")]), r"Diagram\(sets"),
])
def test_messages_say_what_to_do(call, advice):
    with pytest.raises(td.InputError, match=advice):
        call()


def test_membership_of_what_no_diagram_has():
    other = td.Graph([("A", "Z"), ("Z", "D")]).paths("A", "D").build()[0]
    assert other not in D and {7} not in td.Diagram([{1}, {2}]) and ("A", "Z") not in D[0]


def test_a_family_says_that_a_diagram_has_the_solutions():
    missing = [name for name in dir(td.Diagram) if not name.startswith("_") and name not in dir(td.Family)]
    assert {"sample", "best", "hitting_sets", "minimal", "rank", "edge_counts", "save", "to_numpy"} <= set(missing)
    for name in missing:
        assert not hasattr(PATHS, name)
        with pytest.raises(AttributeError, match=rf"build\(\) first: family\.build\(\)\.{name}"):
            getattr(PATHS, name)
    with pytest.raises(AttributeError, match="'topdd.Family' object has no attribute 'frobnicate'"):
        PATHS.frobnicate
    assert not hasattr(PATHS, "_repr_svg_") and getattr(PATHS, "best", 3) == 3
    for call in (len, list, set, bool, lambda f: f[0], lambda f: f[:2], lambda f: D[0] in f, lambda f: [s for s in f]):
        with pytest.raises(TypeError, match=r"build\(\) first"):
            call(PATHS)


def test_diagrams_compare_and_combine_with_families():
    edges = G.edge_sets().build()
    assert D <= PATHS <= D and D >= PATHS >= D and not D < PATHS and D < G.connected_edge_sets() and G.edge_sets() > D
    assert not D <= G.cycles() and D <= G.edge_sets() and not D >= G.edge_sets() and not PATHS > D
    assert D != PATHS and (G.edge_sets() - D).count() == 14
    with pytest.raises(TypeError):
        D < 3
    for family in (PATHS, PATHS | G.cycles(), G.edge_sets(), G.cliques(), G.partitions(2, population=(3, 9))):
        d = family.build()
        assert (~family).build() == ~d and (~family).count() == (~d).count() and (~~family).build() == d
    assert repr(~PATHS - G.cycles()) == "<topdd.Family: ~paths('A', 'D') - cycles()>"
    assert repr((~(PATHS | G.cycles())).at_most(2)) == "<topdd.Family: (~(paths('A', 'D') | cycles())).at_most(2)>"
    assert (~PATHS).at_most(2).build() == (edges - D).at_most(2)


def test_vertices_of_diagrams_are_those_of_families():
    for family in (PATHS, G.forests(), G.independent_sets(), G.cliques()):
        d = family.build()
        for names in ([], ["B"], ["B", "C"], ["A", "B", "C", "D"]):
            assert d.through(*names) == family.through(*names).build() and d.avoid(*names) == family.avoid(*names).build()
    with pytest.raises(td.MemoryLimitError):
        td.Graph.grid(6, 6).paths(0, 35).build().through(7, memory=1000)


def test_one_set_is_given_by_its_elements():
    forests = G.forests().build()
    for size in range(3):
        for chosen in combinations(G.edges, size):
            given = [edge[::-1] for edge in chosen]
            assert list(forests.supersets_of(given)) == [f for f in forests if set(f) >= set(chosen)]
            assert list(forests.subsets_of(given)) == [f for f in forests if set(f) <= set(chosen)]
    assert forests.supersets_of(D[0]) == forests.supersets_of(td.Diagram([D[0]], graph=G))
    assert list(td.Diagram([{1}, {1, 2}]).supersets_of({2})) == [{1, 2}]


def test_best_without_a_number_is_every_solution_by_weight():
    g = td.Graph.grid(4, 4)
    trees = td.Graph(g.to_networkx(), weight=[n * n % 17 for n in range(24)]).spanning_trees().build()
    for largest in (False, True):
        endless = trees.best(max=largest)
        first = [next(endless) for _ in range(50)]
        assert iter(endless) is endless and first == trees.best(50, max=largest)
    assert len(list(td.Graph.grid(3, 3).cycles().build().best())) == 13 and list((D - D).best()) == []
    assert list(D.best(weights="minutes")) == D.best(9, "minutes")


def test_labels_are_dictionaries_and_arrays():
    plans = td.Graph.grid(3, 3).partitions(3).build()[:20]
    assert plans.labels() == [plan.labels() for plan in plans]
    assert plans.label_array().tolist() == [plan.label_array().tolist() for plan in plans]
    assert all(list(plan.labels().values()) == plan.label_array().tolist() for plan in plans)
    with pytest.raises(td.InputError):
        td.queens(4).build()[0].label_array()


def test_pictures_are_saved_as_svg_and_png(tmp_path):
    picture = D.heat_map()
    picture.save(tmp_path / "map.SVG")
    picture.save(tmp_path / "map.png")
    assert (tmp_path / "map.SVG").read_text() == picture.svg
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(td.InputError, match=r"\.svg or \.png"):
        picture.save(tmp_path / "map.pdf")
    with pytest.raises(td.FileError):
        picture.save(tmp_path / "missing" / "map.png")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        td.Graph([("\U0010fffd", "b")]).picture().save(tmp_path / "private.png")
    assert "no font" in str(caught[0].message)


def test_dictionaries_over_edges_are_written_by_all_names():
    counts = td.Graph([(0, 1), (1, 2)]).forests().build().edge_counts()
    same = pickle.loads(pickle.dumps(counts))
    assert same == counts and same[2, 1] == 2 and copy.copy(counts)[1, 0] == 2
    counts[1, 0] += 1
    assert counts == {(0, 1): 3, (1, 2): 2} and counts.setdefault((2, 1), 9) == 2
    assert counts.pop((1, 0)) == 3 and counts.pop((5, 6), None) is None
    del counts[2, 1]
    assert not counts
    with pytest.raises(KeyError):
        del counts[2, 1]
