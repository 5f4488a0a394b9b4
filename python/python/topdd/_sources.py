"""Graphs of other packages, tables and lists of edges, in one normal form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from topdd._errors import InputError
from topdd._numbers import per_element


class Attributes(NamedTuple):
    """The attributes that the edges and vertices of a graph have in its source."""

    edges: list[dict[str, Any]]
    vertices: list[dict[str, Any]]


class Normal(NamedTuple):
    """A graph: vertices, and edges as positions of their ends."""

    vertices: tuple[Any, ...]
    ends: list[tuple[int, int]]
    keys: list[Any] | None = None
    directed: bool = False
    weight: list[Any] | None = None
    p: list[float] | None = None
    vertex_p: list[float] | None = None
    population: list[Any] | None = None
    pos: list[tuple[float, float]] | None = None
    board: tuple[int, int] | None = None
    attributes: Attributes | None = None
    named: tuple[str, ...] = ()
    """The fields that are attributes of the source."""


class _Draft:
    """A source: its vertices and edges, with their attributes."""

    def __init__(self, directed: bool = False) -> None:
        self.vertices: dict[Any, dict[str, Any]] = {}
        self.edges: list[tuple[Any, Any, Mapping[str, Any]]] = []
        self.keys: list[Any] | None = None
        self.directed = directed
        self.own_weight: str | None = None
        """The attribute of the weights of edges that were given as triples."""

    def vertex(self, vertex: Any, attributes: Mapping[str, Any] | None = None) -> None:
        try:
            self.vertices.setdefault(vertex, {}).update(attributes or {})
        except TypeError:
            raise InputError(f"the vertex {vertex!r} is not hashable; use a string, a number or a tuple") from None

    def edge(self, a: Any, b: Any, attributes: Mapping[str, Any]) -> None:
        self.vertex(a)
        self.vertex(b)
        self.edges.append((a, b, attributes))


def normal(
    source: Any,
    *,
    vertices: Iterable[Any] | None = None,
    directed: bool | None = None,
    weight: Any = None,
    p: Any = None,
    vertex_p: Any = None,
    population: Any = None,
    pos: Any = None,
) -> Normal:
    """Return the normal form of any source."""
    if isinstance(source, Normal):
        return source
    first: list[Any] = [] if vertices is None else list(vertices)
    draft = _read(source, directed, first)
    if directed is not None:
        draft.directed = directed
    objects = tuple(draft.vertices)
    index = {vertex: at for at, vertex in enumerate(objects)}
    ends = [(index[a], index[b]) for a, b, _ in draft.edges]
    of_edges = [attributes for _, _, attributes in draft.edges]
    of_vertices = list(draft.vertices.values())
    if weight is None:
        weight = draft.own_weight
    plain = with_keys(Normal(objects, ends, draft.keys, draft.directed))
    names = _names(plain)

    def edges(given: Any, what: str) -> list[Any] | None:
        return _values(given, of_edges, names, lambda: named_edges(plain)[1], what, "edge")

    def members(given: Any, what: str) -> list[Any] | None:
        return _values(given, of_vertices, objects, lambda: index, what, "vertex")

    fields = {"weight": weight, "p": p, "population": population, "pos": pos}
    named = tuple(field for field, given in fields.items() if isinstance(given, str))
    kept = Attributes([dict(of) for of in of_edges], [dict(of) for of in of_vertices])
    return plain._replace(
        attributes=kept if any(kept.edges) or any(kept.vertices) else None,
        named=named,
        weight=edges(weight, "weight"),
        p=_floats(edges(p, "p"), "p"),
        vertex_p=_floats(members(vertex_p, "vertex_p"), "vertex_p"),
        population=members(population, "population"),
        pos=_positions(members(pos, "pos")),
    )


def with_keys(plain: Normal) -> Normal:
    """Number parallel edges, if there are any, and they have no keys, or equal ones without their directions."""
    pairs = [(a, b) if plain.directed or a <= b else (b, a) for a, b in plain.ends]
    if plain.keys is not None and (plain.directed or len(set(zip(pairs, plain.keys))) == len(pairs)):
        return plain
    seen: dict[tuple[int, int], int] = {}
    keys: list[Any] = []
    for pair in pairs:
        keys.append(seen.get(pair, 0))
        seen[pair] = keys[-1] + 1
    return plain._replace(keys=keys if any(keys) else None)


def _names(plain: Normal) -> tuple[Any, ...]:
    pairs = [(plain.vertices[a], plain.vertices[b]) for a, b in plain.ends]
    if plain.keys is None:
        return tuple(pairs)
    return tuple((*pair, key) for pair, key in zip(pairs, plain.keys))


def named_edges(plain: Normal) -> tuple[tuple[Any, ...], dict[Any, int]]:
    """Return the edges as tuples of their ends, with their keys, and the position of each edge by all of its names.

    The names of an undirected edge have both directions. A name without a key is for an edge without parallel ones.
    """
    edges = _names(plain)
    index: dict[Any, int] = {}
    parallel: set[Any] = set()
    for at, edge in enumerate(edges):
        if edge in index:
            raise InputError(f"the edge {edge!r} is given twice; give parallel edges different keys")
        for name in (edge,) if plain.directed else (edge, (edge[1], edge[0], *edge[2:])):
            index[name] = at
            if index.setdefault(name[:2], at) != at:
                parallel.add(name[:2])
    for name in parallel:
        del index[name]
    return edges, index


class EdgeDict(dict[Any, Any]):
    """A dictionary over the edges of a graph, which finds each edge by all of its names."""

    def __init__(self, items: Iterable[tuple[Any, Any]], edges: tuple[Any, ...], index: Mapping[Any, int]) -> None:
        super().__init__(items)
        self._edges, self._index = edges, index

    def _key(self, name: Any) -> Any:
        at = self._index.get(name)
        return name if at is None else self._edges[at]

    def __missing__(self, name: Any) -> Any:
        key = self._key(name)
        if not super().__contains__(key):
            raise KeyError(name)
        return self[key]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(self._key(name))

    def __setitem__(self, name: Any, value: Any) -> None:
        super().__setitem__(self._key(name), value)

    def __delitem__(self, name: Any) -> None:
        super().__delitem__(self._key(name))

    def __reduce__(self) -> tuple[Any, ...]:
        return EdgeDict, (list(self.items()), self._edges, self._index)

    def get(self, name: Any, default: Any = None) -> Any:
        return super().get(self._key(name), default)

    def setdefault(self, name: Any, default: Any = None) -> Any:
        return super().setdefault(self._key(name), default)

    def pop(self, name: Any, *default: Any) -> Any:
        return super().pop(self._key(name), *default)


def _values(
    given: Any,
    attributes: Sequence[Mapping[str, Any]],
    objects: tuple[Any, ...],
    index: Callable[[], Mapping[Any, int]],
    what: str,
    noun: str,
) -> list[Any] | None:
    """Return the value of each edge or vertex, for the name of an attribute, a mapping, a sequence, or a number."""
    if given is None:
        return None
    if not isinstance(given, str):
        try:
            return per_element(given, objects, index().__getitem__, what)
        except KeyError as missing:
            raise InputError(f"{what}: there is no {noun} {missing.args[0]!r}") from None
    return _of_attribute(given, attributes, objects, what, noun)


def _of_attribute(
    given: str, attributes: Sequence[Mapping[str, Any]], objects: tuple[Any, ...], what: str, noun: str
) -> list[Any]:
    """Return the value of an attribute for each edge or vertex."""
    if not any(given in of for of in attributes) and attributes:
        known = sorted({str(name) for of in attributes for name in of})
        listed = f"the attributes are {', '.join(known)}" if known else "there are none"
        raise InputError(f"{what}={given!r}: no {noun} has this attribute; {listed}")
    for name, of in zip(objects, attributes):
        if of.get(given) is None:
            raise InputError(f"{what}={given!r}: the {noun} {name!r} does not have this attribute")
    return [of[given] for of in attributes]


def attribute(plain: Normal, name: str, what: str, noun: str) -> list[Any]:
    """Return the value of an attribute of the source for each edge or vertex."""
    objects = _names(plain) if noun == "edge" else plain.vertices
    kept = plain.attributes or Attributes([], [])
    attributes = kept.edges if noun == "edge" else kept.vertices
    return _of_attribute(name, attributes or [{} for _ in objects], objects, what, noun)


def _floats(values: list[Any] | None, what: str) -> list[float] | None:
    try:
        return None if values is None else [float(value) for value in values]
    except (TypeError, ValueError):
        raise InputError(f"{what}: the values must be numbers from 0 to 1") from None


def _positions(values: list[Any] | None) -> list[tuple[float, float]] | None:
    if values is None:
        return None
    try:
        pairs = [(float(x), float(y)) for x, y in values]
    except (TypeError, ValueError):
        raise InputError("pos: each position must be a pair of numbers") from None
    if any(value - value != 0 for pair in pairs for value in pair):
        raise InputError("pos: each position must be a pair of finite numbers")
    return pairs


def _read(source: Any, directed: bool | None, vertices: list[Any]) -> _Draft:
    package = type(source).__module__.split(".")[0] if source is not None else ""
    draft = _Draft()
    for vertex in vertices:
        draft.vertex(vertex)
    if hasattr(source, "tocoo"):
        return _from_matrix(draft, source, directed)
    if hasattr(source, "is_multigraph") and hasattr(source, "adj"):
        return _from_networkx(draft, source)
    if package == "rustworkx":
        return _from_rustworkx(draft, source)
    if package == "igraph":
        return _from_igraph(draft, source)
    if package in ("pandas", "polars") or (hasattr(source, "columns") and hasattr(source, "shape")):
        return _from_table(draft, source)
    if source is None:
        return draft
    kind = type(source).__name__
    if isinstance(source, (str, bytes, Mapping)):
        raise InputError(
            f"{kind} is no source of a graph; give a graph of another package, a table, or edges, and "
            "read a file with Graph.read(path)"
        )
    return _from_edges(draft, source, directed)


def _from_edges(draft: _Draft, source: Any, directed: bool | None) -> _Draft:
    shape: tuple[int, ...] = getattr(source, "shape", ())
    if len(shape) == 2 and shape[0] == shape[1]:
        raise InputError(
            "a square array may be a list of edges or an adjacency matrix; give array.tolist() for edges, or "
            "scipy.sparse.coo_array(array) for a matrix"
        )
    try:
        edges = iter(source)
    except TypeError:
        raise InputError(f"{source!r} is no graph and no collection of edges") from None
    triples: list[tuple[Any, ...]] = []
    for edge in edges:
        try:
            parts = None if isinstance(edge, (str, bytes)) else tuple(edge)
        except TypeError:
            parts = None
        if parts is None or len(parts) not in (2, 3):
            raise InputError(f"the edge {edge!r} is no pair (u, v), and no triple (u, v, weight or attributes)")
        attributes: Mapping[str, Any] = {}
        if len(parts) == 3:
            if isinstance(parts[2], Mapping):
                attributes = cast("Mapping[str, Any]", parts[2])
            else:
                draft.own_weight, attributes = "weight", {"weight": parts[2]}
                triples.append(parts)
        draft.edge(parts[0], parts[1], attributes)
    if _are_keys(triples, directed):
        raise InputError(
            "the third parts of parallel edges look like keys, and not like weights; give the graph itself, or edges "
            "(u, v, {'weight': w})"
        )
    return draft


def _are_keys(triples: list[tuple[Any, ...]], directed: bool | None) -> bool:
    """Return whether some edges are parallel, and the third parts count the edges of the same ends from 0."""
    of_pairs: dict[Any, list[Any]] = {}
    of_ends: dict[Any, list[Any]] = {}
    for a, b, key in triples:
        of_pairs.setdefault((a, b), []).append(key)
        of_ends.setdefault(frozenset((a, b)), []).append(key)
    groups = [list(of_pairs.values())] + ([] if directed else [list(of_ends.values())])
    return any(
        any(len(keys) > 1 for keys in lists) and all(keys == list(range(len(keys))) for keys in lists)
        for lists in groups
    )


def _from_networkx(draft: _Draft, graph: Any) -> _Draft:
    draft.directed = graph.is_directed()
    for vertex, attributes in graph.nodes(data=True):
        draft.vertex(vertex, attributes)
    if graph.is_multigraph():
        keys: list[Any] = []
        for a, b, key, attributes in graph.edges(keys=True, data=True):
            draft.edge(a, b, attributes)
            keys.append(key)
        draft.keys = keys
        return draft
    for a, b, attributes in graph.edges(data=True):
        draft.edge(a, b, attributes)
    return draft


def _attributes(value: Any) -> Mapping[str, Any]:
    """Return what a graph of rustworkx stores with an edge, as attributes."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value)
    return {} if value is None else {"weight": value}


