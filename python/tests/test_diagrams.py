"""Diagrams against sets of frozensets, for random sets of any elements."""

import base64
import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import brute
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td

ELEMENTS = ["a", "b", ("c", 1), 4, None, frozenset([5])]
sets = st.sets(st.frozensets(st.sampled_from(ELEMENTS)), max_size=12)
subset_of_elements = st.lists(st.sampled_from(ELEMENTS), unique=True)


def plain(diagram):
    return {frozenset(solution) for solution in diagram}


@settings(max_examples=60, deadline=None)
@given(sets, sets, st.permutations(ELEMENTS))
def test_operators_are_those_of_sets(one, two, order):
    f, g = td.Diagram(one), td.Diagram(two, elements=order)
    assert plain(f | g) == one | two == plain(f.union(g))
    assert plain(f & g) == one & two == plain(f.intersection(g))
    assert plain(f - g) == one - two == plain(f.difference(g))
    assert plain(f ^ g) == one ^ two == plain(f.symmetric_difference(g))
    assert (f == g, f != g, f <= g, f < g, f >= g, f > g) == (
        one == two, one != two, one <= two, one < two, one >= two, one > two,
    )
    assert f.isdisjoint(g) == one.isdisjoint(two)
    again = td.Diagram(sorted(one, key=repr), elements=order)
    assert again == f and hash(again) == hash(f)
    assert len({f, again, copy.deepcopy(f)}) == 1


@settings(max_examples=60, deadline=None)
@given(sets, sets, subset_of_elements, st.integers(0, 4))
def test_operations_on_sets_are_those_of_their_definitions(one, two, some, k):
    f, g = td.Diagram(one, elements=ELEMENTS), td.Diagram(two, elements=ELEMENTS)
    assert plain(~f) == set(brute.subsets(ELEMENTS)) - one
    assert plain(f.minimal()) == brute.minimal(one)
    assert plain(f.maximal()) == brute.maximal(one)
    assert plain(f.hitting_sets()) == brute.hitting_sets(one, ELEMENTS)
    assert plain(f.subsets_of(g)) == {s for s in one if any(s <= t for t in two)}
    assert plain(f.supersets_of(g)) == {s for s in one if any(s >= t for t in two)}
    assert plain(f.including(*some)) == {s for s in one if s >= set(some)}
    assert plain(f.excluding(*some)) == {s for s in one if not s & set(some)}
    assert plain(f.exactly(k)) == {s for s in one if len(s) == k}
    assert plain(f.at_most(k)) == {s for s in one if len(s) <= k}
    assert plain(f.at_least(k)) == {s for s in one if len(s) >= k}
    assert f.count_by_size() == [sum(len(s) == n for s in one) for n in range(max(map(len, one), default=-1) + 1)]
    assert f.element_counts() == {e: sum(e in s for s in one) for e in ELEMENTS}


@settings(max_examples=60, deadline=None)
@given(sets, st.data())
def test_a_diagram_is_a_sequence(one, data):
    f = td.Diagram(one)
    listed = list(f)
    assert len(f) == f.count() == len(one) and bool(f) == bool(one)
    assert list(reversed(f)) == listed[::-1]
    for rank, solution in enumerate(listed):
        assert f[rank] == solution == f[rank - len(listed)] and f.rank(solution) == rank
        assert solution in f and set(solution) in f
    piece = data.draw(st.slices(20))
    assert list(f[piece]) == listed[piece]
    with pytest.raises(IndexError):
        f[len(listed)]
    with pytest.raises(IndexError):
        f[-len(listed) - 1]
    for missing in brute.subsets(ELEMENTS[:3]):
        if missing not in one:
            assert missing not in f
    for other in (["other"], [[]], 3, "a", None):
        assert other not in f or set(other) in one


