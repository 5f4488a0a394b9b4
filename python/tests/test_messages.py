"""What a first user meets: names that are nearly right, arguments of a wrong kind, cancelled calls, pickles and types."""

import asyncio
import pickle
import re
import threading
import time

import networkx as nx
import pytest

import topdd as td

G = td.Graph(nx.grid_2d_graph(3, 3), weight=range(1, 13), p=0.9, vertex_p=0.5, pos={v: v for v in nx.grid_2d_graph(3, 3)})
D = G.forests().build()
ARROWS = td.Graph([("a", "b"), ("b", "c"), ("a", "c")], directed=True)


@pytest.mark.parametrize("call, advice", [
    (lambda: td.queens(8, given="a1"), r"give a list of squares, such as \[.a1.\], not 'a1'"),
    (lambda: td.queens(8, given=["z9"]), "square z9 is not on the 8x8 board"),
    (lambda: td.queens(8, forbid=["i1"]), "square i1 is not on the 8x8 board"),
    (lambda: td.queens(8, given=["a1", "a2"]), "a1"),
    (lambda: td.queens(8, given=[3]), 'the name of a square, such as "a1", not 3'),
    (lambda: td.pieces("king", 4, given=["z9"]), "square z9 is not on the 4x4 board"),
    (lambda: td.knights(5, start="a1"), "closed=False"),
    (lambda: td.knights(5, 6, end="a1"), "closed=False"),
    (lambda: td.knights(5, 5, closed=False, start="z9"), "square z9 is not on the 5x5 board"),
    (lambda: td.knights(5, closed=False, start=3), "give the name of a square, such as .a1., not 3"),
    (lambda: G.cuts(minimal=1), "give True or False, not 1"),
    (lambda: G.paths(hamiltonian="yes"), "give True or False, not .yes."),
    (lambda: G.forests().at_most(10**30), r"k=1000.*: give a whole number from 0 to 2\*\*64 - 1"),
    (lambda: D.exactly(10**30), r"k=1000.*: give a whole number from 0 to 2\*\*64 - 1"),
    (lambda: G.path("A", "E"), r"Graph\.path\(vertices\).*the paths of a graph are paths\(\.\.\)"),
    (lambda: G.path("A"), r"paths\(\.\.\)"),
    (lambda: G.cycle(), r"the cycles of a graph are cycles\(\.\.\)"),
    (lambda: G.forests().order(G.edges[1:]), r"the order has the edge \(\(0, 0\), \(1, 0\)\) nowhere; give each of the 12 edges once"),
    (lambda: G.forests().order([*G.edges, G.edges[2]]), "twice; give each of the 12 edges once"),
    (lambda: G.cliques().order(G.vertices[:-1]), r"the vertex \(2, 2\) nowhere"),
    (lambda: G.forests() & G.cliques(), "one of the families has sets of edges, and the other sets of vertices"),
    (lambda: D | G.cliques(), "sets of edges, and the other sets of vertices"),
    (lambda: D & G.cliques().build(), "one of the diagrams has sets of edges, and the other sets of vertices"),
    (lambda: G.colourings(2) & G.cliques(), "one of the families has colourings, and the other sets of vertices"),
    (lambda: D & ARROWS.paths("a", "c"), "different graphs"),
    (lambda: td.Graph.cycle(3).colourings(3).build().rank({0: 3, 1: 0, 2: 1}), "there is no colour 3 for 0"),
    (lambda: td.Graph.cycle(3).colourings(3).build().rank([0, 1, 2]), "0 is no pair of a vertex and a colour"),
    (lambda: D.union([{1}]), "is no diagram and no family"),
    (lambda: G.arborescences((0, 0)), "the graph is undirected.*directed=True"),
    (lambda: G.degrees(out=1), "the graph is undirected.*directed=True"),
    (lambda: G.degrees(into=1), "the graph is undirected.*directed=True"),
    (lambda: ARROWS.cliques(), r"the graph is directed.*to_undirected\(\)"),
    (lambda: ARROWS.colourings(2), r"the graph is directed.*to_undirected\(\)"),
    (lambda: G.steiner_trees([]), "at least one vertex"),
    (lambda: G.bicliques(0, 1), "."),
    (lambda: td.limits(cancel=3), "cancel=3: give a threading.Event"),
])
def test_a_wrong_argument_is_refused_where_it_is_given(call, advice):
    with pytest.raises((td.InputError, TypeError), match=advice) as error:
        call()
    assert "::" not in str(error.value)


