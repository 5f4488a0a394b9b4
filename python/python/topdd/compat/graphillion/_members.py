"""The algebra of members, by enumeration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from topdd import Diagram, InputError, TooManyError
from topdd.compat.graphillion._universe import Edge, Universe

MOST = 100_000
"""The most sets, or pairs of sets, that an operation enumerates."""


def _sets(*diagrams: Diagram) -> Iterator[list[frozenset[Any]]]:
    pairs = 1
    for diagram in diagrams:
        pairs *= diagram.count()
    if pairs > MOST:
        raise TooManyError(f"the operation enumerates {pairs} sets, and at most {MOST} are allowed")
    return (list(map(frozenset, diagram)) for diagram in diagrams)


def _diagram(sets: Iterable[Iterable[Any]]) -> Diagram:
    return Diagram(sets, graph=Universe.graph())


def join(one: Diagram, other: Diagram) -> Diagram:
    """Return the unions of a set of each."""
    left, right = _sets(one, other)
    return _diagram(a | b for a in left for b in right)


def meet(one: Diagram, other: Diagram) -> Diagram:
    """Return the intersections of a set of each."""
    left, right = _sets(one, other)
    return _diagram(a & b for a in left for b in right)


def quotient(one: Diagram, other: Diagram) -> Diagram:
    """Return the sets without an element of any set of the other diagram whose union with each of these is in the first."""
    left, right = _sets(one, other)
    if not right:
        raise InputError("there is no quotient by no set; give at least one")
    family = set(left)
    parts = {a - right[0] for a in left if right[0] <= a}
    return _diagram(a for a in parts if all(not a & b and a | b in family for b in right))


def flip(one: Diagram, *edges: Edge) -> Diagram:
    """Return the sets in which each edge is removed where it was, and added where it was not."""
    (sets,) = _sets(one)
    return _diagram(each.symmetric_difference(edges) for each in sets)