def _distinct(names: list[Any]) -> bool:
    """Return whether there are names, hashable and different."""
    try:
        return 0 < len(set(names)) == len(names)
    except TypeError:
        return False


def _from_rustworkx(draft: _Draft, graph: Any) -> _Draft:
    draft.directed = type(graph).__name__ == "PyDiGraph"
    nodes: dict[int, Any] = {index: graph[index] for index in graph.node_indices()}
    # Without payloads that differ, vertices are the indices of the nodes.
    names = nodes if _distinct(list(nodes.values())) else {index: index for index in nodes}
    for index, payload in nodes.items():
        draft.vertex(names[index], _attributes(payload))
    for a, b, payload in graph.weighted_edge_list():
        draft.edge(names[a], names[b], _attributes(payload))
    return draft


def _from_igraph(draft: _Draft, graph: Any) -> _Draft:
    draft.directed = graph.is_directed()
    names: list[Any] = list(graph.vs["name"]) if "name" in graph.vs.attributes() else []
    # Without names that differ, vertices are their indices.
    if not _distinct(names):
        names = list(range(graph.vcount()))
    for vertex in graph.vs:
        draft.vertex(names[vertex.index], vertex.attributes())
    for edge in graph.es:
        draft.edge(names[edge.source], names[edge.target], edge.attributes())
    return draft


