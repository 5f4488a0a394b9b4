"""Reliability, boards, generated graphs, counts and tables against their definitions."""

from itertools import combinations, product

import brute
import networkx as nx
import numpy as np
import pytest

import topdd as td


def chance(taken, works):
    return np.prod([works[part] if part in taken else 1 - works[part] for part in works])


@pytest.mark.parametrize("seed", range(4))
def test_reliability_is_a_sum_over_the_parts_that_work(seed):
    graph = nx.gnm_random_graph(5, 7, seed=seed)
    graph.add_edges_from([(0, 1), (1, 4)])
    dice = np.random.default_rng(seed)
    p = {edge: float(dice.random()) for edge in graph.edges}
    vertex_p = {vertex: float(dice.random()) for vertex in graph}

    def expected(terminals, fails):
        total = 0.0
        for vertices in brute.subsets(graph) if fails else [frozenset(graph)]:
            for edges in brute.subsets(graph.edges):
                sub = brute.spanned(graph, edges).subgraph(vertices)
                if terminals <= vertices and any(terminals <= part for part in nx.connected_components(sub)):
                    total += chance(edges, p) * (chance(vertices, vertex_p) if fails else 1)
        return pytest.approx(total)

    g = td.Graph(graph, p=p)
    assert g.reliability() == expected(set(graph), False)
    for terminals in ([0, 4], [0, 1, 2]):
        assert g.reliability(terminals) == expected(set(terminals), False)
        assert g.reliability(terminals, vertex_p=vertex_p) == expected(set(terminals), True)
    assert g.reliability(source=0, target=4) == g.reliability([0, 4]) == pytest.approx(g.connected([0, 4]).build().probability())
    directed = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2), (2, 3), (1, 3), (3, 1)])
    works = {edge: 0.1 * (1 + number) for number, edge in enumerate(directed.edges)}
    total = sum(chance(e, works) for e in brute.subsets(directed.edges) if nx.has_path(brute.spanned(directed, e), 0, 3))
    assert td.Graph(directed, p=works).reliability(source=0, target=3) == pytest.approx(total)


@pytest.mark.parametrize("seed", range(6))
def test_marginals_of_spanning_trees_are_weights_times_effective_resistances(seed):
    graph = nx.gnm_random_graph(7, 12, seed=seed)
    graph.add_edges_from(zip(range(6), range(1, 7)))
    dice = np.random.default_rng(seed)
    for a, b in graph.edges:
        graph.edges[a, b]["weight"] = float(dice.uniform(0.1, 4))
    marginals = td.Graph(graph).spanning_trees().build().marginals("weight")
    # Weights are conductances; the resistance by the pseudo-inverse of the Laplace matrix.
    inverse = np.linalg.pinv(nx.laplacian_matrix(graph, sorted(graph)).toarray())
    for a, b in graph.edges:
        resistance = inverse[a, a] + inverse[b, b] - 2 * inverse[a, b]
        assert marginals[a, b] == pytest.approx(graph.edges[a, b]["weight"] * resistance)
    assert sum(marginals.values()) == pytest.approx(6)


@pytest.mark.parametrize("seed", range(3))
def test_importance_is_the_difference_of_two_reliabilities(seed):
    graph = nx.gnm_random_graph(6, 9, seed=seed)
    g = td.Graph(graph, p=[0.9, 0.3, 0.0, 1.0, 0.5, 0.7, 0.2, 0.99, 0.6])
    importance = g.connected([0, 5]).build().birnbaum()
    for edge in g.edges:
        with_edge, without = (g.reliability([0, 5], p={**g.p, edge: works}) for works in (1, 0))
        assert importance[edge] == pytest.approx(with_edge - without)


def name(row, col):
    return f"{'abcdefgh'[col]}{row + 1}"


def attacks(piece, one, two):
    across, down = abs(one[0] - two[0]), abs(one[1] - two[1])
    return {
        "rook": across * down == 0,
        "bishop": across == down,
        "queen": across * down == 0 or across == down,
        "king": max(across, down) == 1,
        "knight": {across, down} == {1, 2},
    }[piece]


@pytest.mark.parametrize("piece", ["rook", "bishop", "queen", "king", "knight"])
def test_placements_of_pieces_are_the_independent_ones(piece):
    squares = list(product(range(3), range(4)))
    free = [
        chosen
        for chosen in brute.subsets(squares)
        if not any(attacks(piece, one, two) for one, two in combinations(chosen, 2))
    ]
    named = lambda sets: {frozenset(name(*square) for square in chosen) for chosen in sets}
    assert {frozenset(s) for s in td.pieces(piece, 3, 4).build()} == named(free)
    assert {frozenset(s) for s in td.pieces(piece, 3, 4, exactly=2).build()} == named(s for s in free if len(s) == 2)
    assert {frozenset(s) for s in td.pieces(piece, 3, 4, maximal=True).build()} == named(brute.maximal(free))
    given = td.pieces(piece, 3, 4, given=["a1"], forbid=["b3"]).build()
    assert {frozenset(s) for s in given} == {s for s in named(free) if "a1" in s and "b3" not in s}