@settings(max_examples=40, deadline=None)
@given(sets.filter(bool), st.lists(st.one_of(st.integers(-50, 50), st.sampled_from([0.5, -1.25, 0.1])), min_size=6, max_size=6))
def test_the_best_sets_are_the_best_by_sorting(one, numbers):
    f = td.Diagram(one, elements=ELEMENTS)
    weights = dict(zip(ELEMENTS, numbers))
    total = lambda s: round(sum(weights[e] for e in s), 6)
    for largest in (False, True):
        best = f.best(5, weights, max=largest)
        assert [round(w, 6) for w, _ in best] == sorted(map(total, one), reverse=largest)[:5]
        assert all(round(w, 6) == total(s) and s in f for w, s in best)
    cost = total(next(iter(one)))
    assert {total(s) <= cost for s in f.cost_at_most(cost + 1e-9, numbers)} <= {True}
    assert f.cost_at_most(cost, weights).count() == sum(total(s) <= cost for s in one)
    assert f.cost_at_least(cost, weights).count() == sum(total(s) >= cost for s in one)


@settings(max_examples=30, deadline=None)
@given(sets, st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_probabilities_are_sums_over_the_sets(one, works):
    f = td.Diagram(one, elements=ELEMENTS)
    expected = brute.probability(one, ELEMENTS, dict(zip(ELEMENTS, works)))
    assert f.probability(works) == pytest.approx(expected)
    assert f.probability(dict(zip(ELEMENTS, works))) == pytest.approx(expected)


fractions = st.fractions(0, 1, max_denominator=6)


@settings(max_examples=30, deadline=None)
@given(sets, st.lists(fractions, min_size=6, max_size=6))
def test_importance_is_the_mean_change_of_its_definition(one, works):
    f, p = td.Diagram(one, elements=ELEMENTS), dict(zip(ELEMENTS, works))
    chance = lambda e, s: math.prod(p[o] if o in s else 1 - p[o] for o in ELEMENTS if o != e)
    expected = brute.mean_changes(one, ELEMENTS, chance)
    assert f.birnbaum(works) == f.birnbaum(p) == expected
    floats = f.birnbaum([float(w) for w in works])
    assert floats == pytest.approx({e: float(of) for e, of in expected.items()}, abs=1e-12)
    assert all(type(of) is float for of in floats.values())
    assert f.banzhaf() == brute.mean_changes(one, ELEMENTS, lambda e, s: Fraction(1, 32))
    orders = lambda e, s: Fraction(math.factorial(len(s)) * math.factorial(5 - len(s)), math.factorial(6))
    assert f.shapley() == brute.mean_changes(one, ELEMENTS, orders)
    assert sum(f.shapley().values()) == (frozenset(ELEMENTS) in one) - (frozenset() in one)


@settings(max_examples=30, deadline=None)
@given(sets, st.lists(fractions, min_size=6, max_size=6), st.booleans())
def test_marginals_are_shares_of_the_sets(one, numbers, are_probabilities):
    f = td.Diagram(one, elements=ELEMENTS)
    if not one:
        with pytest.raises(td.InputError, match="there are no solutions"):
            f.marginals()
        return
    assert f.marginals() == {e: Fraction(uses, len(one)) for e, uses in f.element_counts().items()}
    pairs = {e: (1 - number if are_probabilities else 1, number) for e, number in zip(ELEMENTS, numbers)}
    call = lambda numbers: f.marginals(p=numbers) if are_probabilities else f.marginals(numbers)
    if not any(math.prod(pairs[e][e in s] for e in ELEMENTS) for s in one):
        for given in (numbers, [float(number) for number in numbers]):
            with pytest.raises(td.InputError, match="every solution has weight 0"):
                call(given)
        return
    expected = brute.shares(one, ELEMENTS, pairs)
    assert call(numbers) == expected
    assert call([float(number) for number in numbers]) == pytest.approx({e: float(of) for e, of in expected.items()})


def test_the_kind_of_a_measure_is_that_of_the_numbers_given():
    d = td.Diagram([{"a"}, {"b"}, {"a", "b"}])
    kinds = lambda measures: {type(of) for of in measures.values()}
    for exact in (1, [0, 1], Fraction(1, 3), Decimal("0.1"), np.int64(1)):
        assert kinds(d.marginals(exact)) == kinds(d.birnbaum(exact)) == {Fraction}
    for rounded in (0.5, [1, 0.5], np.float64(0.25), [Fraction(1, 3), 0.5]):
        assert kinds(d.marginals(rounded)) == kinds(d.birnbaum(rounded)) == {float}
    assert d.birnbaum(Fraction(1, 3)) == {"a": Fraction(2, 3), "b": Fraction(2, 3)}
    assert td.Diagram([{"a"}, set()], elements="ab").banzhaf() == {"a": 0, "b": -1}
    assert td.Diagram([], elements="ab").banzhaf() == td.Diagram([], elements="ab").shapley() == {"a": 0, "b": 0}
    assert td.Diagram([set()]).shapley() == td.Diagram([set()]).marginals() == {}


@settings(max_examples=30, deadline=None)
@given(sets)
def test_the_nodes_for_networkx_are_those_of_the_diagram(one):
    f = td.Diagram(one, elements=ELEMENTS)
    graph = f.to_networkx()
    assert graph.number_of_nodes() == f.node_count + 2 and graph.number_of_edges() == 2 * f.node_count

    def below(node):
        if node < 2:
            return {frozenset()} if node else set()
        element = graph.nodes[node]["element"]
        low, high = (target for _, target, _ in sorted(graph.edges(node, data="value"), key=lambda edge: edge[2]))
        return below(low) | {s | {element} for s in below(high)}

    assert below(graph.graph["root"]) == one


def test_the_edges_of_a_node_have_a_colour_each():
    d = td.Graph.cycle(4).colourings(3).build()
    graph = d.to_networkx()
    assert sorted(value for *_, value in graph.edges(graph.graph["root"], data="value")) == [0, 1, 2]
    paths = sum(1 for _ in nx.all_simple_edge_paths(graph, graph.graph["root"], 1))
    assert paths == d.count() == 18
    with pytest.raises(td.MemoryLimitError):
        d.to_networkx(memory="1kB")


def test_arrays_have_a_row_for_each_solution():
    g = td.Graph(nx.cycle_graph(5))
    d = g.matchings().build()
    array = d.to_numpy()
    assert array.dtype == bool and array.shape == (11, 5)
    assert [{e for e, taken in zip(d.elements, row) if taken} for row in array] == [set(s) for s in d]
    assert (d[:].to_numpy() == array).all() and (d[2].to_numpy() == array[2]).all()
    frame = d.to_dataframe()
    assert list(frame.columns) == list(g.edges) and frame.sum().sum() == array.sum()
    polars = pytest.importorskip("polars")
    assert isinstance(d[1:4].to_dataframe("polars"), polars.DataFrame)
    colours = g.colourings(3).build()
    assert colours.to_numpy().shape == (30, 5) and colours.to_numpy().max() == 2


def test_samples_are_uniform_and_repeatable():
    d = td.Graph.cycle(6).matchings().build()
    sample = d.sample(9000, seed=7)
    assert sample == d.sample(9000, seed=7) and sample != d.sample(9000, seed=8)
    assert d.sample(seed=3) == d.sample(seed=3)
    counts = np.unique(sample.to_numpy(), axis=0, return_counts=True)[1]
    assert len(counts) == len(d) == 18 and counts.min() > 380 and counts.max() < 620
    assert list(sample[:3]) == [sample[0], sample[1], sample[2]] and sample[-1] == list(sample)[-1]
    with pytest.raises(td.InputError):
        (d - d).sample()


def test_large_numbers_are_exact():
    d = td.Graph.grid(9, 9).spanning_trees().build()
    count = d.count()
    assert count > 2**64 and d.rank(d[count - 1]) == count - 1 and d[count // 2 : count // 2 + 3][1] == d[count // 2 + 1]
    assert d[-1] == d[count - 1] and [d.rank(s) for s in d[:: count // 3]] == [0, count // 3, count // 3 * 2, count // 3 * 3][: len(d[:: count // 3])]
    with pytest.raises(OverflowError, match="count"):
        len(d)
    with pytest.raises(td.Error):
        d[:]
    with pytest.raises(td.Error):
        d.to_numpy()


def test_diagrams_are_pickled_and_copied():
    g = td.Graph(nx.grid_2d_graph(3, 3), p=0.5)
    for family in (g.paths((2, 2), (0, 0)), g.independent_sets(), g.colourings(3), td.queens(5), td.knights(3, 4, closed=False)):
        d = family.build()
        again = pickle.loads(pickle.dumps(d))
        assert again == d and hash(again) == hash(d) and list(again[:9]) == list(d[:9])
        assert pickle.loads(pickle.dumps(d[0])) == d[0] and copy.copy(d) == d
        assert pickle.loads(pickle.dumps(d[:5])) == d[:5]
    d = g.paths((2, 2), (0, 0)).build()
    assert pickle.loads(pickle.dumps(d))[0].vertices == d[0].vertices
    assert pickle.loads(pickle.dumps(g)) == g and hash(pickle.loads(pickle.dumps(g))) == hash(g)


@pytest.mark.parametrize("vertices", ["abcd", range(4), [(0, 1), (0, 2), "x", 2.5]])
def test_saved_diagrams_are_loaded_with_their_graph(tmp_path, vertices):
    a, b, c, d = vertices
    g = td.Graph([(a, b, 1), (b, c, 2.5), (c, d, 3), (d, a, 4), (a, c, 5)])
    path = tmp_path / "saved.tdd"
    for family in (g.spanning_trees(), g.independent_sets(), g.colourings(3), g.paths(d, b)):
        built = family.build()
        built.save(path)
        loaded = td.Diagram.load(path)
        assert loaded == built and loaded[0] == built[0] and loaded.graph == g
    assert loaded[0].vertices == built[0].vertices and loaded.best(1) == built.best(1)
    sets = td.Diagram([{"x"}, {"y", 1}])
    sets.save(path)
    assert td.Diagram.load(path) == sets


def test_a_file_keeps_its_unit_with_a_graph_of_the_user(tmp_path):
    edges = [("a", "b"), ("b", "c"), ("c", "a")]
    g, weighted = td.Graph(edges), td.Graph(edges, weight=[1, 2, 4], population=[3, 5, 7])
    path = tmp_path / "saved.tdd"
    for family in (g.independent_sets(), g.paths("a", "b"), g.colourings(3), g.edge_sets()):
        built = family.build()
        built.save(path)
        loaded = td.Diagram.load(path, graph=weighted)
        assert loaded == built and list(loaded) == list(built) and loaded.graph.weights == weighted.weights
        for wrong in (td.Graph(edges[:2]), td.Graph(edges, directed=True), td.Graph(edges[::-1])):
            with pytest.raises(td.FileError, match="not the graph"):
                td.Diagram.load(path, graph=wrong)
        with pytest.raises(td.FileError, match="elements"):
            td.Diagram.load(path, elements=edges)
    g.paths("c", "a").build().save(path)
    assert [p.vertices for p in td.Diagram.load(path, graph=weighted)] == [p.vertices for p in g.paths("c", "a").build()]
    g.independent_sets().build().save(path)
    assert td.Diagram.load(path, graph=weighted).best(1, max=True) == [(7, {"c"})]
    for other in (td.queens(4).build(), td.Diagram([{"a"}])):
        other.save(path)
        with pytest.raises(td.FileError, match="graph"):
            td.Diagram.load(path, graph=g)


def test_files_without_objects_of_python_have_their_weights(tmp_path, monkeypatch):
    import topdd._files as files
    import topdd._numbers as numbers

    path = tmp_path / "saved.tdd"
    weights = [Fraction(1, 3), 0.5, 1e-5, 12]
    g = td.Graph([(1, "1"), ("1", 2), (2, 3), (3, 1)], weight=weights, pos={1: (0, 0), "1": (0, 0.1), 2: (1, 1), 3: (2.5, 0)})
    d = g.spanning_trees().build()
    d.save(path)
    assert td.Diagram.load(path).best(2) == d.best(2)
    # As the command saves them.
    monkeypatch.setattr(files, "encoded", lambda state: "null")
    d.save(path)
    loaded = td.Diagram.load(path)
    assert loaded.graph.vertices == ("1", "'1'", "2", "3") and list(loaded.graph.pos.values()) == list(g.pos.values())
    assert loaded.graph.weights["3", "1"] == 12 and loaded.graph.weights["'1'", "2"] == 0.5
    assert loaded.best(1)[0][0] == pytest.approx(float(d.best(1)[0][0]))
    assert td.Diagram.load(path, graph=g).best(1) == d.best(1)
    monkeypatch.setattr(numbers, "decimals", lambda values: None)
    d.save(path)
    loaded = td.Diagram.load(path)
    assert loaded == td.Diagram.load(path)
    for call in (lambda: loaded.graph.weights, loaded.graph.to_networkx, lambda: loaded.best(1), lambda: loaded[0].weight, lambda: pickle.loads(pickle.dumps(loaded)).best(1)):
        with pytest.raises(td.InputError, match="the file has no weights, as some weights of the graph cannot be used; give weights"):
            call()
    polars = pytest.importorskip("polars")
    frame = td.Diagram([{1}, {"1"}]).to_dataframe("polars")
    assert isinstance(frame, polars.DataFrame) and frame.columns == ["1", "'1'"]


# The paths from c to a, with the edges a-b of weight 2.5, b-c of 1 and a-c of 4.
OF_THE_COMMAND = (
    "iXRvcGRkDQoBAAEABAMCAQAAAAAEAAAA+AEAAAAAAAADAAAAAAAAAAEAAAAAAAAAAwAAAAAAAAACAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAABAAAAAAAAAKWv"
    "xI4ysoKvAgAAAAIAAAABAAAAAAAAAAEAAAABAAAAAQAAAAAAAAABAAAAAQAAAAAAAAABAAAAAAAAAAEAAAAAAAAAAgAAAAMAAAABAAAAAAAAAAAAAAChJhxg"
    "K6eWQwIAAAAMAAAA/wAAAHRvcGRkLXJlY29yZHsic3ViamVjdCI6eyJwcm9ibGVtIjoiZ3JhcGgiLCJmYW1pbHkiOnsibmFtZSI6InBhdGhzIiwiZnJvbSI6"
    "MiwidG8iOjAsImhhbWlsdG9uaWFuIjpmYWxzZX0sImNvbmRpdGlvbnMiOltdfSwiZ3JhcGgiOnsidW5pdCI6ImVkZ2UiLCJkaXJlY3RlZCI6ZmFsc2UsInZl"
    "cnRpY2VzIjpbImEiLCJiIiwiYyJdLCJlZGdlcyI6W1swLDFdLFsxLDJdLFswLDJdXX0sIm9yZGVyIjpbMiwxLDBdLCJ3ZWlnaHRzIjp7ImdpdmVuIjpbIjQi"
    "LCIxIiwiMi41Il19fQkAAAATAAAAdmFyaWFibGVzWyJhLWMiLCJiLWMiLCJhLWIiXQAHrW2e"
)
OF_ANOTHER_VERSION = (
    "iXRvcGRkDQoBAAEABAMCAQAAAAAEAAAA/AEAAAAAAAADAAAAAAAAAAEAAAAAAAAAAwAAAAAAAAACAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAABAAAAAAAAAKWv"
    "xI771AXgAgAAAAIAAAABAAAAAAAAAAEAAAABAAAAAQAAAAAAAAABAAAAAQAAAAAAAAABAAAAAAAAAAEAAAAAAAAAAgAAAAMAAAABAAAAAAAAAAAAAAChJhxg"
    "K6eWQwYAAAAHAAAANAAAAHByb2JsZW1wYXRocyBvZiBnLnR4dCwgMyB2ZXJ0aWNlcyBhbmQgMyBlZGdlcywgZnJvbSBjLCB0byBhDQAAACEAAAB0b3BkZC1j"
    "b21tYW5kZ3JhcGggcGF0aHMgZy50eHQgLS1mcm9tIGMgLS10byBhCwAAAFUAAAB0b3BkZC1ncmFwaHsiZGlyZWN0ZWQiOmZhbHNlLCJlZGdlcyI6W1swLDFd"
    "LFsxLDJdLFswLDJdXSwidW5pdCI6ImVkZ2UiLCJ2ZXJ0aWNlcyI6WyJhIiwiYiIsImMiXX0LAAAABQAAAHRvcGRkLW9yZGVyMiAxIDANAAAABwAAAHRvcGRk"
    "LXdlaWdodHM0IDEgMi41CQAAABMAAAB2YXJpYWJsZXNbImEtYyIsImItYyIsImEtYiJdAAAAj7jbDA=="
)


def test_files_of_the_command_have_their_family_and_weights(tmp_path):
    path = tmp_path / "paths.tdd"
    path.write_bytes(base64.b64decode(OF_THE_COMMAND))
    d = td.Diagram.load(path)
    assert d.graph.weights == {("a", "b"): 2.5, ("b", "c"): 1, ("a", "c"): 4}
    # In the direction of the family.
    assert [(weight, path.vertices) for weight, path in d.best(2)] == [(3.5, ["c", "b", "a"]), (4, ["c", "a"])]
    assert d == td.Graph([("a", "b"), ("b", "c"), ("a", "c")]).paths("c", "a").build()


def test_a_file_of_another_version_is_read_with_a_warning(tmp_path):
    path = tmp_path / "old.tdd"
    path.write_bytes(base64.b64decode(OF_ANOTHER_VERSION))
    with pytest.warns(td.InputWarning, match="old.tdd: the record of its problem is of another version"):
        d = td.Diagram.load(path)
    assert d.count() == 2 and d.graph is None and set(d.elements) == {"a-b", "b-c", "a-c"}


@pytest.mark.parametrize("element", [10**30, -(2**63), 2**63, 0.1, 1e-7 / 3, float("inf"), True, None, "é", (1, (2.5, "x")), Fraction(1, 3)])
def test_objects_come_back_from_files_as_they_were(tmp_path, element):
    sets = td.Diagram([{element}, {"other"}])
    sets.save(tmp_path / "sets.tdd")
    (loaded,) = (object for object in td.Diagram.load(tmp_path / "sets.tdd").elements if object != "other")
    assert loaded == element and type(loaded) is type(element)


def test_diagrams_with_the_same_sets_are_equal():
    small, large = td.Diagram([{1}, {2}]), td.Diagram([{1}, {2}], elements=[3, 2, 1])
    assert small == large and hash(small) == hash(large)
    assert (~small).count() == 2 and (~large).count() == 6 and large.to_numpy().shape == (2, 3)


def test_combinations_of_graphs_with_other_weights_need_weights():
    edges = [("a", "b"), ("b", "c"), ("c", "a")]
    one, two = (td.Graph(edges, weight=weight, population=[1, 2, 3], p=0.5) for weight in ([1, 2, 4], [4, 2, 1]))
    same = td.Graph(edges, weight=[1.0, 2, 4], population=[1, 2, 3], p=0.5)
    assert one == two and hash(one) == hash(two)
    trees = one.spanning_trees()
    for other in (two.matchings(), two.matchings().build(), td.Graph(edges, p=0.5).matchings()):
        for mixed in (trees | other, trees.build() | other, other | trees.build()):
            mixed = mixed if isinstance(mixed, td.Diagram) else mixed.build()
            with pytest.raises(td.InputError, match="differ in weight"):
                mixed.best(1)
            with pytest.raises(td.InputError, match="differ in weight"):
                (mixed & trees.build()).cost_at_most(3)
            assert mixed.best(1, [1, 2, 4])[0][0] == 0 and mixed.probability() > 0
    assert (one.independent_sets().build() & two.cliques()).best(1, max=True)[0][0] == 3
    assert (trees.build() - same.matchings()).best(1)[0][0] == 3 == (trees & same.forests()).build().best(1)[0][0]


def test_positions_beyond_all_solutions_are_index_errors():
    d = td.queens(4).build()
    for make in (lambda: d[10**40], lambda: d[:][10**40], lambda: d[:][-(10**40)], lambda: d[:][2]):
        with pytest.raises(td.RankError):
            make()
    for make in (lambda: d["a"], lambda: d[:]["a"]):
        with pytest.raises(TypeError):
            make()


def test_diagrams_and_families_of_a_graph_combine():
    g = td.Graph(nx.cycle_graph(6))
    forests, matchings = g.forests().build(), g.matchings()
    assert forests & matchings == matchings & forests == matchings.build() == forests.intersection(matchings)
    assert (forests | matchings) == forests and (forests - matchings).isdisjoint(matchings)
    assert (forests ^ matchings) == forests - matchings == matchings ^ forests
    assert (g.forests() - matchings.build()) == forests - matchings
    assert matchings.build() <= forests and not forests <= matchings.build()
    with pytest.raises(td.InputError):
        forests | td.Graph.cycle(5).forests().build()
    with pytest.raises(td.InputError):
        forests | g.independent_sets().build()
    with pytest.raises(TypeError):
        forests | 3
    assert forests != td.Graph.cycle(5).forests().build() and forests != 3


def test_lists_of_sets_of_edges_combine_with_families_of_the_graph():
    g = td.Graph(nx.cycle_graph(4), weight=[1, 2, 4, 8])
    d = td.Diagram([[(1, 0)], [(1, 2), (2, 3)], [(0, 1), (3, 2)]], graph=g)
    assert d.graph == g and d.edge_counts() == {(0, 1): 2, (0, 3): 0, (1, 2): 1, (2, 3): 2}
    assert plain(d & g.paths()) == {frozenset([(0, 1)]), frozenset([(1, 2), (2, 3)])} and d.best(1)[0][0] == 1
    assert td.Diagram(g.forests().build(), graph=g) == g.forests().build()
    for wrong in (lambda: td.Diagram([[(0, 2)]], graph=g), lambda: td.Diagram([[0]], graph=g), lambda: td.Diagram([], elements=[], graph=g)):
        with pytest.raises(td.InputError):
            wrong()
    with pytest.raises(TypeError):
        td.Diagram([], graph=3)


def test_solutions_are_sets_of_the_objects_of_the_user():
    g = td.Graph([("a", "b"), ("b", "c"), ("c", "d")])
    path = g.paths("d", "a").build()[0]
    assert path.vertices == ["d", "c", "b", "a"] and path.edges == [("a", "b"), ("b", "c"), ("c", "d")]
    assert path == frozenset(path) and hash(path) == hash(frozenset(path)) and ("b", "a") in path and 7 not in path
    assert path.weight == 3 and path.labels() == dict.fromkeys("abcd", 0)
    assert list(path.to_networkx().edges) == path.edges
    members = g.independent_sets().exactly(2).build()
    assert {frozenset(m.vertices) for m in members} == {frozenset("ac"), frozenset("ad"), frozenset("bd")}
    colouring = g.colourings(2).build()[0]
    assert dict(colouring) == colouring.labels() and colouring == dict(colouring) and len(colouring) == 4
    assert dict(colouring) in g.colourings(2).build()
    with pytest.raises(td.InputError):
        members[0].edges


def test_a_load_of_graphillion_has_the_same_sets(tmp_path):
    graphillion = pytest.importorskip("graphillion")
    graph = nx.grid_2d_graph(3, 3)
    graphillion.GraphSet.set_universe([e for e in graph.edges])
    paths = graphillion.GraphSet.paths((0, 0), (2, 2))
    path = tmp_path / "dump"
    with open(path, "w") as file:
        paths.dump(file)
    universe = graphillion.GraphSet.universe()
    g = td.Graph(graph)
    loaded = td.Diagram.load(path, graph=g, elements=universe)
    assert loaded == g.paths((0, 0), (2, 2)).build() and len(loaded) == len(paths)
    assert len(td.Diagram.load(path, elements=universe)) == len(paths)
    with pytest.raises(td.FileError, match="universe"):
        td.Diagram.load(path)


def test_graphillion_agrees_on_families_and_algebra():
    graphillion = pytest.importorskip("graphillion")
    graph = nx.grid_2d_graph(3, 4)
    graphillion.GraphSet.set_universe(list(graph.edges))
    g, gs = td.Graph(graph), graphillion.GraphSet
    forests = gs.graphs(no_loop=True)
    pairs = [
        (g.forests(), forests),
        (g.cycles(), gs.cycles()),
        (g.spanning_trees(), gs.trees(is_spanning=True)),
        (g.matchings(), gs.matchings()),
        (g.perfect_matchings(), gs.perfect_matchings()),
        (g.cliques().exactly(2), gs([[e] for e in graph.edges])),
        (g.rooted_forests([(0, 0), (2, 3)]), gs.forests(roots=[(0, 0), (2, 3)], is_spanning=True)),
    ]
    for ours, theirs in pairs:
        assert ours.count() == theirs.len()
    ours, theirs = g.forests().build(), forests
    paths, their_paths = g.paths((0, 0), (2, 3)).build(), gs.paths((0, 0), (2, 3))
    assert (ours & paths).count() == (theirs & their_paths).len()
    assert ours.supersets_of(paths).count() == theirs.supergraphs(their_paths).len()
    assert (ours - ours.supersets_of(paths)).count() == theirs.non_supergraphs(their_paths).len()
    assert (ours - ours.subsets_of(paths)).count() == theirs.non_subgraphs(their_paths).len()
    assert ours.exactly(4).count() == theirs.len(4).len() == theirs.graph_size(4).len() == ours.count_by_size()[4]
    assert ours.maximal().count() == theirs.maximal().len()
    assert paths.hitting_sets().count() == their_paths.blocking().minimal().len()
    assert g.edge_sets().build().supersets_of(paths.hitting_sets()).count() == their_paths.blocking().len()
    weights = {edge: 1 + n * n % 7 for n, edge in enumerate(graph.edges)}
    assert paths.cost_at_most(20, weights).cost_at_least(20, weights).count() == their_paths.cost_eq(weights, 20).len()
    for theirs, largest in ((their_paths.min_iter(weights), False), (their_paths.max_iter(weights), True)):
        sums = [sum(weights[edge] for edge in path) for path in theirs]
        assert [weight for weight, _ in paths.best(weights=weights, max=largest)] == sums


def test_pictures_are_svg_and_reports_html():
    g = td.Graph(nx.petersen_graph(), pos={v: (v, v * v % 7) for v in range(10)})
    for d in (g.cycles().build(), g.independent_sets().build(), g.colourings(3).build(), td.queens(5).build(),
              td.knights(5, 6).build(), td.pieces("rook", 3).build()):
        assert d[0]._repr_svg_().startswith("<svg") and d[:5]._repr_svg_().startswith("<svg")
        assert d[0].picture().svg == d[0]._repr_svg_() and d[:5].picture().svg == d[:5]._repr_svg_()
        if d.graph is None or d.elements != g.vertices or d[0] != dict(d[0].labels()):
            assert d.heat_map().svg.startswith("<svg")
    assert g._repr_svg_().startswith("<svg") and "<pre>" in g.cycles().build().report._repr_html_()
    assert td.Diagram([{1}, {2}])._repr_svg_().startswith("<svg") and td.Diagram([{1}])[0]._repr_svg_() is None
    assert td.Graph.grid(60, 60)._repr_svg_() is None


def test_solutions_are_combined_and_compared_as_sets():
    graph = td.Graph([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")])
    first, second = graph.paths("a", "d").build()
    for left, right in ((first, second), (first, frozenset(second)), (set(first), second)):
        assert left & right == {("c", "d")}
        assert left | right == frozenset(first) | frozenset(second)
        assert left - right == frozenset(first) - frozenset(second)
        assert left ^ right == frozenset(first) ^ frozenset(second)
        assert not left <= right and not left < right and not left >= right and not left > right
        assert isinstance(left & right, (frozenset, set))
    # Edges are written in both directions; other elements are no members.
    assert first & {("d", "c"), "x"} == {("c", "d")}
    assert first | {("d", "c")} == frozenset(first) and {("d", "c")} - first == frozenset()
    assert {("d", "c")} < first and first >= first and not first > first and first <= set(first)
    trees = graph.spanning_trees().build()
    assert any(first < tree for tree in trees)
    colouring = td.Graph.path(2).colourings(2).build()[0]
    assert colouring & {(0, 0), (1, 0)} == {(0, 0)} and len(colouring ^ {(0, 0)}) == 1
    for wrong in ([("c", "d")], 3, None):
        with pytest.raises(TypeError):
            first & wrong
        with pytest.raises(TypeError):
            first <= wrong