_ENDS = (("source", "target"), ("from", "to"), ("u", "v"))
"""The names of the columns with the ends of edges, in any case."""


def _end_columns(columns: list[str]) -> tuple[int, int]:
    """Return the columns with the ends of edges: by their names, or else the first two."""
    lower = [name.lower() for name in columns]
    pairs = [pair for pair in _ENDS if all(end in lower for end in pair)]
    named = [end for pair in pairs or _ENDS for end in pair if end in lower]
    if len(pairs) > 1 or any(lower.count(end) > 1 for end in named):
        raise InputError(f"several columns may be the ends of edges: {', '.join(columns)}; leave out or rename some")
    if pairs:
        return lower.index(pairs[0][0]), lower.index(pairs[0][1])
    for pair in _ENDS:
        for at, end in enumerate(pair):
            if end in lower and lower.index(end) != at:
                raise InputError(
                    f"there is a column {end!r}, and none {pair[1 - at]!r}; name the columns of the ends of edges "
                    f"{pair[0]!r} and {pair[1]!r}"
                )
    return 0, 1


def _from_table(draft: _Draft, table: Any) -> _Draft:
    columns = [str(name) for name in table.columns]
    if len(columns) < 2:
        raise InputError("a table of edges has at least two columns: the ends of each edge")
    if len(set(columns)) < len(columns):
        raise InputError(f"two columns of the table have the same name; the columns are {', '.join(columns)}")
    index = getattr(table, "index", ())
    if not callable(index) and len(index) > 1 and list(index) == list(table.columns):
        raise InputError(
            "the rows and the columns of the table have the same names; make an adjacency matrix a graph by "
            "networkx.from_pandas_adjacency, or name the columns of a list of edges"
        )
    a, b = _end_columns(columns)
    lists: list[list[Any]] = [table[name].to_list() for name in table.columns]
    for row in zip(*lists):
        if any(end is None or end != end for end in (row[a], row[b])):
            raise InputError(f"the edge {row!r} has an end without a value")
        attributes = {name: row[at] for at, name in enumerate(columns) if at not in (a, b)}
        draft.edge(row[a], row[b], attributes)
    return draft


def _from_matrix(draft: _Draft, matrix: Any, directed: bool | None) -> _Draft:
    entries = matrix.tocoo().copy()
    entries.sum_duplicates()
    if len(entries.shape) != 2 or entries.shape[0] != entries.shape[1]:
        raise InputError(f"an adjacency matrix is square, and this has the shape {entries.shape}")
    pairs = {(int(a), int(b)): value for a, b, value in zip(entries.row, entries.col, entries.data.tolist()) if value}
    symmetric = all(pairs.get((b, a)) == value for (a, b), value in pairs.items())
    if directed is None and not symmetric:
        raise InputError("the matrix is not symmetric; give directed=True, or a symmetric one")
    if directed is False and any(pairs.get((b, a), value) != value for (a, b), value in pairs.items()):
        raise InputError("the matrix has different values for both directions of an edge; give directed=True")
    draft.directed = bool(directed)
    for vertex in range(entries.shape[0]):
        draft.vertex(vertex)
    for (a, b), value in sorted(pairs.items()):
        if draft.directed or a <= b or (b, a) not in pairs:
            draft.edge(a, b, {"weight": value})
    return draft
