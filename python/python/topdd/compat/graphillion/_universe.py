"""The universe: the edges of which all graphs are sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Any, ClassVar, cast

from topdd import Graph, InputError

Vertex = Any
Edge = tuple[Any, Any]

converters: dict[str, Callable[[Any], Any]] = {"to_graph": list, "to_edges": lambda graph: graph}
"""Functions from a list of edges to a graph of the user, and back; both do nothing unless the user replaces them."""


class UnknownError(InputError, KeyError):
    """An edge or a vertex that is not in the universe, or a graph that is not in a set."""

    __module__ = "topdd.compat.graphillion"
    __str__ = Exception.__str__


class Universe:
    """The edges, their weights, and the vertices. There is one for the whole process, as in Graphillion."""

    vertices: ClassVar[set[Vertex]] = set()
    weights: ClassVar[dict[Edge, Any]] = {}
    listed: ClassVar[list[Edge]] = []
    """The edges in the order of `edge_universe` and of dumps."""
    _graph: ClassVar[Graph | None] = None
    """The graph, whose edges are in the order of the diagrams."""
    known_edges: ClassVar[dict[Edge, Edge]] = {}
    """Each edge of the universe, under itself and under the pair in the other direction."""

    @classmethod
    def set_universe(
        cls, universe: Any, traversal: str = "greedy", source: Vertex = None, weights: dict[Edge, Any] | None = None
    ) -> None:
        """Set the edges: pairs of vertices, or triples of two vertices and a weight.

        ``traversal`` is the order of the edges in diagrams and dumps: "greedy", "bfs", "dfs" or "as-is". The first three
        start at ``source``, by default the least vertex. Edges of vertices that cannot be compared keep the order as given.
        With "greedy", only dumps have this order: diagrams have the order of a breadth-first search, or one that the
        library chooses if fewer vertices at a time have both decided and undecided edges.
        Objects that were made before keep their own universe.
        """
        own: dict[Edge, Any] = {}
        both: dict[Edge, Edge] = {}
        for given in converters["to_edges"](universe):
            if len(given) not in (2, 3):
                raise UnknownError(f"{given!r} is no edge; give pairs of vertices, or triples with a weight")
            edge = (given[0], given[1])
            if edge in both:
                raise UnknownError(f"the edge {edge!r} is given twice")
            both[edge] = both[edge[::-1]] = edge
            if len(given) == 3:
                own[edge] = given[2]
            elif weights and (edge in weights or edge[::-1] in weights):
                own[edge] = weights[edge if edge in weights else edge[::-1]]
        edges = list(dict.fromkeys(both.values()))
        if not edges:
            raise InputError("the universe is empty; give at least one edge")
        cls.listed = _ordered(edges, traversal, source)
        graph = Graph(cls.listed, directed=False, weight=None)
        if traversal == "greedy":
            # The empty set is the only one with at most 0 edges, so that this build costs the choice of an order only.
            chosen = graph.forests().at_most(0).build().order
            graph = Graph(min(_ordered(edges, "bfs", source), chosen, key=_width), directed=False, weight=None)
        cls._graph = graph
        cls.known_edges, cls.weights, cls.vertices = both, own, set(cls._graph.vertices)

    @classmethod
    def edge_universe(cls) -> Any:
        """Return the edges in the order of the traversal, with the weights that were given."""
        edges = [(*edge, cls.weights[edge]) if edge in cls.weights else edge for edge in cls.listed]
        return converters["to_graph"](edges)

    @classmethod
    def graph(cls) -> Graph:
        """Return the graph of the universe."""
        if cls._graph is None:
            raise InputError("there is no universe; call GraphSet.set_universe(edges) first")
        return cls._graph

    @classmethod
    def edge(cls, given: Any) -> Edge:
        """Return an edge as the universe has it."""
        found = cls.known_edges.get(cast("Edge", given[:2])) if isinstance(given, tuple) else None
        if found is None:
            raise UnknownError(f"{given!r} is no edge of the universe; GraphSet.universe() returns its edges")
        return found

    @classmethod
    def edges(cls, graph: Any) -> list[Edge]:
        """Return the edges of a graph of the user, as the universe has them."""
        return [cls.edge(edge) for edge in graph]

    @classmethod
    def numbers(cls, given: dict[Any, Any]) -> dict[Edge, Any]:
        """Return the numbers of edges, under the edges as the universe has them."""
        return {cls.edge(edge): number for edge, number in given.items()}

    @classmethod
    def known(cls, vertices: Iterable[Vertex]) -> list[Vertex]:
        """Return vertices, each once, if all are in the universe."""
        listed = list(dict.fromkeys(vertices))
        for vertex in listed:
            if vertex not in cls.vertices:
                raise UnknownError(f"{vertex!r} is no vertex of the universe")
        return listed


def kind_of(obj: Any, *allowed: str) -> tuple[str, list[Edge]]:
    """Return whether an object is a "graph", an "edge" or a "vertex", and its edges."""
    try:
        is_vertex = obj in Universe.vertices
    except TypeError:
        is_vertex = False
    if isinstance(obj, tuple) and (obj[:2] in Universe.known_edges or not is_vertex):
        kind, edges = "edge", [Universe.edge(obj)]
    elif is_vertex:
        kind, edges = "vertex", [edge for edge in Universe.listed if obj in edge]
    else:
        try:
            kind, edges = "graph", Universe.edges(obj if isinstance(obj, (set, frozenset, list)) else converters["to_edges"](obj))
        except TypeError:
            raise UnknownError(f"{obj!r} is no vertex of the universe, no edge and no graph") from None
    if allowed and kind not in allowed:
        raise InputError(f"{obj!r} is a {kind}; give {' or '.join(allowed)}")
    return kind, edges


def _ordered(edges: list[Edge], traversal: str, source: Vertex) -> list[Edge]:
    """Return the edges in the order of a traversal from a vertex."""
    if traversal not in ("greedy", "bfs", "dfs", "as-is"):
        raise InputError(f'traversal={traversal!r}: give "greedy", "bfs", "dfs" or "as-is"')
    near: dict[Vertex, dict[Vertex, Edge]] = {}
    for edge in edges:
        for end, other in (edge, edge[::-1]):
            near.setdefault(end, {})[other] = edge
    if source is not None and source not in near:
        raise UnknownError(f"source={source!r} is no vertex of the universe")
    try:
        return edges if traversal == "as-is" else _traversed(near, traversal, min(near) if source is None else source)
    except TypeError:
        return edges


def _width(edges: list[Edge]) -> int:
    """Return the most vertices that have both decided and undecided edges at one time."""
    last = {vertex: at for at, edge in enumerate(edges) for vertex in edge}
    active: set[Vertex] = set()
    widest = 0
    for at, edge in enumerate(edges):
        active = {vertex for vertex in active.union(edge) if last[vertex] > at}
        widest = max(widest, len(active))
    return widest


def _traversed(near: dict[Vertex, dict[Vertex, Edge]], traversal: str, vertex: Vertex) -> list[Edge]:
    """Return the edges in the order in which their second end is visited.

    A breadth-first or depth-first search visits vertices in the order of their first discovery. A greedy one prefers the
    neighbours of visited vertices with few edges left; its priorities are those of Graphillion, so that dumps fit.
    """
    order: list[Edge] = []
    left = {vertex: len(others) for vertex, others in near.items()}
    seen: set[Vertex] = set()
    found: set[Vertex] = set()
    waiting: list[tuple[int, int, Vertex]] = []
    while True:
        seen.add(vertex)
        for other in sorted(near[vertex]):
            left[other] -= 1
            if other in seen:
                left[vertex] -= 1
                order.append(near[vertex][other])
                for far in near[other] if traversal == "greedy" and left[other] else ():
                    if far not in seen:
                        heappush(waiting, (left[other], left[far], far))
        for other in sorted(near[vertex].keys() - seen):
            if traversal == "greedy":
                heappush(waiting, (left[vertex], left[other], other))
            elif other not in found:
                found.add(other)
                heappush(waiting, (len(found) if traversal == "bfs" else -len(found), 0, other))
        if len(seen) == len(near):
            return order
        while vertex in seen:
            vertex = heappop(waiting)[2] if waiting else min(near.keys() - seen)
