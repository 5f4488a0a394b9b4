"""The helpers of Graphillion's tutorial: grids, pictures, and numbers of turns.

They need networkx; pictures also need matplotlib.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from topdd import InputError
from topdd.compat.graphillion._graphset import GraphSet

nx: Any = import_module("networkx")


def grid(m: int, n: int | None = None, prob_to_remove_edge: float = 0.0) -> list[tuple[int, int]]:
    """Return the edges of a grid of ``m`` by ``n`` squares, whose vertices are numbered from 1 in rows.

    A share of the edges, less than 0.4, may be missing at random, always the same ones; the grid stays connected, and its
    first vertex keeps two edges. The edges that are missing may be others than in Graphillion.

    >>> import topdd.compat.graphillion.tutorial as tl
    >>> tl.grid(1, 2)
    [(1, 2), (1, 4), (2, 3), (2, 5), (3, 6), (4, 5), (5, 6)]
    """
    if not 0 <= prob_to_remove_edge < 0.4:
        raise InputError(f"prob_to_remove_edge={prob_to_remove_edge}: give a share from 0 to less than 0.4")
    cols = 1 + (m if n is None else n)
    last = (m + 1) * cols
    steps = [(v, v + step) for v in range(1, last + 1) for step in (1, cols) if v % cols or step > 1]
    edges = [(v, w) for v, w in steps if w <= last]
    generator = random.Random(1)
    while True:
        removed = generator.sample(edges, int(len(edges) * prob_to_remove_edge))
        kept: list[tuple[int, int]] = [edge for edge in edges if edge not in removed]
        graph: Any = nx.Graph(kept)
        if graph.number_of_nodes() == last and nx.is_connected(graph) and graph.degree[1] == 2:
            return kept


def draw(g: Any, universe: Any = None) -> None:
    """Show a graph on the vertices of a grid, by default of the universe."""
    plt: Any = import_module("matplotlib.pyplot")
    universe = GraphSet.universe() if universe is None else universe
    graphs: list[Any] = [graph if isinstance(graph, nx.Graph) else nx.Graph(list(graph)) for graph in (g, universe)]
    cols = max(graphs[1][1]) - 1
    shown = nx.Graph()
    shown.add_nodes_from(graphs[1])
    shown.add_edges_from(graphs[0].edges)
    nx.draw(shown, {v: ((v - 1) % cols, -((v - 1) // cols)) for v in shown})
    plt.show()


def how_many_turns(path: Iterable[tuple[int, int]]) -> int:
    """Return the number of turns of a path on a grid that starts at vertex 1, and comes from the left.

    >>> how_many_turns([(1, 4), (4, 5), (5, 6)])
    2
    """
    near: dict[int, list[int]] = {}
    for u, v in path:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    turns, before, at, step = 0, 0, 1, 1
    while further := [v for v in near.get(at, ()) if v != before]:
        before, at = at, further[0]
        turns, step = turns + (abs(at - before) != step), abs(at - before)
    return turns


def hist(data: Iterable[float]) -> None:
    """Show a histogram."""
    plt: Any = import_module("matplotlib.pyplot")
    plt.hist(list(data))
    plt.show()
