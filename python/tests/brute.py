"""Families by brute force, from their definitions, with networkx."""

from itertools import chain, combinations, product
from math import prod

import networkx as nx


def subsets(items):
    """All subsets of a sequence, as frozensets."""
    items = list(items)
    return (frozenset(chosen) for size in range(len(items) + 1) for chosen in combinations(items, size))


def spanned(graph, edges):
    """The graph of all vertices and some edges."""
    sub = type(graph)()
    sub.add_nodes_from(graph)
    sub.add_edges_from(edges)
    return sub


def touched(graph, edges):
    """The graph of some edges and their ends."""
    sub = type(graph)()
    sub.add_edges_from(edges)
    return sub


def edge_sets(graph, holds):
    """The sets of edges with a property."""
    return {edges for edges in subsets(graph.edges) if holds(edges)}


def vertex_sets(graph, holds):
    """The sets of vertices with a property."""
    return {members for members in subsets(graph.nodes) if holds(members)}


def is_path(graph, edges, ends=None):
    sub = touched(graph, edges)
    if not edges or not nx.is_connected(sub) or sub.number_of_edges() != sub.number_of_nodes() - 1:
        return False
    leaves = {v for v, d in sub.degree if d == 1}
    return len(leaves) == 2 and max(d for _, d in sub.degree) <= 2 and (ends is None or set(ends) <= leaves)


def is_cycle(graph, edges):
    sub = touched(graph, edges)
    return bool(edges) and nx.is_connected(sub) and all(d == 2 for _, d in sub.degree)


def is_forest(graph, edges):
    return not edges or nx.is_forest(touched(graph, edges))


def is_connected(graph, edges):
    return nx.is_connected(spanned(graph, edges))


def degrees(graph, edges):
    return dict(spanned(graph, edges).degree)


def blocks(graph, edges):
    return list(nx.connected_components(spanned(graph, edges)))


def is_partition(graph, edges, k):
    parts = blocks(graph, edges)
    inside = {e for e in graph.edges if any(set(e) <= part for part in parts)}
    return len(parts) == k and set(edges) == inside


def is_cut(graph, edges, separated=None):
    vertices = list(graph)
    for members in subsets(vertices):
        if 0 < len(members) < len(vertices) and (separated is None or (separated[0] in members and separated[1] not in members)):
            if {e for e in graph.edges if (e[0] in members) != (e[1] in members)} == set(edges):
                return True
    return False


def independent(graph, members):
    return not any(a in members and b in members for a, b in graph.edges)


def dominating(graph, members, total=False):
    return all((v in members and not total) or members & set(graph[v]) for v in graph)


def induced_connected(graph, members):
    return bool(members) and nx.is_connected(graph.subgraph(members))


def colourings(graph, k):
    vertices = list(graph)
    for colours in product(range(k), repeat=len(vertices)):
        colouring = dict(zip(vertices, colours))
        if all(colouring[a] != colouring[b] for a, b in graph.edges):
            yield frozenset(colouring.items())


def minimal(sets):
    return {s for s in sets if not any(t < s for t in sets)}


def maximal(sets):
    return {s for s in sets if not any(t > s for t in sets)}


def hitting_sets(sets, elements):
    hits = {h for h in subsets(elements) if all(h & s for s in sets)}
    return minimal(hits)


def probability(sets, elements, works):
    total = 0.0
    for s in sets:
        term = 1.0
        for element in elements:
            term *= works[element] if element in s else 1 - works[element]
        total += term
    return total


def shares(sets, elements, weights):
    """The share of the sets with each element, by products of pairs of weights: not in a set, and in it."""
    weight = lambda s: prod(weights[element][element in s] for element in elements)
    return {e: sum((weight(s) for s in sets if e in s), 0 * weight(frozenset())) / sum(map(weight, sets)) for e in elements}


def mean_changes(sets, elements, chance):
    """The sum of the changes that each element makes to sets of the others, times the chance of these sets."""
    change = lambda e, s: (s | {e} in sets) - (s in sets)
    others = lambda e: subsets(other for other in elements if other != e)
    return {e: sum(chance(e, s) * change(e, s) for s in others(e)) for e in elements}


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("chain", "combinations", "prod", "product", "nx")]