@pytest.mark.parametrize("content", [b"", b"nothing of topdd at all", b"\x89TDD\r\n\x1a\n", b"{}", b"\0" * 200])
def test_a_bad_file_is_refused_in_words_of_python(content, tmp_path):
    path = tmp_path / "bad.tdd"
    path.write_bytes(content)
    with pytest.raises(td.FileError, match=re.escape(str(path))) as error:
        td.Diagram.load(path)
    assert "::" not in str(error.value)


@pytest.mark.parametrize("owner, name, meant", [
    (G.forests(), "atmost", "at_most"), (G, "colorings", "colourings"), (G.forests(), "graph_size", "exactly"), (D, "graph_size", "exactly"),
    (D, "rand_iter", "sample"), (D, "min_iter", "best"), (D, "smaller", "at_most"), (G, "spaning_trees", "spanning_trees"),
    (G, "regular_graphs", "regular_subgraphs"), (D, "edge_count", "edge_counts"),
])
def test_a_name_that_is_nearly_right_suggests_the_name(owner, name, meant):
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'; did you mean '{meant}'\?"):
        getattr(owner, name)
    assert not hasattr(owner, "zzz") and not hasattr(owner, "_repr_png_")
    with pytest.raises(AttributeError, match="no attribute 'zzz'$"):
        owner.zzz


def consumed(values):
    iterator = (value for value in values)
    list(iterator)
    return iterator


@pytest.mark.parametrize("call", [
    lambda it: td.Graph(it), lambda it: td.Graph([], vertices=it), lambda it: td.Diagram(it), lambda it: td.Diagram([], elements=it),
    lambda it: G.steiner_trees(it), lambda it: G.rooted_forests(it), lambda it: G.connected(it), lambda it: G.degrees(it),
    lambda it: G.subgraphs(vertex_groups=[it]), lambda it: G.subgraphs(num_edges=it), lambda it: G.forests().order(it), lambda it: it in D,
    lambda it: D.rank(it), lambda it: G.reliability(it), lambda it: D.supersets_of(it), lambda it: D.best(1, it),
])
def test_an_iterator_that_was_read_before_is_refused(call):
    with pytest.raises(td.InputError, match="left, as an iterator that was read before; give a list|0 values of weight were given"):
        call(consumed([(0, 1)]))


def test_an_iterator_that_is_rightly_empty_is_no_elements():
    for empty in (lambda: (value for value in ()), lambda: iter([]), lambda: filter(None, [0])):
        assert td.Diagram(empty()) == td.Diagram([]) and td.Diagram([{1}], elements=[1]).supersets_of(empty()).count() == 1
        assert td.Graph(empty()).edges == () == td.Graph(vertices=empty()).vertices and td.Diagram([], elements=empty()).count() == 0
        assert G.subgraphs(vertex_groups=[empty()]).count() == G.subgraphs(vertex_groups=[[]]).count()
        with pytest.raises(td.InputError, match="give each of the 12 edges once"):
            G.forests().order(empty())


def test_weights_of_an_iterator_are_kept_for_pickles():
    for family in (G.forests().cost_at_most(9, weights=(2 for _ in G.edges)), G.forests().cost_at_least(9, iter([2] * 12))):
        assert pickle.loads(pickle.dumps(family)).count() == family.count() > 0


def test_iterators_are_lists_of_their_elements():
    assert td.Graph(iter([(0, 1), (1, 2)])).edges == ((0, 1), (1, 2)) and td.Diagram(iter([{1}])).count() == 1
    for once, again in [(G.steiner_trees(iter([(0, 0), (2, 2)])), G.steiner_trees([(0, 0), (2, 2)])), (G.degrees(iter([0, 2])), G.degrees([0, 2])),
                        (G.subgraphs(vertex_groups=iter([iter([(0, 0)])])), G.subgraphs(vertex_groups=[[(0, 0)]]))]:
        assert once.count() == again.count() == pickle.loads(pickle.dumps(once)).count() and repr(once) == repr(again)


def test_numbers_of_a_graph_can_be_read():
    assert G.p == dict.fromkeys(G.edges, 0.9) and G.p[(0, 1), (0, 0)] == 0.9 and G.vertex_p == dict.fromkeys(G.vertices, 0.5)
    assert G.pos == {v: tuple(map(float, v)) for v in G.vertices}
    assert (ARROWS.p, ARROWS.vertex_p, ARROWS.pos) == (None, None, None)
    again = td.Graph(G.to_networkx(), p="p", pos="pos")
    assert (again.p, again.pos, again.weights) == (G.p, G.pos, G.weights)


