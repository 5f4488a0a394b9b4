"""The class `GraphSet` of the package Graphillion, with diagrams of topdd.

A program for Graphillion runs if its import is changed: ``from topdd.compat.graphillion import GraphSet``. The limits of
`topdd.limits` hold for all calls. An unknown edge or vertex is a `KeyError`, as there.

>>> from topdd.compat.graphillion import GraphSet
>>> GraphSet.set_universe([(1, 2), (1, 4), (2, 3), (2, 5), (3, 6), (4, 5), (5, 6)])
>>> paths = GraphSet.paths(1, 6)
>>> len(paths), len(paths.excluding((1, 4)).including(2))
(4, 2)
>>> GraphSet([[(1, 4)], [(1, 2), (2, 3)]])
GraphSet([[(1, 4)], [(1, 2), (2, 3)]])

Reference: T. Inoue, H. Iwashita, J. Kawahara and S. Minato, "Graphillion: software library for very large sets of labeled
graphs", International Journal on Software Tools for Technology Transfer 18, 2016.
"""

from topdd.compat.graphillion._graphset import GraphSet
from topdd.compat.graphillion._universe import Universe, UnknownError

__all__ = ["GraphSet", "Universe", "UnknownError"]
