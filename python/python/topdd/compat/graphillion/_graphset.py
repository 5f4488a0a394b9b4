"""Sets of graphs that change in place, over the universe."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial, update_wrapper
from typing import Any, ClassVar, cast

from topdd import Diagram, InputError
from topdd.compat.graphillion import _dumps, _families
from topdd.compat.graphillion._families import Sets
from topdd.compat.graphillion._universe import Edge, UnknownError, Universe, converters, kind_of


class _Constructor:
    """A function that makes sets of graphs, as a method of the class, and of objects, of which it selects graphs."""

    def __init__(self, make: Callable[..., Sets]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __get__(self, graphset: GraphSet | None, owner: type[GraphSet]) -> Callable[..., GraphSet]:
        return update_wrapper(partial(self._select, graphset), self._make)

    def _select(self, graphset: GraphSet | None, /, *given: Any, **named: Any) -> GraphSet:
        if given and isinstance(given[-1], GraphSet):
            graphset, given = given[-1], given[:-1]
        graphset = named.pop("graphset", graphset)
        made = self._make(*given, **named)
        return GraphSet(_families.built(made) if graphset is None else made & graphset.diagram)


def _constructor(make: Callable[..., Sets]) -> Callable[..., GraphSet]:
    return cast("Any", _Constructor(make))


class GraphSet:
    """A set of graphs, each a list of edges of the universe. Operators with ``=`` and some methods change it in place.

    It is made of a list of graphs, of another object, or of constraints: ``{"include": edges, "exclude": edges}`` are all
    graphs with the former and without the latter edges, and ``{}`` all graphs.

    The attribute ``diagram`` is its `topdd.Diagram`, and ``GraphSet(diagram)`` is the set of one over the same universe.
    Where a method takes a graph, an edge or a vertex, a list or a set is a graph, and a tuple is an edge or a vertex.

    >>> GraphSet.set_universe([(1, 2), (2, 3), (1, 3)])
    >>> graphs = GraphSet.trees(is_spanning=True)
    >>> graphs -= GraphSet([[(1, 2), (2, 3)]])
    >>> graphs.add([(1, 2)])
    >>> graphs
    GraphSet([[(1, 2)], [(1, 2), (1, 3)], [(1, 3), (2, 3)]])
    """

    __module__ = "topdd.compat.graphillion"
    __hash__ = None  # type: ignore[assignment]
    converters: ClassVar = converters
    DegreeDistribution_Any: ClassVar = _families.DegreeDistribution_Any
    _shows_messages: ClassVar = False

    def __init__(self, graphset_or_constraints: Any = None) -> None:
        given = graphset_or_constraints
        self.diagram: Diagram
        if isinstance(given, (GraphSet, Diagram)):
            self.diagram = given.diagram if isinstance(given, GraphSet) else given
        elif isinstance(given, dict):
            self.diagram = self._constrained(**cast("dict[str, Any]", given))
        elif given is None or isinstance(given, (list, set, frozenset)):
            graphs = cast("Iterable[Any]", given or ())
            sets = (Universe.edges(converters["to_edges"](graph)) for graph in graphs)
            self.diagram = Diagram(sets, graph=Universe.graph())
        else:
            raise InputError(f"{given!r} is no set of graphs; give a list of graphs, or a dictionary of constraints")

    @staticmethod
    def _constrained(**edges: Any) -> Diagram:
        """The diagram of all graphs with some edges and without others."""
        for name in edges:
            if name not in ("include", "exclude"):
                raise InputError(f"{name!r} is no constraint; give 'include' or 'exclude'")
        with_all, without = (Universe.edges(edges.get(name, ())) for name in ("include", "exclude"))
        return _families.built(Universe.graph().edge_sets().including(*with_all).excluding(*without))

    def copy(self) -> GraphSet:
        """Return a copy."""
        return GraphSet(self)

    def __repr__(self) -> str:
        # By size, then by the order of the universe.
        edges = Universe.listed if self.diagram.graph == Universe.graph() else self.diagram.elements
        weights = {edge: len(edges) ** 2 + at for at, edge in enumerate(edges)}
        text = ""
        for _, graph in self.diagram.best(weights=weights):
            text += f"{', ' if text else 'GraphSet(['}{_sorted(graph)}"
            if len(text) > 78:
                return f"{text[:76]} ..."
        return f"{text or 'GraphSet(['}])"

    # Operations on sets.

    def union(self, *others: GraphSet) -> GraphSet:
        """Return the graphs that are in any of the sets."""
        return self.copy().update(*others)

    def intersection(self, *others: GraphSet) -> GraphSet:
        """Return the graphs that are in all of the sets."""
        return self.copy().intersection_update(*others)

    def difference(self, *others: GraphSet) -> GraphSet:
        """Return the graphs that are in none of the others."""
        return self.copy().difference_update(*others)

    def symmetric_difference(self, *others: GraphSet) -> GraphSet:
        """Return the graphs that are in an odd number of the sets."""
        return self.copy().symmetric_difference_update(*others)

    def quotient(self, other: GraphSet) -> GraphSet:
        """Return the graphs without an edge of the others whose union with each of the others is in this set."""
        return self.copy().quotient_update(other)

    def remainder(self, other: GraphSet) -> GraphSet:
        """Return the graphs that are no union of a graph of the quotient and one of the other set."""
        return self.copy().remainder_update(other)

    def update(self, *others: GraphSet) -> GraphSet:
        """Add the graphs of others."""
        for other in others:
            self.diagram |= _of_set(other)
        return self

    def intersection_update(self, *others: GraphSet) -> GraphSet:
        """Keep the graphs that are in all others, too."""
        for other in others:
            self.diagram &= _of_set(other)
        return self

    def difference_update(self, *others: GraphSet) -> GraphSet:
        """Remove the graphs of others."""
        for other in others:
            self.diagram -= _of_set(other)
        return self

    def symmetric_difference_update(self, *others: GraphSet) -> GraphSet:
        """Keep the graphs that are in an odd number of the sets."""
        for other in others:
            self.diagram ^= _of_set(other)
        return self

    def quotient_update(self, other: GraphSet) -> GraphSet:
        """Replace the set by the quotient."""
        self.diagram = self.diagram.quotient(_of_set(other))
        return self

    def remainder_update(self, other: GraphSet) -> GraphSet:
        """Replace the set by the remainder."""
        self.diagram = self.diagram.remainder(_of_set(other))
        return self

    def join(self, other: GraphSet) -> GraphSet:
        """Return the unions of a graph of each set."""
        return GraphSet(self.diagram.join(_of_set(other)))

    def meet(self, other: GraphSet) -> GraphSet:
        """Return the intersections of a graph of each set."""
        return GraphSet(self.diagram.meet(_of_set(other)))

    def __invert__(self) -> GraphSet:
        return GraphSet(~self.diagram)

    __or__, __ior__ = union, update
    __and__, __iand__ = intersection, intersection_update
    __sub__, __isub__ = difference, difference_update
    __xor__, __ixor__ = symmetric_difference, symmetric_difference_update
    __truediv__ = __floordiv__ = quotient
    __itruediv__ = __ifloordiv__ = quotient_update
    __mod__, __imod__ = remainder, remainder_update

    # Comparisons and numbers.

    def isdisjoint(self, other: GraphSet) -> bool:
        """Whether no graph is in both sets."""
        return self.diagram.isdisjoint(_of_set(other))

    def issubset(self, other: GraphSet) -> bool:
        """Whether all graphs are in the other set."""
        return self.diagram <= _of_set(other)

    def issuperset(self, other: GraphSet) -> bool:
        """Whether all graphs of the other set are in this one."""
        return self.diagram >= _of_set(other)

    __le__, __ge__ = issubset, issuperset

    def __lt__(self, other: GraphSet) -> bool:
        return self.diagram < _of_set(other)

    def __gt__(self, other: GraphSet) -> bool:
        return self.diagram > _of_set(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphSet) and self.diagram == other.diagram

    def __bool__(self) -> bool:
        return bool(self.diagram)

    def __len__(self) -> int:
        return len(self.diagram)

    def len(self, size: int | None = None) -> Any:
        """Return the number of graphs, however large, or the set of the graphs with ``size`` edges."""
        return self.diagram.count() if size is None else self.graph_size(size)

    def probability(self, probabilities: dict[Edge, float]) -> float:
        """Return the probability that the edges that exist are a graph of the set, if each exists with its probability."""
        return self.diagram.probability(Universe.numbers(probabilities))

    # Graphs of the set.

    def __iter__(self) -> Iterator[Any]:
        return map(_graph, self.diagram)

    def rand_iter(self) -> Iterator[Any]:
        """Yield all graphs, each once, in random order; `random.seed` makes it repeatable."""
        diagram, count = self.diagram, self.diagram.count()
        # A shuffle of all ranks, of which only those that have moved are stored.
        moved: dict[int, int] = {}
        for rank in range(count):
            other = random.randrange(rank, count)
            yield _graph(diagram[moved.get(other, other)])
            moved[other] = moved.pop(rank, rank)

    def min_iter(self, weights: dict[Edge, Any] | None = None) -> Iterator[Any]:
        """Yield all graphs by their weight, the least first. An edge without a weight weighs 1."""
        return self._by_weight(weights, False)

    def max_iter(self, weights: dict[Edge, Any] | None = None) -> Iterator[Any]:
        """Yield all graphs by their weight, the greatest first. An edge without a weight weighs 1."""
        return self._by_weight(weights, True)

    def _by_weight(self, weights: dict[Edge, Any] | None, is_max: bool) -> Iterator[Any]:
        given = Universe.weights if weights is None else Universe.numbers(weights)
        all_weights = {edge: given.get(edge, 1) for edge in self.diagram.elements}
        return (_graph(graph) for _, graph in self.diagram.best(weights=all_weights, max=is_max))

    def choice(self) -> Any:
        """Return any graph."""
        for graph in self.diagram:
            return _graph(graph)
        raise UnknownError("the set is empty")

    def pop(self) -> Any:
        """Remove any graph and return it."""
        graph = self.choice()
        self.discard(Universe.edges(converters["to_edges"](graph)))
        return graph

    def __contains__(self, obj: Any) -> bool:
        kind, edges = kind_of(obj)
        if kind == "graph":
            return edges in self.diagram
        return any(self.diagram.including(edge) for edge in edges)

    # Changes in place.

    def clear(self) -> None:
        """Remove all graphs."""
        self.diagram = Diagram(graph=self.diagram.graph)

    def add(self, graph_or_edge: Any) -> None:
        """Add a graph, or an edge to each graph."""
        kind, edges = kind_of(graph_or_edge, "graph", "edge")
        one = Diagram([edges], graph=Universe.graph())
        self.diagram = self.diagram | one if kind == "graph" else self.diagram.join(one)

    def remove(self, obj: Any) -> None:
        """Remove a graph, or an edge, or all edges of a vertex, from all graphs. Fails if it is in none."""
        kind, edges = kind_of(obj)
        parts = [edges] if kind == "graph" else edges
        for part in parts:
            if part not in self:
                raise UnknownError(f"{part!r} is in no graph of the set")
        self.discard(obj)

    def discard(self, obj: Any) -> None:
        """Remove a graph, or an edge, or all edges of a vertex, from all graphs."""
        kind, edges = kind_of(obj)
        if kind == "graph":
            self.diagram -= Diagram([edges], graph=Universe.graph())
            return
        for edge in edges:
            self.diagram = self.diagram.excluding(edge) | self.diagram.including(edge).flip(edge)

    def flip(self, edge: Edge) -> None:
        """Remove an edge from the graphs that have it, and add it to the others."""
        self.diagram = self.diagram.flip(*kind_of(edge, "edge")[1])

    # Selections and changes as new sets.

    def minimal(self) -> GraphSet:
        """Return the graphs that contain no other one."""
        return GraphSet(self.diagram.minimal())

    def maximal(self) -> GraphSet:
        """Return the graphs that no other one contains."""
        return GraphSet(self.diagram.maximal())

    def blocking(self) -> GraphSet:
        """Return all graphs that have an edge in common with each graph of the set."""
        return GraphSet(_families.built(Universe.graph().edge_sets()).supersets_of(self.diagram.hitting_sets()))

    hitting = blocking

    def smaller(self, size: int) -> GraphSet:
        """Return the graphs with less than ``size`` edges."""
        return GraphSet(self.diagram.at_most(size - 1)) if size > 0 else GraphSet()

    def larger(self, size: int) -> GraphSet:
        """Return the graphs with more than ``size`` edges."""
        return GraphSet(self.diagram.at_least(max(size + 1, 0)))

    def graph_size(self, size: int) -> GraphSet:
        """Return the graphs with ``size`` edges."""
        return GraphSet(self.diagram.exactly(size))

    def complement(self) -> GraphSet:
        """Return the graphs of all edges that a graph of the set does not have."""
        return GraphSet(self.diagram.flip(*Universe.graph().edges))

    def subgraphs(self, other: GraphSet) -> GraphSet:
        """Return the graphs that are contained in a graph of the other set."""
        return GraphSet(self.diagram.subsets_of(_of_set(other)))

    def supergraphs(self, other: GraphSet) -> GraphSet:
        """Return the graphs that contain a graph of the other set."""
        return GraphSet(self.diagram.supersets_of(_of_set(other)))

    def non_subgraphs(self, other: GraphSet) -> GraphSet:
        """Return the graphs that are contained in no graph of the other set."""
        return self - self.subgraphs(other)

    def non_supergraphs(self, other: GraphSet) -> GraphSet:
        """Return the graphs that contain no graph of the other set."""
        return self - self.supergraphs(other)

    def including(self, obj: Any) -> GraphSet:
        """Return the graphs that contain a graph of a set, or a graph, an edge or a vertex."""
        if isinstance(obj, GraphSet):
            return self.supergraphs(obj)
        kind, edges = kind_of(obj)
        return GraphSet(self.diagram.through(obj) if kind == "vertex" else self.diagram.including(*edges))

    def excluding(self, obj: Any) -> GraphSet:
        """Return the graphs that contain no graph of a set, or not a graph, an edge or a vertex."""
        return self - self.including(obj)

    def included(self, obj: Any) -> GraphSet:
        """Return the graphs that are contained in a graph of a set, or in one graph."""
        return self.subgraphs(obj if isinstance(obj, GraphSet) else GraphSet([kind_of(obj, "graph")[1]]))

    def cost_le(self, costs: dict[Edge, Any], cost_bound: float) -> GraphSet:
        """Return the graphs whose edges have at most a sum of costs."""
        return GraphSet(self.diagram.cost_at_most(cost_bound, Universe.numbers(costs)))

    def cost_ge(self, costs: dict[Edge, Any], cost_bound: float) -> GraphSet:
        """Return the graphs whose edges have at least a sum of costs."""
        return GraphSet(self.diagram.cost_at_least(cost_bound, Universe.numbers(costs)))

    def cost_eq(self, costs: dict[Edge, Any], cost_bound: float) -> GraphSet:
        """Return the graphs whose edges have a sum of costs."""
        return self.cost_le(costs, cost_bound).cost_ge(costs, cost_bound)

    def remove_some_edge(self) -> GraphSet:
        """Return the graphs that lack one edge of a graph of the set. It takes three operations for each edge."""
        edges = Universe.graph().edges
        return GraphSet(_families.union(self.diagram.including(edge).flip(edge) for edge in edges))

    def add_some_edge(self) -> GraphSet:
        """Return the graphs that have one edge more than a graph of the set. It takes three operations for each edge."""
        edges = Universe.graph().edges
        return GraphSet(_families.union(self.diagram.excluding(edge).flip(edge) for edge in edges))

    def remove_add_some_edges(self) -> GraphSet:
        """Return the graphs of the set with one edge replaced. It takes operations for each pair of edges."""
        edges = Universe.graph().edges
        less = ((GraphSet(self.diagram.excluding(edge)).remove_some_edge().diagram, edge) for edge in edges)
        return GraphSet(_families.union(diagram.flip(edge) for diagram, edge in less))

    # Files.

    def dumps(self) -> str:
        """Return the set as a text, which Graphillion reads, too. It needs networkx. The universe is not part of it."""
        return _dumps.dumped(self.diagram)

    def dump(self, fp: Any) -> None:
        """Write the text of `dumps` to a file object."""
        text = self.dumps()
        try:
            fp.write(text)
        except TypeError:
            fp.write(text.encode())

    @staticmethod
    def loads(s: str) -> GraphSet:
        """Return the set of a text of `dumps`, or of Graphillion, over the present universe."""
        return GraphSet(_dumps.loaded(s))

    @staticmethod
    def load(fp: Any) -> GraphSet:
        """Return the set in a file object."""
        text = fp.read()
        return GraphSet.loads(text if isinstance(text, str) else text.decode())

    # The class.

    @staticmethod
    def set_universe(universe: Any, traversal: str = "greedy", source: Any = None) -> None:
        """Set the edges of which all graphs are sets; see `Universe.set_universe`."""
        Universe.set_universe(universe, traversal, source)

    @staticmethod
    def universe() -> Any:
        """Return the edges of the universe, with their weights, in the order of the traversal."""
        return Universe.edge_universe()

    @staticmethod
    def reliability(probabilities: dict[Edge, float] | None, terminals: Any) -> float:
        """Return the probability that the terminals are connected; an edge without a probability works."""
        given = Universe.numbers(probabilities or {})
        known = Universe.known(terminals or ())
        p = {edge: given.get(edge, 1.0) for edge in Universe.graph().edges}
        return Universe.graph().reliability(known, p=p) if len(known) > 1 else 1.0

    @staticmethod
    def show_messages(flag: bool = True) -> bool:
        """Do nothing, and return the last flag. ``topdd.limits(progress=True)`` shows the progress of calls."""
        flag, GraphSet._shows_messages = GraphSet._shows_messages, flag
        return flag

    @staticmethod
    def omp_get_max_threads() -> int:
        """Return the number of processors. ``topdd.limits(threads=)`` sets the number of threads."""
        return os.cpu_count() or 1

    @staticmethod
    def omp_set_num_threads(num_threads: int) -> None:
        """Do nothing. ``topdd.limits(threads=)`` sets the number of threads."""

    omp_get_num_threads = omp_get_num_procs = omp_get_max_threads

    graphs = _constructor(_families.graphs)
    connected_components = _constructor(_families.connected_components)
    cliques = _constructor(_families.cliques)
    bicliques = _constructor(_families.bicliques)
    trees = _constructor(_families.trees)
    forests = _constructor(_families.forests)
    cycles = _constructor(_families.cycles)
    paths = _constructor(_families.paths)
    matchings = _constructor(_families.matchings)
    perfect_matchings = _constructor(_families.perfect_matchings)
    k_matchings = _constructor(_families.k_matchings)
    b_matchings = _constructor(_families.b_matchings)
    k_factors = _constructor(_families.k_factors)
    f_factors = _constructor(_families.f_factors)
    regular_graphs = _constructor(_families.regular_graphs)
    bipartite_graphs = _constructor(_families.bipartite_graphs)
    regular_bipartite_graphs = _constructor(_families.regular_bipartite_graphs)
    steiner_subgraphs = _constructor(_families.steiner_subgraphs)
    steiner_trees = _constructor(_families.steiner_trees)
    steiner_cycles = _constructor(_families.steiner_cycles)
    steiner_paths = _constructor(_families.steiner_paths)
    degree_distribution_graphs = _constructor(_families.degree_distribution_graphs)
    letter_P_graphs = _constructor(_families.letter_P_graphs)
    partitions = _constructor(_families.partitions)
    balanced_partitions = _constructor(_families.balanced_partitions)
    induced_graphs = _constructor(_families.induced_graphs)
    weighted_induced_graphs = _constructor(_families.weighted_induced_graphs)


def _of_set(given: Any) -> Diagram:
    """The diagram of an operand."""
    if not isinstance(given, GraphSet):
        raise InputError(f"{given!r} is no GraphSet; GraphSet([graph]) is one of one graph")
    return given.diagram


def _sorted(graph: Any) -> list[Edge]:
    try:
        return sorted(graph)
    except TypeError:
        return list(graph)


def _graph(solution: Any) -> Any:
    """A graph as the user wants it."""
    return converters["to_graph"](_sorted(solution))