FAMILIES = {
    "plain": lambda: G.spanning_trees(),
    "arguments": lambda: G.paths((0, 0), target=(2, 2), hamiltonian=True),
    "flags": lambda: G.cuts((0, 0), (2, 2), minimal=True) | G.cycles(hamiltonian=True),
    "bounds": lambda: G.forests().at_most(5).at_least(2).including(G.edges[0]).excluding(G.edges[5], G.edges[6]).through((1, 1)).avoid((2, 2)),
    "costs": lambda: G.forests().cost_at_most(30.5).cost_at_least(3, {edge: 2 for edge in G.edges}),
    "mappings": lambda: G.degrees({(0, 0): [1, 2], (1, 1): 4}) & G.b_matchings({v: 4 for v in G.vertices}) & G.degree_distribution({n: (0, 9) for n in range(5)}),
    "operators": lambda: ~(G.forests() - G.matchings()) ^ G.connected([(0, 0), (1, 1)]),
    "order": lambda: (G.forests() & G.edge_sets().exactly(4)).order(G.edges[::-1]),
    "named order": lambda: G.factors(2).order("bfs"),
    "vertices": lambda: G.independent_sets(distance=3) | G.dominating_sets().exactly(3),
    "colourings": lambda: G.colourings(3).including(((0, 0), 1)).excluding(((1, 1), 2)),
    "partitions": lambda: td.Graph(G.to_networkx(), population=[1] * 9).partitions(3, population=(2, None)),
    "directed": lambda: ARROWS.arborescences("a") | ARROWS.paths("a", "c"),
    "out": lambda: ARROWS.degrees(out=1, into={"b": [0, 1]}),
    "subgraphs": lambda: G.subgraphs(vertex_groups=[[(0, 0), (1, 1)], [(2, 2)]], degrees=range(4), num_edges=range(3, 6), no_cycle=True),
    "queens": lambda: td.queens(6, given=["b1"], forbid=["a3"]) - td.queens(6, toroidal=True),
    "pieces": lambda: td.pieces("king", 3, 4, maximal=True, exactly=2),
    "knights": lambda: td.knights(3, 4, closed=False, start="a1"),
    "shared": lambda: shared(),
}


def shared():
    family = G.forests()
    for _ in range(7):
        family = (family | G.matchings()) & (family ^ G.cycles())
    return family


@pytest.mark.parametrize("name", FAMILIES)
def test_families_are_pickled(name):
    family = FAMILIES[name]()
    content = pickle.dumps(family)
    again = pickle.loads(content)
    assert repr(again) == repr(family) and len(content) < 20000
    assert again.count() == family.count()
    if name != "shared":
        assert again.build() == family.build() and again.build().order == family.build().order


def test_a_pickled_family_is_what_it_was_made_of():
    pandas = pytest.importorskip("pandas")
    degrees, bounds, weights = {(0, 0): [1]}, {v: 1 for v in G.vertices}, pandas.Series(dict.fromkeys(G.edges, 1))
    groups = [[(0, 0)], [(1, 1)]]
    families = [G.degrees(degrees), G.b_matchings(bounds), G.forests().cost_at_most(3, weights), G.subgraphs(vertex_groups=groups)]
    counts = [family.count() for family in families]
    degrees[0, 0].append(2), bounds.update({(0, 0): 0}), groups[1].clear()
    weights.iloc[0] = 100
    assert [pickle.loads(pickle.dumps(family)).count() for family in families] == counts


def test_long_chains_are_pickled():
    family = G.forests()
    for edge in list(G.edges) * 300:
        family = family.excluding(edge)
    assert pickle.loads(pickle.dumps(family)).count() == 1


HARD = td.Graph.grid(16, 16).paths(0, 255)


def test_an_event_cancels_calls_of_other_threads():
    event, failures = threading.Event(), []

    def work(call):
        try:
            call()
        except td.CancelledError as error:
            failures.append(str(error))

    def in_block():
        with td.limits(cancel=event):
            HARD.build()

    threads = [threading.Thread(target=work, args=(call,)) for call in (lambda: HARD.count(cancel=event), in_block)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    assert all(thread.is_alive() for thread in threads)
    event.set()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == ["the call was cancelled"] * 2
    with pytest.raises(td.CancelledError):
        HARD.count(cancel=event)
    assert issubclass(td.CancelledError, RuntimeError) and td.Graph.grid(3, 3).paths(0, 8).count() == 12


def test_a_task_of_asyncio_cancels_a_call():
    async def main():
        event = threading.Event()
        work = asyncio.create_task(asyncio.to_thread(HARD.count, cancel=event))
        await asyncio.sleep(0.2)
        event.set()
        with pytest.raises(td.CancelledError):
            await work

    asyncio.run(main())


def test_an_event_that_fails_is_raised():
    class Broken:
        def is_set(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        G.forests().count(cancel=Broken())
