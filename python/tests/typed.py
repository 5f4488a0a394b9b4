"""The types that a checker sees; it checks this file, which is no test to run."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy
import pandas  # type: ignore
import polars  # type: ignore
from numpy.typing import NDArray
from typing_extensions import assert_type

import topdd as td

Weight = int | float | Fraction
Values = NDArray[Any]

g = td.Graph([(0, 1, 2), (1, 2, 3)], p=0.5, pos={0: (0, 0), 1: (0, 1), 2: numpy.zeros(2)}, population=numpy.arange(3))
assert_type(g.weights, dict[tuple[Any, ...], Weight] | None)
assert_type(g.p, dict[tuple[Any, ...], float] | None)
assert_type(g.pos, dict[Any, tuple[float, float]] | None)
d = g.spanning_trees().build(memory="1GB", cancel=None)
assert_type(d.best(1), list[tuple[Weight, td.Solution]])
assert_type(d.best(weights=pandas.Series([1, 2])), Iterator[tuple[Weight, td.Solution]])
assert_type(d.best(1, {(0, 1): Fraction(1, 2), (1, 2): 3})[0][1].weight, Weight)
assert_type(d.configure().choose((0, 1)).best(1), list[tuple[Weight, td.Solution]])
assert_type(d.configure().why((0, 1)).text, str)
assert_type(d.to_numpy(), Values)
assert_type(d[0].label_array(), NDArray[numpy.int64])
assert_type(d[:1].to_numpy(), Values)
assert_type(d.to_dataframe(), pandas.DataFrame)
assert_type(d.to_dataframe("polars"), polars.DataFrame)
assert_type(d[:1].to_dataframe("pandas"), pandas.DataFrame)
m = td.Manager("a b", memory="1GB")
u = m.add_expr("a & b") & ~m.var("a")
assert_type(u, td.Function)
assert_type(u <= m.true, bool)
assert_type(m.pick(u), dict[str, bool] | None)
assert_type(list(m.pick_iter(u)), list[dict[str, bool]])
assert_type(m.from_diagram(u.build()).bdd, td.Manager)
