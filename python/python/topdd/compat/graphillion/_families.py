"""The constructors of `GraphSet`: each returns a family, or a diagram where no family has the conditions.

As a method of an object, or with ``graphset=``, each selects graphs of an object.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from topdd import Diagram, Family, Graph, InputError
from topdd._files import restored_diagram
from topdd.compat.graphillion._universe import Edge, Universe, Vertex

Sets = Family | Diagram
Degrees = int | Sequence[int]
Linear = tuple[Iterable[tuple[Any, ...]], tuple[float, float]]
DegreeDistribution_Any = -1


def graphs(
    vertex_groups: Iterable[Iterable[Vertex]] | None = None,
    degree_constraints: Mapping[Vertex, Degrees] | None = None,
    num_edges: Degrees | None = None,
    no_loop: bool = False,
    linear_constraints: Iterable[Linear] | None = None,
) -> Sets:
    """Graphs under all the given conditions.

    The vertices of a group are connected, those of different groups are not, and all edges are in the components of groups.
    An empty group is a further component with any vertices. With several groups, the result takes two sweeps; for empty
    groups beside others, it takes two for each vertex.

    ``degree_constraints`` are the degrees of vertices, ``num_edges`` the sizes, and ``no_loop=True`` excludes cycles. Each of
    ``linear_constraints`` is a list of edges with weights (0 for other edges), and a pair of bounds on their sum.
    """
    groups = [Universe.known(group) for group in vertex_groups or ()]
    named = [group for group in groups if group]
    Universe.known(degree_constraints or ())
    family = Universe.graph().subgraphs(vertex_groups=named or None, degrees=degree_constraints or None, no_cycle=no_loop)
    if num_edges is not None:
        family = _sized(family, [num_edges] if isinstance(num_edges, int) else sorted(num_edges))
    for edges, (least, most) in linear_constraints or ():
        weights: dict[Edge, Any] = dict.fromkeys(Universe.graph().edges, 0)
        for edge in edges:
            weights[Universe.edge(edge)] += edge[2] if len(edge) > 2 else 1
        family = family.cost_at_least(least, weights) if least > -math.inf else family
        family = family.cost_at_most(most, weights) if most < math.inf else family
    return _attached(family, named, len(groups) - len(named))


def _sized(family: Family, sizes: list[int]) -> Family:
    """The sets of a family with one of the sizes."""
    if not sizes:
        raise InputError("num_edges is empty; give at least one number of edges")
    gaps = set(range(sizes[0], sizes[-1])) - set(sizes)
    family = family.at_least(sizes[0]).at_most(sizes[-1])
    return reduce(lambda kept, size: kept - kept.exactly(size), gaps, family)


def _attached(family: Family, groups: list[list[Vertex]], others: int) -> Sets:
    """The sets of a family whose edges are all in components of groups, or in a number of other components."""
    graph = Universe.graph()
    if not groups and not others:
        return family
    if len(groups) + others == 1:
        return family & (graph.steiner_subgraphs(groups[0]) if groups else graph.connected_edge_sets())
    if others:
        taken = {vertex for group in groups for vertex in group}
        rest = [vertex for vertex in graph.vertices if vertex not in taken]
        further = [_separated(family, [*groups, [vertex]]).through(vertex) for vertex in rest]
        parts = [_attached(one, [*groups, [vertex]], others - 1) for vertex, one in zip(rest, further)]
        return union(parts)
    # With one vertex of each group merged into one, a set has all edges in components of groups if it is connected.
    ends = {group[0]: groups[0][0] for group in groups}
    merged = Graph([(ends.get(u, u), ends.get(v, v)) for u, v in graph.edges], directed=False, weight=None)
    connected = merged.steiner_subgraphs([groups[0][0]]).order("given").build()
    return family & _over_universe(connected)


def _separated(family: Family, groups: list[list[Vertex]]) -> Family:
    return family & Universe.graph().subgraphs(vertex_groups=groups)


def _over_universe(diagram: Diagram) -> Diagram:
    """The diagram with the edges of the universe in the place of those of another graph."""
    state = Diagram(graph=Universe.graph()).__reduce__()[1][0]
    _, content, order = diagram.__reduce__()[1]
    return restored_diagram(state, content, order)


def built(sets: Sets) -> Diagram:
    """The diagram of a family, in the order of the universe."""
    return sets if isinstance(sets, Diagram) else sets.order("given").build()


def union(parts: Iterable[Sets]) -> Diagram:
    """The union of families and diagrams."""
    return reduce(Diagram.union, map(built, parts), Diagram(graph=Universe.graph()))


def _connected(family: Family, is_connected: bool = True) -> Family:
    return family & Universe.graph().connected_edge_sets() if is_connected else family


def connected_components(vertices: Iterable[Vertex]) -> Sets:
    """Graphs of one component, which contains the vertices."""
    return graphs(vertex_groups=[vertices])


def steiner_subgraphs(terminals: Iterable[Vertex]) -> Sets:
    """Graphs of one component, which contains the terminals."""
    return connected_components(terminals)


def steiner_trees(terminals: Iterable[Vertex]) -> Sets:
    """Trees that contain the terminals."""
    return graphs(vertex_groups=[terminals], no_loop=True)


def steiner_cycles(terminals: Iterable[Vertex]) -> Family:
    """Cycles through the terminals."""
    return Universe.graph().cycles().through(*Universe.known(terminals))


def steiner_paths(terminals: Iterable[Vertex]) -> Family:
    """Paths through the terminals."""
    return Universe.graph().paths().through(*Universe.known(terminals))


def cliques(k: int) -> Family:
    """Cliques of ``k`` vertices, at least 2."""
    if k < 2:
        raise InputError(f"k={k}: a clique needs two vertices to have edges")
    return _connected(Universe.graph().degrees([0, k - 1])).exactly(k * (k - 1) // 2)


def bicliques(a: int, b: int) -> Family:
    """Complete bipartite graphs of ``a`` and ``b`` vertices."""
    return Universe.graph().bicliques(a, b)


def trees(root: Vertex = None, is_spanning: bool = False) -> Family:
    """Trees with at least one edge; or those that contain ``root``, among them the empty set; or spanning trees."""
    graph, roots = Universe.graph(), Universe.known([] if root is None else [root])
    if is_spanning:
        return graph.spanning_trees()
    return graph.steiner_trees(roots) if roots else graph.subtrees()


def forests(roots: Iterable[Vertex], is_spanning: bool = False) -> Sets:
    """Forests with one root in each tree; spanning ones contain all vertices, and a root may be alone."""
    roots = Universe.known(roots)
    if is_spanning and roots:
        return Universe.graph().rooted_forests(roots)
    degrees = {vertex: range(1, len(Universe.graph().edges) + 1) for vertex in Universe.vertices} if is_spanning else None
    return graphs(vertex_groups=[[root] for root in roots], degree_constraints=degrees, no_loop=True)


def cycles(is_hamilton: bool = False) -> Family:
    """Simple cycles, or those through all vertices."""
    return Universe.graph().cycles(hamiltonian=is_hamilton)


def paths(terminal1: Vertex = None, terminal2: Vertex = None, is_hamilton: bool = False) -> Family:
    """Simple paths, between two terminals, from one, or between any; with ``is_hamilton`` those through all vertices."""
    Universe.known(end for end in (terminal1, terminal2) if end is not None)
    return Universe.graph().paths(terminal1, terminal2, hamiltonian=is_hamilton)


def matchings() -> Family:
    """Matchings."""
    return Universe.graph().matchings()


def perfect_matchings() -> Family:
    """Perfect matchings."""
    return Universe.graph().perfect_matchings()


def k_matchings(k: int) -> Family:
    """Graphs in which each vertex has at most ``k`` edges."""
    return Universe.graph().b_matchings(k)


def b_matchings(b: Mapping[Vertex, int]) -> Family:
    """Graphs in which each vertex has at most ``b[vertex]`` edges, and none without an entry."""
    return Universe.graph().b_matchings(_of_vertices(b, 0))


def k_factors(k: int) -> Family:
    """Graphs in which each vertex has ``k`` edges."""
    return Universe.graph().factors(k)


def f_factors(f: Mapping[Vertex, int]) -> Family:
    """Graphs in which each vertex has ``f[vertex]`` edges, and none without an entry."""
    return Universe.graph().factors(_of_vertices(f, 0))


def _of_vertices(given: Mapping[Vertex, int] | None, other: int) -> dict[Vertex, int]:
    """A number for each vertex."""
    Universe.known(given or ())
    return {vertex: (given or {}).get(vertex, other) for vertex in Universe.graph().vertices}


def regular_graphs(degree: int | tuple[int, int] | None = None, is_connected: bool = True) -> Sets:
    """Graphs with edges, in which each vertex with edges has the same degree: ``degree``, or one between two bounds."""
    least, most = (degree, degree) if isinstance(degree, int) else degree or (1, len(Universe.vertices))
    graph = Universe.graph()
    degrees = range(max(least, 1), min(most, len(graph.vertices)) + 1)
    return union(_connected(graph.regular_subgraphs(k).at_least(1), is_connected) for k in degrees)


def bipartite_graphs(is_connected: bool = True) -> Family:
    """Graphs without an odd cycle, connected or not; the empty set is one of them."""
    graph = Universe.graph()
    family = graph.bipartite_subgraphs()
    return family & (graph.connected_edge_sets() | graph.edge_sets().at_most(0)) if is_connected else family


def regular_bipartite_graphs(degree: int | tuple[int, int] | None = None, is_connected: bool = True) -> Sets:
    """Regular graphs without an odd cycle."""
    return regular_graphs(degree, is_connected) & Universe.graph().bipartite_subgraphs()


def degree_distribution_graphs(deg_dist: Mapping[int, int], is_connected: bool) -> Family:
    """Graphs with given numbers of vertices of each degree; `DegreeDistribution_Any` allows any number."""
    most = len(Universe.vertices)
    counts = {degree: (0, most) if count == DegreeDistribution_Any else count for degree, count in deg_dist.items()}
    return _connected(Universe.graph().degree_distribution(counts), is_connected)


def letter_P_graphs() -> Family:
    """Graphs in the shape of the letter P: one vertex of degree 1, one of degree 3, and others of degree 2."""
    return degree_distribution_graphs({0: -1, 1: 1, 2: -1, 3: 1}, True)


def partitions(num_comp_lb: int = 1, num_comp_ub: int = 32767) -> Diagram:
    """Partitions of the vertices into connected blocks, as the edges inside of blocks. It takes a sweep for each number."""
    if num_comp_lb > num_comp_ub:
        raise InputError(f"the least number of blocks, {num_comp_lb}, exceeds the greatest, {num_comp_ub}")
    graph = Universe.graph()
    return union(graph.partitions(k) for k in range(max(num_comp_lb, 1), min(num_comp_ub, len(graph.vertices)) + 1))


def balanced_partitions(
    weight_list: Mapping[Vertex, int] | None = None,
    ratio: float = 0.0,
    lower: int = 0,
    upper: int = 2**30 - 1,
    num_comps: int = -1,
) -> Diagram:
    """Partitions into blocks whose sums of weights are between two bounds, and differ at most by the factor ``ratio``.

    A vertex without a weight weighs 1. It takes a sweep for each number of blocks, and with ``ratio`` for each least sum.
    """
    if ratio and ratio < 1:
        raise InputError(f"ratio={ratio}: give a factor of at least 1, or 0 for none")
    weights = _of_vertices(weight_list, 1)
    graph = Graph(list(Universe.graph().edges), directed=False, weight=None, population=weights)
    parts: list[Family] = []
    for k in [num_comps] if num_comps >= 0 else range(1, len(weights) + 1):
        if not ratio:
            parts.append(graph.partitions(k, population=(lower, upper)))
        for least in range(lower, min(upper, sum(weights.values()) // max(k, 1)) + 1) if ratio else ():
            parts.append(graph.partitions(k, population=(least, min(upper, math.floor(least * ratio)))))
    return union(parts)


def induced_graphs() -> Diagram:
    """Connected induced graphs with at least two vertices. It takes a sweep for each number of vertices."""
    graph = Universe.graph()
    # The other vertices are blocks of their own.
    return union(_connected(graph.partitions(k)) for k in range(1, len(graph.vertices)))


def weighted_induced_graphs(
    weight_list: Mapping[Vertex, int] | None = None, lower: int = 0, upper: int = 2**31 - 1
) -> Diagram:
    """Connected induced graphs whose vertices have a sum of weights between two bounds; a vertex without a weight weighs 1.

    It takes two operations for each vertex and each sum.
    """
    by_sum = {0: induced_graphs()}
    for vertex, weight in _of_vertices(weight_list, 1).items():
        further: dict[int, Diagram] = {}
        for total, diagram in by_sum.items():
            for total, part in ((total, diagram.avoid(vertex)), (total + weight, diagram.through(vertex))):
                if part:
                    further[total] = further[total] | part if total in further else part
        by_sum = further
    return union(diagram for total, diagram in by_sum.items() if lower <= total <= upper)
