"""Solutions and graphs for networkx, pandas and polars."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from topdd._errors import InputError
from topdd._sources import Normal


def _networkx() -> Any:
    try:
        return import_module("networkx")
    except ImportError:
        raise InputError("networkx is not installed; install it, or use .edges and .vertices") from None


def _empty_graph(normal: Normal) -> Any:
    networkx = _networkx()
    for field, reason in normal.unusable:
        # The attributes of the source are written as they are.
        if field in ("weight", "population", "p") and (field not in normal.named or normal.attributes is None):
            raise InputError(f"the graph of networkx would not have the {field} of this graph; use .edges and .vertices: {reason}")
    if normal.keys is not None:
        return networkx.MultiDiGraph() if normal.directed else networkx.MultiGraph()
    return networkx.DiGraph() if normal.directed else networkx.Graph()


def _values_of(normal: Normal, at: int, *fields: str) -> dict[str, Any]:
    """Return the values of an edge or a vertex that are no attributes of the source."""
    values = {field: getattr(normal, field) for field in fields if field not in normal.named}
    return {field: of[at] for field, of in values.items() if of is not None}


def _add_vertex(graph: Any, normal: Normal, vertex: int, **more: Any) -> None:
    graph.add_node(normal.vertices[vertex])
    of = graph.nodes[normal.vertices[vertex]]
    of.update(normal.attributes.vertices[vertex] if normal.attributes else {})
    of.update(_values_of(normal, vertex, "pos", "population"), **more)


def _add_edge(graph: Any, normal: Normal, name: Sequence[Any], edge: int) -> None:
    graph.add_edge(*name)
    of = graph.edges[name]
    of.update(normal.attributes.edges[edge] if normal.attributes else {})
    of.update(_values_of(normal, edge, "weight", "p"))


def graph_to_networkx(normal: Normal, edges: Sequence[Any]) -> Any:
    """Return the whole graph as one of networkx."""
    graph = _empty_graph(normal)
    for vertex in range(len(normal.vertices)):
        _add_vertex(graph, normal, vertex)
    for edge, name in enumerate(edges):
        _add_edge(graph, normal, name, edge)
    return graph


def solution_to_networkx(
    normal: Normal, edges: Sequence[Any], members: list[int], is_edges: bool, colours: list[int] | None
) -> Any:
    """Return the edges of a set with their ends, or its vertices with the edges between them."""
    graph = _empty_graph(normal)
    if is_edges:
        chosen = members
        vertices = sorted({end for edge in members for end in normal.ends[edge]})
    else:
        vertices = list(range(len(normal.vertices))) if colours is not None else members
        inside = set(vertices)
        chosen = [edge for edge, ends in enumerate(normal.ends) if inside.issuperset(ends)]
    for vertex in vertices:
        more = {} if colours is None else {"colour": colours[vertex]}
        _add_vertex(graph, normal, vertex, **more)
    for edge in chosen:
        _add_edge(graph, normal, edges[edge], edge)
    return graph


def diagram_to_networkx(
    nodes: Sequence[tuple[int, list[tuple[int, int]]]], root: int, order: Sequence[Any], values: Sequence[Sequence[Any]]
) -> Any:
    """Return the nodes of a diagram as a graph of networkx; ``nodes`` have variables and edges, children first.

    ``values`` are those of each variable.
    """
    graph: Any = _networkx().MultiDiGraph(root=root)
    graph.add_nodes_from((0, 1))
    for number, (variable, edges) in enumerate(nodes, 2):
        graph.add_node(number, element=order[variable])
        targets = dict(edges)
        for at, value in enumerate(values[variable]):
            graph.add_edge(number, targets.get(at, 0), value=value)
    return graph


def texts(objects: Sequence[Any]) -> list[str]:
    """Return a text for each object: that of `str`, or that of `repr` if `str` gives two of them the same."""
    made = [str(part) for part in objects]
    return made if len(set(made)) == len(made) else [repr(part) for part in objects]


def of_values(numbers: Any, values: Sequence[Any]) -> Any:
    """Return an array of the values with these numbers; ``values`` are those of each column, or how many from 0."""
    numpy: Any = import_module("numpy")
    if all(own is values[0] or own == values[0] for own in values):
        return numbers if not values or isinstance(values[0], int) else _array(numpy, values[0])[numbers]
    columns = [_column(numpy, numbers[..., at], own) for at, own in enumerate(values)]
    kinds = {column.dtype for column in columns}
    return numpy.stack([column if len(kinds) == 1 else column.astype(object) for column in columns], axis=-1)


def _array(numpy: Any, values: Sequence[Any]) -> Any:
    """Return the values as an array of one dimension, of objects unless all are of one type of numpy."""
    if all(type(value) is type(values[0]) for value in values) and isinstance(values[0], (bool, int, float, str)):
        return numpy.array(values)
    made = numpy.empty(len(values), dtype=object)
    made[:] = values
    return made


def _column(numpy: Any, numbers: Any, values: Any) -> Any:
    return numbers if isinstance(values, int) else _array(numpy, values)[numbers]


def dataframe(table: Any, names: Sequence[Any], library: str, values: Sequence[Any] | None = None) -> Any:
    """Return a table with a column for each element; ``values`` are those of each column."""
    numpy: Any = import_module("numpy")
    if library == "pandas":
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            raise InputError('pandas is not installed; install it, or give "polars"') from None
        columns = pandas.Index(list(names), tupleize_cols=False)
        if values is None:
            return pandas.DataFrame(table, columns=columns)
        made = pandas.DataFrame({at: _column(numpy, table[:, at], own) for at, own in enumerate(values)})
        return made.set_axis(columns, axis=1)
    if library == "polars":
        try:
            polars: Any = import_module("polars")
        except ImportError:
            raise InputError('polars is not installed; install it, or give "pandas"') from None
        parts: list[Any] = [table[:, at] for at in range(len(names))]
        if values is not None:
            parts = [_column(numpy, part, own) for part, own in zip(parts, values)]
        return polars.DataFrame(dict(zip(texts(names), parts)))
    raise InputError(f'there is no library {library!r}; give "pandas" or "polars"')