@pytest.mark.parametrize("rows, cols, toroidal, superqueens", [
    (4, 4, False, False), (5, 5, False, False), (3, 5, False, False), (6, 4, False, False),
    (5, 5, True, False), (6, 6, True, False), (6, 6, False, True), (5, 7, False, True),
])
def test_queens_stand_one_in_each_row(rows, cols, toroidal, superqueens):
    def meet(one, two):
        distances = [one[0] - two[0], one[1] - two[1]]
        if toroidal and ((distances[0] - distances[1]) % rows == 0 or (distances[0] + distances[1]) % rows == 0):
            return True
        return attacks("queen", one, two) or superqueens and attacks("knight", one, two)

    expected = set()

    def place(columns):
        row = len(columns)
        if row == rows:
            expected.add(frozenset(name(*square) for square in enumerate(columns)))
            return
        for col in range(cols):
            if not any(meet((row, col), square) for square in enumerate(columns)):
                place([*columns, col])

    place([])
    family = td.queens(rows, cols, toroidal=toroidal, superqueens=superqueens)
    assert {frozenset(s) for s in family.build()} == expected and family.count() == len(expected)


def tours(squares, start=None, closed=False):
    """The tours of a knight as sets of moves."""
    found = set()

    def walk(path):
        if len(path) == len(squares):
            ends = [(path[-1], path[0])] if closed and attacks("knight", path[-1], path[0]) else []
            if ends or not closed:
                moves = [*zip(path, path[1:]), *ends]
                found.add(frozenset(frozenset(name(*square) for square in move) for move in moves))
            return
        for square in squares:
            if square not in path and attacks("knight", path[-1], square):
                walk([*path, square])

    for first in squares if start is None else [start]:
        walk([first])
    return found


def test_tours_of_knights_are_those_of_a_search():
    board = list(product(range(3), range(4)))
    moves = lambda family: {frozenset(frozenset(move) for move in tour) for tour in family.build()}
    assert moves(td.knights(3, 4, closed=False)) == tours(board)
    assert moves(td.knights(3, 4, closed=False, start="a1")) == tours(board, start=(0, 0))
    assert td.knights(3, 4, closed=False).count() == len(tours(board))
    ring = [square for square in product(range(3), range(3)) if square != (1, 1)]
    assert moves(td.knights(3, 3, missing=["b2"])) == tours(ring, closed=True) != set()


@pytest.mark.parametrize("ours, theirs", [
    (td.Graph.grid(3, 4), nx.grid_2d_graph(3, 4)),
    (td.Graph.king(3, 4), nx.strong_product(nx.path_graph(3), nx.path_graph(4))),
    (td.Graph.torus(3, 4), nx.grid_2d_graph(3, 4, periodic=True)),
    (td.Graph.complete_bipartite(2, 3), nx.complete_bipartite_graph(2, 3)),
    (td.Graph.cycle(5), nx.cycle_graph(5)),
    (td.Graph.path(5), nx.path_graph(5)),
    (td.Graph.star(5), nx.star_graph(5)),
    (td.Graph.complete(5), nx.complete_graph(5)),
    (td.Graph.hypercube(4), nx.hypercube_graph(4)),
    (td.Graph.named("petersen"), nx.petersen_graph()),
])
def test_generated_graphs_are_those_of_networkx(ours, theirs):
    assert nx.is_isomorphic(ours.to_networkx(), theirs)


def test_grids_of_triangles_and_of_hexagons_have_their_degrees():
    triangles = nx.grid_2d_graph(4, 5)
    triangles.add_edges_from(((r, c), (r + 1, c + 1)) for r, c in product(range(3), range(4)))
    assert nx.is_isomorphic(td.Graph.triangular(4, 5).to_networkx(), triangles)
    hexagons = td.Graph.hex(3, 3).to_networkx()
    cycles = nx.minimum_cycle_basis(hexagons)
    assert {len(cycle) for cycle in cycles} == {6} and max(d for _, d in hexagons.degree) == 3


def test_counts_labels_and_tables_are_those_of_the_solutions():
    graph = nx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    g = td.Graph(graph, weight=[1, 2, 4, 8])
    forests, members, colours = g.forests().build(), g.independent_sets().build(), g.colourings(3).build()
    assert forests.edge_counts() == {e: sum(e in f for f in forests) for e in g.edges} == forests.element_counts()
    assert members.vertex_counts() == {v: sum(v in m for m in members) for v in g.vertices} == members.element_counts()
    for d in (forests, members, colours):
        assert d[:].label_array().tolist() == [list(solution.labels().values()) for solution in d]
        rows = [list(map(int, solution.to_numpy())) for solution in d]
        for library in ("pandas", "polars"):
            pytest.importorskip(library)
            table = d.to_dataframe(library)
            assert table.to_numpy().astype(int).tolist() == rows == d[:].to_dataframe(library).to_numpy().astype(int).tolist()
        assert d.to_numpy().astype(int).tolist() == rows
    for forest in forests:
        blocks = brute.blocks(graph, forest.edges)
        assert all((forest.labels()[u] == forest.labels()[v]) == any({u, v} <= b for b in blocks) for u in graph for v in graph)
        assert set(forest.to_networkx().edges) == set(forest) and forest.weight == sum(g.weights[e] for e in forest)
    for chosen in g.vertex_sets().build():
        made, expected = chosen.to_networkx(), graph.subgraph(chosen.vertices)
        assert set(made) == set(expected) and nx.utils.edges_equal(made.edges, expected.edges)
    for colouring in colours:
        assert dict(colouring.to_networkx().nodes(data="colour")) == dict(colouring)
