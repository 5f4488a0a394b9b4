"""Families and set algebra beside the package dd, which computes them in another way: by operations on diagrams."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topdd as td

# The module of dd in Python: `dd.cudd_zdd` 0.6 crashes the interpreter when it counts a family.
autoref = pytest.importorskip("dd.autoref")

NAMES = [f"x{n}" for n in range(9)]
sets = st.sets(st.frozensets(st.sampled_from(NAMES)), max_size=40)


class Judge:
    """Families of sets of names, as binary decision diagrams of dd."""

    def __init__(self, names):
        self.names = list(names)
        self.manager = autoref.BDD()
        self.manager.declare(*self.names)

    def family(self, sets):
        made = self.manager.false
        for one in sets:
            made |= self.manager.cube({name: name in one for name in self.names})
        return made

    def sets(self, family):
        found = self.manager.pick_iter(family, care_vars=set(self.names))
        return {frozenset(name for name, taken in row.items() if taken) for row in found}

    def agrees(self, ours, theirs):
        assert ours.count() == theirs.count(len(self.names))
        assert {frozenset(solution) for solution in ours} == self.sets(theirs)


SETS, VERTICES, EDGES = Judge(NAMES), Judge(f"v{n}" for n in range(8)), Judge(f"e{n:02}" for n in range(16))


@settings(max_examples=40, deadline=None)
@given(sets, sets, st.sets(st.sampled_from(NAMES), max_size=3))
def test_dd_agrees_on_set_algebra(one, two, some):
    judge = SETS
    f, g = (td.Diagram(members, elements=NAMES) for members in (one, two))
    u, v = judge.family(one), judge.family(two)
    judge.agrees(f, u)
    judge.agrees(f | g, u | v)
    judge.agrees(f & g, u & v)
    judge.agrees(f - g, u & ~v)
    judge.agrees(f ^ g, (u & ~v) | (v & ~u))
    judge.agrees(~f, ~u)
    with_all, without = u, u
    for name in some:
        with_all, without = with_all & judge.manager.var(name), without & ~judge.manager.var(name)
    judge.agrees(f.including(*some), with_all)
    judge.agrees(f.excluding(*some), without)
    assert (f <= g, f.isdisjoint(g)) == (u & ~v == judge.manager.false, u & v == judge.manager.false)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(4, 16))
def test_dd_agrees_on_families_of_random_graphs(seed, edges):
    graph = nx.gnm_random_graph(8, edges, seed=seed)
    named = nx.relabel_nodes(graph, {vertex: f"v{vertex}" for vertex in graph})
    judge, of_edges, g = VERTICES, EDGES, td.Graph(named)
    manager = judge.manager
    taken = {vertex: manager.var(vertex) for vertex in named}
    independent, covers, dominating = manager.true, manager.true, manager.true
    for a, b in named.edges:
        independent &= ~(taken[a] & taken[b])
        covers &= taken[a] | taken[b]
    for vertex in named:
        near = taken[vertex]
        for other in named[vertex]:
            near |= taken[other]
        dominating &= near
    for family, expected in (
        (g.independent_sets(), independent),
        (g.vertex_covers(), covers),
        (g.dominating_sets(), dominating),
        (g.independent_sets() & g.dominating_sets(), independent & dominating),
        (g.independent_sets() | g.vertex_covers(), independent | covers),
        (g.dominating_sets() - g.vertex_covers(), dominating & ~covers),
    ):
        judge.agrees(family.build(), expected)
    matchings = of_edges.manager.true
    for number, one in enumerate(of_edges.names):
        if number >= len(g.edges):
            matchings &= ~of_edges.manager.var(one)
        for other in range(number + 1, len(g.edges)):
            if set(g.edges[number]) & set(g.edges[other]):
                matchings &= ~(of_edges.manager.var(one) & of_edges.manager.var(of_edges.names[other]))
    assert g.matchings().build().count() == matchings.count(len(of_edges.names))
